package embedded

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"wi4go/internal/cgroup"
	"wi4go/internal/ranks"
	"wi4go/internal/rankvars"
)

// grace is how long ranks may go on after the job has failed, to print their messages.
const grace = 2 * time.Second

// A rank is one process of a job.
type rank struct {
	command *exec.Cmd
	group   bool // its processes are a group of their own
	ended   bool
}

// A run is a job that runs.
type run struct {
	*Job
	memory  *os.File // shared by the ranks
	life    *os.File // the reading end of a pipe whose writing end only the launcher has (embedded/mpi/lifeline.c)
	pipe    uint64   // its number
	segment *segment // nil until a rank has laid it out
	ranks   []*rank  // nil: not started yet
	cores   []int    // that the launcher may use
	streams *streams // of the ranks
	exits   chan exit
	code    int // the job's exit code: the first that is not 0
	failed  int // the rank outside MPI whose exit code ends the job, or -1

	early    int       // signals that came before all ranks were started
	terminal bool      // rank 0 reads from the terminal, and is in the launcher's process group
	ending   bool      // the ranks that are left are being ended
	asked    time.Time // when the first signal came that ends the job; zero: none came
	look     look      // the last one
	reported bool      // a report about a job that hangs was printed
	groups   cgroup.Groups
	kills    int // processes of the control group that the kernel had ended for lack of memory when the job began
	refused  int // processes and threads that it had refused
}

// An exit is the end of a rank.
type exit struct {
	rank  int
	state *os.ProcessState
}

// Run runs the job and returns its exit code: the first of a rank that is not 0, 128 + N if signal N
// ended a rank, 124 after the time limit. It returns an error if the job cannot be started. The ranks get
// the signals.
func (j *Job) Run(signals *Signals, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	runtime.LockOSThread() // the kernel ends the ranks with the thread that has started them
	n := j.Ranks()
	if err := makeRoom(n); err != nil {
		return 1, err
	}
	fd, err := create()
	if err != nil {
		return 1, err
	}
	r := &run{Job: j, memory: os.NewFile(uintptr(fd), "segment"), exits: make(chan exit, n), ranks: make([]*rank, n), failed: -1}
	defer r.memory.Close()
	life, held, err := os.Pipe()
	if err != nil {
		return 1, fmt.Errorf("no pipe to the ranks: %w", err)
	}
	defer held.Close() // at the end, when no rank is left
	defer life.Close()
	r.life, r.pipe = life, inode(life)
	r.terminal = isTerminal(stdin)
	r.kills, _ = r.groups.Kills()
	r.refused = r.groups.Refused()
	r.streams, r.cores = newStreams(stdin, stdout, stderr, j.Labels, n), cores()
	<-signals.ready
	if err := r.startAll(); err != nil {
		r.kill(syscall.SIGKILL)
		return ranks.StartCode(err), r.groups.StartError(err)
	}
	r.early = len(signals.received)
	for number, rank := range r.ranks {
		go func() {
			rank.command.Wait() // its error is in the state
			r.exits <- exit{number, rank.command.ProcessState}
		}()
	}
	r.wait(signals.received)
	if r.code != 0 && r.groups.Refused() > r.refused {
		fmt.Fprintf(os.Stderr, "wi4go: the job had too few processes or threads: %s\n", r.groups.Full())
	}
	for _, l := range r.streams.labeled {
		l.flush()
	}
	return r.code, nil
}

// makeRoom returns an error if the limit on processes has no room for the job. If there is little, it creates the threads of the
// launcher before the ranks use the rest: the Go runtime ends with a dump of registers if it gets no thread.
func makeRoom(ranks int) error {
	const own = 4 // threads of the launcher, besides one that waits for each rank
	p, found := cgroup.Groups{}.Processes()
	if need := 2*ranks + own; found && p.Most-p.Used < need {
		return fmt.Errorf("%d ranks and their launcher need %d further processes and threads, but %d of %d are in use (%s); %s", ranks, need, p.Used, p.Most, p.File, cgroup.Raise)
	}
	const eachRank = 16 // threads that a rank may have
	if found && p.Most-p.Used < eachRank*ranks {
		createThreads(ranks + own)
	}
	return nil
}

// createThreads makes the Go runtime create threads, which it keeps: a goroutine that is locked to its thread needs one, even
// while it waits.
func createThreads(n int) {
	created, release := make(chan bool), make(chan bool)
	for range n {
		go func() {
			runtime.LockOSThread()
			created <- true
			<-release
			runtime.UnlockOSThread()
		}()
	}
	for range n {
		<-created
	}
	close(release)
}

