// Package embedded tests the embedded MPI (embedded/): the library without a front. The programs are in C, and are linked
// with a variant of the library (tests/variants.mk).
package embedded

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// limit bounds a job; it is generous, because other work may use the cores.
const limit = 10 * time.Minute

// A kind is a variant of the library and of a program.
type kind struct {
	name string   // in tests/variants.mk
	run  []string // the command that runs the job, before its name
}

var (
	plain = kind{name: "plain"}
	asan  = kind{name: "asan"}
	tsan  = kind{name: "tsan"}
)

// program returns a program of the directory programs in one kind.
func program(t *testing.T, k kind, name string) string {
	t.Helper()
	return harness.Variant(t, k.name+"/embedded/"+name)
}

// right runs a program on a number of ranks; each prints that it was right.
func right(t *testing.T, k kind, ranks int, env []string, name string, args ...string) {
	t.Helper()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	command := append([]string{program(t, k, name)}, args...)
	if ranks > 1 {
		command = append([]string{filepath.Join(prefix, "embedded/adirun"), "-n", fmt.Sprint(ranks)}, command...)
	}
	command = append(slices.Clone(k.run), command...)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(append(os.Environ(), fmt.Sprintf("ADI_TIMEOUT=%d", int(limit.Seconds())-10)), env...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = 5 * time.Second
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	assert.True(t, err == nil && strings.Count(stdout.String(), ": right\n") == ranks, "%s %v %v on %d ranks: %v\n%s%s", name, args, env, ranks, err, stdout.String(), stderr.String())
}
