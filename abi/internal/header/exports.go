package header

import (
	"debug/elf"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"wi4go/abi"
)

// linkers are the symbols that a linker puts into every library.
var linkers = regexp.MustCompile(`^(_init|_fini|_end|_edata|__bss_start)$`)

// A Library is a C library whose further exports are read.
type Library struct {
	Label  string // the version label: "5.0", "intel 2021.18"
	Family string
	all    *dynamic
}

// OpenLibrary reads the exports of a C library and of the parts that it has been split into.
func OpenLibrary(label, path string) (*Library, error) {
	file, err := elf.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %v", path, err)
	}
	defer file.Close()
	sonames, err := file.DynString(elf.DT_SONAME)
	if err != nil || len(sonames) == 0 {
		return nil, fmt.Errorf("%s has no soname: give the C library of an MPI", path)
	}
	for _, name := range abi.Names() {
		family, err := abi.Load(name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(family.Sonames["c"], sonames[0]) {
			continue
		}
		all, err := (&MPI{library: path}).readParts(family.Sonames["parts"])
		return &Library{label, name, all}, err
	}
	return nil, fmt.Errorf("%s: its soname %s is not the soname of a family's C library: give the C library of an MPI", path, sonames[0])
}

// Exports merges the symbols that libraries of one family export in addition to the names in its file.
func Exports(family string, libraries []*Library) (map[string]abi.Export, error) {
	f, err := abi.Load(family)
	if err != nil {
		return nil, err
	}
	named := Named(f)
	exports := map[string]abi.Export{}
	for _, l := range libraries {
		for name, s := range l.all.defined {
			if named[name] || linkers.MatchString(name) || s.kind == elf.STT_NOTYPE {
				continue
			}
			data := s.kind != elf.STT_FUNC && s.kind != elf.STT_GNU_IFUNC
			e := exports[name]
			// A symbol that is data in one version would be a stub's code in another.
			e.Data = e.Data || data
			if !slices.Contains(e.In, l.Label) {
				e.In = append(e.In, l.Label)
				slices.Sort(e.In)
			}
			exports[name] = e
		}
	}
	return exports, nil
}

// Named returns the exported symbols that a family's JSON file names, except for the family's own functions.
func Named(f *abi.Family) map[string]bool {
	named := map[string]bool{}
	for _, functions := range []map[string][]string{f.Functions, f.FortranFunctions} {
		for name := range functions {
			named[name] = true
			if strings.HasPrefix(name, "MPI") && f.NoPMPI[name] == nil {
				named["P"+name] = true
			}
		}
	}
	for _, c := range f.Callbacks {
		named[c.Symbol] = true
	}
	for _, d := range f.DataSymbols {
		named[d.Name] = true
	}
	for _, i := range f.Internals {
		named[i.Name] = true
	}
	return named
}
