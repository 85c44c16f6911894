package adi

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// Results of a search, as its output has them.
const (
	holds      = `State-vector \d+ byte, depth reached \d+, errors: 0\b`
	stuck      = `invalid end state`                             // a side waits forever
	race       = `assertion violated \(current\[(\d|_pid)\]\.at` // two accesses to data are not ordered
	wrongData  = `assertion violated \(\(?got(/4\)|\[0\])?==`
	outOfRange = `assertion violated .*%8\)\+u\)<8`
	wrongFree  = `assertion violated .*freed==` // never, twice, or too early

	wrongReport = `assertion violated \(received==` // of a job that can proceed
)

// models are searches of the models in embedded/adi/models, with their flags. Every step that a
// model needs is left out once; then the search must find the reason why it is needed.
var models = []struct{ model, about, flags, result string }{
	{"lines", "as it is", "", holds},
	{"lines", "the lap is stored relaxed", "-DWITHOUT=1", race},
	{"lines", "the lap is loaded relaxed", "-DWITHOUT=2", race},
	{"lines", "the reader's position is stored relaxed", "-DWITHOUT=3", race},
	{"lines", "the reader's position is loaded relaxed", "-DWITHOUT=4", race},
	{"lines", "the writer does not check for room", "-DWITHOUT=5", race},
	{"lines", "a flag in place of the lap", "-DWITHOUT=6", wrongData},
	{"lines", "the lap before the data", "-DWITHOUT=7", race},
	{"lines", "the position before the line is read", "-DWITHOUT=8", race},
	{"lines", "no position", "-DWITHOUT=9", stuck},
	{"lines", "further lines without laps, which they do not need", "-DWITHOUT=10", holds},

	{"bytes", "as it is", "", holds},
	{"bytes", "the line is stored relaxed", "-DWITHOUT=1", race},
	{"bytes", "the line is loaded relaxed", "-DWITHOUT=2", race},
	{"bytes", "the reader's position is stored relaxed", "-DWITHOUT=3", race},
	{"bytes", "the reader's position is loaded relaxed", "-DWITHOUT=4", race},
	{"bytes", "a block across the end", "-DWITHOUT=5", outOfRange},
	{"bytes", "the writer does not check for room", "-DWITHOUT=6", race},
	{"bytes", "the position before the block is read", "-DWITHOUT=7", race},
	{"bytes", "the reader never sleeps", "-DSLEEPLESS", holds},
	{"bytes", "the reader never sleeps, blocks of half the ring", "-DSLEEPLESS -DLARGEST=4", stuck},
	{"bytes", "blocks of more than half", "-DLARGEST=5", stuck},

	{"sleep", "membarrier", "", holds},
	{"sleep", "membarrier, many messages", "-DWAKERS=1 -DCOUNT=3", holds},
	{"sleep", "membarrier, room", "-DBEHIND", holds},
	{"sleep", "membarrier, asleep is set after the last poll", "-DWITHOUT=1", stuck},
	{"sleep", "no membarrier", "-DWITHOUT=2", stuck},
	{"sleep", "membarrier, the waker loads before it stores", "-DWITHOUT=5", stuck},
	{"sleep", "membarrier, the bell does not change", "-DWITHOUT=6", stuck},
	{"sleep", "membarrier, the bell is read after the last poll", "-DWITHOUT=7", stuck},
	{"sleep", "fences", "-DFENCES", holds},
	{"sleep", "fences, many messages", "-DFENCES -DWAKERS=1 -DCOUNT=3", holds},
	{"sleep", "fences, room", "-DFENCES -DBEHIND", holds},
	{"sleep", "fences, asleep is set after the last poll", "-DFENCES -DWITHOUT=1", stuck},
	{"sleep", "fences, none of the sleeper", "-DFENCES -DWITHOUT=2", stuck},
	{"sleep", "fences, none of the waker", "-DFENCES -DWITHOUT=4", stuck},
	{"sleep", "fences, the waker loads before it stores", "-DFENCES -DWITHOUT=5", stuck},
	{"sleep", "a sequentially consistent store and load of the waker", "-DFENCES -DWITHOUT=3", holds},
	{"sleep", "the same, room", "-DFENCES -DWITHOUT=3 -DBEHIND", stuck},
	{"sleep", "a waker that could not register", "-DUNREGISTERED", holds},
	{"sleep", "a waker that could not register, room", "-DUNREGISTERED -DBEHIND", holds},
	{"sleep", "a waker that could not register, no fence", "-DUNREGISTERED -DWITHOUT=4", stuck},

	{"knock", "as it is", "", holds},
	{"knock", "the counter before the bit", "-DWITHOUT=1", stuck},
	{"knock", "the bits are read before the counter", "-DWITHOUT=2", stuck},
	{"knock", "relaxed", "-DWITHOUT=3", stuck},
	{"knock", "no counter", "-DWITHOUT=4", stuck},

	{"blocked", "as it is", "", holds},
	{"blocked", "the version is never odd", "-DWITHOUT=1", wrongData},
	{"blocked", "the words are stored relaxed", "-DWITHOUT=2", wrongData},
	{"blocked", "the version is stored relaxed", "-DWITHOUT=3", wrongData},
	{"blocked", "the version is loaded relaxed", "-DWITHOUT=4", wrongData},
	{"blocked", "an odd version is accepted", "-DWITHOUT=5", wrongData},
	{"blocked", "the words are loaded relaxed", "-DWITHOUT=6", wrongData},
	{"blocked", "the version is not read again", "-DWITHOUT=7", wrongData},

	{"call", "as it is", "", holds},
	{"call", "an answer without a further look", "-DWITHOUT=1", wrongReport},
	{"call", "the version stays", "-DWITHOUT=2", wrongReport},
	{"call", "an answer without the version", "-DWITHOUT=3", wrongReport},
	{"call", "the version is stored relaxed", "-DWITHOUT=4", wrongReport},
	{"call", "the version is loaded relaxed", "-DWITHOUT=5", wrongReport},
	{"call", "the call is loaded relaxed", "-DWITHOUT=6", wrongReport},
	{"call", "the call is stored relaxed", "-DWITHOUT=7", wrongReport},
	{"call", "the answer is stored relaxed, which it may be", "-DWITHOUT=8", holds},
	{"call", "the versions from after the call", "-DWITHOUT=9", wrongReport},

	{"request", "as it is", "", holds},
	{"request", "is_complete is stored relaxed", "-DWITHOUT=1", race},
	{"request", "is_complete is loaded relaxed", "-DWITHOUT=2", race},
	{"request", "the fate changes in two steps", "-DWITHOUT=3", wrongFree},
	{"request", "the owner frees before the other thread has finished", "-DWITHOUT=4", wrongFree},
	{"request", "the fate is relaxed", "-DWITHOUT=5", race},
	{"request", "the request is touched after its completion", "-DWITHOUT=6", race},

	{"long", "as it is", "", holds},
	{"long", "the answer before the first part is copied", "-DWITHOUT=1", race},
	{"long", "the answer is stored relaxed", "-DWITHOUT=2", race},
	{"long", "the answer is loaded relaxed", "-DWITHOUT=3", race},
	{"long", "the other part is announced relaxed", "-DWITHOUT=4", race},
	{"long", "the other part is loaded relaxed", "-DWITHOUT=5", race},
	{"long", "no lock of the sender", "-DWITHOUT=6", race},

	{"direct", "as it is", "", holds},
	{"direct", "a piece of any message", "-DWITHOUT=1", race},
	{"direct", "a piece is taken in two steps", "-DWITHOUT=2", race},
	{"direct", "the sender's pieces are not waited for", "-DWITHOUT=3", race},
	{"direct", "the sender's pieces are loaded relaxed", "-DWITHOUT=4", race},
	{"direct", "the last answer is stored relaxed", "-DWITHOUT=5", race},
	{"direct", "the answers are loaded relaxed", "-DWITHOUT=6", race},
	{"direct", "the sender's pieces are announced relaxed", "-DWITHOUT=7", race},

	{"heap", "as it is", "", holds},
	{"heap", "the part of a user is given up relaxed", "-DWITHOUT=1", race},
	{"heap", "the range is free before its pages are given back", "-DWITHOUT=2", race},
	{"heap", "the lock is taken relaxed", "-DWITHOUT=3", race},
	{"heap", "the lock is given back relaxed", "-DWITHOUT=4", race},
	{"heap", "an object is kept without the lock", "-DWITHOUT=5", race},
	{"heap", "the holder of the lock is killed", "-DKILLED", holds},
	{"heap", "it is killed, and the lock is waited for in any case", "-DKILLED -DWITHOUT=6", stuck},

	{"threads", "as it is", "", holds},
	{"threads", "the event before the result", "-DWITHOUT=1", stuck},
	{"threads", "the event is not sequentially consistent", "-DWITHOUT=2", stuck},
	{"threads", "asleep is loaded relaxed", "-DWITHOUT=3", stuck},
	{"threads", "the ticket after the look", "-DWITHOUT=4", stuck},
	{"threads", "the events are not looked at again", "-DWITHOUT=5", stuck},
	{"threads", "they are, but not sequentially consistent", "-DWITHOUT=6", stuck},
}

// search lets Spin visit every state of a model and returns its output. To optimize the search would take longer than it
// does.
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
		"spin -a "+flags+" "+model+".pml && gcc -O0 -w -DSAFETY -DCOLLAPSE -DVECTORSZ=4096 -DMEMLIM=2000 -o pan pan.c && exec ./pan -m100000")
	command.Dir = directory
	out, err := command.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

// The queues between ranks, long and direct messages, sleeping and waking, threads inside a rank, and descriptions of
// waits, and memory objects, under the memory model of C11.
func TestModels(t *testing.T) {
	harness.All.From(t, "it compiles a program for each of 92 searches")
	needs(t, "spin")
	for _, m := range models {
		t.Run(m.model+": "+m.about, func(t *testing.T) {
			t.Parallel()
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
