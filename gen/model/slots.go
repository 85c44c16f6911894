package model

import (
	"maps"
	"slices"
	"strings"

	"wi4go/abi"
)

// Slot is one entry of a front's tables.
type Slot struct {
	Name     string
	Function *Function // nil: the front exports it, funcs.json does not know it
	Exported bool
	PMPI     bool   // it is PMPI_X as well
	Internal bool   // no part of MPI
	Builtin  bool   // the front serves it itself, by wi4go_builtin_NAME in shim/front
	Mapped   string // internal, and this header of package mappers has it
}

// Symbol is the name of the stub that nothing interposes.
func (s Slot) Symbol() string {
	if s.PMPI {
		return "P" + s.Name
	}
	return s.Name
}

// Layers returns the layers over a slot, the lowest first.
func (s Slot) Layers() (layers []Layer) {
	if s.Function == nil {
		return nil
	}
	for _, name := range s.Function.Layers {
		layers = append(layers, Layers[layerAt(name)])
	}
	return layers
}

// Slots is the order of a front's tables: every function of funcs.json, every
// other function that the family exports, and of its C library's own functions those that
// its C++ and Fortran libraries call, that a front answers, or by which programs recognise it,
// by name.
type Slots struct {
	Front *abi.Family
	List  []Slot
}

// NewSlots makes the slots of a family's front.
func NewSlots(in *Input, front *abi.Family) *Slots {
	s := &Slots{Front: front}
	known := map[string]*Function{}
	for i := range in.Functions {
		known[in.Functions[i].Name] = &in.Functions[i]
	}
	names := map[string]bool{}
	for name := range known {
		names[name] = true
	}
	for name := range front.Functions {
		names[name] = true
	}
	internal, builtin := map[string]bool{}, map[string]bool{}
	for _, i := range front.Internals {
		if i.Kind == "func" {
			names[i.Name], internal[i.Name] = true, true
			builtin[i.Name] = strings.Contains(i.Lang, "cxx")
		}
	}
	for _, name := range front.Answered {
		names[name], internal[name], builtin[name] = true, true, true
	}
	for _, name := range front.Recognised {
		names[name], internal[name] = true, true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		_, exported := front.Functions[name]
		exported = exported || beyond(front, known[name])
		_, noPMPI := front.NoPMPI[name]
		mapped := ""
		if internal[name] {
			mapped = mappedIn(name)
		}
		s.List = append(s.List, Slot{
			Name: name, Function: known[name], Internal: internal[name], Builtin: builtin[name],
			Mapped: mapped, Exported: exported || internal[name], PMPI: !noPMPI && !internal[name],
		})
	}
	return s
}

// beyond says that the front of the standard ABI exports a function which is not
// in the standard's ABI, though programs link to it: the conversions between C
// and Fortran, what MPI-3.0 removed, and the questions about GPUs.
func beyond(front *abi.Family, f *Function) bool {
	return front.Traits.Standard && f != nil && (f.Chapter == "language-bindings" || f.Chapter == "gpu" || f.Removed != "")
}

// Standard is the slot of the function that an extension has become in the standard
// (MPIX_Bcast_init and MPI_Bcast_init). 0: there is none, since extensions come first.
func (s *Slots) Standard(extension int) int {
	f := s.List[extension].Function
	if f == nil || f.Standard == "" {
		return 0
	}
	return slices.IndexFunc(s.List, func(other Slot) bool { return other.Name == f.Standard })
}
