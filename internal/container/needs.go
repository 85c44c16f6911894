package container

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/ldso"
	"wi4go/internal/pattern"
)

// needs holds the files that an MPI library and its helpers open on the host.
type needs struct {
	search ldso.Search // search of the host's dynamic linker
	places places      // shared and private directories of the host
	tree   *ldso.Tree  // all libraries, in the order of discovery

	// loadedAtStart is the number of nodes loaded with the library itself. The nodes after them are
	// plugins.
	loadedAtStart int
	// files contains the nodes' files, with links resolved.
	files map[string]bool
	// paths are directories and files that keep their path in the container.
	paths []string
	// aliases maps names under which libraries are opened later to their paths.
	aliases map[string]string
	// withPlugins contains the sonames of libraries that open plugins or configuration of their
	// own.
	withPlugins map[string]bool
}

// findNeeds follows the library as the dynamic linker and the library itself would. It collects
// the library's dependencies, the libraries that it opens by a name in its text, and the
// directories that it names with the plugins in them; then the same for each of these. It
// returns an error if the library cannot be read.
func findNeeds(r Request) (*needs, error) {
	tree, err := r.Host.Load(r.Library)
	if err != nil {
		return nil, err
	}
	n := &needs{search: r.Host, places: newPlaces(r.Host), tree: &ldso.Tree{Missing: tree.Missing},
		files: map[string]bool{}, aliases: map[string]string{}, withPlugins: map[string]bool{}}
	n.addNodes(tree.Nodes)
	for _, library := range r.Companions {
		n.open(library)
	}
	n.loadedAtStart = len(n.tree.Nodes)
	for _, program := range r.Helpers {
		if n.open(program) {
			n.paths = append(n.paths, program)
		}
	}
	for i := 0; i < len(n.tree.Nodes); i++ { // the list grows during the loop
		if node := n.tree.Nodes[i]; !cLibrary(node.Soname) && !r.Alone {
			n.addNamed(node)
			n.addCompanions(node)
		}
	}
	return n, nil
}

// open adds a plugin and its dependencies. It returns false if the plugin is already there or
// is no library for this machine, which its owner would skip too.
func (n *needs) open(path string) bool {
	if n.files[realPath(path)] {
		return false
	}
	opened, err := n.search.Open(n.tree, path)
	if err != nil || len(opened.Nodes) == 0 || opened.Nodes[0].Machine != n.tree.Nodes[0].Machine || !opened.Nodes[0].Dynamic {
		return false
	}
	n.addNodes(opened.Nodes)
	return true
}

// addNodes adds nodes to the tree.
func (n *needs) addNodes(nodes []*ldso.Node) {
	for _, node := range nodes {
		n.files[realPath(node.Path)] = true
	}
	n.tree.Nodes = append(n.tree.Nodes, nodes...)
}

// maxLibrary limits how much of a library is searched for texts, in bytes.
const maxLibrary = 512 << 20

// libraryText matches the name of a library in another library's text.
var libraryText = pattern.New(`^lib[\w+-]+\.so(\.\d+)*$`)

// addNamed adds the libraries that a library opens by a name in its text, and the paths in its
// text that exist on this machine.
func (n *needs) addNamed(node *ldso.Node) {
	data, err := elfobj.Head(node.Path, maxLibrary)
	if err != nil {
		return
	}
	opens := slices.ContainsFunc(node.Imports, func(s elfobj.Symbol) bool { return s.Name == "dlopen" })
	eachText(data, func(text string) {
		switch {
		case opens && libraryText.MatchString(text) && !cLibrary(text):
			if n.tree.Find(text) != nil {
				return
			}
			if neighbour := filepath.Join(filepath.Dir(node.Path), text); isFile(neighbour) {
				n.aliases[text] = neighbour
				n.open(neighbour)
			} else if found := n.search.Find(text, node.Machine, node.Class); found != nil {
				n.aliases[text] = found.Path
				n.open(found.Path)
			}
		case text[0] == '/':
			// Cut the path before a %s or a ${variable} that is filled in later.
			if at := strings.IndexAny(text, "%$"); at >= 0 {
				text = text[:strings.LastIndexByte(text[:at], '/')]
			}
			if path := filepath.Clean(text); n.places.belongsToPackage(path) {
				n.addPath(node, path)
			}
		}
	})
}

// eachText calls f with each zero-terminated printable string in data that begins like a path
// or the name of a library.
func eachText(data []byte, f func(string)) {
	const longest = 256
	for _, start := range []string{"\x00/", "\x00lib"} {
		for rest := data; ; {
			at := bytes.Index(rest, []byte(start))
			if at < 0 {
				break
			}
			rest = rest[at+1:]
			end := bytes.IndexByte(rest[:min(len(rest), longest)], 0)
			if end > 1 && !bytes.ContainsFunc(rest[:end], func(r rune) bool { return r <= ' ' || r > '~' }) {
				f(string(rest[:end]))
			}
		}
	}
}

