package real

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// ofOpenMPI are the libraries that programs of Debian's Open MPI run on here: two have no Fortran.
var ofOpenMPI = []string{"mpich", "mpich-5.0", "intelmpi-2021.18"}

// MUMPS, a direct solver (mpif.h), solves a small system in each of its four kinds of numbers, with the same digits as
// natively.
func TestMumps(t *testing.T) {
	harness.All.From(t, "a whole application")
	solution := regexp.MustCompile(`(?m)^ *Solution is .*(\n .*)*`)
	for program, input := range map[string]string{"ssimpletest": "real", "dsimpletest": "real", "csimpletest": "cmplx", "zsimpletest": "cmplx"} {
		for _, ranks := range numbers() {
			const dir = "/usr/lib/mumps"
			j := job{program: filepath.Join(dir, program), deb: "mumps-test", family: "openmpi", ranks: ranks, stdin: filepath.Join(dir, "input_simpletest_"+input)}
			want := solution.FindString(j.native(t).stdout)
			require.Regexp(t, `[34]\.`, want, program)
			for _, runtime := range on(ranks, ofOpenMPI...) {
				t.Run(fmt.Sprint(program, "_", runtime, "_", ranks), func(t *testing.T) {
					assert.Equal(t, want, solution.FindString(j.through(t, runtime).stdout))
				})
			}
		}
	}
}

// Elk (mpif.h) computes the same energy of silicon as natively, in each step.
func TestElk(t *testing.T) {
	harness.All.From(t, "a whole application")
	for _, ranks := range numbers() {
		j := job{program: "elk-lapw", deb: "elk-lapw", family: "openmpi", ranks: ranks, inputs: []string{"elk.in"}, env: []string{"OMP_NUM_THREADS=1"}}
		want := string(j.native(t).file(t, "TOTENERGY.OUT"))
		require.Regexp(t, `-578\.1040\d+\s*$`, want)
		for _, runtime := range on(ranks, ofOpenMPI...) {
			t.Run(fmt.Sprint(runtime, "_", ranks), func(t *testing.T) {
				assert.Equal(t, want, string(j.through(t, runtime).file(t, "TOTENERGY.OUT")))
			})
		}
	}
}

// mpgrafic (mpi_f08) writes the same initial conditions of a universe as natively.
func TestMpgrafic(t *testing.T) {
	harness.All.From(t, "a whole application")
	for _, ranks := range numbers() {
		j := job{
			program: "mpgrafic", deb: "mpgrafic", family: "openmpi", ranks: ranks,
			args: []string{"--np=32"}, stdin: "mpgrafic.in",
		}
		native := j.native(t)
		for _, runtime := range on(ranks, ofOpenMPI...) {
			t.Run(fmt.Sprint(runtime, "_", ranks), func(t *testing.T) {
				sameFiles(t, native, j.through(t, runtime),
					"ic_deltab", "ic_velbx", "ic_velby", "ic_velbz", "ic_velcx", "ic_velcy", "ic_velcz", "power.dat", "white-outfile.dat")
			})
		}
	}
}

// NWChem (mpif.h, over Global Arrays in C), built with either family, finds the same energies of water as the build for
// Open MPI natively. The build for Debian's MPICH does not converge natively on two ranks, and neither does the one for
// Open MPI on that library.
func TestNWChem(t *testing.T) {
	harness.All.From(t, "a whole application")
	j := job{program: "nwchem.openmpi", deb: "nwchem-openmpi", family: "openmpi", ranks: 2, args: []string{"water.nw"}, inputs: []string{"water.nw"}}
	want := energies(t, j.native(t))
	assert.InDelta(t, -75.983993228925, want[0], 1e-8)
	assert.InDelta(t, -76.112799456588, want[1], 1e-8)
	other := j
	other.program, other.deb, other.family = "nwchem.mpich", "nwchem-mpich", "mpich"
	for _, c := range []struct {
		job
		runtime string
	}{{j, "mpich-5.0"}, {j, "intelmpi-2021.18"}, {other, "openmpi"}, {other, "openmpi-5.0"}} {
		t.Run(c.family+"_on_"+c.runtime, func(t *testing.T) {
			ours := energies(t, c.through(t, c.runtime))
			for i := range want {
				assert.InDelta(t, want[i], ours[i], 1e-10)
			}
		})
	}
}

