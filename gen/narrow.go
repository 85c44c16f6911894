package gen

import (
	"fmt"
	"slices"
	"strings"
)

// narrowByHand are the large-count functions whose narrow form is written by
// hand, in mappers/narrow.h: their arguments are others than the small ones'.
var narrowByHand = []string{"MPI_Op_create_c", "MPI_Type_get_contents_c", "MPI_Type_get_envelope_c"}

// narrow writes, for the large-count functions that the front exports, the form
// that calls the function with int counts, for libraries that have only that.
// Where an array of counts must outlive the call, or nothing says how long it
// is, there is none.
func (s *slots) narrow(in *Input) []byte {
	w := &writer{}
	w.WriteString(banner("Large counts over libraries that have none, in programs of the " + s.front.Family + " family."))
	w.line("#include \"front.h\"\n#include \"slots.h\"\n#include <limits.h>")
	w.line("typedef int64_t MPI_Aint, MPI_Count, MPI_Offset;")
	(&pair{in: in, a: s.front, r: s.front}).types(w)
	w.line("#define A_MPI_ROOT (%d)\n#define A_MPI_IN_PLACE %s", s.front.Constants["MPI_ROOT"], addressOf("A", "MPI_IN_PLACE", s.front.Pointers["MPI_IN_PLACE"]))
	large := map[string]*slot{}
	for i := range s.list {
		large[s.list[i].name] = &s.list[i]
	}
	rows, functions := &writer{}, &writer{}
	var served []emulation
	for _, small := range s.list {
		if small.function == nil || small.function.Large == "" {
			continue
		}
		f := large[small.function.Large]
		if !f.exported {
			continue
		}
		if !slices.Contains(narrowByHand, f.name) {
			text, ok := narrowed(small.function, f.function)
			if !ok {
				continue
			}
			functions.WriteString(text)
		}
		rows.line("    [SLOT_%s] = {(void *)N_%s, SLOT_%s},", f.name, f.name, small.name)
		served = append(served, emulation{f.name, "*", small.name})
	}
	if rows.Len() > 0 {
		w.line("#include \"narrow.h\"")
	}
	w.WriteString(functions.String())
	w.line("const struct wi4go_narrow wi4go_narrow[N_SLOTS] = {\n%s};", rows.String())
	w.emulations(served)
	return w.Bytes()
}

// narrowed is the large-count function f by way of the small one; false where
// it cannot be had.
func narrowed(small, f *Function) (string, bool) {
	if len(small.Params) != len(f.Params) {
		return "", false
	}
	inPlace := slices.ContainsFunc(f.Params, func(q Param) bool { return q.Name == "sendbuf" && q.Role == "BUFFER_OR_IN_PLACE" })
	var declared, types, given, same, fits, before, after []string
	for i, q := range f.Params {
		to := small.Params[i].Type
		declared = append(declared, declaration(ctype(q.Type, "A"), q.Name))
		types = append(types, ctype(to, "A"))
		same = append(same, q.Name)
		argument := q.Name
		switch change := q.Type + " " + q.Dir + " " + to; change {
		case q.Type + " " + q.Dir + " " + q.Type:
		case "MPI_Count in MPI_Aint":
		case "MPI_Count * out MPI_Aint *", "MPI_Count * inout MPI_Aint *", "const MPI_Count * in const MPI_Aint *":
			argument = fmt.Sprintf("(%s)%s", to, q.Name)
		case "MPI_Count in int", "MPI_Aint in int":
			argument = "(int)" + q.Name
			fits = append(fits, fmt.Sprintf("FITS(%s)", q.Name))
		case "MPI_Count * out int *", "MPI_Aint * out int *":
			before = append(before, fmt.Sprintf("int narrow_%s = 0;", q.Name))
			argument = "&narrow_" + q.Name
			after = append(after, fmt.Sprintf("if (!rc)\n        *%s = narrow_%s;", q.Name, q.Name))
		case "MPI_Count * inout int *":
			before = append(before, fmt.Sprintf("int narrow_%s = (int)*%s;", q.Name, q.Name))
			fits = append(fits, fmt.Sprintf("FITS(*%s)", q.Name))
			argument = "&narrow_" + q.Name
			after = append(after, fmt.Sprintf("if (!rc)\n        *%s = narrow_%s;", q.Name, q.Name))
		case "const MPI_Count * in const int *", "const MPI_Aint * in const int *":
			n := q.Length.Param
			switch {
			case q.Length.Size != "":
				n = fmt.Sprintf("%s(%s)", q.Length.Size, q.Length.Comm)
				if q.Length.Root != "" {
					n = fmt.Sprintf("at_root(%s, %s) ? %s : 0", q.Length.Root, q.Length.Comm, n)
				} else if inPlace && strings.HasPrefix(q.Name, "s") {
					n = fmt.Sprintf("sendbuf == A_MPI_IN_PLACE ? 0 : %s", n)
				}
			case n == "":
				return "", false
			}
			before = append(before, fmt.Sprintf("NARROWED(%s, %s);", q.Name, n))
			argument = fmt.Sprintf("narrow_%s.array", q.Name)
			fits = append(fits, fmt.Sprintf("narrow_%s.fits", q.Name))
		default:
			return "", false
		}
		given = append(given, argument)
	}
	w := &writer{}
	w.line("\nstatic int N_%s(%s)\n{", f.Name, strings.Join(declared, ", "))
	for _, line := range before {
		w.line("    %s", line)
	}
	if len(fits) > 0 {
		w.line("    if (unlikely(!(%s)))", strings.Join(fits, " && "))
		w.line("        return REFUSE(%s)(%s);", f.Name, strings.Join(same, ", "))
	}
	call := fmt.Sprintf("CALL(int(%s), %s)(%s)", strings.Join(types, ", "), small.Name, strings.Join(given, ", "))
	if len(after) == 0 {
		w.line("    return %s;\n}", call)
		return w.String(), true
	}
	w.line("    int rc = %s;", call)
	for _, line := range after {
		w.line("    %s", line)
	}
	w.line("    return rc;\n}")
	return w.String(), true
}
