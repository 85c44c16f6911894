// Package assembly prints the fast paths: on x86-64, the functions of a pair whose
// arguments are all converted in a few instructions get an entry in assembly. It converts,
// calls the runtime's function and converts what comes out, as long as everything is as
// usual. Whatever is not (a negative rank, a handle that the first look does not find, an
// error, a status with something special) it leaves to the C. Written once here for all
// functions, it needs neither the registers that the compiler saves nor the copies that it
// makes: a third of the instructions.
//
// %rax, %r10, %r11 and the xmm registers are free.
//
// It must not know what else is printed of a pair.
package assembly

import (
	"fmt"

	"wi4go/abi"
	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
	"wi4go/gen/traits"
)

// A printer writes the fast paths of one pair.
type printer struct{ *plan.Pair }

// Print writes the assembly of all fast paths of the pair, of those plans that are to have one.
func Print(pair *plan.Pair, plans []*plan.Plan) []byte {
	p := &printer{pair}
	w := &output.Writer{}
	w.WriteString(output.Banner(fmt.Sprintf("Fast paths of %s programs over %s libraries.", p.A.Family, p.R.Family)))
	traits.Write(w, pair)
	w.Line("#define PAIR(name) %s##name", traits.Symbol(pair, ""))
	for i, kind := range model.HandleKinds {
		w.Line("#define MAGIC_%s HANDLE_MAGIC+%d\n#define NUMBERS_%s %d*8*LOWEST_ADDRESS", kind, i, kind, i)
	}
	for _, side := range []struct {
		prefix string
		family *abi.Family
	}{{"A", p.A}, {"R", p.R}} {
		null := side.family.Handles["MPI_REQUEST_NULL"]
		switch {
		case null.Symbol == "":
			w.Line("#define %s_REQUEST_NULL %#x", side.prefix, *null.Value)
		case side.prefix == "A":
			w.Line("#define A_REQUEST_NULL %s", null.Symbol)
		default:
			w.Line("#define R_REQUEST_NULL PAIR(R_MPI_REQUEST_NULL)")
		}
		for _, name := range []string{"MPI_PROC_NULL", "MPI_ANY_SOURCE", "MPI_ANY_TAG"} {
			w.Line("#define %s_%s %d", side.prefix, name, side.family.Constants[name])
		}
	}
	w.Line("#if defined(__x86_64__)\n#include \"fast_x86_64.h\"")
	for _, plan := range plans {
		if plan.Assembly {
			w.WriteString(p.fastOf(plan))
		}
		if FitsFortran(pair, plan) {
			w.WriteString(p.frequentOf(plan))
		}
		if FitsDescribed(pair, plan) {
			w.WriteString(p.describedOf(plan))
		}
	}
	w.Line("#endif\n.section .note.GNU-stack, \"\", %%progbits")
	return w.Bytes()
}

// fastOf is the fast path of a function.
func (p *printer) fastOf(of *plan.Plan) string {
	w := &fast{p: p, plan: of, f: of.Function, slow: map[state]string{}, left: fmt.Sprintf("jmpq\t*PAIR(translations)+16*SLOT_%s+8(%%rip)", of.Function.Name)}
	switch of.Completes.Of {
	case plan.CompletesAll:
		return w.completion()
	case plan.CompletesAny, plan.CompletesSome:
		return w.some()
	}
	for i := range of.Arguments {
		a, _ := p.form(of, i)
		w.arguments = append(w.arguments, a)
	}
	return w.function()
}
