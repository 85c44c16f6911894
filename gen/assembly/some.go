package assembly

import (
	"fmt"

	"wi4go/gen/plan"
)

// This file has the fast paths of the functions that complete any or some requests of an array.

// some returns the fast path of a function that completes any or some requests, once without
// statuses and once with them. It bails out as MPI_Waitall's does (completion), except for null
// requests: earlier calls leave them in the array.
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
		s.asm("jb\t%s", s.toC()) // a null pointer, which the runtime must refuse
	}
	statuses := s.label()
	s.asm("jne\t%s", statuses)
	s.someOf(false)
	s.Line("%s:", statuses)
	s.begin()
	s.someOf(true)
	return s.text()
}

// someFrame is the stack frame of a call that completes any or some requests. Its stack slots
// are depths; 0 means that there is none.
type someFrame struct {
	// many reports whether the function completes some requests, not one. statuses reports
	// whether the program requests statuses.
	many, statuses bool
	// requests, count and result are the slots with the arguments. result is the address of the
	// index, or of the number of completed requests.
	requests, count, result int
	// flag is the slot with the address of MPI_Testany's flag.
	flag int
	// program is the slot with the address of the program's statuses.
	program int
	// place is the distance from %rsp to the runtime's statuses. Its requests are at %rsp.
	place int
	// theirs and ours are the sizes of the runtime's and the program's handles, in bytes.
	theirs, ours int
	// size is the size of the runtime's status, in bytes.
	size int
}

// someOf writes the code with or without statuses. %rdx is the address at which the runtime
// stores the index, or the number of completed requests.
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

// someKept saves the arguments and reserves stack for the runtime's requests and statuses.
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

// anyGone updates the program's request with the index in %ecx, and its status. It continues at
// end.
func (s *fast) anyGone(f someFrame, end string) {
	without := s.label()
	s.asm("cmpl\t%s, %%ecx", s.at(f.count))
	s.asm("jae\t%s", without) // the index is MPI_UNDEFINED, which is negative
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

// someGone updates the program's requests that have completed, and as many statuses as %ecx
// counts. It continues at left if none has completed, and at finish if a status has an unusual
// field.
func (s *fast) someGone(f someFrame, left, finish string) {
	s.asm("testl\t%%ecx, %%ecx")
	s.asm("jle\t%s", left) // also if the number is MPI_UNDEFINED
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

// someFinished writes the out-of-line code that lets C finish a call that failed or set an
// unusual status, and returns its label.
func (s *fast) someFinished(f someFrame) string {
	return s.aside(func() {
		s.asm("movl\t%%eax, %%r9d")
		s.asm("movl\t%s, %%edi", s.at(f.count))
		s.asm("movq\t%s, %%rsi", s.at(f.requests))
		if f.statuses {
			s.asm("movq\t%s, %%rdx", s.at(f.program))
			s.asm("leaq\t%d(%%rsp), %%r8", f.place)
		} else {
			s.asm("movl\t$%d, %%edx", s.p.A.Pointers["MPI_STATUSES_IGNORE"].Value)
			s.asm("movl\t$%d, %%r8d", s.p.R.Pointers["MPI_STATUSES_IGNORE"].Value)
		}
		s.asm("movq\t%%rsp, %%rcx")
		flag := "%rax"
		if f.flag > 0 {
			flag = s.at(f.flag)
		}
		s.push(flag)
		s.push(s.at(f.result))
		s.asm("call\tPAIR(finish_%s)", s.f.Name)
		s.give(s.depth)
		s.asm("ret")
	})
}
