package hang

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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
	always  bool     // not only in the long test
	env     []string // names and values
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
		jobs = append(jobs, scripted{ranks: ranks, threads: threads, scripts: scripts, reports: reports})
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
	return append(jobs, signalDeadlocks()...)
}

// The numbers of signals on Linux, by the reason for which a program handles them.
var (
	requests = []int{1, 2, 3, 15, 24, 28}            // HUP, INT, QUIT, TERM, XCPU, WINCH
	usual    = []int{10, 12, 14, 17, 26, 27, 29, 40} // USR1, USR2, ALRM, CHLD, VTALRM, PROF, IO, one of the real-time signals
)

// The kinds of handlers in programs/script.c.
const (
	returns = iota
	sleeps
	shell
	pipe
	posts
	completes
)

// signalDeadlocks returns jobs that hang although signals have come or may come.
func signalDeadlocks() (jobs []scripted) {
	reports := []string{waits(0, "Recv", "rank 1 (tag 6) on MPI_COMM_WORLD"), waits(1, "Recv", "rank 0 (tag 5) on MPI_COMM_WORLD"), "each waits for the next: 0, 1, 0"}
	add := func(always bool, script string) {
		for _, threads := range []bool{false, true} {
			jobs = append(jobs, scripted{ranks: 2, threads: threads, scripts: []string{"recv,1,6", script + " recv,0,5"}, reports: reports, always: always && !threads})
		}
	}
	for _, s := range requests {
		add(s == 15, fmt.Sprintf("handle,%d,%d", s, returns))
		add(false, fmt.Sprintf("handle,%d,%d,200 signal,%d,50", s, sleeps, s))
		add(false, fmt.Sprintf("handle,%d,%d block,%d signal,%d,0", s, returns, s, s)) // it stays pending
	}
	for _, s := range usual {
		add(s == 14, fmt.Sprintf("handle,%d,%d signal,%d,0 sleep,50 default,%d", s, returns, s, s))
		if s == 17 { // a child that sends it sends it twice, the second time when it ends
			continue
		}
		add(s == 10, fmt.Sprintf("leave,%d,20 leave,%d,20 leave,%d,20 leave,%d,20 leave,%d,20 default,%d", s, s, s, s, s, s))
	}
	add(true, "stop,50,200")
	for _, env := range [][]string{{"ADI_FUTEX", "0"}, {"ADI_FENCE", "1"}, {"ADI_SPIN_US", "0"}} {
		jobs = append(jobs,
			scripted{ranks: 2, scripts: []string{"recv,1,6", "recv,0,5"}, reports: reports, always: true, env: env},
			scripted{ranks: 4, scripts: []string{"barrier recv,1,6", "barrier recv,0,5", "barrier barrier"}, reports: append([]string{"rank 3: MPI_Barrier waits for rank 0, rank 1"}, reports...), env: env},
			scripted{ranks: 2, threads: true, scripts: []string{"[ recv,1,7 ] recv,1,6", "[ pend ] recv,0,5"}, reports: []string{"MPI_Recv waits for rank 1 (tag 6)", "MPI_Recv waits for rank 1 (tag 7)", reports[1]}, env: env})
	}
	// The sender waits because too much is unexpected at the receiver.
	jobs = append(jobs, scripted{ranks: 2, scripts: []string{"burst,1,7,6000", "recv,0,8"}, env: []string{"ADI_UNEXPECTED", "4194304"}, always: true,
		reports: []string{waits(0, "Send", "rank 1 (tag 7)"), "          blocked because 4 MB are unexpected at rank 1, its limit", waits(1, "Recv", "rank 0 (tag 8)")}})
	return jobs
}

