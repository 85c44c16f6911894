package embedded

import (
	"fmt"
	"slices"
	"strings"

	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
)

// localFunctions are the functions that need only this process's memory, in chapters most of whose functions communicate.
var localFunctions = []string{
	"MPI_Get_count", "MPI_Test_cancelled", "MPI_Op_create", "MPI_Op_free", "MPI_Op_commutative", "MPI_Reduce_local", "MPI_Comm_get_parent",
	"MPI_Status_set_cancelled", "MPI_Status_set_elements", "MPI_Status_set_elements_x",
	"MPI_Cart_coords", "MPI_Cart_get", "MPI_Cart_map", "MPI_Cart_rank", "MPI_Cart_shift", "MPI_Cartdim_get", "MPI_Dims_create",
	"MPI_Dist_graph_neighbors", "MPI_Dist_graph_neighbors_count", "MPI_Graph_get", "MPI_Graph_map", "MPI_Graph_neighbors",
	"MPI_Graph_neighbors_count", "MPI_Graphdims_get", "MPI_Topo_test",
	"MPI_Alloc_mem", "MPI_Free_mem", "MPI_Comm_get_errhandler", "MPI_Comm_set_errhandler", "MPI_Comm_call_errhandler", "MPI_Get_processor_name",
	"MPI_Is_thread_main", "MPI_Query_thread", "MPI_Wtime", "MPI_Wtick",
}

// anyTime lists the functions that a program may call before MPI_Init or after MPI_Finalize
// (MPI-5.0, 11.4.1). The functions of info objects are a chapter of such functions.
var anyTime = []string{
	"MPI_Init", "MPI_Init_thread", "MPI_Initialized", "MPI_Finalized", "MPI_Get_version", "MPI_Get_library_version",
	"MPI_Error_string", "MPI_Error_class", "MPI_Add_error_class", "MPI_Add_error_code", "MPI_Add_error_string",
	"MPI_Comm_create_errhandler", "MPI_File_create_errhandler", "MPI_Win_create_errhandler", "MPI_Errhandler_free", "MPI_Pcontrol",
	"MPI_Status_c2f", "MPI_Status_f2c", "MPI_Status_c2f08", "MPI_Status_f082c", "MPI_Status_f2f08", "MPI_Status_f082f",
	"MPI_Status_get_error", "MPI_Status_get_source", "MPI_Status_get_tag",
	"MPI_Status_set_error", "MPI_Status_set_source", "MPI_Status_set_tag", "MPI_Status_set_cancelled", "MPI_Free_mem",
	"MPI_Abi_get_fortran_booleans", "MPI_Abi_get_fortran_info", "MPI_Abi_get_info", "MPI_Abi_get_version",
	"MPI_Abi_set_fortran_booleans", "MPI_Abi_set_fortran_info",
}

// unchecked lists the functions whose result is no error code, although it is an int, or that have
// no arguments to check.
var unchecked = []string{"MPI_Pcontrol"}

// ignorable lists the handles that a call may ignore. em_X gets NULL for an invalid one.
var ignorable = []string{"MPI_Intercomm_create peer_comm"}

// nameless maps functions that return a name to their null handles, which have a name too (MPI-5.0, 7.8).
var nameless = map[string]string{"MPI_Comm_get_name": "MPI_COMM_NULL", "MPI_Type_get_name": "MPI_DATATYPE_NULL"}

// pointers returns the checks for null pointers: those that a front makes, and those of handles, texts and handlers,
// which a front leaves to the library. em_X checks the texts of info objects.
func (e *entry) pointers() []plan.Check {
	checks := plan.Checks(e.family, e.f)
	for i := range e.f.Params {
		q := &e.f.Params[i]
		known := slices.ContainsFunc(checks, func(c plan.Check) bool { return c.Name == q.Name })
		handle := q.IsPointer() && q.Length == (model.Length{}) && (q.Role == "ERRHANDLER" || q.Role == "REQUEST")
		text := q.Role == "STRING" && e.f.Chapter != "info"
		handler := q.Role == "FUNCTION" && e.f.Has("ERRHANDLER", "out") != nil
		if !known && (handle || text || handler) {
			checks = append(checks, plan.Check{Name: q.Name, Class: "MPI_ERR_ARG"})
		}
	}
	return checks
}

