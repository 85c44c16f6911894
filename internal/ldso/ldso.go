// Package ldso finds the libraries that a program would load, by the rules of ld.so(8), without
// running the program: DT_RPATH of the loading objects, LD_LIBRARY_PATH, DT_RUNPATH, the cache, and
// the system's directories.
//
// It must not know of MPI. It considers LD_PRELOAD only as far as a Search lists files, and
// libraries that a program opens later (dlopen) only through Open.
package ldso

import (
	"debug/elf"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	securejoin "github.com/cyphar/filepath-securejoin"

	"wi4go/internal/elfobj"
)

// The rules by which a library is found (Node.FoundBy).
const (
	ByPath    = "path"            // the name contains a slash
	ByPreload = "LD_PRELOAD"      // the file is preloaded
	ByRPath   = "DT_RPATH"        // path in the loader, or in an object above it in the chain of loaders
	ByEnv     = "LD_LIBRARY_PATH" // path in the environment
	ByRunPath = "DT_RUNPATH"      // path in the loader only
	ByCache   = "ld.so.cache"     // the system's cache
	ByDefault = "system directory"
)

// A Node is one loaded object and the object that needs it.
type Node struct {
	*elfobj.Object
	Name    string // the DT_NEEDED name, with $ORIGIN and $LIB replaced in paths; the path for the program itself
	Loader  *Node  // the object that needs it; nil for the program itself
	FoundBy string // ByRPath, ByCache, …; "" for the program itself

	NeededNames []string // its DT_NEEDED names, with $ORIGIN and $LIB replaced in paths
}

// A Missing is a needed library that no rule finds on this machine.
type Missing struct {
	Name     string
	Loader   *Node
	Rejected []string // files of that name that were skipped: for another machine, or damaged
}

// A Tree is a program and everything that it loads at its start. The program is first; the
// libraries follow in ld.so's order (breadth first).
type Tree struct {
	Nodes   []*Node
	Missing []Missing
}

// A Search holds everything that the rules depend on except the files themselves.
type Search struct {
	Root        string              // the directory that serves as /; "" for this machine's own
	LibraryPath []string            // LD_LIBRARY_PATH, split
	Preload     []string            // LD_PRELOAD, split; files that are not found are skipped, as ld.so does
	Cache       map[string][]string // ld.so's cache
	Dirs        []string            // the system's own directories

	Read func(path string) (*elfobj.Object, error) // reads a file; nil means elfobj.Read
}

// read reads a file of this machine.
func (s Search) read(path string) (*elfobj.Object, error) {
	if s.Read != nil {
		return s.Read(path)
	}
	return elfobj.Read(path)
}

// Cached returns a version of read that reads each file only once. Several goroutines may call it; they read different
// files at a time.
func Cached(read func(path string) (*elfobj.Object, error)) func(path string) (*elfobj.Object, error) {
	known := map[string]func() (*elfobj.Object, error){}
	var lock sync.Mutex
	return func(path string) (*elfobj.Object, error) {
		lock.Lock()
		answer, ok := known[path]
		if !ok {
			answer = sync.OnceValues(func() (*elfobj.Object, error) { return read(path) })
			known[path] = answer
		}
		lock.Unlock()
		return answer()
	}
}

// FromEnviron returns the Search for this process's environment. It does not include LD_PRELOAD. It
// reads each file once.
func FromEnviron() Search {
	return Search{
		LibraryPath: SplitPath(os.Getenv("LD_LIBRARY_PATH")),
		Cache:       Cache(),
		Dirs:        SystemDirs(elfobj.HostMachine()),
		Read:        Cached(elfobj.Read),
	}
}

// FromRoot returns the Search for a process with an empty environment whose root file system is the
// directory root.
func FromRoot(root string) Search {
	s := Search{Root: root, Dirs: SystemDirs(elfobj.HostMachine())}
	if data, err := elfobj.Head(s.At(cacheFile), maxCache); err == nil {
		s.Cache = parseCache(data)
	}
	return s
}

// At returns the file on this machine to which a path inside the root leads.
func (s Search) At(path string) string {
	if s.Root == "" {
		return path
	}
	file, err := securejoin.SecureJoin(s.Root, path)
	if err != nil {
		return filepath.Join(s.Root, path) // links form a circle, so there is no such file
	}
	return file
}

