package fake

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"wi4go/abi"
)

// made is a made-up family. Its predefined handles are addresses of objects, as in Open MPI, with their own names. Its
// statuses have the standard ABI's layout, and its numbers are no other family's.
var made = struct{ name, introduction, soname string }{"fable", "Fable ", "libfable.so.7"}

// renumbered are the constants with other numbers in the made-up family: each group counts from base by step.
var renumbered = []struct {
	base, step int64
	names      []string
}{
	{-11, -1, strings.Fields("MPI_ANY_SOURCE MPI_PROC_NULL MPI_ROOT")},
	{-21, -1, strings.Fields("MPI_ANY_TAG")},
	{5, 2, strings.Fields("MPI_IDENT MPI_CONGRUENT MPI_SIMILAR MPI_UNEQUAL")},
	{7, 2, strings.Fields("MPI_WIN_SEPARATE MPI_WIN_UNIFIED")},
	{31, 2, strings.Fields("MPI_CART MPI_GRAPH MPI_DIST_GRAPH")},
	{71, 2, strings.Fields("MPI_ORDER_C MPI_ORDER_FORTRAN")},
	{81, 2, strings.Fields("MPI_LOCK_EXCLUSIVE MPI_LOCK_SHARED")},
	{91, 2, strings.Fields("MPI_SEEK_SET MPI_SEEK_CUR MPI_SEEK_END")},
	{701, 1, strings.Fields("MPI_TAG_UB MPI_HOST MPI_IO MPI_WTIME_IS_GLOBAL MPI_APPNUM MPI_LASTUSEDCODE MPI_UNIVERSE_SIZE MPI_WIN_BASE MPI_WIN_SIZE MPI_WIN_DISP_UNIT MPI_WIN_CREATE_FLAVOR MPI_WIN_MODEL")},
	{731, 0, strings.Fields("MPI_FT MPIX_FT IMPI_CLIENT_SIZE")},
	{733, 2, strings.Fields("IMPI_CLIENT_COLOR IMPI_HOST_SIZE IMPI_HOST_COLOR")},
	{101, 2, strings.Fields("MPI_DISTRIBUTE_BLOCK MPI_DISTRIBUTE_CYCLIC MPI_DISTRIBUTE_NONE")},
}

