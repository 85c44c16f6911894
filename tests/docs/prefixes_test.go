package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/gen"
	"wi4go/gen/fortran"
	"wi4go/gen/gentest"
	"wi4go/gen/model"
)

// prefixed matches an identifier of C that ends with the name of a function of MPI, as it is or
// as the generator and macros put it together.
var prefixed = regexp.MustCompile(`\b([A-Za-z]\w*?_)(MPIX?_(?:T_)?[A-Z][a-z]\w*)\b`)

// The glossary of architecture.md has each prefix of a function's name that the C and the
// assembly of the fronts use, and no other.
func TestPrefixes(t *testing.T) {
	in := gentest.Input(t)
	functions := map[string]bool{}
	for _, f := range in.Functions {
		functions[f.Name] = true
	}
	used := map[string]string{} // a name with the prefix, by the prefix
	see := func(text string) {
		for _, m := range prefixed.FindAllStringSubmatch(text, -1) {
			if functions[m[2]] {
				used[prefix(m[1])] = m[0]
			}
		}
	}
	files, err := gen.Generate(in)
	require.NoError(t, err)
	libraries, err := fortran.Libraries(in)
	require.NoError(t, err)
	for _, file := range append(files, libraries...) {
		// own.c has names of functions of the MPI libraries.
		if extension := filepath.Ext(file.Name); filepath.Base(file.Name) != "own.c" && (extension == ".c" || extension == ".h" || extension == ".S") {
			see(string(file.Text))
		}
	}
	for _, pattern := range []string{"mappers/*.h", "shim/*/*.[ch]", "c/asmchooser/*.[hS]"} {
		paths, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, paths)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			see(string(text))
		}
	}
	_, table, found := strings.Cut(read(t, "docs/architecture.md"), "\n| prefix | meaning |\n")
	require.True(t, found, "docs/architecture.md has no table of prefixes")
	table, _, _ = strings.Cut(table, "\n\n")
	explained := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| (.*?) \\|").FindAllStringSubmatch(table, -1) {
		for _, name := range regexp.MustCompile("`(\\w+_)`").FindAllStringSubmatch(m[1], -1) {
			explained[name[1]] = true
		}
	}
	assert.Greater(t, len(explained), 12)
	for name, example := range used {
		assert.True(t, explained[name], "%s: docs/architecture.md does not explain the prefix %s", example, name)
	}
	for name := range explained {
		assert.NotEmpty(t, used[name], "docs/architecture.md explains the prefix %s, which nothing has", name)
	}
}

// prefix returns a prefix as the glossary has it: with LAYER in place of a layer's name.
func prefix(found string) string {
	for _, layer := range model.Layers {
		if name := layer.Name + "_"; strings.HasSuffix(found, name) && (found == name || found == "below_"+name || found == "LINK_"+name) {
			return strings.TrimSuffix(found, name) + "LAYER_"
		}
	}
	return found
}
