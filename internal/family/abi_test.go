package family

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/abi"
)

// The names by which this package recognizes programs are those in abi/*.json, from which the generator makes the
// fronts.
func TestSonamesAreTheTables(t *testing.T) {
	var names []string
	for _, f := range All {
		names = append(names, f.Name)
		table, err := abi.Load(f.Name)
		require.NoError(t, err)
		assert.Equal(t, table.Sonames["c"], f.Sonames, f.Name)
		for language, part := range map[string]Part{"c": C, "cxx": Cxx, "fortran": Fortran} {
			for _, soname := range table.Sonames[language] {
				family, of := OfLibrary(soname)
				assert.Equal(t, f, family, soname)
				assert.Equal(t, part, of, soname)
			}
		}
	}
	assert.Equal(t, abi.Names(), slices.Sorted(slices.Values(names)))
}
