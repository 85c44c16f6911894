package doctor

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"wi4go/internal/family"
	"wi4go/internal/launch"
	"wi4go/internal/launchers"
	"wi4go/internal/ldso"
	"wi4go/internal/pattern"
	"wi4go/internal/program"
	"wi4go/internal/runtimes"
)

// userLevel matches the library of Argobots, which has user-level threads.
var userLevel = pattern.New(`^libabt\.so`)

// preloads checks the libraries that LD_PRELOAD puts into every process, and libraries of the
// program and the runtime that conflict with a front.
func (x *exam) preloads() {
	if x.tree == nil {
		return
	}
	for _, item := range ldso.SplitPreload(x.getenv("LD_PRELOAD")) {
		// Examine the items that the dynamic linker does not load.
		if !slices.ContainsFunc(x.tree.Nodes, func(n *ldso.Node) bool { return n.Name == item }) {
			switch own, _ := x.isWi4go(item); {
			case own:
			case x.job != nil && launch.IsMPILibrary(item):
				x.addFinding("preload-mpi", Note, "remove it from LD_PRELOAD", "LD_PRELOAD names an MPI library, %s, which `wi4go run` and `exec` remove", item)
			default:
				x.addFinding("preload-missing", Warning, "remove it from LD_PRELOAD, or correct it",
					"LD_PRELOAD names %s, which is missing, or not for this machine", item)
			}
		}
	}
	first := true // no library precedes this one
	for _, n := range x.tree.Nodes[1:] {
		if n.FoundBy == ldso.ByPreload {
			x.preload(n)
		}
		if program.IsSanitizer(n.Path) && !first && !strings.Contains(x.getenv("ASAN_OPTIONS"), "verify_asan_link_order=0") {
			x.addFinding("sanitizer", Error, "put it first, with LD_PRELOAD="+n.Path+", or set ASAN_OPTIONS=verify_asan_link_order=0",
				"%s ends every process in which it is not the first library, but other libraries are preloaded", n.Path)
		}
		first = first && n.FoundBy != ldso.ByPreload
	}
	for _, n := range slices.Concat(x.tree.Nodes, x.later.Nodes) {
		if userLevel.MatchString(filepath.Base(n.Path)) {
			x.addFinding("user-level-threads", Error, "use a library built without Argobots",
				"%s (needed by %s) switches threads inside MPI calls, which wi4go does not support", n.Path, n.Loader.Name)
		}
	}
}

// preload checks one preloaded library.
func (x *exam) preload(n *ldso.Node) {
	const out = "remove it from LD_PRELOAD"
	own, another := x.isWi4go(n.Path)
	switch {
	case own:
		return
	case another:
		x.addFinding("preload-front", Error, out, "LD_PRELOAD names %s, a front of another copy of wi4go", n.Path)
		return
	case family.OfExports(n.Soname, n.Defines) != nil:
		if x.job == nil {
			x.addFinding("preload-mpi", Warning, out, "LD_PRELOAD puts an MPI library into every process: %s", n.Path)
		} // else there are two MPI libraries, which secondMPI reports
		return
	case !definesMPI(n) || x.program == nil:
		return
	}
	for _, name := range n.Needed {
		if f, _ := family.OfLibrary(name); f != nil && f != x.program.Family {
			x.addFinding("preload-tool", Error, "build it with "+x.program.Family.Title+", like the program",
				"LD_PRELOAD names %s, a tool for %s programs (it needs %s), but %s is a program of %s",
				n.Path, f.Title, name, x.program.Path, x.program.Family.Title)
		}
	}
}

// definesMPI reports whether a library exports functions of MPI, as a tool on top of MPI does.
func definesMPI(n *ldso.Node) bool {
	for symbol := range n.Exports() {
		if family.IsC(symbol) {
			return true
		}
	}
	return false
}

// ownVariables maps each variable that wi4go reads to its allowed values, separated by "|". ""
// allows any value except the empty one.
var ownVariables = map[string]string{
	"WI4GO_TO":              "",
	"WI4GO_FROM":            strings.Join(family.Names(), "|"),
	"WI4GO_FROM_VERSION":    "",
	"WI4GO_FROM_DRAFT":      "0|1",
	"WI4GO_IDENTITY":        "always",
	"WI4GO_LIBRARY_VERSION": "runtime",
	"WI4GO_HANDLES":         "report",
	"WI4GO_CC":              "",
	"WI4GO_CXX":             "",
	"WI4GO_FC":              "",
	"WI4GO_NORPATH":         "",
	"WI4GO_SAFETY_NET":      "yes|say",
	"WI4GO_STRICT":          "0|1",
	"WI4GO_AUDIT":           "0|1",
	"WI4GO_NATIVE":          strings.Join(family.Names(), "|"),
	"WI4GO_KEEP_FORTRAN":    "1",
	"WI4GO_LIBRARY_PATH":    "",
	"WI4GO_TEST_CHUNK":      "",
	"WI4GO_RANK_VARIABLES":  "",
	"WI4GO_INSTEAD":         "",
}

