package nulls

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"wi4go/abi"
	"wi4go/gen/model"
)

// inputs returns the tables that define the functions.
func inputs(t *testing.T) *model.Input {
	t.Helper()
	var texts [2][]byte
	for i, name := range []string{"funcs.json", "mappers.json"} {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		require.NoError(t, err)
		texts[i] = text
	}
	in, err := model.Load(texts[0], texts[1])
	require.NoError(t, err)
	return in
}

// isOurs reports whether a front does more than pass a function on to the library: it emulates it, has layers over it,
// or implements it in handwritten code or by the function with int counts.
func isOurs(f *model.Function) bool {
	return f.Emulated || len(f.Layers) > 0 || f.Hand != "" || f.Small != ""
}

// functions returns the functions with pointers that a family's front exports and implements (isOurs), and those by
// which large counts are implemented.
func functions(t *testing.T, in *model.Input, family *abi.Family) []model.Function {
	t.Helper()
	var list []model.Function
	below := map[string]bool{}
	for _, f := range in.Functions {
		below[f.Wide] = true
		below[f.Small] = true
		below[f.Exchange.Call] = true
	}
	for _, slot := range model.NewSlots(in, family).List {
		f := slot.Function
		if f == nil || !slot.Exported || f.Has("VARARGS", "in") != nil {
			continue
		}
		if (isOurs(f) || below[f.Name]) && slices.ContainsFunc(f.Params, func(q model.Param) bool { return isPointer(&q) }) {
			list = append(list, *f)
		}
	}
	require.Greater(t, len(list), 200)
	return list
}

func isPointer(q *model.Param) bool {
	return q.IsPointer() || q.IsTriples() || q.Role == "FUNCTION"
}

// typeOf returns the C type of a parameter in a prototype that every family's mpi.h accepts.
func typeOf(q *model.Param) string {
	if q.Role == "FUNCTION" {
		return "void *"
	}
	return q.Type
}

// numbers are the values of integer arguments, and of the elements of integer arrays, by role; others are 0.
var numbers = map[string]string{
	"AMODE": "MPI_MODE_CREATE | MPI_MODE_RDWR", "COUNT": "1", "COUNTS": "1", "DISTRIBUTION": "MPI_DISTRIBUTE_BLOCK",
	"DISTRIBUTION_ARG": "MPI_DISTRIBUTE_DFLT_DARG", "ERROR_CLASS": "MPI_ERR_OTHER", "ERROR_CODE": "MPI_ERR_OTHER",
	"LENGTH": "64", "LOCK_TYPE": "MPI_LOCK_SHARED", "ORDER": "MPI_ORDER_C", "SPLIT_TYPE": "MPI_COMM_TYPE_SHARED",
	"TYPECLASS": "MPI_TYPECLASS_INTEGER", "WEIGHT": "1", "WHENCE": "MPI_SEEK_SET",
}

// handles are the C expressions of handles by role: for input, and for a call that may free the handle. An expression
// may use the function's name.
var handles = map[string][2]string{
	"COMM": {"a_comm(function)", "own_comm()"}, "DATATYPE": {"MPI_INT", "own_type()"}, "ERRHANDLER": {"MPI_ERRORS_RETURN", "own_errhandler()"},
	"FILE": {"a_file()", "a_file()"}, "GROUP": {"a_group()", "a_group()"}, "INFO": {"an_info()", "an_info()"}, "MESSAGE": {"a_message()", "a_message()"},
	"OP": {"MPI_SUM", "own_op()"}, "REQUEST": {"a_request(function)", "a_request(function)"}, "SESSION": {"a_session()", "a_session()"},
	"WIN": {"a_win(function)", "a_win(function)"}, "KEYVAL": {"a_keyval(function)", "a_keyval(function)"},
}

// texts are the input strings by the parameters' names; others are "text".
var texts = map[string]string{"datarep": `strstr(function, "xternal") ? "external32" : "native"`, "filename": `"file"`, "key": `"key"`, "pset_name": `"mpi://SELF"`}

