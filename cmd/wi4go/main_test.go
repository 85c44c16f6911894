package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
)

// A world is an installation of wi4go with fake fronts, a fake Open MPI and a fake MPICH, and a program for each.
type world struct {
	t                        *testing.T
	dir, wi4go               string
	open, mpich              string
	openApp, mpichApp, plain string
	front, standIn           string // for Open MPI's programs
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir()}
	w.open = fakempi.OpenMPI(t, w.at("open"))
	w.mpich = fakempi.MPICH(t, w.at("mpich"), "libmpich.so.12", "")
	w.front = fakempi.Front(t, w.at("ours"), "openmpi")
	w.standIn = filepath.Join(filepath.Dir(w.front), "preload/libmpi.so.40")
	fakempi.Front(t, w.at("ours"), "mpich")
	w.openApp = fakempi.Program(t, w.at("open_app"), w.open)
	w.mpichApp = fakempi.Program(t, w.at("mpich_app"), w.mpich)
	w.plain = fakempi.Compile(t, "int main() { return 0; }", w.at("plain"))
	w.wi4go = w.at("ours/bin/wi4go")
	require.NoError(t, os.MkdirAll(filepath.Dir(w.wi4go), 0o755))
	require.NoError(t, os.WriteFile(w.wi4go, built, 0o755))
	return w
}

