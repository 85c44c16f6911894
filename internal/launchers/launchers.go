// Package launchers describes the programs that start ranks: the options that they take,
// how they carry variables and name hosts, and how a process shows which of them has
// started it. Each launcher is one file beside this one.
//
// It must not know of the files of a machine, of processes or of runtimes: names and
// command lines in, names and command lines out.
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
	Name    string         `json:"-"`                 // of its file; abi/*.json refers to it
	Title   string         `json:"title"`             // as a sentence has it
	Package string         `json:"package,omitempty"` // the suffix that distributions give its command, as mpiexec.openmpi; ""
	Order   int            `json:"order"`             // among the launchers: of two that a process shows equally, the lower one counts
	Manager family.Manager `json:"manager,omitempty"` // the process manager by which its ranks learn their number: PMI, PMIx, or "" if that varies

	// Marks are strings of which the file of its command holds one. None: it is not the
	// mpiexec of an MPI library.
	Marks []string `json:"marks,omitempty"`
	// Commands are names of its command beside mpiexec and mpirun.
	Commands []string `json:"commands,omitempty"`

	Process    Process     `json:"process"`
	Options    Options     `json:"options,omitzero"`
	Carry      Carry       `json:"carry,omitzero"`
	Hosts      Hosts       `json:"hosts,omitzero"`
	Root       Root        `json:"root,omitzero"`
	ShareCores [][2]string `json:"share_cores,omitempty"` // variables that let more ranks run than there are cores

	// SingletonDaemons are the programs beside its command of which a process that no
	// launcher has started starts one.
	SingletonDaemons []string `json:"singleton_daemons,omitempty"`
	// Sets are the variables that it is known to set for ranks, separated by spaces.
	Sets []string `json:"sets,omitempty"`
}

// Process is how a process shows that the launcher has started it.
type Process struct {
	Mark    string   `json:"mark"`              // a variable that it sets, and no launcher of a lower order does
	Rank    string   `json:"rank"`              // the variable with the rank of the process
	Size    string   `json:"size"`              // the variable with the number of ranks
	Daemons []string `json:"daemons,omitempty"` // programs between the launcher and its ranks
	Slurm   bool     `json:"slurm,omitempty"`   // it is srun, whose other variables decide
}

// Options are the names of options without dashes, separated by spaces, by the number of
// arguments that follow.
type Options struct {
	None []string `json:"none,omitempty"`
	One  []string `json:"one,omitempty"`
	Two  []string `json:"two,omitempty"`
}

// Carry is how a command line gives variables to ranks.
type Carry struct {
	Option    string `json:"option"`               // "" if it has no such option
	Joined    bool   `json:"joined,omitempty"`     // its argument is NAME=VALUE; else it has two
	ByProgram bool   `json:"by_program,omitempty"` // it stands before each program; else once, before all
	// HandsOn reports whether the launcher gives the ranks of other hosts only the variables
	// that are named.
	HandsOn bool `json:"hands_on,omitempty"`
	// OtherWay is a parameter that also carries variables and excludes the option, and
	// OtherWayVariable the variable that sets it; "" if there is none.
	OtherWay         string `json:"other_way,omitempty"`
	OtherWayVariable string `json:"other_way_variable,omitempty"`
}

// Hosts is how hosts are named, and how the launcher reaches them.
type Hosts struct {
	Option         string   `json:"option"`                    // that takes a list of hosts, with its dash
	Lists          []string `json:"lists,omitempty"`           // options with a list of hosts, without dashes
	Files          []string `json:"files,omitempty"`           // options with a file of hosts, without dashes
	Parameters     []string `json:"parameters,omitempty"`      // options whose two arguments are a parameter's name and value
	Way            []string `json:"way,omitempty"`             // options or parameters that choose the way to other hosts (ssh, slurm)
	WayVariables   []string `json:"way_variables,omitempty"`   // variables that do
	Agent          []string `json:"agent,omitempty"`           // options or parameters that name the remote shell
	AgentVariables []string `json:"agent_variables,omitempty"` // variables that do
}

// Root is what a launcher that refuses to run for the user root requires of that user.
type Root struct {
	Variables []string `json:"variables,omitempty"` // all of which must be 1
	Option    string   `json:"option,omitempty"`    // or this
}

// All are the launchers, by their order.
var All = all()

func all() (list []*Launcher) {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the embedded root is always readable
	}
	for _, e := range entries {
		text, err := files.ReadFile(e.Name())
		l := &Launcher{Name: strings.TrimSuffix(e.Name(), ".json")}
		if err == nil {
			err = json.Unmarshal(text, l)
		}
		if err != nil {
			panic(fmt.Errorf("internal/launchers/%s: %w", e.Name(), err)) // compiled in, and read by every test
		}
		list = append(list, l)
	}
	slices.SortFunc(list, func(a, b *Launcher) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), strings.Compare(a.Name, b.Name))
	})
	return list
}

// Of returns the launcher of a name, or nil.
func Of(name string) *Launcher {
	for _, l := range All {
		if l.Name == name {
			return l
		}
	}
	return nil
}

func (l *Launcher) String() string { return l.Name }

// Is reports whether two launchers are one.
func (l *Launcher) Is(other *Launcher) bool { return l == other }

// IsCommand reports whether the launcher is the mpiexec of an MPI library.
func (l *Launcher) IsCommand() bool { return len(l.Marks) > 0 }

// plain are the names that every mpiexec may have.
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

// OwnNames returns the names that the command of this launcher may have, beginning with
// those that are only its own.
func (l *Launcher) OwnNames() []string {
	return append(l.packaged(), CommandNames()...)
}

// packaged returns the names under which distributions keep several launchers apart.
func (l *Launcher) packaged() []string {
	if l.Package == "" {
		return nil
	}
	return []string{"mpiexec." + l.Package, "mpirun." + l.Package}
}

// Known returns the variables that the launcher is known to set for its ranks.
func (l *Launcher) Known() []string { return words(l.Sets) }

// words splits lists of words.
func words(lists []string) (all []string) {
	for _, list := range lists {
		all = append(all, strings.Fields(list)...)
	}
	return all
}

// Sharing returns variables by which ranks of every launcher may share cores and run for
// root, each a name and a value.
func Sharing() (vars [][2]string) {
	for _, l := range All {
		for _, name := range l.Root.Variables {
			vars = append(vars, [2]string{name, "1"})
		}
		vars = append(vars, l.ShareCores...)
	}
	return vars
}
