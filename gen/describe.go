package gen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"wi4go/abi"
	"wi4go/gen/front"
	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/pair"
	"wi4go/gen/plan"
)

// Describe returns a paragraph for each function, by name, that describes how the front of family
// serves a call of it over runtimes of the family runtime. It is the text of
// `wi4go inspect --call`. The first line of a paragraph is the function's name. Describe returns an
// error if there is no such family.
func Describe(in *model.Input, family, runtime string) (map[string]string, error) {
	a, r := in.Family(family), in.Family(runtime)
	if a == nil || r == nil {
		return nil, fmt.Errorf("%s over %s: unknown family: the families are %s", family, runtime, strings.Join(abi.Names(), ", "))
	}
	s := model.NewSlots(in, a)
	p, err := pair.New(in, s, r)
	if err != nil {
		return nil, err
	}
	fallbacks, err := front.LargeCountFallbacks(in, s)
	if err != nil {
		return nil, err
	}
	plans := map[string]*plan.Plan{}
	for _, plan := range p.Plans {
		plans[plan.Function.Name] = plan
	}
	paragraphs := map[string]string{}
	for i, slot := range s.List {
		if slot.Exported {
			paragraphs[slot.Name] = describe(p, i, plans[slot.Name], fallbacks[slot.Name])
		}
	}
	return paragraphs, nil
}

// describe returns the paragraph of slot i. plan is nil if the pair does not translate the
// function; fallback is zero if no other function implements it.
func describe(p *pair.Pair, i int, plan *plan.Plan, fallback front.LargeCountFallback) string {
	var b strings.Builder
	slot := p.Slots.List[i]
	line := func(label, format string, args ...any) {
		fmt.Fprintf(&b, "  %-13s%s\n", label, fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(&b, "%s\n", slot.Name)
	f := slot.Function
	if f == nil {
		line("what", "a function of the %s library that is not part of MPI", p.A.Family)
	} else {
		version := "MPI " + f.Level
		if f.Level == model.Future {
			version = "a later MPI"
		}
		line("standard", "%s, %s%s", version, f.Chapter, output.If(f.Removed != "", ", removed by MPI "+f.Removed))
		for _, q := range f.Params {
			line("argument", "%s: %s (%s %s)", q.Name, q.Role, q.Dir, q.Type)
		}
	}
	for _, layer := range slices.Backward(slot.Layers()) {
		line("layer", "%s: %s_%s in shim/emulate, over what follows, %s%s", layer.Name, layer.Name, slot.Name, model.Moments[layer.When].Text, output.If(layer.If != "", ", if "+layer.If))
	}
	generated := fmt.Sprintf("%s/%s_%s", p.A.Family, p.A.Family, p.R.Family)
	if plan != nil {
		for _, text := range strings.Split(strings.TrimSpace(plan.String()), "\n") {
			line("translation", "%s", text)
		}
	}
	switch {
	case plan != nil && plan.Hand == "":
		line("code", "A_%s in %s%s.c%s, generated", slot.Name, generated, model.UnitOf(plan.Function), output.If(plan.Assembly, "; "+generated+"_fast.S"))
	case plan != nil:
		line("code", "A_%s in mappers/%s", slot.Name, plan.Hand)
	case p.A == p.R:
		line("translation", "%s", withinFamily(p, slot))
	case slot.Mapped != "":
		line("code", "A_%s in mappers/%s", slot.Name, slot.Mapped)
	case slot.Builtin:
		line("code", "wi4go_builtin_%s in shim/front/%s.c", slot.Name, p.A.Family)
	default:
		line("translation", "none: no library of the %s family has it", p.R.Family)
	}
	if f == nil {
		return b.String()
	}
	if plan != nil {
		fortranDirect(p, plan, generated, line)
	}
	if f.Emulated {
		line("emulation", "E_%s in shim/emulate, if the runtime lacks it", f.Name)
		checks(emulationChecks(p, f), line)
	}
	if standard := p.Slots.Standard(i); standard > 0 {
		line("emulation", "%s, the function's standard name, if the runtime lacks it", p.Slots.List[standard].Name)
	}
	if fallback.Function != "" {
		where := "generated: narrow.c"
		if f.Narrow == model.NarrowHand {
			where = "shim/emulate"
		}
		line("emulation", "by %s, which has int counts, if the runtime lacks it (%s)", fallback.Calls, where)
		checks(fallback.Checks, line)
	}
	return b.String()
}

// emulationChecks returns the checks of a function that the front emulates.
func emulationChecks(p *pair.Pair, f *model.Function) []plan.Check { return plan.NullChecks(p.A, f) }

// checks writes a line for each check that is made before the emulation of a function.
func checks(list []plan.Check, line func(key, format string, args ...any)) {
	for _, check := range list {
		line("emulation", "%s", check)
	}
}

// fortranDirect writes a line for each body that the pair has of the function's Fortran procedure.
func fortranDirect(p *pair.Pair, plan *plan.Plan, generated string, line func(key, format string, args ...any)) {
	const while = "instead of all of this, unless a tool or a layer intercepts the call"
	inC, inAssembly := pair.FortranDirect(&p.Pair, plan)
	name := plan.Function.Name
	if inAssembly {
		line("Fortran", "fortran_%s in %s_fast.S, generated, %s", name, generated, while)
	}
	if inC {
		line("Fortran", "direct_%s in %s%s.c, generated, %s", name, generated, model.ForSpeed, map[bool]string{true: "for the unusual cases", false: while}[inAssembly])
	}
}

// withinFamily returns a description of the translation of a call if the program and the runtime belong
// to the same family.
func withinFamily(p *pair.Pair, slot model.Slot) string {
	f := slot.Function
	serves := f != nil && slices.Contains(f.Identity, p.A.Family)
	switch {
	case slot.Builtin:
		return "none; if the runtime lacks it: wi4go_builtin_" + slot.Name + " in shim/front/" + p.A.Family + ".c"
	case serves && f.Alone:
		return "none; if the runtime lacks it: A_" + f.Name + " in mappers/" + model.IdentityHeaderOf(f)
	case serves:
		return "A_" + f.Name + " in mappers/" + model.IdentityHeaderOf(f) + ", instead of the runtime's function"
	}
	if f == nil && model.HasIdentityVersion(slot.Name) {
		return "A_" + slot.Name + " in mappers/" + model.IdentityHeader + ", instead of the runtime's function"
	}
	return "none: the runtime's function is called directly"
}

// Calls returns a file FRONT-RUNTIME.txt for each pair, with all paragraphs of Describe sorted by
// function.
func Calls(in *model.Input) ([]output.File, error) {
	var files []output.File
	for _, family := range abi.Names() {
		for _, runtime := range abi.Names() {
			paragraphs, err := Describe(in, family, runtime)
			if err != nil {
				return nil, err
			}
			var b strings.Builder
			for _, name := range slices.Sorted(maps.Keys(paragraphs)) {
				b.WriteString(paragraphs[name] + "\n")
			}
			files = append(files, output.File{Name: family + "-" + runtime + ".txt", Text: []byte(b.String())})
		}
	}
	return files, nil
}
