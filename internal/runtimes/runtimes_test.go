package runtimes

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/elfobj"
	"wi4go/internal/fakempi"
	"wi4go/internal/ldso"
)

// TestMain allows the test program to be the child process that QueryVersion starts.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == QueryCommand {
		if strings.Contains(os.Args[2], "hangs") {
			select {}
		}
		if err := WriteVersion(os.Args[2], os.Stdout); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func libraries(rs []*Runtime) []string {
	var l []string
	for _, r := range rs {
		l = append(l, r.Library)
	}
	return l
}

func TestListOrder(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	venv := fakempi.MPICH(t, at("venv"), "libmpi.so.12", "")
	path := fakempi.OpenMPI(t, at("path"))
	home := fakempi.MPICH(t, at("home"), "libmpi.so.12", "")
	env := fakempi.OpenMPI(t, at("env"))
	cache := fakempi.MPICH(t, at("cache"), "libmpich.so.12", "")
	usual := fakempi.MPICH(t, at("usual/mpich-4"), "libmpi.so.12", "")
	front := fakempi.Front(t, at("ours"), "mpich")
	otherFront := fakempi.Front(t, at("another-copy"), "openmpi")
	require.NoError(t, os.Symlink(filepath.Base(path), at("path/lib/libmpi.so")))

	s := Search{
		Prefixes: []Place{{at("home"), "MPI_HOME"}, {at("venv"), "VIRTUAL_ENV"}},
		Path:     []string{at("nothing"), at("path/bin"), at("venv/bin")},
		Libs: ldso.Search{
			LibraryPath: []string{at("env/lib"), filepath.Dir(front), filepath.Dir(otherFront)},
			Cache:       map[string][]string{"libmpich.so.12": {cache}, "libmpi.so.40": {at("missing"), path}},
			Dirs:        []string{at("cache/lib")},
		},
		Globs:   []Place{{at("usual/mpich*"), "usual directory"}},
		Exclude: at("ours/lib/wi4go"),
	}
	list := s.List()
	assert.Equal(t, []string{venv, path, home, env, cache, usual}, libraries(list))
	how := []string{}
	for _, r := range list {
		how = append(how, r.Found)
		assert.Equal(t, filepath.Join(filepath.Dir(filepath.Dir(r.Library)), "bin/mpiexec"), r.Launcher)
		assert.Equal(t, filepath.Base(r.Library), r.Soname)
	}
	assert.Equal(t, []string{"VIRTUAL_ENV", "PATH", "MPI_HOME", "LD_LIBRARY_PATH", "ld.so.cache", "usual directory"}, how)
	assert.Empty(t, Search{}.List())

	first, err := s.Resolve("")
	require.NoError(t, err)
	assert.Equal(t, venv, first.Library)
}

