package embedded

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"unsafe"
)

// A job hangs if every rank that has not ended waits in a call of MPI, and none of them finds work. A rank in such a
// call proceeds only by the work that another rank has left for it, so nothing can happen then.
//
// The launcher does not look for the work itself. It calls the roll: each thread that waits looks once more, with
// the code that also finds the work otherwise, and answers if there is none (embedded/adi/wait.c). A thread
// in a handler of a signal, or of a stopped process, does not answer. The description of a wait
// changes with everything that its rank does. If all have answered, with the descriptions from before the call, there was
// work for none of them, and no rank has done anything since.
//
// asleep.go has the conditions that a rank cannot answer: whether another thread of it or a handler of a signal may
// change its waits.

// A wait is the wait of a thread of a rank, as the thread has described it (struct MPID_Blocked).
type wait struct {
	rank     int
	slot     int    // the rank's slot with the description
	version  uint32 // version of the description; changes with everything that the rank does
	function string // the name of the function that waits
	object   string // the name of the communicator, window or file, or ""
	thread   int    // the kernel's number of the thread
	peers    []peer
	unnamed  int       // number of further messages that the thread waits for, whose peers have no room in the description
	near     []message // the earliest unexpected messages on the communicator
	more     int       // number of further ones
	threads  int32     // othersCall and othersComplete
	full     int       // the rank that has no room for what the thread sends
	fullKB   int       // kilobytes of its unexpected messages, or 0 without such a rank
}

// A peer is the other side of a message that a thread waits for: its rank as the message is matched, its rank in the job or
// -1, the tag and the context of the message, and its kind, an index of waitKinds. In memory that the ranks share, each
// collective operation has a tag.
type peer struct{ lrank, grank, tag, context, kind int32 }

// A message is an unexpected message.
type message struct{ lrank, tag int32 }

// waits returns the waits of a rank.
func (s *segment) waits(rank int) (list []wait) {
	for number := range s.block(rank).blocked {
		slot := &s.block(rank).blocked[number]
		before := atomic.LoadUint32(&slot.version)
		var words [len(slot.words)]uint64
		for i := range words {
			words[i] = atomic.LoadUint64(&slot.words[i])
		}
		if before%2 != 0 || atomic.LoadUint32(&slot.version) != before || words[0] == 0 {
			continue
		}
		list = append(list, newWait(rank, number, before, (*blocked)(unsafe.Pointer(&words))))
	}
	return list
}

// newWait returns the wait that a description describes.
func newWait(rank, slot int, version uint32, why *blocked) wait {
	w := wait{rank: rank, slot: slot, version: version, function: name(why.function[:]), object: name(why.object[:]), thread: int(why.thread), threads: why.threads}
	for i := range min(int(why.peers), len(why.peer)) {
		p := peer(why.peer[i])
		p.kind = min(max(p.kind, 0), int32(len(waitKinds)-1)) // the memory is the ranks'
		w.peers = append(w.peers, p)
	}
	w.unnamed = max(int(why.requests)-len(w.peers), 0)
	for i := range min(int(why.nears), len(why.near)) {
		w.near = append(w.near, message(why.near[i]))
	}
	w.more = int(why.nearTotal) - len(w.near)
	w.full, w.fullKB = int(why.full), int(why.fullKb)
	return w
}

// name returns the text before the first zero.
func name(text []byte) string {
	text, _, _ = bytes.Cut(text, []byte{0})
	return string(text)
}

// A look is the state of a job in which every rank that has not ended waits.
type look struct {
	waits  []wait // waits of all these ranks, or nil if one of them does not wait
	call   uint32 // the roll call about these waits, or 0 before the first call
	others string // the result of asleep before the call
}

// look reads the waits of the job, and returns an empty look if a rank does not wait. process returns the process
// of a rank's launched command, or 0 if it has ended.
func (s *segment) look(process func(rank int) int) (l look) {
	for rank := range s.ranks() {
		started := s.started(rank)
		if process(rank) == 0 && (!started || s.ended(rank)) {
			continue
		}
		waits := s.waits(rank)
		if !started || s.ended(rank) || len(waits) == 0 {
			return look{}
		}
		l.waits = append(l.waits, waits...)
	}
	return l
}

