package embedded

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/cgroup"
)

// A rank that the kernel ends because memory is exhausted is reported with the limit and the cure; one that a user ends is not.
func TestExhausted(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	write("proc/self/cgroup", "0::/job\n")
	write("sys/fs/cgroup/job/memory.events", "oom_kill 1\n")
	r := &run{groups: cgroup.Groups{Root: root}, kills: 1}
	assert.Empty(t, r.exhausted(syscall.SIGKILL))
	write("sys/fs/cgroup/job/memory.events", "oom_kill 2\n")
	assert.Equal(t, ": the memory that its control group may use is exhausted ("+root+"/sys/fs/cgroup/job/memory.max); "+
		"raise the limit (--memory of a container, MemoryMax= of systemd, the batch system's option), or start fewer ranks", r.exhausted(syscall.SIGKILL))
	assert.Empty(t, r.exhausted(syscall.SIGSEGV))
}
