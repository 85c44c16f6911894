package doctor

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/launch"
	"wi4go/internal/ldso"
	"wi4go/internal/pattern"
	"wi4go/internal/program"
)

// findRuntime finds the runtime as `wi4go run` would. If there is nothing to run, it examines
// all runtimes.
func (x *exam) findRuntime() {
	settings, err := x.Launcher.Config()
	if err != nil {
		x.addError(err, "configuration", Error)
		return
	}
	for _, line := range settings.Lines {
		x.addFact("setting", settingIn(line.File, line.Text))
	}
	if to := x.getenv("WI4GO_TO"); to != "" {
		x.addFact("setting", settingDetails{"WI4GO_TO", to, "environment", "WI4GO_TO=" + to + " in the environment"})
	}
	if x.To == "" && len(x.Argv) == 0 && x.getenv("WI4GO_TO") == "" {
		x.survey()
		return
	}
	to := x.Launcher.LibraryInside(x.To, launch.Segment{Program: x.Argv, Dir: x.Dir})
	rt, err := x.Launcher.Runtime(to, true)
	if err != nil {
		x.addError(x.Launcher.NoRuntime(err, x.Argv, x.Dir, x.From), "runtime-unusable", Error)
		return
	}
	x.runtime, x.entry = rt, x.Entry(rt)
	x.addFact("runtime", runtimeOf(x.entry))
	if x.Launcher.LastResort(rt, to) {
		x.addError(x.Launcher.OnlyEmbedded(x.Argv, x.Dir, x.From), "no-runtime", Note)
	}
	if err := rt.Ambiguous(); err != nil {
		x.addError(err, "runtime-ambiguous", Warning)
	}
}

// survey examines all runtimes, and reports if none is usable.
func (x *exam) survey() {
	usable, embedded := 0, 0
	for _, e := range x.Survey() {
		x.entries = append(x.entries, e)
		x.addFact("runtime", runtimeOf(e))
		switch {
		case e.Usable():
			usable++
			if e.Traits().IsOwn {
				embedded++
			}
		case e.Object().Machine == elfobj.HostMachine():
			x.addFinding("runtime-broken", Warning, "reinstall it, or remove it", "%s: %s", e.Library, e.Problem)
		}
	}
	if usable == 0 {
		x.addError(x.Launcher.Runtimes.NoneFor(nil), "no-runtime", Error)
		return
	}
	if usable == embedded {
		x.addError(x.Launcher.Runtimes.OnlyEmbedded(nil), "no-runtime", Note)
	}
	if _, err := x.Launcher.Runtime("", true); err != nil { // the configured runtime is wrong
		x.addError(err, "configuration", Error)
	}
}

// readProgram finds the program that the command line runs. If --from gives its family, an
// unreadable program may still run and is no error.
func (x *exam) readProgram() {
	if len(x.Argv) == 0 {
		return
	}
	if _, err := program.LookPath(x.Argv[0], x.Dir); err != nil {
		x.addFinding("program-unreadable", Error, "give the program's name or path as you would start it", "%s", fault.Text(err))
		return
	}
	p, err := x.Launcher.Trace(x.Argv, x.Dir, x.From, x.runtime)
	trusted := x.From != "" && x.From != "auto" && !errors.Is(err, program.ErrNotDynamic) && !errors.Is(err, program.ErrContainsMPI)
	switch {
	case errors.Is(err, program.ErrContainsMPI):
		x.addFact("program", programOf(p))
		return
	case err == nil:
	case trusted, errors.Is(err, program.ErrHasFront):
		return
	case program.IsUndecided(err):
		id, description, _ := fault.Of(err, "program-unknown")
		x.addFinding(id, Note, "if it finds its MPI library through a DT_RPATH, give its family with --from", "%s", description)
		return
	default:
		x.addError(err, "program-unreadable", Error)
		return
	}
	x.program = p
	x.addFact("program", programOf(p))
	if err := p.CheckMachine(); err != nil {
		x.addError(err, "program-machine", Error)
	}
}

// severities has the severity of each of launch's warnings that is more than a warning here.
var severities = map[string]Severity{
	"launcher-in-script": Error, // a launcher ends with an error in a rank, unless WI4GO_STRICT=0
}

