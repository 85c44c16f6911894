package docs

import (
	"debug/elf"
	"maps"
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
	{"base", "common/messages common/slots common/thunk common/loader_lock common/launchers common/core common/memory_lock common/scratch common/ranks common/signals common/trampolines common/trampoline common/handletable common/launcher_check registry"},
	{"Fortran", "common/fortran_direct"},
	{"objects", "common/rebind common/objects"},
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

// filesOf returns the source of an object and the files that it includes, according to the list that make has written
// next to the object.
func filesOf(t *testing.T, object string) (files []string) {
	t.Helper()
	list, err := os.ReadFile(strings.TrimSuffix(object, ".o") + ".d")
	require.NoError(t, err)
	_, from, _ := strings.Cut(string(list), ":")
	from, _, _ = strings.Cut(strings.ReplaceAll(from, "\\\n", " "), "\n") // the lines after that are for files that are removed
	for _, file := range strings.Fields(from) {
		files = append(files, filepath.Clean(file))
	}
	return files
}

// sourceOf returns the source of an object.
func sourceOf(t *testing.T, object string) string {
	t.Helper()
	return filesOf(t, object)[0]
}

// isLeftOver reports whether the source of an object was removed.
func isLeftOver(t *testing.T, object string) bool {
	t.Helper()
	_, err := os.Stat(filepath.Join(root, sourceOf(t, object)))
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
	u.needs, u.defines = symbolsOf(t, path)
	return u
}

// symbolsOf returns the global symbols that an object needs and those that it defines.
func symbolsOf(t *testing.T, path string) (needs, defines []string) {
	t.Helper()
	f, err := elf.Open(path)
	require.NoError(t, err)
	defer f.Close()
	symbols, err := f.Symbols()
	require.NoError(t, err)
	for _, s := range symbols {
		switch {
		case elf.ST_BIND(s.Info) == elf.STB_LOCAL:
		case s.Section == elf.SHN_UNDEF:
			needs = append(needs, s.Name)
		default:
			defines = append(defines, s.Name)
		}
	}
	return needs, defines
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

// floors are the folders of the embedded MPI, the lowest first. A file may refer to its own floor and to those below it.
var floors = []string{"c/launchers", "embedded/adi", "embedded/base", "embedded/types", "embedded/coll", "embedded/mpi", "embedded/process", "build/gen/embedded"}

// linked lists objects that are linked with each other, as patterns below build/obj. FAMILY is each family.
var linked = []string{
	"adi/*.o embedded/*.o embedded/*/*.o",
	"common/*.o static/static_core.o FAMILY/*.o FAMILY/emulate/*.o",
	"static/linked.o common/load.o common/slots.o common/messages.o common/ranks.o common/signals.o common/launcher_check.o",
	"FAMILY/fortran/*.o",
	"FAMILY/verify/*/*.o",
	"FAMILY/verify_f08/verify/*.o FAMILY/verify_f08/verify/*/*.o",
	"FAMILY/verify_mpif/verify/*.o FAMILY/verify_mpif/verify/*/*.o",
	"dri/*.o",
	"audit/*.o",
}

// A graph has, for each source, the sources that define a symbol which it needs, with the names of these symbols.
type graph map[string]map[string][]string

// graphOf returns the graph of the objects of some patterns. isIncluded selects the sources.
func graphOf(t *testing.T, patterns string, isIncluded func(source string) bool) graph {
	t.Helper()
	needs, definedIn := map[string][]string{}, map[string]string{}
	for _, object := range objectsOf(t, patterns) {
		source := sourceOf(t, object)
		if isLeftOver(t, object) || !isIncluded(source) {
			continue
		}
		needed, defined := symbolsOf(t, object)
		needs[source] = needed
		for _, symbol := range defined {
			definedIn[symbol] = source
		}
	}
	g := graph{}
	for source, symbols := range needs {
		g[source] = map[string][]string{}
		for _, symbol := range symbols {
			if other := definedIn[symbol]; other != "" && other != source {
				g[source][other] = append(g[source][other], symbol)
			}
		}
	}
	return g
}

// objectsOf returns the paths of the objects of some patterns below build/obj.
func objectsOf(t *testing.T, patterns string) (paths []string) {
	t.Helper()
	for _, pattern := range strings.Fields(patterns) {
		found, err := filepath.Glob(filepath.Join(root, "build/obj", pattern))
		require.NoError(t, err)
		require.NotEmpty(t, found, "%s: run make", pattern)
		paths = append(paths, found...)
	}
	return paths
}

// circles removes from a graph, again and again, the sources that need no other one and those that no other one needs. The
// rest are the sources in circles, and those between two circles.
func circles(g graph) graph {
	rest := graph{}
	for source, needed := range g {
		rest[source] = maps.Clone(needed)
	}
	for removed := true; removed; {
		removed = false
		isNeeded := map[string]bool{}
		for _, needed := range rest {
			for other := range needed {
				isNeeded[other] = true
			}
		}
		for source, needed := range rest {
			if len(needed) > 0 && isNeeded[source] {
				continue
			}
			removed = true
			delete(rest, source)
			for _, needed := range rest {
				delete(needed, source)
			}
		}
	}
	return rest
}

// Each floor of the embedded MPI calls only the floors below it. So the device can be read without the MPI, and datatypes
// without messages.
func TestFloors(t *testing.T) {
	floor := func(source string) int { return slices.Index(floors, filepath.Dir(source)) }
	g := graphOf(t, linked[0], func(string) bool { return true })
	assert.Contains(t, g["embedded/mpi/send.c"]["embedded/base/errors.c"], "em_error", "these are not the library's symbols")
	assert.Contains(t, g["build/gen/embedded/entries_collectives.c"]["embedded/coll/functions.c"], "em_Allreduce", "these are not the library's symbols")
	for source, needed := range g {
		require.GreaterOrEqual(t, floor(source), 0, "%s is on no floor", source)
		for other, symbols := range needed {
			assert.LessOrEqual(t, floor(other), floor(source), "%s must not need %s: it is on a higher floor (%s)", source, other, strings.Join(symbols, ", "))
		}
	}
}

// devices are the files of each device of the embedded MPI, below embedded/adi.
var devices = map[string]string{
	"self": "self.c",
	"shm":  "shm.c shm_send.c shm_receive.c shm_long.c shm_poll.c lines.c direct.c policy.c huge.c",
}

// fastPath is the header that calls devices without their tables, for short messages, the file that may include it, and the
// symbols that this file may need.
const fastPath, onFastPath, ofFastPath = "embedded/adi/fast.h", "embedded/adi/send.c", "adi_send_own_fast"

// A device differs from another one in its table of functions only: other files neither need the symbols of a device, except the
// table, which the list of all devices has, nor see its state. So a further device changes no other file.
func TestDevices(t *testing.T) {
	deviceOf := map[string]string{}
	for device, files := range devices {
		for _, file := range strings.Fields(files) {
			deviceOf["embedded/adi/"+file] = device
		}
	}
	needed := 0
	for source, others := range graphOf(t, "adi/*.o", func(string) bool { return true }) {
		for other, symbols := range others {
			device := deviceOf[other]
			if device == "" || deviceOf[source] == device {
				continue
			}
			for _, symbol := range symbols {
				needed++
				isTable := source == "embedded/adi/init.c" && symbol == "adi_"+device+"_device"
				isFast := source == onFastPath && slices.Contains(strings.Fields(ofFastPath), symbol)
				assert.True(t, isTable || isFast, "%s needs %s of the device %s: call it by the table (device.h)", source, symbol, device)
			}
		}
	}
	assert.GreaterOrEqual(t, needed, len(devices), "these are not the device's symbols")
	for _, object := range objectsOf(t, "adi/*.o") {
		if isLeftOver(t, object) {
			continue
		}
		files := filesOf(t, object)
		source := files[0]
		assert.True(t, source == onFastPath || !slices.Contains(files, fastPath), "%s must not include %s", source, fastPath)
		for _, header := range []string{"shm.h", "rings.h", "policy.h"} {
			assert.True(t, source == onFastPath || deviceOf[source] == "shm" || !slices.Contains(files, "embedded/adi/"+header),
				"%s must not include %s, which is the state of a device", source, header)
		}
	}
}

// Each file of the device includes the headers of what it needs: a special header is seen by at most half of the files.
func TestDeviceHeaders(t *testing.T) {
	const most = 16
	everywhere := []string{"state.h", "device.h", "match.h", "memory.h", "heap.h", "segment.h"} // besides the interface, adi*.h
	including := map[string]int{}
	for _, object := range objectsOf(t, "adi/*.o") {
		if isLeftOver(t, object) {
			continue
		}
		for _, file := range slices.Compact(slices.Sorted(slices.Values(filesOf(t, object)))) {
			including[file]++
		}
	}
	assert.Positive(t, including["embedded/adi/shm.h"])
	for file, n := range including {
		name := filepath.Base(file)
		if strings.HasPrefix(file, "embedded/adi/") && filepath.Ext(file) == ".h" && !strings.HasPrefix(name, "adi") && !slices.Contains(everywhere, name) {
			assert.LessOrEqual(t, n, most, "objects that a change of %s compiles", file)
		}
	}
}

// A change of a header of the embedded MPI compiles at most about half of its objects: each file includes the headers that it
// needs. Only the headers of the objects and of the state are everywhere.
func TestHeadersAreSplit(t *testing.T) {
	const most = 63
	everywhere := []string{"embedded/base/objects.h", "embedded/base/datatype.h", "embedded/base/state.h"}
	including := map[string]int{}
	for _, object := range objectsOf(t, linked[0]) {
		if isLeftOver(t, object) {
			continue
		}
		for _, file := range slices.Compact(slices.Sorted(slices.Values(filesOf(t, object)))) {
			including[file]++
		}
	}
	assert.Positive(t, including["embedded/base/handles.h"])
	for file, n := range including {
		if strings.HasPrefix(file, "embedded/") && !strings.HasPrefix(file, "embedded/adi/") && !slices.Contains(everywhere, file) {
			assert.LessOrEqual(t, n, most, "objects that a change of %s compiles", file)
		}
	}
}

// No files of C need each other in a circle, so each can be read after the ones that it needs. Generated tables name
// functions of files that need the tables; they are left out.
func TestCircles(t *testing.T) {
	isWritten := func(source string) bool { return !strings.HasPrefix(source, "build/") }
	checked := map[string]bool{}
	for _, patterns := range linked {
		families := []string{""}
		if strings.Contains(patterns, "FAMILY") {
			families = []string{"openmpi", "mpich", "mpiabi"}
		}
		for _, family := range families {
			own := strings.ReplaceAll(patterns, "FAMILY", family)
			g := graphOf(t, own, isWritten)
			for source := range g {
				checked[source] = true
			}
			for source, needed := range circles(g) {
				for other, symbols := range needed {
					assert.Fail(t, "a circle", "%s needs %s (%s)", source, other, strings.Join(symbols, ", "))
				}
			}
		}
	}
	lists, err := filepath.Glob(filepath.Join(root, "build/obj/*/*.d"))
	require.NoError(t, err)
	for _, list := range lists {
		object := strings.TrimSuffix(list, ".d") + ".o"
		source := sourceOf(t, object)
		assert.True(t, checked[source] || !isWritten(source) || isLeftOver(t, object), "%s: add its object %s to linked in this test", source, object)
	}
	made := graph{"a": {"b": {"f"}}, "b": {"c": {"g"}}, "c": {"b": {"h"}}, "d": {"a": {"i"}}, "e": {}}
	assert.Equal(t, graph{"b": {"c": {"g"}}, "c": {"b": {"h"}}}, circles(made), "circles must find b and c")
}
