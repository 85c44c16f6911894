package assembly

import (
	"fmt"

	"wi4go/gen/plan"
)

// The fast paths of functions that complete any or some of an array of requests.

// some writes the fast path of a function that completes any or some requests, once
// without statuses and once with them. C has to look at what it has of MPI_Waitall, but for null requests,
// which are what the former calls have left in the array.
func (s *fast) some() string {
	ignore := "MPI_STATUS_IGNORE"
	many := s.plan.Completes.Of == plan.CompletesSome
	if many {
		ignore = "MPI_STATUSES_IGNORE"
	}
	for _, register := range []string{"%rsi", "%rdx"} {
		s.asm("testq\t%s, %s", register, register)
		s.asm("je\t%s", s.toC())
	}
	s.asm("leal\t-1(%%rdi), %%eax")
	s.asm("cmpl\t$%d, %%eax", fastRequests-1)
	s.asm("ja\t%s", s.toC())
	s.asm("cmpq\t$%d, %s", s.p.A.Pointers[ignore].Value, s.statuses())
	if s.p.A.Pointers[ignore].Value > 0 {
		s.asm("jb\t%s", s.toC()) // none, which the runtime is to refuse
	}
	statuses := s.label()
	s.asm("jne\t%s", statuses)
	s.someOf(false)
	s.Line("%s:", statuses)
	s.begin()
	s.someOf(true)
	return s.text()
}

// someFrame is the frame of a call that completes any or some requests. What is kept is
// given as depths, 0 if there is none of it.
type someFrame struct {
	many, statuses          bool // some requests, not one; with statuses
	requests, count, result int  // the arguments: the last is the index, or how many there are
	flag                    int  // of MPI_Testany
	program                 int  // the program's statuses
	place                   int  // of the runtime's statuses from %rsp, where its requests are
	theirs, ours            int  // bytes of a handle
	size                    int  // bytes of the runtime's status
}

// someOf writes one of the two: %rdx is where the runtime puts the index, or how
// many there are.
func (s *fast) someOf(statuses bool) {
	f := s.someKept(statuses)
	s.someConverted(f)

	// MPI_UNDEFINED has one value in all families.
	if f.many {
		s.asm("movl\t$0, (%%rdx)")
	} else {
		s.asm("movl\t$%d, (%%rdx)", s.p.R.Constants["MPI_UNDEFINED"])
	}
	s.asm("movq\t%%rsp, %%rsi")
	if statuses {
		s.asm("leaq\t%d(%%rsp), %s", f.place, s.statuses())
	} else {
		s.asm("movl\t$%d, %s", s.p.R.Pointers["MPI_STATUS_IGNORE"].Value, registers32[s.plan.Completes.Statuses])
	}
	s.call()
	finish := s.someFinished(f)
	s.asm("testl\t%%eax, %%eax")
	s.asm("jne\t%s", finish)
	left := s.aside(s.leave)
	if f.flag > 0 {
		s.asm("movq\t%s, %%rdx", s.at(f.flag))
		s.asm("cmpl\t$0, (%%rdx)")
		s.asm("je\t%s", left)
	}
	s.asm("movq\t%s, %%rdx", s.at(f.result))
	s.asm("movl\t(%%rdx), %%ecx")
	s.asm("REQUEST_GONE_BEGIN")
	end := s.label()
	if f.many {
		s.someGone(f, left, finish)
	} else {
		s.anyGone(f, end)
		s.Line("%s:", end)
	}
	s.leave()
}

// someKept keeps the arguments, and takes the stack for the runtime's requests and statuses.
func (s *fast) someKept(statuses bool) someFrame {
	f := someFrame{many: s.plan.Completes.Of == plan.CompletesSome, statuses: statuses,
		theirs: s.p.R.HandleBits / 8, ours: s.p.A.HandleBits / 8, size: s.p.R.Types["MPI_Status"].Size}
	kept := func(register string) int {
		s.push(register)
		return s.depth
	}
	f.requests, f.count, f.result = kept("%rsi"), kept("%rdi"), kept("%rdx")
	if s.plan.Tells >= 0 {
		f.flag = kept(registers64[s.plan.Tells])
	}
	if statuses {
		f.program = kept(s.statuses())
	}
	f.place = fastRequests * f.theirs
	room := f.place
	switch {
	case statuses && f.many:
		room += fastRequests * f.size
	case statuses:
		room += s.p.statusRoom()
	}
	if (s.depth+room)%16 != 8 {
		room += 16 - (s.depth+room+8)%16
	}
	s.take(room)
	return f
}

