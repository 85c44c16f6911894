package gen

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/abi"
	"wi4go/gen/gentest"
	"wi4go/gen/model"
)

// Every function that a front exports has a paragraph that names the library or the code that implements it.
func TestDescribe(t *testing.T) {
	in := gentest.Input(t)
	for _, a := range abi.Names() {
		for _, r := range abi.Names() {
			paragraphs, err := Describe(in, a, r)
			require.NoError(t, err)
			for _, slot := range model.NewSlots(in, in.Family(a)).List {
				text, ok := paragraphs[slot.Name]
				assert.Equal(t, slot.Exported, ok, "%s over %s: %s", a, r, slot.Name)
				if ok {
					assert.Regexp(t, `^`+slot.Name+`\n(  .*\n)*  (translation|code|emulation) `, text, "%s over %s", a, r)
					assert.NotContains(t, text, "\n\n", "a paragraph")
				}
			}
		}
	}
	fortran := func(a, r, function string) string {
		paragraphs, err := Describe(in, a, r)
		require.NoError(t, err)
		return regexp.MustCompile(`(?m)(^  Fortran .*\n)+`).FindString(paragraphs[function])
	}
	assert.Regexp(t, `fortran_MPI_Send in openmpi/openmpi_mpich_fast\.S.*\n.*direct_MPI_Send in openmpi/openmpi_mpich_speed\.c`, fortran("openmpi", "mpich", "MPI_Send"))
	assert.Regexp(t, `fortran_MPI_Waitall in .*\n.*direct_MPI_Waitall in openmpi/openmpi_mpich_speed\.c`, fortran("openmpi", "mpich", "MPI_Waitall"))
	assert.Regexp(t, `fortran_MPI_Send in mpich/mpich_openmpi_fast\.S`, fortran("mpich", "openmpi", "MPI_Send"))
	assert.NotContains(t, fortran("mpich", "openmpi", "MPI_Send"), "direct_MPI_Send", "the library's own body is as good")
	assert.Empty(t, fortran("mpich", "openmpi", "MPI_Waitall"), "its integers are the handles of C")
	assert.Empty(t, fortran("openmpi", "openmpi", "MPI_Send"), "within a family")
	assert.Empty(t, fortran("openmpi", "mpich", "MPI_Ssend_init"), "not frequent")
	_, err := Describe(in, "lam", "mpich")
	assert.EqualError(t, err, "lam over mpich: unknown family: the families are mpiabi, mpich, openmpi")
}

// The paragraph of a function written by hand lists its conversions. For a function that the front implements if the
// runtime lacks it, the paragraph lists the checks.
func TestDescribeArguments(t *testing.T) {
	paragraphs, err := Describe(gentest.Input(t), "openmpi", "mpich")
	require.NoError(t, err)
	for function, lines := range map[string][]string{
		"MPI_Waitall": {
			"translation  array_of_requests: array of requests in variables, to the runtime's, count elements",
			"translation  array_of_statuses: array of statuses to the program's, count elements",
			"code         A_MPI_Waitall in openmpi/openmpi_mpich_speed.c; openmpi/openmpi_mpich_fast.S, generated",
		},
		"MPI_Waitsome": {
			"translation  outcount: number of completed requests",
			"translation  array_of_indices: array of the indices of the completed requests, *outcount elements",
			"translation  array_of_statuses: array of statuses to the program's, *outcount of incount elements",
		},
		"MPI_Waitany":                {"translation  indx: index of the completed request"},
		"MPI_Attr_get":               {"translation  comm: COMM handle to the runtime's", "translation  attribute_val: ATTRIBUTE_VAL, by hand"},
		"MPI_Request_get_status_all": {"emulation    refused with MPI_ERR_ARG: a null pointer for flag\n"},
		"MPI_Alltoallv_c":            {"emulation    refused with MPI_ERR_ARG: a null pointer for sendcounts, unless"},
	} {
		for _, line := range lines {
			assert.Contains(t, paragraphs[function], "  "+line, function)
		}
	}
	assert.NotContains(t, paragraphs["MPI_Send_c"], "refused", "the function with int counts checks its arguments")
}
