package runtimes

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
	"wi4go/internal/family"
	"wi4go/internal/fault"
)

// The embedded MPI is the last of the list, and the default only if there is no other.
func TestEmbeddedIsLast(t *testing.T) {
	dir := t.TempDir()
	at := func(path string) string { return filepath.Join(dir, path) }
	embedded := fakempi.Embedded(t, at("ours"), "MPI_Win_create")
	own := at("ours/lib/wi4go/runtimes")
	s := Search{Exclude: at("ours/lib/wi4go"), Embedded: filepath.Join(own, "embedded"), CacheDir: at("cache"),
		Path: []string{filepath.Join(own, "embedded/bin")}, Globs: []Place{{filepath.Join(own, "*"), shippedName}, {at("sw/*"), "sw"}}}
	resolved := func(name string) string {
		r, err := s.Resolve(name)
		require.NoError(t, err)
		return r.Library
	}
	list := s.List()
	require.Equal(t, []string{embedded}, libraries(list))
	assert.Equal(t, "embedded", list[0].Name)
	assert.True(t, list[0].Traits().IsOwn)
	for _, name := range []string{"", "embedded", "mpiabi"} {
		assert.Equal(t, embedded, resolved(name), name)
	}
	for _, program := range []string{"openmpi", "mpiabi"} {
		rt, err := s.DefaultFor(program)
		require.NoError(t, err)
		assert.Equal(t, embedded, rt.Library)
	}

	// A library that is installed later comes first, although its directory is not one in which the search begins.
	require.NoError(t, os.MkdirAll(at("sw/new/lib"), 0o755))
	assert.Equal(t, embedded, resolved(""))
	mpich := fakempi.MPICH(t, at("sw/new"), "libmpi.so.12", "")
	assert.Equal(t, mpich, resolved(""))
	assert.Equal(t, []string{mpich, embedded}, libraries(s.List()))
	assert.Equal(t, embedded, resolved("embedded"))
	rt, err := s.DefaultFor("mpich")
	require.NoError(t, err)
	assert.Equal(t, embedded, rt.Library, "within its family a program needs no front")
	rt, err = s.DefaultFor("mpiabi")
	require.NoError(t, err)
	assert.Equal(t, mpich, rt.Library)

	s.Order = []string{"embedded"}
	assert.Equal(t, []string{embedded, mpich}, libraries(s.List()), "the user's order counts")
	s.Order, s.Hide = nil, []string{own}
	assert.Equal(t, []string{mpich}, libraries(s.List()))
	_, err = s.Resolve("embedded")
	assert.ErrorContains(t, err, "no wi4go's embedded MPI library found")
}

// Functions that the embedded MPI only refuses are functions that it lacks.
func TestEmbeddedHas(t *testing.T) {
	dir := t.TempDir()
	embedded := fakempi.Embedded(t, dir, "MPI_Win_create", "MPI_File_open")
	r, err := Search{}.Resolve(embedded)
	require.NoError(t, err)
	has := r.Has()
	for name, want := range map[string]bool{"MPI_Init": true, "MPI_Win_create": false, "PMPI_Win_create": false, "MPI_File_open": false, "MPI_None": false} {
		assert.Equal(t, want, has(name), name)
	}
	mpich := fakempi.MPICH(t, filepath.Join(dir, "mpich"), "libmpi.so.12", "int MPI_Win_create;")
	r, err = Search{}.Resolve(mpich)
	require.NoError(t, err)
	assert.True(t, r.Has()("MPI_Win_create"))
}

// A launcher without a known protocol is not the embedded MPI's.
func TestEmbeddedUnderSrun(t *testing.T) {
	dir := t.TempDir()
	embedded := fakempi.Embedded(t, dir)
	r, err := Search{}.Resolve(embedded)
	require.NoError(t, err)
	start := Search{}.started(func(name string) string {
		return map[string]string{"SLURM_STEP_ID": "0", "SLURM_PROCID": "1", "SLURM_NTASKS": "2", "SLURM_MPI_TYPE": "none", "SLURM_JOB_ID": "1"}[name]
	}, nil)
	require.NotNil(t, start)
	assert.False(t, start.matches(r.StartedBy()))
}

func TestOnlyEmbedded(t *testing.T) {
	id, description, cure := fault.Of(Search{}.OnlyEmbedded(family.OpenMPI), "")
	assert.Equal(t, "no-runtime", id)
	assert.Equal(t, "no MPI library is installed: wi4go uses its own, embedded, which runs all ranks on this host", description)
	assert.Equal(t, "for several hosts, install one, for example with `wi4go get openmpi`", cure)
	_, _, cure = fault.Of(Search{}.OnlyEmbedded(nil), "")
	assert.Contains(t, cure, "`wi4go get mpich`")
}
