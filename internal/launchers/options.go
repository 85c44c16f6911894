package launchers

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// arity holds the number of arguments of each option that a launcher is known to take. It does not
// contain options with different arities in different launchers.
var arity = arities(All)

// arities returns that table for a list of launchers.
func arities(list []*Launcher) map[string]int {
	table, unknown := map[string]int{}, map[string]bool{}
	for _, l := range list {
		for n, names := range [][]string{l.Options.None, l.Options.One, l.Options.Two} {
			for _, name := range words(names) {
				if known, ok := table[name]; ok && known != n {
					unknown[name] = true
				}
				table[name] = n
			}
		}
	}
	for name := range unknown {
		delete(table, name)
	}
	return table
}

// Arity returns how many arguments follow an option; next are the words after it. known is false if
// launchers differ or if no launcher takes the option. Launchers accept one dash in place of two. An
// option with "=" contains its argument, so none follows.
func Arity(option string, next ...string) (n int, known bool) {
	if strings.Contains(option, "=") {
		return 0, true
	}
	name := strings.TrimLeft(option, "-")
	if n, known = arity[name]; n == 2 && len(next) > 0 && strings.Contains(next[0], "=") && isPair(name) {
		n = 1
	}
	return n, known
}

// isPair reports whether an option of some launcher, given without dashes, takes NAME=VALUE as well as a
// name and a value.
func isPair(option string) bool {
	return slices.ContainsFunc(All, func(l *Launcher) bool { return slices.Contains(words(l.Options.Pair), option) })
}

// IsOption reports whether an argument looks like an option: a dash and more.
func IsOption(arg string) bool { return strings.HasPrefix(arg, "-") && len(arg) > 1 }

// OptionsIn yields each option in a command line, as its name without dashes and its arguments.
func OptionsIn(line []string) iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		for i := 0; i < len(line); {
			name, value, joined := strings.Cut(line[i], "=")
			n, _ := Arity(line[i], line[i+1:]...)
			next := min(i+1+n, len(line))
			values := line[i+1 : next]
			if joined {
				values = []string{value}
			}
			if IsOption(name) && !yield(strings.TrimLeft(name, "-"), values) {
				return
			}
			i = next
		}
	}
}

// Inquiry returns the option by which the launcher answers the first option in line, before the program,
// that prints a version or a help text. It returns "" if there is none.
func (l *Launcher) Inquiry(line []string) string {
	for i := 0; i < len(line) && IsOption(line[i]); {
		if option := l.Inquiries[strings.TrimLeft(line[i], "-")]; option != "" {
			return option
		}
		n, _ := Arity(line[i], line[i+1:]...)
		i += 1 + n
	}
	return ""
}

// NamesHosts reports whether an option of some launcher, given without dashes, names hosts. file
// reports whether its argument is a file of hosts.
func NamesHosts(option string) (names, file bool) {
	for _, l := range All {
		file = file || slices.Contains(l.Hosts.Files, option)
		names = names || file || slices.Contains(l.Hosts.Lists, option)
	}
	return names, file
}

// Words returns the arguments that pass one variable to ranks.
func (c Carry) Words(name, value string) []string {
	if c.Joined {
		return []string{c.Option, name + "=" + value}
	}
	return []string{c.Option, name, value}
}

// Agent returns the command of the remote shell by which the launcher reaches other hosts, as its
// options in line and the environment choose it. It returns nil if the launcher uses no remote
// shell. batch reports whether a batch system starts the ranks if nothing else is chosen.
func (l *Launcher) Agent(line []string, getenv func(string) string, batch bool) []string {
	chosen := l.parameters(line)
	way := pick(chosen, l.Hosts.Way, getenv, l.Hosts.WayVariables)
	program := pick(chosen, l.Hosts.Agent, getenv, l.Hosts.AgentVariables)
	switch {
	case way != "" && way != "ssh" && way != "rsh":
		return nil
	case program != "":
		alternative, _, _ := strings.Cut(program, ":") // Open MPI lists alternatives, as in "ssh : rsh"; take the first
		return strings.Fields(alternative)
	case way != "":
		return []string{way}
	case batch:
		return nil
	}
	return []string{"ssh"}
}

// SessionDir returns the directory in which the launcher keeps the files of a job, as its options in
// line and the environment choose it. It returns "" if the launcher has no such directory.
func (l *Launcher) SessionDir(line []string, getenv func(string) string) string {
	return cmp.Or(pick(l.parameters(line), l.Session.Parameters, getenv, l.Session.Variables), l.Session.Default)
}

// parameters returns the parameters that the options in line set, or else the options with one
// argument.
func (l *Launcher) parameters(line []string) map[string]string {
	chosen := map[string]string{}
	for name, values := range OptionsIn(line) {
		switch {
		case len(values) == 2 && slices.Contains(l.Hosts.Parameters, name):
			chosen[values[0]] = values[1]
		case len(values) == 1 && len(l.Hosts.Parameters) == 0:
			chosen[name] = values[0]
		}
	}
	return chosen
}

// pick returns the first value that an option, or else a variable, has; or "".
func pick(chosen map[string]string, options []string, getenv func(string) string, variables []string) string {
	for _, name := range options {
		if value := chosen[name]; value != "" {
			return value
		}
	}
	for _, name := range variables {
		if value := getenv(name); value != "" {
			return value
		}
	}
	return ""
}
