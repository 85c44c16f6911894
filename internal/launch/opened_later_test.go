package launch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/elfobj"
	"wi4go/internal/fakempi"
	"wi4go/internal/runtimes"
)

// cxx compiles a library of C++ bindings, and returns its path.
func (w *world) cxx(path string, flags ...string) string {
	return fakempi.Shared(w.t, "int _ZN3MPI4InitEv(void) { return 0; }", w.at(path), filepath.Base(path), flags...)
}

// emptyCxxDir returns the directory of an empty C++ library.
func (w *world) emptyCxxDir(family, soname string) string {
	return w.at("ours/lib/wi4go/" + family + "/cxx/" + soname)
}

// If a C++ library is missing here and the program uses nothing of it, an empty one replaces it: by
// a preload, or by LD_LIBRARY_PATH if a preload is not possible.
func TestEmptyCxx(t *testing.T) {
	w := newWorld(t)
	cxx, vendors := w.cxx("gone/libmpicxx.so.12"), w.cxx("gone/libmpichcxx.so.20")
	asan := fakempi.Shared(t, "int asan;", w.at("asan/libasan.so.8"), "libasan.so.8")
	idle, bare := w.linked("idle", cxx, w.mpich.Library), w.linked("bare", asan, cxx, w.mpich.Library)
	vendor := w.linked("vendor", vendors, w.mpich.Library)
	using := fakempi.Compile(t, "int MPI_Init(void *, void *), _ZN3MPI4InitEv(void); int main() { return MPI_Init(0, 0) + _ZN3MPI4InitEv(); }",
		w.at("using"), cxx, w.mpich.Library, "-Wl,-rpath,"+filepath.Dir(w.mpich.Library))
	assert.Equal(t, w.standIn("mpich", "libmpich.so.12"), w.job(idle, "", w.open).Env[0].Value, "it is here")
	require.NoError(t, os.RemoveAll(w.at("gone")))

	dir := w.emptyCxxDir("mpich", "libmpicxx.so.12")
	assert.Equal(t, w.standIn("mpich", "libmpich.so.12")+":"+dir+"/libmpicxx.so.12", w.job(idle, "", w.open).Env[0].Value)
	env := envOf(w.job(bare, "", w.open))
	assert.NotContains(t, env, "LD_PRELOAD")
	assert.Equal(t, w.at("ours/lib/wi4go/mpich/path")+":"+dir, env["LD_LIBRARY_PATH"])
	assert.Equal(t, w.standIn("mpich", "libmpich.so.12"), w.job(using, "", w.open).Env[0].Value, "ld.so reports it as missing")
	standIn := w.made(w.job(vendor, "", w.open))
	assert.Equal(t, []string{"libmpichcxx.so.20", w.mpichFront}, []string{standIn.Soname, standIn.Needed[0]})

	// If it runs natively, the runtime's library comes with it.
	j := w.job(idle, "", w.mpich)
	require.True(t, j.Native())
	standIn = w.made(j)
	assert.Equal(t, []string{"libmpicxx.so.12", w.mpich.Library}, []string{standIn.Soname, standIn.Needed[0]})
	assert.Contains(t, envOf(j)["LD_PRELOAD"], w.mpich.Library+":")
	assert.Empty(t, w.job(using, "", w.mpich).Env)

	// In a container, where no files are made, it is in the installation.
	w.Contained = true
	assert.Equal(t, w.standIn("mpich", "libmpich.so.12")+":"+dir+"/libmpicxx.so.12", w.job(idle, "", w.open).Env[0].Value)
}

// An installed C++ library remains in place if an unseen program may use it.
func TestCxxThatIsHere(t *testing.T) {
	w := newWorld(t)
	script := fakempi.Script(t, w.at("script"), "#!/bin/sh\n")
	dirs := func(from string) []string {
		return strings.Split(envOf(w.jobOf(from, w.open, script))["LD_LIBRARY_PATH"], ":")
	}
	for _, from := range []string{"", "mpich"} {
		assert.Contains(t, dirs(from), w.emptyCxxDir("mpich", "libmpicxx.so.12"))
		assert.Contains(t, dirs(from), w.emptyCxxDir("mpich", "libmpichcxx.so.12"))
	}
	w.cxx("here/libmpichcxx.so.12")
	w.Libs.LibraryPath = []string{w.at("here")}
	for _, from := range []string{"", "mpich"} {
		assert.Contains(t, dirs(from), w.emptyCxxDir("mpich", "libmpicxx.so.12"))
		assert.NotContains(t, dirs(from), w.emptyCxxDir("mpich", "libmpichcxx.so.12"))
	}

	// The runtime's own library replaces missing libraries under the family's other names.
	j := w.jobOf("mpich", w.mpich, script)
	require.NoError(t, w.Prepare(j))
	dir, _, _ := strings.Cut(envOf(j)["LD_LIBRARY_PATH"], ":")
	standIn, err := elfobj.Read(filepath.Join(dir, "libmpicxx.so.12"))
	require.NoError(t, err)
	assert.Equal(t, []string{w.mpich.Library}, standIn.Needed)
	assert.NoFileExists(t, filepath.Join(dir, "libmpichcxx.so.12"))
}

