package plugins

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

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
