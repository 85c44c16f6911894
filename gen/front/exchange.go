package front

import (
	"fmt"
	"slices"
	"strings"

	"wi4go/gen/ctypes"
	"wi4go/gen/model"
	"wi4go/gen/output"
)

// Large counts of collective operations that are more than one call: an exchange with a
// datatype for each process, a reduction by pieces, and what is started later.

// exchanged writes the large-count function f by way of the one that has a datatype for
// each peer. A nonblocking one is a request of ours.
func exchanged(w *output.Writer, f *model.Function) {
	called, fill, names := f.Exchange.Call, f.Exchange.Fill, f.Names()
	n := slices.Index(names, "comm") + 1
	displs := "displs"
	if f.Chapter == "topologies" { // where they are addresses
		displs = "at"
	}
	given := strings.Join(names[:n], ", ")
	call := func(x, rest string) string {
		send, recv := x+"send.", x+"recv."
		return fmt.Sprintf("%s(%s)", called, strings.Join([]string{
			send + "buffer", send + "counts", send + displs, send + "types",
			"(void *)" + recv + "buffer", recv + "counts", recv + displs, recv + "types", rest}, ", "))
	}
	if n == len(names) {
		w.Line("%s", narrowHead(f))
		w.Line("    EXCHANGE x = {0};\n    const int wrong = %s(&x, %s);", fill, given)
		w.Line("    if (unlikely(wrong))\n        return wi4go_raise(WI4GO_COMM, comm, wrong);")
		w.Line("    return %s;\n}", call("x.", "comm"))
		return
	}
	w.Line("\nstatic int begin_%s(struct persistent *r, %s)\n{", f.Name, strings.Join(ctypes.Declarations(f)[:n], ", "))
	w.Line("    if (!r->exchange) {\n        r->exchange = exchange_new();\n        const int wrong = %s(r->exchange, %s);", fill, given)
	w.Line("        if (unlikely(wrong)) {\n            exchange_free(r);\n            return wi4go_raise(WI4GO_COMM, comm, wrong);\n        }\n    }")
	w.Line("    const struct exchange *x = apart(r->exchange);\n    return %s;\n}", call("x->", "comm, &r->request.inner[0]"))
	w.Line("%s", narrowHead(f))
	w.Line("    struct persistent *r = (struct persistent *)wi4go_request_new(&exchanging, 0);\n    return begun(r, begin_%s(r, %s), request);\n}", f.Name, given)
}

// persistentLarge writes the persistent collective f, whose arrays are as
// long as those of the small one.
func persistentLarge(w *output.Writer, small, f, started *model.Function) error {
	whole := *f
	whole.Params = slices.Clone(f.Params)
	for i := range whole.Params {
		whole.Params[i].Length = small.Params[i].Length
	}
	return persistent(w, &whole, started)
}

// reducedLater writes the nonblocking reduction f, of a large count by pieces that
// are all begun at once.
func reducedLater(w *output.Writer, small, f *model.Function) {
	var pieces, whole []string
	for _, q := range f.Params {
		argument := q.Name
		switch {
		case q.Role == "BUFFER_OR_IN_PLACE":
			pieces = append(pieces, fmt.Sprintf("PIECE_OF(%s, piece)", q.Name))
		case q.Role == "COUNT":
			pieces = append(pieces, "piece.n")
			argument = "(int)" + q.Name
		case q.Role == "REQUEST":
			pieces = append(pieces, "another(r)")
		default:
			pieces = append(pieces, q.Name)
		}
		whole = append(whole, argument)
	}
	last := len(f.Params) - 1
	w.Line("\nstatic int begin_%s(struct persistent *r, %s)\n{", f.Name, strings.Join(ctypes.Declarations(f)[:last], ", "))
	w.Line("    struct piece piece = {0, 0, 0};\n    MPI_Aint extent = 0;\n    int rc = 0, wrong = out_of_range(count, datatype, &extent);")
	w.Line("    if (wrong)\n        return wi4go_raise(WI4GO_COMM, comm, wrong);")
	w.Line("    r->pieces = pieces_new(1, count);")
	w.Line("    while (!rc && next_piece(&piece, count, extent))\n        rc = %s(%s);\n    return rc;\n}", small.Name, strings.Join(pieces, ", "))
	w.Line("%s", narrowHead(f))
	w.Line("    if (likely(FITS(count)))\n        return %s(%s);", small.Name, strings.Join(whole, ", "))
	w.Line("    struct persistent *r = reduction_new(datatype);\n    return begun(r, begin_%s(r, %s), request);\n}", f.Name, strings.Join(f.Names()[:last], ", "))
}