// startAll starts all ranks. Rank 0 is the last one: a terminal stops the launcher's whole process group if rank 0 reads in
// the background, and must not stop the launcher while it starts another one.
func (r *run) startAll() error {
	var files []*executable
	for i := range r.Programs {
		p := &r.Programs[i]
		path, err := p.path()
		if err != nil {
			return err
		}
		if stat, err := os.Stat(p.Dir); p.Dir != "" && (err != nil || !stat.IsDir()) {
			return fmt.Errorf("-wdir %s: there is no such directory", p.Dir)
		}
		file := &executable{program: i, path: path, words: p.Argv}
		for range p.Ranks {
			files = append(files, file)
		}
	}
	started := make(chan struct{})
	defer close(started)
	runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0))) // the next function runs while this thread waits in Start
	go continueStopped(unix.Gettid(), started)
	for number := 1; number <= len(files); number++ {
		if err := r.start(number%len(files), files[number%len(files)]); err != nil {
			return err
		}
	}
	return nil
}

// An executable is the file of a program, and the words of its command line.
type executable struct {
	program int // its index
	path    string
	words   []string
}

// start starts a rank.
func (r *run) start(number int, e *executable) error {
	r.place(number)
	c := r.command(number, e)
	err := c.Start()
	if errors.Is(err, syscall.ENOEXEC) { // a script without "#!", which execvp and shells start too
		e.words = append([]string{"sh", e.path}, e.words[1:]...)
		e.path = "/bin/sh"
		c = r.command(number, e)
		err = c.Start()
	}
	if err != nil {
		return err
	}
	r.ranks[number] = &rank{command: c, group: c.SysProcAttr.Setpgid}
	return nil
}

// command returns the command of a rank.
func (r *run) command(number int, e *executable) *exec.Cmd {
	c := exec.Command(e.path)
	c.Args, c.Dir, c.Env = e.words, r.Programs[e.program].Dir, r.environ(e.program, number)
	c.Stdin, c.Stdout, c.Stderr = r.streams.of(number)
	c.ExtraFiles = []*os.File{r.memory, r.life}
	c.WaitDelay = grace // for output that a process of the rank holds open
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: number > 0 || !r.terminal}
	return c
}

// inode returns the number of a file, or 0.
func inode(f *os.File) uint64 {
	var stat unix.Stat_t
	if unix.Fstat(int(f.Fd()), &stat) != nil {
		return 0
	}
	return stat.Ino
}

// firstExtra is the number of the first further descriptor that a process inherits.
const firstExtra = 3

// environ returns the environment of a rank: the job's, the program's, and the numbers of the rank
// for the embedded MPI and under the names of the other launchers.
func (r *run) environ(program, number int) []string {
	rank, size := strconv.Itoa(number), strconv.Itoa(r.Job.Ranks())
	environ := append(append([]string{}, r.Environ...), r.Programs[program].Environ...)
	environ = append(environ, "ADI_RANK="+rank, "ADI_RANKS="+size, "ADI_PROGRAM="+strconv.Itoa(program), "ADI_FD="+strconv.Itoa(firstExtra),
		"ADI_LAUNCHER="+strconv.Itoa(os.Getpid()), "ADI_CORES="+strconv.Itoa(len(r.cores)),
		fmt.Sprintf("ADI_LIFELINE=%d:%d", firstExtra+1, r.pipe))
	return append(environ, rankvars.Numbers(os.Getenv, rank, size)...)
}

// cores returns the numbers of the cores that this process may use.
func cores() (numbers []int) {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return nil
	}
	for core := 0; len(numbers) < set.Count(); core++ {
		if set.IsSet(core) {
			numbers = append(numbers, core)
		}
	}
	return numbers
}

// place chooses the core of a rank, which inherits it from this thread.
func (r *run) place(number int) {
	if r.Bind != "core" || len(r.cores) == 0 {
		return
	}
	var one unix.CPUSet
	one.Set(r.cores[number%len(r.cores)])
	unix.SchedSetaffinity(0, &one) // ignore errors: the rank then runs anywhere
}

