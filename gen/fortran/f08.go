package fortran

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"wi4go/gen/model"
	"wi4go/gen/output"
)

// This file prints the parts of mpi_f08 that mpif.h does not have, for libraries that take
// choice buffers by address, as Open MPI's does until release 6 (libmpi_usempif08). There one
// body serves both bindings. Module procedures and module data have the names that gfortran
// generates.

// f08Names returns the names of a procedure of mpi_f08: the library's and the profiling name.
func f08Names(function string) []string {
	lower := strings.ToLower(function)
	return []string{lower + "_f08_", "p" + lower + "_f08_"}
}

// f08Types are the types of mpi_f08. Sessions first came with Open MPI 5 and MPICH 4.1.
var f08Types = []string{"comm", "datatype", "errhandler", "file", "group", "info", "message", "op", "request", "session", "status", "win"}

// f08Callbacks returns the predefined callbacks of the module. It leaves out MPI-1's.
func f08Callbacks() []string {
	return slices.DeleteFunc(slices.Clone(predefinedProcedures), func(name string) bool {
		of := model.CallbackTypes[strings.ToUpper(name)]
		return of == "MPI_Copy_function" || of == "MPI_Delete_function" // MPI-1's
	})
}

// f08CallbackModule begins gfortran's symbols for the predefined callbacks.
const f08CallbackModule = "__mpi_f08_callbacks_MOD_"

// gfortranHash returns the number that identifies a type of a module in gfortran's type
// descriptors (gcc/fortran/class.c, gfc_hash_value).
func gfortranHash(module, derived string) uint32 {
	var hash uint32
	for _, c := range []byte(module + "_" + derived) {
		hash = hash<<6 + hash<<16 - hash + uint32(c)
	}
	return hash % 100000000
}

// f08Type returns gfortran's spelling of a type in the names of its parts.
func f08Type(kind string) string { return "Mpi_" + kind }

// isHandle reports whether values of the type are handles, which the module compares.
func isHandle(kind string) bool { return kind != "status" }

// f08Constant returns the names of a predefined handle: the variable's, used before Open MPI
// 4.1, and the module's.
func f08Constant(handle string) [2]string {
	lower := strings.ToLower(handle)
	variable := lower
	if strings.HasSuffix(lower, "_t") {
		variable = strings.TrimSuffix(lower, "_t") // MPI_INT8_T and similar types
	}
	return [2]string{"ompi_f08_" + variable, "__mpi_f08_types_MOD_" + lower}
}

// modules returns the C of the contents of modules.
func (s library) modules() []byte {
	w := &output.Writer{}
	w.WriteString(output.Banner("The contents of modules in " + s.Front.Family + " programs, by the names that gfortran gives them."))
	w.Line("#include \"f08.h\"\n")
	for _, module := range s.Front.Fortran.Types {
		for _, kind := range f08Types {
			size := "MPI_Fint"
			if !isHandle(kind) {
				size = "MPI_Status"
			}
			w.Line("TYPE_OF_MODULE(%s, %s, %s, %d)", module, f08Type(kind), size, gfortranHash(module, f08Type(kind)))
			if isHandle(kind) && s.Front.Fortran.Addresses {
				w.Line("COMPARED(%s, %s)", module, kind)
			}
		}
	}
	w.Line("")
	if !s.Front.Fortran.Addresses {
		s.moduleProcedures(w)
		return w.Bytes()
	}
	handles := s.fortranHandles()
	for _, name := range slices.Sorted(maps.Keys(handles)) {
		names := f08Constant(name)
		w.Line("CONSTANT(%s, %s, %d)", names[0], names[1], handles[name])
	}
	return w.Bytes()
}

// f08Exports returns the symbols of mpi_f08 in the library.
func (s library) f08Exports() (names []string) {
	for _, f := range s.procedures() {
		names = append(names, f08Names(f.Name)...)
	}
	for _, name := range []string{"MPI_Aint_add", "MPI_Aint_diff", "MPI_F_sync_reg"} {
		names = append(names, f08Names(name)...)
	}
	for _, name := range f08Callbacks() {
		names = append(names, f08CallbackModule+name)
	}
	add := func(format string, args ...any) { names = append(names, fmt.Sprintf(format, args...)) }
	ofType := func(module, of, derived string) {
		for _, part := range []string{"copy", "def_init", "vtab"} {
			add("__%s_MOD___%s_%s_%s", module, part, of, derived)
		}
	}
	for _, module := range s.Front.Fortran.Types {
		for _, kind := range f08Types {
			ofType(module, module, f08Type(kind))
			if isHandle(kind) {
				add("__%s_MOD_ompi_%s_op_eq", module, kind)
				add("__%s_MOD_ompi_%s_op_ne", module, kind)
			}
		}
	}
	// gfortran also generates the parts of the types that the module uses from iso_c_binding.
	for _, derived := range []string{"C_ptr", "C_funptr"} {
		ofType("mpi_f08_types", "__iso_c_binding", derived)
	}
	for name := range s.fortranHandles() {
		constant := f08Constant(name)
		names = append(names, constant[:]...)
	}
	return names
}
