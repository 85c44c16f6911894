package cgroup

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// groups returns groups with these files, by path.
func groups(t *testing.T, files map[string]string) Groups {
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return Groups{Root: root}
}

func TestProcesses(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"version 2": {"proc/self/cgroup": "0::/job/step\n", "sys/fs/cgroup/job/step/pids.max": "max\n", "sys/fs/cgroup/job/step/pids.current": "3\n",
			"sys/fs/cgroup/job/pids.max": "10\n", "sys/fs/cgroup/job/pids.current": "8\n", "sys/fs/cgroup/pids.max": "100\n", "sys/fs/cgroup/pids.current": "9\n"},
		"version 1": {"proc/self/cgroup": "8:pids:/job\n4:memory:/other\n", "sys/fs/cgroup/pids/job/pids.max": "10\n", "sys/fs/cgroup/pids/job/pids.current": "8\n"},
		"container": {"proc/self/cgroup": "3:cpu,pids:/docker/1\n0::/docker/1\n", "sys/fs/cgroup/cpu,pids/pids.max": "10\n", "sys/fs/cgroup/cpu,pids/pids.current": "8\n"},
	} {
		p, found := groups(t, files).Processes()
		assert.True(t, found, name)
		assert.Equal(t, []int{10, 8}, []int{p.Most, p.Used}, name)
		assert.FileExists(t, p.File, name)
	}
	for name, files := range map[string]map[string]string{
		"no limit": {"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/pids.max": "max\n", "sys/fs/cgroup/pids.current": "8\n"},
		"damaged":  {"proc/self/cgroup": "x\n:\n", "sys/fs/cgroup/pids.max": "7\n"},
		"nothing":  {},
	} {
		_, found := groups(t, files).Processes()
		assert.False(t, found, name)
	}
}

func TestKills(t *testing.T) {
	g := groups(t, map[string]string{"proc/self/cgroup": "0::/job\n", "sys/fs/cgroup/job/memory.events": "low 0\noom 4\noom_kill 3\n"})
	count, file := g.Kills()
	assert.Equal(t, 3, count)
	assert.Equal(t, g.Root+"/sys/fs/cgroup/job/memory.max", file)
	g = groups(t, map[string]string{"proc/self/cgroup": "4:memory:/job\n", "sys/fs/cgroup/memory/job/memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n"})
	count, file = g.Kills()
	assert.Equal(t, 2, count)
	assert.Equal(t, g.Root+"/sys/fs/cgroup/memory/job/memory.limit_in_bytes", file)
	count, file = groups(t, nil).Kills()
	assert.Zero(t, count)
	assert.Empty(t, file)
}

func TestRefused(t *testing.T) {
	assert.Equal(t, 4, groups(t, map[string]string{"proc/self/cgroup": "8:pids:/job\n", "sys/fs/cgroup/pids/job/pids.events": "max 4\n"}).Refused())
	assert.Zero(t, groups(t, map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/pids.events": "max x\n"}).Refused())
	assert.Zero(t, groups(t, nil).Refused())
}

func TestStartError(t *testing.T) {
	other := errors.New("other")
	full := groups(t, map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/pids.max": "10\n", "sys/fs/cgroup/pids.current": "10\n"})
	assert.Equal(t, other, full.StartError(other))
	err := full.StartError(os.NewSyscallError("fork/exec", syscall.EAGAIN))
	assert.ErrorIs(t, err, syscall.EAGAIN)
	assert.ErrorContains(t, err, "the limit on processes and threads is reached, 10 ("+full.Root+"/sys/fs/cgroup/pids.max); raise the limit")
	assert.ErrorContains(t, groups(t, nil).StartError(syscall.EAGAIN), "the limit on processes and threads is reached; raise")
}
