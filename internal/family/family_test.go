package family

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOfLibrary(t *testing.T) {
	for name, want := range map[string]struct {
		family *Family
		part   Part
	}{
		"libmpi.so.40":                    {OpenMPI, C},
		"/opt/x/lib/libmpi.so.40.30.4":    {OpenMPI, C},
		"libmpi.so.12":                    {MPICH, C},
		"libmpich.so.12":                  {MPICH, C},
		"libmpi_abi.so.1":                 {StandardABI, C},
		"libmpi_cray.so.12":               {MPICH, C},
		"libmpi_gnu_123.so.12":            {MPICH, C},
		"libmpi_gnu.so.12.0.1":            {MPICH, C},
		"libmpi.so.20":                    {OpenMPI, OldC},
		"libmpich.so.10":                  {MPICH, OldC},
		"libmpi_mpifh.so.40":              {OpenMPI, Fortran},
		"libmpi_mpifh-gfortran.so.40":     {OpenMPI, Fortran},
		"libmpi_usempif08.so.40":          {OpenMPI, Fortran},
		"libmpi_usempi_ignore_tkr.so.40":  {OpenMPI, Fortran},
		"libmpichfort.so.12":              {MPICH, Fortran},
		"libmpifort.so.12":                {MPICH, Fortran},
		"libmpifort_abi.so.1":             {StandardABI, Fortran},
		"libwi4go_fortran.so.1":           {StandardABI, Fortran},
		"libmpi_cxx.so.40":                {OpenMPI, Cxx},
		"libmpichcxx.so.12":               {MPICH, Cxx},
		"libmpicxx.so.12":                 {MPICH, Cxx},
		"libmpi.so":                       {nil, C},
		"/usr/lib/libmpi.so":              {nil, C},
		"libmpi-0a1b2c.so":                {nil, C},
		"libmpich.so":                     {MPICH, C},
		"libmpi_cray.so":                  {MPICH, C},
		"libmpi_abi.so":                   {StandardABI, C},
		"libopen_mpi.so":                  {OpenMPI, C},
		"libmpi.so.400":                   {nil, 0},
		"libmpic.so":                      {nil, 0},
		"libmpiP.so":                      {nil, 0},
		"libc.so.6":                       {nil, 0},
		"libmca_common_ompio.so.41":       {nil, 0},
		"libmpi_usempi_extensions.so.400": {OpenMPI, Fortran},
	} {
		f, part := OfLibrary(name)
		assert.Same(t, want.family, f, name)
		assert.Equal(t, want.part, part, name)
	}
}

// Symbols decide which family's a name without a version is.
func TestOfSymbols(t *testing.T) {
	for symbols, want := range map[string]*Family{
		"MPI_Init ompi_mpi_comm_world":        OpenMPI,
		"MPI_Send ompi_mpi_int malloc":        OpenMPI,
		"MPI_UNWEIGHTED":                      MPICH,
		"PMPI_Init MPIR_F_MPI_BOTTOM":         MPICH,
		"MPI_Init MPI_Send malloc":            nil,
		"MPI_F_STATUS_IGNORE":                 nil, // both have it
		"ompi_mpi_comm_world MPIR_F_NeedInit": nil,
		"":                                    nil,
	} {
		assert.Same(t, want, OfSymbols("libmpi.so", slices.Values(strings.Fields(symbols))), symbols)
	}
	assert.Equal(t, C, OpenMPI.PartIn("libmpi.so"))
	assert.Equal(t, C, MPICH.PartIn("libmpi.so"))
	assert.Equal(t, Part(0), MPICH.PartIn("libmpi.so.40"))
	assert.Equal(t, Part(0), MPICH.PartIn("libc.so.6"))
}

func TestIsPrivate(t *testing.T) {
	assert.True(t, OpenMPI.IsPrivate("libopen-pal.so.40"))
	assert.True(t, OpenMPI.IsPrivate("libopen-rte.so.40"))
	assert.False(t, OpenMPI.IsPrivate("libmpi.so.40"))
	assert.False(t, MPICH.IsPrivate("libopen-pal.so.40"))
}

func TestOfName(t *testing.T) {
	f, err := Of("mpich")
	require.NoError(t, err)
	assert.Same(t, MPICH, f)
	for _, vendor := range []string{"intelmpi", "mvapich", "cray-mpich"} {
		f, err = Of(vendor)
		require.NoError(t, err)
		assert.Same(t, MPICH, f)
	}
	_, err = Of("lam")
	require.EqualError(t, err, `unknown MPI family "lam": the families are openmpi, mpich, mpiabi`)
}

func TestOfExports(t *testing.T) {
	defines := func(names ...string) func(string) bool {
		return func(s string) bool {
			for _, n := range names {
				if n == s {
					return true
				}
			}
			return false
		}
	}
	assert.Nil(t, OfExports("libm.so.6", defines("sin")))
	assert.Nil(t, OfExports("libprofiler.so", defines("MPI_Init")), "a profiling tool is no MPI")
	assert.Same(t, OpenMPI, OfExports("libmpi.so.40", defines("MPI_Init", "PMPI_Init", OpenMPI.mark)))
	assert.Same(t, MPICH, OfExports("libmpich.so.12", defines("MPI_Init", "PMPI_Init")))
	assert.Same(t, StandardABI, OfExports("libmpi_abi.so.1", defines("MPI_Init", "PMPI_Init")))
}

func TestSymbols(t *testing.T) {
	for symbol, want := range map[string]string{
		"MPI_Send": "C", "PMPI_Send": "C", "MPI_T_init_thread": "C", "MPIX_Query_cuda_support": "C", "MPI_Type_size_x": "C",
		"MPI_Send_c": "C", "mpi_send_": "Fortran", "mpi_send__": "Fortran", "MPI_SEND": "Fortran", "pmpi_init_": "Fortran",
		"mpi_send_f08_": "Fortran", "__mpi_f08_types_MOD_ompi_comm_op_eq": "Fortran", "__mpi_types_MOD_ompi_op_op_ne": "Fortran", "_QMmpi_f08_typesPompi_comm_op_eq": "Fortran",
		"mpi_helper": "", "ompi_mpi_comm_world": "", "MPID_Init": "", "printf": "",
	} {
		got := ""
		switch {
		case IsData(symbol):
			got = "data"
		case IsCxx(symbol):
			got = "C++"
		case IsC(symbol):
			got = "C"
		case IsFortran(symbol):
			got = "Fortran"
		}
		assert.Equal(t, want, got, symbol)
		assert.False(t, IsC(symbol) && IsFortran(symbol), symbol)
	}
}

func TestUsual(t *testing.T) {
	for name, want := range map[string]string{
		"ompi": "openmpi", "OpenMPI": "openmpi", "MPICH": "mpich", "impi": "intelmpi", "Intel": "intelmpi", "cray": "cray-mpich",
		"mvapich2": "mvapich", "MPIABI": "mpiabi", "lam": "lam", "LAM": "LAM", "./MPICH": "./MPICH", "": "",
	} {
		assert.Equal(t, want, CanonicalName(name))
	}
	f, err := Of("Intel")
	require.NoError(t, err)
	assert.Same(t, MPICH, f)
}