// signalsAlive returns jobs in which a rank does not run for some time although its wait is over: it is in a
// handler of a signal, or stopped. The other ranks proceed meanwhile, and wait again.
func signalsAlive() (jobs []scripted) {
	const begin, arrive, ms = 60, 120, 500 // the handler begins, the other ranks come, the handler ends
	numbers := append(slices.Clone(requests), usual...)
	next := 0
	interruption := func(kind int) string {
		s := numbers[next%len(numbers)]
		next++
		if s == 17 && kind != sleeps { // the handler of SIGCHLD would be called for its own child
			s = 14
		}
		return fmt.Sprintf("handle,%d,%d,%d signal,%d,%d", s, kind, ms, s, begin)
	}
	for kind := range posts {
		if kind == returns {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(pointToPoint)) {
			other := "send,1,3"
			if strings.HasSuffix(name, "end") {
				other = "recv,1,3"
			}
			wait := fmt.Sprintf(pointToPoint[name], 0, 3)
			if name == "Probe" {
				wait += " recv,0,3"
			}
			for _, threads := range []bool{false, true} {
				jobs = append(jobs, scripted{ranks: 2, threads: threads, scripts: []string{fmt.Sprintf("sleep,%d %s recv,1,50", arrive, other), interruption(kind) + " " + wait + " send,0,50"}})
			}
		}
		for _, name := range slices.Sorted(maps.Keys(collective)) {
			wait := collective[name]
			for n := 2; n <= 4; n++ { // rank 0 is the root, and comes last
				jobs = append(jobs, scripted{ranks: n, scripts: []string{fmt.Sprintf("%s sleep,%d %s barrier barrier", wait, arrive, wait), interruption(kind) + " " + wait + " " + wait + " barrier barrier", wait + " " + wait + " barrier barrier"}})
			}
		}
		// The sender waits for room.
		jobs = append(jobs, scripted{ranks: 2, always: kind == sleeps, scripts: []string{interruption(kind) + " burst,1,7,1500", fmt.Sprintf("sleep,%d gulp,0,7,1500", arrive)}},
			scripted{ranks: 2, always: kind == sleeps, scripts: []string{fmt.Sprintf("handle,15,%d,%d signal,15,%d barrier barrier", kind, ms, begin), fmt.Sprintf("sleep,%d barrier barrier", arrive)}})
	}
	stopped := fmt.Sprintf("stop,%d,%d", begin, ms)
	for _, wait := range []string{"barrier barrier", "recv,0,3 send,0,50"} {
		other := map[bool]string{true: "barrier barrier", false: "send,1,3 recv,1,50"}[wait == "barrier barrier"]
		jobs = append(jobs, scripted{ranks: 2, always: true, scripts: []string{fmt.Sprintf("sleep,%d %s", arrive, other), stopped + " " + wait}})
	}
	jobs = append(jobs, scripted{ranks: 2, scripts: []string{stopped + " burst,1,7,1500", fmt.Sprintf("sleep,%d gulp,0,7,1500", arrive)}})
	for _, s := range numbers { // a thread waits for a handler, and the main thread in MPI
		jobs = append(jobs, scripted{ranks: 2, threads: true, always: s == 15, scripts: []string{"recv,1,1 send,1,2", fmt.Sprintf("handle,%d,%d signal,%d,%d [ pend send,0,1 ] recv,0,2", s, posts, s, ms)}})
	}
	for _, s := range requests { // a handler completes a request
		jobs = append(jobs, scripted{ranks: 2, always: s == 2, scripts: []string{"recv,1,1", fmt.Sprintf("generalized handle,%d,%d signal,%d,%d wait send,0,1", s, completes, s, ms)}})
	}
	for _, s := range usual { // a handler leaves a wait, at once or after some time in which all ranks wait
		jobs = append(jobs, scripted{ranks: 2, always: s == 14, scripts: []string{"recv,1,3", fmt.Sprintf("leave,%d,%d default,%d sleep,%d send,0,3", s, begin, s, ms)}},
			scripted{ranks: 2, scripts: []string{"recv,1,3", fmt.Sprintf("leave,%d,%d send,0,3", s, ms)}})
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
	return append(jobs, signalsAlive()...)
}

// some returns every job in the long test, else a part of them.
func some(jobs []scripted) (list []scripted) {
	for i, j := range jobs {
		if harness.Nightly.Runs() || i%9 == 4 || j.always {
			list = append(list, j)
		}
	}
	return list
}

// run runs a job, by the program that one of the ABI families has compiled.
func (j scripted) run(t *testing.T, program string) harness.Job {
	level := "single"
	if j.threads {
		level = "multiple"
	}
	words := []string{"-genv", "LEVEL", level}
	for i := 0; i < len(j.env); i += 2 {
		words = append(words, "-genv", j.env[i], j.env[i+1])
	}
	words = append(words, "-n", fmt.Sprint(j.ranks), program)
	for i, script := range j.scripts {
		if i > 0 {
			words = append(words, "/")
		}
		words = append(words, strings.Fields(script)...)
	}
	return harness.Ranks(t, "", words...)
}

// runJobs runs some of the jobs, of which there are at least 100, and checks what each has printed.
func runJobs(t *testing.T, jobs []scripted, check func(t *testing.T, j scripted, got harness.Job)) {
	programs := harness.InFamilies(t, "script")
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
	runJobs(t, deadlocks(), func(t *testing.T, j scripted, got harness.Job) {
		assert.Equal(t, 124, got.Code)
		assert.Contains(t, got.Stderr, "wi4go: no rank of the job can proceed:\n")
		for _, line := range j.reports {
			assert.Contains(t, got.Stderr, line)
		}
	})
}

// A rank that gives its buffer back, or ends, waits until its messages are received.
func TestBufferedDeadlocks(t *testing.T) {
	for _, p := range harness.InFamilies(t, "script") {
		for _, end := range []string{" detach", ""} {
			got := scripted{ranks: 2, scripts: []string{"buffer bsend,1,1,1000000" + end, "recv,0,2"}}.run(t, p)
			assert.Equal(t, 124, got.Code, "%s%s", p, end)
			assert.Contains(t, got.Stderr, "rank 1: MPI_Recv waits for rank 0 (tag 2) on MPI_COMM_WORLD", "%s%s", p, end)
		}
		got := scripted{ranks: 2, threads: true, scripts: []string{"buffer bsend,1,1,1000000 [ bsend,1,2,1000000 post ] pend detach", "sleep,250 recv,0,1 recv,0,2"}}.run(t, p)
		assert.Equal(t, 0, got.Code, "%s: %s", p, got.Stderr)
	}
}

// No job that proceeds in the end is reported.
func TestAlive(t *testing.T) {
	runJobs(t, alive(), func(t *testing.T, j scripted, got harness.Job) {
		assert.Equal(t, 0, got.Code)
		assert.Empty(t, got.Stderr)
		assert.Equal(t, j.ranks, strings.Count(got.Stdout, " has ended\n"))
	})
}

// A rank that a control group's freezer stops looks as if it slept. Such a job is only reported if it hangs.
func TestFrozen(t *testing.T) {
	programs := harness.InFamilies(t, "script")
	for i, j := range []scripted{
		{ranks: 2, scripts: []string{"sleep,150 barrier barrier", "freeze,60,500 barrier barrier"}},
		{ranks: 3, scripts: []string{"sleep,150 allreduce barrier", "freeze,60,500 allreduce barrier", "allreduce barrier"}},
		{ranks: 2, scripts: []string{"sleep,150 send,1,3 recv,1,4", "freeze,60,500 recv,0,3 send,0,4"}},
		{ranks: 2, scripts: []string{"freeze,60,500 burst,1,7,1500", "sleep,150 gulp,0,7,1500"}},
		{ranks: 2, threads: true, scripts: []string{"sleep,150 send,1,3 recv,1,4", "freeze,60,500 [ recv,0,3 post ] [ pend send,0,4 ]"}},
		{ranks: 2, scripts: []string{"recv,1,5", "freeze,60,500 recv,0,6"}, reports: []string{waits(0, "Recv", "rank 1 (tag 5)"), waits(1, "Recv", "rank 0 (tag 6)")}},
	} {
		t.Run(strings.Join(j.scripts, " | "), func(t *testing.T) {
			t.Parallel()
			group, parent := freezer(t)
			j.env = []string{"FREEZER", group, "FREEZER_PARENT", parent}
			got := j.run(t, programs[i%len(programs)])
			if j.reports == nil {
				assert.Equal(t, 0, got.Code)
				assert.Empty(t, got.Stderr)
			} else {
				assert.Equal(t, 124, got.Code)
			}
			for _, line := range j.reports {
				assert.Contains(t, got.Stderr, line)
			}
		})
	}
}

// freezer creates a control group, and returns it and its parent, the group of this process. It skips the test if
// that is not possible.
func freezer(t *testing.T) (group, parent string) {
	mounts, err := os.ReadFile("/proc/self/mounts")
	require.NoError(t, err)
	groups, err := os.ReadFile("/proc/self/cgroup")
	require.NoError(t, err)
	for line := range strings.Lines(string(mounts)) {
		if fields := strings.Fields(line); len(fields) > 2 && fields[2] == "cgroup2" {
			parent = fields[1]
		}
	}
	if parent == "" {
		t.Skip("the system has no control groups of version 2")
	}
	for line := range strings.Lines(string(groups)) {
		if own, found := strings.CutPrefix(line, "0::"); found {
			parent = filepath.Join(parent, strings.TrimSpace(own))
		}
	}
	group, err = os.MkdirTemp(parent, "freezer")
	if err != nil {
		t.Skipf("no control group can be made: %v", err)
	}
	t.Cleanup(func() {
		assert.Eventually(t, func() bool { return os.Remove(group) == nil }, time.Minute, 10*time.Millisecond)
	})
	if err := os.WriteFile(filepath.Join(group, "cgroup.freeze"), []byte("0"), 0); err != nil {
		t.Skipf("the control group has no freezer: %v", err)
	}
	return group, parent
}

// A rank that waits without a futex, or without membarrier, because a sandbox denies them, answers too.
func TestHangDenied(t *testing.T) {
	deny := harness.Variant(t, "plain/adi/deny")
	for _, calls := range []string{"futex", "membarrier", "futex,membarrier"} {
		got := harness.Ranks(t, "", "-n", "2", "sh", "-c", `test $ADI_RANK = 0 || deny="$1 $2"; exec $deny $0 recv,1,6 / recv,0,5`, harness.EmbeddedProgram(t, "script"), deny, calls)
		assert.Equal(t, 124, got.Code, "%s: %s", calls, got.Stderr)
		assert.Contains(t, got.Stderr, "each waits for the next: 0, 1, 0", calls)
		got = harness.Ranks(t, "", "-n", "2", deny, calls, harness.EmbeddedProgram(t, "script"), "sleep,120", "barrier", "barrier", "/", "handle,15,1,500", "signal,15,60", "barrier", "barrier")
		assert.Equal(t, 0, got.Code, "%s: %s", calls, got.Stderr)
		assert.Empty(t, got.Stderr, calls)
	}
}

// A report names the ranks that have ended without MPI_Init.
func TestHangAbsent(t *testing.T) {
	script := harness.EmbeddedProgram(t, "script")
	for _, c := range []struct {
		ranks   int
		present string // ranks that call MPI_Init
		line    string
	}{
		{2, "0", "  rank 1 has ended with exit code 0 and without MPI_Init\n"},
		{4, "2", "  ranks 0, 1, 3 have ended with exit code 0 and without MPI_Init\n"},
		{12, "0", "  ranks 1, 2, 3, 4, 5, 6, 7, 8 and 3 more have ended with exit code 0 and without MPI_Init\n"},
	} {
		got := harness.Ranks(t, "", "-n", fmt.Sprint(c.ranks), "sh", "-c", "test $ADI_RANK != "+c.present+" || exec "+script+" barrier")
		assert.Equal(t, 124, got.Code, got.Stderr)
		assert.Contains(t, got.Stderr, "rank "+c.present+": MPI_")
		assert.Contains(t, got.Stderr, c.line)
	}
}
