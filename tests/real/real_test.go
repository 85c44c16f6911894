// Package real runs MPI programs that others compiled for one MPI (Debian's, Intel's and mpi4py) on other libraries
// through wi4go, and compares their results with the native ones.
package real

import (
	"bytes"
	"context"
	"errors"
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

// runTimeout ends a run that hangs. The longest run takes seconds.
const runTimeout = 2 * time.Minute

// embedded is the name of the embedded MPI, which has no compiler of its own.
const embedded = "embedded"

// job is a program and the library that it was built for.
type job struct {
	program string // its name in PATH, or its path
	deb     string // the Debian package that contains it
	family  string // its library's family: a name that harness.Find knows
	ranks   int
	args    []string
	inputs  []string // files of this directory that are copied to the job's
	stdin   string   // a file that it reads from there
	env     []string
	prepare func(dir string) error // makes other files that it needs in its directory
}

// ran is the output and the files of a run.
type ran struct {
	dir    string
	stdout string
	stderr string
}

// file returns the content of a file that the program wrote.
func (r ran) file(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(r.dir, name))
	require.NoError(t, err, r)
	return content
}

func (r ran) String() string { return r.stdout + r.stderr }

// native runs the job with the launcher of its own family.
func (j job) native(t *testing.T) ran {
	t.Helper()
	tools, err := harness.Find(j.family)
	if err != nil {
		harness.Missing(t, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), runTimeout)
	defer cancel()
	cmd := tools.Launch(ctx, j.ranks, j.path(t))
	return j.run(t, cmd)
}

// through runs the job on another library, as a user does.
func (j job) through(t *testing.T, runtime string) ran {
	t.Helper()
	command := command(t)
	if runtime == embedded {
		return j.onEmbedded(t, command)
	}
	tools, err := harness.Find(runtime)
	if err != nil {
		harness.Missing(t, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), runTimeout)
	defer cancel()
	to := tools.MPIExec
	tools.MPIExec = command
	cmd := tools.Launch(ctx, j.ranks, j.path(t))
	cmd.Args = append([]string{command, "run", "--to", to}, cmd.Args[1:]...)
	return j.run(t, cmd)
}

// onEmbedded runs the job on the embedded MPI, whose launcher is the command.
func (j job) onEmbedded(t *testing.T, command string) ran {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), runTimeout)
	defer cancel()
	cmd := harness.Toolchain{MPIExec: command}.LaunchPlain(ctx, j.ranks, j.path(t))
	cmd.Args = append([]string{command, "run", "--to", embedded}, cmd.Args[1:]...)
	return j.run(t, cmd)
}

// numbers returns the numbers of ranks that an application runs on.
func numbers() []int {
	if harness.Nightly.Runs() {
		return []int{1, 2, 4}
	}
	return []int{2}
}

// on returns the runtimes for a number of ranks: libraries and the embedded MPI for two ranks, and the embedded MPI alone
// for other numbers.
func on(ranks int, libraries ...string) []string {
	if ranks == 2 {
		return append(slices.Clone(libraries), embedded)
	}
	return []string{embedded}
}

// command returns the command wi4go that make has built.
func command(t *testing.T) string {
	t.Helper()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	command := filepath.Join(prefix, "bin", "wi4go")
	core := filepath.Join(prefix, "lib", "wi4go", "libwi4go.so")
	for _, needed := range []string{command, core} {
		if _, err := os.Stat(needed); err != nil {
			harness.Missing(t, fmt.Errorf("%s: %w; run make first", needed, harness.ErrMissing))
		}
	}
	return command
}

func (j job) path(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath(j.program)
	if err != nil {
		harness.Missing(t, fmt.Errorf("%s: %w; install Debian's %s", j.program, harness.ErrMissing, j.deb))
	}
	return path
}

// run runs the command with the job's arguments in its own directory. The program must succeed and must have loaded
// only one MPI.
func (j job) run(t *testing.T, cmd *exec.Cmd) ran {
	t.Helper()
	r := ran{dir: t.TempDir()}
	for _, name := range j.inputs {
		content, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(r.dir, name), content, 0o644))
	}
	if j.prepare != nil {
		require.NoError(t, j.prepare(r.dir))
	}
	cmd.Args = append(cmd.Args, j.args...)
	cmd.Dir = r.dir
	cmd.Env = append(cmd.Env, j.env...)
	if j.stdin != "" {
		stdin, err := os.Open(j.stdin)
		require.NoError(t, err)
		defer stdin.Close()
		cmd.Stdin = stdin
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	r.stdout, r.stderr = stdout.String(), stderr.String()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) || err == nil {
		require.NoError(t, err, "%s\n%s", strings.Join(cmd.Args, " "), r)
	}
	require.NoError(t, err, strings.Join(cmd.Args, " "))
	assert.NotContains(t, r.stderr, "has different size in shared object", "the dynamic linker on a data symbol")
	return r
}

