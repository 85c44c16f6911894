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
	// plainValues reports whether no array of integers has an element with another value on the runtime's side.
	plainValues bool
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
	handles, plain := p.directHandles(plan), plainArrays(plan)
	if len(handles) == 0 && len(plain) == 0 {
		write(forSize(plan)+result, "A_", p.lines(plan))
		if plan.Assembly {
			w.WriteString(p.finisher(plan, false))
		}
		return w.String()
	}
	// In the fast function every handle is found by the first look-up, and arrays of integers need no
	// conversion, so no register must survive a function call before the runtime's. The fallback does
	// the same for the others.
	write(output.If(!f.Timed, "FOR_SIZE ")+"__attribute__((noinline)) "+result, "fallback_", p.lines(plan))
	var fast []string
	var fastIf []string
	if slices.ContainsFunc(handles, func(h directHandle) bool { return h.kind != "REQUEST" }) {
		fast = append(fast, "const char *tables = tables_address();")
	}
	for _, h := range handles {
		fastIf = append(fastIf, h.hit())
	}
	fastIf = append(fastIf, plain...)
	quick := &body{Pair: p, plan: plan, directHit: len(handles) > 0, plainValues: len(plain) > 0}
	fast = append(fast, fmt.Sprintf("if (unlikely(!(%s)))", strings.Join(fastIf, " && ")), fmt.Sprintf("    return PAIR(fallback_%s)(%s);", f.Name, strings.Join(f.Names(), ", ")))
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

// plainArrays returns the conditions under which the runtime can read the program's arrays of integers,
// whose special values are negative. Only functions that are compiled for speed test them before anything else.
func plainArrays(of *plan.Plan) (conditions []string) {
	for _, q := range of.Arguments {
		if a, ok := q.Action.(plan.ValuesIn); ok && a.Negative && of.Function.Timed {
			conditions = append(conditions, fmt.Sprintf("!(%[1]s && any_negative(%[1]s, %[2]s))", q.Name, a.Length))
		}
	}
	return conditions
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