// someConverted converts the requests, from the last to the first, and prepares the statuses.
func (s *fast) someConverted(f someFrame) {
	s.asm("movl\t%%edi, %%eax")
	if f.many && f.statuses {
		s.asm("leaq\t%d(%%rsp), %%r10", f.place)
	} else if f.statuses {
		s.asm("STATUS_UNSET\t%d(%%rsp)", f.place)
		s.asm("STATUS_EMPTY\t%d(%%rsp)", f.place)
	}
	next, converted := s.label(), s.label()
	s.Line("%s:", next)
	if f.many && f.statuses {
		s.asm("STATUS_UNSET\t0(%%r10)")
		s.asm("STATUS_EMPTY\t0(%%r10)")
		s.asm("STATUS_NOT_TOLD\t0(%%r10)")
		s.asm("addq\t$%d, %%r10", f.size)
	}
	from, to := fmt.Sprintf("%d(%%rsi,%%rax,%d)", -f.ours, f.ours), fmt.Sprintf("%d(%%rsp,%%rax,%d)", -f.theirs, f.theirs)
	s.asm("REQUEST_OF_MANY\t%q, %q, %s", from, to, s.aside(func() {
		s.asm("REQUEST_OF_NONE\t%q, %q, %s, %s", from, to, converted, s.toC())
	}))
	s.Line("%s:", converted)
	s.asm("decl\t%%eax")
	s.asm("jne\t%s", next)
}

// anyGone gives the program the request with the index in %ecx, and its status.
func (s *fast) anyGone(f someFrame, end string) {
	without := s.label()
	s.asm("cmpl\t%s, %%ecx", s.at(f.count))
	s.asm("jae\t%s", without) // MPI_UNDEFINED
	s.asm("movq\t%s, %%rsi", s.at(f.requests))
	s.asm("REQUEST_GONE\t\"(%%rsi,%%rcx,%d)\", \"(%%rsp,%%rcx,%d)\", %s", f.ours, f.theirs, without)
	s.Line("%s:", without)
	if f.statuses {
		s.asm("movq\t%s, %%rdx", s.at(f.program))
		special := s.aside(func() {
			s.asm("leaq\t%d(%%rsp), %%rdi", f.place)
			s.asm("movq\t%%rdx, %%rsi")
			s.asm("call\tPAIR(status_of_any)")
			s.asm("xorl\t%%eax, %%eax")
			s.asm("jmp\t%s", end)
		})
		negative := s.aside(func() {
			s.asm("STATUS_OF_ANY\t%d, %%rsp, 0, %%rdx, %s, %s", f.place, end, special)
		})
		s.asm("STATUS_R2A\t%d, %%rsp, 0, %%rdx, %s, %s", f.place, negative, special)
	}
}

// someGone gives the program the requests that are over, and the statuses of as many as %ecx
// has.
func (s *fast) someGone(f someFrame, left, finish string) {
	s.asm("testl\t%%ecx, %%ecx")
	s.asm("jle\t%s", left) // MPI_UNDEFINED too
	s.asm("movq\t%s, %%rsi", s.at(f.requests))
	s.asm("movl\t%s, %%r10d", s.at(f.count))
	again, stays := s.label(), s.label()
	s.Line("%s:", again)
	s.asm("REQUEST_GONE\t\"%d(%%rsi,%%r10,%d)\", \"%d(%%rsp,%%r10,%d)\", %s", -f.ours, f.ours, -f.theirs, f.theirs, stays)
	s.Line("%s:", stays)
	s.asm("decl\t%%r10d")
	s.asm("jne\t%s", again)
	if !f.statuses {
		return
	}
	s.asm("movq\t%s, %%rdx", s.at(f.program))
	s.asm("leaq\t%d(%%rsp), %%r8", f.place)
	one, converted := s.label(), s.label()
	s.Line("%s:", one)
	s.status(0, "%r8", converted, finish)
	s.Line("%s:", converted)
	s.asm("STATUS_TOLD\t0(%%r8), 0, %%rdx")
	s.asm("addq\t$%d, %%r8", f.size)
	s.asm("addq\t$%d, %%rdx", s.p.A.Types["MPI_Status"].Size)
	s.asm("decl\t%%ecx")
	s.asm("jne\t%s", one)
}

// someFinished leaves the rest to C, where the call failed or a status is
// special: its label.
func (s *fast) someFinished(f someFrame) string {
	return s.aside(func() {
		s.asm("movl\t%%eax, %%r9d")
		s.asm("movl\t%s, %%edi", s.at(f.count))
		s.asm("movq\t%s, %%rsi", s.at(f.requests))
		s.asm("movq\t%%rsp, %%rdx")
		if f.statuses {
			s.asm("leaq\t%d(%%rsp), %%rcx", f.place)
			s.asm("movq\t%s, %%r8", s.at(f.program))
		} else {
			s.asm("movl\t$%d, %%ecx", s.p.R.Pointers["MPI_STATUSES_IGNORE"].Value)
			s.asm("movl\t$%d, %%r8d", s.p.A.Pointers["MPI_STATUSES_IGNORE"].Value)
		}
		if f.many {
			s.push(s.at(f.result))
			s.push("%rax") // for the stack pointer
			s.asm("call\tPAIR(some_finish)")
		} else {
			s.asm("call\tPAIR(any_failed)")
		}
		s.give(s.depth)
		s.asm("ret")
	})
}
