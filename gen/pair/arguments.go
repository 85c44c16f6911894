package pair

import (
	"fmt"

	"wi4go/gen/output"
	"wi4go/gen/plan"
)

// argument adds the conversions of argument i.
func (b *body) argument(i int, q plan.Argument) {
	switch a := q.Action.(type) {
	case plan.Unchanged:
		b.addArgument("%s", q.Name)
		if b.fortran && i == b.plan.FlagIndex {
			b.onSuccess("*%[1]s = *%[1]s != 0;", q.Name) // true is 1 for every Fortran compiler
		}
	case plan.HandleIn:
		b.handleIn(q, a)
	case plan.HandlesIn:
		b.handles(q, a)
	case plan.HandleOut:
		b.handleOut(q, a)
	case plan.HandleInOut:
		b.handleInOut(q, a)
	case plan.RequestOut:
		b.requestOut(q, a)
	case plan.RequestInOut:
		b.requestInOut(i, q, a)
	case plan.RequestsInOut, plan.StatusesOut, plan.IndexOut, plan.NumberOut, plan.IndicesOut:
		b.ofMany(q)
	case plan.StatusIn, plan.StatusInOut, plan.StatusOut:
		b.status(q)
	default:
		b.value(q)
	}
}

// value adds the conversion of an argument that is no handle and no status.
func (b *body) value(q plan.Argument) {
	r := "r_" + q.Name
	switch a := q.Action.(type) {
	case plan.ValueIn:
		b.addArgument("%s_a2r(%s)", a.Conversion, q.Name)
	case plan.ValuesIn:
		b.valuesIn(q, a)
	case plan.ValuesOut:
		b.addArgument("%s", q.Name)
		special := ""
		if a.Negative {
			special = fmt.Sprintf("unlikely(any_negative(%s, %s))", q.Name, a.Length)
		}
		b.onSuccess("%sfor (int i = 0; i < %s; i++) %s[i] = %s_r2a(%s[i]);", ifClause(special), a.Length, q.Name, a.Conversion, q.Name)
	case plan.ValueOut:
		b.addArgument("%s", q.Name)
		// A null pointer is left alone.
		guard := b.outputsValid()
		if guard == "" {
			guard = q.Name
		}
		b.onSuccess("%s*%s = %s_r2a(*%s);", ifClause(guard), q.Name, a.Conversion, q.Name)
	case plan.ValueInOut:
		b.addBefore("int %s = %s ? %s_a2r(*%s) : 0;", r, q.Name, a.Conversion, q.Name)
		b.addArgument("%s ? &%s : NULL", q.Name, r)
		b.onSuccess("%s*%s = %s_r2a(%s);", ifClause(q.Name), q.Name, a.Conversion, r)
	case plan.AddressIn:
		b.addArgument("%s_a2r(%s)", a.Conversion, q.Name)
	// Error codes and classes have conversions of their own.
	case plan.ErrorIn:
		b.addArgument("error_a2r(%s)", q.Name)
	case plan.ErrorOut:
		b.addArgument("%s", q.Name)
		b.onSuccess("*%s = %s_r2a(*%s);", q.Name, map[bool]string{false: "error", true: "class"}[a.Class], q.Name)
	// The runtime's limit is larger than the program's, so the text comes into a local buffer
	// and is cut.
	case plan.TextOut:
		written := "NULL"
		if a.Written != "" {
			written = a.Written
		}
		b.addBefore("char %s[R_%s + 1];", r, a.Limit)
		b.addBefore("%s[0] = 0;", r)
		b.addArgument("%s ? %s : NULL", q.Name, r)
		b.onSuccess("cut_string(%s, A_%s, %s, %s);", q.Name, a.Limit, r, written)
	}
}

// valuesIn adds the conversion of an array of integers, which lives on scratch memory during the
// call. If none of them has a special value, the runtime gets the program's array.
func (b *body) valuesIn(q plan.Argument, a plan.ValuesIn) {
	r := "r_" + q.Name
	if b.plainValues {
		b.addArgument("%s", q.Name)
		return
	}
	if a.Negative {
		b.addBefore("const %s *r_%s = %s;", a.Element, q.Name, q.Name)
		b.addBefore("const size_t n_%s = %s && unlikely(any_negative(%s, %s)) ? (size_t)%s : 0;", q.Name, q.Name, q.Name, a.Length, a.Length)
		b.addBefore("if (unlikely(n_%s)) {", q.Name)
		b.addBefore("    %s *to = wi4go_scratch_alloc(n_%s * sizeof *to);", a.Element, q.Name)
		b.addBefore("    for (size_t i = 0; i < n_%s; i++) to[i] = %s_a2r(%s[i]);", q.Name, a.Conversion, q.Name)
		b.addBefore("    r_%s = to;", q.Name)
		b.addBefore("}")
		b.addArgument("%s", r)
		b.onExit("if (unlikely(n_%s)) wi4go_scratch_free((void *)%s, n_%s * sizeof *%s);", q.Name, r, q.Name, r)
		return
	}
	b.addBefore("size_t n_%s = %s > 0 && %s ? (size_t)%s : 0;", q.Name, a.Length, q.Name, a.Length)
	b.addBefore("%s *%s = wi4go_scratch_alloc(n_%s * sizeof *%s);", a.Element, r, q.Name, r)
	b.addBefore("for (size_t i = 0; i < n_%s; i++) %s[i] = %s_a2r(%s[i]);", q.Name, r, a.Conversion, q.Name)
	b.addArgument("%s ? %s : NULL", q.Name, r)
	b.onExit("wi4go_scratch_free(%s, n_%s * sizeof *%s);", r, q.Name, r)
}

// status adds the conversion of a status. The runtime always gets its own status, which is
// cheaper than a choice; only a call with many requests passes MPI_STATUS_IGNORE on. After an error
// the status is valid only if the call has set it.
func (b *body) status(q plan.Argument) {
	r := "r_" + q.Name
	b.addBefore("R_MPI_Status %s;", r)
	at := "&" + r
	if b.finishes {
		at = "s"
	}
	a, out := q.Action.(plan.StatusOut)
	// An input status is converted before the call, and back only if the call changes it.
	if !out {
		convert := "status_a2r_count"
		if _, at := q.Action.(plan.StatusInOut); at {
			convert = "status_a2r"
			b.onSuccess("if (!NO_STATUS(%s)) status_r2a_all(&%s, %s);", q.Name, r, q.Name)
		}
		b.addBefore("if (!NO_STATUS(%s)) %s(%s, &%s);", q.Name, convert, q.Name, r)
		b.addArgument("NO_STATUS(%s) ? NULL : &%s", q.Name, r)
		return
	}
	condition := q.Name + " != A_MPI_STATUS_IGNORE"
	if b.fortran {
		condition = fmt.Sprintf("!is_fortran_status_ignore(%s)", q.Name)
	}
	b.addBefore("status_unset%s(&%s);", output.If(a.Empty, "_empty"), r)
	b.addArgument("%s&%s", output.If(a.Unset, q.Name+" == A_MPI_STATUS_IGNORE ? R_MPI_STATUS_IGNORE : "), r)
	set := fmt.Sprintf("status_is_set(%s)", at)
	b.failure = append(b.failure, fmt.Sprintf("if (%s && %s) status_r2a_special(%s, %s);", condition, set, at, q.Name))
	b.onSuccess("%sstatus_r2a%s(%s, %s);", ifClause(b.outputsValid(), condition, output.If(a.Unset, set)), output.If(a.Filled, "_filled"), at, q.Name)
}
