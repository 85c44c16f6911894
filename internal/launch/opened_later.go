package launch

import (
	"debug/elf"
	"path/filepath"
	"slices"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
)

// mayOpenLibraries reports whether the process may open libraries that wi4go cannot foresee,
// because it is an interpreter or the program is unknown.
func (r *Request) mayOpenLibraries() bool { return r.Program == nil || r.Program.IsModule() }

// laterNames returns the names, other than the C library's sonames, for which stand-ins are preloaded
// because a library that is opened later may request them: the parts, and the Fortran library that
// provides all others.
func (p *Placement) laterNames() (names []string) {
	if !p.mayOpenLibraries() {
		return nil
	}
	for _, part := range p.From.Parts {
		if !p.isPartOfRuntime(part) {
			names = append(names, part)
		}
	}
	if len(p.preloadedFortran()) > 0 {
		names = append(names, p.From.FortranLibrary)
	}
	return names
}

// preloadedFortran returns the names of the Fortran libraries that wi4go's preloaded Fortran library
// replaces, whether or not the program requests them.
func (p *Placement) preloadedFortran() []string {
	if !p.mayOpenLibraries() || p.Program != nil && len(p.Program.Fortran) > 0 && p.ownFortran() {
		return nil
	}
	return p.From.Fortran
}

// dirsOf returns the directories for LD_LIBRARY_PATH in which a family's front has the names of all
// the family's libraries.
func (l Launcher) dirsOf(f *family.Family) []string {
	return append([]string{l.Tree.Dir(f.Name)}, l.cxxDirs(f)...)
}

// cxxDirs returns the directories of a family's empty C++ libraries. It leaves out libraries that
// really are on this machine, because a library that is opened later may use them.
func (l Launcher) cxxDirs(f *family.Family) (dirs []string) {
	for _, name := range l.absentCxx(f) {
		if dir := l.Tree.Cxx(f.Name, name); dir != "" {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// absentCxx returns the names of a family's C++ libraries that are not on this machine. It returns
// none for a container, because its libraries are unknown.
func (l Launcher) absentCxx(f *family.Family) (names []string) {
	if l.Contained {
		return nil
	}
	for _, name := range f.Cxx {
		if l.Libs.Find(name, elfobj.HostMachine(), elf.ELFCLASS64) == nil {
			names = append(names, name)
		}
	}
	return names
}

// emptyCxx replaces each C++ library that the program needs but cannot load, and of which it uses
// nothing, by an empty library. If libraries may be opened later, it does the same for each C++
// library that is not on this machine.
func (l Launcher) emptyCxx(r *Request, front *elfobj.Object, s *substitute) {
	p := r.Program
	var idle []string
	if p != nil {
		idle = p.UnusedCxx(front.Defines)
	}
	if p == nil || len(p.Via) > 0 && !p.UsesCxx {
		s.cxx = l.cxxDirs(r.From)
	}
	for _, name := range idle {
		if dir := l.Tree.Cxx(r.From.Name, name); dir == "" {
			s.names, s.links = append(s.names, name), append(s.links, name)
		} else if !slices.Contains(s.cxx, dir) {
			s.cxx = append(s.cxx, dir)
		}
	}
	for _, dir := range s.cxx {
		if name := filepath.Base(dir); r.mayOpenLibraries() || slices.Contains(idle, name) {
			s.preload = append(s.preload, filepath.Join(dir, name))
		}
	}
}

// standInCxx returns the names of C++ libraries for which stand-ins in LD_LIBRARY_PATH load the
// runtime's own library: unused, of which the program uses nothing, and, if libraries may be
// opened later, the C++ libraries that are not on this machine.
func (l Launcher) standInCxx(r *Request, unused []string) []string {
	names := slices.Clone(unused)
	if r.Program != nil && len(r.Program.Via) == 0 {
		return names
	}
	for _, name := range l.absentCxx(r.From) {
		if !slices.Contains(names, name) && (r.Program == nil || !r.Program.UsesCxx) {
			names = append(names, name)
		}
	}
	return names
}
