package plugins

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// The constructor of a plugin initializes MPI, and its destructor finalizes it. The loader's lock is held meanwhile, so no
// other thread may need it for that: neither a thread of the core, nor another thread of the program.
func TestConstructor(t *testing.T) {
	const plugin, withThreads, nested = "plugin", "with threads", "nested"
	runs := []struct{ how, plugin string }{
		{"dlopen", plugin},
		{"lazy", plugin},
		{"now", plugin},
		{"now,global", plugin},
		{"deepbind", plugin},
		{"global,deepbind,now", plugin},
		{"now", withThreads},
		{"now", nested},
		{"objects", plugin},
		{"thread", plugin},
		{"thread,dlopen", withThreads},
		{"leave", plugin},
		{"leave,dlopen", nested},
	}
	if !harness.All.Runs() {
		runs = runs[:1] // the other ways to open it take as long again
	}
	gcc := harness.Toolchain{Name: "gcc", MPICC: "gcc", MPIExec: "gcc"}
	opens := compile(t, gcc, "opens.c", "opens", "-ldl", "-pthread")
	each(t, slices.Concat(harness.Directions, harness.EmbeddedDirections), func(t *testing.T, d direction) {
		files := map[string]string{
			plugin:      compile(t, d.from, "constructor.c", "plugin.so", "-shared", "-fPIC"),
			withThreads: compile(t, d.from, "constructor.c", "threads.so", "-shared", "-fPIC", "-DTHREADS"),
		}
		files[nested] = compile(t, d.from, "constructor.c", "nested.so", "-shared", "-fPIC", fmt.Sprintf("-DOPENS=%q", files[plugin]))
		linked := compile(t, gcc, "opens.c", "linked", "-pthread", "-Wl,--no-as-needed,--allow-shlib-undefined", files[plugin])
		for _, r := range runs {
			t.Run(r.how+" "+r.plugin, func(t *testing.T) {
				initialized(t, d.run(t, nil, d.byWi4go(), opens, r.how, files[r.plugin]))
			})
		}
		t.Run("linked", func(t *testing.T) { initialized(t, d.run(t, nil, d.byWi4go(), linked, "now")) })
		if d.To != harness.Embedded {
			t.Run("by hand", func(t *testing.T) { initialized(t, d.run(t, d.byHand(), nil, opens, "dlopen", files[plugin])) })
		}
	})
}

// initialized asserts that every rank has called MPI, and begun to finalize it. If that fails, so does the rank.
func initialized(t *testing.T, output string) {
	t.Helper()
	assert.Equal(t, ranks, strings.Count(output, fmt.Sprintln("sum", 3*ranks)), output)
	assert.Equal(t, ranks, strings.Count(output, "finalizes"), output)
}

// Two threads make the first calls of MPI at the same time: one loads the runtime, which takes the loader's lock, and one holds
// this lock, because it is in the constructor of a plugin. Either may be the first.
func TestFirstCalls(t *testing.T) {
	directions := slices.Concat(harness.Directions, harness.EmbeddedDirections)
	if !harness.All.Runs() {
		directions = harness.EmbeddedDirections
	}
	each(t, directions, func(t *testing.T, d direction) {
		program := compile(t, d.from, "first_calls.c", "program", "-rdynamic", "-ldl", "-pthread")
		plugin := compile(t, d.from, "first_calls.c", "plugin.so", "-shared", "-fPIC", "-DPLUGIN")
		for _, first := range []string{"load", "constructor"} {
			for _, audit := range []string{"WI4GO_AUDIT=0", "WI4GO_AUDIT=1"} {
				t.Run(first+" "+audit, func(t *testing.T) {
					output := d.run(t, []string{audit}, d.byWi4go(), program, first, plugin)
					assert.Equal(t, ranks, strings.Count(output, fmt.Sprintln("sum", 3*ranks)), output)
				})
			}
		}
	})
}

// If the launcher ends while the ranks wait in the constructor of a plugin, no rank is left.
func TestConstructorWithoutLauncher(t *testing.T) {
	harness.All.From(t, "the launchers take seconds to end")
	opens := compile(t, harness.Toolchain{Name: "gcc", MPICC: "gcc", MPIExec: "gcc"}, "opens.c", "opens", "-ldl", "-pthread")
	directions := slices.Concat(harness.Across(harness.Names, harness.Names, false), harness.EmbeddedDirections)
	each(t, directions, func(t *testing.T, d direction) {
		plugin := compile(t, d.from, "constructor.c", "waits.so", "-shared", "-fPIC", "-DWAITS")
		for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
			t.Run(signal.String(), func(t *testing.T) {
				tools := d.to
				tools.MPIExec = filepath.Join(d.prefix, "bin", "wi4go")
				cmd := tools.Launch(t.Context(), ranks, opens, "now", plugin)
				cmd.Args = slices.Concat(cmd.Args[:1], d.byWi4go(), cmd.Args[1:])
				cmd.Dir = t.TempDir()
				require.NoError(t, cmd.Start())
				t.Cleanup(func() { _ = cmd.Process.Kill() })
				var files []string // one for each rank that waits; its name ends in the process id
				require.Eventually(t, func() bool {
					files, _ = filepath.Glob(filepath.Join(cmd.Dir, "waits.*"))
					return len(files) == ranks
				}, time.Minute, 10*time.Millisecond)
				require.NoError(t, cmd.Process.Signal(signal))
				_ = cmd.Wait() // its status depends on the launcher
				for _, file := range files {
					rank, err := strconv.Atoi(strings.TrimPrefix(filepath.Ext(file), "."))
					require.NoError(t, err)
					require.Eventually(t, func() bool { return isGone(rank) }, time.Minute, 10*time.Millisecond, "rank %d", rank)
				}
			})
		}
	})
}

// isGone reports whether a process has ended, also if its parent has not waited for it yet.
func isGone(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(stat), ") ")
	return err != nil || strings.HasPrefix(state, "Z")
}
