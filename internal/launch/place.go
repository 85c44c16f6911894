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

// A substitute is what takes the place of the program's own MPI library, and the
// names by which that is asked for.
type substitute struct {
	library string // the file: the front, or the runtime's library
	layer   string // in the place of Fortran libraries; "": the library
	defines func(symbol string) bool
	preload []string // files for LD_PRELOAD that are there
	names   []string // names for which a stand-in has to be made to be preloaded
	dir     string   // for LD_LIBRARY_PATH; "" where there is none
	cxx     []string // directories of empty C++ libraries, for LD_LIBRARY_PATH too
	links   []string // names that are lacking there
	others  []string // further directories, for programs of other families that a script starts
	alone   bool     // only a preload will do

	behind []*ldso.Node // libraries that must come behind it
}

// A made is a file that a job needs: a link to a library, or a stand-in that brings
// it.
type made struct {
	file, name, library string

	standIn bool
	path    bool // for LD_LIBRARY_PATH alone
}

// arrange decides by which variables the processes of a job find the substitute:
// before is what stands first in the environment, after what stands last.
//
// LD_PRELOAD comes before everything else that leads to a library, a stand-in in it
// leaves linked tools their place, and launchers set it for the ranks alone. By
// LD_LIBRARY_PATH all libraries keep their order, but DT_RPATH comes before it, and
// each host has a value of its own, into which only a process there can merge
// (`wi4go exec`). So that is for programs which bear no preload, and beside it for
// scripts and wrappers, which may set either.
func (l Launcher) arrange(j *Job, s substitute) (before, after []Var, err error) {
	files, dirs, err := l.make(j, s)
	if err != nil {
		return nil, nil, err
	}
	dirs = append(dirs, s.cxx...)
	p := j.Program
	found, bears := len(dirs) > 0 && !s.alone, true
	if p != nil {
		found = found && byPath(p.Tree)
		sanitizer := p.Sanitizer()
		bears = sanitizer == "" && !displaces(p.Tree, s.defines)
		if sanitizer != "" && !found && !l.Contained {
			files = append([]string{sanitizer}, files...) // it wants to be the first
		}
	}
	unfit, colon := carries(files, " \t\n:"), carries(dirs, ":;")
	preload, path := !found || bears && unfit == "", found && (p == nil || len(p.Via) > 0)
	switch {
	case preload && unfit != "":
		return nil, nil, unplaced(unfit)
	case !preload && colon != "":
		return nil, nil, unplaced(colon)
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
			dirs = append(dirs, s.others...)
		}
		after = []Var{{"LD_LIBRARY_PATH", l.searchPath(dirs)}}
	} else if !l.Contained {
		j.made = slices.DeleteFunc(j.made, func(m made) bool { return m.path })
	}
	j.merge = path
	j.means.preload, j.means.path = preload, path
	return before, after, nil
}

func unplaced(path string) error {
	return fault.New("installation-place", "move the installation of wi4go, or the cache",
		"%q holds a space or a colon: LD_PRELOAD cannot carry it, and LD_LIBRARY_PATH no colon, or this program does not go by that", path)
}

// carries gives the first of some paths that holds one of the characters.
func carries(paths []string, chars string) string {
	for _, path := range paths {
		if strings.ContainsAny(path, chars) {
			return path
		}
	}
	return ""
}

// isMPI says whether a loaded object is a family's C library.
func isMPI(n *ldso.Node) bool {
	_, part := family.OfLibrary(n.Name)
	return part == family.C
}

// byPath says whether LD_LIBRARY_PATH decides which MPI library a program loads.
func byPath(t *ldso.Tree) bool {
	return !slices.ContainsFunc(t.Nodes[1:], func(n *ldso.Node) bool {
		return isMPI(n) && (n.How == ldso.ByRPath || n.How == ldso.ByPath)
	}) && !slices.ContainsFunc(t.Missing, func(m ldso.Missing) bool {
		_, part := family.OfLibrary(m.Name)
		return part == family.C && strings.Contains(m.Name, "/")
	})
}

// displaces says whether a tool of the program's would change places with the MPI
// library if that were preloaded by a stand-in. Then it comes right behind all that
// the program itself is linked with, or, in one that is opened later, before all
// of that.
func displaces(t *ldso.Tree, defines func(string) bool) bool {
	at := slices.IndexFunc(t.Nodes, isMPI)
	root := t.Nodes[0]
	return at >= 0 && slices.ContainsFunc(tools(t, defines), func(i int) bool {
		linked := t.Nodes[i].Loader == root && root.Interp != ""
		return linked != (i < at)
	})
}

// tools are the places in a tree of the libraries that stand on top of MPI: they
// define functions of an MPI library, and are none.
func tools(t *ldso.Tree, defines func(string) bool) (at []int) {
	for i, n := range t.Nodes {
		if f, _ := family.OfLibrary(n.Name); i == 0 || f != nil {
			continue
		}
		for name := range n.Exports {
			if strings.HasPrefix(name, "MPI_") && defines(name) {
				at = append(at, i)
				break
			}
		}
	}
	return at
}

