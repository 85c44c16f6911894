package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
