// Package pair prints the C of a pair: the facts of a front over one family, and the
// translation, in several compilation units. It makes the plans of the pair, and prints its
// fast paths by package assembly.
//
// The package must not know the parts of a front that are the same for every runtime.
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
)

// A Pair writes the translation of one front over one family.
type Pair struct {
	plan.Pair
	// Slots are the slots of the front.
	Slots *model.Slots
	// Plans are the plans of the functions that the pair translates, in slot order.
	Plans []*plan.Plan
}

// New returns the pair of the front over the runtime's family, with its plans. A pair of a
// family with itself has none. New returns an error if a function can be neither planned nor
// left to hand-written C.
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
		plan.Assembly = plan.Assembly && assembly.Fits(&p.Pair, plan)
		p.Plans = append(p.Plans, plan)
	}
	return p, nil
}

// Files returns the source files of the pair.
func (p *Pair) Files() ([]output.File, error) {
	name := p.A.Family + "/" + p.name()
	if p.A == p.R {
		return []output.File{{Name: name + ".h", Text: p.identityFacts()}, {Name: name + ".c", Text: p.identity()}}, nil
	}
	facts, err := p.facts()
	if err != nil {
		return nil, err
	}
	files := []output.File{{Name: name + ".h", Text: facts}, {Name: name + "_fast.S", Text: assembly.Print(&p.Pair, p.Plans)}}
	for _, unit := range model.Units(p.A, p.R) {
		// The value of a unit is the suffix of its file's name.
		text, err := p.unit(unit)
		if err != nil {
			return nil, err
		}
		files = append(files, output.File{Name: name + string(unit) + ".c", Text: text})
	}
	return files, nil
}

// name returns the name of the pair, which is also the base name of its files.
func (p *Pair) name() string { return p.A.Family + "_" + p.R.Family }

// include returns the beginning of a unit's C: the pair's facts, and the headers that use them.
// defines reports whether this is the unit that defines the shared variables; each pair has
// one.
func (p *Pair) include(of string, defines bool, headers ...string) *output.Writer {
	w := &output.Writer{}
	w.WriteString(output.Banner(fmt.Sprintf("Programs of the %s family over %s libraries%s.", p.A.Family, p.R.Family, of)))
	w.Line("#define PAIR_FACTS \"%s.h\"\n#define DEFINES_SHARED %d\n#pragma GCC diagnostic ignored \"-Wunused-function\"", p.name(), output.Bit(defines))
	include(w, headers...)
	return w
}

// include writes #include lines.
func include(w *output.Writer, headers ...string) {
	for _, header := range headers {
		w.Line("#include \"%s\"", header)
	}
}

// unit returns the C of one unit of the pair.
func (p *Pair) unit(unit model.Unit) ([]byte, error) {
	var w *output.Writer
	switch unit {
	// The unit of hand-written functions also has the tables.
	case model.ByHand:
		w = p.byHand()
		p.table(w)
	case model.Handles:
		w = p.include(": handles, set-up, and everything else that the units share", true, "handles.h", "comm_sizes.h", "interned_types.h", "request_handles.h", "pair_setup.h", "raise_error.h", "fortran.h", "fast_path_ends.h")
	case model.ForSpeed:
		w = p.printed(unit, "functions compiled for speed")
		if p.A.HandleBits != 32 {
			include(w, "fortran_direct_bodies.h")
		}
		include(w, "translation_rows.h")
		if err := p.fortranDirect(w); err != nil {
			return nil, err
		}
	case model.Messages:
		w = p.printed(unit, "functions that send and receive, compiled for size")
	case model.Objects:
		w = p.printed(unit, "all other functions, compiled for size")
	}
	return w.Bytes(), nil
}

// byHand returns the beginning of the unit with hand-written functions.
func (p *Pair) byHand() *output.Writer {
	w := p.include(": handwritten functions, and tables", false, "pair.h")
	// The table refers to hand-written functions before the headers define them.
	for _, plan := range p.Plans {
		if f := plan.Function; plan.Hand != "" && !f.Timed {
			w.Line("static %s%s A_%s(%s);", forSize(plan), ctypes.Of(f.Returns, "A"), f.Name, strings.Join(ctypes.Declarations(f), ", "))
		}
	}
	include(w, append(p.handHeaders(), "pair_setup.h", "translation_rows.h")...)
	return w
}

// printed returns the C of a unit whose functions are printed from their plans.
func (p *Pair) printed(unit model.Unit, of string) *output.Writer {
	w := p.include(": "+of, false, "handles.h", "request_handles.h", "comm_sizes.h", "interned_types.h", "requests.h", "status.h", "cut_string.h", "raise_error.h", "value_arrays.h")
	for _, plan := range p.Plans {
		if plan.Hand == "" && model.UnitOf(plan.Function) == unit {
			w.WriteString(p.translate(plan))
		}
	}
	return w
}

