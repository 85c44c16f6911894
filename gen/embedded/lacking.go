package embedded

import (
	"cmp"
	"slices"

	"wi4go/abi"
	"wi4go/gen/model"
	"wi4go/gen/output"
)

// absent lists the chapters whose functions fail by name: the embedded MPI does not have them.
var absent = []string{"rma", "io", "dynamic-processes", "tool"}

// present lists the functions of these chapters that the embedded MPI has, because they need neither spawned processes nor
// a file: the error handler of MPI_FILE_NULL is also the default one of files.
var present = []string{
	"MPI_Comm_disconnect", "MPI_Comm_get_parent",
	"MPI_File_call_errhandler", "MPI_File_create_errhandler", "MPI_File_get_errhandler", "MPI_File_set_errhandler",
}

// ofWindows lists the functions of windows in other chapters.
var ofWindows = []string{
	"MPI_Win_call_errhandler", "MPI_Win_get_errhandler", "MPI_Win_set_errhandler",
	"MPI_Win_create_keyval", "MPI_Win_free_keyval", "MPI_Win_delete_attr", "MPI_Win_get_attr", "MPI_Win_set_attr",
	"MPI_Win_get_name", "MPI_Win_set_name",
}

// missing reports whether the entry point only refuses the call by name. Functions of windows are
// in several chapters.
func (e *entry) missing() bool {
	if conversion(e.f) || slices.Contains(present, e.f.Name) {
		return false
	}
	return slices.Contains(absent, e.f.Chapter) || slices.Contains(ofWindows, e.f.Name)
}

// Missing returns the functions that the embedded MPI exports only to refuse them by name.
func Missing(in *model.Input) (names []string) {
	p := &printer{in: in, family: in.Family(abi.Standard())}
	for i := range in.Functions {
		if f := &in.Functions[i]; p.exported(f) && p.entry(f).missing() {
			names = append(names, f.Name)
		}
	}
	return names
}

// Lacking returns all functions that the embedded MPI does not have: those of Missing, and the functions
// that MPI-3.0 removed, if neither it nor the fronts have them. The functions that make an object come first,
// because a program cannot call the others without them.
func Lacking(in *model.Input) []string {
	names, p := Missing(in), &printer{in: in, family: in.Family(abi.Standard())}
	for i := range in.Functions {
		if f := &in.Functions[i]; f.Chapter == "removed" && !f.Emulated && !p.exported(f) {
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
