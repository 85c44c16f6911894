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

// This file prints the sources of the modules mpi and mpi_f08 of interface mode. wi4go's
// mpifort compiles them with the compiler at hand. They contain only interfaces and parameters,
// so no code of theirs is linked into a program. In mpi_f08 a procedure with a choice buffer is
// BIND(C), with a C descriptor for TYPE(*), DIMENSION(..), which makes the call the same for
// every compiler. The others are external procedures.

// A binding turns a function into its interface in one of the modules.
type binding struct {
	// module is "mpi", "mpi_f08" or, for module mpi with C pointers, "cptr".
	module string
	// f08 reports whether the module is mpi_f08.
	f08 bool
	// table lists the roles of arguments.
	table *mappers.Table
}

// moduleSources returns the sources of the modules.
func (s library) moduleSources(in *model.Input) ([]output.File, error) {
	mod, err := s.moduleMPI(&binding{module: "mpi", table: in.Mappers})
	if err != nil {
		return nil, fmt.Errorf("module mpi: %w", err)
	}
	f08, err := s.moduleF08(&binding{module: "mpi_f08", f08: true, table: in.Mappers})
	if err != nil {
		return nil, fmt.Errorf("module mpi_f08: %w", err)
	}
	return []output.File{
		{Name: s.Front.Family + "/wi4go_mpi_types.f90", Text: s.moduleTypes()},
		{Name: s.Front.Family + "/mpi.f90", Text: mod},
		{Name: s.Front.Family + "/mpi_f08.F90", Text: f08},
	}, nil
}

// f08Kinds are the kinds of handles with a type in mpi_f08, in the order of their declaration.
// Each is also the role of arguments with that type.
var f08Kinds = []string{"COMM", "DATATYPE", "ERRHANDLER", "FILE", "GROUP", "INFO", "MESSAGE", "OP", "REQUEST", "SESSION", "WIN"}

// typesModule is the name of the module that both modules use.
const typesModule = "wi4go_mpi_types"

// moduleTypes returns the source of the common module: numeric constants, mpi_f08's types with
// their comparisons, and MPI_SIZEOF.
func (s library) moduleTypes() []byte {
	w := &output.Writer{}
	w.WriteString(output.FortranBanner("Types that the modules mpi and mpi_f08 share."))
	w.Line("module %s\n  implicit none", typesModule)
	integers := s.fortranIntegers()
	for _, name := range slices.Sorted(maps.Keys(integers)) {
		w.Line("  integer, parameter :: %s = %d", name, integers[name])
	}
	for _, kind := range f08Kinds {
		w.Line("  type, bind(C) :: %[1]s\n    integer :: MPI_VAL\n  end type", model.HandleTypes[kind])
	}
	rest := integers["MPI_STATUS_SIZE"] - 3
	w.Line("  type, bind(C) :: MPI_Status\n    integer :: MPI_SOURCE\n    integer :: MPI_TAG\n    integer :: MPI_ERROR\n    integer, private :: MPI_internal(%d)\n  end type", rest)
	// The comparisons are external functions of libwi4go_fortran, so that the module needs no
	// object file.
	for _, operator := range []string{"==", "/="} {
		name := map[string]string{"==": "equal", "/=": "unequal"}[operator]
		w.Line("  interface operator(%s)", operator)
		for _, kind := range f08Kinds {
			of := strings.ToLower(kind)
			w.Line("    elemental function wi4go_%[1]s_%[2]s(a, b) result(is)\n      import :: %[3]s\n      type(%[3]s), intent(in) :: a, b\n      logical :: is\n    end function", name, of, model.HandleTypes[kind])
		}
		w.Line("  end interface")
	}
	// MPI_SIZEOF is generic in the type and the rank of its argument.
	for _, name := range []string{"MPI_Sizeof", "PMPI_Sizeof"} {
		w.Line("  interface %s", name)
		for _, kind := range slices.Sorted(maps.Keys(fortranSizes)) {
			for rank := range 16 {
				w.Line("    subroutine %s_%s_%d(x, size, ierror)\n      use, intrinsic :: iso_fortran_env", strings.ToLower(name), kind, rank)
				for _, line := range fortranSizes[kind].kinds() {
					w.Line("      %s", line)
				}
				w.Line("      %s, intent(in) :: x%s\n      integer, intent(out) :: size\n      integer, optional, intent(out) :: ierror\n    end subroutine",
					fortranSizes[kind].declared, rankOf(rank))
			}
		}
		w.Line("  end interface")
	}
	w.Line("end module")
	return w.Bytes()
}

