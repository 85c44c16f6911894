package elfobj

import (
	"bytes"
	"debug/elf"
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
	return sections(path, func(s elf.Section64, name string) bool {
		const relevant, want = elf.SHF_ALLOC | elf.SHF_EXECINSTR | elf.SHF_WRITE, elf.SHF_ALLOC
		return elf.SectionType(s.Type) == elf.SHT_PROGBITS && elf.SectionFlag(s.Flags)&relevant == want && strings.HasPrefix(name, ".rodata")
	})
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
