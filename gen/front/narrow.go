package front

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"wi4go/gen/ctypes"
	"wi4go/gen/model"
	"wi4go/gen/output"
)

// exchange is a collective operation with an array of counts, by the parts of
// its name: nonblocking, which.
var exchange = regexp.MustCompile(`^MPI_(I?)((?i:neighbor_)?(?i:gatherv|scatterv|allgatherv|alltoallv|alltoallw))_c$`)

// narrow writes, for the large-count functions that the front exports, the form
// that calls functions with int counts, for libraries that have only those.
func (s printer) narrow(in *model.Input) (text []byte, entries map[string]Narrowing, err error) {
	w := &output.Writer{}
	w.WriteString(output.Banner("Large counts over libraries that have none, in programs of the " + s.Front.Family + " family."))
	w.Line("#include \"front.h\"\n#include \"slots.h\"")
	place := map[string]*model.Slot{}
	for i := range s.List {
		place[s.List[i].Name] = &s.List[i]
	}
	entries = map[string]Narrowing{}
	functions, later := &output.Writer{}, &output.Writer{}
	var served []output.Emulation
	for _, small := range s.List {
		if small.Function == nil || small.Function.Large == "" {
			continue
		}
		f := place[small.Function.Large]
		if !f.Exported {
			continue
		}
		// The function that has to be there, and is called.
		of := small
		if wide := place[small.Name+"_x"]; wide != nil && wide.Function != nil {
			of = *wide
		}
		var text string
		parts := exchange.FindStringSubmatch(f.Name)
		switch {
		case f.Function.Narrow == model.NarrowHand:
		case f.Function.StartedAs(in) != nil:
			// Not by the library's own: Open MPI's keep no datatype that is freed.
			if err := persistentLarge(later, in, small.Function, f.Function); err != nil {
				return nil, nil, err
			}
			of = *place[strings.TrimSuffix(f.Function.StartedAs(in).Name, "_c")]
			entries[f.Name] = Narrowing{checked(later, f.Function, "E_"+f.Name), of.Name}
			served = append(served, output.Emulation{Function: f.Name, Runtime: "*", Of: of.Name})
			continue
		case parts != nil:
			called := "Alltoallw"
			if strings.HasPrefix(strings.ToLower(parts[2]), "neighbor_") {
				called = "Neighbor_alltoallw"
			}
			if parts[1] == "I" {
				called = "I" + strings.ToLower(called)
			}
			of = *place["MPI_"+called]
			text = exchanged(f.Function, of.Name, strings.ToLower(parts[2]))
		case f.Function.Has("OP", "in") != nil && f.Function.Has("COMM", "in") != nil && f.Function.Has("REQUEST", "out") != nil:
			text = reducedLater(small.Function, f.Function)
		default:
			var ok bool
			if text, ok = narrowed(of.Function, f.Function); !ok {
				continue
			}
		}
		functions.WriteString(text)
		entry := "N_" + f.Name
		if f.Function.Narrow == model.NarrowHand {
			entry = checked(later, f.Function, entry)
		}
		entries[f.Name] = Narrowing{entry, of.Name}
		served = append(served, output.Emulation{Function: f.Name, Runtime: "*", Of: of.Name})
	}
	if len(entries) > 0 {
		for _, header := range []string{"emulate.h", "large.h", "large_types.h", "exchange.h", "reduce.h"} {
			w.Line("#include \"%s\"", header)
		}
	}
	w.WriteString(functions.String())
	w.WriteString(later.String())
	output.WriteEmulations(w, served)
	return w.Bytes(), entries, nil
}

// narrowHead is the definition of f's narrow form up to the brace.
func narrowHead(f *model.Function) string {
	return fmt.Sprintf("\nint N_%s(%s)\n{", f.Name, strings.Join(ctypes.Declarations(f), ", "))
}

