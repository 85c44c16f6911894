// Package program tells what MPI a program was built for, by reading its ELF
// file, the libraries it loads and, where the program is a script or a
// wrapper, what that would start.
//
// It must not know which MPI libraries are installed, nor how a program is
// launched, and it runs nothing.
package program

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/ldso"
)

// ErrNotMPI says that a program, and all that it loads, needs no MPI library.
var ErrNotMPI = fault.New("program-not-mpi", "",
	"not an MPI program: neither it nor a library that it loads needs an MPI library")

// ErrNotDynamic says that a program brings all its libraries with it.
var ErrNotDynamic = fault.New("program-static", "link the program against the shared MPI library",
	"not dynamic: its MPI, if any, is linked into it for good and cannot be replaced")

// ErrStatic says that a program brings all its libraries with it, and that MPI is
// none of them.
var ErrStatic error = fault.New("program-static", "if it starts an MPI program, say with --from what that was built for",
	"not dynamic, and no MPI program")

// ErrCarriesFront says that a program has the front of wi4go linked into it.
var ErrCarriesFront = fault.New("program-static", "start it by wi4go's mpiexec, or behind any launcher",
	"linked with -static-mpi: wi4go is in it, and WI4GO_TO or the launcher says on which MPI library it runs")

// emulatedSection is the section of a front that says what it emulates.
const emulatedSection = ".wi4go.emulated"

// A Program is an executable (or a library that a program opens) and what it
// wants of MPI.
type Program struct {
	Path   string
	Beside []string       // libraries that are opened beside a module of an interpreter's
	Via    []string       // the scripts and wrappers that lead to it
	Family *family.Family // what it was built for
	Tree   *ldso.Tree
	Sets   []string // of LD_PRELOAD and LD_LIBRARY_PATH, what the way to it gives another value

	MPI4PyABI string // where it is one of several extensions of mpi4py, what the variable says to choose it

	Sonames []string // the C libraries of the family that it and its libraries need
	Fortran []string // the family's Fortran libraries that they need
	Cxx     []string // the family's C++ libraries that they need
	Copies  []string // MPI's data symbols that the program holds copies of

	Functions        []string // MPI functions of the C binding that they import, sorted
	FortranFunctions []string // of a Fortran binding, those that they do not define themselves
	OwnFunctions     []string // functions of the C library that are no part of MPI, sorted
	UsesCxx          bool     // symbols of namespace MPI that they do not define themselves
}

// Read reads the program at path. Errors: not ELF (elfobj.ErrNotELF), not
// dynamic, ErrNotMPI, ErrCarriesFront, of two families at once, of an ABI too
// old. The Program is returned beside the errors on what it was built for.
func Read(path string, search ldso.Search) (*Program, error) {
	return ReadAll([]string{path}, search)
}

// ReadAll reads a program of which the first file is the program, or a module that an
// interpreter opens, and the others are libraries that are opened beside it.
func ReadAll(files []string, search ldso.Search) (*Program, error) {
	p := &Program{Path: files[0], Beside: files[1:]}
	path := p.Path
	tree, err := p.Load(search)
	if errors.Is(err, fs.ErrPermission) {
		return nil, fault.New("program-unreadable", "chmod +r it",
			"%s: permission denied: its file must be readable, so that one sees for which MPI it was built", path)
	}
	if err != nil {
		return nil, err
	}
	p.Tree = tree
	p.Beside = slices.DeleteFunc(slices.Clone(p.Beside), func(file string) bool { // what the others bring is not opened
		return !slices.ContainsFunc(tree.Nodes, func(n *ldso.Node) bool { return n.Name == file })
	})
	if !tree.Nodes[0].Dynamic {
		return nil, fmt.Errorf("%s: %w", path, ErrNotDynamic)
	}
	err = p.findFamily()
	if errors.Is(err, ErrNotMPI) && elfobj.Section(path, emulatedSection) != nil {
		err = ErrCarriesFront
	}
	if err != nil {
		return p, fmt.Errorf("%s: %w", path, err)
	}
	p.findSymbols()
	return p, nil
}

