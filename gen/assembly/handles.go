package assembly

import (
	"fmt"

	"wi4go/gen/model"
)

// This file converts handles other than requests: by a table look-up, or by their value.

// onlyHandle returns the index of the only argument that needs a conversion, if it is a handle
// that is a number; else -1. Such a query is short enough to be written for both kinds of
// handles, predefined and dynamic. Dynamic ones then need no table address.
func (s *fastPath) onlyHandle() int {
	only := -1
	for i, a := range s.arguments {
		if a.class == asHandle && only < 0 && inRegister(i) {
			only = i
		} else if a.class != asGiven || !inRegister(i) {
			return -1
		}
	}
	if !model.HandlesAreNumbers(s.pair.A) {
		return -1
	}
	return only
}

// unchecked reports whether argument i is the handle that the runtime does not validate.
func (s *fastPath) unchecked(i int) bool {
	return s.plan.Refusal != nil && s.plan.Refusal.Argument == i
}

// table returns the operand of an element of an array in the handle table of a kind.
func (s *fastPath) table(role, array, index string, scale int) string {
	return s.tablesOperand(fmt.Sprintf("TABLE_%s+HT_%s(%%r10,%s,%d)", role, array, index, scale))
}

// tablesOperand returns the operand, which refers to the tables of the program's handles, after it
// has loaded their address into %r10.
func (s *fastPath) tablesOperand(operand string) string {
	if !s.tablesLoaded {
		s.asm("leaq\tPAIR(tables)(%%rip), %%r10")
		s.tablesLoaded = true
	}
	return operand
}

// lookUpRegister looks up the handle in register i. The code bails out unless the table has it at the
// first place. %rax becomes that place.
func (s *fastPath) lookUpRegister(i int) {
	if s.pair.A.HandleBits != 32 {
		return
	}
	role := s.arguments[i].kind
	s.asm("/* %s */", s.arguments[i].Name)
	place := s.table(role, "HANDLES", "%rax", 4)
	s.asm("movzwl\t%s, %%eax", registers16[i])
	s.asm("cmpl\t%s, %s", registers32[i], place)
	s.asm("jne\t%s", s.bailOut())
}

// convertFound converts the handle in register i, which find has found.
func (s *fastPath) convertFound(i int) {
	if s.pair.A.HandleBits != 32 {
		s.convertWide(i)
		return
	}
	s.asm("movzwl\t%s, %s", registers16[i], registers32[i])
	s.asm("movq\t%s, %s", s.table(s.arguments[i].kind, "OBJECTS", registers64[i], 8), registers64[i])
}

// lookUpAndConvert looks up the handle in register i and converts it.
func (s *fastPath) lookUpAndConvert(i int) {
	if s.pair.A.HandleBits != 32 {
		s.convertWide(i)
		return
	}
	s.lookUpRegister(i)
	s.asm("movq\t%s, %s", s.table(s.arguments[i].kind, "OBJECTS", "%rax", 8), registers64[i])
}

// convertWide converts the 64-bit handle in register i.
func (s *fastPath) convertWide(i int) {
	s.asm("/* %s */", s.arguments[i].Name)
	switch {
	case model.HandlesAreNumbers(s.pair.A):
		s.convertNumber(i, registers64[i])
	case s.pair.R.HandleBits == 64:
		s.convertTagged(s.arguments[i].kind, registers64[i], registers32[i])
	default:
		s.convertPointer(i)
	}
}

// convertNumber converts a handle that is a number. A predefined handle is the index into a
// table of its kind. Any other is the runtime's own handle.
func (s *fastPath) convertNumber(i int, register string) {
	role := s.arguments[i].kind
	if s.handleClass == dynamicHandle {
		return
	}
	after := s.label()
	place := s.tablesOperand(fmt.Sprintf("NUMBERS_%s(%%r10,%s,8)", role, register))
	if s.handleClass == predefinedHandle {
		s.asm("movq\t%s, %s", place, register)
		return
	}
	s.asm("cmpq\t$LOWEST_ADDRESS-1, %s", register)
	s.asm("ja\t%s", after)
	if s.unchecked(i) {
		s.asm("movq\t%s, %%rax", place)
		s.asm("cmpq\tPAIR(R_%s)(%%rip), %%rax", model.NullName(role))
		s.asm("je\t%s", s.bailOut())
		place = "%rax"
	}
	if place != register {
		s.asm("movq\t%s, %s", place, register)
	}
	s.Line("%s:", after)
}

// convertTagged converts a handle that is a pointer. A predefined handle is the address of
// storage that holds the runtime's handle. Any other is the runtime's handle with a tag in its
// highest bit. A bad handle becomes the runtime's null handle.
func (s *fastPath) convertTagged(role, register, half string) {
	after := s.label()
	bad := s.outOfLine(func() {
		if null := s.pair.R.Handles[model.NullName(role)]; null.Symbol != "" {
			s.asm("movq\t%s, %s", s.pair.null(model.NullName(role)), register)
		} else {
			s.asm("movl\t$%#x, %s", *null.Value, half)
		}
		s.asm("jmp\t%s", after)
	})
	s.asm("cmpq\t$LOWEST_ADDRESS-1, %s", register)
	s.asm("jle\t%s", s.outOfLine(func() {
		s.asm("btrq\t$63, %s", register)
		s.asm("jnc\t%s", bad)
		s.asm("jmp\t%s", after)
	}))
	s.asm("cmpl\t$MAGIC_%s, (%s)", role, register)
	s.asm("jne\t%s", bad)
	s.asm("movq\t8(%s), %s", register, register)
	s.Line("%s:", after)
}

