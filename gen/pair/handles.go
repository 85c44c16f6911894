package pair

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
)

// handleIn adds the conversion of a handle that the program passes.
func (b *body) handleIn(q plan.Argument, a plan.HandleIn) {
	r := "r_" + q.Name
	if b.fortran { // it has been looked up
		b.addArgument("%s", r)
		return
	}
	// An idle handle may hold anything, so its conversion must not follow it.
	convert := b.handle(a.Kind, q.Name)
	if a.Ignorable {
		convert = fmt.Sprintf("%s_a2r_idle(%s)", a.Kind, q.Name)
	}
	if b.declare(r) {
		b.addBefore("R_%s %s = %s;", model.HandleTypes[a.Kind], r, convert)
	}
	b.addArgument("%s", r)
}

// handleOut adds the conversion of the handle of an object that the runtime returns.
func (b *body) handleOut(q plan.Argument, a plan.HandleOut) {
	r := "r_" + q.Name
	if a.Later {
		b.addBefore("kept = tracked_new();")
		b.addArgument("record_%s(kept, %s)", strings.ToLower(a.Kind), q.Name)
		b.onSuccess("tracked_deliver(kept);")
		return
	}
	// A library that fails may still give the null handle.
	b.addBefore("R_%s %s = NO_HANDLE(R_%s);", model.HandleTypes[a.Kind], r, model.HandleTypes[a.Kind])
	b.failure = append(b.failure, fmt.Sprintf("if (%s && %s == R_%s) *%s = %s_r2a(%s);", q.Name, r, model.NullName(a.Kind), q.Name, a.Kind, r))
	b.addArgument("%s ? &%s : NULL", q.Name, r)
	there := ""
	// MPICH returns success without a file if an error handler of the program has returned.
	if a.MayBeNone {
		there = fmt.Sprintf("%s != NO_HANDLE(R_%s)", r, model.HandleTypes[a.Kind])
	}
	b.onSuccess("%s*%s = %s_r2a%s(%s);", ifClause(q.Name, b.outputsValid(), there), q.Name, a.Kind, output.If(a.Borrowed, "_borrow"), r)
}

// handleInOut adds the conversion of a handle that the call may change.
func (b *body) handleInOut(q plan.Argument, a plan.HandleInOut) {
	r := "r_" + q.Name
	b.variable(q.Name, a.Kind, a.Dereferences)
	switch {
	// The object may end even if the call fails.
	case a.Completes:
		b.always = append(b.always, fmt.Sprintf("if (%s) *%s = %s_after(*%s, %s);", q.Name, q.Name, a.Kind, q.Name, r))
	case a.Ends:
		b.onSuccess("*%s = %s_after(*%s, %s);", q.Name, a.Kind, q.Name, r)
	}
}

// variable adds the conversion of a handle in a variable.
func (b *body) variable(name, kind string, dereferences bool) {
	b.addBefore("R_%s r_%s = %s ? %s : 0;", model.HandleTypes[kind], name, name, b.handle(kind, "*"+name))
	present := name
	if dereferences {
		present = "r_" + name
	}
	b.addArgument("%s ? &r_%s : NULL", present, name)
}

// requestOut adds the conversion of a request that the call starts.
func (b *body) requestOut(q plan.Argument, a plan.RequestOut) {
	r := "r_" + q.Name
	b.addBefore("R_MPI_Request %s;", r)
	if b.fortran { // no argument may be absent but ierror
		b.addArgument("&%s", r)
	} else {
		b.addArgument("%s ? &%s : NULL", q.Name, r)
	}
	convert := fmt.Sprintf("REQUEST_r2a(%s)", r)
	switch {
	case b.fortran:
		convert = fmt.Sprintf("REQUEST_r2f_started(%s)", r)
	// The request owns the converted arrays.
	case b.plan.Interned != nil && b.plan.KeepsArrays:
		convert = fmt.Sprintf("kept ? REQUEST_tracked(%s, kept) : REQUEST_r2a%s(%s)", r, output.If(a.Persistent, "_persistent"), r)
	case b.plan.KeepsArrays:
		convert = fmt.Sprintf("REQUEST_tracked(%s, kept)", r)
	case a.Persistent:
		convert = fmt.Sprintf("REQUEST_r2a_persistent(%s)", r)
	case a.Starts:
		convert = fmt.Sprintf("REQUEST_r2a_started(%s)", r)
	}
	b.onSuccess("%s*%s = %s;", ifClause(b.outputsValid()), q.Name, convert)
}

// requestInOut adds the conversion of a request, argument i, that the call completes or restarts.
func (b *body) requestInOut(i int, q plan.Argument, a plan.RequestInOut) {
	r := "r_" + q.Name
	if b.fortran { // only a request that the call completes
		b.addBefore("R_MPI_Request %s = request_f2r(*%s);", r, q.Name)
		b.addArgument("&%s", r)
		b.always = append(b.always, fmt.Sprintf("if (%s == R_MPI_REQUEST_NULL) *%s = null_request;", r, q.Name))
		return
	}
	b.variable(q.Name, "REQUEST", a.Dereferences)
	switch {
	case a.Completed:
		b.null(i)
		b.always = append(b.always, fmt.Sprintf("if (%s) *%s = REQUEST_after(*%s, %s);", q.Name, q.Name, q.Name, r))
	// The runtime may give a started request another handle.
	case a.Restarted:
		b.addBefore("const R_MPI_Request started_%s = %s;", q.Name, r)
		b.onSuccess("if (unlikely(%[3]s != started_%[1]s)) *%[1]s = REQUEST_restarted(*%[1]s, %[3]s);", q.Name, q.Name, r)
	}
}

