package elfobj

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
)

// Bounds of the time and memory for a file, whatever it contains.
const (
	mostTime   = time.Minute
	mostMemory = 2 << 30
)

// subject compiles a program that has everything Read examines.
func subject(t testing.TB) []byte {
	dir := t.TempDir()
	script := filepath.Join(dir, "map")
	require.NoError(t, os.WriteFile(script, []byte("X_1 { global: one; data; local: *; }; X_2 { global: two; } X_1;"), 0o644))
	lib := fakempi.Shared(t, "int one(void) { return 1; } int two(void) { return 2; } long data[4];",
		filepath.Join(dir, "libone.so"), "libone.so.7", "-Wl,--version-script,"+script)
	program := fakempi.Compile(t, "int one(void), two(void); extern long data[4]; __thread int t; int main() { return one() + two() + data[1] + t; }",
		filepath.Join(dir, "program"), lib, "-no-pie", "-Wl,--disable-new-dtags,-rpath,$ORIGIN/a:/b", "-Wl,--build-id")
	data, err := os.ReadFile(program)
	require.NoError(t, err)
	return data
}

// layout is the position of each part of a 64-bit little-endian file.
type layout struct {
	elf.Header64
	progs    []elf.Prog64
	sections []elf.Section64
}

func layoutOf(t testing.TB, data []byte) (l layout) {
	at := func(offset uint64, into any) {
		_, err := binary.Decode(data[offset:], binary.LittleEndian, into)
		require.NoError(t, err)
	}
	at(0, &l.Header64)
	l.progs, l.sections = make([]elf.Prog64, l.Phnum), make([]elf.Section64, l.Shnum)
	at(l.Phoff, l.progs)
	at(l.Shoff, l.sections)
	return l
}

func (l layout) section(kind elf.SectionType) int {
	return slices.IndexFunc(l.sections, func(s elf.Section64) bool { return elf.SectionType(s.Type) == kind })
}

func (l layout) prog(kind elf.ProgType) int {
	return slices.IndexFunc(l.progs, func(p elf.Prog64) bool { return elf.ProgType(p.Type) == kind })
}

// dynamic returns the file offset of the entry with a tag.
func (l layout) dynamic(data []byte, tag elf.DynTag) uint64 {
	p := l.progs[l.prog(elf.PT_DYNAMIC)]
	for at := p.Off; at < p.Off+p.Filesz; at += 16 {
		if elf.DynTag(binary.LittleEndian.Uint64(data[at:])) == tag {
			return at
		}
	}
	return 0
}

// hostile is one damaged program. wrong: Read must not accept it.
type hostile struct {
	name  string
	data  []byte
	wrong bool
}

