// Package plan decides from the tables what becomes of each argument of a function: in
// programs of one family over libraries of another (Pair), in a front that serves the
// function itself (Checks, LargeCountOf, Persist), and in Fortran (ProcedureOf, Dummies). The
// printers of C, assembly and Fortran look at the plans and never at roles.
//
// It must not know how a plan is printed, but as text.
package plan

import (
	"fmt"
	"slices"

	"wi4go/abi"
	"wi4go/gen/model"
	"wi4go/mappers"
)

// A Plan describes what a pair does with the calls of one function. It is made from the
// tables once; what prints C or assembly looks at nothing else.
type Plan struct {
	// Function has the name, the C types and the chapter, for declarations and
	// comments.
	Function *model.Function
	// Hand is the header of package mappers that has the translation. It is empty
	// if the translation is printed from this plan.
	Hand string
	// Alone reports whether the translation works without the runtime's function.
	Alone bool
	// Arguments are in the function's order. A function that works alone has none: it
	// gives nothing to the runtime.
	Arguments []Argument
	// Refusal is the check of a handle before the runtime's function is called, or nil.
	Refusal *Refusal
	// Lacked are the checks for constants that the runtime's family does not have.
	Lacked []Lacked
	// Keeps reports whether converted arrays live as long as the request that comes out.
	Keeps bool
	// CheckComm names the communicator that is checked first, because the runtime's own
	// persistent collectives do not check it; nil: none.
	CheckComm *CheckComm
	// Ranked reports whether an argument is the rank of a root, a target or a peer.
	Ranked bool
	// Null names a request that is completed without the runtime if it is null, and its
	// status; nil: none.
	Null *NullRequest
	// Tells is the index of the output flag that must be true for the other outputs to be
	// valid, or -1.
	Tells int
	// Completes describes how an array of requests is completed.
	Completes Completion
	// Assembly reports whether the pair has the function in assembly on x86-64. The printer
	// clears it if an action has no form there.
	Assembly bool
}

// An Argument is one argument and what is done with it.
type Argument struct {
	Name   string
	Action Action
	// Any is the wildcard that a receive may be given here, empty otherwise.
	Any Wildcard
	// Fortran is what its address is to a frequent procedure of Fortran.
	Fortran Reference
}

// A Wildcard is a constant for any value, on both sides.
type Wildcard struct {
	Name     string
	From, To int64
}

// NullRequest names the arguments of a call that completes one request.
type NullRequest struct{ Request, Status int }

// CheckComm names the communicator of a call, and the request that comes out.
type CheckComm struct{ Comm, Request string }

// A Refusal is the check of a handle that the runtime's libraries do not look at.
type Refusal struct {
	// Argument is the handle's position, Kind its kind.
	Argument int
	Kind     string
	// Class is the error class: "MPI_ERR_COMM".
	Class string
	// Raised is what wi4go_raise asks for the error handler.
	Raised string
	// Pointer reports whether the argument is the address of a handle, which may be null.
	Pointer bool
	// NullIsFine reports whether the program may give the null handle itself.
	NullIsFine bool
	// Root is the argument with the only rank at which the handle counts, or empty. Comm
	// is the communicator of the rank.
	Root, Comm string
	// NoObject reports whether a handle of no object is refused, and the null handle is not.
	NoObject bool
}

// Lacked is the check of an argument for constants that the runtime's family lacks, with
// which the call is refused.
type Lacked struct {
	// Argument is the argument's position, Values are the program's constants.
	Argument int
	Values   []int64
	// Class is the error class, Raised what wi4go_raise asks for the error handler.
	Class, Raised string
}

// A Pair is programs of the family A over libraries of the family R.
type Pair struct {
	In   *model.Input
	A, R *abi.Family
}

// Mapping maps the program's constants of a role to the runtime's.
func (p *Pair) Mapping(role mappers.Role) *model.Mapping {
	a, r := model.SelectConstants(p.A, role.Constants), model.SelectConstants(p.R, role.Constants)
	return model.Biject(a, r).With(model.Instead(role.ToRuntime, a, r))
}

// Back maps the runtime's constants of a role to the program's.
func (p *Pair) Back(role mappers.Role) *model.Mapping {
	a, r := model.SelectConstants(p.A, role.Constants), model.SelectConstants(p.R, role.Constants)
	return model.Biject(a, r).Inverse().With(model.Instead(role.ToProgram, r, a))
}

// lacked is the check for constants of a parameter that the runtime's family lacks; nil when there are none.
func (p *Pair) lacked(i int, f *model.Function) *Lacked {
	q := &f.Params[i]
	role := p.In.Mappers.Roles[q.Role]
	if role.Convert != mappers.Value || q.IsPointer() {
		return nil
	}
	l := &Lacked{Argument: i, Raised: f.RaisedBy()}
	for name, v := range model.Lacking(model.SelectConstants(p.A, role.Constants), model.SelectConstants(p.R, role.Constants)) {
		if class, ok := mappers.Named(role.ToRuntime, name); ok && mappers.IsError(class) && !slices.Contains(l.Values, v) {
			l.Values, l.Class = append(l.Values, v), class
		}
	}
	if l.Values == nil {
		return nil
	}
	slices.Sort(l.Values)
	return l
}

