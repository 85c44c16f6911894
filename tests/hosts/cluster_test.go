package hosts

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"wi4go/internal/shell"
	"wi4go/tests/harness"
)

// errForbidden is the error of a kernel, or of a container around this machine, that gives root no
// namespaces. The test is then skipped in CI as well.
var errForbidden = errors.New("the kernel forbids it")

// A cluster is two hosts, a and b, on this machine (programs/hosts.sh). All its processes are in a
// PID namespace and end with its first process, which ends when this process does, for whatever
// reason. The networks end, too.
type cluster struct {
	dir  string
	init *exec.Cmd
	in   io.Closer
}

func startCluster() (*cluster, error) {
	if os.Getuid() != 0 {
		return nil, fmt.Errorf("the right to make hosts (root): %w", harness.ErrMissing)
	}
	os.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin:/sbin") // the directory of ip
	for _, command := range []string{"ip", "unshare", "nsenter", "hostname"} {
		if _, err := exec.LookPath(command); err != nil {
			return nil, fmt.Errorf("%s: %w; Debian has it in iproute2, util-linux or hostname", command, harness.ErrMissing)
		}
	}
	dir, err := os.MkdirTemp("", "hosts")
	if err != nil {
		return nil, err
	}
	c := &cluster{dir: dir}
	if err := c.start(); err != nil {
		return nil, errors.Join(err, c.stop())
	}
	return c, nil
}

func (c *cluster) start() error {
	c.init = exec.Command("sh", "programs/hosts.sh", c.dir)
	c.init.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWNS}
	var said bytes.Buffer
	c.init.Stderr = &said
	in, err := c.init.StdinPipe()
	if err != nil {
		return err
	}
	out, err := c.init.StdoutPipe()
	if err != nil {
		return err
	}
	c.in = in
	if err := c.init.Start(); err != nil {
		c.in = nil
		if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOSPC) {
			return fmt.Errorf("namespaces of processes and mounts: %w (clone: %w)", errForbidden, err)
		}
		return err
	}
	line, _ := bufio.NewReader(out).ReadString('\n') // the end of the file is an answer, too
	if description, forbidden := strings.CutPrefix(line, "forbidden: "); forbidden {
		return fmt.Errorf("%s: %w; %s", strings.TrimSpace(description), errForbidden, strings.TrimSpace(said.String()))
	}
	if line != "ready\n" {
		return fmt.Errorf("the hosts did not come up: %s%s", line, said.String())
	}
	return nil
}

func (c *cluster) stop() error {
	if c.in != nil {
		c.in.Close()
		ended := make(chan error, 1)
		go func() { ended <- c.init.Wait() }()
		select {
		case <-ended:
		case <-time.After(time.Minute):
			c.init.Process.Kill() // the first process of its namespace: all others end with it
			<-ended
		}
	}
	return os.RemoveAll(c.dir)
}

func (c *cluster) at(name string) string { return filepath.Join(c.dir, name) }

type result struct {
	stdout, stderr string
	code           int
}

func (r result) String() string {
	return fmt.Sprintf("exit code %d\nstdout: %s\nstderr: %s", r.code, r.stdout, r.stderr)
}

// lines returns the ranks' output in the order of ranks.
func (r result) lines() []string {
	lines := regexp.MustCompile(`(?m)^rank \d+ .*$`).FindAllString(r.stdout, -1)
	slices.Sort(lines)
	return lines
}

// ours returns wi4go's lines on stderr.
func (r result) ours() []string {
	return regexp.MustCompile(`(?m)^wi4go: .*$`).FindAllString(r.stderr, -1)
}

const limit = 60 * time.Second

// on runs a command on a host, in the cluster's directory, with more variables.
func (c *cluster) on(host string, env []string, command ...string) (result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	script := "cd " + shell.Quote(c.dir) + " && exec env " + shell.Join(append(slices.Clone(env), command...)...)
	cmd := exec.CommandContext(ctx, "nsenter", "--target", strconv.Itoa(c.init.Process.Pid), "--mount", "--pid",
		"timeout", "--signal=TERM", "--kill-after=5", strconv.Itoa(int(limit.Seconds())-10), c.at("agent"), host, script)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	if cmd.ProcessState == nil {
		return result{}, err
	}
	return result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}, ctx.Err()
}

// sent returns the number of bytes that the cable has transferred in both directions.
func (c *cluster) sent() (int, error) {
	r, err := c.on("a", nil, "cat", "/proc/net/dev")
	if err != nil {
		return 0, err
	}
	_, line, found := strings.Cut(r.stdout, "eth0:")
	if fields := strings.Fields(line); found && len(fields) > 8 {
		received, wrong := strconv.Atoi(fields[0])
		sent, wrong2 := strconv.Atoi(fields[8])
		return received + sent, errors.Join(wrong, wrong2)
	}
	return 0, fmt.Errorf("no eth0 in /proc/net/dev: %s", r)
}
