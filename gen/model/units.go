package model

import (
	"slices"

	"wi4go/abi"
)

// A Unit is one of the units of compilation that the C of a pair is divided into. The value
// is the end of the unit's file name.
type Unit string

const (
	// ByHand has the functions that are written by hand, and the pair's tables.
	ByHand Unit = ""
	// Handles has the handles, the set-up, and all that the other units and the assembly share.
	Handles Unit = "_handles"
	// ForSpeed has the printed functions that are compiled for speed, and the Fortran procedures.
	ForSpeed Unit = "_speed"
	// Messages and Objects have the printed functions that are compiled for size: those that
	// send and receive, and all others.
	Messages Unit = "_messages"
	Objects  Unit = "_objects"
)

// Units returns the units of a pair.
func Units(front, runtime *abi.Family) []Unit {
	if front == runtime {
		return []Unit{ByHand} // nothing is converted
	}
	return []Unit{ByHand, Handles, ForSpeed, Messages, Objects}
}

// UnitOf returns the unit of a function that is printed.
func UnitOf(f *Function) Unit {
	switch {
	case f.Timed:
		return ForSpeed
	case slices.Contains([]string{"point-to-point", "collectives", "topologies"}, f.Chapter):
		return Messages
	}
	return Objects
}
