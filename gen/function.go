package gen

import (
	"fmt"
	"slices"
	"strings"

	"wi4go/mappers"
)

// body collects the parts of one translated function.
type body struct {
	before  []string // conversions of what goes in
	args    []string // what the runtime's function gets
	always  []string // conversions of what comes out, also after an error
	success []string // conversions of what comes out of a successful call
	failure []string // conversions of what comes out of a failed one
	after   []string // memory given back
}

// function writes the translation of one MPI function.
func (p *pair) function(f *Function) (string, error) {
	b := &body{}
	if f.keeping() != nil {
		b.before = append(b.before, "struct own *kept = NULL;")
		b.after = append(b.after, "if (unlikely(rc)) own_discard(kept);")
	}
	params := make([]string, 0, len(f.Params))
	for i := range f.Params {
		q := &f.Params[i]
		params = append(params, declaration(ctype(q.Type, "A"), q.Name))
		if err := p.param(f, q, b); err != nil {
			return "", fmt.Errorf("parameter %s: %w", q.Name, err)
		}
	}
	if len(params) == 0 {
		params = []string{"void"}
	}
	w := &writer{}
	w.line("\n/* %s: MPI %s, %s. */", f.Name, f.Level, f.Chapter)
	call := fmt.Sprintf("R_%s(%s)", f.Name, strings.Join(b.args, ", "))
	if p.r.Family == "openmpi" && f.startedAs(p.in) != nil {
		call = "persistent_refused(r_comm, request) ?: " + call
	}
	var text []string
	text = append(text, b.before...)
	text = append(text, p.refusal(f)...)
	if f.Returns != "int" {
		text = append(text, fmt.Sprintf("return %s;", call))
	} else {
		text = append(text, fmt.Sprintf("int rc = %s;", call))
		text = append(text, b.always...)
		text = append(text, b.after...)
		if len(b.failure) == 0 {
			text = append(text, "if (unlikely(rc))", "    return error_r2a(rc);")
		} else {
			text = append(text, "if (unlikely(rc)) {")
			for _, line := range b.failure {
				text = append(text, "    "+line)
			}
			text = append(text, "    return error_r2a(rc);", "}")
		}
		text = append(text, b.success...)
		text = append(text, "return 0;")
	}
	head := fmt.Sprintf("%s(%s)", f.Name, strings.Join(params, ", "))
	write := func(prefix, name string, lines []string) {
		w.line("%s %s%s\n{", prefix, name, head)
		for _, line := range lines {
			w.line("    %s", line)
		}
		w.line("}")
	}
	result := ctype(f.Returns, "A")
	hits := p.hits(f)
	if len(hits) == 0 {
		write("static "+result+" ", "A_", text)
		return w.String(), nil
	}
	// In the fast one every handle is where a look-up finds it at once, so that
	// no register has to outlive a call; else the same again, with full look-ups.
	var names []string
	for _, q := range f.Params {
		names = append(names, q.Name)
	}
	write("static __attribute__((noinline)) "+result, "slow_", text)
	var fast []string
	if slices.ContainsFunc(hits, func(hit string) bool { return !strings.Contains(hit, "REQUEST_") }) {
		fast = append(fast, "const char *tables = tables_address();")
	}
	fast = append(fast, fmt.Sprintf("if (unlikely(!(%s)))", strings.Join(hits, " && ")), fmt.Sprintf("    return slow_%s(%s);", f.Name, strings.Join(names, ", ")))
	for _, line := range text {
		for _, q := range f.Params {
			if p.in.Mappers.Roles[q.Role].Convert != mappers.Handle {
				continue
			}
			for _, value := range []string{q.Name, "*" + q.Name} {
				line = strings.ReplaceAll(line, fmt.Sprintf("%s_a2r(%s)", q.Role, value), fmt.Sprintf("%s_at_in(tables, %s)", q.Role, value))
			}
		}
		fast = append(fast, line)
	}
	if _, ok := p.shortArguments(f); ok {
		w.line("#if !SHORT_WAYS")
		write("static "+result, "A_", fast)
		w.line("#endif")
	} else {
		write("static "+result, "A_", fast)
	}
	return w.String(), nil
}