// exchanged is the large-count function f by way of called, which has a datatype
// for each peer. A nonblocking one is a request of ours.
func exchanged(f *model.Function, called, kind string) string {
	names := f.Names()
	n := slices.Index(names, "comm") + 1
	displs := "displs"
	if strings.HasPrefix(kind, "neighbor_") {
		displs = "at"
	}
	given := strings.Join(names[:n], ", ")
	call := func(x, rest string) string {
		send, recv := x+"send.", x+"recv."
		return fmt.Sprintf("%s(%s)", called, strings.Join([]string{
			send + "buffer", send + "counts", send + displs, send + "types",
			"(void *)" + recv + "buffer", recv + "counts", recv + displs, recv + "types", rest}, ", "))
	}
	w := &output.Writer{}
	if n == len(names) {
		w.Line("%s", narrowHead(f))
		w.Line("    EXCHANGE x = {0};\n    const int wrong = %s(&x, %s);", kind, given)
		w.Line("    if (unlikely(wrong))\n        return wi4go_raise(WI4GO_COMM, comm, wrong);")
		w.Line("    return %s;\n}", call("x.", "comm"))
		return w.String()
	}
	w.Line("\nstatic int begin_%s(struct persistent *r, %s)\n{", f.Name, strings.Join(ctypes.Declarations(f)[:n], ", "))
	w.Line("    if (!r->exchange) {\n        r->exchange = exchange_new();\n        const int wrong = %s(r->exchange, %s);", kind, given)
	w.Line("        if (unlikely(wrong)) {\n            exchange_free(r);\n            return wi4go_raise(WI4GO_COMM, comm, wrong);\n        }\n    }")
	w.Line("    const struct exchange *x = apart(r->exchange);\n    return %s;\n}", call("x->", "comm, &r->request.inner[0]"))
	w.Line("%s", narrowHead(f))
	w.Line("    struct persistent *r = (struct persistent *)wi4go_request_new(&exchanging, 0);\n    return begun(r, begin_%s(r, %s), request);\n}", f.Name, given)
	return w.String()
}

// persistentLarge writes the persistent collective f, whose arrays are as
// long as those of the small one.
func persistentLarge(w *output.Writer, in *model.Input, small, f *model.Function) error {
	whole := *f
	whole.Params = slices.Clone(f.Params)
	for i := range whole.Params {
		whole.Params[i].Length = small.Params[i].Length
	}
	if err := persistent(w, &whole, f.StartedAs(in)); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	return nil
}

// reducedLater is the nonblocking reduction f, of a large count by pieces that
// are all begun at once.
func reducedLater(small, f *model.Function) string {
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
	w := &output.Writer{}
	w.Line("\nstatic int begin_%s(struct persistent *r, %s)\n{", f.Name, strings.Join(ctypes.Declarations(f)[:last], ", "))
	w.Line("    struct piece piece = {0, 0, 0};\n    MPI_Aint extent = 0;\n    int rc = 0, wrong = out_of_range(count, datatype, &extent);")
	w.Line("    if (wrong)\n        return wi4go_raise(WI4GO_COMM, comm, wrong);")
	w.Line("    r->pieces = pieces_new(1, count);")
	w.Line("    while (!rc && next_piece(&piece, count, extent))\n        rc = %s(%s);\n    return rc;\n}", small.Name, strings.Join(pieces, ", "))
	w.Line("%s", narrowHead(f))
	w.Line("    if (likely(FITS(count)))\n        return %s(%s);", small.Name, strings.Join(whole, ", "))
	w.Line("    struct persistent *r = reduction_new(datatype);\n    return begun(r, begin_%s(r, %s), request);\n}", f.Name, strings.Join(f.Names()[:last], ", "))
	return w.String()
}

