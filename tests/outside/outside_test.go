// Package outside calls the functions that a program may call before MPI_Init and after MPI_Finalize, before, between and
// after, in programs of every family on every library, if MPI-5.0 allows them there (11.4.1) or a library accepts them there
// natively.
package outside

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

// programs are the compilers of the programs, one for each family. Those that have the functions of the newest mpi.h.
func programs() []string {
	if harness.All.Runs() {
		return []string{"openmpi-5.0", "mpich-5.0", harness.Interface}
	}
	return []string{"openmpi-5.0", harness.Interface}
}

// libraries are the runtimes: two of the same family differ in the functions that they accept.
func libraries() []string {
	if harness.All.Runs() {
		return []string{"openmpi", "openmpi-5.0", "mpich-3.4", "mpich", "mpich-5.0", "intelmpi-2021.18", "mpich-5.0-abi", harness.Embedded}
	}
	return []string{"openmpi", "mpich", harness.Embedded}
}

// cases are the names of the cases of programs/outside.c.
var cases = []string{"clock", "version", "abi", "error_texts", "added_errors", "info", "info_env", "resources", "errhandlers", "sessions", "handles", "numbers", "status", "addresses", "tool", "memory", "sizes"}

// windows is another case.
const windows = "win_errhandlers"

// left are the cases that a library does not pass natively either, by library.
var left = map[string][]string{
	"openmpi-5.0":      {"sessions"},      // ends the process in MPI_Session_init
	"openmpi":          {"tool"},          // ends the process in MPI_T_finalize
	"mpich":            {"sessions"},      // ends the process in MPI_Init after a session
	"intelmpi-2021.18": {"sessions"},      // ends the process in MPI_Init after a session
	harness.Embedded:   {windows, "tool"}, // has no windows and no MPI_T
}

// own are the cases that programs of a family on a library of the family do not pass, by family: Open MPI converts no handles to Fortran's then.
var own = map[string][]string{"openmpi": {"handles", "numbers"}}

// A programs's calls have the same results before MPI_Init, between and after MPI_Finalize.
func TestOutside(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	for _, from := range programs() {
		tools := found(t, prefix, from)
		header, err := filepath.Abs(filepath.Join(prefix, "gen", tools.Family(), "mpi.h"))
		require.NoError(t, err)
		program := filepath.Join(t.TempDir(), "outside")
		require.NoError(t, tools.Compile(filepath.Join("programs", "outside.c"), program, "-I"+filepath.Dir(header), fmt.Sprintf("-DMPI_H=%q", header), "-ldl"))
		for _, to := range libraries() {
			t.Run(from+"_on_"+to, func(t *testing.T) {
				t.Parallel()
				wanted := slices.DeleteFunc(slices.Clone(cases), func(name string) bool {
					return slices.Contains(left[to], name) || strings.HasPrefix(to, tools.Family()) && slices.Contains(own[tools.Family()], name)
				})
				assert.Equal(t, "ok\n", through(t, prefix, tools, program, to, wanted...))
				if !slices.Contains(left[to], windows) { // alone, because Open MPI 4.1 has no windows if threads are used
					assert.Equal(t, "ok\n", through(t, prefix, tools, program, to, windows))
				}
			})
		}
	}
}

// lackAbort are the libraries of MPICH's family that fail when MPI_ERRORS_ABORT is set, in programs of the family natively.
var lackAbort = []string{"mpich-3.4", "mpich"}

