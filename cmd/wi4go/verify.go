package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"wi4go/internal/family"
	"wi4go/internal/verify"
	"wi4go/internal/verify/rules"
)

// verifyOptions are the options of verify.
type verifyOptions struct {
	from, to, report      string        // family, runtime, and file of the report
	types, objects        string        // limits on basic types and layouts
	counts, one           string        // counts of basic elements; the only case to run
	ranks                 int           // number of ranks
	limit, budget         time.Duration // limits of a case and of a --quick run
	smoke, quick, full    bool          // levels other than the default
	layouts               []string      // libraries with further layouts
	rules, mpicc          string        // file with tests of the user's own; compiler for them
	noNative, fresh, list bool          // no native run; ignore an earlier report; list the tests
	identity, asJSON      bool          // use the front within a family; print JSON
}

// quickBudget is the limit of a --quick run, unless --budget is given.
const quickBudget = time.Minute

// exitIncomplete is the exit code if nothing is wrong so far, but the budget was used up.
const exitIncomplete = 3

// verifyCommand returns the command that runs the test programs.
func verifyCommand() *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:   "verify --from FAMILY --to RUNTIME [-n RANKS] [TEST|FUNCTION|CHAPTER …] [-- OPTIONS OF MPIEXEC]",
		Short: "Test the translation on this machine, in C and Fortran",
		Long: `Run test programs for one family of MPI libraries on a runtime, translated and
natively, and print a verdict for each function:

  right           in all cases
  wrong           but right natively; with the smallest command that shows it
  wrong natively  in the same cases without wi4go: the runtime's own error
  missing         the runtime lacks the function
  emulated        right, although the runtime lacks the function
  not run         with the reason

The programs send, reduce, put, pack and write data in the layouts of datatype
pools: each basic type, and structs of them, in forty layouts. --types takes
types and structs (MPI_INT*3+MPI_DOUBLE+MPI_CHAR*16: members with their counts).
--layouts adds layouts of your own, from a library: share/wi4go/dtpools has an
example. The programs in Fortran need no compiler. They call MPI as
programs with mpif.h, use mpi and mpi_f08 do; their names are in capitals
(MPI_SEND:mpi_f08). --quick takes a minute at most, and lists the tests that it
has not reached. Other runs say at the beginning how long they take. --full
sends every layout to every other one. --smoke is for scripts: MPI_INT and
MPI_DOUBLE, five layouts, in seconds. Only chapters with a wrong result run
natively, too.

--rules FILE runs your own C and C++ programs instead. A line of FILE is a test:

  sendrecv sendrecv.c types=MPI_INT,MPI_DOUBLE counts=1,64 ranks=2 limit=30s

Each program is compiled and run for each type and count, with -DTYPE=MPI_INT
-DCOUNT=64 -DSIGNATURE="MPI_INT". It is right if it ends with the exit code 0.
For a struct, TYPE is not defined. Without --from, wi4go's own mpicc compiles.

The report is written to wi4go-verify-FROM-TO.json and .txt, or to the file of
--report. An interrupted run keeps its results there, and the same command
continues it. The exit code is 0 if nothing is wrong, 1 if something is wrong, 3
if nothing is wrong but --quick has not reached all tests, and 130 if the run
was interrupted.

DTP_NUM_OBJS, DTP_RUNTIME_TYPES and DTP_DATATYPE_FILE limit the layouts and the
basic types of the tests in C, as --objects and --types do.`,
		Example: `  wi4go verify --from openmpi --to mpich -n 2 --quick
  wi4go verify --from mpich --to openmpi -n 4 one-sided -- --hostfile hosts
  wi4go verify --from openmpi --to mpich "mpif.h and use mpi" mpi_f08
  wi4go verify --from openmpi --to mpich --types 'MPI_INT*3+MPI_DOUBLE' MPI_Send
  wi4go verify --rules my.rules --to mpich`,
		RunE: func(cmd *cobra.Command, args []string) error {
			mpiexec := []string(nil)
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				args, mpiexec = args[:at], args[at:]
			}
			return runVerify(o, args, mpiexec)
		},
	}
	f := cmd.Flags()
	familyFlag(cmd, &o.from, "the `FAMILY` that the tests are built for")
	f.StringVar(&o.to, "to", "", "the `RUNTIME`, as for wi4go run")
	f.IntVarP(&o.ranks, "ranks", "n", 2, "the number of `ranks`")
	f.BoolVar(&o.smoke, "smoke", false, "two types and five layouts, in seconds")
	f.BoolVar(&o.quick, "quick", false, "a few types and layouts, in a minute at most")
	f.BoolVar(&o.full, "full", false, "send every layout to every other one")
	f.DurationVar(&o.limit, "limit", time.Minute, "the `time` limit of a case")
	f.DurationVar(&o.budget, "budget", quickBudget, "the `time` limit of a --quick run, 0 for none; the same command continues with the rest")
	f.StringVar(&o.types, "types", "", "the `types`, separated by commas or blanks: MPI_INT,MPI_INT*3+MPI_DOUBLE")
	f.StringVar(&o.objects, "objects", "", "the number `n` of a pool's layouts, -1 for all")
	f.StringVar(&o.counts, "counts", "", "the counts of basic elements: `1,64`")
	f.StringVar(&o.one, "case", "", "run one `case`: TEST/TYPE/COUNT/SENDER/RECEIVER")
	f.StringSliceVar(&o.layouts, "layouts", nil, "a `library` with further layouts, linked with the tests' MPI")
	f.StringVar(&o.rules, "rules", "", "run the programs that this `file` describes")
	f.StringVar(&o.mpicc, "mpicc", "", "the `compiler` of --from for --rules; mpicxx is next to it")
	f.StringVar(&o.report, "report", "", "the `file` of the JSON report; the text is written next to it")
	f.BoolVar(&o.noNative, "no-native", false, "do not run the tests natively for comparison")
	f.BoolVar(&o.identity, "identity", false, "use the front even on a library of the same family")
	f.BoolVar(&o.fresh, "fresh", false, "start again instead of continuing an interrupted run")
	f.BoolVar(&o.list, "list", false, "list the tests")
	f.BoolVar(&o.asJSON, "json", false, "print the report as JSON")
	return cmd
}

