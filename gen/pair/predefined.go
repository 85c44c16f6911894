package pair

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

// A predefinedRow is a row of the table of predefined handles.
type predefinedRow struct {
	// name is MPI's name of the handle, and kind its kind.
	name, kind string
	// program and runtime are the handle on the two sides.
	program, runtime cHandle
	// substitute reports whether the runtime's handle is a different, similar one.
	substitute bool
	// fortran is the handle's value in Fortran, or -1.
	fortran int32
	// since is the slot, plus 1, of a function that only those libraries have which know the
	// handle, as a C expression. It is 0 if no check is needed.
	since string
	// older is the handle that libraries without the runtime's handle use.
	older cHandle
}

// cHandle is a handle in C: a symbol or a value. The other is "0".
type cHandle struct{ symbol, value string }

// null reports whether the row is the null handle of its kind.
func (r *predefinedRow) null() bool { return r.name == model.NullName(r.kind) }

// predefined writes the table of predefined handles, which maps the handles of the program's
// family to the runtime's, and the macros for handles that C names. It returns an error if a
// handle has no counterpart.
func (p *Pair) predefined(w *output.Writer) error {
	rows, err := p.predefinedRows()
	if err != nil {
		return err
	}
	p.nameHandles(w, rows)
	// Null handles come last. If one shares its place in a table with another handle, a search
	// finds the other first.
	slices.SortStableFunc(rows, func(a, b predefinedRow) int { return output.Bit(a.null()) - output.Bit(b.null()) })
	rows = append(rows, p.olderStorage(rows)...)
	writePredefined(w, rows)
	p.similarDatatypes(w)
	p.numbersInLibrary(w)
	p.usedByHand(w)
	p.lookedUpHandles(w)
	return nil
}

// namesOfSymbols returns, for each symbol of the program's handles, the name whose meaning it has. It
// prefers a name that the runtime's family has.
func (p *Pair) namesOfSymbols() map[string]string {
	chosen := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(p.A.Handles)) {
		h := p.A.Handles[name]
		if h.Symbol == "" {
			continue
		}
		_, known := p.R.Handles[name]
		if _, done := chosen[h.Symbol]; !done || known && p.R.Handles[chosen[h.Symbol]].Kind == "" {
			chosen[h.Symbol] = name
		}
	}
	return chosen
}

