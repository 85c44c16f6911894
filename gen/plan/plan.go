// Package plan decides from the tables how each argument of a function is converted and checked: in
// a pair (Pair), in a front that serves the function without the runtime's (NullChecks,
// LargeCountOf, Persist), in the embedded MPI (EntryOf, LibraryChecks), and in Fortran (ProcedureOf,
// Dummies). The printers of C, assembly and Fortran read the plans and never the roles.
//
// It must not know how a plan is printed, except as text for people.
package plan

import (
	"fmt"
	"slices"

	"wi4go/abi"
	"wi4go/gen/model"
	"wi4go/mappers"
)

// A Plan describes how a pair translates the calls of one function. It is made from the tables
// once, and the printers of C and assembly use nothing else.
type Plan struct {
	// Function has the name, the C types and the chapter, for declarations and comments.
	Function *model.Function
	// Hand is the header of package mappers with a hand-written translation. It is empty if the
	// translation is printed from this plan.
	Hand string
	// Alone reports whether the translation works without the runtime's function.
	Alone bool
	// Arguments are in the function's order. A function that works alone has none, because it
	// passes nothing to the runtime.
	Arguments []Argument
	// Refusal is the check of a handle before the runtime's function is called, or nil.
	Refusal *Refusal
	// MissingConstants are the checks for constants that the runtime's family does not have.
	MissingConstants []MissingConstants
	// KeepsArrays reports whether converted arrays must live as long as the request that the call
	// returns, or its record has the runtime's variable of a handle that comes later.
	KeepsArrays bool
	// Interned has the arrays of datatypes of which the runtime gets interned copies, or nil.
	Interned *Interned
	// CheckComm is the check of a communicator that the front makes because the runtime's
	// persistent collectives do not, or nil.
	CheckComm *CheckComm
	// Ranked reports whether an argument is the rank of a root, a target or a peer.
	Ranked bool
	// Null names the request that the front completes without the runtime if it is null, and its
	// status. It is nil for calls without such a request.
	Null *NullRequest
	// FlagIndex is the index of the output flag that must be true for the other outputs to be
	// valid, or -1.
	FlagIndex int
	// Completion describes how the function completes an array of requests.
	Completion Completion
	// Assembly reports whether the pair has the function in assembly on x86-64. The printer
	// clears it if an action has no form in assembly.
	Assembly bool
}

// An Argument is one argument of a plan.
type Argument struct {
	Name   string
	Action Action // its conversion
	// Wildcard is the wildcard that a receive may pass here, otherwise empty.
	Wildcard Wildcard
	// Fortran is the use that a direct procedure of Fortran makes of the argument's address.
	Fortran Reference
}

// A Wildcard is a constant that matches any value, such as MPI_ANY_TAG.
type Wildcard struct {
	Name     string
	From, To int64 // the program's value and the runtime's
}

// NullRequest has the positions of the request and of the status in a call that completes one
// request.
type NullRequest struct{ Request, Status int }

// Interned has the positions of the arrays of datatypes for sending and for receiving, whose lengths
// depend on a communicator. With is the constant for the other processes, INTERNED_PEERS or
// INTERNED_NEIGHBORS, or INTERNED_ONCE for a persistent request (mappers/layout.h).
type Interned struct {
	Send, Recv int
	With       string
}

// CheckComm has the names of a call's communicator and of its output request.
type CheckComm struct{ Comm, Request string }

// A Refusal is the check of a handle that the runtime's libraries do not check.
type Refusal struct {
	// Argument is the position of the handle.
	Argument int
	// Kind is the kind of the handle: "COMM".
	Kind string
	// Class is the error class: "MPI_ERR_COMM".
	Class string
	// Raised is the first two arguments of wi4go_raise: the object whose error handler is called.
	Raised string
	// Pointer reports whether the argument is the address of a handle, which may be null.
	Pointer bool
	// NullAllowed reports whether the program may pass the null handle.
	NullAllowed bool
	// Root is the argument with the only rank at which the handle is significant, or empty. Comm
	// is the communicator of that rank.
	Root, Comm string
	// NoObject reports whether the check refuses only handles of no object, but not the null
	// handle.
	NoObject bool
}

