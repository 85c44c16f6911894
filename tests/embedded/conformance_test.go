package embedded_test

import (
	"context"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/gen/embedded"
	"wi4go/gen/model"
	"wi4go/tests/harness"
)

// programLimit bounds the run of one program.
const programLimit = 60 * time.Second

// TestConformance runs the programs of tests/conformance, compiled by Open MPI, MPICH and wi4go, on the
// embedded MPI. Programs that call functions that it does not have are left out, and those of
// testdata/others.txt, with the reason.
func TestConformance(t *testing.T) {
	harness.All.From(t, "the other tests run each function; this one runs 200 programs")
	sources, err := filepath.Glob("../conformance/*/*.c")
	require.NoError(t, err)
	others := listed(t, "testdata/others.txt")
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	for _, family := range append(slices.Clone(harness.Names), harness.Interface) {
		mpi, err := harness.FindIn(prefix, family)
		if err != nil {
			harness.Missing(t, err)
		}
		t.Run(family, func(t *testing.T) {
			for _, source := range sources {
				name := strings.TrimSuffix(filepath.Base(source), ".c")
				if _, other := others[name]; other {
					continue
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					program := filepath.Join(t.TempDir(), name)
					require.NoError(t, mpi.Compile(source, program, "-I../conformance", "-lm"))
					if function := missingFunction(t, program); function != "" {
						return // another test shows that the call is refused by name
					}
					assertPasses(t, filepath.Join(prefix, "bin/wi4go"), "run", "--to", "embedded", "-n", "2", program)
				})
			}
		})
	}
}

// Errors of calls without a communicator go to the same handler from the embedded MPI and from the front.
func TestErrorsWithoutObject(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	for _, family := range []string{"openmpi", "mpich"} {
		mpi, err := harness.Find(family)
		if err != nil {
			harness.Missing(t, err)
		}
		program := filepath.Join(t.TempDir(), family)
		require.NoError(t, mpi.Compile("programs/no_object.c", program, "-w"))
		assertPasses(t, filepath.Join(prefix, "bin/wi4go"), "run", "--to", "embedded", "-n", "1", program)
	}
}

// missingFunction returns a function that a program calls and that the embedded MPI lacks, or "".
func missingFunction(t *testing.T, program string) string {
	file, err := elf.Open(program)
	require.NoError(t, err)
	defer file.Close()
	symbols, err := file.ImportedSymbols()
	require.NoError(t, err)
	for _, s := range symbols {
		if slices.Contains(missingFunctions(), strings.TrimPrefix(s.Name, "P")) {
			return s.Name
		}
	}
	return ""
}

// missingFunctions returns the functions that the embedded MPI refuses by name.
var missingFunctions = sync.OnceValue(func() []string {
	functions, err := os.ReadFile("../../funcs.json")
	if err != nil {
		panic(err)
	}
	mappers, err := os.ReadFile("../../mappers.json")
	if err != nil {
		panic(err)
	}
	in, err := model.Load(functions, mappers)
	if err != nil {
		panic(err)
	}
	return embedded.Missing(in)
})

// assertPasses runs a command and requires exit code 0.
func assertPasses(t *testing.T, command ...string) {
	ctx, cancel := context.WithTimeout(t.Context(), programLimit)
	defer cancel()
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Env = harness.PlainEnviron()
	output, err := c.CombinedOutput()
	assert.NoError(t, err, "%s", output)
}

// listed returns the names in a file, one a line before its reason.
func listed(t *testing.T, path string) map[string]string {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	names := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if name, reason, found := strings.Cut(strings.TrimSpace(line), " "); found && !strings.HasPrefix(line, "#") {
			names[name] = strings.TrimSpace(reason)
		}
	}
	return names
}
