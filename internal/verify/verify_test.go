package verify

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
	"wi4go/internal/runtimes"
)

// testRanks writes the output of two running processes.
type testRanks struct {
	t   *testing.T
	dir string
	*job
}

func newRanks(t *testing.T, skipped int) *testRanks {
	dir := t.TempDir()
	return &testRanks{t, dir, newJob(dir, skipped)}
}

func (r *testRanks) say(rank int, lines string) {
	r.t.Helper()
	f, err := os.OpenFile(filepath.Join(r.dir, fmt.Sprintf("a.host.%d", 100+rank)), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	require.NoError(r.t, err)
	_, err = f.WriteString(lines)
	require.NoError(r.t, err)
	require.NoError(r.t, f.Close())
	_, err = r.read()
	require.NoError(r.t, err)
}

// taken returns the cases that are reported, as text.
func (r *testRanks) taken(upTo int) string {
	var all []string
	r.collect(upTo, func(f *finding) {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%d %s %s%s", f.number, f.name, f.wrong, f.missing)))
	})
	return strings.Join(all, "; ")
}

func TestRanks(t *testing.T) {
	r := newRanks(t, 0)
	r.say(0, "rank 0 2\ntest MPI_Send 2 1\ntest MPI_Ssend 1 1\ntotal 3\ngroup MPI_Send/MPI_INT/1\ncase 0 0 1\ncase 1 1 2\nwrong a b\nca")
	assert.Zero(t, r.past(2), "one rank is missing")
	r.say(1, "rank 1 2\ntest MPI_Send 2 1\ntest MPI_Ssend 1 1\ntotal 3\ngroup MPI_Send/MPI_INT/1\ncase 0 0 1\n")
	assert.Equal(t, 0, r.past(2))
	assert.Equal(t, []span{{"MPI_Send", 0, 2, 1}, {"MPI_Ssend", 2, 3, 1}}, r.spans)
	assert.Equal(t, 1, r.wrong)
	r.say(1, "case 1 1 2\nwrong c\n")
	assert.Equal(t, "0 MPI_Send/MPI_INT/1/0/1", r.taken(r.past(2)))
	r.say(0, "se 2 2 3\nmissing MPI_X\nend\n")
	r.say(1, "case 2 2 3\n")
	assert.Equal(t, "1 MPI_Send/MPI_INT/1/1/2 rank 0: a b", r.taken(r.past(2)))
	assert.False(t, r.ended(2))
	r.say(1, "end\n")
	assert.True(t, r.ended(2))
	assert.Equal(t, "2 MPI_Send/MPI_INT/1/2/3 MPI_X", r.taken(r.past(2)))
}

func TestLost(t *testing.T) {
	r := newRanks(t, 5)
	number, _ := r.blameForEnd(false)
	assert.Negative(t, number, "nothing began")
	r.say(0, "rank 0 2\ntotal 9\ngroup A/B/1\ncase 5 0 0\ncase 6 1 1\n")
	r.say(1, "rank 1 2\ntotal 9\ngroup A/B/1\ncase 5 0 0\ncase 6 1 1\n")
	assert.Equal(t, 6, r.past(2))
	lost := func(hangs bool) string {
		number, text := r.blameForEnd(hangs)
		return strings.TrimSpace(fmt.Sprintf("%d %s", number, text))
	}
	assert.Equal(t, "6 ranks 0, 1: ended during the test", lost(false))
	r.say(0, "case 7 2 2\n")
	assert.Equal(t, "6 rank 1: did not finish in time", lost(true))
	r.say(0, "wrong a\ncase 8 3 3\n")
	assert.Equal(t, "7", lost(false), "the end is a consequence of the wrong case")
	assert.Equal(t, "6 rank 1: did not finish in time", lost(true), "that was before")
	r.say(1, "wrong b\ndied 6\n")
	assert.Equal(t, "6", lost(false))
	assert.Equal(t, "rank 1: b; rank 1 died of signal 6", r.pending[6].wrong)
	r.say(0, "error no such type\n")
	assert.Equal(t, "no such type", r.refused())
	require.NoError(t, os.WriteFile(filepath.Join(r.dir, "another"), []byte("x\n"), 0o644))
	_, err := r.read()
	assert.NoError(t, err, "files that libraries leave there are ignored")
	require.NoError(t, os.WriteFile(filepath.Join(r.dir, "host.1"), []byte("nonsense\n"), 0o644))
	_, err = r.read()
	assert.ErrorContains(t, err, `unexpected line "nonsense"`)
}

func failures(names ...string) *Tally {
	t := &Tally{Cases: 10, Wrong: len(names)}
	for i, n := range names {
		t.Failures = append(t.Failures, Failure{n, "text", i})
	}
	return t
}

// The test that follows a failure: enough tests must run, in limited time.
func TestNext(t *testing.T) {
	s := span{"T", 100, 400, 10}
	tally := &Tally{}
	wrong := func(number int, hung bool, want ...Failure) int {
		tally.add(&finding{number: number, name: "T", wrong: "text"})
		if hung {
			tally.Hung++
		}
		return tally.next(s, number, hung, want)
	}
	assert.Equal(t, 102, wrong(101, false))
	assert.Equal(t, 103, wrong(102, false))
	assert.Zero(t, tally.Left)
	assert.Equal(t, 110, wrong(104, false), "the third of the group")
	assert.Equal(t, 5, tally.Left)
	assert.Equal(t, 115, wrong(114, false), "another group")
	assert.Equal(t, 120, wrong(115, true), "one case that hangs is enough")
	assert.Equal(t, 124, wrong(121, true, Failure{Number: 115}, Failure{Number: 124}), "a case that was wrong through wi4go runs natively")
	assert.Equal(t, 400, wrong(124, false), "the second that hung")
	tally = &Tally{}
	for n := 100; n < 100+10*(mostOfTest-1); n += 10 {
		assert.Equal(t, n+1, wrong(n, false))
	}
	assert.Equal(t, 400, wrong(390, false), "enough of them")
	assert.Equal(t, 9, tally.Left)
}

// Cases are numbered through all tests of a part, so the numbers must be the same when a part is
// continued.
func TestPart(t *testing.T) {
	tests := []*Test{{Name: "A", Chapter: "a"}, {Name: "B", Chapter: "a", Reason: "programs of that family do not have it"}, {Name: "C", Chapter: "b"},
		{Name: "D", Chapter: "a", Reason: "needs 3 ranks", ranks: 3},
		{Name: "E", Chapter: "a", Reason: "the embedded MPI does not have it", lacking: true}}
	p := newPart(&Run{Parameters: Parameters{Ranks: 2}}, &Report{Tests: tests}, "a", &side{name: "through"})
	assert.Equal(t, []string{"A", "B"}, p.names)
}

// Tests of functions that the embedded MPI does not have are left out by name, in C and in Fortran.
func TestLacking(t *testing.T) {
	embedded := fakempi.Embedded(t, t.TempDir(), "MPI_Put", "MPI_Type_struct")
	rt, err := runtimes.Search{}.Resolve(embedded)
	require.NoError(t, err)
	r := &Run{Runtime: rt}
	for name, want := range map[string]bool{"MPI_Put": true, "MPI_TYPE_STRUCT": true, "MPI_Send": false, "MPI_Put_c": false} {
		assert.Equal(t, want, r.lacks(name), name)
	}
	assert.False(t, (&Run{}).lacks("MPI_Put"))
}

func TestVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		through, natively *Tally
		lacks             bool
		verdict, native   Verdict
	}{
		"right":               {failures(), failures(), false, Right, Right},
		"not natively":        {failures(), nil, false, Right, NotRun},
		"emulated":            {failures(), &Tally{Cases: 3, Absent: 3}, true, Emulated, Missing},
		"missing":             {&Tally{Cases: 3, Missing: 3}, nil, true, Missing, NotRun},
		"wrong":               {failures("A/B/1/0/0"), failures(), false, Wrong, Right},
		"wrong, not natively": {failures("A/B/1/0/0"), nil, false, Wrong, NotRun},
		"natively too":        {failures("A/B/1/0/0"), failures("A/B/1/0/0", "A/B/2/0/0"), false, WrongNatively, Wrong},
		"more than natively":  {failures("A/B/1/0/0", "A/B/2/0/0"), &Tally{Cases: 9, Wrong: 1, Left: 1, Failures: []Failure{{Case: "A/B/1/0/0"}}}, false, Wrong, Wrong},
		"another natively":    {failures("A/B/1/0/0"), failures("A/B/2/0/0"), false, Wrong, Wrong},
		"not run":             {nil, nil, false, NotRun, NotRun},
		"not of the family":   {&Tally{Cases: 3, Absent: 3}, nil, true, NotRun, NotRun},
	} {
		test := &Test{Through: c.through, Natively: c.natively}
		test.judge(c.lacks)
		assert.Equal(t, c.verdict, test.Verdict, name)
		assert.Equal(t, c.native, test.Native, name)
	}
}

