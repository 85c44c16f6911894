package launch

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/program"
	"wi4go/internal/runtimes"
)

// A Way is one way of running a program on a runtime.
type Way int

// The ways.
const (
	Undecided   Way = iota // no file names the program's family; its processes find the fronts of all families
	Static                 // the front is linked into the program
	Unaided                // the program loads the runtime's library without wi4go's help
	Substituted            // the runtime's library replaces the program's own
	Identity               // the front of the program's own family lies between program and runtime
	Translated             // the front translates the program's calls to another family
)

// Native reports whether the runtime's library serves the program directly, without a front.
func (p *Placement) Native() bool { return p.Way == Unaided || p.Way == Substituted }

// Job decides how argv, started in directory dir, gets onto the runtime. from is the name of a
// family, or "auto" or "" to find the family from the program's files. If the files do not show it,
// the processes find the fronts of all families. Job returns an error if the program cannot run on
// rt.
func (l Launcher) Job(argv []string, dir, from string, rt *runtimes.Runtime) (*Job, error) {
	j := newJob(Request{Runtime: rt, argv: argv, dir: dir})
	p, err := l.Trace(argv, dir, from, rt)
	j.Program = p
	if p == nil || len(p.Via) > 0 {
		j.learnLauncher(argv, dir, l.Getenv)
	}
	if named, unknown := family.Of(from); unknown == nil && errors.Is(err, program.ErrUnversioned) {
		p, err = program.ReadAs(argv[0], dir, l.Libs, named)
		j.Program = p
	}
	fromNumbers := unknownNumbers
	switch {
	case from == "" || from == "auto":
		if errors.Is(err, program.ErrHasFront) {
			j.Way, j.Reason = Static, "linked with -static-mpi"
			j.Env = []Var{{"WI4GO_TO", rt.Library}}
			return j, l.complete(j)
		}
		if errors.Is(err, program.ErrContainsMPI) {
			if err := l.checkContained(&j.Request, err); err != nil {
				return nil, err
			}
			j.Way, j.Reason = Static, "contains its MPI library, "+p.Contains
			return j, l.complete(j)
		}
		if program.IsUndecided(err) {
			j.Way, j.Reason = Undecided, "whose files name no MPI; wi4go replaces each MPI library that it opens"
			return j, l.undecided(j)
		}
		if err != nil {
			return nil, err
		}
		j.From = p.Family
	default:
		if fromNumbers, err = j.applyFrom(from, p, err); err != nil {
			return nil, err
		}
	}
	l.setNumbers(&j.Request, fromNumbers)
	if err := l.decide(j); err != nil {
		return j, err
	}
	if p == nil {
		if path, err := program.LookPath(argv[0], dir); err == nil {
			return j, program.CheckSecure(path)
		}
	}
	return j, nil
}

// checkContained returns an error if a program that contains its MPI library cannot run as the user wants: on the
// runtime of the request, or with tools that the environment loads into it. contains is the error of reading it.
func (l Launcher) checkContained(r *Request, contains error) error {
	if name, _, _ := strings.Cut(r.Program.Contains, " "); r.Runtime.Vendor != name {
		return fmt.Errorf("cannot run on %s: %w", r.Runtime, contains)
	}
	const cure = ", or link the program without -static and -static-mpi=NAME"
	for _, file := range strings.FieldsFunc(l.Getenv("LD_PRELOAD"), func(c rune) bool { return c == ' ' || c == ':' }) {
		if o, err := elfobj.Read(file); err == nil && definesMPI(o) {
			return fault.New("program-static", "remove it from LD_PRELOAD"+cure,
				"the tool %s in LD_PRELOAD gets no call of %s, which contains its MPI library", file, r.Program.Path)
		}
	}
	if list := l.Getenv("LD_AUDIT"); list != "" && !r.Program.Tree.Nodes[0].Dynamic {
		return fault.New("program-static", "unset LD_AUDIT"+cure, "LD_AUDIT is %s, but %s is static and loads no library", list, r.Program.Path)
	}
	return nil
}

// applyFrom stores the family that --from names in the request, and returns the numbering that this name
// implies. p is the program, or nil if it could not be read; unread is then the reason.
func (r *Request) applyFrom(from string, p *program.Program, unread error) (Numbers, error) {
	fromNumbers := unknownNumbers
	f, unknown := family.Of(from)
	if unknown != nil {
		return fromNumbers, fmt.Errorf("--from: %w, auto", unknown)
	}
	switch {
	case from == runtimes.IntelMPI.Name && p != nil && p.Family != nil && p.Family.Draft:
		f, fromNumbers = p.Family, draftNumbers
	case f.Draft:
		fromNumbers = standardNumbers
	}
	r.From = f
	if errors.Is(unread, program.ErrNotDynamic) || errors.Is(unread, program.ErrContainsMPI) {
		return fromNumbers, unread
	}
	if p != nil && p.Family != f && len(p.Via) == 0 {
		return fromNumbers, fmt.Errorf("--from %s is wrong: %s was built for %s (%s); leave out --from", f.Name, p.Path, p.Family.Title,
			strings.Join(p.Needed(), ", "))
	}
	// For scripts and wrappers --from has priority. The program that was found is kept only if it
	// is of the same family.
	if p == nil || p.Family != f {
		r.Program = nil
	}
	return fromNumbers, nil
}

