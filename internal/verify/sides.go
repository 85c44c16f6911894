package verify

import (
	"fmt"
	"slices"

	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/launch"
)

// Names of the sides in Report.Progress.
const sideThrough, sideNatively = "through", "natively"

// A side is one of the two ways to run the tests: translated or natively.
type side struct {
	name    string                // name in Report.Progress
	program string                // path of the test program
	layouts []string              // libraries with further layouts, for the program in C
	job     *launch.Job           // how launch runs it
	tally   func(t *Test) **Tally // returns the tally of a test on this side
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

// noNative returns the note that a binding lacks a native run because of reason.
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
		var layouts []string
		if binding == "" && len(r.Parameters.Layouts) > 0 {
			var err error
			if layouts, soname, err = r.layoutsFor(from); err != nil {
				return nil, err
			}
		}
		program, err := r.Launcher.Tree.Verify(from.Name, soname, binding)
		if err != nil {
			return nil, err
		}
		j, err := r.Launcher.Job([]string{program}, "", "", r.Runtime)
		if err != nil {
			return nil, err
		}
		for _, v := range []launch.Var{{Name: "DTP_NUM_OBJS", Value: r.objects()}, {Name: "DTP_RUNTIME_TYPES", Value: r.Parameters.Types},
			{Name: "DTP_DATATYPE_FILE", Value: r.Parameters.TypesFile}} {
			if v.Value != "" {
				j.Env = append(j.Env, v)
			}
		}
		return &side{name, program, layouts, j, tally}, r.Launcher.Prepare(j)
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