// SplitPath splits LD_LIBRARY_PATH at ':' and ';'.
func SplitPath(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ':' || r == ';' })
}

// SplitPreload returns the files in LD_PRELOAD, which may be separated by spaces or colons.
func SplitPreload(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ':' || r == ' ' })
}

// SystemDirs returns the trusted directories of the usual distributions for a machine.
func SystemDirs(m elf.Machine) []string {
	triplet := map[elf.Machine]string{
		elf.EM_X86_64: "x86_64-linux-gnu", elf.EM_AARCH64: "aarch64-linux-gnu",
	}[m]
	var dirs []string
	for _, root := range []string{"/", "/usr"} {
		if triplet != "" {
			dirs = append(dirs, filepath.Join(root, "lib", triplet))
		}
		dirs = append(dirs, filepath.Join(root, "lib64"), filepath.Join(root, "lib"))
	}
	return dirs
}

// Load reads a program, given as a path inside the root, and everything that it needs. It lists
// libraries that are not found in Missing. It returns an error only if the program itself cannot be
// read.
func (s Search) Load(program string) (*Tree, error) {
	root, err := s.read(s.At(program))
	if err != nil {
		return nil, err
	}
	tree := &Tree{Nodes: []*Node{{Object: root, Name: program}}}
	names := map[string]bool{}
	for _, name := range s.Preload {
		if names[name] {
			continue
		}
		if object, _, _ := s.find(name, tree.Nodes[0], root); object != nil {
			names[name] = true
			if object.Soname != "" {
				names[object.Soname] = true
			}
			tree.Nodes = append(tree.Nodes, &Node{Object: object, Name: name, Loader: tree.Nodes[0], FoundBy: ByPreload})
		}
	}
	s.walk(tree, names, root)
	return tree, nil
}

// Open returns what a program would load in addition to its tree if it opened a library by its path
// later (dlopen): the library first, without libraries that are loaded already. If the library
// itself is loaded already, the returned tree has no nodes.
func (s Search) Open(t *Tree, library string) (*Tree, error) {
	object, err := s.read(s.At(library))
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, n := range t.Nodes {
		if n.Path == object.Path {
			return &Tree{}, nil
		}
		names[n.Name], names[n.Soname] = true, true
	}
	names[object.Soname] = true
	// ld.so searches the program's DT_RPATH as well for libraries that this library needs.
	opened := &Tree{Nodes: []*Node{{Object: object, Name: library, Loader: t.Nodes[0], FoundBy: ByPath}}}
	s.walk(opened, names, t.Nodes[0].Object)
	return opened, nil
}

// walk appends the libraries that the nodes of tree need, and recursively their libraries. names
// holds the names that are loaded already; root is the program.
func (s Search) walk(tree *Tree, names map[string]bool, root *elfobj.Object) {
	for i := 0; i < len(tree.Nodes); i++ { // tree.Nodes grows during the loop
		loader := tree.Nodes[i]
		for _, name := range loader.Needed {
			if strings.Contains(name, "/") {
				name = s.expand(name, loader.Object)
			}
			loader.NeededNames = append(loader.NeededNames, name)
			if names[name] {
				continue
			}
			names[name] = true
			object, foundBy, rejected := s.find(name, loader, root)
			if object == nil {
				tree.Missing = append(tree.Missing, Missing{name, loader, rejected})
				continue
			}
			if object.Soname != "" {
				names[object.Soname] = true
			}
			if !tree.contains(object) {
				tree.Nodes = append(tree.Nodes, &Node{Object: object, Name: name, Loader: loader, FoundBy: foundBy})
				s.readAhead(object, names)
			}
		}
	}
}

// readAhead begins to read the libraries that an object needs, except the named ones, where the cache finds them. Most
// are found there, and several are read at a time.
func (s Search) readAhead(object *elfobj.Object, names map[string]bool) {
	for _, name := range object.Needed {
		if paths := s.Cache[name]; s.Read != nil && len(paths) > 0 && !names[name] {
			go s.Read(s.At(paths[0])) // an error is reported to the one who asks for this file
		}
	}
}