// thermo matches LAMMPS's table of thermodynamic output, from its head to the last line before the timing.
var thermo = regexp.MustCompile(`(?s)\nStep Temp .*?\n(Loop time of [^\n]*)`)

// A Lennard-Jones crystal melts: the thermodynamic output, the averaged radial distribution, and the atoms as written
// by rank 0 and by MPI-IO are the same, byte for byte.
func TestLammps(t *testing.T) {
	for _, ranks := range []int{1, 2} {
		j := job{
			program: "lmp", deb: "lammps", family: "openmpi", ranks: ranks,
			args: []string{"-in", "melt.in"}, inputs: []string{"melt.in"},
		}
		native := j.native(t)
		want := thermoOf(t, native, ranks)
		require.Equal(t, 10, strings.Count(want, "\n"), want)
		for _, runtime := range []string{"mpich", "mpich-5.0", "intelmpi-2021.18"} {
			t.Run(fmt.Sprint(runtime, "_", ranks), func(t *testing.T) {
				ours := j.through(t, runtime)
				assert.Equal(t, want, thermoOf(t, ours, ranks))
				for _, name := range []string{"melt.rdf", "melt.dump", "melt.dump.mpiio", "melt.restart.mpiio"} {
					assert.True(t, bytes.Equal(native.file(t, name), ours.file(t, name)), "%s differs from the native run's", name)
				}
			})
		}
	}
}

// The same without files by MPI-IO, which the embedded MPI does not have, on the embedded MPI.
func TestLammpsEmbedded(t *testing.T) {
	ranks := []int{1, 2, 4}
	if harness.Nightly.Runs() {
		ranks = append(ranks, 8)
	}
	input, err := os.ReadFile("melt.in")
	require.NoError(t, err)
	plain := regexp.MustCompile(`(?m)^.*mpiio.*\n`).ReplaceAll(input, nil)
	for _, n := range ranks {
		j := job{
			program: "lmp", deb: "lammps", family: "openmpi", ranks: n, args: []string{"-in", "plain.in"},
			prepare: func(dir string) error { return os.WriteFile(filepath.Join(dir, "plain.in"), plain, 0o644) },
		}
		native, ours := j.native(t), j.through(t, embedded)
		assert.Equal(t, thermoOf(t, native, n), thermoOf(t, ours, n))
		sameFiles(t, native, ours, "melt.rdf", "melt.dump")
	}
}

// thermoOf returns the table in LAMMPS's output, and checks that all ranks ran as one program.
func thermoOf(t *testing.T, r ran, ranks int) string {
	t.Helper()
	m := thermo.FindStringSubmatchIndex(r.stdout)
	require.NotNil(t, m, "no thermodynamic output\n%s", r)
	assert.Contains(t, r.stdout[m[2]:m[3]], fmt.Sprintf(" on %d procs ", ranks))
	return r.stdout[m[0]+1 : m[2]]
}

// NetPIPE sends messages of many sizes in both directions. With -i it checks the content of each; without -i it writes
// a line of throughput for each size. Two modes fail natively and are left out: NPmpich2 -z hangs, and NPopenmpi2
// (one-sided) passes MPI_Win_create an invalid info.
func TestNetPIPE(t *testing.T) {
	harness.All.From(t, "a whole application")
	for _, j := range []job{
		{program: "NPmpich2", deb: "netpipe-mpich2", family: "mpich"},
		{program: "NPopenmpi", deb: "netpipe-openmpi", family: "openmpi"},
	} {
		j.ranks = 2
		t.Run(j.program+"_integrity", func(t *testing.T) {
			j.args = strings.Fields("-i -u 65536 -n 20 -o np.out")
			want := sizes(t, j.native(t), "Integrity check passed")
			for _, runtime := range on(2, harness.Other(j.family)) {
				assert.Equal(t, want, sizes(t, j.through(t, runtime), "Integrity check passed"), runtime)
			}
		})
		modes := []string{"", "-a", "-S", "-2 -a", "-s"}
		if j.family == "openmpi" {
			modes = append(modes, "-z") // MPI_ANY_SOURCE
		}
		for _, mode := range modes {
			t.Run(j.program+strings.ReplaceAll(mode, " ", ""), func(t *testing.T) {
				j.args = append(strings.Fields("-u 4096 -n 20 -o np.out"), strings.Fields(mode)...)
				want := sizes(t, j.native(t), "Mbps")
				for _, runtime := range on(2, harness.Other(j.family)) {
					assert.Equal(t, want, sizes(t, j.through(t, runtime), "Mbps"), runtime)
				}
			})
		}
	}
}

