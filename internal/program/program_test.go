package program

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/elfobj"
	"wi4go/internal/fakempi"
	"wi4go/internal/family"
	"wi4go/internal/ldso"
)

type world struct {
	dir, open, mpich         string // the directories of the fake libraries
	openApp, mpichApp, plain string
}

func newWorld(t *testing.T) world {
	w := world{dir: t.TempDir()}
	w.open = fakempi.OpenMPI(t, w.at("open"))
	w.mpich = fakempi.MPICH(t, w.at("mpich"), "libmpich.so.12", "")
	w.openApp = fakempi.Program(t, w.at("open_app"), w.open, "-no-pie", "-fno-pie")
	w.mpichApp = fakempi.Program(t, w.at("mpich_app"), w.mpich)
	w.plain = fakempi.Compile(t, "int main() { return 0; }", w.at("plain"))
	return w
}

func (w world) at(name string) string { return filepath.Join(w.dir, name) }

func TestRead(t *testing.T) {
	w := newWorld(t)

	p, err := Read(w.openApp, ldso.Search{})
	require.NoError(t, err)
	assert.Same(t, family.OpenMPI, p.Family)
	assert.Equal(t, []string{"libmpi.so.40"}, p.Sonames)
	assert.Equal(t, []string{"MPI_Finalize", "MPI_Init"}, p.Functions)
	assert.Equal(t, []string{"C"}, p.Languages())
	assert.NoError(t, p.CheckFortran(none, none))

	p, err = Read(w.mpichApp, ldso.Search{})
	require.NoError(t, err)
	assert.Same(t, family.MPICH, p.Family)
	assert.Equal(t, []string{"libmpich.so.12"}, p.Sonames)

	// If the MPI is missing here, as in a container, the names alone identify its family.
	require.NoError(t, os.Rename(w.mpich, w.mpich+".away"))
	p, err = Read(w.mpichApp, ldso.Search{})
	require.NoError(t, err)
	assert.Same(t, family.MPICH, p.Family)
	assert.Equal(t, "libmpich.so.12", p.Tree.Missing[0].Name)
}

// unversioned writes a copy of a program that needs a library by its name without a version, and returns its path.
func (w world) unversioned(t *testing.T, app, soname string) string {
	content, err := os.ReadFile(app)
	require.NoError(t, err)
	stem, version, _ := strings.Cut(soname, ".so")
	name := []byte(soname + "\x00")
	require.Equal(t, 1, bytes.Count(content, name), app)
	content = bytes.Replace(content, name, []byte(stem+".so\x00"+strings.Repeat("\x00", len(version))), 1)
	require.NoError(t, os.WriteFile(app+"-unversioned", content, 0o755))
	return app + "-unversioned"
}

// The symbols of a program show the family of a library without a version in its name.
func TestUnversioned(t *testing.T) {
	w := newWorld(t)
	upstream := fakempi.MPICH(t, w.at("upstream"), "libmpi.so.12", "int *MPI_UNWEIGHTED;")
	source := "extern int *MPI_UNWEIGHTED; int MPI_Init(void *, void *); int main() { return MPI_Init(0, 0) + (MPI_UNWEIGHTED == 0); }"
	data := fakempi.Compile(t, source, w.at("data"), upstream)
	plain := fakempi.Program(t, w.at("plain_mpich"), upstream)
	both := fakempi.Compile(t, "int f(void); int MPI_Init(void *, void *); int main() { return f() + MPI_Init(0, 0); }", w.at("both"),
		w.open, fakempi.Shared(t, "int MPI_Finalize(void); int f(void) { return MPI_Finalize(); }", w.at("libf.so"), "libf.so", "-Wl,--no-as-needed", w.open), "-Wl,-rpath,"+w.dir)
	stripped := w.unversioned(t, w.openApp, "libmpi.so.40")
	require.NoError(t, exec.Command("strip", stripped).Run())
	for app, want := range map[string]*family.Family{
		stripped: family.OpenMPI, w.unversioned(t, data, "libmpi.so.12"): family.MPICH, w.unversioned(t, w.mpichApp, "libmpich.so.12"): family.MPICH,
		w.unversioned(t, both, "libmpi.so.40"): family.OpenMPI, // its library needs libmpi.so.40
	} {
		p, err := Read(app, ldso.Search{})
		require.NoError(t, err, app)
		assert.Same(t, want, p.Family, app)
		assert.Regexp(t, `^\[(libmpi.so.40 )?libmpi(ch)?\.so\]$`, fmt.Sprint(p.Sonames), app)
		assert.Contains(t, p.Functions, "MPI_Init")
	}
	unclear := w.unversioned(t, plain, "libmpi.so.12")
	_, err := Trace([]string{unclear}, "", ldso.Search{}, family.MPICH)
	assert.EqualError(t, err, unclear+": it needs libmpi.so, a name without a version, which libraries of several MPI families have, and its symbols do not show which: give the program's family with --from")
	assert.False(t, IsUndecided(err))
	p, err := ReadAs(unclear, "", ldso.Search{}, family.OpenMPI)
	require.NoError(t, err)
	assert.Same(t, family.OpenMPI, p.Family)
	assert.Equal(t, []string{"libmpi.so"}, p.Sonames)
}

