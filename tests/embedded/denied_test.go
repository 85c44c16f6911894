package embedded

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// A sandbox may deny each of these calls: the library works without them, also with little memory for messages.
func TestDenied(t *testing.T) {
	deny := harness.Variant(t, "plain/adi/deny")
	for _, calls := range []string{"futex", "membarrier", "memfd_create", "futex,membarrier,memfd_create,madvise,process_vm_readv,process_vm_writev"} {
		t.Run(calls, func(t *testing.T) {
			k := plain
			k.run = []string{deny, calls}
			for _, env := range [][]string{nil, {"ADI_SEGMENT=1000000"}} {
				right(t, k, 3, env, "coll_many", "work")
				right(t, k, 2, env, "types_messages", "3", "100")
			}
		})
	}
}

// The launcher and the ranks of another launcher use a file without a name if they may not call memfd_create.
func TestLauncherWithoutMemfd(t *testing.T) {
	deny := harness.Variant(t, "plain/adi/deny")
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	world := filepath.Join(t.TempDir(), "world")
	library := filepath.Join(prefix, "lib/wi4go/runtimes/embedded/lib")
	out, err := exec.Command("gcc", "-I"+filepath.Join(prefix, "lib/wi4go/mpi/include"), "-o", world, "programs/world.c",
		filepath.Join(library, "libwi4go-embedded.so.1"), "-Wl,-rpath,"+library).CombinedOutput()
	require.NoError(t, err, "%s", out)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	out, err = exec.CommandContext(ctx, deny, "memfd_create", filepath.Join(prefix, "bin/wi4go"), "ranks", "-n", "3", world).CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Equal(t, 3, strings.Count(string(out), "of 3, sum 3\n"), "%s", out)
}
