// Package doctor says, before a run, whether it will work and why not: it looks
// at the installation, the machine, the environment, the runtime and the
// program, and, where it is asked to, has two ranks pass a message.
//
// It decides nothing itself of how a program gets onto a runtime: that is
// launch's, and what launch refuses is a finding here. It must look at nothing
// but its Sources and the files that launch's searches lead to, so that a test
// can provoke each finding.
package doctor

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"wi4go/internal/fault"
	"wi4go/internal/hosts"
	"wi4go/internal/launch"
	"wi4go/internal/ldso"
	"wi4go/internal/program"
	"wi4go/internal/runtimes"
)

// A Severity says what a finding means for the run.
type Severity string

// The severities.
const (
	Error   Severity = "error"   // it will not work
	Warning Severity = "warning" // it works, but for what the finding says
	Note    Severity = "note"    // good to know
)

// A Finding is one thing that is wrong. The fields and the IDs stay as they
// are; further ones may come.
type Finding struct {
	ID       string   `json:"id"`
	Severity Severity `json:"severity"`
	Finding  string   `json:"finding"`        // what is wrong
	Cure     string   `json:"cure,omitempty"` // what to do about it
}

// A Fact is one thing that was examined.
type Fact struct {
	Subject string `json:"subject"` // wi4go, machine, runtime, program, run, trial
	Fact    string `json:"fact"`
}

// A Report is the outcome. Its fields stay as they are; further ones may come.
type Report struct {
	Status   int       `json:"status"` // 0 works, 1 works with warnings, 2 will not work
	Verdict  string    `json:"verdict"`
	Facts    []Fact    `json:"facts"`
	Findings []Finding `json:"findings"`
}

// The verdicts, by status.
var verdicts = [...]string{"works", "works, with warnings", "will not work"}

// A Question is what the user wants to run.
type Question struct {
	From, To string
	Argv     []string // the program and its arguments, or nothing
	Dir      string   // where it will run
	Trial    bool     // start two ranks
	Hosts    []string // where the ranks are to run; none for this host
}

// Sources are all that an examination looks at.
type Sources struct {
	Launcher launch.Launcher // finds programs, libraries and runtimes, and decides
	Version  string          // of this command
	Environ  []string
	Root     string // stands before /proc, /sys and /dev
	UID      int

	Limit    func(resource int) (uint64, error)             // the soft limit (getrlimit(2)); Unlimited for none
	Space    func(dir string) (all, free uint64, err error) // of a file system, bytes
	ReadPeer func() error                                   // reads the memory of a process that is no descendant

	Entry  func(*runtimes.Runtime) runtimes.Entry                // asks a runtime
	Survey func() []runtimes.Entry                               // asks all
	Wrong  func(rt *runtimes.Runtime, command []string) error    // that the launcher that started this process is not for rt
	Ask    func(agent, names []string, q hosts.Question) []error // asks other hosts
	Run    func(command, environ []string, limit time.Duration) Outcome
}

// exam is one examination.
type exam struct {
	Sources
	Question
	report Report

	runtime *runtimes.Runtime // nil where there is none, or none was asked for
	entry   runtimes.Entry
	entries []runtimes.Entry // of all runtimes, where none was asked for
	program *program.Program // nil where there is none, or it cannot be read
	job     *launch.Job      // nil where launch refuses, or either of them is missing
	tree    *ldso.Tree       // what a process holds at its start
	late    *ldso.Tree       // what its first MPI call opens
}

// Examine answers a question.
func Examine(s Sources, q Question) Report {
	x := &exam{Sources: s, Question: q}
	if !x.addressSpace() {
		return x.conclude()
	}
	x.installation()
	x.machine()
	x.findRuntime()
	x.readProgram()
	x.decide()
	x.linking()
	x.openedByPath()
	x.preloads()
	x.variables()
	x.launcher()
	x.hosts()
	x.trial()
	return x.conclude()
}

func (x *exam) fact(subject, format string, args ...any) {
	x.report.Facts = append(x.report.Facts, Fact{subject, fmt.Sprintf(format, args...)})
}

func (x *exam) find(id string, severity Severity, cure, format string, args ...any) {
	f := Finding{ID: id, Severity: severity, Finding: fmt.Sprintf(format, args...), Cure: cure}
	if !slices.Contains(x.report.Findings, f) {
		x.report.Findings = append(x.report.Findings, f)
	}
}

// refused makes a finding of an error; id names it where it has no name of its
// own.
func (x *exam) refused(err error, id string, severity Severity) {
	id, what, cure := fault.Of(err, id)
	x.find(id, severity, cure, "%s", strings.ReplaceAll(what, "\n", "; "))
}

// hopeless says whether something was found that no trial can get past: it
// tells Open MPI itself that root is meant.
func (x *exam) hopeless() bool {
	return slices.ContainsFunc(x.report.Findings, func(f Finding) bool { return f.Severity == Error && f.ID != "root-openmpi" })
}

// getenv is os.Getenv of the environment examined.
func (x *exam) getenv(name string) string {
	for _, v := range x.Environ {
		if value, found := strings.CutPrefix(v, name+"="); found {
			return value
		}
	}
	return ""
}

var order = map[Severity]int{Error: 2, Warning: 1, Note: 0}

// conclude sorts the findings, the worst first, and gives the verdict.
func (x *exam) conclude() Report {
	r := x.report
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return cmp.Compare(order[b.Severity], order[a.Severity]) })
	if len(r.Findings) > 0 {
		r.Status = order[r.Findings[0].Severity]
	} else {
		r.Findings = []Finding{}
	}
	r.Verdict = verdicts[r.Status]
	return r
}

// Print writes the report for people: the facts, a line for each finding with
// its cure, the verdict.
func (r Report) Print(out io.Writer) {
	for _, f := range r.Facts {
		fmt.Fprintf(out, "%-9s%s\n", f.Subject, f.Fact)
	}
	for _, f := range r.Findings {
		line := f.Finding
		if f.Cure != "" {
			line += ": " + f.Cure
		}
		fmt.Fprintf(out, "%-9s%s (%s)\n", f.Severity, line, f.ID)
	}
	fmt.Fprintf(out, "%-9s%s\n", "verdict", r.Verdict)
}

// some joins a few names and counts the rest.
func some(names []string) string {
	const few = 6
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}
