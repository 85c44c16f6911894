package doctor

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/launch"
	"wi4go/internal/ldso"
	"wi4go/internal/program"
	"wi4go/internal/runtimes"
)

// findRuntime finds the runtime as `wi4go run` does, or, where nothing is to
// be run, examines all of them.
func (x *exam) findRuntime() {
	settled, err := x.Launcher.Config()
	if err != nil {
		x.refused(err, "configuration", Error)
		return
	}
	for _, line := range settled.Lines {
		x.fact("setting", "%s in %s", line.Text, line.File)
	}
	if to := x.getenv("WI4GO_TO"); to != "" {
		x.fact("setting", "WI4GO_TO=%s in the environment", to)
	}
	if x.To == "" && len(x.Argv) == 0 && x.getenv("WI4GO_TO") == "" {
		x.survey()
		return
	}
	rt, err := x.Launcher.Runtime(x.To, true)
	if err != nil {
		x.refused(err, "runtime-unusable", Error)
		return
	}
	x.runtime, x.entry = rt, x.Entry(rt)
	x.factOf(x.entry)
}

func (x *exam) survey() {
	usable := 0
	for _, e := range x.Survey() {
		x.entries = append(x.entries, e)
		x.factOf(e)
		switch {
		case e.Usable():
			usable++
		case e.Object().Machine == elfobj.HostMachine():
			x.find("runtime-broken", Warning, "install it anew, or take it away", "%s: %s", e.Library, e.Problem)
		}
	}
	if usable == 0 {
		x.refused(runtimes.ErrNone, "no-runtime", Error)
		return
	}
	if _, err := x.Launcher.Runtime("", true); err != nil { // it is configured, and wrong
		x.refused(err, "configuration", Error)
	}
}

func (x *exam) factOf(e runtimes.Entry) {
	text := e.Product
	if e.Standard != "" {
		text += " (MPI " + e.Standard + ")"
	}
	text += ", " + e.Library
	if e.Launcher != "" {
		text += ", started by " + e.Launcher
	}
	if len(e.ProcessManagers) > 0 {
		text += ", speaks " + strings.Join(e.ProcessManagers, " and ")
	}
	x.fact("runtime", "%s", text)
}

// readProgram finds the program behind the command line. Where --from says
// what it was built for, one that cannot be read may still run.
func (x *exam) readProgram() {
	if len(x.Argv) == 0 {
		return
	}
	if _, err := program.Look(x.Argv[0], x.Dir); err != nil {
		x.find("program-unreadable", Error, "name a program as you would start it", "%s", fault.Text(err))
		return
	}
	p, err := x.Launcher.Trace(x.Argv, x.Dir, x.From, x.runtime)
	trusted := x.From != "" && x.From != "auto" && !errors.Is(err, program.ErrNotDynamic)
	switch {
	case err == nil:
	case trusted, errors.Is(err, program.ErrCarriesFront):
		return
	case program.Undecided(err):
		id, what, _ := fault.Of(err, "program-unknown")
		x.find(id, Note, "if its MPI library comes by a DT_RPATH, say with --from what it was built for", "%s", what)
		return
	default:
		x.refused(err, "program-unreadable", Error)
		return
	}
	x.program = p
	text := fmt.Sprintf("%s, built for %s (%s), in %s", p.Path, p.Family.Title, strings.Join(p.Needed(), ", "),
		strings.Join(p.Languages(), " and "))
	if len(p.Via) > 0 {
		text += ", by way of " + strings.Join(p.Via, ", ")
	}
	if len(p.Beside) > 0 {
		text += ", with " + some(p.Beside)
	}
	x.fact("program", "%s", text)
	if err := p.CheckMachine(); err != nil {
		x.refused(err, "program-machine", Error)
	}
}