// hits are the conditions of the fast form of a function: for each handle that
// goes in, that its table has it in the first place looked at. Only families
// with tables need that form.
func (p *pair) hits(f *Function) []string {
	var hits []string
	if p.a.HandleBits != 32 {
		return nil
	}
	for _, q := range f.Params {
		if p.in.Mappers.Roles[q.Role].Convert != mappers.Handle || q.Role == "FILE" || q.Dir == "out" || q.Length != (Length{}) {
			continue
		}
		if strings.HasSuffix(q.Type, "*") {
			hits = append(hits, fmt.Sprintf("%s && %s_hit_in(tables, *%s)", q.Name, q.Role, q.Name))
		} else {
			hits = append(hits, fmt.Sprintf("%s_hit_in(tables, %s)", q.Role, q.Name))
		}
	}
	return hits
}

// completesOne says that a function completes a request and has its status:
// MPI_Wait, MPI_Test.
func (f *Function) completesOne() bool {
	request := f.has("REQUEST", "inout")
	return request != nil && request.Lifetime == "complete" && request.Length == Length{} && f.has("STATUS", "out") != nil
}

// flag is the function's flag parameter: without it set, nothing else comes out.
func (f *Function) flag() string {
	for _, q := range f.Params {
		if q.Name == "flag" && q.Role == "LOGICAL" && q.Dir == "out" {
			return q.Name
		}
	}
	return ""
}

func (f *Function) has(role, dir string) *Param {
	for i := range f.Params {
		if f.Params[i].Role == role && f.Params[i].Dir == dir {
			return &f.Params[i]
		}
	}
	return nil
}

func (p *pair) param(f *Function, q *Param, b *body) error {
	role := p.in.Mappers.Roles[q.Role]
	pointer := strings.HasSuffix(q.Type, "*")
	switch role.Convert {
	case mappers.None:
		b.args = append(b.args, q.Name)
	case mappers.Handle:
		return p.handle(f, q, b, pointer)
	case mappers.Value, mappers.Bits:
		return p.value(f, q, b, role, pointer)
	case mappers.Address:
		if q.Dir == "in" || strings.HasPrefix(q.Type, "void") || !pointer || q.Role == "WEIGHT" {
			b.args = append(b.args, fmt.Sprintf("%s_a2r(%s)", q.Role, q.Name))
		} else {
			b.args = append(b.args, q.Name)
		}
	case mappers.Error:
		if !pointer {
			b.args = append(b.args, fmt.Sprintf("error_a2r(%s)", q.Name))
			return nil
		}
		b.args = append(b.args, q.Name)
		b.success = append(b.success, fmt.Sprintf("*%s = error_r2a(*%s);", q.Name, q.Name))
	case mappers.Status:
		return p.status(f, q, b)
	case mappers.String:
		p.text(f, q, b)
	default:
		return fmt.Errorf("role %s is converted by hand only, and mappers.json has no patch for the function", q.Role)
	}
	return nil
}

func (p *pair) value(f *Function, q *Param, b *body, role mappers.Role, pointer bool) error {
	if p.mapping(role).identity() {
		b.args = append(b.args, q.Name)
		return nil
	}
	if !pointer {
		b.args = append(b.args, fmt.Sprintf("%s_a2r(%s)", q.Role, q.Name))
		return nil
	}
	if q.Length.Param != "" {
		element := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(q.Type, "const "), "*"))
		length := q.Length.Param
		if q.Dir == "out" {
			b.args = append(b.args, q.Name)
			b.success = append(b.success, fmt.Sprintf("for (int i = 0; i < %s; i++) %s[i] = %s_r2a(%s[i]);", length, q.Name, q.Role, q.Name))
			return nil
		}
		b.before = append(b.before,
			fmt.Sprintf("size_t n_%s = %s > 0 && %s ? (size_t)%s : 0;", q.Name, length, q.Name, length),
			fmt.Sprintf("%s *r_%s = wi4go_scratch_take(n_%s * sizeof *r_%s);", element, q.Name, q.Name, q.Name),
			fmt.Sprintf("for (size_t i = 0; i < n_%s; i++) r_%s[i] = %s_a2r(%s[i]);", q.Name, q.Name, q.Role, q.Name))
		b.args = append(b.args, fmt.Sprintf("%s ? r_%s : NULL", q.Name, q.Name))
		b.after = append([]string{fmt.Sprintf("wi4go_scratch_give(r_%s, n_%s * sizeof *r_%s);", q.Name, q.Name, q.Name)}, b.after...)
		return nil
	}
	if q.Dir == "in" {
		return fmt.Errorf("an array of role %s has no length", q.Role)
	}
	guard := fmt.Sprintf("if (%s) ", q.Name)
	if q.Dir == "inout" {
		b.before = append(b.before, fmt.Sprintf("int r_%s = %s ? %s_a2r(*%s) : 0;", q.Name, q.Name, q.Role, q.Name))
		b.args = append(b.args, fmt.Sprintf("%s ? &r_%s : NULL", q.Name, q.Name))
		b.success = append(b.success, fmt.Sprintf("%s*%s = %s_r2a(r_%s);", guard, q.Name, q.Role, q.Name))
		return nil
	}
	b.args = append(b.args, q.Name)
	if flag := f.flag(); flag != "" {
		guard = fmt.Sprintf("if (*%s) ", flag)
	}
	b.success = append(b.success, fmt.Sprintf("%s*%s = %s_r2a(*%s);", guard, q.Name, q.Role, q.Name))
	return nil
}

