package launch

import (
	"slices"
	"strings"

	"wi4go/internal/family"
	"wi4go/internal/program"
)

// native sets the environment in which the program loads the runtime's own library, which belongs
// to its family.
func (l Launcher) native(j *Job) error {
	p := j.Program
	idle := l.unusedCxx(&j.Request)
	if j.Way == Unaided {
		if outer := l.preload(nil, j.Runtime.Library); outer != l.Getenv("LD_PRELOAD") {
			j.Env = []Var{{"LD_PRELOAD", outer}} // an outer wi4go's front must go
		}
		return nil
	}
	s := substitute{library: j.Runtime.Library, defines: j.Runtime.Object().Defines, preload: []string{j.Runtime.Library}}
	sonames := []string{j.Runtime.Soname}
	if p == nil {
		sonames = j.From.Sonames // unknown which one it requests
	}
	if !l.Contained {
		s.links = sonames
	}
	if p != nil && !l.Contained {
		s.names = p.Tree.Needs(func(name string) bool {
			_, part := family.OfLibrary(name)
			return part == family.C && strings.Contains(name, "/")
		})
		s.names = append(s.names, idle...)
	}
	if !l.Contained {
		s.links = append(slices.Clone(s.links), l.standInCxx(&j.Request, idle)...)
	}
	// A preloaded library would come before tools, and before the libraries of other programs that
	// a script starts. A stand-in would not.
	if _, err := l.cache(); err == nil && !l.Contained && (p == nil || len(tools(p.Tree, s.defines)) > 0) {
		s.preload, s.names = nil, append(s.names, sonames...)
	}
	s.otherFamilies = l.otherFamilies(j.From)
	before, after, err := l.arrange(j, s)
	if len(after) > 0 {
		before = append(before, Var{"WI4GO_TO", j.Runtime.Library}) // for programs of other families that the program starts
	}
	j.Env = append(before, after...)
	return err
}

// undecided sets the environment of processes that may open any family's library, or none. Through
// LD_LIBRARY_PATH they find the right front for each family. Nothing is preloaded, because that
// would load fronts into programs without MPI.
func (l Launcher) undecided(j *Job) error {
	to := j.Runtime.Family
	if _, err := l.Tree.Front(to.Name, to.Sonames[0]); err != nil {
		return err
	}
	dirs := append(l.dirsOf(to), l.otherFamilies(to)...)
	if colon := firstContaining(dirs, ":;"); colon != "" {
		return unplacedError(colon)
	}
	if outer := l.preload(nil, ""); outer != l.Getenv("LD_PRELOAD") {
		j.Env = []Var{{"LD_PRELOAD", outer}} // an outer wi4go's front must go
	}
	j.Env = slices.Concat(j.Env, []Var{{"WI4GO_TO", j.Runtime.Library}}, l.draftVar(&j.Request), []Var{{"LD_LIBRARY_PATH", l.searchPath(dirs)}})
	j.mergesOnHost = true
	return l.complete(j)
}

// otherFamilies returns the directories with the fronts of all families except one.
func (l Launcher) otherFamilies(except *family.Family) (dirs []string) {
	for _, f := range family.All {
		if f != except {
			dirs = append(dirs, l.dirsOf(f)...)
		}
	}
	return dirs
}

// complete adds the auditor, valgrind's suppressions, the variables that the runtime itself needs, and the variable that
// selects an extension in an mpi4py built for several families. It selects the extension that was
// found. If none was found, a Python may still import mpi4py unseen; complete then selects the
// extension of the program's family, or else of the runtime's.
func (l Launcher) complete(j *Job) error {
	l.audited(j)
	l.suppressed(j)
	j.warnLostVariables()
	l.warnOfHosts(j)
	l.warnOfLacking(j)
	j.Env = append(j.Env, l.insteadVar(&j.Request)...)
	abi := ""
	switch p := j.Program; {
	case p != nil && (p.MPI4PyABI != "" || !p.MayImportMPI4Py()):
		abi = p.MPI4PyABI
	case l.Getenv(program.MPI4PyABI) != "": // the user's choice
	case j.From != nil:
		abi = program.UnseenMPI4Py(j.argv, j.dir, j.From)
	default:
		abi = program.UnseenMPI4Py(j.argv, j.dir, j.Runtime.Family)
	}
	if abi != "" {
		j.Env = append(j.Env, Var{program.MPI4PyABI, abi})
	}
	settings, err := l.Config()
	if err != nil {
		return err
	}
	for _, v := range settings.Variables(j.Runtime.Vendor) {
		if l.Getenv(v[0]) == "" {
			j.Env = append(j.Env, Var{v[0], v[1]})
		}
	}
	for _, v := range j.Runtime.Env(l.Getenv) {
		j.Env = append(j.Env, Var(v))
	}
	return j.Runtime.CheckEnv(l.Getenv)
}
