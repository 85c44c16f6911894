package launch

import (
	"path/filepath"
	"slices"
	"strings"

	"wi4go/internal/audit"
	"wi4go/internal/elfobj"
	"wi4go/internal/fault"
	"wi4go/internal/ldso"
	"wi4go/internal/pattern"
	"wi4go/internal/program"
)

// roomTLS is the size in bytes of the static thread-local storage that an audited process reserves
// for libraries that need it in the static block. It costs each thread that much address space.
const roomTLS = 16384

// audited adds the auditor to the environment of j's processes, unless LD_PRELOAD and
// LD_LIBRARY_PATH alone provably redirect all their requests for an MPI library to wi4go. A plain
// program that is linked with MPI starts without the auditor. If the dynamic linker of this host
// does not accept the auditor, audited adds a warning to the job.
func (l Launcher) audited(j *Job) {
	others := l.otherAuditors()
	if !l.needsAuditor(&j.Placement) {
		if others != l.Getenv("LD_AUDIT") {
			j.Env = append(j.Env, Var{"LD_AUDIT", others}) // an outer wi4go's auditor must go
		}
		return
	}
	auditor := l.Tree.Auditor()
	if err := l.Auditor(auditor); err != nil {
		j.Warnings = append(j.Warnings, fault.New("audit-unavailable", "name the family of the program with --from, or set "+audit.Variable+"=0 if it opens no MPI library by its path",
			"wi4go cannot observe on this host which libraries %s opens, because %v; an MPI library that it opens by its path, or finds "+
				"through an LD_LIBRARY_PATH set by a script, would not be replaced", j.subject(), err))
		return
	}
	j.variables.audit = true
	list, path := auditor, l.Getenv("LD_LIBRARY_PATH")
	if others != "" {
		list = others + ":" + auditor // wi4go's auditor decides last, because other auditors rewrite paths
	}
	j.Env = append(j.Env, Var{"LD_AUDIT", list}, Var{"GLIBC_TUNABLES", audit.Tunables(l.Getenv("GLIBC_TUNABLES"), roomTLS+l.staticTLS(&j.Request))})
	for _, v := range j.Env {
		if v.Name == "LD_LIBRARY_PATH" {
			path = v.Value
		}
	}
	if path == "" {
		path = ":" // no directory: an empty variable would look like a mistake
	}
	j.Env = append(j.Env, Var{"WI4GO_LIBRARY_PATH", path})
	switch {
	case j.Native():
		j.Env = append(j.Env, Var{"WI4GO_NATIVE", j.From.Name})
		if !slices.ContainsFunc(j.Env, func(v Var) bool { return v.Name == "WI4GO_TO" }) {
			j.Env = append(j.Env, Var{"WI4GO_TO", j.Runtime.Library})
		}
	case j.Program != nil && len(j.Program.Fortran) > 0 && j.ownFortran():
		j.Env = append(j.Env, Var{"WI4GO_KEEP_FORTRAN", "1"})
	}
}

// Audited reports whether the job's processes get the auditor.
func (j *Job) Audited() bool { return j.variables.audit }

// needsAuditor reports whether the processes of a job may open MPI libraries that nothing else
// would replace. That is possible if a script, an interpreter or a wrapper starts them, if nothing
// is known about them, if the program itself opens libraries and contains the path of an MPI
// library, or if it starts launchers.
func (l Launcher) needsAuditor(p *Placement) bool {
	switch mode := l.Getenv(audit.Variable); {
	case l.Auditor == nil || l.Contained || p.Way == Static || mode == "0":
		return false
	case mode == "1":
		return true
	case p.startsHeaptrack():
		return false // its library crashes in a process that has an auditor, whatever that does
	case p.Way == Unaided:
		app := p.Program
		return len(app.Overwritten) > 0 || isStartedByOthers(app) && slices.ContainsFunc(app.Tree.Nodes, func(n *ldso.Node) bool {
			return isMPI(n) && n.FoundBy == ldso.ByEnv // a script may set the variable to another value
		})
	}
	return p.Program == nil || isStartedByOthers(p.Program) || opensByPath(p.Program.Tree)
}

// isStartedByOthers reports whether a script, an interpreter or a wrapper starts a program. Valgrind does not
// count: it runs the program in its own process, in an unchanged environment.
func isStartedByOthers(p *program.Program) bool {
	return slices.ContainsFunc(p.Via, func(file string) bool { return filepath.Base(file) != "valgrind" })
}

// startsHeaptrack reports whether the job's processes run under heaptrack.
func (r *Request) startsHeaptrack() bool {
	isHeaptrack := func(file string) bool { return filepath.Base(file) == "heaptrack" }
	return len(r.argv) > 0 && isHeaptrack(r.argv[0]) || r.Program != nil && slices.ContainsFunc(r.Program.Via, isHeaptrack)
}

// libraryPath matches the path of an MPI library in a program's constants, and launcher the name of
// a launcher's command.
var (
	libraryPath = pattern.New(`/lib(mpi|mpich|mpi_abi|open_mpi)[\w-]*\.so`)
	launcher    = pattern.New(`\b(mpirun|mpiexec)\b`)
)

// opensByPath reports whether a program opens libraries at run time and contains the path of an MPI
// library, or starts programs and contains the name of a launcher.
func opensByPath(t *ldso.Tree) bool {
	imports := func(names ...string) bool {
		return slices.ContainsFunc(t.Nodes[0].Imports, func(s elfobj.Symbol) bool { return slices.Contains(names, s.Name) })
	}
	opens := imports("dlopen", "dlmopen")
	starts := imports("system", "popen", "execv", "execve", "execvp", "execvpe", "execl", "execle", "execlp", "posix_spawn", "posix_spawnp")
	if !opens && !starts {
		return false
	}
	text := elfobj.Constants(t.Nodes[0].Path)
	return opens && libraryPath.Match(text) || starts && launcher.Match(text)
}

// staticTLS returns the sum in bytes of the static thread-local storage of the libraries that are
// known: the program's own and the preloaded ones.
func (l Launcher) staticTLS(r *Request) (sum uint64) {
	if r.Program != nil {
		for _, n := range r.Program.Tree.Nodes {
			sum += n.StaticTLS
		}
	}
	for _, file := range ldso.SplitPreload(l.Getenv("LD_PRELOAD")) {
		if o, err := elfobj.Read(file); err == nil {
			sum += o.StaticTLS
		}
	}
	return sum
}

// otherAuditors returns LD_AUDIT without wi4go's auditors, of this installation or another.
func (l Launcher) otherAuditors() string {
	list := strings.Split(l.Getenv("LD_AUDIT"), ":")
	return strings.Join(slices.DeleteFunc(list, func(file string) bool {
		return strings.HasSuffix(file, filepath.Join("/wi4go", filepath.Base(l.Tree.Auditor())))
	}), ":")
}

// subject returns the path of a job's program for a message, or "this program".
func (r *Request) subject() string {
	if r.Program != nil {
		return r.Program.Path
	}
	return "this program"
}
