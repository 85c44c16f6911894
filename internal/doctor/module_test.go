package doctor

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
)

// module makes a Python package with an extension module, and a library that the module needs, with more source and
// flags.
func (w *world) module(source string, flags ...string) {
	w.t.Helper()
	core := fakempi.Shared(w.t, "int MPI_Init(int *, char ***); int core(void) { return MPI_Init(0, 0); }"+source, w.at("made/lib/libcore.so"), "libcore.so",
		append([]string{w.open, "-Wl,--enable-new-dtags,-rpath," + w.at("open/lib")}, flags...)...)
	fakempi.Shared(w.t, "int core(void); int f(void) { return core(); }", w.at("made/_made.abi3.so"), "", core, "-Wl,--enable-new-dtags,-rpath,$ORIGIN/lib")
	w.write("made/__init__.py", "from . import _made\n")
	w.write("p.py", "import made\n")
	fakempi.Compile(w.t, "int main() { return 0; }", w.at("python3"))
}

// The libraries of a module that a Python script imports are examined like a program's.
func TestModules(t *testing.T) {
	undefined := "-Wl,--unresolved-symbols=ignore-all"
	for name, c := range map[string]struct {
		do       func(w *world)
		id, says string
	}{
		"nothing": {func(w *world) { w.module("") }, "", ""},
		"a missing library": {func(w *world) {
			library := w.library("gone/libdata.so.1", "int data(void) { return 0; }")
			w.module("int data(void); int g(void) { return data(); }", library)
			require.NoError(w.t, os.Remove(library))
		}, "library-missing", "/made/lib/libcore.so needs libdata.so.1, but it is not on this machine"},
		"a missing library of one that ctypes opens": {func(w *world) {
			library := w.library("gone/libdata.so.1", "int data(void) { return 0; }")
			w.module("")
			fakempi.Shared(w.t, "int MPI_Init(int *, char ***), data(void); int h(void) { return MPI_Init(0, 0) + data(); }", w.at("made/share/libopened.so"), "libopened.so", library, w.open)
			require.NoError(w.t, os.Remove(library))
		}, "library-missing", "/made/share/libopened.so needs libdata.so.1, but it is not on this machine"},
		"a function that nothing has": {func(w *world) { w.module("int MPI_Nobody(void); int g(void) { return MPI_Nobody(); }", undefined) },
			"symbol-unknown", "MPI_Nobody"},
		"C++ bindings that are not there": {func(w *world) {
			cxx := w.library("gone/libmpi_cxx.so.40", "int _ZN3MPI4InitEv(void) { return 0; }")
			w.module("int _ZN3MPI4InitEv(void); int g(void) { return _ZN3MPI4InitEv(); }", cxx)
			require.NoError(w.t, os.Remove(cxx))
		}, "cxx-missing", "/made/lib/libcore.so needs libmpi_cxx.so.40, the C++ bindings of Open MPI"},
		"C++ bindings that nothing uses": {func(w *world) {
			cxx := w.library("gone/libmpi_cxx.so.40", "int _ZN3MPI4InitEv(void) { return 0; }")
			w.module("", "-Wl,--no-as-needed", cxx)
			require.NoError(w.t, os.Remove(cxx))
		}, "", ""},
		"a Fortran procedure that the layer does not have": {func(w *world) {
			fortran := w.library("gone/libmpi_mpifh.so.40", "int mpi_nobody_(void) { return 0; }")
			w.module("int mpi_nobody_(void); int g(void) { return mpi_nobody_(); }", fortran)
			require.NoError(w.t, os.Remove(fortran))
		}, "fortran", "/made/lib/libcore.so calls Fortran MPI (mpi_nobody_ …)"},
		"a library of a newer glibc": {func(w *world) {
			libc := w.versioned("libc.so.6", "GLIBC_2.99", "")
			w.module("int newest(void); int g(void) { return newest(); }", "-nostdlib", libc, "-Wl,--unresolved-symbols=ignore-in-shared-libs")
		}, "glibc-version", "libcore.so needs GLIBC_2.99 of libc.so.6"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c.do(w)
			r := w.examine(w.onMPICH(w.at("python3"), w.at("p.py")))
			facts := map[string]string{}
			for _, f := range r.Facts {
				facts[f.Subject] = f.Fact
			}
			assert.True(t, strings.HasPrefix(facts["program"], w.at("made/_made.abi3.so")+", built for Open MPI (libmpi.so.40), in C"), facts["program"])
			if c.id == "" {
				assert.Empty(t, r.Findings)
				return
			}
			require.Len(t, r.Findings, 1, "%+v", r)
			assert.Equal(t, c.id, r.Findings[0].ID)
			assert.Contains(t, r.Findings[0].Finding, c.says)
		})
	}
}

// A DT_RPATH of a module that leads to another MPI is found like a program's.
func TestModuleWithRPath(t *testing.T) {
	w := newWorld(t)
	w.module("", "-Wl,--disable-new-dtags")
	r := w.examine(w.onMPICH(w.at("python3"), w.at("p.py")))
	assert.Empty(t, r.Findings, "a preload comes before it")
}