// rankOf returns the declaration of an array's dimensions. Their extents do not matter.
func rankOf(rank int) string {
	if rank == 0 {
		return ""
	}
	return "(" + strings.Repeat("1,", rank-1) + "*)"
}

// A fortranSize is a type that MPI_SIZEOF takes.
type fortranSize struct {
	// declared is its declaration.
	declared string
	// bytes is its size.
	bytes int
}

// quadKind are the lines that declare the kind of 16 bytes. Compilers without it have x86's
// reals of 80 bits, which take as many bytes. Lines of mpif.h must be short.
var quadKind = []string{"integer, parameter :: x86 = selected_real_kind(18)", "integer, parameter :: quad = merge(real128, x86, real128 > 0)"}

// kinds returns the lines that the declaration needs before it.
func (s fortranSize) kinds() []string {
	if !strings.Contains(s.declared, "(quad)") {
		return nil
	}
	return quadKind
}

// fortranSizes are the types of MPI_SIZEOF, by the name in its procedures.
var fortranSizes = map[string]fortranSize{
	"character": {"character", 1}, "logical": {"logical", 4},
	"int8": {"integer(int8)", 1}, "int16": {"integer(int16)", 2}, "int32": {"integer(int32)", 4}, "int64": {"integer(int64)", 8},
	"real32": {"real(real32)", 4}, "real64": {"real(real64)", 8}, "real128": {"real(quad)", 16},
	"complex32": {"complex(real32)", 8}, "complex64": {"complex(real64)", 16}, "complex128": {"complex(quad)", 32},
}

// moduleProcedures writes the C of the procedures that modules call: comparisons of handles,
// and MPI_SIZEOF.
func moduleProcedures(w *output.Writer) {
	w.Line("")
	for _, kind := range f08Kinds {
		w.Line("EQUAL(%s)", strings.ToLower(kind))
	}
	for _, name := range moduleTypeNames() {
		of := map[bool]string{true: "MPI_Status", false: "MPI_Fint"}[name == "Mpi_status"]
		w.Line("TYPE_OF_MODULE(%s, %s, %s, %d)", typesModule, name, of, gfortranHash(typesModule, name))
	}
	for _, kind := range slices.Sorted(maps.Keys(fortranSizes)) {
		for rank := range 16 {
			w.Line("SIZEOF(mpi_sizeof_%s_%d_, %d)", kind, rank, fortranSizes[kind].bytes)
		}
	}
}

// moduleTypeNames returns gfortran's names of the types. A gfortran program that passes a value
// of a type as CLASS(*) needs symbols that the module's object file would have.
func moduleTypeNames() (names []string) {
	for _, kind := range f08Kinds {
		names = append(names, f08Type(strings.ToLower(strings.TrimPrefix(model.HandleTypes[kind], "MPI_"))))
	}
	return append(names, "Mpi_status")
}

// moduleExports returns the symbols of the modules.
func moduleExports() (names []string) {
	for _, name := range moduleTypeNames() {
		for _, part := range []string{"copy", "def_init", "vtab"} {
			names = append(names, fmt.Sprintf("__%[1]s_MOD___%[2]s_%[1]s_%[3]s", typesModule, part, name))
		}
	}
	for _, kind := range f08Kinds {
		names = append(names, "wi4go_equal_"+strings.ToLower(kind)+"_", "wi4go_unequal_"+strings.ToLower(kind)+"_")
	}
	for kind := range fortranSizes {
		for rank := range 16 {
			name := fmt.Sprintf("mpi_sizeof_%s_%d_", kind, rank)
			names = append(names, name, "p"+name)
		}
	}
	return names
}

