// Package header reads the ABI facts of one installed MPI. It gets the macros and declarations of mpi.h from an mpicc,
// compiles a C program that prints their values, and reads the dynamic symbols of the library that the program is
// linked with. It also merges the facts of several versions of one family, and compares an installed version with a
// merged file.
//
// It knows nothing of the functions' parameters.
package header

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"wi4go/abi"
)

// MPI is one installed MPI library and its compiler wrapper.
type MPI struct {
	Mpicc   string // the wrapper's path
	Family  string // the family's name
	Release string // "4.1.4"
	Label   string // the name of this version in the merged file: "4.1"
	// NoFortran is the reason, after Read, why the Fortran values of the handles are missing, or nil.
	NoFortran error

	flags   []string // the options among the words of the wrapper's name
	env     []string
	dir     string   // the temporary directory of the compilations
	library string   // the path of libmpi, with links resolved
	exports *dynamic // the library's exports
}

// Find identifies the MPI of a wrapper. Options may follow the wrapper's name ("mpicc -mpi_abi"). The caller closes the
// result. The error names the cure.
func Find(mpicc string) (*MPI, error) {
	name, options, _ := strings.Cut(mpicc, " -")
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, fmt.Errorf("%s: no such compiler wrapper: give the path of an MPI's mpicc", name)
	}
	m := &MPI{Mpicc: path, env: append(os.Environ(), "LC_ALL=C")}
	if options != "" {
		m.flags = strings.Fields("-" + options)
	}
	prefix := filepath.Dir(filepath.Dir(path))
	if _, err := os.Stat(filepath.Join(prefix, "bin", "impi_info")); err == nil {
		// An Intel MPI that was moved finds its files by these variables.
		m.env = append(m.env, "I_MPI_ROOT="+prefix, "LD_LIBRARY_PATH="+filepath.Join(prefix, "lib"))
	}
	if moved, _ := filepath.Glob(filepath.Join(prefix, "lib", "libopen-pal.so.*")); len(moved) > 0 {
		// An Open MPI that was moved finds its files by these variables.
		m.env = append(m.env, "OPAL_PREFIX="+prefix, "LD_LIBRARY_PATH="+filepath.Join(prefix, "lib"))
	}
	if m.dir, err = os.MkdirTemp("", "wi4go-abi"); err != nil {
		return nil, err
	}
	if err := m.identify(); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// identify sets family and release from the version macros.
func (m *MPI) identify() error {
	text, err := m.preprocess("#include <mpi.h>\n@OMPI_MAJOR_VERSION.OMPI_MINOR_VERSION.OMPI_RELEASE_VERSION@MPICH_VERSION@MPI_ABI_VERSION@\n")
	if err != nil {
		return err
	}
	parts := strings.Split(text[strings.IndexByte(text, '@')+1:], "@")
	ompi, mpich := strings.ReplaceAll(parts[0], " ", ""), strings.Trim(parts[1], `" `)
	switch {
	case !strings.HasPrefix(ompi, "OMPI"):
		m.Family, m.Release = "openmpi", ompi
	case mpich != "MPICH_VERSION":
		m.Family, m.Release = "mpich", mpich
	case strings.TrimSpace(parts[2]) != "MPI_ABI_VERSION":
		m.Family = abi.Standard()
		return m.identifyLibrary()
	default:
		return fmt.Errorf("%s: its mpi.h is neither Open MPI's nor MPICH's nor the standard ABI's: give an mpicc of one of those", m.Mpicc)
	}
	m.Label = strings.Join(strings.SplitN(m.Release, ".", 3)[:2], ".")
	return nil
}

// versionText matches the version text of the libraries of the standard ABI: "MPICH Version: 5.0.2", "Intel(R) MPI
// Library 2021.18.1 for Linux* OS".
var versionText = regexp.MustCompile(`^(MPICH|Intel)\D*(\d+\.\d+)(\.\d+)?`)

