// Package fortran prints the Fortran libraries over the fronts. These are the libraries of
// the families that have one. In interface mode they are libwi4go_fortran, mpif.h and the
// sources of the modules.
//
// The package must not know the output of the other printers.
package fortran

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"wi4go/abi"
	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/mappers"
)

// This file prints the Fortran library of a family: the procedures of mpif.h and `use mpi`, over
// the functions of its front. shim/fortran contains the code that all procedures share, and the
// procedures that are written by hand.

// A library is the Fortran library over a front.
type library struct{ *model.Slots }

// Libraries returns the sources of the Fortran libraries, for each family that has one. It returns an
// error if a function cannot have a generated procedure and has none by hand.
func Libraries(in *model.Input) ([]output.File, error) {
	var files []output.File
	for _, front := range in.Families {
		s := library{model.NewSlots(in, front)}
		if len(front.Fortran.Sources) == 0 {
			continue
		}
		procedures, err := s.fortran(in)
		if err != nil {
			return nil, fmt.Errorf("%s: Fortran: %w", front.Family, err)
		}
		files = append(files,
			output.File{Name: front.Family + "/fortran.c", Text: procedures},
			output.File{Name: front.Family + "/f08.c", Text: s.modules()},
			output.File{Name: front.Family + "/fortran.map", Text: output.VersionScript("the Fortran library of "+front.Family+" programs", s.fortranExports())},
		)
		if s.hasDescriptors() {
			files = append(files, output.File{Name: front.Family + "/fortran_names.h", Text: s.handNames()})
		}
	}
	return files, nil
}

// hasDescriptors reports whether mpi_f08 has procedures that take descriptors.
func (s library) hasDescriptors() bool { return s.Front.Fortran.Descriptors.Of != "" }

// frontFunctions are the symbols that a front exports only for its Fortran library.
var frontFunctions = []string{"wi4go_fortran_operation", "wi4go_fortran_begins", "wi4go_fortran_inner", "wi4go_fortran_comm_handler", "wi4go_fortran_file_handler",
	"wi4go_fortran_session_handler", "wi4go_fortran_win_handler"}

// procedures returns the functions that have a procedure in a family's Fortran library.
// Large counts exist only in mpi_f08 (MPI-5.0, 19.1.5).
func (s library) procedures() (functions []*model.Function) {
	for _, slot := range s.List {
		if f := slot.Function; f != nil && slot.Exported && f.Fortran != model.FortranNone && f.Small == "" {
			functions = append(functions, f)
		}
	}
	return functions
}

