// Package spelling finds the word that a mistyped one stands for.
package spelling

import (
	"slices"
	"strings"
)

// Suggestion returns "did you mean X? " for the known name that differs from name only by the case of
// letters or by a missing "MPI_", else for the first that differs by one typing error, if possible by no
// letter's case. It returns "" if there is none.
func Suggestion(name string, known []string) string {
	for _, similar := range []func(k string) bool{
		func(k string) bool { return strings.EqualFold(name, k) },
		func(k string) bool { return strings.EqualFold("MPI_"+name, k) },
		func(k string) bool { return longEnough(name, k) && IsTypoOf(name, k) },
		func(k string) bool { return longEnough(name, k) && IsTypoOf(strings.ToLower(name), strings.ToLower(k)) },
	} {
		if i := slices.IndexFunc(known, similar); i >= 0 {
			return "did you mean " + known[i] + "? "
		}
	}
	return ""
}

// longEnough reports whether a known name has so many letters that a name which differs from it by one is
// probably a typing error. In a short name, only a letter too many is.
func longEnough(name, known string) bool {
	return len(known) > 3 || len(known) > 1 && len(name) > len(known)
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
