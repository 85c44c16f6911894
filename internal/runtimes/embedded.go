package runtimes

import (
	"path/filepath"
	"strings"

	"wi4go/abi"
	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/fault"
)

// Traits returns the properties of the vendor's libraries.
func (r *Runtime) Traits() abi.VendorTraits {
	if v := VendorOf(r.Vendor); v != nil {
		return v.VendorTraits
	}
	return abi.VendorTraits{} // the vendor is not known
}

// LaunchedHere reports whether this program is the launcher of a runtime: of the embedded MPI in wi4go's own
// directory. The embedded MPI of another installation has another launcher.
func (s Search) LaunchedHere(r *Runtime) bool {
	return r.Traits().IsOwn && filepath.Dir(filepath.Dir(r.Launcher)) == s.Embedded
}

// lackingSection is the section of a library with the trait ListsLacking. For the embedded MPI the generator
// writes it (gen/embedded).
const lackingSection = ".wi4go.lacking"

// Lacking returns the functions that a library lists as lacking. For libraries without such a list
// Lacking returns nil; their symbols show what they have.
func (r *Runtime) Lacking() []string {
	if !r.Traits().ListsLacking {
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
