package plan

import (
	"slices"

	"wi4go/gen/model"
	"wi4go/mappers"
)

// The plans of functions that are written by hand: the same actions, for readers, for the
// printers of assembly, and for whoever has to know what an argument becomes.

// byHand completes the plan of a hand-written function.
func (p *Pair) byHand(plan *Plan) {
	f := plan.Function
	if f.Alone {
		return
	}
	for i := range f.Params {
		plan.Arguments = append(plan.Arguments, p.argument(f, i, p.handAction(f, &f.Params[i])))
	}
	plan.Completes = completion(plan.Arguments)
}

// handAction returns what a hand-written function does with a parameter.
func (p *Pair) handAction(f *model.Function, q *model.Param) Action {
	role := p.In.Mappers.Roles[q.Role]
	array := q.Length != model.Length{}
	switch {
	case role.Convert == mappers.Handle && array && q.Dir != "in":
		if q.Role == "REQUEST" {
			return RequestsAt{Length: q.Length.Param, Completed: q.Lifetime == "complete", Restarted: q.Lifetime == "restart", Follows: p.follows(q)}
		}
		return HandlesOut{q.Role, q.Length, q.Lifetime == "borrow"}
	case role.Convert == mappers.Status && array:
		return StatusesOut{q.Length.Param, validStatuses(f, q)}
	case isOpaque(q, role):
		return ByHand{q.Role}
	}
	action, err := p.action(f, q)
	if err != nil { // nothing that could be printed
		return ByHand{q.Role}
	}
	return action
}

// validStatuses returns the name of the argument with the number of statuses that a call
// sets: the count that comes out, or else the length of the array.
func validStatuses(f *model.Function, q *model.Param) string {
	i := slices.IndexFunc(f.Params, func(other model.Param) bool {
		return other.Role == "COUNT" && other.Dir == "out" && !other.Index
	})
	if i < 0 {
		return q.Length.Param
	}
	return f.Params[i].Name
}

// isOpaque reports whether the role does not determine what a hand-written function does
// with the argument: a text, a callback, an attribute's value, an address.
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