// MissingConstants is the check of an argument for constants that the runtime's family does not
// have. The front refuses a call with such a constant.
type MissingConstants struct {
	// Argument is the position of the argument.
	Argument int
	// Values are the program's values of these constants.
	Values []int64
	// Class is the error class. Raised is the first two arguments of wi4go_raise: the object whose
	// error handler is called.
	Class, Raised string
}

// A Pair has the two families of a pair: the program's, A, and the runtime's, R.
type Pair struct {
	In   *model.Input
	A, R *abi.Family
}

// ToRuntime returns the mapping from the program's constants of a role to the runtime's.
func (p *Pair) ToRuntime(role mappers.Role) *model.Mapping {
	a, r := model.SelectConstants(p.A, role.Constants), model.SelectConstants(p.R, role.Constants)
	return model.Biject(a, r).With(model.Substitutes(role.ToRuntime, a, r))
}

// ToProgram returns the mapping from the runtime's constants of a role to the program's.
func (p *Pair) ToProgram(role mappers.Role) *model.Mapping {
	a, r := model.SelectConstants(p.A, role.Constants), model.SelectConstants(p.R, role.Constants)
	return model.Biject(a, r).Inverse().With(model.Substitutes(role.ToProgram, r, a))
}

// missingConstants returns the check of parameter i for constants that the runtime's family lacks,
// or nil if it lacks none.
func (p *Pair) missingConstants(i int, f *model.Function) *MissingConstants {
	q := &f.Params[i]
	role := p.In.Mappers.Roles[q.Role]
	if role.Convert != mappers.Value || q.IsPointer() {
		return nil
	}
	l := &MissingConstants{Argument: i, Raised: f.RaisedBy()}
	for name, v := range model.Missing(model.SelectConstants(p.A, role.Constants), model.SelectConstants(p.R, role.Constants)) {
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

// Of returns the plan of a function that the pair translates. It returns an error for an argument
// that only a hand-written function can convert.
func (p *Pair) Of(f *model.Function) (*Plan, error) {
	plan := &Plan{Function: f, Hand: f.Hand, Alone: f.Alone, FlagIndex: f.FlagIndex(), Assembly: f.Assembly}
	if f.Hand != "" {
		p.byHand(plan)
		return plan, nil
	}
	plan.KeepsArrays, plan.Ranked = keepsArrays(f), f.Has("RANK", "in") != nil
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
		if at, ok := action.(RequestInOut); ok && at.Completed && f.Has("STATUS", "out") != nil {
			plan.Null = &NullRequest{i, slices.IndexFunc(f.Params, func(q model.Param) bool { return q.Role == "STATUS" && q.Dir == "out" })}
		}
		if l := p.missingConstants(i, f); l != nil {
			plan.MissingConstants, plan.Assembly = append(plan.MissingConstants, *l), false
		}
		plan.Arguments = append(plan.Arguments, p.argument(f, i, action))
	}
	plan.Completion, plan.Interned = completion(plan.Arguments), interned(plan.Arguments)
	return plan, nil
}

// interned returns the two arrays of datatypes whose lengths depend on a communicator, or nil if
// there are none.
func interned(arguments []Argument) *Interned {
	var at []int
	for i, q := range arguments {
		if a, ok := q.Action.(HandlesIn); ok && a.Kind == "DATATYPE" && a.Length.Size != "" {
			at = append(at, i)
		}
	}
	if len(at) != 2 {
		return nil
	}
	with := "INTERNED_NEIGHBORS"
	if arguments[at[0]].Action.(HandlesIn).Length.Size == "peers" {
		with = "INTERNED_PEERS"
	}
	if slices.ContainsFunc(arguments, func(q Argument) bool { r, ok := q.Action.(RequestOut); return ok && r.Persistent }) {
		with = "INTERNED_ONCE"
	}
	return &Interned{at[0], at[1], with}
}

// argument returns argument i with the given action.
func (p *Pair) argument(f *model.Function, i int, action Action) Argument {
	a := Argument{Name: f.Params[i].Name, Action: action, Wildcard: p.wildcard(&f.Params[i])}
	if q, err := fortranArgument(f, i, p.In.Mappers); err == nil { // else the procedure is written by hand
		a.Fortran = q.reference()
	}
	return a
}

// action returns the action for a parameter, or an error if only hand-written code can convert it.
func (p *Pair) action(f *model.Function, q *model.Param) (Action, error) {
	role := p.In.Mappers.Roles[q.Role]
	switch role.Convert {
	case mappers.None:
		return result(f, q), nil
	case mappers.Handle:
		return p.handle(f, q)
	case mappers.Value, mappers.Bits:
		action, err := p.value(q, role)
		if action == Action(Unchanged{}) {
			action = result(f, q)
		}
		return action, err
	case mappers.Address:
		if q.Dir != "in" && q.Element() != "void" && q.IsPointer() && q.Role != "WEIGHT" {
			return Unchanged{}, nil
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
			return Unchanged{}, nil
		}
		text := TextOut{Limit: q.Limit}
		if l := f.Has("LENGTH", "out"); l != nil {
			text.Written = l.Name
		}
		return text, nil
	}
	return nil, fmt.Errorf("role %s is converted only by hand: name the function's header in \"hand\"", q.Role)
}

// handle returns the action for a handle or an array of handles.
func (p *Pair) handle(f *model.Function, q *model.Param) (Action, error) {
	request := q.Role == "REQUEST"
	dereferences := p.dereferences(q)
	switch {
	case !q.IsPointer():
		return HandleIn{q.Role, (q.Idle || q.Significant.Root != "") && p.readsHandles()}, nil
	case request && q.Length != model.Length{}:
		return RequestsInOut{Length: q.Length.Param, Completed: q.Lifetime == "complete", Restarted: q.Lifetime == "restart", Dereferences: dereferences}, nil
	case q.Length != model.Length{}:
		if q.Dir != "in" {
			return nil, fmt.Errorf("an output array of handles is converted only by hand: name the function's header in \"hand\"")
		}
		if q.Length.Size == "" && q.Length.Param == "" {
			return nil, fmt.Errorf("the array of handles needs a length")
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
		return RequestInOut{Completed: q.Lifetime == "complete", Restarted: q.Lifetime == "restart", Dereferences: dereferences}, nil
	}
	return HandleInOut{Kind: q.Role, Ends: q.Lifetime == "free", Completes: q.Lifetime == "complete", Dereferences: dereferences}, nil
}

// dereferences reports whether the runtime dereferences a handle in a variable even if it is invalid.
func (p *Pair) dereferences(q *model.Param) bool {
	return q.Dir == "inout" && slices.Contains(p.R.Traits.DereferencesInvalid, q.Role)
}

// value returns the action for an integer, or an array of integers, with special values.
func (p *Pair) value(q *model.Param, role mappers.Role) (Action, error) {
	m, back := p.ToRuntime(role), p.ToProgram(role)
	// negative reports whether all values that a mapping changes are negative ints.
	negative := func(m *model.Mapping) bool {
		return q.Element() == "int" && role.Convert == mappers.Value && !m.IsIdentity() && m.From[len(m.From)-1] < 0
	}
	switch {
	case m.IsIdentity() && back.IsIdentity():
		return Unchanged{}, nil
	case !q.IsPointer():
		return ValueIn{q.Role, q.Type == "int" && negative(m), m.Flips()}, nil
	case q.Length.Param != "" && q.Dir == "out":
		return ValuesOut{q.Role, q.Length.Param, negative(back)}, nil
	case q.Length.Param != "":
		return ValuesIn{q.Role, q.Element(), q.Length.Param, negative(m)}, nil
	case q.Dir == "in":
		return nil, fmt.Errorf("the array of role %s needs a length", q.Role)
	case q.Dir == "inout":
		return ValueInOut{q.Role}, nil
	}
	return ValueOut{q.Role}, nil
}

// address returns the action for a pointer with special values.
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

// status returns the action for a single status.
func (p *Pair) status(f *model.Function, q *model.Param) (Action, error) {
	switch {
	case q.Length != model.Length{}:
		valid := q.Length.Param
		if n := completed(f); n != nil {
			valid = n.Name
		}
		return StatusesOut{q.Length.Param, valid, f.Has("REQUEST", "inout") != nil && valid == q.Length.Param && f.FlagIndex() < 0}, nil
	case q.Dir == "in":
		return StatusIn{slices.ContainsFunc(f.Params, func(p model.Param) bool { return p.Dir == "out" && p.Role == "COUNT" })}, nil
	case q.Dir == "inout":
		return StatusInOut{}, nil
	}
	file := f.Has("FILE", "in") != nil
	ofMany := slices.ContainsFunc(f.Params, func(p model.Param) bool { return p.Role == "REQUEST" && p.Length != model.Length{} })
	request := f.Has("REQUEST", "inout") != nil || f.Has("REQUEST", "in") != nil
	return StatusOut{Filled: file || request && !ofMany, Empty: file, Unset: ofMany}, nil
}

// wildcard returns the wildcard of a parameter, which is empty if it has none.
func (p *Pair) wildcard(q *model.Param) Wildcard {
	if q.Any == "" {
		return Wildcard{}
	}
	return Wildcard{q.Any, p.A.Constants[q.Any], p.R.Constants[q.Any]}
}

// readsHandles reports whether the program's handles are addresses that the front dereferences.
func (p *Pair) readsHandles() bool { return p.A.HandleBits == 64 && len(p.A.DataSymbols) > 0 }

// refusal returns the check of the first handle that the runtime's libraries do not check, or nil
// if they check all.
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
		r.Class, r.NullAllowed = "MPI_ERR_TYPE", true
		if i > 0 { // the datatype is significant at the same rank as its count
			r.Root = f.Params[i-1].Significant.Root
		}
		if r.Root != "" {
			var err error
			if r.Comm, err = requiredName(f, "COMM", "in"); err != nil {
				return nil, err
			}
		}
	case "GROUP":
		r.NullAllowed = true
	case "INFO":
		r.NoObject = true // the null handle is valid
	case "MESSAGE":
		r.Class, r.Pointer = "MPI_ERR_REQUEST", true
	}
	return r, nil
}