// netpipeLine matches NetPIPE's line about one size on stderr.
var netpipeLine = regexp.MustCompile(`(?m)^ *\d+: +(\d+) bytes +\d+ times --> +(.*)$`)

// notice matches each rank's line about its mode, which is sometimes in the middle of the other's line.
var notice = regexp.MustCompile(`(Using|Preposting) [a-z ]+\n`)

// sizes returns the message sizes that NetPIPE reports. Each line must contain says, and there must be as many as in
// its file.
func sizes(t *testing.T, r ran, says string) []string {
	t.Helper()
	var found []string
	for _, m := range netpipeLine.FindAllStringSubmatch(notice.ReplaceAllString(r.stderr, ""), -1) {
		found = append(found, m[1])
		assert.Contains(t, m[2], says, "%s bytes", m[1])
	}
	require.NotEmpty(t, found, r)
	assert.Len(t, found, bytes.Count(r.file(t, "np.out"), []byte("\n")))
	return found
}

// The HPC Challenge's seven benchmarks check themselves: every residual passes, and results that do not depend on time
// are as natively. OpenBLAS starts one thread for each core that a rank may use, and its results depend on their number:
// Open MPI binds ranks to cores, the others do not.
func TestHPCC(t *testing.T) {
	harness.All.From(t, "a whole application")
	for _, ranks := range numbers() {
		j := job{program: "hpcc", deb: "hpcc", family: "openmpi", ranks: ranks, env: []string{"OPENBLAS_NUM_THREADS=1"},
			prepare: func(dir string) error { return hpccInput(dir, ranks) }}
		native := summary(t, j.native(t), ranks)
		for _, runtime := range on(ranks, "mpich") {
			t.Run(fmt.Sprint(runtime, "_", ranks), func(t *testing.T) {
				ours := summary(t, j.through(t, runtime), ranks)
				for name, value := range native {
					if !measured.MatchString(name) {
						assert.Equal(t, value, ours[name], name)
					}
				}
				assert.Len(t, ours, len(native))
			})
		}
	}
}

// hpccInput writes the input for a grid of one row of ranks.
func hpccInput(dir string, ranks int) error {
	input, err := os.ReadFile(filepath.Join("..", "..", "bench", "onehost", "inputs", "hpccinf.txt"))
	columns := regexp.MustCompile(`(?m)^2( +Qs)$`).ReplaceAll(input, fmt.Appendf(nil, "%d$1", ranks))
	return errors.Join(err, os.WriteFile(filepath.Join(dir, "hpccinf.txt"), columns, 0o644))
}

// measured matches the figures in hpcc's summary that depend on time.
var measured = regexp.MustCompile(`(?i)time|flops|GBs|GBytes|GUPs|usec|STREAM_(Copy|Scale|Add|Triad)|Wtick|ExeUpdates|DGEMM_N`)

// summary checks hpcc's own verdicts and returns its summary by name.
func summary(t *testing.T, r ran, ranks int) map[string]string {
	t.Helper()
	text := string(r.file(t, "hpccoutf.txt"))
	single := 0 // rank 0 prints the results of one rank that computes alone, if it is that rank
	if ranks == 1 {
		single = 1
	}
	for pattern, count := range map[string]int{
		`(?m)^WALL .* PASSED `:                                  5, // PTRANS
		`(?m)^ +5 tests completed and passed residual checks\.`: 1,
		`(?m)^ +0 tests completed and failed residual checks\.`: 1,
		`(?m)^Found 0 errors in \d+ locations \(passed\)\.`:     4 + 2*single, // RandomAccess
		`(?m)^Solution Validates: `:                             1 + single,   // STREAM
		`(?m)^\|\|Ax-b\|\|_oo/.* PASSED$`:                       1,            // HPL
		`(?m)^ +1 tests completed and passed residual checks,`:  1,
		`(?m)^ +0 tests completed and failed residual checks,`:  1,
	} {
		assert.Len(t, regexp.MustCompile(pattern).FindAllString(text, -1), count, pattern)
	}
	assert.NotContains(t, text, "FAILED")
	_, rest, found := strings.Cut(text, "Begin of Summary section.\n")
	section, _, ended := strings.Cut(rest, "End of Summary section.")
	require.True(t, found && ended, "no summary\n%s", text)
	values := map[string]string{}
	for line := range strings.Lines(section) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		values[name] = value
	}
	assert.Equal(t, "1", values["Success"])
	assert.Equal(t, fmt.Sprint(ranks), values["CommWorldProcs"])
	return values
}
