package headers

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

// alternatives lists files of which a program, or a pair, has only one. They may define the same
// static functions, because these are the interface of the alternatives.
var alternatives = [][]string{
	{"mappers/handles_int.h", "mappers/handles_pointer.h", "mappers/handles_standard.h"},
	{"mappers/requests_int.h", "mappers/requests_wide.h"},
	{"mappers/callbacks.h", "mappers/environment.h", "mappers/identity.h"},
	{"shim/fortran/mpich.h", "shim/fortran/openmpi.h"},
	{"verify/fortran/gfortran.h", "verify/fortran/mpiabi.h"},
	{"verify/main.c", "verify/fortran/main.c"},
}

var (
	cComments    = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	cLiterals    = regexp.MustCompile(`"(\\.|[^"\\\n])*"|'(\\.|[^'\\\n])+'`)
	cAttributes  = regexp.MustCompile(`__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)`)
	cMacros      = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define\b(?:[^\n]*\\\n)*[^\n]*`)
	staticHead   = regexp.MustCompile(`\bstatic\b([^;{}=]*)\{`)
	functionName = regexp.MustCompile(`\b(\w+)\(`)
)

// staticFunctions returns the names of the static functions that a text of C defines. It skips
// those that a macro defines.
func staticFunctions(text string) (names []string) {
	text = cAttributes.ReplaceAllString(cLiterals.ReplaceAllString(cComments.ReplaceAllString(text, " "), `""`), " ")
	text = cMacros.ReplaceAllString(text, " ")
	for _, m := range staticHead.FindAllStringSubmatch(text, -1) {
		if f := functionName.FindStringSubmatch(m[1]); f != nil {
			names = append(names, f[1])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func TestStaticFunctionsAreFound(t *testing.T) {
	assert.Equal(t, []string{"cold", "one", "two"}, staticFunctions(`
/* static int old(void) { } */
static int declared(int);
static const int table[] = {one(2)};
static const struct { int size; } sizes[] = {1};
static int one(int (*callback)(void)) { static int n; return n; }
static inline struct two *two(struct two *t)
{
    return call("static int text(void) {");
}
static __attribute__((cold, format(printf, 1, 2))) void cold(const char *format, ...) {}
#define DEFINE(name) static int name##_pasted(void) { return 0; } static int A_##name(void) { return 0; }
`))
}

// A static function has a name that no other file of C uses for another one, so that a search for
// the name finds one definition.
func TestStaticNamesAreUnique(t *testing.T) {
	files := map[string][]string{} // by name
	n := 0
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		require.NoError(t, err)
		name = filepath.ToSlash(name)
		if d.IsDir() {
			if name == "build" || name == "tests" || slices.Contains([]string{"testdata", "templates"}, d.Name()) || name != "." && strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		if extension := filepath.Ext(name); extension != ".c" && extension != ".h" {
			return nil
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		n++
		for _, function := range staticFunctions(string(text)) {
			files[function] = append(files[function], name)
		}
		return nil
	}))
	assert.Greater(t, n, 100, "files of C")
	assert.Greater(t, len(files), 600, "static functions")
	used := map[int]bool{}
	for name, in := range files {
		if len(in) == 1 {
			continue
		}
		group := slices.IndexFunc(alternatives, func(group []string) bool {
			return !slices.ContainsFunc(in, func(file string) bool { return !slices.Contains(group, file) })
		})
		used[group] = true
		assert.GreaterOrEqual(t, group, 0, "%s is defined in %s: give each function a name of its own", name, strings.Join(in, ", "))
	}
	for i, group := range alternatives {
		assert.True(t, used[i], "%s have no function in common: take them out of this test", strings.Join(group, ", "))
	}
}
