package plugins

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A plugin that is loaded at the address of a plugin that was just closed gets the runtime's functions: two threads of
// a runtime may close and open plugins at the same time.
func TestPluginAtTheSameAddress(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	build := func(out, source string, flags ...string) string {
		args := append([]string{"-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-o", at(out), source}, flags...)
		text, err := exec.Command("gcc", args...).CombinedOutput()
		require.NoError(t, err, string(text))
		return at(out)
	}
	library := func(out, text string) string {
		require.NoError(t, os.WriteFile(at("source.c"), []byte(text), 0o644))
		return build(out, at("source.c"), "-shared", "-fPIC")
	}
	const plugin = "const char *MPI_Get_text(void);\nconst char *call(void) { return MPI_Get_text(); }\n"
	runtime := library("runtime.so", "const char *MPI_Get_text(void) { return \"runtime\"; }\n")
	first, second := library("first.so", plugin), library("second.so", plugin)
	front := build("front", filepath.Join("programs", "objects.c"), "-rdynamic", "-ldl", "-I../../shim/front", "-I../../c/asmchooser", "-I../../handletable")
	text, err := exec.Command(front, runtime, first, second).CombinedOutput()
	assert.NoError(t, err)
	assert.Equal(t, "runtime\nruntime\nruntime\nruntime, at the same address\n", string(text))
}
