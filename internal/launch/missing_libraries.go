package launch

import (
	"path/filepath"
	"slices"
	"strings"

	"wi4go/internal/family"
	"wi4go/internal/ldso"
	"wi4go/internal/program"
)

// systemLinkers are the directories of the dynamic linker whose rules package ldso follows. Another one may
// have a cache and directories of its own.
var systemLinkers = []string{"/lib64", "/lib", "/usr/lib64", "/usr/lib"}

// MissingLibraries returns the program that a segment of a job starts, and the libraries that it, or a library
// that it loads, needs and that are not on this machine. Libraries of an MPI, which the job replaces, do not
// count. environ is the environment of the ranks without the job's own variables. It returns nil for a script,
// and if options of the segment may lead to other libraries: on other hosts, or by variables.
func (l Launcher) MissingLibraries(j *Job, s Segment, environ []string) (p *ldso.Node, missing []ldso.Missing) {
	path, err := program.LookPath(s.Program[0], s.Dir)
	if err != nil || l.Contained || l.mayUseOtherHosts([]Segment{s}) || slices.ContainsFunc(s.Options, setsLibraries) {
		return nil, nil
	}
	tree, err := l.Libs.Load(path)
	if err != nil || len(tree.Missing) == 0 || !slices.Contains(systemLinkers, filepath.Dir(tree.Nodes[0].Interp)) {
		return nil, nil
	}
	search := l.Libs
	for _, v := range Environ(environ, j.Env) {
		switch name, value, _ := strings.Cut(v, "="); name {
		case "LD_PRELOAD":
			search.Preload = ldso.SplitPreload(value)
		case "LD_LIBRARY_PATH":
			search.LibraryPath = ldso.SplitPath(value)
		}
	}
	if tree, err = search.Load(path); err != nil {
		return nil, nil
	}
	for _, m := range tree.Missing {
		if _, part := family.OfLibrary(m.Name); part == 0 && !belowMPI(m.Loader) {
			missing = append(missing, m)
		}
	}
	return tree.Nodes[0], missing
}

// setsLibraries reports whether a word among a launcher's options may set a variable of the dynamic linker.
func setsLibraries(word string) bool {
	return strings.Contains(word, "LD_LIBRARY_PATH") || strings.Contains(word, "LD_PRELOAD") || strings.HasPrefix(strings.TrimLeft(word, "-"), "prefix")
}

// belowMPI reports whether a library of an MPI leads to a loaded object, or is it.
func belowMPI(n *ldso.Node) bool {
	for ; n.Loader != nil; n = n.Loader {
		if _, part := family.OfLibrary(n.Name); part != 0 {
			return true
		}
	}
	return false
}
