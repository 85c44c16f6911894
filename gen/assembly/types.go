package assembly

import (
	"slices"

	"wi4go/gen/plan"
)

// This file passes arrays of datatypes, of which the runtime gets interned copies
// (mappers/interned_types.h).

// pushTypes finds the interned copies of both arrays of datatypes, and pushes the address of the
// one for receiving, argument i. The code bails out if there are none. %r10 then holds the address of
// the entry. The runtime's handle of the communicator is on top of the stack.
func (s *fastPath) pushTypes(i int) {
	send, recv := s.arguments[s.plan.Interned.Send].Action.(plan.HandlesIn), s.arguments[i].Action.(plan.HandlesIn)
	kind := "KNOWN_PEERS"
	if send.Length.Size != recv.Length.Size {
		kind = "KNOWN_DEGREES"
	}
	s.asm("movq\t(%%rsp), %%rax")
	s.asm("COMM_SIZE\t%s, %s", kind, s.bailOut())
	s.tablesLoaded = false
	other := s.bailOut()
	mismatch := s.outOfLine(func() {
		s.asm("RESTORE_FIRST")
		s.asm("jmp\t%s", other)
	})
	s.asm("movq\t%s, %%rax", s.operand(i, nil))
	first, found := registers64[s.plan.Interned.Send], s.label()
	one := s.outOfLine(func() {
		s.asm("testq\t%%rax, %%rax")
		s.asm("je\t%s", other)
		s.asm("INTERNED_TYPES\t%s, INTERNED_N_ONE, %s", first, mismatch)
		s.asm("jmp\t%s", found)
	})
	s.asm("cmpq\t%%rax, %s", first)
	s.asm("je\t%s", one)
	for _, array := range []string{first, "%rax"} {
		s.asm("testq\t%[1]s, %[1]s", array)
		s.asm("je\t%s", other)
	}
	s.asm("INTERNED_TYPES\t%s, INTERNED_N, %s", first, mismatch)
	s.Line("%s:", found)
	s.push("INTERNED_RECV(%r10)")
}

// refuseInPlace bails out if the array a is not significant because the call is in place, unless
// the check of the buffer does so.
func (s *fastPath) refuseInPlace(a argument) {
	buffer := a.Action.(plan.HandlesIn).Length.Unless
	i := slices.IndexFunc(s.arguments, func(b argument) bool { return b.Name == buffer })
	inPlace := s.pair.A.Pointers["MPI_IN_PLACE"].Value
	if i < 0 || s.arguments[i].class == asOther && s.arguments[i].limit == inPlace {
		return
	}
	s.asm("/* %s */", buffer)
	s.asm("cmpq\t$%d, %s", inPlace, s.operand(i, registers64))
	s.asm("je\t%s", s.bailOut())
}
