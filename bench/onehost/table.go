package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// printTables writes a table for each state that has occurred.
func printTables(out io.Writer, border float64, libraries []string, rows []row, samples []sample) {
	all, lines := byState(samples, border)
	during := 0
	for _, s := range samples {
		if stateOf(s.before, s.after, border) == moved {
			during++
		}
	}
	for _, at := range []state{near, far} {
		if len(all[at]) == 0 {
			continue
		}
		fmt.Fprintf(out, "\n%s: half a round trip of a cache line takes %.0f ns\n", at, lines[at])
		fmt.Fprintf(out, "µs, minima, with more ranks than cores medians; N×: too few runs; ratio: to the fastest of the libraries, or to the named one; ! is over the goal\n")
		printTable(out, libraries, rows, all[at])
	}
	if during > 0 {
		fmt.Fprintf(out, "\n%d of %d measurements do not count: the cores moved\n", during, len(samples))
	}
}

// printTable writes the table of a state.
func printTable(out io.Writer, libraries []string, rows []row, results figures) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "row\t")
	for _, library := range libraries {
		fmt.Fprintf(w, "%s\t", library)
	}
	fmt.Fprintln(w, "ratio\tgoal\t\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t", r.name)
		for _, library := range libraries {
			fmt.Fprintf(w, "%s\t", cell(r, results[r.of(library)]))
		}
		fmt.Fprintf(w, "%s\n", verdict(r, libraries, results))
	}
	w.Flush()
}

// cell returns the text of a row's figure.
func cell(r row, f figure) string {
	if len(f) == 0 {
		return "-"
	}
	if !f.counts() {
		return fmt.Sprintf("%d×", len(f))
	}
	switch us := f.time(r.ranks) / 1e3; {
	case us >= 100:
		return fmt.Sprintf("%.0f", us)
	case us >= 10:
		return fmt.Sprintf("%.1f", us)
	default:
		return fmt.Sprintf("%.3f", us)
	}
}

// verdict returns the last cells of a row, in which the last library is ours: the ratio, the goal, and which libraries were compared
// unless it was all.
func verdict(r row, libraries []string, results figures) string {
	goal := "-"
	if r.goal > 0 {
		goal = fmt.Sprintf("%g", r.goal)
	}
	shortest, count := results.fastest(r, libraries)
	ours := results[r.of(libraries[len(libraries)-1])]
	if count == 0 || !ours.counts() {
		return "-\t" + goal + "\t\t"
	}
	ratio, mark, remark := ours.time(r.ranks)/shortest, " ", ""
	if r.goal > 0 && ratio > r.goal {
		mark = "!"
	}
	if r.against != "" {
		remark = r.against
	} else if count < len(libraries)-1 {
		remark = fmt.Sprintf("of %d", count)
	}
	return fmt.Sprintf("%.2f%s\t%s\t%s\t", ratio, mark, goal, remark)
}