// wait waits for all ranks. After a failure, a signal or the time limit it ends those that are left.
func (r *run) wait(signals <-chan os.Signal) {
	left := len(r.ranks)
	limit := after(r.Limit)
	var kill <-chan time.Time
	end := func(code int) {
		if r.code == 0 {
			r.code = code
		}
		if !r.ending {
			r.ending, kill = true, time.After(grace)
		}
	}
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for left > 0 {
		select {
		case e := <-r.exits:
			left--
			r.ranks[e.rank].ended = true
			if code := r.ended(e); code != 0 {
				end(code)
			}
		case <-limit:
			fmt.Fprintf(os.Stderr, "wi4go: the job has run for %v, its time limit; raise it with --timeout\n", r.Limit)
			r.code, r.ending = CodeLimit, true
			r.kill(syscall.SIGKILL)
		case s := <-signals:
			if number := s.(syscall.Signal); r.pass(number) {
				end(128 + int(number))
			}
		case <-kill:
			if r.failed >= 0 {
				fmt.Fprintf(os.Stderr, "wi4go: rank %d has ended with exit code %d; the ranks that still run are ended\n", r.failed, r.code)
			}
			r.kill(syscall.SIGKILL)
		case <-look.C:
			if !r.ending && r.hangs() && !r.KeepHang {
				end(CodeLimit)
				r.kill(syscall.SIGKILL)
			}
		}
	}
}

// lookEvery is how often the launcher looks whether the job hangs. It calls the roll at the second look without a change, and
// then reads the answers at each.
const lookEvery = 30 * time.Millisecond

// hangs reports whether no rank can proceed, and prints why, once.
func (r *run) hangs() bool {
	if r.reported {
		return false
	}
	if !r.isLaidOut() {
		return false
	}
	process := func(rank int) int {
		if r.ranks[rank].ended {
			return 0
		}
		return r.ranks[rank].command.Process.Pid
	}
	now := r.segment.look(process)
	if !now.same(r.look) {
		r.look = now
		return false
	}
	if r.look.call == 0 {
		if r.look.others = r.segment.asleep(r.look.waits, process); r.look.others != "" {
			r.look.call = r.segment.call()
		}
		return false
	}
	waits, all := r.segment.answered(r.look, process)
	if !all {
		return false
	}
	if r.segment.asleep(r.look.waits, process) != r.look.others { // a thread outside MPI has run meanwhile
		r.look.call = 0
		return false
	}
	r.reported = true
	fmt.Fprint(os.Stderr, report(waits, r.absent()))
	if r.KeepHang {
		fmt.Fprintln(os.Stderr, "wi4go: the ranks stay for a debugger; end the job with Ctrl+C")
	}
	return true
}

// absent returns the ranks whose processes have ended without MPI_Init.
func (r *run) absent() (ranks []int) {
	for number, rank := range r.ranks {
		if rank.ended && !r.segment.started(number) {
			ranks = append(ranks, number)
		}
	}
	return ranks
}

// after returns a channel that receives after a time limit, or nil if there is none.
func after(limit time.Duration) <-chan time.Time {
	if limit == 0 {
		return nil
	}
	return time.After(limit)
}

// ended handles the end of a rank, and returns its exit code. A rank that ends between MPI_Init and
// MPI_Finalize ends the job, because others may wait for it.
func (r *run) ended(e exit) int {
	status := e.state.Sys().(syscall.WaitStatus)
	code := status.ExitStatus()
	if status.Signaled() {
		code = 128 + int(status.Signal())
	}
	inside := r.isLaidOut() && r.segment.started(e.rank) && !r.segment.ended(e.rank)
	if !inside || r.segment.over() || r.ending {
		if code != 0 && !inside && !r.ending {
			r.failed = e.rank
		}
		return code
	}
	if status.Signaled() {
		fmt.Fprintf(os.Stderr, "wi4go: rank %d was ended by signal %d (%v)%s\n", e.rank, status.Signal(), status.Signal(), r.exhausted(status.Signal()))
		r.segment.declareDead(e.rank, killed, int(status.Signal()))
		return code
	}
	fmt.Fprintf(os.Stderr, "wi4go: rank %d has ended with exit code %d and without MPI_Finalize\n", e.rank, code)
	code = max(code, 1)
	r.segment.declareDead(e.rank, unfinished, code)
	return code
}

// exhausted returns the reason of a signal and its cure, if the kernel has ended a process because memory was exhausted.
func (r *run) exhausted(signal syscall.Signal) string {
	kills, file := r.groups.Kills()
	if signal != syscall.SIGKILL || kills == r.kills {
		return ""
	}
	return fmt.Sprintf(": the memory that its control group may use is exhausted (%s); raise the limit (--memory of a container, MemoryMax= of systemd, the batch system's option), or start fewer ranks", file)
}

// isLaidOut reports whether a rank has laid out the shared memory, which the launcher then maps.
func (r *run) isLaidOut() bool {
	if r.segment == nil {
		r.segment = open(int(r.memory.Fd()))
	}
	return r.segment != nil
}
