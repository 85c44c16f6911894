package main

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTable(t *testing.T) {
	row := func(name string, native, ours, builtIn float64) result {
		r := result{
			Row: name, Ranks: 1, Goal: goal{Instructions: 110}, requests: strings.HasPrefix(name, "isend"),
			Native: side{Counts: &counts{All: native}}, Through: side{Counts: &counts{All: ours, Front: math.Floor(ours - native)}},
		}
		if builtIn > 0 {
			r.BuiltIn = side{Counts: &counts{All: builtIn}}
		}
		r.judge()
		return r
	}
	own := func(front, native, runtime float64) result {
		r := result{Row: "allocates", Ranks: 1, Goal: goal{Instructions: 110}, Native: side{Counts: &counts{All: native}}, Through: side{Counts: &counts{All: runtime + front, Front: front}}}
		r.judge()
		return r
	}
	for _, c := range []struct {
		r    result
		want []string // the end of the row's line
	}{
		{row("isend_cheap", 1000, 1096, 1333), []string{"+96.0", "96.0", "110", "-", "+333.0"}},
		{row("isend_dear", 1000, 1096, 1090), []string{"+96.0", "96.0", "110", "-", "+90.0!"}},
		{row("isend_over", 1000, 1111, 1333), []string{"+111.0!", "111.0!", "110", "-", "+333.0"}},
		{row("isend_beside", 1000, 1110.1, 1333), []string{"+110.1", "110.0", "110", "-", "+333.0"}},
		{row("query", 60, 75, 67), []string{"+15.0", "15.0", "110", "-", "+7.0"}}, // a row that may cost more than the built-in ABI
		{row("isend_alone", 1000, 1096, 0), []string{"+96.0", "96.0", "110"}},
		{own(100, 1000, 1029), []string{"+129.0", "100.0", "110"}}, // the runtime executes 29 more
		{own(100, 1000, 1031), []string{"+131.0!", "100.0", "110"}},
		{own(111, 1000, 1000), []string{"+111.0!", "111.0!", "110"}},
	} {
		var out bytes.Buffer
		printTable(&out, "openmpi→mpich", []result{c.r})
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		fields := strings.Fields(lines[len(lines)-1])
		assert.Equal(t, c.want, fields[len(fields)-len(c.want):], c.r.Row)
		assert.Equal(t, c.r.BuiltIn.Counts != nil, strings.Contains(out.String(), "standard ABI"), c.r.Row)
	}
}

// Measurements that are taken in turn are compared pair by pair.
func TestOver(t *testing.T) {
	over := summarize([]float64{30, 41, 90}, 10).over(summarize([]float64{1, 2, 8, 9}, 1))
	assert.InDelta(t, 2.0, over.Median, 1e-9)
	assert.InDelta(t, 1.0, over.Min, 1e-9)
	assert.Nil(t, summarize(nil, 1).over(over))
	assert.Nil(t, over.over(nil))
}
