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
	BindNow bool                // it asks ld.so to bind all its symbols at the start

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

	// AtStart reports whether a relocation other than a call through the PLT refers to it:
	// ld.so looks the symbol up at the start even if it binds calls later.
	AtStart bool
}

// Read reads the ELF file at path. A file of another kind gives ErrNotELF; one
// whose tables lead nowhere, or are larger than any real one's, is damaged.
func Read(path string) (*Object, error) {
	o := &Object{Path: path, Exports: map[string]struct{}{}}
	if err := read(path, o.fill); err != nil {
		return nil, err
	}
	return o, nil
}

// ReadLinks reads the libraries that a file needs and its search paths, without its symbols,
// which are the larger part of a library.
func ReadLinks(path string) (*Object, error) {
	o := &Object{Path: path}
	if err := readParts(path, false, func(f *image) error { _, err := o.fillLinks(f); return err }); err != nil {
		return nil, err
	}
	return o, nil
}

func (o *Object) fill(f *image) error {
	d, err := o.fillLinks(f)
	if d == nil {
		return err
	}
	if err := o.readSymbols(d); err != nil {
		return fmt.Errorf("dynamic symbols: %w", err)
	}
	if err := o.readVersions(d); err != nil {
		return fmt.Errorf("symbol versions: %w", err)
	}
	return nil
}

// fillLinks reads all but symbols and versions, and returns the dynamic section; nil if the
// file has none.
func (o *Object) fillLinks(f *image) (*dynamic, error) {
	o.Machine, o.Class = f.machine, f.class
	var tls uint64
	var dynamic *elf.Prog64
	for i, p := range f.progs {
		switch elf.ProgType(p.Type) {
		case elf.PT_INTERP:
			b, err := f.bytes(p.Off, min(p.Filesz, maxInterp))
			if err != nil {
				return nil, fmt.Errorf("program interpreter: %w", err)
			}
			o.Interp = string(bytes.TrimRight(b, "\x00"))
		case elf.PT_DYNAMIC:
			dynamic = &f.progs[i]
		case elf.PT_TLS:
			tls = p.Memsz
		}
	}
	if o.Dynamic = dynamic != nil; !o.Dynamic {
		return nil, nil
	}
	d, err := f.readDynamic(*dynamic)
	if err == nil {
		err = o.readDynamic(d)
	}
	if err != nil {
		return nil, fmt.Errorf("dynamic section: %w", err)
	}
	o.BindNow = len(d.values[elf.DT_BIND_NOW]) > 0 || elf.DynFlag(d.last(elf.DT_FLAGS))&elf.DF_BIND_NOW != 0 ||
		elf.DynFlag1(d.last(elf.DT_FLAGS_1))&elf.DF_1_NOW != 0
	if elf.DynFlag(d.last(elf.DT_FLAGS))&elf.DF_STATIC_TLS != 0 {
		o.StaticTLS = tls
	}
	return d, nil
}

// dynamic is what stands behind PT_DYNAMIC: ld.so's own directory of the file.
type dynamic struct {
	*image
	values map[elf.DynTag][]uint64
	names  names
}

func (f *image) readDynamic(p elf.Prog64) (*dynamic, error) {
	data, err := f.bytes(p.Off, p.Filesz)
	if err != nil {
		return nil, err
	}
	d := &dynamic{image: f, values: map[elf.DynTag][]uint64{}}
	half := 4
	if f.class == elf.ELFCLASS64 {
		half = 8
	}
	for ; len(data) >= 2*half; data = data[2*half:] {
		tag := elf.DynTag(f.word(data))
		if tag == elf.DT_NULL {
			break
		}
		if d.values[tag] = append(d.values[tag], f.word(data[half:])); len(d.values[tag]) > maxEntries {
			return nil, fmt.Errorf("more than %d times %s", maxEntries, tag)
		}
	}
	if len(d.values[elf.DT_STRTAB]) > 0 {
		offset, err := f.offset(d.last(elf.DT_STRTAB))
		if err != nil {
			return nil, fmt.Errorf("table of names: %w", err)
		}
		d.names, err = f.namesAt(offset, d.last(elf.DT_STRSZ))
		if err != nil {
			return nil, err
		}
	}
	return d, nil
}

// last is the value of a tag, of several the one that ld.so keeps; 0 where
// there is none.
func (d *dynamic) last(tag elf.DynTag) uint64 {
	if v := d.values[tag]; len(v) > 0 {
		return v[len(v)-1]
	}
	return 0
}

// strings are the names that a tag lists, in order.
func (d *dynamic) strings(tag elf.DynTag) ([]string, error) {
	var list []string
	for _, at := range d.values[tag] {
		name, err := d.name(d.names, at)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", tag, err)
		}
		list = append(list, name)
	}
	return list, nil
}

func (o *Object) readDynamic(d *dynamic) error {
	var err error
	if o.Needed, err = d.strings(elf.DT_NEEDED); err != nil {
		return err
	}
	for tag, to := range map[elf.DynTag]*[]string{elf.DT_RPATH: &o.RPath, elf.DT_RUNPATH: &o.RunPath} {
		lists, err := d.strings(tag)
		if err != nil {
			return err
		}
		for _, list := range lists {
			if len(*to)+strings.Count(list, ":") >= maxEntries {
				return fmt.Errorf("%s: more than %d directories", tag, maxEntries)
			}
			*to = append(*to, strings.Split(list, ":")...)
		}
	}
	sonames, err := d.strings(elf.DT_SONAME)
	if err == nil && len(sonames) > 0 {
		o.Soname = sonames[0]
	}
	return err
}