// damages returns about a hundred damaged programs.
func damages(t testing.TB, good []byte) []hostile {
	l := layoutOf(t, good)
	var all []hostile
	put := func(name string, wrong bool, at uint64, value any) {
		data := slices.Clone(good)
		_, err := binary.Encode(data[at:], binary.LittleEndian, value)
		require.NoError(t, err)
		all = append(all, hostile{name, data, wrong})
	}

	// Cut off at each boundary of the file, and next to it.
	cuts := []uint64{4, 5, elf.EI_NIDENT, 63, 64, l.Phoff + 1, l.Shoff - 1, l.Shoff, l.Shoff + 1, uint64(len(good)) - 1}
	for _, s := range l.sections {
		if elf.SectionType(s.Type) != elf.SHT_NOBITS && s.Off > 64 {
			cuts = append(cuts, s.Off, s.Off+s.Size)
		}
	}
	for _, p := range l.progs {
		cuts = append(cuts, p.Off+p.Filesz)
	}
	slices.Sort(cuts)
	for _, at := range slices.Compact(cuts) {
		if at >= 4 && at < uint64(len(good)) {
			all = append(all, hostile{fmt.Sprintf("cut off at %d", at), good[:at], true})
		}
	}

	// The header.
	for _, v := range []byte{0, 1, 3, 255} {
		put(fmt.Sprintf("class %d", v), true, elf.EI_CLASS, v)
	}
	for _, v := range []byte{0, 2, 3, 255} {
		put(fmt.Sprintf("byte order %d", v), true, elf.EI_DATA, v)
	}
	const phoff, shoff, phentsize, phnum, shentsize, shnum, shstrndx = 32, 40, 54, 56, 58, 60, 62
	for _, v := range []uint64{1, uint64(len(good)), 1 << 40, 1<<63 - 1, 1 << 63, 1<<64 - 1} {
		put(fmt.Sprintf("program headers at %d", v), v != 1, phoff, v)
		put(fmt.Sprintf("section headers at %d", v), v != 1, shoff, v)
	}
	for _, v := range []uint16{0, 1, 55, 57, 65535} {
		put(fmt.Sprintf("program headers of %d", v), true, phentsize, v)
		put(fmt.Sprintf("section headers of %d", v), true, shentsize, v)
	}
	put("no program headers", false, phnum, uint16(0))
	put("65535 program headers", true, phnum, uint16(65535))
	put("65535 section headers", true, shnum, uint16(65535))
	put("names of sections in none", true, shstrndx, uint16(65535))
	put("names of sections in a table of numbers", false, shstrndx, uint16(l.section(elf.SHT_DYNSYM)))
	for _, v := range []uint64{0, 1 << 20, 1 << 31, 1 << 58, 1<<64 - 1} {
		data := slices.Clone(good)
		binary.LittleEndian.PutUint16(data[shnum:], 0)
		binary.LittleEndian.PutUint64(data[l.Shoff+32:], v)
		all = append(all, hostile{fmt.Sprintf("%d section headers by the first one", v), data, v != 0})
	}

	// Segments and sections that lead out of the file, or cover all of it.
	for _, kind := range []elf.ProgType{elf.PT_INTERP, elf.PT_DYNAMIC} {
		at := l.Phoff + uint64(l.prog(kind))*56
		for _, v := range []uint64{uint64(len(good)) - 1, 1 << 40, 1<<64 - 1} {
			put(fmt.Sprintf("%s at %d", kind, v), true, at+8, v)
		}
		put(fmt.Sprintf("%s of everything", kind), false, at+32, uint64(len(good)))
	}
	for _, kind := range []elf.SectionType{elf.SHT_DYNSYM} {
		at := l.Shoff + uint64(l.section(kind))*64
		for _, v := range []uint64{uint64(len(good)), 1 << 40, 1<<64 - 1} {
			put(fmt.Sprintf("%s at %d", kind, v), true, at+24, v)
			put(fmt.Sprintf("%s of %d", kind, v), true, at+32, v)
		}
	}

	// The values in the dynamic section.
	for _, tag := range []elf.DynTag{elf.DT_STRTAB, elf.DT_STRSZ, elf.DT_NEEDED, elf.DT_RPATH, elf.DT_VERNEED, elf.DT_RELA, elf.DT_RELASZ} {
		put(fmt.Sprintf("%s 1", tag), tag == elf.DT_STRTAB || tag == elf.DT_STRSZ || tag == elf.DT_VERNEED || tag == elf.DT_RELA, l.dynamic(good, tag)+8, uint64(1))
		for _, v := range []uint64{1 << 40, 1<<64 - 1} {
			put(fmt.Sprintf("%s %d", tag, v), true, l.dynamic(good, tag)+8, v)
		}
	}

	// A circular list, and a list of entries that overlap.
	need := l.sections[l.section(elf.SHT_GNU_VERNEED)].Off
	put("a version need that follows itself", false, need+12, uint32(0))
	put("version needs that lie over each other", true, need+12, uint32(1))
	put("version needs far apart", true, need+12, uint32(1<<32-1))
	put("a version far away", true, need+8, uint32(1<<32-1))

	all = append(all, overlapping(t, good, l), manyNeeded(good, l), colons(good, l))
	return all
}

// overlapping has a million symbols. The name of each is the whole string table of one megabyte.
func overlapping(t testing.TB, good []byte, l layout) hostile {
	const symbols, text = 1 << 20, 1 << 20
	data := slices.Clone(good)
	load := l.Phoff + uint64(l.prog(elf.PT_LOAD))*56
	end := uint64(len(data))
	table := append(bytes.Repeat([]byte("x"), text-1), 0)
	data = append(data, table...)
	data = append(data, make([]byte, symbols*elf.Sym64Size)...)
	const base = 1 << 40 // nothing else is loaded there
	prog := elf.Prog64{Type: uint32(elf.PT_LOAD), Off: end, Vaddr: base, Filesz: text, Memsz: text}
	_, err := binary.Encode(data[load:], binary.LittleEndian, prog)
	require.NoError(t, err)
	binary.LittleEndian.PutUint64(data[l.dynamic(good, elf.DT_STRTAB)+8:], base)
	binary.LittleEndian.PutUint64(data[l.dynamic(good, elf.DT_STRSZ)+8:], text)
	at := l.Shoff + uint64(l.section(elf.SHT_DYNSYM))*64
	binary.LittleEndian.PutUint64(data[at+24:], end+text)
	binary.LittleEndian.PutUint64(data[at+32:], symbols*elf.Sym64Size)
	return hostile{"a million names over each other", data, true}
}

