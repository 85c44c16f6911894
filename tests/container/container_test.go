// Package container_test runs MPI programs inside a root file system that has no MPI, on the MPI libraries of this
// machine, with the output of `wi4go env --container`.
//
// The root is Debian's smallest (debootstrap), made once and kept in build/. No container program runs in a test.
// bubblewrap replaces apptainer: this test program, called as apptainer, translates apptainer's options and
// environment for bubblewrap.
package container_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "apptainer" {
		fmt.Fprintln(os.Stderr, "apptainer for tests:", apptainer(os.Args[1:]))
		os.Exit(125)
	}
	if filepath.Base(os.Args[0]) == "engine" {
		fmt.Fprintln(os.Stderr, "engine for tests:", engine(os.Args[1:]))
		os.Exit(125)
	}
	os.Exit(m.Run())
}

// apptainer executes bubblewrap: exec [--bind=…] [--env=…] DIRECTORY COMMAND…. Like apptainer it mounts the host's
// /dev, /proc, /sys, /tmp and name service, and passes on the environment, except for the dynamic linker's variables.
func apptainer(args []string) error {
	if len(args) == 0 || args[0] != "exec" {
		return fmt.Errorf("only exec: %q", args)
	}
	args = args[1:]
	var binds, settings []string
	for _, v := range os.Environ() {
		if value, ok := strings.CutPrefix(v, "APPTAINER_BIND="); ok {
			binds = strings.Split(value, ",")
		}
		if setting, ok := strings.CutPrefix(v, "APPTAINERENV_"); ok {
			settings = append(settings, setting)
		}
	}
	for ; len(args) > 0 && strings.HasPrefix(args[0], "-"); args = args[1:] {
		if value, ok := strings.CutPrefix(args[0], "--bind="); ok {
			binds = append(binds, value)
		} else if value, ok := strings.CutPrefix(args[0], "--env="); ok {
			settings = append(settings, value)
		} else {
			return fmt.Errorf("unknown option %q", args[0])
		}
	}
	if len(args) < 2 {
		return fmt.Errorf("no image and command: %q", args)
	}
	words := []string{"bwrap", "--bind", args[0], "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc", "--ro-bind", "/sys", "/sys",
		"--bind", "/tmp", "/tmp", "--tmpfs", "/opt", "--chdir", "/tmp", "--unsetenv", "LD_PRELOAD", "--unsetenv", "LD_LIBRARY_PATH"}
	for _, file := range []string{"/etc/hosts", "/etc/resolv.conf", "/etc/passwd", "/etc/group"} {
		words = append(words, "--ro-bind-try", file, file)
	}
	for _, bind := range binds {
		parts := strings.Split(bind, ":")
		switch {
		case len(parts) == 3 && parts[2] == "ro":
			words = append(words, "--ro-bind", parts[0], parts[1])
		case len(parts) == 2:
			words = append(words, "--bind", parts[0], parts[1])
		default:
			return fmt.Errorf("bind %q", bind)
		}
	}
	for _, setting := range settings {
		name, value, _ := strings.Cut(setting, "=")
		words = append(words, "--setenv", name, value)
	}
	path, err := exec.LookPath("bwrap")
	if err != nil {
		return err
	}
	return syscall.Exec(path, append(words, args[1:]...), os.Environ())
}

// debootstrapped returns a new tree of links to Debian's smallest root, which is made once.
func debootstrapped(t *testing.T) string {
	t.Helper()
	root := harness.DebianRoot(t, "run")
	mpi, err := filepath.Glob(filepath.Join(root, "usr/lib/*/libmpi*"))
	require.NoError(t, err)
	require.Empty(t, mpi, "the container must have no MPI")
	return root
}

// library finds an MPI library. Libraries other than Debian's are tested if a variable names them.
func library(t *testing.T, name string) harness.Toolchain {
	t.Helper()
	tools, err := harness.Find(name)
	if err != nil && !slices.Contains(harness.Names, name) {
		t.Skip(err)
	} else if err != nil {
		harness.Missing(t, err)
	}
	return tools
}

// program compiles the test's program with a library's mpicc into out.
func program(t *testing.T, name, out string) harness.Toolchain {
	t.Helper()
	tools := library(t, name)
	require.NoError(t, tools.Compile("programs/hello.c", out, harness.LinkYield()...)) // a container has no preload of the host's
	return tools
}

func wi4go(t *testing.T) string {
	t.Helper()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	path := filepath.Join(prefix, "bin/wi4go")
	if _, err := os.Stat(path); err != nil {
		harness.Missing(t, fmt.Errorf("%s: %w; run make first", path, harness.ErrMissing))
	}
	return path
}

// limit ends a command that hangs. A busy machine can need more than a minute for the files of a large driver.
const limit = 5 * time.Minute

