package plan

import (
	"slices"

	"wi4go/abi"
	"wi4go/gen/model"
	"wi4go/gen/output"
)

// A Check refuses a call because of one of its arguments, as MPI libraries do. In a pair, the
// runtime makes the checks.
type Check struct {
	// Argument is the name of the argument.
	Argument string
	// Condition is the condition under which the call is refused.
	Condition Condition
	// When is the condition under which the call reads the argument.
	When Significance
	// Class is the error class: "MPI_ERR_ARG".
	Class string
	// Text is the message, with a %d for each of Values.
	Text string
	// Values are the values that the message contains.
	Values []Value
}

// A Condition is a condition under which an argument is wrong. text returns a description of a
// wrong argument for people, given the name of the argument.
type Condition interface{ text(name string) string }

type (
	// IsNull refuses a null pointer. If Length is not zero, the argument is an array, which may be
	// null if it has no elements.
	IsNull struct{ Length model.Length }
	// NoObject refuses a handle that has no object: it is invalid or null.
	NoObject struct {
		Kind string // the kind of handle: "COMM"
		// NullAllowed reports whether the program may pass the null handle.
		NullAllowed bool
	}
	// IsNegative refuses a negative number.
	IsNegative struct{}
	// NotCommitted refuses a datatype that is not committed, which a communication needs (MPI-5.0,
	// 5.1.9).
	NotCommitted struct{}
	// NoBuffer refuses a null pointer as a buffer, if Count elements of Datatype have data.
	NoBuffer struct{ Count, Datatype string }
	// NoRank refuses a number that is not a rank of the communicator Comm, nor MPI_PROC_NULL, nor the
	// wildcard Any, which is empty if the argument has none.
	NoRank struct{ Comm, Any string }
	// NoRoot refuses a number that is not the root of a collective operation in the communicator
	// Comm. In an intercommunicator, MPI_ROOT and MPI_PROC_NULL are roots too (MPI-5.0, 6.2.3).
	NoRoot struct{ Comm string }
	// NoTag refuses a number that is neither a tag nor the wildcard Any, which is empty if the
	// argument has none.
	NoTag struct{ Any string }
)

// A Significance is the condition under which a call reads an argument. If it is zero, a call
// always does. Otherwise both of its parts must be true.
type Significance struct {
	// Unless names a buffer, or is empty. If the program passes MPI_IN_PLACE for it, the argument
	// is not read.
	Unless string
	// Where are the processes that read the argument, in an operation with the root Root in the
	// communicator Comm.
	Where      Where
	Root, Comm string
}

// Where are the processes that read an argument of a collective operation with a root. In an
// intercommunicator, these are one process of the root's group, and all processes of the other
// group (MPI-5.0, 6.2.3).
type Where int

const (
	Everywhere   Where = iota // all processes
	AtRoot                    // the root
	AtLeaves                  // each process that sends to the root, or receives from it
	ExceptAtNull              // all processes but those that pass MPI_PROC_NULL as the root
)

// A Value is a value that the message of a check contains. Name is the name of an argument.
type Value struct {
	Of   ValueOf
	Name string
}

// ValueOf is the relation of a value to its argument.
type ValueOf int

const (
	ValueInt   ValueOf = iota // the argument, which is an int
	ValueCount                // the argument, which is an int or a large count
	ValueRanks                // the number of ranks of the argument, a communicator: those of the remote group, if there is one
)

// NullChecks returns the checks of a function's pointers in programs of a family, in the order of
// the arguments. A front makes them if it serves a function without the runtime's. NullChecks
// returns nil for a function that raises no error. It also returns nil for a function that makes
// these checks itself, because it raises errors by the error handler of a session or by one of its
// arguments.
func NullChecks(program *abi.Family, f *model.Function) (checks []Check) {
	handler := func(q model.Param) bool {
		return q.Role == "ERRHANDLER" || q.Role == "SESSION" && f.Chapter == "dynamic-processes"
	}
	if f.Returns != "int" || f.Chapter == "tool" || slices.ContainsFunc(f.Params, handler) {
		return nil
	}
	for i := range f.Params {
		if q := &f.Params[i]; mustNotBeNull(program, q) {
			checks = append(checks, nullCheck(q.Name, q.Length, nullError(program, f, q)))
		}
	}
	return checks
}

// nullCheck returns the check of a pointer.
func nullCheck(name string, length model.Length, class string) Check {
	return Check{Argument: name, Condition: IsNull{length}, Class: class, Text: name + " is a null pointer"}
}

// mustNotBeNull reports whether a function refuses a null pointer as the argument q.
func mustNotBeNull(program *abi.Family, q *model.Param) bool {
	unchecked := []string{"BUFFER", "BUFFER_OR_IN_PLACE", "FUNCTION", "STRING", "ARGC", "ARGV", "EXTRA_STATE"} // MPI_Init accepts null pointers (MPI-5.0, 11.2.1)
	switch {
	case q.Role == "STATUS":
		return q.Length.Param != "" && !ignoresByNull(program)
	case !q.IsPointer(), slices.Contains(unchecked, q.Role):
		return false
	case q.Length.Param != "", q.Length.Size != "":
		return true
	}
	return q.Length == model.Length{} && q.Dir != "in"
}

// ignoresByNull reports whether programs of a family ignore statuses by a null pointer.
func ignoresByNull(program *abi.Family) bool {
	return program.Pointers["MPI_STATUSES_IGNORE"] == abi.Pointer{}
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
	return "refused with " + c.Class + ": " + c.Condition.text(c.Argument) + c.When.text()
}

func (c IsNull) text(name string) string {
	return "a null pointer for " + name + output.If(c.Length != model.Length{}, ", unless it has no elements ("+lengthText(c.Length)+")")
}
func (c NoObject) text(name string) string {
	return output.If(!c.NullAllowed, "the null handle, or ") + "a handle without an object for " + name
}
func (IsNegative) text(name string) string   { return "a negative " + name }
func (NotCommitted) text(name string) string { return "an uncommitted " + name }
func (c NoBuffer) text(name string) string {
	return "a null pointer for " + name + ", if " + c.Count + " elements of " + c.Datatype + " have data"
}
func (c NoRank) text(name string) string {
	return name + ", unless it is a rank of " + c.Comm + ", MPI_PROC_NULL" + output.If(c.Any != "", " or "+c.Any)
}
func (c NoRoot) text(name string) string { return name + ", unless it is a root in " + c.Comm }
func (c NoTag) text(name string) string {
	return name + ", unless it is from 0 to the largest tag" + output.If(c.Any != "", " or "+c.Any)
}

// text returns the condition for people, after a comma, or an empty string if there is none.
func (s Significance) text() string {
	return output.If(s.Unless != "", ", if "+s.Unless+" is not MPI_IN_PLACE") + map[Where]string{
		AtRoot: ", at the root", AtLeaves: ", at each process that communicates with the root", ExceptAtNull: ", unless " + s.Root + " is MPI_PROC_NULL",
	}[s.Where]
}
