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

// narrow returns the C of the front's large-count functions for libraries without large counts,
// which call functions with int counts. entries has the implementations, by function.
func (s printer) narrow(in *model.Input) (text []byte, entries map[string]Narrowing, err error) {
	n := narrower{in: in, front: s.Front, place: map[string]*model.Slot{}, functions: &output.Writer{}, later: &output.Writer{}, entries: map[string]Narrowing{}}
	for i := range s.List {
		n.place[s.List[i].Name] = &s.List[i]
	}
	for _, slot := range s.List {
		small := slot.Function
		if small == nil || small.Large == "" || !n.place[small.Large].Exported {
			continue
		}
		if err := n.add(small, n.place[small.Large].Function); err != nil {
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
	w.WriteString(n.later.String())
	output.WriteEmulations(w, n.served)
	return w.Bytes(), n.entries, nil
}

// A narrower writes the large-count functions of one front.
type narrower struct {
	in        *model.Input
	front     *abi.Family
	place     map[string]*model.Slot // the slots by name
	functions *output.Writer         // the functions
	later     *output.Writer         // C that uses these functions, and so comes after them
	entries   map[string]Narrowing   // by function
	served    []output.Emulation
}

// add writes the large-count function f if it can be implemented. small is the function with int
// counts.
func (n *narrower) add(small, f *model.Function) error {
	of, entry := small.Name, "N_"+f.Name // the function to call, which the runtime must have; and the C function
	if wide := n.place[small.Wide]; wide != nil {
		of = small.Wide
	}
	l, checks := plan.LargeCountOf(n.place[of].Function, f), plan.Checks(n.front, asLong(f, small))
	switch l.Way {
	case plan.LargeByHand:
		entry = checked(n.later, f, checks, entry)
	case plan.LargeStarted:
		// Do not call the library's own persistent collectives: Open MPI's do not keep a datatype
		// alive that the program frees.
		started := n.in.Function(f.Starts)
		if err := persistentLarge(n.later, small, f, started); err != nil {
			return err
		}
		of, entry = started.Small, checked(n.later, f, checks, "E_"+f.Name)
	case plan.LargeExchanged:
		of = f.Exchange.Call
		exchanged(n.functions, l)
		entry = checked(n.later, f, checks, entry)
	case plan.LargeInPieces:
		reducedLater(n.functions, small, l)
		entry = checked(n.later, f, checks, entry)
	case plan.LargeNarrowed:
		checks = nil // the function with int counts makes them
		narrowForm{l}.write(n.functions)
	case plan.LargeImpossible:
		return nil
	}
	n.entries[f.Name] = Narrowing{entry, of, checks}
	n.served = append(n.served, output.Emulation{Function: f.Name, Runtime: "*", Of: of})
	return nil
}

// narrowHead returns the head of the C function that implements f, up to the opening brace.
func narrowHead(f *model.Function) string {
	return fmt.Sprintf("\nint N_%s(%s)\n{", f.Name, strings.Join(ctypes.Declarations(f), ", "))
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