// runVerify runs the tests, prints the results and writes the report. The exit code of its
// error is the report's status.
func runVerify(o verifyOptions, tests, mpiexec []string) error {
	usage := func(format string, args ...any) error {
		return exitError{exitUsage, fmt.Errorf("verify: "+format, args...)}
	}
	if o.from == "" {
		o.from = o.defaultFrom()
	}
	switch {
	case o.from == "":
		return usage("--from is missing: name the family that the tests are built for: %s", familyNames())
	case o.quick && o.full || o.smoke && (o.quick || o.full):
		return usage("--smoke, --quick and --full exclude each other: give one of them")
	case o.rules != "" && (o.quick || o.full || len(o.layouts) > 0):
		return usage("--rules does not go with --quick, --full and --layouts: limit it with --types, --counts, --objects or --smoke")
	case o.mpicc != "" && o.rules == "":
		return usage("--mpicc is the compiler for --rules: add --rules FILE, or leave it out")
	case o.ranks < 1:
		return usage("-n %d: give 1 or more ranks", o.ranks)
	case o.limit < time.Second:
		return usage("--limit %s: give 1s or more", o.limit)
	case o.budget < 0:
		return usage("--budget %s: give a time, or 0 for no limit", o.budget)
	case o.one != "" && len(tests) > 0:
		return usage("--case already names the test: leave out the names of tests")
	}
	from, err := family.Of(o.from)
	if err != nil {
		return usage("--from: %w", err)
	}
	l, err := newLauncher()
	if err != nil {
		return err
	}
	l.Identity = l.Identity || o.identity
	if !o.quick {
		o.budget = 0
	}
	run := &verify.Run{Budget: o.budget, Launcher: l, From: from, Limit: o.limit, Mpiexec: mpiexec}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	var programs *rules.File
	if o.rules != "" {
		if programs, err = readRules(o.rules); err != nil {
			return usage("%w", err)
		}
	}
	if o.list {
		return listTests(ctx, run, programs)
	}
	if run.Runtime, err = l.Runtime(o.to, false); err != nil {
		return err
	}
	noteEmbedded(l, run.Runtime, o.to)
	if err := checkSession(l, run.Runtime, mpiexec, os.Getenv); err != nil {
		return err
	}
	if run.Parameters, err = o.parameters(tests); err != nil {
		return usage("%w", err)
	}
	run.Parameters.From, run.Parameters.To = from.Name, run.Runtime.Library
	to, name := o.to, run.Runtime.Vendor
	switch base := filepath.Base(run.Runtime.Prefix); {
	case to == "":
		to = run.Runtime.Library
	case !strings.Contains(to, "/"):
		name = strings.ReplaceAll(to, "@", "-")
	case strings.HasPrefix(base, name): // for example mpich-5.0.2
		name = base
	}
	run.RepeatCommand = []string{"wi4go", "verify", "--from", from.Name, "--to", to, "-n", strconv.Itoa(o.ranks)}
	if o.identity {
		run.RepeatCommand = append(run.RepeatCommand, "--identity")
	}
	for _, l := range run.Parameters.Layouts {
		run.RepeatCommand = append(run.RepeatCommand, "--layouts", l)
	}
	if o.rules != "" {
		run.RepeatCommand = append(run.RepeatCommand, "--rules", o.rules)
	}
	if o.mpicc != "" {
		run.RepeatCommand = append(run.RepeatCommand, "--mpicc", o.mpicc)
	}
	if run.File = o.report; run.File == "" && o.one == "" {
		run.File = fmt.Sprintf("wi4go-verify-%s%s-%s.json", o.rulesName(), from.Name, name)
	}
	var before *verify.Report
	if !o.fresh && run.File != "" && programs == nil {
		if before, err = verify.Read(run.File, run.Parameters); err != nil {
			return err
		}
	}
	if before != nil {
		fmt.Fprintf(os.Stderr, "wi4go: verify continues the interrupted run (--fresh starts again)\n")
	}
	out := io.Writer(stdout)
	if o.asJSON {
		out = io.Discard
	}
	watch, incomplete := &watcher{out: out}, false
	run.Watch = watch
	var report *verify.Report
	if programs != nil {
		report, err = run.Programs(ctx, programs, o.mpicc)
	} else {
		report, err = run.Verify(ctx, before)
	}
	watch.stop()
	switch {
	case errors.Is(err, verify.ErrInterrupted):
		kept := ""
		if run.File != "" && programs == nil {
			kept = ": the results so far are in " + run.File + ", and the same command continues the run"
		}
		return exitError{exitInterrupted, errors.New("interrupted" + kept)}
	case errors.Is(err, verify.ErrBudget):
		begun, left := report.Unfinished()
		for _, chapter := range begun {
			watch.rest(report, chapter)
		}
		fmt.Fprintf(os.Stderr, "wi4go: verify: not run within %s: %s; the same command runs them\n", o.budget, strings.Join(left, ", "))
		err, incomplete = nil, true
	case err != nil:
		return fmt.Errorf("verify: %w", err)
	}
	if o.asJSON {
		err = report.JSON(stdout)
	} else {
		watch.head(report)
		report.PrintVerdict(out)
		if run.File != "" {
			fmt.Fprintf(out, "report:  %s, %s\n", run.File, verify.TextFile(run.File))
		}
	}
	switch {
	case err != nil:
		return err
	case report.Status != 0:
		return exitError{report.Status, nil}
	case incomplete:
		return exitError{exitIncomplete, nil}
	}
	return nil
}

