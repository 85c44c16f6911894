package exports

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"wi4go/abi"
)

// The structs of mappers/mpi_types.h have the layout of each family's mpi.h (abi, measured by the probe), and so do all
// types that contain handles.
func TestStatusLayout(t *testing.T) {
	renamed := map[string]string{"_cancelled": "cancelled", "_ucount": "count", "MPI_internal": "count_lo"}
	var c strings.Builder
	c.WriteString("#include \"mpi_types.h\"\n")
	asserts := 0
	assert := func(expression string, value int) {
		asserts++
		fmt.Fprintf(&c, "_Static_assert(%s == %d, \"%s is not %d\");\n", expression, value, expression, value)
	}
	for _, name := range abi.Names() {
		family, err := abi.Load(name)
		require.NoError(t, err)
		status, f08 := family.Types["MPI_Status"], family.Types["MPI_F08_status"]
		encoding := "struct status_" + family.Traits.Status
		assert("sizeof("+encoding+")", status.Size)
		if family.Traits.Standard {
			f08 = status // it has no such type in C
		}
		assert("sizeof("+encoding+"_f08)", f08.Size)
		for field, offset := range status.Fields {
			if other, ok := renamed[field]; ok {
				field = other
			}
			assert(fmt.Sprintf("offsetof(%s, %s)", encoding, field), offset)
		}
		for _, field := range []string{"MPI_SOURCE", "MPI_TAG", "MPI_ERROR"} {
			assert(fmt.Sprintf("offsetof(%s_f08, c.%s)", encoding, field), f08.Fields[field])
		}
		for typedef, ours := range map[string]string{"MPI_Fint": "MPI_Fint", "MPI_Aint": "MPI_Aint", "MPI_Count": "MPI_Count", "MPI_Offset": "MPI_Offset"} {
			assert("sizeof("+ours+")", family.Types[typedef].Size)
		}
	}
	require.Greater(t, asserts, 20)
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "gcc"
	}
	compiler := exec.Command(cc, "-std=gnu11", "-fsyntax-only", "-Wno-unused-function", "-I../../mappers", "-x", "c", "-")
	compiler.Stdin = strings.NewReader(c.String())
	out, err := compiler.CombinedOutput()
	require.NoError(t, err, string(out))
}