// The program itself need not need MPI: its library may.
func TestReadThroughLibraries(t *testing.T) {
	w := newWorld(t)
	solver := fakempi.Shared(t, "int MPI_Init(int *, char ***); int solve(void) { return MPI_Init(0, 0); }",
		w.at("libsolver.so"), "libsolver.so", w.open, "-Wl,-rpath,"+filepath.Dir(w.open))
	app := fakempi.Compile(t, "int solve(void); int main() { return solve(); }", w.at("app"), solver, "-Wl,-rpath,"+w.dir)
	p, err := Read(app, ldso.Search{})
	require.NoError(t, err)
	assert.Same(t, family.OpenMPI, p.Family)
	assert.Equal(t, []string{"MPI_Init"}, p.Functions)
}

func TestCopies(t *testing.T) {
	w := newWorld(t)
	app := fakempi.Compile(t, "extern long ompi_mpi_comm_world[64]; int MPI_Init(int *, char ***);"+
		"int main() { return MPI_Init(0, 0) + ompi_mpi_comm_world[1]; }", w.at("copies"), w.open, "-no-pie", "-fno-pie")
	p, err := Read(app, ldso.Search{})
	require.NoError(t, err)
	assert.Equal(t, []string{"ompi_mpi_comm_world"}, p.Copies)
}

// none is a front that defines no symbol.
func none(string) bool { return false }

