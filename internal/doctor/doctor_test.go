package doctor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"wi4go/internal/config"
	"wi4go/internal/fakempi"
	"wi4go/internal/fault"
	"wi4go/internal/hosts"
	"wi4go/internal/install"
	"wi4go/internal/launch"
	"wi4go/internal/ldso"
	"wi4go/internal/runtimes"
)

// A world is a machine on which everything works: an installation of wi4go, an Open MPI and an
// MPICH with a program for each. A test breaks one thing.
type world struct {
	t               *testing.T
	dir             string
	env             map[string]string
	libs            ldso.Search
	open, mpich     string // the libraries' paths
	openApp         string
	prefix          string // the installation of wi4go
	limits          map[int]uint64
	shm             uint64
	shmErr, peerErr error
	unwritable      map[string]syscall.Errno // directories that cannot be written to
	uid             int
	speaks          []string // the process managers that the runtime supports
	problem         string   // the problem that the runtime reports
	wrong           error
	auditor         func(string) error // nil: no process is audited
	outcome         Outcome
	command         []string // the command that the trial ran
	search          runtimes.Search
	answers         []error // the other hosts' answers
	agent, asked    []string
	question        hosts.Question
}

// template holds the files of a world. They are made once, because compiling takes time.
var template struct {
	sync.Once
	dir string
}

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(template.dir)
	os.Exit(code)
}

// makeTemplate makes the files and moves them, so that in the copies only $ORIGIN leads from one
// file to another.
func makeTemplate(t *testing.T) {
	dir, err := os.MkdirTemp("", "doctor")
	require.NoError(t, err)
	at := func(name string) string { return filepath.Join(dir, name) }
	open := fakempi.OpenMPI(t, at("open"))
	mpich := fakempi.MPICH(t, at("mpich"), "libmpich.so.12", "")
	fakempi.Front(t, at("ours"), "openmpi")
	fakempi.Front(t, at("ours"), "mpich")
	fakempi.Front(t, at("ours"), "mpiabi")
	fakempi.Program(t, at("open_app"), open, "-Wl,-rpath,$ORIGIN/open/lib")
	fakempi.Program(t, at("ours/lib/wi4go/probe/openmpi"), open)
	fakempi.Program(t, at("ours/lib/wi4go/probe/mpich"), mpich)
	template.dir = dir + ".template"
	require.NoError(t, os.Rename(dir, template.dir))
}

func newWorld(t *testing.T) *world {
	t.Helper()
	template.Do(func() { makeTemplate(t) })
	// The linker does not accept a directory named after a test with a comma.
	dir, err := os.MkdirTemp("", "doctor")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	require.NoError(t, os.CopyFS(dir, os.DirFS(template.dir)))
	cache := maps.Clone(ldso.Cache())
	maps.DeleteFunc(cache, func(soname string, _ []string) bool { return strings.HasPrefix(soname, "libmpi") })
	w := &world{t: t, dir: dir, env: map[string]string{}, limits: map[int]uint64{}, unwritable: map[string]syscall.Errno{}, shm: 1 << 34, uid: 1000,
		libs: ldso.Search{Cache: cache}, outcome: Outcome{Out: "probe: ok\nprobe: ok\n"}}
	w.open, w.mpich, w.openApp, w.prefix = w.at("open/lib/libmpi.so.40"), w.at("mpich/lib/libmpich.so.12"), w.at("open_app"), w.at("ours")
	w.write("root/proc/self/status", "Name:\twi4go\nCapEff:\t0000000000000000\nSeccomp:\t0\n")
	w.search = runtimes.Search{Path: []string{w.at("open/bin"), w.at("mpich/bin")}, Exclude: w.at("ours/lib/wi4go")}
	return w
}

func (w *world) at(name string) string { return filepath.Join(w.dir, name) }

func (w *world) write(name, text string) {
	w.t.Helper()
	require.NoError(w.t, os.MkdirAll(filepath.Dir(w.at(name)), 0o755))
	require.NoError(w.t, os.WriteFile(w.at(name), []byte(text), 0o644))
}

// program compiles a program for Open MPI with more source.
func (w *world) program(name, source string, flags ...string) {
	w.t.Helper()
	fakempi.Compile(w.t, source+`
int MPI_Init(int *, char ***);
int main(int argc, char **argv) { return MPI_Init(&argc, &argv); }`,
		w.at(name), append([]string{w.open, "-Wl,--enable-new-dtags,-rpath," + w.at("open/lib")}, flags...)...)
}

// onlyEmbedded leaves no MPI on the machine but the embedded one, which refuses some functions.
func (w *world) onlyEmbedded(refused ...string) {
	w.t.Helper()
	w.mpich = fakempi.Embedded(w.t, w.at("ours"), refused...)
	w.search = runtimes.Search{Exclude: w.at("ours/lib/wi4go"), Embedded: w.at("ours/lib/wi4go/runtimes/embedded")}
}

func (w *world) library(name, source string, flags ...string) string {
	w.t.Helper()
	return fakempi.Shared(w.t, source, w.at(name), filepath.Base(name), flags...)
}

// versioned compiles a library that defines one function with a symbol version, and the same
// library without that version in another directory.
func (w *world) versioned(soname, version, old string) (needed string) {
	w.t.Helper()
	make := func(dir, versions string) string {
		w.write(dir+"/map", versions)
		return w.library(dir+"/"+soname, "int newest(void) { return 1; } int oldest(void) { return 0; }",
			"-nostdlib", "-Wl,--version-script,"+w.at(dir+"/map"))
	}
	if old != "" {
		make("old", old+" { global: oldest; };")
	}
	return make("new", version+" { global: newest; };")
}

func (w *world) examine(q Question) Report {
	w.t.Helper()
	search := w.search
	search.Libs = w.libs
	s := Sources{
		Launcher: launch.Launcher{
			Tree: install.Tree{Prefix: w.prefix}, Runtimes: search, Libs: w.libs,
			Getenv:   func(name string) string { return w.env[name] },
			CacheDir: func() (string, error) { return w.at("cache"), nil },
			Config:   func() (config.Config, error) { return config.Read([]string{w.at("config.toml")}) },
			Auditor:  w.auditor,
		},
		Version: fakempi.Version,
		Root:    w.at("root"),
		UID:     w.uid,
		Limit: func(resource int) (uint64, error) {
			if limit, ok := w.limits[resource]; ok {
				return limit, nil
			}
			return Unlimited, nil
		},
		Directories: Directories{
			Root: w.at("root"),
			Space: func(dir string) (uint64, uint64, error) {
				assert.Equal(w.t, w.at("root/dev/shm"), dir)
				return w.shm, w.shm, w.shmErr
			},
			Writable: func(dir string) error {
				if errno, ok := w.unwritable[strings.TrimPrefix(dir, w.at("root"))]; ok {
					return &os.PathError{Op: "access", Path: dir, Err: errno}
				}
				return nil
			},
		},
		ReadPeer: func() error { return w.peerErr },
		Entry: func(rt *runtimes.Runtime) runtimes.Entry {
			return runtimes.Entry{Runtime: rt, Version: runtimes.Version{Product: rt.Title() + " 4.0", Problem: w.problem},
				Files: runtimes.Files{ProcessManagers: w.speaks}}
		},
		Survey:        search.Survey,
		CheckLauncher: func(*runtimes.Runtime, []string) error { return w.wrong },
		AskHosts: func(agent, names []string, q hosts.Question) []error {
			w.agent, w.asked, w.question = agent, names, q
			return append(w.answers, make([]error, len(names)-len(w.answers))...)
		},
		Run: func(command, environ []string, _ time.Duration) Outcome {
			w.command = command
			return w.outcome
		},
	}
	for _, name := range slices.Sorted(maps.Keys(w.env)) {
		s.Environ = append(s.Environ, name+"="+w.env[name])
	}
	return Examine(s, q)
}

// onMPICH returns the question of nearly all tests: can this program of Open MPI run on MPICH?
func (w *world) onMPICH(argv ...string) Question {
	argv = slices.Clone(argv)
	if len(argv) == 0 {
		argv = []string{w.openApp}
	}
	if !strings.Contains(argv[0], "/") {
		argv[0] = w.at(argv[0])
	}
	return Question{To: w.at("mpich"), Argv: argv}
}

