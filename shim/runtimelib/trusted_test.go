package runtimelib

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTrusted(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir()) // below /tmp, which is sticky
	require.NoError(t, err)
	dir := filepath.Join(top, "lib")
	file := filepath.Join(dir, "libmpi.so")
	require.NoError(t, os.Mkdir(dir, 0o755))
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	me := os.Getuid()

	assert.NoError(t, Trusted(file, me))
	if me == 0 {
		const nobody = 65534
		for _, at := range []string{dir, file} {
			require.NoError(t, os.Chown(at, nobody, -1))
			assert.EqualError(t, Trusted(file), at+" belongs to user "+strconv.Itoa(nobody))
			assert.NoError(t, Trusted(file, nobody), "its owner trusts it")
			require.NoError(t, os.Chown(at, 0, -1))
		}
		assert.NoError(t, Trusted(file))
	} else {
		assert.ErrorContains(t, Trusted(file), "belongs to user "+strconv.Itoa(me))
	}
	for _, at := range []string{dir, file} {
		for _, mode := range []os.FileMode{0o775, 0o757} {
			require.NoError(t, os.Chmod(at, mode))
			assert.EqualError(t, Trusted(file, me), "users other than its owner can write to "+at)
		}
		require.NoError(t, os.Chmod(at, 0o755))
	}
	require.NoError(t, os.Chmod(dir, 0o777|os.ModeSticky))
	assert.NoError(t, Trusted(file, me), "as /tmp is")
	assert.Error(t, Trusted(filepath.Join(dir, "absent"), me))
}
