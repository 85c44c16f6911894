// Package runtimes finds the MPI libraries of this machine and their launchers. It only reads
// files: it starts and loads nothing, so that it may be used inside an MPI program. The exception
// is QueryVersion, which queries a library for its version, in a child process.
//
// It must not know of the program that is to run, nor how it is launched.
package runtimes

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/install"
	"wi4go/internal/launchers"
	"wi4go/internal/ldso"
	"wi4go/internal/pattern"
	"wi4go/internal/spelling"
)

// InPath is the value of Runtime.Found for runtimes whose launcher was found in PATH.
const InPath = "PATH"

// A Runtime is an MPI library on which programs can run.
type Runtime struct {
	Family   *family.Family
	Vendor   string   // the name of a Vendor: openmpi, mpich, intelmpi, mvapich, cray-mpich
	Name     string   // its name for --to on this machine: a vendor, vendor@version, or its library's path
	Also     []string // further paths of the same library: copies and other names
	Library  string   // absolute path of its C library
	Soname   string
	Launcher string // absolute path of its mpiexec, or "" if none was found
	Prefix   string // the directory that holds its bin and lib
	Found    string // the rule that found it: VIRTUAL_ENV, PATH, …
	// Others are the libraries of other vendors in the prefix by which the user named it, as
	// String returns them. This one was chosen because it is the first.
	Others []string

	object *elfobj.Object
	files  *files // the cache of the search that found it
}

// Ambiguous returns an error if the prefix by which the user named the runtime contains other
// libraries as well, or nil.
func (r *Runtime) Ambiguous() error {
	if len(r.Others) == 0 {
		return nil
	}
	return fault.New("runtime-ambiguous", "name a library to choose another", "%s contains %s and %s: the first is used", r.Prefix, r,
		strings.Join(r.Others, " and "))
}

// Object returns the facts in the library's ELF file.
func (r *Runtime) Object() *elfobj.Object { return r.object }

// Title returns the vendor's name for messages.
func (r *Runtime) Title() string { return VendorOf(r.Vendor).Title }

// String returns the runtime's name for messages: its path and vendor.
func (r *Runtime) String() string { return fmt.Sprintf("%s (%s)", r.Library, r.Title()) }

// A Search specifies the places to search. The zero value searches nowhere.
type Search struct {
	Prefixes []Place  // installation prefixes that environment variables name
	Path     []string // the directories in PATH
	Libs     ldso.Search
	Globs    []Place  // patterns of further installation prefixes
	Links    string   // the directory of Debian's alternatives
	Embedded string   // the prefix of the embedded MPI, which comes after all others, or ""
	Exclude  string   // directory of wi4go's fronts, which are not runtimes; its directory of runtimes is not excluded
	Self     string   // the wi4go that queries libraries for their version, or "" if only their files are read
	Hide     []string // patterns of libraries, or of directories above them, that are found only by their path
	Order    []string // vendors in order of preference; without it, the order of the search counts
	CacheDir string   // the directory for stored results of searches; "" stores nothing
	// Installing returns the command that installs a library, which is given by its name for `wi4go
	// get`, on this machine, in quotes for messages, or nil for `wi4go get` itself.
	Installing func(name string) string

	files *files // cache of everything read, or nil without a cache
}

// List returns every runtime found, each library once, the preferred first. It derives names from
// files alone: the first usable runtime of a vendor gets the vendor's name, the others their paths.
// Survey takes versions into account too.
func (s Search) List() []*Runtime {
	list := slices.Collect(s.all())
	assignNames(list, make([]Version, len(list)))
	return list
}

// all yields the runtimes that List returns, one at a time.
func (s Search) all() iter.Seq[*Runtime] {
	if len(s.Order) == 0 {
		return s.found()
	}
	preferred := func(r *Runtime) int {
		if i := slices.Index(s.Order, r.Vendor); i >= 0 {
			return i
		}
		return len(s.Order)
	}
	return slices.Values(slices.SortedStableFunc(s.found(), func(a, b *Runtime) int { return cmp.Compare(preferred(a), preferred(b)) }))
}

