package embedded

import (
	"fmt"
	"strings"

	"wi4go/gen/model"
	"wi4go/gen/plan"
)

// isPointer reports whether a check examines a pointer, which needs no object.
func isPointer(check plan.Check) bool {
	_, ok := check.Condition.(plan.IsNull)
	return ok
}

// isComm reports whether a check examines a communicator.
func isComm(check plan.Check) bool {
	handle, ok := check.Condition.(plan.NoObject)
	return ok && handle.Kind == "COMM"
}

// refusal returns the condition in C under which a check refuses the call.
func refusal(check plan.Check) string {
	condition := wrong(check)
	if when := significant(check.When); when != "" {
		return when + " && " + condition
	}
	return condition
}

// wrong returns the condition in C under which the argument of a check is wrong.
func wrong(check plan.Check) string {
	name := check.Argument
	switch c := check.Condition.(type) {
	case plan.IsNull:
		if c.Length.Param != "" {
			return fmt.Sprintf("%s > 0 && !%s", c.Length.Param, name)
		}
		return "!" + name
	case plan.NoObject:
		if c.NullAllowed {
			return fmt.Sprintf("%s != %s && !%s", name, model.NullName(c.Kind), local(name))
		}
		return "!" + local(name)
	case plan.IsNegative:
		return name + " < 0"
	case plan.NotCommitted:
		return "!" + local(name) + "->committed"
	case plan.NoBuffer:
		return fmt.Sprintf("em_null_buffer(%s, %s, %s)", name, c.Count, local(c.Datatype))
	case plan.NoRank:
		return fmt.Sprintf("((unsigned)%[1]s >= (unsigned)%[2]s->remote_size) && %[1]s != MPI_PROC_NULL%[3]s", name, local(c.Comm), isNot(name, c.Any))
	case plan.NoRoot:
		return fmt.Sprintf("!em_root_valid(%s, %s)", local(c.Comm), name)
	case plan.NoTag:
		return fmt.Sprintf("(%[1]s < 0 || %[1]s > MPID_TAG_UB)%[2]s", name, isNot(name, c.Any))
	}
	panic(fmt.Sprintf("%T: this condition has no form in C", check.Condition))
}

// isNot returns the C expression, after &&, that is true unless an argument is the wildcard any. It
// returns "" if there is none.
func isNot(name, any string) string {
	if any == "" {
		return ""
	}
	return " && " + name + " != " + any
}

// significant returns the condition in C under which a call reads an argument, or "" if it always
// does.
func significant(s plan.Significance) string {
	var conditions []string
	if s.Unless != "" {
		conditions = append(conditions, s.Unless+" != MPI_IN_PLACE")
	}
	switch s.Where {
	case plan.Everywhere: // no condition
	case plan.AtRoot:
		conditions = append(conditions, fmt.Sprintf("em_at_root(%s, %s)", local(s.Comm), s.Root))
	case plan.AtLeaves:
		conditions = append(conditions, fmt.Sprintf("em_at_leaf(%s, %s)", local(s.Comm), s.Root))
	case plan.ExceptAtNull:
		conditions = append(conditions, s.Root+" != MPI_PROC_NULL")
	}
	return strings.Join(conditions, " && ")
}

// failure returns the C expression that stores the message of a check and returns its error class.
func failure(check plan.Check) string {
	text, arguments := check.Text, ""
	for _, value := range check.Values {
		switch value.Of {
		case plan.ValueInt:
			arguments += ", " + value.Name
		case plan.ValueCount:
			text = strings.Replace(text, "%d", "%lld", 1) // a message with a count takes no other value
			arguments += ", (long long)" + value.Name
		case plan.ValueRanks:
			arguments += fmt.Sprintf(", %s->remote_size", local(value.Name))
		}
	}
	return fmt.Sprintf("em_error(%s, %q%s)", check.Class, text, arguments)
}
