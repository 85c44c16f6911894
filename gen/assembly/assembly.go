// Package assembly prints the fast paths of a pair on x86-64. A function whose arguments each
// convert in a few instructions gets an entry in assembly. It converts the arguments, calls the
// runtime's function and converts the results, as long as the call is usual. In every other
// case (a negative rank, a handle that the first look-up does not find, an error, a status with
// an unusual field) it bails out to the C translation. The conversions are written once, here,
// for all functions. They need neither the registers that a compiler saves nor the copies that
// it makes, and take a third of its instructions.
//
// The code may change %rax, %r10, %r11 and the xmm registers at any time.
//
// The package must not know what else is printed of a pair.
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

// Print returns the assembly of all fast paths of the pair: of the functions whose plan has
// Assembly set, and of the Fortran procedures that fit.
func Print(pair *plan.Pair, plans []*plan.Plan) []byte {
	p := &printer{pair}
	w := &output.Writer{}
	w.WriteString(output.Banner(fmt.Sprintf("Fast paths of %s programs over %s libraries.", p.A.Family, p.R.Family)))
	traits.Write(w, pair)
	w.Line("#define PAIR(name) %s##name", traits.Symbol(pair, ""))
	// MAGIC_KIND marks the storage of a predefined handle of the kind. NUMBERS_KIND is the
	// offset of the kind's table of predefined handles that are numbers.
	for i, kind := range model.HandleKinds {
		w.Line("#define MAGIC_%s HANDLE_MAGIC+%d\n#define NUMBERS_%s %d*8*LOWEST_ADDRESS", kind, i, kind, i)
	}
	for _, side := range []struct {
		prefix string
		family *abi.Family
	}{{"A", p.A}, {"R", p.R}} {
		// The null request is a variable of the program's or the runtime's library, or a
		// number.
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
	w.Line("#if defined(__x86_64__)\n#include \"fast_path_x86_64.h\"")
	for _, plan := range plans {
		if plan.Assembly {
			w.WriteString(p.fastPathOf(plan))
		}
		if FitsFortran(pair, plan) {
			w.WriteString(p.fortranOf(plan))
		}
		if FitsDescribed(pair, plan) {
			w.WriteString(p.describedOf(plan))
		}
	}
	w.Line("#endif\n.section .note.GNU-stack, \"\", %%progbits")
	return w.Bytes()
}

// fastPathOf returns the fast path of a function. To bail out, it jumps through the second field of
// the function's row in the pair's translations, which holds the C function.
func (p *printer) fastPathOf(of *plan.Plan) string {
	w := &fastPath{pair: p, plan: of, f: of.Function, bailouts: map[bailState]string{}, bailInstruction: fmt.Sprintf("jmpq\t*PAIR(translations)+16*SLOT_%s+8(%%rip)", of.Function.Name)}
	switch of.Completion.Kind {
	case plan.CompletesAll:
		return w.completion()
	case plan.CompletesAny, plan.CompletesSome:
		return w.partialCompletion()
	}
	for i := range of.Arguments {
		a, _ := p.classify(of, i)
		w.arguments = append(w.arguments, a)
	}
	return w.function()
}
