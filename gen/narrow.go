package gen

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// exchange is a collective operation with an array of counts, by the parts of
// its name: nonblocking, which.
var exchange = regexp.MustCompile(`^MPI_(I?)((?i:neighbor_)?(?i:gatherv|scatterv|allgatherv|alltoallv|alltoallw))_c$`)

// narrow writes, for the large-count functions that the front exports, the form
// that calls functions with int counts, for libraries that have only those.
func (s *slots) narrow(in *Input) (text []byte, entries map[string]narrowing, err error) {
	w := &writer{}
	w.WriteString(banner("Large counts over libraries that have none, in programs of the " + s.front.Family + " family."))
	w.line("#include \"front.h\"\n#include \"slots.h\"")
	place := map[string]*slot{}
	for i := range s.list {
		place[s.list[i].name] = &s.list[i]
	}
	entries = map[string]narrowing{}
	functions, later := &writer{}, &writer{}
	var served []emulation
	for _, small := range s.list {
		if small.function == nil || small.function.Large == "" {
			continue
		}
		f := place[small.function.Large]
		if !f.exported {
			continue
		}
		// The function that has to be there, and is called.
		of := small
		if wide := place[small.name+"_x"]; wide != nil && wide.function != nil {
			of = *wide
		}
		var text string
		parts := exchange.FindStringSubmatch(f.name)
		switch {
		case f.function.Narrow == NarrowHand:
		case f.function.startedAs(in) != nil:
			// Not by the library's own: Open MPI's keep no datatype that is freed.
			if err := later.persistentLarge(in, small.function, f.function); err != nil {
				return nil, nil, err
			}
			of = *place[strings.TrimSuffix(f.function.startedAs(in).Name, "_c")]
			entries[f.name] = narrowing{f.function.checked(later, "E_"+f.name), of.name}
			served = append(served, emulation{f.name, "*", of.name})
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
			text = exchanged(f.function, of.name, strings.ToLower(parts[2]))
		case f.function.has("OP", "in") != nil && f.function.has("COMM", "in") != nil && f.function.has("REQUEST", "out") != nil:
			text = reducedLater(small.function, f.function)
		default:
			var ok bool
			if text, ok = narrowed(of.function, f.function); !ok {
				continue
			}
		}
		functions.WriteString(text)
		entry := "N_" + f.name
		if f.function.Narrow == NarrowHand {
			entry = f.function.checked(later, entry)
		}
		entries[f.name] = narrowing{entry, of.name}
		served = append(served, emulation{f.name, "*", of.name})
	}
	if len(entries) > 0 {
		for _, header := range []string{"emulate.h", "large.h", "large_types.h", "exchange.h", "reduce.h"} {
			w.line("#include \"%s\"", header)
		}
	}
	w.WriteString(functions.String())
	w.WriteString(later.String())
	w.emulations(served)
	return w.Bytes(), entries, nil
}

// narrowHead is the definition of f's narrow form up to the brace.
func narrowHead(f *Function) string {
	return fmt.Sprintf("\nint N_%s(%s)\n{", f.Name, strings.Join(f.declarations(), ", "))
}

// exchanged is the large-count function f by way of called, which has a datatype
// for each peer. A nonblocking one is a request of ours.
func exchanged(f *Function, called, kind string) string {
	names := f.names()
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
	w := &writer{}
	if n == len(names) {
		w.line("%s", narrowHead(f))
		w.line("    EXCHANGE x = {0};\n    const int wrong = %s(&x, %s);", kind, given)
		w.line("    if (unlikely(wrong))\n        return wi4go_raise(WI4GO_COMM, comm, wrong);")
		w.line("    return %s;\n}", call("x.", "comm"))
		return w.String()
	}
	w.line("\nstatic int begin_%s(struct persistent *r, %s)\n{", f.Name, strings.Join(f.declarations()[:n], ", "))
	w.line("    if (!r->exchange) {\n        r->exchange = exchange_new();\n        const int wrong = %s(r->exchange, %s);", kind, given)
	w.line("        if (unlikely(wrong)) {\n            exchange_free(r);\n            return wi4go_raise(WI4GO_COMM, comm, wrong);\n        }\n    }")
	w.line("    const struct exchange *x = apart(r->exchange);\n    return %s;\n}", call("x->", "comm, &r->request.inner[0]"))
	w.line("%s", narrowHead(f))
	w.line("    struct persistent *r = (struct persistent *)wi4go_request_new(&exchanging, 0);\n    return begun(r, begin_%s(r, %s), request);\n}", f.Name, given)
	return w.String()
}

