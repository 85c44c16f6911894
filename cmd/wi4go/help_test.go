package main

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"wi4go/internal/family"
)

// commands are the commands that a user calls.
var commands = []string{"", "run", "exec", "env", "shell", "list", "get", "inspect", "doctor", "verify", "version"}

// Except for examples and the lines of usage, the help fits into 80 columns.
func TestHelpWidth(t *testing.T) {
	w := newWorld(t)
	for _, command := range commands {
		section := ""
		for line := range strings.Lines(w.run(nil, append(strings.Fields(command), "--help")...).out) {
			line = strings.TrimRight(line, "\n")
			if strings.HasSuffix(line, ":") && !strings.HasPrefix(line, " ") {
				section = line
			}
			if section != "Examples:" && section != "Usage:" {
				assert.LessOrEqual(t, utf8.RuneCountInString(line), 80, "%s: %s", command, line)
			}
		}
	}
}

// Commands with --from name every family, and each command names its own default of --to.
func TestHelpOfOwnOptions(t *testing.T) {
	w := newWorld(t)
	words := func(command string) string {
		return strings.Join(strings.Fields(w.run(nil, command, "--help").out), " ")
	}
	for _, command := range []string{"run", "exec", "env", "inspect", "doctor", "verify"} {
		text := words(command)
		_, text, _ = strings.Cut(text[strings.LastIndex(text, "--from FAMILY")+1:], "FAMILY")
		text = text[:min(len(text), 200)]
		for _, f := range family.All {
			assert.Regexp(t, `\b`+f.Name+`\b`, text, command)
		}
	}
	defaults := regexp.MustCompile(`default: WI4GO_TO, then the setting in config.toml, then (.*?) --identity`)
	for command, want := range map[string]string{
		"run":  "the first library of the list",
		"exec": "the library of the launcher that started this process, then the first library of the list",
		"env":  "the library of the launcher that started this process, then the first library of the list",
	} {
		m := defaults.FindStringSubmatch(words(command))
		if assert.NotNil(t, m, command) {
			assert.Equal(t, want, m[1], command)
		}
	}
	for _, command := range commands {
		assert.NotContains(t, words(command), "[flags]", command)
	}
}
