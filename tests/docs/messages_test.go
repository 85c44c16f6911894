package docs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// goTexts returns the string constants of a Go file by the line on which each begins. Constants
// that are joined by + are one text.
func goTexts(t *testing.T, name, text string) map[int]string {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, 0)
	require.NoError(t, err)
	texts := map[int]string{}
	var join func(e ast.Expr) (string, bool)
	join = func(e ast.Expr) (string, bool) {
		switch e := e.(type) {
		case *ast.BasicLit:
			s, err := strconv.Unquote(e.Value)
			return s, err == nil && e.Kind == token.STRING
		case *ast.BinaryExpr:
			left, isLeft := join(e.X)
			right, isRight := join(e.Y)
			if !isLeft {
				left = "%s" // a value that the program computes
			}
			if !isRight {
				right = "%s"
			}
			return left + right, e.Op == token.ADD && (isLeft || isRight)
		}
		return "", false
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			if s, is := join(e); is {
				texts[files.Position(e.Pos()).Line] += "\x00" + s
				return false
			}
		}
		return true
	})
	return texts
}

var (
	cString  = regexp.MustCompile(`"((?:\\.|[^"\\\n])*)"`)
	cJoined  = regexp.MustCompile(`"(?:\s|\\\n|[A-Z][A-Z_]+\s)*"`)
	cSkipped = regexp.MustCompile(`(?s:/\*.*?\*/)|(?m:^\s*#\s*include[^\n]*$)`)
)

