package fortran

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
	"wi4go/mappers"
)

// This file prints the parts of a Fortran library that takes choice buffers by descriptor, as
// MPICH's does: the procedures that mpi_f08 does not share with mpif.h, and the contents of
// modules, under the names that gfortran generates. Intel's library exports some of them under
// the names of Intel's compiler as well.

// moduleSymbols returns the names of a module procedure: gfortran's, then Intel's.
func moduleSymbols(module, procedure string) [2]string {
	return [2]string{"__" + module + "_MOD_" + procedure, module + "_mp_" + procedure + "_"}
}

// comparisons returns the procedures for == and /= of the handles of module mpi_constants. Each
// name maps to the C operator that it applies.
func comparisons() map[string]string {
	procedures := map[string]string{}
	for _, kind := range f08Types {
		if isHandle(kind) {
			procedures[kind+"eq"], procedures[kind+"neq"] = "==", "!="
		}
	}
	return procedures
}

// typeSymbols returns the procedures of the module with mpi_f08's types. Each name maps to the
// macro that defines it, with %s for its symbol.
func (s library) typeSymbols() map[string]string {
	procedures := map[string]string{
		"mpi_status_f2f08": "SAME_STATUS(%s)", "mpi_status_f082f": "SAME_STATUS(%s)",
		"mpi_status_c_assign_f08": "ASSIGN_STATUS(%s)", "mpi_status_f08_assign_c": "ASSIGN_STATUS(%s)",
	}
	for kind, size := range s.Front.Fortran.Sizes["mpi_f08_types"] {
		procedures["mpi_sizeof_"+kind] = fmt.Sprintf("SIZEOF(%%s, %d)", size)
	}
	// Each comparison exists for two handles, and for a handle and an INTEGER in either order.
	for _, kind := range f08Types {
		if !isHandle(kind) {
			continue
		}
		if kind != "file" {
			procedures["mpi_"+kind+"_c2f"], procedures["mpi_"+kind+"_f2c"] = "SAME_HANDLE(%s)", "SAME_HANDLE(%s)"
		}
		for _, order := range []string{"_%s", "_f08_%s_f", "_f_%s_f08"} {
			for name, is := range map[string]string{"eq": "==", "neq": "!=", "ne": "!="} { // MPICH 3.4 uses _ne
				procedures["mpi_"+kind+fmt.Sprintf(order, name)] = "COMPARE(%s, " + is + ")"
			}
		}
	}
	return procedures
}

// moduleProcedures writes the procedures of modules.
func (s library) moduleProcedures(w *output.Writer) {
	f08 := s.typeSymbols()
	for _, procedure := range slices.Sorted(maps.Keys(f08)) {
		w.Line("%s", fmt.Sprintf(f08[procedure], "__mpi_f08_types_MOD_"+procedure))
	}
	w.Line("")
	compare := comparisons()
	for _, procedure := range slices.Sorted(maps.Keys(compare)) {
		names := moduleSymbols("mpi_constants", procedure)
		w.Line("COMPARISON(%s, %s, %s)", names[0], names[1], compare[procedure])
	}
	w.Line("")
	sizes := s.Front.Fortran.Sizes["mpi_sizeofs"]
	for _, kind := range slices.Sorted(maps.Keys(sizes)) {
		for _, array := range []string{"", "v"} {
			names := moduleSymbols("mpi_sizeofs", "mpi_sizeof_"+kind+array)
			w.Line("SIZEOF(%s, %d)\nNAME(%s, %s)", names[0], sizes[kind], names[1], names[0])
		}
	}
}

// describedExports returns the symbols of the modules' contents.
func (s library) describedExports() []string {
	var names []string
	for _, name := range f08Callbacks() {
		names = append(names, f08CallbackModule+name)
	}
	for procedure := range s.typeSymbols() {
		names = append(names, "__mpi_f08_types_MOD_"+procedure)
	}
	add := func(list [2]string) { names = append(names, list[:]...) }
	for _, kind := range f08Types {
		// The parts of gfortran's type descriptor: the copy function, the initial value, the
		// descriptor.
		for _, part := range []string{"copy", "def_init", "vtab"} {
			for _, module := range s.Front.Fortran.Types {
				names = append(names, fmt.Sprintf("__%s_MOD___%s_%s_%s", module, part, module, f08Type(kind)))
			}
		}
	}
	for _, name := range predefinedProcedures {
		names = append(names, fortranNames("MPI"+strings.TrimPrefix(name, "mpi"))...)
	}
	for procedure := range comparisons() {
		add(moduleSymbols("mpi_constants", procedure))
	}
	for kind := range s.Front.Fortran.Sizes["mpi_sizeofs"] {
		for _, array := range []string{"", "v"} {
			add(moduleSymbols("mpi_sizeofs", "mpi_sizeof_"+kind+array))
		}
	}
	return names
}

