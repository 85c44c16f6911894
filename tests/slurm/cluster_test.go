package slurm

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"wi4go/tests/harness"
)

// A cluster is a Slurm of one node on this machine, with its own daemons, ports, keys and state. Another Slurm on the
// machine is not touched.
type cluster struct {
	dir     string
	daemons []*daemon
}

// A daemon is a process that the cluster started; out is its output.
type daemon struct {
	name  string
	cmd   *exec.Cmd
	out   string
	ended chan struct{}
}

// startCluster starts a cluster. The error wraps ErrMissing if something is not installed or this process is not root.
func startCluster() (*cluster, error) {
	if os.Getuid() != 0 {
		return nil, fmt.Errorf("the right to start Slurm's daemons (root): %w", harness.ErrMissing)
	}
	os.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin") // the directory of the daemons
	for _, command := range []string{"munged", "slurmctld", "slurmd", "srun", "sinfo", "sbatch", "salloc", "scancel"} {
		if _, err := exec.LookPath(command); err != nil {
			return nil, fmt.Errorf("%s: %w; Debian has it in slurm-wlm and munge", command, harness.ErrMissing)
		}
	}
	dir, err := os.MkdirTemp("", "slurm")
	if err != nil {
		return nil, err
	}
	c := &cluster{dir: dir}
	if err := c.start(); err != nil {
		return nil, errors.Join(err, c.stop())
	}
	return c, nil
}

const config = `ClusterName=wi4go
SlurmctldHost=%[1]s(127.0.0.1)
SlurmctldPort=%[3]d
SlurmdPort=%[4]d
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=%[2]s/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
StateSaveLocation=%[2]s/state
SlurmdSpoolDir=%[2]s/spool
SlurmctldPidFile=%[2]s/slurmctld.pid
SlurmdPidFile=%[2]s/slurmd.pid
SlurmctldLogFile=%[2]s/slurmctld.log
SlurmdLogFile=%[2]s/slurmd.log
NodeName=%[1]s NodeAddr=127.0.0.1 CPUs=8 RealMemory=100
PartitionName=all Nodes=%[1]s Default=YES
`

func (c *cluster) start() error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	host, _, _ = strings.Cut(host, ".")
	ports, err := freePorts(2)
	if err != nil {
		return err
	}
	key := make([]byte, 128)
	rand.Read(key)
	if err := errors.Join(
		os.Chmod(c.dir, 0o711), // jobs reach munged's socket through it
		os.WriteFile(c.at("munge.key"), key, 0o400),
		os.Mkdir(c.at("state"), 0o700), os.Mkdir(c.at("spool"), 0o755),
		os.WriteFile(c.at("slurm.conf"), fmt.Appendf(nil, config, host, c.dir, ports[0], ports[1]), 0o644),
	); err != nil {
		return err
	}
	// --force: because it runs as root, and in directories whose permissions it would reject.
	if err := c.daemon("munged", "--foreground", "--force", "--key-file="+c.at("munge.key"), "--socket="+c.at("munge.socket"),
		"--pid-file="+c.at("munged.pid"), "--log-file="+c.at("munged.log"), "--seed-file="+c.at("munged.seed")); err != nil {
		return err
	}
	if err := c.until("munged has no socket", func() bool { return exec.Command("munge", "-n", "-S", c.at("munge.socket")).Run() == nil }); err != nil {
		return err
	}
	if err := c.daemon("slurmctld", "-D", "-f", c.at("slurm.conf")); err != nil {
		return err
	}
	if err := c.daemon("slurmd", "-D", "-f", c.at("slurm.conf")); err != nil {
		return err
	}
	return c.until("the node is not idle", func() bool {
		r := c.run(limit, "sinfo", "--noheader", "--format=%T")
		return strings.TrimSpace(r.stdout) == "idle"
	})
}

func (c *cluster) at(name string) string { return filepath.Join(c.dir, name) }

