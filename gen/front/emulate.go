package front

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"wi4go/gen/ctypes"
	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
)

// frontMPI returns the header by which the front's own C calls MPI. It declares the types, constants
// and handles of the front's family under their names in mpi.h, and calls each function through
// the inner door.
func (s printer) frontMPI() []byte {
	w := &output.Writer{}
	w.WriteString(output.Banner("MPI for the C of the " + s.Front.Family + " front."))
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
		if slot.Function != nil && !slot.Function.IsVariadic() {
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
			w.Line("extern %s_t via_int_%s HIDDEN, checked_%s HIDDEN;", f.Name, f.Name, f.Name)
		}
	}
	var moments []string
	for _, m := range model.Moments {
		moments = append(moments, m.Name)
	}
	w.Line("/* The times at which layers are installed, and for each layer whether the library needs it. */")
	w.Line("enum wi4go_moment { %s };", strings.Join(moments, ", "))
	for _, layer := range model.Layers {
		if layer.If != "" {
			w.Line("int wi4go_needs_layer_%s(const struct wi4go_pair *pair) HIDDEN; /* %s */", layer.Name, layer.If)
		}
	}
	w.Line("#endif")
	return w.Bytes()
}

// emulation returns the C with the tables of the layers and with the persistent collectives and
// checks of emulated functions (shim/emulate). entries has, by function, the name of the C function
// to use if the runtime lacks the function.
func (s printer) emulation(in *model.Input) (text []byte, entries map[string]string, err error) {
	w := &output.Writer{}
	w.WriteString(output.Banner("Newer functions over libraries that lack them, in programs of the " + s.Front.Family + " family."))
	w.Line("#include \"emulate.h\"")
	entries = map[string]string{}
	rows := map[string][]string{}
	var emulations []output.Emulation
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
			if err := writePersistent(w, f, started); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", f.Name, err)
			}
		}
		entries[f.Name] = writeChecked(w, f, plan.NullChecks(s.Front, f), "E_"+f.Name)
		emulations = append(emulations, output.Emulation{Function: f.Name, Runtime: "*", Requires: "-"})
	}
	writeChain(w, rows)
	output.WriteEmulations(w, emulations)
	return w.Bytes(), entries, nil
}

// writeChain writes the table of layers, the lowest first. rows holds the table rows of each layer's
// functions, by the layer's name.
func writeChain(w *output.Writer, rows map[string][]string) {
	for _, layer := range model.Layers {
		w.Line("static const struct wi4go_layer layer_%s[] = {\n%s\n};", layer.Name, strings.Join(append(rows[layer.Name], "    {0, 0, 0},"), "\n"))
	}
	w.Line("const struct wi4go_chain wi4go_chain[] = {")
	for _, layer := range model.Layers {
		condition := "0"
		if layer.If != "" {
			condition = "wi4go_needs_layer_" + layer.Name
		}
		w.Line("    {\"%[1]s\", %[2]s, %[3]s, layer_%[1]s},", layer.Name, model.Moments[layer.When].Name, condition)
	}
	w.Line("    {0, 0, 0, 0},\n};")
}

// writePersistent writes a persistent collective (MPI-5.0, 6.13) as E_MPI_X. The function stores its
// arguments in a record, and each start calls the nonblocking operation started with them.
func writePersistent(w *output.Writer, f, started *model.Function) error {
	var members, keep, arguments, begins []string
	how, err := plan.Persist(f, started)
	if err != nil {
		return err
	}
	for _, k := range how.Stored {
		lines, err := storeLines(k)
		if err != nil {
			return fmt.Errorf("parameter %s: %w", k.Param.Name, err)
		}
		keep = append(keep, lines...)
		members = append(members, ctypes.Declaration(ctypes.Of(k.Param.Type, "A"), k.Param.Name)+";")
	}
	for _, q := range how.StartArguments {
		switch q.Origin {
		case plan.FromComm:
			arguments = append(arguments, "p->base.comm")
		case plan.FromRequest:
			arguments = append(arguments, "&request->inner[0]")
		case plan.FromStored:
			arguments = append(arguments, "p->"+q.Name)
		}
	}
	if len(arguments) > 2 {
		begins = append(begins, fmt.Sprintf("struct args_%s *p = (struct args_%s *)request;", f.Name, f.Name))
	} else {
		begins = append(begins, "struct persistent *base = (struct persistent *)request;")
		arguments[0] = "base->comm"
	}
	begin, hooks := "", ".discard = wi4go_persistent_discard"
	switch {
	case f.Small != "" && f.IsReduction():
		// Each start makes new pieces, so free the pieces of the previous start.
		begins = append(begins, "pieces_free(p->base.pieces);", "p->base.pieces = NULL;")
		begin, hooks = "begin_", ".ready = wi4go_pieces_ready, .complete = wi4go_pieces_complete, .discard = wi4go_pieces_discard"
	case started.Exchange != model.Exchange{}:
		begin, hooks = "begin_", ".discard = exchange_discard"
	}
	if begin != "" { // begin_X takes the record first, and stores the request in it
		arguments = append([]string{"&p->base"}, arguments[:len(arguments)-1]...)
	}
	w.Fill(template("persistent"), map[string]string{
		"function": f.Name, "parameters": strings.Join(ctypes.Declarations(f), ", "), "members": output.Indented(members),
		"begins": output.Indented(begins), "started": begin + started.Name, "arguments": strings.Join(arguments, ", "), "hooks": hooks,
		"comm": how.Comm, "request": how.Request,
		"neighbours": fmt.Sprint(output.Bit(f.Chapter == "topologies")), "keep": output.Indented(keep),
	})
	return nil
}

// storeLines returns the C statements that store an argument of a persistent collective. It returns an
// error for an array of unknown length.
func storeLines(k plan.StoredArgument) ([]string, error) {
	q := k.Param
	if q.Length != (model.Length{}) {
		n, err := elements(q.Length)
		if err != nil {
			return nil, err
		}
		lines := []string{fmt.Sprintf("p->%s = wi4go_request_copy(&p->base.request, %s, %s, sizeof *%s);", q.Name, q.Name, n, q.Name)}
		if k.Free != "" { // an array of datatypes: operations never are in arrays
			lines = append(lines, fmt.Sprintf("wi4go_request_hold_types(&p->base.request, p->%s, %s);", q.Name, n))
		}
		return lines, nil
	}
	if q.IsPointer() && !q.IsChoice() {
		return nil, fmt.Errorf("the array needs a length")
	}
	lines := []string{fmt.Sprintf("p->%s = %s;", q.Name, q.Name)}
	if k.Free != "" {
		lines = append(lines, fmt.Sprintf("wi4go_request_hold(&p->base.request, SLOT_%s, %s);", k.Free, q.Name))
	}
	return lines, nil
}

// elements returns the C expression for the number of elements of an array in a collective. It
// returns an error if the length does not depend on a communicator.
func elements(l model.Length) (string, error) {
	if l.Size == "" {
		return "", fmt.Errorf("the length of the array does not depend on a communicator")
	}
	n := fmt.Sprintf("wi4go_%s(%s)", l.Size, l.Comm)
	switch {
	case l.Root != "":
		n = fmt.Sprintf("(wi4go_at_root(%s, %s) ? %s : 0)", l.Root, l.Comm, n)
	case l.Unless != "":
		n = fmt.Sprintf("(%s == MPI_IN_PLACE ? 0 : %s)", l.Unless, n)
	}
	return n, nil
}
