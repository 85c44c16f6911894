package pair

import (
	"fmt"
	"slices"
	"strings"

	"wi4go/gen/ctypes"
	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
)

// body collects the parts of one translated function, as lines of C.
type body struct {
	*Pair
	plan *plan.Plan
	// directHit reports whether every handle is found by the first look-up.
	directHit bool
	// sizesKnown reports whether the function leaves the call to the fallback if the size of an
	// array is not known, or the array does not fit on the stack.
	sizesKnown bool
	// fortran reports whether the call comes from Fortran, with integers for handles.
	fortran bool
	// finishes reports whether the function only finishes a call that the assembly has made.
	finishes bool

	// declared are the variables of converted handles and of sizes.
	declared []string
	// before converts the inputs.
	before []string
	// args are the arguments of the runtime's function.
	args []string
	// always converts the outputs that are valid even after an error.
	always []string
	// success converts the outputs of a successful call.
	success []string
	// failure converts the outputs of a failed call.
	failure []string
	// after releases memory.
	after []string
}

// translate returns the C of a plan.
func (p *Pair) translate(plan *plan.Plan) string {
	f := plan.Function
	w := &output.Writer{}
	w.Line("\n/* %s: MPI %s, %s. */", f.Name, f.Level, f.Chapter)
	head := fmt.Sprintf("%s)(%s)", f.Name, strings.Join(ctypes.Declarations(f), ", "))
	write := func(prefix, name string, lines []string) {
		w.Line("HIDDEN %s PAIR(%s%s\n{", prefix, name, head)
		for _, line := range lines {
			w.Line("    %s", line)
		}
		w.Line("}")
	}
	result := ctypes.Of(f.Returns, "A")
	handles, sized := p.directHandles(plan), hasSizedArrays(plan)
	if len(handles) == 0 && !sized {
		write(forSize(plan)+result, "A_", p.lines(plan))
		if plan.Assembly {
			w.WriteString(p.finisher(plan, false))
		}
		return w.String()
	}
	// In the fast function every handle is found by the first look-up, and every size of an array is
	// known, so no register must survive a function call. The fallback does the same for the others.
	write(output.If(!f.Timed, "FOR_SIZE ")+"__attribute__((noinline)) "+result, "fallback_", p.lines(plan))
	var fast []string
	var hits []string
	if slices.ContainsFunc(handles, func(h directHandle) bool { return h.kind != "REQUEST" }) {
		fast = append(fast, "const char *tables = tables_address();")
	}
	for _, h := range handles {
		hits = append(hits, h.hit())
	}
	quick := &body{Pair: p, plan: plan, directHit: len(handles) > 0, sizesKnown: sized}
	if len(handles) > 0 {
		fast = append(fast, fmt.Sprintf("if (unlikely(!(%s)))", strings.Join(hits, " && ")), fmt.Sprintf("    return %s;", quick.callFallback()))
	}
	fast = append(fast, quick.lines()...)
	if plan.Assembly {
		w.Line("#if !FAST_PATHS")
		write(result, "A_", fast)
		w.Line("#endif")
	} else {
		write(forSize(plan)+result, "A_", fast)
	}
	return w.String()
}

// forSize returns the attribute of a translation's C. Timed functions have none: they are
// compiled for speed. A function with assembly is compiled for size only if the front has fast
// paths, because its C runs only after they bail out.
func forSize(plan *plan.Plan) string {
	switch {
	case plan.Function.Timed:
		return ""
	case plan.Assembly:
		return "AFTER_FAST_PATH "
	}
	return "FOR_SIZE "
}

// lines returns the statements of a plan's function.
func (p *Pair) lines(plan *plan.Plan) []string {
	b := &body{Pair: p, plan: plan}
	return b.lines()
}

// callFallback returns the call of the function that serves every case.
func (b *body) callFallback() string {
	f := b.plan.Function
	return fmt.Sprintf("PAIR(fallback_%s)(%s)", f.Name, strings.Join(f.Names(), ", "))
}

// hasSizedArrays reports whether the function has an array of handles whose length depends on a
// communicator.
func hasSizedArrays(of *plan.Plan) bool {
	return slices.ContainsFunc(of.Arguments, func(q plan.Argument) bool {
		a, ok := q.Action.(plan.HandlesIn)
		return ok && a.Length.Size != ""
	})
}

// fortranLines returns the statements for a call from Fortran. Its input handles have been
// converted and validated before.
func (p *Pair) fortranLines(plan *plan.Plan) []string {
	b := &body{Pair: p, plan: plan, fortran: true}
	return b.lines()
}

