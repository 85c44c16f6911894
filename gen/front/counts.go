package front

import (
	"fmt"
	"slices"
	"strings"

	"wi4go/gen/model"
	"wi4go/gen/output"
)

// A countForm is what is done with an argument of a large-count function for the one with
// int counts.
type countForm int

const (
	asItIs   countForm = iota
	cast               // it is as wide, and of another type
	count              // elements of the datatype behind it
	integer            // another number that has to fit
	variable           // a number that comes out
)

// formOf is the form of an argument that is to be of the type of another parameter;
// counts says whether it is the count of a datatype.
func formOf(q, to *model.Param, counts bool) (form countForm, possible bool) {
	switch {
	case q.Type == to.Type, to.Type == "MPI_Aint":
		return asItIs, true
	case to.Element() == "MPI_Aint":
		return cast, true
	case q.Dir == "in" && to.Type == "int" && counts:
		return count, true
	case q.Dir == "in" && to.Type == "int":
		return integer, true
	case q.Dir == "out" && to.Type == "int *":
		return variable, true
	}
	return asItIs, false
}

// A narrowForm is a large-count function by the one with int counts.
type narrowForm struct {
	small, f *model.Function
	forms    []countForm // of the arguments
}

// narrowed writes the large-count function f by way of the small one; false where
// it cannot be had.
func narrowed(w *output.Writer, small, f *model.Function) bool {
	if len(small.Params) != len(f.Params) {
		return false
	}
	n := &narrowForm{small: small, f: f}
	for i := range f.Params {
		counts := i+1 < len(f.Params) && f.Params[i+1].Role == "DATATYPE"
		form, possible := formOf(&f.Params[i], &small.Params[i], counts)
		if !possible {
			return false
		}
		n.forms = append(n.forms, form)
	}
	n.write(w)
	return true
}

func (n *narrowForm) write(w *output.Writer) {
	w.Line("%s", narrowHead(n.f))
	n.each(variable, func(q *model.Param) { w.Line("    int narrow_%s = 0;", q.Name) })
	if fits := n.fits(); len(fits) > 0 {
		w.Line("    if (unlikely(!(%s))) {", strings.Join(fits, " && "))
		switch {
		case n.f.IsReduction():
			n.byPieces(w)
		case slices.Contains(n.forms, count):
			n.asElements(w)
		default:
			w.Line("        return REFUSE(%s)(%s);", n.f.Name, strings.Join(n.f.Names(), ", "))
		}
		w.Line("    }")
	}
	call := n.call(n.argument)
	if !slices.Contains(n.forms, variable) {
		w.Line("    return %s;\n}", call)
		return
	}
	w.Line("    int rc = %s;", call)
	n.each(variable, func(q *model.Param) { w.Line("    if (!rc && %s)\n        *%s = narrow_%s;", q.Name, q.Name, q.Name) })
	w.Line("    return rc;\n}")
}

// each calls do for the parameters of a form.
func (n *narrowForm) each(form countForm, do func(q *model.Param)) {
	for i := range n.forms {
		if n.forms[i] == form {
			do(&n.f.Params[i])
		}
	}
}

// fits are the conditions under which the numbers are no larger than an int.
func (n *narrowForm) fits() (conditions []string) {
	for i, q := range n.f.Params {
		switch n.forms[i] {
		case count:
			conditions = append(conditions, fmt.Sprintf("FITS(%s)", q.Name))
		case integer:
			conditions = append(conditions, fmt.Sprintf("FITS_INT(%s)", q.Name))
		}
	}
	return conditions
}

// call is the call of the small function with such arguments.
func (n *narrowForm) call(argument func(i int) string) string {
	return fmt.Sprintf("%s(%s)", n.small.Name, strings.Join(n.arguments(argument), ", "))
}

func (n *narrowForm) arguments(argument func(i int) string) (list []string) {
	for i := range n.forms {
		list = append(list, argument(i))
	}
	return list
}

// argument is one where all numbers fit.
func (n *narrowForm) argument(i int) string {
	name := n.f.Params[i].Name
	switch n.forms[i] {
	case cast:
		return fmt.Sprintf("(%s)%s", n.small.Params[i].Type, name)
	case count, integer:
		return "(int)" + name
	case variable:
		return fmt.Sprintf("%s ? &narrow_%s : NULL", name, name)
	}
	return name
}

// byPieces does a reduction in several calls.
func (n *narrowForm) byPieces(w *output.Writer) {
	piece := func(i int) string {
		switch q := &n.f.Params[i]; {
		case n.forms[i] == count:
			return "piece.n"
		case q.IsChoice():
			return fmt.Sprintf("PIECE_OF(%s, piece)", q.Name)
		}
		return n.argument(i)
	}
	w.Fill(template("reduction"), map[string]string{
		"raised": n.f.RaisedBy(), "call": n.call(piece), "count": n.f.Has("COUNT", "in").Name, "datatype": n.f.Has("DATATYPE", "in").Name,
	})
}

// asElements gives each count and its datatype as fewer elements of a larger datatype.
func (n *narrowForm) asElements(w *output.Writer) {
	var wrong []string
	for i, q := range n.f.Params {
		if n.forms[i] == count {
			w.Line("        LARGE(large_%s, %s, %s, %s);", q.Name, q.Name, n.f.Params[i+1].Name, significant(n.f, &q))
			wrong = append(wrong, "large_"+q.Name+".wrong")
		}
	}
	w.Line("        if (%s)\n            return wi4go_raise(%s, %s);", strings.Join(wrong, " | "), n.f.RaisedBy(), firstOf(wrong))
	element := func(i int) string {
		switch {
		case n.forms[i] == count:
			return "large_" + n.f.Params[i].Name + ".count"
		case i > 0 && n.forms[i-1] == count:
			return "large_" + n.f.Params[i-1].Name + ".type"
		}
		return n.argument(i)
	}
	if n.f.Has("FILE", "in") == nil || n.f.Has("REQUEST", "out") == nil {
		w.Line("        return %s;", n.call(element))
		return
	}
	given := n.arguments(element)
	last := len(given) - 1
	w.Line("        MPI_Request begun = MPI_REQUEST_NULL;\n        int rc = %s(%s, &begun);", n.small.Name, strings.Join(given[:last], ", "))
	w.Line("        return keep_large(&large_%s, rc, begun, %s);", n.f.Has("COUNT", "in").Name, given[last])
}

// firstOf is the C expression of the first that is not 0.
func firstOf(values []string) string {
	if len(values) == 1 {
		return values[0]
	}
	return fmt.Sprintf("%s ? %s : %s", values[0], values[0], firstOf(values[1:]))
}
