package program

import (
	"debug/elf"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/ldso"
	"wi4go/internal/pattern"
)

// Bounds of the search through modules that a Python script imports.
const (
	maxModules = 2000  // Python files read
	maxEntries = 20000 // files and folders of one package
)

// codeOption matches the options of Python that end its options and name the code to execute: -c
// CODE, -m MODULE.
var codeOption = pattern.New(`^-[bBdEhiIOPqRsSuvVx]*([cm])(.*)$`)

// pythonCode returns the code that an interpreter, started in dir, executes because of its options.
// It returns "" if the interpreter is not Python or executes a script. A module may execute scripts
// named after it on the command line, as mpi4py does, so their text is included.
func pythonCode(interpreter, dir string, args []string) string {
	if !pythons.MatchString(filepath.Base(interpreter)) {
		return ""
	}
	for i, arg := range args {
		if !strings.HasPrefix(arg, "-") && (i == 0 || args[i-1] != "-W" && args[i-1] != "-X") {
			return ""
		}
		m := codeOption.FindStringSubmatch(arg)
		if m == nil {
			continue
		}
		code, rest := m[2], args[i+1:]
		if code == "" && len(rest) > 0 {
			code, rest = rest[0], rest[1:]
		}
		if m[1] == "m" {
			code = "import " + code + "\nimport " + code + ".__main__\n" + scripts(dir, rest)
		}
		return code
	}
	return ""
}

// scripts returns the joined texts of the Python files among args.
func scripts(dir string, args []string) string {
	var texts strings.Builder
	for _, arg := range args {
		if !filepath.IsAbs(arg) {
			arg = filepath.Join(dir, arg)
		}
		if strings.HasSuffix(arg, ".py") {
			text, _ := elfobj.Head(arg, maxScript)
			texts.Write(text)
		}
	}
	return texts.String()
}

// python returns, as a Program, the modules linked with MPI that an interpreter would import for a
// script in dir, or nil if there are none. It follows import statements to Python files and
// packages, and examines every library in a package. It returns ErrUnknownFamily if the modules do not
// determine one MPI.
func (t *tracer) python(interpreter, dir, script string) (*Program, error) {
	if script == "" {
		return nil, nil
	}
	links := t.search
	links.Read = ldso.Cached(elfobj.ReadLinks)
	m := importer{search: links, dirs: pythonDirs(interpreter, dir), work: t.dir, listed: map[string][]string{}, seen: map[string]bool{}}
	m.statements(script, place{dir: dir})
	files, abi, err := t.choose(m.found)
	switch {
	case err != nil:
		return nil, err
	case len(files) > 0:
	case m.lacksMPI4Py:
		return nil, fmt.Errorf("no mpi4py found for %s: %w", interpreter, ErrUnknownFamily)
	default:
		return nil, nil
	}
	p, err := ReadAll(files, t.search)
	if err != nil {
		return nil, err
	}
	t.addVia(interpreter)
	p.Via, p.MPI4PyABI = t.via, abi
	return p, nil
}

// choose returns the libraries that a process opens from the packages in found. They are all of one
// family. A package with libraries for several families chooses one when it runs; mpi4py does this
// by a variable. choose leaves out the others and returns the variable's value for the chosen
// extension as abi.
func (t *tracer) choose(found []pythonPackage) (files []string, abi string, err error) {
	var of *family.Family
	var first string
	var mpi4py []string
	for _, p := range found {
		f := p.family()
		if f == nil {
			if p.isMPI4Py() {
				mpi4py = p.files
			}
			continue
		}
		if of != nil && f != of {
			return nil, "", fmt.Errorf("it imports modules for two MPI families, %s (%s) and %s (%s): %w",
				of.Title, first, f.Title, p.files[0], ErrUnknownFamily)
		}
		of, first = f, p.files[0]
		files = append(files, p.files...)
	}
	if mpi4py == nil {
		return files, "", nil
	}
	prefer := t.prefer
	if of != nil {
		prefer = of
	}
	extension := chooseMPI4Py(mpi4py, prefer)
	if extension == "" {
		return nil, "", fmt.Errorf("the mpi4py in %s was built for several MPI families, and neither --to, --from nor %s selects one: %w",
			filepath.Dir(filepath.Dir(mpi4py[0])), MPI4PyABI, ErrUnknownFamily)
	}
	return append(files, extension), abiOf(extension), nil
}

