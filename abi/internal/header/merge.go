package header

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"wi4go/abi"
)

const draft = "a draft of the standard ABI numbered them otherwise, and Intel MPI 2021.18 still does"

// Varying are the constants and handles that may differ between the versions
// of a family, with the reason.
var Varying = map[string]string{
	"MPI_VERSION":                 "the version of the standard",
	"MPI_SUBVERSION":              "the version of the standard",
	"MPI_BSEND_OVERHEAD":          "the size of an internal header",
	"MPI_REAL2":                   "optional type, null until MPICH 5.0",
	"MPI_COMPLEX4":                "optional type, null until MPICH 5.0",
	"MPI_INTEGER16":               "optional type, null until MPICH 5.0",
	"MPI_LOGICAL16":               "optional type, null until MPICH 5.0",
	"MPIX_CUDA_AWARE_SUPPORT":     "how the library was built",
	"MPIX_ROCM_AWARE_SUPPORT":     "how the library was built",
	"MPI_ERRORS_ABORT":            draft,
	"MPI_ERRORS_RETURN":           draft,
	"MPI_SEEK_SET":                draft,
	"MPI_SEEK_CUR":                draft,
	"MPI_SEEK_END":                draft,
	"MPI_UNIVERSE_SIZE":           draft,
	"MPI_APPNUM":                  draft,
	"MPI_LASTUSEDCODE":            draft,
	"MPIX_COMM_TYPE_NEIGHBORHOOD": "an extension of MPICH, moved when MPI-4.0 and 4.1 added split types",
}

// Merge combines the families read from several versions, oldest first. If two versions disagree
// about a value, Merge returns an error that names the value. The values in Varying are kept per
// version.
func Merge(parts []*abi.Family) (*abi.Family, error) {
	out := &abi.Family{
		Family:           parts[0].Family,
		Versions:         map[string][]string{},
		Title:            parts[0].Title,
		Sonames:          parts[0].Sonames,
		Libraries:        parts[0].Libraries,
		Fortran:          parts[0].Fortran,
		Plugins:          parts[0].Plugins,
		Vendors:          parts[0].Vendors,
		Launcher:         parts[0].Launcher,
		Internal:         parts[0].Internal,
		Answered:         parts[0].Answered,
		Recognised:       parts[0].Recognised,
		Mark:             parts[0].Mark,
		Guard:            parts[0].Guard,
		Declared:         parts[0].Declared,
		Traits:           parts[0].Traits,
		Substitutes:      parts[0].Substitutes,
		HandleBits:       parts[0].HandleBits,
		Types:            map[string]abi.Type{},
		Constants:        map[string]int64{},
		Strings:          map[string]string{},
		Varies:           map[string]map[string]int64{},
		OnlyIn:           map[string][]string{},
		Pointers:         map[string]abi.Pointer{},
		Callbacks:        map[string]abi.Callback{},
		Handles:          map[string]abi.Handle{},
		Functions:        map[string][]string{},
		NoPMPI:           map[string][]string{},
		OtherFunctions:   map[string][]string{},
		FortranFunctions: map[string][]string{},
	}
	var errs []error
	for _, p := range parts {
		label := Label(p)
		out.Versions[label] = union(out.Versions[label], p.Versions[label])
		mergeHandles(out, p)
		merge(out, label, "type", out.Types, p.Types, &errs)
		merge(out, label, "constant", out.Constants, p.Constants, &errs)
		merge(out, label, "string", out.Strings, p.Strings, &errs)
		merge(out, label, "pointer", out.Pointers, p.Pointers, &errs)
		merge(out, label, "callback", out.Callbacks, p.Callbacks, &errs)
		merge(out, label, "handle", out.Handles, p.Handles, &errs)
		for name, v := range p.Constants {
			vary(out, name, label, v)
		}
		for name, h := range p.Handles {
			if h.Value != nil {
				vary(out, name, label, *h.Value)
			}
		}
		mergeLabels(out.Functions, p.Functions)
		mergeLabels(out.NoPMPI, p.NoPMPI)
		mergeLabels(out.OtherFunctions, p.OtherFunctions)
		mergeLabels(out.FortranFunctions, p.FortranFunctions)
		for _, d := range p.DataSymbols {
			mergeData(out, d, label)
		}
		for _, n := range p.Internals {
			if i := slices.IndexFunc(out.Internals, func(o abi.Internal) bool { return o.Name == n.Name }); i < 0 {
				out.Internals = append(out.Internals, n)
			} else {
				out.Internals[i].NeededBy = union(out.Internals[i].NeededBy, n.NeededBy)
			}
		}
	}
	maps.DeleteFunc(out.OnlyIn, func(_ string, in []string) bool { return len(in) == len(out.Versions) })
	maps.DeleteFunc(out.Varies, func(_ string, values map[string]int64) bool {
		all := slices.Sorted(maps.Values(values))
		return all[0] == all[len(all)-1]
	})
	sortSymbols(out)
	return out, errors.Join(errs...)
}

