// Package model is the input of the generator: the functions of funcs.json, the roles of
// mappers.json and the families of abi/. It also derives the facts that do not depend on the
// generated text: the properties of a function, the slots of a front, and the mapping of one
// family's values to another's.
//
// It must not know the rest of the generator or any running MPI, and it reads nothing but its
// arguments. The other packages below gen print text from it.
package model

import (
	"slices"

	"wi4go/abi"
	"wi4go/mappers"
)

// Input has all tables of the generator.
type Input struct {
	Functions []Function     // sorted by name
	Mappers   *mappers.Table // the roles of arguments
	Families  []*abi.Family  // sorted as in abi.Names
}

// Load returns the input made from the texts of funcs.json and mappers.json, with every family
// of package abi. It returns an error for the first entry that does not fit the schema.
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
	in := &Input{Functions: functions, Mappers: table}
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

// Family returns the family with this name, or nil. The caller must not change it.
func (in *Input) Family(name string) *abi.Family {
	for _, f := range in.Families {
		if f.Family == name {
			return f
		}
	}
	return nil
}
