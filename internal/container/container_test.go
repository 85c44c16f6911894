package container

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

// world is a host and an image, with libraries of one function each.
type world struct {
	t    *testing.T
	dir  string
	host ldso.Search
}

func newWorld(t *testing.T) *world {
	// No MPI is expected in temporary directories, except in tests.
	before := system
	system = slices.DeleteFunc(slices.Clone(system), func(s string) bool { return s == "/tmp" || s == "/var" })
	t.Cleanup(func() { system = before })
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	w := &world{t: t, dir: dir}
	w.host.Dirs = []string{w.at("sys")}
	return w
}

func (w *world) at(name string) string { return filepath.Join(w.dir, name) }

func (w *world) write(name, text string) string {
	path := w.at(name)
	require.NoError(w.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(w.t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// lib compiles a library at name, with its base name as its soname. versions are the symbol
// versions that it defines, lowest first.
func (w *world) lib(name, source string, versions []string, flags ...string) string {
	soname := filepath.Base(name)
	function := strings.NewReplacer(".", "_", "-", "_", "+", "p").Replace(soname)
	flags = append(slices.Clone(flags), "-nostdlib", "-Wl,--allow-shlib-undefined")
	if len(versions) > 0 {
		script, parent := "", ""
		for i, v := range versions {
			source += fmt.Sprintf("\nint %s_%d(void) { return 0; }", function, i)
			script += fmt.Sprintf("%s { global: %s_%d; } %s;\n", v, function, i, parent)
			parent = v
		}
		flags = append(flags, "-Wl,--version-script="+w.write(soname+".map", script))
	} else {
		source += fmt.Sprintf("\nint %s_0(void) { return 0; }", function)
	}
	return fakempi.Shared(w.t, source, w.at(name), soname, flags...)
}

// image creates a container's root with a C library that has the given versions.
func (w *world) image(name string, versions ...string) *Image {
	w.lib(name+"/usr/lib64/libc.so.6", "", versions)
	i, err := OpenImage(w.at(name))
	require.NoError(w.t, err)
	return i
}

func (w *world) plan(r Request) *Plan {
	w.t.Helper()
	r.Host = w.host
	p, err := New(r)
	require.NoError(w.t, err)
	return p
}

// seen returns the mounts of a plan as "from → to", without the path of the world's directory.
func (w *world) seen(p *Plan) []string {
	var list []string
	for _, m := range p.Mounts {
		list = append(list, strings.ReplaceAll(m.From+" → "+m.To, w.dir+"/", ""))
	}
	return list
}

// imports returns C that calls the functions of libraries in a given version.
func imports(functions ...string) string {
	source := ""
	for i, f := range functions {
		source += fmt.Sprintf("int %s(void); int call%d(void) { return %s(); }\n", f, i, f)
	}
	return source
}

func TestFound(t *testing.T) {
	w := newWorld(t)
	dep := w.lib("sys/libdep.so.1", "", nil)
	w.lib("sys/liblater.so.2", "", nil)
	w.lib("sys/libofplugin.so.3", "", nil)
	w.lib("sys/plugins/mca_x.so", imports("libofplugin_so_3_0"), nil, w.at("sys/libofplugin.so.3"))
	w.write("sys/plugins/readme", "no library")
	w.write("etc/mpi.conf", "")
	w.write("elsewhere.conf", "")
	w.write("drivers/libone-v1.so", "damaged")
	require.NoError(t, os.Symlink(w.at("elsewhere.conf"), w.at("etc/link.conf")))
	library := w.lib("sys/libmpi.so.40", imports("libdep_so_1_0")+fmt.Sprintf(`
void *dlopen(const char *, int);
const char *open_it(void) { return dlopen("liblater.so.2", 1) ? %q : %q; }
const char *more(int i) { const char *t[] = {%q, "/proc/self/maps", "/etc/hosts", "/tmp", "relative", "/nowhere/at/all", "/%%s"}; return t[i]; }
`, w.at("sys/plugins"), w.at("etc"), w.at("drivers")+"/lib%s-v1.so"), nil, dep)

	p := w.plan(Request{Library: library, Env: []Var{{"LD_PRELOAD", library + ":libother.so"}, {"LD_LIBRARY_PATH", "/gone"}}})
	assert.Equal(t, []string{
		"drivers → drivers", "elsewhere.conf → elsewhere.conf", "etc → etc", "sys/plugins → sys/plugins",
	}, slices.DeleteFunc(w.seen(p), func(s string) bool { return strings.Contains(s, Private) }))
	assert.Equal(t, []string{
		"sys/libdep.so.1 → /opt/wi4go-host/lib/libdep.so.1",
		"sys/liblater.so.2 → /opt/wi4go-host/lib/liblater.so.2",
		"sys/libmpi.so.40 → /opt/wi4go-host/lib/libmpi.so.40",
		"sys/libofplugin.so.3 → /opt/wi4go-host/lib/libofplugin.so.3",
	}, slices.DeleteFunc(w.seen(p), func(s string) bool { return !strings.Contains(s, Private) }))
	assert.Equal(t, []Var{{"LD_PRELOAD", "/opt/wi4go-host/lib/libmpi.so.40:libother.so"}, {"LD_LIBRARY_PATH", privateLib}}, p.Env)
	assert.Empty(t, p.Warnings)
}

// TestDriversOfOpenCL checks that the libraries which the files *.icd of the OpenCL loader name are
// found with their own dependencies. hwloc's plugins open the loader.
func TestDriversOfOpenCL(t *testing.T) {
	w := newWorld(t)
	compiler := w.lib("sys/libcompiler.so.1", "", nil)
	w.lib("sys/libpocl.so.2", imports("libcompiler_so_1_0"), nil, compiler)
	w.lib("sys/pocl/libpocl-devices-basic.so", imports("libdevice_so_1_0"), nil, w.lib("sys/libdevice.so.1", "", nil))
	vendor := w.lib("vendor/lib/libgpu.so.1", "", nil)
	w.write("vendors/pocl.icd", "libpocl.so.2\n")
	w.write("vendors/gpu.icd", vendor+"\n")
	w.write("vendors/gone.icd", "libgone.so\n/gone/libgone.so\n")
	loader := w.lib("sys/libOpenCL.so.1", fmt.Sprintf("const char *vendors(void) { return %q; }\n", w.at("vendors")), nil)
	w.lib("sys/hwloc/hwloc_opencl.so", imports("libOpenCL_so_1_0"), nil, loader)
	hwloc := w.lib("sys/libhwloc.so.15", "", nil)
	library := w.lib("sys/libmpi.so.40", imports("libhwloc_so_15_0"), nil, hwloc)

	seen := w.seen(w.plan(Request{Library: library}))
	for _, mount := range []string{"vendors → vendors", "vendor → vendor",
		"sys/pocl → sys/pocl", "sys/libdevice.so.1 → /opt/wi4go-host/lib/libdevice.so.1",
		"sys/libpocl.so.2 → /opt/wi4go-host/lib/libpocl.so.2", "sys/libcompiler.so.1 → /opt/wi4go-host/lib/libcompiler.so.1"} {
		assert.Contains(t, seen, mount)
	}
}

// TestCompilerOfTheContainer checks that a driver which contains a compiler, as pocl contains clang, does not replace the
// container's release, gcc and 32-bit libraries by the host's.
func TestCompilerOfTheContainer(t *testing.T) {
	w := newWorld(t)
	host := []string{"/lib/gcc", "/usr/lib/gcc", "/usr/lib/debug", "/usr/lib32", "/usr/lib/os-release", "/etc/debian_version", "/etc/redhat-release"}
	text := fmt.Sprintf("const char *own = %q;\n", w.write("compiler/own", ""))
	exist := 0
	for i, path := range host {
		text += fmt.Sprintf("const char *host%d = %q;\n", i, path)
		if _, err := os.Stat(path); err == nil {
			exist++
		}
	}
	require.Positive(t, exist, "%v", host)
	clang := w.lib("sys/libclang.so.1", text, nil)
	library := w.lib("sys/libmpi.so.40", imports("libclang_so_1_0"), nil, clang)

	var paths []string
	for _, m := range w.plan(Request{Library: library}).Mounts {
		paths = append(paths, m.From)
	}
	assert.Contains(t, paths, w.at("compiler/own"))
	for _, path := range host {
		assert.NotContains(t, paths, path)
	}
}

func TestInstallationWithAPrefix(t *testing.T) {
	w := newWorld(t)
	w.lib("mpi/lib/mpich/libucs.so.0", "", nil)
	w.lib("mpi/lib/mpich/ucx/libuct_x.so.0", imports("libsystem_so_1_0"), nil, w.lib("sys/libsystem.so.1", "", nil))
	w.lib("mpi/lib/libprov-fi.so", "", nil)
	library := w.lib("mpi/lib/libmpi.so.12", imports("libucs_so_0_0")+`
void *dlopen(const char *, int);
void *later(void) { return dlopen("libprov-fi.so", 1); }`, nil,
		w.at("mpi/lib/mpich/libucs.so.0"), "-Wl,-rpath,$ORIGIN/mpich")
	ours := fakempi.Front(t, w.at("ours"), "openmpi")

	p := w.plan(Request{Library: library, OwnDir: w.at("ours/lib/wi4go"),
		Env: []Var{{"LD_PRELOAD", ours}, {"WI4GO_TO", library}, {"WI4GO_FROM", "openmpi"}, {"LD_LIBRARY_PATH", filepath.Join(filepath.Dir(ours), "path") + ":/gone"}}})
	assert.Equal(t, []string{
		"sys/libsystem.so.1 → /opt/wi4go-host/lib/libsystem.so.1",
		"ours/lib/wi4go → /opt/wi4go-host/wi4go",
		"mpi → mpi",
	}, w.seen(p))
	assert.Equal(t, []Var{
		{"LD_PRELOAD", "/opt/wi4go-host/wi4go/openmpi/libmpi.so.40"}, {"WI4GO_TO", library}, {"WI4GO_FROM", "openmpi"},
		{"LD_LIBRARY_PATH", "/opt/wi4go-host/wi4go/openmpi/path:" + privateLib + ":" + w.at("mpi/lib")},
	}, p.Env, "what is opened by name is found in the place it has")

	// Not if that would put a whole system directory before the container's own.
	w.lib("mpi/lib/libstdc++.so.6", "", nil)
	p = w.plan(Request{Library: library})
	assert.Equal(t, []Var{{"LD_LIBRARY_PATH", privateLib}}, p.Env)
	assert.Contains(t, w.seen(p), "mpi/lib/libprov-fi.so → /opt/wi4go-host/lib/libprov-fi.so")
}

func TestOwnPrefix(t *testing.T) {
	p := places{linker: []string{"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"}, home: "/home/u"}
	for path, want := range map[string]string{
		"/usr/lib/x86_64-linux-gnu/libmpi.so.40":                 "",
		"/usr/lib/x86_64-linux-gnu/ucx/libuct_ib.so":             "",
		"/usr/lib/x86_64-linux-gnu/pmix2/lib/libpmix.so.2":       "/usr/lib/x86_64-linux-gnu/pmix2",
		"/usr/lib64/openmpi/lib/libmpi.so.40":                    "/usr/lib64/openmpi",
		"/usr/local/lib/libmpi.so.12":                            "",
		"/home/u/.local/lib/libmpi.so.12":                        "",
		"/home/u/lib/libmpi.so.12":                               "",
		"/home/u/venv/lib/mpich/libfabric.so.1":                  "/home/u/venv",
		"/opt/intel/oneapi/mpi/2021.15/lib/release/libmpi.so.12": "/opt/intel/oneapi/mpi/2021.15",
		"/spack/lib/libx.so":                                     "/spack",
		"/data/plain/libmpi.so":                                  "/data/plain",
	} {
		assert.Equal(t, want, p.ownPrefix(path), path)
	}
}

func TestImageKeepsItsOwn(t *testing.T) {
	w := newWorld(t)
	older, newer := []string{"V_1"}, []string{"V_1", "V_2"}
	same := w.lib("sys/libsame.so.1", "", older)
	fresh := w.lib("sys/libfresh.so.1", "", newer)
	plain := w.lib("sys/libplain.so.1", "", nil)
	absent := w.lib("sys/libabsent.so.1", "", nil)
	plugged := w.lib("sys/libibverbs.so.1", "", older)
	w.lib("sys/libibverbs/libdriver.so", "", nil)
	// It is newer in the image, but requires a newer libplugged than the image has.
	linked := w.lib("sys/liblinked.so.1", "", older)
	library := w.lib("sys/libmpi.so.40", imports("libsame_so_1_0", "libfresh_so_1_1", "libplain_so_1_0", "libabsent_so_1_0",
		"libibverbs_so_1_0", "liblinked_so_1_0"), nil, same, fresh, plain, absent, plugged, linked)

	image := w.image("root", "GLIBC_2.17")
	w.lib("root/usr/lib64/libsame.so.1", "", newer)
	w.lib("root/usr/lib64/libfresh.so.1", "", older)
	w.lib("root/usr/lib64/libplain.so.1", "", nil)
	inImage := w.lib("root/usr/lib64/libibverbs.so.1", "", newer)
	w.lib("root/usr/lib64/liblinked.so.1", imports("libibverbs_so_1_1"), newer, inImage)

	var names []string
	for _, m := range w.plan(Request{Library: library, Image: image}).Mounts {
		if name, ok := strings.CutPrefix(m.To, privateLib+"/"); ok {
			names = append(names, name)
		}
	}
	assert.Equal(t, []string{"libabsent.so.1", "libfresh.so.1", "libibverbs.so.1", "liblinked.so.1", "libmpi.so.40", "libplain.so.1"}, names)
}

func TestNeverTheCLibrary(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"libc.so.6", "libm.so.6", "libpthread.so.0", "libstdc++.so.6"} {
		w.lib("sys/"+name, "", nil)
	}
	library := w.lib("sys/libmpi.so.40", imports("libc_so_6_0", "libm_so_6_0", "libstdcpp_so_6_0"), nil,
		w.at("sys/libc.so.6"), w.at("sys/libm.so.6"), w.at("sys/libstdc++.so.6"))
	assert.Equal(t, []string{"sys/libmpi.so.40 → /opt/wi4go-host/lib/libmpi.so.40"}, w.seen(w.plan(Request{Library: library})))
	image := w.image("root", "GLIBC_2.17")
	assert.Equal(t, []string{"sys/libmpi.so.40 → /opt/wi4go-host/lib/libmpi.so.40", "sys/libstdc++.so.6 → /opt/wi4go-host/lib/libstdc++.so.6"},
		slices.DeleteFunc(w.seen(w.plan(Request{Library: library, Image: image})), func(s string) bool { return strings.Contains(s, "libm.so") }),
		"an image that is known to have no C++ gets the host's")
}

func TestGlibcOfTheImage(t *testing.T) {
	w := newWorld(t)
	libc := w.lib("sys/libc.so.6", "", []string{"GLIBC_2.17", "GLIBC_2.34", "GLIBC_2.38"})
	plugin := w.lib("sys/plugins/new.so", imports("libc_so_6_2"), nil, libc)
	library := w.lib("sys/libmpi.so.40", imports("libc_so_6_1")+fmt.Sprintf("\nconst char *plugins(void) { return %q; }", filepath.Dir(plugin)), nil, libc)

	old := w.plan(Request{Library: library, Image: w.image("old", "GLIBC_2.17")})
	require.Len(t, old.Warnings, 2)
	assert.Contains(t, old.Warnings[0], "the glibc of "+w.at("old")+" is 2.17, but 2.34 or newer is needed by libmpi.so.40: the program will not start")
	assert.Contains(t, old.Warnings[1], "2.38 or newer is needed by new.so: the runtime works without this part")
	recent := w.plan(Request{Library: library, Image: w.image("recent", "GLIBC_2.17", "GLIBC_2.34", "GLIBC_2.38")})
	assert.Empty(t, recent.Warnings)

	unknown := w.plan(Request{Library: library})
	assert.Empty(t, unknown.Warnings)
	require.Len(t, unknown.Notes, 1)
	assert.Contains(t, unknown.Notes[0], "the container needs glibc 2.34 or newer")

	require.NoError(t, os.Remove(w.at("old/usr/lib64/libc.so.6")))
	w.lib("old/usr/lib64/libc.so.6", "", []string{"GLIBC_2.17", "GLIBC_2.34", "GLIBC_2.38"})
	w.lib("sys/libmissing.so.9", "", nil)
	broken := w.lib("sys/libmpi.so.12", imports("libmissing_so_9_0"), nil, w.at("sys/libmissing.so.9"))
	require.NoError(t, os.Remove(w.at("sys/libmissing.so.9")))
	assert.Equal(t, []string{broken + " needs libmissing.so.9, which is not on this host: install the package that contains it"}, w.plan(Request{Library: broken}).Warnings)
}

// A library that needs a newer C library than the image's does not precede the image's own
// libraries. Otherwise the image's programs would not start.
func TestTooNewForTheImage(t *testing.T) {
	w := newWorld(t)
	libc := w.lib("sys/libc.so.6", "", []string{"GLIBC_2.17", "GLIBC_2.34"})
	gcc := w.lib("sys/libgcc_s.so.1", imports("libc_so_6_1"), []string{"GCC_1", "GCC_2"}, libc)
	absent := w.lib("sys/libabsent.so.1", imports("libc_so_6_1"), nil, libc)
	library := w.lib("mpi/lib/libmpi.so.12", imports("libgcc_s_so_1_0", "libabsent_so_1_0"), nil, gcc, absent)
	image := w.image("root", "GLIBC_2.17")
	w.lib("root/usr/lib64/libgcc_s.so.1", "", []string{"GCC_1"})
	p := w.plan(Request{Library: library, Image: image})
	assert.Equal(t, []string{"mpi → mpi"}, w.seen(p))
	assert.Contains(t, strings.Join(p.Warnings, "\n"), "2.34 or newer is needed by libabsent.so.1")
}

func TestGlibcRelease(t *testing.T) {
	w := newWorld(t)
	image := w.image("root", "GLIBC_2.30")
	assert.Equal(t, "2.30", image.glibc())
	w.lib("root/usr/lib64/libc.so.6", `const char says[] = "GNU C Library (Debian GLIBC 2.31-13) release release version 2.31.\nCopyright";`, []string{"GLIBC_2.30"})
	assert.Equal(t, "2.31", image.glibc())
}

// A program of the image that needs more of a library than the host's file has, while the host's
// file is required.
func TestProgramWantsMore(t *testing.T) {
	w := newWorld(t)
	verbs := w.lib("sys/libibverbs.so.1", "", []string{"V_1"})
	w.lib("sys/libibverbs/libdriver.so", "", nil)
	library := w.lib("sys/libmpi.so.40", imports("libibverbs_so_1_0"), nil, verbs)
	image := w.image("root", "GLIBC_2.17")
	newer := w.lib("root/usr/lib64/libibverbs.so.1", "", []string{"V_1", "V_2"})
	w.lib("root/app", imports("libibverbs_so_1_1"), nil, newer)
	program, err := image.Search.Load("/app")
	require.NoError(t, err)
	p := w.plan(Request{Library: library, Image: image, Program: program})
	require.Len(t, p.Warnings, 1)
	assert.Contains(t, p.Warnings[0], "/app needs a newer libibverbs.so.1 than the host's")
}

func TestGlibcOf(t *testing.T) {
	assert.Equal(t, "2.34", glibcOf([]string{"GLIBC_2.2.5", "GLIBC_2.34", "GLIBC_2.4", "GLIBC_PRIVATE"}))
	assert.Equal(t, "2.36", glibcOf([]string{"GLIBC_2.4", "GLIBC_ABI_DT_RELR"}))
	assert.Empty(t, glibcOf([]string{"GLIBCXX_3.4", "GLIBC_2.x"}))
}

func TestOpenImage(t *testing.T) {
	w := newWorld(t)
	w.write("musl/lib/ld-musl-x86_64.so.1", "")
	for name, c := range map[string]struct{ root, says string }{
		"missing":   {w.at("nowhere"), "nowhere: no such file"},
		"a file":    {w.write("image.sif", ""), "wi4go cannot read an image file"},
		"musl":      {w.at("musl"), "its C library is musl"},
		"empty":     {w.t.TempDir(), "it has no libc.so.6 for " + elfobj.MachineName(elfobj.HostMachine())},
		"elsewhere": {filepath.Dir(w.write("text/usr/lib64/libc.so.6", "no library")), "it has no libc.so.6"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := OpenImage(c.root)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestLookInImage(t *testing.T) {
	w := newWorld(t)
	image := w.image("root", "GLIBC_2.17")
	fakempi.Script(t, w.at("root/usr/bin/app"), "")
	w.write("root/usr/bin/text", "")
	// Links inside the root resolve inside it.
	require.NoError(t, os.Symlink("/usr/bin", w.at("root/bin")))
	require.NoError(t, os.Symlink("/etc/passwd", w.at("root/usr/bin/out")))
	for name, want := range map[string]string{"app": "/usr/bin/app", "/bin/app": "/bin/app", "/usr/bin/app": "/usr/bin/app"} {
		path, err := image.LookPath(name)
		require.NoError(t, err)
		assert.Equal(t, want, path)
	}
	for name, says := range map[string]string{
		"missing": "no such program in", "/usr/bin/out": "no such program in", "./app": "give the absolute path of a program in an image",
		"/usr/bin/text": "not executable", "/usr/bin": "is a directory",
	} {
		_, err := image.LookPath(name)
		assert.ErrorContains(t, err, says)
	}
}
