// Package rankvars translates rank variables between launchers. The launcher of each MPI gives a
// process its rank before MPI_Init in variables (OMPI_COMM_WORLD_LOCAL_RANK, MPI_LOCALRANKID). If
// the launcher of another family has started the process, this package sets the variables of the
// program's own MPI, with the values of the launcher that was used.
//
// It must not know of files, processes or libraries: an environment goes in, variables come out. A
// front follows the same rules in C for the program that loads it (shim/front/ranks.c).
package rankvars

import (
	"slices"
	"strconv"
	"strings"

	"wi4go/abi"
	"wi4go/internal/family"
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
// overwrites its own variables but not the list. Its signs (Family.Signs) show that it did.
func setByWi4go(getenv func(string) string) (names []string) {
	for name := range strings.SplitSeq(getenv(Variable), ",") {
		if f := setterOf(name); f != nil && !startedBy(getenv, f) {
			names = append(names, name)
		}
	}
	return names
}

// setters are the families whose launchers set rank variables, sorted by name. The fronts' table
// has the same order.
var setters = slices.SortedFunc(slices.Values(slices.DeleteFunc(slices.Clone(family.All), func(f *family.Family) bool { return len(f.RankVariables.Rank) == 0 })),
	func(a, b *family.Family) int { return strings.Compare(a.Name, b.Name) })

// oneHost stands for wi4go's own launcher, of the embedded MPI, which starts all ranks on one host and
// numbers them by these variables (shim/front/ranks.c has the same). Its programs are of every family.
var oneHost = &family.Family{
	Name: "embedded", Signs: []string{"ADI_FD", "ADI_PROGRAM", "ADI_LAUNCHER", "ADI_LIFELINE"},
	RankVariables: abi.RankVariables{
		Rank: []string{"ADI_RANK"}, Size: []string{"ADI_RANKS"}, LocalRank: []string{"ADI_RANK"}, LocalSize: []string{"ADI_RANKS"}, NodeRank: []string{"ADI_RANK"},
	},
}

// setterOf returns the family whose launcher sets this rank variable, or nil.
func setterOf(name string) *family.Family {
	for _, f := range setters {
		if slices.Contains(f.RankVariables.Names(), name) {
			return f
		}
	}
	return nil
}

// startedBy reports whether a launcher of the family has started this process: it sets variables that
// wi4go never sets.
func startedBy(getenv func(string) string, f *family.Family) bool {
	return slices.ContainsFunc(f.Signs, func(name string) bool { return getenv(name) != "" })
}

// Missing returns the rank variables that a program of the family lacks, followed by Variable. If
// program is nil or of the standard ABI, it returns the variables of every family except the
// launcher's, because the program may read any of them. If the launcher of the embedded MPI has started
// this process, it returns the variables of every family, as that launcher sets them. A number that the launcher does not give
// stays unset, and a variable that a launcher or the user has set keeps its value. Missing returns
// nil if the user has turned the rank variables off, or if no launcher is found.
func Missing(getenv func(string) string, program *family.Family) (vars []Var) {
	if Refused(getenv) {
		return nil
	}
	lookup := FromLauncher(getenv)
	launcher := launcherOf(lookup)
	if launcher == nil {
		return nil
	}
	values := numbers(lookup, launcher)
	var names []string
	for _, f := range setters {
		served := program == nil || program.Standard || program == f || launcher == oneHost
		if f == launcher || !served || startedBy(lookup, f) {
			continue
		}
		for i, of := range f.RankVariables.ByNumber() {
			for _, name := range of {
				if lookup(name) == "" && values[i] != "" {
					vars, names = append(vars, Var{name, values[i]}), append(names, name)
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
	values := [abi.RankNumbers]string{rank, size, rank, size, rank}
	for _, f := range setters {
		for i, of := range f.RankVariables.ByNumber() {
			for _, name := range of {
				vars, names = append(vars, name+"="+values[i]), append(names, name)
			}
		}
	}
	return append(vars, Variable+"="+strings.Join(names, ","))
}

// launcherOf returns the family whose libraries understand the launcher of this process, or nil.
func launcherOf(lookup func(string) string) *family.Family {
	ranked := func(f *family.Family) bool { return first(lookup, f.RankVariables.Rank) != "" }
	for _, f := range setters {
		if startedBy(lookup, f) && ranked(f) {
			return f
		}
	}
	if ranked(oneHost) { // it has removed the signs of launchers that have started it, but not the step's
		return oneHost
	}
	if IsStep(lookup) {
		manager := SlurmManager(lookup)
		if manager == "" && lookup(intelPMI) != "" {
			manager = family.PMI
		}
		for _, f := range setters {
			if f.Manager == manager {
				return f
			}
		}
	}
	if i := slices.IndexFunc(setters, ranked); i >= 0 {
		return setters[i]
	}
	return nil
}

// Indices of the numbers, in the order of abi.RankVariables.
const (
	rank = iota
	size
	localRank
	localSize
	nodeRank
)

// numbers returns the numbers that the launcher gives this process; a number that it does not give
// is "".
func numbers(lookup func(string) string, launcher *family.Family) (values [abi.RankNumbers]string) {
	for i, names := range launcher.RankVariables.ByNumber() {
		values[i] = first(lookup, names)
	}
	// srun's numbers apply to this process, unless it was started by a launcher inside the step,
	// which numbers its processes in its own way.
	slurm := slurmNumbers(lookup)
	if IsStep(lookup) && agree(values[rank], slurm[rank]) && agree(values[size], slurm[size]) && agree(lookup("PMIX_RANK"), slurm[rank]) {
		for i, value := range slurm {
			if values[i] == "" {
				values[i] = value
			}
		}
	}
	// The local rank is the rank on the node too, unless the process was spawned: processes of
	// other jobs on the host come before spawned ones.
	if spawned := lookup("PMI_SPAWNED"); values[nodeRank] == "" && (spawned == "" || spawned == "0") {
		values[nodeRank] = values[localRank]
	}
	return values
}

// agree reports whether a number equals Slurm's or is not given.
func agree(number, slurm string) bool { return number == "" || number == slurm }

// first returns the number in the first of these variables that holds one, or "".
func first(lookup func(string) string, names []string) string {
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
	const firstSpecial = 0xfffffff0
	step, err := strconv.ParseUint(getenv("SLURM_STEP_ID"), 10, 32)
	return err == nil && step < firstSpecial
}

// SlurmManager returns the process manager that a step of srun offers its tasks, or "" if there is
// none or it is unknown.
func SlurmManager(getenv func(string) string) family.Manager {
	plugin := getenv("SLURM_MPI_TYPE")
	switch {
	case strings.HasPrefix(plugin, "pmix"), plugin == "" && strings.HasPrefix(getenv("PMIX_NAMESPACE"), "slurm."):
		return family.PMIx
	case plugin == "pmi2", plugin == "cray_shasta", plugin == "" && getenv("PMI_RANK") != "":
		return family.PMI
	}
	return ""
}

// intelPMI is the variable that names Slurm's PMI library to Intel MPI. With it, Intel MPI needs no
// plugin of srun.
const intelPMI = "I_MPI_PMI_LIBRARY"

// slurmNumbers returns the numbers that srun gives a task.
func slurmNumbers(lookup func(string) string) (values [abi.RankNumbers]string) {
	values[rank], values[size] = number(lookup("SLURM_PROCID")), number(lookup("SLURM_STEP_NUM_TASKS"))
	values[localRank], values[localSize] = number(lookup("SLURM_LOCALID")), tasksOn(lookup("SLURM_NODEID"), lookup("SLURM_STEP_TASKS_PER_NODE"))
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
	for _, f := range append(slices.Clone(setters), oneHost) {
		if f == oneHost || f.Launcher != launcher {
			stale = slices.Concat(stale, f.Signs, f.RankVariables.Names())
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
