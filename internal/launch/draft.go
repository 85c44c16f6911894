package launch

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/pattern"
	"wi4go/internal/program"
	"wi4go/internal/runtimes"
)

// Numbers is the numbering that a program of the standard ABI uses for the constants that Intel
// MPI's mpi.h, which follows a draft of the standard, numbers differently.
type Numbers int

// The numberings.
const (
	unknownNumbers  Numbers = iota // not known
	standardNumbers                // the published standard's
	draftNumbers                   // the draft's
)

// draftReleases are the releases of Intel MPI whose mpi.h has exactly the draft's numbers that the
// file of the standard ABI in abi/ lists. Release 2021.17 follows an older draft, in which more
// numbers differ.
var draftReleases = []string{"2021.18", "2021.19"}

// releaseInPath matches the release in a path such as /opt/intel/oneapi/mpi/2021.18/lib.
var releaseInPath = pattern.New(`[/-](20\d\d\.\d+)(\.\d+)*(/|$)`)

// numbers returns the numbering of a program. It follows from the library that the program was
// linked with: numbers reads the search path that Intel's compiler wrapper stores in the program,
// and the library in it. wrapper reports whether the program was linked by that wrapper.
func (l Launcher) numbers(p *program.Program) (n Numbers, wrapper bool) {
	if p == nil || p.Family == nil || !p.Family.Draft {
		return unknownNumbers, false
	}
	wrapper = p.ByIntel()
	main := p.Tree.Nodes[0]
	dirs := slices.Concat(main.RunPath, main.RPath)
	for _, dir := range dirs {
		file := filepath.Join(strings.ReplaceAll(dir, "$ORIGIN", filepath.Dir(main.Path)), p.Family.Sonames[0])
		object, err := elfobj.Read(l.Libs.At(file))
		if err != nil {
			continue
		}
		vendor, release, _ := strings.Cut(runtimes.Identify(object), "@")
		switch {
		case vendor != runtimes.IntelMPI.Name:
			return standardNumbers, wrapper
		case wrapper && isDraft(release):
			return draftNumbers, wrapper
		}
		return unknownNumbers, wrapper
	}
	for _, dir := range dirs {
		if m := releaseInPath.FindStringSubmatch(dir); wrapper && m != nil && isDraft(m[1]) {
			return draftNumbers, wrapper
		}
	}
	return unknownNumbers, wrapper
}

// isDraft reports whether a release of Intel MPI has the draft's numbers.
func isDraft(release string) bool {
	return slices.ContainsFunc(draftReleases, func(d string) bool { return runtimes.VersionMatches(release, d) })
}

// hasDraft reports whether a runtime's library uses the draft's numbers.
func hasDraft(rt *runtimes.Runtime) bool {
	_, release, _ := strings.Cut(runtimes.Identify(rt.Object()), "@")
	return rt.Family.Draft && rt.Vendor == runtimes.IntelMPI.Name && isDraft(release)
}

// setNumbers stores the numbering of the job's program. fromNumbers is the numbering that --from
// implies, by naming Intel MPI or the family itself; it overrides the program's files unless it is
// unknownNumbers.
func (l Launcher) setNumbers(r *Request, fromNumbers Numbers) {
	if r.From == nil || !r.From.Draft {
		return
	}
	numbers, wrapper := l.numbers(r.Program)
	if fromNumbers != unknownNumbers {
		numbers = fromNumbers
	}
	r.Numbers = numbers
	r.numbersUnknown = numbers == unknownNumbers && wrapper
}

// renumberingReason returns the reason why numbers must be translated although program and library are
// both of the standard ABI, or "" if they need not be.
func renumberingReason(r *Request) string {
	switch {
	case r.Numbers == draftNumbers && r.Runtime.Vendor != runtimes.IntelMPI.Name:
		return "the program has constants of Intel's draft ABI"
	case r.Numbers == standardNumbers && hasDraft(r.Runtime):
		return "that library has constants of Intel's draft ABI"
	}
	return ""
}

// draftVar returns the variable that gives the front the program's numbering, or none if the
// numbering is the standard's and the environment has no other. If the numbering is unknown, the
// program is assumed to use the library's: the draft's if the library has it, else the standard's.
func (l Launcher) draftVar(r *Request) []Var {
	const name = "WI4GO_FROM_DRAFT"
	draft := r.Numbers == draftNumbers || r.Numbers == unknownNumbers && (r.From == nil || r.From == r.Runtime.Family) && hasDraft(r.Runtime)
	if !draft && l.Getenv(name) == "" {
		return nil
	}
	value := "0"
	if draft {
		value = "1"
	}
	return []Var{{name, value}}
}

// MayBeDraft returns the functions through which the program may pass numbers of Intel's draft that
// nothing translates, because nothing shows whether the program uses the draft.
func (r *Request) MayBeDraft() []string {
	if !r.numbersUnknown || r.From == r.Runtime.Family && r.Runtime.Vendor == runtimes.IntelMPI.Name {
		return nil
	}
	return r.Program.DraftFunctions()
}

// fromOption returns the value of --from that leads another wi4go to the same decision.
func (r *Request) fromOption() string {
	if r.Numbers == draftNumbers {
		return runtimes.IntelMPI.Name
	}
	return r.From.Name
}

// draftText returns the part of Describe's line about the draft's numbers, or "" if the program does
// not use them.
func (p *Placement) draftText() string {
	switch {
	case p.Numbers != draftNumbers:
		return ""
	case p.front == "":
		return ", with constants of Intel's draft ABI, like that library"
	case p.Runtime.Vendor == runtimes.IntelMPI.Name && p.Runtime.Family.Draft:
		return ", with constants of Intel's draft ABI"
	}
	return ", its constants of Intel's draft ABI translated"
}

// Draft describes how a program, whatever the runtime, relates to Intel's draft. It returns "" if
// the draft is irrelevant to the program.
func (l Launcher) Draft(p *program.Program) string {
	numbers, wrapper := l.numbers(p)
	switch {
	case numbers == draftNumbers:
		return fmt.Sprintf("linked by the wrapper of Intel MPI %s, whose mpi.h has constants of a draft of the standard ABI: they are "+
			"translated", summarize(draftReleases))
	case numbers == unknownNumbers && wrapper && len(p.DraftFunctions()) > 0:
		return program.Draft
	}
	return ""
}
