package adi

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Results of a search, as its output has them.
const (
	holds      = `State-vector \d+ byte, depth reached \d+, errors: 0\b`
	stuck      = `invalid end state`                      // a side waits for ever
	race       = `assertion violated \(current\[\d\]\.at` // two accesses to data are not ordered
	wrongData  = `assertion violated \(got==`
	outOfRange = `assertion violated .*%8\)\+u\)<8`
)

// models are searches of the models in embedded/adi/models, with their flags. Every step that a
// model needs is left out once; then the search must find the reason why it is needed.
var models = []struct{ model, about, flags, result string }{
	{"lines", "as it is", "", holds},
	{"lines", "the lap is stored relaxed", "-DWITHOUT=1", race},
	{"lines", "the lap is loaded relaxed", "-DWITHOUT=2", race},
	{"lines", "the reader's position is stored relaxed", "-DWITHOUT=3", race},
	{"lines", "the reader's position is loaded relaxed", "-DWITHOUT=4", race},
	{"lines", "no look for room", "-DWITHOUT=5", race},
	{"lines", "a flag in place of the lap", "-DWITHOUT=6", wrongData},
	{"lines", "the lap before the data", "-DWITHOUT=7", race + "|" + wrongData},
	{"lines", "the position before the line is read", "-DWITHOUT=8", race},
	{"lines", "no position", "-DWITHOUT=9", stuck},

	{"bytes", "as it is", "", holds},
	{"bytes", "the line is stored relaxed", "-DWITHOUT=1", race},
	{"bytes", "the line is loaded relaxed", "-DWITHOUT=2", race},
	{"bytes", "the reader's position is stored relaxed", "-DWITHOUT=3", race},
	{"bytes", "the reader's position is loaded relaxed", "-DWITHOUT=4", race},
	{"bytes", "a block across the end", "-DWITHOUT=5", outOfRange},
	{"bytes", "no look for room", "-DWITHOUT=6", race},
	{"bytes", "the position before the block is read", "-DWITHOUT=7", race},
	{"bytes", "the reader never sleeps", "-DWITHOUT=8", stuck},
	{"bytes", "the reader never sleeps, blocks of at most 3/8", "-DWITHOUT=8 -DLARGEST=3", holds},
	{"bytes", "blocks of more than half", "-DLARGEST=5", stuck},

	{"sleep", "membarrier", "", holds},
	{"sleep", "membarrier, many messages", "-DWAKERS=1 -DCOUNT=3", holds},
	{"sleep", "membarrier, room", "-DBEHIND", holds},
	{"sleep", "asleep is set after the last look", "-DWITHOUT=1", stuck},
	{"sleep", "no membarrier", "-DWITHOUT=2", stuck},
	{"sleep", "the waker looks before it stores", "-DWITHOUT=5", stuck},
	{"sleep", "the bell does not change", "-DWITHOUT=6", stuck},
	{"sleep", "the bell is read after the last look", "-DWITHOUT=7", stuck},
	{"sleep", "sequentially consistent", "-DFENCES=1", holds},
	{"sleep", "sequentially consistent, many messages", "-DFENCES=1 -DWAKERS=1 -DCOUNT=3", holds},
	{"sleep", "sequentially consistent, no fence of the sleeper", "-DFENCES=1 -DWITHOUT=2", stuck},
	{"sleep", "sequentially consistent, the store is not", "-DFENCES=1 -DWITHOUT=3", stuck},
	{"sleep", "sequentially consistent, the load is not", "-DFENCES=1 -DWITHOUT=4", stuck},
	{"sleep", "sequentially consistent, room", "-DFENCES=1 -DBEHIND", stuck},
	{"sleep", "fences", "-DFENCES=2", holds},
	{"sleep", "fences, many messages", "-DFENCES=2 -DWAKERS=1 -DCOUNT=3", holds},
	{"sleep", "fences, room", "-DFENCES=2 -DBEHIND", holds},
	{"sleep", "fences, none of the sleeper", "-DFENCES=2 -DWITHOUT=2", stuck},
	{"sleep", "fences, none of the waker", "-DFENCES=2 -DWITHOUT=3", stuck},

	{"knock", "as it is", "", holds},
	{"knock", "the counter before the bit", "-DWITHOUT=1", stuck},
	{"knock", "the bits are read before the counter", "-DWITHOUT=2", stuck},
	{"knock", "relaxed", "-DWITHOUT=3", stuck},
	{"knock", "no counter", "-DWITHOUT=4", stuck},
}

// search lets Spin visit every state of a model and returns its output.
func search(t *testing.T, model, flags string) string {
	t.Helper()
	directory := t.TempDir()
	sources, err := filepath.Glob(filepath.Join(root, "embedded/adi/models/*.pml"))
	require.NoError(t, err)
	for _, source := range sources {
		text, err := os.ReadFile(source)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(directory, filepath.Base(source)), text, 0o644))
	}
	command := exec.CommandContext(t.Context(), "sh", "-c",
		"spin -a "+flags+" "+model+".pml && gcc -O1 -w -DSAFETY -DCOLLAPSE -DVECTORSZ=4096 -DMEMLIM=2000 -o pan pan.c && exec ./pan -m100000")
	command.Dir = directory
	out, err := command.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

// The queues between ranks, and sleeping and waking, under the memory model of C11.
func TestModels(t *testing.T) {
	needs(t, "spin")
	for _, m := range models {
		t.Run(m.model+": "+m.about, func(t *testing.T) {
			out := search(t, m.model, m.flags)
			assert.Regexp(t, regexp.MustCompile(m.result), out)
			for _, incomplete := range []string{"max search depth too small", "Search not completed"} {
				if m.result == holds {
					assert.NotContains(t, out, incomplete)
				}
			}
		})
	}
}
