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

// What Fortran libraries have that take choice buffers by descriptors, as MPICH's do:
// procedures of mpi_f08 beside those of mpif.h, and what modules hold, by the names that
// gfortran makes. Intel's library has some by those of Intel's compiler as well.

// ofModule are the names of a procedure of a module: gfortran's, and that of Intel's
// compiler.
func ofModule(module, procedure string) [2]string {
	return [2]string{"__" + module + "_MOD_" + procedure, module + "_mp_" + procedure + "_"}
}

// comparisons are == and /= of the module's handles: the procedure, and what it says
// of equal ones.
func comparisons() map[string]string {
	procedures := map[string]string{}
	for _, kind := range f08Types {
		if isHandle(kind) {
			procedures[kind+"eq"], procedures[kind+"neq"] = "==", "!="
		}
	}
	return procedures
}

// ofTypes are the procedures of the module of mpi_f08's types: what each is, with %s for
// its name.
func (s library) ofTypes() map[string]string {
	procedures := map[string]string{
		"mpi_status_f2f08": "SAME_STATUS(%s)", "mpi_status_f082f": "SAME_STATUS(%s)",
		"mpi_status_c_assign_f08": "ASSIGN_STATUS(%s)", "mpi_status_f08_assign_c": "ASSIGN_STATUS(%s)",
	}
	for kind, size := range s.Front.Fortran.Sizes["mpi_f08_types"] {
		procedures["mpi_sizeof_"+kind] = fmt.Sprintf("SIZEOF(%%s, %d)", size)
	}
	for _, kind := range f08Types {
		if !isHandle(kind) {
			continue
		}
		if kind != "file" {
			procedures["mpi_"+kind+"_c2f"], procedures["mpi_"+kind+"_f2c"] = "SAME_HANDLE(%s)", "SAME_HANDLE(%s)"
		}
		for _, order := range []string{"_%s", "_f08_%s_f", "_f_%s_f08"} {
			for name, is := range map[string]string{"eq": "==", "neq": "!=", "ne": "!="} { // _ne is of MPICH 3.4
				procedures["mpi_"+kind+fmt.Sprintf(order, name)] = "COMPARE(%s, " + is + ")"
			}
		}
	}
	return procedures
}

// moduleProcedures writes the procedures of modules.
func (s library) moduleProcedures(w *output.Writer) {
	f08 := s.ofTypes()
	for _, procedure := range slices.Sorted(maps.Keys(f08)) {
		w.Line("%s", fmt.Sprintf(f08[procedure], "__mpi_f08_types_MOD_"+procedure))
	}
	w.Line("")
	compare := comparisons()
	for _, procedure := range slices.Sorted(maps.Keys(compare)) {
		names := ofModule("mpi_constants", procedure)
		w.Line("COMPARISON(%s, %s, %s)", names[0], names[1], compare[procedure])
	}
	w.Line("")
	sizes := s.Front.Fortran.Sizes["mpi_sizeofs"]
	for _, kind := range slices.Sorted(maps.Keys(sizes)) {
		for _, array := range []string{"", "v"} {
			names := ofModule("mpi_sizeofs", "mpi_sizeof_"+kind+array)
			w.Line("SIZEOF(%s, %d)\nNAME(%s, %s)", names[0], sizes[kind], names[1], names[0])
		}
	}
}

// describedExports are the symbols of those.
func (s library) describedExports() []string {
	var names []string
	for _, name := range f08Callbacks() {
		names = append(names, f08CallbackModule+name)
	}
	for procedure := range s.ofTypes() {
		names = append(names, "__mpi_f08_types_MOD_"+procedure)
	}
	add := func(list [2]string) { names = append(names, list[:]...) }
	for _, kind := range f08Types {
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
		add(ofModule("mpi_constants", procedure))
	}
	for kind := range s.Front.Fortran.Sizes["mpi_sizeofs"] {
		for _, array := range []string{"", "v"} {
			add(ofModule("mpi_sizeofs", "mpi_sizeof_"+kind+array))
		}
	}
	return names
}

// hasF08 says that mpi_f08 has a procedure of the function, which only MPI-1's and the
// extensions have not, and those that are of a module.
func hasF08(f *model.Function) bool {
	return f.Removed == "" && f.Level != model.Extension && f.Fortran != model.FortranNone && !plan.ConvertsF08Status(f)
}

// isDescribed says that a parameter is a choice buffer, which comes to mpi_f08 by
// descriptor. Memory that is freed is written by hand.
func isDescribed(q *model.Param) bool { return q.IsChoice() && q.Lifetime != "free" }

