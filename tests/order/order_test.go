// Package order runs programs through the launcher in cases in which the position of the MPI library among the others
// matters: with tools on top of it, sanitizers, scripts that set the variables of the dynamic linker, search paths in
// the program, and programs with more privileges than their user.
package order

import (
	"bytes"
	"context"
	"debug/elf"
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

const limit = 2 * time.Minute

type world struct {
	*testing.T
	prefix, wi4go, dir string
}

func TestMain(m *testing.M) { harness.Main(m) }

// newWorld makes a world for the test, and lets it run in parallel: each world has its own directory.
func newWorld(t *testing.T) *world {
	t.Helper()
	t.Parallel()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	w := &world{t, prefix, filepath.Join(prefix, "bin", "wi4go"), t.TempDir()}
	if _, err := os.Stat(w.wi4go); err != nil {
		harness.Missing(t, fmt.Errorf("%s: %w; run make first", w.wi4go, harness.ErrMissing))
	}
	return w
}

func (w *world) at(name string) string { return filepath.Join(w.dir, name) }

func (w *world) tools(name string) harness.Toolchain {
	w.Helper()
	tools, err := harness.FindIn(w.prefix, name)
	if err != nil {
		harness.Missing(w.T, err)
	}
	return tools
}

// programs are the compilers of programs: of each family, and twice for the standard ABI.
var programs = []string{"openmpi", "mpich", harness.Interface, "mpich-5.0-abi"}

// runtimes are the libraries that programs run on.
var runtimes = []string{"openmpi", "mpich", "openmpi-5.0", "mpich-5.0"}

// all returns the number of runtimes to test: Debian's two come first; the other releases differ in their launchers'
// treatment of variables.
func all() int {
	if harness.All.Runs() {
		return len(runtimes)
	}
	return 2
}

// everywhere runs a test for each program on each library; prepare compiles.
func everywhere(t *testing.T, prepare func(w *world, from string) any, test func(w *world, made any, from, to string)) {
	for _, from := range programs {
		t.Run(from, func(t *testing.T) {
			w := newWorld(t)
			made := prepare(w, from)
			for _, to := range runtimes[:all()] {
				t.Run("on "+to, func(t *testing.T) {
					t.Parallel()
					w := *w
					w.T, w.dir = t, t.TempDir()
					test(&w, made, from, to)
				})
			}
		})
	}
}

// compile compiles a source by the compiler wrapper of a library. Programs are linked with the yield library, because the
// tests are about preloads.
func (w *world) compile(by, source, out string, flags ...string) string {
	w.Helper()
	if !slices.Contains(flags, "-shared") && !slices.Contains(flags, "-c") {
		flags = append(slices.Clone(flags), harness.LinkYield()...)
	}
	require.NoError(w, w.tools(by).Compile(filepath.Join("programs", source), w.at(out), flags...))
	return w.at(out)
}

// tool compiles a profiling tool, which is not linked with an MPI library itself, and returns its path.
func (w *world) tool(by, name string, flags ...string) string {
	w.Helper()
	return w.compile(by, "tool.c", by+"/lib"+name+".so", append([]string{"-shared", "-fPIC", fmt.Sprintf("-DNAME=%q", name), "-ldl"}, flags...)...)
}

type result struct {
	stdout, stderr string
	code           int
}

func (r result) String() string {
	return fmt.Sprintf("exit code %d\nstdout: %s\nstderr: %s", r.code, r.stdout, r.stderr)
}

// run runs a command with more variables. It has its own directory for temporary files, because jobs of Open MPI that
// share one interfere with each other.
func (w *world) run(env []string, command ...string) result {
	w.Helper()
	dir, err := os.MkdirTemp("", "o")
	require.NoError(w, err)
	defer os.RemoveAll(dir)
	require.NoError(w, os.Chmod(dir, 0o777)) // the command may run as another user
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	// The libraries themselves leak.
	cmd.Env = append(append(harness.PlainEnviron(), "TMPDIR="+dir, "XDG_CACHE_HOME="+w.at("cache"), "ASAN_OPTIONS=detect_leaks=0"), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	err = cmd.Run()
	require.NotNil(w, cmd.ProcessState, err)
	assert.NoError(w, ctx.Err(), "%s took too long", command)
	return result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// on runs a command on two ranks of a library.
func (w *world) on(to string, env []string, command ...string) result {
	w.Helper()
	return w.run(env, append([]string{w.wi4go, "run", "--to", w.tools(to).MPIExec, "-n", "2"}, command...)...)
}

// lines returns the ranks' output in the order of ranks, each up to end.
func (r result) lines(end string) []string {
	lines := slices.DeleteFunc(strings.Split(r.stdout, "\n"), func(line string) bool { return !strings.HasPrefix(line, "rank ") })
	for i := range lines {
		lines[i], _, _ = strings.Cut(lines[i], end)
	}
	slices.Sort(lines)
	return lines
}

// right asserts that two ranks found each other, and that their calls went through these tools.
func (w *world) right(r result, order string) {
	w.Helper()
	assert.Equal(w, []string{"rank 0 of 2, sum 1, through <" + order + ">", "rank 1 of 2, sum 1, through <" + order + ">"},
		r.lines(", translated"), r)
}

// rightAnyhow asserts the same for a program that may run without wi4go.
func (w *world) rightAnyhow(r result, order string) {
	w.Helper()
	r.stdout = strings.ReplaceAll(r.stdout, ", natively", ", translated")
	w.right(r, order)
}

// A made is a program with the tools that it is linked with.
type made struct{ app, preloaded, script string }

// Calls reach tools that a program is linked with, one after the other, and a preloaded tool before them, however it
// is preloaded: as natively.
func TestLinkedTools(t *testing.T) {
	for _, dtags := range []string{"--enable-new-dtags", "--disable-new-dtags"} {
		t.Run(dtags, func(t *testing.T) {
			everywhere(t, func(w *world, from string) any {
				first, second := w.tool(from, "B", "-DNEXT"), w.tool(from, "C")
				m := made{preloaded: w.tool(from, "A", "-DNEXT"), script: w.at(from + "/script")}
				path := "-Wl," + dtags + ",-rpath," + w.at(from)
				if dtags == "--disable-new-dtags" {
					path += ",-rpath," + w.libraries(from)
				}
				m.app = w.compile(from, "app.c", from+"/app", "-Wl,--no-as-needed", first, second, path)
				require.NoError(w, os.WriteFile(m.script, []byte("#!/bin/sh\nLD_PRELOAD="+m.preloaded+"\nexport LD_PRELOAD\nexec \"$@\"\n"), 0o755))
				return m
			}, func(w *world, prepared any, from, to string) {
				m := prepared.(made)
				if dtags == "--disable-new-dtags" && to != "openmpi" && to != "mpich" {
					return // only by a preload, which does not depend on the version
				}
				w.rightAnyhow(w.on(to, nil, m.app), "BC")
				w.rightAnyhow(w.on(to, []string{"LD_PRELOAD=" + m.preloaded}, m.app), "ABC")
				option := map[bool][]string{true: {"-x", "LD_PRELOAD=" + m.preloaded}, false: {"-genv", "LD_PRELOAD", m.preloaded}}
				w.rightAnyhow(w.on(to, nil, append(option[strings.HasPrefix(to, "openmpi")], m.app)...), "ABC")
				if dtags == "--enable-new-dtags" {
					w.rightAnyhow(w.on(to, nil, "env", "LD_PRELOAD="+m.preloaded, m.app), "ABC")
					w.rightAnyhow(w.on(to, nil, m.script, m.app), "ABC")
				}
			})
		})
	}
}

// libraries returns the directory in which a program finds its own library.
func (w *world) libraries(from string) string {
	w.Helper()
	library, err := harness.Library(w.compile(from, "app.c", from+"/plain"))
	require.NoError(w, err)
	return filepath.Dir(library)
}

// A program that finds the front neither by LD_PRELOAD, which a script sets, nor by LD_LIBRARY_PATH, which a DT_RPATH
// precedes, finds it by the auditor. Without the auditor there is a warning before the start.
func TestLost(t *testing.T) {
	w := newWorld(t)
	app := w.compile("openmpi", "app.c", "app", "-Wl,--disable-new-dtags,-rpath,"+w.libraries("openmpi"))
	script := w.at("script")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\nexport LD_PRELOAD=libm.so.6\nexec \"$@\"\n"), 0o755))
	const lost = " sets LD_PRELOAD, which .*/app needs to find wi4go; each process may run as rank 0 of 1: let it keep"
	const without = "WI4GO_AUDIT=0"
	r := w.on("mpich", nil, script, app)
	w.right(r, "")
	assert.Empty(t, r.stderr)
	r = w.on("mpich", []string{without}, script, app)
	assert.Regexp(t, "(?m)^wi4go: warning: "+regexp.QuoteMeta(script)+lost, r.stderr)
	assert.Contains(t, r.stdout, "rank 0 of 1,", "the warning was right: %s", r)
	r = w.on("mpich", []string{without}, "env", "LD_PRELOAD=libm.so.6", app)
	assert.Regexp(t, "(?m)^wi4go: warning: .*/env"+lost, r.stderr)
	r = w.on("mpich", []string{without, "WI4GO_STRICT=1"}, script, app)
	assert.Regexp(t, "(?m)^wi4go: "+regexp.QuoteMeta(script)+lost, r.stderr)
	assert.Equal(t, result{"", r.stderr, 1}, r)
	// Two processes of Open MPI 4 that start without a launcher at the same time may interfere with each other,
	// natively.
	assert.NotContains(t, w.on("mpich", []string{without, "WI4GO_STRICT=0"}, script, app).stderr, "wi4go:")
	r = w.on("mpich", nil, "env", "-i", app)
	assert.Regexp(t, "(?m)^wi4go: warning: .*/env sets LD_PRELOAD and LD_AUDIT, which .*/app needs to find wi4go", r.stderr)

	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\nexport LD_PRELOAD=libm.so.6:$LD_PRELOAD\nexec \"$@\"\n"), 0o755))
	r = w.on("mpich", nil, script, app)
	assert.Empty(t, r.stderr)
	w.right(r, "")
}

