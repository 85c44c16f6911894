package front

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"wi4go/gen/ctypes"
	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
)

// writeChecked writes a C function that makes the checks of the pointers of f and then calls the function function. It
// returns the name of the written function, or function if there are no checks.
func writeChecked(w *output.Writer, f *model.Function, checks []plan.Check, function string) string {
	nulls := map[string][]string{} // by the class of the error
	for _, check := range checks {
		nulls[check.Class] = append(nulls[check.Class], isNull(check))
	}
	if len(nulls) == 0 {
		return function
	}
	var refused []string
	for _, class := range slices.Sorted(maps.Keys(nulls)) {
		refused = append(refused, fmt.Sprintf("if (unlikely(%s))\n        return wi4go_raise(%s, %s);", strings.Join(nulls[class], " || "), f.RaisedBy(), class))
	}
	w.Fill(template("checked"), map[string]string{
		"function": f.Name, "parameters": strings.Join(ctypes.Declarations(f), ", "), "refused": strings.Join(refused, "\n    "),
		"given": function, "arguments": strings.Join(f.Names(), ", "),
	})
	return "checked_" + f.Name
}

// isNull returns the condition in C under which a check of a pointer refuses the call.
func isNull(check plan.Check) string {
	length := check.Condition.(plan.IsNull).Length
	switch {
	case length == model.Length{}:
		return "!" + check.Argument
	case length.Param != "":
		return fmt.Sprintf("(%s > 0 && !%s)", length.Param, check.Argument)
	}
	n, _ := elements(length) // it has a size
	return fmt.Sprintf("(!%s && %s > 0)", check.Argument, n)
}
