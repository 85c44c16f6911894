package model

import (
	"strings"

	"wi4go/abi"
)

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

// CallbackType is the type of a predefined callback: MPI_COMM_DUP_FN is an
// MPI_Comm_copy_attr_function, MPI_DUP_FN an MPI_Copy_function.
func CallbackType(name string) string {
	switch name {
	case "MPI_CONVERSION_FN_NULL":
		return "MPI_Datarep_conversion_function"
	case "MPI_CONVERSION_FN_NULL_C":
		return "MPI_Datarep_conversion_function_c"
	}
	action := "copy"
	if strings.Contains(name, "DELETE") {
		action = "delete"
	}
	object := strings.Split(name, "_")[1]
	if object == "COMM" || object == "TYPE" || object == "WIN" {
		return "MPI_" + object[:1] + strings.ToLower(object[1:]) + "_" + action + "_attr_function"
	}
	return "MPI_" + strings.ToUpper(action[:1]) + action[1:] + "_function"
}
