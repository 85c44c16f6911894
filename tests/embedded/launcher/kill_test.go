package launcher

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// processes returns the processes whose environment contains a text. Ended ones have none.
func processes(t *testing.T, text string) (list []int) {
	entries, err := os.ReadDir("/proc")
	require.NoError(t, err)
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)); err == nil && bytes.Contains(environ, []byte(text)) {
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

// memories returns the shared memories that a process has open or mapped, by their numbers.
func memories(pid int) (found []string) {
	fds, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid)) // ignore errors here and below: the process may have ended
	for _, fd := range fds {
		var stat syscall.Stat_t
		if name, _ := os.Readlink(fd); strings.HasPrefix(name, "/memfd:") && syscall.Stat(fd, &stat) == nil {
			found = append(found, fmt.Sprint(stat.Ino))
		}
	}
	maps, _ := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	for line := range strings.Lines(string(maps)) {
		if words := strings.Fields(line); len(words) > 5 && strings.HasPrefix(words[5], "/memfd:") {
			found = append(found, words[4])
		}
	}
	return found
}

// holders returns the processes of the machine that hold one of the memories.
func holders(t *testing.T, lost []string) (list []int) {
	for _, pid := range processes(t, "") {
		if slices.ContainsFunc(memories(pid), func(m string) bool { return slices.Contains(lost, m) }) {
			list = append(list, pid)
		}
	}
	return list
}

// A soak kills processes of jobs at random moments. All processes of a job have the directory's path in their environment.
type soak struct {
	wi4go, program string
	directory      string // TMPDIR of the jobs
	random         *rand.Rand
	shared         []string // the files in /dev/shm at the beginning
	within         int      // milliseconds in which the kill comes
	hits           int      // kills while the ranks had their memory
}

func newSoak(t *testing.T, seed uint64, within int) *soak {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	s := &soak{wi4go: filepath.Join(prefix, "bin/wi4go"), program: harness.EmbeddedProgram(t, "traffic"), directory: t.TempDir(), within: within, shared: own("/dev/shm")}
	s.random = rand.New(rand.NewPCG(seed, seed+1))
	return s
}

// pause returns the time before a kill.
func (s *soak) pause() time.Duration {
	return time.Duration(s.random.IntN(1000*s.within)) * time.Microsecond
}

// own returns the files of this project's libraries in a directory, without those of its benchmarks, which may run at the same time.
func own(directory string) (names []string) {
	entries, _ := os.ReadDir(directory)
	for _, e := range entries {
		if !strings.Contains(e.Name(), "bench") && (strings.Contains(e.Name(), "adi") || strings.Contains(e.Name(), "wi4go")) {
			names = append(names, e.Name())
		}
	}
	return names
}

// words returns the command line of a process, or nil.
func words(pid int) []string {
	line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // ignore errors: it may have ended
	return strings.Split(string(line), "\x00")
}

// victims returns the processes of the job without the helpers of `wi4go exec`, whose end the job survives.
func (s *soak) victims(t *testing.T) []int {
	return slices.DeleteFunc(processes(t, s.directory), func(pid int) bool {
		var parent int
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		fmt.Sscanf(string(stat[bytes.LastIndexByte(stat, ')')+1:]), " %c %d", new(rune), &parent)
		return parent == 0 || slices.Equal(words(parent)[:min(2, len(words(parent)))], []string{s.wi4go, "exec"})
	})
}

// ranks returns the number of ranks that run the program.
func (s *soak) ranks(t *testing.T) int {
	return len(slices.DeleteFunc(processes(t, s.directory), func(pid int) bool { return words(pid)[0] != s.program }))
}