// identifyLibrary sets the release from the library's version text, because the standard ABI's mpi.h is the same for
// every vendor. The label begins with the vendor.
func (m *MPI) identifyLibrary() error {
	bin := filepath.Join(m.dir, "version")
	_, stderr, err := m.compile("#include <mpi.h>\n#include <stdio.h>\nint main(void) {\n"+
		"char text[MPI_MAX_LIBRARY_VERSION_STRING];\nint n;\nreturn MPI_Get_library_version(text, &n) || puts(text) < 0;\n}\n", "-o", bin)
	if err != nil {
		return fmt.Errorf("%s cannot compile a program that prints the library's version: %v\n%s", m.Mpicc, err, stderr)
	}
	stdout, stderr, err := m.command(bin)
	if err != nil {
		return fmt.Errorf("%s: the program that prints the library's version fails: %v\n%s", m.Mpicc, err, stderr)
	}
	v := versionText.FindStringSubmatch(stdout)
	if v == nil {
		return fmt.Errorf("%s: its library has the unknown version text %q: add it to abi/internal/header", m.Mpicc, strings.TrimSpace(stdout))
	}
	m.Release, m.Label = v[2]+v[3], strings.ToLower(v[1])+" "+v[2]
	return nil
}

// Close removes the temporary files.
func (m *MPI) Close() { os.RemoveAll(m.dir) }

func (m *MPI) String() string { return m.Family + " " + m.Release }

// command runs a program in the temporary directory and returns its standard output and error.
func (m *MPI) command(name string, args ...string) (stdout, stderr string, err error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = m.dir, m.env
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	err = cmd.Run()
	return o.String(), e.String(), err
}

// compile runs the wrapper on the source text. The directory with the unhidden
// mpi.h comes first on the include path.
func (m *MPI) compile(source string, args ...string) (stdout, stderr string, err error) {
	file := filepath.Join(m.dir, "probe.c")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		return "", "", err
	}
	words := slices.Concat(m.flags, []string{"-I" + m.dir, "-std=gnu99", "-w"}, args, []string{file})
	return m.command(m.Mpicc, words...)
}

func (m *MPI) preprocess(source string, flags ...string) (string, error) {
	out, stderr, err := m.compile(source, append(flags, "-E")...)
	if err != nil {
		return "", fmt.Errorf("%s cannot preprocess mpi.h: %v\n%s", m.Mpicc, err, stderr)
	}
	return out, nil
}

// hidden matches the switches of Open MPI's configure that leave names out of mpi.h. Libraries configured otherwise
// have the same ABI with more names, and programs built with them use these names. So the probe reads the header with
// the switches on, and marks the additional names as optional.
var hidden = regexp.MustCompile(`(?m)^(#define (?:OMPI_ENABLE_MPI1_COMPAT|OMPI_HAVE_FORTRAN_\w+|HAVE_\w*_COMPLEX)) 0$`)

var included = regexp.MustCompile(`(?m)^# 1 "([^"]*/mpi\.h)"`)

// unhide writes a copy of mpi.h with the hidden names, in a directory that later compilations search first. It reports
// whether there are hidden names.
func (m *MPI) unhide() (bool, error) {
	out, err := m.preprocess("#include <mpi.h>\n")
	if err != nil {
		return false, err
	}
	at := included.FindStringSubmatch(out)
	if at == nil {
		return false, fmt.Errorf("%s: cannot find the mpi.h that it includes", m.Mpicc)
	}
	b, err := os.ReadFile(at[1])
	if err != nil {
		return false, err
	}
	shown := hidden.ReplaceAll(b, []byte("$1 1"))
	if bytes.Equal(shown, b) {
		return false, nil
	}
	return true, os.WriteFile(filepath.Join(m.dir, "mpi.h"), shown, 0o644)
}

// Read returns all facts about this MPI as a Family with one version.
func (m *MPI) Read() (*abi.Family, error) {
	plain, err := m.names()
	if err != nil {
		return nil, err
	}
	all := plain
	if more, err := m.unhide(); err != nil {
		return nil, err
	} else if more {
		if all, err = m.names(); err != nil {
			return nil, err
		}
	}
	f, err := m.classify(all)
	if err != nil {
		return nil, err
	}
	for name, h := range f.Handles {
		h.Optional = plain.text[name] == "" || isNull(f, name, h)
		f.Handles[name] = h
	}
	if err := m.symbols(f, all.decls); err != nil {
		return nil, err
	}
	return f, m.fortran(f)
}

// isNull reports whether another datatype equals the value of MPI_DATATYPE_NULL.
func isNull(f *abi.Family, name string, h abi.Handle) bool {
	return h.Kind == "DATATYPE" && h.Value != nil && name != "MPI_DATATYPE_NULL" && *h.Value == *f.Handles["MPI_DATATYPE_NULL"].Value
}