// MPI4PyABI is the variable by which an mpi4py built for several MPI families, such as the
// published one, selects its extension.
const MPI4PyABI = "MPI4PY_MPIABI"

// chooseMPI4Py returns the extension that an mpi4py for several families will load: the extension named
// by the variable, else the extension for the preferred family, else the first. It returns "" if
// the variable names none of them, or if there is neither a variable nor a preference.
func chooseMPI4Py(extensions []string, prefer *family.Family) string {
	abi := os.Getenv(MPI4PyABI)
	set := abi != ""
	if !set {
		if prefer == nil {
			return ""
		}
		abi = prefer.Name
	}
	if len(extensions) == 0 {
		return ""
	}
	for _, extension := range extensions {
		if f, err := family.Of(abi); abiOf(extension) == abi || err == nil && abiOf(extension) == f.Name {
			return extension
		}
	}
	if set {
		return ""
	}
	return extensions[0]
}

// UnseenMPI4Py returns the value of the variable for an mpi4py that is imported where Trace does not see it.
// argv is the command line, started in directory dir, and prefer the family of the program or the runtime.
// The mpi4py is the one of the Python that argv names. On the standard ABI, for which the published one has no extension, it is else the one
// of the python3 in PATH. If it has extensions for several families, the value selects one that it has. An mpi4py for one family ignores
// the value.
func UnseenMPI4Py(argv []string, dir string, prefer *family.Family) string {
	words := slices.Clone(argv)
	if prefer.Standard {
		words = append(words, "python3")
	}
	var dirs []place
	if python := pythonOf(words, dir); python != "" {
		dirs = pythonDirs(python, dir)
	}
	for _, at := range dirs {
		found, _ := filepath.Glob(filepath.Join(at.dir, "mpi4py", "MPI.*.*.so")) // MPI.mpich.abi3.so, sorted
		if extension := chooseMPI4Py(found, prefer); extension != "" {
			return abiOf(extension)
		}
	}
	if prefer.Standard { // the published mpi4py has no extension for it
		for _, f := range family.All {
			if !f.Standard && f.Launcher == prefer.Launcher {
				return f.Name
			}
		}
	}
	return prefer.Name
}

// pythonOf returns the path of the first Python that a command line, started in dir, names as a word or in the
// first line of a script, or "".
func pythonOf(words []string, dir string) string {
	for _, word := range words {
		path, err := LookPath(word, dir)
		if err != nil {
			continue
		}
		if words, err := interpreterLine(path); err == nil && len(words) > 0 {
			if path, err = LookPath(words[0], dir); err != nil {
				continue
			}
		}
		if pythons.MatchString(filepath.Base(path)) {
			return path
		}
	}
	return ""
}

// abiOf returns the value of the variable for an extension, which is a part of the extension's
// name.
func abiOf(extension string) string {
	_, rest, _ := strings.Cut(filepath.Base(extension), ".")
	abi, _, _ := strings.Cut(rest, ".")
	return abi
}

// A pythonPackage holds the libraries linked with MPI of a package or of a single module.
type pythonPackage struct {
	files    []string         // extension modules first
	families []*family.Family // the family of each file
}

// isMPI4Py reports whether the package is mpi4py.
func (p pythonPackage) isMPI4Py() bool { return inMPI4Py(p.files[0]) }

// inMPI4Py reports whether a file is an extension of mpi4py.
func inMPI4Py(file string) bool { return filepath.Base(filepath.Dir(file)) == "mpi4py" }