// readsHandles says that the front's handles are addresses which it reads.
func (p *pair) readsHandles() bool { return p.a.HandleBits == 64 && len(p.a.DataSymbols) > 0 }

// idle says that a handle may mean nothing in a call: the datatype of a buffer that
// is elsewhere, or in place, or not accessed (MPI-5.0, 6.2.3, 12.3.4).
func (f *Function) idle(q Param) bool {
	types := 0
	for _, other := range f.Params {
		if other.Role == "DATATYPE" && !strings.HasSuffix(other.Type, "*") {
			types++
		}
	}
	return q.Role == "DATATYPE" && types > 1 && (f.Chapter == "collectives" || q.Name == "origin_datatype" && types > 2)
}

func (p *pair) handle(f *Function, q *Param, b *body, pointer bool) error {
	t := handleTypes[q.Role]
	r := "r_" + q.Name
	switch {
	case !pointer:
		idle := ""
		if p.readsHandles() && f.idle(*q) {
			idle = "_idle"
		}
		b.before = append(b.before, fmt.Sprintf("R_%s %s = %s_a2r%s(%s);", t, r, q.Role, idle, q.Name))
		b.args = append(b.args, r)
	case q.Length != Length{}:
		return p.handleArray(f, q, b)
	case q.Dir == "out":
		if q.Role == "REQUEST" {
			b.before = append(b.before, fmt.Sprintf("R_%s %s;", t, r))
		} else {
			// A library that fails may still give the null handle.
			b.before = append(b.before, fmt.Sprintf("R_%s %s = NO_HANDLE(R_%s);", t, r, t))
			b.failure = append(b.failure, fmt.Sprintf("if (%s && %s == R_%s) *%s = %s_r2a(%s);", q.Name, r, nullName(q.Role), q.Name, q.Role, r))
		}
		b.args = append(b.args, p.orNull(q, r))
		conversion := q.Role + "_r2a"
		switch {
		case q.Lifetime == "borrow":
			conversion = q.Role + "_r2a_borrow"
		case q.Lifetime == "create-persistent":
			conversion = q.Role + "_r2a_persistent"
		case q.Role == "REQUEST" && f.Chapter == "point-to-point":
			conversion = q.Role + "_r2a_started"
		}
		line := fmt.Sprintf("*%s = %s(%s);", q.Name, conversion, r)
		if f.keeping() != nil && q.Role == "REQUEST" {
			line = fmt.Sprintf("*%s = REQUEST_own(%s, kept);", q.Name, r)
		}
		guards := []string{}
		if q.Role != "REQUEST" {
			guards = append(guards, q.Name)
		}
		if flag := f.flag(); flag != "" {
			guards = append(guards, "*"+flag)
		}
		if q.Role == "FILE" { // MPICH says success without a file where an error handler of the program's has returned
			guards = append(guards, fmt.Sprintf("%s != NO_HANDLE(R_%s)", r, t))
		}
		if len(guards) > 0 {
			line = fmt.Sprintf("if (%s) %s", strings.Join(guards, " && "), line)
		}
		b.success = append(b.success, line)
	default: // inout
		b.before = append(b.before, fmt.Sprintf("R_%s %s = %s ? %s_a2r(*%s) : 0;", t, r, q.Name, q.Role, q.Name))
		b.args = append(b.args, p.orNull(q, r))
		switch q.Lifetime {
		case "complete":
			if f.completesOne() {
				flag, asked := f.flag(), ""
				if flag != "" {
					asked = " && " + flag
				} else {
					flag = "NULL"
				}
				b.before = append([]string{fmt.Sprintf("if (%s && *%s == A_MPI_REQUEST_NULL%s) return null_completed(%s, %s);",
					q.Name, q.Name, asked, flag, f.has("STATUS", "out").Name)}, b.before...)
			}
			b.always = append(b.always, fmt.Sprintf("if (%s) *%s = %s_after(*%s, %s);", q.Name, q.Name, q.Role, q.Name, r))
		case "restart":
			b.success = append(b.success, fmt.Sprintf("*%s = REQUEST_restarted(*%s, %s);", q.Name, q.Name, r))
		case "free":
			b.success = append(b.success, fmt.Sprintf("*%s = %s_after(*%s, %s);", q.Name, q.Role, q.Name, r))
		}
	}
	return nil
}

