// Package program finds out which MPI a program was built for. It reads the program's ELF file and
// the libraries that the program loads. If the program is a script or a wrapper, it follows the
// script or wrapper to the program that it would start.
//
// It must not know which MPI libraries are installed, nor how a program is launched, and it runs
// nothing.
package program

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/ldso"
	"wi4go/internal/pattern"
)

// ErrNotMPI is the error for a program that needs no MPI library, neither itself nor through the
// libraries that it loads.
var ErrNotMPI = fault.New("program-not-mpi", "",
	"not an MPI program: neither the program nor its libraries need an MPI library")

// ErrNotDynamic is the error for a static program, whose libraries cannot be replaced.
var ErrNotDynamic = fault.New("program-static", "link the program with the shared MPI library",
	"statically linked: if it contains an MPI library, wi4go cannot replace it")

// ErrStatic is the error for a static program that contains no MPI library.
var ErrStatic error = fault.New("program-static", "if it starts an MPI program, give that program's family with --from",
	"statically linked, and not an MPI program")

// ErrUnversioned is the error for a program that needs a library by a name without a version that several
// families have, and none of whose symbols belongs to one of them.
var ErrUnversioned = fault.New("program-unknown", "give the program's family with --from",
	"a name without a version, which libraries of several MPI families have, and its symbols do not show which")

// ErrHasFront is the error for a program that has a wi4go front linked into it.
var ErrHasFront = fault.New("program-static", "start it with wi4go's mpiexec, or under any launcher",
	"linked with -static-mpi: it contains wi4go, and WI4GO_TO or the launcher selects the MPI library")

// ErrContainsMPI is the error for a program that has a wi4go front and an MPI library linked into it.
var ErrContainsMPI = fault.New("program-static", "start it with `wi4go run` without --to and WI4GO_TO, or link it without -static and -static-mpi=NAME",
	"it contains its MPI library and runs on no other")

// containedSection is the section of a front with the name and version of the MPI library that is linked with it
// (shim/front/linked.c).
const containedSection = ".wi4go.contained"

// emulatedSection is the section of a front that lists the functions that the front emulates.
const emulatedSection = ".wi4go.emulated"

// A Program is an executable, or a library that an interpreter opens, and its requirements of MPI.
type Program struct {
	Path       string
	AlsoOpened []string       // further libraries that the interpreter opens if Path is a module
	Via        []string       // the scripts and wrappers on the way to it, outermost first
	Family     *family.Family // the family that it was built for
	Tree       *ldso.Tree
	// Overwritten lists the variables (LD_PRELOAD, LD_LIBRARY_PATH, LD_AUDIT) that the scripts and
	// wrappers overwrite or remove.
	Overwritten []string

	// Contains is the name and version of the MPI library that is linked into it, or "" if it opens its library.
	Contains string

	// MPI4PyABI is the value of the variable MPI4PY_MPIABI that selects this program, if it is one
	// of several extensions of mpi4py; else "".
	MPI4PyABI string

	Sonames []string // the family's C libraries that it and its libraries need
	Fortran []string // the family's Fortran libraries that they need
	Cxx     []string // the family's C++ libraries that they need
	Copies  []string // MPI's data symbols of which the program holds copies

	Functions        []string // MPI functions of the C binding that they import, sorted
	FortranFunctions []string // functions of a Fortran binding that they import but do not define, sorted
	OwnFunctions     []string // functions of the C library that they import and that are not part of MPI, sorted
	UsesCxx          bool     // they import symbols of namespace MPI that they do not define
}

// Read reads the program at path. It returns an error if the file is not ELF (elfobj.ErrNotELF) or
// not dynamic (ErrNotDynamic), if it is not an MPI program (ErrNotMPI), if it contains a front
// (ErrHasFront) or an MPI library (ErrContainsMPI), if it needs two families at once, or if its ABI is too old. Together with an
// error about the MPI that it was built for, Read also returns the Program.
func Read(path string, search ldso.Search) (*Program, error) {
	return ReadAll([]string{path}, search)
}

