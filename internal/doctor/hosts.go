package doctor

import (
	"os"
	"slices"
	"strings"

	"wi4go/internal/hosts"
	"wi4go/internal/launch"
	"wi4go/internal/runtimes"
)

// hosts checks that the other hosts have the same files as this one.
func (x *exam) hosts() {
	names := launch.OtherHosts(x.Hosts)
	if len(names) == 0 {
		return
	}
	agent := x.Launcher.Agent(x.runtime)
	if agent == nil {
		x.addFact("hosts", hostsDetails{"batch-system"})
		return
	}
	q := hosts.Question{Command: x.Launcher.Tree.Command(), Version: x.Version, Needed: true}
	if x.runtime != nil {
		q.Library, q.Identity = x.runtime.Library, runtimes.Identify(x.runtime.Object())
	}
	if x.program != nil && strings.Contains(x.program.Path, "/") {
		q.Programs = []string{x.program.Path}
	}
	for i, err := range x.AskHosts(agent, names, q) {
		if err != nil {
			x.addError(err, "host-unreached", Error)
			continue
		}
		x.addFact("host", hostDetails{names[i], slices.DeleteFunc(append([]string{"wi4go " + q.Version, q.Identity}, q.Programs...),
			func(s string) bool { return s == "" })})
	}
}

// pairs returns the hosts of each trial: the job's first host paired with each other one. It
// returns one nil pair if the trial runs on this host.
func (x *exam) pairs() [][]string {
	all := x.Hosts
	if len(all) == 0 {
		return [][]string{nil}
	}
	if len(all) == 1 {
		if self, err := os.Hostname(); err == nil {
			all = []string{self, all[0]}
		}
	}
	var pairs [][]string
	for _, other := range all[1:] {
		pairs = append(pairs, []string{all[0], other})
	}
	return pairs
}
