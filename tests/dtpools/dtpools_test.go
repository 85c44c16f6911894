// Package dtpools runs the datatype pools' own test on one rank, natively and on the embedded MPI: every layout of every basic type, the errors
// that a check finds, bad arguments, signatures by name, added layouts, and the environment. It also runs the examples of
// dtpools/README.md. The pools are compiled as in another project: the installed sources and header, with each family's mpicc.
package dtpools

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

func TestPools(t *testing.T) {
	for _, library := range harness.Names {
		t.Run(library, func(t *testing.T) {
			t.Parallel()
			assertPrints(t, "PASS dtpools\n", compile(t, library, "programs/pools.c"))
		})
	}
}

// The same through each front on the embedded MPI.
func TestEmbedded(t *testing.T) {
	for _, from := range append(slices.Clone(harness.Names), harness.Interface) {
		t.Run(from, func(t *testing.T) {
			t.Parallel()
			program := compile(t, from, "programs/pools.c")
			assertPrints(t, "PASS dtpools\n", filepath.Join(prefix(t), "bin/wi4go"), "run", "--to", "embedded", "-n", "1", program)
		})
	}
}

// example returns the n-th block in C of dtpools/README.md, as a file.
func example(t *testing.T, n int, name string) string {
	t.Helper()
	page, err := os.ReadFile("../../dtpools/README.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)\n```c\n(.*?)\n```\n").FindAllStringSubmatch(string(page), -1)
	require.Len(t, blocks, 2)
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, []byte(blocks[n][1]+"\n"), 0o644))
	return file
}

// The first example is the use case of the pools: 1,024 elements sent into 2,048, for each pair of layouts.
func TestUseCase(t *testing.T) {
	for _, library := range harness.Names {
		t.Run(library, func(t *testing.T) {
			t.Parallel()
			assertPrints(t, "1600 pairs\n", compile(t, library, example(t, 0, "usecase.c")))
		})
	}
}

// The second example is a layout in a separate file, which any program adds.
func TestAddedLayout(t *testing.T) {
	nested := example(t, 1, "nested.c")
	for _, library := range harness.Names {
		t.Run(library, func(t *testing.T) {
			t.Parallel()
			assertPrints(t, "PASS added\n", compile(t, library, "programs/added.c", nested))
		})
	}
}

// configured runs configure with a list, and returns the file that it makes, or its error output.
func configured(t *testing.T, list string) (header, errs string) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "my.txt"), []byte(list), 0o644))
	c := exec.CommandContext(t.Context(), filepath.Join(prefix(t), "share/wi4go/dtpools/configure"), filepath.Join(dir, "basic_types.h"))
	c.Env = append(os.Environ(), "DTP_DATATYPE_FILE="+filepath.Join(dir, "my.txt"))
	text, err := c.CombinedOutput()
	if err != nil {
		require.NoFileExists(t, filepath.Join(dir, "basic_types.h"))
		return "", string(text)
	}
	return filepath.Join(dir, "basic_types.h"), ""
}

