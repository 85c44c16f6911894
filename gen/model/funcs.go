package model

import "encoding/json"

// Function is one entry of funcs.json.
type Function struct {
	// Name is the C name: "MPI_Send".
	Name string `json:"name"`
	// Level is the lowest MPI version that a library must have to offer it:
	// "3.1" for everything up to that version, or Extension.
	Level string `json:"level"`
	// Removed is the MPI version that took it out of the standard.
	Removed string `json:"removed,omitempty"`
	// Chapter is the chapter of the standard.
	Chapter string `json:"chapter"`
	// Large is the name of the large-count variant.
	Large string `json:"large,omitempty"`
	// Small is the function whose Large this one is.
	Small string `json:"-"`
	// Wide is the function that gives MPI_Count where this one gives int (MPI-3.0): over a
	// library without large counts, the large-count variant calls it.
	Wide string `json:"wide,omitempty"`
	// Exchange says how the large-count variant of a collective operation with counts
	// for each process is done over a library without large counts.
	Exchange Exchange `json:"exchange,omitzero"`
	// Starts is the nonblocking operation that each start of a persistent collective
	// operation is.
	Starts string `json:"starts,omitempty"`
	// Standard is what an extension has become in the standard, with the same parameters.
	Standard string `json:"standard,omitempty"`
	// Successor has taken the place of a removed function, with the same types of
	// parameters in C (MPI-5.0, 16.1).
	Successor string `json:"successor,omitempty"`
	// Returns is the C type of the result.
	Returns string `json:"returns"`
	// Fortran is FortranHand where shim/fortran has the procedure, FortranNone where a
	// layer has none, and FortranFrequent where it is generated for pairs as well;
	// otherwise it is generated.
	Fortran string `json:"fortran,omitempty"`
	// Assembly says that the function is called so often that pairs print it as
	// assembly as well; the benchmark holds these.
	Assembly bool `json:"assembly,omitempty"`
	// Timed says that the benchmark holds the C of its translation as well, which is
	// compiled for speed. Any other C is compiled for size, since it is called seldom.
	Timed bool `json:"timed,omitempty"`
	// Hand is the header of package mappers with the translation, where it is written
	// by hand.
	Hand string `json:"hand,omitempty"`
	// Alone says that it works without the runtime's function of that name.
	Alone bool `json:"alone,omitempty"`
	// Identity are the families within which a hand-written function serves as well,
	// where every other function is the runtime's as it is: in the place of the
	// runtime's, or where there is none if it works alone. It is in identity.h, or else
	// in Hand.
	Identity []string `json:"identity,omitempty"`
	// Emulated says that a front serves it where the runtime lacks it (shim/emulate).
	Emulated bool `json:"emulated,omitempty"`
	// Narrow is NarrowHand where shim/emulate has a large count by way of the function
	// with int counts; otherwise that is generated, where it can be.
	Narrow string `json:"narrow,omitempty"`
	// Layers names the layers of shim/emulate over the function, the lowest first.
	Layers []string `json:"layers,omitempty"`
	// Params are the parameters in order.
	Params []Param `json:"params"`
}

// Extension is the level of what is not in the standard.
const Extension = "extension"

const (
	// FortranHand are those with function arguments, attributes (MPI-5.0, 19.3.7), arrays
	// of strings, or other arguments than in C.
	FortranHand = "hand"
	// FortranNone are tools and conversions, which have none in the standard (MPI-5.0,
	// 15.3.3, 19.3.4) but those of statuses, extensions but those that Open MPI 4's library has, and
	// what no MPI with such a library has: programs that call one are refused by name.
	FortranNone = "none"
	// FortranFrequent are those that codes call all the time: a pair has a body for them
	// that converts the integers to the runtime's handles, without a call in C in between.
	FortranFrequent = "frequent"
)

const (
	// FortranAddress is an integer as wide as an address.
	FortranAddress = "address"
	// FortranInteger is a default integer, as MPI-1 has for attributes (MPI-5.0, 16.1).
	FortranInteger = "integer"
	// FortranPointer is an address that comes out, as such an integer or as a C_PTR
	// (MPI-5.0, 9.2).
	FortranPointer = "pointer"
	// FortranNothing is an address that only mpi_f08 is given (MPI-5.0, 3.6).
	FortranNothing = "nothing"
)