func TestResolve(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	open := fakempi.OpenMPI(t, at("open"))
	mpich := fakempi.MPICH(t, at("mpich"), "libmpich.so.12", "")
	fakempi.MPICH(t, at("abi"), "libmpi_abi.so.1", "")
	arm := fakempi.ForMachine(t, mpich, at("arm/lib/libmpich.so.12"), 183)
	noMPI := fakempi.Shared(t, "int x(void) { return 1; }", at("libx.so"), "libx.so")
	profiler := fakempi.Shared(t, "int MPI_Init(void) { return 1; }", at("libprof.so"), "libprof.so")
	front := fakempi.Front(t, at("ours"), "mpich")
	fakempi.Script(t, at("bare/bin/mpiexec"), "#!/bin/sh\n# HYDRA\n")
	fakempi.Script(t, at("tool"), "#!/bin/sh\n")
	require.NoError(t, os.WriteFile(at("mpich/lib/libmpi.so"), []byte("INPUT(libmpich.so.12)\n"), 0o644))
	t.Setenv("PATH", at("open/bin"))

	s := Search{
		Path:    []string{at("open/bin"), at("mpich/bin")},
		Libs:    ldso.Search{Cache: map[string][]string{"libmpich.so.12": {mpich}}},
		Exclude: at("ours/lib/wi4go"),
	}
	for name, want := range map[string]string{
		"openmpi": open, "mpich": mpich,
		open: open, at("mpich/lib/libmpi.so"): mpich, // a linker script
		at("open"): open, at("mpich/"): mpich, at("open/lib"): open,
		at("mpich/bin/mpiexec"): mpich, "mpiexec": open, "libmpich.so.12": mpich,
	} {
		r, err := s.Resolve(name)
		if assert.NoError(t, err, name) {
			assert.Equal(t, want, r.Library, name)
		}
	}
	for name, says := range map[string]string{
		"lam":                  `unknown MPI "lam": the names are openmpi, mpich`,
		"mpiabi":               "no MPI library of the family of MPI standard ABI found",
		at("missing"):          "no such file",
		noMPI:                  "is not an MPI library",
		profiler:               "is not an MPI library",
		arm:                    "is for arm64, this machine is",
		at("arm"):              "is for arm64, this machine is",
		front:                  "a front of wi4go and not an MPI library",
		at("bare/bin"):         "no MPI library in this directory",
		at("bare"):             "has a launcher of MPICH (bin/mpiexec), but no MPI library",
		at("tool"):             "neither a library nor an mpiexec",
		at("bare/bin/mpiexec"): "launcher of MPICH, but the lib directory next to it has no MPI library",
	} {
		_, err := s.Resolve(name)
		assert.ErrorContains(t, err, says, name)
	}

	_, err := Search{}.Resolve("")
	assert.ErrorContains(t, err, "no MPI library found")
	_, err = Search{}.Resolve("openmpi")
	assert.ErrorContains(t, err, "no Open MPI library found")
}

// A launcher without a library is listed once.
func TestLoneLaunchers(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	fakempi.OpenMPI(t, at("whole"))
	lone := fakempi.Script(t, at("bare/bin/mpiexec"), "#!/bin/sh\n# HYDRA\n")
	require.NoError(t, os.Symlink("mpiexec", at("bare/bin/mpirun")))
	assert.Equal(t, []string{lone}, Search{Path: []string{at("whole/bin"), at("bare/bin")}}.LaunchersWithoutLibrary())
}

// Each usual place of MPI libraries is searched.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "EBROOT") || slices.Contains(prefixVars, name) {
			t.Setenv(name, "")
		}
	}
	want := map[string]string{}
	place := func(found, prefix string) {
		fakempi.OpenMPI(t, at(prefix))
		want[filepath.Join(at(prefix), "lib/libmpi.so.40")] = found
	}
	env := func(name, value string) { t.Setenv(name, at(value)) }
	for _, name := range []string{"VIRTUAL_ENV", "MPI_HOME", "MPI_ROOT", "I_MPI_ROOT", "MPICH_DIR", "CRAY_MPICH_DIR", "EBROOTIMPI",
		"CONDA_PREFIX"} {
		env(name, "var/"+name)
		place(name, "var/"+name)
	}
	env("CRAY_LD_LIBRARY_PATH", "cray/lib")
	place("CRAY_LD_LIBRARY_PATH", "cray")
	env("HOME", "home")
	env("SPACK_ROOT", "spack")
	place("Spack", "spack/opt/spack/linux-debian12-zen2/gcc-12.2.0/openmpi-4.1.4-abcdef")
	place("Spack", "spack/opt/spack/linux-zen2/intel-oneapi-mpi-2021.12-abcdef/mpi/2021.12")
	require.NoError(t, os.MkdirAll(at("home/.spack"), 0o755))
	require.NoError(t, os.WriteFile(at("home/.spack/config.yaml"), []byte("config:\n  install_tree:\n    root: ~/packages\n"), 0o644))
	place("Spack", "home/packages/linux-zen2/openmpi-5.0.1-abcdef")
	env("EASYBUILD_INSTALLPATH", "eb")
	place("EasyBuild", "eb/software/OpenMPI/4.1.4-GCC-12.2.0")
	place("EasyBuild", "home/.local/easybuild/software/impi/2021.9/mpi/2021.9")
	env("XDG_DATA_HOME", "data")
	place("wi4go get", "data/wi4go/runtimes/openmpi-5.0.11")

	found := map[string]string{}
	for _, r := range FromEnviron("").List() {
		if strings.HasPrefix(r.Library, dir) {
			found[r.Library] = r.Found
		}
	}
	assert.Equal(t, want, found)

	require.NoError(t, os.WriteFile(at("home/.spack/config.yaml"), []byte("config: {install_tree: /pkg}\n"), 0o644))
	assert.Equal(t, "/pkg", spackTree(at("home/.spack/config.yaml")))
	require.NoError(t, os.WriteFile(at("home/.spack/config.yaml"), []byte("{[\n"), 0o644))
	assert.Empty(t, spackTree(at("home/.spack/config.yaml")))
	t.Chdir(dir) // without a home directory, ./spack is not searched
	assert.Empty(t, append(spackPlaces("", func(string) string { return "" }), easyBuildPlaces("", func(string) string { return "" })...))
	t.Setenv("XDG_DATA_HOME", "relative")
	data, err := FetchedDir()
	require.NoError(t, err)
	assert.Equal(t, at("home/.local/share/wi4go/runtimes"), data)
}

