package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// An event is a line of `go test -json` (go doc test2json).
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

// A result is how a test or a package ended: pass, fail or skip.
type result struct {
	action  string
	seconds float64
}

// pkg is a tested package.
type pkg struct {
	result
	cpu    float64
	tests  map[string]result
	output map[string][]string // the output of tests that have not passed yet, by test; the package's own under ""
}

// A report holds all packages, by import path.
type report struct {
	to       io.Writer
	packages map[string]*pkg
	reasons  map[string]int // of skipped tests
}

func newReport(to io.Writer) *report {
	return &report{to, map[string]*pkg{}, map[string]int{}}
}

// read reads events until the end, and prints failures and each package's end.
func (r *report) read(events io.Reader) error {
	lines := bufio.NewReader(events)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var e event
		if json.Unmarshal(line, &e) != nil {
			fmt.Fprintf(r.to, "%s", line) // printed by a program before go test knows it
			continue
		}
		r.take(e)
	}
}

func (r *report) take(e event) {
	if e.Package == "" { // the output of a build
		fmt.Fprint(r.to, e.Output)
		return
	}
	p := r.packages[e.Package]
	if p == nil {
		p = &pkg{tests: map[string]result{}, output: map[string][]string{}}
		r.packages[e.Package] = p
	}
	switch e.Action {
	case "output":
		p.output[e.Test] = append(p.output[e.Test], e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			r.end(e, p)
			return
		}
		p.tests[e.Test] = result{e.Action, e.Elapsed}
		if e.Action == "fail" {
			fmt.Fprintf(r.to, "%s: %s", e.Package, strings.Join(p.output[e.Test], ""))
		}
		if e.Action == "skip" {
			r.reasons[reason(p.output[e.Test])]++
		}
		delete(p.output, e.Test)
	}
}

// end prints a package's line and, if it fails, the output of its tests that have not ended.
func (r *report) end(e event, p *pkg) {
	p.result = result{e.Action, e.Elapsed}
	if e.Action == "fail" {
		for _, test := range slices.Sorted(maps.Keys(p.output)) {
			fmt.Fprint(r.to, strings.Join(p.output[test], ""))
		}
	}
	if len(p.tests) > 0 || e.Action == "fail" {
		fmt.Fprintf(r.to, "%-4s %-40s %7.1f s\n", map[string]string{"pass": "ok", "fail": "FAIL", "skip": "-"}[e.Action], e.Package, e.Elapsed)
	}
	p.output = nil
}

var place = regexp.MustCompile(`^\s+\S+\.go:\d+: `)

// reason returns the last line of a skipped test's output, without file and line.
func reason(output []string) string {
	for _, line := range slices.Backward(output) {
		if at := place.FindString(line); at != "" {
			return strings.TrimSpace(line[len(at):])
		}
	}
	return "no reason given"
}

// addCPU reads lines with a package's directory and its CPU seconds.
func (r *report) addCPU(lines string) {
	for line := range strings.Lines(lines) {
		directory, text, _ := strings.Cut(strings.TrimSpace(line), "\t")
		seconds, _ := strconv.ParseFloat(text, 64)
		for path, p := range r.packages {
			if name, err := filepath.Rel(top(), directory); err == nil && strings.HasSuffix(path, "/"+filepath.ToSlash(name)) {
				p.cpu += seconds
			}
		}
	}
}

// top returns the directory that times is started in: the top of the repository.
func top() string {
	directory, err := os.Getwd()
	if err != nil {
		return "."
	}
	return directory
}

func (p *pkg) count(action string) (n int) {
	for _, t := range p.tests {
		if t.action == action {
			n++
		}
	}
	return n
}

// sorted returns the packages with tests, the longest first.
func (r *report) sorted() []string {
	names := slices.DeleteFunc(slices.Collect(maps.Keys(r.packages)), func(name string) bool { return len(r.packages[name].tests) == 0 })
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(r.packages[b].seconds, r.packages[a].seconds), cmp.Compare(a, b))
	})
	return names
}

// table prints the packages and the reasons of skipped tests.
func (r *report) table() {
	fmt.Fprintf(r.to, "\n%-44s %9s %9s %7s %7s %7s\n", "package", "seconds", "CPU s", "passed", "failed", "skipped")
	var cpu float64
	var passed, failed, skipped int
	for _, name := range r.sorted() {
		p := r.packages[name]
		fmt.Fprintf(r.to, "%-44s %9.1f %9.1f %7d %7d %7d\n", name, p.seconds, p.cpu, p.count("pass"), p.count("fail"), p.count("skip"))
		cpu, passed, failed, skipped = cpu+p.cpu, passed+p.count("pass"), failed+p.count("fail"), skipped+p.count("skip")
	}
	fmt.Fprintf(r.to, "%-44s %9s %9.1f %7d %7d %7d\n", "all", "", cpu, passed, failed, skipped)
	for _, text := range slices.Sorted(maps.Keys(r.reasons)) {
		fmt.Fprintf(r.to, "skipped %4d: %s\n", r.reasons[text], text)
	}
}

// record returns a line for each package and test: package, test, result, seconds, and the package's CPU seconds.
func (r *report) record() string {
	var text strings.Builder
	for _, name := range r.sorted() {
		p := r.packages[name]
		fmt.Fprintf(&text, "%s\t\t%s\t%.2f\t%.1f\n", name, p.action, p.seconds, p.cpu)
		for _, test := range slices.Sorted(maps.Keys(p.tests)) {
			fmt.Fprintf(&text, "%s\t%s\t%s\t%.2f\t\n", name, test, p.tests[test].action, p.tests[test].seconds)
		}
	}
	return text.String()
}
