// Package launch turns a command line of mpiexec into the one that runs its
// programs on another MPI library: it finds the programs among the launcher's
// options, decides what environment their ranks need, and hands that to the
// ranks by the launcher's own means.
//
// It must not know how an MPI call is translated, and it starts nothing: what
// comes out is a command for the caller to execute.
package launch

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"wi4go/internal/config"
	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/install"
	"wi4go/internal/launchers"
	"wi4go/internal/ldso"
	"wi4go/internal/program"
	"wi4go/internal/runtimes"
)

// A Launcher has what the decisions depend on.
type Launcher struct {
	Tree     install.Tree
	Runtimes runtimes.Search
	Libs     ldso.Search
	Getenv   func(string) string // this process's environment
	CacheDir func() (string, error)
	Config   func() (config.Config, error)
	Identity bool // the front is wanted where the runtime's own library would do, too

	// Auditor returns nil if the dynamic linker of this host can be given the auditor in a
	// file, else an error with the reason. A nil function: nothing is audited.
	Auditor func(auditor string) error

	Contained bool // the processes are in a container, which sees no files that a job has made
}

// A Var is a variable of the ranks' environment.
type Var struct{ Name, Value string }

func (v Var) String() string { return v.Name + "=" + v.Value }

// AnyCores let more ranks run than there are cores, and for root: for runs of wi4go's own
// programs.
var AnyCores = func() (vars []Var) {
	for _, v := range launchers.Sharing() {
		vars = append(vars, Var{v[0], v[1]})
	}
	return vars
}()

// A Job is one program on one runtime.
type Job struct {
	Program  *program.Program // nil where --from was given and the program could not be read
	From     *family.Family   // nil where nothing tells the program's
	Runtime  *runtimes.Runtime
	Numbers  Numbers // of the program, where it is of the standard ABI
	Native   bool    // the runtime's library itself takes the place of the program's, or is it: no front
	Embedded bool    // the front is linked into the program
	Why      string  // the front is in use although the runtime is of the program's own family: the reason
	Env      []Var   // what its processes need, beyond what they have

	Warnings []error // what may go wrong all the same

	what   string         // what is said of a program whose family is not known
	front  string         // the file that stands before the runtime, "" where none does
	own    string         // the stubs of functions of the C library's own, "" if the program lacks none or they cannot serve
	lacks  []program.Lack // what the front does not have
	layer  string         // our Fortran library over it, "" where there is none or the program's own serves
	itself bool           // the program loads the runtime's library unasked
	doubt  bool           // Intel's wrapper has linked it, and its numbers are not known
	merge  bool           // Env has a value that each host must merge with its own
	means  means          // by which its processes find what takes the library's place
	made   []made         // files that it needs, which are to be made before it starts
}

// Job decides how argv, run in dir, gets onto the runtime. from is a family's
// name, or "auto" or "" to read it off the program; where that cannot be done, the
// processes find the fronts of all families.
func (l Launcher) Job(argv []string, dir, from string, rt *runtimes.Runtime) (*Job, error) {
	j := &Job{Runtime: rt}
	p, err := l.Trace(argv, dir, from, rt)
	j.Program = p
	said := unknownNumbers
	switch {
	case from == "" || from == "auto":
		if errors.Is(err, program.ErrCarriesFront) {
			j.what, j.Embedded = argv[0]+", linked with -static-mpi", true
			j.Env = []Var{{"WI4GO_TO", rt.Library}}
			return j, l.complete(j)
		}
		if program.Undecided(err) {
			j.what = argv[0] + ", whose files name no MPI: each that it opens is wi4go's"
			return j, l.undecided(j)
		}
		if err != nil {
			return nil, err
		}
		j.From = p.Family
	default:
		f, unknown := family.Of(from)
		if unknown != nil {
			return nil, fmt.Errorf("--from: %w, auto", unknown)
		}
		switch {
		case from == runtimes.IntelMPI.Name && p != nil && p.Family != nil && p.Family.Draft:
			f, said = p.Family, draftNumbers
		case f.Draft:
			said = standardNumbers
		}
		j.From = f
		if errors.Is(err, program.ErrNotDynamic) {
			return nil, err
		}
		if p != nil && p.Family != f && len(p.Via) == 0 {
			return nil, fmt.Errorf("--from %s: %s was built for %s (%s)", f.Name, p.Path, p.Family.Title,
				strings.Join(p.Needed(), ", "))
		}
		// About scripts and wrappers the user's word stands; what the files
		// say besides is kept only where it agrees.
		if p == nil || p.Family != f {
			j.Program = nil
		}
	}
	l.learnNumbers(j, said)
	if err := l.decide(j); err != nil {
		return j, err
	}
	if p == nil {
		if path, err := program.Look(argv[0], dir); err == nil {
			return j, program.CheckSecure(path)
		}
	}
	return j, nil
}