// family returns the family that all libraries of the package are linked with. It returns nil if
// there are several families, or several extensions of mpi4py.
func (p pythonPackage) family() *family.Family {
	if p.isMPI4Py() && len(p.files) > 1 {
		return nil
	}
	for _, f := range p.families {
		if f != p.families[0] {
			return nil
		}
	}
	return p.families[0]
}

// An importer follows import statements to files.
type importer struct {
	search ldso.Search // reads only links, not symbols
	dirs   []place     // the directories that are searched for modules, in Python's order
	work   string      // the interpreter's working directory

	listed map[string][]string // the names in each folder that was listed
	seen   map[string]bool     // files already read, folders and libraries already examined
	read   int                 // the number of Python files read

	// found holds the packages that are linked with MPI.
	found       []pythonPackage
	lacksMPI4Py bool // the script itself imports mpi4py, which is not installed
}

// A place is a folder that is searched for modules.
type place struct {
	dir    string
	site   bool // it belongs to an installed package, in which only unindented import statements are followed
	inside bool // it lies in a package that was already examined
}

// pythonDirs returns the folders of sys.path, the script's first, without Python's standard
// library.
func pythonDirs(interpreter, dir string) []place {
	dirs := []place{{dir: dir}}
	for _, dir := range filepath.SplitList(os.Getenv("PYTHONPATH")) {
		dirs = append(dirs, place{dir: dir})
	}
	prefixes := []string{filepath.Dir(filepath.Dir(interpreter))}
	user := true
	if config, err := os.ReadFile(filepath.Join(prefixes[0], "pyvenv.cfg")); err == nil {
		home, shared := virtual(string(config))
		if user = shared; shared {
			prefixes = append(prefixes, filepath.Dir(home))
		}
	} else if real, err := filepath.EvalSymlinks(interpreter); err == nil {
		prefixes = append(prefixes, filepath.Dir(filepath.Dir(real)))
	}
	if home, err := os.UserHomeDir(); err == nil && user {
		prefixes = append([]string{filepath.Join(home, ".local")}, prefixes...)
	}
	for _, prefix := range slices.Compact(prefixes) {
		for _, pattern := range []string{"lib/python3*/site-packages", "lib64/python3*/site-packages",
			"local/lib/python3*/dist-packages", "lib/python3*/dist-packages", "versions/*/lib/python3*/site-packages"} { // the last is pyenv's
			matches, _ := filepath.Glob(filepath.Join(prefix, pattern))
			for _, site := range matches {
				dirs = append(append(dirs, place{dir: site, site: true}), listedIn(site)...)
			}
		}
	}
	return dirs
}

// virtual returns the directory of the Python from which a virtual environment was created. shared
// reports whether packages of that Python can be imported. config is the text of pyvenv.cfg.
func virtual(config string) (home string, shared bool) {
	for line := range strings.Lines(config) {
		name, value, _ := strings.Cut(line, "=")
		switch value = strings.TrimSpace(value); strings.TrimSpace(name) {
		case "home":
			home = value
		case "include-system-site-packages":
			shared = value == "true"
		}
	}
	return home, shared && home != ""
}

// listedIn returns the folders that *.pth files in a folder add to sys.path.
func listedIn(site string) (dirs []place) {
	files, _ := filepath.Glob(filepath.Join(site, "*.pth"))
	for _, file := range files {
		text, _ := elfobj.Head(file, maxScript)
		for line := range strings.Lines(string(text)) {
			dir := strings.TrimSpace(line)
			if dir == "" || strings.HasPrefix(dir, "#") || strings.HasPrefix(dir, "import") {
				continue
			}
			if !filepath.IsAbs(dir) {
				dir = filepath.Join(site, dir)
			}
			dirs = append(dirs, place{dir: dir})
		}
	}
	return dirs
}