// Load finds what the program loads, and what is opened beside it unless it is there under
// its name.
func (p *Program) Load(search ldso.Search) (*ldso.Tree, error) {
	tree, err := search.Load(p.Path)
	if err != nil {
		return nil, err
	}
	for _, file := range p.Beside {
		opened, err := search.Open(tree, file)
		if err != nil {
			continue // nor will the interpreter open it
		}
		if len(opened.Nodes) > 0 && (opened.Nodes[0].Soname == "" || tree.Find(opened.Nodes[0].Soname) == nil) {
			tree.Nodes = append(tree.Nodes, opened.Nodes...)
			tree.Missing = append(tree.Missing, opened.Missing...)
		}
	}
	return tree, nil
}

// IsModule reports whether an interpreter opens the program, which is a library.
func (p *Program) IsModule() bool { return p.Tree.Nodes[0].Interp == "" }

// MayImportMPI4Py reports whether the program is a module of an interpreter that may import
// an mpi4py as well which nobody has seen.
func (p *Program) MayImportMPI4Py() bool {
	return p.IsModule() && len(p.Via) > 0 && !slices.ContainsFunc(append(p.Beside, p.Path), inMPI4Py)
}

func (p *Program) findFamily() error {
	for _, n := range p.Tree.Nodes {
		for _, name := range n.Needed {
			f, part := family.OfLibrary(name)
			if f == nil {
				continue
			}
			if older := f.Older(name, p.hasSymbol); part == family.C && older != nil {
				f, part = older, family.OldC // Open MPI 1.10's soname was libmpi.so.12
			}
			if part == family.OldC {
				return fault.New("program-old-abi", "build it against a library of today",
					"%s needs %s, the ABI of an old %s, for which wi4go has no front", n.Name, name, f.Title)
			}
			if p.Family != nil && p.Family != f {
				return fault.New("two-mpis", "build all of it with one MPI",
					"it was built for two MPI families at once: %s (%s) and %s (%s, needed by %s)", p.Family.Title, strings.Join(p.needed(), ", "), f.Title, name, n.Name)
			}
			p.Family = f
			switch part {
			case family.C:
				p.Sonames = add(p.Sonames, name)
			case family.Fortran:
				p.Fortran = add(p.Fortran, name)
			case family.Cxx:
				p.Cxx = add(p.Cxx, name)
			}
		}
	}
	if p.Family == nil {
		return ErrNotMPI
	}
	return nil
}

// Draft says how a program of Draft functions may come to have other numbers.
const Draft = "linked by Intel MPI's wrapper, of a release that is not known: its mpi.h may have numbers of a draft of the standard ABI for " +
	"MPI_ERRORS_RETURN, MPI_ERRORS_ABORT, MPI_SEEK_SET, _CUR and _END, and for attributes"

// takesDrafted are the functions that are given the constants which the draft
// numbered otherwise.
var takesDrafted = regexp.MustCompile(`^P?MPI_(\w+_set_errhandler|Errhandler_set|File_seek(_shared)?|(Comm_get_attr|Attr_get))$`)

// ByIntel says whether Intel MPI's wrapper has linked the program: the only trace
// is the search path that it links with.
func (p *Program) ByIntel() bool {
	main := p.Tree.Nodes[0]
	dirs := slices.Concat(main.RunPath, main.RPath)
	return slices.ContainsFunc(dirs, func(dir string) bool {
		parent, release := strings.CutSuffix(dir, "/release")
		return release && slices.Contains(dirs, parent)
	})
}

// DraftFunctions are the functions through which the program would hand over
// numbers of a draft of the standard ABI, with another meaning to all libraries but
// Intel's own of that ABI.
func (p *Program) DraftFunctions() []string {
	var names []string
	for _, name := range p.Functions {
		if takesDrafted.MatchString(name) {
			names = append(names, name)
		}
	}
	return names
}

// hasSymbol says whether a symbol is imported by the program or a library of it, or
// copied, as data is.
func (p *Program) hasSymbol(symbol string) bool {
	return slices.ContainsFunc(p.Tree.Nodes, func(n *ldso.Node) bool {
		return slices.Contains(n.Copies, symbol) ||
			slices.ContainsFunc(n.Imports, func(s elfobj.Symbol) bool { return s.Name == symbol })
	})
}

