package embedded_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// A scripted job runs programs/script.c: a script for each rank.
type scripted struct {
	ranks   int
	threads bool     // MPI_THREAD_MULTIPLE
	scripts []string // the last one serves further ranks
	reports []string // lines of the report, if the job hangs
}

// waits is a line of a report.
func waits(rank int, function, rest string) string {
	return fmt.Sprintf("rank %d: MPI_%s waits for %s", rank, function, rest)
}

// pointToPoint has the ways to wait for a message from rank %d with tag %d, by the function that waits.
var pointToPoint = map[string]string{
	"Recv": "recv,%d,%d", "Wait": "irecv,%d,%d wait", "Waitall": "irecv,%d,%d waitall", "Waitany": "irecv,%d,%d waitany", "Waitsome": "irecv,%d,%d waitsome",
	"Probe": "probe,%d,%d", "Mprobe": "mprobe,%d,%d", "Ssend": "ssend,%d,%d", "Send": "send,%d,%d,4000000",
}

// collective has the collective operations that no rank leaves before another one has called them: the
// root waits for all.
var collective = map[string]string{
	"Barrier": "barrier", "Reduce": "reduce,0", "Allreduce": "allreduce", "Gather": "gather,0", "Allgather": "allgather", "Alltoall": "alltoall",
	"Comm_split": "split,0",
}

