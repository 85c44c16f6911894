package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"wi4go/bench/every"
)

// price is the cost of a row in one direction.
type price struct {
	Row string `json:"row"`
	// Added are the instructions that wi4go adds. It is the difference to the native run if the
	// counts of both are steady; else it is Front.
	Added float64 `json:"added"`
	// Front are the instructions of the front and of everything that it calls except the runtime.
	Front float64 `json:"front"`
	// Native are the instructions of the native run, or 0 if the library lacks the function.
	Native float64 `json:"native,omitempty"`
	// Steady reports whether Added is a difference.
	Steady bool `json:"steady"`
	// Missing is the reason for which the row was not measured, or "".
	Missing string `json:"missing,omitempty"`
	// Emulated reports whether the library lacks the function.
	Emulated bool `json:"emulated,omitempty"`
	// Functions are the functions that add instructions, the dearest first, if they were requested.
	Functions []part `json:"functions,omitempty"`
	row       *every.Row
}

// part is the number of instructions that one function itself adds to a row.
type part struct {
	Function string  `json:"function"`
	Object   string  `json:"object"`
	Added    float64 `json:"added"`
}

// parts returns the functions of a dump by the instructions that they add to the native dump.
func parts(ours, theirs counts) []part {
	added := maps.Clone(ours.functions)
	for f, n := range theirs.functions {
		added[f] -= n
	}
	var all []part
	for f, n := range added {
		all = append(all, part{f.name, filepath.Base(f.object), n})
	}
	slices.SortFunc(all, func(a, b part) int {
		return cmp.Or(cmp.Compare(b.Added, a.Added), cmp.Compare(a.Function, b.Function), cmp.Compare(a.Object, b.Object))
	})
	return all
}

// maxSpread is the largest difference between the dumps of a steady row, in instructions of one
// operation.
const maxSpread = 4

// median returns the median of a figure of a row's dumps, and the difference of its extremes.
func median(all []counts, figure func(counts) float64) (middle, spread float64) {
	values := make([]float64, len(all))
	for i, c := range all {
		values[i] = figure(c)
	}
	slices.Sort(values)
	return values[len(values)/2], values[len(values)-1] - values[0]
}

// compare returns the prices of rows in their order.
func compare(rows []every.Row, natively, translated map[string]tally) []price {
	var prices []price
	for i := range rows {
		r := &rows[i]
		p := price{Row: r.Name, Missing: r.Untimed, row: r}
		ours, theirs := translated[r.Name], natively[r.Name]
		if p.Missing == "" && len(ours.counts) == 0 {
			p.Missing = cmp.Or(ours.reason, "it was not counted")
		}
		if p.Missing == "" {
			p.count(ours.counts, theirs.counts)
			p.Emulated = theirs.isAbsent()
		}
		prices = append(prices, p)
	}
	return prices
}

// count sets the instructions, from the dumps of both runs. There are none of the native run if the
// library lacks the function.
func (p *price) count(ours, theirs []counts) {
	p.Front, _ = median(ours, func(c counts) float64 { return c.Front })
	p.Added = p.Front
	if len(theirs) == 0 {
		p.Functions = parts(ours[0], counts{})
		return
	}
	p.Functions = parts(ours[0], theirs[0])
	all := func(c counts) float64 { return c.All }
	through, spread := median(ours, all)
	native, more := median(theirs, all)
	p.Native = native
	if p.Steady = p.row.Ranks == 1 && math.Max(spread, more) <= maxSpread; p.Steady {
		p.Added = through - native
	}
}

// emulated is the reason for the price of every function that the library lacks.
const emulated = "the library lacks the function, and wi4go implements it by others"

// reason returns the reason for a price above every.Limit, or "" if there is none.
func (p *price) reason() string {
	if p.Emulated {
		return emulated
	}
	return p.row.Dear
}

// goal returns the row's goal, or 0 if there is none. A function that the library lacks has none.
func (p *price) goal() float64 {
	if p.Emulated {
		return 0
	}
	return p.row.Goal
}

// excess returns an error if the price is over the row's goal, or over every.Limit without a reason.
func (p *price) excess(direction string) error {
	limit := cmp.Or(p.goal(), every.Limit)
	switch {
	case p.Missing != "" || math.Round(p.Added) <= limit:
		return nil
	case p.goal() > 0:
		return fmt.Errorf("%s: %s adds %.0f instructions; its goal is %g", direction, p.Row, p.Added, limit)
	case p.reason() == "":
		return fmt.Errorf("%s: %s adds %.0f instructions; above %g it needs a reason in bench/every/rows.json", direction, p.Row, p.Added, limit)
	}
	return nil
}

// priceList lists the prices of one direction.
type priceList struct {
	Direction string  `json:"direction"`
	Prices    []price `json:"prices"`
}

// excess returns the errors of all rows.
func (l *priceList) excess() error {
	var all []error
	for i := range l.Prices {
		all = append(all, l.Prices[i].excess(l.Direction))
	}
	return errors.Join(all...)
}

