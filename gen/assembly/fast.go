// Package assembly prints the fast paths: on x86-64, the functions of a pair whose arguments are all
// converted in a few instructions get an entry in assembly. It converts, calls
// the runtime's function and converts what comes out, as long as everything is
// as usual; whatever is not (a negative rank, a handle that the first look does
// not find, an error, a status with something special) it leaves to the C.
// Written once here for all functions, it needs neither the registers that the
// compiler saves nor the copies that it makes: a third of the instructions.
//
// %rax, %r10, %r11 and the xmm registers are free.
//
// It must not know what else is printed of a pair.
package assembly

import (
	"fmt"
	"slices"

	"wi4go/abi"
	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
	"wi4go/gen/traits"
)

// argument is how the fast path treats one argument.
type argument struct {
	plan.Argument
	as    form
	kind  string // of a handle
	limit int64  // of asOther: the one value that C has to convert
}

// A form is what an action of the plan comes to in a register or on the stack.
type form int

const (
	asItIs     form = iota
	asHandle        // in
	asPositive      // an int that only C converts when it is negative
	asOther         // a pointer that only C converts when it has one certain value
	asStatusIn
	asStatusOut // not STATUS_IGNORE
	asIgnored   // that
	asRequestOut
	asHandleOut // of a new object
	asHandleAt  // in a variable; the object may end
	asRequestAt // in a variable; the request may be completed
	asStartedAt // in a variable; the request is started
)

var (
	registers64 = []string{"%rdi", "%rsi", "%rdx", "%rcx", "%r8", "%r9"}
	registers32 = []string{"%edi", "%esi", "%edx", "%ecx", "%r8d", "%r9d"}
	registers16 = []string{"%di", "%si", "%dx", "%cx", "%r8w", "%r9w"}
)

// A printer writes the fast paths of one pair.
type printer struct{ *plan.Pair }

// statusRoom is what a status of the runtime takes on the stack.
func (p *printer) statusRoom() int { return (p.R.Types["MPI_Status"].Size + 7) &^ 7 }

// Fits says that all that is done with a function's arguments has a form in
// assembly.
func Fits(pair *plan.Pair, of *plan.Plan) bool {
	p := &printer{pair}
	f := of.Function
	if f.Returns != "int" || len(f.Params) == 0 || of.Keeps || of.OwnObjects {
		return false
	}
	if of.Refusal != nil && !p.refuses(of) {
		return false
	}
	out, idle := 0, 0
	inPlace := false
	for i, q := range of.Arguments {
		a, ok := p.form(of, i)
		if !ok {
			return false
		}
		switch a.as {
		case asStatusIn, asStatusOut, asRequestOut, asHandleOut, asHandleAt:
			out++
		}
		if h, ok := q.Action.(plan.HandleIn); ok && h.Idle {
			idle++
		}
		if _, ok := q.Action.(plan.AddressIn); ok {
			inPlace = true
		}
	}
	// What may be idle is converted with care, unless that is for a buffer in place.
	return out < 2 && (idle == 0 || inPlace && f.Has("RANK", "in") == nil)
}

// form is what the action of argument i comes to; false: it has no form.
func (p *printer) form(of *plan.Plan, i int) (argument, bool) {
	q := of.Arguments[i]
	a := argument{Argument: q}
	tables := p.A.HandleBits == 32
	switch action := q.Action.(type) {
	case plan.AsItIs:
	case plan.HandleIn:
		a.as, a.kind = asHandle, action.Kind
		// A pointer on both sides; perhaps a record of ours.
		return a, action.Kind != "FILE" && action.Kind != "REQUEST"
	case plan.HandleOut:
		a.as, a.kind = asHandleOut, action.Kind
		return a, tables && inRegister(i) && of.Tells < 0 && !action.Borrowed && !action.MayBeNone
	case plan.HandleAt:
		a.as, a.kind = asHandleAt, action.Kind
		return a, tables && inRegister(i) && !action.Completes && action.Kind != "FILE" && action.Kind != "REQUEST"
	case plan.RequestOut:
		a.as, a.kind = asRequestOut, "REQUEST"
		return a, !action.Persistent
	case plan.RequestAt:
		a.as, a.kind = asRequestAt, "REQUEST"
		if action.Restarted {
			a.as = asStartedAt
			return a, inRegister(i) && (tables || p.inPlace())
		}
		return a, action.Completed && inRegister(i)
	case plan.ValueIn:
		a.as = asPositive
		return a, action.Negative
	case plan.AddressIn:
		if action.Differ > 0 {
			a.as = asOther
			if action.Special != nil {
				a.limit = *action.Special
			}
		}
		return a, action.Differ == 0 || action.Differ == 1 && action.Special != nil
	case plan.StatusIn:
		a.as = asStatusIn
		return a, inRegister(i)
	case plan.StatusOut:
		a.as = asStatusOut
	default:
		return a, false
	}
	return a, true
}

// refuses says that a fast path can leave the call to C where the handle is of no
// object: before it has changed another argument, and not where a variable has it.
func (p *printer) refuses(of *plan.Plan) bool {
	r := of.Refusal
	if r.Pointer || p.A.HandleBits == 32 || !inRegister(r.Argument) {
		return !r.Pointer
	}
	handles := 0
	for _, q := range of.Arguments {
		switch q.Action.(type) {
		case plan.HandleIn, plan.HandlesIn, plan.HandleOut, plan.HandleAt, plan.RequestOut, plan.RequestAt:
			handles++
		}
	}
	return handles == 1
}

// fast writes one fast path.
type fast struct {
	output.Writer
	p         *printer
	plan      *plan.Plan
	f         *model.Function
	arguments []argument
	cold      []string       // what stands behind the straight way
	slow      map[way]string // labels of the way to C
	labels    int
	prefix    string // of its labels
	left      string // the instruction that leaves the call to C
	depth     int    // bytes on the stack since the entry
	completed int    // where the runtime's handle of a request to be completed is, as depth
	tables    bool   // %r10 has the address of the tables
	turned    bool   // ranks and tags below 0 are the runtime's already
	wild      bool   // this is the way of a receive from any source with any tag
	slot      bool   // the request has a slot in the table
	lone      lone   // what is known of the only handle
}

// lone says of the handle of a function that has no other one whether it has
// turned out to be a predefined number.
type lone int

const (
	unknown lone = iota
	predefined
	dynamic
)

// way is the state in which a call is left to C: what is on the stack, and
// whether ranks and tags are to be turned back.
type way struct {
	depth  int
	turned bool
}

