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

// The package index would accept it.
func TestTwine(t *testing.T) {
	heavy(t)
	dir := environment(t, "twine")
	out := must(t, "/", []string{"NO_COLOR=1", "COLUMNS=200"}, filepath.Join(dir, "bin/twine"), "check", "--strict", wheel(t))
	assert.Contains(t, out, "PASSED")
}
