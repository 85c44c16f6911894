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
		if j.Way != Identity || j.From.FortranReadsObjects || j.lacksFortran() || l.movedFortran(j) != "" || len(p.FortranInC()) > 0 {
			library, err := l.fortranLibrary(j)
			if err != nil {
				return err
			}
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
	substitute, err := l.frontSubstitute(j, object)
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
	j.Env = slices.Concat(vars, l.draftVar(j), j.Env, after)
	return nil
}

// fortranLibrary returns wi4go's Fortran library for the program, or an empty object if there is
// none. It sets j.fortranLibrary, so that this library serves the program, only if the library
// has all Fortran functions of the program.
func (l Launcher) fortranLibrary(j *Job) (*elfobj.Object, error) {
	if interfaceLibrary := j.Program.Tree.Find(family.InterfaceFortran); interfaceLibrary != nil {
		return interfaceLibrary.Object, nil
	}
	if path := l.movedFortran(j); path != "" {
		j.fortranLibrary = path
		return elfobj.Read(path)
	}
	library := &elfobj.Object{}
	if j.From.FortranLibrary == "" || len(j.Program.Fortran) == 0 {
		return library, nil
	}
	path, err := l.Tree.FortranLibrary(j.From.Name, j.From.FortranLibrary)
	if err != nil {
		return nil, err
	}
	if library, err = elfobj.Read(path); err == nil && len(j.Program.Unserved(library.Defines)) == 0 {
		j.fortranLibrary = path
	}
	return library, err
}

// movedFortran returns this installation's library for programs of wi4go's mpifort if the program
// does not find its own, because the installation that linked it was moved. Otherwise it returns "".
func (l Launcher) movedFortran(j *Job) string {
	path := filepath.Join(l.Tree.Link(), family.InterfaceFortran)
	if _, err := os.Stat(path); err != nil || l.Contained || j.Program == nil || j.Program.MissingFortran() != family.InterfaceFortran {
		return ""
	}
	return path
}

// ownFortran reports whether the program's own Fortran library is loaded on top of the front.
func (j *Job) ownFortran() bool {
	return j.fortranLibrary == "" && (j.Way == Identity || len(j.Program.FortranFunctions) > 0 || slices.Contains(j.Program.Fortran, family.InterfaceFortran))
}

// frontSubstitute returns a substitute in which the front replaces all libraries that the program may
// request: the libraries of its family under every soname, including vendors' names and names with
// a slash. It also replaces Fortran libraries, which import another library's internals, if wi4go's
// Fortran library serves the program or the program uses nothing of them.
func (l Launcher) frontSubstitute(j *Job, front *elfobj.Object) (s substitute, err error) {
	s = substitute{library: j.front, fortranLibrary: j.fortranLibrary, defines: front.Defines, dir: l.Tree.Dir(j.From.Name)}
	s.otherFamilies = l.otherFamilies(j.From)
	for _, soname := range j.requestedSonames() {
		file, err := l.Tree.StandIn(j.From.Name, soname)
		if err != nil {
			return s, err
		}
		s.preload = append(s.preload, file)
	}
	l.emptyCxx(j, front, &s)
	if j.Program == nil {
		return s, nil
	}
	if len(j.Program.Fortran) > 0 && j.ownFortran() && !l.Contained {
		// The family's directory path/ would replace the Fortran library too.
		s.dir, s.links = "", slices.Concat(s.links, j.From.Sonames, j.From.Parts)
	}
	t := j.Program.Tree
	for _, name := range t.Needs(func(name string) bool {
		part := j.From.PartIn(name)
		return part == family.C && !slices.Contains(j.From.Sonames, name) && !slices.Contains(j.From.Parts, name) || part == family.Fortran && !j.ownFortran() && !slices.Contains(j.preloadedFortran(), name)
	}) {
		slash := strings.Contains(name, "/")
		if node := t.Find(name); l.Contained && node != nil && (slash || node.FoundBy == ldso.ByRPath) {
			return s, fault.New("rpath-second-mpi", "remove the DT_RPATH (patchelf --remove-rpath), or the path (patchelf --replace-needed)",
				"%s finds %s through %s (%s), which takes precedence over a front with that name",
				j.Program.Path, name, node.FoundBy, node.Path)
		}
		s.names = append(s.names, name)
		if !slash {
			s.links = append(s.links, name)
		}
	}
	l.beforeCxx(j, front, &s)
	if j.ownStubs != "" {
		s.preload = append(s.preload, j.ownStubs)
	}
	return s, l.withCore(j, front, &s)
}

// withCore preloads the runtime, its parts and its core libraries if the program is linked with
// other versions of them. Preloaded libraries come before the program's own. The front must come
// before all of them, so it is preloaded itself: a stand-in would load it after them.
func (l Launcher) withCore(j *Job, front *elfobj.Object, s *substitute) error {
	if j.From != j.Runtime.Family || l.otherCore(j) == "" && len(j.Program.Tree.Needs(j.isPartOfRuntime)) == 0 {
		return nil
	}
	if strings.ContainsAny(j.Runtime.Library, " :") {
		return fmt.Errorf("the path %q contains a space or a colon, which separates paths in LD_PRELOAD", j.Runtime.Library)
	}
	t, err := l.Libs.Load(j.Runtime.Library)
	if err != nil {
		return err
	}
	if s.preload[0] != front.Path {
		s.preload = slices.Insert(s.preload, 0, front.Path)
	}
	for _, n := range t.Nodes {
		if n == t.Nodes[0] || j.From.IsPrivate(n.Name) || j.isPartOfRuntime(n.Name) {
			s.preload = append(s.preload, n.Path)
		}
	}
	s.preloadOnly = true
	return nil
}

// isPartOfRuntime reports whether a library is one of the family's parts and the runtime's library
// needs it.
func (j *Job) isPartOfRuntime(name string) bool {
	return slices.Contains(j.From.Parts, name) && slices.Contains(j.Runtime.Object().Needed, name)
}

// beforeCxx puts the front before each C++ library that defines symbols of the front as well
// (ompi_cxx_comm_get_type, which reads Open MPI's own objects). Usually it preloads the front
// itself. If the front must not come before everything, a stand-in takes the C++ library's name and
// loads that library after the front.
func (l Launcher) beforeCxx(j *Job, front *elfobj.Object, s *substitute) {
	p := j.Program
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
func (j *Job) requestedSonames() []string {
	if j.Program == nil {
		return append(slices.Clone(j.From.Sonames), j.laterNames()...)
	}
	requested := slices.Clip(j.From.Sonames[:1])
	for _, soname := range j.From.Sonames {
		if slices.Contains(j.Program.Sonames, soname) {
			requested = []string{soname}
			break
		}
	}
	for _, soname := range j.From.Sonames {
		if slices.Contains(j.Program.Tree.Nodes[0].NeededNames, soname) && !slices.Contains(requested, soname) {
			requested = append(requested, soname)
		}
	}
	requested = append(requested, j.Program.Tree.Needs(func(name string) bool { return slices.Contains(j.From.Parts, name) && !j.isPartOfRuntime(name) })...)
	for _, name := range j.laterNames() {
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