func TestSmallest(t *testing.T) {
	test := &Test{Through: failures("A/MPI_INT/64/0/1", "A/MPI_INT+MPI_CHAR/1/0/1", "A/MPI_CHAR/1/3/4", "A/MPI_INT/1/0/1")}
	assert.Equal(t, "A/MPI_CHAR/1/3/4", test.smallest().Case)
	test.Natively = failures("A/MPI_CHAR/1/3/4")
	assert.Equal(t, "A/MPI_INT/1/0/1", test.smallest().Case, "a case that is right natively")
}

func TestReport(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.json")
	asked := Parameters{From: "openmpi", To: "/lib", Ranks: 2, Level: Quick}
	before, err := Read(file, asked)
	require.NoError(t, err)
	assert.Nil(t, before)
	r := &Report{Parameters: asked, Runtime: "MPICH", Progress: map[string]int{"through a": 7},
		Tests: []*Test{{Name: "MPI_Send", Chapter: "a", Through: failures("MPI_Send/MPI_INT/1/0/1"), Command: "again"}}}
	r.Tests[0].judge(false)
	require.NoError(t, r.Write(file))
	before, err = Read(file, asked)
	require.NoError(t, err)
	assert.Equal(t, 7, before.Progress["through a"])
	other := asked
	other.Counts = "3"
	before, err = Read(file, other)
	require.NoError(t, err)
	assert.Nil(t, before, "of another question")
	require.NoError(t, r.WriteText(TextFile(file)))
	text, err := os.ReadFile(TextFile(file))
	require.NoError(t, err)
	assert.Contains(t, string(text), "verdict: 1 wrong\nnot complete, left: a (partly)\n")
	r.Complete = true
	require.NoError(t, r.Write(file))
	require.NoError(t, r.WriteText(TextFile(file)))
	before, err = Read(file, asked)
	require.NoError(t, err)
	assert.Nil(t, before, "complete")
	text, err = os.ReadFile(TextFile(file))
	require.NoError(t, err)
	assert.NotContains(t, string(text), "not complete")
	assert.Contains(t, string(text), "wrong: MPI_Send/MPI_INT/1/0/1: text\n  again\n")
	assert.Contains(t, string(text), "verdict: 1 wrong\n")
	_, err = Read(t.TempDir(), asked)
	assert.ErrorContains(t, err, "cannot read the results of the interrupted run")
}