func hasDescribed(f *model.Function) bool {
	return slices.ContainsFunc(f.Params, func(q model.Param) bool { return isDescribed(&q) })
}

// kindOf is how names say whether choice buffers are described.
func kindOf(f *model.Function) string {
	return map[bool]string{true: "f08ts", false: "f08"}[hasDescribed(f)]
}

// describedNamesOf are the names of a procedure of mpi_f08 in the family, in the library and for
// profiling; of one of large counts all that releases have had.
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

// profiling is the name of such a procedure for profiling.
func (s library) profiling(name string) string {
	return s.Front.Fortran.Descriptors.Profiling + strings.TrimPrefix(name, "mpi_")
}

// name gives a procedure that has been written those of some names that it lacks.
func name(w *output.Writer, written string, has, names []string) {
	for _, name := range names {
		if name != written && !slices.Contains(has, name) {
			w.Line("NAME(%s, %s)", name, written)
		}
	}
}

// irregularDescribed are those of mpi_f08 that shim/fortran/sections.c has.
var irregularDescribed = []string{"mpi_f_sync_reg_f08ts_", "mpi_free_mem_f08ts_"}

// describedNames are the symbols of mpi_f08's procedures.
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

// handNames writes the further names of what is written by hand: they can only be given
// where it is defined.
func (s library) handNames() []byte {
	w := &output.Writer{}
	w.WriteString(output.Banner("The names in mpi_f08 of the procedures of shim/fortran/layer.c, in " + s.Front.Family + " programs."))
	for _, f := range s.procedures() {
		if f.Fortran == model.FortranHand && hasF08(f) && !detaches(f) {
			name(w, strings.ToLower(f.Name)+"_", f08Names(f.Name), s.describedNamesOf(f, false))
		}
	}
	return w.Bytes()
}

