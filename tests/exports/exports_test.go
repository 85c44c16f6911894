// Package exports examines the built fronts and the core as the dynamic linker does: their exported
// symbols, with kinds and sizes, against the generator's list, the families' data and the real
// libraries.
package exports

import (
	"debug/elf"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/abi"
	"wi4go/gen/front"
	"wi4go/gen/gentest"
	"wi4go/internal/family"
	"wi4go/internal/install"
	"wi4go/internal/runtimes"
	"wi4go/tests/harness"
)

var update = flag.Bool("update", false, "add the symbols of the MPI libraries found to testdata")

// built returns the path of a file in the tested installation.
func built(t *testing.T, name ...string) string {
	t.Helper()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	path := filepath.Join(append([]string{prefix, "lib", "wi4go"}, name...)...)
	if _, err := os.Stat(path); err != nil {
		harness.Missing(t, fmt.Errorf("%s: %w; run make first", path, harness.ErrMissing))
	}
	return path
}

// defined returns the symbols that a library exports.
func defined(t *testing.T, path string) map[string]elf.Symbol {
	t.Helper()
	file, err := elf.Open(path)
	require.NoError(t, err)
	defer file.Close()
	all, err := file.DynamicSymbols()
	require.NoError(t, err)
	symbols := map[string]elf.Symbol{}
	for _, s := range all {
		if s.Section != elf.SHN_UNDEF {
			symbols[s.Name] = s
		}
	}
	return symbols
}

// forFronts runs a test for each front.
func forFronts(t *testing.T, test func(t *testing.T, family *abi.Family, path string)) {
	for _, name := range abi.Names() {
		family, err := abi.Load(name)
		require.NoError(t, err)
		soname := family.Sonames["c"][0]
		t.Run(name+"/"+soname, func(t *testing.T) { test(t, family, built(t, name, soname)) })
	}
}

// ofLinker returns the names by which a linker looks for libraries.
func ofLinker(sonames []string) (names []string) {
	for _, soname := range sonames {
		plain, _, _ := strings.Cut(soname, ".so.")
		names = append(names, plain+".so")
	}
	slices.Sort(names)
	return names
}

// A stand-in has a soname and no symbols. It needs the front and the stand-ins of all other names,
// or wi4go's Fortran library. path/ has links with all these names. In cxx/ each C++ library has
// its own directory.
func TestStandIns(t *testing.T) {
	check := func(file, soname string, needed ...string) {
		t.Helper()
		library, err := elf.Open(file)
		require.NoError(t, err)
		defer library.Close()
		names, err := library.DynString(elf.DT_SONAME)
		require.NoError(t, err)
		assert.Equal(t, []string{soname}, names)
		names, err = library.ImportedLibraries()
		require.NoError(t, err)
		assert.Equal(t, needed, names, file)
		assert.Equal(t, []string{"mlockall"}, slices.Sorted(maps.Keys(defined(t, file))), "shim/standin/standin.c")
	}
	for _, name := range abi.Names() {
		family, err := abi.Load(name)
		require.NoError(t, err)
		sonames := family.Sonames["c"]
		linkerNames := ofLinker(sonames)
		for _, name := range linkerNames {
			check(built(t, family.Family, "preload", name), name, "$ORIGIN/../"+sonames[0])
		}
		for i, soname := range sonames {
			needed := []string{"$ORIGIN/../" + sonames[0]}
			for _, other := range sonames[1:] {
				if other != soname {
					needed = append(needed, "$ORIGIN/../"+other)
				}
			}
			for _, name := range linkerNames {
				needed = append(needed, "$ORIGIN/"+name)
			}
			check(built(t, name, "preload", soname), soname, needed...)
			if i > 0 {
				check(built(t, name, soname), soname, "$ORIGIN/"+sonames[0])
			}
		}
		for _, part := range family.Sonames["parts"] {
			check(built(t, name, "preload", part), part, "$ORIGIN/../"+sonames[0])
		}
		links := [][]string{slices.Concat(sonames, family.Sonames["parts"], linkerNames)}
		for _, soname := range family.Sonames["cxx"] {
			check(built(t, name, "cxx", soname, soname), soname, "$ORIGIN/../../"+sonames[0])
		}
		if fortran := family.Sonames["fortran"]; len(family.Fortran.Sources) > 0 {
			all := slices.Concat(fortran, ofLinker(fortran))
			links = append(links, all)
			needed := []string{"$ORIGIN/../" + fortran[0]}
			for _, other := range all[1:] {
				check(built(t, name, "preload", other), other, "$ORIGIN/../"+fortran[0])
				needed = append(needed, "$ORIGIN/"+other)
			}
			check(built(t, name, "preload", fortran[0]), fortran[0], needed...)
		}
		for _, names := range links {
			for _, link := range names {
				target, err := os.Readlink(filepath.Join(built(t, name, "path"), link))
				require.NoError(t, err)
				assert.Equal(t, "../"+names[0], target)
			}
		}
	}
	check(built(t, "standin.so"), strings.Repeat("S", install.Room), strings.Repeat("N", install.Room))
}

