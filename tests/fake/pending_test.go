package fake

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A library may read the arrays of a nonblocking collective until the request is completed (MPI-5.0, 6.12). The arrays
// that the front makes for large counts must live as long, whatever is called in the meantime.
func TestArraysOfPendingCollectives(t *testing.T) {
	for _, from := range []string{"mpich", "mpiabi"} {
		t.Run(from, func(t *testing.T) {
			x := newTester(t, from, "openmpi@5.0") // this library has no large counts
			values := func(first, size int64) (b []byte) {
				for i := range int64(N) {
					b = append(b, encode(first+i, int(size))...)
				}
				return b
			}
			x.scripts[14] = script{function: x.number["MPI_Type_get_extent"] + 1}
			x.scripts[14].arguments[1].give = int64(copy(x.scripts[14].arguments[1].bytes[:], encode(0, 8)))
			x.scripts[14].arguments[2].give = int64(copy(x.scripts[14].arguments[2].bytes[:], encode(4, 8)))
			integer, _ := x.a.value("MPI_INT")
			world, _ := x.a.value("MPI_COMM_WORLD")
			memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", x.command.Process.Pid))
			require.NoError(t, err)
			defer memory.Close()

			type pending struct{ given, request int64 }
			var begun [3]pending
			var arrays [3]record
			for i := range begun {
				first := int64(100 * (i + 1))
				begun[i] = pending{x.fresh("REQUEST"), x.store(5, nil) + int64(8*i)}
				x.scripts[15] = script{function: x.number["MPI_Ialltoallw"] + 1}
				x.scripts[15].arguments[9].give = int64(copy(x.scripts[15].arguments[9].bytes[:], encode(begun[i].given, 8)))
				x.function = x.number["MPI_Ialltoallv_c"]
				copy(x.words[:], []int64{
					x.store(0, nil), x.store(1, values(first, 8)), x.store(2, values(first+10, 8)), integer,
					x.store(0, nil), x.store(3, values(first+20, 8)), x.store(4, values(first+30, 8)), integer, world, begun[i].request,
				})
				require.NoError(t, x.step())
				require.Zero(t, x.returned)
				called := x.last("MPI_Ialltoallw")
				require.NotNil(t, called)
				arrays[i] = *called
			}
			for i, r := range arrays {
				first := int64(100 * (i + 1))
				for argument, want := range map[int][]int64{1: {first, 1}, 2: {first + 10, 4}, 5: {first + 20, 1}, 6: {first + 30, 4}} {
					got := make([]byte, 4*N)
					_, err := memory.ReadAt(got, r.words[argument])
					require.NoError(t, err)
					for j := range N {
						assert.EqualValues(t, (want[0]+int64(j))*want[1], le(got[4*j:4*j+4]), "call %d: argument %d, element %d", i, argument, j)
					}
				}
			}
			null, _ := x.r.value("MPI_REQUEST_NULL")
			x.scripts[15] = script{function: x.number["MPI_Wait"] + 1}
			x.scripts[15].arguments[0].take = 8
			x.scripts[15].arguments[0].give = int64(copy(x.scripts[15].arguments[0].bytes[:], encode(null, 8)))
			for _, p := range begun {
				x.function = x.number["MPI_Wait"]
				ignore, _ := x.a.value("MPI_STATUS_IGNORE")
				x.words[0], x.words[1] = p.request, ignore
				require.NoError(t, x.step())
				require.Zero(t, x.returned)
				assert.EqualValues(t, p.given, le(x.last("MPI_Wait").bytes[0][:8]), "the runtime's request")
			}
		})
	}
}