// moduleMPI returns the source of the module mpi.
func (s library) moduleMPI(b *binding) ([]byte, error) {
	w := &output.Writer{}
	w.WriteString(output.FortranBanner("The module mpi."))
	w.Line("module mpi\n  use %s\n  implicit none", typesModule)
	w.Line("  logical, parameter :: MPI_SUBARRAYS_SUPPORTED = .false., MPI_ASYNC_PROTECTS_NONBLOCKING = .false.")
	handles := s.fortranHandles()
	for _, name := range slices.Sorted(maps.Keys(handles)) {
		w.Line("  integer, parameter :: %s = %d", name, handles[name])
	}
	for _, a := range fortranAddresses {
		w.Line("  %s :: %s%s\n  common /%s/ %s", a.of, a.name, a.dims, a.block(), a.name)
	}
	for _, name := range interfaceCallbacks {
		w.Line("  external %s", strings.ToUpper(name))
	}
	w.Line("  interface")
	for _, f := range s.mpiFunctions() {
		for _, prefix := range []string{"", "P"} {
			if !b.hasBaseptr(f) {
				if err := b.procedure(w, f, prefix+f.Name, ""); err != nil {
					return nil, err
				}
			}
		}
	}
	w.Line("  end interface")
	// A function that returns an address is generic: the address is an integer, or a C pointer.
	for _, f := range s.mpiFunctions() {
		if !b.hasBaseptr(f) {
			continue
		}
		for _, prefix := range []string{"", "P"} {
			w.Line("  interface %s%s", prefix, f.Name)
			if err := b.procedure(w, f, prefix+f.Name, ""); err != nil {
				return nil, err
			}
			if err := (&binding{module: "cptr", table: b.table}).procedure(w, f, prefix+f.Name+"_cptr", ""); err != nil {
				return nil, err
			}
			w.Line("  end interface")
		}
	}
	w.Line("  interface")
	for _, prefix := range []string{"", "P"} {
		w.Line("    subroutine %sMPI_F_sync_reg(buf)", prefix)
		for _, d := range choice("buf") {
			w.Line("      %s", d.line)
		}
		w.Line("    end subroutine")
	}
	w.Line("  end interface")
	w.Line("end module")
	return w.Bytes(), nil
}

// hasBaseptr reports whether the function returns an address that may be a C pointer (MPI-5.0,
// 9.2).
func (b *binding) hasBaseptr(f *model.Function) bool {
	return slices.ContainsFunc(f.Params, func(q model.Param) bool { return q.Fortran == model.FortranPointer })
}

// choice returns the declarations of a buffer of any type in the module mpi. Each compiler has
// its own directive for it.
func choice(name string) []declaration {
	var lines []declaration
	for _, directive := range []string{"!DEC$ ATTRIBUTES NO_ARG_CHECK ::", "!GCC$ ATTRIBUTES NO_ARG_CHECK ::", "!$PRAGMA IGNORE_TKR", "!DIR$ IGNORE_TKR"} {
		lines = append(lines, declaration{line: directive + " " + name})
	}
	return append(lines, declaration{line: "type(*), dimension(*) :: " + name})
}

// A declaration is a line of an interface body.
type declaration struct {
	// line is the text.
	line string
	// imports is the name in it that the module defines, or empty.
	imports string
	// pointer reports whether it uses C's type of pointers.
	pointer bool
	// instead is the declaration by descriptor for compilers with noText, or empty.
	instead string
}

// A fortranType is the type at the beginning of a declaration.
type fortranType struct {
	// text is its text.
	text string
	// imports is the name in it that the module defines, or empty.
	imports string
	// pointer reports whether it is C's type of pointers.
	pointer bool
}