// checkComm returns the arguments for the check of a communicator if f is a persistent collective
// operation and the runtime does not check its communicator. Otherwise it returns nil.
func (p *Pair) checkComm(f *model.Function) (*CheckComm, error) {
	if !p.R.Traits.PersistentUnchecked || f.Starts == "" {
		return nil, nil
	}
	comm, err := requiredName(f, "COMM", "in")
	if err != nil {
		return nil, err
	}
	request, err := requiredName(f, "REQUEST", "out")
	return &CheckComm{comm, request}, err
}

// requiredName returns the name of a function's first parameter with this role and direction, or an
// error if it has none.
func requiredName(f *model.Function, role, dir string) (string, error) {
	if q := f.Has(role, dir); q != nil {
		return q.Name, nil
	}
	return "", fmt.Errorf("it needs a parameter of role %s with direction %s", role, dir)
}

// keepsArrays reports whether the request of a call needs a record: the call converts arrays of
// datatypes, which must live as long, or creates a communicator, which may come later.
func keepsArrays(f *model.Function) bool {
	kept := func(q model.Param) bool {
		return q.Role == "DATATYPE" && q.Length.Size != "" || q.Role == "COMM" && q.Dir == "out"
	}
	return f.Has("REQUEST", "out") != nil && slices.ContainsFunc(f.Params, kept)
}
