package ranks

import (
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// This file has the parts of a launcher that starts ranks itself, and waits for all its children in one place.

// A Program is one process to start.
type Program struct {
	Path    string   // of the file
	Argv    []string // the words of its command line
	Dir     string   // the directory in which it starts; "": this process's
	Environ []string // its whole environment

	Stdin, Stdout, Stderr *os.File   // nil: /dev/null
	Extra                 []*os.File // its further descriptors, from FirstExtra on

	OwnGroup bool // it gets a process group of its own
}

// FirstExtra is the number of the first further descriptor that a process inherits.
const FirstExtra = 3

// A Process is a process that was started.
type Process struct {
	ID    int
	Group bool // it is the leader of a process group
}

// Start starts a program. The kernel ends the process with the thread of the caller, who waits for it by AwaitEnds and Reap.
func (p Program) Start() (Process, error) {
	c := exec.Command(p.Path)
	c.Args, c.Dir, c.Env, c.ExtraFiles = p.Argv, p.Dir, p.Environ, p.Extra
	if p.Stdin != nil {
		c.Stdin = p.Stdin
	}
	if p.Stdout != nil {
		c.Stdout = p.Stdout
	}
	if p.Stderr != nil {
		c.Stderr = p.Stderr
	}
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: p.OwnGroup}
	if err := c.Start(); err != nil {
		return Process{}, err
	}
	started := Process{c.Process.Pid, p.OwnGroup}
	c.Process.Release()
	return started, nil
}

// Signal sends a signal to all processes of the group, or to the process alone if it leads none. It ignores errors, because they may
// have ended.
func (p Process) Signal(s syscall.Signal) {
	if p.Group {
		syscall.Kill(-p.ID, s)
	} else {
		syscall.Kill(p.ID, s)
	}
}

// HasChildren reports whether this process has children, zombies included.
func HasChildren() bool {
	return unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil) != unix.ECHILD
}

// AwaitEnds sends the number of each child that has ended. The child stays a zombie until next receives, so that no other process can
// have its number; the caller calls Reap before. AwaitEnds closes ends when there is no child.
func AwaitEnds(ends chan<- int, next <-chan struct{}) {
	defer close(ends)
	for {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_ALL, 0, &info, unix.WEXITED|unix.WNOWAIT, nil)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return
		}
		const atPid = 16 // in the kernel's siginfo_t, on machines with 64 bits
		ends <- int(*(*int32)(unsafe.Add(unsafe.Pointer(&info), atPid)))
		<-next
	}
}

// Reap returns how a child has ended, and makes the kernel forget it.
func Reap(pid int) (status syscall.WaitStatus) {
	syscall.Wait4(pid, &status, 0, nil) // ignore errors: it has ended
	return status
}

// ExitCode returns the exit code of a process, as a shell does.
func ExitCode(status syscall.WaitStatus) int {
	if status.Signaled() {
		return 128 + int(status.Signal())
	}
	return status.ExitStatus()
}
