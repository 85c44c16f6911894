package harness

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestYield(t *testing.T) {
	t.Setenv("LD_PRELOAD", "")
	library, err := yielder()
	require.NoError(t, err)
	assert.FileExists(t, library)

	cmd := Toolchain{Name: "mpich", MPIExec: "mpiexec"}.Launch(t.Context(), 2, "env", "LD_PRELOAD=/p/libmpi.so.40", "program")
	assert.Equal(t, []string{"mpiexec", "-n", "2", "env", "LD_PRELOAD=/p/libmpi.so.40:" + library, "program"}, cmd.Args)
	assert.Contains(t, cmd.Env, "LD_PRELOAD="+library)
	assert.Contains(t, cmd.Env, "OMPI_MCA_mpi_yield_when_idle=1")

	open := Toolchain{Name: "openmpi-5.0", MPIExec: "mpiexec"}.Launch(t.Context(), 2, "env", "LD_PRELOAD=/p/libmpi.so.12", "program")
	assert.Contains(t, open.Args, "LD_PRELOAD=/p/libmpi.so.12")
	assert.NotContains(t, open.Env, "LD_PRELOAD="+library)
	assert.Contains(t, open.Env, "OMPI_MCA_mpi_yield_when_idle=1")

	t.Setenv("LD_PRELOAD", "/p/tool.so")
	assert.Contains(t, Environ(), "LD_PRELOAD=/p/tool.so:"+library)
	plain := Toolchain{Name: "mpich", MPIExec: "mpiexec"}.LaunchPlain(t.Context(), 2, "env", "LD_PRELOAD=/p/libmpi.so.40", "program")
	assert.Contains(t, plain.Args, "LD_PRELOAD=/p/libmpi.so.40")
	assert.Equal(t, PlainEnviron(), plain.Env)
	assert.Equal(t, os.Environ(), plain.Env[:len(os.Environ())])
}
