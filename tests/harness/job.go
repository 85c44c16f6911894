package harness

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// JobLimit bounds a job of Ranks.
const JobLimit = 60 * time.Second

// A Job is what a job printed, and its exit code.
type Job struct {
	Stdout, Stderr string
	Code           int
}

// Ranks runs `wi4go ranks` with the words. input is its stdin.
func Ranks(t testing.TB, input string, words ...string) Job {
	t.Helper()
	return RanksWithin(t, JobLimit, input, words...)
}

// RanksWithin is Ranks with another limit.
func RanksWithin(t testing.TB, limit time.Duration, input string, words ...string) Job {
	t.Helper()
	prefix, err := Prefix()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(ctx, filepath.Join(prefix, "bin/wi4go"), append([]string{"ranks"}, words...)...)
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(input), &stdout, &stderr
	if err := c.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return Job{stdout.String(), stderr.String(), c.ProcessState.ExitCode()}
}

// EmbeddedProgram returns a program of tests/embedded/programs, compiled for the embedded MPI.
func EmbeddedProgram(t testing.TB, name string) string {
	t.Helper()
	return CompiledForEmbedded(t, filepath.Join("tests/embedded/programs", name+".c"))
}

// CompiledForEmbedded returns a C program compiled for the embedded MPI. source is a path in the repository.
func CompiledForEmbedded(t testing.TB, source string) string {
	t.Helper()
	prefix, err := Prefix()
	if err != nil {
		t.Fatal(err)
	}
	m, err := FindIn(prefix, Embedded)
	if err != nil {
		Missing(t, err)
	}
	top, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(source), ".c"))
	if err := m.Compile(filepath.Join(top, source), out, "-lm"); err != nil {
		t.Fatal(err)
	}
	return out
}

// InFamilies returns a program of tests/embedded/programs in the forms of the embedded MPI itself and of all families
// that are installed, each as a command that starts it.
func InFamilies(t testing.TB, name string) (programs []string) {
	t.Helper()
	programs = []string{EmbeddedProgram(t, name)}
	prefix, err := Prefix()
	if err != nil {
		t.Fatal(err)
	}
	top, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range Names {
		tools, err := Find(family)
		if err != nil {
			Missing(t, err)
		}
		path := filepath.Join(t.TempDir(), name+"-"+family)
		if err := tools.Compile(filepath.Join(top, "tests/embedded/programs", name+".c"), path, "-pthread"); err != nil {
			t.Fatal(err)
		}
		wrapper := path + ".sh"
		if err := os.WriteFile(wrapper, fmt.Appendf(nil, "#!/bin/sh\nexec %s/bin/wi4go exec --to embedded %s \"$@\"\n", prefix, path), 0o755); err != nil {
			t.Fatal(err)
		}
		programs = append(programs, wrapper)
	}
	return programs
}
