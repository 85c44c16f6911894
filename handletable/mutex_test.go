//go:build !wi4go_debug

package handletable

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// All tests of this package run again with go-deadlock for the locks in Go.
func TestDebugBuild(t *testing.T) {
	t.Parallel()
	c := exec.Command("go", "test", "-count=1", "-tags", "wi4go_debug", "-run", "^Test(Mutex|Registry|Concurrent|Adopt|Leftover)", ".")
	c.Env = append(os.Environ(), "CGO_ENABLED=1")
	out, err := c.CombinedOutput()
	require.NoError(t, err, string(out))
}
