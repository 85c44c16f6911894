package header

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/abi"
)

func num(v int64) *int64 { return &v }

// version returns a family as Read returns it for one release.
func version(label, release string) *abi.Family {
	return &abi.Family{
		Family:     "mpich",
		Versions:   map[string][]string{label: {release}},
		HandleBits: 32,
		Constants:  map[string]int64{"MPI_VERSION": 4, "MPI_ROOT": -3},
		Handles:    map[string]abi.Handle{"MPI_REAL2": {Kind: "DATATYPE", Value: num(0x0c000000), Hex: "0x0c000000", Optional: true}},
		Functions:  map[string][]string{"MPI_Send": {label}},
		DataSymbols: []abi.DataSymbol{
			{Name: "MPI_UNWEIGHTED", Size: 8, In: []string{label}},
		},
	}
}

func TestMergeKeepsDifferences(t *testing.T) {
	old, recent := version("4.0", "4.0.2"), version("5.0", "5.0.2")
	recent.Constants["MPI_VERSION"] = 5
	recent.Constants["MPI_ERR_ABI"] = 81
	recent.Handles["MPI_REAL2"] = abi.Handle{Kind: "DATATYPE", Value: num(0x4c000226), Hex: "0x4c000226"}
	recent.Functions["MPI_Abi_get_version"] = []string{"5.0"}
	recent.DataSymbols[0].Size = 16

	f, err := Merge([]*abi.Family{old, recent})
	require.NoError(t, err)
	assert.Equal(t, map[string][]string{"4.0": {"4.0.2"}, "5.0": {"5.0.2"}}, f.Versions)
	assert.EqualValues(t, 5, f.Constants["MPI_VERSION"])
	assert.Equal(t, map[string]map[string]int64{
		"MPI_VERSION": {"4.0": 4, "5.0": 5},
		"MPI_REAL2":   {"4.0": 0x0c000000, "5.0": 0x4c000226},
	}, f.Varies)
	assert.Equal(t, map[string][]string{"MPI_ERR_ABI": {"5.0"}}, f.OnlyIn)
	assert.Equal(t, abi.Handle{Kind: "DATATYPE", Value: num(0x4c000226), Hex: "0x4c000226", Optional: true}, f.Handles["MPI_REAL2"])
	assert.Equal(t, map[string][]string{"MPI_Send": {"4.0", "5.0"}, "MPI_Abi_get_version": {"5.0"}}, f.Functions)
	assert.Equal(t, 16, f.DataSymbols[0].Size)
	assert.Equal(t, map[string]int{"4.0": 8, "5.0": 16}, f.DataSymbols[0].Sizes)
}

func TestMergeRefusesDisagreement(t *testing.T) {
	a, b := version("4.0", "4.0.2"), version("5.0", "5.0.2")
	b.Constants["MPI_ROOT"] = -4
	_, err := Merge([]*abi.Family{a, b})
	assert.EqualError(t, err, "abi: mpich: 5.0 gives the constant MPI_ROOT as -4, but an earlier version as -3: if both are right, add it to "+
		"header.Varying")
}

// Each kind of deviation of an installed MPI is reported in one line that names it.
func TestDifferences(t *testing.T) {
	old, recent := version("4.0", "4.0.2"), version("5.0", "5.0.2")
	recent.Constants["MPI_VERSION"] = 5
	recent.Constants["MPI_ERR_ABI"] = 81
	want, err := Merge([]*abi.Family{old, recent})
	require.NoError(t, err)
	assert.Empty(t, Differences(want, version("4.0", "4.0.2")))

	got := version("4.0", "4.0.2")
	got.Constants = map[string]int64{"MPI_VERSION": 3, "MPI_NEW": 1}
	got.Handles["MPI_REAL2"] = abi.Handle{Kind: "OP", Value: num(1)}
	got.Functions = map[string][]string{"MPI_Recv": {"4.0"}}
	got.DataSymbols = []abi.DataSymbol{{Name: "MPI_UNWEIGHTED", Size: 32}, {Name: "MPI_OTHER", Size: 8}}
	got.Internals = []abi.Internal{{Name: "MPII_New", NeededBy: []string{"libmpicxx.so.12"}}}
	assert.Equal(t, []string{
		"MPII_New, which libmpicxx.so.12 imports, is not in the file",
		"the constant MPI_NEW is not in the file",
		"the constant MPI_ROOT is in the file, but not in the header",
		"the constant MPI_VERSION is 3, in the file 4",
		"the data symbol MPI_OTHER is not in the file",
		"the data symbol MPI_UNWEIGHTED has 32 bytes, in the file 8",
		"the function MPI_Recv is not in the file",
		"the function MPI_Send is in the file, but not in the header",
	}, Differences(want, got))

	// Names may be missing in a release that the file was not made from.
	other := version("4.2", "4.2.0")
	other.Constants = map[string]int64{"MPI_ROOT": -3}
	assert.Empty(t, Differences(want, other))
}

func TestFindNamesMissing(t *testing.T) {
	_, err := Find("mpicc.none")
	assert.EqualError(t, err, "mpicc.none: no such compiler wrapper: give the path of an MPI's mpicc")

	// A compiler that has an mpi.h of an unknown family.
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mpi.h"), nil, 0o644))
	wrapper := filepath.Join(dir, "mpicc")
	require.NoError(t, os.WriteFile(wrapper, []byte("#!/bin/sh\nexec cc -I'"+dir+"' \"$@\"\n"), 0o755))
	_, err = Find(wrapper)
	assert.EqualError(t, err, wrapper+": its mpi.h is neither Open MPI's nor MPICH's nor the standard ABI's: give an mpicc of one of those")
}
