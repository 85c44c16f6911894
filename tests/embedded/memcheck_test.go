package embedded

import (
	"fmt"
	"os/exec"
	"testing"

	"wi4go/tests/harness"
)

// memchecked are the programs of this directory that run under valgrind, with arguments that keep them short: on one rank,
// and those of the second list on several.
var memchecked = [][]string{
	{"types_layout", "9", "5"}, {"types_ops"}, {"types_contents"}, {"types_objects"}, {"init_null"},
}

var memcheckedTogether = [][]string{
	{"coll_move", "64", "work"}, {"coll_move", "64", "rounds"}, {"coll_reduce", "100", "work"}, {"coll_reduce", "100", "rounds"},
	{"coll_area", "2", "rounds"}, {"coll_inter", "work"}, {"coll_many", "rounds"}, {"coll_errors"}, {"topology"},
	{"types_messages", "5", "20"}, {"types_objects"}, {"coll_many", "threads"}, {"threads", "10"},
}

// valgrind returns the kind of a program that memcheck runs. An error, or memory that is lost, is exit code 99.
func valgrind(t *testing.T) kind {
	t.Helper()
	path, err := exec.LookPath("valgrind")
	if err != nil {
		harness.Missing(t, fmt.Errorf("valgrind: %w; install it", harness.ErrMissing))
	}
	k := plain
	k.run = []string{path, "--quiet", "--error-exitcode=99", "--trace-children=yes", "--leak-check=full", "--errors-for-leak-kinds=definite", "--show-leak-kinds=definite"}
	return k
}

// valgrind finds no error, and no memory that is lost.
func TestMemcheck(t *testing.T) {
	harness.All.From(t, "valgrind takes long")
	k := valgrind(t)
	for i, args := range memchecked {
		if harness.Nightly.Runs() || i%3 == 0 {
			t.Run(fmt.Sprint(args), func(t *testing.T) { right(t, k, 1, nil, args[0], args[1:]...) })
		}
	}
	for i, args := range memcheckedTogether {
		for n := 1; n <= 4; n++ {
			if harness.Nightly.Runs() || i%4 == 0 && n == 2 {
				t.Run(fmt.Sprint(n, args), func(t *testing.T) { right(t, k, n, nil, args[0], args[1:]...) })
			}
		}
	}
}
