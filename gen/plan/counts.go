package plan

import (
	"slices"

	"wi4go/gen/model"
)

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

// CountForms returns the forms of the arguments of a large-count function that calls the
// small one; false if that cannot serve it.
func CountForms(small, large *model.Function) (forms []CountForm, possible bool) {
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

// Pieces returns those of a reduction's arguments.
func Pieces(f *model.Function) (pieces []Piece) {
	of := map[string]Piece{"BUFFER_OR_IN_PLACE": PieceBuffer, "COUNT": PieceCount, "REQUEST": PieceRequest}
	for _, q := range f.Params {
		pieces = append(pieces, of[q.Role])
	}
	return pieces
}

// Begins returns the number of arguments that a collective operation has up to its
// communicator: without its request.
func Begins(f *model.Function) int {
	return slices.IndexFunc(f.Params, func(q model.Param) bool { return q.Role == "COMM" }) + 1
}
