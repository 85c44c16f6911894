// Package wrap breaks texts into lines.
package wrap

import (
	"strings"
	"unicode/utf8"
)

// Lines returns a text as lines of at most width columns. It breaks the text between words; a word
// that is longer than a line stays whole.
func Lines(text string, width int) []string {
	lines := []string{""}
	for word := range strings.SplitSeq(text, " ") {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case utf8.RuneCountInString(*last)+1+utf8.RuneCountInString(word) <= width:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}
