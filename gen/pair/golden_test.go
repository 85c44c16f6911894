package pair

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/gen/gentest"
)

var update = flag.Bool("update", false, "rewrite testdata from what the generator writes")

// goldenPairs are the pairs of testdata, each as its front and its runtime. A change of the generator changes
// the other pairs in the same way, and tests/fake runs the functions of all pairs.
var goldenPairs = [][2]string{{"openmpi", "mpich"}, {"mpich", "openmpi"}}

// golden are functions that together have every kind of conversion.
var golden = strings.Fields(`MPI_Alltoallw MPI_Cart_shift MPI_Comm_dup MPI_Comm_free MPI_Comm_idup MPI_Error_string
	MPI_File_open MPI_Get_count MPI_Ialltoallw MPI_Improbe MPI_Isend MPI_Recv MPI_Request_get_status_all MPI_Send
	MPI_Startall MPI_Test MPI_Testall MPI_Testany MPI_Type_create_darray MPI_Waitall MPI_Waitany MPI_Waitsome MPI_Win_create`)

// translationOf returns one function of a pair's C, with its comment.
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

// goldenFast are functions whose fast paths together have everything that a fast path can have.
var goldenFast = strings.Fields(`MPI_Allreduce MPI_Comm_rank MPI_Get_count MPI_Ibarrier MPI_Iprobe MPI_Isend MPI_Recv
	MPI_Sendrecv MPI_Start MPI_Test_cancelled MPI_Testall MPI_Type_contiguous MPI_Type_free MPI_Wait MPI_Waitall MPI_Waitany MPI_Waitsome`)

// goldenDirect are Fortran procedures with a direct call that together have every kind of argument.
// goldenFortran are those whose assembly together has everything.
var (
	goldenDirect  = strings.Fields("MPI_Comm_rank MPI_Irecv MPI_Recv MPI_Waitall")
	goldenFortran = strings.Fields("MPI_Allgather MPI_Allreduce MPI_Bcast MPI_Get_count MPI_Irecv MPI_Probe MPI_Put MPI_Sendrecv MPI_Waitall")
)

// fastOf returns one function of a pair's fast paths, or "" if it has none.
func fastOf(text, function string) string {
	begin, end := "FAST_PATH("+function+")\n", "FAST_END("+function+")\n"
	_, rest, found := strings.Cut(text, begin)
	if !found {
		return ""
	}
	body, _, _ := strings.Cut(rest, end)
	return begin + body + end
}

// A change of the generator appears in review: go test ./gen/pair -update rewrites the files.
func TestGolden(t *testing.T) {
	in := gentest.Input(t)
	for _, families := range goldenPairs {
		front, runtime := families[0], families[1]
		pair := front + "_" + runtime
		printed, err := pairOf(t, in, front, runtime).Files()
		require.NoError(t, err)
		texts := map[string]string{}
		var inC string // the C of all units
		for _, f := range printed {
			texts[f.Name] = string(f.Text)
			if strings.HasSuffix(f.Name, ".c") {
				inC += string(f.Text) + "\n"
			}
		}
		directory := filepath.Join("testdata", pair)
		if *update {
			require.NoError(t, os.RemoveAll(directory))
			require.NoError(t, os.MkdirAll(directory, 0o777))
		}
		files := map[string]string{}
		for _, function := range golden {
			text := translationOf(inC, function)
			require.NotEmpty(t, text, "%s: no translation of %s", pair, function)
			files[function+".c"] = text
		}
		for _, function := range goldenFast {
			if text := fastOf(texts[front+"/"+pair+"_fast.S"], function); text != "" {
				files[function+".S"] = text
			}
		}
		for _, function := range goldenFortran {
			if text := fastOf(texts[front+"/"+pair+"_fast.S"], "fortran_"+function); text != "" {
				files[function+"_fortran.S"] = text
			}
			if text := fastOf(texts[front+"/"+pair+"_fast.S"], "described_"+function); text != "" {
				files[function+"_described.S"] = text
			}
		}
		assert.Contains(t, files, "MPI_Sendrecv_fortran.S", pair)
		for _, function := range goldenDirect {
			if front == "mpich" {
				continue // its Fortran integers are the handles of C
			}
			body := regexp.MustCompile(`(?ms)^static void \*library_` + function + `;.*?^HIDDEN void direct_` + function + `\([^;]*?\n{.*?^}\n`).FindString(inC)
			require.NotEmpty(t, body, "%s: no body of %s", pair, function)
			files[function+"_fortran.c"] = body
		}
		assert.Contains(t, files, "MPI_Waitall.S", pair)
		for name, got := range files {
			path := filepath.Join(directory, name)
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(got), 0o666))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, string(want), got, "%s differs: if that is intended, go test ./gen/pair -update", path)
		}
		entries, err := os.ReadDir(directory)
		require.NoError(t, err)
		assert.Len(t, entries, len(files), "%s: a file too many", directory)
	}
}