// same reports whether every rank waits, and has done nothing since an earlier look.
func (l look) same(before look) bool {
	return len(l.waits) > 0 && slices.EqualFunc(l.waits, before.waits, func(a, b wait) bool {
		return a.rank == b.rank && a.slot == b.slot && a.version == b.version
	})
}

// asleep returns a text that changes if a thread outside MPI runs, or "" if a rank may proceed without the others.
func (s *segment) asleep(waits []wait, process func(rank int) int) string {
	var text strings.Builder
	for len(waits) > 0 {
		rank, n := waits[0].rank, 1
		for n < len(waits) && waits[n].rank == rank {
			n++
		}
		others := asleep(s.process(rank, process(rank)), waits[:n])
		if others == "" {
			return ""
		}
		text.WriteString(others)
		waits = waits[n:]
	}
	return text.String()
}

// answered returns the waits whose threads have answered a roll call, and whether all threads have. A thread that has left
// its wait by siglongjmp, and has ended, does not count.
func (s *segment) answered(l look, process func(rank int) int) (waits []wait, all bool) {
	ranks := map[int]bool{}
	for _, w := range l.waits {
		answer := atomic.LoadUint64(&s.block(w.rank).blocked[w.slot].answer)
		if answer == uint64(l.call)<<32|uint64(w.version) {
			waits = append(waits, w)
			ranks[w.rank] = true
		} else if _, err := os.Stat(fmt.Sprintf("/proc/%d/task/%d", s.process(w.rank, process(w.rank)), w.thread)); !errors.Is(err, fs.ErrNotExist) {
			return nil, false
		}
	}
	for _, w := range l.waits {
		if !ranks[w.rank] {
			return nil, false
		}
	}
	return waits, true
}

// process returns the process of a rank that the command with this process has started, or 0 if it
// cannot be told: in a container, processes have other numbers.
func (s *segment) process(rank, command int) int {
	process := s.pid(rank)
	if !descendant(process, command) {
		return 0
	}
	return process
}

// isShared reports whether the peer is waited for in memory that the ranks share, and hasTag whether the tag is the program's.
func (p peer) isShared() bool { return waitKinds[p.kind].shared }
func (p peer) hasTag() bool   { return waitKinds[p.kind].tagged }

// leaveOutCome takes those peers out of the waits that have come to the same collective operation since,
// because a rank is not woken for each of them.
func leaveOutCome(waits []wait) {
	type place struct{ rank, tag, context, kind int32 }
	come := map[place]bool{}
	for _, w := range waits {
		for _, p := range w.peers {
			come[place{int32(w.rank), p.tag, p.context, p.kind}] = true
		}
	}
	for i, w := range waits {
		rest := slices.DeleteFunc(slices.Clone(w.peers), func(p peer) bool { return p.isShared() && come[place{p.grank, p.tag, p.context, p.kind}] })
		if len(rest) > 0 {
			waits[i].peers = rest
		}
	}
}

// report returns the text about a job in which no rank can proceed. absent are the ranks whose processes have ended
// without MPI_Init.
func report(waits []wait, absent []int) string {
	leaveOutCome(waits)
	var b strings.Builder
	b.WriteString("wi4go: no rank of the job can proceed:\n")
	count := map[int]int{}
	for _, w := range waits {
		count[w.rank]++
	}
	for _, w := range waits {
		thread := ""
		if count[w.rank] > 1 {
			thread = fmt.Sprintf(" (thread %d)", w.thread)
		}
		fmt.Fprintf(&b, "  rank %d%s: %s\n", w.rank, thread, w.text())
		if len(w.near) > 0 {
			fmt.Fprintf(&b, "          it has %s\n", w.nearText())
		}
		if w.fullKB > 0 {
			fmt.Fprintf(&b, "          blocked because %s are unexpected at rank %d, its limit: receive messages there earlier, or raise ADI_UNEXPECTED\n", size(w.fullKB), w.full)
		}
	}
	if len(absent) > 0 {
		fmt.Fprintf(&b, "  %s\n", absentText(absent))
	}
	if cycle := cycle(waits); cycle != "" {
		fmt.Fprintf(&b, "  each waits for the next: %s\n", cycle)
	}
	return b.String()
}

