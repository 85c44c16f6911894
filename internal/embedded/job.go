package embedded

import (
	"errors"
	"fmt"
	"os"
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

// A rank is a first process, which the launcher has started, and the processes that follow from it.
type rank struct {
	ranks.Process      // the first process
	exited        bool // the first process has ended
	now           int  // once it has: the process that has called MPI_Init, or 0 if not known
	ended         bool // the launcher does not wait for its other processes
}

// A run is a job that runs.
type run struct {
	*Job
	memory  *os.File // shared by the ranks
	life    *os.File // the reading end of a pipe whose writing end only the launcher has (embedded/process/lifeline.c)
	pipe    uint64   // its number
	segment *segment // nil until a rank has laid it out
	ranks   []*rank  // nil: not started yet
	cores   []int    // that the launcher may use
	streams *streams // the ranks' streams
	code    int      // the job's exit code: the first that is not 0
	failure failure  // outside MPI, that ends the job
	unseen  *unseen  // the first one that may count; or nil

	ends   chan int      // the children that have ended, one at a time; closed after the last
	next   chan struct{} // the launcher has handled the latest one
	first  map[int]int   // the rank of each first process that runs
	rankOf map[int]int   // the rank of other processes, as far as it is known
	others map[int]bool  // children that are not of the job
	left   int           // number of ranks that are not over
	adrift int           // number of those whose first process has ended

	nextCheck time.Time        // when the launcher looks for the processes of such ranks again
	early     int              // signals that came before all ranks were started
	terminal  bool             // rank 0 reads from the terminal, and is in the launcher's process group
	ending    bool             // the ranks that are left are being ended
	killAt    <-chan time.Time // when the ranks that are left are killed
	asked     time.Time        // arrival of the first signal that ends the job, or the zero time
	look      look             // the last one
	reported  bool             // a report about a job that hangs was printed
	groups    cgroup.Groups
	kills     int // processes of the control group that the kernel had ended for lack of memory when the job began
	refused   int // processes and threads that it had refused
}

// Run runs the job and returns its exit code: the first of a rank that is not 0, 128 + N if signal N
// ended a rank, 124 after the time limit. It returns an error if the job cannot be started. The ranks get
// the signals. No process of the job is left when it returns.
func (j *Job) Run(signals *Signals, stdin, stdout, stderr *os.File) (int, error) {
	runtime.LockOSThread() // the kernel ends the ranks with the thread that has started them
	n := j.Ranks()
	if err := makeRoom(n); err != nil {
		return 1, err
	}
	fd, err := create()
	if err != nil {
		return 1, err
	}
	r := &run{Job: j, memory: os.NewFile(uintptr(fd), "segment"), ranks: make([]*rank, n), left: n, ends: make(chan int), next: make(chan struct{})}
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
	r.streams, err = newStreams(stdin, stdout, stderr, j.Labels, n)
	if err != nil {
		return 1, err
	}
	r.cores = cores()
	<-signals.ready
	r.adopt()
	err = r.startAll()
	go ranks.AwaitEnds(r.ends, r.next)
	if err != nil {
		r.code = ranks.StartCode(err)
		r.kill(syscall.SIGKILL)
		r.finish(signals.received)
		r.streams.finish(signals.received)
		if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
			err = fmt.Errorf("%w; raise the limit on descriptors (ulimit -n)", err)
		}
		return r.code, r.groups.StartError(err)
	}
	r.early = len(signals.received)
	r.wait(signals.received)
	r.finish(signals.received)
	r.streams.finish(signals.received)
	r.reportFailure("")
	if r.code != 0 && r.groups.Refused() > r.refused {
		fmt.Fprintf(os.Stderr, "wi4go: the job had too few processes or threads: %s\n", r.groups.Full())
	}
	return r.code, nil
}

