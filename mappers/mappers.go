// Package mappers describes how each kind of argument is converted between two ABI families.
// The table mappers.json names the conversion of every role. The C headers in the same
// directory contain the conversions that are written by hand; the generated translation of a
// pair includes them.
//
// It must not know which functions there are (funcs.json does), nor the values of any family
// (abi does).
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
	None    = "none"    // passed unchanged
	Handle  = "handle"  // an MPI object
	Value   = "value"   // an integer with special values
	Bits    = "bits"    // a set of flag bits
	Address = "address" // a pointer with special values
	Error   = "error"   // an error class or code
	Status  = "status"  // an MPI_Status
	String  = "string"  // characters; with a length limit if it is an output
	Patch   = "patch"   // converted only by hand-written functions
)

// conversions lists the values that Role.Convert accepts.
var conversions = []string{None, Handle, Value, Bits, Address, Error, Status, String, Patch}

// Role is one kind of argument.
type Role struct {
	// Convert is the name of the conversion.
	Convert string `json:"convert"`
	// Constants are the special values, by their MPI names. A name that ends in * stands for
	// all constants with that prefix.
	Constants []string `json:"constants,omitempty"`
	// ToRuntime maps constants of the program that the runtime's family lacks to the constant
	// passed to the runtime, or to the error class with which the call is refused.
	ToRuntime map[string]string `json:"to_runtime,omitempty"`
	// ToProgram maps constants of the runtime that the program's family lacks to the constant
	// that the program gets.
	ToProgram map[string]string `json:"to_program,omitempty"`
}

// Named returns the entry of table for constant and whether there is one. A key that ends in *
// stands for all constants with that prefix.
func Named(table map[string]string, constant string) (string, bool) {
	if other, ok := table[constant]; ok {
		return other, true
	}
	for key, other := range table {
		if prefix, open := strings.CutSuffix(key, "*"); open && strings.HasPrefix(constant, prefix) {
			return other, true
		}
	}
	return "", false
}

// IsError reports whether a name in ToRuntime is an error class.
func IsError(name string) bool {
	return strings.HasPrefix(name, "MPI_ERR_") || strings.HasPrefix(name, "MPI_T_ERR_")
}

// Table is the content of mappers.json.
type Table struct {
	// Roles maps a role's name to its conversion.
	Roles map[string]Role `json:"roles"`
}

// Parse returns the table in mappers.json. It returns an error for keys outside the schema,
// unknown conversions, and constants that do not fit a role's conversion.
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
			return nil, fmt.Errorf("mappers.json: role %s: conversion %q needs a list of constants, or does not allow one: correct "+
				"\"constants\"", name, r.Convert)
		}
		if r.Convert != Value && len(r.ToRuntime)+len(r.ToProgram) > 0 {
			return nil, fmt.Errorf("mappers.json: role %s: conversion %q does not support constants that a family lacks: remove to_runtime "+
				"and to_program", name, r.Convert)
		}
	}
	return &t, nil
}
