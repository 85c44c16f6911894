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

// Function is one entry of funcs.json.
type Function struct {
	// Name is the C name: "MPI_Send".
	Name string `json:"name"`
	// Level is the lowest MPI version that a library must have to offer it:
	// "3.1" for everything up to that version.
	Level string `json:"level"`
	// Removed is the MPI version that took it out of the standard.
	Removed string `json:"removed,omitempty"`
	// Chapter is the chapter of the standard.
	Chapter string `json:"chapter"`
	// Large is the name of the large-count variant.
	Large string `json:"large,omitempty"`
	// Returns is the C type of the result.
	Returns string `json:"returns"`
	// Fortran is FortranHand where shim/fortran has the procedure, FortranNone where a
	// layer has none, and FortranFrequent where it is generated for pairs as well;
	// otherwise it is generated.
	Fortran string `json:"fortran,omitempty"`
	// Assembly says that the function is called so often that pairs print it as
	// assembly as well; the benchmark holds these.
	Assembly bool `json:"assembly,omitempty"`
	// Hand is the header of package mappers with the translation, where it is written
	// by hand.
	Hand string `json:"hand,omitempty"`
	// Alone says that it works without the runtime's function of that name.
	Alone bool `json:"alone,omitempty"`
	// Identity are the families within which a hand-written function serves as well,
	// where every other function is the runtime's as it is: in the place of the
	// runtime's, or where there is none if it works alone. It is in identity.h, or else
	// in Hand.
	Identity []string `json:"identity,omitempty"`
	// Emulated says that a front serves it where the runtime lacks it (shim/emulate).
	Emulated bool `json:"emulated,omitempty"`
	// Narrow is NarrowHand where shim/emulate has a large count by way of the function
	// with int counts; otherwise that is generated, where it can be.
	Narrow string `json:"narrow,omitempty"`
	// Layers are those of shim/emulate that are put over the function.
	Layers []string `json:"layers,omitempty"`
	// Params are the parameters in order.
	Params []Param `json:"params"`
}

const (
	// FortranHand are those with function arguments, attributes (MPI-5.0, 19.3.7), arrays
	// of strings, or other arguments than in C.
	FortranHand = "hand"
	// FortranNone are tools and conversions, which have none in the standard (MPI-5.0,
	// 15.3.3, 19.3.4) but those of statuses, extensions but those that Open MPI 4's library has, and
	// what no MPI with such a library has: programs that call one are refused by name.
	FortranNone = "none"
	// FortranFrequent are those that codes call all the time: a pair has a body for them
	// that converts the integers to the runtime's handles, without a call in C in between.
	FortranFrequent = "frequent"
)

// NarrowHand are the large counts of shim/emulate/large.h and the headers after it.
const NarrowHand = "hand"

// Layers are those that shim/emulate has: while the program has a request of ours,
// or from the start over a library that needs them.
var Layers = []string{"buffers", "end", "errors", "intercomm", "limits", "records", "removal", "requests", "resources", "roots", "world"}

// Param is one parameter of a function.
type Param struct {
	Name string `json:"name"`
	// Type is the C type, arrays as pointers.
	Type string `json:"type"`
	// Role is the kind of argument, a key of mappers.json.
	Role string `json:"role"`
	// Dir is "in", "out" or "inout".
	Dir string `json:"dir"`
	// Lifetime says what becomes of a handle: create, create-persistent, free,
	// complete, restart, keep or borrow.
	Lifetime string `json:"lifetime,omitempty"`
	// Limit names the constant that bounds an output string.
	Limit string `json:"limit,omitempty"`
	// Length is the number of elements of an array.
	Length Length `json:"length,omitzero"`
	// Index says that it counts from 1 in Fortran (MPI-5.0, 3.7.5).
	Index bool `json:"index,omitempty"`
	// Tells says that nothing else comes out unless this flag is true.
	Tells bool `json:"tells,omitempty"`
	// Any is the constant that a receive may have here for any value (MPI-5.0, 3.2.4).
	Any string `json:"any,omitempty"`
	// Idle says that a datatype may mean nothing in a call: that of a buffer that is
	// elsewhere, or in place, or not accessed (MPI-5.0, 6.2.3, 12.3.4).
	Idle bool `json:"idle,omitempty"`
	// Alias is an array that the program may give here too: a library that looks for
	// aliases is to see that.
	Alias string `json:"alias,omitempty"`
	// Significant says when a library looks at a count; always, where it is left out.
	Significant Significant `json:"significant,omitzero"`
	// Unchecked names the families whose libraries do not look at this handle: they
	// follow it, take it, or ask the error handler of a null communicator, which
	// ends the process.
	Unchecked []string `json:"unchecked,omitempty"`
}

// Length is how many elements an array argument has: what another parameter
// says, times Factor; or as many as a communicator has peers, members or
// neighbours; or the sum of an array of counts.
type Length struct {
	Param  string `json:"-"`
	Factor int    `json:"-"`
	// Size is peers, members, indegree or outdegree, of Comm; Root names the
	// parameter that says where alone the array counts.
	Size string `json:"size,omitempty"`
	Comm string `json:"comm,omitempty"`
	Root string `json:"root,omitempty"`
	// Unless is a buffer with which, in place, the array has no elements.
	Unless string `json:"unless,omitempty"`
	// Sum is the parameter whose elements are added up, Over their number.
	Sum  string `json:"sum,omitempty"`
	Over string `json:"over,omitempty"`
}

// Significant says when a library looks at a count.
type Significant struct {
	// Unless is a buffer: it does not where that is MPI_IN_PLACE.
	Unless string `json:"unless,omitempty"`
	// Root is the parameter that says where alone it does.
	Root string `json:"root,omitempty"`
}

// UnmarshalJSON reads "count", ["n", 3] or the object form.
func (l *Length) UnmarshalJSON(data []byte) error {
	l.Factor = 1
	switch data[0] {
	case '"':
		return json.Unmarshal(data, &l.Param)
	case '[':
		return json.Unmarshal(data, &[]any{&l.Param, &l.Factor})
	}
	type plain Length
	return json.Unmarshal(data, (*plain)(l))
}

var lifetimes = map[string]bool{"create": true, "create-persistent": true, "free": true, "complete": true, "restart": true, "keep": true, "borrow": true}

// ParseFunctions reads funcs.json. Whatever does not fit the schema is refused
// with the name of the function and the parameter.
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
	for _, f := range functions {
		if f.Large != "" && !seen[f.Large] {
			return nil, fmt.Errorf("funcs.json: %s: its large-count variant %s is missing", f.Name, f.Large)
		}
	}
	sort.Slice(functions, func(i, j int) bool { return functions[i].Name < functions[j].Name })
	return functions, nil
}

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
	for _, layer := range f.Layers {
		if !slices.Contains(Layers, layer) {
			return fmt.Errorf("there is no layer %q: they are %s", layer, strings.Join(Layers, ", "))
		}
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
	return nil
}

// checkWords refuses a parameter whose name says what a key has to say.
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
	}
	return nil
}