func TestNothingIsWrong(t *testing.T) {
	w := newWorld(t)
	q := w.onMPICH()
	q.Trial = true
	r := w.examine(q)
	assert.Empty(t, r.Findings)
	assert.Equal(t, 0, r.Status)
	assert.Equal(t, "works", r.Verdict)
	assert.Equal(t, w.at("mpich/bin/mpiexec"), w.command[0])
	assert.Equal(t, w.at("ours/lib/wi4go/probe/openmpi"), w.command[len(w.command)-1])
	assert.Contains(t, w.command, "LD_PRELOAD")

	var out bytes.Buffer
	r.Print(&out, Style{})
	for _, line := range []string{"wi4go    1.2.3 in " + w.at("ours") + ", replaces libmpi.so.40, libmpi.so.12, libmpich.so.12, libmpi_abi.so.1\n",
		"runtime  MPICH 4.0, " + w.mpich + ", started by " + w.at("mpich/bin/mpiexec") + "\n",
		"program  " + w.openApp + ", built for Open MPI (libmpi.so.40), in C\n", "\nrun      ", "translated onto",
		"\ntrial    2 ranks of a program for Open MPI passed messages on MPICH 4.0 in ", "\nverdict  works\n"} {
		assert.Contains(t, out.String(), line)
	}

	for name, q := range map[string]Question{
		"a program of the runtime's family": {To: w.at("open"), Argv: []string{w.openApp}, Trial: true},
		"no program":                        {To: w.at("mpich"), Trial: true},
		"no program, but its family":        {From: "mpich", To: w.at("mpich"), Trial: true},
		"the machine":                       {},
		"a wrapper":                         {To: w.at("mpich"), Argv: []string{"env", w.openApp}},
		"a program that needs --from":       {From: "openmpi", To: w.at("mpich"), Argv: []string{"/bin/true"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := w.examine(q)
			assert.Empty(t, r.Findings)
		})
	}
}

// The embedded MPI needs no room in /dev/shm, whether it is named or the only one.
func TestEmbeddedNeedsNoSharedMemory(t *testing.T) {
	w := newWorld(t)
	w.onlyEmbedded()
	for _, broken := range []func(){func() { w.shm = 64 << 20 }, func() { w.unwritable["/dev/shm"] = syscall.EROFS }} {
		broken()
		for _, q := range []Question{{To: "embedded"}, {To: "embedded", Argv: []string{w.openApp}}, {}} {
			r := w.examine(q)
			assert.False(t, slices.ContainsFunc(r.Findings, func(f Finding) bool { return strings.HasPrefix(f.ID, "shm-") }), "%+v: %+v", q, r.Findings)
		}
	}
}

// Ranks of the embedded MPI may read each other's memory with ptrace_scope 1, because they allow it, but not with 2.
func TestEmbeddedAllowsReading(t *testing.T) {
	w := newWorld(t)
	w.onlyEmbedded()
	w.peerErr = syscall.EPERM
	for scope, want := range map[string]bool{"1": false, "2": true} {
		w.write("root/proc/sys/kernel/yama/ptrace_scope", scope+"\n")
		for _, q := range []Question{{To: "embedded", Argv: []string{w.openApp}}, {}} {
			r := w.examine(q)
			assert.Equal(t, want, slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.ID == "single-copy" }), "%s: %+v: %+v", scope, q, r.Findings)
		}
	}
}

func TestJSON(t *testing.T) {
	w := newWorld(t)
	w.shm = 64 << 20
	text, err := json.Marshal(w.examine(w.onMPICH()))
	require.NoError(t, err)
	var r struct {
		Status   int
		Verdict  string
		Facts    []map[string]any
		Findings []map[string]string
	}
	require.NoError(t, json.Unmarshal(text, &r))
	assert.Equal(t, 1, r.Status)
	assert.Equal(t, "works, with warnings", r.Verdict)
	require.Len(t, r.Findings, 1)
	assert.ElementsMatch(t, []string{"id", "severity", "finding", "cure"}, slices.Collect(maps.Keys(r.Findings[0])))
	assert.ElementsMatch(t, []string{"subject", "fact", "details"}, slices.Collect(maps.Keys(r.Facts[0])))
	w.shm = 1 << 34
	text, err = json.Marshal(w.examine(w.onMPICH()))
	require.NoError(t, err)
	assert.Contains(t, string(text), `"findings":[]`)
}

// A provocation breaks one thing, which must be the only finding.
type provocation struct {
	id       string
	severity Severity
	says     string // part of the finding's text
	cure     string // part of its cure
	question func(w *world) Question
}

// onEmbedded asks for a program on the embedded MPI.
func onEmbedded(name string) func(*world) Question {
	return func(w *world) Question { return Question{To: "embedded", Argv: []string{w.at(name)}} }
}

func app(argv ...string) func(*world) Question {
	return func(w *world) Question { return w.onMPICH(argv...) }
}

var machineAlone = func(*world) Question { return Question{} }

