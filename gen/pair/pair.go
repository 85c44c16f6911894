// Package pair prints the C of a pair: the facts of a front over one family, and the
// translation, for which it makes the pair's plans; and with package assembly its fast
// paths.
//
// It must not know what a front has whatever the runtime.
package pair

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"wi4go/abi"
	"wi4go/gen/assembly"
	"wi4go/gen/ctypes"
	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
	"wi4go/gen/traits"
	"wi4go/mappers"
)

// A Pair writes the translation of one front over one family.
type Pair struct {
	plan.Pair
	Slots *model.Slots
	Plans []*plan.Plan // of the functions that the pair translates, in slot order
}

// New makes the pair with its plans.
func New(in *model.Input, s *model.Slots, runtime *abi.Family) (*Pair, error) {
	p := &Pair{Pair: plan.Pair{In: in, A: s.Front, R: runtime}, Slots: s}
	if p.A == p.R {
		return p, nil // nothing is converted within a family
	}
	for _, slot := range s.List {
		if !p.translated(slot) {
			continue
		}
		plan, err := p.Of(slot.Function)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", slot.Name, err)
		}
		plan.Assembly = plan.Assembly && (plan.Hand != "" || assembly.Fits(&p.Pair, plan))
		p.Plans = append(p.Plans, plan)
	}
	return p, nil
}

// hasAssembly says that the pair's handles and statuses have fast paths: within a
// family nothing is converted.
func (p *Pair) hasAssembly() bool { return p.A != p.R }

// Files are the files of the pair.
func (p *Pair) Files() ([]output.File, error) {
	name := p.A.Family + "/" + p.name()
	if p.A == p.R {
		return []output.File{{Name: name + ".h", Text: p.identityFacts()}, {Name: name + ".c", Text: p.identity()}}, nil
	}
	facts, err := p.facts()
	if err != nil {
		return nil, err
	}
	translation, err := p.translation()
	if err != nil {
		return nil, err
	}
	return []output.File{{Name: name + ".h", Text: facts}, {Name: name + ".c", Text: translation},
		{Name: name + "_fast.S", Text: assembly.Print(&p.Pair, p.Plans)}}, nil
}

// name is the pair's, and that of its files.
func (p *Pair) name() string { return p.A.Family + "_" + p.R.Family }

// head begins the facts of a pair (mappers/pair.h) with what every pair has: the
// sides' types and constants, and the runtime's functions.
func (p *Pair) head() *output.Writer {
	w := &output.Writer{}
	w.WriteString(output.Banner(fmt.Sprintf("Facts of the pair: programs of the %s family over %s libraries.", p.A.Family, p.R.Family)))
	w.Line("#define R_FAMILY \"%s\"\n#define SAME_FAMILY %d", p.R.Family, output.Bit(p.A == p.R))
	traits.Write(w, &p.Pair)
	w.Line("#define A_INTRODUCTION %q\n#define A_JOINT %q", introduction(p.A), p.A.Traits.Joint)
	w.Line("#define PAIR(name) %s##name", traits.Symbol(&p.Pair, ""))
	ctypes.Sides(w, p.A, p.R)
	p.constants(w)
	p.runtimeFunctions(w)
	p.drafts(w)
	return w
}

// facts writes what mappers/pair.h says that a pair provides.
func (p *Pair) facts() ([]byte, error) {
	w := p.head()
	w.Line("#define PAIR_HAS_FAST_PATHS %d", output.Bit(p.hasAssembly()))
	p.values(w)
	p.errors(w)
	p.addresses(w)
	err := p.predefined(w)
	return w.Bytes(), err
}

// include begins the C of a pair: its facts, and the headers that use them.
func (p *Pair) include(headers ...string) *output.Writer {
	w := &output.Writer{}
	w.WriteString(output.Banner(fmt.Sprintf("Programs of the %s family over %s libraries.", p.A.Family, p.R.Family)))
	w.Line("#define PAIR_FACTS \"%s.h\"\n#pragma GCC diagnostic ignored \"-Wunused-function\"", p.name())
	for _, header := range headers {
		w.Line("#include \"%s\"", header)
	}
	return w
}

