package program

import (
	"os"
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

// An UnreadLaunch is a command in a script that may start ranks, which the text does not show.
type UnreadLaunch struct {
	Script string // the path of the script
	Reason string // what the text shows, as a sentence about the script without its subject
}

// Launches returns the first command by which a script starts ranks itself, or nil. The script is the
// program of the command line argv, which runs in directory dir, or the first argument of a shell or a
// wrapper there. getenv reads the environment of the script, and isLauncher reports whether a command, as the
// script writes it, is a launcher.
//
// It reads the text of scripts for a shell and Python, and of the scripts that they start or
// source by a path. If it finds no launcher, unread is the first command that may be one, or nil: the
// environment lacks the variable with its name, or another language's script contains the name of a launcher.
func Launches(argv []string, dir string, getenv func(string) string, isLauncher func(string) bool) (found *Launch, unread *UnreadLaunch) {
	f := launchFinder{isLauncher: isLauncher, getenv: getenv, seen: map[string]bool{}}
	for i, word := range argv {
		path, err := LookPath(word, dir)
		switch {
		case err == nil && (!notELF(path) || pythons.MatchString(filepath.Base(word))):
			continue // a shell or a wrapper, Python, which may be a script of a version manager, or a program, which has no scripts among its arguments
		case err != nil && i == 0:
			return nil, nil
		case err != nil:
			if path = filepath.Join(dir, word); filepath.IsAbs(word) {
				path = word
			}
		}
		if _, err := elfobj.Head(path, maxScript); err != nil {
			continue // an option, an assignment, or another word
		}
		if found = f.script(path, argv[:i], dir, mostNested); found != nil {
			return found, nil
		}
		return nil, f.unread
	}
	return nil, nil
}

// mostNested bounds the number of scripts between the first script and the one that starts ranks.
const mostNested = 4

// launchFinder searches scripts for commands that start ranks.
type launchFinder struct {
	isLauncher func(string) bool
	getenv     func(string) string // reads the environment of the scripts
	seen       map[string]bool     // the scripts that were read, with their directories
	unread     *UnreadLaunch       // the first command that may start ranks, or nil
}

// script returns the first command by which a script, and the scripts that it starts, start ranks, or
// nil. before are the words before it on the command line, and dir is its working directory.
func (f *launchFinder) script(path string, before []string, dir string, nested int) *Launch {
	head, err := elfobj.Head(path, maxScript)
	if err != nil || nested == 0 || f.seen[path+"\x00"+dir] {
		return nil
	}
	f.seen[path+"\x00"+dir] = true
	text := string(head)
	interpreter, language := languageOf(path, before)
	switch language {
	case inShell:
		return f.commands(path, text, dir, nested)
	case inPython:
		if found := f.commands(path, commandsOfPython(text), dir, nested); found != nil {
			return found
		}
		if name := f.named(documentation.ReplaceAllString(text, "")); name != "" {
			f.mayStart(path, "contains the word "+name+", and wi4go cannot tell whether it starts it")
		}
	case inAnother:
		if name := f.named(text); name != "" {
			f.mayStart(path, "is written for "+interpreter+", which wi4go cannot read, and contains the word "+name)
		}
	}
	return nil
}

// mayStart records that a script may start ranks.
func (f *launchFinder) mayStart(script, reason string) {
	if f.unread == nil {
		f.unread = &UnreadLaunch{script, reason}
	}
}

// named returns the first word of a text, outside of comments, that names a launcher, or "".
func (f *launchFinder) named(text string) string {
	for _, word := range plainWord.FindAllString(shellComment.ReplaceAllString(text, ""), -1) {
		if f.isLauncher(word) {
			return word
		}
	}
	return ""
}

// commands returns the first command in the text of a shell script, or of the scripts that it starts, that
// starts ranks, or nil.
func (f *launchFinder) commands(script, text, dir string, nested int) *Launch {
	commands := commandsIn(text, f.getenv)
	for _, c := range commands {
		if f.isLauncher(c.name) {
			return &Launch{script, c.name}
		}
	}
	for _, c := range commands {
		switch {
		case c.unset != "":
			f.mayStart(script, "starts the command in $"+c.unset+", whose value wi4go cannot tell")
		case c.name == "cd" && len(c.rest) > 0:
			if to := inDir(c.rest[0], dir); isDirectory(to) {
				dir = to
			}
			continue
		}
		path := inDir(c.name, dir)
		if c.interpreter == "" && !strings.Contains(c.name, "/") {
			continue
		}
		var before []string
		if c.interpreter != "" {
			before = []string{c.interpreter}
		} else if _, script, err := firstLine(path); err != nil || !script {
			continue
		}
		if found := f.script(path, before, dir, nested-1); found != nil {
			return found
		}
	}
	return nil
}

// inDir returns a path that is relative to dir.
func inDir(path, dir string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// isDirectory reports whether a path leads to a directory.
func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
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

// A language is the language of a script.
type language int

// The languages.
const (
	inNone    language = iota // no script
	inShell                   // started by a shell
	inPython                  // Python
	inAnother                 // none of these
)

// languageOf returns the language of a script and the name of its interpreter: from its first line, else
// from the words before it on the command line. A file without either is a shell's if it is executable.
func languageOf(path string, before []string) (interpreter string, l language) {
	_, script, err := firstLine(path)
	if err != nil {
		return "", inNone
	}
	if script {
		if before, err = interpreterLine(path); err != nil || len(before) == 0 {
			return "", inNone
		}
	}
	for _, word := range before {
		name := filepath.Base(word)
		switch {
		case shells.MatchString(name):
			return name, inShell
		case pythons.MatchString(name):
			return name, inPython
		}
	}
	switch info, err := os.Stat(path); {
	case script:
		return filepath.Base(before[0]), inAnother
	case err == nil && info.Mode()&0o111 != 0:
		return "sh", inShell
	case len(before) > 0:
		return filepath.Base(before[len(before)-1]), inAnother
	}
	return "", inNone
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
	// quotedValue matches the setting of a variable to a text in quotes, without the output of commands.
	quotedValue = pattern.New("\\b\\w+=(?:\"(?:[^\"$`\n]|\\$\\w|\\$\\{)*\"|'[^'`\n]*')")
	// argument matches a word that may be an argument of a command, and not an operator.
	argument = pattern.New(`^[\w./$-]`)
	// parameter matches the name of a parameter of a script.
	parameter = pattern.New(`^\d+$`)
	// plainWord matches a word that may be the name or the path of a command.
	plainWord = pattern.New(`[\w./+-]+`)
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
	name        string   // as the script writes it
	interpreter string   // the interpreter of which it is an argument, a shell if the script sources it, or ""
	rest        []string // the words after it
	unset       string   // the variable whose value may be the command, but is not known; "" if there is none
}

// blank stands for a blank in the value of a variable, until the variable is used.
const blank = "\x01"

// commandsIn returns the commands in the text of a shell script. It removes quotes, because no
// launcher's name contains a blank. getenv reads the environment of the script.
func commandsIn(text string, getenv func(string) string) (commands []scriptCommand) {
	values := map[string]string{} // variables that the script sets
	text = shellComment.ReplaceAllString(strings.ReplaceAll(text, "\\\n", " "), "")
	text = quotedValue.ReplaceAllStringFunc(text, func(set string) string { return strings.ReplaceAll(set, " ", blank) })
	text = braced.ReplaceAllStringFunc(strings.NewReplacer(`"`, "", "'", "").Replace(text), func(variable string) string {
		m := braced.FindStringSubmatch(variable)
		if m[2] != "" && getenv(m[1]) == "" {
			values[m[1]] = m[2]
		}
		return "$" + m[1]
	})
	text = lookUp.ReplaceAllString(withoutPrinted(text), "${1}")
	known := func(name string) (value string, set bool) {
		if value, set = values[name]; !set {
			value = getenv(name)
		}
		return value, set || value != ""
	}
	for _, simple := range commandEnds.Split(text, -1) {
		words := strings.Fields(simple)
		if len(words) > 3 && words[0] == "for" && words[2] == "in" {
			values[words[1]] = words[3]
		}
		if c := commandOf(words, values, known); c.name != "" || c.unset != "" {
			commands = append(commands, c)
		}
	}
	return commands
}

// commandOf returns the command in the words of a simple command. It adds the variables that the words
// set to values. known returns the value of a variable, and whether it has one.
func commandOf(words []string, values map[string]string, known func(string) (string, bool)) (c scriptCommand) {
	words = slices.Clone(words)
	for i, replaced := 0, 0; i < len(words); i++ {
		word := words[i]
		if m := assignment.FindStringSubmatch(word); m != nil {
			values[m[1]], _ = expand(m[2], known)
			continue
		}
		base := filepath.Base(word)
		switch {
		case word == "command" && slices.Contains([]string{"-v", "-V"}, strings.Join(words[i+1:min(i+2, len(words))], "")):
			return scriptCommand{unset: c.unset} // prints the path of a command
		case slices.Contains(beforeCommand, base), strings.HasPrefix(word, "-"), duration.MatchString(word):
		case word == ".", word == "source", shells.MatchString(base):
			c.interpreter = "sh"
		case pythons.MatchString(base):
			c.interpreter = base
		case reference.MatchString(word) && replaced < mostReplaced:
			value, unset := expand(word, known)
			if unset != "" && !parameter.MatchString(unset) && reference.FindStringSubmatch(word)[2] == "" && c.unset == "" && c.interpreter == "" &&
				(i+1 == len(words) || argument.MatchString(words[i+1])) {
				c.unset = unset
			}
			if unset == "" {
				words = slices.Replace(words, i, i+1, strings.Fields(strings.ReplaceAll(value, blank, " "))...)
				i, replaced = i-1, replaced+1
			} else if reference.FindStringSubmatch(word)[2] != "" {
				c.name, c.rest = word, words[i+1:]
				return c
			}
		default:
			c.name = word
			for _, word := range words[i+1:] {
				if value, unset := expand(word, known); unset == "" {
					c.rest = append(c.rest, strings.Fields(strings.ReplaceAll(value, blank, " "))...)
				}
			}
			return c
		}
	}
	return c
}

// mostReplaced bounds the variables in a command that are replaced by their values.
const mostReplaced = 10

// expand returns a word with its value if it begins with a variable. unset is the name of that variable
// if its value is not known, else "".
func expand(word string, known func(string) (string, bool)) (value, unset string) {
	m := reference.FindStringSubmatch(word)
	if m == nil {
		return word, ""
	}
	if value, isKnown := known(m[1]); isKnown && value != substituted {
		return value + m[2], ""
	}
	return word, m[1]
}

// substituted is the rest of a value that the output of a command replaces, after the text was split at
// the command.
const substituted = "$"

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
