package embedded

import (
	"cmp"
	"slices"

	"wi4go/gen/model"
	"wi4go/gen/output"
)

// Lacking returns the functions that the embedded MPI exports only to refuse them by name. The
// functions that make an object come first, because a program cannot call the others without them.
func Lacking(in *model.Input) (names []string) {
	for i := range in.Functions {
		if f := &in.Functions[i]; f.Embedded == model.EmbeddedNone {
			names = append(names, f.Name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(output.Bit(!in.Function(a).Makes()), output.Bit(!in.Function(b).Makes()))
	})
	return names
}

// writeLacking writes the names of functions as a string in the section .wi4go.lacking of the library.
// The command reads it (internal/runtimes), to report programs that import such a function.
func writeLacking(w *output.Writer, names []string) {
	w.Line("\nstatic const char lacking[] __attribute__((section(\".wi4go.lacking\"), used)) =")
	for _, name := range names {
		w.Line("    \"%s\\n\"", name)
	}
	w.Line("    ;")
}
