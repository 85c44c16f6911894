// Package ranks gives a program the variables by which the launcher of its own MPI tells
// each process its rank before MPI_Init (OMPI_COMM_WORLD_LOCAL_RANK, MPI_LOCALRANKID),
// where the launcher of another family has started it. The values are that launcher's.
//
// It must not know of files, processes or libraries: an environment in, variables out.
// A front does the same in C for the program that it is loaded into (shim/front/ranks.c).
package ranks

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"wi4go/abi"
	"wi4go/internal/family"
)

// Variable names the variables that wi4go has set here, with commas between them. Its
// value 0 comes from the user: wi4go sets none.
const Variable = "WI4GO_RANK_VARIABLES"

// Refused reports whether the user wants none of these variables.
func Refused(getenv func(string) string) bool { return getenv(Variable) == "0" }

// A Var is a variable of an environment.
type Var struct{ Name, Value string }

// Told returns an environment without the variables that wi4go has set, so that only those
// of a launcher are left.
func Told(getenv func(string) string) func(string) string {
	set := ours(getenv)
	return func(name string) string {
		if slices.Contains(set, name) {
			return ""
		}
		return getenv(name)
	}
}

// ours returns the names of the variables that wi4go has set. A launcher that this process
// was started by since has overwritten its own, which shows by its signs.
func ours(getenv func(string) string) (set []string) {
	for name := range strings.SplitSeq(getenv(Variable), ",") {
		if f := tellerOf(name); f != nil && !signed(getenv, f) {
			set = append(set, name)
		}
	}
	return set
}

// tellers are the families whose launchers tell ranks by variables, in the order of their
// names, as the fronts have them.
var tellers = slices.SortedFunc(slices.Values(slices.DeleteFunc(slices.Clone(family.All), func(f *family.Family) bool { return len(f.Tells.Rank) == 0 })),
	func(a, b *family.Family) int { return strings.Compare(a.Name, b.Name) })

// tellerOf returns the family whose launcher sets a variable, or nil.
func tellerOf(name string) *family.Family {
	for _, f := range tellers {
		if slices.Contains(f.Tells.Names(), name) {
			return f
		}
	}
	return nil
}

// signed reports whether a launcher of the family has set one of the variables that wi4go
// never sets.
func signed(getenv func(string) string, f *family.Family) bool {
	return slices.ContainsFunc(f.Signs, func(name string) bool { return getenv(name) != "" })
}

// Missing returns the variables that a program of the family lacks, the last of them
// Variable. Of nil, and of the standard ABI, it returns those of every family but the
// launcher's: nothing tells which of them the program reads. What the launcher does not
// tell stays unset, and what is set stays as it is.
func Missing(getenv func(string) string, program *family.Family) (vars []Var) {
	if Refused(getenv) {
		return nil
	}
	told := Told(getenv)
	launcher := launcherOf(told)
	if launcher == nil {
		return nil
	}
	values := places(told, launcher)
	var names []string
	for _, f := range tellers {
		if f == launcher || program != nil && !program.Standard && program != f || signed(told, f) {
			continue
		}
		for place, of := range f.Tells.Places() {
			for _, name := range of {
				if told(name) == "" && values[place] != "" {
					vars, names = append(vars, Var{name, values[place]}), append(names, name)
				}
			}
		}
	}
	if len(vars) > 0 {
		vars = append(vars, Var{Variable, strings.Join(names, ",")})
	}
	return vars
}

// launcherOf returns the family that understands the launcher of this process, or nil.
func launcherOf(told func(string) string) *family.Family {
	tells := func(f *family.Family) bool { return first(told, f.Tells.Rank) != "" }
	for _, f := range tellers {
		if signed(told, f) && tells(f) {
			return f
		}
	}
	if IsStep(told) {
		manager := SlurmManager(told)
		if manager == "" && told(intelPMI) != "" {
			manager = family.PMI
		}
		for _, f := range tellers {
			if f.Manager == manager {
				return f
			}
		}
	}
	if i := slices.IndexFunc(tellers, tells); i >= 0 {
		return tellers[i]
	}
	return nil
}

// The places of numbers in abi.Tells.
const (
	rank = iota
	size
	localRank
	localSize
	nodeRank
)

