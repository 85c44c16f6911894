package gen

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/gen/gentest"
)

// No generated header has the same name as a header that generated sources include from another directory. The compiler
// would find the generated one first, and a compiler cache would not notice.
func TestNamesOfGeneratedHeaders(t *testing.T) {
	hand := map[string]string{}
	for _, dir := range []string{"shim/front", "shim/tracked", "shim/emulate", "shim/fortran", "mappers", "handletable", "c/asmchooser"} {
		headers, err := filepath.Glob(filepath.Join("..", dir, "*.h"))
		require.NoError(t, err)
		for _, header := range headers {
			hand[filepath.Base(header)] = dir
		}
	}
	files, err := Generate(gentest.Input(t))
	require.NoError(t, err)
	headers := 0
	for _, file := range files {
		if name := filepath.Base(file.Name); filepath.Ext(name) == ".h" {
			headers++
			assert.Empty(t, hand[name], "%s: there is a %s", file.Name, name)
		}
	}
	assert.Greater(t, headers, 6)
}

// The generator does not guess the meaning of a function or a parameter from its name: funcs.json states it. Only the
// generator's checks look at names, to refuse an entry that lacks its meaning.
func TestNothingIsGuessed(t *testing.T) {
	guess := regexp.MustCompile(`(Has(Prefix|Suffix)|Contains|Cut(Prefix|Suffix)?|Match\w*|Find\w*)\((\w+\.)*(ToLower\()?[\w.\[\]]*\.Name\b|\.Name [!=]= "`)
	n := 0
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || path == "model/check.go" {
			return err
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		n++
		assert.Empty(t, guess.FindAllString(string(text), -1), "%s guesses from a name: make it a key of funcs.json", path)
		return nil
	}))
	assert.Greater(t, n, 30, "the number of checked files")
}