var (
	// imported matches the import statements in a line. statements first joins lists in parentheses
	// into one line.
	imported = pattern.New(`(?:^|[;:])\s*(?:from\s+(\.*)\s*([\w.]*)\s+import\s+([\w., *]+)|import\s+([\w., ]+))`)

	// importedByName matches a call that imports a module by a literal name.
	importedByName = pattern.New(`\b(?:import_module|__import__)\(\s*["'](\.*)([\w.]+)["']`)

	// openedLibrary matches a string literal that names a library, which ctypes may open.
	openedLibrary = pattern.New(`["']([^"'\s]+\.so(?:\.\d+)*)["']`)

	parenthesized = pattern.New(`import\s*\(([^)]*)\)`)
	as            = pattern.New(`\s+as\s+\w+`)
	comment       = pattern.New(`#[^\n]*`)
	spaces        = pattern.New(`\s+`)
)

// statements follows the imports in a Python text, and examines the libraries named in it.
func (m *importer) statements(text string, at place) {
	text = parenthesized.ReplaceAllStringFunc(strings.ReplaceAll(text, "\\\n", " "), func(list string) string {
		names := parenthesized.FindStringSubmatch(list)[1]
		return "import " + spaces.ReplaceAllString(comment.ReplaceAllString(names, ""), " ")
	})
	for line := range strings.Lines(text) {
		if at.site && !strings.HasPrefix(line, "import ") && !strings.HasPrefix(line, "from ") {
			continue
		}
		if strings.Contains(line, "import") {
			m.line(as.ReplaceAllString(line, ""), at)
		}
		if !at.site && strings.Contains(line, ".so") {
			for _, name := range openedLibrary.FindAllStringSubmatch(line, -1) {
				m.opened(name[1], at.dir)
			}
		}
	}
}

// line follows the import statements in one line.
func (m *importer) line(line string, at place) {
	for _, s := range imported.FindAllStringSubmatch(line, -1) {
		if s[4] != "" {
			for name := range strings.SplitSeq(s[4], ",") {
				m.module(at, "", name)
			}
			continue
		}
		for name := range strings.SplitSeq(s[3], ",") {
			if name = strings.TrimSpace(name); name == "*" || name == "" {
				m.module(at, s[1], s[2])
			} else {
				m.module(at, s[1], strings.TrimPrefix(s[2]+"."+name, "."))
			}
		}
	}
	for _, s := range importedByName.FindAllStringSubmatch(line, -1) {
		m.module(at, s[1], s[2])
	}
}

// module follows a dotted module name with leading dots. Each dot after the first leads one package
// up.
func (m *importer) module(at place, dots, name string) {
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == ' ' || r == '\n' })
	if len(parts) == 0 {
		return
	}
	if dots == "" {
		if !m.follow(m.dirs, parts) && parts[0] == "mpi4py" && !at.site {
			m.lacksMPI4Py = true
		}
		return
	}
	for range len(dots) - 1 {
		at.dir = filepath.Dir(at.dir)
	}
	m.follow([]place{at}, parts)
}

// follow resolves the parts of a module's name, starting in places, by Python's rules. In each
// place a package, an extension module or a Python file is used; otherwise all folders of that name
// form one package. It reports whether the first part exists.
func (m *importer) follow(places []place, parts []string) (found bool) {
	for _, part := range parts {
		var next []place
		for _, in := range places {
			at := filepath.Join(in.dir, part)
			below := place{at, in.site, true}
			if extension := m.extension(in.dir, part); m.has(at, "__init__.py") {
				if !in.inside {
					m.examine(at, true)
				}
				m.file(filepath.Join(at, "__init__.py"), below)
				next = []place{below}
			} else if extension != "" {
				m.examineFiles([]string{extension})
			} else if m.has(in.dir, part+".py") {
				m.file(at+".py", in)
			} else if m.has(in.dir, part) {
				if below.inside = in.inside; !in.inside {
					m.examine(at, false)
				}
				next = append(next, below)
				continue
			} else {
				continue
			}
			found = true
			break
		}
		if found = found || len(next) > 0; len(next) == 0 {
			return found
		}
		places = next
	}
	return found
}