// ReadAll reads a program that consists of several files. The first file is the program, or a
// module that an interpreter opens. The others are libraries that the interpreter opens in
// addition.
func ReadAll(files []string, search ldso.Search) (*Program, error) {
	return read(&Program{Path: files[0], AlsoOpened: files[1:]}, search)
}

// ReadAs reads the program that a command names in directory dir. If the program needs a library by a name
// that several families have (ErrUnversioned), it is of family f.
func ReadAs(command, dir string, search ldso.Search, f *family.Family) (*Program, error) {
	path, err := LookPath(command, dir)
	if err != nil {
		return nil, err
	}
	return read(&Program{Path: path, Family: f}, search)
}

// read reads the files of p. p has a family only if the user has named it.
func read(p *Program, search ldso.Search) (*Program, error) {
	path := p.Path
	tree, err := p.Load(search)
	if errors.Is(err, fs.ErrPermission) {
		return nil, fault.New("program-unreadable", "chmod +r it",
			"cannot read %s, to find the MPI that it was built for: permission denied", path)
	}
	if err != nil {
		return nil, err
	}
	p.Tree = tree
	// Drop files that another one loads already.
	p.AlsoOpened = slices.DeleteFunc(slices.Clone(p.AlsoOpened), func(file string) bool {
		return !slices.ContainsFunc(tree.Nodes, func(n *ldso.Node) bool { return n.Name == file })
	})
	if contained := elfobj.Section(path, containedSection); contained != nil {
		p.Family, p.Contains = family.Interface, strings.TrimRight(string(contained), "\x00")
		return p, fmt.Errorf("%s: %w", path, ErrContainsMPI)
	}
	if !tree.Nodes[0].Dynamic {
		return nil, fmt.Errorf("%s: %w", path, ErrNotDynamic)
	}
	err = p.findFamily()
	if errors.Is(err, ErrNotMPI) && elfobj.Section(path, emulatedSection) != nil {
		err = ErrHasFront
	}
	if err != nil {
		return p, fmt.Errorf("%s: %w", path, err)
	}
	p.findSymbols()
	return p, nil
}

// Load returns the tree of libraries that the program loads. It includes the modules that a script
// opens, except modules whose soname is already loaded.
func (p *Program) Load(search ldso.Search) (*ldso.Tree, error) {
	tree, err := search.Load(p.Path)
	if err != nil {
		return nil, err
	}
	for _, file := range p.AlsoOpened {
		opened, err := search.Open(tree, file)
		if err != nil {
			continue // the interpreter cannot open it either
		}
		if len(opened.Nodes) > 0 && (opened.Nodes[0].Soname == "" || tree.Find(opened.Nodes[0].Soname) == nil) {
			tree.Nodes = append(tree.Nodes, opened.Nodes...)
			tree.Missing = append(tree.Missing, opened.Missing...)
		}
	}
	return tree, nil
}

// IsModule reports whether the program is a library that an interpreter opens.
func (p *Program) IsModule() bool { return p.Tree.Nodes[0].Interp == "" }

// MayImportMPI4Py reports whether a script or an interpreter leads to the program, so that a Python may
// import an mpi4py that wi4go has not found.
func (p *Program) MayImportMPI4Py() bool {
	interpreted := func(file string) bool { return isInterpreter(file) || notELF(file) }
	return slices.ContainsFunc(p.Via, interpreted) && !slices.ContainsFunc(append(p.AlsoOpened, p.Path), inMPI4Py)
}