// absentText returns the sentence about ranks that have ended without MPI_Init. Their exit code is 0, because another
// one ends the job.
func absentText(ranks []int) string {
	names, several := namesOf(ranks)
	if several {
		return names + " have ended with exit code 0 and without MPI_Init"
	}
	return names + " has ended with exit code 0 and without MPI_Init"
}

// size returns a text for a number of KB.
func size(kb int) string {
	if kb < 1<<10 {
		return fmt.Sprintf("%d KB", kb)
	}
	return fmt.Sprintf("%d MB", kb>>10)
}

// text returns the function, the peers and the object of a wait.
func (w wait) text() string {
	kind := waitKinds[0]
	if len(w.peers) > 0 {
		kind = waitKinds[w.peers[0].kind]
	}
	on := ""
	if w.object != "" {
		on = " " + kind.object + " " + w.object
	}
	var texts []string
	for _, p := range w.peers {
		if text := p.text(); !slices.Contains(texts, text) { // a collective operation has several messages for a rank
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return w.function + on
	}
	switch {
	case w.unnamed > 0 && w.peers[0].isShared(): // some may have come since
		texts = append(texts, fmt.Sprintf("and up to %d more", w.unnamed))
	case w.unnamed > 0:
		texts = append(texts, fmt.Sprintf("and %d more", w.unnamed))
	}
	return w.function + " " + kind.peers + " " + strings.Join(texts, ", ") + on
}

// isForOne reports whether all messages of a wait are from or for the same rank.
func (w wait) isForOne() bool {
	return w.unnamed == 0 && !slices.ContainsFunc(w.peers, func(p peer) bool { return p.grank != w.peers[0].grank })
}

// text returns the peer and the tag.
func (p peer) text() string {
	who := fmt.Sprintf("rank %d", p.grank)
	if p.grank < 0 {
		who = "any rank"
	}
	switch {
	case !p.hasTag():
		return who
	case p.tag == anyTag:
		return who + " (any tag)"
	}
	return fmt.Sprintf("%s (tag %d)", who, p.tag)
}

// nearText returns the unexpected messages, of which one may be meant.
func (w wait) nearText() string {
	var texts []string
	for _, m := range w.near {
		text := fmt.Sprintf("a message from rank %d", m.lrank)
		if len(w.peers) > 0 && w.peers[0].hasTag() {
			text += fmt.Sprintf(" with tag %d", m.tag)
		}
		texts = append(texts, text)
	}
	text := strings.Join(texts, ", ")
	if w.more > 0 {
		text += fmt.Sprintf(", and %d more", w.more)
	}
	return text
}

// cycle returns ranks of which each waits for the next one alone, the first one again at the end; or "".
func cycle(waits []wait) string {
	next := map[int]int{}
	count := map[int]int{}
	for _, w := range waits {
		count[w.rank]++
	}
	for _, w := range waits {
		if count[w.rank] == 1 && len(w.peers) > 0 && w.peers[0].grank >= 0 && w.isForOne() {
			next[w.rank] = int(w.peers[0].grank)
		}
	}
	for _, w := range waits {
		path, seen := []string{fmt.Sprint(w.rank)}, map[int]bool{w.rank: true}
		for at := w.rank; ; {
			to, known := next[at]
			if !known || to != w.rank && seen[to] {
				break
			}
			path = append(path, fmt.Sprint(to))
			if to == w.rank {
				return strings.Join(path, ", ")
			}
			seen[to], at = true, to
		}
	}
	return ""
}
