// Package report reads valgrind's reports in XML: the errors that memcheck, helgrind and drd find.
package report

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Finding is an error in a report.
type Finding struct {
	Kind   string  `xml:"kind"`
	What   string  `xml:"what"`
	XWhat  string  `xml:"xwhat>text"`
	Frames []Frame `xml:"stack>frame"`
}

// Frame is a function on the stack of an error.
type Frame struct {
	Object   string `xml:"obj"`
	Function string `xml:"fn"`
}

// Place returns the error's kind and its location in the libraries: the frames from the innermost one out to the
// program or to a file in the directory wi4go.
func (f Finding) Place(program, wi4go string) string {
	place := []string{f.Kind}
	for _, frame := range f.Frames {
		if frame.Object == program || strings.HasPrefix(frame.Object, wi4go) {
			break
		}
		place = append(place, filepath.Base(frame.Object)+":"+frame.Function)
	}
	return strings.Join(place, " < ")
}

// IsLeak reports whether the error is memory that is not freed.
func (f Finding) IsLeak() bool { return strings.HasPrefix(f.Kind, "Leak_") }

// IsCausedBy reports whether a file in the directory wi4go has caused the error, or has called the C library for it.
func (f Finding) IsCausedBy(wi4go string) bool {
	i := slices.IndexFunc(f.Frames, func(frame Frame) bool { return !system.MatchString(filepath.Base(frame.Object)) })
	return i < 0 || strings.HasPrefix(f.Frames[i].Object, wi4go)
}

// system matches the C library, the dynamic linker, and valgrind's replacements of them.
var system = regexp.MustCompile(`^(ld-linux.*|libc|vgpreload_.*)\.so`)

// InLinker reports whether the dynamic linker has caused the error while it opens a library: it reads paths a word at a
// time (natively as well, but before valgrind checks).
func (f Finding) InLinker() bool {
	return len(f.Frames) > 0 && strings.HasPrefix(filepath.Base(f.Frames[0].Object), "ld-linux") &&
		slices.ContainsFunc(f.Frames, func(frame Frame) bool { return strings.HasPrefix(frame.Function, "dlopen") })
}

func (f Finding) String() string {
	text := &strings.Builder{}
	fmt.Fprintln(text, f.Kind, f.What, f.XWhat)
	for _, frame := range f.Frames {
		fmt.Fprintln(text, "   ", frame.Object, frame.Function)
	}
	return text.String()
}

// Read returns the errors in a file, which must be the report of a tool about a program that has ended.
func Read(file, tool string) ([]Finding, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var report struct {
		Tool   string    `xml:"tool"`
		Errors []Finding `xml:"error"`
		State  []string  `xml:"status>state"`
	}
	if err := xml.Unmarshal(text, &report); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if report.Tool != tool || !slices.Contains(report.State, "FINISHED") {
		return nil, fmt.Errorf("%s: not a report of %s about a program that has ended", file, tool)
	}
	return report.Errors, nil
}
