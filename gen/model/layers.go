package model

import (
	"fmt"
	"slices"
	"strings"
)

// A Moment is when a layer of shim/emulate is put over its functions.
type Moment struct {
	Name string // in C
	Text string // for people
}

// Moments lists them in the order in which they come.
var Moments = []Moment{
	{"WI4GO_AT_LOAD", "from the start"},
	{"WI4GO_AT_FIRST_REQUEST", "from the program's first emulated request on"},
	{"WI4GO_AT_FIRST_INTERCOMM", "from the program's first call for an intercommunicator on"},
}

// A Layer is a set of functions of shim/emulate that are put over what serves their slots;
// the entries of functions name the layers over them.
type Layer struct {
	Name string
	When int    // the place of its moment in Moments
	If   string // what must hold for that, for people; "": nothing. In C it is wi4go_wants_NAME
}

// Layers is the chain over a slot, the lowest layer first: they are put over each other in
// this order.
var Layers = []Layer{
	{"errors", 0, "the library lacks error classes of the program's family"},
	{"world", 0, "the library has no sessions"},
	{"resources", 0, "the library lacks split types of the program's family, or has others"},
	{"intercomm", 0, "the library refuses a null send buffer at MPI_ROOT"},
	{"limits", 0, "the library's limits for infos are lower than the program's"},
	{"buffers", 0, "the library has no MPI_Buffer_flush"},
	{"end", 0, "the library has no sessions, or no MPI_Buffer_flush"},
	{"records", 0, "WI4GO_HANDLES is set"},
	{"removal", 0, "the library has no MPI_Remove_error_class"},
	{"requests", 1, ""},
	{"roots", 2, ""},
}

// layerAt returns the place of a layer in the chain, or -1.
func layerAt(name string) int {
	return slices.IndexFunc(Layers, func(l Layer) bool { return l.Name == name })
}

// checkLayers refuses layers that do not exist, or in an order other than the chain's, and
// two of which the program decides the order.
func (f *Function) checkLayers() error {
	var at []int
	later := 0
	for _, name := range f.Layers {
		i := layerAt(name)
		if i < 0 {
			var names []string
			for _, l := range Layers {
				names = append(names, l.Name)
			}
			slices.Sort(names)
			return fmt.Errorf("there is no layer %q: they are %s", name, strings.Join(names, ", "))
		}
		at = append(at, i)
		if Layers[i].When > 0 {
			later++
		}
	}
	switch {
	case !slices.IsSorted(at):
		return fmt.Errorf("layers: %s: name the lowest first, in the order of the chain (gen/model/layers.go)", strings.Join(f.Layers, ", "))
	case later > 1:
		return fmt.Errorf("layers: %s: two of them come while the program runs, in an order that is not known", strings.Join(f.Layers, ", "))
	}
	return nil
}
