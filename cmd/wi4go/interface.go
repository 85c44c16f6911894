package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"wi4go/internal/install"
	"wi4go/internal/launch"
	"wi4go/internal/modules"
	"wi4go/internal/rankvars"
	"wi4go/internal/runtimes"
	"wi4go/internal/shell"
	"wi4go/internal/wrapper"
)

// compilers maps the names under which wi4go acts as a compiler wrapper to their languages.
var compilers = map[string]wrapper.Language{"mpicc": wrapper.C, "mpicxx": wrapper.Cxx, "mpic++": wrapper.Cxx, "mpiCC": wrapper.Cxx,
	"mpifort": wrapper.Fortran, "mpif90": wrapper.Fortran, "mpif77": wrapper.Fortran}

// called executes a command line of wi4go under the name by which it was called, and returns
// the exit code. The name is wi4go's own, or a name that an MPI installation has (the links in
// bin).
func called(name string, args []string) int {
	var err error
	language, compiler := compilers[name]
	switch {
	case compiler:
		err = compile(name, language, args)
	case name == "mpiexec" || name == "mpirun":
		err = mpiexec(args)
	case len(args) > 1 && args[0] == "called-as": // in trees without symbolic links (packaging/wheel.py)
		return called(args[1], args[2:])
	default:
		return run(args)
	}
	if err == nil {
		return 0
	}
	var e exitError
	if !errors.As(err, &e) {
		e = exitError{exitFailure, err}
	}
	fmt.Fprintf(os.Stderr, "wi4go: %s: %s\n", name, oneLine(err))
	return e.code
}

// optionalModules maps the sources that a compiler may reject to the alternative for its programs. Compilers without C
// descriptors cannot compile mpi_f08.
var optionalModules = map[string]string{"mpi_f08.F90": "take `use mpi` or mpif.h", "dri_f08.f90": "call libdri from C"}

// compiled returns the directory of the modules mpi, mpi_f08 and dri_f08 for a compiler. The first call for a compiler
// compiles them.
func compiled(tree install.Tree, name string, compiler []string) (string, error) {
	var cache modules.Cache
	if dir, err := os.UserCacheDir(); err == nil {
		cache.Dir = filepath.Join(dir, "wi4go", "fortran")
	}
	cache.Temporary = filepath.Join(os.TempDir(), fmt.Sprintf("wi4go-fortran-%d", os.Geteuid()))
	var sources []modules.Source
	for _, file := range []string{"wi4go_mpi_types.f90", "mpi.f90", "mpi_f08.F90", "dri_f08.f90"} {
		sources = append(sources, modules.Source{Path: filepath.Join(tree.Modules(), file), Optional: optionalModules[file] != ""})
	}
	dir, rejected, err := cache.Get(compiler, append(os.Environ(), "LC_ALL=C"), sources)
	for _, r := range rejected {
		file := filepath.Base(r.Path)
		module := strings.TrimSuffix(file, filepath.Ext(file))
		fmt.Fprintf(os.Stderr, "wi4go: %s: %s cannot compile the module %s: %s: %s\n", name, compiler[0], module, r.Message, optionalModules[file])
	}
	return dir, err
}

// compile implements mpicc, mpicxx and mpifort. On success this process becomes the compiler.
func compile(name string, language wrapper.Language, args []string) error {
	tree, err := install.Find()
	if err != nil {
		return err
	}
	static, linked := tree.StaticLink(), tree.LinkedStatic()
	if language.Library != "" {
		own := filepath.Join(tree.Link(), "lib"+language.Library+".a")
		static = slices.Insert(static, 0, own)
		for name, words := range linked {
			linked[name] = slices.Insert(words, 0, own)
		}
	}
	w := wrapper.Wrapper{
		Name: name, Language: language, Version: version, Self: tree.Command(),
		Include: tree.Include(), Library: tree.Link(), Static: static, Linked: linked, Whole: runtimes.EmbeddedName, Getenv: os.Getenv,
	}
	if language.Library != "" {
		w.Modules = func(compiler []string) (string, error) { return compiled(tree, name, compiler) }
	}
	result, err := w.Plan(args)
	if err != nil {
		return err
	}
	if result.Text != "" {
		fmt.Fprintln(stdout, result.Text)
	}
	if result.Command == nil {
		return nil
	}
	if _, err := os.Stat(filepath.Join(w.Include, "mpi.h")); err != nil {
		return fmt.Errorf("this installation of wi4go is incomplete: %w: run `make`, or reinstall wi4go", err)
	}
	path, err := exec.LookPath(result.Command[0])
	if err != nil {
		return err
	}
	return become(path, result.Command, os.Environ())
}

// mpiexec implements `wi4go run` for callers that expect an MPI's own launcher. A command line
// without a program that can be translated goes to the runtime's launcher, with the runtime in the
// environment: as an inquiry in that launcher's own words (mpiexec --version), else unchanged.
func mpiexec(args []string) error {
	l, err := newLauncher()
	if err != nil {
		return err
	}
	options, rest, err := launch.ParseOptions(args)
	if err != nil {
		return exitError{exitUsage, err}
	}
	mine := args[:len(args)-len(rest)]
	all, segments, unclear := launch.ParseRun(slices.Concat(mine, []string{"--"}, rest), l.Finder())
	if unclear == nil {
		options = all
	}
	if unclear == nil {
		options.To = l.LibraryInside(options.To, segments[0])
	}
	rt, err := runtimeFor(&l, options, false)
	if err != nil {
		return err
	}
	start, err := l.Mpiexec(rt)
	if err != nil {
		return err
	}
	command := append([]string{start}, rest...)
	var vars []launch.Var
	inquired := rest
	if unclear == nil {
		inquired = segments[0].Options
	}
	if inquiry := rt.StartedBy().Inquiry(inquired); inquiry != "" {
		command = []string{start, inquiry}
	} else if unclear == nil {
		var jobs []*launch.Job
		var warnings []error
		if err := launch.CheckHostFiles(segments); err != nil && !options.DryRun {
			return err
		}
		if vars, warnings, err = l.Translate(segments, rt); err != nil {
			return exitError{exitUsage, err}
		}
		for _, s := range segments {
			j, err := l.Job(s.Program, s.Dir, options.From, rt)
			if err != nil {
				return err
			}
			j.Warnings, warnings = append(warnings, j.Warnings...), nil
			if err := prepare(l, j); err != nil {
				return err
			}
			jobs = append(jobs, j)
		}
		if command, err = l.Command(segments, jobs); err != nil {
			return err
		}
		if !options.DryRun {
			if err := checkLibraries(l, segments, jobs, os.Environ()); err != nil {
				return err
			}
			if err := checkHosts(l, segments, jobs, command); err != nil {
				return err
			}
		}
	}
	if options.DryRun {
		fmt.Fprintln(stdout, shell.Join(append(envPrefix(vars), command...)...))
		return nil
	}
	environ := rankvars.WithoutJob(os.Environ(), rt.StartedBy().Name)
	return become(start, command, launch.Environ(environ, append(vars, launch.Var{Name: "WI4GO_TO", Value: rt.Library})))
}