// findFamily determines the program's family from the names of the libraries that it needs, and
// stores the names. It returns an error if there is no family, or more than one, or a family whose
// ABI is too old.
func (p *Program) findFamily() error {
	var unclear []string // names that several families have
	for _, n := range p.Tree.Nodes {
		for _, name := range n.Needed {
			f, part := family.OfLibrary(name)
			if f == nil && part == family.C {
				unclear = appendBase(unclear, name)
			}
			if f == nil {
				continue
			}
			if err := p.addLibrary(n, name, f, part); err != nil {
				return err
			}
		}
	}
	for _, name := range unclear {
		f := family.OfSymbols(name, p.symbols())
		switch {
		case f == nil && p.Family == nil:
			return fmt.Errorf("it needs %s, %w", name, ErrUnversioned)
		case f == nil:
			f = p.Family
		}
		if err := p.addLibrary(p.Tree.Nodes[0], name, f, family.C); err != nil {
			return err
		}
	}
	if p.Family == nil {
		return ErrNotMPI
	}
	return nil
}

// addLibrary stores the name of a library that an object needs: a part of a family. It returns an error if
// the library's ABI is too old, or if it is not of the family of the libraries that are stored.
func (p *Program) addLibrary(n *ldso.Node, name string, f *family.Family, part family.Part) error {
	if older := f.Older(name, p.hasSymbol); part == family.C && older != nil {
		f, part = older, family.OldC // libmpi.so.12 was also the soname of Open MPI 1.10
	}
	if part == family.OldC {
		return fault.New("program-old-abi", "build it with a current MPI library",
			"%s needs %s, the library of an old %s, which wi4go does not support", n.Name, name, f.Title)
	}
	if p.Family != nil && p.Family != f {
		return fault.New("two-mpis", "build all of it with one MPI",
			"it was built for two MPI families: %s (%s) and %s (%s, needed by %s)", p.Family.Title, strings.Join(p.needed(), ", "), f.Title, name, n.Name)
	}
	p.Family = f
	switch part {
	case family.C:
		p.Sonames = appendBase(p.Sonames, name)
	case family.Fortran:
		p.Fortran = appendBase(p.Fortran, name)
	case family.Cxx:
		p.Cxx = appendBase(p.Cxx, name)
	}
	return nil
}

// symbols yields the symbols that the program and its libraries, except MPI libraries, import or copy.
func (p *Program) symbols() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, n := range p.objects() {
			for _, s := range n.Imports {
				if !yield(s.Name) {
					return
				}
			}
			for _, name := range n.Copies {
				if !yield(name) {
					return
				}
			}
		}
	}
}

// Draft describes why a program with DraftFunctions may use the numbers of a draft.
const Draft = "linked by the wrapper of an unknown release of Intel MPI, whose mpi.h may have constants of a draft of the standard ABI for " +
	"MPI_ERRORS_RETURN, MPI_ERRORS_ABORT, MPI_SEEK_SET, _CUR and _END, and for attributes"

// takesDraftNumbers matches the functions that take constants which the draft numbers differently.
var takesDraftNumbers = pattern.New(`^P?MPI_(\w+_set_errhandler|Errhandler_set|File_seek(_shared)?|(Comm_get_attr|Attr_get))$`)

// ByIntel reports whether Intel MPI's compiler wrapper linked the program. The only trace of the
// wrapper is the search path that it stores.
func (p *Program) ByIntel() bool {
	main := p.Tree.Nodes[0]
	dirs := slices.Concat(main.RunPath, main.RPath)
	return slices.ContainsFunc(dirs, func(dir string) bool {
		parent, release := strings.CutSuffix(dir, "/release")
		return release && slices.Contains(dirs, parent)
	})
}

// DraftFunctions returns the functions through which the program would pass numbers of a draft of
// the standard ABI. These numbers mean something else to all libraries except Intel's own for that
// ABI.
func (p *Program) DraftFunctions() []string {
	var names []string
	for _, name := range p.Functions {
		if takesDraftNumbers.MatchString(name) {
			names = append(names, name)
		}
	}
	return names
}

// hasSymbol reports whether the program or one of its libraries imports a symbol, or copies it, as
// programs do with data.
func (p *Program) hasSymbol(symbol string) bool {
	return slices.ContainsFunc(p.Tree.Nodes, func(n *ldso.Node) bool {
		return slices.Contains(n.Copies, symbol) ||
			slices.ContainsFunc(n.Imports, func(s elfobj.Symbol) bool { return s.Name == symbol })
	})
}

