// Package slurm runs programs under a real Slurm, which it starts on this machine: natively, and by `wi4go exec` with
// the process manager that the library understands and with another one.
package slurm

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// slurm is the cluster of all tests in this package, or nil; missing is then the reason.
var (
	slurm   *cluster
	missing error
)

func TestMain(m *testing.M) {
	slurm, missing = startCluster()
	code := m.Run()
	if slurm != nil {
		if err := slurm.stop(); err != nil {
			fmt.Fprintln(os.Stderr, "slurm:", err)
			code = 1
		}
	}
	os.Exit(code)
}

const limit = 90 * time.Second

// world is everything that the tests need besides the cluster.
type world struct {
	t     *testing.T
	wi4go string
	apps  map[string]string // the program, by the family that compiled it
}

// library returns the path of the family's library on this machine.
func (w world) library(family string) string {
	path, err := harness.Library(w.apps[family])
	require.NoError(w.t, err)
	return realPath(path)
}

func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

func newWorld(t *testing.T) world {
	t.Helper()
	harness.All.From(t, "it needs a cluster of one host")
	if slurm == nil {
		harness.Missing(t, missing)
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	w := world{t, filepath.Join(prefix, "bin", "wi4go"), map[string]string{}}
	if _, err := os.Stat(w.wi4go); err != nil {
		harness.Missing(t, fmt.Errorf("%s: %w; run make first", w.wi4go, harness.ErrMissing))
	}
	for _, family := range harness.Names {
		tools, err := harness.Find(family)
		if err != nil {
			harness.Missing(t, err)
		}
		w.apps[family] = filepath.Join(t.TempDir(), "world-"+family)
		require.NoError(t, tools.Compile("programs/world.c", w.apps[family]))
	}
	return w
}

// plugin is the --mpi option of srun that a family understands, and crossed the other one.
var plugin = map[string]string{"openmpi": "pmix", "mpich": "pmi2"}
var crossed = map[string]string{"openmpi": "pmi2", "mpich": "pmix"}

func srun(plugin string, ranks int, command ...string) result {
	return slurm.run(limit, append([]string{"srun", "--mpi=" + plugin, fmt.Sprintf("--ntasks=%d", ranks), "--kill-on-bad-exit=0"}, command...)...)
}

// lines returns the ranks that have printed something, in order.
func (r result) lines() []string {
	found := regexp.MustCompile(`(?m)^rank \d+ of \d+, sum \d+`).FindAllString(r.stdout, -1)
	if len(found) == 2 && found[0] > found[1] {
		found[0], found[1] = found[1], found[0]
	}
	return found
}

var (
	together = []string{"rank 0 of 2, sum 1", "rank 1 of 2, sum 1"}
	alone    = []string{"rank 0 of 1, sum 0", "rank 0 of 1, sum 0"}
)

// ours returns wi4go's lines on stderr.
func (r result) ours() []string {
	return regexp.MustCompile(`(?m)^wi4go: .*$`).FindAllString(r.stderr, -1)
}

// The possible results of two tasks of srun.
const (
	oneWorld = "one world"
	eachOne  = "each alone"
	stops    = "stops"
)

func (r result) verdict(t *testing.T) string {
	t.Helper()
	assert.False(t, r.late, r)
	switch {
	case r.code == 0 && slices.Equal(r.lines(), together):
		return oneWorld
	case r.code == 0 && slices.Equal(r.lines(), alone):
		return eachOne
	case r.code != 0 && len(r.lines()) == 0:
		return stops
	}
	return r.String()
}

// Each library with each plugin: its own program natively, and a program of the other family on it. The latter has no
// worse result, and reports the problem if the tasks are not one world.
func TestLibraries(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct{ library, pmi2, pmix string }{
		{"openmpi", stops, oneWorld},
		{"openmpi-5.0", eachOne, oneWorld},
		{"mpich-3.4", oneWorld, eachOne},
		{"mpich", oneWorld, eachOne},
		{"mpich-5.0", oneWorld, stops},
		{"intelmpi-2021.18", oneWorld, oneWorld},
	} {
		t.Run(c.library, func(t *testing.T) {
			tools, err := harness.Find(c.library)
			if err != nil {
				harness.Missing(t, err)
			}
			native := filepath.Join(t.TempDir(), "world")
			require.NoError(t, tools.Compile("programs/world.c", native))
			for plugin, want := range map[string]string{"pmi2": c.pmi2, "pmix": c.pmix} {
				// Intel's programs need the path of their library.
				r := srun(plugin, 2, "env", "LD_LIBRARY_PATH="+filepath.Join(tools.Root(), "lib"), native)
				assert.Equal(t, want, r.verdict(t), "%s natively: %s", plugin, r)
				r = srun(plugin, 2, w.wi4go, "exec", "--to", tools.MPIExec, w.apps[harness.Other(tools.Family())])
				assert.Equal(t, want, r.verdict(t), "%s through wi4go: %s", plugin, r)
				assert.Len(t, r.ours(), map[bool]int{true: 0, false: 1}[want == oneWorld], r)
			}
		})
	}
}

var message = regexp.MustCompile(`^wi4go: warning: (.*) started 2 processes, but (\S+) \((.*)\) does not support this launcher, ` +
	`so each process runs as rank 0 of 1 or stops in MPI_Init: start them with: (.*)$`)

// Every program on every library: one world with the right plugin; with the wrong one a message, once, that names the
// right one in a command that works.
func TestExec(t *testing.T) {
	w := newWorld(t)
	for _, runtime := range harness.Names {
		for _, app := range harness.Names {
			t.Run(app+" on "+runtime, func(t *testing.T) {
				executed := map[string]string{"openmpi": "Open MPI v", "mpich": "MPICH Version:"}[runtime]
				good := func(r result) {
					t.Helper()
					assert.Zero(t, r.code, r)
					assert.Equal(t, together, r.lines(), r)
					assert.Equal(t, 2, strings.Count(r.stdout, executed), r)
					assert.Empty(t, r.ours(), r)
				}
				good(srun(plugin[runtime], 2, w.wi4go, "exec", "--to", runtime, w.apps[app]))
				good(srun(plugin[runtime], 2, w.wi4go, "exec", w.apps[app])) // the library that understands it

				for _, wrong := range []string{crossed[runtime], "none"} {
					r := srun(wrong, 2, w.wi4go, "exec", "--to", runtime, w.apps[app], "a b")
					require.Len(t, r.ours(), 1, r)
					found := message.FindStringSubmatch(r.ours()[0])
					require.NotNil(t, found, r)
					by, library, title, command := found[1], found[2], found[3], found[4]
					assert.Equal(t, map[bool]string{true: "srun", false: "srun --mpi=" + wrong}[wrong == "none"], by)
					assert.Equal(t, map[string]string{"openmpi": "Open MPI", "mpich": "MPICH"}[runtime], title)
					assert.Equal(t, w.library(runtime), realPath(library))
					assert.Equal(t, fmt.Sprintf("srun --mpi=%s -n 2 wi4go exec --to %s %s 'a b'", plugin[runtime], library, w.apps[app]), command)
					good(slurm.run(limit, "env", "PATH="+filepath.Dir(w.wi4go)+":"+os.Getenv("PATH"), "sh", "-c", command))
					assert.False(t, r.late, r)
					if r.code == 0 {
						assert.Equal(t, alone, r.lines(), r)
					}
				}
			})
		}
	}
}

// The embedded MPI needs no process manager: its ranks find each other under every plugin. A rank that ends also ends the
// others, which srun leaves alone here.
func TestEmbedded(t *testing.T) {
	w := newWorld(t)
	for _, plugin := range []string{"pmi2", "pmix", "none"} {
		for family, app := range w.apps {
			r := srun(plugin, 2, w.wi4go, "exec", "--to", "embedded", app)
			assert.Equal(t, oneWorld, r.verdict(t), "%s %s: %s", plugin, family, r)
			assert.Empty(t, r.ours(), r)
		}
	}
	killed := filepath.Join(t.TempDir(), "killed")
	tools, err := harness.Find(harness.Names[0])
	require.NoError(t, err)
	require.NoError(t, tools.Compile("../embedded/programs/death.c", killed))
	r := srun("none", 3, w.wi4go, "exec", "--to", "embedded", killed, "kill", "compute")
	assert.False(t, r.late, r)
	assert.NotZero(t, r.code, r)
	assert.Regexp(t, "rank [02]: rank 1 has ended", r.stderr) // one of the others prints it
}

func TestStrict(t *testing.T) {
	w := newWorld(t)
	for _, runtime := range harness.Names {
		for _, app := range harness.Names {
			r := srun(crossed[runtime], 2, "env", "WI4GO_STRICT=1", w.wi4go, "exec", "--to", runtime, w.apps[app])
			assert.Equal(t, 1, r.code, r)
			assert.Empty(t, r.stdout, r)
			require.Len(t, r.ours(), 1, r)
			assert.Contains(t, r.ours()[0], "wi4go: srun --mpi="+crossed[runtime]+" started 2 processes, but ")
		}
	}
}

// Intended worlds of one process: no message.
func TestNoFalseAlarm(t *testing.T) {
	w := newWorld(t)
	exec := []string{w.wi4go, "exec", "--to", "mpich", w.apps["openmpi"]}
	one := func(r result) {
		t.Helper()
		assert.Zero(t, r.code, r)
		assert.Equal(t, []string{"rank 0 of 1, sum 0"}, r.lines(), r)
		assert.Empty(t, r.ours(), r)
	}
	one(srun("pmix", 1, exec...))
	one(slurm.run(limit, append([]string{"salloc", "--quiet", "--ntasks=2"}, exec...)...))

	// A batch script is no task, although its environment has a number of tasks.
	script, out := slurm.at("batch"), slurm.at("batch.out")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\n"+strings.Join(exec, " ")+"\n"), 0o755))
	r := slurm.run(limit, "sbatch", "--wait", "--ntasks=2", "--output="+out, script)
	require.Zero(t, r.code, r)
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	one(result{stdout: string(text), stderr: string(text)})
}

// `wi4go exec` changes no variable of the process manager. It adds the variables that the program's own launcher would
// set.
func TestEnvironmentIsKept(t *testing.T) {
	w := newWorld(t)
	for _, manager := range []string{"pmi2", "pmix"} {
		for _, runtime := range harness.Names {
			app := w.apps[harness.Other(runtime)]
			r := srun(manager, 2, "sh", "-c", fmt.Sprintf("%[1]s print > natively.$SLURM_PROCID && %[2]s exec --to %[3]s %[1]s print > ours.$SLURM_PROCID",
				app, w.wi4go, runtime))
			require.Zero(t, r.code, r)
			for _, rank := range []string{"0", "1"} {
				natively, err := os.ReadFile(slurm.at("natively." + rank))
				require.NoError(t, err)
				ours, err := os.ReadFile(slurm.at("ours." + rank))
				require.NoError(t, err)
				assert.Contains(t, string(natively), "_RANK="+rank+"\n")
				added := ""
				if manager == "pmix" && runtime == "openmpi" {
					added = "PMI_RANK=" + rank + "\nPMI_SIZE=2\nPMI_LOCAL_RANK=" + rank + "\nPMI_LOCAL_SIZE=2\n"
				}
				assert.Equal(t, string(natively)+added, string(ours), "%s, on %s", manager, runtime)
			}
		}
	}
}

// Before MPI_Init a program, and a script that starts it, find the variables of its own MPI's launcher. srun sets none
// of them.
func TestRankVariables(t *testing.T) {
	w := newWorld(t)
	bind := filepath.Join(t.TempDir(), "bind")
	require.NoError(t, os.WriteFile(bind, []byte("#!/bin/sh\necho device ${OMPI_COMM_WORLD_LOCAL_RANK:-${MPI_LOCALRANKID:-none}}\nexec \"$@\"\n"), 0o755))
	for family, names := range map[string][]string{
		"openmpi": {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
		"mpich":   {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
	} {
		tools, err := harness.Find(family)
		require.NoError(t, err)
		app := filepath.Join(t.TempDir(), family)
		require.NoError(t, tools.Compile("../launch/programs/ranks.c", app))
		runtime := harness.Other(family)
		for _, command := range [][]string{{app}, {bind, app}} {
			r := srun(plugin[runtime], 2, slices.Concat([]string{w.wi4go, "exec", "--to", runtime}, command, names)...)
			assert.Zero(t, r.code, r)
			assert.Empty(t, r.ours(), r)
			for _, rank := range []string{"0", "1"} {
				assert.Contains(t, r.stdout, "rank "+rank+" of 2, started, right, ", r)
				assert.Equal(t, len(command) > 1, strings.Contains(r.stdout, "device "+rank), r)
			}
		}
		// Variables of a process manager that no library understands are not used.
		r := srun("none", 2, w.wi4go, "exec", "--to", runtime, "sh", "-c", `echo "<$OMPI_COMM_WORLD_RANK$PMI_RANK>"`)
		assert.Equal(t, "<>\n<>\n", r.stdout, r)
	}
}

// The tests end the processes that they started and no others: no process of the cluster remains after it has stopped.
func TestNothingIsLeft(t *testing.T) {
	if slurm == nil {
		harness.Missing(t, missing)
	}
	second, err := startCluster()
	require.NoError(t, err)
	sleeper := exec.Command("srun", "sleep", "1000")
	sleeper.Env = second.environ()
	require.NoError(t, sleeper.Start())
	assert.Eventually(t, func() bool { return second.run(limit, "squeue", "--noheader", "--states=running").stdout != "" }, limit, 100*time.Millisecond)
	assert.NoError(t, second.stop())
	sleeper.Wait()
	assert.NoDirExists(t, second.dir)
	assert.Empty(t, second.processes())
}
