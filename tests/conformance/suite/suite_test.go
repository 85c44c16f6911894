package suite

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// Between Debian's two libraries.
var debian = harness.Across(harness.Names, harness.Names, false)

// ranks returns the numbers of ranks to run with. Two ranks cover the cases of one rank, except groups and
// arrays that are empty with one.
func ranks() []int {
	switch {
	case harness.Nightly.Runs():
		return []int{1, 2, 4}
	case harness.All.Runs():
		return []int{1, 2}
	}
	return []int{2}
}

// Every program, in both directions, on one rank and on two, and nightly on four.
func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("starts hundreds of MPI programs")
	}
	top := filepath.Join("..", "..", "..")
	s := Suite{
		Programs: "..", Prefix: filepath.Join(top, "build"), Cache: filepath.Join(top, "build", "conformance"),
		Directions: debian, Ranks: ranks(), Jobs: harness.Jobs(), Timeout: 2 * time.Minute,
	}
	if dir := os.Getenv("WI4GO_PREFIX"); dir != "" {
		s.Prefix = dir
	}
	if err := s.Open(); err != nil {
		harness.Missing(t, err)
	}
	passed := map[harness.Direction]int{}
	s.Run(t.Context(), func(r Result) {
		assert.True(t, r.Good(), "%s %s %d: natively %s, through wi4go %s: %s", r.Program, r.Direction, r.Ranks, r.Native, r.Through, r.Detail)
		if r.Program == "large_fits" || r.Program == "large_types" || strings.HasPrefix(r.Program, "large_chunk_") {
			assert.Equal(t, Pass, r.Through, "%s %s: this needs no large counts in the library", r.Program, r.Direction)
		}
		if r.Through == Pass {
			passed[r.Direction]++
		}
	})
	// A run in which nearly all programs are excused shows nothing.
	for _, d := range s.Directions {
		assert.Greater(t, passed[d], len(s.Cases())/len(s.Directions)*3/4, "passed by %s", d)
	}
}

// The standard ABI, both as the ABI of programs, compiled by wi4go's own mpicc, and as the runtime: one program for
// each peculiarity of this ABI.
func TestStandardABI(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a hundred MPI programs")
	}
	top := filepath.Join("..", "..", "..")
	s := Suite{
		Programs: "..", Prefix: filepath.Join(top, "build"), Cache: filepath.Join(top, "build", "conformance"),
		Only: []string{"p2p_status", "p2p_completion", "p2p_buffer_automatic", "coll_userop", "type_contents", "attr_predefined", "attr_type",
			"error_handlers", "rma_lock", "io_view", "handle_c2f", "topo_dist_graph", "env_basic", "spawn_ports"},
		Directions: slices.DeleteFunc(slices.Clone(harness.Directions), func(d harness.Direction) bool { return slices.Contains(debian, d) }),
		Ranks:      []int{2}, Jobs: harness.Jobs(), Timeout: 2 * time.Minute,
	}
	good(t, &s)
}

// Programs compiled with Intel's mpi.h for a draft of that ABI. They use its numbers that have other meanings in the
// standard. They also run on a library of the standard ABI.
func TestDraftABI(t *testing.T) {
	if testing.Short() {
		t.Skip("starts fifty MPI programs")
	}
	harness.All.From(t, "a change to the standard ABI's family shows in TestStandardABI")
	top := filepath.Join("..", "..", "..")
	s := Suite{
		Programs: "..", Prefix: filepath.Join(top, "build"), Cache: filepath.Join(top, "build", "conformance"),
		Only:       []string{"attr_predefined", "attr_errors", "buffer_objects", "error_return", "io_shared", "init_sessions", "session_errhandler", "env_basic"},
		Directions: harness.Across([]string{"intelmpi-2021.18-abi"}, append(harness.Names, "mpich-5.0-abi"), true),
		Ranks:      []int{1}, Jobs: harness.Jobs(), Timeout: 2 * time.Minute,
	}
	good(t, &s)
}

// good runs a suite in which every program must be as good as natively.
func good(t *testing.T, s *Suite) {
	t.Helper()
	if dir := os.Getenv("WI4GO_PREFIX"); dir != "" {
		s.Prefix = dir
	}
	if err := s.Open(); err != nil {
		harness.Missing(t, err)
	}
	passed := 0
	s.Run(t.Context(), func(r Result) {
		assert.True(t, r.Good(), "%s %s %d: natively %s, through wi4go %s: %s", r.Program, r.Direction, r.Ranks, r.Native, r.Through, r.Detail)
		if r.Through == Pass {
			passed++
		}
	})
	assert.Greater(t, passed, len(s.Cases())*3/4)
}