// The administrator's choice is found if PATH does not lead to it.
func TestAlternatives(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	open := fakempi.OpenMPI(t, at("open"))
	mpich := fakempi.MPICH(t, at("mpich"), "libmpich.so.12", "")
	require.NoError(t, os.MkdirAll(at("alternatives"), 0o755))
	require.NoError(t, os.Symlink(at("open/bin/mpiexec"), at("alternatives/mpirun")))
	require.NoError(t, os.Symlink(mpich, at("alternatives/libmpi.so-x86_64-linux-gnu")))
	list := Search{Links: at("alternatives")}.List()
	assert.Equal(t, []string{open, mpich}, libraries(list))
	assert.Equal(t, "alternatives", list[0].Found)
}

// The alternatives system changes the names and places of launchers.
func TestLauncherBehindLinks(t *testing.T) {
	dir := t.TempDir()
	lib := fakempi.OpenMPI(t, filepath.Join(dir, "usr"))
	require.NoError(t, os.Rename(filepath.Join(dir, "usr/bin/mpiexec"), filepath.Join(dir, "usr/bin/orterun")))
	require.NoError(t, os.Symlink("orterun", filepath.Join(dir, "usr/bin/mpiexec.openmpi")))
	fakempi.Script(t, filepath.Join(dir, "usr/bin/mpiexec"), "#!/bin/sh\n# HYDRA\n")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "home"), 0o755))
	require.NoError(t, os.Symlink(filepath.Join(dir, "usr/bin/mpiexec.openmpi"), filepath.Join(dir, "home/mpirun")))

	list := Search{Path: []string{filepath.Join(dir, "home")}}.List()
	require.Len(t, list, 1)
	assert.Equal(t, lib, list[0].Library)
	assert.Equal(t, filepath.Join(dir, "usr/bin/mpiexec.openmpi"), list[0].Launcher, "not MPICH's next to it")
}