// file follows the statements in a Python file. It reads each file only once.
func (m *importer) file(path string, at place) {
	if m.seen[path] || m.read >= maxModules {
		return
	}
	m.seen[path] = true
	m.read++
	if text, err := elfobj.Head(path, maxScript); err == nil {
		m.statements(string(text), at)
	}
}

// list returns the sorted names in a folder.
func (m *importer) list(dir string) []string {
	names, known := m.listed[dir]
	if !known {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		m.listed[dir] = names // os.ReadDir returns them sorted
	}
	return names
}

// has reports whether a folder has an entry with that name.
func (m *importer) has(dir, name string) bool {
	_, found := slices.BinarySearch(m.list(dir), name)
	return found
}

// extension returns the path of an extension module in a folder, or "" if there is none.
func (m *importer) extension(dir, name string) string {
	names := m.list(dir)
	at, _ := slices.BinarySearch(names, name+".")
	for _, file := range names[at:] {
		if !strings.HasPrefix(file, name+".") {
			break
		}
		if strings.HasSuffix(file, ".so") {
			return filepath.Join(dir, file)
		}
	}
	return ""
}

// sharedObject matches the name of a library or an extension module.
var sharedObject = pattern.New(`\.so(\.\d+)*$`)

// examine examines the libraries in a package's folder. If whole is true, it includes the folders
// below.
func (m *importer) examine(dir string, whole bool) {
	if m.seen[dir] {
		return
	}
	m.seen[dir] = true
	var extensions, others []string
	entries := 0
	filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if entries++; err != nil || entries > maxEntries {
			return fs.SkipDir
		}
		switch name := e.Name(); {
		case e.IsDir():
			if path != dir && (!whole || filepath.Base(dir) == "mpi4py" || name == "include" || name == "__pycache__") {
				return fs.SkipDir
			}
		case !sharedObject.MatchString(name):
		case strings.HasPrefix(name, "lib"):
			others = append(others, path)
		default:
			extensions = append(extensions, path)
		}
		return nil
	})
	m.examineFiles(append(extensions, others...))
}

// opened examines a library that a script in dir names. The name may be relative to the
// interpreter's working directory or to the script; else the system's search path finds it.
func (m *importer) opened(name, dir string) {
	for _, file := range []string{name, filepath.Join(m.work, name), filepath.Join(dir, name)} {
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			m.examineFiles([]string{file})
			return
		}
	}
	if strings.Contains(name, "/") {
		return
	}
	if o := m.search.Find(name, elfobj.HostMachine(), elf.ELFCLASS64); o != nil {
		m.examineFiles([]string{o.Path})
	}
}

// examineFiles records the files that are linked with MPI.
func (m *importer) examineFiles(files []string) {
	var p pythonPackage
	for _, file := range files {
		if m.seen[file] {
			continue
		}
		m.seen[file] = true
		if f := m.familyOf(file); f != nil {
			p.files, p.families = append(p.files, file), append(p.families, f)
		}
	}
	if len(p.files) > 0 {
		m.found = append(m.found, p)
	}
}

// familyOf returns the family of the MPI library that a file, or a library that the file needs, is
// linked with. It returns nil if there is none, if the file is itself an MPI library, or if it is
// for another machine.
func (m *importer) familyOf(file string) *family.Family {
	if _, part := family.OfLibrary(file); part != 0 {
		return nil
	}
	tree, err := m.search.Load(file)
	if err != nil || tree.Nodes[0].Machine != elfobj.HostMachine() {
		return nil
	}
	unclear := false
	for _, n := range tree.Nodes {
		for _, name := range n.Needed {
			f, part := family.OfLibrary(name)
			if f != nil {
				return f
			}
			unclear = unclear || part == family.C
		}
	}
	if !unclear {
		return nil
	}
	links := m.search
	links.Read = elfobj.Read // symbols decide
	if p, _ := Read(file, links); p != nil {
		return p.Family
	}
	return nil
}