func (s *fast) label() string {
	s.labels++
	return fmt.Sprintf(".L%s%s_%d", s.prefix, s.f.Name, s.labels)
}

func (s *fast) asm(format string, arguments ...any) {
	s.Line("\t"+format, arguments...)
}

// aside writes a piece of code behind the straight way and gives its label.
func (s *fast) aside(write func()) string {
	label, before := s.label(), *s
	s.Writer = output.Writer{}
	s.Line("%s:", label)
	s.asm(".cfi_def_cfa_offset %d", 8+s.depth)
	write()
	text, cold, labels := s.String(), s.cold, s.labels
	*s = before
	s.cold, s.labels = append(cold, text), labels
	return label
}

// toC is where the call is left to C as it came.
func (s *fast) toC() string {
	from := way{s.depth, s.turned}
	if s.slow[from] == "" {
		s.slow[from] = s.aside(func() {
			if s.depth > 0 {
				s.give(s.depth)
			}
			if s.turned {
				s.turnBack()
			}
			s.asm("%s", s.left)
		})
	}
	return s.slow[from]
}

func (s *fast) take(bytes int) {
	s.asm("subq\t$%d, %%rsp", bytes)
	s.asm(".cfi_adjust_cfa_offset %d", bytes)
	s.depth += bytes
}

func (s *fast) give(bytes int) {
	s.asm("addq\t$%d, %%rsp", bytes)
	s.asm(".cfi_adjust_cfa_offset %d", -bytes)
	s.depth -= bytes
}

func (s *fast) push(operand string) {
	s.asm("pushq\t%s", operand)
	s.asm(".cfi_adjust_cfa_offset 8")
	s.depth += 8
}

// at is the operand of what stands so many bytes below where the stack was at
// the entry.
func (s *fast) at(below int) string {
	return fmt.Sprintf("%d(%%rsp)", s.depth-below)
}

func inRegister(i int) bool { return i < len(registers64) }

// operand is argument i as it came, while registers still have it.
func (s *fast) operand(i int, registers []string) string {
	if inRegister(i) {
		return registers[i]
	}
	return s.at(-8 * (1 + i - len(registers64)))
}

// function writes the whole fast path of a function; twice where the program may
// ignore a status that comes out, which saves the runtime the work as well.
func (s *fast) function() string {
	status := slices.IndexFunc(s.arguments, func(a argument) bool { return a.as == asStatusOut })
	if status >= 0 {
		ignored := s.label()
		s.asm("cmpq\t$%d, %s", s.p.A.Pointers["MPI_STATUS_IGNORE"].Value, s.operand(status, registers64))
		s.asm("je\t%s", ignored)
		s.body()
		s.Line("%s:", ignored)
		s.begin()
		s.arguments[status].as = asIgnored
	}
	s.body()
	return s.text()
}

// begin says that the code that follows is come to by a jump from the entry.
func (s *fast) begin() {
	s.asm(".cfi_def_cfa_offset 8")
	s.depth, s.tables, s.turned = 0, false, false
}

// body writes the fast path from the first check to the return.
func (s *fast) body() {
	s.checks()
	s.straight()
}

// straight writes what is behind the checks.
func (s *fast) straight() {
	saved := map[int]int{} // argument → where it is kept over the call
	given, status, request, object, flag, completed, started := -1, -1, -1, -1, -1, -1, -1
	for i, a := range s.arguments {
		switch {
		case a.as == asStatusIn:
			given = i
		case a.as == asStatusOut:
			status = i
		case a.as == asRequestOut && s.written(a):
			request = i
		case a.as == asRequestAt:
			completed = i
		case a.as == asStartedAt && s.slot:
			started = i
		case a.as == asHandleOut, a.as == asHandleAt:
			object = i
		}
	}
	if status >= 0 {
		flag = s.plan.Tells
	}
	local := 0
	if status >= 0 || given >= 0 && !s.countsOnly() {
		local = s.p.statusRoom()
	} else if request >= 0 && s.p.A.HandleBits == 32 || object >= 0 {
		local = 8
	}
	for _, i := range []int{status, request, object, flag, completed, started} {
		if i >= 0 && s.arguments[i].as == asHandleAt && !s.arguments[i].ends() {
			continue
		}
		if i >= 0 && inRegister(i) {
			s.push(registers64[i])
			saved[i] = s.depth
		} else if i >= 0 {
			saved[i] = -8 * (1 + i - len(registers64))
		}
	}
	if completed >= 0 && !s.p.inPlace() {
		s.push("%rax")
		s.completed = s.depth
	}
	if started >= 0 { // twice, to be compared
		s.push("%rax")
		s.push("%rax")
		s.completed = s.depth
	}
	// The stack pointer is a multiple of 16 where a function is called.
	onStack := max(0, len(s.arguments)-len(registers64))
	if object >= 0 && s.arguments[object].as == asHandleAt {
		s.push(s.table(s.arguments[object].kind, "OBJECTS", "%r11", 8))
		local = 0
	}
	if (s.depth+local+8*onStack)%16 != 8 {
		local += 8
	}
	place := s.depth
	if local > 0 {
		s.take(local)
	}
	if object < 0 || s.arguments[object].as != asHandleAt {
		place = s.depth
	}
	local = place
	if status >= 0 {
		s.asm("STATUS_UNSET\t%s", s.at(local))
		if completed >= 0 {
			s.asm("STATUS_EMPTY\t%s", s.at(local))
		}
	}
	if given >= 0 {
		if s.countsOnly() {
			s.asm("STATUS_COUNT_FITS\t%s, %s", registers64[given], s.toC())
		} else {
			s.asm("STATUS_USUAL\t%s, %s", registers64[given], s.toC())
			s.asm("STATUS_A2R\t%s, %s", registers64[given], s.at(local))
		}
	}
	s.pass(local)
	out := object >= 0 && s.arguments[object].as == asHandleOut
	if out {
		s.asm("movq\t$-1, %s", s.at(local)) // NO_HANDLE
	}
	s.call()
	// A near request is over when MPI_Wait is.
	surely := completed >= 0 && s.p.A.HandleBits == 32 && !s.slot && s.plan.Tells < 0
	if completed >= 0 && !surely {
		s.requestEnded(s.arguments[completed], s.at(saved[completed]))
	}

	done := s.label()
	failed := s.aside(func() {
		if surely {
			s.requestEnded(s.arguments[completed], s.at(saved[completed]))
		}
		s.asm("movl\t%%eax, %%edi")
		if out {
			s.nullOut(model.NullName(s.arguments[object].kind), s.at(local), s.at(saved[object]))
		}
		if status >= 0 {
			s.asm("leaq\t%s, %%rsi", s.at(local))
			s.asm("movq\t%s, %%rdx", s.at(saved[status]))
			s.asm("call\tPAIR(status_failed)")
			s.asm("jmp\t%s", done)
			return
		}
		if s.depth > 0 {
			s.give(s.depth)
		}
		s.asm("jmp\tPAIR(error)")
	})
	s.asm("testl\t%%eax, %%eax")
	s.asm("jne\t%s", failed)
	if surely {
		s.asm("movq\t%s, %%rdx", s.at(saved[completed]))
		s.nullRequest()
	}
	if flag >= 0 {
		s.asm("movq\t%s, %%rdx", s.at(saved[flag]))
		s.asm("cmpl\t$0, (%%rdx)")
		s.asm("je\t%s", done)
	}
	if status >= 0 {
		s.asm("/* status */")
		s.asm("movq\t%s, %%rdx", s.at(saved[status]))
		special := s.aside(func() {
			s.asm("leaq\t%s, %%rdi", s.at(local))
			s.asm("movq\t%%rdx, %%rsi")
			s.asm("call\tPAIR(status_special)")
			s.asm("xorl\t%%eax, %%eax")
			s.asm("jmp\t%s", done)
		})
		s.status(s.depth-local, "%rsp", done, special)
	}
	if request >= 0 {
		s.requestOut(s.arguments[request], s.at(saved[request]), s.at(local), done)
	}
	if started >= 0 {
		s.asm("/* %s */", s.arguments[started].Name)
		s.asm("movq\t%s, %%rsi", s.at(s.completed))
		s.asm("cmpq\t%s, %%rsi", s.at(s.completed-8))
		s.asm("jne\t%s", s.aside(func() {
			s.asm("movq\t%s, %%rdi", s.at(saved[started]))
			s.asm("call\tPAIR(request_restarted)")
			s.asm("xorl\t%%eax, %%eax")
			s.asm("jmp\t%s", done)
		}))
	}
	if object >= 0 {
		s.handleOut(s.arguments[object], s.at(saved[object]), s.at(local), done)
	}
	s.Line("%s:", done)
	s.leave()
}