// valid returns the C expression of an argument that the function accepts.
func valid(f *model.Function, q *model.Param) string {
	element := strings.TrimPrefix(q.Element(), "const ")
	switch handle, isHandle := handles[q.Role]; {
	case q.Role == "FUNCTION":
		return "(void *)nothing"
	case isHandle && q.Role == "DATATYPE" && q.IsPointer() && q.IsConst():
		return "types()"
	case isHandle && q.IsPointer() && q.Dir != "out":
		return fmt.Sprintf("memcpy(room(), &(%s){%s}, sizeof(%s))", element, handle[1], element)
	case isHandle && !q.IsPointer():
		return handle[0]
	case q.Role == "STRING" && q.Dir == "in":
		if text := texts[q.Name]; text != "" {
			return text
		}
		return `"text"`
	case q.Role == "STRING_ARRAY", q.Role == "ARGV" && q.Type == "char **":
		return "texts()"
	case q.Role == "STATUS" && q.Dir != "out":
		return "a_status()"
	case q.Role == "RANK" && !q.IsPointer() && (q.Name == "source" || q.Name == "dest"):
		return "MPI_PROC_NULL"
	case q.Role == "ATTACH_BUFFER":
		return "attached"
	case q.Role == "BUFFER", q.Role == "BUFFER_OR_IN_PLACE":
		return "room()"
	case q.Type == "void *", q.Role == "STRING", q.Role == "STATUS", q.Role == "F08_STATUS", q.Role == "F_STATUS", isHandle:
		return "room()"
	case q.IsTriples():
		return "(int (*)[3])room()"
	case q.IsPointer() && (element == "MPI_Aint" || element == "MPI_Count"):
		return fmt.Sprintf("longs(%s)", number(q))
	case q.IsPointer() && element == "int":
		return fmt.Sprintf("ints(%s)", number(q))
	case q.IsPointer():
		return "room()"
	case strings.HasPrefix(q.Type, "MPI_T_") && q.Type != "MPI_T_cb_safety":
		return fmt.Sprintf("*(%s *)room()", q.Type)
	}
	return fmt.Sprintf("(%s)(%s)", q.Type, number(q))
}

// number returns the value of an integer argument, or of the elements of an integer array.
func number(q *model.Param) string {
	if n := numbers[q.Role]; n != "" {
		return n
	}
	return "0"
}

// writeCalls writes the calls of all functions whose types a family's mpi.h has: each with valid arguments, and once
// more for each pointer.
func writeCalls(t *testing.T, list []model.Function, family *abi.Family, path string) {
	t.Helper()
	var calls, table strings.Builder
	n := 0
	for i := range list {
		f := &list[i]
		if !slices.ContainsFunc(f.Params, func(q model.Param) bool { return lacks(family, &q) }) {
			writeFunction(f, &calls, &table, &n)
		}
	}
	text := fmt.Sprintf("%s\nstatic const struct { const char *function, *null; int (*call)(void); int is_tool; } calls[] = {\n%s    {NULL, NULL, NULL, 0},\n};\n", calls.String(), table.String())
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

// lacks reports whether a family lacks the type of a parameter's name.
func lacks(family *abi.Family, q *model.Param) bool {
	name := strings.Trim(strings.TrimPrefix(typeOf(q), "const "), " *")
	_, known := family.Types[name]
	return strings.HasPrefix(name, "MPI_") && !known
}

func writeFunction(f *model.Function, calls, table *strings.Builder, n *int) {
	prototype := make([]string, len(f.Params))
	for i, q := range f.Params {
		prototype[i] = typeOf(&q)
	}
	for null := -1; null < len(f.Params); null++ {
		if null >= 0 && !isPointer(&f.Params[null]) {
			continue
		}
		fmt.Fprintf(calls, "static int call_%d(void)\n{\n    const char *function_name = %q;\n    %s (*f)(%s) = function(function_name);\n", *n, f.Name, f.Returns, strings.Join(prototype, ", "))
		arguments := make([]string, len(f.Params))
		for i := range f.Params {
			q, argument := &f.Params[i], "NULL"
			if i != null {
				argument = strings.ReplaceAll(valid(f, q), "(function", "(function_name")
			}
			arguments[i] = fmt.Sprintf("a%d", i)
			fmt.Fprintf(calls, "    %s = %s;\n", declared(typeOf(q), arguments[i]), argument)
		}
		result := "return "
		if f.Returns != "int" {
			result = "(void)"
		}
		fmt.Fprintf(calls, "    %sf(%s);\n    return 0;\n}\n", result, strings.Join(arguments, ", "))
		name := "-"
		if null >= 0 {
			name = f.Params[null].Name
		}
		isTool := 0
		if f.Chapter == "tool" {
			isTool = 1
		}
		fmt.Fprintf(table, "    {%q, %q, call_%d, %d},\n", f.Name, name, *n, isTool)
		*n++
	}
}

// declared returns the declaration of a variable of a C type.
func declared(of, name string) string {
	if of == "int (*)[3]" {
		return "int (*" + name + ")[3]"
	}
	return of + " " + name
}
