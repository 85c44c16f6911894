package assembly

import (
	"fmt"

	"wi4go/gen/plan"
)

// This file contains the fast paths of the functions that complete any or some requests of an array.

// partialCompletion returns the fast path of a function that completes any or some requests, once
// without statuses and once with them. It bails out as MPI_Waitall's does (completion), except for
// null requests: earlier calls leave them in the array.
func (s *fastPath) partialCompletion() string {
	ignore := "MPI_STATUS_IGNORE"
	many := s.plan.Completion.Kind == plan.CompletesSome
	if many {
		ignore = "MPI_STATUSES_IGNORE"
	}
	for _, register := range []string{"%rsi", "%rdx"} {
		s.asm("testq\t%s, %s", register, register)
		s.asm("je\t%s", s.bailOut())
	}
	s.asm("leal\t-1(%%rdi), %%eax")
	s.asm("cmpl\t$%d, %%eax", maxFastRequests-1)
	s.asm("ja\t%s", s.bailOut())
	s.asm("cmpq\t$%d, %s", s.pair.A.Pointers[ignore].Value, s.statuses())
	if s.pair.A.Pointers[ignore].Value > 0 {
		s.asm("jb\t%s", s.bailOut()) // a null pointer, which the runtime must refuse
	}
	statuses := s.label()
	s.asm("jne\t%s", statuses)
	s.partialBody(false)
	s.Line("%s:", statuses)
	s.startAtEntry()
	s.partialBody(true)
	return s.text()
}

// partialFrame is the stack frame of a call that completes any or some requests. Its stack slots
// are depths; 0 means that there is none.
type partialFrame struct {
	// many reports whether the function completes some requests, not one. statuses reports
	// whether the program requests statuses.
	many, statuses bool
	// requests, count and result are the slots with the arguments. result is the address of the
	// index, or of the number of completed requests.
	requests, count, result int
	// flag is the slot with the address of MPI_Testany's flag.
	flag int
	// programStatuses is the slot with the address of the program's statuses.
	programStatuses int
	// offset is the distance from %rsp to the runtime's statuses. Its requests are at %rsp.
	offset int
	// runtimeHandleSize and programHandleSize are the sizes of the runtime's and the program's
	// handles, in bytes.
	runtimeHandleSize, programHandleSize int
	// statusSize is the size of the runtime's status, in bytes.
	statusSize int
}

// partialBody writes the code with or without statuses. %rdx is the address at which the runtime
// stores the index, or the number of completed requests.
func (s *fastPath) partialBody(statuses bool) {
	f := s.savePartial(statuses)
	s.convertPartial(f)

	// MPI_UNDEFINED has one value in all families.
	if f.many {
		s.asm("movl\t$0, (%%rdx)")
	} else {
		s.asm("movl\t$%d, (%%rdx)", s.pair.R.Constants["MPI_UNDEFINED"])
	}
	s.asm("movq\t%%rsp, %%rsi")
	if statuses {
		s.asm("leaq\t%d(%%rsp), %s", f.offset, s.statuses())
	} else {
		s.asm("movl\t$%d, %s", s.pair.R.Pointers["MPI_STATUS_IGNORE"].Value, registers32[s.plan.Completion.Statuses])
	}
	s.callRuntime()
	finish := s.finishPartial(f)
	s.asm("testl\t%%eax, %%eax")
	s.asm("jne\t%s", finish)
	done := s.outOfLine(s.writeReturn)
	if f.flag > 0 {
		s.asm("movq\t%s, %%rdx", s.stackSlot(f.flag))
		s.asm("cmpl\t$0, (%%rdx)")
		s.asm("je\t%s", done)
	}
	s.asm("movq\t%s, %%rdx", s.stackSlot(f.result))
	s.asm("movl\t(%%rdx), %%ecx")
	s.asm("REQUEST_SET_NULL_BEGIN")
	end := s.label()
	if f.many {
		s.updateSome(f, done, finish)
	} else {
		s.updateAny(f, end)
		s.Line("%s:", end)
	}
	s.writeReturn()
}

// savePartial saves the arguments and reserves stack for the runtime's requests and statuses.
func (s *fastPath) savePartial(statuses bool) partialFrame {
	f := partialFrame{many: s.plan.Completion.Kind == plan.CompletesSome, statuses: statuses,
		runtimeHandleSize: s.pair.R.HandleBits / 8, programHandleSize: s.pair.A.HandleBits / 8, statusSize: s.pair.R.Types["MPI_Status"].Size}
	save := func(register string) int {
		s.push(register)
		return s.depth
	}
	f.requests, f.count, f.result = save("%rsi"), save("%rdi"), save("%rdx")
	if s.plan.FlagIndex >= 0 {
		f.flag = save(registers64[s.plan.FlagIndex])
	}
	if statuses {
		f.programStatuses = save(s.statuses())
	}
	f.offset = maxFastRequests * f.runtimeHandleSize
	room := f.offset
	switch {
	case statuses && f.many:
		room += maxFastRequests * f.statusSize
	case statuses:
		room += s.pair.statusRoom()
	}
	if (s.depth+room)%16 != 8 {
		room += 16 - (s.depth+room+8)%16
	}
	s.reserve(room)
	return f
}