func (p *Pair) translation() ([]byte, error) {
	headers := append([]string{"handles.h", "request_handles.h", "neighbours.h", "status.h", "text.h", "raise.h", "setup.h"}, p.handHeaders()...)
	if p.A.HandleBits != 32 {
		headers = append(headers, "frequent_bodies.h")
	}
	if p.hasAssembly() {
		headers = append(headers, "fast.h")
	}
	w := p.include(headers...)
	for _, plan := range p.Plans {
		if plan.Hand == "" {
			w.WriteString(p.translate(plan))
		}
	}
	if err := p.frequent(w); err != nil {
		return nil, err
	}
	p.table(w)
	return w.Bytes(), nil
}

// translated says that the pair has a translation of the slot's function: the
// front exports it, and some library of the other family has it, or it needs none.
func (p *Pair) translated(s model.Slot) bool {
	_, offered := p.R.Functions[s.Name]
	return s.Function != nil && s.Exported && (offered || s.Function.Alone)
}

// handHeaders are those with what is written by hand, sorted.
func (p *Pair) handHeaders() []string {
	headers := map[string]bool{}
	for _, f := range p.In.Functions {
		if f.Hand != "" {
			headers[f.Hand] = true
		}
	}
	for _, s := range p.Slots.List {
		if s.Mapped != "" {
			headers[s.Mapped] = true
		}
	}
	return slices.Sorted(maps.Keys(headers))
}

// introduction is how a family's newest library begins to introduce itself.
func introduction(f *abi.Family) string {
	return strings.NewReplacer("{release}", f.Newest(),
		"{abi}", fmt.Sprintf("%d.%d", f.Constants["MPI_ABI_VERSION"], f.Constants["MPI_ABI_SUBVERSION"])).Replace(f.Traits.Introduction)
}

func (p *Pair) constants(w *output.Writer) {
	for _, name := range slices.Sorted(maps.Keys(p.A.Constants)) {
		w.Line("#define A_%s (%d)", name, p.A.Constants[name])
	}
	for _, name := range slices.Sorted(maps.Keys(p.R.Constants)) {
		w.Line("#define R_%s (%d)", name, p.R.Constants[name])
	}
}

// runtimeFunctions declares the runtime's functions with their types.
func (p *Pair) runtimeFunctions(w *output.Writer) {
	for i, s := range p.Slots.List {
		f := s.Function
		if f == nil {
			continue
		}
		params := []string{}
		for _, q := range f.Params {
			if q.Role == "VARARGS" {
				params = append(params, "...")
				continue
			}
			params = append(params, ctypes.Of(q.Type, "R"))
		}
		if len(params) == 0 {
			params = []string{"void"}
		}
		w.Line("typedef %s R_%s_t(%s);", ctypes.Of(f.Returns, "R"), f.Name, strings.Join(params, ", "))
		w.Line("#define R_%s ((R_%s_t *)wi4go_R[%d])", f.Name, f.Name, i)
	}
}

func (p *Pair) values(w *output.Writer) {
	for _, name := range slices.Sorted(maps.Keys(p.In.Mappers.Roles)) {
		role := p.In.Mappers.Roles[name]
		write := writeValue
		switch role.Convert {
		case mappers.Value:
		case mappers.Bits:
			write = writeBits
		default:
			continue
		}
		m := p.Mapping(role)
		if d := p.draft(name); !d.IsIdentity() {
			writeDrafted(w, name, m, d)
			continue
		}
		write(w, name+"_a2r", m)
		write(w, name+"_r2a", m.Inverse())
	}
}