func TestAsk(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	s := Search{}
	r, err := s.ofLibrary(fakempi.OpenMPI(t, dir))
	require.NoError(t, err)
	assert.Equal(t, Version{Product: "Open MPI 4.1.4", Number: "4.1.4", Standard: "3.1", Text: "Open MPI v4.1.4, package: fake",
		Threads: "serialized"}, QueryVersion(self, r))
	assert.Equal(t, Version{Product: "Open MPI"}, QueryVersion("", r), "without a child process, only the file is read")

	// Its plugins are not queried, because some of them are slow.
	header := filepath.Join(dir, "plugins.h")
	require.NoError(t, os.WriteFile(header, []byte(`#include <stdlib.h>
#include <unistd.h>
static __attribute__((constructor)) void plugins(void) {
	const char *place = getenv("OMPI_MCA_mca_base_component_path");
	if (!place || !access(place, F_OK)) abort();
}`), 0o644))
	t.Setenv("OMPI_MCA_mca_base_component_path", dir)
	r, err = s.ofLibrary(fakempi.OpenMPI(t, filepath.Join(dir, "plugins"), "-include", header))
	require.NoError(t, err)
	assert.Empty(t, QueryVersion(self, r).Problem)

	// A library that cannot be loaded is read as a file.
	broken := func(name, extra string, flags ...string) Version {
		library := fakempi.MPICH(t, filepath.Join(dir, name), "libmpi.so.12", `const char version[] = "\0004.3.2";`+extra, flags...)
		r, err := s.ofLibrary(library)
		require.NoError(t, err)
		v := QueryVersion(self, r)
		assert.Equal(t, "MPICH 4.3.2", v.Product, name)
		assert.Equal(t, "4.3.2", v.Number, name)
		return v
	}
	assert.Contains(t, broken("symbol", "int missing_symbol(void); int use(void) { return missing_symbol(); }").Problem, "missing_symbol")
	needed := fakempi.Shared(t, "int there(void) { return 1; }", filepath.Join(dir, "libthere.so"), "libgone.so.3")
	assert.Contains(t, broken("library", "int there(void); int use(void) { return there(); }", needed).Problem,
		"libgone.so.3: cannot open shared object file")
	assert.Contains(t, broken("crash", "__attribute__((constructor)) void crash(void) { abort(); }").Problem, "it failed when it was loaded: SIGABRT")
	assert.Contains(t, broken("exit", "__attribute__((constructor)) void leave(void) { exit(0); }").Problem, "it gave no answer")

	// A library that crashes at the last question has answered the first one.
	partly, err := s.ofLibrary(fakempi.MPICH(t, filepath.Join(dir, "partly"), "libmpi.so.12", "", "-DFAKEMPI_T_DIES"))
	require.NoError(t, err)
	assert.Equal(t, Version{Product: "MPICH 4.0.2", Number: "4.0.2", Standard: "3.1", Text: "MPICH Version:\t4.0.2"}, QueryVersion(self, partly))
}

// TestSeveralInPrefix checks that a prefix with the libraries of two vendors names both.
func TestSeveralInPrefix(t *testing.T) {
	dir := t.TempDir()
	open := fakempi.OpenMPI(t, dir)
	mpich := fakempi.MPICH(t, dir, "libmpi.so.12", "")
	r, err := Search{}.Resolve(dir)
	require.NoError(t, err)
	others := map[string]string{open: mpich + " (MPICH)", mpich: open + " (Open MPI)"}
	assert.Equal(t, []string{others[r.Library]}, r.Others)
	r, err = Search{}.Resolve(open)
	require.NoError(t, err)
	assert.Empty(t, r.Others, "named by its file")
}

func TestAskLimit(t *testing.T) {
	old := queryLimit
	queryLimit = 200_000_000
	defer func() { queryLimit = old }()
	self, err := os.Executable()
	require.NoError(t, err)
	r, err := Search{}.ofLibrary(fakempi.OpenMPI(t, filepath.Join(t.TempDir(), "hangs")))
	require.NoError(t, err)
	assert.Equal(t, Version{Product: "Open MPI", Problem: "it did not answer within 200ms"}, QueryVersion(self, r))
}

func TestProductOf(t *testing.T) {
	for text, want := range map[string][2]string{
		"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4":        {"Open MPI 4.1.4", "4.1.4"},
		"MPICH Version:      5.0.2\nMPICH Release date: x":              {"MPICH 5.0.2", "5.0.2"},
		"Intel(R) MPI Library 2021.15 for Linux* OS\n":                  {"Intel MPI 2021.15", "2021.15"},
		"MVAPICH2 Version      :\t2.3.7\n":                              {"MVAPICH 2.3.7", "2.3.7"},
		"MVAPICH Version       :\t3.0\n":                                {"MVAPICH 3.0", "3.0"},
		"MPI VERSION    : CRAY MPICH version 8.1.27 (ANL base 3.4a2)\n": {"Cray MPICH 8.1.27", "8.1.27"},
		"Something else 7\nmore":                                        {"Something else 7", ""},
	} {
		product, number := productOf(text)
		assert.Equal(t, want, [2]string{product, number})
	}
}

