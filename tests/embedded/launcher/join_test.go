package launcher

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// A task is a rank that a launcher of another family has started.
type task struct {
	stdout, stderr bytes.Buffer
	code           int
}

var jobs atomic.Int32

// tasks starts ranks as Open MPI's launcher does, but does not end the others when one has failed.
// environ returns further variables of a rank.
func tasks(t *testing.T, ranks, size int, environ func(rank int) []string, command ...string) []*task {
	ctx, cancel := context.WithTimeout(t.Context(), harness.JobLimit)
	defer cancel()
	job := fmt.Sprintf("PMIX_NAMESPACE=test-%d-%d", os.Getpid(), jobs.Add(1))
	list := make([]*task, ranks)
	var group sync.WaitGroup
	for rank := range list {
		r := &task{}
		list[rank] = r
		group.Go(func() {
			c := exec.CommandContext(ctx, command[0], command[1:]...)
			c.Env = append(os.Environ(), job, "OMPI_UNIVERSE_SIZE=8", fmt.Sprintf("OMPI_COMM_WORLD_RANK=%d", rank),
				fmt.Sprintf("OMPI_COMM_WORLD_SIZE=%d", size), fmt.Sprintf("OMPI_COMM_WORLD_LOCAL_SIZE=%d", size))
			if environ != nil {
				c.Env = append(c.Env, environ(rank)...)
			}
			c.Stdout, c.Stderr = &r.stdout, &r.stderr
			c.Run() // the exit code has its error
			r.code = c.ProcessState.ExitCode()
		})
	}
	group.Wait()
	return list
}

// The ranks of another launcher are one world, also if one is late.
func TestJoin(t *testing.T) {
	world := harness.EmbeddedProgram(t, "world")
	for _, size := range []int{2, 5} {
		for rank, r := range tasks(t, size, size, nil, world, "1") {
			assert.Equal(t, 0, r.code, r.stderr.String())
			assert.Equal(t, fmt.Sprintf("rank %d of %d, sum %d\n", rank, size, size*(size-1)/2), r.stdout.String())
			assert.Empty(t, r.stderr.String())
		}
	}
	for _, r := range tasks(t, 1, 1, nil, world) {
		assert.Equal(t, "rank 0 of 1, sum 0\n", r.stdout.String())
	}
}

// Programs of the same job follow one another.
func TestJoinAgain(t *testing.T) {
	world := harness.EmbeddedProgram(t, "world")
	for rank, r := range tasks(t, 3, 3, nil, "sh", "-c", "for i in 1 2 3 4 5; do "+world+"; done") {
		assert.Equal(t, strings.Repeat(fmt.Sprintf("rank %d of 3, sum 3\n", rank), 5), r.stdout.String(), r.stderr.String())
	}
}

// The environment of a job that cannot run: the message has the reason and the cure.
func TestJoinRefused(t *testing.T) {
	world := harness.EmbeddedProgram(t, "world")
	short := func(int) []string { return []string{"ADI_JOIN_TIMEOUT=1"} }
	list := tasks(t, 2, 4, short, world)
	for rank, message := range []string{"has started 4 ranks, but rank 2, 3 did not call MPI_Init within 1 s (ADI_JOIN_TIMEOUT)", "but rank 0 did not begin a job with this one within 1 s"} {
		assert.NotEqual(t, 0, list[rank].code)
		assert.Contains(t, list[rank].stderr.String(), message)
		assert.Contains(t, list[rank].stderr.String(), "to run this program alone, use `wi4go run --to embedded`")
	}
	list = tasks(t, 2, 2, func(int) []string { return []string{"OMPI_COMM_WORLD_LOCAL_SIZE=1"} }, world)
	assert.Equal(t, 1, strings.Count(list[0].stderr.String()+list[1].stderr.String(), "\n"), "one line")
	assert.Contains(t, list[0].stderr.String(), "the embedded MPI is for one host")
	assert.Contains(t, list[0].stderr.String(), "has started ranks on several: use another MPI: ")
	assert.NotEqual(t, 0, list[1].code)
}

