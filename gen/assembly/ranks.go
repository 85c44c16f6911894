package assembly

import (
	"fmt"
	"slices"

	"wi4go/gen/model"
	"wi4go/gen/plan"
)

// Ranks and tags: those from 0 up are the same in every family. Of the others a receive
// from any source with any tag stays in the fast path, and ranks that differ in one bit.

// checks leaves to C whatever the fast path does not convert, as far as it can
// be told before the handles are looked up.
func (s *fast) checks() {
	positive := s.positive()
	if i := s.onlyHandle(); i >= 0 {
		s.asm("/* %s */", s.arguments[i].Name)
		s.asm("cmpq\t$LOWEST_ADDRESS-1, %s", registers64[i])
		s.asm("jbe\t%s", s.aside(func() {
			s.lone = predefined
			s.straight()
		}))
		s.lone = dynamic
	}
	for i, a := range s.arguments {
		if a.as == asOther {
			s.asm("/* %s */", a.Name)
			s.asm("cmpq\t$%d, %s", a.limit, s.operand(i, registers64))
			s.asm("je\t%s", s.toC())
		}
		if a.as == asHandleOut || a.as == asHandleAt || a.as == asRequestAt || a.as == asStartedAt {
			s.asm("/* %s */", a.Name)
			s.asm("testq\t%s, %s", registers64[i], registers64[i])
			s.asm("je\t%s", s.toC())
		}
		if a.as == asRequestOut && s.p.A.HandleBits == 32 { // else the library sees it
			s.asm("/* %s */", a.Name)
			s.asm("cmpq\t$0, %s", s.operand(i, registers64))
			s.asm("je\t%s", s.toC())
		}
		if a.as == asStatusIn {
			s.asm("/* %s */", a.Name)
			s.asm("cmpq\t$1, %s", registers64[i]) // NO_STATUS
			s.asm("jbe\t%s", s.toC())
		}
		if a.as == asRequestAt {
			s.requestAt(i)
		}
		if a.as == asStartedAt && s.p.inPlace() {
			s.asm("REQUEST_A2R\t(%s), %s", registers64[i], s.toC())
		} else if a.as == asStartedAt {
			s.asm("movl\t(%s), %%eax", registers64[i])
			s.inTables("")
			s.asm("REQUEST_SLOT\t%s", s.toC())
			s.slot = true
		}
		if a.as == asHandleAt {
			s.lookUp(a.kind, fmt.Sprintf("(%s)", registers64[i]))
		}
		if s.unchecked(i) && s.p.A.HandleBits == 32 {
			s.asm("/* %s */", a.Name)
			s.asm("cmpl\t$%#x, %s", *s.p.A.Handles[model.NullName(a.kind)].Value, s.operand(i, registers32))
			s.asm("je\t%s", s.toC())
		}
	}
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
		s.asm("%s\t%s", branch, s.aside(func() { s.flipAll(source, back) }))
	case source >= 0:
		s.asm("%s\t%s", branch, s.aside(func() { s.anySource(source, tag, back) }))
	default:
		s.asm("%s\t%s", branch, s.toC())
		return
	}
	s.Line("%s:", back)
	s.turned = true
}

// positive are the arguments that need a conversion only below 0.
func (s *fast) positive() []int {
	var list []int
	for i, a := range s.arguments {
		if a.as == asPositive {
			list = append(list, i)
		}
	}
	return list
}

// receives gives the arguments that say what is received, by source and tag,
// where the tag needs a conversion as well; -1: there is none.
func (s *fast) receives() (source, tag int) {
	source, tag = -1, -1
	for _, i := range s.positive() {
		switch s.arguments[i].Any.Name {
		case "MPI_ANY_SOURCE":
			source = i
		case "MPI_ANY_TAG":
			tag = i
		}
	}
	return source, tag
}

// any gives the value that a program has for any source, or any tag, and the
// runtime's.
func (s *fast) any(i int) (from, to int64) {
	return s.arguments[i].Any.From, s.arguments[i].Any.To
}

// flips says that all these are ranks whose special values differ between the
// two families in one bit, which is turned there and back.
func (s *fast) flips() bool {
	return !slices.ContainsFunc(s.positive(), func(i int) bool { return !s.arguments[i].Action.(plan.ValueIn).Flips })
}

