package fortran

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
)

// This file prints the module mpi_f08 of interface mode, and the C of its procedures with
// choice buffers.

// f08Callback is the abstract interface of a callback. params has each parameter's name and
// type, a key of callbackTypes or a type of mpi_f08.
type f08Callback struct{ name, params string }

// The parameters that the callbacks of all attributes share.
const (
	copyParams   = "extra_state:A attribute_val_in:A attribute_val_out:A flag:L ierror:I"
	deleteParams = "attribute_val:A extra_state:A ierror:I"
)

// f08Interfaces are the callbacks of MPI-5.0, A.1.3. Their parameters have no INTENT there, and
// a program's callbacks must match.
var f08Interfaces = []f08Callback{
	{"MPI_User_function", "invec:P inoutvec:P len:I datatype:MPI_Datatype"},
	{"MPI_User_function_c", "invec:P inoutvec:P len:C datatype:MPI_Datatype"},
	{"MPI_Comm_copy_attr_function", "oldcomm:MPI_Comm comm_keyval:I " + copyParams},
	{"MPI_Comm_delete_attr_function", "comm:MPI_Comm comm_keyval:I " + deleteParams},
	{"MPI_Win_copy_attr_function", "oldwin:MPI_Win win_keyval:I " + copyParams},
	{"MPI_Win_delete_attr_function", "win:MPI_Win win_keyval:I " + deleteParams},
	{"MPI_Type_copy_attr_function", "oldtype:MPI_Datatype type_keyval:I " + copyParams},
	{"MPI_Type_delete_attr_function", "datatype:MPI_Datatype type_keyval:I " + deleteParams},
	{"MPI_Copy_function", "oldcomm:MPI_Comm keyval:I extra_state:I attribute_val_in:I attribute_val_out:I flag:L ierror:I"},
	{"MPI_Delete_function", "comm:MPI_Comm keyval:I attribute_val:I extra_state:I ierror:I"},
	{"MPI_Comm_errhandler_function", "comm:MPI_Comm error_code:I"},
	{"MPI_Win_errhandler_function", "win:MPI_Win error_code:I"},
	{"MPI_File_errhandler_function", "file:MPI_File error_code:I"},
	{"MPI_Session_errhandler_function", "session:MPI_Session error_code:I"},
	{"MPI_Grequest_query_function", "extra_state:A status:MPI_Status ierror:I"},
	{"MPI_Grequest_free_function", "extra_state:A ierror:I"},
	{"MPI_Grequest_cancel_function", "extra_state:A complete:L ierror:I"},
	{"MPI_Datarep_extent_function", "datatype:MPI_Datatype extent:A extra_state:A ierror:I"},
	{"MPI_Datarep_conversion_function", "userbuf:P datatype:MPI_Datatype count:I filebuf:P position:O extra_state:A ierror:I"},
	{"MPI_Datarep_conversion_function_c", "userbuf:P datatype:MPI_Datatype count:C filebuf:P position:O extra_state:A ierror:I"},
}

// callbackTypes are the types of callback parameters, by the letter in f08Callback.params.
var callbackTypes = map[string]fortranType{
	"I": integer, "A": integerOfKind("MPI_ADDRESS_KIND"), "C": integerOfKind("MPI_COUNT_KIND"), "O": integerOfKind("MPI_OFFSET_KIND"),
	"L": logical, "P": pointer,
}

// write writes the interface of a subroutine with these parameters.
func (c f08Callback) write(w *output.Writer, name string) {
	var names []string
	var lines []declaration
	for _, p := range strings.Fields(c.params) {
		param, of, _ := strings.Cut(p, ":")
		declared, known := callbackTypes[of]
		if !known {
			declared = derivedType(of)
		}
		names = append(names, param)
		lines = append(lines, declared.declare(param, output.If(of == "P", ", value"), ""))
	}
	w.Line("    subroutine %s(%s)", name, strings.Join(names, ", "))
	writeDeclarations(w, lines, false)
	w.Line("    end subroutine")
}

