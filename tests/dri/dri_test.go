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

var libraries = []string{"openmpi", "mpich", "openmpi-5.0", "mpich-5.0", "intelmpi-2021.18"}

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

// compile builds a program from one of the sources, as the README describes, and returns its path.
func compile(t *testing.T, source string, more ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(source), ".c"))
	if !strings.Contains(source, "/") {
		source = filepath.Join("programs", source)
	}
	args := append([]string{"-O1", "-g", "-Wall", "-Wextra", "-Werror", "-o", program, source}, more...)
	if more == nil {
		args = append(args, "-ldri", "-lm")
	}
	must(t, nil, filepath.Join(prefix(t), "bin", "mpicc"), args...)
	return program
}

// run runs a program on a number of ranks of a library.
func run(t *testing.T, library string, env []string, ranks int, program string, args ...string) string {
	t.Helper()
	tools, err := harness.Find(library)
	if err != nil {
		harness.Missing(t, err)
	}
	env = append(harness.YieldVariables(), env...)
	args = append([]string{"--to", tools.MPIExec, "-n", fmt.Sprint(ranks), program}, args...)
	return must(t, env, filepath.Join(prefix(t), "bin", "mpiexec"), args...)
}

// everywhere runs a program on every library and each number of ranks. Its last line must report success.
func everywhere(t *testing.T, env []string, ranks []int, source string, args ...string) {
	t.Helper()
	program := compile(t, source)
	for _, library := range libraries {
		t.Run(library, func(t *testing.T) {
			for _, n := range ranks {
				got := run(t, library, env, n, program, args...)
				assert.True(t, strings.HasSuffix(got, strings.TrimSuffix(source, ".c")+": right\n"), "%d ranks: %s", n, got)
			}
		})
	}
}

// Each rule of the interface has its test.
func TestRules(t *testing.T) {
	program := compile(t, "rules.c")
	for _, library := range libraries {
		t.Run(library, func(t *testing.T) {
			got := run(t, library, nil, 3, program)
			for i := 1; i <= 15; i++ {
				t.Run(fmt.Sprintf("S%d", i), func(t *testing.T) {
					assert.Contains(t, got, fmt.Sprintf("S%d: right\n", i))
				})
			}
		})
	}
}

func TestCornerTurns(t *testing.T) { everywhere(t, nil, []int{1, 2, 3, 4}, "corner.c") }
func TestOverlap(t *testing.T)     { everywhere(t, nil, []int{1, 2, 4}, "halo.c") }
func TestStages(t *testing.T)      { everywhere(t, nil, []int{1, 2, 4}, "stages.c") }
func TestErrors(t *testing.T)      { everywhere(t, nil, []int{2}, "errors.c") }
func TestFaults(t *testing.T)      { everywhere(t, []string{"DRI_RANKS_PER_NODE=1"}, []int{2}, "faults.c") }
func TestTimeout(t *testing.T)     { everywhere(t, nil, []int{2}, "timeout.c") }
func TestDRI1(t *testing.T)        { everywhere(t, nil, []int{2}, "dri1.c") }

// Each allocation of each of three processes fails during a commit: all processes return the error, and none waits.
// Each library and each method in the nightly run.
func TestExhausted(t *testing.T) {
	harness.All.From(t, "hundreds of commits fail")
	program := compile(t, "exhausted.c")
	for _, library := range libraries {
		for _, s := range settings {
			if harness.Nightly.Runs() || library == "mpich" && (s.name == "chosen" || s.name == "typed") {
				t.Run(s.name+" on "+library, func(t *testing.T) {
					assert.Equal(t, "exhausted: right\n", run(t, library, s.env, 3, program))
				})
			}
		}
	}
}

// Each vector width of the processor transposes elements of every size, at any alignment.
func TestKernel(t *testing.T) { everywhere(t, nil, []int{1}, "kernel.c") }

// Random arguments; WI4GO_DRI_FUZZ is the number of calls for a library.
func TestFuzz(t *testing.T) {
	everywhere(t, nil, []int{1, 2}, "fuzz.c", "1", fmt.Sprint(asked(t, "WI4GO_DRI_FUZZ")))
}

// lost are the bytes that a library leaks in each transfer, natively as well. MPICH 5.0.2 leaks 48 bytes for each
// vector type that is committed and freed, and a transfer makes three.
var lost = map[string]int{"mpich-5.0": 144}

// Memory does not grow. With WI4GO_DRI_LIFE=1000000 the program creates and destroys that many objects of each kind.
func TestLife(t *testing.T) {
	program := compile(t, "life.c")
	for _, library := range libraries {
		t.Run(library, func(t *testing.T) {
			got := run(t, library, nil, 2, program, fmt.Sprint(asked(t, "WI4GO_DRI_LIFE")), fmt.Sprint(lost[library]))
			assert.Equal(t, "life: right\n", got)
		})
	}
}

type setting struct {
	name string
	env  []string
}

// settings are the conditions that determine a transfer's method: each method forced, and processes as if on several
// nodes, with names in a window.
var settings = []setting{
	{"chosen", nil},
	{"packed", []string{"DRI_METHOD=packed"}},
	{"typed", []string{"DRI_METHOD=typed"}},
	{"shared", []string{"DRI_METHOD=shared"}},
	{"two nodes", []string{"DRI_RANKS_PER_NODE=2"}},
	{"many nodes", []string{"DRI_RANKS_PER_NODE=1"}},
}

