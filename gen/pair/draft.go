package pair

import (
	"slices"

	"wi4go/gen/model"
	"wi4go/gen/output"
)

// Intel MPI has the standard ABI, but some constants and handles have the numbers of a draft of
// that standard (Varies in package abi). Both a program and a library can use these. The front
// reads from the environment if its program does (program_is_draft), and detects when it loads
// the library if that does (runtime_is_draft, mappers/abi_draft.h). The conversions of the pair and
// its predefined handles then use the draft's numbers on that side. For a family without a
// draft, the variable is the constant 0.

// draft returns the mapping from a role's numbers in the standard to the draft's. Only one
// family has a draft, on whichever side of the pair.
func (p *Pair) draft(name string) *model.Mapping {
	role := p.In.Mappers.Roles[name]
	if d := model.DraftOfRole(p.A, name, role); !d.IsIdentity() {
		return d
	}
	return model.DraftOfRole(p.R, name, role)
}

// drafts writes the variables that report whether the program, and the library, has the draft's
// numbers.
func (p *Pair) drafts(w *output.Writer) {
	if model.DraftOf(p.A, model.HandleValues(p.A)).IsIdentity() {
		w.Line("#define program_is_draft 0")
	} else {
		w.Line("#define program_is_draft wi4go_program_is_draft")
	}
	if model.DraftOf(p.R, model.HandleValues(p.R)).IsIdentity() {
		w.Line("#define runtime_is_draft 0")
	} else {
		shared(w, "int ", "runtime_is_draft", " /* set when the library is loaded: see status_probe.h */")
	}
}

// writeDrafted writes the conversions of a role that a draft numbers differently, on one side
// or on both. m and back map the values between the families. NAME_standard returns the
// standard's number of a program's value, and NAME_standard_a2r the runtime's value for it.
func writeDrafted(w *output.Writer, name string, m, back, draft *model.Mapping) {
	writeValue(w, name+"_f2f", m)
	writeValue(w, name+"_f2f_back", back)
	writeValue(w, name+"_s2d", draft)
	writeValue(w, name+"_d2s", draft.Inverse())
	// A value goes from the program's numbers to the standard's, then to the other family's,
	// then to the library's numbers, and back in the reverse order.
	w.Line("static inline int64_t %s_standard(int64_t x) { return unlikely(program_is_draft) ? %s_d2s(x) : x; }", name, name)
	w.Line("#define %s_standard %s_standard", name, name)
	w.Line("static inline int64_t %s_standard_a2r(int64_t x)\n{\n    x = %s_f2f(x);\n    return unlikely(runtime_is_draft) ? %s_s2d(x) : x;\n}",
		name, name, name)
	// A usual value is usual for a draft, too.
	if gap(m) > 0 && !slices.ContainsFunc(slices.Concat(draft.From, draft.To), func(v int64) bool { return isUsual(m, v) }) {
		w.Line("#define %[1]s_a2r_usual %[1]s_f2f_usual", name)
	}
	w.Line("static inline int64_t %s_a2r(int64_t x) { return %s_standard_a2r(%s_standard(x)); }", name, name, name)
	w.Line("static inline int64_t %s_r2a(int64_t x)\n{\n    x = %s_f2f_back(unlikely(runtime_is_draft) ? %s_d2s(x) : x);\n"+
		"    return unlikely(program_is_draft) ? %s_s2d(x) : x;\n}", name, name, name, name)
}
