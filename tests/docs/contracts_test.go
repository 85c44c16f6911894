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

// localFunction matches a static function of C whose body begins in the next line. Its name is the last word before the
// arguments.
var localFunction = regexp.MustCompile(`^static [^;={]*?(\w+)\([^;{]*\)$`)

// uncommented returns the names of the static functions in a text of C that have at least least lines and no comment.
func uncommented(text string, least int) (names []string) {
	lines := strings.Split(text, "\n")
	for i := 1; i+1 < len(lines); i++ {
		m := localFunction.FindStringSubmatch(lines[i])
		if m == nil || lines[i+1] != "{" {
			continue
		}
		end := i + 2
		for end < len(lines) && lines[end] != "}" {
			end++
		}
		before := lines[i-1]
		if strings.HasPrefix(before, "static ") { // a declaration with attributes
			before = lines[i-2]
		}
		if end-i-2 >= least && !strings.HasSuffix(before, "*/") {
			names = append(names, m[1])
		}
		i = end
	}
	return names
}

// Each static function of the embedded MPI with 15 lines or more has a comment that states its result. Headers document the
// other functions.
func TestContracts(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(root, "embedded/*/*.c"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Empty(t, uncommented(string(text), 15), "%s: functions without a comment", path)
	}
	body := strings.Repeat("    a();\n", 2)
	text := "\nstatic int one(int a)\n{\n" + body + "}\n/* Returns 2. */\nstatic int two(void)\n{\n" + body + "}\nstatic int *three(void)\n{\n}\n"
	assert.Equal(t, []string{"one"}, uncommented(text, 2), "one has two lines and no comment")
}
