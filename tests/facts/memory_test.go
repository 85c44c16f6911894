package facts

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// mlockall makes the program's memory resident as natively, and hardly more: the core's and the front's large mappings
// are left out, and do not count for the limit on locked memory.
func TestMlockall(t *testing.T) {
	const most = 14 << 10 // the code and the memory in use of wi4go, in KB
	each(t, func(t *testing.T, d direction) {
		program, expected := compile(t, d.app, "mlockall.c"), compile(t, d.runtime, "mlockall.c")
		size := func(r result) int {
			r.ok(t)
			first, _, _ := strings.Cut(r.stdout, "\n")
			kilobytes, err := strconv.Atoi(first)
			require.NoError(t, err, r)
			return kilobytes
		}
		kinds := []string{"all", "current"}
		var limit unix.Rlimit
		if err := unix.Getrlimit(unix.RLIMIT_MEMLOCK, &limit); err == nil && limit.Max >= 1200<<20 {
			kinds = append(kinds, "limit") // elsewhere the limit cannot be raised
		}
		for _, kind := range kinds {
			natively, through := size(native(t, expected, kind)), size(d.run(t, program, kind))
			assert.LessOrEqual(t, through, natively+most, kind)
		}
		native(t, expected, "low").ok(t)
		d.run(t, program, "low").ok(t)
	})
}