// nameOf returns the abstract socket at which a rank 0 with this environment listens.
func nameOf(t *testing.T, environ []string, world string) (name string) {
	c := exec.Command(world)
	c.Env = append(os.Environ(), environ...)
	require.NoError(t, c.Start())
	require.Eventually(t, func() bool {
		list, _ := os.ReadFile("/proc/net/unix")
		fds, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", c.Process.Pid))
		for _, fd := range fds {
			link, _ := os.Readlink(fd)
			inode, isSocket := strings.CutPrefix(strings.TrimSuffix(link, "]"), "socket:[")
			_, rest, found := strings.Cut(string(list), " "+inode+" @")
			if isSocket && found {
				name, _, _ = strings.Cut(rest, "\n")
			}
		}
		return name != ""
	}, harness.JobLimit, 5*time.Millisecond)
	require.NoError(t, c.Process.Kill())
	c.Wait()
	return name
}

// Another process may have the name of the job first. Another user's does not matter. One of the same user that never accepts ends the
// job after the time limit.
func TestJoinOccupied(t *testing.T) {
	world, occupy := harness.EmbeddedProgram(t, "world"), harness.EmbeddedProgram(t, "occupy")
	job := fmt.Sprintf("PMIX_NAMESPACE=occupied-%d", os.Getpid())
	environ := []string{job, "OMPI_UNIVERSE_SIZE=8", "OMPI_COMM_WORLD_RANK=0", "OMPI_COMM_WORLD_SIZE=2", "OMPI_COMM_WORLD_LOCAL_SIZE=2"}
	name := nameOf(t, environ, world)
	begin := func(user int, how string) (end func()) {
		c := exec.Command(occupy, name, fmt.Sprint(user), how)
		output, err := c.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, c.Start())
		_, err = output.Read(make([]byte, 5)) // "ready"
		require.NoError(t, err)
		return func() {
			c.Process.Kill() // ignore errors: Wait has them
			c.Wait()
		}
	}
	const another = 65534
	for _, how := range []string{"bind", "listen", "full"} {
		if os.Getuid() != 0 {
			harness.Missing(t, fmt.Errorf("root, to become another user: %w", harness.ErrMissing))
		}
		end := begin(another, how)
		for rank, r := range tasks(t, 5, 5, func(int) []string { return []string{job} }, world, "1") {
			assert.Equal(t, fmt.Sprintf("rank %d of 5, sum 10\n", rank), r.stdout.String(), "%s: %s", how, r.stderr.String())
		}
		end()
	}
	for _, how := range []string{"bind", "listen", "full"} {
		end := begin(os.Getuid(), how)
		list := tasks(t, 2, 2, func(int) []string {
			return []string{job, "ADI_JOIN_TIMEOUT=2", "OMPI_COMM_WORLD_RANK=1"}
		}, world, "1")
		for _, r := range list {
			assert.NotEqual(t, 0, r.code)
			assert.Contains(t, r.stderr.String(), "rank 0 did not begin a job with this one within 2 s (ADI_JOIN_TIMEOUT)", how)
		}
		end()
	}
}

// Ranks with networks of their own do not see each other's abstract sockets: the message has the cause.
func TestJoinNetworks(t *testing.T) {
	if _, err := exec.LookPath("bwrap"); err != nil {
		harness.Missing(t, fmt.Errorf("bwrap: %w", harness.ErrMissing))
	}
	for _, r := range tasks(t, 2, 2, func(int) []string { return []string{"ADI_JOIN_TIMEOUT=1"} }, "bwrap", "--dev-bind", "/", "/", "--unshare-net", harness.EmbeddedProgram(t, "world")) {
		assert.NotEqual(t, 0, r.code)
		assert.Contains(t, r.stderr.String(), "the ranks have networks of their own: start their containers with the network of the host")
	}
}

// Ranks with the variables of srun, and of a launcher of PMI without a sign, whose process names the job.
func TestJoinVariables(t *testing.T) {
	world := harness.EmbeddedProgram(t, "world")
	hide := func(environ []string) []string {
		return slices.DeleteFunc(environ, func(v string) bool { return strings.HasPrefix(v, "OMPI_") || strings.HasPrefix(v, "PMIX_") })
	}
	for name, environ := range map[string]string{
		"srun": "SLURM_JOB_ID=%[2]d SLURM_STEP_ID=0 SLURM_PROCID=%[1]d SLURM_STEP_NUM_TASKS=2 SLURM_STEP_TASKS_PER_NODE=2",
		"pmi":  "PMI_RANK=%[1]d PMI_SIZE=2",
		"exec": "PMI_RANK=%[1]d PMI_SIZE=2 WI4GO_RANK_VARIABLES=OMPI_COMM_WORLD_RANK,OMPI_COMM_WORLD_SIZE OMPI_COMM_WORLD_RANK=7 OMPI_COMM_WORLD_SIZE=9",
	} {
		t.Run(name, func(t *testing.T) {
			var group sync.WaitGroup
			for rank := range 2 {
				group.Go(func() {
					c := exec.Command("sh", "-c", world)
					c.Env = append(hide(os.Environ()), strings.Fields(fmt.Sprintf(environ, rank, os.Getpid()))...)
					output, err := c.CombinedOutput()
					assert.NoError(t, err)
					assert.Equal(t, fmt.Sprintf("rank %d of 2, sum 1\n", rank), string(output))
				})
			}
			group.Wait()
		})
	}
}

