package model

import (
	"maps"
	"slices"

	"wi4go/abi"
	"wi4go/mappers"
)

// HandleValues returns the values of a family's predefined handles, by name. It leaves out
// handles that are addresses, which have no value before the program is linked.
func HandleValues(f *abi.Family) map[string]int64 {
	values := map[string]int64{}
	for name, h := range f.Handles {
		if h.Value != nil {
			values[name] = *h.Value
		}
	}
	return values
}

// DraftOf returns the mapping from the family's values to its draft's values, for the constants
// or handles named in values. Only the standard ABI defines a draft (programs of Intel's
// mpicc -mpi_abi); for other families, the mapping is the identity.
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

// DraftOfRole returns the mapping of DraftOf for all constants of a role. name is the role's
// name; if it is a kind of handle ("COMM"), the mapping is for the predefined handles of the kind.
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
