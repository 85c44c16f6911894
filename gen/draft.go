package gen

import "wi4go/abi"

// A library that was made to a draft of the standard ABI numbers some constants
// and handles otherwise than the standard (abi: Varies). A pair over that family
// converts to the standard's numbers, and from there to the draft's where the
// library is found to be of it when it is loaded (mappers/draft.h).

// handleValues are a family's predefined handles that have one value for all
// programs.
func handleValues(f *abi.Family) map[string]int64 {
	values := map[string]int64{}
	for name, h := range f.Handles {
		if h.Value != nil {
			values[name] = *h.Value
		}
	}
	return values
}

// draftOf is the way from the family's values to those of its draft, for the
// named ones. Only the standard ABI has one.
func draftOf(f *abi.Family, values map[string]int64) *mapping {
	drafted := map[string]int64{}
	for name, value := range values {
		drafted[name] = value
		for _, label := range sortedKeys(f.Varies[name]) {
			if v := f.Varies[name][label]; f.Family == "mpiabi" && v != value {
				drafted[name] = v
			}
		}
	}
	return biject(values, drafted)
}

// writeDrafted writes the conversions of a value that the draft numbers
// otherwise.
func writeDrafted(w *writer, name string, m, draft *mapping) {
	writeValue(w, name+"_a2s", m)
	writeValue(w, name+"_s2a", m.inverse())
	writeValue(w, name+"_s2d", draft)
	writeValue(w, name+"_d2s", draft.inverse())
	w.line("static inline int64_t %s_a2r(int64_t x)\n{\n    x = %s_a2s(x);\n    return unlikely(runtime_is_draft) ? %s_s2d(x) : x;\n}", name, name, name)
	w.line("static inline int64_t %s_r2a(int64_t x) { return %s_s2a(unlikely(runtime_is_draft) ? %s_d2s(x) : x); }", name, name, name)
}
