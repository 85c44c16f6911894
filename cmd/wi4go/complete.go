package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wi4go/internal/container"
	"wi4go/internal/family"
	"wi4go/internal/runtimes"
	"wi4go/internal/spelling"
	"wi4go/internal/verify"
)

// addCompletions registers the completions of option values and arguments for shells.
func addCompletions(root *cobra.Command) {
	root.InitDefaultCompletionCmd("completion")
	for _, cmd := range root.Commands() {
		for name, complete := range values {
			if cmd.Flags().Lookup(name) != nil {
				_ = cmd.RegisterFlagCompletionFunc(name, complete) // fails only if there is no such flag
			}
		}
		switch cmd.Name() {
		case "run", "exec", "env":
			cmd.ValidArgsFunction = completeOwn
		case "get":
			cmd.ValidArgsFunction = completeGet
		case "verify":
			cmd.ValidArgsFunction = completeTests
		case "completion":
			for _, shell := range cmd.Commands() {
				shell.Args = noArgs
			}
			cmd.Args, cmd.RunE = nil, func(cmd *cobra.Command, args []string) error {
				if len(args) == 0 {
					return cmd.Help()
				}
				return exitError{exitUsage, fmt.Errorf("no completion for the shell %s: %sthe shells are bash, zsh and fish", args[0],
					spelling.Suggestion(args[0], []string{"bash", "zsh", "fish"}))}
			}
		case "list", "version":
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}
	}
}

// withoutQuotes removes the back quotes from the descriptions of options. In the help they mark
// the name of an option's value, but a shell's completion prints them as they are.
func withoutQuotes(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) { _, f.Usage = pflag.UnquoteUsage(f) })
	}
}

// values maps options to the completions of their values.
var values = map[string]cobra.CompletionFunc{"to": completeTo, "from": completeFrom, "container": completeContainer, "call": completeCall}

// completeContainer returns the kinds of containers.
func completeContainer(*cobra.Command, []string, string) (kinds []cobra.Completion, _ cobra.ShellCompDirective) {
	for _, kind := range container.Kinds {
		kinds = append(kinds, string(kind))
	}
	return kinds, cobra.ShellCompDirectiveNoFileComp
}

// completeCall returns the functions of all families.
func completeCall(*cobra.Command, []string, string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
	l, err := newLauncher()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for _, f := range family.All {
		if text, err := l.Tree.Calls(f.Name, family.All[0].Name); err == nil {
			names = append(names, functionsIn(strings.Split(text, "\n\n"))...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), cobra.ShellCompDirectiveNoFileComp
}

// completeTo returns the names of this machine's libraries; a path is possible as well.
func completeTo(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	l, err := newLauncher()
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var names []cobra.Completion
	for _, r := range runtimes.Usable(l.Runtimes.List()) {
		names = append(names, cobra.CompletionWithDesc(r.Name, r.Title()))
	}
	return names, cobra.ShellCompDirectiveDefault
}

// completeFrom returns the names of the families, and "auto" for commands that accept it.
func completeFrom(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	if cmd.Name() != "verify" && cmd.Name() != "inspect" {
		names = append(names, "auto")
	}
	for _, f := range family.All {
		names = append(names, f.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeOwn returns completions for commands that pass the options of mpiexec and of the
// program on unchanged: it completes only wi4go's own options.
func completeOwn(cmd *cobra.Command, args []string, text string) ([]cobra.Completion, cobra.ShellCompDirective) {
	last := ""
	if len(args) > 0 {
		last = args[len(args)-1]
	}
	for name, complete := range values {
		option := "--" + name
		if name == "call" || name == "container" && cmd.Name() != "env" {
			continue // not an option of this command
		}
		if last == option {
			return complete(cmd, args, text)
		}
		if strings.HasPrefix(text, option+"=") {
			found, directive := complete(cmd, args, text)
			for i := range found {
				found[i] = option + "=" + found[i]
			}
			return found, directive
		}
	}
	if !strings.HasPrefix(text, "-") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	options := []cobra.Completion{"--from", "--to", "--identity", "--dry-run", "--verbose", "--help"}
	switch cmd.Name() {
	case "run":
		options = append(options, "--get")
	case "env":
		options = append(options, "--container", "--rootfs", "--eval")
	}
	return options, cobra.ShellCompDirectiveNoFileComp
}

// completeGet returns the runtimes that get can install or, with --remove, the installed ones.
func completeGet(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	removing, err := cmd.Flags().GetBool("remove")
	store, noStore := newStore()
	for _, v := range runtimes.Vendors {
		if v.Package == "" {
			continue
		}
		if err == nil && removing && noStore == nil {
			for _, f := range store.Matching(v.Name, "") {
				names = append(names, f.Name+"@"+f.Version)
			}
		} else {
			names = append(names, cobra.CompletionWithDesc(v.Name, v.Title))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeTests returns the chapters and the tests of verify.
func completeTests(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	l, err := newLauncher()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	from, err := family.Of(cmd.Flag("from").Value.String())
	if err != nil {
		from = family.All[0]
	}
	tests, err := allTests(context.Background(), &verify.Run{Launcher: l, From: from})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var chapters, names []cobra.Completion
	for _, t := range tests {
		names = append(names, cobra.CompletionWithDesc(t.Name, t.Chapter))
		if !slices.Contains(chapters, t.Chapter) {
			chapters = append(chapters, t.Chapter)
		}
	}
	return append(chapters, names...), cobra.ShellCompDirectiveNoFileComp
}
