package pair

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"wi4go/gen/ctypes"
	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/traits"
	"wi4go/mappers"
)

// head returns the beginning of a pair's facts (mappers/pair.h), which every pair has: types
// and constants of both sides, and the runtime's functions.
func (p *Pair) head() *output.Writer {
	w := &output.Writer{}
	w.WriteString(output.Banner(fmt.Sprintf("Facts of the pair: programs of the %s family over %s libraries.", p.A.Family, p.R.Family)))
	w.Line("#define R_FAMILY \"%s\"\n#define SAME_FAMILY %d", p.R.Family, output.Bit(p.A == p.R))
	traits.Write(w, &p.Pair)
	w.Line("#define A_INTRODUCTION %q\n#define A_JOINT %q", p.A.Introduction(p.A.Vendors[0], p.A.TakenFor()), p.A.Traits.Joint)
	if libraries := p.A.Sonames["cxx"]; len(libraries) > 0 {
		w.Line("#define A_CXX_LIBRARY %q", libraries[0])
	}
	version, subversion := p.A.Level()
	w.Line("#define A_LEVEL_VERSION %d\n#define A_LEVEL_SUBVERSION %d", version, subversion)
	w.Line("#define PAIR(name) %s##name", traits.Symbol(&p.Pair, ""))
	ctypes.Sides(w, p.A, p.R)
	p.constants(w)
	p.runtimeFunctions(w)
	p.drafts(w)
	p.lackedClasses(w)
	return w
}

// facts returns all that a pair provides according to mappers/pair.h. It returns an error if a
// predefined handle has no counterpart.
func (p *Pair) facts() ([]byte, error) {
	w := p.head()
	p.values(w)
	p.errors(w)
	p.addresses(w)
	err := p.predefined(w)
	return w.Bytes(), err
}

// shared writes a variable that all units of the pair share (mappers/pair.h).
func shared(w *output.Writer, of, name, comment string) {
	w.Line("#define %[2]s PAIR(%[2]s)\nSHARED %[1]s%[2]s;%[3]s", of, name, comment)
}

// constants writes the integer constants of both sides.
func (p *Pair) constants(w *output.Writer) {
	for _, name := range slices.Sorted(maps.Keys(p.A.Constants)) {
		w.Line("#define A_%s (%d)", name, p.A.Constants[name])
	}
	for _, name := range slices.Sorted(maps.Keys(p.R.Constants)) {
		w.Line("#define R_%s (%d)", name, p.R.Constants[name])
	}
}

// runtimeFunctions declares the runtime's functions with their types.
func (p *Pair) runtimeFunctions(w *output.Writer) {
	for i, s := range p.Slots.List {
		f := s.Function
		if f == nil {
			continue
		}
		params := []string{}
		for _, q := range f.Params {
			if q.Type == "..." {
				params = append(params, "...")
				continue
			}
			params = append(params, ctypes.Of(q.Type, "R"))
		}
		if len(params) == 0 {
			params = []string{"void"}
		}
		w.Line("typedef %s R_%s_t(%s);", ctypes.Of(f.Returns, "R"), f.Name, strings.Join(params, ", "))
		w.Line("#define R_%s ((R_%s_t *)wi4go_R[%d])", f.Name, f.Name, i)
	}
}

// values writes the conversions of integers with special values and of sets of flags, one pair
// of functions for each role.
func (p *Pair) values(w *output.Writer) {
	for _, name := range slices.Sorted(maps.Keys(p.In.Mappers.Roles)) {
		role := p.In.Mappers.Roles[name]
		write := writeValue
		switch role.Convert {
		case mappers.Value:
		case mappers.Bits:
			write = writeBits
		default:
			continue
		}
		m, back := p.ToRuntime(role), p.ToProgram(role)
		if d := p.draft(name); !d.IsIdentity() {
			writeDrafted(w, name, m, back, d)
			continue
		}
		write(w, name+"_a2r", m)
		write(w, name+"_r2a", back)
	}
}

