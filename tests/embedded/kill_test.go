package embedded_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// processes returns the processes whose command line contains a text. Ended ones have none.
func processes(t *testing.T, text string) (list []int) {
	entries, err := os.ReadDir("/proc")
	require.NoError(t, err)
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err == nil && bytes.Contains(line, []byte(text)) {
			list = append(list, pid)
		}
	}
	return list
}

// A wrap is a way in which a launcher starts a rank: the words before the program.
var wraps = map[string]func(wi4go, program string) []string{
	"program": func(_, program string) []string { return []string{program} },
	"script":  func(_, program string) []string { return []string{"sh", "-c", program + "; true"} },
	"exec":    func(wi4go, program string) []string { return []string{wi4go, "exec", "--to", "embedded", program} },
	"scripts": func(wi4go, program string) []string {
		return []string{"sh", "-c", "sh -c '" + wi4go + " exec --to embedded " + program + " 5; " + program + "'; true"}
	},
}

// kill -9 of any process of a job, at any moment: the job ends, and leaves no process and no file.
func TestKill(t *testing.T) {
	moments := 40
	if harness.Nightly.Runs() {
		moments = 1000
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	wi4go := filepath.Join(prefix, "bin/wi4go")
	traffic := program(t, "traffic")
	files := t.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{"program", "script", "exec", "scripts"}
	for moment := range moments {
		name := names[moment%len(names)]
		var stderr bytes.Buffer
		c := exec.Command(wi4go, append([]string{"ranks", "-n", fmt.Sprint(2 + moment%3)}, wraps[name](wi4go, traffic)...)...)
		c.Env = append(os.Environ(), "TMPDIR="+files)
		c.Stderr = &stderr
		c.WaitDelay = time.Second // for a rank that still holds stderr
		require.NoError(t, c.Start())
		time.Sleep(time.Duration(random.IntN(60000)) * time.Microsecond)
		all := processes(t, traffic)
		victim := c.Process.Pid
		if len(all) > 0 && moment%5 > 0 {
			victim = all[random.IntN(len(all))]
		}
		syscall.Kill(victim, syscall.SIGKILL) // ignore errors: it may have ended
		done := make(chan error, 1)
		go func() { done <- c.Wait() }()
		select {
		case err := <-done:
			if victim == c.Process.Pid && err != nil { // else the job had ended
				assert.ErrorContains(t, err, "killed")
			}
		case <-time.After(programLimit):
			t.Fatalf("moment %d, %s: the launcher does not end\n%s", moment, name, stderr.String())
		}
		assert.Eventually(t, func() bool { return len(processes(t, traffic)) == 0 }, programLimit, 5*time.Millisecond, "moment %d, %s: processes are left", moment, name)
		left, err := os.ReadDir(files)
		require.NoError(t, err)
		assert.Empty(t, left)
		if t.Failed() {
			for _, pid := range processes(t, traffic) {
				line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
				t.Logf("%d %s", pid, strings.ReplaceAll(string(line), "\x00", " "))
				syscall.Kill(pid, syscall.SIGKILL)
			}
			return
		}
	}
}

// The same under a launcher that leaves the other ranks alone.
func TestKillJoined(t *testing.T) {
	moments := 10
	if harness.Nightly.Runs() {
		moments = 250
	}
	traffic := program(t, "traffic")
	random := rand.New(rand.NewPCG(3, 4))
	for moment := range moments {
		size := 2 + moment%3
		victim, pause := random.IntN(size), time.Duration(random.IntN(60000))*time.Microsecond
		limit := func(int) []string { return []string{"ADI_JOIN_TIMEOUT=3"} }
		command := fmt.Sprintf("test $OMPI_COMM_WORLD_RANK = %d && { sleep %f; kill -9 $$; } & exec %s", victim, pause.Seconds(), traffic)
		for rank, r := range tasks(t, size, size, limit, "sh", "-c", command) {
			assert.NotEqual(t, 0, r.code, "moment %d, rank %d", moment, rank)
		}
		assert.Empty(t, processes(t, traffic))
	}
}