// lines returns the statements in their order: conversions of inputs, checks, the call,
// conversions of outputs.
func (b *body) lines() []string {
	plan := b.plan
	f := plan.Function
	// A tracked request keeps converted arrays until it completes; a failed call discards them.
	if plan.KeepsArrays {
		b.addBefore("struct tracked_request *kept = NULL;")
		b.after = append(b.after, "if (unlikely(rc)) tracked_discard(kept);")
	}
	b.arguments()
	call := fmt.Sprintf("R_%s(%s)", f.Name, strings.Join(b.args, ", "))
	// A call that the check refuses never reaches the runtime.
	if check := plan.CheckComm; check != nil {
		call = fmt.Sprintf("persistent_check(r_%s, %s) ?: %s", check.Comm, check.Request, call)
	}
	text := slices.Concat(b.before, b.refusal(), b.missingConstants())
	// Such a function returns a value, not an error code: there is nothing to convert after the
	// call.
	if f.Returns != "int" {
		return append(text, fmt.Sprintf("return %s;", call))
	}
	text = append(text, fmt.Sprintf("int rc = %s;", call))
	return append(text, b.afterCall()...)
}

// arguments adds the conversions of all arguments.
func (b *body) arguments() {
	for i, a := range b.plan.Arguments {
		b.argument(i, a)
	}
}

// afterCall returns the statements after the runtime's call, which has returned rc.
func (b *body) afterCall() []string {
	text := slices.Concat(b.always, b.after)
	if len(b.failure) == 0 {
		text = append(text, "if (unlikely(rc))", "    return error_r2a(rc);")
	} else {
		text = append(text, "if (unlikely(rc)) {")
		for _, line := range b.failure {
			text = append(text, "    "+line)
		}
		text = append(text, "    return error_r2a(rc);", "}")
	}
	return append(append(text, b.success...), "return 0;")
}

// A directHandle is a handle that the fast function of a plan looks up once: by value or, if at
// is true, in a variable.
type directHandle struct {
	kind, name string
	at         bool
}

// hit returns the condition under which the table has the handle at the first place.
func (h directHandle) hit() string {
	if h.at {
		return fmt.Sprintf("%s && %s_hit_in(tables, *%s)", h.name, h.kind, h.name)
	}
	return fmt.Sprintf("%s_hit_in(tables, %s)", h.kind, h.name)
}

// directHandles returns the input handles that must be found by the first look-up in the fast function.
// Only families with tables need that function.
func (p *Pair) directHandles(of *plan.Plan) []directHandle {
	if p.A.HandleBits != 32 {
		return nil
	}
	var hits []directHandle
	for _, q := range of.Arguments {
		switch a := q.Action.(type) {
		case plan.HandleIn:
			if a.Kind != "FILE" {
				hits = append(hits, directHandle{a.Kind, q.Name, false})
			}
		case plan.HandleInOut:
			if a.Kind != "FILE" {
				hits = append(hits, directHandle{a.Kind, q.Name, true})
			}
		case plan.RequestInOut:
			hits = append(hits, directHandle{"REQUEST", q.Name, true})
		}
	}
	return hits
}

// addBefore adds a line before the call.
func (b *body) addBefore(format string, args ...any) {
	b.before = append(b.before, fmt.Sprintf(format, args...))
}

// addArgument adds an argument of the runtime's function.
func (b *body) addArgument(format string, args ...any) {
	b.args = append(b.args, fmt.Sprintf(format, args...))
}

// onSuccess adds a line that runs after a successful call.
func (b *body) onSuccess(format string, args ...any) {
	b.success = append(b.success, fmt.Sprintf(format, args...))
}

// onExit adds a line that releases memory after the call. Memory is released in reverse order.
func (b *body) onExit(format string, args ...any) {
	b.after = append([]string{fmt.Sprintf(format, args...)}, b.after...)
}

// handle returns the expression that converts a handle.
func (b *body) handle(kind, value string) string {
	if b.directHit {
		return fmt.Sprintf("%s_at_in(tables, %s)", kind, value)
	}
	return fmt.Sprintf("%s_a2r(%s)", kind, value)
}

// outputsValid returns the condition under which the outputs are valid, or "" if they always are.
func (b *body) outputsValid() string {
	if b.plan.FlagIndex < 0 {
		return ""
	}
	return "*" + b.plan.Function.Params[b.plan.FlagIndex].Name
}

// ifClause returns the beginning of a statement that depends on conditions. An empty condition
// always holds.
func ifClause(conditions ...string) string {
	conditions = slices.DeleteFunc(conditions, func(c string) bool { return c == "" })
	if len(conditions) == 0 {
		return ""
	}
	return fmt.Sprintf("if (%s) ", strings.Join(conditions, " && "))
}

