package program

import (
	"path/filepath"
	"slices"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/pattern"
)

// A Launch is a command in a script that starts the ranks of a job.
type Launch struct {
	Script  string // the path of the script
	Command string // the launcher, as the script writes it
}

// Launches returns the first command by which a shell script or a Python script starts ranks itself,
// or nil. The script is the program of the command line argv, which runs in directory dir, or the first
// argument of a shell or a wrapper there. isLauncher reports whether a file name is a launcher's.
//
// It reads the text of the script, and of the shell scripts that it starts or sources by a path. Commands
// that a variable contains are not found, except variables that a script sets to a launcher.
func Launches(argv []string, dir string, isLauncher func(string) bool) *Launch {
	for i, word := range argv {
		path, err := LookPath(word, dir)
		switch {
		case err == nil && (!notELF(path) || pythons.MatchString(filepath.Base(word))):
			continue // a shell or a wrapper, Python, which may be a script of a version manager, or a program, which has no scripts among its arguments
		case err != nil && i == 0:
			return nil
		case err != nil:
			if path = filepath.Join(dir, word); filepath.IsAbs(word) {
				path = word
			}
		}
		text, err := elfobj.Head(path, maxScript)
		if err != nil {
			continue // an option, an assignment, or another word
		}
		switch {
		case isPythonScript(path, argv[:i]):
			text = []byte(commandsOfPython(string(text)))
		case !isShellScript(path, i > 0):
			return nil
		}
		return launchIn(path, string(text), dir, isLauncher, mostNested)
	}
	return nil
}

// mostNested bounds the number of scripts between the first script and the one that starts ranks.
const mostNested = 4

// launchIn returns the first command in the text of a shell script, or of the scripts that it starts, that
// starts ranks, or nil.
func launchIn(script, text, dir string, isLauncher func(string) bool, nested int) *Launch {
	commands := commandsIn(text)
	for _, command := range commands {
		if isLauncher(filepath.Base(command)) {
			return &Launch{script, command}
		}
	}
	for _, command := range commands {
		path := command
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if !strings.Contains(command, "/") || nested == 0 || !isShellScript(path, false) {
			continue
		}
		if text, err := elfobj.Head(path, maxScript); err == nil {
			if found := launchIn(path, string(text), dir, isLauncher, nested-1); found != nil {
				return found
			}
		}
	}
	return nil
}

// isShellScript reports whether a shell interprets a file. argument reports whether the file is an
// argument of a shell, so that it needs no first line.
func isShellScript(path string, argument bool) bool {
	line, script, err := firstLine(path)
	if err != nil || !script {
		return err == nil && argument
	}
	words := strings.Fields(line)
	return slices.ContainsFunc(words, func(word string) bool { return shells.MatchString(filepath.Base(word)) })
}

var (
	// shellComment matches a comment of sh(1).
	shellComment = pattern.New(`(?m)(^|\s)#.*$`)
	// commandEnds matches the characters of sh(1) that end a simple command.
	commandEnds = pattern.New("[;|&(){}`\n]")
	// assignment matches a word that sets a variable.
	assignment = pattern.New(`^(\w+)=(.*)$`)
	// braced matches ${name} and ${name:-default}.
	braced = pattern.New(`\$\{(\w+)(?::?[-=]([^}]*))?\}`)
	// duration matches the argument of timeout.
	duration = pattern.New(`^\d+(\.\d+)?[smhd]?$`)
	// beforeCommand lists words that may come before the name of a command.
	beforeCommand = strings.Fields("then do else elif if while until ! exec time nohup command env nice stdbuf export timeout eval")
)

// commandsIn returns the names of the commands in the text of a shell script, as it writes them. For a
// shell with a script, and for a sourced script, this is the script. It removes quotes, because no
// launcher's name contains a blank.
func commandsIn(text string) (commands []string) {
	values := map[string]string{} // variables that the script sets
	text = shellComment.ReplaceAllString(strings.ReplaceAll(text, "\\\n", " "), "")
	text = braced.ReplaceAllStringFunc(strings.NewReplacer(`"`, "", "'", "").Replace(text), func(variable string) string {
		m := braced.FindStringSubmatch(variable)
		values[m[1]] = m[2]
		return "$" + m[1]
	})
	for _, command := range commandEnds.Split(text, -1) {
		for _, word := range strings.Fields(command) {
			if m := assignment.FindStringSubmatch(word); m != nil {
				values[m[1]] = m[2]
				continue
			}
			if slices.Contains(beforeCommand, word) || strings.HasPrefix(word, "-") || duration.MatchString(word) {
				continue
			}
			if name, variable := strings.CutPrefix(word, "$"); variable {
				word = values[name]
			}
			if word == "." || word == "source" || shells.MatchString(filepath.Base(word)) {
				continue
			}
			commands = append(commands, word)
			break
		}
	}
	return commands
}
