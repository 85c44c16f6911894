package program

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"wi4go/internal/elfobj"
	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/ldso"
	"wi4go/internal/pattern"
)

// ErrUnknownFamily is the error for a command whose files do not show its MPI; the user must name it.
var ErrUnknownFamily error = &fault.Fault{ID: "program-unknown", Cure: "give the program's family with --from"}

// IsUndecided reports whether an error of Trace leaves open which MPI library, if any, a command
// opens.
func IsUndecided(err error) bool {
	return errors.Is(err, ErrNotMPI) || errors.Is(err, ErrUnknownFamily) || errors.Is(err, ErrStatic)
}

// Trace finds the MPI program that a command line starts in directory dir. If the command is a
// script, an interpreter or a wrapper (env, numactl, valgrind, bash, python with mpi4py), Trace
// follows it to the program, as far as reading files allows. From an mpi4py built for several
// families it takes the extension for prefer, if there is one.
func Trace(argv []string, dir string, search ldso.Search, prefer *family.Family) (*Program, error) {
	t := tracer{dir: dir, search: search, prefer: prefer, seen: map[string]bool{}}
	path, err := t.look(argv[0])
	if err != nil {
		return nil, err
	}
	p, err := t.command(path, argv[1:], 0)
	if err != nil {
		return p, err
	}
	if p != nil {
		p.Overwritten = t.overwritten
	} else {
		switch _, err := Read(path, search); {
		case len(t.via) > 0:
		case errors.Is(err, ErrNotMPI):
			return nil, err
		case errors.Is(err, ErrNotDynamic):
			return nil, fmt.Errorf("%s: %w", path, ErrStatic)
		}
		return nil, fmt.Errorf("%s: no MPI program found that this script or wrapper starts: %w", argv[0], ErrUnknownFamily)
	}
	return p, nil
}

// Bounds of the search that starts from one command.
const (
	maxDepth = 5     // scripts that start scripts
	maxWords = 20000 // words in scripts that may name a program
)

// tracer holds the state of one Trace.
type tracer struct {
	dir         string
	search      ldso.Search
	prefer      *family.Family
	via         []string        // the scripts and wrappers on the current path
	overwritten []string        // the variables in searchVariables that they overwrite or remove
	seen        map[string]bool // commands already examined
	words       int             // words of scripts already examined, counted up to maxWords
}

// LookPath returns the path of a command, found as a launcher finds it. A path is relative to dir; a
// bare name is searched in PATH, then in dir. The error states why the command cannot be started.
func LookPath(name, dir string) (string, error) {
	if name == "" {
		return "", errors.New("the name of the program is empty: give its name or path")
	}
	if !strings.Contains(name, "/") {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	path := name
	if !filepath.IsAbs(path) {
		if _, err := os.Stat(dir); dir != "" && errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("cannot run %s in %s: no such directory", name, dir)
		}
		path = filepath.Join(dir, name)
		if !strings.Contains(path, "/") {
			path = "./" + path
		}
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: %w", name, errors.Unwrap(err))
	case info.IsDir():
		return "", fmt.Errorf("%s is a directory: name a program", name)
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is not a regular file: name a program", name)
	case info.Mode()&0o111 == 0:
		return "", fmt.Errorf("%s: not executable: run chmod +x on it if it is a program", name)
	}
	return path, nil
}

// look calls Look with the tracer's directory.
func (t *tracer) look(name string) (string, error) { return LookPath(name, t.dir) }

// command examines a file that would be executed with args. It returns nil if this leads to no MPI
// program. An error ends the whole search.
func (t *tracer) command(path string, args []string, depth int) (*Program, error) {
	command := strings.Join(append([]string{path}, args...), "\x00")
	if depth > maxDepth || t.seen[command] {
		return nil, nil
	}
	t.seen[command] = true
	p, err := Read(path, t.search)
	switch {
	case err == nil:
		p.Via = t.via
		return p, nil
	case errors.Is(err, elfobj.ErrNotELF):
		return t.script(path, args, depth)
	case errors.Is(err, ErrNotMPI), errors.Is(err, ErrNotDynamic) && !holdsMPI(path):
		return t.wrapped(path, args, depth)
	case depth > 0 && !errors.Is(err, ErrContainsMPI):
		return nil, nil // another tool that the script uses, perhaps a static one
	}
	return p, err
}