// errors writes the bijection of error codes. Classes go by a table, or where
// their numbers are far apart (the standard ABI's) by a function. What a
// program added has numbers from ADDED_BASE upward; Open MPI's begin at 93,
// inside what MPICH predefines, and so are moved up for an MPICH program.
func (p *Pair) errors(w *output.Writer) {
	m := model.Biject(model.ErrorClasses(p.A), model.ErrorClasses(p.R))
	if m.From[len(m.From)-1] >= traits.ErrorTable {
		w.Line("#define ERROR_CLASSES_ARE_SPARSE 1")
		writeValue(w, "error_class_a2r", m)
		writeValue(w, "error_class_r2a", m.Inverse())
		return
	}
	w.Line("#define ERROR_CLASSES_ARE_SPARSE 0")
	w.Line("#define ERROR_TABLE %d", traits.ErrorTable)
	for _, d := range []struct {
		name string
		m    *model.Mapping
	}{{"error_a2r", m}, {"error_r2a", m.Inverse()}} {
		w.Line("static const unsigned char %s_table[ERROR_TABLE] = {", d.name)
		next := 0
		for v := 0; v < traits.ErrorTable; v++ {
			to := int64(v)
			for next < len(d.m.From) && d.m.From[next] < int64(v) {
				next++
			}
			if next < len(d.m.From) && d.m.From[next] == int64(v) {
				to = d.m.To[next]
			}
			fmt.Fprintf(w, "%d,", to)
			if v%16 == 15 {
				w.WriteByte('\n')
			}
		}
		w.Line("};")
	}
}

// addresses writes the conversions of pointers with special values.
func (p *Pair) addresses(w *output.Writer) {
	names := map[string]bool{"MPI_STATUS_IGNORE": true, "MPI_STATUSES_IGNORE": true}
	for _, role := range p.In.Mappers.Roles {
		if role.Convert == mappers.Address {
			for _, c := range role.Constants {
				names[c] = true
			}
		}
	}
	var learn []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if a, ok := p.A.Pointers[name]; ok {
			if a.Symbol != "" {
				w.Line("extern void *%s;\n#define A_%s %s", a.Symbol, name, a.Symbol)
			} else {
				w.Line("#define A_%s %s", name, ctypes.Address("A", name, a))
			}
		}
		if r, ok := p.R.Pointers[name]; ok {
			if r.Symbol != "" {
				w.Line("static void *R_%s;", name)
				learn = append(learn, name)
			} else {
				w.Line("#define R_%s %s", name, ctypes.Address("R", name, r))
			}
		}
	}
	w.Line("/* Address constants that are variables of the runtime's library. */")
	w.Line("static const struct { const char *symbol; void **value; } learnt_addresses[] = {")
	for _, name := range learn {
		w.Line("    {\"%s\", &R_%s},", p.R.Pointers[name].Symbol, name)
	}
	w.Line("    {0, 0},\n};")
	for _, name := range slices.Sorted(maps.Keys(p.In.Mappers.Roles)) {
		role := p.In.Mappers.Roles[name]
		if role.Convert != mappers.Address {
			continue
		}
		w.Line("static inline void *%s_a2r(const void *x)\n{", name)
		for _, c := range role.Constants {
			a, onA := p.A.Pointers[c]
			r, onR := p.R.Pointers[c]
			if onA && onR && (a != r || a.Symbol != "") {
				w.Line("    if (unlikely(x == A_%s)) return R_%s;", c, c)
			}
		}
		w.Line("    return (void *)x;\n}")
	}
}

// A predefinedRow is a row of the table of predefined handles, in C.
type predefinedRow struct {
	name, kind            string
	substitute            int
	fortran               int32
	symbol, value         string // the application's
	rSymbol, rValue       string // the runtime's
	since                 string // the function that tells whether the library knows it
	elseSymbol, elseValue string // what serves where it does not
}

