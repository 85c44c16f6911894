// Package launch starts programs by the real launchers: by the runtime's own, with programs of both families in one job
// and with variables that are difficult to pass; and by the other family's launcher.
package launch

import (
	"bytes"
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

const limit = 2 * time.Minute

// world is both families' tools.
type world struct {
	t     *testing.T
	wi4go string
	tools map[string]harness.Toolchain
	// environ is what a command gets before its own variables.
	environ []string
}

func TestMain(m *testing.M) { harness.Main(m) }

func newWorld(t *testing.T) world {
	t.Helper()
	t.Parallel()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	w := world{t, filepath.Join(prefix, "bin", "wi4go"), map[string]harness.Toolchain{}, harness.Environ()}
	if _, err := os.Stat(w.wi4go); err != nil {
		harness.Missing(t, fmt.Errorf("%s: %w; run make first", w.wi4go, harness.ErrMissing))
	}
	for _, family := range harness.Names {
		if w.tools[family], err = harness.Find(family); err != nil {
			harness.Missing(t, err)
		}
	}
	return w
}

// compile compiles a source in programs for a family, and returns the program's path.
func (w world) compile(family, source string) string {
	w.t.Helper()
	out := filepath.Join(w.t.TempDir(), family+"-"+strings.TrimSuffix(source, ".c"))
	require.NoError(w.t, w.tools[family].Compile(filepath.Join("programs", source), out, fmt.Sprintf("-DBUILT_BY=%q", "built by "+family)))
	return out
}

// programs compiles a source for both families.
func (w world) programs(source string) map[string]string {
	return map[string]string{"openmpi": w.compile("openmpi", source), "mpich": w.compile("mpich", source)}
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
func (w world) run(env []string, command ...string) result {
	w.t.Helper()
	dir, err := os.MkdirTemp("", "l")
	require.NoError(w.t, err)
	defer os.RemoveAll(dir)
	keepSessionDirectory(w.t, dir)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(append(slices.Clone(w.environ), "TMPDIR="+dir, "WI4GO_LIBRARY_VERSION=runtime",
		"PATH="+filepath.Dir(w.wi4go)+":"+os.Getenv("PATH")), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	err = cmd.Run()
	require.NotNil(w.t, cmd.ProcessState, err)
	assert.NoError(w.t, ctx.Err(), "%s took too long", command)
	return result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// keepSessionDirectory makes the directory in which Open MPI 4 has the directories of its jobs, with a file, so that it
// is not removed: of two ranks without a launcher, which create it at the same time, one would fail, also natively.
func keepSessionDirectory(t *testing.T, dir string) {
	host, err := os.Hostname()
	require.NoError(t, err)
	host, _, _ = strings.Cut(host, ".")
	sessions := filepath.Join(dir, fmt.Sprintf("ompi.%s.%d", host, os.Getuid()))
	require.NoError(t, os.Mkdir(sessions, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(sessions, "kept"), nil, 0o600))
}

// lines returns the ranks' output in the order of ranks.
func (r result) lines() []string {
	lines := slices.DeleteFunc(strings.Split(r.stdout, "\n"), func(line string) bool { return !strings.HasPrefix(line, "rank ") })
	slices.Sort(lines)
	return lines
}

// ours returns wi4go's lines on stderr.
func (r result) ours() []string {
	return regexp.MustCompile(`(?m)^wi4go: .*$`).FindAllString(r.stderr, -1)
}

// version is the beginning of a library's version text.
var version = map[string]string{"openmpi": "Open MPI v", "mpich": "MPICH Version:"}

// onLibraries runs a test on each library that CI has. begins is the beginning of its version text.
func onLibraries(t *testing.T, test func(t *testing.T, runtime harness.Toolchain, begins string)) {
	for _, name := range []string{"openmpi", "openmpi-5.0", "mpich-3.4", "mpich", "mpich-5.0", "intelmpi-2021.18"} {
		t.Run("on "+name, func(t *testing.T) {
			runtime, err := harness.Find(name)
			if err != nil {
				harness.Missing(t, err)
			}
			begins := version[runtime.Family()]
			if strings.HasPrefix(name, "intelmpi") {
				begins = "Intel(R) MPI Library"
			}
			test(t, runtime, begins)
		})
	}
}

// A program that needs its MPI library by a name without a version runs on every library, whether or not a file of that
// name is found, and also if a script that wi4go cannot read starts it.
func TestUnversionedName(t *testing.T) {
	w := newWorld(t)
	programs := w.programs("unversioned.c")
	for name, soname := range map[string]string{"openmpi": "libmpi.so.40", "mpich": "libmpich.so.12"} {
		content, err := os.ReadFile(programs[name])
		require.NoError(t, err)
		stem, version, _ := strings.Cut(soname, ".so")
		require.Equal(t, 1, bytes.Count(content, []byte(soname+"\x00")))
		content = bytes.Replace(content, []byte(soname+"\x00"), []byte(stem+".so\x00"+strings.Repeat("\x00", len(version))), 1)
		require.NoError(t, os.WriteFile(programs[name], content, 0o755))
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	embedded, err := harness.FindIn(prefix, harness.Embedded)
	require.NoError(t, err)
	runs := func(t *testing.T, to string) {
		for name, program := range programs {
			for _, command := range [][]string{{program}, {"sh", "-c", "$0", program}, {"env", "-u", "LD_PRELOAD", program}, {"sh", "-c", `exec "$0"d`, strings.TrimSuffix(program, "d")}} {
				r := w.run(nil, slices.Concat([]string{w.wi4go, "run", "--to", to, "-n", "2"}, command)...)
				assert.Zero(t, r.code, r)
				assert.Equal(t, []string{"rank sum 1", "rank sum 1"}, r.lines(), "%s: %v", name, r)
			}
			r := w.run(nil, w.wi4go, "inspect", program)
			assert.Contains(t, r.stdout, "built for        "+name+"\n", r)
		}
	}
	onLibraries(t, func(t *testing.T, runtime harness.Toolchain, _ string) { runs(t, runtime.MPIExec) })
	t.Run("on embedded", func(t *testing.T) { runs(t, embedded.MPIExec) })
}

// A program that lacks a library, its own or another library's, is refused once, before the ranks start. A library that a
// variable leads to is not missing, no matter what sets it.
func TestMissingLibrary(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	gcc := func(words ...string) {
		command := exec.Command("gcc", words...)
		command.Dir = dir
		out, err := command.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	for name, text := range map[string]string{"gone.c": "int g(void) { return 0; }", "mid.c": "int g(void), f(void); int f(void) { return g(); }", "plain.c": "int f(void); int main(void) { return f(); }"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	for _, library := range []string{"lib", "half"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, library), 0o755))
	}
	gcc("-shared", "-fPIC", "-o", "lib/libgone.so", "gone.c")
	gcc("-shared", "-fPIC", "-o", "lib/libmid.so", "mid.c", "-Llib", "-lgone")
	gcc("-shared", "-fPIC", "-o", "half/libmid.so", "mid.c", "-Llib", "-lgone")
	gcc("-o", "plain", "plain.c", "-Llib", "-lmid", "-Wl,-rpath-link,lib")
	libraries, half := "LD_LIBRARY_PATH="+filepath.Join(dir, "lib"), "LD_LIBRARY_PATH="+filepath.Join(dir, "half")
	programs := map[string]string{"plain": filepath.Join(dir, "plain")}
	for _, name := range harness.Names {
		programs[name] = filepath.Join(dir, name)
		require.NoError(t, w.tools[name].Compile("programs/unversioned.c", programs[name], "-Wl,--no-as-needed", "-L"+filepath.Join(dir, "lib"), "-lmid", "-Wl,-rpath-link,"+filepath.Join(dir, "lib")))
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	embedded, err := harness.FindIn(prefix, harness.Embedded)
	require.NoError(t, err)
	for _, to := range []string{w.tools["openmpi"].MPIExec, w.tools["mpich"].MPIExec, embedded.MPIExec} {
		for name, program := range programs {
			for _, command := range [][]string{{"run", "--to", to, "-n", "2"}, {"called-as", "mpiexec", "--to", to, "-n", "2"}, {"exec", "--to", to}} {
				run := func(env []string, words ...string) result {
					return w.run(env, slices.Concat([]string{w.wi4go}, command, words)...)
				}
				for needs, env := range map[string][]string{program + " needs libmid.so": nil, filepath.Join(dir, "half/libmid.so") + " needs libgone.so": {half}} {
					r := run(env, program)
					assert.Equal(t, 1, r.code, r)
					assert.Len(t, strings.Split(r.stderr, "\n"), 2, "one line: %v", r)
					assert.Contains(t, r.stderr, needs+", but it is not on this machine", r)
				}
				if command[0] == "run" {
					assert.Zero(t, run([]string{libraries}, program).code, name)
					assert.Zero(t, run(nil, "env", libraries, program).code, name)
				}
			}
		}
		assert.Zero(t, w.run(nil, w.wi4go, "run", "--to", to, "-n", "2", "-x", libraries, programs["mpich"]).code, to)
	}
}

// A host that does not exist ends the command with one line, by each option that names it. MPICH's own launcher would wait.
func TestNoSuchHost(t *testing.T) {
	w := newWorld(t)
	file := filepath.Join(t.TempDir(), "hosts")
	require.NoError(t, os.WriteFile(file, []byte("localhost\nno-such-host.invalid\n"), 0o644))
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	embedded, err := harness.FindIn(prefix, harness.Embedded)
	require.NoError(t, err)
	stops := func(t *testing.T, to string) {
		for _, command := range [][]string{{"run"}, {"called-as", "mpiexec"}} {
			for _, options := range [][]string{{"-H", "no-such-host.invalid"}, {"-host", "no-such-host.invalid:2"}, {"-hosts", "localhost,no-such-host.invalid"}, {"--hostfile", file}, {"-f", file}} {
				r := w.run(nil, slices.Concat([]string{w.wi4go}, command, []string{"--to", to, "-n", "2"}, options, []string{"hostname"})...)
				assert.NotZero(t, r.code, r)
				assert.Empty(t, r.stdout, r)
				assert.Regexp(t, `^wi4go: [^\n]*no-such-host\.invalid[^\n]*\n$`, r.stderr, options)
			}
		}
	}
	onLibraries(t, func(t *testing.T, runtime harness.Toolchain, _ string) { stops(t, runtime.MPIExec) })
	t.Run("on embedded", func(t *testing.T) { stops(t, embedded.MPIExec) })
}

// Programs of both families in one job, in either order: one runs natively and one translated, and they communicate.
func TestMixedJob(t *testing.T) {
	w := newWorld(t)
	programs := w.programs("ring.c")
	onLibraries(t, func(t *testing.T, runtime harness.Toolchain, begins string) {
		for _, order := range [][]string{{"openmpi", "mpich", "openmpi"}, {"mpich", "openmpi"}} {
			t.Run(strings.Join(order, " "), func(t *testing.T) {
				command := []string{w.wi4go, "run", "--to", runtime.MPIExec}
				var want []string
				for i, family := range order {
					command = append(command, "-n", "1", programs[family], ":")
					token := i // each rank adds one, and the first rank one more at the end
					if i == 0 {
						token = len(order) - 1
					}
					want = append(want, fmt.Sprintf("rank %d of %d, token %d, sum %d, built by %s, %s",
						i, len(order), token, len(order)*(len(order)-1)/2, family, begins))
				}
				r := w.run(nil, command[:len(command)-1]...)
				assert.Zero(t, r.code, r)
				lines := r.lines()
				require.Len(t, lines, len(order), r)
				for i := range want {
					assert.True(t, strings.HasPrefix(lines[i], want[i]), "%s\n%s", want[i], lines[i])
				}
				assert.Empty(t, r.ours(), r)
			})
		}
	})
}

// A split by hardware resources needs no call that the native ranks of a mixed job do not make, whichever ranks take part.
func TestMixedSplit(t *testing.T) {
	w := newWorld(t)
	programs := w.programs("splits.c")
	split := func(t *testing.T, runtime string) {
		for types, sizes := range map[string][]int{"sss": {3, 3, 3}, "uss": {0, 2, 2}, "ssu": {2, 2, 0}, "sus": {2, 0, 2}, "cuc": {2, 0, 2}, "uuc": {0, 0, 1}, "kuk": nil} {
			r := w.run(nil, w.wi4go, "run", "--to", runtime, "-n", "1", programs["openmpi"], types, ":", "-n", "1", programs["mpich"], types, ":", "-n", "1", programs["openmpi"], types)
			assert.Zero(t, r.code, "%s %v", types, r)
			lines := r.lines()
			require.Len(t, lines, 3, "%s %v", types, r)
			for rank, size := range sizes {
				assert.Equal(t, fmt.Sprintf("rank %d, part %d", rank, size), lines[rank], types)
			}
		}
	}
	onLibraries(t, func(t *testing.T, runtime harness.Toolchain, _ string) { split(t, runtime.MPIExec) })
	t.Run("on embedded", func(t *testing.T) { split(t, harness.Embedded) })
}

// Values of every kind arrive at the ranks: the user's, by the launcher's own options, and wi4go's, which contain paths
// that the user chooses.
func TestVariables(t *testing.T) {
	w := newWorld(t)
	programs := w.programs("ring.c")
	const hard = `a b,c;d=e:f "q" 'r' \s $t *`
	onLibraries(t, func(t *testing.T, runtime harness.Toolchain, begins string) {
		// A separate prefix of the runtime, in a directory with a difficult name.
		prefix := filepath.Join(t.TempDir(), "x,y;z=1 2")
		root := filepath.Dir(filepath.Dir(runtime.MPIExec))
		options := map[string][]string{
			"openmpi": {"-x", "A=" + hard, "-n", "2", "-x", "B"},
			"mpich":   {"-genv", "A", hard, "-n", "2", "-env", "B", hard},
		}[runtime.Family()]
		app := programs[harness.Other(runtime.Family())]
		if root == "/usr" {
			library, err := harness.Library(programs[runtime.Family()])
			require.NoError(t, err)
			require.NoError(t, os.MkdirAll(filepath.Join(prefix, "lib"), 0o755))
			require.NoError(t, os.Symlink(library, filepath.Join(prefix, "lib", filepath.Base(library))))
		} else {
			require.NoError(t, os.Symlink(root, prefix))
		}
		command := append([]string{w.wi4go, "run", "--to", prefix}, options...)
		r := w.run([]string{"B=" + hard}, append(command, app, "A", "B", "WI4GO_TO")...)
		assert.Zero(t, r.code, r)
		lines := r.lines()
		require.Len(t, lines, 2, r)
		for i, line := range lines {
			assert.True(t, strings.HasPrefix(line, fmt.Sprintf("rank %d of 2, token 1, sum 1, built by %s, %s", i, harness.Other(runtime.Family()), begins)), line)
			assert.Contains(t, line, fmt.Sprintf(", A=<%s>, B=<%s>, WI4GO_TO=<%s/lib/", hard, hard, prefix))
		}
	})
}

// Ranks search the user's PATH first, as if the user starts the launcher by its name: python3 of an active virtual
// environment precedes /usr/bin/python3.
func TestPathOfRanks(t *testing.T) {
	w := newWorld(t)
	for from, program := range w.programs("ring.c") {
		for _, to := range []string{"openmpi", "mpich"} {
			dir := t.TempDir()
			text, err := os.ReadFile(program)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "nproc"), text, 0o755)) // also in /usr/bin
			r := w.run([]string{"PATH=" + dir + ":" + os.Getenv("PATH")}, w.wi4go, "run", "--to", filepath.Base(w.tools[to].MPIExec), "-n", "2", "nproc")
			assert.Zero(t, r.code, "%s on %s: %s", from, to, r)
			assert.Equal(t, 2, strings.Count(r.stdout, " of 2, token 1"), "%s on %s: %s", from, to, r)
		}
	}
}

// The launcher's own processes do not get the ranks' variables.
func TestLauncherIsLeftAlone(t *testing.T) {
	w := newWorld(t)
	w.environ = harness.PlainEnviron() // a launcher with a preload would hide ours
	starts := w.programs("starts.c")
	for _, runtime := range harness.Names {
		r := w.run(nil, w.wi4go, "run", "--to", w.tools[runtime].MPIExec, "-n", "1", starts[harness.Other(runtime)],
			`env; echo "launcher:"; read -r _ _ _ parent _ </proc/$PPID/stat; tr '\0' '\n' </proc/$parent/environ; cat /proc/$parent/comm`)
		assert.Zero(t, r.code, r)
		rank, launcher, _ := strings.Cut(r.stdout, "launcher:\n")
		assert.Contains(t, rank, "\nWI4GO_TO=", "%s", r)
		assert.Contains(t, launcher, "\nPATH=")
		assert.NotContains(t, launcher, "WI4GO_TO=")
		assert.NotContains(t, launcher, "LD_PRELOAD=")
	}
}

var message = regexp.MustCompile(`^wi4go: (warning: )?(.*) started (\d) processes, but (\S+) \((.*)\) does not support this launcher, ` +
	`so each process runs as rank 0 of 1 or stops in MPI_Init: start them with: (.*)$`)

// launcher is the name of a family's mpiexec in the message.
var launcher = map[string]string{"openmpi": "an mpiexec of Open MPI", "mpich": "an mpiexec of MPICH's family"}

// Ranks of the other family's launcher report that once, with a command that works. WI4GO_STRICT=1 stops them,
// WI4GO_STRICT=0 silences them.
func TestWrongLauncher(t *testing.T) {
	w := newWorld(t)
	programs := w.programs("ring.c")
	for _, c := range []struct{ app, runtime, how string }{
		{"openmpi", "mpich", ""}, {"mpich", "openmpi", ""},
		// The same family: natively, and by the identity translation.
		{"openmpi", "openmpi", ""}, {"mpich", "mpich", ""},
		{"openmpi", "openmpi", " --identity"}, {"mpich", "mpich", " --identity"},
	} {
		t.Run(c.app+" on "+c.runtime+c.how, func(t *testing.T) {
			wrong := harness.Other(c.runtime)
			command := append([]string{w.tools[wrong].MPIExec, "-n", "2", w.wi4go, "exec", "--to", c.runtime}, strings.Fields(c.how)...)
			command = append(command, programs[c.app], "A B")
			r := w.run(nil, command...)
			require.Len(t, r.ours(), 1, r)
			found := message.FindStringSubmatch(r.ours()[0])
			require.NotNil(t, found, r)
			assert.Equal(t, []string{"warning: ", launcher[wrong], "2"}, found[1:4])
			library, right := found[4], found[6]
			assert.Equal(t, fmt.Sprintf("wi4go run --to %s -n 2 %s 'A B'", library, programs[c.app]), right)
			assert.Len(t, r.lines(), 2, r)
			for _, line := range r.lines() {
				assert.True(t, strings.HasPrefix(line, "rank 0 of 1, "), line)
			}

			r = w.run(nil, "sh", "-c", right)
			assert.Zero(t, r.code, r)
			assert.Empty(t, r.ours(), r)
			assert.Len(t, r.lines(), 2, r)
			for i, line := range r.lines() {
				assert.True(t, strings.HasPrefix(line, fmt.Sprintf("rank %d of 2, ", i)), line)
				assert.Contains(t, line, version[c.runtime])
			}

			r = w.run([]string{"WI4GO_STRICT=1"}, command...)
			assert.NotZero(t, r.code, r)
			assert.Empty(t, r.lines(), r)
			require.Len(t, r.ours(), 1, r)
			assert.Empty(t, message.FindStringSubmatch(r.ours()[0])[1])

			r = w.run([]string{"WI4GO_STRICT=0"}, command...)
			assert.Zero(t, r.code, r)
			assert.Empty(t, r.ours(), r)
			assert.Len(t, r.lines(), 2, r)
		})
	}
}

// A session's world is checked like MPI_COMM_WORLD.
func TestWrongLauncherOfASession(t *testing.T) {
	w := newWorld(t)
	runtime, err := harness.Find("openmpi-5.0")
	if err != nil {
		harness.Missing(t, err)
	}
	app := w.compile("mpich", "session.c")
	r := w.run(nil, w.tools["mpich"].MPIExec, "-n", "2", w.wi4go, "exec", "--to", runtime.MPIExec, app)
	assert.Zero(t, r.code, r)
	assert.Equal(t, []string{"rank of 1", "rank of 1"}, r.lines(), r)
	require.Len(t, r.ours(), 1, r)
	assert.Regexp(t, message, r.ours()[0])

	r = w.run([]string{"WI4GO_STRICT=1"}, w.tools["mpich"].MPIExec, "-n", "2", w.wi4go, "exec", "--to", runtime.MPIExec, app)
	assert.NotZero(t, r.code, r)
	assert.Empty(t, r.lines(), r)

	r = w.run(nil, w.wi4go, "run", "--to", runtime.MPIExec, "-n", "2", app)
	assert.Zero(t, r.code, r)
	assert.Equal(t, []string{"rank of 2", "rank of 2"}, r.lines(), r)
	assert.Empty(t, r.ours(), r)
}

// Intended worlds of one process give no warning: one rank by the other launcher; a program that a rank starts; a
// process that two ranks spawn.
func TestNoFalseAlarm(t *testing.T) {
	w := newWorld(t)
	rings, starts := w.programs("ring.c"), w.programs("starts.c")
	for _, runtime := range harness.Names {
		other := harness.Other(runtime)
		for _, app := range harness.Names {
			r := w.run(nil, w.tools[other].MPIExec, "-n", "1", w.wi4go, "exec", "--to", runtime, rings[app])
			assert.Zero(t, r.code, r)
			assert.Empty(t, r.ours(), r)

			inner := strings.Join([]string{w.wi4go, "exec", "--to", runtime, rings[app]}, " ")
			r = w.run(nil, w.tools[other].MPIExec, "-n", "2", starts[other], inner)
			assert.Zero(t, r.code, r)
			assert.Empty(t, r.ours(), r)
			assert.Len(t, r.lines(), 2, r)
		}
	}
}

// A spawned process has its own world with the requested number of processes, however long the paths to its library
// are.
func TestSpawn(t *testing.T) {
	w := newWorld(t)
	far := filepath.Join(t.TempDir(), strings.Repeat("a", 200), strings.Repeat("b", 200), "libtool.so")
	require.NoError(t, os.MkdirAll(filepath.Dir(far), 0o755))
	text, err := exec.Command("gcc", "-shared", "-o", far, "-xc", "/dev/null").CombinedOutput()
	require.NoError(t, err, string(text))
	programs := w.programs("spawns.c")
	for _, name := range []string{"openmpi", "openmpi-5.0"} {
		for _, family := range harness.Names {
			t.Run(family+" on "+name, func(t *testing.T) {
				runtime, err := harness.Find(name)
				if err != nil {
					harness.Missing(t, err)
				}
				r := w.run([]string{"LD_PRELOAD=" + far}, w.wi4go, "run", "--to", runtime.MPIExec, "-n", "2", programs[family], far)
				assert.Zero(t, r.code, r)
				assert.Contains(t, r.stdout, "parent 0 of 2, token 1\n")
				assert.Contains(t, r.stdout, "parent 1 of 2, token 5\n")
				assert.Empty(t, r.ours(), r)
			})
		}
	}
}
