package real

import (
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

// unpacked returns a directory with the files of Debian packages that are not installed.
func unpacked(t *testing.T, packages ...string) string {
	t.Helper()
	dir := t.TempDir()
	aptGet(t, dir, packages, "download")
	require.Len(t, extract(t, dir, dir), len(packages))
	return dir
}

// aptGet runs apt-get for packages in a directory and returns its output.
func aptGet(t *testing.T, dir string, packages []string, args ...string) []byte {
	t.Helper()
	if _, err := exec.LookPath("apt-get"); err != nil {
		harness.Missing(t, fmt.Errorf("apt-get: %w", harness.ErrMissing))
	}
	cmd := exec.Command("apt-get", slices.Concat(args, []string{"-o", "APT::Sandbox::User=root"}, packages)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return out
}

// extract writes the files of the packages in the directory archives to dir, and returns the packages.
func extract(t *testing.T, archives, dir string) []string {
	t.Helper()
	debs, err := filepath.Glob(filepath.Join(archives, "*.deb"))
	require.NoError(t, err)
	for _, deb := range debs {
		out, err := exec.Command("dpkg", "-x", deb, dir).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return debs
}

// unpackedWhole returns a directory with the files of Debian packages, and of those that they need and that are not installed.
func unpackedWhole(t *testing.T, packages ...string) string {
	t.Helper()
	dir, archives := t.TempDir(), t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(archives, "partial"), 0o755))
	out := aptGet(t, archives, packages, "install", "-y", "--no-install-recommends", "--download-only", "-o", "Dir::Cache::archives="+archives)
	require.NotEmpty(t, extract(t, archives, dir), "%s", out)
	return dir
}

// Gromacs gives the energies of the native run, with water molecules, on one to four ranks.
func TestGromacs(t *testing.T) {
	harness.Nightly.From(t, "it downloads Gromacs")
	root := unpackedWhole(t, "gromacs")
	env := []string{"LD_LIBRARY_PATH=" + filepath.Join(root, "usr/lib/x86_64-linux-gnu"), "GMXLIB=" + filepath.Join(root, "usr/share/gromacs/top"), "OMP_NUM_THREADS=1"}
	input := t.TempDir()
	require.NoError(t, exec.Command("cp", "water.mdp", "topol.top", input).Run())
	for _, args := range []string{"solvate -cs spc216.gro -box 3 3 3 -p topol.top -o water.gro", "grompp -f water.mdp -c water.gro -p topol.top -o water.tpr"} {
		gmx := exec.Command(filepath.Join(root, "usr/bin/gmx"), strings.Fields(args)...)
		gmx.Dir, gmx.Env = input, append(os.Environ(), env...)
		out, err := gmx.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	for _, ranks := range []int{1, 2, 4} {
		t.Run(fmt.Sprint(ranks), func(t *testing.T) {
			j := job{
				program: filepath.Join(root, "usr/bin/gmx_mpi"), deb: "gromacs", family: "openmpi", ranks: ranks, env: env,
				args:    strings.Fields("-quiet mdrun -s water.tpr -g run.log -reprod -ntomp 1 -nb cpu -pin off"),
				prepare: func(dir string) error { return exec.Command("cp", filepath.Join(input, "water.tpr"), dir).Run() },
			}
			want := blocksOfEnergies(string(j.native(t).file(t, "run.log")))
			require.Greater(t, len(want), 10)
			assert.Equal(t, want, blocksOfEnergies(string(j.through(t, embedded).file(t, "run.log"))))
		})
	}
}

// blocksOfEnergies returns the lines of Gromacs' log with energies.
func blocksOfEnergies(log string) []string {
	var lines []string
	left := 0
	for line := range strings.Lines(log) {
		if strings.Contains(line, "Energies (kJ/mol)") {
			left = 5
		}
		if left > 0 {
			left--
			lines = append(lines, line)
		}
	}
	return lines
}

// PETSc's solvers take the same steps as natively.
func TestPETSc(t *testing.T) {
	harness.Nightly.From(t, "it downloads PETSc")
	root := unpackedWhole(t, "libpetsc-real3.18-dev", "libpetsc3.18-dev-examples")
	libraries := filepath.Join(root, "usr/lib/x86_64-linux-gnu")
	compiler, err := harness.Find("openmpi")
	if err != nil {
		harness.Missing(t, err)
	}
	for source, args := range map[string]string{
		"ksp/ksp/tutorials/ex2": "-m 60 -n 60 -ksp_monitor_short -ksp_rtol 1e-8 -ksp_type cg -pc_type bjacobi",
		"snes/tutorials/ex19":   "-da_refine 2 -snes_monitor_short -ksp_converged_reason -pc_type mg",
	} {
		program := filepath.Join(t.TempDir(), filepath.Base(source))
		require.NoError(t, compiler.Compile(filepath.Join(root, "usr/share/petsc/3.18/share/petsc/examples/src", source+".c"), program, "-w",
			"-I"+filepath.Join(root, "usr/lib/petscdir/petsc3.18/x86_64-linux-gnu-real/include"), filepath.Join(libraries, "libpetsc_real.so.3.18"), "-Wl,--allow-shlib-undefined", "-lm"))
		for _, ranks := range []int{1, 2, 4} {
			t.Run(fmt.Sprint(filepath.Base(source), "_", ranks), func(t *testing.T) {
				j := job{program: program, deb: "libpetsc-real3.18", family: "openmpi", ranks: ranks, args: strings.Fields(args), env: []string{"LD_LIBRARY_PATH=" + libraries, "OPENBLAS_NUM_THREADS=1"}}
				want := j.native(t).stdout
				require.Greater(t, strings.Count(want, "norm"), 2, want)
				assert.Equal(t, want, j.through(t, embedded).stdout)
			})
		}
	}
}

// ScaLAPACK's testers of both families, on four ranks: the embedded MPI gives the verdicts of the native run. xsllt is left
// out, because its ranks do not take the same steps, and it hangs natively as well.
func TestScaLAPACK(t *testing.T) {
	harness.Nightly.From(t, "it downloads the testers")
	root := unpacked(t, "scalapack-mpi-test", "scalapack-test-common", "libscalapack-openmpi2.2", "libscalapack-mpich2.2")
	libraries := filepath.Join(root, "usr/lib/x86_64-linux-gnu")
	inputs := filepath.Join(root, "usr/share/scalapack")
	for _, family := range []string{"openmpi", "mpich"} {
		for _, tester := range []string{"xdlu", "xclu", "xdqr", "xsinv", "xdtrd", "xzhrd", "xcsep", "xdnep", "xsls", "xdpbllt"} {
			t.Run(tester+"_"+family, func(t *testing.T) {
				j := job{
					program: filepath.Join(libraries, "scalapack", family+"-tests", tester), deb: "scalapack-mpi-test", family: family, ranks: 4,
					env:     []string{"LD_LIBRARY_PATH=" + libraries, "OPENBLAS_NUM_THREADS=1"},
					prepare: func(dir string) error { return exec.Command("cp", "-r", inputs+"/.", dir).Run() },
				}
				want := verdicts(j.native(t).stdout)
				require.Greater(t, strings.Count(strings.Join(want, "\n"), "PASSED"), 30)
				assert.Equal(t, want, verdicts(j.through(t, embedded).stdout))
			})
		}
	}
}

// verdicts returns the lines of a tester without its numbers with a point, which are times and residuals.
func verdicts(output string) []string {
	var lines []string
	for line := range strings.Lines(output) {
		words := slices.DeleteFunc(strings.Fields(line), func(word string) bool { return strings.Contains(word, ".") })
		lines = append(lines, strings.Join(words, " "))
	}
	return lines
}