// predefined writes the table of predefined handles: each handle of the
// application's family and the same one of the runtime's.
func (p *Pair) predefined(w *output.Writer) error {
	chosen := map[string]string{} // application's symbol → name whose meaning it has
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
	declared := map[string]bool{}
	var rows, nulls []predefinedRow
	numbers := int64(0) // past the largest Fortran integer
	for _, name := range slices.Sorted(maps.Keys(p.A.Handles)) {
		h := p.A.Handles[name]
		if !slices.Contains(model.HandleKinds, h.Kind) || h.Symbol != "" && chosen[h.Symbol] != name {
			continue
		}
		symbol, value := "0", "0"
		if h.Symbol != "" {
			symbol = h.Symbol
			declared[h.Symbol] = true
		} else {
			value = fmt.Sprintf("%dll", int64(int32(*h.Value)))
			if h.Kind == "FILE" {
				value = fmt.Sprintf("%d", *h.Value)
			}
		}
		other, ok := p.counterpart(name, h.Kind)
		if !ok {
			return fmt.Errorf("predefined handle %s: %s has neither it nor a null handle of kind %s", name, p.R.Family, h.Kind)
		}
		rh := p.R.Handles[other]
		rsymbol, rvalue := runtimeHandle(rh)
		substitute := 0
		if other != name {
			substitute = 1
		}
		if h.Symbol == "" && h.Kind == "DATATYPE" && name != model.NullName(h.Kind) {
			w.Line("#define A_%s (%s)", name, value)
		}
		// What serves where the library does not know it, and what tells whether it does.
		lsymbol, lvalue, since := "0", "0", "0"
		if last, ok := p.standsIn(other, h.Kind); ok && other != model.NullName(h.Kind) {
			lsymbol, lvalue = runtimeHandle(p.R.Handles[last])
			since = p.since(other)
		}
		fortran := int64(-1) // none
		if h.Fortran != nil {
			fortran = *h.Fortran
			numbers = max(numbers, fortran+1)
		}
		row := predefinedRow{name, h.Kind, substitute, int32(fortran), symbol, value, rsymbol, rvalue, since, lsymbol, lvalue}
		if name != model.NullName(h.Kind) {
			rows = append(rows, row)
		} else {
			// Last, so that where a null handle shares a place in a table with
			// another one, that one is found first.
			nulls = append(nulls, row)
			if h.Symbol != "" {
				w.Line("extern char %s[];\n#define A_%s ((A_%s)(intptr_t)%s)", h.Symbol, name, model.HandleTypes[h.Kind], h.Symbol)
			} else {
				w.Line("#define A_%s ((A_%s)%s)", name, model.HandleTypes[h.Kind], value)
			}
			if rh.Symbol != "" {
				w.Line("#define R_%s PAIR(R_%s)\nHIDDEN R_%s R_%s;", name, name, model.HandleTypes[h.Kind], name)
			} else {
				w.Line("#define R_%s ((R_%s)%s)", name, model.HandleTypes[h.Kind], rvalue)
			}
		}
	}
	rows = append(rows, nulls...)
	for _, d := range p.A.DataSymbols {
		h, known := p.A.Handles[d.Handle]
		if d.Handle == "" || !known || declared[d.Name] {
			continue
		}
		// A further storage of the same handle: an older version's name for it.
		if i := slices.IndexFunc(rows, func(row predefinedRow) bool { return row.name == chosen[h.Symbol] }); i >= 0 {
			row := rows[i]
			row.symbol = d.Name
			rows = append(rows, row)
			declared[d.Name] = true
		}
	}
	for _, symbol := range slices.Sorted(maps.Keys(declared)) {
		w.Line("extern char %s[];", symbol)
	}
	w.Line("enum kind { KIND_%s, N_KINDS };", strings.Join(model.HandleKinds, ", KIND_"))
	w.Line("#define N_NUMBERS %d", numbers)
	w.Line("/* kind, stands in for another; the application's storage or value; the runtime's symbol or value; the slot, plus 1,\n" +
		"   of a function that those versions have which know it; the symbol or value that serves in the others */")
	w.Line("static const struct { unsigned char kind, substitute; MPI_Fint fortran; char *storage; int64_t value; const char *r_symbol; int64_t r_value; " +
		"unsigned since; const char *else_symbol; int64_t else_value; } predefined[] = {")
	for _, r := range rows {
		w.Line("    {KIND_%s, %d, %d, %s, %s, %s, %s, %s, %s, %s}, /* %s */",
			r.kind, r.substitute, r.fortran, r.symbol, r.value, r.rSymbol, r.rValue, r.since, r.elseSymbol, r.elseValue, r.name)
	}
	w.Line("};")
	p.twins(w)
	w.Line("/* A handle's number in the library that is loaded. */")
	for _, side := range []struct {
		name   string
		family *abi.Family
	}{{"program", p.A}, {"runtime", p.R}} {
		writeValue(w, side.name+"_s2d", model.DraftOf(side.family, model.HandleValues(side.family)))
		w.Line("#define %s_handle(x) (unlikely(%s_is_draft) ? %s_s2d(x) : (x))", side.name, side.name, side.name)
	}
	for _, name := range usedHandles {
		h := p.R.Handles[name]
		switch {
		case h.Symbol != "":
			w.Line("static int64_t R_%s;", name)
		default:
			w.Line("#define R_%s ((int64_t)%s)", name, ctypes.Number(p.R, name, *h.Value, "runtime_is_draft"))
		}
	}
	for _, name := range programHandles {
		h := p.A.Handles[name]
		if h.Symbol != "" {
			w.Line("#define A_%s ((A_%s)(intptr_t)%s)", name, model.HandleTypes[h.Kind], h.Symbol)
		} else {
			w.Line("#define A_%s ((A_%s)program_handle(%d))", name, model.HandleTypes[h.Kind], *h.Value)
		}
	}
	w.Line("/* The runtime's handles that only it knows. */")
	w.Line("static const struct { const char *symbol; void *value; } learnt_handles[] = {")
	for _, kind := range model.HandleKinds {
		name := model.NullName(kind)
		if s := p.R.Handles[name].Symbol; s != "" {
			w.Line("    {\"%s\", &R_%s},", s, name)
		}
	}
	for _, name := range usedHandles {
		if s := p.R.Handles[name].Symbol; s != "" {
			w.Line("    {\"%s\", &R_%s},", s, name)
		}
	}
	w.Line("    {0, 0},\n};")
	return nil
}

