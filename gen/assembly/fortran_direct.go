package assembly

import (
	"fmt"
	"slices"

	"wi4go/gen/model"
	"wi4go/gen/plan"
)

// This file prints the direct procedures of Fortran (shim/front/fortran_direct.h) in assembly. They
// are fast paths with three differences: every argument comes by its address, a handle is an
// integer, and the error code is stored through the last argument. An unusual call continues in
// the C procedure, so no register with an address changes before the last check.

// The classes of arguments that come by their address.
const (
	asValue            argClass = asStartedRequest + 1 + iota // an int
	asLong                                                    // an MPI_Aint
	asBuffer                                                  // a buffer, which may be MPI_BOTTOM
	asInPlace                                                 // a buffer, which may be MPI_IN_PLACE or MPI_BOTTOM
	asDescribed                                               // the descriptor of a buffer
	asDescribedInPlace                                        // the descriptor of a buffer, which may be MPI_IN_PLACE
	asDescribedChecked                                        // an asDescribedInPlace that is not MPI_IN_PLACE
	asInPlaceChecked                                          // an asDescribedInPlace that is MPI_IN_PLACE
)

// directKinds are the kinds of handles that direct procedures take, in the order of
// fortran_cache_row (mappers/fortran.h).
var directKinds = []string{"COMM", "DATATYPE", "OP", "WIN"}

// FitsFortran reports whether the pair has the Fortran procedure of a function in assembly.
func FitsFortran(pair *plan.Pair, of *plan.Plan) bool {
	p := &printer{pair}
	if of.Function.Fortran == model.FortranDirect && of.Completion.Kind == plan.CompletesAll {
		return p.A.HandleBits != 32
	}
	if of.Function.Fortran != model.FortranDirect || of.Hand != "" || of.KeepsArrays || of.CheckComm != nil || of.FlagIndex >= 0 {
		return false
	}
	out, buffers := 0, 0
	for i := range of.Arguments {
		a, ok := p.classifyFortran(of, i)
		switch {
		case !ok:
			return false
		case a.class == asStatusOut || a.class == asRequestOut:
			out++
		case a.class == asBuffer || a.class == asInPlace:
			buffers++
		}
	}
	// Without buffers, MPICH's procedure serves mpi_f08 as well, whose constants are different.
	return out < 2 && (out == 0 || buffers > 0 || p.A.HandleBits != 32)
}

// FitsDescribed reports whether the pair has mpi_f08's procedure, with descriptors of choice
// buffers, in assembly.
func FitsDescribed(pair *plan.Pair, of *plan.Plan) bool {
	if pair.A.Fortran.Descriptors.Of == "" || of.Completion.Kind == plan.CompletesAll || !FitsFortran(pair, of) {
		return false
	}
	p := &printer{pair}
	for i := range of.Arguments {
		if a, _ := p.classifyFortran(of, i); a.class == asBuffer || a.class == asInPlace {
			return true
		}
	}
	return false
}

// classifyFortran returns argument i with the class of its action. It returns false if the
// action has no class in Fortran.
func (p *printer) classifyFortran(of *plan.Plan, i int) (argument, bool) {
	q := of.Arguments[i]
	a := argument{Argument: q}
	switch action := q.Action.(type) {
	case plan.HandleIn:
		a.class, a.kind = asHandle, action.Kind
		return a, slices.Contains(directKinds, action.Kind)
	case plan.RequestOut:
		a.class, a.kind = asRequestOut, "REQUEST"
		return a, action.Starts && !action.Persistent && !inRegister(i)
	case plan.StatusIn:
		a.class = asStatusIn
		return a, action.CountOnly && inRegister(i)
	case plan.StatusOut:
		a.class = asStatusOut
		return a, true
	case plan.ValueIn:
		a.class = asPositive
		return a, action.Negative && q.Fortran == plan.ToInt
	case plan.Unchanged, plan.AddressIn:
		switch q.Fortran {
		case plan.ToMemory:
			a.class = asBuffer
			return a, inRegister(i)
		case plan.ToMemoryOrInPlace:
			a.class = asInPlace
			return a, inRegister(i)
		case plan.ToInt:
			a.class = asValue
			return a, true
		case plan.ToAint:
			a.class = asLong
			return a, true
		}
		return a, q.Fortran == plan.AsInC
	}
	return a, false
}