// built is the command, compiled once for all tests.
var built []byte

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "wi4go-built-")
	if err == nil {
		file := filepath.Join(dir, "wi4go")
		var out []byte
		if out, err = exec.Command("go", "build", "-ldflags", "-X main.version="+fakempi.Version, "-o", file, ".").CombinedOutput(); err == nil {
			built, err = os.ReadFile(file)
		} else {
			err = fmt.Errorf("%w: %s", err, out)
		}
	}
	os.RemoveAll(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func (w *world) at(name string) string { return filepath.Join(w.dir, name) }

type result struct {
	out, err string
	code     int
	signal   syscall.Signal
}

// run executes wi4go in the world's directory. Its environment has only PATH and env.
func (w *world) run(env []string, args ...string) result {
	w.t.Helper()
	c := exec.Command(w.wi4go, args...)
	c.Dir = w.dir
	c.Env = append([]string{"HOME=" + w.dir, "PATH=" + w.at("open/bin") + ":" + w.at("mpich/bin") + ":/usr/bin:/bin"}, env...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(w.t, err)
	}
	status := c.ProcessState.Sys().(syscall.WaitStatus)
	r := result{out: out.String(), err: errs.String()}
	if status.Signaled() {
		r.signal = status.Signal()
	} else {
		r.code = status.ExitStatus()
	}
	return r
}

func TestRunAndExec(t *testing.T) {
	w := newWorld(t)
	toMPICH := "served by front openmpi for " + w.mpich + "\n"
	toOpen := "served by front mpich for " + w.open + "\n"
	launched := "launcher preload <>\n"

	for _, c := range []struct {
		args string
		want result
	}{
		{"run --to mpich -n 2 ./open_app", result{out: launched + toMPICH}},
		{"run --to openmpi -n 2 --mca a b --bind-to core ./mpich_app", result{out: launched + toOpen}},
		{"run --to " + w.mpich + " ./open_app", result{out: launched + toMPICH}},
		{"run --to " + w.at("mpich") + " ./open_app 7", result{out: launched + toMPICH, code: 7}},
		{"run --to " + w.at("mpich/bin/mpiexec") + " ./open_app 0 9", result{out: launched + toMPICH, signal: syscall.SIGKILL}},
		{"run --to openmpi ./open_app 3", result{out: launched + "served by Open MPI\n", code: 3}},
		{"run ./open_app", result{out: launched + "served by Open MPI\n"}},
		{"run --to mpich -genv LD_PRELOAD libm.so.6 ./open_app", result{out: launched + toMPICH}},
		{"exec --to mpich ./open_app 5", result{out: toMPICH, code: 5}},
		{"exec --to openmpi -- ./mpich_app 0 15", result{out: toOpen, signal: syscall.SIGTERM}},
		{"exec --from openmpi --to mpich env ./open_app", result{out: toMPICH}},
	} {
		t.Run(c.args, func(t *testing.T) {
			assert.Equal(t, c.want, w.run(nil, strings.Fields(c.args)...))
		})
	}

	t.Run("a moved tree", func(t *testing.T) {
		require.NoError(t, os.Rename(w.at("ours"), w.at("moved")))
		w.wi4go = w.at("moved/bin/wi4go")
		assert.Equal(t, result{out: launched + toMPICH}, w.run(nil, "run", "--to", "mpich", "./open_app"))
		require.NoError(t, os.Symlink(w.wi4go, w.at("link")))
		w.wi4go = w.at("link")
		assert.Equal(t, result{out: toMPICH}, w.run(nil, "exec", "--to", "mpich", "./open_app"))
	})
}

func TestShown(t *testing.T) {
	w := newWorld(t)

	r := w.run(nil, "run", "--dry-run", "--to", "mpich", "-n", "2", "./open_app", "a b", "it's")
	assert.Zero(t, r.code)
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	assert.Equal(t, "# each rank: LD_PRELOAD="+w.standIn, lines[1])
	assert.Equal(t, w.at("mpich/bin/mpiexec")+" -genv LD_PRELOAD "+w.standIn+" -genv WI4GO_TO "+w.mpich+
		" -genv WI4GO_FROM openmpi -n 2 ./open_app 'a b' 'it'\\''s'", lines[len(lines)-1])

	r = w.run(nil, "exec", "--dry-run", "--to", "mpich", "./open_app")
	assert.Contains(t, r.out, "env LD_PRELOAD="+w.standIn+" WI4GO_TO="+w.mpich+" WI4GO_FROM=openmpi ./open_app\n")

	r = w.run([]string{"LD_PRELOAD="}, "env", "--to", "mpich", "./open_app")
	assert.Equal(t, "export LD_PRELOAD="+w.standIn+"\nexport WI4GO_TO="+w.mpich+"\nexport WI4GO_FROM=openmpi\n", r.out)

	r = w.run(nil, "run", "--verbose", "--to", "mpich", "./open_app")
	assert.Contains(t, r.err, "wi4go: ./open_app, built for Open MPI (libmpi.so.40), translated onto "+w.mpich+" (MPICH)\n")
	assert.NotContains(t, r.out, "wi4go: ")

	r = w.run(nil, "list", "--json")
	assert.Zero(t, r.code, r.err)
	var list []listed
	require.NoError(t, json.Unmarshal([]byte(r.out), &list))
	require.GreaterOrEqual(t, len(list), 2)
	assert.Equal(t, listed{Name: list[0].Name, Vendor: "openmpi", Product: "Open MPI 4.1.4", Version: "4.1.4", Family: "openmpi",
		Standard: "3.1", Threads: "serialized", ProcessManagers: []string{}, Fabrics: []string{}, Library: w.open,
		Soname: "libmpi.so.40", Launcher: w.at("open/bin/mpiexec"), Prefix: w.at("open"), Found: "PATH",
		Text: "Open MPI v4.1.4, package: fake", Usable: true}, list[0])
	assert.Equal(t, "MPICH 4.0.2", list[1].Product)
	r = w.run(nil, "list")
	assert.Contains(t, r.out, w.mpich)

	r = w.run(nil, "inspect", "./open_app", "--to", "mpich", "--json")
	assert.Zero(t, r.code, r.err)
	var seen inspected
	require.NoError(t, json.Unmarshal([]byte(r.out), &seen))
	assert.Equal(t, "openmpi", seen.Family)
	assert.Equal(t, []string{"libmpi.so.40"}, seen.Sonames)
	assert.Equal(t, []string{w.at("open/lib")}, seen.RunPath)
	assert.Equal(t, []string{"MPI_Finalize", "MPI_Init"}, seen.Functions)
	assert.Equal(t, []foundAt{{"libmpi.so.40", w.open, "DT_RUNPATH", "./open_app"}}, seen.Libraries)
	assert.Equal(t, w.mpich, seen.Runtime.Library)
	assert.Empty(t, seen.Runtime.Lacks)
	assert.Empty(t, seen.Runtime.Problem)
	r = w.run(nil, "inspect", "--to", "mpich", "./open_app")
	assert.Contains(t, r.out, "built for        openmpi\n")
	assert.Contains(t, r.out, "will run         translated\n")

	fakempi.Front(t, w.at("ours"), "mpiabi", "int MPI_Comm_set_errhandler(void) { return 0; }")
	fakempi.IntelABI(t, w.at("intel"), "2021.18.1")
	r = w.run(nil, "inspect", "--to", "mpich", "./intel/app")
	assert.Contains(t, r.out, "draft ABI        linked by the wrapper of Intel MPI")
	assert.Contains(t, r.out, ": they are translated\n  MPI_Comm_set_errhandler\n")
	r = w.run(nil, "exec", "--dry-run", "--to", "mpich", "--from", "mpiabi", "./intel/app")
	assert.NotContains(t, r.out, "DRAFT")
	r = w.run(nil, "exec", "--dry-run", "--to", "mpich", "./intel/app")
	assert.Contains(t, r.out, "its constants of Intel's draft ABI translated")
	assert.Contains(t, r.out, " WI4GO_FROM_DRAFT=1 ")

	for _, help := range [][]string{{"help"}, {"help", "run"}, {"run", "--help"}, {"exec", "-h"}, {"env", "--help"}, {"list", "--help"}} {
		r = w.run(nil, help...)
		assert.Zero(t, r.code, help)
		assert.Contains(t, r.out, "Usage:", help)
	}
	for _, ask := range []string{"version", "--version"} {
		assert.Equal(t, "wi4go "+fakempi.Version+"\n", w.run(nil, ask).out)
	}
}

// If the library does not understand the launcher of its ranks, `wi4go exec` reports that for a program that runs
// natively, and leaves it to the front otherwise. The configuration has the same effect as --to, and a mistake in it is
// reported with its line.
func TestConfigured(t *testing.T) {
	w := newWorld(t)
	env := []string{"XDG_CONFIG_HOME=" + w.at("config")}
	file := w.at("config/wi4go/config.toml")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte("to = \"mpich\"\n"), 0o644))
	r := w.run(env, "exec", "--dry-run", "./open_app")
	assert.Contains(t, r.out, "WI4GO_TO="+w.mpich)
	require.NoError(t, os.WriteFile(file, []byte("# mine\nto = mpich\n"), 0o644))
	r = w.run(env, "exec", "--dry-run", "./open_app")
	assert.Equal(t, 1, r.code)
	assert.Contains(t, r.err, "wi4go: "+file+":2: ")
}

