package embedded

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"wi4go/internal/ranks"
)

// This file handles the ends of processes. A rank that ends inside MPI ends the job at once, because others may wait for it.

// A failure is the end of a rank outside MPI that ends the job, and the other ranks that have ended in the same way. It is reported
// once, when no further rank can follow.
type failure struct {
	ranks  []int  // -1: the rank is not known
	code   int    // the exit code that a shell would have
	signal bool   // a signal has ended them
	end    string // text about the first one
	stage  stage
	full   bool // the launcher has killed ranks, or has reported the failure
}

// A stage is the part of a rank's life in which it ends.
type stage int

const (
	before stage = iota // MPI_Init has not returned, or the program does not use MPI
	inside              // between MPI_Init and MPI_Finalize
	behind              // MPI_Finalize was called
)

// add adds a rank that has ended in some way.
func (f *failure) add(rank int, status syscall.WaitStatus, end string, stage stage) {
	code, signal := ranks.ExitCode(status), status.Signaled()
	if f.full || len(f.ranks) > 0 && (f.code != code || f.signal != signal || f.stage != stage) {
		return
	}
	if len(f.ranks) == 0 {
		f.code, f.signal, f.end, f.stage = code, signal, end, stage
	}
	if len(f.ranks) > 0 && f.ranks[0] < 0 {
		f.ranks = f.ranks[:0]
	}
	if rank >= 0 || len(f.ranks) == 0 {
		f.ranks = append(f.ranks, rank)
	}
}

// reportFailure reports the failure, if there is one that was not reported. effect: further text.
func (r *run) reportFailure(effect string) {
	f := &r.failure
	if len(f.ranks) > 0 {
		names, several := namesOf(f.ranks)
		verb := map[bool]map[bool]string{true: {false: "was", true: "were"}, false: {false: "has", true: "have"}}[f.signal][several]
		when := ""
		if f.stage == behind {
			when = " after MPI_Finalize"
		} else if r.isLaidOut() {
			when = " before MPI_Init had returned"
		}
		fmt.Fprintf(os.Stderr, "wi4go: %s %s %s%s%s\n", names, verb, f.end, when, effect)
	}
	f.ranks, f.full = nil, true
}

// namesOf returns the names of some ranks, and whether there are several.
func namesOf(ranks []int) (text string, several bool) {
	const most = 8
	if len(ranks) == 1 {
		if ranks[0] < 0 {
			return "a process of a rank", false
		}
		return fmt.Sprintf("rank %d", ranks[0]), false
	}
	var names []string
	slices.Sort(ranks)
	for _, rank := range ranks[:min(most, len(ranks))] {
		names = append(names, fmt.Sprint(rank))
	}
	text = "ranks " + strings.Join(names, ", ")
	if len(ranks) > most {
		text += fmt.Sprintf(" and %d more", len(ranks)-most)
	}
	return text, true
}

// describe returns how a process has ended.
func (r *run) describe(status syscall.WaitStatus) string {
	if status.Signaled() {
		core := ""
		if status.CoreDump() {
			core = ", core dumped"
		}
		return fmt.Sprintf("ended by signal %d (%v%s)%s", status.Signal(), status.Signal(), core, r.exhausted(status.Signal()))
	}
	text := fmt.Sprintf("ended with exit code %d", status.ExitStatus())
	if n := status.ExitStatus() - 128; n > 0 && n <= int(syscall.SIGSYS) { // a script, whose child has ended so
		text += fmt.Sprintf(", as by signal %d (%v)", n, syscall.Signal(n))
	}
	return text
}

// isStarted reports whether a process has called MPI_Init as a rank.
func (r *run) isStarted(number int) bool { return r.isLaidOut() && r.segment.started(number) }

// stage returns the stage of a rank. number -1: of a process whose rank is not known.
func (r *run) stage(number int) stage {
	switch {
	case number < 0 || !r.isStarted(number):
		return before
	case !r.segment.ended(number):
		return inside
	}
	return behind
}

// handle handles the end of a child, and returns its exit code if that counts as a rank's.
func (r *run) handle(pid int) int {
	if number, ok := r.first[pid]; ok {
		delete(r.first, pid)
		return r.firstEnded(number, pid, ranks.Reap(pid))
	}
	if r.others[pid] {
		delete(r.others, pid)
		ranks.Reap(pid)
		return 0
	}
	p, _ := readProcess(pid)
	_, seen := r.rankOf[pid]
	number, isRank := r.initializedBy(pid)
	if !isRank {
		number = r.rankOfAdopted(p)
	}
	first := r.handleFirst(number)
	status := ranks.Reap(pid)
	delete(r.rankOf, pid)
	r.nextCheck = time.Time{}
	r.noteAdopted()
	if !isRank && !(r.standsFor(number) && counts(status, seen)) {
		if !seen && ranks.ExitCode(status) != 0 && r.unseen == nil {
			r.unseen = &unseen{number, status}
		}
		return first
	}
	code := r.ended(number, status)
	if number >= 0 && r.ranks[number].exited && (isRank || code != 0) {
		r.over(number)
	}
	return max(first, code)
}

