// Package container plans how a program in a container runs on an MPI library of the host:
// which files of the host must be visible inside, at which paths, and with which environment.
// It finds them by reading files: the library's ELF dependencies, the plugin directories and
// the configuration that it names.
//
// It must not know how an MPI call is translated or how a job is launched, and it starts
// nothing: its results are words for a command line.
package container

import (
	"path/filepath"
	"slices"
	"strings"

	"wi4go/internal/ldso"
)

// Private is the directory in a container for files of the host that must not hide the
// container's own.
const Private = "/opt/wi4go-host"

// privateLib holds single libraries of the host, privateOwn wi4go's own libraries.
const (
	privateLib = Private + "/lib"
	privateOwn = Private + "/wi4go"
)

// A Var is an environment variable.
type Var struct{ Name, Value string }

// A Request describes the program and the library that it is to run on.
type Request struct {
	Library    string            // the host's MPI library
	Alone      bool              // the library opens no files of the host, whatever paths its debugging information names
	Helpers    []string          // programs that the library starts by itself
	Companions []string          // further libraries that the program loads from the host: the runtime's C++ or Fortran bindings
	Names      map[string]string // further names for files of the host, such as the soname that the program requests
	Env        []Var             // the program's variables on the host
	OwnDir     string            // directory of wi4go's own libraries, "" if the program needs none
	Program    *ldso.Tree        // the program as the container loads it, nil if unknown
	Image      *Image            // the container's file system, nil if unknown
	Host       ldso.Search       // search of this machine's dynamic linker
}

// A Mount is a file or directory of the host and its path in the container.
type Mount struct {
	From, To string // paths on the host and in the container
	Writable bool   // the container may write to it
}

// A Plan lists the arguments with which a container has to be started.
type Plan struct {
	Mounts   []Mount  // sorted by the path in the container
	Env      []Var    // the program's variables in the container
	Warnings []string // reasons why the program may not run
	Notes    []string // requirements on the container
}

// New returns the plan for a request. It returns an error if the host's library cannot be read.
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

// layout assigns each required file a place in the container.
type layout struct {
	request  Request  // the request
	needs    *needs   // files that the library and its helpers open
	versions versions // symbol versions of files

	dirs    []string          // directories of the host, mounted at the same path
	private map[string]string // name → file of the host, mounted in privateLib
	kept    map[string]string // name → file of the image that replaces the host's
	search  []string          // directories for LD_LIBRARY_PATH other than privateLib
}

// directories collects the directories that keep their path: the paths that libraries contain,
// and installations with a prefix of their own, whose files find each other by relative paths
// ($ORIGIN).
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

// outermost returns the paths that are not inside another one, sorted.
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

// covered reports whether the container sees a file of the host under its own path.
func (l *layout) covered(path string) bool {
	path = merged(path)
	return slices.ContainsFunc(l.dirs, func(dir string) bool { return within(path, dir) })
}

// libraries decides for each library whether the container sees the host's file in one of
// wi4go's directories, or keeps its own.
func (l *layout) libraries() {
	for _, n := range l.needs.tree.Nodes {
		name := n.Name
		if strings.Contains(name, "/") {
			name = n.Soname // it was opened by its path
		}
		if name == "" {
			name = filepath.Base(n.Path)
		}
		searched := n.FoundBy == ldso.ByEnv || n.FoundBy == ldso.ByCache || n.FoundBy == ldso.ByDefault
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

// library decides about the host's file at path. searched reports whether the host's linker
// found it by a search, so that the container's linker needs a search path too.
func (l *layout) library(name, path string, searched bool) {
	real, dir := realPath(path), filepath.Dir(path)
	inPlace := l.covered(path) && l.covered(real)
	switch {
	// glibc stays the container's. A file at its own path that is not searched needs nothing.
	case cLibrary(name), inPlace && !searched:
	// The file is at its own path, but the container's linker does not search there.
	case inPlace && !holdsCompilerLibrary(dir):
		l.search = append(l.search, dir)
	// Without an image, assume that the container has its own compiler libraries.
	case l.request.Image == nil:
		if !compilerLibrary(name) {
			l.private[name] = real
		}
	default:
		// Prefer the image's file if it serves the host's libraries, or if the host's cannot
		// load.
		inImage := l.request.Image.find(name)
		if inImage != "" && (l.imageFileServes(name, inImage, real) || !l.loads(real)) {
			l.kept[name] = inImage
		} else if l.loads(real) {
			l.private[name] = real
		}
	}
}

// loads reports whether the image's C library has all symbol versions that a file of the host
// needs. A file with unmet versions would only keep its users from starting.
func (l *layout) loads(path string) bool {
	for library, required := range l.versions.required(path) {
		if cLibrary(library) && !contains(l.versions.defined(l.request.Image.find(library)), required) {
			return false
		}
	}
	return true
}

// holdsCompilerLibrary reports whether a directory belongs to a whole system, such as a conda
// environment, and must therefore not precede the container's own directories.
func holdsCompilerLibrary(dir string) bool {
	return isFile(filepath.Join(dir, "libstdc++.so.6")) || isFile(filepath.Join(dir, "libgcc_s.so.1"))
}

// imageFileServes reports whether the image's own file of a library also serves the host's libraries,
// because it has every symbol version that the host's file has. A library without versions
// cannot be compared, and a library with plugins or configuration must stay together with them;
// keeps returns false for both.
func (l *layout) imageFileServes(name, inImage, host string) bool {
	if l.needs.withPlugins[name] {
		return false
	}
	defines := l.versions.defined(host)
	return len(defines) > 0 && contains(l.versions.defined(inImage), defines)
}

// reconcile replaces the image's file by the host's if it needs versions of another library
// that the mounted host file lacks. It repeats this until nothing changes.
func (l *layout) reconcile() {
	for changed := true; changed; {
		changed = false
		for name, inImage := range l.kept {
			for library, required := range l.versions.required(inImage) {
				host := l.private[library]
				if host != "" && !contains(l.versions.defined(host), required) {
					l.private[name] = l.needs.file(name)
					delete(l.kept, name)
					changed = true
					break
				}
			}
		}
	}
}

// place returns the path in the container at which a file of the host is visible.
func (l *layout) place(path string) string {
	if own := l.request.OwnDir; own != "" && within(path, own) {
		return privateOwn + strings.TrimPrefix(path, own)
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

// mounts returns all mounts, sorted by their path in the container.
func (l *layout) mounts() []Mount {
	var mounts []Mount
	if l.request.OwnDir != "" {
		mounts = append(mounts, Mount{From: l.request.OwnDir, To: privateOwn})
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

// environment returns the host's variables with the container's paths in them, and
// LD_LIBRARY_PATH with the directories that the container's linker does not search.
func (l *layout) environment() []Var {
	var env []Var
	var dirs []string
	for _, v := range l.request.Env {
		if v.Name == "LD_LIBRARY_PATH" {
			for _, dir := range strings.Split(v.Value, ":") {
				if own := l.request.OwnDir; own != "" && within(dir, own) {
					dirs = append(dirs, l.place(dir))
				}
			}
			continue // the other directories are in l.search or mounted
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
