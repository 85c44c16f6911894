// Command quick is `make quick`: it runs the tests that the files changed since the last commit can break, without any
// MPI. These are the Go packages that depend on changed ones, and the packages of the rules for other files. Of the
// longest packages it runs the tests that find most mistakes. UNIT has the packages that need no MPI.
package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if err := quick(); err != nil {
		fmt.Fprintln(os.Stderr, "quick:", err)
		os.Exit(1)
	}
}

func quick() error {
	changed, err := lines("sh", "-c", "{ git diff --name-only HEAD; git ls-files -o --exclude-standard; } | sort -u")
	if err != nil {
		return err
	}
	if len(changed) == 0 {
		fmt.Println("nothing differs from the last commit: make check runs all tests that need no MPI")
		return nil
	}
	if err := checkGo(changed); err != nil {
		return err
	}
	p, err := planned(changed)
	if err != nil {
		return err
	}
	return p.run()
}

// A plan has the parts of the build and the packages that changed files need.
type plan struct {
	builds, packages map[string]bool
	left             map[string]bool // packages that need an MPI, and other make targets
}

// planned returns the plan for changed files.
func planned(changed []string) (plan, error) {
	p := plan{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	var patterns []string
	for _, file := range changed {
		r, known := matching(file)
		if !known {
			continue // it is no source
		}
		p.builds[r.builds] = true
		patterns = append(patterns, r.packages...)
	}
	users, err := dependents(changed)
	if err != nil {
		return p, err
	}
	if slices.Contains(users, "shim/core") {
		p.builds["fronts"] = true
		patterns = append(patterns, overFakes...)
	}
	free, err := expanded(strings.Fields(os.Getenv("UNIT")))
	if err != nil {
		return p, err
	}
	for _, pattern := range append(patterns, users...) {
		if strings.HasPrefix(pattern, "make ") {
			p.left[pattern] = true
			continue
		}
		names, err := expanded([]string{pattern})
		if err != nil {
			return p, err
		}
		for _, name := range names {
			if slices.Contains(free, name) {
				p.packages[name] = true
			} else if hasTests(name) {
				p.left["go test ./"+name] = true
			}
		}
	}
	return p, nil
}

// run builds the parts, and tests the packages.
func (p plan) run() error {
	env := append(os.Environ(), "WI4GO_TIER=test")
	if p.builds["fronts"] { // compiled without optimization, which takes a third of the time
		if err := run(nil, "make", "-s", "B=build/quick", "CFLAGS=-O0", "core", "fronts"); err != nil {
			return err
		}
		top, err := os.Getwd()
		if err != nil {
			return err
		}
		env = append(env, "WI4GO_FAKE_FRONTS="+filepath.Join(top, "build/quick/lib/wi4go"))
	}
	if p.builds["embedded"] {
		if err := run(nil, "make", "-s", "command", "adi", "embedded"); err != nil {
			return err
		}
	}
	whole := []string{"test"}
	for _, name := range slices.Sorted(maps.Keys(p.packages)) {
		if brief[name] == "" {
			whole = append(whole, "./"+name)
		}
	}
	var failure error
	if len(whole) > 1 {
		failure = run(env, "go", whole...)
	}
	for _, name := range slices.Sorted(maps.Keys(p.packages)) {
		if brief[name] != "" {
			failure = first(failure, run(env, "go", "test", "-run", brief[name], "./"+name))
		}
	}
	for _, command := range slices.Sorted(maps.Keys(p.left)) {
		fmt.Println("not run, because it needs an MPI or takes long:", command)
	}
	return failure
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// checkGo vets the packages of changed Go files, and checks their formatting.
func checkGo(changed []string) error {
	packages, files := map[string]bool{}, []string{}
	for _, file := range changed {
		if _, err := os.Stat(file); err == nil && filepath.Ext(file) == ".go" {
			packages["./"+filepath.Dir(file)] = true
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		return nil
	}
	unformatted, err := lines("gofmt", append([]string{"-l"}, files...)...)
	if err != nil {
		return err
	}
	if len(unformatted) > 0 {
		return fmt.Errorf("not formatted: %s: run gofmt -w on it", strings.Join(unformatted, ", "))
	}
	return run(nil, "go", append([]string{"vet"}, slices.Sorted(maps.Keys(packages))...)...)
}

// dependents returns the packages that import the package of a changed Go file, and this package itself.
func dependents(changed []string) (users []string, err error) {
	listed, err := lines("go", "list", "-test", "-f", "{{.ImportPath}} {{join .Deps \" \"}}", "./...")
	if err != nil {
		return nil, err
	}
	for _, file := range changed {
		if filepath.Ext(file) != ".go" {
			continue
		}
		changed := module + filepath.Dir(file)
		for _, line := range listed {
			words := strings.Fields(line)
			if strings.HasSuffix(words[0], ".test") || !slices.Contains(words, changed) {
				continue
			}
			users = append(users, strings.TrimSuffix(strings.TrimPrefix(words[0], module), "_test"))
		}
	}
	slices.Sort(users)
	return slices.Compact(users), nil
}

const module = "wi4go/"

// expanded returns the directories of packages that match patterns, without those that do not exist any more.
func expanded(patterns []string) (names []string, err error) {
	var existing []string
	for _, pattern := range patterns {
		pattern = "./" + strings.TrimPrefix(pattern, "./")
		if _, err := os.Stat(strings.TrimSuffix(pattern, "/...")); err == nil {
			existing = append(existing, pattern)
		}
	}
	if len(existing) == 0 {
		return nil, nil
	}
	names, err = lines("go", append([]string{"list"}, existing...)...)
	for i, name := range names {
		names[i] = strings.TrimPrefix(name, module)
	}
	return names, err
}

// lines returns the lines that a command prints.
func lines(name string, args ...string) ([]string, error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' }), nil
}

// run runs a command that prints to the same terminal.
func run(env []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = env, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}
