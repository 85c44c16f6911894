package emulate

import (
	"context"
	"maps"
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

// The kinds of memory that a library supports are the same for a program of another family as
// for a program of its own: in all infos, and by the queries about GPUs that both families have.
func TestMemoryKinds(t *testing.T) {
	if testing.Short() {
		t.Skip("starts MPI programs")
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	program := func(from string) string {
		tools, err := harness.FindIn(prefix, from)
		if err != nil {
			harness.Missing(t, err)
		}
		out := filepath.Join(prefix, "conformance", "emulate-"+from, "kinds")
		require.NoError(t, tools.Compile(filepath.Join("programs", "kinds.c"), out))
		return out
	}
	for to, others := range map[string][]string{
		"openmpi":          {"mpich-5.0", harness.Interface},
		"openmpi-5.0":      {"mpich-5.0", harness.Interface},
		"mpich-3.4":        {"openmpi-5.0", harness.Interface},
		"mpich":            {"openmpi-5.0", harness.Interface},
		"mpich-5.0":        {"openmpi-5.0", harness.Interface},
		"intelmpi-2021.18": {"openmpi-5.0", harness.Interface},
	} {
		tools, err := harness.Find(to)
		if err != nil {
			harness.Missing(t, err)
		}
		native := answers(t, tools, tools.MPIExec, "-n", "2", program(to))
		for _, from := range others {
			through := answers(t, tools, filepath.Join(prefix, "bin", "wi4go"), "run", "--to", tools.MPIExec, "-n", "2", program(from), "ask early")
			compared := 0
			for _, of := range slices.Sorted(maps.Keys(through)) {
				want, ok := native[of]
				switch {
				case strings.HasPrefix(of, "down "):
					assert.Equal(t, "0", through[of], "%s on %s: %s", from, to, of)
				case ok:
					compared++
					assert.Equal(t, want, through[of], "%s on %s: %s", from, to, of)
				case strings.HasPrefix(of, "session"):
					assert.Equal(t, emulatedKinds[of], through[of], "%s on %s: %s", from, to, of)
				default:
					assert.Equal(t, "0", through[of], "%s on %s: %s", from, to, of)
				}
			}
			assert.GreaterOrEqual(t, compared, 4, "%s on %s", from, to)
		}
	}
}

// emulatedKinds are the kinds of memory of a session over a library that has no sessions, and no
// GPU: the ones that the standard requires, with restrictors if they are requested.
var emulatedKinds = map[string]string{
	"session()":       "mpi,system",
	"session(system)": "mpi,system",
	"session(mpi:alloc_mem,cuda:device,system)":     "mpi,system,mpi:alloc_mem",
	"session(mpi:nowhere,no_such_kind,system:none)": "mpi,system",
}

// answers runs the program, and returns the last word of each line by the words before it.
func answers(t *testing.T, tools harness.Toolchain, command ...string) map[string]string {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = tools.Environ()
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, "%v: %s", command, text)
	require.Contains(t, string(text), "PASS kinds", "%v", command)
	found := map[string]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if at := strings.LastIndexByte(line, ' '); at > 0 {
			found[line[:at]] = line[at+1:]
		}
	}
	return found
}
