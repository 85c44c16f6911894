package modules

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A world has sources, and a compiler that logs each run.
type world struct {
	t   *testing.T
	dir string
}

func newWorld(t *testing.T) world {
	w := world{t, t.TempDir()}
	w.compiler("fc", "")
	w.source("one", "module one")
	w.source("two", "module two")
	return w
}

func (w world) at(name string) string { return filepath.Join(w.dir, name) }

// compiler writes the compiler: a shell script that copies its source to a module with the same name. more is added to
// the script.
func (w world) compiler(name, more string) {
	text := "#!/bin/sh\necho run >> " + w.at("runs") + "\n" + more + "\nfor a; do case $a in *.f90) cp $a $(basename $a .f90).mod;; esac; done\n"
	require.NoError(w.t, os.WriteFile(w.at(name), []byte(text), 0o755))
}

func (w world) source(name, text string) {
	require.NoError(w.t, os.WriteFile(w.at(name+".f90"), []byte(text), 0o644))
}

func (w world) sources() []Source {
	return []Source{{Path: w.at("one.f90")}, {Path: w.at("two.f90"), Optional: true}}
}

func (w world) cache() Cache { return Cache{w.at("cache"), w.at("temporary")} }

func (w world) get(command ...string) (dir string, rejected []Rejected, err error) {
	return w.cache().Get(append([]string{w.at("fc")}, command...), os.Environ(), w.sources())
}

func (w world) runs() int {
	text, err := os.ReadFile(w.at("runs"))
	require.NoError(w.t, err)
	return strings.Count(string(text), "run")
}

// Modules are compiled once for each compiler, its options and the sources.
func TestOnce(t *testing.T) {
	w := newWorld(t)
	first, rejected, err := w.get()
	require.NoError(t, err)
	assert.Empty(t, rejected)
	assert.Equal(t, w.at("cache"), filepath.Dir(first))
	assert.FileExists(t, filepath.Join(first, "one.mod"))
	assert.FileExists(t, filepath.Join(first, "two.mod"))
	again, _, err := w.get()
	require.NoError(t, err)
	assert.Equal(t, first, again)
	assert.Equal(t, 2, w.runs())

	other, _, err := w.get("-fdefault-integer-8")
	require.NoError(t, err)
	assert.NotEqual(t, first, other)
	w.compiler("fc", "# a newer version")
	newer, _, err := w.get()
	require.NoError(t, err)
	assert.NotEqual(t, first, newer)
	w.source("two", "module two of another release")
	release, _, err := w.get()
	require.NoError(t, err)
	assert.NotEqual(t, newer, release)
	assert.Equal(t, 8, w.runs())
}

// Of many processes at once, one compiles, and no other sees an incomplete result.
func TestTogether(t *testing.T) {
	w := newWorld(t)
	w.compiler("fc", "sleep 0.1")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			dir, _, err := w.get()
			if assert.NoError(t, err) {
				assert.FileExists(t, filepath.Join(dir, "two.mod"))
			}
		})
	}
	all.Wait()
	assert.Equal(t, 2, w.runs())
	left, err := filepath.Glob(w.at("cache/new-*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

// If the cache is not writable, a temporary directory is used. If that belongs to another user, neither is used.
func TestNoPlace(t *testing.T) {
	w := newWorld(t)
	require.NoError(t, os.WriteFile(w.at("cache"), nil, 0o644)) // a file, in which even root cannot write
	dir, _, err := w.get()
	require.NoError(t, err)
	assert.Equal(t, w.at("temporary"), filepath.Dir(dir))
	again, _, err := w.get()
	require.NoError(t, err)
	assert.Equal(t, dir, again)
	assert.Equal(t, 2, w.runs())

	require.NoError(t, os.Chmod(w.at("temporary"), 0o777))
	_, _, err = w.get()
	assert.ErrorContains(t, err, "no directory for compiled modules: ")
	assert.ErrorContains(t, err, w.at("cache")+": not a directory")
	assert.ErrorContains(t, err, w.at("temporary")+" is not a directory that only this user can write to")
}

// A compiler's error is quoted. An optional source that fails is left out and reported once.
func TestRefused(t *testing.T) {
	const refuse = "case \"$*\" in *%s.f90*) echo warming up; echo 'x.f90:3: error: not yet implemented'; exit 1;; esac"
	w := newWorld(t)
	w.compiler("fc", fmt.Sprintf(refuse, "two"))
	dir, rejected, err := w.get()
	require.NoError(t, err)
	assert.Equal(t, []Rejected{{w.at("two.f90"), "x.f90:3: error: not yet implemented"}}, rejected)
	assert.FileExists(t, filepath.Join(dir, "one.mod"))
	assert.NoFileExists(t, filepath.Join(dir, "two.mod"))
	_, rejected, err = w.get()
	require.NoError(t, err)
	assert.Empty(t, rejected)

	w.compiler("fc", fmt.Sprintf(refuse, "one"))
	_, _, err = w.get()
	assert.EqualError(t, err, "cannot compile "+w.at("one.f90")+" with this compiler: exit status 1: x.f90:3: error: not yet implemented")
	w.compiler("fc", "exit 3")
	_, _, err = w.get()
	assert.EqualError(t, err, "cannot compile "+w.at("one.f90")+" with this compiler: exit status 3", "a compiler that says nothing")
	_, _, err = Cache{}.Get([]string{"none"}, nil, w.sources())
	assert.ErrorContains(t, err, `"none": executable file not found`)
	require.NoError(t, os.Remove(w.at("one.f90")))
	_, _, err = w.get()
	assert.ErrorContains(t, err, "this installation of wi4go is incomplete: ")
}