// holdsMPI reports whether a static program contains an MPI library. It searches for a name that
// occurs in every library's messages, even in stripped programs.
func holdsMPI(path string) bool {
	const most = 1 << 30
	content, err := elfobj.Head(path, most)
	return err != nil || bytes.Contains(content, []byte("MPI_Init"))
}

// searchVariables are the variables by which the dynamic linker finds the library that replaces another.
var searchVariables = []string{"LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT"}

// noteOverwritten records which of these variables the words of a command set or remove. A value that
// includes the old one, as in LD_PRELOAD=x:$LD_PRELOAD, does not count.
func (t *tracer) noteOverwritten(words []string) {
	var env, unset bool
	for i, word := range words {
		env = env || filepath.Base(word) == "env"
		unset = unset || word == "unset"
		emptied := env && (word == "-i" || word == "-" || word == "--ignore-environment")
		for _, v := range searchVariables {
			value, set := strings.CutPrefix(word, v+"=")
			removed := word == v && (unset || i > 0 && words[i-1] == "-u") || word == "--unset="+v
			if (emptied || removed || set && !strings.Contains(value, v)) && !slices.Contains(t.overwritten, v) {
				t.overwritten = append(t.overwritten, v)
			}
		}
	}
}

// wrapped examines the arguments of a program that is not an MPI program itself.
func (t *tracer) wrapped(path string, args []string, depth int) (*Program, error) {
	t.noteOverwritten(append([]string{path}, args...))
	if p, err := t.python(path, t.dir, pythonCode(path, t.dir, args)); p != nil || err != nil {
		return p, err
	}
	for i, arg := range args {
		if strings.HasPrefix(arg, "-") || strings.Contains(arg, "=") {
			continue
		}
		file, err := t.look(arg)
		if err != nil { // an interpreter also reads scripts that are not executable
			file = arg
			if !filepath.IsAbs(file) {
				file = filepath.Join(t.dir, arg)
			}
			if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
				continue
			}
			if _, err := elfobj.Read(file); err == nil || !isInterpreter(path) {
				continue
			}
		}
		before := t.via
		t.addVia(path)
		var p *Program
		if notELF(file) && isInterpreter(path) {
			p, err = t.text(path, file, depth+1)
		} else {
			p, err = t.command(file, args[i+1:], depth+1)
		}
		if p != nil || err != nil {
			return p, err
		}
		t.via = before
	}
	return nil, nil
}

// addVia appends a file to the path of scripts and wrappers, unless it is the last element.
func (t *tracer) addVia(path string) {
	if len(t.via) == 0 || t.via[len(t.via)-1] != path {
		t.via = append(t.via, path)
	}
}

// notELF reports whether a file can be read and is not an ELF file.
func notELF(path string) bool {
	_, err := elfobj.Read(path)
	return errors.Is(err, elfobj.ErrNotELF)
}

// shells and pythons match the file names of interpreters.
var (
	shells  = pattern.New(`^(ba|da|k|z|a|c|tc)?sh$|^busybox$`)
	pythons = pattern.New(`^(python|pypy)[\d.]*$`)
)

// isInterpreter reports whether a file is a shell or Python, by its name.
func isInterpreter(path string) bool {
	base := filepath.Base(path)
	return shells.MatchString(base) || pythons.MatchString(base)
}

// script follows a script: first its "#!" line, then its text, then its arguments.
func (t *tracer) script(path string, args []string, depth int) (*Program, error) {
	words, err := interpreterLine(path)
	if err != nil {
		return nil, err
	}
	if words == nil {
		if depth > 0 {
			return nil, nil
		}
		return nil, fault.New("program-unreadable", "", "%s is not a program: it is neither an ELF file nor a script that begins with #!", path)
	}
	if err := interpretable(path); err != nil && depth == 0 {
		return nil, err
	}
	t.via = append(t.via, path)
	if len(words) == 0 {
		return nil, nil
	}
	interpreter, err := t.look(words[0])
	if err != nil {
		return nil, fmt.Errorf("%s: cannot use its interpreter: %w", path, err)
	}
	for n := 0; ; n++ {
		p, err := Read(interpreter, t.search)
		if err == nil {
			p.Via = t.via
			return p, nil
		}
		if !errors.Is(err, elfobj.ErrNotELF) {
			break
		}
		// The kernel accepts a script as the interpreter of another script, to a limited depth.
		words, err := interpreterLine(interpreter)
		if err != nil {
			return nil, fmt.Errorf("%s: cannot use its interpreter: %w", path, err)
		}
		if len(words) == 0 {
			break
		}
		if n == maxDepth {
			return nil, fault.New("program-unreadable", "name a program after #!",
				"%s: the kernel cannot start it: too many of its interpreters are scripts themselves", path)
		}
		if interpreter, err = t.look(words[0]); err != nil {
			return nil, fmt.Errorf("%s: cannot use the interpreter of its interpreter: %w", path, err)
		}
	}
	if p, err := t.text(interpreter, path, depth+1); p != nil || err != nil {
		return p, err
	}
	return t.wrapped(path, args, depth)
}

