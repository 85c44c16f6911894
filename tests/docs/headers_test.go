package docs

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The directories that fronts are compiled with (-I) have no two headers of one
// name: the first would be taken for the second, and ccache may not even see it.
func TestHeaderNames(t *testing.T) {
	at := map[string]string{}
	for _, dir := range []string{"shim/front", "shim/emulate", "shim/fortran", "mappers", "handletable", "c/asmchooser", "interface"} {
		headers, err := filepath.Glob(filepath.Join(root, dir, "*.h"))
		require.NoError(t, err)
		for _, header := range headers {
			name := filepath.Base(header)
			assert.Empty(t, at[name], "%s/%s has the name of another header", dir, name)
			at[name] = dir
		}
	}
	assert.Greater(t, len(at), 40)
}
