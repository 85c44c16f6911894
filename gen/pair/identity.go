package pair

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"wi4go/gen/ctypes"
	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
	"wi4go/mappers"
)

// identity returns the C of the pair of a front with its own family. The runtime's functions
// serve the program unchanged, unless mappers.json lists them.
func (p *Pair) identity() []byte {
	// wrapped has the functions with a translation here, and alone the functions that do not
	// need the runtime.
	drafted := p.drafted()
	wrapped, alone := map[string]bool{}, map[string]bool{}
	headers := []string{model.IdentityHeader, "raise_error.h"}
	for _, s := range p.Slots.List {
		switch f := s.Function; {
		case f == nil && s.Internal && s.Exported:
			// A function outside MPI that the front exports.
			wrapped[s.Name] = model.HasIdentityVersion(s.Name)
		case f != nil && s.Exported && slices.Contains(f.Identity, p.A.Family):
			if header := model.IdentityHeaderOf(f); !slices.Contains(headers, header) {
				headers = append(headers, header)
			}
			wrapped[s.Name], alone[s.Name] = !f.Alone, f.Alone
		}
	}
	w := p.include("", true, headers...)
	for _, s := range p.Slots.List {
		if s.Builtin && !wrapped[s.Name] {
			w.Line("extern void wi4go_builtin_%s(void) HIDDEN;", s.Name)
		}
	}
	// A function whose arguments have a draft's numbers gets a printed translation.
	for _, s := range p.Slots.List {
		if !s.Exported || s.Function == nil || alone[s.Name] {
			continue
		}
		if r := plan.Renumber(s.Function, drafted); r != nil {
			p.renumber(w, r)
			wrapped[s.Name] = true
		}
	}
	w.Line("const struct wi4go_translation PAIR(translations)[N_SLOTS] = {")
	var served []output.Emulation
	for _, s := range p.Slots.List {
		switch {
		case s.Exported && wrapped[s.Name]:
			w.Line("    [SLOT_%s] = {A_%s, 0},", s.Name, s.Name)
			continue
		case s.Builtin:
			w.Line("    [SLOT_%s] = {(void *)wi4go_builtin_%s, WI4GO_ALONE},", s.Name, s.Name)
		case alone[s.Name]:
			w.Line("    [SLOT_%s] = {A_%s, WI4GO_ALONE},", s.Name, s.Name)
		default:
			continue
		}
		served = append(served, output.Emulation{Function: s.Name, Runtime: p.R.Family, Requires: "-"})
	}
	w.Line("};")
	output.WriteEmulations(w, served)
	w.Line("const struct wi4go_pair wi4go_pair_%s_%s = {", p.A.Family, p.R.Family)
	w.Line("    .runtime = R_FAMILY, .rank_variable = \"%s\", .identity = 1, .translations = PAIR(translations), .setup = setup, .raise = raise_error,", p.R.Traits.RankVariable)
	p.pairEnd(w)
	return w.Bytes()
}

// identityFacts returns all that such a pair provides according to mappers/pair.h.
func (p *Pair) identityFacts() []byte {
	w := p.head()
	for _, name := range slices.Sorted(maps.Keys(p.In.Mappers.Roles)) {
		d := p.draft(name)
		if !d.IsIdentity() {
			writeDrafted(w, name, &model.Mapping{}, &model.Mapping{}, d)
		} else if c := p.In.Mappers.Roles[name].Convert; c == mappers.Handle || c == mappers.Value || c == mappers.Bits {
			w.Line("#define %s_a2r(x) (x)\n#define %s_r2a(x) (x)", name, name)
		}
	}
	for _, name := range []string{"MPI_COMM_SELF", "MPI_COMM_WORLD", "MPI_ERRORS_ARE_FATAL", "MPI_ERRORS_RETURN", "MPI_COMM_NULL", "MPI_FILE_NULL", "MPI_INFO_NULL", "MPI_ERRHANDLER_NULL", "MPI_OP_NULL"} {
		h := p.A.Handles[name]
		value := "0"
		if h.Symbol != "" {
			w.Line("extern char %s[];", h.Symbol)
			value = "(intptr_t)" + h.Symbol
		} else {
			value = ctypes.Number(p.R, name, *h.Value, "runtime_is_draft")
		}
		w.Line("#define R_%s ((R_%s)%s)\n#define A_%s R_%s", name, model.HandleTypes[h.Kind], value, name, name)
	}
	p.objects(w)
	return w.Bytes()
}

