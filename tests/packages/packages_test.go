// Package packages makes the archives and packages of the portable build for users without Go, and uses them as they
// do: unpacked elsewhere, on the MPI libraries of this machine.
package packages

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// The oldest C library that the packages support.
const glibcMajor, glibcMinor = 2, 17

// limit bounds one command. The longest one builds everything, on a machine that may have other work.
const limit = 20 * time.Minute

// top returns the top of the repository.
func top(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	require.NoError(t, err)
	return dir
}

// try runs a command in a directory and returns its output.
func try(t *testing.T, dir string, env []string, command ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.Env = dir, append(harness.Environ(), env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

// must runs a command that must succeed.
func must(t *testing.T, dir string, env []string, command ...string) string {
	t.Helper()
	out, err := try(t, dir, env, command...)
	require.NoError(t, err, "%s\n%s", strings.Join(command, " "), out)
	return out
}

// need ends a test if a command is missing.
func need(t *testing.T, commands ...string) {
	t.Helper()
	for _, name := range commands {
		if _, err := exec.LookPath(name); err != nil {
			harness.Missing(t, fmt.Errorf("%s: %w; install it", name, harness.ErrMissing))
		}
	}
}

// makes returns the output of make for a target, without the options of a make that runs this test.
func makes(t *testing.T, target string, settings ...string) string {
	t.Helper()
	return must(t, top(t), []string{"MAKEFLAGS=", "MAKELEVEL="}, append([]string{"make", "-s", target}, settings...)...)
}

var dist struct {
	sync.Once
	archive string
	err     error
}

// archive makes the archive once, and returns its path.
func archive(t *testing.T) string {
	t.Helper()
	harness.All.From(t, "it compiles everything for the oldest C library")
	need(t, "make", "go", "gcc", "python3")
	dist.Do(func() {
		dist.err = errors.New("make dist failed in another test")
		makes(t, "dist")
		all, err := filepath.Glob(filepath.Join(top(t), "build/dist/wi4go-*-linux-"+machine+".tar.gz"))
		require.NoError(t, err)
		require.Len(t, all, 1)
		dist.archive, dist.err = all[0], nil
	})
	require.NoError(t, dist.err)
	return dist.archive
}

// unpacked returns the archive's tree in a directory with a space in its name.
func unpacked(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a place")
	require.NoError(t, os.Mkdir(dir, 0o755))
	path := archive(t)
	must(t, dir, nil, "tar", "xzf", path)
	return filepath.Join(dir, strings.TrimSuffix(filepath.Base(path), ".tar.gz"))
}

// The packaged files are for this machine, do not need a newer C library than promised, have no debugging information,
// and do not contain the build directory's path.
func TestFiles(t *testing.T) { checkArchive(t, archive(t), machines[runtime.GOARCH]) }

var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}

func checkArchive(t *testing.T, path string, machine elf.Machine) {
	t.Helper()
	sums, err := os.ReadFile(filepath.Join(filepath.Dir(path), "SHA256SUMS"))
	require.NoError(t, err)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Contains(t, string(sums), fmt.Sprintf("%x  %s\n", sha256.Sum256(content), filepath.Base(path)))

	unzipped, err := gzip.NewReader(bytes.NewReader(content))
	require.NoError(t, err)
	binaries, files := 0, map[string]bool{}
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		_, name, _ := strings.Cut(header.Name, "/")
		files[name] = true
		assert.Zero(t, header.Uid, name)
		if header.Typeflag == tar.TypeSymlink {
			assert.False(t, filepath.IsAbs(header.Linkname), "%s leads to %s", name, header.Linkname)
			continue
		}
		assert.Zero(t, header.Mode&0o022, "%s can be written by others", name)
		data, err := io.ReadAll(archive)
		require.NoError(t, err)
		assert.False(t, bytes.Contains(data, []byte(top(t))), "%s contains the build directory's path", name)
		if bytes.HasPrefix(data, []byte(elf.ELFMAG)) {
			binaries++
			checkBinary(t, name, data, machine)
		}
	}
	assert.Greater(t, binaries, 15)
	for _, name := range []string{"bin/wi4go", "lib/wi4go/libwi4go.so", "lib/wi4go/mpich/libmpi.so.12", "lib/wi4go/runtimes/embedded/bin/mpiexec",
		"lib/wi4go/runtimes/embedded/lib/libwi4go-embedded.so.1", "share/man/man1/wi4go.1",
		"share/doc/wi4go/LICENSE", "share/doc/wi4go/README.md"} {
		assert.True(t, files[name], name)
	}
}

