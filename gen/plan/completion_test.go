package plan

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/abi"
	"wi4go/gen/gentest"
	"wi4go/gen/model"
)

var (
	loading sync.Once
	loaded  *model.Input
)

// input returns the tables, which no test in this package changes.
func input(t *testing.T) *model.Input {
	t.Helper()
	loading.Do(func() { loaded = gentest.Input(t) })
	require.NotNil(t, loaded)
	return loaded
}

// eachPlan calls do for every function of every pair of two families.
func eachPlan(t *testing.T, do func(p *Pair, of *Plan)) {
	t.Helper()
	in := input(t)
	eachPair(in, func(a, r *abi.Family) {
		p := &Pair{in, a, r}
		for _, slot := range model.NewSlots(in, a).List {
			if slot.Function != nil {
				of, err := p.Of(slot.Function)
				require.NoError(t, err, slot.Name)
				do(p, of)
			}
		}
	})
}

func eachPair(in *model.Input, do func(a, r *abi.Family)) {
	for _, a := range in.Families {
		for _, r := range in.Families {
			if a != r {
				do(a, r)
			}
		}
	}
}

// The functions of MPI-5.0, 3.7.5 that complete an array of requests, and the positions of their
// arguments.
func TestCompletions(t *testing.T) {
	want := map[string]Completion{
		"MPI_Waitall": {CompletesAll, 1, 2, 0}, "MPI_Testall": {CompletesAll, 1, 3, 0},
		"MPI_Waitany": {CompletesAny, 1, 3, 2}, "MPI_Testany": {CompletesAny, 1, 4, 2},
		"MPI_Waitsome": {CompletesSome, 1, 4, 2}, "MPI_Testsome": {CompletesSome, 1, 4, 2},
	}
	seen := map[string]bool{}
	eachPlan(t, func(_ *Pair, of *Plan) {
		seen[of.Function.Name] = true
		assert.Equal(t, want[of.Function.Name], of.Completion, of.Function.Name)
	})
	for name := range want {
		assert.True(t, seen[name], name)
	}
}

// A function that is written by hand has a plan, too.
func TestByHand(t *testing.T) {
	hand := 0
	eachPlan(t, func(_ *Pair, of *Plan) {
		name := of.Function.Name
		if of.Alone {
			assert.Empty(t, of.Arguments, name)
			return
		}
		assert.Len(t, of.Arguments, len(of.Function.Params), name)
		for i, a := range of.Arguments {
			q := &of.Function.Params[i]
			assert.Equal(t, q.Name, a.Name, name)
			_, byHand := a.Action.(ByHand)
			if of.Hand == "" {
				assert.False(t, byHand, "%s: %s", name, q.Name)
				continue
			}
			hand++
			// Handles, integers with special values and statuses have one conversion each,
			// whichever printer writes it.
			if _, handle := model.HandleTypes[q.Role]; handle || q.Role == "STATUS" || q.Role == "RANK" || q.Role == "TAG" {
				assert.False(t, byHand, "%s: %s", name, q.Name)
			}
		}
	})
	assert.Positive(t, hand)
}

// The arguments of the functions of MPI-5.0, 3.7.5 and of similar functions have their own actions,
// so no printer must know the functions.
func TestArraysOfRequests(t *testing.T) {
	index, number, indices := Action(IndexOut{}), Action(NumberOut{}), Action(IndicesOut{"outcount"})
	asItIs, status := Action(Unchanged{}), Action(StatusOut{Unset: true})
	statuses := func(of string, succeeds bool) Action {
		return StatusesOut{map[bool]string{true: "incount", false: "count"}[of == "outcount"], of, succeeds}
	}
	want := map[string][]Action{
		"MPI_Waitall":                 {asItIs, RequestsInOut{"count", true, false, false}, statuses("count", true)},
		"MPI_Testall":                 {asItIs, RequestsInOut{"count", true, false, false}, asItIs, statuses("count", false)},
		"MPI_Waitany":                 {asItIs, RequestsInOut{"count", true, false, false}, index, status},
		"MPI_Testany":                 {asItIs, RequestsInOut{"count", true, false, false}, index, asItIs, status},
		"MPI_Waitsome":                {asItIs, RequestsInOut{"incount", true, false, false}, number, indices, statuses("outcount", false)},
		"MPI_Testsome":                {asItIs, RequestsInOut{"incount", true, false, false}, number, indices, statuses("outcount", false)},
		"MPI_Startall":                {asItIs, RequestsInOut{"count", false, true, false}},
		"MPI_Request_get_status_all":  {asItIs, RequestsInOut{"count", false, false, false}, asItIs, statuses("count", false)},
		"MPI_Request_get_status_any":  {asItIs, RequestsInOut{"count", false, false, false}, asItIs, asItIs, status},
		"MPI_Request_get_status_some": {asItIs, RequestsInOut{"incount", false, false, false}, number, asItIs, statuses("outcount", false)},
	}
	seen := 0
	eachPlan(t, func(_ *Pair, of *Plan) {
		var got []Action
		for _, a := range of.Arguments {
			at, many := a.Action.(RequestsInOut)
			if many {
				at.Dereferences = false // depends on the runtime
				a.Action = at
				seen++
			}
			got = append(got, a.Action)
		}
		if actions := want[of.Function.Name]; actions != nil {
			assert.Equal(t, actions, got, of.Function.Name)
			assert.Empty(t, of.Hand, of.Function.Name)
			return
		}
		for _, action := range got {
			switch action.(type) {
			case RequestsInOut, StatusesOut, IndexOut, NumberOut, IndicesOut:
				assert.Fail(t, "has such an argument", of.Function.Name)
			}
		}
	})
	assert.Equal(t, 6*len(want), seen)
}

// A printer that cannot print an action does not receive it.
func TestArraysOfHandles(t *testing.T) {
	in := input(t)
	p := &Pair{in, in.Family("openmpi"), in.Family("mpich")}
	for _, name := range []string{"MPI_Type_get_contents", "MPI_Type_get_contents_c"} {
		f := *in.Function(name)
		f.Hand = ""
		_, err := p.Of(&f)
		assert.ErrorContains(t, err, "only by hand", name)
	}
}

// A check that needs a parameter of a role refuses a function without such a parameter.
func TestNoCommunicator(t *testing.T) {
	in := input(t)
	p := &Pair{in, in.Family("mpich"), in.Family("openmpi")}
	require.True(t, p.R.Traits.PersistentUnchecked)
	f := *in.Function("MPI_Barrier_init")
	f.Params = slices.Clone(f.Params)
	of, err := p.Of(&f)
	require.NoError(t, err)
	assert.Equal(t, &CheckComm{"comm", "request"}, of.CheckComm)
	f.Params[0].Role = "WIN"
	_, err = p.Of(&f)
	assert.EqualError(t, err, "it needs a parameter of role COMM with direction in")
}

// A datatype that the libraries do not check needs no count before it.
func TestUncheckedDatatypeFirst(t *testing.T) {
	in := input(t)
	p := &Pair{in, in.Family("mpich"), in.Family("openmpi")}
	r, err := p.refusal(&model.Function{Name: "MPI_X", Params: []model.Param{{
		Name: "datatype", Type: "MPI_Datatype", Role: "DATATYPE", Dir: "in", Unchecked: []string{"openmpi"},
	}}})
	require.NoError(t, err)
	assert.Equal(t, &Refusal{Kind: "DATATYPE", Class: "MPI_ERR_TYPE", NullAllowed: true, Raised: "WI4GO_NO_OBJECT, 0"}, r)
}
