package model

import (
	"maps"
	"slices"

	"wi4go/abi"
	"wi4go/mappers"
)

// HandleValues are a family's predefined handles that have one value for all
// programs.
func HandleValues(f *abi.Family) map[string]int64 {
	values := map[string]int64{}
	for name, h := range f.Handles {
		if h.Value != nil {
			values[name] = *h.Value
		}
	}
	return values
}

// DraftOf maps the family's values to those of its draft, for the named ones. Only the standard ABI has one.
func DraftOf(f *abi.Family, values map[string]int64) *Mapping {
	drafted := map[string]int64{}
	for name, value := range values {
		drafted[name] = value
		for _, label := range slices.Sorted(maps.Keys(f.Varies[name])) {
			if v := f.Varies[name][label]; f.Traits.Draft && v != value {
				drafted[name] = v
			}
		}
	}
	return Biject(values, drafted)
}

// DraftOfRole is the same for the constants of a role, or the handles of a kind.
func DraftOfRole(f *abi.Family, name string, role mappers.Role) *Mapping {
	if role.Convert != mappers.Handle {
		return DraftOf(f, SelectConstants(f, role.Constants))
	}
	values := HandleValues(f)
	for handle := range values {
		if f.Handles[handle].Kind != name {
			delete(values, handle)
		}
	}
	return DraftOf(f, values)
}
