package launch

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/family"
	"wi4go/internal/launchers"
	"wi4go/internal/rankvars"
	"wi4go/tests/harness"
)

// variables are the variables by which programs of a family find, before MPI_Init, their rank, the size of the world,
// and both for the processes on their host.
var variables = map[string][]string{
	"openmpi": {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE",
		"OMPI_COMM_WORLD_NODE_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_NODE_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
	"mpich": {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS",
		"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE"},
}

// rankPrograms returns programs of both families and of the standard ABI that compare their variables with MPI, each
// with the variables' names.
func (w world) rankPrograms() map[string][]string {
	w.t.Helper()
	commands := map[string][]string{}
	for _, name := range harness.Names {
		commands[name] = append([]string{w.compile(name, "ranks.c")}, variables[name]...)
	}
	return commands
}

// compileInterface compiles a program by wi4go's own mpicc, and returns its path.
func (w world) compileInterface(source string, flags ...string) string {
	w.t.Helper()
	tools, err := harness.FindIn(filepath.Dir(filepath.Dir(w.wi4go)), harness.Interface)
	if err != nil {
		harness.Missing(w.t, err)
	}
	out := filepath.Join(w.t.TempDir(), "interface")
	require.NoError(w.t, tools.Compile(filepath.Join("programs", source), out, flags...))
	return out
}

// right asserts that each of two ranks has found the right variables.
func (w world) right(r result, begins string) {
	w.t.Helper()
	assert.Zero(w.t, r.code, r)
	require.Len(w.t, r.lines(), 2, r)
	for i, line := range r.lines() {
		assert.True(w.t, strings.HasPrefix(line, fmt.Sprintf("rank %d of 2, started, right, %s", i, begins)), r)
	}
	assert.Empty(w.t, r.ours(), r)
}

// script writes a script that starts its arguments if some variables are set.
func (w world) script(names ...string) string {
	w.t.Helper()
	file := filepath.Join(w.t.TempDir(), "bind")
	text := "#!/bin/sh\n"
	for _, name := range names {
		text += fmt.Sprintf("[ -n \"$%[1]s\" ] || { echo no %[1]s; exit 3; }\n", name)
	}
	require.NoError(w.t, os.WriteFile(file, []byte(text+"exec \"$@\"\n"), 0o755))
	return file
}

// A program of another family finds the variables of its own MPI's launcher, and so does a script that starts it. A
// program of the standard ABI finds every family's.
func TestRankVariables(t *testing.T) {
	w := newWorld(t)
	programs := w.rankPrograms()
	programs[harness.Interface] = slices.Concat([]string{w.compileInterface("ranks.c")}, variables["openmpi"], variables["mpich"][:4])
	onLibraries(t, func(t *testing.T, runtime harness.Toolchain, begins string) {
		w := w
		w.t = t
		for _, from := range []string{harness.Other(runtime.Family()), harness.Interface} {
			run, command := []string{w.wi4go, "run", "--to", runtime.MPIExec, "-n", "2"}, programs[from]
			w.right(w.run(nil, append(run, command...)...), begins)
			w.right(w.run(nil, slices.Concat(run, []string{w.script(command[1:]...)}, command)...), begins)
			exec := []string{runtime.MPIExec, "-n", "2", w.wi4go, "exec", "--to", runtime.MPIExec}
			w.right(w.run(nil, append(exec, command...)...), begins)
			w.right(w.run(nil, slices.Concat(exec, []string{w.wi4go, "exec"}, command)...), begins)
			// The family of the program that a script will start is unknown.
			w.right(w.run(nil, slices.Concat(run, []string{"sh", "-c", `"$0" "$@"`}, command)...), begins)
		}
	})
}

// Whatever starts in a rank has the variables that a launcher of its family gives natively: a script, Python, a wrapper
// and a child of a compiled program. On the embedded MPI it has those of every family.
func TestRankVariablesAsNatively(t *testing.T) {
	w := newWorld(t)
	programs := w.programs("starts.c")
	show := func(f *family.Family) []string {
		return []string{"sh", "-c", `echo rank $(env | grep -E "^(` + strings.Join(launchers.Of(f.Launcher).Numbers.Names(), "|") + `)=" | sort)`} // one write
	}
	natively := map[string][][]string{} // the variables of each rank
	for _, name := range harness.Names {
		f, err := family.Of(name)
		require.NoError(t, err)
		natively[name] = ranksOf(w.run(nil, append([]string{w.tools[name].MPIExec, "-n", "2"}, show(f)...)...))
		require.Len(t, natively[name], 2)
		require.GreaterOrEqual(t, len(natively[name][1]), 4, natively)
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	embedded, err := harness.FindIn(prefix, harness.Embedded)
	require.NoError(t, err)
	onAll := func(t *testing.T, to string, families ...string) {
		for _, name := range families {
			f, err := family.Of(name)
			require.NoError(t, err)
			script := filepath.Join(t.TempDir(), "script")
			require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\n"+show(f)[2]+"\n"), 0o755))
			for _, command := range [][]string{
				show(f), {script}, append([]string{"env"}, show(f)...), {"python3", "-c", "import os; os.system('" + script + "')"}, {programs[name], script},
				append([]string{w.wi4go, "exec"}, show(f)...),
			} {
				r := w.run(nil, slices.Concat([]string{w.wi4go, "run", "--to", to, "-n", "2"}, command)...)
				assert.Zero(t, r.code, r)
				got := ranksOf(r)
				require.Len(t, got, 2, r)
				for rank := range got {
					assert.Subset(t, got[rank], natively[name][rank], "%s on %s: %v", name, to, command)
				}
			}
		}
	}
	onLibraries(t, func(t *testing.T, runtime harness.Toolchain, begins string) {
		onAll(t, runtime.MPIExec, harness.Other(runtime.Family()))
	})
	t.Run("on embedded", func(t *testing.T) { onAll(t, embedded.MPIExec, harness.Names...) })
}

// ranksOf returns the words of each line that a rank has printed.
func ranksOf(r result) (ranks [][]string) {
	for _, line := range r.lines() {
		ranks = append(ranks, strings.Fields(line))
	}
	return ranks
}

// So does a wrapper that loads no library, before a program that finds wi4go only by a preload.
func TestRankVariablesOfWrapper(t *testing.T) {
	w := newWorld(t)
	wrapper := filepath.Join(t.TempDir(), "binds")
	text, err := exec.Command("gcc", "-static", "-o", wrapper, "programs/binds.c").CombinedOutput()
	require.NoError(t, err, string(text))
	for family, app := range w.programs("ranks.c") {
		library, err := harness.Library(app)
		require.NoError(t, err)
		bound := filepath.Join(t.TempDir(), family)
		require.NoError(t, w.tools[family].Compile("programs/ranks.c", bound, "-Wl,--disable-new-dtags,-rpath,"+filepath.Dir(library)))
		runtime := harness.Other(family)
		for _, app := range []string{app, bound} {
			r := w.run(nil, append([]string{w.wi4go, "run", "--to", runtime, "-n", "2", wrapper, variables[family][2], app}, variables[family]...)...)
			w.right(r, version[runtime])
			assert.Contains(t, r.stdout, "device 0\n", r)
			assert.Contains(t, r.stdout, "device 1\n", r)
		}
	}
}

// A library of the program's family needs no variables, and the user may disable them.
func TestNoRankVariables(t *testing.T) {
	w := newWorld(t)
	programs := w.programs("starts.c")
	for _, runtime := range harness.Names {
		run := []string{w.wi4go, "run", "--to", runtime, "-n", "1"}
		r := w.run(nil, append(run, programs[runtime], "env")...)
		assert.Zero(t, r.code, r)
		assert.NotContains(t, r.stdout, rankvars.Variable)
		other := harness.Other(runtime)
		r = w.run(nil, append(run, programs[other], "env")...)
		assert.Contains(t, r.stdout, rankvars.Variable+"="+variables[other][0]+",", r)
		for _, command := range [][]string{run, append(slices.Clone(run), "sh", "-c", `"$0" "$@"`)} {
			r = w.run([]string{rankvars.Variable + "=0"}, append(command, programs[other], "env")...)
			assert.Zero(t, r.code, r)
			assert.NotContains(t, r.stdout, "\n"+variables[other][2]+"=", r)
		}
		// A single process belongs to no launcher.
		r = w.run(nil, w.wi4go, "exec", "--to", runtime, programs[other], "env")
		assert.Zero(t, r.code, r)
		assert.NotContains(t, r.stdout, variables[other][0])
	}
}

// A spawned process has its own rank, not the rank of the process that has spawned it.
func TestRankVariablesOfSpawned(t *testing.T) {
	w := newWorld(t)
	programs := w.programs("ranks.c")
	programs[harness.Interface] = w.compileInterface("ranks.c")
	names := map[string][]string{"openmpi": variables["openmpi"][:4], "mpich": variables["mpich"]}
	names[harness.Interface] = slices.Concat(names["openmpi"], names["mpich"][:4])
	for _, name := range []string{"openmpi", "openmpi-5.0", "mpich-5.0"} {
		t.Run("on "+name, func(t *testing.T) {
			w := w
			w.t = t
			runtime, err := harness.Find(name)
			if err != nil {
				harness.Missing(t, err)
			}
			for _, from := range []string{harness.Other(runtime.Family()), harness.Interface} {
				r := w.run(nil, append([]string{w.wi4go, "run", "--to", runtime.MPIExec, "-n", "2", programs[from], "spawn"}, names[from]...)...)
				assert.Zero(t, r.code, r)
				require.Len(t, r.lines(), 4, r)
				for i, line := range r.lines() {
					how := []string{"spawned", "started"}[i%2]
					assert.True(t, strings.HasPrefix(line, fmt.Sprintf("rank %d of 2, %s, right, ", i/2, how)), r)
				}
				assert.Empty(t, r.ours(), r)
			}
		})
	}
}

// A program with the library inside finds the variables by itself, and still uses the library whose launcher has
// started it.
func TestRankVariablesOfStatic(t *testing.T) {
	w := newWorld(t)
	static := w.compileInterface("ranks.c", "-static-mpi")
	for _, runtime := range harness.Names {
		command := append([]string{w.tools[runtime].MPIExec, "-n", "2", static}, variables[harness.Other(runtime)]...)
		w.right(w.run(nil, command...), version[runtime])
	}
}

// A job that a rank of another job starts has its own ranks.
func TestRankVariablesOfNested(t *testing.T) {
	w := newWorld(t)
	programs := w.rankPrograms()
	for _, outer := range harness.Names {
		inner := harness.Other(outer)
		// The processes of the inner launcher read the variables that the outer one has set.
		command := append([]string{w.wi4go, "run", "--to", inner, "-n", "2"}, programs[outer]...)
		w.right(w.run(nil, slices.Concat([]string{w.tools[outer].MPIExec, "-n", "1"}, command)...), version[inner])
	}
}

// Neither a library nor its launcher mistakes wi4go's variables for a launcher's.
func TestRuntimesAreNotMistaken(t *testing.T) {
	w := newWorld(t)
	set := []string{rankvars.Variable + "=0"}
	for _, names := range variables {
		for i, name := range names {
			set = append(set, name+"="+[]string{"1", "2"}[i%2])
		}
	}
	onLibraries(t, func(t *testing.T, runtime harness.Toolchain, begins string) {
		w := w
		w.t = t
		native := filepath.Join(t.TempDir(), "native")
		require.NoError(t, runtime.Compile("programs/ranks.c", native))
		env := append(slices.Clone(set), "LD_LIBRARY_PATH="+filepath.Join(runtime.Root(), "lib"))
		r := w.run(env, native)
		assert.Zero(t, r.code, r)
		require.Len(t, r.lines(), 1, r)
		assert.True(t, strings.HasPrefix(r.lines()[0], "rank 0 of 1, started, right, "+begins), r)
		own := variables[runtime.Family()][:4]
		w.right(w.run(env, append([]string{runtime.MPIExec, "-n", "2", native}, own...)...), begins)
	})
}

// The front and the command set the same variables, whatever the environment is.
func TestFrontSetsWhatTheCommandSets(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(31, 4))
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	value := func() string { return pick("0", "1", "1", "2", "2", "", "x", "-1", "12345678901", "07") }
	var all []string
	for _, l := range launchers.All {
		if l.Step == nil {
			all = slices.Concat(all, l.Numbers.Names(), l.Process.Signs)
		}
	}
	set := 0
	for n := range harness.Number(t, "WI4GO_FUZZ", 300) {
		var environ []string
		for _, name := range append(all, "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_NODEID", "PMIX_RANK", "PMI_SPAWNED") {
			if random.IntN(4) == 0 {
				environ = append(environ, name+"="+value())
			}
		}
		for name, values := range map[string][]string{
			"SLURM_STEP_ID":             {"0", "7", "4294967290", "x"},
			"SLURM_MPI_TYPE":            {"pmi2", "pmix", "pmix_v4", "none", "cray_shasta"},
			"PMIX_NAMESPACE":            {"slurm.pmix.1.0", "prterun-a-1@1"},
			"SLURM_STEP_TASKS_PER_NODE": {"2", "2(x3)", "1,2(x2)", "2(x0),1", "2(x2", ",", "12345678901", "1(x2)3"},
			"I_MPI_PMI_LIBRARY":         {"/usr/lib/libpmi2.so"},
			rankvars.Variable:           {"0", "PMI_RANK,PMI_SIZE", "OMPI_COMM_WORLD_RANK", strings.Join(all, ","), "HOME,,PMI_FD"},
		} {
			if random.IntN(2) == 0 {
				environ = append(environ, name+"="+pick(values...))
			}
		}
		f := family.All[n%len(family.All)]
		front := filepath.Join(prefix, "lib/wi4go", f.Name, f.Sonames[0])
		if _, err := os.Stat(front); err != nil {
			harness.Missing(t, fmt.Errorf("%s: %w; run make first", front, harness.ErrMissing))
		}
		environ = append(environ, "LD_PRELOAD="+front)
		command := exec.Command("/usr/bin/env")
		command.Env = environ
		out, err := command.Output()
		require.NoError(t, err)
		got, want := byName(strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")), byName(environ)
		missing := rankvars.Missing(func(name string) string { return want[name] }, f)
		listed := strings.Split(got[rankvars.Variable], ",")
		for _, v := range missing {
			want[v.Name] = v.Value
			if v.Name != rankvars.Variable {
				set++
				assert.Contains(t, listed, v.Name)
			}
		}
		delete(want, rankvars.Variable) // the front stores the variables of a parent here
		delete(got, rankvars.Variable)
		require.Equal(t, want, got, "%s: %s", f.Name, strings.Join(environ, " "))
	}
	assert.Greater(t, set, 100)
}

// byName returns the values of an environment's variables.
func byName(environ []string) map[string]string {
	values := map[string]string{}
	for _, v := range environ {
		name, value, _ := strings.Cut(v, "=")
		values[name] = value
	}
	return values
}