// checks writes the checks for null pointers.
func (e *entry) checks(fail func(condition, code string)) {
	argc := e.f.Has("ARGC", "inout")
	for _, check := range e.pointers() {
		condition := "!" + check.Name
		switch {
		case check.Null == plan.NullIfIgnored:
			continue // MPI_STATUSES_IGNORE is a null pointer in the standard ABI
		case argc != nil && check.Name == argc.Name:
			continue // MPI_Init accepts null pointers (MPI-5.0, 11.2.1)
		case check.Null == plan.NullIfEmpty && check.Length.Param == "":
			continue // the length is a property of the communicator: em_X checks it
		case check.Null == plan.NullIfEmpty:
			condition = fmt.Sprintf("%s > 0 && !%s", check.Length.Param, check.Name)
		}
		fail(condition, fmt.Sprintf("em_error(%s, \"%s is a null pointer\")", check.Class, check.Name))
	}
}

// significant returns the condition in C under which the call reads the argument i, a count or a
// datatype, or "" if it always does. It depends on the buffer that the argument describes.
func (e *entry) significant(i int) string {
	q := &e.f.Params[i]
	if q.Role == "DATATYPE" && !q.Idle && e.root() == nil {
		return ""
	}
	buffer := e.bufferOf(i)
	var conditions []string
	if buffer != nil && buffer.Role == "BUFFER_OR_IN_PLACE" && (q.Idle || q.Significant.Unless != "") {
		conditions = append(conditions, buffer.Name+" != MPI_IN_PLACE")
	}
	if root := e.root(); root != nil && buffer != nil {
		conditions = append(conditions, e.atRank(buffer, root))
	}
	return strings.Join(conditions, " && ")
}

// bufferOf returns the buffer before the argument i, which the argument describes, or nil.
func (e *entry) bufferOf(i int) *model.Param {
	for ; i > 0; i-- {
		if q := &e.f.Params[i-1]; q.IsChoice() {
			return q
		}
	}
	return nil
}

// root returns the parameter with the root of a collective operation, or nil. In an intercommunicator
// the arguments for data are then significant in one process of the root's group, and in all of the
// other group (MPI-5.0, 6.2.3).
func (e *entry) root() *model.Param {
	if e.f.Chapter != "collectives" {
		return nil
	}
	return e.f.Has("RANK", "in")
}

// atRank returns the condition under which a buffer is significant in an operation with a root. A
// buffer with a block for each process is the root's.
func (e *entry) atRank(buffer, root *model.Param) string {
	blocks := func(q model.Param) bool { return q.Blocks }
	switch {
	case buffer.Blocks:
		return fmt.Sprintf("em_at_root(%s, %s)", e.handlerOf(false), root.Name)
	case slices.ContainsFunc(e.f.Params, blocks):
		return fmt.Sprintf("em_at_leaf(%s, %s)", e.handlerOf(false), root.Name)
	}
	return root.Name + " != MPI_PROC_NULL"
}

// collective reports whether the function is a collective operation on data. em_X checks the buffers
// then, because it depends on ranks and topologies which of them are significant.
func (e *entry) collective() bool {
	return (e.f.Chapter == "collectives" || e.f.Chapter == "topologies") && e.handlerOf(false) != "NULL"
}

// isNumber reports whether the argument i is the number of elements of an array or of a datatype, so
// that it must not be negative. Other integers with the role of a count may be negative, or em_X
// checks them.
func (e *entry) isNumber(i int) bool {
	if i+1 < len(e.f.Params) && e.f.Params[i+1].Role == "DATATYPE" && e.bufferOf(i) != nil {
		return true
	}
	if e.f.Chapter == "datatypes" || e.f.Chapter == "external-interfaces" {
		return i == slices.IndexFunc(e.f.Params, func(q model.Param) bool { return q.Role == "COUNT" })
	}
	return e.f.Chapter == "point-to-point" && slices.ContainsFunc(e.f.Params, func(q model.Param) bool { return q.Length.Param == e.f.Params[i].Name })
}

