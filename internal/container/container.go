// Package container plans how a program in a container runs on an MPI library
// of the host: which files of the host are to be seen inside, where, and with
// what environment. It finds them by reading files: the library's ELF
// dependencies, the plugin directories and the configuration that it names.
//
// It must not know how an MPI call is translated or how a job is launched, and
// it starts nothing: what comes out are words for a command line.
package container

import (
	"path/filepath"
	"slices"
	"strings"

	"wi4go/internal/ldso"
)

// Private is the directory inside a container for files of the host that must
// not stand in the way of the container's own.
const Private = "/opt/wi4go-host"

const (
	privateLib  = Private + "/lib"
	privateOurs = Private + "/wi4go"
)

// A Var is a variable of the environment.
type Var struct{ Name, Value string }

// A Request says what is to run on what.
type Request struct {
	Library    string            // the host's MPI library
	Helpers    []string          // programs that the library starts by itself
	Companions []string          // further libraries that the program loads from the host: the runtime's C++ or Fortran bindings
	Names      map[string]string // further names for files of the host: the soname that the program asks for
	Env        []Var             // what the program runs with on the host
	Ours       string            // the directory of our own libraries, "" where the program needs none
	Program    *ldso.Tree        // the program as the container loads it, nil where that is not known
	Image      *Image            // the container's file system, nil where it is not known
	Host       ldso.Search       // where this machine's dynamic linker looks
}

// A Mount is a file or directory of the host and its place in the container.
type Mount struct {
	From, To string
	Writable bool
}

// A Plan is what a container has to be started with.
type Plan struct {
	Mounts   []Mount
	Env      []Var
	Warnings []string // why the program may not run
	Notes    []string // what the container must bring
}

// New plans a request. The error says that the host's library cannot be read.
func New(r Request) (*Plan, error) {
	n, err := findNeeds(r)
	if err != nil {
		return nil, err
	}
	l := &layout{request: r, needs: n, versions: versions{}, kept: map[string]string{}, private: map[string]string{}}
	l.directories()
	l.libraries()
	p := &Plan{Mounts: l.mounts(), Env: l.environment()}
	l.check(p)
	return p, nil
}

// layout decides where each thing that is needed is put in the container.
type layout struct {
	request  Request
	needs    *needs
	versions versions

	dirs    []string          // of the host, at the same path in the container
	private map[string]string // name → file of the host, in privateLib
	kept    map[string]string // name → file of the image, which is taken instead of the host's
	search  []string          // directories for LD_LIBRARY_PATH beside privateLib
}

// directories finds what keeps its path: what the libraries name by it, and
// the installations that have a prefix of their own, inside of which files
// find each other ($ORIGIN).
func (l *layout) directories() {
	dirs := slices.Clone(l.needs.paths)
	for _, n := range l.needs.tree.Nodes {
		for _, path := range []string{n.Path, realPath(n.Path)} {
			if prefix := l.needs.places.ownPrefix(path); prefix != "" && !cLibrary(n.Soname) {
				dirs = append(dirs, prefix)
			}
		}
	}
	l.dirs = outermost(dirs)
}

// outermost drops what lies inside of another entry.
func outermost(paths []string) []string {
	paths = slices.Clone(paths)
	slices.Sort(paths)
	var kept []string
	for _, p := range slices.Compact(paths) {
		if !slices.ContainsFunc(kept, func(k string) bool { return within(p, k) }) {
			kept = append(kept, p)
		}
	}
	return kept
}

// covered says whether a file of the host is seen under its own path.
func (l *layout) covered(path string) bool {
	path = merged(path)
	return slices.ContainsFunc(l.dirs, func(dir string) bool { return within(path, dir) })
}

// libraries decides about each library whether the container sees the host's
// file in a directory of ours, or keeps its own.
func (l *layout) libraries() {
	for _, n := range l.needs.tree.Nodes {
		name := n.Name
		if strings.Contains(name, "/") {
			name = n.Soname // it was opened by its path
		}
		if name == "" {
			name = filepath.Base(n.Path)
		}
		searched := n.How == ldso.ByEnv || n.How == ldso.ByCache || n.How == ldso.ByDefault
		l.library(name, n.Path, searched)
	}
	for name, path := range l.needs.aliases {
		l.library(name, path, true)
	}
	for name, path := range l.request.Names {
		l.private[name] = realPath(path)
	}
	l.reconcile()
}

