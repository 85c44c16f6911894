package launch

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/elfobj"
	"wi4go/internal/fakempi"
)

const uses = "int MPI_Init(void *, void *); int main() { return MPI_Init(0, 0); }"

// linked compiles a program for MPICH that needs these libraries in this order, and returns its path.
func (w *world) linked(name string, libraries ...string) string {
	flags := []string{"-Wl,--no-as-needed,--enable-new-dtags,--allow-shlib-undefined"}
	for _, library := range libraries {
		flags = append(flags, library, "-Wl,-rpath,"+filepath.Dir(library))
	}
	return fakempi.Compile(w.t, uses, w.at(name), flags...)
}

func (w *world) tool(name string, flags ...string) string {
	return fakempi.Shared(w.t, "int PMPI_Init(void *, void *); int MPI_Init(void *a, void *b) { return PMPI_Init(a, b); }",
		w.at(name), name, flags...)
}

// made returns the only stand-in that was made for a job.
func (w *world) made(j *Job) *elfobj.Object {
	w.t.Helper()
	require.NoError(w.t, w.Prepare(j))
	var found *elfobj.Object
	for item := range strings.SplitSeq(envOf(j)["LD_PRELOAD"], ":") {
		if strings.HasPrefix(item, w.at("cache")) {
			require.Nil(w.t, found)
			object, err := elfobj.Read(item)
			require.NoError(w.t, err)
			found = object
		}
	}
	require.NotNil(w.t, found)
	return found
}

// A program that does not work with a preload finds the front by LD_LIBRARY_PATH, whose value is
// merged on each host.
func TestByPath(t *testing.T) {
	w := newWorld(t)
	w.env["LD_LIBRARY_PATH"] = "/host:" + w.at("ours/lib/wi4go/openmpi/path") + ":"
	asan := fakempi.Shared(t, "int asan;", w.at("asan/libasan.so.8"), "libasan.so.8")
	library := w.tool("libuser.so", "-Wl,--no-as-needed", w.tool("libtool.so"), w.mpich.Library, "-Wl,-rpath,"+w.dir+",-rpath,"+filepath.Dir(w.mpich.Library))
	for name, app := range map[string]string{
		"AddressSanitizer":               w.linked("asan_app", asan, w.mpich.Library),
		"a tool after MPI":               w.linked("behind", w.mpich.Library, w.tool("libbehind.so")),
		"a tool after MPI, by a library": w.linked("indirect", library),
		"a tool before, by a plugin's":   fakempi.Shared(t, "int MPI_Init(void *, void *); int f(void) { return MPI_Init(0, 0); }", w.at("plugin.so"), "plugin.so", "-Wl,--no-as-needed", w.tool("libfirst.so"), w.mpich.Library, "-Wl,-rpath,"+w.dir+",-rpath,"+filepath.Dir(w.mpich.Library)),
	} {
		j := w.job(app, "", w.open)
		_, preloaded := envOf(j)["LD_PRELOAD"]
		assert.False(t, preloaded, name)
		assert.Equal(t, Var{"LD_LIBRARY_PATH", w.at("ours/lib/wi4go/mpich/path") + ":/host:"}, j.Env[len(j.Env)-1], name)
		command, err := w.Command([]Segment{{Options: []string{"-n", "2"}, Program: []string{app}}}, []*Job{j})
		require.NoError(t, err)
		assert.Equal(t, []string{w.open.Launcher, "-x", "WI4GO_TO=" + w.open.Library, "-x", "WI4GO_FROM=mpich", "-n", "2",
			w.Tree.Command(), "exec", "--from", "mpich", "--to", w.open.Library, "--", app}, command, name)
	}
	// Tools in their usual place work with a preload, and so does a library that only resembles a
	// sanitizer.
	for _, app := range []string{w.linked("before", w.at("libfirst.so"), w.mpich.Library),
		w.linked("other", w.mpich.Library, fakempi.Shared(t, "int MPI_Nobody_has_it;", w.at("libother.so"), "libother.so"))} {
		assert.Equal(t, w.standIn("mpich", "libmpich.so.12"), w.job(app, "", w.open).Env[0].Value)
	}
	// The preload of an outer wi4go is removed.
	w.env["LD_PRELOAD"] = "libm.so.6:" + w.standIn("openmpi", "libmpi.so.40")
	assert.Equal(t, Var{"LD_PRELOAD", "libm.so.6"}, w.job(w.at("asan_app"), "", w.open).Env[0])
	delete(w.env, "LD_PRELOAD")

	// Natively by a stand-in, because the library's $ORIGIN matters.
	j := w.job(w.at("asan_app"), "", w.resolve(fakempi.MPICH(t, w.at("mpich2"), "libmpich.so.12", "")))
	require.True(t, j.Native())
	require.NoError(t, w.Prepare(j))
	dir, _, _ := strings.Cut(envOf(j)["LD_LIBRARY_PATH"], ":")
	standIn, err := elfobj.Read(filepath.Join(dir, "libmpich.so.12"))
	require.NoError(t, err)
	assert.Equal(t, []string{"libmpich.so.12", w.at("mpich2/lib/libmpich.so.12")}, []string{standIn.Soname, standIn.Needed[0]})

	// If LD_LIBRARY_PATH has no effect, AddressSanitizer precedes the stand-in.
	rpath := w.linked("asan_rpath", asan, w.mpich.Library, "-Wl,--disable-new-dtags")
	assert.Equal(t, Var{"LD_PRELOAD", asan + ":" + w.standIn("mpich", "libmpich.so.12")}, w.job(rpath, "", w.open).Env[0])
}

