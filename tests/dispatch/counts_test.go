package dispatch

import (
	"bufio"
	"context"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/conformance/suite"
	"wi4go/tests/harness"
)

// sampled are the programs of an ordinary run: at least one for each way to implement a function (translated, emulated,
// layered, by callbacks, from inside file access). The tier nightly runs all programs.
var sampled = []string{"attr_nested", "coll_nonblocking", "error_callbacks", "greq_basic", "io_view", "p2p_completion", "p2p_persistent",
	"part_basic", "session_basic"}

// initials are the functions after which the counts begin, with parameters and arguments.
var initials = map[string]string{
	"MPI_Init":         "(void *a, void *b), (a, b)",
	"MPI_Init_thread":  "(void *a, void *b, int c, void *d), (a, b, c, d)",
	"MPI_Session_init": "(void *a, void *b, void *c), (a, b, c)",
	"mpi_init_":        "(void *a), (a)",
	"mpi_init_thread_": "(void *a, void *b, void *c), (a, b, c)",
}

// profiled returns the sorted functions that a library exports both by name and by profiling name. Names begin with
// begins, and profiling names have before in front.
func profiled(t *testing.T, library, begins, before string) (names []string) {
	t.Helper()
	f, err := elf.Open(library)
	require.NoError(t, err)
	defer f.Close()
	symbols, err := f.DynamicSymbols()
	require.NoError(t, err)
	all := map[string]bool{}
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF && elf.ST_TYPE(s.Info) == elf.STT_FUNC {
			all[s.Name] = true
		}
	}
	for name := range all {
		if all[before+name] && strings.HasPrefix(name, begins) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// A wrapped function has a profiling name, and leads to a slot of the front.
type wrapped struct{ name, slot string }

// inC returns the functions of a front that a tool wraps.
func inC(t *testing.T, front string) (functions []wrapped) {
	t.Helper()
	for _, name := range profiled(t, front, "MPI", "P") {
		functions = append(functions, wrapped{name, name})
	}
	return functions
}

// inFortran returns the procedures of a Fortran library that a tool wraps.
func inFortran(t *testing.T, front, library string) (procedures []wrapped) {
	t.Helper()
	slots := map[string]string{}
	for _, f := range inC(t, front) {
		slots[strings.ToLower(f.name)+"_"] = f.name
	}
	for _, name := range profiled(t, library, "mpi_", "p") {
		if slots[name] != "" {
			procedures = append(procedures, wrapped{name, slots[name]})
		}
	}
	return procedures
}

// counter compiles the tool that counts functions of a library, and returns its path.
func counter(t *testing.T, wraps []wrapped, library string, flags ...string) string {
	t.Helper()
	require.Greater(t, len(wraps), 200)
	dir := t.TempDir()
	var names, functions strings.Builder
	for i, f := range wraps {
		fmt.Fprintf(&names, "FUNCTION(%d, %s, %s)\n", i, f.name, f.slot)
		if initial, ok := initials[f.name]; ok {
			fmt.Fprintf(&functions, "INITIAL(%d, %s, %s)\n", i, f.name, initial)
		} else {
			fmt.Fprintf(&functions, "FUNCTION(%d, %s, %s)\n", i, f.name, f.slot)
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "names.h"), []byte(names.String()), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "functions.h"), []byte(functions.String()), 0o666))
	out := filepath.Join(dir, "counter.so")
	source, err := filepath.Abs(filepath.Join("testdata", "counter.c"))
	require.NoError(t, err)
	must(t, "gcc", append([]string{"-O2", "-Wall", "-fPIC", "-shared", "-I" + dir, "-o", out, source, library, "-ldl"}, flags...)...)
	return out
}

// listed returns the names of a list in testdata, with their reasons.
func listed(t *testing.T, list string) map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", list))
	require.NoError(t, err)
	defer f.Close()
	reasons := map[string]string{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, reason, ok := strings.Cut(lines.Text(), " "); ok && !strings.HasPrefix(name, "#") {
			reasons[name] = reason
		}
	}
	return reasons
}

// programs returns the sources of the programs to count: the sample, or all that can be counted.
func programs(t *testing.T) (sources []string) {
	t.Helper()
	directory := filepath.Join(root, "tests", "conformance")
	if !harness.Nightly.Runs() { // each program runs twice in each of six directions: an hour
		for _, name := range sampled {
			sources = append(sources, suite.Source(directory, name))
		}
		return sources
	}
	all, err := filepath.Glob(filepath.Join(directory, "*", "*_*.c"))
	require.NoError(t, err)
	left := listed(t, "uncountable.txt")
	for _, source := range all {
		if _, ok := left[strings.TrimSuffix(filepath.Base(source), ".c")]; !ok {
			sources = append(sources, source)
		}
	}
	require.Greater(t, len(sources), 100)
	return sources
}

