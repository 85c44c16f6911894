package harness

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFindNamesWhatIsMissing(t *testing.T) {
	t.Setenv("WI4GO_MPICH_BIN", filepath.Join(t.TempDir(), "nowhere"))
	_, err := Find("mpich")
	require.ErrorIs(t, err, ErrMissing)
	assert.ErrorContains(t, err, "WI4GO_MPICH_BIN")
}

func TestEnvPrependsToThePreload(t *testing.T) {
	t.Setenv("LD_PRELOAD", "libother.so")
	through := Through{Front: "/p/libmpi.so.40", Library: "/r/libmpich.so.12"}
	assert.Equal(t, []string{"env", "LD_PRELOAD=/p/libmpi.so.40:libother.so", "WI4GO_TO=/r/libmpich.so.12"}, through.Env())
	assert.Equal(t, []string{"env"}, Through{}.Env())
}

func TestPrograms(t *testing.T) {
	src := filepath.Join(t.TempDir(), "empty.c")
	require.NoError(t, os.WriteFile(src, []byte("#include <mpi.h>\nint main(void) { return MPI_Init(0, 0) || MPI_Finalize(); }\n"), 0o644))
	programs := map[string]string{}
	for _, name := range Names {
		tools, err := Find(name)
		if err != nil {
			Missing(t, err)
		}
		programs[name] = filepath.Join(t.TempDir(), name)
		require.NoError(t, tools.Compile(src, programs[name]))
		library, err := Library(programs[name])
		require.NoError(t, err)
		assert.FileExists(t, library)
		require.NoError(t, tools.Launch(t.Context(), 2, programs[name]).Run())
	}

	_, err := NewThrough(t.TempDir(), programs["openmpi"], "openmpi", programs["mpich"])
	require.ErrorIs(t, err, ErrMissing)
	assert.ErrorContains(t, err, filepath.Join("lib", "wi4go", "openmpi", "libmpi.so.40"))

	_, err = Soname("/bin/sh")
	assert.ErrorContains(t, err, "needs no MPI library")
}

func TestAcross(t *testing.T) {
	libraries := []string{"openmpi", "mpich-3.4", "intelmpi-2021.18"}
	var across []string
	for _, d := range Across(libraries, libraries, false) {
		across = append(across, d.String())
	}
	assert.Equal(t, []string{"mpich-3.4_on_openmpi", "intelmpi-2021.18_on_openmpi", "openmpi_on_mpich-3.4", "openmpi_on_intelmpi-2021.18"}, across)
	assert.Len(t, Across(libraries, libraries, true), 9)
	assert.Len(t, Directions, 6)
}