// Trace finds the program behind a command line. Of one that is there for several
// families it takes that for the family that from says, else for the runtime's.
func (l Launcher) Trace(argv []string, dir, from string, rt *runtimes.Runtime) (*program.Program, error) {
	prefer, err := family.Of(from)
	if err != nil && rt != nil {
		prefer = rt.Family
	}
	return program.Trace(argv, dir, l.Libs, prefer)
}

// JobOf decides how a program that was already read gets onto the runtime.
func (l Launcher) JobOf(p *program.Program, rt *runtimes.Runtime) (*Job, error) {
	j := &Job{Program: p, From: p.Family, Runtime: rt}
	l.learnNumbers(j, unknownNumbers)
	return j, l.decide(j)
}

func (l Launcher) decide(j *Job) error {
	if j.Program != nil {
		if err := j.Program.CheckMachine(); err != nil {
			return err
		}
	}
	place := l.translated
	if j.From == j.Runtime.Family {
		if j.Why = l.unfit(j); j.Why == "" {
			j.Native = true
			place = l.native
		}
	}
	if err := place(j); err != nil {
		return err
	}
	if err := l.complete(j); err != nil {
		return err
	}
	if j.Program != nil && !j.itself && !l.Contained && !l.findsFront(j.Program) {
		return j.Program.CheckSecure()
	}
	return nil
}

// complete adds the auditor, what the runtime itself needs, and which extension an mpi4py for
// several families is to choose: that which was found, else, since a script may
// import it unseen, that for the program's family or for the runtime's.
func (l Launcher) complete(j *Job) error {
	l.audited(j)
	j.learnLosses()
	abi := ""
	switch p := j.Program; {
	case p != nil && (p.MPI4PyABI != "" || !p.MayImportMPI4Py()):
		abi = p.MPI4PyABI
	case l.Getenv(program.MPI4PyABI) != "":
	case j.From != nil:
		abi = j.From.Name
	case !j.Runtime.Family.Standard: // which the published mpi4py has no extension for
		abi = j.Runtime.Family.Name
	}
	if abi != "" {
		j.Env = append(j.Env, Var{program.MPI4PyABI, abi})
	}
	settled, err := l.Config()
	if err != nil {
		return err
	}
	for _, v := range settled.Variables(j.Runtime.Vendor) {
		if l.Getenv(v[0]) == "" {
			j.Env = append(j.Env, Var{v[0], v[1]})
		}
	}
	for _, v := range j.Runtime.Env(l.Getenv) {
		j.Env = append(j.Env, Var(v))
	}
	return j.Runtime.CheckEnv(l.Getenv)
}

// undecided sets the environment of processes that may open any family's library,
// or none: by LD_LIBRARY_PATH it is the front that they find, whichever they ask
// for. Nothing is preloaded, which would bring fronts into programs without MPI.
func (l Launcher) undecided(j *Job) error {
	to := j.Runtime.Family
	if _, err := l.Tree.Front(to.Name, to.Sonames[0]); err != nil {
		return err
	}
	dirs := append(l.dirsOf(to), l.otherFamilies(to)...)
	if colon := carries(dirs, ":;"); colon != "" {
		return unplaced(colon)
	}
	if outer := l.preload(nil, ""); outer != l.Getenv("LD_PRELOAD") {
		j.Env = []Var{{"LD_PRELOAD", outer}} // an outer wi4go's front must go
	}
	j.Env = slices.Concat(j.Env, []Var{{"WI4GO_TO", j.Runtime.Library}}, l.draftVar(j), []Var{{"LD_LIBRARY_PATH", l.searchPath(dirs)}})
	j.merge = true
	return l.complete(j)
}

