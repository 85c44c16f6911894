package assembly

import (
	"fmt"
	"slices"

	"wi4go/gen/model"
	"wi4go/gen/plan"
)

// This file prints the frequent procedures of Fortran (shim/front/frequent.h) in assembly. They
// are fast paths with three differences: every argument comes by its address, a handle is an
// integer, and the error code is stored through the last argument. An unusual call continues in
// the C procedure, so no register with an address changes before the last check.

// The forms of arguments that come by their address.
const (
	asValue            form = asStartedAt + 1 + iota // an int
	asLong                                           // an MPI_Aint
	asBuffer                                         // a buffer, which may be MPI_BOTTOM
	asInPlace                                        // a buffer, which may be MPI_IN_PLACE or MPI_BOTTOM
	asDescribed                                      // the descriptor of a buffer
	asDescribedInPlace                               // the descriptor of a buffer, which may be MPI_IN_PLACE
	describedForSure                                 // an asDescribedInPlace that is not MPI_IN_PLACE
	inPlaceForSure                                   // an asDescribedInPlace that is MPI_IN_PLACE
)

// frequentKinds are the kinds of handles that frequent procedures take, in the order of
// given_row (mappers/fortran.h).
var frequentKinds = []string{"COMM", "DATATYPE", "OP", "WIN"}

// FitsFortran reports whether the pair has the Fortran procedure of a function in assembly.
func FitsFortran(pair *plan.Pair, of *plan.Plan) bool {
	p := &printer{pair}
	if of.Function.Fortran == model.FortranFrequent && of.Completes.Of == plan.CompletesAll {
		return p.A.HandleBits != 32
	}
	if of.Function.Fortran != model.FortranFrequent || of.Hand != "" || of.Keeps || of.CheckComm != nil || of.Tells >= 0 {
		return false
	}
	out, buffers := 0, 0
	for i := range of.Arguments {
		a, ok := p.fortranForm(of, i)
		switch {
		case !ok:
			return false
		case a.as == asStatusOut || a.as == asRequestOut:
			out++
		case a.as == asBuffer || a.as == asInPlace:
			buffers++
		}
	}
	// Without buffers, MPICH's procedure serves mpi_f08 as well, whose constants are different.
	return out < 2 && (out == 0 || buffers > 0 || p.A.HandleBits != 32)
}

// FitsDescribed reports whether the pair has mpi_f08's procedure, with descriptors of choice
// buffers, in assembly.
func FitsDescribed(pair *plan.Pair, of *plan.Plan) bool {
	if pair.A.Fortran.Descriptors.Of == "" || of.Completes.Of == plan.CompletesAll || !FitsFortran(pair, of) {
		return false
	}
	p := &printer{pair}
	for i := range of.Arguments {
		if a, _ := p.fortranForm(of, i); a.as == asBuffer || a.as == asInPlace {
			return true
		}
	}
	return false
}

// fortranForm returns argument i with the form of its action. It returns false if the action
// has no form in Fortran.
func (p *printer) fortranForm(of *plan.Plan, i int) (argument, bool) {
	q := of.Arguments[i]
	a := argument{Argument: q}
	switch action := q.Action.(type) {
	case plan.HandleIn:
		a.as, a.kind = asHandle, action.Kind
		return a, slices.Contains(frequentKinds, action.Kind)
	case plan.RequestOut:
		a.as, a.kind = asRequestOut, "REQUEST"
		return a, action.Starts && !action.Persistent && !inRegister(i)
	case plan.StatusIn:
		a.as = asStatusIn
		return a, action.CountOnly && inRegister(i)
	case plan.StatusOut:
		a.as = asStatusOut
		return a, true
	case plan.ValueIn:
		a.as = asPositive
		return a, action.Negative && q.Fortran == plan.ToInt
	case plan.AsItIs, plan.AddressIn:
		switch q.Fortran {
		case plan.ToMemory:
			a.as = asBuffer
			return a, inRegister(i)
		case plan.ToMemoryOrInPlace:
			a.as = asInPlace
			return a, inRegister(i)
		case plan.ToInt:
			a.as = asValue
			return a, true
		case plan.ToAint:
			a.as = asLong
			return a, true
		}
		return a, q.Fortran == plan.AsInC
	}
	return a, false
}

// frequentOf returns the Fortran procedure of a function.
func (p *printer) frequentOf(of *plan.Plan) string {
	s := &fast{p: p, plan: of, f: of.Function, slow: map[state]string{}, prefix: "fortran_"}
	s.left = fmt.Sprintf("jmp\tPAIR(frequent_%s)", of.Function.Name)
	if p.A.HandleBits == 32 {
		s.left = fmt.Sprintf("jmpq\t*PAIR(other_%s)(%%rip)", of.Function.Name)
	}
	if of.Completes.Of == plan.CompletesAll {
		return s.fortranCompletion()
	}
	return s.fortranProcedure()
}