// Of makes the plan of a function that the pair translates.
func (p *Pair) Of(f *model.Function) (*Plan, error) {
	plan := &Plan{Function: f, Hand: f.Hand, Alone: f.Alone, Tells: f.Tells(), Assembly: f.Assembly}
	if f.Hand != "" {
		p.byHand(plan)
		return plan, nil
	}
	plan.Keeps, plan.Ranked = keeps(f), f.Has("RANK", "in") != nil
	var err error
	if plan.CheckComm, err = p.checkComm(f); err != nil {
		return nil, err
	}
	if plan.Refusal, err = p.refusal(f); err != nil {
		return nil, err
	}
	for i := range f.Params {
		q := &f.Params[i]
		action, err := p.action(f, q)
		if err != nil {
			return nil, fmt.Errorf("parameter %s: %w", q.Name, err)
		}
		if at, ok := action.(RequestAt); ok && at.Completed && f.Has("STATUS", "out") != nil {
			plan.Null = &NullRequest{i, slices.IndexFunc(f.Params, func(q model.Param) bool { return q.Role == "STATUS" && q.Dir == "out" })}
		}
		if l := p.lacked(i, f); l != nil {
			plan.Lacked, plan.Assembly = append(plan.Lacked, *l), false
		}
		plan.Arguments = append(plan.Arguments, p.argument(f, i, action))
	}
	return plan, nil
}

// argument returns argument i with its action.
func (p *Pair) argument(f *model.Function, i int, action Action) Argument {
	a := Argument{Name: f.Params[i].Name, Action: action, Any: p.wildcard(&f.Params[i])}
	if q, err := fortranArgument(f, i, p.In.Mappers); err == nil { // else the procedure is written by hand
		a.Fortran = q.reference()
	}
	return a
}

// action is what is done with a parameter.
func (p *Pair) action(f *model.Function, q *model.Param) (Action, error) {
	role := p.In.Mappers.Roles[q.Role]
	switch role.Convert {
	case mappers.None:
		return AsItIs{}, nil
	case mappers.Handle:
		return p.handle(f, q)
	case mappers.Value, mappers.Bits:
		return p.value(q, role)
	case mappers.Address:
		if q.Dir != "in" && q.Element() != "void" && q.IsPointer() && q.Role != "WEIGHT" {
			return AsItIs{}, nil
		}
		return p.address(q, role), nil
	case mappers.Error:
		if q.IsPointer() {
			return ErrorOut{q.Role == "ERROR_CLASS"}, nil
		}
		return ErrorIn{}, nil
	case mappers.Status:
		return p.status(f, q)
	case mappers.String:
		if q.Dir != "out" || q.Limit == "" || p.R.Constants[q.Limit] <= p.A.Constants[q.Limit] {
			return AsItIs{}, nil
		}
		text := TextOut{Limit: q.Limit}
		if l := f.Has("LENGTH", "out"); l != nil {
			text.Written = l.Name
		}
		return text, nil
	}
	return nil, fmt.Errorf("role %s is converted by hand only, and its function has no header for that (hand)", q.Role)
}

func (p *Pair) handle(f *model.Function, q *model.Param) (Action, error) {
	request := q.Role == "REQUEST"
	follows := p.follows(q)
	switch {
	case !q.IsPointer():
		return HandleIn{q.Role, q.Idle && p.readsHandles()}, nil
	case q.Length != model.Length{}:
		if q.Dir != "in" {
			return nil, fmt.Errorf("an array of handles that goes out is converted by hand only")
		}
		if q.Length.Size == "" && q.Length.Param == "" {
			return nil, fmt.Errorf("an array of handles without a length")
		}
		return HandlesIn{q.Role, q.Length, q.Alias}, nil
	case q.Dir == "out" && request:
		started := f.Chapter == "point-to-point"
		return RequestOut{
			Persistent: q.Lifetime == "create-persistent",
			Starts:     started,
			Sends:      started && slices.ContainsFunc(f.Params, func(p model.Param) bool { return p.Role == "BUFFER" && p.Dir == "in" }),
		}, nil
	case q.Dir == "out":
		return HandleOut{Kind: q.Role, Borrowed: q.Lifetime == "borrow", MayBeNone: q.Role == "FILE", Later: f.Has("REQUEST", "out") != nil}, nil
	case request && q.Lifetime != "free":
		return RequestAt{Completed: q.Lifetime == "complete", Restarted: q.Lifetime == "restart", Follows: follows}, nil
	}
	return HandleAt{Kind: q.Role, Ends: q.Lifetime == "free", Completes: q.Lifetime == "complete", Follows: follows}, nil
}

