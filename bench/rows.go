package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"
)

// goal limits the cost that a row may add to the native library; zero means no limit.
type goal struct {
	// NS is in nanoseconds, or in the row's unit.
	NS           float64 `json:"ns,omitempty"`
	Instructions float64 `json:"instructions,omitempty"`
}

// rowSpec is one row of the table. A row that is no call has a unit and a separate measurement.
type rowSpec struct {
	// name is the row's name in calls.c, or startToEnd or memory.
	name string
	// ranks is the number of ranks, or 0 for a row that is measured along with another.
	ranks int
	// unit is the unit of the times; "" is ns.
	unit string
	// scale divides the measured value for the table; 0 is 1.
	scale float64
	// goal is the limit of the added cost.
	goal goal
	// requests reports whether the row starts or completes requests. wi4go should add less
	// there than a standard ABI that is built into the library.
	requests bool
	// binding is the prefix of a Fortran binding, or "".
	binding string
	// thunk reports whether the calls go through thunks, as in the safety net.
	thunk bool
}

// Names of the rows that are no calls.
const (
	startToEnd = "start_to_end"
	memory     = "memory"
)

// specs are the rows of calls.c, which defines them, with their goals. The goals are the same
// for predefined and dynamic handles. A row with several calls has 45 instructions for each (30
// for the Isend and Irecv that feed a completion). A call that takes an array of requests has
// 25 more for each request, or 40 with statuses. A call that completes all of them, as
// MPI_Waitall, has less.
var specs = []rowSpec{
	{name: "comm_rank_world", ranks: 1, goal: goal{1.2, 12}},
	{name: "comm_rank_thunk", ranks: 1, thunk: true, goal: goal{Instructions: 40}},
	{name: "comm_rank_dup", ranks: 1, goal: goal{1.2, 12}},
	{name: "comm_size_world", ranks: 1, goal: goal{1.2, 12}},
	{name: "comm_size_dup", ranks: 1, goal: goal{1.2, 12}},
	{name: "type_size_predefined", ranks: 1, goal: goal{1.2, 12}},
	{name: "type_size_derived", ranks: 1, goal: goal{1.2, 12}},
	{name: "fortran_comm_world", ranks: 1, goal: goal{Instructions: 40}},
	{name: "fortran_comm_dup", ranks: 1, goal: goal{Instructions: 45}},
	{name: "fortran_type_predefined", ranks: 1, goal: goal{Instructions: 40}},
	{name: "get_count", ranks: 1, goal: goal{2, 20}},
	{name: "get_count_derived", ranks: 1, goal: goal{2, 20}},
	{name: "iprobe", ranks: 1, goal: goal{Instructions: 30}},
	{name: "test_null", ranks: 1, goal: goal{Instructions: 20}},
	{name: "test_null_status", ranks: 1, goal: goal{Instructions: 30}},
	{name: "sendrecv_status", ranks: 1, goal: goal{4, 50}},
	{name: "sendrecv_status_dynamic", ranks: 1, goal: goal{4, 50}},
	{name: "sendrecv_any", ranks: 1, goal: goal{Instructions: 50}},
	{name: "sendrecv_any_dynamic", ranks: 1, goal: goal{Instructions: 50}},
	{name: "isend_irecv_waitall", ranks: 1, goal: goal{8, 110}, requests: true},
	{name: "isend_irecv_waitall_dynamic", ranks: 1, goal: goal{8, 110}, requests: true},
	{name: "isend_irecv_waitall_statuses", ranks: 1, goal: goal{10, 120}, requests: true},
	{name: "isend_irecv_waitall_statuses_dynamic", ranks: 1, goal: goal{10, 120}, requests: true},
	{name: "isend_recv_wait", ranks: 1, goal: goal{Instructions: 85}, requests: true},
	{name: "isend_recv_wait_dynamic", ranks: 1, goal: goal{Instructions: 85}, requests: true},
	{name: "isend_recv_any_wait", ranks: 1, goal: goal{Instructions: 85}, requests: true},
	{name: "isend_probe_recv_wait", ranks: 1, goal: goal{Instructions: 148}, requests: true},
	{name: "start_wait", ranks: 1, goal: goal{Instructions: 180}, requests: true},
	{name: "testany_pending", ranks: 1, goal: goal{Instructions: 145}, requests: true},
	{name: "testsome_pending", ranks: 1, goal: goal{Instructions: 145}, requests: true},
	{name: "testall_pending", ranks: 1, goal: goal{Instructions: 145}, requests: true},
	{name: "isend_irecv_waitany", ranks: 1, goal: goal{Instructions: 250}, requests: true},
	{name: "isend_irecv_testany", ranks: 1, goal: goal{Instructions: 250}, requests: true},
	{name: "isend_irecv_waitsome", ranks: 1, goal: goal{Instructions: 155}, requests: true},
	{name: "isend_irecv_waitsome_statuses", ranks: 1, goal: goal{Instructions: 185}, requests: true},
	{name: "isend_irecv_testsome", ranks: 1, goal: goal{Instructions: 155}, requests: true},
	{name: "isend_irecv_testall", ranks: 1, goal: goal{Instructions: 110}, requests: true},
	{name: "isend_irecv_testall_statuses", ranks: 1, goal: goal{Instructions: 140}, requests: true},
	{name: "allreduce_sum", ranks: 1, goal: goal{2.5, 35}},
	{name: "allreduce_sum_dynamic", ranks: 1, goal: goal{2.5, 35}},
	{name: "allreduce_in_place", ranks: 1, goal: goal{Instructions: 60}},
	{name: "allreduce_user", ranks: 1, goal: goal{5, 80}},
	{name: "allreduce_user_dynamic", ranks: 1, goal: goal{5, 80}},
	{name: "reduce_local_user", ranks: 1, goal: goal{5, 80}},
	{name: "alltoallv", ranks: 1, goal: goal{Instructions: 45}},
	{name: "put_flush", ranks: 1, goal: goal{Instructions: 90}},
	{name: "type_life", ranks: 1, goal: goal{10, 120}},
	{name: "type_life_dynamic", ranks: 1, goal: goal{10, 120}},
	{name: "op_life", ranks: 1, goal: goal{NS: 100}},
	{name: "comm_life", ranks: 1},
	{name: "comm_get_attr", ranks: 1, goal: goal{Instructions: 60}},
	{name: "comm_get_attr_predefined", ranks: 1, goal: goal{Instructions: 60}},
	{name: "comm_set_attr", ranks: 1, goal: goal{Instructions: 120}},
	{name: "comm_set_delete_attr", ranks: 1, goal: goal{Instructions: 240}},
	{name: "type_get_attr", ranks: 1, goal: goal{Instructions: 60}},
	{name: "type_set_attr", ranks: 1, goal: goal{Instructions: 120}},
	{name: "type_set_delete_attr", ranks: 1, goal: goal{Instructions: 240}},
	{name: "win_get_attr", ranks: 1, goal: goal{Instructions: 60}},
	{name: "win_set_attr", ranks: 1, goal: goal{Instructions: 120}},
	{name: "win_set_delete_attr", ranks: 1, goal: goal{Instructions: 240}},
	{name: "type_get_envelope", ranks: 1, goal: goal{Instructions: 60}},
	{name: "type_get_contents", ranks: 1, goal: goal{Instructions: 150}},
	{name: "type_get_contents_struct", ranks: 1, goal: goal{Instructions: 246}},
	{name: "group_translate_ranks_1", ranks: 1, goal: goal{Instructions: 44}},
	{name: "group_translate_ranks_64", ranks: 1, goal: goal{Instructions: 296}},
	{name: "alltoallw", ranks: 1, goal: goal{Instructions: 84}},
	{name: "alltoallw_dynamic", ranks: 1, goal: goal{Instructions: 84}},
	{name: "ialltoallw_wait", ranks: 1, goal: goal{Instructions: 84}},
	{name: "ialltoallw_wait_dynamic", ranks: 1, goal: goal{Instructions: 84}},
	{name: "neighbor_alltoallw", ranks: 1, goal: goal{Instructions: 108}},
	{name: "alltoallw_2", ranks: 2, goal: goal{Instructions: 108}},
	{name: "ialltoallw_wait_2", ranks: 2, goal: goal{Instructions: 108}},
	{name: "pairs_64", ranks: 2, scale: 64, goal: goal{NS: 5}, requests: true},
	{name: "round_trip", ranks: 2},
	{name: startToEnd, ranks: 1, unit: "ms", scale: 1e6, goal: goal{NS: 3}},
	{name: memory, ranks: 1, unit: "MB", scale: 1024, goal: goal{NS: 4}},
}

