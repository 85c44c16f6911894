// Command bench (make bench-dri) measures corner turns: with libdri, with packing by hand,
// derived types, FFTW's transposition and PETSc's scatter. One program does all of them in
// one set of processes, on each MPI library that is installed.
//
// Debian's FFTW and PETSc are linked with its Open MPI. So the program is compiled with that
// library's mpicc, with libdri's sources in it, and runs through wi4go on the other libraries.
// Outside of Open MPI's family it lacks PETSc, because PETSc needs Open MPI's Fortran libraries.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"wi4go/tests/harness"
)

// limit bounds one run of the program.
const limit = 10 * time.Minute

// libraries lists the MPI libraries to measure on, by harness's names.
var libraries = []string{"openmpi", "mpich", "openmpi-5.0", "mpich-5.0", "intelmpi-2021.18"}

// part is an optional part of the program: its name, the compiler flag that enables it, a program that compiles if it is
// installed, and the arguments to compile and link with.
type part struct{ name, flag, probe, add string }

// parts lists the optional parts.
var parts = []part{
	{"FFTW", "-DFFTW", "#include <fftw3-mpi.h>\nint main(void) { fftw_mpi_init(); }\n", "-lfftw3_mpi -lfftw3"},
	{"PETSc", "-DPETSC", "#include <petscvec.h>\nint main(void) { return PetscFinalize(); }\n", "-I/usr/include/petsc -lpetsc"},
}

// rows lists the columns of the table: the name that the program prints, and the title.
var rows = []struct{ name, title string }{
	{"memcpy", "`memcpy`"}, {"kernel", "kernel alone"}, {"dri", "DRI, its buffers"}, {"dri-own", "DRI, the program's"},
	{"by-hand", "packed by hand"}, {"types", "derived types"}, {"fftw-estimate", "FFTW estimate"}, {"fftw-measure", "measure"},
	{"fftw-patient", "patient"}, {"petsc", "PETSc"},
}

// times maps a size and a name to microseconds. Size 0 holds the measurements that are not turns.
type times map[int]map[string]float64

// main reads the flags, and exits with 1 if a run fails.
func main() {
	prefix := flag.String("prefix", "build", "the installation")
	seconds := flag.Float64("seconds", 0.3, "of repetitions, for each row")
	flag.Parse()
	if err := run(*prefix, *seconds); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run compiles the programs and prints the table of each library. Libraries that are not installed are skipped.
func run(prefix string, seconds float64) error {
	dir, err := os.MkdirTemp("", "bench-dri")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	tools, err := harness.Find("openmpi")
	if err != nil {
		return err
	}
	// By family: programs on MPICH's family have no PETSc.
	programs := map[string]string{}
	for family, with := range map[string][]part{"openmpi": parts, "mpich": parts[:1]} {
		if programs[family], err = compile(filepath.Join(dir, family), tools, with); err != nil {
			return err
		}
	}
	fmt.Println("Two ranks, R x R elements of 8 bytes, rows to columns, µs; then GB/s and ratios of DRI with its own buffers.")
	for _, library := range libraries {
		if err := measure(prefix, library, programs[harness.Toolchain{Name: library}.Family()], seconds); err != nil {
			if errors.Is(err, harness.ErrMissing) {
				fmt.Printf("\n%s: %v\n", library, err)
				continue
			}
			return err
		}
	}
	return nil
}

// compile compiles the program in dir, with the parts that are installed, and returns its path. It prints the names of the
// missing parts.
func compile(dir string, tools harness.Toolchain, parts []part) (string, error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	// The program includes the sources of libdri, so that mpicc's own MPI compiles them too.
	args := []string{"-O2", "-std=gnu11", "-Idri"}
	// Libraries come after the sources on the command line.
	var libs []string
	for _, p := range parts {
		probe := filepath.Join(dir, "probe.c")
		if err := os.WriteFile(probe, []byte(p.probe), 0o644); err != nil {
			return "", err
		}
		add := strings.Fields(p.add)
		if exec.Command(tools.MPICC, append([]string{"-o", filepath.Join(dir, "probe"), probe}, add...)...).Run() != nil {
			fmt.Printf("%s: not installed (apt-get install libfftw3-mpi-dev petsc-dev); without it\n", p.name)
			continue
		}
		args = append(args, p.flag)
		libs = append(libs, add...)
	}
	sources, err := filepath.Glob("dri/*.c")
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "turn")
	args = append(append(append(args, "-w", "-o", program, "dri/bench/programs/turn.c"), sources...), append(libs, "-lm")...)
	if text, err := exec.Command(tools.MPICC, args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", tools.MPICC, strings.Join(args, " "), err, text)
	}
	return program, nil
}

