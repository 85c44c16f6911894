package assembly

import (
	"fmt"
	"slices"

	"wi4go/gen/model"
	"wi4go/gen/plan"
)

// This file decides which plans can be printed as assembly, and how each argument is
// converted: its class.

// argument is an argument with the class that determines its conversion.
type argument struct {
	plan.Argument
	// class determines the conversion.
	class argClass
	// kind is the kind of a handle, as "COMM".
	kind string
	// limit is the one value of an asOther argument that only C converts.
	limit int64
	// ignores is set if C is needed for that value only because the call ignores a handle then.
	ignores bool
}

// An argClass is the code for one action of a plan: for an argument in a register or on the stack.
type argClass int

const (
	asGiven          argClass = iota // the argument is passed on
	asHandle                         // a handle by value
	asPositive                       // an int that only C converts if it is negative
	asOther                          // a pointer that only C converts if it equals the value limit
	asStatusIn                       // the address of a status that the call reads
	asStatusOut                      // the address of a status that the call writes; not MPI_STATUS_IGNORE
	asIgnored                        // an asStatusOut argument that is MPI_STATUS_IGNORE
	asRequestOut                     // the address of a request that the call starts
	asHandleOut                      // the address of the handle of a new object
	asHandleInOut                    // the address of a handle; the call may end the object
	asRequestInOut                   // the address of a request; the call may complete it
	asTypes                          // one of two arrays of datatypes, of which the runtime gets interned copies
	asStartedRequest                 // the address of a request; the call starts it
)

// The registers of the first six arguments, as 64, 32 and 16 bits.
var (
	registers64 = []string{"%rdi", "%rsi", "%rdx", "%rcx", "%r8", "%r9"}
	registers32 = []string{"%edi", "%esi", "%edx", "%ecx", "%r8d", "%r9d"}
	registers16 = []string{"%di", "%si", "%dx", "%cx", "%r8w", "%r9w"}
)

// inRegister reports whether argument i is passed in a register.
func inRegister(i int) bool { return i < len(registers64) }

// statusRoom returns the bytes that a status of the runtime takes on the stack.
func (p *printer) statusRoom() int { return (p.R.Types["MPI_Status"].Size + 7) &^ 7 }

// Fits reports whether the plan of a function can be printed as assembly: each argument's
// action has a class, or the function completes an array of requests.
func Fits(pair *plan.Pair, of *plan.Plan) bool {
	p := &printer{pair}
	f := of.Function
	if of.Completion.Kind != plan.CompletesNone {
		return fitsCompletion(of)
	}
	if of.Hand != "" || f.Returns != "int" || len(f.Params) == 0 || of.KeepsArrays && of.Interned == nil || of.CheckComm != nil {
		return false
	}
	if of.Refusal != nil && !p.refuses(of) {
		return false
	}
	out, inPlace := 0, false
	for i, q := range of.Arguments {
		a, ok := p.classify(of, i)
		if !ok {
			return false
		}
		switch a.class {
		case asStatusIn, asStatusOut, asRequestOut, asHandleOut, asHandleInOut:
			out++
		}
		if _, ok := q.Action.(plan.AddressIn); ok {
			inPlace = true
		}
	}
	// C converts an idle handle with care, because it may not be valid. A fast path may convert
	// it if the handle is idle only in calls with MPI_IN_PLACE: those bail out before.
	return out < 2 && (!ignoresHandle(of) || inPlace && !of.Ranked)
}

// ignoresHandle reports whether some calls ignore a handle, which may then have any value.
func ignoresHandle(of *plan.Plan) bool {
	return slices.ContainsFunc(of.Arguments, func(q plan.Argument) bool {
		h, ok := q.Action.(plan.HandleIn)
		return ok && h.Ignorable
	})
}

// isRead reports whether the call reads the memory at an argument and does not write to it.
func isRead(of *plan.Plan, q plan.Argument) bool {
	return slices.ContainsFunc(of.Function.Params, func(p model.Param) bool { return p.Name == q.Name && p.Dir == "in" })
}