// moduleF08 returns the source of the module mpi_f08.
func (s library) moduleF08(b *binding) ([]byte, error) {
	w := &output.Writer{}
	w.WriteString(output.FortranBanner("The module mpi_f08."))
	// Intel's C descriptors have the rank at another offset, where a choice buffer with gaps would look like a scalar.
	w.Line("#if defined(__INTEL_COMPILER) || defined(__INTEL_LLVM_COMPILER)\n#error the C descriptors of this compiler have another layout\n#else")
	// gfortran before release 12 lacks descriptors of CHARACTERs of any length.
	w.Line("#if defined(__GFORTRAN__) && __GNUC__ < 12\n#define %s\n#endif", noText)
	w.Line("module mpi_f08\n  use %s\n  use, intrinsic :: iso_c_binding, only: c_char\n  implicit none\n  private :: c_char", typesModule)
	w.Line("  logical, parameter :: MPI_SUBARRAYS_SUPPORTED = .true., MPI_ASYNC_PROTECTS_NONBLOCKING = .true.")
	handles := s.fortranHandles()
	for _, name := range slices.Sorted(maps.Keys(handles)) {
		of := model.HandleTypes[s.Front.Handles[name].Kind]
		w.Line("  type(%s), parameter :: %s = %s(%d)", of, name, of, handles[name])
	}
	for _, a := range fortranAddresses {
		w.Line("  %s, bind(C, name=%q), target :: %s", a.f08, a.symbol(), a.f08Named)
	}
	w.Line("  abstract interface")
	for _, c := range f08Interfaces {
		c.write(w, c.name)
	}
	w.Line("  end interface\n  interface")
	for _, name := range interfaceCallbacks {
		upper := strings.ToUpper(name)
		of := model.CallbackTypes[upper]
		c := f08Interfaces[slices.IndexFunc(f08Interfaces, func(c f08Callback) bool { return c.name == of })]
		c.write(w, upper)
	}
	for _, prefix := range []string{"", "P"} {
		lower := strings.ToLower(prefix) + "mpi_f_sync_reg"
		w.Line("    subroutine %sMPI_F_sync_reg(buf) bind(C, name=\"%s_f08ts\")\n      type(*), dimension(..), asynchronous :: buf\n    end subroutine", prefix, lower)
	}
	w.Line("  end interface")
	for _, f := range s.f08Functions() {
		// The variant with large counts shares the generic name if its arguments differ in
		// type. Else it has its own name, with _c.
		large := s.largeOf(f)
		named := map[string][]*model.Function{f.Name: {f}} // the functions of each generic name
		if large != nil && plan.Distinct(f, large) {
			named[f.Name] = append(named[f.Name], large)
		} else if large != nil {
			named[large.Name] = []*model.Function{large}
		}
		for _, prefix := range []string{"", "P"} {
			for _, name := range slices.Sorted(maps.Keys(named)) {
				if err := b.generic(w, prefix, name, named[name]); err != nil {
					return nil, err
				}
			}
		}
	}
	w.Line("end module\n#endif")
	return w.Bytes(), nil
}

// generic writes the interface of a generic name.
func (b *binding) generic(w *output.Writer, prefix, name string, functions []*model.Function) error {
	w.Line("  interface %s%s", prefix, name)
	for _, f := range functions {
		if err := b.specific(w, f, prefix); err != nil {
			return err
		}
	}
	w.Line("  end interface")
	return nil
}

// f08Functions returns the functions that mpi_f08 has: all but the removed ones.
func (s library) f08Functions() []*model.Function {
	return slices.DeleteFunc(s.mpiFunctions(), func(f *model.Function) bool { return f.Removed != "" })
}

// largeOf returns the function's variant with large counts, or nil.
func (s library) largeOf(f *model.Function) *model.Function {
	for _, slot := range s.List {
		if g := slot.Function; f.Large != "" && g != nil && g.Name == f.Large && slot.Exported && g.Fortran != model.FortranNone {
			return g
		}
	}
	return nil
}

