package verify

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// A Verdict is what a test comes to.
type Verdict string

// The verdicts.
const (
	Right    Verdict = "right"
	Wrong    Verdict = "wrong"          // and right natively, or not run there
	Natively Verdict = "wrong natively" // the same cases are wrong without wi4go
	Missing  Verdict = "missing"        // the runtime lacks the function
	Emulated Verdict = "emulated"       // right, and the runtime lacks the function
	NotRun   Verdict = "not run"
)

// A Failure is a case that is wrong. Text says what is, and on which rank.
type Failure struct {
	Case   string `json:"case"`
	Text   string `json:"text"`
	Number int    `json:"number"` // of the case, among those of the chapter
}

// A Tally is what the cases of a test come to, on one side.
type Tally struct {
	Cases    int       `json:"cases"` // that were run
	Missing  int       `json:"missing,omitempty"`
	Absent   int       `json:"absent,omitempty"`  // the program's own library does not have the function
	Function string    `json:"lacking,omitempty"` // which function is missing
	Failures []Failure `json:"failures,omitempty"`
	Wrong    int       `json:"wrong,omitempty"`
	Hung     int       `json:"hung,omitempty"` // how many of the wrong ones had no end
	Left     int       `json:"left,omitempty"` // cases that were not run because of the wrong ones
}

// How many wrong cases there are at most, after each of which a new job begins;
// the other cases are left out: those of the same signature and count, or all of
// the test. One that has no end takes long.
const (
	mostOfGroup = 3
	mostOfTest  = 12
	mostHung    = 2
)

func (t *Tally) add(f *finding) {
	t.Cases++
	switch {
	case f.wrong != "":
		t.Wrong++
		t.Failures = append(t.Failures, Failure{f.name, f.wrong, f.number})
	case f.missing != "":
		t.Missing++
		t.Function = f.missing
	case f.absent != "":
		t.Absent++
		t.Function = f.absent
	}
}

// next is where the test in s goes on behind a case that is wrong: at the next one,
// or behind those that are left out. want is what is not left out.
func (t *Tally) next(s span, wrong int, hung bool, want []Failure) int {
	start := wrong - (wrong-s.first)%s.group
	inGroup := 0
	for _, f := range t.Failures {
		if f.Number >= start {
			inGroup++
		}
	}
	next := wrong + 1
	switch {
	case t.Wrong >= mostOfTest || t.Hung >= mostHung:
		next = s.next
	case inGroup >= mostOfGroup || hung:
		next = start + s.group
	}
	for _, f := range want {
		if f.Number > wrong {
			next = min(next, f.Number)
		}
	}
	t.Left += next - wrong - 1
	return next
}

// verdict is a tally's own.
func (t *Tally) verdict() Verdict {
	switch {
	case t == nil || t.Cases == 0:
		return NotRun
	case t.Wrong > 0:
		return Wrong
	case t.Missing > 0 || t.Absent > 0:
		return Missing
	}
	return Right
}

// A Test is one test with its verdicts.
type Test struct {
	Name     string  `json:"test"`
	Function string  `json:"function"`
	Chapter  string  `json:"chapter"`
	Verdict  Verdict `json:"verdict"`
	Native   Verdict `json:"native"`
	Through  *Tally  `json:"through,omitempty"`
	Natively *Tally  `json:"natively,omitempty"`
	Why      string  `json:"why,omitempty"`     // it was not run
	Command  string  `json:"command,omitempty"` // the smallest that shows what is wrong

	ranks   int    // that it needs
	binding string // of its program: one of bindings
	itself  bool   // it runs on the library without us
}

// judge settles the verdicts of a test; lacks says whether the runtime lacks its function.
func (t *Test) judge(lacks bool) {
	t.Native = t.Natively.verdict()
	t.Verdict = t.Through.verdict()
	switch {
	case t.Verdict == Right && lacks:
		t.Verdict = Emulated
	case t.Verdict == Missing && t.Through.Absent > 0:
		t.Verdict, t.Why = NotRun, "no program of that family has "+t.Through.Function
	case t.Verdict == Wrong && t.Natively != nil && t.sameNatively():
		t.Verdict = Natively
	}
}

// sameNatively says whether all that is wrong is wrong natively, too.
func (t *Test) sameNatively() bool {
	native := map[string]bool{}
	for _, f := range t.Natively.Failures {
		native[f.Case] = true
	}
	for _, f := range t.Through.Failures {
		if !native[f.Case] {
			return false
		}
	}
	return true
}

// smallest is the failure that is the easiest to look at: of few members, a small
// count, and the first layouts. One that is right natively comes first.
func (t *Test) smallest() Failure {
	native := map[string]bool{}
	if t.Natively != nil {
		for _, f := range t.Natively.Failures {
			native[f.Case] = true
		}
	}
	return slices.MinFunc(t.Through.Failures, func(a, b Failure) int {
		return cmp.Or(order(native[a.Case], native[b.Case]), cmp.Compare(members(a.Case), members(b.Case)), cmp.Compare(count(a.Case), count(b.Case)))
	})
}

func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func members(name string) int { return strings.Count(name, "+") }

func count(name string) int {
	if parts := strings.Split(name, "/"); len(parts) > 2 {
		n, _ := strconv.Atoi(parts[2]) // our own program's
		return n
	}
	return 0
}

// Asked is what a report answers. A report of the same can be continued.
type Asked struct {
	Version   string   `json:"wi4go"`
	From      string   `json:"from"`
	To        string   `json:"to"` // the runtime's library
	Ranks     int      `json:"ranks"`
	Level     Level    `json:"level"`
	Tests     []string `json:"chosen,omitempty"` // tests and chapters; none is all
	Counts    string   `json:"counts,omitempty"`
	Types     string   `json:"types,omitempty"`
	TypesFile string   `json:"types_file,omitempty"`
	Objects   string   `json:"objects,omitempty"`
	Case      string   `json:"case,omitempty"`
	Native    bool     `json:"native"`
}

