package assembly

import (
	"fmt"
	"slices"

	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
)

// This file contains the writer of one fast path and its parts in order: checks, arguments, call,
// results.

// fastPath writes one fast path. Most of its fields describe the state of the machine at the
// instruction that is written next; outOfLine and wildcardCopy save and restore them.
type fastPath struct {
	output.Writer
	// pair is the pair's printer.
	pair *printer
	// plan describes the conversions of the function f.
	plan *plan.Plan
	f    *model.Function
	// arguments are the function's arguments with their classes.
	arguments []argument
	// cold is the out-of-line code so far, printed after the hot path.
	cold []string
	// bailouts maps a state to the label of the code that bails out from it.
	bailouts map[bailState]string
	// labels is the number of labels made so far.
	labels int
	// prefix begins the path's symbol and labels: empty, "fortran_" or "described_".
	prefix string
	// described reports whether this is a procedure of mpi_f08 whose choice buffers are
	// descriptors.
	described bool
	// bailInstruction is the instruction that bails out: a jump to the C function.
	bailInstruction string
	// depth is the number of bytes on the stack since the entry.
	depth int
	// runtimeRequest is the depth of the stack slot with the runtime's handle of the request that
	// the call completes or restarts.
	runtimeRequest int
	// tablesLoaded reports whether %r10 holds the address of the handle tables (in Fortran
	// procedures: of the known integers).
	tablesLoaded bool
	// ranksConverted reports whether ranks and tags below 0 already have the runtime's values.
	ranksConverted bool
	// wildcard reports whether this is the copy of a receive for any source and any tag.
	wildcard bool
	// withSlot reports whether this is the copy for a request with a slot in the handle table.
	withSlot bool
	// handleClass classifies the function's only handle in this copy of the code.
	handleClass handleClass
}

// handleClass is the class of the only handle of a function that has just one. Handles that are
// numbers are predefined if they are small; any other is the runtime's own.
type handleClass int

const (
	// unknownHandle: the function has several handles, or none, or they are not numbers.
	unknownHandle handleClass = iota
	// predefinedHandle: this copy of the code runs for a predefined handle.
	predefinedHandle
	// dynamicHandle: this copy runs for a handle of an object that the program has made.
	dynamicHandle
)

// bailState is the state from which a call bails out to C.
type bailState struct {
	// depth is the number of bytes to remove from the stack.
	depth int
	// ranksConverted reports whether ranks and tags must get the program's values back.
	ranksConverted bool
}

// label returns a new local label.
func (s *fastPath) label() string {
	s.labels++
	return fmt.Sprintf(".L%s%s_%d", s.prefix, s.f.Name, s.labels)
}

// asm writes one indented line: an instruction, a directive or a macro.
func (s *fastPath) asm(format string, arguments ...any) {
	s.Line("\t"+format, arguments...)
}

