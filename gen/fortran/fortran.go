// Package fortran prints the Fortran libraries over the fronts: the layers of the
// families that have one, and in interface mode libwi4go_fortran with mpif.h and the
// sources of the modules.
//
// It must not know what the other printers write.
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

// The Fortran layer of a family: the procedures of mpif.h and `use mpi`, over the
// functions of its front. shim/fortran has what is the same for all procedures, and
// those that are written by hand.

// A library is the Fortran library over a front.
type library struct{ *model.Slots }

// Layers writes the sources of the Fortran layers, for each family that has one.
func Layers(in *model.Input) ([]output.File, error) {
	var files []output.File
	for _, front := range in.Families {
		s := library{model.NewSlots(in, front)}
		if len(front.Fortran.Layer) == 0 {
			continue
		}
		procedures, err := s.fortran(in)
		if err != nil {
			return nil, fmt.Errorf("%s: Fortran: %w", front.Family, err)
		}
		files = append(files,
			output.File{Name: front.Family + "/fortran.c", Text: procedures},
			output.File{Name: front.Family + "/f08.c", Text: s.modules()},
			output.File{Name: front.Family + "/fortran.map", Text: output.VersionScript("the Fortran layer of the "+front.Family+" front", s.fortranExports())},
		)
		if front.Fortran.Descriptors {
			files = append(files, output.File{Name: front.Family + "/fortran_names.h", Text: s.handNames()})
		}
	}
	return files, nil
}

// forFortran are what a front exports for its layer alone.
var forFortran = []string{"wi4go_fortran_operation", "wi4go_fortran_begins", "wi4go_fortran_comm_handler", "wi4go_fortran_file_handler",
	"wi4go_fortran_session_handler", "wi4go_fortran_win_handler"}

// inC is what the conversions of a kind of handle are called.
func inC(role string) string {
	if role == "DATATYPE" {
		return "Type"
	}
	return strings.TrimPrefix(model.HandleTypes[role], "MPI_")
}

// procedure is the text of one Fortran procedure.
type procedure struct {
	inC                                                   bool // handles, but for files, and statuses are the same in C: INTEGERs
	f08                                                   bool // of mpi_f08 alone
	params, lengths, first, before, args, always, success []string
}

// procedures lists the functions that a family's layer has a procedure for. Large counts
// are for mpi_f08 alone (MPI-5.0, 19.1.5).
func (s library) procedures() (functions []*model.Function) {
	for _, slot := range s.List {
		if f := slot.Function; f != nil && slot.Exported && f.Fortran != model.FortranNone && f.Small == "" {
			functions = append(functions, f)
		}
	}
	return functions
}

