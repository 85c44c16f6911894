// Package fuzz makes random MPI calls, valid and invalid. Each sequence runs in its own process, natively and through
// wi4go on the same runtime. The error class and the results of every call are compared.
//
// It makes a few thousand calls in each direction; WI4GO_FUZZ=N makes N calls (`make fuzz`: 10^6), with other seeds
// from WI4GO_FUZZ_SEED.
package fuzz

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

const (
	runTimeout = 2 * time.Minute
	silence    = 30 * time.Second // without output, of a program in which a misuse may make the library wait forever
	length     = 600              // calls in a sequence
	usually    = 6                // sequences in each direction
	handles    = 12               // processes whose last call has a stale handle
	firsts     = 20               // programs of copied requests, each with another first call
	short      = 60               // calls in such a program
)

// found are sequences that failed through wi4go once, by their seeds.
var found = []struct {
	seed  int
	wrong string
}{
	{18, "MPI_Type_get_contents with more room than is needed ended the process on Open MPI"},
}

func TestMain(m *testing.M) { harness.Main(m) }

// once computes a native result once for all tests that compare with it.
type once[V any] struct {
	mutex sync.Mutex
	made  map[string]func() (V, error)
}

func (o *once[V]) of(key string, find func() (V, error)) (V, error) {
	o.mutex.Lock()
	if o.made == nil {
		o.made = map[string]func() (V, error){}
	}
	if o.made[key] == nil {
		o.made[key] = sync.OnceValues(find)
	}
	found := o.made[key]
	o.mutex.Unlock()
	return found()
}

// run is the output of a sequence, and how it ended.
type run struct {
	lines []string
	err   error
}

func (r run) died() bool {
	return len(r.lines) == 0 || r.lines[len(r.lines)-1] != "done" || r.err != nil
}

// direction runs a family's programs on a library of another. It has the directories of both sides' programs.
type direction struct {
	native, program string
	through         harness.Through
	tools           harness.Toolchain // of the library
}

func (d direction) sequence(t *testing.T, through harness.Through, program string, seed, calls int, more ...string) run {
	t.Helper()
	return start(t, runTimeout, through, append([]string{filepath.Join(program, "sequence"), strconv.Itoa(seed), strconv.Itoa(calls)}, more...)...)
}

// heard is the output of a program. Each write postpones the program's end.
type heard struct {
	text    bytes.Buffer
	end     *time.Timer
	silence time.Duration
}

func (h *heard) Write(b []byte) (int, error) {
	h.end.Reset(h.silence)
	return h.text.Write(b)
}

// start runs a program, and ends it if it has printed nothing for the given time.
func start(t *testing.T, silence time.Duration, through harness.Through, program ...string) run {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	argv := append(through.Env(), program...)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	// hwloc leaves OpenCL alone: a driver that handles SIGFPE hides that MPICH divides by zero.
	cmd.Env = append(harness.Environ(), "OMPI_MCA_ess_singleton_isolated=1", "HWLOC_COMPONENTS=-opencl")
	cmd.Dir = t.TempDir() // for its file
	cmd.WaitDelay = time.Second
	out := &heard{end: time.AfterFunc(silence, cancel), silence: silence}
	cmd.Stdout = out
	err := cmd.Run()
	out.end.Stop()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return run{strings.Split(strings.TrimSpace(out.text.String()), "\n"), err}
}

// both runs a sequence natively and through wi4go.
func (d direction) both(t *testing.T, seed, calls int, more ...string) (native, ours run) {
	t.Helper()
	return d.sequence(t, harness.Through{}, d.native, seed, calls, more...), d.sequence(t, d.through, d.program, seed, calls, more...)
}

func directions(t *testing.T) map[string]direction {
	return compiled(t, slices.Concat(harness.Directions, harness.EmbeddedDirections), "sequence", "misuse")
}