var version = regexp.MustCompile(`^GLIBC_(\d+)\.(\d+)`)

func checkBinary(t *testing.T, name string, data []byte, machine elf.Machine) {
	t.Helper()
	file, err := elf.NewFile(bytes.NewReader(data))
	require.NoError(t, err, name)
	assert.Equal(t, machine, file.Machine, name)
	for _, section := range file.Sections {
		assert.False(t, strings.HasPrefix(section.Name, ".debug") || section.Name == ".symtab", "%s has %s", name, section.Name)
	}
	symbols, err := file.ImportedSymbols()
	if !errors.Is(err, elf.ErrNoSymbols) { // stand-ins have none
		require.NoError(t, err, name)
	}
	for _, symbol := range symbols {
		m := version.FindStringSubmatch(symbol.Version)
		if m == nil {
			assert.NotContains(t, symbol.Version, "GLIBC_PRIVATE", name)
			continue
		}
		major, _ := strconv.Atoi(m[1])
		minor, _ := strconv.Atoi(m[2])
		assert.False(t, major > glibcMajor || major == glibcMajor && minor > glibcMinor,
			"%s needs %s of %s", name, symbol.Name, symbol.Version)
	}
}

// hello compiles a program that prints the library it was built for and the library that executes it.
func hello(t *testing.T, compiler ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "hello")
	must(t, top(t), nil, append(compiler, "-o", program, "tests/demo/hello.c")...)
	return program
}

// found returns an MPI library of this machine.
func found(t *testing.T, name string) harness.Toolchain {
	t.Helper()
	tools, err := harness.Find(name)
	if err != nil {
		harness.Missing(t, err)
	}
	return tools
}

var titles = map[string]string{"openmpi": "Open MPI", "mpich": "MPICH"}

// useCommand runs programs of both families on the other's library by a command wi4go.
func useCommand(t *testing.T, wi4go string, env ...string) {
	t.Helper()
	for from, title := range titles {
		to := harness.Other(from)
		program := hello(t, found(t, from).MPICC)
		out := must(t, t.TempDir(), env, wi4go, "run", "--to", found(t, to).MPIExec, "-n", "2", program)
		assert.Contains(t, out, "built for    "+title)
		assert.Regexp(t, `wi4go on: +`+titles[to], out)
		assert.Contains(t, out, "as it should be")
	}
}

// The archive works in the directory it is unpacked in, on both families.
func TestUnpacked(t *testing.T) {
	useCommand(t, filepath.Join(unpacked(t), "bin", "wi4go"))
}

// A program with the library inside can be linked with the oldest C library, too.
func TestStatic(t *testing.T) {
	tree := unpacked(t)
	compiler := filepath.Join(top(t), "build/sysroot", machine, "cc")
	program := hello(t, compiler, "-I"+filepath.Join(tree, "lib/wi4go/mpi/include"), "-Wl,--whole-archive",
		filepath.Join(tree, "lib/wi4go/mpi/lib/libmpi_abi.a"), "-Wl,--no-whole-archive", "-lm", "-ldl", "-lpthread", "-s")
	data, err := os.ReadFile(program)
	require.NoError(t, err)
	checkBinary(t, "a program of -static-mpi", data, machines[runtime.GOARCH])
	mpich := found(t, "mpich")
	out := must(t, t.TempDir(), []string{"WI4GO_TO=" + libraryOf(t, mpich)}, mpich.MPIExec, "-n", "2", program)
	assert.Contains(t, out, "as it should be")
}

// libraryOf returns the path of an MPI library.
func libraryOf(t *testing.T, tools harness.Toolchain) string {
	t.Helper()
	library, err := harness.Library(hello(t, tools.MPICC))
	require.NoError(t, err)
	return library
}

// machine is uname's name of this machine's processor.
var machine = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]

// heavy skips tests that `make packages` runs and CI does not: they need tools from the network, or minutes.
func heavy(t *testing.T) {
	t.Helper()
	if os.Getenv("WI4GO_PACKAGES") == "" {
		t.Skip("make packages runs it")
	}
}