// checks leaves to C whatever the fast path does not convert, as far as it can
// be told before the handles are looked up.
func (s *fast) checks() {
	positive := s.positive()
	if i := s.onlyHandle(); i >= 0 {
		s.asm("/* %s */", s.arguments[i].Name)
		s.asm("cmpq\t$LOWEST_ADDRESS-1, %s", registers64[i])
		s.asm("jbe\t%s", s.aside(func() {
			s.lone = predefined
			s.straight()
		}))
		s.lone = dynamic
	}
	for i, a := range s.arguments {
		if a.as == asOther {
			s.asm("/* %s */", a.Name)
			s.asm("cmpq\t$%d, %s", a.limit, s.operand(i, registers64))
			s.asm("je\t%s", s.toC())
		}
		if a.as == asHandleOut || a.as == asHandleAt || a.as == asRequestAt || a.as == asStartedAt {
			s.asm("/* %s */", a.Name)
			s.asm("testq\t%s, %s", registers64[i], registers64[i])
			s.asm("je\t%s", s.toC())
		}
		if a.as == asRequestOut && s.p.A.HandleBits == 32 { // else the library sees it
			s.asm("/* %s */", a.Name)
			s.asm("cmpq\t$0, %s", s.operand(i, registers64))
			s.asm("je\t%s", s.toC())
		}
		if a.as == asStatusIn {
			s.asm("/* %s */", a.Name)
			s.asm("cmpq\t$1, %s", registers64[i]) // NO_STATUS
			s.asm("jbe\t%s", s.toC())
		}
		if a.as == asRequestAt {
			s.requestAt(i)
		}
		if a.as == asStartedAt && s.p.inPlace() {
			s.asm("REQUEST_A2R\t(%s), %s", registers64[i], s.toC())
		} else if a.as == asStartedAt {
			s.asm("movl\t(%s), %%eax", registers64[i])
			s.inTables("")
			s.asm("REQUEST_SLOT\t%s", s.toC())
			s.slot = true
		}
		if a.as == asHandleAt {
			s.lookUp(a.kind, fmt.Sprintf("(%s)", registers64[i]))
		}
		if s.unchecked(i) && s.p.A.HandleBits == 32 {
			s.asm("/* %s */", a.Name)
			s.asm("cmpl\t$%#x, %s", *s.p.A.Handles[model.NullName(a.kind)].Value, s.operand(i, registers32))
			s.asm("je\t%s", s.toC())
		}
	}
	for n, i := range positive {
		s.asm("/* %s */", s.arguments[i].Name)
		switch {
		case len(positive) > 1 && n == 0:
			s.asm("movl\t%s, %%eax", s.operand(i, registers32))
		case n > 0:
			s.asm("orl\t%s, %%eax", s.operand(i, registers32))
		case inRegister(i):
			s.asm("testl\t%s, %s", registers32[i], registers32[i])
		default:
			s.asm("cmpl\t$0, %s", s.operand(i, nil))
		}
	}
	if len(positive) == 0 {
		return
	}
	branch := "js"
	if len(positive) == 1 && !inRegister(positive[0]) {
		branch = "jl"
	}
	source, tag := s.receives()
	back := s.label()
	switch {
	case s.flips():
		s.asm("%s\t%s", branch, s.aside(func() { s.flipAll(source, back) }))
	case source >= 0:
		s.asm("%s\t%s", branch, s.aside(func() { s.anySource(source, tag, back) }))
	default:
		s.asm("%s\t%s", branch, s.toC())
		return
	}
	s.Line("%s:", back)
	s.turned = true
}

// onlyHandle is the one argument of a query that needs a conversion, a handle of
// those that are numbers; -1: the function is another. It is short enough to be
// written for both kinds of handle, which spares dynamic ones the tables' address.
func (s *fast) onlyHandle() int {
	only := -1
	for i, a := range s.arguments {
		if a.as == asHandle && only < 0 && inRegister(i) {
			only = i
		} else if a.as != asItIs || !inRegister(i) {
			return -1
		}
	}
	if !model.HandlesAreNumbers(s.p.A) {
		return -1
	}
	return only
}

// positive are the arguments that need a conversion only below 0.
func (s *fast) positive() []int {
	var list []int
	for i, a := range s.arguments {
		if a.as == asPositive {
			list = append(list, i)
		}
	}
	return list
}

