package pair

import (
	"wi4go/gen/model"
	"wi4go/gen/output"
)

// farApart is the distance between two neighboring special values from which on a usual value is
// assumed to be between them, as the keyvals that programs create are.
const farApart = 1 << 20

// writeValue writes the conversion name (NAME_a2r or NAME_r2a) for values of a C integer type.
// If all special values are negative, or some are far apart, it tests for the usual case first.
func writeValue(w *output.Writer, name string, m *model.Mapping) {
	if m.IsIdentity() {
		w.Line("#define %s(x) (x)", name)
		return
	}
	w.Line("static inline int64_t %s(int64_t x)\n{", name)
	if m.From[len(m.From)-1] < 0 {
		w.Line("    if (likely(x >= 0))\n        return x;")
	}
	for i := 1; i < len(m.From); i++ {
		if m.From[i]-m.From[i-1] > farApart {
			w.Line("    if (likely((uint64_t)x - (uint64_t)%dll > %d && (uint64_t)x - %d > %d))\n        return x;",
				m.From[0], m.From[i-1]-m.From[0], m.From[i], m.From[len(m.From)-1]-m.From[i])
			break
		}
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
