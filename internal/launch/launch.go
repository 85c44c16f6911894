// Package launch turns a command line of mpiexec into the one that runs its
// programs on another MPI library: it finds the programs among the launcher's
// options, decides what environment their ranks need, and hands that to the
// ranks by the launcher's own means.
//
// It works in three steps: decide.go finds the Placement of each program, with its reason;
// front.go, native.go and place.go name the files and variables that it needs; command.go
// writes the launcher's command line.
//
// It must not know how an MPI call is translated, and it starts nothing: what
// comes out is a command for the caller to execute.
package launch

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"wi4go/internal/config"
	"wi4go/internal/family"
	"wi4go/internal/install"
	"wi4go/internal/launchers"
	"wi4go/internal/ldso"
	"wi4go/internal/program"
	"wi4go/internal/runtimes"
)

// A Launcher has what the decisions depend on.
type Launcher struct {
	Tree     install.Tree
	Runtimes runtimes.Search
	Libs     ldso.Search
	Getenv   func(string) string // this process's environment
	CacheDir func() (string, error)
	Config   func() (config.Config, error)
	Identity bool // the front is wanted where the runtime's own library would do, too

	// Auditor returns nil if the dynamic linker of this host can be given the auditor in a
	// file, else an error with the reason. A nil function: nothing is audited.
	Auditor func(auditor string) error

	Contained bool // the processes are in a container, which sees no files that a job has made
}

// A Var is a variable of the ranks' environment.
type Var struct{ Name, Value string }

func (v Var) String() string { return v.Name + "=" + v.Value }

// AnyCores let more ranks run than there are cores, and for root: for runs of wi4go's own
// programs.
var AnyCores = func() (vars []Var) {
	for _, v := range launchers.Sharing() {
		vars = append(vars, Var{v[0], v[1]})
	}
	return vars
}()

// A Job is one program on one runtime.
type Job struct {
	Program *program.Program // nil where --from was given and the program could not be read
	From    *family.Family   // nil where nothing tells the program's
	Runtime *runtimes.Runtime
	Numbers Numbers // of the program, where it is of the standard ABI
	Env     []Var   // what its processes need, beyond what they have

	Placement // how the program gets onto the runtime

	Warnings []error // what may go wrong all the same

	name  string         // of the program as the command line has it, "" if the job is of a program that was read before
	front string         // the file that stands before the runtime, "" where none does
	own   string         // the stubs of functions of the C library's own, "" if the program lacks none or they cannot serve
	lacks []program.Lack // what the front does not have
	layer string         // our Fortran library over it, "" where there is none or the program's own serves
	doubt bool           // Intel's wrapper has linked it, and its numbers are not known
	merge bool           // Env has a value that each host must merge with its own
	means means          // by which its processes find what takes the library's place
	made  []made         // files that it needs, which are to be made before it starts
}

// Environ puts the variables into an environment.
func Environ(environ []string, vars []Var) []string {
	out := slices.Clone(environ)
	for _, v := range vars {
		out = slices.DeleteFunc(out, func(e string) bool { return strings.HasPrefix(e, v.Name+"=") })
		out = append(out, v.String())
	}
	return out
}

// Finder finds programs among a launcher's arguments in the file system.
func (l Launcher) Finder() Finder {
	return Finder{
		Executable: func(name, dir string) error {
			_, err := program.Look(name, dir)
			return err
		},
		IsMPI: func(argv []string, dir string) bool {
			p, err := program.Trace(argv, dir, l.Libs, nil)
			return err == nil && len(p.Via) == 0
		},
	}
}

// Runtime finds the runtime: --to, else WI4GO_TO, else what is configured, else
// the default, which in a started process is that of its launcher.
func (l Launcher) Runtime(to string, started bool) (*runtimes.Runtime, error) {
	if to != "" {
		return l.Runtimes.Resolve(to)
	}
	if named := l.Getenv("WI4GO_TO"); named != "" {
		return l.namedIn("WI4GO_TO", named)
	}
	settled, err := l.Config()
	switch {
	case err != nil:
		return nil, err
	case settled.To.Text != "":
		return l.namedIn(settled.To.File, settled.To.Text)
	case started:
		return l.Runtimes.Default()
	}
	return l.Runtimes.Resolve("")
}

// namedIn resolves what a place other than the command line names.
func (l Launcher) namedIn(place, name string) (*runtimes.Runtime, error) {
	rt, err := l.Runtimes.Resolve(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	return rt, nil
}

// some joins a few names and counts the rest.
func some(names []string) string {
	const few = 4
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
