package fortran

import (
	"os"
	"testing"

	"wi4go/tests/harness"
)

// Programs built with Open MPI 6, whose mpi_f08 takes descriptors and large counts, run on every library.
// tests/openmpi6.sh installs its compiler wrappers, which no test does by itself, because they are from an unreleased
// Debian.
func TestOpenMPI6(t *testing.T) {
	if os.Getenv("WI4GO_OPENMPI_6_0_BIN") == "" {
		t.Skip("set WI4GO_OPENMPI_6_0_BIN to the bin directory of an Open MPI 6; tests/openmpi6.sh unpacks one")
	}
	six := find(t, "openmpi-6.0")
	for _, binding := range bindings {
		t.Run(binding, func(t *testing.T) {
			t.Parallel()
			programs := []string{compile(t, six, binding, "procedures"), compile(t, six, binding, "frequent"), compile(t, six, binding, "attributes", "-DTRANSLATED")}
			// The dummies of its mpi_f08 are not asynchronous, so a compiler may miss data that arrives later.
			for _, name := range []string{"further", "languages"} {
				programs = append(programs, compile(t, six, binding, name, "-O0"))
			}
			if binding == "F08" {
				programs = append(programs, compile(t, six, binding, "sections", "-DTRANSLATED", "-DUNSAID"))
			}
			for _, to := range append([]string{"mpich"}, runtimes...) {
				t.Run(to, func(t *testing.T) {
					t.Parallel()
					for _, program := range programs {
						through(t, find(t, to), program)
					}
				})
			}
		})
	}
}

// Large counts in C, and the integers of handles, new in MPI-4 and 5.
func TestOpenMPI6InC(t *testing.T) {
	if os.Getenv("WI4GO_OPENMPI_6_0_BIN") == "" {
		t.Skip("set WI4GO_OPENMPI_6_0_BIN to the bin directory of an Open MPI 6; tests/openmpi6.sh unpacks one")
	}
	program := t.TempDir() + "/six"
	if err := find(t, "openmpi-6.0").Compile("programs/six.c", program); err != nil {
		harness.Missing(t, err)
	}
	for _, to := range append([]string{"mpich"}, runtimes...) {
		t.Run(to, func(t *testing.T) {
			t.Parallel()
			through(t, find(t, to), program)
		})
	}
}
