package runtimelib

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A front is refused, and a library that comes with wi4go is not.
func TestResolve(t *testing.T) {
	ours := filepath.Join(t.TempDir(), "wi4go")
	for _, name := range []string{"mpich/libmpi.so.12", "runtimes/shipped/lib/libmpi_abi.so.1"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(ours, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(ours, name), nil, 0o644))
	}
	_, err := Resolve("WI4GO_TO", filepath.Join(ours, "mpich/libmpi.so.12"), ours)
	assert.ErrorContains(t, err, "is a front of wi4go and not an MPI library")
	shipped := filepath.Join(ours, "runtimes/shipped/lib/libmpi_abi.so.1")
	path, err := Resolve("WI4GO_TO", shipped, ours)
	require.NoError(t, err)
	assert.Equal(t, shipped, path)
}
