package fake

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// futureNames are the names that the standard will give to the functions of fault tolerance, by the names that
// libraries have given to them as extensions.
var futureNames = map[string]string{
	"MPIX_Comm_ack_failed": "MPI_Comm_ack_failed",
	"MPIX_Comm_agree":      "MPI_Comm_agree",
	"MPIX_Comm_get_failed": "MPI_Comm_get_failed",
	"MPIX_Comm_iagree":     "MPI_Comm_iagree",
	"MPIX_Comm_is_revoked": "MPI_Comm_is_revoked",
	"MPIX_Comm_ishrink":    "MPI_Comm_ishrink",
	"MPIX_Comm_revoke":     "MPI_Comm_revoke",
	"MPIX_Comm_shrink":     "MPI_Comm_shrink",
}

// A program that calls a function by either name reaches the function that the runtime has by either name.
func TestFutureNames(t *testing.T) {
	for _, pair := range pairs {
		for _, names := range [][2]string{{"+", "+"}, {"+", ""}, {"", "+"}} {
			from, to := pair.from+names[0], pair.to+names[1]
			t.Run(from+" on "+to, func(t *testing.T) {
				t.Parallel()
				x := newTester(t, from, to)
				for extension, name := range futureNames {
					called, has := extension, extension
					if names[0] != "" {
						called = name
					}
					if names[1] != "" {
						has = name
					}
					_, calls := x.a.Functions[called]
					_, offers := x.r.Functions[has]
					if calls && offers {
						x.renamed = map[string]string{called: has}
						x.test(t, x.spec[called])
					}
				}
			})
		}
	}
}

// A runtime that has the function by neither name raises an error of the class for that.
func TestFutureNamesThatAreMissing(t *testing.T) {
	for _, pair := range []struct{ from, to string }{{"openmpi+", "mpiabi"}, {"mpich+", "openmpi@4.1"}, {"mpich", "openmpi@4.1"}, {"mpiabi+", "openmpi@4.1"}} {
		t.Run(pair.from+" on "+pair.to, func(t *testing.T) {
			x := newTester(t, pair.from, pair.to)
			x.scripts[20] = script{function: x.number["MPI_Initialized"] + 1}
			x.scripts[20].arguments[0].give = int64(copy(x.scripts[20].arguments[0].bytes[:], encode(1, 4)))
			called := 0
			for extension, standard := range futureNames {
				for _, name := range []string{extension, standard} {
					if _, ok := x.a.Functions[name]; !ok {
						continue
					}
					called++
					_, arguments := x.with(name, nil)
					x.function, x.words[0] = x.number[name], int64(le(arguments[0].a))
					require.NoError(t, x.step())
					assert.EqualValues(t, x.a.Constants["MPI_ERR_UNSUPPORTED_OPERATION"], int32(x.returned), name)
					assert.NotNil(t, x.last("MPI_Comm_call_errhandler"), name)
				}
			}
			assert.GreaterOrEqual(t, called, 3)
		})
	}
}
