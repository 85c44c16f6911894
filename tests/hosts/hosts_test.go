// Package hosts runs jobs over two hosts, which are namespaces on this machine, connected by a virtual cable. The
// launchers of all families start the ranks by a remote shell that the tests give them.
package hosts

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// hosts is the cluster of all tests in this package, or nil; missing is then the reason.
var (
	hosts   *cluster
	missing error
)

func TestMain(m *testing.M) {
	hosts, missing = startCluster()
	code := m.Run()
	if hosts != nil {
		if err := hosts.stop(); err != nil {
			fmt.Fprintln(os.Stderr, "hosts:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// world is everything that the tests need besides the cluster.
type world struct {
	t     *testing.T
	wi4go string
	apps  map[string]string // the program, by the library that compiled it
}

func newWorld(t *testing.T) world {
	t.Helper()
	harness.All.From(t, "it needs separate hosts")
	if errors.Is(missing, errForbidden) {
		t.Skip(missing)
	}
	if missing != nil {
		harness.Missing(t, missing)
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	w := world{t, filepath.Join(prefix, "bin", "wi4go"), map[string]string{}}
	for _, name := range append(slices.Clone(harness.Names), harness.Interface) {
		tools, err := harness.FindIn(prefix, name)
		if err != nil {
			harness.Missing(t, err)
		}
		w.apps[name] = hosts.at("world-" + name)
		if _, err := os.Stat(w.apps[name]); err != nil {
			require.NoError(t, tools.Compile("programs/world.c", w.apps[name]))
		}
	}
	return w
}

func find(t *testing.T, name string) harness.Toolchain {
	t.Helper()
	tools, err := harness.Find(name)
	if err != nil {
		harness.Missing(t, err)
	}
	return tools
}

// environ returns a user's environment on the first host: the remote shell for each launcher, permission to run as
// root, the variables by which waiting ranks yield their core, and UCX restricted to TCP, because UCX treats hosts with
// the same kernel as one host.
func environ() []string {
	agent := hosts.at("agent")
	return append(harness.YieldVariables(),
		"OMPI_MCA_plm_rsh_agent="+agent, "PRTE_MCA_plm_ssh_agent="+agent, "HYDRA_LAUNCHER_EXEC="+agent,
		"I_MPI_HYDRA_BOOTSTRAP_EXEC="+agent, "FI_PROVIDER=tcp", "UCX_TLS=tcp,self", "TMPDIR="+hosts.dir,
		"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_rmaps_base_oversubscribe=1",
		"PRTE_ALLOW_RUN_AS_ROOT=1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1", "PRTE_MCA_rmaps_default_mapping_policy=node:oversubscribe",
	)
}

// run runs a command on host a.
func (w world) run(env []string, command ...string) result {
	w.t.Helper()
	r, err := hosts.on("a", append(environ(), env...), command...)
	require.NoError(w.t, err, r)
	return r
}

// begins returns the beginning of a library's version text.
func begins(name string) string {
	switch vendor, _, _ := strings.Cut(name, "-"); vendor {
	case "openmpi":
		return "Open MPI v"
	case "intelmpi":
		return "Intel(R) M"
	}
	return "MPICH Vers"
}

// together checks that a job of four ranks was one world over both hosts, that its messages used the cable, and that
// every rank used the library.
func (w world) together(before int, r result, library string) {
	w.t.Helper()
	require.Zero(w.t, r.code, r)
	on := map[string]int{}
	for rank, line := range r.lines() {
		var host string
		for _, name := range []string{"a", "b"} {
			if line == fmt.Sprintf("rank %d of 4 on %s, sum 6, message right, by %s", rank, name, begins(library)) {
				host = name
			}
		}
		on[host]++
	}
	assert.Equal(w.t, map[string]int{"a": 2, "b": 2}, on, r)
	after, err := hosts.sent()
	require.NoError(w.t, err)
	assert.Greater(w.t, after-before, 2<<20, "bytes on the cable: a ring over two hosts crosses it twice at least")
}

func (w world) sent() int {
	w.t.Helper()
	n, err := hosts.sent()
	require.NoError(w.t, err)
	return n
}

var libraries = []string{"openmpi", "openmpi-5.0", "mpich-3.4", "mpich", "mpich-5.0", "intelmpi-2021.18"}

// hostFile writes a file with both hosts in the format of a family's launcher, and returns its path.
func (w world) hostFile(family string) string {
	w.t.Helper()
	text := "a:2\nb:2\n"
	if family == "openmpi" {
		text = "a slots=2\nb slots=2\n"
	}
	file := hosts.at("hostfile-" + family)
	require.NoError(w.t, os.WriteFile(file, []byte(text), 0o644))
	return file
}

// Programs of every family on every library, natively if it is their own: by the names of the hosts, and by a file of
// hosts for the launchers with different formats.
func TestTwoHosts(t *testing.T) {
	for _, name := range libraries {
		t.Run("on_"+name, func(t *testing.T) {
			w := newWorld(t)
			tools := find(t, name)
			family := tools.Family()
			ways := [][]string{{"-H", "a,b"}}
			if slices.Contains(harness.Names, name) {
				ways = append(ways, []string{"-hostfile", w.hostFile(family)})
			}
			for _, from := range []string{"openmpi", "mpich", harness.Interface} {
				for _, by := range ways {
					before := w.sent()
					command := slices.Concat([]string{w.wi4go, "run", "--to", tools.MPIExec}, by, []string{"-n", "4", w.apps[from]})
					w.together(before, w.run([]string{"WI4GO_LIBRARY_VERSION=runtime"}, command...), name)
				}
			}
		})
	}
}

// The program's dependencies are found on each host, also if the user starts it by wi4go exec or by a script, or if it
// has a DT_RPATH to its own MPI.
func TestEachHostForItself(t *testing.T) {
	w := newWorld(t)
	require.NoError(t, os.WriteFile(hosts.at("job.sh"), []byte("cd / && exec \"$1\"\n"), 0o755))
	for _, name := range []string{"openmpi", "mpich"} {
		tools, other := find(t, name), harness.Other(name)
		run := []string{w.wi4go, "run", "--to", tools.MPIExec, "-H", "a,b", "-n", "4"}
		byHand := []string{tools.MPIExec, "-H", "a,b", "-n", "4", "-x", "WI4GO_LIBRARY_VERSION"}
		if name == "mpich" {
			byHand = []string{tools.MPIExec, "-hosts", "a,b", "-n", "4"}
		}
		library, err := harness.Library(w.apps[other])
		require.NoError(t, err)
		app := hosts.at("rpath-" + other)
		require.NoError(t, find(t, other).Compile("programs/world.c", app, "-Wl,--disable-new-dtags,-rpath,"+filepath.Dir(library)))
		for _, command := range [][]string{
			append(byHand, w.wi4go, "exec", "--to", tools.MPIExec, w.apps[other]),
			append(slices.Clone(run), "sh", "job.sh", w.apps[other]),
			append(slices.Clone(run), app),
		} {
			before := w.sent()
			w.together(before, w.run([]string{"WI4GO_LIBRARY_VERSION=runtime"}, command...), name)
		}
	}
}

// A program that names its MPI library by a path uses a file that wi4go makes in the user's cache, on each host again,
// because homes need not be shared.
func TestHomesOfTheirOwn(t *testing.T) {
	w := newWorld(t)
	runtime := find(t, "openmpi")
	library, app := hosts.at("own/libmpi.so.12"), hosts.at("bypath")
	require.NoError(t, os.MkdirAll(filepath.Dir(library), 0o755))
	text, err := exec.Command("gcc", "-shared", "-fPIC", "-o", library, "programs/nosoname.c").CombinedOutput()
	require.NoError(t, err, string(text))
	require.NoError(t, find(t, "mpich").Compile("programs/world.c", app, "-Wl,--as-needed", library))
	before := w.sent()
	w.together(before, w.run([]string{"WI4GO_LIBRARY_VERSION=runtime"}, w.wi4go, "run", "--to", runtime.MPIExec, "-H", "a,b", "-n", "4", app), "openmpi")
	for _, host := range []string{"a", "b"} {
		made, err := filepath.Glob(hosts.at("home-" + host + "/.cache/wi4go/sonames/*/preload/*libmpi.so.12"))
		require.NoError(t, err)
		assert.Len(t, made, 1, host)
	}
}

// onB changes host b until the test ends: its mounts are visible only there.
func (w world) onB(mounts ...string) {
	w.t.Helper()
	for _, arguments := range mounts {
		r, err := hosts.on("b", nil, append([]string{"mount"}, strings.Fields(arguments)...)...)
		require.NoError(w.t, err)
		require.Zero(w.t, r.code, r)
		words := strings.Fields(arguments)
		w.t.Cleanup(func() {
			_, err := hosts.on("b", nil, "umount", words[len(words)-1])
			assert.NoError(w.t, err)
		})
	}
}

// Something that a host lacks gives one line before the program runs, and a finding of doctor.
func TestHostLacks(t *testing.T) {
	w := newWorld(t)
	tools := find(t, "mpich-5.0")
	older, err := filepath.EvalSymlinks(filepath.Join(find(t, "mpich-3.4").Root(), "lib/libmpi.so.12"))
	require.NoError(t, err)
	library, err := filepath.EvalSymlinks(filepath.Join(tools.Root(), "lib/libmpi.so.12"))
	require.NoError(t, err)
	old, home := hosts.at("old"), hosts.at("home-b/.local/share/wi4go/runtimes/mpich-5.0.2")
	require.NoError(t, os.WriteFile(old, []byte("#!/bin/sh\necho wi4go 0.0.9\n"), 0o755))
	require.NoError(t, os.MkdirAll(home, 0o755))
	app := hosts.at("only/app")
	require.NoError(t, os.MkdirAll(filepath.Dir(app), 0o755))
	require.NoError(t, os.Link(w.apps["openmpi"], app))
	const cureLibrary = ": install the same library at the same path on all hosts, or use --to with a library that is on all of them"
	for name, c := range map[string]struct {
		mounts   []string
		says, id string
	}{
		"no wi4go": {[]string{"-t tmpfs none " + filepath.Dir(w.wi4go)},
			"host b has no wi4go at " + w.wi4go + ": install it at the same path on all hosts", "host-installation"},
		"another wi4go": {[]string{"--bind " + old + " " + w.wi4go},
			"host b has another version of wi4go at " + w.wi4go + ": wi4go 0.0.9; this host has wi4go ", "host-installation"},
		"part of wi4go": {[]string{"-t tmpfs none " + filepath.Join(filepath.Dir(w.wi4go), "../lib/wi4go/mpich")},
			"on host b this installation of wi4go has no front for mpich programs", "host-installation"},
		"no library": {[]string{"-t tmpfs none " + tools.Root()},
			"host b has no MPI library at " + library + cureLibrary, "host-library"},
		"library elsewhere": {[]string{"--bind " + tools.Root() + " " + home, "-t tmpfs none " + tools.Root()},
			"host b has no MPI library at " + library + ", but has mpich@5.0.2 at " + filepath.Join(home, "lib", filepath.Base(library)) + cureLibrary, "host-library"},
		"another library": {[]string{"--bind " + older + " " + library},
			"on host b the MPI library " + library + " is mpich@3.4.3, but on this host it is mpich@5.0.2" + cureLibrary, "host-library"},
		"no program": {[]string{"-t tmpfs none " + filepath.Dir(app)},
			"host b has no " + app + ": copy it there to the same path", "host-program"},
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			w.onB(c.mounts...)
			r := w.run(nil, w.wi4go, "doctor", "--to", tools.MPIExec, "--hosts", "a,b", app)
			assert.Equal(t, 2, r.code, r)
			assert.Contains(t, r.stdout, "\nerror    "+c.says, r)
			assert.Contains(t, r.stdout, "("+c.id+")\n")
			r = w.run(nil, w.wi4go, "run", "--to", tools.MPIExec, "-H", "a,b", "-n", "4", app)
			assert.Equal(t, 1, r.code, r)
			assert.Empty(t, r.stdout)
			require.Equal(t, 1, strings.Count(r.stderr, "\n"), r)
			assert.Contains(t, r.stderr, "wi4go: "+c.says)
		})
	}
}

// If both hosts have everything, doctor reports that and tries messages between them. (Not by UCX: see
// programs/world.c.)
func TestHostsHaveAll(t *testing.T) {
	w := newWorld(t)
	r := w.run(nil, w.wi4go, "doctor", "--to", find(t, "openmpi").MPIExec, "--hosts", "a,b", w.apps["mpich"])
	assert.NotContains(t, r.stdout, "\nerror ", r)
	assert.Regexp(t, `\nhost     b has the same as this host: wi4go \S+, openmpi@4\S+, `+w.apps["mpich"]+"\n", r.stdout)
	assert.Contains(t, r.stdout, "passed messages between a and b on Open MPI 4")
}

// A host that does not exist is an error. Another one that cannot be reached is a warning, after which the launcher
// reports its error. A reachable host needs no wi4go for a program that runs on its own library.
func TestHostUnreached(t *testing.T) {
	w := newWorld(t)
	tools := find(t, "mpich-5.0")
	run := func(host string) result {
		return w.run(nil, w.wi4go, "run", "--to", tools.MPIExec, "-H", "a,"+host, "-n", "2", w.apps["openmpi"])
	}
	r := run("192.0.2.7") // an address of no host (RFC 5737)
	require.Len(t, r.ours(), 1, r)
	assert.Contains(t, r.ours()[0], "wi4go: warning: cannot check host 192.0.2.7 (no route to host 192.0.2.7): make `"+hosts.at("agent")+" 192.0.2.7 true` work")
	assert.NotZero(t, r.code, r)
	r = run("c.invalid")
	assert.Equal(t, []string{"wi4go: there is no host c.invalid: its name does not resolve, and `" + hosts.at("agent") +
		"` does not reach it (no route to host c.invalid): correct the name in the options or in the file of hosts, or add it to DNS or /etc/hosts"}, r.ours())
	assert.Empty(t, r.stdout)
	assert.NotZero(t, r.code, r)

	own := find(t, "mpich")
	w.onB("-t tmpfs none " + filepath.Dir(w.wi4go))
	before := w.sent()
	w.together(before, w.run(nil, w.wi4go, "run", "--to", own.MPIExec, "-H", "a,b", "-n", "4", w.apps["mpich"]), "mpich")
}