// findsFront says whether a program loads a front of ours without any variable.
func (l Launcher) findsFront(p *program.Program) bool {
	libs := l.Libs
	libs.LibraryPath = nil
	t, err := libs.Load(p.Path)
	return err == nil && len(p.Via) == 0 && !slices.ContainsFunc(t.Nodes[1:], func(n *ldso.Node) bool { return isMPI(n) && !l.ours(n.Path) }) &&
		!slices.ContainsFunc(t.Missing, func(m ldso.Missing) bool { _, part := family.OfLibrary(m.Name); return part == family.C })
}

// otherCore says which library of the program brings another version of what
// stands below the runtime's C library: Open MPI 4's C++ and Fortran libraries
// need libopen-pal.so.40, and Open MPI 5 has one of its own with the same
// symbols. "" where none does.
func (l Launcher) otherCore(j *Job) string {
	for _, n := range j.Program.Tree.Nodes {
		if f, part := family.OfLibrary(n.Name); f == j.From && part == family.C || j.From.IsPrivate(n.Name) {
			continue // not there when another library, or the front, takes its place
		}
		for _, name := range n.Needed {
			if j.From.IsPrivate(name) && !slices.Contains(j.Runtime.Object().Needed, name) {
				return fmt.Sprintf("%s needs %s, which does not go together with %s", n.Name, name, j.Runtime.Library)
			}
		}
	}
	return ""
}

// unfit says why the runtime's library, though of the program's family, cannot
// take the place of the program's own; "" where it can. Then the front serves:
// it has all symbols and all sonames of the family.
func (l Launcher) unfit(j *Job) string {
	rt := j.Runtime
	if l.Identity {
		return "as --identity asks"
	}
	if why := renumbered(j); why != "" {
		return why
	}
	if j.lacksFortran() {
		return fmt.Sprintf("the program needs %s, which is not on this machine", j.Program.MissingFortran())
	}
	if why := l.lacksProcedures(j); why != "" {
		return why
	}
	if j.Program == nil {
		return "" // --from was given: trust, and preload
	}
	missing := j.Program.Undefined(rt.Object().Defines, true)
	served := func(name string) bool { return family.IsC(name) || slices.Contains(j.From.Answered, name) }
	if l.loadsIt(j) && !slices.ContainsFunc(missing, served) {
		return ""
	}
	if why := l.otherCore(j); why != "" {
		return why
	}
	if len(missing) > 0 {
		return fmt.Sprintf("%s lacks %s", rt.Library, some(missing))
	}
	if mark := j.From.Spawn.Mark; mark != "" && rt.Object().Defines(mark) && slices.ContainsFunc(j.Program.Functions, spawns) {
		return "the processes that it may spawn find that library by the front alone"
	}
	if library := j.ownLibrary(); library != nil {
		for _, m := range marks {
			if library.Defines(m.function) && !rt.Object().Defines(m.function) {
				return fmt.Sprintf("the program was linked with a library of MPI-%s, and %s is none", m.level, rt.Library)
			}
		}
	}
	for _, soname := range j.Program.Sonames {
		switch {
		case slices.Contains(j.From.Parts, soname):
			if !slices.Contains(rt.Object().Needed, soname) {
				return fmt.Sprintf("the program needs %s, a part that %s does not have", soname, rt.Library)
			}
		case soname != rt.Soname:
			return fmt.Sprintf("the program needs %s, and that library's name is %s", soname, rt.Soname)
		}
	}
	if strings.ContainsAny(rt.Library, " :") {
		return fmt.Sprintf("%q holds a space or a colon, which LD_PRELOAD cannot carry", rt.Library)
	}
	return ""
}

// spawns says that a function starts processes.
func spawns(function string) bool { return strings.HasPrefix(function, "MPI_Comm_spawn") }

