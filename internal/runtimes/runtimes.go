// Package runtimes finds the MPI libraries of this machine and the launchers
// that belong to them, by reading files: it starts nothing and loads nothing,
// so it may be used inside an MPI program. (Ask, which has a library tell its
// version, works in a child process.)
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
	"regexp"
	"slices"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/install"
	"wi4go/internal/launchers"
	"wi4go/internal/ldso"
)

// InPath is the rule (Runtime.Found) by which a launcher is found in PATH.
const InPath = "PATH"

// A Runtime is an MPI library that can do the work.
type Runtime struct {
	Family   *family.Family
	Vendor   string   // a name of Vendors: openmpi, mpich, intelmpi, mvapich, cray-mpich
	Name     string   // what --to calls it on this machine: a vendor, vendor@version, or its library's path
	Also     []string // further places of the same library: copies, other names
	Library  string   // absolute path of its C library
	Soname   string
	Launcher string // absolute path of its mpiexec, "" where none is found
	Prefix   string // the directory that holds its bin and lib
	Found    string // which rule found it: VIRTUAL_ENV, PATH, …

	object *elfobj.Object
	files  *files // those of the search that has found it
}

// Object is what the library's file says of itself.
func (r *Runtime) Object() *elfobj.Object { return r.object }

// Title is the vendor's name as a sentence has it.
func (r *Runtime) Title() string { return VendorOf(r.Vendor).Title }

// String names the runtime in messages.
func (r *Runtime) String() string { return fmt.Sprintf("%s (%s)", r.Library, r.Title()) }

// A Search says where to look. The zero value looks nowhere.
type Search struct {
	Prefixes []Place  // installation prefixes that the environment names
	Path     []string // PATH
	Libs     ldso.Search
	Globs    []Place  // installation prefixes by pattern, not in the environment
	Links    string   // the directory of Debian's alternatives
	Exclude  string   // the directory of the fronts, whose libraries are no runtimes, except those in its directory of runtimes
	Self     string   // the wi4go that asks libraries for their version; where empty, files must tell
	Hide     []string // patterns of libraries, or of directories above them, that are found by their path alone
	Order    []string // vendors, the preferred first; without it what is found first is
	Remember string   // the directory where it is kept which library a name led to; "" keeps nothing

	files *files // what was read already; nil: nothing is kept
}

// List gives every runtime found, each library once, the preferred first. Its
// names are those that files alone can tell: the first usable one of a vendor
// is called by the vendor, the others by their paths. Survey knows versions too.
func (s Search) List() []*Runtime {
	list := slices.Collect(s.all())
	name(list, make([]Version, len(list)))
	return list
}

// all yields what List gives, one after the other.
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

// hidden says whether a library is not to be found.
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

// found yields them in the order in which they are found: the runtimes of the active
// virtual environment, of the launchers in PATH, of what variables name, of the
// linker's paths, of the alternatives, of the usual directories.
func (s Search) found() iter.Seq[*Runtime] {
	return func(yield func(*Runtime) bool) {
		seen := map[string]bool{}
		var yielded []*Runtime
		for how, found := range s.places() {
			for _, r := range found {
				real := s.memory().real(r.Library)
				if seen[real] || s.hidden(r.Library) {
					continue
				}
				seen[real] = true
				if i := slices.IndexFunc(yielded, func(y *Runtime) bool {
					return y.Soname == r.Soname && s.memory().sameContent(y.Library, r.Library)
				}); i >= 0 {
					yielded[i].Also = append(yielded[i].Also, r.Library)
					continue
				}
				r.Found = how
				yielded = append(yielded, r)
				if !yield(r) {
					return
				}
			}
		}
	}
}

// places yields the runtimes of each place and the name of the rule that led
// there, reading a place only when it is asked for.
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
				if l := s.memory().launcher(launcher); l != nil && !yield(InPath, s.ofLauncher(launcher, l.Is)) {
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
		if s.Links != "" && !yield("alternatives", s.inLinks()) {
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
	}
}

