package emulate

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/abi"
	"wi4go/tests/conformance/suite"
	"wi4go/tests/harness"
)

// On other libraries, Open MPI's split types give the same parts as on Open MPI with the same binding of processes.
func TestPartsOfTheNode(t *testing.T) {
	if testing.Short() {
		t.Skip("starts MPI programs")
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	find := func(name string) harness.Toolchain {
		tools, err := harness.Find(name)
		if err != nil {
			harness.Missing(t, err)
		}
		return tools
	}
	native := find("openmpi")
	program := filepath.Join(t.TempDir(), "split_types")
	require.NoError(t, native.Compile(filepath.Join("programs", "split_types.c"), program))
	output := func(command ...string) string {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, command[0], command[1:]...)
		cmd.Env = harness.Environ()
		text, err := cmd.Output()
		require.NoError(t, err, "%v", command)
		return string(text)
	}
	for _, to := range []string{"none", "core"} {
		want := output(native.MPIExec, "--bind-to", to, "-n", "2", program)
		for _, name := range []string{"mpich", "mpich-3.4", "mpich-5.0"} {
			got := output(filepath.Join(prefix, "bin", "wi4go"), "run", "--to", find(name).MPIExec, "-bind-to", to, "-n", "2", program)
			assert.Equal(t, want, got, "bound to %s, on %s", to, name)
		}
	}
}

// The program that splits by every type contains all split types of the family.
func TestEverySplitTypeIsTested(t *testing.T) {
	source, err := os.ReadFile(suite.Source(conformance, "comm_split_types"))
	require.NoError(t, err)
	for _, name := range abi.Names() {
		family, err := abi.Load(name)
		require.NoError(t, err)
		for constant := range family.Constants {
			if strings.Contains(constant, "_COMM_TYPE_") {
				assert.Contains(t, string(source), constant, "%s of %s", constant, name)
			}
		}
	}
}
