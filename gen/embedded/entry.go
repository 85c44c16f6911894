package embedded

import (
	"fmt"
	"slices"
	"strings"

	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
)

// An entry is one entry point.
type entry struct{ *plan.Entry }

// objects maps the kinds of handles to the types of their objects.
var objects = map[string]string{
	"COMM": "struct comm", "GROUP": "struct group", "DATATYPE": "struct type", "OP": "struct op",
	"INFO": "struct info", "ERRHANDLER": "struct errhandler",
}

// name returns the name of em_X.
func (e entry) name() string { return "em_" + strings.TrimPrefix(e.Implementation.Name, "MPI_") }

// isMissing reports whether there is no em_X, and the entry point only refuses the call by name.
func (e entry) isMissing() bool {
	return e.Body == plan.EntryMissing || e.Body == plan.EntryMissingTool
}

// prototype returns the declaration of em_X, with the checks that its entry points make before they
// call it. It returns "" if another entry point contains the declaration or if there is no em_X.
func (e entry) prototype() string {
	if e.isMissing() || e.Implementation != e.Function {
		return ""
	}
	comment := "/* " + e.Function.Name + output.If(e.Large != nil, ", "+e.Function.Large)
	for _, check := range e.Checks {
		comment += "\n *   " + check.String()
	}
	params := []string{"void"}
	for i, a := range e.Arguments {
		text := model.Declare(inner(a), a.Param.Name)
		if a.Param.IsTriples() {
			text = "int " + a.Param.Name + "[][3]"
		}
		params = append(params[:i], text)
	}
	if e.PassesLarge {
		params = append(params, "bool large")
	}
	return comment + " */\n" + model.Declare(e.Function.Returns, e.name()) + "(" + strings.Join(params, ", ") + ")"
}

// inner returns the C type of an argument of em_X.
func inner(a plan.EntryArgument) string {
	if a.Object != "" {
		return objects[a.Object] + " *"
	}
	switch a.Integer {
	case plan.IntegerWide:
		return "int64_t"
	case plan.IntegersEither:
		return "struct counts"
	case plan.IntegerResult:
		return "int64_t *"
	}
	return a.Param.Type
}

// local returns the name of the entry point's variable for a converted argument.
func local(argument string) string { return argument + "_" }

// print writes the entry point.
func (e entry) print(w *output.Writer) {
	f := e.Function
	w.Line("\n#pragma weak %s = P%s\n%s\n{", f.Name, f.Name, f.Prototype("P"+f.Name))
	switch {
	case e.Body == plan.EntryMissingTool:
		w.Line("    return em_missing_tool(\"%s\");", f.Name)
	case e.Body == plan.EntryMissing && f.Returns == "int":
		comm := "NULL"
		if e.Comm != "" {
			comm = "em_comm_of(" + e.Comm + ")"
		}
		w.Line("    return em_missing(%s, \"%s\");", comm, f.Name)
	case e.Body == plan.EntryMissing:
		w.Line("    em_missing(NULL, \"%s\");\n    return (%s)0;", f.Name, f.Returns)
	case e.Body == plan.EntryPassed:
		w.Line("    return %s(%s);", e.name(), strings.Join(f.Names(), ", "))
	default:
		e.checked(w)
	}
	w.Line("}")
}

// raise returns the C expression that calls the error handler for an error, and returns its code. call is em_raise, or
// em_refuse for arguments that the entry point refuses.
func (e entry) raise(call, code string) string {
	switch {
	case e.OfFile:
		return fmt.Sprintf("em_raise_file(%s, \"%s\")", code, e.Function.Name)
	case e.Comm == "":
		return fmt.Sprintf("%s(NULL, %s, \"%s\")", call, code, e.Function.Name)
	}
	return fmt.Sprintf("%s(%s, %s, \"%s\")", call, local(e.Comm), code, e.Function.Name)
}

