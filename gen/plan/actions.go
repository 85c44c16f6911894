package plan

import "wi4go/gen/model"

// An Action is what is done with one argument. In all of them Kind is a kind of handle
// ("COMM"), and Conversion a role of mappers.json, whose values are converted.
type Action interface{ text() string }

type (
	// AsItIs passes the argument on.
	AsItIs struct{}

	// HandleIn converts a handle. An idle one may mean nothing in the call.
	HandleIn struct {
		Kind string
		Idle bool
	}
	// HandlesIn converts an array of handles. If the program gives one array for this
	// argument and for Alias, the runtime gets one array as well.
	HandlesIn struct {
		Kind   string
		Length model.Length
		Alias  string
	}
	// HandleOut gives the program its handle of an object.
	HandleOut struct {
		Kind string
		// Borrowed reports whether the runtime keeps the object: the program does not free it.
		Borrowed bool
		// MayBeNone reports whether a call may succeed without an object.
		MayBeNone bool
		// Later reports whether the object may come out with the completion of the
		// request that the call starts.
		Later bool
	}
	// HandleAt converts a handle in a variable of the program's.
	HandleAt struct {
		Kind string
		// Ends reports whether a successful call may end the object, Completes whether a
		// failed one may as well.
		Ends, Completes bool
		// Follows reports whether the runtime follows a handle that is no object. It
		// refuses a null pointer, which it is given then.
		Follows bool
	}

	// RequestOut gives the program its handle of a request.
	RequestOut struct {
		Persistent bool
		// Starts reports whether the call always starts an operation: the request is not null.
		Starts bool
		// Sends reports whether the call sends: the runtime often gives its empty request.
		Sends bool
	}
	// RequestAt converts a request in a variable of the program's.
	RequestAt struct {
		// Completed and Restarted report whether the call completes or restarts it.
		Completed, Restarted bool
		Follows              bool
	}

	// ValueIn converts an integer with special values. Negative reports whether all of
	// them are below 0, Flips whether the two sides differ in their last bit alone.
	ValueIn struct {
		Conversion      string
		Negative, Flips bool
	}
	// ValuesIn and ValuesOut convert arrays of those.
	ValuesIn  struct{ Conversion, Element, Length string }
	ValuesOut struct{ Conversion, Length string }
	// ValueOut and ValueAt convert one in a variable.
	ValueOut struct{ Conversion string }
	ValueAt  struct{ Conversion string }

	// AddressIn converts a pointer with special values: so many of them differ,
	// and Special is the program's where it is a number.
	AddressIn struct {
		Conversion string
		Differ     int
		Special    *int64
	}

	// ErrorIn and ErrorOut convert an error code.
	ErrorIn struct{}
	// ErrorOut: Class, of an error class, which is MPI_ERR_OTHER when the program's family lacks it.
	ErrorOut struct{ Class bool }

	// StatusIn converts a status; CountOnly: of which the call reads the count alone.
	StatusIn struct{ CountOnly bool }
	// StatusAt converts one that the call changes.
	StatusAt struct{}
	// StatusOut gives the program a status, which the runtime fills: of a message,
	// or of a request or of access to a file (Filled), which may leave it alone (Empty).
	StatusOut struct{ Filled, Empty bool }

	// TextOut cuts a string to the program's limit. Written is the argument with
	// its length, or empty.
	TextOut struct{ Limit, Written string }

	// The actions below have no printer: the functions that have them are written by hand.

	// HandlesOut gives the program its handles of the objects in an array.
	HandlesOut struct {
		Kind   string
		Length model.Length
		// Borrowed reports whether the runtime keeps the objects.
		Borrowed bool
	}
	// RequestsAt converts an array of the program's requests, in place.
	RequestsAt struct {
		// Length is the argument with the number of requests.
		Length string
		// Completed and Restarted are as in RequestAt, for each request of the array.
		Completed, Restarted bool
		// Follows reports whether the runtime follows a request that is no object. It is
		// given no array then, which it refuses.
		Follows bool
	}
	// StatusesOut gives the program an array of statuses.
	StatusesOut struct {
		// Length is the argument with the number of statuses.
		Length string
		// Valid is the argument with the number of statuses that the call sets. It is
		// Length if the call sets all of them.
		Valid string
	}
	// ByHand leaves the argument to the hand-written function; its conversion depends on
	// more than the argument.
	ByHand struct{ Role string }
)
