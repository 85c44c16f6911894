package launch

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A call of a function that the library lacks names an installed library that has it, in the rank and in doctor.
func TestMissingFunctionNamesLibrary(t *testing.T) {
	w := newWorld(t)
	program := w.compile("mpich", "missing.c")
	const option = "use another MPI: `--to mpich"
	r := w.run(nil, w.wi4go, "run", "--to", w.tools["openmpi"].MPIExec, "-n", "1", program)
	assert.Equal(t, "error\n", r.stdout, "%s", r)
	assert.Contains(t, r.stderr, "wi4go: MPIX_Comm_failure_ack: not in the MPI library that this program runs on (")
	assert.Contains(t, r.stderr, "MPI_ERR_UNSUPPORTED_OPERATION; "+option)
	r = w.run(nil, w.wi4go, "doctor", "--to", w.tools["openmpi"].MPIExec, program)
	assert.Contains(t, r.stdout, "lacks MPIX_Comm_failure_ack, which the program imports; a call fails with MPI_ERR_UNSUPPORTED_OPERATION: if it calls them, "+option)
}
