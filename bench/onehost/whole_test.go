package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The inputs of applications are written from any current directory.
func TestInputs(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(t.TempDir())
	for name, w := range wholes {
		if w.prepare != nil {
			require.NoError(t, w.prepare(dir, 4), name)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "hpccinf.txt"))
	require.NoError(t, err)
	assert.Regexp(t, `(?m)^4 +Qs$`, string(text))
}
