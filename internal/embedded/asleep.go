package embedded

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// This file reads from /proc whether a rank whose waits find no work may proceed all the same: by a handler of a signal,
// which may leave the wait (siglongjmp) or wake another thread, or, in a rank of MPI_THREAD_MULTIPLE, by a thread that does not
// wait in MPI and may call MPI later. Such a thread must sleep in a futex that only another thread of the same
// process can wake. A futex with a time limit or in memory that processes share, and every other call of the
// kernel, count as able to proceed. The threads of wi4go's core never call MPI and do not count.

// asleep returns a text that changes whenever a thread of a rank outside MPI runs, or "" if the rank may proceed or
// process is 0. A thread that ran between two equal texts has not done so: it would have gone to sleep once
// more. waits are the rank's.
func asleep(process int, waits []wait) string {
	if process == 0 {
		return ""
	}
	waiting := map[int]bool{}
	var threads int32 // the threads of all waits
	for _, w := range waits {
		waiting[w.thread] = true
		threads |= w.threads
	}
	text := fmt.Sprintf("%d: ", process)
	handlers := usual
	if threads&othersComplete != 0 {
		handlers |= requests
	}
	if threads != 0 {
		others, stay := threadsOutside(process, waiting)
		if !stay {
			return ""
		}
		if others != "" {
			handlers |= requests
		}
		text += others
	}
	for thread := range waiting {
		if isInterrupted(process, thread, handlers) {
			return ""
		}
	}
	return text
}

// threadsOutside reports whether all threads of a process that do not wait in MPI sleep until another thread of the process
// wakes them, and returns a text that changes when one runs; "" if there are none.
func threadsOutside(process int, waiting map[int]bool) (text string, stay bool) {
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", process))
	if err != nil {
		return "", false
	}
	var memory *mappings
	for _, task := range tasks {
		thread, err := strconv.Atoi(task.Name())
		if err != nil {
			return "", false
		}
		if waiting[thread] {
			continue
		}
		if memory == nil {
			memory = readMappings(process)
		}
		stays, own := memory.waitsInside(process, thread)
		if own {
			continue
		}
		runs := sleeps(process, thread)
		if !stays || runs == "" {
			return "", false
		}
		text += runs
	}
	return text, true
}

// sleeps returns the number of a thread and how often it has gone to sleep, or "" if it does not sleep.
func sleeps(process, thread int) string {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/status", process, thread))
	if err != nil || !bytes.Contains(status, []byte("\nState:\tS ")) {
		return ""
	}
	return fmt.Sprintf("%d:%s ", thread, field(status, "voluntary_ctxt_switches"))
}

// field returns a field of a file such as /proc/PID/status.
func field(status []byte, name string) string {
	_, after, _ := bytes.Cut(status, []byte("\n"+name+":"))
	value, _, _ := bytes.Cut(after, []byte("\n"))
	return string(bytes.TrimSpace(value))
}

// A signalSet is a set of signals. A signal has the bit of its number minus 1.
type signalSet uint64

func setOf(numbers ...unix.Signal) (set signalSet) {
	for _, s := range numbers {
		set |= 1 << (s - 1)
	}
	return set
}

// The signals by the reason for which they are sent, if a program handles them.
var (
	// errorSignals only come if a thread runs, or by mistake. glibc uses 32 and 33 itself, and the core SIGURG.
	errorSignals = setOf(unix.SIGILL, unix.SIGTRAP, unix.SIGABRT, unix.SIGBUS, unix.SIGFPE, unix.SIGSEGV, unix.SIGPIPE, unix.SIGURG, unix.SIGXFSZ, unix.SIGSYS, 32, 33)
	// requests come from the terminal, an administrator, or a batch system at the job's end. Many programs handle them (Python,
	// PETSc, libgfortran), and few of these handlers leave the wait that they interrupt. So they count only if a thread
	// outside MPI may wait for the handler, or if the handler may complete a generalized request.
	requests = setOf(unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGWINCH, unix.SIGXCPU)
	// usual are the others: timers, children, batch systems and other programs send them while all is well.
	usual = ^(errorSignals | requests)
)

// isInterrupted reports whether a thread may leave its wait because of a signal: the process handles one of a set, or one
// has been sent that the thread has not seen yet. It is true if the kernel does not show it.
func isInterrupted(process, thread int, handlers signalSet) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/status", process, thread))
	if errors.Is(err, fs.ErrNotExist) {
		return false // the thread has ended: see answered
	}
	known := err == nil
	read := func(name string) signalSet {
		set, err := strconv.ParseUint(field(status, name), 16, 64)
		known = known && err == nil
		return signalSet(set)
	}
	caught := read("SigCgt") & handlers
	sent := (read("SigPnd") | read("ShdPnd")) &^ (read("SigBlk") | read("SigIgn"))
	return !known || caught|sent != 0
}

// A mapping is a part of a process's memory.
type mapping struct {
	begin, end uint64
	shared     bool // with other processes
	core       bool // the code of wi4go's core
}

type mappings []mapping

// coreName is the file of the core (shim/core).
const coreName = "/libwi4go.so"

// readMappings returns the memory of a process; it is empty if that cannot be read.
func readMappings(process int) *mappings {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/maps", process)) // ignore the error: then no thread counts as waiting
	var m mappings
	for line := range strings.Lines(string(text)) {
		var begin, end uint64
		var mode string
		if _, err := fmt.Sscanf(line, "%x-%x %s", &begin, &end, &mode); err == nil && len(mode) == 4 {
			m = append(m, mapping{begin, end, mode[3] == 's', strings.HasSuffix(strings.TrimSpace(line), coreName)})
		}
	}
	return &m
}

// at returns the mapping with an address, or nil.
func (m *mappings) at(address uint64) *mapping {
	for i := range *m {
		if p := &(*m)[i]; p.begin <= address && address < p.end {
			return p
		}
	}
	return nil
}

// waitsInside reports whether a thread waits for another thread of its process, and whether it belongs
// to wi4go's core. The file has the number of the call, its arguments, the stack and the instruction.
func (m *mappings) waitsInside(process, thread int) (stays, core bool) {
	const call, address, operation, limit, instruction, fields = 0, 1, 2, 4, 8, 9
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/syscall", process, thread))
	words := strings.Fields(string(text))
	if err != nil || len(words) != fields {
		return false, false
	}
	var at [fields]uint64
	for i, word := range words {
		if at[i], err = strconv.ParseUint(word, 0, 64); err != nil {
			return false, false
		}
	}
	if code := m.at(at[instruction]); code != nil && code.core {
		return false, true
	}
	const private, clock, wait, waitBits = 128, 256, 0, 9 // linux/futex.h
	if kind := at[operation] &^ (private | clock); at[call] != unix.SYS_FUTEX || kind != wait && kind != waitBits || at[limit] != 0 {
		return false, false
	}
	memory := m.at(at[address])
	return at[operation]&private != 0 || memory != nil && !memory.shared, false
}

// descendant reports whether a process is the process of, or has been started by it, directly or through up to ten others.
func descendant(process, of int) bool {
	for range 12 {
		if process == of {
			return true
		}
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
		if err != nil {
			return false
		}
		if process, err = strconv.Atoi(field(status, "PPid")); err != nil || process <= 1 {
			return false
		}
	}
	return false
}