// compiled returns the directions of a list with these programs.
func compiled(t *testing.T, list []harness.Direction, sources ...string) map[string]direction {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	dir, tools := t.TempDir(), map[string]harness.Toolchain{}
	programs := func(name string) string {
		in := filepath.Join(dir, name)
		if _, ok := tools[name]; ok {
			return in
		}
		tools[name], err = harness.FindIn(prefix, name)
		if err != nil {
			harness.Missing(t, err)
		}
		for _, program := range sources {
			require.NoError(t, tools[name].Compile(filepath.Join("programs", program+".c"), filepath.Join(in, program), "-pthread"))
		}
		return in
	}
	all := map[string]direction{}
	for _, d := range list {
		native, program := programs(d.To), programs(d.From)
		through, err := harness.NewThrough(prefix, filepath.Join(program, sources[0]), tools[d.From].Family(), filepath.Join(native, sources[0]))
		require.NoError(t, err)
		all[d.String()] = direction{native, program, through, tools[d.To]}
	}
	return all
}

// Every call has the same result natively and through wi4go. If the runtime itself crashes in the sequence, that proves
// nothing.
func TestSequences(t *testing.T) {
	calls := usually * length
	if !harness.All.Runs() { // one sequence is as good as another
		calls = 2 * length
	}
	sequences := (harness.Number(t, "WI4GO_FUZZ", calls) + length - 1) / length
	first := harness.Number(t, "WI4GO_FUZZ_SEED", 1)
	var seeds []int
	for _, f := range found {
		seeds = append(seeds, f.seed)
	}
	for seed := first; seed < first+sequences; seed++ {
		if !slices.Contains(seeds, seed) {
			seeds = append(seeds, seed)
		}
	}
	for name, d := range directions(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // Open MPI sleeps during most of MPI_Init and MPI_Finalize
			survived := 0
			for _, seed := range seeds {
				native, ours := d.both(t, seed, length)
				if native.died() {
					t.Logf("seed %d: native dies after %q: %v", seed, native.lines[len(native.lines)-1], native.err)
					continue
				}
				survived++
				if !assert.Equal(t, native.lines, ours.lines, "seed %d: %v", seed, ours.err) {
					return
				}
				require.NoError(t, ours.err, "seed %d", seed)
			}
			assert.Greater(t, survived, len(seeds)/2, "of %d sequences", len(seeds))
			t.Logf("%d sequences of %d calls", survived, length)
		})
	}
}

// copies returns the output of each thread of each rank of a program of copied requests, and how the program ended.
func (d direction) copies(t *testing.T, through harness.Through, program string, seed, calls, ranks, threads int) (map[string][]string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), runTimeout)
	defer cancel()
	out := filepath.Join(t.TempDir(), "saw")
	command := append(through.Env(), filepath.Join(program, "copies"), strconv.Itoa(seed), strconv.Itoa(calls), strconv.Itoa(threads), out)
	cmd := d.tools.Launch(ctx, ranks, command...)
	text, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, text)
	}
	saw := map[string][]string{}
	for rank := range ranks {
		for thread := range threads {
			name := fmt.Sprintf(".%d.%d", rank, thread)
			text, _ := os.ReadFile(out + name) // the file is missing if it crashed earlier
			saw[name] = strings.Split(strings.TrimSpace(string(text)), "\n")
		}
	}
	return saw, err
}

// A request that the library returns for many operations is one request through wi4go as well, from the first call on:
// a program may complete copies of its handle if that works natively.
func TestCopiedRequests(t *testing.T) {
	seeds, calls := firsts, short
	if !harness.All.Runs() { // the first five have one and two ranks
		seeds = 5
	}
	if n := harness.Number(t, "WI4GO_FUZZ", 0); n > 0 {
		seeds, calls = max(seeds, n/10/length), length // each makes several MPI calls
	}
	first := harness.Number(t, "WI4GO_FUZZ_SEED", 0)
	libraries := []string{"openmpi", "openmpi-5.0", "mpich-3.4", "mpich", "mpich-5.0-abi"}
	list := append(harness.Across(append(slices.Clone(harness.Names), harness.Interface), libraries, false), harness.EmbeddedDirections...)
	var natively once[map[string][]string]
	all := compiled(t, list, "copies")
	for _, direction := range list {
		d := all[direction.String()]
		t.Run(direction.String(), func(t *testing.T) {
			t.Parallel()
			for seed := first; seed < first+seeds; seed++ {
				ranks := 1 + seed%5/4
				native, err := natively.of(fmt.Sprint(d.native, seed), func() (map[string][]string, error) {
					return d.copies(t, harness.Through{}, d.native, seed, calls, ranks, 1)
				})
				require.NoError(t, err, "seed %d, natively", seed)
				ours, err := d.copies(t, d.through, d.program, seed, calls, ranks, 1)
				for thread, lines := range native {
					n := 0
					for n < min(len(lines), len(ours[thread])) && lines[n] == ours[thread][n] {
						n++
					}
					require.Equal(t, lines[n:min(n+1, len(lines))], ours[thread][n:min(n+1, len(ours[thread]))], "seed %d, %s, line %d: %v", seed, thread, n+1, err)
				}
				require.NoError(t, err, "seed %d", seed)
			}
		})
	}
}

