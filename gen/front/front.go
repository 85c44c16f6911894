// Package front prints the parts of a front that do not depend on the runtime: its stubs, the
// exported symbols, the data symbols, the emulation of functions that a library lacks, and the
// header by which the front's own C calls MPI.
//
// It must not know any pair, or how a pair converts arguments.
package front

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"wi4go/abi"
	"wi4go/gen/fortran"
	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
)

// Files returns the files of the front with these slots.
func Files(in *model.Input, slots *model.Slots) ([]output.File, error) {
	s := printer{slots}
	largeCounts, fallbacks, err := s.largeCounts(in)
	if err != nil {
		return nil, err
	}
	emulation, emulations, err := s.emulation(in)
	if err != nil {
		return nil, err
	}
	own, ownMap, err := s.own(in)
	if err != nil {
		return nil, err
	}
	family, err := s.family(in, emulations, fallbacks)
	if err != nil {
		return nil, err
	}
	directory := s.Front.Family + "/"
	return []output.File{
		{Name: directory + "stubs.S", Text: s.stubs()},
		{Name: directory + "slots.h", Text: s.header()},
		{Name: directory + "exports.map", Text: output.VersionScript("the "+s.Front.Family+" front", s.exports())},
		{Name: directory + "data.c", Text: s.data()},
		{Name: directory + "family.c", Text: family},
		{Name: directory + "narrow.c", Text: largeCounts},
		{Name: directory + "front_mpi.h", Text: s.frontMPI()},
		{Name: directory + "emulation.c", Text: emulation},
		{Name: directory + "fortran_inner.h", Text: fortran.InnerHeader(slots)},
		{Name: directory + "own.c", Text: own},
		{Name: directory + "own.map", Text: ownMap},
	}, nil
}

// LargeCountFallbacks returns, by name, the large-count functions that the front can implement by other
// functions.
func LargeCountFallbacks(in *model.Input, slots *model.Slots) (map[string]LargeCountFallback, error) {
	_, fallbacks, err := printer{slots}.largeCounts(in)
	return fallbacks, err
}

// Exports returns the symbols that the front of the family exports, sorted. It returns nil if there
// is no such family.
func Exports(in *model.Input, family string) []string {
	for _, f := range in.Families {
		if f.Family == family {
			return printer{model.NewSlots(in, f)}.exports()
		}
	}
	return nil
}

//go:embed templates
var templates embed.FS

// template returns the text of a template: C with fields for Writer.Fill. It panics if there is no
// such template.
func template(name string) string {
	text, err := templates.ReadFile("templates/" + name + ".c")
	if err != nil {
		panic(err)
	}
	return string(text)
}

// A printer prints the parts of one front that do not depend on the runtime.
type printer struct{ *model.Slots }

// stubs returns the assembly with the stub of each slot and the entries to the links below layers.
func (s printer) stubs() []byte {
	w := &output.Writer{}
	w.WriteString(output.Banner("The " + s.Front.Family + " front's stubs, in slot order."))
	w.Line("#include \"chooser.h\"")
	link, inner := 0, fortran.Inner(s.Slots)
	for i, f := range s.List {
		if slices.Contains(inner, f.Name) {
			w.Line("INNER_FIRST(%d)", i)
		}
		switch {
		case !f.Exported:
			w.Line("SLOT(%d, %s)", i, thunkParameters(f.Function))
		case f.PMPI:
			w.Line("STUB(%s, P%s, %d, %s)", f.Name, f.Name, i, thunkParameters(f.Function))
		default:
			w.Line("FUNCTION_STUB(%s, %d, %s)", f.Name, i, thunkParameters(f.Function))
		}
		for _, layer := range f.Layers() {
			w.Line("BELOW_STUB(below_%s_%s, %d)", layer.Name, f.Name, link)
			link++
		}
	}
	return w.Bytes()
}

// thunkParameters returns the number of parameters by which the assembly selects the thunk of a function, or CALL_ANY
// if the function is variadic, has a parameter in a vector register, or is not in funcs.json (f is nil).
func thunkParameters(f *model.Function) string {
	if f == nil || f.IsVariadic() || slices.ContainsFunc(f.Params, func(q model.Param) bool { return q.Type == "double" || q.Type == "float" }) {
		return "CALL_ANY"
	}
	return strconv.Itoa(len(f.Params))
}

