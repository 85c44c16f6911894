// Package doctor predicts, before a run, whether it will work, and names the reasons if not. It
// examines the installation, the machine, the environment, the runtime and the program. On
// request it also starts two ranks that pass a message.
//
// The package does not decide how a program gets onto a runtime: package launch does, and every
// refusal of launch becomes a finding here. It must look at nothing but its Sources and the
// files that launch's searches lead to, so that a test can provoke each finding.
package doctor

import (
	"cmp"
	"fmt"
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

// A Severity is the consequence of a finding for the run.
type Severity string

// The severities.
const (
	Error   Severity = "error"   // it will not work
	Warning Severity = "warning" // it works, except for the finding
	Note    Severity = "note"    // information
)

// A Finding is one problem. The fields and the IDs are stable; new ones may be added.
type Finding struct {
	ID       string   `json:"id"`             // stable name, as docs/checking.md lists it
	Severity Severity `json:"severity"`       // consequence for the run
	Finding  string   `json:"finding"`        // the problem
	Cure     string   `json:"cure,omitempty"` // the remedy, "" for none
}

// A Report is the outcome of an examination. Its fields are stable; new ones may be added.
type Report struct {
	Status   int       `json:"status"`   // 0 works, 1 works with warnings, 2 will not work
	Verdict  string    `json:"verdict"`  // the status in words
	Facts    []Fact    `json:"facts"`    // in the order of examination
	Findings []Finding `json:"findings"` // the worst first
}

// verdicts are the verdicts by status.
var verdicts = [...]string{"works", "works, with warnings", "will not work"}

// A Question is the run that the user has in mind.
type Question struct {
	From, To string   // the values of --from and --to, "" for none
	Argv     []string // the program and its arguments, or nothing
	Dir      string   // the working directory of the run
	Trial    bool     // start two ranks
	Hosts    []string // the hosts of the ranks; none for this host
}

// Sources are all inputs of an examination.
type Sources struct {
	Launcher launch.Launcher // finds programs, libraries and runtimes, and decides how they are joined
	Version  string          // version of this command
	Environ  []string        // the environment to examine
	Root     string          // prefix of /proc, /sys and /dev, "" outside of tests
	UID      int             // the user's number

	// Limit returns the soft limit of a resource (getrlimit(2)), or Unlimited.
	Limit func(resource int) (uint64, error)
	// Directories examines /dev/shm and the directories for temporary files.
	Directories Directories
	// ReadPeer reads the memory of a process that is no descendant, and returns the error of
	// the kernel.
	ReadPeer func() error

	// Entry queries a runtime.
	Entry func(*runtimes.Runtime) runtimes.Entry
	// Survey queries all runtimes.
	Survey func() []runtimes.Entry
	// CheckLauncher returns an error if this process was started by a launcher that cannot serve rt.
	CheckLauncher func(rt *runtimes.Runtime, command []string) error
	// AskHosts queries other hosts.
	AskHosts func(agent, names []string, q hosts.Question) []error
	// Run executes a command, for limit at most.
	Run func(command, environ []string, limit time.Duration) Outcome
}

// exam is one examination.
type exam struct {
	Sources
	Question
	// report holds the facts and findings so far.
	report Report

	// runtime is nil if there is none, or none was requested.
	runtime *runtimes.Runtime
	// entry describes runtime.
	entry runtimes.Entry
	// entries describes all runtimes if none was requested.
	entries []runtimes.Entry
	// program is nil if there is none or it cannot be read.
	program *program.Program
	// job is nil if launch refuses it, or if the runtime or the program is missing.
	job *launch.Job
	// tree holds the libraries that a process loads at its start.
	tree *ldso.Tree
	// later holds the libraries that its first MPI call opens.
	later *ldso.Tree
}

// Examine returns the report on a question.
func Examine(s Sources, q Question) Report {
	x := &exam{Sources: s, Question: q}
	if !x.addressSpace() {
		return x.conclude()
	}
	x.installation()
	x.machine()
	x.findRuntime()
	x.sharedMemory()
	x.singleCopy()
	x.readProgram()
	x.decide()
	x.linking()
	x.openedByPath()
	x.preloads()
	x.variables()
	x.launcher()
	x.session()
	x.hosts()
	x.trial()
	return x.conclude()
}

// addFinding adds a finding to the report unless it is already there.
func (x *exam) addFinding(id string, severity Severity, cure, format string, args ...any) {
	f := Finding{ID: id, Severity: severity, Finding: fmt.Sprintf(format, args...), Cure: cure}
	if !slices.Contains(x.report.Findings, f) {
		x.report.Findings = append(x.report.Findings, f)
	}
}

// addError adds a finding for an error. id names it if the error has no name.
func (x *exam) addError(err error, id string, severity Severity) {
	id, description, cure := fault.Of(err, id)
	x.addFinding(id, severity, cure, "%s", strings.ReplaceAll(description, "\n", "; "))
}

// cannotRun reports whether some finding makes a trial pointless. Being root under Open MPI does
// not: the trial sets the variables by which Open MPI allows root.
func (x *exam) cannotRun() bool {
	return slices.ContainsFunc(x.report.Findings, func(f Finding) bool { return f.Severity == Error && f.ID != "root-openmpi" })
}

// getenv is os.Getenv for the environment under examination.
func (x *exam) getenv(name string) string {
	for _, v := range x.Environ {
		if value, found := strings.CutPrefix(v, name+"="); found {
			return value
		}
	}
	return ""
}

// order ranks the severities.
var order = map[Severity]int{Error: 2, Warning: 1, Note: 0}

// conclude sorts the findings, the worst first, sets the verdict and returns the report.
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

// summarize returns the first names joined by commas, and the number of the rest.
func summarize(names []string) string {
	const few = 6
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}
