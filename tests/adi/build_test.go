package adi

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

const root = "../.."

// A kind is one way to build the library and a program.
type kind struct {
	name     string
	compiler string
	flags    []string
	run      []string // the command that runs the program, before its name
}

var (
	plain   = kind{name: "plain"}
	nolocks = kind{name: "nolocks", flags: []string{"-DADI_LOCKS=0"}}
	ranks   = kind{name: "ranks", flags: []string{"-DADI_RANK_THREADS"}}
	// asan: ranks as processes. tsan: ranks as threads, so that it sees both sides of every
	// access; it needs a fixed layout of addresses.
	asan = kind{name: "asan", flags: []string{"-fsanitize=address,undefined", "-fno-sanitize-recover=all"}}
	tsan = kind{name: "tsan", flags: []string{"-fsanitize=thread", "-DADI_RANK_THREADS"}, run: []string{"setarch", "-R"}}
	arm  = kind{name: "arm64", compiler: "aarch64-linux-gnu-gcc", flags: []string{"-DADI_RANK_THREADS", "-static"}, run: []string{"qemu-aarch64"}}
)

var (
	built     = map[string]string{} // by kind and program: the program, or the kind's objects
	builtLock sync.Mutex
	directory string
)

func TestMain(m *testing.M) {
	var err error
	if directory, err = os.MkdirTemp("", "adi"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(directory)
	os.Exit(code)
}

func (k kind) cc() string {
	if k.compiler != "" {
		return k.compiler
	}
	return "gcc"
}

// needs skips the test if a command is not installed.
func needs(t *testing.T, command string) {
	t.Helper()
	if _, err := exec.LookPath(command); err != nil {
		if os.Getenv("WI4GO_CI") == "1" {
			t.Fatalf("%s is not installed", command)
		}
		t.Skipf("%s is not installed", command)
	}
}

func compile(t *testing.T, k kind, args ...string) {
	t.Helper()
	base := []string{"-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-pthread", "-I", filepath.Join(root, "embedded/adi")}
	out, err := exec.Command(k.cc(), slices.Concat(base, k.flags, args)...).CombinedOutput()
	require.NoError(t, err, string(out))
}

// library returns the library of a kind, from the sources.
func library(t *testing.T, k kind) string {
	t.Helper()
	objects := filepath.Join(directory, k.name)
	if built[k.name] != "" {
		return built[k.name]
	}
	needs(t, k.cc())
	sources, err := filepath.Glob(filepath.Join(root, "embedded/adi/*.c"))
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(objects, 0o755))
	var all []string
	for _, source := range sources {
		if filepath.Base(source) != "adirun.c" {
			object := filepath.Join(objects, strings.TrimSuffix(filepath.Base(source), ".c")+".o")
			compile(t, k, "-c", "-o", object, source)
			all = append(all, object)
		}
	}
	archive := filepath.Join(objects, "libadi.a")
	out, err := exec.Command("ar", append([]string{"rcs", archive}, all...)...).CombinedOutput()
	require.NoError(t, err, string(out))
	built[k.name] = archive
	return archive
}

// program returns a program of the directory programs in one kind. Programs whose sources begin
// with its name and _ belong to it.
func program(t *testing.T, k kind, name string) string {
	t.Helper()
	builtLock.Lock()
	defer builtLock.Unlock()
	key := k.name + "/" + name
	if built[key] == "" {
		archive := library(t, k)
		sources, err := filepath.Glob(filepath.Join("programs", name+"*.c"))
		require.NoError(t, err)
		path := filepath.Join(directory, k.name, name)
		compile(t, k, append(append([]string{"-o", path}, sources...), archive, "-lm")...)
		built[key] = path
	}
	return built[key]
}

// archive returns the library that make has built.
func archive(t *testing.T) string {
	t.Helper()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	path := filepath.Join(prefix, "embedded/libadi.a")
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%v; run make adi first", err)
	}
	return path
}
