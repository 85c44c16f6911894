// Package shell quotes words for sh(1), and splits command lines as sh(1) does.
//
// It must not know the meaning of the words.
package shell

import (
	"errors"
	"strings"
)

// Join returns a command line made of words, quoted if necessary.
func Join(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = Quote(word)
	}
	return strings.Join(quoted, " ")
}

// Quote returns a word in quotes if sh(1) would interpret any of its characters, else unchanged.
func Quote(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !(r == '-' || r == '_' || r == '/' || r == '.' || r == ',' || r == ':' || r == '=' || r == '+' || r == '@' ||
			'0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Split returns the words of a command line: separated by blanks, with quotes and backslashes as in
// sh(1). It supports nothing else of sh(1). It returns an error for an unfinished quote.
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
		return nil, errors.New("a quote is not closed, or a backslash is the last character")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