// hidden reports whether the configuration hides a library from the search.
func (s Search) hidden(library string) bool {
	for path := library; path != "/" && path != "."; path = filepath.Dir(path) {
		if slices.ContainsFunc(s.Hide, func(pattern string) bool {
			match, _ := filepath.Match(pattern, path) // a malformed pattern hides nothing
			return match
		}) {
			return true
		}
	}
	return false
}

// found yields the runtimes in the order of the search: from the active virtual environment, from
// launchers in PATH, from variables, from the linker's paths, from Debian's alternatives, and from
// the usual directories. The embedded MPI is last, wherever else it is found.
func (s Search) found() iter.Seq[*Runtime] {
	return func(yield func(*Runtime) bool) {
		seen := map[string]bool{}
		var yielded []*Runtime
		for foundBy, found := range s.places() {
			for _, r := range found {
				real := s.fileCache().real(r.Library)
				if seen[real] || s.hidden(r.Library) || r.Traits().IsOwn && foundBy != embeddedPlace {
					continue
				}
				seen[real] = true
				if i := slices.IndexFunc(yielded, func(y *Runtime) bool {
					return y.Soname == r.Soname && s.fileCache().sameContent(y.Library, r.Library)
				}); i >= 0 {
					yielded[i].Also = append(yielded[i].Also, r.Library)
					continue
				}
				r.Found = foundBy
				yielded = append(yielded, r)
				if !yield(r) {
					return
				}
			}
		}
	}
}

// places yields the runtimes in each place together with the name of the rule for it. It reads a
// place only when the caller requests it.
func (s Search) places() iter.Seq2[string, []*Runtime] {
	return func(yield func(string, []*Runtime) bool) {
		named := func(venv bool) bool {
			for _, p := range s.Prefixes {
				if (p.Name == "VIRTUAL_ENV") == venv && !yield(p.Name, s.inPrefix(p.Dir)) {
					return false
				}
			}
			return true
		}
		if !named(true) {
			return
		}
		for _, dir := range s.Path {
			for _, name := range launcherNames {
				launcher := filepath.Join(dir, name)
				if l := s.fileCache().launcher(launcher); l != nil && !yield(InPath, s.ofLauncher(launcher, l.Is)) {
					return
				}
			}
		}
		if !named(false) {
			return
		}
		for _, dir := range s.Libs.LibraryPath {
			if !yield(ldso.ByEnv, s.inDir(dir)) {
				return
			}
		}
		for _, f := range family.All {
			for _, soname := range f.Sonames {
				for _, path := range s.Libs.Cache[soname] {
					if r, err := s.ofLibrary(path); err == nil && !yield(ldso.ByCache, []*Runtime{r}) {
						return
					}
				}
			}
		}
		for _, dir := range s.Libs.Dirs {
			if !yield(ldso.ByDefault, s.inDir(dir)) {
				return
			}
		}
		if s.Links != "" && !yield("alternatives", s.inAlternatives()) {
			return
		}
		for _, g := range s.Globs {
			dirs, _ := filepath.Glob(g.Dir) // a malformed pattern finds nothing
			for _, dir := range dirs {
				if !yield(g.Name, s.inPrefix(dir)) {
					return
				}
			}
		}
		if s.Embedded != "" {
			yield(embeddedPlace, s.inPrefix(s.Embedded))
		}
	}
}

// inAlternatives returns the runtimes that Debian's alternatives point to: of the launcher and of the
// development library that the administrator chose.
func (s Search) inAlternatives() []*Runtime {
	var found []*Runtime
	for _, name := range launcherNames {
		if launcher := s.fileCache().real(filepath.Join(s.Links, name)); launcher != "" {
			if l := s.fileCache().launcher(launcher); l != nil {
				found = append(found, s.ofLauncher(launcher, l.Is)...)
			}
		}
	}
	libraries, _ := filepath.Glob(filepath.Join(s.Links, "libmpi*.so*"))
	for _, path := range libraries {
		if r, err := s.ofLibrary(s.fileCache().real(path)); err == nil {
			found = append(found, r)
		}
	}
	return found
}

