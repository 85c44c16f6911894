package elfobj

import (
	"debug/elf"
	"sort"
)

// Unreferenced returns the imported functions among names to which only inner functions refer: those
// of the file's functions whose names isInner accepts, and that no other code of the file calls.
// Pointers in data, such as tables of virtual functions, do not count as calls of inner functions.
// Unreferenced reads the machine code of x86-64; for other machines, and if the code does not show
// the answer, it returns nothing.
func Unreferenced(path string, names []string, isInner func(name string) bool) (unreferenced []string) {
	r := references{isInner: isInner, wanted: map[string]bool{}, pointers: map[uint64]string{}, stubs: map[uint64]string{}, inner: map[uint64]string{}}
	for _, name := range names {
		r.wanted[name] = true
	}
	if read(path, r.read) != nil || len(r.inner) == 0 {
		return nil
	}
	called := r.called()
	for _, name := range names {
		if r.wanted[name] && !called[name] {
			unreferenced = append(unreferenced, name)
		}
	}
	return unreferenced
}

// references holds the references of the code of one file.
type references struct {
	isInner func(name string) bool
	// wanted are the imported functions that are looked for, false once the file's code cannot show
	// who calls them.
	wanted   map[string]bool
	inner    map[uint64]string // the inner functions by address
	ranges   []codeRange       // the same, by address in ascending order
	pointers map[uint64]string // the functions by the address of the pointer through which the file calls them (GOT)
	stubs    map[uint64]string // the functions by the address of the code that jumps through that pointer (PLT)
	found    []reference
}

// A codeRange is the code of one inner function.
type codeRange struct {
	start, end uint64
	name       string
}

// A reference is an instruction that refers to a function.
type reference struct {
	at uint64 // its address
	to string
}

// called returns the functions that code outside of inner functions calls, directly or through inner
// functions.
func (r *references) called() map[string]bool {
	called, callers := map[string]bool{}, map[string][]string{}
	var left []string
	add := func(name string) {
		if !called[name] {
			called[name] = true
			left = append(left, name)
		}
	}
	for _, ref := range r.found {
		if by := r.innerAt(ref.at); by != "" {
			callers[by] = append(callers[by], ref.to)
		} else {
			add(ref.to)
		}
	}
	for len(left) > 0 {
		name := left[0]
		left = left[1:]
		for _, to := range callers[name] {
			add(to)
		}
	}
	return called
}

// innerAt returns the inner function whose code includes an address, or "".
func (r *references) innerAt(at uint64) string {
	i := sort.Search(len(r.ranges), func(i int) bool { return r.ranges[i].start > at })
	if i == 0 || at >= r.ranges[i-1].end {
		return ""
	}
	return r.ranges[i-1].name
}

// read fills in everything from a file. It leaves inner empty for files of other machines.
func (r *references) read(f *image) error {
	if f.machine != elf.EM_X86_64 || f.class != elf.ELFCLASS64 {
		return nil
	}
	for _, s := range f.sections {
		kind := elf.SectionType(s.Type)
		if kind != elf.SHT_DYNSYM && kind != elf.SHT_SYMTAB {
			continue
		}
		if err := r.readSymbols(f, s); err != nil {
			return err
		}
	}
	for address, name := range r.inner {
		r.stubs[address] = name
	}
	sort.Slice(r.ranges, func(i, j int) bool { return r.ranges[i].start < r.ranges[j].start })
	if len(r.inner) == 0 {
		return nil
	}
	// The code of stubs shows their addresses, so it comes before the rest.
	for _, stubs := range []bool{true, false} {
		for _, s := range f.sections {
			if elf.SectionFlag(s.Flags)&elf.SHF_EXECINSTR == 0 || stubs != f.hasStubs(s) {
				continue
			}
			code, err := f.section(s)
			if err != nil {
				return err
			}
			r.scan(code, s, stubs)
		}
	}
	return nil
}