// manyNeeded has a dynamic section that contains only needed libraries.
func manyNeeded(good []byte, l layout) hostile {
	data := slices.Clone(good)
	at := l.Phoff + uint64(l.prog(elf.PT_DYNAMIC))*56
	const count = 100000
	binary.LittleEndian.PutUint64(data[at+8:], uint64(len(data)))
	binary.LittleEndian.PutUint64(data[at+32:], count*16)
	for range count {
		data = binary.LittleEndian.AppendUint64(data, uint64(elf.DT_NEEDED))
		data = binary.LittleEndian.AppendUint64(data, 1)
	}
	return hostile{"a hundred thousand libraries", data, true}
}

// colons has a DT_RPATH that contains only colons.
func colons(good []byte, l layout) hostile {
	const text = 1 << 20
	data := slices.Clone(good)
	load := l.Phoff + uint64(l.prog(elf.PT_LOAD))*56
	end := uint64(len(data))
	data = append(data, append(bytes.Repeat([]byte(":"), text-1), 0)...)
	binary.LittleEndian.PutUint64(data[load+8:], end)
	binary.LittleEndian.PutUint64(data[load+16:], 1<<40)
	binary.LittleEndian.PutUint64(data[load+32:], text)
	binary.LittleEndian.PutUint64(data[l.dynamic(good, elf.DT_STRTAB)+8:], 1<<40)
	binary.LittleEndian.PutUint64(data[l.dynamic(good, elf.DT_STRSZ)+8:], text)
	return hostile{"a million directories", data, true}
}

// Read reports any damage in bounded time and memory.
func TestReadDamaged(t *testing.T) {
	good := subject(t)
	path := filepath.Join(t.TempDir(), "program")
	require.NoError(t, os.WriteFile(path, good, 0o755))
	o, err := Read(path)
	require.NoError(t, err)
	assert.Contains(t, o.VersionNeeds, VersionNeed{"libone.so.7", "X_2", false})

	all := damages(t, good)
	assert.Greater(t, len(all), 100)
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(path, c.data, 0o755))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			begin := time.Now()
			_, err := Read(path)
			assert.Less(t, time.Since(begin), mostTime)
			runtime.ReadMemStats(&after)
			assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(mostMemory))
			Section(path, ".none")
			Constants(path)
			if c.wrong {
				require.ErrorContains(t, err, "damaged ELF file")
				assert.NotContains(t, err.Error(), "\n")
			}
		})
	}
}

// Other classes and byte orders are read, too: an image may be another machine's.
func TestReadOtherMachines(t *testing.T) {
	for _, c := range []struct {
		order   binary.ByteOrder
		data    elf.Data
		class   elf.Class
		machine elf.Machine
	}{
		{binary.BigEndian, elf.ELFDATA2MSB, elf.ELFCLASS64, elf.EM_S390},
		{binary.BigEndian, elf.ELFDATA2MSB, elf.ELFCLASS32, elf.EM_SPARC},
		{binary.LittleEndian, elf.ELFDATA2LSB, elf.ELFCLASS32, elf.EM_386},
	} {
		t.Run(c.machine.String(), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "library")
			require.NoError(t, os.WriteFile(path, tiny(t, c.order, c.data, c.class, c.machine), 0o644))
			o, err := Read(path)
			require.NoError(t, err)
			assert.Equal(t, c.machine, o.Machine)
			assert.Equal(t, c.class, o.Class)
			assert.Equal(t, []string{"libmpi.so.40"}, o.Needed)
			assert.Equal(t, []Symbol{{"MPI_Init", false, false}}, o.Imports)
			assert.True(t, o.Defines("main"))
		})
	}
}