// LaunchersWithoutLibrary returns the launchers in PATH that no library belongs to.
func (s Search) LaunchersWithoutLibrary() []string {
	var lone []string
	for _, dir := range s.Path {
		for _, name := range launcherNames {
			launcher := filepath.Join(dir, name)
			if l := s.fileCache().launcher(launcher); l != nil && len(s.ofLauncher(launcher, l.Is)) == 0 &&
				!slices.ContainsFunc(lone, func(other string) bool { return s.fileCache().real(other) == s.fileCache().real(launcher) }) {
				lone = append(lone, launcher)
			}
		}
	}
	return lone
}

// Usable returns the runtimes of a list on which programs can run.
func Usable(all []*Runtime) []*Runtime {
	return slices.DeleteFunc(slices.Clone(all), func(r *Runtime) bool { return r.check() != nil })
}

// check returns an error if the library cannot be used as the runtime, because it is for another
// machine.
func (r *Runtime) check() error {
	if host := elfobj.HostMachine(); r.object.Machine != host {
		return fault.New("runtime-machine", "name a library for this machine", "%s is for %s, this machine is %s",
			r.Library, elfobj.MachineName(r.object.Machine), elfobj.MachineName(host))
	}
	return nil
}

// libDirs are the directories, relative to a prefix, that may contain its libraries.
var libDirs = []string{"lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu", "lib/release",
	"lib/openmpi/lib", "lib/mpich/lib", ""}

// inPrefix returns the runtimes in the library directories of a prefix.
func (s Search) inPrefix(prefix string) []*Runtime {
	var found []*Runtime
	for _, dir := range libDirs {
		found = append(found, s.inDir(filepath.Join(prefix, dir))...)
	}
	return found
}

// inDir returns the runtimes in one directory. The caller may modify them.
func (s Search) inDir(dir string) []*Runtime {
	files := s.fileCache()
	if files.real(dir) == "" {
		return nil
	}
	found, known := files.dirs[dir]
	if !known {
		found = s.librariesIn(dir)
		files.dirs[dir] = found
	}
	return clones(found)
}

// librariesIn searches a directory for MPI C libraries.
func (s Search) librariesIn(dir string) []*Runtime {
	paths, _ := filepath.Glob(filepath.Join(dir, "libmpi*.so*"))
	own, _ := filepath.Glob(filepath.Join(dir, "libwi4go-embedded.so.*")) // the embedded MPI
	paths = append(paths, own...)
	var found []*Runtime
	seen := map[string]bool{}
	for _, path := range paths {
		if _, part := family.OfLibrary(path); part == family.Fortran || part == family.Cxx {
			continue
		}
		real := s.fileCache().real(path)
		if seen[real] {
			continue
		}
		seen[real] = true
		if r, err := s.ofLibrary(path); err == nil {
			found = append(found, r)
		}
	}
	return found
}

// clones returns copies of runtimes, so that callers can change names and Also without changing the
// cache.
func clones(list []*Runtime) []*Runtime {
	cloned := make([]*Runtime, len(list))
	for i, r := range list {
		c := *r
		cloned[i] = &c
	}
	return cloned
}

// linkerScript matches the linker script that some packages install in place of the development
// link: INPUT(libmpi.so.12), GROUP(…).
var linkerScript = pattern.New(`(?s)^\s*(?:/\*.*?\*/\s*)?(?:INPUT|GROUP)\s*\(\s*([^\s),]+)`)

// The maximum size of a linker script in bytes, and the maximum length of a chain of scripts.
const (
	maxScript  = 4096
	maxScripts = 4
)

