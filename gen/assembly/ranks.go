package assembly

import (
	"fmt"
	"slices"

	"wi4go/gen/model"
	"wi4go/gen/plan"
)

// This file converts ranks and tags. From 0 up they are the same in every family. Of the
// negative ones, two cases stay in the fast path: a receive from any source with any tag, and
// ranks whose special values differ in one bit.

// otherValue bails out if argument i equals the value that only C converts.
func (s *fastPath) otherValue(i int) {
	a := s.arguments[i]
	s.asm("/* %s */", a.Name)
	s.asm("cmpq\t$%d, %s", a.limit, s.operand(i, registers64))
	s.asm("je\t%s", s.bailOut())
}

// checks writes the checks that come before the look-ups of handles. The code bails out if an
// argument needs C to convert it.
func (s *fastPath) checks() {
	positive := s.ranksAndTags()
	// A query of one handle gets a copy of the rest for predefined handles.
	if i := s.onlyHandle(); i >= 0 {
		s.asm("/* %s */", s.arguments[i].Name)
		s.asm("cmpq\t$LOWEST_ADDRESS-1, %s", registers64[i])
		s.asm("jbe\t%s", s.outOfLine(func() {
			s.handleClass = predefinedHandle
			s.afterChecks()
		}))
		s.handleClass = dynamicHandle
	}
	for i, a := range s.arguments {
		if a.class == asOther && !s.testedLate(a) {
			s.otherValue(i)
		}
		if a.class == asTypes {
			s.refuseInPlace(a)
		}
		if a.class == asHandleOut || a.class == asHandleInOut || a.class == asRequestInOut || a.class == asStartedRequest {
			s.asm("/* %s */", a.Name)
			s.asm("testq\t%s, %s", registers64[i], registers64[i])
			s.asm("je\t%s", s.bailOut())
		}
		if a.class == asRequestOut && s.pair.A.HandleBits == 32 { // without tables the library sees the null pointer itself
			s.asm("/* %s */", a.Name)
			s.asm("cmpq\t$0, %s", s.operand(i, registers64))
			s.asm("je\t%s", s.bailOut())
		}
		if a.class == asStatusIn {
			s.asm("/* %s */", a.Name)
			s.asm("cmpq\t$1, %s", registers64[i]) // NO_STATUS
			s.asm("jbe\t%s", s.bailOut())
		}
		if a.class == asRequestInOut {
			s.requestInOut(i)
		}
		if a.class == asStartedRequest && s.pair.inPlace() {
			s.asm("REQUEST_A2R\t(%s), %s", registers64[i], s.bailOut())
		} else if a.class == asStartedRequest {
			s.asm("movl\t(%s), %%eax", registers64[i])
			s.tablesOperand("")
			s.asm("REQUEST_SLOT\t%s", s.bailOut())
			s.withSlot = true
		}
		if a.class == asHandleInOut {
			s.lookUpMemory(a.kind, fmt.Sprintf("(%s)", registers64[i]))
		}
		if s.unchecked(i) && s.pair.A.HandleBits == 32 {
			s.asm("/* %s */", a.Name)
			s.asm("cmpl\t$%#x, %s", *s.pair.A.Handles[model.NullName(a.kind)].Value, s.operand(i, registers32))
			s.asm("je\t%s", s.bailOut())
		}
	}
	// One test of all ranks and tags together: the sign of their bitwise or.
	for n, i := range positive {
		s.asm("/* %s */", s.arguments[i].Name)
		switch {
		case len(positive) > 1 && n == 0:
			s.asm("movl\t%s, %%eax", s.operand(i, registers32))
		case n > 0:
			s.asm("orl\t%s, %%eax", s.operand(i, registers32))
		case inRegister(i):
			s.asm("testl\t%s, %s", registers32[i], registers32[i])
		default:
			s.asm("cmpl\t$0, %s", s.operand(i, nil))
		}
	}
	if len(positive) == 0 {
		return
	}
	branch := "js"
	if len(positive) == 1 && !inRegister(positive[0]) {
		branch = "jl"
	}
	source, tag := s.receives()
	back := s.label()
	switch {
	case s.flips():
		s.asm("%s\t%s", branch, s.outOfLine(func() { s.flipAll(source, back) }))
	case source >= 0:
		s.asm("%s\t%s", branch, s.outOfLine(func() { s.convertWildcards(source, tag, back) }))
	default:
		s.asm("%s\t%s", branch, s.bailOut())
		return
	}
	s.Line("%s:", back)
	s.ranksConverted = true
}

