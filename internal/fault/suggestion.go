package fault

import (
	"slices"
	"strings"
)

// Suggestion returns "did you mean X? " for the known name that differs from name only by the case of
// letters, else for the first that differs by one typing error. It returns "" if there is none.
func Suggestion(name string, known []string) string {
	isTypo := func(k string) bool { return len(k) > 3 && IsTypoOf(strings.ToLower(name), strings.ToLower(k)) }
	i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(name, k) })
	if i < 0 {
		i = slices.IndexFunc(known, isTypo)
	}
	if i < 0 {
		return ""
	}
	return "did you mean " + known[i] + "? "
}

// IsTypoOf reports whether two words are equal except for one typing error: a letter too many, too few
// or wrong, or two neighbors swapped.
func IsTypoOf(a, b string) bool {
	if a == b {
		return true
	}
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	a, b = a[n:], b[n:]
	switch len(a) - len(b) {
	case -1:
		return a == b[1:]
	case 1:
		return a[1:] == b
	case 0:
		return a[1:] == b[1:] || len(a) > 1 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
	}
	return false
}
