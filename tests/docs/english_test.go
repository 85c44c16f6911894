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

// patterned is a construction of comments that may occur in at most most of 1,000 comments, or of their lines.
type patterned struct {
	pattern *regexp.Regexp
	starts  bool // counted at the beginning of a comment only, per 1,000 comments
	most    int  // how often it must stay below, per 1,000
}

// dialect are the habits of this project's comments that other projects do not share: a comment without its noun, a
// second explanation behind a semicolon, and "has" in place of a verb that tells more.
var dialect = map[string]patterned{
	"begins with of":      {regexp.MustCompile(`^[Oo]f\b`), true, 3},
	"The same, no noun":   {regexp.MustCompile(`(^|[.:;] )[Tt]he same( (as|for|if|in|of|to|when|with)\b|[,.:;]| ?$)`), false, 3},
	"; x: …":              {regexp.MustCompile(`; [^;:.]{1,40}: |\b(none|0|NULL|nil|-1): (there (is|are)|no)\b`), false, 3},
	"has the, a, an, no":  {regexp.MustCompile(`\bhas (the|an?|no)\b`), false, 15},
	"change of a process": {regexp.MustCompile(`\bchanges? of (the|a) process(es)?\b`), false, 1},
}

// comment is one line of a comment, without its marks.
type comment struct {
	text   string
	begins bool // the first line of its comment
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

// comments returns the comment lines of a file of code without their marks, and the number of all lines that are not
// empty. Adjacent lines of line comments are one comment.
func comments(name, text string) (found []comment, lines int) {
	mark := lineMark(name)
	inside, whole := false, false // in a block; the previous line was a line comment alone
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			whole = false
			continue
		}
		lines++
		continues := whole
		whole = false
		switch {
		case inside:
			found = append(found, comment{strings.TrimPrefix(strings.TrimSuffix(line, "*/"), "* "), false})
			inside = !strings.Contains(line, "*/")
		case strings.HasPrefix(line, "//go:"), strings.HasPrefix(line, "#!"):
		case mark != "" && strings.HasPrefix(line, mark):
			found, whole = append(found, comment{strings.TrimPrefix(line[len(mark):], " "), !continues}), true
		case mark != "":
			if _, text, has := strings.Cut(line, " "+mark+" "); has {
				found = append(found, comment{text, true})
			}
		case strings.HasPrefix(line, "//"):
			found, whole = append(found, comment{strings.TrimPrefix(line[2:], " "), !continues}), true
		default:
			if _, text, has := strings.Cut(line, "/*"); has {
				found = append(found, comment{strings.TrimPrefix(strings.TrimSuffix(text, "*/"), " "), true})
				inside = !strings.Contains(text, "*/")
			} else if _, text, has := strings.Cut(line, " // "); has {
				found = append(found, comment{text, true})
			}
		}
	}
	return found, lines
}