// Each front exports exactly the generator's list.
func TestFrontsExportTheirList(t *testing.T) {
	in := gentest.Input(t)
	forFronts(t, func(t *testing.T, family *abi.Family, path string) {
		list := front.Exports(in, family.Family)
		require.NotEmpty(t, list)
		assert.Equal(t, list, slices.Sorted(maps.Keys(defined(t, path))))
	})
}

// Next to a front are stubs for functions that only the family's own libraries can implement: for
// each of their names, except those that the front has or that belong to another family.
func TestOwnFunctions(t *testing.T) {
	in := gentest.Input(t)
	forFronts(t, func(t *testing.T, family *abi.Family, path string) {
		list, err := front.OwnFunctions(in, family.Family)
		require.NoError(t, err)
		require.NotEmpty(t, list)
		stubs := defined(t, built(t, family.Family, "own.so"))
		assert.Equal(t, list, slices.Sorted(maps.Keys(stubs)))
		ours := defined(t, path)
		for name, s := range stubs {
			assert.Equal(t, elf.STT_FUNC, elf.ST_TYPE(s.Info), name)
			assert.NotContains(t, ours, name)
			for _, other := range in.Families {
				_, shared := other.Functions[strings.TrimPrefix(name, "P")]
				assert.False(t, shared && other != family && other.Internal != family.Internal, "%s is %s's as well", name, other.Title)
			}
		}
		file, err := elf.Open(built(t, family.Family, "own.so"))
		require.NoError(t, err)
		defer file.Close()
		soname, err := file.DynString(elf.DT_SONAME)
		require.NoError(t, err)
		assert.Equal(t, []string{"wi4go_own_" + family.Family + ".so"}, soname)
	})
}

// MPI_X is a weak name of the strong PMPI_X, so that a tool can replace it.
func TestWeakAndStrong(t *testing.T) {
	forFronts(t, func(t *testing.T, family *abi.Family, path string) {
		symbols := defined(t, path)
		for name := range family.Functions {
			s := symbols[name]
			assert.Equal(t, elf.STT_FUNC, elf.ST_TYPE(s.Info), name)
			if family.NoPMPI[name] != nil {
				assert.NotContains(t, symbols, "P"+name)
				assert.Equal(t, elf.STB_GLOBAL, elf.ST_BIND(s.Info), name)
				continue
			}
			p := symbols["P"+name]
			assert.Equal(t, elf.STT_FUNC, elf.ST_TYPE(p.Info), "P"+name)
			assert.Equal(t, elf.STB_WEAK, elf.ST_BIND(s.Info), name)
			assert.Equal(t, elf.STB_GLOBAL, elf.ST_BIND(p.Info), "P"+name)
			assert.Equal(t, s.Value, p.Value, name)
			assert.NotZero(t, p.Size, "P"+name)
		}
	})
}

