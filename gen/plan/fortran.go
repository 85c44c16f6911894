package plan

// A Reference is how a frequent procedure uses the address that Fortran passes for an
// argument that is neither a handle nor a status.
type Reference int

const (
	Unserved          Reference = iota // no frequent procedure has such an argument
	ToInt                              // an int that C has by value
	ToAint                             // the same of an MPI_Aint
	AsInC                              // C has the address as well
	ToMemory                           // so it has of a buffer, which may be MPI_BOTTOM
	ToMemoryOrInPlace                  // that may be MPI_IN_PLACE as well
)

// reference returns that of an argument of a Fortran procedure.
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
