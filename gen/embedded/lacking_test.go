package embedded

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/gen/model"
)

// load reads the tables of the repository.
func load(t *testing.T) *model.Input {
	t.Helper()
	functions, err := os.ReadFile("../../funcs.json")
	require.NoError(t, err)
	mappers, err := os.ReadFile("../../mappers.json")
	require.NoError(t, err)
	in, err := model.Load(functions, mappers)
	require.NoError(t, err)
	return in
}

// docs/embedded.md gives the number of functions that the embedded MPI has, and of those that it lacks by chapter.
func TestCountsInTheDocuments(t *testing.T) {
	in := load(t)
	page, err := os.ReadFile("../../docs/embedded.md")
	require.NoError(t, err)
	p := &printer{in: in, family: in.Family("mpiabi")}
	exported := 0
	for i := range in.Functions {
		if p.exported(&in.Functions[i]) {
			exported++
		}
	}
	assert.Contains(t, string(page), fmt.Sprintf("%d functions", exported-len(Missing(in))))
	lacking := map[string]int{}
	for _, name := range Lacking(in) {
		chapter := in.Function(name).Chapter
		if slices.Contains(ofWindows, name) {
			chapter = "rma"
		}
		lacking[chapter]++
	}
	assert.Len(t, lacking, 5, "the table has a row for each")
	for chapter, title := range map[string]string{"rma": "windows", "io": "files", "dynamic-processes": "spawned and connected processes", "tool": "`MPI_T`", "removed": "functions that MPI-3.0 removed"} {
		assert.Regexp(t, fmt.Sprintf(`(?m)^\| %s \| %d \|`, title, lacking[chapter]), string(page), chapter)
	}
}

// A function is in one of the lists only, and every one of them is a function of the tables.
func TestLacking(t *testing.T) {
	in := load(t)
	names := Lacking(in)
	assert.Equal(t, len(names), len(slices.Compact(slices.Sorted(slices.Values(names)))))
	for _, want := range []string{"MPI_Win_create", "MPI_File_open", "MPI_Comm_spawn", "MPI_T_init_thread", "MPI_Address", "MPI_Put_c"} {
		assert.Contains(t, names, want)
	}
	for _, other := range []string{"MPI_Send", "MPI_Comm_get_parent", "MPI_Comm_disconnect", "MPI_Win_c2f", "MPI_Session_init"} {
		assert.NotContains(t, names, other)
	}
}
