// Package family names the MPI ABI families and tells them apart by the names
// that libraries and symbols carry: which soname is whose, which libraries
// hold a family's Fortran and C++ bindings, which symbol only that family has.
//
// It must not know of files, processes or launchers: names in, names out.
package family

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"wi4go/abi"
)

// A Family is one ABI that MPI programs are compiled against.
type Family struct {
	Name    string   // as the user writes it: that of its file in abi/
	Title   string   // as a sentence has it
	Sonames []string // of the C library, those a front can carry; the usual one first
	Parts   []string // of a C library that a release has divided, what programs name beside it; fronts are all of it
	Layer   string   // the soname of our Fortran library; "" where there is none yet
	Fortran []string // of the Fortran libraries whose place that takes, itself first
	Cxx     []string // of the C++ libraries

	Standard            bool // its ABI is the standard's
	Draft               bool // there are libraries and programs of it with the numbers of a draft
	GlobalScope         bool // its libraries are in the global scope of a process once they are loaded
	FortranReadsObjects bool // its Fortran library looks behind handles, and cannot run over a front

	Spawn abi.Spawn // how the processes that its programs spawn get variables, where they need not have ours

	Launcher string  // the name of the launcher that starts its programs
	Manager  Manager // and what its processes ask for their rank

	Signs         []string          // variables that its launcher sets, and wi4go never
	RankVariables abi.RankVariables // by which its launcher gives each process its rank; empty: another family's launcher starts its programs
	Answered      []string          // functions of its C library's own that its front answers

	Vendors []abi.Vendor // who makes its libraries; the first is the one whose name it has
	Plugins []string     // the directories, beside a library, that its plugins may be in

	exports func() map[string]abi.Export // what its C libraries export beside the symbols of abi/*.json

	mark                                    string         // a symbol of its C library
	c, old, fortran, cxx, private, internal *regexp.Regexp // of DT_NEEDED names and of symbols, as abi/*.json has them; nil: none
}

// Manager is what a process manager speaks with the processes that it starts.
type Manager string

// The languages that there are.
const (
	PMI  Manager = "PMI" // PMI-1 and PMI-2
	PMIx Manager = "PMIx"
)

// The families in the order in which messages list them; those that there are besides
// come behind. Only tests ask for one by name.
var (
	OpenMPI     = read("openmpi")
	MPICH       = read("mpich")
	StandardABI = read(abi.Standard())
)

// All are the families that there is a file of in abi/, in the order in which messages
// list them.
var All = all()

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

// read makes a family from the head of its file, which is compiled in.
func read(name string) *Family {
	head, err := abi.Head(name)
	if err != nil {
		panic(err)
	}
	pattern := func(text string) *regexp.Regexp {
		if text == "" {
			return nil
		}
		return regexp.MustCompile(text)
	}
	library := func(part string) *regexp.Regexp { return pattern(head.Libraries[part]) }
	f := &Family{
		Name: name, Title: head.Title, Sonames: head.Sonames["c"], Parts: head.Sonames["parts"], Cxx: head.Sonames["cxx"],
		Standard: head.Traits.Standard, Draft: head.Traits.Draft, GlobalScope: head.Traits.GlobalScope, FortranReadsObjects: head.Traits.FortranReadsObjects,
		Spawn:    head.Traits.Spawn,
		Launcher: head.Launcher.Kind, Manager: Manager(head.Launcher.Manager), Signs: head.Launcher.Signs,
		RankVariables: head.Launcher.RankVariables, Plugins: head.Plugins, Answered: head.Answered,
		Vendors: head.Vendors, mark: head.Mark, internal: pattern(head.Internal),
		c: library("c"), old: library("old"), fortran: library("fortran"), cxx: library("cxx"), private: library("private"),
	}
	f.exports = sync.OnceValue(func() map[string]abi.Export {
		exports, err := abi.Exports(name) // compiled in, too
		if err != nil {
			panic(err)
		}
		return exports
	})
	if len(head.Fortran.Layer) > 0 {
		f.Fortran = head.Sonames["fortran"]
		f.Layer = f.Fortran[0]
	}
	return f
}

func (f *Family) String() string { return f.Name }

// InterfaceFortran is the Fortran library behind our mpifort, which stands over the front
// of the standard ABI alone: a program finds it by itself, and nothing takes its place.
const InterfaceFortran = "libwi4go_fortran.so.1"

