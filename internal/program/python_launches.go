package program

import (
	"strings"

	"wi4go/internal/pattern"
)

// The parts of a Python script that start commands.
var (
	// documentation matches a string with three quotes that is a statement.
	documentation = pattern.New(`(?sm)^\s*[rR]?(?:"""[^"].*?"""|'''[^'].*?''')`)
	// pythonCall matches the beginning of a call that starts a command, up to the command.
	pythonCall = pattern.New(`\b(?:(?:subprocess|sp)\.\w+|os\.(?:system|popen|exec\w+|spawn\w+|posix_spawnp?)|run|call|check_call|check_output|Popen|system|getoutput|create_subprocess_\w+)\s*\(\s*` +
		`(?:os\.P_\w+\s*,\s*)?(?:args\s*=\s*)?(?:shlex\.split\(\s*)?`)
	// pythonList matches the beginning of a list or a tuple.
	pythonList = pattern.New(`^[\[(]\s*`)
	// pythonText matches a string, whose text is in one of its two groups.
	pythonText = pattern.New(`^[fFrRuUbB]{0,2}(?:"([^"\n]*)"|'([^'\n]*)')`)
	// pythonFunction matches the beginning of a call that returns its last argument, or its path, up to that argument.
	pythonFunction = pattern.New(`^(?:(?:shutil\.)?which\(|str\(|(?:os\.)?(?:environ\.get|getenv)\([^,()]+,|` +
		`os\.path\.join\((?:[^()"']|"[^"]*"|'[^']*')*,)\s*`)
	// pythonName matches a variable.
	pythonName = pattern.New(`^\w+`)
	// pythonAssignment matches the beginning of an assignment, up to the value.
	pythonAssignment = pattern.New(`(?m)^[ \t]*(\w+)\s*\+?=\s*`)
	// comma matches what separates the items of a list.
	comma = pattern.New(`^\s*,\s*`)
)

// commandsOfPython returns the commands that a Python script starts, one a line, as a shell would
// start them. It finds the commands of the modules subprocess, os and asyncio, in strings and lists,
// and in variables that the script sets to them.
func commandsOfPython(text string) string {
	text = shellComment.ReplaceAllString(documentation.ReplaceAllString(strings.ReplaceAll(text, "\\\n", " "), ""), "")
	values := assignedCommands(text)
	var lines strings.Builder
	for _, at := range pythonCall.FindAllStringIndex(text, -1) {
		if command := pythonCommand(text[at[1]:], values); command != "" {
			lines.WriteString(command + "\n")
		}
	}
	return lines.String()
}

// assignedCommands returns the variables of a script with the first command that each is set to.
func assignedCommands(text string) map[string]string {
	values := map[string]string{}
	for _, at := range pythonAssignment.FindAllStringSubmatchIndex(text, -1) {
		if name := text[at[2]:at[3]]; values[name] == "" {
			values[name] = pythonCommand(text[at[1]:], values)
		}
	}
	return values
}

// pythonCommand returns the command with which an expression in Python begins, or "" if it is none:
// a string, a variable, or a list of them up to the first other item.
func pythonCommand(text string, values map[string]string) string {
	list := pythonList.FindString(text)
	text = text[len(list):]
	var words []string
	for {
		calls := 0
		for call := pythonFunction.FindString(text); call != ""; call = pythonFunction.FindString(text) {
			calls, text = calls+1, text[len(call):]
		}
		word := pythonText.FindStringSubmatch(text)
		if word == nil {
			name := pythonName.FindString(text)
			if values[name] == "" {
				break
			}
			word = []string{name, values[name], ""}
		}
		words, text = append(words, word[1]+word[2]), text[len(word[0]):]
		for ; calls > 0 && strings.HasPrefix(text, ")"); calls-- {
			text = text[1:]
		}
		separator := comma.FindString(text)
		if list == "" || separator == "" {
			break
		}
		text = text[len(separator):]
	}
	return strings.Join(words, " ")
}
