package model

import (
	"slices"

	"wi4go/abi"
)

// A Unit is a unit of compilation: one of the C files of a pair. Its value is the suffix of the
// file's name.
type Unit string

const (
	// ByHand lists the functions that are written by hand, and the pair's tables.
	ByHand Unit = ""
	// Handles has the conversion of handles, the setup, and everything that the other units and
	// the assembly share.
	Handles Unit = "_handles"
	// ForSpeed has the generated functions that are compiled for speed, and the Fortran procedures.
	ForSpeed Unit = "_speed"
	// Messages has the generated functions that send and receive. They are compiled for size.
	Messages Unit = "_messages"
	// Objects has all other generated functions. They are compiled for size.
	Objects Unit = "_objects"
)

// Units returns the units of a pair. A pair within one family has only one.
func Units(front, runtime *abi.Family) []Unit {
	if front == runtime {
		return []Unit{ByHand} // nothing needs a conversion
	}
	return []Unit{ByHand, Handles, ForSpeed, Messages, Objects}
}

// UnitOf returns the unit of a generated function.
func UnitOf(f *Function) Unit {
	switch {
	case f.Timed:
		return ForSpeed
	case slices.Contains([]string{"point-to-point", "collectives", "topologies"}, f.Chapter):
		return Messages
	}
	return Objects
}
