package fortran

import (
	"fmt"
	"slices"
	"strings"

	"wi4go/abi"
	"wi4go/gen/ctypes"
	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
	"wi4go/mappers"
)

// This file prints the C of one Fortran procedure: the conversion of each argument before and
// after the call of the C function.

// procedure is the text of one Fortran procedure.
type procedure struct {
	// of is the plan of the procedure.
	plan *plan.Procedure
	// handlesAreIntegers reports whether handles (except files) and statuses are the same INTEGERs in C.
	handlesAreIntegers bool
	// f08 reports whether the procedure is in mpi_f08 only.
	f08 bool
	// The lines of C. params are the parameters, and lengths the lengths of CHARACTERs, which
	// follow all others. first and before run before the call; first holds the conversions that
	// those in before use. args are the call's arguments. always runs after the call, and
	// success only if the call succeeds.
	params, lengths, first, before, args, always, success []string
}

// newProcedure returns the text of a function's procedure. It returns an error if the function
// needs a hand-written procedure.
func newProcedure(f *model.Function, front *abi.Family, table *mappers.Table, f08 bool) (*procedure, error) {
	of, err := plan.ProcedureOf(f, table)
	if err != nil {
		return nil, err
	}
	p := &procedure{plan: of, handlesAreIntegers: front.HandleBits == 32, f08: f08}
	for i := range of.Arguments {
		if err := p.param(&of.Arguments[i]); err != nil {
			return nil, fmt.Errorf("parameter %s: %w", of.Arguments[i].Name, err)
		}
	}
	return p, nil
}

// declaration returns the head of the procedure in C.
func (p *procedure) declaration(name string) string {
	return fmt.Sprintf("void %s(%s)", name, p.declared())
}

// declared returns the parameters in C.
func (p *procedure) declared() string {
	return strings.Join(slices.Concat(p.params, []string{"MPI_Fint *ierror"}, p.lengths), ", ")
}

// write writes the procedure under a name.
func (p *procedure) write(w *output.Writer, f *model.Function, name, linkage string) {
	w.Line("\n%s%s\n{", linkage, p.declaration(name))
	p.body(w, f)
	w.Line("}")
}

// body writes the statements of the procedure.
func (p *procedure) body(w *output.Writer, f *model.Function) {
	w.WriteString(output.Indented(slices.Concat(p.first, p.before)))
	w.Line("    const int rc = CALL(%s)(%s);", f.Name, strings.Join(p.args, ", "))
	w.WriteString(output.Indented(p.always))
	if len(p.success) > 0 {
		w.Line("    if (likely(rc == MPI_SUCCESS)) {")
		for _, line := range p.success {
			w.Line("        %s", line)
		}
		w.Line("    }")
	}
	w.Line("    RESULT(rc);")
}

// declare adds a parameter.
func (p *procedure) declare(format string, args ...any) {
	p.params = append(p.params, fmt.Sprintf(format, args...))
}

// addBefore adds a line before the call.
func (p *procedure) addBefore(format string, args ...any) {
	p.before = append(p.before, fmt.Sprintf(format, args...))
}

// onSuccess adds a line after the call, which runs always or only if the call succeeds.
func (p *procedure) onSuccess(always bool, format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if always {
		p.always = append(p.always, line)
	} else {
		p.success = append(p.success, line)
	}
}

// addArgument adds an argument of the call.
func (p *procedure) addArgument(format string, args ...any) {
	p.args = append(p.args, fmt.Sprintf(format, args...))
}

// elementsOf returns the number of elements of an array, as a C expression.
func elementsOf(l model.Length) (string, error) {
	switch {
	case l.Param != "" && l.Factor == 1:
		return "*" + l.Param, nil
	case l.Size != "":
		return fmt.Sprintf("%s(c_%s)", l.Size, l.Comm), nil
	}
	return "", fmt.Errorf("the array needs a length")
}

// constantMacros are the macros of library.h that convert an address that may be a constant's.
var constantMacros = map[plan.FortranConstants]string{plan.Bottom: "BOTTOM", plan.InPlace: "IN_PLACE", plan.Automatic: "ATTACHED", plan.Weights: "WEIGHTS"}

