package plan

import (
	"slices"

	"wi4go/abi"
	"wi4go/gen/model"
)

// An Entry is the plan of an entry point of the embedded MPI: MPI_X checks its arguments, converts
// handles to objects and integers to 64 bits, and calls em_X, which is written by hand.
type Entry struct {
	Function *model.Function
	// Implementation is the function after which em_X is named: the function with int counts if
	// em_X serves its large-count variant too, and otherwise Function itself.
	Implementation *model.Function
	// Large is the large-count variant of Implementation if em_X serves both, or nil. They differ in
	// nothing but the types of integers.
	Large *model.Function
	// PassesLarge reports whether em_X gets as its last argument whether Large was called:
	// MPI_Type_get_envelope_c and MPI_Type_get_contents_c distinguish datatypes by this (MPI-5.0,
	// 5.1.13).
	PassesLarge bool
	Body        EntryBody
	Phase       Phase
	// Arguments are the arguments of em_X. It gets no further ones of a variadic function.
	Arguments []EntryArgument
	Checks    []Check
	// Comm is the communicator whose error handler gets the errors, or empty. OfFile reports whether
	// they go to the error handler of MPI_FILE_NULL.
	Comm   string
	OfFile bool
	// NullName describes the answer for a null handle that has a name, or is nil.
	NullName *NullName
	// WaitsInside reports whether the function makes or ends a communicator, for which it calls
	// other functions that wait. The reports of blocked ranks must have its name.
	WaitsInside bool
}

// EntryBody is the kind of an entry point.
type EntryBody int

const (
	EntryChecked     EntryBody = iota // checks and converts its arguments, and raises the errors
	EntryPassed                       // passes its arguments on: it returns no error code
	EntryMissing                      // refuses the call by name, and calls the error handler
	EntryMissingTool                  // refuses the call, with an error code of MPI_T
)

// Phase is the time at which a program may call a function.
type Phase int

const (
	Initialized         Phase = iota // between MPI_Init and MPI_Finalize
	InitializedOrForked              // the same, and in processes that a rank has forked
	AnyTime                          // at any time
)

// An EntryArgument is an argument of an entry point.
type EntryArgument struct {
	Param *model.Param
	// Object is the kind of the handle whose object em_X gets, or empty. It gets a null pointer for
	// a handle that it does not read, by When.
	Object  string
	When    Significance
	Integer EntryInteger
}

// EntryInteger is the difference between an integer of an entry point and that of em_X.
type EntryInteger int

const (
	IntegerUnchanged EntryInteger = iota // none: it has its type, or is no integer
	IntegerWide                          // an input integer of 64 bits
	IntegersEither                       // an array of input integers of either size
	IntegerResult                        // a variable of 64 bits for a result
)

// NullName has the kind of a null handle that has a name, and the names of the call's arguments: the
// handle, the text for the name, and its length.
type NullName struct{ Kind, Handle, Text, Length string }

// EntryOf returns the plan of a function's entry point for programs of a family.
func EntryOf(in *model.Input, program *abi.Family, f *model.Function) *Entry {
	e := &Entry{Function: f, Implementation: f, Comm: nameOf(f, "COMM"), OfFile: f.Has("FILE", "in") != nil, NullName: nullName(f)}
	if small := in.Function(f.Small); small != nil && sameButIntegers(small, f) {
		e.Implementation = small
	}
	if large := in.Function(e.Implementation.Large); large != nil && sameButIntegers(e.Implementation, large) {
		e.Large = large
	}
	e.PassesLarge = e.Large != nil && slices.ContainsFunc(f.Params, func(q model.Param) bool {
		return q.Role == "DATATYPE" && q.Lifetime == "create" && q.Length == model.Length{}
	})
	e.WaitsInside = slices.ContainsFunc(f.Params, func(q model.Param) bool { return q.Role == "COMM" && q.IsPointer() })
	switch {
	case f.Embedded == model.EmbeddedNone && f.Chapter == "tool":
		e.Body = EntryMissingTool
	case f.Embedded == model.EmbeddedNone:
		e.Body = EntryMissing
	case f.Returns != "int" || f.IsConversion():
		e.Body = EntryPassed
	default:
		e.Checks = LibraryChecks(program, f)
	}
	switch {
	case f.AnyTime:
		e.Phase = AnyTime
	case f.Local:
		e.Phase = InitializedOrForked
	}
	for i := range f.Params {
		if f.Params[i].Type != "..." {
			e.Arguments = append(e.Arguments, e.argument(i))
		}
	}
	return e
}

// sameButIntegers reports whether a function and its large-count variant differ in nothing but the
// width of input integers and of single output integers.
func sameButIntegers(small, large *model.Function) bool {
	integers := []string{"int", "MPI_Aint", "MPI_Count"}
	return slices.EqualFunc(small.Params, large.Params, func(a, b model.Param) bool {
		return a.Type == b.Type || slices.Contains(integers, a.Element()) && slices.Contains(integers, b.Element())
	})
}

// nullName returns the answer of a function for a null handle that has a name, or nil if it has
// none.
func nullName(f *model.Function) *NullName {
	i := slices.IndexFunc(f.Params, func(q model.Param) bool { return q.NullAllowed })
	text, length := f.Has("STRING", "out"), f.Has("LENGTH", "out")
	if i < 0 || text == nil || length == nil {
		return nil
	}
	return &NullName{f.Params[i].Role, f.Params[i].Name, text.Name, length.Name}
}

// argument returns the argument i.
func (e *Entry) argument(i int) EntryArgument {
	q := &e.Function.Params[i]
	a := EntryArgument{Param: q, Integer: e.integer(i)}
	if _, ok := nouns[q.Role]; ok && !q.IsPointer() && e.Body == EntryChecked {
		a.Object = q.Role
		if q.Role == "DATATYPE" || q.Role == "OP" {
			a.When = significance(e.Function, i)
		}
	}
	return a
}

// integer returns the difference between the argument i and that of em_X.
func (e *Entry) integer(i int) EntryInteger {
	if e.Large == nil || e.Implementation.Params[i].Type == e.Large.Params[i].Type {
		return IntegerUnchanged
	}
	switch q := &e.Function.Params[i]; {
	case !q.IsPointer():
		return IntegerWide
	case q.IsConst():
		return IntegersEither
	}
	return IntegerResult
}
