// Package hang tests the reports of jobs on the embedded MPI in which no rank can proceed, and that no other job gets one.
package hang

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// A job in which no rank can proceed is reported and ended.
func TestHang(t *testing.T) {
	hang := harness.EmbeddedProgram(t, "hang")
	for name, lines := range map[string][]string{
		"allreduce": {"rank 0: MPI_Allreduce waits for rank 1 on MPI_COMM_WORLD\n", "rank 2: MPI_Allreduce waits for rank 1 on MPI_COMM_WORLD\n", "rank 1: MPI_Recv waits for rank 0 (tag 1) on MPI_COMM_WORLD"},
		"cycle":     {"rank 0: MPI_Recv waits for rank 1 (tag 5) on MPI_COMM_WORLD", "rank 1: MPI_Recv waits for rank 0 (tag 5) on MPI_COMM_WORLD", "each waits for the next: 0, 1, 0"},
		"tag":       {"rank 1: MPI_Recv waits for rank 0 (tag 99) on MPI_COMM_WORLD\n          it has a message from rank 0 with tag 98"},
		"barrier":   {"rank 1: MPI_Recv waits for rank 0 (tag 1) on MPI_COMM_WORLD", "rank 0: MPI_Barrier waits for rank 1"},
		"early":     {"rank 1: MPI_Finalize waits for rank 0", "rank 2: MPI_Barrier waits for rank 1 on MPI_COMM_WORLD\n"},
		"sends":     {"rank 0: MPI_Send waits for rank 1 (tag 1) on MPI_COMM_WORLD"},
		"exchange":  {"rank 0: MPI_Sendrecv waits for rank 1 (tag 2) on MPI_COMM_WORLD\n          it has a message from rank 1 with tag 1", "each waits for the next: 0, 1, 0"},
		"twice":     {"rank 0: MPI_Allreduce waits for rank 1 on copy\n", "rank 1: MPI_Allreduce waits for rank 0 on MPI_COMM_WORLD\n", "each waits for the next: 0, 1, 0"},
		"several":   {"rank 0: MPI_Waitsome waits for rank 1 (tag 1), rank 1 (tag 2) on several communicators\n", "each waits for the next: 0, 1, 0"},
		"freed":     {"rank 0: MPI_Finalize waits for any rank\n"},
		"alone":     {"rank 0: MPI_Wait\n", "rank 1: MPI_Wait\n"},
	} {
		t.Run(name, func(t *testing.T) {
			ranks := "2"
			if name == "allreduce" || name == "early" {
				ranks = "3"
			}
			got := harness.Ranks(t, "", "-n", ranks, hang, name)
			assert.Equal(t, 124, got.Code)
			assert.Contains(t, got.Stderr, "wi4go: no rank of the job can proceed:\n")
			for _, line := range lines {
				assert.Contains(t, got.Stderr, line)
			}
		})
	}
}

// insides are the cases of programs/inside.c: functions that wait in other functions.
var insides = []string{
	"MPI_Comm_dup", "MPI_Comm_dup_with_info", "MPI_Comm_split", "MPI_Comm_split_type", "MPI_Comm_create", "MPI_Comm_create_group", "MPI_Cart_create", "MPI_Cart_sub",
	"MPI_Graph_create", "MPI_Dist_graph_create", "MPI_Dist_graph_create_adjacent", "MPI_Intercomm_create", "MPI_Intercomm_merge", "MPI_Comm_dup intercommunicator",
	"MPI_Comm_split intercommunicator", "MPI_Comm_disconnect", "MPI_Sendrecv", "MPI_Sendrecv receives", "MPI_Sendrecv sends", "MPI_Sendrecv_replace",
}

// A report names the function that the program has called, not one that this function calls.
func TestHangInside(t *testing.T) {
	inside := harness.EmbeddedProgram(t, "inside")
	for _, name := range insides {
		for _, level := range []string{"single", "multiple"} {
			t.Run(name+" "+level, func(t *testing.T) {
				t.Parallel()
				function, _, _ := strings.Cut(name, " ")
				got := harness.Ranks(t, "", "-genv", "LEVEL", level, "-n", "4", inside, name)
				assert.Equal(t, 124, got.Code, got.Stderr)
				assert.Contains(t, got.Stderr, "rank 0: MPI_Recv waits for rank 1 (tag 7)")
				for rank := 1; rank < 4; rank++ {
					assert.Contains(t, got.Stderr, fmt.Sprintf("rank %d: %s waits for", rank, function))
				}
			})
		}
	}
}

// A wait for more messages than a report lists shows how many there are.
func TestHangOfMany(t *testing.T) {
	script := harness.EmbeddedProgram(t, "script")
	several := func(count int) string { return strings.Repeat("irecv,1,3 ", count) + "waitall" }
	for words, line := range map[string]string{
		several(4) + " / recv,0,5": "rank 0: MPI_Waitall waits for rank 1 (tag 3) on MPI_COMM_WORLD\n",
		several(7) + " / recv,0,5": "rank 0: MPI_Waitall waits for rank 1 (tag 3), and 3 more on MPI_COMM_WORLD\n",
		"gather,0 / recv,0,5":      "rank 0: MPI_Gather waits for rank 1, rank 2, rank 3, rank 4, and up to 1 more on MPI_COMM_WORLD\n",
		"recv,1,5 / barrier":       "rank 1: MPI_Barrier waits for rank 0",
	} {
		got := harness.Ranks(t, "", append([]string{"-n", "6", script}, strings.Fields(words)...)...)
		assert.Equal(t, 124, got.Code, words)
		assert.Contains(t, got.Stderr, line, words)
	}
}

// A wait for a partitioned send sleeps: it is reported if no thread can mark the last partition, and it ends when one does.
func TestHangPartitioned(t *testing.T) {
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	app := filepath.Join(t.TempDir(), "partitioned")
	out, err := exec.Command(filepath.Join(prefix, "bin/mpicc"), "-Wall", "-pthread", "-o", app, "../programs/partitioned.c").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for function, inside := range map[string]string{"Wait": "Wait", "Waitall": "Wait", "Waitany": "Waitany", "Waitsome": "Waitsome"} {
		got := harness.Ranks(t, "", "-n", "2", filepath.Join(prefix, "bin/wi4go"), "exec", "--to", "embedded", app, "never", function)
		assert.Equal(t, 124, got.Code, got.Stderr)
		assert.Contains(t, got.Stderr, "rank 0: MPI_"+inside+"\n", function)
		assert.Contains(t, got.Stderr, "rank 1: MPI_"+function+" waits for rank 0 (tag ", function)
		for _, moment := range []string{"later", "first"} {
			got := harness.Ranks(t, "", "-n", "2", filepath.Join(prefix, "bin/wi4go"), "exec", "--to", "embedded", app, moment, function)
			assert.Equal(t, 0, got.Code, got.Stderr)
			assert.Equal(t, 2, strings.Count(got.Stdout, ": right\n"), "%s %s: %s", moment, function, got.Stderr)
		}
	}
}

// A job that can still proceed is not reported.
func TestNoHang(t *testing.T) {
	for _, name := range []string{"slow", "outside"} {
		got := harness.Ranks(t, "", "-n", "3", harness.EmbeddedProgram(t, "hang"), name)
		assert.Equal(t, 0, got.Code, name)
		assert.Empty(t, got.Stderr, name)
	}
}
