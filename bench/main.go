// Command bench measures the cost that wi4go adds to a native MPI call. In every direction it
// compares two programs of one source: one compiled with the runtime's own mpicc and run
// natively, the other compiled for another family and run through wi4go on that runtime.
//
//	go run ./bench [--prefix build] [--rows ROW,...] [--from FAMILY,...] [--repeats N]
//	               [--ns-only | --instructions-only] [--json] [--runtime DIR]...
//	go run ./bench --all [--prefix build] [--rows FUNCTION,...] [--from FAMILY,...] [--dearest N] [--functions N] [--json] [--runtime DIR]...
//	go run ./bench --peers [--prefix build] [--rows ROW,...] [--runtime DIR]...
//
// The runtimes are Debian's libraries and MPICH 5.0 or, with --runtime, the libraries installed
// in these directories (DIR/bin/mpicc, DIR/bin/mpiexec). If there is an mpicc_abi next to
// mpicc, the library's standard ABI is a runtime as well. The program that mpicc_abi compiles
// is then also the program of that family that goes through wi4go onto the library's own ABI,
// so the same table shows the cost of the built-in standard ABI. Without mpicc_abi, wi4go's own
// mpicc compiles that program.
//
// Times come from interleaved runs; the table has their minimum and median. Instructions come
// from callgrind, whose counts are exact: the difference between K and 2K operations, without
// the program's own loop. The column "front" counts only wi4go's instructions, whatever the
// runtime does. It is valid for rows of two ranks, too, in which the runtime polls.
//
// With --all, the rows are generated: a call of every function that a front exports (package
// bench/every). The table lists the dearest ones. The exit status is 1 if a row exceeds its goal, or
// 250 instructions without a reason.
//
// With --peers, the table shows the instructions that other translation layers add, next to
// wi4go's. The PEER_ variables name their sources, which the command builds.
//
// Rows of Fortran are single calls, in mpif.h (mpif_) and mpi_f08 (f08_). They show the cost
// added to the same call in C, through wi4go and in the library's own binding.
//
// At the end comes the number of file-system calls and the time of wi4go's own commands.
//
// A measurement that is not possible is skipped with the reason. Without --all, the exit status is 0
// all the same: a slow row is a finding, not an error of this command.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"wi4go/abi"
	"wi4go/tests/harness"
)

// source is the C program that is measured.
//
//go:embed calls/calls.c
var source []byte

// objectRows is the part of the program with the rows of attributes and of arrays of handles.
//
//go:embed calls/objects.h
var objectRows []byte

// runTimeout bounds a run that hangs. The longest run takes a few seconds.
const runTimeout = 5 * time.Minute

// families are the families that programs are compiled for. runtimes are the libraries measured
// unless --runtime names others.
var (
	families = append(slices.Clone(harness.Names), standard)
	runtimes = append(slices.Clone(harness.Names), "mpich-5.0")
)

// standard is the family of the standard ABI.
var standard = abi.Standard()

// options are the command's options.
type options struct {
	// prefix is the directory that wi4go is installed in.
	prefix string
	// runtimes are the directories of --runtime.
	runtimes []string
	// rows are patterns of rows, and from families, both separated by commas.
	rows, from string
	// repeats is the number of interleaved runs.
	repeats int
	// scale multiplies the number of operations in a run.
	scale float64
	// nsOnly skips instructions, and instOnly skips times.
	nsOnly, instOnly bool
	// json prints JSON in place of tables. peers compares translation layers.
	json, peers bool
	// all measures a row for every function, and dearest is the number of rows to print, or 0 for
	// all of them.
	all     bool
	dearest int
	// functions is the number of functions to print for each dear row, or 0 for none.
	functions int
}

func main() {
	var o options
	flag.StringVar(&o.prefix, "prefix", "build", "the `directory` wi4go is installed in")
	flag.StringVar(&o.rows, "rows", "", "only these rows: names or `patterns`, separated by commas (allreduce_*,memory)")
	flag.StringVar(&o.from, "from", strings.Join(families, ","), "only programs of these `families`, separated by commas")
	flag.IntVar(&o.repeats, "repeats", 7, "interleaved runs of each program")
	flag.Float64Var(&o.scale, "scale", 1, "operations per run, relative to the usual number")
	flag.BoolVar(&o.nsOnly, "ns-only", false, "no callgrind")
	flag.BoolVar(&o.instOnly, "instructions-only", false, "only callgrind")
	flag.BoolVar(&o.json, "json", false, "print JSON")
	flag.BoolVar(&o.peers, "peers", false, "compare with other translation layers, by instructions only")
	flag.BoolVar(&o.all, "all", false, "measure every function, by instructions only")
	flag.IntVar(&o.dearest, "dearest", 40, "with --all, the `number` of dearest rows to print; 0: all of them")
	flag.IntVar(&o.functions, "functions", 0, "with --all, the `number` of functions to print with the instructions that they add, for each row above 250 and each one of --rows")
	flag.Func("runtime", "the library in this `directory`; may be repeated", func(dir string) error {
		dir, err := filepath.Abs(dir)
		o.runtimes = append(o.runtimes, dir)
		return err
	})
	flag.Parse()
	if err := run(o); err != nil {
		note("%v", err)
		if o.all {
			os.Exit(1)
		}
	}
}

