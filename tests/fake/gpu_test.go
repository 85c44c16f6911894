package fake

import (
	"debug/elf"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The functions that report whether a library handles the memory of a kind of GPU. Two of them
// are for the same kind, which AMD calls by both names.
var gpuQueries = map[string]string{
	"MPIX_Query_cuda_support": "CUDA",
	"MPIX_Query_ze_support":   "ZE",
	"MPIX_Query_hip_support":  "HIP",
	"MPIX_Query_rocm_support": "HIP",
}

const (
	anyGPU    = "MPIX_GPU_query_support" // the function with the kind as an argument
	gpuPrefix = "MPIX_GPU_SUPPORT_"      // the kinds are constants with this prefix
)

// gpuRuntimes are the libraries with different sets of these functions.
var gpuRuntimes = []string{"openmpi@4.1", "openmpi@5.0", "mpich@3.4", "mpich", "mpiabi"}

// mayHave returns the kinds of GPU that a side has a function for.
func (s *side) mayHave() map[string]bool {
	kinds := map[string]bool{}
	for name, kind := range gpuQueries {
		if _, ok := s.Functions[name]; ok {
			kinds[kind] = true
		}
	}
	if _, ok := s.Functions[anyGPU]; ok {
		for _, kind := range []string{"CUDA", "ZE"} {
			kinds[kind] = true
		}
	}
	return kinds
}

// supports makes the runtime a library that handles the memory of one kind of GPU, or of none.
func (t *tester) supports(kind string) {
	next := 14
	put := func(name string, s script) {
		if _, ok := t.r.Functions[name]; !ok {
			return
		}
		s.function = t.number[name] + 1
		t.scripts[next] = s
		next++
	}
	clear(t.scripts[next:])
	yes := script{conditional: 1}
	yes.first, _ = t.r.value(gpuPrefix + kind)
	yes.arguments[1].give = int64(copy(yes.arguments[1].bytes[:], encode(1, 4)))
	no := script{}
	no.arguments[1].give = int64(copy(no.arguments[1].bytes[:], encode(0, 4)))
	if _, ok := t.r.value(gpuPrefix + kind); ok {
		put(anyGPU, yes)
	}
	put(anyGPU, no)
	for _, name := range sorted(gpuQueries) {
		if gpuQueries[name] == kind {
			put(name, script{returns: 1})
		}
	}
}

// Every query of a program is answered by the function that the runtime has for the kind of
// GPU, whatever its name is; and with no if there is none.
func TestGPUQueries(t *testing.T) {
	for _, to := range gpuRuntimes {
		for _, from := range []string{"mpich", "mpiabi", "openmpi"} {
			if strings.HasPrefix(to, from) {
				continue // the library's own function is called: TestIdentity
			}
			t.Run(from+" on "+to, func(t *testing.T) {
				x := newTester(t, from, to)
				for _, kind := range []string{"", "CUDA", "HIP", "ZE"} {
					x.supports(kind)
					yes := kind != "" && x.r.mayHave()[kind]
					for _, name := range sorted(gpuQueries) {
						if _, ok := x.a.Functions[name]; !ok {
							continue
						}
						x.function = x.number[name]
						require.NoError(t, x.step())
						assert.Equal(t, yes && gpuQueries[name] == kind, int32(x.returned) != 0, "%s of a library for %q", name, kind)
					}
					x.askAny(t, kind, yes)
				}
				x.askWrongly(t)
			})
		}
	}
}

// askAny tests the function with the kind as an argument, for each constant that the program has.
func (t *tester) askAny(tt *testing.T, kind string, yes bool) {
	if _, ok := t.a.Functions[anyGPU]; !ok {
		return
	}
	for _, name := range sorted(t.a.Constants) {
		asked, ok := strings.CutPrefix(name, gpuPrefix)
		if !ok {
			continue
		}
		t.function = t.number[anyGPU]
		t.words[0], t.words[1] = t.a.Constants[name], t.store(0, encode(0x5eed, 4))
		require.NoError(tt, t.step())
		assert.Zero(tt, int32(t.returned), name)
		assert.Equal(tt, yes && asked == kind, le(t.arena[maxArgs-1][:4]) != 0, "%s of a library for %q", name, kind)
	}
}

// askWrongly tests the same function with an undefined kind, and with a null pointer for the answer.
func (t *tester) askWrongly(tt *testing.T) {
	if _, ok := t.a.Functions[anyGPU]; !ok {
		return
	}
	wrong := t.a.Constants["MPI_ERR_ARG"]
	for _, words := range [][2]int64{{77, t.store(0, nil)}, {t.a.Constants[gpuPrefix+"CUDA"], 0}} {
		t.function = t.number[anyGPU]
		t.words[0], t.words[1] = words[0], words[1]
		require.NoError(tt, t.step())
		assert.EqualValues(tt, wrong, int32(t.returned), fmt.Sprint(words))
	}
}

// MPICH 3.4 ends a process that calls its MPIX_Query_cuda_support, and has the answer in the other function.
func TestGPUQueriesThatEndTheProcess(t *testing.T) {
	x := newTester(t, "openmpi", "mpich@3.4")
	x.supports("CUDA")
	x.function = x.number["MPIX_Query_cuda_support"]
	require.NoError(t, x.step())
	assert.EqualValues(t, 1, x.returned)
	assert.Nil(t, x.last("MPIX_Query_cuda_support"))
	assert.NotNil(t, x.last(anyGPU))
}

// MPICH ends a process that calls its functions when MPI is down. The front's answer is no then: Open MPI's functions
// work at any time, so its programs may call them at any time.
func TestGPUQueriesAfterTheEnd(t *testing.T) {
	for to, answer := range map[string]int64{"mpich": 0, "openmpi@5.0": 1} {
		x := newTester(t, "mpiabi", to)
		x.supports("CUDA")
		x.scripts[20] = script{function: x.number["MPI_Finalized"] + 1}
		x.scripts[20].arguments[0].give = int64(copy(x.scripts[20].arguments[0].bytes[:], encode(1, 4)))
		x.function = x.number["MPIX_Query_cuda_support"]
		require.NoError(t, x.step())
		assert.Equal(t, answer, x.returned, to)
		assert.Nil(t, x.last(anyGPU))
	}
}

// The function with the kind as an argument accepts all three kinds in programs of the families that have it.
func TestGPUKinds(t *testing.T) {
	for _, family := range []string{"mpich", "mpiabi"} {
		x := newTester(t, family, "openmpi@5.0")
		for _, kind := range gpuQueries {
			assert.Contains(t, x.a.Constants, gpuPrefix+kind, family)
		}
	}
}

// A front has the queries of its family's libraries, by which programs find out what their MPI
// is. The standard has none, and wi4go's own mpi.h all of them.
func TestGPUQueriesOfOthersAreAbsent(t *testing.T) {
	for family, names := range map[string][]string{
		"openmpi": {"MPIX_Query_cuda_support", "MPIX_Query_rocm_support"},
		"mpich":   {anyGPU, "MPIX_Query_cuda_support", "MPIX_Query_hip_support", "MPIX_Query_ze_support"},
		"mpiabi":  append(slices.Collect(maps.Keys(gpuQueries)), anyGPU),
	} {
		assert.ElementsMatch(t, names, exported(t, family, "MPIX_Query_", "MPIX_GPU_"), family)
	}
}

// exported returns the functions of a family's front whose names begin in one of some ways.
func exported(t *testing.T, family string, prefixes ...string) (names []string) {
	file, err := elf.Open(filepath.Join(fronts(t), family, load(t, family).Sonames["c"][0]))
	require.NoError(t, err)
	defer file.Close()
	symbols, err := file.DynamicSymbols()
	require.NoError(t, err)
	for _, symbol := range symbols {
		if symbol.Section != elf.SHN_UNDEF && slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(symbol.Name, prefix) }) {
			names = append(names, symbol.Name)
		}
	}
	return names
}
