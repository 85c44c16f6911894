package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	"wi4go/internal/spelling"
	"wi4go/internal/verify/rules"
)

// programBinding marks the tests of a rules file: no function of a library belongs to them.
const programBinding = "program"

// The types and counts of a program whose rule names none.
var (
	usualTypes  = []string{"MPI_INT", "MPI_DOUBLE"}
	usualCounts = []string{"1", "64"}
)

// A programSide is one of the two ways to run programs: translated or natively.
type programSide struct {
	name    string // name of the side in messages
	mpicc   string // compiler for C; the one for C++ is next to it
	objects []string
	tally   func(t *Test) **Tally
	front   bool // the front is used also within a family
}

// A programCase is a program with one signature and one count.
type programCase struct {
	rule      *rules.Test
	signature string
	count     string
}

// name returns the name of the case.
func (c programCase) name() string { return c.rule.Name + "/" + c.signature + "/" + c.count }

// Programs compiles and runs the programs of a rules file, translated and, if possible, natively, and returns the report. mpicc is
// the compiler for programs of r.From, or empty for the usual one. After an interruption it returns the report with the results so
// far.
func (r *Run) Programs(ctx context.Context, file *rules.File, mpicc string) (*Report, error) {
	report := &Report{Parameters: r.Parameters, Runtime: r.product()}
	cases, err := r.programCases(file, report)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(filepath.Dir(r.File), ".wi4go-verify-")
	if err != nil {
		return nil, fmt.Errorf("cannot create a directory for the programs: %w", err)
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	sides, err := r.programSides(report, dir, mpicc)
	if err != nil {
		return nil, err
	}
	for _, s := range sides {
		err := r.runCases(ctx, s, cases, report, dir)
		if start := (startError{}); errors.As(err, &start) {
			report.Notes = append(report.Notes, "no native run: "+fault.Text(err))
		} else if err != nil {
			return report, err
		}
	}
	r.judge(report)
	// A program that is wrong natively may be the user's mistake, and not the library's.
	if slices.ContainsFunc(report.Tests, func(t *Test) bool { return t.Verdict == WrongNatively }) {
		report.Status = 1
	}
	for _, chapter := range report.Chapters() {
		r.Watch.Chapter(report, chapter)
	}
	report.Complete = true
	return report, r.finish(report)
}

// runCases runs the cases on a side, and adds the results to the report. It returns a startError if native programs would run
// translated.
func (r *Run) runCases(ctx context.Context, s *programSide, cases []programCase, report *Report, dir string) error {
	for _, c := range cases {
		finding, err := r.runProgram(ctx, s, c, dir)
		if err != nil {
			return err
		}
		tally := s.tally(report.Tests[slices.IndexFunc(report.Tests, func(t *Test) bool { return t.Name == c.rule.Name })])
		if *tally == nil {
			*tally = &Tally{}
		}
		(*tally).add(finding)
	}
	return nil
}

// programCases returns the selected cases, and adds their tests to the report.
func (r *Run) programCases(file *rules.File, report *Report) (cases []programCase, err error) {
	only := strings.Split(r.Parameters.Case, "/")
	var known []string
	for _, t := range file.Tests() {
		if t.Function != "" {
			return nil, fmt.Errorf("%s: the test %s names the function %s, but only wi4go's own tests have functions: name a source, such as %s.c",
				file.Name, t.Name, t.Function, t.Function)
		}
		known = append(known, t.Name, t.Chapter)
		names := r.Parameters.Tests
		if r.Parameters.Case != "" {
			names = only[:1]
		}
		if len(names) > 0 && !slices.Contains(names, t.Name) && !slices.Contains(names, t.Chapter) {
			continue
		}
		test := &Test{Name: t.Name, Function: t.Name, Chapter: t.Chapter, Verdict: NotRun, Native: NotRun, binding: programBinding}
		report.Tests = append(report.Tests, test)
		types, counts := r.programTypes(t), t.Counts
		if r.Parameters.Counts != "" {
			counts = strings.Split(r.Parameters.Counts, ",")
		} else if len(counts) == 0 {
			counts = usualCounts
		}
		if len(only) == 3 {
			types, counts = only[1:2], only[2:3]
		}
		if len(types) == 0 {
			test.Reason = "none of its types is selected"
		}
		for _, signature := range types {
			for _, count := range counts {
				cases = append(cases, programCase{t, signature, count})
			}
		}
	}
	for _, name := range append(slices.Clone(r.Parameters.Tests), only[0]) {
		if name != "" && !slices.Contains(known, name) {
			return nil, fmt.Errorf("%s has no test or chapter %q: %sit has %s", file.Name, name, spelling.Suggestion(name, known), strings.Join(known, ", "))
		}
	}
	if r.Parameters.Case != "" && len(only) != 3 {
		return nil, fmt.Errorf("case %s: write it as TEST/TYPE/COUNT", r.Parameters.Case)
	}
	return cases, nil
}

// programTypes returns the signatures of a program: those of its rule, as far as the run is not limited to others. A struct is
// among the run's types if these name it, or the types of all of its members.
func (r *Run) programTypes(t *rules.Test) []string {
	types, limits := t.Types, r.types()
	if len(types) == 0 {
		return cmpSlices(limits, usualTypes)
	}
	if len(limits) == 0 {
		return types
	}
	return slices.DeleteFunc(slices.Clone(types), func(signature string) bool {
		return !slices.Contains(limits, signature) && slices.ContainsFunc(strings.Split(signature, "+"), func(member string) bool {
			name, _, _ := strings.Cut(member, "*")
			return !slices.Contains(limits, name)
		})
	})
}

// types returns the signatures that the run is limited to, or none.
func (r *Run) types() []string {
	switch {
	case r.Parameters.Types != "":
		return strings.Split(r.Parameters.Types, ",")
	case r.Parameters.Level == Smoke:
		return usualTypes
	}
	return nil
}

// cmpSlices returns the first of two slices that is not empty.
func cmpSlices(a, b []string) []string {
	if len(a) > 0 {
		return a
	}
	return b
}

// programSides returns the translated side and, if possible, the native one, for which the pools are compiled in dir. A missing
// native side is a note in the report.
func (r *Run) programSides(report *Report, dir, mpicc string) ([]*programSide, error) {
	if mpicc == "" {
		var err error
		if mpicc, err = r.compilerFor(r.From); err != nil {
			return nil, err
		}
	}
	through := &programSide{name: sideThrough, mpicc: mpicc, tally: func(t *Test) **Tally { return &t.Through }, front: r.Launcher.Identity}
	sides := []*programSide{through}
	native, found := compilerNextTo(r.Runtime)
	switch {
	case !r.Parameters.Native:
	case r.From == r.Runtime.Family && !r.Launcher.Identity:
		report.Notes = append(report.Notes, "no native run: the programs are for the library's own family and run on it without wi4go "+
			"(--identity uses the front)")
	case !found:
		report.Notes = append(report.Notes, fmt.Sprintf("no native run: there is no mpicc next to the mpiexec of %s: install its development "+
			"package", r.Runtime.Title()))
	default:
		sides = append(sides, &programSide{name: sideNatively, mpicc: native, tally: func(t *Test) **Tally { return &t.Natively }})
	}
	for _, s := range sides {
		if err := r.compilePools(s, dir); err != nil {
			return nil, err
		}
	}
	return sides, nil
}

// compilerFor returns the mpicc for programs of a family: wi4go's own for the standard ABI, else that of the first library of the
// family.
func (r *Run) compilerFor(f *family.Family) (string, error) {
	if own := filepath.Join(r.Launcher.Tree.Commands(), "mpicc"); f == family.Interface && r.Launcher.Tree.HasInterface() {
		return own, nil
	}
	if r.Runtime.Family == f {
		if mpicc, found := compilerNextTo(r.Runtime); found {
			return mpicc, nil
		}
	}
	rt, err := r.Launcher.Runtimes.Resolve(f.Name)
	if err != nil {
		return "", fmt.Errorf("no mpicc for %s found: %w; or name one with --mpicc", f.Title, err)
	}
	if mpicc, found := compilerNextTo(rt); found {
		return mpicc, nil
	}
	return "", fmt.Errorf("there is no mpicc next to the mpiexec of %s: install its development package, or name another one with --mpicc", rt.Title())
}

// compilerNextTo returns the mpicc next to a runtime's mpiexec, and whether there is one.
func compilerNextTo(rt *runtimes.Runtime) (mpicc string, found bool) {
	dir, name := filepath.Split(rt.Launcher)
	for _, candidate := range []string{strings.NewReplacer("mpiexec", "mpicc", "mpirun", "mpicc").Replace(name), "mpicc"} {
		if path, err := exec.LookPath(dir + candidate); rt.Launcher != "" && candidate != name && err == nil {
			return path, true
		}
	}
	return "", false
}

// compilePools compiles the datatype pools for a side, so that programs can use them.
func (r *Run) compilePools(s *programSide, dir string) error {
	sources, err := filepath.Glob(filepath.Join(r.Launcher.Tree.Pools(), "*.c"))
	if err != nil || len(sources) == 0 {
		return fmt.Errorf("this installation has no datatype pools in %s: reinstall wi4go", r.Launcher.Tree.Pools())
	}
	for _, source := range sources {
		object := filepath.Join(dir, s.name+"-"+strings.TrimSuffix(filepath.Base(source), ".c")+".o")
		if err := compile(s.mpicc, "-std=gnu11", "-O1", "-w", "-c", "-o", object, source); err != nil {
			return err
		}
		s.objects = append(s.objects, object)
	}
	return nil
}

// compile runs a compiler. Its error has the first error of the compiler and the command.
func compile(compiler string, args ...string) error {
	text, err := exec.Command(compiler, args...).CombinedOutput()
	if err == nil {
		return nil
	}
	why := err.Error()
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "error") || strings.Contains(line, "undefined") {
			why = strings.TrimSpace(line)
			break
		}
	}
	command := shell.Join(append([]string{compiler}, args...)...)
	return fmt.Errorf("cannot compile a program: %s: correct the source or its rule; the command is %s", why, command)
}