// cTexts returns the string literals of a C file by line. Adjacent literals are one text.
func cTexts(text string) map[int]string {
	blank := func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) }
	text = cSkipped.ReplaceAllStringFunc(text, blank)
	text = cJoined.ReplaceAllStringFunc(text, func(s string) string {
		if len(s) == 2 { // an empty literal
			return s
		}
		return ""
	})
	texts := map[int]string{}
	for _, m := range cString.FindAllStringSubmatchIndex(text, -1) {
		literal := strings.NewReplacer(`\n`, "\n", `\"`, `"`, `\\`, `\`).Replace(text[m[2]:m[3]])
		texts[1+strings.Count(text[:m[0]], "\n")] += "\x00" + literal
	}
	return texts
}

// scriptTexts returns the texts in double quotes of a script or a makefile, by line.
func scriptTexts(text string) map[int]string {
	texts, n := map[int]string{}, 0
	for line := range strings.Lines(text) {
		n++
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, m := range cString.FindAllStringSubmatch(line, -1) {
			texts[n] += "\x00" + m[1]
		}
	}
	return texts
}

// printsCode reports whether the texts of a file are mostly code and its comments, which other
// programs read.
func printsCode(name string) bool {
	shown := []string{"gen/describe.go", "gen/plan/text.go", "gen/plan/checks.go"} // the text of `wi4go inspect --call`
	return strings.HasPrefix(name, "gen/") && !strings.HasPrefix(name, "gen/model/") && !slices.Contains(shown, name)
}

// messages calls a function for each text of the production code, with the file and line.
func messages(t *testing.T, see func(where, text string)) {
	t.Helper()
	production(t, func(name, text string) {
		var texts map[int]string
		switch filepath.Ext(name) {
		case ".go":
			texts = goTexts(t, name, text)
		case ".c", ".h":
			texts = cTexts(text)
		case ".sh", ".mk", ".py", "":
			texts = scriptTexts(text)
		default:
			return
		}
		if printsCode(name) || strings.HasPrefix(name, "internal/fakempi/") {
			return
		}
		for _, line := range slices.Sorted(maps.Keys(texts)) {
			for _, s := range strings.Split(texts[line], "\x00")[1:] {
				see(fmt.Sprintf("%s:%d", name, line), s)
			}
		}
	})
}

// retired are phrases that a message must not have, each with an example.
var retired = map[string]*regexp.Regexp{
	"--to wants a value":               regexp.MustCompile(`\bwants? (a|an|the|one|two|hosts|to|both|it|%)|: want\b`),
	"x is no library":                  regexp.MustCompile(`\b(is|are|be) (no|none) [a-z]`),
	"options stand behind the command": regexp.MustCompile(`\bstands?( |$)|\bbehind\b`),
	"this front has no way":            regexp.MustCompile(`\bhas no way\b|\bto which .* has no\b`),
	"wi4go get mpich brings one":       regexp.MustCompile(`\bbr(ings?|ought)\b`),
	"it takes itself for rank 0":       regexp.MustCompile(`\btakes? itself\b`),
	"say what it was built for":        regexp.MustCompile(`(^|[:;,] )say\b|\bsays (that|whether|who|what|which)\b`),
	"take it out":                      regexp.MustCompile(`\btakes? (it|the \S+|that) (out|away|apart)\b`),
	"install wi4go anew":               regexp.MustCompile(`\banew\b`),
	"a library beside it":              regexp.MustCompile(`\bbeside\b`),
	"nothing here provides it":         regexp.MustCompile(`\bnothing here\b|\bnot here\b`),
	"if it is meant":                   regexp.MustCompile(`\bis meant\b|\bmeant is\b`),
	"no handle of that kind":           regexp.MustCompile(`\bof that kind\b`),
	"in the place of this":             regexp.MustCompile(`\bin the place of\b|\bby way of\b`),
	"of ours":                          regexp.MustCompile(`\bof ours\b`),
	"where the runtime lacks it":       regexp.MustCompile(`\bwhere (it|there|the)\b`),
	"the same command goes on":         regexp.MustCompile(`\b(goes|go|going) on\b`),
	"it stands there twice":            regexp.MustCompile(`\bthere twice\b`),
	"holds a colon":                    regexp.MustCompile(`\bholds (a|an|the|no|none)\b`),
	"a program that it has made":       regexp.MustCompile(`\bhas (not )?made\b`),
	"have it keep what it held":        regexp.MustCompile(`(^|[:;,] )have (it|%s)\b`),
	"a release that is not known":      regexp.MustCompile(`\bthat is not known\b`),
}

// sentence matches a text of at least three words.
var sentence = regexp.MustCompile(`[A-Za-z%][\w'-]*,? [\w'%-]+,? [\w'%-]+`)

// Messages, helps and manual pages are in plain English.
func TestMessagesArePlain(t *testing.T) {
	seen := 0
	messages(t, func(where, text string) {
		if !sentence.MatchString(text) || strings.Contains(text, "#include") {
			return
		}
		seen++
		text = strings.ReplaceAll(text, "there is no ", "no ")
		for example, pattern := range retired {
			if pattern.MatchString(text) {
				assert.Fail(t, "a retired phrase", "%s: %q is like %q", where, text, example)
			}
		}
	})
	assert.Greater(t, seen, 1000)
}

// Each retired phrase is found.
func TestRetiredIsFound(t *testing.T) {
	for example, pattern := range retired {
		assert.Regexp(t, pattern, example)
	}
	assert.Equal(t, map[int]string{2: "\x00a b%s c"}, goTexts(t, "x.go", "package x\nvar y = \"a \" + \"b\" + z() + \" c\"\n"))
	assert.Equal(t, map[int]string{2: "\x00a b", 3: "\x00c"}, scriptTexts("# \"no\"\necho \"a b\" >&2\n\techo \"c\"\n"))
	assert.Equal(t, map[int]string{2: "\x00a b\n"}, cTexts("/* \"no\"\n*/ say(\"a \"\n \"b\\n\");\n"))
}

var (
	codeBlock  = regexp.MustCompile("(?ms)^ *```$(.*?)^ *```$")
	inline     = regexp.MustCompile("(?s)`(wi4go: [^`]*)`")
	titled     = regexp.MustCompile(`(?m)^## (wi4go: .*|… .*|imports .*|calls .*)$`)
	newMessage = regexp.MustCompile(`^ *(wi4go: |\$ |… *$|(error|warning|note) {2,}|[a-z0-9]+ {2,})`)
	finding    = regexp.MustCompile(`^(error|warning|note) {2,}(.*) \([a-z0-9-]+\)$`)
	opening    = regexp.MustCompile(`^wi4go: (warning: |note: )?(rank \d+: )?`)
)

// quoted returns the messages of wi4go that a page quotes: in blocks of code, in the text, and as
// titles.
func quoted(text string) (list []string) {
	for _, block := range codeBlock.FindAllStringSubmatch(text, -1) {
		current := ""
		end := func() {
			if m := finding.FindStringSubmatch(current); m != nil {
				list = append(list, m[2])
			} else if strings.HasPrefix(current, "wi4go: ") {
				list = append(list, opening.ReplaceAllString(current, ""))
			}
			current = ""
		}
		for line := range strings.Lines(block[1]) {
			if newMessage.MatchString(line) {
				end()
			} else if current == "" {
				continue
			}
			current = strings.TrimSpace(current + " " + strings.TrimSpace(line))
		}
		end()
	}
	text = codeBlock.ReplaceAllString(text, "")
	for _, m := range inline.FindAllStringSubmatch(text, -1) {
		list = append(list, opening.ReplaceAllString(strings.Join(strings.Fields(m[1]), " "), ""))
	}
	for _, m := range titled.FindAllStringSubmatch(text, -1) {
		list = append(list, opening.ReplaceAllString(m[1], ""))
	}
	return list
}

var (
	verb = regexp.MustCompile(`%[-+#0-9.*]*(\[\d+\])?(l|ll|z)?[a-zA-Z]|\n|[:;] `)
	word = regexp.MustCompile(`[A-Za-z][A-Za-z'-]*`)
)

// pieces returns the constant parts of a message of the code that have at least two words.
func pieces(text string) (list []string) {
	for _, piece := range verb.Split(text, -1) {
		if piece = strings.Trim(piece, " :;,()\"'"); len(word.FindAllString(piece, -1)) >= 2 {
			list = append(list, piece)
		}
	}
	return list
}

// plainWords matches three plain words in a row, which cannot be the value of a placeholder.
var plainWords = regexp.MustCompile(`(^| )[a-z][a-z'-]*,? [a-z][a-z'-]*,? [a-z][a-z'-]*($|[ ,:;.])`)

// unknown returns the parts of a quoted message that no message of the code has. The quote may end
// within a message.
func unknown(quote string, known []string) (list []string) {
	for i := range quote {
		begins := func(piece string) bool { return strings.HasPrefix(piece, quote[i:]) }
		if (i == 0 || quote[i-1] == ' ') && plainWords.MatchString(quote[i:]) && slices.ContainsFunc(known, begins) {
			quote = quote[:i]
			break
		}
	}
	for _, piece := range known { // the longest first
		quote = strings.ReplaceAll(quote, piece, "\x00")
	}
	for _, rest := range strings.Split(quote, "\x00") {
		if rest = strings.TrimSpace(rest); plainWords.MatchString(rest) {
			list = append(list, rest)
		}
	}
	return list
}

// known returns the constant parts of all messages, the longest first.
func known(t *testing.T) []string {
	t.Helper()
	all := map[string]bool{}
	add := func(_, text string) {
		for _, piece := range pieces(text) {
			all[piece] = true
		}
	}
	messages(t, add)
	launchers, err := filepath.Glob(filepath.Join(root, "internal", "launchers", "*.json"))
	require.NoError(t, err)
	for _, file := range launchers {
		name, err := filepath.Rel(root, file)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`"title": "([^"]*)"`).FindAllStringSubmatch(read(t, name), -1) {
			add(name, m[1])
		}
	}
	return slices.SortedFunc(maps.Keys(all), func(a, b string) int { return len(b) - len(a) })
}

// Each message that a page quotes is a message of the code.
func TestQuotedMessages(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	parts, seen := known(t), 0
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		name, err := filepath.Rel(root, page)
		require.NoError(t, err)
		for _, quote := range quoted(read(t, name)) {
			seen++
			assert.Empty(t, unknown(quote, parts), "%s quotes a message that the code does not have: %s", name, quote)
		}
	}
	assert.Greater(t, seen, 15)
}

// A message with other words is found.
func TestUnknownMessage(t *testing.T) {
	parts := pieces("cannot load the MPI library %s: this program has rights that its user does not have, and %w")
	assert.Empty(t, unknown("cannot load the MPI library /x/libmpi.so: this program has rights that its user does not have, and no", parts))
	assert.NotEmpty(t, unknown("cannot open the MPI library /x/libmpi.so: this program has rights that its user does not have, and no", parts))
	assert.Equal(t, []string{"a b c", "d e (f), g", "h i", "… is a b"}, quoted("```\n$ x\nwi4go: warning: a b\nc\nerror    d e (f), g (id)\n```\n`wi4go: h\ni`\n\n## … is a b\n"))
}
