package emulate

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// If a table of shim/tracked has several objects with one key, it finds the last one, also after it has grown.
func TestChains(t *testing.T) {
	program, shim := filepath.Join(t.TempDir(), "chains"), filepath.Join("..", "..", "shim")
	text, err := exec.Command("gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-I"+filepath.Join(shim, "tracked"),
		"-I"+filepath.Join(shim, "front"), "-I"+filepath.Join(shim, "..", "c", "asmchooser"), "-I"+filepath.Join(shim, "..", "handletable"),
		"-o", program, filepath.Join("programs", "chains.c")).CombinedOutput()
	require.NoError(t, err, string(text))
	text, err = exec.Command(program).CombinedOutput()
	assert.NoError(t, err)
	assert.Equal(t, "0 wrong, 0 left\n", string(text))
}
