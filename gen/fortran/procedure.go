package fortran

import (
	"fmt"
	"slices"
	"strings"

	"wi4go/abi"
	"wi4go/gen/ctypes"
	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/mappers"
)

// The C of one Fortran procedure: what is done with each argument before and after the
// call of the function in C.

// procedure is the text of one Fortran procedure.
type procedure struct {
	inC                                                   bool // handles, but for files, and statuses are the same in C: INTEGERs
	f08                                                   bool // of mpi_f08 alone
	params, lengths, first, before, args, always, success []string
}

func newProcedure(f *model.Function, front *abi.Family, table *mappers.Table, f08 bool) (*procedure, error) {
	if f.Returns != "int" {
		return nil, fmt.Errorf("it returns %s: mark it %q", f.Returns, model.FortranHand)
	}
	p := &procedure{inC: front.HandleBits == 32, f08: f08}
	for i := range f.Params {
		if err := p.param(f, &f.Params[i], table); err != nil {
			return nil, fmt.Errorf("parameter %s: %w", f.Params[i].Name, err)
		}
	}
	return p, nil
}

// declaration is how its C begins.
func (p *procedure) declaration(name string) string {
	return fmt.Sprintf("void %s(%s)", name, p.declared())
}

// declared are its parameters in C.
func (p *procedure) declared() string {
	return strings.Join(slices.Concat(p.params, []string{"MPI_Fint *ierror"}, p.lengths), ", ")
}

// write writes the procedure.
func (p *procedure) write(w *output.Writer, f *model.Function, name, linkage string) {
	w.Line("\n%s%s\n{", linkage, p.declaration(name))
	p.body(w, f)
	w.Line("}")
}

// body writes its lines.
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

func (p *procedure) declare(format string, args ...any) {
	p.params = append(p.params, fmt.Sprintf(format, args...))
}
func (p *procedure) prepare(format string, args ...any) {
	p.before = append(p.before, fmt.Sprintf(format, args...))
}
func (p *procedure) finish(always bool, format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if always {
		p.always = append(p.always, line)
	} else {
		p.success = append(p.success, line)
	}
}
func (p *procedure) give(format string, args ...any) {
	p.args = append(p.args, fmt.Sprintf(format, args...))
}

// elementsOf is the number of elements of an array, as a C expression.
func elementsOf(q *model.Param) (string, error) {
	switch {
	case q.Length.Param != "" && q.Length.Factor == 1:
		return "*" + q.Length.Param, nil
	case q.Length.Size != "":
		return fmt.Sprintf("%s(c_%s)", q.Length.Size, q.Length.Comm), nil
	}
	return "", fmt.Errorf("an array without a length")
}

// A form is what a procedure does with an argument.
type form int

const (
	asItIs     form = iota // Fortran's reference is C's pointer
	byValue                // C has it by value
	counted                // it counts from 1 in Fortran
	aHandle                // of those in model.HandleTypes
	aStatus                //
	aText                  // a CHARACTER, whose length comes behind all arguments
	aLogical               // that comes out: 1 is true for every compiler
	sentinel               // an address that may be one of Fortran's constants
	addressOut             // an address that comes out
	shortIn                // an INTEGER where C has an address, as MPI-1 has it: one that goes in,
	shortOut               // one that comes out,
	shortArray             // and an array that goes in
)

// sentinels are the conversions of such addresses, by role.
var sentinels = map[string]string{"BUFFER": "BOTTOM", "BUFFER_OR_IN_PLACE": "IN_PLACE", "ATTACH_BUFFER": "ATTACHED", "WEIGHT": "WEIGHTS"}

// formOf is the form of a parameter.
func formOf(f *model.Function, q *model.Param, role mappers.Role) (form, error) {
	short := f.Removed != "" && q.Element() == "MPI_Aint"
	switch {
	case role.Convert == mappers.Handle:
		return aHandle, nil
	case q.Role == "STATUS":
		return aStatus, nil
	case q.Role == "STRING":
		return aText, nil
	case sentinels[q.Role] != "":
		return sentinel, nil
	case q.Role == "ADDRESS" && q.Dir == "out":
		return addressOut, nil
	case slices.Contains([]string{"EXTRA_STATE", "ATTRIBUTE_VAL", "STRING_ARRAY", "STRING_2DARRAY", "ARGV"}, q.Role):
		return 0, fmt.Errorf("role %s of type %s has no form: write the procedure by hand", q.Role, q.Type)
	case short && !q.IsPointer():
		return shortIn, nil
	case short && q.Dir == "out":
		return shortOut, nil
	case short:
		return shortArray, nil
	case !q.IsPointer() && !q.IsTriples():
		return byValue, nil
	case q.Role == "LOGICAL" && q.Dir == "out": // in, any value but 0 is true for C
		return aLogical, nil
	case q.Index:
		return counted, nil
	}
	return asItIs, nil
}

