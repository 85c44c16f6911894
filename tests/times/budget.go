package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A budget has the CPU seconds that each package took in a recorded run of `make test-all`, by import path.
type budget map[string]float64

// A package over its budget has taken more than tolerance times its recorded seconds, where every package has at
// least the seconds of smallest.
const (
	tolerance = 1.5
	smallest  = 10.0
)

// readBudget reads a file of lines with a package and its CPU seconds.
func readBudget(file string) (budget, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	b := budget{}
	for line := range strings.Lines(string(text)) {
		name, seconds, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if b[name], err = strconv.ParseFloat(seconds, 64); err != nil {
			return nil, fmt.Errorf("%s: %q has no CPU seconds", file, name)
		}
	}
	return b, nil
}

// text returns the lines of the file, with the longest package first.
func (b budget) text() string {
	var lines strings.Builder
	for _, name := range b.sorted() {
		fmt.Fprintf(&lines, "%s\t%.1f\n", name, b[name])
	}
	return lines.String()
}

func (b budget) sorted() (names []string) {
	for name := range b {
		names = append(names, name)
	}
	b.order(names)
	return names
}

// order sorts packages: first those that are not recorded, then the longest ones, so that only short ones are left at
// the end of a run.
func (b budget) order(packages []string) {
	seconds := func(name string) float64 {
		if recorded, is := b[name]; is {
			return recorded
		}
		return math.Inf(1)
	}
	slices.SortFunc(packages, func(x, y string) int { return cmp.Or(cmp.Compare(seconds(y), seconds(x)), cmp.Compare(x, y)) })
}

// exceeded returns a line for each package that has taken more than its budget. Nightly runs have none, because they
// run more tests than the recorded run.
func (b budget) exceeded(packages map[string]*pkg) (lines []string) {
	if os.Getenv("WI4GO_TIER") == "nightly" {
		return nil
	}
	for _, name := range b.sorted() {
		p := packages[name]
		if p == nil {
			continue
		}
		if most := tolerance * max(b[name], smallest); p.cpu > most {
			lines = append(lines, fmt.Sprintf("%s took %.0f CPU seconds; its budget is %.0f, %.1f times the %.0f of tests/times/record.txt", name, p.cpu, most, tolerance, max(b[name], smallest)))
		}
	}
	return lines
}

// Rows of docs/testing.md stand between these lines.
const (
	tableBegin = "| package | CPU seconds |\n|---|---|\n"
	tableEnd   = "\n\n"
	shown      = 30.0 // CPU seconds of the packages that have a row each
)

// table returns the rows of the page.
func (b budget) table() string {
	var rows strings.Builder
	var all, rest float64
	others := 0
	for _, name := range b.sorted() {
		all += b[name]
		if b[name] >= shown {
			fmt.Fprintf(&rows, "| `%s` | %.0f |\n", strings.TrimPrefix(name, "wi4go/"), b[name])
		} else {
			rest, others = rest+b[name], others+1
		}
	}
	fmt.Fprintf(&rows, "| %d other packages | %.0f |\n| all | %.0f |", others, rest, all)
	return rows.String()
}

// inPage returns the page with the rows of the table replaced.
func (b budget) inPage(page string) (string, error) {
	before, rest, found := strings.Cut(page, tableBegin)
	_, after, closed := strings.Cut(rest, tableEnd)
	if !found || !closed {
		return "", fmt.Errorf("the page has no table that begins with %q", tableBegin)
	}
	return before + tableBegin + b.table() + tableEnd + after, nil
}

// keep takes the CPU seconds of the packages that passed from a file that -o has written. Packages that the file does
// not have stay as they are, unless they no longer exist.
func (b budget) keep(text string, existing []string) error {
	for line := range strings.Lines(text) {
		words := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(words) != 5 {
			return fmt.Errorf("%q: not a line of the times of tests", line)
		}
		if words[1] != "" || words[2] != "pass" {
			continue
		}
		seconds, err := strconv.ParseFloat(words[4], 64)
		if err != nil {
			return err
		}
		b[words[0]] = seconds
	}
	for name := range b {
		if !slices.Contains(existing, name) {
			delete(b, name)
		}
	}
	return nil
}

// update writes the record and the table of docs/testing.md from the times of a run.
func update(record, times, page string) error {
	b, err := readBudget(record)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(times)
	if err != nil {
		return fmt.Errorf("%w; run make test-all first", err)
	}
	existing, err := list("./...")
	if err != nil {
		return err
	}
	if err := b.keep(string(text), existing); err != nil {
		return fmt.Errorf("%s: %w", times, err)
	}
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	new, err := b.inPage(string(old))
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	if err := os.WriteFile(filepath.Clean(record), []byte(b.text()), 0o644); err != nil {
		return err
	}
	return os.WriteFile(page, []byte(new), 0o644)
}
