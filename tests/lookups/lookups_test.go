// Package lookups checks the numbers of file-system calls of wi4go's commands against their limits.
package lookups

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/bench/lookups"
	"wi4go/tests/harness"
)

// After the first search, finding a library does not cost more if the machine has many others, and the list stays
// within the limit for each library.
func TestLookUps(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		harness.Missing(t, fmt.Errorf("strace: %w", harness.ErrMissing))
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	wi4go := filepath.Join(prefix, "bin", "wi4go")
	home := t.TempDir()
	calls := func(args ...string) int {
		n, err := lookups.Calls(home, append([]string{wi4go}, args...)...)
		require.NoError(t, err)
		return n
	}
	require.NoError(t, lookups.Site(home, 2))
	alone := calls("list")
	assert.LessOrEqual(t, alone, lookups.List.Calls+2*60, "the machine's libraries, and two more")
	require.NoError(t, lookups.Site(home, lookups.Many))
	assert.LessOrEqual(t, calls("list"), lookups.ListMany.Calls)
	for _, to := range []string{"mpich", "mpich@4.0.7", "openmpi@4.1.8"} {
		for how, limit := range map[string]lookups.Limit{"exec": lookups.Exec, "run": lookups.DryRun} {
			command := []string{how, "--to", to, "--dry-run", "true"}
			calls(command...)
			assert.LessOrEqual(t, calls(command...), limit.Calls, command)
		}
		calls("exec", "--to", to, "true")
		assert.LessOrEqual(t, calls("exec", "--to", to, "true"), lookups.Exec.Calls, to)
	}
}
