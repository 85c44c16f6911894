package abi_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/abi"
	"wi4go/abi/internal/header"
)

// libraries are the C libraries whose exports are compared, by label: Debian's, and those in
// directories that tests/deps.sh names.
var libraries = []struct{ label, variable, file string }{
	{"4.1", "", "/usr/lib/*-linux-gnu/libmpi.so.40"},
	{"4.1", "WI4GO_OPENMPI_4_1_8_BIN", "libmpi.so.40"},
	{"5.0", "WI4GO_OPENMPI_5_0_BIN", "libmpi.so.40"},
	{"6.0", "WI4GO_OPENMPI_6_0_BIN", "../root/usr/lib/*-linux-gnu/libmpi.so.40"}, // tests/openmpi6.sh
	{"openmpi 6.0", "WI4GO_OPENMPI_6_0_BIN", "../root/usr/lib/*-linux-gnu/libmpi_abi_openmpi.so.1.0.0"},
	{"3.4", "WI4GO_MPICH_3_4_BIN", "libmpi.so.12"},
	{"4.0", "", "/usr/lib/*-linux-gnu/libmpich.so.12"},
	{"4.3", "WI4GO_MPICH_4_3_BIN", "libmpi.so.12"},
	{"5.0", "WI4GO_MPICH_5_0_BIN", "libmpi.so.12"},
	{"intel 2021.15", "WI4GO_INTELMPI_2021_15_BIN", "libmpi.so.12"},
	{"intel 2021.18", "WI4GO_INTELMPI_2021_18_BIN", "libmpi.so.12"},
	{"mpich 5.0", "WI4GO_MPICH_5_0_BIN", "libmpi_abi.so.1"},
	{"intel 2021.18", "WI4GO_INTELMPI_2021_18_BIN", "libmpi_abi.so.1"},
}

// The family's files contain every symbol that an installed library exports.
func TestExportsOfLibraries(t *testing.T) {
	for _, l := range libraries {
		path := l.file
		if l.variable != "" {
			dir := os.Getenv(l.variable)
			if dir == "" {
				continue
			}
			path = filepath.Join(filepath.Dir(dir), "lib", l.file)
		}
		found, err := filepath.Glob(path)
		require.NoError(t, err)
		for _, path := range found {
			library, err := header.OpenLibrary(l.label, path)
			require.NoError(t, err)
			got, err := header.Exports(library.Family, []*header.Library{library})
			require.NoError(t, err)
			want, err := abi.Exports(library.Family)
			require.NoError(t, err)
			for name, e := range got {
				assert.Contains(t, want[name].In, l.label, "%s exports %s: run abi/probe --library again with this and all other libraries of the family", path, name)
				assert.True(t, want[name].Data || !e.Data, "%s: %s is data", path, name)
			}
		}
	}
}

// The committed files are what FormatExports writes, and repeat no name that the family's file has.
func TestExportsAreFormatted(t *testing.T) {
	for name, f := range families(t) {
		got, err := os.ReadFile(name + ".exports")
		require.NoError(t, err)
		exports, err := abi.ParseExports(name, got)
		require.NoError(t, err)
		assert.Equal(t, string(abi.FormatExports(name, exports)), string(got), "%s.exports: edited by hand?", name)
		named := header.Named(f)
		for symbol, e := range exports {
			assert.False(t, named[symbol], "%s.json has %s, too", name, symbol)
			assert.NotEmpty(t, e.In, symbol)
		}
	}
}

// All libraries of a family have the symbols by which programs recognize it. At least one library
// has each own function that a front answers.
func TestOwnFunctions(t *testing.T) {
	for name, f := range families(t) {
		exports, err := abi.Exports(name)
		require.NoError(t, err)
		labels := map[string]bool{}
		for _, e := range exports {
			for _, label := range e.In {
				labels[label] = true
			}
		}
		for _, function := range f.Recognised {
			assert.Equal(t, slices.Sorted(maps.Keys(labels)), exports[function].In, function)
			assert.False(t, exports[function].Data, function)
		}
		for _, function := range f.Answered {
			assert.NotEmpty(t, exports[function].In, "%s: no library has %s", name, function)
			assert.False(t, exports[function].Data, function)
		}
	}
}

func TestParseExportsRefuses(t *testing.T) {
	for text, reason := range map[string]string{
		" a b\n":              "mpich.exports: a belongs to no group",
		"function: 4.0\n a\n": `"function: 4.0" is not the head of a group: write "functions: LABEL, …" or "data: LABEL, …"`,
		"functions 4.0\n a\n": `"functions 4.0" is not the head of a group`,
		"functions: 4.0\n a b\ndata: 4.0\n c a\n": "a occurs twice",
	} {
		_, err := abi.ParseExports("mpich", []byte(text))
		assert.ErrorContains(t, err, reason, text)
	}
	exports, err := abi.ParseExports("mpich", []byte("# text\nfunctions: 4.0, intel 2021.18\n a b\n\ndata: 4.0\n c\n"))
	require.NoError(t, err)
	both := []string{"4.0", "intel 2021.18"}
	assert.Equal(t, map[string]abi.Export{"a": {In: both}, "b": {In: both}, "c": {Data: true, In: []string{"4.0"}}}, exports)
	exports, err = abi.Exports("lam")
	require.NoError(t, err)
	assert.Empty(t, exports)
}
