package elfobj

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
)

// symbols is the table of dynamic symbols. Most libraries are never asked for the symbols that they
// define, so the names of these are read when they are looked up.
type symbols struct {
	table []byte // the entries as they are in the file
	names names
	order binary.ByteOrder

	// size is the number of bytes of an entry. info and section are the positions of its fields.
	size, info, section int

	hash   gnuHash
	byName func() map[string]bool // the exported names, for a file without a hash table
}

// gnuHash is the table by which ld.so looks up a symbol (DT_GNU_HASH). Without buckets there is none.
type gnuHash struct {
	buckets, chains []byte
	first           uint32 // the first symbol that has a place in chains
}

// readSymbols reads the dynamic symbols. It takes their number from the section headers, because
// the hash tables that ld.so uses do not count imported symbols.
func (o *Object) readSymbols(d *dynamic) error {
	at := slices.IndexFunc(d.sections, func(s elf.Section64) bool { return elf.SectionType(s.Type) == elf.SHT_DYNSYM })
	if at < 0 {
		return nil
	}
	table, err := d.section(d.sections[at])
	if err != nil {
		return err
	}
	s := &symbols{table: table, names: d.names, order: d.order, size: elf.Sym64Size, info: 4, section: 6}
	if d.class == elf.ELFCLASS32 {
		s.size, s.info, s.section = elf.Sym32Size, 12, 14
	}
	o.symbols, s.hash, s.byName = s, d.readHash(s.count()), sync.OnceValue(s.set)
	relocated, err := d.relocated(s.count())
	if err != nil {
		return fmt.Errorf("relocations: %w", err)
	}
	return o.readImports(d, relocated)
}

// readImports fills in the imported and the copied symbols, and returns an error if any symbol has no
// name. relocated is the result of dynamic.relocated.
func (o *Object) readImports(d *dynamic, relocated []uint8) error {
	s := o.symbols
	end := uint64(strings.LastIndexByte(string(s.names), 0) + 1) // names that begin there or later have no end
	for i := 1; i < s.count(); i++ {                             // skip the first symbol, which is always empty
		at, imported := s.name(i), s.isImported(i)
		if !imported && relocated[i]&copied == 0 && at < end {
			continue
		}
		name, err := d.name(d.names, at)
		if err != nil {
			return err
		}
		if relocated[i]&copied != 0 && o.Interp != "" {
			o.Copies = append(o.Copies, name)
		}
		if imported {
			o.Imports = append(o.Imports, Symbol{name, s.binding(i) == elf.STB_WEAK, relocated[i]&^toFunction != 0})
		}
	}
	slices.Sort(o.Copies)
	return nil
}

// count returns the number of symbols.
func (s *symbols) count() int { return len(s.table) / s.size }

// name returns the position of a symbol's name.
func (s *symbols) name(i int) uint64 { return uint64(s.order.Uint32(s.table[i*s.size:])) }

// binding returns the binding of a symbol.
func (s *symbols) binding(i int) elf.SymBind { return elf.ST_BIND(s.table[i*s.size+s.info]) }

// isImported reports whether the file does not define a symbol.
func (s *symbols) isImported(i int) bool {
	return elf.SectionIndex(s.order.Uint16(s.table[i*s.size+s.section:])) == elf.SHN_UNDEF
}

// isExported reports whether the file defines a symbol with global or weak binding.
func (s *symbols) isExported(i int) bool {
	bind := s.binding(i)
	return (bind == elf.STB_GLOBAL || bind == elf.STB_WEAK) && !s.isImported(i)
}

// hasName reports whether a symbol has this name.
func (s *symbols) hasName(i int, name string) bool {
	at := s.name(i)
	if at >= uint64(len(s.names)) {
		return false
	}
	rest, found := strings.CutPrefix(string(s.names[at:]), name)
	return found && rest != "" && rest[0] == 0
}

// Defines reports whether the object defines a dynamic symbol of that name.
func (o *Object) Defines(name string) bool {
	s := o.symbols
	switch {
	case s == nil:
		return false
	case len(s.hash.buckets) == 0:
		return s.byName()[name]
	}
	return s.find(name)
}

