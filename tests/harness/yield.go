package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// yielder makes, once for all packages, the library with which waiting ranks of MPICH give
// their core up, and returns its path.
var yielder = sync.OnceValues(func() (string, error) { return compiledYield("yield.so", "-shared") })

// yieldObject makes the object of a program that has the same in itself.
var yieldObject = sync.OnceValues(func() (string, error) { return compiledYield("yield.o", "-c") })

func compiledYield(name, kind string) (string, error) {
	top, err := Root()
	if err != nil {
		return "", err
	}
	source := filepath.Join(top, "tests", "conformance", "yield", "yield.c")
	out := filepath.Join(top, "build", "test-programs", name)
	made, err := os.Stat(source)
	if err != nil {
		return "", err
	}
	if old, err := os.Stat(out); err == nil && !made.ModTime().After(old.ModTime()) {
		return out, nil
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return "", err
	}
	// Another package may make it at the same time, or ranks have it open.
	own := fmt.Sprint(out, ".", os.Getpid())
	if text, err := exec.Command("cc", "-O2", "-Wall", kind, "-fPIC", "-o", own, source).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", source, err, text)
	}
	return out, os.Rename(own, out)
}

// Environ is PlainEnviron with YieldVariables.
func Environ() []string {
	return append(PlainEnviron(), YieldVariables()...)
}

// Environ is the same for ranks on this library, without a preload if it needs none.
func (m Toolchain) Environ() []string {
	if m.preloads() {
		return Environ()
	}
	return append(PlainEnviron(), openMPIYields)
}

const openMPIYields = "OMPI_MCA_mpi_yield_when_idle=1"

// YieldVariables are the variables by which waiting ranks of any library give their core up:
// Open MPI's, Intel MPI's, and the yield library for MPICH. Without them ranks that poll starve
// each other if there are more ranks than cores.
func YieldVariables() []string {
	return []string{openMPIYields, "I_MPI_THREAD_YIELD=3", Preload(os.Getenv("LD_PRELOAD"))}
}

// preloads reports whether ranks on the library need the yield library.
func (m Toolchain) preloads() bool { return m.Family() != "openmpi" }

// Preload returns the assignment to LD_PRELOAD of libraries, and of the yield library after
// them. A front and a profiling tool thus come first.
func Preload(libraries ...string) string {
	library, err := yielder()
	if err != nil {
		panic(err) // without a C compiler there are no test programs either
	}
	libraries = slices.DeleteFunc(slices.Clone(libraries), func(name string) bool { return name == "" })
	return "LD_PRELOAD=" + strings.Join(append(libraries, library), ":")
}

// LinkYield returns the arguments with which a compiler makes the yield library a part of a
// program. Tests of preloads use it, and tests of containers, which see no other files of the
// host.
func LinkYield() []string {
	object, err := yieldObject()
	if err != nil {
		panic(err)
	}
	return []string{object, "-Wl,--export-dynamic-symbol=ucp_worker_progress", "-ldl"}
}
