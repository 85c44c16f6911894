package launch

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
	"wi4go/internal/fault"
)

// Symbols that a program imports and the front lacks. They are refused if ld.so looks for them at
// the start and does not find them, or if no library is known to have them. Otherwise there is a
// warning.
func TestLacks(t *testing.T) {
	w := newWorld(t)
	const all = "int ompi_proc_all(void) { return 0; } int PQ_init(void) { return 0; } int ompi_unheard_of(void) { return 0; } int printed(void) { return 0; } long ompi_proc_world;"
	own := fakempi.Shared(t, "int MPI_Init(int *a, char ***b) { return 0; }"+all, w.at("own/libmpi.so.40"), "libmpi.so.40")
	const (
		call  = "int %s(void); int main(int n, char **v) { return n > 9 ? %[1]s() : 0; }"
		named = "int %s(void); int (*volatile f)(void) = %[1]s; int main(void) { return f == 0; }"
		data  = "extern long %s; int main(void) { return (int)%[1]s; }"
	)
	for _, c := range []struct {
		symbol, source, flag string
		bindNow              bool
		want                 string // "", or the name of a warning or an error
	}{
		// A stub always helps if it is preloaded.
		{"ompi_proc_all", call, "-Wl,-z,lazy", false, "own-function"},
		{"ompi_proc_all", call, "-Wl,-z,now", false, "own-function"},
		{"ompi_proc_all", call, "-Wl,-z,lazy", true, "own-function"},
		{"ompi_proc_all", named, "-Wl,-z,lazy", false, "own-function"},
		// Some libraries have the function, and there is no stub.
		{"PQ_init", call, "-Wl,-z,lazy", false, "own-function"},
		{"PQ_init", call, "-Wl,-z,now", false, "symbol-unknown"},
		{"PQ_init", call, "-Wl,-z,lazy", true, "symbol-unknown"},
		{"PQ_init", named, "-Wl,-z,lazy", false, "symbol-unknown"},
		// No library has the function, but its name looks like a library's.
		{"ompi_unheard_of", call, "-Wl,-z,lazy", false, "symbol-unknown"},
		{"ompi_proc_world", data, "-Wl,-z,lazy", false, "symbol-unknown"},
		{"printed", call, "-Wl,-z,lazy", false, ""},
	} {
		name := fmt.Sprintf("%s %s %t", c.symbol, c.flag, c.bindNow)
		app := fakempi.Compile(t, fmt.Sprintf(c.source, c.symbol), w.at("app"), own, c.flag, "-fplt", "-no-pie", "-fPIC")
		delete(w.env, "LD_BIND_NOW")
		if c.bindNow {
			w.env["LD_BIND_NOW"] = "1"
		}
		j, err := w.Job([]string{app}, "", "", w.mpich)
		if c.want == "symbol-unknown" {
			id, text, cure := fault.Of(err, "")
			assert.Equal(t, c.want, id, name)
			assert.Equal(t, app+" imports "+c.symbol+", which wi4go's front for Open MPI programs does not have", text)
			assert.Equal(t, "run it on the MPI library that it was built with", cure)
			continue
		}
		require.NoError(t, err, name)
		if c.want == "" {
			assert.Empty(t, j.Warnings, name)
			continue
		}
		require.Len(t, j.Warnings, 1, name)
		id, text, _ := fault.Of(j.Warnings[0], "")
		assert.Equal(t, c.want, id, name)
		assert.Contains(t, text, app+" imports "+c.symbol)
		assert.Equal(t, []string{c.symbol}, j.UnresolvedFunctions(), name)
		assert.Contains(t, j.Env[0].Value, w.at("ours/lib/wi4go/openmpi/own.so"), name)
	}

	// Each object is named with the symbols that it imports.
	delete(w.env, "LD_BIND_NOW")
	library := fakempi.Shared(t, "int PQ_init(void), ompi_proc_all(void); int use(void) { return PQ_init() + ompi_proc_all(); }", w.at("libuse.so"), "libuse.so",
		"-Wl,-z,lazy", "-fplt", own)
	both := fakempi.Compile(t, "int use(void), ompi_proc_all(void); int main(int n, char **v) { return n > 9 ? use() + ompi_proc_all() : 0; }", w.at("both"), library, own,
		"-Wl,-z,lazy", "-Wl,-rpath,"+w.at("."))
	two, err := w.Job([]string{both}, "", "", w.mpich)
	require.NoError(t, err)
	require.Len(t, two.Warnings, 2)
	assert.Contains(t, two.Warnings[0].Error(), library+" imports PQ_init, ompi_proc_all, which")
	assert.Contains(t, two.Warnings[1].Error(), both+" imports ompi_proc_all, which")

	// A symbol that the program or one of its libraries defines is not missing.
	beside := fakempi.Shared(t, "int ompi_proc_all(void) { return 1; }", w.at("libbeside.so"), "libbeside.so")
	app := fakempi.Compile(t, fmt.Sprintf(call, "ompi_proc_all"), w.at("app"), beside, own, "-Wl,-rpath,"+w.at("."), "-Wl,--no-as-needed")
	j, err := w.Job([]string{app}, "", "", w.mpich)
	require.NoError(t, err)
	assert.Empty(t, j.Warnings)
	assert.NotContains(t, j.Env[0].Value, "own.so")
}
