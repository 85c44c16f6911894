// Package verify runs the test programs on a runtime, translated and, if possible, natively,
// and reports the results. The programs are verify/*.c, in C over datatype pools, and
// verify/fortran, which call MPI as Fortran programs do.
//
// It starts the programs as `wi4go run` does, through package launch. It must not know what a
// test does: names and verdicts come from the programs.
package verify

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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
	// Part starts a part: a chapter on one side. done of total cases are already finished.
	Part(name string, done, total int)
	// Progress updates the number of finished cases.
	Progress(done int)
	// Chapter reports that a chapter is complete.
	Chapter(r *Report, name string)
}

// startLimit bounds the time until the first case begins, if the limit of a case is shorter.
// settleLimit bounds how long the remaining ranks may run a case after one rank has reported a
// failure.
const (
	startLimit  = 2 * time.Minute
	settleLimit = 5 * time.Second
)

// ErrInterrupted means that the context ended. The report contains the results so far.
var ErrInterrupted = errors.New("interrupted")

// ErrBudget means that the budget was used up. The report contains the results so far.
var ErrBudget = errors.New("the time limit is reached")

// A startError is the reason why the tests did not start.
type startError struct{ error }

// Names of the sides in Report.Progress.
const sideThrough, sideNatively = "through", "natively"

// A side is one of the two ways to run the tests: translated or natively.
type side struct {
	name    string                // name in Report.Progress
	program string                // path of the test program
	job     *launch.Job           // how launch runs it
	tally   func(t *Test) **Tally // returns the tally of a test on this side
}

// Verify runs the tests and returns the report. before is an interrupted report to continue, or
// nil. After an error the report contains the results so far; it is nil if nothing ran.
func (r *Run) Verify(ctx context.Context, before *Report) (*Report, error) {
	limited := ctx
	if r.Budget > 0 {
		var stop context.CancelFunc
		limited, stop = context.WithTimeoutCause(ctx, r.Budget, ErrBudget)
		defer stop()
	}
	report := before
	tests, notes, err := r.list(ctx)
	if err != nil {
		return nil, err
	}
	if report == nil {
		report = &Report{Parameters: r.Parameters, Runtime: r.Runtime.Title(), Tests: tests, Notes: notes, Progress: map[string]int{}}
		if v := runtimes.QueryVersion(r.Launcher.Tree.Command(), r.Runtime); v.Problem == "" && v.Product != "" {
			report.Runtime = v.Product
		}
	}
	for i, t := range report.Tests {
		if i < len(tests) {
			t.ranks, t.binding = tests[i].ranks, tests[i].binding
		}
	}
	sidesOf, err := r.sidesOf(report, before == nil)
	if err != nil {
		return nil, err
	}
	for _, chapter := range report.Chapters() {
		binding := report.binding(chapter)
		for _, s := range sidesOf[binding] {
			err := newPart(r, report, chapter, s).run(limited)
			if errors.Is(err, ErrInterrupted) && context.Cause(limited) == ErrBudget {
				err = ErrBudget
			}
			var start startError
			if errors.As(err, &start) && s.name == sideNatively {
				report.Notes = append(report.Notes, noNative(report, binding, fault.Text(err)))
				sidesOf[binding], err = sidesOf[binding][:1], nil
			}
			if errors.As(err, &start) && s.name == sideThrough && binding != "" {
				report.markNotRun(chapter, fault.Text(err))
				err = nil
				break
			}
			if err != nil {
				r.judge(report)
				return report, errors.Join(err, r.write(report))
			}
		}
		r.judge(report)
		if err := r.write(report); err != nil {
			return report, err
		}
		r.Watch.Chapter(report, chapter)
	}
	report.Complete, report.Progress = true, nil
	return report, r.write(report)
}

// write writes the report to r.File, if there is one.
func (r *Run) write(report *Report) error {
	if r.File == "" {
		return nil
	}
	return report.Write(r.File)
}

// sidesOf returns the sides of each binding that has tests in the report. If Fortran cannot run
// at all, its tests record the reason and the other tests run. begins reports whether the
// report is new; a continued report has its notes already.
func (r *Run) sidesOf(report *Report, begins bool) (map[string][]*side, error) {
	all := map[string][]*side{}
	for _, binding := range bindings {
		tests := report.testsOf(binding)
		if len(tests) == 0 {
			continue
		}
		through, natively, reason, err := r.sides(binding)
		if err != nil && binding == "" {
			return nil, err
		}
		for _, t := range tests {
			if t.withoutFront = err == nil && through.job.Native(); err != nil {
				t.Reason = fault.Text(err)
			}
		}
		switch {
		case err != nil:
			continue
		case natively != nil:
			all[binding] = []*side{through, natively}
		default:
			all[binding] = []*side{through}
		}
		switch {
		case !begins || reason == "":
		case through.job.Native():
			if !slices.Contains(report.Notes, reason) {
				report.Notes = append(report.Notes, reason)
			}
		default:
			report.Notes = append(report.Notes, noNative(report, binding, reason))
		}
	}
	return all, nil
}