// A script or a wrapper may set either variable, so it gets both.
func TestBothWays(t *testing.T) {
	w := newWorld(t)
	env := envOf(w.jobOf("", w.mpich, "env", "A=1", w.openApp))
	assert.Equal(t, w.standIn("openmpi", "libmpi.so.40"), env["LD_PRELOAD"])
	assert.Equal(t, w.paths("openmpi", "mpich", "mpiabi"), env["LD_LIBRARY_PATH"], "programs of other families find theirs")

	rpath := fakempi.Program(t, w.at("rpath"), w.open.Library, "-Wl,--disable-new-dtags")
	for line, lost := range map[string]string{
		"env A=1 " + rpath:                      "",
		"env LD_PRELOAD=x " + rpath:             "/env sets LD_PRELOAD, which " + rpath,
		"env -u LD_PRELOAD " + rpath:            "/env sets LD_PRELOAD, which",
		"env -i " + rpath:                       "/env sets LD_PRELOAD, which",
		"env LD_PRELOAD=x " + w.openApp:         "",
		"env LD_LIBRARY_PATH=x " + w.openApp:    "",
		"env LD_PRELOAD=$LD_PRELOAD:x " + rpath: "",
		"env -i " + w.openApp:                   "/env sets LD_PRELOAD and LD_LIBRARY_PATH, which " + w.openApp,
	} {
		j := w.jobOf("", w.mpich, strings.Fields(line)...)
		if lost == "" {
			assert.Empty(t, j.Warnings, line)
		} else if assert.Len(t, j.Warnings, 1, line) {
			assert.ErrorContains(t, j.Warnings[0], lost, line)
		}
	}
}