// make plans the files of a substitute that are not there, in the user's cache,
// which the nodes of a cluster share as they share the program. It gives all files
// for LD_PRELOAD and all directories for LD_LIBRARY_PATH.
func (l Launcher) make(j *Job, s substitute) (files, dirs []string, err error) {
	files = s.preload
	if s.dir != "" {
		dirs = []string{s.dir}
	}
	cache, err := l.cache()
	if err != nil && len(s.names)+len(s.behind) > 0 && !l.Contained {
		return nil, nil, fmt.Errorf("no place for libraries that stand in for others: %w", err)
	}
	dir := filepath.Join(cache, hash(s.library))
	for _, name := range s.names {
		file, library := filepath.Base(name), s.inPlaceOf(name)
		if file != name {
			file = hash(name) + "-" + file
		}
		if file = filepath.Join(dir, "preload", file); !l.Contained {
			j.made = append(j.made, made{file, name, library, true, false})
			files = append(files, file)
		}
	}
	if err != nil && !l.Contained {
		return files, dirs, nil // nor for links, without which it works, or is said not to
	}
	for _, name := range s.links {
		// By a link the front is where the name is asked for; a runtime's library
		// finds others from its own place.
		j.made = append(j.made, made{filepath.Join(dir, name), name, s.inPlaceOf(name), s.library != j.front, true})
	}
	if len(s.links) > 0 && !l.Contained {
		dirs = append(dirs, dir)
	}
	for _, n := range s.behind {
		dir := filepath.Join(cache, hash(s.library+"\n"+n.Path))
		file := filepath.Join(dir, n.Soname)
		j.made = append(j.made, made{file, n.Soname, n.Path, true, false})
		files, dirs = append(files, file), append([]string{dir}, dirs...)
	}
	return files, dirs, nil
}

// inPlaceOf is what takes the place of a library that the program asks for.
func (s substitute) inPlaceOf(name string) string {
	if _, part := family.OfLibrary(name); part == family.Fortran && s.layer != "" {
		return s.layer
	}
	return s.library
}

func (l Launcher) cache() (string, error) {
	dir, err := l.CacheDir()
	return filepath.Join(dir, "wi4go", "sonames"), err
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// Links gives the files that the job needs under other names: name → file.
func (j *Job) Links() map[string]string {
	links := map[string]string{}
	for _, m := range j.made {
		if !m.standIn {
			links[m.name] = m.library
		}
	}
	return links
}

// Prepare makes what the job needs on disk.
func (l Launcher) Prepare(j *Job) error {
	for _, m := range j.made {
		if err := l.prepare(m); err != nil {
			return err
		}
	}
	return nil
}

func (l Launcher) prepare(m made) error {
	// Several processes may be here at once: make it aside, then rename.
	aside := fmt.Sprintf("%s.%d", m.file, os.Getpid())
	write := func() error { return os.Symlink(m.library, aside) }
	if m.standIn {
		content, err := l.Tree.MakeStandIn(m.name, m.library)
		if err != nil {
			return err
		}
		if there, err := os.ReadFile(m.file); err == nil && bytes.Equal(there, content) {
			return nil
		}
		write = func() error { return os.WriteFile(aside, content, 0o755) }
	} else if to, err := os.Readlink(m.file); err == nil && to == m.library {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(m.file), 0o755); err != nil {
		return err
	}
	if err := write(); err != nil {
		return err
	}
	return os.Rename(aside, m.file)
}

// ours says whether a file was put into the environment by a wi4go.
func (l Launcher) ours(file string) bool {
	cache, err := l.cache()
	return l.Tree.IsOurs(file) || err == nil && strings.HasPrefix(file, cache+"/")
}

// preload returns LD_PRELOAD with libraries added behind the user's tools, which stand on top
// of MPI as they do natively. It drops the files of an outer wi4go, and all MPI libraries
// but keep, because calls would bind to them.
func (l Launcher) preload(libraries []string, keep string) string {
	var tools []string
	for _, old := range ldso.SplitPreload(l.Getenv("LD_PRELOAD")) {
		if slices.Contains(libraries, old) || l.ours(old) {
			continue
		}
		if !IsMPILibrary(old) || sameFile(old, keep) {
			tools = append(tools, old)
		}
	}
	return strings.Join(slices.Concat(tools, libraries), ":")
}

// IsMPILibrary reports whether an element of LD_PRELOAD is the C or the Fortran library of an
// MPI, by its name or by its content.
func IsMPILibrary(file string) bool {
	if f, part := family.OfLibrary(file); f != nil {
		return part != family.Cxx
	}
	o, err := elfobj.Read(file)
	return err == nil && family.OfExports(o.Soname, o.Defines) != nil
}

// searchPath puts directories before those of LD_LIBRARY_PATH.
func (l Launcher) searchPath(dirs []string) string {
	if old := l.Getenv("LD_LIBRARY_PATH"); old != "" {
		dirs = slices.Concat(dirs, slices.DeleteFunc(strings.Split(old, ":"), l.ours))
	}
	return strings.Join(dirs, ":")
}

// means are the variables by which a job's processes find the substitute.
type means struct{ preload, path, audit bool }

// learnLosses warns if everything that starts the program takes away the variables by
// which it would find the substitute.
func (j *Job) learnLosses() {
	p := j.Program
	if p == nil {
		return
	}
	var lost []string
	for _, v := range []struct {
		name   string
		needed bool
	}{{"LD_PRELOAD", j.means.preload}, {"LD_LIBRARY_PATH", j.means.path}, {"LD_AUDIT", j.means.audit}} {
		if v.needed && !slices.Contains(p.Sets, v.name) {
			return // one is enough
		}
		if v.needed {
			lost = append(lost, v.name)
		}
	}
	if len(lost) > 0 {
		j.Warnings = append(j.Warnings, fault.New("preload-lost", "have it keep what the variable held",
			"%s sets %s, by which %s would find wi4go: each process then takes itself for rank 0 of 1",
			strings.Join(p.Via, ", "), strings.Join(lost, " and "), p.Path))
	}
}
