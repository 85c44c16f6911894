package traits

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/gen/gentest"
)

// The offsets that the assembly uses for a status layout are those in mpi.h.
func TestStatusEncodings(t *testing.T) {
	counts := map[string]string{"split": "_ucount", "leading": "count_lo", "trailing": "MPI_internal"}
	for _, f := range gentest.Input(t).Families {
		at, known := statusEncodings[f.Traits.Status]
		require.True(t, known, "%s: status %q", f.Family, f.Traits.Status)
		fields := f.Types["MPI_Status"].Fields
		assert.Equal(t, fields["MPI_SOURCE"], at.source, f.Family)
		assert.Equal(t, at.source+4, fields["MPI_TAG"], f.Family)
		assert.Equal(t, at.source+8, fields["MPI_ERROR"], f.Family)
		assert.Equal(t, fields[counts[f.Traits.Status]], at.count, f.Family)
	}
}
