package embedded

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"wi4go/tests/harness"
)

// A process may have communicators by the ten thousand, and each rank of a large job some; ids that are free are found, whichever
// processes are members, also if threads create communicators in different orders, and after the last id.
func TestContexts(t *testing.T) {
	right(t, plain, 8, nil, "contexts", "many", "2200")
	right(t, plain, 2, nil, "contexts", "many", "20000")
	right(t, plain, 192, nil, "contexts", "many", "2")
	for _, table := range tables {
		for _, n := range []int{1, 2, 3, 5} {
			right(t, plain, n, nil, "contexts", "mixed", "500", table)
		}
	}
	right(t, plain, 70, nil, "contexts", "mixed", "30") // communicators without areas
	for _, n := range []int{2, 4} {
		right(t, plain, n, nil, "contexts", "order", "100", "threads")
		right(t, plain, n, nil, "contexts", "exhausted", "300000")
	}
	right(t, plain, 3, []string{"ADI_SEGMENT=300000"}, "contexts", "mixed", "500")
}

// AddressSanitizer finds no leak of the agreements, and ThreadSanitizer no race.
func TestContextsSanitized(t *testing.T) {
	harness.All.From(t, "it builds the library once more")
	right(t, asan, 3, nil, "contexts", "mixed", "300")
	right(t, asan, 2, nil, "contexts", "order", "20", "threads")
	for _, args := range [][]string{{"order", "20", "threads"}, {"mixed", "100"}} {
		cmd := exec.CommandContext(t.Context(), "setarch", append([]string{"-R", program(t, tsan, "contexts")}, args...)...)
		cmd.Env = append(os.Environ(), "ADI_RANKS=3", "ADI_TIMEOUT=170")
		out, err := cmd.CombinedOutput()
		assert.True(t, err == nil && strings.Count(string(out), ": right\n") == 3, "%v: %v\n%s", args, err, out)
	}
}
