package assembly

import (
	"fmt"

	"wi4go/gen/model"
)

// This file converts handles other than requests: by a table look-up, or by their value.

// onlyHandle returns the index of the only argument that needs a conversion, if it is a handle
// that is a number; else -1. Such a query is short enough to be written for both kinds of
// handles, predefined and dynamic. Dynamic ones then need no table address.
func (s *fast) onlyHandle() int {
	only := -1
	for i, a := range s.arguments {
		if a.as == asHandle && only < 0 && inRegister(i) {
			only = i
		} else if a.as != asItIs || !inRegister(i) {
			return -1
		}
	}
	if !model.HandlesAreNumbers(s.p.A) {
		return -1
	}
	return only
}

// unchecked reports whether argument i is the handle that the runtime does not validate.
func (s *fast) unchecked(i int) bool {
	return s.plan.Refusal != nil && s.plan.Refusal.Argument == i
}

// table returns the operand of an element of an array in the handle table of a kind.
func (s *fast) table(role, array, index string, scale int) string {
	return s.inTables(fmt.Sprintf("TABLE_%s+HT_%s(%%r10,%s,%d)", role, array, index, scale))
}

// inTables returns the operand, which refers to the tables of the program's handles, after it
// has loaded their address into %r10.
func (s *fast) inTables(operand string) string {
	if !s.tables {
		s.asm("leaq\tPAIR(tables)(%%rip), %%r10")
		s.tables = true
	}
	return operand
}

// find looks up the handle in register i. The code bails out unless the table has it at the
// first place. %rax becomes that place.
func (s *fast) find(i int) {
	if s.p.A.HandleBits != 32 {
		return
	}
	role := s.arguments[i].kind
	s.asm("/* %s */", s.arguments[i].Name)
	place := s.table(role, "HANDLES", "%rax", 4)
	s.asm("movzwl\t%s, %%eax", registers16[i])
	s.asm("cmpl\t%s, %s", registers32[i], place)
	s.asm("jne\t%s", s.toC())
}

// convertFound converts the handle in register i, which find has found.
func (s *fast) convertFound(i int) {
	if s.p.A.HandleBits != 32 {
		s.convertWide(i)
		return
	}
	s.asm("movzwl\t%s, %s", registers16[i], registers32[i])
	s.asm("movq\t%s, %s", s.table(s.arguments[i].kind, "OBJECTS", registers64[i], 8), registers64[i])
}

// convertLast looks up the handle in register i and converts it.
func (s *fast) convertLast(i int) {
	if s.p.A.HandleBits != 32 {
		s.convertWide(i)
		return
	}
	s.find(i)
	s.asm("movq\t%s, %s", s.table(s.arguments[i].kind, "OBJECTS", "%rax", 8), registers64[i])
}

// convertWide converts the 64-bit handle in register i.
func (s *fast) convertWide(i int) {
	s.asm("/* %s */", s.arguments[i].Name)
	switch {
	case model.HandlesAreNumbers(s.p.A):
		s.convertNumber(i, registers64[i])
	case s.p.R.HandleBits == 64:
		s.convertTagged(s.arguments[i].kind, registers64[i], registers32[i])
	default:
		s.convertPointer(i)
	}
}

