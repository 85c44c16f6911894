package model

import (
	"slices"
	"strings"
)

// Object is the enum wi4go_object name and position of the argument whose
// error handler a failing call asks. MPI_T functions ask none (MPI-5.0, 15.3.9).
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

// RaisedBy is that object as wi4go_raise takes it.
func (f *Function) RaisedBy() string {
	object, position := f.Object()
	if object == "WI4GO_NO_OBJECT" || object == "WI4GO_TOOL" {
		return object + ", 0"
	}
	return object + ", " + f.Params[position].Name
}

// Handles is the set of those among the first six arguments, one bit each, that
// are handles.
func (f *Function) Handles() int {
	set := 0
	for i, p := range f.Params {
		if i < 6 && slices.Contains(HandleKinds, p.Role) && !p.IsPointer() {
			set |= 1 << i
		}
	}
	return set
}

// collective says that all processes of a communicator call it.
func (f *Function) collective() bool { return f.Chapter == "collectives" || f.Chapter == "topologies" }

// IsReduction says that a call combines elements by an operation, not in a window. Elements
// that are apart cannot be made one by a datatype there.
func (f *Function) IsReduction() bool { return f.Has("OP", "in") != nil && f.Has("WIN", "in") == nil }

// Outlasts says that the library may use buffers after the call has returned, or has done
// so since another call (MPI-5.0, 14.4.5: split collective operations).
func (f *Function) Outlasts() bool {
	return f.Has("REQUEST", "out") != nil || f.Has("WIN", "in") != nil || f.Has("WIN", "out") != nil || f.Has("ATTACH_BUFFER", "in") != nil || f.isSplit()
}

// isSplit says that it is one half of a split collective operation on a file: the first
// has no status and no request, the second no count.
func (f *Function) isSplit() bool {
	if f.Has("FILE", "in") == nil || !slices.ContainsFunc(f.Params, func(q Param) bool { return q.IsChoice() }) {
		return false
	}
	return f.Has("STATUS", "out") == nil && f.Has("REQUEST", "out") == nil || f.Has("COUNT", "in") == nil
}

// Prototype is the function's declaration under a name, without the semicolon.
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

// Declare joins a C type and a name: "char **" and "x" are "char **x".
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

// Names are the function's arguments.
func (f *Function) Names() []string {
	var names []string
	for _, q := range f.Params {
		names = append(names, q.Name)
	}
	return names
}

// Has is the function's first parameter of that role and direction, nil where there is none.
func (f *Function) Has(role, dir string) *Param {
	for i := range f.Params {
		if f.Params[i].Role == role && f.Params[i].Dir == dir {
			return &f.Params[i]
		}
	}
	return nil
}

// Tells is the position of the function's flag; -1: there is none.
func (f *Function) Tells() int {
	return slices.IndexFunc(f.Params, func(q Param) bool { return q.Tells })
}

// Flag is the name of that parameter, or empty.
func (f *Function) Flag() string {
	if i := f.Tells(); i >= 0 {
		return f.Params[i].Name
	}
	return ""
}

// IsChoice says that a parameter is a buffer of any type (MPI-5.0, 2.5.5).
func (q *Param) IsChoice() bool {
	return q.Role == "BUFFER" || q.Role == "BUFFER_OR_IN_PLACE" || q.Role == "ATTACH_BUFFER"
}

// IsConst says that a parameter is the address of what the call does not change.
func (q *Param) IsConst() bool { return strings.HasPrefix(q.Type, "const ") }

// IsWide says that a parameter is of an integer type for addresses, offsets or large
// counts, or the address of one.
func (q *Param) IsWide() bool {
	return slices.Contains([]string{"MPI_Aint", "MPI_Count", "MPI_Offset"}, q.Element())
}

// IsTriples says that a parameter is an array of arrays of three.
func (q *Param) IsTriples() bool { return q.Type == "int (*)[3]" }

// IsPointer says that a parameter is the address of something.
func (q *Param) IsPointer() bool { return strings.HasSuffix(q.Type, "*") }

// Element is the C type of what it is the address of.
func (q *Param) Element() string {
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(q.Type, "const "), "*"))
}

// ErrorMayBeAbsent says that the frequent Fortran procedure of a function is the same in
// mpi_f08 as in mpif.h, and looks whether there is a variable for the error code. Others
// get one from a procedure of their own in mpi_f08, which so many arguments make dearer:
// a C compiler moves those on the stack.
func (f *Function) ErrorMayBeAbsent() bool { return len(f.Params) > 8 }
