package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// This file checks the references from one entry of funcs.json to another. A reference to a
// missing function is an error, and so is the absence of a reference that the entry needs.

// link checks the references between the functions, and sets Small in each large-count variant.
func link(functions []Function) error {
	known := map[string]*Function{}
	for i := range functions {
		known[functions[i].Name] = &functions[i]
	}
	for i := range functions {
		f := &functions[i]
		for key, other := range map[string]string{"wide": f.Wide, "starts": f.Starts, "standard": f.Standard, "successor": f.Successor, "exchange": f.Exchange.Call} {
			if other != "" && known[other] == nil {
				return fmt.Errorf("%s: %s: unknown function %s", f.Name, key, other)
			}
		}
		if f.Large == "" {
			continue
		}
		if known[f.Large] == nil {
			return fmt.Errorf("%s: its large-count variant %s is missing", f.Name, f.Large)
		}
		known[f.Large].Small = f.Name
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if err := known[name].checkLinks(known); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// checkLinks returns an error if a reference that the function needs is missing, or if a reference
// does not fit the function. known has all functions by name.
func (f *Function) checkLinks(known map[string]*Function) error {
	request := f.Has("REQUEST", "out")
	persistent := f.collective() && request != nil && request.Lifetime == "create-persistent"
	counts := f.Has("COUNTS", "in") != nil && f.Has("COMM", "in") != nil
	switch {
	case persistent != (f.Starts != ""):
		return fmt.Errorf(`a persistent collective operation needs "starts", and no other function may have it`)
	case f.Small == "" && f.Exchange != Exchange{}:
		return fmt.Errorf("only a large-count variant can have \"exchange\"")
	case f.collective() && f.Small != "" && counts && !persistent && f.Narrow != NarrowHand && f.Exchange == Exchange{}:
		return fmt.Errorf(`it has counts for each process: name the function that replaces it without large counts in "exchange", or implement it by hand ("narrow")`)
	case f.Wide == "" && f.Large != "" && known[f.Name+"_x"] != nil:
		return fmt.Errorf(`%s_x exists: give it in "wide"`, f.Name)
	case f.Standard == "" && f.Level == Extension && f.hasSameParameters(known[strings.Replace(f.Name, "MPIX_", "MPI_", 1)]):
		return fmt.Errorf(`the standard has this function too: give its name in "standard"`)
	case f.Standard != "" && !f.hasSameParameters(known[f.Standard]):
		return fmt.Errorf("the parameters differ from those of %s: they must be the same", f.Standard)
	case f.Successor != "" && !f.hasSameParameters(known[f.Successor]):
		return fmt.Errorf("the parameters differ from those of %s: they must be the same", f.Successor)
	case f.Successor != "" && f.Removed == "":
		return fmt.Errorf("\"successor\" needs \"removed\": give the version of MPI that removed it")
	}
	return nil
}

// hasSameParameters reports whether two functions have the same types in C, apart from const. It returns
// false if other is nil.
func (f *Function) hasSameParameters(other *Function) bool {
	return other != nil && f.Returns == other.Returns && slices.EqualFunc(f.Params, other.Params, func(p, q Param) bool { return p.Element() == q.Element() && p.IsPointer() == q.IsPointer() })
}