// handleFirst handles the end of the first process of a rank, or of every rank if number is -1, if it has ended: the kernel reports ends
// in any order.
func (r *run) handleFirst(number int) (code int) {
	for pid, rank := range r.first {
		if number >= 0 && number != rank {
			continue
		}
		if p, ok := readProcess(pid); ok && p.zombie {
			code = max(code, r.handle(pid))
		}
	}
	return code
}

// counts reports whether the end of a process that has not called MPI_Init, and whose rank has no first process any more, is a failure.
// A script may have ended it by `kill` itself, and it may have ended before the first process. seen: it was alive later.
func counts(status syscall.WaitStatus, seen bool) bool {
	if !status.Signaled() {
		return seen
	}
	switch status.Signal() {
	case syscall.SIGSEGV, syscall.SIGABRT, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL, syscall.SIGSYS, syscall.SIGTRAP:
		return true
	case syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE:
		return false
	}
	return seen
}

// An unseen end is the end of a process with an exit code other than 0. The launcher cannot tell whether it ended before the first
// process of its rank.
type unseen struct {
	rank   int // -1: not known
	status syscall.WaitStatus
}

// checkUnseen reports such an end as its rank's, if the rank is over without MPI_Init, which other ranks have called.
func (r *run) checkUnseen() {
	u := r.unseen
	if u == nil || r.ending || !r.isLaidOut() || u.rank < 0 && len(r.absent()) == 0 || u.rank >= 0 && (!r.ranks[u.rank].ended || r.isStarted(u.rank)) {
		return
	}
	r.unseen = nil
	if code := r.ended(u.rank, u.status); code != 0 {
		r.end(code)
	}
}

// initializedBy returns the rank as which a process has called MPI_Init.
func (r *run) initializedBy(pid int) (number int, ok bool) {
	if !r.isLaidOut() {
		return -1, false
	}
	for number, rank := range r.ranks {
		if !rank.ended && r.segment.pid(number) == pid {
			return number, true
		}
	}
	return -1, false
}

// standsFor reports whether the exit code of a process that has not called MPI_Init counts: the first process of its rank has ended,
// and no process of the rank has called MPI_Init. number -1: the rank is not known.
func (r *run) standsFor(number int) bool {
	if number < 0 {
		return r.adrift > 0 && len(r.others) == 0
	}
	return r.ranks[number].exited && !r.ranks[number].ended && !r.isStarted(number)
}

// firstEnded handles the end of the first process of a rank, and returns its exit code. If that is 0, another process of the rank may
// go on (checkLeft).
func (r *run) firstEnded(number, pid int, status syscall.WaitStatus) int {
	r.ranks[number].exited = true
	r.adrift++
	if ranks.ExitCode(status) == 0 && !(r.isStarted(number) && r.segment.pid(number) == pid) {
		r.nextCheck = time.Time{}
		r.noteAdopted()
		return 0
	}
	code := r.ended(number, status)
	r.over(number)
	return code
}

// over records that the launcher does not wait for a rank any more.
func (r *run) over(number int) {
	if rank := r.ranks[number]; !rank.ended {
		rank.ended = true
		r.left--
		r.adrift--
	}
}

// ended handles the end of a process that stands for a rank, and returns its exit code.
func (r *run) ended(number int, status syscall.WaitStatus) int {
	code := ranks.ExitCode(status)
	stage := r.stage(number)
	if stage != inside || r.segment.over() || r.ending {
		broken := status.Signaled() && status.Signal() == syscall.SIGPIPE && r.streams.broken() // as in `| head`
		if code != 0 && stage != inside && !broken && (!r.ending || len(r.failure.ranks) > 0) {
			r.failure.add(number, status, r.describe(status), stage)
		}
		return code
	}
	if !status.Signaled() {
		return r.unfinished(number, code)
	}
	r.streams.settle()
	fmt.Fprintf(os.Stderr, "wi4go: rank %d was %s\n", number, r.describe(status))
	r.segment.declareDead(number, killed, int(status.Signal()))
	return code
}

// unfinished handles the end of a rank between MPI_Init and MPI_Finalize, and returns the exit code of the job.
func (r *run) unfinished(number, code int) int {
	r.streams.settle()
	fmt.Fprintf(os.Stderr, "wi4go: rank %d has ended with exit code %d and without MPI_Finalize\n", number, code)
	code = max(code, 1)
	r.segment.declareDead(number, unfinished, code)
	return code
}
