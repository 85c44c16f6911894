package launch

import (
	"iter"
	"slices"
	"strings"

	"wi4go/internal/family"
	"wi4go/internal/program"
	"wi4go/internal/runtimes"
)

// spelled gives a launcher's options in its own spelling, where only the others know
// the one that was used: -H of Open MPI, -hosts of Hydra.
func spelled(options []string, rt *runtimes.Runtime) []string {
	foreign, own := "H", "-hosts"
	if rt.Family == family.OpenMPI {
		foreign, own = "hosts", "-H"
	}
	spelled := slices.Clone(options)
	for i := 0; i < len(spelled); {
		n, _ := optionArity(spelled[i])
		if isOption(spelled[i]) && strings.TrimLeft(spelled[i], "-") == foreign {
			spelled[i] = own
		}
		i += n + 1
	}
	return spelled
}

// handed are variables of this process that the ranks are to have beside a job's own.
// Open MPI's launcher takes none to other hosts that it is not told of.
func (l Launcher) handed(j *Job, options []string) (vars []Var) {
	settled, err := l.Config()
	if err != nil {
		return nil // Command has said it
	}
	names := []string{"WI4GO_LIBRARY_VERSION", "WI4GO_STRICT", "WI4GO_TEST_CHUNK", program.MPI4PyABI}
	for _, v := range settled.Variables(j.Runtime.Vendor) {
		names = append(names, v[0])
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		said := slices.ContainsFunc(j.Env, func(v Var) bool { return v.Name == name }) ||
			slices.ContainsFunc(options, func(o string) bool { return o == name || strings.HasPrefix(o, name+"=") })
		if value := l.Getenv(name); value != "" && !said {
			vars = append(vars, Var{name, value})
		}
	}
	return vars
}

// hostOptions name hosts, or a file of hosts.
var hostOptions = []string{"H", "host", "hosts", "f", "hostfile", "machinefile", "default-hostfile", "add-host", "add-hostfile"}

// allocations are variables in which batch systems say that a job may have several hosts.
var allocations = []string{"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "PE_HOSTFILE", "COBALT_NODEFILE", "FLUX_JOB_ID"}

// leaves says whether ranks may be started on other hosts than this one, whose users may
// have homes of their own there.
func (l Launcher) leaves(segments []Segment) bool {
	for _, s := range segments {
		for name := range options(s.Options) {
			if slices.Contains(hostOptions, name) {
				return true
			}
		}
	}
	return slices.ContainsFunc(allocations, func(name string) bool { return l.Getenv(name) != "" })
}

// options gives the names of a launcher's options, without dashes, and their values.
func options(words []string) iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		for i := 0; i < len(words); {
			name, glued, whole := strings.Cut(words[i], "=")
			n, _ := optionArity(words[i])
			next := min(i+1+n, len(words))
			values := words[i+1 : next]
			if whole {
				values = []string{glued}
			}
			if isOption(name) && !yield(strings.TrimLeft(name, "-"), values) {
				return
			}
			i = next
		}
	}
}