// Trace finds the program that a command line starts. If the program exists for several families,
// Trace chooses the family named by from, or else the runtime's.
func (l Launcher) Trace(argv []string, dir, from string, rt *runtimes.Runtime) (*program.Program, error) {
	prefer, err := family.Of(from)
	if err != nil && rt != nil {
		prefer = rt.Family
	}
	return program.Trace(argv, dir, l.Libs, prefer)
}

// ReadAhead reads the program of a segment and the libraries that it loads, so that Trace finds them read. Trace reports
// what is wrong with them.
func (l Launcher) ReadAhead(s Segment) {
	if path, err := program.LookPath(s.Program[0], s.Dir); err == nil {
		_, _ = l.Libs.Load(path)
	}
}

// newJob returns the job of a request about which nothing is decided.
func newJob(r Request) *Job { return &Job{Placement: Placement{Request: r}} }

// JobOf decides how a program that has already been read gets onto the runtime.
func (l Launcher) JobOf(p *program.Program, rt *runtimes.Runtime) (*Job, error) {
	j := newJob(Request{Program: p, From: p.Family, Runtime: rt})
	l.setNumbers(&j.Request, unknownNumbers)
	return j, l.decide(j)
}

// decide chooses the job's Way and fills in its environment, files and warnings. It returns
// an error if the program cannot run that way, for example because the kernel ignores LD_PRELOAD
// for it.
func (l Launcher) decide(j *Job) error {
	err := l.elsewhere(&j.Request, l.place(j))
	for i, warning := range j.Warnings {
		j.Warnings[i] = l.elsewhere(&j.Request, warning)
	}
	return err
}

// place does the work of decide. Its errors name no other library.
func (l Launcher) place(j *Job) error {
	if j.Program != nil {
		if err := j.Program.CheckMachine(); err != nil {
			return err
		}
	}
	j.Way, j.Reason = l.way(&j.Request)
	place := l.translated
	if j.Native() {
		place = l.native
	}
	if err := place(j); err != nil {
		return err
	}
	if err := l.complete(j); err != nil {
		return err
	}
	if j.Program != nil && j.Way != Unaided && !l.Contained && !l.findsFront(j.Program) {
		return j.Program.CheckSecure()
	}
	return nil
}

// way decides how a program of a known family gets onto the runtime, and returns the reason for Identity.
func (l Launcher) way(r *Request) (way Way, reason string) {
	if r.From != r.Runtime.Family {
		return Translated, ""
	}
	if reason := l.identityReason(r); reason != "" {
		return Identity, reason
	}
	if r.Program != nil && l.loadsRuntime(r) && len(l.unusedCxx(r)) == 0 {
		return Unaided, ""
	}
	return Substituted, ""
}

// unusedCxx returns the C++ libraries that the program needs but cannot load, and of which it uses
// nothing. The runtime's library has to take their place.
func (l Launcher) unusedCxx(r *Request) []string {
	if r.Program == nil || l.Contained {
		return nil
	}
	return r.Program.UnusedCxx(r.Runtime.Object().Defines)
}

// loadsRuntime reports whether the program loads the runtime's library without any help.
func (l Launcher) loadsRuntime(r *Request) bool {
	return !r.lacksPart() && slices.ContainsFunc(r.Program.Sonames, func(soname string) bool {
		node := r.Program.Tree.Find(soname)
		return node != nil && sameFile(node.Path, r.Runtime.Library)
	})
}