// Names without a file lead to the front, or to the runtime's library.
func TestMadeStandIns(t *testing.T) {
	w := newWorld(t)
	path := w.at("of the program/libmpi.so.40")
	seen := fakempi.Shared(t, "int MPI_Init(void *a, void *b) { return 0; }", w.at("seen.so"), path)
	app := fakempi.Compile(t, uses, w.at("path"), seen)
	j := w.job(app, "", w.mpich)
	standIn := w.made(j)
	assert.Equal(t, path, standIn.Soname)
	assert.Equal(t, []string{w.openFront}, standIn.Needed)
	standIn = w.made(w.job(app, "", w.open))
	assert.Equal(t, []string{path, w.open.Library}, []string{standIn.Soname, standIn.Needed[0]})

	// The runtime's own library would precede a tool.
	j = w.job(w.linked("tooled", w.tool("libtool.so"), w.mpich.Library), "", w.resolve(fakempi.MPICH(t, w.at("mpich2"), "libmpich.so.12", "")))
	require.True(t, j.Native())
	standIn = w.made(j)
	assert.Equal(t, []string{"libmpich.so.12", w.at("mpich2/lib/libmpich.so.12")}, []string{standIn.Soname, standIn.Needed[0]})

	// A Fortran library that is never called.
	fortran := fakempi.Shared(t, "extern int MPIR_F_TRUE; int mpi_init_(void) { return MPIR_F_TRUE; }", w.at("fortran/libmpichfort.so.12"), "libmpichfort.so.12")
	linked := w.linked("fortran_linked", fortran, w.mpich.Library)
	standIn = w.made(w.job(linked, "", w.open))
	layer := []string{"libmpichfort.so.12", w.at("ours/lib/wi4go/mpich/libmpifort.so.12")}
	assert.Equal(t, layer, []string{standIn.Soname, standIn.Needed[0]})
	require.True(t, w.job(linked, "", w.mpich).Native())
	require.NoError(t, os.Remove(fortran)) // then wi4go's Fortran library serves within the family, too
	j = w.job(linked, "", w.mpich)
	assert.Equal(t, "the program needs libmpichfort.so.12, which is not on this machine", j.Reason)
	standIn = w.made(j)
	assert.Equal(t, layer, []string{standIn.Soname, standIn.Needed[0]})

	// A Fortran library that is called. wi4go's Fortran library replaces it if it has everything
	// that the program calls. Otherwise the program is refused.
	fortran = fakempi.Shared(t, "int mpi_barrier_(void) { return 0; } int mpi_send_(void) { return 0; }", w.at("fortran/libmpi_mpifh.so.40"), "libmpi_mpifh.so.40")
	calls := func(function string) string {
		return fakempi.Compile(t, "int "+function+"(void); int main() { return "+function+"(); }", w.at(function), fortran, w.open.Library,
			"-Wl,--no-as-needed", "-Wl,-rpath,"+w.at("fortran"))
	}
	standIn = w.made(w.job(calls("mpi_barrier_"), "", w.mpich))
	assert.Equal(t, []string{"libmpi_mpifh.so.40", w.at("ours/lib/wi4go/openmpi/libmpi_mpifh.so.40")}, []string{standIn.Soname, standIn.Needed[0]})
	_, err := w.Job([]string{calls("mpi_send_")}, "", "", w.mpich)
	assert.ErrorContains(t, err, "calls Fortran MPI (mpi_send_ …)")

	// wi4go's Fortran library also serves within the family, if the installed one is of another
	// release and lacks a function that the program calls. Open MPI's Fortran library never runs
	// over the front.
	barrier := calls("mpi_barrier_")
	require.True(t, w.job(barrier, "", w.open).Native())
	w.Identity = true
	standIn = w.made(w.job(barrier, "", w.open))
	assert.Equal(t, []string{"libmpi_mpifh.so.40", w.at("ours/lib/wi4go/openmpi/libmpi_mpifh.so.40")}, []string{standIn.Soname, standIn.Needed[0]})
	w.Identity = false
	fakempi.Shared(t, "int mpi_send_(void) { return 0; }", fortran, "libmpi_mpifh.so.40")
	j = w.job(barrier, "", w.open)
	assert.Equal(t, "no Fortran library that the program finds has mpi_barrier_", j.Reason)
	standIn = w.made(j)
	assert.Equal(t, []string{"libmpi_mpifh.so.40", w.at("ours/lib/wi4go/openmpi/libmpi_mpifh.so.40")}, []string{standIn.Soname, standIn.Needed[0]})

	// Open MPI's C++ library defines a function that the front replaces.
	fakempi.Front(t, w.at("ours"), "openmpi", "int ompi_cxx_comm_get_type(void) { return 1; }")
	cxx := fakempi.Shared(t, "int ompi_cxx_comm_get_type(void) { return 2; }", w.at("cxx/libmpi_cxx.so.40"), "libmpi_cxx.so.40")
	bound := w.linked("bound", cxx, w.open.Library)
	assert.Equal(t, w.openFront, w.job(bound, "", w.mpich).Env[0].Value)
	standIn = w.made(w.job(w.linked("bound_tool", w.at("libtool.so"), cxx, w.open.Library), "", w.mpich))
	assert.Equal(t, []string{"libmpi_cxx.so.40", cxx}, []string{standIn.Soname, standIn.Needed[0]})

	// If no files can be made, programs that need none still start.
	w.CacheDir = func() (string, error) { return "", errors.New("no home") }
	assert.Equal(t, w.standIn("openmpi", "libmpi.so.40"), w.job(w.openApp, "", w.mpich).Env[0].Value)
	assert.Equal(t, []Var{{"LD_PRELOAD", w.open2.Library}}, w.jobOf("", w.open2, "env", "A=1", w.openApp).Env)
	_, err = w.Job([]string{linked}, "", "", w.open)
	assert.ErrorContains(t, err, "no directory for stand-ins of libraries: no home")
}

// An installation in a folder with a space works for programs that LD_LIBRARY_PATH leads to it.
func TestPlaceWithASpace(t *testing.T) {
	w := newWorld(t)
	require.NoError(t, os.Rename(w.at("ours"), w.at("o urs")))
	w.Tree.Prefix = w.at("o urs")
	j := w.job(w.openApp, "", w.mpich)
	assert.Equal(t, []Var{{"WI4GO_TO", w.mpich.Library}, {"WI4GO_FROM", "openmpi"}, {"LD_LIBRARY_PATH", w.at("o urs/lib/wi4go/openmpi/path")}}, j.Env)
	_, err := w.Job([]string{fakempi.Program(t, w.at("rpath"), w.open.Library, "-Wl,--disable-new-dtags")}, "", "", w.mpich)
	assert.ErrorContains(t, err, "o urs/lib/wi4go/openmpi/preload/libmpi.so.40\" contains a space or a colon")
	require.NoError(t, os.Rename(w.at("o urs"), w.at("o:urs")))
	w.Tree.Prefix = w.at("o:urs")
	_, err = w.Job([]string{w.openApp}, "", "", w.mpich)
	assert.ErrorContains(t, err, "contains a space or a colon")
}
