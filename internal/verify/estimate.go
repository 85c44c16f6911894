package verify

import (
	"context"
	"time"
)

// sampleLimit bounds the time of the cases of a sample.
const sampleLimit = 3 * time.Second

// A sample is the measured duration of some cases of a chapter.
type sample struct {
	start time.Duration // from the start of the launcher to the first case
	each  time.Duration // per case
	total int           // number of cases of the chapter
}

// estimate returns the approximate duration of the cases that are left, or 0 if a sample of a chapter
// cannot be measured. It assumes that a case takes as long natively as translated.
func (r *Run) estimate(ctx context.Context, report *Report, sidesOf map[string][]*side) (duration time.Duration) {
	for _, chapter := range report.Chapters() {
		sides := sidesOf[report.binding(chapter)]
		if len(sides) == 0 {
			continue
		}
		p := newPart(r, report, chapter, sides[0])
		if len(p.names) == 0 {
			continue
		}
		s, ok := p.sample(ctx)
		if !ok {
			return 0
		}
		for _, side := range sides {
			if done := report.Progress[newPart(r, report, chapter, side).key]; done >= 0 {
				duration += s.start + time.Duration(s.total-done)*s.each
			}
		}
	}
	return duration
}

// sample runs a small part of each test's cases, without a record of their results. It returns false if
// no case begins.
func (p *part) sample(ctx context.Context) (s sample, ok bool) {
	a, err := p.begin(0, "--sample", "1")
	if err != nil {
		return s, false
	}
	defer a.end(0)
	begun := time.Now()
	var first time.Time
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for over := false; !over; {
		select {
		case <-ctx.Done():
			return s, false
		case <-a.Done():
			over = true
		case <-ticker.C:
		}
		if _, err := a.read(); err != nil {
			return s, false
		}
		if first.IsZero() && len(a.pending) > 0 {
			first = time.Now()
		}
		over = over || a.ended(p.Parameters.Ranks) || first.IsZero() && time.Since(begun) > startLimit ||
			!first.IsZero() && time.Since(first) > sampleLimit
	}
	if first.IsZero() || a.total < 0 {
		return s, false
	}
	return sample{first.Sub(begun), time.Since(first) / time.Duration(len(a.pending)), a.total}, true
}
