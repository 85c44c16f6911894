package model

import "wi4go/abi"

// HandleKinds lists the roles of the handles that pairs convert.
var HandleKinds = []string{"COMM", "DATATYPE", "ERRHANDLER", "FILE", "GROUP", "INFO", "MESSAGE", "OP", "REQUEST", "SESSION", "WIN"}

// HandleTypes maps these roles to their types in C.
var HandleTypes = map[string]string{
	"COMM": "MPI_Comm", "DATATYPE": "MPI_Datatype", "ERRHANDLER": "MPI_Errhandler", "FILE": "MPI_File",
	"GROUP": "MPI_Group", "INFO": "MPI_Info", "MESSAGE": "MPI_Message", "OP": "MPI_Op",
	"REQUEST": "MPI_Request", "SESSION": "MPI_Session", "WIN": "MPI_Win",
}

// NullName returns the name of the null handle of a kind: "MPI_COMM_NULL".
func NullName(kind string) string {
	if kind == "DATATYPE" {
		return "MPI_DATATYPE_NULL"
	}
	return "MPI_" + kind + "_NULL"
}

// HandlesAreNumbers reports whether a family's handles are pointers and its predefined handles
// are small numbers in these pointers (mappers/handles_standard.h). Otherwise, predefined handles
// of such a family are addresses of objects (handles_pointer.h).
func HandlesAreNumbers(f *abi.Family) bool {
	return f.HandleBits == 64 && f.Handles["MPI_COMM_WORLD"].Symbol == ""
}

// CallbackTypes maps the predefined callbacks to their types in C.
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
