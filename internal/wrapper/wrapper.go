// Package wrapper is what mpicc, mpicxx and mpifort of an installation of wi4go do: it
// turns their arguments into the command line of the compiler behind them, or
// into the answer to a question, in the words of MPICH's wrappers and of Open
// MPI's.
//
// It must not know of MPI, and it starts nothing.
package wrapper

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"wi4go/internal/shell"
)

// A Language is what a wrapper compiles.
type Language struct {
	Name      string   // as Open MPI's --showme:version has it
	Option    string   // that names the compiler, in MPICH's manner
	Variables []string // that name it, ours first, then MPICH's and Open MPI's
	Compilers []string // the first in PATH is the default
	Library   string   // of the language's own, by its link name
}

// Our own variables that name a compiler.
const (
	ownC       = "WI4GO_CC"
	ownCxx     = "WI4GO_CXX"
	ownFortran = "WI4GO_FC"
)

// The languages.
var (
	C       = Language{"C", "-cc=", []string{ownC, "MPICH_CC", "OMPI_CC"}, []string{"gcc", "cc", "clang"}, ""}
	Cxx     = Language{"C++", "-cxx=", []string{ownCxx, "MPICH_CXX", "OMPI_CXX"}, []string{"g++", "c++", "clang++"}, ""}
	Fortran = Language{"Fortran", "-fc=", []string{ownFortran, "MPICH_FC", "OMPI_FC"}, []string{"gfortran", "flang-new", "flang", "ifx", "nvfortran"}, "wi4go_fortran"}
)

// A Wrapper is one of the commands, of one installation.
type Wrapper struct {
	Name     string // as it was called: mpicc
	Language Language
	Version  string              // of wi4go
	Self     string              // the file of the wrapper, which cannot be the compiler behind it
	Include  string              // the directory of mpi.h
	Library  string              // the directory of libmpi_abi.so
	Static   []string            // what -static-mpi links in place of the library
	Getenv   func(string) string // the caller's environment
	// Modules gives the directory of the modules that this compiler has compiled; nil where
	// the language has none.
	Modules func(compiler []string) (string, error)
}

// library is the link name of the C library. It is not "mpi", which may be
// another MPI's in a directory that the user's own -L names.
const library = "mpi_abi"

// A Result is what is to be done: Text to be printed, then Command to be
// executed, where they are not empty.
type Result struct {
	Text    string
	Command []string
}

// request is what the arguments ask for.
type request struct {
	user         []string // the compiler's own arguments
	show         string   // "" to compile, or what to print
	override     string   // of -cc=
	rpath        bool
	static       bool
	version      bool
	inputs, stop bool // there is a file to be compiled or linked; linking is not asked for
}

// Plan reads the arguments. The error says what is wrong with them, or with the
// variables that name the compiler.
func (w Wrapper) Plan(args []string) (Result, error) {
	r, err := w.parse(args)
	if err != nil {
		return Result{}, err
	}
	compiler, err := w.compiler(r.override)
	if err != nil {
		return Result{}, err
	}
	include := []string{w.Include}
	if w.Modules != nil && r.compiles() {
		modules, err := w.Modules(compiler)
		if err != nil {
			return Result{}, err
		}
		include = append(include, modules)
	}
	compile, link := prefixed("-I", include), w.link(r)
	words := slices.Concat(compiler, compile, r.user)
	if !r.stop && (r.inputs || r.show != "" && len(r.user) == 0) {
		words = append(words, link...)
	}
	text := ""
	switch r.show {
	case "":
		if r.version {
			text = fmt.Sprintf("%s for wi4go version %s", w.Name, w.Version)
		}
		return Result{text, words}, nil
	case "whole":
		text = shell.Join(words...)
	case "compile-info":
		text = shell.Join(slices.Concat(compiler, compile, r.user)...)
	case "link-info":
		text = shell.Join(slices.Concat(compiler, r.user, link)...)
	case "command":
		text = shell.Join(compiler...)
	case "compile":
		text = shell.Join(compile...)
	case "link":
		text = shell.Join(link...)
	case "incdirs":
		text = strings.Join(include, " ")
	case "libdirs":
		text = w.Library
	case "libs":
		text = strings.Join(w.libraries(), " ")
	case "version":
		text = fmt.Sprintf("%s: wi4go %s (Language: %s)", w.Name, w.Version, w.Language.Name)
	}
	return Result{Text: text}, nil
}

