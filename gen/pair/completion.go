package pair

import (
	"fmt"
	"slices"
	"strings"

	"wi4go/gen/ctypes"
	"wi4go/gen/output"
	"wi4go/gen/plan"
)

// This file prints the conversion of arrays of requests and their statuses. The runtime's arrays
// are in x, a struct request_arrays (mappers/requests.h).

// takesStatuses reports whether the plan has an array of statuses.
func takesStatuses(of *plan.Plan) bool {
	return slices.ContainsFunc(of.Arguments, func(q plan.Argument) bool {
		_, is := q.Action.(plan.StatusesOut)
		return is
	})
}

// isOfMany reports whether the plan has an array of requests.
func isOfMany(of *plan.Plan) bool {
	return slices.ContainsFunc(of.Arguments, func(q plan.Argument) bool {
		_, is := q.Action.(plan.RequestsInOut)
		return is
	})
}

// ofMany adds the conversion of an argument of a function that has an array of requests. The
// variables for results get a value before the call, because the code after it reads them even if
// the runtime has not set them.
func (b *body) ofMany(q plan.Argument) {
	switch a := q.Action.(type) {
	case plan.RequestsInOut:
		b.requests(q, a)
	case plan.StatusesOut:
		b.statuses(q, a)
	case plan.IndexOut:
		b.addBefore("if (likely(%s)) *%s = R_MPI_UNDEFINED;", q.Name, q.Name)
		b.addArgument("%s", q.Name)
	case plan.NumberOut:
		b.addBefore("if (likely(%s)) *%s = 0;", q.Name, q.Name)
		b.addArgument("%s", q.Name)
	case plan.IndicesOut:
		b.addArgument("%s", q.Name)
	}
}

// requests adds the conversion of an array of requests. A Fortran procedure has taken its requests
// before (Pair.directConditions).
func (b *body) requests(q plan.Argument, a plan.RequestsInOut) {
	fortran := output.If(b.fortran, "fortran_")
	if !b.fortran {
		b.addBefore("ARRAYS arrays;")
		b.addBefore("struct request_arrays *const x = &arrays;")
		b.addBefore("%srequests_take(x, %s, %s);", output.If(takesStatuses(b.plan), "const size_t n = "), a.Length, q.Name)
	}
	b.addArgument("x->r")
	if a.Restarted {
		b.always = append(b.always, fmt.Sprintf("requests_restarted(x, %s);", q.Name))
	}
	after := fmt.Sprintf("%srequests_after(x, %s);", fortran, q.Name)
	c := b.plan.Completion
	switch c.Kind {
	case plan.CompletesAll:
		b.always = append(b.always, output.If(b.outputsValid() != "", "if (rc || "+b.outputsValid()+") ")+after)
		return
	case plan.CompletesAny, plan.CompletesSome:
		// Any request may have ended if the call has failed.
		b.failure = append(b.failure, after)
	}
	result := b.plan.Arguments[c.Result].Name
	switch c.Kind {
	case plan.CompletesAny:
		b.onSuccess("%srequest_after(x, %s, %s);", ifClause(b.outputsValid()), q.Name, result)
	case plan.CompletesSome:
		b.onSuccess("if (*%s <= 0) return 0; /* MPI_UNDEFINED too */", result)
		b.onSuccess("%s", after)
	}
}

// statuses adds the conversion of an array of statuses.
func (b *body) statuses(q plan.Argument, a plan.StatusesOut) {
	if b.fortran {
		b.addBefore("fortran_statuses_take(x, %s);", q.Name)
	} else {
		b.addBefore("statuses_take(x, n, %s);", q.Name)
	}
	b.addArgument("x->s")
	set, valid := "x->n", b.outputsValid()
	if a.Valid != a.Length {
		set = fmt.Sprintf("statuses_set(%s)", a.Valid)
		valid = ""
	}
	b.failure = append(b.failure, fmt.Sprintf("statuses_failed(x, %s, %s, rc);", q.Name, set))
	if a.Succeeds {
		b.onSuccess("statuses_succeed(x);")
	}
	b.onSuccess("%sstatuses_after(x, %s, %s);", ifClause(valid), q.Name, set)
}

// finisher returns the function with which the assembly of a completion lets C finish a call: if
// the call has failed, a request has not ended, or a status is special. Some requests and statuses
// may be converted already. It returns the program's error code. Its arguments are the count, the
// program's requests and statuses (or status), the runtime's, the code that the call has returned,
// and the variables for the index or number and for the flag. finisher returns "" if the function
// completes no array of requests.
func (p *Pair) finisher(of *plan.Plan, fortran bool) string {
	f, c := of.Function, of.Completion
	if c.Kind == plan.CompletesNone {
		return ""
	}
	b := &body{Pair: p, plan: of, fortran: fortran, finishes: true}
	b.arguments()
	declared := ctypes.Declarations(f)
	name, requests, statuses := "finish_"+f.Name, declared[c.Requests], declared[c.Statuses]
	if fortran {
		name, requests = "fortran_"+name, ctypes.Declaration("MPI_Fint *", of.Arguments[c.Requests].Name)
	}
	params := []string{declared[0], requests, statuses, "R_MPI_Request *r", "R_MPI_Status *s", "int rc"}
	switch {
	case c.Result > 0:
		params = append(params, declared[c.Result])
	case of.FlagIndex >= 0:
		params = append(params, "int unused")
	}
	if of.FlagIndex >= 0 {
		params = append(params, declared[of.FlagIndex])
	}
	w := &output.Writer{}
	w.Line("#if FAST_PATHS\nHIDDEN int PAIR(%s)(%s)\n{", name, strings.Join(params, ", "))
	w.Line("    struct request_arrays arrays = {.r = r, .s = s, .n = (size_t)%s}, *const x = &arrays;", of.Arguments[0].Name)
	for _, line := range b.afterCall() {
		w.Line("    %s", line)
	}
	w.Line("}\n#endif")
	return w.String()
}