// The same in threads that start at the same time, so that the operations that complete immediately vary: no call
// fails.
func TestCopiedRequestsInThreads(t *testing.T) {
	const threads, seeds = 4, 3
	for name, d := range compiled(t, slices.Concat(harness.Directions, harness.EmbeddedDirections), "copies") {
		t.Run(name, func(t *testing.T) {
			for seed := range seeds {
				saw, err := d.copies(t, d.through, d.program, seed, short, 1, threads)
				require.NoError(t, err, "seed %d", seed)
				for thread, lines := range saw {
					require.Equal(t, "done", lines[len(lines)-1], "seed %d, thread %s", seed, thread)
					for _, line := range lines[:len(lines)-1] {
						require.Contains(t, line, " ok", "seed %d, thread %s", seed, thread)
					}
				}
			}
		})
	}
}

// stricter are misuses that wi4go refuses and the runtime accepts.
var stricter = []string{"MPI_Bsend_init(data, 1, raw", "MPI_Bsend_init(NULL, 1", "MPI_Buffer_detach(&text"}

// small is refused by MPICH's library; the buffers that wi4go emulates may have any size.
const small = "MPI_Buffer_attach(text, 1)"

// followed reports whether a call with the handle of a freed object succeeded natively. Except in MPICH's programs the
// handle is the library's own, and the result depends on the later use of the memory.
func followed(direction, call, want string) bool {
	return !strings.HasPrefix(direction, "mpich") && strings.HasPrefix(call, "freed ") && want == "ok"
}

// completion matches the functions that accept the null request. The front passes it to a library of the standard ABI for
// a handle that it does not know, because MPICH's library dereferences every other one.
var completion = regexp.MustCompile(`MPI_(Wait|Test|Request_get_status)`)

// as reports whether a call's result is acceptable. If the runtime crashes, accepts an invalid handle, or returns
// another error for it, the result through wi4go may differ, but it must not crash if the runtime does not.
func as(direction, call, want, got string) bool {
	none := strings.HasPrefix(call, "none ") || strings.HasPrefix(call, "freed ")
	switch {
	case got == want, want == "died", none && slices.Contains([]string{"OTHER", "INTERN", "IN_STATUS"}, want):
		return true
	case got == "died":
		return followed(direction, call, want)
	case none && want == "REQUEST" && got == "ok" && strings.HasSuffix(direction, "_on_"+harness.Embedded):
		return completion.MatchString(call)
	case want == "no code", none && want == "ok":
		return true
	case want == "ok" && slices.ContainsFunc(stricter, func(s string) bool { return strings.HasPrefix(call, s) }):
		return true
	}
	return call == small && got == "ok"
}

// outcome is a call and its result: "died" if it ended the process.
type outcome struct{ call, said string }

// misuse returns the outcome of each call of a program of misuses by its number, from several processes in turn.
func misuse(t *testing.T, through harness.Through, program string) map[int]outcome {
	t.Helper()
	said := map[int]outcome{}
	for first := 1; ; {
		r := start(t, silence, through, program, strconv.Itoa(first))
		before := first
		for _, line := range r.lines {
			number, rest, _ := strings.Cut(line, " ")
			n, err := strconv.Atoi(number)
			at := strings.LastIndex(rest, ":")
			if err != nil || at < 0 {
				continue
			}
			first = n + 1
			said[n] = outcome{rest[:at], cmp.Or(strings.TrimSpace(rest[at+1:]), "died")}
		}
		if slices.Contains(r.lines, "done") {
			return said
		}
		require.Greater(t, first, before, "%v: %q", r.err, r.lines)
	}
}