// receives gives the arguments that say what is received, by source and tag,
// where the tag needs a conversion as well; -1: there is none.
func (s *fast) receives() (source, tag int) {
	source, tag = -1, -1
	for _, i := range s.positive() {
		switch s.arguments[i].Any.Name {
		case "MPI_ANY_SOURCE":
			source = i
		case "MPI_ANY_TAG":
			tag = i
		}
	}
	return source, tag
}

// any gives the value that a program has for any source, or any tag, and the
// runtime's.
func (s *fast) any(i int) (from, to int64) {
	return s.arguments[i].Any.From, s.arguments[i].Any.To
}

// flips says that all these are ranks whose special values differ between the
// two families in one bit, which is turned there and back.
func (s *fast) flips() bool {
	return !slices.ContainsFunc(s.positive(), func(i int) bool { return !s.arguments[i].Action.(plan.ValueIn).Flips })
}

// flipAll is the way of a call with some rank below 0 where ranks flip.
func (s *fast) flipAll(source int, back string) {
	positive := s.positive()
	if len(positive) == 1 {
		s.asm("cmpl\t$LOWEST_RANK, %s", s.operand(positive[0], registers32))
		s.asm("jl\t%s", s.toC())
		s.asm("xorl\t$RANK_FLIP, %s", s.operand(positive[0], registers32))
		s.asm("jmp\t%s", back)
		return
	}
	all := s.label()
	if source >= 0 {
		from, _ := s.any(source)
		s.asm("cmpl\t$%d, %s", from, s.operand(source, registers32))
		s.asm("jne\t%s", all)
		s.othersPositive(all, source)
		if inRegister(source) {
			s.convertAny(source)
			s.asm("jmp\t%s", back)
		} else {
			s.wildly()
		}
	}
	s.Line("%s:", all)
	for _, i := range positive {
		s.asm("cmpl\t$LOWEST_RANK, %s", s.operand(i, registers32))
		s.asm("jl\t%s", s.toC())
	}
	s.turnBack() // which is the same
	s.asm("jmp\t%s", back)
}

// othersPositive goes to a label unless all ranks and tags but these are from 0
// up.
func (s *fast) othersPositive(label string, but ...int) {
	rest := slices.DeleteFunc(s.positive(), func(i int) bool { return slices.Contains(but, i) })
	for n, i := range rest {
		switch {
		case len(rest) == 1:
			s.asm("testl\t%s, %s", s.operand(i, registers32), s.operand(i, registers32))
		case n == 0:
			s.asm("movl\t%s, %%eax", s.operand(i, registers32))
		default:
			s.asm("orl\t%s, %%eax", s.operand(i, registers32))
		}
	}
	if len(rest) > 0 {
		s.asm("js\t%s", label)
	}
}

// wildly writes the rest of the function once more, for any source and, where
// that is converted, any tag, which it passes as numbers.
func (s *fast) wildly() {
	before := *s
	s.begin()
	s.wild = true
	s.straight()
	cold, labels, text := s.cold, s.labels, s.Writer
	*s = before
	s.cold, s.labels, s.Writer = cold, labels, text
	s.begin()
}

// anySource is the way of a receive with a source or tag below 0 where these do
// not flip; what is neither any source nor any tag goes to C.
func (s *fast) anySource(source, tag int, back string) {
	from, _ := s.any(source)
	fromTag, _ := s.any(tag)
	other, onlyTag, onlySource := s.label(), s.label(), s.label()
	left := s.toC()
	s.othersPositive(left, source, tag)
	s.asm("cmpl\t$%d, %s", from, s.operand(source, registers32))
	s.asm("jne\t%s", other)
	if inRegister(source) {
		s.convertAny(source)
		s.asm("cmpl\t$0, %s", s.operand(tag, registers32))
		s.asm("jns\t%s", back)
		s.Line("%s:", onlyTag)
		s.asm("cmpl\t$%d, %s", fromTag, s.operand(tag, registers32))
		s.asm("jne\t%s", s.aside(func() {
			s.turnAnyBack(source)
			s.asm("jmp\t%s", left)
		}))
		s.convertAny(tag)
		s.asm("jmp\t%s", back)
		s.Line("%s:", other)
		s.asm("testl\t%s, %s", registers32[source], registers32[source])
		s.asm("jns\t%s", onlyTag)
		s.asm("jmp\t%s", left)
		return
	}
	s.asm("cmpl\t$%d, %s", fromTag, s.operand(tag, nil))
	s.asm("jne\t%s", onlySource)
	s.wildly()
	s.Line("%s:", onlySource)
	s.asm("cmpl\t$0, %s", s.operand(tag, nil))
	s.asm("jl\t%s", left)
	s.convertAny(source)
	s.asm("jmp\t%s", back)
	s.Line("%s:", other)
	s.asm("cmpl\t$0, %s", s.operand(source, nil))
	s.asm("jl\t%s", left)
	s.asm("cmpl\t$%d, %s", fromTag, s.operand(tag, nil))
	s.asm("jne\t%s", left)
	s.convertAny(tag)
	s.asm("jmp\t%s", back)
}

// convertAny converts any source, or any tag, in its place.
func (s *fast) convertAny(i int) {
	if from, to := s.any(i); from != to {
		s.asm("movl\t$%d, %s", to, s.operand(i, registers32))
	}
}

// turnAnyBack gives a source or tag below 0, which can only be any, the
// program's value again.
func (s *fast) turnAnyBack(i int) {
	from, to := s.any(i)
	if from == to {
		return
	}
	label := s.label()
	s.asm("cmpl\t$0, %s", s.operand(i, registers32))
	s.asm("jns\t%s", label)
	s.asm("movl\t$%d, %s", from, s.operand(i, registers32))
	s.Line("%s:", label)
}

// turnBack gives ranks and tags below 0 the program's values again.
func (s *fast) turnBack() {
	if !s.flips() {
		source, tag := s.receives()
		s.turnAnyBack(source)
		s.turnAnyBack(tag)
		return
	}
	for _, i := range s.positive() {
		label := s.label()
		s.asm("cmpl\t$0, %s", s.operand(i, registers32))
		s.asm("jns\t%s", label)
		s.asm("xorl\t$RANK_FLIP, %s", s.operand(i, registers32))
		s.Line("%s:", label)
	}
}

// status converts the runtime's status at an offset of a register to the
// program's at %rdx, and goes to special where C has to.
func (s *fast) status(offset int, register, done, special string) {
	negative := s.aside(func() {
		s.asm("STATUS_NEGATIVE\t%d, %s, 0, %%rdx, %s, %s", offset, register, done, special)
	})
	s.asm("STATUS_R2A\t%d, %s, 0, %%rdx, %s, %s", offset, register, negative, special)
}

