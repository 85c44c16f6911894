package launch

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/program"
	"wi4go/internal/runtimes"
)

// Numbers says whose numbers a program of the standard ABI has for what Intel
// MPI's mpi.h, of a draft of the standard, numbers otherwise.
type Numbers int

// What can be known of them.
const (
	unknownNumbers Numbers = iota
	standardNumbers
	draftNumbers
)

// draftReleases are those of Intel MPI whose mpi.h has the draft's numbers as
// the file of the standard ABI in abi/ has them, and no others. That of 2021.17 is of an older
// draft, which has other numbers for more.
var draftReleases = []string{"2021.18", "2021.19"}

// releaseInPath finds the release in a path such as /opt/intel/oneapi/mpi/2021.18/lib.
var releaseInPath = regexp.MustCompile(`[/-](20\d\d\.\d+)(\.\d+)*(/|$)`)

// numbers tells by what a program was linked with: the search path of Intel's
// wrapper, and the library that it leads to. wrapper: it is that of one.
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

func isDraft(release string) bool {
	return slices.ContainsFunc(draftReleases, func(d string) bool { return runtimes.VersionMatches(release, d) })
}

// hasDraft says whether a runtime's library numbers as the draft does.
func hasDraft(rt *runtimes.Runtime) bool {
	_, release, _ := strings.Cut(runtimes.Identify(rt.Object()), "@")
	return rt.Family.Draft && rt.Vendor == runtimes.IntelMPI.Name && isDraft(release)
}

// learnNumbers settles whose numbers the job's program has. said: --from names
// Intel MPI, or the family by its own name.
func (l Launcher) learnNumbers(j *Job, said Numbers) {
	if j.From == nil || !j.From.Draft {
		return
	}
	numbers, wrapper := l.numbers(j.Program)
	if said != unknownNumbers {
		numbers = said
	}
	j.Numbers = numbers
	j.doubt = numbers == unknownNumbers && wrapper
}

// renumbered says why numbers must be translated between a program and a library
// that are both of the standard ABI; "" where they need not be.
func renumbered(j *Job) string {
	switch {
	case j.Numbers == draftNumbers && j.Runtime.Vendor != runtimes.IntelMPI.Name:
		return "the program has numbers of Intel's draft of the ABI"
	case j.Numbers == standardNumbers && hasDraft(j.Runtime):
		return "that library has numbers of Intel's draft of the ABI"
	}
	return ""
}

// draftVar is the variable that tells the front of the program's numbers. Where
// nothing is known of them, they are taken to be those of the library if that has
// the draft's, and else the standard's.
func (l Launcher) draftVar(j *Job) []Var {
	const name = "WI4GO_FROM_DRAFT"
	draft := j.Numbers == draftNumbers || j.Numbers == unknownNumbers && (j.From == nil || j.From == j.Runtime.Family) && hasDraft(j.Runtime)
	if !draft && l.Getenv(name) == "" {
		return nil
	}
	value := "0"
	if draft {
		value = "1"
	}
	return []Var{{name, value}}
}

// MayBeDraft are the functions through which the program may hand over numbers
// of Intel's draft that nothing translates, because nothing says that it has them.
func (j *Job) MayBeDraft() []string {
	if !j.doubt || j.From == j.Runtime.Family && j.Runtime.Vendor == runtimes.IntelMPI.Name {
		return nil
	}
	return j.Program.DraftFunctions()
}

// fromOf is what --from says to decide the same again.
func (j *Job) fromOf() string {
	if j.Numbers == draftNumbers {
		return runtimes.IntelMPI.Name
	}
	return j.From.Name
}

// ofDraft is said of a program with such numbers.
func (j *Job) ofDraft() string {
	switch {
	case j.Numbers != draftNumbers:
		return ""
	case j.front == "":
		return ", with numbers of Intel's draft of the ABI, as that library has"
	case j.Runtime.Vendor == runtimes.IntelMPI.Name && j.Runtime.Family.Draft:
		return ", with numbers of Intel's draft of the ABI"
	}
	return ", its numbers of Intel's draft of the ABI translated"
}

// Draft says of a program by itself how it stands with the draft; "" where that is
// no question.
func (l Launcher) Draft(p *program.Program) string {
	numbers, wrapper := l.numbers(p)
	switch {
	case numbers == draftNumbers:
		return fmt.Sprintf("linked by the wrapper of Intel MPI %s, whose mpi.h has numbers of a draft of the standard ABI: they are translated", some(draftReleases))
	case numbers == unknownNumbers && wrapper && len(p.DraftFunctions()) > 0:
		return program.Draft
	}
	return ""
}
