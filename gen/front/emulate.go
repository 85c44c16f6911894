package front

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"wi4go/abi"
	"wi4go/gen/ctypes"
	"wi4go/gen/model"
	"wi4go/gen/output"
)

// frontMPI writes the header by which C of a front calls the front's functions:
// mpi.h's names for the types, constants and handles of its family, and each
// function by way of its slot.
func (s printer) frontMPI() []byte {
	w := &output.Writer{}
	w.WriteString(output.Banner("MPI as the " + s.Front.Family + " front's own C uses it."))
	w.Line("#ifndef WI4GO_FRONT_MPI_H\n#define WI4GO_FRONT_MPI_H")
	w.Line("#include \"front.h\"\n#include \"slots.h\"\n#include \"mpi_types.h\"\n#include <string.h>")
	w.Line("#define HANDLE_BITS %d", s.Front.HandleBits)
	ctypes.Sides(w, s.Front, s.Front)
	for _, kind := range model.HandleKinds {
		w.Line("typedef A_%s %s;", model.HandleTypes[kind], model.HandleTypes[kind])
	}
	w.Line("typedef A_MPI_Status MPI_Status;")
	for _, name := range slices.Sorted(maps.Keys(s.Front.Constants)) {
		w.Line("#define %s (%s)", name, ctypes.Number(s.Front, name, s.Front.Constants[name], "wi4go_program_is_draft"))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Front.Pointers)) {
		a := s.Front.Pointers[name]
		if a.Symbol != "" {
			w.Line("extern void *%s;", a.Symbol)
			if a.Symbol != name {
				w.Line("#define %s %s", name, a.Symbol)
			}
			continue
		}
		w.Line("#define %s %s", name, ctypes.Address("", name, a))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Front.Callbacks)) {
		if c := s.Front.Callbacks[name]; c.Value != nil {
			w.Line("#define %s ((void *)%d)", name, *c.Value)
		} else {
			w.Line("extern char %s[];\n#define %s ((void *)%s)", c.Symbol, name, c.Symbol)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Front.Handles)) {
		h := s.Front.Handles[name]
		switch {
		case !slices.Contains(model.HandleKinds, h.Kind):
		case h.Symbol != "":
			w.Line("extern char %s[];\n#define %s ((%s)(intptr_t)%s)", h.Symbol, name, model.HandleTypes[h.Kind], h.Symbol)
		default:
			w.Line("#define %s ((%s)%s)", name, model.HandleTypes[h.Kind], ctypes.Number(s.Front, name, *h.Value, "wi4go_program_is_draft"))
		}
	}
	for i, slot := range s.List {
		if slot.Function != nil && slot.Function.Has("VARARGS", "in") == nil {
			f := slot.Function
			w.Line("typedef %s %s_t(%s);", ctypes.Of(f.Returns, "A"), f.Name, strings.Join(ctypes.Declarations(f), ", "))
			if slot.Exported {
				w.Line("#define %s ((%s_t *)wi4go_inner[%d])", f.Name, f.Name, i)
			}
		}
	}
	for _, slot := range s.List {
		f := slot.Function
		for _, layer := range slot.Layers() {
			w.Line("extern %[1]s_t %[2]s_%[1]s HIDDEN, below_%[2]s_%[1]s HIDDEN;", f.Name, layer.Name)
		}
		if f == nil || !slot.Exported {
			continue
		}
		if f.Emulated {
			w.Line("extern %s_t E_%s HIDDEN, checked_%s HIDDEN;", f.Name, f.Name, f.Name)
		} else if f.Small != "" {
			w.Line("extern %s_t N_%s HIDDEN, checked_%s HIDDEN;", f.Name, f.Name, f.Name)
		}
	}
	var moments []string
	for _, m := range model.Moments {
		moments = append(moments, m.Name)
	}
	w.Line("/* When layers are put over functions, and what must hold for those of each. */")
	w.Line("enum wi4go_moment { %s };", strings.Join(moments, ", "))
	for _, layer := range model.Layers {
		if layer.If != "" {
			w.Line("int wi4go_wants_%s(const struct wi4go_pair *pair) HIDDEN; /* %s */", layer.Name, layer.If)
		}
	}
	w.Line("#endif")
	return w.Bytes()
}

