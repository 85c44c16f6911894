package install

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFind(t *testing.T) {
	tree, err := Find()
	require.NoError(t, err)
	self, err := os.Executable()
	require.NoError(t, err)
	assert.Equal(t, filepath.Dir(filepath.Dir(self)), tree.Prefix)
}

func TestFront(t *testing.T) {
	tree := Tree{t.TempDir()}
	_, err := tree.Front("mpich", "libmpi.so.12")
	assert.ErrorContains(t, err, "no front for mpich programs that need libmpi.so.12")

	path := filepath.Join(tree.Fronts(), "mpich", "libmpi.so.12")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, nil, 0o755))
	_, err = tree.Front("mpich", "libmpi.so.12")
	assert.ErrorContains(t, err, "libwi4go.so is missing")

	require.NoError(t, os.WriteFile(filepath.Join(tree.Fronts(), "libwi4go.so"), nil, 0o755))
	front, err := tree.Front("mpich", "libmpi.so.12")
	require.NoError(t, err)
	assert.Equal(t, path, front)

	_, err = Tree{"/a place/with: both"}.Front("mpich", "libmpi.so.12")
	assert.ErrorContains(t, err, "which LD_PRELOAD cannot carry")
}
