// Package runtimelib opens the MPI library that does the work and resolves its functions, with
// purego. It runs inside the program, called by the core. So it imports little: each import costs
// time and memory in every rank.
//
// It must not know which functions or ABI families there are, how anything is translated, or how
// a job is launched. It keeps no state: the caller that opens a library keeps it.
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
	// Path is its file, with symbolic links resolved.
	Path string
	// Family is the name of its ABI family.
	Family string

	handle uintptr // the dlopen handle
}

// Family describes an ABI family, by which its libraries are recognized.
type Family struct {
	Name   string
	Mark   string // a symbol that its libraries define and no others
	Global bool   // true if its components look their symbols up in the global scope
	Part   string // the soname of the part that newer releases have split off, or ""
}

// essential lists functions without which no program runs.
var essential = []string{"MPI_Init", "MPI_Finalize", "MPI_Comm_rank", "MPI_Send", "MPI_Recv"}

// Resolve returns the file of a library, with symbolic links resolved. variable is the origin of
// the name, for messages. Resolve returns an error for a directory, and for a file below ownDir,
// wi4go's own directory ("" if there is none). The MPI libraries in its directory runtimes are
// allowed.
func Resolve(variable, named, ownDir string) (string, error) {
	path, err := filepath.EvalSymlinks(named)
	if err != nil {
		return "", fmt.Errorf("cannot use the MPI library %s, given by %s: %w: `wi4go list` shows the libraries of this machine", named, variable, errors.Unwrap(err))
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return "", fmt.Errorf("%s=%s is a directory: name the library file, or use `wi4go run --to`, which finds it", variable, named)
	}
	if ownDir, err := filepath.EvalSymlinks(ownDir); err == nil && ownDir != "" && strings.HasPrefix(path, ownDir+"/") && !strings.HasPrefix(path, ownDir+"/runtimes/") {
		return "", fmt.Errorf("%s=%s is a front of wi4go and not an MPI library: name the MPI library to run on", variable, named)
	}
	return path, nil
}

