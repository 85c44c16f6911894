package abi_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/abi"
	"wi4go/abi/internal/header"
)

// The mpi.h of every installed MPI agrees with the committed file. WI4GO_MPICC names further
// wrappers, separated as in PATH. A missing MPI is an error if WI4GO_CI=1. tests/deps.sh names the
// directories of the libraries that have the standard ABI.
func TestInstalledHeaders(t *testing.T) {
	wrappers := []string{"mpicc.openmpi", "mpicc.mpich"}
	named := filepath.SplitList(os.Getenv("WI4GO_MPICC"))
	for variable, wrapper := range map[string]string{"WI4GO_MPICH_5_0_BIN": "mpicc_abi", "WI4GO_INTELMPI_2021_18_BIN": "mpicc -mpi_abi"} {
		if dir := os.Getenv(variable); dir != "" {
			named = append(named, filepath.Join(dir, wrapper))
		}
	}
	for _, w := range append(wrappers, named...) {
		t.Run(w, func(t *testing.T) {
			m, err := header.Find(w)
			if err != nil && os.Getenv("WI4GO_CI") != "1" && !slices.Contains(named, w) {
				t.Skip(err)
			}
			require.NoError(t, err)
			defer m.Close()
			got, err := m.Read()
			require.NoError(t, err)
			if m.NoFortran != nil {
				t.Logf("the Fortran values of the handles are not compared: %v", m.NoFortran)
			}
			want, err := abi.Load(m.Family)
			require.NoError(t, err)
			for _, d := range header.Differences(want, got) {
				t.Errorf("%s: %s", m, d)
			}
			if t.Failed() {
				t.Log("if the header is right, run abi/probe again with this and all other versions of the family")
			}
		})
	}
}

func families(t *testing.T) map[string]*abi.Family {
	all := map[string]*abi.Family{}
	for _, name := range abi.Names() {
		f, err := abi.Load(name)
		require.NoError(t, err)
		all[name] = f
	}
	return all
}

// The committed files are byte for byte what Format writes.
func TestFilesAreFormatted(t *testing.T) {
	for name, f := range families(t) {
		want, err := abi.Format(f)
		require.NoError(t, err)
		got, err := os.ReadFile(name + ".json")
		require.NoError(t, err)
		assert.Equal(t, string(want), string(got), "%s.json: edited by hand?", name)
	}
}

