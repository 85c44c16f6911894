// Package fault provides the errors with which wi4go refuses to run something. Each has a stable
// name (shown by `wi4go doctor --json`), a description and a cure. The package also rewords errors
// of all kinds for people.
//
// It must not know which faults there are.
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
	// The stable name.
	ID          string
	Description error  // the description; nil if only the cure is shown
	Cure        string // the advice; "" if there is none
}

// New returns a Fault with this name and cure. format and args make its description, as in
// fmt.Errorf.
func New(id, cure, format string, args ...any) error {
	return &Fault{id, fmt.Errorf(format, args...), cure}
}

// Error returns the description and the cure, joined by a colon.
func (f *Fault) Error() string {
	switch {
	case f.Description == nil:
		return f.Cure
	case f.Cure == "":
		return f.Description.Error()
	}
	return f.Description.Error() + ": " + f.Cure
}

func (f *Fault) Unwrap() error { return f.Description }

// Of splits an error into name, description and cure. For an error that contains no Fault it
// returns otherwise as the name, and no cure.
func Of(err error, otherwise string) (id, description, cure string) {
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

// Text returns an error's text for people. It leaves out the parts that Go's packages add for
// programmers, such as names of system calls, packages and variables.
func Text(err error) string {
	text := err.Error()
	for _, e := range parts(err) {
		if plainText := plain(e); plainText != "" {
			text = strings.ReplaceAll(text, e.Error(), plainText)
		}
	}
	return text
}

// parts returns an error and all errors that it wraps, outer errors first.
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

// plain rewords an error of Go's packages for people. It returns "" for any other error.
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
