// Package rankvars translates rank variables between launchers. The launcher of each MPI gives a
// process its rank before MPI_Init in variables (OMPI_COMM_WORLD_LOCAL_RANK, MPI_LOCALRANKID). If
// the launcher of another family has started the process, this package sets the variables of the
// program's own MPI, with the values of the launcher that was used.
//
// It must not know of files, processes or libraries: an environment goes in, variables come out. Fronts
// and the embedded MPI follow the same rules in C (c/launchers/launchers.c), for the program that loads them;
// tests/launchers compares both.
package rankvars

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"wi4go/internal/family"
	"wi4go/internal/launchers"
	"wi4go/internal/pattern"
)

// Variable is the variable that lists the rank variables that wi4go has set, separated by commas.
// The user sets it to 0 to have none set.
const Variable = "WI4GO_RANK_VARIABLES"

// Refused reports whether the user has turned the rank variables off.
func Refused(getenv func(string) string) bool { return getenv(Variable) == "0" }

// A Var is a variable of an environment.
type Var struct{ Name, Value string }

// FromLauncher returns a lookup in an environment that hides the rank variables set by wi4go. The
// lookup finds only variables that a launcher has set.
func FromLauncher(getenv func(string) string) func(string) string {
	hidden := setByWi4go(getenv)
	return func(name string) string {
		if slices.Contains(hidden, name) {
			return ""
		}
		return getenv(name)
	}
}

// setByWi4go returns the names of the rank variables that wi4go has set. A launcher started later
// overwrites its own variables but not the list. Its signs (launchers.Process) show that it did.
func setByWi4go(getenv func(string) string) (names []string) {
	for name := range strings.SplitSeq(getenv(Variable), ",") {
		sets := func(l *launchers.Launcher) bool { return slices.Contains(l.Numbers.Names(), name) }
		hides := func(l *launchers.Launcher) bool { return sets(l) && isSigned(getenv, l) }
		if slices.ContainsFunc(setters, sets) && !slices.ContainsFunc(setters, hides) {
			names = append(names, name)
		}
	}
	return names
}

// setters are the launchers that start programs of some families, and pass each process its numbers in
// variables of their own. The table in C has the same order.
var setters = slices.DeleteFunc(slices.Clone(launchers.All), func(l *launchers.Launcher) bool {
	return len(l.Numbers.Rank) == 0 || l.EveryFamily || l.Step != nil
})

// oneHost is wi4go's own launcher, of the embedded MPI, which starts programs of every family.
var oneHost = launchers.OfEveryFamily()

// srun is the launcher of a batch system.
var srun = launchers.OfSteps()

// isSigned reports whether the launcher has started this process: it sets variables that wi4go never
// sets.
func isSigned(getenv func(string) string, l *launchers.Launcher) bool {
	return slices.ContainsFunc(l.Process.Signs, func(name string) bool { return getenv(name) != "" })
}

// A Start describes the start of this process, as the environment shows it.
type Start struct {
	// By is the launcher that has started this process; nil if none has.
	By *launchers.Launcher
	// Like is the launcher whose libraries learn their numbers from By: By itself, or for a step of a batch
	// system a launcher with the same process manager. It is nil if there is none.
	Like *launchers.Launcher
	// Numbers are rank, size, local rank, local size and rank on the node, in the order of
	// launchers.Numbers. A number that the launcher does not give is "".
	Numbers [launchers.NumberCount]string
}

