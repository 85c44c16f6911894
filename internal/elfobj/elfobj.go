// Package elfobj reads the facts of one ELF file that matter to a dynamic
// linker: what it needs, where it says to look, what it imports, defines and
// copies.
//
// It must not know of MPI, and it never looks at a second file: following a
// name to a file is the business of package ldso.
package elfobj

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"wi4go/internal/elfobj/machine"
)

// ErrNotELF says that a file is something else than ELF (a script, a text).
var ErrNotELF = errors.New("not an ELF file")

// An Object is what one ELF file says of itself.
type Object struct {
	Path    string
	Machine elf.Machine
	Class   elf.Class
	Interp  string   // the program interpreter, "" for most libraries
	Soname  string   // DT_SONAME
	Needed  []string // DT_NEEDED, in order
	RPath   []string // DT_RPATH, split, not expanded
	RunPath []string // DT_RUNPATH, split, not expanded
	Dynamic bool     // it has a dynamic section

	Imports []Symbol            // undefined dynamic symbols
	Exports map[string]struct{} // defined dynamic symbols of global or weak binding
	Copies  []string            // symbols of copy relocations

	VersionNeeds []VersionNeed // symbol versions that it wants of its libraries
	Versions     []string      // symbol versions that it defines, in order
	StaticTLS    uint64        // bytes of thread-local storage that must stand in the static block (DF_STATIC_TLS)
}

// A VersionNeed is a symbol version that a library must define, as in
// GLIBC_2.34 of libc.so.6.
type VersionNeed struct {
	Library string // its DT_NEEDED name
	Version string
	Weak    bool // ld.so goes on without it
}

// A Symbol is an undefined symbol.
type Symbol struct {
	Name string
	Weak bool
}

// Read reads the ELF file at path. A file of another kind gives ErrNotELF.
func Read(path string) (*Object, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w: not a regular file", path, ErrNotELF)
	}
	var magic [4]byte
	if _, err := io.ReadFull(file, magic[:]); err != nil || string(magic[:]) != elf.ELFMAG {
		return nil, fmt.Errorf("%s: %w", path, ErrNotELF)
	}
	f, err := elf.NewFile(file)
	if err != nil {
		return nil, fmt.Errorf("%s: damaged ELF file: %w", path, err)
	}
	defer f.Close()

	o := &Object{Path: path, Machine: f.Machine, Class: f.Class, Exports: map[string]struct{}{}}
	var tls uint64
	for _, p := range f.Progs {
		switch p.Type {
		case elf.PT_INTERP:
			b, err := io.ReadAll(io.LimitReader(p.Open(), 4096))
			if err != nil {
				return nil, fmt.Errorf("%s: program interpreter: %w", path, err)
			}
			o.Interp = string(bytes.TrimRight(b, "\x00"))
		case elf.PT_DYNAMIC:
			o.Dynamic = true
		case elf.PT_TLS:
			tls = p.Memsz
		}
	}
	if !o.Dynamic {
		return o, nil
	}
	if err := o.readDynamic(f); err != nil {
		return nil, fmt.Errorf("%s: dynamic section: %w", path, err)
	}
	if flags, err := f.DynValue(elf.DT_FLAGS); err == nil && len(flags) > 0 && elf.DynFlag(flags[0])&elf.DF_STATIC_TLS != 0 {
		o.StaticTLS = tls
	}
	if err := o.readSymbols(f); err != nil {
		return nil, fmt.Errorf("%s: dynamic symbols: %w", path, err)
	}
	return o, nil
}

func (o *Object) readDynamic(f *elf.File) error {
	strs := func(tag elf.DynTag) ([]string, error) { return f.DynString(tag) }
	var err error
	if o.Needed, err = strs(elf.DT_NEEDED); err != nil {
		return err
	}
	for tag, to := range map[elf.DynTag]*[]string{elf.DT_RPATH: &o.RPath, elf.DT_RUNPATH: &o.RunPath} {
		s, err := strs(tag)
		if err != nil {
			return err
		}
		for _, list := range s {
			*to = append(*to, strings.Split(list, ":")...)
		}
	}
	soname, err := strs(elf.DT_SONAME)
	if err != nil {
		return err
	}
	if len(soname) > 0 {
		o.Soname = soname[0]
	}
	return nil
}

func (o *Object) readSymbols(f *elf.File) error {
	symbols, err := f.DynamicSymbols()
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return err
	}
	for _, s := range symbols {
		bind := elf.ST_BIND(s.Info)
		switch {
		case s.Section == elf.SHN_UNDEF:
			o.Imports = append(o.Imports, Symbol{s.Name, bind == elf.STB_WEAK})
		case bind == elf.STB_GLOBAL || bind == elf.STB_WEAK:
			o.Exports[s.Name] = struct{}{}
		}
	}
	if err := o.readVersions(f); err != nil {
		return err
	}
	return o.readCopies(f, symbols)
}

// readVersions reads what GNU ld calls version needs and definitions; objects
// without any have none.
func (o *Object) readVersions(f *elf.File) error {
	if table, err := f.DynValue(elf.DT_VERSYM); err != nil || len(table) == 0 {
		return err
	}
	needs, err := f.DynamicVersionNeeds()
	if err != nil {
		return err
	}
	for _, library := range needs {
		for _, need := range library.Needs {
			o.VersionNeeds = append(o.VersionNeeds, VersionNeed{library.Name, need.Dep, need.Flags&elf.VER_FLG_WEAK != 0})
		}
	}
	versions, err := f.DynamicVersions()
	if err != nil {
		return err
	}
	for _, v := range versions {
		if v.Flags&elf.VER_FLG_BASE == 0 {
			o.Versions = append(o.Versions, v.Name)
		}
	}
	return nil
}

// Section gives the bytes of a section, nil where the file has none of that
// name.
func Section(path, name string) []byte {
	f, err := elf.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	section := f.Section(name)
	if section == nil {
		return nil
	}
	data, err := section.Data()
	if err != nil {
		return nil
	}
	return data
}

// readCopies finds R_*_COPY among the relocations with addend; the ABIs we
// serve use no others.
func (o *Object) readCopies(f *elf.File, symbols []elf.Symbol) error {
	var copyType uint32
	switch f.Machine {
	case elf.EM_X86_64:
		copyType = uint32(elf.R_X86_64_COPY)
	case elf.EM_AARCH64:
		copyType = uint32(elf.R_AARCH64_COPY)
	default:
		return nil
	}
	for _, s := range f.Sections {
		if s.Type != elf.SHT_RELA || s.Flags&elf.SHF_ALLOC == 0 {
			continue
		}
		data, err := s.Data()
		if err != nil {
			return err
		}
		for ; len(data) >= 24; data = data[24:] {
			info := f.ByteOrder.Uint64(data[8:])
			index := elf.R_SYM64(info)
			if elf.R_TYPE64(info) == copyType && index > 0 && int(index) <= len(symbols) {
				o.Copies = append(o.Copies, symbols[index-1].Name)
			}
		}
	}
	slices.Sort(o.Copies)
	return nil
}

// Defines says whether the object defines a dynamic symbol of that name.
func (o *Object) Defines(name string) bool {
	_, ok := o.Exports[name]
	return ok
}

// HostMachine is the machine that this process runs on.
func HostMachine() elf.Machine { return elf.Machine(machine.Host()) }

// MachineName is the name people use for a machine: x86-64, arm64, …
func MachineName(m elf.Machine) string { return machine.Name(uint16(m)) }
