package assembly

import (
	"fmt"
	"slices"

	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
)

// This file has the writer of one fast path and its parts in order: checks, arguments, call,
// results.

// fast writes one fast path. Most of its fields describe the state of the machine at the
// instruction that is written next; aside and wildly save and restore them.
type fast struct {
	output.Writer
	// p is the pair's printer.
	p *printer
	// plan describes the conversions of the function f.
	plan *plan.Plan
	f    *model.Function
	// arguments are the function's arguments with their forms.
	arguments []argument
	// cold is the out-of-line code so far, printed after the hot path.
	cold []string
	// slow maps a state to the label of the code that bails out from it.
	slow map[state]string
	// labels is the number of labels made so far.
	labels int
	// prefix begins the path's symbol and labels: empty, "fortran_" or "described_".
	prefix string
	// described reports whether this is a procedure of mpi_f08 whose choice buffers are
	// descriptors.
	described bool
	// left is the instruction that bails out: a jump to the C function.
	left string
	// depth is the number of bytes on the stack since the entry.
	depth int
	// completed is the depth of the stack slot with the runtime's handle of the request that
	// the call completes or restarts.
	completed int
	// tables reports whether %r10 holds the address of the handle tables (in Fortran
	// procedures: of the known integers).
	tables bool
	// turned reports whether ranks and tags below 0 already have the runtime's values.
	turned bool
	// wild reports whether this is the copy of a receive for any source and any tag.
	wild bool
	// slot reports whether this is the copy for a request with a slot in the handle table.
	slot bool
	// lone classifies the function's only handle in this copy of the code.
	lone lone
}

// lone is the class of the only handle of a function that has just one. Handles that are
// numbers are predefined if they are small; any other is the runtime's own.
type lone int

const (
	// unknown: the function has several handles, or none, or they are not numbers.
	unknown lone = iota
	// predefined: this copy of the code runs for a predefined handle.
	predefined
	// dynamic: this copy runs for a handle of an object that the program has made.
	dynamic
)

// state is the state from which a call bails out to C.
type state struct {
	// depth is the number of bytes to remove from the stack.
	depth int
	// turned reports whether ranks and tags must get the program's values back.
	turned bool
}

// label returns a new local label.
func (s *fast) label() string {
	s.labels++
	return fmt.Sprintf(".L%s%s_%d", s.prefix, s.f.Name, s.labels)
}

// asm writes one indented line: an instruction, a directive or a macro.
func (s *fast) asm(format string, arguments ...any) {
	s.Line("\t"+format, arguments...)
}

// aside calls write and moves the code that it writes out of line, after the hot path. It
// returns the label of that code. The code starts with the machine's current state. Its changes
// of that state do not affect the hot path.
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

