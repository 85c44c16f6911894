package gen

import (
	"fmt"
	"sort"
	"strings"

	"wi4go/abi"
)

// mapping is a bijection between two families' integers that differs from the
// identity in the listed places only.
type mapping struct{ from, to []int64 }

func (m *mapping) identity() bool { return len(m.from) == 0 }

func (m *mapping) inverse() *mapping {
	inv := &mapping{from: append([]int64(nil), m.to...), to: append([]int64(nil), m.from...)}
	sort.Sort(byFrom{inv})
	return inv
}

// flips says that the special values, four of them above -5, differ in one bit.
func (m *mapping) flips() bool {
	for n := range m.from {
		if m.from[n] < -4 || m.to[n] != m.from[n]^1 {
			return false
		}
	}
	return len(m.from) == 4
}

type byFrom struct{ *mapping }

func (b byFrom) Len() int           { return len(b.from) }
func (b byFrom) Less(i, j int) bool { return b.from[i] < b.from[j] }
func (b byFrom) Swap(i, j int) {
	b.from[i], b.from[j] = b.from[j], b.from[i]
	b.to[i], b.to[j] = b.to[j], b.to[i]
}

// selectConstants returns the family's constants whose names a list selects.
func selectConstants(family *abi.Family, names []string) map[string]int64 {
	selected := map[string]int64{}
	for name, value := range family.Constants {
		for _, pattern := range names {
			prefix, open := strings.CutSuffix(pattern, "*")
			if name == pattern || open && strings.HasPrefix(name, prefix) {
				selected[name] = value
			}
		}
	}
	return selected
}

// biject pairs the constants of two families by name and completes the pairs
// to a bijection on all integers: a value that means nothing on one side goes
// to one that means nothing on the other, so no invalid argument turns into a
// valid one and each comes back as it was.
func biject(a, r map[string]int64) *mapping {
	image := map[int64]int64{}
	taken := map[int64]bool{}
	onlyA, onlyR := map[int64]bool{}, map[int64]bool{}
	for _, name := range sortedKeys(a) {
		av := a[name]
		if rv, both := r[name]; both {
			if _, known := image[av]; !known && !taken[rv] {
				image[av] = rv
				taken[rv] = true
			}
		}
	}
	for _, name := range sortedKeys(a) {
		if _, paired := image[a[name]]; !paired {
			onlyA[a[name]] = true
		}
	}
	for _, name := range sortedKeys(r) {
		if !taken[r[name]] {
			onlyR[r[name]] = true
		}
	}
	// A value that both sides use for different unpaired things goes far away.
	const far = 0x70000000
	for v := range onlyA {
		if onlyR[v] {
			image[v] = v + far
			image[v+far] = v
			taken[v], taken[v+far] = true, true
		}
	}
	// Complete over the values that are touched: domain and range are the same set.
	touched := map[int64]bool{}
	for av, rv := range image {
		touched[av], touched[rv] = true, true
	}
	var domain, free []int64
	for v := range touched {
		if _, paired := image[v]; !paired {
			domain = append(domain, v)
		}
		if !taken[v] {
			free = append(free, v)
		}
	}
	// What only the one side knows must not become what only the other knows: the
	// one comes first, the other last, and where they meet the way is by far away.
	sort.Slice(domain, func(i, j int) bool { return before(domain[i], domain[j], !onlyA[domain[i]], !onlyA[domain[j]]) })
	sort.Slice(free, func(i, j int) bool { return before(free[i], free[j], onlyR[free[i]], onlyR[free[j]]) })
	for i, v := range domain {
		if onlyA[v] && onlyR[free[i]] {
			image[v], v = v+far, v+far
		}
		image[v] = free[i]
	}
	m := &mapping{}
	for v := range image {
		if image[v] != v {
			m.from = append(m.from, v)
			m.to = append(m.to, image[v])
		}
	}
	sort.Sort(byFrom{m})
	return m
}

// before orders values, those that are to stand last behind the others.
func before(v, w int64, last, otherLast bool) bool {
	if last != otherLast {
		return otherLast
	}
	return v < w
}

// writeValue writes name_a2r or name_r2a for values of a C integer type. A
// mapping whose special values are all negative has the common case first.
func writeValue(w *writer, name string, m *mapping) {
	if m.identity() {
		w.line("#define %s(x) (x)", name)
		return
	}
	w.line("static inline int64_t %s(int64_t x)\n{", name)
	if m.from[len(m.from)-1] < 0 {
		w.line("    if (likely(x >= 0))\n        return x;")
	}
	w.line("    switch (x) {")
	for i := range m.from {
		w.line("    case %d: return %d;", m.from[i], m.to[i])
	}
	w.line("    }\n    return x;\n}")
}

// writeBits writes the conversion of a set of flags, bit by bit; bits without
// a meaning go to bits without one.
func writeBits(w *writer, name string, m *mapping) {
	if m.identity() {
		w.line("#define %s(x) (x)", name)
		return
	}
	var moved int64
	for _, v := range m.from {
		moved |= v
	}
	w.line("static inline int %s(int x)\n{\n    int y = x & ~%d;", name, moved)
	for i := range m.from {
		w.line("    if (x & %d) y |= %d;", m.from[i], m.to[i])
	}
	w.line("    return y;\n}")
}

// addressOf is the C expression of an address constant on one side.
func addressOf(prefix, name string, p abi.Pointer) string {
	if p.Symbol != "" {
		return fmt.Sprintf("%s_%s", prefix, name)
	}
	return fmt.Sprintf("((void *)(intptr_t)%d)", p.Value)
}