// param adds a parameter.
func (p *procedure) param(f *model.Function, q *model.Param, table *mappers.Table) error {
	form, err := formOf(f, q, table.Roles[q.Role])
	if err != nil {
		return err
	}
	switch form {
	case aHandle:
		return p.handle(q)
	case aStatus:
		return p.status(q)
	case aText:
		return p.text(f, q)
	case sentinel:
		p.declare("%s *%s", q.Element(), q.Name)
		p.give("%s(%s)", sentinels[q.Role], q.Name)
	case addressOut:
		p.declare("void *%s", q.Name)
		p.prepare("void *c_%s;", q.Name)
		p.give("&c_%s", q.Name)
		if p.f08 {
			p.finish(false, "*(void **)%s = c_%s;", q.Name, q.Name)
		} else {
			p.finish(false, "DETACHED(%s, c_%s);", q.Name, q.Name)
		}
	case shortIn:
		p.declare("const MPI_Fint *%s", q.Name)
		p.give("*%s", q.Name)
	case shortOut:
		p.declare("MPI_Fint *%s", q.Name)
		p.prepare("MPI_Aint c_%s;", q.Name)
		p.give("&c_%s", q.Name)
		p.finish(false, "*%s = (MPI_Fint)c_%s;", q.Name, q.Name)
	case shortArray:
		n, err := elementsOf(q)
		if err != nil {
			return err
		}
		p.declare("const MPI_Fint *%s", q.Name)
		p.prepare("ARRAY(MPI_Aint, c_%s, %s)", q.Name, n)
		p.prepare("for (int i = 0; i < %s; i++) c_%s[i] = %s[i];", n, q.Name, q.Name)
		p.give("c_%s", q.Name)
	case byValue:
		p.declare("const %s *%s", q.Element(), q.Name)
		p.give("*%s", q.Name)
	case aLogical:
		p.declare("MPI_Fint *%s", q.Name)
		p.give("%s", q.Name)
		if q.Length == (model.Length{}) {
			p.finish(false, "*%s = *%s != 0;", q.Name, q.Name)
		} else {
			p.finish(false, "for (int i = 0; i < *%s; i++) %s[i] = %s[i] != 0;", q.Length.Param, q.Name, q.Name)
		}
	default:
		p.declare("%s", ctypes.Declaration(q.Type, q.Name))
		p.give("%s", q.Name)
		if form == counted {
			p.index(f, q)
		}
	}
	return nil
}

// index lets what counts from 0 in C count from 1.
func (p *procedure) index(f *model.Function, q *model.Param) {
	if q.Length == (model.Length{}) {
		p.finish(false, "if (*%s != MPI_UNDEFINED) ++*%s;", q.Name, q.Name)
		return
	}
	p.finish(true, "if (rc == MPI_SUCCESS || is_in_status(rc))")
	p.finish(true, "    for (int i = 0; i < *%s; i++) %s[i]++;", f.Has("COUNT", "out").Name, q.Name)
}

func (p *procedure) handle(q *model.Param) error {
	kind, c, pointer := inC(q.Role), "c_"+q.Name, q.IsPointer()
	if p.inC && q.Role != "FILE" {
		p.declare("%sMPI_Fint *%s", map[bool]string{true: "const "}[!pointer || q.IsConst()], q.Name)
		p.give("%s%s", map[bool]string{false: "*"}[pointer], q.Name)
		return nil
	}
	to, from := "INNER(MPI_"+kind+"_f2c)", "INNER(MPI_"+kind+"_c2f)"
	if q.Role == "ERRHANDLER" || q.Role == "INFO" || q.Role == "SESSION" { // also without MPI_Init: openmpi.h
		to, from = kind+"_f2c", kind+"_c2f"
	}
	if !pointer || q.Dir == "in" && q.Length == (model.Length{}) {
		p.declare("const MPI_Fint *%s", q.Name)
		// First, since a communicator says how many elements an array has.
		p.first = append(p.first, fmt.Sprintf("%s %s = %s(*%s);", model.HandleTypes[q.Role], c, to, q.Name))
		if pointer {
			c = "&" + c
		}
		p.give("%s", c)
		return nil
	}
	if q.Length != (model.Length{}) {
		n, err := elementsOf(q)
		if err != nil {
			return err
		}
		p.declare("%sMPI_Fint *%s", map[bool]string{true: "const "}[q.Dir == "in"], q.Name)
		if q.Length.Unless != "" { // the first parameter
			n = fmt.Sprintf("(%s == MPI_IN_PLACE ? 0 : %s)", p.args[0], n) // then it means nothing
		}
		p.prepare("const int n_%s = %s;", q.Name, n)
		p.prepare("ARRAY(%s, %s, n_%s)", model.HandleTypes[q.Role], c, q.Name)
		start := fmt.Sprintf("%s(%s[i])", to, q.Name)
		if q.Dir == "out" {
			start = model.NullName(q.Role)
		}
		p.prepare("for (int i = 0; i < n_%s; i++) %s[i] = %s;", q.Name, c, start)
		p.give("%s", c)
		if q.Dir != "in" {
			p.finish(q.Dir == "inout", "for (int i = 0; i < n_%s; i++) %s[i] = %s(%s[i]);", q.Name, q.Name, from, c)
		}
		return nil
	}
	p.declare("MPI_Fint *%s", q.Name)
	if q.Dir == "inout" {
		p.prepare("%s %s = %s(*%s);", model.HandleTypes[q.Role], c, to, q.Name)
		p.finish(true, "*%s = %s(%s);", q.Name, from, c)
	} else {
		p.prepare("%s %s = %s;", model.HandleTypes[q.Role], c, model.NullName(q.Role))
		p.finish(false, "*%s = %s(%s);", q.Name, from, c)
	}
	p.give("&%s", c)
	return nil
}