// null adds the statement that completes a null request, in argument i, without the runtime.
func (b *body) null(i int) {
	n := b.plan.Null
	if n == nil || n.Request != i {
		return
	}
	name, flag, ifFlag := b.plan.Arguments[i].Name, "NULL", ""
	if b.plan.FlagIndex >= 0 {
		flag = b.plan.Arguments[b.plan.FlagIndex].Name
		ifFlag = " && " + flag
	}
	b.before = append([]string{fmt.Sprintf("if (%s && *%s == A_MPI_REQUEST_NULL%s) return null_completed(%s, %s);",
		name, name, ifFlag, flag, b.plan.Arguments[n.Status].Name)}, b.before...)
}

// size returns the variable with a length that depends on a communicator. It adds the variable,
// after the runtime's handle of the communicator, once for all arrays of that length.
func (b *body) size(l model.Length) string {
	name := "n_" + l.Size
	if b.declare("r_" + l.Comm) {
		b.addBefore("R_MPI_Comm r_%s = %s;", l.Comm, b.handle("COMM", l.Comm))
	}
	if b.declare(name) {
		b.addBefore("const size_t %s = %s(r_%s);", name, l.Size, l.Comm)
	}
	return name
}

// declare reports whether a variable has not been declared yet, and notes that it is now.
func (b *body) declare(name string) bool {
	if slices.Contains(b.declared, name) {
		return false
	}
	b.declared = append(b.declared, name)
	return true
}

// handles adds the conversion of an array of handles.
func (b *body) handles(q plan.Argument, a plan.HandlesIn) {
	r := "r_" + q.Name
	condition := q.Name
	if a.Length.Unless != "" {
		condition += fmt.Sprintf(" && %s != A_MPI_IN_PLACE", a.Length.Unless)
	}
	if a.Alias != "" {
		condition += fmt.Sprintf(" && %s != %s", q.Name, a.Alias)
	}
	// The length depends on the communicator, or is another argument.
	var n string
	if a.Length.Size != "" {
		n = b.size(a.Length)
	} else if n = "n_" + a.Length.Param; b.declare(n) {
		b.addBefore("const size_t %s = %s > 0 ? (size_t)%s : 0;", n, a.Length.Param, a.Length.Param)
	}
	b.intern()
	if b.plan.Interned != nil {
		condition += " && !interned_arrays"
	}
	b.addBefore("R_%s *%s = NULL%s;", model.HandleTypes[a.Kind], r, output.If(!b.plan.KeepsArrays, ", small_"+q.Name+"[SMALL]"))
	b.addBefore("if (%s) {", condition)
	b.addBefore("    %s = %s;", r, b.memory(q.Name, n))
	b.addBefore("    for (size_t i = 0; i < %s; i++) %s[i] = %s_a2r(%s[i]);", n, r, a.Kind, q.Name)
	b.addBefore("}")
	// If the program passes one array twice, the runtime gets one array too.
	argument := r
	if a.Alias != "" {
		argument = fmt.Sprintf("%s == %s ? r_%s : %s", q.Name, a.Alias, a.Alias, r)
	}
	if at := b.plan.Interned; at != nil {
		member := output.If(q.Name == b.plan.Arguments[at.Send].Name, "send")
		argument = fmt.Sprintf("interned_arrays ? interned_arrays->%s : %s", cmp.Or(member, "recv"), argument)
	}
	b.addArgument("%s", argument)
}

// intern adds the look-up of the interned copies of two arrays, once.
func (b *body) intern() {
	at := b.plan.Interned
	if at == nil || !b.declare("interned_arrays") {
		return
	}
	arguments := []string{"r_" + b.plan.Arguments[at.Send].Action.(plan.HandlesIn).Length.Comm, at.With}
	for _, i := range []int{at.Send, at.Recv} {
		q := b.plan.Arguments[i]
		length := q.Action.(plan.HandlesIn).Length
		array := q.Name
		if length.Unless != "" {
			array = fmt.Sprintf("%s == A_MPI_IN_PLACE ? NULL : %s", length.Unless, q.Name)
		}
		arguments = append(arguments, array, b.size(length))
	}
	b.addBefore("const struct interned_types *const interned_arrays = intern_types(%s);", strings.Join(arguments, ", "))
}

// memory returns the expression for the memory of a converted array of n handles. It lives as long
// as the request that the call starts, or during the call: on the stack, or as scratch memory if
// the array is large.
func (b *body) memory(name, n string) string {
	bytes := fmt.Sprintf("%s * sizeof *r_%s", n, name)
	if b.plan.KeepsArrays {
		return fmt.Sprintf("tracked_array(&kept, %s)", bytes)
	}
	b.onExit("if (unlikely(r_%s && r_%s != small_%s)) wi4go_scratch_free(r_%s, %s);", name, name, name, name, bytes)
	return fmt.Sprintf("likely(%s <= SMALL) ? small_%s : wi4go_scratch_alloc(%s)", n, name, bytes)
}