// twins writes which datatypes may have another one of the runtime's in their place.
func (p *Pair) twins(w *output.Writer) {
	w.Line("/* Datatypes in whose place another one may stand: the application's storage or value, its name, the other's. */")
	w.Line("static const struct twin { char *storage; int64_t value; const char *name, *of; } twins[] = {")
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
var usedHandles = []string{"MPI_COMM_WORLD", "MPI_COMM_SELF", "MPI_ERRORS_RETURN", "MPI_MESSAGE_NO_PROC", "MPI_BYTE"}

// programHandles are the program's predefined handles that hand-written C uses.
var programHandles = []string{"MPI_ERRORS_ABORT", "MPI_ERRORS_ARE_FATAL"}

// substitutes are predefined handles that a family may lack, with the closest
// one that it has: for a datatype one of its size that takes the same operations.
var substitutes = map[string]string{
	"MPI_LOGICAL1":                 "MPI_C_BOOL",
	"MPI_LOGICAL2":                 "MPI_INT16_T",
	"MPI_LOGICAL4":                 "MPI_LOGICAL",
	"MPI_LOGICAL8":                 "MPI_INT64_T",
	"MPI_ERRORS_ABORT":             "MPI_ERRORS_ARE_FATAL",
	"MPIR_ERRORS_THROW_EXCEPTIONS": "MPI_ERRORS_RETURN",
	"OMPI_ERRORS_THROW_EXCEPTIONS": "MPI_ERRORS_RETURN",
}

func (p *Pair) counterpart(name, kind string) (string, bool) {
	if h, ok := p.R.Handles[name]; ok && h.Kind == kind {
		return name, true
	}
	return p.standsIn(name, kind)
}

// standsIn is the runtime family's handle that serves in place of one which it,
// or a version of it, does not know: the closest, or the null handle.
func (p *Pair) standsIn(name, kind string) (string, bool) {
	for _, candidate := range []string{substitutes[name], model.NullName(kind)} {
		if h, ok := p.R.Handles[candidate]; ok && h.Kind == kind {
			return candidate, true
		}
	}
	return "", false
}

// runtimeHandle is the C of a predefined handle: its symbol, else its value.
func runtimeHandle(h abi.Handle) (symbol, value string) {
	switch {
	case h.Symbol != "":
		return fmt.Sprintf("%q", h.Symbol), "0"
	case h.Kind == "FILE":
		return "0", fmt.Sprintf("%d", *h.Value)
	}
	return "0", fmt.Sprintf("%dll", int64(int32(*h.Value)))
}

// since is a function, as its slot plus 1, that exactly those versions of the
// runtime have in which a handle has its value: it tells when the library is
// loaded whether the handle may be used. 0: they all know it, or a symbol tells.
// Where no function tells, N_SLOTS: none is taken to know it.
func (p *Pair) since(name string) string {
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
		return varies && value == *null.Value
	})
	if len(known) == len(p.R.Versions) {
		return "0"
	}
	for _, prefix := range []string{"MPI_", "MPIX_"} { // extensions are in some builds only
		for _, s := range p.Slots.List {
			if strings.HasPrefix(s.Name, prefix) && slices.Equal(p.R.Functions[s.Name], known) {
				return "1 + SLOT_" + s.Name
			}
		}
	}
	return "1 + N_SLOTS"
}

