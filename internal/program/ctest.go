package program

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/pattern"
)

// testFile is the file in which CMake lists the tests of a directory for ctest.
const testFile = "CTestTestfile.cmake"

// The syntax of these files.
var (
	// testCommand matches a command of CMake that adds a test, more files or directories, and its arguments.
	testCommand = pattern.New(`(?m)^\s*(add_test|subdirs|include)\(\s*(.*?)\s*\)\s*$`)
	// testArgument matches an argument: between brackets, quoted, or plain.
	testArgument = pattern.New(`\[=*\[(.*?)\]=*\]|"((?:[^"\\]|\\.)*)"|([^\s"]+)`)
	// ctests matches the file name of ctest.
	ctests = pattern.New(`^ctest3?$`)
)

// A testSelection holds the tests that ctest runs, by the options of its command line.
type testSelection struct {
	only, but *regexp.Regexp // match the names of tests that run, and that do not; nil: all, none
}

// has reports whether ctest runs the test with this name.
func (s testSelection) has(name string) bool {
	return (s.only == nil || s.only.MatchString(name)) && (s.but == nil || !s.but.MatchString(name))
}

// ctest returns the first command that starts ranks and that ctest runs with these arguments in directory
// dir, or nil.
func (f *launchFinder) ctest(args []string, dir string, nested int) *Launch {
	if nested <= 0 {
		return nil
	}
	var tests testSelection
	for i := 0; i < len(args); i++ {
		option, value, joined := strings.Cut(args[i], "=")
		if !joined && i+1 < len(args) {
			value = args[i+1]
		}
		// An expression that Go does not know selects all tests.
		switch expression, _ := regexp.Compile(value); option {
		case "--test-dir":
			dir = inDir(value, dir)
		case "-R", "--tests-regex":
			tests.only = expression
		case "-E", "--exclude-regex":
			tests.but = expression
		}
	}
	return f.tests(filepath.Join(dir, testFile), tests, nested)
}

// tests returns the first command by which a test in this file of tests, or in those that it names, starts ranks, or nil.
func (f *launchFinder) tests(path string, selected testSelection, nested int) *Launch {
	text, err := elfobj.Head(path, maxScript)
	key := fmt.Sprintf("ctest\x00%s\x00%v\x00%v", path, selected.only, selected.but)
	if err != nil || f.seen[key] {
		return nil
	}
	f.seen[key] = true
	dir := filepath.Dir(path)
	for _, command := range testCommand.FindAllStringSubmatch(string(text), -1) {
		var words []string
		for _, m := range testArgument.FindAllStringSubmatch(command[2], -1) {
			words = append(words, m[1]+m[2]+m[3])
		}
		var found *Launch
		switch {
		case len(words) == 0:
		case command[1] == "include":
			found = f.tests(inDir(words[0], dir), selected, nested)
		case command[1] == "subdirs":
			for i := 0; i < len(words) && found == nil; i++ {
				found = f.tests(filepath.Join(inDir(words[i], dir), testFile), selected, nested)
			}
		case selected.has(words[0]):
			found = f.commands(path, strings.Join(words[1:], " "), dir, nested)
		}
		if found != nil {
			return found
		}
	}
	return nil
}