// shell runs a command line as a user types it, with wi4go and this test's apptainer in PATH, and returns stdout.
func shell(t *testing.T, line string, env ...string) string {
	t.Helper()
	bin := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	for _, name := range []string{"apptainer", "engine"} {
		require.NoError(t, os.Symlink(self, filepath.Join(bin, name)))
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-ec", line)
	cmd.Env = append(harness.Environ(), append(env,
		"PATH="+bin+":"+filepath.Dir(wi4go(t))+":"+os.Getenv("PATH"))...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s\n%s%s", line, out, stderr.String())
	assert.NotContains(t, stderr.String(), "warning", line)
	return string(out)
}

// TestRun runs a program of each family from the container on the MPI of the host: translated, and on a library of its
// own family.
func TestRun(t *testing.T) {
	harness.All.From(t, "it needs a container")
	root := debootstrapped(t)
	for _, family := range harness.Names {
		program(t, family, filepath.Join(root, "srv", family))
	}
	for _, c := range []struct{ from, to, says string }{
		{"openmpi", "mpich", "on Open MPI v"},
		{"mpich", "openmpi", "on MPICH Version:"},
		{"openmpi", "openmpi", "on Open MPI v"},
		{"mpich", "mpich", "on MPICH Version:"},
		{"openmpi", "mpich-5.0", "on Open MPI v"},
		{"mpich", "openmpi-5.0", "on MPICH Version:"},
		{"openmpi", "intelmpi-2021.18", "on Open MPI v"},
	} {
		t.Run(c.from+" on "+c.to, func(t *testing.T) {
			host := library(t, c.to)
			out := shell(t, fmt.Sprintf(
				"%s -n 2 apptainer exec $(wi4go env --container apptainer --to %s --rootfs %s /srv/%s) %s /srv/%s /tmp/file.$$",
				host.MPIExec, host.MPIExec, root, c.from, root, c.from))
			assert.Contains(t, out, "ranks 2 sum 3 put 2 "+c.says)
			assert.Equal(t, c.from != c.to, strings.Contains(out, "wi4go on: "), out)
		})
	}
}

// TestEval sets the shell's environment in place of options. The image is unknown, and the program is not in it.
func TestEval(t *testing.T) {
	harness.All.From(t, "it needs a container")
	root := debootstrapped(t)
	here := filepath.Join(t.TempDir(), "hello")
	program(t, "openmpi", here)
	host := library(t, "mpich")
	// The directory of the program is mounted explicitly. apptainer does that itself below the home directory.
	out := shell(t, fmt.Sprintf(`eval "$(wi4go env --container apptainer --eval --to %s %s)"
		%s -n 2 apptainer exec --bind=%s:%s %s %s`, host.MPIExec, here, host.MPIExec, filepath.Dir(here), filepath.Dir(here), root, here))
	assert.Contains(t, out, "ranks 2 sum 3 put 2 on Open MPI v")
	assert.Contains(t, out, "wi4go on: MPICH Version:")
}

// opened matches a line of strace in which a file was opened or executed.
var opened = regexp.MustCompile(`^(\d+) +(?:openat\(AT_FDCWD, |open\(|execve\()"([^"]+)".* = (\d+)`)

// ofAnyContainer matches files that every container has itself, or that the container program mounts.
var ofAnyContainer = regexp.MustCompile(`^/(proc|sys|dev|run)/|^/(proc|sys|dev|tmp)$|^/etc/(ld\.so\.cache|passwd|group|hosts|host\.conf|` +
	`nsswitch\.conf|resolv\.conf|localtime|services|protocols|networks)$|^/usr/share/zoneinfo|/locale|/gconv|^\.|^/$|` +
	`/(ld-linux[^/]*|lib(c|m|dl|rt|pthread|util|resolv|gcc_s|stdc\+\+|atomic|nss_\w+))\.so[.\d]*$`)

// TestNothingIsForgotten compares the output with the files that a native run opens: the runtime, its plugins, and its
// configuration.
func TestNothingIsForgotten(t *testing.T) {
	harness.All.From(t, "it needs a container")
	if _, err := exec.LookPath("strace"); err != nil {
		harness.Missing(t, fmt.Errorf("strace: %w", harness.ErrMissing))
	}
	// Drivers keep compiled kernels in the user's cache.
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	for _, name := range harness.Libraries {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			hello := filepath.Join(dir, "hello")
			tools := program(t, name, hello)
			log := filepath.Join(dir, "log")
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			run := tools.LaunchPlain(ctx, 2, "strace", "-qq", "-f", "-A", "-o", log, "-e", "trace=open,openat,execve", hello, filepath.Join(dir, "file"))
			if strings.HasPrefix(name, "intelmpi") { // the settings of Intel's own shell script
				run.Env = append(run.Env, "LD_LIBRARY_PATH="+filepath.Join(filepath.Dir(tools.MPIExec), "../lib"))
			}
			out, err := run.CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.Contains(t, string(out), "ranks 2")

			var binds []string
			for word := range strings.FieldsSeq(shell(t, fmt.Sprintf("wi4go env --container apptainer --to %s %s", tools.MPIExec, hello))) {
				if bind, ok := strings.CutPrefix(word, "--bind="); ok {
					binds = append(binds, strings.SplitN(bind, ":", 2)[0])
				}
			}
			text, err := os.ReadFile(log)
			require.NoError(t, err)
			// Every container has its own /tmp, but the library may be below it.
			prefix := filepath.Dir(filepath.Dir(tools.MPIExec)) + "/"
			temporary := func(file string) bool { return strings.HasPrefix(file, "/tmp/") && !strings.HasPrefix(file, prefix) }
			var checked, forgotten []string
			for line := range strings.Lines(string(text)) {
				m := opened.FindStringSubmatch(line)
				if m == nil || ofAnyContainer.MatchString(m[2]) || temporary(m[2]) || strings.HasPrefix(m[2], cache+"/") || strings.HasPrefix(m[2], dir) || slices.Contains(checked, m[2]) {
					continue
				}
				checked = append(checked, m[2])
				real, err := filepath.EvalSymlinks(m[2])
				if err != nil {
					continue // a temporary file of the run
				}
				if !slices.ContainsFunc(binds, func(b string) bool { return real == b || strings.HasPrefix(real, b+"/") }) {
					forgotten = append(forgotten, m[2])
				}
			}
			assert.Empty(t, forgotten)
			assert.NotEmpty(t, checked, "files that strace reported")
		})
	}
}