// A wrong argument has the same result natively and through wi4go: the same class of error.
func TestMisuse(t *testing.T) {
	var natively once[map[int]outcome]
	for name, d := range directions(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			native, err := natively.of(d.native, func() (map[int]outcome, error) {
				return misuse(t, harness.Through{}, filepath.Join(d.native, "misuse")), nil
			})
			require.NoError(t, err)
			require.NotEmpty(t, native)
			ours := misuse(t, d.through, filepath.Join(d.program, "misuse"))
			require.Len(t, ours, len(native))
			for n, want := range native {
				got := ours[n].said
				assert.True(t, as(name, want.call, want.said, got), "%s: %s, natively %s", want.call, got, want.said)
			}
		})
	}
}

// lenient are misuses of newer functions that an emulation accepts and a library that has them refuses: only the start
// of an operation detects them, or the library below allows them.
var lenient = []string{"MPI_Allreduce_init(data, data", "MPI_Scatter_init(data, 1, ", "MPI_Allgatherv_init(data, 1, ", "MPI_Cancel(", "MPI_File_write_at_c(file, -1"}

// emulated reports whether the result of a misused newer function is acceptable over a library that lacks the function;
// a library that has it returns want. Open MPI 4.1's functions by the names MPIX_ dereference a null pointer for the
// request, and an invalid communicator.
func emulated(direction, call, want, got string) bool {
	freed := strings.HasPrefix(call, "freed ")
	embedded := strings.HasSuffix(direction, "_on_"+harness.Embedded) // only the start of a collective operation refuses it
	switch {
	case embedded && got == "ok" && (strings.Contains(call, "_init(") || completion.MatchString(call)):
		return true
	case got == "died":
		return want == "died" || freed
	case want == "died", want == "ok", freed:
		return true
	case got == "ok":
		return strings.Contains(call, "OF_BITS(MPI_Info") || slices.ContainsFunc(lenient, func(s string) bool { return strings.Contains(call, s) })
	}
	return true
}

// The functions of MPI-4.0 and later refuse wrong arguments: a library's own functions as natively, and the emulated
// ones without a crash.
func TestNewerMisuse(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	const newest = "mpich-5.0"
	dir := t.TempDir()
	programs := map[string]string{}
	for _, name := range append([]string{newest, harness.Interface, harness.Embedded}, harness.Names...) {
		tools, err := harness.FindIn(prefix, name)
		if err != nil {
			harness.Missing(t, err)
		}
		programs[name] = filepath.Join(dir, name, "program")
		source := "newer.c"
		if name == harness.Embedded || slices.Contains(harness.Names, name) { // for the library's name
			source = "sequence.c"
		}
		require.NoError(t, tools.Compile(filepath.Join("programs", source), programs[name]))
	}
	native := misuse(t, harness.Through{}, programs[newest])
	for _, d := range []harness.Direction{{From: harness.Interface, To: newest}, {From: harness.Interface, To: "openmpi"}, {From: harness.Interface, To: "mpich"}, {From: harness.Interface, To: harness.Embedded}, {From: newest, To: harness.Embedded}, {From: newest, To: "openmpi"}} {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			through, err := harness.NewThrough(prefix, programs[d.From], harness.Toolchain{Name: d.From}.Family(), programs[d.To])
			require.NoError(t, err)
			ours := misuse(t, through, programs[d.From])
			require.Len(t, ours, len(native))
			for n, want := range native {
				got := ours[n].said
				good := emulated(d.String(), want.call, want.said, got)
				if d.To == newest {
					good = as(d.String(), want.call, want.said, got)
				}
				assert.True(t, good, "%d %s: %s, natively %s", n, want.call, got, want.said)
			}
		})
	}
}

// A handle that was freed, or is of another kind, is refused as natively. If the runtime does not notice it, either
// result is accepted. wi4go ends no process that the runtime does not end.
func TestStaleHandles(t *testing.T) {
	for name, d := range directions(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := 1; seed <= handles; seed++ {
				native, ours := d.both(t, seed, 2, "stale")
				if native.died() {
					continue
				}
				require.False(t, ours.died(), "seed %d: %q: %v", seed, ours.lines, ours.err)
				last := len(native.lines) - 2
				if !strings.HasSuffix(native.lines[last], " ok") {
					assert.Equal(t, native.lines, ours.lines, "seed %d", seed)
				}
			}
		})
	}
}
