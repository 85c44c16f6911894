package program

import (
	"cmp"
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
// argument of a shell or a wrapper there. isLauncher reports whether a command, as the script writes it,
// is a launcher.
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
	for _, c := range commands {
		if isLauncher(c.name) {
			return &Launch{script, c.name}
		}
	}
	for _, c := range commands {
		path := c.name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if !c.argument && !strings.Contains(c.name, "/") || nested == 0 || !isShellScript(path, c.argument) {
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

// StartsLoginShell reports whether the command line argv, which runs in directory dir, is a shell, or a
// script for a shell, that reads the profiles of a login first.
func StartsLoginShell(argv []string, dir string) bool {
	path, err := LookPath(argv[0], dir)
	if err != nil {
		return false
	}
	if line, script, err := firstLine(path); err == nil && script {
		argv = strings.Fields(line)
	}
	at := slices.IndexFunc(argv, func(word string) bool { return shells.MatchString(filepath.Base(word)) })
	for _, option := range argv[at+1:] {
		letters, short := strings.CutPrefix(option, "-")
		if at < 0 || !short {
			break
		}
		if option == "--login" || !strings.HasPrefix(letters, "-") && strings.Contains(letters, "l") {
			return true
		}
	}
	return false
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
	// reference matches $name and the rest of the word.
	reference = pattern.New(`^\$(\w+)(.*)$`)
	// lookUp matches the substitution of a command by its path.
	lookUp = pattern.New("(?:\\$\\(|`)\\s*(?:which|command -v|type -[pP])\\s+([^\\s)`]+)[^)`]*[)`]")
	// printedText matches the beginning of a text that a script prints, up to the word that ends it.
	printedText = pattern.New(`\bcat\s+(?:1?>&2\s*)?<<-?\s*(\w+)\s*(?:1?>&2)?\s*$`)
	// beforeCommand lists words that may come before the name of a command.
	beforeCommand = strings.Fields("then do else elif if while until ! exec time nohup command env nice stdbuf export timeout eval " +
		"numactl taskset setsid ionice chrt strace ltrace")
)

// A scriptCommand is a command of a shell script.
type scriptCommand struct {
	name     string // as the script writes it
	argument bool   // a shell runs it, or the script sources it
}

// commandsIn returns the commands in the text of a shell script. It removes quotes, because no
// launcher's name contains a blank.
func commandsIn(text string) (commands []scriptCommand) {
	values := map[string]string{} // variables that the script sets
	text = shellComment.ReplaceAllString(strings.ReplaceAll(text, "\\\n", " "), "")
	text = braced.ReplaceAllStringFunc(strings.NewReplacer(`"`, "", "'", "").Replace(text), func(variable string) string {
		m := braced.FindStringSubmatch(variable)
		values[m[1]] = cmp.Or(m[2], values[m[1]])
		return "$" + m[1]
	})
	text = lookUp.ReplaceAllString(withoutPrinted(text), "${1}")
	for _, simple := range commandEnds.Split(text, -1) {
		if c := commandOf(strings.Fields(simple), values); c.name != "" {
			commands = append(commands, c)
		}
	}
	return commands
}

// commandOf returns the command in the words of a simple command. It adds the variables that the words
// set to values.
func commandOf(words []string, values map[string]string) (c scriptCommand) {
	for i, word := range words {
		if m := assignment.FindStringSubmatch(word); m != nil {
			values[m[1]] = expand(m[2], values)
			continue
		}
		base := filepath.Base(word)
		switch {
		case word == "command" && slices.Contains([]string{"-v", "-V"}, strings.Join(words[i+1:min(i+2, len(words))], "")):
			return scriptCommand{} // prints the path of a command
		case slices.Contains(beforeCommand, base), strings.HasPrefix(word, "-"), duration.MatchString(word):
		case word == ".", word == "source", shells.MatchString(base):
			c.argument = true
		default:
			if c.name = expand(word, values); !shells.MatchString(filepath.Base(c.name)) {
				return c
			}
			c.argument = true
		}
	}
	return scriptCommand{}
}

// expand returns a word with its value if it begins with a variable that is known.
func expand(word string, values map[string]string) string {
	m := reference.FindStringSubmatch(word)
	if m == nil {
		return word
	}
	if value, known := values[m[1]]; known && value != "" || m[2] == "" {
		return value + m[2]
	}
	return word
}

// withoutPrinted returns the text of a shell script without the here-documents that cat prints.
func withoutPrinted(text string) string {
	var kept []string
	end := ""
	for _, line := range strings.Split(text, "\n") {
		if end != "" {
			if strings.TrimLeft(line, "\t") == end {
				end = ""
			}
			continue
		}
		kept = append(kept, line)
		if m := printedText.FindStringSubmatch(line); m != nil {
			end = m[1]
		}
	}
	return strings.Join(kept, "\n")
}
