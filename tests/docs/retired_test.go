package docs

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A retiredWord is a line of testdata/retired.txt.
type retiredWord struct{ word, instead string }

// retiredWords returns the lines of testdata/retired.txt. Its format is described in its first lines.
func retiredWords(t *testing.T) (words []retiredWord) {
	t.Helper()
	text := read(t, filepath.Join("tests", "docs", "testdata", "retired.txt"))
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "|")
		require.Len(t, fields, 2, line)
		w := retiredWord{word: strings.TrimSpace(fields[0]), instead: strings.TrimSpace(fields[1])}
		require.NotEmpty(t, w.word, line)
		require.NotEmpty(t, w.instead, line)
		words = append(words, w)
	}
	return words
}

// pattern returns an expression that matches the phrase, also across lines.
func (w retiredWord) pattern() *regexp.Regexp {
	expression := strings.ReplaceAll(regexp.QuoteMeta(w.word), " ", `\s+`)
	if strings.HasSuffix(expression, `\*`) {
		expression = strings.TrimSuffix(expression, `\*`) + `\w*`
	}
	return regexp.MustCompile(`(?i)(^|[^\w/.-])(` + expression + `)($|[^\w.-]|\.$|\.\W)`)
}

var (
	inlineCode = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	cNoCode    = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'`)
	wordLike   = regexp.MustCompile(`[A-Za-z_]\w*`)
)

// identifiersIn returns the identifiers of a Go or C file, without its comments and strings.
func identifiersIn(name, text string) map[string]bool {
	found := map[string]bool{}
	switch filepath.Ext(name) {
	case ".go":
		var s scanner.Scanner
		file := token.NewFileSet().AddFile(name, -1, len(text))
		s.Init(file, []byte(text), nil, 0)
		for {
			switch _, kind, literal := s.Scan(); kind {
			case token.EOF:
				return found
			case token.IDENT:
				found[literal] = true
			}
		}
	case ".c", ".h", ".S", ".cc":
		text = cNoCode.ReplaceAllString(text, " ")
		fallthrough
	default:
		for _, word := range wordLike.FindAllString(text, -1) {
			found[word] = true
		}
	}
	return found
}

// retiredIn returns the retired words in a text of prose. A word that is a name in the same file is
// not counted.
func retiredIn(words []retiredWord, name, prose string, names map[string]bool) (found []string) {
	prose = inlineCode.ReplaceAllString(prose, " ")
	small := strings.ToLower(prose)
	for _, w := range words {
		first, _, _ := strings.Cut(strings.TrimSuffix(w.word, "*"), " ")
		if !strings.Contains(small, strings.ToLower(first)) {
			continue
		}
		for _, m := range w.pattern().FindAllStringSubmatchIndex(prose, -1) {
			if !names[prose[m[4]:m[5]]] {
				around := prose[max(0, m[0]-40):min(len(prose), m[1]+40)]
				found = append(found, name+": "+strings.Join(strings.Fields(around), " ")+": use "+w.instead)
			}
		}
	}
	return found
}

// Comments and documents do not use retired words.
func TestRetiredWords(t *testing.T) {
	words := retiredWords(t)
	require.Greater(t, len(words), 50)
	code(t, func(name, text string) {
		if name == "tests/docs/english_test.go" { // which has examples
			return
		}
		comments, _ := commentLines(name, text)
		names := map[string]bool{}
		if filepath.Ext(name) == ".go" || lineMark(name) == "" {
			names = identifiersIn(name, text)
		}
		for _, found := range retiredIn(words, name, strings.Join(comments, "\n"), names) {
			assert.Fail(t, "a retired word", found)
		}
	})
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, path)
		if err == nil && d.IsDir() && (name == "build" || name != "." && strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		if err != nil || filepath.Ext(name) != ".md" || name == filepath.Join("docs", "style.md") { // which shows them
			return err
		}
		for _, found := range retiredIn(words, name, read(t, name), nil) {
			assert.Fail(t, "a retired word", found)
		}
		return nil
	}))
}

// Retired words are found, and names and quoted code are not.
func TestRetiredWordsAreFound(t *testing.T) {
	words := []retiredWord{{word: "of ours", instead: "wi4go's"}, {word: "fulfil*", instead: "satisfy"}, {word: "behind", instead: "after"}}
	assert.Len(t, retiredIn(words, "x.go", "A request of\nours, which Fulfils it.", nil), 2)
	assert.Empty(t, retiredIn(words, "x.go", "of oursx, `of ours`, refulfils, behind.h, ```\nbehind\n```", nil))
	assert.Len(t, retiredIn(words, "x.go", "It is behind. The next is behind.", nil), 2)
	assert.Len(t, retiredIn(words, "x.go", "behind", nil), 1)
	assert.Empty(t, retiredIn(words, "x.go", "behind returns", map[string]bool{"behind": true}))
	assert.Equal(t, map[string]bool{"x": true, "z": true}, identifiersIn("x.go", "package x // y\nvar z = \"w\"\n"))
	assert.Equal(t, map[string]bool{"int": true, "x": true}, identifiersIn("x.c", "int x = \"y\"; /* z */ // z\n"))
}