// inLinks finds what the alternatives point to: the launcher and the library
// for development that the administrator chose.
func (s Search) inLinks() []*Runtime {
	var found []*Runtime
	for _, name := range launcherNames {
		if launcher := s.memory().real(filepath.Join(s.Links, name)); launcher != "" {
			if l := s.memory().launcher(launcher); l != nil {
				found = append(found, s.ofLauncher(launcher, l.Is)...)
			}
		}
	}
	libraries, _ := filepath.Glob(filepath.Join(s.Links, "libmpi*.so*"))
	for _, path := range libraries {
		if r, err := s.ofLibrary(s.memory().real(path)); err == nil {
			found = append(found, r)
		}
	}
	return found
}

// LoneLaunchers are the launchers in PATH to which no library belongs.
func (s Search) LoneLaunchers() []string {
	var lone []string
	for _, dir := range s.Path {
		for _, name := range launcherNames {
			launcher := filepath.Join(dir, name)
			if l := s.memory().launcher(launcher); l != nil && len(s.ofLauncher(launcher, l.Is)) == 0 &&
				!slices.ContainsFunc(lone, func(other string) bool { return s.memory().real(other) == s.memory().real(launcher) }) {
				lone = append(lone, launcher)
			}
		}
	}
	return lone
}

// Usable keeps the runtimes that a program can be run on.
func Usable(all []*Runtime) []*Runtime {
	return slices.DeleteFunc(slices.Clone(all), func(r *Runtime) bool { return r.check() != nil })
}

// check says why a library cannot be the runtime.
func (r *Runtime) check() error {
	if host := elfobj.HostMachine(); r.object.Machine != host {
		return fault.New("runtime-machine", "name a library for this machine", "%s is for %s, this machine is %s",
			r.Library, elfobj.MachineName(r.object.Machine), elfobj.MachineName(host))
	}
	return nil
}

// libDirs are where a prefix holds its libraries.
var libDirs = []string{"lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu", "lib/release",
	"lib/openmpi/lib", "lib/mpich/lib", ""}

func (s Search) inPrefix(prefix string) []*Runtime {
	var found []*Runtime
	for _, dir := range libDirs {
		found = append(found, s.inDir(filepath.Join(prefix, dir))...)
	}
	return found
}

