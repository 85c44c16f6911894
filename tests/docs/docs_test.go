// Package docs holds the documents against the tree: what they name is there.
package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../.."

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	return string(text)
}

// The README is read in one go; the rest has pages of its own.
func TestLength(t *testing.T) {
	assert.LessOrEqual(t, strings.Count(read(t, "README.md"), "\n"), 150)
}

// Links lead to files, and every page is linked from the README.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)\)`)
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	linked := map[string]bool{}
	for _, page := range slices.Concat(pages, []string{filepath.Join(root, "README.md"), filepath.Join(root, "dri", "README.md")}) {
		name, err := filepath.Rel(root, page)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(read(t, name), -1) {
			to := filepath.Join(filepath.Dir(page), m[1])
			assert.FileExists(t, to, "%s links to %s", name, m[1])
			if name == "README.md" {
				linked[to] = true
			}
		}
	}
	for _, page := range pages {
		assert.True(t, linked[page], "README.md has no link to %s", page)
	}
}

// What the tables of the architecture name as a place is one.
func TestPlaces(t *testing.T) {
	text := read(t, "docs/architecture.md")
	text = text[strings.Index(text, "## Where things are"):]
	code := regexp.MustCompile("`([^` ]+)`")
	places := 0
	for _, m := range code.FindAllStringSubmatch(text, -1) {
		if !strings.ContainsAny(m[1], "/.") {
			continue // a word: `doctor`
		}
		found, err := filepath.Glob(filepath.Join(root, m[1]))
		require.NoError(t, err)
		assert.NotEmpty(t, found, "docs/architecture.md names %s", m[1])
		places++
	}
	assert.Greater(t, places, 40)
}