// decide has launch say how the program gets onto the runtime.
func (x *exam) decide() {
	if x.runtime == nil || len(x.Argv) == 0 || x.hopeless() {
		return
	}
	job, err := x.Launcher.Job(x.Argv, x.Dir, x.From, x.runtime)
	if err != nil {
		x.refused(err, "refused", Error)
		return
	}
	if err := x.Launcher.Prepare(job); err != nil { // what ld.so will find is looked at below
		x.refused(err, "refused", Error)
		return
	}
	x.job = job
	x.fact("run", "%s", job.Describe())
	for _, warning := range job.Warnings {
		x.refused(warning, "preload-lost", Warning)
	}
	if given := job.MayBeDraft(); len(given) > 0 {
		x.find("draft-abi", Warning, "say --from intelmpi if it was compiled with Intel MPI's mpi.h, --from "+job.From.Name+" if not",
			"%s was %s: it may give them to %s", job.Program.Path, program.Draft, some(given))
	}
	if job.Native() || job.Program == nil {
		return
	}
	if lacking := job.Service().Missing; len(lacking) > 0 {
		x.find("runtime-lacks", Warning, "run it on a newer library (--to), if it calls them",
			"%s lacks %s, which the program imports: a call fails with MPI_ERR_UNSUPPORTED_OPERATION", x.runtime.Library, some(lacking))
	}
}

// search is where ld.so will look for the ranks' libraries.
func (x *exam) search() ldso.Search {
	s := x.Launcher.Libs
	environ := x.Environ
	if x.job != nil {
		environ = launch.Environ(environ, x.job.Env)
	}
	of := exam{Sources: Sources{Environ: environ}}
	s.Preload = ldso.SplitPreload(of.getenv("LD_PRELOAD"))
	s.LibraryPath = ldso.SplitPath(of.getenv("LD_LIBRARY_PATH"))
	return s
}

// linking follows the dynamic linker: what a process of the program holds at
// its start, and what its first MPI call opens. Without a program our own core
// stands for it.
func (x *exam) linking() {
	corePath := filepath.Join(x.Launcher.Tree.Fronts(), core)
	search, root := x.search(), &program.Program{Path: corePath}
	if x.program != nil {
		root = x.program
	}
	tree, err := root.Load(search)
	if err != nil || tree.Nodes[0].Machine != elfobj.HostMachine() { // said before: of the program, or of the installation
		return
	}
	x.tree, x.late = tree, &ldso.Tree{}
	x.interpreter()
	if x.job == nil || !x.job.Native() {
		x.open(search, corePath)
	}
	if x.runtime != nil {
		x.open(search, x.runtime.Library)
	}
	for _, m := range slices.Concat(x.tree.Missing, x.late.Missing) {
		x.missing(m)
	}
	x.versions()
	x.secondMPI()
	x.threadLocal()
	const because = "library-missing library-machine glibc-version libstdcxx-version library-version"
	known := slices.ContainsFunc(x.report.Findings, func(f Finding) bool { return slices.Contains(strings.Fields(because), f.ID) })
	if x.runtime != nil && x.entry.Problem != "" && !known {
		x.find("runtime-broken", Error, "install it anew, or name another with --to", "%s: %s", x.runtime.Library, x.entry.Problem)
	}
}

// open adds what a process opens later to x.late.
func (x *exam) open(search ldso.Search, library string) {
	held := &ldso.Tree{Nodes: slices.Concat(x.tree.Nodes, x.late.Nodes)}
	if opened, err := search.Open(held, library); err == nil { // a missing file of ours was said before
		x.late.Nodes = append(x.late.Nodes, opened.Nodes...)
		x.late.Missing = append(x.late.Missing, opened.Missing...)
	}
}

// interpreter looks at the dynamic linker that the program names.
func (x *exam) interpreter() {
	path := x.tree.Nodes[0].Interp
	if path == "" {
		return
	}
	const cure = "run it in a container of the system that it was built on, or build it here"
	if strings.Contains(filepath.Base(path), "ld-musl") {
		x.find("program-musl", Error, "build it on a system with glibc", "%s was built for musl (%s), and wi4go is for glibc",
			x.tree.Nodes[0].Path, path)
	} else if _, err := os.Stat(path); err != nil {
		x.find("interpreter-missing", Error, cure, "%s wants %s to load it, which is not here", x.tree.Nodes[0].Path, path)
	}
}