// header returns slots.h: the numbers of the slots and of the links below layers, and the bits that
// mark handles of tracked requests.
func (s printer) header() []byte {
	w := &output.Writer{}
	w.WriteString(output.Banner("The slots of the " + s.Front.Family + " front."))
	for i, f := range s.List {
		w.Line("#define SLOT_%s %d", f.Name, i)
	}
	w.Line("#define N_SLOTS %d", len(s.List))
	w.Line("/* The links: the entry that each layer's function calls next. */")
	link := 0
	for _, f := range s.List {
		for _, layer := range f.Layers() {
			w.Line("#define LINK_%s_%s %d", layer.Name, f.Name, link)
			link++
		}
	}
	w.Line("#define N_LINKS %d", link)
	w.Line("/* The handles of tracked requests (registry.h). */")
	first, mask := s.trackedHandles()
	w.Line("#define TRACKED_FIRST %#xull\n#define TRACKED_MASK %#xull", first, mask)
	return w.Bytes()
}

// trackedHandles returns the mark in the handle of a tracked request. A handle h carries the mark
// if h & mask == first. No handle of the family's libraries has it.
func (s printer) trackedHandles() (first, mask uint64) {
	switch {
	case s.Front.HandleBits == 32: // the bits for the kind, as in MPI_REQUEST_NULL
		const kind = 0xfc000000
		return uint64(*s.Front.Handles["MPI_REQUEST_NULL"].Value) & kind, kind
	case model.HandlesAreNumbers(s.Front): // the sign bit
		return 1 << 63, 1 << 63
	}
	return 1 << 62, 3 << 62
}

// exports returns the front's exported symbols, sorted.
func (s printer) exports() []string {
	names := map[string]bool{}
	for _, f := range s.List {
		if f.Exported {
			names[f.Name] = true
			if f.PMPI {
				names["P"+f.Name] = true
			}
		}
	}
	for _, d := range s.Front.DataSymbols {
		names[d.Name] = true
	}
	for _, c := range s.Front.Callbacks {
		if c.Symbol != "" {
			names[c.Symbol] = true
		}
	}
	for _, name := range fortran.FrontExports(s.Front) {
		names[name] = true
	}
	names["mlockall"], names["wi4go_mlockall"] = true, true // shim/front/memory_lock.c
	names["wi4go_under_loader_lock"] = true                 // shim/front/loader_lock.c
	return slices.Sorted(maps.Keys(names))
}

// data returns the C with the family's data symbols. A symbol that points to another symbol is
// initialized here. The storage of a predefined handle stays empty until the front loads the
// runtime and fills it.
func (s printer) data() []byte {
	w := &output.Writer{}
	w.WriteString(output.Banner("The " + s.Front.Family + " front's data symbols, at the family's largest sizes."))
	w.Line("#include <stdint.h>\n#include \"front.h\"")
	declared := map[string]bool{}
	for _, d := range s.Front.DataSymbols {
		declared[d.Name] = true
	}
	variables := map[string]bool{}
	for _, p := range s.Front.Pointers {
		variables[p.Symbol] = true
	}
	for _, d := range s.Front.DataSymbols {
		if d.PointsTo == "" && variables[d.Name] {
			w.Line("static char %s_object[WI4GO_POINTEE_SIZE] __attribute__((aligned(16)));\nvoid *%s = %s_object;", d.Name, d.Name, d.Name)
		} else if d.PointsTo == "" {
			w.Line("char %s[%d] __attribute__((aligned(16)));", d.Name, d.Size)
		}
	}
	for _, d := range s.Front.DataSymbols {
		if d.PointsTo == "" {
			continue
		}
		if !declared[d.PointsTo] {
			w.Line("static char %s[64] __attribute__((aligned(16)));", d.PointsTo)
			declared[d.PointsTo] = true
		}
		w.Line("void *%s = %s;", d.Name, d.PointsTo)
	}
	return w.Bytes()
}

