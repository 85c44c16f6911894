package embedded

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"wi4go/internal/ranks"
)

// This file finds the processes of a job. The launcher is the reaper of its descendants (PR_SET_CHILD_SUBREAPER): the kernel makes
// it the parent of a process whose own parent has ended, so none escapes. It waits for all of them in one place.

// A process is a descendant of the launcher.
type process struct {
	pid, parent, group int
	zombie             bool // it has ended or is about to, and its parent has not waited for it yet
	rank               int  // -1: not known
	adopted            bool // the first process of its rank is not among its ancestors
}

// signal sends a signal to the process alone.
func (p process) signal(s syscall.Signal) { ranks.Process{ID: p.pid}.Signal(s) }

// adopt makes the launcher the parent of orphans, and records the children that it has already: a shell that has executed the launcher
// may leave some.
func (r *run) adopt() {
	unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) // ignore the error: every kernel since 3.4 can
	r.first, r.rankOf, r.others = map[int]int{}, map[int]int{}, map[int]bool{}
	if !ranks.HasChildren() {
		return
	}
	for _, p := range allProcesses() {
		if p.parent == os.Getpid() {
			r.others[p.pid] = true
		}
	}
}

// allProcesses returns the processes of this machine.
func allProcesses() map[int]process {
	list := map[int]process{}
	dir, err := os.Open("/proc")
	if err != nil {
		return list
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if p, ok := readProcess(pid); ok {
			list[pid] = p
		}
	}
	return list
}

// readProcess returns a process as /proc shows it, and whether it exists.
func readProcess(pid int) (process, bool) {
	p := process{pid: pid, rank: -1}
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) // it may have ended
	var state rune
	var session, terminal, foreground, flags int
	_, err := fmt.Sscanf(string(text[bytes.LastIndexByte(text, ')')+1:]), " %c %d %d %d %d %d %d", &state, &p.parent, &p.group, &session, &terminal, &foreground, &flags)
	const exiting = 4 // PF_EXITING of the kernel: it has no environment and no descriptors any more
	p.zombie = state == 'Z' || state == 'X' || flags&exiting != 0
	return p, err == nil
}

// processes returns the processes of the job.
func (r *run) processes() (list []process) {
	all := allProcesses()
	self := os.Getpid()
	for _, p := range all {
		top := p
		for steps := 0; top.parent != self && steps < len(all); steps++ {
			next, ok := all[top.parent]
			if !ok {
				break
			}
			top = next
		}
		if top.parent != self || r.others[top.pid] {
			continue
		}
		if number, ok := r.first[top.pid]; ok {
			p.rank = number
		} else if p.rank, p.adopted = r.rankOfAdopted(p), true; p.rank < 0 && len(r.others) > 0 {
			continue // perhaps the orphan of another child
		}
		list = append(list, p)
	}
	return list
}

// rankOfAdopted returns the rank of a process whose first process has ended, or -1: by its environment, or by its process group.
func (r *run) rankOfAdopted(p process) int {
	number, known := r.rankOf[p.pid]
	if known {
		return number
	}
	number = -1
	environ, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.pid)) // a zombie has none
	rank, mine := []byte("ADI_RANK="), []byte(r.lifeline())
	for variable := range bytes.SplitSeq(environ, []byte{0}) {
		if bytes.HasPrefix(variable, rank) && bytes.Contains(environ, mine) {
			number, _ = strconv.Atoi(string(variable[len(rank):]))
		}
	}
	for i, other := range r.ranks {
		if number < 0 && other != nil && other.Group && other.ID == p.group {
			number = i
		}
	}
	if number >= len(r.ranks) {
		number = -1
	}
	if number >= 0 && !p.zombie {
		r.rankOf[p.pid] = number
	}
	return number
}

// hasEnded reports whether a process has ended.
func hasEnded(pid int) bool {
	p, ok := readProcess(pid)
	return !ok || p.zombie
}

// noteAdopted records the ranks of processes that the launcher has adopted, while their environment can be read. Kernels without
// lists of children leave them unknown.
func (r *run) noteAdopted() {
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, word := range strings.Fields(string(text)) {
			pid, _ := strconv.Atoi(word)
			_, isFirst := r.first[pid]
			if _, known := r.rankOf[pid]; isFirst || known || r.others[pid] {
				continue
			}
			if p, ok := readProcess(pid); ok {
				r.rankOfAdopted(p)
			}
		}
	}
}