var provocations = map[string]struct {
	provocation
	do func(w *world)
}{
	// The errors of the dynamic linker.
	"a library that is not there": {provocation{"library-missing", Error, "app needs libgone.so, but it is not on this machine", "LD_LIBRARY_PATH", app("app")},
		func(w *world) {
			gone := w.library("gone/libgone.so", "int gone(void) { return 0; }")
			w.program("app", "int gone(void); void *keep(void) { return gone; }", gone)
			require.NoError(w.t, os.Remove(gone))
		}},
	"a library that the runtime lacks": {provocation{"library-missing", Error, "libmpich.so.12 needs libgone.so", "", app()},
		func(w *world) {
			gone := w.library("gone/libgone.so", "int gone(void) { return 0; }")
			fakempi.MPICH(w.t, w.at("mpich"), "libmpich.so.12", "int gone(void); void *keep(void) { return gone; }", gone)
			require.NoError(w.t, os.Remove(gone))
		}},
	"a library for another machine": {provocation{"library-machine", Error, "app needs libgone.so, but $D/gone/libgone.so is for another", "", app("app")},
		func(w *world) {
			gone := w.library("gone/libgone.so", "int gone(void) { return 0; }")
			w.program("app", "int gone(void); void *keep(void) { return gone; }", gone)
			fakempi.ForMachine(w.t, gone, gone, 3)
			w.libs.LibraryPath = []string{w.at("gone")}
			w.env["LD_LIBRARY_PATH"] = w.at("gone")
		}},
	"C++ bindings that are not there": {provocation{"cxx-missing", Error, "app needs libmpi_cxx.so.40, the C++ bindings of Open MPI", "install the C++ library", app("app")},
		func(w *world) {
			cxx := w.library("gone/libmpi_cxx.so.40", "int _ZN3MPI4InitEv(void) { return 0; }")
			w.program("app", "int _ZN3MPI4InitEv(void); void *keep(void) { return _ZN3MPI4InitEv; }", cxx)
			require.NoError(w.t, os.Remove(cxx))
		}},
	"a newer glibc": {provocation{"glibc-version", Error, "app needs GLIBC_2.99 of libc.so.6, but the newest in /", "container", app("app")},
		func(w *world) {
			libc := w.versioned("libc.so.6", "GLIBC_2.99", "")
			fakempi.Compile(w.t, "int MPI_Init(void *, void *), newest(void); int _start() { return MPI_Init(0, 0) + newest(); }",
				w.at("app"), "-nostdlib", libc, w.open, "-Wl,--unresolved-symbols=ignore-in-shared-libs")
		}},
	"a newer libstdc++, for a library of the program": {provocation{"libstdcxx-version", Error,
		"libx.so needs GLIBCXX_3.4.99 of libstdc++.so.6, but the newest in $D/old/libstdc++.so.6 is GLIBCXX_3.4.9", "newer libstdc++.so.6", app("app")},
		func(w *world) {
			w.write("old/map", "GLIBCXX_3.4 {}; GLIBCXX_3.4.9 { global: oldest; } GLIBCXX_3.4;")
			cxx := w.versioned("libstdc++.so.6", "GLIBCXX_3.4.99", "")
			w.library("old/libstdc++.so.6", "int oldest(void) { return 0; }", "-nostdlib", "-Wl,--version-script,"+w.at("old/map"))
			x := w.library("x/libx.so", "int newest(void); int x(void) { return newest(); }", "-nostdlib", cxx)
			w.program("app", "int x(void); void *keep(void) { return x; }", x, "-Wl,-rpath,"+w.at("x"), "-Wl,-rpath-link,"+w.at("new"))
			w.libs.LibraryPath = []string{w.at("old")}
			w.env["LD_LIBRARY_PATH"] = w.at("old")
		}},
	"an older library that the program brings to the runtime": {provocation{"library-version", Error,
		"libmpich.so.12 needs FABRIC_2 of libfabric.so.1, but the newest in $D/old/libfabric.so.1 is FABRIC_1", "LD_LIBRARY_PATH", app("app")},
		func(w *world) {
			fabric := w.versioned("libfabric.so.1", "FABRIC_2", "FABRIC_1")
			fakempi.MPICH(w.t, w.at("mpich"), "libmpich.so.12", "int newest(void); void *keep(void) { return newest; }", fabric,
				"-Wl,-rpath,"+w.at("new"))
			w.program("app", "int oldest(void); void *keep(void) { return oldest; }", w.at("old/libfabric.so.1"), "-Wl,-rpath,"+w.at("old"))
		}},
	"static thread-local storage": {provocation{"static-tls", Error, "libmpich.so.12 (4000)", "optional_static_tls=4512", app()},
		func(w *world) {
			fakempi.MPICH(w.t, w.at("mpich"), "libmpich.so.12",
				`__thread char block[4000] __attribute__((tls_model("initial-exec"))); char *use(void) { return block; }`)
			w.env["GLIBC_TUNABLES"] = "glibc.malloc.check=0"
		}},
	"musl": {provocation{"program-musl", Error, "app was built for musl (/lib/ld-musl-x86_64.so.1)", "glibc", app("app")},
		func(w *world) { w.program("app", "", "-Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1") }},
	"no dynamic linker": {provocation{"interpreter-missing", Error, "app needs the dynamic linker /gone/ld.so", "container", app("app")},
		func(w *world) { w.program("app", "", "-Wl,--dynamic-linker=/gone/ld.so") }},

	// Two MPIs.
	"a program of two families": {provocation{"two-mpis", Error, "built for two MPI families", "with one MPI", app("app")},
		func(w *world) { w.program("app", "void *keep(void);", "-Wl,--no-as-needed", w.mpich) }},
	"a DT_NEEDED with a path": {provocation{"two-mpis", Error, "$D/nameless/libvendor.so (by its path", "patchelf --replace-needed", app("app")},
		func(w *world) {
			require.NoError(w.t, os.MkdirAll(w.at("nameless"), 0o755))
			fakempi.Compile(w.t, "int PMPI_Init(void) { return 0; } int MPI_Init(int *a, char ***b) { return 0; } long ompi_mpi_comm_world;",
				w.at("nameless/libvendor.so"), "-shared", "-fPIC")
			w.program("app", "", "-Wl,--no-as-needed", w.at("nameless/libvendor.so"))
		}},
	"DT_RPATH with a part of another MPI": {provocation{"rpath-second-mpi", Error,
		"libmpi.so.40 loads $D/other/libopen-rte.so.40 (by DT_RPATH) instead of its own $D/open/lib/libopen-rte.so.40",
		"patchelf --remove-rpath", func(w *world) Question { return Question{To: w.at("open"), Argv: []string{w.at("app")}} }},
		func(w *world) {
			rte := w.library("open/lib/libopen-rte.so.40", "int rte(void) { return 1; }")
			w.library("other/libopen-rte.so.40", "int rte(void) { return 2; }")
			w.open = fakempi.OpenMPI(w.t, w.at("open"), "-Wl,--no-as-needed", rte)
			w.libs.LibraryPath = []string{w.at("open/lib")}
			w.env["LD_LIBRARY_PATH"] = w.at("open/lib")
			fakempi.Compile(w.t, "int MPI_Init(void *, void *); int main() { return MPI_Init(0, 0); }", w.at("app"),
				fakempi.MPICH(w.t, w.at("for"), "libmpi.so.12", ""), "-Wl,--disable-new-dtags,-rpath,"+w.at("other"))
		}},

	// The program's requirements on MPI.
	"functions that the runtime lacks": {provocation{"runtime-lacks", Warning, "libmpich.so.12 lacks MPI_Barrier, MPI_Bcast", "`wi4go get mpich@5`", app("app")},
		func(w *world) {
			const more = "int MPI_Bcast(void) { return 0; } int MPI_Barrier(void) { return 0; }"
			fakempi.Front(w.t, w.at("ours"), "openmpi", more)
			rich := fakempi.Shared(w.t, more+"int MPI_Init(int *a, char ***b) { return 0; }", w.at("rich/libmpi.so.40"), "libmpi.so.40")
			fakempi.Compile(w.t, "int MPI_Bcast(void), MPI_Barrier(void); int main() { return MPI_Bcast() + MPI_Barrier(); }", w.at("app"), rich)
		}},
	"functions that another library has": {provocation{"runtime-lacks", Warning, "libmpich.so.12 lacks MPI_Barrier, MPI_Bcast", "use another MPI: `--to ", app("app")},
		func(w *world) {
			const more = "int MPI_Bcast(void) { return 0; } int MPI_Barrier(void) { return 0; }"
			fakempi.Front(w.t, w.at("ours"), "openmpi", more)
			fakempi.MPICH(w.t, w.at("rich"), "libmpi.so.12", more)
			w.search.Globs = append(w.search.Globs, runtimes.Place{Dir: w.at("rich")})
			fakempi.Compile(w.t, "int MPI_Bcast(void), MPI_Barrier(void); int main() { return MPI_Bcast() + MPI_Barrier(); }", w.at("app"),
				fakempi.Shared(w.t, more+"int MPI_Init(int *a, char ***b) { return 0; }", w.at("own/libmpi.so.40"), "libmpi.so.40"))
		}},
	"functions that the embedded MPI lacks": {provocation{"runtime-lacks", Warning, "app imports MPI_File_open, MPI_Win_create, which the embedded MPI does not have",
		"`wi4go get mpich`", onEmbedded("app")},
		func(w *world) {
			w.onlyEmbedded("MPI_File_open", "MPI_Win_create") // in the order of the library's list
			const more = "int MPI_Win_create(void) { return 0; } int PMPI_File_open(void) { return 0; }"
			fakempi.Front(w.t, w.at("ours"), "openmpi", more)
			rich := fakempi.Shared(w.t, more+"int MPI_Init(int *a, char ***b) { return 0; }", w.at("rich/libmpi.so.40"), "libmpi.so.40")
			fakempi.Compile(w.t, "int MPI_Win_create(void), PMPI_File_open(void); int main() { return MPI_Win_create() + PMPI_File_open(); }", w.at("app"), rich)
		}},
	"functions that the embedded MPI lacks, in a library": {provocation{"runtime-lacks", Note, "libraries of ", "`wi4go get mpich`", onEmbedded("app")},
		func(w *world) {
			w.onlyEmbedded("MPI_Win_create")
			fakempi.Front(w.t, w.at("ours"), "openmpi", "int PMPI_Win_create(void) { return 0; }")
			user := w.library("libuser.so", "int PMPI_Win_create(void); int use(void) { return PMPI_Win_create(); }", "-Wl,--unresolved-symbols=ignore-all")
			w.program("app", "int use(void); int more(void) { return use(); }", user, "-Wl,-rpath,$ORIGIN", "-Wl,--unresolved-symbols=ignore-all")
		}},
	"no MPI but the embedded": {provocation{"no-runtime", Note, "no MPI library is installed: wi4go uses its own, embedded", "wi4go get mpich", machineAlone},
		func(w *world) { w.onlyEmbedded() }},
	"no MPI but the embedded for a program": {provocation{"no-runtime", Note, "no MPI library is installed: wi4go uses its own, embedded", "wi4go get openmpi",
		func(w *world) Question { return Question{Argv: []string{w.openApp}} }}, func(w *world) { w.onlyEmbedded() }},
	"several hosts for the embedded MPI": {provocation{"one-host", Warning, "the job has 2 hosts (SLURM_JOB_NUM_NODES)", "`wi4go get mpich`", onEmbedded("open_app")},
		func(w *world) {
			w.onlyEmbedded()
			w.env["SLURM_JOB_NUM_NODES"] = "2"
		}},
	"a program of a release of Intel's that is not known": {provocation{"draft-abi", Warning, "was linked by the wrapper of an unknown " +
		"release of Intel MPI", "--from intelmpi",
		app("app")},
		func(w *world) {
			const more = "int MPI_Comm_set_errhandler(void) { return 0; }"
			fakempi.Front(w.t, w.at("ours"), "mpiabi", more)
			fakempi.MPICH(w.t, w.at("mpich"), "libmpich.so.12", more)
			_, program := fakempi.IntelABI(w.t, w.at("intel"), "2021.17.2")
			require.NoError(w.t, os.Rename(program, w.at("app")))
		}},
	"symbols that no front has": {provocation{"symbol-unknown", Error, "imports ompi_new_thing, which wi4go's front", "library that it was built with", app("app")},
		func(w *world) {
			rich := fakempi.Shared(w.t, "long ompi_new_thing; int MPI_Init(int *a, char ***b) { return 0; }", w.at("rich/libmpi.so.40"), "libmpi.so.40")
			fakempi.Compile(w.t, "extern long ompi_new_thing; int main() { return ompi_new_thing; }", w.at("app"), rich)
		}},
	"a function that only the program's own library has": {provocation{"own-function", Warning,
		"imports ompi_proc_all, which wi4go's front", "if it calls them, run it on the MPI library that it was built with", app("app")},
		func(w *world) {
			rich := fakempi.Shared(w.t, "int ompi_proc_all(void) { return 0; } int MPI_Init(int *a, char ***b) { return 0; }", w.at("rich/libmpi.so.40"), "libmpi.so.40")
			fakempi.Compile(w.t, "int ompi_proc_all(void); int main(int n, char **v) { return n > 1 ? ompi_proc_all() : 0; }", w.at("app"), rich, "-Wl,-z,lazy")
		}},
	"Fortran": {provocation{"fortran", Error, "$D/app calls Fortran MPI (mpi_init_ …)", "run it on an Open MPI", app("app")},
		func(w *world) {
			fortran := w.library("open/lib/libmpi_mpifh.so.40", "int mpi_init_(void) { return 0; }")
			w.program("app", "int mpi_init_(void); void *keep(void) { return mpi_init_; }", fortran)
		}},
	"a static program": {provocation{"program-static", Error, "app: statically linked", "shared MPI library", app("app")},
		func(w *world) { fakempi.Compile(w.t, `int main() { puts("MPI_Init"); }`, w.at("app"), "-static") }},
	"a static program that is no MPI's": {provocation{"program-static", Note, "app: statically linked, and not an MPI program", "--from", app("app")},
		func(w *world) { fakempi.Compile(w.t, "int main() { return 0; }", w.at("app"), "-static") }},
	"a script that opens MPI by its path": {provocation{"opened-by-path", Warning, "script names /usr/lib/libmpi.so.40 by its path",
		"let it open libmpi.so.40 by this name", func(w *world) Question {
			return Question{From: "openmpi", To: w.mpich, Argv: []string{w.at("script")}}
		}},
		func(w *world) {
			fakempi.Script(w.t, w.at("script"), "#!/usr/bin/perl\ndlopen('/usr/lib/libmpi.so.40', 1); dlopen('libmpi.so.40'); dlopen('/usr/lib/libmpi.so.12');\n")
		}},
	"a host on which nothing can be audited": {provocation{"audit-unavailable", Warning, "because its dynamic linker is old", "WI4GO_AUDIT=0", app("app")},
		func(w *world) {
			w.program("real", "")
			fakempi.Script(w.t, w.at("app"), "#!/bin/sh\nexec "+w.at("real")+"\n")
			w.auditor = func(string) error { return errors.New("its dynamic linker is old") }
		}},
	"a script that loses both variables": {provocation{"preload-lost", Warning, "app sets LD_PRELOAD and LD_LIBRARY_PATH, which $D/real needs", "keep", app("app")},
		func(w *world) {
			w.program("real", "")
			fakempi.Script(w.t, w.at("app"), "#!/bin/sh\nexport LD_PRELOAD=libm.so.6\nLD_LIBRARY_PATH=/none:$HOME/lib exec "+w.at("real")+"\n")
		}},
	"a script that starts a launcher": {provocation{"launcher-in-script", Error, "app starts mpirun itself", "wi4go shell --to ", app("app")},
		func(w *world) {
			w.program("real", "")
			fakempi.Script(w.t, w.at("app"), "#!/bin/sh\nmpirun -n 2 "+w.at("real")+"\n")
		}},
	"a script that starts a launcher by its path": {provocation{"launcher-in-script", Error, "app starts /usr/bin/mpiexec itself",
		"write mpiexec there without its directory, then: wi4go shell --to ", app("app")},
		func(w *world) {
			w.program("real", "")
			fakempi.Script(w.t, w.at("app"), "#!/bin/sh\n/usr/bin/mpiexec "+w.at("real")+"\n")
		}},
	"a script that starts a launcher by a name that the shell does not replace": {provocation{"launcher-in-script", Error,
		"app starts mpirun.openmpi itself", "write mpirun there instead of mpirun.openmpi, then: wi4go shell --to ", app("app")},
		func(w *world) {
			w.program("real", "")
			fakempi.Script(w.t, w.at("app"), "#!/bin/sh\nmpirun.openmpi "+w.at("real")+"\n")
		}},
	"a script that starts processes of a batch system": {provocation{"launcher-in-script", Error, "app starts srun itself",
		"write `srun OPTIONS wi4go exec --to ", app("app")},
		func(w *world) {
			w.program("real", "")
			fakempi.Script(w.t, w.at("app"), "#!/bin/sh\nsrun -n 2 "+w.at("real")+"\n")
		}},
	"a script whose command is in a variable": {provocation{"launcher-in-script", Note, "app starts the command in $RUN_HERE, whose value",
		"if that starts ranks, start the script by: wi4go shell --to ", app("app")},
		func(w *world) {
			w.program("real", "")
			fakempi.Script(w.t, w.at("app"), "#!/bin/sh\n$RUN_HERE "+w.at("real")+"\n")
		}},
	"a program with other rights": {provocation{"program-privileged", Error, "$D/app is set-user-ID to another user", "a copy", app("app")},
		func(w *world) {
			w.program("app", "")
			anotherUsers(w.t, w.at("app"))
		}},
	"no MPI program": {provocation{"program-not-mpi", Note, "app: not an MPI program", "", app("app")},
		func(w *world) { fakempi.Compile(w.t, "int main() { return 0; }", w.at("app")) }},
	"a script that leads nowhere": {provocation{"program-unknown", Note, "no MPI program found", "--from", app("app")},
		func(w *world) { fakempi.Script(w.t, w.at("app"), "#!/bin/sh\ntrue\n") }},
	"no such program": {provocation{"program-unreadable", Error, "app: no such file", "", app("app")}, func(*world) {}},
	"a text":          {provocation{"program-unreadable", Error, "app is not a program", "", app("app")}, func(w *world) { fakempi.Script(w.t, w.at("app"), "hello\n") }},
	"a program for another machine": {provocation{"program-machine", Error, "app is for 32-bit x86", "build it for this machine", app("app")},
		func(w *world) { fakempi.ForMachine(w.t, w.openApp, w.at("app"), 3) }},
	"an old ABI": {provocation{"program-old-abi", Error, "app needs libmpi.so.20, the library of an old Open MPI", "", app("app")},
		func(w *world) {
			old := w.library("old/libmpi.so.20", "int MPI_Init(void *a, void *b) { return 0; }")
			fakempi.Compile(w.t, "int MPI_Init(void *, void *); int main() { return MPI_Init(0, 0); }", w.at("app"), old, "-Wl,-rpath,"+w.at("old"))
		}},
	"--from that is not so": {provocation{"refused", Error, "--from mpich is wrong: $D/open_app was built for Open MPI", "",
		func(w *world) Question { return Question{From: "mpich", To: w.at("mpich"), Argv: []string{w.openApp}} }}, func(*world) {}},

	// Launchers and process managers.
	"a prefix with two libraries": {provocation{"runtime-ambiguous", Warning, "$D/open contains $D/open/lib/", "name a library",
		func(w *world) Question { return Question{To: w.at("open")} }},
		func(w *world) { require.NoError(w.t, os.Link(w.mpich, w.at("open/lib/libmpich.so.12"))) }},
	"a program that the launcher does not find": {provocation{"program-directory", Error, "beside is not in PATH, and an mpiexec of MPICH's family",
		"name it ./beside", func(w *world) Question { return Question{To: w.at("mpich"), Argv: []string{"beside"}, Dir: w.dir} }},
		func(w *world) { require.NoError(w.t, os.Symlink(w.openApp, w.at("beside"))) }},
	"no mpiexec": {provocation{"no-launcher", Error, "no mpiexec of $D/mpich/lib/libmpich.so.12 found", "srun", app()},
		func(w *world) { require.NoError(w.t, os.Remove(w.at("mpich/bin/mpiexec"))) }},
	"no mpiexec, but srun": {provocation{"no-launcher", Warning, "no mpiexec of ", "srun", app()},
		func(w *world) {
			require.NoError(w.t, os.Remove(w.at("mpich/bin/mpiexec")))
			w.env["SLURM_JOB_ID"] = "7"
		}},
	"a launcher that the runtime does not understand": {provocation{"wrong-launcher", Error, "each is rank 0 of 1", "", app()},
		func(w *world) { w.wrong = errors.New("each is rank 0 of 1") }},
	"another family's mpiexec in PATH": {provocation{"path-launcher", Note, "$D/open/bin/mpiexec) belongs to Open MPI", "wi4go run", app()},
		func(w *world) { w.env["PATH"] = w.at("open/bin") + ":" + w.at("mpich/bin") }},
	"srun with another process manager": {provocation{"process-manager", Warning, "srun uses pmix_v4 (SLURM_MPI_TYPE)", "srun --mpi=pmi2", app()},
		func(w *world) { w.env["SLURM_MPI_TYPE"], w.speaks = "pmix_v4", []string{"pmi1"} }},
	"srun without a process manager": {provocation{"process-manager", Warning, "srun uses none (SLURM_MPI_TYPE)", "srun --mpi=pmix", app()},
		func(w *world) { w.env["SLURM_MPI_TYPE"], w.speaks = "none", []string{"pmix"} }},
	"a PMI that did not come into the container": {provocation{"process-manager-lost", Error, "PMI_FD names the open file 12, which is not open", "container", app()},
		func(w *world) { w.env["PMI_FD"] = "12" }},
	"a PMIx that did not come into the container": {provocation{"process-manager-lost", Error, "PMIX_SERVER_TMPDIR names /run/pmix, which does not exist here", "container",
		func(w *world) Question { return Question{To: w.at("open"), Argv: []string{w.openApp}} }},
		func(w *world) { w.env["PMIX_SERVER_TMPDIR"] = "/run/pmix" }},
	"root": {provocation{"root-openmpi", Error, "you are root", "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		func(w *world) Question { return Question{To: w.at("open"), Argv: []string{w.openApp}} }},
		func(w *world) { w.uid = 0 }},
	"root, on this machine": {provocation{"root-openmpi", Note, "you are root", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1,", machineAlone},
		func(w *world) { w.uid, w.env["OMPI_ALLOW_RUN_AS_ROOT"] = 0, "1" }},

	"OPAL_PREFIX of another Open MPI": {provocation{"openmpi-prefix", Error, "OPAL_PREFIX=/opt/other is the directory of another Open MPI", "unset OPAL_PREFIX",
		func(w *world) Question { return Question{To: w.at("open"), Argv: []string{w.openApp}} }},
		func(w *world) { w.env["OPAL_PREFIX"] = "/opt/other" }},

	// The machine.
	"a small /dev/shm": {provocation{"shm-small", Warning, "/dev/shm has 64 MB, of which 64 are free", "--shm-size", app()}, func(w *world) { w.shm = 64 << 20 }},
	"no /dev/shm": {provocation{"shm-small", Warning, "/dev/shm, in which the ranks of one machine share memory, is not usable: no such file", "tmpfs", app()},
		func(w *world) { w.shmErr = &os.PathError{Op: "statfs", Path: "/dev/shm", Err: syscall.ENOENT} }},
	"a /dev/shm for reading": {provocation{"shm-unwritable", Warning, "/dev/shm, in which the ranks of one machine share memory, cannot be written to (read-only file system)",
		"remount,rw", app()},
		func(w *world) { w.unwritable["/dev/shm"] = syscall.EROFS }},
	"no /tmp": {provocation{"session-directory", Error, "/tmp, in which an mpiexec of Open MPI keeps the files of a job, cannot be used: permission denied", "set TMPDIR",
		func(w *world) Question { return Question{To: w.at("open"), Argv: []string{w.openApp}} }},
		func(w *world) { w.unwritable["/tmp"], w.unwritable["/"] = syscall.ENOENT, syscall.EACCES }},
	"no /tmp, on this machine": {provocation{"session-directory", Warning, "/tmp, in which an mpiexec of Open MPI keeps", "mkdir -m 1777 /tmp", machineAlone},
		func(w *world) { w.unwritable["/tmp"] = syscall.EROFS }},
	"a TMPDIR for reading": {provocation{"session-directory", Error, "/scratch/me, in which an mpiexec of Open MPI keeps", "set TMPDIR",
		func(w *world) Question { return Question{To: w.at("open"), Argv: []string{w.openApp}} }},
		func(w *world) { w.env["TMPDIR"], w.unwritable["/scratch/me"] = "/scratch/me", syscall.EACCES }},
	"ptrace_scope": {provocation{"single-copy", Warning, "ptrace_scope is 1", "kernel.yama.ptrace_scope=0", app()},
		func(w *world) {
			w.peerErr = syscall.EPERM
			w.write("root/proc/sys/kernel/yama/ptrace_scope", "1\n")
		}},
	"seccomp": {provocation{"single-copy", Warning, "a seccomp filter", "SYS_PTRACE", app()},
		func(w *world) {
			w.peerErr = syscall.ENOSYS
			w.write("root/proc/self/status", "Seccomp:\t2\n")
		}},
	"other rights": {provocation{"single-copy", Warning, "process_vm_readv: operation not permitted", "one user", app()},
		func(w *world) { w.peerErr = syscall.EPERM }},
	"locked memory, InfiniBand": {provocation{"locked-memory", Warning, "64 KB, but the fabric of this machine (mlx5_0)", "memlock", app()},
		func(w *world) {
			w.limits[unix.RLIMIT_MEMLOCK] = 64 << 10
			w.write("root/sys/class/infiniband/mlx5_0/x", "")
		}},
	"locked memory, Omni-Path": {provocation{"locked-memory", Warning, "(hfi1_0)", "memlock", app()},
		func(w *world) {
			w.limits[unix.RLIMIT_MEMLOCK] = 64 << 10
			w.write("root/dev/hfi1_0", "")
		}},
	"address space": {provocation{"address-space", Error, "limit on address space is 1000 MB", "ulimit -v unlimited", app()},
		func(w *world) { w.limits[unix.RLIMIT_AS] = 1000 << 20 }},

	// LD_PRELOAD.
	"a preload that is not there": {provocation{"preload-missing", Warning, "LD_PRELOAD names $D/gone.so", "", app()},
		func(w *world) { w.env["LD_PRELOAD"] = w.at("gone.so") }},
	"another wi4go's front": {provocation{"preload-front", Error, "$D/second/lib/wi4go/openmpi/libmpi.so.40, a front of another copy", "", machineAlone},
		func(w *world) {
			w.env["LD_PRELOAD"] = fakempi.Front(w.t, w.at("second"), "openmpi")
		}},
	"a preloaded MPI": {provocation{"preload-mpi", Note, "$D/third/lib/libmpi.so.12, which `wi4go run` and `exec` remove", "remove it from LD_PRELOAD", app()},
		func(w *world) { w.env["LD_PRELOAD"] = fakempi.MPICH(w.t, w.at("third"), "libmpi.so.12", "") }},
	"a preloaded MPI, and nothing to run": {provocation{"preload-mpi", Warning, "libmpi.so.12", "remove it from LD_PRELOAD", machineAlone},
		func(w *world) { w.env["LD_PRELOAD"] = fakempi.MPICH(w.t, w.at("third"), "libmpi.so.12", "") }},
	"a tool for another MPI": {provocation{"preload-tool", Error, "libtool.so, a tool for MPICH programs (it needs libmpi.so.12)", "build it with Open MPI", app()},
		func(w *world) {
			front := w.at("ours/lib/wi4go/mpich/libmpi.so.12")
			w.env["LD_PRELOAD"] = w.library("libtool.so", "int PMPI_Init(void *, void *); int MPI_Init(void *a, void *b) { return PMPI_Init(a, b); }",
				front, "-Wl,-rpath,"+filepath.Dir(front))
		}},
	"AddressSanitizer": {provocation{"sanitizer", Error, "libasan.so.8 ends every process in which it is not the first", "verify_asan_link_order", app("app")},
		func(w *world) {
			asan := w.library("asan/libasan.so.8", "int asan(void) { return 0; }")
			w.env["LD_PRELOAD"] = w.library("libother.so", "int other(void) { return 0; }")
			w.program("app", "int asan(void); void *keep(void) { return asan; }", asan, "-Wl,-rpath,"+w.at("asan"))
		}},
	"Argobots": {provocation{"user-level-threads", Error, "libabt.so.1 (needed by $D/mpich/lib/libmpich.so.12)", "without Argobots", app()},
		func(w *world) {
			abt := w.library("abt/libabt.so.1", "int ABT_init(void) { return 0; }")
			fakempi.MPICH(w.t, w.at("mpich"), "libmpich.so.12", "int ABT_init(void); void *keep(void) { return ABT_init; }", abt, "-Wl,-rpath,"+w.at("abt"))
		}},

	// Variables.
	"a variable that is mistyped": {provocation{"variable-unknown", Warning, "WI4GO_LIBRARY_VERSON is not a variable of wi4go", "WI4GO_LIBRARY_VERSION", app()},
		func(w *world) { w.env["WI4GO_LIBRARY_VERSON"] = "runtime" }},
	"a variable without a value": {provocation{"variable-empty", Warning, "WI4GO_TO is empty", "unset", app()}, func(w *world) { w.env["WI4GO_TO"] = "" }},
	"a variable with a wrong value": {provocation{"variable-value", Warning, `WI4GO_STRICT is "yes"`, "0 or 1", app()},
		func(w *world) { w.env["WI4GO_STRICT"] = "yes" }},
	"variables of another MPI": {provocation{"variables-ignored", Warning, "OMPI_MCA_btl, OMPI_MCA_pml: variables for Open MPI, which MPICH " +
		"does not read", "options of MPICH", app()},
		func(w *world) { w.env["OMPI_MCA_pml"], w.env["OMPI_MCA_btl"] = "ob1", "self" }},
	"variables of another vendor": {provocation{"variables-ignored", Warning, "I_MPI_FABRICS: variables for Intel MPI, which MPICH does not read", "", app()},
		func(w *world) { w.env["I_MPI_FABRICS"], w.env["I_MPI_ROOT"], w.env["MPIR_CVAR_X"] = "shm", "/opt", "1" }},

	// Runtimes and the installation.
	"no MPI": {provocation{"no-runtime", Error, "no MPI library found", "wi4go get", machineAlone},
		func(w *world) { w.search = runtimes.Search{} }},
	"no MPI for an Open MPI program": {provocation{"no-runtime", Error, "no MPI library found", "wi4go get openmpi", func(w *world) Question {
		return Question{Argv: []string{w.openApp}}
	}}, func(w *world) { w.search = runtimes.Search{} }},
	"no MPI for a program of another": {provocation{"no-runtime", Error, "no MPI library found", "wi4go get mpich", func(w *world) Question {
		return Question{From: "mpich", Argv: []string{"/bin/sh"}}
	}}, func(w *world) { w.search = runtimes.Search{} }},
	"a configuration that is wrong": {provocation{"configuration", Error, "config.toml:1: unknown setting", "", machineAlone},
		func(w *world) { w.write("config.toml", "ot = \"mpich\"\n") }},
	"no MPI of that name": {provocation{"no-runtime", Error, "no Intel MPI library found", "wi4go get intelmpi", func(w *world) Question {
		return Question{To: "intelmpi", Argv: []string{w.openApp}}
	}}, func(*world) {}},
	"a directory without an MPI": {provocation{"runtime-unusable", Error, "no MPI library in this directory", "", func(w *world) Question {
		return Question{To: w.dir, Argv: []string{w.openApp}}
	}}, func(*world) {}},
	"a runtime for another machine": {provocation{"runtime-machine", Error, "is for 32-bit x86", "name a library for this machine", app()},
		func(w *world) { fakempi.ForMachine(w.t, w.mpich, w.mpich, 3) }},
	"a runtime that cannot be loaded": {provocation{"runtime-broken", Error, "libmpich.so.12: it broke", "reinstall it", app()},
		func(w *world) { w.problem = "it broke" }},
	"a runtime that cannot be loaded, among others": {provocation{"runtime-broken", Warning, "libmpich.so.12: ", "reinstall it", machineAlone},
		func(w *world) {
			w.search.Self = fakempi.Script(w.t, w.at("ours/bin/wi4go"), "#!/bin/sh\ncase $2 in */mpich/*) echo broken >&2; exit 1 ;; esac\necho '{\"product\": \"x\"}'\n")
		}},
	"a front that is not there": {provocation{"installation-incomplete", Error, "libmpi.so.12 is missing", "make", app()},
		func(w *world) { require.NoError(w.t, os.Remove(w.at("ours/lib/wi4go/mpich/libmpi.so.12"))) }},
	"a core for another machine": {provocation{"installation-machine", Error, "libwi4go.so is for 32-bit x86", "", app()},
		func(w *world) {
			fakempi.ForMachine(w.t, w.at("ours/lib/wi4go/libwi4go.so"), w.at("ours/lib/wi4go/libwi4go.so"), 3)
		}},
	"a core of another version": {provocation{"installation-version", Warning, "libwi4go.so has version 0.0.9, but the command has version 1.2.3", "reinstall wi4go", app()},
		func(w *world) {
			w.library("ours/lib/wi4go/libwi4go.so", `const char v[] __attribute__((section(".wi4go"), used)) = "0.0.9";`)
		}},
	"a damaged core": {provocation{"installation-damaged", Error, "libwi4go.so: not an ELF file", "reinstall wi4go", app()},
		func(w *world) { w.write("ours/lib/wi4go/libwi4go.so", "") }},
	"an installation that no variable can name": {provocation{"installation-place", Error, "contains a colon", "move", machineAlone},
		func(w *world) {
			require.NoError(w.t, os.Rename(w.at("ours"), w.at("o:urs")))
			w.prefix = w.at("o:urs")
		}},
}

func TestProvocations(t *testing.T) {
	for name, c := range provocations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c.do(w)
			r := w.examine(c.question(w))
			require.Len(t, r.Findings, 1, "%+v", r)
			f := r.Findings[0]
			assert.Equal(t, c.id, f.ID)
			assert.Equal(t, c.severity, f.Severity)
			assert.Contains(t, f.Finding, strings.ReplaceAll(c.says, "$D", w.dir))
			assert.Contains(t, f.Cure, c.cure)
			assert.NotContains(t, f.Finding+f.Cure, "\n")
			assert.Equal(t, order[c.severity], r.Status)
		})
	}
}