// statusOfMany does so with the program's at an offset of %rdx, where several
// requests are completed: MPI_Waitall says of each of them that it went well.
func (s *fast) statusOfMany(offset int, register string, own int, done, special string) {
	well := 0
	if s.plan.Tells < 0 {
		well = 1
		s.asm("STATUS_WENT_WELL\t%d, %%rdx", own)
	}
	negative := s.aside(func() {
		s.asm("STATUS_NEGATIVE\t%d, %s, %d, %%rdx, %s, %s, %d", offset, register, own, done, special, well)
	})
	s.asm("STATUS_R2A\t%d, %s, %d, %%rdx, %s, %s, %d", offset, register, own, negative, special, well)
}

// pass puts the arguments where the runtime's function expects them: those on
// the stack are pushed again, the last one first, then the registers change.
// Nothing changes in a register before the last look-up that may fail.
func (s *fast) pass(local int) {
	var handles []int // in registers
	for i, a := range s.arguments {
		if a.as == asHandle && inRegister(i) {
			handles = append(handles, i)
		}
	}
	// A handle on the stack that is often the same as one in a register
	// (sendtype, recvtype) is compared with it, as long as it stands.
	twin, last := -1, -1
	for i, a := range slices.Backward(s.arguments) {
		if a.as != asHandle || inRegister(i) {
			continue
		}
		for _, h := range handles {
			if s.arguments[h].kind == a.kind {
				twin, last = i, h
			}
		}
		if twin != i && twin > i {
			twin, last = -1, -1 // the look-up of this one comes later and may fail
		}
	}
	if last < 0 && len(handles) > 0 {
		last = handles[len(handles)-1]
	}
	for _, i := range handles {
		if i != last {
			s.find(i)
		}
	}
	for i := len(s.arguments) - 1; !inRegister(i) && i >= 0; i-- {
		a := s.arguments[i]
		s.asm("/* %s */", a.Name)
		switch {
		case a.as == asStatusOut || a.as == asRequestOut && s.p.A.HandleBits == 32:
			s.pushAddress(local)
		case a.as == asIgnored:
			s.push(s.p.ignored())
		case s.passedWild(i):
			_, to := s.any(i)
			s.push(fmt.Sprintf("$%d", to))
		case i == twin:
			after := s.label()
			other := s.aside(func() {
				s.pushHandle(i)
				s.convertLast(last)
				s.asm("jmp\t%s", after)
			})
			if s.p.A.HandleBits == 32 {
				s.asm("cmpl\t%s, %s", registers32[last], s.operand(i, nil))
			} else {
				s.asm("cmpq\t%s, %s", registers64[last], s.operand(i, nil))
			}
			s.asm("jne\t%s", other)
			s.convertLast(last)
			s.push(registers64[last])
			s.Line("%s:", after)
		case a.as == asHandle:
			s.pushHandle(i)
		default:
			s.push(s.operand(i, nil))
		}
	}
	for _, i := range handles {
		if i == last && twin < 0 {
			s.convertLast(i)
		}
	}
	for _, i := range handles {
		if i != last {
			s.convertFound(i)
		}
	}
	for i, a := range s.arguments {
		if a.as == asStatusIn && s.countsOnly() {
			s.asm("/* %s */", a.Name)
			s.asm("addq\t$A_COUNT-R_COUNT, %s", registers64[i])
			continue
		}
		if inRegister(i) && (a.as == asStatusIn || a.as == asStatusOut || a.as == asHandleOut || a.as == asHandleAt || a.as == asRequestOut && s.p.A.HandleBits == 32) {
			s.asm("/* %s */", a.Name)
			s.asm("leaq\t%s, %s", s.at(local), registers64[i])
		}
		if inRegister(i) && a.as == asIgnored {
			s.asm("/* %s */", a.Name)
			s.asm("movl\t%s, %s", s.p.ignored(), registers32[i])
		}
		if (a.as == asRequestAt || a.as == asStartedAt) && !s.p.inPlace() {
			s.asm("/* %s */", a.Name)
			s.asm("leaq\t%s, %s", s.at(s.completed), registers64[i])
		}
	}
}

// passedWild says that argument i is passed as the runtime's any source or tag.
func (s *fast) passedWild(i int) bool {
	source, tag := s.receives()
	return s.wild && (i == source || i == tag)
}

// pushAddress passes the address of the local.
func (s *fast) pushAddress(local int) {
	if s.depth == local {
		s.push("%rsp")
		return
	}
	s.asm("leaq\t%s, %%rax", s.at(local))
	s.push("%rax")
}

// table is an operand in the table of a handle's kind.
func (s *fast) table(role, array, index string, scale int) string {
	return s.inTables(fmt.Sprintf("TABLE_%s+HT_%s(%%r10,%s,%d)", role, array, index, scale))
}

// inTables is an operand in the tables of the program's handles, whose address
// is in %r10.
func (s *fast) inTables(operand string) string {
	if !s.tables {
		s.asm("leaq\tPAIR(tables)(%%rip), %%r10")
		s.tables = true
	}
	return operand
}

// find leaves the call to C unless the table has the handle in register i in
// the first place looked at.
func (s *fast) find(i int) {
	if s.p.A.HandleBits != 32 {
		return
	}
	role := s.arguments[i].kind
	s.asm("/* %s */", s.arguments[i].Name)
	place := s.table(role, "HANDLES", "%rax", 4)
	s.asm("movzwl\t%s, %%eax", registers16[i])
	s.asm("cmpl\t%s, %s", registers32[i], place)
	s.asm("jne\t%s", s.toC())
}

// convertFound converts the handle in register i, which has been found.
func (s *fast) convertFound(i int) {
	if s.p.A.HandleBits != 32 {
		s.convertWide(i)
		return
	}
	s.asm("movzwl\t%s, %s", registers16[i], registers32[i])
	s.asm("movq\t%s, %s", s.table(s.arguments[i].kind, "OBJECTS", registers64[i], 8), registers64[i])
}

// convertLast looks the handle in register i up and converts it.
func (s *fast) convertLast(i int) {
	if s.p.A.HandleBits != 32 {
		s.convertWide(i)
		return
	}
	s.find(i)
	s.asm("movq\t%s, %s", s.table(s.arguments[i].kind, "OBJECTS", "%rax", 8), registers64[i])
}