// isCall reports whether the row is one of calls.c.
func (s rowSpec) isCall() bool { return s.unit == "" }

// summary is the minimum and the median of some measurements.
type summary struct {
	Min    float64 `json:"min"`
	Median float64 `json:"median"`
	// all are the measurements in the order they were taken.
	all []float64
}

// summarize returns the summary of samples divided by scale, or nil if there are none.
func summarize(samples []float64, scale float64) *summary {
	if len(samples) == 0 {
		return nil
	}
	var all []float64
	for _, x := range samples {
		all = append(all, x/scale)
	}
	s := slices.Sorted(slices.Values(all))
	return &summary{s[0], s[len(s)/2], all}
}

// over returns the summary of the differences to others, which were taken in turn with these:
// each measurement minus its neighbor. It returns nil if either is missing.
func (s *summary) over(others *summary) *summary {
	if s == nil || others == nil {
		return nil
	}
	var differences []float64
	for i, x := range s.all[:min(len(s.all), len(others.all))] {
		differences = append(differences, x-others.all[i])
	}
	return summarize(differences, 1)
}

// side is a row measured one way: natively or through wi4go.
type side struct {
	Time   *summary `json:"time,omitempty"`
	Counts *counts  `json:"instructions,omitempty"`
}

// result is one row of one direction.
type result struct {
	Direction string `json:"direction"`
	Row       string `json:"row"`
	Unit      string `json:"unit"`
	Ranks     int    `json:"ranks"`
	Goal      goal   `json:"goal"`
	Native    side   `json:"native"`
	Through   side   `json:"through"`
	// BuiltIn is the row measured on the library's built-in standard ABI.
	BuiltIn side `json:"built_in,omitzero"`
	// Over reports whether one of the next three is true.
	Over bool `json:"over"`
	// overNS, overAll and overFront report whether the time, all instructions or the front's
	// exceed the goal.
	overNS    bool
	overAll   bool
	overFront bool
	// requests is the row's.
	requests bool
	// moreExpensive reports whether wi4go adds no less than the built-in ABI, in a row with requests.
	moreExpensive bool
}

