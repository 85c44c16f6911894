package headers

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/abi"
)

var (
	attribute = regexp.MustCompile(`__attribute__\(\((?:[^()]|\([^()]*\))*\)\)`)
	static    = regexp.MustCompile(`\bstatic\b`)
	name      = regexp.MustCompile(`\w+`)
)

// staticVariables returns the names of the static variables that a preprocessed C text defines, inside and outside
// functions, except for constants.
func staticVariables(text string) (names []string) {
	text = attribute.ReplaceAllString(text, "")
	for _, at := range static.FindAllStringIndex(text, -1) {
		if head, is := declared(text[at[1]:]); is && !constant(head) {
			words := name.FindAllString(head, -1)
			names = append(names, words[len(words)-1])
		}
	}
	return names
}

// declared returns the beginning of a declaration, up to the declared name, without the bodies of structs, and whether
// it declares a variable.
func declared(text string) (head string, variable bool) {
	depth := 0
	for i, c := range text {
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case depth > 0:
		case c == '(' && strings.HasPrefix(text[i:], "(*"): // a pointer to a function
			end := strings.IndexByte(text[i:], ')')
			return head + text[i+1:i+end], true
		case c == '(':
			return "", false
		case strings.ContainsRune("=;[,", c):
			return head, true
		default:
			head += string(c)
		}
	}
	return "", false
}

// constant reports whether a declaration, by its beginning, is of a constant.
func constant(head string) bool {
	return strings.Contains(head[strings.LastIndexByte(head, '*')+1:], "const")
}

var marker = regexp.MustCompile(`(?m)^# \d+ "([^"]*)".*\n`)

// inFiles returns the parts of a preprocessed text by the names of their files.
func inFiles(text string) map[string]string {
	parts := map[string]string{}
	marks := marker.FindAllStringSubmatchIndex(text, -1)
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		parts[text[m[2]:m[3]]] += text[m[1]:end]
	}
	return parts
}

// sharedVariables returns the static variables of headers that more than one of the units includes, each as "header:
// name". Each unit would have its own copy of such a variable.
func sharedVariables(t *testing.T, units []string, flags ...string) (found []string) {
	t.Helper()
	includes, variables := map[string]int{}, map[string][]string{}
	for _, unit := range units {
		out, err := exec.Command("gcc", slices.Concat([]string{"-std=gnu11", "-E"}, flags, []string{unit})...).Output()
		require.NoError(t, err, unit)
		for file, text := range inFiles(string(out)) {
			if strings.HasSuffix(file, ".h") && !strings.HasPrefix(file, "/usr/") {
				includes[file]++
				variables[file] = append(variables[file], staticVariables(text)...)
			}
		}
	}
	for file, names := range variables {
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			if includes[file] > 1 {
				found = append(found, filepath.Base(file)+": "+name)
			}
		}
	}
	slices.Sort(found)
	return found
}

// The units of a pair share their variables, so a header that more than one of them includes has no static variables
// (mappers/pair.h).
func TestUnitsShareVariables(t *testing.T) {
	texts, directory := generated(t)
	var flags []string
	for _, folder := range folders {
		flags = append(flags, "-I"+filepath.Join(root, folder))
	}
	n := 0
	for _, front := range abi.Names() {
		for _, runtime := range abi.Names() {
			var units []string
			for name := range texts {
				if matched, _ := filepath.Match(fmt.Sprintf("%s/%[1]s_%s*.c", front, runtime), name); matched {
					units = append(units, filepath.Join(directory, name))
				}
			}
			if front != runtime {
				assert.Greater(t, len(units), 1, "%s over %s: units", front, runtime)
			}
			n += len(units)
			assert.Empty(t, sharedVariables(t, units, append(flags, "-I"+filepath.Join(directory, front))...),
				"%s over %s: each unit has its own; make it SHARED", front, runtime)
		}
	}
	assert.Greater(t, n, 20, "the number of checked units")
}

// The search finds each form of a static variable, and no function or constant.
func TestSharedVariablesAreFound(t *testing.T) {
	directory := t.TempDir()
	write := func(file, text string) string {
		path := filepath.Join(directory, file)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	write("both.h", `
static int plain, second;
static __thread int of_thread __attribute__((tls_model("initial-exec")));
static struct { const char *text; } rows[2] = {{"a"}};
static const char *pointer;
static int (*called)(const void *);
#define COUNTER(name) static inline int name(void) { static int name##_count = 1; return name##_count++; }
COUNTER(calls)
static const int constant = 1;
static const struct { int a; } table[] = {{1}};
static const char *const names[] = {"a"};
static __attribute__((noinline)) int function(const int *a) { return *a; }
extern int elsewhere;
`)
	write("one.h", "static int alone;\n")
	first := write("first.c", "#include \"both.h\"\n#include \"one.h\"\n")
	second := write("second.c", "#include \"both.h\"\n")
	assert.Equal(t, []string{"both.h: called", "both.h: calls_count", "both.h: of_thread", "both.h: plain", "both.h: pointer", "both.h: rows"},
		sharedVariables(t, []string{first, second}))
	assert.Empty(t, sharedVariables(t, []string{first}), "one unit")
}
