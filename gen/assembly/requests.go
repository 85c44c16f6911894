package assembly

import (
	"fmt"

	"wi4go/gen/model"
	"wi4go/gen/plan"
)

// This file converts requests that a call starts, completes or restarts, and the null request.

// storesRequest reports whether the code after the call must change the request that the call starts.
// It need not if the program's handle is the runtime's.
func (s *fastPath) storesRequest(a argument) bool {
	return !model.HandlesAreNumbers(s.pair.A) || s.pair.R.HandleBits == 32 || !a.Action.(plan.RequestOut).Starts
}

// requestOut gives the program its handle of the started request, for families whose handle is
// the runtime's, with or without a tag. A call that may start nothing gets the null request
// then, and continues at done.
func (s *fastPath) requestOut(a argument, variable, done string) {
	s.asm("/* %s */", a.Name)
	s.asm("movq\t%s, %%rdx", variable)
	// The runtime has written its handle into the program's variable, or into the lower half of
	// that. Only the tag is missing.
	if !a.Action.(plan.RequestOut).Starts {
		null := s.outOfLine(func() {
			s.storeNullRequest()
			s.asm("jmp\t%s", done)
		})
		s.compareNull("(%rdx)")
		s.asm("je\t%s", null)
	}
	switch plain := model.HandlesAreNumbers(s.pair.A); {
	case plain && s.pair.R.HandleBits == 32:
		s.asm("movl\t$0, 4(%%rdx)")
	case s.pair.R.HandleBits == 32:
		s.asm("movl\t$TAG_UPPER, 4(%%rdx)")
	case !plain:
		s.asm("orl\t$TAG_UPPER, 4(%%rdx)")
	}
}

// startedRequest describes how to store the handle of a request that the call starts: a number
// below 0 if the request is in the runtime's pool (mappers/request_pool.h).
type startedRequest struct {
	// variable is the operand with the address of the program's variable, and local the operand
	// with the runtime's handle. outsidePool is the C function that returns the handle of a request
	// outside the pool.
	variable, local, outsidePool string
	// done is the label of the code that follows.
	done string
	// writeReturn writes the return of a call whose request is the empty one.
	writeReturn func()
	// failed is the label for a call that returned an error.
	failed string
}

// pooledRequestOut gives the program the number of the started request. One branch tests for two things:
// an error code in %eax, and a request outside the pool, which sets the carry flag.
func (s *fastPath) pooledRequestOut(a argument, n startedRequest) {
	outside := s.outOfLine(func() {
		s.asm("shrq\t%%rax")
		s.asm("testl\t%%eax, %%eax")
		s.asm("jne\t%s", n.failed)
		s.asm("movq\t%s, %%rdi", n.local)
		s.asm("call\tPAIR(%s)", n.outsidePool)
		s.asm("movq\t%s, %%rdx", n.variable)
		s.asm("movl\t%%eax, (%%rdx)")
		s.asm("xorl\t%%eax, %%eax")
		s.asm("jmp\t%s", n.done)
	})
	s.asm("/* %s */", a.Name)
	s.asm("movq\t%s, %%rcx", n.local)
	if a.Action.(plan.RequestOut).Sends && s.pair.R.Handles["MPI_REQUEST_NULL"].Symbol != "" { // else no empty request lies outside the pool
		empty := s.outOfLine(func() {
			s.asm("testl\t%%eax, %%eax")
			s.asm("jne\t%s", n.failed)
			s.asm("movq\t%s, %%rdx", n.variable)
			s.asm("movl\t$POOL_EMPTY, (%%rdx)")
			n.writeReturn()
		})
		s.asm("cmpq\tPAIR(pool_empty)(%%rip), %%rcx")
		s.asm("je\t%s", empty)
	}
	s.asm("subq\tPAIR(pool_bases)(%%rip), %%rcx")
	// The carry of this comparison becomes the lowest bit of %rax, below the error code.
	s.asm("cmpq\t$-POOL_BYTES, %%rcx")
	s.asm("adcq\t%%rax, %%rax")
	s.asm("jne\t%s", outside)
	if s.pair.R.Handles["MPI_REQUEST_NULL"].Symbol == "" { // these requests are numbers, which need not be multiples of 8
		s.asm("testb\t$7, %%cl")
		s.asm("jne\t%s", outside)
	}
	s.asm("movq\t%s, %%rdx", n.variable)
	s.asm("movl\t%%ecx, (%%rdx)")
}