// execute runs the program on a library, with that many ranks and seconds for each row, and returns its times. Programs are
// compiled with Debian's Open MPI, so any other library goes through wi4go. It returns an error with the program's output if
// the program fails or exceeds limit.
func execute(prefix, library, program string, ranks int, seconds float64) (times, error) {
	tools, err := harness.Find(library)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	args := []string{"-n", fmt.Sprint(ranks), program, fmt.Sprint(seconds)}
	// Only the Open MPI that the program was compiled with runs it natively.
	command := tools.MPIExec
	if library != "openmpi" {
		command, args = filepath.Join(prefix, "bin", "wi4go"), append([]string{"run", "--to", tools.MPIExec}, args...)
	}
	cmd := exec.CommandContext(ctx, command, args...)
	cmd.Env = harness.PlainEnviron()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s%s", library, err, stdout.String(), stderr.String())
	}
	// A measurement is a line of three fields: size, name, microseconds. Ignore the other lines.
	found := times{}
	for line := range strings.Lines(stdout.String()) {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			continue
		}
		size, err1 := strconv.Atoi(fields[0])
		t, err2 := strconv.ParseFloat(fields[2], 64)
		if err1 != nil || err2 != nil {
			continue
		}
		if found[size] == nil {
			found[size] = map[string]float64{}
		}
		found[size][fields[1]] = t
	}
	return found, nil
}

// measure runs the program on 2 and on 4 ranks of a library and prints its table. It returns harness.ErrMissing if the
// library is not installed.
func measure(prefix, library, program string, seconds float64) error {
	two, err := execute(prefix, library, program, 2, seconds)
	if err != nil {
		return err
	}
	four, err := execute(prefix, library, program, 4, seconds)
	if err != nil {
		return err
	}
	fmt.Printf("\n| %s | R |", library)
	for _, row := range rows {
		fmt.Printf(" %s |", row.title)
	}
	fmt.Printf(" GB/s | to `memcpy` | to the kernel | by hand | types | patient | PETSc |\n|---%s\n", strings.Repeat("|---", len(rows)+8)+"|")
	// The sides of the arrays, in elements.
	for _, size := range []int{256, 512, 1024} {
		t := two[size]
		fmt.Printf("| | %d |", size)
		for _, row := range rows {
			fmt.Printf(" %s |", number(t[row.name], 1))
		}
		// Three numbers of DRI itself, then the other methods as multiples of its time.
		dri := t["dri"]
		fmt.Printf(" %.1f | %s | %s |", float64(size)*float64(size)*8/dri/1e3, number(dri, t["memcpy"]), number(dri, t["kernel"]))
		for _, other := range []string{"by-hand", "types", "fftw-patient", "petsc"} {
			fmt.Printf(" %s |", number(t[other], dri))
		}
		fmt.Println()
	}
	fmt.Printf("commit of a plan in three dimensions on 4 ranks: %.0f µs; a Do of an empty plan on 2: %.2f µs, a barrier: %.2f µs\n",
		four[0]["commit"], two[0]["empty"], two[0]["barrier"])
	return nil
}

// number returns a/b to three figures, or a dash if one of them was not measured.
func number(a, b float64) string {
	q := a / b
	switch {
	case a == 0 || b == 0:
		return "–"
	case q < 10:
		return strconv.FormatFloat(q, 'f', 2, 64)
	case q < 100:
		return strconv.FormatFloat(q, 'f', 1, 64)
	}
	return strconv.FormatFloat(q, 'f', 0, 64)
}
