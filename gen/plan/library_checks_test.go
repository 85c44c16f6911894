package plan

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/abi"
	"wi4go/gen/model"
)

// The checks of a call, as text, in the order in which a library makes them.
func TestLibraryChecks(t *testing.T) {
	in := input(t)
	const (
		comm  = "refused with MPI_ERR_COMM: the null handle, or a handle without an object for comm"
		count = "refused with MPI_ERR_COUNT: a negative count"
	)
	for name, want := range map[string][]string{
		"MPI_Isend": {comm, "refused with MPI_ERR_ARG: a null pointer for request", count,
			"refused with MPI_ERR_TYPE: the null handle, or a handle without an object for datatype",
			"refused with MPI_ERR_TYPE: an uncommitted datatype",
			"refused with MPI_ERR_BUFFER: a null pointer for buf, if count elements of datatype have data",
			"refused with MPI_ERR_RANK: dest, unless it is a rank of comm, MPI_PROC_NULL",
			"refused with MPI_ERR_TAG: tag, unless it is from 0 to the largest tag"},
		"MPI_Probe": {comm, "refused with MPI_ERR_RANK: source, unless it is a rank of comm, MPI_PROC_NULL or MPI_ANY_SOURCE",
			"refused with MPI_ERR_TAG: tag, unless it is from 0 to the largest tag or MPI_ANY_TAG"},
		"MPI_Gather": {comm,
			"refused with MPI_ERR_COUNT: a negative sendcount, if sendbuf is not MPI_IN_PLACE, at each process that communicates with the root",
			"refused with MPI_ERR_TYPE: the null handle, or a handle without an object for sendtype, if sendbuf is not MPI_IN_PLACE, at each process that communicates with the root",
			"refused with MPI_ERR_TYPE: an uncommitted sendtype, if sendbuf is not MPI_IN_PLACE, at each process that communicates with the root",
			"refused with MPI_ERR_COUNT: a negative recvcount, if recvbuf is not MPI_IN_PLACE, at the root",
			"refused with MPI_ERR_TYPE: the null handle, or a handle without an object for recvtype, if recvbuf is not MPI_IN_PLACE, at the root",
			"refused with MPI_ERR_TYPE: an uncommitted recvtype, if recvbuf is not MPI_IN_PLACE, at the root",
			"refused with MPI_ERR_ROOT: root, unless it is a root in comm"},
		"MPI_Bcast": {comm, count + ", unless root is MPI_PROC_NULL",
			"refused with MPI_ERR_TYPE: the null handle, or a handle without an object for datatype, unless root is MPI_PROC_NULL",
			"refused with MPI_ERR_TYPE: an uncommitted datatype, unless root is MPI_PROC_NULL",
			"refused with MPI_ERR_ROOT: root, unless it is a root in comm"},
		"MPI_Waitall": {"refused with MPI_ERR_ARG: a null pointer for array_of_requests, unless it has no elements (count elements)", count},
		"MPI_Comm_get_name": {"refused with MPI_ERR_COMM: a handle without an object for comm", "refused with MPI_ERR_ARG: a null pointer for resultlen",
			"refused with MPI_ERR_ARG: a null pointer for comm_name"},
		// The leader reports an error to its group, so the function itself checks peer_comm.
		"MPI_Intercomm_create": {"refused with MPI_ERR_COMM: the null handle, or a handle without an object for local_comm",
			"refused with MPI_ERR_ARG: a null pointer for newintercomm", "refused with MPI_ERR_TAG: tag, unless it is from 0 to the largest tag"},
		"MPI_Comm_split_type": {comm, "refused with MPI_ERR_ARG: a null pointer for newcomm", "refused with MPI_ERR_INFO: a handle without an object for info"},
		"MPI_Info_dup":        {"refused with MPI_ERR_ARG: a null pointer for newinfo", "refused with MPI_ERR_INFO: the null handle, or a handle without an object for info"},
		"MPI_Status_set_tag":  nil,
	} {
		f := in.Function(name)
		require.NotNil(t, f, name)
		var texts []string
		for _, check := range LibraryChecks(in.Family(abi.Standard()), f) {
			texts = append(texts, check.String())
		}
		assert.Equal(t, want, texts, name)
	}
}

