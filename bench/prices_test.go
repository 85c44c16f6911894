package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/bench/every"
)

// counted returns the tally of a row whose dumps have these instructions.
func counted(front float64, all ...float64) (t tally) {
	for _, n := range all {
		t.counts = append(t.counts, counts{All: n, Front: front})
	}
	return t
}

func TestCompare(t *testing.T) {
	rows := []every.Row{{Name: "steady", Ranks: 1}, {Name: "polls", Ranks: 1}, {Name: "two", Ranks: 2}, {Name: "emulated", Ranks: 1},
		{Name: "refused", Ranks: 1}, {Name: "died", Ranks: 1}, {Name: "MPI_Abort", Untimed: "it ends the job"}}
	natively := map[string]tally{"steady": counted(0, 100, 101, 100), "polls": counted(0, 100, 900, 300), "two": counted(0, 50, 50, 50), "emulated": {reason: "MPI_X is absent"}}
	translated := map[string]tally{}
	translated["steady"] = counted(20, 130, 131, 130)
	translated["polls"], translated["two"], translated["emulated"] = counted(30, 700, 200, 300), counted(40, 90, 90, 90), counted(600, 600, 600, 600)
	translated["refused"] = tally{reason: "X returns 5"}
	var got []price
	for _, p := range compare(rows, natively, translated) {
		p.row = nil
		got = append(got, p)
	}
	assert.Equal(t, []price{
		{Row: "steady", Added: 30, Front: 20, Native: 100, Steady: true},
		{Row: "polls", Added: 30, Front: 30, Native: 300},
		{Row: "two", Added: 40, Front: 40, Native: 50},
		{Row: "emulated", Added: 600, Front: 600, Emulated: true},
		{Row: "refused", Missing: "X returns 5"},
		{Row: "died", Missing: "it was not counted"},
		{Row: "MPI_Abort", Missing: "it ends the job"},
	}, got)
}

// Rows are selected by their ranks, and late ones for a process of their own.
func TestSelected(t *testing.T) {
	rows := []every.Row{{Name: "one", Ranks: 1}, {Name: "two", Ranks: 2}, {Name: "late", Ranks: 1, Late: true}, {Name: "untimed", Ranks: 1, Untimed: "reason"}}
	isLate := func(r *every.Row) bool { return r.Late }
	assert.Equal(t, "1000", (&runner{ranks: 1}).selected(rows, isLate, false))
	assert.Equal(t, "0010", (&runner{ranks: 1}).selected(rows, isLate, true))
	assert.Equal(t, "0100", (&runner{ranks: 2}).selected(rows, isLate, false))
}

// A row needs to keep its goal, or a reason for more than the limit.
func TestExcess(t *testing.T) {
	list := priceList{Direction: "a→b"}
	for _, c := range []struct {
		added float64
		row   every.Row
	}{{60.4, every.Row{Name: "kept", Goal: 60}}, {61, every.Row{Name: "over", Goal: 60}}, {300, every.Row{Name: "far", Goal: 60, Dear: "a reason does not help"}},
		{250, every.Row{Name: "cheap"}}, {251, every.Row{Name: "dear"}}, {9000, every.Row{Name: "explained", Dear: "reason"}}} {
		list.Prices = append(list.Prices, price{Row: c.row.Name, Added: c.added, row: &c.row})
	}
	list.Prices = append(list.Prices, price{Row: "emulated", Added: 9000, Emulated: true, row: &every.Row{Goal: 60}})
	text := list.excess().Error()
	assert.Equal(t, []string{
		"a→b: over adds 61 instructions; its goal is 60",
		"a→b: far adds 300 instructions; its goal is 60",
		"a→b: dear adds 251 instructions; above 250 it needs a reason in bench/every/rows.json",
	}, strings.Split(text, "\n"))
	list.Prices = list.Prices[:1]
	assert.NoError(t, list.excess())
}

// The table has the dearest rows of all directions, and every row with a goal.
func TestDearest(t *testing.T) {
	row := func(name string, added float64, steady bool) price {
		r := every.Row{Name: name, Dear: "because"}
		if name == "goal" {
			r.Goal = 60
		}
		return price{Row: name, Added: added, Steady: steady, row: &r}
	}
	lists := []priceList{
		{"a→b", []price{row("cheap", 10, true), row("goal", 70, true), row("dear", 300, false), {Row: "absent", Missing: "reason", row: &every.Row{}}}},
		{"b→a", []price{row("middle", 100, true), row("dear", 20, true)}},
	}
	var out strings.Builder
	printDearest(&out, lists, 1)
	lines := trimmed(out.String())
	assert.Equal(t, []string{"row goal a→b b→a reason", "dear - ~300 20 a", "goal 60 70! -", "a: because"}, lines)

	out.Reset()
	lists[0].printSummary(&out)
	assert.Equal(t, "a→b: 3 rows; 1 add up to 30 instructions, 1 add up to 60 instructions, 2 add up to 120 instructions, 2 add up to 250 instructions, 1 more\n"+
		"  not counted: absent: reason\n", out.String())
}

// The functions of a row above the limit are those that add most, by the difference to the native run.
func TestFunctions(t *testing.T) {
	of := func(all float64, functions map[function]float64) tally {
		return tally{counts: []counts{{All: all, functions: functions}}}
	}
	ours := of(700, map[function]float64{{"/b/front.so", "MPI_X"}: 300, {"/lib/libmpi.so", "MPI_X"}: 150, {"/lib/libc.so.6", "malloc"}: 250})
	theirs := of(400, map[function]float64{{"/lib/libmpi.so", "MPI_X"}: 150, {"/lib/libc.so.6", "malloc"}: 250})
	rows := []every.Row{{Name: "dear", Ranks: 1}, {Name: "cheap", Ranks: 1}}
	prices := compare(rows, map[string]tally{"dear": theirs, "cheap": theirs}, map[string]tally{"dear": ours, "cheap": theirs})
	lists := []priceList{{"a→b", prices}}
	var out strings.Builder
	lists[0].keepDearest(2)
	printFunctions(&out, lists, false)
	assert.Equal(t, []string{"dear, a→b: 300", "300 MPI_X (front.so)", "0 MPI_X (libmpi.so)"}, trimmed(out.String())[2:])

	out.Reset()
	lists[0].keepDearest(1)
	printFunctions(&out, lists, true)
	assert.Equal(t, []string{"dear, a→b: 300", "300 MPI_X (front.so)", "cheap, a→b: 0", "0 MPI_X (libmpi.so)"}, trimmed(out.String())[2:])
}

// trimmed returns the lines of a text without the blanks that align them.
func trimmed(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return lines
}

// Callgrind's files are read by the row and the operations in their names.
func TestReadRows(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"7 2", "7 2", "other", "9 1"} {
		text := strings.Replace(onePart, "row N", name, 1)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "out."+string(rune('1'+i))), []byte(text), 0o644))
	}
	got, err := options{}.readRows(filepath.Join(dir, "out"), testParties)
	require.NoError(t, err)
	half, whole := counts{All: 14.5, Front: 4.5}, counts{All: 29, Front: 9}
	assert.Equal(t, map[int][]counts{7: {half, half}, 9: {whole}}, got)

	got, err = options{functions: 1}.readRows(filepath.Join(dir, "out"), testParties)
	require.NoError(t, err)
	assert.Equal(t, map[function]float64{{"/b/front.so", "MPI_X"}: 3, {"/lib/libc.so.6", "memcpy"}: 2, {"/lib/libmpi.so", "MPI_X"}: 20}, got[9][0].functions)
}
