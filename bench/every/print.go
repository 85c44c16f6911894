package every

import (
	"fmt"
	"strings"

	"wi4go/gen/model"
)

// room is the number of elements in an array for results.
const room = 256

// Print returns the C text of rows.h: a function for each timed row, and the table of them. The
// index of a row in the table is its index in rows.
func Print(rows []Row) (string, error) {
	t, err := load()
	if err != nil {
		return "", err
	}
	var functions, list strings.Builder
	for i := range rows {
		r := &rows[i]
		if r.Untimed != "" {
			fmt.Fprintf(&list, "\t{%q, %q, NULL},\n", r.Name, r.Function.Name)
			continue
		}
		fmt.Fprintf(&functions, "/* %s */\nstatic void row_%d(void *function, int times) {\n%s}\n\n", r.Name, i, t.body(r))
		fmt.Fprintf(&list, "\t{%q, %q, row_%d},\n", r.Name, r.Function.Name, i)
	}
	return functions.String() + "static const struct row rows[] = {\n" + list.String() + "};\n", nil
}

// body returns the body of a row's function.
func (t *table) body(r *Row) string {
	f := r.Function
	var outputs, inputs, names strings.Builder
	types := make([]string, 0, len(f.Params))
	before, after := r.how.Before, r.how.After
	for i := range f.Params {
		q := &f.Params[i]
		if q.Role == "VARARGS" {
			types = append(types, "...")
			continue
		}
		types = append(types, typeOf(q))
		names.WriteString(", " + q.Name)
		result, input := t.argument(r, q)
		outputs.WriteString(result)
		inputs.WriteString(input)
		if q.Lifetime == "free" && before == "" && q.IsPointer() {
			before = with(t.Create[q.Role], q)
		}
		if strings.HasPrefix(q.Lifetime, "create") && q.Dir == "out" && after == "" && !r.starts && !(r.waits && q.Role == "REQUEST") {
			after = with(t.Free[q.Role], q)
		}
	}
	call := fmt.Sprintf("call(%s)", strings.TrimPrefix(names.String(), ", "))
	var b strings.Builder
	fmt.Fprintf(&b, "\t%s (*call)(%s) = function;\n", f.Returns, strings.Join(types, ", "))
	b.WriteString(outputs.String())
	b.WriteString(statement("\t", r.how.Once))
	if r.starts {
		b.WriteString(inputs.String() + "\tMUST(" + call + ");\n")
		inputs.Reset()
	}
	b.WriteString("\twhile (times--) {\n")
	b.WriteString(statement("\t\t", before))
	b.WriteString(strings.ReplaceAll(inputs.String(), "\t", "\t\t"))
	b.WriteString(measured(r, call))
	b.WriteString(statement("\t\t", after))
	b.WriteString("\t}\n")
	if r.starts {
		b.WriteString(statement("\t", with(t.Free["REQUEST"], f.Has("REQUEST", "out"))))
	}
	b.WriteString(statement("\t", r.how.Last))
	return b.String()
}

// with returns a statement about the object in q.
func with(text string, q *model.Param) string { return strings.ReplaceAll(text, "$", q.Name) }

// measured returns the statements that are counted, with a check of the result.
func measured(r *Row, call string) string {
	f := r.Function
	wait := func(request string) string {
		return fmt.Sprintf("; if (code == MPI_SUCCESS) code = MPI_Wait(%s, MPI_STATUS_IGNORE)", request)
	}
	q := f.Has("REQUEST", "out")
	switch {
	case r.starts:
		between := ""
		if r.how.Between != "" {
			between = "; " + r.how.Between
		}
		call = fmt.Sprintf("code = MPI_Start(%s)%s%s", q.Name, between, wait(q.Name))
	case f.Returns != "int" || strings.HasSuffix(f.Name, "_toint"): // the result is no error code
		return fmt.Sprintf("\t\tCOUNT((void)%s);\n", call)
	case r.waits:
		call = "code = " + call + wait(q.Name)
	default:
		call = "code = " + call
	}
	return fmt.Sprintf("\t\tint code;\n\t\tCOUNT(%s);\n\t\tmust_succeed(code, %q);\n", call, f.Name)
}

// statement returns a line with a statement, or "" if there is none.
func statement(indent, text string) string {
	if text == "" {
		return ""
	}
	return indent + text + ";\n"
}

// expression returns the C expression of an argument.
func (t *table) expression(r *Row, q *model.Param) string {
	if text, given := r.how.Arguments[q.Name]; given {
		return text
	}
	return t.Roles[q.Role]
}

// argument returns the C declarations of an argument's variable: outside of the loop, if the call
// writes to it, and inside.
func (t *table) argument(r *Row, q *model.Param) (outside, inside string) {
	expression := t.expression(r, q)
	_, given := r.how.Arguments[q.Name]
	element := strings.TrimPrefix(q.Element(), "const ")
	first := expression
	if !given {
		first, _, _ = strings.Cut(expression, ", ")
	}
	isChoice := strings.HasPrefix(q.Role, "BUFFER")
	switch {
	case given && q.IsPointer() && (strings.HasPrefix(expression, "&") || strings.HasPrefix(expression, "*")):
		return "", fmt.Sprintf("\t%s = (void *)%s;\n", declared(q, q.Name), strings.TrimPrefix(expression, "*"))
	case isChoice && q.Dir != "in":
		if !given {
			expression = "in"
		}
		return "", fmt.Sprintf("\tvoid *%s = %s;\n", q.Name, expression)
	case q.IsTriples():
		return "", fmt.Sprintf("\tint (*%s)[3] = (int[][3]){%s};\n", q.Name, expression)
	case q.IsPointer() && q.Dir != "in" && q.Type == "void *":
		return fmt.Sprintf("\tstatic void *%s[%d];\n", q.Name, room), ""
	case q.IsPointer() && q.Dir == "out":
		return fmt.Sprintf("\tstatic %s %s[%d];\n", element, q.Name, size(element)), ""
	case q.IsPointer() && q.Dir == "inout":
		outside = fmt.Sprintf("\tstatic %s %s[%d];\n", element, q.Name, size(element))
		if expression != "" && (element == "int" || element == "MPI_Aint" || element == "MPI_Count") && q.Role != "KEYVAL" {
			inside = fmt.Sprintf("\t%s[0] = %s;\n", q.Name, first)
		}
		return outside, inside
	case q.Type == "const int *" || q.Type == "const MPI_Aint *" || q.Type == "const MPI_Count *" ||
		q.Type == "const MPI_Datatype *" || q.Type == "const MPI_Info *":
		return "", fmt.Sprintf("\t%s = (%s[]){%s};\n", declared(q, q.Name), element, expression)
	case q.IsPointer() || q.Role == "FUNCTION":
		return "", fmt.Sprintf("\t%s = (void *)%s;\n", declared(q, q.Name), expression)
	}
	return "", fmt.Sprintf("\t%s = %s;\n", declared(q, q.Name), first)
}

// size returns the number of elements in an array for results.
func size(element string) int {
	if element == "char" {
		return 16 * room // strings of the longest limit
	}
	return room
}

// typeOf returns the C type of a parameter in a prototype that every family's mpi.h accepts.
func typeOf(q *model.Param) string {
	if q.Role == "FUNCTION" {
		return "void *"
	}
	return q.Type
}

// declared returns the declaration of a parameter's variable.
func declared(q *model.Param, name string) string { return typeOf(q) + " " + name }