func TestWrongLauncher(t *testing.T) {
	w := newWorld(t)
	const first, second = "OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2", "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2"
	text := "an mpiexec of Open MPI started 2 processes, but " + w.mpich + " (MPICH) does not support this launcher, " +
		"so each process runs as rank 0 of 1 or stops in MPI_Init: start them with: wi4go run --to " + w.mpich + " -n 2 ./mpich_app\n"
	for _, c := range []struct {
		env, app string
		want     result
	}{
		{first, "./mpich_app", result{out: "served by MPICH\n", err: "wi4go: warning: " + text}},
		{second, "./mpich_app", result{out: "served by MPICH\n"}},
		{first + " WI4GO_STRICT=1", "./mpich_app", result{err: "wi4go: " + text, code: 1}},
		{second + " WI4GO_STRICT=1", "./mpich_app", result{code: 1}},
		{first + " WI4GO_STRICT=0", "./mpich_app", result{out: "served by MPICH\n"}},
		{strings.ReplaceAll(first, "=2", "=1"), "./mpich_app", result{out: "served by MPICH\n"}},
		{first, "./open_app", result{out: "served by front openmpi for " + w.mpich + "\n"}},
		{"PMI_RANK=0 PMI_SIZE=2", "./mpich_app", result{out: "served by MPICH\n"}},
	} {
		assert.Equal(t, c.want, w.run(strings.Fields(c.env), "exec", "--to", "mpich", c.app), c.env)
	}
}

// emptyCxx matches directories of empty C++ libraries in LD_LIBRARY_PATH.
var emptyCxx = regexp.MustCompile(`(:[^:]*/cxx/[^:]*)+:`)

// A command that names no MPI is started with every family's front in the library search path and without preloads. The
// same holds for the programs that it starts.
func TestUndecided(t *testing.T) {
	w := newWorld(t)
	ours := w.at("ours/lib/wi4go")
	fakempi.Compile(t, "int main() { return 0; }", w.at("static"), "-static")
	fakempi.Script(t, w.at("a script"), "#!/bin/sh\necho $LD_LIBRARY_PATH, $LD_PRELOAD, $WI4GO_TO, $MPI4PY_MPIABI\nexec $APP\n")
	for _, command := range [][]string{{"./plain"}, {"./static", "x"}, {"sh", "-c", "exit 0"}, {"env", "A=B", "true"}, {"python3", "-c", "import os"}} {
		for _, how := range []string{"run", "exec"} {
			r := w.run(nil, append([]string{how, "--to", "mpich"}, command...)...)
			assert.Zero(t, r.code, "%s %s: %s", how, command, r.err)
			assert.Empty(t, r.err)
		}
	}
	for app, served := range map[string]string{"./open_app": "front openmpi for " + w.mpich, "./mpich_app": "front mpich for " + w.mpich} {
		r := w.run([]string{"APP=" + app, "LD_LIBRARY_PATH=/host"}, "run", "--to", "mpich", "./a script")
		r.out = emptyCxx.ReplaceAllString(r.out, ":") // of the C++ libraries that this machine lacks
		assert.Equal(t, result{out: "launcher preload <>\n" + ours + "/mpich/path:" + ours + "/openmpi/path:" + ours + "/mpiabi/path:/host, , " + w.mpich + ", mpich\n" +
			"served by " + served + "\n"}, r)
	}
	r := w.run(nil, "run", "--dry-run", "--to", "mpich", "-n", "2", "./plain")
	assert.Contains(t, r.out, "# ./plain, whose files name no MPI; wi4go replaces each MPI library that it opens, on "+w.mpich)
	assert.Contains(t, r.out, "-n 2 "+w.wi4go+" exec --to "+w.mpich+" -- ./plain\n")
}

// numactl is not an MPI program, and starts one.
func TestNumactl(t *testing.T) {
	if err := exec.Command("numactl", "--localalloc", "true").Run(); err != nil {
		t.Skipf("numactl: %s; install the package numactl, and let it set a memory policy", err)
	}
	w := newWorld(t)
	for app, served := range map[string]string{"./open_app": "front openmpi for " + w.mpich, "./mpich_app": "served by MPICH"} {
		for _, options := range [][]string{{"--localalloc"}, {"-l", "--all"}, {"--localalloc", "--"}} {
			r := w.run(nil, append(append([]string{"run", "--to", "mpich", "numactl"}, options...), app)...)
			assert.Zero(t, r.code, r.err)
			assert.Contains(t, r.out, served, "%s %s", options, app)
		}
	}
}

// A preloaded profiling tool comes before the front.
func TestPreloadedTool(t *testing.T) {
	w := newWorld(t)
	tool := fakempi.Shared(t, `#include <stdio.h>
int PMPI_Init(int *, char ***);
int MPI_Init(int *c, char ***v) { puts("tool"); return PMPI_Init(c, v); }`, w.at("libtool.so"), "libtool.so")
	r := w.run([]string{"LD_PRELOAD=" + tool}, "exec", "--to", "mpich", "./open_app")
	assert.Equal(t, "tool\nserved by front openmpi for "+w.mpich+"\n", r.out, r.err)
}