// IsScript reports whether a file is a linker script, which some packages install in place of
// a link to the library: INPUT(libmpi_abi.so.1).
func IsScript(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() { // opening a pipe may block forever
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

// Open loads the MPI library at path, which must be of one of the given families, with
// RTLD_GLOBAL if its family is Global. The error explains why it is no MPI library for this
// process.
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
	l := &Library{Path: path, handle: handle}
	if !l.defines("MPI_Init") || !l.defines("PMPI_Init") {
		return nil, fmt.Errorf("%s is not an MPI library: it does not define MPI_Init and PMPI_Init: name the libmpi.so of an MPI installation", path)
	}
	i := slices.IndexFunc(families, func(f Family) bool { return l.defines(f.Mark) })
	if i < 0 {
		return nil, fmt.Errorf("%s has an ABI that wi4go does not support (it supports %s): name another library, which `wi4go list` shows",
			path, names(families))
	}
	l.Family = families[i].Name
	if families[i].Global {
		if _, err := purego.Dlopen(spelled(path), purego.RTLD_NOW|purego.RTLD_GLOBAL); err != nil {
			return nil, fmt.Errorf("cannot make the symbols of the MPI library %s global: %w", path, err)
		}
	} else {
		l.openToPlugins()
	}
	return l, nil
}

// withPlugins has a function of each library whose plugins look up its symbols in the global scope, because they have no
// DT_NEEDED on it.
var withPlugins = []string{"hwloc_topology_init"}

// openToPlugins makes the symbols of the libraries withPlugins global, if the MPI library needs them, as the dynamic linker
// does for a program that is linked with the MPI library.
func (l *Library) openToPlugins() {
	for _, symbol := range withPlugins {
		file := l.definedIn(symbol)
		if in, err := os.Stat(file); err != nil || l.isFile(in) { // a part of the MPI library loads no plugins
			continue
		}
		purego.Dlopen(spelled(file), purego.RTLD_NOW|purego.RTLD_GLOBAL) // ignore errors: the library then works without plugins
	}
}

// spelled returns the name with which to open a library. An auditor redirects requests for MPI
// libraries, except names with this prefix (shim/audit/audit.c).
func spelled(path string) string {
	if os.Getenv("LD_AUDIT") == "" {
		return path
	}
	return "/." + path
}

// openPart opens the part of a divided library, which is in the same directory. Otherwise the
// library would get a front in its place: fronts have the names of parts as well, and
// LD_LIBRARY_PATH may lead to them.
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

// says reports whether a file contains a name, as it contains the names of the libraries that it
// needs.
func says(path, name string) bool {
	text, err := os.ReadFile(path)
	return err == nil && bytes.Contains(text, []byte("\x00"+name+"\x00"))
}

// names returns the families' names for a message.
func names(families []Family) string {
	var list []string
	for _, f := range families {
		list = append(list, f.Name)
	}
	return strings.Join(slices.Compact(list), ", ")
}

// checkFile reads the head of a file and returns an error for problems that the dynamic linker
// would report less clearly.
func checkFile(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // opening a pipe may block forever
		return fmt.Errorf("%s is not a shared library and not a regular file: name the libmpi.so of an MPI installation", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("cannot read the MPI library: %w", err)
	}
	defer file.Close()
	var head [20]byte // up to e_machine (the ELF gABI, chapter 4), little-endian on all supported machines
	if n, _ := file.Read(head[:]); n < len(head) || string(head[:4]) != elfMagic {
		if IsScript(path) {
			return fmt.Errorf("%s is a linker script: name the library that it refers to", path)
		}
		return fmt.Errorf("%s is not a shared library: name the libmpi.so of an MPI installation", path)
	}
	if m := uint16(head[18]) | uint16(head[19])<<8; m != machine.Host() {
		return fmt.Errorf("%s is built for %s, this program for %s: name an MPI library of this architecture",
			path, machine.Name(m), machine.Name(machine.Host()))
	}
	return nil
}

// defines reports whether the library itself defines the symbol, and not only a library that it
// needs.
func (l *Library) defines(symbol string) bool {
	in, err := os.Stat(l.definedIn(symbol))
	return err == nil && l.isFile(in)
}

// isFile reports whether a file is the library's own.
func (l *Library) isFile(file os.FileInfo) bool {
	library, err := os.Stat(l.Path)
	return err == nil && os.SameFile(file, library)
}

// definedIn returns the file that defines the symbol, the library's own or a file that it needs, or "" if there is none.
func (l *Library) definedIn(symbol string) string {
	address, err := purego.Dlsym(l.handle, symbol)
	if err != nil {
		return ""
	}
	dladdr, err := purego.Dlsym(purego.RTLD_DEFAULT, "dladdr")
	if err != nil {
		return ""
	}
	var info struct { // Dl_info
		file          *byte
		base          uintptr
		name          *byte
		symbolAddress uintptr
	}
	if found, _, _ := purego.SyscallN(dladdr, address, uintptr(unsafe.Pointer(&info))); found == 0 || info.file == nil {
		return ""
	}
	return goString(info.file)
}

// goString returns a copy of a C string.
func goString(s *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(s), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(s, n))
}

// cure returns the advice for an error of the dynamic linker.
func cure(err error, path string) string {
	if strings.Contains(err.Error(), "static TLS") {
		return "libraries opened earlier have used up the space for thread-local storage: call MPI before opening them, or start the program " +
			"with GLIBC_TUNABLES=glibc.rtld.optional_static_tls=8192"
	}
	if strings.Contains(err.Error(), "cannot dynamically load") {
		return "it is a program and not an MPI library: name the libmpi.so of an MPI installation"
	}
	return fmt.Sprintf("`ldd %s` shows the libraries that it needs", path)
}

// Complete returns an error if the library lacks one of the functions without which no program runs.
func (l *Library) Complete() error {
	var missing []string
	for _, name := range essential {
		_, p := purego.Dlsym(l.handle, "P"+name)
		if _, err := purego.Dlsym(l.handle, name); p != nil && err != nil {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("the MPI library %s lacks %s: it is damaged or incomplete: name another with WI4GO_TO or --to", l.Path, strings.Join(missing, ", "))
}

// Handle returns the library's dlopen handle.
func (l *Library) Handle() unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(&l.handle))
}
