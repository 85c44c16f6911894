package packages

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// wheel returns the path of the wheel.
func wheel(t *testing.T) string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(filepath.Dir(archive(t)), "wi4go-*_"+machine+".whl"))
	require.NoError(t, err)
	require.Len(t, all, 1)
	return all[0]
}

// environment returns a virtual environment of Python with packages.
func environment(t *testing.T, packages ...string) string {
	t.Helper()
	need(t, "python3")
	dir := filepath.Join(t.TempDir(), "venv")
	must(t, "/", nil, "python3", "-m", "venv", dir)
	must(t, "/", nil, append([]string{filepath.Join(dir, "bin/pip"), "install", "-q", "--disable-pip-version-check", "--retries", "10"}, packages...)...)
	return dir
}

// TestWheelFiles compares the wheel's files with the archive's. No file of the wheel is a link,
// and none has a name that the wheels of MPI libraries have.
func TestWheelFiles(t *testing.T) {
	reader, err := zip.OpenReader(wheel(t))
	require.NoError(t, err)
	defer reader.Close()
	var names []string
	for _, file := range reader.File {
		names = append(names, file.Name)
		assert.Regexp(t, `\.dist-info/|\.data/(scripts/wi4go$|data/lib/wi4go/|data/share/)`, file.Name)
		assert.True(t, file.Mode().IsRegular(), file.Name)
		content, err := file.Open()
		require.NoError(t, err)
		data, err := io.ReadAll(content)
		require.NoError(t, err)
		if strings.HasPrefix(string(data), "\x7fELF") {
			assert.NotZero(t, file.Mode()&0o111, file.Name)
			checkBinary(t, file.Name, data, machines[runtime.GOARCH])
		}
	}
	slices.Sort(names)
	assert.Equal(t, slices.Compact(slices.Clone(names)), names)
	for _, name := range files(t, filepath.Join(unpacked(t), "lib/wi4go")) {
		name, _, _ = strings.Cut(name, " -> ")
		assert.True(t, slices.ContainsFunc(names, func(n string) bool { return strings.HasSuffix(n, ".data/data/lib/wi4go/"+name) }), name)
	}
}

const ranks = `
import os
from mpi4py import MPI
world = MPI.COMM_WORLD
text = "%d %d on %s\n" % (world.Get_size(), sum(world.allgather(world.Get_rank())), MPI.Get_library_version().replace("\n", " "))
os.write(1, text.encode())  # at once, so that the ranks' lines stay whole
`

// pip installs the command. mpi4py in the same environment runs on both families: natively, and each family's module on
// the library of the other.
func TestWheel(t *testing.T) {
	dir := environment(t, wheel(t), "mpi4py==4.1.2")
	wi4go := filepath.Join(dir, "bin/wi4go")
	useCommand(t, wi4go)
	script := filepath.Join(t.TempDir(), "ranks.py")
	require.NoError(t, os.WriteFile(script, []byte(ranks), 0o644))
	for to, title := range titles {
		for _, from := range []string{"auto", harness.Other(to)} {
			out := must(t, t.TempDir(), nil, wi4go, "run", "--from", from, "--to", found(t, to).MPIExec, "-n", "2", filepath.Join(dir, "bin/python3"), script)
			if from != "auto" {
				assert.Equal(t, 2, len(regexp.MustCompile("wi4go on: +"+title).FindAllString(out, -1)), "%s on %s:\n%s", from, to, out)
			}
			assert.Equal(t, 2, strings.Count(out, "2 1 on "), "%s on %s:\n%s", from, to, out)
			assert.Contains(t, out, title)
		}
	}
	// A job script finds mpicc and mpirun in a directory of their own.
	source := filepath.Join(t.TempDir(), "count.c")
	require.NoError(t, os.WriteFile(source, []byte(`#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	int n;
	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	printf("size %d\n", n);
	return MPI_Finalize();
}
`), 0o644))
	for _, flag := range []string{"", "-static-mpi"} {
		out := must(t, filepath.Dir(source), nil, wi4go, "shell", "--to", found(t, "mpich").MPIExec, "--", "sh", "-c",
			"mpicc "+flag+" count.c -o count && mpirun -n 2 ./count")
		assert.Equal(t, 2, strings.Count(out, "size 2"), "%s\n%s", flag, out)
	}
	must(t, "/", nil, filepath.Join(dir, "bin/pip"), "uninstall", "-q", "-y", "wi4go")
	assert.NoFileExists(t, wi4go)
	assert.NoDirExists(t, filepath.Join(dir, "lib/wi4go"))
}