// An unusable library is listed with the reason.
func TestListBroken(t *testing.T) {
	w := newWorld(t)
	gone := fakempi.Shared(t, "int there(void) { return 1; }", w.at("libgone.so"), "libgone.so.3")
	broken := fakempi.MPICH(t, w.at("broken"), "libmpi.so.12", "int there(void); int use(void) { return there(); }", gone)
	crash := fakempi.MPICH(t, w.at("crash"), "libmpi.so.12", "__attribute__((constructor)) void crash(void) { raise(11); }",
		"-include", "signal.h")
	fakempi.Script(t, w.at("bare/bin/mpiexec"), "#!/bin/sh\n# HYDRA\n")
	path := []string{"PATH=" + strings.Join([]string{w.at("broken/bin"), w.at("crash/bin"), w.at("bare/bin")}, ":")}

	r := w.run(path, "list", "--json")
	assert.Zero(t, r.code, r.err)
	var list []listed
	require.NoError(t, json.Unmarshal([]byte(r.out), &list))
	problems := map[string]string{}
	for _, e := range list {
		if e.Problem != "" {
			assert.False(t, e.Usable)
			problems[e.Library] = e.Problem
		}
	}
	assert.Contains(t, problems[broken], "libgone.so.3: cannot open shared object file")
	assert.Contains(t, problems[crash], "it failed when it was loaded: SIGSEGV")
	assert.Equal(t, "the lib directory next to this launcher has no MPI library", problems[""])
	r = w.run(path, "list")
	assert.Contains(t, r.out, broken+": not usable: ")
	assert.Contains(t, r.out, w.at("bare/bin/mpiexec")+": not usable: the lib directory next to this launcher has no")
}