// toC returns the label of the code that bails out from the current state: it restores the
// stack and the ranks, and jumps to the C function with the arguments as they came.
func (s *fast) toC() string {
	from := state{s.depth, s.turned}
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

// take reserves bytes of stack.
func (s *fast) take(bytes int) {
	s.asm("subq\t$%d, %%rsp", bytes)
	s.asm(".cfi_adjust_cfa_offset %d", bytes)
	s.depth += bytes
}

// give releases bytes of stack.
func (s *fast) give(bytes int) {
	s.asm("addq\t$%d, %%rsp", bytes)
	s.asm(".cfi_adjust_cfa_offset %d", -bytes)
	s.depth -= bytes
}

// push pushes a register or an operand of 8 bytes.
func (s *fast) push(operand string) {
	s.asm("pushq\t%s", operand)
	s.asm(".cfi_adjust_cfa_offset 8")
	s.depth += 8
}

// at returns the operand of the stack slot at a depth: so many bytes below the stack pointer at
// the entry. A negative depth is an argument on the caller's stack.
func (s *fast) at(below int) string {
	return fmt.Sprintf("%d(%%rsp)", s.depth-below)
}

// operand returns the operand of argument i as it came: its register, named from registers, or
// its place on the caller's stack. It is valid until the register changes.
func (s *fast) operand(i int, registers []string) string {
	if inRegister(i) {
		return registers[i]
	}
	return s.at(-8 * (1 + i - len(registers64)))
}

// function returns the whole fast path of a function. If the function has an output status, the
// body is written twice. The second copy runs if the program ignores the status, and passes the
// runtime's MPI_STATUS_IGNORE, which saves the runtime the work as well.
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

// begin marks the start of code that a jump from the entry reaches: the stack is empty and no
// register has changed.
func (s *fast) begin() {
	s.asm(".cfi_def_cfa_offset 8")
	s.depth, s.tables, s.turned = 0, false, false
}

// body writes one copy of the path, from the first check to the return.
func (s *fast) body() {
	s.checks()
	s.straight()
}

// behind holds the depths of the stack slots that the code after the call needs.
type behind struct {
	// saved maps an argument's index to the slot with the address that it holds.
	saved map[int]int
	// local is the runtime's own variable: a status, a request or a handle.
	local int
}

// results are the indices of the arguments with results, and of an input status. An index is -1
// if the function has no such argument.
type results struct {
	// given is an input status, and status an output status. request is a request that the call
	// starts. object is the handle of an object that the call creates or may end. flag is the
	// output flag that must be true for the status to be valid. completed is a request that the
	// call may complete, and started a persistent request with a table slot that it starts.
	given, status, request, object, flag, completed, started int

	behind
}

// results returns the arguments of the function that have results.
func (s *fast) results() *results {
	r := &results{given: -1, status: -1, request: -1, object: -1, flag: -1, completed: -1, started: -1, behind: behind{saved: map[int]int{}}}
	for i, a := range s.arguments {
		switch {
		case a.as == asStatusIn:
			r.given = i
		case a.as == asStatusOut:
			r.status = i
		case a.as == asRequestOut && s.written(a):
			r.request = i
		case a.as == asRequestAt:
			r.completed = i
		case a.as == asStartedAt && s.slot:
			r.started = i
		case a.as == asHandleOut, a.as == asHandleAt:
			r.object = i
		}
	}
	if r.status >= 0 {
		r.flag = s.plan.Tells
	}
	return r
}

// straight writes the path after the checks: it passes the arguments, calls the runtime's
// function, converts the results and returns.
func (s *fast) straight() {
	r := s.results()
	s.frame(r)
	s.statusGoes(r)
	s.pass(r.local)
	out := r.object >= 0 && s.arguments[r.object].as == asHandleOut
	if out {
		s.asm("movq\t$-1, %s", s.at(r.local)) // NO_HANDLE
	}
	s.call()
	// MPI_Wait always completes a pooled request if it succeeds, whatever handle the runtime
	// leaves. So only a failed call must compare the handle.
	surely := r.completed >= 0 && s.p.A.HandleBits == 32 && !s.slot && s.plan.Tells < 0
	ended := func() { s.requestEnded(s.arguments[r.completed], s.at(r.saved[r.completed])) }
	if r.completed >= 0 && !surely {
		ended()
	}

	done := s.label()
	failed := s.aside(func() {
		if surely {
			ended()
		}
		s.asm("movl\t%%eax, %%edi")
		if out {
			s.nullOut(model.NullName(s.arguments[r.object].kind), s.at(r.local), s.at(r.saved[r.object]))
		}
		if r.status >= 0 {
			s.statusFailed(s.at(r.saved[r.status]), s.at(r.local), done)
			return
		}
		if s.depth > 0 {
			s.give(s.depth)
		}
		s.asm("jmp\tPAIR(error)")
	})
	// The code for a pooled request tests for an error and for the pool at once (nearOut).
	nearby := r.request >= 0 && s.p.A.HandleBits == 32
	if !nearby {
		s.failing(failed)
	}
	if surely {
		s.asm("movq\t%s, %%rdx", s.at(r.saved[r.completed]))
		s.nullRequest()
	}
	if r.flag >= 0 {
		s.asm("movq\t%s, %%rdx", s.at(r.saved[r.flag]))
		s.asm("cmpl\t$0, (%%rdx)")
		s.asm("je\t%s", done)
	}
	if r.status >= 0 {
		s.statusComes(s.at(r.saved[r.status]), r.local, done)
	}
	switch {
	case nearby:
		s.nearOut(s.arguments[r.request], near{s.at(r.saved[r.request]), s.at(r.local), "request_far", done, s.leave, failed})
	case r.request >= 0:
		s.requestOut(s.arguments[r.request], s.at(r.saved[r.request]), done)
	}
	if r.started >= 0 {
		s.restarted(s.arguments[r.started], s.at(r.saved[r.started]), done)
	}
	if r.object >= 0 {
		s.handleOut(s.arguments[r.object], s.at(r.saved[r.object]), s.at(r.local), done)
	}
	s.Line("%s:", done)
	s.leave()
}

// frame saves the addresses that the code after the call needs, and reserves room for the
// runtime's output.
func (s *fast) frame(r *results) {
	at := r.object >= 0 && s.arguments[r.object].as == asHandleAt
	for _, i := range []int{r.status, r.request, r.object, r.flag, r.completed, r.started} {
		if i >= 0 && s.arguments[i].as == asHandleAt && !s.arguments[i].ends() {
			continue
		}
		s.keep(i, r.saved)
	}
	if r.completed >= 0 && !s.p.inPlace() {
		s.push("%rax")
		s.completed = s.depth
	}
	if r.started >= 0 { // a second copy, which shows whether the runtime changes the handle
		s.push("%rax")
		s.push("%rax")
		s.completed = s.depth
	}
	room := 0
	switch {
	case at:
		s.push(s.table(s.arguments[r.object].kind, "OBJECTS", "%r11", 8))
		r.local = s.depth
	case r.status >= 0 || r.given >= 0 && !s.countsOnly():
		room = s.p.statusRoom()
	case r.request >= 0 && s.p.A.HandleBits == 32 || r.object >= 0:
		room = 8
	}
	s.align(room)
	if !at {
		r.local = s.depth
	}
}

// keep saves the address in argument i across the call and stores its depth in saved. An
// argument on the caller's stack stays in its place. If i is -1, keep does nothing.
func (s *fast) keep(i int, saved map[int]int) {
	if i >= 0 && inRegister(i) {
		s.push(registers64[i])
		saved[i] = s.depth
	} else if i >= 0 {
		saved[i] = -8 * (1 + i - len(registers64))
	}
}

// align reserves at least room bytes, so that the stack pointer is a multiple of 16 at the
// call, after the stack arguments have been pushed.
func (s *fast) align(room int) {
	onStack := max(0, len(s.arguments)-len(registers64))
	if (s.depth+room+8*onStack)%16 != 8 {
		room += 8
	}
	if room > 0 {
		s.take(room)
	}
}

// failing writes a jump to the label failed if the call returned an error.
func (s *fast) failing(failed string) {
	s.asm("testl\t%%eax, %%eax")
	s.asm("jne\t%s", failed)
}

// call writes the call of the runtime's function through its slot.
func (s *fast) call() {
	s.asm("call\t*wi4go_R+8*SLOT_%s(%%rip)", s.f.Name)
}

// leave writes the return, with the stack as it was at the entry.
func (s *fast) leave() {
	if s.depth > 0 {
		s.give(s.depth)
	}
	s.asm("ret")
}

// text returns the hot path followed by the out-of-line code.
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
