package model

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"

	"wi4go/abi"
	"wi4go/mappers"
)

// This file checks the entries of funcs.json. A wrong or missing key is an error.

// lifetimes lists the allowed values of Param.Lifetime.
var lifetimes = map[string]bool{"create": true, "create-persistent": true, "free": true, "complete": true, "restart": true, "keep": true, "borrow": true}

// ParseFunctions returns the functions of funcs.json, sorted by name. If an entry does not fit the
// schema, it returns an error with the name of the function and of the parameter.
func ParseFunctions(data []byte, table *mappers.Table) ([]Function, error) {
	var functions []Function
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	if err := d.Decode(&functions); err != nil {
		return nil, fmt.Errorf("funcs.json: %w", err)
	}
	seen := map[string]bool{}
	for _, f := range functions {
		if seen[f.Name] {
			return nil, fmt.Errorf("funcs.json: %s occurs twice", f.Name)
		}
		seen[f.Name] = true
		if err := f.check(table); err != nil {
			return nil, fmt.Errorf("funcs.json: %s: %w", f.Name, err)
		}
	}
	sort.Slice(functions, func(i, j int) bool { return functions[i].Name < functions[j].Name })
	if err := link(functions); err != nil {
		return nil, fmt.Errorf("funcs.json: %w", err)
	}
	return functions, nil
}

// check returns an error if the entry itself is wrong. References to other entries are checked
// by link.
func (f *Function) check(table *mappers.Table) error {
	if f.Fortran != "" && !slices.Contains([]string{FortranHand, FortranNone, FortranDirect}, f.Fortran) {
		return fmt.Errorf("fortran is %q: set it to %s, %s or %s, or leave it out", f.Fortran, FortranHand, FortranNone, FortranDirect)
	}
	switch {
	case f.Alone && f.Hand == "":
		return fmt.Errorf("\"alone\" needs \"hand\": name the header")
	case f.Narrow != "" && f.Narrow != NarrowHand:
		return fmt.Errorf("narrow is %q: set it to %s, or leave it out", f.Narrow, NarrowHand)
	case f.Embedded != "" && f.Embedded != EmbeddedNone:
		return fmt.Errorf("embedded is %q: set it to %s, or leave it out", f.Embedded, EmbeddedNone)
	case f.Local && (f.AnyTime || f.Embedded == EmbeddedNone):
		return fmt.Errorf(`"local" needs a function of the embedded MPI without "any_time": leave it out`)
	}
	for _, family := range f.Identity {
		if !slices.Contains(abi.Names(), family) {
			return fmt.Errorf("identity: unknown family %q: the families are %s", family, strings.Join(abi.Names(), ", "))
		}
	}
	if err := f.checkLayers(); err != nil {
		return err
	}
	names := map[string]bool{}
	for _, p := range f.Params {
		names[p.Name] = true
	}
	seen := map[string]bool{}
	for _, p := range f.Params {
		role, known := table.Roles[p.Role]
		switch {
		case p.Role == "":
			return fmt.Errorf("parameter %s has no role", p.Name)
		case !known:
			return fmt.Errorf("parameter %s: unknown role %s: add it to mappers.json or correct its spelling", p.Name, p.Role)
		case seen[p.Name]:
			return fmt.Errorf("parameter %s occurs twice", p.Name)
		case p.Dir != "in" && p.Dir != "out" && p.Dir != "inout":
			return fmt.Errorf("parameter %s: unknown direction %q: use in, out or inout", p.Name, p.Dir)
		case p.Lifetime != "" && !lifetimes[p.Lifetime]:
			return fmt.Errorf("parameter %s: unknown lifetime %q", p.Name, p.Lifetime)
		case p.Lifetime == "" && role.Convert == mappers.Handle && p.Dir != "in":
			return fmt.Errorf("parameter %s: a handle with direction out or inout needs a \"lifetime\"", p.Name)
		case p.Index && p.Dir != "out":
			return fmt.Errorf("parameter %s: \"index\" needs the direction out", p.Name)
		case p.Unchecked != nil && role.Convert != mappers.Handle:
			return fmt.Errorf("parameter %s: only a handle can have \"unchecked\"", p.Name)
		case p.NullAllowed && (role.Convert != mappers.Handle || p.IsPointer()):
			return fmt.Errorf("parameter %s: only a handle can have \"null_allowed\"", p.Name)
		case slices.ContainsFunc(p.Unchecked, func(name string) bool { return !slices.Contains(abi.Names(), name) }):
			return fmt.Errorf("parameter %s: \"unchecked\" has an unknown family %q: the families are %s", p.Name, p.Unchecked, strings.Join(abi.Names(), ", "))
		}
		for _, other := range []string{p.Length.Param, p.Length.Comm, p.Length.Root, p.Length.Unless, p.Length.Sum, p.Length.Over} {
			if other != "" && !names[other] {
				return fmt.Errorf("parameter %s: its length names %s, which is not a parameter", p.Name, other)
			}
		}
		for _, other := range []string{p.Alias, p.Significant.Unless, p.Significant.Root} {
			if other != "" && !names[other] {
				return fmt.Errorf("parameter %s: it names %s, which is not a parameter", p.Name, other)
			}
		}
		if err := f.checkWords(&p); err != nil {
			return fmt.Errorf("parameter %s: %w", p.Name, err)
		}
		seen[p.Name] = true
	}
	blocks := slices.ContainsFunc(f.Params, func(q Param) bool { return q.Blocks })
	if f.collective() && f.count("DATATYPE") == 2 && f.count("BUFFER_OR_IN_PLACE") == 2 && !blocks {
		return fmt.Errorf(`the two sides have different datatypes: set "blocks" of the buffer with one block for each rank`)
	}
	return nil
}