// hasF08 reports whether mpi_f08 contains a procedure of the function in the library. It has none
// for MPI-1 functions and extensions, nor for procedures that the module itself contains.
func hasF08(f *model.Function) bool {
	return f.Removed == "" && f.Level != model.Extension && f.Fortran != model.FortranNone && !plan.ConvertsF08Status(f)
}

// isDescribed reports whether a parameter is a choice buffer that mpi_f08 passes by descriptor.
// The procedure that frees memory is written by hand.
func isDescribed(q *model.Param) bool { return q.IsChoice() && q.Lifetime != "free" }

// hasDescribed reports whether the function takes a parameter that is passed by descriptor.
func hasDescribed(f *model.Function) bool {
	return slices.ContainsFunc(f.Params, func(q model.Param) bool { return isDescribed(&q) })
}

// kindOf returns the part of a procedure's name that depends on descriptors: "f08ts" if it has
// any, else "f08".
func kindOf(f *model.Function) string {
	return map[bool]string{true: "f08ts", false: "f08"}[hasDescribed(f)]
}

// describedNamesOf returns the family's names for a procedure of mpi_f08, each followed by its
// profiling name. For a procedure of large counts these are the names of all releases.
func (s library) describedNamesOf(f *model.Function, large bool) (names []string) {
	ends := []string{"_{kind}_"}
	if large {
		ends = s.Front.Fortran.Descriptors.Large
	}
	for _, end := range ends {
		name := strings.ToLower(f.Name) + strings.ReplaceAll(end, "{kind}", kindOf(f))
		names = append(names, name, s.profiling(name))
	}
	return names
}

// profiling returns the profiling name of such a procedure.
func (s library) profiling(name string) string {
	return s.Front.Fortran.Descriptors.Profiling + strings.TrimPrefix(name, "mpi_")
}

// writeAliases writes an alias of the procedure target for each of names, except those in existing and
// target itself.
func writeAliases(w *output.Writer, target string, existing, names []string) {
	for _, name := range names {
		if name != target && !slices.Contains(existing, name) {
			w.Line("NAME(%s, %s)", name, target)
		}
	}
}

// irregularDescribed are the procedures of mpi_f08 in shim/fortran/sections.c.
var irregularDescribed = []string{"mpi_f_sync_reg_f08ts_", "mpi_free_mem_f08ts_"}

// describedNames returns the symbols of mpi_f08's procedures.
func (s library) describedNames() (names []string) {
	for _, f := range s.procedures() {
		if hasF08(f) {
			names = append(names, s.describedNamesOf(f, false)...)
			if s.largeOf(f) != nil {
				names = append(names, s.describedNamesOf(f, true)...)
			}
		}
	}
	for _, name := range irregularDescribed {
		names = append(names, name, s.profiling(name))
	}
	return names
}

// handNames returns the header with further names of hand-written procedures. An alias must be
// in the file that defines the procedure.
func (s library) handNames() []byte {
	w := &output.Writer{}
	w.WriteString(output.Banner("The names that mpi_f08 gives the procedures of shim/fortran/library.c, in " + s.Front.Family + " programs."))
	for _, f := range s.procedures() {
		if f.Fortran == model.FortranHand && hasF08(f) && !detaches(f) {
			writeAliases(w, strings.ToLower(f.Name)+"_", f08Names(f.Name), s.describedNamesOf(f, false))
		}
	}
	return w.Bytes()
}

// writeDescribed writes the procedures of mpi_f08 that mpif.h does not have. It returns an error if
// a function cannot have a generated procedure.
func (s library) writeDescribed(w *output.Writer, table *mappers.Table) error {
	for _, f := range s.procedures() {
		if !hasF08(f) {
			continue
		}
		if err := s.writeF08(w, f, table); err != nil {
			return fmt.Errorf("%s: mpi_f08: %w", f.Name, err)
		}
	}
	return nil
}

