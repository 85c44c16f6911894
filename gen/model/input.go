// Package model is what the generator knows: the functions of funcs.json, the roles of
// mappers.json, the families of abi/, and what follows from these without a look at
// what is written: a function's facts, the slots of a front, which value of one family
// is which of another.
//
// It must not know the rest of the generator, any running MPI, or read anything but what
// it is given: what is made from it is printed by the packages beside it.
package model

import (
	"slices"

	"wi4go/abi"
	"wi4go/mappers"
)

// Input is what the generator works from.
type Input struct {
	Functions []Function
	Mappers   *mappers.Table
	Families  []*abi.Family
}

// Load parses the two tables and takes every family of package abi.
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

// Function is the function of that name, nil where there is none.
func (in *Input) Function(name string) *Function {
	i := slices.IndexFunc(in.Functions, func(f Function) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &in.Functions[i]
}

// Family is the family of that name, nil where there is none.
func (in *Input) Family(name string) *abi.Family {
	for _, f := range in.Families {
		if f.Family == name {
			return f
		}
	}
	return nil
}
