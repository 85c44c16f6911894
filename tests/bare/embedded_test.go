package bare_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// families are the toolchains that compile the programs: of each ABI family, and wi4go's own wrappers.
var families = []string{"openmpi", "mpich", "mpich-5.0-abi", harness.Interface}

// note is the line that reports the embedded MPI.
const note = "wi4go: note: no MPI library is installed: wi4go uses its own, embedded, which runs all ranks on this host: " +
	"for several hosts, install one, for example with `apt-get update && apt-get install -y --no-install-recommends mpich`\n"

// rings compiles the program of programs/ring in each language for a family, and returns the names of the results
// in m.programs. The root has no libgfortran, so this machine's copy is put next to them.
func (m *machine) rings(family string) (names []string) {
	m.Helper()
	prefix, err := harness.Prefix()
	require.NoError(m, err)
	tools, err := harness.FindIn(prefix, family)
	if err != nil {
		harness.Missing(m, err)
	}
	at := func(language string) string {
		names = append(names, "ring-"+family+"-"+language)
		return filepath.Join(m.programs, names[len(names)-1])
	}
	require.NoError(m, tools.Compile("programs/ring.c", at("c")))
	require.NoError(m, tools.Compile("programs/ring.cc", at("cc"), "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX"))
	if family != "mpich-5.0-abi" { // the wheel has no Fortran
		require.NoError(m, tools.CompileFortran("programs/ring.f90", at("f90")))
	}
	for _, library := range []string{"libgfortran.so.5", "libquadmath.so.0"} {
		path, err := exec.Command("gcc", "-print-file-name="+library).Output()
		require.NoError(m, err)
		text, err := os.ReadFile(strings.TrimSpace(string(path)))
		require.NoError(m, err)
		require.NoError(m, os.WriteFile(filepath.Join(m.programs, library), text, 0o755))
	}
	return names
}

// On a machine without any MPI, programs of each family and of wi4go's own wrappers run on the embedded MPI, in C, C++
// and Fortran. The command reports it once.
func TestEmbedded(t *testing.T) {
	m := bare(t, "embedded").set("LD_LIBRARY_PATH=/srv:/opt/lib/wi4go/mpi/lib") // the programs of mpifort name another directory
	const printed = "4 ranks, ring 6, sum 6\n"
	for _, family := range families {
		for _, name := range m.rings(family) {
			assert.Equal(t, result{out: printed, err: note}, m.run("wi4go run -n 4 /srv/"+name), name)
			assert.Equal(t, result{out: printed}, m.run("wi4go run --to embedded -n 4 /srv/"+name), name)
			assert.Equal(t, result{out: printed}, m.set("WI4GO_TO=embedded").run("/opt/lib/wi4go/mpi/bin/mpiexec -n 4 /srv/"+name), name)
			assert.Equal(t, result{out: "1 ranks, ring 0, sum 0\n", err: note}, m.run("wi4go exec /srv/"+name), name)
		}
	}
	// Programs of wi4go's wrappers also run without any command.
	for _, language := range []string{"c", "cc", "f90"} {
		name := "/srv/ring-" + harness.Interface + "-" + language
		assert.Equal(t, result{out: "1 ranks, ring 0, sum 0\n", err: note}, m.run(name), name)
		assert.Equal(t, result{out: printed, err: note}, m.run("mpiexec -n 4 "+name), name)
		assert.Equal(t, result{out: "1 ranks, ring 0, sum 0\n"}, m.set("WI4GO_TO=embedded").run(name), name)
	}
	for _, family := range harness.Names {
		m.finding("/srv/"+family, "no-runtime", "`"+apt(packages[family])+"`")
	}
	r := m.run("wi4go list")
	assert.Zero(t, r.code, "%+v", r)
	assert.Contains(t, r.out, "\nembedded  wi4go's embedded MPI ")
	m.settings = m.settings[len(m.settings)-1:] // without Open MPI's
	r = m.run("wi4go doctor --to embedded /srv/ring-mpich-c")
	assert.Zero(t, r.code, "%+v", r)
}