// The message of a check has a place for each of its values, which are arguments. The argument, and every name in the
// condition and in the significance, is an argument too.
func TestNamesInChecks(t *testing.T) {
	in := input(t)
	seen := map[string]bool{}
	for i := range in.Functions {
		f := &in.Functions[i]
		names := map[string]bool{"": true, "MPI_ANY_SOURCE": true, "MPI_ANY_TAG": true}
		for _, name := range f.Names() {
			names[name] = true
		}
		for _, family := range in.Families {
			for _, check := range LibraryChecks(family, f) {
				assert.Equal(t, len(check.Values), strings.Count(check.Text, "%d"), "%s: %s", f.Name, check.Text)
				assert.True(t, strings.HasPrefix(check.Text, check.Argument+" is "), "%s: %s", f.Name, check.Text)
				for _, value := range check.Values {
					assert.True(t, names[value.Name], "%s: %s", f.Name, value.Name)
				}
				condition := reflect.ValueOf(check.Condition)
				seen[fmt.Sprintf("%T", check.Condition)] = true
				for j := range condition.NumField() {
					if name := condition.Type().Field(j).Name; name != "Kind" && condition.Field(j).Kind() == reflect.String {
						assert.True(t, names[condition.Field(j).String()], "%s: %s %s", f.Name, name, condition.Field(j))
					}
				}
				for _, name := range []string{check.Argument, check.When.Unless, check.When.Root, check.When.Comm} {
					assert.True(t, names[name], "%s: %s", f.Name, name)
				}
				assert.Equal(t, check.When.Where != Everywhere, check.When.Root != "" && check.When.Comm != "", f.Name)
			}
		}
	}
	assert.Len(t, seen, 8, "the conditions")
}

func TestEntries(t *testing.T) {
	in := input(t)
	of := func(name string) *Entry { return EntryOf(in, in.Family(abi.Standard()), in.Function(name)) }
	send, large := of("MPI_Send"), of("MPI_Send_c")
	assert.Equal(t, []string{"MPI_Send", "MPI_Send", "MPI_Send_c"}, []string{send.Implementation.Name, large.Implementation.Name, large.Large.Name})
	assert.Equal(t, EntryArgument{Param: &send.Function.Params[1], Integer: IntegerWide}, send.Arguments[1])
	assert.Equal(t, "DATATYPE", send.Arguments[2].Object)
	assert.Equal(t, "comm", send.Comm)
	assert.Equal(t, Significance{Unless: "recvbuf", Where: AtRoot, Root: "root", Comm: "comm"}, of("MPI_Gather").Arguments[5].When)
	assert.Equal(t, IntegersEither, of("MPI_Allgatherv").Arguments[4].Integer)
	assert.Equal(t, IntegerResult, of("MPI_Get_count").Arguments[2].Integer)
	assert.True(t, of("MPI_Type_contiguous").PassesLarge)
	assert.False(t, of("MPI_Type_size").PassesLarge)
	assert.Len(t, of("MPI_Pcontrol").Arguments, 1, "it is variadic")
	for name, body := range map[string]EntryBody{"MPI_Send": EntryChecked, "MPI_Wtime": EntryPassed, "MPI_Comm_toint": EntryPassed, "MPI_Win_toint": EntryPassed,
		"MPI_Abi_set_fortran_info": EntryChecked, "MPI_Put": EntryMissing, "MPI_Win_get_name": EntryMissing, "MPI_T_init_thread": EntryMissingTool} {
		assert.Equal(t, body, of(name).Body, name)
	}
	for name, phase := range map[string]Phase{"MPI_Send": Initialized, "MPI_Get_count_c": InitializedOrForked, "MPI_Init": AnyTime, "MPI_Info_set": AnyTime} {
		assert.Equal(t, phase, of(name).Phase, name)
	}
	assert.Equal(t, &NullName{"DATATYPE", "datatype", "type_name", "resultlen"}, of("MPI_Type_get_name").NullName)
	assert.Nil(t, of("MPI_Comm_set_name").NullName)
	assert.True(t, of("MPI_Comm_free").WaitsInside)
	assert.True(t, of("MPI_File_get_errhandler").OfFile)
	assert.Empty(t, of("MPI_Put").Checks)
	assert.Equal(t, model.EmbeddedNone, in.Function("MPI_Put_c").Embedded)
}
