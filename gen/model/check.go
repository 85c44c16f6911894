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

// lifetimes has the allowed values of Param.Lifetime.
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
			return nil, fmt.Errorf("funcs.json: %s stands there twice", f.Name)
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
	if f.Fortran != "" && !slices.Contains([]string{FortranHand, FortranNone, FortranFrequent}, f.Fortran) {
		return fmt.Errorf("fortran is %q: one of %s, %s, %s, or left out", f.Fortran, FortranHand, FortranNone, FortranFrequent)
	}
	switch {
	case f.Alone && f.Hand == "":
		return fmt.Errorf("it works alone, but there is no header by hand")
	case f.Narrow != "" && f.Narrow != NarrowHand:
		return fmt.Errorf("narrow is %q: %s, or left out", f.Narrow, NarrowHand)
	}
	for _, family := range f.Identity {
		if !slices.Contains(abi.Names(), family) {
			return fmt.Errorf("identity: %q: families are %s", family, strings.Join(abi.Names(), ", "))
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
			return fmt.Errorf("parameter %s: unknown role %s: add it to mappers.json or mend its spelling", p.Name, p.Role)
		case seen[p.Name]:
			return fmt.Errorf("parameter %s stands there twice", p.Name)
		case p.Dir != "in" && p.Dir != "out" && p.Dir != "inout":
			return fmt.Errorf("parameter %s: direction %q: one of in, out, inout", p.Name, p.Dir)
		case p.Lifetime != "" && !lifetimes[p.Lifetime]:
			return fmt.Errorf("parameter %s: unknown lifetime %q", p.Name, p.Lifetime)
		case p.Lifetime == "" && role.Convert == mappers.Handle && p.Dir != "in":
			return fmt.Errorf("parameter %s: a handle that goes out has a lifetime", p.Name)
		case p.Index && p.Dir != "out":
			return fmt.Errorf("parameter %s is an index, but not one that comes out", p.Name)
		case p.Unchecked != nil && role.Convert != mappers.Handle:
			return fmt.Errorf("parameter %s is unchecked, but no handle", p.Name)
		case slices.ContainsFunc(p.Unchecked, func(name string) bool { return !slices.Contains(abi.Names(), name) }):
			return fmt.Errorf("parameter %s: unchecked by %q: families are %s", p.Name, p.Unchecked, strings.Join(abi.Names(), ", "))
		}
		for _, other := range []string{p.Length.Param, p.Length.Comm, p.Length.Root, p.Length.Unless, p.Length.Sum, p.Length.Over} {
			if other != "" && !names[other] {
				return fmt.Errorf("parameter %s: its length names %s, which is no parameter", p.Name, other)
			}
		}
		for _, other := range []string{p.Alias, p.Significant.Unless, p.Significant.Root} {
			if other != "" && !names[other] {
				return fmt.Errorf("parameter %s: it names %s, which is no parameter", p.Name, other)
			}
		}
		if err := f.checkWords(&p); err != nil {
			return fmt.Errorf("parameter %s: %w", p.Name, err)
		}
		seen[p.Name] = true
	}
	blocks := slices.ContainsFunc(f.Params, func(q Param) bool { return q.Blocks })
	if f.collective() && f.count("DATATYPE") == 2 && f.count("BUFFER_OR_IN_PLACE") == 2 && !blocks {
		return fmt.Errorf(`a datatype for each side: say which buffer has "blocks"`)
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
	case q.Tells && !flag:
		return fmt.Errorf("it tells whether anything comes out, but is no LOGICAL that does")
	case q.Name == "flag" && flag && !q.Tells:
		return fmt.Errorf(`a flag: say "tells": true, or give it another name`)
	case q.Any != "" && q.Any != "MPI_ANY_SOURCE" && q.Any != "MPI_ANY_TAG":
		return fmt.Errorf("any is %q: one of MPI_ANY_SOURCE, MPI_ANY_TAG", q.Any)
	case q.Any == "MPI_ANY_SOURCE" && !source || q.Any == "MPI_ANY_TAG" && q.Role != "TAG":
		return fmt.Errorf("%s is no value of role %s", q.Any, q.Role)
	case q.Name == "source" && source && q.Any == "":
		return fmt.Errorf(`a source: say "any": "MPI_ANY_SOURCE", or give it another name`)
	case q.Idle && (q.Role != "DATATYPE" || q.IsPointer()):
		return fmt.Errorf("it is idle, but no datatype")
	case q.Alias != "" && q.Length == Length{}:
		return fmt.Errorf("it has an alias, but is no array")
	case q.Significant != (Significant{}) && q.Role != "COUNT":
		return fmt.Errorf("it says when it is significant, but is no count")
	case q.Blocks && !q.IsChoice():
		return fmt.Errorf("it has blocks, but is no buffer")
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
		return fmt.Errorf("fortran is %q: one of %s", q.Fortran, strings.Join(of, ", "))
	case !needed && q.Fortran != "":
		return fmt.Errorf("fortran is %q, but its type in C tells", q.Fortran)
	case q.Name == "indx" && f.Fortran != FortranNone && q.FortranName == "":
		return fmt.Errorf(`it has another name in Fortran: say "fortran_name"`)
	}
	return nil
}
