package main

import (
	"fmt"
	"math"
	"os"

	"golang.org/x/term"

	"wi4go/internal/doctor"
)

// terminalColumns returns the width of the terminal on stdout, or math.MaxInt if stdout is no terminal.
func terminalColumns() int {
	columns, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		return math.MaxInt
	}
	return columns
}

// terminalStyle returns the width of the terminal on stdout, and whether it shows colors. NO_COLOR
// and TERM=dumb turn the colors off. If stdout is no terminal, the result is the zero value.
func terminalStyle() (style doctor.Style) {
	columns, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		return style
	}
	return doctor.Style{Width: columns, Color: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// showStep shows text on the terminal while a step runs, and returns a function that removes it. If
// stderr is no terminal, both do nothing.
func showStep(text string) (done func()) {
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		return func() {}
	}
	const clear = "\r\x1b[K" // ECMA-48: to the beginning of the line, and erase it
	fmt.Fprint(os.Stderr, text)
	return func() { fmt.Fprint(os.Stderr, clear) }
}