// interpreterLine returns the words after "#!", without env and its options, or nil if the file
// does not begin with "#!".
func interpreterLine(path string) ([]string, error) {
	line, script, err := firstLine(path)
	if err != nil || !script {
		return nil, err
	}
	words := strings.Fields(line)
	for len(words) > 0 && (filepath.Base(words[0]) == "env" || words[0] == "-S" || strings.Contains(words[0], "=")) {
		words = words[1:]
	}
	return words, nil
}

// firstLine returns the rest of the first line after "#!". script reports whether the file begins
// with "#!".
func firstLine(path string) (line string, script bool, err error) {
	head, err := elfobj.Head(path, maxScript)
	if err != nil {
		return "", false, err
	}
	line, _, _ = strings.Cut(string(head), "\n")
	line, script = strings.CutPrefix(line, "#!")
	return line, script, nil
}

// interpretable returns an error if the kernel finds no interpreter in a script's first line.
func interpretable(path string) error {
	line, _, err := firstLine(path)
	if err != nil {
		return err
	}
	name := strings.Trim(line, " \t")
	switch before, dos := strings.CutSuffix(name, "\r"); {
	case strings.TrimSpace(name) == "":
		return fault.New("program-unreadable", "name one, as in #!/bin/sh", "%s: no interpreter after #! in its first line", path)
	case dos && (!strings.ContainsAny(before, " \t") || filepath.Base(strings.Fields(before)[0]) == "env"):
		return fault.New("program-unreadable", "run dos2unix on the file",
			"%s: its interpreter %q ends with a carriage return, because the file has Windows line ends", path, name)
	}
	return nil
}

// maxScript is the number of bytes of a script that are read.
const maxScript = 256 << 10

// text looks for an MPI program in a script, according to its interpreter.
func (t *tracer) text(interpreter, path string, depth int) (*Program, error) {
	head, err := elfobj.Head(path, maxScript)
	if err != nil {
		return nil, err
	}
	script := string(head)
	switch base := filepath.Base(interpreter); {
	case pythons.MatchString(base):
		return t.python(interpreter, filepath.Dir(path), script)
	case shells.MatchString(base):
		return t.shell(path, script, depth)
	}
	return nil, nil
}

// shell tries each word of a shell script that names a program. It returns ErrUnknownFamily if the
// script starts programs of two families. Variables that a command sets count only if the command
// leads to the program that is returned, or if the script sources it.
func (t *tracer) shell(path, script string, depth int) (*Program, error) {
	via := t.via
	var found *Program
	tried := map[string]bool{}
	for line := range strings.Lines(script) {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		t.noteOverwritten(strings.Fields(strings.NewReplacer(`"`, "", "'", "", ";", " ").Replace(line)))
		last := "" // the word before
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\n\"'`;|&()<>", r) }) {
			sourced := last == "." || last == "source"
			last = word
			if tried[word] || strings.HasPrefix(word, "-") {
				continue
			}
			tried[word] = true
			if t.words++; t.words > maxWords {
				break
			}
			file, err := t.look(word)
			if err != nil || file == path {
				continue
			}
			t.via = via[:len(via):len(via)]
			sets := t.overwritten
			p, err := t.command(file, nil, depth+1)
			if err != nil {
				return nil, err
			}
			if (p == nil || found != nil) && !sourced {
				t.overwritten = sets
			}
			if p == nil {
				continue
			}
			if found != nil && found.Family != p.Family {
				return nil, fmt.Errorf("%s starts programs of two MPI families, %s (%s) and %s (%s): %w",
					path, found.Path, found.Family.Title, p.Path, p.Family.Title, ErrUnknownFamily)
			}
			if found == nil {
				found = p
			}
		}
	}
	t.via = via
	return found, nil
}