// narrowed is the large-count function f by way of the small one; false where
// it cannot be had.
func narrowed(small, f *model.Function) (string, bool) {
	if len(small.Params) != len(f.Params) {
		return "", false
	}
	var given, first, then, fits, after, wrong []string
	var before, instead []string
	counted := "" // what has the count of the datatype that comes next
	reduces := f.Has("OP", "in") != nil && f.Has("WIN", "in") == nil
	for i, q := range f.Params {
		to := small.Params[i].Type
		argument := q.Name
		large := ""
		switch change := q.Type + " " + q.Dir + " " + to; change {
		case q.Type + " " + q.Dir + " " + q.Type:
		case "MPI_Count in MPI_Aint":
		case "MPI_Count * out MPI_Aint *", "MPI_Count * inout MPI_Aint *", "const MPI_Count * in const MPI_Aint *":
			argument = fmt.Sprintf("(%s)%s", to, q.Name)
		case "MPI_Count in int":
			argument = "(int)" + q.Name
			if i+1 < len(f.Params) && f.Params[i+1].Role == "DATATYPE" {
				fits = append(fits, fmt.Sprintf("FITS(%s)", q.Name))
				large = "large_" + q.Name
			} else {
				fits = append(fits, fmt.Sprintf("FITS_INT(%s)", q.Name))
			}
		case "MPI_Aint in int":
			argument = "(int)" + q.Name
			fits = append(fits, fmt.Sprintf("FITS_INT(%s)", q.Name))
		case "MPI_Count * out int *", "MPI_Aint * out int *":
			before = append(before, fmt.Sprintf("int narrow_%s = 0;", q.Name))
			argument = "&narrow_" + q.Name
			after = append(after, fmt.Sprintf("if (!rc)\n        *%s = narrow_%s;", q.Name, q.Name))
		default:
			return "", false
		}
		given = append(given, argument)
		switch {
		case large != "" && !reduces:
			instead = append(instead, fmt.Sprintf("LARGE(%s, %s, %s, %s);", large, q.Name, f.Params[i+1].Name, significant(&q)))
			wrong = append(wrong, large+".wrong")
			first = append(first, large+".count")
			counted = large
		case q.Role == "DATATYPE" && counted != "":
			first = append(first, counted+".type")
			counted = ""
		default:
			first = append(first, argument)
			counted = ""
		}
		switch {
		case large != "":
			then = append(then, "piece.n")
		case q.Role == "BUFFER" || q.Role == "BUFFER_OR_IN_PLACE":
			then = append(then, fmt.Sprintf("PIECE_OF(%s, piece)", q.Name))
		default:
			then = append(then, argument)
		}
	}
	w := &output.Writer{}
	w.Line("%s", narrowHead(f))
	for _, line := range before {
		w.Line("    %s", line)
	}
	if len(fits) > 0 {
		w.Line("    if (unlikely(!(%s))) {", strings.Join(fits, " && "))
		switch {
		case reduces:
			w.Line("        struct piece piece = {0, 0, 0};\n        MPI_Aint extent = 0;\n        int rc = 0, wrong = out_of_range(count, datatype, &extent);")
			w.Line("        if (wrong)\n            return wi4go_raise(%s, wrong);", f.RaisedBy())
			w.Line("        while (!rc && next_piece(&piece, count, extent))\n            rc = %s(%s);\n        return rc;", small.Name, strings.Join(then, ", "))
		case len(instead) > 0:
			for _, line := range instead {
				w.Line("        %s", line)
			}
			all := strings.Join(wrong, " | ")
			w.Line("        if (%s)\n            return wi4go_raise(%s, %s);", all, f.RaisedBy(), firstOf(wrong))
			if f.Has("FILE", "in") != nil && f.Has("REQUEST", "out") != nil {
				w.Line("        MPI_Request begun = MPI_REQUEST_NULL;\n        int rc = %s(%s, &begun);", small.Name, strings.Join(first[:len(first)-1], ", "))
				w.Line("        return keep_large(&large_count, rc, begun, request);")
			} else {
				w.Line("        return %s(%s);", small.Name, strings.Join(first, ", "))
			}
		default:
			w.Line("        return REFUSE(%s)(%s);", f.Name, strings.Join(f.Names(), ", "))
		}
		w.Line("    }")
	}
	call := fmt.Sprintf("%s(%s)", small.Name, strings.Join(given, ", "))
	if len(after) == 0 {
		w.Line("    return %s;\n}", call)
		return w.String(), true
	}
	w.Line("    int rc = %s;", call)
	for _, line := range after {
		w.Line("    %s", line)
	}
	w.Line("    return rc;\n}")
	return w.String(), true
}

// firstOf is the C expression of the first that is not 0.
func firstOf(values []string) string {
	if len(values) == 1 {
		return values[0]
	}
	return fmt.Sprintf("%s ? %s : %s", values[0], values[0], firstOf(values[1:]))
}

// significant is the condition under which a library looks at a count, in C.
func significant(q *model.Param) string {
	var conditions []string
	if s := q.Significant; s.Unless != "" {
		conditions = append(conditions, s.Unless+" != MPI_IN_PLACE")
	}
	if s := q.Significant; s.Root != "" {
		conditions = append(conditions, fmt.Sprintf("wi4go_at_root(%s, comm)", s.Root))
	}
	if len(conditions) == 0 {
		return "1"
	}
	return strings.Join(conditions, " && ")
}
