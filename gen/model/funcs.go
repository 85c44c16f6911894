package model

import "encoding/json"

// Function is one entry of funcs.json.
type Function struct {
	// Name is the C name: "MPI_Send".
	Name string `json:"name"`
	// Level is the lowest version of MPI whose libraries have the function, Extension or Future. It
	// is "3.1" for every function up to that version.
	Level string `json:"level"`
	// Removed is the MPI version that removed the function from the standard, or "".
	Removed string `json:"removed,omitempty"`
	// Chapter is the chapter of the standard: "point-to-point".
	Chapter string `json:"chapter"`
	// Large is the name of the large-count variant, or "".
	Large string `json:"large,omitempty"`
	// Small is the name of the function that has this one as its Large, or "".
	Small string `json:"-"`
	// Wide is the name of the function that returns an MPI_Count instead of this one's int
	// (MPI-3.0). The large-count variant calls it if the library lacks large counts.
	Wide string `json:"wide,omitempty"`
	// Exchange describes how to implement the large-count variant of a collective operation with
	// counts for each process if the library lacks large counts.
	Exchange Exchange `json:"exchange,omitzero"`
	// Starts is the nonblocking operation that each start of a persistent collective operation
	// calls in an emulation. Other functions have none.
	Starts string `json:"starts,omitempty"`
	// Standard is the function of the standard that an extension has become, with the same
	// parameters.
	Standard string `json:"standard,omitempty"`
	// Successor is the function that replaces a removed one, with parameters of the same types in
	// C (MPI-5.0, 16.1).
	Successor string `json:"successor,omitempty"`
	// Returns is the C type of the result.
	Returns string `json:"returns"`
	// Fortran is FortranHand if shim/fortran contains the procedure, FortranNone if the Fortran
	// libraries have none, FortranDirect if pairs have generated bodies of the procedure too,
	// or "" if the procedure is only generated for the Fortran libraries.
	Fortran string `json:"fortran,omitempty"`
	// Assembly reports whether pairs have the function in assembly too, because programs call it
	// very often. The benchmark checks the cost of these functions.
	Assembly bool `json:"assembly,omitempty"`
	// Timed reports whether the benchmark also checks the cost of the translation in C, which is
	// then compiled for speed. Other C is compiled for size, because it is called seldom.
	Timed bool `json:"timed,omitempty"`
	// Hand is the header of package mappers with a hand-written translation, or "" if the
	// translation is generated.
	Hand string `json:"hand,omitempty"`
	// Alone reports whether the hand-written translation works without the runtime's function of
	// the same name.
	Alone bool `json:"alone,omitempty"`
	// Identity lists the families whose identity pair uses a hand-written function; such a pair
	// passes all other calls to the runtime unchanged. The function replaces the runtime's, or, if
	// it works alone, serves only if the runtime has none. It is in identity.h, or else in Hand.
	Identity []string `json:"identity,omitempty"`
	// Emulated reports whether a front emulates the function if the runtime lacks it
	// (shim/emulate).
	Emulated bool `json:"emulated,omitempty"`
	// Narrow is NarrowHand if shim/emulate contains a hand-written version of the large-count function
	// that calls the function with int counts. If it is "", that version is generated if possible.
	Narrow string `json:"narrow,omitempty"`
	// Layers names the layers of shim/emulate over the function, the lowest first.
	Layers []string `json:"layers,omitempty"`
	// AnyTime reports whether a program may call the function before MPI_Init and after
	// MPI_Finalize (MPI-5.0, 11.4.1).
	AnyTime bool `json:"any_time,omitempty"`
	// Local reports whether the embedded MPI's function needs only the memory of its process: it
	// neither communicates nor makes or ends a communicator or a request. A process that a rank has
	// forked may call it. A function with AnyTime does not need this key.
	Local bool `json:"local,omitempty"`
	// Embedded is EmbeddedNone if the embedded MPI does not have the function and refuses each
	// call of it by its name.
	Embedded string `json:"embedded,omitempty"`
	// Params are the parameters in order.
	Params []Param `json:"params"`
}

const (
	// Extension is the level of a function that is not in the standard.
	Extension = "extension"
	// Future is the level of a function that the standard will have, by the standard's name.
	// Libraries have it as an extension, with MPIX_. Every front exports it, because programs may
	// be linked with a later library.
	Future = "future"
)

const (
	// FortranHand marks a function whose Fortran procedure is written by hand. It takes a
	// callback, an attribute (MPI-5.0, 19.3.7) or an array of strings, or it has other arguments
	// than in C.
	FortranHand = "hand"
	// FortranNone marks a function without a Fortran procedure; wi4go refuses a program that calls
	// one and prints its name. These are the tool functions and the conversions, which have no
	// procedure in the standard (MPI-5.0, 15.3.3, 19.3.4), except the conversions of statuses; the
	// extensions, except the ones in Open MPI 4's Fortran library; and the functions that no MPI
	// with a Fortran library has.
	FortranNone = "none"
	// FortranDirect marks a function that codes call all the time. Each pair contains a body of the
	// Fortran procedure that converts the integers directly to the runtime's handles, without a
	// call of the front's C function in between.
	FortranDirect = "direct"
)

