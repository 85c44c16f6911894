package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// sample is one case of one run.
type sample struct {
	// library is the library's name, or ours.
	library string
	// work is KIND:BYTES, and ranks the number of ranks.
	work  string
	ranks int
	// before and after are half round trips of a cache line, and shortest is the case's time, all
	// in nanoseconds.
	before, after, shortest float64
}

// state is the distance of the two cores.
type state string

const (
	near state = "near"
	far  state = "far"
	// moved: the cores were near before a case and far after it, or the reverse.
	moved state = ""
)

// stateOf returns the state that two times of a line show.
func stateOf(before, after, border float64) state {
	switch {
	case before <= border && after <= border:
		return near
	case before > border && after > border:
		return far
	}
	return moved
}

// parse returns the samples in the output of a library's program. Lines of others are skipped. It
// returns an error for an incomplete line of this benchmark.
func parse(library string, ranks int, output string) ([]sample, error) {
	var samples []sample
	for line := range strings.Lines(output) {
		if !strings.HasPrefix(line, "case ") {
			continue
		}
		s := sample{library: library, ranks: ranks}
		if n, err := fmt.Sscanf(line, "case %s %g %g %g\n", &s.work, &s.before, &s.after, &s.shortest); err != nil {
			return samples, fmt.Errorf("%s: %q: %d of 4 fields: %w", library, line, n, err)
		}
		samples = append(samples, s)
	}
	return samples, nil
}

// enough is the number of runs in a state without which a case does not count.
const enough = 3

// figure is the result of a case in a state: the times of its runs in nanoseconds.
type figure []float64

// counts reports whether there are enough runs.
func (f figure) counts() bool { return len(f) >= enough }

// cores is the number of cores that all ranks share.
const cores = 2

// time returns the time that stands for a number of runs. It is the minimum, because everything else
// on the machine only makes a run longer. If ranks outnumber cores it is the median: how the
// kernel happens to share the cores makes some runs twice as fast as most.
func (f figure) time(ranks int) float64 {
	sorted := slices.Sorted(slices.Values(f))
	if ranks <= cores {
		return sorted[0]
	}
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// key names a case of a library.
type key struct {
	work    string
	ranks   int
	library string
}

// of returns the row's case of a library.
func (r row) of(library string) key { return key{r.work, r.ranks, library} }

// figures are the results of cases.
type figures map[key]figure

// byState returns the figures of each state, and the shortest time of a line in it. Samples during
// which the cores moved are left out.
func byState(samples []sample, border float64) (all map[state]figures, lines map[state]float64) {
	all = map[state]figures{near: {}, far: {}}
	lines = map[state]float64{near: math.Inf(1), far: math.Inf(1)}
	for _, s := range samples {
		at := stateOf(s.before, s.after, border)
		if at == moved {
			continue
		}
		lines[at] = min(lines[at], s.before, s.after)
		k := key{s.work, s.ranks, s.library}
		all[at][k] = append(all[at][k], s.shortest)
	}
	return all, lines
}

// fastest returns the shortest time of a work among the libraries, and how many of them count. With
// against, only that library is compared.
func (f figures) fastest(r row, libraries []string) (shortest float64, count int) {
	shortest = math.Inf(1)
	for _, library := range libraries {
		if result := f[r.of(library)]; !isOurs(library) && (r.against == "" || r.against == library) && result.counts() {
			shortest = min(shortest, result.time(r.ranks))
			count++
		}
	}
	return shortest, count
}

// complete reports whether all libraries have enough runs of a row in one state.
func complete(r row, libraries []string, samples []sample, border float64) bool {
	all, _ := byState(samples, border)
	for _, results := range all {
		lacks := func(library string) bool { return !results[r.of(library)].counts() }
		if !slices.ContainsFunc(libraries, lacks) {
			return true
		}
	}
	return false
}