// A path in DT_NEEDED is resolved to the front, like a DT_RPATH.
func TestPathToAnMPI(t *testing.T) {
	w := newWorld(t)
	path := w.at("real/libmpi.so.40")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	fakempi.Compile(t, "int PMPI_Init(void) { return 0; } int MPI_Init(int *a, char ***b) { return 0; } long ompi_mpi_comm_world;", path, "-shared", "-fPIC")
	fakempi.Compile(t, "int MPI_Init(int *, char ***); int main() { return MPI_Init(0, 0); }", w.at("app"), path)
	assert.Empty(t, w.examine(w.onMPICH("app")).Findings)
}

// After its cure, a finding is gone.
func TestCures(t *testing.T) {
	for name, c := range map[string]struct{ of, variable, value string }{
		"room for thread-local storage":   {"static thread-local storage", "GLIBC_TUNABLES", "glibc.rtld.optional_static_tls=0x2000"},
		"root says that it is meant":      {"root", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
		"AddressSanitizer is told":        {"AddressSanitizer", "ASAN_OPTIONS", "verify_asan_link_order=0"},
		"AddressSanitizer comes first":    {"AddressSanitizer", "LD_PRELOAD", "$D/asan/libasan.so.8"},
		"srun offers the right thing":     {"srun with another process manager", "SLURM_MPI_TYPE", "pmi2"},
		"the capability to lock memory":   {"locked memory, InfiniBand", "", ""},
		"variables inside of a job count": {"variables of another MPI", "OMPI_COMM_WORLD_SIZE", "2"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			p := provocations[c.of]
			p.do(w)
			w.env["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
			if c.variable != "" {
				w.env[c.variable] = strings.ReplaceAll(c.value, "$D", w.dir)
			} else {
				w.write("root/proc/self/status", "CapEff:\t000001ffffffffff\n")
			}
			assert.Empty(t, w.examine(p.question(w)).Findings)
		})
	}
}

func TestSortsAndSkipsTrial(t *testing.T) {
	w := newWorld(t)
	w.shm, w.problem = 1<<20, "it broke"
	q := w.onMPICH()
	q.Trial = true
	r := w.examine(q)
	require.Len(t, r.Findings, 2)
	assert.Equal(t, []string{"runtime-broken", "shm-small"}, []string{r.Findings[0].ID, r.Findings[1].ID})
	assert.Equal(t, 2, r.Status)
	assert.Equal(t, "will not work", r.Verdict)
	assert.Nil(t, w.command)
	assert.Contains(t, r.Facts, Fact{"trial", "not run, because of the errors below", trialDetails{Skipped: "errors", Hosts: []string{}}})
}

func TestTrial(t *testing.T) {
	exit := errors.New("exit status 1")
	for name, c := range map[string]struct {
		outcome  Outcome
		id, says string
	}{
		"alone":         {Outcome{Out: "probe: alone\nprobe: alone\n"}, "trial-alone", "each runs as rank 0 of 1"},
		"wrong":         {Outcome{Out: "probe: another message came than was sent\n"}, "trial-wrong", "received another message than was sent"},
		"hangs":         {Outcome{Failed: exit, TimedOut: true, Err: "no network\n"}, "trial-hangs", "within 30s; its output: no network"},
		"one is silent": {Outcome{Out: "probe: ok\n"}, "trial-fails", "not both of the two ranks finished"},
		"ours speaks":   {Outcome{Failed: exit, Err: "error: x\nwi4go: y\n"}, "trial-fails", "(exit status 1); its output: wi4go: y"},
		"a signal": {Outcome{Failed: exit, Err: "[vm:7] *** Process received signal ***\n[vm:7] Signal: Segmentation fault (11)\n[vm:7] *** End of error message ***\n" +
			"mpirun noticed that process rank 0 with PID 0 on node vm exited on signal 11\n"}, "trial-fails", "its output: [vm:7] Signal: Segmentation fault (11)"},
		"the dynamic linker": {Outcome{Failed: exit, Err: "Abort(1): Fatal error\n./a: symbol lookup error: ./a: undefined symbol: x\n"},
			"trial-fails", "its output: ./a: symbol lookup error: ./a: undefined symbol: x"},
		"only a frame": {Outcome{Failed: exit, Err: "=====\nBAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n"}, "trial-fails",
			"its output: BAD TERMINATION OF ONE"},
		"theirs speaks": {Outcome{Failed: exit, Err: "-----\nWelcome\nAn error occurred\n====\n"}, "trial-fails", "its output: An error occurred"},
		"a stack": {Outcome{Failed: exit, Err: "Abort(7) on node 1 (rank 1 in comm 0): Fatal error in internal_Init: Other MPI error, error stack:\n" +
			"MPI_Init(argc=0x1, argv=0x2) failed\nmm_posix.c:219 UCX ERROR shm_open(file_name=/x) failed: Read-only file system\n"}, "trial-fails",
			"its output: mm_posix.c:219 UCX ERROR shm_open"},
		"only a stack": {Outcome{Failed: exit, Err: "Abort(7) on node 1 (rank 1 in comm 0): Fatal error in internal_Init: Other MPI error, error stack:\n" +
			"init_worker(71): ucx function returned with failed status\n"}, "trial-fails", "its output: init_worker(71): ucx function"},
		"long": {Outcome{Failed: exit, Err: strings.Repeat("ä", 300)}, "trial-fails", strings.Repeat("ä", 120) + " …"},
	} {
		t.Run(name, func(t *testing.T) {
			f := judge(c.outcome, "mpiexec -n 2 x")
			require.NotNil(t, f)
			assert.Equal(t, c.id, f.ID)
			assert.Equal(t, Error, f.Severity)
			assert.Contains(t, f.Finding, c.says)
			assert.NotEmpty(t, f.Cure)
		})
	}
	assert.Nil(t, judge(Outcome{Out: "probe: ok\nprobe: ok\n", Err: "a warning\n"}, ""))

	w := newWorld(t)
	w.outcome = Outcome{Out: "probe: ok\nprobe: ok\n", Err: "a warning\nwi4go: safety net: every call (x.so: mprotect)\nmore\n"}
	r := w.examine(Question{To: w.at("open"), Trial: true})
	require.Len(t, r.Findings, 1)
	assert.Equal(t, "safety-net", r.Findings[0].ID)
	assert.Equal(t, "every call (x.so: mprotect)", r.Findings[0].Finding)
	assert.Contains(t, strings.Join(w.command, " "), "WI4GO_SAFETY_NET=say")

	w = newWorld(t)
	w.outcome = Outcome{Failed: exit, Err: "boom\n"}
	r = w.examine(Question{To: w.at("open"), Trial: true})
	require.Len(t, r.Findings, 1)
	assert.Equal(t, "trial-fails", r.Findings[0].ID)
	assert.Equal(t, w.at("ours/lib/wi4go/probe/mpich"), w.command[len(w.command)-1])
	w.outcome, w.uid = Outcome{Out: "probe: ok\nprobe: ok\n"}, 0
	r = w.examine(Question{To: w.at("open"), Trial: true})
	require.Len(t, r.Findings, 1)
	assert.Equal(t, "root-openmpi", r.Findings[0].ID, "it does not prevent the trial")
	w.uid = 1000
	w.env["PMI_RANK"] = "0"
	assert.Empty(t, w.examine(Question{To: w.at("open"), Trial: true}).Findings, "inside of a job")
	delete(w.env, "PMI_RANK")
	require.NoError(t, os.Remove(w.at("ours/lib/wi4go/probe/mpich")))
	r = w.examine(Question{To: w.at("open"), Trial: true})
	require.Len(t, r.Findings, 1)
	assert.Equal(t, "installation-incomplete", r.Findings[0].ID)
}

// hostFindings are the findings that other hosts may cause.
var hostFindings = []string{"host-unreached", "host-unreachable", "host-installation", "host-library", "host-program"}

// The launcher's remote shell asks the hosts for everything that the run needs. A missing part is a
// finding, and there is no trial after it. The first host has a trial with each other host.
func TestHosts(t *testing.T) {
	w := newWorld(t)
	q := w.onMPICH()
	q.Hosts, q.Trial = []string{"localhost", "far", "further"}, true
	w.env["HYDRA_LAUNCHER_EXEC"] = "rsh -x"
	r := w.examine(q)
	assert.Empty(t, r.Findings)
	assert.Equal(t, []string{"rsh", "-x"}, w.agent)
	assert.Equal(t, []string{"far", "further"}, w.asked)
	assert.Equal(t, hosts.Question{Command: w.at("ours/bin/wi4go"), Version: fakempi.Version, Needed: true, Library: w.mpich,
		Identity: w.question.Identity, Programs: []string{w.openApp}}, w.question)
	assert.Equal(t, []string{"-hosts", "localhost,further"}, w.command[slices.Index(w.command, "-hosts"):][:2])
	trials := 0
	for _, f := range r.Facts {
		if f.Subject == "trial" {
			trials++
			assert.Contains(t, f.Fact, "passed messages between localhost and f")
		}
	}
	assert.Equal(t, 2, trials)

	for _, id := range hostFindings {
		w.answers, w.command = []error{nil, fault.New(id, "the cure", "host further is wrong")}, nil
		r = w.examine(q)
		assert.Equal(t, []Finding{{id, Error, "host further is wrong", "the cure"}}, r.Findings)
		assert.Empty(t, w.command)
	}
	w.env["SLURM_JOB_ID"], w.asked = "7", nil
	delete(w.env, "HYDRA_LAUNCHER_EXEC")
	assert.Contains(t, w.examine(q).Facts, Fact{"hosts", "not checked: the batch system starts the ranks there", hostsDetails{"batch-system"}})
	assert.Empty(t, w.asked)
}

// Each finding that the sources name is provoked by a test.
func TestEachFindingIsProvoked(t *testing.T) {
	provoked := map[string]bool{"trial-alone": true, "trial-wrong": true, "trial-hangs": true, "trial-fails": true, "safety-net": true} // TestTrial
	for _, c := range provocations {
		provoked[c.id] = true
	}
	for _, id := range hostFindings {
		provoked[id] = true
	}
	delete(provoked, "refused") // errors of package launch without a name
	names := regexp.MustCompile(`(?:addFinding\(|addError\(err, |Finding\{|fault\.New\(|ID: |id, cure (?::)?= )"([a-z-]+)"`)
	named := map[string]bool{}
	for _, pattern := range []string{"*.go", "../program/*.go", "../launch/*.go", "../install/*.go", "../runtimes/*.go", "../hosts/*.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, m := range names.FindAllStringSubmatch(string(text), -1) {
				named[m[1]] = true
			}
		}
	}
	delete(named, "refused")
	assert.ElementsMatch(t, slices.Sorted(maps.Keys(named)), slices.Sorted(maps.Keys(provoked)))

	// The manual describes it.
	manual, err := os.ReadFile("../../docs/checking.md")
	require.NoError(t, err)
	for name := range provoked {
		assert.Contains(t, string(manual), "`"+name+"`")
	}
}

