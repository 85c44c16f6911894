package docs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// awkward are constructions that docs/style.md advises against. Each may occur in this many of
// 1,000 lines at most.
const awkwardLimit = 3

var awkward = map[string]*regexp.Regexp{
	"says that":          regexp.MustCompile(`\bsays? (that|whether|who|what|which)\b`),
	"what is, as a noun": regexp.MustCompile(`\bwhat (is|are|has|have|comes|was|were)\b`),
	"of ours, of its":    regexp.MustCompile(`\bof (ours|its own)\b|\bof its[.,;:)]`),
	"one that":           regexp.MustCompile(`\bone that\b`),
	"that of, those of":  regexp.MustCompile(`\b(that|those) of\b`),
	"where it":           regexp.MustCompile(`\bwhere (it|there|the)\b`),
	"What begins":        regexp.MustCompile(`(^|[.:] )What\b`),
}

// lineMark returns the mark that begins a comment of one line, or "" for C.
func lineMark(name string) string {
	switch filepath.Ext(name) {
	case ".go":
		return "//"
	case ".F90", ".f90":
		return "!"
	case ".c", ".h", ".cc", ".S":
		return ""
	}
	return "#"
}

// commentLines returns the comment lines of a file of code without their marks, and the number of all lines that are
// not empty.
func commentLines(name, text string) (comments []string, lines int) {
	mark, inside := lineMark(name), false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		lines++
		switch {
		case inside:
			comments = append(comments, strings.TrimPrefix(strings.TrimSuffix(line, "*/"), "* "))
			inside = !strings.Contains(line, "*/")
		case strings.HasPrefix(line, "//go:"), strings.HasPrefix(line, "#!"):
		case mark != "" && strings.HasPrefix(line, mark):
			comments = append(comments, strings.TrimPrefix(line[len(mark):], " "))
		case mark != "":
			if _, comment, has := strings.Cut(line, " "+mark+" "); has {
				comments = append(comments, comment)
			}
		case strings.HasPrefix(line, "//"):
			comments = append(comments, strings.TrimPrefix(line[2:], " "))
		default:
			if _, comment, has := strings.Cut(line, "/*"); has {
				comments = append(comments, strings.TrimPrefix(strings.TrimSuffix(comment, "*/"), " "))
				inside = !strings.Contains(comment, "*/")
			} else if _, comment, has := strings.Cut(line, " // "); has {
				comments = append(comments, comment)
			}
		}
	}
	return comments, lines
}

// isProse reports whether a file's comments are held: Go, C and assembly.
func isProse(name string) bool {
	return slices.Contains([]string{".go", ".c", ".h", ".S"}, filepath.Ext(name))
}

// holdAwkward fails the test if a construction is too frequent in lines of text. The lines are
// listed by file and line.
func holdAwkward(t *testing.T, found map[string][]string, lines int) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(awkward)) {
		assert.LessOrEqual(t, len(found[name])*1000, awkwardLimit*lines, "%q: %d of %d lines, for example\n%s", name, len(found[name]), lines,
			strings.Join(found[name][:min(20, len(found[name]))], "\n"))
	}
}

// note adds the awkward constructions of a line to found.
func note(found map[string][]string, name, line string) {
	for construction, pattern := range awkward {
		if pattern.MatchString(line) {
			found[construction] = append(found[construction], name+": "+line)
		}
	}
}

// Comments are in plain English, and there are enough of them.
func TestComments(t *testing.T) {
	found := map[string][]string{}
	shares := map[bool][2]int{} // by whether it is Go: comment lines, all lines
	total, results := 0, 0
	result := regexp.MustCompile(`(?i)\b(returns|reports whether)\b`)
	production(t, func(name, text string) {
		if !isProse(name) {
			return
		}
		comments, lines := commentLines(name, text)
		isGo := strings.HasSuffix(name, ".go")
		shares[isGo] = [2]int{shares[isGo][0] + len(comments), shares[isGo][1] + lines}
		total += len(comments)
		for _, line := range comments {
			if result.MatchString(line) {
				results++
			}
			note(found, name, line)
		}
	})
	holdAwkward(t, found, total)
	assert.GreaterOrEqual(t, results*1000, 30*total, "\"returns\" and \"reports whether\": %d of %d lines", results, total)
	for isGo, least := range map[bool]float64{true: 0.15, false: 0.12} {
		share := float64(shares[isGo][0]) / float64(shares[isGo][1])
		assert.GreaterOrEqual(t, share, least, "the share of comments, in Go: %v", isGo)
		t.Logf("comments, in Go %v: %.1f %%", isGo, 100*share)
	}
}

