package assembly

import (
	"fmt"

	"wi4go/gen/model"
	"wi4go/gen/plan"
)

// What of a plan has a form in assembly, and which.

// argument is how the fast path treats one argument.
type argument struct {
	plan.Argument
	as    form
	kind  string // of a handle
	limit int64  // of asOther: the one value that C has to convert
}

// A form is what an action of the plan comes to in a register or on the stack.
type form int

const (
	asItIs     form = iota
	asHandle        // in
	asPositive      // an int that only C converts when it is negative
	asOther         // a pointer that only C converts when it has one certain value
	asStatusIn
	asStatusOut // not STATUS_IGNORE
	asIgnored   // that
	asRequestOut
	asHandleOut // of a new object
	asHandleAt  // in a variable; the object may end
	asRequestAt // in a variable; the request may be completed
	asStartedAt // in a variable; the request is started
)

var (
	registers64 = []string{"%rdi", "%rsi", "%rdx", "%rcx", "%r8", "%r9"}
	registers32 = []string{"%edi", "%esi", "%edx", "%ecx", "%r8d", "%r9d"}
	registers16 = []string{"%di", "%si", "%dx", "%cx", "%r8w", "%r9w"}
)

func inRegister(i int) bool { return i < len(registers64) }

// statusRoom is what a status of the runtime takes on the stack.
func (p *printer) statusRoom() int { return (p.R.Types["MPI_Status"].Size + 7) &^ 7 }

// Fits reports whether the plan of a function can be printed as assembly: the arguments'
// actions have forms, or it is a completion.
func Fits(pair *plan.Pair, of *plan.Plan) bool {
	p := &printer{pair}
	f := of.Function
	if of.Hand != "" {
		return fitsCompletion(of)
	}
	if f.Returns != "int" || len(f.Params) == 0 || of.Keeps || of.CheckComm != nil {
		return false
	}
	if of.Refusal != nil && !p.refuses(of) {
		return false
	}
	out, idle := 0, 0
	inPlace := false
	for i, q := range of.Arguments {
		a, ok := p.form(of, i)
		if !ok {
			return false
		}
		switch a.as {
		case asStatusIn, asStatusOut, asRequestOut, asHandleOut, asHandleAt:
			out++
		}
		if h, ok := q.Action.(plan.HandleIn); ok && h.Idle {
			idle++
		}
		if _, ok := q.Action.(plan.AddressIn); ok {
			inPlace = true
		}
	}
	// What may be idle is converted with care, unless that is for a buffer in place.
	return out < 2 && (idle == 0 || inPlace && !of.Ranked)
}

// form is what the action of argument i comes to; false: it has no form.
func (p *printer) form(of *plan.Plan, i int) (argument, bool) {
	q := of.Arguments[i]
	a := argument{Argument: q}
	tables := p.A.HandleBits == 32
	switch action := q.Action.(type) {
	case plan.AsItIs:
	case plan.HandleIn:
		a.as, a.kind = asHandle, action.Kind
		// A pointer on both sides; perhaps a record of ours.
		return a, action.Kind != "FILE" && action.Kind != "REQUEST"
	case plan.HandleOut:
		a.as, a.kind = asHandleOut, action.Kind
		return a, tables && inRegister(i) && of.Tells < 0 && !action.Borrowed && !action.MayBeNone
	case plan.HandleAt:
		a.as, a.kind = asHandleAt, action.Kind
		return a, tables && inRegister(i) && !action.Completes && action.Kind != "FILE" && action.Kind != "REQUEST"
	case plan.RequestOut:
		a.as, a.kind = asRequestOut, "REQUEST"
		return a, !action.Persistent
	case plan.RequestAt:
		a.as, a.kind = asRequestAt, "REQUEST"
		if action.Restarted {
			a.as = asStartedAt
			return a, inRegister(i) && (tables || p.inPlace())
		}
		return a, action.Completed && inRegister(i)
	case plan.ValueIn:
		a.as = asPositive
		return a, action.Negative
	case plan.AddressIn:
		if action.Differ > 0 {
			a.as = asOther
			if action.Special != nil {
				a.limit = *action.Special
			}
		}
		return a, action.Differ == 0 || action.Differ == 1 && action.Special != nil
	case plan.StatusIn:
		a.as = asStatusIn
		return a, inRegister(i)
	case plan.StatusOut:
		a.as = asStatusOut
	default:
		return a, false
	}
	return a, true
}

// refuses says that a fast path can leave the call to C where the handle is of no
// object: before it has changed another argument, and not where a variable has it.
func (p *printer) refuses(of *plan.Plan) bool {
	r := of.Refusal
	if r.Pointer || p.A.HandleBits == 32 || !inRegister(r.Argument) {
		return !r.Pointer
	}
	handles := 0
	for _, q := range of.Arguments {
		switch q.Action.(type) {
		case plan.HandleIn, plan.HandlesIn, plan.HandleOut, plan.HandleAt, plan.RequestOut, plan.RequestAt:
			handles++
		}
	}
	return handles == 1
}

// inPlace says that the program's variable of a request serves the runtime as its
// own: it has the runtime's handle, in the lower half of it at least. (To take a tag
// away meanwhile will not do: another thread may cancel the request.)
func (p *printer) inPlace() bool {
	return p.A.HandleBits == 64 && (model.HandlesAreNumbers(p.A) || p.R.HandleBits == 32)
}

// ends says that the object of a handle in a variable may end.
func (a *argument) ends() bool { return a.Action.(plan.HandleAt).Ends }

// null is the runtime's null handle as an operand.
func (p *printer) null(name string) string {
	if h := p.R.Handles[name]; h.Symbol == "" {
		return fmt.Sprintf("$%#x", *h.Value)
	}
	return fmt.Sprintf("PAIR(R_%s)(%%rip)", name)
}

// ignored is the runtime's STATUS_IGNORE as an operand.
func (p *printer) ignored() string {
	return fmt.Sprintf("$%d", p.R.Pointers["MPI_STATUS_IGNORE"].Value)
}