// places returns the numbers that the launcher tells, "" for each that it does not.
func places(told func(string) string, launcher *family.Family) (values [abi.Places]string) {
	for place, names := range launcher.Tells.Places() {
		values[place] = first(told, names)
	}
	// A step of srun starts the processes, or a launcher inside of the step has, which
	// numbers them in another way.
	slurm := slurmPlaces(told)
	if IsStep(told) && agree(values[rank], slurm[rank]) && agree(values[size], slurm[size]) && agree(told("PMIX_RANK"), slurm[rank]) {
		for place, value := range slurm {
			if values[place] == "" {
				values[place] = value
			}
		}
	}
	// Spawned processes are not the first job on the host.
	if spawned := told("PMI_SPAWNED"); values[nodeRank] == "" && (spawned == "" || spawned == "0") {
		values[nodeRank] = values[localRank]
	}
	return values
}

func agree(a, b string) bool { return a == "" || a == b }

// first returns the first of some variables that is set to a number.
func first(told func(string) string, names []string) string {
	for _, name := range names {
		if value := number(told(name)); value != "" {
			return value
		}
	}
	return ""
}

// number returns a text that is a number of at most nine digits, or "".
func number(text string) string {
	if len(text) > 9 || strings.Trim(text, "0123456789") != "" {
		return ""
	}
	return text
}

// IsStep reports whether srun has started a process with this environment as a task of a
// step. A batch script and the shell of an allocation are special steps.
func IsStep(getenv func(string) string) bool {
	const firstSpecial = 0xfffffff0
	step, err := strconv.ParseUint(getenv("SLURM_STEP_ID"), 10, 32)
	return err == nil && step < firstSpecial
}

// SlurmManager returns what a step of srun speaks with its tasks, "" for nothing.
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

// intelPMI names Slurm's own PMI library to Intel MPI, which then needs no plugin of srun.
const intelPMI = "I_MPI_PMI_LIBRARY"

// slurmPlaces returns the numbers that srun tells.
func slurmPlaces(told func(string) string) (values [abi.Places]string) {
	values[rank], values[size] = number(told("SLURM_PROCID")), number(told("SLURM_STEP_NUM_TASKS"))
	values[localRank], values[localSize] = number(told("SLURM_LOCALID")), tasksOn(told("SLURM_NODEID"), told("SLURM_STEP_TASKS_PER_NODE"))
	return values
}

// tasks are the tasks of a node, and of how many nodes in a row, as Slurm writes them:
// "2(x3)", "1".
var tasks = regexp.MustCompile(`^(\d{1,9})(?:\(x(\d{1,9})\))?$`)

// tasksOn returns the number of tasks on a node from those of all nodes ("2(x3),1"), or "".
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

// Environ returns an environment for a program of the family (see Missing), in place of
// one that wi4go has made for another program.
func Environ(environ []string, program *family.Family) []string {
	getenv := in(environ)
	vars := Missing(getenv, program)
	replaced := marks(getenv)
	for _, v := range vars {
		replaced = append(replaced, v.Name)
	}
	out := without(environ, replaced)
	for _, v := range vars {
		out = append(out, v.Name+"="+v.Value)
	}
	return out
}

// Fresh returns an environment for a launcher of the family, whose processes are none of
// the job that this process belongs to. They must not find the numbers of that job.
func Fresh(environ []string, launcher *family.Family) []string {
	stale := marks(in(environ))
	for _, f := range tellers {
		if f.Launcher != launcher.Launcher {
			stale = slices.Concat(stale, f.Signs, f.Tells.Names())
		}
	}
	return without(environ, stale)
}

// marks returns the names of all that wi4go has set.
func marks(getenv func(string) string) []string {
	if Refused(getenv) {
		return nil
	}
	return append(ours(getenv), Variable)
}

// in returns the function that looks a variable up in an environment.
func in(environ []string) func(string) string {
	return func(name string) string {
		for _, v := range environ {
			if value, found := strings.CutPrefix(v, name+"="); found {
				return value
			}
		}
		return ""
	}
}

// without returns an environment without some variables.
func without(environ, names []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(names, name)
	})
}
