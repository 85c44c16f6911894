package plan

import (
	"slices"

	"wi4go/gen/model"
)

// A Renumbering is the plan of a call within a family whose draft has other numbers for some
// constants and handles. The call converts only these.
type Renumbering struct {
	Function  *model.Function
	Arguments []Renumbered // in the function's order
	Result    string       // the role of the returned value, or empty for an error code
}

// Renumbered is the conversion of one argument.
type Renumbered struct {
	// Conversion is the role by which the value is converted, or empty to pass it unchanged.
	Conversion string
	// At reports whether the value is in a variable of the program. AsInt reports whether it is a
	// handle in the form of an integer.
	At, AsInt bool
}

// Renumber returns the plan of a function, or nil if no argument needs a conversion. drafted has
// the roles with values that differ in the draft.
func Renumber(f *model.Function, drafted map[string]bool) *Renumbering {
	const handlers = "ERRHANDLER" // the only handles that a draft needs_renumbering; they have conversions to integers and back
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
