// Package family names the MPI ABI families and distinguishes them by the names of libraries and
// symbols. It maps a soname to its family, recognizes a family's Fortran and C++ libraries, and
// recognizes symbols that only one family has.
//
// It must not know of files, processes or launchers: names go in, names come out.
package family

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"wi4go/abi"
	"wi4go/internal/pattern"
	"wi4go/internal/spelling"
)

// A Family is an ABI that MPI programs are compiled against.
type Family struct {
	Name    string   // the name that users write; also the name of its file in abi/
	Title   string   // its name in messages
	Sonames []string // sonames of the C library that a front can have, the usual one first
	// Parts are further sonames that programs need, because some releases divide the C library.
	// Fronts contain all parts.
	Parts          []string
	FortranLibrary string   // the soname of wi4go's Fortran library; "" if there is none yet
	Fortran        []string // sonames of the Fortran libraries that FortranLibrary replaces; FortranLibrary is the first
	Cxx            []string // sonames of the C++ libraries

	Standard    bool // its ABI is the ABI of the MPI standard
	Draft       bool // some of its libraries and programs use the numbers of a draft
	GlobalScope bool // its libraries join the global scope of a process when they are loaded
	// FortranReadsObjects reports whether its Fortran library reads the objects to which handles
	// refer. Such a library cannot run on top of a front.
	FortranReadsObjects bool

	Spawn abi.Spawn // how spawned processes of its programs get variables, if they do not inherit them

	Launcher string   // the name of the launcher for its programs
	Answered []string // functions of its C library outside MPI that its front implements

	Vendors []abi.Vendor // the makers of its libraries; the first has the family's name
	Plugins []string     // directories, relative to a library's, that may contain its plugins

	exports func() map[string]abi.Export // returns the symbols that its C libraries export in addition to abi/*.json

	mark string // a symbol that identifies its C library
	// Patterns from abi/*.json: internal matches symbols, the others match DT_NEEDED names. nil
	// matches nothing.
	c, old, fortran, cxx, private, internal *pattern.Pattern
}

// The families that messages list first, in this order; other families follow them. Only tests
// request a family by its name here.
var (
	OpenMPI     = read("openmpi")
	MPICH       = read("mpich")
	StandardABI = read(abi.Standard())
)

// Interface is the family of the programs that wi4go's own mpicc compiles.
var Interface = StandardABI

// All holds all families, each with a file in abi/, in the order in which messages list them.
var All = all()

// all reads the families from their files.
func all() []*Family {
	list := []*Family{OpenMPI, MPICH, StandardABI}
	for _, name := range abi.Names() {
		if !slices.ContainsFunc(list, func(f *Family) bool { return f.Name == name }) {
			list = append(list, read(name))
		}
	}
	return list
}

// Names returns the names of all families.
func Names() (names []string) {
	for _, f := range All {
		names = append(names, f.Name)
	}
	return names
}

// read creates a family from the head of its file, which is compiled in. It panics if the file is
// malformed.
func read(name string) *Family {
	head, err := abi.Head(name)
	if err != nil {
		panic(err)
	}
	optional := func(text string) *pattern.Pattern {
		if text == "" {
			return nil
		}
		return pattern.New(text)
	}
	library := func(part string) *pattern.Pattern { return optional(head.Libraries[part]) }
	f := &Family{
		Name: name, Title: head.Title, Sonames: head.Sonames["c"], Parts: head.Sonames["parts"], Cxx: head.Sonames["cxx"],
		Standard: head.Traits.Standard, Draft: head.Traits.Draft, GlobalScope: head.Traits.GlobalScope, FortranReadsObjects: head.Traits.FortranReadsObjects,
		Spawn:    head.Traits.Spawn,
		Launcher: head.Launcher, Plugins: head.Plugins, Answered: head.Answered,
		Vendors: head.Vendors, mark: head.Mark, internal: optional(head.Internal),
		c: library("c"), old: library("old"), fortran: library("fortran"), cxx: library("cxx"), private: library("private"),
	}
	f.exports = sync.OnceValue(func() map[string]abi.Export {
		exports, err := abi.Exports(name) // compiled in as well
		if err != nil {
			panic(err)
		}
		return exports
	})
	if len(head.Fortran.Sources) > 0 {
		f.Fortran = head.Sonames["fortran"]
		f.FortranLibrary = f.Fortran[0]
	}
	return f
}

func (f *Family) String() string { return f.Name }

// InterfaceFortran is the Fortran library that wi4go's mpifort links. It runs only on the front of
// the standard ABI. A program finds it without help, and nothing replaces it.
const InterfaceFortran = "libwi4go_fortran.so.1"

