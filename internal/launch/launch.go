// Package launch turns a command line of mpiexec into a command line that runs its programs on
// another MPI library. It finds the programs among the launcher's options, decides which
// environment their ranks need, and passes that environment to the ranks through the launcher's own
// options.
//
// It works in three steps: placement.go decides how the program of a Request gets onto its runtime, which is
// its Placement; front.go and native.go determine the files and variables that it needs, which are its Job;
// command.go writes the launcher's command line for the jobs.
//
// It must not know how an MPI call is translated, and it starts nothing: it returns a command for
// the caller to execute.
package launch

import (
	"cmp"
	"errors"
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

// A Launcher holds everything that the decisions depend on.
type Launcher struct {
	Tree     install.Tree                  // the installation of wi4go
	Runtimes runtimes.Search               // finds MPI libraries
	Libs     ldso.Search                   // finds shared libraries as the dynamic linker does
	Getenv   func(string) string           // reads this process's environment
	CacheDir func() (string, error)        // returns the user's cache directory
	Config   func() (config.Config, error) // returns the configuration
	Identity bool                          // use the front even if the runtime's own library would do

	// Auditor returns nil if the dynamic linker of this host accepts the auditor in a file, else an
	// error with the reason. If the function is nil, no process is audited.
	Auditor func(auditor string) error

	advising bool // the decisions are about another library that a message may name; they give no advice

	Contained bool // the processes run in a container, which does not see the files that a job creates
}

// A Var is a variable of the ranks' environment.
type Var struct{ Name, Value string }

func (v Var) String() string { return v.Name + "=" + v.Value }

// AnyCores are variables that allow more ranks than there are cores, and allow root to start ranks.
// They are for runs of wi4go's own programs, on this host. getenv reads the environment of the run.
func AnyCores(getenv func(string) string) (vars []Var) {
	for _, v := range launchers.Sharing() {
		vars = append(vars, Var{v[0], v[1]})
	}
	return append(vars, withoutAgent(getenv)...)
}

// A Request is one program, and the runtime for it: the user names both, and the program's files show the
// rest. The decision does not change it.
type Request struct {
	Program *program.Program // nil if --from was given and the program could not be read
	From    *family.Family   // nil if no file shows the program's family
	Runtime *runtimes.Runtime
	Numbers Numbers // numbers of the program, if it uses the standard ABI

	argv           []string // the command line; nil if the request is for a program that was read before
	dir            string   // the directory in which it is started
	numbersUnknown bool     // Intel's wrapper linked the program, and its numbering is unknown
}

// A Placement is the decision how a request's program gets onto the runtime, with its reason.
type Placement struct {
	Request

	Way    Way    // how the program gets onto the runtime
	Reason string // the reason for Identity, Static and Undecided; "" for the others, which follow from the family

	front          string                  // the file of the front, or "" if the program needs none
	fortranLibrary string                  // wi4go's Fortran library on top of the front; "" if there is none or the program's own serves
	missing        []program.MissingSymbol // symbols that the front does not have
	ownStubs       string                  // the file of stubs for the C library's own functions; "" if the program lacks none or stubs cannot serve
}

// A Job is everything that the start of a placed program needs.
type Job struct {
	Placement

	Env      []Var   // the variables that its processes need in addition to the environment they inherit
	Warnings []error // problems that may arise although the job can run
	Notes    []error // problems of which nothing shows whether they will arise; doctor reports all, run only some

	mergesOnHost bool           // Env has a value that must be merged with each host's own
	variables    substituteVars // the variables by which its processes find the substitute
	files        []plannedFile  // files that must be created before it starts
}

// Environ returns environ with vars set in it.
func Environ(environ []string, vars []Var) []string {
	out := slices.Clone(environ)
	for _, v := range vars {
		out = slices.DeleteFunc(out, func(e string) bool { return strings.HasPrefix(e, v.Name+"=") })
		out = append(out, v.String())
	}
	return out
}

// Finder returns a Finder that looks for programs in the file system.
func (l Launcher) Finder() Finder {
	return Finder{
		Executable: func(name, dir string) error {
			_, err := program.LookPath(name, dir)
			return err
		},
		IsMPI: func(argv []string, dir string) bool {
			p, err := program.Trace(argv, dir, l.Libs, nil)
			return err == nil && len(p.Via) == 0
		},
	}
}

// Runtime returns the runtime: the one named by --to, else by WI4GO_TO, else by the configuration,
// else the default. In a started process, the default is the runtime of its launcher.
func (l Launcher) Runtime(to string, started bool) (*runtimes.Runtime, error) {
	if to != "" {
		return l.Runtimes.Resolve(to)
	}
	if named := l.Getenv("WI4GO_TO"); named != "" {
		return l.namedIn("WI4GO_TO", named)
	}
	settings, err := l.Config()
	switch {
	case err != nil:
		return nil, err
	case settings.To.Text != "":
		return l.namedIn(settings.To.File, settings.To.Text)
	case started:
		return l.Runtimes.Default()
	}
	return l.Runtimes.Resolve("")
}

// LibraryInside returns to, the value of --to. If that and WI4GO_TO are empty and the program of a segment contains its MPI
// library, it returns the name of that library.
func (l Launcher) LibraryInside(to string, s Segment) string {
	if to != "" || l.Getenv("WI4GO_TO") != "" || len(s.Program) == 0 {
		return to
	}
	p, err := l.Trace(s.Program, s.Dir, "", nil)
	if !errors.Is(err, program.ErrContainsMPI) {
		return to
	}
	name, _, _ := strings.Cut(p.Contains, " ")
	return name
}

// LastResort reports whether a runtime is the embedded MPI although nothing names it, or only its
// family does: then there is no other. to is the value of --to.
func (l Launcher) LastResort(rt *runtimes.Runtime, to string) bool {
	if !rt.Traits().IsOwn {
		return false
	}
	settings, _ := l.Config() // an error was reported before rt was found
	named := cmp.Or(to, l.Getenv("WI4GO_TO"), settings.To.Text)
	_, err := family.Of(named)
	return named == "" || err == nil && runtimes.VendorOf(named) == nil
}

// NoRuntime returns err, an error of Runtime. If it is runtimes.ErrNotFound, the result names a library
// of the family of the program that argv starts in directory dir; from is the user's --from.
func (l Launcher) NoRuntime(err error, argv []string, dir, from string) error {
	if !errors.Is(err, runtimes.ErrNotFound) {
		return err
	}
	return l.Runtimes.NoneFor(l.familyOf(argv, dir, from))
}

// OnlyEmbedded returns Search.OnlyEmbedded for the program that argv starts in directory dir; from
// is the user's --from.
func (l Launcher) OnlyEmbedded(argv []string, dir, from string) error {
	return l.Runtimes.OnlyEmbedded(l.familyOf(argv, dir, from))
}

// familyOf returns the family that from names, or the family of the program that argv starts in directory
// dir. It returns nil if neither is known.
func (l Launcher) familyOf(argv []string, dir, from string) *family.Family {
	if f, err := family.Of(from); err == nil || len(argv) == 0 {
		return f
	}
	p, err := l.Trace(argv, dir, from, nil)
	if err != nil {
		return nil
	}
	return p.Family
}

// namedIn resolves a runtime named elsewhere than on the command line; its error names that place.
func (l Launcher) namedIn(place, name string) (*runtimes.Runtime, error) {
	rt, err := l.Runtimes.Resolve(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	return rt, nil
}

// summarize joins up to four names, and gives the number of the others.
func summarize(names []string) string {
	const few = 4
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

// sameFile reports whether two paths lead to one file. It returns false if a file is missing.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