// note prints a message about something that is no result.
func note(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "wi4go: bench: "+format+"\n", args...)
}

// run measures the rows in every direction and prints them. It returns an error if a row does
// not exist or a program cannot be compiled.
func run(o options) error {
	if o.peers && o.rows == "" {
		o.rows = peerRows
	}
	var rows []rowSpec
	if !o.all {
		var err error
		if rows, err = chosen(o.rows); err != nil {
			return err
		}
	}
	dir, err := filepath.Abs(filepath.Join(o.prefix, "bench"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	c, err := writeSources(dir)
	if err != nil {
		return err
	}
	if o.all {
		return o.benchAll(c, dir)
	}
	// Rows of Fortran have programs and a table of their own.
	var inFortran []rowSpec
	rows = slices.DeleteFunc(rows, func(s rowSpec) bool {
		if s.binding != "" {
			inFortran = append(inFortran, s)
		}
		return s.binding != ""
	})
	if o.peers {
		return o.comparePeers(c, dir, rows)
	}
	programs, err := o.programs(c, dir)
	if err != nil {
		return err
	}
	fortran := o.fortran(dir, inFortran)
	var all []any
	for _, t := range o.targets(c, dir) {
		for _, app := range families {
			program := programs[app]
			if app == standard && t.abi != "" {
				program = t.abi
			}
			if app == t.family || !slices.Contains(strings.Split(o.from, ","), app) {
				continue
			}
			// The native side is always measured; the others only if their program and the
			// front exist.
			direction := app + "→" + t.tools.Name
			b := bench{options: o, dir: dir, target: t, rows: rows}
			b.variants[native] = &variant{program: t.native}
			if program == "" {
				note("%s: only native numbers: no compiler for %s", direction, app)
			} else if through, err := t.through(o.prefix, program, app); err != nil {
				note("%s: only native numbers: %v", direction, err)
			} else {
				b.variants[translated] = &variant{program: program, through: through}
			}
			if t.abi != "" {
				b.variants[builtIn] = &variant{program: t.abi}
			}
			if len(rows) > 0 {
				results := b.run(direction)
				if !o.json {
					printTable(os.Stdout, direction, results)
				}
				for _, r := range results {
					all = append(all, r)
				}
			}
			if tools, err := o.toolchain(app); err == nil && len(fortran.rows) > 0 {
				for _, r := range fortran.direction(direction, t, app, tools) {
					all = append(all, r)
				}
			}
		}
	}
	if o.json {
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetIndent("", "  ")
		return encoder.Encode(all)
	}
	return o.printLookUps(os.Stdout)
}

// writeSources writes the sources of the programs into dir, and returns the path of the C program.
func writeSources(dir string) (string, error) {
	for name, text := range map[string][]byte{"calls.c": source, "objects.h": objectRows, "heap.h": heapSource, "fortran.F90": fortranSource} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, "calls.c"), nil
}

// programs compiles the source c for every family, into dir, and returns the paths by family. A
// family without a toolchain is skipped. It returns an error if a compilation fails.
func (o options) programs(c, dir string) (map[string]string, error) {
	programs := map[string]string{}
	for _, family := range families {
		tools, err := o.toolchain(family)
		if err != nil {
			note("%v", err)
			continue
		}
		programs[family] = filepath.Join(dir, "calls."+tools.Name)
		if err := tools.Compile(c, programs[family]); err != nil {
			return nil, err
		}
	}
	return programs, nil
}

// toolchain returns the tools that compile programs of a family, or an error if they are not
// installed.
func (o options) toolchain(family string) (harness.Toolchain, error) {
	if family == standard {
		family = harness.Interface
	}
	return harness.FindIn(o.prefix, family)
}

// targets returns the libraries to measure, each followed by its standard ABI.
func (o options) targets(c, dir string) []target {
	var found []harness.Toolchain
	for _, name := range runtimes {
		if len(o.runtimes) > 0 {
			break
		}
		if tools, err := harness.Find(name); err != nil {
			note("→%s: skipped: %v", name, err)
		} else {
			found = append(found, tools)
		}
	}
	for _, root := range o.runtimes {
		bin := filepath.Join(root, "bin")
		found = append(found, harness.Toolchain{Name: filepath.Base(root), MPICC: filepath.Join(bin, "mpicc"), MPIExec: filepath.Join(bin, "mpiexec")})
	}
	var targets []target
	for _, tools := range found {
		t, err := newTarget(tools, c, dir)
		if err != nil {
			note("→%s: skipped: %v", tools.Name, err)
			continue
		}
		abi := harness.Toolchain{Name: tools.Name + "-abi", MPICC: tools.MPICC + "_abi", MPIExec: tools.MPIExec}
		if _, err := exec.LookPath(abi.MPICC); err != nil {
			targets = append(targets, t)
			continue
		}
		u, err := newTarget(abi, c, dir)
		if err != nil {
			note("→%s: skipped: %v", abi.Name, err)
		}
		t.abi = u.native
		targets = append(targets, t)
		if err == nil {
			targets = append(targets, u)
		}
	}
	return targets
}

// chosen returns the rows that the patterns select, in the tables' order. It returns an error
// for a pattern that matches no row.
func chosen(patterns string) ([]rowSpec, error) {
	rows := slices.Concat(specs, fortranRows())
	if patterns == "" {
		return rows, nil
	}
	picked := map[string]bool{}
	for pattern := range strings.SplitSeq(patterns, ",") {
		found := false
		for _, s := range rows {
			if ok, err := path.Match(pattern, s.name); err != nil {
				return nil, fmt.Errorf("--rows %s: %w", pattern, err)
			} else if ok {
				picked[s.name], found = true, true
			}
		}
		if !found {
			return nil, fmt.Errorf("--rows %s: unknown row: `bench/calls list` shows them", pattern)
		}
	}
	return slices.DeleteFunc(rows, func(s rowSpec) bool { return !picked[s.name] }), nil
}

// target is a library to measure, with the program compiled for it.
type target struct {
	// tools compile and start its programs.
	tools harness.Toolchain
	// family is the ABI family of the library, and library its path.
	family  string
	library string
	// native is the program compiled by tools. abi is the program for the library's standard
	// ABI, or "".
	native, abi string
	// environment contains the variables that its programs need.
	environment []string
}

// newTarget compiles the source c with a library's tools, into dir, and returns the target. It
// returns an error if a tool is missing or the compilation fails.
func newTarget(tools harness.Toolchain, c, dir string) (target, error) {
	t := target{tools: tools, native: filepath.Join(dir, "native."+tools.Name)}
	for _, file := range []string{tools.MPICC, tools.MPIExec} {
		if _, err := exec.LookPath(file); err != nil {
			return t, err
		}
	}
	if err := tools.Compile(c, t.native); err != nil {
		return t, err
	}
	soname, err := harness.Soname(t.native)
	if err != nil {
		return t, err
	}
	switch soname {
	case "libmpi.so.40":
		t.family = "openmpi"
	case "libmpi_abi.so.1":
		t.family = standard
	default:
		t.family = "mpich"
	}
	// The library is in the directory of its tools, or the dynamic linker finds it.
	root := tools.Root()
	t.library = filepath.Join(root, "lib", soname)
	if _, err := os.Stat(t.library); err != nil {
		t.library, err = harness.Library(t.native)
		return t, err
	}
	t.environment = []string{"LD_LIBRARY_PATH=" + filepath.Join(root, "lib") + ":" + os.Getenv("LD_LIBRARY_PATH"), "I_MPI_ROOT=" + root}
	return t, nil
}

// through returns the route by which a program of another family runs on the library. It
// returns an error if wi4go lacks a front for it.
func (t target) through(prefix, program, family string) (harness.Through, error) {
	front, err := harness.Front(prefix, program, family)
	return harness.Through{Front: front, Library: t.library}, err
}

// variant is a program with the way to run it.
type variant struct {
	// program is the path.
	program string
	// through is the route through wi4go; the zero value is native.
	through harness.Through
	// start is a command that starts the program, used in place of through if it is set.
	start []string
}

// starter returns the command that starts another command in the variant's way.
func (v variant) starter() []string {
	if v.start != nil {
		return slices.Clone(v.start)
	}
	return v.through.Env()
}

// The variants of a direction, all on the same library. A variant that is nil does not exist.
const (
	native = iota
	translated
	builtIn
	nVariants
)

// bench measures one direction.
type bench struct {
	options
	target
	dir      string
	rows     []rowSpec
	variants [nVariants]*variant
}

// samples are measurements by row.
type samples map[string][]float64

// run measures all variants and returns one result for each row. A variant that fails is noted
// and left out.
func (b *bench) run(direction string) []result {
	var times [nVariants]samples
	var instructions [nVariants]map[string]counts
	for v := range b.variants {
		times[v] = samples{}
		instructions[v] = map[string]counts{}
	}
	if !b.instOnly {
		var failed [nVariants]bool // a variant that has failed is not tried again
		copies := filepath.Join(b.dir, "anew")
		defer os.RemoveAll(copies) // not earlier: the next copies would get the same pages again
		for i := range b.repeats {
			fmt.Fprintf(os.Stderr, "\r%s: times %d/%d ", direction, i+1, b.repeats)
			for v := range b.variants {
				if failed[v] || b.variants[v] == nil {
					continue
				}
				anew, err := b.variants[v].copyTo(filepath.Join(copies, fmt.Sprintf("%d-%d", i, v)))
				if err == nil {
					err = b.measureTimes(anew, times[v])
				}
				if err != nil {
					note("%s: %v", direction, err)
					failed[v] = true
				}
			}
		}
		fmt.Fprintln(os.Stderr)
	}
	if !b.nsOnly {
		for v := range b.variants {
			if b.variants[v] == nil {
				continue
			}
			fmt.Fprintf(os.Stderr, "\r%s: instructions %d/%d ", direction, v+1, len(b.variants))
			if err := b.measureInstructions(*b.variants[v], instructions[v]); err != nil {
				note("%s: instructions: %v", direction, err)
			}
		}
		fmt.Fprintln(os.Stderr)
	}

	var results []result
	for _, s := range b.rows {
		scale := s.scale
		if scale == 0 {
			scale = 1
		}
		r := result{Direction: direction, Row: s.name, Unit: s.unit, Ranks: s.ranks, Goal: s.goal, requests: s.requests}
		for v, side := range [nVariants]*side{&r.Native, &r.Through, &r.BuiltIn} {
			side.Time = summarize(times[v][s.name], scale)
			if c, ok := instructions[v][s.name]; ok {
				side.Counts = &counts{All: c.All / scale, Front: c.Front / scale}
			}
		}
		r.judge()
		results = append(results, r)
	}
	return results
}

// group is a set of rows that one run measures.
type group struct {
	// ranks is the number of ranks.
	ranks int
	// thunk reports whether calls go through thunks.
	thunk bool
}

// groups are all groups of rows.
var groups = []group{{1, false}, {2, false}, {1, true}}

// start returns the command that starts a variant for the group's rows.
func (g group) start(v variant) []string {
	if g.thunk {
		return append([]string{"env", "WI4GO_SAFETY_NET=yes"}, v.starter()...)
	}
	return v.starter()
}

// names returns the names of the rows of calls.c in a group.
func (b *bench) names(g group) []string {
	var names []string
	for _, s := range b.rows {
		if s.isCall() && s.ranks == g.ranks && s.thunk == g.thunk {
			names = append(names, s.name)
		}
	}
	return names
}

// has reports whether a row is to be measured.
func (b *bench) has(row string) bool {
	return slices.ContainsFunc(b.rows, func(s rowSpec) bool { return s.name == row })
}

// output runs a command on some ranks and adds the figures that it prints to into. It returns
// an error if the command fails or takes longer than runTimeout.
func (b *bench) output(into samples, ranks int, command ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), runTimeout)
	defer cancel()
	cmd := b.tools.LaunchPlain(ctx, ranks, command...)
	cmd.Env = append(cmd.Env, b.environment...)
	text, err := cmd.Output()
	if err != nil {
		return failure(cmd, err)
	}
	if err := b.parse(into, text); err != nil {
		return fmt.Errorf("%s: %w", command[0], err)
	}
	return nil
}

