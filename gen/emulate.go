package gen

import (
	"fmt"
	"slices"
	"strings"
)

// ownMPI writes the header by which C of a front calls the front's functions:
// mpi.h's names for the types, constants and handles of its family, and each
// function by way of its slot.
func (s *slots) ownMPI(in *Input) []byte {
	w := &writer{}
	w.WriteString(banner("MPI as the " + s.front.Family + " front's own C uses it."))
	w.line("#ifndef WI4GO_OWN_MPI_H\n#define WI4GO_OWN_MPI_H")
	w.line("#include \"front.h\"\n#include \"slots.h\"\n#include \"mpi_types.h\"\n#include <string.h>")
	p := &pair{in: in, slots: s, a: s.front, r: s.front}
	w.line("#define HANDLE_BITS %d", s.front.HandleBits)
	p.types(w)
	for _, kind := range handleKinds {
		w.line("typedef A_%s %s;", handleTypes[kind], handleTypes[kind])
	}
	w.line("typedef A_MPI_Status MPI_Status;")
	for _, name := range sortedKeys(s.front.Constants) {
		w.line("#define %s (%s)", name, number(s.front, name, s.front.Constants[name], "wi4go_program_is_draft"))
	}
	for _, name := range sortedKeys(s.front.Pointers) {
		a := s.front.Pointers[name]
		if a.Symbol != "" {
			w.line("extern void *%s;", a.Symbol)
			if a.Symbol != name {
				w.line("#define %s %s", name, a.Symbol)
			}
			continue
		}
		w.line("#define %s %s", name, addressOf("", name, a))
	}
	for _, name := range sortedKeys(s.front.Callbacks) {
		if c := s.front.Callbacks[name]; c.Value != nil {
			w.line("#define %s ((void *)%d)", name, *c.Value)
		}
	}
	for _, name := range sortedKeys(s.front.Handles) {
		h := s.front.Handles[name]
		switch {
		case !slices.Contains(handleKinds, h.Kind):
		case h.Symbol != "":
			w.line("extern char %s[];\n#define %s ((%s)(intptr_t)%s)", h.Symbol, name, handleTypes[h.Kind], h.Symbol)
		default:
			w.line("#define %s ((%s)%s)", name, handleTypes[h.Kind], number(s.front, name, *h.Value, "wi4go_program_is_draft"))
		}
	}
	for _, slot := range s.list {
		if slot.function != nil && slot.function.has("VARARGS", "in") == nil {
			f := slot.function
			w.line("typedef %s %s_t(%s);", ctype(f.Returns, "A"), f.Name, strings.Join(f.declarations(), ", "))
			if slot.exported {
				w.line("extern %s_t own_%s HIDDEN;\n#define %s own_%s", f.Name, f.Name, f.Name, f.Name)
			}
		}
	}
	for _, slot := range s.list {
		f := slot.function
		for _, layer := range slot.layers() {
			w.line("extern %s_t %s_%s HIDDEN, below_%s_%s HIDDEN;", f.Name, layer, f.Name, layer, f.Name)
		}
		if f == nil || !slot.exported {
			continue
		}
		if f.Emulated {
			w.line("extern %s_t E_%s HIDDEN, checked_%s HIDDEN;", f.Name, f.Name, f.Name)
		} else if s.isLarge(f) {
			w.line("extern %s_t N_%s HIDDEN, checked_%s HIDDEN;", f.Name, f.Name, f.Name)
		}
	}
	for _, layer := range layers {
		w.line("extern const struct wi4go_layer wi4go_layer_%s[] HIDDEN;", layer)
	}
	w.line("#endif")
	return w.Bytes()
}

// declarations are the function's parameters in C, in the front's own types.
func (f *Function) declarations() []string {
	var declared []string
	for _, q := range f.Params {
		declared = append(declared, declaration(ctype(q.Type, "A"), q.Name))
	}
	if len(declared) == 0 {
		return []string{"void"}
	}
	return declared
}

// names are the function's arguments.
func (f *Function) names() []string {
	var names []string
	for _, q := range f.Params {
		names = append(names, q.Name)
	}
	return names
}

