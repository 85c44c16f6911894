package packages

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// files returns the files and links below a directory, with the targets of links.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err == nil && entry.Type() == fs.ModeSymlink {
			to, _ := os.Readlink(path)
			name += " -> " + to
		}
		all = append(all, name)
		return err
	}))
	return all
}

// withoutCompilers returns an environment with commands in PATH that precede Go and the compilers and record that they
// were called.
func withoutCompilers(t *testing.T) (env []string, called string) {
	t.Helper()
	bin := t.TempDir()
	called = filepath.Join(bin, "called")
	for _, name := range []string{"go", "gcc", "cc", "as", "ld", "ar"} {
		script := "#!/bin/sh\necho " + name + " >>" + called + "\nexit 1\n"
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755))
	}
	return []string{"PATH=" + bin + ":/usr/bin:/bin", "MAKEFLAGS=", "MAKELEVEL="}, called
}

// make install copies the tree, calls neither Go nor a compiler, and leaves the tree unchanged. make uninstall removes
// all of it, and nothing else.
func TestInstall(t *testing.T) {
	need(t, "make")
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(prefix, "bin/wi4go")); err != nil {
		harness.Missing(t, harness.ErrMissing)
	}
	before := files(t, filepath.Join(prefix, "lib"))
	env, called := withoutCompilers(t)
	dir := t.TempDir()
	theirs := filepath.Join(dir, "share/man/man1/other.1")
	require.NoError(t, os.MkdirAll(filepath.Dir(theirs), 0o755))
	require.NoError(t, os.WriteFile(theirs, nil, 0o644))
	install := func(more ...string) {
		t.Helper()
		must(t, top(t), env, append([]string{"make", "-s", "B=" + prefix, "PREFIX=" + dir}, more...)...)
	}

	install("install")
	assert.NoFileExists(t, called)
	assert.Equal(t, before, files(t, filepath.Join(prefix, "lib")))
	names, err := filepath.Glob(filepath.Join(dir, "bin/*"))
	require.NoError(t, err)
	assert.Equal(t, []string{filepath.Join(dir, "bin/wi4go")}, names)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 3, "bin, lib, share")
	useCommand(t, filepath.Join(dir, "bin/wi4go"))
	compiled := hello(t, filepath.Join(dir, "lib/wi4go/mpi/bin/mpicc"))
	out := must(t, t.TempDir(), nil, filepath.Join(dir, "lib/wi4go/mpi/bin/mpiexec"), "--to", found(t, "mpich").MPIExec, "-n", "2", compiled)
	assert.Contains(t, out, "built for    the standard ABI")
	assert.Contains(t, out, "as it should be")

	plain := files(t, dir)
	install("install", "WRAPPERS=yes")
	assert.FileExists(t, filepath.Join(dir, "bin/mpicc"))
	assert.FileExists(t, filepath.Join(dir, "lib/pkgconfig/mpi.pc"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "lib/wi4go/mine"), nil, 0o644))
	install("install") // removes the names again
	assert.Equal(t, plain, slices.DeleteFunc(files(t, dir), func(name string) bool { return name == "lib/wi4go/mine" }))
	install("uninstall")
	assert.Equal(t, []string{"lib/wi4go/mine", "share/man/man1/other.1"}, files(t, dir))
	assert.NoFileExists(t, called)
	empty := must(t, dir, nil, "find", ".", "-type", "d", "-empty")
	assert.Empty(t, empty, "directories that uninstall leaves")

	shared := dir
	dir = filepath.Join(t.TempDir(), "new")
	install("install")
	install("install") // an update
	install("uninstall")
	assert.NoDirExists(t, dir, "the installation has made it")

	root := t.TempDir()
	dir = "/opt/sw/wi4go"
	install("install", "DESTDIR="+root+"/stage")
	install("install", "DESTDIR="+root+"/stage")
	require.NoError(t, os.WriteFile(root+"/stage/mine", nil, 0o644))
	install("uninstall", "DESTDIR="+root+"/stage")
	assert.Equal(t, []string{"stage/mine"}, files(t, root))
	assert.NoDirExists(t, root+"/stage/opt", "the installation has made it")
	dir = shared

	out, err = try(t, top(t), env, "make", "-s", "uninstall", "PREFIX="+dir)
	assert.Error(t, err)
	assert.Contains(t, out, "is not installed in "+dir)
}

