// Package interfacemode compiles programs with wi4go's wrappers, built by make or installed and moved, and runs them on
// MPI libraries, as a user does whose MPI is wi4go.
package interfacemode

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

const limit = 3 * time.Minute

// mpi is an installation of wi4go.
type mpi struct {
	t      *testing.T
	prefix string
	env    []string
}

// built returns the installation that make builds.
func built(t *testing.T) mpi {
	t.Helper()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(prefix, "bin", "mpicc")); err != nil {
		harness.Missing(t, fmt.Errorf("%s/bin/mpicc: %w; run make first", prefix, harness.ErrMissing))
	}
	return mpi{t, prefix, append(harness.Environ(), "WI4GO_TO=")}
}

// on returns the installation with a runtime chosen by the environment.
func (m mpi) on(runtime string) mpi {
	m.t.Helper()
	tools, err := harness.Find(runtime)
	if err != nil {
		harness.Missing(m.t, err)
	}
	m.env = append(m.env, "WI4GO_TO="+tools.MPIExec)
	return m
}

// configured does the same as on, by a user's configuration file.
func (m mpi) configured(runtime string) mpi {
	m.t.Helper()
	tools, err := harness.Find(runtime)
	if err != nil {
		harness.Missing(m.t, err)
	}
	directory := m.t.TempDir()
	require.NoError(m.t, os.Mkdir(filepath.Join(directory, "wi4go"), 0o755))
	require.NoError(m.t, os.WriteFile(filepath.Join(directory, "wi4go", "config.toml"), fmt.Appendf(nil, "to = %q\n", tools.MPIExec), 0o644))
	return m.with("XDG_CONFIG_HOME=" + directory)
}

// with returns the installation with more variables.
func (m mpi) with(variables ...string) mpi {
	m.env = append(append([]string{}, m.env...), variables...)
	return m
}

