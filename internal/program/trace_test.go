package program

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
	"wi4go/internal/family"
	"wi4go/internal/ldso"
)

// The dynamic linker's variables that a chain of commands changes before it starts the program.
func TestSets(t *testing.T) {
	w := newWorld(t)
	const preload, path, audit = "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT"
	helper := fakempi.Script(t, w.at("helper"), "#!/bin/sh\nexport LD_PRELOAD=x\n")
	other := fakempi.Script(t, w.at("other"), "#!/bin/sh\nexport LD_AUDIT=x\n"+w.openApp+" other\n")
	for text, sets := range map[string][]string{
		"":                                     nil,
		"export LD_PRELOAD=\"x.so\"":           {preload},
		"LD_PRELOAD='x.so'; export LD_PRELOAD": {preload},
		"export LD_PRELOAD=x:$LD_PRELOAD":      nil,
		"export LD_PRELOAD=\"${LD_PRELOAD:+$LD_PRELOAD:}x\"": nil,
		"# LD_PRELOAD=x":                         nil,
		"echo LD_PRELOAD":                        nil,
		"unset LD_PRELOAD LD_LIBRARY_PATH":       {preload, path},
		"export LD_LIBRARY_PATH=/a LD_PRELOAD=b": {preload, path},
		"env -i PATH=$PATH true":                 {preload, path, audit},
		"env -u LD_LIBRARY_PATH true":            {path},
		"env --unset=LD_LIBRARY_PATH true":       {path},
		"grep -i x y":                            nil,
		helper:                                   nil, // sets the variable in a separate process
		". " + helper:                            {preload},
		"source " + helper + " && true":          {preload},
		other:                                    {audit}, // the program is found through it
		w.openApp + " x; " + other:               nil,
	} {
		p, err := Trace([]string{fakempi.Script(t, w.at("script"), "#!/bin/sh\n"+text+"\n"+w.openApp+"\n")}, "", ldso.Search{}, nil)
		require.NoError(t, err)
		assert.ElementsMatch(t, sets, p.Overwritten, text)
	}
}

