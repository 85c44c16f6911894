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

// A program whose chapters can be left out, one by one, of what a library does wrong
// natively.
type chapters struct {
	name  string
	flags map[string][]string // by family; those of Open MPI are for translated programs alone
	only  string              // a binding, "" for all
}

// mpi4 is for procedures of MPI-4.0, which translated programs of mpif.h and `use mpi` built
// with Open MPI 4.1 call too, linked from the layer.
var mpi4 = []string{"-DFOUR"}

var programs = []chapters{
	{"communication", map[string][]string{"mpich": mpi4, "mpiabi": mpi4, "openmpi": mpi4}, ""},
	{"storage", nil, ""},
	{"objects", map[string][]string{"mpich": mpi4, "mpiabi": mpi4, "openmpi": mpi4}, ""},
	{"large", map[string][]string{"mpich": nil, "mpiabi": nil}, "F08"}, // Open MPI's module has none until release 6
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

// is says that it is one of the program in the binding, on the library; natively that of
// the library's own Fortran, too.
func (f failure) is(program, binding, library string, natively bool) bool {
	c, fortran := strings.CutSuffix(f.library, "/fortran")
	matches, err := path.Match(c, library)
	return f.program == program && err == nil && matches && (natively || !fortran) &&
		(f.bindings == "*" || slices.Contains(strings.Split(f.bindings, ","), binding))
}

// leftOut are the chapters that are not asked for.
func leftOut(t *testing.T, program, binding, library string, natively bool) (names []string) {
	for _, f := range nativeFailures(t) {
		if f.is(program, binding, library, natively) {
			names = append(names, f.chapter)
		}
	}
	return names
}

// Each chapter of the programs natively, and on every library, of programs built with each
// family's wrapper and with ours.
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
			translated = slices.Concat(p.flags[from], five(t)) // in mpi_f08 the names are others
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

// on are the libraries that programs of a family run on. The procedures of `use mpi` are
// mpif.h's, and those of our own library the same everywhere.
func on(from, binding string) []string {
	if binding == "MOD" || from == harness.Interface {
		return []string{"openmpi", "mpich-5.0"}
	}
	return append([]string{"mpich"}, runtimes...)
}

// wrapper is what programs are compiled with.
func wrapper(t *testing.T, name string) harness.Toolchain {
	t.Helper()
	tools, err := harness.FindIn(prefix(t), name)
	if err != nil {
		harness.Missing(t, err)
	}
	return tools
}

// What is listed fails natively, where there is Fortran, but for what does so now and then.
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