// Label returns the version label of a family with one version.
func Label(f *abi.Family) string {
	for label := range f.Versions {
		return label
	}
	return ""
}

// merge adds the values of one version to the values of the older ones.
func merge[T any](out *abi.Family, label, kind string, old, add map[string]T, errs *[]error) {
	for name, v := range add {
		if o, ok := old[name]; ok && !reflect.DeepEqual(o, v) && Varying[name] == "" {
			*errs = append(*errs, fmt.Errorf("abi: %s: %s gives the %s %s as %s, but an earlier version as %s: if both are right, add it to "+
				"header.Varying",
				out.Family, label, kind, name, show(v), show(o)))
		}
		old[name] = v
		out.OnlyIn[name] = union(out.OnlyIn[name], []string{label})
	}
}

// mergeHandles combines facts about handles that may be known for one version only: the Fortran
// value, which requires a run, and whether every build defines the handle.
func mergeHandles(out, p *abi.Family) {
	for name, h := range p.Handles {
		o, ok := out.Handles[name]
		if !ok {
			continue
		}
		if h.Fortran == nil {
			h.Fortran = o.Fortran
		}
		if o.Fortran == nil {
			o.Fortran = h.Fortran
		}
		h.Optional = h.Optional || o.Optional
		o.Optional = h.Optional
		out.Handles[name], p.Handles[name] = o, h
	}
}

func vary(out *abi.Family, name, label string, v int64) {
	if Varying[name] == "" {
		return
	}
	if out.Varies[name] == nil {
		out.Varies[name] = map[string]int64{}
	}
	out.Varies[name][label] = v
}

func mergeLabels(old, add map[string][]string) {
	for name, in := range add {
		old[name] = union(old[name], in)
	}
}

// mergeData adds a data symbol of the version label to out, keeping the
// largest size.
func mergeData(out *abi.Family, d abi.DataSymbol, label string) {
	i := slices.IndexFunc(out.DataSymbols, func(o abi.DataSymbol) bool { return o.Name == d.Name })
	if i < 0 {
		d.Sizes = map[string]int{label: d.Size}
		out.DataSymbols = append(out.DataSymbols, d)
		return
	}
	o := &out.DataSymbols[i]
	o.Sizes[label] = max(o.Sizes[label], d.Size)
	o.Size = max(o.Size, d.Size)
	o.In, o.NeededBy = union(o.In, d.In), union(o.NeededBy, d.NeededBy)
	o.Header = o.Header || d.Header
	if o.Handle == "" {
		o.Handle = d.Handle
	}
	if o.PointsTo == "" {
		o.PointsTo = d.PointsTo
	}
}

// union returns the sorted union of two lists without duplicates, or nil if both are empty.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// show returns a value as it is in the JSON file.
func show(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