// fortranOf returns the Fortran procedure of a function.
func (p *printer) fortranOf(of *plan.Plan) string {
	s := &fastPath{pair: p, plan: of, f: of.Function, bailouts: map[bailState]string{}, prefix: "fortran_"}
	s.bailInstruction = fmt.Sprintf("jmp\tPAIR(direct_%s)", of.Function.Name)
	if p.A.HandleBits == 32 {
		s.bailInstruction = fmt.Sprintf("jmpq\t*PAIR(library_%s)(%%rip)", of.Function.Name)
	}
	if of.Completion.Kind == plan.CompletesAll {
		return s.fortranCompletion()
	}
	return s.fortranProcedure()
}

// describedOf returns the procedure of mpi_f08 with descriptors.
func (p *printer) describedOf(of *plan.Plan) string {
	s := &fastPath{pair: p, plan: of, f: of.Function, bailouts: map[bailState]string{}, prefix: "described_", described: true}
	s.bailInstruction = fmt.Sprintf("jmpq\t*PAIR(library_described_%s)(%%rip)", of.Function.Name)
	return s.fortranProcedure()
}

// fortranProcedure returns the whole procedure. Its body is written twice if the program may
// ignore a status.
func (s *fastPath) fortranProcedure() string {
	status := -1
	for i := range s.plan.Arguments {
		a, _ := s.pair.classifyFortran(s.plan, i)
		switch {
		case a.class == asStatusOut:
			status = i
		case s.described && a.class == asInPlace && i == 0: // only a scatter takes MPI_IN_PLACE in a later argument
			a.class = asDescribedInPlace
		case s.described && (a.class == asBuffer || a.class == asInPlace):
			a.class = asDescribed
		}
		s.arguments = append(s.arguments, a)
	}
	if status >= 0 {
		ignored, register := s.label(), "%rax"
		if inRegister(status) {
			register = registers64[status]
		} else {
			s.asm("movq\t%s, %%rax", s.operand(status, nil))
		}
		s.asm("cmpq\t%s, %s", s.fortranConstant("status_ignore"), register)
		s.asm("je\t%s", ignored)
		s.fortranBody()
		s.Line("%s:", ignored)
		s.startAtEntry()
		s.arguments[status].class = asIgnored
	}
	s.fortranBody()
	return s.text()
}

// intsInTable reports whether an integer is looked up by its lower half in a table. For programs
// with int handles that is the table of their handles. Over a library of the standard ABI it is
// the table of the integers that the program has been given (mappers/fortran.h).
func (p *printer) intsInTable() bool { return p.A.HandleBits == 32 || model.HandlesAreNumbers(p.R) }

// intsIndexCache reports whether integers index a table with the handles of all small integers.
// Larger integers are left to C.
func (p *printer) intsIndexCache() bool { return !p.intsInTable() && p.R.HandleBits == 64 }

// fortranConstant returns the operand with the program's address of a constant.
func (s *fastPath) fortranConstant(name string) string {
	place := slices.Index([]string{"bottom", "in_place", "status_ignore", "statuses_ignore"}, name) // struct wi4go_fortran_constants
	binding := map[bool]string{true: "described", false: "fortran"}[s.described]
	return fmt.Sprintf("wi4go_%s_constants+%d(%%rip)", binding, 8*place)
}

// fortranBody writes the procedure from the first check to the return.
func (s *fastPath) fortranBody() {
	status, request := s.indexOf(asStatusOut), s.indexOf(asRequestOut)
	b := spillSlots{saved: map[int]int{}}
	// The last argument is the address of the error code.
	for _, i := range []int{status, request, len(s.arguments)} {
		s.spill(i, b.saved)
	}
	room := 0
	if status >= 0 {
		room = s.pair.statusRoom()
	} else if request >= 0 && s.pair.R.HandleBits == 64 {
		room = 8
	}
	s.reserveAligned(room)
	b.local = s.depth
	if status >= 0 {
		s.asm("STATUS_UNSET\t%s", s.stackSlot(b.local))
	}
	small := s.pair.intsIndexCache() && s.checkSmallInts()
	if pushed := s.fortranPush(b.local); !small {
		s.checkSigns(pushed)
	}
	// The rest of a call with MPI_IN_PLACE is a copy out of line.
	if s.arguments[0].class == asDescribedInPlace {
		s.checkDescriptor(0, s.outOfLine(func() {
			s.arguments[0].class = asInPlaceChecked
			s.fortranAfterChecks(b)
		}))
		s.arguments[0].class = asDescribedChecked
	}
	s.fortranAfterChecks(b)
}

