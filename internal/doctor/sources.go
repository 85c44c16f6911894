package doctor

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"wi4go/internal/ranks"
)

// Limit returns the soft limit of this process for a resource.
func Limit(resource int) (uint64, error) {
	var limit unix.Rlimit
	err := unix.Getrlimit(resource, &limit)
	return limit.Cur, err
}

// Space returns the size of the file system of a directory and its free space, in bytes.
func Space(dir string) (all, free uint64, err error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, 0, &os.PathError{Op: "statfs", Path: dir, Err: err}
	}
	return s.Blocks * uint64(s.Bsize), s.Bavail * uint64(s.Bsize), nil
}

// PeerCommand is the hidden wi4go command that ReadPeer starts.
const PeerCommand = "read-peer"

// peerData is the memory that the child of ReadPeer reads.
var peerData = [8]byte{'w', 'i', '4', 'g', 'o'}

// ReadPeer starts a child (self is a wi4go command) that reads the memory of this process, and
// returns the child's error. For the kernel this is the same as between two ranks: the target
// does not descend from the reader.
func ReadPeer(self string) error {
	child := exec.Command(self, PeerCommand, strconv.Itoa(os.Getpid()), fmt.Sprintf("%#x", uintptr(unsafe.Pointer(&peerData))))
	child.Env = []string{}
	err := child.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		return syscall.Errno(exit.ExitCode())
	}
	return err
}

// AnswerPeer is the child's side of ReadPeer. It returns the exit code, which is 0 or an errno.
func AnswerPeer(pid int, address uint64) int {
	var got [len(peerData)]byte
	local := []unix.Iovec{{Base: &got[0]}}
	local[0].SetLen(len(got))
	n, err := unix.ProcessVMReadv(pid, local, []unix.RemoteIovec{{Base: uintptr(address), Len: len(got)}}, 0)
	var errno syscall.Errno
	switch {
	case errors.As(err, &errno):
		return int(errno)
	case n != len(got) || got != peerData:
		return int(syscall.EFAULT)
	}
	return 0
}

// An Outcome is the result of a command.
type Outcome struct {
	Out, Err string // its stdout and stderr
	Failed   error  // it could not be started, or its exit code was not 0
	TimedOut bool   // it was ended because its time was over
}

// Run executes a command and returns its outcome. After limit it ends the command and
// everything that the command has started in its process group.
func Run(command, environ []string, limit time.Duration) Outcome {
	var out, errs bytes.Buffer
	timedOut, err := ranks.Run(ranks.Command{Argv: command, Environ: environ, Out: &out, Err: &errs}, limit)
	return Outcome{out.String(), errs.String(), err, timedOut}
}