// and joins a condition that may be empty with another one.
func and(condition, other string) string {
	if condition == "" {
		return other
	}
	return condition + " && " + other
}

// semantics writes the checks of values, which need the converted handles.
func (e *entry) semantics(w *output.Writer, fail func(condition, code string)) {
	refuse := func(condition, class, format string, values ...string) {
		fail(condition, fmt.Sprintf("em_error(%s, %q%s)", class, format, strings.Join(append([]string{""}, values...), ", ")))
	}
	for i := range e.f.Params {
		q := &e.f.Params[i]
		if q.IsPointer() || q.Dir != "in" {
			continue
		}
		switch q.Role {
		case "COUNT":
			if e.isNumber(i) {
				refuse(and(e.significant(i), q.Name+" < 0"), "MPI_ERR_COUNT", q.Name+" is %lld", "(long long)"+q.Name)
			}
		case "DATATYPE":
			e.datatype(i, refuse)
		case "OP":
			refuse(and(e.significant(i), "!"+local(q)), "MPI_ERR_OP", q.Name+" is not a valid operation")
		case "GROUP":
			refuse("!"+local(q), "MPI_ERR_GROUP", q.Name+" is not a valid group")
		case "ERRHANDLER": // also in a program whose mpi.h lacks the class: libraries with MPI-4.1 return it to programs of their ABI
			refuse("!"+local(q), "MPI_ERR_ERRHANDLER", q.Name+" is not a valid error handler")
		case "INFO":
			null := q.Name + " != MPI_INFO_NULL"
			if e.f.Chapter == "info" {
				null = ""
			}
			refuse(and(null, "!"+local(q)), "MPI_ERR_INFO", q.Name+" is not a valid info object")
		case "RANK":
			e.rank(q, refuse)
		case "TAG":
			if e.f.Chapter == "external-interfaces" {
				continue // of a status: every value
			}
			wildcard := output.If(q.Any != "", " && "+q.Name+" != "+q.Any)
			refuse(fmt.Sprintf("(%[1]s < 0 || %[1]s > MPID_TAG_UB)%[2]s", q.Name, wildcard), "MPI_ERR_TAG", q.Name+" is %d", q.Name)
		}
	}
}

// datatype writes the checks of a datatype, and of the buffer that it describes. A communication
// needs a committed datatype (MPI-5.0, 5.1.9).
func (e *entry) datatype(i int, refuse func(condition, class, format string, values ...string)) {
	q := &e.f.Params[i]
	when := e.significant(i)
	refuse(and(when, "!"+local(q)), "MPI_ERR_TYPE", q.Name+" is not a valid datatype")
	if !slices.ContainsFunc(e.f.Params, func(q model.Param) bool { return q.IsChoice() }) {
		return
	}
	refuse(and(when, "!"+local(q)+"->committed"), "MPI_ERR_TYPE", q.Name+" is not committed: call MPI_Type_commit")
	if i >= 2 && e.f.Params[i-1].Role == "COUNT" && e.f.Params[i-2].IsChoice() && !e.collective() {
		count, buffer := e.f.Params[i-1].Name, e.f.Params[i-2].Name
		refuse(and(when, fmt.Sprintf("em_null_buffer(%s, %s, %s)", buffer, count, local(q))), "MPI_ERR_BUFFER", buffer+" is a null pointer")
	}
}

// rank writes the check of a rank of the communicator. Other functions than communications check
// their ranks themselves.
func (e *entry) rank(q *model.Param, refuse func(condition, class, format string, values ...string)) {
	comm := e.handlerOf(false)
	switch {
	case e.root() != nil:
		refuse(fmt.Sprintf("!em_root_valid(%s, %s)", comm, q.Name), "MPI_ERR_ROOT", q.Name+" is %d", q.Name)
	case e.f.Chapter == "point-to-point":
		wildcard := output.If(q.Any != "", " && "+q.Name+" != "+q.Any)
		refuse(fmt.Sprintf("((unsigned)%[1]s >= (unsigned)%[2]s->remote_size) && %[1]s != MPI_PROC_NULL%[3]s", q.Name, comm, wildcard),
			"MPI_ERR_RANK", q.Name+" is %d in a communicator of %d ranks", q.Name, comm+"->remote_size")
	}
}
