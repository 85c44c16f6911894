package assembly

import (
	"fmt"
	"slices"

	"wi4go/gen/plan"
)

// This file passes the arguments to the runtime, and converts the statuses that come back.

// pass writes the code that puts the arguments in the places that the runtime's function
// expects. It pushes the stack arguments first, from the last one down, and then changes the
// registers. No register changes before the last look-up that may bail out. local is the depth
// of the runtime's own variable.
func (s *fast) pass(local int) {
	// handles are the arguments in registers that are handles.
	var handles []int
	for i, a := range s.arguments {
		if a.as == asHandle && inRegister(i) {
			handles = append(handles, i)
		}
	}
	// A handle on the stack often equals one of its kind in a register (sendtype, recvtype).
	// twin is such a stack argument, and last the register argument that it is compared with,
	// before the register changes. Without a twin, last is the handle whose look-up comes last.
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
			twin, last = -1, -1 // the look-up of argument i comes later and may bail out
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
			// If the two handles differ, out-of-line code looks both up.
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

// pushAddress pushes the address of the stack slot at a depth.
func (s *fast) pushAddress(local int) {
	if s.depth == local {
		s.push("%rsp")
		return
	}
	s.asm("leaq\t%s, %%rax", s.at(local))
	s.push("%rax")
}

// statusGoes prepares the runtime's status before the call. An output status is marked as
// unset. An input status is converted from the program's, unless the function reads only its
// count.
func (s *fast) statusGoes(r *results) {
	if r.status >= 0 {
		s.asm("STATUS_UNSET\t%s", s.at(r.local))
		if r.completed >= 0 {
			s.asm("STATUS_EMPTY\t%s", s.at(r.local))
		}
	}
	if r.given >= 0 && s.countsOnly() {
		s.asm("STATUS_COUNT_FITS\t%s, %s", registers64[r.given], s.toC())
	} else if r.given >= 0 {
		s.asm("STATUS_USUAL\t%s, %s", registers64[r.given], s.toC())
		s.asm("STATUS_A2R\t%s, %s", registers64[r.given], s.at(r.local))
	}
}

// statusComes converts the runtime's status, at depth local, to the program's after a
// successful call. program is the operand with the address of the program's status.
func (s *fast) statusComes(program string, local int, done string) {
	s.asm("/* status */")
	s.asm("movq\t%s, %%rdx", program)
	special := s.aside(func() {
		s.asm("leaq\t%s, %%rdi", s.at(local))
		s.asm("movq\t%%rdx, %%rsi")
		s.asm("call\tPAIR(status_special)")
		s.asm("xorl\t%%eax, %%eax")
		s.asm("jmp\t%s", done)
	})
	s.status(s.depth-local, "%rsp", done, special)
}

// statusFailed lets C convert the status of a failed call. %edi holds the call's error.
func (s *fast) statusFailed(program, local, done string) {
	s.asm("leaq\t%s, %%rsi", local)
	s.asm("movq\t%s, %%rdx", program)
	s.asm("call\tPAIR(status_failed)")
	s.asm("jmp\t%s", done)
}

// status converts the runtime's status, at an offset from a register, to the program's at %rdx.
// A status with an unusual field continues at special, and one with a negative source or tag at
// done after its conversion.
func (s *fast) status(offset int, register, done, special string) {
	negative := s.aside(func() {
		s.asm("STATUS_NEGATIVE\t%d, %s, 0, %%rdx, %s, %s", offset, register, done, special)
	})
	s.asm("STATUS_R2A\t%d, %s, 0, %%rdx, %s, %s", offset, register, negative, special)
}

// statusOfMany converts one status of several, as status does; the program's is at an offset
// from %rdx. For MPI_Waitall, it stores MPI_SUCCESS in each status.
func (s *fast) statusOfMany(offset int, register string, at int, done, special string) {
	well := 0
	if s.plan.Tells < 0 {
		well = 1
		s.asm("STATUS_WENT_WELL\t%d, %%rdx", at)
	}
	negative := s.aside(func() {
		s.asm("STATUS_NEGATIVE\t%d, %s, %d, %%rdx, %s, %s, %d", offset, register, at, done, special, well)
	})
	s.asm("STATUS_R2A\t%d, %s, %d, %%rdx, %s, %s, %d", offset, register, at, negative, special, well)
}

// countsOnly reports whether the function reads only the byte count of an input status. The
// runtime gets the program's own status then, moved by the distance between the two families'
// count fields.
func (s *fast) countsOnly() bool {
	return slices.ContainsFunc(s.arguments, func(a argument) bool { return a.Action == plan.StatusIn{CountOnly: true} })
}