// marks are functions by which a library shows that it is of a level. A newer
// program may hand its constants to functions that an older library has, too.
var marks = []struct{ level, function string }{
	{"4.0", "MPI_Session_init"}, {"4.1", "MPI_Get_hw_resource_info"}, {"5.0", "MPI_Abi_get_version"},
}

// translated sets the environment in which the front of the program's family
// takes the place of its library.
func (l Launcher) translated(j *Job) error {
	if i := slices.IndexFunc(j.From.Parts, j.isPartOfRuntime); i >= 0 && j.From != j.Runtime.Family {
		return fault.New("runtime-unusable", "run it on the library of its own family beside that one",
			"%s rests on %s, whose symbols the front for programs of %s has as well", j.Runtime.Library, j.From.Parts[i], j.From.Title)
	}
	front, err := l.Tree.Front(j.From.Name, j.From.Sonames[0])
	if err != nil {
		return err
	}
	j.front = front
	object, err := elfobj.Read(front)
	if err != nil {
		return err
	}
	if p := j.Program; p != nil {
		defines := object.Defines
		// Within a family its Fortran library calls the front, whose handles are the
		// runtime's own; but for one that looks into the objects behind them.
		if j.Why == "" || j.From.FortranReadsObjects || j.lacksFortran() || len(p.FortranInC()) > 0 {
			layer, err := l.fortranLayer(j)
			if err != nil {
				return err
			}
			if err := p.CheckFortran(object.Defines, layer.Defines); err != nil {
				return err
			}
			if j.layer != "" {
				defines = func(name string) bool { return object.Defines(name) || layer.Defines(name) }
			}
		}
		if j.lacks = p.Lacks(defines, j.ownFortran(), l.Getenv("LD_BIND_NOW") != ""); len(j.lacks) > 0 && j.Why == "" {
			if j.own, err = l.Tree.Own(j.From.Name); err != nil {
				return err
			}
		}
	}
	substitute, err := l.byFront(j, object)
	if err != nil {
		return err
	}
	before, after, err := l.arrange(j, substitute)
	if err != nil {
		return err
	}
	if err := j.checkLacks(before); err != nil {
		return err
	}
	vars := append(before, Var{"WI4GO_TO", j.Runtime.Library}, Var{"WI4GO_FROM", j.From.Name})
	if version := j.ownVersion(); version != "" {
		vars = append(vars, Var{"WI4GO_FROM_VERSION", version})
	}
	j.Env = slices.Concat(vars, l.draftVar(j), j.Env, after)
	return nil
}

// lacksFortran says that a Fortran library of the program's, whose place our layer can
// take, is not on this machine.
func (j *Job) lacksFortran() bool {
	return j.From.Layer != "" && j.Program != nil && j.Program.MissingFortran() != ""
}

// fortranLayer is our Fortran library for the program, empty where there is none. It
// serves a program all of whose Fortran functions it has.
func (l Launcher) fortranLayer(j *Job) (*elfobj.Object, error) {
	if library := j.Program.Tree.Find(family.InterfaceFortran); library != nil {
		return library.Object, nil
	}
	layer := &elfobj.Object{}
	if j.From.Layer == "" || len(j.Program.Fortran) == 0 {
		return layer, nil
	}
	path, err := l.Tree.Layer(j.From.Name, j.From.Layer)
	if err != nil {
		return nil, err
	}
	if layer, err = elfobj.Read(path); err == nil && len(j.Program.Unserved(layer.Defines)) == 0 {
		j.layer = path
	}
	return layer, err
}

// lacksProcedures says which Fortran procedures of the program nothing here has but our
// layer: its own Fortran library is not here, or of another release.
func (l Launcher) lacksProcedures(j *Job) string {
	if j.Program == nil {
		return ""
	}
	missing := slices.DeleteFunc(j.Program.FortranInC(), j.Runtime.Object().Defines)
	if len(missing) == 0 {
		return ""
	}
	of := *j
	if _, err := l.fortranLayer(&of); err != nil || of.layer == "" {
		return ""
	}
	return fmt.Sprintf("no Fortran library that the program finds here has %s", some(missing))
}