// names are the identifiers that the headers give to a program.
type names struct {
	text  map[string]string   // the expanded text of constant-like macros, enumerators and variables
	types map[string][]string // the types that have a size, with the fields of structs
	vars  map[string]bool     // pointer variables
	decls string              // the preprocessed headers
}

// headers are the includes of the probed programs. mpi-ext.h has Open MPI's MPIX_ extensions.
const headers = "#include <mpi.h>\n#if __has_include(<mpi-ext.h>)\n#include <mpi-ext.h>\n#endif\n"

var (
	constantName = regexp.MustCompile(`^(MPI|MPIX|IMPI|OMPI_COMM_TYPE|MPIR_ERRORS)_[A-Z0-9_]+$`)
	macroDef     = regexp.MustCompile(`(?m)^#define (\w+)(?: |$)`)
	enumBody     = regexp.MustCompile(`enum\s*(\w*)\s*\{([^}]*)\}`)
	enumerator   = regexp.MustCompile(`(?:^|,)\s*(\w+)`)
	typeName     = regexp.MustCompile(`typedef\s[^;{(]*?(?:\{([^}]*)\})?[^;{(]*?\b(MPIX?_\w+)\s*;`)
	structAlias  = regexp.MustCompile(`typedef\s+struct\s+(\w+)\s+(MPIX?_\w+)\s*;`)
	structBody   = regexp.MustCompile(`struct\s+(\w+)\s*\{([^}]*)\}`)
	field        = regexp.MustCompile(`(\w+)\s*(?:\[[^\]]*\])?\s*;`)
	functionType = regexp.MustCompile(`_function\w*$|_fn$`)
	pointerVar   = regexp.MustCompile(`extern\s[^;(]*?\*\s*(?:const\s+)?(MPI_\w+)[^;]*;`)
)

// wrapperSwitch is the macro by which wrappers select the standard ABI's header.
const wrapperSwitch = "MPI_ABI"

// names preprocesses the headers to find their macros and declarations, and to expand every constant-like macro.
func (m *MPI) names() (*names, error) {
	macros, err := m.preprocess(headers, "-dM")
	if err != nil {
		return nil, err
	}
	decls, err := m.preprocess(headers, "-P")
	if err != nil {
		return nil, err
	}
	n := &names{map[string]string{}, map[string][]string{"MPI_Fint": nil}, map[string]bool{}, decls}
	src := headers
	add := func(name string) {
		if constantName.MatchString(name) && name != wrapperSwitch {
			src += fmt.Sprintf("@%q@ %s\n", name, name)
		}
	}
	for _, d := range macroDef.FindAllStringSubmatch(macros, -1) {
		add(d[1])
	}
	for _, e := range enumBody.FindAllStringSubmatch(decls, -1) {
		if strings.HasPrefix(e[1], "QMPI_") {
			continue // MPICH numbers its functions for tools, differently in each version
		}
		for _, d := range enumerator.FindAllStringSubmatch(e[2], -1) {
			add(d[1])
		}
	}
	for _, v := range pointerVar.FindAllStringSubmatch(decls, -1) {
		n.vars[v[1]] = true
		add(v[1])
	}
	expanded, err := m.preprocess(src, "-P")
	if err != nil {
		return nil, err
	}
	for _, part := range strings.Split(expanded, "@\"")[1:] {
		name, text, _ := strings.Cut(part, "\"@")
		n.text[name] = strings.Join(strings.Fields(text), " ")
	}

	bodies := map[string]string{}
	for _, b := range structBody.FindAllStringSubmatch(decls, -1) {
		bodies[b[1]] = b[2]
	}
	alias := map[string]string{}
	for _, a := range structAlias.FindAllStringSubmatch(decls, -1) {
		alias[a[2]] = a[1]
	}
	for _, t := range typeName.FindAllStringSubmatch(decls, -1) {
		if functionType.MatchString(t[2]) {
			continue
		}
		var fields []string
		for _, f := range field.FindAllStringSubmatch(t[1]+bodies[alias[t[2]]], -1) {
			fields = append(fields, f[1])
		}
		n.types[t[2]] = fields
	}
	return n, nil
}

