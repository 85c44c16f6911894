// Package dtpools runs the datatype pools' own test natively on one rank: every layout of every basic type, the errors
// that a check finds, bad arguments, and the environment. The pools are compiled as in another project: the installed
// sources and header, with each family's mpicc.
package dtpools

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

func TestPools(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	sources, err := filepath.Glob(filepath.Join(prefix, "share/wi4go/dtpools/*.c"))
	require.NoError(t, err)
	require.Len(t, sources, 2, "run make first")
	for _, library := range harness.Names {
		t.Run(library, func(t *testing.T) {
			t.Parallel()
			tools, err := harness.Find(library)
			if err != nil {
				harness.Missing(t, err)
			}
			program := filepath.Join(t.TempDir(), "pools")
			include := []string{"-Wno-unused-parameter", "-I", filepath.Join(prefix, "share/wi4go/dtpools")}
			require.NoError(t, tools.Compile("programs/pools.c", program, append(include, sources...)...))
			c := exec.CommandContext(t.Context(), program)
			c.Dir = t.TempDir()
			c.Env = append(harness.Environ(), "TMPDIR="+c.Dir)
			out, err := c.CombinedOutput()
			assert.NoError(t, err)
			assert.Equal(t, "PASS dtpools\n", string(out))
		})
	}
}