// ownFortran says that the program's own Fortran library is loaded over the front.
func (j *Job) ownFortran() bool {
	return j.layer == "" && (j.Why != "" || len(j.Program.FortranFunctions) > 0 || slices.Contains(j.Program.Fortran, family.InterfaceFortran))
}

// lacksPart says that a part of its C library, which the program needs, is not on this
// machine: then the library that is here is of a release which has it in one.
func (j *Job) lacksPart() bool {
	return slices.ContainsFunc(j.Program.Sonames, func(soname string) bool {
		return slices.Contains(j.Program.Family.Parts, soname) && j.Program.Tree.Find(soname) == nil
	})
}

// ownLibrary is the library that the program would have loaded; nil where it is
// not here.
func (j *Job) ownLibrary() *elfobj.Object {
	if j.Program == nil || j.lacksPart() {
		return nil
	}
	for _, soname := range j.Program.Sonames {
		if node := j.Program.Tree.Find(soname); node != nil {
			return node.Object
		}
	}
	return nil
}

// ownVersion is vendor and version of that library; "" where it does not say.
func (j *Job) ownVersion() string {
	if library := j.ownLibrary(); library != nil {
		return runtimes.Identify(library)
	}
	return ""
}

// byFront is the front in the place of all libraries that the program may ask for:
// those of its family by every soname, a vendor's and names with a slash included,
// and its Fortran libraries, whose imports are another library's internals, where our
// layer takes their place or it uses nothing of them.
func (l Launcher) byFront(j *Job, front *elfobj.Object) (s substitute, err error) {
	s = substitute{library: j.front, layer: j.layer, defines: front.Defines, dir: l.Tree.Dir(j.From.Name)}
	s.others = l.otherFamilies(j.From)
	for _, soname := range j.asked() {
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
		s.dir, s.links = "", slices.Concat(s.links, j.From.Sonames, j.From.Parts) // in path/ its place is taken
	}
	t := j.Program.Tree
	for _, name := range t.Needs(func(name string) bool {
		f, part := family.OfLibrary(name)
		return f == j.From && (part == family.C && !slices.Contains(j.From.Sonames, name) && !slices.Contains(j.From.Parts, name) || part == family.Fortran && !j.ownFortran() && !slices.Contains(j.broughtFortran(), name))
	}) {
		slash := strings.Contains(name, "/")
		if node := t.Find(name); l.Contained && node != nil && (slash || node.How == ldso.ByRPath) {
			return s, fault.New("rpath-second-mpi", "take the DT_RPATH out (patchelf --remove-rpath), or the path (patchelf --replace-needed)",
				"%s finds %s by %s (%s), which comes before everything that could put a front of that name there",
				j.Program.Path, name, node.How, node.Path)
		}
		s.names = append(s.names, name)
		if !slash {
			s.links = append(s.links, name)
		}
	}
	l.beforeCxx(j, front, &s)
	if j.own != "" {
		s.preload = append(s.preload, j.own)
	}
	// Preloaded, the runtime, its parts and its core come before the other version's, with
	// which the program itself may be linked; and the front itself before them, as what a
	// stand-in brings comes later.
	if j.From == j.Runtime.Family && (l.otherCore(j) != "" || len(t.Needs(j.isPartOfRuntime)) > 0) {
		if strings.ContainsAny(j.Runtime.Library, " :") {
			return s, fmt.Errorf("%q holds a space or a colon, which LD_PRELOAD cannot carry", j.Runtime.Library)
		}
		t, err := l.Libs.Load(j.Runtime.Library)
		if err != nil {
			return s, err
		}
		if s.preload[0] != front.Path {
			s.preload = slices.Insert(s.preload, 0, front.Path)
		}
		for _, n := range t.Nodes {
			if n == t.Nodes[0] || j.From.IsPrivate(n.Name) || j.isPartOfRuntime(n.Name) {
				s.preload = append(s.preload, n.Path)
			}
		}
		s.alone = true
	}
	return s, nil
}

// isPartOfRuntime says that a library is a part of the runtime's, and of the family's.
func (j *Job) isPartOfRuntime(name string) bool {
	return slices.Contains(j.From.Parts, name) && slices.Contains(j.Runtime.Object().Needed, name)
}