// doctor knows every variable that the sources of wi4go read.
func TestOwnVariables(t *testing.T) {
	reads := regexp.MustCompile(`(?:getenv|Getenv|LookupEnv)\("(WI4GO_[A-Z_]+)"\)|= "(WI4GO_[A-Z_]+)"`)
	read := map[string]bool{"WI4GO_FROM": true} // for people who inspect a process, and for nested runs
	for _, dir := range []string{"../../shim", "../../mappers", "../../cmd/wi4go", ".."} {
		err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
			if err != nil || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "fakempi") ||
				!slices.Contains([]string{".go", ".c", ".h"}, filepath.Ext(path)) {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range reads.FindAllStringSubmatch(string(text), -1) {
				read[m[1]+m[2]] = true
			}
			return err
		})
		require.NoError(t, err)
	}
	assert.ElementsMatch(t, slices.Sorted(maps.Keys(read)), slices.Sorted(maps.Keys(ownVariables)))
}

func TestNewest(t *testing.T) {
	assert.Equal(t, "GLIBC_2.36", highest([]string{"GLIBC_2.4", "GLIBC_2.36", "GLIBC_2.9", "GLIBC_PRIVATE"}, "GLIBC_"))
	assert.Equal(t, "GLIBC_PRIVATE", highest([]string{"GLIBC_PRIVATE"}, "GLIBC_"))
	assert.Equal(t, "", highest([]string{"X_1"}, "GLIBC_"))
	assert.True(t, newer("3.4.30", "3.4.9"))
	assert.True(t, newer("2.2.5", "2.2"))
	assert.False(t, newer("2.2", "2.2"))
}

