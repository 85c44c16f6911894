// Package dri compiles programs for libdri with the installation's mpicc, once each, and runs them on every installed
// MPI library.
package dri

import (
	"bytes"
	"context"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

// libraries are the MPI libraries that every program runs on.
var libraries = []string{"openmpi", "mpich", "openmpi-5.0", "mpich-5.0", "intelmpi-2021.18", harness.Embedded}

// asked returns the number of calls, objects or redistributions for a library: the variable's value, or the default.
func asked(t *testing.T, variable string) int {
	return harness.Number(t, variable, usual[variable])
}

var usual = map[string]int{"WI4GO_DRI_FUZZ": 2000, "WI4GO_DRI_LIFE": 4000, "WI4GO_DRI_RANDOM": 1500}

// limit returns the time limit of a program: five minutes, multiplied if more work is requested.
func limit(t *testing.T) time.Duration {
	times := 1
	for variable, number := range usual {
		times = max(times, asked(t, variable)/number)
	}
	return time.Duration(times) * 5 * time.Minute
}

func prefix(t *testing.T) string {
	t.Helper()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(prefix, "lib/wi4go/mpi/lib/libdri.so")); err != nil {
		harness.Missing(t, fmt.Errorf("libdri.so: %w (%v); run make first", harness.ErrMissing, err))
	}
	return prefix
}

// must runs a command with additional variables in the environment and returns its output.
func must(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit(t))
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Env, cmd.Stdout, cmd.Stderr = append(harness.PlainEnviron(), env...), &stdout, &stderr
	err := cmd.Run()
	require.NoError(t, err, "%s %s\n%s%s", name, strings.Join(args, " "), stdout.String(), stderr.String())
	return stdout.String()
}

// compile builds a program from one of the sources, as the README describes, and returns its path. It does so once, and keeps
// the program in build/test-programs.
func compile(t *testing.T, source string, more ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(source), filepath.Ext(source)))
	if !strings.Contains(source, "/") {
		source = filepath.Join("programs", source)
	}
	if more == nil {
		more = []string{"-ldri", "-lm"}
	}
	tools, err := harness.FindIn(prefix(t), harness.Interface)
	require.NoError(t, err)
	require.NoError(t, tools.Compile(source, program, append([]string{"-O1", "-Werror"}, more...)...))
	return program
}

// run runs a program on a number of ranks of a library.
func run(t *testing.T, library string, env []string, ranks int, program string, args ...string) string {
	t.Helper()
	tools, err := harness.FindIn(prefix(t), library)
	if err != nil {
		harness.Missing(t, err)
	}
	env = append(harness.YieldVariables(), env...)
	args = append([]string{"--to", tools.MPIExec, "-n", fmt.Sprint(ranks), program}, args...)
	return must(t, env, filepath.Join(prefix(t), "bin", "mpiexec"), args...)
}

// onEach runs a test for each library. The libraries of a program run at the same time, because their ranks mostly wait.
func onEach(t *testing.T, test func(t *testing.T, library string)) {
	for _, library := range libraries {
		t.Run(library, func(t *testing.T) {
			t.Parallel()
			test(t, library)
		})
	}
}

// everywhere runs a program on every library and each number of ranks. Its last line must report success.
func everywhere(t *testing.T, ranks []int, source string, args ...string) {
	t.Helper()
	program := compile(t, source)
	onEach(t, func(t *testing.T, library string) {
		for _, n := range ranks {
			got := run(t, library, nil, n, program, args...)
			assert.True(t, strings.HasSuffix(got, strings.TrimSuffix(source, ".c")+": right\n"), "%d ranks: %s", n, got)
		}
	})
}

// Each rule of the interface has its test.
func TestRules(t *testing.T) {
	program := compile(t, "rules.c")
	onEach(t, func(t *testing.T, library string) {
		got := run(t, library, nil, 3, program)
		for i := 1; i <= 15; i++ {
			assert.Contains(t, got, fmt.Sprintf("S%d: right\n", i))
		}
	})
}