// CP2K (mpif.h), the program that uses the most MPI procedures, moves water as natively: the energies and positions of
// its atoms are the same in all digits.
func TestCP2K(t *testing.T) {
	harness.All.From(t, "a whole application")
	j := job{
		program: "cp2k.psmp", deb: "cp2k", family: "openmpi", ranks: 2,
		args: []string{"-i", "cp2k.inp"}, inputs: []string{"cp2k.inp"}, env: []string{"OMP_NUM_THREADS=1", "CP2K_DATA_DIR=/usr/share/cp2k"},
	}
	steps := regexp.MustCompile(`ENERGY\|.*`)
	native := j.native(t)
	want := steps.FindAllString(native.stdout, -1)
	require.Len(t, want, 3, native)
	for _, runtime := range on(2, ofOpenMPI...) {
		t.Run(runtime, func(t *testing.T) {
			ours := j.through(t, runtime)
			assert.Equal(t, want, steps.FindAllString(ours.stdout, -1))
			assert.Equal(t, string(native.file(t, "water-pos-1.xyz")), string(ours.file(t, "water-pos-1.xyz")))
		})
	}
}

// MOCASSIN (mpif.h), a Monte Carlo simulation of photons in a nebula, was built with MPICH. With fixed time and random
// numbers, its output is the same as natively, byte for byte.
func TestMocassin(t *testing.T) {
	harness.All.From(t, "a whole application")
	frozen := filepath.Join(t.TempDir(), "frozen.so")
	out, err := exec.Command("gcc", "-O1", "-Wall", "-Wextra", "-shared", "-fPIC", "-o", frozen, filepath.Join("programs", "frozen.c")).CombinedOutput()
	require.NoError(t, err, string(out))
	j := job{
		program: "mocassin", deb: "mocassin", family: "mpich", ranks: 2,
		inputs: []string{"mocassin.in", "mocassin.abundances"}, env: []string{harness.Preload(frozen)},
		prepare: func(dir string) error {
			input := filepath.Join(dir, "input")
			return errors.Join(os.Mkdir(input, 0o755), os.Mkdir(filepath.Join(dir, "output"), 0o755),
				os.Rename(filepath.Join(dir, "mocassin.in"), filepath.Join(input, "input.in")))
		},
	}
	native := j.native(t)
	for _, runtime := range on(2, "openmpi", "openmpi-5.0", "mpich-5.0", "intelmpi-2021.18") {
		t.Run(runtime, func(t *testing.T) {
			sameFiles(t, native, j.through(t, runtime), "output/grid0.out", "output/grid1.out", "output/grid2.out", "output/grid3.out",
				"output/ionratio.out", "output/lineFlux.out", "output/photoSource.out", "output/SED.out", "output/summary.out",
				"output/tauNu.out", "output/temperature.out")
		})
	}
}

// Abinit (mpif.h and `use mpi`) finds the same energy of hydrogen in each step as natively. Its density and wave
// functions, which its ranks write by MPI-IO, are the same, byte for byte.
func TestAbinit(t *testing.T) {
	harness.All.From(t, "a whole application")
	j := job{program: "abinit", deb: "abinit", family: "openmpi", ranks: 2, args: []string{"hydrogen.abi"}, inputs: []string{"hydrogen.abi", "hydrogen.gth"}}
	native := j.native(t)
	steps := regexp.MustCompile(`(?m)^ (ETOT|etotal).*|^ +etotal .*`)
	want := steps.FindAllString(string(native.file(t, "hydrogen.abo")), -1)
	require.Contains(t, want[len(want)-1], "-1.1052295985E+00")
	for _, runtime := range ofOpenMPI {
		t.Run(runtime, func(t *testing.T) {
			ours := j.through(t, runtime)
			assert.Equal(t, want, steps.FindAllString(string(ours.file(t, "hydrogen.abo")), -1))
			sameFiles(t, native, ours, "hydrogeno_DDB", "hydrogeno_DEN", "hydrogeno_EIG", "hydrogeno_WFK")
		})
	}
}

// sameFiles reports the files that differ or are empty.
func sameFiles(t *testing.T, native, ours ran, names ...string) {
	t.Helper()
	for _, name := range names {
		content := native.file(t, name)
		require.NotEmpty(t, content, name)
		assert.True(t, bytes.Equal(content, ours.file(t, name)), "%s differs from the native run's", name)
	}
}

// energies returns the two energies that NWChem has found, by the self-consistent field and by MP2.
func energies(t *testing.T, r ran) (found [2]float64) {
	t.Helper()
	for i, kind := range []string{"SCF", "MP2"} {
		line := regexp.MustCompile(`Total ` + kind + ` energy\s*=?\s*(-[\d.]+)`).FindStringSubmatch(r.stdout)
		require.NotNil(t, line, "%s\n%s", kind, r)
		var err error
		found[i], err = strconv.ParseFloat(line[1], 64)
		require.NoError(t, err)
	}
	return found
}
