package output

// An Emulation is a function that a front can serve if the runtime lacks it.
type Emulation struct {
	Function string
	Runtime  string // the runtime's family, or "*" for all families
	Requires string // the runtime's function that the front calls instead, or "-" if it needs none
}

// WriteEmulations writes the list as a string in the section .wi4go.emulated of the front. The
// linker joins the strings of several files. The command reads the section
// (program.ReadEmulation), to report which functions of a program the runtime has, which the front
// serves, and which neither has.
func WriteEmulations(w *Writer, list []Emulation) {
	if len(list) == 0 {
		return
	}
	w.Line("static const char wi4go_emulated[] __attribute__((section(\".wi4go.emulated\"), used)) =")
	for _, e := range list {
		w.Line("    \"%s %s %s\\n\"", e.Function, e.Runtime, e.Requires)
	}
	w.Line("    ;")
}
