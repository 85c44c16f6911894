// Package modules compiles the Fortran modules of an installation with the compiler on this
// machine, once per compiler: only the same compiler in the same version can read the result.
//
// It must not know of MPI.
package modules

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// lockTimeout limits one compilation. It is long because a compiler may wait for a licence.
const lockTimeout = 5 * time.Minute

// A Source is a file with modules.
type Source struct {
	// Path is the file's path.
	Path string
	// Optional reports whether Get may succeed although the compiler rejects the file.
	Optional bool
}

// A Rejected is an optional source that a compiler rejects.
type Rejected struct {
	// Path is the source's path.
	Path string
	// Message is the most informative line of the compiler's output.
	Message string
}

// A Cache holds compiled modules, in one directory per compiler and set of sources.
type Cache struct {
	// Dir is the directory of the cache.
	Dir string
	// Temporary is used if Dir is not writable; "" for none.
	Temporary string
}

// Get returns the directory of the compiled sources. If they are not in the cache, it compiles
// them in order with the command compiler and the environment env. On that first call it also
// returns the optional sources that this compiler rejects. Get returns an error if the compiler
// rejects another source or no directory is writable.
func (c Cache) Get(compiler, env []string, sources []Source) (dir string, rejected []Rejected, err error) {
	key, err := key(compiler, sources)
	if err != nil {
		return "", nil, err
	}
	var reasons []error
	for _, root := range []string{c.Dir, c.Temporary} {
		if root == "" {
			continue
		}
		dir = filepath.Join(root, key)
		if !complete(dir) || checkOwner(root) != nil {
			rejected, err = compile(root, dir, compiler, env, sources)
			if refused := (*compileError)(nil); errors.As(err, &refused) {
				return "", nil, err
			}
			if err != nil {
				reasons = append(reasons, err)
				continue
			}
		}
		return dir, rejected, nil
	}
	return "", nil, fmt.Errorf("no directory for compiled modules: %w", errors.Join(reasons...))
}

// A compileError is a failure of the compiler, which would recur in any directory.
type compileError struct {
	source, output string
	err            error
}

// Error returns the source, the exit status and the most informative line of the compiler's
// output.
func (e *compileError) Error() string {
	detail := firstError(e.output)
	if detail != "" {
		detail = ": " + detail
	}
	return fmt.Sprintf("cannot compile %s with this compiler: %v%s", e.source, e.err, detail)
}

// Unwrap returns the error of the compiler's command.
func (e *compileError) Unwrap() error { return e.err }

// firstError returns the first line of a compiler's output that contains "error", or else the
// first line.
func firstError(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	for _, line := range lines {
		if strings.Contains(strings.ToLower(line), "error") {
			return strings.TrimSpace(line)
		}
	}
	return strings.TrimSpace(lines[0])
}

// key returns a directory name that identifies everything the modules depend on: the compiler,
// its options and version, and the sources. It returns an error if the compiler or a source is
// missing.
func key(compiler []string, sources []Source) (string, error) {
	hash := sha256.New()
	path, err := exec.LookPath(compiler[0])
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	fmt.Fprintln(hash, path, info.Size(), info.ModTime().UnixNano(), compiler[1:])
	for _, s := range sources {
		text, err := os.ReadFile(s.Path)
		if err != nil {
			return "", fmt.Errorf("this installation of wi4go is incomplete: %w: run `make`, or reinstall wi4go", err)
		}
		fmt.Fprintln(hash, filepath.Base(s.Path), len(text))
		hash.Write(text)
	}
	return fmt.Sprintf("%s-%x", filepath.Base(path), hash.Sum(nil)[:8]), nil
}

// mark is the name of the file that marks a directory as complete.
const mark = "complete"

// complete reports whether dir holds the compiled form of all sources.
func complete(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, mark))
	return err == nil
}

// checkOwner returns an error if another user could put modules into dir, as in /tmp.
func checkOwner(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if s, ok := info.Sys().(*syscall.Stat_t); !ok || !info.IsDir() || int(s.Uid) != os.Geteuid() || info.Mode()&0o022 != 0 {
		return fmt.Errorf("%s is not a directory that only this user can write to", dir)
	}
	return nil
}

// compile puts the compiled sources at dir, below root. Only one process compiles at a time,
// and a rename makes all results visible at once. compile returns the optional sources that the
// compiler rejected, and a compileError for any other source.
func compile(root, dir string, compiler, env []string, sources []Source) (rejected []Rejected, err error) {
	if err := os.MkdirAll(root, 0o700); err != nil {
		return nil, err
	}
	if err := checkOwner(root); err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(dir+".lock", os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	// On a file system without locks, two processes may compile the same sources; the rename
	// below then keeps the first result.
	_ = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX)
	if complete(dir) {
		return nil, nil
	}
	work, err := os.MkdirTemp(root, "new-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	for _, s := range sources {
		output, err := compileOne(compiler, env, work, s.Path)
		switch {
		case err == nil:
		case s.Optional:
			rejected = append(rejected, Rejected{s.Path, firstError(output)})
		default:
			return nil, &compileError{s.Path, output, err}
		}
	}
	if err := os.WriteFile(filepath.Join(work, mark), nil, 0o600); err != nil {
		return nil, err
	}
	if err := os.Rename(work, dir); err != nil && !complete(dir) {
		return nil, err
	}
	return rejected, nil
}

// compileOne compiles source in the directory work, because every compiler writes modules to
// its current directory and searches it for them. If both attempts fail, compileOne returns the
// output and the error of the first.
func compileOne(compiler, env []string, work, source string) (output string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	words := slices.Clone(compiler)
	if words[0], err = exec.LookPath(words[0]); err == nil {
		words[0], err = filepath.Abs(words[0])
	}
	if err != nil {
		return "", err
	}
	name := filepath.Base(source)
	for _, command := range [][]string{
		{"-c", "-o", strings.TrimSuffix(name, filepath.Ext(name)) + ".o"},
		{"-fsyntax-only"}, // no object is needed, and flang 16 cannot make one of a module with directives
	} {
		cmd := exec.CommandContext(ctx, words[0], append(append(words[1:len(words):len(words)], command...), "-I.", source)...)
		cmd.Dir, cmd.Env = work, env
		text, failed := cmd.CombinedOutput()
		if failed == nil {
			return "", nil
		}
		if err == nil {
			output, err = string(text), failed
		}
	}
	return output, err
}