// errors writes the conversions of error codes, which are a bijection. Classes are converted by
// a table or, if their numbers are far apart (the standard ABI's), by a function. Codes that a
// program adds have numbers from ADDED_BASE upward. Open MPI's begin at 93, inside the range
// that MPICH predefines, so they are moved up for an MPICH program.
func (p *Pair) errors(w *output.Writer) {
	m := model.Biject(model.ErrorClasses(p.A), model.ErrorClasses(p.R))
	classes := p.classes(m)
	// Sparse classes: functions with a switch.
	if m.From[len(m.From)-1] >= traits.ErrorTable {
		w.Line("#define ERROR_CLASSES_ARE_SPARSE 1")
		writeValue(w, "error_class_a2r", m)
		writeValue(w, "error_class_r2a", m.Inverse())
		writeValue(w, "known_class_r2a", classes)
		return
	}
	w.Line("#define ERROR_CLASSES_ARE_SPARSE 0")
	w.Line("#define ERROR_TABLE %d", traits.ErrorTable)
	for _, d := range []struct {
		name string
		m    *model.Mapping
	}{{"error_a2r", m}, {"error_r2a", m.Inverse()}, {"class_r2a", classes}} {
		// A code that the mapping does not list stays as it is.
		w.Line("static const unsigned char %s_table[ERROR_TABLE] = {", d.name)
		// next is the first mapping that is not below v.
		next := 0
		for v := 0; v < traits.ErrorTable; v++ {
			to := int64(v)
			for next < len(d.m.From) && d.m.From[next] < int64(v) {
				next++
			}
			if next < len(d.m.From) && d.m.From[next] == int64(v) {
				to = d.m.To[next]
			}
			fmt.Fprintf(w, "%d,", to)
			if v%16 == 15 {
				w.WriteByte('\n')
			}
		}
		w.Line("};")
	}
}

// classes returns the mapping from the runtime's error classes to the program's. Classes that
// the program's family lacks become MPI_ERR_OTHER.
func (p *Pair) classes(m *model.Mapping) *model.Mapping {
	images := map[int64]int64{}
	for _, v := range model.Missing(model.ErrorClasses(p.R), model.ErrorClasses(p.A)) {
		images[v] = p.A.Constants["MPI_ERR_OTHER"]
	}
	return m.Inverse().With(images)
}

// lackedClasses writes the program's error classes that the runtime's family lacks.
func (p *Pair) lackedClasses(w *output.Writer) {
	lacked := model.Missing(model.ErrorClasses(p.A), model.ErrorClasses(p.R))
	w.Line("static const struct wi4go_class lacked_classes[] = {")
	for _, name := range slices.Sorted(maps.Keys(lacked)) {
		w.Line("    {%d, \"%s: a class that the MPI library in use does not have\"},", lacked[name], name)
	}
	w.Line("    {0, 0},\n};")
}

// addresses writes the conversions of pointers with special values.
func (p *Pair) addresses(w *output.Writer) {
	names := map[string]bool{"MPI_STATUS_IGNORE": true, "MPI_STATUSES_IGNORE": true}
	// names are the address constants of all roles, and the two that statuses use.
	for _, role := range p.In.Mappers.Roles {
		if role.Convert == mappers.Address {
			for _, c := range role.Constants {
				names[c] = true
			}
		}
	}
	// lookedUp are the constants whose addresses the front reads from the runtime's library when
	// it loads that.
	var lookedUp []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if a, ok := p.A.Pointers[name]; ok {
			if a.Symbol != "" {
				w.Line("extern void *%s;\n#define A_%s %s", a.Symbol, name, a.Symbol)
			} else {
				w.Line("#define A_%s %s", name, ctypes.Address("A", name, a))
			}
		}
		if r, ok := p.R.Pointers[name]; ok {
			if r.Symbol != "" {
				shared(w, "void *", "R_"+name, "")
				lookedUp = append(lookedUp, name)
			} else {
				w.Line("#define R_%s %s", name, ctypes.Address("R", name, r))
			}
		}
	}
	w.Line("/* Address constants that are variables of the runtime's library. */")
	w.Line("static const struct { const char *symbol; void **value; } runtime_addresses[] = {")
	for _, name := range lookedUp {
		w.Line("    {\"%s\", &R_%s},", p.R.Pointers[name].Symbol, name)
	}
	w.Line("    {0, 0},\n};")
	for _, name := range slices.Sorted(maps.Keys(p.In.Mappers.Roles)) {
		role := p.In.Mappers.Roles[name]
		if role.Convert != mappers.Address {
			continue
		}
		w.Line("static inline void *%s_a2r(const void *x)\n{", name)
		for _, c := range role.Constants {
			a, onA := p.A.Pointers[c]
			r, onR := p.R.Pointers[c]
			// A constant with the same number on both sides needs no conversion.
			if onA && onR && (a != r || a.Symbol != "") {
				w.Line("    if (unlikely(x == A_%s)) return R_%s;", c, c)
			}
		}
		w.Line("    return (void *)x;\n}")
	}
}