func TestFortranAndCxx(t *testing.T) {
	w := newWorld(t)
	library := func(path, soname, function string) string {
		return fakempi.Shared(t, "int "+function+"(void) { return 0; }", w.at("lib/"+path), soname)
	}
	app := func(name, function string, libs ...string) *Program {
		out := fakempi.Compile(t, "int "+function+"(void); int main() { return "+function+"(); }", w.at(name),
			append(libs, "-Wl,-rpath,"+w.at("lib"))...)
		p, err := Read(out, ldso.Search{})
		require.NoError(t, err)
		return p
	}
	for _, c := range []struct{ soname, function, language string }{
		{"libmpi_mpifh.so.40", "mpi_init_", "Fortran"},
		{"libmpi_usempif08.so.40", "mpi_init_f08_", "Fortran"},
		{"libmpichfort.so.12", "mpi_init_", "Fortran"},
		{"libmpifort.so.12", "mpi_init_", "Fortran"},
		{"libmpi_cxx.so.40", "_ZN3MPI4InitEv", "C++"},
	} {
		p := app(c.soname+"_app", c.function, library(c.soname, c.soname, c.function))
		assert.Equal(t, []string{c.language}, p.Languages(), c.soname)
		if c.language == "Fortran" {
			if refused := p.CheckFortran(none, none); p.Family == family.MPICH {
				assert.NoError(t, refused, c.soname)
			} else {
				assert.ErrorContains(t, refused, c.soname)
			}
		} else {
			assert.NoError(t, p.CheckFortran(none, none))
		}
	}
	// Descriptors depend on the compiler. wi4go's Fortran library supports gfortran's since version 8.
	served := func(string) bool { return true }
	for _, c := range []struct{ runtime, refused string }{
		{"libgfortran.so.5", ""},
		{"libgfortran.so.4", "descriptors of the compiler of libgfortran.so.4"},
		{"libifcore.so.5", "descriptors of the compiler of libifcore.so.5"},
		{"libnvf.so", "descriptors of the compiler of libnvf.so"},
		{"libother.so.1", "link with -Wl,--no-as-needed -lgfortran"},
	} {
		fortran := fakempi.Shared(t, "int mpi_send_f08ts_(void) { return 0; } int mpi_init_f08_(void) { return 0; }", w.at(c.runtime+".d/libmpifort.so.12"), "libmpifort.so.12")
		compiler := fakempi.Shared(t, "int started;", w.at(c.runtime+".d/"+c.runtime), c.runtime)
		app := fakempi.Compile(t, "int mpi_send_f08ts_(void), mpi_init_f08_(void); int main() { return mpi_send_f08ts_() + mpi_init_f08_(); }", w.at("by"+c.runtime),
			"-Wl,--no-as-needed", fortran, compiler, "-Wl,-rpath,"+w.at(c.runtime+".d"))
		p, err := Read(app, ldso.Search{})
		require.NoError(t, err)
		assert.NoError(t, p.CheckFortran(none, served), "its own library is installed")
		own := fortran + ".away"
		require.NoError(t, os.Rename(fortran, own))
		without, err := Read(app, ldso.Search{})
		require.NoError(t, err)
		require.NoError(t, os.Rename(own, fortran))
		if c.refused == "" {
			assert.Empty(t, p.Unserved(served))
			assert.NoError(t, without.CheckFortran(none, served))
		} else {
			assert.Equal(t, []string{"mpi_send_f08ts_"}, p.Unserved(served), c.runtime)
			assert.ErrorContains(t, without.CheckFortran(none, served), c.refused)
		}
	}
	// A program compiled by flang, which contains flang's run-time library, with a library compiled by gfortran.
	p, err := Read(fakempi.Compile(t, `int mpi_send_f08ts_(void); const char *const flang = "fatal Fortran runtime error"; int main() { return mpi_send_f08ts_(); }`, w.at("mixed"),
		"-Wl,--no-as-needed", w.at("libgfortran.so.5.d/libmpifort.so.12"), w.at("libgfortran.so.5.d/libgfortran.so.5"), "-Wl,-rpath,"+w.at("libgfortran.so.5.d")), ldso.Search{})
	require.NoError(t, err)
	assert.Equal(t, []string{"mpi_send_f08ts_"}, p.Unserved(served))

	// A Fortran library that needs more symbols than the front has.
	needs := fakempi.Shared(t, "int MPII_New(void), MPI_Init(void); int mpi_init_(void) { return MPII_New() + MPI_Init(); }",
		w.at("lib/libmpifort.so.12"), "libmpifort.so.12")
	p = app("needs", "mpi_init_", needs, "-Wl,--allow-shlib-undefined")
	front := []string{"MPI_Init"}
	defines := func(name string) bool { return slices.Contains(front, name) }
	assert.ErrorContains(t, p.CheckFortran(defines, none), "libmpifort.so.12 needs MPII_New of its own MPI")
	front = append(front, "MPII_New")
	assert.NoError(t, p.CheckFortran(defines, none))
	// Fortran symbols from the C library itself.
	both := fakempi.MPICH(t, w.at("lib"), "libmpi.so.12", "int mpi_init_(void) { return 0; }")
	require.NoError(t, os.Rename(both, w.at("lib/libmpi.so.12")))
	assert.ErrorContains(t, app("fortran_in_c", "mpi_init_", w.at("lib/libmpi.so.12")).CheckFortran(none, none), "no library on this machine has mpi_init_")
}

func TestRefused(t *testing.T) {
	w := newWorld(t)
	app := func(name string, libs ...string) string {
		return fakempi.Compile(t, "int main() { return 0; }", w.at(name), append([]string{"-Wl,--no-as-needed"}, libs...)...)
	}
	lib := func(soname string) string {
		return fakempi.Shared(t, "int x(void) { return 0; }", w.at("old/"+soname), soname)
	}
	for name, c := range map[string]struct {
		path, says string
	}{
		"not MPI":      {w.plain, "not an MPI program"},
		"two families": {app("two", w.open, w.mpich), "two MPI families"},
		"old Open MPI": {app("old20", lib("libmpi.so.20")), "needs libmpi.so.20, the library of an old Open MPI"},
		"old MPICH":    {app("old10", lib("libmpich.so.10")), "needs libmpich.so.10, the library of an old MPICH"},
		"Open MPI 1.10": {fakempi.Compile(t, "extern long ompi_mpi_comm_world; int main() { return ompi_mpi_comm_world; }", w.at("old12"),
			fakempi.Shared(t, "long ompi_mpi_comm_world;", w.at("old/libmpi.so.12"), "libmpi.so.12")), "needs libmpi.so.12, the library of an old Open MPI"},
		"static": {fakempi.Compile(t, "int main() { return 0; }", w.at("static"), "-static"), "statically linked"},
		"script": {fakempi.Script(t, w.at("script"), "#!/bin/sh\n"), "not an ELF file"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read(c.path, ldso.Search{})
			require.ErrorContains(t, err, c.says)
		})
	}

	arm, err := Read(fakempi.ForMachine(t, w.openApp, w.at("arm"), 183), ldso.Search{})
	require.NoError(t, err)
	if elfobj.MachineName(elfobj.HostMachine()) != "arm64" {
		assert.ErrorContains(t, arm.CheckMachine(), "is for arm64, this machine is")
	}
}

