package front

import (
	"maps"
	"regexp"
	"slices"

	"wi4go/abi"
	"wi4go/gen/model"
	"wi4go/gen/output"
)

// own writes the stubs of the functions that the family's C libraries export and the front
// does not: programs that import one start, and a call of it ends them.
func (s printer) own(in *model.Input) (stubs, exports []byte, err error) {
	names, err := OwnFunctions(in, s.Front.Family)
	if err != nil {
		return nil, nil, err
	}
	w := &output.Writer{}
	w.WriteString(output.Banner("Stubs of what is " + s.Front.Title + "'s own."))
	w.Line("#define FAMILY %q\n#include \"own.h\"", s.Front.Title)
	for _, name := range names {
		w.Line("OWN(%s)", name)
	}
	return w.Bytes(), output.VersionScript("the stubs of "+s.Front.Family, names), nil
}

var mpiFunction = regexp.MustCompile(`^P?MPIX?_`)

// OwnFunctions lists the functions of a family's C libraries that have a stub, sorted: those
// with a name of the family's own, or of MPI's, that the front does not have. A name that
// another family's libraries have for a part of theirs has no stub, which would come before
// that.
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
		if f.Internal == front.Internal { // they share names as they share code
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