// A few values were checked by reading mpi.h. They detect a probe that misreads the header, whose
// results would agree with each other.
func TestKnownValues(t *testing.T) {
	all := families(t)
	o, m, s := all["openmpi"], all["mpich"], all["mpiabi"]

	assert.Equal(t, 64, o.HandleBits)
	assert.Equal(t, 32, m.HandleBits)
	assert.Equal(t, abi.Type{Size: 24, Fields: map[string]int{"MPI_SOURCE": 0, "MPI_TAG": 4, "MPI_ERROR": 8, "_cancelled": 12, "_ucount": 16}}, o.Types["MPI_Status"])
	assert.Equal(t, abi.Type{Size: 20, Fields: map[string]int{"count_lo": 0, "count_hi_and_cancelled": 4, "MPI_SOURCE": 8, "MPI_TAG": 12, "MPI_ERROR": 16}}, m.Types["MPI_Status"])
	assert.Equal(t, 8, m.Types["MPI_File"].Size, "the one handle of MPICH that is a pointer")

	for name, v := range map[string][2]int64{
		"MPI_ANY_SOURCE":                {-1, -2},
		"MPI_PROC_NULL":                 {-2, -1},
		"MPI_ROOT":                      {-4, -3},
		"MPI_UNDEFINED":                 {-32766, -32766},
		"MPI_TAG_UB":                    {0, 0x64400001},
		"MPI_WIN_BASE":                  {7, 0x66000001},
		"MPI_KEYVAL_INVALID":            {-1, 0x24000000},
		"MPI_ERR_IO":                    {35, 32},
		"MPI_COMBINER_HVECTOR_INTEGER":  {4, 5},
		"MPI_COMBINER_HINDEXED_BLOCK":   {18, 19},
		"MPI_LOCK_EXCLUSIVE":            {1, 234},
		"MPI_COMM_TYPE_SHARED":          {0, 1},
		"MPI_THREAD_MULTIPLE":           {3, 3},
		"MPI_MAX_ERROR_STRING":          {256, 512},
		"MPI_T_VERBOSITY_USER_BASIC":    {0, 221},
		"MPI_T_PVAR_CLASS_GENERIC":      {9, 249},
		"MPI_DISTRIBUTE_DFLT_DARG":      {-1, -49767},
		"MPI_ERR_UNSUPPORTED_OPERATION": {52, 44},
	} {
		assert.Equal(t, v, [2]int64{o.Constants[name], m.Constants[name]}, name)
	}
	assert.Equal(t, abi.Pointer{Value: 2}, o.Pointers["MPI_UNWEIGHTED"])
	assert.Equal(t, abi.Pointer{Symbol: "MPI_UNWEIGHTED"}, m.Pointers["MPI_UNWEIGHTED"])
	assert.Equal(t, abi.Pointer{Value: -1}, m.Pointers["MPI_IN_PLACE"])
	assert.Equal(t, abi.Pointer{Value: -1}, o.Pointers["MPI_T_PVAR_ALL_HANDLES"])
	assert.Equal(t, abi.Pointer{Symbol: "MPI_T_PVAR_ALL_HANDLES"}, m.Pointers["MPI_T_PVAR_ALL_HANDLES"])
	assert.Equal(t, "OMPI_C_MPI_COMM_DUP_FN", o.Callbacks["MPI_COMM_DUP_FN"].Symbol)
	assert.Equal(t, "MPIR_Dup_fn", m.Callbacks["MPI_COMM_DUP_FN"].Symbol)
	assert.Zero(t, *m.Callbacks["MPI_COMM_NULL_COPY_FN"].Value)
	assert.Equal(t, "ompi_mpi_comm_world", o.Handles["MPI_COMM_WORLD"].Symbol)
	assert.Equal(t, "0x44000000", m.Handles["MPI_COMM_WORLD"].Hex)
	assert.EqualValues(t, 0x8c000000-1<<32, *m.Handles["MPI_FLOAT_INT"].Fortran)
	assert.EqualValues(t, 7, *o.Handles["MPI_INTEGER"].Fortran, "mpif.h has 7")
	assert.Equal(t, "0x4c001032", m.Handles["MPI_INTEGER16"].Hex)
	assert.EqualValues(t, 0x0c000000, m.Varies["MPI_INTEGER16"]["4.3"])

	// MPI-5.0, appendix A.
	assert.Equal(t, 64, s.HandleBits)
	assert.Equal(t, abi.Type{Size: 32, Fields: map[string]int{"MPI_SOURCE": 0, "MPI_TAG": 4, "MPI_ERROR": 8, "MPI_internal": 12}}, s.Types["MPI_Status"])
	for name, v := range map[string]int64{
		"MPI_ANY_SOURCE": -1, "MPI_ANY_TAG": -2, "MPI_PROC_NULL": -3, "MPI_ROOT": -4, "MPI_UNDEFINED": -32766, "MPI_KEYVAL_INVALID": 0,
		"MPI_SEEK_CUR": 401, "MPI_SEEK_END": 402, "MPI_SEEK_SET": 403, "MPI_APPNUM": 505, "MPI_LASTUSEDCODE": 506, "MPI_UNIVERSE_SIZE": 507,
		"MPI_THREAD_MULTIPLE": 4096, "MPI_ERR_LASTCODE": 16383, "MPI_ERR_ABI": 62, "MPI_T_ERR_CANNOT_INIT": 1001, "MPI_ORDER_FORTRAN": 15,
	} {
		assert.Equal(t, v, s.Constants[name], name)
	}
	for name, v := range map[string]int64{
		"MPI_COMM_WORLD": 0x101, "MPI_REQUEST_NULL": 0x180, "MPI_ERRORS_ABORT": 0x142, "MPI_ERRORS_RETURN": 0x143, "MPI_SUM": 0x21,
		"MPI_DATATYPE_NULL": 0x200, "MPI_INT": 0x209, "MPI_COMPLEX32": 0x2eb,
	} {
		assert.Equal(t, v, *s.Handles[name].Value, name)
		assert.Equal(t, v, *s.Handles[name].Fortran, name)
	}
	assert.Equal(t, abi.Pointer{Value: 10}, s.Pointers["MPI_UNWEIGHTED"])
	assert.EqualValues(t, 1, *s.Callbacks["MPI_COMM_DUP_FN"].Value)
	assert.Equal(t, []string{"intel 2021.18", "mpich 5.0"}, s.Functions["MPI_Abi_get_version"])
	assert.Equal(t, []string{"mpich 5.0"}, s.Functions["MPI_Type_struct"])
}