// In each process and each direction, the front's thunks count the same calls of every slot as a profiling tool over
// the front.
func TestCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("starts MPI programs")
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	fronts, counters := map[string]string{}, map[string]string{}
	for family, soname := range map[string]string{"openmpi": "libmpi.so.40", "mpich": "libmpi.so.12", "mpiabi": "libmpi_abi.so.1"} {
		fronts[family] = frontWith(t, prefix, family, soname, "counting.c", "count_calls", "calls_counted")
		counters[family] = counter(t, inC(t, fronts[family]), fronts[family])
	}
	for _, d := range harness.Directions {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			from := found(t, prefix, d.From)
			to, err := harness.Find(d.To)
			if err != nil {
				harness.Missing(t, err)
			}
			runtime, family := library(t, to), from.Family()
			sources, counted := programs(t), 0
			for _, source := range sources {
				program := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(source), ".c"))
				require.NoError(t, from.Compile(source, program, "-I"+filepath.Join(root, "tests", "conformance")))
				if compareCounts(t, to, "LD_PRELOAD="+counters[family]+":"+fronts[family], "WI4GO_TO="+runtime, program) {
					counted++
				} else {
					t.Logf("%s: no count", filepath.Base(program))
				}
			}
			t.Logf("counted the calls of %d of %d programs", counted, len(sources))
			assert.Greater(t, counted, len(sources)/2)
		})
	}
}

// The same for Fortran: each procedure is one call of its function in C.
func TestFortranCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("starts MPI programs")
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	for family, sonames := range map[string][2]string{"openmpi": {"libmpi.so.40", "libmpi_mpifh.so.40"}, "mpich": {"libmpi.so.12", "libmpifort.so.12"}} {
		t.Run(family, func(t *testing.T) {
			front := frontWith(t, prefix, family, sonames[0], "counting.c", "count_calls", "calls_counted")
			procedures := filepath.Join(prefix, "lib", "wi4go", family, sonames[1])
			tool := counter(t, inFortran(t, front, procedures), procedures, "-DFORTRAN", front)
			to := found(t, prefix, map[string]string{"openmpi": "mpich", "mpich": "openmpi"}[family])
			from := found(t, prefix, family)
			from.MPICC = strings.Replace(from.MPICC, "mpicc", "mpifort", 1)
			source, program := filepath.Join(root, "tests", "fortran", "programs"), filepath.Join(t.TempDir(), "procedures")
			require.NoError(t, from.Compile(filepath.Join(source, "procedures.F90"), program, "-cpp", "-DMPIF", "-I"+source, "-J"+t.TempDir(), "-w",
				"-ffree-line-length-none", "-fallow-argument-mismatch"))
			compareCounts(t, to, "LD_PRELOAD="+strings.Join([]string{tool, procedures, front}, ":"), "WI4GO_TO="+library(t, to), program)
		})
	}
}

// compareCounts runs a program on two ranks, each of which must report equal counts. It reports whether any rank has
// reported. Ranks report nothing if they end early, as they do natively, or if the front refuses the program because the
// library lacks a function.
func compareCounts(t *testing.T, to harness.Toolchain, preload, runtime, program string) (reported bool) {
	t.Helper()
	const ranks = 2
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	file := filepath.Join(t.TempDir(), "counts")
	cmd := to.Launch(ctx, ranks, "env", preload, runtime, "COUNTS="+file, "WI4GO_TEST_CHUNK=64", program)
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	text, _ := os.ReadFile(file)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	name := filepath.Base(program)
	if err != nil && strings.Contains(string(out), "not in the MPI library that this program runs on") {
		return false
	}
	if !failsNatively(t, name) {
		assert.GreaterOrEqual(t, len(lines), ranks, "%s: %v\n%s", name, err, out)
	}
	for _, line := range lines {
		if line == "" {
			continue // it ended early, as it does natively
		}
		assert.Regexp(t, `^equal [1-9]\d*$`, line, "%s: %s", name, line)
		reported = true
	}
	return reported
}

// failsNatively reports whether a program fails natively on some library, and may end early.
func failsNatively(t *testing.T, program string) bool {
	t.Helper()
	list, err := os.ReadFile(filepath.Join(root, "tests", "conformance", "native-failures.txt"))
	require.NoError(t, err)
	return strings.Contains("\n"+string(list), "\n"+program+" ")
}

// The list names only existing programs.
func TestUncountable(t *testing.T) {
	for name, reason := range listed(t, "uncountable.txt") {
		_, err := os.Stat(suite.Source(filepath.Join(root, "tests", "conformance"), name))
		assert.NoError(t, err, name)
		assert.NotEmpty(t, reason, name)
	}
}