func TestServiceAndUndefined(t *testing.T) {
	w := newWorld(t)
	rich := fakempi.MPICH(t, w.at("rich"), "libmpi.so.12",
		"int MPI_Send_c(void) { return 0; } int MPII_Op_set_cxx(void) { return 0; } int MPI_Comm_c2f(int c) { return c; }"+
			"int PMPI_Send_c(void) { return 0; }")
	app := fakempi.Compile(t, "int MPI_Init(void), MPI_Send_c(void), PMPI_Send_c(void), MPI_Comm_c2f(int), MPII_Op_set_cxx(void);"+
		"int main() { return MPI_Init() + MPI_Send_c() + PMPI_Send_c() + MPI_Comm_c2f(1) + MPII_Op_set_cxx(); }",
		w.at("app"), rich, "-Wl,-rpath,"+filepath.Dir(rich))
	p, err := Read(app, ldso.Search{})
	require.NoError(t, err)
	poor, err := elfobj.Read(w.mpich)
	require.NoError(t, err)
	// The functions that a front emulates on one family, and those that it implements on each family by another
	// function.
	front := ReadEmulation(fakempi.Shared(t, `const char a[] __attribute__((section(".wi4go.emulated"), used)) = "MPI_Comm_c2f mpich -\nMPI_Bcast_c * MPI_Bcast\n";
		const char b[] __attribute__((section(".wi4go.emulated"), used)) = "MPI_Send_c * MPI_Init\n";`, w.at("front.so"), "front.so"))
	assert.Equal(t, Service{[]string{"MPI_Init"}, []string{"MPI_Comm_c2f", "MPI_Send_c", "PMPI_Send_c"}, nil}, p.Service(family.MPICH, poor.Defines, front))
	assert.Equal(t, Service{[]string{"MPI_Init"}, []string{"MPI_Send_c", "PMPI_Send_c"}, []string{"MPI_Comm_c2f"}}, p.Service(family.OpenMPI, poor.Defines, front))
	assert.Equal(t, Service{[]string{"MPI_Init"}, nil, []string{"MPI_Comm_c2f", "MPI_Send_c", "PMPI_Send_c"}}, p.Service(family.MPICH, poor.Defines, Emulation{}))
	assert.Equal(t, []string{"MPI_Send_c", "PMPI_Send_c"}, p.Service(family.MPICH, func(name string) bool { return name == "MPI_Comm_c2f" }, front).Missing[1:])
	assert.Equal(t, []string{"MPII_Op_set_cxx", "MPI_Comm_c2f", "MPI_Send_c", "PMPI_Send_c"}, p.Undefined(poor.Defines, true))
	full, err := elfobj.Read(rich)
	require.NoError(t, err)
	assert.Empty(t, p.Undefined(full.Defines, true))

	// A copy relocation of data that the other library lacks.
	newer := fakempi.OpenMPI(t, w.at("newer"))
	fakempi.Shared(t, "long ompi_mpi_new = 1; int MPI_Init(void) { return 0; }", newer, "libmpi.so.40")
	app = fakempi.Compile(t, "extern long ompi_mpi_new; int main() { return ompi_mpi_new; }", w.at("copies"), newer, "-Wl,-rpath,"+filepath.Dir(newer))
	p, err = Read(app, ldso.Search{})
	require.NoError(t, err)
	require.Equal(t, []string{"ompi_mpi_new"}, p.Copies)
	assert.Equal(t, []string{"ompi_mpi_new"}, p.Undefined(poor.Defines, true))
	full, err = elfobj.Read(newer)
	require.NoError(t, err)
	assert.Empty(t, p.Undefined(full.Defines, true))
}