var (
	handleCast = regexp.MustCompile(`\(\s*MPIX?_(Comm|Datatype|Errhandler|File|Group|Info|Message|Op|Request|Session|Win|Stream)\s*\)`)
	addressOf  = regexp.MustCompile(`&\s*\(?\s*(\w+)`)
	castAny    = regexp.MustCompile(`\(\s*[\w\s]+\*+\s*\)`)
	identifier = regexp.MustCompile(`\b[A-Za-z_]\w*`)
	callback   = regexp.MustCompile(`_FN$|_FN_NULL(_C)?$`)
)

// classify sorts the names into the parts of a Family by their expanded text, and sets their values by running a
// program.
func (m *MPI) classify(n *names) (*abi.Family, error) {
	f := &abi.Family{
		Family:    m.Family,
		Versions:  map[string][]string{m.Label: {m.Release}},
		Types:     map[string]abi.Type{},
		Constants: map[string]int64{},
		Strings:   map[string]string{},
		Pointers:  map[string]abi.Pointer{},
		Callbacks: map[string]abi.Callback{},
		Handles:   map[string]abi.Handle{},
	}
	var statements []string
	ask := func(key, expr string) {
		statements = append(statements, fmt.Sprintf(`printf("%s %%lld\n", (long long)(%s));`, key, expr))
	}
	for t, fields := range n.types {
		ask("type "+t, "sizeof("+t+")")
		for _, field := range fields {
			ask("field "+t+" "+field, "__builtin_offsetof("+t+", "+field+")")
		}
	}
	for name, text := range n.text {
		kind := handleCast.FindStringSubmatch(text)
		switch {
		case n.vars[name]:
			f.Pointers[name] = abi.Pointer{Symbol: name}
		case strings.HasPrefix(text, `"`):
			s, err := strconv.Unquote(text)
			if err != nil {
				return nil, fmt.Errorf("%s: mpi.h: %s is the string %s: %v", m, name, text, err)
			}
			f.Strings[name] = s
		case callback.MatchString(name):
			if symbol := identifier.FindString(castAny.ReplaceAllString(text, "")); symbol != "" {
				f.Callbacks[name] = abi.Callback{Symbol: symbol}
			} else {
				ask("callback "+name, "(__INTPTR_TYPE__)("+name+")")
			}
		case kind != nil:
			h := abi.Handle{Kind: strings.ToUpper(kind[1])}
			if symbol := addressOf.FindStringSubmatch(text); symbol != nil {
				h.Symbol = symbol[1]
			} else {
				ask("handle "+name, "(__UINTPTR_TYPE__)("+name+") & 0xffffffff")
			}
			f.Handles[name] = h
		case strings.Contains(text, "*"), strings.Contains(text, "(MPI_T_"):
			ask("pointer "+name, "(__INTPTR_TYPE__)("+name+")")
		default:
			ask("constant "+name, name)
		}
	}
	values, err := m.run(statements)
	if err != nil {
		return nil, err
	}
	for key, v := range values {
		k := strings.Fields(key)
		switch t := f.Types[k[1]]; k[0] {
		case "type":
			t.Size = int(v)
			f.Types[k[1]] = t
		case "field":
			if t.Fields == nil {
				t.Fields = map[string]int{}
			}
			t.Fields[k[2]] = int(v)
			f.Types[k[1]] = t
		case "constant":
			f.Constants[k[1]] = v
		case "pointer":
			f.Pointers[k[1]] = abi.Pointer{Value: v}
		case "callback":
			f.Callbacks[k[1]] = abi.Callback{Value: &v}
		case "handle":
			h := f.Handles[k[1]]
			h.Value, h.Hex = &v, fmt.Sprintf("%#08x", v)
			f.Handles[k[1]] = h
		}
	}
	f.HandleBits = 8 * f.Types["MPI_Comm"].Size
	return f, nil
}

// errorLine matches the error of a wrong statement, or of a statement whose macro is wrong: the compiler then names the
// statement after the place in the header.
var errorLine = regexp.MustCompile(`(?m)^statement:(\d+):(?:\d+:)? (?:error:|note: in expansion of macro)`)

