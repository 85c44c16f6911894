package fortran

import (
	"slices"
	"strings"

	"wi4go/abi"
	"wi4go/gen/model"
	"wi4go/gen/output"
)

// innerByHand are the functions that hand-written procedures call themselves, in addition to
// conversions of handles: to measure an array, to describe a section, to raise an error.
var innerByHand = strings.Fields(`MPI_Cartdim_get MPI_Comm_call_errhandler MPI_Comm_rank MPI_Comm_remote_size MPI_Comm_size
	MPI_Comm_test_inter MPI_Dist_graph_neighbors_count MPI_Error_class MPI_Graph_neighbors_count MPI_Topo_test`)

// innerForSections are the functions that describe a section by a datatype or copy it
// (shim/fortran/view.c).
var innerForSections = strings.Fields(`MPI_Pack_c MPI_Type_commit MPI_Type_contiguous MPI_Type_create_hvector MPI_Type_create_hvector_c
	MPI_Type_create_struct MPI_Type_dup MPI_Type_free MPI_Type_get_extent MPI_Type_get_true_extent MPI_Unpack_c`)

// Inner returns the functions that the Fortran library over a front calls for itself, through
// the front's inner door (shim/fortran/inner.h). They are sorted. It returns nil if the front
// lacks a Fortran library.
func Inner(slots *model.Slots) []string {
	s := library{slots}
	if len(FrontExports(s.Front)) == 0 {
		return nil
	}
	names := slices.Clone(innerByHand)
	if s.Front.Traits.Standard || s.hasDescriptors() {
		names = append(names, innerForSections...)
	}
	for _, kind := range model.HandleKinds {
		if !convertsInC(s.Front, kind) {
			continue
		}
		names = append(names, "MPI_"+conversionName(kind)+"_c2f", "MPI_"+conversionName(kind)+"_f2c")
	}
	slices.Sort(names)
	return names
}

// convertsInC reports whether a Fortran library calls the conversions of a kind of handle. If
// handles are integers in C, only hand-written procedures do.
func convertsInC(front *abi.Family, kind string) bool {
	return front.HandleBits != 32 || kind != "GROUP" && kind != "MESSAGE"
}

// InnerHeader returns the header that lists those functions.
func InnerHeader(slots *model.Slots) []byte {
	w := &output.Writer{}
	w.WriteString(output.Banner("The functions that the Fortran library of " + slots.Front.Family + " programs itself calls."))
	w.Line("#define INNER_FUNCTIONS(each) \\")
	for _, name := range Inner(slots) {
		w.Line("    each(%s) \\", name)
	}
	w.Line("")
	return w.Bytes()
}
