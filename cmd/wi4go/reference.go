package main

import (
	"regexp"
	"slices"
	"strings"

	"wi4go/docs"
)

// A row is a row of a table of the reference: the cells of its columns without markup.
type row []string

// tables returns the rows of all tables in a chapter of the reference.
func tables(chapter string) (rows []row) {
	_, text, _ := strings.Cut(docs.Reference, "\n## "+chapter+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	head := true
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case !strings.HasPrefix(line, "|"):
			head = true
		case strings.HasPrefix(line, "|---"):
			head = false
		case !head:
			var r row
			for _, cell := range strings.Split(strings.Trim(line, "|"), "|") {
				r = append(r, plainText(strings.TrimSpace(cell)))
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// A link of Markdown, and a link in parentheses, which only points to another page.
var (
	link    = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	pointer = regexp.MustCompile(` \(\[[^\]]*\]\([^)]*\)\)`)
)

// plainText returns text without the markup of code, without pointers to other pages, and with the
// words of each link.
func plainText(text string) string {
	text = pointer.ReplaceAllString(strings.ReplaceAll(text, "`", ""), "")
	return link.ReplaceAllString(text, "$1")
}

// names returns the names in a cell, which commas separate.
func names(cell string) []string { return strings.Split(cell, ", ") }

// ofCommand returns the rows whose cell in a column names a command, or one of more.
func ofCommand(rows []row, column int, command string, more ...string) (found []row) {
	for _, r := range rows {
		if slices.ContainsFunc(names(r[column]), func(name string) bool { return name == command || slices.Contains(more, name) }) {
			found = append(found, r)
		}
	}
	return found
}