// Programs that import functions which the embedded MPI lacks are reported before they start, and jobs of several hosts
// are refused or warned.
func TestEmbeddedLimits(t *testing.T) {
	m := bare(t, "embedded-limits")
	for _, family := range harness.Names {
		tools, err := harness.Find(family)
		if err != nil {
			harness.Missing(t, err)
		}
		program := "/srv/window-" + family
		require.NoError(t, tools.Compile("programs/window.c", filepath.Join(m.programs, "window-"+family)))
		lacks := fmt.Sprintf("%s imports MPI_Win_create, which the embedded MPI does not have; a call fails with MPI_ERR_UNSUPPORTED_OPERATION: "+
			"if it calls them, use another MPI: `%s` installs one", program, apt("mpich"))
		r := m.run("wi4go run --to embedded -n 1 " + program)
		assert.Equal(t, "unsupported\n", r.out)
		assert.Contains(t, r.err, "wi4go: warning: "+lacks+"\n")
		r = m.run("wi4go inspect --to embedded " + program)
		assert.Contains(t, r.out, "runtime lacks    1\n  MPI_Win_create\n")
		assert.Contains(t, r.out, "advice           if it calls them, use another MPI: `"+apt("mpich")+"` installs one\n")
		m.finding("--to embedded "+program, "runtime-lacks", "imports MPI_Win_create")
		strict := m.set("WI4GO_STRICT=1").run("wi4go run --to embedded -n 1 " + program)
		assert.Equal(t, result{err: "wi4go: " + lacks + "\n", code: 1}, strict)

		r = m.run("wi4go run -host node7 -n 2 /srv/" + family)
		assert.NotZero(t, r.code)
		assert.Contains(t, r.err, "the embedded MPI runs all ranks on this host, and the options name node7: install an MPI for several hosts, for example with `"+apt("mpich")+"`")
		r = m.set("SLURM_JOB_ID=1", "SLURM_JOB_NUM_NODES=2").run("wi4go run -n 2 /srv/" + family)
		assert.Contains(t, r.out, "2 ranks, token 1: as it should be")
		assert.Equal(t, 1, strings.Count(r.err, "the embedded MPI runs all ranks on this host, and the job has 2 hosts (SLURM_JOB_NUM_NODES)"), r.err)
	}
}

// A program that was linked with -static-mpi carries the embedded MPI: it runs in a root that has no file of wi4go and no
// MPI. wi4go's commands start several ranks of it.
func TestStaticEmbedded(t *testing.T) {
	m := bare(t, "static-embedded").set("LD_LIBRARY_PATH=/srv")
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	m.rings(harness.Interface) // for libgfortran
	const note = "wi4go: note: no MPI library is found: this program uses the one that it contains, embedded, which runs all ranks on this host: " +
		"start several ranks with `wi4go run`, or set WI4GO_TO to the file of an MPI library\n"
	alone := m.with("--tmpfs", "/opt")
	require.Equal(t, 127, alone.run("wi4go list").code, "the root has wi4go")
	for language, compiler := range map[string]string{"c": "mpicc", "cc": "mpicxx", "f90": "mpifort"} {
		program := "static-" + language
		out, err := exec.Command(filepath.Join(prefix, "bin", compiler), "-static-mpi", "-w", "-o", filepath.Join(m.programs, program), "programs/ring."+language).CombinedOutput()
		require.NoError(t, err, "%s", out)
		assert.Equal(t, result{out: "1 ranks, ring 0, sum 0\n", err: note}, alone.run("/srv/"+program), program)
		assert.Equal(t, result{out: "1 ranks, ring 0, sum 0\n"}, alone.set("WI4GO_TO=embedded").run("/srv/"+program), program)
		r := alone.set("WI4GO_TO=/srv/none.so").run("/srv/" + program)
		assert.NotZero(t, r.code)
		assert.Contains(t, r.err, "cannot use the MPI library /srv/none.so, given by WI4GO_TO")

		const printed = "4 ranks, ring 6, sum 6\n"
		assert.Equal(t, result{out: printed}, m.run("wi4go run --to embedded -n 4 /srv/"+program), program)
		assert.Equal(t, result{out: printed}, m.set("WI4GO_TO=embedded").run("/opt/lib/wi4go/mpi/bin/mpiexec -n 4 /srv/"+program), program)
		r = m.run("wi4go run -n 4 /srv/" + program)
		assert.Equal(t, printed, r.out)
		assert.Contains(t, r.err, "wi4go: note: no MPI library is installed")
		assert.Equal(t, 1, strings.Count(r.err, "\n"), r.err)
		assert.Equal(t, result{out: printed}, m.run("wi4go ranks -n 4 /srv/"+program), program)
	}
}
