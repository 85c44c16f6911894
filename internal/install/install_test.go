package install

import (
	"os"
	"path/filepath"
	"strings"
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

	_, err = tree.StandIn("mpich", "libmpi.so.12")
	assert.ErrorContains(t, err, "no stand-in for mpich programs that need libmpi.so.12")

	require.NoError(t, Tree{"/a place"}.CheckPath())
	assert.ErrorContains(t, Tree{"/a place/with: both"}.CheckPath(), "which separates paths in LD_PRELOAD and LD_LIBRARY_PATH")
}

func TestMakeStandIn(t *testing.T) {
	tree := Tree{t.TempDir()}
	blank := filepath.Join(tree.Fronts(), "standin.so")
	_, err := tree.MakeStandIn("libx.so.1", "/x/libx.so")
	assert.ErrorContains(t, err, "is incomplete")
	require.NoError(t, os.MkdirAll(tree.Fronts(), 0o755))
	require.NoError(t, os.WriteFile(blank, []byte("no room"), 0o644))
	_, err = tree.MakeStandIn("libx.so.1", "/x/libx.so")
	assert.ErrorContains(t, err, "has no room for a name")

	names := strings.Repeat("N", Room) + "\x00" + strings.Repeat("S", Room)
	require.NoError(t, os.WriteFile(blank, []byte("head"+names+"tail"), 0o644))
	content, err := tree.MakeStandIn("libx.so.1", "/x/libNS.so")
	require.NoError(t, err)
	room := func(name string) string { return name + strings.Repeat("\x00", Room-len(name)) }
	assert.Equal(t, "head"+room("/x/libNS.so")+"\x00"+room("libx.so.1")+"tail", string(content))
	_, err = tree.MakeStandIn(strings.Repeat("x", Room), "/x")
	assert.ErrorContains(t, err, "is too long for a stand-in")
}

// An MPI library that comes with wi4go is below the fronts' directory, and is no front.
func TestIsOurs(t *testing.T) {
	tree := Tree{"/opt/wi4go"}
	for path, ours := range map[string]bool{
		"/opt/wi4go/lib/wi4go/mpich/libmpi.so.12": true, "/opt/wi4go/lib/wi4go": true, "/opt/wi4go/lib/other": false,
		"/opt/wi4go/lib/wi4go/runtimes": false, "/opt/wi4go/lib/wi4go/runtimes/x/lib/libmpi_abi.so.1": false,
		"/opt/wi4go/lib/wi4go/runtimes2/x": true,
	} {
		assert.Equal(t, ours, tree.Contains(path), path)
	}
}