// The predefined handles of the standard ABI differ in their values, even between kinds of handles
// (MPI-5.0, 20.3.3).
func TestStandardHandles(t *testing.T) {
	f, err := abi.Load("mpiabi")
	require.NoError(t, err)
	kinds := map[int64]string{}
	for name, h := range f.Handles {
		require.NotNil(t, h.Value, name)
		assert.Less(t, *h.Value, int64(4096), name)
		if kind := kinds[*h.Value]; kind != "" {
			assert.Equal(t, kind, h.Kind, "%s: another kind has the same value", name)
		}
		kinds[*h.Value] = h.Kind
	}
}

// A name that one part of a file refers to is defined in another part.
func TestFilesAreConsistent(t *testing.T) {
	kinds := strings.Fields("COMM DATATYPE ERRHANDLER FILE GROUP INFO MESSAGE OP REQUEST SESSION STREAM WIN")
	for name, f := range families(t) {
		data := map[string]bool{}
		for _, d := range f.DataSymbols {
			assert.False(t, data[d.Name], "%s: %s occurs twice", name, d.Name)
			data[d.Name] = true
			assert.Positive(t, d.Size, "%s: %s", name, d.Name)
			assert.NotEmpty(t, d.In, "%s: %s", name, d.Name)
		}
		for _, d := range f.DataSymbols {
			assert.True(t, d.PointsTo == "" || data[d.PointsTo], "%s: %s points to %s", name, d.Name, d.PointsTo)
			assert.True(t, d.Handle == "" || f.Handles[d.Handle].Kind != "", "%s: %s is %s", name, d.Name, d.Handle)
		}
		for n, h := range f.Handles {
			assert.Contains(t, kinds, h.Kind, "%s: %s", name, n)
			assert.True(t, h.Symbol == "" != (h.Value == nil), "%s: %s is either a symbol or a value", name, n)
			assert.True(t, h.Symbol == "" || data[h.Symbol], "%s: %s needs %s", name, n, h.Symbol)
			assert.NotNil(t, h.Fortran, "%s: %s", name, n)
		}
		for n, p := range f.Pointers {
			assert.True(t, p.Symbol == "" || data[p.Symbol], "%s: %s needs %s", name, n, p.Symbol)
		}
		for n, c := range f.Callbacks {
			assert.True(t, c.Symbol == "" != (c.Value == nil), "%s: %s is either a symbol or a value", name, n)
			assert.True(t, c.Symbol == "" || f.OtherFunctions[c.Symbol] != nil, "%s: %s needs %s", name, n, c.Symbol)
		}
		for _, i := range f.Internals {
			assert.True(t, i.Kind == "func" != data[i.Name], "%s: %s is a %s", name, i.Name, i.Kind)
		}
		for n, values := range f.Varies {
			assert.NotEmpty(t, header.Varying[n], "%s: %s", name, n)
			assert.Greater(t, len(values), 1, "%s: %s", name, n)
		}

		classes := map[int64]string{}
		for n, v := range f.Constants {
			if strings.Contains(n, "_ERR_") && !strings.HasPrefix(n, "MPIX_") && n != "MPI_ERR_LASTCODE" {
				assert.Empty(t, classes[v], "%s: %s has the same value", name, n)
				classes[v] = n
			}
		}
	}
}

func TestLoadUnknown(t *testing.T) {
	_, err := abi.Load("lam")
	assert.EqualError(t, err, `abi: unknown family "lam": the families are mpiabi, mpich, openmpi`)
}

func TestParseRefuses(t *testing.T) {
	_, err := abi.Parse("mpich", []byte(`{"family":"openmpi"}`))
	assert.ErrorContains(t, err, `mpich.json contains the family "openmpi"`)
	_, err = abi.Parse("mpich", []byte(`{"family":"mpich","constant":{}}`))
	assert.ErrorContains(t, err, `unknown field "constant"`)
	_, err = abi.Parse("mpich", []byte(`{"family":"mpich","fortran":{"sources":["library"]}}`))
	assert.ErrorContains(t, err, "has no soname")
	_, err = abi.Parse("mpich", []byte(`{"family":"mpich","vendors":[{"name":"mpich","levels":{"4":"4"}}]}`))
	assert.ErrorContains(t, err, `the level of release 4 is "4": give a version of MPI`)
}

// Releases are compared as numbers, not as words.
func TestNewest(t *testing.T) {
	f := abi.Family{Versions: map[string][]string{"4.1": {"4.1.4", "4.1.10"}, "10.0": {"10.0.1"}, "5.0": {"5.0.11"}}}
	assert.Equal(t, "10.0.1", f.Newest())
	delete(f.Versions, "10.0")
	delete(f.Versions, "5.0")
	assert.Equal(t, "4.1.10", f.Newest())
	assert.Empty(t, (&abi.Family{}).Newest())
}
