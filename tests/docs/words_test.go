package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// structure matches the definition of a structure of the device or of collective operations. Its word is the name without
// the prefix of its folder.
var structure = regexp.MustCompile(`\bstruct (?:adi_|area_|memory_)?(\w+) \{`)

// The glossary of adi.md has a word for each structure that the files of the device and of collective operations share, and
// each of its words is in the code.
func TestWords(t *testing.T) {
	_, table, found := strings.Cut(read(t, "docs/adi.md"), "\n| word | meaning |\n")
	require.True(t, found, "docs/adi.md has no table of words")
	words := map[string]bool{}
	for _, line := range strings.Split(table, "\n")[1:] {
		if !strings.HasPrefix(line, "| ") {
			break
		}
		for _, word := range strings.Split(strings.Split(line, "|")[1], ",") {
			words[strings.TrimSpace(word)] = true
		}
	}
	code := ""
	for _, pattern := range []string{"embedded/adi/*.[ch]", "embedded/coll/*.[ch]", "embedded/base/*.h"} {
		paths, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, paths)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			code += string(text)
			if filepath.Ext(path) == ".c" || strings.Contains(pattern, "base") {
				continue
			}
			for _, m := range structure.FindAllStringSubmatch(string(text), -1) {
				assert.True(t, words[m[1]] || isOfPaper(m[1]), "%s: docs/adi.md does not explain %q", path, m[1])
			}
		}
	}
	for word := range words {
		assert.Regexp(t, `\b(\w*_)?`+regexp.QuoteMeta(word)+`(_\w*)?\b`, code, "docs/adi.md explains a word that the code does not use")
	}
}

// isOfPaper reports whether a structure is a part of the interface that the paper on the device defines, or of the
// standard ABI.
func isOfPaper(name string) bool { return strings.HasPrefix(name, "MPI") }
