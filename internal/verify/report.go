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
	"time"
)

// A Verdict is the result of a test.
type Verdict string

// The verdicts.
const (
	Right         Verdict = "right"          // all cases are right
	Wrong         Verdict = "wrong"          // a case is wrong that is right natively, or was not run natively
	WrongNatively Verdict = "wrong natively" // the same cases are wrong without wi4go
	Missing       Verdict = "missing"        // the runtime lacks the function
	Emulated      Verdict = "emulated"       // right, although the runtime lacks the function
	NotRun        Verdict = "not run"        // no case was run
)

// A Failure is a case that is wrong.
type Failure struct {
	Case   string `json:"case"`   // name of the case
	Text   string `json:"text"`   // the failure and its rank
	Number int    `json:"number"` // number of the case among the cases of the chapter
}

// A Tally sums up the cases of a test on one side.
type Tally struct {
	Cases    int       `json:"cases"`              // cases that were run
	Missing  int       `json:"missing,omitempty"`  // cases whose function the runtime lacks
	Absent   int       `json:"absent,omitempty"`   // cases whose function the program's own library lacks
	Function string    `json:"lacking,omitempty"`  // the lacking function
	Failures []Failure `json:"failures,omitempty"` // the wrong cases
	Wrong    int       `json:"wrong,omitempty"`    // number of wrong cases
	Hung     int       `json:"hung,omitempty"`     // wrong cases that did not end
	Left     int       `json:"left,omitempty"`     // cases that were not run because of the wrong ones
}

// Limits on wrong cases. After each wrong case a new job begins. When a limit is reached, the
// remaining cases of the group (same signature and count) or of the test are left out. The
// limit on cases without end is lower because each takes long.
const (
	mostOfGroup = 3
	mostOfTest  = 12
	mostHung    = 2
)

// add adds the result of a case.
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

// next returns the case at which the test in s continues after the wrong case: the next one, or
// the one after the cases that are left out. want lists cases that must not be left out.
func (t *Tally) next(s span, wrong int, hung bool, want []Failure) int {
	// start is the first case of the group that contains the wrong case.
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

// verdict returns the verdict of this tally alone.
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
	Name     string  `json:"test"`               // name of the test
	Function string  `json:"function"`           // function that it tests
	Chapter  string  `json:"chapter"`            // chapter of its function
	Verdict  Verdict `json:"verdict"`            // verdict of the translated run
	Native   Verdict `json:"native"`             // verdict of the native run
	Through  *Tally  `json:"through,omitempty"`  // results of the translated run, nil before it
	Natively *Tally  `json:"natively,omitempty"` // results of the native run, nil if there was none
	Reason   string  `json:"why,omitempty"`      // reason why it was not run
	Command  string  `json:"command,omitempty"`  // the smallest command that shows the failure

	limit        time.Duration // time limit of a case, 0 for that of the run
	ranks        int           // number of ranks that it needs
	binding      string        // binding of its program, an element of bindings
	lacking      bool          // the embedded MPI is the runtime and does not have its function
	withoutFront bool          // it runs on the library without wi4go
}

// judge sets the verdicts of a test. lacks reports whether the runtime lacks its function.
func (t *Test) judge(lacks bool) {
	t.Native = t.Natively.verdict()
	t.Verdict = t.Through.verdict()
	switch {
	case t.Verdict == Right && lacks:
		t.Verdict = Emulated
	case t.Verdict == Missing && t.Through.Absent > 0:
		t.Verdict, t.Reason = NotRun, "programs of that family do not have "+t.Through.Function
	case t.Verdict == Wrong && t.Natively != nil && t.sameNatively():
		t.Verdict = WrongNatively
	}
}

// sameNatively reports whether every wrong case is also wrong natively.
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

// smallest returns the failure that is the easiest to examine: with few struct members, a small
// count, and the first layouts. Cases that are right natively come first.
func (t *Test) smallest() Failure {
	native := map[string]bool{}
	if t.Natively != nil {
		for _, f := range t.Natively.Failures {
			native[f.Case] = true
		}
	}
	return slices.MinFunc(t.Through.Failures, func(a, b Failure) int {
		return cmp.Or(falseFirst(native[a.Case], native[b.Case]), cmp.Compare(members(a.Case), members(b.Case)), cmp.Compare(count(a.Case), count(b.Case)))
	})
}

// falseFirst compares two booleans; false comes first.
func falseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// members returns the number of "+" in a case's name, which separate the members of a struct.
func members(name string) int { return strings.Count(name, "+") }

// count returns the count in a case's name.
func count(name string) int {
	if parts := strings.Split(name, "/"); len(parts) > 2 {
		n, _ := strconv.Atoi(parts[2]) // written by wi4go's own program
		return n
	}
	return 0
}

