package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Unrecorded packages come first, then the longest.
func TestOrder(t *testing.T) {
	packages := []string{"m/short", "m/new", "m/long", "m/also-new"}
	budget{"m/short": 1, "m/long": 200, "m/gone": 300}.order(packages)
	assert.Equal(t, []string{"m/also-new", "m/new", "m/long", "m/short"}, packages)
}

func TestExceeded(t *testing.T) {
	b := budget{"m/long": 100, "m/even": 100, "m/short": 1, "m/absent": 1}
	ran := map[string]*pkg{"m/long": {cpu: 151}, "m/even": {cpu: 149}, "m/short": {cpu: 14}, "m/new": {cpu: 1000}}
	assert.Equal(t, []string{"m/long took 151 CPU seconds; its budget is 150, 1.5 times the 100 of tests/times/record.txt"}, b.exceeded(ran))
	ran["m/short"].cpu = 16
	assert.Len(t, b.exceeded(ran), 2)
	t.Setenv("WI4GO_TIER", "nightly")
	assert.Empty(t, b.exceeded(ran))
}

// A run replaces the seconds of packages that have passed, and leaves out packages that no longer exist.
func TestKeep(t *testing.T) {
	b := budget{"m/a": 1, "m/b": 2, "m/gone": 3, "m/failed": 4}
	times := "m/a\t\tpass\t3.00\t5.5\nm/a\tTestX\tpass\t3.00\t\nm/failed\t\tfail\t3.00\t9.0\nm/new\t\tpass\t1.00\t40.0\n"
	require.NoError(t, b.keep(times, []string{"m/a", "m/b", "m/failed", "m/new"}))
	assert.Equal(t, "m/new\t40.0\nm/a\t5.5\nm/failed\t4.0\nm/b\t2.0\n", b.text())
	page, err := b.inPage("Before\n\n" + tableBegin + "| old | 1 |" + tableEnd + "After\n")
	require.NoError(t, err)
	assert.Equal(t, "Before\n\n"+tableBegin+"| `m/new` | 40 |\n| 3 other packages | 12 |\n| all | 52 |"+tableEnd+"After\n", page)
	assert.Error(t, b.keep("m/a 3\n", nil))
}

// docs/testing.md has the table of the record, and the record has packages that exist, in their order.
func TestTable(t *testing.T) {
	require.NoError(t, os.Chdir("../.."))
	defer func() { require.NoError(t, os.Chdir("tests/times")) }()
	b, err := readBudget(record)
	require.NoError(t, err)
	text, err := os.ReadFile(record)
	require.NoError(t, err)
	assert.Equal(t, b.text(), string(text))
	page, err := os.ReadFile("docs/testing.md")
	require.NoError(t, err)
	want, err := b.inPage(string(page))
	require.NoError(t, err)
	assert.True(t, want == string(page), "the table of docs/testing.md is not that of the record: run make record after make test-all")
}

const events = `{"Action":"output","Package":"m/a","Test":"TestX","Output":"=== RUN   TestX\n"}
{"Action":"output","Package":"m/a","Test":"TestX","Output":"    x_test.go:3: wrong\n"}
{"Action":"fail","Package":"m/a","Test":"TestX","Elapsed":1.5}
{"Action":"output","Package":"m/a","Test":"TestY","Output":"    y_test.go:4: no compiler here\n"}
{"Action":"output","Package":"m/a","Test":"TestY","Output":"--- SKIP: TestY (0.00s)\n"}
{"Action":"skip","Package":"m/a","Test":"TestY","Elapsed":0}
{"Action":"output","Package":"m/a","Test":"TestZ","Output":"panic: late\n"}
{"Action":"fail","Package":"m/a","Elapsed":2}
{"Action":"output","Package":"m/b","Test":"TestX","Output":"not to be printed\n"}
{"Action":"pass","Package":"m/b","Test":"TestX","Elapsed":3}
{"Action":"pass","Package":"m/b","Elapsed":3}
{"Action":"skip","Package":"m/none","Elapsed":0}
not an event
{"ImportPath":"m/c","Action":"build-output","Output":"c.go:1: no\n"}
`

func TestReport(t *testing.T) {
	var printed strings.Builder
	r := newReport(&printed)
	require.NoError(t, r.read(strings.NewReader(events)))
	directory, err := os.Getwd()
	require.NoError(t, err)
	r.addCPU(directory + "/a\t1.0\n" + directory + "/a\t0.5\n")
	r.table()
	for _, text := range []string{"m/a: === RUN   TestX\n    x_test.go:3: wrong\n", "panic: late\n", "not an event\n", "c.go:1: no\n", "skipped    1: no compiler here\n"} {
		assert.Contains(t, printed.String(), text)
	}
	for _, text := range []string{"not to be printed", "m/none"} {
		assert.NotContains(t, printed.String(), text)
	}
	assert.Regexp(t, `(?s)m/b +3\.0 +0\.0 +1 +0 +0\n.*m/a +2\.0 +1\.5 +0 +1 +1\n`, printed.String())
	assert.Equal(t, "m/b\t\tpass\t3.00\t0.0\nm/b\tTestX\tpass\t3.00\t\nm/a\t\tfail\t2.00\t1.5\nm/a\tTestX\tfail\t1.50\t\nm/a\tTestY\tskip\t0.00\t\n", r.record())
}

func TestMeasured(t *testing.T) {
	file := t.TempDir() + "/cpu"
	assert.Equal(t, 3, measured(file, []string{"sh", "-c", "exit 3"}))
	assert.Equal(t, 1, measured(file, []string{"/none"}))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Regexp(t, `^/.*/tests/times\t\d+\.\d\n$`, string(text))
}