// convertNumber converts a handle that is a number. A predefined handle is the index into a
// table of its kind. Any other is the runtime's own handle.
func (s *fast) convertNumber(i int, register string) {
	role := s.arguments[i].kind
	if s.lone == dynamic {
		return
	}
	after := s.label()
	place := s.inTables(fmt.Sprintf("NUMBERS_%s(%%r10,%s,8)", role, register))
	if s.lone == predefined {
		s.asm("movq\t%s, %s", place, register)
		return
	}
	s.asm("cmpq\t$LOWEST_ADDRESS-1, %s", register)
	s.asm("ja\t%s", after)
	if s.unchecked(i) {
		s.asm("movq\t%s, %%rax", place)
		s.asm("cmpq\tPAIR(R_%s)(%%rip), %%rax", model.NullName(role))
		s.asm("je\t%s", s.toC())
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
func (s *fast) convertTagged(role, register, half string) {
	after := s.label()
	bad := s.aside(func() {
		if null := s.p.R.Handles[model.NullName(role)]; null.Symbol != "" {
			s.asm("movq\t%s, %s", s.p.null(model.NullName(role)), register)
		} else {
			s.asm("movl\t$%#x, %s", *null.Value, half)
		}
		s.asm("jmp\t%s", after)
	})
	s.asm("cmpq\t$LOWEST_ADDRESS-1, %s", register)
	s.asm("jle\t%s", s.aside(func() {
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
func (s *fast) convertPointer(i int) {
	after := s.label()
	bad := s.aside(func() {
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
func (s *fast) pushHandle(i int) {
	role := s.arguments[i].kind
	if s.p.A.HandleBits == 32 {
		s.lookUp(role, s.operand(i, nil))
		s.push(s.table(role, "OBJECTS", "%r11", 8))
		return
	}
	if model.HandlesAreNumbers(s.p.A) || s.p.R.HandleBits == 64 {
		s.asm("movq\t%s, %%rax", s.operand(i, nil))
		if model.HandlesAreNumbers(s.p.A) {
			s.convertNumber(i, "%rax")
		} else {
			s.convertTagged(role, "%rax", "%eax")
		}
		s.push("%rax")
		return
	}
	after := s.label()
	// instead writes out-of-line code that pushes another operand, and returns its label.
	instead := func(operand string) string {
		return s.aside(func() {
			s.push(operand)
			s.asm("jmp\t%s", after)
		})
	}
	s.asm("movq\t%s, %%rax", s.operand(i, nil))
	s.asm("cmpq\t$LOWEST_ADDRESS-1, %%rax")
	s.asm("jle\t%s", instead("%rax"))
	s.asm("cmpl\t$MAGIC_%s, (%%rax)", role)
	s.asm("jne\t%s", instead("$0"))
	s.push("8(%rax)")
	s.Line("%s:", after)
}

// lookUp looks up a handle in memory. The code bails out unless the table has it at the first
// place, whose index is in %r11 then.
func (s *fast) lookUp(role, operand string) {
	place := s.table(role, "HANDLES", "%r11", 4)
	s.asm("movl\t%s, %%eax", operand)
	s.asm("movzwl\t%%ax, %%r11d")
	s.asm("cmpl\t%%eax, %s", place)
	s.asm("jne\t%s", s.toC())
}

// handleOut gives the program its handle of a new object, or releases the handle of an object
// that has ended. variable is the operand with the address of the program's variable, and local
// the operand with the runtime's handle.
func (s *fast) handleOut(a argument, variable, local, done string) {
	if a.as == asHandleAt && !a.ends() {
		return
	}
	null, after, other, locked := model.NullName(a.kind), s.label(), s.label(), s.label()
	table := "TABLE_" + a.kind
	// rest writes the out-of-line code for a table operation that only C does.
	rest := func(function string) {
		s.aside(func() {
			s.asm("HT_OTHER\t%s, %s, %s, %s", table, function, other, locked)
			s.asm("jmp\t%s", after)
		})
	}
	s.asm("/* %s */", a.Name)
	if a.as == asHandleOut {
		s.asm("movq\t%s, %%rsi", local)
		s.asm("testq\t%%rsi, %%rsi")
		s.asm("je\t%s", s.aside(func() {
			s.asm("movq\t%s, %%rdx", variable)
			s.asm("movl\t$%#x, (%%rdx)", *s.p.A.Handles[null].Value)
			s.asm("jmp\t%s", done)
		}))
		s.asm("leaq\tPAIR(tables)(%%rip), %%r10")
		s.asm("HT_INSERT\t%s, %s, %s", table, other, locked)
		rest("PAIR(insert)")
		s.Line("%s:", after)
		s.asm("movq\t%s, %%rdx", variable)
		s.asm("movl\t%%edi, (%%rdx)")
		return
	}
	s.asm("movq\t%s, %%rsi", local)
	s.asm("cmpq\t%s, %%rsi", s.p.null(null))
	s.asm("jne\t%s", done)
	s.asm("movq\t%s, %%rdx", variable)
	s.asm("movl\t(%%rdx), %%esi")
	s.asm("movl\t$%#x, (%%rdx)", *s.p.A.Handles[null].Value)
	s.asm("leaq\tPAIR(tables)(%%rip), %%r10")
	s.asm("HT_RELEASE\t%s, %s, %s", table, other, locked)
	rest("ht_release")
	s.Line("%s:", after)
}

// nullOut gives the program the null handle if the runtime's function has failed and returned
// its own.
func (s *fast) nullOut(null, local, variable string) {
	r, after := s.p.R.Handles[null], s.label()
	s.asm("movq\t%s, %%rsi", local)
	if r.Symbol != "" {
		s.asm("cmpq\tPAIR(R_%s)(%%rip), %%rsi", null)
	} else {
		s.asm("cmpq\t$%#x, %%rsi", *r.Value)
	}
	s.asm("jne\t%s", after)
	s.asm("movq\t%s, %%rdx", variable)
	s.asm("movl\t$%#x, (%%rdx)", *s.p.A.Handles[null].Value)
	s.Line("%s:", after)
}