// contains reports whether the tree already contains this file, perhaps under another path.
func (t *Tree) contains(o *elfobj.Object) bool {
	return slices.ContainsFunc(t.Nodes, func(n *Node) bool {
		return n.Soname == o.Soname && (n.Path == o.Path || sameFile(n.Path, o.Path))
	})
}

// sameFile reports whether two paths lead to one file.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// find resolves a name by the rules of ld.so(8), "When resolving shared object dependencies". It
// returns nil if nothing is found; unfit then lists the files that it skipped.
func (s Search) find(name string, loader *Node, root *elfobj.Object) (o *elfobj.Object, foundBy string, rejected []string) {
	fits := func(path string) *elfobj.Object {
		o, err := s.read(s.At(path))
		if err == nil && o.Machine == root.Machine && o.Class == root.Class && o.Dynamic {
			return o
		}
		if !errors.Is(err, fs.ErrNotExist) && !slices.Contains(rejected, path) {
			rejected = append(rejected, path)
		}
		return nil
	}
	in := func(dirs []string, of *elfobj.Object) *elfobj.Object {
		for _, dir := range dirs {
			if of != nil {
				dir = s.expand(dir, of)
			}
			if o := fits(filepath.Join(dir, name)); o != nil {
				return o
			}
		}
		return nil
	}

	if strings.Contains(name, "/") {
		return fits(name), ByPath, rejected
	}
	if len(loader.RunPath) == 0 {
		for n := loader; n != nil; n = n.Loader {
			if len(n.RunPath) > 0 {
				continue // its DT_RPATH is ignored if it has DT_RUNPATH
			}
			if o := in(n.RPath, n.Object); o != nil {
				return o, ByRPath, nil
			}
		}
	}
	if o := in(s.LibraryPath, nil); o != nil {
		return o, ByEnv, nil
	}
	if o := in(loader.RunPath, loader.Object); o != nil {
		return o, ByRunPath, nil
	}
	for _, path := range s.Cache[name] {
		if o := fits(path); o != nil {
			return o, ByCache, nil
		}
	}
	if o := in(s.Dirs, nil); o != nil {
		return o, ByDefault, nil
	}
	return nil, "", rejected
}

// Find returns the library for a machine that the environment and the system find for a bare name,
// without search paths of a loading object, or nil if there is none.
func (s Search) Find(name string, machine elf.Machine, class elf.Class) *elfobj.Object {
	nobody := &Node{Object: &elfobj.Object{}}
	found, _, _ := s.find(name, nobody, &elfobj.Object{Machine: machine, Class: class})
	return found
}

// expand replaces $ORIGIN and $LIB as ld.so does. An empty directory is the current one.
func (s Search) expand(dir string, of *elfobj.Object) string {
	if dir == "" {
		return "."
	}
	if !strings.Contains(dir, "$") {
		return dir
	}
	path := of.Path
	if of.Interp != "" {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real // the kernel gives a program its real path
		}
	}
	origin := strings.TrimPrefix(filepath.Dir(path), s.Root)
	lib := "lib"
	if of.Class == elf.ELFCLASS64 {
		lib = "lib64"
		if dirs := SystemDirs(of.Machine); isDir(s.At(dirs[0])) && strings.Contains(dirs[0], "-linux-gnu") {
			lib = strings.TrimPrefix(dirs[0], "/")
		}
	}
	return strings.NewReplacer(
		"$ORIGIN", origin, "${ORIGIN}", origin, "$LIB", lib, "${LIB}", lib).Replace(dir)
}

// isDir reports whether path is a directory.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Needs returns the DT_NEEDED names in the whole tree that want accepts, each once, in load order.
// They may be loaded or missing.
func (t *Tree) Needs(want func(name string) bool) []string {
	var found []string
	for _, n := range t.Nodes {
		for _, name := range n.NeededNames {
			if want(name) && !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
	}
	return found
}

// Find returns the loaded object for a DT_NEEDED name, or nil.
func (t *Tree) Find(name string) *Node {
	for _, n := range t.Nodes[1:] {
		if n.Name == name || n.Soname == name {
			return n
		}
	}
	return nil
}
