package launch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/ldso"
	"wi4go/internal/program"
)

// translated sets the environment in which the front of the program's family replaces the program's
// MPI library.
func (l Launcher) translated(j *Job) error {
	if i := slices.IndexFunc(j.From.Parts, j.isPartOfRuntime); i >= 0 && j.From != j.Runtime.Family {
		return fault.New("runtime-unusable", "run it on a library of its own family",
			"%s needs %s, whose symbols the front for %s programs would replace", j.Runtime.Library, j.From.Parts[i], j.From.Title)
	}
	front, err := l.Tree.Front(j.From.Name, j.From.Sonames[0])
	if err != nil {
		return err
	}
	j.front = front
	version := make(chan string, 1)
	go func() { version <- j.ownVersion() }() // it reads much of a library
	object, err := elfobj.Read(front)
	if err != nil {
		return err
	}
	if p := j.Program; p != nil {
		defines := object.Defines
		// Within a family the program's own Fortran library can call the front, because the front's
		// handles are the runtime's own. The exception is a Fortran library that reads the objects
		// to which handles refer.
		if j.Way != Identity || j.From.FortranReadsObjects || j.lacksFortran() || l.movedFortran(&j.Request) != "" || len(p.FortranInC()) > 0 {
			library, serves, err := l.fortranLibrary(&j.Request)
			if err != nil {
				return err
			}
			j.fortranLibrary = serves
			if err := p.CheckFortran(object.Defines, library.Defines); err != nil {
				return err
			}
			if j.fortranLibrary != "" {
				defines = func(name string) bool { return object.Defines(name) || library.Defines(name) }
			}
		}
		if j.missing = p.MissingSymbols(defines, j.ownFortran(), l.Getenv("LD_BIND_NOW") != ""); len(j.missing) > 0 && j.Way != Identity {
			if j.ownStubs, err = l.Tree.OwnStubs(j.From.Name); err != nil {
				return err
			}
		}
	}
	substitute, err := l.frontSubstitute(&j.Placement, object)
	if err != nil {
		return err
	}
	before, after, err := l.arrange(j, substitute)
	if err != nil {
		return err
	}
	if err := j.checkMissing(before); err != nil {
		return err
	}
	vars := append(before, Var{"WI4GO_TO", j.Runtime.Library}, Var{"WI4GO_FROM", j.From.Name})
	if version := <-version; version != "" {
		vars = append(vars, Var{"WI4GO_FROM_VERSION", version})
	}
	j.Env = slices.Concat(vars, l.draftVar(&j.Request), j.Env, after)
	return nil
}

// fortranLibrary returns wi4go's Fortran library for the program, or an empty object if there is
// none. serves is its path if it has all Fortran functions of the program, so that it serves the program, or
// else "".
func (l Launcher) fortranLibrary(r *Request) (library *elfobj.Object, serves string, err error) {
	if interfaceLibrary := r.Program.Tree.Find(family.InterfaceFortran); interfaceLibrary != nil {
		return interfaceLibrary.Object, "", nil
	}
	if path := l.movedFortran(r); path != "" {
		library, err = elfobj.Read(path)
		return library, path, err
	}
	library = &elfobj.Object{}
	if r.From.FortranLibrary == "" || len(r.Program.Fortran) == 0 {
		return library, "", nil
	}
	path, err := l.Tree.FortranLibrary(r.From.Name, r.From.FortranLibrary)
	if err != nil {
		return nil, "", err
	}
	if library, err = elfobj.Read(path); err == nil && len(r.Program.Unserved(library.Defines)) == 0 {
		serves = path
	}
	return library, serves, err
}

// movedFortran returns this installation's library for programs of wi4go's mpifort if the program
// does not find its own, because the installation that linked it was moved. Otherwise it returns "".
func (l Launcher) movedFortran(r *Request) string {
	path := filepath.Join(l.Tree.Link(), family.InterfaceFortran)
	if _, err := os.Stat(path); err != nil || l.Contained || r.Program == nil || r.Program.MissingFortran() != family.InterfaceFortran {
		return ""
	}
	return path
}

// ownFortran reports whether the program's own Fortran library is loaded on top of the front.
func (p *Placement) ownFortran() bool {
	return p.fortranLibrary == "" && (p.Way == Identity || len(p.Program.FortranFunctions) > 0 || slices.Contains(p.Program.Fortran, family.InterfaceFortran))
}