// parameters returns the parameters of the run from the options and the environment.
func (o verifyOptions) parameters(tests []string) (verify.Parameters, error) {
	a := verify.Parameters{Version: version, Ranks: o.ranks, Level: verify.Default, Tests: tests, Counts: o.counts, Case: o.one, Native: !o.noNative}
	switch {
	case o.smoke:
		a.Level = verify.Smoke
	case o.quick:
		a.Level = verify.Quick
	case o.full:
		a.Level = verify.Full
	}
	origin := "--types"
	if a.Types = o.types; a.Types == "" {
		a.Types, origin = os.Getenv("DTP_RUNTIME_TYPES"), "DTP_RUNTIME_TYPES"
	}
	// Launchers pass a value with commas on more reliably than a value with blanks.
	types := strings.Join(strings.FieldsFunc(a.Types, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' }), ",")
	if types == "" && a.Types != "" {
		return a, fmt.Errorf("%s %q names no basic type: give types such as MPI_INT,MPI_DOUBLE", origin, a.Types)
	}
	a.Types = types
	if a.Objects = o.objects; a.Objects == "" {
		a.Objects = os.Getenv("DTP_NUM_OBJS")
	}
	for _, l := range o.layouts {
		path, err := filepath.Abs(l)
		if err != nil {
			return a, err
		}
		a.Layouts = append(a.Layouts, path)
	}
	if a.Rules = o.rules; a.Rules != "" {
		path, err := filepath.Abs(a.Rules)
		if err != nil {
			return a, err
		}
		a.Rules = path
	}
	if file := os.Getenv("DTP_DATATYPE_FILE"); file != "" {
		path, err := filepath.Abs(file)
		if err != nil {
			return a, err
		}
		a.TypesFile = path
	}
	return a, nil
}

// allTests returns the tests for any number of ranks.
func allTests(ctx context.Context, run *verify.Run) ([]*verify.Test, error) {
	run.Parameters.Ranks = 1 << 20
	return run.List(ctx)
}

// defaultFrom returns the family that is used without --from: the interface family for programs of --rules, and any for a list of tests.
func (o verifyOptions) defaultFrom() string {
	switch {
	case o.rules != "":
		return family.Interface.Name
	case o.list:
		return family.All[0].Name
	}
	return ""
}

// rulesName returns the name of the rules file as a part of the report's name, or "" without --rules.
func (o verifyOptions) rulesName() string {
	if o.rules == "" {
		return ""
	}
	return strings.TrimSuffix(filepath.Base(o.rules), filepath.Ext(o.rules)) + "-"
}

// readRules returns the rules in a file of a user.
func readRules(file string) (*rules.File, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--rules: %w: name a file with a test in each line", err)
	}
	return rules.Parse(file, text)
}

// listTests prints all tests with their chapters: those of a rules file, or the built-in ones.
func listTests(ctx context.Context, run *verify.Run, programs *rules.File) error {
	if programs != nil {
		for _, t := range programs.Tests() {
			fmt.Fprintf(stdout, "%-36s %s\n", t.Name, t.Chapter)
		}
		return nil
	}
	tests, err := allTests(ctx, run)
	if err != nil {
		return err
	}
	for _, t := range tests {
		fmt.Fprintf(stdout, "%-36s %s\n", t.Name, t.Chapter)
	}
	return nil
}

// watcher displays the progress: a bar on a terminal, and the table of each complete chapter.
type watcher struct {
	out    io.Writer                // for tables
	headed bool                     // the head was printed
	shown  []string                 // chapters that were printed
	bar    *progressbar.ProgressBar // bar of the current part, or nil
}

// Expect prints how long the run will take.
func (w *watcher) Expect(duration time.Duration) {
	if duration > 0 {
		fmt.Fprintf(os.Stderr, "wi4go: verify: this takes about %s (--quick: %s at most)\n", roughly(duration), roughly(quickBudget))
	}
}

// roughly returns a duration in words, in seconds, minutes or hours.
func roughly(d time.Duration) string {
	for _, unit := range []struct {
		name string
		time.Duration
	}{{"hour", time.Hour}, {"minute", time.Minute}} {
		switch n := d.Round(unit.Duration) / unit.Duration; {
		case n == 1 && d >= unit.Duration*9/10:
			return "1 " + unit.name
		case n > 1:
			return fmt.Sprintf("%d %ss", n, unit.name)
		}
	}
	return fmt.Sprintf("%d seconds", max(d.Round(10*time.Second), 10*time.Second)/time.Second)
}

// Part starts the bar of a part.
func (w *watcher) Part(name string, done, total int) {
	w.stop()
	columns, _, err := term.GetSize(int(os.Stderr.Fd()))
	if err != nil {
		return // not a terminal
	}
	w.bar = progressbar.NewOptions(total, append(barText(columns, name, total), progressbar.OptionSetWriter(os.Stderr),
		progressbar.OptionFullWidth(), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())...)
	w.Progress(done)
	_ = w.bar.RenderBlank() // Progress draws from 1 % on, and the first case may take long
}

// barText returns the options for the text next to a bar. It leaves out texts that do not fit
// into columns, because a line that wraps cannot be redrawn.
func barText(columns int, name string, total int) []progressbar.Option {
	room := columns - len(" 100% ||    ")
	fits := func(text string) bool {
		if len(text) > room {
			return false
		}
		room -= len(text)
		return true
	}
	var options []progressbar.Option
	if fits(name) {
		options = append(options, progressbar.OptionSetDescription(name))
	}
	if fits(fmt.Sprintf(" (%d/%d)", total, total)) {
		options = append(options, progressbar.OptionShowCount())
	}
	times := fits(" [10h59m59s:10h59m59s]")
	return append(options, progressbar.OptionSetElapsedTime(times), progressbar.OptionSetPredictTime(times))
}

// Progress updates the bar.
func (w *watcher) Progress(done int) {
	if w.bar != nil {
		_ = w.bar.Set(done) // a failing display must not stop the tests
	}
}

// Chapter prints the table of a chapter.
func (w *watcher) Chapter(r *verify.Report, name string) {
	w.stop()
	w.head(r)
	r.PrintChapter(w.out, name)
	w.shown = append(w.shown, name)
}

// rest prints a chapter that is not complete.
func (w *watcher) rest(r *verify.Report, name string) {
	if !slices.Contains(w.shown, name) {
		w.Chapter(r, name)
	}
}

// head prints the head of the report once.
func (w *watcher) head(r *verify.Report) {
	if !w.headed {
		r.PrintHead(w.out)
	}
	w.headed = true
}

// stop removes the bar.
func (w *watcher) stop() {
	if w.bar != nil {
		_ = w.bar.Finish()
	}
	w.bar = nil
}