// A script starts programs of two families, and the user names one of them.
func TestTwoFamilies(t *testing.T) {
	w := newWorld(t)
	open, mpich := w.compile("openmpi", "app.c", "open"), w.compile("mpich", "app.c", "mpich")
	script := w.at("script")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\nif [ ${PMI_RANK:-$OMPI_COMM_WORLD_RANK} = 0 ]\nthen exec "+open+"\nelse exec "+mpich+"\nfi\n"), 0o755))
	for _, to := range runtimes {
		for _, from := range []string{"openmpi", "mpich"} {
			r := w.on(to, nil, "--from", from, script)
			r.stdout = strings.ReplaceAll(r.stdout, ", natively", ", translated")
			w.right(r, "")
		}
	}
}

// A tool that one of the program's libraries is linked with comes before or after MPI, as natively. So does a tool that
// the program is linked with after its MPI library.
func TestToolsOfLibraries(t *testing.T) {
	w := newWorld(t)
	for _, from := range []string{"openmpi", "mpich"} {
		tool := w.tool(from, "A")
		found := "-Wl,--no-as-needed,-rpath," + w.at(from)
		before := w.compile(from, "solver.c", from+"/libbefore.so", "-shared", "-fPIC", found, tool)
		behind := w.compile(from, "solver.c", from+"/libbehind.so", "-shared", "-fPIC", found, "-l"+linkName[from], tool)
		for name, flags := range map[string][]string{
			"the library asks for MPI, the tool before it":     {"-DSOLVER", before},
			"the library asks for MPI, the tool behind it":     {"-DSOLVER", behind},
			"the program asks for MPI, behind that the tool":   {"-l" + linkName[from], tool},
			"the program asks for MPI, the library for a tool": {"-DSOLVER", "-l" + linkName[from], before},
		} {
			app := w.compile(from, "app.c", from+"/app", append([]string{found}, flags...)...)
			natively := w.run(nil, w.tools(from).MPIExec, "-n", "2", app).lines(", natively")
			require.Len(t, natively, 2)
			for _, to := range runtimes {
				r := w.on(to, nil, app)
				r.stdout = strings.ReplaceAll(r.stdout, ", natively", ", translated")
				assert.Equal(t, natively, r.lines(", translated"), "%s: %s on %s\n%s", name, from, to, r)
			}
		}
	}
}

