package plan

// A Reference is the use that a direct procedure makes of the address that Fortran passes for an
// argument, other than a handle or a status.
type Reference int

const (
	Unserved          Reference = iota // no direct procedure has such an argument
	ToInt                              // passes the int at the address by value
	ToAint                             // passes the MPI_Aint at the address by value
	AsInC                              // passes the address
	ToMemory                           // passes the address of a buffer, which may be MPI_BOTTOM
	ToMemoryOrInPlace                  // the same, and the buffer may also be MPI_IN_PLACE
)

// reference returns the use of the argument's address in a direct procedure.
func (a *FortranArgument) reference() Reference {
	switch {
	case a.Constants == Bottom:
		return ToMemory
	case a.Constants == InPlace:
		return ToMemoryOrInPlace
	case a.Form == FortranValue && a.Type == "int":
		return ToInt
	case a.Form == FortranValue && a.Type == "MPI_Aint":
		return ToAint
	case a.Type == "int *":
		return AsInC
	}
	return Unserved
}