// decide lets package launch choose how the program gets onto the runtime, and records its
// refusals and warnings.
func (x *exam) decide() {
	if x.runtime == nil || len(x.Argv) == 0 || x.cannotRun() {
		return
	}
	job, err := x.Launcher.Job(x.Argv, x.Dir, x.From, x.runtime)
	if err == nil && !x.inJob() {
		_, _, err = x.Launcher.Translate([]launch.Segment{{Program: x.Argv, Dir: x.Dir}}, x.runtime)
	}
	if err != nil {
		x.addError(err, "refused", Error)
		return
	}
	if err := x.Launcher.Prepare(job); err != nil { // linking checks what ld.so will find
		x.addError(err, "refused", Error)
		return
	}
	x.job = job
	x.addFact("run", runOf(job))
	for _, warning := range job.Warnings {
		id, _, _ := fault.Of(warning, "preload-lost")
		x.addError(warning, id, cmp.Or(severities[id], Warning))
		if id == "launcher-in-script" { // the script runs without --from in `wi4go shell`
			x.report.Findings = slices.DeleteFunc(x.report.Findings, func(f Finding) bool { return f.ID == "program-unknown" })
		}
	}
	for _, note := range job.Notes {
		x.addError(note, "launcher-in-script", Note)
	}
	if functions := job.MayBeDraft(); len(functions) > 0 {
		x.addFinding("draft-abi", Warning, "use --from intelmpi if it was compiled with Intel MPI's mpi.h, otherwise --from "+job.From.Name,
			"%s was %s; it may pass them to %s", job.Program.Path, program.Draft, summarize(functions))
	}
	x.lacking(job)
}

// lacking reports the functions that the runtime lacks, except those for which launch has warned.
func (x *exam) lacking(job *launch.Job) {
	lacks := job.Lacking()
	if len(lacks.Libraries) > 0 {
		subject := "libraries of %s import"
		if job.Program.IsModule() {
			subject = "%s imports"
		}
		x.addFinding("runtime-lacks", Note, "if it calls them, use another MPI: "+x.Launcher.Instead(&job.Request, lacks.Libraries), subject+" %s, which the "+
			"embedded MPI does not have; a call fails with MPI_ERR_UNSUPPORTED_OPERATION", job.Program.Path, summarize(lacks.Libraries))
	}
	if job.Native() || job.Program == nil {
		return
	}
	reported := lacks.All()
	missing := slices.DeleteFunc(job.Service().Missing, func(name string) bool { return slices.Contains(reported, strings.TrimPrefix(name, "P")) })
	uncalled := job.Uncalled(missing)
	missing = slices.DeleteFunc(missing, func(name string) bool { return slices.Contains(uncalled, name) })
	if len(missing) > 0 {
		x.addFinding("runtime-lacks", Warning, "if it calls them, use another MPI: "+x.Launcher.Instead(&job.Request, missing),
			"%s lacks %s, which the program imports; a call fails with MPI_ERR_UNSUPPORTED_OPERATION", x.runtime.Library, summarize(missing))
	}
	if len(uncalled) > 0 {
		x.addFinding("runtime-lacks", Note, "if it calls them, use another MPI: "+x.Launcher.Instead(&job.Request, uncalled), launch.OnlyInline,
			job.Program.Path, summarize(uncalled), x.runtime.Library)
	}
}

// search returns the search of ld.so for the ranks' libraries.
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

// linking follows the dynamic linker: it finds the libraries that a process of the program
// loads at its start (x.tree) and the libraries that its first MPI call opens (x.late), and
// reports the conflicts. Without a program it starts from wi4go's own core.
func (x *exam) linking() {
	corePath := filepath.Join(x.Launcher.Tree.Fronts(), core)
	search, root := x.search(), &program.Program{Path: corePath}
	if x.program != nil {
		root = x.program
	}
	tree, err := root.Load(search)
	if err != nil || tree.Nodes[0].Machine != elfobj.HostMachine() { // already reported, for the program or the installation
		return
	}
	x.tree, x.later = tree, &ldso.Tree{}
	x.interpreter()
	if x.job == nil || !x.job.Native() {
		x.open(search, corePath)
	}
	if x.runtime != nil {
		x.open(search, x.runtime.Library)
	}
	for _, m := range slices.Concat(x.tree.Missing, x.later.Missing) {
		x.missing(m)
	}
	x.versions()
	x.secondMPI()
	x.threadLocal()
	const because = "library-missing library-machine glibc-version libstdcxx-version library-version"
	known := slices.ContainsFunc(x.report.Findings, func(f Finding) bool { return slices.Contains(strings.Fields(because), f.ID) })
	if x.runtime != nil && x.entry.Problem != "" && !known {
		x.addFinding("runtime-broken", Error, "reinstall it, or name another with --to", "%s: %s", x.runtime.Library, x.entry.Problem)
	}
}

// open adds to x.late a library that a process opens later, with its dependencies.
func (x *exam) open(search ldso.Search, library string) {
	loaded := &ldso.Tree{Nodes: slices.Concat(x.tree.Nodes, x.later.Nodes)}
	if opened, err := search.Open(loaded, library); err == nil { // a missing file of wi4go's was already reported
		x.later.Nodes = append(x.later.Nodes, opened.Nodes...)
		x.later.Missing = append(x.later.Missing, opened.Missing...)
	}
}

