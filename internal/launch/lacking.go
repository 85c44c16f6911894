package launch

import (
	"slices"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/fault"
)

// Lacks holds functions that the embedded MPI does not have, by the importers that the program's
// files show.
type Lacks struct {
	Own []string // the program imports them itself
	// Inline are imports of the program to which only inline functions of MPI's C++ header refer, and
	// weak ones, so the program probably does not call them.
	Inline []string
	// Libraries are imports of libraries only. Interpreters open libraries that import every function,
	// such as mpi4py's, so they do not show that a program calls the function.
	Libraries []string
}

// All returns all functions.
func (s Lacks) All() []string { return slices.Concat(s.Own, s.Inline, s.Libraries) }

// Lacking returns the functions that the embedded MPI does not have, among the imports of the job's
// program.
func (r *Request) Lacking() (missing Lacks) {
	if r.Program == nil || r.Program.Tree == nil || !r.Runtime.Traits().ListsLacking {
		return missing
	}
	lacking, all := map[string]string{}, r.Runtime.Lacking()
	for _, name := range all {
		lacking[strings.ToLower(name)] = name
	}
	var own, libraries []elfobj.Symbol
	for i, n := range r.Program.Tree.Nodes {
		if _, part := family.OfLibrary(n.Name); part != 0 && i > 0 {
			continue // another MPI's own library, which is not loaded
		}
		for _, s := range n.Imports {
			switch {
			case lacking[plainName(s.Name)] == "":
			case i == 0 && !r.Program.IsModule():
				own = append(own, s)
			default:
				libraries = append(libraries, s)
			}
		}
	}
	uncalled := r.uncalled(own)
	imported := func(name string, by []elfobj.Symbol, from func(elfobj.Symbol) bool) bool {
		return slices.ContainsFunc(by, func(s elfobj.Symbol) bool { return lacking[plainName(s.Name)] == name && from(s) })
	}
	for _, name := range all {
		switch {
		case imported(name, own, func(s elfobj.Symbol) bool { return !uncalled[s.Name] }):
			missing.Own = append(missing.Own, name)
		case imported(name, own, func(elfobj.Symbol) bool { return true }):
			missing.Inline = append(missing.Inline, name)
		case imported(name, libraries, func(elfobj.Symbol) bool { return true }):
			missing.Libraries = append(missing.Libraries, name)
		}
	}
	return missing
}

// uncalled returns the imports of the program's own file that it probably does not call: the weak
// ones, and those to which only inline functions of MPI's C++ header refer. The compiler writes such
// functions into each program that includes the header, because the classes have virtual functions.
func (r *Request) uncalled(imports []elfobj.Symbol) map[string]bool {
	uncalled := map[string]bool{}
	var names []string
	for _, s := range imports {
		uncalled[s.Name] = s.Weak
		names = append(names, s.Name)
	}
	if len(names) > 0 {
		for _, name := range elfobj.Unreferenced(r.Program.Path, names, family.IsCxx) {
			uncalled[name] = true
		}
	}
	return uncalled
}

// Uncalled returns the functions among names that the program's own file imports and probably does not
// call.
func (r *Request) Uncalled(names []string) []string {
	if r.Program == nil || r.Program.Tree == nil || r.Program.IsModule() {
		return nil
	}
	imports := slices.Clone(r.Program.Tree.Nodes[0].Imports)
	uncalled := r.uncalled(slices.DeleteFunc(imports, func(s elfobj.Symbol) bool { return !slices.Contains(names, s.Name) }))
	return keep(names, func(name string) bool { return uncalled[name] })
}

// plainName returns the name of an MPI function in lower case, without the prefix of the profiling
// interface and the suffixes of Fortran's bindings: pmpi_win_create_f08_ becomes mpi_win_create.
func plainName(symbol string) string {
	name := strings.TrimRight(strings.ToLower(symbol), "_")
	for _, suffix := range []string{"_f08ts", "_f08", "_fts", "_f"} {
		if trimmed, found := strings.CutSuffix(name, suffix); found {
			name = trimmed
			break
		}
	}
	return strings.TrimPrefix(name, "p")
}

// OnlyInline is the format of the note about functions of Lacks.Inline: the program, the functions, and
// the runtime that lacks them.
const OnlyInline = "%s imports %s, which %s does not have, but only inline functions of MPI's C++ header refer to them"

// warnOfLacking adds a warning if the program itself imports functions that the embedded MPI
// does not have, and a note if it probably does not call them.
func (l Launcher) warnOfLacking(j *Job) {
	missing := j.Lacking()
	if len(missing.Own) > 0 {
		j.Warnings = append(j.Warnings, fault.New("runtime-lacks", l.useAnother(&j.Request, missing.Own),
			"%s imports %s, which the embedded MPI does not have; a call fails with MPI_ERR_UNSUPPORTED_OPERATION", j.Program.Path, summarize(missing.Own)))
	}
	if len(missing.Inline) > 0 {
		j.Notes = append(j.Notes, fault.New("runtime-lacks", l.useAnother(&j.Request, missing.Inline), OnlyInline, j.Program.Path, summarize(missing.Inline), "the embedded MPI"))
	}
}

// keep returns the names that satisfy a condition, in their order, or nil.
func keep(names []string, satisfies func(string) bool) (kept []string) {
	for _, name := range names {
		if satisfies(name) {
			kept = append(kept, name)
		}
	}
	return kept
}
