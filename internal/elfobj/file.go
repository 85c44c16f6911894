package elfobj

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"unsafe"
)

// Bounds of the parts of a file that are read. They are far above the needs of any real file, so
// that a damaged or hostile file costs only a moment.
const (
	maxTables   = 256 << 20 // bytes of all tables together
	maxNames    = 256 << 20 // bytes of all names together; names may overlap and then count several times
	maxSections = 1 << 20
	maxEntries  = 2048    // entries of a list: needed libraries, directories
	maxVersions = 1 << 15 // the limit of a version's index
	maxInterp   = 4096    // PATH_MAX
)

// openRegular opens a regular file for reading and returns its size. For anything else it returns
// ErrNotELF, without blocking on the other end of a pipe.
func openRegular(path string) (*os.File, int64, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, 0, err
	} else if !info.Mode().IsRegular() { // do not open it: opening a device may have an effect
		return nil, 0, fmt.Errorf("%s: %w: %s", path, ErrNotELF, kindOf(info.Mode()))
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w: %s", path, ErrNotELF, kindOf(info.Mode()))
	}
	if err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}

// kindOf describes a file that is not regular, for a message.
func kindOf(mode os.FileMode) string {
	for _, kind := range []struct {
		bit  os.FileMode
		name string
	}{{os.ModeDir, "a directory"}, {os.ModeNamedPipe, "a named pipe"}, {os.ModeSocket, "a socket"}, {os.ModeDevice, "a device"}} {
		if mode&kind.bit != 0 {
			return "not a regular file but " + kind.name
		}
	}
	return "not a regular file"
}

// Head returns the first bytes of a regular file, at most most bytes.
func Head(path string, most int64) ([]byte, error) {
	file, _, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, most))
}

// image holds the headers of an ELF file, and limits how much more of it may be read.
type image struct {
	io.ReaderAt
	size     uint64
	order    binary.ByteOrder
	class    elf.Class
	machine  elf.Machine
	progs    []elf.Prog64
	sections []elf.Section64
	names    names // names of the sections

	tables, text uint64 // bytes that remain of maxTables and maxNames
}

// openImage reads the headers of a file that begins with ELF's magic bytes. It reads section
// headers only if sections is true.
func openImage(r io.ReaderAt, size int64, sections bool) (*image, error) {
	f := &image{ReaderAt: r, size: uint64(size), tables: maxTables, text: maxNames}
	ident, err := f.bytes(0, elf.EI_NIDENT)
	if err != nil {
		return nil, err
	}
	switch elf.Data(ident[elf.EI_DATA]) {
	case elf.ELFDATA2LSB:
		f.order = binary.LittleEndian
	case elf.ELFDATA2MSB:
		f.order = binary.BigEndian
	default:
		return nil, fmt.Errorf("unknown byte order %d", ident[elf.EI_DATA])
	}
	f.class = elf.Class(ident[elf.EI_CLASS])
	if f.class != elf.ELFCLASS32 && f.class != elf.ELFCLASS64 {
		return nil, fmt.Errorf("unknown class %d", ident[elf.EI_CLASS])
	}
	var h elf.Header64
	if f.class == elf.ELFCLASS64 {
		err = f.decode(0, &h)
	} else {
		var s elf.Header32
		err = f.decode(0, &s)
		h = elf.Header64{Machine: s.Machine, Phoff: uint64(s.Phoff), Phentsize: s.Phentsize, Phnum: s.Phnum,
			Shoff: uint64(s.Shoff), Shentsize: s.Shentsize, Shnum: s.Shnum, Shstrndx: s.Shstrndx}
	}
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	f.machine = elf.Machine(h.Machine)
	if err := f.readProgs(h); err != nil {
		return nil, fmt.Errorf("program headers: %w", err)
	}
	if !sections {
		return f, nil
	}
	if err := f.readSections(h); err != nil {
		return nil, fmt.Errorf("section headers: %w", err)
	}
	return f, nil
}

// readProgs reads the program headers, and widens headers of 32-bit files.
func (f *image) readProgs(h elf.Header64) (err error) {
	switch {
	case h.Phnum == 0:
	case f.class == elf.ELFCLASS64:
		f.progs, err = array[elf.Prog64](f, h.Phoff, h.Phentsize, uint64(h.Phnum))
	default:
		var small []elf.Prog32
		small, err = array[elf.Prog32](f, h.Phoff, h.Phentsize, uint64(h.Phnum))
		for _, s := range small {
			f.progs = append(f.progs, elf.Prog64{Type: s.Type, Flags: s.Flags, Off: uint64(s.Off), Vaddr: uint64(s.Vaddr),
				Filesz: uint64(s.Filesz), Memsz: uint64(s.Memsz)})
		}
	}
	return err
}

// readSections reads the section headers, if the file has any. If their number does not fit the ELF
// header, the first section header contains the number and the index of the names' section.
func (f *image) readSections(h elf.Header64) error {
	if h.Shoff == 0 {
		return nil
	}
	count, names := uint64(h.Shnum), uint64(h.Shstrndx)
	if count == 0 {
		first, err := f.sectionTable(h, 1)
		if err != nil {
			return err
		}
		count = first[0].Size
		if names == uint64(elf.SHN_XINDEX) {
			names = uint64(first[0].Link)
		}
	}
	if count > maxSections {
		return fmt.Errorf("%d of them", count)
	}
	var err error
	if f.sections, err = f.sectionTable(h, count); err != nil || names == uint64(elf.SHN_UNDEF) {
		return err
	}
	if names >= count {
		return fmt.Errorf("the section of their names is number %d of %d", names, count)
	}
	f.names, err = f.namesAt(f.sections[names].Off, f.sections[names].Size)
	return err
}