// count returns the number of the function's parameters with this role.
func (f *Function) count(role string) (n int) {
	for _, q := range f.Params {
		if q.Role == role {
			n++
		}
	}
	return n
}

// checkWords returns an error if a key does not fit the parameter's role, or if the parameter's
// name implies a key that is missing. For example, a source needs the key "any".
func (f *Function) checkWords(q *Param) error {
	flag := q.Role == "LOGICAL" && q.Dir == "out"
	source := q.Role == "RANK" && q.Dir == "in"
	switch {
	case q.Flag && !flag:
		return fmt.Errorf("\"flag\" needs the role LOGICAL and the direction out")
	case q.Name == "flag" && flag && !q.Flag:
		return fmt.Errorf(`an output flag needs "flag": true, or another name`)
	case q.Any != "" && q.Any != "MPI_ANY_SOURCE" && q.Any != "MPI_ANY_TAG":
		return fmt.Errorf("any is %q: set it to MPI_ANY_SOURCE or MPI_ANY_TAG", q.Any)
	case q.Any == "MPI_ANY_SOURCE" && !source || q.Any == "MPI_ANY_TAG" && q.Role != "TAG":
		return fmt.Errorf("%s is not a value of role %s", q.Any, q.Role)
	case q.Name == "source" && source && q.Any == "":
		return fmt.Errorf(`a source needs "any": "MPI_ANY_SOURCE", or another name`)
	case q.Idle && (q.Role != "DATATYPE" || q.IsPointer()):
		return fmt.Errorf("only a datatype can be \"idle\"")
	case q.Alias != "" && q.Length == Length{}:
		return fmt.Errorf("only an array can have an \"alias\"")
	case q.Significant != (Significant{}) && q.Role != "COUNT" && (q.Role != "COMM" || q.IsPointer()):
		return fmt.Errorf("only a count or a communicator can have \"significant\"")
	case q.Blocks && !q.IsChoice():
		return fmt.Errorf("only a buffer can have \"blocks\"")
	}
	return f.checkFortran(q)
}

// untyped lists, by role, the allowed values of Param.Fortran for an untyped C pointer.
var untyped = map[string][]string{
	"EXTRA_STATE": {FortranAddress, FortranInteger}, "ATTRIBUTE_VAL": {FortranAddress, FortranInteger}, "ADDRESS": {FortranPointer, FortranNothing},
}

// checkFortran returns an error if the Fortran type of a parameter does not follow from its C type
// and the entry does not give it, or if the entry gives one although it follows.
func (f *Function) checkFortran(q *Param) error {
	of := untyped[q.Role]
	needed := f.Fortran != FortranNone && of != nil && (q.Role != "ADDRESS" || q.Dir == "out")
	switch {
	case needed && !slices.Contains(of, q.Fortran):
		return fmt.Errorf("fortran is %q: set it to one of %s", q.Fortran, strings.Join(of, ", "))
	case !needed && q.Fortran != "":
		return fmt.Errorf("fortran is %q, but its C type already defines it: leave it out", q.Fortran)
	case q.Name == "indx" && f.Fortran != FortranNone && q.FortranName == "":
		return fmt.Errorf(`it has another name in Fortran: give it in "fortran_name"`)
	}
	return nil
}
