package pair

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/gen/assembly"
	"wi4go/gen/gentest"
	"wi4go/gen/model"
	"wi4go/gen/plan"
)

// goldenPlans are functions that together have every action of a plan.
var goldenPlans = strings.Fields(`MPI_Abort MPI_Alltoallw MPI_Bcast MPI_Bsend MPI_Cancel MPI_Cart_shift MPI_Comm_dup MPI_Comm_free MPI_Comm_free_keyval MPI_Comm_idup MPI_Comm_split MPI_Error_class
	MPI_Error_string MPI_File_open MPI_File_read_at_all MPI_Get_count MPI_Get_processor_name MPI_Group_incl MPI_Group_translate_ranks MPI_Ialltoallw MPI_Improbe
	MPI_Init_thread MPI_Intercomm_create MPI_Isend MPI_Mrecv MPI_Recv MPI_Request_get_status_any MPI_Request_get_status_some MPI_Send MPI_Send_init MPI_Start MPI_Startall MPI_Status_set_elements MPI_Test MPI_Testall MPI_Testany MPI_Testsome MPI_Type_create_darray
	MPI_Type_free MPI_Type_get_contents MPI_Wait MPI_Waitall MPI_Waitany MPI_Waitsome MPI_Win_create`)

// pairOf returns the pair of a front over a family.
func pairOf(t *testing.T, in *model.Input, front, runtime string) *Pair {
	t.Helper()
	a, r := in.Family(front), in.Family(runtime)
	require.NotNil(t, a)
	require.NotNil(t, r)
	p, err := New(in, model.NewSlots(in, a), r)
	require.NoError(t, err)
	return p
}

func TestGoldenPlans(t *testing.T) {
	in := gentest.Input(t)
	for _, pair := range goldenPairs {
		p := pairOf(t, in, pair[0], pair[1])
		plans := map[string]*plan.Plan{}
		for _, plan := range p.Plans {
			plans[plan.Function.Name] = plan
		}
		var got strings.Builder
		for _, name := range goldenPlans {
			require.NotNil(t, plans[name], "%s: no plan of %s", pair, name)
			fmt.Fprintf(&got, "%s\n    %s\n", name, strings.ReplaceAll(strings.TrimSpace(plans[name].String()), "\n", "\n    "))
		}
		path := filepath.Join("testdata", pair[0]+"_"+pair[1]+"_plans.txt")
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(got.String()), 0o666))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, string(want), got.String(), "%s differs: if that is intended, go test ./gen/pair -update", path)
	}
}

// A function with the mark has assembly in at least one pair; otherwise the mark has no effect.
func TestAssembly(t *testing.T) {
	in := gentest.Input(t)
	assembly := map[string]bool{}
	for _, a := range in.Families {
		for _, r := range in.Families {
			for _, plan := range pairOf(t, in, a.Family, r.Family).Plans {
				assembly[plan.Function.Name] = assembly[plan.Function.Name] || plan.Assembly
			}
		}
	}
	for _, f := range in.Functions {
		assert.Equal(t, f.Assembly, assembly[f.Name], "%s: assembly in funcs.json, and in the pairs", f.Name)
	}
}

// The assembly of a completion function has its arguments in fixed registers.
func TestCompletionInAssembly(t *testing.T) {
	p := pairOf(t, gentest.Input(t), "openmpi", "mpich")
	i := slices.IndexFunc(p.Plans, func(of *plan.Plan) bool { return of.Function.Name == "MPI_Waitall" })
	require.GreaterOrEqual(t, i, 0)
	assert.True(t, assembly.Fits(&p.Pair, p.Plans[i]))
	for reason, change := range map[string]func(of *plan.Plan){
		"the requests come first":       func(of *plan.Plan) { of.Completion.Requests = 0 },
		"the statuses do not come last": func(of *plan.Plan) { of.Completion.Statuses = 1 },
		"the flag comes second":         func(of *plan.Plan) { of.FlagIndex = 1 },
		"the index comes last":          func(of *plan.Plan) { of.Completion.Kind, of.Completion.Result = plan.CompletesAny, 3 },
		"it completes no array":         func(of *plan.Plan) { of.Completion = plan.Completion{} },
	} {
		other := *p.Plans[i]
		change(&other)
		assert.False(t, assembly.Fits(&p.Pair, &other), reason)
	}
}

// Each action of a plan occurs in the golden plans of a pair, also if only pairs without golden plans use it.
func TestActions(t *testing.T) {
	in := gentest.Input(t)
	seen, golden := map[string]bool{}, map[string]bool{}
	for _, a := range in.Families {
		for _, r := range in.Families {
			kept := slices.Contains(goldenPairs, [2]string{a.Family, r.Family})
			for _, plan := range pairOf(t, in, a.Family, r.Family).Plans {
				for _, q := range plan.Arguments {
					kind := fmt.Sprintf("%T", q.Action)
					seen[kind] = true
					golden[kind] = golden[kind] || kept && slices.Contains(goldenPlans, plan.Function.Name)
				}
			}
		}
	}
	for kind := range seen {
		assert.True(t, golden[kind], "%s: in no golden plan", kind)
	}
}