// hasStubs reports whether a section is the part of the code through which the file calls other files (PLT).
func (f *image) hasStubs(s elf.Section64) bool {
	name, err := f.name(f.names, uint64(s.Name))
	return err == nil && len(name) >= 4 && name[:4] == ".plt"
}

// readSymbols reads the functions of a table of symbols and, if it is the dynamic one, the pointers to them.
func (r *references) readSymbols(f *image, s elf.Section64) error {
	data, err := f.section(s)
	if err != nil || uint64(s.Link) >= uint64(len(f.sections)) {
		return err
	}
	strings := f.sections[s.Link]
	names, err := f.namesAt(strings.Off, strings.Size)
	if err != nil {
		return err
	}
	var table []string // names by index; "" for symbols without interest
	for ; len(data) >= elf.Sym64Size; data = data[elf.Sym64Size:] {
		name, err := f.name(names, uint64(f.order.Uint32(data)))
		if err != nil {
			return err
		}
		value, size := f.order.Uint64(data[8:]), f.order.Uint64(data[16:])
		defined := elf.SectionIndex(f.order.Uint16(data[6:])) != elf.SHN_UNDEF
		switch isFunction := elf.ST_TYPE(data[4]) == elf.STT_FUNC; {
		case isFunction && defined && size > 0 && r.isInner(name):
			if _, known := r.inner[value]; !known {
				r.inner[value] = name
				r.ranges = append(r.ranges, codeRange{value, value + size, name})
			}
			name = r.inner[value] // a function may have several names
		case r.wanted[name] && (defined || value != 0): // the file defines it, or code has its address
			r.wanted[name] = false
		case !r.wanted[name]:
			name = ""
		}
		table = append(table, name)
	}
	if elf.SectionType(s.Type) != elf.SHT_DYNSYM {
		return nil
	}
	for _, relocations := range f.sections {
		if elf.SectionType(relocations.Type) != elf.SHT_RELA || elf.SectionFlag(relocations.Flags)&elf.SHF_ALLOC == 0 {
			continue
		}
		data, err := f.section(relocations)
		if err != nil {
			return err
		}
		const size = 24
		for ; len(data) >= size; data = data[size:] {
			info := f.order.Uint64(data[8:])
			if i := uint64(elf.R_SYM64(info)); i == 0 || i >= uint64(len(table)) || table[i] == "" {
				continue
			} else if kind := elf.R_X86_64(elf.R_TYPE64(info)); kind == elf.R_X86_64_JMP_SLOT || kind == elf.R_X86_64_GLOB_DAT {
				r.pointers[f.order.Uint64(data)] = table[i]
			} else if r.wanted[table[i]] { // data have its address
				r.wanted[table[i]] = false
			}
		}
	}
	return nil
}

// scan finds the instructions of a section that refer to the functions: their last four bytes are the
// distance to the function, its stub or its pointer. It tries every byte as the beginning of a
// distance, so it may find references that do not exist, but misses none. In a section of stubs,
// it finds the stubs.
func (r *references) scan(code []byte, s elf.Section64, stubs bool) {
	size := s.Entsize
	if size == 0 {
		size = 16
	}
	for i := 2; i+4 <= len(code); i++ {
		if !endsOpcode(code[i-2], code[i-1]) {
			continue
		}
		at := s.Addr + uint64(i)
		distance := int32(uint32(code[i]) | uint32(code[i+1])<<8 | uint32(code[i+2])<<16 | uint32(code[i+3])<<24)
		target := at + 4 + uint64(int64(distance))
		to, known := r.pointers[target]
		if known && stubs {
			r.stubs[s.Addr+uint64(i)/size*size] = to
			continue
		}
		if !known {
			to, known = r.stubs[target]
		}
		if known && !stubs {
			r.found = append(r.found, reference{at, to})
		}
	}
}

// endsOpcode reports whether a distance of four bytes may follow two bytes: the opcode is a call, a jump with
// or without a condition, or an instruction with an operand relative to its address.
func endsOpcode(before, last byte) bool {
	return last == 0xe8 || last == 0xe9 || before == 0x0f && last&0xf0 == 0x80 || last&0xc7 == 0x05
}
