package assembly

import "wi4go/gen/plan"

// maxFastRequests is the largest number of requests that a fast path completes. Longer arrays are
// left to C.
const maxFastRequests = 32

// fitsCompletion reports whether a function completes an array of requests and has its
// arguments in the registers that the code here and the macros of fast_path_x86_64.h expect. First
// come the count, the requests and, unless the function completes all of them, the index or the
// number of completed requests. The statuses come last.
func fitsCompletion(of *plan.Plan) bool {
	c, n := of.Completion, len(of.Arguments)
	if c.Requests != 1 || c.Statuses != n-1 || !inRegister(n-1) {
		return false
	}
	switch c.Kind {
	case plan.CompletesAll:
		return of.FlagIndex < 0 || of.FlagIndex == 2
	case plan.CompletesAny:
		return c.Result == 2 && (of.FlagIndex < 0 || of.FlagIndex == 3)
	case plan.CompletesSome:
		return c.Result == 2 && of.FlagIndex < 0
	}
	return false
}

// completion returns the fast path of MPI_Waitall or MPI_Testall. MPI_Waitall has code for two
// requests, the usual case of one message each way, and for more; each comes without statuses
// and with them. MPI_Testall has code for two requests only, because more of them rarely
// complete at once. The code bails out if a request is not simply the runtime's
// (mappers/handles_pointer.h, handles_int.h), if one does not end, or if a status has an
// unusual field.
func (s *fastPath) completion() string {
	more := s.label()
	s.asm("testq\t%%rsi, %%rsi")
	s.asm("je\t%s", s.bailOut())
	s.asm("cmpl\t$2, %%edi")
	if s.plan.FlagIndex >= 0 {
		s.asm("jne\t%s", s.bailOut())
		s.completions(s.completionOfTwo)
		return s.text()
	}
	s.asm("jne\t%s", more)
	s.completions(s.completionOfTwo)
	s.Line("%s:", more)
	s.startAtEntry()
	s.asm("leal\t-2(%%rdi), %%ecx")
	s.asm("cmpl\t$%d, %%ecx", maxFastRequests-2)
	s.asm("ja\t%s", s.bailOut())
	s.completions(s.completionOfMore)
	return s.text()
}

// completions calls with to write the code for MPI_STATUSES_IGNORE, and again to write the code
// with statuses.
func (s *fastPath) completions(with func(statuses bool)) {
	s.asm("cmpq\t$%d, %s", s.pair.A.Pointers["MPI_STATUSES_IGNORE"].Value, s.statuses())
	statuses := s.label()
	s.asm("jne\t%s", statuses)
	with(false)
	s.Line("%s:", statuses)
	s.startAtEntry()
	with(true)
}

// statuses returns the register in which the statuses are passed.
func (s *fastPath) statuses() string { return registers64[s.plan.Completion.Statuses] }

// completionFrame holds the operands of the values that a completion keeps on the stack.
type completionFrame struct {
	// requests and statuses are the addresses of the program's arrays.
	requests, statuses string
	// flag is the address of MPI_Testall's flag, or empty.
	flag string
	// loadCount writes the code that loads the number of requests into %edi.
	loadCount func()
	// offset is the distance from %rsp to the runtime's statuses. Its requests are at %rsp.
	offset int
	// done is the label at which a Fortran procedure continues after C has finished, or empty:
	// the code returns.
	done string
}

// reserveArrays reserves stack for the runtime's requests and, if statuses is true, for as many
// statuses. It returns the offset of the statuses from %rsp; the requests are at %rsp. The
// stack pointer is a multiple of 16 afterwards.
func (s *fastPath) reserveArrays(requests int, statuses bool) int {
	offset := requests * s.pair.R.HandleBits / 8
	room := offset
	if statuses {
		room += requests * s.pair.R.Types["MPI_Status"].Size
	}
	if (s.depth+room)%16 != 8 {
		room += 8
	}
	s.reserve(room)
	return offset
}