// needed returns all libraries of the family that the program needs.
func (p *Program) needed() []string { return slices.Concat(p.Sonames, p.Fortran, p.Cxx) }

// Needed returns the family's C libraries that the program needs. If neither the program nor those
// of its libraries that are on this machine name any, it returns the family's other libraries.
func (p *Program) Needed() []string {
	if len(p.Sonames) > 0 {
		return p.Sonames
	}
	return p.needed()
}

// objects returns the loaded objects except the family's own libraries.
func (p *Program) objects() []*ldso.Node {
	var list []*ldso.Node
	for _, n := range p.Tree.Nodes {
		if _, part := family.OfLibrary(n.Name); part == 0 || n.Loader == nil {
			list = append(list, n)
		}
	}
	return list
}

// findSymbols stores the symbols of the family that the program and its libraries import or copy.
func (p *Program) findSymbols() {
	objects := p.objects()
	for _, n := range objects {
		for _, s := range n.Imports {
			switch {
			case family.IsCxx(s.Name):
				p.UsesCxx = p.UsesCxx || !slices.ContainsFunc(objects, func(o *ldso.Node) bool { return o.Defines(s.Name) })
			case family.IsData(s.Name):
			case family.IsC(s.Name):
				p.Functions = append(p.Functions, s.Name)
			case family.IsFortran(s.Name) && !s.Weak && !slices.ContainsFunc(objects, func(o *ldso.Node) bool { return o.Defines(s.Name) }):
				p.FortranFunctions = append(p.FortranFunctions, s.Name)
			case !s.Weak && !p.definedElsewhere(s.Name, p.Tree.Nodes) && p.Family.IsOwnFunction(s.Name):
				p.OwnFunctions = append(p.OwnFunctions, s.Name)
			}
		}
	}
	for _, s := range p.Tree.Nodes[0].Copies {
		if p.Family.IsMPI(s) {
			p.Copies = append(p.Copies, s)
		}
	}
	slices.Sort(p.Functions)
	p.Functions = slices.Compact(p.Functions)
	slices.Sort(p.OwnFunctions)
	p.OwnFunctions = slices.Compact(p.OwnFunctions)
	slices.Sort(p.FortranFunctions)
	p.FortranFunctions = slices.Compact(p.FortranFunctions)
}

// Languages returns the names of the MPI bindings in use: C, Fortran, C++.
func (p *Program) Languages() []string {
	var l []string
	if len(p.Functions) > 0 {
		l = append(l, "C")
	}
	if len(p.FortranFunctions) > 0 {
		l = append(l, "Fortran")
	}
	if len(p.Cxx) > 0 || p.UsesCxx {
		l = append(l, "C++")
	}
	return l
}

// CheckMachine returns an error if the program is for another machine.
func (p *Program) CheckMachine() error {
	if m, host := p.Tree.Nodes[0].Machine, elfobj.HostMachine(); m != host {
		return fault.New("program-machine", "build it for this machine", "%s is for %s, this machine is %s",
			p.Path, elfobj.MachineName(m), elfobj.MachineName(host))
	}
	return nil
}

// Unserved returns the Fortran functions of the program that wi4go's Fortran library for its family
// cannot serve. The library does not have them, or not for the program's compiler. library reports
// whether the library defines a symbol.
func (p *Program) Unserved(library func(string) bool) []string {
	other := sync.OnceValue(p.otherDescriptors)
	return slices.DeleteFunc(slices.Clone(p.FortranFunctions), func(name string) bool {
		return library(name) && (!descriptors.MatchString(name) || other() == "")
	})
}

// descriptors matches functions with choice buffers passed as descriptors. The layout of
// descriptors depends on the compiler.
var descriptors = pattern.New(`_f08ts_`)