// moment starts a job, kills one of its processes after a random time, and requires that the job ends and leaves nothing.
// The victim is the launcher each fifth time.
func (s *soak) moment(t *testing.T, number, ranks int, command ...string) {
	var stderr bytes.Buffer
	c := exec.Command(command[0], command[1:]...)
	c.Env = append(os.Environ(), "TMPDIR="+s.directory, "ADI_JOIN_TIMEOUT=3")
	c.Stderr = &stderr
	c.WaitDelay = time.Second // for a rank that still holds stderr
	require.NoError(t, c.Start())
	done := make(chan error, 1)
	go func() { done <- c.Wait() }()
	time.Sleep(s.pause())
	var memory []string
	for over := false; !over; {
		all := s.victims(t)
		victim := c.Process.Pid
		if len(all) > 0 && number%5 > 0 {
			victim = all[s.random.IntN(len(all))]
		}
		for _, pid := range all {
			memory = append(memory, memories(pid)...)
		}
		syscall.Kill(victim, syscall.SIGKILL) // ignore errors: it may have ended
		select {
		case err := <-done:
			if victim == c.Process.Pid && err != nil { // else the job had ended
				assert.ErrorContains(t, err, "killed")
			}
			over = true
		case <-time.After(harness.JobLimit):
			// A program of a script that had ended already is no victim.
			require.Equal(t, ranks, s.ranks(t), "moment %d, %s: the launcher does not end\n%s", number, command, stderr.String())
		}
	}
	if len(memory) > 0 {
		s.hits++
	}
	s.leaves(t, memory, "moment %d, %s", number, strings.Join(command, " "))
}

// leaves requires that no process, memory or file of the jobs is left.
func (s *soak) leaves(t *testing.T, memory []string, message ...any) {
	assert.Eventually(t, func() bool { return len(processes(t, s.directory)) == 0 }, harness.JobLimit, 5*time.Millisecond, message...)
	for _, pid := range processes(t, s.directory) {
		t.Log("left:", pid, words(pid))
		syscall.Kill(pid, syscall.SIGKILL)
	}
	assert.Empty(t, holders(t, memory), message...)
	left, err := os.ReadDir(s.directory)
	require.NoError(t, err)
	left = slices.DeleteFunc(left, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), "ompi.") }) // Open MPI's launcher
	assert.Empty(t, left, message...)
	// Files of other packages' jobs go away by themselves.
	assert.Eventually(t, func() bool {
		return !slices.ContainsFunc(own("/dev/shm"), func(name string) bool { return !slices.Contains(s.shared, name) })
	}, harness.JobLimit, 5*time.Millisecond, message...)
	if t.Failed() {
		t.FailNow()
	}
}

// assertHits prints the number of kills while the ranks had their memory. The long test must have some.
func (s *soak) assertHits(t *testing.T) {
	t.Logf("%d kills while the ranks had their memory", s.hits)
	if harness.Nightly.Runs() {
		assert.Positive(t, s.hits)
	}
}

// number returns the number of moments: a few, or those of the long test.
func number(few, nightly int) int {
	if harness.Nightly.Runs() {
		return nightly
	}
	return few
}

// kill -9 of any process of a job, at any moment: the job ends, and leaves no process, memory or file.
func TestKill(t *testing.T) {
	s := newSoak(t, 1, 60)
	names := []string{"program", "script", "exec", "scripts"}
	for moment := range number(40, 1000) {
		words := wraps[names[moment%len(names)]](s.wi4go, s.program)
		ranks := 2 + moment%3
		s.moment(t, moment, ranks, append([]string{s.wi4go, "ranks", "-n", fmt.Sprint(ranks)}, words...)...)
	}
	s.assertHits(t)
}

// The same with 16 ranks that spend most of their time in MPI_Init and MPI_Finalize.
func TestKillBriefly(t *testing.T) {
	s := newSoak(t, 11, 250)
	for moment := range number(6, 200) {
		s.moment(t, moment, 16, s.wi4go, "ranks", "-n", "16", s.program, "1")
	}
}

// The same under a launcher that leaves the other ranks alone. Each fourth job has its memory in an unlinked file.
func TestKillJoined(t *testing.T) {
	s := newSoak(t, 3, 60)
	for moment := range number(10, 250) {
		size := 2 + moment%3
		victim, pause := s.random.IntN(size), s.pause()
		environ := func(int) []string {
			return []string{"ADI_JOIN_TIMEOUT=3", "TMPDIR=" + s.directory, fmt.Sprintf("ADI_SEGMENT_FILE=%d", moment%4/3)}
		}
		command := fmt.Sprintf("test $OMPI_COMM_WORLD_RANK = %d && { sleep %f; kill -9 $$; } & exec %s", victim, pause.Seconds(), s.program)
		for rank, r := range tasks(t, size, size, environ, "sh", "-c", command) {
			assert.NotEqual(t, 0, r.code, "moment %d, rank %d", moment, rank)
		}
		s.leaves(t, nil, "moment %d", moment)
	}
}

