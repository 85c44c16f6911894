package verify

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Print writes the whole report as text.
func (r *Report) Print(out io.Writer) {
	r.PrintHead(out)
	for _, c := range r.Chapters() {
		r.PrintChapter(out, c)
	}
	r.PrintVerdict(out)
}

// PrintHead writes the family, the runtime, the number of ranks, the level and the notes.
func (r *Report) PrintHead(out io.Writer) {
	fmt.Fprintf(out, "wi4go %s, programs for %s on %s (%s), %d ranks, %s\n", r.Version, r.From, r.Runtime, r.To, r.Ranks, r.Level)
	for _, n := range r.Notes {
		fmt.Fprintf(out, "note: %s\n", n)
	}
}

// PrintChapter writes the table of a chapter and its failures.
func (r *Report) PrintChapter(out io.Writer, chapter string) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\n%s\twi4go\tnatively\tcases\t\n", chapter)
	for _, t := range r.Tests {
		if t.Chapter != chapter {
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", t.Name, t.Verdict, t.Native, t.cases(), t.remark())
	}
	w.Flush()
	for _, t := range r.Tests {
		if t.Chapter == chapter && (t.Verdict == Wrong || t.Verdict == WrongNatively) {
			f := t.smallest()
			fmt.Fprintf(out, "%s: %s: %s\n", t.Verdict, f.Case, f.Text)
			if t.Command != "" {
				fmt.Fprintf(out, "  %s\n", t.Command)
			}
		}
	}
}

// cases returns the number of cases in words.
func (t *Test) cases() string {
	if t.Through == nil {
		return "0"
	}
	text := strconv.Itoa(t.Through.Cases)
	if t.Through.Wrong > 0 {
		text += fmt.Sprintf(", %d wrong", t.Through.Wrong)
	}
	if t.Through.Left > 0 {
		text += fmt.Sprintf(", %d not run", t.Through.Left)
	}
	return text
}

// remark returns the remark in the last column of the table.
func (t *Test) remark() string {
	if t.Verdict == Missing && t.Through.Function != t.Function {
		return "(" + t.Through.Function + ")"
	}
	return t.Reason
}

// PrintVerdict writes the number of tests by verdict, and the chapters that are left.
func (r *Report) PrintVerdict(out io.Writer) {
	counts := map[Verdict]int{}
	for _, t := range r.Tests {
		counts[t.Verdict]++
	}
	var parts []string
	for _, v := range []Verdict{Right, Emulated, Missing, WrongNatively, Wrong, NotRun} {
		if counts[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[v], v))
		}
	}
	fmt.Fprintf(out, "\nverdict: %s\n", strings.Join(parts, ", "))
	if !r.Complete {
		_, left := r.Unfinished()
		fmt.Fprintf(out, "not complete, left: %s\n", strings.Join(left, ", "))
	}
}