// otherCompilers matches the run-time libraries of compilers, and of gfortran before release 8,
// whose descriptors differ from the descriptors in wi4go's Fortran library.
var otherCompilers = pattern.New(`^lib(ifcore\w*|ifport|nvf|pgf90|flang|flang_rt\.runtime|FortranRuntime|craylibs|f|nagf\w*)\.so|^libgfortran\.so\.[1-4](\.|$)`)

// flangInside is a string in flang's run-time library, which usually is linked into the program.
var flangInside = []byte("fatal Fortran runtime error")

// otherDescriptors returns the reason why wi4go cannot assume that the program's descriptors are in
// the layout of gfortran 8 and later, or "" if it can. It assumes this if at least one of the
// program's own objects needs libgfortran.so.5, none needs another compiler's library, and no
// object that passes descriptors contains flang's library.
func (p *Program) otherDescriptors() string {
	gfortran := false
	for _, n := range p.objects() {
		for _, name := range n.Needed {
			if otherCompilers.MatchString(name) {
				return fmt.Sprintf("it passes buffers as descriptors of the compiler of %s, but wi4go supports only gfortran 8 and later", name)
			}
			gfortran = gfortran || strings.HasPrefix(name, "libgfortran.so.5")
		}
		if slices.ContainsFunc(n.Imports, func(s elfobj.Symbol) bool { return descriptors.MatchString(s.Name) }) &&
			bytes.Contains(elfobj.Constants(n.Path), flangInside) {
			return fmt.Sprintf("%s passes buffers as descriptors of flang, but wi4go supports only gfortran 8 and later", n.Path)
		}
	}
	if !gfortran {
		return "it passes buffers as descriptors of an unknown compiler, because nothing in it needs libgfortran.so.5 (if it is gfortran, " +
			"link with -Wl,--no-as-needed -lgfortran)"
	}
	return ""
}

// CheckFortran returns an error if the program calls Fortran procedures that nothing can serve on
// another family. wi4go's Fortran library can if it has all of them. The family's own Fortran
// library can if it needs only symbols of the C library that the front has, and does not read the
// objects to which handles refer. front and library report whether the front and wi4go's Fortran
// library define a symbol.
//
// A program that is linked with the Fortran library but calls nothing in it passes. Programs get
// such links from numerical libraries, for example.
func (p *Program) CheckFortran(front, library func(string) bool) error {
	unserved := p.Unserved(library)
	if len(unserved) == 0 {
		return nil
	}
	object := p.Path
	for _, n := range p.objects() {
		if slices.ContainsFunc(n.Imports, func(s elfobj.Symbol) bool { return s.Name == unserved[0] }) {
			object = n.Path
			break
		}
	}
	refused := func(format string, args ...any) error {
		return fault.New("fortran", fmt.Sprintf("run it on an %s (--to)", p.Family.Title),
			"%s calls Fortran MPI (%s …): %s", object, unserved[0], fmt.Sprintf(format, args...))
	}
	if p.MissingFortran() == family.InterfaceFortran {
		return fault.New("fortran", "add its directory, lib/wi4go/mpi/lib of an installation of wi4go, to LD_LIBRARY_PATH",
			"%s needs %s, but %s is not on this machine", object, unserved[0], family.InterfaceFortran)
	}
	if (p.Family.FortranReadsObjects || len(p.FortranInC()) > 0) && library(unserved[0]) {
		return refused("%s", p.otherDescriptors())
	}
	if p.Family.FortranReadsObjects || p.Family.FortranLibrary == "" {
		return refused("wi4go's Fortran library for %s programs does not have it", p.Family.Title)
	}
	if in := p.FortranInC(); len(in) > 0 {
		return refused("no library on this machine has %s", in[0])
	}
	for _, n := range p.Tree.Nodes {
		if _, part := family.OfLibrary(n.Name); part != family.Fortran {
			continue
		}
		for _, s := range n.Imports {
			if !s.Weak && !front(s.Name) && !p.definedElsewhere(s.Name, p.Tree.Nodes) && p.Family.IsMPI(s.Name) {
				return refused("%s needs %s of its own MPI, which wi4go does not have", n.Path, s.Name)
			}
		}
	}
	return nil
}