// otherFamilies are the directories that have fronts for programs of other families
// than one.
func (l Launcher) otherFamilies(but *family.Family) (dirs []string) {
	for _, f := range family.All {
		if f != but {
			dirs = append(dirs, l.dirsOf(f)...)
		}
	}
	return dirs
}

// beforeCxx sees to it that the front comes before a C++ library that defines what the
// front defines as well (ompi_cxx_comm_get_type, which looks into Open MPI's own
// objects): it is preloaded itself, or, where it must not stand before everything, a
// stand-in takes that library's name and brings it behind the front.
func (l Launcher) beforeCxx(j *Job, front *elfobj.Object, s *substitute) {
	p := j.Program
	for _, n := range p.Tree.Nodes[1:] {
		if _, part := family.OfLibrary(n.Name); part != family.Cxx {
			continue
		}
		switch {
		case !slices.ContainsFunc(slices.Collect(maps.Keys(n.Exports)), front.Defines):
		case l.Contained || len(p.Via) == 0 && p.Sanitizer() == "" && len(tools(p.Tree, front.Defines)) == 0:
			s.preload[0] = front.Path
		default:
			s.behind = append(s.behind, n)
		}
	}
}

// asked are the sonames of the family whose stand-ins have to be preloaded: those that
// the program itself asks for. Each brings all others, before anything else is asked; but
// for parts, which the programs of some releases alone ask for, and which path/ has.
func (j *Job) asked() []string {
	if j.Program == nil {
		return append(slices.Clone(j.From.Sonames), j.later()...)
	}
	asked := slices.Clip(j.From.Sonames[:1])
	for _, soname := range j.From.Sonames {
		if slices.Contains(j.Program.Sonames, soname) {
			asked = []string{soname}
			break
		}
	}
	for _, soname := range j.From.Sonames {
		if slices.Contains(j.Program.Tree.Nodes[0].Wants, soname) && !slices.Contains(asked, soname) {
			asked = append(asked, soname)
		}
	}
	asked = append(asked, j.Program.Tree.Needs(func(name string) bool { return slices.Contains(j.From.Parts, name) && !j.isPartOfRuntime(name) })...)
	for _, name := range j.later() {
		if !slices.Contains(asked, name) {
			asked = append(asked, name)
		}
	}
	return asked
}

// native sets the environment in which the program loads the runtime's own
// library, which is of its family.
func (l Launcher) native(j *Job) error {
	p := j.Program
	var idle []string
	if p != nil && !l.Contained {
		idle = p.IdleCxx(j.Runtime.Object().Defines)
	}
	if j.itself = p != nil && l.loadsIt(j) && len(idle) == 0; j.itself {
		if outer := l.preload(nil, j.Runtime.Library); outer != l.Getenv("LD_PRELOAD") {
			j.Env = []Var{{"LD_PRELOAD", outer}} // an outer wi4go's front must go
		}
		return nil
	}
	s := substitute{library: j.Runtime.Library, defines: j.Runtime.Object().Defines, preload: []string{j.Runtime.Library}}
	sonames := []string{j.Runtime.Soname}
	if p == nil {
		sonames = j.From.Sonames // who knows which it asks for
	}
	if !l.Contained {
		s.links = sonames
	}
	if p != nil && !l.Contained {
		s.names = p.Tree.Needs(func(name string) bool {
			_, part := family.OfLibrary(name)
			return part == family.C && strings.Contains(name, "/")
		})
		s.names = append(s.names, idle...)
	}
	if !l.Contained {
		s.links = append(slices.Clone(s.links), l.laterCxx(j, idle)...)
	}
	// The library itself would stand before tools, and before the libraries of
	// other programs that a script starts.
	if _, err := l.cache(); err == nil && !l.Contained && (p == nil || len(tools(p.Tree, s.defines)) > 0) {
		s.preload, s.names = nil, append(s.names, sonames...)
	}
	s.others = l.otherFamilies(j.From)
	before, after, err := l.arrange(j, s)
	if len(after) > 0 {
		before = append(before, Var{"WI4GO_TO", j.Runtime.Library}) // for programs of other families
	}
	j.Env = append(before, after...)
	return err
}

