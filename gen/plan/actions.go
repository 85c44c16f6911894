package plan

import "wi4go/gen/model"

// An Action is the conversion of one argument. In all actions, Kind is a kind of handle ("COMM"),
// and Conversion is a role of mappers.json with values to convert. text returns a description of
// the action for people.
type Action interface{ text() string }

type (
	// Unchanged passes the argument unchanged.
	Unchanged struct{}

	// HandleIn converts an input handle.
	HandleIn struct {
		Kind string
		// Ignorable reports whether the call may ignore the handle, so that it may be invalid.
		Ignorable bool
	}
	// HandlesIn converts an input array of handles.
	HandlesIn struct {
		Kind   string
		Length model.Length
		// Alias names another argument, or is empty. If the program passes the same array for
		// both, the runtime must get a single array too.
		Alias string
	}
	// HandleOut stores the program's handle of an object that the runtime returned.
	HandleOut struct {
		Kind string
		// Borrowed reports whether the runtime keeps the object, so that the program does not
		// free it.
		Borrowed bool
		// MayBeNone reports whether a call may succeed without an object.
		MayBeNone bool
		// Later reports whether the runtime may store the handle only when the request that the
		// call starts completes. A record of the request then has the runtime's variable.
		Later bool
	}
	// HandleInOut converts a handle in a variable of the program, there and back.
	HandleInOut struct {
		Kind string
		// Ends reports whether a successful call may end the object. Completes reports whether a
		// failed call may end it too.
		Ends, Completes bool
		// Dereferences reports whether the runtime dereferences an invalid handle. The front then
		// passes a null pointer for such a handle, which the runtime refuses.
		Dereferences bool
	}

	// RequestOut stores the program's handle of a request that the runtime returned.
	RequestOut struct {
		Persistent bool
		// Starts reports whether the call always starts an operation, so that the request is
		// never null.
		Starts bool
		// Sends reports whether the call sends. The runtime then often returns its empty request.
		Sends bool
	}
	// RequestInOut converts a request in a variable of the program, there and back.
	RequestInOut struct {
		// Completed reports whether the call completes the request. Restarted reports whether the
		// call starts a persistent request again.
		Completed, Restarted bool
		Dereferences         bool // as in HandleInOut
	}

	// ValueIn converts an input integer with special values.
	ValueIn struct {
		Conversion string
		// Negative reports whether all special values are below 0. Flips reports whether the
		// special values of the two sides differ only in the last bit.
		Negative, Flips bool
	}
	// ValuesIn converts an input array of such integers. Element is the C type of an element,
	// Length the argument with their number. Negative reports whether all special values are below
	// 0 and the elements are ints.
	ValuesIn struct {
		Conversion, Element, Length string
		Negative                    bool
	}
	// ValuesOut converts an output array of such integers. Length and Negative are the same as in
	// ValuesIn.
	ValuesOut struct {
		Conversion, Length string
		Negative           bool
	}
	// ValueOut converts such an integer in an output variable.
	ValueOut struct{ Conversion string }
	// ValueInOut converts such an integer in a variable, there and back.
	ValueInOut struct{ Conversion string }

	// AddressIn converts an input pointer with special values.
	AddressIn struct {
		Conversion string
		// Differ is the number of special values that differ between the sides.
		Differ int
		// Special is the program's special value if that is a number, or nil.
		Special *int64
	}

	// ErrorIn converts an input error code.
	ErrorIn struct{}
	// ErrorOut converts an output error code. Class reports whether it is an error class. A class
	// that the program's family lacks becomes MPI_ERR_OTHER.
	ErrorOut struct{ Class bool }

	// StatusIn converts an input status. CountOnly reports whether the call reads only its count.
	StatusIn struct{ CountOnly bool }
	// StatusInOut converts a status that the call changes, there and back.
	StatusInOut struct{}
	// StatusOut stores the program's form of a status that the runtime has filled. Filled reports
	// whether the status describes a request or an access to a file, rather than a message. Empty
	// reports whether the runtime may leave the status unchanged; the program then gets an empty
	// status. Unset reports whether the runtime may do so and the program's status is then left
	// unchanged too.
	StatusOut struct{ Filled, Empty, Unset bool }

	// TextOut truncates an output string to the program's limit. Limit is the constant that bounds
	// the string. Written is the argument with the string's length, or empty.
	TextOut struct{ Limit, Written string }

	// RequestsInOut converts an array of the program's requests.
	RequestsInOut struct {
		// Length is the argument with the number of requests.
		Length string
		// Completed and Restarted are the same as in RequestInOut, for each request of the array. If
		// both are false, the call only reads the requests.
		Completed, Restarted bool
		// Dereferences reports whether the runtime dereferences an invalid request. The front then
		// passes no array if a request is invalid, and the runtime refuses the call.
		Dereferences bool
	}
	// StatusesOut stores the program's form of an array of statuses that the runtime has filled.
	StatusesOut struct {
		// Length is the argument with the number of statuses.
		Length string
		// Valid is the argument with the number of statuses that the call sets. It is
		// Length if the call sets all of them.
		Valid string
		// Succeeds reports whether every library sets MPI_ERROR to MPI_SUCCESS in each status if
		// the call succeeds.
		Succeeds bool
	}
	// IndexOut passes the variable for the index of the request that the call completes. The
	// runtime stores MPI_UNDEFINED in it if there is none.
	IndexOut struct{}
	// NumberOut passes the variable for the number of requests that the call completes. The
	// runtime stores MPI_UNDEFINED in it if no request is active.
	NumberOut struct{}
	// IndicesOut passes the array for the indices of the requests that the call completes. Valid
	// is the argument with their number.
	IndicesOut struct{ Valid string }

	// The actions below have no printer: only hand-written functions have such arguments.

	// HandlesOut stores the program's handles of an array of objects that the runtime returned.
	HandlesOut struct {
		Kind   string
		Length model.Length
		// Borrowed reports whether the runtime keeps the objects.
		Borrowed bool
	}
	// ByHand leaves the argument to the hand-written function, because its conversion depends on
	// more than the argument itself.
	ByHand struct{ Role string }
)