// convertWide converts the handle of 64 bits in register i.
func (s *fast) convertWide(i int) {
	s.asm("/* %s */", s.arguments[i].Name)
	switch {
	case model.HandlesAreNumbers(s.p.A):
		s.convertNumber(i, registers64[i])
	case s.p.R.HandleBits == 64:
		s.convertTagged(s.arguments[i].kind, registers64[i], registers32[i])
	default:
		s.convertPointer(i)
	}
}

// convertNumber: a predefined handle stands in a table of its kind, any other is
// the runtime's own.
func (s *fast) convertNumber(i int, register string) {
	role := s.arguments[i].kind
	if s.lone == dynamic {
		return
	}
	after := s.label()
	place := s.inTables(fmt.Sprintf("NUMBERS_%s(%%r10,%s,8)", role, register))
	if s.lone == predefined {
		s.asm("movq\t%s, %s", place, register)
		return
	}
	s.asm("cmpq\t$LOWEST_ADDRESS-1, %s", register)
	s.asm("ja\t%s", after)
	if s.unchecked(i) {
		s.asm("movq\t%s, %%rax", place)
		s.asm("cmpq\tPAIR(R_%s)(%%rip), %%rax", model.NullName(role))
		s.asm("je\t%s", s.toC())
		place = "%rax"
	}
	if place != register {
		s.asm("movq\t%s, %s", place, register)
	}
	s.Line("%s:", after)
}

// convertTagged: a predefined handle is the address of the runtime's, any other
// is the runtime's with the tag.
func (s *fast) convertTagged(role, register, half string) {
	after := s.label()
	bad := s.aside(func() {
		if null := s.p.R.Handles[model.NullName(role)]; null.Symbol != "" {
			s.asm("movq\t%s, %s", s.p.null(model.NullName(role)), register)
		} else {
			s.asm("movl\t$%#x, %s", *null.Value, half)
		}
		s.asm("jmp\t%s", after)
	})
	s.asm("cmpq\t$LOWEST_ADDRESS-1, %s", register)
	s.asm("jle\t%s", s.aside(func() {
		s.asm("btrq\t$63, %s", register)
		s.asm("jnc\t%s", bad)
		s.asm("jmp\t%s", after)
	}))
	s.asm("cmpl\t$MAGIC_%s, (%s)", role, register)
	s.asm("jne\t%s", bad)
	s.asm("movq\t8(%s), %s", register, register)
	s.Line("%s:", after)
}

// convertPointer: the same where the runtime's handle is an int, which is the
// lower half of the program's (mappers/handles_pointer.h).
func (s *fast) convertPointer(i int) {
	after := s.label()
	bad := s.aside(func() {
		s.asm("xorl\t%s, %s", registers32[i], registers32[i])
		s.asm("jmp\t%s", after)
	})
	s.asm("cmpq\t$LOWEST_ADDRESS-1, %s", registers64[i])
	s.asm("jle\t%s", after)
	s.asm("cmpl\t$MAGIC_%s, (%s)", s.arguments[i].kind, registers64[i])
	s.asm("jne\t%s", bad)
	s.asm("movl\t8(%s), %s", registers64[i], registers32[i])
	s.Line("%s:", after)
}

// pushHandle converts argument i, which is on the stack, and passes it.
func (s *fast) pushHandle(i int) {
	role := s.arguments[i].kind
	if s.p.A.HandleBits == 32 {
		s.lookUp(role, s.operand(i, nil))
		s.push(s.table(role, "OBJECTS", "%r11", 8))
		return
	}
	if model.HandlesAreNumbers(s.p.A) || s.p.R.HandleBits == 64 {
		s.asm("movq\t%s, %%rax", s.operand(i, nil))
		if model.HandlesAreNumbers(s.p.A) {
			s.convertNumber(i, "%rax")
		} else {
			s.convertTagged(role, "%rax", "%eax")
		}
		s.push("%rax")
		return
	}
	after := s.label()
	instead := func(operand string) string {
		return s.aside(func() {
			s.push(operand)
			s.asm("jmp\t%s", after)
		})
	}
	s.asm("movq\t%s, %%rax", s.operand(i, nil))
	s.asm("cmpq\t$LOWEST_ADDRESS-1, %%rax")
	s.asm("jle\t%s", instead("%rax"))
	s.asm("cmpl\t$MAGIC_%s, (%%rax)", role)
	s.asm("jne\t%s", instead("$0"))
	s.push("8(%rax)")
	s.Line("%s:", after)
}

// lookUp leaves the call to C unless the table has the handle in memory in the
// first place looked at, whose index is then in %r11.
func (s *fast) lookUp(role, operand string) {
	place := s.table(role, "HANDLES", "%r11", 4)
	s.asm("movl\t%s, %%eax", operand)
	s.asm("movzwl\t%%ax, %%r11d")
	s.asm("cmpl\t%%eax, %s", place)
	s.asm("jne\t%s", s.toC())
}

// handleOut gives the program its handle of a new object, or takes the handle
// of an object that has ended.
func (s *fast) handleOut(a argument, variable, local, done string) {
	if a.as == asHandleAt && !a.ends() {
		return
	}
	null, after, other, locked := model.NullName(a.kind), s.label(), s.label(), s.label()
	table := "TABLE_" + a.kind
	rest := func(function string) {
		s.aside(func() {
			s.asm("HT_OTHER\t%s, %s, %s, %s", table, function, other, locked)
			s.asm("jmp\t%s", after)
		})
	}
	s.asm("/* %s */", a.Name)
	if a.as == asHandleOut {
		s.asm("movq\t%s, %%rsi", local)
		s.asm("testq\t%%rsi, %%rsi")
		s.asm("je\t%s", s.aside(func() {
			s.asm("movq\t%s, %%rdx", variable)
			s.asm("movl\t$%#x, (%%rdx)", *s.p.A.Handles[null].Value)
			s.asm("jmp\t%s", done)
		}))
		s.asm("leaq\tPAIR(tables)(%%rip), %%r10")
		s.asm("HT_INSERT\t%s, %s, %s", table, other, locked)
		rest("PAIR(insert)")
		s.Line("%s:", after)
		s.asm("movq\t%s, %%rdx", variable)
		s.asm("movl\t%%edi, (%%rdx)")
		return
	}
	s.asm("movq\t%s, %%rsi", local)
	s.asm("cmpq\t%s, %%rsi", s.p.null(null))
	s.asm("jne\t%s", done)
	s.asm("movq\t%s, %%rdx", variable)
	s.asm("movl\t(%%rdx), %%esi")
	s.asm("movl\t$%#x, (%%rdx)", *s.p.A.Handles[null].Value)
	s.asm("leaq\tPAIR(tables)(%%rip), %%r10")
	s.asm("HT_RELEASE\t%s, %s, %s", table, other, locked)
	rest("ht_release")
	s.Line("%s:", after)
}

