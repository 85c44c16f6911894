package runtimes

import (
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/fault"
)

// EmbeddedLauncher is the name of its launcher in package launchers.
const EmbeddedLauncher = "onehost"

// IsEmbedded reports whether it is the embedded MPI, which runs all ranks on this host.
func (r *Runtime) IsEmbedded() bool { return r.Vendor == EmbeddedName }

// refusedSection is the section of the embedded MPI that lists the functions that it exports only to
// refuse each call by name. The generator writes it (gen/embedded).
const refusedSection = ".wi4go.refused"

// Refused returns the functions that the library exports only to refuse each call, of the embedded
// MPI; other libraries have none.
func (r *Runtime) Refused() []string {
	if !r.IsEmbedded() {
		return nil
	}
	return strings.FieldsFunc(string(elfobj.Section(r.Library, refusedSection)), func(c rune) bool { return c == '\n' || c == 0 })
}

// Has returns a function that reports whether the library has an MPI function: it defines the symbol,
// and does not only refuse its calls.
func (r *Runtime) Has() func(name string) bool {
	refused := map[string]bool{}
	for _, name := range r.Refused() {
		refused[name] = true
	}
	return func(name string) bool { return r.object.Defines(name) && !refused[strings.TrimPrefix(name, "P")] }
}

// OnlyEmbedded returns the finding that the embedded MPI is the only one on this machine. Its name
// and its cure are those of NoneFor(f), because no other MPI is installed. f is the family of the
// program, or nil.
func OnlyEmbedded(f *family.Family) error {
	_, _, cure := fault.Of(NoneFor(f), "")
	cure, _, _ = strings.Cut(cure, ", or name")
	return fault.New(noRuntime, "for several hosts, "+cure, "no MPI library is installed: wi4go uses its own, embedded, which runs all ranks on this host")
}
