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
func (s *fastPath) pass(local int) {
	handles := s.handlesInRegisters()
	duplicate, last := s.duplicate()
	if last < 0 && len(handles) > 0 { // without a duplicate, last is the handle whose look-up comes last
		last = handles[len(handles)-1]
	}
	for _, i := range handles {
		if i != last {
			s.lookUpRegister(i)
		}
	}
	for i := len(s.arguments) - 1; !inRegister(i) && i >= 0; i-- {
		a := s.arguments[i]
		s.asm("/* %s */", a.Name)
		switch {
		case a.class == asStatusOut || a.class == asRequestOut && s.pair.A.HandleBits == 32:
			s.pushAddress(local)
		case a.class == asIgnored:
			s.push(s.pair.ignored())
		case s.passesWildcard(i):
			_, to := s.wildcardValues(i)
			s.push(fmt.Sprintf("$%d", to))
		case i == duplicate:
			// If the two handles differ, out-of-line code looks both up.
			after := s.label()
			other := s.outOfLine(func() {
				for j, b := range s.arguments {
					if s.testedLate(b) {
						s.otherValue(j)
					}
				}
				s.pushHandle(i)
				s.lookUpAndConvert(last)
				s.asm("jmp\t%s", after)
			})
			if s.pair.A.HandleBits == 32 {
				s.asm("cmpl\t%s, %s", registers32[last], s.operand(i, nil))
			} else {
				s.asm("cmpq\t%s, %s", registers64[last], s.operand(i, nil))
			}
			s.asm("jne\t%s", other)
			s.lookUpAndConvert(last)
			s.push(registers64[last])
			s.Line("%s:", after)
		case a.class == asHandle:
			s.pushHandle(i)
		case a.class == asTypes:
			s.pushTypes(i)
		default:
			s.push(s.operand(i, nil))
		}
	}
	for _, i := range handles {
		if i == last && duplicate < 0 {
			s.lookUpAndConvert(i)
		}
	}
	for _, i := range handles {
		if i != last {
			s.convertFound(i)
		}
	}
	for i, a := range s.arguments {
		if a.class == asStatusIn && s.countsOnly() {
			s.asm("/* %s */", a.Name)
			s.asm("addq\t$A_COUNT-R_COUNT, %s", registers64[i])
			continue
		}
		if inRegister(i) && (a.class == asStatusIn || a.class == asStatusOut || a.class == asHandleOut || a.class == asHandleInOut || a.class == asRequestOut && s.pair.A.HandleBits == 32) {
			s.asm("/* %s */", a.Name)
			s.asm("leaq\t%s, %s", s.stackSlot(local), registers64[i])
		}
		if inRegister(i) && a.class == asTypes {
			s.asm("/* %s */", a.Name)
			s.asm("movq\tINTERNED_SEND(%%r10), %s", registers64[i])
		}
		if inRegister(i) && a.class == asIgnored {
			s.asm("/* %s */", a.Name)
			s.asm("movl\t%s, %s", s.pair.ignored(), registers32[i])
		}
		if (a.class == asRequestInOut || a.class == asStartedRequest) && !s.pair.inPlace() {
			s.asm("/* %s */", a.Name)
			s.asm("leaq\t%s, %s", s.stackSlot(s.runtimeRequest), registers64[i])
		}
	}
}

// handlesInRegisters returns the arguments in registers that are handles.
func (s *fastPath) handlesInRegisters() []int {
	var handles []int
	for i, a := range s.arguments {
		if a.class == asHandle && inRegister(i) {
			handles = append(handles, i)
		}
	}
	return handles
}

// duplicate returns a handle on the stack that often equals one of its kind in a register (sendtype,
// recvtype), and that one, with which it is compared before the register changes; otherwise -1 and -1.
// A call that ignores a handle has another value for it, or the value of the one that it does not ignore.
func (s *fastPath) duplicate() (duplicate, of int) {
	duplicate, of = -1, -1
	handles := s.handlesInRegisters()
	for i, a := range slices.Backward(s.arguments) {
		if a.class != asHandle || inRegister(i) {
			continue
		}
		for _, h := range handles {
			if s.arguments[h].kind == a.kind {
				duplicate, of = i, h
			}
		}
		if duplicate != i && duplicate > i {
			duplicate, of = -1, -1 // the look-up of argument i comes later and may bail out
		}
	}
	return duplicate, of
}

