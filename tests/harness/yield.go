package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// yielder makes, once for all packages, the library with which waiting ranks of MPICH give
// their core up, and returns its path.
var yielder = sync.OnceValues(func() (string, error) {
	top, err := root()
	if err != nil {
		return "", err
	}
	source := filepath.Join(top, "tests", "conformance", "yield", "yield.c")
	out := filepath.Join(top, "build", "test-programs", "yield.so")
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
	if text, err := exec.Command("cc", "-O2", "-Wall", "-shared", "-fPIC", "-o", own, source).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", source, err, text)
	}
	return out, os.Rename(own, out)
})

// YieldEnv are the variables with which ranks on the library that wait give their core up.
// Without them ranks that poll starve each other where there are more than cores. Tests of
// preloads, of the environment and of what a process opens do without.
func (m Toolchain) YieldEnv() ([]string, error) {
	if m.Family() == "openmpi" {
		return []string{"OMPI_MCA_mpi_yield_when_idle=1"}, nil
	}
	library, err := yielder()
	if old := os.Getenv("LD_PRELOAD"); old != "" {
		library += ":" + old
	}
	// What MPICH has of this, and what Intel's has.
	return []string{"LD_PRELOAD=" + library, "I_MPI_THREAD_YIELD=3"}, err
}

// Yield puts these variables into the environment of a command that starts ranks on the
// library, and the preload into an assignment that is part of the command.
func (m Toolchain) Yield(cmd *exec.Cmd) error {
	env, err := m.YieldEnv()
	if err != nil {
		return err
	}
	cmd.Env = append(cmd.Env, env...)
	if library, ok := strings.CutPrefix(env[0], "LD_PRELOAD="); ok {
		for i, word := range cmd.Args {
			if strings.HasPrefix(word, "LD_PRELOAD=") {
				cmd.Args[i] = word + ":" + library
			}
		}
	}
	return nil
}
