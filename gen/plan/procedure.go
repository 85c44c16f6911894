package plan

import (
	"fmt"
	"slices"

	"wi4go/gen/model"
	"wi4go/mappers"
)

// A Procedure is the plan of a Fortran procedure that calls the function in C.
type Procedure struct {
	Function  *model.Function
	Arguments []FortranArgument // in the function's order
	// Addresses reports whether the call needs only the address of its choice buffers, because no
	// count and datatype describe them: memory, or a single element.
	Addresses bool
	// IsRoom reports whether the choice buffer is memory for a window or for buffered messages, which
	// has no gaps.
	IsRoom bool
}

// A FortranArgument is an argument of a Fortran procedure.
type FortranArgument struct {
	*model.Param
	Form FortranForm
	// Kind is the kind of a handle ("COMM"), otherwise empty.
	Kind string
	// Constants are the special addresses that the program may pass.
	Constants FortranConstants
	// Counted is the argument with the number of elements of an output array of numbers that count
	// from 1, or empty.
	Counted string
	// Size is the argument with the size of an output text that has no Limit, or empty.
	Size string
	// Typed reports whether a choice buffer is followed by its count and its datatype. The two can
	// be replaced to describe the elements of an array section.
	Typed bool
}

// FortranForm is the conversion that a procedure makes to pass an argument to the function in C.
type FortranForm int

const (
	FortranUnchanged  FortranForm = iota // Fortran's reference is C's pointer
	FortranValue                         // C takes it by value
	FortranCounted                       // a number that counts from 1 in Fortran
	FortranHandle                        // a handle that MPI converts
	FortranEarly                         // a handle that is converted without MPI, because MPI may not be initialized yet
	FortranStatus                        // a status, or an array of statuses
	FortranText                          // a CHARACTER; its length follows all arguments
	FortranLogical                       // an output LOGICAL: every compiler takes 1 as true
	FortranConstant                      // an address that may be one of Constants
	FortranAddressOut                    // an output address
	FortranShortIn                       // an input INTEGER in a function of MPI-1; C has an address
	FortranShortOut                      // an output INTEGER in a function of MPI-1; C has an address
	FortranShortArray                    // an input array of INTEGERs in a function of MPI-1; C has addresses
)

// FortranConstants is a set of constants that Fortran programs pass by address.
type FortranConstants int

const (
	NoConstant FortranConstants = iota // none
	Bottom                             // MPI_BOTTOM
	InPlace                            // MPI_IN_PLACE or MPI_BOTTOM
	Automatic                          // MPI_BUFFER_AUTOMATIC
	Weights                            // MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY
)

// constantsOf maps roles to their constants. A role that is not listed has none.
var constantsOf = map[string]FortranConstants{"BUFFER": Bottom, "BUFFER_OR_IN_PLACE": InPlace, "ATTACH_BUFFER": Automatic, "WEIGHT": Weights}

// ProcedureOf returns the plan of a function's Fortran procedure. It returns an error for a
// function that needs a hand-written procedure.
func ProcedureOf(f *model.Function, table *mappers.Table) (*Procedure, error) {
	if f.Returns != "int" {
		return nil, fmt.Errorf("it returns %s: set \"fortran\": %q", f.Returns, model.FortranHand)
	}
	typed := f.Has("DATATYPE", "in") != nil && (f.Has("COUNT", "in") != nil || f.Has("COUNTS", "in") != nil)
	room := f.OutlivesCall() && f.Has("DATATYPE", "in") == nil && f.Has("FILE", "in") == nil
	p := &Procedure{Function: f, Addresses: !typed, IsRoom: room}
	for i := range f.Params {
		a, err := fortranArgument(f, i, table)
		if err != nil {
			return nil, fmt.Errorf("parameter %s: %w", f.Params[i].Name, err)
		}
		p.Arguments = append(p.Arguments, a)
	}
	return p, nil
}

// fortranArgument returns the plan of argument i, or an error if the argument needs a hand-written
// procedure.
func fortranArgument(f *model.Function, i int, table *mappers.Table) (FortranArgument, error) {
	q := &f.Params[i]
	form, err := fortranForm(f, q, table.Roles[q.Role])
	a := FortranArgument{Param: q, Form: form, Constants: constantsOf[q.Role], Typed: isTyped(f, i)}
	switch {
	case err != nil:
	case form == FortranHandle || form == FortranEarly:
		a.Kind = q.Role
	case form == FortranCounted && q.Length != model.Length{}:
		a.Counted, err = requiredName(f, "COUNT", "out")
	case form == FortranText && q.Dir != "in" && q.Limit == "":
		a.Size, err = requiredName(f, "LENGTH", "in") // it has no limit
	case q.Role == "ADDRESS" && q.Dir == "in":
		a.Constants = Bottom
	}
	return a, err
}

// fortranForm returns the form of a parameter, or an error if it has none.
func fortranForm(f *model.Function, q *model.Param, role mappers.Role) (FortranForm, error) {
	short := f.Removed != "" && q.Element() == "MPI_Aint"
	switch {
	case role.Convert == mappers.Handle && slices.Contains([]string{"ERRHANDLER", "INFO", "SESSION"}, q.Role):
		return FortranEarly, nil
	case role.Convert == mappers.Handle:
		return FortranHandle, nil
	case q.Role == "STATUS":
		return FortranStatus, nil
	case q.Role == "STRING":
		return FortranText, nil
	case constantsOf[q.Role] != NoConstant:
		return FortranConstant, nil
	case q.Role == "ADDRESS" && q.Dir == "out":
		return FortranAddressOut, nil
	case slices.Contains([]string{"EXTRA_STATE", "ATTRIBUTE_VAL", "STRING_ARRAY", "STRING_2DARRAY", "ARGV"}, q.Role):
		return 0, fmt.Errorf("role %s of type %s has no conversion: write the procedure by hand", q.Role, q.Type)
	case short && !q.IsPointer():
		return FortranShortIn, nil
	case short && q.Dir == "out":
		return FortranShortOut, nil
	case short:
		return FortranShortArray, nil
	case !q.IsPointer() && !q.IsTriples():
		return FortranValue, nil
	case q.Role == "LOGICAL" && q.Dir == "out": // an input needs no conversion: in C, any value but 0 is true
		return FortranLogical, nil
	case q.Index:
		return FortranCounted, nil
	}
	return FortranUnchanged, nil
}

// isTyped reports whether argument i is a choice buffer that is followed by the count and the
// datatype of all its elements.
func isTyped(f *model.Function, i int) bool {
	if i+2 >= len(f.Params) || !isMemory(&f.Params[i]) {
		return false
	}
	return f.Params[i+1].Role == "COUNT" && f.Params[i+2].Role == "DATATYPE" && !f.IsReduction() && !f.Params[i].Blocks
}

// isMemory reports whether an argument is the address of memory of any type.
func isMemory(q *model.Param) bool { return q.IsChoice() || q.Role == "ADDRESS" && q.Dir == "in" }

// HasMemory reports whether a function has an argument that is the address of memory of any type.
// In the procedures of mpi_f08 that use descriptors, such an argument is a descriptor (MPI-5.0,
// 19.1.2).
func HasMemory(f *model.Function) bool {
	return slices.ContainsFunc(f.Params, func(q model.Param) bool { return isMemory(&q) })
}

// IsMemory reports whether the argument is the address of memory of any type.
func (a *FortranArgument) IsMemory() bool { return isMemory(a.Param) }