// An installation in a directory with a space in its name is complete, compiles by wrapper, pkg-config and CMake, and is
// removed completely.
func TestInstallWithSpace(t *testing.T) {
	need(t, "make", "gcc", "cmake", "pkg-config")
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(prefix, "bin/wi4go")); err != nil {
		harness.Missing(t, harness.ErrMissing)
	}
	above := t.TempDir()
	dir := filepath.Join(above, "my mpi", "5.0 beta")
	install := func(arguments ...string) {
		t.Helper()
		makes(t, arguments[0], append(arguments[1:], "B="+prefix)...)
	}
	install("install", "PREFIX="+dir, "WRAPPERS=yes")
	install("install", "PREFIX="+dir, "WRAPPERS=yes") // an update
	useCommand(t, filepath.Join(dir, "bin/wi4go"))
	mpi := filepath.Join(dir, "lib/wi4go/mpi")
	run := func(program string, env ...string) {
		t.Helper()
		out := must(t, t.TempDir(), env, filepath.Join(mpi, "bin/mpiexec"), "--to", found(t, "mpich").MPIExec, "-n", "2", program)
		assert.Contains(t, out, "as it should be")
	}
	for _, compiler := range []string{filepath.Join(mpi, "bin/mpicc"), filepath.Join(dir, "bin/mpicc")} {
		run(hello(t, compiler))
		run(hello(t, compiler, "-static-mpi"))
		out := must(t, t.TempDir(), nil, filepath.Join(mpi, "bin/mpiexec"), "-n", "2", hello(t, compiler, "-static"))
		assert.Contains(t, out, "as it should be")
		program := filepath.Join(t.TempDir(), "shown")
		must(t, top(t), nil, "sh", "-ec", `eval "$("$1" -show tests/demo/hello.c -o "$2")"`, "sh", compiler, program)
		run(program)
	}
	for _, pc := range []string{filepath.Join(mpi, "lib/pkgconfig"), filepath.Join(dir, "lib/pkgconfig")} {
		program := filepath.Join(t.TempDir(), "named")
		must(t, top(t), []string{"PKG_CONFIG_PATH=" + pc}, "sh", "-ec", `eval "gcc -o '$1' tests/demo/hello.c $(pkg-config --cflags --libs mpi)"`, "sh", program)
		run(program)
	}
	build := filepath.Join(t.TempDir(), "cmake")
	must(t, top(t), []string{"MPI_HOME=" + mpi}, "cmake", "-S", "tests/interface/cmake", "-B", build)
	must(t, top(t), nil, "cmake", "--build", build)
	must(t, build, nil, filepath.Join(mpi, "bin/mpiexec"), "--to", found(t, "mpich").MPIExec, "-n", "2", filepath.Join(build, "ring_CXX"))
	install("uninstall", "PREFIX="+dir)
	assert.NoDirExists(t, filepath.Join(above, "my mpi"))

	stage := filepath.Join(t.TempDir(), "a stage")
	install("install", "DESTDIR="+stage, "PREFIX=/opt/my mpi")
	assert.FileExists(t, filepath.Join(stage, "opt/my mpi/bin/wi4go"))
	install("uninstall", "DESTDIR="+stage, "PREFIX=/opt/my mpi")
	assert.NoDirExists(t, stage)
}

// Another MPI's wrapper is not overwritten, and a missing tree and a path that the dynamic linker cannot use are reported.
func TestInstallRefuses(t *testing.T) {
	need(t, "make")
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "bin"), 0o755))
	require.NoError(t, os.Symlink("/etc/alternatives/mpicc", filepath.Join(dir, "bin/mpicc")))
	for arguments, want := range map[string]string{
		"B=" + prefix + " WRAPPERS=yes":   dir + "/bin/mpicc belongs to another MPI",
		"B=" + prefix + " WRAPPERS=1":     "WRAPPERS=1: set it to yes or no",
		"B=" + filepath.Join(dir, "none"): "run `make` first",
	} {
		out, err := try(t, top(t), []string{"MAKEFLAGS=", "MAKELEVEL="}, append([]string{"make", "-s", "install", "PREFIX=" + dir}, strings.Fields(arguments)...)...)
		assert.Error(t, err, arguments)
		assert.Contains(t, out, want)
		assert.Equal(t, []string{"bin/mpicc -> /etc/alternatives/mpicc"}, files(t, dir), arguments)
	}
	for _, name := range []string{"a:b", "a;b"} {
		out, err := try(t, top(t), []string{"MAKEFLAGS=", "MAKELEVEL="}, "make", "-s", "install", "B="+prefix, "PREFIX="+filepath.Join(dir, name))
		assert.Error(t, err, name)
		assert.Contains(t, out, "cannot install in \""+filepath.Join(dir, name)+"\": the dynamic linker separates paths by colons and semicolons")
		assert.NoDirExists(t, filepath.Join(dir, name))
	}
}