// deadlocks returns jobs in which no rank can ever proceed.
func deadlocks() (jobs []scripted) {
	add := func(ranks int, threads bool, reports []string, scripts ...string) {
		jobs = append(jobs, scripted{ranks, threads, scripts, reports})
	}
	functions := slices.Sorted(maps.Keys(pointToPoint))
	for number, function := range functions {
		for n := 2; n <= 4; n++ { // each rank waits for the next one
			var scripts, reports []string
			for rank := range n {
				scripts = append(scripts, fmt.Sprintf(pointToPoint[function], (rank+1)%n, n))
				reports = append(reports, waits(rank, function, fmt.Sprintf("rank %d (tag %d) on MPI_COMM_WORLD", (rank+1)%n, n)))
			}
			add(n, n == 3, append(reports, "each waits for the next: 0, 1,"), scripts...)
		}
		receives := !strings.HasSuffix(function, "end")
		if receives { // another tag, another source, another communicator
			tag := 90 + number
			script := func(source, tag int) string { return fmt.Sprintf(pointToPoint[function], source, tag) }
			add(2, false, []string{waits(1, function, fmt.Sprintf("rank 0 (tag %d)", tag)), fmt.Sprintf("it has a message from rank 0 with tag %d", tag-1)},
				fmt.Sprintf("send,1,%d", tag-1), script(0, tag))
			add(3, true, []string{waits(1, function, fmt.Sprintf("rank 2 (tag %d)", tag)), fmt.Sprintf("it has a message from rank 0 with tag %d", tag), waits(2, "Recv", "rank 0 (any tag)")},
				fmt.Sprintf("send,1,%d", tag), script(2, tag), "recv,0,-1")
			add(2, false, []string{waits(1, function, fmt.Sprintf("rank 0 (tag %d) on copy", tag))}, fmt.Sprintf("send,1,%d", tag), "copy "+script(0, tag))
			add(4, false, []string{waits(3, function, fmt.Sprintf("rank 2 (tag %d) on half", tag))}, "", "", fmt.Sprintf("send,3,%d", tag), "half "+script(0, tag))
			// A thread waits, and the main thread waits for the thread, or for a semaphore too.
			add(2, true, []string{waits(1, function, fmt.Sprintf("rank 0 (tag %d)", tag)), "rank 0: MPI_Finalize waits for"}, "", "[ "+script(0, tag)+" ]")
			add(2, true, []string{waits(0, "Recv", "any rank (tag 1)"), waits(1, function, "any rank (any tag)")}, "[ pend send,1,3 ] [ recv,-1,1 post ]", "[ pend ] [ "+script(-1, -1)+" ] pend")
			add(2, true, []string{"MPI_Recv waits for rank 1 (tag 7)", "MPI_" + function + " waits for rank 1 (tag 8)", waits(1, "Recv", "rank 0 (tag 9)")},
				"[ recv,1,7 ] [ "+script(1, 8)+" ]", "recv,0,9")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(collective)) { // one rank does not call it
		for n := 2; n <= 4; n++ {
			reports := []string{"rank 0: MPI_" + name + " waits for rank", waits(n-1, "Recv", "rank 0 (tag 5)")}
			scripts := append(slices.Repeat([]string{collective[name]}, n-1), "recv,0,5")
			add(n, n == 4, reports, scripts...)
		}
	}
	for _, name := range []string{"ibarrier", "iallreduce"} {
		add(2, false, []string{"rank 0: MPI_Wait waits for rank 1", waits(1, "Recv", "rank 0 (tag 5)")}, name+" wait", "recv,0,5")
		add(3, true, []string{"rank 0: MPI_Waitall waits for", waits(2, "Probe", "any rank (tag 5)")}, name+" waitall", name+" waitall", "probe,-1,5")
	}
	return jobs
}

// alive returns jobs in which every rank proceeds in the end, after some time in which nothing seems to
// happen.
func alive() (jobs []scripted) {
	const ms = 250 // longer than the launcher needs to report a job
	slow := []string{"sleep,%d", "compute,%d", "pipe,%d", "lock,%d", "child,%d", "pendfor,%d", "alarm,%d pend"}
	for _, name := range slices.Sorted(maps.Keys(pointToPoint)) {
		for i, delay := range slow {
			own := fmt.Sprintf(delay, ms)
			other := fmt.Sprintf("send,0,%d", i)
			if strings.HasSuffix(name, "end") {
				other = fmt.Sprintf("recv,0,%d", i)
			}
			wait := fmt.Sprintf(pointToPoint[name], 1, i)
			if name == "Probe" {
				wait += fmt.Sprintf(" recv,1,%d", i)
			}
			jobs = append(jobs, scripted{ranks: 2, scripts: []string{wait, own + " " + other}})
			// The slow one is a thread of a rank whose other threads wait too.
			jobs = append(jobs, scripted{ranks: 2, threads: true, scripts: []string{"[ " + wait + " ] [ recv,1,77 ]", "[ recv,1,78 ] [ " + own + " send,0,77 send,1,78 ] " + other}})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(collective)) {
		jobs = append(jobs,
			scripted{ranks: 3, scripts: []string{collective[name], fmt.Sprintf("sleep,%d %s", ms, collective[name]), collective[name]}},
			scripted{ranks: 4, threads: true, scripts: []string{collective[name], fmt.Sprintf("[ compute,%d post ] pend %s", ms, collective[name]), collective[name]}})
	}
	for _, name := range []string{"ibarrier", "iallreduce"} {
		jobs = append(jobs, scripted{ranks: 2, scripts: []string{fmt.Sprintf("%s sleep,%d poll", name, ms), name + " poll"}},
			scripted{ranks: 2, scripts: []string{fmt.Sprintf("sleep,%d %s waitall", ms, name), "precv,0,3 " + name + " wait,1 wait,0 "}})
		jobs[len(jobs)-1].scripts[0] += " send,1,3"
	}
	// Threads that let each other run, so that one of them always waits, while the main thread and the other rank wait in MPI.
	jobs = append(jobs, scripted{ranks: 2, threads: true, scripts: []string{"[ pingpong,20000,0 send,1,1 ] [ pingpong,20000,1 ] recv,1,2", "recv,0,1 send,0,2"}})
	return jobs
}

// some returns every job in the long test, else a part of them.
func some(jobs []scripted) (list []scripted) {
	for i, j := range jobs {
		if harness.Nightly.Runs() || i%9 == 4 {
			list = append(list, j)
		}
	}
	return list
}

// run runs a job, by the program that one of the ABI families has compiled.
func (j scripted) run(t *testing.T, program string) launched {
	level := "single"
	if j.threads {
		level = "multiple"
	}
	words := []string{"-genv", "LEVEL", level, "-n", fmt.Sprint(j.ranks), program}
	for i, script := range j.scripts {
		if i > 0 {
			words = append(words, "/")
		}
		words = append(words, strings.Fields(script)...)
	}
	return launch(t, "", words...)
}

// inFamilies returns a program in the forms of the embedded MPI itself and of all families that are
// here, each as a command that starts it.
func inFamilies(t *testing.T, name string) (programs []string) {
	programs = []string{program(t, name)}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	for _, family := range harness.Names {
		tools, err := harness.Find(family)
		if err != nil {
			harness.Missing(t, err)
		}
		path := filepath.Join(t.TempDir(), name+"-"+family)
		require.NoError(t, tools.Compile("programs/"+name+".c", path, "-pthread"))
		wrapper := path + ".sh"
		require.NoError(t, os.WriteFile(wrapper, fmt.Appendf(nil, "#!/bin/sh\nexec %s/bin/wi4go exec --to embedded %s \"$@\"\n", prefix, path), 0o755))
		programs = append(programs, wrapper)
	}
	return programs
}

// runJobs runs some of the jobs, of which there are at least 100, and checks what each has printed.
func runJobs(t *testing.T, jobs []scripted, check func(t *testing.T, j scripted, got launched)) {
	programs := inFamilies(t, "script")
	require.GreaterOrEqual(t, len(jobs), 100)
	for i, j := range some(jobs) {
		t.Run(strings.Join(j.scripts, " | "), func(t *testing.T) {
			t.Parallel()
			check(t, j, j.run(t, programs[i%len(programs)]))
		})
	}
}

// Every job that hangs is reported, with its ranks, functions and tags.
func TestDeadlocks(t *testing.T) {
	runJobs(t, deadlocks(), func(t *testing.T, j scripted, got launched) {
		assert.Equal(t, 124, got.code)
		assert.Contains(t, got.stderr, "wi4go: no rank of the job can proceed:\n")
		for _, line := range j.reports {
			assert.Contains(t, got.stderr, line)
		}
	})
}

// A rank that gives its buffer back, or ends, waits until its messages are received.
func TestBufferedDeadlocks(t *testing.T) {
	for _, p := range inFamilies(t, "script") {
		for _, end := range []string{" detach", ""} {
			got := scripted{ranks: 2, scripts: []string{"buffer bsend,1,1,1000000" + end, "recv,0,2"}}.run(t, p)
			assert.Equal(t, 124, got.code, "%s%s", p, end)
			assert.Contains(t, got.stderr, "rank 1: MPI_Recv waits for rank 0 (tag 2) on MPI_COMM_WORLD", "%s%s", p, end)
		}
		got := scripted{ranks: 2, threads: true, scripts: []string{"buffer bsend,1,1,1000000 [ bsend,1,2,1000000 post ] pend detach", "sleep,250 recv,0,1 recv,0,2"}}.run(t, p)
		assert.Equal(t, 0, got.code, "%s: %s", p, got.stderr)
	}
}

// No job that proceeds in the end is reported.
func TestAlive(t *testing.T) {
	runJobs(t, alive(), func(t *testing.T, j scripted, got launched) {
		assert.Equal(t, 0, got.code)
		assert.Empty(t, got.stderr)
		assert.Equal(t, j.ranks, strings.Count(got.stdout, " has ended\n"))
	})
}