// noNative returns the note that a binding has no native run because of reason.
func noNative(report *Report, binding, reason string) string {
	if binding == "" {
		return "no native run: " + reason
	}
	return fmt.Sprintf("no native run of %s: %s", report.testsOf(binding)[0].Chapter, reason)
}

// sides returns the translated run of a binding and the native one. If there is no native run,
// natively is nil and reason is the reason.
func (r *Run) sides(binding string) (through, natively *side, reason string, err error) {
	make := func(name string, from *family.Family, tally func(t *Test) **Tally) (*side, error) {
		soname := from.Sonames[0]
		if from == r.Runtime.Family && slices.Contains(from.Sonames, r.Runtime.Soname) {
			soname = r.Runtime.Soname
		}
		program, err := r.Launcher.Tree.Verify(from.Name, soname, binding)
		if err != nil {
			return nil, err
		}
		j, err := r.Launcher.Job([]string{program}, "", "", r.Runtime)
		if err != nil {
			return nil, err
		}
		for _, v := range []launch.Var{{Name: "DTP_NUM_OBJS", Value: r.Parameters.Objects}, {Name: "DTP_RUNTIME_TYPES", Value: r.Parameters.Types},
			{Name: "DTP_DATATYPE_FILE", Value: r.Parameters.TypesFile}} {
			if v.Value != "" {
				j.Env = append(j.Env, v)
			}
		}
		return &side{name, program, j, tally}, r.Launcher.Prepare(j)
	}
	if through, err = make(sideThrough, r.From, func(t *Test) **Tally { return &t.Through }); err != nil || !r.Parameters.Native || through.job.Native() {
		if err == nil && through.job.Native() {
			reason = "the tests are for the library's own family and run on it without wi4go (--identity uses the front)"
		}
		return through, nil, reason, err
	}
	identity := r.Launcher.Identity
	r.Launcher.Identity = false
	natively, err = make(sideNatively, r.Runtime.Family, func(t *Test) **Tally { return &t.Natively })
	r.Launcher.Identity = identity
	switch {
	case err != nil:
		return through, nil, fault.Text(err), nil
	case !natively.job.Native():
		return through, nil, natively.job.Reason, nil
	}
	return through, natively, "", nil
}

// list returns the requested tests, which it gets from the programs. It does not run the
// Fortran programs, which need wi4go's Fortran library, if all requested tests are in C. A
// Fortran program that cannot list its tests causes a note. list returns an error for an
// unknown test and for a test that needs more ranks.
func (r *Run) list(ctx context.Context) (tests []*Test, notes []string, err error) {
	names := slices.Clone(r.Parameters.Tests)
	if r.Parameters.Case != "" {
		name, _, _ := strings.Cut(r.Parameters.Case, "/")
		names = []string{name}
	}
	needs := map[string]int{} // ranks that a test needs, or the fewest of a function or chapter
	for _, binding := range bindings {
		all, err := r.tests(ctx, binding)
		if err != nil && binding == "" {
			return nil, nil, err
		}
		if err != nil {
			notes = append(notes, "no tests in Fortran: "+fault.Text(err))
			break
		}
		for _, t := range all {
			for _, name := range []string{t.Name, t.Function, t.Chapter} {
				if n, known := needs[name]; !known || t.ranks < n {
					needs[name] = t.ranks
				}
			}
			// --case names a test, so a function of the same name does not match.
			if len(names) == 0 || slices.Contains(names, t.Name) || slices.Contains(names, t.Chapter) || r.Parameters.Case == "" && slices.Contains(names, t.Function) {
				tests = append(tests, t)
			}
		}
		// Stop before the Fortran programs if all requested names are known already.
		unknown := func(w string) bool { return needs[w] == 0 }
		if binding == "" && len(names) > 0 && !slices.ContainsFunc(names, unknown) {
			break
		}
	}
	for _, w := range names {
		switch ranks, known := needs[w]; {
		case !known && len(notes) > 0:
			return nil, nil, fmt.Errorf("no test, function or chapter is called %q in C, and %s", w, notes[0])
		case !known:
			return nil, nil, fmt.Errorf("no test, function or chapter is called %q: %s`wi4go verify --list` shows them", w,
				fault.Suggestion(w, slices.Sorted(maps.Keys(needs))))
		case ranks > r.Parameters.Ranks:
			return nil, nil, fmt.Errorf("%s needs %d ranks: -n %d gives too few", w, ranks, r.Parameters.Ranks)
		}
	}
	return tests, notes, nil
}