// mayInitialize reports whether a process holds the memory of the job at the descriptor at which MPI_Init looks for it, or has mapped it:
// MPI_Init moves the descriptor before the process counts as a rank.
func (r *run) mayInitialize(pid int) bool {
	var own, its unix.Stat_t
	if unix.Fstat(int(r.memory.Fd()), &own) != nil {
		return false
	}
	if unix.Stat(fmt.Sprintf("/proc/%d/fd/%d", pid, ranks.FirstExtra), &its) == nil && own.Ino == its.Ino && own.Dev == its.Dev {
		return true
	}
	maps, _ := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid)) // it may have ended
	return bytes.Contains(maps, fmt.Appendf(nil, " %d ", own.Ino))
}

// findRank returns the process that has called MPI_Init as a rank, or nil if it has ended.
func (r *run) findRank(number int, list []process) *process {
	pid := r.segment.pid(number)
	for i, p := range list {
		if (p.rank == number || p.rank < 0) && (p.pid == pid || innerNumber(p.pid) == pid) && (!p.zombie || p.parent == os.Getpid()) {
			return &list[i]
		}
	}
	return nil
}

// innerNumber returns the number of a process in its own container, or 0.
func innerNumber(pid int) int {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // it may have ended
	numbers := bytes.Fields([]byte(field(status, "NSpid")))
	if len(numbers) == 0 {
		return 0
	}
	number, _ := strconv.Atoi(string(numbers[len(numbers)-1]))
	return number
}

// checkLeft runs at most every leftEvery, and takes at most one part in leftPart of the time, unless this is more than leftMost.
const (
	leftEvery = 100 * time.Millisecond
	leftMost  = time.Second
	leftPart  = 20
)

// checkLeft finds out which ranks are over, of those whose first process has ended: a rank continues in another process if that process
// has called MPI_Init, or if none has and one still holds the memory of the job.
func (r *run) checkLeft() {
	begin := time.Now()
	if r.adrift == 0 || begin.Before(r.nextCheck) {
		return
	}
	started := make([]bool, len(r.ranks)) // before the list, which has these processes then
	for number := range r.ranks {
		started[number] = r.isStarted(number)
	}
	list := r.processes()
	goesOn := map[int]bool{}
	for _, p := range list {
		if p.rank >= 0 && (!r.ranks[p.rank].exited || started[p.rank] || goesOn[p.rank]) {
			continue
		}
		may := p.rank >= 0 && r.mayInitialize(p.pid)
		if !may && hasEnded(p.pid) {
			return // it may have started another one, and its end is still to be handled
		}
		if may {
			goesOn[p.rank] = true
		}
	}
	for number, rank := range r.ranks {
		if !rank.exited || rank.ended {
			continue
		}
		if !started[number] {
			if !goesOn[number] {
				r.over(number)
			}
			continue
		}
		p := r.findRank(number, list)
		if p != nil {
			rank.now = p.pid
			continue
		}
		if !r.segment.ended(number) && !r.segment.over() {
			r.unfinished(number, 0)
		}
		r.over(number)
	}
	r.nextCheck = time.Now().Add(max(leftEvery, min(leftPart*time.Since(begin), leftMost)))
}

// finish ends the processes that are left when all ranks are over. They have the grace period to end by themselves, unless the job
// has failed or a signal comes.
func (r *run) finish(signals <-chan os.Signal) {
	if len(r.others) == 0 && !ranks.HasChildren() {
		return
	}
	limit := time.After(grace)
	if r.code != 0 {
		limit = time.After(0)
	}
	kill := time.NewTicker(10 * time.Millisecond)
	defer kill.Stop()
	for killed := 0; ; {
		var left []process
		select {
		case pid, ok := <-r.ends:
			if !ok {
				return
			}
			ranks.Reap(pid)
			r.next <- struct{}{}
			continue
		case <-signals:
			limit = time.After(0)
			continue
		case <-limit:
			killed, limit = 1, nil
		case <-kill.C:
			if killed > 0 {
				killed++
			} else if len(r.others) == 0 {
				continue
			}
		}
		left = r.processes()
		if len(left) == 0 {
			return
		}
		if killed == 0 {
			continue
		}
		for _, p := range left {
			p.signal(syscall.SIGKILL)
		}
		if killed > 200 {
			fmt.Fprintf(os.Stderr, "wi4go: process %d of the job does not end although it was killed; it may wait for a device or a file system\n", left[0].pid)
			return
		}
	}
}