// param adds an argument to the procedure and to the call.
func (p *procedure) param(q *plan.FortranArgument) error {
	switch q.Form {
	case plan.FortranHandle, plan.FortranEarly:
		return p.handle(q)
	case plan.FortranStatus:
		return p.status(q)
	case plan.FortranText:
		return p.text(q)
	case plan.FortranConstant:
		p.declare("%s *%s", q.Element(), q.Name)
		p.addArgument("%s(%s)", constantMacros[q.Constants], q.Name)
	case plan.FortranAddressOut:
		p.declare("void *%s", q.Name)
		p.addBefore("void *c_%s;", q.Name)
		p.addArgument("&c_%s", q.Name)
		if p.f08 {
			p.onSuccess(false, "*(void **)%s = c_%s;", q.Name, q.Name)
		} else {
			p.onSuccess(false, "DETACHED(%s, c_%s);", q.Name, q.Name)
		}
	case plan.FortranShortIn:
		p.declare("const MPI_Fint *%s", q.Name)
		p.addArgument("*%s", q.Name)
	case plan.FortranShortOut:
		p.declare("MPI_Fint *%s", q.Name)
		p.addBefore("MPI_Aint c_%s;", q.Name)
		p.addArgument("&c_%s", q.Name)
		p.onSuccess(false, "*%s = (MPI_Fint)c_%s;", q.Name, q.Name)
	case plan.FortranShortArray:
		n, err := elementsOf(q.Length)
		if err != nil {
			return err
		}
		p.declare("const MPI_Fint *%s", q.Name)
		p.addBefore("ARRAY(MPI_Aint, c_%s, %s)", q.Name, n)
		p.addBefore("for (int i = 0; i < %s; i++) c_%s[i] = %s[i];", n, q.Name, q.Name)
		p.addArgument("c_%s", q.Name)
	case plan.FortranValue:
		p.declare("const %s *%s", q.Element(), q.Name)
		p.addArgument("*%s", q.Name)
	case plan.FortranLogical:
		p.declare("MPI_Fint *%s", q.Name)
		p.addArgument("%s", q.Name)
		if q.Length == (model.Length{}) {
			p.onSuccess(false, "*%s = *%s != 0;", q.Name, q.Name)
		} else {
			p.onSuccess(false, "for (int i = 0; i < *%s; i++) %s[i] = %s[i] != 0;", q.Length.Param, q.Name, q.Name)
		}
	case plan.FortranUnchanged, plan.FortranCounted:
		p.declare("%s", ctypes.Declaration(q.Type, q.Name))
		p.addArgument("%s", q.Name)
		if q.Form == plan.FortranCounted {
			p.index(q)
		}
	}
	return nil
}

// index adds 1 to the indices that come out, which count from 0 in C and from 1 in Fortran.
func (p *procedure) index(q *plan.FortranArgument) {
	if q.Length == (model.Length{}) {
		p.onSuccess(false, "if (*%s != MPI_UNDEFINED) ++*%s;", q.Name, q.Name)
		return
	}
	p.onSuccess(true, "if (rc == MPI_SUCCESS || is_in_status(rc))")
	p.onSuccess(true, "    for (int i = 0; i < *%s; i++) %s[i]++;", q.Counted, q.Name)
}

// handle adds a handle, or an array of handles.
func (p *procedure) handle(q *plan.FortranArgument) error {
	kind, c, pointer := conversionName(q.Kind), "c_"+q.Name, q.IsPointer()
	// A handle that is an INTEGER in C needs no conversion.
	if p.handlesAreIntegers && q.Kind != "FILE" {
		p.declare("%sMPI_Fint *%s", map[bool]string{true: "const "}[!pointer || q.IsConst()], q.Name)
		p.addArgument("%s%s", map[bool]string{false: "*"}[pointer], q.Name)
		return nil
	}
	// The conversions are MPI's, called through the inner door. Early ones work before
	// MPI_Init.
	to, from := "INNER(MPI_"+kind+"_f2c)", "INNER(MPI_"+kind+"_c2f)"
	if q.Form == plan.FortranEarly { // openmpi.h
		to, from = kind+"_f2c", kind+"_c2f"
	}
	// A single handle that goes in.
	if !pointer || q.Dir == "in" && q.Length == (model.Length{}) {
		p.declare("const MPI_Fint *%s", q.Name)
		// The conversion comes first, because a communicator determines the lengths of arrays.
		p.first = append(p.first, fmt.Sprintf("%s %s = %s(*%s);", model.HandleTypes[q.Kind], c, to, q.Name))
		if pointer {
			c = "&" + c
		}
		p.addArgument("%s", c)
		return nil
	}
	// An array of handles. Output arrays start with null handles.
	if q.Length != (model.Length{}) {
		n, err := elementsOf(q.Length)
		if err != nil {
			return err
		}
		p.declare("%sMPI_Fint *%s", map[bool]string{true: "const "}[q.Dir == "in"], q.Name)
		if q.Length.Unless != "" { // Unless names the first parameter
			n = fmt.Sprintf("(%s == MPI_IN_PLACE ? 0 : %s)", p.args[0], n) // with MPI_IN_PLACE the array is ignored
		}
		p.addBefore("const int n_%s = %s;", q.Name, n)
		p.addBefore("ARRAY(%s, %s, n_%s)", model.HandleTypes[q.Kind], c, q.Name)
		start := fmt.Sprintf("%s(%s[i])", to, q.Name)
		if q.Dir == "out" {
			start = model.NullName(q.Kind)
		}
		p.addBefore("for (int i = 0; i < n_%s; i++) %s[i] = %s;", q.Name, c, start)
		p.addArgument("%s", c)
		if q.Dir != "in" {
			p.onSuccess(q.Dir == "inout", "for (int i = 0; i < n_%s; i++) %s[i] = %s(%s[i]);", q.Name, q.Name, from, c)
		}
		return nil
	}
	p.declare("MPI_Fint *%s", q.Name)
	if q.Dir == "inout" {
		p.addBefore("%s %s = %s(*%s);", model.HandleTypes[q.Kind], c, to, q.Name)
		p.onSuccess(true, "*%s = %s(%s);", q.Name, from, c)
	} else {
		p.addBefore("%s %s = %s;", model.HandleTypes[q.Kind], c, model.NullName(q.Kind))
		p.onSuccess(false, "*%s = %s(%s);", q.Name, from, c)
	}
	p.addArgument("&%s", c)
	return nil
}