// CanonicalName returns wi4go's name for a family or a vendor that the user calls by another name,
// in upper or lower case. It returns an unknown name unchanged.
func CanonicalName(name string) string {
	lower := strings.ToLower(name)
	for _, f := range All {
		if f.Name == lower {
			return lower
		}
		for _, v := range f.Vendors {
			if v.Name == lower || slices.Contains(v.Called, lower) {
				return v.Name
			}
		}
	}
	return name
}

// Of returns the family with that name, or the family of the vendor with that name. The error for
// an unknown name lists all families.
func Of(name string) (*Family, error) {
	name = CanonicalName(name)
	var names, vendors []string
	for _, f := range All {
		if f.Name == name || slices.ContainsFunc(f.Vendors, func(v abi.Vendor) bool { return v.Name == name }) {
			return f, nil
		}
		names = append(names, f.Name)
		for _, v := range f.Vendors {
			vendors = append(vendors, v.Name)
		}
	}
	return nil, fmt.Errorf("unknown MPI family %q: %sthe families are %s", name, spelling.Suggestion(name, slices.Concat(names, vendors)),
		strings.Join(names, ", "))
}

// Part is the role of a library in its family.
type Part int

// The parts of an MPI installation.
const (
	C       Part = iota + 1 // the C library
	OldC                    // the C library with a soname that no front has
	Fortran                 // the Fortran bindings
	Cxx                     // the C++ bindings
)

// bundled matches the hash that auditwheel inserts into the name of a library inside a Python
// wheel: libmpi-0a1b2c3d.so.12.
var bundled = pattern.New(`-[0-9a-f]{4,}\.so`)

// OfLibrary returns the family and the part of a library, by its DT_NEEDED name or its path. It
// returns nil and 0 if the library is not an MPI library, and nil and C for a name without a version that
// several families have (libmpi.so).
func OfLibrary(name string) (*Family, Part) {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	if known, ok := libraries.Load(name); ok {
		return known.(library).family, known.(library).part
	}
	f, part := ofBase(name)
	libraries.Store(name, library{f, part})
	return f, part
}

// libraries holds what OfLibrary has found, by the base name: a decision asks for the same names
// again and again.
var libraries sync.Map

// library is an answer of OfLibrary.
type library struct {
	family *Family
	part   Part
}

// ofBase returns the result of OfLibrary for a base name.
func ofBase(name string) (*Family, Part) {
	name = bundled.ReplaceAllString(name, ".so")
	// Search backward: libmpifort_abi must match the standard ABI before MPICH.
	for _, f := range slices.Backward(All) {
		for _, p := range []struct {
			of   *pattern.Pattern
			part Part
		}{{f.c, C}, {f.fortran, Fortran}, {f.cxx, Cxx}, {f.old, OldC}} {
			if p.of != nil && p.of.MatchString(name) {
				return f, p.part
			}
		}
	}
	if owners := ofLinkName(name); len(owners) == 1 {
		return owners[0], C
	} else if len(owners) > 1 {
		return nil, C
	}
	return nil, 0
}

// ofLinkName returns the families of which a C library has the name of a file for the linker, which has no
// version (libmpi.so).
func ofLinkName(name string) (owners []*Family) {
	if !strings.HasPrefix(name, "lib") || !strings.HasSuffix(name, ".so") {
		return nil
	}
	for _, f := range All {
		if slices.ContainsFunc(slices.Concat(f.Sonames, f.Parts), func(soname string) bool {
			_, version, _ := strings.Cut(soname, ".so")
			return f.c.MatchString(name + version)
		}) {
			owners = append(owners, f)
		}
	}
	return owners
}

// PartIn returns the part that a library has in the family, by its DT_NEEDED name or its path. It returns 0
// if it is no library of the family. A name of several families counts, so the result is right only for the
// libraries of one of the family's programs.
func (f *Family) PartIn(name string) Part {
	if of, part := OfLibrary(name); of == f || of == nil {
		return part
	}
	return 0
}

// OfSymbols returns the family whose C library has a name of several families, such as libmpi.so, by the
// symbols that a program imports or copies. It returns nil if no symbol belongs to exactly one of them, or
// if symbols of several do.
func OfSymbols(name string, symbols iter.Seq[string]) (of *Family) {
	owners := ofLinkName(name)
	for symbol := range symbols {
		var only *Family
		n := 0
		for _, f := range owners {
			if f.hasOwn(symbol) {
				only = f
				n++
			}
		}
		switch {
		case n != 1:
		case of != nil && of != only:
			return nil
		default:
			of = only
		}
	}
	return of
}

// hasOwn reports whether a symbol that is no function of MPI belongs to the family's C library.
func (f *Family) hasOwn(symbol string) bool {
	return !IsC(symbol) && (symbol == f.mark || f.internal != nil && f.internal.MatchString(symbol) || f.Exports(symbol))
}