func TestCornerTurns(t *testing.T) { everywhere(t, []int{1, 2, 3, 4}, "corner.c") }
func TestOverlap(t *testing.T)     { everywhere(t, []int{1, 2, 4}, "halo.c") }
func TestStages(t *testing.T)      { everywhere(t, []int{1, 2, 4}, "stages.c") }
func TestDerive(t *testing.T)      { everywhere(t, []int{1, 4}, "derive.c") }
func TestRebase(t *testing.T)      { everywhere(t, []int{1, 2, 3}, "rebase.c") }
func TestErrors(t *testing.T)      { everywhere(t, []int{2}, "errors.c") }
func TestTimeout(t *testing.T)     { everywhere(t, []int{2}, "timeout.c") }
func TestDRI1(t *testing.T)        { everywhere(t, []int{2}, "dri1.c") }

// An error of one process is an error of all. The names are in a window, which the embedded MPI lacks.
func TestFaults(t *testing.T) {
	program := compile(t, "faults.c")
	onEach(t, func(t *testing.T, library string) {
		env := []string{"DRI_RANKS_PER_NODE=1"}
		if library != harness.Embedded {
			env = append(env, "DRI_NAMES=window")
		}
		assert.Equal(t, "faults: right\n", run(t, library, env, 2, program))
	})
}

// Each allocation of each of three processes fails during a commit: all processes return the error, and none waits.
// Each library and each method in the nightly run.
func TestExhausted(t *testing.T) {
	harness.All.From(t, "hundreds of commits fail")
	program := compile(t, "exhausted.c")
	onEach(t, func(t *testing.T, library string) {
		for _, method := range []string{"", "typed", "packed", "shared"} {
			if harness.Nightly.Runs() || (library == "mpich" || library == harness.Embedded) && (method == "" || method == "typed") {
				assert.Equal(t, "exhausted: right\n", run(t, library, []string{"DRI_METHOD=" + method}, 3, program), method)
			}
		}
	})
}

// Each vector width of the processor transposes elements of every size, at any alignment.
func TestKernel(t *testing.T) { everywhere(t, []int{1}, "kernel.c") }

// Random arguments; WI4GO_DRI_FUZZ is the number of calls for a library.
func TestFuzz(t *testing.T) {
	everywhere(t, []int{1, 2}, "fuzz.c", "1", fmt.Sprint(asked(t, "WI4GO_DRI_FUZZ")))
}

// lost are the bytes that a library leaks in each transfer, natively as well. MPICH 5.0.2 leaks 48 bytes for each
// vector type that is committed and freed, and a transfer makes three.
var lost = map[string]int{"mpich-5.0": 144}

// Memory does not grow. With WI4GO_DRI_LIFE=1000000 the program creates and destroys that many objects of each kind.
func TestLife(t *testing.T) {
	program := compile(t, "life.c")
	count := fmt.Sprint(asked(t, "WI4GO_DRI_LIFE"))
	onEach(t, func(t *testing.T, library string) {
		assert.Equal(t, "life: right\n", run(t, library, nil, 2, program, count, fmt.Sprint(lost[library])))
	})
}

// settings are the conditions of programs/check.h that determine a transfer's method.
var settings = []string{"chosen", "packed", "typed", "shared", "two nodes", "many nodes"}

// Random redistributions are compared with the model, with each setting. WI4GO_DRI_RANDOM is their total number on a
// library.
func TestRandom(t *testing.T) {
	count := asked(t, "WI4GO_DRI_RANDOM") / (len(settings) * 4)
	program := compile(t, "random.c")
	onEach(t, func(t *testing.T, library string) {
		for ranks := 1; ranks <= 4; ranks++ {
			first := 1 + (ranks-1)*count*len(settings)
			assert.Equal(t, "random: right\n", run(t, library, nil, ranks, program, fmt.Sprint(first), fmt.Sprint(count)))
		}
	})
}

