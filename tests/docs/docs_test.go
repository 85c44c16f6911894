// Package docs checks the documents against the tree: every name in them exists.
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
)

const root = "../.."

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	return string(text)
}

// The README is short enough to be read at once; other pages have the details.
func TestLength(t *testing.T) {
	assert.Less(t, strings.Count(read(t, "README.md"), "\n"), 120)
}

// The first ten lines describe the project and its users. Then come the situations in which it
// helps, the installation, and the list of pages.
func TestFirstLines(t *testing.T) {
	text := read(t, "README.md")
	first := strings.Join(strings.SplitAfterN(text, "\n", 11)[:10], "")
	for _, description := range []string{"MPI", "for people who", "native speed"} {
		assert.Contains(t, first, description)
	}
	assert.Equal(t, []string{"wi4go", "when-you-want-it", "install", "what-works", "read-on", "work-on-it"}, headings(regexp.MustCompile("(?s)```.*?```").ReplaceAllString(text, "")))
	situations, _, _ := strings.Cut(text[strings.Index(text, "## When you want it"):], "\n## Install")
	assert.Len(t, regexp.MustCompile(`(?m)^\*\*[^*]+\*\*`).FindAllString(situations, -1), 4)
	assert.Contains(t, text[:strings.Index(text, "## When you want it")], "make demo")
}

// Links lead to files, and the README links to every page.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]+))?\)`)
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	linked := map[string]bool{}
	for _, page := range slices.Concat(pages, []string{filepath.Join(root, "README.md"), filepath.Join(root, "CHANGELOG.md"), filepath.Join(root, "dri", "README.md"), filepath.Join(root, "dtpools", "README.md")}) {
		name, err := filepath.Rel(root, page)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(read(t, name), -1) {
			to := page
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(page), m[1])
			}
			if assert.FileExists(t, to, "%s links to %s", name, m[1]) && m[2] != "" {
				at, err := filepath.Rel(root, to)
				require.NoError(t, err)
				assert.Contains(t, headings(read(t, at)), m[2], "%s links to a chapter of %s", name, at)
			}
			if name == "README.md" {
				linked[to] = true
			}
		}
	}
	for _, page := range pages {
		assert.True(t, linked[page], "README.md has no link to %s", page)
	}
}

// headings returns a page's chapters as links name them.
func headings(text string) (names []string) {
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		name := regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(m[1]), "")
		names = append(names, strings.ReplaceAll(name, " ", "-"))
	}
	return names
}

// sources returns the contents of the files of some kinds below some directories: either tests, or
// everything else.
func sources(t *testing.T, tests bool, dirs ...string) string {
	t.Helper()
	var all strings.Builder
	for _, dir := range dirs {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, dir), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !slices.Contains([]string{".go", ".c", ".h", ".cc"}, filepath.Ext(path)) {
				return err
			}
			if tests || !strings.HasSuffix(path, "_test.go") {
				text, err := os.ReadFile(path)
				all.Write(text)
				return err
			}
			return nil
		}))
	}
	return all.String()
}

// found returns the first groups of an expression's matches, sorted, each once.
func found(expression, text string) []string {
	var names []string
	for _, m := range regexp.MustCompile(expression).FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// rows returns the variables in the first column of a chapter's table.
func rows(t *testing.T, chapter string) []string {
	t.Helper()
	_, text, ok := strings.Cut(read(t, "docs/reference.md"), "\n## "+chapter+"\n")
	require.True(t, ok, "docs/reference.md has no chapter %q", chapter)
	text, _, _ = strings.Cut(text, "\n## ")
	var first strings.Builder
	for line := range strings.Lines(text) {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			first.WriteString(cells[1])
		}
	}
	return found("`(WI4GO_[A-Z0-9_]+)`", first.String())
}

// The table of variables has exactly those that the code reads, and doctor knows the same.
func TestVariables(t *testing.T) {
	text := sources(t, false, "cmd", "internal", "shim", "mappers")
	fake := sources(t, false, "internal/fakempi")
	read := slices.DeleteFunc(found(`"(WI4GO_[A-Z0-9_]+)"`, text), func(name string) bool {
		return strings.Contains(fake, name) && name != "WI4GO_TO" && name != "WI4GO_AUDIT" // variables of the tests themselves
	})
	assert.Equal(t, read, rows(t, "Variables"), "docs/reference.md, and the variables in cmd, internal, shim and mappers")

	environment := sources(t, false, "internal/doctor")
	_, known, ok := strings.Cut(environment, "var ownVariables = map[string]string{")
	require.True(t, ok)
	known, _, _ = strings.Cut(known, "\n}")
	assert.Equal(t, found(`"(WI4GO_[A-Z0-9_]+)"`, known), rows(t, "Variables"), "docs/reference.md, and the variables that wi4go doctor knows")
}

// The same holds for the table of the tests' variables. Variables of single libraries are described
// by their pattern.
func TestTestVariables(t *testing.T) {
	text, script := sources(t, true, "tests", "bench", "internal/fakempi", "abi", "gen", "dri"), read(t, "tests/projects.sh")
	read := append(found(`(?:Getenv|LookupEnv|Number)\((?:t, )?"(WI4GO_[A-Z0-9_]+)"`, text), found(`"(WI4GO_DRI_[A-Z]+)":`, text)...)
	read = append(read, found(`\$\{(WI4GO_[A-Z0-9_]+):-`, script)...)
	slices.Sort(read)
	bin := func(name string) bool { return strings.HasSuffix(name, "_BIN") }
	assert.Equal(t, slices.DeleteFunc(read, bin), rows(t, "Variables of the tests"))
}

// The reference lists the settings that the package reads.
func TestSettings(t *testing.T) {
	_, text, ok := strings.Cut(read(t, "docs/reference.md"), "\n## The configuration\n")
	require.True(t, ok)
	text, _, _ = strings.Cut(text, "\n## ")
	named := found("(?m)^\\| (?:`\\[runtime.VENDOR\\]` )?`([a-z]+)`", text)
	tags := found("`toml:\"([a-z]+)\"`", sources(t, false, "internal/config"))
	tags = slices.DeleteFunc(tags, func(name string) bool { return name == "runtime" })
	assert.Equal(t, tags, named)
}

// Every path in the tables of the architecture exists.
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