// drafted reports for each role whether a draft of the family numbers its constants or handles
// differently.
func (p *Pair) drafted() map[string]bool {
	drafted := map[string]bool{}
	for name := range p.In.Mappers.Roles {
		drafted[name] = !p.draft(name).IsIdentity()
	}
	return drafted
}

// renumber writes a function that calls the runtime's with the numbers of each side.
func (p *Pair) renumber(w *output.Writer, r *plan.Renumbering) {
	f := r.Function
	var args, before, after []string
	for i, a := range r.Arguments {
		q := &f.Params[i]
		switch {
		// The argument is the same on both sides.
		case a.Conversion == "":
			args = append(args, q.Name)
		// The argument is the address of a variable, which the call reads and writes.
		case a.At:
			t := ctypes.Of(q.Element(), "A")
			before = append(before, fmt.Sprintf("%s r_%s = %s ? (%s)%s_a2r(*%s) : 0;", t, q.Name, q.Name, t, a.Conversion, q.Name))
			args = append(args, fmt.Sprintf("%s ? &r_%s : NULL", q.Name, q.Name))
			after = append(after, fmt.Sprintf("if (%s) *%s = (%s)%s_r2a(r_%s);", q.Name, q.Name, t, a.Conversion, q.Name))
		default:
			args = append(args, fmt.Sprintf("%s%s_a2r(%s)", output.If(a.AsInt, "(int)"), a.Conversion, q.Name))
		}
	}
	call := fmt.Sprintf("R_%s(%s)", f.Name, strings.Join(args, ", "))
	w.Line("static %s A_%s(%s)\n{", ctypes.Of(f.Returns, "A"), f.Name, strings.Join(ctypes.Declarations(f), ", "))
	// Calls that the library makes itself have the library's numbers already.
	w.Line("    if (!needs_renumbering(__builtin_return_address(0)))\n        return R_%s(%s);", f.Name, strings.Join(f.Names(), ", "))
	switch {
	case r.Result != "":
		w.Line("    return (%s)%s_r2a(%s);", ctypes.Of(f.Returns, "A"), r.Result, call)
	case before == nil:
		w.Line("    return %s;", call)
	default:
		w.Line("    %s\n    int rc = %s;\n    %s\n    return rc;", strings.Join(before, "\n    "), call, strings.Join(after, "\n    "))
	}
	w.Line("}")
}

// objects writes the table of the data symbols of a family whose predefined handles are
// objects. Both the program and the runtime's library have them, the latter with their
// contents. If a version of the family lacks an object, another takes its place.
func (p *Pair) objects(w *output.Writer) {
	if len(p.A.DataSymbols) == 0 || p.A.HandleBits != 64 {
		return
	}
	world := p.A.Handles["MPI_COMM_WORLD"].Symbol
	// C needs the names of the object of MPI_COMM_WORLD and of the variable that points to it.
	for _, d := range p.A.DataSymbols {
		if d.PointsTo == world {
			w.Line("/* A variable of the library, and the object that it points to. */\n#define WORLD_POINTER %s\n#define WORLD_OBJECT %s", d.Name, world)
		}
	}
	versions := len(p.A.Versions)
	var rows []string
	for _, d := range p.A.DataSymbols {
		w.Line("extern char %s[];", d.Name)
		// like is the storage of the object's replacement in versions that lack it.
		like := "0"
		if d.PointsTo == "" && len(d.In) < versions {
			like = p.replacementOf(d.Name)
		}
		rows = append(rows, fmt.Sprintf("    {\"%s\", %s, %d, %s},", d.Name, d.Name, d.Size, like))
	}
	w.Line("/* The family's data: name, the program's storage, its size; the replacement if the library lacks it. */")
	w.Line("static const struct { const char *name; char *storage; size_t size; char *like; } objects[] = {\n%s\n};", strings.Join(rows, "\n"))
}

// replacementOf returns the storage of the handle that replaces a handle which the library lacks,
// or "0".
func (p *Pair) replacementOf(symbol string) string {
	for _, name := range slices.Sorted(maps.Keys(p.A.Handles)) {
		h := p.A.Handles[name]
		if h.Symbol != symbol || symbol == p.A.Handles[model.NullName(h.Kind)].Symbol {
			continue
		}
		for _, candidate := range []string{substituteOf(p.A, name), model.NullName(h.Kind)} {
			if s := p.A.Handles[candidate].Symbol; s != "" {
				return s
			}
		}
	}
	if h, ok := p.A.Handles[p.A.Substitutes[symbol]]; ok {
		return h.Symbol
	}
	return "0"
}
