package gen

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/gen/gentest"
)

// No generated header has the name of one that generated sources include from another
// directory: theirs is looked at first, and a compiler cache does not notice.
func TestNamesOfGeneratedHeaders(t *testing.T) {
	hand := map[string]string{}
	for _, dir := range []string{"shim/front", "shim/records", "shim/emulate", "shim/fortran", "mappers", "handletable", "c/asmchooser"} {
		headers, err := filepath.Glob(filepath.Join("..", dir, "*.h"))
		require.NoError(t, err)
		for _, header := range headers {
			hand[filepath.Base(header)] = dir
		}
	}
	files, err := Generate(gentest.Input(t))
	require.NoError(t, err)
	headers := 0
	for _, file := range files {
		if name := filepath.Base(file.Name); filepath.Ext(name) == ".h" {
			headers++
			assert.Empty(t, hand[name], "%s: there is a %s", file.Name, name)
		}
	}
	assert.Greater(t, headers, 6)
}
