package model

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"wi4go/abi"
	"wi4go/mappers"
)

// Mapping is a bijection between the integers of two families. From[i] becomes To[i]; every value
// that is not in From stays the same. From is sorted.
type Mapping struct{ From, To []int64 }

// IsIdentity reports whether the mapping changes no value.
func (m *Mapping) IsIdentity() bool { return len(m.From) == 0 }

// Inverse returns the mapping in the other direction.
func (m *Mapping) Inverse() *Mapping {
	inv := &Mapping{From: append([]int64(nil), m.To...), To: append([]int64(nil), m.From...)}
	sort.Sort(byFrom{inv})
	return inv
}

// Flips reports whether the mapping only inverts the last bit of exactly four values, none of
// which is below -4.
func (m *Mapping) Flips() bool {
	for n := range m.From {
		if m.From[n] < -4 || m.To[n] != m.From[n]^1 {
			return false
		}
	}
	return len(m.From) == 4
}

// byFrom sorts a mapping by From.
type byFrom struct{ *Mapping }

func (b byFrom) Len() int           { return len(b.From) }
func (b byFrom) Less(i, j int) bool { return b.From[i] < b.From[j] }
func (b byFrom) Swap(i, j int) {
	b.From[i], b.From[j] = b.From[j], b.From[i]
	b.To[i], b.To[j] = b.To[j], b.To[i]
}

// SelectConstants returns the family's constants that are listed in names, by name. An element
// that ends with * selects all constants with that prefix.
func SelectConstants(family *abi.Family, names []string) map[string]int64 {
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

// Biject pairs the constants of two families by name and returns a bijection on all integers that
// contains the pairs. It maps a value without a meaning on one side to a value without a meaning
// on the other side. So no invalid argument becomes a valid one, and each value survives the way
// there and back unchanged.
func Biject(a, r map[string]int64) *Mapping {
	image := map[int64]int64{}
	taken := map[int64]bool{}
	onlyA, onlyR := map[int64]bool{}, map[int64]bool{}
	for _, name := range slices.Sorted(maps.Keys(a)) {
		av := a[name]
		if rv, both := r[name]; both {
			if _, known := image[av]; !known && !taken[rv] {
				image[av] = rv
				taken[rv] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if _, paired := image[a[name]]; !paired {
			onlyA[a[name]] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r)) {
		if !taken[r[name]] {
			onlyR[r[name]] = true
		}
	}
	// If both sides use a value for different unpaired constants, map it far away.
	const far = 0x70000000
	for v := range onlyA {
		if onlyR[v] {
			image[v] = v + far
			image[v+far] = v
			taken[v], taken[v+far] = true, true
		}
	}
	// Complete the bijection over all values that occur, so that domain and range are the same set.
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
	// A constant that only side A has must not become a constant that only side R has. The domain
	// starts with A's, and the free values end with R's. If they meet nevertheless, both move far
	// away.
	sort.Slice(domain, func(i, j int) bool { return less(domain[i], domain[j], !onlyA[domain[i]], !onlyA[domain[j]]) })
	sort.Slice(free, func(i, j int) bool { return less(free[i], free[j], onlyR[free[i]], onlyR[free[j]]) })
	for i, v := range domain {
		if onlyA[v] && onlyR[free[i]] {
			image[v], v = v+far, v+far
		}
		image[v] = free[i]
	}
	m := &Mapping{}
	for v := range image {
		if image[v] != v {
			m.From = append(m.From, v)
			m.To = append(m.To, image[v])
		}
	}
	sort.Sort(byFrom{m})
	return m
}

// With returns a copy of the mapping with other images for some values. The copy need not be a
// bijection.
func (m *Mapping) With(images map[int64]int64) *Mapping {
	all := maps.Clone(images)
	for i, from := range m.From {
		if _, replaced := all[from]; !replaced {
			all[from] = m.To[i]
		}
	}
	other := &Mapping{}
	for _, from := range slices.Sorted(maps.Keys(all)) {
		if all[from] != from {
			other.From, other.To = append(other.From, from), append(other.To, all[from])
		}
	}
	return other
}

// Missing returns the constants of the first family, by name, that the second family does not have
// under this name or under another name with the same value in the first family.
func Missing(first, second map[string]int64) map[string]int64 {
	shared, lacking := map[int64]bool{}, map[string]int64{}
	for name, v := range first {
		if _, both := second[name]; both {
			shared[v] = true
		}
	}
	for name, v := range first {
		if !shared[v] {
			lacking[name] = v
		}
	}
	return lacking
}

// Substitutes returns the replacements for the constants of the first family that the second lacks:
// the second family's value for each of their values. table is ToRuntime or ToProgram of a
// mappers.Role. A constant that the table refuses with an error class has no replacement.
func Substitutes(table map[string]string, first, second map[string]int64) map[int64]int64 {
	images := map[int64]int64{}
	for name, v := range Missing(first, second) {
		if other, ok := mappers.Named(table, name); ok && !mappers.IsError(other) {
			images[v] = second[other]
		}
	}
	return images
}

// less reports whether v sorts before w. Values marked as last sort after all others; otherwise
// the order is by value.
func less(v, w int64, last, otherLast bool) bool {
	if last != otherLast {
		return otherLast
	}
	return v < w
}

// ErrorClasses returns the family's error classes, by name.
func ErrorClasses(f *abi.Family) map[string]int64 {
	classes := SelectConstants(f, []string{"MPI_SUCCESS", "MPI_ERR_*", "MPI_T_ERR_*", "MPIX_ERR_*"})
	delete(classes, "MPI_ERR_LASTCODE")
	return classes
}
