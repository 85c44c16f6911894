package launch

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/ldso"
)

// A substitute is the library that replaces the program's own MPI library, and the names by which
// programs request that library.
type substitute struct {
	library        string                   // the file of the library: the front, or the runtime's library
	fortranLibrary string                   // replaces Fortran libraries, or "" if library replaces them
	defines        func(symbol string) bool // reports whether library defines a symbol
	preload        []string                 // existing files for LD_PRELOAD
	names          []string                 // names for which stand-ins must be created and preloaded
	dir            string                   // directory for LD_LIBRARY_PATH, or ""
	cxx            []string                 // directories of empty C++ libraries, also for LD_LIBRARY_PATH
	links          []string                 // names that are missing in dir and need links
	otherFamilies  []string                 // further directories, for programs of other families that a script starts
	preloadOnly    bool                     // LD_LIBRARY_PATH cannot serve: library must be preloaded

	loadedAfter []*ldso.Node // libraries that must be loaded after library
}

// A plannedFile is a file that a job needs: a link to a library, or a stand-in that loads it.
type plannedFile struct {
	// The path of the file, the name under which it serves, and the library to which it leads.
	file, name, library string

	standIn     bool // a stand-in, not a link
	forPathOnly bool // needed for LD_LIBRARY_PATH only
}

// arrange chooses the variables by which the processes of a job find the substitute. before must
// come first in the job's environment, and after last.
//
// LD_PRELOAD takes precedence over every other way to find a library, a stand-in in it does not
// displace linked tools, and launchers can set it for the ranks alone. With LD_LIBRARY_PATH all
// libraries keep their order. But DT_RPATH takes precedence over it, and each host has its own
// value, which only a process on that host can merge (`wi4go exec`). Therefore arrange uses
// LD_LIBRARY_PATH for programs that do not tolerate a preload, and in addition to LD_PRELOAD for
// scripts and wrappers, which may set either variable.
func (l Launcher) arrange(j *Job, s substitute) (before, after []Var, err error) {
	files, dirs, err := l.planFiles(j, s)
	if err != nil {
		return nil, nil, err
	}
	dirs = append(dirs, s.cxx...)
	p := j.Program
	// found: LD_LIBRARY_PATH would lead the program to the substitute. toleratesPreload: the
	// program tolerates a preload.
	found, toleratesPreload := len(dirs) > 0 && !s.preloadOnly, true
	if p != nil {
		found = found && byPath(p.Tree)
		sanitizer := p.Sanitizer()
		toleratesPreload = sanitizer == "" && !reordersTools(p.Tree, s.defines)
		if sanitizer != "" && !found && !l.Contained {
			files = append([]string{sanitizer}, files...) // a sanitizer must be the first library
		}
	}
	// unpreloadable and colon are the first path that LD_PRELOAD or LD_LIBRARY_PATH cannot hold, or "".
	unpreloadable, colon := firstContaining(files, " \t\n:"), firstContaining(dirs, ":;")
	preload, path := !found || toleratesPreload && unpreloadable == "", found && (p == nil || len(p.Via) > 0)
	switch {
	case preload && unpreloadable != "":
		return nil, nil, unplacedError(unpreloadable)
	case !preload && colon != "":
		return nil, nil, unplacedError(colon)
	case !preload:
		path = true
	case colon != "":
		path = false
	}
	if preload {
		before = []Var{{"LD_PRELOAD", l.preload(files, "")}}
	} else if outer := l.preload(nil, ""); outer != l.Getenv("LD_PRELOAD") {
		before = []Var{{"LD_PRELOAD", outer}} // an outer wi4go's front must go
	}
	if path {
		if p == nil || len(p.Via) > 0 {
			dirs = append(dirs, s.otherFamilies...)
		}
		after = []Var{{"LD_LIBRARY_PATH", l.searchPath(dirs)}}
	} else if !l.Contained {
		j.files = slices.DeleteFunc(j.files, func(m plannedFile) bool { return m.forPathOnly })
	}
	j.mergesOnHost = path
	j.variables.preload, j.variables.path = preload, path
	return before, after, nil
}

// unplacedError returns the error for a path that neither variable can hold.
func unplacedError(path string) error {
	return fault.New("installation-place", "move the installation of wi4go, or set XDG_CACHE_HOME to a path without them",
		"the path %q contains a space or a colon: LD_PRELOAD allows neither, and LD_LIBRARY_PATH no colon, or this program ignores it", path)
}

