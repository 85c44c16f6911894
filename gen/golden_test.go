package gen

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
	"wi4go/gen/model"
)

var update = flag.Bool("update", false, "rewrite testdata from what the generator writes")

// golden are functions that between them show every kind of conversion.
var golden = strings.Fields(`MPI_Alltoallw MPI_Cart_shift MPI_Comm_dup MPI_Comm_free MPI_Error_string
	MPI_File_open MPI_Get_count MPI_Ialltoallw MPI_Improbe MPI_Isend MPI_Recv MPI_Send MPI_Test
	MPI_Type_create_darray MPI_Win_create`)

// goldenNarrow are large-count functions by way of the ones with int counts.
var goldenNarrow = strings.Fields("MPI_Allreduce_c MPI_Gather_c MPI_Gatherv_c MPI_Isend_c MPI_Type_size_c MPI_Win_create_c")

func generate(t *testing.T) map[string]string {
	t.Helper()
	files, err := Generate(gentest.Input(t))
	require.NoError(t, err)
	texts := map[string]string{}
	for _, f := range files {
		texts[f.Name] = string(f.Text)
	}
	return texts
}

// translationOf cuts one function out of a pair's C, with the comment above it.
func translationOf(text, function string) string {
	_, rest, found := strings.Cut(text, "\n\n/* "+function+": ")
	if !found {
		return ""
	}
	end := regexp.MustCompile(`(?m)^(\n/\* |static void \*const )`).FindStringIndex(rest)
	if end != nil {
		rest = rest[:end[0]]
	}
	return "/* " + function + ": " + rest
}

// goldenFast are functions whose fast paths between them show everything that
// is in one.
var goldenFast = strings.Fields(`MPI_Allreduce MPI_Comm_rank MPI_Get_count MPI_Ibarrier MPI_Iprobe MPI_Isend MPI_Recv
	MPI_Sendrecv MPI_Start MPI_Test_cancelled MPI_Testall MPI_Type_contiguous MPI_Type_free MPI_Wait MPI_Waitall MPI_Waitany MPI_Waitsome`)

// fastOf cuts one function out of a pair's fast paths; empty: it has none.
func fastOf(text, function string) string {
	begin, end := "FAST_PATH("+function+")\n", "FAST_END("+function+")\n"
	_, rest, found := strings.Cut(text, begin)
	if !found {
		return ""
	}
	body, _, _ := strings.Cut(rest, end)
	return begin + body + end
}

// A change of the generator shows in review: go test ./gen -update rewrites.
func TestGolden(t *testing.T) {
	texts := generate(t)
	for _, pair := range []string{"openmpi_mpich", "mpich_openmpi", "mpiabi_openmpi", "openmpi_mpiabi"} {
		front, _, _ := strings.Cut(pair, "_")
		directory := filepath.Join("testdata", pair)
		if *update {
			require.NoError(t, os.RemoveAll(directory))
			require.NoError(t, os.MkdirAll(directory, 0o777))
		}
		files := map[string]string{}
		for _, function := range golden {
			text := translationOf(texts[front+"/"+pair+".c"], function)
			require.NotEmpty(t, text, "%s: no translation of %s", pair, function)
			files[function+".c"] = text
		}
		for _, function := range goldenFast {
			if text := fastOf(texts[front+"/"+pair+"_fast.S"], function); text != "" {
				files[function+".S"] = text
			}
		}
		assert.Contains(t, files, "MPI_Waitall.S", pair)
		for name, got := range files {
			path := filepath.Join(directory, name)
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(got), 0o666))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, string(want), got, "%s differs: if that is meant, go test ./gen -update", path)
		}
		entries, err := os.ReadDir(directory)
		require.NoError(t, err)
		assert.Len(t, entries, len(files), "%s: a file too many", directory)
	}
}

// Large counts over libraries that have none.
func TestGoldenNarrow(t *testing.T) {
	text := generate(t)["mpich/narrow.c"]
	path := filepath.Join("testdata", "mpich_narrow.c")
	var got string
	for _, function := range goldenNarrow {
		found := regexp.MustCompile(`(?ms)^int N_` + function + `\(.*?^}\n`).FindString(text)
		require.NotEmpty(t, found, function)
		got += found
	}
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "%s differs: if that is meant, go test ./gen -update", path)
	assert.NotContains(t, text, "N_MPI_Register_datarep_c", "its callbacks are given counts")
}

// goldenEmulated are persistent collectives by way of nonblocking ones.
var goldenEmulated = strings.Fields("MPI_Allreduce_init MPI_Alltoallw_init MPI_Neighbor_allgatherv_init MPI_Scatterv_init")

func TestGoldenEmulated(t *testing.T) {
	text := generate(t)["mpich/emulation.c"]
	path := filepath.Join("testdata", "mpich_emulation.c")
	var got string
	for _, function := range goldenEmulated {
		found := regexp.MustCompile(`(?ms)^struct args_` + function + ` {.*?^int E_.*?^}\n`).FindString(text)
		require.NotEmpty(t, found, function)
		got += found
	}
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "%s differs: if that is meant, go test ./gen -update", path)
}

// The same tables give the same bytes, whatever the order of Go's maps.
func TestDeterminism(t *testing.T) {
	first := generate(t)
	for range 3 {
		again := generate(t)
		require.Len(t, again, len(first))
		for name := range first {
			require.True(t, first[name] == again[name], "%s differs between two runs", name)
		}
	}
}

// What is generated says so, and by what, in line 1.
func TestBanner(t *testing.T) {
	for name, text := range generate(t) {
		line, _, _ := strings.Cut(text, "\n")
		assert.Contains(t, line, "Generated by wi4go-gen (make generate); do not edit.", name)
		assert.NotRegexp(t, `[ \t]\n`, text, "%s: blanks at a line's end", name)
		assert.True(t, strings.HasSuffix(text, "\n"), name)
	}
}

// A function whose arguments only a person can convert is refused by name.
func TestHandWanted(t *testing.T) {
	in := gentest.Input(t)
	i := slices.IndexFunc(in.Functions, func(f model.Function) bool { return f.Name == "MPI_Waitall" })
	in.Functions[i].Hand = ""
	_, err := Generate(in)
	require.Error(t, err)
	assert.Contains(t, err.Error(), "MPI_Waitall: parameter ")
}
