package main

import (
	"cmp"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"wi4go/tests/harness"
)

// texts are the program's sources.
//
//go:embed cases
var texts embed.FS

// libraries are the MPI libraries that ours are compared with.
var libraries = []string{"openmpi", "mpich", "mpich-5.0", "openmpi-5.0", "intelmpi-2021.18"}

// isOurs reports whether a name among the libraries means the abstract device or the embedded MPI.
func isOurs(name string) bool { return rowsOf[name] != nil }

// program is the program compiled for a library or for the device.
type program struct {
	// name is the library's, or ours; path is the file.
	name, path string
	// launcher is the command that starts it on the embedded MPI.
	launcher string
	// tools start it, and environment contains the variables it needs; neither is used for ours.
	tools       harness.Toolchain
	environment []string
	// failed reports for a number of ranks whether a run has failed.
	failed map[int]bool
}

// isOurs reports whether the program is not one of another library.
func (p program) isOurs() bool { return isOurs(p.name) }

// compile writes the sources into dir and compiles them for every library, and last for ours. A library
// that is not installed is skipped with the reason. It returns an error if a compilation fails.
func (o options) compile(dir string) ([]program, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if err := os.RemoveAll(filepath.Join(dir, "cases")); err != nil {
		return nil, err
	}
	if err := os.CopyFS(dir, texts); err != nil {
		return nil, err
	}
	source := filepath.Join(dir, "cases", "cases.c")
	var programs []program
	for name := range strings.SplitSeq(o.libraries, ",") {
		tools, err := harness.Find(name)
		if err != nil {
			note("%s: skipped: %v", name, err)
			continue
		}
		p := program{name: name, path: filepath.Join(dir, "cases."+name), tools: tools, failed: map[int]bool{}}
		if err := tools.Compile(source, p.path); err != nil {
			return nil, err
		}
		if p.environment, err = environment(p); err != nil {
			return nil, err
		}
		programs = append(programs, p)
	}
	ours, err := o.compileOurs(dir, source)
	return append(programs, ours), err
}

// compileOurs compiles the program for the device. On the embedded MPI a program of MPICH runs, so
// that the front's translation is part of every figure.
func (o options) compileOurs(dir, source string) (program, error) {
	ours := program{name: o.of, path: filepath.Join(dir, "cases."+o.of), failed: map[int]bool{}}
	if o.of == "adi" {
		return ours, o.compileDevice(source, ours.path)
	}
	tools, err := harness.Find("mpich")
	if err != nil {
		return ours, err
	}
	if ours.launcher, err = filepath.Abs(filepath.Join(o.prefix, "bin", "wi4go")); err != nil {
		return ours, err
	}
	if _, err := os.Stat(ours.launcher); err != nil {
		return ours, fmt.Errorf("%w; run make first", err)
	}
	return ours, tools.Compile(source, ours.path)
}

// compileDevice compiles the program for the device.
func (o options) compileDevice(source, path string) error {
	library := filepath.Join(o.prefix, "embedded", "libadi.a")
	if _, err := os.Stat(library); err != nil {
		return fmt.Errorf("%w; run make adi first", err)
	}
	cc := strings.Fields(cmp.Or(os.Getenv("CC"), "gcc"))
	args := append(cc[1:], "-std=gnu11", "-O2", "-g", "-Wall", "-Wextra", "-DADI", "-I", filepath.Join(o.root, "embedded", "adi"), "-o", path, source, library, "-pthread")
	cmd := exec.Command(cc[0], args...)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, text)
	}
	return nil
}

// environment returns the variables that a library outside the system's directories needs.
func environment(p program) ([]string, error) {
	soname, err := harness.Soname(p.path)
	if err != nil {
		return nil, err
	}
	root := p.tools.Root()
	if _, err := os.Stat(filepath.Join(root, "lib", soname)); err != nil {
		return nil, nil // the dynamic linker finds it
	}
	return []string{"LD_LIBRARY_PATH=" + filepath.Join(root, "lib") + ":" + os.Getenv("LD_LIBRARY_PATH"), "I_MPI_ROOT=" + root}, nil
}
