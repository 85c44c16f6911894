package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
	"wi4go/internal/family"
	"wi4go/internal/ldso"
)

// A venv is a virtual environment with made-up packages.
type venv struct {
	world
	t *testing.T
}

func newVenv(t *testing.T) venv {
	v := venv{newWorld(t), t}
	t.Setenv("HOME", v.at("home"))
	t.Setenv("PYTHONPATH", "")
	fakempi.Compile(t, "int main() { return 0; }", v.python())
	v.write("venv/pyvenv.cfg", "home = "+v.at("base/bin")+"\ninclude-system-site-packages = false\n")
	return v
}

func (v venv) python() string { return v.at("venv/bin/python3") }

func (v venv) site(name string) string { return v.at("venv/lib/python3.11/site-packages/" + name) }

func (v venv) write(name, text string) string {
	v.t.Helper()
	path := name
	if !filepath.IsAbs(path) {
		path = v.at(name)
	}
	require.NoError(v.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(v.t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// library compiles a library, or an extension module, that is linked with another one.
func (v venv) library(path, linked string, flags ...string) string {
	v.t.Helper()
	source := "int x(void) { return 0; }"
	if strings.Contains(linked, "libmpi") {
		source = "int MPI_Init(int *, char ***); int x(void) { return MPI_Init(0, 0); }"
	}
	soname := ""
	if strings.HasPrefix(filepath.Base(path), "lib") {
		soname = filepath.Base(path)
	}
	return fakempi.Shared(v.t, source, path, soname, append([]string{"-Wl,--no-as-needed,--enable-new-dtags", linked, "-Wl,-rpath," + filepath.Dir(linked)}, flags...)...)
}

func (v venv) trace(script string, prefer *family.Family) (*Program, error) {
	return Trace([]string{v.python(), v.write("work/p.py", script)}, v.at("work"), ldso.Search{}, prefer)
}

// The modules that a script imports, directly or not, belong to the program, wherever they are.
func TestModules(t *testing.T) {
	v := newVenv(t)
	core := v.library(v.site("direct/lib/libcore.so.1"), v.mpich)
	direct := v.library(v.site("direct/_ext.cpython-311-x86_64-linux-gnu.so"), core)
	v.write(v.site("direct/__init__.py"), "from . import _ext\n")
	data := v.library(v.site("data/share/libdata.so"), v.mpich)
	v.write(v.site("data/__init__.py"), "import ctypes\n")
	single := v.library(v.site("single.abi3.so"), v.mpich)
	v.write(v.site("pure/__init__.py"), "from .inner import (\n    a, # (one)\n    b)\n")
	v.write(v.site("pure/inner/__init__.py"), "from .. import other as o\n")
	v.write(v.site("pure/other.py"), "import single\n")
	v.write(v.site("spaced/direct/__init__.py"), "import direct\n")
	v.write(v.at("work/beside.py"), "def f():\n\tfrom direct import x\n")
	v.write(v.at("elsewhere/late.py"), "import data\n")
	v.write(v.site("editable.pth"), "# a comment\nimport hook\n"+v.at("elsewhere")+"\n")
	v.write(v.site("run/__main__.py"), "import direct\n")
	v.write(v.site("run/__init__.py"), "")
	own := v.library(v.at("work/libown.so"), v.mpich)

	for script, path := range map[string]string{
		"import direct":                                 direct,
		"import os, direct as d":                        direct,
		"import os; from direct import *":               direct,
		"if 1:\n  try:\n    import direct\n  except: 0": direct,
		"import \\\n  direct":                           direct,
		"import data":                                   data,
		"import single":                                 single,
		"import pure":                                   single,
		"import spaced.direct":                          direct,
		"import beside":                                 direct,
		"import late":                                   data,
		"import importlib\nimportlib.import_module('direct._ext')": direct,
		"m = __import__(\"single\")":                               single,
		"import ctypes\nctypes.CDLL('./libown.so')":                own,
		"from ctypes import CDLL\nCDLL(\"" + own + "\")":           own,
	} {
		p, err := v.trace(script, nil)
		if assert.NoError(t, err, script) {
			assert.Equal(t, path, p.Path, script)
			assert.Same(t, family.MPICH, p.Family, script)
			assert.Equal(t, []string{v.python()}, p.Via, script)
			assert.True(t, p.IsModule() && p.MayImportMPI4Py())
		}
	}
	p, err := v.trace("import single, direct", nil)
	require.NoError(t, err)
	assert.Equal(t, []string{direct}, p.AlsoOpened, "the module's own library is not opened as well")
	assert.NotNil(t, p.Tree.Find("libcore.so.1"))
	v.write("work/q.py", "import direct\n")
	for _, args := range [][]string{{"-m", "run"}, {"-c", "import direct"}, {"-mrun"}, {"-u", "q.py", "x"}} {
		p, err := Trace(append([]string{"env", "A=1", v.python()}, args...), v.at("work"), ldso.Search{}, nil)
		require.NoError(t, err, args)
		assert.Equal(t, direct, p.Path, args)
		p, err = Trace(append([]string{v.python()}, args...), v.at("work"), ldso.Search{}, nil)
		require.NoError(t, err, args)
		assert.Equal(t, direct, p.Path, args)
	}

	// A library for another machine is not opened, nor is a file that only has a library's name.
	v.write(v.site("direct/data/text.so"), "text")
	fakempi.ForMachine(t, v.open, v.site("direct/data/libmpi_for_arm.so"), 183)
	fakempi.ForMachine(t, v.library(v.at("libother.so"), v.open), v.site("direct/data/libother.so"), 183)
	p, err = v.trace("import direct", nil)
	require.NoError(t, err)
	assert.Same(t, family.MPICH, p.Family)
	assert.Empty(t, p.AlsoOpened)

	// In a package, statements that are not always executed are ignored, and so is text that only
	// resembles an import.
	v.write(v.site("lazy/__init__.py"), "def f():\n    import direct\n")
	v.write(v.site("directed/__init__.py"), "")
	for _, script := range []string{"import lazy", "import directed", "# import direct", "import nothing.direct", "from . import direct"} {
		_, err := v.trace(script, nil)
		assert.True(t, err != nil && IsUndecided(err), "%s: %v", script, err)
	}

	// A package of the system's Python, or of the user's, is found if the environment includes those.
	v.write("base/lib/python3/dist-packages/global/__init__.py", "")
	v.library(v.at("base/lib/python3/dist-packages/global/e.so"), v.mpich)
	v.write("home/.local/lib/python3.11/site-packages/users/__init__.py", "import global\n")
	_, err = v.trace("import users", nil)
	assert.True(t, IsUndecided(err), "%v", err)
	v.write("venv/pyvenv.cfg", "home = "+v.at("base/bin")+"\ninclude-system-site-packages = true\n")
	_, err = v.trace("import users", nil)
	require.NoError(t, err)
	t.Setenv("PYTHONPATH", v.at("other")+":"+v.at("paths"))
	v.write("paths/first/__init__.py", "")
	v.library(v.at("paths/first/e.so"), v.open)
	p, err = v.trace("import first", nil)
	require.NoError(t, err)
	assert.Same(t, family.OpenMPI, p.Family)
}

// Modules of one family decide which mpi4py is used. Modules of two families do not.
func TestModulesOfSeveralFamilies(t *testing.T) {
	v := newVenv(t)
	package_ := func(name string, libraries ...string) {
		v.write(v.site(name+"/__init__.py"), "from mpi4py import MPI\n")
		for _, library := range libraries {
			v.library(v.site(name+"/lib"+name+"_"+filepath.Base(library)), library)
		}
	}
	package_("ofmpich", v.mpich)
	package_("ofopen", v.open)
	package_("both", v.mpich, v.open)
	for name, library := range map[string]string{"mpich": v.mpich, "openmpi": v.open} {
		v.library(v.site("mpi4py/MPI."+name+".cpython-311.so"), library)
	}
	v.write(v.site("mpi4py/__init__.py"), "")

	for script, abi := range map[string]string{"import ofmpich": "mpich", "from mpi4py import MPI\nimport ofmpich": "mpich", "import ofopen": "openmpi",
		"import mpi4py": "openmpi", "import both": "openmpi", "import both, ofmpich": "mpich"} {
		p, err := v.trace(script, family.OpenMPI)
		require.NoError(t, err, script)
		assert.Equal(t, abi, p.MPI4PyABI, script)
		assert.Equal(t, abi, p.Family.Name, script)
		assert.False(t, p.MayImportMPI4Py())
	}
	_, err := v.trace("import ofmpich, ofopen", family.OpenMPI)
	require.ErrorIs(t, err, ErrUnknownFamily)
	assert.ErrorContains(t, err, "modules for two MPI families, MPICH ("+v.site("ofmpich/libofmpich_libmpich.so.12")+") and Open MPI (")

	t.Setenv(MPI4PyABI, "openmpi")
	_, err = v.trace("import ofmpich", nil)
	require.ErrorContains(t, err, "built for two MPI families")
	require.NoError(t, os.RemoveAll(v.site("mpi4py")))
	_, err = v.trace("import both", nil)
	assert.True(t, IsUndecided(err), "it chooses by itself: %v", err)
}

// An unused C++ library may be missing. A used one may not.
func TestIdleCxx(t *testing.T) {
	w := newWorld(t)
	cxx := fakempi.Shared(t, "int _ZN3MPI4InitEv(void) { return 0; }", w.at("cxx/libmpicxx.so.12"), "libmpicxx.so.12")
	needs := fakempi.Shared(t, "int MPIR_Secret(void); int _ZN3MPI4InitEv(void) { return MPIR_Secret(); }", w.at("needs/libmpicxx.so.12"), "libmpicxx.so.12")
	program := func(name, uses string) string {
		return fakempi.Compile(t, "int MPI_Init(void *, void *), _ZN3MPI4InitEv(void); int _ZN3MPI3OwnEv(void) { return 1; } int main() { return MPI_Init(0, 0) + "+uses+"; }",
			w.at(name), w.mpich, "-Wl,--no-as-needed,--export-dynamic,--enable-new-dtags", cxx, "-Wl,-rpath,"+w.at("found")+",-rpath,"+filepath.Dir(w.mpich))
	}
	idle, using := program("idle", "0"), program("using", "_ZN3MPI4InitEv()")
	own := program("own", "_ZN3MPI3OwnEv()")
	defines := func(name string) bool { return name == "MPI_Init" }
	names := func(app string) ([]string, []string) {
		p, err := Read(app, ldso.Search{})
		require.NoError(t, err)
		return p.UnusedCxx(defines), p.Undefined(defines, true)
	}
	for _, app := range []string{idle, own} {
		away, _ := names(app)
		assert.Equal(t, []string{"libmpicxx.so.12"}, away)
	}
	away, _ := names(using)
	assert.Empty(t, away)

	require.NoError(t, os.Rename(w.at("cxx"), w.at("found")))
	away, _ = names(idle)
	assert.Empty(t, away, "it is here")
	require.NoError(t, os.RemoveAll(w.at("found")))
	require.NoError(t, os.Rename(filepath.Dir(needs), w.at("found")))
	away, undefined := names(idle)
	assert.Equal(t, []string{"libmpicxx.so.12"}, away, "it needs symbols that no library has")
	assert.Empty(t, undefined)
	away, undefined = names(using)
	assert.Empty(t, away)
	assert.Equal(t, []string{"MPIR_Secret"}, undefined)
}