// finishInC writes the out-of-line code that lets C finish a completion after the runtime's call,
// and returns its label. gen/pair/completion.go prints that C and describes its arguments. It
// converts requests and statuses again, whatever the assembly has converted already. %eax must
// hold the runtime's result.
func (s *fastPath) finishInC(statuses bool, f completionFrame) string {
	return s.outOfLine(func() {
		s.asm("movl\t%%eax, %%r9d")
		f.loadCount()
		s.asm("movq\t%s, %%rsi", f.requests)
		if statuses {
			s.asm("movq\t%s, %%rdx", f.statuses)
			s.asm("leaq\t%d(%%rsp), %%r8", f.offset)
		} else {
			s.asm("movl\t$%d, %%edx", s.pair.A.Pointers["MPI_STATUSES_IGNORE"].Value)
			s.asm("movl\t$%d, %%r8d", s.pair.R.Pointers["MPI_STATUSES_IGNORE"].Value)
		}
		s.asm("movq\t%%rsp, %%rcx")
		if f.done != "" {
			s.asm("call\tPAIR(fortran_finish_%s)", s.f.Name)
			s.asm("jmp\t%s", f.done)
			return
		}
		if f.flag != "" {
			s.push(f.flag)
			s.push("%rax") // it only keeps the stack aligned
		}
		s.asm("call\tPAIR(finish_%s)", s.f.Name)
		s.release(s.depth)
		s.asm("ret")
	})
}

// callAndTest calls the runtime's function. After an error it continues at finish; if
// MPI_Testall's flag is false, the code returns. Else %rsi holds the address of the program's
// requests.
func (s *fastPath) callAndTest(statuses bool, f completionFrame, finish string) {
	s.asm("movq\t%%rsp, %%rsi")
	if statuses {
		s.asm("leaq\t%d(%%rsp), %s", f.offset, s.statuses())
	} else {
		s.asm("movl\t$%d, %s", s.pair.R.Pointers["MPI_STATUSES_IGNORE"].Value, registers32[s.plan.Completion.Statuses])
	}
	s.callRuntime()
	s.asm("testl\t%%eax, %%eax")
	s.asm("jne\t%s", finish)
	if f.flag != "" {
		s.asm("movq\t%s, %%rcx", f.flag)
		s.asm("cmpl\t$0, (%%rcx)")
		s.asm("je\t%s", s.outOfLine(s.writeReturn))
	}
	s.asm("movq\t%s, %%rsi", f.requests)
}

// completionOfTwo writes the code for two requests.
func (s *fastPath) completionOfTwo(statuses bool) {
	f := completionFrame{loadCount: func() { s.asm("movl\t$2, %%edi") }}
	s.push("%rsi")
	requests := s.depth
	if s.plan.FlagIndex >= 0 {
		s.push("%rdx")
	}
	flag := s.depth
	if statuses {
		s.push(s.statuses())
	}
	kept := s.depth
	f.offset = s.reserveArrays(2, statuses)
	if s.plan.FlagIndex >= 0 {
		f.flag = s.stackSlot(flag)
	}
	f.requests, f.statuses = s.stackSlot(requests), s.stackSlot(kept)
	if statuses {
		s.asm("STATUSES_UNSET_BEGIN %d(%%rsp)", f.offset)
		s.asm("STATUSES_UNSET")
	}
	for i := range 2 {
		// MPI_Testall may leave MPI_ERROR alone; the mark shows if it has.
		if statuses && f.flag != "" {
			s.asm("STATUS_ERROR_UNSET\t%d(%%rsp)", f.offset+i*s.pair.R.Types["MPI_Status"].Size)
		}
	}
	s.asm("REQUESTS_A2R\t0(%%rsi), 0(%%rsp), %s", s.bailOut())
	finish := s.finishInC(statuses, f)
	s.callAndTest(statuses, f, finish)
	s.asm("REQUESTS_ENDED_BEGIN")
	s.asm("REQUESTS_ENDED\t0(%%rsi), 0(%%rsp), %s", finish)
	if statuses {
		s.twoStatuses(f, finish)
	}
	s.writeReturn()
}

