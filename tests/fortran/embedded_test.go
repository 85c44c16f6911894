package fortran

import (
	"slices"
	"testing"

	"wi4go/tests/harness"
)

// embeddedLacks are chapters about windows, files and spawned processes, which the embedded MPI does not have. Other
// programs leave those parts out with -DEMBEDDED. storage is about nothing else.
var embeddedLacks = map[string][]string{
	"objects": {"names", "spawned"},
	"large":   {"windows", "files"},
}

// Programs built with each family's wrapper and with wi4go's run on the embedded MPI.
func TestEmbedded(t *testing.T) {
	embedded := harness.Toolchain{Name: "embedded", MPIExec: "embedded"}
	for _, from := range append(slices.Clone(harness.Names), harness.Interface) {
		tools := wrapper(t, from)
		for _, binding := range bindings {
			t.Run(from+"/"+binding, func(t *testing.T) {
				for name, flags := range embeddedPrograms(t, tools.Family(), binding) {
					t.Run(name, func(t *testing.T) {
						t.Parallel()
						through(t, embedded, compile(t, tools, binding, name, flags...), embeddedLacks[name]...)
					})
				}
			})
		}
	}
}

// embeddedPrograms returns the programs for a family and a binding with their compiler options.
func embeddedPrograms(t *testing.T, family, binding string) map[string][]string {
	var translated []string
	if family != "mpiabi" {
		translated = []string{"-DTRANSLATED"}
	}
	less := []string{"-DEMBEDDED"} // without windows and files
	flags := map[string][]string{"procedures": less, "attributes": translated, "frequent": less, "languages": less, "further": less}
	switch {
	case binding != "F08":
		flags["classic"] = slices.Concat(less, translated)
	case family != "openmpi":
		flags["modern"], flags["sections"] = slices.Concat(less, translated), slices.Concat(less, []string{"-DTRANSLATED"})
	}
	for _, p := range programs {
		if p.name == "storage" || p.only != "" && (p.only != binding || family == "openmpi") {
			continue
		}
		if flags[p.name] = p.flags[family]; family == "openmpi" {
			if flags[p.name] = nil; binding != "F08" && p.flags[family] != nil {
				flags[p.name] = slices.Concat(p.flags[family], five(t))
			}
		}
	}
	if family == "openmpi" && binding == "F08" {
		flags["modern"], flags["sessions"] = slices.Concat(less, translated, five(t)), five(t)
	}
	return flags
}
