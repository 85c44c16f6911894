package output

import (
	"fmt"
	"regexp"
	"strings"
)

var field = regexp.MustCompile(`@\w+@`)

// Fill writes a template: @name@ is what fields have for the name. Every field of the
// template has to be there.
func (w *Writer) Fill(template string, fields map[string]string) {
	w.WriteString(field.ReplaceAllStringFunc(template, func(name string) string {
		text, given := fields[strings.Trim(name, "@")]
		if !given {
			panic(fmt.Sprintf("template: nothing for %s in:\n%s", name, template))
		}
		return text
	}))
}

// Indented are lines of a C function's body.
func Indented(lines []string) string {
	var text strings.Builder
	for _, line := range lines {
		text.WriteString("    " + line + "\n")
	}
	return text.String()
}
