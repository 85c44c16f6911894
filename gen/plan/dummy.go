package plan

import (
	"fmt"

	"wi4go/gen/model"
	"wi4go/mappers"
)

// A Dummy is a dummy argument of a Fortran procedure, as the interfaces of modules declare
// it.
type Dummy struct {
	*model.Param
	Type DummyType
	// Kind is the kind of a handle ("COMM"), otherwise empty.
	Kind string
	// Array reports whether the argument is an array of the type.
	Array bool
	// Intent is "in", "out" or "inout". It is empty if the program may pass a constant, for which
	// no other INTENT is valid.
	Intent string
}

// DummyType is the type of a dummy argument.
type DummyType int

const (
	DummyMemory      DummyType = iota // memory of any type
	DummyAddress                      // an output address: a C_PTR in mpi_f08
	DummyHandle                       // a handle
	DummyStatus                       // a status of the module that declares the argument
	DummyFStatus                      // a status as an array of integers
	DummyF08Status                    // a status as a structure
	DummyText                         // a CHARACTER
	DummyTexts                        // an array of CHARACTER
	DummyTextMatrix                   // a matrix of CHARACTER
	DummyAddressKind                  // an integer as wide as an address
	DummyInteger                      // an INTEGER of the default kind
	DummyNumber                       // an integer of the kind of the C type
	DummyTriples                      // an array of arrays of three integers
	DummyLogical                      // a LOGICAL
	DummyProcedure                    // a callback
)

// Dummies returns the dummy arguments of a function. It leaves out the arguments that only C has.
// It returns an error for a parameter that has no declaration in Fortran: add it to gen/plan/dummy.go.
func Dummies(f *model.Function, table *mappers.Table) (dummies []Dummy, err error) {
	for i := range f.Params {
		q := &f.Params[i]
		if q.Role == "ARGC" || q.Role == "ARGV" || q.Role == "VARARGS" {
			continue
		}
		of, known := dummyType(q, table.Roles[q.Role])
		if !known {
			return nil, fmt.Errorf("parameter %s: role %s of type %s has no declaration in Fortran: add it to "+
				"gen/plan/dummy.go", q.Name, q.Role, q.Type)
		}
		d := Dummy{Param: q, Type: of, Intent: q.Dir}
		d.Array = q.IsPointer() && (q.Length != model.Length{} || q.IsConst() && q.Role != "STATUS")
		if of == DummyHandle {
			d.Kind = q.Role
		}
		if mayBeConstant := of == DummyStatus || q.Role == "WEIGHT" || q.Role == "ERROR_CODES"; mayBeConstant && q.Dir != "in" {
			d.Intent = ""
		}
		dummies = append(dummies, d)
	}
	return dummies, nil
}

// typesOfRoles maps roles to the types of dummy arguments, if the role alone determines the type.
var typesOfRoles = map[string]DummyType{
	"ADDRESS": DummyAddress, "STATUS": DummyStatus, "F_STATUS": DummyFStatus, "F08_STATUS": DummyF08Status,
	"STRING": DummyText, "STRING_ARRAY": DummyTexts, "STRING_2DARRAY": DummyTextMatrix,
	"FUNCTION": DummyProcedure, "LOGICAL": DummyLogical,
}

// dummyType returns the type of a parameter in Fortran, or false if there is none.
func dummyType(q *model.Param, role mappers.Role) (of DummyType, known bool) {
	if isMemory(q) {
		return DummyMemory, true
	}
	if role.Convert == mappers.Handle {
		return DummyHandle, true
	}
	if of, known := typesOfRoles[q.Role]; known {
		return of, true
	}
	switch {
	case q.Role == "EXTRA_STATE" || q.Role == "ATTRIBUTE_VAL":
		if q.Fortran == model.FortranInteger {
			return DummyInteger, true
		}
		return DummyAddressKind, true
	case q.IsTriples():
		return DummyTriples, true
	case q.Element() == "int" || q.IsWide():
		return DummyNumber, true
	}
	return 0, false
}

// ConvertsF08Status reports whether a function converts from or to the statuses of mpi_f08. The
// modules contain such a procedure, and no library has it.
func ConvertsF08Status(f *model.Function) bool {
	return f.Has("F08_STATUS", "in") != nil || f.Has("F08_STATUS", "out") != nil
}

// LargeProcedureByHand reports whether the procedure of a large-count function is written by hand,
// in shim/fortran/interface.c, because it takes a callback or returns an address.
func LargeProcedureByHand(f *model.Function) bool {
	return f.Has("FUNCTION", "in") != nil || f.Has("ADDRESS", "out") != nil
}

// Distinct reports whether calls of a function and its large-count variant differ in the kind of
// an argument, so that both can share one generic name (MPI-5.0, 19.1.5). Callbacks do not count
// as different, and neither do kinds of the same size.
func Distinct(f, large *model.Function) bool {
	if len(f.Params) != len(large.Params) {
		return true
	}
	for i := range f.Params {
		if f.Params[i].Role != "FUNCTION" && f.Params[i].IsWide() != large.Params[i].IsWide() {
			return true
		}
	}
	return false
}
