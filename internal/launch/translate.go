package launch

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"wi4go/internal/fault"
	"wi4go/internal/launchers"
	"wi4go/internal/pattern"
	"wi4go/internal/runtimes"
)

// Translate replaces the options of other launchers in segments by options of the runtime's own
// launcher. It returns variables for the launcher's environment, and a warning for each setting
// that it drops. It returns an error for an option of another launcher that has no counterpart, and
// for a program that only other launchers would find.
func (l Launcher) Translate(segments []Segment, rt *runtimes.Runtime) (vars []Var, warnings []error, err error) {
	launcher := rt.StartedBy()
	if rt.Traits().OneHost {
		if err := l.keepOneHost(segments, rt); err != nil {
			return nil, nil, err
		}
	}
	if !l.mayUseOtherHosts(segments) {
		vars = withoutAgent(l.Getenv)
	}
	for i, s := range segments {
		t, err := launcher.Translate(withHosts(launcher, s.Options))
		if err != nil {
			return nil, nil, err
		}
		segments[i].Options = t.Words
		for _, v := range t.Variables {
			vars = append(vars, Var{v[0], v[1]})
		}
		for _, dropped := range t.Dropped {
			warnings = append(warnings, fmt.Errorf("%s was dropped: it is a setting of another MPI than %s, which has variables of its own",
				dropped, rt.Title()))
		}
		if name := s.Program[0]; !launcher.SearchesDir && !strings.Contains(name, "/") {
			if _, absent := exec.LookPath(name); absent != nil {
				return nil, nil, fault.New("program-directory", "name it ./"+name, "%s is not in PATH, and %s searches nowhere else", name, launcher.Title)
			}
		}
	}
	return vars, warnings, nil
}

// slots matches the number of processes in a line of a file of hosts, in each launcher's format.
var slots = pattern.New(`^slots=(\d+)$`)

// withHosts returns options in which a file of hosts in another launcher's format is replaced by a
// list of these hosts.
func withHosts(launcher *launchers.Launcher, options []string) []string {
	options = slices.Clone(options)
	for i := 0; i+1 < len(options); i++ {
		_, file := launchers.NamesHosts(strings.TrimLeft(options[i], "-"))
		if !launchers.IsOption(options[i]) || !file {
			continue
		}
		if list := foreignHosts(launcher, options[i+1]); list != "" {
			options[i], options[i+1] = launcher.Hosts.Option, list
		}
		i++
	}
	return options
}

// foreignHosts returns the hosts in a file, with the number of processes of each, as a list for a
// launcher's option. It returns "" if the launcher reads the file itself.
func foreignHosts(launcher *launchers.Launcher, file string) string {
	var list []string
	foreign := false
	for words := range hostLines(file) {
		host, number, colon := strings.Cut(words[0], ":")
		for _, word := range words[1:] {
			if m := slots.FindStringSubmatch(word); m != nil {
				number = m[1]
				foreign = foreign || launcher.Hosts.Slots == ":"
			}
		}
		foreign = foreign || colon && launcher.Hosts.Slots != ":"
		if number != "" {
			host += ":" + number
		}
		list = append(list, host)
	}
	if !foreign {
		return ""
	}
	return strings.Join(list, ",")
}

// withoutAgent returns variables by which launchers that require a remote shell start jobs on this
// host, if the machine has none: Open MPI 4 then ends with an error even if it needs none. The
// variable's value is a program that is always there, wi4go itself.
func withoutAgent(getenv func(string) string) (vars []Var) {
	for _, command := range []string{"ssh", "rsh"} {
		if _, err := exec.LookPath(command); err == nil {
			return nil
		}
	}
	self, err := os.Executable()
	if err != nil {
		return nil // the launcher reports that it finds no remote shell
	}
	for _, l := range launchers.All {
		if l.Hosts.AgentNeeded != "" && !slices.ContainsFunc(l.Hosts.AgentVariables, func(v string) bool { return getenv(v) != "" }) {
			vars = append(vars, Var{l.Hosts.AgentNeeded, self})
		}
	}
	return vars
}
