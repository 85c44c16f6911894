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
		plan.Assembly = plan.Assembly && assembly.Fits(&p.Pair, plan)
		p.Plans = append(p.Plans, plan)
	}
	return p, nil
}

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

// include begins the C of a pair: its facts, and the headers that use them.
func (p *Pair) include(headers ...string) *output.Writer {
	w := &output.Writer{}
	w.WriteString(output.Banner(fmt.Sprintf("Programs of the %s family over %s libraries.", p.A.Family, p.R.Family)))
	w.Line("#define PAIR_FACTS \"%s.h\"\n#pragma GCC diagnostic ignored \"-Wunused-function\"", p.name())
	include(w, headers...)
	return w
}

func include(w *output.Writer, headers ...string) {
	for _, header := range headers {
		w.Line("#include \"%s\"", header)
	}
}

func (p *Pair) translation() ([]byte, error) {
	w := p.include("handles.h", "request_handles.h", "neighbours.h", "status.h", "text.h", "raise.h", "setup.h")
	for _, plan := range p.Plans {
		if f := plan.Function; plan.Hand != "" && !f.Timed {
			w.Line("static %s%s A_%s(%s);", forSize(plan), ctypes.Of(f.Returns, "A"), f.Name, strings.Join(ctypes.Declarations(f), ", "))
		}
	}
	headers := p.handHeaders()
	if p.A.HandleBits != 32 {
		headers = append(headers, "frequent_bodies.h")
	}
	include(w, append(headers, "fast.h")...)
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

// builtins declares what the front serves itself, for its family's C++ library.
func (p *Pair) builtins(w *output.Writer) {
	for _, s := range p.Slots.List {
		if s.Builtin {
			w.Line("extern void wi4go_builtin_%s(void) HIDDEN;", s.Name)
		}
	}
}

// table writes the pair's translations in slot order, and which of them work
// without the runtime's function.
func (p *Pair) table(w *output.Writer) {
	p.builtins(w)
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
		alone := s.Builtin || s.Mapped != "" || plan != nil && plan.Alone
		switch {
		case plan != nil && plan.Assembly:
			w.Line("    [SLOT_%s] = FAST(%s, %s),", s.Name, s.Name, p.fallback(plan))
		case s.Builtin && s.Mapped == "":
			w.Line("    [SLOT_%s] = {(void *)wi4go_builtin_%s, WI4GO_ALONE},", s.Name, s.Name)
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
	w.Line("const struct wi4go_pair wi4go_pair_%s_%s = {\n    .runtime = R_FAMILY, .rank_variable = \"%s\", .translations = PAIR(translations), .setup = setup, .raise = raise_error, .frequent = frequent,%s", p.A.Family, p.R.Family, p.R.Traits.RankVariable, output.If(p.A.HandleBits != 32, " .frequent_begins = numbers_begin,"))
	p.pairEnd(w)
}

// fallback is the C function that assembly leaves a call to.
func (p *Pair) fallback(plan *plan.Plan) string {
	if plan.Hand == "" && len(p.near(plan)) > 0 {
		return "fallback_" + plan.Function.Name
	}
	return "A_" + plan.Function.Name
}

// pairEnd writes what all pairs say at their end.
func (p *Pair) pairEnd(w *output.Writer) {
	limit := func(name string) int64 { return p.R.Constants[name] }
	w.Line("    .unsupported = A_MPI_ERR_UNSUPPORTED_OPERATION, .cxx = &cxx, .root_send_refused = R_ROOT_SEND_REFUSED,\n    .limits = {%d, %d, %d}, .lacked_classes = lacked_classes,\n};",
		limit("MPI_MAX_INFO_KEY"), limit("MPI_MAX_INFO_VAL"), limit("MPI_MAX_ERROR_STRING"))
}