// interpreter checks the dynamic linker that the program names.
func (x *exam) interpreter() {
	path := x.tree.Nodes[0].Interp
	if path == "" {
		return
	}
	const cure = "run it in a container with the system that it was built on, or build it here"
	if strings.Contains(filepath.Base(path), "ld-musl") {
		x.addFinding("program-musl", Error, "build it on a system with glibc", "%s was built for musl (%s), but wi4go needs glibc",
			x.tree.Nodes[0].Path, path)
	} else if _, err := os.Stat(path); err != nil {
		x.addFinding("interpreter-missing", Error, cure, "%s needs the dynamic linker %s, which is not on this machine", x.tree.Nodes[0].Path, path)
	}
}

// missing reports a needed library that is not found, unless a front or the runtime takes its
// place.
func (x *exam) missing(m ldso.Missing) {
	f, part := family.OfLibrary(m.Name)
	switch {
	case part == family.C || part == family.Fortran:
		return // the runtime or a front provides it; launch has refused unsupported Fortran
	case f != nil && part == family.Cxx && x.program != nil && !x.program.UsesCxx:
		return // an empty library takes its place
	case len(m.Rejected) > 0:
		x.addFinding("library-machine", Error, "install the one for this machine, or remove that directory from LD_LIBRARY_PATH or the RUNPATH",
			"%s needs %s, but %s is for another machine, or damaged", m.Loader.Path, m.Name, summarize(m.Rejected))
	case f != nil && part == family.Cxx:
		x.addFinding("cxx-missing", Error, "install the C++ library of "+f.Title+", or copy it from the machine that built the program to a "+
			"directory in LD_LIBRARY_PATH", "%s needs %s, the C++ bindings of %s, but it is not on this machine",
			m.Loader.Path, m.Name, f.Title)
	default:
		x.addFinding("library-missing", Error, "install the package that contains it, or add its directory to LD_LIBRARY_PATH",
			"%s needs %s, but it is not on this machine", m.Loader.Path, m.Name)
	}
}

// versions compares the symbol versions that objects need with the ones that their libraries
// define. A library that the program has loaded also serves the runtime, because it is loaded
// first.
func (x *exam) versions() {
	loaded := &ldso.Tree{Nodes: slices.Concat(x.tree.Nodes, x.later.Nodes)}
	for _, n := range loaded.Nodes {
		unmet := map[*ldso.Node][]string{}
		var libraries []*ldso.Node
		for _, need := range n.VersionNeeds {
			library := loaded.Find(need.Library)
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

// unmet reports the versions of library that n needs and library does not define.
func (x *exam) unmet(n, library *ldso.Node, versions []string) {
	prefix, _, _ := strings.Cut(versions[0], "_")
	id, cure := "library-version", "put a newer one first in LD_LIBRARY_PATH"
	switch {
	case strings.HasPrefix(library.Name, "libc.so.") || prefix == "GLIBC":
		id, cure = "glibc-version", "run it on a system as new as the one that it was built on, or in a container with that system (wi4go env "+
			"--container), or build it on an older one"
	case strings.HasPrefix(library.Name, "libstdc++."):
		id, cure = "libstdcxx-version", "put the directory of a newer libstdc++.so.6 (from the compiler that built it) first in LD_LIBRARY_PATH"
	}
	defined := highest(library.Versions, prefix+"_")
	if defined == "" {
		defined = "of another kind"
	}
	x.addFinding(id, Error, cure, "%s needs %s of %s, but the newest in %s is %s", n.Path, highest(versions, prefix+"_"), library.Name,
		library.Path, defined)
}

// highest returns the version with the given prefix that has the highest number, or "" if there
// is none.
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

// number matches a dotted version number.
var number = pattern.New(`^\d+(\.\d+)*$`)

// newer reports whether the version number a is greater than b.
func newer(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	return slices.CompareFunc(x, y, func(p, q string) int {
		m, _ := strconv.Atoi(p) // number has matched both
		n, _ := strconv.Atoi(q)
		return m - n
	}) > 0
}

// isWi4go reports whether a file belongs to this wi4go, and whether it belongs to another copy,
// which it recognizes by the layout of an installation.
func (x *exam) isWi4go(path string) (own, other bool) {
	if x.Launcher.Tree.Contains(path) {
		return true, false
	}
	dir, name := filepath.Split(filepath.Dir(path))
	if _, err := family.Of(name); err != nil {
		return false, false
	}
	_, err := os.Stat(filepath.Join(dir, core))
	return false, err == nil
}

// secondMPI reports MPI libraries that a process would load in addition to the runtime, and
// parts of another MPI that the program's DT_RPATH substitutes for the runtime's own.
func (x *exam) secondMPI() {
	if x.job == nil {
		return
	}
	for _, n := range slices.Concat(x.tree.Nodes[1:], x.later.Nodes) {
		if !x.job.Native() && x.job.Program != nil && slices.Contains(x.job.Program.Sonames, n.Name) {
			continue // a front, or a name that will be a link to one
		}
		own, another := x.isWi4go(n.Path)
		if own || another || sameFile(n.Path, x.runtime.Library) || family.OfExports(n.Soname, n.Defines) == nil {
			continue
		}
		x.addSecondMPI(n, "%s (%s, for %s) is loaded in addition to %s: two MPI libraries in one process", n.Path, foundBy(n), n.Loader.Name,
			x.runtime.Library)
	}
	// Compare the libraries that the runtime loads by itself with the ones in the process.
	alone, err := x.search().Load(x.runtime.Library)
	if err != nil {
		return
	}
	for _, n := range alone.Nodes[1:] {
		loaded := x.tree.Find(n.Name)
		if loaded == nil && len(x.later.Nodes) > 0 {
			loaded = x.later.Find(n.Name)
		}
		if loaded != nil && x.runtime.Family.IsPrivate(n.Name) && !sameFile(loaded.Path, n.Path) {
			x.addSecondMPI(loaded, "%s loads %s (%s) instead of its own %s: parts of two MPI libraries in one process", x.runtime.Library,
				loaded.Path, foundBy(loaded), n.Path)
		}
	}
}

// libraryPath matches the absolute path of a shared library in a text.
var libraryPath = pattern.New(`/[^\s"'<>|;:(){}=,]*\.so(\.\d+)*\b`)

// mostText limits how much of a file that may be a script is read, in bytes.
const mostText = 256 << 10

// openedByPath searches the text files on the command line for absolute paths of MPI libraries
// of the program's family. wi4go cannot redirect such a path: dlopen opens exactly that file.
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
			if x.job.From != nil && x.job.From.PartIn(path) == family.C {
				if own, _ := x.isWi4go(path); !own {
					x.addFinding("opened-by-path", Warning, fmt.Sprintf("let it open %s by this name, without a directory", filepath.Base(path)),
						"%s names %s by its path: if it opens this path, it loads that library and not wi4go", word, path)
				}
			}
		}
	}
}