// build compiles the program of a case for a side, and returns its path.
func (r *Run) build(s *programSide, c programCase, dir string) (string, error) {
	compiler, program := s.mpicc, filepath.Join(dir, s.name+"-program")
	if filepath.Ext(c.rule.Source) != ".c" {
		compiler = filepath.Join(filepath.Dir(s.mpicc), strings.Replace(filepath.Base(s.mpicc), "mpicc", "mpicxx", 1))
	}
	args := []string{"-O1", "-g", "-I", r.Launcher.Tree.Pools(), "-DCOUNT=" + c.count, fmt.Sprintf("-DSIGNATURE=%q", c.signature)}
	if !strings.ContainsAny(c.signature, "+*") {
		args = append(args, "-DTYPE="+c.signature)
	}
	for _, m := range c.rule.Macros {
		args = append(args, "-D"+m)
	}
	return program, compile(compiler, append(append(args, "-o", program, c.rule.Source), s.objects...)...)
}

// runProgram compiles and runs a case on a side, and returns its result: right if the job ends with the exit code 0 in time.
func (r *Run) runProgram(ctx context.Context, s *programSide, c programCase, dir string) (*finding, error) {
	program, err := r.build(s, c, dir)
	if err != nil {
		return nil, err
	}
	identity := r.Launcher.Identity
	r.Launcher.Identity = s.front
	defer func() { r.Launcher.Identity = identity }()
	j, err := r.Launcher.Job([]string{program}, "", "", r.Runtime)
	if err != nil {
		return nil, err
	}
	if s.name == sideNatively && !j.Native() {
		return nil, startError{fmt.Errorf("a program that %s makes does not run on %s without wi4go: %s", s.mpicc, r.Runtime.Title(), j.Reason)}
	}
	for _, v := range []launch.Var{{Name: "DTP_NUM_OBJS", Value: r.objects()}} {
		if v.Value != "" {
			j.Env = append(j.Env, v)
		}
	}
	if err := r.Launcher.Prepare(j); err != nil {
		return nil, err
	}
	n, limit := cmp.Or(c.rule.Ranks, r.Parameters.Ranks), cmp.Or(c.rule.Limit, r.Limit)
	options := append([]string{"-n", strconv.Itoa(n)}, r.Mpiexec...)
	command, err := r.Launcher.Command([]launch.Segment{{Options: options, Program: []string{program}}}, []*launch.Job{j})
	if err != nil {
		return nil, err
	}
	p, err := start(command)
	if err != nil {
		return nil, err
	}
	f := &finding{name: c.name()}
	select {
	case <-p.Done():
	case <-time.After(limit):
		f.wrong = "did not end within " + limit.String()
	case <-ctx.Done():
		p.End(0)
		return nil, ErrInterrupted
	}
	err = p.End(0)
	if f.wrong == "" && err != nil {
		f.wrong = fault.Text(err) + p.lastWords()
	}
	return f, nil
}

// objects returns the number of a pool's layouts, or "" for all.
func (r *Run) objects() string {
	if r.Parameters.Objects == "" && r.Parameters.Level == Smoke {
		return planned("point-to-point", Smoke).Objects
	}
	return r.Parameters.Objects
}

// lastWords returns the first line of the output of a program that failed, or "" if there is none.
func (p *process) lastWords() string {
	for line := range strings.Lines(p.errs.String()) {
		if line = strings.TrimSpace(line); line != "" {
			return "; its output: " + line
		}
	}
	return ""
}
