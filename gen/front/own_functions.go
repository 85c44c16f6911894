package front

import (
	"maps"
	"regexp"
	"slices"

	"wi4go/abi"
	"wi4go/gen/model"
	"wi4go/gen/output"
)

// own returns the C with the stubs of functions that the family's C libraries export and the front
// does not, and the version script of their library. With the stubs, a program that imports such a
// function starts; a call of the function ends it.
func (s printer) own(in *model.Input) (stubs, exports []byte, err error) {
	names, err := OwnFunctions(in, s.Front.Family)
	if err != nil {
		return nil, nil, err
	}
	w := &output.Writer{}
	w.WriteString(output.Banner("Stubs for the own functions of " + s.Front.Title + "."))
	w.Line("#define FAMILY %q\n#include \"own.h\"", s.Front.Title)
	for _, name := range names {
		w.Line("OWN(%s)", name)
	}
	return w.Bytes(), output.VersionScript("the stubs of "+s.Front.Family, names), nil
}

// mpiFunction matches the names of MPI functions.
var mpiFunction = regexp.MustCompile(`^P?MPIX?_`)

// OwnFunctions returns the functions of a family's C libraries that have a stub, sorted. Their names
// are internal names of the family or names of MPI functions, and the front does not export them. A
// name that libraries of another family export too gets no stub, because the stub would be found
// before that library's function.
func OwnFunctions(in *model.Input, family string) ([]string, error) {
	exports, err := abi.Exports(family)
	if err != nil {
		return nil, err
	}
	var front *abi.Family
	others := map[string]abi.Export{}
	for _, f := range in.Families {
		if f.Family == family {
			front = f
		}
	}
	for _, f := range in.Families {
		if f.Internal == front.Internal { // the two families share names because they share code
			continue
		}
		e, err := abi.Exports(f.Family)
		if err != nil {
			return nil, err
		}
		maps.Copy(others, e)
	}
	named := map[string]bool{}
	for _, name := range Exports(in, family) {
		named[name] = true
	}
	internal := regexp.MustCompile(front.Internal)
	var names []string
	for name, e := range exports {
		_, foreign := others[name]
		if !e.Data && !named[name] && !foreign && (internal.MatchString(name) || mpiFunction.MatchString(name)) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}