// indexOf returns the index of the first argument of a class, or -1.
func (s *fastPath) indexOf(class argClass) int {
	return slices.IndexFunc(s.arguments, func(a argument) bool { return a.class == class })
}

// fortranAfterChecks writes the part after the first checks: arguments, call and results.
func (s *fastPath) fortranAfterChecks(b spillSlots) {
	status, request, local, kept := s.indexOf(asStatusOut), s.indexOf(asRequestOut), b.local, b.saved
	s.fortranPass(local)
	s.callRuntime()

	done := s.label()
	leave := func() { s.fortranReturn(s.stackSlot(kept[len(s.arguments)])) }
	failed := s.outOfLine(func() {
		s.asm("movl\t%%eax, %%edi")
		if status >= 0 {
			s.statusFailed(s.stackSlot(kept[status]), s.stackSlot(local), done)
			return
		}
		s.asm("call\tPAIR(error)")
		s.asm("jmp\t%s", done)
	})
	if request >= 0 && s.pair.R.HandleBits == 64 {
		outsidePool := "request_number"
		if s.pair.A.HandleBits == 32 {
			outsidePool = "request_r2a_slow"
		}
		s.pooledRequestOut(s.arguments[request], startedRequest{s.stackSlot(kept[request]), s.stackSlot(local), outsidePool, done, leave, failed})
	} else { // a runtime with int handles has written the request itself
		s.jumpOnError(failed)
	}
	if status >= 0 {
		s.statusAfterCall(s.stackSlot(kept[status]), local, done)
	}
	s.Line("%s:", done)
	leave()
}

// fortranReturn writes the return. The error code in %eax is stored where ierror points.
func (s *fastPath) fortranReturn(ierror string) {
	s.storeIerror(ierror)
	s.writeReturn()
}

// storeIerror stores the error code. ierror may be absent in procedures of mpi_f08.
func (s *fastPath) storeIerror(ierror string) {
	s.asm("/* ierror */")
	s.asm("movq\t%s, %%rcx", ierror)
	if s.described || s.f.ErrorMayBeAbsent() {
		absent := s.label()
		s.asm("jrcxz\t%s", absent)
		defer s.Line("%s:", absent)
	}
	s.asm("movl\t%%eax, (%%rcx)")
}

// fortranCompletion returns MPI_Waitall for two requests, the usual case of one message each
// way. It bails out unless both are simply the runtime's, and while wi4go tracks any request.
func (s *fastPath) fortranCompletion() string {
	s.asm("cmpl\t$2, (%%rdi)")
	s.asm("jne\t%s", s.bailOut())
	s.asm("cmpq\t$0, PAIR(tracked_requests)+CHAINS_COUNT(%%rip)")
	s.asm("jne\t%s", s.bailOut())
	s.asm("cmpq\t%s, %%rdx", s.fortranConstant("statuses_ignore"))
	statuses := s.label()
	s.asm("jne\t%s", statuses)
	s.fortranOfTwo(false)
	s.Line("%s:", statuses)
	s.startAtEntry()
	s.fortranOfTwo(true)
	return s.text()
}

// fortranOfTwo writes the code for two requests with or without statuses.
func (s *fastPath) fortranOfTwo(statuses bool) {
	f := completionFrame{loadCount: func() { s.asm("movl\t$2, %%edi") }, done: s.label()}
	s.push("%rcx")
	ierror := s.depth
	s.push("%rsi")
	requests := s.depth
	if statuses {
		s.push(s.statuses())
	}
	kept := s.depth
	f.offset = s.reserveArrays(2, statuses)
	f.requests, f.statuses = s.stackSlot(requests), s.stackSlot(kept)
	s.asm("FORTRAN_REQUESTS_A2R\t%%rsi, 0(%%rsp), %s", s.bailOut())
	if statuses {
		s.asm("STATUSES_UNSET_BEGIN %d(%%rsp)", f.offset)
		s.asm("STATUSES_UNSET")
	}
	f.loadCount()
	finish := s.finishInC(statuses, f)
	s.callAndTest(statuses, f, finish)
	s.asm("FORTRAN_REQUESTS_ENDED\t%%rsi, 0(%%rsp), %d, %s", *s.pair.A.Handles["MPI_REQUEST_NULL"].Fortran, finish)
	if statuses {
		s.twoStatuses(f, finish)
	}
	s.Line("%s:", f.done)
	s.fortranReturn(s.stackSlot(ierror))
}