// nullOut gives the program the null handle that a library which fails may give.
func (s *fast) nullOut(null, local, variable string) {
	r, after := s.p.R.Handles[null], s.label()
	s.asm("movq\t%s, %%rsi", local)
	if r.Symbol != "" {
		s.asm("cmpq\tPAIR(R_%s)(%%rip), %%rsi", null)
	} else {
		s.asm("cmpq\t$%#x, %%rsi", *r.Value)
	}
	s.asm("jne\t%s", after)
	s.asm("movq\t%s, %%rdx", variable)
	s.asm("movl\t$%#x, (%%rdx)", *s.p.A.Handles[null].Value)
	s.Line("%s:", after)
}

// call calls the runtime's function.
func (s *fast) call() {
	s.asm("call\t*wi4go_R+8*SLOT_%s(%%rip)", s.f.Name)
}

// requestOut gives the program its handle of the request that was started.
func (s *fast) requestOut(a argument, variable, local, done string) {
	s.asm("/* %s */", a.Name)
	s.asm("movq\t%s, %%rdx", variable)
	if s.p.A.HandleBits == 64 {
		// The runtime has written its handle into the program's variable, or
		// into its lower half: only the tag is missing.
		if !a.Action.(plan.RequestOut).Starts {
			null := s.aside(func() {
				s.nullRequest()
				s.asm("jmp\t%s", done)
			})
			s.compareNull("(%rdx)")
			s.asm("je\t%s", null)
		}
		switch plain := model.HandlesAreNumbers(s.p.A); {
		case plain && s.p.R.HandleBits == 32:
			s.asm("movl\t$0, 4(%%rdx)")
		case s.p.R.HandleBits == 32:
			s.asm("movl\t$TAG_UPPER, 4(%%rdx)")
		case !plain:
			s.asm("orl\t$TAG_UPPER, 4(%%rdx)")
		}
		return
	}
	s.nearOut(a, variable, local, done, "request_far")
}

// nearOut gives the program the number of the runtime's request in local, whose address
// is near the others' or which far, in C, gives one; %rdx has the variable.
func (s *fast) nearOut(a argument, variable, local, done, far string) {
	away := s.aside(func() {
		s.asm("movq\t%s, %%rdi", local)
		s.asm("call\tPAIR(%s)", far)
		s.asm("movq\t%s, %%rdx", variable)
		s.asm("movl\t%%eax, (%%rdx)")
		s.asm("xorl\t%%eax, %%eax")
		s.asm("jmp\t%s", done)
	})
	s.asm("movq\t%s, %%rcx", local)
	if a.Action.(plan.RequestOut).Sends && s.p.R.Handles["MPI_REQUEST_NULL"].Symbol != "" { // else none is far from the others
		empty := s.aside(func() {
			s.asm("movl\t$NEAR_EMPTY, (%%rdx)")
			s.asm("jmp\t%s", done)
		})
		s.asm("cmpq\tPAIR(near_empty)(%%rip), %%rcx")
		s.asm("je\t%s", empty)
	}
	s.asm("subq\tPAIR(near_base)(%%rip), %%rcx")
	s.asm("rorq\t$4, %%rcx")
	s.asm("cmpq\t$NEAR_STEPS-2, %%rcx")
	s.asm("ja\t%s", away)
	s.asm("addl\t$NEAR_FIRST, %%ecx")
	s.asm("movl\t%%ecx, (%%rdx)")
}

// inPlace says that the program's variable of a request serves the runtime as its
// own: it has the runtime's handle, in the lower half of it at least. (To take a tag
// away meanwhile will not do: another thread may cancel the request.)
func (p *printer) inPlace() bool {
	return p.A.HandleBits == 64 && (model.HandlesAreNumbers(p.A) || p.R.HandleBits == 32)
}

// requestAt makes the request whose variable register i points to the runtime's;
// a null one is completed here, where the function completes any.
func (s *fast) requestAt(i int) {
	variable := fmt.Sprintf("(%s)", registers64[i])
	back := s.label()
	if s.plan.Null == nil && s.p.A.HandleBits != 32 {
		s.asm("REQUEST_A2R\t%s, %s", variable, s.toC())
		return
	}
	s.asm("REQUEST_A2R\t%s, %s", variable, s.aside(func() {
		if s.p.A.HandleBits == 32 && s.p.R.Handles["MPI_REQUEST_NULL"].Symbol != "" {
			other := s.label()
			s.asm("cmpl\t$NEAR_EMPTY, %%eax")
			s.asm("jne\t%s", other)
			s.asm("movq\tPAIR(near_empty)(%%rip), %%rax")
			s.asm("jmp\t%s", back)
			s.Line("%s:", other)
		}
		if s.plan.Null == nil {
			s.asm("jmp\t%s", s.toC())
			return
		}
		switch own := s.p.A.Handles["MPI_REQUEST_NULL"]; {
		case own.Symbol != "":
			s.asm("movq\t%s@GOTPCREL(%%rip), %%rax", own.Symbol)
			s.asm("cmpq\t%%rax, %s", variable)
		case s.p.A.HandleBits == 32:
			s.asm("cmpl\t$%#x, %s", *own.Value, variable)
		default:
			s.asm("cmpq\t$%#x, %s", *own.Value, variable)
		}
		if s.p.A.HandleBits != 32 {
			s.asm("jne\t%s", s.toC())
			s.nullAnswer()
			return
		}
		slot := s.aside(func() {
			s.inTables("")
			s.asm("REQUEST_SLOT\t%s", s.toC())
			s.slot = true
			s.straight()
		})
		s.asm("jne\t%s", slot)
		s.nullAnswer()
	}))
	s.Line("%s:", back)
}

// nullAnswer is what a call that completes a request says of a null one, which no
// library need be asked.
func (s *fast) nullAnswer() {
	for i, a := range s.arguments {
		switch {
		case i == s.plan.Tells:
			s.asm("testq\t%s, %s", registers64[i], registers64[i])
			s.asm("je\t%s", s.toC())
			s.asm("movl\t$1, (%s)", registers64[i])
		case a.as == asStatusOut:
			s.asm("STATUS_OF_NULL\t%s", registers64[i])
		}
	}
	s.asm("xorl\t%%eax, %%eax")
	s.asm("ret")
}