// Usual is the name that we use of a family or a vendor that somebody has called
// by another one, in any case; a name that is not known comes back as it is.
func Usual(name string) string {
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

// Alike says whether a word is another one but for a slip of the fingers: one letter too
// many, too few or wrong, two that have changed places.
func Alike(a, b string) bool {
	if a == b {
		return true
	}
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	a, b = a[n:], b[n:]
	switch len(a) - len(b) {
	case -1:
		return a == b[1:]
	case 1:
		return a[1:] == b
	case 0:
		return a[1:] == b[1:] || len(a) > 1 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
	}
	return false
}

// Of finds the family called name, or that of the vendor of that name; the
// error names all families.
func Of(name string) (*Family, error) {
	name = Usual(name)
	var names []string
	for _, f := range All {
		if f.Name == name || slices.ContainsFunc(f.Vendors, func(v abi.Vendor) bool { return v.Name == name }) {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return nil, fmt.Errorf("unknown MPI family %q: the families are %s", name, strings.Join(names, ", "))
}

// Part is what a library holds for its family.
type Part int

// The parts of an MPI.
const (
	C       Part = iota + 1
	OldC         // the C library under a soname that no front carries
	Fortran      // its Fortran bindings
	Cxx          // its C++ bindings
)

// bundled is the hash that auditwheel puts into the name of a library that a Python wheel
// brings along: libmpi-0a1b2c3d.so.12.
var bundled = regexp.MustCompile(`-[0-9a-f]{4,}\.so`)

// OfLibrary returns the family and the part of the library that a DT_NEEDED name, or a
// path, names; a nil family means that it is no MPI library.
func OfLibrary(name string) (*Family, Part) {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	name = bundled.ReplaceAllString(name, ".so")
	// libmpifort_abi is the standard ABI's before it is MPICH's.
	for _, f := range slices.Backward(All) {
		for _, p := range []struct {
			of   *regexp.Regexp
			part Part
		}{{f.c, C}, {f.fortran, Fortran}, {f.cxx, Cxx}, {f.old, OldC}} {
			if p.of != nil && p.of.MatchString(name) {
				return f, p.part
			}
		}
	}
	return nil, 0
}

// OfExports tells the family of an MPI C library by what it defines; nil
// means that it is no MPI library. defines answers for one symbol.
func OfExports(soname string, defines func(symbol string) bool) *Family {
	// A profiling tool defines MPI_Init alone.
	if !defines("MPI_Init") || !defines("PMPI_Init") {
		return nil
	}
	of, part := OfLibrary(soname)
	if of != nil && of.Standard && part == C {
		return of
	}
	for _, f := range All {
		if !f.Standard && defines(f.mark) { // which newer ones of other families have as well
			return f
		}
	}
	if of != nil && part == C {
		return of
	}
	return MPICH // as most that are not known are
}

// Older is the family that had the name of this one's C library in former times, told
// by the mark of it; nil where that is not so. has answers for one symbol of a program.
func (f *Family) Older(name string, has func(symbol string) bool) *Family {
	for _, other := range All {
		if other != f && other.old != nil && other.old.MatchString(name) && has(other.mark) {
			return other
		}
	}
	return nil
}

var (
	fortranName = regexp.MustCompile(`^p?mpix?_\w+?_{1,2}$|^P?MPIX?_[A-Z_]+$|^p?mpix?_\w+_f(08|90)\w*_$|^(__mpi_(f08_)?(types|callbacks|constants|sizeofs)_MOD_|_QMmpi_(f08_)?(types|callbacks|constants|sizeofs)P)[a-z]`)
	cName       = regexp.MustCompile(`^P?MPIX?_[A-Z]([a-z0-9_]|T_)|^P?MPI_T_[a-z]`)
)

// IsPrivate says whether name is a library below the family's C library.
func (f *Family) IsPrivate(name string) bool { return f.private != nil && f.private.MatchString(name) }

// IsC says whether symbol is an MPI function of the C binding (MPI_Send,
// PMPI_Send, MPI_T_init_thread, MPIX_Query_cuda_support).
func IsC(symbol string) bool {
	return cName.MatchString(symbol) && !strings.HasSuffix(symbol, "_f08_")
}

// IsFortran says whether symbol is an MPI function of a Fortran binding, by
// the manglings in use: mpi_send_, mpi_send__, MPI_SEND; and of the modules' own, as
// gfortran makes it, __mpi_f08_types_MOD_ompi_comm_op_eq, or flang, _QMmpi_f08_typesPompi_comm_op_eq.
func IsFortran(symbol string) bool {
	return fortranName.MatchString(symbol) && !IsData(symbol)
}

// IsCxx says whether symbol belongs to the C++ binding (namespace MPI).
func IsCxx(symbol string) bool {
	return strings.HasPrefix(symbol, "_ZN3MPI") || strings.HasPrefix(symbol, "_ZNK3MPI") ||
		strings.HasPrefix(symbol, "_ZTVN3MPI") || strings.HasPrefix(symbol, "_ZTIN3MPI")
}

// IsData says whether symbol is a data symbol of the MPICH family, whose
// names look like upper-case Fortran, or one of Open MPI's for Fortran (mpi_fortran_bottom_).
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

// IsMPI reports whether the family's C library itself is expected to define symbol:
// functions, data, and its own functions and data, which are no part of MPI.
func (f *Family) IsMPI(symbol string) bool {
	if IsC(symbol) || IsData(symbol) || f.internal != nil && f.internal.MatchString(symbol) {
		return true
	}
	return f.Exports(symbol)
}

// Exports reports whether some version of the family's C library exports symbol beside what
// abi/*.json names.
func (f *Family) Exports(symbol string) bool {
	_, exported := f.exports()[symbol]
	return exported
}

// IsOwnFunction reports whether symbol is a function of the family's C library that is no
// part of MPI.
func (f *Family) IsOwnFunction(symbol string) bool {
	return !IsC(symbol) && f.Exports(symbol) && !f.exports()[symbol].Data
}
