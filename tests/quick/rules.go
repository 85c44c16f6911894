package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A rule has the packages that a change of a file can break, besides the Go packages that import the file's own.
type rule struct {
	prefix   string   // of the path; the first rule that matches counts
	builds   string   // the part of the build that the tests need: "", fronts or embedded
	packages []string // directories
}

var (
	overFakes = []string{"tests/fake"}
	ofDevice  = []string{"internal/embedded", "tests/adi", "tests/embedded", "tests/embedded/hang"}
	ofLibrary = []string{"tests/embedded", "tests/embedded/hang", "tests/embedded/launcher"}
)

var rules = []rule{
	{"mappers/", "fronts", append([]string{"mappers"}, overFakes...)},
	{"mappers.json", "fronts", append([]string{"gen/..."}, overFakes...)},
	{"funcs.json", "fronts", append([]string{"gen/...", "abi"}, overFakes...)},
	{"gen/embedded/", "embedded", append([]string{"gen/..."}, ofLibrary...)},
	{"gen/", "fronts", append([]string{"gen/...", "abi"}, overFakes...)},
	{"abi/", "fronts", append([]string{"gen/...", "abi"}, overFakes...)},
	{"c/launchers/", "fronts", append([]string{"internal/rankvars", "tests/embedded/launcher"}, overFakes...)},
	{"c/", "fronts", append([]string{"c/asmchooser"}, overFakes...)},
	{"shim/", "fronts", append([]string{"shim/..."}, overFakes...)},
	{"handletable/", "fronts", append([]string{"handletable"}, overFakes...)},
	{"internal/fakempi/", "", []string{"internal/doctor"}},
	{"internal/pattern/", "", []string{"internal/doctor"}},
	{"internal/verify/rules/tests.rules", "", []string{"internal/verify/...", "tests/verify"}},
	{"internal/embedded/", "", []string{"internal/embedded", "tests/embedded/hang", "tests/embedded/launcher"}},
	{"embedded/adi/models/", "", []string{"tests/adi"}},
	{"embedded/adi/", "embedded", ofDevice},
	{"embedded/", "embedded", ofLibrary},
	{"tests/adi/", "", []string{"tests/adi"}},
	{"tests/embedded/programs/", "embedded", ofLibrary},
	{"tests/conformance/", "", []string{"tests/conformance/suite", "tests/embedded"}},
	{"tests/demo/", "", []string{"tests/embedded/launcher"}},
	{"tests/large/", "", []string{"make large"}}, // it takes 10 GiB of memory
	{"bench/", "", []string{"bench/..."}},
	{"dri/", "", []string{"tests/dri"}},
	{"dtpools/", "", []string{"tests/dtpools", "tests/verify"}},
	{"verify/", "", []string{"tests/verify", "tests/doctor"}},
	{"interface/", "", []string{"tests/interface"}},
	{"packaging/", "", []string{"tests/packages"}},
	{"docs/", "", []string{"tests/docs"}},
}

// brief are the tests of packages that take longer than a minute: those that find most mistakes. make check runs all.
var brief = map[string]string{
	"tests/adi":               "TestRows/[^/]*/usual|TestA|TestDenied/futex$|TestDirect/all|TestBlocked",
	"tests/embedded":          "TestOperations|TestTypeContents|TestObjects|TestCollectiveErrors|TestInterCollectives|TestThreads|TestTopologies",
	"tests/embedded/hang":     "TestHang$|TestHangOfMany",
	"tests/embedded/launcher": "TestStreams|TestExitCodes|TestNaNs|TestJoin$|TestWholeLines",
	"tests/fake":              "TestFunctions|TestNumbers|TestStrings|TestAttributes|TestContents|TestInStatus|TestStatusFields|TestWaitall|TestSome|TestWildcards|TestOneArray",
}

// matching returns the rule of a file. A file of a package with tests needs none.
func matching(file string) (rule, bool) {
	for _, r := range rules {
		if strings.HasPrefix(file, r.prefix) {
			return r, true
		}
	}
	if own := owner(file); own != "" {
		return rule{packages: []string{own}}, true
	}
	return rule{}, false
}

// owner returns the first directory upwards from a file that has tests, or "" if there is none.
func owner(file string) string {
	for directory := filepath.Dir(file); directory != "."; directory = filepath.Dir(directory) {
		if hasTests(directory) {
			return directory
		}
	}
	return ""
}

// hasTests reports whether a directory, or one below it for a pattern that ends with /..., has tests.
func hasTests(pattern string) bool {
	if directory, all := strings.CutSuffix(pattern, "/..."); all {
		entries, _ := os.ReadDir(directory) // a directory that does not exist has no tests
		return hasTests(directory) || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.IsDir() && hasTests(filepath.Join(directory, e.Name())) })
	}
	found, _ := filepath.Glob(filepath.Join(pattern, "*_test.go")) // the pattern is valid
	return len(found) > 0
}