func (p *Program) needed() []string { return slices.Concat(p.Sonames, p.Fortran, p.Cxx) }

// Needed are the family's C libraries that the program needs; where it and what is here
// of its libraries name none, its others.
func (p *Program) Needed() []string {
	if len(p.Sonames) > 0 {
		return p.Sonames
	}
	return p.needed()
}

// objects are the loaded objects that are not the family's own libraries.
func (p *Program) objects() []*ldso.Node {
	var list []*ldso.Node
	for _, n := range p.Tree.Nodes {
		if f, _ := family.OfLibrary(n.Name); f == nil || n.Loader == nil {
			list = append(list, n)
		}
	}
	return list
}

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
			case !s.Weak && p.Family.IsOwnFunction(s.Name) && !p.definedBeside(s.Name, p.Tree.Nodes):
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

// Languages are the MPI bindings in use: C, Fortran, C++.
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

// CheckMachine says why the program cannot run on this machine.
func (p *Program) CheckMachine() error {
	if m, host := p.Tree.Nodes[0].Machine, elfobj.HostMachine(); m != host {
		return fault.New("program-machine", "build it for this machine", "%s is for %s, this machine is %s",
			p.Path, elfobj.MachineName(m), elfobj.MachineName(host))
	}
	return nil
}

// Unserved are the Fortran functions of the program that our Fortran layer for its
// family, known by what it defines, does not have, or not for its compiler.
func (p *Program) Unserved(layer func(string) bool) []string {
	other := sync.OnceValue(p.otherDescriptors)
	return slices.DeleteFunc(slices.Clone(p.FortranFunctions), func(name string) bool {
		return layer(name) && (!descriptors.MatchString(name) || other() == "")
	})
}

// descriptors are the functions whose choice buffers are descriptors, of which each
// compiler has its own.
var descriptors = regexp.MustCompile(`_f08ts_`)

// otherCompilers are the run-time libraries of compilers, and of releases of gfortran before
// 8, whose descriptors are not those of our layer.
var otherCompilers = regexp.MustCompile(`^lib(ifcore\w*|ifport|nvf|pgf90|flang|flang_rt\.runtime|FortranRuntime|craylibs|f|nagf\w*)\.so|^libgfortran\.so\.[1-4](\.|$)`)

// flangInside is a text of flang's run-time library, which usually is in the program itself.
var flangInside = []byte("fatal Fortran runtime error")

// otherDescriptors says why the program's descriptors are not taken for those of gfortran 8
// or later; "" where they are: what of its own is linked with a compiler's library is
// linked with gfortran's alone, and what calls with descriptors has no other in it.
func (p *Program) otherDescriptors() string {
	gfortran := false
	for _, n := range p.objects() {
		for _, name := range n.Needed {
			if otherCompilers.MatchString(name) {
				return fmt.Sprintf("its buffers are descriptors of the compiler of %s, and wi4go knows those of gfortran 8 and later", name)
			}
			gfortran = gfortran || strings.HasPrefix(name, "libgfortran.so.5")
		}
		if slices.ContainsFunc(n.Imports, func(s elfobj.Symbol) bool { return descriptors.MatchString(s.Name) }) &&
			bytes.Contains(elfobj.Constants(n.Path), flangInside) {
			return fmt.Sprintf("%s has buffers that are descriptors of flang, and wi4go knows those of gfortran 8 and later", n.Path)
		}
	}
	if !gfortran {
		return "its buffers are descriptors, and nothing in it needs libgfortran.so.5, which would say that they are gfortran's (if they are, link it with -Wl,--no-as-needed -lgfortran)"
	}
	return ""
}