// Random redistributions are compared with the model, with each method. WI4GO_DRI_RANDOM is their total number on a
// library.
func TestRandom(t *testing.T) {
	count := asked(t, "WI4GO_DRI_RANDOM") / (len(settings) * 4)
	program := compile(t, "random.c")
	for _, library := range libraries {
		t.Run(library, func(t *testing.T) {
			first := 1
			for _, s := range settings {
				t.Run(s.name, func(t *testing.T) {
					for ranks := 1; ranks <= 4; ranks++ {
						assert.Equal(t, "random: right\n", run(t, library, s.env, ranks, program, fmt.Sprint(first), fmt.Sprint(count)))
						first += count
					}
				})
			}
		})
	}
}

// The method depends on buffers and lines, and can be forced.
func TestMethods(t *testing.T) {
	program := compile(t, "methods.c")
	methods := map[string][]string{
		"chosen": {"shared", "packed", "typed"}, "shared": {"shared", "packed", "packed"}, "packed": {"packed", "packed", "packed"},
		"typed": {"typed", "typed", "typed"}, "many nodes": {"packed", "packed", "typed"},
	}
	for _, s := range settings {
		m := methods[s.name]
		if m == nil {
			continue
		}
		for _, library := range libraries {
			t.Run(s.name+" on "+library, func(t *testing.T) {
				want := fmt.Sprintf("ours: self+%s\nthe program's, turned: self+%s\nthe program's, in lines: self+%s\n"+
					"in its place: self\nin windows: self+packed\nmethods: right\n", m[0], m[1], m[2])
				assert.Equal(t, want, run(t, library, s.env, 2, program))
			})
		}
	}
}

// AddressSanitizer and UBSan find nothing in the library's own sources, which are compiled into the program. MPI itself
// is not instrumented.
func TestSanitizers(t *testing.T) {
	harness.All.From(t, "it runs all programs again, with other compiler flags")
	sources, err := filepath.Glob("../../dri/*.c")
	require.NoError(t, err)
	env := []string{"ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0", "UBSAN_OPTIONS=halt_on_error=1"}
	for _, program := range []string{"corner", "halo", "stages", "errors", "fuzz", "random"} {
		more := append([]string{"-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-Wno-unused-parameter"}, sources...)
		made := compile(t, program+".c", append(more, "-lm")...)
		for _, library := range harness.Names {
			t.Run(program+" on "+library, func(t *testing.T) {
				var args []string
				if program == "fuzz" || program == "random" {
					args = []string{"70000", "500"}
				}
				assert.Contains(t, run(t, library, env, 2, made, args...), program+": right\n")
			})
		}
	}
}

// libdri.so needs only the standard ABI's library and the C library, and defines only the interface.
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
	declared := regexp.MustCompile(`\b(DRI_\w+|dri_packed_\d+)\b[(,;]`).FindAllStringSubmatch(string(header), -1)
	names := map[string]bool{}
	for _, d := range declared {
		names[d[1]] = true
	}
	defined := 0
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF {
			assert.True(t, names[s.Name], "%s is defined, and not in dri.h", s.Name)
			defined++
		}
	}
	for _, function := range []string{"DRI_gdo_create", "DRI_part_create", "DRI_group_create", "DRI_dist_create", "DRI_layout_create", "DRI_xfer_create", "DRI_do"} {
		assert.True(t, names[function], function)
	}
	assert.Greater(t, defined, 40)
}

// The README's corner turn is a program of at most sixty lines that works, compiled as described there and by
// pkg-config.
func TestExample(t *testing.T) {
	text, err := os.ReadFile("../../dri/README.md")
	require.NoError(t, err)
	_, example, found := strings.Cut(string(text), "```c\n")
	require.True(t, found)
	example, _, found = strings.Cut(example, "```\n")
	require.True(t, found)
	assert.LessOrEqual(t, strings.Count(example, "\n"), 60)
	source := filepath.Join(t.TempDir(), "turn.c")
	require.NoError(t, os.WriteFile(source, []byte(example), 0o644))
	programs := []string{compile(t, source)}
	if _, err := exec.LookPath("pkg-config"); err != nil {
		harness.Missing(t, fmt.Errorf("pkg-config: %w; install it", harness.ErrMissing))
	}
	pkg := []string{"PKG_CONFIG_PATH=" + filepath.Join(prefix(t), "lib/wi4go/mpi/lib/pkgconfig")}
	flags := strings.Fields(must(t, pkg, "pkg-config", "--cflags", "--libs", "dri"))
	programs = append(programs, filepath.Join(t.TempDir(), "turn"))
	must(t, nil, "gcc", append([]string{"-o", programs[1], source}, flags...)...)
	for _, program := range programs {
		for _, library := range libraries {
			t.Run(library, func(t *testing.T) {
				assert.Equal(t, "the turn is right\n", run(t, library, nil, 2, program))
			})
		}
	}
}

// make install puts all files in their places.
func TestInstalled(t *testing.T) {
	stage := t.TempDir()
	must(t, []string{"MAKEFLAGS="}, "make", "-s", "-C", "../..", "install", "DESTDIR="+stage, "PREFIX=/opt/mpi")
	for _, file := range []string{"include/dri.h", "include/dri1.h", "lib/pkgconfig/dri.pc", "lib/libdri.so"} {
		_, err := os.Stat(filepath.Join(stage, "opt/mpi/lib/wi4go/mpi", file))
		assert.NoError(t, err)
	}
}