func TestVersionMatches(t *testing.T) {
	for _, c := range []struct {
		version, want string
		matches       bool
	}{
		{"5.0.2", "5", true}, {"5.0.2", "5.0", true}, {"5.0.2", "5.0.2", true}, {"50.1", "5", false}, {"5.0.2", "5.0.20", false},
		{"2021.15", "2021.15.0", true}, {"2021.15", "2021.15.1", false}, {"", "5", false}, {"5.0.2", "4", false},
	} {
		assert.Equal(t, c.matches, VersionMatches(c.version, c.want), "%s@%s", c.version, c.want)
	}
}

// Members of one ABI family are distinguished by vendor, and libraries of one vendor by version.
func TestVendors(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	self, err := os.Executable()
	require.NoError(t, err)
	old := fakempi.IntelMPI(t, at("old"), "2021.15")
	intel := fakempi.IntelMPI(t, at("new"), "2021.18.1")
	mvapich := fakempi.MVAPICH(t, at("mvapich"), "2.3.7")
	cray := fakempi.CrayMPICH(t, at("pe"), "8.1.27")
	mpich := fakempi.MPICH(t, at("mpich"), "libmpi.so.12", "")
	twin := fakempi.MPICH(t, at("twin"), "libmpi.so.12", "int twin(void) { return 1; }")
	s := Search{
		Self:  self,
		Path:  []string{at("old/bin"), at("new/bin"), at("mvapich/bin")},
		Globs: []Place{{at("pe/mpich/*/ofi/*/*"), ""}, {at("mpich"), ""}, {at("twin"), ""}},
	}
	fakempi.MPICH(t, at("abi"), "libmpi_abi.so.1", "")
	abi := Search{Globs: []Place{{at("abi"), ""}}}
	assert.Equal(t, "mpich-abi", abi.Survey()[0].Name)
	for _, name := range []string{"mpich-abi", "mpiabi"} {
		r, err := abi.Resolve(name)
		require.NoError(t, err, name)
		assert.Equal(t, at("abi/lib/libmpi_abi.so.1"), r.Library)
	}
	_, err = Search{}.Resolve("")
	assert.Equal(t, "mpich", InstallableName("", err))
	assert.Equal(t, "openmpi", InstallableName("", Search{}.NoneFor(OpenMPI.family)))
	assert.ErrorIs(t, Search{}.NoneFor(OpenMPI.family), ErrNotFound)
	assert.Empty(t, InstallableName("", os.ErrNotExist))
	_, err = abi.Resolve("mpich")
	assert.ErrorContains(t, err, "no MPICH library found: install one with `wi4go get mpich`")

	var names, vendors, products []string
	for _, e := range s.Survey() {
		names, vendors, products = append(names, e.Name), append(vendors, e.Vendor), append(products, e.Product)
		assert.True(t, e.Usable(), e.Problem)
	}
	assert.Equal(t, []string{"intelmpi@2021.15", "intelmpi@2021.18.1", "mvapich", "cray-mpich", mpich, twin}, names)
	assert.Equal(t, []string{"intelmpi", "intelmpi", "mvapich", "cray-mpich", "mpich", "mpich"}, vendors)
	assert.Equal(t, []string{"Intel MPI 2021.15", "Intel MPI 2021.18.1", "MVAPICH 2.3.7", "Cray MPICH 8.1.27", "MPICH 4.0.2",
		"MPICH 4.0.2"}, products)

	for name, want := range map[string]string{
		"intelmpi": old, "intelmpi@2021.18": intel, "intelmpi@2021.18.1": intel, "intelmpi@2021.15.0": old, "mvapich": mvapich,
		"mvapich@2": mvapich, "cray-mpich": cray, "cray-mpich@8.1.27": cray, "mpich": mpich, "mpich@4": mpich, twin: twin,
	} {
		r, err := s.Resolve(name)
		if assert.NoError(t, err, name) {
			assert.Equal(t, want, r.Library, name)
			assert.Equal(t, name, map[bool]string{true: r.Name, false: name}[name != twin])
		}
	}
	for name, says := range map[string]string{
		"openmpi":      "no Open MPI library found: install one with `wi4go get openmpi`",
		"openmpi@5":    "no Open MPI 5 library found: install one with `wi4go get openmpi@5`",
		"mpich@5":      "no MPICH 5 library found (available: Intel MPI, MVAPICH, Cray MPICH, MPICH 4.0.2): use `--to mpich`, which is installed and has the same ABI, or install one with `wi4go get mpich@5`",
		"cray-mpich@9": "no Cray MPICH 9 library found (available: Cray MPICH 8.1.27): use `--to cray-mpich`, which is installed and has the same ABI, or install one",
		"mpich@":       `unknown MPI "mpich@": did you mean mpich? the names are openmpi, mpich, intelmpi, mvapich, cray-mpich`,
	} {
		_, err := s.Resolve(name)
		assert.ErrorContains(t, err, says, name)
	}
	_, err = Search{Path: []string{at("new/bin")}}.Resolve("mpich")
	assert.ErrorContains(t, err, "no MPICH library found (available: Intel MPI): use `--to intelmpi`, which is installed and has the same ABI, or install one with `wi4go get mpich`")
}

