package doctor

import (
	"fmt"
	"io"
	"strings"

	"wi4go/internal/wrap"
)

// A Style describes the terminal on which a report is printed. The zero value is for a file.
type Style struct {
	Width int  // the number of columns, or 0 for no limit
	Color bool // color the severities and the verdict
}

// label is the width of the column that names the subject of each line, in columns.
const label = 9

// The colors of a terminal, as SGR sequences (ECMA-48).
const (
	red, yellow, green = "\x1b[31m", "\x1b[33m", "\x1b[32m"
	plain              = "\x1b[0m"
)

// colors holds the color of each severity, and of each verdict by status.
var (
	colors        = map[Severity]string{Error: red, Warning: yellow}
	verdictColors = [...]string{green, yellow, red}
)

// Print writes the report as text: the facts, an entry for each finding with its cure, and the
// verdict.
func (r Report) Print(out io.Writer, style Style) {
	for _, f := range r.Facts {
		style.entry(out, f.Subject, "", f.Fact)
	}
	for _, f := range r.Findings {
		text := f.Finding
		if f.Cure != "" {
			text += ": " + f.Cure
		}
		style.entry(out, string(f.Severity), colors[f.Severity], text+" ("+f.ID+")")
	}
	style.entry(out, "verdict", verdictColors[r.Status], r.Verdict)
}

// entry writes one entry: its subject, in a color ("": none), and its text. It breaks the text
// between words at the width of the terminal; a word that is longer than a line stays whole.
func (s Style) entry(out io.Writer, subject, color, text string) {
	head := fmt.Sprintf("%-*s", label, subject)
	if s.Color && color != "" {
		head = color + subject + plain + head[len(subject):]
	}
	for _, line := range s.lines(text) {
		fmt.Fprintf(out, "%s%s\n", head, line)
		head = strings.Repeat(" ", label)
	}
}

// lines returns a text as lines that fit next to the subjects.
func (s Style) lines(text string) []string {
	room := s.Width - label
	if room < 2*label { // no limit, or a terminal that is too narrow
		return []string{text}
	}
	return wrap.Lines(text, room)
}