// The method depends on buffers and lines, and can be forced.
func TestMethods(t *testing.T) {
	program := compile(t, "methods.c")
	methods := map[string][]string{
		"chosen": {"shared", "packed", "typed"}, "shared": {"shared", "packed", "packed"}, "packed": {"packed", "packed", "packed"},
		"typed": {"typed", "typed", "typed"}, "two nodes": {"shared", "packed", "typed"}, "many nodes": {"packed", "packed", "typed"},
	}
	var want strings.Builder
	for _, s := range settings {
		m := methods[s]
		fmt.Fprintf(&want, "%s: \nours: self+%s\nthe program's, turned: self+%s\nthe program's, in lines: self+%s\n"+
			"in its place: self\nin windows: self+packed\n", s, m[0], m[1], m[2])
	}
	onEach(t, func(t *testing.T, library string) {
		assert.Equal(t, want.String()+"methods: right\n", run(t, library, nil, 2, program))
	})
}

// AddressSanitizer and UBSan find nothing in the library's own sources, which are compiled into one library for all
// programs. MPI itself is not instrumented.
func TestSanitizers(t *testing.T) {
	harness.All.From(t, "it runs all programs again, with other compiler flags")
	flags := []string{"-fsanitize=address,undefined", "-fno-sanitize-recover=all"}
	unit, err := os.ReadFile("programs/sanitized.c")
	require.NoError(t, err)
	sources, err := filepath.Glob("../../dri/*.c")
	require.NoError(t, err)
	for _, source := range sources {
		require.Contains(t, string(unit), "#include \"../"+source+"\"\n", "a source of the library is missing")
	}
	library := compile(t, "sanitized.c", append(flags, "-Wno-unused-parameter", "-shared", "-fPIC")...)
	env := []string{"ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0", "UBSAN_OPTIONS=halt_on_error=1", "LD_LIBRARY_PATH=" + filepath.Dir(library)}
	for _, program := range []string{"corner", "halo", "stages", "errors", "derive", "rebase", "fuzz", "random"} {
		made := compile(t, program+".c", append(flags, library, "-lm")...)
		for _, library := range append(harness.Names, harness.Embedded) {
			t.Run(program+" on "+library, func(t *testing.T) {
				t.Parallel()
				var args []string
				if program == "fuzz" || program == "random" {
					args = []string{"70000", "80"}
				}
				assert.Contains(t, run(t, library, env, 2, made, args...), program+": right\n")
			})
		}
	}
}

// One process that no launcher has started is a group of one, on each library, and also with the library that the program
// finds by itself.
func TestOneProcess(t *testing.T) {
	programs := []string{compile(t, "corner.c"), compile(t, "stages.c"), compile(t, "rebase.c")}
	for _, program := range programs {
		want := filepath.Base(program) + ": right\n"
		assert.Contains(t, must(t, nil, program), want)
		onEach(t, func(t *testing.T, library string) {
			tools, err := harness.FindIn(prefix(t), library)
			if err != nil {
				harness.Missing(t, err)
			}
			assert.Contains(t, must(t, nil, filepath.Join(prefix(t), "bin", "wi4go"), "exec", "--to", tools.MPIExec, program), want)
		})
	}
}

// libdri.so needs only the standard ABI's library and the C library, and defines only the interface of C and Fortran.
func TestLibrary(t *testing.T) {
	file, err := elf.Open(filepath.Join(prefix(t), "lib/wi4go/mpi/lib/libdri.so"))
	require.NoError(t, err)
	defer file.Close()
	needed, err := file.ImportedLibraries()
	require.NoError(t, err)
	for _, name := range needed {
		assert.Regexp(t, `^(libmpi_abi\.so\.1|libc\.so\.6|ld-linux.*)$`, name)
	}
	symbols, err := file.DynamicSymbols()
	require.NoError(t, err)
	header, err := os.ReadFile("../../dri/dri.h")
	require.NoError(t, err)
	module, err := os.ReadFile("../../dri/dri_f08.f90")
	require.NoError(t, err)
	declared := regexp.MustCompile(`\b(DRI_\w+|dri_packed_\d+)\b[(,;]|name="(dri_f08_\w+)"`).FindAllStringSubmatch(string(header)+string(module), -1)
	names := map[string]bool{}
	for _, d := range declared {
		names[d[1]+d[2]] = true
	}
	defined := 0
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF {
			assert.True(t, names[s.Name], "%s is defined, and neither in dri.h nor in dri_f08.f90", s.Name)
			defined++
		}
	}
	for _, function := range []string{"DRI_gdo_create", "DRI_part_create", "DRI_group_create", "DRI_dist_create", "DRI_layout_create", "DRI_xfer_create", "DRI_do"} {
		assert.True(t, names[function], function)
	}
	assert.Greater(t, defined, 40)
}

