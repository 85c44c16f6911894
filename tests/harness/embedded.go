package harness

import (
	"fmt"
	"os"
	"path/filepath"
)

// Embedded is the name of the embedded MPI as a library that programs are linked with directly, without a front. Its
// directions are separate, because it lacks windows, files and spawned processes.
const Embedded = "embedded"

// EmbeddedDirections are the programs of every family on the embedded MPI.
var EmbeddedDirections = []Direction{{Names[0], Embedded}, {Names[1], Embedded}, {Interface, Embedded}}

// embedded returns the embedded MPI of the installation in prefix. Its compiler is a script in build/test-programs.
func embedded(prefix string) (Toolchain, error) {
	library := filepath.Join(prefix, "lib/wi4go/runtimes/embedded/lib")
	file := filepath.Join(library, embeddedSoname)
	if _, err := os.Stat(file); err != nil {
		return Toolchain{}, fmt.Errorf("%s: %w; run make first", file, ErrMissing)
	}
	top, err := Root()
	if err != nil {
		return Toolchain{}, err
	}
	m := Toolchain{Name: Embedded, MPIExec: filepath.Join(filepath.Dir(library), "bin/mpiexec")}
	compile := fmt.Sprintf("exec gcc -I%s/lib/wi4go/mpi/include \"$@\" -L%s -l:%s -Wl,-rpath,%s -pthread\n", prefix, library, embeddedSoname, library)
	m.MPICC, err = script(filepath.Join(top, "build", "test-programs", "embedded"), "mpicc", compile)
	return m, err
}

const embeddedSoname = "libwi4go-embedded.so.1"

// script writes a shell script, unless it exists, and returns its path.
func script(directory, name, text string) (string, error) {
	path := filepath.Join(directory, name)
	text = "#!/bin/sh\n" + text
	if old, err := os.ReadFile(path); err == nil && string(old) == text {
		return path, nil
	}
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return "", err
	}
	own := fmt.Sprint(path, ".", os.Getpid()) // another package may write it at the same time
	if err := os.WriteFile(own, []byte(text), 0o755); err != nil {
		return "", err
	}
	return path, os.Rename(own, path)
}
