package plan

import (
	"slices"

	"wi4go/gen/model"
)

// A LargeCount is the plan of a large-count function in a front over a library that has
// only functions with int counts.
type LargeCount struct {
	Function *model.Function
	// Called is the function with int counts that is called if the counts fit.
	Called *model.Function
	Way    LargeWay
	// Forms are those of the arguments, if the function is narrowed.
	Forms []CountForm
	// TooLarge is what happens if a count does not fit, if the function is narrowed.
	TooLarge TooLarge
	// Pieces are what the arguments become in a call for a part, if it is made of parts.
	Pieces []Piece
	// Count, Datatype and Comm are the names of the first arguments that are these, or
	// empty.
	Count, Datatype, Comm string
	// Begins is the number of arguments up to the communicator. Only the request, which
	// outlasts the call, is behind it.
	Begins int
	// KeepsType reports whether a request that comes out needs a larger datatype for
	// longer than the call takes.
	KeepsType bool
}

// LargeWay is how a front serves a large-count function.
type LargeWay int

const (
	LargeImpossible LargeWay = iota
	LargeByHand              // shim/emulate has it
	LargeStarted             // a persistent collective operation, as a nonblocking one for each start
	LargeExchanged           // as an operation with a datatype for each process
	LargeInPieces            // a nonblocking reduction, as several that begin at once
	LargeNarrowed            // as one call of the function with int counts
)

// TooLarge is what a narrowed function does with a count that does not fit.
type TooLarge int

const (
	TooLargeRefused    TooLarge = iota
	TooLargeInPieces            // a reduction is several calls
	TooLargeAsElements          // fewer elements of a larger datatype
)

// LargeCountOf makes the plan of a large-count function. called is the function with
// narrower counts that it may call.
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
		l.Way = LargeByHand
	case f.Starts != "":
		l.Way = LargeStarted
	case f.Exchange != model.Exchange{}:
		l.Way = LargeExchanged
	case f.IsReduction() && f.Has("REQUEST", "out") != nil:
		l.Way, l.Pieces = LargeInPieces, pieces(f)
	default:
		forms, possible := countForms(called, f)
		if possible {
			l.Way, l.Forms, l.TooLarge = LargeNarrowed, forms, tooLarge(f, forms)
		}
	}
	return l
}

// tooLarge returns what a narrowed function does with a count that does not fit.
func tooLarge(f *model.Function, forms []CountForm) TooLarge {
	switch {
	case f.IsReduction():
		return TooLargeInPieces
	case slices.Contains(forms, CountOfType):
		return TooLargeAsElements
	}
	return TooLargeRefused
}

// A CountForm is how an argument of a large-count function becomes that of the function
// with int counts.
type CountForm int

const (
	CountAsItIs CountForm = iota
	CountCast             // a pointer to integers of the same width and another type
	CountOfType           // the count of elements of the datatype that follows
	CountNumber           // another number that has to fit
	CountOut              // a number that comes out
)

// countForms returns the forms of the arguments of a large-count function that calls the
// small one; false if that cannot serve it.
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

// countForm returns the form of an argument for another parameter. typed reports whether a
// datatype follows.
func countForm(q, to *model.Param, typed bool) (form CountForm, possible bool) {
	switch {
	case q.Type == to.Type, to.Type == "MPI_Aint":
		return CountAsItIs, true
	case to.Element() == "MPI_Aint":
		return CountCast, true
	case q.Dir == "in" && to.Type == "int" && typed:
		return CountOfType, true
	case q.Dir == "in" && to.Type == "int":
		return CountNumber, true
	case q.Dir == "out" && to.Type == "int *":
		return CountOut, true
	}
	return CountAsItIs, false
}

// A Piece is what an argument of a reduction becomes in a call for a part of its elements.
type Piece int

const (
	PieceAsItIs  Piece = iota
	PieceBuffer        // the part of a buffer
	PieceCount         // the number of elements of the part
	PieceRequest       // a request of the part's own
)

// pieces returns those of a reduction's arguments.
func pieces(f *model.Function) (list []Piece) {
	of := map[string]Piece{"BUFFER_OR_IN_PLACE": PieceBuffer, "COUNT": PieceCount, "REQUEST": PieceRequest}
	for _, q := range f.Params {
		list = append(list, of[q.Role])
	}
	return list
}