// compiles says whether what is asked for needs to know where headers and modules are.
func (r *request) compiles() bool {
	return r.inputs && r.show == "" || slices.Contains([]string{"whole", "compile-info", "compile", "incdirs"}, r.show)
}

func prefixed(prefix string, words []string) (list []string) {
	for _, word := range words {
		list = append(list, prefix+word)
	}
	return list
}

// queries are what can stand behind --showme: in Open MPI's manner.
var queries = strings.Fields("command compile link incdirs libdirs libs version")

// withValue are the options of compilers that have their value in the next
// argument, which is no file to be compiled then.
var withValue = strings.Fields(`-o -x -I -L -D -U -l -MF -MT -MQ -T -u -e -z -A -B -include -imacros -isystem -iquote
	-idirafter -iprefix -iwithprefix -iwithprefixbefore -isysroot -Xlinker -Xpreprocessor -Xassembler -Xclang -J -module
	--param -aux-info -dumpbase -dumpdir -target -arch -framework -rpath -soname`)

// endEarly are those that make a compiler stop before it links.
var endEarly = strings.Fields("-c -S -E -M -MM -fsyntax-only --preprocess --compile --assemble")

func (w Wrapper) parse(args []string) (*request, error) {
	r := &request{rpath: w.Getenv("WI4GO_NORPATH") == ""}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		showme, query, _ := strings.Cut(strings.TrimPrefix(arg, "-"), ":")
		switch {
		case arg == "-show" || showme == "-showme" && query == "" || showme == "showme" && query == "":
			r.show = "whole"
		case showme == "-showme" || showme == "showme":
			if !slices.Contains(queries, query) {
				return nil, fmt.Errorf("%s: there are --showme:%s", arg, strings.Join(queries, ", :"))
			}
			r.show = query
		case arg == "-compile-info" || arg == "-compile_info":
			r.show = "compile-info"
		case arg == "-link-info" || arg == "-link_info":
			r.show = "link-info"
		case strings.HasPrefix(arg, w.Language.Option):
			r.override = strings.TrimPrefix(arg, w.Language.Option)
		case arg == "-norpath":
			r.rpath = false
		case arg == "-static-mpi":
			r.static = true
		default:
			r.user = append(r.user, arg)
			r.version = r.version || arg == "-v"
			r.stop = r.stop || slices.Contains(endEarly, arg)
			r.inputs = r.inputs || !strings.HasPrefix(arg, "-") || arg == "-" || strings.HasPrefix(arg, "-l")
			if slices.Contains(withValue, arg) && i+1 < len(args) {
				i++
				r.user = append(r.user, args[i])
			}
		}
	}
	return r, nil
}

func (w Wrapper) link(r *request) []string {
	if r.static {
		return w.Static
	}
	link := []string{"-L" + w.Library}
	if r.rpath {
		link = append(link, "-Wl,-rpath,"+w.Library)
	}
	for _, name := range w.libraries() {
		link = append(link, "-l"+name)
	}
	return link
}

// libraries are the link names of what a program of the language needs.
func (w Wrapper) libraries() []string {
	if w.Language.Library == "" {
		return []string{library}
	}
	return []string{w.Language.Library, library}
}

// compiler is the command behind the wrapper: of the option, else of the
// variables, else the default.
func (w Wrapper) compiler(override string) ([]string, error) {
	text, from := override, w.Language.Option
	for _, variable := range w.Language.Variables {
		if text == "" {
			text, from = w.Getenv(variable), variable
		}
	}
	if strings.TrimSpace(text) == "" {
		for _, name := range w.Language.Compilers {
			if _, err := exec.LookPath(name); err == nil {
				return []string{name}, nil
			}
		}
		return nil, fmt.Errorf("no compiler for %s: %s are not in PATH: install one, or name it in %s",
			w.Language.Name, strings.Join(w.Language.Compilers, ", "), w.Language.Variables[0])
	}
	words, err := shell.Split(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
		return nil, fmt.Errorf("%s names the compiler %s, which is not here: install it, or name another", from, words[0])
	}
	if real, err := filepath.EvalSymlinks(path); err == nil && real == w.Self {
		return nil, fmt.Errorf("%s names %s, which is this wrapper itself: name the compiler behind it", from, words[0])
	}
	return words, nil
}
