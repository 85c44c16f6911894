package harness

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Through describes how a program runs on another family's library: the front to preload, and the
// library that does the work. The zero value is a native run.
type Through struct {
	Front       string // …/lib/wi4go/FAMILY/SONAME
	AlsoPreload string // a library to preload after it, or ""
	Library     string // the runtime's libmpi
}

// Front returns the path of the front for a program of a family, in the installation in prefix.
func Front(prefix, program, family string) (string, error) {
	soname, err := Soname(program)
	if err != nil {
		return "", err
	}
	front, err := filepath.Abs(filepath.Join(prefix, "lib", "wi4go", family, soname))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(front); err != nil {
		return "", fmt.Errorf("front %s: %w; run make first", front, ErrMissing)
	}
	return front, nil
}

// NewThrough finds the front for a program of the given family in the installation in prefix, and
// the library by a program of the runtime's family.
func NewThrough(prefix, program, appFamily, runtimeProgram string) (Through, error) {
	library, err := Library(runtimeProgram)
	if err != nil {
		return Through{}, err
	}
	front, err := Front(prefix, program, appFamily)
	if err != nil {
		return Through{}, err
	}
	return Through{Front: front, Library: library}, nil
}

// Native reports whether there is no front.
func (t Through) Native() bool { return t == Through{} }

// File returns the file of the front itself: Front, or the library that it needs if it is a
// stand-in with another soname.
func (t Through) File() string {
	file, err := elf.Open(t.Front)
	if err != nil {
		return t.Front
	}
	defer file.Close()
	needed, _ := file.ImportedLibraries() // if there is none, it is the front
	for _, name := range needed {
		if path, ok := strings.CutPrefix(name, "$ORIGIN"); ok {
			return filepath.Join(filepath.Dir(t.Front), path)
		}
	}
	return t.Front
}

// Env is the command that starts another one with the front in place: env with
// its assignments. A native run has env too, so that both pay for it.
func (t Through) Env() []string {
	if t.Native() {
		return []string{"env"}
	}
	preload := t.Front
	if t.AlsoPreload != "" {
		preload += ":" + t.AlsoPreload
	}
	if old := os.Getenv("LD_PRELOAD"); old != "" {
		preload += ":" + old
	}
	return []string{"env", "LD_PRELOAD=" + preload, "WI4GO_TO=" + t.Library}
}
