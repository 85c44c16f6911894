package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"wi4go/internal/elfobj"
	"wi4go/internal/launch"
	"wi4go/internal/program"
	"wi4go/internal/runtimes"
	"wi4go/internal/wrap"
)

// inspected describes a program for `wi4go inspect --json`.
type inspected struct {
	Program          string        `json:"program"`                     // path of the program
	Via              []string      `json:"via,omitempty"`               // scripts and interpreters that lead to it
	Beside           []string      `json:"beside,omitempty"`            // further libraries that an interpreter may open
	Machine          string        `json:"machine"`                     // processor that it is built for
	Family           string        `json:"family"`                      // ABI family that it was built for
	Contains         string        `json:"contains,omitempty"`          // MPI library that is linked into it
	Sonames          []string      `json:"sonames"`                     // C libraries of MPI that it needs
	Fortran          []string      `json:"fortran_libraries,omitempty"` // Fortran libraries of MPI that it needs
	Cxx              []string      `json:"cxx_libraries,omitempty"`     // C++ libraries of MPI that it needs
	Languages        []string      `json:"languages"`                   // bindings that it uses
	RPath            []string      `json:"rpath,omitempty"`
	RunPath          []string      `json:"runpath,omitempty"`
	Libraries        []foundAt     `json:"mpi_libraries"`               // where ld.so finds its MPI libraries
	Missing          []string      `json:"missing_libraries,omitempty"` // libraries that ld.so does not find
	Copies           []string      `json:"copy_relocations,omitempty"`  // data symbols with copy relocations
	Functions        []string      `json:"functions"`                   // MPI functions that it imports
	FortranFunctions []string      `json:"fortran_functions,omitempty"` // MPI procedures that it imports
	OwnFunctions     []string      `json:"own_functions,omitempty"`     // functions of its MPI library that are not part of MPI
	Draft            string        `json:"draft,omitempty"`             // how the program relates to Intel's draft of the ABI
	DraftFunctions   []string      `json:"draft_functions,omitempty"`   // functions that get, or may get, numbers of the draft
	Runtime          *inspectedFor `json:"runtime,omitempty"`           // with --to, how it fits the runtime
}

// foundAt describes where ld.so finds an MPI library of the program.
type foundAt struct {
	Name     string `json:"name"`      // the soname
	Path     string `json:"path"`      // the file
	By       string `json:"by"`        // the rule of ld.so that found it
	NeededBy string `json:"needed_by"` // the object that needs it
}

// inspectedFor describes how the program fits a runtime.
type inspectedFor struct {
	Library        string   `json:"library"`                  // file of the runtime's library
	Family         string   `json:"family"`                   // ABI family of the runtime
	Native         bool     `json:"native"`                   // the program runs without a front
	IdentityReason string   `json:"identity_front,omitempty"` // reason for a front within the family
	Has            []string `json:"has"`                      // functions that the runtime itself has
	Emulated       []string `json:"emulated"`                 // functions that the front serves without the runtime
	Lacks          []string `json:"lacks"`                    // functions that fail
	Uncalled       []string `json:"uncalled,omitempty"`       // functions among Lacks to which only inline functions of MPI's C++ header refer
	Ends           []string `json:"ends,omitempty"`           // functions that end the program
	Advice         string   `json:"advice,omitempty"`         // what to do if the program calls functions that the runtime lacks
	Problem        string   `json:"problem,omitempty"`        // reason why `wi4go run` would refuse
}