// unchecked is the handle of a function that the runtime's libraries do not look at;
// nil: there is none.
func (p *pair) unchecked(f *Function) *Param {
	i := slices.IndexFunc(f.Params, func(q Param) bool { return slices.Contains(q.Unchecked, p.r.Family) })
	if i < 0 {
		return nil
	}
	return &f.Params[i]
}

// refusal writes the error of such a handle that is null, or of no object.
func (p *pair) refusal(f *Function) []string {
	q := p.unchecked(f)
	if q == nil {
		return nil
	}
	class, object := q.Role, f.raisedBy()
	condition := fmt.Sprintf("r_%s == R_%s", q.Name, nullName(q.Role))
	switch q.Role {
	case "COMM":
		object = "WI4GO_NO_OBJECT, 0"
	case "DATATYPE":
		class = "TYPE"
		condition += fmt.Sprintf(" && %s != A_%s && is_root(r_comm, root)", q.Name, nullName(q.Role))
	case "GROUP":
		condition += fmt.Sprintf(" && %s != A_%s", q.Name, nullName(q.Role))
	case "INFO":
		condition = "!r_" + q.Name // the null handle is as good as any
	case "MESSAGE":
		class = "REQUEST"
		condition = q.Name + " && " + condition
	}
	return []string{fmt.Sprintf("if (unlikely(%s))", condition), fmt.Sprintf("    return raise(%s, A_MPI_ERR_%s);", object, class)}
}

// orNull passes the address of a converted handle, or NULL as the program did.
// What stands for no object Open MPI follows for these kinds, but refuses a null
// pointer in its place.
func (p *pair) orNull(q *Param, r string) string {
	if q.Dir == "inout" && p.r.Family == "openmpi" && slices.Contains([]string{"INFO", "REQUEST"}, q.Role) {
		return fmt.Sprintf("%s ? &%s : NULL", r, r)
	}
	return fmt.Sprintf("%s ? &%s : NULL", q.Name, r)
}

// keeping is the request of a call whose converted arrays must live as long as
// the operation, nil for every other function.
func (f *Function) keeping() *Param {
	request := f.has("REQUEST", "out")
	if request == nil {
		return nil
	}
	for _, q := range f.Params {
		if q.Role == "DATATYPE" && q.Length.Size != "" {
			return request
		}
	}
	return nil
}

func (p *pair) handleArray(f *Function, q *Param, b *body) error {
	if q.Dir != "in" {
		return fmt.Errorf("an array of handles that goes out is converted by hand only")
	}
	t := handleTypes[q.Role]
	n := "n_" + q.Name
	switch {
	case q.Length.Size != "":
		b.before = append(b.before, fmt.Sprintf("size_t %s = %s%s ? %s(COMM_a2r(%s)) : 0;", n, q.Name, significant(f, q), q.Length.Size, q.Length.Comm))
	case q.Length.Param != "":
		b.before = append(b.before, fmt.Sprintf("size_t %s = %s && %s > 0 ? (size_t)%s : 0;", n, q.Name, q.Length.Param, q.Length.Param))
	default:
		return fmt.Errorf("an array of handles without a length")
	}
	r := "r_" + q.Name
	if f.keeping() != nil {
		b.before = append(b.before, fmt.Sprintf("R_%s *%s = own_array(&kept, %s * sizeof *%s);", t, r, n, r))
	} else {
		b.before = append(b.before, fmt.Sprintf("R_%s *%s = wi4go_scratch_take(%s * sizeof *%s);", t, r, n, r))
		b.after = append([]string{fmt.Sprintf("wi4go_scratch_give(%s, %s * sizeof *%s);", r, n, r)}, b.after...)
	}
	b.before = append(b.before, fmt.Sprintf("for (size_t i = 0; i < %s; i++) %s[i] = %s_a2r(%s[i]);", n, r, q.Role, q.Name))
	given := r
	if other := f.otherSide(q); other != nil {
		given = fmt.Sprintf("(%s == %s ? r_%s : %s)", q.Name, other.Name, other.Name, r)
	}
	b.args = append(b.args, fmt.Sprintf("%s ? %s : NULL", q.Name, given))
	return nil
}

