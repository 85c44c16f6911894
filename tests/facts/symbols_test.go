package facts

import (
	"debug/elf"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// mpiFunctions returns the names that C programs may import from a family's library. Names in capitals are entry points
// for Fortran (MPI_COMM_DUP_FN): programs that need the family's Fortran library are refused.
func mpiFunctions(t *testing.T, library string) []string {
	t.Helper()
	f, err := elf.Open(library)
	require.NoError(t, err)
	defer f.Close()
	symbols, err := f.DynamicSymbols()
	require.NoError(t, err)
	var names []string
	for _, s := range symbols {
		name := strings.TrimPrefix(s.Name, "P")
		if s.Section != elf.SHN_UNDEF && elf.ST_TYPE(s.Info) == elf.STT_FUNC &&
			(strings.HasPrefix(name, "MPI_") || strings.HasPrefix(name, "MPIX_")) && s.Name != strings.ToUpper(s.Name) {
			names = append(names, s.Name)
		}
	}
	require.NotEmpty(t, names)
	return names
}

// The front defines every MPI function of the program's family, wherever the dynamic linker may look for it. None
// reaches the runtime, where its arguments would arrive untranslated.
func TestNothingFallsThrough(t *testing.T) {
	both(t, func(t *testing.T, d direction) {
		names := mpiFunctions(t, familyLibrary(t, d.app))
		cmd := exec.CommandContext(t.Context(), compile(t, d.app, "symbols.c", "-ldl"))
		cmd.Stdin = strings.NewReader(strings.Join(names, "\n"))
		r := finish(t, cmd, d.environment())
		r.ok(t)
		found := map[string]string{}
		for line := range strings.Lines(r.stdout) {
			if name, file, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
				found[name] = file
			}
		}
		for _, name := range names {
			assert.Equal(t, d.through.File(), found[name], name)
		}
	})
}

// familyLibrary returns the path of the family's own library.
func familyLibrary(t *testing.T, tools harness.Toolchain) string {
	t.Helper()
	library, err := harness.Library(compile(t, tools, "hello.c"))
	require.NoError(t, err)
	real, err := filepath.EvalSymlinks(library)
	require.NoError(t, err)
	return real
}