// foreign lists the prefixes of variables that only some vendors' libraries read.
var foreign = []struct {
	prefix  string
	vendors []*runtimes.Vendor
}{
	{"OMPI_MCA_", []*runtimes.Vendor{runtimes.OpenMPI}},
	{"PRTE_MCA_", []*runtimes.Vendor{runtimes.OpenMPI}},
	{"PMIX_MCA_", []*runtimes.Vendor{runtimes.OpenMPI}},
	{"MPIR_CVAR_", []*runtimes.Vendor{runtimes.MPICH, runtimes.IntelMPI, runtimes.MVAPICH, runtimes.CrayMPICH}},
	{"I_MPI_", []*runtimes.Vendor{runtimes.IntelMPI}},
	{"MV2_", []*runtimes.Vendor{runtimes.MVAPICH}},
	{"MVP_", []*runtimes.Vendor{runtimes.MVAPICH}},
}

// variables checks the environment other than LD_PRELOAD: wi4go's own variables, variables that
// only MPI libraries other than the chosen one read, and the conditions of Open MPI for the
// user root.
func (x *exam) variables() {
	ignored := map[*runtimes.Vendor][]string{}
	var vendors []*runtimes.Vendor
	for _, v := range x.Environ {
		name, value, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "WI4GO_") {
			x.ownVariable(name, value)
		}
		for _, f := range foreign {
			if !strings.HasPrefix(name, f.prefix) || x.runtime == nil || name == "I_MPI_ROOT" || x.inJob() ||
				slices.ContainsFunc(f.vendors, func(v *runtimes.Vendor) bool { return v.Name == x.runtime.Vendor }) {
				continue
			}
			vendor := f.vendors[0]
			if ignored[vendor] == nil {
				vendors = append(vendors, vendor)
			}
			ignored[vendor] = append(ignored[vendor], name)
		}
	}
	for _, vendor := range vendors {
		slices.Sort(ignored[vendor])
		x.addFinding("variables-ignored", Warning, "set the variables and options of "+x.runtime.Title()+" instead, and unset these",
			"%s: variables for %s, which %s does not read", summarize(ignored[vendor]), vendor.Title, x.runtime.Title())
	}
	x.root()
}

// ownVariable checks the value of a WI4GO_ variable.
func (x *exam) ownVariable(name, value string) {
	allowed, known := ownVariables[name]
	switch {
	case !known:
		x.addFinding("variable-unknown", Warning, "unset it, or correct its name; the nearest name is "+nearest(name), "%s is not a variable of wi4go", name)
	case value == "":
		x.addFinding("variable-empty", Warning, "set it, or unset it", "%s is empty", name)
	case allowed != "" && !slices.Contains(strings.Split(allowed, "|"), value):
		x.addFinding("variable-value", Warning, "set it to "+strings.ReplaceAll(allowed, "|", " or ")+", or unset it",
			"%s is %q, which is not a valid value", name, value)
	}
}

// nearest returns the wi4go variable with the most similar spelling.
func nearest(name string) string {
	best, least := "", 0
	for known := range ownVariables {
		if d := distance(name, known); best == "" || d < least || d == least && known < best {
			best, least = known, d
		}
	}
	return best
}

// distance returns the Levenshtein distance of a and b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal, row[j+1] = row[j+1], min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// root checks the conditions that a launcher, such as Open MPI's, sets for the user root.
func (x *exam) root() {
	if x.UID != 0 || x.inJob() {
		return
	}
	entries, severity := x.entries, Note
	if x.runtime != nil {
		entries, severity = []runtimes.Entry{x.entry}, Error
	}
	for _, l := range launchers.All {
		var unset []string
		for _, name := range l.Root.Variables {
			if x.getenv(name) != "1" {
				unset = append(unset, name+"=1")
			}
		}
		if v := runtimes.VendorOfLauncher(l); len(unset) > 0 && slices.ContainsFunc(entries, func(e runtimes.Entry) bool { return e.StartedBy() == l }) {
			x.addFinding("root-openmpi", severity, "set "+strings.Join(unset, " ")+", or give mpiexec "+l.Root.Option+"; better, use another user",
				"you are root, and the mpiexec of %s refuses to run as root", v.Title)
		}
	}
}