// outOfLine calls write and moves the code that it writes out of line, after the hot path. It
// returns the label of that code. The code starts with the machine's current state. Its changes
// of that state do not affect the hot path.
func (s *fastPath) outOfLine(write func()) string {
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

// bailOut returns the label of the code that bails out from the current state: it restores the
// stack and the ranks, and jumps to the C function with the arguments as they came.
func (s *fastPath) bailOut() string {
	from := bailState{s.depth, s.ranksConverted}
	if s.bailouts[from] == "" {
		s.bailouts[from] = s.outOfLine(func() {
			if s.depth > 0 {
				s.release(s.depth)
			}
			if s.ranksConverted {
				s.restoreRanks()
			}
			s.asm("%s", s.bailInstruction)
		})
	}
	return s.bailouts[from]
}

// reserve reserves bytes of stack.
func (s *fastPath) reserve(bytes int) {
	s.asm("subq\t$%d, %%rsp", bytes)
	s.asm(".cfi_adjust_cfa_offset %d", bytes)
	s.depth += bytes
}

// release releases bytes of stack.
func (s *fastPath) release(bytes int) {
	s.asm("addq\t$%d, %%rsp", bytes)
	s.asm(".cfi_adjust_cfa_offset %d", -bytes)
	s.depth -= bytes
}

// push pushes a register or an operand of 8 bytes.
func (s *fastPath) push(operand string) {
	s.asm("pushq\t%s", operand)
	s.asm(".cfi_adjust_cfa_offset 8")
	s.depth += 8
}

// stackSlot returns the operand of the stack slot at a depth: so many bytes below the stack pointer at
// the entry. A negative depth is an argument on the caller's stack.
func (s *fastPath) stackSlot(depth int) string {
	return fmt.Sprintf("%d(%%rsp)", s.depth-depth)
}

// operand returns the operand of argument i as it came: its register, named from registers, or
// its place on the caller's stack. It is valid until the register changes.
func (s *fastPath) operand(i int, registers []string) string {
	if inRegister(i) {
		return registers[i]
	}
	return s.stackSlot(-8 * (1 + i - len(registers64)))
}

// function returns the whole fast path of a function. If the function has an output status, the
// body is written twice. The second copy runs if the program ignores the status, and passes the
// runtime's MPI_STATUS_IGNORE, which saves the runtime the work as well.
func (s *fastPath) function() string {
	status := slices.IndexFunc(s.arguments, func(a argument) bool { return a.class == asStatusOut })
	if status >= 0 {
		ignored := s.label()
		s.asm("cmpq\t$%d, %s", s.pair.A.Pointers["MPI_STATUS_IGNORE"].Value, s.operand(status, registers64))
		s.asm("je\t%s", ignored)
		s.body()
		s.Line("%s:", ignored)
		s.startAtEntry()
		s.arguments[status].class = asIgnored
	}
	s.body()
	return s.text()
}

// startAtEntry marks the start of code that a jump from the entry reaches: the stack is empty and no
// register has changed.
func (s *fastPath) startAtEntry() {
	s.asm(".cfi_def_cfa_offset 8")
	s.depth, s.tablesLoaded, s.ranksConverted = 0, false, false
}

// body writes one copy of the path, from the first check to the return.
func (s *fastPath) body() {
	s.checks()
	s.afterChecks()
}

// spillSlots holds the depths of the stack slots that the code after the call needs.
type spillSlots struct {
	// saved maps an argument's index to the slot with the address that it holds.
	saved map[int]int
	// local is the runtime's own variable: a status, a request or a handle.
	local int
}

// results are the indices of the arguments with results, and of an input status. An index is -1
// if the function lacks such an argument.
type results struct {
	// inputStatus is an input status, and status an output status. request is a request that the call
	// starts. object is the handle of an object that the call creates or may end. flag is the
	// output flag that must be true for the status to be valid. completed is a request that the
	// call may complete, and started a persistent request with a table slot that it starts.
	inputStatus, status, request, object, flag, completed, started int

	spillSlots
}

// results returns the arguments of the function that have results.
func (s *fastPath) results() *results {
	r := &results{inputStatus: -1, status: -1, request: -1, object: -1, flag: -1, completed: -1, started: -1, spillSlots: spillSlots{saved: map[int]int{}}}
	for i, a := range s.arguments {
		switch {
		case a.class == asStatusIn:
			r.inputStatus = i
		case a.class == asStatusOut:
			r.status = i
		case a.class == asRequestOut && s.storesRequest(a):
			r.request = i
		case a.class == asRequestInOut:
			r.completed = i
		case a.class == asStartedRequest && s.withSlot:
			r.started = i
		case a.class == asHandleOut, a.class == asHandleInOut:
			r.object = i
		}
	}
	if r.status >= 0 {
		r.flag = s.plan.FlagIndex
	}
	return r
}

// afterChecks writes the path after the checks: it passes the arguments, calls the runtime's
// function, converts the results and returns.
func (s *fastPath) afterChecks() {
	r := s.results()
	s.setUpFrame(r)
	s.statusBeforeCall(r)
	s.pass(r.local)
	out := r.object >= 0 && s.arguments[r.object].class == asHandleOut
	if out {
		s.asm("movq\t$-1, %s", s.stackSlot(r.local)) // NO_HANDLE
	}
	s.callRuntime()
	// MPI_Wait always completes a pooled request if it succeeds, whatever handle the runtime
	// leaves. So only a failed call must compare the handle.
	alwaysCompletes := r.completed >= 0 && s.pair.A.HandleBits == 32 && !s.withSlot && s.plan.FlagIndex < 0
	ended := func() { s.storeEnded(s.arguments[r.completed], s.stackSlot(r.saved[r.completed])) }
	if r.completed >= 0 && !alwaysCompletes {
		ended()
	}

	done := s.label()
	failed := s.outOfLine(func() {
		if alwaysCompletes {
			ended()
		}
		s.asm("movl\t%%eax, %%edi")
		if out {
			s.nullOut(model.NullName(s.arguments[r.object].kind), s.stackSlot(r.local), s.stackSlot(r.saved[r.object]))
		}
		if r.status >= 0 {
			s.statusFailed(s.stackSlot(r.saved[r.status]), s.stackSlot(r.local), done)
			return
		}
		if s.depth > 0 {
			s.release(s.depth)
		}
		s.asm("jmp\tPAIR(error)")
	})
	// The code for a pooled request tests for an error and for the pool at once (pooledRequestOut).
	pooled := r.request >= 0 && s.pair.A.HandleBits == 32
	if !pooled {
		s.jumpOnError(failed)
	}
	if alwaysCompletes {
		s.asm("movq\t%s, %%rdx", s.stackSlot(r.saved[r.completed]))
		s.storeNullRequest()
	}
	if r.flag >= 0 {
		s.asm("movq\t%s, %%rdx", s.stackSlot(r.saved[r.flag]))
		s.asm("cmpl\t$0, (%%rdx)")
		s.asm("je\t%s", done)
	}
	if r.status >= 0 {
		s.statusAfterCall(s.stackSlot(r.saved[r.status]), r.local, done)
	}
	switch {
	case pooled:
		s.pooledRequestOut(s.arguments[r.request], startedRequest{s.stackSlot(r.saved[r.request]), s.stackSlot(r.local), "request_r2a_slow", done, s.writeReturn, failed})
	case r.request >= 0:
		s.requestOut(s.arguments[r.request], s.stackSlot(r.saved[r.request]), done)
	}
	if r.started >= 0 {
		s.storeRestarted(s.arguments[r.started], s.stackSlot(r.saved[r.started]), done)
	}
	if r.object >= 0 {
		s.handleOut(s.arguments[r.object], s.stackSlot(r.saved[r.object]), s.stackSlot(r.local), done)
	}
	s.Line("%s:", done)
	s.writeReturn()
}

// setUpFrame saves the addresses that the code after the call needs, and reserves room for the
// runtime's output.
func (s *fastPath) setUpFrame(r *results) {
	at := r.object >= 0 && s.arguments[r.object].class == asHandleInOut
	for _, i := range []int{r.status, r.request, r.object, r.flag, r.completed, r.started} {
		if i >= 0 && s.arguments[i].class == asHandleInOut && !s.arguments[i].ends() {
			continue
		}
		s.spill(i, r.saved)
	}
	if r.completed >= 0 && !s.pair.inPlace() {
		s.push("%rax")
		s.runtimeRequest = s.depth
	}
	if r.started >= 0 { // a second copy, which shows whether the runtime changes the handle
		s.push("%rax")
		s.push("%rax")
		s.runtimeRequest = s.depth
	}
	room := 0
	switch {
	case at:
		s.push(s.table(s.arguments[r.object].kind, "OBJECTS", "%r11", 8))
		r.local = s.depth
	case r.status >= 0 || r.inputStatus >= 0 && !s.countsOnly():
		room = s.pair.statusRoom()
	case r.request >= 0 && s.pair.A.HandleBits == 32 || r.object >= 0:
		room = 8
	}
	s.reserveAligned(room)
	if !at {
		r.local = s.depth
	}
}

// spill saves the address in argument i across the call and stores its depth in saved. An
// argument on the caller's stack stays in its place. If i is -1, spill does nothing.
func (s *fastPath) spill(i int, saved map[int]int) {
	if i >= 0 && inRegister(i) {
		s.push(registers64[i])
		saved[i] = s.depth
	} else if i >= 0 {
		saved[i] = -8 * (1 + i - len(registers64))
	}
}

// reserveAligned reserves at least room bytes, so that the stack pointer is a multiple of 16 at the
// call, after the stack arguments have been pushed.
func (s *fastPath) reserveAligned(room int) {
	onStack := max(0, len(s.arguments)-len(registers64))
	if (s.depth+room+8*onStack)%16 != 8 {
		room += 8
	}
	if room > 0 {
		s.reserve(room)
	}
}

// jumpOnError writes a jump to the label failed if the call returned an error.
func (s *fastPath) jumpOnError(failed string) {
	s.asm("testl\t%%eax, %%eax")
	s.asm("jne\t%s", failed)
}

// callRuntime writes the call of the runtime's function through its slot.
func (s *fastPath) callRuntime() {
	s.asm("call\t*wi4go_R+8*SLOT_%s(%%rip)", s.f.Name)
}

// writeReturn writes the return, with the stack as it was at the entry.
func (s *fastPath) writeReturn() {
	if s.depth > 0 {
		s.release(s.depth)
	}
	s.asm("ret")
}

// text returns the hot path followed by the out-of-line code.
func (s *fastPath) text() string {
	w := &output.Writer{}
	w.Line("FAST_PATH(%s%s)", s.prefix, s.f.Name)
	w.Write(s.Bytes())
	for _, text := range s.cold {
		w.WriteString(text)
	}
	w.Line("FAST_END(%s%s)\n", s.prefix, s.f.Name)
	return w.String()
}