// flipAll is the code of a call with some rank below 0 where ranks flip.
func (s *fast) flipAll(source int, back string) {
	positive := s.positive()
	if len(positive) == 1 {
		s.asm("cmpl\t$LOWEST_RANK, %s", s.operand(positive[0], registers32))
		s.asm("jl\t%s", s.toC())
		s.asm("xorl\t$RANK_FLIP, %s", s.operand(positive[0], registers32))
		s.asm("jmp\t%s", back)
		return
	}
	all := s.label()
	if source >= 0 {
		from, _ := s.any(source)
		s.asm("cmpl\t$%d, %s", from, s.operand(source, registers32))
		s.asm("jne\t%s", all)
		s.othersPositive(all, source)
		if inRegister(source) {
			s.convertAny(source)
			s.asm("jmp\t%s", back)
		} else {
			s.wildly()
		}
	}
	s.Line("%s:", all)
	for _, i := range positive {
		s.asm("cmpl\t$LOWEST_RANK, %s", s.operand(i, registers32))
		s.asm("jl\t%s", s.toC())
	}
	s.turnBack() // which is the same
	s.asm("jmp\t%s", back)
}

// othersPositive goes to a label unless all ranks and tags but these are from 0
// up.
func (s *fast) othersPositive(label string, but ...int) {
	rest := slices.DeleteFunc(s.positive(), func(i int) bool { return slices.Contains(but, i) })
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

// wildly writes the rest of the function once more, for any source and, where
// that is converted, any tag, which it passes as numbers.
func (s *fast) wildly() {
	before := *s
	s.begin()
	s.wild = true
	s.straight()
	cold, labels, text := s.cold, s.labels, s.Writer
	*s = before
	s.cold, s.labels, s.Writer = cold, labels, text
	s.begin()
}

// anySource is the code of a receive with a source or tag below 0 where these do
// not flip; what is neither any source nor any tag goes to C.
func (s *fast) anySource(source, tag int, back string) {
	from, _ := s.any(source)
	fromTag, _ := s.any(tag)
	other, onlyTag, onlySource := s.label(), s.label(), s.label()
	left := s.toC()
	s.othersPositive(left, source, tag)
	s.asm("cmpl\t$%d, %s", from, s.operand(source, registers32))
	s.asm("jne\t%s", other)
	if inRegister(source) {
		s.convertAny(source)
		s.asm("cmpl\t$0, %s", s.operand(tag, registers32))
		s.asm("jns\t%s", back)
		s.Line("%s:", onlyTag)
		s.asm("cmpl\t$%d, %s", fromTag, s.operand(tag, registers32))
		s.asm("jne\t%s", s.aside(func() {
			s.turnAnyBack(source)
			s.asm("jmp\t%s", left)
		}))
		s.convertAny(tag)
		s.asm("jmp\t%s", back)
		s.Line("%s:", other)
		s.asm("testl\t%s, %s", registers32[source], registers32[source])
		s.asm("jns\t%s", onlyTag)
		s.asm("jmp\t%s", left)
		return
	}
	s.asm("cmpl\t$%d, %s", fromTag, s.operand(tag, nil))
	s.asm("jne\t%s", onlySource)
	s.wildly()
	s.Line("%s:", onlySource)
	s.asm("cmpl\t$0, %s", s.operand(tag, nil))
	s.asm("jl\t%s", left)
	s.convertAny(source)
	s.asm("jmp\t%s", back)
	s.Line("%s:", other)
	s.asm("cmpl\t$0, %s", s.operand(source, nil))
	s.asm("jl\t%s", left)
	s.asm("cmpl\t$%d, %s", fromTag, s.operand(tag, nil))
	s.asm("jne\t%s", left)
	s.convertAny(tag)
	s.asm("jmp\t%s", back)
}

// convertAny converts any source, or any tag, in its place.
func (s *fast) convertAny(i int) {
	if from, to := s.any(i); from != to {
		s.asm("movl\t$%d, %s", to, s.operand(i, registers32))
	}
}

// turnAnyBack gives a source or tag below 0, which can only be any, the
// program's value again.
func (s *fast) turnAnyBack(i int) {
	from, to := s.any(i)
	if from == to {
		return
	}
	label := s.label()
	s.asm("cmpl\t$0, %s", s.operand(i, registers32))
	s.asm("jns\t%s", label)
	s.asm("movl\t$%d, %s", from, s.operand(i, registers32))
	s.Line("%s:", label)
}

// turnBack gives ranks and tags below 0 the program's values again.
func (s *fast) turnBack() {
	if !s.flips() {
		source, tag := s.receives()
		s.turnAnyBack(source)
		s.turnAnyBack(tag)
		return
	}
	for _, i := range s.positive() {
		label := s.label()
		s.asm("cmpl\t$0, %s", s.operand(i, registers32))
		s.asm("jns\t%s", label)
		s.asm("xorl\t$RANK_FLIP, %s", s.operand(i, registers32))
		s.Line("%s:", label)
	}
}

// passedWild says that argument i is passed as the runtime's any source or tag.
func (s *fast) passedWild(i int) bool {
	source, tag := s.receives()
	return s.wild && (i == source || i == tag)
}
