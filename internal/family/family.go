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

	"wi4go/abi"
)

// A Family is one ABI that MPI programs are compiled against.
type Family struct {
	Name    string   // as the user writes it: openmpi, mpich, mpiabi
	Title   string   // as a sentence has it
	Sonames []string // of the C library, those a front can carry; the usual one first
	Layer   string   // the soname of our Fortran library; "" where there is none yet

	c, old, fortran, cxx *regexp.Regexp // of DT_NEEDED names
	private              *regexp.Regexp // libraries below the C library, of which a process can have one version only
}

// The families, in the order in which messages list them.
var (
	OpenMPI = &Family{
		Name: "openmpi", Title: "Open MPI",
		Sonames: abi.Sonames("openmpi"), Layer: "libmpi_mpifh.so.40",
		c:       regexp.MustCompile(`^libmpi\.so\.40(\.|$)`),
		old:     regexp.MustCompile(`^libmpi\.so\.(0|1|20)(\.|$)`),
		fortran: regexp.MustCompile(`^libmpi_(mpifh|usempi\w*|f77|f90)(-\w+)?\.so`),
		cxx:     regexp.MustCompile(`^libmpi_cxx\.so`),
		private: regexp.MustCompile(`^libopen-(pal|rte)\.so`),
	}
	MPICH = &Family{
		Name: "mpich", Title: "MPICH",
		Sonames: abi.Sonames("mpich"), Layer: "libmpifort.so.12",
		c:       regexp.MustCompile(`^libmpi(ch|_(cray|gnu|intel|amd|aocc|nvidia|pgi|allinea)\w*)?\.so\.12(\.|$)`),
		old:     regexp.MustCompile(`^(libmpich\.so\.(1|3|8|10)|libmpi\.so\.4)(\.|$)`),
		fortran: regexp.MustCompile(`^lib(mpifort\w*|mpichfort|mpichf90|fmpich)\.so`),
		cxx:     regexp.MustCompile(`^lib(mpicxx|mpichcxx)\.so`),
	}
	StandardABI = &Family{
		Name: "mpiabi", Title: "MPI standard ABI",
		Sonames: abi.Sonames("mpiabi"),
		c:       regexp.MustCompile(`^libmpi_abi\.so\.1(\.|$)`),
		old:     regexp.MustCompile(`^libmpi_abi\.so\.0(\.|$)`),
		fortran: regexp.MustCompile(`^libmpifort_abi\.so`),
		cxx:     regexp.MustCompile(`^$`),
	}
	All = []*Family{OpenMPI, MPICH, StandardABI}
)

func (f *Family) String() string { return f.Name }

// vendors have an ABI that is called by another name.
var vendors = map[string]*Family{"intelmpi": MPICH, "mvapich": MPICH, "cray-mpich": MPICH}

// otherNames are what people and modules call the families and vendors besides.
var otherNames = map[string]string{
	"ompi": "openmpi", "open-mpi": "openmpi", "impi": "intelmpi", "intel": "intelmpi", "intel-mpi": "intelmpi",
	"mvapich2": "mvapich", "cray": "cray-mpich", "craympich": "cray-mpich", "abi": "mpiabi", "mpi-abi": "mpiabi",
}

// Usual is the name that we use of a family or a vendor that somebody has called
// by another one, in any case; a name that is not known comes back as it is.
func Usual(name string) string {
	lower := strings.ToLower(name)
	if usual, ok := otherNames[lower]; ok {
		return usual
	}
	if _, vendor := vendors[lower]; vendor || slices.ContainsFunc(All, func(f *Family) bool { return f.Name == lower }) {
		return lower
	}
	return name
}

// Of finds the family called name, or that of the vendor of that name; the
// error names all families.
func Of(name string) (*Family, error) {
	name = Usual(name)
	if f := vendors[name]; f != nil {
		return f, nil
	}
	var names []string
	for _, f := range All {
		if f.Name == name {
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

// OfLibrary tells whose library a DT_NEEDED name is; a nil family means that
// it is no MPI library.
func OfLibrary(name string) (*Family, Part) {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	// libmpifort_abi is the standard ABI's before it is MPICH's.
	for _, f := range []*Family{StandardABI, OpenMPI, MPICH} {
		switch {
		case f.c.MatchString(name):
			return f, C
		case f.fortran.MatchString(name):
			return f, Fortran
		case f.cxx.MatchString(name):
			return f, Cxx
		case f.old.MatchString(name):
			return f, OldC
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
	if f, part := OfLibrary(soname); f == StandardABI && part == C {
		return StandardABI
	}
	if defines(OpenMPISymbol) {
		return OpenMPI
	}
	return MPICH
}

// OpenMPISymbol is a data symbol that every Open MPI defines and every
// program that uses MPI_COMM_WORLD of Open MPI imports; no other MPI has it.
const OpenMPISymbol = "ompi_mpi_comm_world"

var (
	fortranName = regexp.MustCompile(`^p?mpix?_\w+?_{1,2}$|^P?MPIX?_[A-Z_]+$|^p?mpix?_\w+_f(08|90)\w*_$|^__mpi_(f08_)?(types|callbacks|constants|sizeofs)_MOD_[a-z]`)
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
// gfortran makes it, __mpi_f08_types_MOD_ompi_comm_op_eq.
func IsFortran(symbol string) bool {
	return fortranName.MatchString(symbol) && !IsData(symbol)
}

// IsCxx says whether symbol belongs to the C++ binding (namespace MPI).
func IsCxx(symbol string) bool {
	return strings.HasPrefix(symbol, "_ZN3MPI") || strings.HasPrefix(symbol, "_ZNK3MPI") ||
		strings.HasPrefix(symbol, "_ZTVN3MPI") || strings.HasPrefix(symbol, "_ZTIN3MPI")
}

// IsData says whether symbol is a data symbol of the MPICH family, whose
// names look like upper-case Fortran.
func IsData(symbol string) bool {
	switch symbol {
	case "MPI_UNWEIGHTED", "MPI_WEIGHTS_EMPTY", "MPI_F_STATUS_IGNORE", "MPI_F_STATUSES_IGNORE",
		"MPI_F08_STATUS_IGNORE", "MPI_F08_STATUSES_IGNORE", "MPI_T_PVAR_ALL_HANDLES":
		return true
	}
	return false
}

// IsMPI says whether symbol is one that the family's C library itself is
// expected to define: functions, data, and the internals that its own C++ and
// Fortran libraries import.
func (f *Family) IsMPI(symbol string) bool {
	if IsC(symbol) || IsData(symbol) {
		return true
	}
	if f == OpenMPI {
		return strings.HasPrefix(symbol, "ompi_")
	}
	return strings.HasPrefix(symbol, "MPII_") || strings.HasPrefix(symbol, "MPIR_")
}
