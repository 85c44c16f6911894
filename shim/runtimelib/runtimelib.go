// Package runtimelib opens the MPI library that does the work and resolves its
// functions, by purego. It runs inside the program, called by the core, so it
// imports little: what is not there costs no time and no memory in each rank.
//
// It must not know which functions or ABI families there are, how anything is
// translated, or how a job is launched; and it has no state: whoever opens a
// library keeps it.
package runtimelib

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"

	"wi4go/internal/elfobj/machine"
)

// Library is an opened MPI library.
type Library struct {
	// Path is its file, symbolic links resolved.
	Path string
	// Family is the name of its ABI family.
	Family string

	handle  uintptr
	dlsym   uintptr // dlsym(3): purego.Dlsym goes by reflection, 1 ms for all functions of an MPI
	text    []byte  // room for a symbol's name
	missing []string
}

// A Family is what an ABI family's libraries are recognised by.
type Family struct {
	Name   string
	Mark   string // a symbol that its libraries have and no others
	Global bool   // their components look their symbols up in the global scope
	Part   string // the soname of what releases have divided from a library, "" for none
}

// essential are functions without which no program runs.
var essential = []string{"MPI_Init", "MPI_Finalize", "MPI_Comm_rank", "MPI_Send", "MPI_Recv"}

// Resolve gives the file behind the name of a library; variable is what named
// it. Files under ours, wi4go's own directory, are refused, except those of the MPI libraries in
// its directory of runtimes; "" where there is none.
func Resolve(variable, named, ours string) (string, error) {
	path, err := filepath.EvalSymlinks(named)
	if err != nil {
		return "", fmt.Errorf("the MPI library %s that %s names: %w: `wi4go list` shows what is on this machine", named, variable, errors.Unwrap(err))
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return "", fmt.Errorf("%s=%s is a directory: name the library file, or use `wi4go run --to`, which finds it", variable, named)
	}
	if ours, err := filepath.EvalSymlinks(ours); err == nil && ours != "" && strings.HasPrefix(path, ours+"/") && !strings.HasPrefix(path, ours+"/runtimes/") {
		return "", fmt.Errorf("%s=%s is a front of wi4go itself: name the MPI library to run on", variable, named)
	}
	return path, nil
}

