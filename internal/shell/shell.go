// Package shell writes words as sh(1) reads them, and reads those.
//
// It must not know what the words mean.
package shell

import (
	"errors"
	"strings"
)

// Join is a command line of words.
func Join(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = Quote(word)
	}
	return strings.Join(quoted, " ")
}

// Quote quotes a word where it needs it.
func Quote(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !(r == '-' || r == '_' || r == '/' || r == '.' || r == ',' || r == ':' || r == '=' || r == '+' || r == '@' ||
			'0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Split takes a command line apart: words between blanks, with quotes and
// backslashes as in sh(1), and nothing else of it.
func Split(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord := false
	var quote rune
	escaped := false
	for _, r := range line {
		switch {
		case escaped:
			if quote == '"' && !strings.ContainsRune("\"\\$`", r) {
				word.WriteByte('\\')
			}
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, inWord = true, true
		case r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case strings.ContainsRune(" \t\n", r):
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 || escaped {
		return nil, errors.New("a quote or a backslash has no end")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