// argument adds the conversions of argument i.
func (b *body) argument(i int, q plan.Argument) {
	r := "r_" + q.Name
	switch a := q.Action.(type) {
	case plan.Unchanged:
		b.addArgument("%s", q.Name)
		if b.fortran && i == b.plan.FlagIndex {
			b.onSuccess("*%[1]s = *%[1]s != 0;", q.Name) // true is 1 for every Fortran compiler
		}
	case plan.HandleIn:
		if b.fortran { // it has been looked up
			b.addArgument("%s", r)
			break
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
	case plan.HandlesIn:
		b.handles(q, a)
	case plan.HandleOut:
		b.handleOut(q, a)
	case plan.HandleInOut:
		b.handleInOut(q.Name, a.Kind, a.Dereferences)
		switch {
		// The object may end even if the call fails.
		case a.Completes:
			b.always = append(b.always, fmt.Sprintf("if (%s) *%s = %s_after(*%s, %s);", q.Name, q.Name, a.Kind, q.Name, r))
		case a.Ends:
			b.onSuccess("*%s = %s_after(*%s, %s);", q.Name, a.Kind, q.Name, r)
		}
	case plan.RequestOut:
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
		case b.plan.KeepsArrays:
			convert = fmt.Sprintf("REQUEST_tracked(%s, kept)", r)
		case a.Persistent:
			convert = fmt.Sprintf("REQUEST_r2a_persistent(%s)", r)
		case a.Starts:
			convert = fmt.Sprintf("REQUEST_r2a_started(%s)", r)
		}
		b.onSuccess("%s*%s = %s;", ifClause(b.outputsValid()), q.Name, convert)
	case plan.RequestInOut:
		if b.fortran { // only a request that the call completes
			b.addBefore("R_MPI_Request %s = request_f2r(*%s);", r, q.Name)
			b.addArgument("&%s", r)
			b.always = append(b.always, fmt.Sprintf("if (%s == R_MPI_REQUEST_NULL) *%s = null_request;", r, q.Name))
			break
		}
		b.handleInOut(q.Name, "REQUEST", a.Dereferences)
		switch {
		case a.Completed:
			b.null(i)
			b.always = append(b.always, fmt.Sprintf("if (%s) *%s = REQUEST_after(*%s, %s);", q.Name, q.Name, q.Name, r))
		// The runtime may give a started request another handle.
		case a.Restarted:
			b.addBefore("const R_MPI_Request started_%s = %s;", q.Name, r)
			b.onSuccess("if (unlikely(%[3]s != started_%[1]s)) *%[1]s = REQUEST_restarted(*%[1]s, %[3]s);", q.Name, q.Name, r)
		}
	case plan.RequestsInOut, plan.StatusesOut, plan.IndexOut, plan.NumberOut, plan.IndicesOut:
		b.ofMany(q)
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
	case plan.StatusIn, plan.StatusInOut, plan.StatusOut:
		b.status(q)
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

// handleInOut adds the conversion of a handle in a variable.
func (b *body) handleInOut(name, kind string, dereferences bool) {
	b.addBefore("R_%s r_%s = %s ? %s : 0;", model.HandleTypes[kind], name, name, b.handle(kind, "*"+name))
	present := name
	if dereferences {
		present = "r_" + name
	}
	b.addArgument("%s ? &r_%s : NULL", present, name)
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
		b.addBefore("const size_t %s = %s%s(r_%s);", name, output.If(b.sizesKnown, "known_"), l.Size, l.Comm)
		if b.sizesKnown {
			b.addBefore("if (unlikely(%s > SMALL))", name)
			b.addBefore("    return %s;", b.callFallback())
		}
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
	b.addArgument("%s", argument)
}

// memory returns the expression for the memory of a converted array of n handles. It lives as long
// as the request that the call starts, or during the call: on the stack, or as scratch memory if
// the array is large.
func (b *body) memory(name, n string) string {
	bytes := fmt.Sprintf("%s * sizeof *r_%s", n, name)
	switch {
	case b.plan.KeepsArrays:
		return fmt.Sprintf("tracked_array(&kept, %s)", bytes)
	case b.sizesKnown:
		return "small_" + name
	}
	b.onExit("if (unlikely(r_%s && r_%s != small_%s)) wi4go_scratch_free(r_%s, %s);", name, name, name, name, bytes)
	return fmt.Sprintf("likely(%s <= SMALL) ? small_%s : wi4go_scratch_alloc(%s)", n, name, bytes)
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

// refusal returns the statement that refuses a handle which is null or of no object.
func (b *body) refusal() []string {
	r := b.plan.Refusal
	if r == nil || b.fortran {
		return nil
	}
	name := b.plan.Arguments[r.Argument].Name
	condition := fmt.Sprintf("r_%s == R_%s", name, model.NullName(r.Kind))
	// A handle of no object converts to 0.
	if r.NoObject {
		condition = "!r_" + name
	}
	if r.NullAllowed {
		condition += fmt.Sprintf(" && %s != A_%s", name, model.NullName(r.Kind))
	}
	// Only the root's handle counts.
	if r.Root != "" {
		condition += fmt.Sprintf(" && is_collective_root(r_%s, %s)", r.Comm, r.Root)
	}
	if r.Pointer {
		condition = name + " && " + condition
	}
	return []string{fmt.Sprintf("if (unlikely(%s))", condition), fmt.Sprintf("    return raise_error(%s, A_%s);", r.Raised, r.Class)}
}

// missingConstants returns the statements that refuse constants which the runtime's family lacks.
func (b *body) missingConstants() (lines []string) {
	for _, l := range b.plan.MissingConstants {
		var conditions []string
		for _, v := range l.Values {
			conditions = append(conditions, fmt.Sprintf("%s == %d", b.plan.Arguments[l.Argument].Name, v))
		}
		lines = append(lines, fmt.Sprintf("if (unlikely(%s))", strings.Join(conditions, " || ")), fmt.Sprintf("    return raise_error(%s, A_%s);", l.Raised, l.Class))
	}
	return lines
}
