package plugins

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A plugin that is loaded at the address of a plugin that was just closed gets the runtime's functions: two threads of
// a runtime may close and open plugins at the same time.
func TestPluginAtTheSameAddress(t *testing.T) {
	w := workshop{t, t.TempDir()}
	first, second := w.library("first.so", plugin), w.library("second.so", plugin)
	assert.Equal(t, "runtime\nruntime\nruntime\nruntime, at the same address\n", w.run("objects.c", first, second))
}

// The references of a plugin are bound while another thread holds the loader's lock and needs the list of objects.
func TestBindingOrder(t *testing.T) {
	w := workshop{t, t.TempDir()}
	constructor := w.library("constructor.so", "void in_constructor(void);\n__attribute__((constructor)) static void begin(void) { in_constructor(); }\n")
	assert.Equal(t, "runtime\n", w.run("bind_order.c", w.library("plugin.so", plugin), constructor))
}

// plugin is the source of a plugin of the runtime.
const plugin = "const char *MPI_Get_text(void);\nconst char *call(void) { return MPI_Get_text(); }\n"

// A workshop compiles libraries and programs in a directory.
type workshop struct {
	t   *testing.T
	dir string
}

func (w workshop) build(out, source string, flags ...string) string {
	w.t.Helper()
	path := filepath.Join(w.dir, out)
	args := append([]string{"-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-o", path, source}, flags...)
	text, err := exec.Command("gcc", args...).CombinedOutput()
	require.NoError(w.t, err, string(text))
	return path
}

func (w workshop) library(out, text string) string {
	w.t.Helper()
	source := filepath.Join(w.dir, "source.c")
	require.NoError(w.t, os.WriteFile(source, []byte(text), 0o644))
	return w.build(out, source, "-shared", "-fPIC")
}

// run runs a program that replaces the front, with a runtime and further arguments, and returns its output.
func (w workshop) run(source string, arguments ...string) string {
	w.t.Helper()
	runtime := w.library("runtime.so", "const char *MPI_Get_text(void) { return \"runtime\"; }\n")
	front := w.build("front", filepath.Join("programs", source), "../../shim/front/loader_lock.c", "-rdynamic", "-ldl", "-pthread", "-I../../shim/front", "-I../../c/asmchooser", "-I../../handletable")
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	text, err := exec.CommandContext(ctx, front, append([]string{runtime}, arguments...)...).CombinedOutput()
	assert.NoError(w.t, err)
	return string(text)
}