// On a machine without an MPI, mpi4py runs on the embedded MPI that is in the wheel: bubblewrap is the machine, with
// Debian's smallest root and this machine's Python.
func TestWheelAlone(t *testing.T) {
	root := harness.DebianRoot(t, "wheel")
	dir := environment(t, wheel(t), "mpi4py==4.1.2")
	script := filepath.Join(dir, "ranks.py")
	require.NoError(t, os.WriteFile(script, []byte(ranks), 0o644))
	words := []string{"--ro-bind", root, "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/dev/shm", "--tmpfs", "/tmp", "--tmpfs", "/root",
		"--ro-bind", dir, dir, "--die-with-parent", "--clearenv", "--setenv", "PATH", filepath.Join(dir, "bin") + ":/usr/bin:/bin", "--setenv", "HOME", "/root"}
	words = append(words, pythonIn(t, root, filepath.Join(dir, "bin/python3"))...)
	run := func(command ...string) string {
		return must(t, "/", nil, append(append([]string{"bwrap"}, words...), command...)...)
	}
	const note = "wi4go: note: no MPI library is installed: wi4go uses its own, embedded"
	out := run("wi4go", "run", "-n", "4", "python3", script)
	assert.Equal(t, 4, strings.Count(out, "4 6 on "), out)
	assert.Equal(t, 4, strings.Count(out, "wi4go embedded MPI "), out)
	assert.Equal(t, 1, strings.Count(out, note), out)
	out = run("wi4go", "run", "--to", "embedded", "--from", "openmpi", "-n", "2", "python3", script)
	assert.Equal(t, 2, strings.Count(out, "2 1 on "), out)
	assert.NotContains(t, out, note)
	assert.Contains(t, run("wi4go", "exec", "--to", "embedded", "python3", script), "1 0 on ")
	assert.Contains(t, run("wi4go", "list"), "embedded")
}

// pythonIn puts what a Python needs of this machine into a root, except the virtual environment that it belongs to, and
// returns bubblewrap's options for the rest.
func pythonIn(t *testing.T, root, python string) []string {
	t.Helper()
	real, err := filepath.EvalSymlinks(python)
	require.NoError(t, err)
	copies := regexp.MustCompile(`/\S+\.so\S*`).FindAllString(must(t, "/", nil, "ldd", real), -1)
	base := strings.TrimSpace(must(t, "/", nil, real, "-c", "import sys; print(sys.base_prefix)"))
	var mounts []string
	if base == "/usr" {
		standard := strings.TrimSpace(must(t, "/", nil, real, "-c", "import os; print(os.path.dirname(os.__file__))"))
		copies = append(copies, real, "/usr/bin/python3", standard)
	} else {
		mounts = []string{"--ro-bind", base, base}
	}
	for _, file := range copies {
		if _, err := os.Lstat(filepath.Join(root, file)); err != nil {
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, file)), 0o755))
			must(t, "/", nil, "cp", "-a", file, filepath.Join(root, file))
		}
		if target, err := filepath.EvalSymlinks(file); err == nil && target != file {
			if _, err := os.Lstat(filepath.Join(root, target)); err != nil {
				require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, target)), 0o755))
				must(t, "/", nil, "cp", "-a", target, filepath.Join(root, target))
			}
		}
	}
	return mounts
}

// The package index would accept it.
func TestTwine(t *testing.T) {
	heavy(t)
	dir := environment(t, "twine")
	out := must(t, "/", []string{"NO_COLOR=1", "COLUMNS=200"}, filepath.Join(dir, "bin/twine"), "check", "--strict", wheel(t))
	assert.Contains(t, out, "PASSED")
}