// loadsIt says whether the program loads the runtime's library by itself.
func (l Launcher) loadsIt(j *Job) bool {
	return !j.lacksPart() && slices.ContainsFunc(j.Program.Sonames, func(soname string) bool {
		node := j.Program.Tree.Find(soname)
		return node != nil && sameFile(node.Path, j.Runtime.Library)
	})
}

// Service says who serves the functions that the program imports; nothing of a
// program that could not be read.
func (j *Job) Service() program.Service {
	if j.Program == nil {
		return program.Service{}
	}
	var front program.Emulation
	if j.front != "" {
		front = program.ReadEmulation(j.front)
	}
	s := j.Program.Service(j.Runtime.Family, j.Runtime.Object().Defines, front)
	unanswered := j.Unanswered()
	s.Missing = slices.DeleteFunc(s.Missing, func(name string) bool { return slices.Contains(unanswered, name) })
	return s
}

// Describe says in one line what runs on what.
func (j *Job) Describe() string {
	if j.From == nil {
		return fmt.Sprintf("%s, on %s", j.what, j.Runtime)
	}
	what := "a program of " + j.From.Title + " (as --from says)"
	if p := j.Program; p != nil {
		what = fmt.Sprintf("%s, built for %s (%s)", p.Path, p.Family.Title, strings.Join(p.Needed(), ", "))
		if len(p.Via) > 0 {
			what += " by way of " + strings.Join(p.Via, ", ")
		}
		if p.MPI4PyABI != "" {
			what += fmt.Sprintf(", its mpi4py chosen by %s=%s", program.MPI4PyABI, p.MPI4PyABI)
		}
	}
	what += j.ofDraft()
	switch {
	case j.itself:
		return fmt.Sprintf("%s, natively on %s, which it loads by itself", what, j.Runtime)
	case j.Native:
		return fmt.Sprintf("%s, natively on %s (library substituted)", what, j.Runtime)
	case j.Why != "":
		return fmt.Sprintf("%s, on %s (identity front: %s)", what, j.Runtime, j.Why)
	}
	return fmt.Sprintf("%s, translated onto %s", what, j.Runtime)
}

// Mpiexec is the runtime's own launcher.
func (l Launcher) Mpiexec(rt *runtimes.Runtime) (string, error) {
	if rt.Launcher == "" {
		return "", fault.New("no-launcher", fmt.Sprintf("name it with --to, or use the batch system's: `srun … wi4go exec --to %s … ./app`",
			rt.Library), "found no mpiexec that belongs to %s", rt.Library)
	}
	return rt.Launcher, nil
}

// Command builds the command line of the runtime's launcher for segments and
// their jobs, one job each.
//
// Where all programs need the same environment, the launcher's own means carry
// it (Open MPI: -x, Hydra: -genv), so that processes spawned later have it
// (not from Open MPI 5's launcher: there the front hands it on, mappers/dynamic.h)
// too. Where they differ (Open MPI 5 gives the first program's -x to all),
// where the user's own options set LD_PRELOAD (launchers disagree on which of
// two counts), where a value has to be merged with each host's own, where files
// are made that another host's home may lack, or where a script may read the variables of
// its own MPI's launcher, each program is put behind `wi4go exec`, which merges, makes and
// sets them in the rank itself.
func (l Launcher) Command(segments []Segment, jobs []*Job) ([]string, error) {
	rt := jobs[0].Runtime
	mpiexec, err := l.Mpiexec(rt)
	if err != nil {
		return nil, err
	}
	launcher := rt.StartedBy()
	carry, wrap := launcher.Carry.Option != "" && !l.setsPreload(launcher, segments), false
	for _, j := range jobs {
		carry = carry && slices.Equal(j.Env, jobs[0].Env)
		wrap = wrap || j.merge || j.beginsWithout() || len(j.made) > 0 && l.leaves(segments)
	}
	wrap = wrap || !carry
	if _, err := l.Config(); err != nil {
		return nil, err
	}
	command := append([]string{mpiexec}, l.configured(rt)...)
	if carry && !launcher.Carry.ByProgram {
		command = append(command, l.carriedBy(launcher, jobs[0], nil)...)
	}
	for i, s := range segments {
		if i > 0 {
			command = append(command, ":")
		}
		if carry && launcher.Carry.ByProgram {
			command = append(command, l.carriedBy(launcher, jobs[i], s.Options)...)
		}
		command = append(command, launcher.Spelled(s.Options)...)
		if wrap && len(jobs[i].Env) > 0 {
			command = append(command, l.Tree.Command(), "exec")
			if jobs[i].From != nil {
				command = append(command, "--from", jobs[i].fromOf())
			}
			command = append(command, "--to", rt.Library)
			if l.Identity {
				command = append(command, "--identity")
			}
			command = append(command, "--")
		}
		command = append(command, s.Program...)
	}
	return command, nil
}

