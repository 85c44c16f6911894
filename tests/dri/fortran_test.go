package dri

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// constant matches the name and the value of a constant in the module.
var constant = regexp.MustCompile(`\b(DRI_[A-Z_]+) = (\d+)`)

// The module declares each function of dri.h, with the same number of arguments except for lengths of texts, and each
// constant with its value.
func TestModule(t *testing.T) {
	header, err := os.ReadFile("../../dri/dri.h")
	require.NoError(t, err)
	module, err := os.ReadFile("../../dri/dri_f08.f90")
	require.NoError(t, err)
	text := regexp.MustCompile(`&\n *`).ReplaceAllString(string(module), "")
	procedures := map[string]int{}
	for _, m := range regexp.MustCompile(`(?:function|subroutine) (DRI_\w+)\((.*?)\)`).FindAllStringSubmatch(text, -1) {
		procedures[m[1]] = len(strings.FieldsFunc(m[2], func(r rune) bool { return r == ',' }))
	}
	code := regexp.MustCompile(`(?s)/\*.*?\*/`).ReplaceAllString(string(header), "")
	code = strings.ReplaceAll(code, "int (*keep)(int index, int proc, void *state)", "int *keep")
	differ := map[string]int{"DRI_init": -2, "DRI_error_string": 2, "DRI_xfer_query": 1} // argc and argv; a variable and its length
	functions := regexp.MustCompile(`(?m)^(?:int|const char \*) ?(DRI_\w+)\(([^;]*)\);`).FindAllStringSubmatch(code, -1)
	for _, f := range functions {
		arguments := strings.Count(f[2], ",") + 1
		if f[2] == "void" {
			arguments = 0
		}
		got, declared := procedures[f[1]]
		assert.True(t, declared, "the module lacks %s", f[1])
		assert.Equal(t, arguments+differ[f[1]], got, "arguments of %s", f[1])
		delete(procedures, f[1])
	}
	assert.Greater(t, len(functions), 45)
	assert.Empty(t, procedures, "functions that dri.h lacks")

	values := map[string]string{}
	for _, c := range constant.FindAllStringSubmatch(text, -1) {
		values[c[1]] = c[2]
	}
	source := filepath.Join(t.TempDir(), "constants.c")
	var lines strings.Builder
	lines.WriteString("#include <dri.h>\n")
	for name, value := range values {
		fmt.Fprintf(&lines, "_Static_assert(%s == %s, %q);\n", name, value, name)
	}
	require.NoError(t, os.WriteFile(source, []byte(lines.String()), 0o644))
	compile(t, source, "-c")
	for _, c := range regexp.MustCompile(`\b(DRI_(?:ERR|EDGE|SOURCE|DESTINATION|WHOLE|BLOCK|CYCLIC|SUCCESS|MAX)\w*)\b`).FindAllString(code, -1) {
		assert.Contains(t, values, c)
	}
}

// turnInC runs the corner turn in C on each number of ranks, and returns the columns of each rank.
func turnInC(t *testing.T, ranks []int) (columns map[int][]string) {
	t.Helper()
	program, columns := compile(t, "turn.c"), map[int][]string{}
	for _, n := range ranks {
		prefix := filepath.Join(t.TempDir(), "c")
		assert.Equal(t, "turn: right\n", run(t, harness.Embedded, nil, n, program, prefix))
		columns[n] = written(t, prefix, n)
	}
	return columns
}

// written returns the files that the ranks of a corner turn have written.
func written(t *testing.T, prefix string, n int) (columns []string) {
	t.Helper()
	for rank := range n {
		text, err := os.ReadFile(fmt.Sprint(prefix, rank))
		require.NoError(t, err)
		require.NotEmpty(t, text)
		columns = append(columns, string(text))
	}
	return columns
}

// compileFortran compiles a source with mpifort and one compiler, as README describes, and returns the program's path.
func compileFortran(t *testing.T, compiler, source string) string {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, strings.TrimSuffix(filepath.Base(source), ".f90"))
	source, err := filepath.Abs(source)
	require.NoError(t, err)
	args := []string{"-O1", "-o", program, source, "-ldri"}
	if strings.HasPrefix(filepath.Base(compiler), "flang") {
		libraries, err := harness.FlangLibraries(compiler)
		require.NoError(t, err)
		args = append(args, "-L"+libraries, "-module-dir", dir)
	} else {
		args = append(args, "-J", dir, "-Wall", "-Werror")
	}
	must(t, []string{"WI4GO_FC=" + compiler, "XDG_CACHE_HOME=" + dir}, filepath.Join(prefix(t), "bin", "mpifort"), args...)
	return program
}

// gfortran returns the name of gfortran, or skips the test.
func gfortran(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("gfortran"); err != nil {
		harness.Missing(t, fmt.Errorf("gfortran: %w; install it", harness.ErrMissing))
	}
	return "gfortran"
}

// A program in Fortran uses each function of the module, on every library. Its corner turn has the same bits as C's.
func TestFortran(t *testing.T) {
	program, ranks := compileFortran(t, gfortran(t), "programs/f08.f90"), []int{1, 3}
	want := turnInC(t, ranks)
	onEach(t, func(t *testing.T, library string) {
		for _, n := range ranks {
			prefix := filepath.Join(t.TempDir(), "f")
			assert.Equal(t, "f08: right\n", run(t, library, nil, n, program, prefix))
			assert.Equal(t, want[n], written(t, prefix, n), "%d ranks: the columns differ from C's", n)
		}
	})
}

// The module and the program compile with the other installed compilers, too. LLVM 16's flang does not compile mpi_f08.
func TestFortranCompilers(t *testing.T) {
	compilers, err := harness.FortranCompilers()
	require.NoError(t, err)
	want, flangs := turnInC(t, []int{2}), 0
	for _, compiler := range compilers {
		name := filepath.Base(compiler)
		if strings.HasSuffix(name, "-16") && strings.HasPrefix(name, "flang") {
			continue
		}
		if strings.HasPrefix(name, "flang") {
			flangs++
		}
		t.Run(name, func(t *testing.T) {
			prefix := filepath.Join(t.TempDir(), "f")
			assert.Equal(t, "f08: right\n", run(t, harness.Embedded, nil, 2, compileFortran(t, compiler, "programs/f08.f90"), prefix))
			assert.Equal(t, want[2], written(t, prefix, 2), "the columns differ from C's")
		})
	}
	if flangs == 0 {
		t.Run("flang", func(t *testing.T) {
			t.Skip("no flang is installed that compiles mpi_f08: install flang-19, for example")
		})
	}
}
