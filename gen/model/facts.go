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
	if object == "WI4GO_NO_OBJECT" {
		return object + ", 0"
	}
	return object + ", " + f.Params[position].Name
}

// Handles is the set of those among the first six arguments, one bit each, that
// are handles.
func (f *Function) Handles() int {
	set := 0
	for i, p := range f.Params {
		if i < 6 && slices.Contains(HandleKinds, p.Role) && !strings.HasSuffix(p.Type, "*") {
			set |= 1 << i
		}
	}
	return set
}

// StartedAs is the nonblocking collective that a start of the persistent one f
// is; nil when f is no persistent collective.
func (f *Function) StartedAs(in *Input) *Function {
	small, large := strings.CutSuffix(f.Name, "_c")
	name, ok := strings.CutSuffix(small, "_init")
	if !ok || f.Chapter != "collectives" && f.Chapter != "topologies" {
		return nil
	}
	name = strings.TrimPrefix(name, "MPI_")
	name = "MPI_I" + strings.ToLower(name[:1]) + name[1:]
	if large {
		name += "_c"
	}
	for i := range in.Functions {
		if in.Functions[i].Name == name {
			return &in.Functions[i]
		}
	}
	return nil
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
