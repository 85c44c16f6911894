package plan

import (
	"slices"

	"wi4go/gen/model"
)

// A LargeCount is the plan of a large-count function in a front over a library that has
// only functions with int counts.
type LargeCount struct {
	Function *model.Function
	// Called is the function with int counts to call if the counts fit.
	Called *model.Function
	Method LargeMethod
	// Forms has the form of each argument for LargeNarrowed, otherwise nil.
	Forms []CountForm
	// TooLarge is the action for a count that does not fit, for LargeNarrowed.
	TooLarge TooLarge
	// Pieces has the form of each argument in the call for one piece, for LargeInPieces.
	Pieces []Piece
	// Count, Datatype and Comm are the names of the first input arguments with these roles, or
	// empty.
	Count, Datatype, Comm string
	// Begins is the number of arguments up to and including the communicator. Only a request may
	// follow it; a request outlasts the call.
	Begins int
	// KeepsType reports whether a request that the call returns needs the larger datatype until
	// it completes.
	KeepsType bool
}

// LargeMethod is the method by which a front implements a large-count function.
type LargeMethod int

const (
	LargeImpossible LargeMethod = iota // not at all
	LargeByHand                        // by a hand-written function in shim/emulate
	LargeStarted                       // a persistent collective: by a nonblocking operation for each start
	LargeExchanged                     // by an operation with a datatype for each process
	LargeInPieces                      // a nonblocking reduction: by several reductions that start at once
	LargeNarrowed                      // by one call of the function with int counts
)

// TooLarge is the action of a narrowed function for a count that does not fit.
type TooLarge int

const (
	TooLargeRefused    TooLarge = iota // refuses the call
	TooLargeInPieces                   // makes several calls of a reduction
	TooLargeAsElements                 // passes fewer elements of a larger datatype
)

// LargeCountOf returns the plan of the large-count function f. called is the function with narrower
// counts that it may call.
func LargeCountOf(called, f *model.Function) *LargeCount {
	name := func(role string) string {
		if q := f.Has(role, "in"); q != nil {
			return q.Name
		}
		return ""
	}
	l := &LargeCount{Function: f, Called: called, Count: name("COUNT"), Datatype: name("DATATYPE"), Comm: name("COMM")}
	l.Begins = slices.IndexFunc(f.Params, func(q model.Param) bool { return q.Role == "COMM" }) + 1
	l.KeepsType = f.Has("FILE", "in") != nil && f.Has("REQUEST", "out") != nil
	switch {
	case f.Narrow == model.NarrowHand:
		l.Method = LargeByHand
	case f.Starts != "":
		l.Method = LargeStarted
	case f.Exchange != model.Exchange{}:
		l.Method = LargeExchanged
	case f.IsReduction() && f.Has("REQUEST", "out") != nil:
		l.Method, l.Pieces = LargeInPieces, pieces(f)
	default:
		forms, possible := countForms(called, f)
		if possible {
			l.Method, l.Forms, l.TooLarge = LargeNarrowed, forms, tooLarge(f, forms)
		}
	}
	return l
}

// tooLarge returns the action of a narrowed function for a count that does not fit.
func tooLarge(f *model.Function, forms []CountForm) TooLarge {
	switch {
	case f.IsReduction():
		return TooLargeInPieces
	case slices.Contains(forms, CountOfType):
		return TooLargeAsElements
	}
	return TooLargeRefused
}

// A CountForm is the conversion of an argument of a large-count function to the argument of the
// function with int counts.
type CountForm int

const (
	CountUnchanged CountForm = iota // unchanged
	CountCast                       // a cast to a pointer to another integer type of the same width
	CountOfType                     // a count of elements of the datatype that follows it
	CountNumber                     // another input number that must fit an int
	CountOut                        // an output number
)

// countForms returns the forms of all arguments if the large-count function can call the small one,
// and otherwise false.
func countForms(small, large *model.Function) (forms []CountForm, possible bool) {
	if len(small.Params) != len(large.Params) {
		return nil, false
	}
	for i := range large.Params {
		typed := i+1 < len(large.Params) && large.Params[i+1].Role == "DATATYPE"
		form, possible := countForm(&large.Params[i], &small.Params[i], typed)
		if !possible {
			return nil, false
		}
		forms = append(forms, form)
	}
	return forms, true
}

// countForm returns the form for passing parameter q as parameter to, or false if there is none.
// typed reports whether a datatype follows q.
func countForm(q, to *model.Param, typed bool) (form CountForm, possible bool) {
	switch {
	case q.Type == to.Type, to.Type == "MPI_Aint":
		return CountUnchanged, true
	case to.Element() == "MPI_Aint":
		return CountCast, true
	case q.Dir == "in" && to.Type == "int" && typed:
		return CountOfType, true
	case q.Dir == "in" && to.Type == "int":
		return CountNumber, true
	case q.Dir == "out" && to.Type == "int *":
		return CountOut, true
	}
	return CountUnchanged, false
}

// A Piece is the form of an argument of a reduction in a call for one piece, which has some of the
// elements.
type Piece int

const (
	PieceUnchanged Piece = iota // unchanged
	PieceBuffer                 // the address of the piece in the buffer
	PieceCount                  // the number of elements of the piece
	PieceRequest                // a separate request for the piece
)

// pieces returns the forms of the arguments of a reduction.
func pieces(f *model.Function) (list []Piece) {
	of := map[string]Piece{"BUFFER_OR_IN_PLACE": PieceBuffer, "COUNT": PieceCount, "REQUEST": PieceRequest}
	for _, q := range f.Params {
		list = append(list, of[q.Role])
	}
	return list
}