// The processes of a runtime find its files although no script was sourced. Values that the user
// has set remain.
func TestEnv(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	env := func(library string, have ...string) []Var {
		r, err := Search{}.ofLibrary(library)
		require.NoError(t, err)
		return r.Env(func(name string) string {
			for _, v := range have {
				if value, found := strings.CutPrefix(v, name+"="); found {
					return value
				}
			}
			return ""
		})
	}
	open := fakempi.OpenMPI(t, at("open"))
	assert.Empty(t, env(open))
	fakempi.Script(t, at("open/bin/orterun_wrapper"), "")
	assert.Equal(t, []Var{{"OPAL_PREFIX", at("open")}}, env(open))
	assert.Empty(t, env(fakempi.MPICH(t, at("mpich"), "libmpi.so.12", "")))

	intel := fakempi.IntelMPI(t, at("intel"), "2021.18.1")
	root := Var{"I_MPI_ROOT", at("intel")}
	assert.Equal(t, []Var{root}, env(intel))
	fakempi.Script(t, at("intel/opt/mpi/libfabric/lib/libfabric.so.1"), "")
	library := Var{"I_MPI_OFI_LIBRARY", at("intel/opt/mpi/libfabric/lib/libfabric.so.1")}
	assert.Equal(t, []Var{root, library, {"FI_PROVIDER_PATH", at("intel/opt/mpi/libfabric/lib")}}, env(intel))
	fakempi.Script(t, at("intel/opt/mpi/libfabric/lib/prov/libtcp-fi.so"), "")
	providers := Var{"FI_PROVIDER_PATH", at("intel/opt/mpi/libfabric/lib/prov")}
	assert.Equal(t, []Var{root, library, providers}, env(intel))
	assert.Equal(t, []Var{root, library, providers}, env(intel, "I_MPI_ROOT="+at("mpich"), "FI_PROVIDER_PATH=/other"))
	assert.Equal(t, []Var{root, library}, env(intel, "FI_PROVIDER_PATH=/mine"))
	assert.Equal(t, []Var{root}, env(intel, "I_MPI_OFI_LIBRARY=/mine"))
	assert.Equal(t, []Var{root}, env(intel, "I_MPI_OFI_LIBRARY_INTERNAL=no"))
	// I_MPI_ROOT alone leads to the tuning files, and to no libfabric.
	assert.Equal(t, []Var{library, providers}, env(intel, root.Name+"="+root.Value))
	assert.Equal(t, []Var{library, providers}, env(intel, root.Name+"="+root.Value, "LD_LIBRARY_PATH="+at("open")+":"))
	assert.Equal(t, []Var{library}, env(intel, root.Name+"="+root.Value, "FI_PROVIDER_PATH=/mine"))
	assert.Empty(t, env(intel, root.Name+"="+root.Value, "I_MPI_OFI_LIBRARY_INTERNAL=0"))
	// The script has been sourced, or the user has another libfabric.
	fakempi.Script(t, at("mine/libfabric.so.1"), "")
	for _, dir := range []string{at("mine"), at("intel/opt/mpi/libfabric/lib")} {
		assert.Empty(t, env(intel, root.Name+"="+root.Value, "LD_LIBRARY_PATH="+at("open")+":"+dir), dir)
	}
}

