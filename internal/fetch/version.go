package fetch

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// versionPattern splits a version in its normal form (PEP 440): release, what
// comes before it (a, b, rc, dev), what comes after it (post).
var versionPattern = regexp.MustCompile(`^(\d+(?:\.\d+)*)((?:a|b|rc)\d+)?(?:\.post(\d+))?(\.dev\d+)?(?:\+\S+)?$`)

// isFinal says whether a version is a release and no preview of one.
func isFinal(version string) bool {
	m := versionPattern.FindStringSubmatch(version)
	return m != nil && m[2] == "" && m[4] == ""
}

// compareVersions orders versions (PEP 440); what is no version comes first.
func compareVersions(a, b string) int {
	p, q := versionPattern.FindStringSubmatch(a), versionPattern.FindStringSubmatch(b)
	if p == nil || q == nil {
		return cmp.Or(cmp.Compare(len(p), len(q)), strings.Compare(a, b))
	}
	before := func(m []string) string { return m[4] + m[2] + "~" } // of .dev, a, b, rc and nothing, each comes before the next
	return cmp.Or(slices.Compare(numbers(p[1]), numbers(q[1])), strings.Compare(before(p), before(q)),
		cmp.Compare(number(p[3]), number(q[3])))
}

// Newest gives final versions, the newest first. Version 0 is what packages
// have that only keep a name.
func Newest(versions []string) []string {
	versions = slices.DeleteFunc(slices.Clone(versions), func(v string) bool { return !isFinal(v) || compareVersions(v, "0") == 0 })
	slices.SortFunc(versions, func(a, b string) int { return compareVersions(b, a) })
	return versions
}

// numbers are a release's components, without zeros at its end.
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

// number reads a number; nothing is less than 0.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}

// matches says whether the release of version begins with the components of
// want: 5 and 5.0 match 5.0.2 and 5.0.2.post1.
func matches(version, want string) bool {
	m := versionPattern.FindStringSubmatch(version)
	return m != nil && (version == want || strings.HasPrefix(m[1]+".", want+"."))
}

// satisfies says whether a version fulfils the specifiers of a dependency
// (==2021.2, >=1,<3, ~=1.4, ==1.*).
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
		case "~=": // at least this, and all but its last component
			i := strings.LastIndexByte(m[2], '.')
			ok = i > 0 && c >= 0 && matches(version, m[2][:i])
		}
		if !ok {
			return false
		}
	}
	return true
}

var specifier = regexp.MustCompile(`^(==|!=|>=|<=|~=|>|<)\s*(\S+)$`)
