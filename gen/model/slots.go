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
	Function *Function // its entry in funcs.json, or nil if the front exports a function without one
	Exported bool      // the front exports the symbol
	PMPI     bool      // the front also exports PMPI_X
	Internal bool      // the function is not part of MPI
	Builtin  bool      // the front serves it itself, by wi4go_builtin_NAME in shim/front
	Mapped   string    // the header of package mappers that translates an internal function, or ""
}

// Symbol returns the name of the stub that tools do not interpose: PMPI_X if there is one.
func (s Slot) Symbol() string {
	if s.PMPI {
		return "P" + s.Name
	}
	return s.Name
}

// Layers returns the layers over the slot, the lowest first.
func (s Slot) Layers() (layers []Layer) {
	if s.Function == nil {
		return nil
	}
	for _, name := range s.Function.Layers {
		layers = append(layers, Layers[layerAt(name)])
	}
	return layers
}

// Slots lists the entries of a front's tables in their order, which is by name. There is a slot for
// every function of funcs.json and for every other MPI function that the family exports. Some of
// the functions that the family's C library has beyond MPI have a slot too: the functions that its
// C++ and Fortran libraries call, that the front answers, or by which programs recognize the
// library.
type Slots struct {
	Front *abi.Family // the front's family
	List  []Slot      // sorted by name; the index is the slot's number
}

// NewSlots returns the slots of the front of a family.
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
		exported = exported || linkedBeyondABI(front, known[name]) || known[name] != nil && known[name].Level == Future
		_, noPMPI := front.NoPMPI[name]
		mapped := ""
		if internal[name] {
			mapped = headerOf(name)
		}
		s.List = append(s.List, Slot{
			Name: name, Function: known[name], Internal: internal[name], Builtin: builtin[name],
			Mapped: mapped, Exported: exported || internal[name], PMPI: !noPMPI && !internal[name],
		})
	}
	return s
}

// linkedBeyondABI reports whether the front of the standard ABI exports a function that is not in the
// standard's ABI but that programs link to: the conversions between C and Fortran, the functions
// that MPI-3.0 removed, and the queries about GPUs. It returns false for other families.
func linkedBeyondABI(front *abi.Family, f *Function) bool {
	return front.Traits.Standard && f != nil && (f.Chapter == "language-bindings" || f.Chapter == "gpu" || f.Removed != "")
}

// Standard returns the slot of the function that an extension has become in the standard
// (MPI_Bcast_init for MPIX_Bcast_init), or 0 if there is none. 0 is never the slot of a standard
// function, because names of extensions sort before names of the standard.
func (s *Slots) Standard(extension int) int {
	f := s.List[extension].Function
	if f == nil || f.Standard == "" {
		return 0
	}
	return slices.IndexFunc(s.List, func(other Slot) bool { return other.Name == f.Standard })
}