// A copy of a library, in another place or under another name, is not listed as a second runtime.
// Copies have the same build-id, or else the same bytes.
func TestCopies(t *testing.T) {
	for _, flag := range []string{"-Wl,--build-id", "-Wl,--build-id=none"} {
		dir := t.TempDir()
		at := func(name string) string { return filepath.Join(dir, name) }
		one := fakempi.MPICH(t, at("one"), "libmpi.so.12", "", flag)
		fakempi.MPICH(t, at("three"), "libmpi.so.12", "", flag)
		for _, name := range []string{"one/lib/libmpi.so", "two/lib/libmpi.so.12"} {
			fakempi.ForMachine(t, one, at(name), byte(elfobj.HostMachine()))
		}
		list := Search{Globs: []Place{{at("one"), ""}, {at("two"), ""}, {at("three"), ""}}}.List()
		require.Len(t, list, 2, flag)
		assert.Equal(t, one, list[0].Library)
		assert.Equal(t, []string{at("two/lib/libmpi.so.12")}, list[0].Also)
		assert.Equal(t, at("three/lib/libmpi.so.12"), list[1].Library)
	}
}

// An excluded library need not exist.
func TestExcludeNothing(t *testing.T) {
	dir := t.TempDir()
	lib := fakempi.OpenMPI(t, dir)
	assert.Equal(t, []string{lib}, libraries(Search{Path: []string{filepath.Join(dir, "bin")}, Exclude: filepath.Join(dir, "missing")}.List()))
}

// The process managers and transports of a runtime are read from its files.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	files := func(library string) Files {
		r, err := Search{}.ofLibrary(library)
		require.NoError(t, err)
		return r.ReadFiles(ldso.Search{})
	}
	touch := func(names ...string) {
		for _, name := range names {
			fakempi.Script(t, at(name), "")
		}
	}
	texts := func(list ...string) string {
		return `const char texts[] = "\0` + strings.Join(list, `\0`) + `";`
	}
	rpath := "-Wl,-rpath,$ORIGIN"

	fakempi.Shared(t, "int fi(void) { return 1; }", at("mpich/lib/libfabric.so.1"), "libfabric.so.1")
	touch("mpich/lib/libfabric/libverbs-1.12-fi.so", "mpich/lib/libfabric/libefa-fi.so", "mpich/lib/libuct_ib.so.0")
	mpich := fakempi.MPICH(t, at("mpich"), "libmpi.so.12", "int fi(void); int use(void) { return fi(); }"+
		texts("PMI_FD", "fullinit", "ch4:ucx ofi"), at("mpich/lib/libfabric.so.1"), rpath)
	assert.Equal(t, Files{[]string{"pmi1", "pmi2"}, []string{"shm", "ucx(ib)", "ofi(efa,verbs)"}}, files(mpich))
	old := fakempi.MPICH(t, at("old"), "libmpi.so.12", texts("PMI_FD", "ch3:nemesis"))
	assert.Equal(t, Files{[]string{"pmi1"}, []string{"shm", "tcp"}}, files(old))

	touch("open/lib/openmpi/mca_btl_vader.so", "open/lib/openmpi/mca_btl_tcp.so", "open/lib/openmpi/mca_mtl_psm2.so",
		"open/lib/openmpi/mca_pmix_s2.so")
	fakempi.Shared(t, "long mca_pmix_pmix3x_component, mca_mtl_ofi_component;", at("open/lib/libopen-pal.so.40"), "libopen-pal.so.40")
	open := fakempi.OpenMPI(t, at("open"), "-Wl,--no-as-needed", at("open/lib/libopen-pal.so.40"), rpath)
	assert.Equal(t, Files{[]string{"pmi2", "pmix"}, []string{"shm", "tcp", "ofi", "psm2"}}, files(open))
}

