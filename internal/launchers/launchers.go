// Package launchers describes the programs that start ranks: the options that they take, how they
// pass variables to ranks and name hosts, and how a process shows which launcher has started it.
// Each launcher is one JSON file in this directory, which the generator reads, too (gen/launchers).
//
// It must not know of the files of a machine, of processes or of runtimes: names and command lines
// go in, names and command lines come out.
package launchers

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

//go:embed *.json
var files embed.FS

// A Launcher is one way of starting the ranks of a job.
type Launcher struct {
	Name  string `json:"-"`     // the name of its file; abi/*.json refers to it
	Title string `json:"title"` // its name in messages
	// Package is the suffix that distributions add to its command, as in mpiexec.openmpi; "" if
	// none.
	Package string `json:"package,omitempty"`
	// Order is its rank among the launchers: if a process shows signs of two equally, the lower one
	// counts.
	Order int `json:"order"`
	// Manager is the process manager from which its ranks learn their number: PMI, PMIx, or "" if
	// that varies.
	Manager Manager `json:"manager,omitempty"`
	// EveryFamily reports whether it starts programs of every family, and sets the rank variables of all
	// of them.
	EveryFamily bool `json:"every_family,omitempty"`

	// Marks are strings that identify the file of its command: the file contains at least one. A
	// launcher without marks is not the mpiexec of an MPI library.
	Marks []string `json:"marks,omitempty"`
	// Commands are further names of its command, in addition to mpiexec and mpirun.
	Commands []string `json:"commands,omitempty"`
	// StepCommands are the names of its command if it starts processes in a job of a batch system, and
	// is not the mpiexec of an MPI library.
	StepCommands []string `json:"step_commands,omitempty"`

	// Joins reports whether its ranks find each other if another launcher has started them on one host.
	Joins bool `json:"joins,omitempty"`

	// SearchesDir reports whether it starts a program without a "/" in its name that is in the
	// current directory and not in PATH.
	SearchesDir bool `json:"searches_dir,omitempty"`

	Process Process `json:"process"`
	// Numbers are the variables by which it passes each process its place in the job. NumbersOf is the
	// name of the launcher whose variables it uses, if it has none of its own.
	Numbers   Numbers `json:"numbers,omitzero"`
	NumbersOf string  `json:"numbers_of,omitempty"`
	// Step describes the job step whose tasks it starts; nil if it is no launcher of a batch system.
	Step *Step `json:"step,omitempty"`

	Options Options `json:"options,omitzero"`
	// Replace maps options of other launchers, with their values, to words of this one; see replacements
	// for the patterns. null: there is no counterpart.
	Replace map[string][]string `json:"replace,omitempty"`
	// Drop lists options of other launchers, separated by spaces, that may be left out with a
	// warning.
	Drop []string `json:"drop,omitempty"`
	// AsVariables maps options of other launchers to variables of this launcher's environment.
	AsVariables map[string][]string `json:"as_variables,omitempty"`
	// Inquiries maps options that print a text and start nothing, of any launcher and without dashes, to
	// the option of this launcher with that text.
	Inquiries  map[string]string `json:"inquiries,omitempty"`
	Carry      Carry             `json:"carry,omitzero"`
	Hosts      Hosts             `json:"hosts,omitzero"`
	Root       Root              `json:"root,omitzero"`
	Session    Session           `json:"session,omitzero"`
	ShareCores [][2]string       `json:"share_cores,omitempty"` // variables that allow more ranks than cores, each with its value

	// SingletonDaemons are programs in the directory of its command. A process that no launcher has
	// started starts one of them.
	SingletonDaemons []string `json:"singleton_daemons,omitempty"`
	// Sets are the variables that it is known to set for ranks, as lists separated by spaces.
	Sets []string `json:"sets,omitempty"`
}

// Manager is the protocol between a process manager and the processes that it starts.
type Manager string

// The protocols.
const (
	PMI  Manager = "PMI" // PMI-1 and PMI-2
	PMIx Manager = "PMIx"
)

// Process describes how a process shows that the launcher has started it.
type Process struct {
	Mark string `json:"mark"` // a variable that it sets and that no launcher of a lower order sets
	// Signs are variables that it sets and wi4go never sets. A process with one of them and a rank was
	// started by this launcher.
	Signs []string `json:"signs,omitempty"`
	// Job are variables that have the same values in all processes of a job, and other values in
	// other jobs. A process may lack some. Without any, the launcher's own process names the job.
	Job []string `json:"job,omitempty"`
	// Inside are variables set in all processes below the launcher, by which a second launcher
	// detects that it runs inside a rank.
	Inside []string `json:"inside,omitempty"`
	// NestedRefused reports whether the launcher refuses to start a job inside its own job.
	NestedRefused bool `json:"nested_refused,omitempty"`
	// Prefixes are the beginnings of the variables that describe the job to its processes. A
	// whole name ends with "=".
	Prefixes  []string `json:"prefixes,omitempty"`
	Daemons   []string `json:"daemons,omitempty"`   // programs that run between the launcher and its ranks
	Libraries []string `json:"libraries,omitempty"` // the beginnings of the names of the launcher's own libraries
}