// A list of types fills DTP_basic_types when the sources are configured; its mistakes are reported with their lines.
func TestConfigure(t *testing.T) {
	header, errs := configured(t, "# my types\nMPI_FLOAT, MPI_2INT\nMPI_INT*3+MPI_DOUBLE\nMPI_FLOAT\n")
	require.Empty(t, errs)
	library := harness.Names[0]
	pools := t.TempDir() // a copy of the sources, with the list
	require.NoError(t, os.CopyFS(pools, os.DirFS(filepath.Join(prefix(t), "share/wi4go/dtpools"))))
	text, err := os.ReadFile(header)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(pools, "basic_types.h"), text, 0o644))
	program := compileWith(t, pools, library, "programs/configured.c")
	assertPrints(t, "MPI_FLOAT MPI_2INT: MPI_FLOAT MPI_2INT MPI_INT*3+MPI_DOUBLE\n", program)
	for list, says := range map[string]string{
		"MPI_INT\nMPI_FOO\n":   "my.txt:2: MPI_FOO is not a basic type of the pools: use MPI_CHAR, ",
		"MPI_INT*0":            "my.txt:1: MPI_INT*0: member 1, MPI_INT*0, has no valid count: write a number from 1 to ",
		"MPI_INT+":             "my.txt:1: MPI_INT+: member 2 has no name: write a struct as MPI_INT*3+MPI_DOUBLE",
		"MPI_INT*99999999999":  "my.txt:1: MPI_INT*99999999999: member 1, ",
		"# nothing\n":          "my.txt: the file has no types: write one in each line",
		"MPI_CHAR*2*2+MPI_INT": "has no valid count",
	} {
		_, errs := configured(t, list)
		assert.Contains(t, errs, says, list)
		assert.Equal(t, 1, strings.Count(errs, "\n"), "one line: %s", errs)
	}
	c := exec.CommandContext(t.Context(), filepath.Join(prefix(t), "share/wi4go/dtpools/configure"), filepath.Join(t.TempDir(), "out"))
	c.Env = append(os.Environ(), "DTP_DATATYPE_FILE=/nowhere/list")
	text, err = c.CombinedOutput()
	assert.Error(t, err)
	assert.Contains(t, string(text), "cannot read the list of types /nowhere/list: set DTP_DATATYPE_FILE to a readable file")
}

// `make dtpools DTP_DATATYPE_FILE=FILE` configures the sources with a list, and a later make without it with the default.
func TestMake(t *testing.T) {
	build, list := t.TempDir(), filepath.Join(t.TempDir(), "my.txt")
	require.NoError(t, os.WriteFile(list, []byte("MPI_SHORT\n"), 0o644))
	run := func(variable string) (string, error) {
		c := exec.CommandContext(t.Context(), "make", "-s", "dtpools", "B="+build, variable)
		c.Dir = "../.."
		c.Env = append(os.Environ(), "MAKEFLAGS=", "MAKELEVEL=")
		text, err := c.CombinedOutput()
		return string(text), err
	}
	for _, one := range []struct{ variable, has string }{{"DTP_DATATYPE_FILE=" + list, "#define DTP_BASIC_TYPE_LIST MPI_SHORT,\n"}, {"V=", " MPI_CHAR, MPI_BYTE, "}} {
		text, err := run(one.variable)
		require.NoError(t, err, "%s", text)
		header, err := os.ReadFile(filepath.Join(build, "share/wi4go/dtpools/basic_types.h"))
		require.NoError(t, err)
		assert.Contains(t, string(header), one.has)
		assert.FileExists(t, filepath.Join(build, "share/wi4go/dtpools/basictypelist.txt"))
	}
	text, err := run("DTP_DATATYPE_FILE=/nowhere/list")
	assert.Error(t, err)
	assert.Contains(t, text, "configure: cannot read the list of types /nowhere/list: set DTP_DATATYPE_FILE to a readable file, or unset it")
}

func prefix(t *testing.T) string {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	return prefix
}

// compile compiles a program for a family, with the installed sources of the pools. more has further sources and options.
func compile(t *testing.T, family, source string, more ...string) string {
	return compileWith(t, filepath.Join(prefix(t), "share/wi4go/dtpools"), family, source, more...)
}

// compileWith compiles a program with the sources of the pools in a directory.
func compileWith(t *testing.T, pools, family, source string, more ...string) string {
	sources, err := filepath.Glob(filepath.Join(pools, "*.c"))
	require.NoError(t, err)
	require.Len(t, sources, 4, "run make first")
	tools, err := harness.FindIn(prefix(t), family)
	if err != nil {
		harness.Missing(t, err)
	}
	program := filepath.Join(t.TempDir(), "program")
	options := append([]string{"-Wno-unused-parameter", "-I", pools}, more...)
	require.NoError(t, tools.Compile(source, program, append(options, sources...)...))
	return program
}

func assertPrints(t *testing.T, expected string, command ...string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), command[0], command[1:]...)
	c.Dir = t.TempDir()
	c.Env = append(harness.Environ(), "TMPDIR="+c.Dir)
	out, err := c.CombinedOutput()
	assert.NoError(t, err)
	assert.Equal(t, expected, string(out))
}
