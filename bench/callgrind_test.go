package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// One operation of the row: the program calls the front (3 instructions), it
// calls the C library (2), the core (4) and the runtime (20), which calls the
// program back (5). A thread of the core runs 1000 instructions meanwhile.
const onePart = `# callgrind format
version: 1
desc: Trigger: Client Request: row N
positions: line
events: Ir

ob=(1) /b/calls
fn=(1) main
12 7
cob=(2) /b/front.so
cfn=(2) MPI_X
calls=1 0
13 34

ob=(2)
fn=(2)
+3 1
* 2
cob=(3) /lib/libc.so.6
cfn=(3) memcpy
calls=1 0
0 2
cob=(5) /b/core.so
cfn=(6) slow
calls=1 0
0 4
cob=(4) /lib/libmpi.so
cfn=(4) MPI_X
calls=1 0
0 25
cfn=(7) other
calls=1 0
0 1

ob=(3)
fn=(3)
0 2

ob=(4)
fn=(4)
0 20
cob=(1)
cfn=(5) add
calls=1 0
0 5

ob=(1)
fn=(5)
0 5

ob=(5)
fn=(6)
0 1004
`

var testParties = parties{program: "/b/calls", front: "/b/front.so", core: "/b/core.so", library: "/lib/libmpi.so"}

func TestReadDump(t *testing.T) {
	d, err := readDump(strings.NewReader(onePart))
	require.NoError(t, err)
	assert.Equal(t, "row N", d.name)
	assert.Equal(t, int64(3), d.self["/b/front.so"])
	assert.Equal(t, int64(12), d.self["/b/calls"])
	assert.Equal(t, int64(25), d.edges[edge{"/b/front.so", "/lib/libmpi.so"}])
	assert.Equal(t, int64(1), d.edges[edge{"/b/front.so", "/b/front.so"}])
	assert.Equal(t, counts{All: 3 + 2 + 20 + 4, Front: 3 + 2 + 4}, d.counts(testParties))
	assert.Equal(t, counts{All: 3 + 2 + 20 + 1004}, d.counts(parties{program: "/b/calls"}))
}

func TestReadCountsTakesTheDifference(t *testing.T) {
	dir := t.TempDir()
	part := func(n, k, front string) {
		text := strings.Replace(strings.Replace(onePart, "row N", "row "+k, 1), "* 2", "* "+front, 1)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "out."+n), []byte(text), 0o644))
	}
	part("1", "10", "100")
	part("2", "20", "250")
	got, err := readCounts(filepath.Join(dir, "out"), testParties)
	require.NoError(t, err)
	assert.Equal(t, map[string]counts{"row": {All: 15, Front: 15}}, got)
}

func TestReadCountsNeedsDumps(t *testing.T) {
	_, err := readCounts(filepath.Join(t.TempDir(), "out"), testParties)
	assert.ErrorContains(t, err, "no dumps")
}