// internals declares the front's own functions for its family's C++ library.
func (p *Pair) internals(w *output.Writer) {
	for _, s := range p.Slots.List {
		if s.Own {
			w.Line("extern void wi4go_own_%s(void) HIDDEN;", s.Name)
		}
	}
}

// table writes the pair's translations in slot order, and which of them work
// without the runtime's function.
func (p *Pair) table(w *output.Writer) {
	p.internals(w)
	w.Line("#if FAST_PATHS\n#define FAST(name, fallback) {(void *)PAIR(name), (void *)fallback}\n#else\n#define FAST(name, fallback) {A_##name, 0}\n#endif")
	plans := map[string]*plan.Plan{}
	for _, plan := range p.Plans {
		plans[plan.Function.Name] = plan
		if plan.Assembly {
			w.Line("HIDDEN void PAIR(%s)(void);", plan.Function.Name)
		}
	}
	w.Line("const struct wi4go_translation PAIR(translations)[N_SLOTS] = {")
	var served []output.Emulation
	for _, s := range p.Slots.List {
		plan := plans[s.Name]
		alone := s.Own || s.Mapped != "" || plan != nil && plan.Alone
		switch {
		case plan != nil && plan.Assembly:
			w.Line("    [SLOT_%s] = FAST(%s, %s),", s.Name, s.Name, p.fallback(plan))
		case s.Own && s.Mapped == "":
			w.Line("    [SLOT_%s] = {(void *)wi4go_own_%s, WI4GO_ALONE},", s.Name, s.Name)
		case alone:
			w.Line("    [SLOT_%s] = {A_%s, WI4GO_ALONE},", s.Name, s.Name)
		case plan != nil:
			w.Line("    [SLOT_%s] = {A_%s, 0},", s.Name, s.Name)
		}
		if alone {
			served = append(served, output.Emulation{Function: s.Name, Runtime: p.R.Family, Of: "-"})
		}
	}
	w.Line("};")
	output.WriteEmulations(w, served)
	w.Line("const struct wi4go_pair wi4go_pair_%s_%s = {\n    .runtime = R_FAMILY, .rank_variable = \"%s\", .translations = PAIR(translations), .setup = setup, .raise = raise_error,%s", p.A.Family, p.R.Family, p.R.Traits.RankVariable, output.If(p.A.HandleBits != 32, " .frequent = frequent, .frequent_begins = numbers_begin,"))
	p.pairEnd(w)
}

// fallback is the C function that assembly leaves a call to.
func (p *Pair) fallback(plan *plan.Plan) string {
	if plan.Hand == "" && len(p.near(plan)) > 0 {
		return "slow_" + plan.Function.Name
	}
	return "A_" + plan.Function.Name
}

// pairEnd writes what all pairs say at their end.
func (p *Pair) pairEnd(w *output.Writer) {
	limit := func(name string) int64 { return p.R.Constants[name] }
	w.Line("    .unsupported = A_MPI_ERR_UNSUPPORTED_OPERATION, .cxx = &cxx, .root_send_refused = R_ROOT_SEND_REFUSED,\n    .limits = {%d, %d, %d},\n};",
		limit("MPI_MAX_INFO_KEY"), limit("MPI_MAX_INFO_VAL"), limit("MPI_MAX_ERROR_STRING"))
}
