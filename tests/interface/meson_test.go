package interfacemode

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// build builds a program from a source in dir with Meson. Its dependency is the MPI of a language.
func (m mpi) build(dir, language, source string) {
	m.t.Helper()
	if _, err := exec.LookPath("meson"); err != nil {
		harness.Missing(m.t, fmt.Errorf("meson: %w; install it", harness.ErrMissing))
	}
	name := filepath.Base(source)
	if language == "cpp" {
		name += "c"
	}
	project := fmt.Sprintf("project('p', '%s')\nexecutable('p', '%s', dependencies: dependency('mpi', language: '%s', version: '>=3.0'))\n",
		language, name, language)
	require.NoError(m.t, os.WriteFile(filepath.Join(dir, "meson.build"), []byte(project), 0o644))
	text, err := os.ReadFile(source)
	require.NoError(m.t, err)
	require.NoError(m.t, os.WriteFile(filepath.Join(dir, name), text, 0o644))
	m.must(dir, "/usr/bin/env", "meson", "setup", "b")
	m.must(dir, "/usr/bin/env", "ninja", "-C", "b")
}

// compiling returns the environment to compile with wi4go: its commands are first in PATH, and its
// .pc files first for pkg-config.
func (m mpi) compiling() mpi {
	mpi := filepath.Join(m.prefix, "lib", "wi4go", "mpi")
	return m.with("PATH="+filepath.Join(mpi, "bin")+":"+os.Getenv("PATH"), "PKG_CONFIG_PATH="+filepath.Join(mpi, "lib", "pkgconfig"))
}

// Meson looks for Open MPI's .pc files first. It finds wi4go's files of these names, or, in Fortran, the
// wrappers, although Open MPI is installed.
func TestMeson(t *testing.T) {
	m := built(t).on("mpich").compiling()
	for language, program := range map[string]string{"c": "../demo/hello.c", "cpp": "../demo/hello.c"} {
		t.Run(language, func(t *testing.T) {
			dir := t.TempDir()
			m.build(dir, language, program)
			assert.Contains(t, m.must(dir, "/usr/bin/env", "ldd", "b/p"), "libmpi_abi.so.1 => "+m.prefix)
		})
	}
	t.Run("fortran", func(t *testing.T) {
		fortran(t)
		dir := t.TempDir()
		m.build(dir, "fortran", source(t, "types.f90"))
		assert.Equal(t, "types: right\n", m.must(dir, "mpiexec", "-n", "1", "b/p"))
	})
	version := m.must(t.TempDir(), "/usr/bin/env", "pkg-config", "--modversion", "ompi-c")
	assert.Equal(t, "5.0\n", version, "the version of the standard")
}

// Meson finds the wrappers in PATH if pkg-config knows no MPI.
func TestFortranMeson(t *testing.T) {
	m, dir := fortranMPI(t).on("mpich"), t.TempDir()
	// A directory without .pc files.
	m = m.with("PATH="+filepath.Join(m.prefix, "lib", "wi4go", "mpi", "bin")+":"+os.Getenv("PATH"), "PKG_CONFIG_LIBDIR="+dir)
	m.build(dir, "fortran", source(t, "types.f90"))
	assert.Equal(t, "types: right\n", m.must(dir, "mpiexec", "-n", "1", "b/p"))
}
