// Package verify runs the test programs on a runtime, translated and, if possible, natively,
// and reports the results. The programs are verify/*.c, in C over datatype pools, and
// verify/fortran, which call MPI as Fortran programs do. With a rules file, the programs are the user's own, which it compiles
// (Programs).
//
// It starts the programs as `wi4go run` does, through package launch. It must not know what a
// test does: names and verdicts come from the programs.
package verify

import (
	"context"
	"errors"
	"slices"
	"time"

	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/launch"
	"wi4go/internal/runtimes"
	"wi4go/internal/shell"
)

// A Run is a question to verify, with everything needed to answer it.
type Run struct {
	Launcher      launch.Launcher   // starts the programs
	From          *family.Family    // family of the programs
	Runtime       *runtimes.Runtime // library to run on
	Parameters    Parameters        // parameters of the tests, kept in the report
	Limit         time.Duration     // limit of one case
	Budget        time.Duration     // limit of all cases together; 0 for none
	Mpiexec       []string          // further options of the launcher
	RepeatCommand []string          // command that, with --case and a case added, repeats the case
	File          string            // file of the report, "" for none
	Watch         Watcher           // observer of the progress
}

// bindings are the bindings that have a program of tests: C, mpif.h with `use mpi` (which have
// the same procedures), and mpi_f08. Each chapter belongs to one of them.
var bindings = []string{"", "mpif", "f08"}

// A Watcher observes the progress of a Run.
type Watcher interface {
	// Expect reports the approximate duration of the run, before it begins; 0 if it is not known.
	Expect(duration time.Duration)
	// Part starts a part: a chapter on one side. done of total cases are already finished.
	Part(name string, done, total int)
	// Progress updates the number of finished cases.
	Progress(done int)
	// Chapter reports that a chapter is complete.
	Chapter(r *Report, name string)
}

// ErrInterrupted means that the context ended. The report contains the results so far.
var ErrInterrupted = errors.New("interrupted")

// ErrBudget means that the budget was used up. The report contains the results so far.
var ErrBudget = errors.New("the time limit is reached")

// Verify runs the tests and returns the report. before is an interrupted report to continue, or
// nil. After an error the report contains the results so far; it is nil if nothing ran.
func (r *Run) Verify(ctx context.Context, before *Report) (*Report, error) {
	limited := ctx
	if r.Budget > 0 {
		var stop context.CancelFunc
		limited, stop = context.WithTimeoutCause(ctx, r.Budget, ErrBudget)
		defer stop()
	}
	report, sidesOf, err := r.prepare(ctx, before)
	if err != nil {
		return nil, err
	}
	if (r.Parameters.Level == Default || r.Parameters.Level == Full) && r.Parameters.Case == "" {
		r.Watch.Expect(r.estimate(limited, report, sidesOf))
	}
	for _, chapter := range report.Chapters() {
		err := r.chapter(limited, report, chapter, sidesOf)
		if errors.Is(err, ErrInterrupted) && context.Cause(limited) == ErrBudget {
			err = ErrBudget
		}
		r.judge(report)
		if err != nil {
			return report, errors.Join(err, r.finish(report))
		}
		if err := r.write(report); err != nil {
			return report, err
		}
		r.Watch.Chapter(report, chapter)
	}
	report.Complete, report.Progress = true, nil
	return report, r.finish(report)
}

// prepare returns the report to fill and the sides of each binding.
func (r *Run) prepare(ctx context.Context, before *Report) (report *Report, sidesOf map[string][]*side, err error) {
	report = before
	tests, notes, err := r.list(ctx)
	if err != nil {
		return nil, nil, err
	}
	if report == nil {
		report = &Report{Parameters: r.Parameters, Runtime: r.product(), Tests: tests, Notes: notes, Progress: map[string]int{}}
	}
	for i, t := range report.Tests {
		if i < len(tests) {
			t.ranks, t.binding, t.lacking = tests[i].ranks, tests[i].binding, tests[i].lacking
		}
	}
	sidesOf, err = r.sidesOf(report, before == nil)
	return report, sidesOf, err
}

// product returns the product and the version of the runtime, or only the product.
func (r *Run) product() string {
	if v := runtimes.QueryVersion(r.Launcher.Tree.Command(), r.Runtime); v.Problem == "" && v.Product != "" {
		return v.Product
	}
	return r.Runtime.Title()
}

// chapter runs a chapter on all sides. If the native tests of a binding do not start, it removes that
// side from sidesOf; if translated tests in Fortran do not start, it marks them as not run.
func (r *Run) chapter(ctx context.Context, report *Report, chapter string, sidesOf map[string][]*side) error {
	binding := report.binding(chapter)
	for _, s := range sidesOf[binding] {
		err := newPart(r, report, chapter, s).run(ctx)
		var start startError
		switch {
		case errors.As(err, &start) && s.name == sideNatively:
			report.Notes = append(report.Notes, noNative(report, binding, fault.Text(err)))
			sidesOf[binding] = sidesOf[binding][:1]
		case errors.As(err, &start) && binding != "":
			report.markNotRun(chapter, fault.Text(err))
			return nil
		case err != nil:
			return err
		}
	}
	return nil
}

// write writes the report to r.File, if there is one.
func (r *Run) write(report *Report) error {
	if r.File == "" {
		return nil
	}
	return report.Write(r.File)
}

// finish writes the report at the end of the run, also as text.
func (r *Run) finish(report *Report) error {
	if r.File == "" {
		return nil
	}
	return errors.Join(report.Write(r.File), report.WriteText(TextFile(r.File)))
}

// judge sets all verdicts, the report's status, and the command that repeats each failure.
func (r *Run) judge(report *Report) {
	report.Status = 0
	for _, t := range report.Tests {
		// Fortran procedures are not in the C library, and these tests use MPI-3.1 only, so no
		// function is missing.
		lacks := t.binding == "" && r.From != r.Runtime.Family && !r.Runtime.Object().Defines(t.Function)
		if t.withoutFront {
			t.Natively = t.Through
		}
		t.judge(lacks)
		if t.Verdict != Wrong && t.Verdict != WrongNatively {
			continue
		}
		if t.Verdict == Wrong {
			report.Status = 1
		}
		if len(r.RepeatCommand) > 0 {
			t.Command = shell.Join(append(slices.Clone(r.RepeatCommand), "--case", t.smallest().Case)...)
		}
	}
}
