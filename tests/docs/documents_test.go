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

// fields of the table of documents in docs/architecture.md: `a/path`, and the tests that follow it.
var (
	documentPath = regexp.MustCompile("`([^`]+)`")
	documentTest = regexp.MustCompile("\\bTest[A-Z]\\w*")
)

// hasTest reports whether a test file of a folder defines a test.
func hasTest(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if strings.Contains(string(text), "\nfunc "+name+"(t *testing.T)") {
			return true
		}
	}
	return false
}

// The code and the tests in the table of documents exist, and each row names both.
func TestDocumentsThatWeFollow(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs/architecture.md"))
	require.NoError(t, err)
	_, table, found := strings.Cut(string(text), "\n| document, section | code | test |\n|---|---|---|\n")
	require.True(t, found, "docs/architecture.md has no table of documents")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")
	require.Greater(t, len(rows), 10)
	for _, row := range rows {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		if !assert.Len(t, cells, 3, row) {
			continue
		}
		code := documentPath.FindAllStringSubmatch(cells[1], -1)
		assert.NotEmpty(t, code, "no code: %s", row)
		for _, path := range code {
			_, err := os.Stat(filepath.Join(root, path[1]))
			assert.NoError(t, err, row)
		}
		assert.NotEmpty(t, documentTest.FindString(cells[2]), "no test: %s", row)
		for _, tests := range strings.Split(cells[2], "; ") {
			folder := documentPath.FindStringSubmatch(tests)
			if !assert.NotNil(t, folder, row) {
				continue
			}
			for _, name := range documentTest.FindAllString(tests, -1) {
				assert.True(t, hasTest(t, folder[1], name), "%s has no %s", folder[1], name)
			}
		}
	}
}