func freePorts(n int) ([]int, error) {
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

// environ returns variables by which programs name the library that does the work.
func (c *cluster) environ() []string {
	return append(os.Environ(), "SLURM_CONF="+c.at("slurm.conf"), "WI4GO_LIBRARY_VERSION=runtime")
}

func (c *cluster) daemon(name string, args ...string) error {
	d := &daemon{name: name, cmd: exec.Command(name, args...), out: c.at(name + ".out"), ended: make(chan struct{})}
	out, err := os.Create(d.out)
	if err != nil {
		return err
	}
	defer out.Close()
	d.cmd.Stdout, d.cmd.Stderr, d.cmd.Env = out, out, c.environ()
	d.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a terminal's ^C must not reach it
	if err := d.cmd.Start(); err != nil {
		return err
	}
	c.daemons = append(c.daemons, d)
	go func() { d.cmd.Wait(); close(d.ended) }()
	return nil
}

// until waits for a state. The error has the last lines of every daemon.
func (c *cluster) until(not string, reached func() bool) error {
	for begin := time.Now(); time.Since(begin) < 60*time.Second; time.Sleep(100 * time.Millisecond) {
		if reached() {
			return nil
		}
		for _, d := range c.daemons {
			select {
			case <-d.ended:
				return fmt.Errorf("%s has ended (%v)\n%s", d.name, d.cmd.ProcessState, c.logs())
			default:
			}
		}
	}
	return fmt.Errorf("after a minute %s\n%s", not, c.logs())
}

// logs returns the last lines that each daemon has written.
func (c *cluster) logs() string {
	var all strings.Builder
	files, _ := filepath.Glob(c.at("*.[lo][ou][gt]"))
	for _, file := range files {
		text, _ := os.ReadFile(file)
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		fmt.Fprintf(&all, "== %s\n%s\n", filepath.Base(file), strings.Join(lines[max(0, len(lines)-15):], "\n"))
	}
	return all.String()
}

// result is the output and the exit code of a command.
type result struct {
	stdout, stderr string
	code           int
	late           bool
}

func (r result) String() string {
	return fmt.Sprintf("exit code %d, out of time: %t\nstdout: %s\nstderr: %s", r.code, r.late, r.stdout, r.stderr)
}

// run runs a command of the cluster, with a time limit.
func (c *cluster) run(limit time.Duration, command ...string) result {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Env, cmd.Dir = &out, &errs, append(c.environ(), harness.YieldVariables()...), c.dir
	// Slurm's commands end their jobs on SIGTERM.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	err := cmd.Run()
	if cmd.ProcessState == nil {
		return result{stderr: err.Error(), code: -1}
	}
	return result{out.String(), errs.String(), cmd.ProcessState.ExitCode(), ctx.Err() != nil}
}

// stop ends the jobs and then the daemons, each by its own process id. The error names remaining processes.
func (c *cluster) stop() error {
	if len(c.daemons) == 3 {
		c.run(limit, "scancel", "--partition=all")
		soon(func() bool { return c.run(limit, "squeue", "--noheader").stdout == "" })
	}
	var errs []error
	for _, d := range slices.Backward(c.daemons) {
		d.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-d.ended:
		case <-time.After(limit):
			errs = append(errs, fmt.Errorf("%s (%d) did not end when asked to\n%s", d.name, d.cmd.Process.Pid, c.logs()))
			d.cmd.Process.Kill()
			<-d.ended
		}
	}
	soon(func() bool { return len(c.processes()) == 0 })
	for _, pid := range c.processes() {
		errs = append(errs, fmt.Errorf("process %d was left", pid))
		syscall.Kill(pid, syscall.SIGKILL)
	}
	return errors.Join(append(errs, os.RemoveAll(c.dir))...)
}

// soon waits for a state, at most as long as the limit.
func soon(reached func() bool) {
	for begin := time.Now(); !reached() && time.Since(begin) < limit; {
		time.Sleep(100 * time.Millisecond)
	}
}

// processes returns those that have this cluster in their environment: its daemons and all processes that they started.
func (c *cluster) processes() []int {
	var pids []int
	entries, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, entry := range entries {
		environ, _ := os.ReadFile(entry) // it may have ended
		if bytes.Contains(environ, []byte("SLURM_CONF="+c.at("slurm.conf"))) {
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(entry))); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}