// inDir finds the MPI C libraries of one directory.
func (s Search) inDir(dir string) []*Runtime {
	files := s.memory()
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

func (s Search) librariesIn(dir string) []*Runtime {
	paths, _ := filepath.Glob(filepath.Join(dir, "libmpi*.so*"))
	var found []*Runtime
	seen := map[string]bool{}
	for _, path := range paths {
		if _, part := family.OfLibrary(path); part == family.Fortran || part == family.Cxx {
			continue
		}
		real := s.memory().real(path)
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

// clones are for whoever names runtimes and counts their copies.
func clones(list []*Runtime) []*Runtime {
	cloned := make([]*Runtime, len(list))
	for i, r := range list {
		c := *r
		cloned[i] = &c
	}
	return cloned
}

// linkerScript matches the text that some packages put in place of the
// development link: INPUT(libmpi.so.12), GROUP(…).
var linkerScript = regexp.MustCompile(`(?s)^\s*(?:/\*.*?\*/\s*)?(?:INPUT|GROUP)\s*\(\s*([^\s),]+)`)

// How long such a text is at most, and how many lead to each other.
const (
	maxScript  = 4096
	maxScripts = 4
)

// ofLibrary reads one file as an MPI C library.
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
			return nil, fmt.Errorf("%s: a linker script that leads to itself, or through more than %d others", named, maxScripts)
		}
		path = filepath.Join(filepath.Dir(path), filepath.Base(string(m[1])))
		o, err = elfobj.Read(path)
	}
	if err != nil {
		return nil, err
	}
	f := family.OfExports(o.Soname, o.Defines)
	if f == nil {
		return nil, fmt.Errorf("%s is no MPI library: it does not define MPI_Init and PMPI_Init", path)
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	// The name by the soname is the one that stays when the package is updated,
	// and the one that programs load. (Wheels have copies in place of links.)
	if o.Soname != "" {
		files, stable := s.memory(), filepath.Join(filepath.Dir(path), o.Soname)
		if files.real(stable) == files.real(path) || files.real(stable) != "" && files.sameContent(stable, path) {
			path = stable
		}
	}
	if s.ours(path) {
		return nil, fmt.Errorf("%s is a front of wi4go itself, no MPI that can do the work", path)
	}
	r := &Runtime{Family: f, Vendor: vendorOf(f, path).Name, Name: path, Library: path, Soname: o.Soname, object: o, files: s.memory()}
	r.Launcher, r.Prefix = s.launcherOf(path, r.StartedBy())
	return r, nil
}

// ours recognises wi4go's fronts: by their place, or, for those of another
// copy of wi4go, by the layout of an installation.
func (s Search) ours(path string) bool {
	files := s.memory()
	real := files.real(path)
	if s.Exclude != "" {
		below, found := strings.CutPrefix(real, files.real(s.Exclude)+"/")
		if found && files.real(s.Exclude) != "" && !strings.HasPrefix(below, install.Runtimes+"/") {
			return true
		}
	}
	return files.real(filepath.Join(filepath.Dir(filepath.Dir(real)), "libwi4go.so")) != ""
}

// ofLauncher finds the libraries that belong to the launcher in a file: those beside it
// whose programs it starts.
func (s Search) ofLauncher(launcher string, starts func(*launchers.Launcher) bool) []*Runtime {
	var found []*Runtime
	for _, bin := range slices.Compact([]string{filepath.Dir(launcher), filepath.Dir(s.memory().real(launcher))}) {
		for _, r := range s.inPrefix(filepath.Dir(bin)) {
			if starts(r.StartedBy()) {
				found = append(found, r)
			}
		}
	}
	return found
}

// StartedBy returns the launcher that starts programs on the runtime: that of its vendor,
// because vendors ship the library of the standard ABI beside their own.
func (r *Runtime) StartedBy() *launchers.Launcher {
	if v := VendorOf(r.Vendor); v != nil {
		return v.launcher
	}
	return launchers.Of(r.Family.Launcher)
}

// launcherNames are the names of launchers, the preferred first.
var launcherNames = launchers.CommandNames()

// LauncherOf returns the launcher that a file is, by the text in it, or nil. wi4go's own
// bin/mpiexec, which starts another one, is none.
func LauncherOf(path string) *launchers.Launcher { return newFiles().launcher(path) }

// StartsFor returns a vendor whose programs the launcher starts, or nil.
func StartsFor(l *launchers.Launcher) *Vendor {
	for _, v := range Vendors {
		if v.launcher == l {
			return v
		}
	}
	return nil
}

// launcherOf finds the launcher that belongs to a library: in the bin of a
// directory above it.
func (s Search) launcherOf(library string, l *launchers.Launcher) (launcher, prefix string) {
	files, names := s.memory(), l.OwnNames()
	for _, path := range slices.Compact([]string{files.real(library), library}) {
		dir := filepath.Dir(path)
		for n := 0; n < 5 && dir != "/"; n++ { // what is in /bin belongs to the system's own library, in /usr
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

// Resolve finds the runtime that the user names: a vendor with or without a
// version, the path of a library, of a prefix or of an mpiexec, a command in
// PATH, a soname. An empty name is the first usable runtime of List.
func (s Search) Resolve(name string) (*Runtime, error) {
	switch {
	case name == "":
		return s.remembered("", func() (*Runtime, error) { return first(s.all(), func() error { return ErrNone }) })
	case strings.Contains(name, "/"):
		return s.ofPath(name)
	}
	if w, ok := parseWish(name); ok {
		r, err := s.remembered(w.String(), func() (*Runtime, error) { return s.fulfil(w) })
		if err == nil {
			r.Name = w.String()
		}
		return r, err
	}
	if f, err := family.Of(name); err == nil { // the standard ABI: the others have a vendor's name
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
	return nil, fmt.Errorf("unknown MPI %q: %sthe names are %s (with @version, if you like); "+
		"otherwise name the path of a library, a prefix or an mpiexec", name, meant(name), VendorNames())
}

// meant asks whether a name that is wrong was meant for a right one: mpihc, openmpi5.
func meant(name string) string {
	vendor, version, at := strings.Cut(strings.ToLower(name), "@")
	if !at {
		vendor = strings.TrimRight(vendor, "0123456789.-_")
		version = strings.TrimLeft(strings.ToLower(name)[len(vendor):], "-_")
	}
	for _, v := range Vendors {
		if family.Usual(vendor) != v.Name && !family.Alike(vendor, v.Name) {
			continue
		}
		if version != "" {
			return fmt.Sprintf("did you mean %s@%s? ", v.Name, version)
		}
		return fmt.Sprintf("did you mean %s? ", v.Name)
	}
	return ""
}

// fulfil finds the first runtime of a vendor, and of a version, which the
// libraries are asked for.
func (s Search) fulfil(w wish) (*Runtime, error) {
	var others []string
	candidates := func(yield func(*Runtime) bool) {
		for r := range s.all() {
			if r.names() != w.name() {
				if w.name() == r.Family.Name {
					others = append(others, r.Title())
				}
				continue
			}
			if w.version != "" {
				if v := Ask(s.Self, r); !VersionMatches(v.Number, w.version) {
					others = append(others, v.Product)
					continue
				}
			}
			if !yield(r) {
				return
			}
		}
	}
	return first(candidates, func() error { return w.none(unique(others)) })
}

// ofFamily finds the first runtime of a family, whoever made it.
func (s Search) ofFamily(f *family.Family) (*Runtime, error) {
	return s.remembered("any "+f.Name, func() (*Runtime, error) { return s.searchFamily(f) })
}

func (s Search) searchFamily(f *family.Family) (*Runtime, error) {
	return first(func(yield func(*Runtime) bool) {
		for r := range s.all() {
			if r.Family == f && !yield(r) {
				return
			}
		}
	}, func() error {
		return fmt.Errorf("no library of the family of %s found: install one, or name its path with --to", f.Title)
	})
}

// first gives the first usable runtime, else why the first of all is not, else
// that there is none.
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

// Bring is what `wi4go get` takes to bring what a name asks for, where err, of Resolve,
// says that there is none; "" where it is not to be had so.
func Bring(name string, err error) string {
	w, ok := parseWish(name)
	id, _, _ := fault.Of(err, "")
	switch {
	case id != noRuntime:
	case name == "":
		return MPICH.Name
	case ok && w.vendor.Package != "":
		return w.published()
	}
	return ""
}

// noRuntime is the name of the error of what is not here.
const noRuntime = "no-runtime"

// ErrNone says that this machine has no MPI.
var ErrNone = fault.New("no-runtime", "`wi4go get mpich` brings one; or install one, or name its path with --to or WI4GO_TO",
	"no MPI library found in PATH, the linker's paths or the usual directories")

// soname finds a bare library name on the linker's paths.
func (s Search) soname(name string) []string {
	var found []string
	for _, dir := range s.Libs.LibraryPath {
		if path := filepath.Join(dir, name); realPath(path) != "" {
			found = append(found, path)
		}
	}
	return append(found, s.Libs.Cache[name]...)
}

func (s Search) ofPath(path string) (*Runtime, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, errors.Unwrap(err))
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	if info.IsDir() {
		return first(slices.Values(s.inPrefix(path)), func() error {
			for _, name := range launcherNames {
				if l := s.memory().launcher(filepath.Join(path, "bin", name)); l != nil {
					return fmt.Errorf("%s: there is a launcher of %s (bin/%s), but no library in lib or lib64: "+
						"install that part too, or name the library", path, titleOf(l), name)
				}
			}
			return fmt.Errorf("%s: no MPI library in this directory or its lib, lib64", path)
		})
	}
	// A library may hold a launcher's marks, but no launcher defines MPI_Init.
	r, err := s.ofLibrary(path)
	if err == nil {
		return r, r.check()
	}
	if l := s.memory().launcher(path); l != nil && !isLibrary(path) {
		r, err := first(slices.Values(s.ofLauncher(path, l.Is)), func() error {
			return fmt.Errorf("%s: this is a launcher of %s, but no library of that family stands in a lib beside it: "+
				"name the library", path, titleOf(l))
		})
		if err == nil {
			r.Launcher = path
		}
		return r, err
	}
	if errors.Is(err, elfobj.ErrNotELF) {
		err = fmt.Errorf("%s is neither a library nor an mpiexec that wi4go knows", path)
	}
	return nil, err
}

// titleOf returns the vendor whose programs a launcher starts, as a sentence has it.
func titleOf(l *launchers.Launcher) string {
	if v := StartsFor(l); v != nil {
		return v.Title
	}
	return l.Title
}

func isLibrary(path string) bool {
	o, err := elfobj.Read(path)
	return err == nil && o.Interp == "" && o.Soname != ""
}

// realPath follows links; "" where there is no such file.
func realPath(path string) string {
	if path == "" {
		return ""
	}
	return newFiles().real(path)
}