// parse adds the figures in lines of rows: a name, then numbers.
func (b *bench) parse(into samples, text []byte) error {
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || !b.has(fields[0]) {
			continue // not a row: WI4MPI announces itself here
		}
		for _, field := range fields[1:] {
			x, err := strconv.ParseFloat(field, 64)
			if err != nil {
				return fmt.Errorf("line %q: %w", line, err)
			}
			into[fields[0]] = append(into[fields[0]], x)
		}
	}
	return nil
}

// failure returns an error that names the failed command and repeats its messages.
func failure(cmd *exec.Cmd, err error) error {
	stderr := ""
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		stderr = "\n" + strings.TrimSpace(string(exit.Stderr))
	}
	return fmt.Errorf("%s: %w%s", strings.Join(cmd.Args, " "), err, stderr)
}

// copyTo returns the variant with copies, in dir, of its program and wi4go's libraries. The
// place of a file's pages in memory, which does not change while the kernel caches them, makes
// a difference of up to 15 ns for some calls.
func (v variant) copyTo(dir string) (variant, error) {
	from := filepath.Dir(v.program)
	files := []string{v.program}
	v.program = filepath.Join(dir, filepath.Base(v.program))
	if err := copied(dir, from, files); err != nil || v.through.Native() {
		return v, err
	}
	tree := filepath.Dir(filepath.Dir(v.through.Front))
	files, err := filepath.Glob(filepath.Join(filepath.Dir(v.through.Front), "lib*"))
	if err != nil {
		return v, err
	}
	files = append(files, filepath.Join(tree, "libwi4go.so"))
	for _, file := range []*string{&v.through.Front, &v.through.AlsoPreload} {
		if *file == "" {
			continue
		}
		if !slices.Contains(files, *file) {
			files = append(files, *file)
		}
		place, err := filepath.Rel(tree, *file)
		if err != nil {
			return v, err
		}
		*file = filepath.Join(dir, place)
	}
	return v, copied(dir, tree, files)
}