// translated reports whether the pair translates the function of a slot: the front exports it,
// and some library of the other family has it or may have it in future, or it works alone.
func (p *Pair) translated(s model.Slot) bool {
	_, offered := p.R.Functions[s.Name]
	return s.Function != nil && s.Exported && (offered || s.Function.Level == model.Future || s.Function.Alone)
}

// handHeaders returns the headers with hand-written functions, sorted.
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

// builtins declares the functions that the front serves itself, for its family's C++ library.
func (p *Pair) builtins(w *output.Writer) {
	for _, s := range p.Slots.List {
		if s.Builtin {
			w.Line("extern void wi4go_builtin_%s(void) HIDDEN;", s.Name)
		}
	}
}

// table writes the pair's translations in slot order, and marks the functions that work without
// the runtime.
func (p *Pair) table(w *output.Writer) {
	p.builtins(w)
	// Printed functions, assembly and fallbacks are in other units or files, and are declared
	// first.
	plans := map[string]*plan.Plan{}
	for _, plan := range p.Plans {
		plans[plan.Function.Name] = plan
		if plan.Assembly {
			w.Line("HIDDEN void PAIR(%s)(void);", plan.Function.Name)
		}
		if plan.Hand == "" {
			w.Line("HIDDEN void %s(void);", entry(plan))
		}
		if fallback := p.fallback(plan); fallback != entry(plan) {
			w.Line("HIDDEN void %s(void);", fallback)
		}
	}
	w.Line("extern const struct wi4go_direct_body PAIR(direct_bodies)[] HIDDEN;")
	if p.A.HandleBits != 32 {
		w.Line("HIDDEN void PAIR(fortran_cache_init)(void);")
	}
	w.Line("const struct wi4go_translation PAIR(translations)[N_SLOTS] = {")
	var served []output.Emulation
	for _, s := range p.Slots.List {
		plan := plans[s.Name]
		alone := s.Builtin || s.Mapped != "" || plan != nil && plan.Alone
		switch {
		// Assembly, the C function for processors that cannot run it, and the fallback.
		case plan != nil && plan.Assembly:
			w.Line("    [SLOT_%s] = FAST(%s, %s, %s),", s.Name, s.Name, entry(plan), p.fallback(plan))
		// A function that the front serves for its family's C++ library.
		case s.Builtin && s.Mapped == "":
			w.Line("    [SLOT_%s] = {(void *)wi4go_builtin_%s, WI4GO_ALONE},", s.Name, s.Name)
		case plan != nil:
			w.Line("    [SLOT_%s] = {%s, %s},", s.Name, entry(plan), map[bool]string{true: "WI4GO_ALONE", false: "0"}[alone])
		// A function outside MPI with a hand-written translation.
		case alone:
			w.Line("    [SLOT_%s] = {A_%s, WI4GO_ALONE},", s.Name, s.Name)
		}
		if alone {
			served = append(served, output.Emulation{Function: s.Name, Runtime: p.R.Family, Requires: "-"})
		}
	}
	w.Line("};")
	output.WriteEmulations(w, served)
	w.Line("const struct wi4go_pair wi4go_pair_%s_%s = {\n    .runtime = R_FAMILY, .rank_variable = \"%s\", .translations = PAIR(translations), .setup = PAIR(setup), .raise = raise_error, .direct_bodies = PAIR(direct_bodies),%s", p.A.Family, p.R.Family, p.R.Traits.RankVariable, output.If(p.A.HandleBits != 32, " .direct_prepare = PAIR(fortran_cache_init),"))
	p.pairEnd(w)
}

// entry returns the C function of a plan, as the unit of the tables calls it. A printed
// function is in another unit.
func entry(plan *plan.Plan) string {
	if plan.Hand == "" {
		return "PAIR(A_" + plan.Function.Name + ")"
	}
	return "A_" + plan.Function.Name
}

// fallback returns the C function to which assembly bails out.
func (p *Pair) fallback(plan *plan.Plan) string {
	if plan.Hand == "" && len(p.directHandles(plan)) > 0 {
		return "PAIR(fallback_" + plan.Function.Name + ")"
	}
	return entry(plan)
}

// pairEnd writes the members of struct wi4go_pair that all pairs have in common, and closes it.
func (p *Pair) pairEnd(w *output.Writer) {
	// limit returns the runtime's maximal length of a string, with its final 0.
	limit := func(name string) int64 { return p.R.Constants[name] }
	w.Line("    .unsupported = A_MPI_ERR_UNSUPPORTED_OPERATION, .cxx = &cxx, .root_send_refused = R_ROOT_SEND_REFUSED,\n    .limits = {%d, %d, %d}, .lacked_classes = lacked_classes,\n};",
		limit("MPI_MAX_INFO_KEY"), limit("MPI_MAX_INFO_VAL"), limit("MPI_MAX_ERROR_STRING"))
}