// Parameters are the parameters of a run. A report with equal parameters can be continued.
type Parameters struct {
	Version   string   `json:"wi4go"`                // version of wi4go
	From      string   `json:"from"`                 // family of the programs
	To        string   `json:"to"`                   // path of the runtime's library
	Ranks     int      `json:"ranks"`                // number of ranks
	Level     Level    `json:"level"`                // how many cases run
	Tests     []string `json:"chosen,omitempty"`     // tests and chapters; none means all
	Counts    string   `json:"counts,omitempty"`     // counts of basic elements, "" for the level's
	Types     string   `json:"types,omitempty"`      // basic types, "" for all
	TypesFile string   `json:"types_file,omitempty"` // file with basic types (DTP_DATATYPE_FILE)
	Objects   string   `json:"objects,omitempty"`    // number of a pool's layouts (DTP_NUM_OBJS)
	Layouts   []string `json:"layouts,omitempty"`    // libraries with further layouts
	Rules     string   `json:"rules,omitempty"`      // file with the tests, "" for the built-in ones
	Case      string   `json:"case,omitempty"`       // the only case to run, "" for all
	Native    bool     `json:"native"`               // run natively too
}

// A Report holds the results. Its fields are stable; new ones may be added.
type Report struct {
	Parameters
	Runtime  string         `json:"runtime"`            // product and version
	Status   int            `json:"status"`             // 0 nothing is wrong, 1 something is
	Complete bool           `json:"complete"`           // all tests were run
	Notes    []string       `json:"notes,omitempty"`    // remarks for the user
	Tests    []*Test        `json:"tests"`              // in the order of the programs
	Progress map[string]int `json:"progress,omitempty"` // case at which an incomplete part continues, by side and chapter; -1 means done
}

// same reports whether a and b are equal.
func (a Parameters) same(b Parameters) bool {
	x, errA := json.Marshal(a)
	y, errB := json.Marshal(b)
	return errA == nil && errB == nil && string(x) == string(y)
}

// Read returns the interrupted report in a file. It returns nil if there is no file, or if the
// report has other parameters or is complete. It returns an error if the file cannot be read.
func Read(file string, parameters Parameters) (*Report, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the results of the interrupted run: %w: remove the file, or give --fresh", err)
	}
	var r Report
	if err := json.Unmarshal(text, &r); err != nil || r.Complete || !r.Parameters.same(parameters) {
		return nil, nil // not a report to continue: it is overwritten
	}
	return &r, nil
}

// Write writes the report to a file as JSON, in full or not at all.
func (r *Report) Write(file string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = replace(file, append(text, '\n'))
	}
	return cannotWrite(err)
}

// WriteText writes the report to a file as text, in full or not at all.
func (r *Report) WriteText(file string) error {
	var out strings.Builder
	r.Print(&out)
	return cannotWrite(replace(file, []byte(out.String())))
}

// cannotWrite returns an error of writing the report with its context, or nil.
func cannotWrite(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("cannot write the report: %w", err)
}

// JSON writes the report as JSON.
func (r *Report) JSON(out io.Writer) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// TextFile returns the name of the text file of a report.
func TextFile(file string) string { return strings.TrimSuffix(file, ".json") + ".txt" }

// replace writes a file by renaming a new one, so that readers never see a part.
func replace(file string, text []byte) error {
	temporary := file + ".new"
	if err := os.WriteFile(temporary, text, 0o644); err != nil {
		return err
	}
	return os.Rename(temporary, file)
}

// Chapters returns the chapters of the report's tests, in order.
func (r *Report) Chapters() []string {
	var names []string
	for _, t := range r.Tests {
		if !slices.Contains(names, t.Chapter) {
			names = append(names, t.Chapter)
		}
	}
	return names
}

// testsOf returns the tests of a binding.
func (r *Report) testsOf(binding string) (tests []*Test) {
	for _, t := range r.Tests {
		if t.binding == binding {
			tests = append(tests, t)
		}
	}
	return tests
}

// binding returns the binding of a chapter.
func (r *Report) binding(chapter string) string {
	return r.Tests[slices.IndexFunc(r.Tests, func(t *Test) bool { return t.Chapter == chapter })].binding
}

// markNotRun marks the tests of a chapter as wrong because their program did not reach the first
// of them.
func (r *Report) markNotRun(chapter, reason string) {
	c := planned(chapter, r.Level)
	for _, t := range r.Tests {
		if t.Chapter == chapter && t.Reason == "" {
			t.Through = &Tally{Cases: 1, Wrong: 1, Failures: []Failure{{Case: fmt.Sprintf("%s/%s/%s", t.Name, c.Signatures[0], c.Counts[0]), Text: reason}}}
		}
	}
}

// Unfinished returns the chapters that an incomplete run has begun, and the chapters that are left,
// some of them in part.
func (r *Report) Unfinished() (begun, left []string) {
	for _, chapter := range r.Chapters() {
		through, started := r.Progress[sideThrough+" "+chapter]
		native, startedNatively := r.Progress[sideNatively+" "+chapter]
		if started {
			begun = append(begun, chapter)
		}
		switch {
		case !started:
			left = append(left, chapter)
		case through >= 0:
			left = append(left, chapter+" (partly)")
		case startedNatively && native >= 0:
			left = append(left, chapter+" (partly, natively)")
		}
	}
	return begun, left
}