// copied copies files below a directory to the same places below another.
func copied(to, from string, files []string) error {
	for _, file := range files {
		place, err := filepath.Rel(from, file)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		place = filepath.Join(to, place)
		if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(place, content, 0o755); err != nil {
			return err
		}
	}
	return nil
}

// measureTimes adds one run of all times and of the memory.
func (b *bench) measureTimes(v variant, into samples) error {
	start := append(v.starter(), v.program)
	for _, g := range groups {
		names := b.names(g)
		if len(names) == 0 {
			continue
		}
		args := append([]string{v.program, "time", fmt.Sprint(b.scale)}, names...)
		if err := b.output(into, g.ranks, append(g.start(v), args...)...); err != nil {
			return err
		}
	}
	if b.has(memory) {
		if err := b.output(into, 1, append(slices.Clone(start), "memory")...); err != nil {
			return err
		}
	}
	if b.has(startToEnd) {
		// The program that takes the time runs without the front.
		args := append([]string{v.program, "spawn"}, start...)
		return b.output(into, 1, append(args, "empty")...)
	}
	return nil
}

// measureInstructions runs the rows under callgrind and stores their counts by row. Of two
// ranks it measures rank 0. It returns an error if valgrind is missing or a run fails.
func (b *bench) measureInstructions(v variant, into map[string]counts) error {
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		return fmt.Errorf("skipped: %w; install valgrind", err)
	}
	p, err := v.parties()
	if err != nil {
		return err
	}
	for _, g := range groups {
		names := b.names(g)
		if len(names) == 0 {
			continue
		}
		dir, err := os.MkdirTemp(b.dir, "callgrind")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		prefix := filepath.Join(dir, "out")
		program := append([]string{v.program, "count"}, names...)
		command := append(g.start(v), valgrind, "-q", "--tool=callgrind", "--dump-line=no", "--callgrind-out-file="+prefix)
		command = append(command, program...)
		for range g.ranks - 1 {
			command = append(command, ":", "-n", "1")
			command = append(command, g.start(v)...)
			command = append(command, program...)
		}
		ctx, cancel := context.WithTimeout(context.Background(), runTimeout)
		defer cancel()
		cmd := b.tools.LaunchPlain(ctx, 1, command...)
		// The front allocates the variables that it sets, and the cost of malloc depends on the
		// heap.
		cmd.Env = append(append(cmd.Env, b.environment...), "WI4GO_RANK_VARIABLES=0")
		if _, err := cmd.Output(); err != nil {
			return failure(cmd, err)
		}
		counted, err := readCounts(prefix, p)
		if err != nil {
			return err
		}
		for row, c := range counted {
			into[row] = c
		}
	}
	return nil
}

// parties returns the object files by the names that callgrind uses: with links resolved.
func (v variant) parties() (p parties, err error) {
	core := ""
	if !v.through.Native() {
		core = filepath.Join(filepath.Dir(filepath.Dir(v.through.Front)), "libwi4go.so")
	}
	for _, file := range []struct {
		to   *string
		name string
	}{{&p.program, v.program}, {&p.front, v.through.File()}, {&p.library, v.through.Library}, {&p.core, core}} {
		if file.name == "" {
			continue
		}
		if *file.to, err = filepath.EvalSymlinks(file.name); err != nil {
			return p, err
		}
	}
	return p, nil
}
