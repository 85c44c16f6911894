// Package launch turns a command line of mpiexec into the one that runs its
// programs on another MPI library: it finds the programs among the launcher's
// options, decides what environment their ranks need, and hands that to the
// ranks by the launcher's own means.
//
// It must not know how an MPI call is translated, and it starts nothing: what
// comes out is a command for the caller to execute.
package launch

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"wi4go/internal/config"
	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/install"
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
}

// A Var is a variable of the ranks' environment.
type Var struct{ Name, Value string }

func (v Var) String() string { return v.Name + "=" + v.Value }

// AnyCores let a few ranks run wherever one core is, and for root: for runs of our
// own programs, which ask neither.
var AnyCores = []Var{
	{Name: "OMPI_ALLOW_RUN_AS_ROOT", Value: "1"},
	{Name: "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", Value: "1"},
	{Name: "OMPI_MCA_rmaps_base_oversubscribe", Value: "1"},
	{Name: "OMPI_MCA_hwloc_base_binding_policy", Value: "none"},
	{Name: "PRTE_MCA_rmaps_default_mapping_policy", Value: ":oversubscribe"},
	{Name: "PRTE_MCA_hwloc_default_binding_policy", Value: "none"},
}

// A Job is one program on one runtime.
type Job struct {
	Program *program.Program // nil where --from was given and the program could not be read
	From    *family.Family
	Runtime *runtimes.Runtime
	Numbers Numbers // of the program, where it is of the standard ABI
	Native  bool    // the runtime's library itself takes the place of the program's, or is it: no front
	Why     string  // the front is in use although the runtime is of the program's own family: the reason
	Env     []Var   // what its processes need, beyond what they have

	front  string // the file that stands before the runtime, "" where none does
	itself bool   // the program loads the runtime's library unasked
	doubt  bool   // Intel's wrapper has linked it, and its numbers are not known
	links  []link // to be made before it starts
}

// link is a front under another soname.
type link struct{ name, to string }

// Job decides how argv, run in dir, gets onto the runtime. from is a family's
// name, or "auto" or "" to read it off the program.
func (l Launcher) Job(argv []string, dir, from string, rt *runtimes.Runtime) (*Job, error) {
	j := &Job{Runtime: rt}
	p, err := program.Trace(argv, dir, l.Libs)
	j.Program = p
	said := UnknownNumbers
	switch {
	case from == "" || from == "auto":
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
		case from == runtimes.IntelMPI.Name && p != nil && p.Family == family.StandardABI:
			f, said = family.StandardABI, DraftNumbers
		case f == family.StandardABI:
			said = StandardNumbers
		}
		j.From = f
		if errors.Is(err, program.ErrNotDynamic) {
			return nil, err
		}
		if p != nil && p.Family != f && len(p.Via) == 0 {
			return nil, fmt.Errorf("--from %s: %s was built for %s (%s)", f.Name, p.Path, p.Family.Title,
				strings.Join(p.Sonames, ", "))
		}
		// About scripts and wrappers the user's word stands; what the files
		// say besides is kept only where it agrees.
		if p == nil || p.Family != f {
			j.Program = nil
		}
	}
	l.learnNumbers(j, said)
	return j, l.decide(j)
}

// AnyJob is Job, but for a command that is found to start no MPI program, or
// of which that cannot be told (a shell script), too: its processes get the
// runtime's name, for those that they may start.
func (l Launcher) AnyJob(argv []string, dir, from string, rt *runtimes.Runtime) (*Job, error) {
	j, err := l.Job(argv, dir, from, rt)
	if !errors.Is(err, program.ErrNotMPI) && !errors.Is(err, program.ErrAsk) && !errors.Is(err, program.ErrCarriesFront) {
		return j, err
	}
	j = &Job{Runtime: rt, Env: []Var{{"WI4GO_TO", rt.Library}}}
	for _, v := range rt.Env(l.Getenv) {
		j.Env = append(j.Env, Var(v))
	}
	return j, nil
}

// JobOf decides how a program that was already read gets onto the runtime.
func (l Launcher) JobOf(p *program.Program, rt *runtimes.Runtime) (*Job, error) {
	j := &Job{Program: p, From: p.Family, Runtime: rt}
	l.learnNumbers(j, UnknownNumbers)
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
	if err := j.Runtime.CheckEnv(l.Getenv); err != nil {
		return err
	}
	for _, v := range j.Runtime.Env(l.Getenv) {
		j.Env = append(j.Env, Var(v))
	}
	return nil
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
	if j.Program == nil || l.loadsIt(j) {
		return "" // --from was given: trust, and preload
	}
	if why := l.otherCore(j); why != "" {
		return why
	}
	if missing := j.Program.Undefined(rt.Object().Defines); len(missing) > 0 {
		return fmt.Sprintf("%s lacks %s", rt.Library, some(missing))
	}
	if own := j.ownLibrary(); own != nil {
		for _, m := range marks {
			if own.Defines(m.function) && !rt.Object().Defines(m.function) {
				return fmt.Sprintf("the program was linked with a library of MPI-%s, and %s is none", m.level, rt.Library)
			}
		}
	}
	for _, soname := range j.Program.Sonames {
		if soname != rt.Soname {
			return fmt.Sprintf("the program needs %s, and that library's name is %s", soname, rt.Soname)
		}
	}
	if strings.ContainsAny(rt.Library, " :") {
		return fmt.Sprintf("%q holds a space or a colon, which LD_PRELOAD cannot carry", rt.Library)
	}
	return ""
}

