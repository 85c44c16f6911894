package fetch

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"wi4go/internal/pattern"
)

// versionPattern splits a version in its normal form (PEP 440) into the release, the
// pre-release (a, b, rc), the post-release (post) and the development release (dev).
var versionPattern = pattern.New(`^(\d+(?:\.\d+)*)((?:a|b|rc)\d+)?(?:\.post(\d+))?(\.dev\d+)?(?:\+\S+)?$`)

// isFinal reports whether a version is a release and not a pre-release.
func isFinal(version string) bool {
	m := versionPattern.FindStringSubmatch(version)
	return m != nil && m[2] == "" && m[4] == ""
}

// compareVersions returns the order of two versions (PEP 440): negative, 0 or positive. Texts
// that are not versions come first.
func compareVersions(a, b string) int {
	p, q := versionPattern.FindStringSubmatch(a), versionPattern.FindStringSubmatch(b)
	if p == nil || q == nil {
		return cmp.Or(cmp.Compare(len(p), len(q)), strings.Compare(a, b))
	}
	before := func(m []string) string { return m[4] + m[2] + "~" } // .dev, a, b, rc and the final release sort in this order
	return cmp.Or(slices.Compare(numbers(p[1]), numbers(q[1])), strings.Compare(before(p), before(q)),
		cmp.Compare(number(p[3]), number(q[3])))
}

// Newest returns the final versions, the newest first. It leaves out version 0, which belongs
// to packages that only reserve a name.
func Newest(versions []string) []string {
	versions = slices.DeleteFunc(slices.Clone(versions), func(v string) bool { return !isFinal(v) || compareVersions(v, "0") == 0 })
	slices.SortFunc(versions, func(a, b string) int { return compareVersions(b, a) })
	return versions
}

// numbers returns the components of a release without trailing zeros.
func numbers(release string) []int {
	var n []int
	for part := range strings.SplitSeq(release, ".") {
		n = append(n, number(part))
	}
	for len(n) > 1 && n[len(n)-1] == 0 {
		n = n[:len(n)-1]
	}
	return n
}

// number returns the number in text, or -1 if text is not a number.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}

// matches reports whether the release of version begins with the components of want: 5 and 5.0
// match 5.0.2 and 5.0.2.post1.
func matches(version, want string) bool {
	m := versionPattern.FindStringSubmatch(version)
	return m != nil && (version == want || strings.HasPrefix(m[1]+".", want+"."))
}

// satisfies reports whether a version satisfies all specifiers of a dependency (==2021.2, >=1,<3,
// ~=1.4, ==1.*).
func satisfies(version, specifiers string) bool {
	for spec := range strings.SplitSeq(strings.Trim(specifiers, "() "), ",") {
		spec = strings.TrimSpace(spec)
		if spec == "" {
			continue
		}
		m := specifier.FindStringSubmatch(spec)
		if m == nil {
			return false
		}
		c := compareVersions(version, m[2])
		prefix, wild := strings.CutSuffix(m[2], ".*")
		ok := false
		switch m[1] {
		case "==":
			ok = c == 0 || wild && matches(version, prefix)
		case "!=":
			ok = c != 0 && !(wild && matches(version, prefix))
		case ">=":
			ok = c >= 0
		case "<=":
			ok = c <= 0
		case ">":
			ok = c > 0
		case "<":
			ok = c < 0
		case "~=": // at least this version, with the same components except the last
			i := strings.LastIndexByte(m[2], '.')
			ok = i > 0 && c >= 0 && matches(version, m[2][:i])
		}
		if !ok {
			return false
		}
	}
	return true
}

// specifier splits a specifier into operator and version.
var specifier = pattern.New(`^(==|!=|>=|<=|~=|>|<)\s*(\S+)$`)