// Each bad input gives one line on stderr, nothing on stdout, and its own exit code.
func TestBadInput(t *testing.T) {
	w := newWorld(t)
	fakempi.ForMachine(t, w.openApp, w.at("foreign_app"), 3)
	fakempi.ForMachine(t, w.mpich, w.at("foreign.so"), 3)
	noMPI := fakempi.Shared(t, "int x(void) { return 0; }", w.at("libx.so"), "libx.so")
	fakempi.Shared(t, "int mpi_init_(void) { return 0; }", w.at("open/lib/libmpi_mpifh.so.40"), "libmpi_mpifh.so.40")
	fakempi.Compile(t, "int mpi_init_(void); int main() { return mpi_init_(); }", w.at("fortran_app"),
		w.at("open/lib/libmpi_mpifh.so.40"))
	require.NoError(t, os.WriteFile(w.at("text"), []byte("hello\n"), 0o644))
	newer := fakempi.MPICH(t, w.at("newer"), "libmpich.so.12", "int MPI_Unheard_of(void) { return 0; }")
	fakempi.Compile(t, "int MPI_Unheard_of(void); int main() { return MPI_Unheard_of(); }", w.at("newer_app"), newer,
		"-Wl,-rpath,"+w.at("newer/lib"))

	require.NoError(t, syscall.Mkfifo(w.at("pipe"), 0o755))
	fakempi.Script(t, w.at("a"), "#!"+w.at("b")+"\n")
	fakempi.Script(t, w.at("b"), "#!"+w.at("a")+"\n")
	fakempi.Script(t, w.at("piped"), "#!"+w.at("pipe")+"\n")
	fakempi.Script(t, w.at("many"), "#!/bin/sh\n"+strings.Repeat("./a ./many\n", 50000))
	require.NoError(t, os.WriteFile(w.at("circle.so"), []byte("/* GNU ld script */\nGROUP ( circle.so )\n"), 0o644))
	require.NoError(t, os.WriteFile(w.at("lost.so"), []byte("INPUT(libgone.so)\n"), 0o644))
	cut, err := os.ReadFile(w.openApp)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(w.at("cut"), cut[:len(cut)-100], 0o755))

	for args, want := range map[string]struct {
		code int
		says string
	}{
		"inspect ./pipe":                      {1, "./pipe is neither an ELF file nor an executable script"},
		"run --to mpich ./pipe":               {2, "./pipe is not a regular file"},
		"exec --to mpich /dev/null":           {126, "/dev/null is not a regular file"},
		"run --to mpich ./a":                  {1, "too many of its interpreters are scripts"},
		"inspect ./a":                         {1, "too many of its interpreters are scripts"},
		"run --to mpich ./piped":              {1, "is not a regular file"},
		"run --to mpich ./many":               {1, "too many of its interpreters are scripts"},
		"run --to mpich ./cut":                {1, "./cut: damaged ELF file"},
		"inspect ./cut":                       {1, "./cut: damaged ELF file"},
		"run --to ./pipe ./open_app":          {1, "neither a library nor an mpiexec"},
		"run --to ./cut ./open_app":           {1, "damaged ELF file"},
		"run --to ./circle.so ./open_app":     {1, "is a linker script that refers to itself"},
		"run --to ./lost.so ./open_app":       {1, "libgone.so: no such file"},
		"run --to /dev/zero ./open_app":       {1, "neither a library nor an mpiexec"},
		"":                                    {2, "no command given"},
		"frobnicate":                          {2, `unknown command "frobnicate"`},
		"lsit":                                {2, `unknown command "lsit": did you mean list?`},
		"--frobnicate":                        {2, "unknown option --frobnicate: see `wi4go --help`"},
		"list -x":                             {2, "unknown option -x: see `wi4go list --help`"},
		"verify --ranks":                      {2, "--ranks needs a value: see `wi4go verify --help`"},
		"verify -n many":                      {2, "--ranks many: give a whole number: see `wi4go verify --help`"},
		"verify --list --limit -5s":           {2, "verify: --limit -5s: give 1s or more"},
		"verify --list --budget -5s":          {2, "verify: --budget -5s: give a time, or 0 for no limit"},
		"verify --limit 5":                    {2, "--limit 5: give a time such as 90s or 2m: see `wi4go verify --help`"},
		"run":                                 {2, "no program given"},
		"run -n 2 ./missing":                  {2, "wi4go: ./missing: no such file or directory\n"},
		"verify --quik":                       {2, "unknown option --quik: did you mean --quick? see `wi4go verify --help`"},
		"get --lst":                           {2, "unknown option --lst: did you mean --list? see `wi4go get --help`"},
		"run --from opnmpi ./open_app":        {2, `--from: unknown MPI family "opnmpi": did you mean openmpi? the families are`},
		"verify --from mpihc":                 {2, `--from: unknown MPI family "mpihc": did you mean mpich? the families are`},
		"completion bsh":                      {2, "did you mean bash? the shells are"},
		"completion tcsh":                     {2, "wi4go: no completion for the shell tcsh: the shells are bash, zsh and fish\n"},
		"get --json mpich":                    {2, "--json needs --list"},
		"run -n 2 ./text":                     {2, "./text: not executable"},
		"run --to":                            {2, "--to needs a value"},
		"run --to mpich ./foreign_app":        {1, "./foreign_app is for 32-bit x86, this machine is"},
		"run --to mpich ./fortran_app":        {1, "./fortran_app calls Fortran MPI (mpi_init_ …)"},
		"run --to mpich ./newer_app":          {1, "imports MPI_Unheard_of, which wi4go's front for MPICH programs does not have"},
		"run --from lam ./open_app":           {2, `--from: unknown MPI family "lam"`},
		"run --from mpich ./open_app":         {1, "was built for Open MPI"},
		"run --from MPICH ./open_app":         {1, "--from mpich is wrong: "},
		"run --to Cray ./open_app":            {1, "no Cray MPICH library found"},
		"exec --to mvapich2 ./open_app":       {1, "no MVAPICH library found"},
		"run --to lam ./open_app":             {1, `unknown MPI "lam"`},
		"run --to ./missing ./open_app":       {1, "./missing: no such file or directory"},
		"run --to " + noMPI + " ./open_app":   {1, "is not an MPI library"},
		"run --to ./text ./open_app":          {1, "neither a library nor an mpiexec"},
		"run --to ./foreign.so ./open_app":    {1, "is for 32-bit x86, this machine is"},
		"run --to " + w.front + " ./open_app": {1, "is a front of wi4go and not an MPI library"},
		"exec":                                {2, "exec needs a program"},
		"exec --":                             {2, "exec needs a program"},
		"exec -n 4 ./open_app":                {2, "unknown option -n"},
		"exec ./missing":                      {127, "./missing: no such file or directory"},
		"exec ./text":                         {126, "./text: not executable"},
		"env":                                 {2, "env needs a program"},
		"list everything":                     {2, "takes no arguments"},
		"inspect":                             {2, "inspect needs one file"},
		"inspect ./missing":                   {1, "./missing: no such file or directory"},
		"inspect ./plain":                     {1, "not an MPI program"},
		"inspect ./text":                      {1, "./text is neither an ELF file nor an executable script"},
		"inspect ./open_app --to lam":         {1, `unknown MPI "lam"`},
		"version now":                         {2, "takes no arguments"},
	} {
		t.Run(args, func(t *testing.T) {
			r := w.run(nil, strings.Fields(args)...)
			assert.Equal(t, want.code, r.code)
			assert.Empty(t, r.out)
			assert.Contains(t, r.err, want.says)
			assert.True(t, strings.HasPrefix(r.err, "wi4go: "), r.err)
			assert.Equal(t, 1, strings.Count(r.err, "\n"), r.err)
		})
	}

	t.Run("an incomplete installation", func(t *testing.T) {
		require.NoError(t, os.Remove(w.front))
		r := w.run(nil, "run", "--to", "mpich", "./open_app")
		assert.Equal(t, 1, r.code)
		assert.Contains(t, r.err, "has no front for openmpi programs that need libmpi.so.40")
	})
}

