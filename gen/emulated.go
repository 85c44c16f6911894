package gen

import "wi4go/gen/output"

// An emulation is a function that a front serves without the runtime's own.
type emulation struct {
	function string
	runtime  string // the family for which it does so, "*" for each
	of       string // the runtime's function by which it does so, "-" where it needs none
}

// writeEmulations writes them into a section of the front, which the command reads
// (program.ReadEmulation): it says of a program's functions which the runtime
// has, which the front serves, and which nobody does. The pieces of several
// files stand behind each other there.
func writeEmulations(w *output.Writer, list []emulation) {
	if len(list) == 0 {
		return
	}
	w.Line("static const char wi4go_emulated[] __attribute__((section(\".wi4go.emulated\"), used)) =")
	for _, e := range list {
		w.Line("    \"%s %s %s\\n\"", e.function, e.runtime, e.of)
	}
	w.Line("    ;")
}