// The types without parameters.
var (
	integer  = fortranType{text: "integer"}
	logical  = fortranType{text: "logical"}
	text     = fortranType{text: "character(len=*)"}
	anything = fortranType{text: "type(*), dimension(..)"}
	pointer  = fortranType{text: "type(c_ptr)", pointer: true}
	status   = fortranType{text: "integer", imports: "MPI_STATUS_SIZE"} // an array of MPI_STATUS_SIZE integers
)

// derivedType returns the module's derived type of that name.
func derivedType(name string) fortranType {
	return fortranType{text: "type(" + name + ")", imports: name}
}

// integerOfKind returns integers of a kind that the module names.
func integerOfKind(name string) fortranType {
	return fortranType{text: "integer(" + name + ")", imports: name}
}

// interfaceType returns procedures with an interface that the module declares.
func interfaceType(name string) fortranType {
	return fortranType{text: "procedure(" + name + ")", imports: name}
}

// procedure writes the interface body of a function under the name. It is BIND(C) with the
// label, if that is not empty. procedure returns an error if the function has an argument
// without a Fortran type.
func (b *binding) procedure(w *output.Writer, f *model.Function, name, label string) error {
	var names []string
	var lines []declaration
	dummies, err := plan.Dummies(f, b.table)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	for i := range dummies {
		names = append(names, fortranName(dummies[i].Param))
		lines = append(lines, b.param(f, &dummies[i])...)
	}
	kind := "function"
	// An MPI function is a subroutine with ierror, unless its C function returns a value other
	// than an error code.
	switch {
	case f.Returns == "double":
		lines = append(lines, declaration{line: "double precision :: " + name})
	case f.Returns == "MPI_Aint":
		lines = append(lines, integerOfKind("MPI_ADDRESS_KIND").declare(name, "", ""))
	default:
		kind = "subroutine"
		if f.IsVariadic() { // MPI_Pcontrol
			break
		}
		names = append(names, "ierror")
		optional := b.f08 || plan.ConvertsF08Status(f)
		lines = append(lines, integer.declare("ierror", output.If(optional, ", optional")+", intent(out)", ""))
	}
	writeHead(w, "    "+kind+" "+name+"(", names)
	if label != "" {
		fmt.Fprintf(w, " &\n        bind(C, name=%q)", label)
	}
	w.Line("")
	writeDeclarations(w, lines, label != "")
	w.Line("    end %s", kind)
	return nil
}

// writeDeclarations writes the declarations of an interface body, after the imports that they
// need. bound reports whether the procedure is BIND(C): then a CHARACTER of any length comes by
// descriptor from every compiler.
func writeDeclarations(w *output.Writer, lines []declaration, bound bool) {
	if slices.ContainsFunc(lines, func(d declaration) bool { return d.pointer }) {
		w.Line("      use, intrinsic :: iso_c_binding, only: c_ptr")
	}
	if names := imports(lines); len(names) > 0 {
		w.Line("      import :: %s", strings.Join(names, ", "))
	}
	for _, d := range lines {
		if bound && d.instead != "" {
			w.Line("#ifdef %s\n      %s\n#else\n      %s\n#endif", noText, d.instead, d.line)
		} else {
			w.Line("      %s", d.line)
		}
	}
}

// writeHead writes the head of a procedure, from its beginning to the parenthesis that closes
// the names. It continues lines, because lines of Fortran are short.
func writeHead(w *output.Writer, beginning string, names []string) {
	w.WriteString(beginning)
	column := len(beginning) + 1
	for i, name := range names {
		if column > 90 {
			w.WriteString(" &\n        ")
			column = 9
		}
		if i < len(names)-1 {
			name += ", "
		}
		w.WriteString(name)
		column += len(name)
	}
	w.WriteString(")")
}

