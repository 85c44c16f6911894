package embedded

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/abi"
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

// titles are the rows of the table in docs/embedded.md, by chapter.
var titles = map[string]string{"rma": "windows", "io": "files", "dynamic-processes": "spawned and connected processes", "tool": "`MPI_T`"}

// docs/embedded.md gives the number of functions that the embedded MPI lacks, in a row for each chapter that has some.
func TestCountsInTheDocuments(t *testing.T) {
	in := load(t)
	text, err := os.ReadFile("../../docs/embedded.md")
	require.NoError(t, err)
	lacking := map[string]int{}
	for _, name := range Lacking(in) {
		chapter := in.Function(name).Chapter
		if strings.HasPrefix(name, "MPI_Win_") { // in the chapters of error handlers, attributes and names, too
			chapter = "rma"
		}
		require.Contains(t, titles, chapter, name)
		lacking[chapter]++
	}
	for chapter, title := range titles {
		row := "\n| " + title + " | "
		if n := lacking[chapter]; n > 0 {
			assert.True(t, strings.Contains(string(text), fmt.Sprintf("%s%d |", row, n)), "the row of %s has to give %d functions", title, n)
		} else {
			assert.False(t, strings.Contains(string(text), row), "the row of %s has to be removed", title)
		}
	}
}

// Every function that the embedded MPI lacks has an entry point, which refuses the call.
func TestLacking(t *testing.T) {
	in := load(t)
	names := Lacking(in)
	// A message that lists a few names begins with the functions that make an object.
	assert.Less(t, slices.Index(names, "MPI_Win_allocate"), slices.Index(names, "MPI_Accumulate"))
	for _, name := range names {
		assert.True(t, exported(in, in.Family(abi.Standard()), in.Function(name)), name)
	}
	for _, want := range []string{"MPI_Win_create", "MPI_File_open", "MPI_Comm_spawn", "MPI_T_init_thread", "MPI_Put_c"} {
		assert.Contains(t, names, want)
	}
	for _, other := range []string{"MPI_Send", "MPI_Comm_get_parent", "MPI_Comm_disconnect", "MPI_Win_c2f", "MPI_Session_init"} {
		assert.NotContains(t, names, other)
	}
}
