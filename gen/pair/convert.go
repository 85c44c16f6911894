package pair

import (
	"wi4go/gen/model"
	"wi4go/gen/output"
)

// writeValue writes the conversion name (NAME_a2r or NAME_r2a) for values of a C integer type.
// If all special values are negative, it tests for the usual case first.
func writeValue(w *output.Writer, name string, m *model.Mapping) {
	if m.IsIdentity() {
		w.Line("#define %s(x) (x)", name)
		return
	}
	w.Line("static inline int64_t %s(int64_t x)\n{", name)
	if m.From[len(m.From)-1] < 0 {
		w.Line("    if (likely(x >= 0))\n        return x;")
	}
	w.Line("    switch (x) {")
	for i := range m.From {
		w.Line("    case %d: return %d;", m.From[i], m.To[i])
	}
	w.Line("    }\n    return x;\n}")
}

// writeBits writes the conversion of a set of flags, bit by bit. A bit without a meaning stays
// a bit without a meaning.
func writeBits(w *output.Writer, name string, m *model.Mapping) {
	if m.IsIdentity() {
		w.Line("#define %s(x) (x)", name)
		return
	}
	// moved has the bits that the mapping changes.
	var moved int64
	for _, v := range m.From {
		moved |= v
	}
	w.Line("static inline int %s(int x)\n{\n    int y = x & ~%d;", name, moved)
	for i := range m.From {
		w.Line("    if (x & %d) y |= %d;", m.From[i], m.To[i])
	}
	w.Line("    return y;\n}")
}