// The launchers of real MPIs pass the environment to their ranks and return the program's exit code. The fronts are
// fake, because translation is not tested here.
func TestRealLaunchers(t *testing.T) {
	for _, c := range []struct {
		name, launcher, front, env string
		options                    []string
	}{
		{"openmpi", "mpiexec.openmpi", "mpich", "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
			[]string{"-n", "2", "--oversubscribe", "--bind-to", "none"}},
		// MPICH's launcher sometimes loses the output of a rank that ends immediately.
		{"mpich", "mpiexec.mpich", "openmpi", "FAKEMPI_LINGER=200", []string{"-n", "2", "-bind-to", "none"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			fakempi.Need(t, c.launcher)
			launcher, err := exec.LookPath(c.launcher)
			require.NoError(t, err)
			w := newWorld(t)
			app := map[string]string{"openmpi": "./open_app", "mpich": "./mpich_app"}[c.front]
			env := append(strings.Fields(c.env), "PATH=/usr/bin:/bin", "TMPDIR=/tmp")
			args := func(more ...string) []string {
				return append(append([]string{"run", "--to", launcher}, c.options...), more...)
			}
			served := "served by front " + c.front + " for "

			r := w.run(env, args(app)...)
			assert.Zero(t, r.code, r.err)
			assert.Equal(t, 2, strings.Count(r.out, served), r.out)

			r = w.run(env, args(app, "7")...)
			assert.Equal(t, 7, r.code, r.err)

			// Several programs, with the launcher's own syntax …
			second := append([]string{":"}, c.options[:2]...)
			r = w.run(env, args(append(append([]string{app}, second...), "env", app)...)...)
			assert.Equal(t, 4, strings.Count(r.out, served), r.out+r.err)
			// … and after `wi4go exec`, if the user preloads a library.
			preload := []string{"-x", "LD_PRELOAD=libm.so.6"}
			if c.name == "mpich" {
				preload = []string{"-env", "LD_PRELOAD", "libm.so.6"}
			}
			r = w.run(env, args(append(preload, app)...)...)
			assert.Equal(t, 2, strings.Count(r.out, served), r.out+r.err)
		})
	}
}

// Many missing functions are counted, a few are named.
func TestManyFunctions(t *testing.T) {
	w := newWorld(t)
	defined, used := "", ""
	for i := range 300 {
		defined += fmt.Sprintf("int MPI_Function_%d(void) { return 0; }\n", i)
		used += fmt.Sprintf("+ MPI_Function_%d()", i)
	}
	fakempi.Front(t, w.at("ours"), "openmpi", defined)
	header := w.at("functions.h")
	require.NoError(t, os.WriteFile(header, []byte(defined), 0o644))
	rich := fakempi.OpenMPI(t, w.at("rich"), "-include", header)
	app := fakempi.Compile(t, "int main() { return 0 "+used+"; }", w.at("app"), rich, "-w")
	r := w.run(nil, "run", "--verbose", "--to", "mpich", app)
	assert.Contains(t, r.err, "wi4go: the runtime lacks 300 functions (`wi4go inspect --to` lists them)\n")
	assert.Less(t, len(r.err), 2000)
}

// If the terminal is narrower than the table, each library is printed as a list of fields.
func TestTable(t *testing.T) {
	list := []listed{{Name: "mpich", Product: "MPICH 4.0.2", Family: "mpich", Standard: "4.0", Fabrics: []string{"shm", "tcp"},
		Library: "/opt/mpich/lib/libmpi.so.12", Launcher: "/opt/mpich/bin/mpiexec", Found: "PATH"}}
	const wide = "NAME   VERSION      FAMILY  MPI  LARGE COUNTS  THREADS  PMI  FABRICS\nmpich  MPICH 4.0.2  mpich   4.0  no            -        -    shm tcp\n\n" +
		"NAME   LIBRARY                      LAUNCHER                FOUND BY\nmpich  /opt/mpich/lib/libmpi.so.12  /opt/mpich/bin/mpiexec  PATH\n"
	assert.Equal(t, wide, table(list, 68))
	assert.Equal(t, `mpich
  version       MPICH 4.0.2
  family        mpich
  mpi           4.0
  large counts  no
  threads       -
  pmi           -
  fabrics       shm tcp
  library       /opt/mpich/lib/libmpi.so.12
  launcher      /opt/mpich/bin/mpiexec
  found by      PATH
`, table(list, 67))
}

