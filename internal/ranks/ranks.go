// Package ranks starts the processes of jobs. It starts a launcher, which starts the ranks, and ends the
// launcher's whole process group when the launcher ends, after a time limit, or after a signal. For a launcher that
// starts ranks itself, it starts, awaits and signals single processes.
//
// It must not know which library the ranks run on, how they find it, or what they do.
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

// A Command is a launcher's command line and its streams. Launchers pass their own stdin to rank 0.
type Command struct {
	// Argv is the path of the launcher and its arguments, Environ its whole environment.
	Argv     []string
	Environ  []string
	Stdin    io.Reader // nil: empty
	Out, Err io.Writer // nil: discarded. One writer for both receives one write at a time.
}

// A Job is a started command and the processes of its group.
type Job struct {
	command *exec.Cmd
	done    chan struct{} // closed when the command has ended
	err     error         // the command's error; valid once done is closed
}

// endLimit bounds how long a launcher may take to end its ranks after SIGTERM.
const endLimit = 3 * time.Second

// outputLimit bounds how long output is read after the command has ended, because processes that it
// left running may keep the pipe open.
const outputLimit = 3 * time.Second

// Start starts a command in a new process group. The caller must end every started job with End.
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

// EndsWithin reports whether the command ends within limit.
func (j *Job) EndsWithin(limit time.Duration) bool {
	select {
	case <-j.done: // counts even if the limit is over as well
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

// End waits up to grace for the command. It then sends the group SIGTERM, waits up to endLimit, and
// kills everything left of the group. It returns the command's error.
func (j *Job) End(grace time.Duration) error {
	group := Process{j.command.Process.Pid, true}
	if !j.EndsWithin(grace) {
		group.Signal(syscall.SIGTERM)
		j.EndsWithin(endLimit)
	}
	group.Signal(syscall.SIGKILL)
	<-j.done
	return j.err
}

// KillProgram kills process pid if it still runs the program. Use it for a rank that has left the
// process group of its launcher.
func KillProgram(pid int, program string) {
	if exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)); err == nil && exe == program {
		syscall.Kill(pid, syscall.SIGKILL) // ignore errors: the process may have ended meanwhile
	}
}

// Run starts a command and ends its whole group when the command ends, or after limit; timedOut
// reports whether it was the limit. If a signal ends this process first, Run ends the job before.
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

// Become replaces this process by a command, which inherits its process id, terminal and stdin, so
// signals and the exit code are the command's. It returns, with an error, only on failure.
func Become(path string, argv, environ []string) error {
	return fmt.Errorf("cannot execute %s: %w", path, syscall.Exec(path, argv, environ))
}

// The exit codes by which env(1) and shells report that a program cannot be executed.
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

// A Limited writer passes on the first Left bytes and discards the rest.
type Limited struct {
	To        io.Writer
	Remaining int // bytes it still passes on
}

// Write returns len(p), with the error of To if there is one.
func (l *Limited) Write(p []byte) (int, error) {
	n := min(len(p), l.Remaining)
	l.Remaining -= n
	_, err := l.To.Write(p[:n])
	return len(p), err
}
