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
	// Kind is the kind of a handle: "COMM".
	Kind string
	// Array reports whether it has elements of the type.
	Array bool
	// Intent is "in", "out", "inout", or empty if the program may give a constant, which
	// has no other INTENT.
	Intent string
}

// DummyType is the type of a dummy argument.
type DummyType int

const (
	DummyMemory      DummyType = iota // memory of any type
	DummyAddress                      // an address that comes out: a C_PTR in mpi_f08
	DummyHandle                       //
	DummyStatus                       //
	DummyFStatus                      // a status as an array of integers
	DummyF08Status                    // a status as a structure
	DummyText                         // a CHARACTER,
	DummyTexts                        // an array of them,
	DummyTextMatrix                   // and a matrix
	DummyAddressKind                  // an integer as wide as an address
	DummyInteger                      // an INTEGER of the default kind
	DummyNumber                       // an integer, of the kind of C's type
	DummyTriples                      // an array of arrays of three integers
	DummyLogical                      //
	DummyProcedure                    // a callback
)

// Dummies returns the dummy arguments of a function; C has some that Fortran has not.
func Dummies(f *model.Function, table *mappers.Table) (dummies []Dummy, err error) {
	for i := range f.Params {
		q := &f.Params[i]
		if q.Role == "ARGC" || q.Role == "ARGV" || q.Role == "VARARGS" {
			continue
		}
		of, known := dummyType(q, table.Roles[q.Role])
		if !known {
			return nil, fmt.Errorf("parameter %s: role %s of type %s has no declaration in Fortran", q.Name, q.Role, q.Type)
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

// typesOfRoles are the types of dummy arguments that their role alone determines.
var typesOfRoles = map[string]DummyType{
	"ADDRESS": DummyAddress, "STATUS": DummyStatus, "F_STATUS": DummyFStatus, "F08_STATUS": DummyF08Status,
	"STRING": DummyText, "STRING_ARRAY": DummyTexts, "STRING_2DARRAY": DummyTextMatrix,
	"FUNCTION": DummyProcedure, "LOGICAL": DummyLogical,
}

// dummyType returns the type of a parameter; false if Fortran has none.
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

// ConvertsF08Status reports whether a function converts from or to the statuses of mpi_f08:
// a procedure that modules have, and no library.
func ConvertsF08Status(f *model.Function) bool {
	return f.Has("F08_STATUS", "in") != nil || f.Has("F08_STATUS", "out") != nil
}

// LargeProcedureByHand reports whether shim/fortran/interface.c has the procedure of a large-count
// function: it takes a callback, or gives an address.
func LargeProcedureByHand(f *model.Function) bool {
	return f.Has("FUNCTION", "in") != nil || f.Has("ADDRESS", "out") != nil
}

// Distinct reports whether calls of a function and of its large-count variant differ in the
// kind of an argument, so that both may have one generic name (MPI-5.0, 19.1.5). Callbacks,
// and kinds of the same size, do not differ.
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
