package fortran

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// A chapters is a program whose chapters can be left out one by one, if a library fails in them natively.
type chapters struct {
	name  string
	flags map[string][]string // by family; Open MPI's are only for translated programs
	only  string              // a binding, "" for all
}

// mpi4 adds procedures of MPI-4.0. Translated programs of mpif.h and `use mpi` built with Open MPI 4.1 call them, too,
// and are linked with wi4go's Fortran library for that.
var mpi4 = []string{"-DFOUR"}

var programs = []chapters{
	{"communication", map[string][]string{"mpich": mpi4, "mpiabi": mpi4, "openmpi": mpi4}, ""},
	{"storage", nil, ""},
	{"objects", map[string][]string{"mpich": mpi4, "mpiabi": mpi4, "openmpi": mpi4}, ""},
	{"large", map[string][]string{"mpich": nil, "mpiabi": nil}, "F08"}, // Open MPI's module lacks them before release 6
}

// A failure is a line of native-failures.txt.
type failure struct{ program, chapter, library, bindings, reason string }

func nativeFailures(t *testing.T) (failures []failure) {
	t.Helper()
	text, err := os.ReadFile("native-failures.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		word := strings.SplitN(strings.TrimSpace(line), " ", 5)
		require.Len(t, word, 5, "%s", line)
		failures = append(failures, failure{word[0], word[1], word[2], word[3], word[4]})
	}
	return failures
}

// is reports whether the failure applies to the program in the binding, on the library; natively also to the library's
// own Fortran.
func (f failure) is(program, binding, library string, natively bool) bool {
	c, fortran := strings.CutSuffix(f.library, "/fortran")
	matches, err := path.Match(c, library)
	return f.program == program && err == nil && matches && (natively || !fortran) &&
		(f.bindings == "*" || slices.Contains(strings.Split(f.bindings, ","), binding))
}

// leftOut returns the chapters that are skipped.
func leftOut(t *testing.T, program, binding, library string, natively bool) (names []string) {
	for _, f := range nativeFailures(t) {
		if f.is(program, binding, library, natively) {
			names = append(names, f.chapter)
		}
	}
	return names
}

// Each chapter of the programs natively, and on every library, for programs built with each family's wrapper and with
// wi4go's.
func TestChapters(t *testing.T) {
	for _, from := range append(slices.Clone(harness.Names), harness.Interface) {
		for _, binding := range bindings {
			for _, p := range programs {
				if p.only != "" && (p.only != binding || from == "openmpi") {
					continue
				}
				t.Run(from+"/"+binding+"/"+p.name, func(t *testing.T) {
					t.Parallel()
					p.everywhere(t, from, binding)
				})
			}
		}
	}
}

func (p chapters) everywhere(t *testing.T, from, binding string) {
	tools := wrapper(t, from)
	natively := p.flags[tools.Family()]
	translated := natively
	if from == "openmpi" {
		natively = nil // 4.1 has MPI-3.1
		if translated = nil; binding != "F08" && p.flags[from] != nil {
			translated = slices.Concat(p.flags[from], five(t)) // the names differ in mpi_f08
		}
	}
	program := compile(t, tools, binding, p.name, natively...)
	if from != harness.Interface {
		run(t, tools, nil, append([]string{program}, leftOut(t, p.name, binding, from, true)...)...)
	}
	if translated != nil && natively == nil {
		program = compile(t, tools, binding, p.name, translated...)
	}
	if from == "mpich" {
		upstream(t, program)
	}
	for _, to := range on(from, binding) {
		if to == "openmpi" && from == to && translated == nil {
			continue // there the Fortran library is its own
		}
		t.Run(to, func(t *testing.T) {
			t.Parallel()
			through(t, find(t, to), program, leftOut(t, p.name, binding, to, false)...)
		})
	}
}

// on returns the libraries that programs of a family run on. `use mpi` has mpif.h's procedures, and wi4go's own library
// is the same everywhere.
func on(from, binding string) []string {
	if binding == "MOD" || from == harness.Interface {
		return []string{"openmpi", "mpich-5.0"}
	}
	return append([]string{"mpich"}, runtimes...)
}

// wrapper returns the tools that compile programs.
func wrapper(t *testing.T, name string) harness.Toolchain {
	t.Helper()
	tools, err := harness.FindIn(prefix(t), name)
	if err != nil {
		harness.Missing(t, err)
	}
	return tools
}

// Every listed failure occurs natively, if there is Fortran, except for those that occur only sometimes.
func TestNativeFailures(t *testing.T) {
	for _, f := range nativeFailures(t) {
		i := slices.IndexFunc(programs, func(p chapters) bool { return p.name == f.program })
		require.GreaterOrEqual(t, i, 0, "%s: no program", f.program)
		if strings.Contains(f.reason, "now and then") {
			continue
		}
		for _, from := range harness.Names {
			for _, binding := range bindings {
				if !f.is(f.program, binding, from, true) || programs[i].only != "" && programs[i].only != binding {
					continue
				}
				tools := find(t, from)
				var flags []string
				if from != "openmpi" {
					flags = programs[i].flags[from]
				}
				stdout, _, err := outcome(t, tools, nil, compile(t, tools, binding, f.program, flags...), "only", f.chapter)
				assert.Error(t, err, "%s %s of %s passes: %s", f.program, f.chapter, from, stdout)
			}
		}
	}
}