// library decides about the host's file at path. searched says that it is the
// system's linker that finds it, so that the container's has to be told.
func (l *layout) library(name, path string, searched bool) {
	real, dir := realPath(path), filepath.Dir(path)
	inPlace := l.covered(path) && l.covered(real)
	switch {
	case cLibrary(name), inPlace && !searched:
	case inPlace && !holdsCompilerLibrary(dir):
		l.search = append(l.search, dir)
	case l.request.Image == nil:
		if !compilerLibrary(name) {
			l.private[name] = real
		}
	default:
		inImage := l.request.Image.find(name)
		if inImage != "" && (l.keeps(name, inImage, real) || !l.loads(real)) {
			l.kept[name] = inImage
		} else if l.loads(real) {
			l.private[name] = real
		}
	}
}

// loads says whether the image's C library serves a file of the host. One that
// it does not serve would only keep what wants the library from starting.
func (l *layout) loads(path string) bool {
	for library, wanted := range l.versions.wanted(path) {
		if cLibrary(library) && !contains(l.versions.defined(l.request.Image.find(library)), wanted) {
			return false
		}
	}
	return true
}

// holdsCompilerLibrary says whether a directory is that of a whole system (a
// conda environment), which must not come before the container's own.
func holdsCompilerLibrary(dir string) bool {
	return isFile(filepath.Join(dir, "libstdc++.so.6")) || isFile(filepath.Join(dir, "libgcc_s.so.1"))
}

// keeps says whether the image's own file of a library serves the host's
// libraries too: it has every symbol version that the host's file has. Without
// versions nothing can be told; and a library with plugins or configuration is
// one with them.
func (l *layout) keeps(name, inImage, host string) bool {
	if l.needs.withPlugins[name] {
		return false
	}
	defines := l.versions.defined(host)
	return len(defines) > 0 && contains(l.versions.defined(inImage), defines)
}

// reconcile gives up the image's file where it wants versions of another
// library that the host's file, which comes with us, does not have.
func (l *layout) reconcile() {
	for changed := true; changed; {
		changed = false
		for name, inImage := range l.kept {
			for library, wanted := range l.versions.wanted(inImage) {
				host := l.private[library]
				if host != "" && !contains(l.versions.defined(host), wanted) {
					l.private[name] = l.needs.file(name)
					delete(l.kept, name)
					changed = true
					break
				}
			}
		}
	}
}

// place is where a file of the host is seen in the container.
func (l *layout) place(path string) string {
	if ours := l.request.Ours; ours != "" && within(path, ours) {
		return privateOurs + strings.TrimPrefix(path, ours)
	}
	if l.covered(path) {
		return path
	}
	real := realPath(path)
	for name, file := range l.private {
		if file == real && l.request.Names[name] == "" {
			return filepath.Join(privateLib, name)
		}
	}
	return path
}

func (l *layout) mounts() []Mount {
	var mounts []Mount
	if l.request.Ours != "" {
		mounts = append(mounts, Mount{From: l.request.Ours, To: privateOurs})
	}
	for _, dir := range l.dirs {
		mounts = append(mounts, Mount{From: dir, To: dir})
	}
	for name, file := range l.private {
		mounts = append(mounts, Mount{From: file, To: filepath.Join(privateLib, name)})
	}
	slices.SortFunc(mounts, func(a, b Mount) int { return strings.Compare(a.To, b.To) })
	return mounts
}

// environment is the host's, with the paths that the container has, and the
// directories of libraries that the container's linker does not know.
func (l *layout) environment() []Var {
	var env []Var
	var dirs []string
	for _, v := range l.request.Env {
		if v.Name == "LD_LIBRARY_PATH" {
			for _, dir := range strings.Split(v.Value, ":") {
				if ours := l.request.Ours; ours != "" && within(dir, ours) {
					dirs = append(dirs, l.place(dir))
				}
			}
			continue // other directories are among ours
		}
		parts := strings.Split(v.Value, ":")
		for i, part := range parts {
			if filepath.IsAbs(part) {
				parts[i] = l.place(part)
			}
		}
		env = append(env, Var{v.Name, strings.Join(parts, ":")})
	}
	if len(l.private) > 0 {
		dirs = append(dirs, privateLib)
	}
	for _, dir := range l.search {
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) > 0 {
		env = append(env, Var{"LD_LIBRARY_PATH", strings.Join(dirs, ":")})
	}
	return env
}
