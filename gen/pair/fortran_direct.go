package pair

import (
	"fmt"
	"strings"

	"wi4go/gen/assembly"
	"wi4go/gen/ctypes"
	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
)

// FortranDirect reports whether a pair has the Fortran procedure of a function in C, and whether it
// has it in assembly. Such a procedure calls the runtime directly, without the function in C.
func FortranDirect(pair *plan.Pair, of *plan.Plan) (inC, inAssembly bool) {
	inC = of.Function.Fortran == model.FortranDirect && pair.A.HandleBits != 32
	return inC, assembly.FitsFortran(pair, of)
}

// fortranDirect writes the bodies of the Fortran procedures that programs call most
// (shim/front/fortran_direct.h), and their table. They are printed from the plans, with Fortran's
// integers instead of handles. If Fortran's integers are C's handles, the body is in assembly or
// there is none.
func (p *Pair) fortranDirect(w *output.Writer) error {
	// rows are the rows of the table: slot, whether the procedure takes descriptors, the C
	// body, the assembly, and the variable with the fallback.
	var rows []string
	for _, plan := range p.Plans {
		f, body, fast := plan.Function, "0", "0"
		inC, inAssembly := FortranDirect(&p.Pair, plan)
		if inC {
			body = "(void *)direct_" + f.Name
		} else if !inAssembly {
			continue
		}
		if inAssembly { // the assembly needs the C function to bail out to
			fast = fmt.Sprintf("FORTRAN_FAST(%s)", f.Name)
			w.Line("\nHIDDEN void PAIR(fortran_%s)(void);", f.Name)
			if !inC {
				w.Line("#define library_%[1]s PAIR(library_%[1]s)\nHIDDEN void *library_%[1]s;", f.Name)
			} else {
				w.Line("#define direct_%[1]s PAIR(direct_%[1]s)", f.Name)
			}
		}
		if inC {
			if err := p.directBody(w, plan, inAssembly); err != nil {
				return fmt.Errorf("%s: \"fortran\": \"frequent\": %w", f.Name, err)
			}
		}
		rows = append(rows, fmt.Sprintf("    {SLOT_%[1]s, 0, %[2]s, %[3]s, &library_%[1]s},", f.Name, body, fast))
		if assembly.FitsDescribed(&p.Pair, plan) {
			w.Line("HIDDEN void PAIR(described_%[1]s)(void);\n#define library_described_%[1]s PAIR(library_described_%[1]s)\nHIDDEN void *library_described_%[1]s;", f.Name)
			rows = append(rows, fmt.Sprintf("    {SLOT_%[1]s, 1, 0, DESCRIBED_FAST(%[1]s), &library_described_%[1]s},", f.Name))
		}
	}
	w.Line("\nextern const struct wi4go_direct_body PAIR(direct_bodies)[] HIDDEN;\nconst struct wi4go_direct_body PAIR(direct_bodies)[] = {\n%s\n    {0, 0, 0, 0, 0},\n};", strings.Join(rows, "\n"))
	return nil
}

// directBody writes one body. It looks handles up first, so that a call with a handle that is
// not found directly can continue in the fallback with its arguments unchanged.
func (p *Pair) directBody(w *output.Writer, plan *plan.Plan, inAssembly bool) error {
	f := plan.Function
	// params are the parameters of the Fortran procedure, values the parameters of the inner
	// function and innerArguments its arguments. conditions are the conditions under which this
	// body serves the call. cacheCalls are calls that cache a handle for the next time.
	var params, values, innerArguments, conditions, cacheCalls []string
	arrays := isOfMany(plan)
	if arrays {
		values, innerArguments = append(values, "struct request_arrays *x"), append(innerArguments, "&arrays")
	}
	for i, q := range plan.Arguments {
		of, err := fortranParamOf(&f.Params[i], q)
		if err != nil {
			return fmt.Errorf("parameter %s: %w", q.Name, err)
		}
		params = append(params, ctypes.Declaration(of.param, q.Name))
		values = append(values, ctypes.Declaration(of.inside, of.name))
		innerArguments = append(innerArguments, of.value)
		conditions = append(conditions, p.directConditions(plan, i, q)...)
		if kind, in := handleIn(q); in {
			cacheCalls = append(cacheCalls, fmt.Sprintf("%s_cache_enter(*%s);", kind, q.Name))
		}
	}
	name := f.Name
	head := fmt.Sprintf("%s(%s, MPI_Fint *ierror)", name, strings.Join(params, ", "))
	arguments := strings.Join(f.Names(), ", ") + ", ierror"
	w.Line("\nstatic void *library_%s;", name)
	// The function for unusual calls runs the fallback, and then caches the handles that this
	// call has used.
	if len(conditions) > 0 {
		w.Line("static __attribute__((noinline)) void unusual_%s\n{", head)
		w.Line("    ((__typeof__(unusual_%s) *)library_%s)(%s);", name, name, arguments)
		if p.R.HandleBits != 32 {
			for _, line := range cacheCalls {
				w.Line("    %s", line)
			}
		}
		w.Line("}")
	}
	w.Line("static inline __attribute__((always_inline)) int inside_%s(%s)\n{", name, strings.Join(values, ", "))
	for _, line := range p.fortranLines(plan) {
		w.Line("    %s", line)
	}
	w.Line("}")
	if inAssembly {
		w.Line("HIDDEN void direct_%s;\nHIDDEN void direct_%s\n{", head, head)
	} else {
		w.Line("static void direct_%s\n{", head)
	}
	if arrays {
		w.Line("    struct request_arrays arrays;")
	}
	// Convert the handles, check the conditions, and only then call the inner function.
	for _, q := range plan.Arguments {
		if kind, in := handleIn(q); in {
			w.Line("    const R_%s r_%s = %s_f2r(*%s);", model.HandleTypes[kind], q.Name, kind, q.Name)
		}
	}
	if len(conditions) > 0 {
		w.Line("    if (unlikely(!(%s))) {\n        unusual_%s(%s);\n        return;\n    }", strings.Join(conditions, " && "), name, arguments)
	}
	w.Line("    const int rc = inside_%s(%s);", name, strings.Join(innerArguments, ", "))
	w.Line("    %s*ierror = rc;\n}", output.If(f.ErrorMayBeAbsent(), "if (likely(ierror != NULL)) "))
	if inAssembly {
		w.WriteString(p.finisher(plan, true))
	}
	return nil
}