var linkName = map[string]string{"openmpi": "mpi", "mpich": "mpich"}

// Programs compiled with a sanitizer start, and find each other. hwloc leaves OpenCL alone: AddressSanitizer ends a C
// program, natively as well, when a driver in C++ throws an exception.
func TestSanitizers(t *testing.T) {
	env := []string{"HWLOC_COMPONENTS=-opencl"}
	for _, sanitizer := range []string{"address", "undefined", "thread"} {
		t.Run(sanitizer, func(t *testing.T) {
			everywhere(t, func(w *world, from string) any {
				return w.compile(from, "app.c", from+"/app", "-fsanitize="+sanitizer)
			}, func(w *world, app any, from, to string) {
				if sanitizer == "thread" { // Open MPI 5 does not work with it
					native := w.compile(to, "app.c", to+"/native", "-fsanitize=thread")
					if r := w.run(env, w.tools(to).MPIExec, "-n", "2", native); len(r.lines(",")) != 2 {
						w.Skipf("natively it does not run: %s", r)
					}
				}
				w.rightAnyhow(w.on(to, env, app.(string)), "")
				if sanitizer == "address" && (to == "openmpi" || to == "mpich") { // only by LD_LIBRARY_PATH, whose first entry precedes the script's
					script := w.at("script")
					require.NoError(w, os.WriteFile(script, []byte("#!/bin/sh\nexport LD_LIBRARY_PATH=$LD_LIBRARY_PATH:/none\nexec \"$@\"\n"), 0o755))
					w.rightAnyhow(w.on(to, env, script, app.(string)), "")
				}
			})
		})
	}
	t.Run("address, natively on a library with others next to it", func(t *testing.T) {
		w := newWorld(t)
		r := w.on("mpich-5.0", nil, w.compile("mpich-3.4", "app.c", "app", "-fsanitize=address"))
		assert.Equal(t, 2, strings.Count(r.stdout, ", natively"), r)
		w.rightAnyhow(r, "")
	})
	t.Run("address, by a path in the program", func(t *testing.T) {
		w := newWorld(t)
		for from, to := range map[string]string{"openmpi": "mpich", "mpich": "openmpi"} {
			app := w.compile(from, "app.c", from+"/app", "-fsanitize=address", "-Wl,--disable-new-dtags,-rpath,"+w.libraries(from))
			w.right(w.on(to, nil, app), "")
		}
	})
}

