package launch

import (
	"fmt"
	"strconv"
	"strings"

	"wi4go/internal/fault"
	"wi4go/internal/launchers"
	"wi4go/internal/runtimes"
)

// keepOneHost removes the options that name hosts from segments of a job of the embedded MPI. It
// returns an error if they name other hosts than this one.
func (l Launcher) keepOneHost(segments []Segment, rt *runtimes.Runtime) error {
	for i, s := range segments {
		if others := OtherHosts(namedHosts(s.Options)); len(others) > 0 {
			r := &Request{Runtime: rt}
			if r.Program, _ = l.Trace(s.Program, s.Dir, "", nil); r.Program != nil { // Job reports an error
				r.From = r.Program.Family
			}
			return fault.New("one-host", l.forHosts(r), "the embedded MPI runs all ranks on this host, and the options name %s", summarize(others))
		}
		segments[i].Options = withoutHosts(s.Options)
	}
	return nil
}

// namedHosts returns the hosts that the options of a launcher name, in lists and in files.
func namedHosts(options []string) (all []string) {
	for name, values := range launchers.OptionsIn(options) {
		hosts, file := launchers.NamesHosts(name)
		if len(values) != 1 || !hosts {
			continue
		}
		named := strings.Split(values[0], ",")
		if file {
			named = hostsIn(values[0])
		}
		for _, host := range named {
			// Open MPI's +n0 is a host of the allocation, by number.
			if host, _, _ = strings.Cut(host, ":"); !strings.HasPrefix(host, "+") {
				all = append(all, host)
			}
		}
	}
	return all
}

// withoutHosts returns the options without those that name hosts.
func withoutHosts(options []string) (kept []string) {
	for i := 0; i < len(options); {
		n, _ := launchers.Arity(options[i], options[i+1:]...)
		next := min(i+1+n, len(options))
		name, _, _ := strings.Cut(strings.TrimLeft(options[i], "-"), "=")
		if hosts, _ := launchers.NamesHosts(name); !hosts || !launchers.IsOption(options[i]) {
			kept = append(kept, options[i:next]...)
		}
		i = next
	}
	return kept
}

// Variables of batch systems with the number of a job's hosts, and with a file of their names.
var (
	hostCounts = []string{"SLURM_JOB_NUM_NODES", "SLURM_NNODES", "FLUX_JOB_NNODES", "NHOSTS"}
	hostFiles  = []string{"PBS_NODEFILE", "LSB_DJOB_HOSTFILE", "PE_HOSTFILE", "COBALT_NODEFILE"}
)

// warnOfHosts adds a warning to a job of the embedded MPI if a batch system has given it several
// hosts. Ranks that the embedded MPI's launcher has started leave the warning to the launcher.
func (l Launcher) warnOfHosts(j *Job) {
	if !j.Runtime.Traits().OneHost || l.Getenv(j.Runtime.StartedBy().Process.Mark) != "" {
		return
	}
	warn := func(format string, args ...any) {
		j.Warnings = append(j.Warnings, fault.New("one-host", l.forHosts(&j.Request), "the embedded MPI runs all ranks on this host, and the job has %s", fmt.Sprintf(format, args...)))
	}
	for _, name := range hostCounts {
		if n, err := strconv.Atoi(l.Getenv(name)); err == nil && n > 1 {
			warn("%d hosts (%s)", n, name)
			return
		}
	}
	for _, name := range hostFiles {
		if file := l.Getenv(name); file != "" && len(OtherHosts(hostsIn(file))) > 0 {
			warn("other hosts too (%s)", name)
			return
		}
	}
}
