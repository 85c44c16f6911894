package harness

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Compiled programs are kept in build/test-programs. Each has a list of the files that it was made
// from: sources, headers and libraries, as the compiler and the linker print them.

// unused is the time after which a program that no test has used is removed.
const unused = 14 * 24 * time.Hour

// A compilation is a compiler command that makes one file from a source.
type compilation struct {
	compiler    string
	before      []string // arguments before -o
	out, source string
	after       []string // arguments after the source
	env         []string
	sources     []string // all input files except libraries; nil: those that the compiler lists
}

// ensure makes the file, or copies a file that was made by the same command from the same files.
func (c compilation) ensure() error {
	store, err := c.store()
	if err != nil { // some of the files are temporary, or the compiler does not list them
		return c.run(c.out)
	}
	if current(filepath.Join(store, "files")) && copyFile(filepath.Join(store, "program"), c.out) == nil {
		now := time.Now()
		_ = os.Chtimes(store, now, now) // marks it as used; it may be another user's
		return nil
	}
	return c.cache(store)
}

var errNotCached = errors.New("this file is made each time")

// store returns the directory for the result of this command.
func (c compilation) store() (string, error) {
	words := []string{c.compiler, "", c.source, ""}
	words = append(append(words, c.before...), c.after...)
	for i, word := range words {
		if strings.Contains(word, os.TempDir()+"/") {
			return "", errNotCached
		}
		if i > 2 && c.sources == nil && slices.Contains([]string{".c", ".cc", ".F90"}, filepath.Ext(word)) {
			return "", errNotCached // -MF lists the headers of one source
		}
		flag, path := "", word
		if rest, ok := strings.CutPrefix(word, "-I"); ok {
			flag, path = "-I", rest
		}
		if _, err := os.Stat(path); err == nil && path != "" {
			if path, err = filepath.Abs(path); err != nil {
				return "", err
			}
			words[i] = flag + path // the same from another directory
		}
	}
	for _, variable := range c.env {
		if ofCompilers.MatchString(variable) {
			words = append(words, variable)
		}
	}
	top, err := Root()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", words))
	return filepath.Join(top, "build", "test-programs", fmt.Sprintf("%x", sum[:16])), nil
}

// ofCompilers matches variables that compilers and their wrappers read.
var ofCompilers = regexp.MustCompile(`^(PATH|CPATH|(C|CPLUS)_INCLUDE_PATH|LIBRARY_PATH|GCC_EXEC_PREFIX|I_MPI_\w+|MPICH_\w+|OMPI_(CC|CXX|FC|\w*FLAGS|LIBS)|WI4GO_(CC|CXX|FC))=`)

// CacheFortran compiles a Fortran source in the program's directory. All files next to the source
// count as its inputs, because the compiler does not list modules.
func CacheFortran(compiler, source, out string, before, after []string) error {
	beside, err := filepath.Glob(filepath.Join(filepath.Dir(source), "*"))
	if err != nil {
		return err
	}
	return compilation{compiler, before, out, source, after, os.Environ(), beside}.ensure()
}

// Root returns the top of the repository. The current directory must be in it.
func Root() (string, error) {
	directory, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(directory, "go.mod")); missing == nil {
			return directory, nil
		}
		if directory == filepath.Dir(directory) {
			err = errors.New("no go.mod here or above")
		}
		directory = filepath.Dir(directory)
	}
	return "", err
}

// run compiles, with more arguments.
func (c compilation) run(out string, more ...string) error {
	args := slices.Concat(c.before, []string{"-o", out, c.source}, c.after, more)
	cmd := exec.Command(c.compiler, args...)
	cmd.Env = c.env
	if c.sources != nil {
		cmd.Dir = filepath.Dir(out) // the directory for Fortran's modules
	}
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, text)
	}
	return nil
}

// cache compiles, and stores the program with the list of its files.
func (c compilation) cache(store string) error {
	if err := os.MkdirAll(filepath.Dir(store), 0o755); err != nil {
		return err
	}
	made, err := os.MkdirTemp(filepath.Dir(store), "made-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(made)
	program, headers, libraries := filepath.Join(made, "program"), filepath.Join(made, "headers.d"), filepath.Join(made, "libraries.d")
	var more []string
	if c.sources == nil {
		more = []string{"-MD", "-MF", headers}
	}
	if !slices.Contains(c.after, "-c") {
		more = append(more, "-Wl,--dependency-file="+libraries)
	}
	if err := c.run(program, more...); err != nil {
		return c.run(c.out) // its message does not contain the arguments of keep
	}
	files := slices.Concat(c.sources, prerequisites(headers), prerequisites(libraries))
	if path, err := exec.LookPath(c.compiler); err == nil {
		files = append(files, path)
	}
	if err := os.WriteFile(filepath.Join(made, "files"), []byte(state(files)), 0o644); err != nil {
		return err
	}
	if err := copyFile(program, c.out); err != nil {
		return err
	}
	prune(filepath.Dir(store))
	replace(made, store)
	return nil
}

// replace moves the directory made to store. Another test may do the same at the same time, so the
// old directory is moved away in one step, before its files are removed; one of the results stays.
func replace(made, store string) {
	old := made + "-old"
	_ = os.Rename(store, old)
	_ = os.Rename(made, store)
	_ = os.RemoveAll(old)
}

// prerequisites returns the files in a rule of make, except temporary ones. rule is the path of the
// rule.
func prerequisites(rule string) (files []string) {
	text, err := os.ReadFile(rule)
	if err != nil {
		return nil
	}
	_, text, _ = bytes.Cut(text, []byte(":"))
	list, _, _ := strings.Cut(strings.ReplaceAll(string(text), "\\\n", " "), "\n")
	for _, name := range strings.Fields(list) {
		if !strings.HasPrefix(name, os.TempDir()+"/") {
			files = append(files, name)
		}
	}
	return files
}

// state returns a line for each file: its size, the time of its last change, and its path.
func state(files []string) string {
	slices.Sort(files)
	var text strings.Builder
	for _, name := range slices.Compact(files) {
		if info, err := os.Stat(name); err == nil {
			fmt.Fprintf(&text, "%d %d %s\n", info.Size(), info.ModTime().UnixNano(), name)
		} else {
			fmt.Fprintf(&text, "0 0 %s\n", name)
		}
	}
	return text.String()
}

// current reports whether the files of a list are the same as when the list was written.
func current(list string) bool {
	text, err := os.ReadFile(list)
	if err != nil {
		return false
	}
	var files []string
	for line := range strings.Lines(string(text)) {
		if words := strings.SplitN(strings.TrimSpace(line), " ", 3); len(words) == 3 {
			files = append(files, words[2])
		}
	}
	return len(files) > 1 && state(files) == string(text)
}

// copyFile copies an executable file, because a test may change its own.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.Remove(to); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// prune removes the programs that no test has used for a long time.
func prune(directory string) {
	entries, _ := os.ReadDir(directory) // if there is no directory, there is nothing to remove
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > unused {
			_ = os.RemoveAll(filepath.Join(directory, entry.Name())) // otherwise the next time
		}
	}
}
