package launch

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net"
	"os"
	"slices"
	"strings"

	"wi4go/internal/launchers"
	"wi4go/internal/program"
	"wi4go/internal/rankvars"
	"wi4go/internal/runtimes"
)

// SafetyNet is the variable that makes ranks use the safety net (shim/front/thunk.h), or report
// that they use it.
const SafetyNet = "WI4GO_SAFETY_NET"

// Reported returns the variable that makes ranks report their use of the safety net, or none if the
// user has set it.
func (l Launcher) Reported() []Var {
	if l.Getenv(SafetyNet) != "" {
		return nil
	}
	return []Var{{SafetyNet, "say"}}
}

// forwardedVars returns variables of this process that the ranks need in addition to the job's own. Some
// launchers pass on to other hosts only the variables that their command line names. Variables that
// the job or the launcher's options set are left out.
func (l Launcher) forwardedVars(j *Job, options []string) (vars []Var) {
	settings, err := l.Config()
	if err != nil {
		return nil // Command has reported it
	}
	names := []string{"WI4GO_LIBRARY_VERSION", SafetyNet, "WI4GO_STRICT", "WI4GO_TEST_CHUNK", program.MPI4PyABI}
	if rankvars.Refused(l.Getenv) {
		names = append(names, rankvars.Variable)
	}
	for _, v := range settings.Variables(j.Runtime.Vendor) {
		names = append(names, v[0])
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		alreadySet := slices.ContainsFunc(j.Env, func(v Var) bool { return v.Name == name }) ||
			slices.ContainsFunc(options, func(o string) bool { return o == name || strings.HasPrefix(o, name+"=") })
		if value := l.Getenv(name); value != "" && !alreadySet {
			vars = append(vars, Var{name, value})
		}
	}
	return vars
}

// allocations are variables of batch systems: if one is set, the job may have several hosts.
var allocations = []string{"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "PE_HOSTFILE", "COBALT_NODEFILE", "FLUX_JOB_ID"}

// mayUseOtherHosts reports whether ranks may be started on other hosts. The user may have another
// home directory there.
func (l Launcher) mayUseOtherHosts(segments []Segment) bool {
	for _, s := range segments {
		for name := range launchers.OptionsIn(s.Options) {
			if names, _ := launchers.NamesHosts(name); names {
				return true
			}
		}
	}
	return l.inBatchJob()
}

// inBatchJob reports whether this process is in a job of a batch system.
func (l Launcher) inBatchJob() bool {
	return slices.ContainsFunc(allocations, func(name string) bool { return l.Getenv(name) != "" })
}

// Peers returns the other hosts that a launcher's command line names, and the command of the
// remote shell by which the launcher reaches them. Both are nil if the launcher reaches them
// in another way, through which wi4go cannot query them.
func (l Launcher) Peers(segments []Segment, rt *runtimes.Runtime) (hosts, agent []string) {
	words := slices.Clone(l.configuredOptions(rt))
	for _, s := range segments {
		words = append(words, s.Options...)
	}
	if agent = l.agent(words, rt); agent == nil {
		return nil, nil
	}
	return OtherHosts(namedHosts(words)), agent
}

// CheckHostFiles returns an error if an option names a file of hosts that does not exist.
func CheckHostFiles(segments []Segment) error {
	for _, s := range segments {
		for name, values := range launchers.OptionsIn(s.Options) {
			// Open MPI accepts "none" for no file.
			if _, file := launchers.NamesHosts(name); !file || len(values) != 1 || values[0] == "none" {
				continue
			}
			if _, err := os.Stat(values[0]); errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("%[2]s: cannot read the hosts: %[1]s: no such file", values[0], name)
			}
		}
	}
	return nil
}

// configuredOptions returns the options that the configuration sets for a runtime's launcher.
func (l Launcher) configuredOptions(rt *runtimes.Runtime) []string {
	settings, err := l.Config()
	if err != nil || rt == nil {
		return nil
	}
	return settings.Runtimes[rt.Vendor].Options
}

// Agent returns the command of the remote shell that a runtime's launcher uses, as the environment
// and the configuration choose it: nil if it uses none, ssh if rt is nil.
func (l Launcher) Agent(rt *runtimes.Runtime) []string {
	if rt == nil {
		return []string{"ssh"}
	}
	return l.agent(l.configuredOptions(rt), rt)
}

// agent returns the command of the remote shell that a launcher with these options uses, or nil if
// it uses none.
func (l Launcher) agent(words []string, rt *runtimes.Runtime) []string {
	return rt.StartedBy().Agent(words, l.Getenv, l.inBatchJob())
}

// hostsIn returns the hosts in a file, which has one on each line: `a`, `a:2` or `a slots=2`.
func hostsIn(file string) (hosts []string) {
	for words := range hostLines(file) {
		hosts = append(hosts, words[0])
	}
	return hosts
}

// hostLines yields the words of each line of a file of hosts. It yields nothing for a file that
// cannot be read; the launcher reports the error.
func hostLines(file string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		text, err := os.ReadFile(file)
		if err != nil {
			return
		}
		for line := range strings.Lines(string(text)) {
			line, _, _ = strings.Cut(line, "#")
			words := strings.Fields(line)
			if len(words) > 0 && !strings.Contains(words[0], "=") && !yield(words) {
				return
			}
		}
	}
}

// OtherHosts returns the hosts other than this one, each once.
func OtherHosts(hosts []string) (others []string) {
	names := ownNames()
	for _, host := range hosts {
		if host != "" && !names[host] && !slices.Contains(others, host) {
			others = append(others, host)
		}
	}
	return others
}

// ownNames returns the set of this host's names and addresses.
func ownNames() map[string]bool {
	names := map[string]bool{"localhost": true}
	if name, err := os.Hostname(); err == nil {
		short, _, _ := strings.Cut(name, ".")
		names[name], names[short] = true, true
	}
	addresses, _ := net.InterfaceAddrs() // without addresses, wi4go may query this host as if it were another
	for _, a := range addresses {
		if ip, ok := a.(*net.IPNet); ok {
			names[ip.IP.String()] = true
		}
	}
	return names
}