// IsScript says that a file is one of the linker's scripts, which packages have in the
// place of a link to the library: INPUT(libmpi_abi.so.1).
func IsScript(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() { // a pipe's other end may never come
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	var head [1024]byte
	n, _ := file.Read(head[:])
	text := string(head[:n])
	return !strings.HasPrefix(text, elfMagic) && (strings.Contains(text, "INPUT") || strings.Contains(text, "GROUP"))
}

const elfMagic = "\x7fELF"

// Open loads the MPI library at path, of one of the given families. It is
// opened RTLD_GLOBAL where its family is Global. The error says why it is no MPI
// library for this process.
func Open(path string, families []Family) (*Library, error) {
	if err := checkFile(path); err != nil {
		return nil, err
	}
	if err := openPart(path, families); err != nil {
		return nil, err
	}
	handle, err := purego.Dlopen(spelled(path), purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("cannot load the MPI library %s: %s: %s", path, strings.ReplaceAll(err.Error(), "/./", "/"), cure(err, path))
	}
	dlsym, err := purego.Dlsym(purego.RTLD_DEFAULT, "dlsym")
	if err != nil {
		return nil, err
	}
	l := &Library{Path: path, handle: handle, dlsym: dlsym}
	if !l.defines("MPI_Init") || !l.defines("PMPI_Init") {
		return nil, fmt.Errorf("%s defines no MPI_Init and PMPI_Init: it is no MPI library; name the libmpi.so of an MPI installation", path)
	}
	i := slices.IndexFunc(families, func(f Family) bool { return l.defines(f.Mark) })
	if i < 0 {
		return nil, fmt.Errorf("%s is of an ABI that wi4go does not run programs on (none of %s): name another library; `wi4go list` shows them",
			path, names(families))
	}
	l.Family = families[i].Name
	if families[i].Global {
		if _, err := purego.Dlopen(spelled(path), purego.RTLD_NOW|purego.RTLD_GLOBAL); err != nil {
			return nil, fmt.Errorf("cannot make the symbols of the MPI library %s global: %w", path, err)
		}
	}
	return l, nil
}

// spelled returns the name by which a library is opened. An auditor redirects requests for
// MPI libraries, but not those that begin so (shim/audit/audit.c).
func spelled(path string) string {
	if os.Getenv("LD_AUDIT") == "" {
		return path
	}
	return "/." + path
}

// openPart opens the part beside a library that is divided, which would else get a front:
// that has the names of parts as well, and LD_LIBRARY_PATH may lead there.
func openPart(path string, families []Family) error {
	for _, f := range families {
		if f.Part == "" {
			continue
		}
		part := filepath.Join(filepath.Dir(path), f.Part)
		if _, err := os.Stat(part); err != nil || !says(path, f.Part) {
			continue
		}
		if _, err := purego.Dlopen(spelled(part), purego.RTLD_NOW|purego.RTLD_LOCAL); err != nil {
			return fmt.Errorf("cannot load %s, which the MPI library %s needs: %w", part, path, err)
		}
		return nil
	}
	return nil
}

// says tells whether a name is in a file, as those of the libraries that it needs are.
func says(path, name string) bool {
	text, err := os.ReadFile(path)
	return err == nil && bytes.Contains(text, []byte("\x00"+name+"\x00"))
}

func names(families []Family) string {
	var list []string
	for _, f := range families {
		list = append(list, f.Name)
	}
	return strings.Join(slices.Compact(list), ", ")
}

// checkFile looks at the head of the file for what the dynamic linker says less
// clearly.
func checkFile(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // a pipe's other end may never come
		return fmt.Errorf("%s is no shared library, nor a regular file: name the libmpi.so of an MPI installation", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("cannot read the MPI library: %w", err)
	}
	defer file.Close()
	var head [20]byte // up to e_machine (the ELF gABI, chapter 4), little-endian on all our machines
	if n, _ := file.Read(head[:]); n < len(head) || string(head[:4]) != elfMagic {
		if IsScript(path) {
			return fmt.Errorf("%s is a linker script: name the library that it leads to", path)
		}
		return fmt.Errorf("%s is no shared library: name the libmpi.so of an MPI installation", path)
	}
	if m := uint16(head[18]) | uint16(head[19])<<8; m != machine.Host() {
		return fmt.Errorf("%s is built for %s, this program for %s: name an MPI library of this architecture",
			path, machine.Name(m), machine.Name(machine.Host()))
	}
	return nil
}

// defines says whether the library itself, and not one that it needs, has the
// symbol.
func (l *Library) defines(symbol string) bool {
	address := l.symbol("", symbol)
	if address == 0 {
		return false
	}
	dladdr, err := purego.Dlsym(purego.RTLD_DEFAULT, "dladdr")
	if err != nil {
		return false
	}
	var info struct { // Dl_info
		file          *byte
		base          uintptr
		name          *byte
		symbolAddress uintptr
	}
	if found, _, _ := purego.SyscallN(dladdr, address, uintptr(unsafe.Pointer(&info))); found == 0 || info.file == nil {
		return false
	}
	in, err := os.Stat(goString(info.file))
	if err != nil {
		return false
	}
	library, err := os.Stat(l.Path)
	return err == nil && os.SameFile(in, library)
}

// symbol is the address of the symbol with that prefix and name, 0 when there is
// none.
func (l *Library) symbol(prefix, name string) uintptr {
	l.text = append(append(append(l.text[:0], prefix...), name...), 0)
	address, _, _ := purego.SyscallN(l.dlsym, l.handle, uintptr(unsafe.Pointer(&l.text[0])))
	return address
}

// goString copies a C string.
func goString(s *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(s), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(s, n))
}

// cure says what helps against an error of the dynamic linker.
func cure(err error, path string) string {
	if strings.Contains(err.Error(), "static TLS") {
		return "libraries that were opened late have used up the room for thread-local storage: " +
			"call MPI before they are opened, or start the program with GLIBC_TUNABLES=glibc.rtld.optional_static_tls=8192"
	}
	if strings.Contains(err.Error(), "cannot dynamically load") {
		return "it is a program and no MPI library: name the libmpi.so of an MPI installation"
	}
	return fmt.Sprintf("`ldd %s` shows what it needs", path)
}

// Function is the address of the library's own MPI function name, under its
// PMPI_ name where it has one; nil when there is none. What was no standard yet
// when a library was made has the prefix MPIX_ there: the persistent collectives
// of Open MPI 4.
func (l *Library) Function(name string) unsafe.Pointer {
	older, _ := strings.CutPrefix(name, "MPI_")
	for _, symbol := range [][2]string{{"P", name}, {"", name}, {"PMPIX_", older}, {"MPIX_", older}} {
		if address := l.symbol(symbol[0], symbol[1]); address != 0 {
			return *(*unsafe.Pointer)(unsafe.Pointer(&address))
		}
	}
	if slices.Contains(essential, name) {
		l.missing = append(l.missing, name)
	}
	return nil
}

// Complete is an error when the library lacked a function that no program can
// do without.
func (l *Library) Complete() error {
	if len(l.missing) == 0 {
		return nil
	}
	return fmt.Errorf("the MPI library %s lacks %s: it is damaged or no full MPI library; name another with WI4GO_TO or --to", l.Path, strings.Join(l.missing, ", "))
}

// Handle is the library's dlopen handle.
func (l *Library) Handle() unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(&l.handle))
}
