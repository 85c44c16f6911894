// Package audit tests the auditor's file by itself: its form, the version that it answers, and the names that it
// recognizes.
package audit

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/family"
	"wi4go/tests/harness"
)

// auditor returns the path of the built file.
func auditor(t *testing.T) string {
	t.Helper()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	file := filepath.Join(prefix, "lib", "wi4go", "audit.so")
	if _, err := os.Stat(file); err != nil {
		harness.Missing(t, fmt.Errorf("%s: %w; run make first", file, harness.ErrMissing))
	}
	return file
}

func gcc(t *testing.T, args ...string) {
	t.Helper()
	text, err := exec.Command("gcc", append([]string{"-O2", "-Wall", "-Wextra"}, args...)...).CombinedOutput()
	require.NoError(t, err, string(text))
}

// An auditor that needs another library would get a second C library. With thread-local storage it would use the
// program's, and with la_symbind or la_pltenter it would slow down calls.
func TestForm(t *testing.T) {
	f, err := elf.Open(auditor(t))
	require.NoError(t, err)
	defer f.Close()
	needed, err := f.ImportedLibraries()
	require.NoError(t, err)
	assert.Empty(t, needed)
	for _, p := range f.Progs {
		assert.NotEqual(t, elf.PT_TLS, p.Type)
	}
	symbols, err := f.DynamicSymbols()
	require.NoError(t, err)
	var defined []string
	for _, s := range symbols {
		assert.NotEqual(t, elf.SHN_UNDEF, s.Section, s.Name)
		defined = append(defined, s.Name)
	}
	assert.ElementsMatch(t, []string{"la_objopen", "la_objsearch", "la_preinit", "la_version"}, defined)
}

// An ld.so that passes version 1 slows down every lazily bound call. The auditor then withdraws, unless all calls are
// bound at once. If LD_AUDIT does not contain its own file, it finds no front and withdraws.
func TestVersion(t *testing.T) {
	file, program := auditor(t), filepath.Join(t.TempDir(), "versions")
	gcc(t, "-o", program, "programs/versions.c", "-ldl")
	for _, c := range []struct{ env, want string }{
		{"LD_AUDIT=/none/wi4go/audit.so", "0 2 2 "},
		{"LD_AUDIT=/none/wi4go/audit.so LD_BIND_NOW=1", "1 2 2 "},
		{"LD_AUDIT=/none/other.so", "0 0 0 "},
	} {
		cmd := exec.Command(program, file, "1", "2", "3")
		cmd.Env = strings.Fields(c.env)
		out, err := cmd.Output()
		require.NoError(t, err)
		assert.Equal(t, c.want, string(out), c.env)
	}
}

// The auditor recognizes the same names as the launcher, and the names that a linker looks for.
func TestNames(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	auditor(t)
	program := filepath.Join(t.TempDir(), "names")
	gcc(t, "-I../../shim/audit", "-I"+filepath.Join(prefix, "gen"), "-o", program, "programs/names.c")
	names := []string{
		"libmpi.so.40", "libmpi.so.40.30.4", "/a/b.so/libmpi.so.40", "libmpi.so.400", "libmpi.so.4", "libmpi.so.12", "libmpi.so.12.1.2", "libmpi.so.1", "libmpi.so.20",
		"libmpich.so.12", "libmpich.so.8", "libmpi_cray.so.12", "libmpi_gnu_123.so.12", "libmpi_other.so.12", "libmpi_abi.so.1", "libmpi_abi.so.0", "libmpi_abi.so.1.0.0",
		"libopen_mpi.so.40", "libmpi_mpifh.so.40", "libmpi_usempif08.so.40", "libmpi_usempi_ignore_tkr.so.40", "libmpifort.so.12", "libmpifort_abi.so.1", "libmpichfort.so.12",
		"libmpi_cxx.so.40", "libmpicxx.so.12", "libmpichcxx.so.12", "libfmpich.so.12",
		"libmpi-0a1b2c3d.so.40.30.4", "libmpich-0a1b2c3d.so.12", "libmpi-xyz.so.12", "libmpi-12.so.12", "-abcd.so", "abcd.so", "-.so", ".so", "", "/", "libc.so.6", "libmpi", "xlibmpi.so.12",
		"libparallel.so", "libmpi.so.40\xff", "libmpi_\xc3\xa9.so.12", strings.Repeat("x", 300) + "libmpi.so.12", "libmpi_" + strings.Repeat("x", 300) + ".so.12",
	}
	for _, f := range family.All {
		names = append(names, f.Sonames...)
		names = append(names, f.Parts...)
	}
	linked := map[string]string{"libmpi.so": "- 1", "libmpich.so": "mpich 1", "libmpi_abi.so": "mpiabi 1", "libopen_mpi.so": "openmpi 1", "/usr/lib/libmpi.so": "- 1"}
	want := ""
	for _, name := range names {
		of, part := family.OfLibrary(name)
		if of == nil {
			want += "- 0\n"
			continue
		}
		want += fmt.Sprintf("%s %d\n", of.Name, map[family.Part]int{family.C: 1, family.Fortran: 2, family.Cxx: 3, family.OldC: 4}[part])
	}
	for name, library := range linked {
		names, want = append(names, name), want+library+"\n"
	}
	out, err := exec.Command(program, names...).Output()
	require.NoError(t, err)
	got := strings.Split(string(out), "\n")
	for i, line := range strings.Split(want, "\n")[:len(names)] {
		assert.Equal(t, line, got[i], "%q", names[i])
	}
}