// addressRegister returns the register that holds the address of argument i: its own, or %rax after a
// load from the stack.
func (s *fastPath) addressRegister(i int) string {
	if inRegister(i) {
		return registers64[i]
	}
	s.asm("movq\t%s, %%rax", s.operand(i, nil))
	return "%rax"
}

// checkSmallInts writes the check that all integers of handles are small. It returns true if it
// has also checked ranks and tags. They may not be negative, and are mostly small as well: if
// all are in registers, one test covers them together with the handles.
func (s *fastPath) checkSmallInts() bool {
	var handles []int
	for i, a := range s.arguments {
		if a.class == asHandle {
			handles = append(handles, i)
		}
	}
	if len(handles) == 0 {
		return false
	}
	ranks := s.ranksAndTags()
	signs := len(ranks) > 0 && !slices.ContainsFunc(ranks, func(i int) bool { return !inRegister(i) })
	s.orIntegers("movl", handles)
	if !signs {
		s.jumpIfMasked("-FORTRAN_CACHE_SMALL", s.bailOut())
		return false
	}
	back := s.label()
	large := s.outOfLine(func() {
		s.orIntegers("movl", handles)
		s.jumpIfMasked("-FORTRAN_CACHE_SMALL", s.bailOut())
		s.orIntegers("movl", ranks)
		s.jumpIfMasked("1<<31", s.bailOut())
		s.asm("jmp\t%s", back)
	})
	s.orIntegers("orl", ranks)
	s.jumpIfMasked("-FORTRAN_CACHE_SMALL", large)
	s.Line("%s:", back)
	return true
}

// orIntegers collects the bits of the integers at some arguments in %r11d. operation is the
// instruction for the first: movl, or orl to add to the bits that are there.
func (s *fastPath) orIntegers(operation string, arguments []int) {
	for _, i := range arguments {
		address := s.addressRegister(i)
		s.asm("/* %s */", s.arguments[i].Name)
		s.asm("%s\t(%s), %%r11d", operation, address)
		operation = "orl"
	}
}

// jumpIfMasked writes a jump to other, taken if %r11d has any of the bits.
func (s *fastPath) jumpIfMasked(bits, other string) {
	s.asm("testl\t$%s, %%r11d", bits)
	s.asm("jne\t%s", other)
}

// fortranPass writes the code that puts the register arguments in the form that the runtime's
// function expects. local is the depth of the runtime's own variable.
func (s *fastPath) fortranPass(local int) {
	found := s.checkRegisters()
	for i, a := range s.arguments {
		if !inRegister(i) {
			break
		}
		register, half := registers64[i], registers32[i]
		s.asm("/* %s */", a.Name)
		switch a.class {
		case asValue, asPositive:
			s.asm("movl\t(%s), %s", register, half)
		case asInPlaceChecked:
			s.asm("movq\t$%d, %s", s.pair.R.Pointers["MPI_IN_PLACE"].Value, register)
		case asLong, asDescribed, asDescribedChecked:
			s.asm("movq\t(%s), %s", register, register)
		case asBuffer:
			s.fortranAddress("bottom", "MPI_BOTTOM", i)
		case asInPlace:
			s.fortranAddress("in_place", "MPI_IN_PLACE", i)
			s.fortranAddress("bottom", "MPI_BOTTOM", i)
		case asStatusIn:
			s.asm("addq\t$A_COUNT-R_COUNT, %s", register)
		case asStatusOut:
			s.asm("leaq\t%s, %s", s.stackSlot(local), register)
		case asIgnored:
			s.asm("movl\t%s, %s", s.pair.ignored(), half)
		case asHandle:
			switch from := found[i]; {
			case from != "":
				s.asm("movq\t%s, %s", from, register)
			case s.pair.intsInTable(): // it has been found, so it is in the table's first chunk
				s.asm("movzwl\t(%s), %s", register, half)
				s.asm("movq\t%s, %s", s.fortranTable(a.kind, "OBJECTS", register, 8), register)
			case s.pair.intsIndexCache():
				s.asm("movl\t(%s), %s", register, half)
				s.asm("movq\t%s, %s", s.cachedHandle(a.kind, register), register)
			default:
				s.asm("movl\t(%s), %s", register, half)
				s.convertFortranInt(a.kind, register, half)
			}
		}
	}
}

