package runtimes

import (
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/fault"
)

// IsEmbedded reports whether it is the embedded MPI, which runs all ranks on this host.
func (r *Runtime) IsEmbedded() bool { return r.Vendor == EmbeddedName }

// lackingSection is the section of the embedded MPI that lists the functions that it does not have. The
// generator writes it (gen/embedded).
const lackingSection = ".wi4go.lacking"

// Lacking returns the functions that the embedded MPI does not have. It exports some of them, only to
// refuse each call. For other libraries Lacking returns nil; their symbols show what they have.
func (r *Runtime) Lacking() []string {
	if !r.IsEmbedded() {
		return nil
	}
	return strings.FieldsFunc(string(elfobj.Section(r.Library, lackingSection)), func(c rune) bool { return c == '\n' || c == 0 })
}

// Has returns a function that reports whether the library has an MPI function: it defines the symbol,
// and does not only refuse its calls.
func (r *Runtime) Has() func(name string) bool {
	lacking := map[string]bool{}
	for _, name := range r.Lacking() {
		lacking[name] = true
	}
	return func(name string) bool { return r.object.Defines(name) && !lacking[strings.TrimPrefix(name, "P")] }
}

// OnlyEmbedded returns the finding that a program runs on the embedded MPI because no other library
// serves. f is the family of the program, or nil. If no other MPI is installed, the finding has the
// name and the cure of NoneFor(f).
func (s Search) OnlyEmbedded(f *family.Family) error {
	const instead = "wi4go uses its own, embedded, which runs all ranks on this host"
	if others := s.Others(nil); len(others) > 0 {
		return fault.New(noRuntime, "for several hosts, use "+others[0].Option(), "no MPI library of the standard ABI is installed: "+instead)
	}
	_, _, cure := fault.Of(s.NoneFor(f), "")
	cure, _, _ = strings.Cut(cure, ", or name")
	return fault.New(noRuntime, "for several hosts, "+cure, "no MPI library is installed: "+instead)
}