// makeRoom returns an error if the limit on processes has no room for the job. If there is little, it creates the threads of the
// launcher before the ranks use the rest: the Go runtime ends with a dump of registers if it gets no thread.
func makeRoom(ranks int) error {
	own := 8 + runtime.GOMAXPROCS(0) // threads of the launcher
	p, found := cgroup.Groups{}.Processes()
	if need := ranks + own; found && p.Most-p.Used < need {
		return fmt.Errorf("%d ranks and their launcher need %d further processes and threads, but %d of %d are in use (%s); %s", ranks, need, p.Used, p.Most, p.File, cgroup.Raise)
	}
	const eachRank = 16 // threads that a rank may have
	if found && p.Most-p.Used < eachRank*ranks {
		createThreads(own)
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
	err := r.execute(number, e)
	if errors.Is(err, syscall.ENOEXEC) { // a script without "#!", which execvp and shells start too
		e.words = append([]string{"sh", e.path}, e.words[1:]...)
		e.path = "/bin/sh"
		err = r.execute(number, e)
	}
	return err
}

// execute executes the program of a rank.
func (r *run) execute(number int, e *executable) error {
	stdin, stdout, stderr, err := r.streams.of(number)
	if err != nil {
		return err
	}
	defer r.streams.started()
	life := r.openLifeline()
	if life != r.life {
		defer life.Close()
	}
	process, err := ranks.Program{
		Path: e.path, Argv: e.words, Dir: r.Programs[e.program].Dir, Environ: r.environ(e.program, number),
		Stdin: stdin, Stdout: stdout, Stderr: stderr, Extra: []*os.File{r.memory, life},
		OwnGroup: number > 0 || !r.terminal,
	}.Start()
	if err != nil {
		return err
	}
	if process.Group && life != r.life {
		follow(life, process.ID)
	}
	r.ranks[number] = &rank{Process: process}
	r.first[process.ID] = number
	return nil
}

// inode returns the number of a file, or 0.
func inode(f *os.File) uint64 {
	var stat unix.Stat_t
	if unix.Fstat(int(f.Fd()), &stat) != nil {
		return 0
	}
	return stat.Ino
}

// lifeline returns the variable that describes the pipe to the ranks; no other job has its value.
func (r *run) lifeline() string { return fmt.Sprintf("ADI_LIFELINE=%d:%d", ranks.FirstExtra+1, r.pipe) }

// openLifeline returns the reading end of the pipe, opened once more for a rank. It returns the end itself if that is impossible.
func (r *run) openLifeline() *os.File {
	fd, err := unix.Open(fmt.Sprintf("/proc/self/fd/%d", r.life.Fd()), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return r.life
	}
	return os.NewFile(uintptr(fd), "lifeline")
}

// follow makes the kernel send SIGKILL to a process group when the launcher has gone, as long as one of its processes has the file open.
func follow(file *os.File, group int) {
	unix.FcntlInt(file.Fd(), unix.F_SETOWN, -group) // ignore errors, here and below: then only processes that have called MPI_Init end
	unix.FcntlInt(file.Fd(), unix.F_SETSIG, int(unix.SIGKILL))
	unix.FcntlInt(file.Fd(), unix.F_SETFL, unix.O_ASYNC)
}

// environ returns the environment of a rank: the job's, the program's, and the numbers of the rank
// for the embedded MPI and under the names of the other launchers.
func (r *run) environ(program, number int) []string {
	rank, size := strconv.Itoa(number), strconv.Itoa(r.Job.Ranks())
	environ := append(append([]string{}, r.Environ...), r.Programs[program].Environ...)
	environ = append(environ, "ADI_RANK="+rank, "ADI_RANKS="+size, "ADI_PROGRAM="+strconv.Itoa(program), "ADI_FD="+strconv.Itoa(ranks.FirstExtra),
		"ADI_LAUNCHER="+strconv.Itoa(os.Getpid()), "ADI_CORES="+strconv.Itoa(len(r.cores)), r.lifeline())
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

// end begins to end the job because a rank has failed or a signal has come.
func (r *run) end(code int) {
	if r.code == 0 {
		r.code = code
	}
	if !r.ending {
		r.ending, r.killAt = true, time.After(grace)
	}
}

// wait waits for all ranks. After a failure, a signal or the time limit it ends those that are left.
func (r *run) wait(signals <-chan os.Signal) {
	limit := after(r.Limit)
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for r.left > 0 {
		select {
		case pid, ok := <-r.ends:
			if !ok {
				r.nextCheck = time.Time{}
				r.checkLeft()
				continue
			}
			code := r.handle(pid)
			r.next <- struct{}{}
			if code != 0 {
				r.end(code)
			}
		case <-limit:
			fmt.Fprintf(os.Stderr, "wi4go: the job has run for %v, its time limit; raise it with --timeout\n", r.Limit)
			if r.isLaidOut() && len(r.absent()) > 0 {
				fmt.Fprintf(os.Stderr, "wi4go: %s\n", absentText(r.absent()))
			}
			r.reportFailure("")
			r.code, r.ending = CodeLimit, true
			r.kill(syscall.SIGKILL)
		case s := <-signals:
			if number := s.(syscall.Signal); r.pass(number) {
				r.end(128 + int(number))
			}
		case <-r.killAt:
			r.reportFailure("; the ranks that still run are ended")
			r.kill(syscall.SIGKILL)
		case <-look.C:
			r.checkLeft()
			r.checkUnseen()
			if !r.ending && r.hangs() && !r.KeepHang {
				r.end(CodeLimit)
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
	process := func(number int) int {
		switch rank := r.ranks[number]; {
		case rank.ended:
			return 0
		case rank.now > 0:
			return rank.now
		default:
			return rank.ID
		}
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

// exhausted returns the reason of a signal and its cure, if the kernel has ended a process because memory was exhausted.
func (r *run) exhausted(signal syscall.Signal) string {
	kills, file := r.groups.Kills()
	if signal != syscall.SIGKILL || kills == r.kills {
		return ""
	}
	objects := ""
	if r.isLaidOut() {
		objects = r.segment.objectsText()
	}
	return fmt.Sprintf(": the memory that its control group may use is exhausted (%s); raise the limit (--memory of a container, MemoryMax= of systemd, the batch system's option), or start fewer ranks%s", file, objects)
}

// isLaidOut reports whether a rank has laid out the shared memory, which the launcher then maps.
func (r *run) isLaidOut() bool {
	if r.segment == nil {
		r.segment = open(int(r.memory.Fd()))
	}
	return r.segment != nil
}