// inspectCommand returns the command that describes a program or the handling of a call.
func inspectCommand() *cobra.Command {
	var to, call, from string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inspect FILE [--to RUNTIME] [--json] | --call FUNCTION --from FAMILY --to RUNTIME",
		Short: "Show a program's MPI, and whether it will run on a runtime",
		Long: `Show the MPI that a program was built for, and whether it will run on a runtime.

With --call, show how a call of one MPI function is handled in programs of a
family (--from) on libraries of another one (--to): the roles and conversions of
its arguments, the layers over it, the replacement if the library lacks the
function, and the code for all this.`,
		Args: func(_ *cobra.Command, args []string) error {
			if call != "" && len(args) == 0 && !asJSON {
				return nil
			}
			if call == "" && from != "" {
				return exitError{exitUsage, errors.New("inspect reads the family from the file: leave out --from, or add --call")}
			}
			if call != "" {
				return exitError{exitUsage, errors.New("inspect --call takes neither a file nor --json: wi4go inspect --call MPI_Recv --from " +
					"openmpi --to mpich")}
			}
			if len(args) != 1 {
				return exitError{exitUsage, errors.New("inspect needs one file: wi4go inspect FILE [--to RUNTIME]")}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if call == "" {
				return runInspect(args[0], to, asJSON)
			}
			l, err := newLauncher()
			if err != nil {
				return err
			}
			return inspectCall(stdout, l, call, from, to)
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "the `RUNTIME`: a name shown by wi4go list, or the path of a library, an installation or an mpiexec")
	cmd.Flags().StringVar(&call, "call", "", "show how a call of this MPI `FUNCTION` is handled")
	familyFlag(cmd, &from, "with --call: the `FAMILY` of the programs")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// runInspect prints the description of a file and, unless to is empty, how it fits the runtime
// to.
func runInspect(file, to string, asJSON bool) error {
	l, err := newLauncher()
	if err != nil {
		return err
	}
	p, err := inspectFile(l, file)
	contains := errors.Is(err, program.ErrContainsMPI)
	if err != nil && !contains {
		return err
	}
	r := report(l, p)
	if to != "" {
		rt, err := l.Runtime(to, false)
		if err != nil {
			return err
		}
		if contains {
			r.Runtime = fitContained(l, file, rt)
		} else {
			r.Runtime = fitRuntime(l, p, rt)
		}
	}
	if asJSON {
		return printJSON(r)
	}
	r.print(stdout)
	return nil
}

// inspectFile returns the program in a file. Unlike `wi4go run`, it also accepts a library that
// a program opens.
func inspectFile(l launch.Launcher, file string) (*program.Program, error) {
	path, notExecutable := program.LookPath(file, "")
	if notExecutable != nil {
		if info, err := os.Stat(file); err != nil || info.IsDir() {
			return nil, notExecutable
		}
		path = file
	}
	p, err := program.Read(path, l.Libs)
	switch {
	case errors.Is(err, elfobj.ErrNotELF) && strings.HasSuffix(path, ".py"):
		return l.Trace([]string{"python3", path}, "", "", nil)
	case errors.Is(err, elfobj.ErrNotELF) && notExecutable != nil:
		return nil, fmt.Errorf("%s is neither an ELF file nor an executable script: name a program or a library", file)
	case errors.Is(err, elfobj.ErrNotELF), errors.Is(err, program.ErrNotMPI) && notExecutable == nil:
		return l.Trace([]string{path}, "", "", nil)
	}
	return p, err
}

// report returns the description of a program.
func report(l launch.Launcher, p *program.Program) inspected {
	main := p.Tree.Nodes[0]
	r := inspected{
		Program: p.Path, Via: p.Via, Beside: p.AlsoOpened, Machine: elfobj.MachineName(main.Machine), Family: p.Family.Name, Contains: p.Contains,
		Sonames: p.Sonames, Fortran: p.Fortran, Cxx: p.Cxx, Languages: p.Languages(),
		RPath: main.RPath, RunPath: main.RunPath,
		Copies: p.Copies, Functions: p.Functions, FortranFunctions: p.FortranFunctions, OwnFunctions: p.OwnFunctions, Draft: l.Draft(p),
	}
	if r.Draft != "" {
		r.DraftFunctions = p.DraftFunctions()
	}
	for _, list := range [][]string{p.Sonames, p.Fortran, p.Cxx} {
		for _, name := range list {
			if n := p.Tree.Find(name); n != nil {
				r.Libraries = append(r.Libraries, foundAt{name, n.Path, n.FoundBy, n.Loader.Name})
			}
		}
	}
	for _, m := range p.Tree.Missing {
		r.Missing = append(r.Missing, fmt.Sprintf("%s (needed by %s)", m.Name, m.Loader.Name))
	}
	return r
}

// fitRuntime returns how a program fits a runtime.
func fitRuntime(l launch.Launcher, p *program.Program, rt *runtimes.Runtime) *inspectedFor {
	j, err := l.JobOf(p, rt)
	s := j.Service()
	f := &inspectedFor{Library: rt.Library, Family: rt.Family.Name, Native: j.Native(), IdentityReason: j.Reason,
		Has: s.Native, Emulated: s.Emulated, Lacks: s.Missing, Ends: j.UnresolvedFunctions()}
	f.Uncalled = j.Uncalled(f.Lacks)
	lacks := j.Lacking() // with Fortran's
	functions := slices.DeleteFunc(slices.Concat(f.Lacks, lacks.Own, lacks.Libraries), func(name string) bool { return slices.Contains(f.Uncalled, name) })
	if len(functions) > 0 && err == nil {
		f.Advice = "if it calls them, use another MPI: " + l.Instead(&j.Request, functions)
	}
	if err != nil {
		f.Native, f.IdentityReason, f.Problem = false, "", oneLine(err)
	}
	return f
}

// fitContained returns how a program that contains its MPI library fits a runtime.
func fitContained(l launch.Launcher, file string, rt *runtimes.Runtime) *inspectedFor {
	f := &inspectedFor{Library: rt.Library, Family: rt.Family.Name, Native: true, Has: []string{}, Emulated: []string{}, Lacks: []string{}}
	if _, err := l.Job([]string{file}, "", "", rt); err != nil {
		f.Native, f.Problem = false, oneLine(err)
	}
	return f
}

// print writes the description as text.
func (r inspected) print(out io.Writer) {
	line := func(label, format string, args ...any) {
		fmt.Fprintf(out, "%-17s%s\n", label, fmt.Sprintf(format, args...))
	}
	list := func(label string, items []string) {
		if len(items) > 0 {
			line(label, "%s", strings.Join(items, ", "))
		}
	}
	line("program", "%s", r.Program)
	list("started by", r.Via)
	list("opens", r.Beside)
	line("machine", "%s", r.Machine)
	line("built for", "%s", r.Family)
	if r.Contains != "" {
		line("contains", "%s, its MPI library", r.Contains)
	}
	list("needs", r.Sonames)
	list("Fortran", r.Fortran)
	list("C++", r.Cxx)
	list("bindings", r.Languages)
	list("RPATH", r.RPath)
	list("RUNPATH", r.RunPath)
	for _, l := range r.Libraries {
		line("loads", "%s => %s (by %s, for %s)", l.Name, l.Path, l.By, l.NeededBy)
	}
	list("not found", r.Missing)
	list("copy relocations", r.Copies)
	line("MPI functions", "%d", len(r.Functions))
	writeNames(out, r.Functions)
	if len(r.FortranFunctions) > 0 {
		line("MPI in Fortran", "%d", len(r.FortranFunctions))
		writeNames(out, r.FortranFunctions)
	}
	if len(r.OwnFunctions) > 0 {
		line("library's own", "%d", len(r.OwnFunctions))
		writeNames(out, r.OwnFunctions)
	}
	if r.Draft != "" {
		line("draft ABI", "%s", r.Draft)
		writeNames(out, r.DraftFunctions)
	}
	f := r.Runtime
	if f == nil {
		return
	}
	line("runtime", "%s (%s)", f.Library, f.Family)
	switch {
	case f.Problem != "":
		line("will not run", "%s", f.Problem)
	case f.Native:
		line("will run", "natively")
	case f.IdentityReason != "":
		line("will run", "through the identity front: %s", f.IdentityReason)
	default:
		line("will run", "translated")
	}
	line("runtime has", "%d", len(f.Has))
	line("wi4go emulates", "%d", len(f.Emulated))
	writeNames(out, f.Emulated)
	line("runtime lacks", "%d", len(f.Lacks))
	writeNames(out, f.Lacks)
	if len(f.Uncalled) > 0 {
		line("note", "only inline functions of MPI's C++ header refer to %d of these:", len(f.Uncalled))
		writeNames(out, f.Uncalled)
	}
	if f.Advice != "" {
		line("advice", "%s", f.Advice)
	}
	if len(f.Ends) > 0 {
		line("fatal calls", "%d", len(f.Ends))
		writeNames(out, f.Ends)
	}
}

// writeNames prints names in lines of up to 100 columns.
func writeNames(out io.Writer, names []string) {
	const indent, width = "  ", 100
	if len(names) == 0 {
		return
	}
	for _, line := range wrap.Lines(strings.Join(names, " "), width-len(indent)) {
		fmt.Fprintln(out, indent+line)
	}
}