// emulation writes the tables of what the front does itself where the runtime's
// library lacks a function (shim/emulate), and the persistent collectives.
func (s *slots) emulation(in *Input) (text []byte, entries map[string]string, err error) {
	w := &writer{}
	w.WriteString(banner("Newer functions over libraries that lack them, in programs of the " + s.front.Family + " family."))
	w.line("#include \"emulate.h\"")
	entries = map[string]string{}
	rows := map[string][]string{}
	var served []emulation
	for _, slot := range s.list {
		f := slot.function
		for _, layer := range slot.layers() {
			if !slot.exported {
				continue
			}
			rows[layer] = append(rows[layer], fmt.Sprintf("    {SLOT_%s, LINK_%s_%s, (void *)%s_%s},", f.Name, layer, f.Name, layer, f.Name))
		}
		if f == nil || !slot.exported || !f.Emulated {
			continue
		}
		if started := f.startedAs(in); started != nil {
			if err := persistent(w, f, started); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", f.Name, err)
			}
		}
		entries[f.Name] = f.checked(w, "E_"+f.Name)
		served = append(served, emulation{f.Name, "*", "-"})
	}
	for _, layer := range layers {
		w.line("const struct wi4go_layer wi4go_layer_%s[] = {\n%s\n};", layer, strings.Join(append(rows[layer], "    {0, 0, 0},"), "\n"))
	}
	w.emulations(served)
	return w.Bytes(), entries, nil
}

// isLarge says that a function is the one with large counts of another.
func (s *slots) isLarge(f *Function) bool {
	return slices.ContainsFunc(s.list, func(small slot) bool { return small.function != nil && small.function.Large == f.Name })
}

// checked gives the function that stands for f and does not fault where pointers
// must not be null, as a library does not: the given one, or one that it writes.
// What raises its errors by the handler of a session, or one that it is given,
// looks itself.
func (f *Function) checked(w *writer, given string) string {
	handler := func(q Param) bool {
		return q.Role == "ERRHANDLER" || q.Role == "SESSION" && f.Chapter == "dynamic-processes"
	}
	if f.Returns != "int" || f.Chapter == "tool" || slices.ContainsFunc(f.Params, handler) {
		return given
	}
	var nulls []string
	for _, q := range f.Params {
		switch {
		case q.Role == "STATUS" && q.Length.Param != "":
			nulls = append(nulls, fmt.Sprintf("(%s > 0 && !%s && MPI_STATUSES_IGNORE)", q.Length.Param, q.Name))
		case !strings.HasSuffix(q.Type, "*"), slices.Contains([]string{"BUFFER", "BUFFER_OR_IN_PLACE", "STATUS", "FUNCTION", "STRING", "ARGV", "EXTRA_STATE"}, q.Role):
		case q.Length.Param != "":
			nulls = append(nulls, fmt.Sprintf("(%s > 0 && !%s)", q.Length.Param, q.Name))
		case q.Length == Length{} && q.Dir != "in":
			nulls = append(nulls, "!"+q.Name)
		}
	}
	if len(nulls) == 0 {
		return given
	}
	w.line("int checked_%s(%s)\n{", f.Name, strings.Join(f.declarations(), ", "))
	w.line("    if (unlikely(%s))\n        return wi4go_raise(%s, MPI_ERR_ARG);", strings.Join(nulls, " || "), f.raisedBy())
	w.line("    return %s(%s);\n}", given, strings.Join(f.names(), ", "))
	return "checked_" + f.Name
}

// startedAs is the nonblocking collective that a start of the persistent one f
// is; nil when f is no persistent collective.
func (f *Function) startedAs(in *Input) *Function {
	small, large := strings.CutSuffix(f.Name, "_c")
	name, ok := strings.CutSuffix(small, "_init")
	if !ok || f.Chapter != "collectives" && f.Chapter != "topologies" {
		return nil
	}
	name = strings.TrimPrefix(name, "MPI_")
	name = "MPI_I" + strings.ToLower(name[:1]) + name[1:]
	if large {
		name += "_c"
	}
	for i := range in.Functions {
		if in.Functions[i].Name == name {
			return &in.Functions[i]
		}
	}
	return nil
}