// A program's copy relocation has the size of the object in its own library. If the front's object
// had another size, ld.so would warn on every rank.
func TestDataSizes(t *testing.T) {
	forFronts(t, func(t *testing.T, family *abi.Family, path string) {
		symbols := defined(t, path)
		data := map[string]bool{}
		for _, d := range family.DataSymbols {
			data[d.Name] = true
			s := symbols[d.Name]
			assert.Equal(t, elf.STT_OBJECT, elf.ST_TYPE(s.Info), d.Name)
			assert.EqualValues(t, d.Size, s.Size, d.Name)
		}
		for name, s := range symbols {
			if elf.ST_TYPE(s.Info) == elf.STT_OBJECT {
				for _, i := range family.Internals {
					data[i.Name] = data[i.Name] || i.Kind == "data"
				}
				assert.True(t, data[name], "%s is data, and the family has none of that name", name)
			}
		}
	})
}

// The fronts' link options: the right soname, no needed library except the C library, all addresses
// bound at the start, no executable stack, and little of the thread-local storage that is left for
// a late dlopen.
func TestLinking(t *testing.T) {
	libraries := []string{"libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "libgcc_s.so.1"}
	forFronts(t, func(t *testing.T, family *abi.Family, path string) {
		file, err := elf.Open(path)
		require.NoError(t, err)
		defer file.Close()
		soname, err := file.DynString(elf.DT_SONAME)
		require.NoError(t, err)
		assert.Equal(t, []string{filepath.Base(path)}, soname)
		needed, err := file.ImportedLibraries()
		require.NoError(t, err)
		for _, name := range needed {
			assert.Contains(t, libraries, name)
		}
		flags, err := file.DynValue(elf.DT_FLAGS_1)
		require.NoError(t, err)
		require.Len(t, flags, 1)
		assert.NotZero(t, elf.DynFlag1(flags[0])&elf.DF_1_NOW, "bound at the start")
		relocated, err := file.DynValue(elf.DT_TEXTREL)
		require.NoError(t, err)
		assert.Empty(t, relocated, "no relocations in the code")
		relro := false
		for _, p := range file.Progs {
			switch p.Type {
			case elf.PT_GNU_STACK:
				assert.Zero(t, p.Flags&elf.PF_X, "an executable stack")
			case elf.PT_GNU_RELRO:
				relro = true
			case elf.PT_LOAD:
				assert.NotEqual(t, elf.PF_W|elf.PF_X, p.Flags&(elf.PF_W|elf.PF_X), "writable and executable")
			case elf.PT_TLS:
				assert.LessOrEqual(t, p.Memsz, uint64(512), "bytes of thread-local storage")
			}
		}
		assert.True(t, relro)
	})
}

// The core exports the symbols that a front looks up, and no symbols of Go.
func TestCore(t *testing.T) {
	symbols := slices.Sorted(maps.Keys(defined(t, built(t, "libwi4go.so"))))
	assert.Equal(t, []string{"wi4go_ask", "wi4go_core_leftover", "wi4go_core_load", "wi4go_core_memory", "wi4go_core_signal_threads", "wi4go_core_start"}, symbols)
}

// ---- the real libraries ----

var mpiSymbol = regexp.MustCompile(`^P?MPIX?_`)

// exceptions returns the names that a front omits on purpose.
func exceptions(t *testing.T, family string) map[string]string {
	t.Helper()
	text, err := os.ReadFile("testdata/exceptions.json")
	require.NoError(t, err)
	var all map[string][]struct {
		Names []string `json:"names"`
		Why   string   `json:"why"`
	}
	require.NoError(t, json.Unmarshal(text, &all))
	reason := map[string]string{}
	for _, group := range all[family] {
		require.NotEmpty(t, group.Why)
		for _, name := range group.Names {
			require.Empty(t, reason[name], "%s: %s is listed twice", family, name)
			reason[name] = group.Why
		}
	}
	return reason
}

// shown returns the symbols MPI_* and MPIX_* that the libraries of a family export, all versions
// together, as committed. Each implies its PMPI_ twin, which is not written. A name without a twin
// is followed by "-".
func shown(t *testing.T, family string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", family+".txt"))
	if *update && os.IsNotExist(err) {
		return map[string]bool{}
	}
	require.NoError(t, err)
	names := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		name, alone := strings.CutSuffix(strings.TrimSpace(line), " -")
		names[name] = true
		if !alone {
			names["P"+name] = true
		}
	}
	return names
}