// makeFamily writes the made-up family's data.
func makeFamily(t *testing.T) *abi.Family {
	f, err := abi.Load("openmpi")
	require.NoError(t, err)
	standard, err := abi.Load("mpiabi")
	require.NoError(t, err)

	f.Family, f.Guard = made.name, "FABLE_MPI_H"
	f.Title = "Fable MPI"
	f.Sonames = map[string][]string{"c": {made.soname}, "cxx": {}, "fortran": {}}
	f.Libraries, f.Fortran = map[string]string{"c": `^libfable\.so\.7$`}, abi.Fortran{}
	f.Vendors = []abi.Vendor{{Name: made.name, Introduction: made.introduction + "{release}"}}
	f.Traits = abi.Traits{Joint: ", told by wi4go over: ", Status: "trailing",
		IgnoredStatusError: "MPI_ERR_ARG", RankVariable: "FABLE_RANK"}
	f.Types["MPI_Status"] = standard.Types["MPI_Status"]
	f.Types["MPI_F08_status"] = abi.Type{Size: standard.Types["MPI_Status"].Size, Fields: maps.Clone(standard.Types["MPI_Status"].Fields)}
	delete(f.Types["MPI_F08_status"].Fields, "MPI_internal")
	f.Callbacks = standard.Callbacks
	f.Internals, f.OtherFunctions, f.FortranFunctions = nil, nil, nil
	f.Answered, f.Recognised = nil, nil
	spec := loadSpec(t)
	maps.DeleteFunc(f.Functions, func(name string, _ []string) bool { return spec[name] == nil || f.NoPMPI[name] != nil })
	f.NoPMPI = nil

	for _, group := range renumbered {
		for i, name := range group.names {
			require.Contains(t, f.Constants, name)
			f.Constants[name] = group.base + int64(i)*group.step
		}
	}
	classes := map[int64]int64{} // by Open MPI's class: names of one class share a number
	for _, name := range sorted(f.Constants) {
		switch v := f.Constants[name]; {
		case name == "MPI_ERR_LASTCODE":
		case strings.HasPrefix(name, "MPI_ERR_"), strings.HasPrefix(name, "MPI_T_ERR_"), strings.HasPrefix(name, "MPIX_ERR_"):
			if _, numbered := classes[v]; !numbered {
				classes[v] = 200 + 3*int64(len(classes))
			}
			f.Constants[name] = classes[v]
		case slices.ContainsFunc(strings.Fields("MPI_COMBINER_ MPI_TYPECLASS_ MPI_COMM_TYPE_ MPI_T_BIND_ MPI_T_SCOPE_ MPI_T_VERBOSITY_ MPI_T_PVAR_CLASS_ MPI_WIN_FLAVOR_"),
			func(prefix string) bool { return strings.HasPrefix(name, prefix) }):
			f.Constants[name] += 40
		}
	}
	f.Constants["MPI_ERR_LASTCODE"] = 200 + 3*int64(len(classes))

	own := func(symbol string) string {
		switch {
		case symbol == "" || strings.HasPrefix(strings.ToLower(symbol), "mpi_"):
			return symbol
		case strings.HasPrefix(symbol, "ompi_"):
			return made.name + strings.TrimPrefix(symbol, "ompi")
		}
		return made.name + "_" + symbol
	}
	f.Mark = own(f.Mark)
	for name, h := range f.Handles {
		h.Symbol = own(h.Symbol)
		f.Handles[name] = h
	}
	for name, p := range f.Pointers {
		p.Symbol = own(p.Symbol)
		f.Pointers[name] = p
	}
	for i := range f.DataSymbols {
		d := &f.DataSymbols[i]
		d.Name, d.PointsTo, d.NeededBy = own(d.Name), own(d.PointsTo), nil
	}
	return f
}

// A family that is added only by one file in abi/ works for programs and as a runtime, and passes the tests of this
// package.
func TestFamilyOfOneFile(t *testing.T) {
	wanted(t)
	data, err := abi.Format(makeFamily(t))
	require.NoError(t, err)
	tree := t.TempDir()
	run := func(directory, name string, arguments ...string) {
		command := exec.Command(name, arguments...)
		command.Dir = directory
		output, err := command.CombinedOutput()
		require.NoError(t, err, "%s", output)
	}
	listed, err := exec.Command("git", "-C", root, "ls-files", "-co", "--exclude-standard").Output()
	require.NoError(t, err)
	for _, name := range strings.Fields(string(listed)) {
		if b, err := os.ReadFile(filepath.Join(root, name)); err == nil {
			info, err := os.Stat(filepath.Join(root, name))
			require.NoError(t, err)
			require.NoError(t, os.MkdirAll(filepath.Join(tree, filepath.Dir(name)), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(tree, name), b, info.Mode()))
			require.NoError(t, os.Chtimes(filepath.Join(tree, name), info.ModTime(), info.ModTime()))
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(tree, "abi", made.name+".json"), data, 0o644))
	// Objects of existing families are not compiled again.
	require.NoError(t, os.MkdirAll(filepath.Join(tree, "build"), 0o755))
	run(root, "cp", "-a", "build/gen", "build/obj", filepath.Join(tree, "build"))
	run(tree, "make", "-s", "core", "fronts")

	pattern := "/(" + made.name + "_on_.*|.*_on_" + made.name + ")$"
	command := exec.Command("go", "test", "-count=1", "-v", "-run", pattern, "./tests/fake")
	command.Dir = tree
	command.Env = append(os.Environ(), "WI4GO_TIER=test")
	output, err := command.CombinedOutput()
	require.NoError(t, err, "%s", output)
	for _, other := range abi.Names() {
		for _, pair := range []string{made.name + "_on_" + other, other + "_on_" + made.name} {
			require.Contains(t, string(output), "--- PASS: TestFunctions/"+pair+" (")
		}
	}
}
