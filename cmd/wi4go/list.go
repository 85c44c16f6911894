package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"wi4go/internal/runtimes"
)

// listed describes one runtime for `wi4go list --json`. The fields are stable; new ones may be
// added.
type listed struct {
	Name            string   `json:"name"`               // name for --to
	Vendor          string   `json:"vendor"`             // openmpi, mpich, intelmpi, mvapich, cray-mpich
	Product         string   `json:"product"`            // vendor and version in words
	Version         string   `json:"version,omitempty"`  // release of the library
	Family          string   `json:"family"`             // a name of abi/*.json
	Standard        string   `json:"standard,omitempty"` // version of the MPI standard
	LargeCounts     bool     `json:"large_counts"`       // it exports the functions of large counts
	Threads         string   `json:"threads,omitempty"`  // highest thread level: single … multiple
	ProcessManagers []string `json:"process_managers"`   // pmi1, pmi2, pmix
	Fabrics         []string `json:"fabrics"`            // shm, tcp, ucx, ofi …
	Library         string   `json:"library"`            // file of the C library, "" for a launcher without one
	Soname          string   `json:"soname"`             // soname of the C library
	Launcher        string   `json:"launcher,omitempty"` // file of its mpiexec
	Prefix          string   `json:"prefix"`             // directory of the installation
	Found           string   `json:"found"`              // the rule that found it
	Also            []string `json:"also,omitempty"`     // copies of the library
	Text            string   `json:"text,omitempty"`     // first line of MPI_Get_library_version
	Usable          bool     `json:"usable"`             // programs can run on it
	Problem         string   `json:"problem,omitempty"`  // reason if it is not usable
}

// listCommand returns the command that lists the MPI libraries of this machine.
func listCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list [--json]", Short: "List the MPI libraries of this machine, the preferred first", Args: noArgs,
		Long: `List the MPI libraries of this machine. list searches the active virtual
environment, the launchers in PATH, MPI_HOME and similar variables, the linker's
paths, Debian's alternatives, /opt, the trees of Spack and EasyBuild, and the
libraries installed by ` + "`wi4go get`" + `. It loads each library in a separate process
to read its version, and lists copies once. Without --to, ` + "`wi4go run`" + ` uses the
first usable library. The last is embedded, wi4go's own MPI for one host.`,
		RunE: func(*cobra.Command, []string) error { return runList(asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// noArgs returns an error if a command has arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return exitError{exitUsage, fmt.Errorf("%s takes no arguments: leave out %q", cmd.CommandPath(), args[0])}
	}
	return nil
}

// runList prints the MPI libraries of this machine, as tables or as JSON.
func runList(asJSON bool) error {
	l, err := newLauncher()
	if err != nil {
		return err
	}
	if _, err := l.Config(); err != nil {
		return err
	}
	list := []listed{}
	for _, e := range l.Runtimes.Survey() {
		list = append(list, listed{
			Name: e.Name, Vendor: e.Vendor, Product: e.Product, Version: e.Number, Family: e.Family.Name, Standard: e.Standard,
			LargeCounts: e.LargeCounts(), Threads: e.Threads, ProcessManagers: notNil(e.ProcessManagers), Fabrics: notNil(e.Fabrics),
			Library: e.Library, Soname: e.Soname, Launcher: e.Launcher, Prefix: e.Prefix, Found: e.Found, Also: e.Also,
			Text: e.Text, Usable: e.Usable(), Problem: e.Problem,
		})
	}
	for _, launcher := range l.Runtimes.LaunchersWithoutLibrary() {
		family := ""
		if v := runtimes.VendorOfLauncher(runtimes.LauncherOf(launcher)); v != nil {
			family = v.Family()
		}
		list = append(list, listed{
			Name: launcher, Family: family, ProcessManagers: []string{}, Fabrics: []string{},
			Launcher: launcher, Prefix: filepath.Dir(filepath.Dir(launcher)), Found: "PATH",
			Problem: "the lib directory next to this launcher has no MPI library",
		})
	}
	if asJSON {
		if err := printJSON(list); err != nil {
			return err
		}
	}
	if len(list) == 0 {
		return l.Runtimes.NoneFor(nil)
	}
	if asJSON {
		return nil
	}
	fmt.Fprint(stdout, table(list, terminalColumns()))
	for _, e := range list {
		if e.Problem != "" {
			fmt.Fprintf(stdout, "\n%s: not usable: %s\n", e.Name, e.Problem)
		}
	}
	return nil
}

// table returns the list as text: two tables or, if a line would be longer than columns, a
// paragraph per library.
func table(list []listed, columns int) string {
	rows := func(head string, row func(e listed) []string) string {
		var text strings.Builder
		w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, head)
		for _, e := range list {
			fmt.Fprintln(w, strings.Join(row(e), "\t"))
		}
		_ = w.Flush() // cannot fail in memory
		return text.String()
	}
	facts := func(e listed) []string {
		return []string{e.Name, orDash(e.Product), e.Family, orDash(e.Standard), yesOrNo(e.LargeCounts),
			orDash(e.Threads), orDash(strings.Join(e.ProcessManagers, ",")), orDash(strings.Join(e.Fabrics, " "))}
	}
	places := func(e listed) []string { return []string{e.Name, orDash(e.Library), orDash(e.Launcher), e.Found} }
	const factsHead, placesHead = "NAME\tVERSION\tFAMILY\tMPI\tLARGE COUNTS\tTHREADS\tPMI\tFABRICS", "NAME\tLIBRARY\tLAUNCHER\tFOUND BY"
	text := rows(factsHead, facts) + "\n" + rows(placesHead, places)
	if fits(text, columns) {
		return text
	}
	text = ""
	for _, e := range list {
		text += e.Name + "\n"
		heads := slices.Concat(strings.Split(factsHead, "\t")[1:], strings.Split(placesHead, "\t")[1:])
		for i, value := range slices.Concat(facts(e)[1:], places(e)[1:]) {
			text += fmt.Sprintf("  %-13s %s\n", strings.ToLower(heads[i]), value)
		}
	}
	return text
}

// fits reports whether every line of text has at most so many columns.
func fits(text string, columns int) bool {
	for line := range strings.Lines(text) {
		if utf8.RuneCountInString(strings.TrimRight(line, " \n")) > columns {
			return false
		}
	}
	return true
}

// printJSON prints value as indented JSON.
func printJSON(value any) error {
	out := json.NewEncoder(stdout)
	out.SetIndent("", "  ")
	return out.Encode(value)
}

// notNil returns list, or an empty list for nil, which JSON would print as null.
func notNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// yesOrNo returns "yes" or "no".
func yesOrNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// orDash returns s, or "-" if s is empty.
func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