// The settings of a site or a user other than the runtime: directories to search, libraries to hide, the order of
// libraries, variables of ranks, and options of launchers.
func TestSettings(t *testing.T) {
	w := newWorld(t)
	site := fakempi.MPICH(t, w.at("site/mvapich"), "libmpi.so.12", `const char mark[] = "MVAPICH2 Version      :\t2.3.7\n";`)
	file := w.at(".config/wi4go/config.toml")
	settle := func(text string) { fakempi.Script(t, file, text) }
	names := func() (names []string) {
		var list []listed
		r := w.run(nil, "list", "--json")
		require.NoError(t, json.Unmarshal([]byte(r.out), &list), r.err)
		for _, e := range list {
			if strings.HasPrefix(e.Library, w.dir) {
				names = append(names, e.Vendor)
			}
		}
		return names
	}
	assert.Equal(t, []string{"openmpi", "mpich"}, names())
	settle("search = ['" + w.at("site/*") + "']\norder = ['MVAPICH2', 'mpich']\n")
	assert.Equal(t, []string{"mvapich", "mpich", "openmpi"}, names())
	assert.Contains(t, w.run(nil, "run", "--dry-run", "./open_app").out, "translated onto "+site)
	settle("hide = ['" + w.at("op*") + "', '" + w.at("*/lib/libmpich.so.12") + "']\n")
	assert.Empty(t, names())
	assert.Contains(t, w.run(nil, "run", "--dry-run", "--to", w.open, "./mpich_app").out, "translated onto "+w.open, "by its path")

	settle("strict = true\n[runtime.MPICH]\nenvironment = { HELLO = 'a b', PATH = '/none' }\noptions = ['-print-all-exitcodes']\n")
	r := w.run(nil, "run", "--dry-run", "--to", "mpich", "-n", "2", "./open_app")
	assert.Contains(t, r.out, w.at("mpich/bin/mpiexec")+" -print-all-exitcodes -genv LD_PRELOAD ")
	assert.Contains(t, r.out, " -genv WI4GO_STRICT 1 -genv HELLO 'a b' -n 2 ./open_app\n")
	assert.NotContains(t, r.out, "/none", "the user's own value remains")
	assert.NotContains(t, w.run(nil, "run", "--dry-run", "--to", "openmpi", "./open_app").out, "HELLO")
	ranks := []string{"OMPI_COMM_WORLD_RANK=0", "OMPI_COMM_WORLD_SIZE=2"}
	assert.Equal(t, 1, w.run(ranks, "exec", "--to", "mpich", "./mpich_app").code)
	assert.Zero(t, w.run(append(ranks, "WI4GO_STRICT=0"), "exec", "--to", "mpich", "./mpich_app").code)
	assert.Contains(t, w.run(nil, "doctor").out, "setting  runtime.MPICH.options = [\"-print-all-exitcodes\"] in "+file+"\n")

	for text, says := range map[string]string{
		"order = ['lam']\n":         file + `: order: unknown MPI "lam": the names are openmpi, mpich`,
		"[runtime.lam]\noptions=[]": file + `: runtime.lam: unknown MPI "lam"`,
		"too = 'mpich'\n":           file + `:1: unknown setting "too": did you mean to? the settings are `,
		"order = ['mpihc']\n":       file + `: order: unknown MPI "mpihc": did you mean mpich? the names are `,
		"[runtim.mpich]\nx = 1\n":   file + `:1: unknown setting "runtim`,
		"serach = ['/a']\n":         file + `:1: unknown setting "serach": did you mean search? the settings are to, index, search, hide, order and strict`,
		"search = '/a'\n":           file + `:1: search: invalid value: write a list, search = ["/sw/mpi"]`,
	} {
		settle(text)
		for _, command := range []string{"list", "run --to mpich ./open_app", "exec --to mpich ./open_app", "get --list"} {
			r := w.run(nil, strings.Fields(command)...)
			assert.Equal(t, 1, r.code, command)
			assert.Contains(t, r.err, "wi4go: "+says, command)
			assert.Equal(t, 1, strings.Count(r.err, "\n"), r.err)
		}
		assert.Contains(t, w.run(nil, "doctor").out, says+"")
	}
	require.NoError(t, os.Remove(file))
	require.NoError(t, os.Mkdir(file, 0o755))
	assert.Contains(t, w.run(nil, "list").err, "wi4go: cannot read the configuration: "+file+": is a directory")
}

// The shells' completion offers the valid options and arguments.
func TestCompletion(t *testing.T) {
	w := newWorld(t)
	complete := func(args ...string) (words []string) {
		r := w.run(nil, append([]string{"__complete"}, args...)...)
		for line := range strings.Lines(r.out) {
			word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
			words = append(words, word)
		}
		require.NotEmpty(t, words, r.err)
		return words[:len(words)-1] // the shell's treatment of file names
	}
	for _, args := range [][]string{{"run", "--to", ""}, {"exec", "--from", "openmpi", "--to", ""}, {"env", "--to", ""}, {"inspect", "--to", ""},
		{"doctor", "--to", ""}, {"verify", "--to", ""}} {
		assert.Subset(t, complete(args...), []string{"openmpi", "mpich"}, args)
	}
	assert.Subset(t, complete("run", "--to=m"), []string{"--to=openmpi", "--to=mpich"})
	assert.Equal(t, []string{"auto", "openmpi", "mpich", "mpiabi"}, complete("run", "--from", ""))
	assert.Equal(t, []string{"openmpi", "mpich", "mpiabi"}, complete("verify", "--from", ""))
	assert.Contains(t, complete("run", "-"), "--dry-run")
	assert.NotContains(t, complete("run", "-"), "--container")
	assert.Contains(t, complete("env", "-"), "--container")
	assert.Equal(t, []string{"apptainer", "podman", "docker", "cdi"}, complete("env", "--container", ""))
	assert.Contains(t, complete("verify", "--"), "--quick")
	assert.Equal(t, []string{"openmpi", "mpich", "intelmpi"}, complete("get", ""))
	assert.Empty(t, complete("get", "--remove", ""))
	assert.Empty(t, complete("list", ""))
	assert.Empty(t, complete("run", "./"), "files")
	assert.NotContains(t, w.run(nil, "__complete", "doctor", "--").out, "`")
	commands := complete("")
	assert.Subset(t, commands, []string{"run", "exec", "env", "shell", "list", "get", "inspect", "doctor", "verify", "completion"})
	assert.NotContains(t, commands, "man")
	for _, shell := range []string{"bash", "zsh", "fish"} {
		script := w.run(nil, "completion", shell).out
		assert.True(t, strings.Contains(script, " __complete "), shell)
		if _, err := exec.LookPath(shell); err == nil {
			check := exec.Command(shell, "-n")
			check.Stdin = strings.NewReader(script)
			text, err := check.CombinedOutput()
			assert.NoError(t, err, string(text))
		}
	}
}