// tests returns the tests of a binding's program.
func (r *Run) tests(ctx context.Context, binding string) (tests []*Test, err error) {
	if binding != "" && r.From.FortranLibrary == "" && !r.Launcher.Tree.HasInterface() {
		return nil, fmt.Errorf("the tests for %s need wi4go's mpifort, which this installation does not have: reinstall wi4go", r.From.Title)
	}
	program, err := r.Launcher.Tree.Verify(r.From.Name, r.From.Sonames[0], binding)
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, program, "--list")
	libraries := r.Launcher.Tree.Dir(r.From.Name)
	c.Env = launch.Environ(os.Environ(), []launch.Var{{Name: "LD_LIBRARY_PATH", Value: libraries + ":" + filepath.Join(libraries, "path")}})
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s --list: %w", program, err)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) != 3 {
			return nil, fmt.Errorf("%s --list: unexpected line %q", program, line)
		}
		ranks, err := strconv.Atoi(fields[2])
		if err != nil {
			return nil, fmt.Errorf("%s --list: %w", program, err)
		}
		function, _, _ := strings.Cut(fields[0], ":")
		t := &Test{Name: fields[0], Function: function, Chapter: fields[1], Verdict: NotRun, Native: NotRun, ranks: ranks, binding: binding}
		if ranks > r.Parameters.Ranks {
			t.Reason = fmt.Sprintf("needs %d ranks", ranks)
		}
		tests = append(tests, t)
	}
	return tests, nil
}

// List returns the requested tests without running them.
func (r *Run) List(ctx context.Context) ([]*Test, error) {
	tests, _, err := r.list(ctx)
	return tests, err
}

// A part is a chapter on one side.
type part struct {
	*Run
	report  *Report          // the report to fill
	chapter string           // name of the chapter
	side    *side            // the side
	tests   map[string]*Test // the chapter's tests by name
	names   []string         // names of the tests, in order
	key     string           // key in Report.Progress
	shown   bool             // Watch.Part was called
	saved   time.Time        // time of the last write of the report
}

// newPart returns the part of a chapter on side s.
func newPart(r *Run, report *Report, chapter string, s *side) *part {
	p := &part{Run: r, report: report, chapter: chapter, side: s, tests: map[string]*Test{}, key: s.name + " " + chapter, saved: time.Now()}
	for _, t := range report.Tests {
		if t.Chapter == chapter && t.ranks <= r.Parameters.Ranks {
			p.tests[t.Name] = t
			p.names = append(p.names, t.Name)
		}
	}
	return p
}

// run runs the remaining cases of the part, in as many jobs as necessary.
func (p *part) run(ctx context.Context) error {
	for len(p.names) > 0 && p.report.Progress[p.key] >= 0 {
		next, err := p.job(ctx)
		if err != nil {
			return err
		}
		p.report.Progress[p.key] = next
	}
	p.report.Progress[p.key] = -1
	return nil
}

// tally returns the tally of a test on this side.
func (p *part) tally(test string) *Tally {
	t := p.side.tally(p.tests[test])
	if *t == nil {
		*t = &Tally{}
	}
	return *t
}

