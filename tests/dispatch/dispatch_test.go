// Package dispatch tests the tables by which a call of the program finds its function: the layers over a slot, their
// order, and the calls that a layer on top of a slot receives.
package dispatch

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/gen/model"
	"wi4go/tests/harness"
)

const root = "../.."

func TestMain(m *testing.M) { harness.Main(m) }

// must runs a command in the repository and returns its output.
func must(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "MAKEFLAGS=", "MAKELEVEL=")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %s\n%s", name, strings.Join(args, " "), out)
	return string(out)
}

// frontWith links the front of a family with a C file of testdata, which exports further functions, and returns its
// path. The core is next to it, as for any front.
func frontWith(t *testing.T, prefix, family, soname, source string, functions ...string) string {
	t.Helper()
	here, err := filepath.Abs("testdata")
	require.NoError(t, err)
	lib := filepath.Join(t.TempDir(), "lib", "wi4go")
	require.NoError(t, os.MkdirAll(filepath.Join(lib, family), 0o777))
	for _, beside := range []string{"libwi4go.so", family + "/own.so"} {
		require.NoError(t, os.Symlink(filepath.Join(prefix, "lib", "wi4go", beside), filepath.Join(lib, beside)))
	}
	objects := strings.Fields(must(t, "make", "-s", "-f", filepath.Join(here, "objects.mk"), "objects", "FAMILY="+family, "B="+prefix))
	require.Greater(t, len(objects), 20)
	list, err := os.ReadFile(filepath.Join(prefix, "gen", family, "exports.map"))
	require.NoError(t, err)
	script := filepath.Join(lib, "exports.map")
	text := strings.Replace(string(list), "global:", "global: "+strings.Join(functions, "; ")+";", 1)
	require.NoError(t, os.WriteFile(script, []byte(text), 0o666))
	front := filepath.Join(lib, family, soname)
	must(t, "gcc", slices.Concat([]string{"-O2", "-fPIC", "-shared", "-Ishim/front", "-Ishim/emulate", "-Ic/asmchooser", "-Imappers", "-I" + filepath.Join(prefix, "gen", family),
		"-o", front, filepath.Join(here, source), "-Wl,-z,now,-z,relro,-z,defs,-z,noexecstack,-soname," + soname + ",--version-script," + script,
	}, objects, []string{"-lm", "-ldl", "-lpthread"})...)
	return front
}

// A layer on top of all slots counts exactly the calls of the program. It does not count the calls that emulation and
// Fortran procedures make themselves, and none after it is removed.
func TestObserved(t *testing.T) {
	if testing.Short() {
		t.Skip("starts MPI programs")
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("the layer of this test is in assembly for x86-64")
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	tools := found(t, prefix, harness.Interface)
	front := frontWith(t, prefix, "mpiabi", "libmpi_abi.so.1", "layer.c",
		"observe", "observe_no_more", "watch_inner", "calls_observed", "calls_served", "slot_name", "is_missing")
	program := filepath.Join(t.TempDir(), "observed")
	fortran := filepath.Join(prefix, "lib", "wi4go", "mpi", "lib", "libwi4go_fortran.so.1")
	require.NoError(t, tools.Compile(filepath.Join("testdata", "observed.c"), program, front, fortran, "-Wl,-rpath,"+filepath.Dir(fortran)))
	out, errors := run(t, found(t, prefix, "openmpi"), front, program)
	assert.Equal(t, "observed ok\n", out, errors)
	assert.Contains(t, errors, "MPIX_Grequest_start: not in the MPI library")
}

// inspected returns the layers over a function of programs of the standard ABI, from the top,
// as `wi4go inspect --call` prints them.
func inspected(t *testing.T, prefix, function, runtime string) (layers []string) {
	t.Helper()
	text := must(t, filepath.Join(prefix, "bin", "wi4go"), "inspect", "--call", function, "--from", "mpiabi", "--to", runtime)
	for _, m := range regexp.MustCompile(`(?m)^  layer +(\w+): `).FindAllStringSubmatch(text, -1) {
		layers = append(layers, m[1])
	}
	return layers
}

// inspect prints the layers in the order in which they are installed, on a library that lacks all of MPI-4 and on
// another that refuses calls that MPI-4.1 allows.
func TestChain(t *testing.T) {
	if testing.Short() {
		t.Skip("starts MPI programs")
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	front := frontWith(t, prefix, "mpiabi", "libmpi_abi.so.1", "chain.c", "print_chains")
	program := filepath.Join(t.TempDir(), "chains")
	require.NoError(t, found(t, prefix, harness.Interface).Compile(filepath.Join("testdata", "chains.c"), program, front))
	t.Setenv("WI4GO_HANDLES", "report")
	seen := map[string]bool{}
	for runtime, finalize := range map[string][]string{"openmpi": {"handle_report", "end", "span"}, "mpich": {"handle_report", "end", "span"}} {
		out, errors := run(t, found(t, prefix, runtime), front, program)
		require.NotEmpty(t, out, errors)
		for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
			function, chain, _ := strings.Cut(line, ": ")
			actual := strings.Fields(chain)
			expected := inspected(t, prefix, function, runtime)
			for _, layer := range actual {
				seen[layer] = true
			}
			if function == "MPI_Finalize" {
				assert.Equal(t, finalize, actual, runtime)
				assert.Equal(t, finalize, expected, runtime)
			}
			expected = slices.DeleteFunc(expected, func(layer string) bool { return !slices.Contains(actual, layer) })
			assert.Equal(t, expected, actual, "%s on %s", function, runtime)
		}
	}
	for _, layer := range model.Layers {
		assert.True(t, seen[layer.Name], "no run has the layer %s", layer.Name)
	}
}

// found returns a library of this machine, or the installation's own mpicc.
func found(t *testing.T, prefix, name string) harness.Toolchain {
	t.Helper()
	m, err := harness.FindIn(prefix, name)
	if err != nil {
		harness.Missing(t, err)
	}
	return m
}

// run runs a program on one rank of a library through the front, and returns its output and
// its messages.
func run(t *testing.T, m harness.Toolchain, front, program string) (output, errors string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := m.Launch(ctx, 1, "env", "LD_PRELOAD="+front, "WI4GO_TO="+library(t, m), program)
	var messages strings.Builder
	cmd.Stderr = &messages
	out, err := cmd.Output()
	assert.NoError(t, err, "%s%s", out, messages.String())
	return string(out), messages.String()
}

// library returns the path of a runtime's library.
func library(t *testing.T, m harness.Toolchain) string {
	t.Helper()
	source, program := filepath.Join(t.TempDir(), "empty.c"), filepath.Join(t.TempDir(), "empty")
	require.NoError(t, os.WriteFile(source, []byte("#include <mpi.h>\nint main(void) { return MPI_Init(0, 0); }\n"), 0o666))
	require.NoError(t, m.Compile(source, program))
	file, err := harness.Library(program)
	require.NoError(t, err)
	return file
}