// classify returns argument i with the class of its action. It returns false if the action has
// no class.
func (p *printer) classify(of *plan.Plan, i int) (argument, bool) {
	q := of.Arguments[i]
	a := argument{Argument: q}
	tables := p.A.HandleBits == 32
	switch action := q.Action.(type) {
	case plan.Unchanged:
	case plan.HandleIn:
		a.class, a.kind = asHandle, action.Kind
		// A FILE is a pointer in every family. A REQUEST may be tracked by wi4go.
		return a, action.Kind != "FILE" && action.Kind != "REQUEST"
	case plan.HandlesIn:
		a.class = asTypes
		return a, of.Interned != nil && inRegister(of.Interned.Send) && !inRegister(of.Interned.Recv)
	case plan.HandleOut:
		a.class, a.kind = asHandleOut, action.Kind
		// Programs with handles of 64 bits get the handles of new objects from C.
		return a, tables && inRegister(i) && of.FlagIndex < 0 && !action.Borrowed && !action.MayBeNone
	case plan.HandleInOut:
		a.class, a.kind = asHandleInOut, action.Kind
		return a, tables && inRegister(i) && !action.Completes && action.Kind != "FILE" && action.Kind != "REQUEST"
	case plan.RequestOut:
		a.class, a.kind = asRequestOut, "REQUEST"
		return a, !action.Persistent
	case plan.RequestInOut:
		a.class, a.kind = asRequestInOut, "REQUEST"
		if action.Restarted {
			a.class = asStartedRequest
			return a, inRegister(i) && (tables || p.inPlace())
		}
		return a, action.Completed && inRegister(i)
	case plan.ValueIn:
		a.class = asPositive
		return a, action.Negative
	case plan.AddressIn:
		if action.Differ > 0 {
			a.class = asOther
			if action.Special != nil {
				a.limit = *action.Special
			}
		} else if action.Conversion == "BUFFER_OR_IN_PLACE" && ignoresHandle(of) && isRead(of, q) {
			// The address needs no conversion, but a call with MPI_IN_PLACE must bail out, because it
			// ignores sendtype. Without a root, only the buffer for sending may be MPI_IN_PLACE.
			a.class, a.limit, a.ignores = asOther, p.A.Pointers["MPI_IN_PLACE"].Value, true
		}
		return a, action.Differ == 0 || action.Differ == 1 && action.Special != nil
	case plan.StatusIn:
		a.class = asStatusIn
		return a, inRegister(i)
	case plan.StatusOut:
		a.class = asStatusOut
	default:
		return a, false
	}
	return a, true
}

// refuses reports whether a fast path can bail out for the handle that the plan refuses: before
// it changes another argument, and only if the handle is passed by value.
func (p *printer) refuses(of *plan.Plan) bool {
	r := of.Refusal
	if r.Pointer || p.A.HandleBits == 32 || !inRegister(r.Argument) {
		return !r.Pointer
	}
	handles := 0
	for _, q := range of.Arguments {
		switch q.Action.(type) {
		case plan.HandleIn, plan.HandlesIn, plan.HandleOut, plan.HandleInOut, plan.RequestOut, plan.RequestInOut:
			handles++
		}
	}
	return handles == 1
}

// inPlace reports whether the runtime can use the program's request variable as its own: the
// variable holds the runtime's handle, at least in its lower half. (Removing a tag for the time
// of the call would be wrong: another thread may cancel the request.)
func (p *printer) inPlace() bool {
	return p.A.HandleBits == 64 && (model.HandlesAreNumbers(p.A) || p.R.HandleBits == 32)
}

// ends reports whether the call may end the object of an asHandleInOut argument.
func (a *argument) ends() bool { return a.Action.(plan.HandleInOut).Ends }

// null returns the runtime's null handle of that name as an operand.
func (p *printer) null(name string) string {
	if h := p.R.Handles[name]; h.Symbol == "" {
		return fmt.Sprintf("$%#x", *h.Value)
	}
	return fmt.Sprintf("PAIR(R_%s)(%%rip)", name)
}

// ignored returns the runtime's MPI_STATUS_IGNORE as an operand.
func (p *printer) ignored() string {
	return fmt.Sprintf("$%d", p.R.Pointers["MPI_STATUS_IGNORE"].Value)
}
