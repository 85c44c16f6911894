// Package install returns the paths of the files in an installation of wi4go. It locates the
// installation from the running program, so that the tree can be moved.
//
// It must not know the purpose of the files in it.
package install

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"wi4go/internal/fault"
)

// A Tree is an installation of wi4go below Prefix.
type Tree struct{ Prefix string }

// Find returns the tree whose bin/wi4go is the running program.
func Find() (Tree, error) {
	self, err := os.Executable()
	if err != nil {
		return Tree{}, fmt.Errorf("cannot find the installation of wi4go: %w", err)
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return Tree{}, fmt.Errorf("cannot find the installation of wi4go: %w", err)
	}
	return Tree{filepath.Dir(filepath.Dir(self))}, nil
}

// CheckPath returns an error if the dynamic linker cannot find libraries in this tree, because its path
// contains a character that LD_PRELOAD and LD_LIBRARY_PATH cannot hold; else nil.
func (t Tree) CheckPath() error {
	if dir := t.Fronts(); strings.ContainsAny(dir, ":;") {
		return fault.New("installation-place", "move the installation of wi4go",
			"the path %q contains a colon or a semicolon, which separates paths in LD_PRELOAD and LD_LIBRARY_PATH", dir)
	}
	return nil
}

// Command returns the path of wi4go itself.
func (t Tree) Command() string { return filepath.Join(t.Prefix, "bin", "wi4go") }

// Fronts returns the directory of wi4go's own libraries.
func (t Tree) Fronts() string { return filepath.Join(t.Prefix, "lib", "wi4go") }

// Runtimes is the directory, below Fronts, of MPI libraries that come with wi4go. Each has a prefix
// of its own there. shim/runtimelib and shim/audit/audit.c repeat this name.
const Runtimes = "runtimes"

// Contains reports whether a path is below Fronts and not part of an MPI library there.
func (t Tree) Contains(path string) bool {
	below, found := strings.CutPrefix(path+"/", t.Fronts()+"/")
	return found && !strings.HasPrefix(below, Runtimes+"/")
}

// Dir returns the directory in which a family's front has all sonames of the family's C library,
// and wi4go's Fortran library all sonames of the family's Fortran libraries.
func (t Tree) Dir(family string) string { return filepath.Join(t.Fronts(), family, "path") }

// Front returns the path of wi4go's library with a soname of a family. For the family's first
// soname it is the front itself, for others a library that loads the front. If the installation is
// incomplete, the error names the missing file.
func (t Tree) Front(family, soname string) (string, error) {
	return t.library("has no front for %s programs that need %s: %s is missing", family, soname, "")
}

// StandIn returns the path of a library without symbols that has a soname of a family and loads the
// front.
func (t Tree) StandIn(family, soname string) (string, error) {
	return t.library("has no stand-in for %s programs that need %s: %s is missing", family, soname, "preload")
}

// OwnStubs returns the path of a family's library of stubs for functions that the family's C library has
// in addition to MPI.
func (t Tree) OwnStubs(family string) (string, error) {
	return t.library("has no stubs for %s programs: %[3]s is missing", family, "own.so", "")
}

// Cxx returns the directory of an empty library that has a soname of a family's C++ libraries and
// loads the front, or "" if there is no library of that name.
func (t Tree) Cxx(family, soname string) string {
	dir := filepath.Join(t.Fronts(), family, "cxx", soname)
	if !exists(filepath.Join(dir, soname)) {
		return ""
	}
	return dir
}

// FortranLibrary returns the path of wi4go's Fortran library for a family.
func (t Tree) FortranLibrary(family, soname string) (string, error) {
	return t.library("has no Fortran library for %s programs: %[2]s: %[3]s is missing", family, soname, "")
}

// library returns the path of a library in the directory sub of a family, or an error with the
// format lacks if it is missing. It returns an error if the core is missing, too.
func (t Tree) library(lacks, family, soname, sub string) (string, error) {
	path := filepath.Join(t.Fronts(), family, sub, soname)
	if !exists(path) {
		return "", incomplete(lacks, family, soname, path)
	}
	if core := filepath.Join(t.Fronts(), "libwi4go.so"); !exists(core) {
		return "", incomplete("is incomplete: %s is missing", core)
	}
	return path, nil
}

// Auditor returns the path of the library for LD_AUDIT.
func (t Tree) Auditor() string { return filepath.Join(t.Fronts(), "audit.so") }

// Suppressions returns the path of the suppressions for valgrind.
func (t Tree) Suppressions() string {
	return filepath.Join(t.Prefix, "share", "wi4go", "valgrind.supp")
}