// inJob reports whether a launcher started this process.
func (x *exam) inJob() bool {
	return x.getenv("PMIX_RANK") != "" || slices.ContainsFunc(launchers.All, func(l *launchers.Launcher) bool {
		return l.Step == nil && x.getenv(l.Process.Mark) != ""
	})
}

// launcher checks that the launcher of the ranks fits the runtime.
func (x *exam) launcher() {
	rt := x.runtime
	if rt == nil {
		return
	}
	if _, err := x.Launcher.Mpiexec(rt); err != nil {
		severity := Error
		if x.inJob() || x.getenv("SLURM_JOB_ID") != "" {
			severity = Warning // srun starts the ranks
		}
		x.addError(err, "no-launcher", severity)
	}
	if err := x.CheckLauncher(rt, x.Argv); err != nil {
		x.addError(err, "wrong-launcher", Error)
	}
	x.pathLauncher()
	x.slurmPlugin()
	x.reachable()
}

// session checks that the launcher of the runtime, or of each runtime if none was requested, can
// create the files of a job.
func (x *exam) session() {
	if x.inJob() {
		return
	}
	entries, severity := x.entries, Warning
	if x.runtime != nil {
		entries, severity = []runtimes.Entry{x.entry}, Error
	}
	for _, e := range entries {
		if err := x.Directories.Session(e.StartedBy(), nil, x.getenv); err != nil {
			x.addError(err, "session-directory", severity)
		}
	}
}

// pathLauncher reports an mpiexec in PATH that a user would type and that belongs to another
// family.
func (x *exam) pathLauncher() {
	for _, dir := range filepath.SplitList(x.getenv("PATH")) {
		path := filepath.Join(dir, "mpiexec")
		l := runtimes.LauncherOf(path)
		if l == nil {
			continue
		}
		if v := runtimes.VendorOfLauncher(l); v != nil && l != x.runtime.StartedBy() && x.runtime.Launcher != "" {
			x.addFinding("path-launcher", Note, "start the program with `wi4go run`, which uses "+x.runtime.Launcher,
				"the mpiexec in PATH (%s) belongs to %s and cannot start ranks of %s", path, v.Title, x.runtime.Title())
		}
		return
	}
}

// slurmPlugin checks that the process manager srun offers is one the runtime supports.
func (x *exam) slurmPlugin() {
	step := launchers.OfSteps().Step
	plugin := x.getenv(step.Plugin)
	if plugin == "" || x.inJob() || len(x.entry.ProcessManagers) == 0 {
		return
	}
	offered := map[launchers.Manager][]string{launchers.PMI: {"pmi1", "pmi2"}, launchers.PMIx: {"pmix"}}[step.ManagerOf(plugin)]
	if !slices.ContainsFunc(offered, func(o string) bool { return slices.Contains(x.entry.ProcessManagers, o) }) {
		// Suggest PMIx if the runtime supports it.
		right := "pmi2"
		if slices.Contains(x.entry.ProcessManagers, "pmix") {
			right = "pmix"
		}
		x.addFinding("process-manager", Warning, "start it with srun --mpi="+right, "srun uses %s (%s), but %s supports %s: each "+
			"process under srun runs as rank 0 of 1", plugin, step.Plugin, x.entry.Product, strings.Join(x.entry.ProcessManagers, " and "))
	}
}

// reachable checks that the process manager named in the environment can be reached. A
// container may have inherited the variables without the file or directory that they name.
func (x *exam) reachable() {
	const cure = "share it with the container: bind the directory, pass open files (podman: --preserve-fds), or start the launcher inside the " +
		"container"
	if fd := x.getenv("PMI_FD"); fd != "" && x.runtime.StartedBy().Manager != launchers.PMIx {
		if _, err := os.Lstat(filepath.Join(x.Root, "/proc/self/fd", fd)); err != nil {
			x.addFinding("process-manager-lost", Error, cure, "the launcher cannot be reached: PMI_FD names the open file %s, which is not open here", fd)
		}
	}
	if dir := x.getenv("PMIX_SERVER_TMPDIR"); dir != "" && x.runtime.StartedBy().Manager == launchers.PMIx {
		if _, err := os.Stat(filepath.Join(x.Root, dir)); err != nil {
			x.addFinding("process-manager-lost", Error, cure, "the launcher cannot be reached: PMIX_SERVER_TMPDIR names %s, which does not exist here", dir)
		}
	}
}