// marks are functions by which a library shows that it is of a level. A newer
// program may hand its constants to functions that an older library has, too.
var marks = []struct{ level, function string }{
	{"4.0", "MPI_Session_init"}, {"4.1", "MPI_Get_hw_resource_info"}, {"5.0", "MPI_Abi_get_version"},
}

// translated sets the environment in which the front of the program's family
// stands in for its library.
func (l Launcher) translated(j *Job) error {
	// Within a family its Fortran library calls the front, whose handles are
	// the runtime's own.
	p := j.Program
	if p != nil && (j.Why == "" || len(p.FortranInC()) > 0) {
		if err := p.CheckFortran(); err != nil {
			return err
		}
	}
	fronts, err := l.fronts(j)
	if err != nil {
		return err
	}
	j.front = fronts[0]
	if p != nil {
		if err := checkImports(p, fronts[0]); err != nil {
			return err
		}
		// Preloaded, the runtime and its core come before the other version's.
		if j.From == j.Runtime.Family && l.otherCore(j) != "" {
			if strings.ContainsAny(j.Runtime.Library, " :") {
				return fmt.Errorf("%q holds a space or a colon, which LD_PRELOAD cannot carry", j.Runtime.Library)
			}
			fronts = append(fronts, j.Runtime.Library)
		}
	}
	j.Env = append([]Var{
		{"LD_PRELOAD", l.preload(fronts)},
		{"WI4GO_TO", j.Runtime.Library},
		{"WI4GO_FROM", j.From.Name},
	}, j.Env...)
	if version := j.ownVersion(); version != "" {
		j.Env = append(j.Env, Var{"WI4GO_FROM_VERSION", version})
	}
	j.Env = append(j.Env, l.draftVar(j)...)
	return nil
}

