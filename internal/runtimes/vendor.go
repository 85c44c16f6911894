package runtimes

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"wi4go/abi"
	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/launchers"
	"wi4go/internal/pattern"
)

// A Vendor is a maker of MPI libraries. Several vendors share one ABI family.
type Vendor struct {
	Name  string // the name that users write
	Title string // the name in messages
	// Package is the name of its package for `wi4go get`, or "" if there is none. Devel is the
	// package with the headers if it is another.
	Package, Devel string
	abi.VendorTraits

	family   *family.Family      // the family of its own library
	launcher *launchers.Launcher // the launcher for its programs
	sign     *pattern.Pattern    // matches a text that only this vendor's library within the family contains, or nil
	release  *pattern.Pattern    // matches the release in the libraries' version text, or nil
}

// Vendors holds the vendors from the families' files, in the order in which messages list them.
var Vendors = vendors()

// The vendors that code refers to.
var (
	OpenMPI   = VendorOf("openmpi")
	MPICH     = VendorOf("mpich")
	IntelMPI  = VendorOf("intelmpi")
	MVAPICH   = VendorOf("mvapich")
	CrayMPICH = VendorOf("cray-mpich")
)

// vendors creates the list from the families.
func vendors() (list []*Vendor) {
	for _, f := range family.All {
		for _, made := range f.Vendors {
			// This entry names the ABI. Several vendors make a library of it in addition to their
			// own.
			if f.Standard && made.Name == f.Name {
				continue
			}
			v := &Vendor{Name: made.Name, Title: cmp.Or(made.Title, f.Title), Package: made.Package, Devel: made.Devel, VendorTraits: made.VendorTraits, family: f, launcher: launchers.Of(cmp.Or(made.Launcher, f.Launcher))}
			if made.Sign != "" {
				v.sign = pattern.New(made.Sign)
			}
			if before, _, has := strings.Cut(made.Introduction, "{release}"); has {
				v.release = pattern.New(regexp.QuoteMeta(before) + `([\w.]+)`)
			}
			list = append(list, v)
		}
	}
	return list
}

// VendorOf returns the vendor with that name (see family.CanonicalName), or nil.
func VendorOf(name string) *Vendor {
	name = family.CanonicalName(name)
	for _, v := range Vendors {
		if v.Name == name {
			return v
		}
	}
	return nil
}

// Family returns the name of the family of the vendor's own library.
func (v *Vendor) Family() string { return v.family.Name }

// VendorNames returns the names that VendorOf accepts, separated by commas.
func VendorNames() string {
	var names []string
	for _, v := range Vendors {
		names = append(names, v.Name)
	}
	return strings.Join(names, ", ")
}

// vendorOf returns a library's vendor. If the family has several, it searches the file for a text
// of the vendor: makers of MPICH's family keep the ABI and the symbols, but put their own name into
// MPI_Get_library_version. Any vendor may make a library of the standard ABI.
func vendorOf(f *family.Family, constants iter.Seq[[]byte]) *Vendor {
	if len(f.Vendors) == 1 && !f.Standard {
		return VendorOf(f.Vendors[0].Name)
	}
	first, openMPI := len(Vendors), false // the first vendor in the list whose text is found
	for text := range constants {
		for i, v := range Vendors[:first] {
			if (f.Standard || v.family == f) && v.sign != nil && v.sign.Match(text) {
				first = i
				break
			}
		}
		openMPI = openMPI || f.Standard && bytes.Contains(text, []byte("Open MPI v"))
	}
	switch {
	case first < len(Vendors):
		return Vendors[first]
	case openMPI:
		return OpenMPI
	}
	return MPICH
}

// A request is a request for a runtime by name. It names a vendor, or the library of the standard ABI
// that comes with the vendor's own (mpich-abi), and may include the beginning of a version.
type request struct {
	vendor  *Vendor // nil if there is no vendor of that name
	abi     bool    // the library of the standard ABI is requested
	version string  // the beginning of a version, or ""
}

// abiSuffix follows the vendor's name in a request for the library of the standard ABI.
const abiSuffix = "-abi"

// parseRequest parses a name such as mpich, mpich@5, intelmpi@2021.18 or mpich-abi. It reports whether
// the name is a request of this form for a known vendor.
func parseRequest(name string) (request, bool) {
	vendor, version, at := strings.Cut(name, "@")
	vendor, abi := strings.CutSuffix(vendor, abiSuffix)
	v := VendorOf(vendor)
	return request{v, abi, version}, v != nil && (!at || version != "")
}

// requestName returns the name of a runtime, without version, as requests and Survey use it.
func (r *Runtime) requestName() string {
	if v := VendorOf(r.Vendor); r.Family.Standard && (v == nil || !v.family.Standard) {
		return r.Vendor + abiSuffix
	}
	return r.Vendor
}

// name returns the request without the version.
func (w request) name() string {
	if w.abi {
		return w.vendor.Name + abiSuffix
	}
	return w.vendor.Name
}

// String returns the request in the form in which users write it.
func (w request) String() string {
	if w.version == "" {
		return w.name()
	}
	return w.name() + "@" + w.version
}

// getName returns the request for `wi4go get`, which installs a library of the standard ABI
// together with the vendor's own.
func (w request) getName() string { return request{w.vendor, false, w.version}.String() }

// title returns the request in words, for messages.
func (w request) title() string {
	title := strings.TrimSpace(w.vendor.Title + " " + w.version)
	if w.abi {
		title += " standard ABI"
	}
	return title
}

// notFound returns the error if no runtime on this machine matches the request. others are products
// that were found instead.
func (s Search) notFound(w request, others []string) error {
	found := ""
	if len(others) > 0 {
		found = " (available: " + strings.Join(others, ", ") + ")"
	}
	if w.version != "" && (w.version[0] < '0' || w.version[0] > '9') {
		return fault.New("no-runtime", "give the start of a version, as in "+w.vendor.Name+"@4", "no %s library found%s: %q is not a version", w.title(), found, w.version)
	}
	cure := "install one, or name its path with --to (`wi4go list` shows the available ones)"
	if w.vendor.Package != "" {
		cure = fmt.Sprintf("install one with %s, or name its path with --to", s.installing(w.getName()))
	}
	same := slices.DeleteFunc(s.Others(nil), func(r *Runtime) bool { return r.Family != w.family() })
	if len(same) > 0 {
		use := same[max(0, slices.IndexFunc(same, func(r *Runtime) bool { return r.Vendor == w.vendor.Name }))]
		cure = fmt.Sprintf("use %s, which is installed and has the same ABI, or %s", use.Option(), cure)
	}
	return fault.New("no-runtime", cure, "no %s library found%s", w.title(), found)
}

// family returns the family of the requested library.
func (w request) family() *family.Family {
	if w.abi {
		return family.StandardABI
	}
	return w.vendor.family
}

// unique returns words without repetitions.
func unique(words []string) []string {
	var kept []string
	for _, w := range words {
		if !slices.Contains(kept, w) {
			kept = append(kept, w)
		}
	}
	return kept
}

// VersionMatches reports whether version begins with the components of want: 5 and 5.0 match 5.0.2,
// 50 does not. Missing components count as 0, so that 2021.15.0 matches 2021.15.
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
