package front

import (
	"fmt"
	"strings"

	"wi4go/abi"
	"wi4go/gen/ctypes"
	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
)

// largeCounts returns the C of the front's large-count functions for libraries without large counts,
// which call functions with int counts. entries holds the implementations, by function.
func (s printer) largeCounts(in *model.Input) (text []byte, entries map[string]LargeCountFallback, err error) {
	n := largeCountPrinter{in: in, front: s.Front, slots: map[string]*model.Slot{}, functions: &output.Writer{}, wrappers: &output.Writer{}, entries: map[string]LargeCountFallback{}}
	for i := range s.List {
		n.slots[s.List[i].Name] = &s.List[i]
	}
	for _, slot := range s.List {
		small := slot.Function
		if small == nil || small.Large == "" || !n.slots[small.Large].Exported {
			continue
		}
		if err := n.add(small, n.slots[small.Large].Function); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", small.Large, err)
		}
	}
	w := &output.Writer{}
	w.WriteString(output.Banner("Large counts over libraries that lack them, in programs of the " + s.Front.Family + " family."))
	headers := []string{"front.h", "slots.h"}
	if len(n.entries) > 0 {
		headers = append(headers, "emulate.h", "large.h", "large_types.h", "exchange.h", "reduce.h")
	}
	for _, header := range headers {
		w.Line("#include \"%s\"", header)
	}
	w.WriteString(n.functions.String())
	w.WriteString(n.wrappers.String())
	output.WriteEmulations(w, n.served)
	return w.Bytes(), n.entries, nil
}

// A largeCountPrinter writes the large-count functions of one front.
type largeCountPrinter struct {
	in        *model.Input
	front     *abi.Family
	slots     map[string]*model.Slot        // the slots by name
	functions *output.Writer                // the functions
	wrappers  *output.Writer                // C that uses these functions, and so comes after them
	entries   map[string]LargeCountFallback // by function
	served    []output.Emulation
}

// add writes the large-count function f if it can be implemented. small is the function with int
// counts.
func (n *largeCountPrinter) add(small, f *model.Function) error {
	of, entry := small.Name, "via_int_"+f.Name // the function to call, which the runtime must have; and the C function
	if wide := n.slots[small.Wide]; wide != nil {
		of = small.Wide
	}
	l, checks := plan.LargeCountOf(n.slots[of].Function, f), plan.NullChecks(n.front, withLengths(f, small))
	switch l.Method {
	case plan.LargeByHand:
		entry = writeChecked(n.wrappers, f, checks, entry)
	case plan.LargeStarted:
		// Do not call the library's own persistent collectives: Open MPI's do not keep a datatype
		// alive that the program frees.
		started := n.in.Function(f.Starts)
		if err := writePersistentLarge(n.wrappers, small, f, started); err != nil {
			return err
		}
		of, entry = started.Small, writeChecked(n.wrappers, f, checks, "E_"+f.Name)
	case plan.LargeExchanged:
		of = f.Exchange.Call
		writeExchanged(n.functions, l)
		entry = writeChecked(n.wrappers, f, checks, entry)
	case plan.LargeInPieces:
		writeNonblockingReduction(n.functions, small, l)
		entry = writeChecked(n.wrappers, f, checks, entry)
	case plan.LargeNarrowed:
		checks = nil // the function with int counts makes them
		intCountCall{l}.write(n.functions)
	case plan.LargeImpossible:
		return nil
	}
	n.entries[f.Name] = LargeCountFallback{entry, of, checks}
	n.served = append(n.served, output.Emulation{Function: f.Name, Runtime: "*", Requires: of})
	return nil
}

// largeCountHead returns the head of the C function that implements f, up to the opening brace.
func largeCountHead(f *model.Function) string {
	return fmt.Sprintf("\nint via_int_%s(%s)\n{", f.Name, strings.Join(ctypes.Declarations(f), ", "))
}

// significant returns the condition in C under which a library reads a count.
func significant(comm string, s model.Significant) string {
	var conditions []string
	if s.Unless != "" {
		conditions = append(conditions, s.Unless+" != MPI_IN_PLACE")
	}
	if s.Root != "" {
		conditions = append(conditions, fmt.Sprintf("wi4go_at_root(%s, %s)", s.Root, comm))
	}
	if len(conditions) == 0 {
		return "1"
	}
	return strings.Join(conditions, " && ")
}