// emulation writes the tables of what the front does itself where the runtime's
// library lacks a function (shim/emulate), and the persistent collectives.
func (s printer) emulation(in *model.Input) (text []byte, entries map[string]string, err error) {
	w := &output.Writer{}
	w.WriteString(output.Banner("Newer functions over libraries that lack them, in programs of the " + s.Front.Family + " family."))
	w.Line("#include \"emulate.h\"")
	entries = map[string]string{}
	rows := map[string][]string{}
	var served []output.Emulation
	for _, slot := range s.List {
		f := slot.Function
		for _, layer := range slot.Layers() {
			if !slot.Exported {
				continue
			}
			rows[layer.Name] = append(rows[layer.Name], fmt.Sprintf("    {SLOT_%[1]s, LINK_%[2]s_%[1]s, (void *)%[2]s_%[1]s},", f.Name, layer.Name))
		}
		if f == nil || !slot.Exported || !f.Emulated {
			continue
		}
		if started := in.Function(f.Starts); started != nil {
			if err := persistent(w, f, started); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", f.Name, err)
			}
		}
		entries[f.Name] = checked(w, s.Front, f, "E_"+f.Name)
		served = append(served, output.Emulation{Function: f.Name, Runtime: "*", Of: "-"})
	}
	chain(w, rows)
	output.WriteEmulations(w, served)
	return w.Bytes(), entries, nil
}

// chain writes the table of layers, the lowest first. rows: of each layer.
func chain(w *output.Writer, rows map[string][]string) {
	for _, layer := range model.Layers {
		w.Line("static const struct wi4go_layer layer_%s[] = {\n%s\n};", layer.Name, strings.Join(append(rows[layer.Name], "    {0, 0, 0},"), "\n"))
	}
	w.Line("const struct wi4go_chain wi4go_chain[] = {")
	for _, layer := range model.Layers {
		wants := "0"
		if layer.If != "" {
			wants = "wi4go_wants_" + layer.Name
		}
		w.Line("    {\"%[1]s\", %[2]s, %[3]s, layer_%[1]s},", layer.Name, model.Moments[layer.When].Name, wants)
	}
	w.Line("    {0, 0, 0, 0},\n};")
}

// checked gives the function that serves f without a fault where a pointer is null
// that must not be, as a library's does: the given one, or one that it writes. A
// function that raises its errors by the handler of a session, or by one that it is
// given, looks itself.
func checked(w *output.Writer, front *abi.Family, f *model.Function, given string) string {
	handler := func(q model.Param) bool {
		return q.Role == "ERRHANDLER" || q.Role == "SESSION" && f.Chapter == "dynamic-processes"
	}
	if f.Returns != "int" || f.Chapter == "tool" || slices.ContainsFunc(f.Params, handler) {
		return given
	}
	nulls := map[string][]string{} // by the class of the error
	for _, q := range f.Params {
		class := nullError(front, f, &q)
		switch {
		case q.Role == "STATUS" && q.Length.Param != "":
			nulls[class] = append(nulls[class], fmt.Sprintf("(%s > 0 && !%s && MPI_STATUSES_IGNORE)", q.Length.Param, q.Name))
		case !q.IsPointer(), slices.Contains([]string{"BUFFER", "BUFFER_OR_IN_PLACE", "STATUS", "FUNCTION", "STRING", "ARGV", "EXTRA_STATE"}, q.Role):
		case q.Length.Param != "":
			nulls[class] = append(nulls[class], fmt.Sprintf("(%s > 0 && !%s)", q.Length.Param, q.Name))
		case q.Length.Size != "":
			n, _ := elements(&q) // it has a size
			nulls[class] = append(nulls[class], fmt.Sprintf("(!%s && %s > 0)", q.Name, n))
		case q.Length == model.Length{} && q.Dir != "in":
			nulls[class] = append(nulls[class], "!"+q.Name)
		}
	}
	if len(nulls) == 0 {
		return given
	}
	var refused []string
	for _, class := range slices.Sorted(maps.Keys(nulls)) {
		refused = append(refused, fmt.Sprintf("if (unlikely(%s))\n        return wi4go_raise(%s, %s);", strings.Join(nulls[class], " || "), f.RaisedBy(), class))
	}
	w.Fill(template("checked"), map[string]string{
		"function": f.Name, "parameters": strings.Join(ctypes.Declarations(f), ", "), "refused": strings.Join(refused, "\n    "),
		"given": given, "arguments": strings.Join(f.Names(), ", "),
	})
	return "checked_" + f.Name
}