// fortran returns the library's C.
func (s library) fortran(in *model.Input) ([]byte, error) {
	w := &output.Writer{}
	w.WriteString(output.Banner("The Fortran procedures of " + s.Front.Family + " programs, except those in shim/fortran/library.c."))
	w.Line("#include \"%s.h\"", map[bool]string{true: "sections", false: "library"}[s.hasDescriptors()])
	s.directHead(w, s.procedures())
	for _, f := range s.procedures() {
		if f.Fortran == model.FortranHand {
			continue
		}
		if err := writeProcedure(w, f, s.Front, in.Mappers); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	if s.hasDescriptors() {
		if err := s.writeDescribed(w, in.Mappers); err != nil {
			return nil, err
		}
	}
	s.directTable(w, s.procedures())
	w.Line("")
	for _, name := range slices.Sorted(maps.Keys(s.Front.Fortran.Aliases)) {
		w.Line("NAME(%s, %s)", name, s.Front.Fortran.Aliases[name])
	}
	w.Line("")
	// MPI_SIZEOF needs a procedure for each type and rank.
	sizes := s.Front.Fortran.Sizes[""]
	for _, kind := range slices.Sorted(maps.Keys(sizes)) {
		for _, rank := range ranks() {
			w.Line("SIZEOF(mpi_sizeof_%s_%s_, %d)", kind, rank, sizes[kind])
		}
	}
	return w.Bytes(), nil
}

// fortranNames returns the spellings of a procedure by the various Fortran compilers: the
// library's, then the profiling names.
func fortranNames(function string) []string {
	var names []string
	for _, name := range []string{function, "P" + function} {
		lower := strings.ToLower(name)
		names = append(names, lower+"_", lower+"__", lower, strings.ToUpper(name))
	}
	return names
}

// irregularProcedures are the procedures without a C function in the front: the variants that return a C
// pointer for an address (MPI-5.0, 9.2), two functions that mpi.h computes itself, and one for
// the compiler (19.1.17).
var irregularProcedures = []string{"MPI_Alloc_mem_cptr", "MPI_Win_allocate_cptr", "MPI_Win_allocate_shared_cptr", "MPI_Win_shared_query_cptr",
	"MPI_Aint_add", "MPI_Aint_diff", "MPI_F_sync_reg"}

// predefinedProcedures are the predefined callbacks, which are procedures (MPI-5.0, 7.7.2).
var predefinedProcedures = []string{"mpi_dup_fn", "mpi_null_copy_fn", "mpi_null_delete_fn", "mpi_comm_dup_fn", "mpi_comm_null_copy_fn", "mpi_comm_null_delete_fn",
	"mpi_type_dup_fn", "mpi_type_null_copy_fn", "mpi_type_null_delete_fn", "mpi_win_dup_fn", "mpi_win_null_copy_fn", "mpi_win_null_delete_fn",
	"mpi_conversion_fn_null"}

// ranks returns the array ranks for which MPI_SIZEOF needs a procedure.
func ranks() []string {
	list := []string{"scalar"}
	for rank := 1; rank <= 15; rank++ {
		list = append(list, fmt.Sprintf("r%d", rank))
	}
	return list
}

// fortranExports returns the symbols of the library, sorted.
func (s library) fortranExports() []string {
	names := map[string]bool{}
	add := func(spellings ...string) {
		for _, name := range spellings {
			names[name] = true
		}
	}
	for _, f := range s.procedures() {
		add(fortranNames(f.Name)...)
	}
	for _, name := range irregularProcedures {
		add(fortranNames(name)...)
	}
	for _, name := range predefinedProcedures {
		add(name+"_", name+"__", name, strings.ToUpper(name))
	}
	add(s.Front.Fortran.Symbols...)
	add(slices.Collect(maps.Keys(s.Front.Fortran.Aliases))...)
	if s.hasDescriptors() {
		add(s.describedNames()...)
	}
	if !s.Front.Fortran.Addresses {
		add(s.describedExports()...)
		return slices.Sorted(maps.Keys(names))
	}
	for kind := range s.Front.Fortran.Sizes[""] {
		for _, rank := range ranks() {
			add("mpi_sizeof_"+kind+"_"+rank+"_", "pmpi_sizeof_"+kind+"_"+rank+"_")
		}
	}
	add(s.f08Exports()...)
	return slices.Sorted(maps.Keys(names))
}

// writeProcedure writes the procedure of a function and its other names.
func writeProcedure(w *output.Writer, f *model.Function, front *abi.Family, table *mappers.Table) error {
	p, err := newProcedure(f, front, table, false)
	if err != nil {
		return err
	}
	lower := strings.ToLower(f.Name)
	if f.Fortran == model.FortranDirect {
		p.directCall(w, f)
	} else {
		p.write(w, f, lower+"_", "")
	}
	// The macro of library.h depends on the names that mpi_f08 shares with mpif.h.
	names := "NAMES"
	switch {
	case detaches(f):
		names = "NAMES_F77"
	case f.Fortran == model.FortranDirect && f.ErrorMayBeAbsent():
		names = "NAMES_OF_BOTH"
	case f.Fortran == model.FortranDirect:
		names = "NAMES_DIRECT"
	}
	w.Line("%s(%s, %s)", names, lower, strings.ToUpper(lower))
	return nil
}

// detaches reports whether the function returns a detached buffer, whose address only mpi_f08
// returns.
func detaches(f *model.Function) bool {
	return slices.ContainsFunc(f.Params, func(q model.Param) bool { return q.Fortran == model.FortranNothing })
}

// directCall writes a direct procedure, which jumps to its current body
// (shim/front/fortran_direct.h), and the library's own body. In mpi_f08 ierror may be absent. If it
// is passed on the stack, mpi_f08's procedure tests it and jumps (JUMPS in library.h), to avoid a
// second copy of the stack arguments.
func (p *procedure) directCall(w *output.Writer, f *model.Function) {
	lower := strings.ToLower(f.Name)
	p.write(w, f, "body_"+lower, "static ")
	arguments := strings.Join(f.Names(), ", ")
	w.Line("%s\n{\n    %s(%s, ierror);\n}", p.declaration(lower+"_"), entry(f), arguments)
	if f.ErrorMayBeAbsent() {
		return
	}
	name, call := lower+"_f08_", fmt.Sprintf("%s(%s, GIVEN_IERROR(ierror));", entry(f), arguments)
	place := len(f.Params) - 6 // the index of ierror among the stack arguments
	if place < 0 {
		w.Line("%s\n{\n    %s\n}", p.declaration(name), call)
		return
	}
	w.Line("static __attribute__((used)) %s\n{\n    %s\n}", p.declaration("absent_"+name), call)
	w.Line("JUMPS(%s, AT_%s, %d, %s)", name, f.Name, 8+8*place, p.declared())
}

// entry returns the C expression for the current body of a direct procedure.
func entry(f *model.Function) string {
	return fmt.Sprintf("((__typeof__(body_%s) *)wi4go_fortran_entries[AT_%s])", strings.ToLower(f.Name), f.Name)
}

// describedEntry returns the C expression for the current body of a procedure with descriptors.
func describedEntry(f *model.Function) string {
	return fmt.Sprintf("((__typeof__(%s) *)wi4go_fortran_entries[AT_described_%s])", describedBody(f), f.Name)
}

// describedBody returns the name of the library's own body with descriptors.
func describedBody(f *model.Function) string { return "wi4go_described_" + strings.ToLower(f.Name) }

// A directRow is a direct procedure in the tables of library.h.
type directRow struct {
	// of is the function.
	of *model.Function
	// described reports whether the procedure takes descriptors.
	described bool
	// place is the name of its index, and function the library's own body.
	place, function string
}

// directRows returns the rows of those tables: procedures with addresses, then those with
// descriptors.
func (s library) directRows(functions []*model.Function) (rows []directRow) {
	for _, described := range []bool{false, true} {
		for _, f := range functions {
			switch {
			case f.Fortran != model.FortranDirect:
			case !described:
				rows = append(rows, directRow{f, false, "AT_" + f.Name, "body_" + strings.ToLower(f.Name)})
			case s.hasDescriptors() && hasDescribed(f):
				rows = append(rows, directRow{f, true, "AT_described_" + f.Name, describedBody(f)})
			}
		}
	}
	return rows
}

// directHead writes the indices of the direct procedures, for C and for the assembler.
func (s library) directHead(w *output.Writer, functions []*model.Function) {
	w.Line("enum {")
	for _, row := range s.directRows(functions) {
		w.Line("    %s,", row.place)
	}
	w.Line("};\n#ifdef __x86_64__")
	for i, row := range s.directRows(functions) {
		w.Line("__asm__(\".set %s, %d\");", row.place, i)
	}
	w.Line("#endif")
}

// directTable writes the tables of library.h: the current bodies, and the descriptions of the
// procedures.
func (s library) directTable(w *output.Writer, functions []*model.Function) {
	rows := s.directRows(functions)
	w.Line("\nvoid *wi4go_fortran_entries[] = {")
	for _, row := range rows {
		w.Line("    %s,", row.function)
	}
	w.Line("};\n\nconst struct wi4go_fortran_procedure wi4go_fortran_procedures[] = {")
	for _, row := range rows {
		w.Line("    {\"%[1]s\", %[2]d, %[3]s, (void *)CALL(%[1]s)},", row.of.Name, output.Bit(row.described), row.function)
	}
	w.Line("};\nconst int wi4go_fortran_direct = %d;", len(rows))
}
