package model

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"wi4go/abi"
	"wi4go/mappers"
)

// Mapping is a bijection between two families' integers that differs from the
// identity in the listed places only.
type Mapping struct{ From, To []int64 }

// IsIdentity says that no value changes.
func (m *Mapping) IsIdentity() bool { return len(m.From) == 0 }

// Inverse is the mapping back.
func (m *Mapping) Inverse() *Mapping {
	inv := &Mapping{From: append([]int64(nil), m.To...), To: append([]int64(nil), m.From...)}
	sort.Sort(byFrom{inv})
	return inv
}

// Flips says that the special values, four of them above -5, differ in one bit.
func (m *Mapping) Flips() bool {
	for n := range m.From {
		if m.From[n] < -4 || m.To[n] != m.From[n]^1 {
			return false
		}
	}
	return len(m.From) == 4
}

type byFrom struct{ *Mapping }

func (b byFrom) Len() int           { return len(b.From) }
func (b byFrom) Less(i, j int) bool { return b.From[i] < b.From[j] }
func (b byFrom) Swap(i, j int) {
	b.From[i], b.From[j] = b.From[j], b.From[i]
	b.To[i], b.To[j] = b.To[j], b.To[i]
}

// SelectConstants returns the family's constants whose names a list selects.
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

// Biject pairs the constants of two families by name and completes the pairs
// to a bijection on all integers: a value that means nothing on one side goes
// to one that means nothing on the other, so no invalid argument turns into a
// valid one and each comes back as it was.
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
	// What only the one side knows must not become what only the other knows. The one
	// comes first and the other last; where they meet, both move far away.
	sort.Slice(domain, func(i, j int) bool { return before(domain[i], domain[j], !onlyA[domain[i]], !onlyA[domain[j]]) })
	sort.Slice(free, func(i, j int) bool { return before(free[i], free[j], onlyR[free[i]], onlyR[free[j]]) })
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

// With returns the mapping with other images for some values, no longer a bijection.
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

// Lacking returns the names and values of the first family's constants that the second
// lacks, under any name.
func Lacking(first, second map[string]int64) map[string]int64 {
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

// Instead returns the images that a table (mappers.Role) gives to the constants of the first
// family that the second lacks.
func Instead(table map[string]string, first, second map[string]int64) map[int64]int64 {
	images := map[int64]int64{}
	for name, v := range Lacking(first, second) {
		if other, ok := mappers.Named(table, name); ok && !mappers.IsError(other) {
			images[v] = second[other]
		}
	}
	return images
}

// before orders values, those that are to stand last behind the others.
func before(v, w int64, last, otherLast bool) bool {
	if last != otherLast {
		return otherLast
	}
	return v < w
}

// ErrorClasses are the constants that are error classes.
func ErrorClasses(f *abi.Family) map[string]int64 {
	classes := SelectConstants(f, []string{"MPI_SUCCESS", "MPI_ERR_*", "MPI_T_ERR_*", "MPIX_ERR_*"})
	delete(classes, "MPI_ERR_LASTCODE")
	return classes
}
