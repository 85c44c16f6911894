package embedded

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"wi4go/tests/harness"
)

// Hundreds of communicators at once have memory of their own for collective operations, also small ones of a job that is too large for
// such memory. What is freed is used again, and the kernel gets the rest back.
func TestAreas(t *testing.T) {
	right(t, plain, 2, nil, "areas", "many", "501")
	right(t, plain, 4, nil, "areas", "many", "303")
	right(t, plain, 3, []string{"ADI_THREADS=1", "ADI_SEGMENT_FILE=1", "TMPDIR=" + t.TempDir()}, "areas", "many", "101")
	for _, ranks := range []int{2, 4} {
		right(t, plain, ranks, nil, "areas", "steady")
	}
	right(t, plain, 70, nil, "areas", "parts")
	if harness.Nightly.Runs() {
		right(t, plain, 1024, nil, "areas", "parts")
	}
}

// A rank that has closed the descriptor of the shared memory learns it from the call that needs the descriptor, and continues. If all have
// closed it, new communicators use messages.
func TestAreasClosed(t *testing.T) {
	right(t, plain, 3, nil, "areas", "closed")
	right(t, plain, 3, nil, "areas", "all-closed")
	_, stderr, code := job(t, 2, program(t, plain, "areas"), "closed-fatal")
	assert.NotZero(t, code)
	assert.Contains(t, stderr, "the program has closed the descriptor of the job's shared memory")
}

// AddressSanitizer and ThreadSanitizer find nothing.
func TestAreasSanitized(t *testing.T) {
	harness.All.From(t, "it builds the library once more")
	right(t, asan, 3, nil, "areas", "many", "101")
	cmd := exec.CommandContext(t.Context(), "setarch", "-R", program(t, tsan, "areas"), "many", "101")
	cmd.Env = append(os.Environ(), "ADI_RANKS=3", "ADI_TIMEOUT=170")
	out, err := cmd.CombinedOutput()
	assert.True(t, err == nil && strings.Count(string(out), ": right\n") == 3, "%v\n%s", err, out)
}
