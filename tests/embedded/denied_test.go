package embedded

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A sandbox may deny each of these calls: the library works without them, also with little memory for messages.
func TestDenied(t *testing.T) {
	deny := filepath.Join(t.TempDir(), "deny")
	out, err := exec.Command("gcc", "-std=gnu11", "-O1", "-pthread", "-I", filepath.Join(root, "embedded/adi"), "-o", deny, "../adi/programs/deny.c").CombinedOutput()
	require.NoError(t, err, "%s", out)
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
