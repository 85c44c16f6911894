package launcher

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// `make demo` works on a machine without an MPI; the configuration hides the machine's own.
func TestDemo(t *testing.T) {
	if os.Getenv("LD_LIBRARY_PATH") != "" {
		t.Skip("LD_LIBRARY_PATH may name an MPI that the configuration does not hide")
	}
	config := filepath.Join(t.TempDir(), "wi4go/config.toml")
	require.NoError(t, os.MkdirAll(filepath.Dir(config), 0o755))
	// The embedded MPI is in the directory of the build, which may be anywhere: hide files by their names.
	hidden := []string{"/usr", "/lib", "/opt"}
	for _, dir := range []string{"", "/*", "/*/*", "/*/*/*", "/*/*/*/*"} {
		hidden = append(hidden, "/*/*/*"+dir+"/lib/libmpi*", "/*/*/*"+dir+"/lib/release/libmpi*")
	}
	require.NoError(t, os.WriteFile(config, []byte(`hide = ["`+strings.Join(hidden, `", "`)+`"]`), 0o644))
	c := exec.Command("make", "-s", "-o", "all", "demo")
	c.Dir = "../../.."
	c.Env = append(os.Environ(), "XDG_CONFIG_HOME="+filepath.Dir(filepath.Dir(config)), "MAKEFLAGS=", "WI4GO_TO=")
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Contains(t, string(out), "wi4go: note: no MPI library is installed: wi4go uses its own, embedded")
	assert.Contains(t, string(out), "executed by  wi4go embedded MPI ")
	assert.Contains(t, string(out), "ring         4 ranks, token 6: as it should be")
}