// identityReason returns the reason why the runtime's library cannot replace the program's own library,
// although both belong to the same family, or "" if it can. If it cannot, the identity front serves
// the program: it has all symbols and all sonames of the family.
func (l Launcher) identityReason(r *Request) string {
	rt := r.Runtime
	if l.Identity {
		return "requested by --identity"
	}
	if reason := renumberingReason(r); reason != "" {
		return reason
	}
	if r.lacksFortran() || l.movedFortran(r) != "" {
		return fmt.Sprintf("the program needs %s, which is not on this machine", r.Program.MissingFortran())
	}
	if reason := l.lacksProcedures(r); reason != "" {
		return reason
	}
	if r.Program == nil {
		return "" // --from was given: trust it, and preload the runtime's library
	}
	missing := r.Program.Undefined(rt.Object().Defines, true)
	served := func(name string) bool { return family.IsC(name) || slices.Contains(r.From.Answered, name) }
	if l.loadsRuntime(r) && !slices.ContainsFunc(missing, served) {
		return ""
	}
	if reason := l.otherCore(r); reason != "" {
		return reason
	}
	if len(missing) > 0 {
		return fmt.Sprintf("%s lacks %s", rt.Library, summarize(missing))
	}
	if mark := r.From.Spawn.Mark; mark != "" && rt.Object().Defines(mark) && slices.ContainsFunc(r.Program.Functions, spawns) {
		return "only the front makes spawned processes find that library"
	}
	if library := r.ownLibrary(); library != nil {
		for _, m := range levelMarks {
			if library.Defines(m.function) && !rt.Object().Defines(m.function) {
				return fmt.Sprintf("the program was linked with a library of MPI-%s, but %s is older", m.level, rt.Library)
			}
		}
	}
	for _, soname := range r.Program.Sonames {
		switch {
		case slices.Contains(r.From.Parts, soname):
			if !slices.Contains(rt.Object().Needed, soname) {
				return fmt.Sprintf("the program needs %s, which %s does not have", soname, rt.Library)
			}
		case soname != rt.Soname:
			return fmt.Sprintf("the program needs %s, but that library's soname is %s", soname, rt.Soname)
		}
	}
	if strings.ContainsAny(rt.Library, " :") {
		return fmt.Sprintf("the path %q contains a space or a colon, which separates paths in LD_PRELOAD", rt.Library)
	}
	return ""
}

// spawns reports whether an MPI function starts processes.
func spawns(function string) bool { return strings.HasPrefix(function, "MPI_Comm_spawn") }

// levelMarks are functions that show which version of the MPI standard a library implements. A program
// built for a newer version may pass that version's constants to functions that an older library
// has as well.
var levelMarks = []struct{ level, function string }{
	{"4.0", "MPI_Session_init"}, {"4.1", "MPI_Get_hw_resource_info"}, {"5.0", "MPI_Abi_get_version"},
}

// otherCore returns a message if one of the program's libraries needs another version of the core
// libraries below the runtime's C library, or "" if none does. Example: Open MPI 4's C++ and
// Fortran libraries need libopen-pal.so.40, and Open MPI 5 has its own library with the same
// symbols.
func (l Launcher) otherCore(r *Request) string {
	for _, n := range r.Program.Tree.Nodes {
		if r.From.PartIn(n.Name) == family.C || r.From.IsPrivate(n.Name) {
			continue // not loaded if another library or the front replaces it
		}
		for _, name := range n.Needed {
			if r.From.IsPrivate(name) && !slices.Contains(r.Runtime.Object().Needed, name) {
				return fmt.Sprintf("%s needs %s, which conflicts with %s", n.Name, name, r.Runtime.Library)
			}
		}
	}
	return ""
}

// lacksProcedures returns a message with the Fortran procedures of the program that no Fortran
// library on this machine has except wi4go's, or "" if there are none. The program's own Fortran
// library is then missing, or of another release.
func (l Launcher) lacksProcedures(r *Request) string {
	if r.Program == nil {
		return ""
	}
	missing := slices.DeleteFunc(r.Program.FortranInC(), r.Runtime.Object().Defines)
	if len(missing) == 0 {
		return ""
	}
	if _, serves, err := l.fortranLibrary(r); err != nil || serves == "" {
		return ""
	}
	return fmt.Sprintf("no Fortran library that the program finds has %s", summarize(missing))
}

// lacksFortran reports whether one of the program's Fortran libraries is not on this machine and
// wi4go's Fortran library can replace it.
func (r *Request) lacksFortran() bool {
	return r.From.FortranLibrary != "" && r.Program != nil && r.Program.MissingFortran() != ""
}

// lacksPart reports whether the program needs a part of its C library (family.Parts) that is not on
// this machine. The library on this machine then belongs to a release that has all parts in one
// file.
func (r *Request) lacksPart() bool {
	return slices.ContainsFunc(r.Program.Sonames, func(soname string) bool {
		return slices.Contains(r.Program.Family.Parts, soname) && r.Program.Tree.Find(soname) == nil
	})
}

// ownLibrary returns the MPI library that the program would have loaded, or nil if it is not on
// this machine.
func (r *Request) ownLibrary() *elfobj.Object {
	if r.Program == nil || r.lacksPart() {
		return nil
	}
	for _, soname := range r.Program.Sonames {
		// A name without a version may lead to a library of another family here.
		if node := r.Program.Tree.Find(soname); node != nil && family.OfExports(node.Soname, node.Defines) == r.From {
			return node.Object
		}
	}
	return nil
}

// ownVersion returns vendor and version of that library, or "" if the library does not contain
// them.
func (r *Request) ownVersion() string {
	if library := r.ownLibrary(); library != nil {
		return runtimes.Identify(library)
	}
	return ""
}
