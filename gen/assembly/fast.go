package assembly

import (
	"fmt"
	"slices"

	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
)

// One fast path: what it is written by, and its parts in order.

// fast writes one fast path.
type fast struct {
	output.Writer
	p         *printer
	plan      *plan.Plan
	f         *model.Function
	arguments []argument
	cold      []string         // what stands behind the straight code
	slow      map[state]string // labels of the code that leaves a call to C
	labels    int
	prefix    string // of its labels
	described bool   // it is a procedure of mpi_f08 whose choice buffers are descriptors
	left      string // the instruction that leaves the call to C
	depth     int    // bytes on the stack since the entry
	completed int    // where the runtime's handle of a request to be completed is, as depth
	tables    bool   // %r10 has the address of the tables
	turned    bool   // ranks and tags below 0 are the runtime's already
	wild      bool   // this is a receive from any source with any tag
	slot      bool   // the request has a slot in the table
	lone      lone   // what is known of the only handle
}

// lone says of the handle of a function that has no other one whether it has
// turned out to be a predefined number.
type lone int

const (
	unknown lone = iota
	predefined
	dynamic
)

// state is that in which a call is left to C: what is on the stack, and whether ranks and
// tags are to be turned back.
type state struct {
	depth  int
	turned bool
}

func (s *fast) label() string {
	s.labels++
	return fmt.Sprintf(".L%s%s_%d", s.prefix, s.f.Name, s.labels)
}

func (s *fast) asm(format string, arguments ...any) {
	s.Line("\t"+format, arguments...)
}

// aside writes a piece of code behind the straight code and gives its label.
func (s *fast) aside(write func()) string {
	label, before := s.label(), *s
	s.Writer = output.Writer{}
	s.Line("%s:", label)
	s.asm(".cfi_def_cfa_offset %d", 8+s.depth)
	write()
	text, cold, labels := s.String(), s.cold, s.labels
	*s = before
	s.cold, s.labels = append(cold, text), labels
	return label
}

// toC is where the call is left to C as it came.
func (s *fast) toC() string {
	from := state{s.depth, s.turned}
	if s.slow[from] == "" {
		s.slow[from] = s.aside(func() {
			if s.depth > 0 {
				s.give(s.depth)
			}
			if s.turned {
				s.turnBack()
			}
			s.asm("%s", s.left)
		})
	}
	return s.slow[from]
}

func (s *fast) take(bytes int) {
	s.asm("subq\t$%d, %%rsp", bytes)
	s.asm(".cfi_adjust_cfa_offset %d", bytes)
	s.depth += bytes
}

func (s *fast) give(bytes int) {
	s.asm("addq\t$%d, %%rsp", bytes)
	s.asm(".cfi_adjust_cfa_offset %d", -bytes)
	s.depth -= bytes
}

func (s *fast) push(operand string) {
	s.asm("pushq\t%s", operand)
	s.asm(".cfi_adjust_cfa_offset 8")
	s.depth += 8
}

// at is the operand of what stands so many bytes below where the stack was at
// the entry.
func (s *fast) at(below int) string {
	return fmt.Sprintf("%d(%%rsp)", s.depth-below)
}

// operand is argument i as it came, while registers still have it.
func (s *fast) operand(i int, registers []string) string {
	if inRegister(i) {
		return registers[i]
	}
	return s.at(-8 * (1 + i - len(registers64)))
}

// function writes the whole fast path of a function; twice where the program may
// ignore a status that comes out, which saves the runtime the work as well.
func (s *fast) function() string {
	status := slices.IndexFunc(s.arguments, func(a argument) bool { return a.as == asStatusOut })
	if status >= 0 {
		ignored := s.label()
		s.asm("cmpq\t$%d, %s", s.p.A.Pointers["MPI_STATUS_IGNORE"].Value, s.operand(status, registers64))
		s.asm("je\t%s", ignored)
		s.body()
		s.Line("%s:", ignored)
		s.begin()
		s.arguments[status].as = asIgnored
	}
	s.body()
	return s.text()
}

// begin says that the code that follows is come to by a jump from the entry.
func (s *fast) begin() {
	s.asm(".cfi_def_cfa_offset 8")
	s.depth, s.tables, s.turned = 0, false, false
}

// body writes the fast path from the first check to the return.
func (s *fast) body() {
	s.checks()
	s.straight()
}

// behind says where things are that are needed behind the call, as depths: saved has that of
// an argument's address, local is that of the runtime's own variable.
type behind struct {
	saved map[int]int
	local int
}

// results are the arguments in which something comes back, or, given, a status goes in; -1:
// there is none.
type results struct {
	given, status, request, object, flag, completed, started int

	behind
}

func (s *fast) results() *results {
	r := &results{given: -1, status: -1, request: -1, object: -1, flag: -1, completed: -1, started: -1, behind: behind{saved: map[int]int{}}}
	for i, a := range s.arguments {
		switch {
		case a.as == asStatusIn:
			r.given = i
		case a.as == asStatusOut:
			r.status = i
		case a.as == asRequestOut && s.written(a):
			r.request = i
		case a.as == asRequestAt:
			r.completed = i
		case a.as == asStartedAt && s.slot:
			r.started = i
		case a.as == asHandleOut, a.as == asHandleAt:
			r.object = i
		}
	}
	if r.status >= 0 {
		r.flag = s.plan.Tells
	}
	return r
}