// judge compares the result with its goals. It compares times by their minimum. It compares
// instructions in both columns, and in the column of all of them as whole numbers: a call
// executes a whole number, and a fraction comes from something that the process did once in
// thousands of calls. What the runtime executes in a call that allocates memory varies with the
// state of the heap, natively too: a difference of up to ownShare of it does not count, if the
// front's count is within the goal. With two ranks only the front's count is compared, because the
// number of times that the runtime polls is chance.
func (r *result) judge() {
	const ownShare = 0.03
	over := func(added, goal float64) bool { return goal > 0 && tenths(added) > goal }
	if r.Native.Time != nil && r.Through.Time != nil {
		r.overNS = over(r.Through.Time.Min-r.Native.Time.Min, r.Goal.NS)
	}
	if r.Native.Counts != nil && r.Through.Counts != nil {
		added, own := math.Round(r.Through.Counts.All-r.Native.Counts.All), ownShare*r.Native.Counts.All
		r.overFront = over(r.Through.Counts.Front, r.Goal.Instructions)
		r.overAll = r.Ranks == 1 && over(added, r.Goal.Instructions) && (r.overFront || added-r.Through.Counts.Front > own)
	}
	r.Over = r.overNS || r.overAll || r.overFront
	if r.requests && r.Ranks == 1 && r.Through.Counts != nil && r.BuiltIn.Counts != nil {
		r.moreExpensive = r.Through.Counts.All >= r.BuiltIn.Counts.All
	}
}