// sectionTable reads count section headers, and widens headers of 32-bit files.
func (f *image) sectionTable(h elf.Header64, count uint64) (table []elf.Section64, err error) {
	if f.class == elf.ELFCLASS64 {
		return array[elf.Section64](f, h.Shoff, h.Shentsize, count)
	}
	small, err := array[elf.Section32](f, h.Shoff, h.Shentsize, count)
	for _, s := range small {
		table = append(table, elf.Section64{Name: s.Name, Type: s.Type, Flags: uint64(s.Flags), Addr: uint64(s.Addr), Off: uint64(s.Off),
			Size: uint64(s.Size), Link: s.Link, Entsize: uint64(s.Entsize)})
	}
	return table, err
}

// bytes returns a part of the file. It returns an error beyond the file's end, or if the tables
// read so far exceed maxTables.
func (f *image) bytes(offset, size uint64) ([]byte, error) {
	if offset > f.size || size > f.size-offset {
		return nil, fmt.Errorf("%d bytes at %d are beyond its end at %d: copy it again if it was cut off", size, offset, f.size)
	}
	if size > f.tables {
		return nil, fmt.Errorf("its tables have more than %d MB", maxTables>>20)
	}
	f.tables -= size
	b := make([]byte, size)
	_, err := f.ReadAt(b, int64(offset))
	return b, err
}

// decode reads a struct of fixed size into into.
func (f *image) decode(offset uint64, into any) error {
	b, err := f.bytes(offset, uint64(binary.Size(into)))
	if err == nil {
		_, err = binary.Decode(b, f.order, into)
	}
	return err
}

// array reads a table of count structs. entry is the size of one struct in the file; array returns
// an error if it differs from T's.
func array[T any](f *image, offset uint64, entry uint16, count uint64) ([]T, error) {
	var one T
	size := binary.Size(one)
	if int(entry) != size {
		return nil, fmt.Errorf("entries of %d bytes instead of %d", entry, size)
	}
	b, err := f.bytes(offset, uint64(size)*count)
	if err != nil {
		return nil, err
	}
	table := make([]T, count)
	_, err = binary.Decode(b, f.order, table)
	return table, err
}

// wordSize returns the number of bytes of an address or a size, by the file's class.
func (f *image) wordSize() int {
	if f.class == elf.ELFCLASS64 {
		return 8
	}
	return 4
}

// word returns an address or a size.
func (f *image) word(b []byte) uint64 {
	if f.wordSize() == 8 {
		return f.order.Uint64(b)
	}
	return uint64(f.order.Uint32(b))
}

// offset returns the file offset of the byte that is loaded at an address.
func (f *image) offset(address uint64) (uint64, error) {
	for _, p := range f.progs {
		if elf.ProgType(p.Type) == elf.PT_LOAD && address >= p.Vaddr && address-p.Vaddr < p.Filesz {
			return p.Off + (address - p.Vaddr), nil
		}
	}
	return 0, fmt.Errorf("address %#x is not in a loaded segment", address)
}

// names is a table of names, each terminated by a zero byte.
type names string

// namesAt reads a table of names.
func (f *image) namesAt(offset, size uint64) (names, error) {
	b, err := f.bytes(offset, size)
	if err != nil {
		return "", fmt.Errorf("table of names: %w", err)
	}
	return names(unsafe.String(unsafe.SliceData(b), len(b))), nil // nothing changes b, so no copy is needed
}

// name returns the name at an offset in a table. It counts each name in full against maxNames, even
// if names overlap.
func (f *image) name(in names, at uint64) (string, error) {
	if at >= uint64(len(in)) {
		return "", fmt.Errorf("a name at %d, in a table of %d bytes", at, len(in))
	}
	text := string(in[at:])
	n := strings.IndexByte(text, 0)
	if n < 0 {
		return "", errors.New("a name has no end")
	}
	if uint64(n) > f.text {
		return "", fmt.Errorf("its names have more than %d MB", maxNames>>20)
	}
	f.text -= uint64(n)
	return text[:n], nil
}

// section returns the bytes of a section as stored in the file, or nil if it occupies none.
func (f *image) section(s elf.Section64) ([]byte, error) {
	if elf.SectionType(s.Type) == elf.SHT_NOBITS {
		return nil, nil
	}
	return f.bytes(s.Off, s.Size)
}

// read opens a file and calls use with its image. It returns ErrNotELF for other formats, and the
// error of use.
func read(path string, use func(*image) error) error {
	return readParts(path, true, use)
}

// readParts does the same as read, but without section headers if sections is false.
func readParts(path string, sections bool, use func(*image) error) error {
	file, size, err := openRegular(path)
	if err != nil {
		return err
	}
	defer file.Close()
	var magic [4]byte
	if _, err := file.ReadAt(magic[:], 0); err != nil || string(magic[:]) != elf.ELFMAG {
		return fmt.Errorf("%s: %w", path, ErrNotELF)
	}
	f, err := openImage(file, size, sections)
	if err == nil {
		err = use(f)
	}
	if err != nil {
		return fmt.Errorf("%s: damaged ELF file: %w", path, err)
	}
	return nil
}
