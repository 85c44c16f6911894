package header

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"

	"wi4go/abi"
)

// Differences compares the facts read from one installed MPI, got, with the family's file, want. It
// returns one line for each difference that a program built with that MPI would notice, sorted, or
// nothing if they agree. Facts that got lacks (Fortran values, the C++ and Fortran libraries) are
// not compared. A missing name is reported only for a release that the file was made from, and only
// if its label stands for no other release, because the file does not record which of several
// releases has the name.
func Differences(want, got *abi.Family) []string {
	c := comparison{want: want, label: Label(got)}
	release := got.Versions[c.label][0]
	c.known = slices.Contains(want.Versions[c.label], release)
	c.alone = c.known && len(want.Versions[c.label]) == 1
	if want.Family != got.Family || want.HandleBits != got.HandleBits {
		c.add("the file is for %s with handles of %d bits, this is %s with %d", want.Family, want.HandleBits, got.Family, got.HandleBits)
	}
	compare(&c, "type", want.Types, got.Types)
	compare(&c, "constant", want.Constants, got.Constants)
	compare(&c, "string", want.Strings, got.Strings)
	compare(&c, "pointer", want.Pointers, got.Pointers)
	compare(&c, "callback", want.Callbacks, got.Callbacks)
	compare(&c, "handle", c.expectedHandles(got), got.Handles)
	c.functions("function", want.Functions, got.Functions)
	c.functions("function", want.OtherFunctions, got.OtherFunctions)
	c.functions("Fortran function", want.FortranFunctions, got.FortranFunctions)
	for _, d := range got.DataSymbols {
		i := slices.IndexFunc(want.DataSymbols, func(w abi.DataSymbol) bool { return w.Name == d.Name })
		switch {
		case i < 0:
			c.add("the data symbol %s is not in the file", d.Name)
		case d.Size > want.DataSymbols[i].Size:
			c.add("the data symbol %s has %d bytes, in the file %d", d.Name, d.Size, want.DataSymbols[i].Size)
		}
	}
	for _, n := range got.Internals {
		if !slices.ContainsFunc(want.Internals, func(w abi.Internal) bool { return w.Name == n.Name }) {
			c.add("%s, which %s imports, is not in the file", n.Name, strings.Join(n.NeededBy, " and "))
		}
	}
	sort.Strings(c.lines)
	return c.lines
}

// comparison is the state of Differences.
type comparison struct {
	want  *abi.Family
	label string
	known bool // the file was made from exactly this release
	alone bool // and its label stands for no other
	lines []string
}

func (c *comparison) add(format string, args ...any) {
	c.lines = append(c.lines, fmt.Sprintf(format, args...))
}

// compare records the differences between two maps of names of one kind, which what names.
func compare[T any](c *comparison, kind string, want, got map[string]T) {
	for name, g := range got {
		w, ok := want[name]
		if !ok {
			c.add("the %s %s is not in the file", kind, name)
			continue
		}
		if Varying[name] != "" {
			v, varies := c.want.Varies[name][c.label]
			if !varies || !c.known {
				continue
			}
			if n, ok := any(g).(int64); ok {
				if n != v {
					c.add("the %s %s is %d, in the file %d", kind, name, n, v)
				}
				continue
			}
		}
		if !reflect.DeepEqual(w, g) {
			c.add("the %s %s is %s, in the file %s", kind, name, show(g), show(w))
		}
	}
	for name := range want {
		in := c.want.OnlyIn[name]
		if _, ok := got[name]; !ok && c.alone && (in == nil || slices.Contains(in, c.label)) {
			c.add("the %s %s is in the file, but not in the header", kind, name)
		}
	}
}

// expectedHandles returns the file's handles as this version should have them: with this version's
// value if it varies, and without handles that depend on the build or could not be read.
func (c *comparison) expectedHandles(got *abi.Family) map[string]abi.Handle {
	all := map[string]abi.Handle{}
	for name, w := range c.want.Handles {
		if v, ok := c.want.Varies[name][c.label]; ok {
			f := int64(int32(v))
			w.Value, w.Hex, w.Fortran = &v, fmt.Sprintf("%#08x", v), &f
		}
		g, ok := got.Handles[name]
		if ok {
			w.Optional = g.Optional
		}
		if ok && g.Fortran == nil {
			w.Fortran = nil
		}
		all[name] = w
	}
	return all
}

func (c *comparison) functions(kind string, want, got map[string][]string) {
	for name := range got {
		switch in := want[name]; {
		case in == nil:
			c.add("the %s %s is not in the file", kind, name)
		case c.known && !slices.Contains(in, c.label):
			c.add("the %s %s is in the header, but the file does not give it to %s", kind, name, c.label)
		}
	}
	for name, in := range want {
		if got[name] == nil && c.alone && slices.Contains(in, c.label) {
			c.add("the %s %s is in the file, but not in the header", kind, name)
		}
	}
}