// The same under the launchers of both families.
func TestKillLaunched(t *testing.T) {
	for _, family := range harness.Names {
		tools, err := harness.Find(family)
		if err != nil {
			harness.Missing(t, err)
		}
		s := newSoak(t, 5, map[string]int{"openmpi": 1500, "mpich": 600}[family])
		for moment := range number(5, 125) {
			ranks := 2 + moment%3
			s.moment(t, moment, ranks, tools.MPIExec, "-n", fmt.Sprint(ranks), s.wi4go, "exec", "--to", "embedded", s.program)
		}
		s.assertHits(t)
	}
}

// startThree is a script that starts three ranks, each by a script.
const startThree = `for rank in 0 1 2; do OMPI_COMM_WORLD_RANK=$rank sh -c "$1" & done; wait`

// environThree returns the environment of a launcher that starts three ranks.
func (s *soak) environThree() []string {
	return append(os.Environ(), "TMPDIR="+s.directory, "PMIX_NAMESPACE="+s.directory, "OMPI_UNIVERSE_SIZE=8", "OMPI_COMM_WORLD_SIZE=3", "OMPI_COMM_WORLD_LOCAL_SIZE=3", fmt.Sprintf("ADI_JOIN_TIMEOUT=%.0f", harness.JobLimit.Seconds()))
}

// The ranks end if their launcher is killed while they run.
func TestLauncherKilled(t *testing.T) {
	s := newSoak(t, 7, 60)
	cmd := exec.Command("sh", "-c", startThree, "launcher", "exec "+s.program)
	cmd.Env = s.environThree()
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool { return s.mapped(t) == 3 }, harness.JobLimit, time.Millisecond)
	require.NoError(t, cmd.Process.Kill())
	cmd.Wait()
	s.leaves(t, nil)
}

// killsEarly starts the launcher $1 of the ranks $2, and kills it when all ranks have begun: each makes a file in
// $MARKS, and waits for the file killed before it calls MPI_Init.
const (
	killsEarly = `sh -c "$1" launcher "$2" & until [ -e $MARKS/0 ] && [ -e $MARKS/1 ] && [ -e $MARKS/2 ]; do sleep 0.01; done
kill -9 $!; wait $!; touch $MARKS/killed; exec sleep 600`
	waitsForKill = "touch $MARKS/$OMPI_COMM_WORLD_RANK; until [ -e $MARKS/killed ]; do sleep 0.01; done; exec "
)

// The same before they call MPI_Init. The job has its own process 1, as in a container, which adopts the ranks.
func TestLauncherKilledEarly(t *testing.T) {
	if _, err := exec.LookPath("bwrap"); err != nil {
		harness.Missing(t, fmt.Errorf("bwrap: %w", harness.ErrMissing))
	}
	s := newSoak(t, 7, 60)
	cmd := exec.Command("bwrap", "--dev-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "--die-with-parent",
		"sh", "-c", killsEarly, "job", startThree, waitsForKill+s.program+" 2>>"+s.directory+"/stderr")
	cmd.Env = append(s.environThree(), "MARKS="+t.TempDir())
	require.NoError(t, cmd.Start())
	assert.Eventually(t, func() bool {
		text, _ := os.ReadFile(s.directory + "/stderr") // ignore errors: no rank has run yet
		return strings.Count(string(text), "has ended before rank") == 3
	}, harness.JobLimit, 5*time.Millisecond)
	require.NoError(t, cmd.Process.Kill())
	cmd.Wait()
	require.NoError(t, os.Remove(s.directory+"/stderr"))
	s.leaves(t, nil)
}

// mapped returns the number of ranks that have the shared memory.
func (s *soak) mapped(t *testing.T) int {
	return len(slices.DeleteFunc(processes(t, s.directory), func(pid int) bool { return len(memories(pid)) == 0 }))
}