// hasBuiltIn reports whether a standard ABI built into the library was measured.
func hasBuiltIn(results []result) bool {
	return slices.ContainsFunc(results, func(r result) bool { return r.BuiltIn.Time != nil || r.BuiltIn.Counts != nil })
}

// printTable writes the table of one direction. A figure that exceeds its goal is marked with
// "!".
func printTable(out io.Writer, direction string, results []result) {
	fmt.Fprintf(out, "\n%s: added to the native library per operation; ! is over the goal\n", direction)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	head := "row\tnative\t+min\t+median\tgoal\t\tnative instr\t+instr\tfront\tgoal\t"
	builtIn := hasBuiltIn(results)
	if builtIn {
		fmt.Fprintln(out, "abi: what the standard ABI built into the library adds; ! if it is not more than wi4go's and should be")
		head += "abi +min\tabi +instr\t"
	}
	fmt.Fprintln(w, head)
	for _, r := range results {
		cells := []string{r.Row}
		n, t := r.Native.Time, r.Through.Time
		unit := cmp.Or(r.Unit, "ns")
		if n != nil {
			cells = append(cells, number(n.Min, false))
		} else {
			cells = append(cells, "-")
		}
		if n != nil && t != nil {
			cells = append(cells, signed(t.Min-n.Min, r.overNS), signed(t.Median-n.Median, false))
		} else {
			cells = append(cells, "-", "-")
		}
		cells = append(cells, goalText(r.Goal.NS), unit)
		nc, tc := r.Native.Counts, r.Through.Counts
		switch {
		case nc == nil:
			cells = append(cells, "-", "-", "-")
		case tc == nil:
			cells = append(cells, number(nc.All, false), "-", "-")
		case r.Ranks > 1:
			cells = append(cells, "polling", "-", number(tc.Front, r.overFront))
		default:
			cells = append(cells, number(nc.All, false), signed(tc.All-nc.All, r.overAll), number(tc.Front, r.overFront))
		}
		cells = append(cells, goalText(r.Goal.Instructions))
		if builtIn {
			cells = append(cells, r.builtInCells()...)
		}
		for _, c := range cells {
			fmt.Fprintf(w, "%s\t", c)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
}

// builtInCells returns the cells with the time and the instructions that the built-in ABI adds.
func (r result) builtInCells() []string {
	cells := []string{"-", "-"}
	if r.Native.Time != nil && r.BuiltIn.Time != nil {
		cells[0] = signed(r.BuiltIn.Time.Min-r.Native.Time.Min, false)
	}
	if r.Ranks == 1 && r.Native.Counts != nil && r.BuiltIn.Counts != nil {
		cells[1] = signed(r.BuiltIn.Counts.All-r.Native.Counts.All, r.moreExpensive)
	}
	return cells
}

// goalText returns the text of a goal, or "-" without one.
func goalText(v float64) string {
	if v == 0 {
		return "-"
	}
	return fmt.Sprintf("%g", v)
}

// number returns a figure with tenths if they matter, and with a mark if it exceeds its goal.
func number(v float64, over bool) string {
	digits := 1
	if math.Abs(v) >= 1000 {
		digits = 0
	}
	return fmt.Sprintf("%.*f%s", digits, tenths(v), mark(over))
}

// signed returns an added cost with its sign and the mark.
func signed(v float64, over bool) string {
	return fmt.Sprintf("%+.1f%s", tenths(v), mark(over))
}

// tenths returns v rounded to tenths, without a negative zero.
func tenths(v float64) float64 { return math.Round(v*10)/10 + 0 }

// mark returns "!" for a figure that exceeds its goal, else a blank.
func mark(over bool) string {
	if over {
		return "!"
	}
	return " "
}