// Each chapter of a program in C or Fortran has cases at each level.
func TestPlan(t *testing.T) {
	for _, level := range []Level{Smoke, Quick, Default, Full} {
		for _, chapter := range []string{"point-to-point", "mpif.h and use mpi", "mpi_f08"} {
			c := planned(chapter, level)
			assert.NotEmpty(t, c.Signatures, chapter)
			assert.NotEmpty(t, c.Counts, chapter)
		}
	}
	assert.Equal(t, []string{"12"}, planned("files", Quick).Counts)
}

// A program that never reaches its tests fails each of them.
func TestNotBegun(t *testing.T) {
	r := &Report{Parameters: Parameters{Level: Quick}, Tests: []*Test{{Name: "MPI_SEND:mpi_f08", Chapter: "mpi_f08"},
		{Name: "MPI_RECV:mpi_f08", Chapter: "mpi_f08", Reason: "needs 2 ranks"}, {Name: "MPI_Send", Chapter: "point-to-point"}}}
	r.markNotRun("mpi_f08", "no end")
	for _, test := range r.Tests {
		test.judge(false)
	}
	assert.Equal(t, Wrong, r.Tests[0].Verdict)
	assert.Equal(t, Failure{Case: "MPI_SEND:mpi_f08/MPI_INTEGER/12", Text: "no end"}, r.Tests[0].smallest())
	assert.Equal(t, NotRun, r.Tests[1].Verdict)
	assert.Equal(t, NotRun, r.Tests[2].Verdict)
}