// persistent writes a persistent collective (MPI-5.0, 6.13): a record of the
// arguments, of which each start makes a nonblocking operation.
func persistent(w *writer, f, started *Function) error {
	w.line("\nstruct args_%s {\n    struct persistent base;", f.Name)
	var keep, given []string
	for _, q := range f.Params {
		t := ctype(q.Type, "A")
		switch {
		case q.Role == "INFO" || q.Role == "REQUEST" || q.Role == "COMM":
			continue
		case q.Length != Length{}:
			n, err := elements(&q)
			if err != nil {
				return fmt.Errorf("parameter %s: %w", q.Name, err)
			}
			keep = append(keep, fmt.Sprintf("p->%s = wi4go_keep(&p->base.request, %s, %s, sizeof *%s);", q.Name, q.Name, n, q.Name))
			if q.Role == "DATATYPE" {
				keep = append(keep, fmt.Sprintf("wi4go_hold_types(&p->base.request, p->%s, %s);", q.Name, n))
			}
		case strings.HasSuffix(t, "*") && !strings.HasPrefix(q.Role, "BUFFER"):
			return fmt.Errorf("parameter %s: an array without a length", q.Name)
		default:
			keep = append(keep, fmt.Sprintf("p->%s = %s;", q.Name, q.Name))
			if q.Role == "DATATYPE" || q.Role == "OP" {
				keep = append(keep, fmt.Sprintf("wi4go_hold(&p->base.request, SLOT_%s, %s);", map[string]string{"DATATYPE": "MPI_Type_free", "OP": "MPI_Op_free"}[q.Role], q.Name))
			}
		}
		w.line("    %s;", declaration(t, q.Name))
	}
	w.line("};")
	for _, q := range started.Params {
		switch q.Role {
		case "COMM":
			given = append(given, "p->base.comm")
		case "REQUEST":
			given = append(given, "&request->inner[0]")
		default:
			given = append(given, "p->"+q.Name)
		}
	}
	w.line("static int start_%s(struct emulated *request)\n{", f.Name)
	if len(given) > 2 {
		w.line("    struct args_%s *p = (struct args_%s *)request;", f.Name, f.Name)
	} else {
		w.line("    struct persistent *base = (struct persistent *)request;")
		given[0] = "base->comm"
	}
	begin, hooks := "", ".discard = wi4go_persistent_discard"
	switch {
	case strings.HasSuffix(f.Name, "_c") && f.has("OP", "in") != nil:
		// The pieces of the start before are gone.
		w.line("    pieces_free(p->base.pieces);\n    p->base.pieces = NULL;")
		begin, hooks = "begin_", ".ready = wi4go_pieces_ready, .complete = wi4go_pieces_complete, .discard = wi4go_pieces_discard"
	case exchange.MatchString(started.Name):
		begin, hooks = "begin_", ".discard = exchange_discard"
	}
	if begin != "" { // which puts the request where it belongs
		given = append([]string{"&p->base"}, given[:len(given)-1]...)
	}
	w.line("    return %s%s(%s);\n}", begin, started.Name, strings.Join(given, ", "))
	w.line("static const struct emulated_kind kind_%s = {.size = sizeof(struct args_%s), .start = start_%s, %s};", f.Name, f.Name, f.Name, hooks)
	w.line("int E_%s(%s)\n{", f.Name, strings.Join(f.declarations(), ", "))
	w.line("    struct args_%s *p;", f.Name)
	w.line("    int rc = wi4go_persistent_new((struct persistent **)&p, &kind_%s, comm, %d);", f.Name, is(f.Chapter == "topologies"))
	w.line("    if (rc)\n        return rc;")
	for _, line := range keep {
		w.line("    %s", line)
	}
	w.line("    *request = p->base.request.handle;\n    return MPI_SUCCESS;\n}")
	return nil
}

// elements is the number of elements of an array of a collective, in C.
func elements(q *Param) (string, error) {
	if q.Length.Size == "" {
		return "", fmt.Errorf("an array that is as long as no communicator says")
	}
	n := fmt.Sprintf("wi4go_%s(%s)", q.Length.Size, q.Length.Comm)
	switch {
	case q.Length.Root != "":
		n = fmt.Sprintf("(wi4go_at_root(%s, %s) ? %s : 0)", q.Length.Root, q.Length.Comm, n)
	case q.Length.Unless != "":
		n = fmt.Sprintf("(%s == MPI_IN_PLACE ? 0 : %s)", q.Length.Unless, n)
	}
	return n, nil
}