// MPI_ERRORS_ABORT ends the ranks on every library, also on those that lack it.
func TestErrorsAbort(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	for _, from := range programs() {
		tools := found(t, prefix, from)
		header, err := filepath.Abs(filepath.Join(prefix, "gen", tools.Family(), "mpi.h"))
		require.NoError(t, err)
		program := filepath.Join(t.TempDir(), "abort")
		require.NoError(t, tools.Compile(filepath.Join("programs", "abort.c"), program, "-I"+filepath.Dir(header), fmt.Sprintf("-DMPI_H=%q", header)))
		front, err := harness.Front(prefix, program, tools.Family())
		require.NoError(t, err)
		for _, to := range libraries() {
			if tools.Family() == "mpich" && slices.Contains(lackAbort, to) {
				continue
			}
			for _, argument := range []string{"", "self"} {
				t.Run(from+"_on_"+to+" "+argument, func(t *testing.T) {
					t.Parallel()
					by := harness.Through{Front: front, Library: library(t, prefix, to)}
					dir := t.TempDir()
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					defer cancel()
					text, err := found(t, prefix, to).Launch(ctx, 2, append(by.Env(), program, dir, argument)...).CombinedOutput()
					assert.ErrorAs(t, err, new(*exec.ExitError), "%s", text)
					require.NoError(t, ctx.Err(), "%s", text)
					made, err := filepath.Glob(filepath.Join(dir, "*"))
					require.NoError(t, err)
					assert.Equal(t, []string{filepath.Join(dir, "set.0"), filepath.Join(dir, "set.1")}, made, "%s", text)
					assert.NotContains(t, string(text), "Assertion")
				})
			}
		}
	}
}

// The same in Fortran, with the procedures that such programs call most.
func TestFortran(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	for _, from := range []string{"openmpi", "mpich", harness.Interface} {
		tools := found(t, prefix, from)
		program := filepath.Join(t.TempDir(), "outside")
		if err := tools.CompileFortran(filepath.Join("programs", "outside.F90"), program); err != nil {
			harness.Missing(t, err)
		}
		for _, to := range libraries() {
			if found(t, prefix, to).Family() == tools.Family() && to != harness.Embedded {
				continue // wi4go starts the program on the library itself
			}
			t.Run(from+"_on_"+to, func(t *testing.T) {
				t.Parallel()
				assert.Equal(t, "ok\n", run(t, prefix, program, to))
			})
		}
	}
}

// A program with everything that it needs.
func TestStatic(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	tools := found(t, prefix, harness.Interface)
	program := filepath.Join(t.TempDir(), "outside")
	require.NoError(t, tools.Compile(filepath.Join("programs", "clock.c"), program, "-static-mpi"))
	for _, to := range libraries() {
		t.Run(to, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, "ok\n", run(t, prefix, program, to))
		})
	}
}

// run runs a program on one rank of a library by the command wi4go, and returns its output.
func run(t *testing.T, prefix, program, to string, arguments ...string) string {
	t.Helper()
	return output(t, found(t, prefix, to), append([]string{filepath.Join(prefix, "bin", "wi4go"), "exec", "--to", library(t, prefix, to), program}, arguments...))
}

// through runs a program on one rank of a library with the front of its family preloaded, and returns its output.
func through(t *testing.T, prefix string, tools harness.Toolchain, program, to string, arguments ...string) string {
	t.Helper()
	front, err := harness.Front(prefix, program, tools.Family())
	require.NoError(t, err)
	by := harness.Through{Front: front, Library: library(t, prefix, to)}
	return output(t, found(t, prefix, to), append(append(by.Env(), program), arguments...))
}

// library returns the file of a library.
func library(t *testing.T, prefix, name string) string {
	t.Helper()
	empty := filepath.Join(t.TempDir(), "empty")
	require.NoError(t, found(t, prefix, name).Compile(filepath.Join("programs", "empty.c"), empty))
	file, err := harness.Library(empty)
	require.NoError(t, err)
	return file
}

// output returns the output of a command on one rank of a library.
func output(t *testing.T, m harness.Toolchain, command []string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	text, err := m.Launch(ctx, 1, command...).Output()
	assert.NoError(t, err, "%s", text)
	return string(text)
}

// found returns a library of this machine, or one of the installation.
func found(t *testing.T, prefix, name string) harness.Toolchain {
	t.Helper()
	m, err := harness.FindIn(prefix, name)
	if err != nil {
		harness.Missing(t, err)
	}
	return m
}