// convertPartial converts the requests, from the last to the first, and prepares the statuses.
func (s *fastPath) convertPartial(f partialFrame) {
	s.asm("movl\t%%edi, %%eax")
	if f.many && f.statuses {
		s.asm("leaq\t%d(%%rsp), %%r10", f.offset)
	} else if f.statuses {
		s.asm("STATUS_UNSET\t%d(%%rsp)", f.offset)
		s.asm("STATUS_EMPTY\t%d(%%rsp)", f.offset)
	}
	next, converted := s.label(), s.label()
	s.Line("%s:", next)
	if f.many && f.statuses {
		s.asm("STATUS_UNSET\t0(%%r10)")
		s.asm("STATUS_EMPTY\t0(%%r10)")
		s.asm("STATUS_ERROR_UNSET\t0(%%r10)")
		s.asm("addq\t$%d, %%r10", f.statusSize)
	}
	from, to := fmt.Sprintf("%d(%%rsi,%%rax,%d)", -f.programHandleSize, f.programHandleSize), fmt.Sprintf("%d(%%rsp,%%rax,%d)", -f.runtimeHandleSize, f.runtimeHandleSize)
	s.asm("REQUEST_ELEMENT_A2R\t%q, %q, %s", from, to, s.outOfLine(func() {
		s.asm("REQUEST_NULL_A2R\t%q, %q, %s, %s", from, to, converted, s.bailOut())
	}))
	s.Line("%s:", converted)
	s.asm("decl\t%%eax")
	s.asm("jne\t%s", next)
}

// updateAny updates the program's request with the index in %ecx, and its status. It continues at
// end.
func (s *fastPath) updateAny(f partialFrame, end string) {
	without := s.label()
	s.asm("cmpl\t%s, %%ecx", s.stackSlot(f.count))
	s.asm("jae\t%s", without) // the index is MPI_UNDEFINED, which is negative
	s.asm("movq\t%s, %%rsi", s.stackSlot(f.requests))
	s.asm("REQUEST_SET_NULL\t\"(%%rsi,%%rcx,%d)\", \"(%%rsp,%%rcx,%d)\", %s", f.programHandleSize, f.runtimeHandleSize, without)
	s.Line("%s:", without)
	if f.statuses {
		s.asm("movq\t%s, %%rdx", s.stackSlot(f.programStatuses))
		special := s.outOfLine(func() {
			s.asm("leaq\t%d(%%rsp), %%rdi", f.offset)
			s.asm("movq\t%%rdx, %%rsi")
			s.asm("call\tPAIR(status_of_any)")
			s.asm("xorl\t%%eax, %%eax")
			s.asm("jmp\t%s", end)
		})
		negative := s.outOfLine(func() {
			s.asm("STATUS_OF_ANY\t%d, %%rsp, 0, %%rdx, %s, %s", f.offset, end, special)
		})
		s.asm("STATUS_R2A\t%d, %%rsp, 0, %%rdx, %s, %s", f.offset, negative, special)
	}
}

// updateSome updates the program's requests that have completed, and as many statuses as %ecx
// counts. It continues at left if none has completed, and at finish if a status has an unusual
// field.
func (s *fastPath) updateSome(f partialFrame, left, finish string) {
	s.asm("testl\t%%ecx, %%ecx")
	s.asm("jle\t%s", left) // also if the number is MPI_UNDEFINED
	s.asm("movq\t%s, %%rsi", s.stackSlot(f.requests))
	s.asm("movl\t%s, %%r10d", s.stackSlot(f.count))
	again, pending := s.label(), s.label()
	s.Line("%s:", again)
	s.asm("REQUEST_SET_NULL\t\"%d(%%rsi,%%r10,%d)\", \"%d(%%rsp,%%r10,%d)\", %s", -f.programHandleSize, f.programHandleSize, -f.runtimeHandleSize, f.runtimeHandleSize, pending)
	s.Line("%s:", pending)
	s.asm("decl\t%%r10d")
	s.asm("jne\t%s", again)
	if !f.statuses {
		return
	}
	s.asm("movq\t%s, %%rdx", s.stackSlot(f.programStatuses))
	s.asm("leaq\t%d(%%rsp), %%r8", f.offset)
	one, converted := s.label(), s.label()
	s.Line("%s:", one)
	s.status(0, "%r8", converted, finish)
	s.Line("%s:", converted)
	s.asm("STATUS_ERROR_COPY\t0(%%r8), 0, %%rdx")
	s.asm("addq\t$%d, %%r8", f.statusSize)
	s.asm("addq\t$%d, %%rdx", s.pair.A.Types["MPI_Status"].Size)
	s.asm("decl\t%%ecx")
	s.asm("jne\t%s", one)
}

// finishPartial writes the out-of-line code that lets C finish a call that failed or set an
// unusual status, and returns its label.
func (s *fastPath) finishPartial(f partialFrame) string {
	return s.outOfLine(func() {
		s.asm("movl\t%%eax, %%r9d")
		s.asm("movl\t%s, %%edi", s.stackSlot(f.count))
		s.asm("movq\t%s, %%rsi", s.stackSlot(f.requests))
		if f.statuses {
			s.asm("movq\t%s, %%rdx", s.stackSlot(f.programStatuses))
			s.asm("leaq\t%d(%%rsp), %%r8", f.offset)
		} else {
			s.asm("movl\t$%d, %%edx", s.pair.A.Pointers["MPI_STATUSES_IGNORE"].Value)
			s.asm("movl\t$%d, %%r8d", s.pair.R.Pointers["MPI_STATUSES_IGNORE"].Value)
		}
		s.asm("movq\t%%rsp, %%rcx")
		flag := "%rax"
		if f.flag > 0 {
			flag = s.stackSlot(f.flag)
		}
		s.push(flag)
		s.push(s.stackSlot(f.result))
		s.asm("call\tPAIR(finish_%s)", s.f.Name)
		s.release(s.depth)
		s.asm("ret")
	})
}
