package docs

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

// isTest reports whether a file belongs to the tests.
func isTest(name string) bool {
	return strings.HasPrefix(name, "tests/") || strings.HasSuffix(name, "_test.go") || strings.Contains(name, "/testdata/")
}

// code calls see for each file of code, in any language and of the build. Facts (*.json, *.exports) and text are not
// code, and the generator's golden files are not written by hand.
func code(t *testing.T, see func(name, text string)) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if d.IsDir() {
			golden := strings.HasPrefix(name, "gen/") && d.Name() == "testdata"
			if name == "build" || golden || name != "." && strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		languages := []string{".go", ".c", ".h", ".S", ".cc", ".F90", ".f90", ".py", ".sh", ".mk", ".tmpl"}
		if d.Name() != "Makefile" && !slices.Contains(languages, filepath.Ext(name)) {
			return nil
		}
		text, err := os.ReadFile(path)
		see(name, string(text))
		return err
	}))
}

// production calls see for each file of code that is no test.
func production(t *testing.T, see func(name, text string)) {
	t.Helper()
	code(t, func(name, text string) {
		if !isTest(name) {
			see(name, text)
		}
	})
}

// The trait in a family's file marks the family that has the standard ABI. Code that names the family would have to be
// found if another family took its place.
func TestStandardIsATrait(t *testing.T) {
	const most = 2
	var naming []string
	seen := 0
	production(t, func(name, text string) {
		seen++
		if strings.Contains(text, abi.Standard()) {
			naming = append(naming, name)
		}
	})
	assert.Greater(t, seen, 300)
	assert.LessOrEqual(t, len(naming), most, "these files name the family of the standard ABI; use abi.Standard, family.StandardABI or the trait: %s", naming)
}

// A launcher's options, variables and output are described in its file. Code that names a launcher would have to be
// changed for another one.
func TestLaunchersAreData(t *testing.T) {
	var names []string
	for _, l := range launchers.All {
		if l.IsCommand() {
			names = append(names, l.Name)
		}
	}
	require.Contains(t, names, "orte")
	named := regexp.MustCompile(`"(` + strings.Join(names, "|") + `)"`)
	production(t, func(name, text string) {
		for number, line := range strings.Split(text, "\n") {
			code, _, _ := strings.Cut(line, "//")
			assert.False(t, named.MatchString(code), "%s:%d names a launcher: let its file in internal/launchers have the fact", name, number+1)
		}
	})
}
