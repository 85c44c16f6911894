package gen

import (
	"fmt"
	"slices"

	"wi4go/abi"
	"wi4go/mappers"
)

// Intel MPI has the standard ABI with the numbers that a draft of it gave some
// constants and handles (abi: Varies). Both a program and a library can be of
// it. The front learns of its program from the environment (program_is_draft) and
// of the library when that is loaded (runtime_is_draft, mappers/standard.h); what
// a pair converts, and its predefined handles, then goes by the draft's numbers
// on that side. A side of a family without a draft has 0 for the variable.

// handleValues are a family's predefined handles that have one value for all
// programs.
func handleValues(f *abi.Family) map[string]int64 {
	values := map[string]int64{}
	for name, h := range f.Handles {
		if h.Value != nil {
			values[name] = *h.Value
		}
	}
	return values
}

// draftOf is the way from the family's values to those of its draft, for the
// named ones. Only the standard ABI has one.
func draftOf(f *abi.Family, values map[string]int64) *mapping {
	drafted := map[string]int64{}
	for name, value := range values {
		drafted[name] = value
		for _, label := range sortedKeys(f.Varies[name]) {
			if v := f.Varies[name][label]; f.Traits.Draft && v != value {
				drafted[name] = v
			}
		}
	}
	return biject(values, drafted)
}

// draftOfRole is the same for the constants of a role, or the handles of a kind.
func draftOfRole(f *abi.Family, name string, role mappers.Role) *mapping {
	if role.Convert != mappers.Handle {
		return draftOf(f, selectConstants(f, role.Constants))
	}
	values := handleValues(f)
	for handle := range values {
		if f.Handles[handle].Kind != name {
			delete(values, handle)
		}
	}
	return draftOf(f, values)
}

// draft is the same of a role on either side of the pair: only one family has one.
func (p *pair) draft(name string) *mapping {
	role := p.in.Mappers.Roles[name]
	if d := draftOfRole(p.a, name, role); !d.identity() {
		return d
	}
	return draftOfRole(p.r, name, role)
}

// drafts writes whether the program, and the library, has the draft's numbers.
func (p *pair) drafts(w *writer) {
	if draftOf(p.a, handleValues(p.a)).identity() {
		w.line("#define program_is_draft 0")
	} else {
		w.line("#define program_is_draft wi4go_program_is_draft")
	}
	if draftOf(p.r, handleValues(p.r)).identity() {
		w.line("#define runtime_is_draft 0")
	} else {
		w.line("static int runtime_is_draft; /* set when the library is loaded: see standard.h */")
	}
}

// writeDrafted writes the conversions of values, m between the families, that the
// draft of one of them or of both numbers otherwise. name_standard is the family's
// number of what the program says.
func writeDrafted(w *writer, name string, m, draft *mapping) {
	writeValue(w, name+"_f2f", m)
	writeValue(w, name+"_f2f_back", m.inverse())
	writeValue(w, name+"_s2d", draft)
	writeValue(w, name+"_d2s", draft.inverse())
	w.line("static inline int64_t %s_standard(int64_t x) { return unlikely(program_is_draft) ? %s_d2s(x) : x; }", name, name)
	w.line("#define %s_standard %s_standard", name, name)
	w.line("static inline int64_t %s_a2r(int64_t x)\n{\n    x = %s_f2f(%s_standard(x));\n    return unlikely(runtime_is_draft) ? %s_s2d(x) : x;\n}",
		name, name, name, name)
	w.line("static inline int64_t %s_r2a(int64_t x)\n{\n    x = %s_f2f_back(unlikely(runtime_is_draft) ? %s_d2s(x) : x);\n"+
		"    return unlikely(program_is_draft) ? %s_s2d(x) : x;\n}", name, name, name, name)
}

// number is the C of a value on one side, which has the draft's where variable
// says so.
func number(f *abi.Family, name string, value int64, variable string) string {
	d := draftOf(f, map[string]int64{name: value})
	if d.identity() {
		return fmt.Sprint(int32(value))
	}
	return fmt.Sprintf("(%s ? %d : %d)", variable, d.to[slices.Index(d.from, value)], value)
}
