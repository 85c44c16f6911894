package embedded

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// This file reads from /proc whether a process can proceed by itself. In a rank of MPI_THREAD_MULTIPLE
// every thread may call MPI later, so all threads must be asleep: each in a wait of MPI, or in a futex
// that only another thread of the same process can wake. A futex with a time limit or in memory that
// processes share, every other call of the kernel, and a signal that a timer or another process may
// send, count as able to proceed. The threads of wi4go's core never call MPI and do not count.

// asleep returns a text that changes whenever one of the threads runs, or "" if the rank can proceed or
// process is 0.
// A thread that ran between two equal texts has not done so: it would have gone to sleep once more.
func asleep(process int, waits []wait) string {
	if process == 0 {
		return ""
	}
	var text strings.Builder
	waiting := map[int]bool{}
	all := false
	for _, w := range waits {
		waiting[w.thread] = true
		all = all || w.threads
	}
	for thread := range waiting {
		runs := sleeps(process, thread)
		if runs == "" {
			return ""
		}
		if !all {
			text.WriteString(runs)
		}
	}
	if !all {
		return text.String()
	}
	if catchesSignals(process) {
		return ""
	}
	return allAsleep(process, waiting)
}

// allAsleep does the work of asleep for all threads of a process, of which some wait in MPI.
func allAsleep(process int, waiting map[int]bool) string {
	var text strings.Builder
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", process))
	if err != nil {
		return ""
	}
	var memory *mappings
	found := 0
	for _, task := range tasks {
		thread, err := strconv.Atoi(task.Name())
		if err != nil {
			return ""
		}
		if !waiting[thread] {
			if memory == nil {
				memory = readMappings(process)
			}
			stays, own := memory.waitsInside(process, thread)
			if own {
				continue
			}
			if !stays {
				return ""
			}
		} else {
			found++
		}
		runs := sleeps(process, thread)
		if runs == "" {
			return ""
		}
		text.WriteString(runs)
	}
	if found < len(waiting) {
		return ""
	}
	return text.String()
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

// harmless are the signals that only an error, the terminal, or an administrator sends. glibc uses 32 and
// 33 itself. A signal has the bit of its number minus 1.
var harmless = func() (mask uint64) {
	for _, s := range []unix.Signal{unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGILL, unix.SIGTRAP, unix.SIGABRT, unix.SIGBUS, unix.SIGFPE, unix.SIGSEGV,
		unix.SIGPIPE, unix.SIGTERM, unix.SIGURG, unix.SIGXCPU, unix.SIGXFSZ, unix.SIGWINCH, unix.SIGSYS, 32, 33} {
		mask |= 1 << (s - 1)
	}
	return mask
}()

// catchesSignals reports whether a process handles a signal with which it may proceed, such as that of
// a timer.
func catchesSignals(process int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	if err != nil {
		return true
	}
	caught, err := strconv.ParseUint(field(status, "SigCgt"), 16, 64)
	return err != nil || caught&^harmless != 0
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
