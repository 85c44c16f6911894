// Package suite compiles the conformance programs with the compilers of several MPI libraries, runs them on several
// libraries, and judges the results.
//
// On a runtime, first the program made by the runtime's own compiler runs natively. Then another compiler's program
// runs through `wi4go run`, as a user starts it. A test that passes natively must pass through wi4go. A test that fails
// natively must be listed in native-failures.txt. A program that calls a function that the runtime lacks must fail with
// wi4go's message that names the function: `unsupported`.
//
// The package knows nothing of the programs' contents, and shares no code with the launcher or the loader, which it
// tests.
package suite

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"wi4go/tests/harness"
)

// A Suite is a set of runs: the programs, the compilers that make them, the runtimes and the numbers of ranks.
type Suite struct {
	Programs   string              // the directory of the programs
	Prefix     string              // the installation of wi4go
	Cache      string              // the directory of the compiled programs
	Only       []string            // patterns of program names; empty: all
	Directions []harness.Direction // pairs of compiler and runtime
	Ranks      []int               // the numbers of ranks
	Jobs       int                 // the number of simultaneous runs
	Timeout    time.Duration       // for one run
	Preload    string              // a library that is preloaded into ranks through wi4go, "" for none
	Variables  []string            // variables of runs through wi4go

	names   []string
	excused []listed
	sides   map[string]*side
}

// listed is a native failure: one line of native-failures.txt.
type listed struct{ program, libraries, ranks, reason string }

// excuse returns the reason why a program fails natively on a library, and whether it is listed.
func (s *Suite) excuse(program, library string, ranks int) (reason string, known bool) {
	for _, l := range s.excused {
		here, _ := path.Match(l.libraries, library)
		if here && l.program == program && (l.ranks == "*" || slices.Contains(strings.Split(l.ranks, ","), fmt.Sprint(ranks))) {
			return l.reason, true
		}
	}
	return "", false
}

// side is one library: it compiles programs, and runs its own and others'.
type side struct {
	tools   harness.Toolchain
	known   bool   // it has the version to which native-failures.txt applies
	dir     string // of its compiled programs
	library string // the library's path
	exports map[string]bool

	mutex    sync.Mutex
	compiled map[string]func() (string, error)
	native   map[nativeRun]func() judged
}

type nativeRun struct {
	source string
	ranks  int
}

// judged is a run with its verdict.
type judged struct {
	Verdict
	detail string
	places map[string]bool // the conditions that failed
}

// early reports whether a failed run may have ended before it reported the failed conditions.
func (j judged) early() bool { return j.Verdict != Fail || len(j.places) == 0 }

// Case is one program on one runtime with one number of ranks.
type Case struct {
	Program string
	harness.Direction
	Ranks int
}

// Result is a case with its two verdicts.
type Result struct {
	Case
	Native  Verdict
	Through Verdict
	Detail  string // the reason, unless the case passed
}

