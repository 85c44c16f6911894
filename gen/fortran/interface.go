package fortran

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"wi4go/abi"
	"wi4go/gen/model"
	"wi4go/gen/output"
)

// This file prints Fortran for interface mode, whose programs use the standard ABI: mpif.h, and
// the procedures of libwi4go_fortran over the front's functions. The procedures are generated
// like a preloaded library's, and compiled with shim/fortran/interface.h.

// interfaceFrontFunctions are the symbols that the standard ABI's front exports only for
// libwi4go_fortran.
var interfaceFrontFunctions = []string{"wi4go_fortran_operation", "wi4go_fortran_operation_c", "wi4go_fortran_begins", "wi4go_fortran_inner", "wi4go_fortran_comm_handler",
	"wi4go_fortran_file_handler", "wi4go_fortran_session_handler", "wi4go_fortran_win_handler"}

// FrontExports returns the symbols that a front exports only for its own Fortran library, or
// nil if it has none.
func FrontExports(front *abi.Family) []string {
	switch {
	case front.Traits.Standard: // wi4go's compiler wrappers use its mpi.h
		return interfaceFrontFunctions
	case len(front.Fortran.Sources) > 0:
		return frontFunctions
	}
	return nil
}

// Interface returns the sources of Fortran in interface mode. It returns an error if a function
// cannot have a generated procedure and has none by hand.
func Interface(in *model.Input) ([]output.File, error) {
	s := interfaceLibrary(in)
	procedures, err := s.interfaceProcedures(in)
	if err != nil {
		return nil, fmt.Errorf("%s: Fortran: %w", s.Front.Family, err)
	}
	f08, err := s.f08C(in)
	if err != nil {
		return nil, fmt.Errorf("%s: mpi_f08: %w", s.Front.Family, err)
	}
	modules, err := s.moduleSources(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Front.Family, err)
	}
	return append(modules, []output.File{
		{Name: s.Front.Family + "/f08.c", Text: f08},
		{Name: s.Front.Family + "/fortran.c", Text: procedures},
		{Name: s.Front.Family + "/fortran.map", Text: output.VersionScript("libwi4go_fortran", s.interfaceExports())},
		{Name: s.Front.Family + "/mpif.h", Text: s.mpifHeader()},
	}...), nil
}

// interfaceLibrary returns the library over the front of the standard ABI.
func interfaceLibrary(in *model.Input) library {
	i := slices.IndexFunc(in.Families, func(f *abi.Family) bool { return f.Traits.Standard })
	return library{model.NewSlots(in, in.Families[i])}
}