// A library that an interpreter opens later finds the front under every name of its family.
func TestNamesForModules(t *testing.T) {
	w := newWorld(t)
	t.Setenv("PYTHONPATH", w.at("site"))
	fortran := fakempi.Shared(t, "int mpi_barrier_(void) { return 0; }", w.at("gone/libmpi_mpifh.so.40"), "libmpi_mpifh.so.40")
	module := func(name, source string, libraries ...string) string {
		require.NoError(t, os.MkdirAll(w.at("site/"+name), 0o755))
		require.NoError(t, os.WriteFile(w.at("site/"+name+"/__init__.py"), nil, 0o644))
		fakempi.Shared(t, "int MPI_Init(void *, void *); int f(void) { return MPI_Init(0, 0); }"+source, w.at("site/"+name+"/e.so"), "", append(libraries, "-Wl,--no-as-needed", w.open.Library)...)
		return "import " + name
	}
	plain, calls := module("plain", ""), module("calls", "int mpi_barrier_(void); int g(void) { return mpi_barrier_(); }", fortran)
	all := strings.Join([]string{w.standIn("openmpi", "libmpi.so.40"), w.standIn("openmpi", "libopen_mpi.so.40"), w.standIn("openmpi", "libmpi_mpifh.so.40"), w.emptyCxxDir("openmpi", "libmpi_cxx.so.40") + "/libmpi_cxx.so.40"}, ":")
	for _, code := range []string{plain, calls} {
		for _, from := range []string{"", "openmpi"} {
			env := envOf(w.jobOf(from, w.mpich, "python3", "-c", code))
			assert.Equal(t, all, env["LD_PRELOAD"], code)
			assert.Equal(t, w.paths("openmpi", "mpich", "mpiabi"), env["LD_LIBRARY_PATH"], code)
			assert.Equal(t, "openmpi", env["MPI4PY_MPIABI"], "of an mpi4py that is imported unseen")
		}
	}
	w.env["MPI4PY_MPIABI"] = "mpich"
	assert.NotContains(t, envOf(w.jobOf("", w.mpich, "python3", "-c", plain)), "MPI4PY_MPIABI")
}

// A Python that a script, an interpreter or an unknown program starts may import mpi4py unseen. The variable selects an
// extension that is there, also on a library of the standard ABI, for which the published mpi4py has none.
func TestUnseenMPI4Py(t *testing.T) {
	w := newWorld(t)
	t.Setenv("HOME", w.dir)
	t.Setenv("PATH", w.at("path")+":"+os.Getenv("PATH"))
	fakempi.Front(t, w.at("ours"), "mpiabi")
	standard := w.resolve(fakempi.Embedded(t, w.at("standard")))
	environment := func(name string, abis ...string) (python string) {
		require.NoError(t, os.MkdirAll(w.at(name+"/bin"), 0o755))
		python = fakempi.Compile(t, "int main() { return 0; }", w.at(name+"/bin/python3"))
		for _, abi := range abis {
			fakempi.Script(t, w.at(name+"/lib/python3.11/site-packages/mpi4py/MPI"+abi+".cpython-311-x86_64-linux-gnu.so"), "")
		}
		return python
	}
	published, own, mine := environment("published", ".mpich", ".openmpi"), environment("own", ".mpiabi", ".openmpi"), environment("mine", "")
	tool := fakempi.Script(t, w.at("tool.py"), "import importlib; importlib.import_module('mpi' + '4py.MPI')\n")
	console := fakempi.Script(t, w.at("console"), "#!"+own+"\nimport tool\n")
	for name, c := range map[string]struct {
		argv                     []string
		standard, openmpi, mpich string // the value on a library of each family
	}{
		"a script":              {[]string{published, tool}, "mpich", "openmpi", "mpich"},
		"code":                  {[]string{published, "-c", "import tool"}, "mpich", "openmpi", "mpich"},
		"a module":              {[]string{published, "-m", "tool"}, "mpich", "openmpi", "mpich"},
		"a wrapper":             {[]string{"env", "A=1", published, tool}, "mpich", "openmpi", "mpich"},
		"a console script":      {[]string{console}, "mpiabi", "openmpi", "mpiabi"},
		"extensions of its own": {[]string{own, tool}, "mpiabi", "openmpi", "mpiabi"},
		"one extension":         {[]string{mine, tool}, "mpich", "openmpi", "mpich"},
		"a shell":               {[]string{"sh", "-c", "python3 " + tool}, "mpich", "openmpi", "mpich"},
		"no Python":             {[]string{"true"}, "mpich", "openmpi", "mpich"},
	} {
		for rt, want := range map[*runtimes.Runtime]string{standard: c.standard, w.open: c.openmpi, w.mpich: c.mpich} {
			assert.Equal(t, want, envOf(w.jobOf("", rt, c.argv...))["MPI4PY_MPIABI"], "%s on %s", name, rt.Library)
		}
	}
	// The python3 in PATH stands for the Python of a shell script. The program of a script has a family, too.
	require.NoError(t, os.MkdirAll(w.at("path"), 0o755))
	require.NoError(t, os.Symlink(own, w.at("path/python3")))
	assert.Equal(t, "mpiabi", envOf(w.jobOf("", standard, "sh", "-c", "python3 "+tool))["MPI4PY_MPIABI"])
	job := fakempi.Script(t, w.at("job.sh"), "#!/bin/sh\n"+w.openApp+"\n"+published+" "+tool+"\n")
	assert.Equal(t, "openmpi", envOf(w.jobOf("", standard, job))["MPI4PY_MPIABI"])
	assert.NotContains(t, envOf(w.jobOf("", standard, "env", w.openApp)), "MPI4PY_MPIABI")
	w.env["MPI4PY_MPIABI"] = "openmpi"
	assert.NotContains(t, envOf(w.jobOf("", standard, published, tool)), "MPI4PY_MPIABI", "the user's choice")
}