// testedLate reports whether an argument is tested only if the duplicate differs from its original (see pass): a call that
// ignores one of the two handles still reads the other one, so equal handles are valid.
func (s *fastPath) testedLate(a argument) bool {
	_, of := s.duplicate()
	return a.ignores && of >= 0 && s.arguments[of].Action.(plan.HandleIn).Ignorable
}

// pushAddress pushes the address of the stack slot at a depth.
func (s *fastPath) pushAddress(local int) {
	if s.depth == local {
		s.push("%rsp")
		return
	}
	s.asm("leaq\t%s, %%rax", s.stackSlot(local))
	s.push("%rax")
}

// statusBeforeCall prepares the runtime's status before the call. An output status is marked as
// unset. An input status is converted from the program's, unless the function reads only its
// count.
func (s *fastPath) statusBeforeCall(r *results) {
	if r.status >= 0 {
		s.asm("STATUS_UNSET\t%s", s.stackSlot(r.local))
		if r.completed >= 0 {
			s.asm("STATUS_EMPTY\t%s", s.stackSlot(r.local))
		}
	}
	if r.inputStatus >= 0 && s.countsOnly() {
		s.asm("STATUS_COUNT_FITS\t%s, %s", registers64[r.inputStatus], s.bailOut())
	} else if r.inputStatus >= 0 {
		s.asm("STATUS_PLAIN\t%s, %s", registers64[r.inputStatus], s.bailOut())
		s.asm("STATUS_A2R\t%s, %s", registers64[r.inputStatus], s.stackSlot(r.local))
	}
}

// statusAfterCall converts the runtime's status, at depth local, to the program's after a
// successful call. program is the operand with the address of the program's status.
func (s *fastPath) statusAfterCall(program string, local int, done string) {
	s.asm("/* status */")
	s.asm("movq\t%s, %%rdx", program)
	special := s.outOfLine(func() {
		s.asm("leaq\t%s, %%rdi", s.stackSlot(local))
		s.asm("movq\t%%rdx, %%rsi")
		s.asm("call\tPAIR(status_special)")
		s.asm("xorl\t%%eax, %%eax")
		s.asm("jmp\t%s", done)
	})
	s.status(s.depth-local, "%rsp", done, special)
}

// statusFailed lets C convert the status of a failed call. %edi holds the call's error.
func (s *fastPath) statusFailed(program, local, done string) {
	s.asm("leaq\t%s, %%rsi", local)
	s.asm("movq\t%s, %%rdx", program)
	s.asm("call\tPAIR(status_failed)")
	s.asm("jmp\t%s", done)
}

// status converts the runtime's status, at an offset from a register, to the program's at %rdx.
// A status with an unusual field continues at special, and one with a negative source or tag at
// done after its conversion.
func (s *fastPath) status(offset int, register, done, special string) {
	negative := s.outOfLine(func() {
		s.asm("STATUS_NEGATIVE\t%d, %s, 0, %%rdx, %s, %s", offset, register, done, special)
	})
	s.asm("STATUS_R2A\t%d, %s, 0, %%rdx, %s, %s", offset, register, negative, special)
}

// statusOfMany converts one status of several, as status does; the program's is at an offset
// from %rdx. For MPI_Waitall, it stores MPI_SUCCESS in each status.
func (s *fastPath) statusOfMany(offset int, register string, at int, done, special string) {
	setsSuccess := 0
	if s.plan.FlagIndex < 0 {
		setsSuccess = 1
		s.asm("STATUS_SUCCESS\t%d, %%rdx", at)
	}
	negative := s.outOfLine(func() {
		s.asm("STATUS_NEGATIVE\t%d, %s, %d, %%rdx, %s, %s, %d", offset, register, at, done, special, setsSuccess)
	})
	s.asm("STATUS_R2A\t%d, %s, %d, %%rdx, %s, %s, %d", offset, register, at, negative, special, setsSuccess)
}

// countsOnly reports whether the function reads only the byte count of an input status. The
// runtime gets the program's own status then, moved by the distance between the two families'
// count fields.
func (s *fastPath) countsOnly() bool {
	return slices.ContainsFunc(s.arguments, func(a argument) bool { return a.Action == plan.StatusIn{CountOnly: true} })
}
