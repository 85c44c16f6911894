package verify

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"wi4go/internal/fault"
	"wi4go/internal/launch"
	"wi4go/internal/spelling"
	"wi4go/internal/verify/rules"
)

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
				spelling.Suggestion(w, slices.Sorted(maps.Keys(needs))))
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
		if i := slices.IndexFunc(builtin().Tests(), func(rule *rules.Test) bool { return rule.Name == t.Name }); i >= 0 {
			t.limit = builtin().Tests()[i].Limit
		}
		if t.lacking = r.lacks(function); t.lacking {
			t.Reason = r.Runtime.Title() + " does not have " + function
		}
		if ranks > r.Parameters.Ranks {
			t.Reason = fmt.Sprintf("needs %d ranks", ranks)
		}
		tests = append(tests, t)
	}
	return tests, nil
}

// lacks reports whether the embedded MPI is the runtime and does not have a function, which a test in
// Fortran names in capitals.
func (r *Run) lacks(function string) bool {
	return r.Runtime != nil && slices.ContainsFunc(r.Runtime.Lacking(), func(name string) bool { return strings.EqualFold(name, function) })
}

// List returns the requested tests without running them.
func (r *Run) List(ctx context.Context) ([]*Test, error) {
	tests, _, err := r.list(ctx)
	return tests, err
}
