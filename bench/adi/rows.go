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
	// goal is the largest ratio of the device's time to the fastest library's, or 0.
	goal float64
	// against is the library that the goal compares with, or "" for the fastest.
	against string
}

// allRows are the rows in the tables' order. Without a remark, the time is half a round trip.
var allRows = []row{
	{name: "8", work: "pingpong:8", ranks: 2, goal: 0.9},
	{name: "256", work: "pingpong:256", ranks: 2, goal: 0.9},
	{name: "1K", work: "pingpong:1024", ranks: 2},
	{name: "4K", work: "pingpong:4096", ranks: 2, goal: 1.2},
	{name: "64K", work: "pingpong:65536", ranks: 2, goal: 1.2},
	{name: "1M", work: "pingpong:1048576", ranks: 2, goal: 1.05},
	{name: "4M", work: "pingpong:4194304", ranks: 2, goal: 0.7},
	{name: "window", work: "window:8", ranks: 2, goal: 1},                 // of 64 messages of 8 bytes; for each
	{name: "exchange", work: "exchange:1048576", ranks: 2},                // of 1 MB in both directions
	{name: "ring", work: "ring:8", ranks: 8, goal: 1, against: "openmpi"}, // for each step
}

// chosen returns the rows that the patterns select. It returns an error for a pattern that matches
// no row.
func chosen(patterns string) ([]row, error) {
	if patterns == "" {
		return allRows, nil
	}
	picked := map[string]bool{}
	for pattern := range strings.SplitSeq(patterns, ",") {
		found := false
		for _, r := range allRows {
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
	return slices.DeleteFunc(slices.Clone(allRows), func(r row) bool { return !picked[r.name] }), nil
}
