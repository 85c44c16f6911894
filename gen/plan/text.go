package plan

import (
	"fmt"
	"strings"

	"wi4go/gen/model"
	"wi4go/gen/output"
)

// String returns the plan as text for people, with a line for each step.
func (p *Plan) String() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	switch {
	case p.Hand != "" && p.Alone:
		line("by hand: A_%s in mappers/%s, which does not need the runtime's function", p.Function.Name, p.Hand)
	case p.Hand != "":
		line("by hand: A_%s in mappers/%s", p.Function.Name, p.Hand)
	}
	for _, a := range p.Arguments {
		any := ""
		if a.Wildcard.From != a.Wildcard.To {
			any = fmt.Sprintf("; %s %d becomes %d", a.Wildcard.Name, a.Wildcard.From, a.Wildcard.To)
		}
		line("%s: %s%s", a.Name, a.Action.text(), any)
	}
	if r := p.Refusal; r != nil {
		refused := "the null handle, or a handle without an object,"
		if r.NoObject {
			refused = "a handle without an object"
		} else if r.NullAllowed {
			refused = "a handle without an object, except the null handle,"
		}
		line("refused with %s: %s for %s", r.Class, refused, p.Arguments[r.Argument].Name)
	}
	for _, l := range p.MissingConstants {
		line("refused with %s: a constant for %s that the runtime's family lacks", l.Class, p.Arguments[l.Argument].Name)
	}
	if p.CheckComm != nil {
		line("the communicator is checked first, because the runtime's persistent collectives do not check it")
	}
	if p.Null != nil {
		line("a null request is completed here")
	}
	if p.Interned != nil {
		line("arrays of datatypes are interned: converted once, and found again by their contents")
	}
	if p.KeepsArrays {
		line("the request has a record until it completes%s", output.If(p.Interned != nil, ", if the arrays are not interned"))
	}
	if p.FlagIndex >= 0 {
		line("outputs are converted only if *%s is true", p.Function.Params[p.FlagIndex].Name)
	}
	switch {
	case p.Assembly:
		line("printed as assembly on x86-64, and as C")
	case p.Hand == "":
		line("printed as C")
	}
	return b.String()
}

func (Unchanged) text() string { return "unchanged" }
func (a HandleIn) text() string {
	return a.Kind + " handle to the runtime's" + output.If(a.Ignorable, ", or any value if the call ignores it")
}
func (a HandlesIn) text() string {
	return "array of " + a.Kind + " handles to the runtime's, " + lengthText(a.Length) + output.If(a.Alias != "", "; the same as "+a.Alias+" if the program gives one array for both")
}
func (a HandleOut) text() string {
	return a.Kind + " handle to the program's" + output.If(a.Borrowed, ", which it does not free") + output.If(a.MayBeNone, ", if there is one") + output.If(a.Later, ", at once or when the request completes")
}
func (a HandleInOut) text() string {
	return a.Kind + " handle in a variable, to the runtime's" + output.If(a.Ends || a.Completes, "; null if the runtime's is null afterwards") + output.If(a.Completes, ", also after an error")
}
func (a RequestOut) text() string {
	return output.If(a.Persistent, "persistent ") + "request to the program's" + output.If(!a.Starts && !a.Persistent, ", which may be null") + output.If(a.Sends, ", often the runtime's empty one")
}
func (a RequestInOut) text() string {
	return "request in a variable, to the runtime's" + output.If(a.Completed, "; null if the runtime's is null afterwards, also after an error") + output.If(a.Restarted, "; the program's handle stays valid")
}
func (a ValueIn) text() string {
	return a.Conversion + " to the runtime's" + output.If(a.Negative, ", only below 0") + output.If(a.Flips, ", by one bit")
}
func (a ValuesIn) text() string {
	return "array of " + a.Conversion + " to the runtime's, " + a.Length + " elements"
}
func (a ValuesOut) text() string {
	return "array of " + a.Conversion + " to the program's, " + a.Length + " elements"
}
func (a ValueOut) text() string   { return a.Conversion + " to the program's" }
func (a ValueInOut) text() string { return a.Conversion + " in a variable, to the runtime's and back" }
func (a AddressIn) text() string {
	if a.Differ == 0 {
		return "address, " + a.Conversion + " is the same on both sides"
	}
	if a.Special != nil && a.Differ == 1 {
		return fmt.Sprintf("address, %s: %d becomes the runtime's", a.Conversion, *a.Special)
	}
	return fmt.Sprintf("address, %s: %d special ones become the runtime's", a.Conversion, a.Differ)
}
func (ErrorIn) text() string { return "error code to the runtime's" }
func (a ErrorOut) text() string {
	return "error code to the program's" + output.If(a.Class, ", MPI_ERR_OTHER for a class that its family lacks")
}
func (a StatusIn) text() string {
	return "status to the runtime's" + output.If(a.CountOnly, ", of which only the count is read")
}
func (StatusInOut) text() string { return "status to the runtime's and back" }
func (a StatusOut) text() string {
	return "status to the program's, unless it ignores it" + output.If(a.Empty, "; empty if the runtime does not set it") + output.If(a.Unset, " or the runtime leaves it unchanged")
}
func (a TextOut) text() string {
	return "text of up to the runtime's " + a.Limit + ", cut to the program's" + output.If(a.Written != "", "; *"+a.Written+" with it")
}

func (a HandlesOut) text() string {
	return "array of " + a.Kind + " handles to the program's, " + lengthText(a.Length) + output.If(a.Borrowed, ", which it does not free")
}
func (a RequestsInOut) text() string {
	return "array of requests" + output.If(a.Completed || a.Restarted, " in variables") + ", to the runtime's, " + a.Length + " elements" +
		output.If(a.Completed, "; each is null if the runtime's is null afterwards, also after an error") + output.If(a.Restarted, "; the program's handles stay valid") +
		output.If(a.Dereferences, "; no array if one of them has no object")
}
func (a StatusesOut) text() string {
	count := a.Length
	if a.Valid != a.Length {
		count = "*" + a.Valid + " of " + a.Length
	}
	return "array of statuses to the program's, " + count + " elements, unless it ignores them; after MPI_ERR_IN_STATUS those that the call has set" +
		output.If(a.Succeeds, "; after success with MPI_SUCCESS in each")
}
func (IndexOut) text() string  { return "index of the completed request, or MPI_UNDEFINED" }
func (NumberOut) text() string { return "number of completed requests, or MPI_UNDEFINED" }
func (a IndicesOut) text() string {
	return "array of the indices of the completed requests, *" + a.Valid + " elements"
}
func (a ByHand) text() string { return a.Role + ", by hand" }

// lengthText returns a description of the length of an array for people.
func lengthText(l model.Length) string {
	switch {
	case l.Size != "":
		return "as long as " + l.Comm + " has " + l.Size + output.If(l.Unless != "", "; none if "+l.Unless+" is MPI_IN_PLACE")
	case l.Param != "":
		return l.Param + " elements"
	}
	return "without a length"
}