// fortranPush pushes the stack arguments of the runtime's function. It returns the depth of
// each by index.
func (s *fastPath) fortranPush(local int) map[int]int {
	pushed := map[int]int{}
	for i := len(s.arguments) - 1; i >= len(registers64); i-- {
		a := s.arguments[i]
		s.asm("/* %s */", a.Name)
		switch a.class {
		case asIgnored:
			s.push(s.pair.ignored())
		case asStatusOut:
			s.pushAddress(local)
		case asRequestOut:
			if s.pair.R.HandleBits == 64 {
				s.pushAddress(local)
			} else {
				s.push(s.operand(i, nil))
			}
		case asGiven:
			s.push(s.operand(i, nil))
		case asLong:
			s.asm("movq\t%s, %%rax", s.operand(i, nil))
			s.push("(%rax)")
		case asHandle:
			s.asm("movq\t%s, %%rax", s.operand(i, nil))
			s.asm("movl\t(%%rax), %%eax")
			s.push(s.fortranHandle(i))
		default:
			s.asm("movq\t%s, %%rax", s.operand(i, nil))
			s.asm("movl\t(%%rax), %%eax")
			s.push("%rax")
		}
		pushed[i] = s.depth
	}
	return pushed
}

// checkSigns writes the check that no rank or tag is negative. pushed holds the depths of stack
// arguments.
func (s *fastPath) checkSigns(pushed map[int]int) {
	positive := s.ranksAndTags()
	for k, i := range positive {
		operand := fmt.Sprintf("(%s)", s.operand(i, registers64))
		if !inRegister(i) {
			operand = s.stackSlot(pushed[i])
		}
		s.asm("/* %s */", s.arguments[i].Name)
		switch {
		case len(positive) == 1:
			s.asm("cmpl\t$0, %s", operand)
			s.asm("jl\t%s", s.bailOut())
			return
		case k == 0:
			s.asm("movl\t%s, %%eax", operand)
		default:
			s.asm("orl\t%s, %%eax", operand)
		}
	}
	if len(positive) > 0 {
		s.asm("js\t%s", s.bailOut())
	}
}

// checkRegisters writes the checks of all arguments in registers. It returns the operands of
// handles that these have looked up already, by index.
func (s *fastPath) checkRegisters() map[int]string {
	found := map[int]string{}
	for i, a := range s.arguments {
		switch {
		case a.class == asDescribed:
			s.checkDescriptor(i, s.bailOut())
		case a.class == asStatusIn:
			s.asm("/* %s */", a.Name)
			s.asm("STATUS_COUNT_FITS\t%s, %s", registers64[i], s.bailOut())
		case a.class == asHandle && inRegister(i) && s.pair.intsInTable():
			s.asm("/* %s */", a.Name)
			s.asm("movl\t(%s), %%eax", registers64[i])
			clear(found) // only the last look-up's register survives all checks
			found[i] = s.fortranHandle(i)
		case a.class == asHandle && s.unchecked(i) && !s.pair.intsInTable(): // the table look-up checks the others
			s.refuseNull(i)
		}
	}
	return found
}

// checkDescriptor checks the descriptor in argument i. The code bails out unless the choice
// buffer is an array of one dimension without gaps, or a single element that is no constant.
// MPI_IN_PLACE continues at the label inPlace.
func (s *fastPath) checkDescriptor(i int, inPlace string) {
	contiguous, other := s.label(), s.bailOut()
	kind, address := s.pair.A.Fortran.Descriptors.Of, registers64[i]
	notArray := s.outOfLine(func() {
		s.asm("movq\t(%s), %%rax", address)
		s.asm("cmpq\t%s, %%rax", s.fortranConstant("in_place"))
		s.asm("je\t%s", inPlace)
		s.asm("IS_ELEMENT_%s\t%s, %s", kind, address, other)
		s.asm("cmpq\t%s, %%rax", s.fortranConstant("bottom"))
		s.asm("je\t%s", other)
		s.asm("jmp\t%s", contiguous)
	})
	s.asm("/* %s */", s.arguments[i].Name)
	s.asm("IS_ARRAY_%s\t%s, %s", kind, address, notArray)
	s.Line("%s:", contiguous)
}

