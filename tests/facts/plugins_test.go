package facts

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hwloc, which a runtime uses, loads its plugins if it does so natively. They look up its symbols in the global scope.
func TestHwlocPlugins(t *testing.T) {
	plugin := filepath.Join(t.TempDir(), "hwloc_fact.so")
	text, err := exec.Command("gcc", "-shared", "-fPIC", "-o", plugin, filepath.Join("programs", "hwloc_fact.c")).CombinedOutput()
	require.NoError(t, err, string(text))
	under := []string{"env", "HWLOC_PLUGINS_PATH=" + filepath.Dir(plugin)}
	each(t, func(t *testing.T, d direction) {
		expected := native(t, append(under, compile(t, d.runtime, "hello.c"))...)
		expected.ok(t)
		got := d.run(t, append(under, compile(t, d.app, "hello.c"))...)
		got.ok(t)
		assert.Equal(t, expected.stdout, got.stdout)
		if d.runtime.Name == "mpich" {
			assert.Contains(t, expected.stdout, "hwloc has loaded its plugin")
		}
	})
}