// shares are the limits of the groups in which a summary counts rows.
var shares = []float64{30, 60, 120, every.Limit}

// printSummary writes the number of rows up to each share, and the reasons of the others.
func (l *priceList) printSummary(out io.Writer) {
	counted := 0
	below := make([]int, len(shares))
	missing := map[string][]string{}
	for _, p := range l.Prices {
		if p.Missing != "" {
			missing[p.Missing] = append(missing[p.Missing], p.Row)
			continue
		}
		counted++
		for i, limit := range shares {
			if math.Round(p.Added) <= limit {
				below[i]++
			}
		}
	}
	fmt.Fprintf(out, "%s: %d rows;", l.Direction, counted)
	for i, limit := range shares {
		fmt.Fprintf(out, " %d add up to %g instructions,", below[i], limit)
	}
	fmt.Fprintf(out, " %d more\n", counted-below[len(below)-1])
	var reasons []string
	for reason := range missing {
		reasons = append(reasons, reason)
	}
	slices.Sort(reasons)
	for _, reason := range reasons {
		fmt.Fprintf(out, "  not counted: %s: %s\n", strings.Join(missing[reason], ", "), reason)
	}
}

// printDearest writes the table of the dearest rows in any direction, and of all rows with a goal.
// At most `most` other rows are in it, or all if most is 0. The reasons follow, by letter.
func printDearest(out io.Writer, lists []priceList, most int) {
	lines := dearest(lists)
	var reasons []string
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "row\tgoal")
	for _, l := range lists {
		fmt.Fprintf(w, "\t%s", l.Direction)
	}
	fmt.Fprintln(w, "\treason")
	for i, line := range lines {
		if most > 0 && i >= most && line.row.Goal == 0 {
			continue
		}
		letter := ""
		if reason := line.reason(); reason != "" {
			if !slices.Contains(reasons, reason) {
				reasons = append(reasons, reason)
			}
			letter = string(rune('a' + slices.Index(reasons, reason)))
		}
		fmt.Fprintf(w, "%s\t%s", line.row.Name, goalText(line.row.Goal))
		for _, p := range line.prices {
			fmt.Fprintf(w, "\t%s", p.cell())
		}
		fmt.Fprintf(w, "\t%s\n", letter)
	}
	w.Flush()
	for i, reason := range reasons {
		fmt.Fprintf(out, "%c: %s\n", 'a'+i, reason)
	}
}

// tableLine lists the prices of a row in all directions, nil if a direction lacks it.
type tableLine struct {
	row     *every.Row
	prices  []*price
	highest float64
}

// reason returns the reason for the highest price, or "" if it is below every.Limit or has none.
func (l *tableLine) reason() string {
	for _, p := range l.prices {
		if p != nil && p.Added == l.highest && math.Round(p.Added) > every.Limit {
			return p.reason()
		}
	}
	return ""
}

// dearest returns the lines of all rows that were counted, the dearest first.
func dearest(lists []priceList) []*tableLine {
	byName := map[string]*tableLine{}
	var lines []*tableLine
	for i, l := range lists {
		for j := range l.Prices {
			p := &l.Prices[j]
			if p.Missing != "" {
				continue
			}
			line := byName[p.Row]
			if line == nil {
				line = &tableLine{p.row, make([]*price, len(lists)), math.Inf(-1)}
				byName[p.Row] = line
				lines = append(lines, line)
			}
			line.prices[i] = p
			line.highest = math.Max(line.highest, p.Added)
		}
	}
	slices.SortStableFunc(lines, func(a, b *tableLine) int { return cmp.Compare(b.highest, a.highest) })
	return lines
}

// cell returns the text of a price in the table: a number, with ~ if it is the front's count.
func (p *price) cell() string {
	if p == nil {
		return "-"
	}
	text := fmt.Sprintf("%.0f", p.Added)
	if !p.Steady {
		text = "~" + text
	}
	return strings.TrimSpace(text + mark(p.excess("") != nil))
}

// printFunctions writes the functions of every row above every.Limit, or of every row if all is true.
func printFunctions(out io.Writer, lists []priceList, all bool) {
	fmt.Fprintln(out, "\nThe functions that add most instructions to a row, without those that they call")
	for _, line := range dearest(lists) {
		for i, p := range line.prices {
			if p == nil || !all && math.Round(p.Added) <= every.Limit {
				continue
			}
			fmt.Fprintf(out, "%s, %s: %.0f\n", p.Row, lists[i].Direction, p.Added)
			for _, f := range p.Functions {
				fmt.Fprintf(out, "  %6.0f  %s (%s)\n", f.Added, f.Function, f.Object)
			}
		}
	}
}

// keepDearest shortens the list of functions of every row to `most`.
func (l *priceList) keepDearest(most int) {
	for i := range l.Prices {
		p := &l.Prices[i]
		p.Functions = p.Functions[:min(most, len(p.Functions))]
	}
}