// find looks a name up in the hash table.
func (s *symbols) find(name string) bool {
	hash := uint32(5381)
	for i := range len(name) {
		hash = hash*33 + uint32(name[i])
	}
	word := func(table []byte, i uint32) uint32 { return s.order.Uint32(table[4*i:]) }
	h := s.hash
	at := word(h.buckets, hash%uint32(len(h.buckets)/4))
	for ; at >= h.first && uint64(at-h.first) < uint64(len(h.chains)/4); at++ {
		link := word(h.chains, at-h.first) // the symbol's own hash; the last bit ends the chain
		if link|1 == hash|1 && s.isExported(int(at)) && s.hasName(int(at), name) {
			return true
		}
		if link&1 != 0 {
			return false
		}
	}
	return false
}

// Exports returns the names of the dynamic symbols that the object defines with global or weak binding.
func (o *Object) Exports() iter.Seq[string] {
	if o.symbols == nil {
		return func(func(string) bool) {}
	}
	return o.symbols.exported
}

// exported yields the names of all exported symbols, up to maxNames bytes of them.
func (s *symbols) exported(yield func(string) bool) {
	left := maxNames
	for i := 1; i < s.count() && left > 0; i++ {
		if !s.isExported(i) {
			continue
		}
		name, _, _ := strings.Cut(string(s.names[s.name(i):]), "\x00")
		if left -= len(name); !yield(name) {
			return
		}
	}
}

// set returns the names of all exported symbols as a set.
func (s *symbols) set() map[string]bool {
	all := make(map[string]bool, s.count())
	for name := range s.exported {
		all[name] = true
	}
	return all
}

// readHash returns the hash table of count symbols, or an empty one if the file has none or it is damaged.
func (d *dynamic) readHash(count int) (h gnuHash) {
	at, err := d.offset(d.last(elf.DT_GNU_HASH))
	if err != nil {
		return h
	}
	var head struct{ Buckets, First, Bloom, Shift uint32 }
	if d.decode(at, &head) != nil || uint64(head.First) > uint64(count) {
		return h
	}
	const header = 16
	at += header + uint64(head.Bloom)*uint64(d.wordSize())
	buckets, err := d.bytes(at, 4*uint64(head.Buckets))
	if err != nil {
		return h
	}
	chains, err := d.bytes(at+4*uint64(head.Buckets), 4*(uint64(count)-uint64(head.First)))
	if err != nil {
		return h
	}
	return gnuHash{buckets, chains, head.First}
}

// Kinds of relocations, combined as bits. ld.so treats the first two specially.
const (
	toFunction = 1 << iota // a call through the PLT
	copied                 // the object's data is copied into the program
	other
)

// relocated returns the kinds of relocations that refer to each of count symbols, by the symbol's index. It
// reads only relocations with addend, because the ABIs that wi4go supports use no others. It
// returns zeros for other machines and classes.
func (d *dynamic) relocated(count int) ([]uint8, error) {
	kinds := make([]uint8, count)
	types, known := map[elf.Machine]map[uint32]uint8{
		elf.EM_X86_64:  {uint32(elf.R_X86_64_JMP_SLOT): toFunction, uint32(elf.R_X86_64_COPY): copied},
		elf.EM_AARCH64: {uint32(elf.R_AARCH64_JUMP_SLOT): toFunction, uint32(elf.R_AARCH64_COPY): copied},
	}[d.machine]
	if !known || d.class != elf.ELFCLASS64 {
		return kinds, nil
	}
	const rela = 24
	for _, table := range []struct {
		at, size elf.DynTag
		skip     uint64 // relocations at the front that refer to no symbol
	}{{elf.DT_RELA, elf.DT_RELASZ, d.last(elf.DT_RELACOUNT)}, {elf.DT_JMPREL, elf.DT_PLTRELSZ, 0}} {
		size := d.last(table.size)
		if size == 0 {
			continue
		}
		offset, err := d.offset(d.last(table.at))
		if err != nil {
			return nil, err
		}
		skip := min(table.skip, size/rela) * rela
		data, err := d.bytes(offset+skip, size-skip)
		if err != nil {
			return nil, err
		}
		for ; len(data) >= rela; data = data[rela:] {
			info := d.order.Uint64(data[8:])
			symbol, kind := uint64(elf.R_SYM64(info)), types[elf.R_TYPE64(info)]
			if symbol >= uint64(count) {
				continue
			}
			if kind == 0 {
				kind = other
			}
			kinds[symbol] |= kind
		}
	}
	return kinds, nil
}