// ranksAndTags returns the indices of the arguments that need a conversion only if they are
// negative.
func (s *fastPath) ranksAndTags() []int {
	var list []int
	for i, a := range s.arguments {
		if a.class == asPositive {
			list = append(list, i)
		}
	}
	return list
}

// receives returns the indices of a receive's source and tag. tag is -1 if tags need no
// conversion, and source is -1 if the function receives nothing.
func (s *fastPath) receives() (source, tag int) {
	source, tag = -1, -1
	for _, i := range s.ranksAndTags() {
		switch s.arguments[i].Wildcard.Name {
		case "MPI_ANY_SOURCE":
			source = i
		case "MPI_ANY_TAG":
			tag = i
		}
	}
	return source, tag
}

// wildcardValues returns the program's and the runtime's value for any source, or any tag.
func (s *fastPath) wildcardValues(i int) (from, to int64) {
	return s.arguments[i].Wildcard.From, s.arguments[i].Wildcard.To
}

// flips reports whether all arguments of positive are ranks whose special values differ between
// the two families in one bit. Flipping that bit converts a rank in both directions.
func (s *fastPath) flips() bool {
	return !slices.ContainsFunc(s.ranksAndTags(), func(i int) bool { return !s.arguments[i].Action.(plan.ValueIn).Flips })
}

// flipAll writes the code for a call with a negative rank if ranks flip. It continues at back.
func (s *fastPath) flipAll(source int, back string) {
	positive := s.ranksAndTags()
	if len(positive) == 1 {
		s.asm("cmpl\t$LOWEST_RANK, %s", s.operand(positive[0], registers32))
		s.asm("jl\t%s", s.bailOut())
		s.asm("xorl\t$RANK_FLIP, %s", s.operand(positive[0], registers32))
		s.asm("jmp\t%s", back)
		return
	}
	all := s.label()
	if source >= 0 {
		from, _ := s.wildcardValues(source)
		s.asm("cmpl\t$%d, %s", from, s.operand(source, registers32))
		s.asm("jne\t%s", all)
		s.jumpIfNegative(all, source)
		if inRegister(source) {
			s.convertWildcard(source)
			s.asm("jmp\t%s", back)
		} else {
			s.wildcardCopy()
		}
	}
	s.Line("%s:", all)
	for _, i := range positive {
		s.asm("cmpl\t$LOWEST_RANK, %s", s.operand(i, registers32))
		s.asm("jl\t%s", s.bailOut())
	}
	s.restoreRanks() // flips the same bit
	s.asm("jmp\t%s", back)
}

// jumpIfNegative writes a jump to the label, taken if a rank or tag is negative. It ignores the
// arguments in except.
func (s *fastPath) jumpIfNegative(label string, except ...int) {
	rest := slices.DeleteFunc(s.ranksAndTags(), func(i int) bool { return slices.Contains(except, i) })
	for n, i := range rest {
		switch {
		case len(rest) == 1:
			s.asm("testl\t%s, %s", s.operand(i, registers32), s.operand(i, registers32))
		case n == 0:
			s.asm("movl\t%s, %%eax", s.operand(i, registers32))
		default:
			s.asm("orl\t%s, %%eax", s.operand(i, registers32))
		}
	}
	if len(rest) > 0 {
		s.asm("js\t%s", label)
	}
}

