// Package fault has the errors by which wi4go refuses to run something: each
// has a name that stays the same (what `wi4go doctor --json` shows), what is
// wrong, and what to do about it.
//
// It must not know what can be wrong.
package fault

import (
	"errors"
	"fmt"
	"strings"
)

// A Fault is an error with a name and a cure.
type Fault struct {
	ID   string
	What error  // nil where only the cure is to be said
	Cure string // "" where there is none
}

// New makes a fault; what is wrong is put together by fmt.Errorf.
func New(id, cure, format string, args ...any) error {
	return &Fault{id, fmt.Errorf(format, args...), cure}
}

func (f *Fault) Error() string {
	switch {
	case f.What == nil:
		return f.Cure
	case f.Cure == "":
		return f.What.Error()
	}
	return f.What.Error() + ": " + f.Cure
}

func (f *Fault) Unwrap() error { return f.What }

// Of takes an error apart: the name, all that is said of what is wrong, the
// cure. For an error that has no fault in it the name is otherwise.
func Of(err error, otherwise string) (id, what, cure string) {
	var f *Fault
	if !errors.As(err, &f) {
		return otherwise, err.Error(), ""
	}
	text := err.Error()
	if before, found := strings.CutSuffix(text, f.Cure); found && f.Cure != "" {
		return f.ID, strings.TrimRight(before, ":,; "), f.Cure
	}
	return f.ID, text, ""
}
