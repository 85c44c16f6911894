package pair

import (
	"wi4go/gen/model"
	"wi4go/gen/output"
)

// Intel MPI has the standard ABI with the numbers that a draft of it gave some
// constants and handles (abi: Varies). Both a program and a library can be of
// it. The front learns of its program from the environment (program_is_draft) and
// of the library when that is loaded (runtime_is_draft, mappers/standard.h); what
// a pair converts, and its predefined handles, then goes by the draft's numbers
// on that side. A side of a family without a draft has 0 for the variable.

// draft is the same of a role on either side of the pair: only one family has one.
func (p *Pair) draft(name string) *model.Mapping {
	role := p.In.Mappers.Roles[name]
	if d := model.DraftOfRole(p.A, name, role); !d.IsIdentity() {
		return d
	}
	return model.DraftOfRole(p.R, name, role)
}

// drafts writes whether the program, and the library, has the draft's numbers.
func (p *Pair) drafts(w *output.Writer) {
	if model.DraftOf(p.A, model.HandleValues(p.A)).IsIdentity() {
		w.Line("#define program_is_draft 0")
	} else {
		w.Line("#define program_is_draft wi4go_program_is_draft")
	}
	if model.DraftOf(p.R, model.HandleValues(p.R)).IsIdentity() {
		w.Line("#define runtime_is_draft 0")
	} else {
		shared(w, "int ", "runtime_is_draft", " /* set when the library is loaded: see standard.h */")
	}
}

// writeDrafted writes the conversions of values, m and back between the families, that the
// draft of one of them or of both numbers otherwise. name_standard is the family's
// number of what the program says.
func writeDrafted(w *output.Writer, name string, m, back, draft *model.Mapping) {
	writeValue(w, name+"_f2f", m)
	writeValue(w, name+"_f2f_back", back)
	writeValue(w, name+"_s2d", draft)
	writeValue(w, name+"_d2s", draft.Inverse())
	w.Line("static inline int64_t %s_standard(int64_t x) { return unlikely(program_is_draft) ? %s_d2s(x) : x; }", name, name)
	w.Line("#define %s_standard %s_standard", name, name)
	w.Line("static inline int64_t %s_a2r(int64_t x)\n{\n    x = %s_f2f(%s_standard(x));\n    return unlikely(runtime_is_draft) ? %s_s2d(x) : x;\n}",
		name, name, name, name)
	w.Line("static inline int64_t %s_r2a(int64_t x)\n{\n    x = %s_f2f_back(unlikely(runtime_is_draft) ? %s_d2s(x) : x);\n"+
		"    return unlikely(program_is_draft) ? %s_s2d(x) : x;\n}", name, name, name, name)
}
