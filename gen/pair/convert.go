package pair

import (
	"fmt"
	"slices"
	"strings"

	"wi4go/gen/model"
	"wi4go/gen/output"
)

// farApart is the distance between two neighboring special values from which on a usual value is
// assumed to be between them, as the keyvals that programs create are. Values at most closeBy apart are
// in one array.
const (
	farApart = 1 << 20
	closeBy  = 16
)

// writeValue writes the conversion name (NAME_a2r or NAME_r2a) for values of a C integer type.
// If all special values are negative, or some are far apart, it tests for the usual case first; for
// the latter, NAME_usual reports whether a value stays as it is.
func writeValue(w *output.Writer, name string, m *model.Mapping) {
	if m.IsIdentity() {
		w.Line("#define %s(x) (x)", name)
		return
	}
	if i := gap(m); i > 0 {
		w.Line("static inline int %s_usual(int64_t x)\n{\n    return (uint64_t)x - (uint64_t)%dll > %d && (uint64_t)x - %d > %d;\n}",
			name, m.From[0], m.From[i-1]-m.From[0], m.From[i], m.From[len(m.From)-1]-m.From[i])
		w.Line("#define %[1]s_usual %[1]s_usual", name)
	}
	w.Line("static inline int64_t %s(int64_t x)\n{", name)
	if m.From[len(m.From)-1] < 0 {
		w.Line("    if (likely(x >= 0))\n        return x;")
	}
	if gap(m) > 0 {
		w.Line("    if (likely(%s_usual(x)))\n        return x;", name)
		writeClusters(w, m)
		return
	}
	w.Line("    switch (x) {")
	for i := range m.From {
		w.Line("    case %d: return %d;", m.From[i], m.To[i])
	}
	w.Line("    }\n    return x;\n}")
}

// gap returns the index of the first special value that is far from the one before it, or 0.
func gap(m *model.Mapping) int {
	for i := 1; i < len(m.From); i++ {
		if m.From[i]-m.From[i-1] > farApart {
			return i
		}
	}
	return 0
}

// isUsual reports whether a value is between or outside the groups of special values that are far apart.
func isUsual(m *model.Mapping, v int64) bool {
	i, last := gap(m), len(m.From)-1
	return (v < m.From[0] || v > m.From[i-1]) && (v < m.From[i] || v > m.From[last])
}

// writeClusters writes the rest of a conversion: an array for each group of special values that are
// close to each other, the largest group first.
func writeClusters(w *output.Writer, m *model.Mapping) {
	var clusters [][]int // indices of m.From
	for i := range m.From {
		if i == 0 || m.From[i]-m.From[i-1] > closeBy {
			clusters = append(clusters, nil)
		}
		last := len(clusters) - 1
		clusters[last] = append(clusters[last], i)
	}
	slices.SortStableFunc(clusters, func(a, b []int) int { return len(b) - len(a) })
	for _, c := range clusters {
		first, last := m.From[c[0]], m.From[c[len(c)-1]]
		if first == last {
			w.Line("    if (x == %d)\n        return %d;", first, m.To[c[0]])
			continue
		}
		// A value between two special ones is no special value, and is not converted.
		to := make([]string, last-first+1)
		for i := range to {
			to[i] = fmt.Sprint(first + int64(i))
		}
		for _, i := range c {
			to[m.From[i]-first] = fmt.Sprint(m.To[i])
		}
		w.Line("    if ((uint64_t)x - (uint64_t)%dll < %d) {\n        static const int to[] = {%s};\n        return to[x - %dll];\n    }",
			first, len(to), strings.Join(to, ", "), first)
	}
	w.Line("    return x;\n}")
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
