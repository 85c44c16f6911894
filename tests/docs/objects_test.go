package docs

import (
	"debug/elf"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// parts groups the C of a front by its object files: the base, the parts on top of it, and the top. A file may refer to
// its own part and to the base. The top may refer to everything.
var parts = []struct{ name, objects string }{
	{"base", "common/messages common/slots common/thunk common/loader_lock common/core common/memory_lock common/scratch common/ranks common/signals common/trampolines common/trampoline common/handletable common/launcher_check registry"},
	{"Fortran", "common/fortran_direct"},
	{"objects", "common/rebind"},
	{"static", "static/static_core"},
	{"C++", "builtin"},
	{"emulation", "emulate/*"},
	{"top", "common/load"},
}

// mayNeed reports whether a file of one part may refer to another part.
func mayNeed(from, to string) bool { return from == to || to == "base" || from == "top" }

// A unit is an object file of a front that is compiled from C written by hand.
type unit struct {
	part           string
	needs, defines []string // global symbols
}

// units returns the units of a family's front by path, as built by make.
func units(t *testing.T, family string) map[string]unit {
	t.Helper()
	all := map[string]unit{}
	directory := filepath.Join(root, "build", "obj")
	for _, pattern := range []string{"common/*.o", "static/static_core.o", family + "/builtin.o", family + "/registry.o", family + "/emulate/*.o"} {
		paths, err := filepath.Glob(filepath.Join(directory, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, paths, "%s: run make", pattern)
		for _, path := range paths {
			if isLeftOver(t, path) {
				continue
			}
			name, err := filepath.Rel(directory, strings.TrimSuffix(path, ".o"))
			require.NoError(t, err)
			all[name] = unitOf(t, path, strings.TrimPrefix(filepath.ToSlash(name), family+"/"))
		}
	}
	return all
}

// isLeftOver reports whether the source of an object was removed, according to the list of files that make has written
// next to it.
func isLeftOver(t *testing.T, object string) bool {
	t.Helper()
	list, err := os.ReadFile(strings.TrimSuffix(object, ".o") + ".d")
	require.NoError(t, err)
	_, from, _ := strings.Cut(string(list), ":")
	source := strings.TrimPrefix(strings.Fields(from)[0], "\\")
	_, err = os.Stat(filepath.Join(root, source))
	return err != nil
}

// unitOf returns the unit of an object file. name is its path without the family.
func unitOf(t *testing.T, path, name string) (u unit) {
	t.Helper()
	for _, p := range parts {
		for _, pattern := range strings.Fields(p.objects) {
			if matched, _ := filepath.Match(pattern, name); matched {
				u.part = p.name
			}
		}
	}
	assert.NotEmpty(t, u.part, "%s belongs to no part: add it to one in this test", name)
	f, err := elf.Open(path)
	require.NoError(t, err)
	defer f.Close()
	symbols, err := f.Symbols()
	require.NoError(t, err)
	for _, s := range symbols {
		switch {
		case elf.ST_BIND(s.Info) == elf.STB_LOCAL:
		case s.Section == elf.SHN_UNDEF:
			u.needs = append(u.needs, s.Name)
		default:
			u.defines = append(u.defines, s.Name)
		}
	}
	return u
}

// The base of a front calls neither emulation nor Fortran nor the code that loads the runtime, and these do not call
// each other. So each part of the C can be read without the parts above it.
func TestParts(t *testing.T) {
	for _, family := range []string{"openmpi", "mpich", "mpiabi"} {
		all := units(t, family)
		definedIn := map[string]string{}
		for name, u := range all {
			for _, symbol := range u.defines {
				definedIn[symbol] = name
			}
		}
		assert.Equal(t, "common/slots", definedIn["wi4go_layer_install"])
		assert.True(t, slices.Contains(all["common/load"].needs, "wi4go_emulation_install"), "these are not the front's symbols")
		for name, u := range all {
			for _, symbol := range u.needs {
				if other, ok := definedIn[symbol]; ok {
					assert.True(t, mayNeed(u.part, all[other].part), "%s (%s) must not need %s of %s (%s)", name, u.part, symbol, other, all[other].part)
				}
			}
		}
	}
}