// sanitizer matches the library of AddressSanitizer. It ends a process if another library is loaded
// before it.
var sanitizer = pattern.New(`^lib(asan|clang_rt\.asan\S*)\.so`)

// IsSanitizer reports whether a file is that library.
func IsSanitizer(path string) bool { return sanitizer.MatchString(filepath.Base(path)) }

// Sanitizer returns the path of that library if the program loads it, else "".
func (p *Program) Sanitizer() string {
	for _, n := range p.Tree.Nodes[1:] {
		if IsSanitizer(n.Path) {
			return n.Path
		}
	}
	return ""
}

// FortranInC returns the Fortran functions that the program imports and that no library except the
// C library can define. Some MPIs have them there.
func (p *Program) FortranInC() []string {
	var in []string
	for _, name := range p.FortranFunctions {
		if !p.definedElsewhere(name, p.Tree.Nodes) {
			in = append(in, name)
		}
	}
	return in
}

// MissingFortran returns the first of the family's Fortran libraries that the program needs and
// that is not on this machine, or "" if none is missing.
func (p *Program) MissingFortran() string {
	for _, m := range p.Tree.Missing {
		if f, part := family.OfLibrary(m.Name); f == p.Family && part == family.Fortran {
			return m.Name
		}
	}
	return ""
}

// A Service lists how the MPI functions of the C binding that a program imports are served. Each
// list is sorted.
type Service struct {
	Native   []string // by the runtime itself
	Emulated []string // by the front, with other functions of the runtime or alone
	Missing  []string // not at all: a call fails with MPI_ERR_UNSUPPORTED_OPERATION
}

// An Emulation lists the functions that a front can serve without the runtime's own function.
type Emulation struct {
	// rows holds the ways to emulate each function, by the function's name.
	rows map[string][]emulation
}

// emulation is one way to emulate a function.
type emulation struct {
	runtime  string // the family that it applies to, or "*" for all
	requires string // the function that it requires, of the runtime or emulated by the front, or "-" for none
}

// ReadEmulation reads the table that the generator stores in a front's file (gen/emulated.go). A
// file without the table emulates nothing.
func ReadEmulation(front string) Emulation {
	e := Emulation{map[string][]emulation{}}
	table := elfobj.Section(front, emulatedSection)
	for _, line := range strings.FieldsFunc(string(table), func(r rune) bool { return r == '\n' || r == 0 }) {
		if row := strings.Fields(line); len(row) == 3 {
			e.rows[row[0]] = append(e.rows[row[0]], emulation{row[1], row[2]})
		}
	}
	return e
}

// serves reports whether the front emulates a function on a library of family of. defines reports
// whether that library defines a symbol.
func (e Emulation) serves(name string, of *family.Family, defines func(string) bool) bool {
	return slices.ContainsFunc(e.rows[name], func(row emulation) bool {
		return (row.runtime == "*" || row.runtime == of.Name) && (row.requires == "-" || definesFunction(row.requires, defines) || e.serves(row.requires, of, defines))
	})
}

// definesFunction reports whether a library has a function, under its name in the standard or under
// its earlier name with MPIX_.
func definesFunction(name string, defines func(string) bool) bool {
	return defines(name) || defines(strings.Replace(name, "MPI_", "MPIX_", 1))
}

// Service returns how the program's functions are served by a library of family of and by a front.
// defines reports whether the library defines a symbol.
func (p *Program) Service(of *family.Family, defines func(string) bool, front Emulation) (s Service) {
	for _, name := range p.Functions {
		function := strings.TrimPrefix(name, "P") // PMPI_Send is served like MPI_Send
		switch {
		case definesFunction(function, defines):
			s.Native = append(s.Native, name)
		case front.serves(function, of, defines):
			s.Emulated = append(s.Emulated, name)
		default:
			s.Missing = append(s.Missing, name)
		}
	}
	for _, name := range p.OwnFunctions { // not served: a call ends the program, or the program does not start
		if defines(name) {
			s.Native = append(s.Native, name)
		} else if front.serves(name, of, defines) {
			s.Emulated = append(s.Emulated, name)
		}
	}
	slices.Sort(s.Native)
	slices.Sort(s.Emulated)
	return s
}