// foundBy returns how a library was found, in words.
func foundBy(n *ldso.Node) string {
	if n.FoundBy == ldso.ByPath {
		return "by its path"
	}
	return "by " + n.FoundBy
}

// addSecondMPI adds a finding about n, an object of a second MPI, with the cure for the way in which
// n was found.
func (x *exam) addSecondMPI(n *ldso.Node, format string, args ...any) {
	id, cure := "two-mpis", "remove it from the list that names it"
	switch n.FoundBy {
	case ldso.ByRPath:
		id, cure = "rpath-second-mpi", fmt.Sprintf("remove the DT_RPATH: patchelf --remove-rpath %s", x.tree.Nodes[0].Path)
	case ldso.ByPreload:
		cure = "remove it from LD_PRELOAD"
	case ldso.ByPath:
		cure = fmt.Sprintf("let %s name it by its soname (patchelf --replace-needed)", n.Loader.Path)
	}
	x.addFinding(id, Error, cure, format, args...)
}

// The room for static thread-local storage of libraries that are opened late: glibc's own
// reserve, and the default of glibc.rtld.optional_static_tls, 512, which is added to it
// (measured: 1,700 bytes are available, 1,800 are not).
const (
	staticTLS         = 1152
	optionalStaticTLS = 512
)

// staticTLSTunable matches the setting of the tunable in GLIBC_TUNABLES.
var staticTLSTunable = pattern.New(`glibc\.rtld\.optional_static_tls=(0x[0-9a-fA-F]+|\d+)`)

// threadLocal checks that the static block has room for the thread-local storage of the
// libraries that are opened late.
func (x *exam) threadLocal() {
	room := uint64(staticTLS + optionalStaticTLS)
	if m := staticTLSTunable.FindStringSubmatch(x.getenv("GLIBC_TUNABLES")); m != nil {
		if n, err := strconv.ParseUint(m[1], 0, 32); err == nil {
			room = staticTLS + n
		}
	}
	var needed uint64
	var names []string
	for _, n := range x.later.Nodes {
		if n.StaticTLS > 0 {
			needed += n.StaticTLS
			names = append(names, fmt.Sprintf("%s (%d)", filepath.Base(n.Path), n.StaticTLS))
		}
	}
	if needed > room {
		x.addFinding("static-tls", Error, fmt.Sprintf("set GLIBC_TUNABLES=glibc.rtld.optional_static_tls=%d", needed+optionalStaticTLS),
			"the libraries that the first MPI call opens need %d bytes of static thread-local storage, but only %d are free: %s",
			needed, room, summarize(names))
	}
}

// sameFile reports whether two paths lead to one file.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
