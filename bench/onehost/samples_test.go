package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestChosen(t *testing.T) {
	all, err := chosen(rowsOf["adi"], "")
	require.NoError(t, err)
	assert.Equal(t, rowsOf["adi"], all)
	some, err := chosen(rowsOf["adi"], "ring,4*")
	require.NoError(t, err)
	var names []string
	for _, r := range some {
		names = append(names, r.name)
	}
	assert.Equal(t, []string{"4K", "4M", "ring"}, names)
	_, err = chosen(rowsOf["adi"], "8,5K")
	require.EqualError(t, err, "--rows 5K: no such row")
	_, err = chosen(rowsOf["adi"], "[")
	require.ErrorContains(t, err, "--rows [: ")
}

func TestParse(t *testing.T) {
	samples, err := parse("mpich", 2, "warning: case 1\ncase pingpong:8 41.0 183.5 70.2\n\ncase ring:8 0.0 0.0 1200.0\n")
	require.NoError(t, err)
	assert.Equal(t, []sample{
		{library: "mpich", work: "pingpong:8", ranks: 2, before: 41, after: 183.5, shortest: 70.2},
		{library: "mpich", work: "ring:8", ranks: 2, shortest: 1200},
	}, samples)
	for _, broken := range []string{"case pingpong:8 41.0 183.5\n", "case pingpong:8 41.0 x 3\n", "case \n"} {
		_, err := parse("mpich", 2, broken)
		require.ErrorContains(t, err, "of 4 fields", broken)
	}
}

func TestStates(t *testing.T) {
	assert.Equal(t, near, stateOf(41, 100, 100))
	assert.Equal(t, far, stateOf(100.1, 183, 100))
	assert.Equal(t, moved, stateOf(41, 183, 100))
	assert.Equal(t, moved, stateOf(183, 41, 100))
}

// times returns samples of a work, which begin and end with the same time of a line.
func times(library, work string, line float64, all ...float64) (samples []sample) {
	for _, ns := range all {
		samples = append(samples, sample{library, work, 0, line, line, ns})
	}
	return samples
}

// on sets the number of ranks of samples.
func on(ranks int, samples []sample) []sample {
	for i := range samples {
		samples[i].ranks = ranks
	}
	return samples
}

func TestMinimaOfAState(t *testing.T) {
	samples := slices.Concat(
		times("mpich", "pingpong:8", 41, 130, 120, 150),
		times("mpich", "pingpong:8", 180, 500, 490),
		[]sample{{"mpich", "pingpong:8", 0, 41, 180, 1}},
	)
	all, lines := byState(samples, 100)
	k := key{"pingpong:8", 0, "mpich"}
	assert.Equal(t, figure{130, 120, 150}, all[near][k])
	assert.True(t, all[near][k].counts())
	assert.Equal(t, 120.0, all[near][k].time(2))
	assert.Equal(t, figure{500, 490}, all[far][k])
	assert.False(t, all[far][k].counts())
	assert.Equal(t, map[state]float64{near: 41, far: 180}, lines)
}

func TestMedianOfSharedCores(t *testing.T) {
	assert.Equal(t, 130.0, figure{150, 120, 130}.time(4))
	assert.Equal(t, 135.0, figure{150, 120, 130, 140}.time(4))
}

func TestFastest(t *testing.T) {
	samples := slices.Concat(
		times("openmpi", "pingpong:8", 41, 300, 310, 320),
		times("mpich", "pingpong:8", 41, 200, 210, 220),
		times("mpich-5.0", "pingpong:8", 41, 10, 10), // too few
		times("adi", "pingpong:8", 41, 5, 5, 5),
	)
	all, _ := byState(samples, 100)
	names := []string{"openmpi", "mpich", "mpich-5.0", "adi"}
	shortest, count := all[near].fastest(row{work: "pingpong:8"}, names)
	assert.Equal(t, 200.0, shortest)
	assert.Equal(t, 2, count)
	shortest, count = all[near].fastest(row{work: "pingpong:8", against: "openmpi"}, names)
	assert.Equal(t, 300.0, shortest)
	assert.Equal(t, 1, count)
	_, count = all[far].fastest(row{work: "pingpong:8"}, names)
	assert.Zero(t, count)
}

