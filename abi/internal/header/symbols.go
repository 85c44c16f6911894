package header

import (
	"debug/elf"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"

	"wi4go/abi"
)

var (
	mpiName = regexp.MustCompile(`^P?MPIX?_`)
	// A C function of MPI has a lower-case letter in its name.
	mpiFunction     = regexp.MustCompile(`^MPIX?_\w*[a-z]`)
	fortranFunction = regexp.MustCompile(`^(P?MPI_[A-Z0-9_]+|p?mpi_[a-z0-9_]+)$`)
	called          = regexp.MustCompile(`\b([A-Za-z]\w*)\s*\(`)
	declaredData    = regexp.MustCompile(`extern\s+struct\s+ompi_predefined_\w+\s+(\w+)\s*;`)
	// fortranData matches the objects that Fortran's special constants stand for.
	fortranData = regexp.MustCompile(`^((mpi|MPI)_(fortran|FORTRAN)_\w+|MPI_[A-Z0-9_]+|MPIR_(C|F08|F)_MPI_\w+)$`)
	addrData    = regexp.MustCompile(`^ompi_\w+_addr$`)
)

// oldData are the storage of handles in mpi.h of earlier releases with the same soname. The libraries still export it
// for programs built with these releases.
var oldData = map[string]string{"ompi_mpi_c_complex": "MPI_C_COMPLEX"}

// symbols sets the library's exports: functions and, for a family that has them, data and internals. decls is the
// preprocessed mpi.h.
func (m *MPI) symbols(f *abi.Family, decls string) error {
	var err error
	known, err := abi.Load(m.Family)
	if err != nil {
		return err
	}
	if m.exports, err = m.readParts(known.Sonames["parts"]); err != nil {
		return err
	}
	f.Title, f.Sonames, f.Libraries, f.Fortran, f.Plugins = known.Title, known.Sonames, known.Libraries, known.Fortran, known.Plugins
	f.Vendors, f.Launcher, f.Internal = known.Vendors, known.Launcher, known.Internal
	f.Answered, f.Recognised = known.Answered, known.Recognised
	f.Mark, f.Guard, f.Declared, f.Traits, f.Substitutes = known.Mark, known.Guard, known.Declared, known.Traits, known.Substitutes
	f.Functions, f.NoPMPI = map[string][]string{}, map[string][]string{}
	f.OtherFunctions, f.FortranFunctions = map[string][]string{}, map[string][]string{}
	here := []string{m.Label}
	for name, s := range m.exports.defined {
		switch {
		case s.kind != elf.STT_FUNC:
		case mpiFunction.MatchString(name):
			f.Functions[name] = here
			if m.exports.defined["P"+name].kind != elf.STT_FUNC {
				f.NoPMPI[name] = here
			}
		case fortranFunction.MatchString(name):
			f.FortranFunctions[name] = here
		}
	}
	if m.Family == abi.Standard() {
		// The standard's ABI consists of functions. Further symbols of a library, such as Intel's for its Fortran
		// library, are private: a front with the same symbols would replace them inside the library.
		return nil
	}
	for _, c := range called.FindAllStringSubmatch(decls, -1) {
		if s, ok := m.exports.defined[c[1]]; ok && s.kind == elf.STT_FUNC && !mpiName.MatchString(c[1]) {
			f.OtherFunctions[c[1]] = here
		}
	}

	handle := map[string]string{}
	for name, h := range f.Handles {
		if old := handle[h.Symbol]; h.Symbol != "" && (old == "" || name < old) {
			handle[h.Symbol] = name
		}
	}
	for symbol, name := range oldData {
		handle[symbol] = name
	}
	declared := map[string]bool{}
	for _, d := range declaredData.FindAllStringSubmatch(decls, -1) {
		declared[d[1]] = true
	}
	for _, p := range f.Pointers {
		declared[p.Symbol] = true
	}
	for symbol := range handle {
		declared[symbol] = declared[symbol] || oldData[symbol] == ""
	}

	imports, err := m.imports(f.Sonames)
	if err != nil {
		return err
	}
	for name, s := range m.exports.defined {
		keep := imports[name] != nil || declared[name] || handle[name] != "" || fortranData.MatchString(name) || addrData.MatchString(name)
		if s.kind == elf.STT_OBJECT && keep {
			d := abi.DataSymbol{Name: name, Size: s.size, Handle: handle[name], PointsTo: s.pointsTo, In: here, Header: declared[name]}
			if i := imports[name]; i != nil {
				d.NeededBy = i.NeededBy
			}
			f.DataSymbols = append(f.DataSymbols, d)
		}
	}
	for name, i := range imports {
		if handle[name] == "" && !mpiName.MatchString(name) {
			f.Internals = append(f.Internals, *i)
		}
	}
	sortSymbols(f)
	return nil
}

// readParts reads the C library together with the installed ones of the libraries that it has been split into.
func (m *MPI) readParts(parts []string) (*dynamic, error) {
	all, err := readDynamic(m.library)
	if err != nil {
		return nil, err
	}
	for _, soname := range parts {
		path := filepath.Join(filepath.Dir(m.library), soname)
		if _, err := os.Stat(path); err != nil {
			continue // this release has the library in one piece
		}
		part, err := readDynamic(path)
		if err != nil {
			return nil, err
		}
		maps.Copy(all.defined, part.defined)
	}
	return all, nil
}