// described writes the procedures of mpi_f08 that are not those of mpif.h.
func (s library) described(w *output.Writer, table *mappers.Table) error {
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

func (s library) writeF08(w *output.Writer, f *model.Function, table *mappers.Table) error {
	lower, names := strings.ToLower(f.Name), s.describedNamesOf(f, false)
	own := detaches(f) || hasDescribed(f) // which mpif.h has not
	if own {
		p, err := newProcedure(f, s.Front, table, true)
		if err != nil {
			return err
		}
		if hasDescribed(f) {
			p.sections(w, f, lower)
		} else {
			p.write(w, f, lower+"_f08_", "")
		}
		name(w, lower+"_"+kindOf(f)+"_", nil, names)
	}
	switch {
	case own || f.Fortran == model.FortranHand: // handNames
	case f.Fortran == model.FortranFrequent && !f.ErrorMayBeAbsent():
		name(w, lower+"_f08_", f08Names(f.Name), names)
	default:
		name(w, lower+"_", f08Names(f.Name), names)
	}
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
	name(w, written, nil, s.describedNamesOf(f, true))
	return nil
}

// sections writes the procedure of choice buffers by descriptors, over that of addresses.
func (p *procedure) sections(w *output.Writer, f *model.Function, lower string) {
	d := describedCall{params: slices.Clone(p.params)}
	for i := range p.of.Arguments {
		d.argument(p.of, i)
	}
	for i := range p.of.Arguments {
		d.replace(p.of, i)
	}
	var lengths []string
	for _, length := range p.lengths {
		lengths = append(lengths, strings.TrimPrefix(length, "int "))
	}
	procedure, ierror := lower+"_", "ierror"
	declared := strings.Join(slices.Concat(d.params, []string{"MPI_Fint *ierror"}, p.lengths), ", ")
	if f.Fortran == model.FortranFrequent {
		procedure, ierror = entry(f), errorGiven(f)
		d.atOnce(w, f, lower, declared)
		w.Line("static void apart_%s(%s)\n{", lower, declared)
	} else {
		w.Line("\nvoid %s_f08ts_(%s)\n{", lower, declared)
	}
	call := func(arguments []string, ierror string) string {
		return fmt.Sprintf("%s(%s);", procedure, strings.Join(slices.Concat(arguments, []string{ierror}, lengths), ", "))
	}
	if len(d.tests) == 0 {
		w.Line("    %s\n}", call(d.whole, ierror))
		return
	}
	w.Line("    if (likely(!(%s))) {\n        %s\n        return;\n    }", strings.Join(d.tests, " || "), call(d.whole, ierror))
	w.Line("    MPI_Fint rc;")
	w.WriteString(output.Indented(d.begins))
	w.Line("    %s\n    RESULT(rc);\n}", call(d.apart, "&rc"))
}

// A describedCall is the call of a procedure of addresses by one of descriptors.
type describedCall struct {
	params       []string // of the procedure
	tests        []string // whether a buffer is a section with gaps
	whole, apart []string // the arguments where none is, and where one may be
	begins       []string // what is made of the buffers before the second call
}

// argument adds one as it is without gaps, and where its buffer has some.
func (d *describedCall) argument(of *plan.Procedure, i int) {
	f, q := of.Function, &of.Arguments[i]
	frequent := f.Fortran == model.FortranFrequent
	whole, apart := q.Name, q.Name
	switch {
	case isDescribed(q.Param) && frequent:
		whole, apart = fmt.Sprintf("f77_base(%s)", q.Name), fmt.Sprintf("f77_address(s_%s.address)", q.Name)
	case isDescribed(q.Param):
		whole, apart = q.Name+"->base", "s_"+q.Name+".address"
	case frequent && q.Form == plan.FortranStatus:
		whole = fmt.Sprintf("f77_status(%s)", q.Name)
		apart = whole
	}
	d.whole, d.apart = append(d.whole, whole), append(d.apart, apart)
	if !isDescribed(q.Param) {
		return
	}
	d.params[i] = "const struct array *" + q.Name
	if of.Addresses {
		return
	}
	d.tests = append(d.tests, "is_section("+q.Name+")")
	d.begins = append(d.begins, section(of, i))
}

// section makes of a buffer what the library is given.
func section(of *plan.Procedure, i int) string {
	f, q, count, datatype := of.Function, &of.Arguments[i], "0", "0"
	var how []string
	if q.Typed {
		count, datatype, how = "*"+f.Params[i+1].Name, "*"+f.Params[i+2].Name, append(how, "TYPED")
	}
	if !f.Outlasts() {
		how = append(how, "COPIED")
	}
	if q.Dir != "in" {
		how = append(how, "COMES_OUT")
	}
	if len(how) == 0 {
		how = []string{"0"}
	}
	return fmt.Sprintf("SECTION(%s, %s, %s, %s)", q.Name, count, datatype, strings.Join(how, " | "))
}

// replace has a buffer's count and datatype be those of its section.
func (d *describedCall) replace(of *plan.Procedure, i int) {
	f := of.Function
	if q := &of.Arguments[i]; isDescribed(q.Param) && !of.Addresses && q.Typed {
		d.begins = append(d.begins, fmt.Sprintf("const %[1]s n_%[2]s = (%[1]s)s_%[2]s.count;", f.Params[i+1].Type, q.Name))
		d.apart[i+1], d.apart[i+2] = "&n_"+q.Name, "&s_"+q.Name+".datatype"
	}
}

// atOnce writes a frequent procedure, which jumps to one of its bodies, and the library's
// own: that jumps to where the procedure of mpif.h jumps to if all buffers are simple.
func (d *describedCall) atOnce(w *output.Writer, f *model.Function, lower, declared string) {
	given := slices.Clone(d.whole)
	var simple, bases []string
	for i := range f.Params {
		if q := &f.Params[i]; isDescribed(q) {
			given[i] = "base_" + q.Name
			bases, simple = append(bases, "*"+given[i]), append(simple, fmt.Sprintf("is_simple(%s, &%s)", q.Name, given[i]))
		}
	}
	w.Line("\nstatic __attribute__((noinline)) void apart_%s(%s);", lower, declared)
	w.Line("static void %s(%s)\n{\n    void %s;", describedBody(f), declared, strings.Join(bases, ", "))
	w.Line("    if (likely(%s))\n        %s(%s, %s);", strings.Join(simple, " && "), entry(f), strings.Join(given, ", "), errorGiven(f))
	arguments := strings.Join(f.Names(), ", ")
	w.Line("    else\n        apart_%s(%s, ierror);\n}", lower, arguments)
	w.Line("void %s_f08ts_(%s)\n{\n    %s(%s, ierror);\n}", lower, declared, describedEntry(f), arguments)
}

// errorGiven is what a procedure of mpi_f08 gives to the frequent one for the error code.
func errorGiven(f *model.Function) string {
	return map[bool]string{true: "ierror", false: "GIVEN(ierror)"}[f.ErrorMayBeAbsent()]
}
