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

// fortranSource is the Fortran part of the measured programs.
//
//go:embed calls/fortran.F90
var fortranSource []byte

// binding is one of Fortran's interfaces to MPI: the prefix of its rows, and the compiler flag
// that selects it in fortran.F90.
type binding struct{ prefix, flag string }

// bindings are the measured interfaces: mpif.h and mpi_f08.
var bindings = []binding{{"mpif_", "-DMPIF"}, {"f08_", "-DF08"}}

// fortranSpecs are the rows of each binding. A row is a single call, which is compared with the
// same call in C. Its goal limits the time and the instructions that Fortran adds through
// wi4go, outside the program.
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

// fortranRows returns the rows of all bindings.
func fortranRows() (rows []rowSpec) {
	for _, binding := range bindings {
		for _, s := range fortranSpecs {
			s.name, s.ranks, s.binding = binding.prefix+s.name, 1, binding.prefix
			rows = append(rows, s)
		}
	}
	return rows
}

// The suffixes of a call's three variants in calls.c: in C, in C with arguments as Fortran
// passes them, and in Fortran. They are measured together.
const asC, asPassed, asFortran = ":c", ":passed", ":fortran"

// fortranLibraries are wi4go's Fortran libraries by family, relative to the front. They are
// preloaded after it.
var fortranLibraries = map[string]string{"openmpi": "libmpi_mpifh.so.40", "mpich": "libmpifort.so.12", standard: "../mpi/lib/libwi4go_fortran.so.1"}

// fortranResult is the cost that Fortran adds to the same call in C.
type fortranResult struct {
	Direction string `json:"direction"`
	Row       string `json:"row"`
	Goal      goal   `json:"goal"`
	// Native is the cost added by the library's own binding.
	Native side `json:"native"`
	// Through is the cost added through wi4go.
	Through side `json:"through"`
	// Outside is the part of Through's time that is not the program's own.
	Outside *summary `json:"outside,omitempty"`
	// OpenMPI is the cost added natively by Open MPI's own binding.
	OpenMPI *counts `json:"open_mpi,omitempty"`
	// Over reports whether any of the following is true.
	Over bool `json:"over"`
	// overNS and overAll report whether time or instructions exceed the goal.
	overNS  bool
	overAll bool
	// moreExpensive reports whether wi4go adds no less than Open MPI's own binding.
	moreExpensive bool
}

// judge compares the result with its goal, and with the cost of Open MPI's own binding.
func (r *fortranResult) judge() {
	over := func(added, goal float64) bool { return goal > 0 && added > goal }
	if r.Outside != nil {
		r.overNS = over(tenths(r.Outside.Median), r.Goal.NS)
	}
	if c := r.Through.Counts; c != nil {
		r.overAll = over(math.Round(c.All), r.Goal.Instructions)
		r.moreExpensive = r.OpenMPI != nil && math.Round(c.All) >= math.Round(r.OpenMPI.All)
	}
	r.Over = r.overNS || r.overAll || r.moreExpensive
}

// fortran measures the cost that programs in Fortran add.
type fortran struct {
	options
	dir  string
	rows []rowSpec
	// programs are the compiled programs by toolchain and binding, or "" if a toolchain lacks
	// Fortran.
	programs map[string]string
	// openMPI is the cost that Open MPI's own binding adds, by row.
	openMPI map[string]*counts
}

// fortran returns a measurement of the rows, whose programs are built in dir.
func (o options) fortran(dir string, rows []rowSpec) *fortran {
	return &fortran{options: o, dir: dir, rows: rows, programs: map[string]string{}, openMPI: map[string]*counts{}}
}

// program returns the path of the program that a toolchain compiles for a binding, or "" if it
// compiles no Fortran. It compiles each program once.
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

// direction measures the programs of a family, compiled by tools, on a library. It prints their
// table and returns its rows.
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
			through.AlsoPreload = filepath.Join(filepath.Dir(through.Front), fortranLibraries[app])
			if err != nil {
				note("%s: %v", direction, err)
			} else {
				b.variants[translated] = &variant{program: program, through: through}
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

// added returns the cost that a call in Fortran adds to the call in C.
func added(c, fortran side) (s side) {
	s.Time = fortran.Time.over(c.Time)
	if c.Counts != nil && fortran.Counts != nil {
		s.Counts = &counts{All: fortran.Counts.All - c.Counts.All, Front: fortran.Counts.Front - c.Counts.Front}
	}
	return s
}

// printFortran writes the table of one direction. A figure is marked with "!" if it exceeds its
// goal, or if it is not less than the cost of Open MPI's own binding. Instructions are those
// executed outside the program. Times are medians of alternating calls, with the program's part
// and without.
func printFortran(out io.Writer, direction string, results []fortranResult) {
	if len(results) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s: added by a call in Fortran to the same in C, natively and through wi4go; ! is over the goal, or not less than "+
		"Open MPI's own Fortran adds\n", direction)
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
			cells[8] = signed(r.OpenMPI.All, r.moreExpensive)
		}
		fmt.Fprintln(w, strings.Join(cells, "\t")+"\t")
	}
	w.Flush()
}
