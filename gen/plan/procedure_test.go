package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/gen/model"
)

// A Fortran procedure has a plan or is written by hand.
func TestProcedures(t *testing.T) {
	in := input(t)
	forms := map[FortranForm]bool{}
	for i := range in.Functions {
		f := &in.Functions[i]
		p, err := ProcedureOf(f, in.Mappers)
		switch f.Fortran {
		case model.FortranHand, model.FortranNone:
			continue
		}
		require.NoError(t, err, f.Name)
		require.Len(t, p.Arguments, len(f.Params), f.Name)
		for _, a := range p.Arguments {
			forms[a.Form] = true
			handle := a.Form == FortranHandle || a.Form == FortranEarly
			assert.Equal(t, handle, a.Kind != "", "%s: %s", f.Name, a.Name)
			if handle {
				assert.NotEmpty(t, model.HandleTypes[a.Kind], "%s: %s", f.Name, a.Name)
			}
			if a.Form == FortranConstant {
				assert.NotEqual(t, NoConstant, a.Constants, "%s: %s", f.Name, a.Name)
			}
		}
	}
	assert.Len(t, forms, int(FortranShortArray)+1, "each form has a procedure")
	for _, function := range []string{"MPI_Comm_set_attr", "MPI_Comm_spawn", "MPI_Wtime"} {
		_, err := ProcedureOf(in.Function(function), in.Mappers)
		assert.Error(t, err, function)
	}
}

func TestFortranArguments(t *testing.T) {
	in := input(t)
	of := func(function, name string) FortranArgument {
		p, err := ProcedureOf(in.Function(function), in.Mappers)
		require.NoError(t, err)
		for _, a := range p.Arguments {
			if a.Name == name {
				return a
			}
		}
		require.Fail(t, "no such argument", "%s: %s", function, name)
		return FortranArgument{}
	}
	for _, c := range []struct {
		function, name string
		form           FortranForm
		constants      FortranConstants
		typed, memory  bool
	}{
		{"MPI_Send", "buf", FortranConstant, Bottom, true, true},
		{"MPI_Send", "count", FortranValue, NoConstant, false, false},
		{"MPI_Send", "comm", FortranHandle, NoConstant, false, false},
		{"MPI_Bcast", "buffer", FortranConstant, Bottom, true, true},
		{"MPI_Allreduce", "sendbuf", FortranConstant, InPlace, false, true}, // elements of a reduction are not joined
		{"MPI_Buffer_attach", "buffer", FortranConstant, Automatic, false, true},
		{"MPI_Dist_graph_create", "weights", FortranConstant, Weights, false, false},
		{"MPI_Get_address", "location", FortranConstant, Bottom, false, true},
		{"MPI_Abi_set_fortran_booleans", "logical_true", FortranUnchanged, Bottom, false, true},
		{"MPI_Info_get", "info", FortranEarly, NoConstant, false, false},
		{"MPI_Info_get", "value", FortranText, NoConstant, false, false},
		{"MPI_Waitany", "indx", FortranCounted, NoConstant, false, false},
		{"MPI_Waitall", "array_of_statuses", FortranStatus, NoConstant, false, false},
		{"MPI_Test", "flag", FortranLogical, NoConstant, false, false},
		{"MPI_Cart_create", "reorder", FortranValue, NoConstant, false, false},
		{"MPI_Type_hvector", "stride", FortranShortIn, NoConstant, false, false},
		{"MPI_Type_extent", "extent", FortranShortOut, NoConstant, false, false},
		{"MPI_Type_struct", "array_of_displacements", FortranShortArray, NoConstant, false, false},
	} {
		a := of(c.function, c.name)
		where := c.function + ": " + c.name
		assert.Equal(t, c.form, a.Form, where)
		assert.Equal(t, c.constants, a.Constants, where)
		assert.Equal(t, c.typed, a.Typed, where)
		assert.Equal(t, c.memory, a.IsMemory(), where)
	}
}

func TestDummies(t *testing.T) {
	in := input(t)
	of := func(function string) map[string]Dummy {
		list, err := Dummies(in.Function(function), in.Mappers)
		require.NoError(t, err)
		dummies := map[string]Dummy{}
		for _, d := range list {
			dummies[d.Name] = d
		}
		return dummies
	}
	for _, c := range []struct {
		function, name string
		of             DummyType
		intent         string
		array          bool
	}{
		{"MPI_Recv", "status", DummyStatus, "", false}, // the argument may be MPI_STATUS_IGNORE
		{"MPI_Get_count", "status", DummyStatus, "in", false},
		{"MPI_Waitall", "array_of_requests", DummyHandle, "inout", true},
		{"MPI_Waitall", "array_of_statuses", DummyStatus, "", true},
		{"MPI_Comm_spawn", "array_of_errcodes", DummyNumber, "", true}, // the argument may be MPI_ERRCODES_IGNORE
		{"MPI_Comm_spawn", "argv", DummyTexts, "in", true},
		{"MPI_Comm_spawn_multiple", "array_of_argv", DummyTextMatrix, "in", true},
		{"MPI_Comm_get_attr", "attribute_val", DummyAddressKind, "out", false},
		{"MPI_Attr_get", "attribute_val", DummyInteger, "out", false},
		{"MPI_Alloc_mem", "baseptr", DummyAddress, "out", false},
		{"MPI_Op_create", "user_fn", DummyProcedure, "in", false},
		{"MPI_Group_range_incl", "ranges", DummyTriples, "in", true},
	} {
		d := of(c.function)[c.name]
		where := c.function + ": " + c.name
		assert.Equal(t, c.of, d.Type, where)
		assert.Equal(t, c.intent, d.Intent, where)
		if c.of != DummyTexts && c.of != DummyTextMatrix && c.of != DummyTriples { // these have their own dimensions
			assert.Equal(t, c.array, d.Array, where)
		}
	}
	assert.Empty(t, of("MPI_Init"), "its arguments are C's alone")
	assert.True(t, Distinct(in.Function("MPI_Send"), in.Function("MPI_Send_c")))
	assert.False(t, Distinct(in.Function("MPI_Op_create"), in.Function("MPI_Op_create_c")), "callbacks do not differ")
}
