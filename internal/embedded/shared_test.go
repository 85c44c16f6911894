package embedded

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The types of the shared memory are those of the C headers.
func TestShared(t *testing.T) {
	out := filepath.Join(t.TempDir(), "shared.go")
	output, err := exec.Command("go", "run", "./layout", "../..", out).CombinedOutput()
	require.NoError(t, err, "%s", output)
	want, err := os.ReadFile(out)
	require.NoError(t, err)
	have, err := os.ReadFile("shared.go")
	require.NoError(t, err)
	assert.Equal(t, string(want), string(have), "the C headers have changed: run go generate ./internal/embedded")
}
