package program

import (
	"strings"

	"wi4go/internal/pattern"
)

// The parts of a Perl script that start commands.
var (
	// perlDocumentation matches documentation, and the text after the end of the script.
	perlDocumentation = pattern.New(`(?ms)^=[a-z]\w*.*?(?:^=cut\b.*?$|\z)|^__(?:END|DATA)__$.*\z`)
	// perlCall matches the beginning of a call that starts a command, up to the command.
	perlCall = pattern.New(`(?:^|[^\w$@%>-])(?:system|exec|run3?|capturex?|systemx)\b\s*\(?\s*|` +
		`\bopen\s*\(?\s*(?:my\s+)?[\w$]+\s*,\s*(?:["'](?:-\||\|-)["']\s*,\s*)`)
	// perlPipe matches a command that a file name with a bar starts.
	perlPipe = pattern.New(`\bopen\s*\(?\s*(?:my\s+)?[\w$]+\s*,\s*(?:"\|?\s*([^"|]*)\|?[^"]*"|'\|?\s*([^'|]*)\|?[^']*')`)
	// perlOutput matches a command whose output the script reads.
	perlOutput = pattern.New("`([^`]*)`|" + `\bqx\s*(?:\{([^}]*)\}|\(([^)]*)\)|\[([^\]]*)\]|/([^/]*)/|!([^!]*)!)`)
	// perlList matches the beginning of a list.
	perlList = pattern.New(`^[\[(]\s*`)
	// perlText matches a string or a list of words.
	perlText = pattern.New(`^(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|q[qw]?\s*(?:\{([^}]*)\}|\(([^)]*)\)|\[([^\]]*)\]|/([^/]*)/|!([^!]*)!))`)
	// perlVariable matches a variable.
	perlVariable = pattern.New(`^\\?[$@](\w+)`)
	// perlEither matches the variable of the environment that comes before a default.
	perlEither = pattern.New(`^\$ENV\{["']?(\w+)["']?\}\s*(?:\|\||//)\s*`)
	// perlAssignment matches the beginning of an assignment, up to the value.
	perlAssignment = pattern.New(`[$@](\w+)\s*(?:\|\||//)?=\s*`)
	// perlReference matches a variable in a string.
	perlReference = pattern.New(`[$@]\{?(\w+)\}?`)
	// perlSeparator matches what separates the items of a list.
	perlSeparator = pattern.New(`^\s*(?:,|=>|\.)\s*`)
)

// commandsOfPerl returns the commands that a Perl script starts, one a line, as a shell would start them.
// It finds those of system, exec, open, qx and the usual modules, in strings, lists, and variables that
// the script sets to them.
func commandsOfPerl(text string) string {
	text = shellComment.ReplaceAllString(perlDocumentation.ReplaceAllString(text, ""), "")
	values := assignedCommands(text, perlAssignment, perlCommand)
	var lines strings.Builder
	write := func(command string) {
		if command != "" {
			lines.WriteString(strings.ReplaceAll(command, "\n", " ") + "\n")
		}
	}
	for _, at := range perlCall.FindAllStringSubmatchIndex(text, -1) {
		write(perlCommand(text[at[1]:], values))
	}
	for _, m := range append(perlOutput.FindAllStringSubmatch(text, -1), perlPipe.FindAllStringSubmatch(text, -1)...) {
		if command := strings.Join(m[1:], ""); strings.ContainsAny(m[0], "|`") || strings.HasPrefix(m[0], "qx") {
			write(interpolated(command, values))
		}
	}
	return lines.String()
}

// perlCommand returns the command with which an expression in Perl begins, or "" if it is none: a string,
// a variable, or a list of them up to the first other item.
func perlCommand(text string, values map[string]string) string {
	for list := perlList.FindString(text); list != ""; list = perlList.FindString(text) {
		text = text[len(list):]
	}
	var words []string
	for {
		text = text[len(perlEither.FindString(text)):]
		word := ""
		if m := perlText.FindStringSubmatch(text); m != nil {
			word, text = interpolated(strings.Join(m[1:], ""), values), text[len(m[0]):]
		} else if m := perlVariable.FindStringSubmatch(text); m != nil && values[m[1]] != "" {
			word, text = values[m[1]], text[len(m[0]):]
		} else {
			break
		}
		words = append(words, word)
		separator := perlSeparator.FindString(text)
		if separator == "" {
			break
		}
		text = text[len(separator):]
	}
	return strings.Join(words, " ")
}

// interpolated returns a string with the values of the variables in it that are known.
func interpolated(text string, values map[string]string) string {
	return perlReference.ReplaceAllStringFunc(text, func(variable string) string {
		if value := values[perlReference.FindStringSubmatch(variable)[1]]; value != "" {
			return value
		}
		return variable
	})
}