// refuseNull checks a handle that the runtime does not validate: the code bails out if it is
// null.
func (s *fastPath) refuseNull(i int) {
	kind := s.arguments[i].kind
	s.asm("/* %s */", s.arguments[i].Name)
	s.asm("movl\t(%s), %%eax", s.addressRegister(i))
	null := s.pair.null(model.NullName(kind))
	if s.pair.intsIndexCache() {
		s.asm("movq\t%s, %%rax", s.cachedHandle(kind, "%rax"))
		s.asm("cmpq\t%s, %%rax", null)
	} else {
		s.convertFortranInt(kind, "%rax", "%eax")
		s.asm("cmpl\t%s, %%eax", null)
	}
	s.asm("je\t%s", s.bailOut())
}

// fortranHandle returns the operand of the runtime's handle for the integer in %eax. That is in
// a table, indexed by %rax or %r11, or in %rax. The code bails out if the table does not have
// the integer.
func (s *fastPath) fortranHandle(i int) (operand string) {
	a := s.arguments[i]
	switch {
	case s.pair.intsIndexCache():
		return s.cachedHandle(a.kind, "%rax")
	case !s.pair.intsInTable():
		s.convertFortranInt(a.kind, "%rax", "%eax")
		return "%rax"
	}
	if s.unchecked(i) {
		null := s.pair.A.Handles[model.NullName(a.kind)]
		if s.pair.A.HandleBits == 32 {
			s.asm("cmpl\t$%#x, %%eax", *null.Value)
		} else {
			s.asm("cmpl\t$%d, %%eax", *null.Fortran)
		}
		s.asm("je\t%s", s.bailOut())
	}
	place := s.fortranTable(a.kind, "HANDLES", "%r11", 4)
	s.asm("movzwl\t%%ax, %%r11d")
	s.asm("cmpl\t%%eax, %s", place)
	s.asm("jne\t%s", s.bailOut())
	return s.fortranTable(a.kind, "OBJECTS", "%r11", 8)
}

// fortranTable returns the operand of an element in the table by which integers are looked up.
func (s *fastPath) fortranTable(kind, array, index string, scale int) string {
	if s.pair.A.HandleBits == 32 {
		return s.table(kind, array, index, scale)
	}
	s.loadCacheAddress()
	return fmt.Sprintf("FORTRAN_CACHE_%s+%d*FORTRAN_CACHE_PLACES(%%r10,%s,%d)", array, scale*slices.Index(directKinds, kind), index, scale)
}

// convertFortranInt converts the integer in a register. A small integer is a predefined handle, and
// any other is the runtime's own handle.
func (s *fastPath) convertFortranInt(kind, register, half string) {
	large := s.label()
	cached := s.cachedHandle(kind, register)
	s.asm("cmpl\t$FORTRAN_CACHE_SMALL-1, %s", half)
	s.asm("ja\t%s", large)
	s.asm("movl\t%s, %s", cached, half)
	s.Line("%s:", large)
}

// cachedHandle returns the operand of the cached runtime handle for a small integer.
func (s *fastPath) cachedHandle(kind, index string) string {
	s.loadCacheAddress()
	return fmt.Sprintf("8*FORTRAN_CACHE_SMALL*%d(%%r10,%s,8)", slices.Index(model.HandleKinds, kind), index)
}

// loadCacheAddress loads the address of the table of cached handles into %r10.
func (s *fastPath) loadCacheAddress() {
	if !s.tablesLoaded {
		s.asm("leaq\tPAIR(fortran_cache)(%%rip), %%r10")
		s.tablesLoaded = true
	}
}

// fortranAddress converts the address in register i if it is a constant's: constant is the name
// in the program's constants, and name the runtime's.
func (s *fastPath) fortranAddress(constant, name string, i int) {
	back := s.label()
	s.asm("cmpq\t%s, %s", s.fortranConstant(constant), registers64[i])
	s.asm("je\t%s", s.outOfLine(func() {
		s.asm("movq\t$%d, %s", s.pair.R.Pointers[name].Value, registers64[i])
		s.asm("jmp\t%s", back)
	}))
	s.Line("%s:", back)
}
