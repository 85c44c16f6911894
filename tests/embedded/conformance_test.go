package embedded

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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	generator "wi4go/gen/embedded"
	"wi4go/gen/model"
	"wi4go/tests/harness"
)

// TestConformance runs the programs of tests/conformance, compiled by Open MPI, MPICH and wi4go, on the
// embedded MPI.
func TestConformance(t *testing.T) {
	harness.All.From(t, "the other tests run each function; this one runs 200 programs")
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	for _, family := range append(slices.Clone(harness.Names), harness.Interface) {
		t.Run(family, func(t *testing.T) { conformance(t, prefix, family, "*", nil) })
	}
}

// The same with the external representation between the ranks, which converts each datatype message. CI runs the programs
// about messages and datatypes.
func TestConformanceExternal(t *testing.T) {
	harness.All.From(t, "the other tests run each function")
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	patterns := "p2p_* type_*"
	if harness.Nightly.Runs() {
		patterns = "*"
	}
	conformance(t, prefix, harness.Interface, patterns, []string{"ADI_MSGREP=xdr"})
}

// conformance runs the programs of a family whose names match one of the patterns on the embedded MPI of an installation,
// with variables.
func conformance(t *testing.T, prefix, family, patterns string, env []string) {
	eachProgram(t, prefix, family, patterns, func(t *testing.T, program string) {
		assertPasses(t, env, filepath.Join(prefix, "bin/wi4go"), "run", "--to", "embedded", "-n", "2", program)
	})
}

// eachProgram compiles the programs of tests/conformance whose names match one of the patterns, which are separated by
// spaces, and runs a test of each. Programs that call functions that the embedded MPI does not have are left out, and those
// of testdata/others.txt, with the reason.
func eachProgram(t *testing.T, prefix, family, patterns string, run func(t *testing.T, program string)) {
	mpi, err := harness.FindIn(prefix, family)
	if err != nil {
		harness.Missing(t, err)
	}
	sources, err := filepath.Glob("../conformance/*/*.c")
	require.NoError(t, err)
	others := listed(t, "testdata/others.txt")
	flags := harness.ConformanceFlags("../conformance")
	if family == harness.Embedded {
		flags = append(flags, "-lm")
	}
	for _, source := range sources {
		name := strings.TrimSuffix(filepath.Base(source), ".c")
		chosen := slices.ContainsFunc(strings.Fields(patterns), func(pattern string) bool {
			matches, err := filepath.Match(pattern, name)
			require.NoError(t, err)
			return matches
		})
		if _, other := others[name]; other || !chosen {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program := filepath.Join(t.TempDir(), name)
			require.NoError(t, mpi.Compile(source, program, flags...))
			if function := missingFunction(t, program); function != "" {
				return // another test shows that the call is refused by name
			}
			run(t, program)
		})
	}
}

// Fortran programs of both families call functions that MPI-3.0 removed.
func TestRemovedInFortran(t *testing.T) {
	onEachFamily(t, "2", func(mpi harness.Toolchain, program string) error {
		return mpi.CompileFortran("programs/removed.f90", program, "-fallow-argument-mismatch")
	})
}

// Errors of calls without a communicator go to the same handler from the embedded MPI and from the front.
func TestErrorsWithoutObject(t *testing.T) {
	onEachFamily(t, "1", func(mpi harness.Toolchain, program string) error {
		return mpi.Compile("programs/no_object.c", program, "-w")
	})
}

// onEachFamily runs a program, compiled for each family, on the embedded MPI.
func onEachFamily(t *testing.T, ranks string, compile func(mpi harness.Toolchain, program string) error) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	for _, family := range []string{"openmpi", "mpich"} {
		mpi, err := harness.Find(family)
		if err != nil {
			harness.Missing(t, err)
		}
		program := filepath.Join(t.TempDir(), family)
		require.NoError(t, compile(mpi, program))
		assertPasses(t, nil, filepath.Join(prefix, "bin/wi4go"), "run", "--to", "embedded", "-n", ranks, program)
	}
}

// If a program ignores the error of a function that the embedded MPI lacks, the rank names the function, once. The
// warning before the start begins with the function that makes the window.
func TestMissingFunctionIsNamed(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	mpi, err := harness.Find("mpich")
	if err != nil {
		harness.Missing(t, err)
	}
	program := filepath.Join(t.TempDir(), "window")
	require.NoError(t, mpi.Compile("programs/window.c", program, "-w"))
	out, err := exec.Command(filepath.Join(prefix, "bin/wi4go"), "run", "--to", "embedded", "-n", "1", program).CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Contains(t, string(out), "imports MPI_Win_allocate, MPI_Accumulate, MPI_Win_free, which the embedded MPI does not have")
	assert.Equal(t, 1, strings.Count(string(out), "wi4go: MPI_Win_allocate: not in the MPI library that this program runs on (embedded)"), string(out))
	assert.Regexp(t, "wi4go: MPI_Win_allocate: not in the MPI library [^\n]*; use another MPI: `--to (openmpi|mpich)`\n", string(out))
	assert.NotContains(t, string(out), "wi4go: MPI_Win_free: ")
	assert.NotContains(t, string(out), "mpi4py.futures")
	spawns := filepath.Join(t.TempDir(), "spawn")
	require.NoError(t, mpi.Compile("programs/spawn.c", spawns, "-w"))
	out, err = exec.Command(filepath.Join(prefix, "bin/wi4go"), "run", "--to", "embedded", "-n", "1", spawns).CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Contains(t, string(out), "wi4go: MPI_Comm_spawn: not in the MPI library that this program runs on (embedded)")
	assert.Contains(t, string(out), "`wi4go run -n N python3 -m mpi4py.futures SCRIPT`")
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
	return generator.Lacking(in)
})

// assertPasses runs a command with variables of its environment and requires exit code 0.
func assertPasses(t *testing.T, env []string, command ...string) {
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Env = append(harness.PlainEnviron(), env...)
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
