package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"wi4go/internal/family"
	"wi4go/internal/runtimes"
	"wi4go/internal/wrap"
)

// An option is an option in a help text that cobra does not write.
type option struct{ name, text string }

// ownOptions returns the part about wi4go's own options in the help of run, exec and env.
// defaultTo is the last resort of --to, and more lists the options that only this command has.
func ownOptions(defaultTo string, more ...option) string {
	options := append([]option{
		{"--from FAMILY", "the MPI that the program was built for: " + strings.Join(family.Names(), ", ") + " or auto; auto (the default) reads it " +
			"from the program's file; vendors' names are accepted (intelmpi: mpich, or a program of the standard ABI, mpiabi, that was compiled " +
			"with Intel's mpi.h, whose constants follow a draft)"},
		{"--to RUNTIME", "the MPI library that does the work: a name shown by `wi4go list` (" + runtimes.VendorNames() + "), optionally with the start of " +
			"a version (mpich@5), or the path of a library, an installation or an mpiexec; default: WI4GO_TO, then the setting in config.toml, " +
			"then " + defaultTo},
		{"--identity", "on a library of the program's own family: use the front even if the library could replace the program's own directly " +
			"(like WI4GO_IDENTITY=always)"},
		{"--dry-run", "print the command and the environment, run nothing"},
		{"--verbose", "print on stderr which program runs on which library (give it before mpiexec's options; among them it is mpiexec's own " +
			"option)"},
	}, more...)
	return optionsText("\nOptions of wi4go:\n", append(options, option{"--", "the program follows"}))
}

// optionsText returns a heading and options with their descriptions in a second column.
func optionsText(heading string, options []option) string {
	const column = 29
	var text strings.Builder
	text.WriteString(heading)
	for _, o := range options {
		head := "  " + o.name
		for _, line := range wrap.Lines(o.text, helpColumns-column) {
			fmt.Fprintf(&text, "%-*s%s\n", column, head, line)
			head = ""
		}
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// The last resorts of --to.
const (
	firstOfList   = "the first library of the list"
	ofTheLauncher = "the library of the launcher that started this process, then " + firstOfList // for commands that a launcher may start
)

// familyFlag adds the option --from to a command; what names the programs whose family it is.
func familyFlag(cmd *cobra.Command, from *string, what string) {
	cmd.Flags().StringVar(from, "from", "", fmt.Sprintf("%s: %s", what, familyNames()))
}

// familyNames returns the names of all families, joined as in a sentence.
func familyNames() string {
	names := family.Names()
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// helpColumns is the width of the help in columns.
const helpColumns = 80

// wrapOptions makes the help of all commands break the descriptions of options between words.
func wrapOptions(root *cobra.Command) {
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", fmt.Sprintf(".FlagUsagesWrapped %d", helpColumns)))
}

// bareUsage removes cobra's "[flags]" from the usage lines of all commands, because the lines
// name the options themselves.
func bareUsage(cmd *cobra.Command) {
	cmd.DisableFlagsInUseLine = true
	for _, sub := range cmd.Commands() {
		bareUsage(sub)
	}
}