// specific writes the interface of a function's procedure, under its name in MPI-5.0, table
// 19.1.
func (b *binding) specific(w *output.Writer, f *model.Function, prefix string) error {
	if !plan.HasMemory(f) {
		return b.procedure(w, f, prefix+f.Name+"_f08", "")
	}
	return b.procedure(w, f, prefix+f.Name+"_f08ts", strings.ToLower(prefix+f.Name)+"_f08ts")
}

// ---- the C of procedures with choice buffers, and of large counts ----

// f08C returns the C of the procedures that mpif.h does not have.
func (s library) f08C(in *model.Input) ([]byte, error) {
	w := &output.Writer{}
	w.WriteString(output.Banner("The procedures of mpi_f08 with choice buffers, which are C descriptors, or with large counts."))
	w.Line("#include \"descriptor.h\"")
	s.directHead(w, s.mpiFunctions())
	moduleProcedures(w)
	for _, small := range s.f08Functions() {
		for _, f := range []*model.Function{small, s.largeOf(small)} {
			// Procedures without choice buffers are mpif.h's, except the variants with large
			// counts.
			var err error
			switch {
			case f == nil:
			case plan.HasMemory(f):
				err = withDescriptors(w, f, s, in)
			case f != small && !plan.LargeProcedureByHand(f):
				err = writeProcedure(w, f, s.Front, in.Mappers)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name, err)
			}
		}
	}
	return w.Bytes(), nil
}

// f08InterfaceExports returns the symbols of those procedures and of the modules.
func (s library) f08InterfaceExports() []string {
	names := append(moduleExports(), "mpi_f_sync_reg_f08ts", "pmpi_f_sync_reg_f08ts")
	for _, small := range s.f08Functions() {
		for _, f := range []*model.Function{small, s.largeOf(small)} {
			if f == nil {
				continue
			}
			name := strings.ToLower(f.Name) + map[bool]string{true: "_f08ts", false: "_f08_"}[plan.HasMemory(f)]
			names = append(names, name, "p"+name)
		}
	}
	return names
}

// withDescriptors writes a procedure that takes C descriptors for its choice buffers. It
// returns an error if the function needs a hand-written procedure.
func withDescriptors(w *output.Writer, f *model.Function, s library, in *model.Input) error {
	of, err := plan.ProcedureOf(f, in.Mappers)
	if err != nil {
		return err
	}
	p := &descriptorProcedure{procedure: procedure{plan: of}, replaced: map[string]string{}}
	for i := range of.Arguments {
		switch q := &of.Arguments[i]; {
		case q.IsMemory():
			p.buffer(i)
		case q.Form == plan.FortranText:
			p.text(q)
		default:
			if err := p.param(q); err != nil {
				return err
			}
			if text, is := p.replaced[q.Name]; is {
				p.args[len(p.args)-1] = text
			}
		}
	}
	name := strings.ToLower(f.Name) + "_f08ts"
	params := strings.Join(append(slices.Clone(p.params), "MPI_Fint *ierror"), ", ")
	if f.Fortran == model.FortranDirect {
		p.singleCall(w, f, name, params)
		w.Line("static void apart_%s(%s)\n{", name, params)
	} else {
		w.Line("\nvoid %s(%s);\nvoid %s(%s)\n{", name, params, name, params)
	}
	p.body(w, f)
	w.Line("}\nNAME(p%s, %s)", name, name)
	return nil
}

// A descriptorProcedure is the text of a procedure with C descriptors.
type descriptorProcedure struct {
	procedure
	// replaced maps an argument's name to its text in the call.
	replaced map[string]string
}