// status adds a status or an array of statuses. A C status is aligned, and a Fortran status
// need not be, so it is copied there and back. Fields that the call does not set keep their
// values.
func (p *procedure) status(q *plan.FortranArgument) error {
	c := "c_" + q.Name
	switch {
	case p.handlesAreIntegers:
		several := map[bool]string{true: "ES"}[q.Length != (model.Length{})]
		p.declare("%sMPI_Fint *%s", map[bool]string{true: "const "}[q.Dir == "in"], q.Name)
		p.addArgument("NO_STATUS%[1]s(%[2]s) ? MPI_STATUS%[1]s_IGNORE : (MPI_Status *)%[2]s", several, q.Name)
	case q.Length != (model.Length{}):
		n, err := elementsOf(q.Length)
		if err != nil {
			return err
		}
		p.declare("MPI_Fint *%s", q.Name)
		p.addBefore("const int n_%s = NO_STATUSES(%s) ? 0 : %s;", q.Name, q.Name, n)
		p.addBefore("ARRAY(MPI_Status, %s, n_%s)", c, q.Name)
		p.addBefore("STATUSES(%s, %s, n_%s);", c, q.Name, q.Name)
		p.addArgument("NO_STATUSES(%s) ? MPI_STATUSES_IGNORE : %s", q.Name, c)
		p.onSuccess(true, "STATUSES(%s, %s, n_%s);", q.Name, c, q.Name)
	default:
		in := q.Dir == "in"
		p.declare("%sMPI_Fint *%s", map[bool]string{true: "const "}[in], q.Name)
		p.addBefore("MPI_Status %s;", c)
		p.addBefore("STATUSES(&%s, %s, !NO_STATUS(%s));", c, q.Name, q.Name)
		p.addArgument("NO_STATUS(%s) ? MPI_STATUS_IGNORE : &%s", q.Name, c)
		if !in {
			p.onSuccess(true, "STATUSES(%s, &%s, !NO_STATUS(%s));", q.Name, c, q.Name)
		}
	}
	return nil
}

// text adds a CHARACTER argument.
func (p *procedure) text(q *plan.FortranArgument) error {
	f := p.plan.Function
	p.lengths = append(p.lengths, "int length_"+q.Name)
	c, length := "c_"+q.Name, "length_"+q.Name
	if q.Dir == "in" {
		p.declare("const char *%s", q.Name)
		p.addBefore("ARRAY(char, %s, STRING_SIZE(%s))", c, length)
		p.addBefore("%s_in(%s, %s, %s);", map[bool]string{true: "info", false: "string"}[f.Chapter == "info"], c, q.Name, length)
		p.addArgument("%s", c)
		return nil
	}
	size := q.Limit
	if size == "" {
		size = "STRING_SIZE(*" + q.Size + ")"
	}
	p.declare("char *%s", q.Name)
	p.addBefore("ARRAY(char, %s, %s)", c, size)
	p.addBefore("*%s = 0;", c)
	p.addArgument("%s", c)
	condition := ""
	if flag := f.Flag(); flag != "" {
		condition = fmt.Sprintf("if (*%s) ", flag)
	}
	p.onSuccess(false, "%sstring_out(%s, %s, %s);", condition, q.Name, length, c)
	return nil
}

// handlesAreIntegers returns the name of a kind of handle in the names of its conversion functions.
func conversionName(kind string) string {
	if kind == "DATATYPE" {
		return "Type"
	}
	return strings.TrimPrefix(model.HandleTypes[kind], "MPI_")
}
