package gen

import "strings"

// What the Fortran libraries of the MPICH family have beside procedures: common blocks,
// and what the module mpi holds, by the names that gfortran makes; Intel's library, by
// those of its own compiler as well.

func (s *slots) isMPICH() bool { return s.front.Family == "mpich" }

// mpichBlocks are the common blocks of the constants that are addresses, at their sizes.
var mpichBlocks = []string{"mpifcmb5_", "mpifcmb9_", "mpifcmba_", "mpipriv1_", "mpipriv2_", "mpiprivc_"}

// mpichTypes are the types of the module, of which mpi_sizeofs does not speak. A session is
// MPICH 4.1's first.
var mpichTypes = []string{"comm", "datatype", "errhandler", "file", "group", "info", "message", "op", "request", "session", "status", "win"}

// mpichSizes are the bytes of what MPI_SIZEOF has a procedure for, of one and of an array.
var mpichSizes = map[string]int{"ch": 1, "cx": 8, "d": 8, "i": 4, "i1": 1, "i2": 2, "i8": 8, "l": 4, "r": 4}

// ofModule are the names of a procedure of a module: gfortran's, and that of Intel's
// compiler.
func ofModule(module, procedure string) [2]string {
	return [2]string{"__" + module + "_MOD_" + procedure, module + "_mp_" + procedure + "_"}
}

// mpichComparisons are == and /= of the module's handles: the procedure, and what it says
// of equal ones.
func mpichComparisons() map[string]string {
	procedures := map[string]string{}
	for _, kind := range mpichTypes {
		if isHandle(kind) {
			procedures[kind+"eq"], procedures[kind+"neq"] = "==", "!="
		}
	}
	return procedures
}

// mpichModules writes what the modules hold.
func mpichModules() []byte {
	w := &writer{}
	w.WriteString(banner("What the module mpi holds in programs of the MPICH family."))
	w.line("#include \"f08.h\"\n")
	for _, kind := range mpichTypes {
		size := "MPI_Fint"
		if !isHandle(kind) {
			size = "MPI_Status"
		}
		w.line("TYPE_OF_MODULE(mpi_constants, %s, %s, %d)", f08Type(kind), size, gfortranHash("mpi_constants", f08Type(kind)))
	}
	w.line("")
	comparisons := mpichComparisons()
	for _, procedure := range sortedKeys(comparisons) {
		names := ofModule("mpi_constants", procedure)
		w.line("COMPARISON(%s, %s, %s)", names[0], names[1], comparisons[procedure])
	}
	w.line("")
	for _, kind := range sortedKeys(mpichSizes) {
		for _, array := range []string{"", "v"} {
			names := ofModule("mpi_sizeofs", "mpi_sizeof_"+kind+array)
			w.line("SIZEOF(%s, %d)\nNAME(%s, %s)", names[0], mpichSizes[kind], names[1], names[0])
		}
	}
	return w.Bytes()
}

// mpichExports are the symbols of those.
func mpichExports() []string {
	names := append([]string{}, mpichBlocks...)
	add := func(list [2]string) { names = append(names, list[:]...) }
	for _, kind := range mpichTypes {
		for _, part := range []string{"copy", "def_init", "vtab"} {
			names = append(names, strings.Join([]string{"__mpi_constants_MOD__", part, "mpi_constants", f08Type(kind)}, "_"))
		}
	}
	for _, name := range predefinedProcedures {
		names = append(names, fortranNames("MPI"+strings.TrimPrefix(name, "mpi"))...)
	}
	for procedure := range mpichComparisons() {
		add(ofModule("mpi_constants", procedure))
	}
	for kind := range mpichSizes {
		for _, array := range []string{"", "v"} {
			add(ofModule("mpi_sizeofs", "mpi_sizeof_"+kind+array))
		}
	}
	return names
}
