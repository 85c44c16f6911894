package output

// An Emulation is a function that a front serves without the runtime's own.
type Emulation struct {
	Function string
	Runtime  string // the family for which it does so, "*" for each
	Of       string // the runtime's function by which it does so, "-" where it needs none
}

// WriteEmulations writes them into a section of the front, which the command reads
// (program.ReadEmulation): it says of a program's functions which the runtime
// has, which the front serves, and which nobody does. The pieces of several
// files stand behind each other there.
func WriteEmulations(w *Writer, list []Emulation) {
	if len(list) == 0 {
		return
	}
	w.Line("static const char wi4go_emulated[] __attribute__((section(\".wi4go.emulated\"), used)) =")
	for _, e := range list {
		w.Line("    \"%s %s %s\\n\"", e.Function, e.Runtime, e.Of)
	}
	w.Line("    ;")
}
