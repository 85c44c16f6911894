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
	other := s.bailOut()
	mismatch := s.outOfLine(func() {
		s.asm("RESTORE_FIRST")
		s.asm("jmp\t%s", other)
	})
	s.asm("movq\t%s, %%rax", s.operand(i, nil))
	s.asm("INTERNED_TYPES\t%s, %s, %s", s.plan.Interned.With, registers64[s.plan.Interned.Send], mismatch)
	s.tablesLoaded = false
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