// Find returns the start of a process with this environment. c/launchers/launchers.c has the same
// rules.
func Find(getenv func(string) string) (s Start) {
	lookup := FromLauncher(getenv)
	s.Like = like(lookup)
	s.By = s.Like
	if s.Like != nil {
		for i, names := range s.Like.Numbers.ByNumber() {
			s.Numbers[i] = Number(lookup, names)
		}
	}
	// srun's numbers apply to this process, unless it was started by a launcher inside the step,
	// which numbers its processes in its own way.
	task := taskNumbers(lookup)
	if IsStep(lookup) && agree(s.Numbers[rank], task[rank]) && agree(s.Numbers[size], task[size]) && agree(lookup("PMIX_RANK"), task[rank]) {
		if s.Like != oneHost && task[rank] != "" && task[size] != "" {
			s.By = srun
		}
		for i, value := range task {
			s.Numbers[i] = cmp.Or(s.Numbers[i], value)
		}
	}
	// The local rank is the rank on the node too, unless the process was spawned: processes of
	// other jobs on the host come before spawned ones.
	if spawned := lookup("PMI_SPAWNED"); s.Numbers[nodeRank] == "" && (spawned == "" || spawned == "0") {
		s.Numbers[nodeRank] = s.Numbers[localRank]
	}
	return s
}

// Missing returns the rank variables that a program of the family lacks, followed by Variable. If
// program is nil or of the standard ABI, it returns the variables of every launcher except the
// one that has started this process, because the program may read any of them. If the launcher of the embedded MPI has started
// this process, it returns the variables of every launcher, as that launcher sets them. A number that the launcher does not give
// stays unset, and a variable that a launcher or the user has set keeps its value. Missing returns
// nil if the user has turned the rank variables off, or if no launcher is found.
func Missing(getenv func(string) string, program *family.Family) (vars []Var) {
	if Refused(getenv) {
		return nil
	}
	lookup := FromLauncher(getenv)
	start := Find(getenv)
	if start.Like == nil {
		return nil
	}
	var names []string
	for _, l := range setters {
		served := program == nil || program.Standard || program.Launcher == l.Name || start.Like == oneHost
		if l == start.Like || !served || isSigned(lookup, l) {
			continue
		}
		for i, of := range l.Numbers.ByNumber() {
			for _, name := range of {
				if value := start.Numbers[i]; lookup(name) == "" && value != "" {
					vars, names = append(vars, Var{name, value}), append(names, name)
				}
			}
		}
	}
	if len(vars) > 0 {
		vars = append(vars, Var{Variable, strings.Join(names, ",")})
	}
	return vars
}

// Numbers returns the rank variables of all families, NAME=VALUE, for a launcher of wi4go's own that
// starts all ranks of a job on one host. It returns nil if the user has turned them off.
func Numbers(getenv func(string) string, rank, size string) (vars []string) {
	if Refused(getenv) {
		return nil
	}
	var names []string
	values := [launchers.NumberCount]string{rank, size, rank, size, rank}
	for _, l := range setters {
		for i, of := range l.Numbers.ByNumber() {
			for _, name := range of {
				vars, names = append(vars, name+"="+values[i]), append(names, name)
			}
		}
	}
	return append(vars, Variable+"="+strings.Join(names, ","))
}

// like returns the launcher whose libraries learn their numbers from the launcher of this process, or nil.
func like(lookup func(string) string) *launchers.Launcher {
	ranked := func(l *launchers.Launcher) bool { return Number(lookup, l.Numbers.Rank) != "" }
	for _, l := range setters {
		if isSigned(lookup, l) && ranked(l) {
			return l
		}
	}
	if ranked(oneHost) { // it has removed the signs of launchers that have started it, but not the step's
		return oneHost
	}
	if IsStep(lookup) {
		manager := StepManager(lookup)
		if manager == "" && lookup(srun.Step.Library) != "" {
			manager = launchers.PMI
		}
		for _, l := range setters {
			if l.Manager == manager {
				return l
			}
		}
	}
	if i := slices.IndexFunc(setters, ranked); i >= 0 {
		return setters[i]
	}
	return nil
}

// Indices of the numbers, in the order of launchers.Numbers.
const (
	rank = iota
	size
	localRank
	localSize
	nodeRank
)

// agree reports whether a number equals Slurm's or is not given.
func agree(number, slurm string) bool { return number == "" || number == slurm }

// Number returns the number in the first of these variables that holds one, or "".
func Number(lookup func(string) string, names []string) string {
	for _, name := range names {
		if value := number(lookup(name)); value != "" {
			return value
		}
	}
	return ""
}

