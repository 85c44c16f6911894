// Package mappers says how each kind of argument is converted between two ABI
// families: the table mappers.json, which names the conversion of every role,
// and beside it the conversions that are written by hand, as C headers that
// the generated translation of a pair includes.
//
// It must not know which functions there are (funcs.json does), nor the values
// of any family (abi does).
package mappers

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Conversions that a role may name.
const (
	None    = "none"    // passed as it is
	Handle  = "handle"  // an MPI object
	Value   = "value"   // an integer with special values
	Bits    = "bits"    // a set of flag bits
	Address = "address" // a pointer with special values
	Error   = "error"   // an error class or code
	Status  = "status"  // an MPI_Status
	String  = "string"  // characters; as output with a limit
	Patch   = "patch"   // only a hand-written function converts it
)

var conversions = []string{None, Handle, Value, Bits, Address, Error, Status, String, Patch}

// Role is one kind of argument.
type Role struct {
	// Convert is the conversion's name.
	Convert string `json:"convert"`
	// Constants are the special values, by their MPI names; a name that ends
	// in * stands for all that begin so.
	Constants []string `json:"constants,omitempty"`
}

// Table is mappers.json.
type Table struct {
	// Roles maps a role's name to its conversion.
	Roles map[string]Role `json:"roles"`
	// Patches maps a function to the header in this directory that translates
	// it by hand.
	Patches map[string]FunctionPatch `json:"patches"`
	// Internals maps a function that is no part of MPI, and that a family's Fortran
	// library calls in its C library, to the header in this directory that has it.
	Internals map[string]string `json:"internals"`
	// Identity says what of that a front needs over its own family.
	Identity []Identity `json:"identity"`
	// Emulated are the functions that a front serves itself where the runtime's
	// library lacks them (shim/emulate).
	Emulated []string `json:"emulated"`
	// Layers are functions that shim/emulate puts over the translation, by what
	// they are for: requests, while the program has one of ours; the others from
	// the start, over a library that needs them.
	Layers map[string][]string `json:"layers"`
}

// Identity is a header of hand-written functions for a front over its own
// family, where every function else goes to the runtime's as it is. Those
// patches of the header that are Own serve where the runtime has no such
// function; those in Wrap take the place of the runtime's.
type Identity struct {
	Header   string   `json:"header"`
	Families []string `json:"families"`
	Wrap     []string `json:"wrap,omitempty"`
}

// FunctionPatch names a hand-written translation.
type FunctionPatch struct {
	// Header is the file under mappers/.
	Header string `json:"header"`
	// Own says that it works without the runtime's function of that name.
	Own bool `json:"own,omitempty"`
}

// Parse reads mappers.json and refuses what is not in the schema.
func Parse(data []byte) (*Table, error) {
	var t Table
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	if err := d.Decode(&t); err != nil {
		return nil, fmt.Errorf("mappers.json: %w", err)
	}
	names := make([]string, 0, len(t.Roles))
	for name := range t.Roles {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		r := t.Roles[name]
		if !slices.Contains(conversions, r.Convert) {
			return nil, fmt.Errorf("mappers.json: role %s: unknown conversion %q: one of %s", name, r.Convert, strings.Join(conversions, ", "))
		}
		needs := r.Convert == Value || r.Convert == Bits || r.Convert == Address
		if needs != (len(r.Constants) > 0) {
			return nil, fmt.Errorf("mappers.json: role %s: conversion %q and its constants do not fit together", name, r.Convert)
		}
	}
	return &t, nil
}