// NarrowHand are the large counts of shim/emulate/large.h and the headers after it.
const NarrowHand = "hand"

// Param is one parameter of a function.
type Param struct {
	Name string `json:"name"`
	// Type is the C type, arrays as pointers.
	Type string `json:"type"`
	// Role is the kind of argument, a key of mappers.json.
	Role string `json:"role"`
	// Dir is "in", "out" or "inout".
	Dir string `json:"dir"`
	// Lifetime says what becomes of a handle: create, create-persistent, free,
	// complete, restart, keep or borrow. Memory that is given back has "free".
	Lifetime string `json:"lifetime,omitempty"`
	// Limit names the constant that bounds an output string.
	Limit string `json:"limit,omitempty"`
	// Length is the number of elements of an array.
	Length Length `json:"length,omitzero"`
	// Blocks says that a buffer has a block for each process, so that count and datatype
	// beside it do not describe all of it.
	Blocks bool `json:"blocks,omitempty"`
	// Fortran says what an untyped pointer of C is in Fortran: FortranAddress,
	// FortranInteger, FortranPointer or FortranNothing.
	Fortran string `json:"fortran,omitempty"`
	// FortranName is what Fortran calls it, where C cannot.
	FortranName string `json:"fortran_name,omitempty"`
	// Index says that it counts from 1 in Fortran (MPI-5.0, 3.7.5).
	Index bool `json:"index,omitempty"`
	// Tells says that nothing else comes out unless this flag is true.
	Tells bool `json:"tells,omitempty"`
	// Any is the constant that a receive may have here for any value (MPI-5.0, 3.2.4).
	Any string `json:"any,omitempty"`
	// Idle says that a datatype may mean nothing in a call: that of a buffer that is
	// elsewhere, or in place, or not accessed (MPI-5.0, 6.2.3, 12.3.4).
	Idle bool `json:"idle,omitempty"`
	// Alias is an array that the program may give here too: a library that looks for
	// aliases is to see that.
	Alias string `json:"alias,omitempty"`
	// Significant says when a library looks at a count; always, where it is left out.
	Significant Significant `json:"significant,omitzero"`
	// Unchecked names the families whose libraries do not look at this handle: they
	// follow it, take it, or ask the error handler of a null communicator, which
	// ends the process.
	Unchecked []string `json:"unchecked,omitempty"`
}

// Length is how many elements an array argument has: what another parameter
// says, times Factor; or as many as a communicator has peers, members or
// neighbours; or the sum of an array of counts.
type Length struct {
	Param  string `json:"-"`
	Factor int    `json:"-"`
	// Size is peers, members, indegree or outdegree, of Comm; Root names the
	// parameter that says where alone the array counts.
	Size string `json:"size,omitempty"`
	Comm string `json:"comm,omitempty"`
	Root string `json:"root,omitempty"`
	// Unless is a buffer with which, in place, the array has no elements.
	Unless string `json:"unless,omitempty"`
	// Sum is the parameter whose elements are added up, Over their number.
	Sum  string `json:"sum,omitempty"`
	Over string `json:"over,omitempty"`
}

// Significant says when a library looks at a count.
type Significant struct {
	// Unless is a buffer: it does not where that is MPI_IN_PLACE.
	Unless string `json:"unless,omitempty"`
	// Root is the parameter that says where alone it does.
	Root string `json:"root,omitempty"`
}

// Exchange is a collective operation with counts for each process, done by one with a
// datatype for each.
type Exchange struct {
	// Fill is the function of shim/emulate/exchange.h that makes the arguments.
	Fill string `json:"fill"`
	// Call is the operation that is called.
	Call string `json:"call"`
}

// UnmarshalJSON reads "count", ["n", 3] or the object form.
func (l *Length) UnmarshalJSON(data []byte) error {
	l.Factor = 1
	switch data[0] {
	case '"':
		return json.Unmarshal(data, &l.Param)
	case '[':
		return json.Unmarshal(data, &[]any{&l.Param, &l.Factor})
	}
	type plain Length
	return json.Unmarshal(data, (*plain)(l))
}