// A Report is what was found. Its fields stay as they are; further ones may come.
type Report struct {
	Asked
	Runtime  string         `json:"runtime"` // product and version
	Status   int            `json:"status"`  // 0 nothing is wrong, 1 something is
	Complete bool           `json:"complete"`
	Notes    []string       `json:"notes,omitempty"`
	Tests    []*Test        `json:"tests"`
	Progress map[string]int `json:"progress,omitempty"` // what is behind it, of parts that are not complete; -1 is all
}

// same says whether a report answers what is asked.
func (a Asked) same(b Asked) bool {
	x, errA := json.Marshal(a)
	y, errB := json.Marshal(b)
	return errA == nil && errB == nil && string(x) == string(y)
}

// Read reads a report; nil where there is none of what is asked, or a complete one.
func Read(file string, asked Asked) (*Report, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read what was found before: %w", err)
	}
	var r Report
	if err := json.Unmarshal(text, &r); err != nil || r.Complete || !r.Asked.same(asked) {
		return nil, nil // another's, or an older one: it is written anew
	}
	return &r, nil
}

// Write puts the report into a file as JSON, whole or not at all, and, where it
// is complete, as text beside it.
func (r *Report) Write(file string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = replace(file, append(text, '\n'))
	}
	if err == nil && r.Complete {
		var out strings.Builder
		r.Print(&out)
		err = replace(TextFile(file), []byte(out.String()))
	}
	if err != nil {
		return fmt.Errorf("cannot write the report: %w", err)
	}
	return nil
}

// JSON writes the report as JSON.
func (r *Report) JSON(out io.Writer) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// TextFile is the name of the text beside a report.
func TextFile(file string) string { return strings.TrimSuffix(file, ".json") + ".txt" }

func replace(file string, text []byte) error {
	aside := file + ".new"
	if err := os.WriteFile(aside, text, 0o644); err != nil {
		return err
	}
	return os.Rename(aside, file)
}

// Chapters are the chapters of the report's tests, in order.
func (r *Report) Chapters() []string {
	var names []string
	for _, t := range r.Tests {
		if !slices.Contains(names, t.Chapter) {
			names = append(names, t.Chapter)
		}
	}
	return names
}

// of are the tests of a binding.
func (r *Report) of(binding string) (tests []*Test) {
	for _, t := range r.Tests {
		if t.binding == binding {
			tests = append(tests, t)
		}
	}
	return tests
}

// binding is that of a chapter.
func (r *Report) binding(chapter string) string {
	return r.Tests[slices.IndexFunc(r.Tests, func(t *Test) bool { return t.Chapter == chapter })].binding
}

// notBegun says that the tests of a chapter are wrong, since their program did not come
// to the first of them.
func (r *Report) notBegun(chapter, why string) {
	c := planned(chapter, r.Level)
	for _, t := range r.Tests {
		if t.Chapter == chapter && t.Why == "" {
			t.Through = &Tally{Cases: 1, Wrong: 1, Failures: []Failure{{Case: fmt.Sprintf("%s/%s/%s", t.Name, c.signatures[0], c.counts[0]), Text: why}}}
		}
	}
}

// Behind gives the chapters that a run which is not complete has come to, and what it
// has not, or not wholly.
func (r *Report) Behind() (begun, left []string) {
	for _, chapter := range r.Chapters() {
		through, here := r.Progress[sideThrough+" "+chapter]
		native, beside := r.Progress[sideNatively+" "+chapter]
		if here {
			begun = append(begun, chapter)
		}
		switch {
		case !here:
			left = append(left, chapter)
		case through >= 0:
			left = append(left, chapter+" (in part)")
		case beside && native >= 0:
			left = append(left, chapter+" (natively, in part)")
		}
	}
	return begun, left
}

// Print writes the whole report as text.
func (r *Report) Print(out io.Writer) {
	r.PrintHead(out)
	for _, c := range r.Chapters() {
		r.PrintChapter(out, c)
	}
	r.PrintVerdict(out)
}

// PrintHead says what runs on what.
func (r *Report) PrintHead(out io.Writer) {
	fmt.Fprintf(out, "wi4go %s, programs for %s on %s (%s), %d ranks, %s\n", r.Version, r.From, r.Runtime, r.To, r.Ranks, r.Level)
	for _, n := range r.Notes {
		fmt.Fprintf(out, "note: %s\n", n)
	}
}

// PrintChapter writes the table of a chapter, and what is wrong in it.
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
		if t.Chapter == chapter && (t.Verdict == Wrong || t.Verdict == Natively) {
			f := t.smallest()
			fmt.Fprintf(out, "%s: %s: %s\n", t.Verdict, f.Case, f.Text)
			if t.Command != "" {
				fmt.Fprintf(out, "  %s\n", t.Command)
			}
		}
	}
}

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

func (t *Test) remark() string {
	if t.Verdict == Missing && t.Through.Function != t.Function {
		return "(" + t.Through.Function + ")"
	}
	return t.Why
}

// PrintVerdict counts the verdicts.
func (r *Report) PrintVerdict(out io.Writer) {
	counts := map[Verdict]int{}
	for _, t := range r.Tests {
		counts[t.Verdict]++
	}
	var parts []string
	for _, v := range []Verdict{Right, Emulated, Missing, Natively, Wrong, NotRun} {
		if counts[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[v], v))
		}
	}
	fmt.Fprintf(out, "\nverdict: %s\n", strings.Join(parts, ", "))
}