// buffer adds choice buffer i, which may have gaps (shim/fortran/view.h). A call that needs its
// address only gets it, but memory for a window or for buffered messages contains no gaps.
func (p *descriptorProcedure) buffer(i int) {
	f, q := p.plan.Function, &p.plan.Arguments[i]
	address := constantMacros[q.Constants]
	p.declare("struct descriptor *%s", q.Name)
	if p.plan.Addresses && !p.plan.IsRoom {
		p.addArgument("%s(%s->base)", address, q.Name)
		return
	}
	count, datatype := "0", "MPI_DATATYPE_NULL"
	if q.Typed {
		count, datatype = "*"+f.Params[i+1].Name, "c_"+f.Params[i+2].Name
		p.replaced[f.Params[i+1].Name] = output.If(!f.Params[i+1].IsWide(), "(int)") + "s_" + q.Name + ".count"
		p.replaced[f.Params[i+2].Name] = "s_" + q.Name + ".type"
	}
	p.addBefore("SECTION(%s, %s, %s, %s)", q.Name, count, datatype, sectionFlags(p.plan, i))
	p.addArgument("%s(s_%s.address)", address, q.Name)
}

// singleCall writes a direct procedure, which jumps to its current body, and the library's own
// body. If all buffers are contiguous, that body calls the procedure without descriptors, whose
// current body may be a pair's (shim/front/fortran_direct.h).
func (p *descriptorProcedure) singleCall(w *output.Writer, f *model.Function, name, params string) {
	var simple, contiguous, given, all []string
	types := slices.Clone(p.params)
	for i := range f.Params {
		argument := f.Params[i].Name
		all = append(all, argument)
		if !p.plan.Arguments[i].IsMemory() {
			given = append(given, argument)
			continue
		}
		types[i] = "void *" + argument
		simple, contiguous = append(simple, "descriptor_is_simple("+argument+")"), append(contiguous, "is_contiguous("+argument+")")
		given = append(given, argument+"->base")
	}
	all = append(all, "ierror")
	call := fmt.Sprintf("wi4go_%s(%s, ierror);", strings.ToLower(f.Name), strings.Join(given, ", "))
	w.Line("\nvoid wi4go_%s(%s, MPI_Fint *ierror) HIDDEN_IN_LIBRARY;", strings.ToLower(f.Name), strings.Join(types, ", "))
	w.Line("static void apart_%s(%s);\nvoid %s(%s);", name, params, name, params)
	w.Line("static __attribute__((noinline)) void not_simple_%s(%s)\n{", name, params)
	w.Line("    if (likely(%s))\n        %s\n    else\n        apart_%s(%s);\n}", strings.Join(contiguous, " && "), call, name, strings.Join(all, ", "))
	w.Line("void %s(%s) HIDDEN_IN_LIBRARY;\nvoid %s(%s)\n{", describedBody(f), params, describedBody(f), params)
	w.Line("    if (likely(%s))\n        %s\n    else\n        not_simple_%s(%s);\n}", strings.Join(simple, " && "), call, name, strings.Join(all, ", "))
	w.Line("void %s(%s)\n{\n    %s(%s);\n}", name, params, describedEntry(f), strings.Join(all, ", "))
}

// describedBodies declares those bodies for the tables, which are in another file.
func (s library) describedBodies(w *output.Writer) {
	for _, row := range s.directRows(s.mpiFunctions()) {
		if row.described {
			w.Line("void %s(void) HIDDEN_IN_LIBRARY;", row.function)
		}
	}
}

// text adds a CHARACTER argument, which comes by descriptor.
func (p *descriptorProcedure) text(q *plan.FortranArgument) {
	p.declare("struct descriptor *d_%s", q.Name)
	p.addBefore("const int length_%[1]s = (int)d_%[1]s->size;", q.Name)
	p.addBefore("ARRAY(char, c_%[1]s, STRING_SIZE(length_%[1]s))", q.Name)
	p.addBefore("string_in(c_%[1]s, d_%[1]s->base, length_%[1]s);", q.Name)
	p.addArgument("c_%s", q.Name)
}
