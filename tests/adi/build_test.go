package adi

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

const root = "../.."

// A kind is a variant of the library and of a program.
type kind struct {
	name string   // in tests/variants.mk
	run  []string // the command that runs the program, before its name
}

var (
	plain   = kind{name: "plain"}
	nolocks = kind{name: "nolocks"}
	ranks   = kind{name: "ranks"}
	asan    = kind{name: "asan"}
	tsan    = kind{name: "tsan", run: []string{"setarch", "-R"}} // it needs a fixed layout of addresses
	arm     = kind{name: "arm64", run: []string{"qemu-aarch64"}}
)

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

// program returns a program of the directory programs in one kind. Programs whose sources begin
// with its name and _ belong to it.
func program(t *testing.T, k kind, name string) string {
	t.Helper()
	return harness.Variant(t, k.name+"/adi/"+name)
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
