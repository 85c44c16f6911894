package embedded

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// memchecked are the programs of this directory that run under valgrind, with arguments that keep them short. The first
// word is the smallest and the largest number of ranks. types_ops is left out, because it compares the padding of pairs.
var memchecked = [][]string{
	{"1-4", "coll_move", "64", "work"}, {"1", "types_layout", "9", "5"}, {"2", "types_messages", "5", "20"}, {"1-4", "topology"},
	{"1-4", "coll_area", "2", "rounds"}, {"1", "types_contents"}, {"1-4", "coll_errors"}, {"2", "types_objects"},
	{"1-4", "coll_reduce", "100", "work"}, {"1-4", "coll_reduce", "100", "rounds"}, {"1", "init_null"},
	{"1-4", "coll_many", "threads"}, {"1-4", "coll_move", "64", "rounds"}, {"2-4", "coll_inter", "work"}, {"1-4", "coll_many", "rounds"},
	{"1-4", "threads", "10"},
}

// valgrind returns the kind of a program that memcheck runs. An error, or memory that is lost, is exit code 99.
func valgrind(t *testing.T) kind {
	t.Helper()
	path, err := exec.LookPath("valgrind")
	if err != nil {
		harness.Missing(t, fmt.Errorf("valgrind: %w; install it", harness.ErrMissing))
	}
	intended, err := filepath.Abs("testdata/intended.supp")
	require.NoError(t, err)
	k := plain
	k.run = []string{path, "--quiet", "--suppressions=" + intended, "--error-exitcode=99", "--trace-children=yes", "--leak-check=full", "--errors-for-leak-kinds=definite", "--show-leak-kinds=definite"}
	return k
}

// valgrind finds no error, and no memory that is lost. Outside nightly runs these are the first programs, on
// their most ranks, because ranks that outnumber the cores wait in another way.
func TestMemcheck(t *testing.T) {
	harness.All.From(t, "valgrind takes long")
	k := valgrind(t)
	for i, args := range memchecked {
		first, last := args[0][0]-'0', args[0][len(args[0])-1]-'0'
		if !harness.Nightly.Runs() {
			if i > 4 {
				return
			}
			first = last
		}
		for n := first; n <= last; n++ {
			t.Run(fmt.Sprint(n, args[1:]), func(t *testing.T) { right(t, k, int(n), nil, args[1], args[2:]...) })
		}
	}
}

// The conformance programs: in CI a few of them, linked with the library, and in nightly runs all of them through the front.
func TestConformanceMemcheck(t *testing.T) {
	harness.All.From(t, "valgrind takes long")
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	wi4go, memcheck := filepath.Join(prefix, "bin/wi4go"), valgrind(t).run
	eachProgram(t, prefix, harness.Embedded, "p2p_status coll_userop type_pack", func(t *testing.T, program string) {
		assertPasses(t, nil, slices.Concat([]string{wi4go, "ranks", "-n", "4"}, memcheck, []string{program})...)
	})
	if !harness.Nightly.Runs() {
		return
	}
	memcheck = append(memcheck, "--suppressions="+filepath.Join(prefix, "share/wi4go/valgrind.supp"))
	eachProgram(t, prefix, harness.Interface, "*", func(t *testing.T, program string) {
		for _, ranks := range []string{"1", "2", "4"} {
			assertPasses(t, nil, slices.Concat([]string{wi4go, "run", "--to", "embedded", "-n", ranks}, memcheck, []string{program})...)
		}
	})
}