// describedOf returns the procedure of mpi_f08 with descriptors.
func (p *printer) describedOf(of *plan.Plan) string {
	s := &fast{p: p, plan: of, f: of.Function, slow: map[state]string{}, prefix: "described_", described: true}
	s.left = fmt.Sprintf("jmpq\t*PAIR(other_described_%s)(%%rip)", of.Function.Name)
	return s.fortranProcedure()
}

// fortranProcedure returns the whole procedure. Its body is written twice if the program may
// ignore a status.
func (s *fast) fortranProcedure() string {
	status := -1
	for i := range s.plan.Arguments {
		a, _ := s.p.fortranForm(s.plan, i)
		switch {
		case a.as == asStatusOut:
			status = i
		case s.described && a.as == asInPlace && i == 0: // only a scatter takes MPI_IN_PLACE in a later argument
			a.as = asDescribedInPlace
		case s.described && (a.as == asBuffer || a.as == asInPlace):
			a.as = asDescribed
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
		s.begin()
		s.arguments[status].as = asIgnored
	}
	s.fortranBody()
	return s.text()
}

// tabled reports whether an integer is looked up by its lower half in a table. For programs
// with int handles that is the table of their handles. Over a library of the standard ABI it is
// the table of the integers that the program has been given (mappers/fortran.h).
func (p *printer) tabled() bool { return p.A.HandleBits == 32 || model.HandlesAreNumbers(p.R) }

// numbered reports whether integers index a table with the handles of all small integers.
// Larger integers are left to C.
func (p *printer) numbered() bool { return !p.tabled() && p.R.HandleBits == 64 }

// fortranConstant returns the operand with the program's address of a constant.
func (s *fast) fortranConstant(name string) string {
	place := slices.Index([]string{"bottom", "in_place", "status_ignore", "statuses_ignore"}, name) // struct wi4go_fortran_constants
	binding := map[bool]string{true: "described", false: "fortran"}[s.described]
	return fmt.Sprintf("wi4go_%s_constants+%d(%%rip)", binding, 8*place)
}

// fortranBody writes the procedure from the first check to the return.
func (s *fast) fortranBody() {
	status, request := s.indexOf(asStatusOut), s.indexOf(asRequestOut)
	b := behind{saved: map[int]int{}}
	// The last argument is the address of the error code.
	for _, i := range []int{status, request, len(s.arguments)} {
		s.keep(i, b.saved)
	}
	room := 0
	if status >= 0 {
		room = s.p.statusRoom()
	} else if request >= 0 && s.p.R.HandleBits == 64 {
		room = 8
	}
	s.align(room)
	b.local = s.depth
	if status >= 0 {
		s.asm("STATUS_UNSET\t%s", s.at(b.local))
	}
	small := s.p.numbered() && s.fortranSmall()
	if pushed := s.fortranStack(b.local); !small {
		s.fortranSigns(pushed)
	}
	// The rest of a call with MPI_IN_PLACE is a copy out of line.
	if s.arguments[0].as == asDescribedInPlace {
		s.fortranDescribed(0, s.aside(func() {
			s.arguments[0].as = inPlaceForSure
			s.fortranRest(b)
		}))
		s.arguments[0].as = describedForSure
	}
	s.fortranRest(b)
}

// indexOf returns the index of the first argument of a form, or -1.
func (s *fast) indexOf(as form) int {
	return slices.IndexFunc(s.arguments, func(a argument) bool { return a.as == as })
}

// fortranRest writes the part after the first checks: arguments, call and results.
func (s *fast) fortranRest(b behind) {
	status, request, local, kept := s.indexOf(asStatusOut), s.indexOf(asRequestOut), b.local, b.saved
	s.fortranPass(local)
	s.call()

	done := s.label()
	leave := func() { s.fortranLeave(s.at(kept[len(s.arguments)])) }
	failed := s.aside(func() {
		s.asm("movl\t%%eax, %%edi")
		if status >= 0 {
			s.statusFailed(s.at(kept[status]), s.at(local), done)
			return
		}
		s.asm("call\tPAIR(error)")
		s.asm("jmp\t%s", done)
	})
	if request >= 0 && s.p.R.HandleBits == 64 {
		far := "request_number"
		if s.p.A.HandleBits == 32 {
			far = "request_far"
		}
		s.nearOut(s.arguments[request], near{s.at(kept[request]), s.at(local), far, done, leave, failed})
	} else { // a runtime with int handles has written the request itself
		s.failing(failed)
	}
	if status >= 0 {
		s.statusComes(s.at(kept[status]), local, done)
	}
	s.Line("%s:", done)
	leave()
}

// fortranLeave writes the return. The error code in %eax is stored where ierror points.
func (s *fast) fortranLeave(ierror string) {
	s.fortranError(ierror)
	s.leave()
}

// fortranError stores the error code. ierror may be absent in procedures of mpi_f08.
func (s *fast) fortranError(ierror string) {
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
func (s *fast) fortranCompletion() string {
	s.asm("cmpl\t$2, (%%rdi)")
	s.asm("jne\t%s", s.toC())
	s.asm("cmpq\t$0, PAIR(records)+CHAINS_N(%%rip)")
	s.asm("jne\t%s", s.toC())
	s.asm("cmpq\t%s, %%rdx", s.fortranConstant("statuses_ignore"))
	statuses := s.label()
	s.asm("jne\t%s", statuses)
	s.fortranOfTwo(false)
	s.Line("%s:", statuses)
	s.begin()
	s.fortranOfTwo(true)
	return s.text()
}

// fortranOfTwo writes the code for two requests with or without statuses.
func (s *fast) fortranOfTwo(statuses bool) {
	f := frame{count: func() { s.asm("movl\t$2, %%edi") }, done: s.label()}
	s.push("%rcx")
	ierror := s.depth
	s.push("%rsi")
	requests := s.depth
	if statuses {
		s.push(s.statuses())
	}
	kept := s.depth
	f.offset = s.room(2, statuses)
	f.requests, f.statuses = s.at(requests), s.at(kept)
	s.asm("FORTRAN_REQUESTS_A2R\t%%rsi, 0(%%rsp), %s", s.toC())
	if statuses {
		s.asm("STATUSES_UNSET_BEGIN %d(%%rsp)", f.offset)
		s.asm("STATUSES_UNSET")
	}
	f.count()
	finish := s.finish(statuses, f)
	s.complete(statuses, f, finish)
	s.asm("FORTRAN_REQUESTS_ENDED\t%%rsi, 0(%%rsp), %d, %s", *s.p.A.Handles["MPI_REQUEST_NULL"].Fortran, finish)
	if statuses {
		s.twoStatuses(f, finish)
	}
	s.Line("%s:", f.done)
	s.fortranLeave(s.at(ierror))
}

// fortranAt returns the register that holds the address of argument i: its own, or %rax after a
// load from the stack.
func (s *fast) fortranAt(i int) string {
	if inRegister(i) {
		return registers64[i]
	}
	s.asm("movq\t%s, %%rax", s.operand(i, nil))
	return "%rax"
}

// fortranSmall writes the check that all integers of handles are small. It returns true if it
// has also checked ranks and tags. They may not be negative, and are mostly small as well: if
// all are in registers, one test covers them together with the handles.
func (s *fast) fortranSmall() bool {
	var handles []int
	for i, a := range s.arguments {
		if a.as == asHandle {
			handles = append(handles, i)
		}
	}
	if len(handles) == 0 {
		return false
	}
	ranks := s.positive()
	signs := len(ranks) > 0 && !slices.ContainsFunc(ranks, func(i int) bool { return !inRegister(i) })
	s.fortranAny("movl", handles)
	if !signs {
		s.fortranMasked("-NUMBERS_KNOWN", s.toC())
		return false
	}
	back := s.label()
	large := s.aside(func() {
		s.fortranAny("movl", handles)
		s.fortranMasked("-NUMBERS_KNOWN", s.toC())
		s.fortranAny("movl", ranks)
		s.fortranMasked("1<<31", s.toC())
		s.asm("jmp\t%s", back)
	})
	s.fortranAny("orl", ranks)
	s.fortranMasked("-NUMBERS_KNOWN", large)
	s.Line("%s:", back)
	return true
}

// fortranAny collects the bits of the integers at some arguments in %r11d. operation is the
// instruction for the first: movl, or orl to add to the bits that are there.
func (s *fast) fortranAny(operation string, arguments []int) {
	for _, i := range arguments {
		address := s.fortranAt(i)
		s.asm("/* %s */", s.arguments[i].Name)
		s.asm("%s\t(%s), %%r11d", operation, address)
		operation = "orl"
	}
}

// fortranMasked writes a jump to other, taken if %r11d has any of the bits.
func (s *fast) fortranMasked(bits, other string) {
	s.asm("testl\t$%s, %%r11d", bits)
	s.asm("jne\t%s", other)
}

// fortranPass writes the code that puts the register arguments in the form that the runtime's
// function expects. local is the depth of the runtime's own variable.
func (s *fast) fortranPass(local int) {
	held := s.fortranChecked()
	for i, a := range s.arguments {
		if !inRegister(i) {
			break
		}
		register, half := registers64[i], registers32[i]
		s.asm("/* %s */", a.Name)
		switch a.as {
		case asValue, asPositive:
			s.asm("movl\t(%s), %s", register, half)
		case inPlaceForSure:
			s.asm("movq\t$%d, %s", s.p.R.Pointers["MPI_IN_PLACE"].Value, register)
		case asLong, asDescribed, describedForSure:
			s.asm("movq\t(%s), %s", register, register)
		case asBuffer:
			s.fortranAddress("bottom", "MPI_BOTTOM", i)
		case asInPlace:
			s.fortranAddress("in_place", "MPI_IN_PLACE", i)
			s.fortranAddress("bottom", "MPI_BOTTOM", i)
		case asStatusIn:
			s.asm("addq\t$A_COUNT-R_COUNT, %s", register)
		case asStatusOut:
			s.asm("leaq\t%s, %s", s.at(local), register)
		case asIgnored:
			s.asm("movl\t%s, %s", s.p.ignored(), half)
		case asHandle:
			switch from := held[i]; {
			case from != "":
				s.asm("movq\t%s, %s", from, register)
			case s.p.tabled(): // it has been found, so it is in the table's first chunk
				s.asm("movzwl\t(%s), %s", register, half)
				s.asm("movq\t%s, %s", s.fortranTable(a.kind, "OBJECTS", register, 8), register)
			case s.p.numbered():
				s.asm("movl\t(%s), %s", register, half)
				s.asm("movq\t%s, %s", s.known(a.kind, register), register)
			default:
				s.asm("movl\t(%s), %s", register, half)
				s.fortranNumber(a.kind, register, half)
			}
		}
	}
}

// fortranStack pushes the stack arguments of the runtime's function. It returns the depth of
// each by index.
func (s *fast) fortranStack(local int) map[int]int {
	pushed := map[int]int{}
	for i := len(s.arguments) - 1; i >= len(registers64); i-- {
		a := s.arguments[i]
		s.asm("/* %s */", a.Name)
		switch a.as {
		case asIgnored:
			s.push(s.p.ignored())
		case asStatusOut:
			s.pushAddress(local)
		case asRequestOut:
			if s.p.R.HandleBits == 64 {
				s.pushAddress(local)
			} else {
				s.push(s.operand(i, nil))
			}
		case asItIs:
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

// fortranSigns writes the check that no rank or tag is negative. pushed has the depths of stack
// arguments.
func (s *fast) fortranSigns(pushed map[int]int) {
	positive := s.positive()
	for k, i := range positive {
		operand := fmt.Sprintf("(%s)", s.operand(i, registers64))
		if !inRegister(i) {
			operand = s.at(pushed[i])
		}
		s.asm("/* %s */", s.arguments[i].Name)
		switch {
		case len(positive) == 1:
			s.asm("cmpl\t$0, %s", operand)
			s.asm("jl\t%s", s.toC())
			return
		case k == 0:
			s.asm("movl\t%s, %%eax", operand)
		default:
			s.asm("orl\t%s, %%eax", operand)
		}
	}
	if len(positive) > 0 {
		s.asm("js\t%s", s.toC())
	}
}

// fortranChecked writes the checks of all arguments in registers. It returns the operands of
// handles that these have looked up already, by index.
func (s *fast) fortranChecked() map[int]string {
	held := map[int]string{}
	for i, a := range s.arguments {
		switch {
		case a.as == asDescribed:
			s.fortranDescribed(i, s.toC())
		case a.as == asStatusIn:
			s.asm("/* %s */", a.Name)
			s.asm("STATUS_COUNT_FITS\t%s, %s", registers64[i], s.toC())
		case a.as == asHandle && inRegister(i) && s.p.tabled():
			s.asm("/* %s */", a.Name)
			s.asm("movl\t(%s), %%eax", registers64[i])
			clear(held) // only the last look-up's register survives all checks
			held[i] = s.fortranHandle(i)
		case a.as == asHandle && s.unchecked(i) && !s.p.tabled(): // the table look-up checks the others
			s.fortranRefuse(i)
		}
	}
	return held
}

// fortranDescribed checks the descriptor in argument i. The code bails out unless the choice
// buffer is an array of one dimension without gaps, or a single element that is no constant.
// MPI_IN_PLACE continues at the label inPlace.
func (s *fast) fortranDescribed(i int, inPlace string) {
	whole, other := s.label(), s.toC()
	kind, address := s.p.A.Fortran.Descriptors.Of, registers64[i]
	few := s.aside(func() {
		s.asm("movq\t(%s), %%rax", address)
		s.asm("cmpq\t%s, %%rax", s.fortranConstant("in_place"))
		s.asm("je\t%s", inPlace)
		s.asm("IS_ELEMENT_%s\t%s, %s", kind, address, other)
		s.asm("cmpq\t%s, %%rax", s.fortranConstant("bottom"))
		s.asm("je\t%s", other)
		s.asm("jmp\t%s", whole)
	})
	s.asm("/* %s */", s.arguments[i].Name)
	s.asm("IS_ARRAY_%s\t%s, %s", kind, address, few)
	s.Line("%s:", whole)
}

// fortranRefuse checks a handle that the runtime does not validate: the code bails out if it is
// null.
func (s *fast) fortranRefuse(i int) {
	kind := s.arguments[i].kind
	s.asm("/* %s */", s.arguments[i].Name)
	s.asm("movl\t(%s), %%eax", s.fortranAt(i))
	null := s.p.null(model.NullName(kind))
	if s.p.numbered() {
		s.asm("movq\t%s, %%rax", s.known(kind, "%rax"))
		s.asm("cmpq\t%s, %%rax", null)
	} else {
		s.fortranNumber(kind, "%rax", "%eax")
		s.asm("cmpl\t%s, %%eax", null)
	}
	s.asm("je\t%s", s.toC())
}

// fortranHandle returns the operand of the runtime's handle for the integer in %eax. That is in
// a table, indexed by %rax or %r11, or in %rax. The code bails out if the table does not have
// the integer.
func (s *fast) fortranHandle(i int) (operand string) {
	a := s.arguments[i]
	switch {
	case s.p.numbered():
		return s.known(a.kind, "%rax")
	case !s.p.tabled():
		s.fortranNumber(a.kind, "%rax", "%eax")
		return "%rax"
	}
	if s.unchecked(i) {
		null := s.p.A.Handles[model.NullName(a.kind)]
		if s.p.A.HandleBits == 32 {
			s.asm("cmpl\t$%#x, %%eax", *null.Value)
		} else {
			s.asm("cmpl\t$%d, %%eax", *null.Fortran)
		}
		s.asm("je\t%s", s.toC())
	}
	place := s.fortranTable(a.kind, "HANDLES", "%r11", 4)
	s.asm("movzwl\t%%ax, %%r11d")
	s.asm("cmpl\t%%eax, %s", place)
	s.asm("jne\t%s", s.toC())
	return s.fortranTable(a.kind, "OBJECTS", "%r11", 8)
}

// fortranTable returns the operand of an element in the table by which integers are looked up.
func (s *fast) fortranTable(kind, array, index string, scale int) string {
	if s.p.A.HandleBits == 32 {
		return s.table(kind, array, index, scale)
	}
	s.knownAddress()
	return fmt.Sprintf("GIVEN_%s+%d*GIVEN_PLACES(%%r10,%s,%d)", array, scale*slices.Index(frequentKinds, kind), index, scale)
}

// fortranNumber converts the integer in a register. A small integer is a predefined handle, and
// any other is the runtime's own handle.
func (s *fast) fortranNumber(kind, register, half string) {
	large := s.label()
	known := s.known(kind, register)
	s.asm("cmpl\t$NUMBERS_KNOWN-1, %s", half)
	s.asm("ja\t%s", large)
	s.asm("movl\t%s, %s", known, half)
	s.Line("%s:", large)
}

// known returns the operand of the cached runtime handle for a small integer.
func (s *fast) known(kind, index string) string {
	s.knownAddress()
	return fmt.Sprintf("8*NUMBERS_KNOWN*%d(%%r10,%s,8)", slices.Index(model.HandleKinds, kind), index)
}

// knownAddress loads the address of the table of cached handles into %r10.
func (s *fast) knownAddress() {
	if !s.tables {
		s.asm("leaq\tPAIR(known_numbers)(%%rip), %%r10")
		s.tables = true
	}
}

// fortranAddress converts the address in register i if it is a constant's: constant is the name
// in the program's constants, and name the runtime's.
func (s *fast) fortranAddress(constant, name string, i int) {
	back := s.label()
	s.asm("cmpq\t%s, %s", s.fortranConstant(constant), registers64[i])
	s.asm("je\t%s", s.aside(func() {
		s.asm("movq\t$%d, %s", s.p.R.Pointers[name].Value, registers64[i])
		s.asm("jmp\t%s", back)
	}))
	s.Line("%s:", back)
}
