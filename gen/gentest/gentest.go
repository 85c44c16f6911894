// Package gentest loads the tables for the tests of the generator.
package gentest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"wi4go/gen/model"
)

// root returns the path of the repository relative to the directory of the running test.
func root(t *testing.T) string {
	t.Helper()
	root := "."
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			return root
		}
		require.Less(t, len(root), 100, "no directory above has the repository")
		root = filepath.Join(root, "..")
	}
}

// Input returns the input of the generator, loaded from the repository's tables.
func Input(t *testing.T) *model.Input {
	t.Helper()
	functions, err := os.ReadFile(filepath.Join(root(t), "funcs.json"))
	require.NoError(t, err)
	table, err := os.ReadFile(filepath.Join(root(t), "mappers.json"))
	require.NoError(t, err)
	in, err := model.Load(functions, table)
	require.NoError(t, err)
	return in
}
