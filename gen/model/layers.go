package model

import (
	"fmt"
	"slices"
	"strings"
)

// A Moment is the time at which a layer of shim/emulate is installed over its functions.
type Moment struct {
	Name string // the enumerator of enum wi4go_moment
	Text string // a description for people
}

// Moments lists the moments in the order in which they occur in a rank.
var Moments = []Moment{
	{"WI4GO_AT_LOAD", "from the start"},
	{"WI4GO_AT_FIRST_REQUEST", "from the program's first emulated request on"},
	{"WI4GO_AT_FIRST_INTERCOMM", "from the program's first call for an intercommunicator on"},
	{"WI4GO_OUTSIDE", "before the library is initialized and after it is finalized"},
}

// A Layer is a set of functions of shim/emulate, each installed in front of the current entry
// of its slot. An entry of funcs.json names the layers over its function.
type Layer struct {
	Name string
	When int    // the index in Moments of the time when the layer is installed
	If   string // the condition for installing it, for people, which wi4go_needs_layer_NAME checks in C at its moment, or "" to install it always
}

// Layers lists all layers, the lowest first. Several layers over one slot are installed in this
// order, so that the last one receives the call first.
var Layers = []Layer{
	{"span", 0, ""},
	{"errors", 0, "the library lacks error classes of the program's family"},
	{"world", 0, "the library has no sessions"},
	{"resources", 0, "the library lacks split types of the program's family, or has others"},
	{"intercomm", 0, "the library refuses a null send buffer at MPI_ROOT"},
	{"limits", 0, "the library's limits for infos are lower than the program's"},
	{"buffers", 0, "the library has no MPI_Buffer_flush"},
	{"end", 0, "the library has no sessions, or no MPI_Buffer_flush"},
	{"handle_report", 0, "WI4GO_HANDLES is set"},
	{"removal", 0, ""},
	{"requests", 1, ""},
	{"roots", 2, ""},
	{"infos", 3, "the library has no sessions"},
	{"codes", 3, "also later if the program has added error classes or codes"},
	{"handlers", 3, "also later if the program has created error handlers before"},
	{"outside", 3, "the library has the function"},
	{"statuses", 3, "the library refuses the function then"},
	{"clock", 3, "also later if the program has read the clock before and the library's is another one"},
}

// layerAt returns the index in Layers of the layer with this name, or -1.
func layerAt(name string) int {
	return slices.IndexFunc(Layers, func(l Layer) bool { return l.Name == name })
}

// checkLayers returns an error if the entry names a layer that does not exist, if its layers are
// not in the order of Layers, or if more than one of them is installed while the program runs,
// because their order would then depend on the program.
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
			return fmt.Errorf("unknown layer %q: the layers are %s", name, strings.Join(names, ", "))
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
		return fmt.Errorf("layers: %s: two of them are installed while the program runs, in an unknown order: leave out one", strings.Join(f.Layers, ", "))
	}
	return nil
}
