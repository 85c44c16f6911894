package real

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// Intel's benchmarks, some in C++, are installed with Intel MPI as binaries. On other libraries they print the same
// tables as on Intel's.
func TestIMB(t *testing.T) {
	harness.All.From(t, "a whole application")
	const intel = "intelmpi-2021.18"
	tools, err := harness.Find(intel)
	if err != nil {
		harness.Missing(t, err)
	}
	for _, c := range []struct {
		program  string
		sections int
	}{{"IMB-MPI1", 19}, {"IMB-P2P", 6}} {
		j := job{
			program: filepath.Join(filepath.Dir(tools.MPIExec), c.program), deb: "(none: it comes with " + intel + ")",
			family: intel, ranks: 2, args: strings.Fields("-npmin 2 -iter 5 -msglog 0:12"),
			env: []string{"LD_LIBRARY_PATH=" + filepath.Join(tools.Root(), "lib")}, // it has no DT_RPATH
		}
		want := tables(t, j.native(t).stdout)
		require.Len(t, want, c.sections)
		j.env = nil
		for _, runtime := range on(j.ranks, "openmpi", "openmpi-5.0", "mpich") {
			t.Run(c.program+"_"+runtime, func(t *testing.T) {
				assert.Equal(t, want, tables(t, j.through(t, runtime).stdout))
			})
		}
	}
}

var (
	imbSection = regexp.MustCompile(`^# Benchmarking (\S+)`)
	imbHead    = regexp.MustCompile(`^\s*#`)
)

// tables returns IMB's tables: for each benchmark, in order, its head and the message sizes and repetitions of its
// lines. All other fields of a line are times and rates, as many as the head has.
func tables(t *testing.T, output string) []string {
	t.Helper()
	var found []string
	var fields int
	for line := range strings.Lines(output) {
		if m := imbSection.FindStringSubmatch(line); m != nil {
			found, fields = append(found, m[1]), 0
			continue
		}
		words := strings.Fields(line)
		switch {
		case len(found) == 0 || len(words) == 0:
		case words[0] == "#bytes" || words[0] == "#repetitions":
			fields = len(words)
			found[len(found)-1] += "\n" + strings.Join(words, " ")
		case imbHead.MatchString(line) || fields == 0:
		default:
			require.Len(t, words, fields, line)
			for _, word := range words {
				n, err := strconv.ParseFloat(word, 64)
				require.NoError(t, err, line)
				assert.GreaterOrEqual(t, n, 0.0, line)
			}
			keys := 2
			if !strings.Contains(found[len(found)-1], "#bytes") {
				keys = 1
			}
			found[len(found)-1] += fmt.Sprint("\n", words[:keys])
		}
	}
	return found
}
