package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// manCommand returns the command that writes the manual pages. Their text is the text of
// --help.
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
