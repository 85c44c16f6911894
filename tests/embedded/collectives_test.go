package embedded

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"wi4go/tests/harness"
)

// tables are the tables of collective operations: both must give the same results.
var tables = []string{"work", "rounds"}

// collective runs a program with each table on several numbers of ranks.
func collective(t *testing.T, ranks []int, name string, args ...string) {
	t.Helper()
	for _, table := range tables {
		for _, n := range ranks {
			t.Run(fmt.Sprintf("%s/%d", table, n), func(t *testing.T) { right(t, plain, n, nil, name, append(args, table)...) })
		}
	}
}

// Every function that moves data, blocking and nonblocking, in place, with datatypes of one block
// and with holes, with every root.
func TestCollectiveData(t *testing.T) {
	collective(t, []int{1, 2, 3, 4}, "coll_move", "1000")
	collective(t, []int{9}, "coll_move", "10")
	right(t, plain, 18, nil, "coll_move", "2", "work") // Bruck's algorithm
	right(t, plain, 3, nil, "coll_move", "40000", "work")
	if harness.Nightly.Runs() {
		collective(t, []int{2, 3, 4, 5, 8}, "coll_move", "262144")
	}
}

// The memory that the processes of a communicator share: communicators that come and go, more of them
// than areas, late ranks, one nonblocking operation in between, and errors of one rank.
func TestCollectiveArea(t *testing.T) {
	collective(t, []int{1, 2, 3, 4, 8}, "coll_area", "10")
	right(t, plain, 4, nil, "coll_area", "10", "rounds", "threads")
	right(t, plain, 4, []string{"ADI_SPIN_US=0"}, "coll_area", "10", "rounds")
	right(t, plain, 3, []string{"ADI_FUTEX=0", "ADI_FENCE=1"}, "coll_area", "5", "work")
	right(t, plain, 3, []string{"ADI_SEGMENT=300000"}, "coll_area", "5", "rounds") // no areas
	if harness.Nightly.Runs() {
		collective(t, []int{2, 3, 5, 8, 16}, "coll_area", "2000")
	}
}

// Reductions give the bits of the documented tree in every form, with every size, root and table,
// for sums of floating-point numbers and for operations that do not commute.
func TestReductionBits(t *testing.T) {
	for n := 1; n <= 16; n++ {
		for _, table := range tables {
			size := 7
			if n <= 4 {
				size = 131072
			}
			right(t, plain, n, nil, "coll_reduce", strconv.Itoa(size), table)
		}
	}
	right(t, plain, 70, nil, "coll_reduce", "2", "work") // more ranks than any flat algorithm has
	if harness.Nightly.Runs() {
		collective(t, []int{5, 6, 7, 8, 9}, "coll_reduce", "131072")
	}
}

// The same operations if each message needs the receiver's consent, and if there is hardly any
// memory for messages.
func TestCollectivesOverSmallSegments(t *testing.T) {
	for _, env := range [][]string{{"ADI_SHORT=0", "ADI_EAGER=0", "ADI_LINES=0", "ADI_CHUNK=1000"}, {"ADI_SEGMENT=300000", "ADI_UNEXPECTED=5000"}, {"ADI_SPIN_US=0", "ADI_FUTEX=0"}} {
		right(t, plain, 3, env, "coll_move", "128", "work")
		right(t, plain, 4, env, "coll_reduce", "1000", "work")
		right(t, plain, 4, env, "coll_many")
	}
}

func TestInterCollectives(t *testing.T) { collective(t, []int{2, 3, 4, 6}, "coll_inter") }

// Hundreds of nonblocking operations at a time, completed in different orders; and in threads.
func TestManyCollectives(t *testing.T) {
	collective(t, []int{1, 2, 4}, "coll_many")
	t.Run("threads", func(t *testing.T) { collective(t, []int{1, 2, 4}, "coll_many", "threads") })
}

func TestCollectiveErrors(t *testing.T) {
	for _, n := range []int{1, 2, 4} {
		right(t, plain, n, nil, "coll_errors")
	}
}

func TestTopologies(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 8} {
		right(t, plain, n, nil, "topology")
	}
}

// AddressSanitizer finds no error and no leak.
func TestCollectiveMemory(t *testing.T) {
	harness.All.From(t, "it builds the library once more")
	for _, n := range []int{1, 3} {
		right(t, asan, n, nil, "coll_move", "128", "work")
		right(t, asan, n, nil, "coll_reduce", "9000", "rounds")
		right(t, asan, n, nil, "coll_many", "threads")
		right(t, asan, n, nil, "coll_area", "3", "rounds")
		right(t, asan, n, nil, "coll_inter", "work")
		right(t, asan, n, nil, "topology")
		right(t, asan, n, nil, "coll_errors")
	}
}

// ThreadSanitizer finds no race between ranks, nor between threads of a rank.
func TestRaces(t *testing.T) {
	harness.All.From(t, "it builds the library once more")
	steps := "60"
	if harness.Nightly.Runs() {
		steps = "1000"
	}
	jobs := [][]string{{"threads", steps}}
	for _, table := range tables {
		jobs = append(jobs, []string{"coll_many", table}, []string{"coll_reduce", "100", table}, []string{"coll_area", "2", table})
	}
	for _, args := range jobs {
		cmd := exec.CommandContext(t.Context(), "setarch", append([]string{"-R", program(t, tsan, args[0])}, args[1:]...)...)
		cmd.Env = append(os.Environ(), "ADI_RANKS=3", "ADI_TIMEOUT=170")
		out, err := cmd.CombinedOutput()
		assert.True(t, err == nil && strings.Count(string(out), ": right\n") == 3, "%v: %v\n%s", args, err, out)
	}
}

// Threads of all ranks use the library at the same time, also with AddressSanitizer.
func TestThreads(t *testing.T) {
	for _, n := range []int{1, 2, 4} {
		right(t, plain, n, nil, "threads", "300")
	}
	right(t, plain, 3, []string{"ADI_SPIN_US=0", "ADI_FUTEX=0", "ADI_SEGMENT=1000000"}, "threads", "100")
	if harness.All.Runs() {
		right(t, asan, 2, nil, "threads", "100")
	}
}

// More than 2^31 bytes.
func TestLargeCollectives(t *testing.T) {
	harness.Nightly.From(t, "it needs 7 GB of memory")
	collective(t, []int{2, 3}, "coll_large")
}
