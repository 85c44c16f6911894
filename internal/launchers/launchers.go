// Package launchers describes the programs that start ranks: the options that they take, how they
// pass variables to ranks and name hosts, and how a process shows which launcher has started it.
// Each launcher is one JSON file in this directory.
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

	"wi4go/internal/family"
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
	Manager family.Manager `json:"manager,omitempty"`

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

// Process describes how a process shows that the launcher has started it.
type Process struct {
	Mark    string   `json:"mark"`              // a variable that it sets and that no launcher of a lower order sets
	Rank    string   `json:"rank"`              // the variable that holds the rank of the process
	Size    string   `json:"size"`              // the variable that holds the number of ranks
	Daemons []string `json:"daemons,omitempty"` // programs that run between the launcher and its ranks
	Slurm   bool     `json:"slurm,omitempty"`   // the launcher is srun, which has further variables that decide
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

func (l *Launcher) String() string { return l.Name }

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