// fortran writes the layer's C.
func (s library) fortran(in *model.Input) ([]byte, error) {
	w := &output.Writer{}
	w.WriteString(output.Banner("The Fortran procedures of " + s.Front.Family + " programs, but those of shim/fortran/layer.c."))
	w.Line("#include \"%s.h\"", map[bool]string{true: "sections", false: "layer"}[s.Front.Fortran.Descriptors])
	frequentHead(w, s.procedures())
	for _, f := range s.procedures() {
		if f.Fortran == model.FortranHand {
			continue
		}
		if err := writeProcedure(w, f, s.Front, in.Mappers); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	frequentTable(w, s.procedures())
	if s.Front.Fortran.Descriptors {
		if err := s.described(w, in.Mappers); err != nil {
			return nil, err
		}
	}
	w.Line("")
	for _, name := range slices.Sorted(maps.Keys(s.Front.Fortran.Aliases)) {
		w.Line("NAME(%s, %s)", name, s.Front.Fortran.Aliases[name])
	}
	w.Line("")
	sizes := s.Front.Fortran.Sizes[""]
	for _, kind := range slices.Sorted(maps.Keys(sizes)) {
		for _, rank := range ranks() {
			w.Line("SIZEOF(mpi_sizeof_%s_%s_, %d)", kind, rank, sizes[kind])
		}
	}
	return w.Bytes(), nil
}

// fortranNames are the spellings of a procedure that Fortran compilers have, in the
// library and for profiling.
func fortranNames(function string) []string {
	var names []string
	for _, name := range []string{function, "P" + function} {
		lower := strings.ToLower(name)
		names = append(names, lower+"_", lower+"__", lower, strings.ToUpper(name))
	}
	return names
}

// irregular are procedures without a C function in the front: those of a C pointer for an
// address (MPI-5.0, 9.2), two that mpi.h computes, and one for the compiler (19.1.17).
var irregular = []string{"MPI_Alloc_mem_cptr", "MPI_Win_allocate_cptr", "MPI_Win_allocate_shared_cptr", "MPI_Win_shared_query_cptr",
	"MPI_Aint_add", "MPI_Aint_diff", "MPI_F_sync_reg"}

// predefinedProcedures are the callbacks that are procedures (MPI-5.0, 7.7.2).
var predefinedProcedures = []string{"mpi_dup_fn", "mpi_null_copy_fn", "mpi_null_delete_fn", "mpi_comm_dup_fn", "mpi_comm_null_copy_fn", "mpi_comm_null_delete_fn",
	"mpi_type_dup_fn", "mpi_type_null_copy_fn", "mpi_type_null_delete_fn", "mpi_win_dup_fn", "mpi_win_null_copy_fn", "mpi_win_null_delete_fn",
	"mpi_conversion_fn_null"}

// ranks are those of the arrays that MPI_SIZEOF has a procedure for.
func ranks() []string {
	list := []string{"scalar"}
	for rank := 1; rank <= 15; rank++ {
		list = append(list, fmt.Sprintf("r%d", rank))
	}
	return list
}

// fortranExports are the symbols of the layer, sorted.
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
	for _, name := range irregular {
		add(fortranNames(name)...)
	}
	for _, name := range predefinedProcedures {
		add(name+"_", name+"__", name, strings.ToUpper(name))
	}
	add(s.Front.Fortran.Symbols...)
	add(slices.Collect(maps.Keys(s.Front.Fortran.Aliases))...)
	if s.Front.Fortran.Descriptors {
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

func writeProcedure(w *output.Writer, f *model.Function, front *abi.Family, table *mappers.Table) error {
	p, err := newProcedure(f, front, table, false)
	if err != nil {
		return err
	}
	lower := strings.ToLower(f.Name)
	if f.Fortran == model.FortranFrequent {
		p.frequent(w, f)
	} else {
		p.write(w, f, lower+"_", "")
	}
	names := "NAMES"
	if detaches(f) {
		names = "NAMES_F77"
	}
	w.Line("%s(%s, %s)", names, lower, strings.ToUpper(lower))
	return nil
}

// detaches says that it gives back a buffer, whose address mpi_f08 alone gets.
func detaches(f *model.Function) bool {
	return slices.ContainsFunc(f.Params, func(q model.Param) bool { return q.Fortran == model.FortranNothing })
}

func newProcedure(f *model.Function, front *abi.Family, table *mappers.Table, f08 bool) (*procedure, error) {
	if f.Returns != "int" {
		return nil, fmt.Errorf("it returns %s: mark it %q", f.Returns, model.FortranHand)
	}
	p := &procedure{inC: front.HandleBits == 32, f08: f08}
	for i := range f.Params {
		if err := p.param(f, &f.Params[i], table); err != nil {
			return nil, fmt.Errorf("parameter %s: %w", f.Params[i].Name, err)
		}
	}
	return p, nil
}

// declaration is how its C begins.
func (p *procedure) declaration(name string) string {
	return fmt.Sprintf("void %s(%s)", name, strings.Join(slices.Concat(p.params, []string{"MPI_Fint *ierror"}, p.lengths), ", "))
}

// frequent writes a procedure that jumps to one of its bodies (shim/front/frequent.h),
// and the library's own.
func (p *procedure) frequent(w *output.Writer, f *model.Function) {
	lower := strings.ToLower(f.Name)
	p.write(w, f, "body_"+lower, "static ")
	var names []string
	for i := range f.Params {
		names = append(names, f.Params[i].Name)
	}
	w.Line("%s\n{\n    ((__typeof__(body_%s) *)wi4go_fortran_entries[AT_%s])(%s);\n}", p.declaration(lower+"_"), lower, f.Name, strings.Join(append(names, "ierror"), ", "))
}

// frequentHead numbers the frequent procedures, as they stand in the tables of layer.h.
func frequentHead(w *output.Writer, functions []*model.Function) {
	w.Line("enum {")
	for _, f := range frequentOf(functions) {
		w.Line("    AT_%s,", f.Name)
	}
	w.Line("};")
}

// frequentTable writes those tables.
func frequentTable(w *output.Writer, functions []*model.Function) {
	frequent := frequentOf(functions)
	w.Line("\nvoid *wi4go_fortran_entries[] = {")
	for _, f := range frequent {
		w.Line("    body_%s,", strings.ToLower(f.Name))
	}
	w.Line("};\n\nconst struct wi4go_fortran_procedure wi4go_fortran_procedures[] = {")
	for _, f := range frequent {
		w.Line("    {\"%[1]s\", body_%[2]s, (void *)CALL(%[1]s)},", f.Name, strings.ToLower(f.Name))
	}
	w.Line("};\nconst int wi4go_fortran_frequent = %d;", len(frequent))
}

func frequentOf(functions []*model.Function) (frequent []*model.Function) {
	for _, f := range functions {
		if f.Fortran == model.FortranFrequent {
			frequent = append(frequent, f)
		}
	}
	return frequent
}

func (p *procedure) write(w *output.Writer, f *model.Function, name, linkage string) {
	w.Line("\n%s%s\n{", linkage, p.declaration(name))
	for _, line := range append(p.first, p.before...) {
		w.Line("    %s", line)
	}
	w.Line("    const int rc = CALL(%s)(%s);", f.Name, strings.Join(p.args, ", "))
	for _, line := range p.always {
		w.Line("    %s", line)
	}
	if len(p.success) > 0 {
		w.Line("    if (likely(rc == MPI_SUCCESS)) {")
		for _, line := range p.success {
			w.Line("        %s", line)
		}
		w.Line("    }")
	}
	w.Line("    RESULT(rc);\n}")
}

func (p *procedure) declare(format string, args ...any) {
	p.params = append(p.params, fmt.Sprintf(format, args...))
}
func (p *procedure) prepare(format string, args ...any) {
	p.before = append(p.before, fmt.Sprintf(format, args...))
}
func (p *procedure) finish(always bool, format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if always {
		p.always = append(p.always, line)
	} else {
		p.success = append(p.success, line)
	}
}
func (p *procedure) give(format string, args ...any) {
	p.args = append(p.args, fmt.Sprintf(format, args...))
}

// elementsOf is the number of elements of an array, as a C expression.
func elementsOf(q *model.Param) (string, error) {
	switch {
	case q.Length.Param != "" && q.Length.Factor == 1:
		return "*" + q.Length.Param, nil
	case q.Length.Size != "":
		return fmt.Sprintf("%s(c_%s)", q.Length.Size, q.Length.Comm), nil
	}
	return "", fmt.Errorf("an array without a length")
}

func (p *procedure) param(f *model.Function, q *model.Param, table *mappers.Table) error {
	role := table.Roles[q.Role]
	obsolete := f.Removed != "" && q.Element() == "MPI_Aint" // what is of MPI-1 has INTEGER where C has an address
	switch {
	case role.Convert == mappers.Handle:
		return p.handle(q)
	case q.Role == "STATUS":
		return p.status(q)
	case q.Role == "STRING":
		return p.text(f, q)
	case q.Element() == "void":
		p.declare("void *%s", q.Name)
		switch q.Role {
		case "BUFFER":
			p.give("BOTTOM(%s)", q.Name)
		case "ATTACH_BUFFER":
			p.give("ATTACHED(%s)", q.Name)
		case "ADDRESS": // of no use in mpif.h (MPI-5.0, 3.6) where it comes out
			if q.Dir == "in" {
				p.give("%s", q.Name)
				break
			}
			p.prepare("void *c_%s;\n    (void)%s;", q.Name, q.Name)
			p.give("&c_%s", q.Name)
			if p.f08 {
				p.finish(false, "*(void **)%s = c_%s;", q.Name, q.Name)
			}
		case "BUFFER_OR_IN_PLACE":
			p.give("IN_PLACE(%s)", q.Name)
		default:
			return fmt.Errorf("role %s", q.Role)
		}
	case obsolete && !q.IsPointer():
		p.declare("const MPI_Fint *%s", q.Name)
		p.give("*%s", q.Name)
	case obsolete && q.Dir == "out":
		p.declare("MPI_Fint *%s", q.Name)
		p.prepare("MPI_Aint c_%s;", q.Name)
		p.give("&c_%s", q.Name)
		p.finish(false, "*%s = (MPI_Fint)c_%s;", q.Name, q.Name)
	case obsolete:
		n, err := elementsOf(q)
		if err != nil {
			return err
		}
		p.declare("const MPI_Fint *%s", q.Name)
		p.prepare("ARRAY(MPI_Aint, c_%s, %s)", q.Name, n)
		p.prepare("for (int i = 0; i < %s; i++) c_%s[i] = %s[i];", n, q.Name, q.Name)
		p.give("c_%s", q.Name)
	case !q.IsPointer() && !q.IsTriples():
		p.declare("const %s *%s", strings.TrimPrefix(q.Type, "const "), q.Name)
		p.give("*%s", q.Name)
	case q.Role == "WEIGHT":
		p.declare("int *%s", q.Name)
		p.give("WEIGHTS(%s)", q.Name)
	case q.Role == "LOGICAL" && q.Dir == "out":
		// In, any value but 0 is true for C; out, 1 is for every compiler.
		p.declare("MPI_Fint *%s", q.Name)
		p.give("%s", q.Name)
		if q.Length == (model.Length{}) {
			p.finish(false, "*%s = *%s != 0;", q.Name, q.Name)
		} else {
			p.finish(false, "for (int i = 0; i < *%s; i++) %s[i] = %s[i] != 0;", q.Length.Param, q.Name, q.Name)
		}
	case q.IsTriples():
		p.declare("int (*%s)[3]", q.Name)
		p.give("%s", q.Name)
	case q.Role == "STRING_ARRAY" || q.Role == "STRING_2DARRAY" || q.Role == "ARGV":
		return fmt.Errorf("role %s of type %s", q.Role, q.Type)
	default:
		p.declare("%s%s", q.Type, q.Name)
		p.give("%s", q.Name)
		if q.Index {
			p.index(f, q)
		}
	}
	return nil
}

// index lets what counts from 0 in C count from 1.
func (p *procedure) index(f *model.Function, q *model.Param) {
	if q.Length == (model.Length{}) {
		p.finish(false, "if (*%s != MPI_UNDEFINED) ++*%s;", q.Name, q.Name)
		return
	}
	p.finish(true, "if (rc == MPI_SUCCESS || is_in_status(rc))")
	p.finish(true, "    for (int i = 0; i < *%s; i++) %s[i]++;", f.Has("COUNT", "out").Name, q.Name)
}

func (p *procedure) handle(q *model.Param) error {
	kind, c, pointer := inC(q.Role), "c_"+q.Name, q.IsPointer()
	if p.inC && q.Role != "FILE" {
		p.declare("%sMPI_Fint *%s", map[bool]string{true: "const "}[!pointer || q.IsConst()], q.Name)
		p.give("%s%s", map[bool]string{false: "*"}[pointer], q.Name)
		return nil
	}
	to, from := "PMPI_"+kind+"_f2c", "PMPI_"+kind+"_c2f"
	if q.Role == "ERRHANDLER" || q.Role == "INFO" || q.Role == "SESSION" { // also without MPI_Init: openmpi.h
		to, from = kind+"_f2c", kind+"_c2f"
	}
	if !pointer || q.Dir == "in" && q.Length == (model.Length{}) {
		p.declare("const MPI_Fint *%s", q.Name)
		// First, since a communicator says how many elements an array has.
		p.first = append(p.first, fmt.Sprintf("%s %s = %s(*%s);", model.HandleTypes[q.Role], c, to, q.Name))
		if pointer {
			c = "&" + c
		}
		p.give("%s", c)
		return nil
	}
	if q.Length != (model.Length{}) {
		n, err := elementsOf(q)
		if err != nil {
			return err
		}
		p.declare("%sMPI_Fint *%s", map[bool]string{true: "const "}[q.Dir == "in"], q.Name)
		if q.Length.Unless != "" { // the first parameter
			n = fmt.Sprintf("(%s == MPI_IN_PLACE ? 0 : %s)", p.args[0], n) // then it means nothing
		}
		p.prepare("const int n_%s = %s;", q.Name, n)
		p.prepare("ARRAY(%s, %s, n_%s)", model.HandleTypes[q.Role], c, q.Name)
		start := fmt.Sprintf("%s(%s[i])", to, q.Name)
		if q.Dir == "out" {
			start = model.NullName(q.Role)
		}
		p.prepare("for (int i = 0; i < n_%s; i++) %s[i] = %s;", q.Name, c, start)
		p.give("%s", c)
		if q.Dir != "in" {
			p.finish(q.Dir == "inout", "for (int i = 0; i < n_%s; i++) %s[i] = %s(%s[i]);", q.Name, q.Name, from, c)
		}
		return nil
	}
	p.declare("MPI_Fint *%s", q.Name)
	if q.Dir == "inout" {
		p.prepare("%s %s = %s(*%s);", model.HandleTypes[q.Role], c, to, q.Name)
		p.finish(true, "*%s = %s(%s);", q.Name, from, c)
	} else {
		p.prepare("%s %s = %s;", model.HandleTypes[q.Role], c, model.NullName(q.Role))
		p.finish(false, "*%s = %s(%s);", q.Name, from, c)
	}
	p.give("&%s", c)
	return nil
}

// status takes a Fortran status to a C one, which is aligned as the former need not be,
// and back: what a call leaves alone stays as it is.
func (p *procedure) status(q *model.Param) error {
	c := "c_" + q.Name
	switch {
	case p.inC:
		several := map[bool]string{true: "ES"}[q.Length != (model.Length{})]
		p.declare("%sMPI_Fint *%s", map[bool]string{true: "const "}[q.Dir == "in"], q.Name)
		p.give("NO_STATUS%[1]s(%[2]s) ? MPI_STATUS%[1]s_IGNORE : (MPI_Status *)%[2]s", several, q.Name)
	case q.Length != (model.Length{}):
		n, err := elementsOf(q)
		if err != nil {
			return err
		}
		p.declare("MPI_Fint *%s", q.Name)
		p.prepare("const int n_%s = NO_STATUSES(%s) ? 0 : %s;", q.Name, q.Name, n)
		p.prepare("ARRAY(MPI_Status, %s, n_%s)", c, q.Name)
		p.prepare("STATUSES(%s, %s, n_%s);", c, q.Name, q.Name)
		p.give("NO_STATUSES(%s) ? MPI_STATUSES_IGNORE : %s", q.Name, c)
		p.finish(true, "STATUSES(%s, %s, n_%s);", q.Name, c, q.Name)
	default:
		in := q.Dir == "in"
		p.declare("%sMPI_Fint *%s", map[bool]string{true: "const "}[in], q.Name)
		p.prepare("MPI_Status %s;", c)
		p.prepare("STATUSES(&%s, %s, !NO_STATUS(%s));", c, q.Name, q.Name)
		p.give("NO_STATUS(%s) ? MPI_STATUS_IGNORE : &%s", q.Name, c)
		if !in {
			p.finish(true, "STATUSES(%s, &%s, !NO_STATUS(%s));", q.Name, c, q.Name)
		}
	}
	return nil
}

func (p *procedure) text(f *model.Function, q *model.Param) error {
	p.lengths = append(p.lengths, "int length_"+q.Name)
	c, length := "c_"+q.Name, "length_"+q.Name
	if q.Dir == "in" {
		p.declare("const char *%s", q.Name)
		p.prepare("ARRAY(char, %s, STRING_SIZE(%s))", c, length)
		p.prepare("%s_in(%s, %s, %s);", map[bool]string{true: "info", false: "string"}[f.Chapter == "info"], c, q.Name, length)
		p.give("%s", c)
		return nil
	}
	size := q.Limit
	if size == "" {
		l := f.Has("LENGTH", "in")
		if l == nil {
			return fmt.Errorf("a string without a limit")
		}
		size = "STRING_SIZE(*" + l.Name + ")"
	}
	p.declare("char *%s", q.Name)
	p.prepare("ARRAY(char, %s, %s)", c, size)
	p.prepare("*%s = 0;", c)
	p.give("%s", c)
	condition := ""
	if flag := f.Flag(); flag != "" {
		condition = fmt.Sprintf("if (*%s) ", flag)
	}
	p.finish(false, "%sstring_out(%s, %s, %s);", condition, q.Name, length, c)
	return nil
}