func TestVerdict(t *testing.T) {
	const (
		lacks = "wi4go: MPI_Isendrecv: not in the MPI library that this program runs on (/lib/libmpi.so.40): the call fails\n"
		first = "a/p2p.c:12: rank 0: MPI_Isendrecv(0) returned 52\n"
		other = "a/p2p.c:10: rank 0: MPI_Send(0) returned 3\n"
	)
	failure := exec.Command("false").Run()
	exports := map[string]bool{"MPI_Send": true}
	for name, c := range map[string]struct {
		ran
		want Verdict
	}{
		"passed":                      {ran{stdout: "PASS p2p\n"}, Pass},
		"another's name":              {ran{stdout: "PASS p2p_other\n"}, Fail},
		"said nothing":                {ran{}, Fail},
		"passed, and a child did not": {ran{stdout: "PASS p2p\n", stderr: other}, Fail},
		"failed":                      {ran{stdout: "FAIL p2p 1\n", stderr: other, err: failure}, Fail},
		"passed without a function":   {ran{stdout: "PASS p2p\n", stderr: lacks}, Pass},
		"a function lacks":            {ran{stderr: lacks + first, err: failure}, Unsupported},
		"aborted for it":              {ran{stderr: lacks, err: failure}, Unsupported},
		"and then fails":              {ran{stderr: lacks + first + other, err: failure}, Unsupported},
		"fails before":                {ran{stderr: lacks + other + first, err: failure}, Fail},
		"failed without an exit code": {ran{stdout: "FAIL p2p 1\n", stderr: lacks + first}, Fail},
		"a function that is there":    {ran{stderr: "[1] wi4go: MPI_Send: not in the MPI library that this program runs on\n", err: failure}, Fail},
		"time-out":                    {ran{stdout: "PASS p2p\n", timedOut: true, err: failure}, TimeOut},
		"not started":                 {ran{err: errors.New("no such file")}, Broken},
		"no front":                    {ran{stdout: "PASS p2p\n", stderr: "ERROR: ld.so: object 'x' from LD_PRELOAD cannot be preloaded (file too short): ignored.\n"}, Broken},
		"crash, MPICH":                {ran{stderr: lacks + "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Segmentation fault (signal 11)\n", err: failure}, Crash},
		"crash, Open MPI":             {ran{stderr: lacks + "noticed that process rank 0 with PID 0 on node n exited on signal 6 (Aborted).\n", err: failure}, Crash},
		"killed with the others":      {ran{stderr: lacks + "EXIT STRING: Killed (signal 9)\n", err: failure}, Unsupported},
		"data symbol":                 {ran{stdout: "PASS p2p\n", stderr: "p: Symbol `ompi_mpi_comm_world' has different size in shared object, consider re-linking\n"}, Fail},
	} {
		got, detail := c.verdict("p2p", exports)
		assert.Equal(t, c.want, got, "%s: %s", name, detail)
		assert.Equal(t, c.want == Pass, detail == "", name)
	}
}

func TestReadExcused(t *testing.T) {
	name := filepath.Join(t.TempDir(), "native-failures.txt")
	var s Suite
	read := func(text string) error {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
		return s.readExcused(name)
	}
	require.NoError(t, read("p mpich 2,4 it is so\n\nq mpich* * it is\n"))
	for _, c := range []struct {
		program, library string
		ranks            int
		want             string
	}{
		{"p", "mpich", 2, "it is so"}, {"p", "mpich", 4, "it is so"}, {"p", "mpich", 1, ""}, {"p", "mpich", 24, ""},
		{"p", "mpich-3.4", 2, ""}, {"q", "mpich-3.4", 1, "it is"}, {"q", "openmpi", 1, ""}, {"r", "mpich", 2, ""},
	} {
		reason, known := s.excuse(c.program, c.library, c.ranks)
		assert.Equal(t, c.want, reason, "%v", c)
		assert.Equal(t, c.want != "", known, "%v", c)
	}

	for text, want := range map[string]string{
		"p mpich 2\n":           ":1: write the line as",
		"p impi 2 it is so\n":   ":1: no library is called impi",
		"p [ 2 it is so\n":      ":1: no library is called [",
		"\np mpich two it is\n": ":2: write the line as",
	} {
		assert.ErrorContains(t, read(text), want)
	}
}

// The list names only existing programs.
func TestNativeFailures(t *testing.T) {
	var s Suite
	require.NoError(t, s.readExcused(filepath.Join("..", "native-failures.txt")))
	for _, l := range s.excused {
		found, err := filepath.Glob(filepath.Join("..", "*", l.program+".c*"))
		require.NoError(t, err)
		assert.Len(t, found, 1, l.program)
	}
}

func TestFresh(t *testing.T) {
	dir := t.TempDir()
	source, out := filepath.Join(dir, "a.c"), filepath.Join(dir, "a")
	require.NoError(t, os.WriteFile(source, nil, 0o644))
	assert.False(t, fresh(out, source), "missing")
	require.NoError(t, os.WriteFile(out, nil, 0o644))
	require.NoError(t, os.Chtimes(source, time.Time{}, time.Now().Add(-time.Hour)))
	assert.True(t, fresh(out, source))
	require.NoError(t, os.Chtimes(source, time.Time{}, time.Now().Add(time.Hour)))
	assert.False(t, fresh(out, source), "older than its source")
}