// The front comes before Open MPI's C++ library, which has a function that accesses the objects of Open MPI, however
// the program finds it.
func TestBindings(t *testing.T) {
	w := newWorld(t)
	const source = "../../cxx/programs/attributes.cc"
	tool := w.tool("openmpi", "A")
	for name, flags := range map[string][]string{
		"plain": nil, "tool": {"-Wl,--no-as-needed", tool, "-Wl,-rpath," + filepath.Dir(tool)}, "asan": {"-fsanitize=address"},
	} {
		app := w.compile("openmpi", source, name, flags...)
		for _, command := range [][]string{{app}, {"env", "A=1", app}, {"env", "LD_PRELOAD=libm.so.6", app}} {
			if name == "asan" && len(command) > 1 && command[1] != "A=1" {
				continue // AddressSanitizer does not work with a preload
			}
			for _, to := range []string{"mpich", "mpich-5.0"} {
				r := w.on(to, nil, command...)
				assert.Zero(t, r.code, "%s: %s", command, r)
				assert.Regexp(t, `(?m)^\d+ checks passed$`, r.stdout)
			}
		}
	}
}

// Whatever sets LD_LIBRARY_PATH, it leads to no other MPI library, and each rank keeps its own value.
func TestLibraryPath(t *testing.T) {
	everywhere(t, func(w *world, from string) any {
		theirs := w.at(from + "/lib") // the directory of the program's own library, and nothing else
		own := w.libraries(from)
		if from == harness.Interface {
			own = filepath.Join(w.tools("mpich-5.0").Root(), "lib") // another library with that name
		}
		soname, err := harness.Soname(w.at(from + "/plain"))
		require.NoError(w, err)
		require.NoError(w, os.Mkdir(theirs, 0o755))
		require.NoError(w, os.Symlink(filepath.Join(own, soname), filepath.Join(theirs, soname)))
		script := w.at(from + "/script")
		require.NoError(w, os.WriteFile(script, []byte("#!/bin/sh\nexport LD_LIBRARY_PATH="+theirs+"\nexec \"$@\"\n"), 0o755))
		app, asan := w.compile(from, "app.c", from+"/app"), w.compile(from, "app.c", from+"/asan", "-fsanitize=address")
		return []string{theirs, script, app, asan}
	}, func(w *world, prepared any, from, to string) {
		made := prepared.([]string)
		theirs, script, app, asan := made[0], made[1], made[2], made[3]
		family := w.tools(from).Family()
		if family == w.tools(to).Family() {
			return
		}
		option := []string{"-genv", "LD_LIBRARY_PATH", theirs}
		if strings.HasPrefix(to, "openmpi") {
			option = []string{"-x", "LD_LIBRARY_PATH=" + theirs}
		}
		for _, app := range []string{app, asan} {
			w.right(w.on(to, []string{"LD_LIBRARY_PATH=" + theirs}, app), "")
			r := w.on(to, []string{"LD_LIBRARY_PATH=/of/this/host"}, append(option, app, "LD_LIBRARY_PATH")...)
			w.right(r, "")
			assert.NotContains(w, r.stdout, "/of/this/host")
			assert.Contains(w, r.stdout, theirs+">", "the rank's own value remains")
			if app == asan {
				assert.Contains(w, r.stdout, "LD_LIBRARY_PATH=<"+filepath.Join(w.prefix, "lib", "wi4go", family, "path")+":")
			}
		}
		w.right(w.on(to, nil, script, app), "")
		w.right(w.on(to, nil, "env", "LD_LIBRARY_PATH="+theirs, app), "")
	})
}