// frontSubstitute returns a substitute in which the front replaces all libraries that the program may
// request: the libraries of its family under every soname, including vendors' names and names with
// a slash. It also replaces Fortran libraries, which import another library's internals, if wi4go's
// Fortran library serves the program or the program uses nothing of them.
func (l Launcher) frontSubstitute(p *Placement, front *elfobj.Object) (s substitute, err error) {
	s = substitute{library: p.front, fortranLibrary: p.fortranLibrary, defines: front.Defines, dir: l.Tree.Dir(p.From.Name)}
	s.otherFamilies = l.otherFamilies(p.From)
	for _, soname := range p.requestedSonames() {
		file, err := l.Tree.StandIn(p.From.Name, soname)
		if err != nil {
			return s, err
		}
		s.preload = append(s.preload, file)
	}
	l.emptyCxx(&p.Request, front, &s)
	if p.Program == nil {
		return s, nil
	}
	if len(p.Program.Fortran) > 0 && p.ownFortran() && !l.Contained {
		// The family's directory path/ would replace the Fortran library too.
		s.dir, s.links = "", slices.Concat(s.links, p.From.Sonames, p.From.Parts)
	}
	t := p.Program.Tree
	for _, name := range t.Needs(func(name string) bool {
		part := p.From.PartIn(name)
		return part == family.C && !slices.Contains(p.From.Sonames, name) && !slices.Contains(p.From.Parts, name) || part == family.Fortran && !p.ownFortran() && !slices.Contains(p.preloadedFortran(), name)
	}) {
		slash := strings.Contains(name, "/")
		if node := t.Find(name); l.Contained && node != nil && (slash || node.FoundBy == ldso.ByRPath) {
			return s, fault.New("rpath-second-mpi", "remove the DT_RPATH (patchelf --remove-rpath), or the path (patchelf --replace-needed)",
				"%s finds %s through %s (%s), which takes precedence over a front with that name",
				p.Program.Path, name, node.FoundBy, node.Path)
		}
		s.names = append(s.names, name)
		if !slash {
			s.links = append(s.links, name)
		}
	}
	l.beforeCxx(&p.Request, front, &s)
	if p.ownStubs != "" {
		s.preload = append(s.preload, p.ownStubs)
	}
	return s, l.withCore(p, front, &s)
}

// withCore preloads the runtime, its parts and its core libraries if the program is linked with
// other versions of them. Preloaded libraries come before the program's own. The front must come
// before all of them, so it is preloaded itself: a stand-in would load it after them.
func (l Launcher) withCore(p *Placement, front *elfobj.Object, s *substitute) error {
	if p.From != p.Runtime.Family || l.otherCore(&p.Request) == "" && len(p.Program.Tree.Needs(p.isPartOfRuntime)) == 0 {
		return nil
	}
	if strings.ContainsAny(p.Runtime.Library, " :") {
		return fmt.Errorf("the path %q contains a space or a colon, which separates paths in LD_PRELOAD", p.Runtime.Library)
	}
	t, err := l.Libs.Load(p.Runtime.Library)
	if err != nil {
		return err
	}
	if s.preload[0] != front.Path {
		s.preload = slices.Insert(s.preload, 0, front.Path)
	}
	for _, n := range t.Nodes {
		if n == t.Nodes[0] || p.From.IsPrivate(n.Name) || p.isPartOfRuntime(n.Name) {
			s.preload = append(s.preload, n.Path)
		}
	}
	s.preloadOnly = true
	return nil
}

// isPartOfRuntime reports whether a library is one of the family's parts and the runtime's library
// needs it.
func (r *Request) isPartOfRuntime(name string) bool {
	return slices.Contains(r.From.Parts, name) && slices.Contains(r.Runtime.Object().Needed, name)
}

// beforeCxx puts the front before each C++ library that defines symbols of the front as well
// (ompi_cxx_comm_get_type, which reads Open MPI's own objects). Usually it preloads the front
// itself. If the front must not come before everything, a stand-in takes the C++ library's name and
// loads that library after the front.
func (l Launcher) beforeCxx(r *Request, front *elfobj.Object, s *substitute) {
	p := r.Program
	for _, n := range p.Tree.Nodes[1:] {
		if _, part := family.OfLibrary(n.Name); part != family.Cxx {
			continue
		}
		switch {
		case !slices.ContainsFunc(slices.Collect(n.Exports()), front.Defines):
		case l.Contained || len(p.Via) == 0 && p.Sanitizer() == "" && len(tools(p.Tree, front.Defines)) == 0:
			s.preload[0] = front.Path
		default:
			s.loadedAfter = append(s.loadedAfter, n)
		}
	}
}

// requestedSonames returns the sonames of the family whose stand-ins must be preloaded, because the
// program itself requests them. Each stand-in provides all other sonames too, before any other
// library is requested. Parts are the exception: only programs of some releases request them, and
// the directory path/ has them.
func (p *Placement) requestedSonames() []string {
	if p.Program == nil {
		return append(slices.Clone(p.From.Sonames), p.laterNames()...)
	}
	requested := slices.Clip(p.From.Sonames[:1])
	for _, soname := range p.From.Sonames {
		if slices.Contains(p.Program.Sonames, soname) {
			requested = []string{soname}
			break
		}
	}
	for _, soname := range p.From.Sonames {
		if slices.Contains(p.Program.Tree.Nodes[0].NeededNames, soname) && !slices.Contains(requested, soname) {
			requested = append(requested, soname)
		}
	}
	requested = append(requested, p.Program.Tree.Needs(func(name string) bool { return slices.Contains(p.From.Parts, name) && !p.isPartOfRuntime(name) })...)
	for _, name := range p.laterNames() {
		if !slices.Contains(requested, name) {
			requested = append(requested, name)
		}
	}
	return requested
}

// findsFront reports whether a program loads one of wi4go's fronts without any variable.
func (l Launcher) findsFront(p *program.Program) bool {
	libs := l.Libs
	libs.LibraryPath = nil
	t, err := libs.Load(p.Path)
	return err == nil && len(p.Via) == 0 && !slices.ContainsFunc(t.Nodes[1:], func(n *ldso.Node) bool { return isMPI(n) && !l.isOwnFile(n.Path) }) &&
		!slices.ContainsFunc(t.Missing, func(m ldso.Missing) bool { _, part := family.OfLibrary(m.Name); return part == family.C })
}
