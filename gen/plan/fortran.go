package plan

import "wi4go/gen/model"

// A Reference says what an argument's address, which is what Fortran passes, is to a
// frequent procedure that has no handle and no status for it.
type Reference int

const (
	Unserved          Reference = iota // no frequent procedure has such an argument
	ToInt                              // an int that C has by value
	ToAint                             // the same of an MPI_Aint
	AsInC                              // C has the address as well
	ToMemory                           // so it has of a buffer, which may be MPI_BOTTOM
	ToMemoryOrInPlace                  // that may be MPI_IN_PLACE as well
)

// reference is that of a parameter.
func reference(q *model.Param) Reference {
	switch {
	case q.Role == "BUFFER":
		return ToMemory
	case q.Role == "BUFFER_OR_IN_PLACE":
		return ToMemoryOrInPlace
	case q.Type == "int":
		return ToInt
	case q.Type == "MPI_Aint":
		return ToAint
	case q.Type == "int *":
		return AsInC
	}
	return Unserved
}
