// Package front prints what a front has whatever the runtime: its stubs, the exported
// symbols, the data symbols, what it does itself where a library lacks a function, and
// the header by which its own C calls MPI.
//
// It must not know any pair: what is done with an argument over another family.
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

// Files are the files of the front with these slots.
func Files(in *model.Input, slots *model.Slots) ([]output.File, error) {
	s := printer{slots}
	narrow, narrows, err := s.narrow(in)
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
	directory := s.Front.Family + "/"
	return []output.File{
		{Name: directory + "stubs.S", Text: s.stubs()},
		{Name: directory + "slots.h", Text: s.header()},
		{Name: directory + "exports.map", Text: output.VersionScript("the "+s.Front.Family+" front", s.exports())},
		{Name: directory + "data.c", Text: s.data()},
		{Name: directory + "family.c", Text: s.family(in, emulations, narrows)},
		{Name: directory + "narrow.c", Text: narrow},
		{Name: directory + "front_mpi.h", Text: s.frontMPI()},
		{Name: directory + "emulation.c", Text: emulation},
		{Name: directory + "fortran_inner.h", Text: fortran.InnerHeader(slots)},
		{Name: directory + "own.c", Text: own},
		{Name: directory + "own.map", Text: ownMap},
	}, nil
}

// Narrowings are the large-count functions that the front serves by way of others, by name.
func Narrowings(in *model.Input, slots *model.Slots) (map[string]Narrowing, error) {
	_, narrows, err := printer{slots}.narrow(in)
	return narrows, err
}

// Exports lists the symbols that the front of the named family exports.
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

// template is the text of a file of templates, which has C with fields for Fill.
func template(name string) string {
	text, err := templates.ReadFile("templates/" + name + ".c")
	if err != nil {
		panic(err)
	}
	return string(text)
}

// A printer writes what a front has whatever the runtime.
type printer struct{ *model.Slots }

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
			w.Line("SLOT(%d)", i)
		case f.PMPI:
			w.Line("STUB(%s, P%s, %d)", f.Name, f.Name, i)
		default:
			w.Line("FUNCTION_STUB(%s, %d)", f.Name, i)
		}
		for _, layer := range f.Layers() {
			w.Line("BELOW_STUB(below_%s_%s, %d)", layer.Name, f.Name, link)
			link++
		}
	}
	return w.Bytes()
}

func (s printer) header() []byte {
	w := &output.Writer{}
	w.WriteString(output.Banner("The slots of the " + s.Front.Family + " front."))
	for i, f := range s.List {
		w.Line("#define SLOT_%s %d", f.Name, i)
	}
	w.Line("#define N_SLOTS %d", len(s.List))
	w.Line("/* The links between a layer and what is below it. */")
	link := 0
	for _, f := range s.List {
		for _, layer := range f.Layers() {
			w.Line("#define LINK_%s_%s %d", layer.Name, f.Name, link)
			link++
		}
	}
	w.Line("#define N_LINKS %d", link)
	w.Line("/* The handles of requests that have a record of ours (records.h). */")
	first, mask := s.recordHandles()
	w.Line("#define RECORD_FIRST %#xull\n#define RECORD_MASK %#xull", first, mask)
	return w.Bytes()
}

// recordHandles are the bits that the handle of a request with a record of ours has,
// among those of a mask, and no handle of the family's libraries.
func (s printer) recordHandles() (first, mask uint64) {
	switch {
	case s.Front.HandleBits == 32: // the kind of MPI_REQUEST_NULL
		const kind = 0xfc000000
		return uint64(*s.Front.Handles["MPI_REQUEST_NULL"].Value) & kind, kind
	case model.HandlesAreNumbers(s.Front): // the sign
		return 1 << 63, 1 << 63
	}
	return 1 << 62, 3 << 62
}

// exports lists the front's exported symbols, sorted.
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
	return slices.Sorted(maps.Keys(names))
}

// data writes the family's data symbols. The storage of a predefined handle is
// filled when the runtime is loaded; a pointer to another symbol is set here.
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

// A Narrowing is a large-count function by way of another one.
type Narrowing struct {
	Function, Of string
	// Checks are made before it is called.
	Checks []plan.Check
}