// CheckFortran refuses calls of the Fortran binding that nothing carries to another
// family: our layer can where it has them all, and the family's own Fortran library
// where it needs no more of its C library than the front has, and looks into no
// objects. front and layer answer for what those define. A program that is only
// linked with that library, as with all that a numerical library was built with,
// makes none.
func (p *Program) CheckFortran(front, layer func(string) bool) error {
	unserved := p.Unserved(layer)
	if len(unserved) == 0 {
		return nil
	}
	by := p.Path
	for _, n := range p.objects() {
		if slices.ContainsFunc(n.Imports, func(s elfobj.Symbol) bool { return s.Name == unserved[0] }) {
			by = n.Path
			break
		}
	}
	refused := func(format string, args ...any) error {
		return fault.New("fortran", fmt.Sprintf("run it on an %s (--to)", p.Family.Title),
			"%s calls Fortran MPI (%s …): %s", by, unserved[0], fmt.Sprintf(format, args...))
	}
	if p.MissingFortran() == family.InterfaceFortran {
		return fault.New("fortran", "put its directory, lib/wi4go/mpi/lib of an installation of wi4go, into LD_LIBRARY_PATH",
			"%s needs %s, and %s is not on this machine", by, unserved[0], family.InterfaceFortran)
	}
	if (p.Family.FortranReadsObjects || len(p.FortranInC()) > 0) && layer(unserved[0]) {
		return refused("%s", p.otherDescriptors())
	}
	if p.Family.FortranReadsObjects || p.Family.Layer == "" {
		return refused("wi4go's Fortran library for %s programs has none of that name", p.Family.Title)
	}
	if in := p.FortranInC(); len(in) > 0 {
		return refused("nothing here has %s", in[0])
	}
	for _, n := range p.Tree.Nodes {
		if _, part := family.OfLibrary(n.Name); part != family.Fortran {
			continue
		}
		for _, s := range n.Imports {
			if !s.Weak && p.Family.IsMPI(s.Name) && !front(s.Name) && !p.definedBeside(s.Name, p.Tree.Nodes) {
				return refused("%s needs %s of its own MPI, and wi4go has no other Fortran library yet", n.Path, s.Name)
			}
		}
	}
	return nil
}

// sanitizer is the library of AddressSanitizer, which ends a process in which another
// library comes before it.
var sanitizer = regexp.MustCompile(`^lib(asan|clang_rt\.asan\S*)\.so`)

// IsSanitizer says whether a file is that library.
func IsSanitizer(path string) bool { return sanitizer.MatchString(filepath.Base(path)) }

// Sanitizer is the path of that library where the program loads it; "" where not.
func (p *Program) Sanitizer() string {
	for _, n := range p.Tree.Nodes[1:] {
		if IsSanitizer(n.Path) {
			return n.Path
		}
	}
	return ""
}

// FortranInC lists the functions of a Fortran binding that the program expects
// in the C library, as some MPIs have them, and in no Fortran library.
func (p *Program) FortranInC() []string {
	var in []string
	for _, name := range p.FortranFunctions {
		if !p.definedBeside(name, p.Tree.Nodes) {
			in = append(in, name)
		}
	}
	return in
}

// MissingFortran is one of the family's Fortran libraries that the program needs and that
// is not on this machine; "" where all are.
func (p *Program) MissingFortran() string {
	for _, m := range p.Tree.Missing {
		if f, part := family.OfLibrary(m.Name); f == p.Family && part == family.Fortran {
			return m.Name
		}
	}
	return ""
}

// A Service says who serves the MPI functions of the C binding that a program
// imports, each list sorted.
type Service struct {
	Native   []string // the runtime itself
	Emulated []string // the front, by other functions of the runtime or by itself
	Missing  []string // nobody: a call fails with MPI_ERR_UNSUPPORTED_OPERATION
}

// An Emulation is what a front does without the runtime's own function.
type Emulation struct {
	rows map[string][]emulated
}

type emulated struct {
	runtime string // a family's name, or "*"
	of      string // the function that it needs, the runtime's or the front's, or "-"
}

// ReadEmulation reads it off a front's file, where the generator has put it
// (gen/emulated.go). A file without it emulates nothing.
func ReadEmulation(front string) Emulation {
	e := Emulation{map[string][]emulated{}}
	table := elfobj.Section(front, emulatedSection)
	for _, line := range strings.FieldsFunc(string(table), func(r rune) bool { return r == '\n' || r == 0 }) {
		if row := strings.Fields(line); len(row) == 3 {
			e.rows[row[0]] = append(e.rows[row[0]], emulated{row[1], row[2]})
		}
	}
	return e
}