// run compiles and runs a program of the statements, each of which prints "key value", and returns the values. It omits
// a statement that does not compile, because mpi.h has macros that are no expressions. The program also prints the path
// of the library that it is linked with.
func (m *MPI) run(statements []string) (map[string]int64, error) {
	bin := filepath.Join(m.dir, "probe")
	for {
		_, stderr, err := m.compile("#define _GNU_SOURCE\n"+headers+"#include <stdio.h>\n#include <dlfcn.h>\n"+
			"int main(void) {\nDl_info i;\nif (dladdr((void *)MPI_Finalize, &i)) fputs(i.dli_fname, stderr);\n"+
			"#line 1 \"statement\"\n"+strings.Join(statements, "\n")+"\nreturn 0;\n}\n",
			"-fno-diagnostics-show-caret", "-fmax-errors=0", "-o", bin)
		if err == nil {
			break
		}
		bad := map[int]bool{}
		for _, l := range errorLine.FindAllStringSubmatch(stderr, -1) {
			i, _ := strconv.Atoi(l[1]) // the expression matches digits
			bad[i-1] = true
		}
		var good []string
		for i, s := range statements {
			if !bad[i] {
				good = append(good, s)
			}
		}
		if len(good) == len(statements) {
			return nil, fmt.Errorf("%s cannot compile the probe: %v\n%s", m.Mpicc, err, stderr)
		}
		statements = good
	}
	stdout, stderr, err := m.command(bin)
	if err != nil {
		return nil, fmt.Errorf("%s: the probe fails: %v\n%s", m, err, stderr)
	}
	if m.library, err = filepath.EvalSymlinks(stderr); err != nil {
		return nil, fmt.Errorf("%s: cannot find the library that the probe is linked with: %v", m, err)
	}
	return parse(stdout)
}

// parse reads lines of "key value".
func parse(text string) (map[string]int64, error) {
	values := map[string]int64{}
	for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
		i := strings.LastIndexByte(l, ' ')
		if i < 0 {
			return nil, fmt.Errorf("the probe prints %q", l)
		}
		v, err := strconv.ParseInt(l[i+1:], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("the probe prints %q: %v", l, err)
		}
		values[l[:i]] = v
	}
	return values, nil
}

// c2f names the conversion of each kind of handle (MPI-5.0, 19.3.4).
var c2f = map[string]string{
	"COMM": "MPI_Comm_c2f", "DATATYPE": "MPI_Type_c2f", "ERRHANDLER": "MPI_Errhandler_c2f", "FILE": "MPI_File_c2f",
	"GROUP": "MPI_Group_c2f", "INFO": "MPI_Info_c2f", "MESSAGE": "MPI_Message_c2f", "OP": "MPI_Op_c2f",
	"REQUEST": "MPI_Request_c2f", "SESSION": "MPI_Session_c2f", "WIN": "MPI_Win_c2f",
}

// fortran sets the handles' INTEGER values. In the mpich family and in the standard ABI (MPI-5.0, 20.3.4) they are the
// C values. In the openmpi family a program converts them between MPI_Init and MPI_Finalize. If it cannot run,
// NoFortran is the reason.
func (m *MPI) fortran(f *abi.Family) error {
	if m.Family != "openmpi" {
		for name, h := range f.Handles {
			v := int64(int32(*h.Value))
			h.Fortran = &v
			f.Handles[name] = h
		}
		return nil
	}
	src := headers + "#include <stdio.h>\nint main(int c, char **v) {\nMPI_Init(&c, &v);\n"
	for name, h := range f.Handles {
		if f.Functions[c2f[h.Kind]] == nil {
			continue
		}
		// Weak, because some libraries lack the optional ones.
		src += fmt.Sprintf("extern char h_%[1]s[] __asm__(\"%[2]s\") __attribute__((weak));\n"+
			"if (h_%[1]s) printf(\"%[1]s %%d\\n\", %[3]s((void *)h_%[1]s));\n", name, h.Symbol, c2f[h.Kind])
	}
	bin := filepath.Join(m.dir, "fortran")
	if _, stderr, err := m.compile(src+"return MPI_Finalize();\n}\n", "-o", bin); err != nil {
		return fmt.Errorf("%s cannot compile the Fortran probe: %v\n%s", m.Mpicc, err, stderr)
	}
	stdout, stderr, err := m.command(bin)
	if err != nil {
		m.NoFortran = errors.Join(fmt.Errorf("%s: a single process cannot run: %v", m, err), errors.New(stderr))
		return nil
	}
	values, err := parse(stdout)
	if err != nil {
		return fmt.Errorf("%s: %v", m, err)
	}
	for name, v := range values {
		h := f.Handles[name]
		h.Fortran = &v
		f.Handles[name] = h
	}
	return nil
}
