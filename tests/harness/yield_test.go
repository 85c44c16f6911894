package harness

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestYield(t *testing.T) {
	t.Setenv("LD_PRELOAD", "")
	library, err := yielder()
	require.NoError(t, err)
	assert.FileExists(t, library)

	cmd := exec.Command("mpiexec", "-n", "2", "env", "LD_PRELOAD=/p/libmpi.so.40", "program")
	require.NoError(t, Toolchain{Name: "openmpi-5.0"}.Yield(cmd))
	assert.Equal(t, []string{"OMPI_MCA_mpi_yield_when_idle=1"}, cmd.Env)
	require.NoError(t, Toolchain{Name: "mpich"}.Yield(cmd))
	assert.Contains(t, cmd.Env, "LD_PRELOAD="+library)
	assert.Equal(t, []string{"mpiexec", "-n", "2", "env", "LD_PRELOAD=/p/libmpi.so.40:" + library, "program"}, cmd.Args)
}