// addPath records a path of the host that a library opens, and the plugins in it.
func (n *needs) addPath(owner *ldso.Node, path string) {
	n.withPlugins[owner.Soname] = true
	path = merged(path)
	if slices.Contains(n.paths, path) {
		return
	}
	n.paths = append(n.paths, path)
	if n.places.ownPrefix(owner.Path) != "" && within(owner.Path, path) {
		return // the path contains the owner's whole installation, which directories keeps together
	}
	filepath.WalkDir(path, func(file string, entry os.DirEntry, err error) error {
		switch isLibrary := strings.Contains(file, ".so"); {
		case err != nil:
		case entry.Type().IsRegular() && isLibrary:
			n.open(file)
		case strings.HasSuffix(file, ".icd"):
			n.drivers(file)
		case entry.Type()&os.ModeSymlink != 0 && !isLibrary:
			if real := realPath(file); !within(real, path) && n.places.belongsToPackage(real) && isFile(real) {
				n.paths = append(n.paths, real) // configuration that lies elsewhere
			}
		}
		return nil
	})
}

// drivers adds the libraries that a file of the OpenCL loader names, one in each line, by path or
// by a name that the dynamic linker finds.
func (n *needs) drivers(list string) {
	text, err := elfobj.Head(list, maxDriverList)
	if err != nil {
		return // the loader skips it too
	}
	for name := range strings.FieldsSeq(string(text)) {
		if filepath.IsAbs(name) {
			if n.places.belongsToPackage(name) && n.open(name) {
				n.paths = append(n.paths, name)
			}
		} else if found := n.search.Find(name, n.tree.Nodes[0].Machine, n.tree.Nodes[0].Class); found != nil {
			n.aliases[name] = found.Path
			n.open(found.Path)
		}
	}
}

// maxDriverList limits how much of a list of drivers is read, in bytes.
const maxDriverList = 64 << 10

// A companion describes files that a library finds relative to its own place, not by a name in
// its text.
type companion struct {
	library *pattern.Pattern // matches the soname of the library
	plugins []string         // patterns of its plugins, relative to its directory
	share   string           // its directory in the share of its prefix, "" for none
	etc     string           // its file in the etc of its prefix, "" for none
}

// companions lists the libraries that have companions.
var companions = []companion{
	{pattern.New(`^libopen-pal\.so`), []string{"openmpi*/mca_*.so"}, "openmpi", "openmpi-mca-params.conf"},
	{pattern.New(`^libpmix\.so`), []string{"pmix/*.so"}, "pmix", "pmix-mca-params.conf"},
	{pattern.New(`^libprrte\.so`), []string{"prte/*.so"}, "prte", "prte-mca-params.conf"},
	{pattern.New(`^libucs\.so`), []string{"ucx/*.so*"}, "ucx", "ucx/ucx.conf"},
	{pattern.New(`^libfabric\.so`), []string{"libfabric/*-fi.so", "prov/*-fi.so", "*-fi.so"}, "", "libfabric.conf"},
	{pattern.New(`^libhwloc\.so`), []string{"hwloc/*.so"}, "hwloc", ""},
	{pattern.New(`^libpocl\.so`), []string{"pocl/*.so"}, "pocl", ""}, // a driver of OpenCL
	{pattern.New(`^libibverbs\.so`), []string{"libibverbs/*.so"}, "", ""},
	// Intel MPI contains its own libfabric, in places that changed over time.
	{pattern.New(`^libmpi\.so\.12`), []string{"libfabric/libfabric.so*", "../libfabric/lib/libfabric.so*",
		"../../libfabric/lib/libfabric.so*", "../opt/mpi/libfabric/lib/libfabric.so*"}, "", ""},
}

// addCompanions adds the companions of a library.
func (n *needs) addCompanions(node *ldso.Node) {
	for _, c := range companions {
		if !c.library.MatchString(node.Soname) {
			continue
		}
		dir := filepath.Dir(node.Path)
		for _, pattern := range c.plugins {
			files, _ := filepath.Glob(filepath.Join(dir, pattern)) // the pattern is well-formed
			for _, file := range files {
				n.withPlugins[node.Soname] = true
				n.open(file)
				if at := filepath.Dir(file); !n.places.common(at) {
					n.addPath(node, at)
				}
			}
		}
		for _, path := range c.inPrefix(n.places.prefixOf(node.Path), n.places) {
			if n.places.belongsToPackage(path) {
				n.addPath(node, path)
			}
		}
	}
}

// inPrefix returns the possible paths of a library's texts and configuration.
func (c companion) inPrefix(prefix string, p places) []string {
	var paths []string
	if c.share != "" {
		paths = append(paths, filepath.Join(prefix, "share", c.share))
	}
	if c.etc != "" {
		paths = append(paths, filepath.Join(prefix, "etc", c.etc))
		if p.common(prefix) {
			paths = append(paths, filepath.Join("/etc", c.etc))
		}
	}
	return paths
}

// isFile reports whether path is a regular file.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// file returns the host's file of a library that was found under name, or "".
func (n *needs) file(name string) string {
	if path := n.aliases[name]; path != "" {
		return realPath(path)
	}
	if node := n.tree.Find(name); node != nil {
		return realPath(node.Path)
	}
	return ""
}
