package embedded_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A job in which no rank can proceed is reported and ended.
func TestHang(t *testing.T) {
	hang := program(t, "hang")
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
			got := launch(t, "", "-n", ranks, hang, name)
			assert.Equal(t, 124, got.code)
			assert.Contains(t, got.stderr, "wi4go: no rank of the job can proceed:\n")
			for _, line := range lines {
				assert.Contains(t, got.stderr, line)
			}
		})
	}
}

// A job that can still proceed is not reported.
func TestNoHang(t *testing.T) {
	for _, name := range []string{"slow", "outside"} {
		got := launch(t, "", "-n", "3", program(t, "hang"), name)
		assert.Equal(t, 0, got.code, name)
		assert.Empty(t, got.stderr, name)
	}
}
