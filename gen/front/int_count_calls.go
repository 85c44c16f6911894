package front

import (
	"fmt"
	"slices"
	"strings"

	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
)

// An intCountCall prints a large-count function that calls the function with int counts once.
type intCountCall struct{ *plan.LargeCount }

// write writes the large-count function via_int_MPI_X_c.
func (n intCountCall) write(w *output.Writer) {
	f := n.Function
	w.Line("%s", largeCountHead(f))
	n.each(plan.CountOut, func(q *model.Param) { w.Line("    int narrow_%s = 0;", q.Name) })
	if fits := n.fits(); len(fits) > 0 {
		w.Line("    if (unlikely(!(%s))) {", strings.Join(fits, " && "))
		switch n.TooLarge {
		case plan.TooLargeInPieces:
			n.byPieces(w)
		case plan.TooLargeAsElements:
			n.asElements(w)
		case plan.TooLargeRefused:
			w.Line("        return REFUSE(%s)(%s);", f.Name, strings.Join(f.Names(), ", "))
		}
		w.Line("    }")
	}
	call := n.call(n.argument)
	if !slices.Contains(n.Forms, plan.CountOut) {
		w.Line("    return %s;\n}", call)
		return
	}
	w.Line("    int rc = %s;", call)
	n.each(plan.CountOut, func(q *model.Param) { w.Line("    if (!rc && %s)\n        *%s = narrow_%s;", q.Name, q.Name, q.Name) })
	w.Line("    return rc;\n}")
}

// each calls do for each parameter with the given form.
func (n intCountCall) each(form plan.CountForm, do func(q *model.Param)) {
	for i := range n.Forms {
		if n.Forms[i] == form {
			do(&n.Function.Params[i])
		}
	}
}

// fits returns the conditions in C under which all counts can be passed as int.
func (n intCountCall) fits() (conditions []string) {
	for i, q := range n.Function.Params {
		switch n.Forms[i] {
		case plan.CountOfType:
			conditions = append(conditions, fmt.Sprintf("FITS(%s)", q.Name))
		case plan.CountNumber:
			conditions = append(conditions, fmt.Sprintf("FITS_INT(%s)", q.Name))
		}
	}
	return conditions
}

// call returns the C expression that calls the function with int counts. argument returns the C
// expression for argument i.
func (n intCountCall) call(argument func(i int) string) string {
	return fmt.Sprintf("%s(%s)", n.Called.Name, strings.Join(n.arguments(argument), ", "))
}

// arguments returns the C expressions for all arguments.
func (n intCountCall) arguments(argument func(i int) string) (list []string) {
	for i := range n.Forms {
		list = append(list, argument(i))
	}
	return list
}

// argument returns the C expression for argument i if all counts fit.
func (n intCountCall) argument(i int) string {
	name := n.Function.Params[i].Name
	switch n.Forms[i] {
	case plan.CountCast:
		return fmt.Sprintf("(%s)%s", n.Called.Params[i].Type, name)
	case plan.CountOfType, plan.CountNumber:
		return "(int)" + name
	case plan.CountOut:
		return fmt.Sprintf("%s ? &narrow_%s : NULL", name, name)
	}
	return name
}

// byPieces writes a reduction as several calls, each for a piece of the elements.
func (n intCountCall) byPieces(w *output.Writer) {
	piece := func(i int) string {
		switch q := &n.Function.Params[i]; {
		case n.Forms[i] == plan.CountOfType:
			return "piece.n"
		case q.IsChoice():
			return fmt.Sprintf("PIECE_OF(%s, piece)", q.Name)
		}
		return n.argument(i)
	}
	w.Fill(template("reduction"), map[string]string{
		"raised": n.Function.RaisedBy(), "call": n.call(piece), "count": n.Count, "datatype": n.Datatype,
	})
}

// asElements writes a call that passes each count and its datatype as fewer elements of a larger
// datatype. If the call returns a request that needs the datatype, large_retain keeps it for the
// request.
func (n intCountCall) asElements(w *output.Writer) {
	var wrong []string
	for i, q := range n.Function.Params {
		if n.Forms[i] == plan.CountOfType {
			w.Line("        LARGE(large_%s, %s, %s, %s);", q.Name, q.Name, n.Function.Params[i+1].Name, significant(n.Comm, q.Significant))
			wrong = append(wrong, "large_"+q.Name+".wrong")
		}
	}
	w.Line("        if (%s)\n            return wi4go_raise(%s, %s);", strings.Join(wrong, " | "), n.Function.RaisedBy(), firstNonZero(wrong))
	element := func(i int) string {
		switch {
		case n.Forms[i] == plan.CountOfType:
			return "large_" + n.Function.Params[i].Name + ".count"
		case i > 0 && n.Forms[i-1] == plan.CountOfType:
			return "large_" + n.Function.Params[i-1].Name + ".type"
		}
		return n.argument(i)
	}
	if !n.KeepsType {
		w.Line("        return %s;", n.call(element))
		return
	}
	arguments := n.arguments(element)
	last := len(arguments) - 1
	w.Line("        MPI_Request begun = MPI_REQUEST_NULL;\n        int rc = %s(%s, &begun);", n.Called.Name, strings.Join(arguments[:last], ", "))
	w.Line("        return large_retain(&large_%s, rc, begun, %s);", n.Count, arguments[last])
}

// firstNonZero returns a C expression for the first of the values that is not 0, or else the last.
func firstNonZero(values []string) string {
	if len(values) == 1 {
		return values[0]
	}
	return fmt.Sprintf("%s ? %s : %s", values[0], values[0], firstNonZero(values[1:]))
}