// follows reports whether the runtime follows a handle in a variable that is no object.
func (p *Pair) follows(q *model.Param) bool {
	return q.Dir == "inout" && slices.Contains(p.R.Traits.FollowsNoObject, q.Role)
}

func (p *Pair) value(q *model.Param, role mappers.Role) (Action, error) {
	m := p.Mapping(role)
	switch {
	case m.IsIdentity() && p.Back(role).IsIdentity():
		return AsItIs{}, nil
	case !q.IsPointer():
		return ValueIn{q.Role, q.Type == "int" && role.Convert == mappers.Value && !m.IsIdentity() && m.From[len(m.From)-1] < 0, m.Flips()}, nil
	case q.Length.Param != "" && q.Dir == "out":
		return ValuesOut{q.Role, q.Length.Param}, nil
	case q.Length.Param != "":
		return ValuesIn{q.Role, q.Element(), q.Length.Param}, nil
	case q.Dir == "in":
		return nil, fmt.Errorf("an array of role %s has no length", q.Role)
	case q.Dir == "inout":
		return ValueAt{q.Role}, nil
	}
	return ValueOut{q.Role}, nil
}

func (p *Pair) address(q *model.Param, role mappers.Role) AddressIn {
	a := AddressIn{Conversion: q.Role}
	for _, c := range role.Constants {
		one, onA := p.A.Pointers[c]
		other, onR := p.R.Pointers[c]
		if !onA || !onR || one == other && one.Symbol == "" {
			continue
		}
		a.Differ++
		if one.Symbol == "" {
			a.Special = &one.Value
		}
	}
	return a
}

func (p *Pair) status(f *model.Function, q *model.Param) (Action, error) {
	switch {
	case q.Length != model.Length{}:
		return nil, fmt.Errorf("an array of statuses is converted by hand only")
	case q.Dir == "in":
		return StatusIn{slices.ContainsFunc(f.Params, func(p model.Param) bool { return p.Dir == "out" && p.Role == "COUNT" })}, nil
	case q.Dir == "inout":
		return StatusAt{}, nil
	}
	file := f.Has("FILE", "in") != nil
	return StatusOut{Filled: file || f.Has("REQUEST", "inout") != nil || f.Has("REQUEST", "in") != nil, Empty: file}, nil
}

// wildcard is what a receive may be given for a parameter.
func (p *Pair) wildcard(q *model.Param) Wildcard {
	if q.Any == "" {
		return Wildcard{}
	}
	return Wildcard{q.Any, p.A.Constants[q.Any], p.R.Constants[q.Any]}
}

// readsHandles reports whether the front's handles are addresses which it reads.
func (p *Pair) readsHandles() bool { return p.A.HandleBits == 64 && len(p.A.DataSymbols) > 0 }

// refusal is that of the handle which the runtime's libraries do not look at.
func (p *Pair) refusal(f *model.Function) (*Refusal, error) {
	i := slices.IndexFunc(f.Params, func(q model.Param) bool { return slices.Contains(q.Unchecked, p.R.Family) })
	if i < 0 {
		return nil, nil
	}
	q := &f.Params[i]
	r := &Refusal{Argument: i, Kind: q.Role, Class: "MPI_ERR_" + q.Role, Raised: f.RaisedBy()}
	switch q.Role {
	case "COMM":
		r.Raised = "WI4GO_NO_OBJECT, 0"
	case "DATATYPE":
		r.Class, r.NullIsFine, r.Root = "MPI_ERR_TYPE", true, f.Params[i-1].Significant.Root // as its count
		if r.Root != "" {
			var err error
			if r.Comm, err = named(f, "COMM", "in"); err != nil {
				return nil, err
			}
		}
	case "GROUP":
		r.NullIsFine = true
	case "INFO":
		r.NoObject = true // the null handle is as good as any
	case "MESSAGE":
		r.Class, r.Pointer = "MPI_ERR_REQUEST", true
	}
	return r, nil
}

// checkComm returns the arguments of a persistent collective operation of the runtime that
// checks no communicator; nil for any other.
func (p *Pair) checkComm(f *model.Function) (*CheckComm, error) {
	if !p.R.Traits.PersistentUnchecked || f.Starts == "" {
		return nil, nil
	}
	comm, err := named(f, "COMM", "in")
	if err != nil {
		return nil, err
	}
	request, err := named(f, "REQUEST", "out")
	return &CheckComm{comm, request}, err
}

// named returns the name of a function's first parameter of a role and a direction.
func named(f *model.Function, role, dir string) (string, error) {
	if q := f.Has(role, dir); q != nil {
		return q.Name, nil
	}
	return "", fmt.Errorf("it has no parameter of role %s that goes %s", role, dir)
}

// keeps reports whether a call's converted arrays must live as long as its request.
func keeps(f *model.Function) bool {
	types := func(q model.Param) bool { return q.Role == "DATATYPE" && q.Length.Size != "" }
	return f.Has("REQUEST", "out") != nil && slices.ContainsFunc(f.Params, types)
}
