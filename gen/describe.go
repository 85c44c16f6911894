package gen

import (
	"fmt"
	"slices"
	"strings"

	"wi4go/abi"
)

// Describe says what happens to each call of a front's programs over a family, a
// paragraph for each function, by name: the functions that `wi4go inspect --call`
// looks up. The first line of a paragraph is the function's name.
func Describe(in *Input, front, runtime string) (map[string]string, error) {
	a, r := in.family(front), in.family(runtime)
	if a == nil || r == nil {
		return nil, fmt.Errorf("%s over %s: families are %s", front, runtime, strings.Join(abi.Names(), ", "))
	}
	s := newSlots(in, a)
	p, err := newPair(in, s, r)
	if err != nil {
		return nil, err
	}
	_, narrows, err := s.narrow(in)
	if err != nil {
		return nil, err
	}
	plans := map[string]*Plan{}
	for _, plan := range p.plans {
		plans[plan.Function.Name] = plan
	}
	paragraphs := map[string]string{}
	for i, slot := range s.list {
		if slot.exported {
			paragraphs[slot.name] = p.describe(i, plans[slot.name], narrows[slot.name])
		}
	}
	return paragraphs, nil
}

// describe is the paragraph of one slot.
func (p *pair) describe(i int, plan *Plan, narrow narrowing) string {
	var b strings.Builder
	slot := p.slots.list[i]
	line := func(label, format string, args ...any) {
		fmt.Fprintf(&b, "  %-13s%s\n", label, fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(&b, "%s\n", slot.name)
	f := slot.function
	if f == nil {
		line("what", "a function of the %s library that is no part of MPI", p.a.Family)
	} else {
		line("standard", "MPI %s, %s%s", f.Level, f.Chapter, if_(f.Removed != "", ", removed by MPI "+f.Removed))
		for _, q := range f.Params {
			line("argument", "%s: %s (%s %s)", q.Name, q.Role, q.Dir, q.Type)
		}
	}
	for _, layer := range slot.layers() {
		line("layer", "%s: %s_%s in shim/emulate, over what follows, where the layer is in use", layer, layer, slot.name)
	}
	generated := fmt.Sprintf("%s/%s_%s", p.a.Family, p.a.Family, p.r.Family)
	if plan != nil {
		for _, text := range strings.Split(strings.TrimSpace(plan.String()), "\n") {
			line("translation", "%s", text)
		}
	}
	switch {
	case plan != nil && plan.Hand == "":
		line("code", "A_%s in %s.c%s, generated", slot.name, generated, if_(plan.Assembly, "; "+generated+"_fast.S"))
	case plan != nil:
		line("code", "A_%s in mappers/%s%s", slot.name, plan.Hand, if_(plan.Assembly, "; "+generated+"_fast.S, generated"))
	case p.a == p.r:
		line("translation", "%s", p.within(slot))
	case slot.mapped != "":
		line("code", "A_%s in mappers/%s", slot.name, slot.mapped)
	case slot.own:
		line("code", "wi4go_own_%s in shim/front/%s.c", slot.name, p.a.Family)
	default:
		line("translation", "none: no library of the %s family has it", p.r.Family)
	}
	if f == nil {
		return b.String()
	}
	if f.Emulated {
		line("emulation", "E_%s in shim/emulate, where the runtime lacks it", f.Name)
	}
	if standard := p.slots.standard(i); standard > 0 {
		line("emulation", "%s, which it has become, where the runtime lacks it", p.slots.list[standard].name)
	}
	if narrow.function != "" {
		where := "generated: narrow.c"
		if f.Narrow == NarrowHand {
			where = "shim/emulate"
		}
		line("emulation", "by %s, which has int counts, where the runtime lacks it (%s)", narrow.of, where)
	}
	return b.String()
}

// within is what becomes of a call where program and runtime are of one family.
func (p *pair) within(slot slot) string {
	f := slot.function
	serves := f != nil && slices.Contains(f.Identity, p.a.Family)
	switch {
	case slot.own:
		return "none; where the runtime lacks it: wi4go_own_" + slot.name + " in shim/front/" + p.a.Family + ".c"
	case serves && f.Alone:
		return "none; where the runtime lacks it: A_" + f.Name + " in mappers/" + identityIn(f)
	case serves:
		return "A_" + f.Name + " in mappers/" + identityIn(f) + ", in the place of the runtime's"
	}
	if f == nil && inIdentity(slot.name) {
		return "A_" + slot.name + " in mappers/" + identityHeader + ", in the place of the runtime's"
	}
	return "none: the runtime's function is called as it is"
}

// Calls are the paragraphs of all pairs, as files: FRONT-RUNTIME.txt, by name.
func Calls(in *Input) ([]File, error) {
	var files []File
	for _, front := range abi.Names() {
		for _, runtime := range abi.Names() {
			paragraphs, err := Describe(in, front, runtime)
			if err != nil {
				return nil, err
			}
			var b strings.Builder
			for _, name := range sortedKeys(paragraphs) {
				b.WriteString(paragraphs[name] + "\n")
			}
			files = append(files, File{front + "-" + runtime + ".txt", []byte(b.String())})
		}
	}
	return files, nil
}