// job starts the tests once and processes the ranks' messages. It returns -1 if all cases are
// finished. After a failure it ends the job, because the library may keep a message, a lock or
// an error of the failed case, and returns the case at which another job must continue.
func (p *part) job(ctx context.Context) (next int, err error) {
	dir, err := os.MkdirTemp(filepath.Dir(p.File), ".wi4go-verify-")
	if err != nil {
		return 0, fmt.Errorf("cannot create a directory for the ranks' output: %w", err)
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.Abs(dir); err != nil {
		return 0, err
	}
	skip := p.report.Progress[p.key]
	command, err := p.command(dir, skip)
	if err != nil {
		return 0, err
	}
	mpiexec, err := start(command)
	if err != nil {
		return 0, err
	}
	grace := time.Duration(0)
	defer func() { mpiexec.end(grace, dir, p.side.program) }()

	j := newJob(dir, skip)
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	past, moved := skip, time.Now()
	for {
		over, limit := false, p.Limit
		select {
		case <-ctx.Done():
		case <-mpiexec.Done():
			over = true
		case <-ticker.C:
		}
		news, err := j.read()
		if err != nil {
			return 0, err
		}
		if text := j.refused(); text != "" {
			grace = 5 * time.Second
			return 0, errors.New(text)
		}
		if j.total >= 0 && !p.shown {
			p.Watch.Part(p.key, j.done, j.total)
			p.shown = true
		}
		// The job moves if a case is finished or, before the number of cases is known, if
		// anything was written.
		before := past
		if past = j.past(p.Parameters.Ranks); past > before || j.total < 0 && news {
			moved = time.Now()
		}
		// Cases after a wrong one may be wrong only because of it, so they are not taken.
		right := past
		if j.wrong >= 0 {
			right = min(past, j.wrong)
		}
		p.collect(j, right)
		p.Watch.Progress(j.done)
		if j.wrong < 0 && j.ended(p.Parameters.Ranks) {
			grace = 10 * time.Second // for MPI_Finalize
			return -1, nil
		}
		if ctx.Err() != nil {
			return 0, ErrInterrupted
		}
		switch {
		case j.total < 0:
			limit = max(limit, startLimit)
		// A rank has reported a failure in the current case; the others get little time to
		// finish it.
		case past == j.wrong:
			limit = min(limit, settleLimit)
		}
		hangs := !over && time.Since(moved) > limit
		if over || hangs || j.wrong >= 0 && past > j.wrong {
			return p.recordFailure(j, mpiexec, hangs, shell.Join(command...))
		}
		if time.Since(p.saved) > 5*time.Second {
			p.saved = time.Now()
			if err := p.write(p.report); err != nil {
				return 0, err
			}
		}
	}
}

// collect adds the results of the cases before upTo to the tallies of their tests.
func (p *part) collect(j *job, upTo int) {
	j.collect(upTo, func(f *finding) { p.tally(f.test()).add(f) })
	p.report.Progress[p.key] = j.done
}

// recordFailure evaluates a job that did not finish. It records the case in which the job failed, and
// returns the case at which to continue. It returns a startError if the tests did not start.
func (p *part) recordFailure(j *job, mpiexec *process, hangs bool, command string) (next int, err error) {
	number, text := j.blameForEnd(hangs)
	if number < 0 {
		for _, k := range j.ranks {
			if k.size > 0 && k.size != p.Parameters.Ranks {
				return 0, startError{fmt.Errorf("%d ranks were started, but one finds itself in a job of %d, because the library does not "+
					"support its launcher: with --to, name the library and the mpiexec of one installation", p.Parameters.Ranks, k.size)}
			}
		}
		text := "the tests did not start"
		if hangs {
			text += " within " + max(p.Limit, startLimit).String()
		}
		return 0, startError{fmt.Errorf("%s%s: start it by hand to see its whole output: %s", text, mpiexec.diagnosis(), command)}
	}
	f := j.pending[number]
	if f.wrong == "" {
		f.wrong = text + mpiexec.diagnosis()
	}
	p.collect(j, min(number, j.past(p.Parameters.Ranks)))
	// A rank that had not finished these cases may have failed in them, so they count as not
	// run.
	j.collect(number, func(f *finding) { p.tally(f.test()).Left++ })
	p.collect(j, number+1)
	t := p.tally(f.test())
	hung := hangs && number != j.wrong
	if hung {
		t.Hung++
	}
	var want []Failure
	if through := p.tests[f.test()].Through; through != nil {
		want = through.Failures
	}
	s := j.spans[slices.IndexFunc(j.spans, func(s span) bool { return s.test == f.test() })]
	if next = t.next(s, number, hung, want); next == j.total {
		return -1, nil
	}
	return next, nil
}

// command returns the command line of the launcher. The ranks write into dir and skip the first
// skip cases.
func (p *part) command(dir string, skip int) ([]string, error) {
	program := []string{p.side.program, "--results", dir, "--skip", strconv.Itoa(skip)}
	if p.Parameters.Case != "" {
		program = append(program, "--case", p.Parameters.Case)
	} else {
		c := planned(p.chapter, p.Parameters.Level)
		counts := strings.Join(c.counts, ",")
		if p.Parameters.Counts != "" {
			counts = p.Parameters.Counts
		}
		program = append(program, "--tests", strings.Join(p.names, ","), "--signatures", strings.Join(c.signatures, ","),
			"--counts", counts, "--pairs", c.pairs)
	}
	options := append([]string{"-n", strconv.Itoa(p.Parameters.Ranks)}, p.Mpiexec...)
	return p.Launcher.Command([]launch.Segment{{Options: options, Program: program}}, []*launch.Job{p.side.job})
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