// run runs a command. A name without a directory is one of the installation's.
func (m mpi) run(dir, name string, args ...string) (stdout, stderr string, err error) {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(m.t.Context(), limit)
	defer cancel()
	if own := filepath.Join(m.prefix, "bin", name); !strings.Contains(name, "/") {
		if _, err := os.Lstat(own); err == nil {
			name = own
		}
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	var o, e bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, m.clean(), &o, &e
	err = cmd.Run()
	return o.String(), e.String(), err
}

// clean returns the environment without empty variables, and each variable once.
func (m mpi) clean() []string {
	last := map[string]string{}
	for _, v := range m.env {
		name, value, _ := strings.Cut(v, "=")
		last[name] = value
	}
	var env []string
	for name, value := range last {
		if value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// must runs a command that must succeed; it returns its standard output.
func (m mpi) must(dir, name string, args ...string) string {
	m.t.Helper()
	stdout, stderr, err := m.run(dir, name, args...)
	require.NoError(m.t, err, "%s %s\n%s%s", name, strings.Join(args, " "), stdout, stderr)
	return stdout
}

func source(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("programs", name))
	require.NoError(t, err)
	return path
}

// rings returns the lines that ring.c prints on two ranks.
func rings(library string) []string {
	return []string{"rank 0 of 2 on " + library + ": right", "rank 1 of 2 on " + library + ": right"}
}

func lines(text string) []string { return strings.Split(strings.TrimSpace(text), "\n") }

var titles = map[string]string{"openmpi": "Open MPI", "mpich": "MPICH"}

// A program, compiled once in C and in C++, runs on both families, by wi4go's launcher and by theirs, without
// LD_LIBRARY_PATH.
func TestRing(t *testing.T) {
	m, dir := built(t), t.TempDir()
	m.must(dir, "mpicc", "-Wall", "-Wextra", "-Werror", "-o", "c", source(t, "ring.c"))
	m.must(dir, "mpicxx", "-Wall", "-Wextra", "-Werror", "-x", "c++", "-o", "cxx", source(t, "ring.c"))
	for _, runtime := range harness.Names {
		for _, program := range []string{"./c", "./cxx"} {
			for _, launcher := range []string{"mpiexec", "mpirun"} {
				got := m.on(runtime).must(dir, launcher, "-n", "2", program)
				assert.ElementsMatch(t, rings(titles[runtime]), lines(got), "%s %s %s", runtime, launcher, program)
			}
		}
		tools, err := harness.Find(runtime)
		require.NoError(t, err)
		got := m.must(dir, tools.MPIExec, "-n", "2", "./c")
		assert.ElementsMatch(t, rings(titles[runtime]), lines(got), "%s by its own launcher", runtime)
		got = m.must(dir, "mpiexec", "--to", tools.MPIExec, "-n", "2", "sh", "-c", "./c")
		assert.ElementsMatch(t, rings(titles[runtime]), lines(got), "%s, started by a shell", runtime)
		assert.NotEmpty(t, m.on(runtime).must(dir, "mpiexec", "--version"))
	}
	got := m.with("PATH="+filepath.Join(m.prefix, "bin")+":"+os.Getenv("PATH")).must(dir, "mpiexec", "-n", "2", "./c")
	assert.Len(t, lines(got), 2, "wi4go is first in PATH: %s", got)
}

// Wi4go's mpiexec answers every launcher's spelling of an inquiry, on every library.
func TestInquiries(t *testing.T) {
	m, dir := built(t), t.TempDir()
	answer := map[string]string{"openmpi": "Open", "openmpi-5.0": "Open MPI", "mpich": "HYDRA", "mpich-5.0": "HYDRA", "intelmpi-2021.18": "2021.18", harness.Embedded: "wi4go embedded MPI "}
	for runtime, version := range answer {
		to := runtime
		if tools, err := harness.FindIn(m.prefix, runtime); err == nil {
			to = tools.MPIExec
		} else {
			harness.Missing(t, err)
		}
		for _, option := range []string{"--version", "-version", "-V", "-info", "-n 2 --version"} {
			got := m.must(dir, "mpiexec", append([]string{"--to", to}, strings.Fields(option)...)...)
			assert.Contains(t, got, version, "%s on %s", option, runtime)
		}
		for _, option := range []string{"--help", "-help", "-h"} {
			assert.Contains(t, m.must(dir, "mpiexec", "--to", to, option), "sage:", "%s on %s", option, runtime)
		}
	}
}

// A configuration file determines the runtime if nothing else does.
func TestConfigured(t *testing.T) {
	m, dir := built(t), t.TempDir()
	m.must(dir, "mpicc", "-o", "c", source(t, "ring.c"))
	for _, runtime := range harness.Names {
		got := m.configured(runtime).must(dir, "mpiexec", "-n", "2", "./c")
		assert.ElementsMatch(t, rings(titles[runtime]), lines(got))
		got = m.configured(runtime).must(dir, "./c")
		assert.Equal(t, "rank 0 of 1 on "+titles[runtime]+": right\n", got)
	}
}

// A program can do without an rpath; then it needs LD_LIBRARY_PATH.
func TestNoRpath(t *testing.T) {
	m, dir := built(t).with("WI4GO_TO=mpich"), t.TempDir()
	for _, without := range []mpi{m.with("WI4GO_NORPATH=1"), m.with("MPICH_CC=gcc -DUNUSED='a b'")} {
		without.must(dir, "mpicc", "-norpath", "-o", "c", source(t, "ring.c"))
		_, stderr, err := m.run(dir, "./c")
		assert.Error(t, err)
		assert.Contains(t, stderr, "libmpi_abi.so.1: cannot open shared object file")
		got := m.with("LD_LIBRARY_PATH="+filepath.Join(m.prefix, "lib/wi4go/mpi/lib")).must(dir, "./c")
		assert.Equal(t, "rank 0 of 1 on MPICH: right\n", got)
	}
}

// CMake's own FindMPI builds a project in C and C++ with the wrappers, named explicitly or found in PATH, and ctest
// runs it.
func TestCMake(t *testing.T) {
	m := built(t)
	if _, err := exec.LookPath("cmake"); err != nil {
		harness.Missing(t, fmt.Errorf("cmake: %w; install it", harness.ErrMissing))
	}
	sources, err := filepath.Abs("cmake")
	require.NoError(t, err)
	bin := filepath.Join(m.prefix, "bin")
	named := []string{"-DMPI_C_COMPILER=" + filepath.Join(bin, "mpicc"), "-DMPI_CXX_COMPILER=" + filepath.Join(bin, "mpicxx"),
		"-DMPIEXEC_EXECUTABLE=" + filepath.Join(bin, "mpiexec")}
	for how, args := range map[string][]string{"named": named, "found": nil} {
		t.Run(how, func(t *testing.T) {
			dir, m := t.TempDir(), m.on("openmpi")
			m.t = t
			if how == "found" {
				m = m.with("PATH=" + bin + ":" + os.Getenv("PATH"))
			}
			m.must(dir, "cmake", append(args, "-S", sources, "-B", ".")...)
			m.must(dir, "cmake", "--build", ".")
			cache, err := os.ReadFile(filepath.Join(dir, "CMakeCache.txt"))
			require.NoError(t, err)
			assert.Contains(t, string(cache), filepath.Join(m.prefix, "lib/wi4go/mpi/include"))
			assert.NotContains(t, string(cache), "x86_64-linux-gnu/openmpi")
			for _, runtime := range harness.Names {
				m.on(runtime).must(dir, "ctest", "--output-on-failure")
			}
		})
	}
}

// An installation made with DESTDIR and moved elsewhere compiles and runs, by the wrappers and by pkg-config.
func TestInstalled(t *testing.T) {
	m, stage := built(t), t.TempDir()
	m.must("../..", "make", "-s", "install", "DESTDIR="+stage, "PREFIX=/opt/mpi", "WRAPPERS=yes", "MAKEFLAGS=")
	moved := filepath.Join(t.TempDir(), "moved")
	require.NoError(t, os.Rename(filepath.Join(stage, "opt", "mpi"), moved))
	dir := t.TempDir()
	m.prefix = moved
	m = m.on("mpich")
	m.must(dir, "mpicc", "-o", "wrapper", source(t, "ring.c"))
	if _, err := exec.LookPath("pkg-config"); err != nil {
		harness.Missing(t, fmt.Errorf("pkg-config: %w; install it", harness.ErrMissing))
	}
	for _, place := range []string{"lib/pkgconfig", "lib/wi4go/mpi/lib/pkgconfig"} {
		m := m.with("PKG_CONFIG_PATH=" + filepath.Join(moved, place))
		for _, module := range []string{"mpi", "wi4go"} {
			flags := strings.Fields(m.must(dir, "pkg-config", "--cflags", "--libs", module))
			m.must(dir, "gcc", append([]string{"-o", module, source(t, "ring.c")}, flags...)...)
			got := m.must(dir, "mpiexec", "-n", "2", "./"+module)
			assert.ElementsMatch(t, rings("MPICH"), lines(got))
		}
	}
	assert.ElementsMatch(t, rings("MPICH"), lines(m.must(dir, "mpiexec", "-n", "2", "./wrapper")))
}

// Programs for BigMPI compile and run unchanged.
func TestBigMPI(t *testing.T) {
	m, dir := built(t), t.TempDir()
	m.must(dir, "mpicc", "-Wall", "-Wextra", "-Werror", "-o", "big", source(t, "big.c"), "-lbigmpi")
	m.must(dir, "mpicxx", "-Wall", "-Wextra", "-Werror", "-x", "c++", "-fsyntax-only", source(t, "big.c"))
	for _, runtime := range harness.Names {
		assert.Equal(t, "BigMPI: right\n", m.on(runtime).must(dir, "mpiexec", "-n", "2", "./big"), runtime)
	}
}

// -static-mpi: the program needs nothing of the installation when it runs.
func TestStatic(t *testing.T) {
	m, dir := built(t), t.TempDir()
	m.must(dir, "mpicc", "-static-mpi", "-o", "static", source(t, "ring.c"))
	needed := m.must(dir, "readelf", "-d", "static")
	assert.NotContains(t, needed, "libmpi")
	assert.NotContains(t, needed, "RUNPATH")
	assert.Contains(t, m.must(dir, "readelf", "-W", "--dyn-syms", "static"), " wi4go_under_loader_lock\n") // for dlsym
	// Neither the installation's directory nor its command in PATH.
	program, err := os.ReadFile(filepath.Join(dir, "static"))
	require.NoError(t, err)
	assert.False(t, bytes.Contains(program, []byte(filepath.Join(m.prefix, "lib"))))
	for _, runtime := range harness.Names {
		tools, err := harness.Find(runtime)
		if err != nil {
			harness.Missing(t, err)
		}
		got := m.on(runtime).must(dir, "mpiexec", "-n", "2", "./static")
		assert.ElementsMatch(t, rings(titles[runtime]), lines(got), runtime)
		got = m.on(runtime).must(dir, "wi4go", "run", "-n", "2", "./static")
		assert.ElementsMatch(t, rings(titles[runtime]), lines(got), runtime)
		got = m.configured(runtime).must(dir, "mpiexec", "-n", "2", "./static")
		assert.ElementsMatch(t, rings(titles[runtime]), lines(got), "%s, by the configuration", runtime)
		opened := m.with("LD_DEBUG=files", "LD_DEBUG_OUTPUT="+filepath.Join(dir, "ld")).must(dir, tools.MPIExec, "-n", "1", "./static")
		assert.NotContains(t, opened, "WRONG")
		logs, err := filepath.Glob(filepath.Join(dir, "ld.*"))
		require.NoError(t, err)
		require.NotEmpty(t, logs)
		for _, log := range logs {
			text, err := os.ReadFile(log)
			require.NoError(t, err)
			assert.NotContains(t, string(text), filepath.Join(m.prefix, "lib"))
			require.NoError(t, os.Remove(log))
		}
	}
}

// An object compiled with another MPI's mpi.h does not run, and gets the reason: MPICH's handles are numbers, Open
// MPI's are symbols.
func TestMixedHeader(t *testing.T) {
	m, dir := built(t), t.TempDir()
	for _, family := range harness.Names {
		tools, err := harness.Find(family)
		if err != nil {
			harness.Missing(t, err)
		}
		text := "#include <mpi.h>\nint main(int argc, char **argv) { int rank; MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Finalize(); return 0; }\n"
		file := filepath.Join(dir, "mixed.c")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		m.must(dir, tools.MPICC, "-c", "-o", family+".o", file)
	}
	_, stderr, err := m.run(dir, "mpicc", "openmpi.o", "-o", "openmpi")
	assert.Error(t, err)
	assert.Contains(t, stderr, "undefined reference to `ompi_mpi_comm_world'")

	m.must(dir, "mpicc", "mpich.o", "-o", "mpich")
	for _, runtime := range harness.Names {
		_, stderr, err := m.on(runtime).run(dir, "mpiexec", "-n", "1", "./mpich")
		assert.Error(t, err, runtime)
		assert.Contains(t, stderr, "wi4go: MPI_Comm_rank: argument 1 is 0x44000000, which is MPI_COMM_WORLD in MPICH's mpi.h: "+
			"the program, or a part of it, was compiled with that mpi.h and linked with the library of another MPI (libmpi_abi.so.1): "+
			"compile all of it with one mpicc\n", runtime)
	}
}

// An extension calls its successor in the standard, and a query calls the runtime's function of another name.
func TestExtensions(t *testing.T) {
	m, dir := built(t), t.TempDir()
	tools, err := harness.Find("openmpi")
	if err != nil {
		harness.Missing(t, err)
	}
	m.must(dir, tools.MPICC, "-o", "extensions", source(t, "extensions.c"))
	for _, runtime := range harness.Names {
		assert.Equal(t, "sum right, GPU 0\n", m.on(runtime).must(dir, "wi4go", "run", "-n", "2", "./extensions"), runtime)
	}
	told := m.must(dir, "wi4go", "inspect", "--to", "mpich", "./extensions")
	assert.NotContains(t, told, "MPIX_Allreduce_init cannot")
}

// Missing features are refused by name.
func TestRefused(t *testing.T) {
	m := built(t)
	_, stderr, err := m.with("WI4GO_CC=nocc").run(t.TempDir(), "mpicc", "a.c")
	assert.Error(t, err)
	assert.Contains(t, stderr, "wi4go: mpicc: WI4GO_CC names the compiler nocc, which is not installed")
}