func TestTrace(t *testing.T) {
	w := newWorld(t)
	t.Setenv("PATH", w.dir+":/usr/bin:/bin")
	script := func(name, text string) string { return fakempi.Script(t, w.at(name), text) }

	for name, c := range map[string]struct {
		argv   []string
		family *family.Family
		via    int
	}{
		"the program":           {[]string{w.openApp, "x"}, family.OpenMPI, 0},
		"in PATH":               {[]string{"mpich_app"}, family.MPICH, 0},
		"relative to dir":       {[]string{"./mpich_app"}, family.MPICH, 0},
		"shell script":          {[]string{script("s1", "#!/bin/sh\n# open_app is not meant\nexec mpich_app \"$@\"\n")}, family.MPICH, 1},
		"script by env":         {[]string{script("s2", "#!/usr/bin/env -S sh -e\n"+w.openApp+"\n")}, family.OpenMPI, 1},
		"script calls script":   {[]string{script("s3", "#!/bin/sh\nif true; then ./s1; fi\n")}, family.MPICH, 2},
		"MPI interpreter":       {[]string{script("s4", "#!"+w.openApp+" -f\n")}, family.OpenMPI, 1},
		"wrapper":               {[]string{"env", "A=b", w.mpichApp}, family.MPICH, 1},
		"wrapper with options":  {[]string{w.plain, "-l", "--x=y", "12", w.mpichApp}, family.MPICH, 1},
		"shell with a script":   {[]string{"sh", w.at("s1")}, family.MPICH, 1},
		"script with a program": {[]string{script("s5", "#!/bin/sh\nexec \"$@\"\n"), w.openApp}, family.OpenMPI, 1},
		"static wrapper":        {[]string{fakempi.Compile(t, "int main() { return 0; }", w.at("wrapper"), "-static"), "-l", w.openApp}, family.OpenMPI, 1},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Trace(c.argv, w.dir, ldso.Search{}, nil)
			require.NoError(t, err)
			assert.Same(t, c.family, p.Family)
			assert.Len(t, p.Via, c.via, "%v", p.Via)
		})
	}

	for name, c := range map[string]struct {
		argv []string
		says string
	}{
		"not MPI":         {[]string{w.plain}, "not an MPI program"},
		"missing":         {[]string{"./none"}, "./none: no such file"},
		"directory":       {[]string{w.dir}, "is a directory"},
		"no MPI in it":    {[]string{script("e1", "#!/bin/sh\nls\n")}, "give the program's family with --from"},
		"two families":    {[]string{script("e2", "#!/bin/sh\n"+w.openApp+"\n"+w.mpichApp+"\n")}, "programs of two MPI families"},
		"no program":      {[]string{script("e3", "hello\n")}, "neither an ELF file nor a script"},
		"no interpreter":  {[]string{script("e4", "#!/no/such/thing\n")}, "its interpreter: /no/such/thing: no such file"},
		"calls itself":    {[]string{script("e5", "#!/bin/sh\n./e6\n")}, "--from"},
		"static, refused": {[]string{fakempi.Compile(t, `int main() { puts("MPI_Init"); }`, w.at("static"), "-static"), w.openApp}, "statically linked: if it contains an MPI library"},
		"static, no MPI":  {[]string{w.at("wrapper"), "x"}, "statically linked, and not an MPI program: if it starts"},
	} {
		t.Run(name, func(t *testing.T) {
			script("e6", "#!/bin/sh\n./e5\n")
			_, err := Trace(c.argv, w.dir, ldso.Search{}, nil)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestTracePython(t *testing.T) {
	w := newWorld(t)
	python := w.at("venv/bin/python3")
	fakempi.Compile(t, "int main() { return 0; }", python)
	extension := func(name, library string) {
		fakempi.Shared(t, "int MPI_Init(int *, char ***); int x(void) { return MPI_Init(0, 0); }",
			w.at("venv/lib/python3.11/site-packages/mpi4py/"+name), name, library, "-Wl,-rpath,"+filepath.Dir(library))
	}
	script := fakempi.Script(t, w.at("s.py"), "#!"+python+"\nfrom mpi4py import MPI\n")
	other := fakempi.Script(t, w.at("other.py"), "#!"+python+"\nimport os\n")

	_, err := Trace([]string{script}, "", ldso.Search{}, nil)
	require.ErrorContains(t, err, "no mpi4py found")
	extension("MPI.cpython-311.so", w.mpich)
	for _, argv := range [][]string{{script}, {python, script}} {
		p, err := Trace(argv, "", ldso.Search{}, nil)
		require.NoError(t, err)
		assert.Same(t, family.MPICH, p.Family)
	}
	_, err = Trace([]string{other}, "", ldso.Search{}, nil)
	require.ErrorIs(t, err, ErrUnknownFamily)
	extension("MPI.openmpi.so", w.open)
	_, err = Trace([]string{script}, "", ldso.Search{}, nil)
	require.ErrorContains(t, err, "several MPI families")
	require.ErrorIs(t, err, ErrUnknownFamily)

	require.NoError(t, os.Rename(w.at("venv/lib/python3.11/site-packages/mpi4py/MPI.cpython-311.so"),
		w.at("venv/lib/python3.11/site-packages/mpi4py/MPI.mpich.cpython-311.so")))
	for _, args := range [][]string{{"-c", "import os, mpi4py.MPI"}, {"-W", "ignore", "-um", "mpi4py.bench"}, {"-c", "import os; from mpi4py import MPI"}} {
		p, err := Trace(append([]string{python}, args...), "", ldso.Search{}, family.MPICH)
		require.NoError(t, err)
		assert.Same(t, family.MPICH, p.Family)
		assert.Equal(t, "mpich", p.MPI4PyABI)
	}
	for _, args := range [][]string{{"-c", "import mpi4pyx"}, {"-mtimeit"}, {"-X", "dev", other}, {"-"}, nil} {
		_, err := Trace(append([]string{python}, args...), "", ldso.Search{}, family.MPICH)
		require.ErrorIs(t, err, ErrNotMPI, args)
	}
	p, err := Trace([]string{python, "-c", "import os, sys; os.execv(sys.argv[1], sys.argv[1:])", w.openApp}, "", ldso.Search{}, family.MPICH)
	require.NoError(t, err)
	assert.Equal(t, w.openApp, p.Path)
	p, err = Trace([]string{script}, "", ldso.Search{}, family.StandardABI)
	require.NoError(t, err)
	assert.Same(t, family.MPICH, p.Family, "the first, if there is none for it")
	for abi, want := range map[string]*family.Family{"mpich": family.MPICH, "openmpi": family.OpenMPI} {
		t.Setenv("MPI4PY_MPIABI", abi)
		p, err := Trace([]string{python, script}, "", ldso.Search{}, nil)
		require.NoError(t, err)
		assert.Same(t, want, p.Family)
	}
}