// status takes a Fortran status to a C one, which is aligned as the former need not be,
// and back: what a call leaves alone stays as it is.
func (p *procedure) status(q *model.Param) error {
	c := "c_" + q.Name
	switch {
	case p.inC:
		several := map[bool]string{true: "ES"}[q.Length != (model.Length{})]
		p.declare("%sMPI_Fint *%s", map[bool]string{true: "const "}[q.Dir == "in"], q.Name)
		p.give("NO_STATUS%[1]s(%[2]s) ? MPI_STATUS%[1]s_IGNORE : (MPI_Status *)%[2]s", several, q.Name)
	case q.Length != (model.Length{}):
		n, err := elementsOf(q)
		if err != nil {
			return err
		}
		p.declare("MPI_Fint *%s", q.Name)
		p.prepare("const int n_%s = NO_STATUSES(%s) ? 0 : %s;", q.Name, q.Name, n)
		p.prepare("ARRAY(MPI_Status, %s, n_%s)", c, q.Name)
		p.prepare("STATUSES(%s, %s, n_%s);", c, q.Name, q.Name)
		p.give("NO_STATUSES(%s) ? MPI_STATUSES_IGNORE : %s", q.Name, c)
		p.finish(true, "STATUSES(%s, %s, n_%s);", q.Name, c, q.Name)
	default:
		in := q.Dir == "in"
		p.declare("%sMPI_Fint *%s", map[bool]string{true: "const "}[in], q.Name)
		p.prepare("MPI_Status %s;", c)
		p.prepare("STATUSES(&%s, %s, !NO_STATUS(%s));", c, q.Name, q.Name)
		p.give("NO_STATUS(%s) ? MPI_STATUS_IGNORE : &%s", q.Name, c)
		if !in {
			p.finish(true, "STATUSES(%s, &%s, !NO_STATUS(%s));", q.Name, c, q.Name)
		}
	}
	return nil
}

func (p *procedure) text(f *model.Function, q *model.Param) error {
	p.lengths = append(p.lengths, "int length_"+q.Name)
	c, length := "c_"+q.Name, "length_"+q.Name
	if q.Dir == "in" {
		p.declare("const char *%s", q.Name)
		p.prepare("ARRAY(char, %s, STRING_SIZE(%s))", c, length)
		p.prepare("%s_in(%s, %s, %s);", map[bool]string{true: "info", false: "string"}[f.Chapter == "info"], c, q.Name, length)
		p.give("%s", c)
		return nil
	}
	size := q.Limit
	if size == "" {
		l := f.Has("LENGTH", "in")
		if l == nil {
			return fmt.Errorf("a string without a limit")
		}
		size = "STRING_SIZE(*" + l.Name + ")"
	}
	p.declare("char *%s", q.Name)
	p.prepare("ARRAY(char, %s, %s)", c, size)
	p.prepare("*%s = 0;", c)
	p.give("%s", c)
	condition := ""
	if flag := f.Flag(); flag != "" {
		condition = fmt.Sprintf("if (*%s) ", flag)
	}
	p.finish(false, "%sstring_out(%s, %s, %s);", condition, q.Name, length, c)
	return nil
}

// inC is what the conversions of a kind of handle are called.
func inC(role string) string {
	if role == "DATATYPE" {
		return "Type"
	}
	return strings.TrimPrefix(model.HandleTypes[role], "MPI_")
}