// number returns text if it is a number of at most nine digits, else "".
func number(text string) string {
	if len(text) > 9 || strings.Trim(text, "0123456789") != "" {
		return ""
	}
	return text
}

// IsStep reports whether srun has started a process with this environment as a task of a job step.
// Batch scripts and the shells of allocations are special steps, and do not count.
func IsStep(getenv func(string) string) bool {
	step, err := strconv.ParseUint(getenv(srun.Step.Number), 10, 32)
	return err == nil && step < uint64(srun.Step.FirstSpecial)
}

// StepManager returns the process manager that a step of srun offers its tasks, or "" if there is
// none or it is unknown.
func StepManager(getenv func(string) string) launchers.Manager {
	switch plugin := getenv(srun.Step.Plugin); {
	case plugin != "":
		return srun.Step.ManagerOf(plugin)
	case strings.HasPrefix(getenv("PMIX_NAMESPACE"), srun.Step.Namespace):
		return launchers.PMIx
	case getenv("PMI_RANK") != "":
		return launchers.PMI
	}
	return ""
}

// taskNumbers returns the numbers that srun gives a task.
func taskNumbers(lookup func(string) string) (values [launchers.NumberCount]string) {
	for i, names := range srun.Numbers.ByNumber() {
		values[i] = Number(lookup, names)
	}
	values[localSize] = tasksOn(lookup(srun.Step.Node), lookup(srun.Step.Tasks))
	return values
}

// tasks matches an item of Slurm's lists of tasks: "1", or "2(x3)" for three nodes in a row.
var tasks = pattern.New(`^(\d{1,9})(?:\(x(\d{1,9})\))?$`)

// tasksOn returns the number of tasks on the node with this index, from Slurm's list of all nodes
// ("2(x3),1"), or "".
func tasksOn(node, all string) string {
	left, err := strconv.Atoi(number(node))
	if err != nil {
		return ""
	}
	for item := range strings.SplitSeq(all, ",") {
		found := tasks.FindStringSubmatch(item)
		if found == nil {
			return ""
		}
		nodes, err := strconv.Atoi(found[2])
		if err != nil {
			nodes = 1
		}
		if left -= nodes; left < 0 {
			return found[1]
		}
	}
	return ""
}

// Environ returns environ with the rank variables for a program of the family (see Missing), and
// without rank variables that wi4go has set for another program.
func Environ(environ []string, program *family.Family) []string {
	getenv := lookupIn(environ)
	vars := Missing(getenv, program)
	replaced := allSetByWi4go(getenv)
	for _, v := range vars {
		replaced = append(replaced, v.Name)
	}
	out := without(environ, replaced)
	for _, v := range vars {
		out = append(out, v.Name+"="+v.Value)
	}
	return out
}

// WithoutJob returns an environment for starting the launcher with this name; "" means the launcher of the
// embedded MPI. The launcher's processes
// form a new job, so they must not see the rank variables of the job that this process belongs to.
func WithoutJob(environ []string, launcher string) []string {
	stale := allSetByWi4go(lookupIn(environ))
	for _, l := range append(slices.Clone(setters), oneHost) {
		if l == oneHost || l.Name != launcher {
			stale = slices.Concat(stale, l.Process.Signs, l.Numbers.Names())
		}
	}
	return without(environ, stale)
}

// allSetByWi4go returns the names of all variables that wi4go has set, including Variable.
func allSetByWi4go(getenv func(string) string) []string {
	if Refused(getenv) {
		return nil
	}
	return append(setByWi4go(getenv), Variable)
}

// lookupIn returns a lookup in an environment. It returns "" for an unset variable.
func lookupIn(environ []string) func(string) string {
	return func(name string) string {
		for _, v := range environ {
			if value, found := strings.CutPrefix(v, name+"="); found {
				return value
			}
		}
		return ""
	}
}

// without returns environ without the named variables.
func without(environ, names []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(names, name)
	})
}