// Comments of tests, in every language, are in plain English.
func TestCommentsOfTests(t *testing.T) {
	found, total := map[string][]string{}, 0
	code(t, func(name, text string) {
		if !isTest(name) {
			return
		}
		comments, _ := commentLines(name, text)
		total += len(comments)
		for _, line := range comments {
			note(found, name, line)
		}
	})
	assert.Greater(t, total, 3000)
	holdAwkward(t, found, total)
}

// Documents are in plain English. Blocks of code show what commands print, and are left out.
func TestDocuments(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```.*?```")
	found, total := map[string][]string{}, 0
	for _, page := range append(pages, filepath.Join(root, "README.md"), filepath.Join(root, "RATIONALE.md"), filepath.Join(root, "CHANGELOG.md"), filepath.Join(root, "dri", "README.md")) {
		name, err := filepath.Rel(root, page)
		require.NoError(t, err)
		if filepath.Base(name) == "style.md" { // which shows the constructions
			continue
		}
		for line := range strings.Lines(blocks.ReplaceAllString(read(t, name), "")) {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			total++
			note(found, name, line)
		}
	}
	holdAwkward(t, found, total)
}

// Each pattern finds its construction.
func TestAwkwardIsFound(t *testing.T) {
	comments, lines := commentLines("x.go", "// It says that it is so.\nfunc f() {} // of ours\n\n//go:embed x\n")
	assert.Equal(t, []string{"It says that it is so.", "of ours"}, comments)
	assert.Equal(t, 3, lines)
	comments, _ = commentLines("x.c", "/* What begins.\n * Where it ends. */\nint x; /* one that */\n")
	assert.Equal(t, []string{"What begins.", "Where it ends. ", "one that "}, comments)
	comments, lines = commentLines("x.F90", "! a\ninteger i ! b\nprint *, 'c!'\n")
	assert.Equal(t, []string{"a", "b"}, comments)
	assert.Equal(t, 3, lines)
	comments, _ = commentLines("x.sh", "#!/bin/sh\n# a\nset -u # b\necho $#\n")
	assert.Equal(t, []string{"a", "b"}, comments)
	comments, _ = commentLines("x.cc", "int x; // a\n/* b */\n")
	assert.Equal(t, []string{"a", "b "}, comments)
	for construction, line := range map[string]string{
		"says that": "It says whether", "what is, as a noun": "of what is there", "of ours, of its": "a slot of its own", "one that": "in one that has it",
		"that of, those of": "as those of MPICH", "where it": "where there is none", "What begins": "It ends. What is left",
	} {
		assert.Regexp(t, awkward[construction], line)
	}
}

// TestTenFunctions prints ten functions with their comments, drawn by WI4GO_FUZZ_SEED, to be read.
func TestTenFunctions(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(harness.Number(t, "WI4GO_FUZZ_SEED", 1)), 0))
	var functions []string
	production(t, func(name, text string) {
		if !strings.HasSuffix(name, ".go") {
			return
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, name, text, parser.ParseComments)
		require.NoError(t, err)
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Doc != nil {
				functions = append(functions, fmt.Sprintf("%s:%d %s: %s", name, files.Position(d.Pos()).Line, d.Name.Name, d.Doc.Text()))
			}
		}
	})
	require.Greater(t, len(functions), 500)
	for range 10 {
		t.Log(functions[random.IntN(len(functions))])
	}
}