// examples returns the programs in the README in a language.
func examples(t *testing.T, language string) (programs []string) {
	t.Helper()
	text, err := os.ReadFile("../../dri/README.md")
	require.NoError(t, err)
	for _, part := range strings.Split(string(text), "```"+language+"\n")[1:] {
		program, _, found := strings.Cut(part, "```\n")
		require.True(t, found)
		source := filepath.Join(t.TempDir(), "example."+map[string]string{"c": "c", "fortran": "f90"}[language])
		require.NoError(t, os.WriteFile(source, []byte(program), 0o644))
		programs = append(programs, source)
	}
	return programs
}

// The README's programs work, compiled as described there and by pkg-config. The corner turn has at most sixty lines.
func TestExamples(t *testing.T) {
	sources := examples(t, "c")
	require.Len(t, sources, 2)
	text, err := os.ReadFile(sources[0])
	require.NoError(t, err)
	assert.LessOrEqual(t, strings.Count(string(text), "\n"), 60)
	programs := []string{compile(t, sources[0]), compile(t, sources[1])}
	if _, err := exec.LookPath("pkg-config"); err != nil {
		harness.Missing(t, fmt.Errorf("pkg-config: %w; install it", harness.ErrMissing))
	}
	pkg := []string{"PKG_CONFIG_PATH=" + filepath.Join(prefix(t), "lib/wi4go/mpi/lib/pkgconfig")}
	flags := strings.Fields(must(t, pkg, "pkg-config", "--cflags", "--libs", "dri"))
	programs = append(programs, filepath.Join(t.TempDir(), "turn"))
	must(t, nil, "gcc", append([]string{"-o", programs[2], sources[0]}, flags...)...)
	fortran := examples(t, "fortran")
	require.Len(t, fortran, 1)
	programs = append(programs, compileFortran(t, gfortran(t), fortran[0]))
	onEach(t, func(t *testing.T, library string) {
		for i, program := range programs {
			want := []string{"the turn is right\n", "the frames are right\n", "the turn is right\n", "the turn is right\n"}[i]
			assert.Equal(t, want, run(t, library, nil, 2, program))
		}
	})
	assert.Equal(t, "the turn is right\n", must(t, nil, programs[0]), "without a launcher")
}

// The picture in the README is the output of its program.
func TestPicture(t *testing.T) {
	text, err := os.ReadFile("../../dri/README.md")
	require.NoError(t, err)
	assert.Contains(t, string(text), "```\n"+run(t, harness.Embedded, nil, 4, compile(t, "picture.c"))+"```\n")
}

// make install puts all files in their places.
func TestInstalled(t *testing.T) {
	stage := t.TempDir()
	must(t, []string{"MAKEFLAGS="}, "make", "-s", "-C", "../..", "install", "DESTDIR="+stage, "PREFIX=/opt/mpi")
	for _, file := range []string{"include/dri.h", "include/dri1.h", "include/modules/dri_f08.f90", "lib/pkgconfig/dri.pc", "lib/libdri.so"} {
		_, err := os.Stat(filepath.Join(stage, "opt/mpi/lib/wi4go/mpi", file))
		assert.NoError(t, err)
	}
}