// requestEnded gives the program's variable the null request if the runtime's
// request has ended.
func (s *fast) requestEnded(a argument, variable string) {
	s.asm("/* %s */", a.Name)
	after := s.label()
	defer s.Line("%s:", after)
	if s.p.inPlace() {
		s.asm("movq\t%s, %%rdx", variable)
		s.compareNull("(%rdx)")
		s.asm("jne\t%s", after)
		s.nullRequest()
		return
	}
	s.compareNull(s.at(s.completed))
	if s.slot {
		s.asm("je\t%s", s.aside(func() {
			s.asm("movq\t%s, %%rdi", variable)
			s.asm("movl\t%%eax, %%esi")
			s.asm("call\tPAIR(request_over)")
			s.asm("jmp\t%s", after)
		}))
		return
	}
	s.asm("jne\t%s", after)
	s.asm("movq\t%s, %%rdx", variable)
	s.nullRequest()
}

// written says that there is something to do about the request that a call starts:
// not where the program's handle is the runtime's.
func (s *fast) written(a argument) bool {
	return !model.HandlesAreNumbers(s.p.A) || s.p.R.HandleBits == 32 || !a.Action.(plan.RequestOut).Starts
}

// null is the runtime's null handle as an operand.
func (p *printer) null(name string) string {
	if h := p.R.Handles[name]; h.Symbol == "" {
		return fmt.Sprintf("$%#x", *h.Value)
	}
	return fmt.Sprintf("PAIR(R_%s)(%%rip)", name)
}

// nullRequest puts the program's null request into the variable at %rdx.
func (s *fast) nullRequest() {
	switch own := s.p.A.Handles["MPI_REQUEST_NULL"]; {
	case own.Symbol != "":
		s.asm("movq\t%s@GOTPCREL(%%rip), %%rcx", own.Symbol)
		s.asm("movq\t%%rcx, (%%rdx)")
	case s.p.A.HandleBits == 32:
		s.asm("movl\t$%#x, (%%rdx)", *own.Value)
	default:
		s.asm("movq\t$%#x, (%%rdx)", *own.Value)
	}
}

// compareNull compares the runtime's request in memory with its null one.
func (s *fast) compareNull(operand string) {
	null := s.p.null("MPI_REQUEST_NULL")
	switch {
	case s.p.R.HandleBits == 32:
		s.asm("cmpl\t%s, %s", null, operand)
	case s.p.R.Handles["MPI_REQUEST_NULL"].Symbol == "":
		s.asm("cmpq\t%s, %s", null, operand)
	default:
		s.asm("movq\t%s, %%rcx", null)
		s.asm("cmpq\t%%rcx, %s", operand)
	}
}

// countsOnly says that of a status a function reads nothing but the count of
// bytes. It is given the program's status, at the distance at which the runtime
// looks for the count.
func (s *fast) countsOnly() bool {
	return slices.ContainsFunc(s.arguments, func(a argument) bool { return a.Action == plan.StatusIn{CountOnly: true} })
}

// unchecked says that argument i is the handle that the runtime does not look at.
func (s *fast) unchecked(i int) bool {
	return s.plan.Refusal != nil && s.plan.Refusal.Argument == i
}

// ends says that the object of a handle in a variable may end.
func (a *argument) ends() bool { return a.Action.(plan.HandleAt).Ends }

// ignored is the runtime's STATUS_IGNORE as an operand.
func (p *printer) ignored() string {
	return fmt.Sprintf("$%d", p.R.Pointers["MPI_STATUS_IGNORE"].Value)
}

// leave returns.
func (s *fast) leave() {
	if s.depth > 0 {
		s.give(s.depth)
	}
	s.asm("ret")
}

// text is the whole, with what stands behind.
func (s *fast) text() string {
	w := &output.Writer{}
	w.Line("FAST_PATH(%s%s)", s.prefix, s.f.Name)
	w.Write(s.Bytes())
	for _, text := range s.cold {
		w.WriteString(text)
	}
	w.Line("FAST_END(%s%s)\n", s.prefix, s.f.Name)
	return w.String()
}

// Print writes the assembly of all fast paths of the pair, of those plans that are to have one.
func Print(pair *plan.Pair, plans []*plan.Plan) []byte {
	p := &printer{pair}
	w := &output.Writer{}
	w.WriteString(output.Banner(fmt.Sprintf("Fast paths of %s programs over %s libraries.", p.A.Family, p.R.Family)))
	traits.Write(w, pair)
	w.Line("#define PAIR(name) %s##name", traits.Symbol(pair, ""))
	for i, kind := range model.HandleKinds {
		w.Line("#define MAGIC_%s HANDLE_MAGIC+%d\n#define NUMBERS_%s %d*8*LOWEST_ADDRESS", kind, i, kind, i)
	}
	for _, side := range []struct {
		prefix string
		family *abi.Family
	}{{"A", p.A}, {"R", p.R}} {
		null := side.family.Handles["MPI_REQUEST_NULL"]
		switch {
		case null.Symbol == "":
			w.Line("#define %s_REQUEST_NULL %#x", side.prefix, *null.Value)
		case side.prefix == "A":
			w.Line("#define A_REQUEST_NULL %s", null.Symbol)
		default:
			w.Line("#define R_REQUEST_NULL PAIR(R_MPI_REQUEST_NULL)")
		}
		for _, name := range []string{"MPI_PROC_NULL", "MPI_ANY_SOURCE", "MPI_ANY_TAG"} {
			w.Line("#define %s_%s %d", side.prefix, name, side.family.Constants[name])
		}
	}
	w.Line("#if defined(__x86_64__)\n#include \"fast_x86_64.h\"")
	for _, plan := range plans {
		if plan.Assembly {
			w.WriteString(p.fastOf(plan))
		}
		if FitsFortran(pair, plan) {
			w.WriteString(p.frequentOf(plan))
		}
	}
	w.Line("#endif\n.section .note.GNU-stack, \"\", %%progbits")
	return w.Bytes()
}

// fastOf is the fast path of a function.
func (p *printer) fastOf(of *plan.Plan) string {
	w := &fast{p: p, plan: of, f: of.Function, slow: map[way]string{}, left: fmt.Sprintf("jmpq\t*PAIR(translations)+16*SLOT_%s+8(%%rip)", of.Function.Name)}
	switch of.Completes {
	case plan.CompletesAll:
		return w.completion()
	case plan.CompletesAny, plan.CompletesSome:
		return w.some()
	}
	for i := range of.Arguments {
		a, _ := p.form(of, i)
		w.arguments = append(w.arguments, a)
	}
	return w.function()
}