// ownLibrary is the library that the program would have loaded; nil where it is
// not here.
func (j *Job) ownLibrary() *elfobj.Object {
	if j.Program == nil {
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
	if own := j.ownLibrary(); own != nil {
		return runtimes.Identify(own)
	}
	return ""
}

// fronts are the files of the front under the sonames that the program needs.
// Names that the front has no file for (a vendor's) become links to one that
// it has, which ld.so then knows to be the same library.
func (l Launcher) fronts(j *Job) (fronts []string, err error) {
	usual := j.From.Sonames[0]
	sonames := []string{usual}
	if j.Program != nil && len(j.Program.Sonames) > 0 {
		sonames = j.Program.Sonames
	}
	for _, soname := range sonames {
		file := soname
		if !slices.Contains(j.From.Sonames, soname) {
			if node := j.Program.Tree.Find(soname); node != nil && node.How == ldso.ByRPath {
				return nil, fault.New("rpath-second-mpi", "take the DT_RPATH out (patchelf --remove-rpath)",
					"%s finds %s by DT_RPATH (%s), which comes before everything that could put a front of that name there",
					j.Program.Path, soname, node.Path)
			}
			file = usual
		}
		front, err := l.Tree.Front(j.From.Name, file)
		if err != nil {
			return nil, err
		}
		if file != soname {
			j.links = append(j.links, link{soname, front})
		}
		if !slices.Contains(fronts, front) {
			fronts = append(fronts, front)
		}
	}
	return fronts, l.linkDir(j)
}

// checkImports refuses a program that imports something of its family's C
// library that the front does not have: ld.so would stop at it, or the program
// at its first call.
func checkImports(p *program.Program, front string) error {
	object, err := elfobj.Read(front)
	if err != nil {
		return err
	}
	if missing := p.Undefined(object.Defines); len(missing) > 0 {
		return fault.New("symbol-unknown", "run it on the library that it was built with",
			"%s imports %s, which wi4go's front for %s programs does not have", p.Path, some(missing), p.Family.Title)
	}
	return nil
}

// preload puts libraries among those of LD_PRELOAD, without fronts that an
// outer wi4go has put there: behind tools, which stand on top of MPI as they do
// natively, and before other MPI libraries.
func (l Launcher) preload(libraries []string) string {
	var tools, others []string
	for _, old := range strings.FieldsFunc(l.Getenv("LD_PRELOAD"), func(r rune) bool { return r == ':' || r == ' ' }) {
		if slices.Contains(libraries, old) || strings.HasPrefix(old, l.Tree.Fronts()+"/") {
			continue
		}
		if f, _ := family.OfLibrary(old); f != nil {
			others = append(others, old)
		} else {
			tools = append(tools, old)
		}
	}
	return strings.Join(slices.Concat(tools, libraries, others), ":")
}

// native sets the environment in which the program loads the runtime's own
// library, which is of its family. What is preloaded under the soname that the
// program needs comes before whatever a DT_RPATH leads to.
func (l Launcher) native(j *Job) error {
	if j.itself = j.Program != nil && l.loadsIt(j); !j.itself {
		j.Env = []Var{{"LD_PRELOAD", l.preload([]string{j.Runtime.Library})}}
	} else if outer := l.preload(nil); outer != l.Getenv("LD_PRELOAD") {
		j.Env = []Var{{"LD_PRELOAD", outer}} // an outer wi4go's front must go
	}
	return nil
}

// loadsIt says whether the program loads the runtime's library by itself.
func (l Launcher) loadsIt(j *Job) bool {
	return slices.ContainsFunc(j.Program.Sonames, func(soname string) bool {
		node := j.Program.Tree.Find(soname)
		return node != nil && sameFile(node.Path, j.Runtime.Library)
	})
}

// linkDir names the directory for the job's links: in the user's cache, which
// the nodes of a cluster share as they share the program.
func (l Launcher) linkDir(j *Job) error {
	if len(j.links) == 0 {
		return nil
	}
	cache, err := l.CacheDir()
	if err != nil {
		return fmt.Errorf("no place for a link to %s: %w", j.links[0].to, err)
	}
	sum := sha256.Sum256([]byte(j.links[0].to))
	dir := filepath.Join(cache, "wi4go", "sonames", hex.EncodeToString(sum[:6]))
	for i := range j.links {
		j.links[i].name = filepath.Join(dir, j.links[i].name)
	}
	value := dir
	if old := l.Getenv("LD_LIBRARY_PATH"); old != "" {
		value += ":" + old
	}
	j.Env = append(j.Env, Var{"LD_LIBRARY_PATH", value})
	return nil
}

// Links gives the files that the job needs under other names: name → file.
func (j *Job) Links() map[string]string {
	links := map[string]string{}
	for _, k := range j.links {
		links[filepath.Base(k.name)] = k.to
	}
	return links
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
	return j.Program.Service(j.Runtime.Family, j.Runtime.Object().Defines, front)
}

// Prepare makes what the job needs on disk: links to the front under the
// sonames that the program asks for.
func (j *Job) Prepare() error {
	for _, k := range j.links {
		if to, err := os.Readlink(k.name); err == nil && to == k.to {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(k.name), 0o755); err != nil {
			return err
		}
		// Several processes may be here at once: make it aside, then rename.
		aside := fmt.Sprintf("%s.%d", k.name, os.Getpid())
		if err := os.Symlink(k.to, aside); err != nil {
			return err
		}
		if err := os.Rename(aside, k.name); err != nil {
			return err
		}
	}
	return nil
}

// Describe says in one line what runs on what.
func (j *Job) Describe() string {
	what := "a program of " + j.From.Title + " (as --from says)"
	if p := j.Program; p != nil {
		what = fmt.Sprintf("%s, built for %s (%s)", p.Path, p.Family.Title, strings.Join(p.Sonames, ", "))
		if len(p.Via) > 0 {
			what += " by way of " + strings.Join(p.Via, ", ")
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
// too. Where they differ (Open MPI 5 gives the first program's -x to all), or
// where the user's own options set LD_PRELOAD (launchers disagree on which of
// two counts), each program is put behind `wi4go exec`, which merges in the
// rank itself.
func (l Launcher) Command(segments []Segment, jobs []*Job) ([]string, error) {
	rt := jobs[0].Runtime
	mpiexec, err := l.Mpiexec(rt)
	if err != nil {
		return nil, err
	}
	uniform := true
	for _, j := range jobs {
		uniform = uniform && slices.Equal(j.Env, jobs[0].Env)
	}
	wrap := !uniform || l.setsPreload(segments)
	command := []string{mpiexec}
	if !wrap && rt.Family != family.OpenMPI {
		for _, v := range jobs[0].Env {
			command = append(command, "-genv", v.Name, v.Value)
		}
	}
	for i, s := range segments {
		if i > 0 {
			command = append(command, ":")
		}
		if !wrap && rt.Family == family.OpenMPI {
			for _, v := range jobs[i].Env {
				command = append(command, "-x", v.String())
			}
		}
		command = append(command, s.Options...)
		switch {
		case wrap && jobs[i].From == nil:
			command = append(command, "env")
			for _, v := range jobs[i].Env {
				command = append(command, v.String())
			}
		case wrap && len(jobs[i].Env) > 0:
			command = append(command, l.Tree.Command(), "exec", "--from", jobs[i].fromOf(), "--to", rt.Library)
			if l.Identity {
				command = append(command, "--identity")
			}
			command = append(command, "--")
		}
		command = append(command, s.Program...)
	}
	return command, nil
}

// setsPreload says whether the user's own means set what ours would have to.
func (l Launcher) setsPreload(segments []Segment) bool {
	const list = "mca_base_env_list" // Open MPI refuses it beside -x
	if l.Getenv("OMPI_MCA_"+list) != "" {
		return true
	}
	for _, s := range segments {
		for _, o := range s.Options {
			if o == list || o == "LD_PRELOAD" || strings.HasPrefix(o, "LD_PRELOAD=") {
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
			p, err := program.Trace(argv, dir, l.Libs)
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