func writeShown(t *testing.T, family string, names map[string]bool) {
	t.Helper()
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(names)) {
		switch {
		case strings.HasPrefix(name, "PMPI") && names[name[1:]]:
		case names["P"+name]:
			fmt.Fprintln(&text, name)
		default:
			fmt.Fprintln(&text, name, "-")
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join("testdata", family+".txt"), []byte(text.String()), 0o666))
}

// installed returns the libraries that can be examined here: those that wi4go finds, and those that
// WI4GO_LIBMPI lists.
func installed(t *testing.T) map[string][]string {
	t.Helper()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	libraries := map[string][]string{}
	for _, r := range runtimes.FromEnviron(prefix).List() {
		libraries[r.Family.Name] = append(libraries[r.Family.Name], r.Library)
	}
	for _, path := range filepath.SplitList(os.Getenv("WI4GO_LIBMPI")) {
		of, _ := family.OfLibrary(path)
		require.NotNil(t, of, path)
		libraries[of.Name] = append(libraries[of.Name], path)
	}
	return libraries
}

// beyond reports whether the front has a function that libraries of the standard ABI lack: the
// conversions between C and Fortran, because programs are linked with them, and all queries about
// GPUs.
func beyond(family, name string) bool {
	return family == "mpiabi" && conversion.MatchString(name) || future.MatchString(name)
}

// future matches the standard's names for functions that libraries have as extensions. Every front has them.
var future = regexp.MustCompile(`^MPI_Comm_(ack_failed|agree|get_failed|iagree|is_revoked|ishrink|revoke|shrink)$`)

var conversion = regexp.MustCompile(`^MPI_([A-Z][a-z]+_(c2f|f2c)|Status_(c2f08|f082c|f082f|f2f08))$|^MPIX_Query_[a-z]+_support$`)

// The front of the standard ABI has all of MPI-5.0, the removed functions, and the conversions of
// every handle and status.
func TestStandardIsWhole(t *testing.T) {
	in := gentest.Input(t)
	ours := front.Exports(in, "mpiabi")
	standard, conversions := 0, 0
	for _, f := range in.Functions {
		if strings.HasPrefix(f.Name, "MPIX_") {
			continue
		}
		assert.Contains(t, ours, f.Name)
		switch {
		case conversion.MatchString(f.Name):
			conversions++
		case f.Removed == "" && !future.MatchString(f.Name):
			standard++
			assert.Contains(t, ours, "P"+f.Name)
		}
	}
	assert.Equal(t, 662, standard)
	assert.Equal(t, 2*11+6, conversions, "of each of eleven kinds of handle both ways, of statuses six")
}

// No MPI function of any library of a family bypasses a front and reaches a runtime of another
// family untranslated.
func TestNothingIsMissing(t *testing.T) {
	in := gentest.Input(t)
	libraries := installed(t)
	for _, family := range abi.Names() {
		t.Run(family, func(t *testing.T) {
			known := shown(t, family)
			for _, path := range libraries[family] {
				for name := range defined(t, path) {
					if !mpiSymbol.MatchString(name) {
						continue
					}
					if *update {
						known[name] = true
					}
					assert.True(t, known[name], "%s shows %s, which testdata/%s.txt lacks: go test ./tests/exports -update", path, name, family)
				}
			}
			if *update {
				writeShown(t, family, known)
			}
			ours := map[string]bool{}
			for _, name := range front.Exports(in, family) {
				ours[name] = true
			}
			excused := exceptions(t, family)
			for name := range known {
				public := strings.TrimPrefix(name, "P")
				if excused[public] == "" {
					assert.True(t, ours[name], "%s is missing from the front: probe its library again, or excuse it in testdata/exceptions.json", name)
				}
			}
			for name := range excused {
				assert.True(t, known[name], "%s is excused, and no library has it", name)
				assert.False(t, ours[name], "%s is excused, and the front has it", name)
			}
			for name := range ours {
				if mpiSymbol.MatchString(name) && !beyond(family, strings.TrimPrefix(name, "P")) {
					assert.True(t, known[name], "the front has %s, and no library does", name)
				}
			}
		})
	}
}
