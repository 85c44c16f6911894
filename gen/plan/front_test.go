package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/gen/model"
)

func TestNullChecks(t *testing.T) {
	in := input(t)
	of := func(family, function string) []Check {
		f := in.Function(function)
		require.NotNil(t, f, function)
		return NullChecks(in.Family(family), f)
	}
	null := func(name string, length model.Length) Check {
		return Check{Argument: name, Condition: IsNull{length}, Class: "MPI_ERR_ARG", Text: name + " is a null pointer"}
	}
	requests, one := model.Length{Param: "count", Factor: 1}, model.Length{}
	assert.Equal(t, []Check{null("array_of_requests", requests), null("flag", one), null("array_of_statuses", requests)}, of("mpich", "MPI_Request_get_status_all"))
	// A null pointer as the array of statuses ignores them in programs of the standard ABI.
	assert.Equal(t, []Check{null("array_of_requests", requests), null("flag", one)}, of("mpiabi", "MPI_Request_get_status_all"))
	assert.Equal(t, []Check{null("newtype", one)}, of("mpich", "MPI_Type_contiguous"))
	// Open MPI returns other error classes for null addresses of some output objects. A collective
	// operation's request has the same class as any argument.
	class := in.Family("openmpi").Traits.NullErrors
	require.NotEmpty(t, class["REQUEST"])
	assert.Equal(t, class["REQUEST"], of("openmpi", "MPI_Isend")[0].Class)
	assert.Equal(t, "MPI_ERR_ARG", of("openmpi", "MPI_Ibarrier")[0].Class)
	// A buffer may be null. So may the address of a status, if programs of the family ignore a
	// status that way.
	assert.Empty(t, of("mpich", "MPI_Recv"))
	for _, function := range []string{"MPI_Session_finalize", "MPI_Comm_set_errhandler", "MPI_T_init_thread", "MPI_Wtime"} {
		assert.Nil(t, of("mpich", function), function)
	}
}

func TestLargeCounts(t *testing.T) {
	in := input(t)
	of := func(small string) *LargeCount {
		return LargeCountOf(in.Function(small), in.Function(in.Function(small).Large))
	}
	for small, way := range map[string]LargeMethod{
		"MPI_Send": LargeNarrowed, "MPI_Allreduce": LargeNarrowed, "MPI_Ireduce": LargeInPieces, "MPI_Alltoallv": LargeExchanged,
		"MPI_Allreduce_init": LargeStarted, "MPI_Type_get_contents": LargeByHand, "MPI_Register_datarep": LargeImpossible,
	} {
		assert.Equal(t, way, of(small).Method, small)
	}
	send := of("MPI_Send")
	assert.Equal(t, []CountForm{CountUnchanged, CountOfType, CountUnchanged, CountUnchanged, CountUnchanged, CountUnchanged}, send.Forms)
	assert.Equal(t, TooLargeAsElements, send.TooLarge)
	assert.Equal(t, []CountForm{CountUnchanged, CountOut}, of("MPI_Type_size").Forms)
	assert.Equal(t, TooLargeRefused, of("MPI_Win_create").TooLarge, "its disp_unit is no count of elements")
	assert.Equal(t, TooLargeInPieces, of("MPI_Allreduce").TooLarge)
	assert.True(t, of("MPI_File_iread").KeepsType)
	assert.False(t, of("MPI_Isend").KeepsType, "libraries keep the datatypes of messages")
	later := of("MPI_Ireduce")
	assert.Equal(t, []Piece{PieceBuffer, PieceBuffer, PieceCount, PieceUnchanged, PieceUnchanged, PieceUnchanged, PieceUnchanged, PieceRequest}, later.Pieces)
	assert.Equal(t, []string{"count", "datatype", "comm"}, []string{later.Count, later.Datatype, later.Comm})
	assert.Equal(t, 7, later.Begins)
}

func TestPersist(t *testing.T) {
	in := input(t)
	p, err := Persist(in.Function("MPI_Allreduce_init"), in.Function("MPI_Iallreduce"))
	require.NoError(t, err)
	_, err = Persist(in.Function("MPI_Send"), in.Function("MPI_Send"))
	assert.ErrorContains(t, err, "needs a parameter of role REQUEST with direction out")
	frees := map[string]string{}
	for _, k := range p.Stored {
		frees[k.Param.Name] = k.Free
	}
	assert.Equal(t, map[string]string{"sendbuf": "", "recvbuf": "", "count": "", "datatype": "MPI_Type_free", "op": "MPI_Op_free"}, frees)
	assert.Equal(t, []string{"comm", "request"}, []string{p.Comm, p.Request})
	var from []Origin
	for _, q := range p.StartArguments {
		from = append(from, q.Origin)
	}
	assert.Equal(t, []Origin{FromStored, FromStored, FromStored, FromStored, FromStored, FromComm, FromRequest}, from)
}