// firstContaining returns the first path that contains one of the characters, or "".
func firstContaining(paths []string, chars string) string {
	for _, path := range paths {
		if strings.ContainsAny(path, chars) {
			return path
		}
	}
	return ""
}

// isMPI reports whether a loaded object is the C library of an MPI family.
func isMPI(n *ldso.Node) bool {
	_, part := family.OfLibrary(n.Name)
	return part == family.C
}

// byPath reports whether LD_LIBRARY_PATH decides which MPI library a program loads.
func byPath(t *ldso.Tree) bool {
	return !slices.ContainsFunc(t.Nodes[1:], func(n *ldso.Node) bool {
		return isMPI(n) && (n.FoundBy == ldso.ByRPath || n.FoundBy == ldso.ByPath)
	}) && !slices.ContainsFunc(t.Missing, func(m ldso.Missing) bool {
		_, part := family.OfLibrary(m.Name)
		return part == family.C && strings.Contains(m.Name, "/")
	})
}

// reordersTools reports whether preloading the MPI library by a stand-in would change the order of the
// MPI library and one of the program's tools. The preloaded library comes right after all libraries
// that the program itself is linked with; if the program opens the tool later, it comes before all
// of them.
func reordersTools(t *ldso.Tree, defines func(string) bool) bool {
	at := slices.IndexFunc(t.Nodes, isMPI)
	root := t.Nodes[0]
	return at >= 0 && slices.ContainsFunc(tools(t, defines), func(i int) bool {
		linked := t.Nodes[i].Loader == root && root.Interp != ""
		return linked != (i < at)
	})
}

// tools returns the positions, in a tree, of libraries that sit on top of MPI: they define MPI
// functions but are not MPI libraries.
func tools(t *ldso.Tree, defines func(string) bool) (at []int) {
	for i, n := range t.Nodes {
		if _, part := family.OfLibrary(n.Name); i == 0 || part != 0 {
			continue
		}
		for name := range n.Exports() {
			if strings.HasPrefix(name, "MPI_") && defines(name) {
				at = append(at, i)
				break
			}
		}
	}
	return at
}

// definesMPI reports whether a library defines functions of MPI, by a name in C or in Fortran.
func definesMPI(o *elfobj.Object) bool {
	for name := range o.Exports() {
		if strings.HasPrefix(name, "MPI_") || strings.HasPrefix(name, "mpi_") {
			return true
		}
	}
	return false
}

// planFiles plans the substitute's missing files. They will be in the user's cache, which the nodes of a
// cluster share just as they share the program. It returns all files for LD_PRELOAD and all
// directories for LD_LIBRARY_PATH.
func (l Launcher) planFiles(j *Job, s substitute) (files, dirs []string, err error) {
	files = s.preload
	if s.dir != "" {
		dirs = []string{s.dir}
	}
	cache, err := l.cache()
	if err != nil && len(s.names)+len(s.loadedAfter) > 0 && !l.Contained {
		return nil, nil, fmt.Errorf("no directory for stand-ins of libraries: %w", err)
	}
	dir := filepath.Join(cache, hash(s.library))
	for _, name := range s.names {
		file, library := filepath.Base(name), s.inPlaceOf(name)
		if file != name {
			file = hash(name) + "-" + file
		}
		if file = filepath.Join(dir, "preload", file); !l.Contained {
			j.files = append(j.files, plannedFile{file, name, library, true, false})
			files = append(files, file)
		}
	}
	if err != nil && !l.Contained {
		return files, dirs, nil // no place for links either; the program runs without them, or an error is reported
	}
	for _, name := range s.links {
		// A link is enough for the front. A runtime's library finds other files relative to its own
		// place, so it needs a stand-in.
		j.files = append(j.files, plannedFile{filepath.Join(dir, name), name, s.inPlaceOf(name), s.library != j.front, true})
	}
	if len(s.links) > 0 && !l.Contained {
		dirs = append(dirs, dir)
	}
	for _, n := range s.loadedAfter {
		dir := filepath.Join(cache, hash(s.library+"\n"+n.Path))
		file := filepath.Join(dir, n.Soname)
		j.files = append(j.files, plannedFile{file, n.Soname, n.Path, true, false})
		files, dirs = append(files, file), append([]string{dir}, dirs...)
	}
	return files, dirs, nil
}

// inPlaceOf returns the file that replaces a library which the program requests.
func (s substitute) inPlaceOf(name string) string {
	if _, part := family.OfLibrary(name); part == family.Fortran && s.fortranLibrary != "" {
		return s.fortranLibrary
	}
	return s.library
}

