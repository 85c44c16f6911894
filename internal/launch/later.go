package launch

import (
	"debug/elf"
	"path/filepath"
	"slices"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
)

// opens reports whether the process may open libraries that nobody has seen: it is an
// interpreter, or the program is not known.
func (j *Job) opens() bool { return j.Program == nil || j.Program.IsModule() }

// later returns the names, beside the sonames of the C library, for which stand-ins are
// preloaded because a library that is opened later may ask for them: the parts, and the
// Fortran library that brings all others.
func (j *Job) later() (names []string) {
	if !j.opens() {
		return nil
	}
	for _, part := range j.From.Parts {
		if !j.isPartOfRuntime(part) {
			names = append(names, part)
		}
	}
	if len(j.broughtFortran()) > 0 {
		names = append(names, j.From.Layer)
	}
	return names
}

// broughtFortran returns the names of the Fortran libraries in whose place our layer is
// preloaded, whether or not the program asks for them.
func (j *Job) broughtFortran() []string {
	if !j.opens() || j.Program != nil && len(j.Program.Fortran) > 0 && j.ownFortran() {
		return nil
	}
	return j.From.Fortran
}

// dirsOf returns the directories for LD_LIBRARY_PATH that have a family's front under all names
// of its libraries.
func (l Launcher) dirsOf(f *family.Family) []string {
	return append([]string{l.Tree.Dir(f.Name)}, l.cxxDirs(f)...)
}

// cxxDirs returns the directories of a family's empty C++ libraries, without those of which a
// real one is on this machine: a library that is opened later may use it.
func (l Launcher) cxxDirs(f *family.Family) (dirs []string) {
	for _, name := range l.absentCxx(f) {
		if dir := l.Tree.Cxx(f.Name, name); dir != "" {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// absentCxx returns the names of a family's C++ libraries that are not on this machine; none
// for a container, whose libraries are not known.
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

// emptyCxx puts an empty library in the place of each C++ library that the program needs, uses
// nothing of and cannot load, and for libraries that are opened later in the place of each
// that is not on this machine.
func (l Launcher) emptyCxx(j *Job, front *elfobj.Object, s *substitute) {
	p := j.Program
	var idle []string
	if p != nil {
		idle = p.IdleCxx(front.Defines)
	}
	if p == nil || len(p.Via) > 0 && !p.UsesCxx {
		s.cxx = l.cxxDirs(j.From)
	}
	for _, name := range idle {
		if dir := l.Tree.Cxx(j.From.Name, name); dir == "" {
			s.names, s.links = append(s.names, name), append(s.links, name)
		} else if !slices.Contains(s.cxx, dir) {
			s.cxx = append(s.cxx, dir)
		}
	}
	for _, dir := range s.cxx {
		if name := filepath.Base(dir); j.opens() || slices.Contains(idle, name) {
			s.preload = append(s.preload, filepath.Join(dir, name))
		}
	}
}

// laterCxx returns the names of C++ libraries for which stand-ins in LD_LIBRARY_PATH bring the
// runtime's own library: the program's idle ones, and for libraries that are opened later
// those that are not on this machine.
func (l Launcher) laterCxx(j *Job, idle []string) []string {
	names := slices.Clone(idle)
	if j.Program != nil && len(j.Program.Via) == 0 {
		return names
	}
	for _, name := range l.absentCxx(j.From) {
		if !slices.Contains(names, name) && (j.Program == nil || !j.Program.UsesCxx) {
			names = append(names, name)
		}
	}
	return names
}
