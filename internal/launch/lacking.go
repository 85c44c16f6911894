package launch

import (
	"slices"
	"strings"

	"wi4go/internal/family"
	"wi4go/internal/fault"
)

// InstallForAll is the cure if a program calls functions that the embedded MPI does not have.
const InstallForAll = "if it calls them, use another MPI: `wi4go get mpich` installs one"

// Lacking returns the functions that the embedded MPI does not have, among the imports of the job's
// program: those that the program imports itself, and the others, which only libraries import.
// Interpreters open libraries that import every function, such as mpi4py's, so imports of a library
// do not show that a program calls the function.
func (j *Job) Lacking() (own, libraries []string) {
	if j.Program == nil || j.Program.Tree == nil || !j.Runtime.IsEmbedded() {
		return nil, nil
	}
	lacking, all := map[string]string{}, j.Runtime.Lacking()
	for _, name := range all {
		lacking[strings.ToLower(name)] = name
	}
	for i, n := range j.Program.Tree.Nodes {
		if _, part := family.OfLibrary(n.Name); part != 0 && i > 0 {
			continue // another MPI's own library, which is not loaded
		}
		for _, s := range n.Imports {
			name := lacking[plainName(s.Name)]
			if name == "" {
				continue
			}
			if i == 0 && !j.Program.IsModule() {
				own = append(own, name)
			} else {
				libraries = append(libraries, name)
			}
		}
	}
	return keep(all, func(name string) bool { return slices.Contains(own, name) }),
		keep(all, func(name string) bool { return slices.Contains(libraries, name) && !slices.Contains(own, name) })
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

// warnOfLacking adds a warning if the program itself imports functions that the embedded MPI
// does not have.
func (j *Job) warnOfLacking() {
	if own, _ := j.Lacking(); len(own) > 0 {
		j.Warnings = append(j.Warnings, fault.New("runtime-lacks", InstallForAll,
			"%s imports %s, which the embedded MPI does not have; a call fails with MPI_ERR_UNSUPPORTED_OPERATION", j.Program.Path, summarize(own)))
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
