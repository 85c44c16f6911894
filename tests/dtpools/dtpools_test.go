// Package dtpools runs the datatype pools' own test on one rank, natively and on the embedded MPI: every layout of every basic type, the errors
// that a check finds, bad arguments, and the environment. The pools are compiled as in another project: the installed
// sources and header, with each family's mpicc.
package dtpools

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

func TestPools(t *testing.T) {
	for _, library := range harness.Names {
		t.Run(library, func(t *testing.T) {
			t.Parallel()
			assertPasses(t, compile(t, library))
		})
	}
}

// The same through each front on the embedded MPI.
func TestEmbedded(t *testing.T) {
	for _, from := range append(slices.Clone(harness.Names), harness.Interface) {
		t.Run(from, func(t *testing.T) {
			t.Parallel()
			assertPasses(t, filepath.Join(prefix(t), "bin/wi4go"), "run", "--to", "embedded", "-n", "1", compile(t, from))
		})
	}
}

func prefix(t *testing.T) string {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	return prefix
}

// compile compiles the test for a family, with the installed sources of the pools.
func compile(t *testing.T, family string) string {
	sources, err := filepath.Glob(filepath.Join(prefix(t), "share/wi4go/dtpools/*.c"))
	require.NoError(t, err)
	require.Len(t, sources, 2, "run make first")
	tools, err := harness.FindIn(prefix(t), family)
	if err != nil {
		harness.Missing(t, err)
	}
	program := filepath.Join(t.TempDir(), "pools")
	include := []string{"-Wno-unused-parameter", "-I", filepath.Join(prefix(t), "share/wi4go/dtpools")}
	require.NoError(t, tools.Compile("programs/pools.c", program, append(include, sources...)...))
	return program
}

func assertPasses(t *testing.T, command ...string) {
	c := exec.CommandContext(t.Context(), command[0], command[1:]...)
	c.Dir = t.TempDir()
	c.Env = append(harness.Environ(), "TMPDIR="+c.Dir)
	out, err := c.CombinedOutput()
	assert.NoError(t, err)
	assert.Equal(t, "PASS dtpools\n", string(out))
}