// missing tells of a needed library that is not found, unless a front or the
// runtime takes its place.
func (x *exam) missing(m ldso.Missing) {
	f, part := family.OfLibrary(m.Name)
	switch {
	case f != nil && (part == family.C || part == family.Fortran):
		return // the runtime's or our place to fill; Fortran was refused by launch
	case f != nil && part == family.Cxx && x.program != nil && !x.program.UsesCxx:
		return // an empty library takes its place
	case len(m.Unfit) > 0:
		x.find("library-machine", Error, "install the one for this machine, or take that directory out of the search",
			"%s needs %s, and %s is for another machine, or damaged", m.Loader.Path, m.Name, some(m.Unfit))
	case f != nil && part == family.Cxx:
		x.find("cxx-missing", Error, "install the C++ library of "+f.Title+", or copy it from where the program was built to a "+
			"directory in LD_LIBRARY_PATH", "%s needs %s, the C++ bindings of %s, and nothing here provides it",
			m.Loader.Path, m.Name, f.Title)
	default:
		x.find("library-missing", Error, "install the package that has it, or put its directory into LD_LIBRARY_PATH",
			"%s needs %s, and nothing here provides it", m.Loader.Path, m.Name)
	}
}

// versions compares the symbol versions that the objects want with those that
// their libraries define. A library that the program brings serves the runtime
// too, since it is there first.
func (x *exam) versions() {
	held := &ldso.Tree{Nodes: slices.Concat(x.tree.Nodes, x.late.Nodes)}
	for _, n := range held.Nodes {
		unmet := map[*ldso.Node][]string{}
		var libraries []*ldso.Node
		for _, need := range n.VersionNeeds {
			library := held.Find(need.Library)
			if library == nil || need.Weak || len(library.Versions) == 0 || slices.Contains(library.Versions, need.Version) {
				continue
			}
			if unmet[library] == nil {
				libraries = append(libraries, library)
			}
			unmet[library] = append(unmet[library], need.Version)
		}
		for _, library := range libraries {
			x.unmet(n, library, unmet[library])
		}
	}
}

func (x *exam) unmet(n, library *ldso.Node, versions []string) {
	prefix, _, _ := strings.Cut(versions[0], "_")
	id, cure := "library-version", "put a newer one first in LD_LIBRARY_PATH"
	switch {
	case strings.HasPrefix(library.Name, "libc.so.") || prefix == "GLIBC":
		id, cure = "glibc-version", "run it on a system that is as new as the one it was built on, or in a container of that "+
			"(wi4go env --container), or build it on an older one"
	case strings.HasPrefix(library.Name, "libstdc++."):
		id, cure = "libstdcxx-version", "put the directory of a newer libstdc++.so.6 (that of the compiler that built it) first in LD_LIBRARY_PATH"
	}
	here := highest(library.Versions, prefix+"_")
	if here == "" {
		here = "none of that kind"
	}
	x.find(id, Error, cure, "%s needs %s of %s, and %s has up to %s", n.Path, highest(versions, prefix+"_"), library.Name,
		library.Path, here)
}

// highest is the highest version with a prefix, by the numbers in it; "" where
// there is none.
func highest(versions []string, prefix string) string {
	best := ""
	for _, v := range versions {
		rest, found := strings.CutPrefix(v, prefix)
		if found && number.MatchString(rest) && (best == "" || newer(rest, best[len(prefix):])) {
			best = v
		}
	}
	if best == "" && len(versions) > 0 && strings.HasPrefix(versions[0], prefix) {
		return versions[0]
	}
	return best
}

var number = regexp.MustCompile(`^\d+(\.\d+)*$`)

func newer(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	return slices.CompareFunc(x, y, func(p, q string) int {
		m, _ := strconv.Atoi(p) // both are digits
		n, _ := strconv.Atoi(q)
		return m - n
	}) > 0
}

// ours says whether a file is of a wi4go: of this one, or of another copy, by
// the layout of an installation.
func (x *exam) ours(path string) (ours, other bool) {
	if x.Launcher.Tree.IsOurs(path) {
		return true, false
	}
	dir, name := filepath.Split(filepath.Dir(path))
	if _, err := family.Of(name); err != nil {
		return false, false
	}
	_, err := os.Stat(filepath.Join(dir, core))
	return false, err == nil
}