// checked writes the checks, the call and the conversion of results.
func (e entry) checked(w *output.Writer) {
	e.phase(w)
	checks := e.communicators(w)
	pointers := slices.IndexFunc(checks, func(c plan.Check) bool { return !isPointer(c) })
	if pointers < 0 {
		pointers = len(checks)
	}
	e.refuse(w, checks[:pointers])
	var arguments []string
	for _, a := range e.Arguments {
		arguments = append(arguments, argument(w, a))
	}
	if e.PassesLarge {
		arguments = append(arguments, fmt.Sprint(e.Function == e.Large))
	}
	e.refuse(w, checks[pointers:])
	if n := e.NullName; n != nil {
		w.Line("    if (unlikely(!%s))\n        return em_null_name(\"%s\", %s, %s);", local(n.Handle), model.NullName(n.Kind), n.Text, n.Length)
	}
	if e.WaitsInside {
		w.Line("    const char *outer = em_wait_as(\"%s\");", e.Function.Name)
	}
	w.Line("    int err = %s(%s);", e.name(), strings.Join(arguments, ", "))
	if e.WaitsInside {
		w.Line("    em_wait_as(outer);")
	}
	e.results(w)
	w.Line("    return likely(err == MPI_SUCCESS) ? err : %s;", e.raise("em_raise", "err"))
}

// phase writes the check that the program may call the function now.
func (e entry) phase(w *output.Writer) {
	compare := map[plan.Phase]string{plan.Initialized: "!=", plan.InitializedOrForked: "<"}[e.Phase]
	if compare != "" {
		w.Line("    if (unlikely(atomic_load_explicit(&em->phase, memory_order_relaxed) %s RUNNING))\n        return em_not_running(\"%s\");", compare, e.Function.Name)
	}
}

// communicators writes the conversions and the checks of communicators, and returns the other
// checks.
func (e entry) communicators(w *output.Writer) []plan.Check {
	checks := e.Checks
	for _, a := range e.Arguments {
		if a.Object != "COMM" {
			continue
		}
		w.Line("    struct comm *%s = em_comm_of(%s);", local(a.Param.Name), a.Param.Name)
		if len(checks) > 0 && isComm(checks[0]) && checks[0].Argument == a.Param.Name {
			e.refuse(w, checks[:1])
			checks = checks[1:]
		}
	}
	return checks
}

// refuse writes checks.
func (e entry) refuse(w *output.Writer, checks []plan.Check) {
	for _, check := range checks {
		w.Line("    if (unlikely(%s))\n        return %s;", refusal(check), e.raise("em_refuse", failure(check)))
	}
}

// argument writes the conversion of an argument and returns the argument of em_X.
func argument(w *output.Writer, a plan.EntryArgument) string {
	q := a.Param
	if a.Object != "" {
		if a.Object != "COMM" {
			call := fmt.Sprintf("em_%s_of(%s)", strings.TrimPrefix(objects[a.Object], "struct "), q.Name)
			if when := significant(a.When); when != "" {
				call = when + " ? " + call + " : NULL"
			}
			w.Line("    %s *%s = %s;", objects[a.Object], local(q.Name), call)
		}
		return local(q.Name)
	}
	switch a.Integer {
	case plan.IntegersEither:
		if q.IsWide() {
			return "(struct counts){.wide = (const int64_t *)" + q.Name + "}"
		}
		return "(struct counts){.narrow = " + q.Name + "}"
	case plan.IntegerResult:
		if q.Element() != "int" {
			return "(int64_t *)" + q.Name
		}
		before := "0"
		if q.Dir == "inout" {
			before = "*" + q.Name
		}
		w.Line("    int64_t %s = %s;", local(q.Name), before)
		return "&" + local(q.Name)
	}
	return q.Name
}

// results writes the conversion of results of 64 bits to the program's int. A value that does not
// fit is MPI_UNDEFINED (MPI-5.0, 3.2.5, 5.1.5), or an error if the program continues with it.
func (e entry) results(w *output.Writer) {
	for _, a := range e.Arguments {
		q := a.Param
		if a.Integer != plan.IntegerResult || q.Element() != "int" {
			continue
		}
		if q.Dir == "inout" {
			w.Line("    if (%[1]s != (int)%[1]s)\n        err = em_error(MPI_ERR_VALUE_TOO_LARGE, \"%[2]s does not fit into an int\");\n    else\n        *%[2]s = (int)%[1]s;", local(q.Name), q.Name)
			continue
		}
		w.Line("    if (likely(err == MPI_SUCCESS))\n        *%[2]s = %[1]s == (int)%[1]s ? (int)%[1]s : MPI_UNDEFINED;", local(q.Name), q.Name)
	}
}