// If a rank ends, the others end too, although their launcher leaves them alone: those that wait in
// MPI, those that poll, and those that compute.
func TestJoinedDeath(t *testing.T) {
	death := harness.EmbeddedProgram(t, "death")
	for _, c := range []struct {
		args  []string
		cause int
		code  int
	}{
		{[]string{"kill"}, 1, 1}, {[]string{"kill", "compute"}, 1, 1}, {[]string{"kill", "poll"}, 1, 1}, {[]string{"exit"}, 1, 1},
		{[]string{"abort"}, 1, 7}, {[]string{"abort", "compute"}, 1, 7}, {[]string{"leader"}, 0, 1}, {[]string{"leader", "compute"}, 0, 1},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			start := time.Now()
			all := ""
			for rank, r := range tasks(t, 4, 4, nil, append([]string{death}, c.args...)...) {
				all += r.stderr.String()
				if rank != c.cause {
					assert.Equal(t, c.code, r.code, r.stderr.String())
				}
			}
			if c.code == 1 {
				assert.Regexp(t, fmt.Sprintf(`^rank \d: rank %d has ended[^\n]*\n$`, c.cause), all, "one rank prints it")
			}
			assert.Less(t, time.Since(start), harness.JobLimit)
		})
	}
}

// The launchers of both families start one world, by wi4go exec.
func TestOtherLaunchers(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	for _, family := range harness.Names {
		tools, err := harness.Find(family)
		if err != nil {
			harness.Missing(t, err)
		}
		for _, app := range harness.Names {
			compiler, err := harness.Find(app)
			if err != nil {
				harness.Missing(t, err)
			}
			world := filepath.Join(t.TempDir(), "world")
			require.NoError(t, compiler.Compile("../programs/world.c", world))
			ctx, cancel := context.WithTimeout(t.Context(), harness.JobLimit)
			defer cancel()
			c := exec.CommandContext(ctx, tools.MPIExec, "-n", "3", filepath.Join(prefix, "bin/wi4go"), "exec", "--to", "embedded", world)
			output, err := c.CombinedOutput()
			require.NoError(t, err, "%s", output)
			for rank := range 3 {
				assert.Contains(t, string(output), fmt.Sprintf("rank %d of 3, sum 3\n", rank))
			}
			assert.NotContains(t, string(output), "wi4go:")
		}
	}
}

// The first process of a rank has ended before MPI_Init; the launcher waits for the other one.
func TestOtherLaunchersOrphan(t *testing.T) {
	world := harness.EmbeddedProgram(t, "world")
	const orphan = `(while read -r a b c parent rest </proc/self/stat && [ "$parent" = $$ ]; do sleep 0.01; done; exec "$0" 1) &`
	for _, name := range []string{"openmpi", "openmpi-5.0", "mpich"} {
		tools, err := harness.Find(name)
		if err != nil {
			harness.Missing(t, err)
		}
		for _, command := range [][]string{
			{"-n", "3", "sh", "-c", orphan, world},
			{"-n", "1", world, "1", ":", "-n", "2", "sh", "-c", orphan, world},
			{"-n", "1", "sh", "-c", orphan, world, ":", "-n", "2", world, "1"},
		} {
			ctx, cancel := context.WithTimeout(t.Context(), harness.JobLimit)
			defer cancel()
			c := exec.CommandContext(ctx, tools.MPIExec, command...)
			c.Env = harness.PlainEnviron()
			output, err := c.CombinedOutput()
			require.NoError(t, err, "%s %q: %s", name, command, output)
			for rank := range 3 {
				assert.Contains(t, string(output), fmt.Sprintf("rank %d of 3, sum 3\n", rank), "%s %q", name, command)
			}
		}
	}
}