// Open finds the libraries and the programs, and reads the list of native failures.
func (s *Suite) Open() error {
	if err := s.readExcused(filepath.Join(s.Programs, "native-failures.txt")); err != nil {
		return err
	}
	for _, pattern := range []string{"*_*.c", "*_*.cc"} {
		found, err := filepath.Glob(filepath.Join(s.Programs, "*", pattern))
		if err != nil {
			return err
		}
		for _, name := range found {
			if s.chosen(programOf(name)) {
				s.names = append(s.names, filepath.Base(name))
			}
		}
	}
	slices.Sort(s.names)
	if len(s.names) == 0 {
		return fmt.Errorf("%s: no such program: %s", s.Programs, strings.Join(s.Only, " "))
	}
	for _, l := range s.excused {
		if len(s.Only) == 0 && !slices.ContainsFunc(s.names, func(n string) bool { return programOf(n) == l.program }) {
			return fmt.Errorf("native-failures.txt names %s, which does not exist: remove its line", l.program)
		}
	}
	command, err := filepath.Abs(filepath.Join(s.Prefix, "bin", "wi4go"))
	if err != nil {
		return err
	}
	if _, err := os.Stat(command); err != nil {
		return fmt.Errorf("%s: %w; run make first", command, harness.ErrMissing)
	}
	s.sides = map[string]*side{}
	for _, d := range s.Directions {
		for _, name := range []string{d.From, d.To} {
			if s.sides[name] == nil {
				if s.sides[name], err = s.open(name); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// Library returns the path of a library in the suite.
func (s *Suite) Library(name string) string { return s.sides[name].library }

func (s *Suite) open(name string) (*side, error) {
	tools, err := harness.FindIn(s.Prefix, name)
	if err != nil {
		return nil, err
	}
	side := &side{tools: tools, compiled: map[string]func() (string, error){}, native: map[nativeRun]func() judged{}}
	// A family's name alone is Debian's library, unless a variable names another one.
	side.known = name != tools.Family() || filepath.Base(tools.MPICC) == "mpicc."+name
	// Each library's programs have their own directory.
	side.dir = filepath.Join(s.Cache, name)
	if !side.known {
		side.dir += strings.ReplaceAll(filepath.Dir(tools.MPICC), string(filepath.Separator), "_")
	}
	// Any program shows the path of the library.
	program, err := s.compile(side, s.names[0])
	if err != nil {
		return nil, err
	}
	if side.library, err = harness.Library(program); err != nil {
		return nil, err
	}
	side.exports, err = exports(side.library)
	return side, err
}

// Source returns the path of a program's C source. It is in the folder of its chapter, which is its name up to the
// first underscore, and includes headers of the directory.
func Source(directory, program string) string {
	chapter, _, _ := strings.Cut(program, "_")
	return filepath.Join(directory, chapter, program+".c")
}

// programOf returns a program's name: its source's name without directory and ending.
func programOf(source string) string {
	name := filepath.Base(source)
	return strings.TrimSuffix(name, filepath.Ext(name))
}

func (s *Suite) chosen(program string) bool {
	return len(s.Only) == 0 || slices.ContainsFunc(s.Only, func(pattern string) bool {
		match, err := path.Match(pattern, program)
		return err == nil && match
	})
}

// readExcused reads lines of `program libraries ranks reason`: libraries is a pattern of names, ranks are numbers
// separated by commas, or *.
func (s *Suite) readExcused(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	s.excused = nil
	lines := bufio.NewScanner(file)
	for number := 1; lines.Scan(); number++ {
		if lines.Text() == "" {
			continue
		}
		fields := strings.SplitN(lines.Text(), " ", 4)
		if len(fields) != 4 || strings.Trim(fields[2], "0123456789,") != "" && fields[2] != "*" {
			return fmt.Errorf("%s:%d: write the line as `program libraries ranks reason`", name, number)
		}
		if !slices.ContainsFunc(harness.Libraries, func(l string) bool { m, err := path.Match(fields[1], l); return m && err == nil }) {
			return fmt.Errorf("%s:%d: no library is called %s", name, number, fields[1])
		}
		s.excused = append(s.excused, listed{fields[0], fields[1], fields[2], fields[3]})
	}
	return lines.Err()
}

// compile compiles a source for a side, unless the program in the cache is newer than its inputs. It returns the
// program's path.
func (s *Suite) compile(on *side, source string) (string, error) {
	on.mutex.Lock()
	once, known := on.compiled[source]
	if !known {
		once = sync.OnceValues(func() (string, error) {
			in, out := Source(s.Programs, programOf(source)), filepath.Join(on.dir, programOf(source))
			in = strings.TrimSuffix(in, ".c") + filepath.Ext(source)
			headers, err := filepath.Glob(filepath.Join(s.Programs, "*.h"))
			if err != nil || fresh(out, append(headers, in, on.tools.MPICC)...) {
				return out, err
			}
			return out, replace(out, func(made string) error { return on.tools.Compile(in, made, harness.ConformanceFlags(s.Programs)...) })
		})
		on.compiled[source] = once
	}
	on.mutex.Unlock()
	return once()
}

// replace makes a file and moves it to its place, because another process may use the old file or make the same one.
func replace(file string, make func(made string) error) error {
	made := fmt.Sprint(file, ".", os.Getpid())
	if err := make(made); err != nil {
		return err
	}
	return os.Rename(made, file)
}

// fresh reports whether a file exists and none of its inputs is newer.
func fresh(file string, sources ...string) bool {
	info, err := os.Stat(file)
	if err != nil {
		return false
	}
	return !slices.ContainsFunc(sources, func(source string) bool {
		made, err := os.Stat(source)
		return err == nil && made.ModTime().After(info.ModTime())
	})
}

// Cases returns all cases of the suite, ordered by program and then by direction.
func (s *Suite) Cases() []Case {
	var cases []Case
	for _, source := range s.names {
		for _, direction := range s.Directions {
			for _, ranks := range s.Ranks {
				cases = append(cases, Case{programOf(source), direction, ranks})
			}
		}
	}
	return cases
}

// Run runs all cases, a few at a time, and passes their results to done in order.
func (s *Suite) Run(ctx context.Context, done func(Result)) {
	cases := s.Cases()
	results := make([]chan Result, len(cases))
	for i := range results {
		results[i] = make(chan Result, 1)
	}
	next := make(chan int)
	go func() {
		defer close(next)
		for i := range cases {
			next <- i
		}
	}()
	for range s.Jobs {
		go func() {
			for i := range next {
				results[i] <- s.run(ctx, cases[i])
			}
		}()
	}
	for _, result := range results {
		done(<-result)
	}
}

// natively returns the verdict on a runtime's own program, which runs once.
func (s *Suite) natively(ctx context.Context, runtime *side, source string, ranks int) judged {
	runtime.mutex.Lock()
	key := nativeRun{source, ranks}
	once, known := runtime.native[key]
	if !known {
		once = sync.OnceValue(func() judged { return s.judgeNative(ctx, runtime, source, ranks) })
		runtime.native[key] = once
	}
	runtime.mutex.Unlock()
	return once()
}

func (s *Suite) judgeNative(ctx context.Context, runtime *side, source string, ranks int) judged {
	program, err := s.compile(runtime, source)
	if err != nil {
		return judged{Verdict: Broken, detail: err.Error()}
	}
	ran := s.start(ctx, runtime, program, ranks, false)
	verdict, detail := ran.verdict(programOf(source), nil)
	return judged{verdict, detail, ran.places()}
}

// A program that sometimes fails natively, as its reason in native-failures.txt states, may fail this many times
// through wi4go, and more often while it also fails natively in the same run.
const (
	nowAndThen = "now and then"
	rounds     = 5
)

// run returns a case's verdicts. A program that fails natively also runs through wi4go, unless it ends early. It may
// fail at the conditions that fail natively, and at no others.
func (s *Suite) run(ctx context.Context, c Case) Result {
	source := s.names[slices.IndexFunc(s.names, func(n string) bool { return programOf(n) == c.Program })]
	runtime := s.sides[c.To]
	native := s.natively(ctx, runtime, source, c.Ranks)
	r := Result{Case: c, Native: native.Verdict, Through: NotRun, Detail: native.detail}
	reason, known := s.excuse(c.Program, c.To, c.Ranks)
	if ctx.Err() != nil {
		r.Native, r.Detail = NotRun, "the suite was stopped"
		return r
	}
	if r.Native != Pass {
		if !known && runtime.known {
			r.Through = Unlisted
			return r
		}
		if !known {
			reason = "native-failures.txt does not list this library\n" + r.Detail
		}
		if native.early() {
			r.Through, r.Detail = Excused, reason
			return r
		}
	}
	program, err := s.compile(s.sides[c.From], source)
	if err != nil {
		r.Through, r.Detail = Broken, err.Error()
		return r
	}
	ran := s.start(ctx, runtime, program, c.Ranks, true)
	// MPICH 3.4's launcher sometimes loses the output of a rank that aborts.
	for again := 0; again < 3 && ran.silent(); again++ {
		ran = s.start(ctx, runtime, program, c.Ranks, true)
	}
	r.Through, r.Detail = ran.verdict(c.Program, runtime.exports)
	for again := 0; again < rounds && !r.Good() && known && strings.Contains(reason, nowAndThen); again++ {
		if beside := s.judgeNative(ctx, runtime, source, c.Ranks); beside.Verdict != Pass && (beside.early() || within(ran.places(), beside.places)) {
			r.Through, r.Detail = Excused, reason
			break
		}
		ran = s.start(ctx, runtime, program, c.Ranks, true)
		r.Through, r.Detail = ran.verdict(c.Program, runtime.exports)
	}
	switch {
	case r.Through == TimeOut && known:
		// A program that sometimes hangs natively may hang here, too.
		r.Through, r.Detail = Excused, reason
	case r.Through == Fail && within(ran.places(), native.places):
		r.Through, r.Detail = Excused, reason
	}
	return r
}

// within reports whether there are failures and all of them are native ones.
func within(failures, native map[string]bool) bool {
	for place := range failures {
		if !native[place] {
			return false
		}
	}
	return len(failures) > 0
}
