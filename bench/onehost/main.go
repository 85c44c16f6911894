// Command onehost compares the abstract device (embedded/adi) or the embedded MPI with five MPI
// libraries on one host: half a round trip of 8 bytes to 4 MB, a window of 64 messages, an exchange, a
// ring of more ranks than cores, and for the embedded MPI collective operations, all of it through the
// front of MPICH's programs; the memory of a rank; and whole jobs: start to end of a program that does nothing, and
// LAMMPS and HPCC if they are installed. One program text is compiled for each; only the calls differ.
//
//	go run ./bench/onehost [--of adi|embedded] [--prefix build] [--libraries NAME,...] [--rows ROW,...]
//	                       [--runs N] [--most N] [--milliseconds N] [--border NS]
//
// It must run in the repository, after make. All work is on two cores. The host of a
// virtual machine may move these cores nearer to each other or further away, which changes every
// figure. So each case bounces a cache line before and after, and counts for the state that both
// times show: near, or far if the line takes longer than the border. A case that began in one state
// and ended in the other counts for neither. Figures are minima over at least three runs in a state,
// or medians if ranks outnumber the cores; libraries take turns.
//
// The table has microseconds, and in the rows MB-N megabytes, our ratio to the fastest library, and the goal for it. A
// measurement that is not possible is skipped with the reason. The exit status is 0 all the same: a
// slow row is a finding, not an error of this command.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"wi4go/tests/harness"
)

// options are the command's options.
type options struct {
	// of is what is compared: adi or embedded.
	of string
	// prefix is the directory that make has built into. root is the top of the repository.
	prefix, root string
	// libraries are harness's names, and rows patterns of rows; both with commas between.
	libraries, rows string
	// runs is the number of runs of each program, which take turns. If the cores moved so often
	// that a row has too few runs in either state, more follow, up to most.
	runs, most int
	// milliseconds is how long a run measures a case.
	milliseconds int
	// border is the longest half round trip of a line between near cores, in nanoseconds.
	border float64
}

func main() {
	var o options
	flag.StringVar(&o.of, "of", "adi", "what is compared with the libraries: `adi` or embedded")
	flag.StringVar(&o.prefix, "prefix", "", "the `directory` that make has built into; build in the repository's root if it is not given")
	flag.StringVar(&o.libraries, "libraries", strings.Join(libraries, ","), "the MPI `libraries`, with commas between")
	flag.StringVar(&o.rows, "rows", "", "only these rows: names or `patterns`, with commas between (8,4*,ring)")
	flag.IntVar(&o.runs, "runs", 6, "runs of each program")
	flag.IntVar(&o.most, "most", 18, "runs of each program if the cores move")
	flag.IntVar(&o.milliseconds, "milliseconds", 30, "how long a run measures a case")
	flag.Float64Var(&o.border, "border", 100, "`nanoseconds` for half a round trip of a cache line; longer is far")
	flag.Parse()
	if err := run(o); err != nil {
		note("%v", err)
	}
}

// note prints a message about something that is no result.
func note(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "wi4go: bench: "+format+"\n", args...)
}

// run measures and prints the tables. It returns an error if a row does not exist, the device's
// program cannot be compiled, or there are less than two cores.
func run(o options) error {
	if !isOurs(o.of) {
		return fmt.Errorf("--of %s: adi or embedded", o.of)
	}
	rows, err := chosen(rowsOf[o.of], o.rows)
	if err != nil {
		return err
	}
	if o.root, err = harness.Root(); err != nil {
		return err
	}
	o.prefix = cmp.Or(o.prefix, filepath.Join(o.root, "build"))
	// Only this thread, which starts all programs.
	runtime.LockOSThread()
	cores, err := stayOnTwoCores()
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(filepath.Join(o.prefix, "bench/onehost"))
	if err != nil {
		return err
	}
	programs, err := o.compile(dir)
	if err != nil {
		return err
	}
	line, err := newLine()
	if err != nil {
		return err
	}
	defer os.Remove(line)
	interrupted, restore := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer restore()
	j := jobs{options: o, interrupted: interrupted, programs: programs, line: line, cores: cores, failed: map[string]bool{}}
	j.measure(rows)
	printTables(os.Stdout, o.border, names(programs), rows, j.samples)
	return nil
}