// twoStatuses converts the statuses of two requests into the program's array. A status with an
// unusual field continues at finish.
func (s *fastPath) twoStatuses(f completionFrame, finish string) {
	s.asm("movq\t%s, %%rdx", f.statuses)
	for i := range 2 {
		done := s.label()
		runtimeOffset, programOffset := f.offset+i*s.pair.R.Types["MPI_Status"].Size, i*s.pair.A.Types["MPI_Status"].Size
		s.statusOfMany(runtimeOffset, "%rsp", programOffset, done, finish)
		s.Line("%s:", done)
		if f.flag != "" {
			s.asm("STATUS_ERROR_COPY\t%d(%%rsp), %d, %%rdx", runtimeOffset, programOffset)
		}
	}
}

// completionOfMore writes the code for more than two requests. %ecx holds their number less two
// on entry. The code converts two at a time, from the last to the first. If the number is odd,
// it converts the second request twice.
func (s *fastPath) completionOfMore(statuses bool) {
	// The sizes of the runtime's and the program's handles, in bytes.
	runtimeSize, programSize := s.pair.R.HandleBits/8, s.pair.A.HandleBits/8
	var f completionFrame
	s.push("%rsi")
	requests := s.depth
	s.push("%rcx")
	pairs := s.depth
	kept := 0
	if statuses {
		s.push("%rdi")
		s.push("%rdx")
		kept = s.depth
	}
	f.offset = s.reserveArrays(maxFastRequests, statuses)
	f.requests, f.statuses = s.stackSlot(requests), s.stackSlot(kept)
	// pairsLeft is the stack slot with the number of requests less two.
	pairsLeft := s.stackSlot(pairs)
	f.loadCount = func() {
		s.asm("movq\t%s, %%rdi", pairsLeft)
		s.asm("addl\t$2, %%edi")
	}

	// byTwos writes the end of a loop over pairs: it moves %ecx to the next pair and continues
	// at loop, unless all pairs are done.
	byTwos := func(loop string) {
		odd := s.outOfLine(func() {
			s.asm("xorl\t%%ecx, %%ecx")
			s.asm("jmp\t%s", loop)
		})
		s.asm("subl\t$2, %%ecx")
		s.asm("jns\t%s", loop)
		s.asm("jp\t%s", odd) // the parity of -1 is even, of -2 odd
	}
	if statuses {
		s.asm("STATUSES_UNSET_BEGIN %d(%%rsp)", f.offset)
	}
	next := s.label()
	s.Line("%s:", next)
	if statuses {
		s.asm("STATUSES_UNSET")
	}
	s.asm("REQUESTS_A2R\t\"0(%%rsi,%%rcx,%d)\", \"0(%%rsp,%%rcx,%d)\", %s", programSize, runtimeSize, s.bailOut())
	byTwos(next)

	finish := s.finishInC(statuses, f)
	s.callAndTest(statuses, f, finish)
	again := s.label()
	if !statuses {
		s.asm("REQUESTS_ENDED_BEGIN")
		s.asm("movq\t%s, %%rcx", pairsLeft)
		s.Line("%s:", again)
		s.asm("REQUESTS_ENDED\t\"0(%%rsi,%%rcx,%d)\", \"0(%%rsp,%%rcx,%d)\", %s", programSize, runtimeSize, finish)
		byTwos(again)
		s.writeReturn()
		return
	}
	s.asm("REQUEST_ENDED_BEGIN")
	s.asm("movq\t%s, %%rdx", f.statuses)
	s.asm("movl\t%s, %%ecx", s.stackSlot(kept-8)) // an int: the upper half of its slot is undefined
	s.asm("leaq\t%d(%%rsp), %%r8", f.offset)
	s.Line("%s:", again)
	s.asm("REQUEST_ENDED\t\"%d(%%rsi,%%rcx,%d)\", \"%d(%%rsp,%%rcx,%d)\", %s", -programSize, programSize, -runtimeSize, runtimeSize, finish)
	done := s.label()
	s.statusOfMany(0, "%r8", 0, done, finish)
	s.Line("%s:", done)
	s.asm("addq\t$%d, %%r8", s.pair.R.Types["MPI_Status"].Size)
	s.asm("addq\t$%d, %%rdx", s.pair.A.Types["MPI_Status"].Size)
	s.asm("decl\t%%ecx")
	s.asm("jne\t%s", again)
	s.writeReturn()
}
