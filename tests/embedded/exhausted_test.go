package embedded

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// job runs a command under the launcher of the embedded MPI and returns its output and its exit code.
func job(t *testing.T, ranks int, command ...string) (stdout, stderr string, code int) {
	t.Helper()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	var out, failure bytes.Buffer
	c := exec.CommandContext(ctx, filepath.Join(prefix, "bin/wi4go"), append([]string{"ranks", "-n", fmt.Sprint(ranks)}, command...)...)
	c.Stdout, c.Stderr = &out, &failure
	err = c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	require.NoError(t, ctx.Err(), "%s hangs", command)
	return out.String(), failure.String(), c.ProcessState.ExitCode()
}

// assertRightOrRefused requires that all ranks are right, or that the job ends with a message about the resource that it
// lacks: no crash, and no hang.
func assertRightOrRefused(t *testing.T, ranks int, resource, stdout, stderr string, code int, message ...any) {
	t.Helper()
	if code == 0 {
		assert.Equal(t, ranks, strings.Count(stdout, ": right"), message...)
		assert.Empty(t, stderr, message...)
		return
	}
	assert.NotEqual(t, 124, code, message...)
	assert.Less(t, code, 128, message...)
	assert.Contains(t, stderr, resource, message...)
}

// One allocation of one of several ranks fails, from MPI_Init on: the job does its work, or ends with MPI_ERR_NO_MEM.
func TestExhaustedRanks(t *testing.T) {
	exhausted := program(t, plain, "exhausted_ranks")
	for ranks := 1; ranks <= 3; ranks++ {
		stdout, stderr, code := job(t, ranks, exhausted, "-1", "0")
		require.Equal(t, 0, code, stderr)
		var last, allocations int
		_, err := fmt.Sscanf(stdout[strings.LastIndex(strings.TrimSpace(stdout), "rank"):], "rank %d: right after %d", &last, &allocations)
		require.NoError(t, err, stdout)
		require.Greater(t, allocations, 50)
		step := 11
		if harness.Nightly.Runs() {
			step = 1
		}
		for rank := range ranks {
			for number := rank; number < allocations+allocations/8 && !t.Failed(); number += step {
				stdout, stderr, code := job(t, ranks, exhausted, fmt.Sprint(rank), fmt.Sprint(number))
				assertRightOrRefused(t, ranks, "memory", stdout, stderr, code, "allocation %d of rank %d of %d: code %d\n%s%s", number, rank, ranks, code, stdout, stderr)
			}
		}
	}
}

// Objects and requests of each kind until memory or context ids are exhausted.
func TestExhaustedObjects(t *testing.T) {
	right(t, plain, 1, nil, "exhausted_objects")
	right(t, plain, 2, []string{"ADI_THREADS=1"}, "exhausted_objects")
	if harness.Nightly.Runs() {
		right(t, plain, 3, nil, "exhausted_objects")
	}
}
