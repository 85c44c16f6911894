package mappers

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The directories that a front's sources include from do not have two headers of the same name. Otherwise the compiler
// would take the first for the other, and a compiler cache would not notice.
func TestNamesOfHeaders(t *testing.T) {
	seen := map[string]string{}
	for _, dir := range []string{"shim/front", "shim/tracked", "shim/emulate", "mappers", "handletable", "c/asmchooser"} {
		headers, err := filepath.Glob(filepath.Join("..", dir, "*.h"))
		require.NoError(t, err)
		for _, header := range headers {
			name := filepath.Base(header)
			assert.Empty(t, seen[name], "%s has a %s as well", dir, name)
			seen[name] = dir
		}
	}
	assert.Greater(t, len(seen), 30)
}
