// Package wrapper implements mpicc, mpicxx and mpifort of an installation of wi4go. It turns
// their arguments into the command line of the underlying compiler, or into the answer to a
// query in the syntax of MPICH's or Open MPI's wrappers.
//
// It must not know of MPI, and it starts nothing.
package wrapper

import (
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"wi4go/internal/shell"
)

// A Language is the language that a wrapper compiles.
type Language struct {
	Name      string   // as in Open MPI's --showme:version
	Option    string   // option that sets the compiler, in MPICH's style
	Variables []string // variables that set the compiler: wi4go's own first, then MPICH's and Open MPI's
	Compilers []string // default compilers; the first in PATH is used
	Library   string   // link name of the language's own library, "" for none
}

// wi4go's own variables that set a compiler.
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

// A Wrapper is one wrapper command of one installation.
type Wrapper struct {
	Name     string              // name by which it was called: mpicc
	Language Language            // language that it compiles
	Version  string              // version of wi4go
	Self     string              // file of the wrapper, which must not be its own compiler
	Include  string              // directory of mpi.h
	Library  string              // directory of libmpi_abi.so
	Static   []string            // words that -static-mpi links instead of the library
	Linked   map[string][]string // words that -static-mpi=NAME links, by name: an MPI library that needs no dynamic linker
	Whole    string              // name that -static stands for
	Getenv   func(string) string // reads the caller's environment
	// Modules returns the directory of the modules that this compiler has compiled. It is nil
	// if the language has none.
	Modules func(compiler []string) (string, error)
}

// library is the link name of the C library. It is not "mpi", because another MPI's library may
// have that name in a directory of the user's own -L.
const library = "mpi_abi"

// A Result is the outcome of Plan: the caller prints Text and then executes Command, each
// unless empty.
type Result struct {
	Text    string
	Command []string
}

// request is the parsed command line.
type request struct {
	user     []string // the compiler's own arguments
	show     string   // information to print, "" to compile
	override string   // compiler given by -cc= and similar options
	rpath    bool     // link with an rpath to the library
	static   bool     // link wi4go's library statically (-static-mpi)
	linked   *string  // name of the MPI library to link statically (-static-mpi=NAME), or nil
	whole    string   // option that makes the linker link all libraries statically, such as -static; "" if there is none
	version  bool     // print the version too
	// inputs reports whether there is a file to compile or link; stop reports whether the
	// compiler stops before linking.
	inputs, stop bool
}

// Plan parses the arguments and returns the text to print and the command to execute. It
// returns an error if the arguments, or the variables that set the compiler, are invalid.
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
	link, err := w.link(r, compiler)
	if err != nil {
		return Result{}, err
	}
	compile := prefixed("-I", include)
	words := slices.Concat(compiler, compile, r.user)
	// Link if there is something to link, or if a query passes no arguments of the compiler's.
	if !r.stop && (r.inputs || r.show != "" && len(r.user) == 0) {
		if err := r.checkWhole(); err != nil {
			return Result{}, err
		}
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
		text = join(words...)
	case "compile-info":
		text = join(slices.Concat(compiler, compile, r.user)...)
	case "link-info":
		text = join(slices.Concat(compiler, r.user, link)...)
	case "command":
		text = join(compiler...)
	case "compile":
		text = join(compile...)
	case "link":
		text = join(link...)
	case "incdirs":
		text = join(include...)
	case "libdirs":
		text = join(w.Library)
	case "libs":
		text = strings.Join(w.libraries(), " ")
	case "version":
		// Meson takes the first number of three parts for the version of MPI.
		text = fmt.Sprintf("%s: MPI %s by wi4go %s (Language: %s)", w.Name, standard, w.Version, w.Language.Name)
	}
	return Result{Text: text}, nil
}

// join returns the words as a line for a shell. If a directory contains a space, the quotes begin after -I, -L or -Wl,
// because CMake's FindMPI finds options only by their first character.
func join(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = shell.Quote(word)
		for _, option := range []string{"-I", "-L", "-Wl,"} {
			if value, found := strings.CutPrefix(word, option); found && quoted[i] != word && !strings.ContainsAny(value, "\"\\$`") {
				quoted[i] = option + `"` + value + `"`
			}
		}
	}
	return strings.Join(quoted, " ")
}

// checkWhole returns an error if the program would be static as a whole, but would still have to open an MPI library.
func (r *request) checkWhole() error {
	const cause = "links a program without a dynamic linker"
	switch {
	case strings.HasPrefix(r.whole, "-Wl,"):
		return fmt.Errorf("%s %s, but with the start files of a dynamic one: replace it by -static", r.whole, cause)
	case r.whole != "" && r.static && r.linked == nil:
		return fmt.Errorf("%s %s, which a program of -static-mpi needs to open its MPI library: leave out -static-mpi, and the program "+
			"contains wi4go's own MPI for one host, or leave out %s", r.whole, cause, r.whole)
	}
	return nil
}

