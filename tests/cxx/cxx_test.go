// Package cxx runs programs with the C++ bindings of MPI-2.2, which a family's mpicxx links to every program: natively,
// on the other family's library, and through the front on their own library. The bindings are a library of the family
// that calls internals of its C library.
package cxx

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// runTimeout ends a run that hangs. The longest run takes seconds.
const runTimeout = 3 * time.Minute

func TestMain(m *testing.M) { harness.Main(m) }

// bindings matches the families' C++ libraries in the options of a compiler wrapper.
var bindings = regexp.MustCompile(`-l(mpi_cxx|mpichcxx|mpicxx)\b`)

// passed matches the last line of a program.
var passed = regexp.MustCompile(`(?m)^\d+ checks passed$`)

func TestPrograms(t *testing.T) {
	sources, err := filepath.Glob(filepath.Join("programs", "*.cc"))
	require.NoError(t, err)
	require.NotEmpty(t, sources)
	for _, library := range append(harness.Names, "intelmpi-2021.18") {
		t.Run(library, func(t *testing.T) {
			t.Parallel()
			tools, err := harness.Find(library)
			if err != nil {
				harness.Missing(t, err)
			}
			other := harness.Other(tools.Family())
			for _, source := range sources {
				t.Run(strings.TrimSuffix(filepath.Base(source), ".cc"), func(t *testing.T) {
					t.Parallel()
					program := compile(t, tools, source, "-fPIE", "-pie")
					for _, ranks := range []int{1, 2} {
						t.Run(fmt.Sprintf("native/%d", ranks), func(t *testing.T) { run(t, tools, ranks, nil, program) })
						t.Run(fmt.Sprintf("through/%d", ranks), func(t *testing.T) { through(t, other, ranks, program) })
					}
					if library != tools.Family() {
						return // it has the family's own bindings
					}
					t.Run("identity/2", func(t *testing.T) { through(t, tools.Name, 2, program, "--identity") })
					// Data by copy relocations, and function addresses in the program's PLT.
					fixed := compile(t, tools, source, "-fno-pie", "-no-pie")
					t.Run("fixed/2", func(t *testing.T) { through(t, other, 2, fixed) })
					t.Run("fixed identity/2", func(t *testing.T) { through(t, tools.Name, 2, fixed, "--identity") })
				})
			}
		})
	}
}

// compile compiles the program with the mpicxx next to the library's mpicc, and returns its path.
func compile(t *testing.T, tools harness.Toolchain, source string, flags ...string) string {
	t.Helper()
	mpicxx, err := exec.LookPath(filepath.Join(filepath.Dir(tools.MPICC), strings.Replace(filepath.Base(tools.MPICC), "mpicc", "mpicxx", 1)))
	if err != nil {
		harness.Missing(t, fmt.Errorf("%s: the compiler wrapper for C++ next to mpicc: %w (%v)", tools.Name, harness.ErrMissing, err))
	}
	if !linksBindings(mpicxx) {
		harness.Missing(t, fmt.Errorf("%s: C++ bindings with %s: %w", tools.Name, mpicxx, harness.ErrMissing))
	}
	out := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(source), ".cc"))
	// The headers of the bindings are old, so warnings from them do not count.
	require.NoError(t, tools.Compile(source, out, append(flags, "-Wno-cast-function-type")...))
	return out
}

// linksBindings reports whether the wrapper links a library of C++ bindings.
func linksBindings(mpicxx string) bool {
	for _, option := range []string{"-show", "--showme"} {
		if text, err := exec.Command(mpicxx, option).Output(); err == nil && bindings.Match(text) {
			return true
		}
	}
	return false
}

// through runs the program on another library, as a user does.
func through(t *testing.T, library string, ranks int, program string, options ...string) {
	t.Helper()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	command := filepath.Join(prefix, "bin", "wi4go")
	if _, err := os.Stat(command); err != nil {
		harness.Missing(t, fmt.Errorf("%s: %w; run make first", command, harness.ErrMissing))
	}
	tools, err := harness.Find(library)
	if err != nil {
		harness.Missing(t, err)
	}
	to := tools.MPIExec
	tools.MPIExec = command
	run(t, tools, ranks, append([]string{"run", "--to", to}, options...), program)
}

// run starts the program, which must pass.
func run(t *testing.T, tools harness.Toolchain, ranks int, options []string, program string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), runTimeout)
	defer cancel()
	cmd := tools.Launch(ctx, ranks, program)
	cmd.Args = append(append(cmd.Args[:1:1], options...), cmd.Args[1:]...)
	cmd.Dir = t.TempDir()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	require.NoError(t, err, "%s\n%s%s", strings.Join(cmd.Args, " "), &stdout, &stderr)
	assert.Len(t, passed.FindAll(stdout.Bytes(), -1), 1, "%s%s", &stdout, &stderr)
	assert.NotContains(t, stderr.String(), "has different size in shared object", "the dynamic linker on a data symbol")
}
