// Package meaning prints the table of the meanings of arguments, by slot and position. The table
// is for observers of calls. No library contains it yet: an observer compiles the two files.
//
// It must not know the runtimes.
package meaning

import (
	"strings"

	"wi4go/gen/model"
	"wi4go/gen/output"
)

// mostArguments is the largest number of parameters of a function.
const mostArguments = 13

// Files returns the table of a family: its header and its C.
func Files(slots *model.Slots) []output.File {
	directory := slots.Front.Family + "/"
	return []output.File{
		{Name: directory + "meaning.h", Text: header()},
		{Name: directory + "meaning.c", Text: table(slots)},
	}
}

// header returns the declarations of the table.
func header() []byte {
	w := &output.Writer{}
	w.WriteString(output.Banner("The meanings of arguments, by slot."))
	w.Line("#ifndef WI4GO_MEANING_H\n#define WI4GO_MEANING_H")
	w.Line("enum wi4go_meaning { MEANS_%s };", strings.Join(model.Meanings, ", MEANS_"))
	w.Line("/* An argument: its meaning, and bits: it is an array, the call reads it, the call writes it. */")
	w.Line("enum { MEANING = 0x0f, MEANS_LIST = 0x10, MEANS_IN = 0x40, MEANS_OUT = 0x80 };")
	w.Line("/* A slot: its name, the number of its arguments, and each of them. */")
	w.Line("struct wi4go_meanings { const char *name; unsigned char n, argument[%d]; };", mostArguments)
	w.Line("extern const struct wi4go_meanings wi4go_meanings[];\nextern const unsigned wi4go_meaning_slots;\n#endif")
	return w.Bytes()
}

// table returns the C of the table. A slot without an entry in funcs.json gets no arguments there.
func table(slots *model.Slots) []byte {
	w := &output.Writer{}
	w.WriteString(output.Banner("The meanings of arguments in the " + slots.Front.Family + " front's slots."))
	w.Line("#include \"meaning.h\"\nconst struct wi4go_meanings wi4go_meanings[] = {")
	for _, slot := range slots.List {
		var arguments []string
		if slot.Function != nil {
			for i := range slot.Function.Params {
				arguments = append(arguments, argument(&slot.Function.Params[i]))
			}
		}
		if len(arguments) == 0 {
			w.Line("    {\"%s\", 0, {0}},", slot.Name)
			continue
		}
		w.Line("    {\"%s\", %d, {%s}},", slot.Name, len(arguments), strings.Join(arguments, ", "))
	}
	w.Line("};\nconst unsigned wi4go_meaning_slots = sizeof wi4go_meanings / sizeof *wi4go_meanings;")
	return w.Bytes()
}

// argument returns the C expression for a parameter in the table.
func argument(q *model.Param) string {
	words := []string{"MEANS_" + model.Meanings[q.Meaning()]}
	if q.IsList() {
		words = append(words, "MEANS_LIST")
	}
	if q.Dir != "out" {
		words = append(words, "MEANS_IN")
	}
	if q.Dir != "in" {
		words = append(words, "MEANS_OUT")
	}
	return strings.Join(words, " | ")
}
