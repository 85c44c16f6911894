package assembly

import "wi4go/gen/plan"

// fastRequests is the largest number of requests that a fast path completes. Longer arrays are
// left to C.
const fastRequests = 32

// fitsCompletion reports whether a function completes an array of requests and has its
// arguments in the registers that the code here and the macros of fast_x86_64.h expect. First
// come the count, the requests and, unless the function completes all of them, the index or the
// number of completed requests. The statuses come last.
func fitsCompletion(of *plan.Plan) bool {
	c, n := of.Completes, len(of.Arguments)
	if c.Requests != 1 || c.Statuses != n-1 || !inRegister(n-1) {
		return false
	}
	switch c.Of {
	case plan.CompletesAll:
		return of.Tells < 0 || of.Tells == 2
	case plan.CompletesAny:
		return c.Result == 2 && (of.Tells < 0 || of.Tells == 3)
	case plan.CompletesSome:
		return c.Result == 2 && of.Tells < 0
	}
	return false
}

// completion returns the fast path of MPI_Waitall or MPI_Testall. MPI_Waitall has code for two
// requests, the usual case of one message each way, and for more; each comes without statuses
// and with them. MPI_Testall has code for two requests only, because more of them rarely
// complete at once. The code bails out if a request is not simply the runtime's
// (mappers/handles_pointer.h, handles_int.h), if one does not end, or if a status has an
// unusual field.
func (s *fast) completion() string {
	more := s.label()
	s.asm("testq\t%%rsi, %%rsi")
	s.asm("je\t%s", s.toC())
	s.asm("cmpl\t$2, %%edi")
	if s.plan.Tells >= 0 {
		s.asm("jne\t%s", s.toC())
		s.completions(s.completionOfTwo)
		return s.text()
	}
	s.asm("jne\t%s", more)
	s.completions(s.completionOfTwo)
	s.Line("%s:", more)
	s.begin()
	s.asm("leal\t-2(%%rdi), %%ecx")
	s.asm("cmpl\t$%d, %%ecx", fastRequests-2)
	s.asm("ja\t%s", s.toC())
	s.completions(s.completionOfMore)
	return s.text()
}

// completions calls with to write the code for MPI_STATUSES_IGNORE, and again to write the code
// with statuses.
func (s *fast) completions(with func(statuses bool)) {
	s.asm("cmpq\t$%d, %s", s.p.A.Pointers["MPI_STATUSES_IGNORE"].Value, s.statuses())
	statuses := s.label()
	s.asm("jne\t%s", statuses)
	with(false)
	s.Line("%s:", statuses)
	s.begin()
	with(true)
}

// statuses returns the register in which the statuses are passed.
func (s *fast) statuses() string { return registers64[s.plan.Completes.Statuses] }

// frame holds the operands of the values that a completion keeps on the stack.
type frame struct {
	// requests and statuses are the addresses of the program's arrays.
	requests, statuses string
	// flag is the address of MPI_Testall's flag, or empty.
	flag string
	// count writes the code that loads the number of requests into %edi.
	count func()
	// offset is the distance from %rsp to the runtime's statuses. Its requests are at %rsp.
	offset int
	// done is the label at which a Fortran procedure continues after C has finished, or empty:
	// the code returns.
	done string
}

// room reserves stack for the runtime's requests and, if statuses is true, for as many
// statuses. It returns the offset of the statuses from %rsp; the requests are at %rsp. The
// stack pointer is a multiple of 16 afterwards.
func (s *fast) room(requests int, statuses bool) int {
	offset := requests * s.p.R.HandleBits / 8
	room := offset
	if statuses {
		room += requests * s.p.R.Types["MPI_Status"].Size
	}
	if (s.depth+room)%16 != 8 {
		room += 8
	}
	s.take(room)
	return offset
}

