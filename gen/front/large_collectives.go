package front

import (
	"fmt"
	"slices"
	"strings"

	"wi4go/gen/ctypes"
	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
)

// This file prints large-count collectives that are more than one call: an exchange with a datatype
// for each process, a reduction in pieces, and their nonblocking and persistent forms.

// writeExchanged writes a large-count function that calls an operation with a datatype for each peer. A
// nonblocking function returns an emulated request.
func writeExchanged(w *output.Writer, l *plan.LargeCount) {
	f, n := l.Function, l.Begins
	displs := "displs"
	if f.Chapter == "topologies" { // MPI_Neighbor_alltoallw takes displacements as addresses
		displs = "at"
	}
	form := "exchange"
	if n < len(f.Params) {
		form = "exchange_later"
	}
	declared := ctypes.Declarations(f)
	w.Fill(template(form), map[string]string{
		"function": f.Name, "parameters": strings.Join(declared, ", "), "begins": strings.Join(declared[:n], ", "),
		"given": strings.Join(f.Names()[:n], ", "), "comm": f.Params[n-1].Name, "request": f.Names()[len(f.Params)-1],
		"fill": f.Exchange.Fill, "call": f.Exchange.Call, "displs": displs,
	})
}

// writePersistentLarge writes the persistent collective f, which has large counts. small is the same
// function with int counts, and started the nonblocking operation that each start calls.
func writePersistentLarge(w *output.Writer, small, f, started *model.Function) error {
	return writePersistent(w, withLengths(f, small), started)
}

// withLengths returns a copy of the large-count function f in which arrays without a length have the
// length that small, the function with int counts, has for them. It returns f itself if the two
// have different numbers of parameters.
func withLengths(f, small *model.Function) *model.Function {
	if len(f.Params) != len(small.Params) {
		return f
	}
	whole := *f
	whole.Params = slices.Clone(f.Params)
	for i := range whole.Params {
		if whole.Params[i].Length == (model.Length{}) {
			whole.Params[i].Length = small.Params[i].Length
		}
	}
	return &whole
}

// writeNonblockingReduction writes a nonblocking reduction with a large count. If the count does
// not fit, the function starts a nonblocking reduction for each piece at once, and returns an
// emulated request.
func writeNonblockingReduction(w *output.Writer, small *model.Function, l *plan.LargeCount) {
	var pieces, arguments []string
	f := l.Function
	for i, q := range f.Params {
		argument := q.Name
		switch l.Pieces[i] {
		case plan.PieceBuffer:
			pieces = append(pieces, fmt.Sprintf("PIECE_OF(%s, piece)", q.Name))
		case plan.PieceCount:
			pieces = append(pieces, "piece.n")
			argument = "(int)" + q.Name
		case plan.PieceRequest:
			pieces = append(pieces, "next_request(r)")
		case plan.PieceUnchanged:
			pieces = append(pieces, q.Name)
		}
		arguments = append(arguments, argument)
	}
	last := len(f.Params) - 1
	declared := ctypes.Declarations(f)
	w.Fill(template("reduction_later"), map[string]string{
		"function": f.Name, "parameters": strings.Join(declared, ", "), "begins": strings.Join(declared[:last], ", "),
		"given": strings.Join(f.Names()[:last], ", "), "small": small.Name,
		"pieces": strings.Join(pieces, ", "), "whole": strings.Join(arguments, ", "), "request": f.Names()[last],
		"count": l.Count, "datatype": l.Datatype, "comm": l.Comm,
	})
}