// requestInOut converts the request in the variable that register i points to. The code completes
// a null request without the runtime, if the plan allows it. A request with a slot in the
// handle table gets a copy of the rest.
func (s *fastPath) requestInOut(i int) {
	variable := fmt.Sprintf("(%s)", registers64[i])
	back := s.label()
	if s.plan.Null == nil && s.pair.A.HandleBits != 32 {
		s.asm("REQUEST_A2R\t%s, %s", variable, s.bailOut())
		return
	}
	s.asm("REQUEST_A2R\t%s, %s", variable, s.outOfLine(func() {
		if s.pair.A.HandleBits == 32 && s.pair.R.Handles["MPI_REQUEST_NULL"].Symbol != "" {
			other := s.label()
			s.asm("cmpl\t$POOL_EMPTY, %%eax")
			s.asm("jne\t%s", other)
			s.asm("movq\tPAIR(pool_empty)(%%rip), %%rax")
			s.asm("jmp\t%s", back)
			s.Line("%s:", other)
		}
		if s.plan.Null == nil {
			s.asm("jmp\t%s", s.bailOut())
			return
		}
		switch null := s.pair.A.Handles["MPI_REQUEST_NULL"]; {
		case null.Symbol != "":
			s.asm("movq\t%s@GOTPCREL(%%rip), %%rax", null.Symbol)
			s.asm("cmpq\t%%rax, %s", variable)
		case s.pair.A.HandleBits == 32:
			s.asm("cmpl\t$%#x, %s", *null.Value, variable)
		default:
			s.asm("cmpq\t$%#x, %s", *null.Value, variable)
		}
		if s.pair.A.HandleBits != 32 {
			s.asm("jne\t%s", s.bailOut())
			s.completeNull()
			return
		}
		slot := s.outOfLine(func() {
			s.tablesOperand("")
			s.asm("REQUEST_SLOT\t%s", s.bailOut())
			s.withSlot = true
			s.afterChecks()
		})
		s.asm("jne\t%s", slot)
		s.completeNull()
	}))
	s.Line("%s:", back)
}

// completeNull writes the end of a call that completes a null request: it sets the flag and the
// empty status, and returns MPI_SUCCESS without calling the runtime.
func (s *fastPath) completeNull() {
	for i, a := range s.arguments {
		switch {
		case i == s.plan.FlagIndex:
			s.asm("testq\t%s, %s", registers64[i], registers64[i])
			s.asm("je\t%s", s.bailOut())
			s.asm("movl\t$1, (%s)", registers64[i])
		case a.class == asStatusOut:
			s.asm("STATUS_OF_NULL\t%s", registers64[i])
		}
	}
	s.asm("xorl\t%%eax, %%eax")
	s.asm("ret")
}

// storeEnded writes the null request into the program's variable if the runtime's request has
// ended. variable is the operand with the variable's address.
func (s *fastPath) storeEnded(a argument, variable string) {
	s.asm("/* %s */", a.Name)
	after := s.label()
	defer s.Line("%s:", after)
	if s.pair.inPlace() {
		s.asm("movq\t%s, %%rdx", variable)
		s.compareNull("(%rdx)")
		s.asm("jne\t%s", after)
		s.storeNullRequest()
		return
	}
	s.compareNull(s.stackSlot(s.runtimeRequest))
	if s.withSlot {
		s.asm("je\t%s", s.outOfLine(func() {
			s.asm("movq\t%s, %%rdi", variable)
			s.asm("movl\t%%eax, %%esi")
			s.asm("call\tPAIR(request_ended)")
			s.asm("jmp\t%s", after)
		}))
		return
	}
	s.asm("jne\t%s", after)
	s.asm("movq\t%s, %%rdx", variable)
	s.storeNullRequest()
}

// storeNullRequest writes the program's null request into the variable at %rdx.
func (s *fastPath) storeNullRequest() {
	switch null := s.pair.A.Handles["MPI_REQUEST_NULL"]; {
	case null.Symbol != "":
		s.asm("movq\t%s@GOTPCREL(%%rip), %%rcx", null.Symbol)
		s.asm("movq\t%%rcx, (%%rdx)")
	case s.pair.A.HandleBits == 32:
		s.asm("movl\t$%#x, (%%rdx)", *null.Value)
	default:
		s.asm("movq\t$%#x, (%%rdx)", *null.Value)
	}
}

// compareNull compares a request of the runtime in memory with its null request.
func (s *fastPath) compareNull(operand string) {
	null := s.pair.null("MPI_REQUEST_NULL")
	switch {
	case s.pair.R.HandleBits == 32:
		s.asm("cmpl\t%s, %s", null, operand)
	case s.pair.R.Handles["MPI_REQUEST_NULL"].Symbol == "":
		s.asm("cmpq\t%s, %s", null, operand)
	default:
		s.asm("movq\t%s, %%rcx", null)
		s.asm("cmpq\t%%rcx, %s", operand)
	}
}

// storeRestarted gives the slot of the program's persistent request the runtime's new handle, if the
// runtime has changed it.
func (s *fastPath) storeRestarted(a argument, variable, done string) {
	s.asm("/* %s */", a.Name)
	s.asm("movq\t%s, %%rsi", s.stackSlot(s.runtimeRequest))
	s.asm("cmpq\t%s, %%rsi", s.stackSlot(s.runtimeRequest-8))
	s.asm("jne\t%s", s.outOfLine(func() {
		s.asm("movq\t%s, %%rdi", variable)
		s.asm("call\tPAIR(request_restarted)")
		s.asm("xorl\t%%eax, %%eax")
		s.asm("jmp\t%s", done)
	}))
}
