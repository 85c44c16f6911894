package main

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// row is one row of the tables.
type row struct {
	// name is for people; work is the program's argument, KIND:BYTES.
	name, work string
	// ranks is the number of ranks, which share two cores.
	ranks int
	// goal is the largest ratio of our time to the fastest library's, or 0.
	goal float64
	// against is the library that the goal compares with, or "" for the fastest.
	against string
}

// rowsOf are the rows of the device and of the embedded MPI in the tables' order. Without a remark,
// the time is half a round trip.
var rowsOf = map[string][]row{
	"adi": {
		{name: "8", work: "pingpong:8", ranks: 2, goal: 0.9},
		{name: "256", work: "pingpong:256", ranks: 2, goal: 0.9},
		{name: "1K", work: "pingpong:1024", ranks: 2},
		{name: "4K", work: "pingpong:4096", ranks: 2, goal: 1.2},
		{name: "64K", work: "pingpong:65536", ranks: 2, goal: 1.2},
		{name: "1M", work: "pingpong:1048576", ranks: 2, goal: 1.05},
		{name: "4M", work: "pingpong:4194304", ranks: 2, goal: 0.7},
		{name: "window", work: "window:8", ranks: 2, goal: 1},                 // 64 messages of 8 bytes; for each
		{name: "exchange", work: "exchange:1048576", ranks: 2},                // 1 MB in both directions
		{name: "ring", work: "ring:8", ranks: 8, goal: 1, against: "openmpi"}, // for each step
	},
	"embedded": slices.Concat([]row{
		{name: "8", work: "pingpong:8", ranks: 2, goal: 1},
		{name: "256", work: "pingpong:256", ranks: 2, goal: 1},
		{name: "4K", work: "pingpong:4096", ranks: 2, goal: 1.2},
		{name: "64K", work: "pingpong:65536", ranks: 2, goal: 1.2},
		{name: "1M", work: "pingpong:1048576", ranks: 2, goal: 1.05},
		{name: "4M", work: "pingpong:4194304", ranks: 2, goal: 0.7},
		{name: "window", work: "window:8", ranks: 2, goal: 1.2},
	}, collective(2, 1.1), collective(8, 0.5), crowded(4), crowded(8), crowded(16), shared(4), shared(16), jobRows()),
}

// collective returns the rows of collective operations, each of which is timed as a whole.
func collective(ranks int, goal float64) (rows []row) {
	for _, work := range []string{"barrier:0", "bcast:8", "bcast:16384", "reduce:8", "reduce:16384", "allreduce:8", "allreduce:16384"} {
		kind, bytes, _ := strings.Cut(work, ":")
		name := fmt.Sprintf("%s-%d", kind, ranks)
		if bytes == "16384" {
			name = fmt.Sprintf("%s-16K-%d", kind, ranks)
		}
		rows = append(rows, row{name: name, work: work, ranks: ranks, goal: goal})
	}
	return rows
}

// shared returns the rows of collective operations of more ranks than cores, compared with Open MPI.
func shared(ranks int) []row {
	rows := collective(ranks, 1)
	for i := range rows {
		rows[i].against = "openmpi"
	}
	return rows
}

// jobRows returns the rows of memory and of whole jobs. Memory is measured in each rank after all ranks have sent messages
// of every size to each other.
func jobRows() (rows []row) {
	for _, ranks := range []int{2, 8, 64} {
		rows = append(rows, row{name: fmt.Sprintf("MB-%d", ranks), work: "memory:0", ranks: ranks})
	}
	for _, ranks := range []int{2, 64} {
		rows = append(rows, row{name: fmt.Sprintf("start-%d", ranks), work: "start:0", ranks: ranks})
	}
	for _, application := range []string{"lammps", "hpcc"} {
		for _, ranks := range []int{2, 4} {
			rows = append(rows, row{name: fmt.Sprintf("%s-%d", application, ranks), work: application + ":0", ranks: ranks, goal: 1})
		}
	}
	return rows
}

// crowded returns the rows of more ranks than cores, where most libraries wait without a break.
func crowded(ranks int) []row {
	return []row{
		{name: fmt.Sprintf("ring-%d", ranks), work: "ring:8", ranks: ranks, goal: 1, against: "openmpi"},
		{name: fmt.Sprintf("exchange-%d", ranks), work: "alltoall:8", ranks: ranks, goal: 1, against: "openmpi"},
	}
}

// numbersOfRanks returns those that rows need, in their order.
func numbersOfRanks(rows []row) (numbers []int) {
	for _, r := range rows {
		if !slices.Contains(numbers, r.ranks) {
			numbers = append(numbers, r.ranks)
		}
	}
	return numbers
}

// chosen returns the rows that the patterns select. It returns an error for a pattern that matches
// no row.
func chosen(all []row, patterns string) ([]row, error) {
	if patterns == "" {
		return all, nil
	}
	picked := map[string]bool{}
	for pattern := range strings.SplitSeq(patterns, ",") {
		found := false
		for _, r := range all {
			if ok, err := path.Match(pattern, r.name); err != nil {
				return nil, fmt.Errorf("--rows %s: %w", pattern, err)
			} else if ok {
				picked[r.name], found = true, true
			}
		}
		if !found {
			return nil, fmt.Errorf("--rows %s: no such row", pattern)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(r row) bool { return !picked[r.name] }), nil
}