func TestNearest(t *testing.T) {
	assert.Equal(t, "WI4GO_TO", nearest("WI4GO_TOO"))
	assert.Equal(t, "WI4GO_FROM", nearest("WI4GO_FORM"))
	assert.Equal(t, 3, distance("kitten", "sitting"))
	assert.Equal(t, 2, distance("", "ab"))
}

func TestRun(t *testing.T) {
	o := Run([]string{"sh", "-c", "echo $A; echo b >&2; exit 3"}, []string{"A=a"}, time.Minute)
	assert.Equal(t, "a\n", o.Out)
	assert.Equal(t, "b\n", o.Err)
	assert.EqualError(t, o.Failed, "exit status 3")
	assert.False(t, o.TimedOut)
	// Processes that a command has started end with it, even if they ignore signals.
	// Under load, the script may not have started the other process within the limit.
	var pid []byte
	for limit := 300 * time.Millisecond; len(pid) == 0 && limit < time.Minute; limit *= 2 {
		file := filepath.Join(t.TempDir(), "pid")
		o = Run([]string{"sh", "-c", "trap '' TERM; sleep 1000 & echo $! > " + file + "; wait; wait"}, os.Environ(), limit)
		assert.True(t, o.TimedOut)
		pid, _ = os.ReadFile(file) // if it is missing, the loop continues
	}
	require.NotEmpty(t, pid)
	assert.Eventually(t, func() bool {
		state, err := os.ReadFile(fmt.Sprintf("/proc/%s/stat", strings.TrimSpace(string(pid))))
		return err != nil || strings.Contains(string(state), ") Z ")
	}, time.Minute, 20*time.Millisecond)
	assert.Error(t, Run([]string{"/gone"}, nil, time.Minute).Failed)
}

