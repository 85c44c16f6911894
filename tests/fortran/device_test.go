package fortran

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// Sections of arrays in the memory of a device, which only the MPI library may use: with gfortran's
// descriptors and with the standard's, over a library of each family.
func TestSectionsOfDeviceMemory(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the memory is opened for one instruction by a flag of x86-64")
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	own, err := harness.FindIn(prefix, harness.Interface)
	if err != nil {
		harness.Missing(t, err)
	}
	mpich := compile(t, find(t, "mpich"), "F08", "device_sections", "-DTRANSLATED", "-rdynamic")
	upstream(t, mpich)
	for _, program := range []string{mpich, compile(t, own, "F08", "device_sections", "-rdynamic")} {
		for _, to := range []string{"openmpi", "mpich"} {
			through(t, find(t, to), program, filepath.Join(prefix, "lib"))
		}
	}
}