// noText is the macro defined for compilers whose BIND(C) procedures cannot have a CHARACTER of
// any length.
const noText = "WI4GO_NO_TEXT"

// fortranName returns the standard's Fortran name of a parameter.
func fortranName(q *model.Param) string {
	if q.FortranName != "" {
		return q.FortranName
	}
	return q.Name
}

// imports returns the names of the module that the declarations use, sorted.
func imports(lines []declaration) []string {
	names := map[string]bool{}
	for _, d := range lines {
		if d.imports != "" {
			names[d.imports] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// integerType returns Fortran's type for a C integer type.
func (b *binding) integerType(f *model.Function, of string) fortranType {
	switch of {
	case "MPI_Aint":
		if f.Removed != "" { // an MPI-1 function
			return integer
		}
		return integerOfKind("MPI_ADDRESS_KIND")
	case "MPI_Count":
		return integerOfKind("MPI_COUNT_KIND")
	case "MPI_Offset":
		return integerOfKind("MPI_OFFSET_KIND")
	}
	return integer
}

// declare returns the declaration of a name with more attributes and dimensions.
func (t fortranType) declare(name, more, dims string) declaration {
	d := declaration{line: t.text + more + " :: " + name + dims, imports: t.imports, pointer: t.pointer}
	if t == text {
		d.instead = anything.text + more + " :: " + name + dims
	}
	return d
}

// intents are the attributes for the intents of a plan.
var intents = map[string]string{"in": ", intent(in)", "out": ", intent(out)", "inout": ", intent(inout)"}

// param returns the declaration of a dummy argument.
func (b *binding) param(f *model.Function, q *plan.Dummy) []declaration {
	name, intent, array := fortranName(q.Param), intents[q.Intent], output.If(q.Array, "(*)")
	declare := func(of fortranType, more, dims string) []declaration {
		return []declaration{of.declare(name, more, dims)}
	}
	asynchronous := output.If(b.f08 && f.OutlivesCall(), ", asynchronous")
	switch q.Type {
	case plan.DummyMemory:
		if !b.f08 {
			return choice(name)
		}
		return declare(anything, output.If(q.IsConst(), ", intent(in)")+asynchronous, "")
	case plan.DummyAddress:
		switch {
		case b.f08 || b.module == "cptr":
			return declare(pointer, intent, "")
		case q.Fortran == model.FortranPointer:
			return declare(integerOfKind("MPI_ADDRESS_KIND"), intent, "")
		}
		return choice(name)
	case plan.DummyHandle:
		if b.f08 {
			return declare(derivedType(model.HandleTypes[q.Kind]), intent, array)
		}
		return declare(integer, intent, array)
	case plan.DummyStatus:
		if b.f08 {
			return declare(derivedType("MPI_Status"), intent, array)
		}
		return declare(status, intent, "(MPI_STATUS_SIZE"+output.If(q.Array, ", *")+")")
	case plan.DummyFStatus:
		return declare(status, intent, "(MPI_STATUS_SIZE)")
	case plan.DummyF08Status:
		return declare(derivedType("MPI_Status"), intent, "")
	case plan.DummyText:
		return declare(text, intent, "")
	case plan.DummyTexts:
		return declare(text, intent, "(*)")
	case plan.DummyTextMatrix:
		return declare(text, intent, "("+q.Length.Param+", *)")
	case plan.DummyInteger:
		return declare(integer, intent, "")
	case plan.DummyAddressKind:
		return declare(integerOfKind("MPI_ADDRESS_KIND"), intent, "")
	case plan.DummyLogical:
		return declare(logical, intent, array)
	case plan.DummyTriples:
		return declare(integer, intent, "(3, *)")
	case plan.DummyNumber:
		return declare(b.integerType(f, q.Element()), intent+output.If(q.Array, asynchronous), array)
	}
	if b.f08 { // a callback
		return declare(interfaceType(q.Element()), "", "")
	}
	return []declaration{{line: "external " + name}}
}