// commentLines returns the text of the comment lines of a file of code, and the number of all lines that are not empty.
func commentLines(name, text string) (texts []string, lines int) {
	found, lines := comments(name, text)
	for _, c := range found {
		texts = append(texts, c.text)
	}
	return texts, lines
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

// Comments have none of the project's own habits, and the C files alone have enough comments. The test prints the folders
// with the most findings.
func TestDialect(t *testing.T) {
	habits, folders := map[string][]string{}, map[string]map[string]int{}
	lines, starts, ofC, allOfC := 0, 0, 0, 0
	production(t, func(name, text string) {
		if !isProse(name) {
			return
		}
		found, all := comments(name, text)
		if filepath.Ext(name) == ".c" {
			ofC, allOfC = ofC+len(found), allOfC+all
		}
		for _, c := range found {
			lines++
			if c.begins {
				starts++
			}
			for habit, p := range dialect {
				if (c.begins || !p.starts) && p.pattern.MatchString(c.text) {
					habits[habit] = append(habits[habit], name+": "+c.text)
					if folders[habit] == nil {
						folders[habit] = map[string]int{}
					}
					folders[habit][filepath.Dir(name)]++
				}
			}
		}
	})
	require.Greater(t, starts, 5000)
	require.Greater(t, lines, starts)
	for _, habit := range slices.Sorted(maps.Keys(dialect)) {
		p, total := dialect[habit], lines
		if p.starts {
			total = starts
		}
		n := len(habits[habit])
		t.Logf("%s: %.1f of 1,000; by folder: %v", habit, 1000*float64(n)/float64(total), folders[habit])
		assert.Less(t, n*1000, p.most*total, "%q: %d of %d, for example\n%s", habit, n, total, strings.Join(habits[habit][:min(20, n)], "\n"))
	}
	share := float64(ofC) / float64(allOfC)
	t.Logf("comments in .c files: %.1f %%", 100*share)
	assert.GreaterOrEqual(t, share, 0.12, "the share of comments in .c files: %d of %d lines", ofC, allOfC)
}

// Each habit is found, and the plain form is not.
func TestDialectIsFound(t *testing.T) {
	found, _ := comments("x.c", "/* Of a.\n * of b */\nint x; /* of c */\n")
	assert.Equal(t, []comment{{"Of a.", true}, {"of b ", false}, {"of c ", true}}, found)
	found, _ = comments("x.go", "// of a\n// b\nvar x int // of c\n")
	assert.Equal(t, []comment{{"of a", true}, {"b", false}, {"of c", true}}, found)
	for habit, examples := range map[string][2]string{ // the habit, the plain form
		"begins with of":      {"of the message", "bytes of the message"},
		"The same, no noun":   {"The same for a request.", "Requests of the same rank."},
		"; x: …":              {"the handle; NULL: none", "the handle, or NULL"},
		"has the, a, an, no":  {"it has a slot", "it has returned"},
		"change of a process": {"a change of the process", "a context switch"},
	} {
		assert.Regexp(t, dialect[habit].pattern, examples[0])
		assert.NotRegexp(t, dialect[habit].pattern, examples[1])
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

// cFunction matches the comment before a function of C, and the function's name.
var cFunction = regexp.MustCompile(`(?m)^/\*((?:[^*]|\*[^/])*)\*/\n((?:\w+[ *]+)+)(\w+)\([^;{}]*\)\n\{$`)

// cFunctions returns the functions in a text of C that have a comment, each with its line, its name and its comment.
func cFunctions(name, text string) (functions []string) {
	for _, m := range cFunction.FindAllStringSubmatchIndex(text, -1) {
		line := 1 + strings.Count(text[:m[4]], "\n")
		functions = append(functions, fmt.Sprintf("%s:%d %s: %s", name, line, text[m[6]:m[7]], strings.TrimSpace(text[m[2]:m[3]])))
	}
	return functions
}

// goFunctions returns the functions in a text of Go that have a comment, each with its line, its name and its comment.
func goFunctions(t *testing.T, name, text string) (functions []string) {
	t.Helper()
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, name, text, parser.ParseComments)
	require.NoError(t, err)
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Doc != nil {
			functions = append(functions, fmt.Sprintf("%s:%d %s: %s", name, files.Position(d.Pos()).Line, d.Name.Name, d.Doc.Text()))
		}
	}
	return functions
}

// TestTenFunctions prints ten functions of Go and ten of C with their comments, drawn by WI4GO_FUZZ_SEED, to be read.
func TestTenFunctions(t *testing.T) {
	assert.Equal(t, []string{"x.c:3 two: Returns\n * 2."}, cFunctions("x.c", "/* Returns\n * 2. */\nstatic int two(void)\n{\n}\nint one(void)\n{\n}\n"))
	functions := map[string][]string{}
	production(t, func(name, text string) {
		switch filepath.Ext(name) {
		case ".go":
			functions["Go"] = append(functions["Go"], goFunctions(t, name, text)...)
		case ".c":
			functions["C"] = append(functions["C"], cFunctions(name, text)...)
		}
	})
	random := rand.New(rand.NewPCG(uint64(harness.Number(t, "WI4GO_FUZZ_SEED", 1)), 0))
	for _, language := range []string{"Go", "C"} {
		require.Greater(t, len(functions[language]), 500, language)
		for range 10 {
			t.Log(functions[language][random.IntN(len(functions[language]))])
		}
	}
}
