package model

import (
	"slices"
	"strings"
)

// Object returns the argument whose error handler a failing call invokes: the name of its kind
// in enum wi4go_object, and its position. Only the first twelve arguments are considered. For a
// call without such an argument it returns WI4GO_NO_OBJECT and 0; for the functions of MPI_T,
// which invoke no error handler (MPI-5.0, 15.3.9), WI4GO_TOOL and 0.
func (f *Function) Object() (string, int) {
	if f.Chapter == "tool" {
		return "WI4GO_TOOL", 0
	}
	kinds := map[string]string{"COMM": "WI4GO_COMM", "WIN": "WI4GO_WIN", "FILE": "WI4GO_FILE", "ERRHANDLER": "WI4GO_ERRHANDLER"}
	for i, p := range f.Params {
		if kind, ok := kinds[p.Role]; ok && p.Dir == "in" && i < 12 {
			return kind, i
		}
	}
	return "WI4GO_NO_OBJECT", 0
}

// RaisedBy returns the object of Object as the first two arguments of a call of wi4go_raise in C.
func (f *Function) RaisedBy() string {
	object, position := f.Object()
	if object == "WI4GO_NO_OBJECT" || object == "WI4GO_TOOL" {
		return object + ", 0"
	}
	return object + ", " + f.Params[position].Name
}

// Handles returns a bit set of the first six arguments: bit i is set if argument i is a handle
// passed by value.
func (f *Function) Handles() int {
	set := 0
	for i, p := range f.Params {
		if i < 6 && slices.Contains(HandleKinds, p.Role) && !p.IsPointer() {
			set |= 1 << i
		}
	}
	return set
}

// collective reports whether all processes of a communicator call the function: it is in the
// chapter of collective operations or of topologies.
func (f *Function) collective() bool { return f.Chapter == "collectives" || f.Chapter == "topologies" }

// IsReduction reports whether the function combines elements by an operation, other than in a
// window. A datatype cannot join separate elements to a single one in a reduction, because the
// operation is defined for the elements.
func (f *Function) IsReduction() bool { return f.Has("OP", "in") != nil && f.Has("WIN", "in") == nil }

// OutlivesCall reports whether the library may use the buffers after the call has returned, or has
// used them since an earlier call (MPI-5.0, 14.4.5: split collective operations).
func (f *Function) OutlivesCall() bool {
	return f.Has("REQUEST", "out") != nil || f.Has("WIN", "in") != nil || f.Has("WIN", "out") != nil || f.Has("ATTACH_BUFFER", "in") != nil || f.isSplit()
}

// Makes reports whether the function makes a window, a file or a communicator.
func (f *Function) Makes() bool {
	return f.Has("WIN", "out") != nil || f.Has("FILE", "out") != nil || f.Has("COMM", "out") != nil
}

// IsConversion reports whether the function converts a handle to an integer, or an integer to a
// handle. These functions have no procedure in Fortran (MPI-5.0, 19.3.4 and 20).
func (f *Function) IsConversion() bool {
	return f.Chapter == "language-bindings" && f.Fortran == FortranNone && len(f.Params) == 1
}

// isSplit reports whether the function is one half of a split collective operation on a file. The
// first half has neither a status nor a request; the second half takes no count.
func (f *Function) isSplit() bool {
	if f.Has("FILE", "in") == nil || !slices.ContainsFunc(f.Params, func(q Param) bool { return q.IsChoice() }) {
		return false
	}
	return f.Has("STATUS", "out") == nil && f.Has("REQUEST", "out") == nil || f.Has("COUNT", "in") == nil
}

// Prototype returns the declaration of the function under the given name, without the semicolon.
func (f *Function) Prototype(name string) string {
	params := []string{"void"}
	for i, p := range f.Params {
		text := Declare(p.Type, p.Name)
		if p.Type == "..." {
			text = "..."
		} else if of, dims, found := strings.Cut(p.Type, " (*)"); found {
			text = of + " " + p.Name + "[]" + dims
		}
		params = append(params[:i], text)
	}
	return Declare(f.Returns, name) + "(" + strings.Join(params, ", ") + ")"
}

// Declare returns a C declaration made from a type and a name: "char **" and "x" give "char **x".
func Declare(of, name string) string {
	if strings.HasSuffix(of, "*") {
		return of + name
	}
	return of + " " + name
}

// IsVariadic reports whether C declares further arguments of any type.
func (f *Function) IsVariadic() bool {
	return slices.ContainsFunc(f.Params, func(q Param) bool { return q.Type == "..." })
}

// Names returns the names of the function's arguments, in order.
func (f *Function) Names() []string {
	var names []string
	for _, q := range f.Params {
		names = append(names, q.Name)
	}
	return names
}

// Has returns the function's first parameter with this role and direction, or nil.
func (f *Function) Has(role, dir string) *Param {
	for i := range f.Params {
		if f.Params[i].Role == role && f.Params[i].Dir == dir {
			return &f.Params[i]
		}
	}
	return nil
}

// FlagIndex returns the position of the output flag that must be true for the other outputs to be
// valid, or -1.
func (f *Function) FlagIndex() int {
	return slices.IndexFunc(f.Params, func(q Param) bool { return q.Flag })
}

// Flag returns the name of the flag that FlagIndex finds, or "".
func (f *Function) Flag() string {
	if i := f.FlagIndex(); i >= 0 {
		return f.Params[i].Name
	}
	return ""
}

// IsChoice reports whether the parameter is a choice buffer, of any type (MPI-5.0, 2.5.5).
func (q *Param) IsChoice() bool {
	return q.Role == "BUFFER" || q.Role == "BUFFER_OR_IN_PLACE" || q.Role == "ATTACH_BUFFER"
}

// IsConst reports whether the parameter is a pointer to memory that the call does not change.
func (q *Param) IsConst() bool { return strings.HasPrefix(q.Type, "const ") }

// IsWide reports whether the parameter is an integer for addresses, offsets or large counts, or
// a pointer to such integers.
func (q *Param) IsWide() bool {
	return slices.Contains([]string{"MPI_Aint", "MPI_Count", "MPI_Offset"}, q.Element())
}

// IsTriples reports whether the parameter is an array of arrays of three integers.
func (q *Param) IsTriples() bool { return q.Type == "int (*)[3]" }

// IsPointer reports whether the parameter is a pointer in C. Arrays are declared as pointers,
// except arrays of triples.
func (q *Param) IsPointer() bool { return strings.HasSuffix(q.Type, "*") }

// Element returns the C type that a pointer parameter points to, without const, or the type of a
// parameter that is no pointer.
func (q *Param) Element() string {
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(q.Type, "const "), "*"))
}

// ErrorMayBeAbsent reports whether mpi_f08 and mpif.h share one direct Fortran procedure for
// the function. A shared procedure checks at each call if the program has passed a variable for
// the error code. Other functions have a second procedure for mpi_f08, which supplies the
// variable and calls the first one. With more than eight arguments the second procedure would
// cost more than the check, because a C compiler copies the arguments on the stack.
func (f *Function) ErrorMayBeAbsent() bool { return len(f.Params) > 8 }