// writeF08 writes the procedures of mpi_f08 for one function and its large-count variant, or
// aliases if mpif.h's procedure serves both bindings.
func (s library) writeF08(w *output.Writer, f *model.Function, table *mappers.Table) error {
	lower, names := strings.ToLower(f.Name), s.describedNamesOf(f, false)
	own := detaches(f) || hasDescribed(f) // mpif.h lacks such a procedure
	if own {
		p, err := newProcedure(f, s.Front, table, true)
		if err != nil {
			return err
		}
		// A procedure with descriptors calls the procedure with addresses; a procedure without
		// calls the C function.
		if hasDescribed(f) {
			p.sections(w, f, lower)
		} else {
			p.write(w, f, lower+"_f08_", "")
		}
		writeAliases(w, lower+"_"+kindOf(f)+"_", nil, names)
	}
	switch {
	case own || f.Fortran == model.FortranHand: // handNames writes the aliases
	case f.Fortran == model.FortranDirect && !f.ErrorMayBeAbsent():
		writeAliases(w, lower+"_f08_", f08Names(f.Name), names)
	default:
		writeAliases(w, lower+"_", f08Names(f.Name), names)
	}
	// The variant with large counts exists in mpi_f08 only, so its procedure with addresses is
	// written here too.
	large := s.largeOf(f)
	if large == nil || large.Fortran == model.FortranHand {
		return nil
	}
	p, err := newProcedure(large, s.Front, table, true)
	if err != nil {
		return err
	}
	p.write(w, large, lower+"_c_", "")
	written := lower + "_c_"
	if hasDescribed(f) {
		p.sections(w, large, lower+"_c")
		written += "f08ts_"
	}
	writeAliases(w, written, nil, s.describedNamesOf(f, true))
	return nil
}

// sections writes the procedure with descriptors as a call of the procedure with addresses. If
// a buffer has gaps, the call gets a section in its place (shim/fortran/view.h).
func (p *procedure) sections(w *output.Writer, f *model.Function, lower string) {
	d := describedCall{params: slices.Clone(p.params)}
	for i := range p.plan.Arguments {
		d.argument(p.plan, i)
	}
	// Counts and datatypes are replaced last, after all arguments are in the call.
	for i := range p.plan.Arguments {
		d.replace(p.plan, i)
	}
	var lengths []string
	for _, length := range p.lengths {
		lengths = append(lengths, strings.TrimPrefix(length, "int "))
	}
	procedure, ierror := lower+"_", "ierror"
	declared := strings.Join(slices.Concat(d.params, []string{"MPI_Fint *ierror"}, p.lengths), ", ")
	if f.Fortran == model.FortranDirect {
		procedure, ierror = entry(f), ierrorArgument(f)
		d.singleCall(w, f, lower, declared)
		w.Line("static void apart_%s(%s)\n{", lower, declared)
	} else {
		w.Line("\nvoid %s_f08ts_(%s)\n{", lower, declared)
	}
	call := func(arguments []string, ierror string) string {
		return fmt.Sprintf("%s(%s);", procedure, strings.Join(slices.Concat(arguments, []string{ierror}, lengths), ", "))
	}
	// Without a buffer that may have gaps, there is one call.
	if len(d.tests) == 0 {
		w.Line("    %s\n}", call(d.contiguousArgs, ierror))
		return
	}
	// The usual call, in which no buffer has gaps, passes the arguments on. The other prepares
	// sections.
	w.Line("    if (likely(!(%s))) {\n        %s\n        return;\n    }", strings.Join(d.tests, " || "), call(d.contiguousArgs, ierror))
	w.Line("    MPI_Fint rc;")
	w.WriteString(output.Indented(d.sectionLines))
	w.Line("    %s\n    RESULT(rc);\n}", call(d.sectionArgs, "&rc"))
}

// A describedCall is the call of a procedure with addresses by a procedure with descriptors.
type describedCall struct {
	// params are the C parameters of the procedure with descriptors.
	params []string
	// tests are the conditions under which a buffer has gaps.
	tests []string
	// contiguousArgs are the arguments if no buffer has gaps, and sectionArgs the arguments if one
	// may have some.
	contiguousArgs, sectionArgs []string
	// sectionLines are the lines that prepare the sections before the call with apart.
	sectionLines []string
}

