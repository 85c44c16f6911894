package elfobj

import (
	"bytes"
	"debug/elf"
	"errors"
	"iter"
	"strings"
)

// Section returns the bytes of the section with that name, or nil if there is none or the file
// cannot be read.
func Section(path, name string) []byte {
	return sections(path, func(s elf.Section64, n string) bool { return n == name })
}

// Constants returns the read-only data of an ELF file, which contains its string literals, or nil
// if the file cannot be read.
func Constants(path string) []byte {
	return sections(path, isConstant)
}

// isConstant reports whether a section with this name has read-only data.
func isConstant(s elf.Section64, name string) bool {
	const relevant, want = elf.SHF_ALLOC | elf.SHF_EXECINSTR | elf.SHF_WRITE, elf.SHF_ALLOC
	return elf.SectionType(s.Type) == elf.SHT_PROGBITS && elf.SectionFlag(s.Flags)&relevant == want && strings.HasPrefix(name, ".rodata")
}

// pieceSize is the size of the buffer of Pieces.
const pieceSize = 64 << 10

// errEnough ends the reading of a file whose rest is not needed.
var errEnough = errors.New("enough")

// Pieces yields what Constants returns, in pieces that are valid until the next one. Memory for all
// constants of a large library would take longer to get than the constants take to read. A string
// literal is in one piece, with the zeros around it, unless it is longer than a piece.
func Pieces(path string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		_ = read(path, func(f *image) error { // a file that cannot be read has no more pieces
			buffer := make([]byte, pieceSize)
			for _, s := range f.sections {
				name, err := f.name(f.names, uint64(s.Name))
				if err == nil && isConstant(s, name) {
					err = f.pieces(s, buffer, yield)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// pieces yields the pieces of a section. It returns errEnough if yield needs no more.
func (f *image) pieces(s elf.Section64, buffer []byte, yield func([]byte) bool) error {
	kept := 0 // bytes at the front of buffer, of a literal that continues
	for at, end := s.Off, s.Off+s.Size; at < end; {
		n := min(uint64(len(buffer)-kept), end-at)
		if _, err := f.ReadAt(buffer[kept:kept+int(n)], int64(at)); err != nil {
			return err
		}
		at += n
		piece := buffer[:kept+int(n)]
		last := bytes.LastIndexByte(piece, 0)
		if at == end || last <= 0 {
			last = len(piece) - 1
		}
		if !yield(piece[:last+1]) {
			return errEnough
		}
		kept = 0
		if piece[last] == 0 {
			kept = copy(buffer, piece[last:])
		}
	}
	return nil
}

// sections returns the joined bytes of the sections that want selects, or nil if there are none or
// the file cannot be read.
func sections(path string, want func(s elf.Section64, name string) bool) []byte {
	var found [][]byte
	err := read(path, func(f *image) error {
		for _, s := range f.sections {
			name, err := f.name(f.names, uint64(s.Name))
			if err != nil {
				return err
			}
			if !want(s, name) {
				continue
			}
			data, err := f.section(s)
			if err != nil {
				return err
			}
			found = append(found, data)
		}
		return nil
	})
	switch {
	case err != nil || len(found) == 0:
		return nil
	case len(found) == 1:
		return found[0]
	}
	return bytes.Join(found, nil)
}
