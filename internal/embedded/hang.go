package embedded

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"unsafe"
)

// A job hangs if every rank that has not ended sleeps in a call of MPI and no line of a message is
// unread. Nothing can happen then: a rank in such a call proceeds only by a message, and a message
// is sent only by a rank that runs. Ranks of MPI_THREAD_MULTIPLE have several waits, or threads that
// may call MPI later; a job with such ranks is never reported.

// A wait is what a thread of a rank waits for.
type wait struct {
	rank     int
	version  uint32
	function string
	comm     string
	thread   int
	peers    []peer
	near     []message // unexpected messages, the earliest ones
	more     int       // further ones
	threads  bool      // other threads of the rank may call MPI
}

// A peer is a message that a wait is about.
type peer struct{ lrank, grank, tag, context int32 }

// A message is an unexpected message.
type message struct{ lrank, tag int32 }

// The wildcards of the standard ABI.
const (
	anySource = -1
	anyTag    = -2
)

// uint64 returns a word of 64 bits in the memory.
func (s *segment) uint64(at int) *uint64 { return (*uint64)(unsafe.Pointer(&s.memory[at])) }

// waits returns the waits of a rank.
func (s *segment) waits(rank int) (list []wait) {
	for number := range mostWaits {
		at := s.block(rank) + blockWaits + number*waitBytes
		before := atomic.LoadUint32(s.word(at))
		var words [(whyBytes + 7) / 8]uint64
		for i := range words {
			words[i] = atomic.LoadUint64(s.uint64(at + waitWords + 8*i))
		}
		if before%2 != 0 || atomic.LoadUint32(s.word(at)) != before || words[0] == 0 {
			continue
		}
		text := make([]byte, 0, 8*len(words))
		for _, w := range words {
			text = binary.NativeEndian.AppendUint64(text, w)
		}
		list = append(list, parseWait(rank, before, text))
	}
	return list
}

// parseWait reads a struct MPID_Blocked.
func parseWait(rank int, version uint32, text []byte) wait {
	name := func(text []byte) string {
		text, _, _ = bytes.Cut(text, []byte{0})
		return string(text)
	}
	number := func(at int) int32 { return int32(binary.NativeEndian.Uint32(text[at:])) }
	const functionBytes, commBytes, peerBytes, nearBytes = 24, 32, 16, 8
	w := wait{rank: rank, version: version, function: name(text[:functionBytes]), comm: name(text[whyComm : whyComm+commBytes]), thread: int(number(whyThread)), threads: number(whyThreads) != 0}
	w.function = strings.Replace(w.function, "MPID_", "MPI_", 1)
	for i := range min(int(number(whyPeers)), mostPeers) {
		at := whyPeer + i*peerBytes
		w.peers = append(w.peers, peer{number(at), number(at + 4), number(at + 8), number(at + 12)})
	}
	for i := range min(int(number(whyNears)), mostPeers) {
		at := whyNear + i*nearBytes
		w.near = append(w.near, message{number(at), number(at + 4)})
	}
	w.more = int(number(whyNearTotal)) - len(w.near)
	return w
}

// unread reports whether a rank has a line that it has not read.
func (s *segment) unread(to int) bool {
	ranks := int(*s.word(atRanks))
	bits := *s.word(atLineBits)
	boxes, stride := int(*s.uint64(atBoxes)), int(*s.uint64(atBoxStride))
	for from := range ranks {
		if from == to {
			continue
		}
		box := boxes + (to*ranks+from)*stride
		position := atomic.LoadUint64(s.uint64(box))
		line := box + lineBytes + int(position&(1<<bits-1))*lineBytes
		if atomic.LoadUint32(s.word(line)) == uint32(position>>bits)+1 {
			return true
		}
	}
	return false
}

// stuck returns the waits of all ranks that have not ended if each of them sleeps in one wait and has
// no unread line. Otherwise it returns nil.
func (s *segment) stuck(ended func(rank int) bool) (list []wait) {
	for rank := range int(*s.word(atRanks)) {
		if ended(rank) {
			continue
		}
		waits := s.waits(rank)
		if !s.started(rank) || s.ended(rank) || len(waits) != 1 || waits[0].threads || s.unread(rank) {
			return nil
		}
		list = append(list, waits[0])
	}
	return list
}

// sleeps reports whether the thread of a wait sleeps, in the kernel's view.
func (w wait) sleeps(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/stat", pid, w.thread))
	if err != nil {
		return false
	}
	state := text[bytes.LastIndexByte(text, ')')+1:]
	return bytes.HasPrefix(state, []byte(" S"))
}

// same reports whether two lists have the same waits, with nothing in between.
func same(a, b []wait) bool {
	if len(a) == 0 || len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].rank != b[i].rank || a[i].version != b[i].version {
			return false
		}
	}
	return true
}

// sharedTag is the highest tag that stands for a collective operation in memory that the ranks share
// (AREA_TAG in embedded/coll/area.h): one for each operation of a communicator.
const sharedTag = -16

// leaveOutCome takes those peers out of the waits that have come to the same collective operation since,
// because a rank is not woken for each of them.
func leaveOutCome(waits []wait) {
	type place struct{ rank, tag, context int32 }
	come := map[place]bool{}
	for _, w := range waits {
		for _, p := range w.peers {
			come[place{int32(w.rank), p.tag, p.context}] = true
		}
	}
	for i, w := range waits {
		rest := slices.DeleteFunc(slices.Clone(w.peers), func(p peer) bool { return p.tag <= sharedTag && come[place{p.grank, p.tag, p.context}] })
		if len(rest) > 0 {
			waits[i].peers = rest
		}
	}
}

// report returns the text about a job in which no rank can proceed.
func report(waits []wait) string {
	leaveOutCome(waits)
	var b strings.Builder
	b.WriteString("wi4go: no rank of the job can proceed:\n")
	for _, w := range waits {
		fmt.Fprintf(&b, "  rank %d: %s\n", w.rank, w.text())
		if len(w.near) > 0 {
			fmt.Fprintf(&b, "          it has %s\n", w.nearText())
		}
	}
	if cycle := cycle(waits); cycle != "" {
		fmt.Fprintf(&b, "  each waits for the next: %s\n", cycle)
	}
	return b.String()
}

// text returns what a wait is for.
func (w wait) text() string {
	on := ""
	if w.comm != "" {
		on = " on " + w.comm
	}
	var texts []string
	for _, p := range w.peers {
		texts = append(texts, p.text())
	}
	if len(texts) == 0 {
		return w.function + on
	}
	return w.function + " waits for " + strings.Join(texts, ", ") + on
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

// contexts is the number of contexts of a communicator; the first is that of the program's messages.
const contexts = 4

// hasTag reports whether the tag is the program's.
func (p peer) hasTag() bool { return p.context%contexts == 0 }

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
	for _, w := range waits {
		if len(w.peers) == 1 && w.peers[0].grank >= 0 {
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