// tiny writes a library that needs libmpi.so.40, imports MPI_Init and defines main.
func tiny(t *testing.T, order binary.ByteOrder, data elf.Data, class elf.Class, machine elf.Machine) []byte {
	const text = "\x00libmpi.so.40\x00MPI_Init\x00main\x00"
	const header, strings, dynamic, symbols, sections = 64, 256, 512, 768, 1024
	out := make([]byte, 2048)
	put := func(at int, value any) {
		_, err := binary.Encode(out[at:], order, value)
		require.NoError(t, err)
	}
	ident := [elf.EI_NIDENT]byte{0x7f, 'E', 'L', 'F', byte(class), byte(data), byte(elf.EV_CURRENT)}
	copy(out[strings:], text)
	tags := [][2]uint64{{uint64(elf.DT_NEEDED), 1}, {uint64(elf.DT_STRTAB), strings}, {uint64(elf.DT_STRSZ), uint64(len(text))}, {0, 0}}
	const imported, defined = 14, 23
	global := elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC)
	if class == elf.ELFCLASS64 {
		put(0, elf.Header64{Ident: ident, Type: uint16(elf.ET_DYN), Machine: uint16(machine), Phoff: header, Phentsize: 56, Phnum: 2,
			Shoff: sections, Shentsize: 64, Shnum: 2})
		put(header, []elf.Prog64{{Type: uint32(elf.PT_LOAD), Filesz: 2048}, {Type: uint32(elf.PT_DYNAMIC), Off: dynamic, Filesz: 64}})
		put(dynamic, tags)
		put(symbols, []elf.Sym64{{}, {Name: imported, Info: global}, {Name: defined, Info: global, Shndx: 1}})
		put(sections, []elf.Section64{{}, {Type: uint32(elf.SHT_DYNSYM), Off: symbols, Size: 72}})
		return out
	}
	put(0, elf.Header32{Ident: ident, Type: uint16(elf.ET_DYN), Machine: uint16(machine), Phoff: header, Phentsize: 32, Phnum: 2,
		Shoff: sections, Shentsize: 40, Shnum: 2})
	put(header, []elf.Prog32{{Type: uint32(elf.PT_LOAD), Filesz: 2048}, {Type: uint32(elf.PT_DYNAMIC), Off: dynamic, Filesz: 32}})
	for i, tag := range tags {
		put(dynamic+8*i, [2]uint32{uint32(tag[0]), uint32(tag[1])})
	}
	put(symbols, []elf.Sym32{{}, {Name: imported, Info: global}, {Name: defined, Info: global, Shndx: 1}})
	put(sections, []elf.Section32{{}, {Type: uint32(elf.SHT_DYNSYM), Off: symbols, Size: 48}})
	return out
}

// A path that is no regular file is not opened, and a file of a terabyte costs nothing.
func TestReadStrange(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o755))
	sparse := func(name, head string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(head), 0o755))
		if err := os.Truncate(path, 1<<40); err != nil {
			t.Skip("this file system has no sparse files of a terabyte: ", err)
		}
		return path
	}
	huge := subject(t)
	l := layoutOf(t, huge)
	binary.LittleEndian.PutUint64(huge[l.Phoff+uint64(l.prog(elf.PT_DYNAMIC))*56+32:], 1<<39)
	for _, c := range []struct{ path, says string }{
		{pipe, "named pipe"},
		{dir, "directory"},
		{"/dev/zero", "device"},
		{sparse("zeroes", ""), "not an ELF file"},
		{sparse("elf", string(huge)), "its tables have more than 256 MB"},
	} {
		_, err := Read(c.path)
		require.ErrorContains(t, err, c.says)
		_, err = Head(c.path, 100)
		assert.Equal(t, filepath.Dir(c.path) != dir || c.path == pipe || c.path == dir, err != nil, c.path)
	}
}

// FuzzRead: no input makes Read crash, hang or exhaust the memory.
func FuzzRead(f *testing.F) {
	good := subject(f)
	f.Add(good)
	for _, c := range damages(f, good) {
		if len(c.data) < 1<<17 {
			f.Add(c.data)
		}
	}
	path := filepath.Join(f.TempDir(), "program")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o755); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		if o, err := Read(path); err == nil && o == nil {
			t.Fatal("neither an object nor an error")
		}
		Constants(path)
		if time.Since(begin) > mostTime {
			t.Fatal("takes too long")
		}
	})
}