// cache returns the directory for links and stand-ins in the user's cache.
func (l Launcher) cache() (string, error) {
	dir, err := l.CacheDir()
	return filepath.Join(dir, "wi4go", "sonames"), err
}

// hash returns a short name for a text, fit for a file name.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// Links returns the links that the job needs, as a map from name to file.
func (j *Job) Links() map[string]string {
	links := map[string]string{}
	for _, m := range j.files {
		if !m.standIn {
			links[m.name] = m.library
		}
	}
	return links
}

// Prepare creates the job's files on disk.
func (l Launcher) Prepare(j *Job) error {
	for _, m := range j.files {
		if err := l.createFile(m); err != nil {
			return err
		}
	}
	return nil
}

// createFile creates one file, unless it exists with the right content.
func (l Launcher) createFile(m plannedFile) error {
	// Several processes may do this at once: create a temporary file, then rename it.
	temporary := fmt.Sprintf("%s.%d", m.file, os.Getpid())
	write := func() error { return os.Symlink(m.library, temporary) }
	if m.standIn {
		content, err := l.Tree.MakeStandIn(m.name, m.library)
		if err != nil {
			return err
		}
		if there, err := os.ReadFile(m.file); err == nil && bytes.Equal(there, content) {
			return nil
		}
		write = func() error { return os.WriteFile(temporary, content, 0o755) }
	} else if to, err := os.Readlink(m.file); err == nil && to == m.library {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(m.file), 0o755); err != nil {
		return err
	}
	if err := write(); err != nil {
		return err
	}
	return os.Rename(temporary, m.file)
}

// isOwnFile reports whether a wi4go put the file into the environment: it is in the installation or in
// the cache.
func (l Launcher) isOwnFile(file string) bool {
	cache, err := l.cache()
	return l.Tree.Contains(file) || err == nil && strings.HasPrefix(file, cache+"/")
}

// preload returns the value of LD_PRELOAD with libraries added after the user's tools, which sit on
// top of MPI as they do natively. It drops files of an outer wi4go, and all MPI libraries except
// keep, because calls would bind to them.
func (l Launcher) preload(libraries []string, keep string) string {
	var tools []string
	for _, old := range ldso.SplitPreload(l.Getenv("LD_PRELOAD")) {
		if slices.Contains(libraries, old) || l.isOwnFile(old) {
			continue
		}
		if !IsMPILibrary(old) || sameFile(old, keep) {
			tools = append(tools, old)
		}
	}
	return strings.Join(slices.Concat(tools, libraries), ":")
}

// IsMPILibrary reports whether a file in LD_PRELOAD is the C or Fortran library of an MPI, by its
// name or by its content.
func IsMPILibrary(file string) bool {
	if f, part := family.OfLibrary(file); f != nil {
		return part != family.Cxx
	}
	o, err := elfobj.Read(file)
	return err == nil && family.OfExports(o.Soname, o.Defines) != nil
}

// searchPath returns LD_LIBRARY_PATH with dirs added at its front.
func (l Launcher) searchPath(dirs []string) string {
	if old := l.Getenv("LD_LIBRARY_PATH"); old != "" {
		dirs = slices.Concat(dirs, slices.DeleteFunc(strings.Split(old, ":"), l.isOwnFile))
	}
	return strings.Join(dirs, ":")
}

// substituteVars records the variables by which a job's processes find the substitute: LD_PRELOAD,
// LD_LIBRARY_PATH and LD_AUDIT.
type substituteVars struct{ preload, path, audit bool }

// warnLostVariables adds a warning if the scripts that start the program overwrite every variable by
// which the program would find the substitute.
func (j *Job) warnLostVariables() {
	p := j.Program
	if p == nil {
		return
	}
	var lost []string
	for _, v := range []struct {
		name   string
		needed bool
	}{{"LD_PRELOAD", j.variables.preload}, {"LD_LIBRARY_PATH", j.variables.path}, {"LD_AUDIT", j.variables.audit}} {
		if v.needed && !slices.Contains(p.Overwritten, v.name) {
			return // one surviving variable is enough
		}
		if v.needed {
			lost = append(lost, v.name)
		}
	}
	if len(lost) > 0 {
		j.Warnings = append(j.Warnings, fault.New("preload-lost", fmt.Sprintf("let it keep the old value, as in %[1]s=new:$%[1]s", lost[0]),
			"%s sets %s, which %s needs to find wi4go; each process may run as rank 0 of 1",
			strings.Join(p.Via, ", "), strings.Join(lost, " and "), p.Path))
	}
}
