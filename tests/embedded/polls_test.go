package embedded

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"wi4go/tests/harness"
)

// A rank that polls with a call that does not wait leaves its core to the rank that it polls for.
func TestAlonePolls(t *testing.T) {
	harness.Alone(t)
	var cores unix.CPUSet
	require.NoError(t, unix.SchedGetaffinity(0, &cores))
	first := 0
	for !cores.IsSet(first) {
		first++
	}
	k := plain
	k.run = []string{"taskset", "--cpu-list", fmt.Sprint(first)}
	right(t, k, 2, nil, "polls")
	right(t, k, 2, []string{"ADI_CORES=2"}, "polls") // as if each rank had a core
}

// A sleep takes no longer with many outstanding requests.
func TestAloneOutstanding(t *testing.T) {
	harness.Alone(t)
	right(t, plain, 2, nil, "outstanding")
}
