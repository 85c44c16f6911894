package front

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/abi"
	"wi4go/gen/gentest"
	"wi4go/gen/model"
)

var update = flag.Bool("update", false, "rewrite testdata from what the generator writes")

// goldenNarrow are large-count functions that are implemented by the functions with int counts.
var goldenNarrow = strings.Fields("MPI_Allreduce_c MPI_Gather_c MPI_Gatherv_c MPI_Isend_c MPI_Type_size_c MPI_Win_create_c")

// generate returns the generated files of MPICH's front by name.
func generate(t *testing.T) map[string]string {
	t.Helper()
	in := gentest.Input(t)
	files, err := Files(in, model.NewSlots(in, in.Family("mpich")))
	require.NoError(t, err)
	texts := map[string]string{}
	for _, f := range files {
		texts[f.Name] = string(f.Text)
	}
	return texts
}

// golden compares parts of a generated text with a file in testdata. The part of a function is the match of before, its
// name and after.
func golden(t *testing.T, name, text string, functions []string, before, after string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	var got string
	for _, function := range functions {
		found := regexp.MustCompile(before + function + after).FindString(text)
		require.NotEmpty(t, found, function)
		got += found
	}
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "%s differs: if that is intended, go test ./gen/front -update", path)
}

// Large counts over libraries that lack them.
func TestGoldenNarrow(t *testing.T) {
	text := generate(t)["mpich/narrow.c"]
	golden(t, "mpich_narrow.c", text, goldenNarrow, `(?ms)^int via_int_`, `\(.*?^}\n`)
	assert.NotContains(t, text, "via_int_MPI_Register_datarep_c", "its callbacks get counts")
}

// A 0 ends the table of another family's handles, so no entry may be 0.
func TestForeignHandles(t *testing.T) {
	in := gentest.Input(t)
	handles := in.Family("mpich").Handles
	before := handles["MPI_INT"]
	t.Cleanup(func() { handles["MPI_INT"] = before })
	handles["MPI_INT"] = abi.Handle{Kind: before.Kind, Value: new(int64), Hex: "0x0"}
	_, err := Files(in, model.NewSlots(in, in.Family("mpiabi")))
	assert.ErrorContains(t, err, "abi/mpich.json: MPI_INT is 0")
}

// goldenEmulated are persistent collectives that are emulated by nonblocking ones.
var goldenEmulated = strings.Fields("MPI_Allreduce_init MPI_Alltoallw_init MPI_Neighbor_allgatherv_init MPI_Scatterv_init")

func TestGoldenEmulated(t *testing.T) {
	text := generate(t)["mpich/emulation.c"]
	golden(t, "mpich_emulation.c", text, goldenEmulated, `(?ms)^struct args_`, ` {.*?^int E_.*?^}\n`)
}

// goldenChecked are functions that together have every kind of check.
var goldenChecked = strings.Fields("MPI_Alltoallw_init MPI_Comm_idup_with_info MPI_Isendrecv MPI_Request_get_status_all MPI_Scatterv_init")

func TestGoldenChecked(t *testing.T) {
	text := generate(t)["mpich/emulation.c"]
	golden(t, "mpich_checks.c", text, goldenChecked, `(?ms)^int checked_`, `\(.*?^}\n`)
}