// nullError is the class of the error of a null pointer for an argument.
func nullError(front *abi.Family, f *model.Function, q *model.Param) string {
	class := front.Traits.NullErrors[q.Role]
	if class == "" || q.Dir != "out" || q.Role == "REQUEST" && f.Chapter != "point-to-point" {
		return "MPI_ERR_ARG"
	}
	return class
}

// persistent writes a persistent collective (MPI-5.0, 6.13): a record of the
// arguments, of which each start makes a nonblocking operation.
func persistent(w *output.Writer, f, started *model.Function) error {
	var members, keep, given, begins []string
	for _, q := range f.Params {
		if q.Role == "INFO" || q.Role == "REQUEST" || q.Role == "COMM" {
			continue
		}
		lines, err := keeps(&q)
		if err != nil {
			return fmt.Errorf("parameter %s: %w", q.Name, err)
		}
		keep = append(keep, lines...)
		members = append(members, ctypes.Declaration(ctypes.Of(q.Type, "A"), q.Name)+";")
	}
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
	if len(given) > 2 {
		begins = append(begins, fmt.Sprintf("struct args_%s *p = (struct args_%s *)request;", f.Name, f.Name))
	} else {
		begins = append(begins, "struct persistent *base = (struct persistent *)request;")
		given[0] = "base->comm"
	}
	begin, hooks := "", ".discard = wi4go_persistent_discard"
	switch {
	case f.Small != "" && f.IsReduction():
		// The pieces of the start before are gone.
		begins = append(begins, "pieces_free(p->base.pieces);", "p->base.pieces = NULL;")
		begin, hooks = "begin_", ".ready = wi4go_pieces_ready, .complete = wi4go_pieces_complete, .discard = wi4go_pieces_discard"
	case started.Exchange != model.Exchange{}:
		begin, hooks = "begin_", ".discard = exchange_discard"
	}
	if begin != "" { // which puts the request where it belongs
		given = append([]string{"&p->base"}, given[:len(given)-1]...)
	}
	w.Fill(template("persistent"), map[string]string{
		"function": f.Name, "parameters": strings.Join(ctypes.Declarations(f), ", "), "members": output.Indented(members),
		"begins": output.Indented(begins), "started": begin + started.Name, "arguments": strings.Join(given, ", "), "hooks": hooks,
		"comm": f.Has("COMM", "in").Name, "request": f.Has("REQUEST", "out").Name,
		"neighbours": fmt.Sprint(output.Bit(f.Chapter == "topologies")), "keep": output.Indented(keep),
	})
	return nil
}

// keeps are the lines that keep an argument of a persistent collective.
func keeps(q *model.Param) ([]string, error) {
	if q.Length != (model.Length{}) {
		n, err := elements(q)
		if err != nil {
			return nil, err
		}
		lines := []string{fmt.Sprintf("p->%s = wi4go_keep(&p->base.request, %s, %s, sizeof *%s);", q.Name, q.Name, n, q.Name)}
		if q.Role == "DATATYPE" {
			lines = append(lines, fmt.Sprintf("wi4go_hold_types(&p->base.request, p->%s, %s);", q.Name, n))
		}
		return lines, nil
	}
	if q.IsPointer() && !q.IsChoice() {
		return nil, fmt.Errorf("an array without a length")
	}
	lines := []string{fmt.Sprintf("p->%s = %s;", q.Name, q.Name)}
	if free := map[string]string{"DATATYPE": "MPI_Type_free", "OP": "MPI_Op_free"}[q.Role]; free != "" {
		lines = append(lines, fmt.Sprintf("wi4go_hold(&p->base.request, SLOT_%s, %s);", free, q.Name))
	}
	return lines, nil
}

// elements is the number of elements of an array of a collective, in C.
func elements(q *model.Param) (string, error) {
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
