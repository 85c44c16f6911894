package program

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"wi4go/internal/elfobj"
)

// A Launch is a command in a shell script that starts the ranks of a job.
type Launch struct {
	Script  string // the path of the script
	Command string // the launcher, as the script writes it
}

// Launches returns the first command by which a shell script starts ranks itself, or nil. The
// script is the program of the command line argv, which runs in directory dir, or the first
// argument of a shell or a wrapper there. isLauncher reports whether a file name is a launcher's.
//
// It reads the text of the script only: commands that a variable or another file contains are not
// found, except variables that the script sets to a launcher.
func Launches(argv []string, dir string, isLauncher func(string) bool) *Launch {
	for i, word := range argv {
		path, err := LookPath(word, dir)
		switch {
		case err == nil && !notELF(path):
			continue // a shell or a wrapper, or a program, which has no scripts among its arguments
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
		if command := launcherIn(string(text), isLauncher); command != "" && isShellScript(path, i > 0) {
			return &Launch{path, command}
		}
		return nil
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
	shellComment = regexp.MustCompile(`(?m)(^|\s)#.*$`)
	// commandEnds matches the characters of sh(1) that end a simple command.
	commandEnds = regexp.MustCompile("[;|&(){}`\n]")
	// assignment matches a word that sets a variable.
	assignment = regexp.MustCompile(`^(\w+)=(.*)$`)
	// braced matches ${name} and ${name:-default}.
	braced = regexp.MustCompile(`\$\{(\w+)(?::?[-=]([^}]*))?\}`)
	// duration matches the argument of timeout.
	duration = regexp.MustCompile(`^\d+(\.\d+)?[smhd]?$`)
	// beforeCommand lists words that may come before the name of a command.
	beforeCommand = strings.Fields("then do else elif if while until ! exec time nohup command env nice stdbuf export timeout eval")
)

// launcherIn returns the first launcher that the text of a shell script starts, or "". It removes
// quotes, because no launcher's name contains a blank.
func launcherIn(text string, isLauncher func(string) bool) string {
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
			if isLauncher(filepath.Base(word)) {
				return word
			}
			break
		}
	}
	return ""
}
