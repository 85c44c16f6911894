package output

import (
	"fmt"
	"regexp"
	"strings"
)

// field matches a field of a template.
var field = regexp.MustCompile(`@\w+@`)

// Fill writes a template, and replaces each @name@ by the text that fields has for the name. It
// panics if fields lacks a name of the template.
func (w *Writer) Fill(template string, fields map[string]string) {
	w.WriteString(field.ReplaceAllStringFunc(template, func(name string) string {
		text, given := fields[strings.Trim(name, "@")]
		if !given {
			panic(fmt.Sprintf("template: nothing for %s in:\n%s", name, template))
		}
		return text
	}))
}

// Indented returns the lines as text, with the indentation of the body of a C function.
func Indented(lines []string) string {
	var text strings.Builder
	for _, line := range lines {
		text.WriteString("    " + line + "\n")
	}
	return text.String()
}