// Numbers are the names of the variables by which a launcher gives each process its place in the
// job, before MPI_Init. If a number has several names, a program may read any of them.
type Numbers struct {
	Rank      []string `json:"rank"`                // rank in MPI_COMM_WORLD
	Size      []string `json:"size"`                // size of MPI_COMM_WORLD
	LocalRank []string `json:"local_rank"`          // rank among the job's processes on this host
	LocalSize []string `json:"local_size"`          // number of the job's processes on this host
	NodeRank  []string `json:"node_rank,omitempty"` // rank among the processes of all jobs of the launcher on this host
}

// NumberCount is the count of numbers that Numbers has names for.
const NumberCount = 5

// Names returns all names.
func (n Numbers) Names() []string {
	return slices.Concat(n.Rank, n.Size, n.LocalRank, n.LocalSize, n.NodeRank)
}

// ByNumber returns the names of each number, in the order of the fields.
func (n Numbers) ByNumber() [NumberCount][]string {
	return [NumberCount][]string{n.Rank, n.Size, n.LocalRank, n.LocalSize, n.NodeRank}
}

// Step describes the variables of a job step of a batch system, in addition to Numbers.
type Step struct {
	Number string `json:"number"` // the variable that holds the number of the step
	// FirstSpecial is the first number of steps in which the launcher starts no tasks: batch scripts and
	// the shells of allocations.
	FirstSpecial uint32 `json:"first_special"`
	Node         string `json:"node"`  // the variable that holds the index of the process's node
	Tasks        string `json:"tasks"` // the variable that lists the number of tasks on each node, as in "2(x3),1"
	// Plugin is the variable that names the plugin by which tasks find their process manager. Plugins
	// maps the beginnings of its values to the protocol. Other plugins serve no MPI.
	Plugin  string             `json:"plugin"`
	Plugins map[string]Manager `json:"plugins"`
	// Namespace is the beginning of a task's PMIX_NAMESPACE. It shows the protocol PMIx if Plugin is not
	// set.
	Namespace string `json:"namespace"`
	// Library is the variable that gives an MPI library the file of the client library for PMI. The library then
	// needs no plugin.
	Library string `json:"library"`
}

// Options are the names of options without dashes, as lists separated by spaces. They are grouped
// by the number of arguments that follow: none, one or two.
type Options struct {
	None []string `json:"none,omitempty"`
	One  []string `json:"one,omitempty"`
	Two  []string `json:"two,omitempty"`
	// Pair has the options of Two, a name and a value, that also take both in one argument NAME=VALUE.
	Pair []string `json:"pair,omitempty"`
}

// Carry describes how a command line passes variables to ranks.
type Carry struct {
	Option    string `json:"option"`               // the option that does it; "" if there is none
	Joined    bool   `json:"joined,omitempty"`     // the option has one argument NAME=VALUE; otherwise two, name and value
	ByProgram bool   `json:"by_program,omitempty"` // the option must come before each program; otherwise once, before all programs
	// HandsOn reports whether ranks on other hosts get only the variables that the command line
	// names.
	HandsOn bool `json:"hands_on,omitempty"`
	// OtherWay is a parameter that also passes variables and excludes the option. OtherWayVariable
	// is the variable that sets this parameter. Both are "" if there is none.
	OtherWay         string `json:"other_way,omitempty"`
	OtherWayVariable string `json:"other_way_variable,omitempty"`
}

// Hosts describes how hosts are named and how the launcher reaches them.
type Hosts struct {
	Option         string   `json:"option"`                    // the option that takes a list of hosts, with its dash
	Slots          string   `json:"slots,omitempty"`           // separates a host and its number of processes in a file
	Lists          []string `json:"lists,omitempty"`           // options that take a list of hosts, without dashes
	Files          []string `json:"files,omitempty"`           // options that take a file of hosts, without dashes
	Parameters     []string `json:"parameters,omitempty"`      // options with two arguments, the name and the value of a parameter
	Way            []string `json:"way,omitempty"`             // options or parameters that choose the way to other hosts (ssh, slurm)
	WayVariables   []string `json:"way_variables,omitempty"`   // variables that choose it
	Agent          []string `json:"agent,omitempty"`           // options or parameters that name the remote shell
	AgentVariables []string `json:"agent_variables,omitempty"` // variables that name it
	// AgentNeeded is the variable that names the remote shell, if the launcher does not start a job
	// on this host without one; else "".
	AgentNeeded string `json:"agent_needed,omitempty"`
}

