// Package install knows the layout of an installation of wi4go, found from
// the running program, so that the tree can be moved.
//
// It must not know what the files in it do.
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

// A Tree is an installed wi4go.
type Tree struct{ Prefix string }

// Find locates the tree that the running program is the bin/wi4go of.
func Find() (Tree, error) {
	self, err := os.Executable()
	if err != nil {
		return Tree{}, fmt.Errorf("cannot find my own place: %w", err)
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return Tree{}, fmt.Errorf("cannot find my own place: %w", err)
	}
	return Tree{filepath.Dir(filepath.Dir(self))}, nil
}

// Place says why programs cannot be led to libraries in this tree.
func (t Tree) Place() error {
	if dir := t.Fronts(); strings.ContainsAny(dir, ":;") {
		return fault.New("installation-place", "move the installation of wi4go",
			"%q holds a colon or a semicolon, which LD_PRELOAD and LD_LIBRARY_PATH cannot carry", dir)
	}
	return nil
}

// Command is the path of wi4go itself.
func (t Tree) Command() string { return filepath.Join(t.Prefix, "bin", "wi4go") }

// Fronts is the directory that holds our own libraries.
func (t Tree) Fronts() string { return filepath.Join(t.Prefix, "lib", "wi4go") }

// Runtimes is the directory below Fronts of MPI libraries that come with wi4go, each in a
// prefix of its own (shim/runtimelib and shim/audit/audit.c have the same name).
const Runtimes = "runtimes"

// IsOurs reports whether a path is below Fronts and is no part of an MPI library there.
func (t Tree) IsOurs(path string) bool {
	below, found := strings.CutPrefix(path+"/", t.Fronts()+"/")
	return found && !strings.HasPrefix(below, Runtimes+"/")
}

// Dir is the directory that has a family's front under all sonames of its library, and
// the Fortran library of ours under those of its Fortran libraries.
func (t Tree) Dir(family string) string { return filepath.Join(t.Fronts(), family, "path") }

// Front is the path of the library of ours that has a soname of a family: the
// front itself for the first of its sonames, for others one that brings it. The
// error says what an incomplete installation lacks.
func (t Tree) Front(family, soname string) (string, error) {
	return t.library("has no front for %s programs that need %s: %s is missing", family, soname, "")
}

// StandIn is the path of a library without symbols that has a soname of a family
// and brings the front.
func (t Tree) StandIn(family, soname string) (string, error) {
	return t.library("has no stand-in for %s programs that need %s: %s is missing", family, soname, "preload")
}

// Own is the path of a family's library of stubs for functions of its C library's own.
func (t Tree) Own(family string) (string, error) {
	return t.library("has no stubs for %s programs: %[3]s is missing", family, "own.so", "")
}

// Cxx is the directory of an empty library that has a soname of a family's C++ libraries and
// brings the front; "" where there is none of that name.
func (t Tree) Cxx(family, soname string) string {
	dir := filepath.Join(t.Fronts(), family, "cxx", soname)
	if !exists(filepath.Join(dir, soname)) {
		return ""
	}
	return dir
}

// Layer is the path of a family's Fortran library of ours.
func (t Tree) Layer(family, soname string) (string, error) {
	return t.library("has no Fortran layer for %s programs: %[2]s: %[3]s is missing", family, soname, "")
}

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

// Auditor is the library for LD_AUDIT.
func (t Tree) Auditor() string { return filepath.Join(t.Fronts(), "audit.so") }

// Room is how long the names in a blank stand-in may be.
const Room = 4096

// MakeStandIn gives the content of a stand-in with any soname that brings any
// library, by its path.
func (t Tree) MakeStandIn(soname, library string) ([]byte, error) {
	content, err := os.ReadFile(filepath.Join(t.Fronts(), "standin.so"))
	if err != nil {
		return nil, incomplete("is incomplete: %w", err)
	}
	for blank, name := range map[string]string{"S": soname, "N": library} {
		room := []byte(strings.Repeat(blank, Room))
		if len(name) >= Room {
			return nil, fmt.Errorf("the name %s is longer than a stand-in has room for", name)
		}
		if !bytes.Contains(content, room) {
			return nil, incomplete("is damaged: %s has no room for a name", filepath.Join(t.Fronts(), "standin.so"))
		}
		content = bytes.Replace(content, room, append([]byte(name), make([]byte, Room-len(name))...), 1)
	}
	return content, nil
}

// Include is the directory of mpi.h and bigmpi.h.
func (t Tree) Include() string { return filepath.Join(t.Fronts(), "mpi", "include") }

// Modules is the directory of the Fortran modules' sources.
func (t Tree) Modules() string { return filepath.Join(t.Include(), "modules") }

// Link is the directory of the library that programs are linked with which were
// compiled with that mpi.h: the front of the standard ABI, with its link names.
func (t Tree) Link() string { return filepath.Join(t.Fronts(), "mpi", "lib") }

// HasInterface says whether the installation has that; a Python wheel has not.
func (t Tree) HasInterface() bool { return exists(t.Link()) }

// StaticLink is what links that front into a program instead.
func (t Tree) StaticLink() []string {
	return []string{filepath.Join(t.Link(), "libmpi_abi.a"), "-lm", "-ldl", "-lpthread"}
}

// Probe is the path of the program of a family that `wi4go doctor` starts.
func (t Tree) Probe(family string) (string, error) {
	path := filepath.Join(t.Fronts(), "probe", family)
	if !exists(path) {
		return "", incomplete("is incomplete: %s is missing", path)
	}
	return path, nil
}

// Verify is the path of the tests of `wi4go verify` for programs of a family that
// need a soname, in a Fortran binding, mpif or f08, or "" for C.
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

// Calls is what the generator says of every function that programs of a family may
// call over libraries of another: a paragraph for each, which begins with its name.
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

// incomplete is the error of an installation that lacks something.
func incomplete(format string, args ...any) error {
	return fault.New("installation-incomplete", "run `make`, or install wi4go anew", "this installation of wi4go "+format, args...)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