// interfaceProcedures returns the C of the procedures that are not written by hand.
func (s library) interfaceProcedures(in *model.Input) ([]byte, error) {
	w := &output.Writer{}
	w.WriteString(output.Banner("The Fortran procedures of interface mode, except those in shim/fortran."))
	w.Line("#include \"library.h\"")
	for _, slot := range s.List {
		f := slot.Function
		// A removed function is called by its successor's name, or by its only name.
		switch {
		case f == nil || f.Removed == "":
		case f.Successor != "":
			w.Line("#define P%s P%s", f.Name, f.Successor)
		case !slot.PMPI:
			w.Line("#define P%s %s", f.Name, f.Name) // the front has it under this name only
		}
	}
	s.directHead(w, s.mpiFunctions())
	s.describedBodies(w)
	for _, f := range s.mpiFunctions() {
		if f.Fortran == model.FortranHand {
			continue
		}
		if err := writeProcedure(w, f, s.Front, in.Mappers); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	s.directTable(w, s.mpiFunctions())
	return w.Bytes(), nil
}

// interfaceCallbacks are the predefined callbacks.
var interfaceCallbacks = append(slices.Clone(predefinedProcedures), "mpi_conversion_fn_null_c")

// mpiFunctions returns the functions that have a procedure, without extensions.
func (s library) mpiFunctions() []*model.Function {
	return slices.DeleteFunc(s.procedures(), func(f *model.Function) bool { return f.Level == model.Extension })
}

// interfaceExports returns the symbols of libwi4go_fortran, sorted.
func (s library) interfaceExports() []string {
	names := map[string]bool{}
	add := func(spellings ...string) {
		for _, name := range spellings {
			names[name] = true
		}
	}
	for _, f := range s.mpiFunctions() {
		add(fortranNames(f.Name)...)
	}
	for _, name := range irregularProcedures {
		add(fortranNames(name)...)
	}
	for _, name := range interfaceCallbacks {
		add(name+"_", name+"__", name, strings.ToUpper(name))
	}
	for _, a := range fortranAddresses {
		add(a.symbol())
	}
	add(s.f08InterfaceExports()...)
	return slices.Sorted(maps.Keys(names))
}

// ---- constants ----

// A fortranAddress is a constant that programs recognize by its address: a variable in a common
// block of its own, which is mpi_f08's variable too.
type fortranAddress struct {
	// name is MPI's name of the constant.
	name string
	// of is its type in mpif.h, and dims its dimensions there.
	of, dims string
	// f08 is its type in mpi_f08, and f08Named its name with dimensions.
	f08, f08Named string
}

// symbol returns the C name of the variable.
func (a fortranAddress) symbol() string { return strings.ToLower(a.block()) + "_" }

// block returns the name of the common block.
func (a fortranAddress) block() string {
	return "WI4GO_FORTRAN_" + strings.TrimPrefix(a.name, "MPI_")
}

// fortranAddresses are all such constants.
var fortranAddresses = []fortranAddress{
	{"MPI_BOTTOM", "INTEGER", "", "integer", "MPI_BOTTOM"},
	{"MPI_IN_PLACE", "INTEGER", "", "integer", "MPI_IN_PLACE"},
	{"MPI_BUFFER_AUTOMATIC", "INTEGER", "", "integer", "MPI_BUFFER_AUTOMATIC"},
	{"MPI_UNWEIGHTED", "INTEGER", "(1)", "integer", "MPI_UNWEIGHTED(1)"},
	{"MPI_WEIGHTS_EMPTY", "INTEGER", "(1)", "integer", "MPI_WEIGHTS_EMPTY(1)"},
	{"MPI_ERRCODES_IGNORE", "INTEGER", "(1)", "integer", "MPI_ERRCODES_IGNORE(1)"},
	{"MPI_STATUS_IGNORE", "INTEGER", "(MPI_STATUS_SIZE)", "type(MPI_Status)", "MPI_STATUS_IGNORE"},
	{"MPI_STATUSES_IGNORE", "INTEGER", "(MPI_STATUS_SIZE,1)", "type(MPI_Status)", "MPI_STATUSES_IGNORE(1)"},
	{"MPI_ARGV_NULL", "CHARACTER", "(1)", "character(kind=c_char)", "MPI_ARGV_NULL(1)"},
	{"MPI_ARGVS_NULL", "CHARACTER", "(1,1)", "character(kind=c_char)", "MPI_ARGVS_NULL(1,1)"},
}

// fortranIntegers returns the constants that are default INTEGERs in all bindings. They are
// C's, with three differences: the tool interface and extensions have none, except for error
// classes of the tool interface; the maximal length of a string does not count a final 0
// (MPI-5.0, 2.5.4); and some constants describe Fortran's types.
func (s library) fortranIntegers() map[string]int64 {
	integers := map[string]int64{}
	for name, value := range s.Front.Constants {
		switch {
		case strings.HasPrefix(name, "MPI_T_") && !strings.HasPrefix(name, "MPI_T_ERR_"), strings.HasPrefix(name, "MPIX_"), strings.HasPrefix(name, "MPI_F_"):
		case strings.HasPrefix(name, "MPI_MAX_"):
			integers[name] = value - 1
		default:
			integers[name] = value
		}
	}
	status := s.Front.Types["MPI_Status"]
	integers["MPI_STATUS_SIZE"] = int64(status.Size / 4)
	// Indices into a status count from 1.
	for _, field := range []string{"MPI_SOURCE", "MPI_TAG", "MPI_ERROR"} {
		integers[field] = int64(status.Fields[field]/4) + 1
	}
	for name, of := range map[string]string{"MPI_ADDRESS_KIND": "MPI_Aint", "MPI_COUNT_KIND": "MPI_Count", "MPI_OFFSET_KIND": "MPI_Offset", "MPI_INTEGER_KIND": "MPI_Fint"} {
		integers[name] = int64(s.Front.Types[of].Size)
	}
	return integers
}

// fortranHandles returns the values of the predefined handles in Fortran, by name.
func (s library) fortranHandles() map[string]int64 {
	handles := map[string]int64{}
	for name, h := range s.Front.Handles {
		if h.Fortran != nil && strings.HasPrefix(name, "MPI_") {
			handles[name] = *h.Fortran
		}
	}
	return handles
}

// Constants returns, for each family, a header with the values of predefined handles in
// Fortran. C that calls MPI as a Fortran program does uses it (verify/fortran).
func Constants(in *model.Input) ([]output.File, error) {
	var files []output.File
	for _, front := range in.Families {
		handles := library{model.NewSlots(in, front)}.fortranHandles()
		w := &output.Writer{}
		w.WriteString(output.Banner("The predefined handles of " + front.Family + " programs in Fortran."))
		w.Line("enum {")
		for _, name := range slices.Sorted(maps.Keys(handles)) {
			w.Line("    F_%s = %d,", name, handles[name])
		}
		w.Line("};")
		files = append(files, output.File{Name: front.Family + "/fortran_handles.h", Text: w.Bytes()})
	}
	return files, nil
}

// mpifHeader returns mpif.h. It is valid in fixed and in free form: no line is continued, and
// none has more than 72 columns.
func (s library) mpifHeader() []byte {
	w := &output.Writer{}
	w.WriteString(output.FortranBanner("mpif.h: the constants of the MPI-5 standard's ABI."))
	declare := func(format string, args ...any) { w.Line("      "+format, args...) }
	all := s.fortranIntegers()
	maps.Copy(all, s.fortranHandles())
	for _, name := range slices.Sorted(maps.Keys(all)) {
		declare("INTEGER %s", name)
		declare("PARAMETER (%s=%d)", name, all[name])
	}
	// mpif.h passes buffers by address: array sections and asynchronous buffers are not
	// supported.
	for _, name := range []string{"MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING"} {
		declare("LOGICAL %s", name)
		declare("PARAMETER (%s=.FALSE.)", name)
	}
	for _, a := range fortranAddresses {
		declare("%s %s%s", a.of, a.name, a.dims)
		declare("COMMON /%s/ %s", a.block(), a.name)
	}
	for _, prefix := range []string{"", "P"} {
		for _, name := range []string{"MPI_WTIME", "MPI_WTICK"} {
			declare("DOUBLE PRECISION %s%s", prefix, name)
			declare("EXTERNAL %s%s", prefix, name)
		}
		for _, name := range []string{"MPI_AINT_ADD", "MPI_AINT_DIFF"} {
			declare("INTEGER(KIND=%d) %s%s", all["MPI_ADDRESS_KIND"], prefix, name)
			declare("EXTERNAL %s%s", prefix, name)
		}
	}
	for _, name := range interfaceCallbacks {
		declare("EXTERNAL %s", strings.ToUpper(name))
	}
	// MPI_SIZEOF is generic in the type and the rank of its argument.
	for _, name := range []string{"MPI_SIZEOF", "PMPI_SIZEOF"} {
		declare("INTERFACE %s", name)
		for _, kind := range slices.Sorted(maps.Keys(fortranSizes)) {
			for rank := range 16 {
				declare("SUBROUTINE %s_%s_%d(X,SIZE,IERROR)", name, strings.ToUpper(kind), rank)
				declare("USE, INTRINSIC :: ISO_FORTRAN_ENV")
				for _, line := range fortranSizes[kind].kinds() {
					declare("%s", strings.ToUpper(line))
				}
				declare("%s, INTENT(IN) :: X%s", strings.ToUpper(fortranSizes[kind].declared), rankOf(rank))
				declare("INTEGER, INTENT(OUT) :: SIZE, IERROR")
				declare("END SUBROUTINE")
			}
		}
		declare("END INTERFACE")
	}
	return w.Bytes()
}