// compiles reports whether the result needs the directories of headers and modules.
func (r *request) compiles() bool {
	return r.inputs && r.show == "" || slices.Contains([]string{"whole", "compile-info", "compile", "incdirs"}, r.show)
}

// prefixed returns the words, each with prefix in front.
func prefixed(prefix string, words []string) (list []string) {
	for _, word := range words {
		list = append(list, prefix+word)
	}
	return list
}

// standard is the version of MPI in wi4go's mpi.h.
const standard = "5.0.0"

// queries are the words that Open MPI's syntax allows after "--showme:".
var queries = strings.Fields("command compile link incdirs libdirs libs version")

// withValue are the compiler options whose value is the next argument, which is therefore not a
// file to compile.
var withValue = strings.Fields(`-o -x -I -L -D -U -l -MF -MT -MQ -T -u -e -z -A -B -include -imacros -isystem -iquote
	-idirafter -iprefix -iwithprefix -iwithprefixbefore -isysroot -Xlinker -Xpreprocessor -Xassembler -Xclang -J -module
	--param -aux-info -dumpbase -dumpdir -target -arch -framework -rpath -soname`)

// endEarly are the options that make a compiler stop before it links.
var endEarly = strings.Fields("-c -S -E -M -MM -fsyntax-only --preprocess --compile --assemble")

// wholeStatic are the options with which a compiler links programs that have no dynamic linker.
var wholeStatic = strings.Fields("-static --static -static-pie --static-pie -Wl,-static -Wl,--static")

// parse returns the request in args, or an error for an unknown query.
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
				return nil, fmt.Errorf("%s: unknown query: the queries are --showme:%s", arg, strings.Join(queries, ", :"))
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
		case strings.HasPrefix(arg, "-static-mpi="):
			name := strings.TrimPrefix(arg, "-static-mpi=")
			r.linked = &name
		default:
			r.user = append(r.user, arg)
			r.version = r.version || arg == "-v"
			r.stop = r.stop || slices.Contains(endEarly, arg)
			if slices.Contains(wholeStatic, arg) {
				r.whole = arg
			}
			r.inputs = r.inputs || !strings.HasPrefix(arg, "-") || arg == "-" || strings.HasPrefix(arg, "-l")
			if slices.Contains(withValue, arg) && i+1 < len(args) {
				i++
				r.user = append(r.user, args[i])
			}
		}
	}
	return r, nil
}

// link returns the words that link the library. It returns an error if there is no library of the name in
// -static-mpi=NAME for the compiler.
func (w Wrapper) link(r *request, compiler []string) ([]string, error) {
	switch {
	case r.linked != nil:
		return w.linkStatic(*r.linked, "-static-mpi="+*r.linked, compiler)
	case r.whole != "" && !r.static && !r.stop:
		return w.linkStatic(w.Whole, r.whole, compiler)
	case r.static:
		return w.Static, nil
	}
	link := []string{"-L" + w.Library}
	if r.rpath {
		link = append(link, "-Wl,-rpath,"+w.Library)
	}
	for _, name := range w.libraries() {
		link = append(link, "-l"+name)
	}
	return link, nil
}

// musl is the suffix in the name of a library that was compiled for musl.
const musl = "-musl"

// linkStatic returns the words that link the MPI library of a name statically, or for a compiler for musl its
// variant for musl. option is the user's option.
func (w Wrapper) linkStatic(name, option string, compiler []string) ([]string, error) {
	own := w.Linked[name] != nil
	forMusl := strings.Contains(filepath.Base(compiler[0]), musl[1:]) || !own // an installation for musl has no other
	if forMusl && w.Linked[name+musl] != nil {
		name += musl
	} else if forMusl && own && !strings.HasSuffix(name, musl) {
		return nil, fmt.Errorf("%s: %s compiles for musl, and this installation has no MPI library for it: run `make static-musl` in wi4go's source",
			option, compiler[0])
	}
	words := w.Linked[name]
	if words == nil {
		return nil, fmt.Errorf("%s: there is no MPI library %q to link statically: the libraries are %s, or leave out the name to choose "+
			"the library when the program runs", option, name, strings.Join(slices.Sorted(maps.Keys(w.Linked)), ", "))
	}
	return words, nil
}

// libraries returns the link names of the libraries that a program of the language needs.
func (w Wrapper) libraries() []string {
	if w.Language.Library == "" {
		return []string{library}
	}
	return []string{w.Language.Library, library}
}

// compiler returns the command of the underlying compiler: from override if it is set, else
// from the environment variables, else the first default in PATH. It returns an error if the
// compiler is missing or is the wrapper itself.
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
		return nil, fmt.Errorf("%s names the compiler %s, which is not installed: install it, or name another", from, words[0])
	}
	if real, err := filepath.EvalSymlinks(path); err == nil && real == w.Self {
		return nil, fmt.Errorf("%s names %s, which is this wrapper itself: name the compiler that it should call", from, words[0])
	}
	return words, nil
}