// straight writes what is behind the checks.
func (s *fast) straight() {
	r := s.results()
	s.frame(r)
	s.statusGoes(r)
	s.pass(r.local)
	out := r.object >= 0 && s.arguments[r.object].as == asHandleOut
	if out {
		s.asm("movq\t$-1, %s", s.at(r.local)) // NO_HANDLE
	}
	s.call()
	// A near request is over when MPI_Wait is.
	surely := r.completed >= 0 && s.p.A.HandleBits == 32 && !s.slot && s.plan.Tells < 0
	ended := func() { s.requestEnded(s.arguments[r.completed], s.at(r.saved[r.completed])) }
	if r.completed >= 0 && !surely {
		ended()
	}

	done := s.label()
	failed := s.aside(func() {
		if surely {
			ended()
		}
		s.asm("movl\t%%eax, %%edi")
		if out {
			s.nullOut(model.NullName(s.arguments[r.object].kind), s.at(r.local), s.at(r.saved[r.object]))
		}
		if r.status >= 0 {
			s.statusFailed(s.at(r.saved[r.status]), s.at(r.local), done)
			return
		}
		if s.depth > 0 {
			s.give(s.depth)
		}
		s.asm("jmp\tPAIR(error)")
	})
	nearby := r.request >= 0 && s.p.A.HandleBits == 32
	if !nearby { // else that and the request are looked at in one
		s.failing(failed)
	}
	if surely {
		s.asm("movq\t%s, %%rdx", s.at(r.saved[r.completed]))
		s.nullRequest()
	}
	if r.flag >= 0 {
		s.asm("movq\t%s, %%rdx", s.at(r.saved[r.flag]))
		s.asm("cmpl\t$0, (%%rdx)")
		s.asm("je\t%s", done)
	}
	if r.status >= 0 {
		s.statusComes(s.at(r.saved[r.status]), r.local, done)
	}
	switch {
	case nearby:
		s.nearOut(s.arguments[r.request], near{s.at(r.saved[r.request]), s.at(r.local), "request_far", done, s.leave, failed})
	case r.request >= 0:
		s.requestOut(s.arguments[r.request], s.at(r.saved[r.request]), done)
	}
	if r.started >= 0 {
		s.restarted(s.arguments[r.started], s.at(r.saved[r.started]), done)
	}
	if r.object >= 0 {
		s.handleOut(s.arguments[r.object], s.at(r.saved[r.object]), s.at(r.local), done)
	}
	s.Line("%s:", done)
	s.leave()
}

// frame saves what is needed behind the call and makes room for what the runtime writes.
func (s *fast) frame(r *results) {
	at := r.object >= 0 && s.arguments[r.object].as == asHandleAt
	for _, i := range []int{r.status, r.request, r.object, r.flag, r.completed, r.started} {
		if i >= 0 && s.arguments[i].as == asHandleAt && !s.arguments[i].ends() {
			continue
		}
		s.keep(i, r.saved)
	}
	if r.completed >= 0 && !s.p.inPlace() {
		s.push("%rax")
		s.completed = s.depth
	}
	if r.started >= 0 { // twice, to be compared
		s.push("%rax")
		s.push("%rax")
		s.completed = s.depth
	}
	room := 0
	switch {
	case at:
		s.push(s.table(s.arguments[r.object].kind, "OBJECTS", "%r11", 8))
		r.local = s.depth
	case r.status >= 0 || r.given >= 0 && !s.countsOnly():
		room = s.p.statusRoom()
	case r.request >= 0 && s.p.A.HandleBits == 32 || r.object >= 0:
		room = 8
	}
	s.align(room)
	if !at {
		r.local = s.depth
	}
}

// keep has the address in argument i, unless that is -1, where the call leaves it.
func (s *fast) keep(i int, saved map[int]int) {
	if i >= 0 && inRegister(i) {
		s.push(registers64[i])
		saved[i] = s.depth
	} else if i >= 0 {
		saved[i] = -8 * (1 + i - len(registers64))
	}
}

// align makes room for so many bytes, so that the stack pointer is a multiple of 16 where
// the function is called.
func (s *fast) align(room int) {
	onStack := max(0, len(s.arguments)-len(registers64))
	if (s.depth+room+8*onStack)%16 != 8 {
		room += 8
	}
	if room > 0 {
		s.take(room)
	}
}

// failing goes there if the call has failed.
func (s *fast) failing(failed string) {
	s.asm("testl\t%%eax, %%eax")
	s.asm("jne\t%s", failed)
}

// call calls the runtime's function.
func (s *fast) call() {
	s.asm("call\t*wi4go_R+8*SLOT_%s(%%rip)", s.f.Name)
}

// leave returns.
func (s *fast) leave() {
	if s.depth > 0 {
		s.give(s.depth)
	}
	s.asm("ret")
}

// text is the whole, with what stands behind.
func (s *fast) text() string {
	w := &output.Writer{}
	w.Line("FAST_PATH(%s%s)", s.prefix, s.f.Name)
	w.Write(s.Bytes())
	for _, text := range s.cold {
		w.WriteString(text)
	}
	w.Line("FAST_END(%s%s)\n", s.prefix, s.f.Name)
	return w.String()
}
