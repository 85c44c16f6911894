package elfobj

import (
	"debug/elf"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
)

func TestReadLibraryAndProgram(t *testing.T) {
	dir := t.TempDir()
	lib := fakempi.Shared(t, "int one(void) { return 1; } long data[4]; extern int none(void) __attribute__((weak)); void *w(void) { return none; }",
		filepath.Join(dir, "libone.so"), "libone.so.7")
	program := fakempi.Compile(t, "int one(void); extern long data[4]; int main() { return one() + data[1]; }",
		filepath.Join(dir, "program"), lib, "-no-pie", "-Wl,--disable-new-dtags,-rpath,$ORIGIN/a:/b")

	o, err := Read(lib)
	require.NoError(t, err)
	assert.Equal(t, "libone.so.7", o.Soname)
	assert.Empty(t, o.Interp)
	assert.True(t, o.Defines("one"))
	assert.True(t, o.Defines("data"))
	assert.False(t, o.Defines("main"))
	assert.Contains(t, o.Imports, Symbol{"none", true, true})
	assert.Equal(t, HostMachine(), o.Machine)

	o, err = Read(program)
	require.NoError(t, err)
	assert.Contains(t, o.Needed, "libone.so.7")
	assert.NotEmpty(t, o.Interp)
	assert.Equal(t, []string{"$ORIGIN/a", "/b"}, o.RPath)
	assert.Empty(t, o.RunPath)
	assert.Contains(t, o.Imports, Symbol{"one", false, false})
	assert.Equal(t, []string{"data"}, o.Copies)
}

// The symbols that ld.so looks up at the start: data and addresses, and with -z now all symbols.
func TestBoundAtTheStart(t *testing.T) {
	dir := t.TempDir()
	const source = "extern int called(void), named(void), both(void), data; int (*where(void))(void) { return called() + both() + data ? named : both; }"
	for _, c := range []struct {
		flag string
		now  bool
	}{{"-Wl,-z,lazy", false}, {"-Wl,-z,now", true}} {
		o, err := Read(fakempi.Shared(t, source, filepath.Join(dir, "lib.so"), "lib.so.1", c.flag))
		require.NoError(t, err)
		assert.Equal(t, c.now, o.BindNow, c.flag)
		atStart := map[string]bool{}
		for _, s := range o.Imports {
			atStart[s.Name] = s.AtStart
		}
		// With -z now the linker may turn calls into GOT entries.
		assert.True(t, atStart["named"] && atStart["data"] && atStart["both"], c.flag)
		assert.True(t, c.now || !atStart["called"])
	}
}

func TestReadVersionsAndThreadLocalStorage(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "map")
	require.NoError(t, os.WriteFile(script, []byte("X_1 { global: one; local: *; }; X_2 { global: two; } X_1;"), 0o644))
	source := `__thread char block[300] __attribute__((tls_model("%s"))); char *one(void) { return block; } int two(void) { return 2; }
const char mark[] __attribute__((section(".mark"), used)) = "here";`
	lib := fakempi.Shared(t, strings.Replace(source, "%s", "initial-exec", 1), filepath.Join(dir, "libx.so"), "libx.so.1",
		"-Wl,--version-script,"+script)
	dynamic := fakempi.Shared(t, strings.Replace(source, "%s", "global-dynamic", 1), filepath.Join(dir, "liby.so"), "liby.so.1")
	program := fakempi.Compile(t, "int two(void); int main() { return two(); }", filepath.Join(dir, "program"), lib)

	o, err := Read(lib)
	require.NoError(t, err)
	assert.Equal(t, []string{"X_1", "X_2"}, o.Versions)
	assert.EqualValues(t, 300, o.StaticTLS)
	assert.Equal(t, "here\x00", string(Section(lib, ".mark")))
	assert.Nil(t, Section(lib, ".none"))
	o, err = Read(dynamic)
	require.NoError(t, err)
	assert.Empty(t, o.Versions)
	assert.Zero(t, o.StaticTLS)
	o, err = Read(program)
	require.NoError(t, err)
	assert.Contains(t, o.VersionNeeds, VersionNeed{"libx.so.1", "X_2", false})
}

func TestReadStatic(t *testing.T) {
	program := fakempi.Compile(t, "int main() { return 0; }", filepath.Join(t.TempDir(), "static"), "-static")
	o, err := Read(program)
	require.NoError(t, err)
	assert.False(t, o.Dynamic)
}

func TestReadOthers(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o755))
		return path
	}
	for name, c := range map[string]struct {
		path   string
		notELF bool
		says   string
	}{
		"script":    {write("script", "#!/bin/sh\n"), true, "not an ELF file"},
		"empty":     {write("empty", ""), true, "not an ELF file"},
		"directory": {dir, true, "not a regular file"},
		"damaged":   {write("damaged", elf.ELFMAG+"rubbish"), false, "damaged ELF file"},
		"missing":   {filepath.Join(dir, "missing"), false, "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read(c.path)
			require.ErrorContains(t, err, c.says)
			assert.Equal(t, c.notELF, errors.Is(err, ErrNotELF))
		})
	}
}

// ReadLinks returns the same as Read, without symbols and versions.
func TestReadLinks(t *testing.T) {
	library := fakempi.Shared(t, "int f(void) { return 0; }", filepath.Join(t.TempDir(), "libf.so.1"), "libf.so.1", "-Wl,-rpath,$ORIGIN/x,--enable-new-dtags", "-lm", "-Wl,--no-as-needed")
	whole, err := Read(library)
	require.NoError(t, err)
	links, err := ReadLinks(library)
	require.NoError(t, err)
	assert.Empty(t, links.Imports)
	assert.Empty(t, slices.Collect(links.Exports()))
	assert.NotEmpty(t, links.Needed)
	assert.Equal(t, []string{"$ORIGIN/x"}, links.RunPath)
	whole.Imports, whole.symbols, whole.VersionNeeds, whole.Versions = nil, nil, nil, nil
	assert.Equal(t, whole, links)
	_, err = ReadLinks("elfobj_test.go")
	assert.ErrorIs(t, err, ErrNotELF)
}
