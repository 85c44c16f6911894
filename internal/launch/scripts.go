package launch

import (
	"path/filepath"
	"slices"

	"wi4go/internal/fault"
	"wi4go/internal/launchers"
	"wi4go/internal/program"
	"wi4go/internal/runtimes"
	"wi4go/internal/shell"
)

// commandsOfShell are the launchers that `wi4go shell` replaces.
var commandsOfShell = []string{"mpirun", "mpiexec"}

// learnLauncher adds a warning if the command line argv is a script that starts a launcher
// itself, and a note if its text does not show whether it does. getenv reads its environment.
func (j *Job) learnLauncher(argv []string, dir string, getenv func(string) string) {
	start, unread := program.Launches(argv, dir, getenv, isLauncher)
	inShell := "wi4go shell --to " + shell.Quote(j.Runtime.Name) + " -- " + shell.Join(argv...)
	if unread != nil {
		j.Notes = append(j.Notes, fault.New("launcher-in-script", "if that starts ranks, start the script by: "+inShell,
			"%s %s", unread.Script, unread.Reason))
	}
	if start == nil {
		return
	}
	cure, replaced := replacement(start, j.Runtime)
	switch {
	case replaced:
		cure = inShell
	case slices.Contains(launchers.StepCommands(), filepath.Base(start.Command)):
		cure += ", and start the script without wi4go"
	default:
		cure += ", then: " + inShell
	}
	j.Warnings = append(j.Warnings, fault.New("launcher-in-script", cure,
		"%s starts %s itself, so each rank would start a job of its own", start.Script, start.Command))
}

// CheckScript returns a warning if `wi4go shell` cannot replace the launcher that the command line argv
// names, or the launcher of the script that it starts: its name is not plain mpirun or mpiexec, or a login
// shell interprets the script. Otherwise it returns nil. getenv reads the environment of the script.
func CheckScript(argv []string, dir string, rt *runtimes.Runtime, getenv func(string) string) error {
	notReplaced := func(command string) bool { return isLauncher(command) && !slices.Contains(commandsOfShell, command) }
	if start, _ := program.Launches(argv, dir, getenv, notReplaced); start != nil {
		cure, _ := replacement(start, rt)
		return fault.New("launcher-in-script", cure, "%s starts %s, which `wi4go shell` does not replace", start.Script, start.Command)
	}
	if command := argv[0]; notReplaced(command) && !slices.Contains(launchers.StepCommands(), filepath.Base(command)) {
		return fault.New("launcher-in-script", "name it mpirun", "%s is not wi4go's, because `wi4go shell` replaces only mpirun and mpiexec, by their plain names", command)
	}
	if program.StartsLoginShell(argv, dir) {
		return fault.New("launcher-in-script", "start it by a shell without -l: "+shell.Join("bash", argv[0]),
			"%s is run by a login shell, whose profile may set PATH, so that mpirun is not wi4go's", argv[0])
	}
	return nil
}

// isLauncher reports whether a command, as a script writes it, starts the ranks of a job.
func isLauncher(command string) bool {
	name := filepath.Base(command)
	return slices.Contains(launchers.CommandNames(), name) || slices.Contains(launchers.StepCommands(), name)
}

// replacement returns what a script must contain instead of its launcher, and whether `wi4go shell`
// replaces the launcher as it is.
func replacement(start *program.Launch, rt *runtimes.Runtime) (cure string, replaced bool) {
	switch name := filepath.Base(start.Command); {
	case slices.Contains(launchers.StepCommands(), name):
		return "write `" + name + " OPTIONS wi4go exec --to " + shell.Quote(rt.Name) + " PROGRAM` there", false
	case !slices.Contains(commandsOfShell, name):
		return "write mpirun there instead of " + start.Command, false
	case name != start.Command:
		return "write " + name + " there without its directory", false
	}
	return "", true
}