// secondMPI looks for MPI libraries that a process would load beside the one
// that does the work, and for parts of another MPI that the program's DT_RPATH
// puts in the place of the runtime's own.
func (x *exam) secondMPI() {
	if x.job == nil {
		return
	}
	for _, n := range slices.Concat(x.tree.Nodes[1:], x.late.Nodes) {
		if !x.job.Native() && x.job.Program != nil && slices.Contains(x.job.Program.Sonames, n.Name) {
			continue // a front, or what will be a link to one
		}
		ours, another := x.ours(n.Path)
		if ours || another || sameFile(n.Path, x.runtime.Library) || family.OfExports(n.Soname, n.Defines) == nil {
			continue
		}
		x.second(n, "%s (%s, for %s) is loaded beside %s: two MPI libraries in one process", n.Path, by(n), n.Loader.Name,
			x.runtime.Library)
	}
	alone, err := x.search().Load(x.runtime.Library)
	if err != nil {
		return
	}
	for _, n := range alone.Nodes[1:] {
		held := x.tree.Find(n.Name)
		if held == nil && len(x.late.Nodes) > 0 {
			held = x.late.Find(n.Name)
		}
		if held != nil && x.runtime.Family.IsPrivate(n.Name) && !sameFile(held.Path, n.Path) {
			x.second(held, "%s gets %s (%s) in place of its own %s: parts of two MPI libraries in one process", x.runtime.Library,
				held.Path, by(held), n.Path)
		}
	}
}

// libraryPath finds an absolute path of a shared library in a text.
var libraryPath = regexp.MustCompile(`/[^\s"'<>|;:(){}=,]*\.so(\.\d+)*\b`)

// mostText is how much of a file that may be a script is read.
const mostText = 256 << 10

// openedByPath looks into the texts that the command names for MPI libraries of the
// program's family that are named by their path: to dlopen, no other file stands for
// such a name.
func (x *exam) openedByPath() {
	if x.job == nil || x.job.Native() || x.job.Audited() {
		return
	}
	for _, word := range x.Argv {
		file := word
		if !filepath.IsAbs(file) {
			file = filepath.Join(x.Dir, word)
		}
		text, err := elfobj.Head(file, mostText)
		if err != nil || bytes.HasPrefix(text, []byte("\x7fELF")) {
			continue
		}
		for _, path := range libraryPath.FindAllString(string(text), -1) {
			if f, part := family.OfLibrary(path); f == x.job.From && part == family.C {
				if ours, _ := x.ours(path); !ours {
					x.find("opened-by-path", Warning, fmt.Sprintf("have it open %s by that name alone", filepath.Base(path)),
						"%s names %s by its path: if it opens that, the library itself comes into the process, and not what stands in for it", word, path)
				}
			}
		}
	}
}

func by(n *ldso.Node) string {
	if n.How == ldso.ByPath {
		return "by its path"
	}
	return "by " + n.How
}

func (x *exam) second(n *ldso.Node, format string, args ...any) {
	id, cure := "two-mpis", "take it out of what names it"
	switch n.How {
	case ldso.ByRPath:
		id, cure = "rpath-second-mpi", fmt.Sprintf("take the DT_RPATH out (patchelf --remove-rpath %s)", x.tree.Nodes[0].Path)
	case ldso.ByPreload:
		cure = "take it out of LD_PRELOAD"
	case ldso.ByPath:
		cure = fmt.Sprintf("have %s name it by its soname (patchelf --replace-needed)", n.Loader.Path)
	}
	x.find(id, Error, cure, format, args...)
}

// The room for thread-local storage of libraries that are opened late: what
// glibc keeps beside glibc.rtld.optional_static_tls, whose default is 512
// (measured: 1,700 bytes can be had, 1,800 not).
const (
	staticTLS         = 1152
	optionalStaticTLS = 512
)

var staticTLSTunable = regexp.MustCompile(`glibc\.rtld\.optional_static_tls=(0x[0-9a-fA-F]+|\d+)`)

// threadLocal adds up what the libraries that are opened late want in the
// static block.
func (x *exam) threadLocal() {
	room := uint64(staticTLS + optionalStaticTLS)
	if m := staticTLSTunable.FindStringSubmatch(x.getenv("GLIBC_TUNABLES")); m != nil {
		if n, err := strconv.ParseUint(m[1], 0, 32); err == nil {
			room = staticTLS + n
		}
	}
	var needed uint64
	var names []string
	for _, n := range x.late.Nodes {
		if n.StaticTLS > 0 {
			needed += n.StaticTLS
			names = append(names, fmt.Sprintf("%s (%d)", filepath.Base(n.Path), n.StaticTLS))
		}
	}
	if needed > room {
		x.find("static-tls", Error, fmt.Sprintf("GLIBC_TUNABLES=glibc.rtld.optional_static_tls=%d in the environment", needed+optionalStaticTLS),
			"the libraries that the first MPI call opens want %d bytes of static thread-local storage, and there is room for %d: %s",
			needed, room, some(names))
	}
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
