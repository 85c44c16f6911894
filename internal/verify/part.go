package verify

import (
	"cmp"
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
		if t.Chapter == chapter && t.ranks <= r.Parameters.Ranks && !t.lacking {
			p.tests[t.Name] = t
			p.names = append(p.names, t.Name)
		}
	}
	// To be short, a smoke run compares only chapters that need it. It runs all of their tests, because cases are numbered across tests.
	isWrong := func(name string) bool { return p.tests[name].Through != nil && p.tests[name].Through.Wrong > 0 }
	if r.Parameters.Level == Smoke && s.name == sideNatively && !slices.ContainsFunc(p.names, isWrong) {
		p.names = nil
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

// An attempt is one start of the tests.
type attempt struct {
	*job
	*process
	command []string
	end     func(grace time.Duration) // ends the launcher and its ranks, and removes their files
}

// begin starts the tests, without the first skip cases and with further options.
func (p *part) begin(skip int, options ...string) (*attempt, error) {
	dir, err := os.MkdirTemp(filepath.Dir(p.File), ".wi4go-verify-")
	if err != nil {
		return nil, fmt.Errorf("cannot create a directory for the ranks' output: %w", err)
	}
	a := &attempt{}
	if dir, err = filepath.Abs(dir); err == nil {
		a.command, err = p.command(dir, skip, options...)
	}
	if err == nil {
		a.process, err = start(a.command)
	}
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	a.job = newJob(dir, skip)
	a.end = func(grace time.Duration) {
		a.process.end(grace, dir, p.side.program)
		os.RemoveAll(dir)
	}
	return a, nil
}

// job starts the tests once and processes the ranks' messages. It returns -1 if all cases are
// finished. After a failure it ends the job, because the library may keep a message, a lock or
// an error of the failed case, and returns the case at which another job must continue.
func (p *part) job(ctx context.Context) (next int, err error) {
	j, err := p.begin(p.report.Progress[p.key])
	if err != nil {
		return 0, err
	}
	grace := time.Duration(0)
	defer func() { j.end(grace) }()

	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	past, moved := j.done, time.Now()
	for {
		over := false
		select {
		case <-ctx.Done():
		case <-j.Done():
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
		// The job moves if a case is finished or, before the number of cases is known, if
		// anything was written.
		before := past
		if past = j.past(p.Parameters.Ranks); past > before || j.total < 0 && news {
			moved = time.Now()
		}
		p.take(j.job, past)
		if j.wrong < 0 && j.ended(p.Parameters.Ranks) {
			grace = 10 * time.Second // for MPI_Finalize
			return -1, nil
		}
		if ctx.Err() != nil {
			return 0, ErrInterrupted
		}
		hangs := !over && time.Since(moved) > p.limitOf(j.job, past)
		if over || hangs || j.wrong >= 0 && past > j.wrong {
			return p.recordFailure(j.job, j.process, hangs, shell.Join(j.command...))
		}
		if time.Since(p.saved) > 5*time.Second {
			p.saved = time.Now()
			if err := p.write(p.report); err != nil {
				return 0, err
			}
		}
	}
}

// take collects the cases before past that are valid, and reports the progress.
func (p *part) take(j *job, past int) {
	if j.total >= 0 && !p.shown {
		p.Watch.Part(p.key, j.done, j.total)
		p.shown = true
	}
	// Cases after a wrong one may be wrong only because of it, so they are not taken.
	if j.wrong >= 0 {
		past = min(past, j.wrong)
	}
	p.collect(j, past)
	p.Watch.Progress(j.done)
}

// limitOf returns the time that a job may take for its current case, past.
func (p *part) limitOf(j *job, past int) time.Duration {
	switch {
	case j.total < 0:
		return max(p.Limit, startLimit)
	case past == j.wrong: // the ranks that have not reported a failure get little time to finish the case
		return min(p.Limit, settleLimit)
	}
	if i := slices.IndexFunc(j.spans, func(s span) bool { return s.first <= past && past < s.next }); i >= 0 {
		return cmp.Or(p.tests[j.spans[i].test].limit, p.Limit)
	}
	return p.Limit
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
// skip cases; more has further options of theirs.
func (p *part) command(dir string, skip int, more ...string) ([]string, error) {
	program := append([]string{p.side.program, "--results", dir, "--skip", strconv.Itoa(skip)}, more...)
	if len(p.side.layouts) > 0 {
		program = append(program, "--layouts", strings.Join(p.side.layouts, ","))
	}
	if p.Parameters.Case != "" {
		program = append(program, "--case", p.Parameters.Case)
	} else {
		c := planned(p.chapter, p.Parameters.Level)
		counts := strings.Join(c.Counts, ",")
		if p.Parameters.Counts != "" {
			counts = p.Parameters.Counts
		}
		program = append(program, "--tests", strings.Join(p.names, ","), "--signatures", strings.Join(c.Signatures, ","),
			"--counts", counts, "--pairs", c.Pairs)
	}
	options := append([]string{"-n", strconv.Itoa(p.Parameters.Ranks)}, p.Mpiexec...)
	return p.Launcher.Command([]launch.Segment{{Options: options, Program: program}}, []*launch.Job{p.side.job})
}