// beginsWithout reports whether a rank begins with something else than the program, which
// loads no front: a script or a wrapper. By a front alone it gets the variables by which
// the launcher of its own MPI would tell it its rank (internal/ranks).
func (j *Job) beginsWithout() bool {
	return j.From != nil && j.From != j.Runtime.Family && (j.Program == nil || len(j.Program.Via) > 0)
}

// carriedBy returns the words by which a launcher's command line gives the ranks of a job
// their variables.
func (l Launcher) carriedBy(launcher *launchers.Launcher, j *Job, options []string) (words []string) {
	vars := j.carried()
	if launcher.Carry.HandsOn {
		vars = append(vars, l.handed(j, options)...)
	}
	for _, v := range vars {
		words = append(words, launcher.Carry.Words(v.Name, v.Value)...)
	}
	return words
}

// carried is what a launcher may set: not what each host has a value of its own for.
func (j *Job) carried() []Var {
	return slices.DeleteFunc(slices.Clone(j.Env), func(v Var) bool { return v.Name == "LD_LIBRARY_PATH" })
}

// setsPreload says whether the user's own means set what ours would have to.
func (l Launcher) setsPreload(launcher *launchers.Launcher, segments []Segment) bool {
	list := launcher.Carry.OtherWay
	if list != "" && l.Getenv(launcher.Carry.OtherWayVariable) != "" {
		return true
	}
	for _, s := range segments {
		for _, o := range s.Options {
			if list != "" && o == list || o == "LD_PRELOAD" || strings.HasPrefix(o, "LD_PRELOAD=") {
				return true
			}
		}
	}
	return false
}

// Environ puts the variables into an environment.
func Environ(environ []string, vars []Var) []string {
	out := slices.Clone(environ)
	for _, v := range vars {
		out = slices.DeleteFunc(out, func(e string) bool { return strings.HasPrefix(e, v.Name+"=") })
		out = append(out, v.String())
	}
	return out
}

// Finder finds programs among a launcher's arguments in the file system.
func (l Launcher) Finder() Finder {
	return Finder{
		Executable: func(name, dir string) error {
			_, err := program.Look(name, dir)
			return err
		},
		IsMPI: func(argv []string, dir string) bool {
			p, err := program.Trace(argv, dir, l.Libs, nil)
			return err == nil && len(p.Via) == 0
		},
	}
}

// Runtime finds the runtime: --to, else WI4GO_TO, else what is configured, else
// the default, which in a started process is that of its launcher.
func (l Launcher) Runtime(to string, started bool) (*runtimes.Runtime, error) {
	if to != "" {
		return l.Runtimes.Resolve(to)
	}
	if named := l.Getenv("WI4GO_TO"); named != "" {
		return l.namedIn("WI4GO_TO", named)
	}
	settled, err := l.Config()
	switch {
	case err != nil:
		return nil, err
	case settled.To.Text != "":
		return l.namedIn(settled.To.File, settled.To.Text)
	case started:
		return l.Runtimes.Default()
	}
	return l.Runtimes.Resolve("")
}

// namedIn resolves what a place other than the command line names.
func (l Launcher) namedIn(place, name string) (*runtimes.Runtime, error) {
	rt, err := l.Runtimes.Resolve(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	return rt, nil
}

// some joins a few names and counts the rest.
func some(names []string) string {
	const few = 4
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
