// Package elfobj reads the facts in one ELF file that matter to a dynamic linker: the libraries
// that it needs, its search paths, and the symbols that it imports, defines and copies.
//
// It must not know of MPI, and it never opens a second file: package ldso resolves names to files.
package elfobj

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"strings"

	"wi4go/internal/elfobj/machine"
)

// ErrNotELF is the error for a file in another format than ELF (a script, a text).
var ErrNotELF = errors.New("not an ELF file")

// An Object holds the facts of one ELF file.
type Object struct {
	Path    string
	Machine elf.Machine
	Class   elf.Class
	Interp  string   // the program interpreter; "" for most libraries
	Soname  string   // DT_SONAME
	Needed  []string // DT_NEEDED, in order
	RPath   []string // DT_RPATH, split at colons, not expanded
	RunPath []string // DT_RUNPATH, split at colons, not expanded
	Dynamic bool     // the file has a dynamic section

	Imports []Symbol // undefined dynamic symbols
	Copies  []string // symbols of copy relocations
	BindNow bool     // the file requires ld.so to bind all its symbols at the start
	symbols *symbols // all dynamic symbols; nil if there are none

	VersionNeeds []VersionNeed // symbol versions that it requires of its libraries
	Versions     []string      // symbol versions that it defines, in order
	StaticTLS    uint64        // bytes of thread-local storage that need a place in the static block (DF_STATIC_TLS)
}

// A VersionNeed is a symbol version that a library must define, for example GLIBC_2.34 in
// libc.so.6.
type VersionNeed struct {
	Library string // the library's DT_NEEDED name
	Version string
	Weak    bool // ld.so continues if the version is missing
}

// A Symbol is an undefined symbol.
type Symbol struct {
	Name string
	Weak bool

	// AtStart reports whether a relocation other than a call through the PLT refers to the symbol.
	// If so, ld.so resolves it at the start even if it binds calls later.
	AtStart bool
}

// Read reads the ELF file at path. It returns ErrNotELF for other formats. It returns an error for
// a damaged file: a file whose tables point outside it or exceed the bounds of any real file.
func Read(path string) (*Object, error) {
	o := &Object{Path: path}
	if err := read(path, o.fill); err != nil {
		return nil, err
	}
	return o, nil
}

// ReadLinks reads only the needed libraries and search paths of a file. It skips the symbols, which
// are the larger part of a library.
func ReadLinks(path string) (*Object, error) {
	o := &Object{Path: path}
	if err := readParts(path, false, func(f *image) error { _, err := o.fillLinks(f); return err }); err != nil {
		return nil, err
	}
	return o, nil
}

// fill reads all facts from the image of a file.
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

// fillLinks reads everything except symbols and versions. It returns the dynamic section, or nil if
// the file has none.
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

// dynamic is the section that PT_DYNAMIC locates: ld.so's directory of the file.
type dynamic struct {
	*image
	// values holds the values of each tag in order, and names the table of names (DT_STRTAB).
	values map[elf.DynTag][]uint64
	names  names
}

// readDynamic reads the dynamic section that the program header p locates.
func (f *image) readDynamic(p elf.Prog64) (*dynamic, error) {
	data, err := f.bytes(p.Off, p.Filesz)
	if err != nil {
		return nil, err
	}
	d := &dynamic{image: f, values: map[elf.DynTag][]uint64{}}
	half := f.wordSize()
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

// last returns the value of a tag, or 0 if there is none. If the tag occurs several times, it
// returns the last value, as ld.so does.
func (d *dynamic) last(tag elf.DynTag) uint64 {
	if v := d.values[tag]; len(v) > 0 {
		return v[len(v)-1]
	}
	return 0
}

// strings returns the names that the entries of a tag refer to, in order.
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

// readDynamic fills in the names that the dynamic section contains.
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

// The records of GNU symbol versions, the same for both ELF classes.
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

// readVersions reads the symbol versions that the file needs and defines. Both are lists in which
// each entry has its own list.
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
			return 0, err // the entries that follow are versions from which this version inherits
		})
	})
}

// chain walks a linked list whose first entry is at an address. use returns the distance in bytes
// to the next entry, or 0 for the last. left counts down over all lists, as a bound.
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

// HostMachine returns the machine on which this process runs.
func HostMachine() elf.Machine { return elf.Machine(machine.Host()) }

// MachineName returns the common name of a machine: x86-64, arm64, …
func MachineName(m elf.Machine) string { return machine.Name(uint16(m)) }
