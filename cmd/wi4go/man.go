package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// manCommand returns the command that writes the manual pages. Their text is the text of
// --help, followed by the exit codes, variables and files of the reference.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man DIRECTORY", Hidden: true, Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return exitError{exitUsage, errors.New("man needs one directory: wi4go man DIRECTORY")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
				if !c.IsAvailableCommand() && c != root {
					continue
				}
				if err := os.WriteFile(filepath.Join(args[0], pageName(c)+".1"), []byte(page(c)), 0o644); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// pageName returns the name of a command's page: wi4go-run.
func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// page returns a command's page, written in man(7)'s macros.
func page(c *cobra.Command) string {
	var text strings.Builder
	section := func(title, body string) {
		if body = strings.Trim(body, "\n"); body != "" {
			fmt.Fprintf(&text, ".SH %s\n.nf\n%s\n.fi\n", title, roff(body))
		}
	}
	fmt.Fprintf(&text, ".TH %s 1 \"\" \"wi4go %s\"\n.SH NAME\n%s \\- %s\n", strings.ToUpper(pageName(c)), version, roff(pageName(c)), roff(c.Short))
	section("SYNOPSIS", c.UseLine())
	section("DESCRIPTION", c.Long)
	section("OPTIONS", c.LocalFlags().FlagUsagesWrapped(76))
	section("EXAMPLES", c.Example)
	text.WriteString(referenceOf(c))
	var others []string
	if c.HasParent() {
		others = []string{c.Parent().Name() + "(1)"}
	} else {
		lines := ""
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				lines += fmt.Sprintf("%-12s%s\n", sub.Name(), sub.Short)
				others = append(others, pageName(sub)+"(1)")
			}
		}
		section("COMMANDS", lines)
	}
	section("SEE ALSO", strings.Join(others, ", "))
	return text.String()
}

// startsRanks are the commands whose page lists the variables that a rank reads.
var startsRanks = []string{"run", "exec", "env", "shell"}

// referenceOf returns the sections of a command's page that are made from the reference. The page
// of wi4go itself has all rows, with the commands that they are about.
func referenceOf(c *cobra.Command) string {
	codes, variables, files := tables("Exit codes"), tables("Variables"), tables("Files")
	if c.HasParent() {
		readers := []string{"the command"}
		if slices.Contains(startsRanks, c.Name()) {
			readers = append(readers, "each rank")
		}
		codes, files = ofCommand(codes, 1, c.Name(), "all"), ofCommand(files, 1, c.Name(), "all")
		variables = slices.DeleteFunc(variables, func(r row) bool { return len(ofCommand([]row{r}, len(r)-2, c.Name(), readers...)) == 0 })
	}
	values := func(r row) string {
		if len(r) == 4 {
			return " (" + r[1] + ")"
		}
		return ""
	}
	text := terms("EXIT STATUS", codes, c.HasParent(), nil) + terms("ENVIRONMENT", variables, true, values) + terms("FILES", files, c.HasParent(), nil)
	if !c.HasParent() {
		text += terms("CONFIGURATION", tables("The configuration"), true, func(r row) string { return " (" + r[1] + ")" })
	}
	return text
}

// terms returns a section with the first cell of each row and its last one, the description. Rows with
// equal first cells have one entry. If bare is false, the second cell precedes the description, unless it is
// "all"; more, if not nil, returns a text to put after the first cell.
func terms(title string, rows []row, bare bool, more func(row) string) string {
	if len(rows) == 0 {
		return ""
	}
	text, last := ".SH "+title+"\n", ""
	for _, r := range rows {
		description := r[len(r)-1]
		if !bare && r[1] != "" && r[1] != "all" {
			description = r[1] + ": " + description
		}
		switch {
		case r[0] == last:
			text = strings.TrimSuffix(text, "\n") + ";\n"
		default:
			text += ".TP\n\\fB" + roff(r[0]) + "\\fR"
			if more != nil {
				text += roff(more(r))
			}
			text += "\n"
		}
		text, last = text+roff(description)+"\n", r[0]
	}
	return text
}

// roff returns text with backslashes, hyphens, non-ASCII characters and lines that look like
// macros escaped.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", `\[u2026]`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
