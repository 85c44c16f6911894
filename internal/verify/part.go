package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"wi4go/internal/launch"
	"wi4go/internal/shell"
)

// startLimit bounds the time until the first case begins, if the limit of a case is shorter.
// settleLimit bounds how long the remaining ranks may run a case after one rank has reported a
// failure.
const (
	startLimit  = 2 * time.Minute
	settleLimit = 5 * time.Second
)

// A startError is the reason why the tests did not start.
type startError struct{ error }

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