// A MissingSymbol is a symbol that an object of a program imports and would not find.
type MissingSymbol struct {
	Name    string
	By      *ldso.Node // the object that imports it: the program or one of its libraries
	AtStart bool       // ld.so resolves it at the start, and ends the process without it
}

// MissingSymbols returns the symbols of the family's C library that the program and its libraries
// would not find if another library replaced the C library. defines reports whether the replacement
// has a symbol. fortran reports whether the program's Fortran library is loaded as well. bindNow
// reports whether ld.so binds everything at the start (LD_BIND_NOW).
func (p *Program) MissingSymbols(defines func(string) bool, fortran, bindNow bool) []MissingSymbol {
	var lacks []MissingSymbol
	for _, n := range p.Tree.Nodes {
		if _, part := family.OfLibrary(n.Name); (part == family.C || part == family.Fortran && !fortran || part == family.Cxx && !p.UsesCxx) && n.Loader != nil {
			continue
		}
		for _, s := range n.Imports {
			if !s.Weak && !defines(s.Name) && !p.definedElsewhere(s.Name, p.Tree.Nodes) && p.Family.IsMPI(s.Name) {
				lacks = append(lacks, MissingSymbol{s.Name, n, s.AtStart || n.BindNow || bindNow})
			}
		}
	}
	for _, name := range p.Copies { // the program defines these itself, but needs the original as well
		if !defines(name) && !p.definedElsewhere(name, p.Tree.Nodes[1:]) {
			lacks = append(lacks, MissingSymbol{name, p.Tree.Nodes[0], true})
		}
	}
	slices.SortStableFunc(lacks, func(a, b MissingSymbol) int { return strings.Compare(a.Name, b.Name) })
	return lacks
}

// Undefined returns the names of the symbols that the program would lack; see Lacks.
func (p *Program) Undefined(defines func(string) bool, fortran bool) []string {
	return Names(p.MissingSymbols(defines, fortran, false))
}

// Names returns the names of symbols, each once.
func Names(lacks []MissingSymbol) []string {
	var names []string
	for _, l := range lacks {
		names = append(names, l.Name)
	}
	return slices.Compact(names)
}

// UnusedCxx returns the family's C++ libraries that the program needs but that cannot be loaded with
// a C library, because they are not on this machine or import a symbol that nothing defines.
// defines reports whether the C library defines a symbol. If the program uses a C++ symbol, an
// empty library cannot replace them, and UnusedCxx returns nil.
func (p *Program) UnusedCxx(defines func(string) bool) []string {
	if p.UsesCxx {
		return nil
	}
	return p.Tree.Needs(func(name string) bool {
		f, part := family.OfLibrary(name)
		if f != p.Family || part != family.Cxx {
			return false
		}
		n := p.Tree.Find(name)
		return n == nil || slices.ContainsFunc(n.Imports, func(s elfobj.Symbol) bool {
			return !s.Weak && !defines(s.Name) && !p.definedElsewhere(s.Name, p.Tree.Nodes) && p.Family.IsMPI(s.Name)
		})
	})
}

// definedElsewhere reports whether one of the objects other than the C library defines the symbol.
func (p *Program) definedElsewhere(name string, objects []*ldso.Node) bool {
	return slices.ContainsFunc(objects, func(n *ldso.Node) bool {
		_, part := family.OfLibrary(n.Name)
		return (part != family.C || n.Loader == nil) && n.Defines(name)
	})
}

// appendBase appends the base name of s to list, unless it is there.
func appendBase(list []string, s string) []string {
	if s = filepath.Base(s); slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
