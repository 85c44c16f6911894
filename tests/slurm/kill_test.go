package slurm

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// named returns the cluster's processes with a name.
func (c *cluster) named(name string) (pids []int) {
	for _, pid := range c.processes() {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)) // ignore errors: it may have ended
		if strings.TrimSpace(string(text)) == name {
			pids = append(pids, pid)
		}
	}
	return pids
}

// A killedJob is srun with ranks of the embedded MPI that exchange messages without end.
type killedJob struct {
	*exec.Cmd
	output bytes.Buffer
	ended  chan struct{}
}

func startKilled(t *testing.T, wi4go, program string, ranks int) *killedJob {
	j := &killedJob{Cmd: exec.Command("srun", "--mpi=none", fmt.Sprintf("--ntasks=%d", ranks), "--kill-on-bad-exit=0", wi4go, "exec", "--to", "embedded", program),
		ended: make(chan struct{})}
	j.Env, j.Dir, j.Stdout, j.Stderr = append(slurm.environ(), "ADI_JOIN_TIMEOUT=3"), slurm.dir, &j.output, &j.output
	j.WaitDelay = time.Second
	require.NoError(t, j.Start())
	go func() {
		j.Wait() // its error is in the state
		close(j.ended)
	}()
	return j
}

// victims returns the processes of a kind: the ranks and programs that become ranks, their launcher on the node, or srun.
func (j *killedJob) victims(kind string) []int {
	switch kind {
	case "rank":
		return append(slurm.named("traffic"), slurm.named("wi4go")...)
	case "slurmstepd":
		return slurm.named(kind)
	}
	return []int{j.Process.Pid}
}

// kill -9 of a rank, of the ranks' launcher (slurmstepd) or of srun at any moment ends all ranks, and nothing is left. Only
// after the end of srun does the user have to cancel the job: slurmstepd lets the ranks of every MPI run on.
func TestKillEmbedded(t *testing.T) {
	w := newWorld(t)
	tools, err := harness.Find(harness.Names[0])
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "traffic")
	require.NoError(t, tools.Compile("../embedded/programs/traffic.c", program))
	random := rand.New(rand.NewPCG(9, 10))
	moments := 3
	if harness.Nightly.Runs() {
		moments = 60
	}
	mapped := 0
	for moment := range moments {
		kind := []string{"rank", "slurmstepd", "srun"}[moment%3]
		j := startKilled(t, w.wi4go, program, 2+moment%3)
		require.Eventually(t, func() bool { return len(j.victims(kind)) > 0 && len(slurm.named("slurmstepd")) > 0 }, limit, time.Millisecond)
		time.Sleep(time.Duration(random.IntN(400)) * time.Millisecond)
		if victims := j.victims(kind); len(victims) > 0 {
			mapped += len(slurm.named("traffic"))
			require.NoError(t, syscall.Kill(victims[random.IntN(len(victims))], syscall.SIGKILL), "%s %s", kind, &j.output)
		}
		gone := func() bool { return len(j.victims("rank")) == 0 }
		if kind == "srun" {
			<-j.ended
			assert.Zero(t, slurm.run(limit, "scancel", "--partition=all").code)
		}
		require.Eventually(t, gone, limit, 5*time.Millisecond, "moment %d, %s", moment, kind)
		slurm.run(limit, "scancel", "--partition=all") // srun waits for a slurmstepd that has ended
		select {
		case <-j.ended:
		case <-time.After(limit):
			j.Process.Kill()
			require.Fail(t, "srun does not end", "moment %d, %s", moment, kind)
		}
		require.Eventually(t, func() bool { return slurm.run(limit, "squeue", "--noheader").stdout == "" }, limit, 50*time.Millisecond)
		require.Eventually(t, func() bool { return len(slurm.named("slurmstepd")) == 0 }, limit, 5*time.Millisecond)
	}
	assert.Positive(t, mapped, "ranks that ran when the kill came")
}
