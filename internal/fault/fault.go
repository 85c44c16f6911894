// Package fault has the errors by which wi4go refuses to run something: each
// has a name that stays the same (what `wi4go doctor --json` shows), what is
// wrong, and what to do about it. And it says errors of all kinds in words for people.
//
// It must not know what can be wrong.
package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
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
	text := Text(err)
	if !errors.As(err, &f) {
		return otherwise, text, ""
	}
	if before, found := strings.CutSuffix(text, f.Cure); found && f.Cure != "" {
		return f.ID, strings.TrimRight(before, ":,; "), f.Cure
	}
	return f.ID, text, ""
}

// Text is an error for people: what Go's packages put into theirs for programmers (the name
// of a system call, of a package, of a variable) is left out.
func Text(err error) string {
	text := err.Error()
	for _, e := range parts(err) {
		if said := plain(e); said != "" {
			text = strings.ReplaceAll(text, e.Error(), said)
		}
	}
	return text
}

// parts are an error and all those in it, the outer ones first.
func parts(err error) []error {
	all := []error{err}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			all = append(all, parts(inner)...)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			all = append(all, parts(inner)...)
		}
	}
	return all
}

// plain says an error of Go's packages without their words; "" of any other.
func plain(err error) string {
	switch e := err.(type) {
	case *fs.PathError:
		return e.Path + ": " + e.Err.Error()
	case *os.LinkError:
		return e.New + ": " + e.Err.Error()
	case *os.SyscallError:
		return e.Err.Error()
	case *exec.Error:
		if errors.Is(e, exec.ErrNotFound) {
			return e.Name + ": no such command in PATH"
		}
		return e.Name + ": " + e.Err.Error()
	}
	return ""
}