func TestLimitAndSpace(t *testing.T) {
	var before unix.Rlimit
	require.NoError(t, unix.Getrlimit(unix.RLIMIT_CORE, &before))
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{Cur: 0, Max: before.Max}))
	defer unix.Setrlimit(unix.RLIMIT_CORE, &before)
	limit, err := Limit(unix.RLIMIT_CORE)
	require.NoError(t, err)
	assert.Zero(t, limit)
	all, free, err := Space(t.TempDir())
	require.NoError(t, err)
	assert.Greater(t, all, uint64(0))
	assert.LessOrEqual(t, free, all)
	_, _, err = Space("/gone")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestReadPeer(t *testing.T) {
	for code, want := range map[int]error{0: nil, 1: syscall.EPERM, 38: syscall.ENOSYS} {
		self := fakempi.Script(t, filepath.Join(t.TempDir(), "wi4go"), fmt.Sprintf("#!/bin/sh\n[ $1 = %s ] || exit 9\nexit %d\n", PeerCommand, code))
		assert.Equal(t, want, ReadPeer(self))
	}
	assert.Error(t, ReadPeer("/gone"))
	assert.Equal(t, int(syscall.ESRCH), AnswerPeer(1<<22+1, 0))
	assert.Equal(t, int(syscall.EFAULT), AnswerPeer(os.Getpid(), 8))
}

// anotherUsers makes a program set-user-ID to another user.
func anotherUsers(t testing.TB, program string) {
	t.Helper()
	other := 65534
	if err := os.Chown(program, other, -1); err != nil {
		t.Skipf("only root can give a file to another user: %v", err)
	}
	require.NoError(t, os.Chmod(program, 0o755|os.ModeSetuid))
}
