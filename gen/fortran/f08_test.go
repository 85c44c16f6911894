package fortran

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"wi4go/abi"
	"wi4go/gen/gentest"
	"wi4go/gen/model"
)

// The expected numbers are from the libraries of Debian's Open MPI 4.1.4 and 5.0.7.
func TestGfortranHash(t *testing.T) {
	for derived, numbers := range map[string][2]uint32{
		"Mpi_comm": {73600949, 65123268}, "Mpi_datatype": {86896269, 29694876}, "Mpi_status": {3872507, 13675146}, "Mpi_win": {58701395, 12067460},
	} {
		assert.Equal(t, numbers, [2]uint32{gfortranHash("mpi_f08_types", derived), gfortranHash("mpi_types", derived)}, derived)
	}
}

func TestF08Names(t *testing.T) {
	assert.Equal(t, []string{"mpi_comm_rank_f08_", "pmpi_comm_rank_f08_"}, f08Names("MPI_Comm_rank"))
	assert.Equal(t, [2]string{"ompi_f08_mpi_int8", "__mpi_f08_types_MOD_mpi_int8_t"}, f08Constant("MPI_INT8_T"))
	exports := exportsOfFortran(gentest.Input(t), "openmpi")
	for _, name := range []string{"mpi_send_f08_", "pmpi_ineighbor_alltoallv_init_f08_", "ompi_f08_mpi_comm_world", "__mpi_f08_types_MOD_ompi_comm_op_eq",
		"__mpi_types_MOD___vtab_mpi_types_Mpi_session", "__mpi_f08_callbacks_MOD_mpi_comm_dup_fn",
		"mpi_send_f08ts_", "pmpi_send_c_f08ts_", "mpi_get_count_c_f08_", "mpi_f_sync_reg_f08ts_"} {
		assert.Contains(t, exports, name)
	}
	for _, name := range []string{"__mpi_types_MOD_ompi_status_op_eq", "__mpi_f08_callbacks_MOD_mpi_dup_fn", "pmpir_send_f08ts_", "mpi_send_f08ts_large_"} {
		assert.NotContains(t, exports, name)
	}
}

// exportsOfFortran returns the symbols of a family's Fortran library.
func exportsOfFortran(in *model.Input, family string) []string {
	i := slices.IndexFunc(in.Families, func(f *abi.Family) bool { return f.Family == family })
	return library{model.NewSlots(in, in.Families[i])}.fortranExports()
}
