package order

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wheels has, for each MPI that compiles the library of a made-up Python package, the Fortran and C++ libraries that it
// is linked with.
var wheels = map[string][]string{
	"openmpi":       {"mpi_usempif08.so.40", "mpi_usempi_ignore_tkr.so.40", "mpi_mpifh.so.40", "mpi_cxx.so.40"},
	"mpich":         {"mpichfort.so.12", "mpichcxx.so.12"},
	"mpich-5.0":     {"mpifort.so.12", "mpicxx.so.12"},
	"mpich-5.0-abi": nil,
}

// wheel makes a package named made: an extension module, the library in a separate folder that it needs, and a library
// that only ctypes opens. It is linked with libraries that are removed afterwards.
func (w *world) wheel(from string, flags ...string) (site string) {
	w.Helper()
	site = w.at(from + "/site")
	require.NoError(w, os.MkdirAll(filepath.Join(site, "made", "lib"), 0o755))
	linked := append([]string{"-shared", "-fPIC", "-Wl,-soname,libcore.so.1,--no-as-needed,--allow-shlib-undefined,-z,undefs"}, flags...)
	for _, soname := range wheels[from] {
		gone := w.at(from + "/gone/lib" + soname)
		require.NoError(w, os.MkdirAll(filepath.Dir(gone), 0o755))
		gcc(w, "-shared", "-o", gone, "-Wl,-soname,lib"+soname, "-x", "c", "/dev/null")
		linked = append(linked, gone)
		if !strings.Contains(soname, "cxx") {
			linked = append(linked, "-DFORTRAN")
		}
	}
	core := w.compile(from, "wheel.c", from+"/site/made/lib/libcore.so.1", linked...)
	require.NoError(w, os.RemoveAll(w.at(from+"/gone")))
	gcc(w, "-shared", "-fPIC", "-o", filepath.Join(site, "made", "_made.abi3.so"), "programs/module.c", core, "-Wl,--enable-new-dtags,-rpath,$ORIGIN/lib")
	w.write(site+"/made/__init__.py", "from . import opened\n")
	w.write(site+"/made/opened.py", "from . import (  # the extension\n    _made,\n)\n")
	w.write(site+"/made/byctypes.py", "import ctypes, os\nctypes.CDLL(os.path.join(os.path.dirname(__file__), 'lib', 'libcore.so.1')).say_rank()\n")
	w.write(site+"/made/__main__.py", "")
	return site
}

func (w *world) write(path, text string) {
	w.Helper()
	require.NoError(w, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(w, os.WriteFile(path, []byte(text), 0o644))
}

// A Python script imports a package linked with all libraries of an MPI, some of which are missing on this machine. It
// runs on every library, whether or not its import statements lead to the module.
func TestWheels(t *testing.T) {
	for from := range wheels {
		t.Run(from, func(t *testing.T) {
			w := newWorld(t)
			site := w.wheel(from)
			w.write(w.at(from+"/seen.py"), "import made\n")
			w.write(w.at(from+"/local.py"), "def start():\n    import seen\n")
			w.write(w.at(from+"/indirect.py"), "import os, local as l; l.start()\n")
			w.write(w.at(from+"/hidden.py"), fmt.Sprintf("import sys\nsys.path.insert(0, %q)\n__import__('ma' + 'de')\n", site))
			w.write(w.at(from+"/opens.py"), fmt.Sprintf("import ctypes\nctypes.CDLL('%s' + '/made/lib/libcore.so.1').say_rank()\n", site))
			family := w.tools(from).Family()
			path := []string{"PYTHONPATH=" + site}
			on := func(t *testing.T, to string, env []string, command ...string) {
				w := *w
				w.T = t
				w.rightAnyhow(w.on(to, env, command...), "")
			}
			for _, to := range append(runtimes, "intelmpi-2021.18") {
				t.Run("on "+to, func(t *testing.T) {
					on(t, to, path, "python3", w.at(from+"/seen.py"))
					on(t, to, nil, "--from", family, "--identity", "python3", w.at(from+"/hidden.py"))
					if w.tools(to).Family() != family {
						on(t, to, nil, "python3", w.at(from+"/hidden.py"))
						on(t, to, path, "--from", family, "python3", w.at(from+"/seen.py"))
					}
				})
			}
			t.Run("ways", func(t *testing.T) {
				on(t, "openmpi", path, "python3", w.at(from+"/indirect.py"))
				on(t, "mpich", path, "python3", "-m", "made")
				on(t, "openmpi-5.0", path, "python3", "-c", "from made import byctypes")
				on(t, "mpich-5.0", nil, "--from", family, "--identity", "python3", w.at(from+"/opens.py"))
				// An interpreter that sets the search path, as R does, does not change the preload.
				on(t, "openmpi-5.0", nil, "--from", family, "--identity", "env", "LD_LIBRARY_PATH=/usr/lib", "python3", w.at(from+"/hidden.py"))
			})
		})
	}
}

// A package that uses the C++ bindings needs the family's own library. If it is installed, it is loaded over the front.
// If it is not, doctor reports it as missing.
func TestWheelsWithBindings(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct{ from, to string }{{"openmpi", "mpich"}, {"mpich", "openmpi"}} {
		site := w.wheel(c.from, "-DCXX")
		w.rightAnyhow(w.on(c.to, []string{"PYTHONPATH=" + site}, "python3", "-c", "import made"), "")
	}
	site := w.wheel("mpich-5.0", "-DCXX")
	w.write(w.at("p.py"), "import made\n")
	r := w.run([]string{"PYTHONPATH=" + site}, w.wi4go, "doctor", "--to", w.tools("openmpi").MPIExec, "python3", w.at("p.py"))
	assert.Contains(t, r.stdout, site+"/made/lib/libcore.so.1 needs libmpicxx.so.12, the C++ bindings of MPICH, but it is not on this machine")
	assert.Equal(t, 2, r.code, r)
	site = w.wheel("mpich-5.0")
	r = w.run([]string{"PYTHONPATH=" + site}, w.wi4go, "doctor", "--to", w.tools("openmpi").MPIExec, "python3", w.at("p.py"))
	assert.Contains(t, r.stdout, "program  "+site+"/made/_made.abi3.so, built for MPICH (libmpi.so.12), in C and Fortran and C++, through ")
	assert.NotContains(t, r.stdout, "error")
}