// Open MPI's launchers put their own directory first in LD_LIBRARY_PATH. It has a library with the name that the
// program needs.
func TestLauncherPrefix(t *testing.T) {
	w := newWorld(t)
	for _, to := range []string{"openmpi", "openmpi-5.0"} {
		for _, flags := range [][]string{nil, {"-fsanitize=address"}} {
			app := w.compile("openmpi", "app.c", "app", flags...)
			r := w.run(nil, w.wi4go, "run", "--identity", "--to", w.tools(to).MPIExec, "--prefix", w.tools(to).Root(), "-n", "2", app, "LD_LIBRARY_PATH")
			w.right(r, "")
			assert.Contains(t, r.stdout, w.tools(to).Root()+"/lib")
		}
	}
}

// A program that names its library by a path finds the front, after its tools.
func TestPathInDTNeeded(t *testing.T) {
	for _, origin := range []bool{false, true} {
		everywhere(t, func(w *world, from string) any {
			soname, err := harness.Soname(w.compile(from, "app.c", from+"/plain"))
			require.NoError(w, err)
			needed := w.at(from) + "/lib/" + soname
			if origin {
				needed = "$ORIGIN/lib/" + soname
			}
			// The library for the linker has the path as its soname.
			object := w.compile(from, "app.c", from+"/app.o", "-c", "-fPIC")
			seen := w.at(from + "/seen.so")
			gcc(w, "-shared", "-fPIC", "-o", seen, "-Wl,-soname,"+needed, "programs/names.c")
			require.NoError(w, os.MkdirAll(w.at(from+"/lib"), 0o755))
			require.NoError(w, os.Symlink(filepath.Join(w.libraries(from), soname), w.at(from+"/lib/"+soname)))
			app := w.at(from + "/app")
			tool := w.tool(from, "A")
			gcc(w, "-o", app, object, "-Wl,--no-as-needed", tool, seen, "-Wl,-rpath,"+w.at(from))
			return app
		}, func(w *world, app any, from, to string) {
			w.rightAnyhow(w.on(to, nil, app.(string)), "A")
		})
	}
}

func gcc(w *world, args ...string) {
	w.Helper()
	text, err := exec.Command("gcc", args...).CombinedOutput()
	require.NoError(w, err, string(text))
}