// Root describes how to permit the user root to run a launcher that otherwise refuses.
type Root struct {
	Variables []string `json:"variables,omitempty"` // variables that must all be 1
	Option    string   `json:"option,omitempty"`    // the option that does the same
}

// Session describes the directory in which a launcher keeps the files of a job.
type Session struct {
	Default    string   `json:"default"`    // the directory if nothing else is chosen; "" if there is none
	Parameters []string `json:"parameters"` // options or parameters that choose it
	Variables  []string `json:"variables"`  // variables that choose it; the first that is set counts
}

// All holds the launchers, sorted by Order.
var All = all()

// all reads the launchers from the embedded files. It panics if a file is malformed.
func all() (list []*Launcher) {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // cannot happen: the embedded root is always readable
	}
	for _, e := range entries {
		text, err := files.ReadFile(e.Name())
		l := &Launcher{Name: strings.TrimSuffix(e.Name(), ".json")}
		if err == nil {
			err = json.Unmarshal(text, l)
		}
		if err != nil {
			// Cannot happen: the files are compiled in, and every test reads them.
			panic(fmt.Errorf("internal/launchers/%s: %w", e.Name(), err))
		}
		list = append(list, l)
	}
	slices.SortFunc(list, func(a, b *Launcher) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), strings.Compare(a.Name, b.Name))
	})
	return list
}

// Of returns the launcher with that name, or nil.
func Of(name string) *Launcher {
	for _, l := range All {
		if l.Name == name {
			return l
		}
	}
	return nil
}

// OfEveryFamily returns the launcher that starts programs of every family.
func OfEveryFamily() *Launcher {
	return only(func(l *Launcher) bool { return l.EveryFamily })
}

// OfSteps returns the launcher of a batch system.
func OfSteps() *Launcher { return only(func(l *Launcher) bool { return l.Step != nil }) }

// only returns the first launcher with a property. It panics if there is none.
func only(is func(*Launcher) bool) *Launcher { return All[slices.IndexFunc(All, is)] }

func (l *Launcher) String() string { return l.Name }

// ManagerOf returns the protocol of a plugin, or "" if the plugin serves no MPI or is unknown.
func (s *Step) ManagerOf(plugin string) Manager {
	for begin, manager := range s.Plugins {
		if strings.HasPrefix(plugin, begin) {
			return manager
		}
	}
	return ""
}

// Variables returns the variables that hold the numbers of its processes, its own or those of NumbersOf.
func (l *Launcher) Variables() Numbers {
	if other := Of(l.NumbersOf); other != nil {
		return other.Numbers
	}
	return l.Numbers
}

// ProcessNames returns the beginnings of the names of the processes that start ranks.
func (l *Launcher) ProcessNames() (names []string) {
	if l.IsCommand() {
		names = slices.Concat(plain, l.Commands)
	}
	return append(names, l.Process.Daemons...)
}

// Is reports whether two launchers are the same.
func (l *Launcher) Is(other *Launcher) bool { return l == other }

// IsCommand reports whether the launcher is the mpiexec of an MPI library.
func (l *Launcher) IsCommand() bool { return len(l.Marks) > 0 }

// plain are the command names that every mpiexec may have.
var plain = []string{"mpiexec", "mpirun"}

// CommandNames returns the names of the commands of all launchers, the usual ones first.
func CommandNames() []string {
	names := slices.Clone(plain)
	for _, l := range All {
		names = append(names, l.Commands...)
	}
	for _, l := range All {
		names = append(names, l.packaged()...)
	}
	return names
}

// StepCommands returns the names of the commands that start processes in a job of a batch system.
func StepCommands() (names []string) {
	for _, l := range All {
		names = append(names, l.StepCommands...)
	}
	return names
}

// OwnNames returns the names that the command of this launcher may have, beginning with
// those that are only its own.
func (l *Launcher) OwnNames() []string {
	return append(l.packaged(), CommandNames()...)
}

// packaged returns the command names by which distributions distinguish launchers.
func (l *Launcher) packaged() []string {
	if l.Package == "" {
		return nil
	}
	return []string{"mpiexec." + l.Package, "mpirun." + l.Package}
}

// Known returns the variables that the launcher is known to set for its ranks.
func (l *Launcher) Known() []string { return words(l.Sets) }

// words splits lists of words at spaces and joins the results.
func words(lists []string) (all []string) {
	for _, list := range lists {
		all = append(all, strings.Fields(list)...)
	}
	return all
}

// Sharing returns variables, each with its value, that let ranks of every launcher share cores and
// let root start them.
func Sharing() (vars [][2]string) {
	for _, l := range All {
		for _, name := range l.Root.Variables {
			vars = append(vars, [2]string{name, "1"})
		}
		vars = append(vars, l.ShareCores...)
	}
	return vars
}
