package runtimes

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/launchers"
)

// A Vendor is a maker of MPI libraries. Several share one ABI family.
type Vendor struct {
	Name  string // as the user writes it
	Title string // as a sentence has it
	// Package is what `wi4go get` brings it as, "" where it cannot; Devel is
	// the package that has its headers, where that is another.
	Package, Devel string

	family   *family.Family      // of its own library
	launcher *launchers.Launcher // of its programs
	sign     *regexp.Regexp      // text that only this vendor's library of its family holds; nil: there is none
	release  *regexp.Regexp      // how its libraries introduce themselves, with the release; nil: they do not name it
}

// Vendors are those of the families' files, in the order in which messages list them.
var Vendors = vendors()

// Those that code is about.
var (
	OpenMPI   = VendorOf("openmpi")
	MPICH     = VendorOf("mpich")
	IntelMPI  = VendorOf("intelmpi")
	MVAPICH   = VendorOf("mvapich")
	CrayMPICH = VendorOf("cray-mpich")
)

func vendors() (list []*Vendor) {
	for _, f := range family.All {
		for _, made := range f.Vendors {
			if f.Standard && made.Name == f.Name { // the ABI, which several vendors have beside their own
				continue
			}
			v := &Vendor{Name: made.Name, Title: cmp.Or(made.Title, f.Title), Package: made.Package, Devel: made.Devel, family: f, launcher: launchers.Of(cmp.Or(made.Launcher, f.Launcher))}
			if made.Sign != "" {
				v.sign = regexp.MustCompile(made.Sign)
			}
			if before, _, has := strings.Cut(made.Introduction, "{release}"); has {
				v.release = regexp.MustCompile(regexp.QuoteMeta(before) + `([\w.]+)`)
			}
			list = append(list, v)
		}
	}
	return list
}

// VendorOf finds the vendor called name (family.Usual), nil where there is none.
func VendorOf(name string) *Vendor {
	name = family.Usual(name)
	for _, v := range Vendors {
		if v.Name == name {
			return v
		}
	}
	return nil
}

// Family returns the name of the family of the vendor's own library.
func (v *Vendor) Family() string { return v.family.Name }

// VendorNames lists what VendorOf knows.
func VendorNames() string {
	var names []string
	for _, v := range Vendors {
		names = append(names, v.Name)
	}
	return strings.Join(names, ", ")
}

// vendorOf returns a library's vendor, by the texts in its file if the family has several:
// makers of MPICH's family keep the ABI and the symbols, but say their own name in
// MPI_Get_library_version. Any vendor may make a library of the standard ABI.
func vendorOf(f *family.Family, path string) *Vendor {
	if len(f.Vendors) == 1 && !f.Standard {
		return VendorOf(f.Vendors[0].Name)
	}
	text := elfobj.Constants(path)
	for _, v := range Vendors {
		if (f.Standard || v.family == f) && v.sign != nil && v.sign.Match(text) {
			return v
		}
	}
	if f.Standard && bytes.Contains(text, []byte("Open MPI v")) {
		return OpenMPI
	}
	return MPICH
}

// A wish is what --to names without a path: a vendor, or the library of the
// standard ABI beside a vendor's own (mpich-abi), and, where it is given, the
// beginning of a version.
type wish struct {
	vendor  *Vendor
	abi     bool
	version string
}

const abiSuffix = "-abi"

// parseWish reads mpich, mpich@5, intelmpi@2021.18, mpich-abi.
func parseWish(name string) (wish, bool) {
	vendor, version, at := strings.Cut(name, "@")
	vendor, abi := strings.CutSuffix(vendor, abiSuffix)
	v := VendorOf(vendor)
	return wish{v, abi, version}, v != nil && (!at || version != "")
}

// names is what a wish and Survey call a runtime, before the version.
func (r *Runtime) names() string {
	if v := VendorOf(r.Vendor); r.Family.Standard && (v == nil || !v.family.Standard) {
		return r.Vendor + abiSuffix
	}
	return r.Vendor
}

// name is the wish without the version.
func (w wish) name() string {
	if w.abi {
		return w.vendor.Name + abiSuffix
	}
	return w.vendor.Name
}

// String is what the user wrote.
func (w wish) String() string {
	if w.version == "" {
		return w.name()
	}
	return w.name() + "@" + w.version
}

// published is the wish for `wi4go get`: a library of the standard ABI comes with the
// vendor's own.
func (w wish) published() string { return wish{w.vendor, false, w.version}.String() }

// title is the wish as a sentence has it.
func (w wish) title() string {
	title := strings.TrimSpace(w.vendor.Title + " " + w.version)
	if w.abi {
		title += " standard ABI"
	}
	return title
}

// none is the error where nothing on this machine fulfils the wish.
func (w wish) none(others []string) error {
	here := ""
	if len(others) > 0 {
		here = " (there is " + strings.Join(others, ", ") + ")"
	}
	if w.version != "" && (w.version[0] < '0' || w.version[0] > '9') {
		return fault.New("no-runtime", "name the beginning of one, as "+w.vendor.Name+"@4", "no %s library found%s: %q is no version", w.title(), here, w.version)
	}
	if w.vendor.Package != "" {
		return fault.New("no-runtime", fmt.Sprintf("`wi4go get %s` brings one, or name its path with --to", w.published()),
			"no %s library found%s", w.title(), here)
	}
	return fault.New("no-runtime", "install one, or name its path with --to (`wi4go list` shows what there is)",
		"no %s library found%s", w.title(), here)
}

// unique keeps the first of equal words.
func unique(words []string) []string {
	var kept []string
	for _, w := range words {
		if !slices.Contains(kept, w) {
			kept = append(kept, w)
		}
	}
	return kept
}

// VersionMatches says whether version begins with the components of want: 5
// and 5.0 match 5.0.2, 50 does not. What is left out counts as 0, so that
// 2021.15.0 matches 2021.15.
func VersionMatches(version, want string) bool {
	if version == "" {
		return false
	}
	have := strings.Split(version, ".")
	for i, part := range strings.Split(want, ".") {
		h := "0"
		if i < len(have) {
			h = have[i]
		}
		if h != part {
			return false
		}
	}
	return true
}
