// Package plugins runs programs without MPI that open libraries that use it, in every direction: plugins opened in each
// way and one after the other, and the MPI library itself, as interpreters open it.
package plugins

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

const (
	limit = 3 * time.Minute
	ranks = 2
)

// compile compiles a source in programs, and returns the path.
func compile(t *testing.T, tools harness.Toolchain, source, name string, flags ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), name)
	require.NoError(t, tools.Compile(filepath.Join("programs", source), out, flags...))
	return out
}

// host returns the path of the program without MPI.
func host(t *testing.T) string {
	t.Helper()
	return compile(t, harness.Toolchain{Name: "gcc", MPICC: "gcc", MPIExec: "gcc"}, "host.c", "host", "-ldl")
}

// direction runs a family's plugins on another's library.
type direction struct {
	harness.Direction
	from, to harness.Toolchain
	prefix   string
	library  string // the runtime library's path
}

func TestMain(m *testing.M) { harness.Main(m) }

// each runs a test in every direction of a list.
func each(t *testing.T, directions []harness.Direction, test func(t *testing.T, d direction)) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	for _, d := range directions {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			var err error
			x := direction{Direction: d, prefix: prefix}
			if x.from, err = harness.FindIn(prefix, d.From); err != nil {
				harness.Missing(t, err)
			}
			if x.to, err = harness.FindIn(prefix, d.To); err != nil {
				harness.Missing(t, err)
			}
			plugin := compile(t, x.to, "plugin.c", "native.so", "-shared", "-fPIC")
			x.library, err = harness.Library(plugin)
			require.NoError(t, err)
			test(t, x)
		})
	}
}

// fronts returns the directory of the front for programs of the direction.
func (d direction) fronts() string {
	return filepath.Join(d.prefix, "lib", "wi4go", d.from.Family(), "path")
}

// run starts ranks of a command, by `wi4go run` if there are options, and returns their output.
func (d direction) run(t *testing.T, env []string, options []string, command ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	tools := d.to
	if options != nil {
		tools.MPIExec = filepath.Join(d.prefix, "bin", "wi4go")
	}
	cmd := tools.Launch(ctx, ranks, command...)
	cmd.Args = slices.Concat(cmd.Args[:1], options, cmd.Args[1:])
	cmd.Env = append(cmd.Env, env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dir, err := os.MkdirTemp("", "p")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	cmd.Dir, cmd.Env = dir, append(cmd.Env, "TMPDIR="+dir)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	require.NoError(t, err, "%s\n%s%s", strings.Join(cmd.Args, " "), &stdout, &stderr)
	return stdout.String()
}

// ok asserts that every rank has printed its number, and that all are there.
func ok(t *testing.T, said string) {
	t.Helper()
	for rank := range ranks {
		assert.Contains(t, said, fmt.Sprintf("rank %d of %d: ok\n", rank, ranks))
	}
}

// byWi4go returns the options of `wi4go run`.
func (d direction) byWi4go() []string {
	to := d.to.MPIExec
	if d.to.Family() == "mpiabi" { // this library comes without a launcher
		to = d.library
	}
	return []string{"run", "--from", d.from.Family(), "--to", to}
}

// byHand returns the variables for a front that the dynamic linker finds by itself.
func (d direction) byHand() []string {
	return []string{"WI4GO_TO=" + d.library, "LD_LIBRARY_PATH=" + d.fronts() + ":" + os.Getenv("LD_LIBRARY_PATH")}
}

var ways = []string{"local", "local,now", "global", "deepbind", "global,deepbind,now"}

// Two plugins, opened in each way: with the front in the process from the start, and loaded by the first plugin.
func TestPlugins(t *testing.T) {
	program := host(t)
	each(t, harness.Directions, func(t *testing.T, d direction) {
		lazy := compile(t, d.from, "plugin.c", "lazy.so", "-shared", "-fPIC", "-Wl,-z,lazy")
		second := compile(t, d.from, "plugin.c", "second.so", "-shared", "-fPIC", "-Wl,-z,lazy")
		for _, way := range ways {
			t.Run(way, func(t *testing.T) {
				ok(t, d.run(t, nil, d.byWi4go(), program, way, lazy, second))
				ok(t, d.run(t, d.byHand(), nil, program, way, lazy, second))
			})
		}
	})
}

// An interpreter opens the MPI library by its soname and by the name that a linker looks for, before and after a
// plugin.
func TestInterpreter(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		harness.Missing(t, fmt.Errorf("python3: %w", harness.ErrMissing))
	}
	script, err := filepath.Abs(filepath.Join("programs", "open.py"))
	require.NoError(t, err)
	each(t, harness.Directions, func(t *testing.T, d direction) {
		plugin := compile(t, d.from, "plugin.c", "plugin.so", "-shared", "-fPIC")
		soname, err := harness.Soname(plugin)
		require.NoError(t, err)
		name, _, _ := strings.Cut(soname, ".so.")
		name += ".so"
		for _, order := range [][]string{{soname, plugin}, {plugin, soname}, {name, plugin, soname}, {plugin, name}} {
			for _, scope := range []string{"RTLD_LOCAL", "RTLD_GLOBAL"} {
				command := append([]string{"python3", script, scope}, order...)
				ok(t, d.run(t, nil, d.byWi4go(), command...))
				ok(t, d.run(t, d.byHand(), nil, command...))
			}
		}
	})
}
