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