// family writes what does not depend on the runtime. emulations and narrows are the
// names of C functions, by the function that they serve.
func (s printer) family(in *model.Input, emulations map[string]string, narrows map[string]Narrowing) []byte {
	w := &output.Writer{}
	w.WriteString(output.Banner("What the " + s.Front.Family + " front is."))
	w.Line("#include \"front.h\"\n#include \"core.h\"\n#include \"slots.h\"")
	for _, name := range slices.Sorted(maps.Keys(emulations)) {
		w.Line("extern void %s(void) HIDDEN;", emulations[name])
	}
	for _, name := range slices.Sorted(maps.Keys(narrows)) {
		w.Line("extern void %s(void) HIDDEN;", narrows[name].Function)
	}
	w.Line("const struct wi4go_slot wi4go_slots[N_SLOTS] = {")
	var served []output.Emulation
	for i, f := range s.List {
		object, position, handles, parameters := "WI4GO_NO_OBJECT", 0, 0, "WI4GO_ANY_NUMBER"
		if f.Function != nil {
			object, position = f.Function.Object()
			handles = f.Function.Handles()
			if !f.Function.IsVariadic() {
				parameters = strconv.Itoa(len(f.Function.Params))
			}
		}
		standard := s.Standard(i)
		if standard > 0 && f.Exported {
			served = append(served, output.Emulation{Function: f.Name, Runtime: "*", Of: s.List[standard].Name})
		}
		stands, narrow, of := "0", "0", "0"
		if name, ok := emulations[f.Name]; ok {
			stands = "(void *)" + name
		}
		if n, ok := narrows[f.Name]; ok {
			narrow, of = "(void *)"+n.Function, "SLOT_"+n.Of
		}
		w.Line("    {\"%s\", %s, %d, %#x, %s, %d, %s, %s, %s},", f.Name, object, position, handles, parameters, standard, of, stands, narrow)
	}
	w.Line("};")
	w.Line("void *wi4go_below[N_LINKS];")
	output.WriteEmulations(w, served)
	numbered := s.numbered(in)
	w.Line("static const struct wi4go_foreign_handle foreign_handles[] = {")
	title := "0"
	if numbered != nil {
		title = fmt.Sprintf("%q", numbered.Title)
		for _, name := range slices.Sorted(maps.Keys(numbered.Handles)) {
			// Those that this family has as well never come from a library as they are.
			if _, both := s.Front.Handles[name]; both && numbered.Handles[name].Kind != "FILE" {
				h := numbered.Handles[name]
				w.Line("    {%su, \"%s\"},", h.Hex, name)
			}
		}
	}
	w.Line("    {0, 0},\n};")
	w.Line("static const char *const sonames[] = {%s, 0};", quoted(s.Front.Sonames["c"]))
	var foreign, pairs []string
	for _, other := range in.Families {
		if other != s.Front {
			foreign = append(foreign, other.Sonames["c"]...)
		}
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
	writeLaunchers(w, in.Families)
	for _, p := range pairs {
		w.Line("extern const struct wi4go_pair wi4go_pair_%s HIDDEN;", p)
	}
	w.Line("static const struct wi4go_pair *const pairs[] = {&wi4go_pair_%s, 0};", strings.Join(pairs, ", &wi4go_pair_"))
	w.Line("const struct wi4go_family wi4go_family = {")
	w.Line("    .name = \"%s\", .title = \"%s\", .n_functions = N_SLOTS, .sonames = sonames,", s.Front.Family, s.Front.Title)
	w.Line("    .foreign_sonames = foreign, .runtimes = runtimes, .n_runtimes = sizeof runtimes / sizeof *runtimes,")
	w.Line("    .foreign_handles = foreign_handles, .foreign_header = %s,", title)
	w.Line("    .pairs = pairs, .launcher_prefixes = launcher_prefixes,\n};")
	return w.Bytes()
}

// writeVendors writes how the libraries of all vendors introduce themselves, and the
// level of MPI that their releases have.
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

// writeLaunchers writes the variables by which the families' launchers give ranks.
func writeLaunchers(w *output.Writer, families []*abi.Family) {
	list := func(names []string) string {
		if len(names) == 0 {
			return "{0}"
		}
		return "{" + quoted(names) + ", 0}"
	}
	served := map[string][]string{} // libraries by the kind of the launcher that starts their programs
	var prefixes []string
	for _, f := range families {
		served[f.Launcher.Kind] = append(served[f.Launcher.Kind], f.Sonames["c"]...)
		prefixes = append(prefixes, f.Launcher.Prefixes...)
	}
	w.Line("const struct wi4go_launcher wi4go_launchers[] = {")
	for _, f := range families {
		if len(f.Launcher.RankVariables.Rank) == 0 {
			continue
		}
		var numbers []string
		for _, names := range f.Launcher.RankVariables.ByNumber() {
			numbers = append(numbers, list(names))
		}
		w.Line("    {%q, %q, %s, %s,\n     {%s}},", f.Family, f.Launcher.Manager, list(f.Launcher.Signs), list(served[f.Launcher.Kind]), strings.Join(numbers, ",\n      "))
	}
	w.Line("    {0, 0, {0}, {0}, {{0}}},\n};")
	w.Line("static const char *const launcher_prefixes[] = {%s, 0};", quoted(prefixes))
}

// numbered is the family whose predefined handles are numbers in its mpi.h that
// a program of this front's family cannot have: where those are pointers that
// are small numbers themselves. Where they are data symbols, a program with
// another mpi.h does not get through the linker.
func (s printer) numbered(in *model.Input) *abi.Family {
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

// byMark orders the families as a library's marks are looked for: data symbols,
// which one family has, before functions, which others may have as well.
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

func quoted(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(q, ", ")
}
