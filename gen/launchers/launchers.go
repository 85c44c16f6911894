// Package launchers prints the table of the launchers that pass a process its place in the job in
// variables, for the rules in c/launchers. Fronts and the embedded MPI compile both.
//
// It must not know how the rules use the table, or any running MPI.
package launchers

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/internal/launchers"
)

// File returns the header with the table. It has the order of in.Launchers.
func File(in *model.Input) output.File {
	w := &output.Writer{}
	w.WriteString(output.Banner("The launchers that pass a process its place in the job."))
	var own []*launchers.Launcher
	for _, l := range in.Launchers {
		if len(l.Numbers.Rank) > 0 {
			own = append(own, l)
		}
	}
	for _, l := range own {
		if l.Step != nil {
			writeStep(w, l.Name, l.Step)
		}
	}
	w.Line("const struct wi4go_launcher wi4go_launchers[] = {")
	for _, l := range own {
		step := "0"
		if l.Step != nil {
			step = "&step_of_" + l.Name
		}
		w.Line("    {%q, %q, %q, %d, %s,", l.Name, l.Title, l.Manager, output.Bit(l.EveryFamily), step)
		w.Line("     %s, %s, %s, %s, {", list(l.Process.Signs), list(l.Process.Job), list(l.ProcessNames()), list(sonames(in, l)))
		for _, names := range l.Numbers.ByNumber() {
			w.Line("      %s,", list(names))
		}
		w.Line("    }},")
	}
	w.Line("    {0},\n};")
	return output.File{Name: "launchers/table.h", Text: w.Bytes()}
}

// writeStep writes the description of the steps of a batch system, whose launcher has this name.
func writeStep(w *output.Writer, name string, s *launchers.Step) {
	w.Line("static const char *const plugins_of_%s[][2] = {", name)
	for _, begin := range slices.Sorted(maps.Keys(s.Plugins)) {
		w.Line("    {%q, %q},", begin, s.Plugins[begin])
	}
	w.Line("    {0, 0},\n};")
	w.Line("static const struct wi4go_step step_of_%s = {%q, %q, %q, %q, %q, %q, %du, plugins_of_%s};",
		name, s.Number, s.Node, s.Tasks, s.Plugin, s.Namespace, s.Library, s.FirstSpecial, name)
}

// sonames returns the sonames of the C libraries whose programs the launcher starts.
func sonames(in *model.Input, l *launchers.Launcher) (names []string) {
	for _, f := range in.Families {
		if f.Launcher == l.Name {
			names = append(names, f.Sonames["c"]...)
		}
	}
	return names
}

// list returns a list of strings in C that ends with a null pointer.
func list(names []string) string {
	var quoted strings.Builder
	for _, name := range names {
		fmt.Fprintf(&quoted, "%q, ", name)
	}
	return "(const char *const[]){" + quoted.String() + "0}"
}
