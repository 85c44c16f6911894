// Package suite compiles the conformance programs with the compilers of several
// MPI libraries, runs them on several, and gives its verdicts.
//
// On a runtime, the program that its own compiler made goes first, natively;
// then another compiler's goes through `wi4go run`, as a user starts it. What
// passes natively must pass through us. What fails natively must be in
// native-failures.txt. A program that calls a function which the runtime lacks
// must end with our message that names it, and with an error: `unsupported`.
//
// It knows nothing of what the programs do, and shares no code with the
// launcher or with the loader, which it tests.
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

// A Suite is what is run: the programs, made by some compilers, on some
// runtimes and numbers of ranks.
type Suite struct {
	Programs   string              // the directory of the programs
	Prefix     string              // the installation of wi4go
	Cache      string              // where the compiled programs go
	Only       []string            // patterns of programs; none is all
	Directions []harness.Direction // what is run on what
	Ranks      []int               // how many
	Jobs       int                 // runs at the same time
	Timeout    time.Duration       // of one run
	Preload    string              // a library that is preloaded into ranks through us, "" for none
	Variables  []string            // variables of runs through us

	names   []string
	excused []listed
	sides   map[string]*side
}

// listed is a native failure: a line of native-failures.txt.
type listed struct{ program, libraries, ranks, reason string }

// excuse is the reason for which a program fails on a library natively.
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
	known   bool   // of the version that native-failures.txt speaks of
	dir     string // of its compiled programs
	library string // the file
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
	places map[string]bool // where it failed
}

// early tells of a run that went wrong whether it ended before it could say where.
func (j judged) early() bool { return j.Verdict != Fail || len(j.places) == 0 }

// Case is one program on one runtime with so many ranks.
type Case struct {
	Program string
	harness.Direction
	Ranks int
}

// Result is a case's two verdicts.
type Result struct {
	Case
	Native  Verdict
	Through Verdict
	Detail  string // of what did not pass, and of what has to be known
}

// Open looks for the libraries, the programs and the list of native failures.
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

// Library is the file of a library that is used.
func (s *Suite) Library(name string) string { return s.sides[name].library }

func (s *Suite) open(name string) (*side, error) {
	tools, err := harness.FindIn(s.Prefix, name)
	if err != nil {
		return nil, err
	}
	side := &side{tools: tools, compiled: map[string]func() (string, error){}, native: map[nativeRun]func() judged{}}
	// A family's name alone is Debian's library, unless a variable says otherwise.
	side.known = name != tools.Family() || filepath.Base(tools.MPICC) == "mpicc."+name
	// Each library's programs have a directory of their own.
	side.dir = filepath.Join(s.Cache, name)
	if !side.known {
		side.dir += strings.ReplaceAll(filepath.Dir(tools.MPICC), string(filepath.Separator), "_")
	}
	// Any program tells which file the library is.
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

// Source is the C source of a program: it is in the folder of its chapter, which
// is its name up to the first underscore, and includes headers of the directory.
func Source(directory, program string) string {
	chapter, _, _ := strings.Cut(program, "_")
	return filepath.Join(directory, chapter, program+".c")
}

// programOf is a program's name: its source's without directory and ending.
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

// readExcused reads lines of `program libraries ranks reason`: libraries is a
// pattern of names, ranks are numbers with commas between, or *.
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

// compile makes a source's program for a side, once, and only where the one in
// the cache is older than what it is made of.
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
			return out, replace(out, func(made string) error { return on.tools.Compile(in, made, "-I"+s.Programs) })
		})
		on.compiled[source] = once
	}
	on.mutex.Unlock()
	return once()
}

// replace puts a file where another process may use the one before, or make it as well.
func replace(file string, make func(made string) error) error {
	made := fmt.Sprint(file, ".", os.Getpid())
	if err := make(made); err != nil {
		return err
	}
	return os.Rename(made, file)
}

// fresh tells whether a file is there and none of those it is made of is newer.
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

// Cases are all of the suite: a program's together, and a direction's of it.
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

// Run runs all cases, a few at a time, and hands their results on in order.
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

// natively gives the verdict on a runtime's own program, run once.
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

// What fails natively now and then, as the reason in native-failures.txt says, may
// fail so often through us, and more often while it fails natively beside it.
const (
	nowAndThen = "now and then"
	rounds     = 5
)

// run gives a case's verdicts. What fails natively is run through us as well,
// unless it ends early: it may fail where it fails natively, and nowhere else.
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
	// MPICH 3.4's launcher loses what a rank said before it aborted, now and then.
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
		// What does not end now and then natively may not end here either.
		r.Through, r.Detail = Excused, reason
	case r.Through == Fail && within(ran.places(), native.places):
		r.Through, r.Detail = Excused, reason
	}
	return r
}

// within tells whether there are failures and all of them are native ones.
func within(failures, native map[string]bool) bool {
	for place := range failures {
		if !native[place] {
			return false
		}
	}
	return len(failures) > 0
}
