package abi_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/abi"
	"wi4go/internal/launchers"
)

// Each family describes its libraries' behavior, and its introduction can be printed.
func TestTraits(t *testing.T) {
	standards := 0
	for name, f := range families(t) {
		traits := f.Traits
		assert.Equal(t, name, f.Vendors[0].Name)
		assert.NotEmpty(t, f.Vendors[0].Introduction, name)
		if l := launchers.Of(f.Launcher); assert.NotNil(t, l, "%s: internal/launchers has no file for %q", name, f.Launcher) {
			assert.Contains(t, []launchers.Manager{launchers.PMI, launchers.PMIx}, l.Manager, name)
			assert.NotEmpty(t, l.Numbers.Rank, name)
		}
		for _, v := range f.Vendors {
			assert.True(t, v.Launcher == "" || launchers.Of(v.Launcher) != nil, "%s: internal/launchers has no file for %q", v.Name, v.Launcher)
		}
		assert.NotEmpty(t, traits.Joint, name)
		assert.Contains(t, []string{"split", "leading", "trailing"}, traits.Status, name)
		assert.Contains(t, f.Constants, traits.IgnoredStatusError, name)
		if traits.FirstAddedError != 0 {
			assert.GreaterOrEqual(t, traits.FirstAddedError, f.Constants["MPI_ERR_LASTCODE"], name)
		}
		if traits.Standard {
			standards++
		}
	}
	assert.Equal(t, 1, standards, "one ABI is the standard's")
}

// namesFamilies are the production files that name a family, with the reason. The facts about a family are in
// abi/*.json. These files have a name, a text, or a library of one family alone.
var namesFamilies = map[string]string{
	"abi/internal/header/header.go": "the probe identifies a compiler's family by its mpi.h",
	"internal/family/family.go":     "the order in which messages list them, and names for tests",
	"cmd/wi4go/advice.go":           "names of distributions' packages",
	"internal/config/config.go":     "examples in messages",
	"internal/container/needs.go":   "packages' files in a container",
	"internal/runtimes/vendor.go":   "names of vendors that code is about",
}

// A family's name in code is a fact that is missing from the data: another family would have to be added there. It
// belongs into a trait, or the list above has the reason why not.
func TestFamiliesAreData(t *testing.T) {
	family := regexp.MustCompile(`"(` + strings.Join(abi.Names(), "|") + `)[@"]|[AR]_IS_\w+|\bFAMILY_\w+|\bfamily\.(OpenMPI|MPICH|StandardABI)\b`)
	var found []string
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel("..", path)
		top, _, _ := strings.Cut(name, string(filepath.Separator))
		switch {
		case err != nil:
			return err
		case d.IsDir() && !slices.Contains([]string{"", ".", "abi", "c", "cmd", "gen", "handletable", "internal", "mappers", "shim"}, top):
			return filepath.SkipDir
		case !slices.Contains([]string{".go", ".c", ".h", ".S"}, filepath.Ext(path)) || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for number, line := range strings.Split(string(text), "\n") {
			code, _, _ := strings.Cut(strings.TrimSpace(line), "//")
			if family.MatchString(code) && !strings.HasPrefix(code, "*") {
				if namesFamilies[name] == "" {
					t.Errorf("%s:%d names a family: %s", name, number+1, code)
				}
				found = append(found, name)
			}
		}
		return nil
	}))
	for name := range namesFamilies {
		assert.Contains(t, found, name, "it no longer names a family: remove it from the list")
	}
}
