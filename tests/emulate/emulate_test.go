// Package emulate runs programs for MPI-4 and later, built for libraries that have all functions, on libraries that
// lack some. The fronts emulate the missing functions (shim/emulate), and none may be refused.
package emulate

import (
	"context"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/conformance/suite"
	"wi4go/tests/harness"
)

var programs = []string{
	"coll_persistent", "coll_persistent_gather", "emul_comm_freed", "emul_requests", "info_mpi4",
	"buffer_objects", "emul_queries", "p2p_buffer", "part_basic", "part_many",
	"session_alone", "session_errhandler", "session_intercomm", "session_more", "tool_event",
}

// These use conversions to Fortran's handles, which libraries of the standard ABI may lack.
var withFortran = []string{"session_basic", "init_sessions"}

// Open MPI 4.1 implements persistent collectives of a draft of the standard. They crash, natively too, if their
// operation is freed.
var onMPICH = []string{"coll_persistent_freed"}

// Runtimes of MPI-3.1.
var old = []string{"openmpi", "mpich-3.4"}

var conformance = filepath.Join("..", "conformance")

func TestNewProgramsOnOldLibraries(t *testing.T) {
	if testing.Short() {
		t.Skip("starts MPI programs")
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	run := func(ranks []int, programs []string, runtimes ...string) {
		s := suite.Suite{
			Programs: conformance, Prefix: prefix, Cache: filepath.Join(prefix, "conformance"), Only: programs,
			Directions: harness.Across([]string{"openmpi-5.0", "mpich-5.0"}, runtimes, true), Ranks: ranks, Jobs: harness.Jobs(), Timeout: 2 * time.Minute,
		}
		if err := s.Open(); err != nil {
			harness.Missing(t, err)
		}
		s.Run(t.Context(), func(r suite.Result) {
			assert.Equal(t, suite.Pass, r.Through, "%s %s %d: natively %s: %s", r.Program, r.Direction, r.Ranks, r.Native, r.Detail)
		})
	}
	run([]int{1, 3}, append(withFortran, programs...), old...)
	run([]int{1, 3}, onMPICH, "mpich-3.4")
	run([]int{2}, []string{"coll_intercomm_null"}, "mpich") // on more ranks, some never return there natively after the root's call was refused
}

// The same programs, built for the standard ABI.
func TestStandardABIOnOldLibraries(t *testing.T) {
	if testing.Short() {
		t.Skip("starts MPI programs")
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	tools, err := harness.Find("mpich-5.0")
	if err != nil {
		harness.Missing(t, err)
	}
	tools.MPICC += "_abi"
	for _, name := range old {
		for _, program := range programs {
			out := filepath.Join(prefix, "conformance", "mpiabi", program)
			require.NoError(t, tools.Compile(suite.Source(conformance, program), out, "-I"+conformance))
			runThrough(t, prefix, name, program, out)
		}
	}
}

func runThrough(t *testing.T, prefix, runtime, program, out string) {
	tools, err := harness.Find(runtime)
	if err != nil {
		harness.Missing(t, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(prefix, "bin", "wi4go"), "run", "--to", tools.MPIExec, "-n", "2", out)
	cmd.Env = tools.Environ()
	text, err := cmd.CombinedOutput()
	assert.NoError(t, err, "%s on %s: %s", program, runtime, text)
	assert.Contains(t, string(text), "PASS "+program, "%s on %s", program, runtime)
}

// A completed request remains refused if wi4go tracks it. There is no native verdict to compare with: Open MPI uses the
// next request with the same address, and MPICH fails an assertion.
func TestStaleRequests(t *testing.T) {
	if testing.Short() {
		t.Skip("starts MPI programs")
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	for from, runtimes := range map[string][]string{
		"mpich-5.0":     {"openmpi", "openmpi-5.0"},
		"mpich-5.0-abi": {"openmpi", "openmpi-5.0", "mpich-3.4"},
		"openmpi-5.0":   {"mpich-3.4", "mpich-5.0"},
	} {
		tools, err := harness.Find(from)
		if err != nil {
			harness.Missing(t, err)
		}
		out := filepath.Join(prefix, "conformance", "emulate-"+from, "stale_request")
		require.NoError(t, tools.Compile(filepath.Join("programs", "stale_request.c"), out))
		for _, name := range runtimes {
			runThrough(t, prefix, name, "stale_request", out)
		}
	}
}

// Cases that no conformance program may have, because they can crash natively; and threads.
func TestOnOurObjects(t *testing.T) {
	if testing.Short() {
		t.Skip("starts MPI programs")
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	for _, abi := range []string{"", "_abi"} {
		tools, err := harness.Find("mpich-5.0")
		if err != nil {
			harness.Missing(t, err)
		}
		tools.MPICC += abi
		for _, program := range []string{"bad_handles", "threads", "detach", "large_type"} {
			out := filepath.Join(prefix, "conformance", "emulate"+abi, program)
			require.NoError(t, tools.Compile(filepath.Join("programs", program+".c"), out))
			for _, name := range old {
				runThrough(t, prefix, name, program, out)
			}
			if program == "large_type" { // the library has such datatypes itself
				runThrough(t, prefix, "mpich", program, out)
			}
		}
	}
}
