package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// countedRows are the rows whose instructions every run of CI compares with the recorded ones: a query, a status, a
// request, a collective operation, a callback and an attribute, with predefined and with dynamic handles.
const countedRows = "comm_rank_world,type_size_derived,get_count,test_null_status,sendrecv_status,isend_irecv_waitall,isend_recv_wait,allreduce_sum,allreduce_user,comm_get_attr"

var update = flag.Bool("update", false, "rewrite testdata from what is counted")

// mostCounted returns the instructions that a row may have. The counts are exact for a compiler and a C library; other
// releases of these differ by a few instructions.
func mostCounted(recorded float64) float64 { return 1.05*recorded + 2 }

// wi4go's instructions do not grow, and callgrind runs the programs: `make bench`, for ten rows of two directions.
func TestCounts(t *testing.T) {
	harness.All.From(t, "callgrind is slow")
	if runtime.GOARCH != "amd64" {
		t.Skip("the recorded instructions are those of x86-64")
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	rows, err := chosen(countedRows)
	require.NoError(t, err)
	dir := t.TempDir()
	source, err := writeSources(dir)
	require.NoError(t, err)
	var text strings.Builder
	recorded := readCounted(t)
	for _, to := range harness.Names {
		from := harness.Other(to)
		direction := from + "→" + to
		o := options{prefix: prefix, instOnly: true}
		library, err := harness.Find(to)
		if err != nil {
			harness.Missing(t, err)
		}
		own, err := o.toolchain(from)
		if err != nil {
			harness.Missing(t, err)
		}
		target, err := newTarget(library, source, dir)
		require.NoError(t, err)
		program := filepath.Join(dir, "calls."+from)
		require.NoError(t, own.Compile(source, program))
		through, err := target.through(prefix, program, from)
		require.NoError(t, err)
		b := bench{options: o, target: target, dir: dir, rows: rows}
		counted := map[string]counts{}
		require.NoError(t, b.measureInstructions(variant{program: program, through: through}, counted))
		for _, row := range rows {
			front := counted[row.name].Front
			t.Logf("%s %s: %.1f instructions", direction, row.name, front)
			fmt.Fprintf(&text, "%s %s %.1f\n", direction, row.name, front)
			assert.Positive(t, front, "%s %s", direction, row.name)
			if !*update {
				assert.LessOrEqual(t, front, mostCounted(recorded[direction+" "+row.name]), "%s %s: `go test ./bench -run TestCounts -update` accepts a change that is meant", direction, row.name)
			}
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(countsFile, []byte(text.String()), 0o644))
	}
}

const countsFile = "testdata/counts.txt"

// readCounted returns the recorded instructions by direction and row.
func readCounted(t *testing.T) map[string]float64 {
	text, err := os.ReadFile(countsFile)
	require.NoError(t, err)
	recorded := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		at := strings.LastIndexByte(strings.TrimSpace(line), ' ')
		recorded[line[:at]], err = strconv.ParseFloat(strings.TrimSpace(line[at:]), 64)
		require.NoError(t, err)
	}
	return recorded
}