// otherSide is the array of the receive side that goes with q, an array of the
// send side: where the program gives the same for both, a library that looks
// for aliases is to see that.
func (f *Function) otherSide(q *Param) *Param {
	for i := range f.Params {
		other := &f.Params[i]
		if q.Name == "sendtypes" && other.Name == "recvtypes" && other.Length == q.Length {
			return other
		}
	}
	return nil
}

// significant is the condition under which an array of a collective has
// elements: with MPI_IN_PLACE the send side's arguments are ignored.
func significant(f *Function, q *Param) string {
	if strings.HasPrefix(q.Name, "send") && f.Params[0].Role == "BUFFER_OR_IN_PLACE" {
		return fmt.Sprintf(" && %s != A_MPI_IN_PLACE", f.Params[0].Name)
	}
	return ""
}

func (p *pair) status(f *Function, q *Param, b *body) error {
	r := "r_" + q.Name
	switch {
	case q.Length != Length{}:
		return fmt.Errorf("an array of statuses is converted by hand only")
	case q.Dir == "in":
		b.before = append(b.before, fmt.Sprintf("R_MPI_Status %s;", r), fmt.Sprintf("if (!NO_STATUS(%s)) status_a2r_count(%s, &%s);", q.Name, q.Name, r))
		b.args = append(b.args, fmt.Sprintf("NO_STATUS(%s) ? NULL : &%s", q.Name, r))
	case q.Dir == "inout":
		b.before = append(b.before, fmt.Sprintf("R_MPI_Status %s;", r), fmt.Sprintf("if (!NO_STATUS(%s)) status_a2r(%s, &%s);", q.Name, q.Name, r))
		b.args = append(b.args, fmt.Sprintf("NO_STATUS(%s) ? NULL : &%s", q.Name, r))
		b.success = append(b.success, fmt.Sprintf("if (!NO_STATUS(%s)) status_r2a_all(&%s, %s);", q.Name, r, q.Name))
	default:
		// The runtime always gets a status of its own, which is cheaper than to
		// choose. After an error it means something where the call has set it.
		unset, convert, condition := "status_unset", "status_r2a", fmt.Sprintf("%s != A_MPI_STATUS_IGNORE", q.Name)
		if f.has("FILE", "in") != nil || f.has("REQUEST", "inout") != nil || f.has("REQUEST", "in") != nil {
			convert = "status_r2a_filled"
		}
		if f.has("FILE", "in") != nil {
			unset = "status_unset_empty"
		}
		b.before = append(b.before, fmt.Sprintf("R_MPI_Status %s;", r), fmt.Sprintf("%s(&%s);", unset, r))
		b.args = append(b.args, "&"+r)
		b.failure = append(b.failure, fmt.Sprintf("if (%s && status_is_set(&%s)) status_r2a_special(&%s, %s);", condition, r, r, q.Name))
		if flag := f.flag(); flag != "" {
			condition = fmt.Sprintf("*%s && %s", flag, condition)
		}
		b.success = append(b.success, fmt.Sprintf("if (%s) %s(&%s, %s);", condition, convert, r, q.Name))
	}
	return nil
}

// text converts an output string whose bound the two sides do not share:
// through a buffer of the runtime's size, cut to the application's.
func (p *pair) text(f *Function, q *Param, b *body) {
	if q.Dir != "out" || q.Limit == "" || p.r.Constants[q.Limit] <= p.a.Constants[q.Limit] {
		b.args = append(b.args, q.Name)
		return
	}
	r := "r_" + q.Name
	length := "NULL"
	if l := f.has("LENGTH", "out"); l != nil {
		length = l.Name
	}
	b.before = append(b.before, fmt.Sprintf("char %s[R_%s + 1];", r, q.Limit), fmt.Sprintf("%s[0] = 0;", r))
	b.args = append(b.args, fmt.Sprintf("%s ? %s : NULL", q.Name, r))
	b.success = append(b.success, fmt.Sprintf("cut_string(%s, A_%s, %s, %s);", q.Name, q.Limit, r, length))
}
