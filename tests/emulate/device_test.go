package emulate

import (
	"context"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// Messages in the memory of a device, which only the MPI library may use (tests/fortran/programs/device.h):
// natively, to show that the libraries use it themselves, and through wi4go, whose code must not.
func TestDeviceMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("starts MPI programs")
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("the memory is opened for one instruction by a flag of x86-64")
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	for from, runtimes := range map[string][]string{
		"mpich-5.0":       {"mpich-3.4", "openmpi", "openmpi-5.0"},
		"openmpi-5.0":     {"mpich-3.4", "mpich-5.0"},
		harness.Interface: {"mpich-3.4", "openmpi", "openmpi-5.0"},
	} {
		tools, err := harness.FindIn(prefix, from)
		if err != nil {
			harness.Missing(t, err)
		}
		program := filepath.Join(prefix, "conformance", "emulate-"+from, "device")
		require.NoError(t, tools.Compile(filepath.Join("programs", "device.c"), program, "-rdynamic"))
		if from != harness.Interface {
			text, err := onDevice(t, tools, tools.MPIExec, "-n", "2", program)
			passes(t, text, err, from+" natively")
			// The program finds out who uses the memory: it refuses this library, too.
			text, err = onDevice(t, tools, tools.MPIExec, "-n", "1", program, tools.Root())
			assert.Error(t, err)
			assert.Regexp(t, "DEVICE: .* of "+tools.Root(), text)
		}
		for _, name := range runtimes {
			to, err := harness.Find(name)
			if err != nil {
				harness.Missing(t, err)
			}
			text, err := onDevice(t, to, filepath.Join(prefix, "bin", "wi4go"), "run", "--to", to.MPIExec, "-n", "2", program, filepath.Join(prefix, "lib"))
			passes(t, text, err, from+" on "+name)
		}
	}
}

// onDevice runs the program on a library, and returns its output.
func onDevice(t *testing.T, tools harness.Toolchain, command ...string) (string, error) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(tools.Environ(), "WI4GO_TEST_CHUNK=7")
	text, err := cmd.CombinedOutput()
	return string(text), err
}

func passes(t *testing.T, text string, err error, name string) {
	assert.NoError(t, err, "%s: %s", name, text)
	assert.Contains(t, text, "PASS device", name)
}