// The result for a name is cached as long as it is the same file and no new file could precede it.
func TestRemembered(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	first := fakempi.MPICH(t, at("first"), "libmpich.so.12", "")
	second := fakempi.MPICH(t, at("second"), "libmpi.so.12", "")
	require.NoError(t, os.Mkdir(at("empty"), 0o755))
	s := Search{Path: []string{at("empty"), at("first/bin"), at("second/bin")}, CacheDir: at("cache")}
	resolved := func(name string) string {
		r, err := s.Resolve(name)
		require.NoError(t, err)
		assert.Equal(t, name, r.Name)
		return r.Library
	}
	files := func() int {
		entries, _ := os.ReadDir(at("cache"))
		return len(entries)
	}
	assert.Equal(t, first, resolved("mpich"))
	assert.Equal(t, 1, files())
	assert.Equal(t, first, resolved("mpich"))
	memos, err := filepath.Glob(at("cache/*"))
	require.NoError(t, err)
	text, err := os.ReadFile(memos[0])
	require.NoError(t, err)
	other := strings.Replace(string(text), fmt.Sprintf("%q", first), fmt.Sprintf("%q", second), 1)
	require.NoError(t, os.WriteFile(memos[0], []byte(other), 0o644))
	assert.Equal(t, first, resolved("mpich"), "another file than it was")

	// Another library replaces the known one.
	fakempi.Shared(t, "int none;", at("other.so"), "other.so")
	require.NoError(t, os.Rename(at("other.so"), first))
	assert.Equal(t, second, resolved("mpich"))
	assert.Equal(t, second, resolved("mpich"))
	// A launcher is added before it.
	third := fakempi.MPICH(t, at("third"), "libmpi.so.12", "int more;")
	require.NoError(t, os.Symlink(at("third/bin/mpiexec"), at("empty/mpiexec")))
	assert.Equal(t, third, resolved("mpich"))
	assert.Equal(t, 1, files())
	// A search with another environment, and a search without a place for the cache.
	s.Path = s.Path[2:]
	assert.Equal(t, second, resolved("mpich"))
	assert.Equal(t, 2, files())
	require.NoError(t, os.WriteFile(at("file"), nil, 0o644))
	s.CacheDir = at("file/cache")
	assert.Equal(t, second, resolved("mpich"))
}

// A library that comes with wi4go is a runtime; a front in the same tree is not.
func TestRuntimeInOwnTree(t *testing.T) {
	dir := t.TempDir()
	at := func(path string) string { return filepath.Join(dir, path) }
	front := fakempi.Front(t, at("ours"), "mpich")
	shipped := fakempi.MPICH(t, at("ours/lib/wi4go/runtimes/shipped"), "libmpi_abi.so.1", "")
	s := Search{Exclude: at("ours/lib/wi4go"), Globs: []Place{{at("ours/lib/wi4go/*"), "fronts"}, {at("ours/lib/wi4go/runtimes/*"), "shipped"}}}
	list := s.List()
	assert.Equal(t, []string{shipped}, libraries(list))
	r, err := s.Resolve(shipped)
	require.NoError(t, err)
	assert.Equal(t, at("ours/lib/wi4go/runtimes/shipped/bin/mpiexec"), r.Launcher)
	_, err = s.Resolve(front)
	assert.ErrorContains(t, err, "is a front of wi4go and not an MPI library")
}