// looksInside are functions of the C++ and Fortran libraries that read the object a handle points to. These libraries
// call them through the dynamic linker, so a front must replace them as well.
var looksInside = map[string]bool{"ompi_cxx_comm_get_type": true}

// imports returns the symbols that the C++ and Fortran libraries import from the C library, without MPI's own
// functions, and the functions of looksInside.
func (m *MPI) imports(sonames map[string][]string) (map[string]*abi.Internal, error) {
	all := map[string]*abi.Internal{}
	for _, lang := range []string{"cxx", "fortran"} {
		for _, soname := range sonames[lang] {
			path := filepath.Join(filepath.Dir(m.library), soname)
			if _, err := os.Stat(path); err != nil {
				continue // this MPI was built without that language
			}
			d, err := readDynamic(path)
			if err != nil {
				return nil, err
			}
			for name := range d.defined {
				if looksInside[name] {
					all[name] = &abi.Internal{Name: name, Kind: "func", NeededBy: []string{soname}, Lang: lang, In: []string{m.Label}}
				}
			}
			for _, name := range d.undefined {
				s, ok := m.exports.defined[name]
				if !ok || s.kind == elf.STT_FUNC && mpiName.MatchString(name) {
					continue
				}
				i := all[name]
				if i == nil {
					i = &abi.Internal{Name: name, Kind: "func", In: []string{m.Label}}
					if s.kind == elf.STT_OBJECT {
						i.Kind = "data"
					}
					all[name] = i
				}
				i.NeededBy = append(i.NeededBy, soname)
				if !strings.Contains(i.Lang, lang) {
					i.Lang = strings.TrimPrefix(i.Lang+","+lang, ",")
				}
			}
		}
	}
	return all, nil
}

func sortSymbols(f *abi.Family) {
	sort.Slice(f.DataSymbols, func(i, j int) bool { return f.DataSymbols[i].Name < f.DataSymbols[j].Name })
	sort.Slice(f.Internals, func(i, j int) bool { return f.Internals[i].Name < f.Internals[j].Name })
}

// Complete adds to a merged family the versions that export each data symbol or internal. A version without C++ and
// Fortran libraries does not itself show which symbols these would need.
func Complete(f *abi.Family, versions []*MPI) {
	for _, m := range versions {
		for i := range f.DataSymbols {
			d := &f.DataSymbols[i]
			if s, ok := m.exports.defined[d.Name]; ok && !slices.Contains(d.In, m.Label) {
				d.In, d.Size = union(d.In, []string{m.Label}), max(d.Size, s.size)
				d.Sizes[m.Label] = s.size
			}
		}
		for i := range f.Internals {
			n := &f.Internals[i]
			if _, ok := m.exports.defined[n.Name]; ok {
				n.In = union(n.In, []string{m.Label})
			}
		}
	}
	for i := range f.DataSymbols {
		d := &f.DataSymbols[i]
		same := true
		for _, s := range d.Sizes {
			same = same && s == d.Size
		}
		if same {
			d.Sizes = nil
		}
	}
}

type symbol struct {
	kind     elf.SymType
	size     int
	value    uint64
	pointsTo string // the symbol whose address a pointer-sized object holds when the library is loaded
}

// dynamic is the content of a shared library's dynamic symbol table.
type dynamic struct {
	defined   map[string]symbol
	undefined []string
}

func readDynamic(path string) (*dynamic, error) {
	file, err := elf.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %v", path, err)
	}
	defer file.Close()
	syms, err := file.DynamicSymbols()
	if err != nil {
		return nil, fmt.Errorf("%s: %v", path, err)
	}
	d := &dynamic{defined: map[string]symbol{}}
	byValue := map[uint64]string{} // data objects by address, with the alphabetically first name
	for _, s := range syms {
		if s.Section == elf.SHN_UNDEF {
			d.undefined = append(d.undefined, s.Name)
			continue
		}
		kind := elf.ST_TYPE(s.Info)
		d.defined[s.Name] = symbol{kind: kind, size: int(s.Size), value: s.Value}
		if old := byValue[s.Value]; kind == elf.STT_OBJECT && (old == "" || s.Name < old) {
			byValue[s.Value] = s.Name
		}
	}
	rela := file.Section(".rela.dyn")
	if rela == nil {
		return d, nil
	}
	b, err := rela.Data()
	if err != nil {
		return nil, fmt.Errorf("%s: .rela.dyn: %v", path, err)
	}
	absolute, relative := uint32(elf.R_X86_64_64), uint32(elf.R_X86_64_RELATIVE)
	if file.Machine == elf.EM_AARCH64 {
		absolute, relative = uint32(elf.R_AARCH64_ABS64), uint32(elf.R_AARCH64_RELATIVE)
	}
	pointsTo := map[uint64]string{} // by the address of the pointer
	for ; len(b) >= 24; b = b[24:] {
		where, info, addend := file.ByteOrder.Uint64(b), file.ByteOrder.Uint64(b[8:]), file.ByteOrder.Uint64(b[16:])
		switch uint32(info) {
		case absolute:
			pointsTo[where] = syms[info>>32-1].Name
		case relative:
			pointsTo[where] = byValue[addend]
		}
	}
	for name, s := range d.defined {
		if s.size == 8 {
			s.pointsTo = pointsTo[s.value]
			d.defined[name] = s
		}
	}
	return d, nil
}