// finish writes the out-of-line code that lets C finish a completion after the runtime's call,
// and returns its label. gen/pair/completion.go prints that C and describes its arguments. It
// converts requests and statuses again, whatever the assembly has converted already. %eax must
// hold the runtime's result.
func (s *fast) finish(statuses bool, f frame) string {
	return s.aside(func() {
		s.asm("movl\t%%eax, %%r9d")
		f.count()
		s.asm("movq\t%s, %%rsi", f.requests)
		if statuses {
			s.asm("movq\t%s, %%rdx", f.statuses)
			s.asm("leaq\t%d(%%rsp), %%r8", f.offset)
		} else {
			s.asm("movl\t$%d, %%edx", s.p.A.Pointers["MPI_STATUSES_IGNORE"].Value)
			s.asm("movl\t$%d, %%r8d", s.p.R.Pointers["MPI_STATUSES_IGNORE"].Value)
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
		s.give(s.depth)
		s.asm("ret")
	})
}

// complete calls the runtime's function. After an error it continues at finish; if
// MPI_Testall's flag is false, the code returns. Else %rsi holds the address of the program's
// requests.
func (s *fast) complete(statuses bool, f frame, finish string) {
	s.asm("movq\t%%rsp, %%rsi")
	if statuses {
		s.asm("leaq\t%d(%%rsp), %s", f.offset, s.statuses())
	} else {
		s.asm("movl\t$%d, %s", s.p.R.Pointers["MPI_STATUSES_IGNORE"].Value, registers32[s.plan.Completes.Statuses])
	}
	s.call()
	s.asm("testl\t%%eax, %%eax")
	s.asm("jne\t%s", finish)
	if f.flag != "" {
		s.asm("movq\t%s, %%rcx", f.flag)
		s.asm("cmpl\t$0, (%%rcx)")
		s.asm("je\t%s", s.aside(s.leave))
	}
	s.asm("movq\t%s, %%rsi", f.requests)
}

// completionOfTwo writes the code for two requests.
func (s *fast) completionOfTwo(statuses bool) {
	f := frame{count: func() { s.asm("movl\t$2, %%edi") }}
	s.push("%rsi")
	requests := s.depth
	if s.plan.Tells >= 0 {
		s.push("%rdx")
	}
	flag := s.depth
	if statuses {
		s.push(s.statuses())
	}
	kept := s.depth
	f.offset = s.room(2, statuses)
	if s.plan.Tells >= 0 {
		f.flag = s.at(flag)
	}
	f.requests, f.statuses = s.at(requests), s.at(kept)
	if statuses {
		s.asm("STATUSES_UNSET_BEGIN %d(%%rsp)", f.offset)
		s.asm("STATUSES_UNSET")
	}
	for i := range 2 {
		// MPI_Testall may leave MPI_ERROR alone; the mark shows if it has.
		if statuses && f.flag != "" {
			s.asm("STATUS_NOT_TOLD\t%d(%%rsp)", f.offset+i*s.p.R.Types["MPI_Status"].Size)
		}
	}
	s.asm("REQUESTS_A2R\t0(%%rsi), 0(%%rsp), %s", s.toC())
	finish := s.finish(statuses, f)
	s.complete(statuses, f, finish)
	s.asm("REQUESTS_ENDED_BEGIN")
	s.asm("REQUESTS_ENDED\t0(%%rsi), 0(%%rsp), %s", finish)
	if statuses {
		s.twoStatuses(f, finish)
	}
	s.leave()
}

// twoStatuses converts the statuses of two requests into the program's array. A status with an
// unusual field continues at finish.
func (s *fast) twoStatuses(f frame, finish string) {
	s.asm("movq\t%s, %%rdx", f.statuses)
	for i := range 2 {
		done := s.label()
		theirs, ours := f.offset+i*s.p.R.Types["MPI_Status"].Size, i*s.p.A.Types["MPI_Status"].Size
		s.statusOfMany(theirs, "%rsp", ours, done, finish)
		s.Line("%s:", done)
		if f.flag != "" {
			s.asm("STATUS_TOLD\t%d(%%rsp), %d, %%rdx", theirs, ours)
		}
	}
}

// completionOfMore writes the code for more than two requests. %ecx holds their number less two
// on entry. The code converts two at a time, from the last to the first. If the number is odd,
// it converts the second request twice.
func (s *fast) completionOfMore(statuses bool) {
	// The sizes of the runtime's and the program's handles, in bytes.
	theirs, ours := s.p.R.HandleBits/8, s.p.A.HandleBits/8
	var f frame
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
	f.offset = s.room(fastRequests, statuses)
	f.requests, f.statuses = s.at(requests), s.at(kept)
	// less is the stack slot with the number of requests less two.
	less := s.at(pairs)
	f.count = func() {
		s.asm("movq\t%s, %%rdi", less)
		s.asm("addl\t$2, %%edi")
	}

	// byTwos writes the end of a loop over pairs: it moves %ecx to the next pair and continues
	// at loop, unless all pairs are done.
	byTwos := func(loop string) {
		odd := s.aside(func() {
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
	s.asm("REQUESTS_A2R\t\"0(%%rsi,%%rcx,%d)\", \"0(%%rsp,%%rcx,%d)\", %s", ours, theirs, s.toC())
	byTwos(next)

	finish := s.finish(statuses, f)
	s.complete(statuses, f, finish)
	again := s.label()
	if !statuses {
		s.asm("REQUESTS_ENDED_BEGIN")
		s.asm("movq\t%s, %%rcx", less)
		s.Line("%s:", again)
		s.asm("REQUESTS_ENDED\t\"0(%%rsi,%%rcx,%d)\", \"0(%%rsp,%%rcx,%d)\", %s", ours, theirs, finish)
		byTwos(again)
		s.leave()
		return
	}
	s.asm("REQUEST_ENDED_BEGIN")
	s.asm("movq\t%s, %%rdx", f.statuses)
	s.asm("movl\t%s, %%ecx", s.at(kept-8)) // an int: the upper half of its slot is undefined
	s.asm("leaq\t%d(%%rsp), %%r8", f.offset)
	s.Line("%s:", again)
	s.asm("REQUEST_ENDED\t\"%d(%%rsi,%%rcx,%d)\", \"%d(%%rsp,%%rcx,%d)\", %s", -ours, ours, -theirs, theirs, finish)
	done := s.label()
	s.statusOfMany(0, "%r8", 0, done, finish)
	s.Line("%s:", done)
	s.asm("addq\t$%d, %%r8", s.p.R.Types["MPI_Status"].Size)
	s.asm("addq\t$%d, %%rdx", s.p.A.Types["MPI_Status"].Size)
	s.asm("decl\t%%ecx")
	s.asm("jne\t%s", again)
	s.leave()
}