// readSymbols takes the number of symbols from the section headers: the hash
// tables, by which ld.so goes, do not count what is imported.
func (o *Object) readSymbols(d *dynamic) error {
	at := slices.IndexFunc(d.sections, func(s elf.Section64) bool { return elf.SectionType(s.Type) == elf.SHT_DYNSYM })
	if at < 0 {
		return nil
	}
	table, err := d.section(d.sections[at])
	if err != nil {
		return err
	}
	relocated, err := d.relocated()
	if err != nil {
		return fmt.Errorf("relocations: %w", err)
	}
	size, info, section := elf.Sym64Size, 4, 6
	if d.class == elf.ELFCLASS32 {
		size, info, section = elf.Sym32Size, 12, 14
	}
	for i := size; i+size <= len(table); i += size { // the first is nothing
		symbol := table[i : i+size]
		name, err := d.name(d.names, uint64(d.order.Uint32(symbol)))
		if err != nil {
			return err
		}
		if relocated[i/size]&copied != 0 && o.Interp != "" {
			o.Copies = append(o.Copies, name)
		}
		bind := elf.ST_BIND(symbol[info])
		switch {
		case elf.SectionIndex(d.order.Uint16(symbol[section:])) == elf.SHN_UNDEF:
			o.Imports = append(o.Imports, Symbol{name, bind == elf.STB_WEAK, relocated[i/size]&^toFunction != 0})
		case bind == elf.STB_GLOBAL || bind == elf.STB_WEAK:
			o.Exports[name] = struct{}{}
		}
	}
	slices.Sort(o.Copies)
	return nil
}

// The kinds of relocations that ld.so treats in a way of its own.
const (
	toFunction = 1 << iota // a call through the PLT
	copied                 // the object's data is copied into the program
	other
)

// relocated returns the kinds of relocations by the index of the symbol that they refer to.
// It reads those with addend; the ABIs we serve use no others.
func (d *dynamic) relocated() (map[int]int, error) {
	types, known := map[elf.Machine]map[uint32]int{
		elf.EM_X86_64:  {uint32(elf.R_X86_64_JMP_SLOT): toFunction, uint32(elf.R_X86_64_COPY): copied},
		elf.EM_AARCH64: {uint32(elf.R_AARCH64_JUMP_SLOT): toFunction, uint32(elf.R_AARCH64_COPY): copied},
	}[d.machine]
	if !known || d.class != elf.ELFCLASS64 {
		return nil, nil
	}
	kinds := map[int]int{}
	for _, table := range [][2]elf.DynTag{{elf.DT_RELA, elf.DT_RELASZ}, {elf.DT_JMPREL, elf.DT_PLTRELSZ}} {
		if d.last(table[1]) == 0 {
			continue
		}
		offset, err := d.offset(d.last(table[0]))
		if err != nil {
			return nil, err
		}
		data, err := d.bytes(offset, d.last(table[1]))
		if err != nil {
			return nil, err
		}
		const rela = 24
		for ; len(data) >= rela; data = data[rela:] {
			info := d.order.Uint64(data[8:])
			kind := types[elf.R_TYPE64(info)]
			if kind == 0 {
				kind = other
			}
			kinds[int(elf.R_SYM64(info))] |= kind
		}
	}
	return kinds, nil
}

// The entries of GNU ld's symbol versions, the same for both classes.
type (
	verneed struct {
		Version, Count  uint16
		File, Aux, Next uint32
	}
	vernaux struct {
		Hash         uint32
		Flags, Other uint16
		Name, Next   uint32
	}
	verdef struct {
		Version, Flags, Index, Count uint16
		Hash, Aux, Next              uint32
	}
	verdaux struct{ Name, Next uint32 }
)

// readVersions reads the versions that are needed and defined: lists, whose
// entries have lists of their own.
func (o *Object) readVersions(d *dynamic) error {
	left := maxVersions
	if at := d.last(elf.DT_VERNEED); at != 0 {
		err := chain(d, at, &left, func(at uint64, library *verneed) (uint32, error) {
			file, err := d.name(d.names, uint64(library.File))
			if err != nil {
				return 0, err
			}
			return library.Next, chain(d, at+uint64(library.Aux), &left, func(_ uint64, need *vernaux) (uint32, error) {
				version, err := d.name(d.names, uint64(need.Name))
				o.VersionNeeds = append(o.VersionNeeds, VersionNeed{file, version, elf.DynamicVersionFlag(need.Flags)&elf.VER_FLG_WEAK != 0})
				return need.Next, err
			})
		})
		if err != nil {
			return err
		}
	}
	at := d.last(elf.DT_VERDEF)
	if at == 0 {
		return nil
	}
	return chain(d, at, &left, func(at uint64, version *verdef) (uint32, error) {
		if elf.DynamicVersionFlag(version.Flags)&elf.VER_FLG_BASE != 0 {
			return version.Next, nil
		}
		return version.Next, chain(d, at+uint64(version.Aux), &left, func(_ uint64, first *verdaux) (uint32, error) {
			name, err := d.name(d.names, uint64(first.Name))
			o.Versions = append(o.Versions, name)
			return 0, err // behind it stand those that it inherits from
		})
	})
}

// chain follows a list whose first entry is at an address; use gives the
// distance to the next, 0 at the last. left counts down over all lists.
func chain[T any](d *dynamic, address uint64, left *int, use func(address uint64, entry *T) (uint32, error)) error {
	for {
		if *left--; *left < 0 {
			return fmt.Errorf("more than %d", maxVersions)
		}
		offset, err := d.offset(address)
		if err != nil {
			return err
		}
		var entry T
		if err := d.decode(offset, &entry); err != nil {
			return err
		}
		next, err := use(address, &entry)
		if err != nil || next == 0 {
			return err
		}
		address += uint64(next)
	}
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
