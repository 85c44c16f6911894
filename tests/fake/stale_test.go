package fake

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A tracked request ends when it is completed. Its handle is then invalid: the runtime must get neither the request
// that belonged to it nor the later contents of the memory.
func TestCompletedRecord(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		size := x.r.size("MPI_Request")
		null := x.in("MPI_REQUEST_NULL", 8)
		null.r = null.r[:size]
		a, r := x.started(t, "MPI_Comm_idup")
		wait := func(request sample) {
			f, arguments := x.with("MPI_Wait", map[string]sample{"request": request})
			require.NoError(t, x.call(f, arguments, 0))
		}
		wait(sample{label: "its handle", size: len(a), a: a, r: r, give: null.r, found: exactly(null.a[:len(a)])})
		next, _ := x.started(t, "MPI_Comm_idup")
		assert.NotEqual(t, a, next, "a completed request's handle was given to another")
		wait(sample{label: "after its end", size: len(a), a: a, arrived: func(got []byte) error {
			if bytes.HasPrefix(got, r) {
				return fmt.Errorf("the runtime got the completed request, %x", r)
			}
			return nil
		}, found: exactly(a)})
	})
}

// The handle of a completed request is reused only after many others. A program that keeps one by mistake gets an error
// for a long time, and no other request.
func TestRecordHandlesComeBackLate(t *testing.T) {
	forEachPair(t, func(t *testing.T, x *tester) {
		size := x.r.size("MPI_Request")
		null := x.in("MPI_REQUEST_NULL", 8)
		null.r = null.r[:size]
		given := map[string]int{}
		for i := range 100 {
			a, r := x.started(t, "MPI_Comm_idup")
			former, again := given[string(a)]
			require.False(t, again, "request %d has the handle of %d, which has ended", i, former)
			given[string(a)] = i
			f, arguments := x.with("MPI_Wait", map[string]sample{
				"request": {label: "its handle", size: len(a), a: a, r: r, give: null.r, found: exactly(null.a[:len(a)])},
			})
			require.NoError(t, x.call(f, arguments, 0))
		}
	})
}
