package launch

import (
	"slices"
	"strings"

	"wi4go/internal/fault"
	"wi4go/internal/runtimes"
)

// InsteadVariable is the variable that gives ranks of the embedded MPI the words that follow "use
// another MPI: " in their messages (embedded/base/errors.c).
const InsteadVariable = "WI4GO_INSTEAD"

// another returns an installed library, other than the embedded MPI and the request's own, on which the
// request's program runs. missing returns the number of things that a job there lacks; the result is the
// library that lacks least. If several lack equally little, libraries of the program's family come
// first. another returns nil if there is none, or if all of them lack more than most.
func (l Launcher) another(r *Request, most int, missing func(*Job) int) (best *runtimes.Runtime) {
	if l.advising {
		return nil // decide calls this function, which calls decide
	}
	l.advising = true
	others := l.Runtimes.Others(r.Runtime)
	slices.SortStableFunc(others, func(a, b *runtimes.Runtime) int { return rank(r, a) - rank(r, b) })
	least := most + 1
	for _, rt := range others {
		lacking := 0
		if r.Program != nil {
			there, err := l.JobOf(r.Program, rt)
			if err != nil {
				continue
			}
			lacking = missing(there)
		}
		if lacking < least && l.Runtimes.Loads(rt) {
			best, least = rt, lacking
		}
	}
	return best
}

// rank returns 0 for a runtime of the family of a request's program, and 1 for others.
func rank(r *Request, rt *runtimes.Runtime) int {
	if rt.Family == r.From {
		return 0
	}
	return 1
}

// all is the number of things that no library missing.
const all = 1 << 30

// nothing returns 0 for every job.
func nothing(*Job) int { return 0 }

// lacksOf returns a function that counts the functions among names that fail in a job.
func lacksOf(names []string) func(*Job) int {
	return func(j *Job) int {
		return len(keep(j.Service().Missing, func(name string) bool { return slices.Contains(names, name) }))
	}
}

// Instead returns words for a message about functions that a request's runtime lacks: the option that
// chooses an installed library with all of them, or else the command that installs one.
func (l Launcher) Instead(r *Request, functions []string) string {
	if rt := l.another(r, 0, lacksOf(functions)); rt != nil {
		return rt.Option()
	}
	// MPICH has all functions that the embedded MPI lacks; only new releases have those that others lack.
	return l.installs(!r.Runtime.Traits().ListsLacking, functions)
}

// installs returns the command that installs a library with functions, for the end of a message. newest
// is an argument of InstallsMPICH.
func (l Launcher) installs(newest bool, functions []string) string {
	if slices.ContainsFunc(functions, func(name string) bool { return strings.HasPrefix(name, "MPIX_") }) {
		return "the library that the program was built with" // no other may have a library's extensions
	}
	return l.Runtimes.InstallsMPICH(newest) + " installs one"
}

// InsteadOf returns the same for a runtime, if no program is known. names are the functions.
func (l Launcher) InsteadOf(rt *runtimes.Runtime, names ...string) string {
	for _, r := range l.Runtimes.Others(rt) {
		if len(keep(names, func(name string) bool { return !r.Has()(name) })) == 0 && l.Runtimes.Loads(r) {
			return r.Option()
		}
	}
	return l.installs(len(names) > 0, names)
}

// useAnother returns the cure for functions that the embedded MPI does not have.
func (l Launcher) useAnother(r *Request, functions []string) string {
	return "if it calls them, use another MPI: " + l.Instead(r, functions)
}

// forHosts returns the cure if a job of the embedded MPI needs several hosts.
func (l Launcher) forHosts(r *Request) string {
	if rt := l.another(r, all, nothing); rt != nil {
		return "use an MPI for several hosts: " + rt.Option()
	}
	return "install an MPI for several hosts, for example with " + l.Runtimes.InstallsMPICH(false)
}

// refusals are the names of errors and warnings whose cure is another library.
var refusals = []string{"fortran", "symbol-unknown", "runtime-unusable", "own-function"}

// elsewhere returns an error or a warning about a request. If its cure is another library, the result names
// an installed library on which the program runs, or else the command that installs one.
func (l Launcher) elsewhere(r *Request, err error) error {
	if err == nil || l.advising || r.From == nil {
		return err
	}
	id, description, cure := fault.Of(err, "")
	if cure == "" || !slices.Contains(refusals, id) {
		return err
	}
	cure = strings.TrimSuffix(cure, " (--to)")
	if rt := l.another(r, 0, func(there *Job) int { return len(there.UnresolvedFunctions()) }); rt != nil {
		return fault.New(id, cure+": "+rt.Option(), "%s", description)
	}
	if slices.ContainsFunc(l.Runtimes.Others(nil), func(rt *runtimes.Runtime) bool { return rt.Family == r.From }) {
		return err // an installed library of the program's family does not serve, so another release might not either
	}
	return fault.New(id, cure+": "+l.Runtimes.Installs(r.From)+" installs one", "%s", description)
}

// insteadVar returns the variable of a job of the embedded MPI for messages in its ranks, or none if
// the program's files show that it calls only functions that the embedded MPI has.
func (l Launcher) insteadVar(r *Request) []Var {
	if !r.Runtime.Traits().ListsLacking || l.advising {
		return nil
	}
	functions := r.Lacking().All()
	if len(functions) == 0 && r.Program != nil && !r.Program.MayImportMPI4Py() {
		return nil
	}
	if rt := l.another(r, all, lacksOf(functions)); rt != nil {
		return []Var{{InsteadVariable, rt.Option()}}
	}
	return []Var{{InsteadVariable, l.installs(false, nil)}}
}