// The kernel determines for which programs the linker ignores the environment. These programs are refused, and no
// others.
func TestPrivileged(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give a file to another user")
	}
	const nobody, effective, permitted = 65534, "\x01\x00\x00\x02", "\x00\x00\x00\x02"
	const netRaw = "\x00\x20\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" // cap_net_raw in the permitted set
	const inherits = "\x00\x00\x00\x00\x00\x20\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	w := newWorld(t)
	require.NoError(t, os.Chmod(filepath.Dir(w.dir), 0o755))
	require.NoError(t, os.Chmod(w.dir, 0o755))
	if _, err := exec.Command("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", w.wi4go, "version").Output(); err != nil {
		t.Skipf("another user cannot run %s: %v", w.wi4go, err)
	}
	for name, c := range map[string]struct {
		mode          os.FileMode
		owner, group  int
		capability    string
		asRoot, asOne bool // AT_SECURE, to check the kernel's answer
	}{
		"plain":                      {},
		"set-user-ID root":           {mode: os.ModeSetuid, asOne: true},
		"set-user-ID nobody":         {mode: os.ModeSetuid, owner: nobody, asRoot: true},
		"set-group-ID root":          {mode: os.ModeSetgid, asOne: true},
		"set-group-ID nobody":        {mode: os.ModeSetgid, group: nobody, asRoot: true},
		"file capabilities":          {capability: effective + netRaw, asOne: true},
		"permitted capabilities":     {capability: permitted + netRaw, asOne: true},
		"capabilities not inherited": {capability: permitted + inherits},
	} {
		t.Run(name, func(t *testing.T) {
			for from, to := range map[string]string{"openmpi": "mpich", "mpich": "openmpi", harness.Interface: "mpich"} {
				app := w.compile(from, "secure.c", "secure-"+from)
				require.NoError(t, os.Chown(app, c.owner, c.group))
				require.NoError(t, os.Chmod(app, 0o755|c.mode))
				if c.capability != "" {
					if err := syscall.Setxattr(app, "security.capability", []byte(c.capability), 0); err != nil {
						t.Skipf("no file capabilities here: %v", err)
					}
				}
				for _, user := range []struct {
					become []string
					secure bool
				}{{nil, c.asRoot}, {[]string{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"}, c.asOne}} {
					as := func(command ...string) result {
						return w.run([]string{"HOME=" + w.dir}, append(slices.Clone(user.become), command...)...)
					}
					kernel := as(app)
					assert.Equal(t, map[bool]string{true: "secure 1\n", false: "secure 0\n"}[user.secure], kernel.stdout, kernel)
					r := as(w.wi4go, "exec", "--to", w.tools(to).MPIExec, app, "init")
					if user.secure && from != harness.Interface {
						assert.NotZero(t, r.code, r)
						assert.Empty(t, r.stdout)
						assert.Regexp(t, "^wi4go: "+app+` (is set-user-ID to another user|is set-group-ID to another group|has file capabilities)\b.*, so the dynamic linker ignores`, r.stderr)
						r = as(w.wi4go, "doctor", "--to", w.tools(to).MPIExec, app)
						assert.Contains(t, r.stdout, "(program-privileged)")
						r = as(w.wi4go, "exec", "--from", from, "--to", w.tools(to).MPIExec, "env", "A=1", app)
						assert.NotZero(t, r.code, "started by a wrapper: %s", r)
					} else {
						assert.Equal(t, kernel.stdout, r.stdout, r)
						assert.Zero(t, r.code, r)
					}
				}
			}
		})
	}
}

// A program of wi4go itself with more privileges than its user never loads a library that the user has made, however it
// is named.
func TestPrivilegedLibrary(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give a file to another user")
	}
	const nobody = 65534
	w := newWorld(t)
	require.NoError(t, os.Chmod(filepath.Dir(w.dir), 0o755))
	require.NoError(t, os.Chmod(w.dir, 0o755))
	as := []string{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"}
	if _, err := exec.Command(as[0], append(as[1:], w.wi4go, "version")...).Output(); err != nil {
		t.Skipf("another user cannot run %s: %v", w.wi4go, err)
	}
	app := w.compile(harness.Interface, "secure.c", "secure")
	home := w.at("home")
	library := filepath.Join(home, "lib", "libmpi.so.40")
	require.NoError(t, os.MkdirAll(filepath.Join(home, ".config", "wi4go"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Dir(library), 0o755))
	require.NoError(t, os.WriteFile(w.at("theirs.c"), []byte(`#include <unistd.h>
__attribute__((constructor)) static void begin(void) { write(2, "the user's library was loaded\n", 30); }
`), 0o644))
	out, err := exec.Command("cc", "-shared", "-fPIC", "-Wl,-soname,libmpi.so.40", "-o", library, w.at("theirs.c")).CombinedOutput()
	require.NoError(t, err, string(out))
	require.NoError(t, os.WriteFile(filepath.Join(home, ".config", "wi4go", "config.toml"), []byte(fmt.Sprintf("to = %q\n", library)), 0o644))
	require.NoError(t, exec.Command("chown", "-R", fmt.Sprint(nobody), home).Run())
	start := func(variable string) result {
		return w.run([]string{"HOME=" + home}, append(append(slices.Clone(as), "env"), variable, app, "init")...)
	}

	r := start("WI4GO_TO=" + library)
	assert.Contains(t, r.stderr, "the user's library was loaded", "without more privileges the user decides: %s", r)

	require.NoError(t, os.Chmod(app, 0o755|os.ModeSetuid))
	r = start("WI4GO_TO=" + library)
	assert.NotContains(t, r.stderr, "the user's library was loaded")
	assert.Contains(t, r.stderr, "wi4go: cannot load the MPI library "+library+": this program has rights that its user does not have")
	assert.Contains(t, r.stderr, library+" belongs to user 65534")
	assert.NotZero(t, r.code, r)

	for _, variable := range []string{"A=", "MPI_HOME=" + home, "LD_LIBRARY_PATH=" + filepath.Dir(library)} { // and the configuration
		r = start(variable)
		assert.NotContains(t, r.stderr, "the user's library was loaded", variable)
		assert.Contains(t, r.stdout, "secure 1", "%s: a library of the system is loaded: %s", variable, r)
		assert.Zero(t, r.code, r)
	}
}

// definesMPI reports whether a library defines functions of MPI. A stand-in defines none.
func definesMPI(t *testing.T, path string) bool {
	file, err := elf.Open(path)
	require.NoError(t, err)
	defer file.Close()
	symbols, err := file.DynamicSymbols()
	require.NoError(t, err)
	return slices.ContainsFunc(symbols, func(s elf.Symbol) bool { return s.Name == "MPI_Init" && s.Section != elf.SHN_UNDEF })
}

// Whatever soname a plugin of an MPICH program needs, it gets the same front.
func TestAllSonames(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct{ from, to string }{{"mpich", "openmpi"}, {"mpich-5.0", "openmpi"}, {"mpich-5.0", "openmpi-5.0"}} {
		for _, flags := range [][]string{nil, {"-fsanitize=address"}} {
			app := w.compile(c.from, "opens.c", c.from+"-opens", flags...)
			for _, command := range [][]string{{app}, {"env", "LD_PRELOAD=libm.so.6", app}} {
				if flags != nil && len(command) > 1 {
					continue // AddressSanitizer does not work with a preload
				}
				r := w.run(nil, append([]string{w.wi4go, "run", "--to", w.tools(c.to).MPIExec, "-n", "1"}, append(command, "libmpi.so.12", "libmpich.so.12")...)...)
				assert.Zero(t, r.code, r)
				assert.Contains(t, r.stdout, "libmpi.so.12: the same\nlibmpich.so.12: the same\n", r)
				fronts := 0
				for _, m := range regexp.MustCompile(`(?m)^holds (.*/libmpi\w*\.so\S*)$`).FindAllStringSubmatch(r.stdout, -1) {
					real, err := filepath.EvalSymlinks(m[1])
					if err == nil && strings.HasPrefix(real, filepath.Join(w.prefix, "lib", "wi4go")+"/") && definesMPI(t, real) {
						fronts++
					}
					assert.NotContains(t, m[1], ".so.12.", "a real MPICH: %s", r)
				}
				assert.Equal(t, 1, fronts, r)
			}
		}
	}
	app := w.compile("openmpi", "opens.c", "opens")
	r := w.on("mpich", nil, app, "libmpi.so.40")
	assert.Equal(t, 2, strings.Count(r.stdout, "libmpi.so.40: the same\n"), r)
}

// A C program that is linked with the Fortran library and does not use it runs. That library, which needs internals of
// its own MPI, is not loaded.
func TestFortranUnused(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct{ from, library string }{
		{"openmpi", "mpi_mpifh"}, {"openmpi-5.0", "mpi_mpifh"},
		{"mpich", "mpichfort"}, {"mpich-5.0", "mpifort"}, {"mpich-3.4", "mpifort"}, {"intelmpi-2021.18", "mpifort"},
	} {
		t.Run(c.from, func(t *testing.T) {
			w := *w
			w.T = t
			tools := w.tools(c.from)
			library, err := fortran(tools, c.library)
			if err != nil {
				t.Skip(err)
			}
			for _, path := range []string{"--enable-new-dtags", "--disable-new-dtags"} {
				app := w.compile(c.from, "app.c", c.from+path, "-Wl,--no-as-needed", library, "-Wl,--as-needed,--allow-shlib-undefined,"+path+",-rpath,"+filepath.Dir(library))
				for _, to := range runtimes {
					if w.tools(to).Family() != tools.Family() {
						w.right(w.on(to, nil, app), "")
						w.right(w.on(to, nil, "env", "A=1", app), "")
					}
				}
			}
		})
	}
}

// fortran finds the library of the Fortran bindings.
func fortran(tools harness.Toolchain, name string) (string, error) {
	for _, dir := range []string{filepath.Join(tools.Root(), "lib"), "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"} {
		if files, _ := filepath.Glob(filepath.Join(dir, "lib"+name+".so.[0-9]*")); len(files) > 0 && (tools.Root() == "/usr" || dir == filepath.Join(tools.Root(), "lib")) {
			return files[0], nil
		}
	}
	return "", fmt.Errorf("%s has no lib%s", tools.Root(), name)
}

// Programs that no file shows: a script starts the program that a variable names, and a program without MPI has no MPI
// library in it.
func TestUnseen(t *testing.T) {
	everywhere(t, func(w *world, from string) any {
		script := w.at(from + "/a script")
		app := w.compile(from, "app.c", from+"/an app")
		require.NoError(w, os.WriteFile(script, []byte("#!/bin/sh\ncat /proc/self/maps >&2\nexec \"$APP\"\n"), 0o755))
		return []string{script, app}
	}, func(w *world, prepared any, from, to string) {
		made := prepared.([]string)
		r := w.on(to, []string{"APP=" + made[1]}, made[0])
		if w.tools(to).Family() == w.tools(from).Family() {
			w.rightAnyhow(r, "") // within a family it gets the library's own version
		} else {
			w.right(r, "")
		}
		assert.NotContains(w, strings.ReplaceAll(r.stderr, "/lib/wi4go/audit.so", ""), "/lib/wi4go/", "in a program without MPI")
	})
	w := newWorld(t)
	for _, to := range runtimes {
		for _, command := range [][]string{{"hostname"}, {"env", "A=B", "hostname"}, {"python3", "-c", `import os; os.write(1, b"%s\n" % os.uname().nodename.encode())`}, {"sh", "-c", "hostname"}} {
			name, err := os.Hostname()
			require.NoError(t, err)
			assert.Equal(t, result{stdout: name + "\n" + name + "\n"}, w.on(to, nil, command...), command)
		}
	}
}

// A static program starts the MPI program, which is found through its arguments, or by --from.
func TestStaticWrapper(t *testing.T) {
	everywhere(t, func(w *world, from string) any {
		starts := w.at(from + "/starts")
		require.NoError(w, os.MkdirAll(filepath.Dir(starts), 0o755))
		gcc(w, "-static", "-o", starts, "programs/starts.c")
		return []string{starts, w.compile(from, "app.c", from+"/app")}
	}, func(w *world, prepared any, from, to string) {
		command := prepared.([]string)
		w.rightAnyhow(w.on(to, nil, command...), "")
		w.rightAnyhow(w.on(to, nil, append([]string{"--from", w.tools(from).Family()}, command...)...), "")
	})
}

// An installation in a folder with a space in its name works for all programs that LD_LIBRARY_PATH leads to it, and
// gives its path in the error for others.
func TestFolderWithASpace(t *testing.T) {
	plain := newWorld(t)
	moved := plain.at("a folder")
	require.NoError(t, os.MkdirAll(moved, 0o755))
	for _, part := range []string{"bin", "lib"} {
		text, err := exec.Command("cp", "-a", filepath.Join(plain.prefix, part), moved).CombinedOutput()
		require.NoError(t, err, string(text))
	}
	w := *plain
	w.prefix, w.wi4go = moved, filepath.Join(moved, "bin", "wi4go")
	for _, from := range programs {
		first, second := w.tool(from, "A", "-DNEXT"), w.tool(from, "B")
		app := w.compile(from, "app.c", from+"/app", "-Wl,--no-as-needed", first, second, "-Wl,--enable-new-dtags,-rpath,"+w.at(from))
		for _, to := range []string{"openmpi", "mpich"} {
			w.rightAnyhow(w.on(to, nil, app), "AB")
			w.rightAnyhow(w.on(to, nil, "env", "A=1", app), "AB")
		}
	}
	rpath := w.compile("openmpi", "app.c", "rpath", "-Wl,--disable-new-dtags,-rpath,"+w.libraries("openmpi"))
	r := w.on("mpich", nil, rpath)
	assert.Equal(t, 1, r.code, r)
	assert.Regexp(t, `^wi4go: the path ".*/a folder/.*" contains a space or a colon: .*: move the installation`, r.stderr)
}