// zsh and fish complete their command lines with the scripts that wi4go prints.
func TestCompletionInShells(t *testing.T) {
	typed := map[string]string{
		"wi4go comp":               "wi4go completion",
		"wi4go run --to mp":        "wi4go run --to mpich",
		"wi4go verify --qu":        "wi4go verify --quick",
		"wi4go verify --from open": "wi4go verify --from openmpi",
		"wi4go doctor --ho":        "wi4go doctor --hosts",
	}
	// Each shell prints one line for each of its arguments: the command line after the tab key.
	answers := map[string]string{
		"zsh": `zmodload zsh/zpty
zpty terminal zsh -f -i
: >answers
await() { repeat 300; do $@ && return; sleep 0.1; done; exit 1 }
answered() { (( $(wc -l <answers) == count )) }
zpty -w -n terminal 'fpath=($PWD $fpath); autoload -U compinit; compinit -u -D; answer() { print -r -- $BUFFER >>answers; zle kill-whole-line }
zle -N answer; bindkey "^Xa" answer; : >ready'$'\n'
await test -e ready
for line; do
	(( count += 1 ))
	zpty -w -n terminal $line$'\t\C-xa'
	await answered
done
zpty -d terminal
cat answers
`,
		"fish": `source _wi4go
for line in $argv
	set found (complete -C $line | string replace -r '\t.*' '')
	echo (string replace -r '[^ ]*$' '' -- $line)"$found"
end
`,
	}
	for shell, script := range answers {
		t.Run(shell, func(t *testing.T) {
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("%s; install the package %s", err, shell)
			}
			w := newWorld(t)
			require.NoError(t, os.WriteFile(w.at("_wi4go"), []byte(w.run(nil, "completion", shell).out), 0o644))
			require.NoError(t, os.WriteFile(w.at("script"), []byte(script), 0o644))
			var want []string
			command := exec.CommandContext(t.Context(), path, "script")
			for line, completed := range typed {
				command.Args = append(command.Args, line)
				want = append(want, completed)
			}
			command.Dir = w.dir
			command.Env = []string{"HOME=" + w.dir, "TERM=xterm", "PATH=" + filepath.Dir(w.wi4go) + ":" + w.at("open/bin") + ":" + w.at("mpich/bin") + ":/usr/bin:/bin"}
			out, err := command.CombinedOutput()
			require.NoError(t, err, string(out))
			var got []string
			for line := range strings.Lines(string(out)) {
				got = append(got, strings.TrimSpace(line))
			}
			assert.Equal(t, want, got)
		})
	}
}

// Each command has a manual page with the text of --help.
func TestManual(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	require.Zero(t, w.run(nil, "man", dir).code)
	for _, command := range []string{"", "run", "exec", "env", "shell", "list", "get", "inspect", "doctor", "verify"} {
		text, err := os.ReadFile(filepath.Join(dir, strings.TrimRight("wi4go-"+command, "-")+".1"))
		require.NoError(t, err)
		help := w.run(nil, append(strings.Fields(command), "--help")...).out
		said := strings.NewReplacer(`\-`, "-", `\e`, `\`, `\&`, "", `\[u2026]`, "…").Replace(string(text))
		first, _, _ := strings.Cut(help, "\n\nUsage:")
		assert.Contains(t, said, first, command)
		assert.NotRegexp(t, `(?m)^'|^\.[^STnf]|[^\x00-\x7f]`, string(text), "only the macros that are meant, and ASCII")
		// The tables of the reference.
		for _, title := range []string{"EXIT STATUS", "ENVIRONMENT", "FILES"} {
			assert.Contains(t, said, ".SH "+title+"\n.TP\n", command)
		}
		for _, file := range []string{"~/.config/wi4go/config.toml", "~/.cache/wi4go/"} {
			assert.Contains(t, said, file, command)
		}
		assert.NotContains(t, said, ".md", command)
		assert.Equal(t, command == "" || command == "verify", strings.Contains(said, "\n\\fB3\\fR\n"), command)
		assert.Equal(t, command == "" || slices.Contains([]string{"run", "exec", "env", "shell"}, command), strings.Contains(said, `\fBWI4GO_HANDLES\fR (report)`), command)
	}
	text, err := os.ReadFile(filepath.Join(dir, "wi4go.1"))
	require.NoError(t, err)
	for _, chapter := range []string{"Exit codes", "Variables", "Files"} {
		assert.Greater(t, len(tables(chapter)), 10)
		for _, r := range tables(chapter) {
			assert.Contains(t, string(text), roff(r[len(r)-1]), "every row of %s", chapter)
		}
	}
	assert.Equal(t, 1, w.run(nil, "man", w.at("none")).code)
}
