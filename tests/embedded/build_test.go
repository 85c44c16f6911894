// Package embedded tests the embedded MPI (embedded/): the library without a front. The programs
// are in C, and are linked with the library that the tests build from the sources.
package embedded

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

const root = "../.."

// limit bounds a job; it is generous, because other work may use the cores.
const limit = 10 * time.Minute

// A kind is one way to build the library and a program.
type kind struct {
	name  string
	flags []string
	run   []string // the command that runs the job, before its name
}

var (
	plain = kind{name: "plain", flags: []string{"-O2"}}
	asan  = kind{name: "asan", flags: []string{"-O1", "-fPIC", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"}}
)

// links are the flags that a program of the name needs.
var links = map[string][]string{"types_exhausted": {wrapped}, "exhausted": {wrapped}, "exhausted_ranks": {wrapped}}

const wrapped = "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=posix_memalign"

var (
	built     = map[string]string{} // by kind and program: the program, or the kind's library
	builtLock sync.Mutex
	directory string
)

func TestMain(m *testing.M) {
	var err error
	if directory, err = os.MkdirTemp("", "embedded"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(directory)
	os.Exit(code)
}

// generated returns the directory of the generated sources.
func generated(t *testing.T) string {
	t.Helper()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	return filepath.Join(prefix, "gen")
}

func compile(t *testing.T, k kind, args ...string) error {
	base := []string{"-std=gnu11", "-g", "-ffp-contract=off", "-pthread", "-DEMBEDDED", "-I", root, "-I", filepath.Join(generated(t), "mpiabi"), "-I", filepath.Join(generated(t), "embedded")}
	out, err := exec.Command("gcc", slices.Concat(base, k.flags, args)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// library returns the library of a kind, from the sources.
func library(t *testing.T, k kind) string {
	t.Helper()
	if built[k.name] != "" {
		return built[k.name]
	}
	objects := filepath.Join(directory, k.name)
	require.NoError(t, os.MkdirAll(objects, 0o755))
	var sources []string
	for _, pattern := range []string{"embedded/adi/*.c", "embedded/mpi/*.c", "embedded/types/*.c", "embedded/coll/*.c"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		sources = append(sources, found...)
	}
	entries, err := filepath.Glob(filepath.Join(generated(t), "embedded/entries_*.c"))
	require.NoError(t, err)
	require.NotEmpty(t, entries, "run make first")
	var group sync.WaitGroup
	var all []string
	failures := make(chan error, len(sources)+len(entries))
	slots := make(chan struct{}, 2)
	for _, source := range append(sources, entries...) {
		if filepath.Base(source) == "adirun.c" {
			continue
		}
		object := filepath.Join(objects, strings.NewReplacer("/", "_", ".c", ".o").Replace(strings.TrimPrefix(source, root+"/")))
		all = append(all, object)
		group.Go(func() {
			slots <- struct{}{}
			failures <- compile(t, k, "-w", "-c", "-o", object, source)
			<-slots
		})
	}
	group.Wait()
	close(failures)
	for err := range failures {
		require.NoError(t, err)
	}
	archive := filepath.Join(objects, "libembedded.a")
	out, err := exec.Command("ar", append([]string{"rcs", archive}, all...)...).CombinedOutput()
	require.NoError(t, err, string(out))
	built[k.name] = archive
	return archive
}

// program returns a program of the directory programs in one kind.
func program(t *testing.T, k kind, name string) string {
	t.Helper()
	builtLock.Lock()
	defer builtLock.Unlock()
	key := k.name + "/" + name
	if built[key] == "" {
		archive := library(t, k)
		path := filepath.Join(directory, k.name, name)
		args := []string{"-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-o", path, filepath.Join("programs", name+".c"), "-Wl,--whole-archive", archive, "-Wl,--no-whole-archive", "-lm"}
		require.NoError(t, compile(t, k, append(args, links[name]...)...))
		built[key] = path
	}
	return built[key]
}

// right runs a program on a number of ranks; each prints that it was right.
func right(t *testing.T, k kind, ranks int, env []string, name string, args ...string) {
	t.Helper()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	command := append([]string{program(t, k, name)}, args...)
	if ranks > 1 {
		command = append([]string{filepath.Join(prefix, "embedded/adirun"), "-n", fmt.Sprint(ranks)}, command...)
	}
	command = append(slices.Clone(k.run), command...)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(append(os.Environ(), fmt.Sprintf("ADI_TIMEOUT=%d", int(limit.Seconds())-10)), env...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = 5 * time.Second
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	assert.True(t, err == nil && strings.Count(stdout.String(), ": right\n") == ranks, "%s %v %v on %d ranks: %v\n%s%s", name, args, env, ranks, err, stdout.String(), stderr.String())
}