// predefinedRows returns the rows of the program's handles, sorted by name.
func (p *Pair) predefinedRows() (rows []predefinedRow, err error) {
	chosen := p.namesOfSymbols()
	for _, name := range slices.Sorted(maps.Keys(p.A.Handles)) {
		h := p.A.Handles[name]
		if !slices.Contains(model.HandleKinds, h.Kind) || h.Symbol != "" && chosen[h.Symbol] != name {
			continue
		}
		// The handle may also be missing in some versions of the runtime's family: older then
		// names its replacement.
		other, ok := p.counterpart(name, h.Kind)
		if !ok {
			return nil, fmt.Errorf("predefined handle %s: family %s has neither this handle nor a null handle of kind %s", name, p.R.Family, h.Kind)
		}
		row := predefinedRow{name: name, kind: h.Kind, program: programHandle(h), runtime: runtimeHandle(p.R.Handles[other]),
			substitute: other != name, fortran: -1, since: "0", older: cHandle{"0", "0"}}
		if last, ok := p.substitute(other, h.Kind); ok && other != model.NullName(h.Kind) {
			row.older, row.since = runtimeHandle(p.R.Handles[last]), p.since(other)
		}
		if h.Fortran != nil {
			row.fortran = int32(*h.Fortran)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// nameHandles writes macros for the program's datatypes and the null handles of both sides.
func (p *Pair) nameHandles(w *output.Writer, rows []predefinedRow) {
	for _, r := range rows {
		a, of := p.A.Handles[r.name], p.R.Handles[r.name]
		switch {
		// C needs names for datatypes and null handles only.
		case !r.null() && r.kind != "DATATYPE":
			continue
		case a.Symbol != "":
			w.Line("extern char %s[];\n#define A_%s ((A_%s)(intptr_t)%s)", a.Symbol, r.name, model.HandleTypes[r.kind], a.Symbol)
		default:
			w.Line("#define A_%s ((A_%s)%s)", r.name, model.HandleTypes[r.kind], r.program.value)
		}
		if !r.null() {
			continue
		}
		if of.Symbol != "" {
			shared(w, "R_"+model.HandleTypes[r.kind]+" ", "R_"+r.name, "")
		} else {
			w.Line("#define R_%s ((R_%s)%s)", r.name, model.HandleTypes[r.kind], r.runtime.value)
		}
	}
}

// olderStorage returns rows for further symbols of the same handles: the names that older
// versions of the family use.
func (p *Pair) olderStorage(rows []predefinedRow) (more []predefinedRow) {
	chosen := p.namesOfSymbols()
	declared := map[string]bool{}
	for _, r := range rows {
		declared[r.program.symbol] = true
	}
	for _, d := range p.A.DataSymbols {
		h, known := p.A.Handles[d.Handle]
		if d.Handle == "" || !known || declared[d.Name] {
			continue
		}
		if i := slices.IndexFunc(rows, func(row predefinedRow) bool { return row.name == chosen[h.Symbol] }); i >= 0 {
			row := rows[i]
			row.program.symbol = d.Name
			more = append(more, row)
			declared[d.Name] = true
		}
	}
	return more
}

// writePredefined writes the table, after the declarations that it needs.
func writePredefined(w *output.Writer, rows []predefinedRow) {
	// The program's symbols are declared before the table, each once.
	symbols := map[string]bool{}
	numbers := int32(0) // one more than the largest Fortran value
	for _, r := range rows {
		if r.program.symbol != "0" {
			symbols[r.program.symbol] = true
		}
		numbers = max(numbers, r.fortran+1)
	}
	for _, symbol := range slices.Sorted(maps.Keys(symbols)) {
		w.Line("extern char %s[];", symbol)
	}
	w.Line("enum kind { KIND_%s, N_KINDS };", strings.Join(model.HandleKinds, ", KIND_"))
	w.Line("#define N_NUMBERS %d", numbers)
	w.Line("/* kind, substitute; the program's storage or value; the runtime's symbol or value; the slot, plus 1, of a\n" +
		"   function that exactly the versions with this handle have; the symbol or value for the other versions */")
	w.Line("#define predefined PAIR(predefined)\n#define N_PREDEFINED %d", len(rows))
	w.Line("struct predefined { unsigned char kind, substitute; MPI_Fint fortran; char *storage; int64_t value; const char *r_symbol; int64_t r_value; " +
		"unsigned since; const char *else_symbol; int64_t else_value; };")
	w.Line("extern const struct predefined predefined[N_PREDEFINED] HIDDEN;\n#if DEFINES_SHARED\nconst struct predefined predefined[N_PREDEFINED] = {")
	for _, r := range rows {
		w.Line("    {KIND_%s, %d, %d, %s, %s, %s, %s, %s, %s, %s}, /* %s */", r.kind, output.Bit(r.substitute), r.fortran,
			r.program.symbol, r.program.value, r.runtime.symbol, r.runtime.value, r.since, r.older.symbol, r.older.value, r.name)
	}
	w.Line("};\n#endif")
}

// numbersInLibrary writes the functions that return a handle's number in the library that is
// loaded.
func (p *Pair) numbersInLibrary(w *output.Writer) {
	w.Line("/* A handle's number in the loaded library. */")
	for _, side := range []struct {
		name   string
		family *abi.Family
	}{{"program", p.A}, {"runtime", p.R}} {
		writeValue(w, side.name+"_s2d", model.DraftOf(side.family, model.HandleValues(side.family)))
		w.Line("#define %s_handle(x) (unlikely(%s_is_draft) ? %s_s2d(x) : (x))", side.name, side.name, side.name)
	}
}

// usedByHand writes macros for the handles that hand-written C uses.
func (p *Pair) usedByHand(w *output.Writer) {
	for _, name := range usedHandles {
		if h := p.R.Handles[name]; h.Symbol != "" {
			shared(w, "int64_t ", "R_"+name, "")
		} else {
			w.Line("#define R_%s ((int64_t)%s)", name, ctypes.Number(p.R, name, *h.Value, "runtime_is_draft"))
		}
	}
	for _, name := range programHandles {
		if h := p.A.Handles[name]; h.Symbol != "" {
			w.Line("#define A_%s ((A_%s)(intptr_t)%s)", name, model.HandleTypes[h.Kind], h.Symbol)
		} else {
			w.Line("#define A_%s ((A_%s)program_handle(%d))", name, model.HandleTypes[h.Kind], *h.Value)
		}
	}
}

// lookedUpHandles writes the table of handles that are addresses in the runtime's library, which
// the front looks up by symbol.
func (p *Pair) lookedUpHandles(w *output.Writer) {
	w.Line("/* The handles that only the runtime has. */")
	w.Line("static const struct { const char *symbol; void *value; } runtime_handles[] = {")
	var names []string
	for _, kind := range model.HandleKinds {
		names = append(names, model.NullName(kind))
	}
	for _, name := range append(names, usedHandles...) {
		if s := p.R.Handles[name].Symbol; s != "" {
			w.Line("    {\"%s\", &R_%s},", s, name)
		}
	}
	w.Line("    {0, 0},\n};")
}

// similarDatatypes writes the table of datatypes that the runtime may replace by a similar one.
func (p *Pair) similarDatatypes(w *output.Writer) {
	w.Line("/* Datatypes that another one may replace: the program's storage or value, its name, the other's. */")
	w.Line("static const struct similar_datatype { char *storage; int64_t value; const char *name, *of; } similar_datatypes[] = {")
	for _, name := range slices.Sorted(maps.Keys(substitutes)) {
		h, ok := p.A.Handles[name]
		if !ok || h.Kind != "DATATYPE" {
			continue
		}
		storage, value := h.Symbol, "0"
		if storage == "" {
			storage, value = "0", fmt.Sprintf("%dll", int64(int32(*h.Value)))
		}
		w.Line("    {%s, %s, \"%s\", \"%s\"},", storage, value, name, substitutes[name])
	}
	w.Line("    {0, 0, 0, 0},\n};")
}

// usedHandles are the runtime's predefined handles that hand-written C uses.
var usedHandles = []string{"MPI_COMM_WORLD", "MPI_COMM_SELF", "MPI_ERRORS_ARE_FATAL", "MPI_ERRORS_RETURN", "MPI_MESSAGE_NO_PROC", "MPI_BYTE"}

// programHandles are the program's predefined handles that hand-written C uses.
var programHandles = []string{"MPI_ERRORS_ABORT", "MPI_ERRORS_ARE_FATAL"}

// substitutes are predefined handles that a family may lack, each with the closest handle that
// it has. For a datatype that is one of the same size which takes the same operations.
var substitutes = map[string]string{
	"MPI_LOGICAL1":     "MPI_C_BOOL",
	"MPI_LOGICAL2":     "MPI_INT16_T",
	"MPI_LOGICAL4":     "MPI_LOGICAL",
	"MPI_LOGICAL8":     "MPI_INT64_T",
	"MPI_ERRORS_ABORT": "MPI_ERRORS_ARE_FATAL",
}

// substituteOf returns the handle that replaces a handle, or a symbol without a name, of a
// family.
func substituteOf(f *abi.Family, name string) string {
	if of, ok := f.Substitutes[name]; ok {
		return of
	}
	return substitutes[name]
}

// counterpart returns the runtime family's handle for a handle of the program's: the same, or a
// substitute. It returns false if there is neither.
func (p *Pair) counterpart(name, kind string) (string, bool) {
	if h, ok := p.R.Handles[name]; ok && h.Kind == kind {
		return name, true
	}
	return p.substitute(name, kind)
}

// substitute returns the runtime family's handle that replaces a handle which the family, or a
// version of it, lacks: the closest, or the null handle. It returns false if there is neither.
func (p *Pair) substitute(name, kind string) (string, bool) {
	for _, candidate := range []string{substituteOf(p.A, name), model.NullName(kind)} {
		if h, ok := p.R.Handles[candidate]; ok && h.Kind == kind {
			return candidate, true
		}
	}
	return "", false
}

// runtimeHandle returns a predefined handle of the runtime: the symbol to look up in its
// library, or the value.
func runtimeHandle(h abi.Handle) cHandle {
	if h.Symbol != "" {
		return cHandle{fmt.Sprintf("%q", h.Symbol), "0"}
	}
	return cHandle{"0", valueOf(h)}
}

// programHandle returns a predefined handle of the program: the symbol that the program has, or
// the value.
func programHandle(h abi.Handle) cHandle {
	if h.Symbol != "" {
		return cHandle{h.Symbol, "0"}
	}
	return cHandle{"0", valueOf(h)}
}

// valueOf returns a handle's value. A file is a pointer, even if other handles are ints.
func valueOf(h abi.Handle) string {
	if h.Kind == "FILE" {
		return fmt.Sprintf("%d", *h.Value)
	}
	return fmt.Sprintf("%dll", int64(int32(*h.Value)))
}

// since returns a function, as its slot plus 1, by which the front checks when it loads a
// library if a handle may be used: exactly the versions of the runtime have it in which the
// handle has its value. It returns 0 if all versions know the handle or if a symbol shows it.
// It returns 1 + N_SLOTS if no function fits; then no library is assumed to know the handle.
func (p *Pair) since(name string) string {
	// The versions that know the handle are all of them, or OnlyIn's, except versions in which
	// it has the null handle's value or the library refuses it.
	h := p.R.Handles[name]
	if h.Symbol != "" {
		return "0"
	}
	known := slices.Sorted(maps.Keys(p.R.Versions))
	if only, ok := p.R.OnlyIn[name]; ok {
		known = only
	}
	null := p.R.Handles[model.NullName(h.Kind)]
	known = slices.DeleteFunc(slices.Clone(known), func(label string) bool {
		value, varies := p.R.Varies[name][label]
		return varies && value == *null.Value || slices.Contains(p.R.Traits.RefusedHandles[name], label)
	})
	if len(known) == len(p.R.Versions) {
		return "0"
	}
	// extension is the slot of an extension that fits, used if no function of MPI does, because
	// only some builds have extensions.
	extension := "N_SLOTS"
	// A function of MPI that exactly these versions have is the best evidence.
	for _, s := range p.Slots.List {
		switch {
		case !slices.Equal(p.R.Functions[s.Name], known):
		case s.Function != nil && s.Function.Level != model.Extension:
			return "1 + SLOT_" + s.Name
		case extension == "N_SLOTS":
			extension = "SLOT_" + s.Name
		}
	}
	return "1 + " + extension
}