// serves says whether the front does it on a library of a family.
func (e Emulation) serves(name string, of *family.Family, defines func(string) bool) bool {
	return slices.ContainsFunc(e.rows[name], func(row emulated) bool {
		return (row.runtime == "*" || row.runtime == of.Name) && (row.of == "-" || has(row.of, defines) || e.serves(row.of, of, defines))
	})
}

// has says whether a library has a function, be it as it was called before it
// was in the standard.
func has(name string, defines func(string) bool) bool {
	return defines(name) || defines(strings.Replace(name, "MPI_", "MPIX_", 1))
}

// Service compares the program with a library of family of, known by what it
// defines, and a front that stands before it.
func (p *Program) Service(of *family.Family, defines func(string) bool, front Emulation) (s Service) {
	for _, name := range p.Functions {
		function := strings.TrimPrefix(name, "P") // PMPI_Send is served as MPI_Send is
		switch {
		case has(function, defines):
			s.Native = append(s.Native, name)
		case front.serves(function, of, defines):
			s.Emulated = append(s.Emulated, name)
		default:
			s.Missing = append(s.Missing, name)
		}
	}
	for _, name := range p.OwnFunctions { // others end the program, or do not start it
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

// A Lack is a symbol that an object of a program imports and would not find.
type Lack struct {
	Name    string
	By      *ldso.Node // the object: the program, or a library of it
	AtStart bool       // ld.so looks for it at the start, and ends the process without it
}

// Lacks lists the symbols of its family's C library that the program and its libraries
// would not find with another library in its place, which has those that defines reports.
// fortran: its Fortran library is loaded as well. bindNow: ld.so binds everything at the
// start (LD_BIND_NOW).
func (p *Program) Lacks(defines func(string) bool, fortran, bindNow bool) []Lack {
	var lacks []Lack
	for _, n := range p.Tree.Nodes {
		if _, part := family.OfLibrary(n.Name); (part == family.C || part == family.Fortran && !fortran || part == family.Cxx && !p.UsesCxx) && n.Loader != nil {
			continue
		}
		for _, s := range n.Imports {
			if !s.Weak && p.Family.IsMPI(s.Name) && !defines(s.Name) && !p.definedBeside(s.Name, p.Tree.Nodes) {
				lacks = append(lacks, Lack{s.Name, n, s.AtStart || n.BindNow || bindNow})
			}
		}
	}
	for _, name := range p.Copies { // the program defines these, but needs the original
		if !defines(name) && !p.definedBeside(name, p.Tree.Nodes[1:]) {
			lacks = append(lacks, Lack{name, p.Tree.Nodes[0], true})
		}
	}
	slices.SortStableFunc(lacks, func(a, b Lack) int { return strings.Compare(a.Name, b.Name) })
	return lacks
}

// Undefined lists the names of what the program lacks with such a library.
func (p *Program) Undefined(defines func(string) bool, fortran bool) []string {
	return Names(p.Lacks(defines, fortran, false))
}

// Names lists the names of symbols, each once.
func Names(lacks []Lack) []string {
	var names []string
	for _, l := range lacks {
		names = append(names, l.Name)
	}
	return slices.Compact(names)
}

// IdleCxx lists the family's C++ libraries that the program needs and that cannot be loaded
// beside a C library, known by what it defines: they are not on this machine, or import
// something that nothing has. If the program uses a symbol of theirs, an empty library does
// not do in their place, and the list is empty.
func (p *Program) IdleCxx(defines func(string) bool) []string {
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
			return !s.Weak && p.Family.IsMPI(s.Name) && !defines(s.Name) && !p.definedBeside(s.Name, p.Tree.Nodes)
		})
	})
}

// definedBeside says whether one of the objects other than the C library
// defines the symbol.
func (p *Program) definedBeside(name string, objects []*ldso.Node) bool {
	return slices.ContainsFunc(objects, func(n *ldso.Node) bool {
		_, part := family.OfLibrary(n.Name)
		return (part != family.C || n.Loader == nil) && n.Defines(name)
	})
}

func add(list []string, s string) []string {
	if s = filepath.Base(s); slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