// wildcardCopy writes the rest of the function once more, for a receive from any source. The copy
// passes any source as a number, and any tag as well if tags are converted.
func (s *fastPath) wildcardCopy() {
	before := *s
	s.startAtEntry()
	s.wildcard = true
	s.afterChecks()
	cold, labels, text := s.cold, s.labels, s.Writer
	*s = before
	s.cold, s.labels, s.Writer = cold, labels, text
	s.startAtEntry()
}

// convertWildcards writes the code for a receive with a negative source or tag if ranks do not flip.
// The code bails out unless each is any source, or any tag. It continues at back.
func (s *fastPath) convertWildcards(source, tag int, back string) {
	from, _ := s.wildcardValues(source)
	fromTag, _ := s.wildcardValues(tag)
	other, onlyTag, onlySource := s.label(), s.label(), s.label()
	bail := s.bailOut()
	s.jumpIfNegative(bail, source, tag)
	s.asm("cmpl\t$%d, %s", from, s.operand(source, registers32))
	s.asm("jne\t%s", other)
	if inRegister(source) {
		s.convertWildcard(source)
		s.asm("cmpl\t$0, %s", s.operand(tag, registers32))
		s.asm("jns\t%s", back)
		s.Line("%s:", onlyTag)
		s.asm("cmpl\t$%d, %s", fromTag, s.operand(tag, registers32))
		s.asm("jne\t%s", s.outOfLine(func() {
			s.restoreWildcard(source)
			s.asm("jmp\t%s", bail)
		}))
		s.convertWildcard(tag)
		s.asm("jmp\t%s", back)
		s.Line("%s:", other)
		s.asm("testl\t%s, %s", registers32[source], registers32[source])
		s.asm("jns\t%s", onlyTag)
		s.asm("jmp\t%s", bail)
		return
	}
	s.asm("cmpl\t$%d, %s", fromTag, s.operand(tag, nil))
	s.asm("jne\t%s", onlySource)
	s.wildcardCopy()
	s.Line("%s:", onlySource)
	s.asm("cmpl\t$0, %s", s.operand(tag, nil))
	s.asm("jl\t%s", bail)
	s.convertWildcard(source)
	s.asm("jmp\t%s", back)
	s.Line("%s:", other)
	s.asm("cmpl\t$0, %s", s.operand(source, nil))
	s.asm("jl\t%s", bail)
	s.asm("cmpl\t$%d, %s", fromTag, s.operand(tag, nil))
	s.asm("jne\t%s", bail)
	s.convertWildcard(tag)
	s.asm("jmp\t%s", back)
}

// convertWildcard writes the runtime's value for any source, or any tag, over the program's.
func (s *fastPath) convertWildcard(i int) {
	if from, to := s.wildcardValues(i); from != to {
		s.asm("movl\t$%d, %s", to, s.operand(i, registers32))
	}
}

// restoreWildcard restores the program's value of a source or tag, which can only be any if it is
// negative.
func (s *fastPath) restoreWildcard(i int) {
	from, to := s.wildcardValues(i)
	if from == to {
		return
	}
	label := s.label()
	s.asm("cmpl\t$0, %s", s.operand(i, registers32))
	s.asm("jns\t%s", label)
	s.asm("movl\t$%d, %s", from, s.operand(i, registers32))
	s.Line("%s:", label)
}

// restoreRanks restores the program's values of negative ranks and tags.
func (s *fastPath) restoreRanks() {
	if !s.flips() {
		source, tag := s.receives()
		s.restoreWildcard(source)
		s.restoreWildcard(tag)
		return
	}
	for _, i := range s.ranksAndTags() {
		label := s.label()
		s.asm("cmpl\t$0, %s", s.operand(i, registers32))
		s.asm("jns\t%s", label)
		s.asm("xorl\t$RANK_FLIP, %s", s.operand(i, registers32))
		s.Line("%s:", label)
	}
}

// passesWildcard reports whether argument i is passed as the runtime's number for any source or any
// tag.
func (s *fastPath) passesWildcard(i int) bool {
	source, tag := s.receives()
	return s.wildcard && (i == source || i == tag)
}
