package real

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
	"wi4go/tests/conformance/suite"
	"wi4go/tests/harness"
)

// On an x86-64 processor without SSE4.1, which the fast paths need, everything runs in C.
func TestFirstProcessors(t *testing.T) {
	const emulator = "qemu-x86_64"
	fakempi.Need(t, emulator)
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	dir := t.TempDir()
	programs := map[string]string{}
	for _, name := range harness.Names {
		tools, err := harness.Find(name)
		if err != nil {
			harness.Missing(t, err)
		}
		programs[name] = filepath.Join(dir, name, "program")
		require.NoError(t, tools.Compile(suite.Source("../conformance", "p2p_completion"), programs[name], "-I../conformance"))
	}
	for runtime, native := range programs {
		program := programs[harness.Other(runtime)]
		through, err := harness.NewThrough(prefix, program, harness.Other(runtime), native)
		require.NoError(t, err)
		arguments := []string{"-cpu", "core2duo"}
		for _, assignment := range append(through.Env()[1:], "OMPI_MCA_ess_singleton_isolated=1") {
			arguments = append(arguments, "-E", assignment)
		}
		out, err := exec.CommandContext(t.Context(), emulator, append(arguments, program)...).CombinedOutput()
		require.NoError(t, err, "%s: %s", runtime, out)
	}
}
