// Package modules compiles the Fortran modules of an installation with the compiler at
// hand, once: what a compiler makes of a module only that compiler, in that version, reads.
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

// patience is for compilers that wait for a licence.
const patience = 5 * time.Minute

// A Source is a file with modules.
type Source struct {
	Path string
	// Optional says that not every compiler can compile it.
	Optional bool
}

// A Cache has compiled modules, in a directory for each compiler and sources.
type Cache struct {
	Dir string
	// Temporary is used where Dir cannot be written to.
	Temporary string
}

// Get returns the directory of the compiled sources, which it compiles in order, by this
// command in this environment, where nobody has yet. The first time it also says of the
// optional ones why this compiler cannot compile them.
func (c Cache) Get(compiler, env []string, sources []Source) (dir string, failed []string, err error) {
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
		if !complete(dir) || ours(root) != nil {
			failed, err = compile(root, dir, compiler, env, sources)
			if refused := (*compileError)(nil); errors.As(err, &refused) {
				return "", nil, err
			}
			if err != nil {
				reasons = append(reasons, err)
				continue
			}
		}
		return dir, failed, nil
	}
	return "", nil, fmt.Errorf("no place for compiled modules: %w", errors.Join(reasons...))
}

// A compileError is the compiler's, which another place would not mend.
type compileError struct {
	source, output string
	err            error
}

func (e *compileError) Error() string {
	said := firstError(e.output)
	if said != "" {
		said = ": " + said
	}
	return fmt.Sprintf("cannot compile %s with this compiler: %v%s", e.source, e.err, said)
}
func (e *compileError) Unwrap() error { return e.err }

// firstError is the line of a compiler's output that says most.
func firstError(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	for _, line := range lines {
		if strings.Contains(strings.ToLower(line), "error") {
			return strings.TrimSpace(line)
		}
	}
	return strings.TrimSpace(lines[0])
}

// key names what the modules depend on: the compiler, its options and version, and the
// sources.
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
			return "", fmt.Errorf("this installation of wi4go is incomplete: %w: run `make`, or install wi4go anew", err)
		}
		fmt.Fprintln(hash, filepath.Base(s.Path), len(text))
		hash.Write(text)
	}
	return fmt.Sprintf("%s-%x", filepath.Base(path), hash.Sum(nil)[:8]), nil
}

const mark = "complete"

func complete(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, mark))
	return err == nil
}

// ours refuses a directory that another user could put modules into, as in /tmp.
func ours(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if s, ok := info.Sys().(*syscall.Stat_t); !ok || !info.IsDir() || int(s.Uid) != os.Geteuid() || info.Mode()&0o022 != 0 {
		return fmt.Errorf("%s is not a directory that this user alone writes to", dir)
	}
	return nil
}

// compile puts the compiled sources at dir, below root: one process at a time, and all at
// once, so that no other sees half of it.
func compile(root, dir string, compiler, env []string, sources []Source) (failed []string, err error) {
	if err := os.MkdirAll(root, 0o700); err != nil {
		return nil, err
	}
	if err := ours(root); err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(dir+".lock", os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	// A file system without locks has two compile the same.
	_ = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX)
	if complete(dir) {
		return failed, nil
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
			failed = append(failed, firstError(output))
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
	return failed, nil
}

// compileOne compiles in the directory, where every compiler puts modules and looks for
// them.
func compileOne(compiler, env []string, work, source string) (output string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	words := slices.Clone(compiler)
	if words[0], err = exec.LookPath(words[0]); err == nil {
		words[0], err = filepath.Abs(words[0])
	}
	if err != nil {
		return "", err
	}
	name := filepath.Base(source)
	for _, how := range [][]string{
		{"-c", "-o", strings.TrimSuffix(name, filepath.Ext(name)) + ".o"},
		{"-fsyntax-only"}, // no object is needed, and flang 16 cannot make one of a module with directives
	} {
		cmd := exec.CommandContext(ctx, words[0], append(append(words[1:len(words):len(words)], how...), "-I.", source)...)
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