// OfExports returns the family of an MPI C library by the symbols that it defines, or nil if it is
// not an MPI library. defines reports whether the library defines a symbol.
func OfExports(soname string, defines func(symbol string) bool) *Family {
	// A profiling tool defines only MPI_Init.
	if !defines("MPI_Init") || !defines("PMPI_Init") {
		return nil
	}
	of, part := OfLibrary(soname)
	if of != nil && of.Standard && part == C {
		return of
	}
	for _, f := range All {
		if !f.Standard && defines(f.mark) { // newer libraries of other families define the standard ABI's mark as well
			return f
		}
	}
	if of != nil && part == C {
		return of
	}
	return MPICH // most unknown libraries are derived from MPICH
}

// Older returns the family that formerly used the soname name, which is now this family's, if the
// program has the mark symbol of that family; else nil. has reports whether the program has a
// symbol.
func (f *Family) Older(name string, has func(symbol string) bool) *Family {
	for _, other := range All {
		if other != f && other.old != nil && other.old.MatchString(name) && has(other.mark) {
			return other
		}
	}
	return nil
}

// fortranName and cName match the names of MPI functions in the Fortran bindings and in C.
var (
	fortranName = pattern.New(`^p?mpix?_\w+?_{1,2}$|^P?MPIX?_[A-Z_]+$|^p?mpix?_\w+_f(08|90)\w*_$|^(__mpi_(f08_)?(types|callbacks|constants|sizeofs)_MOD_|_QMmpi_(f08_)?(types|callbacks|constants|sizeofs)P)[a-z]`)
	cName       = pattern.New(`^P?MPIX?_[A-Z]([a-z0-9_]|T_)|^P?MPI_T_[a-z]`)
)

// IsPrivate reports whether a library belongs to the core libraries below the family's C library.
func (f *Family) IsPrivate(name string) bool { return f.private != nil && f.private.MatchString(name) }

// IsC reports whether symbol is an MPI function of the C binding (MPI_Send, PMPI_Send,
// MPI_T_init_thread, MPIX_Query_cuda_support).
func IsC(symbol string) bool {
	if !strings.HasPrefix(symbol, "MPI") && !strings.HasPrefix(symbol, "PMPI") {
		return false // most symbols; quicker than the pattern
	}
	return cName.MatchString(symbol) && !strings.HasSuffix(symbol, "_f08_")
}

// IsFortran reports whether symbol is an MPI function of a Fortran binding, in any of the usual
// manglings: mpi_send_, mpi_send__, MPI_SEND. It also recognizes procedures inside the Fortran
// modules, as gfortran names them (__mpi_f08_types_MOD_ompi_comm_op_eq) or flang does
// (_QMmpi_f08_typesPompi_comm_op_eq).
func IsFortran(symbol string) bool {
	plain := strings.TrimLeft(symbol, "pP_Q")
	if !strings.HasPrefix(plain, "mpi") && !strings.HasPrefix(plain, "Mmpi") && !strings.HasPrefix(plain, "MPI") {
		return false // most symbols; quicker than the pattern
	}
	return fortranName.MatchString(symbol) && !IsData(symbol)
}

// IsCxx reports whether symbol belongs to the C++ binding (namespace MPI).
func IsCxx(symbol string) bool {
	return strings.HasPrefix(symbol, "_ZN3MPI") || strings.HasPrefix(symbol, "_ZNK3MPI") ||
		strings.HasPrefix(symbol, "_ZTVN3MPI") || strings.HasPrefix(symbol, "_ZTIN3MPI")
}

// IsData reports whether symbol is a data symbol: of the MPICH family, with a name that looks like
// upper-case Fortran, or of Open MPI for Fortran (mpi_fortran_bottom_).
func IsData(symbol string) bool {
	if strings.HasPrefix(symbol, "mpi_fortran_") {
		return true
	}
	switch symbol {
	case "MPI_UNWEIGHTED", "MPI_WEIGHTS_EMPTY", "MPI_F_STATUS_IGNORE", "MPI_F_STATUSES_IGNORE",
		"MPI_F08_STATUS_IGNORE", "MPI_F08_STATUSES_IGNORE", "MPI_T_PVAR_ALL_HANDLES":
		return true
	}
	return false
}

// IsMPI reports whether the family's C library is expected to define symbol. This covers the
// functions and data of MPI, and the library's own functions and data outside MPI.
func (f *Family) IsMPI(symbol string) bool {
	if IsC(symbol) || IsData(symbol) || f.internal != nil && f.internal.MatchString(symbol) {
		return true
	}
	return f.Exports(symbol)
}

// Exports reports whether some version of the family's C library exports symbol, in addition to the
// symbols in abi/*.json.
func (f *Family) Exports(symbol string) bool {
	_, exported := f.exports()[symbol]
	return exported
}

// IsOwnFunction reports whether symbol is a function that the family's C library exports and that
// is not part of MPI.
func (f *Family) IsOwnFunction(symbol string) bool {
	return !IsC(symbol) && f.Exports(symbol) && !f.exports()[symbol].Data
}