// A LargeCountFallback is the implementation of a large-count function by another function.
type LargeCountFallback struct {
	// Function is the C function that implements it. Calls is the MPI function that this one calls,
	// which the runtime must have.
	Function, Calls string
	// Checks are the checks that Function makes before it passes arguments on.
	Checks []plan.Check
}

// family returns the C with the facts about the front: its slots, the families of runtimes and how
// to recognize their libraries, vendors, launchers, and its pairs. emulations and narrows have the
// implementations to use if the runtime lacks a function, by the function. It returns an error if a
// table cannot hold an entry.
func (s printer) family(in *model.Input, emulations map[string]string, fallbacks map[string]LargeCountFallback) ([]byte, error) {
	w := &output.Writer{}
	w.WriteString(output.Banner("The properties of the " + s.Front.Family + " front."))
	w.Line("#include \"front.h\"\n#include \"core.h\"\n#include \"slots.h\"")
	for _, name := range slices.Sorted(maps.Keys(emulations)) {
		w.Line("extern void %s(void) HIDDEN;", emulations[name])
	}
	for _, name := range slices.Sorted(maps.Keys(fallbacks)) {
		w.Line("extern void %s(void) HIDDEN;", fallbacks[name].Function)
	}
	w.Line("const struct wi4go_slot wi4go_slots[N_SLOTS] = {")
	var served []output.Emulation
	for i, f := range s.List {
		object, position, handles := "WI4GO_NO_OBJECT", 0, 0
		if f.Function != nil {
			object, position = f.Function.Object()
			handles = f.Function.Handles()
		}
		standard := s.Standard(i)
		if standard > 0 && f.Exported {
			served = append(served, output.Emulation{Function: f.Name, Runtime: "*", Requires: s.List[standard].Name})
		}
		emulation, fallback, of := "0", "0", "0"
		if name, ok := emulations[f.Name]; ok {
			emulation = "(void *)" + name
		}
		if n, ok := fallbacks[f.Name]; ok {
			fallback, of = "(void *)"+n.Function, "SLOT_"+n.Calls
		}
		w.Line("    {\"%s\", %s, %d, %#x, %d, %s, %s, %s},", f.Name, object, position, handles, standard, of, emulation, fallback)
	}
	w.Line("};")
	w.Line("void *wi4go_below[N_LINKS];")
	output.WriteEmulations(w, served)
	foreignInts := s.foreignIntHandles(in)
	w.Line("static const struct wi4go_foreign_handle foreign_handles[] = {")
	title := "0"
	if foreignInts != nil {
		title = fmt.Sprintf("%q", foreignInts.Title)
		for _, name := range slices.Sorted(maps.Keys(foreignInts.Handles)) {
			// List only handles that this family has too. The front converts these, so no library
			// returns the other family's value to the program. Leave files out: MPI_File is a
			// pointer in the other family too, and its MPI_FILE_NULL is 0.
			if _, both := s.Front.Handles[name]; both && foreignInts.Handles[name].Kind != "FILE" {
				h := foreignInts.Handles[name]
				if h.Value == nil || *h.Value == 0 { // a 0 ends the table
					return nil, fmt.Errorf("abi/%s.json: %s is 0, which cannot identify a program that was compiled with the wrong mpi.h: "+
						"choose another handle", foreignInts.Family, name)
				}
				w.Line("    {%su, \"%s\"},", h.Hex, name)
			}
		}
	}
	w.Line("    {0, 0},\n};")
	w.Line("static const char *const sonames[] = {%s, 0};", quoted(s.Front.Sonames["c"]))
	var foreign, pairs []string
	for _, other := range in.Families {
		if other == s.Front {
			pairs = slices.Insert(pairs, 0, s.Front.Family+"_"+other.Family)
			continue
		}
		foreign = append(foreign, other.Sonames["c"]...)
		pairs = append(pairs, s.Front.Family+"_"+other.Family)
	}
	w.Line("static const char *const foreign[] = {%s, 0};", quoted(foreign))
	w.Line("static const struct core_family runtimes[] = {")
	for _, f := range byMark(in.Families) {
		part := "0"
		if parts := f.Sonames["parts"]; len(parts) > 0 {
			part = quoted(parts[:1])
		}
		for _, mark := range []string{f.Mark, f.Traits.OwnMark} {
			if mark != "" {
				w.Line("    {\"%s\", \"%s\", %d, %s},", f.Family, mark, output.Bit(f.Traits.GlobalScope), part)
			}
		}
	}
	w.Line("};")
	writeVendors(w, in.Families)
	var prefixes []string
	for _, l := range in.Launchers {
		prefixes = append(prefixes, l.Process.Prefixes...)
	}
	w.Line("static const char *const launcher_prefixes[] = {%s, 0};", quoted(prefixes))
	// A program that contains an MPI library of its family lacks the other pairs (shim/front/linked.c). The list
	// ends there, because the front's own pair comes first.
	for _, p := range pairs {
		w.Line("extern const struct wi4go_pair wi4go_pair_%s HIDDEN __attribute__((weak));", p)
	}
	w.Line("static const struct wi4go_pair *const pairs[] = {&wi4go_pair_%s, 0};", strings.Join(pairs, ", &wi4go_pair_"))
	w.Line("const struct wi4go_family wi4go_family = {")
	w.Line("    .name = \"%s\", .title = \"%s\", .n_functions = N_SLOTS, .sonames = sonames,", s.Front.Family, s.Front.Title)
	w.Line("    .foreign_sonames = foreign, .runtimes = runtimes, .n_runtimes = sizeof runtimes / sizeof *runtimes,")
	w.Line("    .foreign_handles = foreign_handles, .foreign_header = %s,", title)
	launcher := "0"
	if !s.Front.Traits.Standard {
		launcher = fmt.Sprintf("%q", s.Front.Launcher)
	}
	w.Line("    .pairs = pairs, .launcher = %s, .launcher_prefixes = launcher_prefixes,\n};", launcher)
	return w.Bytes(), nil
}