// persistentLarge writes the persistent collective f, whose arrays are as
// long as those of the small one.
func (w *writer) persistentLarge(in *Input, small, f *Function) error {
	whole := *f
	whole.Params = slices.Clone(f.Params)
	for i := range whole.Params {
		whole.Params[i].Length = small.Params[i].Length
	}
	if err := persistent(w, &whole, f.startedAs(in)); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	return nil
}

// reducedLater is the nonblocking reduction f, of a large count by pieces that
// are all begun at once.
func reducedLater(small, f *Function) string {
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
	w := &writer{}
	w.line("\nstatic int begin_%s(struct persistent *r, %s)\n{", f.Name, strings.Join(f.declarations()[:last], ", "))
	w.line("    struct piece piece = {0, 0, 0};\n    MPI_Aint extent = 0;\n    int rc = 0, wrong = out_of_range(count, datatype, &extent);")
	w.line("    if (wrong)\n        return wi4go_raise(WI4GO_COMM, comm, wrong);")
	w.line("    r->pieces = pieces_new(1, count);")
	w.line("    while (!rc && next_piece(&piece, count, extent))\n        rc = %s(%s);\n    return rc;\n}", small.Name, strings.Join(pieces, ", "))
	w.line("%s", narrowHead(f))
	w.line("    if (likely(FITS(count)))\n        return %s(%s);", small.Name, strings.Join(whole, ", "))
	w.line("    struct persistent *r = reduction_new(datatype);\n    return begun(r, begin_%s(r, %s), request);\n}", f.Name, strings.Join(f.names()[:last], ", "))
	return w.String()
}

// narrowed is the large-count function f by way of the small one; false where
// it cannot be had.
func narrowed(small, f *Function) (string, bool) {
	if len(small.Params) != len(f.Params) {
		return "", false
	}
	var given, first, then, fits, after, wrong []string
	var before, instead []string
	counted := "" // what has the count of the datatype that comes next
	reduces := f.has("OP", "in") != nil && f.has("WIN", "in") == nil
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
	w := &writer{}
	w.line("%s", narrowHead(f))
	for _, line := range before {
		w.line("    %s", line)
	}
	if len(fits) > 0 {
		w.line("    if (unlikely(!(%s))) {", strings.Join(fits, " && "))
		switch {
		case reduces:
			w.line("        struct piece piece = {0, 0, 0};\n        MPI_Aint extent = 0;\n        int rc = 0, wrong = out_of_range(count, datatype, &extent);")
			w.line("        if (wrong)\n            return wi4go_raise(%s, wrong);", f.raisedBy())
			w.line("        while (!rc && next_piece(&piece, count, extent))\n            rc = %s(%s);\n        return rc;", small.Name, strings.Join(then, ", "))
		case len(instead) > 0:
			for _, line := range instead {
				w.line("        %s", line)
			}
			all := strings.Join(wrong, " | ")
			w.line("        if (%s)\n            return wi4go_raise(%s, %s);", all, f.raisedBy(), firstOf(wrong))
			if f.has("FILE", "in") != nil && f.has("REQUEST", "out") != nil {
				w.line("        MPI_Request begun = MPI_REQUEST_NULL;\n        int rc = %s(%s, &begun);", small.Name, strings.Join(first[:len(first)-1], ", "))
				w.line("        return keep_large(&large_count, rc, begun, request);")
			} else {
				w.line("        return %s(%s);", small.Name, strings.Join(first, ", "))
			}
		default:
			w.line("        return REFUSE(%s)(%s);", f.Name, strings.Join(f.names(), ", "))
		}
		w.line("    }")
	}
	call := fmt.Sprintf("%s(%s)", small.Name, strings.Join(given, ", "))
	if len(after) == 0 {
		w.line("    return %s;\n}", call)
		return w.String(), true
	}
	w.line("    int rc = %s;", call)
	for _, line := range after {
		w.line("    %s", line)
	}
	w.line("    return rc;\n}")
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
func significant(q *Param) string {
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