// argument adds argument i to both calls, and the section of its buffer.
func (d *describedCall) argument(of *plan.Procedure, i int) {
	f, q := of.Function, &of.Arguments[i]
	direct := f.Fortran == model.FortranDirect
	contiguous, inSection := q.Name, q.Name
	switch {
	case isDescribed(q.Param) && direct:
		contiguous, inSection = fmt.Sprintf("f77_base(%s)", q.Name), fmt.Sprintf("f77_address(s_%s.address)", q.Name)
	case isDescribed(q.Param):
		contiguous, inSection = q.Name+"->base", "s_"+q.Name+".address"
	case direct && q.Form == plan.FortranStatus:
		contiguous = fmt.Sprintf("f77_status(%s)", q.Name)
		inSection = contiguous
	}
	d.contiguousArgs, d.sectionArgs = append(d.contiguousArgs, contiguous), append(d.sectionArgs, inSection)
	if !isDescribed(q.Param) {
		return
	}
	d.params[i] = "const struct array *" + q.Name
	if of.Addresses {
		return
	}
	d.tests = append(d.tests, "is_section("+q.Name+")")
	d.sectionLines = append(d.sectionLines, section(of, i))
}

// section returns the C that makes a section of the buffer in argument i.
func section(of *plan.Procedure, i int) string {
	count, datatype := "0", "0"
	if of.Arguments[i].Typed {
		count, datatype = "*"+of.Function.Params[i+1].Name, "*"+of.Function.Params[i+2].Name
	}
	return fmt.Sprintf("SECTION(%s, %s, %s, %s)", of.Arguments[i].Name, count, datatype, sectionFlags(of, i))
}

// sectionFlags returns the flags in C for the ways in which a section may be passed in argument i.
func sectionFlags(of *plan.Procedure, i int) string {
	f, q := of.Function, &of.Arguments[i]
	var flags []string
	if q.Typed {
		flags = append(flags, "TYPED")
	}
	if !f.OutlivesCall() {
		flags = append(flags, "COPIED")
	}
	if q.Dir != "in" {
		flags = append(flags, "WRITTEN_BACK")
	}
	if len(flags) == 0 {
		flags = []string{"0"}
	}
	return strings.Join(flags, " | ")
}

// replace replaces the count and the datatype that follow buffer i by the section's own.
func (d *describedCall) replace(of *plan.Procedure, i int) {
	f := of.Function
	if q := &of.Arguments[i]; isDescribed(q.Param) && !of.Addresses && q.Typed {
		d.sectionLines = append(d.sectionLines, fmt.Sprintf("const %[1]s n_%[2]s = (%[1]s)s_%[2]s.count;", f.Params[i+1].Type, q.Name))
		d.sectionArgs[i+1], d.sectionArgs[i+2] = "&n_"+q.Name, "&s_"+q.Name+".datatype"
	}
}

// singleCall writes a direct procedure, which jumps to its current body, and the library's own
// body. If all buffers are simple, that body jumps to the current body of mpif.h's procedure.
func (d *describedCall) singleCall(w *output.Writer, f *model.Function, lower, declared string) {
	callArguments := slices.Clone(d.contiguousArgs)
	var simple, bases []string
	for i := range f.Params {
		if q := &f.Params[i]; isDescribed(q) {
			callArguments[i] = "base_" + q.Name
			bases, simple = append(bases, "*"+callArguments[i]), append(simple, fmt.Sprintf("array_is_simple(%s, &%s)", q.Name, callArguments[i]))
		}
	}
	// The function for buffers with gaps is not inlined, which keeps the usual path short.
	w.Line("\nstatic __attribute__((noinline)) void apart_%s(%s);", lower, declared)
	w.Line("static void %s(%s)\n{\n    void %s;", describedBody(f), declared, strings.Join(bases, ", "))
	w.Line("    if (likely(%s))\n        %s(%s, %s);", strings.Join(simple, " && "), entry(f), strings.Join(callArguments, ", "), ierrorArgument(f))
	arguments := strings.Join(f.Names(), ", ")
	w.Line("    else\n        apart_%s(%s, ierror);\n}", lower, arguments)
	w.Line("void %s_f08ts_(%s)\n{\n    %s(%s, ierror);\n}", lower, declared, describedEntry(f), arguments)
}

// ierrorArgument returns the argument for ierror that a procedure of mpi_f08 passes to the direct
// procedure of mpif.h.
func ierrorArgument(f *model.Function) string {
	return map[bool]string{true: "ierror", false: "GIVEN_IERROR(ierror)"}[f.ErrorMayBeAbsent()]
}
