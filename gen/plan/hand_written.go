package plan

import (
	"wi4go/gen/model"
	"wi4go/mappers"
)

// This file makes the plans of hand-written functions. They have the same actions as other plans,
// for readers, for the printers of assembly, and for other code that needs the conversion of an
// argument.

// byHand completes the plan of a hand-written function.
func (p *Pair) byHand(plan *Plan) {
	f := plan.Function
	if f.Alone {
		return
	}
	for i := range f.Params {
		plan.Arguments = append(plan.Arguments, p.argument(f, i, p.handAction(f, &f.Params[i])))
	}
}

// handAction returns the action of a hand-written function for a parameter.
func (p *Pair) handAction(f *model.Function, q *model.Param) Action {
	role := p.In.Mappers.Roles[q.Role]
	array := q.Length != model.Length{}
	switch {
	case role.Convert == mappers.Handle && q.Role != "REQUEST" && array && q.Dir != "in":
		return HandlesOut{q.Role, q.Length, q.Lifetime == "borrow"}
	case isOpaque(q, role):
		return ByHand{q.Role}
	}
	action, err := p.action(f, q)
	if err != nil { // only hand-written code can convert it
		return ByHand{q.Role}
	}
	return action
}

// isOpaque reports whether the role does not determine the conversion that a hand-written function
// makes: the argument is a text, a callback, the value of an attribute or an address.
func isOpaque(q *model.Param, role mappers.Role) bool {
	switch role.Convert {
	case mappers.Patch, mappers.String:
		return true
	case mappers.Address:
		return q.Dir != "in"
	case mappers.None:
		return q.Role == "LENGTH" || q.IsPointer() && q.Element() != "int" && !q.IsWide()
	}
	return false
}