// handleIn returns the kind of a handle that the call reads, and reports whether the argument
// is one.
func handleIn(q plan.Argument) (kind string, is bool) {
	a, is := q.Action.(plan.HandleIn)
	return a.Kind, is
}

// directConditions returns the conditions under which the body can serve an argument: a handle is found
// directly and not refused, and a request is not tracked by wi4go. The condition for an array of
// requests also converts it.
func (p *Pair) directConditions(of *plan.Plan, i int, q plan.Argument) (conditions []string) {
	if _, completes := q.Action.(plan.RequestInOut); completes {
		conditions = append(conditions, fmt.Sprintf("is_plain_request(*%s)", q.Name))
	}
	if a, many := q.Action.(plan.RequestsInOut); many {
		conditions = append(conditions, fmt.Sprintf("fortran_requests_convert(&arrays, *%s, %s)", a.Length, q.Name))
	}
	kind, in := handleIn(q)
	if in && p.R.HandleBits != 32 {
		conditions = append(conditions, "r_"+q.Name)
	}
	if r := of.Refusal; in && r != nil && r.Argument == i {
		conditions = append(conditions, fmt.Sprintf("r_%s != R_%s", q.Name, model.NullName(kind)))
	}
	return conditions
}

// A fortranParam is a parameter of a Fortran procedure: its C type, the type and the name of
// the value in the inner function, and the expression for that value.
type fortranParam struct{ param, inside, name, value string }

// fortranParamOf returns the parameter for an argument. It returns an error if the argument's action
// has no form there.
func fortranParamOf(q *model.Param, argument plan.Argument) (fortranParam, error) {
	same := func(param, inside string) (fortranParam, error) {
		return fortranParam{param, inside, q.Name, q.Name}, nil
	}
	switch a := argument.Action.(type) {
	case plan.HandleIn:
		return fortranParam{"const MPI_Fint *", "R_" + model.HandleTypes[a.Kind], "r_" + q.Name, "r_" + q.Name}, nil
	case plan.RequestOut:
		if a.Starts {
			return same("MPI_Fint *", "MPI_Fint *")
		}
	case plan.RequestInOut:
		if a.Completed {
			return same("MPI_Fint *", "MPI_Fint *")
		}
	case plan.RequestsInOut:
		if a.Completed {
			return same("MPI_Fint *", "MPI_Fint *")
		}
	case plan.StatusIn: // a Fortran status has the layout of a C status, and no instruction requires its alignment
		return fortranParam{"const MPI_Fint *", "const A_MPI_Status *", q.Name, "(const A_MPI_Status *)" + q.Name}, nil
	case plan.StatusOut, plan.StatusesOut:
		return fortranParam{"MPI_Fint *", "A_MPI_Status *", q.Name, "(A_MPI_Status *)" + q.Name}, nil
	case plan.Unchanged, plan.ValueIn, plan.AddressIn, plan.ValueOut:
		switch argument.Fortran {
		case plan.ToMemory:
			return fortranParam{q.Type, q.Type, q.Name, fmt.Sprintf("fortran_buffer(%s)", q.Name)}, nil
		case plan.ToMemoryOrInPlace:
			return fortranParam{q.Type, q.Type, q.Name, fmt.Sprintf("fortran_in_place(%s)", q.Name)}, nil
		case plan.AsInC:
			return same(q.Type, q.Type)
		case plan.ToInt, plan.ToAint:
			return fortranParam{"const " + q.Type + " *", q.Type, q.Name, "*" + q.Name}, nil
		}
	}
	return fortranParam{}, fmt.Errorf("%T of type %s has no direct conversion", argument.Action, q.Type)
}
