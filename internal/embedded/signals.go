package embedded

import (
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// This file passes signals to the ranks. Each rank is a process group of its own, so that a signal
// reaches all processes of a rank, and each one once, even if the terminal or timeout(1) sends it to the
// launcher's whole group. Only a rank that reads from the terminal stays in the launcher's group, because
// the terminal stops other readers.

// passed are the signals that the launcher passes to the ranks.
var passed = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2,
	syscall.SIGTSTP, syscall.SIGCONT}

// Signals are the signals that this process has received for the ranks.
type Signals struct {
	received chan os.Signal
	ready    chan struct{} // closed when received gets all signals
}

// ReceiveSignals makes this process receive the signals to pass, until its end. A signal that its parent
// has ignored (nohup) stays ignored, for the ranks too.
//
// SIGTTOU is ignored: a rank in a process group of its own is in the background of the terminal, which may stop writers
// there (stty tostop).
//
// It returns before the handlers are installed, because the Go runtime needs a millisecond for that. Run waits for them.
func ReceiveSignals() *Signals {
	s := &Signals{make(chan os.Signal, len(passed)), make(chan struct{})}
	go func() {
		defer close(s.ready)
		signal.Ignore(syscall.SIGTTOU)
		signal.Notify(s.received, slices.DeleteFunc(slices.Clone(passed), func(s os.Signal) bool { return signal.Ignored(s) })...)
	}()
	return s
}

// again is the time after which a further signal means that the user does not wish to wait. timeout(1)
// sends the same signal twice at once.
const again = 300 * time.Millisecond

// pass passes a signal that the launcher has received to the ranks, and reports whether it ends the job.
// A further one that ends it is SIGKILL for the ranks.
func (r *run) pass(s syscall.Signal) (ends bool) {
	ends = s != syscall.SIGUSR1 && s != syscall.SIGUSR2 && s != syscall.SIGCONT && s != syscall.SIGTSTP
	if ends && !r.asked.IsZero() && time.Since(r.asked) > again {
		r.kill(syscall.SIGKILL)
		return true
	}
	early := r.early > 0
	if early {
		r.early--
	}
	if early || s == syscall.SIGCONT || !r.terminal || !fromTerminal(s) {
		r.kill(s)
	} else {
		r.killGroups(s) // the terminal has sent it to rank 0
	}
	if s == syscall.SIGTSTP {
		syscall.Kill(os.Getpid(), syscall.SIGSTOP) // ignore the error: a process may stop itself
	}
	if ends && r.asked.IsZero() {
		r.asked = time.Now()
	}
	return ends
}

// kill sends a signal to all processes of the ranks that run. SIGKILL is for all processes of the job.
func (r *run) kill(s syscall.Signal) {
	r.killGroups(s)
	for _, rank := range r.ranks {
		if rank != nil && !rank.Group && !rank.exited {
			rank.Signal(s)
		}
	}
	if s != syscall.SIGKILL {
		return
	}
	for _, p := range r.processes() {
		p.signal(s)
	}
	r.failure.full = true
	r.killAt = time.After(lookEvery) // once more, for processes that were just being started
}

// killGroups sends a signal to all processes of the ranks that run and have a process group, and of those whose first process has
// ended, except processes of the launcher's group.
func (r *run) killGroups(s syscall.Signal) {
	for _, rank := range r.ranks {
		if rank != nil && rank.Group && !rank.exited {
			rank.Signal(s)
		}
	}
	if r.adrift == 0 {
		return
	}
	for _, p := range r.processes() {
		if p.rank >= 0 && r.ranks[p.rank].exited && p.group != unix.Getpgrp() {
			p.signal(s)
		}
	}
}

// continueStopped continues children of a thread that are stopped before they execute their programs, until the channel is
// closed: the kernel lets the thread wait for such a child, so a stop (Ctrl+Z) would be forever. The ranks get the stop
// when all are started.
func continueStopped(thread int, done <-chan struct{}) {
	children := fmt.Sprintf("/proc/self/task/%d/children", thread)
	own, _ := os.Readlink("/proc/self/exe")
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case <-done:
			return
		case <-look.C:
		}
		text, _ := os.ReadFile(children) // absent in some kernels
		for _, child := range strings.Fields(string(text)) {
			pid, err := strconv.Atoi(child)
			if file, _ := os.Readlink("/proc/" + child + "/exe"); err == nil && file == own {
				syscall.Kill(pid, syscall.SIGCONT) // ignore errors: it may have ended
			}
		}
	}
}

// isTerminal reports whether a file is a terminal.
func isTerminal(file *os.File) bool {
	_, err := unix.IoctlGetTermios(int(file.Fd()), unix.TCGETS)
	return err == nil
}

// fromTerminal reports whether the terminal may have sent a signal, to the whole process group in its
// foreground: the kernel does not tell Go who has sent it.
func fromTerminal(s syscall.Signal) bool {
	if s != syscall.SIGINT && s != syscall.SIGQUIT && s != syscall.SIGTSTP {
		return false
	}
	foreground, err := unix.IoctlGetInt(int(os.Stdin.Fd()), unix.TIOCGPGRP)
	return err == nil && foreground == unix.Getpgrp()
}
