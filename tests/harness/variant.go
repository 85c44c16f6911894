package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// Variant returns the path of a file below build/variants after make has built or updated it. tests/variants.mk has the
// rules. Each file is made once in a process.
func Variant(t testing.TB, file string) string {
	t.Helper()
	made, _ := variants.LoadOrStore(file, sync.OnceValues(func() (string, error) { return variant(file) }))
	path, err := made.(func() (string, error))()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Make builds a goal of the Makefile that is not in build/variants, and that no other test builds at the same time.
func Make(t testing.TB, goal string) {
	t.Helper()
	top, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	unlock, err := lockVariants(top)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if err := makeIn(top, goal); err != nil {
		t.Fatal(err)
	}
}

// makeIn runs make for a goal, and returns its output in the error.
func makeIn(top, goal string) error {
	command := exec.Command("make", "-s", goal)
	command.Dir, command.Env = top, append(os.Environ(), "MAKEFLAGS=", "MFLAGS=", "MAKELEVEL=")
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("make %s: %w\n%s", goal, err, out)
	}
	return nil
}

// variants has a function for each file that returns its path, or the error of make with its output.
var variants sync.Map

func variant(file string) (string, error) {
	top, err := Root()
	if err != nil {
		return "", err
	}
	unlock, err := lockVariants(top)
	if err != nil {
		return "", err
	}
	defer unlock()
	target := filepath.Join("build/variants", file)
	if err := makeIn(top, target); err != nil {
		return "", err
	}
	return filepath.Join(top, target), nil
}

// lockVariants waits until no other package of tests makes a variant.
func lockVariants(top string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Join(top, "build/variants"), 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(top, "build/variants/.lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		return nil, err
	}
	return func() { _ = f.Close() }, nil // this also unlocks it
}
