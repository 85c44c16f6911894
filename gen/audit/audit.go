// Package audit prints the table by which the auditor (shim/audit) recognizes MPI libraries by
// their file names. The table is a deterministic automaton for the patterns of all families,
// because the auditor lacks a C library and so no regular expressions.
//
// It must not know how a library is loaded, or the directories of an installation.
package audit

import (
	"fmt"
	"slices"
	"strings"

	"wi4go/abi"
	"wi4go/gen/model"
	"wi4go/gen/output"
)

// parts lists the keys of abi.Family.Libraries with their names in C. If several patterns match a
// name, the first part in this order wins.
var parts = []struct{ key, name string }{{"c", "PART_C"}, {"fortran", "PART_FORTRAN"}, {"cxx", "PART_CXX"}, {"old", "PART_OLD"}}

// File returns the header with the families, the linker's names of their libraries, and the
// automaton. It returns an error if a family's pattern is wrong.
func File(in *model.Input) (output.File, error) {
	w := &output.Writer{}
	w.WriteString(output.Banner("The names of MPI libraries, for the auditor."))
	families := standardFirst(in.Families)
	w.Line("static const struct audit_family audit_families[] = {")
	for _, f := range families {
		fortran := ""
		if len(f.Fortran.Sources) > 0 {
			fortran = f.Sonames["fortran"][0]
		}
		l := in.Launcher(f)
		w.Line("    {%q, %q, %q, %q, %d, {%s}, {%s}, {%s}, {%s}},", f.Family, f.Sonames["c"][0], fortran, f.Mark, output.Bit(l.Process.NestedRefused),
			texts(l.Process.Libraries), texts(l.Process.Inside), texts(l.Numbers.Size), texts(l.Numbers.Rank))
	}
	w.Line("};")
	shared := linkNames(w, families)
	var names, symbols []pattern
	for _, part := range parts {
		for i, f := range families {
			if text := f.Libraries[part.key]; text != "" {
				names = append(names, pattern{text, fmt.Sprintf("1 + 4 * %d + %s - PART_C", i, part.name)})
			}
		}
	}
	for _, i := range shared {
		for _, text := range []string{families[i].Internal, "^" + families[i].Mark + "$"} {
			symbols = append(symbols, pattern{text, fmt.Sprint(1 + i)})
		}
	}
	if err := automaton(w, "audit", names); err != nil {
		return output.File{}, err
	}
	if err := automaton(w, "audit_symbol", symbols); err != nil {
		return output.File{}, err
	}
	return output.File{Name: "audit/patterns.h", Text: w.Bytes()}, nil
}

// standardFirst returns the families sorted so that the standard ABI comes first, because the
// patterns of other families match names of its libraries as well (libmpifort_abi.so).
func standardFirst(families []*abi.Family) []*abi.Family {
	list := slices.Clone(families)
	slices.SortStableFunc(list, func(a, b *abi.Family) int { return output.Bit(b.Traits.Standard) - output.Bit(a.Traits.Standard) })
	return list
}

// linkNames prints the names without a version that interpreters use to open a C library
// (libmpi.so). Each has the index of its family, or -1 if several families have the name. It returns the
// indices of the families that have a name of several.
func linkNames(w *output.Writer, families []*abi.Family) (shared []int) {
	owner := map[string]int{}
	share := func(family int) {
		if !slices.Contains(shared, family) {
			shared = append(shared, family)
		}
	}
	var names []string
	for i, f := range families {
		for _, soname := range slices.Concat(f.Sonames["c"], f.Sonames["parts"]) {
			stem, _, _ := strings.Cut(soname, ".so")
			name := stem + ".so"
			if other, found := owner[name]; found && other != i {
				if share(i); other >= 0 {
					share(other)
				}
				owner[name] = -1
			} else if !found {
				owner[name], names = i, append(names, name)
			}
		}
	}
	w.Line("static const struct audit_link_name audit_link_names[] = {")
	for _, name := range names {
		w.Line("    {%q, %d},", name, owner[name])
	}
	w.Line("};")
	return shared
}

// automaton prints the automaton for patterns as three tables, whose names begin with prefix: the class of
// each byte; the next state for each state and class; and the result of each state, which is 0 for no match
// and otherwise the value of a pattern: 1 + 4 * family + part for names, 1 + family for symbols.
func automaton(w *output.Writer, prefix string, patterns []pattern) error {
	d, err := determine(patterns)
	if err != nil {
		return err
	}
	w.Line("static const unsigned char %s_classes[256] = {%s};", prefix, list(d.classes[:]))
	w.Line("static const unsigned short %s_next[][%d] = {", prefix, d.nClasses)
	for _, row := range d.next {
		w.Line("    {%s},", list(row))
	}
	w.Line("};")
	w.Line("static const unsigned char %s_accepts[] = {", prefix)
	for _, accepted := range d.accepts {
		if accepted < 0 {
			w.Line("    0,")
		} else {
			w.Line("    %s,", patterns[accepted].value)
		}
	}
	w.Line("};")
	return nil
}

// texts returns the elements of an array of strings in C, with a null pointer at the end.
func texts(names []string) string {
	text := ""
	for _, name := range names {
		text += fmt.Sprintf("%q, ", name)
	}
	return text + "0"
}

// list returns the elements of an array of numbers in C.
func list[T any](numbers []T) string {
	var words []string
	for _, n := range numbers {
		words = append(words, fmt.Sprint(n))
	}
	return strings.Join(words, ", ")
}
