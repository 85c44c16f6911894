package plan

import (
	"slices"

	"wi4go/abi"
	"wi4go/gen/model"
)

// A Check refuses a call if a pointer is null, as MPI libraries do. A front makes these checks if
// it serves a function without the runtime's; in a pair, the runtime makes them.
type Check struct {
	// Name is the name of the argument.
	Name string
	// Class is the error class: "MPI_ERR_ARG".
	Class string
	// Null is the condition under which the argument must not be null.
	Null Null
	// Length is the length of an array.
	Length model.Length
}

// Null is a condition under which an argument must not be null.
type Null int

const (
	// NullNever refuses a null pointer in all cases.
	NullNever Null = iota
	// NullIfEmpty permits a null pointer for an array if its Length is 0.
	NullIfEmpty
	// NullIfIgnored permits it for an array of statuses also if MPI_STATUSES_IGNORE is null.
	NullIfIgnored
)

// Checks returns the checks of a function's arguments in programs of a family, in the order of the
// arguments. It returns nil for a function that raises no error. It also returns nil for a
// function that makes these checks itself, because it raises errors by the error handler of a
// session or by one of its arguments.
func Checks(program *abi.Family, f *model.Function) (checks []Check) {
	handler := func(q model.Param) bool {
		return q.Role == "ERRHANDLER" || q.Role == "SESSION" && f.Chapter == "dynamic-processes"
	}
	if f.Returns != "int" || f.Chapter == "tool" || slices.ContainsFunc(f.Params, handler) {
		return nil
	}
	for i := range f.Params {
		q := &f.Params[i]
		if null, checked := mayBeNull(q); checked {
			checks = append(checks, Check{q.Name, nullError(program, f, q), null, q.Length})
		}
	}
	return checks
}

// mayBeNull returns the condition under which an argument must not be null, or false if the
// argument is not checked.
func mayBeNull(q *model.Param) (null Null, checked bool) {
	unchecked := []string{"BUFFER", "BUFFER_OR_IN_PLACE", "STATUS", "FUNCTION", "STRING", "ARGV", "EXTRA_STATE"}
	switch {
	case q.Role == "STATUS" && q.Length.Param != "":
		return NullIfIgnored, true
	case !q.IsPointer(), slices.Contains(unchecked, q.Role):
	case q.Length.Param != "", q.Length.Size != "":
		return NullIfEmpty, true
	case q.Length == model.Length{} && q.Dir != "in":
		return NullNever, true
	}
	return NullNever, false
}

// nullError returns the error class for a null pointer as the argument q.
func nullError(program *abi.Family, f *model.Function, q *model.Param) string {
	class := program.Traits.NullErrors[q.Role]
	if class == "" || q.Dir != "out" || q.Role == "REQUEST" && f.Chapter != "point-to-point" {
		return "MPI_ERR_ARG"
	}
	return class
}

// String returns the check as a line of text for people.
func (c Check) String() string {
	text := "refused with " + c.Class + ": a null pointer for " + c.Name
	switch c.Null {
	case NullIfEmpty:
		text += ", unless it has no elements (" + lengthText(c.Length) + ")"
	case NullIfIgnored:
		text += ", unless it has no elements (" + lengthText(c.Length) + ") or is MPI_STATUSES_IGNORE"
	}
	return text
}