// convertPointer converts a handle that is a pointer if the runtime's handle is an int: the
// lower half of a dynamic handle (mappers/handles_pointer.h).
func (s *fastPath) convertPointer(i int) {
	after := s.label()
	bad := s.outOfLine(func() {
		s.asm("xorl\t%s, %s", registers32[i], registers32[i])
		s.asm("jmp\t%s", after)
	})
	s.asm("cmpq\t$LOWEST_ADDRESS-1, %s", registers64[i])
	s.asm("jle\t%s", after)
	s.asm("cmpl\t$MAGIC_%s, (%s)", s.arguments[i].kind, registers64[i])
	s.asm("jne\t%s", bad)
	s.asm("movl\t8(%s), %s", registers64[i], registers32[i])
	s.Line("%s:", after)
}

// pushHandle converts argument i, which is on the caller's stack, and pushes it.
func (s *fastPath) pushHandle(i int) {
	role := s.arguments[i].kind
	if s.pair.A.HandleBits == 32 {
		s.lookUpMemory(role, s.operand(i, nil))
		s.push(s.table(role, "OBJECTS", "%r11", 8))
		return
	}
	if model.HandlesAreNumbers(s.pair.A) || s.pair.R.HandleBits == 64 {
		s.asm("movq\t%s, %%rax", s.operand(i, nil))
		if model.HandlesAreNumbers(s.pair.A) {
			s.convertNumber(i, "%rax")
		} else {
			s.convertTagged(role, "%rax", "%eax")
		}
		s.push("%rax")
		return
	}
	after := s.label()
	// instead writes out-of-line code that pushes another operand, and returns its label.
	pushOutOfLine := func(operand string) string {
		return s.outOfLine(func() {
			s.push(operand)
			s.asm("jmp\t%s", after)
		})
	}
	s.asm("movq\t%s, %%rax", s.operand(i, nil))
	s.asm("cmpq\t$LOWEST_ADDRESS-1, %%rax")
	s.asm("jle\t%s", pushOutOfLine("%rax"))
	s.asm("cmpl\t$MAGIC_%s, (%%rax)", role)
	s.asm("jne\t%s", pushOutOfLine("$0"))
	s.push("8(%rax)")
	s.Line("%s:", after)
}

// lookUpMemory looks up a handle in memory. The code bails out unless the table has it at the first
// place, whose index is in %r11 then.
func (s *fastPath) lookUpMemory(role, operand string) {
	place := s.table(role, "HANDLES", "%r11", 4)
	s.asm("movl\t%s, %%eax", operand)
	s.asm("movzwl\t%%ax, %%r11d")
	s.asm("cmpl\t%%eax, %s", place)
	s.asm("jne\t%s", s.bailOut())
}

// handleOut gives the program its handle of a new object, or releases the handle of an object
// that has ended. variable is the operand with the address of the program's variable, and local
// the operand with the runtime's handle.
func (s *fastPath) handleOut(a argument, variable, local, done string) {
	if a.class == asHandleInOut && !a.ends() {
		return
	}
	null, after, other, locked := model.NullName(a.kind), s.label(), s.label(), s.label()
	table := "TABLE_" + a.kind
	// rest writes the out-of-line code for a table operation that only C does.
	finishInC := func(function string) {
		s.outOfLine(func() {
			s.asm("HT_OTHER\t%s, %s, %s, %s", table, function, other, locked)
			s.asm("jmp\t%s", after)
		})
	}
	s.asm("/* %s */", a.Name)
	if a.class == asHandleOut {
		s.asm("movq\t%s, %%rsi", local)
		s.asm("testq\t%%rsi, %%rsi")
		s.asm("je\t%s", s.outOfLine(func() {
			s.asm("movq\t%s, %%rdx", variable)
			s.asm("movl\t$%#x, (%%rdx)", *s.pair.A.Handles[null].Value)
			s.asm("jmp\t%s", done)
		}))
		s.asm("leaq\tPAIR(tables)(%%rip), %%r10")
		s.asm("HT_INSERT\t%s, %s, %s", table, other, locked)
		finishInC("PAIR(insert)")
		s.Line("%s:", after)
		s.asm("movq\t%s, %%rdx", variable)
		s.asm("movl\t%%edi, (%%rdx)")
		return
	}
	s.asm("movq\t%s, %%rsi", local)
	s.asm("cmpq\t%s, %%rsi", s.pair.null(null))
	s.asm("jne\t%s", done)
	s.asm("movq\t%s, %%rdx", variable)
	s.asm("movl\t(%%rdx), %%esi")
	s.asm("movl\t$%#x, (%%rdx)", *s.pair.A.Handles[null].Value)
	s.asm("leaq\tPAIR(tables)(%%rip), %%r10")
	s.asm("HT_RELEASE\t%s, %s, %s", table, other, locked)
	finishInC("ht_release")
	s.Line("%s:", after)
}

// nullOut gives the program the null handle if the runtime's function has failed and returned
// its own.
func (s *fastPath) nullOut(null, local, variable string) {
	r, after := s.pair.R.Handles[null], s.label()
	s.asm("movq\t%s, %%rsi", local)
	if r.Symbol != "" {
		s.asm("cmpq\tPAIR(R_%s)(%%rip), %%rsi", null)
	} else {
		s.asm("cmpq\t$%#x, %%rsi", *r.Value)
	}
	s.asm("jne\t%s", after)
	s.asm("movq\t%s, %%rdx", variable)
	s.asm("movl\t$%#x, (%%rdx)", *s.pair.A.Handles[null].Value)
	s.Line("%s:", after)
}
