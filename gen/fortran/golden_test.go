package fortran

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/gen/gentest"
	"wi4go/gen/output"
)

var update = flag.Bool("update", false, "rewrite testdata from what the generator writes")

// golden are procedures that together have every kind of argument.
var golden = strings.Fields(`MPI_Allgather MPI_Alltoallw MPI_Cart_create MPI_Comm_get_name MPI_Dist_graph_create_adjacent
	MPI_File_open MPI_Info_get MPI_Recv MPI_Send MPI_Testsome MPI_Type_hvector MPI_Type_struct MPI_Waitall MPI_Waitany`)

func TestGolden(t *testing.T) {
	files, err := Libraries(gentest.Input(t))
	require.NoError(t, err)
	i := slices.IndexFunc(files, func(f output.File) bool { return f.Name == "openmpi/fortran.c" })
	path := filepath.Join("testdata", "openmpi_fortran.c")
	var got string
	for _, function := range golden {
		found := regexp.MustCompile(`(?ms)^(static void body_|void )` + strings.ToLower(function) + `_?\(.*?^}\n(?:JUMPS.*?\n)?NAMES.*?\n`).Find(files[i].Text)
		require.NotEmpty(t, found, function)
		got += string(found)
	}
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "%s differs: if that is intended, go test ./gen/fortran -update", path)
}
