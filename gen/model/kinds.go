package model

import "wi4go/abi"

// HandleKinds are the roles that are handles which pairs convert.
var HandleKinds = []string{"COMM", "DATATYPE", "ERRHANDLER", "FILE", "GROUP", "INFO", "MESSAGE", "OP", "REQUEST", "SESSION", "WIN"}

// HandleTypes are their types in C.
var HandleTypes = map[string]string{
	"COMM": "MPI_Comm", "DATATYPE": "MPI_Datatype", "ERRHANDLER": "MPI_Errhandler", "FILE": "MPI_File",
	"GROUP": "MPI_Group", "INFO": "MPI_Info", "MESSAGE": "MPI_Message", "OP": "MPI_Op",
	"REQUEST": "MPI_Request", "SESSION": "MPI_Session", "WIN": "MPI_Win",
}

// NullName is the name of the null handle of a kind.
func NullName(kind string) string {
	if kind == "DATATYPE" {
		return "MPI_DATATYPE_NULL"
	}
	return "MPI_" + kind + "_NULL"
}

// HandlesAreNumbers says that a family's predefined handles are numbers among pointers,
// and not addresses (mappers/handles_standard.h, handles_pointer.h).
func HandlesAreNumbers(f *abi.Family) bool {
	return f.HandleBits == 64 && f.Handles["MPI_COMM_WORLD"].Symbol == ""
}

// CallbackTypes are the types of the predefined callbacks.
var CallbackTypes = map[string]string{
	"MPI_COMM_DUP_FN": "MPI_Comm_copy_attr_function", "MPI_COMM_NULL_COPY_FN": "MPI_Comm_copy_attr_function",
	"MPI_COMM_NULL_DELETE_FN": "MPI_Comm_delete_attr_function",
	"MPI_TYPE_DUP_FN":         "MPI_Type_copy_attr_function", "MPI_TYPE_NULL_COPY_FN": "MPI_Type_copy_attr_function",
	"MPI_TYPE_NULL_DELETE_FN": "MPI_Type_delete_attr_function",
	"MPI_WIN_DUP_FN":          "MPI_Win_copy_attr_function", "MPI_WIN_NULL_COPY_FN": "MPI_Win_copy_attr_function",
	"MPI_WIN_NULL_DELETE_FN": "MPI_Win_delete_attr_function",
	"MPI_DUP_FN":             "MPI_Copy_function", "MPI_NULL_COPY_FN": "MPI_Copy_function", "MPI_NULL_DELETE_FN": "MPI_Delete_function",
	"MPI_CONVERSION_FN_NULL":   "MPI_Datarep_conversion_function",
	"MPI_CONVERSION_FN_NULL_C": "MPI_Datarep_conversion_function_c",
}
