package adi

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"wi4go/tests/harness"
)

// Memory objects are taken, shared, dropped and taken again by ranks in a memfd and in a file, by a rank alone, and by ranks that are
// threads. The memory of the job falls again when an object is dropped.
func TestMemoryObjects(t *testing.T) {
	for _, file := range []string{"0", "1"} {
		env := []string{"ADI_RANKS=3", "ADI_SEGMENT_FILE=" + file, "TMPDIR=" + t.TempDir()}
		for _, job := range []string{"come-and-go", "reuse", "of-all", "crowd", "forks"} {
			right(t, plain, env, "memory", job)
		}
	}
	for _, job := range []string{"come-and-go", "reuse", "crowd", "many", "closed", "forks"} {
		right(t, plain, nil, "memory", job)
		right(t, plain, nil, "memory", job, "alone")
	}
	right(t, ranks, []string{"ADI_RANKS=3"}, "memory", "crowd")
	right(t, nolocks, []string{"ADI_RANKS=3"}, "memory", "crowd")
}

// An object that is larger than the heap, or than the file system, is an error, and no signal ends the rank. So it is with a limit for
// the size of files, with which a job may lack a heap.
func TestMemoryObjectsExhausted(t *testing.T) {
	const tb, gb = 1 << 40, 1 << 30
	right(t, plain, nil, "memory", "exhausted", fmt.Sprint(tb+1))
	right(t, plain, []string{"ADI_RANKS=2", "ADI_SEGMENT=100000000"}, "memory", "exhausted", fmt.Sprint(gb))
	p := program(t, plain, "memory")
	for size, want := range map[string]string{"unlimited": "an object", "100000": "an object", "12000": "no object"} { // in units of 512 bytes
		got := run(t, limit, []string{"ADI_RANKS=2"}, "sh", "-c", "ulimit -f "+size+"; exec "+p+" limited 8000000")
		assert.Equal(t, 0, got.code, got.stderr)
		assert.Contains(t, got.stdout, "limited: "+want+"\n", "ulimit -f %s", size)
	}
}

// A rank that is killed with the lock of the heap ends the job.
func TestMemoryObjectsKilled(t *testing.T) {
	got := run(t, limit, []string{"ADI_RANKS=3"}, program(t, plain, "memory"), "killed")
	assert.Equal(t, 128+9, got.code, got.stderr)
	assert.Contains(t, got.stderr, "rank 1 was ended by signal 9 (Killed)")
}

// The sanitizers and valgrind find nothing.
func TestMemoryObjectsSanitized(t *testing.T) {
	harness.All.From(t, "it compiles everything again")
	env := []string{"ADI_RANKS=3", "ADI_COUNT=500"}
	for _, job := range []string{"come-and-go", "reuse", "of-all", "crowd"} {
		right(t, asan, env, "memory", job)
		right(t, tsan, env, "memory", job)
	}
	needs(t, "valgrind")
	got := run(t, 2*limit, []string{"ADI_RANKS=2", "ADI_COUNT=200"}, "valgrind", "-q", "--error-exitcode=77", "--leak-check=full", "--trace-children=yes", program(t, plain, "memory"), "crowd")
	assert.Zero(t, got.code, got.stderr)
}
