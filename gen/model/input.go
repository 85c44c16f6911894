// Package model is the input of the generator: the functions of funcs.json, the roles of
// mappers.json, the families of abi/ and the launchers of internal/launchers. It also derives the facts that do not depend on the
// generated text: the properties of a function, the slots of a front, and the mapping of one
// family's values to another's.
//
// It must not know the rest of the generator or any running MPI, and it reads nothing but its
// arguments. The other packages below gen print text from it.
package model

import (
	"slices"

	"wi4go/abi"
	"wi4go/internal/launchers"
	"wi4go/mappers"
)

// Input has all tables of the generator.
type Input struct {
	Functions []Function            // sorted by name
	Mappers   *mappers.Table        // the roles of arguments
	Families  []*abi.Family         // sorted as in abi.Names
	Launchers []*launchers.Launcher // sorted as in launchers.All
}

// Load returns the input made from the texts of funcs.json and mappers.json, with every family
// of package abi and every launcher. It returns an error for the first entry that does not fit the schema.
func Load(funcsJSON, mappersJSON []byte) (*Input, error) {
	table, err := mappers.Parse(mappersJSON)
	if err != nil {
		return nil, err
	}
	functions, err := ParseFunctions(funcsJSON, table)
	if err != nil {
		return nil, err
	}
	if err := checkHand(functions, mappers.Header); err != nil {
		return nil, err
	}
	in := &Input{Functions: functions, Mappers: table, Launchers: launchers.All}
	for _, name := range abi.Names() {
		family, err := abi.Load(name)
		if err != nil {
			return nil, err
		}
		in.Families = append(in.Families, family)
	}
	return in, nil
}

// Function returns the function with this name, or nil. The caller must not change it.
func (in *Input) Function(name string) *Function {
	i := slices.IndexFunc(in.Functions, func(f Function) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &in.Functions[i]
}

// Launcher returns the launcher of a family's programs. The caller must not change it.
func (in *Input) Launcher(f *abi.Family) *launchers.Launcher {
	i := slices.IndexFunc(in.Launchers, func(l *launchers.Launcher) bool { return l.Name == f.Launcher })
	return in.Launchers[i] // TestTraits checks that there is one
}

// Family returns the family with this name, or nil. The caller must not change it.
func (in *Input) Family(name string) *abi.Family {
	for _, f := range in.Families {
		if f.Family == name {
			return f
		}
	}
	return nil
}
