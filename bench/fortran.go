package main

import (
	_ "embed"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"wi4go/tests/harness"
)

//go:embed calls/fortran.F90
var fortranSource []byte

// binding is what a Fortran program has MPI from: the prefix of its rows, and what
// fortran.F90 knows it by.
type binding struct{ prefix, flag string }

var bindings = []binding{{"mpif_", "-DMPIF"}, {"f08_", "-DF08"}}

// fortranSpecs are the rows of each binding: a single call. It is compared with the same
// call in C, and its goal is of what it adds to that through us, outside the program.
var fortranSpecs = []rowSpec{
	{name: "comm_rank", goal: goal{2, 20}},
	{name: "comm_rank_dynamic", goal: goal{2, 20}},
	{name: "get_count", goal: goal{2, 20}},
	{name: "get_count_dynamic", goal: goal{2, 20}},
	{name: "send", goal: goal{2, 20}},
	{name: "send_dynamic", goal: goal{2, 20}},
	{name: "recv", goal: goal{2, 20}},
	{name: "recv_dynamic", goal: goal{2, 20}},
	{name: "recv_status", goal: goal{2, 20}},
	{name: "recv_status_dynamic", goal: goal{2, 20}},
	{name: "isend", goal: goal{2, 20}},
	{name: "isend_dynamic", goal: goal{2, 20}},
	{name: "irecv", goal: goal{2, 20}},
	{name: "irecv_dynamic", goal: goal{2, 20}},
	{name: "wait"},
	{name: "test"},
	{name: "iprobe"},
	{name: "iprobe_dynamic"},
	{name: "waitall", goal: goal{Instructions: 40}},
	{name: "waitall_statuses", goal: goal{Instructions: 40}},
	{name: "sendrecv", goal: goal{Instructions: 40}},
	{name: "sendrecv_dynamic", goal: goal{Instructions: 40}},
	{name: "allreduce", goal: goal{2, 20}},
	{name: "allreduce_dynamic", goal: goal{2, 20}},
	{name: "allreduce_in_place", goal: goal{2, 20}},
	{name: "allreduce_in_place_dynamic", goal: goal{2, 20}},
}

// fortranRows are the rows of all bindings.
func fortranRows() (rows []rowSpec) {
	for _, binding := range bindings {
		for _, s := range fortranSpecs {
			s.name, s.ranks, s.binding = binding.prefix+s.name, 1, binding.prefix
			rows = append(rows, s)
		}
	}
	return rows
}

// The same call in both languages, as the rows of the program are called, and in C with
// arguments as Fortran passes them, which is measured along with them.
const asC, asPassed, asFortran = ":c", ":passed", ":fortran"

// fortranLayers are our Fortran libraries, beside the front of a family, which are preloaded
// behind that.
var fortranLayers = map[string]string{"openmpi": "libmpi_mpifh.so.40", "mpich": "libmpifort.so.12", standard: "../mpi/lib/libwi4go_fortran.so.1"}

// fortranResult is what a call adds in Fortran to the same call in C.
type fortranResult struct {
	Direction string   `json:"direction"`
	Row       string   `json:"row"`
	Goal      goal     `json:"goal"`
	Native    side     `json:"native"`
	Through   side     `json:"through"`
	Outside   *summary `json:"outside,omitempty"`  // of Through's time: not the program's own
	OpenMPI   *counts  `json:"open_mpi,omitempty"` // Open MPI's own binding, natively
	Over      bool     `json:"over"`
	overNS    bool
	overAll   bool
	dearer    bool // than Open MPI's own binding
}

// judge compares with the goal, and with what Open MPI's own binding adds.
func (r *fortranResult) judge() {
	over := func(added, goal float64) bool { return goal > 0 && added > goal }
	if r.Outside != nil {
		r.overNS = over(tenths(r.Outside.Median), r.Goal.NS)
	}
	if c := r.Through.Counts; c != nil {
		r.overAll = over(math.Round(c.All), r.Goal.Instructions)
		r.dearer = r.OpenMPI != nil && math.Round(c.All) >= math.Round(r.OpenMPI.All)
	}
	r.Over = r.overNS || r.overAll || r.dearer
}

// fortran measures what programs of Fortran add.
type fortran struct {
	options
	dir      string
	rows     []rowSpec
	programs map[string]string  // by toolchain and binding; "" where that has no Fortran
	openMPI  map[string]*counts // what Open MPI's own binding adds, by row
}