// ofLibrary reads one file as an MPI C library and returns its runtime. It follows linker scripts,
// and returns an error for other files and for wi4go's own fronts.
func (s Search) ofLibrary(path string) (*Runtime, error) {
	named := path
	o, err := elfobj.Read(path)
	for n := 0; errors.Is(err, elfobj.ErrNotELF); n++ {
		text, readErr := elfobj.Head(path, maxScript)
		m := linkerScript.FindSubmatch(text)
		if readErr != nil || m == nil {
			break
		}
		if n == maxScripts {
			return nil, fmt.Errorf("%s is a linker script that refers to itself, or to a chain of more than %d others: name the library", named, maxScripts)
		}
		path = filepath.Join(filepath.Dir(path), filepath.Base(string(m[1])))
		o, err = elfobj.Read(path)
	}
	if err != nil {
		return nil, err
	}
	f := family.OfExports(o.Soname, o.Defines)
	if f == nil {
		return nil, fmt.Errorf("%s is not an MPI library: it does not define MPI_Init and PMPI_Init: name the library of an MPI", path)
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	// Use the name that equals the soname: programs load it, and it stays when the package is
	// updated. In wheels it is a copy instead of a link.
	if o.Soname != "" {
		files, stable := s.fileCache(), filepath.Join(filepath.Dir(path), o.Soname)
		if files.real(stable) == files.real(path) || files.real(stable) != "" && files.sameContent(stable, path) {
			path = stable
		}
	}
	if s.isOwn(path) {
		return nil, fmt.Errorf("%s is a front of wi4go and not an MPI library: name another library", path)
	}
	r := &Runtime{Family: f, Vendor: vendorOf(f, elfobj.Pieces(path)).Name, Name: path, Library: path, Soname: o.Soname, object: o, files: s.fileCache()}
	r.Launcher, r.Prefix = s.launcherOf(path, r.StartedBy())
	return r, nil
}

// isOwn reports whether a library is a front of wi4go. It recognizes fronts by their directory, and
// fronts of another copy of wi4go by the layout of an installation.
func (s Search) isOwn(path string) bool {
	files := s.fileCache()
	real := files.real(path)
	if s.Exclude != "" {
		below, found := strings.CutPrefix(real, files.real(s.Exclude)+"/")
		if found && files.real(s.Exclude) != "" && !strings.HasPrefix(below, install.Runtimes+"/") {
			return true
		}
	}
	return files.real(filepath.Join(filepath.Dir(filepath.Dir(real)), "libwi4go.so")) != ""
}

// ofLauncher returns the runtimes that belong to the launcher in a file: the libraries in the same
// prefix whose programs it starts. starts reports whether it starts the programs of a launcher.
func (s Search) ofLauncher(launcher string, starts func(*launchers.Launcher) bool) []*Runtime {
	var found []*Runtime
	for _, bin := range slices.Compact([]string{filepath.Dir(launcher), filepath.Dir(s.fileCache().real(launcher))}) {
		for _, r := range s.inPrefix(filepath.Dir(bin)) {
			if starts(r.StartedBy()) {
				found = append(found, r)
			}
		}
	}
	return found
}

// StartedBy returns the launcher for programs on the runtime. It is the vendor's launcher, because
// vendors ship a library of the standard ABI together with their own.
func (r *Runtime) StartedBy() *launchers.Launcher {
	if v := VendorOf(r.Vendor); v != nil {
		return v.launcher
	}
	return launchers.Of(r.Family.Launcher)
}

// launcherNames are the command names of launchers, in order of preference.
var launcherNames = launchers.CommandNames()

// LauncherOf returns the launcher in a file, recognized by strings in it, or nil. It returns nil
// for wi4go's own bin/mpiexec, which starts another launcher.
func LauncherOf(path string) *launchers.Launcher { return newFiles().launcher(path) }

// VendorOfLauncher returns a vendor whose programs the launcher starts, or nil.
func VendorOfLauncher(l *launchers.Launcher) *Vendor {
	for _, v := range Vendors {
		if v.launcher == l {
			return v
		}
	}
	return nil
}

// launcherOf returns the launcher that belongs to a library, and its prefix. The launcher is in the
// bin of a directory above the library. If there is none, launcher is "".
func (s Search) launcherOf(library string, l *launchers.Launcher) (launcher, prefix string) {
	files, names := s.fileCache(), l.OwnNames()
	for _, path := range slices.Compact([]string{files.real(library), library}) {
		dir := filepath.Dir(path)
		for n := 0; n < 5 && dir != "/"; n++ { // a launcher in /bin belongs to the system's own library, in /usr
			for _, name := range names {
				candidate := filepath.Join(dir, "bin", name)
				if files.launcher(candidate) == l {
					return candidate, dir
				}
			}
			dir = filepath.Dir(dir)
		}
	}
	return "", filepath.Dir(filepath.Dir(library))
}

// Resolve returns the runtime that the user names. name is a vendor with or without a version, the
// path of a library, of a prefix or of an mpiexec, a command in PATH, or a soname. "" stands for
// the first usable runtime of List.
func (s Search) Resolve(name string) (*Runtime, error) {
	switch {
	case name == "":
		return s.cached("", func() (*Runtime, error) { return first(s.all(), func() error { return s.NoneFor(nil) }) })
	case strings.Contains(name, "/"):
		return s.ofPath(name)
	case name == EmbeddedName && s.Embedded != "": // there is only one, so no search is needed
		if r, err := s.ofPath(s.Embedded); err == nil && !s.hidden(r.Library) {
			r.Name, r.Found = EmbeddedName, embeddedPlace
			return r, nil
		}
	}
	if w, ok := parseRequest(name); ok {
		r, err := s.cached(w.String(), func() (*Runtime, error) { return s.resolveRequest(w) })
		if err == nil {
			r.Name = w.String()
		}
		return r, err
	}
	if f, err := family.Of(name); err == nil { // the standard ABI: other families have the name of a vendor
		return s.ofFamily(f)
	}
	if path, err := exec.LookPath(name); err == nil {
		r, err := s.ofPath(path)
		if err == nil {
			r.Found = InPath
		}
		return r, err
	}
	if paths := s.soname(name); len(paths) > 0 {
		return s.ofPath(paths[0])
	}
	if _, err := os.Stat(name); err == nil {
		return s.ofPath(name)
	}
	return nil, fmt.Errorf("unknown MPI %q: %sthe names are %s (optionally with @VERSION); or name the path of a library, an installation or an mpiexec", name, didYouMean(name), VendorNames())
}

// didYouMean returns a question that suggests the correct spelling of a name (mpihc, openmpi5), or "".
func didYouMean(name string) string {
	vendor, version, at := strings.Cut(strings.ToLower(name), "@")
	if !at {
		vendor = strings.TrimRight(vendor, "0123456789.-_")
		version = strings.TrimLeft(strings.ToLower(name)[len(vendor):], "-_")
	}
	for _, v := range Vendors {
		if family.CanonicalName(vendor) != v.Name && !spelling.IsTypoOf(vendor, v.Name) {
			continue
		}
		if version != "" {
			return fmt.Sprintf("did you mean %s@%s? ", v.Name, version)
		}
		return fmt.Sprintf("did you mean %s? ", v.Name)
	}
	return ""
}

// resolveRequest returns the first runtime of the requested vendor and version. It queries the libraries
// for their versions if the request includes one.
func (s Search) resolveRequest(w request) (*Runtime, error) {
	var others []string
	candidates := func(yield func(*Runtime) bool) {
		for r := range s.all() {
			if r.requestName() != w.name() {
				if w.name() == r.Family.Name {
					others = append(others, r.Title())
				}
				continue
			}
			if w.version != "" {
				if v := QueryVersion(s.Self, r); !VersionMatches(v.Number, w.version) {
					others = append(others, v.Product)
					continue
				}
			}
			if !yield(r) {
				return
			}
		}
	}
	return first(candidates, func() error { return s.notFound(w, unique(others)) })
}

// ofFamily returns the first runtime of a family, of any vendor.
func (s Search) ofFamily(f *family.Family) (*Runtime, error) {
	return s.cached("any "+f.Name, func() (*Runtime, error) { return s.searchFamily(f) })
}

// searchFamily does the search for ofFamily.
func (s Search) searchFamily(f *family.Family) (*Runtime, error) {
	return first(func(yield func(*Runtime) bool) {
		for r := range s.all() {
			if r.Family == f && !yield(r) {
				return
			}
		}
	}, func() error {
		return fmt.Errorf("no MPI library of the family of %s found: install one, or name its path with --to", f.Title)
	})
}

// first returns the first usable runtime. If there are only unusable ones, it returns the error of
// the first; if there are none at all, it returns none's error.
func first(all iter.Seq[*Runtime], none func() error) (*Runtime, error) {
	var unusable error
	for r := range all {
		err := r.check()
		if err == nil {
			return r, nil
		}
		if unusable == nil {
			unusable = err
		}
	}
	if unusable != nil {
		return nil, unusable
	}
	return nil, none()
}

// InstallableName returns the name with which `wi4go get` installs the runtime that the user named.
// err is the error of Resolve. InstallableName returns "" if err has another cause or if `wi4go
// get` cannot install it.
func InstallableName(name string, err error) string {
	w, ok := parseRequest(name)
	id, _, _ := fault.Of(err, "")
	switch {
	case id != noRuntime:
	case name == "":
		var none noneError
		if !errors.As(err, &none) {
			return ""
		}
		return none.vendor.Name
	case ok && w.vendor.Package != "":
		return w.getName()
	}
	return ""
}

// noRuntime is the name of the error for a runtime that is not on this machine.
const noRuntime = "no-runtime"

// ErrNotFound is the error for a machine without any MPI.
var ErrNotFound = Search{}.NoneFor(nil)

// NoneFor returns ErrNotFound with a cure for programs of a family, or of any family if f is nil.
func (s Search) NoneFor(f *family.Family) error {
	return noneError{fault.New(noRuntime, "install one, for example with "+s.Installs(f)+", or name its path with --to or WI4GO_TO",
		"no MPI library found in PATH, the linker's paths or the usual directories"), installable(f)}
}

// A noneError is ErrNotFound for the programs of one family.
type noneError struct {
	error
	vendor *Vendor // its library can be installed
}

// Unwrap returns the error without the vendor.
func (e noneError) Unwrap() error { return e.error }

// Is reports whether target is ErrNotFound, for any family.
func (e noneError) Is(target error) bool {
	_, none := target.(noneError)
	return none
}

// soname returns the paths of a library, given by its bare name, in the linker's search paths.
func (s Search) soname(name string) []string {
	var found []string
	for _, dir := range s.Libs.LibraryPath {
		if path := filepath.Join(dir, name); realPath(path) != "" {
			found = append(found, path)
		}
	}
	return append(found, s.Libs.Cache[name]...)
}

// ofPath returns the runtime that a path leads to: a library, a prefix or a launcher.
func (s Search) ofPath(path string) (*Runtime, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, errors.Unwrap(err))
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	if info.IsDir() {
		all := s.inPrefix(path)
		r, err := first(slices.Values(all), func() error {
			for _, name := range launcherNames {
				if l := s.fileCache().launcher(filepath.Join(path, "bin", name)); l != nil {
					return fmt.Errorf("%s has a launcher of %s (bin/%s), but no MPI library in lib or lib64: install the library too, or name "+
						"its path", path, titleOf(l), name)
				}
			}
			return fmt.Errorf("%s: no MPI library in this directory, its lib or its lib64: name the library", path)
		})
		if err == nil {
			r.Others = otherVendors(all, r)
		}
		return r, err
	}
	// Try it as a library first: a library may contain a launcher's marks, but no launcher defines
	// MPI_Init.
	r, err := s.ofLibrary(path)
	if err == nil {
		return r, r.check()
	}
	if l := s.fileCache().launcher(path); l != nil && !isLibrary(path) {
		r, err := first(slices.Values(s.ofLauncher(path, l.Is)), func() error {
			return fmt.Errorf("%s is a launcher of %s, but the lib directory next to it has no MPI library of that family: name the library", path, titleOf(l))
		})
		if err == nil {
			r.Launcher = path
		}
		return r, err
	}
	if errors.Is(err, elfobj.ErrNotELF) {
		err = fmt.Errorf("%s is neither a library nor an mpiexec that wi4go recognizes: name one of them", path)
	}
	return nil, err
}

// otherVendors returns the usable runtimes of other vendors than chosen, the first of each vendor.
func otherVendors(all []*Runtime, chosen *Runtime) (others []string) {
	seen := []string{chosen.Vendor}
	for _, r := range all {
		if !slices.Contains(seen, r.Vendor) && r.check() == nil {
			seen = append(seen, r.Vendor)
			others = append(others, r.String())
		}
	}
	return others
}

// titleOf returns the name, for messages, of the vendor whose programs a launcher starts.
func titleOf(l *launchers.Launcher) string {
	if v := VendorOfLauncher(l); v != nil {
		return v.Title
	}
	return l.Title
}

// isLibrary reports whether a file is a shared library.
func isLibrary(path string) bool {
	o, err := elfobj.Read(path)
	return err == nil && o.Interp == "" && o.Soname != ""
}

// realPath returns path with all links resolved, or "" if there is no such file.
func realPath(path string) string {
	if path == "" {
		return ""
	}
	return newFiles().real(path)
}
