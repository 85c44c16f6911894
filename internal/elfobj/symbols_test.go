package elfobj

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
)

// Symbols are found by every kind of hash table, and those that the library does not define are not.
func TestDefines(t *testing.T) {
	const source = "int one(void) { return 1; } int two(void) { return 2; } __attribute__((weak)) int three; static int hidden; extern int imported(void); int (*four(void))(void) { hidden++; return imported; }"
	for _, style := range []string{"gnu", "sysv", "both"} {
		path := fakempi.Shared(t, source, filepath.Join(t.TempDir(), "lib.so"), "lib.so.1", "-Wl,--hash-style="+style)
		o, err := Read(path)
		require.NoError(t, err)
		assert.Equal(t, style != "sysv", len(o.symbols.hash.buckets) > 0, style)
		names := o.symbols.set()
		for _, name := range []string{"one", "two", "three", "four"} {
			assert.True(t, o.Defines(name) && names[name], "%s: %s", style, name)
		}
		for _, name := range []string{"", "on", "onex", "hidden", "imported", "five"} {
			assert.False(t, o.Defines(name) || names[name], "%s: %s", style, name)
		}
		for name := range o.Exports() {
			assert.True(t, o.Defines(name), "%s: %s", style, name)
		}
	}
}

// A library that needs no relocation of data finds its imports too, although the first relocations refer to no symbol.
func TestRelativeRelocations(t *testing.T) {
	const source = "extern int data, called(void); static int own; int *list[] = {&own, &own, &data}; int f(void) { return called() + *list[1]; }"
	o, err := Read(fakempi.Shared(t, source, filepath.Join(t.TempDir(), "lib.so"), "lib.so.1", "-Wl,-z,lazy"))
	require.NoError(t, err)
	assert.Contains(t, o.Imports, Symbol{"data", false, true})
	assert.Contains(t, o.Imports, Symbol{"called", false, false})
}

// Every string literal is in one piece, with its zeros, also where a piece ends.
func TestPieces(t *testing.T) {
	var source strings.Builder
	source.WriteString("const char long_one[] = \"" + strings.Repeat("y", pieceSize+100) + "\";\n")
	const count = 30000
	source.WriteString("const char all[] = \"")
	for i := range count {
		fmt.Fprintf(&source, "<%d>\\0", i)
	}
	source.WriteString("\";\n")
	path := fakempi.Shared(t, source.String(), filepath.Join(t.TempDir(), "lib.so"), "lib.so.1")
	found, pieces, long := map[string]bool{}, 0, 0
	for piece := range Pieces(path) {
		pieces++
		assert.LessOrEqual(t, len(piece), pieceSize)
		long += bytes.Count(piece, []byte("y"))
		for _, m := range regexp.MustCompile(`\x00(<\d+>)\x00`).FindAllSubmatch(bytes.ReplaceAll(piece, []byte{0}, []byte{0, 0}), -1) {
			found[string(m[1])] = true
		}
	}
	assert.Greater(t, pieces, 4)
	assert.Equal(t, pieceSize+100, long)
	assert.Equal(t, count, len(found))
	for range Pieces(path) {
		break // must not read on
	}
	assert.Empty(t, slices.Collect(Pieces(path+".none")))
}