// Pools returns the directory of the sources of the datatype pools.
func (t Tree) Pools() string { return filepath.Join(t.Prefix, "share", "wi4go", "dtpools") }

// Room is the size in bytes of the space for each name in a blank stand-in. A name must be shorter.
const Room = 4096

// MakeStandIn returns the content of a stand-in file with any soname that loads a library by its
// path. It returns an error if a name is longer than Room.
func (t Tree) MakeStandIn(soname, library string) ([]byte, error) {
	content, err := os.ReadFile(filepath.Join(t.Fronts(), "standin.so"))
	if err != nil {
		return nil, incomplete("is incomplete: %w", err)
	}
	for blank, name := range map[string]string{"S": soname, "N": library} {
		room := []byte(strings.Repeat(blank, Room))
		if len(name) >= Room {
			return nil, fmt.Errorf("the path %s is too long for a stand-in: use a shorter path", name)
		}
		if !bytes.Contains(content, room) {
			return nil, incomplete("is damaged: %s has no room for a name", filepath.Join(t.Fronts(), "standin.so"))
		}
		content = bytes.Replace(content, room, append([]byte(name), make([]byte, Room-len(name))...), 1)
	}
	return content, nil
}

// Include returns the directory of mpi.h and bigmpi.h.
func (t Tree) Include() string { return filepath.Join(t.Fronts(), "mpi", "include") }

// Modules returns the directory of the sources of the Fortran modules.
func (t Tree) Modules() string { return filepath.Join(t.Include(), "modules") }

// Link returns the directory of the library for linking programs compiled with that mpi.h: the
// front of the standard ABI, under its link names.
func (t Tree) Link() string { return filepath.Join(t.Fronts(), "mpi", "lib") }

// Commands returns the directory of wi4go's mpirun, mpiexec and compiler wrappers.
func (t Tree) Commands() string { return filepath.Join(t.Fronts(), "mpi", "bin") }

// HasInterface reports whether the installation contains the files of interface mode.
func (t Tree) HasInterface() bool { return exists(t.Link()) }

// StaticLink returns the linker arguments that link that front into a program statically.
func (t Tree) StaticLink() []string {
	library := filepath.Join(t.Link(), "libmpi_abi.a")
	return []string{library, "-Xlinker", "--dynamic-list=" + strings.TrimSuffix(library, "a") + "list", "-lm", "-ldl", "-lpthread"}
}

// LinkedStatic returns, by name, the linker arguments that link that front into a program together with an MPI library,
// so that the program needs no dynamic linker.
func (t Tree) LinkedStatic() map[string][]string {
	linked := map[string][]string{}
	libraries, _ := filepath.Glob(filepath.Join(t.Link(), "static", "*", "libmpi_abi.a")) // the pattern is valid
	for _, library := range libraries {
		linked[filepath.Base(filepath.Dir(library))] = []string{library, "-lm", "-lpthread"}
	}
	return linked
}

// Probe returns the path of a family's test program, which `wi4go doctor` starts.
func (t Tree) Probe(family string) (string, error) {
	path := filepath.Join(t.Fronts(), "probe", family)
	if !exists(path) {
		return "", incomplete("is incomplete: %s is missing", path)
	}
	return path, nil
}

// Verify returns the path of the test program of `wi4go verify` for a family and a soname that it
// needs. binding is the Fortran binding, mpif or f08, or "" for C.
func (t Tree) Verify(family, soname, binding string) (string, error) {
	name := "verify-" + soname
	if binding != "" {
		name += "-" + binding
	}
	path := filepath.Join(t.Fronts(), "verify", family, name)
	if !exists(path) {
		return "", incomplete("is incomplete: %s is missing", path)
	}
	return path, nil
}

// Calls returns the generator's description of every function that programs of one family (front)
// may call on libraries of another (runtime). It has a paragraph for each function, beginning with
// the function's name.
func (t Tree) Calls(front, runtime string) (string, error) {
	path := filepath.Join(t.Prefix, "share", "wi4go", "calls", front+"-"+runtime+".txt.gz")
	f, err := os.Open(path)
	if err != nil {
		return "", incomplete("is incomplete: %w", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return "", incomplete("is damaged: %s: %w", path, err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return "", incomplete("is damaged: %s: %w", path, err)
	}
	return string(text), nil
}

// incomplete returns the error for an installation that lacks something.
func incomplete(format string, args ...any) error {
	return fault.New("installation-incomplete", "run `make`, or reinstall wi4go", "this installation of wi4go "+format, args...)
}

// exists reports whether there is a file at path.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
