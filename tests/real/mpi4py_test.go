package real

import (
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"

	"wi4go/bench/toolchain"
)

// The published mpi4py has one extension for each family, chosen by a variable
// that `wi4go run` looks at as well. One for each runs on the other family: the
// script checks what it computes.
func TestMPI4Py(t *testing.T) {
	python := os.Getenv("WI4GO_MPI4PY")
	if python == "" {
		toolchain.Missing(t, errors.Join(toolchain.ErrMissing, errors.New("mpi4py: set WI4GO_MPI4PY to a python3 that has it")))
	}
	for abi, runtimes := range map[string][]string{
		"openmpi": {"intelmpi-2021.18", "mpich-5.0"},
		"mpich":   {"openmpi", "openmpi-5.0"},
	} {
		for _, runtime := range runtimes {
			t.Run(abi+"_"+runtime, func(t *testing.T) {
				j := job{
					program: python, family: abi, ranks: 2, args: []string{"objects.py"}, inputs: []string{"objects.py"},
					env: []string{"MPI4PY_MPIABI=" + abi},
				}
				assert.Equal(t, "PASS 2\n", j.through(t, runtime).stdout)
			})
		}
	}
}