const (
	// FortranAddress is an integer as wide as an address.
	FortranAddress = "address"
	// FortranInteger is a default integer, as in the attribute functions of MPI-1 (MPI-5.0, 16.1).
	FortranInteger = "integer"
	// FortranPointer is an output address, as an integer of that width or as a C_PTR
	// (MPI-5.0, 9.2).
	FortranPointer = "pointer"
	// FortranNothing is an output address that only the procedures of mpi_f08 return (MPI-5.0,
	// 3.6).
	FortranNothing = "nothing"
)

// NarrowHand marks a large-count function that shim/emulate/large.h, or one of the headers that
// continue it, implements by hand.
const NarrowHand = "hand"

// EmbeddedNone marks a function that the embedded MPI does not have: it lacks windows, files,
// spawned processes and MPI_T.
const EmbeddedNone = "none"

// Param is one parameter of a function.
type Param struct {
	// Name is the C name of the parameter.
	Name string `json:"name"`
	// Type is the C type. An array is declared as a pointer.
	Type string `json:"type"`
	// Role is the kind of argument, a key of mappers.json.
	Role string `json:"role"`
	// Dir is "in", "out" or "inout".
	Dir string `json:"dir"`
	// Lifetime is the effect of the call on a handle: create, create-persistent, free, complete,
	// restart, keep or borrow. Memory that the call frees has "free".
	Lifetime string `json:"lifetime,omitempty"`
	// Limit names the constant that bounds the length of an output string.
	Limit string `json:"limit,omitempty"`
	// Length is the number of elements of an array, and zero for a single value.
	Length Length `json:"length,omitzero"`
	// Blocks reports whether a buffer contains a block for each process. The count and the datatype
	// that follow it then describe only a part of it.
	Blocks bool `json:"blocks,omitempty"`
	// Fortran is the Fortran type of an untyped C pointer: FortranAddress, FortranInteger,
	// FortranPointer or FortranNothing.
	Fortran string `json:"fortran,omitempty"`
	// FortranName is the name in Fortran if C cannot use the same one, or "".
	FortranName string `json:"fortran_name,omitempty"`
	// Index reports whether the value counts from 1 in Fortran (MPI-5.0, 3.7.5).
	Index bool `json:"index,omitempty"`
	// Flag reports whether the parameter is the output flag that must be true for the other
	// outputs to be valid.
	Flag bool `json:"flag,omitempty"`
	// Any is the wildcard that a receive may pass here (MPI-5.0, 3.2.4), or "".
	Any string `json:"any,omitempty"`
	// Idle reports whether a call may ignore this datatype: its buffer is at another process, is
	// MPI_IN_PLACE, or is not accessed (MPI-5.0, 6.2.3, 12.3.4).
	Idle bool `json:"idle,omitempty"`
	// Alias names another parameter for which the program may pass the same array. A library that
	// looks for aliases must then see one array too.
	Alias string `json:"alias,omitempty"`
	// Significant is the condition under which a library reads a count or a communicator. If it is
	// zero, a library always does.
	Significant Significant `json:"significant,omitzero"`
	// Unchecked names the families whose libraries do not check this handle. They dereference it,
	// accept it, or invoke the error handler of a null communicator, which ends the process.
	Unchecked []string `json:"unchecked,omitempty"`
	// NullAllowed reports whether the program may pass the null handle, although most functions
	// refuse it: it is named too (MPI-5.0, 7.8).
	NullAllowed bool `json:"null_allowed,omitempty"`
}

// Length describes the number of elements of an array argument. It is the value of Param times
// Factor; or a Size of Comm; or the sum of the array Sum.
type Length struct {
	// Param names the parameter with the number of elements.
	Param string `json:"-"`
	// Factor is multiplied by the value of Param. It is 1 if funcs.json has none.
	Factor int `json:"-"`
	// Size is "peers", "members", "indegree" or "outdegree" of Comm.
	Size string `json:"size,omitempty"`
	// Comm names the parameter with the communicator.
	Comm string `json:"comm,omitempty"`
	// Root names the parameter with the only rank at which the array is significant, or is "".
	Root string `json:"root,omitempty"`
	// Unless names a buffer. If the program passes MPI_IN_PLACE for it, the array is empty.
	Unless string `json:"unless,omitempty"`
	// Sum names an array of counts. The length is the sum of its elements.
	Sum string `json:"sum,omitempty"`
	// Over names the parameter with the number of elements of Sum.
	Over string `json:"over,omitempty"`
}

// Significant is the condition under which a library reads an argument.
type Significant struct {
	// Unless names a buffer. If the program passes MPI_IN_PLACE for it, the argument is not read.
	Unless string `json:"unless,omitempty"`
	// Root names the parameter with the only rank at which the argument is read, or is "".
	Root string `json:"root,omitempty"`
}

// Exchange describes a collective operation with a count for each process that is implemented by
// one with a datatype for each process.
type Exchange struct {
	// Fill is the function of shim/emulate/exchange.h that makes the arguments.
	Fill string `json:"fill"`
	// Call is the operation to call with these arguments.
	Call string `json:"call"`
}

// UnmarshalJSON reads one of three forms: "count", ["n", 3] with a factor, or an object with the
// other fields.
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