func (o options) fortran(dir string, rows []rowSpec) *fortran {
	return &fortran{options: o, dir: dir, rows: rows, programs: map[string]string{}, openMPI: map[string]*counts{}}
}

// program is that of a toolchain in a binding, "" where it compiles no Fortran.
func (f *fortran) program(tools harness.Toolchain, b binding) string {
	out := filepath.Join(f.dir, b.prefix+"calls."+tools.Name)
	if program, tried := f.programs[out]; tried {
		return program
	}
	f.programs[out] = ""
	if err := tools.CompileFortran(filepath.Join(f.dir, "fortran.F90"), out, filepath.Join(f.dir, "calls.c"), "-DFORTRAN", b.flag); err != nil {
		note("%v", err)
		return ""
	}
	f.programs[out] = out
	return out
}

// direction measures programs of a family, which the toolchain makes, on a library.
func (f *fortran) direction(direction string, t target, app string, tools harness.Toolchain) (all []fortranResult) {
	for _, binding := range bindings {
		b := bench{options: f.options, dir: f.dir, target: t}
		var rows []rowSpec
		for _, s := range f.rows {
			if s.binding == binding.prefix {
				rows = append(rows, s)
				call := strings.TrimPrefix(s.name, s.binding)
				b.rows = append(b.rows, rowSpec{name: call + asC, ranks: 1}, rowSpec{name: call + asPassed}, rowSpec{name: call + asFortran, ranks: 1})
			}
		}
		if len(rows) == 0 {
			continue
		}
		if program := f.program(t.tools, binding); program != "" {
			b.variants[native] = &variant{program: program}
		}
		if program := f.program(tools, binding); program != "" {
			through, err := t.through(f.prefix, program, app)
			through.Beside = filepath.Join(filepath.Dir(through.Front), fortranLayers[app])
			if err != nil {
				note("%s: %v", direction, err)
			} else {
				b.variants[ours] = &variant{program: program, through: through}
			}
		}
		results := b.run(direction + ", " + strings.TrimSuffix(binding.prefix, "_"))
		for i, s := range rows {
			c, passed, fortran := results[3*i], results[3*i+1], results[3*i+2]
			r := fortranResult{Direction: direction, Row: s.name, Goal: s.goal, Native: added(c.Native, fortran.Native), Through: added(c.Through, fortran.Through)}
			r.Outside = fortran.Through.Time.over(passed.Through.Time)
			if t.tools.Name == "openmpi" && r.Native.Counts != nil {
				f.openMPI[s.name] = r.Native.Counts
			}
			r.OpenMPI = f.openMPI[s.name]
			r.judge()
			all = append(all, r)
		}
	}
	if !f.json {
		printFortran(os.Stdout, direction, all)
	}
	return all
}

// added is what the call in Fortran adds to that in C.
func added(c, fortran side) (s side) {
	s.Time = fortran.Time.over(c.Time)
	if c.Counts != nil && fortran.Counts != nil {
		s.Counts = &counts{All: fortran.Counts.All - c.Counts.All, Front: fortran.Counts.Front - c.Counts.Front}
	}
	return s
}

// printFortran writes one direction. What is over its goal, or not less than Open MPI's
// own binding adds, is marked with "!". Instructions are those outside the program; of the time,
// which is the median of calls in turn, both the whole and that are printed.
func printFortran(out io.Writer, direction string, results []fortranResult) {
	if len(results) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s: added by a call in Fortran to the same in C, natively and through us; ! is over the goal, or not less than Open MPI's own adds\n", direction)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "row\tnative ns\tns\toutside the program\tgoal\tnative instr\tinstr\tgoal\tOpen MPI's own\t")
	for _, r := range results {
		cells := []string{r.Row, "-", "-", "-", goalText(r.Goal.NS), "-", "-", goalText(r.Goal.Instructions), "-"}
		if r.Native.Time != nil {
			cells[1] = signed(r.Native.Time.Median, false)
		}
		if r.Through.Time != nil {
			cells[2] = signed(r.Through.Time.Median, false)
		}
		if r.Outside != nil {
			cells[3] = signed(r.Outside.Median, r.overNS)
		}
		if r.Native.Counts != nil {
			cells[5] = signed(r.Native.Counts.All, false)
		}
		if r.Through.Counts != nil {
			cells[6] = signed(r.Through.Counts.All, r.overAll)
		}
		if r.OpenMPI != nil {
			cells[8] = signed(r.OpenMPI.All, r.dearer)
		}
		fmt.Fprintln(w, strings.Join(cells, "\t")+"\t")
	}
	w.Flush()
}
