// Package ranks starts the command that starts the ranks of a job, and ends it with all
// that it has started: by its process group, after a limit of time, or after a signal.
//
// It must not know which library the ranks run on, how they are led to it, or what they do.
package ranks

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// A Command is a launcher's command line. Launchers give their own stdin to rank 0.
type Command struct {
	Argv     []string
	Environ  []string
	Stdin    io.Reader // nil: empty
	Out, Err io.Writer // nil: dropped. The same writer for both is not written to at once.
}

// A Job is a started command with the processes of its group.
type Job struct {
	command *exec.Cmd
	done    chan struct{} // closed when the command has ended
	err     error         // of the command; valid after done
}

// endLimit bounds how long a launcher may take to end its ranks after SIGTERM.
const endLimit = 3 * time.Second

// outputLimit bounds how long output is read after the command has ended, because processes
// that it has left may hold the pipe.
const outputLimit = 3 * time.Second

// Start starts a command in a process group of its own. Every job that was started must be
// ended by End.
func Start(c Command) (*Job, error) {
	j := &Job{command: exec.Command(c.Argv[0], c.Argv[1:]...), done: make(chan struct{})}
	j.command.Env, j.command.Stdin, j.command.Stdout, j.command.Stderr = c.Environ, c.Stdin, c.Out, c.Err
	j.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	j.command.WaitDelay = outputLimit
	if err := j.command.Start(); err != nil {
		return nil, err
	}
	go func() {
		j.err = j.command.Wait()
		close(j.done)
	}()
	return j, nil
}

// Done returns a channel that is closed when the command has ended.
func (j *Job) Done() <-chan struct{} { return j.done }

// EndsWithin reports whether the command ends within a limit.
func (j *Job) EndsWithin(limit time.Duration) bool {
	select {
	case <-j.done: // which counts even if the limit is over, too
		return true
	default:
	}
	select {
	case <-j.done:
		return true
	case <-time.After(limit):
		return false
	}
}

// End waits up to grace for the command, then has it end its ranks, and kills what is left
// of its process group. It returns the command's error.
func (j *Job) End(grace time.Duration) error {
	group := j.command.Process.Pid
	if !j.EndsWithin(grace) {
		syscall.Kill(-group, syscall.SIGTERM) // no error counts, here and below: they may have ended
		j.EndsWithin(endLimit)
	}
	syscall.Kill(-group, syscall.SIGKILL)
	<-j.done
	return j.err
}

// KillProgram kills a process if it still runs the program: a rank that has left the group
// of its launcher.
func KillProgram(pid int, program string) {
	if exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)); err == nil && exe == program {
		syscall.Kill(pid, syscall.SIGKILL) // it may have ended since
	}
}

// Run starts a command and ends it with all of its group, at the latest after limit. A
// signal that ends this process first ends the job, too.
func Run(c Command, limit time.Duration) (timedOut bool, err error) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	j, err := Start(c)
	if err != nil {
		return false, err
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-j.done:
	case <-timer.C:
		timedOut = true
	case s := <-signals:
		j.End(0)
		signal.Reset(s)
		syscall.Kill(os.Getpid(), s.(syscall.Signal))
		select {} // the signal ends this process
	}
	return timedOut, j.End(0)
}

// Become replaces this process by a command, whose exit code, signals, terminal and stdin
// are then this process's. It returns only if that fails.
func Become(path string, argv, environ []string) error {
	return fmt.Errorf("cannot execute %s: %w", path, syscall.Exec(path, argv, environ))
}

// Exit codes of env(1) and shells for a program that cannot be executed.
const (
	exitCannotStart = 126
	exitNotFound    = 127
)

// StartCode returns the exit code for an error of starting a program.
func StartCode(err error) int {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, exec.ErrNotFound) {
		return exitNotFound
	}
	return exitCannotStart
}

// A Limited writer passes on the first bytes and drops the rest.
type Limited struct {
	To   io.Writer
	Left int // bytes
}

func (l *Limited) Write(p []byte) (int, error) {
	n := min(len(p), l.Left)
	l.Left -= n
	_, err := l.To.Write(p[:n])
	return len(p), err
}