// writeVendors writes two tables for the libraries of all vendors: the text around the release in
// the answer of MPI_Get_library_version, and the version of MPI of each release.
func writeVendors(w *output.Writer, families []*abi.Family) {
	w.Line("const struct wi4go_vendor wi4go_vendors[] = {")
	for _, f := range families {
		for _, v := range f.Vendors {
			if before, after, released := strings.Cut(v.Introduction, "{release}"); released {
				w.Line("    {\"%s@\", %q, %q},", v.Name, before, after)
			}
		}
	}
	w.Line("    {0, 0, 0},\n};\nconst struct wi4go_level wi4go_levels[] = {")
	for _, f := range families {
		for _, v := range f.Vendors {
			for _, level := range v.ByLevel() {
				w.Line("    {\"%s@%s\", %d, %d},", v.Name, level.Releases, level.Version, level.Subversion)
			}
		}
	}
	w.Line("    {0, 0, 0},\n};")
}

// foreignIntHandles returns the family whose predefined handles, as numbers in its mpi.h, show that a
// program was compiled with the wrong mpi.h. It returns such a family only if the handles of this
// front's family are pointers and its predefined handles small numbers in them, because a correct
// program then never sees the other family's numbers. If predefined handles are data symbols, it
// returns nil: a program compiled with another mpi.h does not link.
func (s printer) foreignIntHandles(in *model.Input) *abi.Family {
	if s.Front.HandleBits != 64 || len(s.Front.DataSymbols) > 0 {
		return nil
	}
	for _, f := range in.Families {
		if f.HandleBits == 32 {
			return f
		}
	}
	return nil
}

// byMark returns the families in the order in which to look for their marks in a library. Marks
// that are data symbols come first, because only one family has them; other families may have a
// mark that is a function.
func byMark(families []*abi.Family) []*abi.Family {
	isFunction := func(f *abi.Family) bool { return f.Functions[f.Mark] != nil }
	sorted := slices.Clone(families)
	slices.SortStableFunc(sorted, func(a, b *abi.Family) int {
		switch {
		case isFunction(a) == isFunction(b):
			return 0
		case isFunction(a):
			return 1
		}
		return -1
	})
	return sorted
}

// quoted returns the names as a list of C strings.
func quoted(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(q, ", ")
}
