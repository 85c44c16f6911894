package plan

import (
	"slices"

	"wi4go/gen/model"
)

// A Renumbering is what is done in a call within a family, of which a draft numbers some
// constants and handles otherwise: everything else is passed on.
type Renumbering struct {
	Function  *model.Function
	Arguments []Renumbered
	Result    string // the role of what the function returns, empty for an error code
}

// Renumbered is an argument with the conversion of a role, in a variable of the program's or,
// AsInt, an integer; empty: it is passed on.
type Renumbered struct {
	Conversion string
	At, AsInt  bool
}

// Renumber makes the plan of a function for the roles that a draft numbers otherwise; nil:
// it has nothing of these.
func Renumber(f *model.Function, drafted map[string]bool) *Renumbering {
	const handlers = "ERRHANDLER" // the handles that conversions to integers and back have
	fromInt := drafted[handlers] && f.Returns == model.HandleTypes[handlers]
	if !fromInt && !slices.ContainsFunc(f.Params, func(q model.Param) bool { return drafted[q.Role] }) {
		return nil
	}
	r := &Renumbering{Function: f}
	if f.Chapter == "language-bindings" {
		r.Result = handlers
	}
	for _, q := range f.Params {
		switch {
		case drafted[q.Role]:
			r.Arguments = append(r.Arguments, Renumbered{Conversion: q.Role, At: q.IsPointer()})
		case fromInt:
			r.Arguments = append(r.Arguments, Renumbered{Conversion: handlers, AsInt: true})
		default:
			r.Arguments = append(r.Arguments, Renumbered{})
		}
	}
	return r
}