func TestComplete(t *testing.T) {
	r := row{work: "ring:8"}
	names := []string{"mpich", "adi"}
	samples := slices.Concat(times("mpich", r.work, 41, 1, 2, 3), times("adi", r.work, 183, 1, 2, 3))
	assert.False(t, complete(r, names, samples, 100), "each in another state")
	assert.True(t, complete(r, names[:1], samples, 100))
	samples = append(samples, times("mpich", r.work, 183, 1, 2)...)
	assert.False(t, complete(r, names, samples, 100), "two runs")
	samples = append(samples, times("mpich", r.work, 183, 1)...)
	assert.True(t, complete(r, names, samples, 100))
}

func TestWorks(t *testing.T) {
	rows := []row{{work: "pingpong:8", ranks: 2}, {work: "window:8", ranks: 2}, {work: "ring:8", ranks: 8}}
	j := jobs{options: options{border: 100}, programs: []program{{name: "adi", failed: map[int]bool{}}, {name: "mpich", failed: map[int]bool{2: true}}}}
	j.samples = on(2, times("adi", "window:8", 41, 1, 2, 3))
	assert.Equal(t, []string{"pingpong:8", "window:8"}, j.works(rows, 2, false))
	assert.Equal(t, []string{"pingpong:8"}, j.works(rows, 2, true))
	j.samples = append(j.samples, on(2, times("adi", "pingpong:8", 41, 1, 2, 3))...)
	assert.Empty(t, j.works(rows, 2, true))
	j.samples = append(j.samples, on(8, times("adi", "ring:8", 41, 1, 2, 3))...)
	assert.Equal(t, []string{"ring:8"}, j.works(rows, 8, true), "mpich has not failed on eight ranks")
}

func TestTables(t *testing.T) {
	rows := []row{
		{name: "8", work: "pingpong:8", goal: 0.9},
		{name: "1M", work: "pingpong:1048576", goal: 1.05},
		{name: "ring", work: "ring:8", goal: 1, against: "openmpi"},
		{name: "4M", work: "pingpong:4194304", goal: 0.7},
	}
	samples := slices.Concat(
		times("openmpi", "pingpong:8", 41, 106, 107, 108),
		times("mpich", "pingpong:8", 41, 133, 134, 135),
		times("adi", "pingpong:8", 41, 66, 67, 68),
		times("openmpi", "pingpong:1048576", 41, 20e3, 20e3, 20e3),
		times("mpich", "pingpong:1048576", 41, 19e3, 19e3),
		times("adi", "pingpong:1048576", 41, 22e3, 22e3, 22e3),
		times("openmpi", "ring:8", 41, 2e3, 2e3, 2e3),
		times("mpich", "ring:8", 41, 1e3, 1e3, 1e3),
		times("adi", "ring:8", 41, 1.5e3, 1.5e3, 1.5e3),
		times("adi", "pingpong:4194304", 41, 150e3, 150e3, 150e3),
		times("mpich", "pingpong:8", 183, 500),
		[]sample{{"mpich", "pingpong:8", 0, 41, 180, 1}},
	)
	var out bytes.Buffer
	printTables(&out, 100, []string{"openmpi", "mpich", "adi"}, rows, samples)
	var lines []string
	for line := range strings.Lines(out.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	text := strings.Join(lines, "\n")
	assert.Contains(t, text, "near: half a round trip of a cache line takes 41 ns\n")
	assert.Contains(t, text, "\nrow openmpi mpich adi ratio goal\n8 0.106 0.133 0.066 0.62 0.9\n1M 20.0 2× 22.0 1.10! 1.05 of 1\nring 2.000 1.000 1.500 0.75 1 openmpi\n4M - - 150 - 0.7\n")
	assert.Contains(t, text, "far: half a round trip of a cache line takes 183 ns\n")
	assert.Contains(t, text, "\n8 - 1× - - 0.9\n")
	assert.Contains(t, text, "\n1 of 31 measurements do not count: the cores moved")
}
