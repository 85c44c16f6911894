package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
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
	"wi4go/bench/every"
	"wi4go/gen/model"
	"wi4go/tests/harness"
)

// everySource is the C program with a row for each function, everyObjects a part of it, and
// heapSource a header that calls.c includes too.
var (
	//go:embed calls/every.c
	everySource []byte
	//go:embed calls/every_objects.h
	everyObjects []byte
	//go:embed calls/heap.h
	heapSource []byte
)

// rowTimeout bounds the time without a new row, after which a row is abandoned. A loaded machine needs
// a minute to start the program under valgrind.
const rowTimeout = 4 * time.Minute

// census measures a row for every function.
type census struct {
	options
	dir string
	in  *model.Input
	// rows are the rows of programs by family.
	rows map[string][]every.Row
}

// newCensus writes the sources of the programs into dir.
func newCensus(o options, dir string) (*census, error) {
	var texts [2][]byte
	for i, name := range []string{"funcs.json", "mappers.json"} {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		texts[i] = text
	}
	in, err := model.Load(texts[0], texts[1])
	if err != nil {
		return nil, err
	}
	c := &census{options: o, dir: filepath.Join(dir, "every"), in: in, rows: map[string][]every.Row{}}
	for _, name := range families {
		family, err := abi.Load(name)
		if err != nil {
			return nil, err
		}
		rows, err := every.Rows(in, family)
		if err != nil {
			return nil, err
		}
		if rows, err = o.chosenFunctions(rows); err != nil {
			return nil, err
		}
		text, err := every.Print(rows)
		if err != nil {
			return nil, err
		}
		if err := os.MkdirAll(filepath.Join(c.dir, name), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(c.dir, name, "rows.h"), []byte(text), 0o644); err != nil {
			return nil, err
		}
		c.rows[name] = rows
	}
	for name, text := range map[string][]byte{"every.c": everySource, "every_objects.h": everyObjects, "heap.h": heapSource} {
		if err := os.WriteFile(filepath.Join(c.dir, name), text, 0o644); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// chosenFunctions returns the rows whose functions match a pattern of --rows, or all without one.
func (o options) chosenFunctions(rows []every.Row) ([]every.Row, error) {
	if o.rows == "" {
		return rows, nil
	}
	var picked []every.Row
	for _, r := range rows {
		for pattern := range strings.SplitSeq(o.rows, ",") {
			ok, err := path.Match(pattern, r.Function.Name)
			if err != nil {
				return nil, fmt.Errorf("--rows %s: %w", pattern, err)
			}
			if ok {
				picked = append(picked, r)
				break
			}
		}
	}
	return picked, nil
}

// compile compiles the program of a family and returns its path. It does not optimize: the program's own
// instructions do not count.
func (c *census) compile(tools harness.Toolchain, family string) (string, error) {
	header, err := filepath.Abs(filepath.Join(c.prefix, "gen", family, "mpi.h"))
	if err != nil {
		return "", err
	}
	program := filepath.Join(c.dir, "every."+tools.Name)
	return program, tools.Compile(filepath.Join(c.dir, "every.c"), program, "-I"+filepath.Join(c.dir, family), fmt.Sprintf("-DMPI_H=%q", header), "-Wno-unused", "-O0", "-g0", "-ldl")
}

// tally is the measurement of a row: the counts of its dumps, or the reason for which there are
// none.
type tally struct {
	counts []counts
	reason string
}

// isAbsent reports whether the library lacks the row's function.
func (t tally) isAbsent() bool { return strings.HasSuffix(t.reason, " is absent") }

// runner starts a variant on a number of ranks.
type runner struct {
	*census
	target  target
	variant variant
	ranks   int
	// what is the name of the runner in messages.
	what string
}

// selected returns a character for each row: '1' if the row is for the runner's number of ranks, is timed,
// and is late or not as requested.
func (r *runner) selected(rows []every.Row, isLate func(*every.Row) bool, late bool) string {
	selection := bytes.Repeat([]byte{'0'}, len(rows))
	for i := range rows {
		if row := &rows[i]; row.Ranks == r.ranks && row.Untimed == "" && isLate(row) == late {
			selection[i] = '1'
		}
	}
	return string(selection)
}

// run measures the selected rows and adds them to tallies by name. It starts the program again after a row
// that ends it. The program ends without MPI_Finalize, so a launcher may lose its last line, "done".
func (r *runner) run(rows []every.Row, selection string, tallies map[string]tally) error {
	p, err := r.variant.parties()
	if err != nil {
		return err
	}
	for first := 0; strings.Contains(selection[first:], "1"); {
		dir, err := os.MkdirTemp(r.dir, "callgrind")
		if err != nil {
			return err
		}
		lines, failed := r.start(first, selection, dir)
		counted, err := r.readRows(filepath.Join(dir, "out"), p)
		os.RemoveAll(dir)
		if err != nil {
			return err
		}
		last := first - 1
		for _, line := range lines {
			if n, ok := strings.CutPrefix(line, "row "); ok {
				if last, err = strconv.Atoi(n); err != nil || last >= len(rows) {
					return fmt.Errorf("%s: line %q", r.variant.program, line)
				}
				tallies[rows[last].Name] = tally{reason: "the call ends the program"}
			} else if result, ok := strings.CutPrefix(line, "result "); ok && last >= first {
				tallies[rows[last].Name] = tally{counts: counted[last], reason: result}
			}
		}
		if slices.Contains(lines, "done") {
			return nil
		}
		if last < first {
			if failed == nil {
				return fmt.Errorf("%s ended without a row, and without an error", r.variant.program)
			}
			return fmt.Errorf("%s did not start: %w", r.variant.program, failed)
		}
		first = last + 1
	}
	return nil
}

// command returns the command that measures the selected rows from `first` on. Callgrind's files in dir
// begin with "out".
func (r *runner) command(first int, selection, dir string) []string {
	start := append(r.variant.starter(), "EVERY_FILES="+dir)
	program := []string{r.variant.program, fmt.Sprint(first), selection}
	command := append(slices.Clone(start), "valgrind", "-q", "--tool=callgrind", "--dump-line=no", "--collect-atstart=no",
		"--callgrind-out-file="+filepath.Join(dir, "out"))
	command = append(command, program...)
	for range r.ranks - 1 {
		command = append(append(append(command, ":", "-n", "1"), start...), program...)
	}
	return command
}

// start runs the command. It returns the lines that the program printed, and an error if the
// program failed or a row took longer than rowTimeout.
func (r *runner) start(first int, selection, dir string) ([]string, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cmd := r.target.tools.LaunchPlain(ctx, 1, r.command(first, selection, dir)...)
	cmd.Env = append(append(cmd.Env, r.target.environment...), "WI4GO_RANK_VARIABLES=0")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stuck := time.AfterFunc(rowTimeout, cancel)
	defer stuck.Stop()
	var lines []string
	for s := bufio.NewScanner(out); s.Scan(); {
		lines = append(lines, s.Text())
		stuck.Reset(rowTimeout)
		fmt.Fprintf(os.Stderr, "\r%s, %d ranks: %-12s", r.what, r.ranks, s.Text())
	}
	fmt.Fprintln(os.Stderr)
	if err := cmd.Wait(); err != nil {
		return lines, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, stderr.String())
	}
	return lines, nil
}

// readRows returns the counts of one operation in each of callgrind's files, by the index of the row.
func (o options) readRows(prefix string, p parties) (map[int][]counts, error) {
	files, err := filepath.Glob(prefix + ".*")
	if err != nil {
		return nil, err
	}
	found := map[int][]counts{}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		d, err := readDump(file)
		file.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		var row int
		var repeats float64
		if n, _ := fmt.Sscan(d.name, &row, &repeats); n == 2 {
			all := d.counts(p)
			one := counts{All: all.All / repeats, Front: all.Front / repeats}
			if o.functions > 0 {
				one.functions = d.byFunction(p, repeats)
			}
			found[row] = append(found[row], one)
		}
	}
	return found, nil
}

// benchAll measures a row for every function in every direction, and prints the dearest ones. It
// returns an error if a row exceeds its goal, or every.Limit without a reason.
func (o options) benchAll(c, dir string) error {
	if _, err := exec.LookPath("valgrind"); err != nil {
		return fmt.Errorf("%w; install valgrind", err)
	}
	s, err := newCensus(o, dir)
	if err != nil {
		return err
	}
	var lists []priceList
	for _, t := range o.targets(c, dir) {
		measured, err := s.target(t)
		if err != nil {
			return err
		}
		lists = append(lists, measured...)
	}
	for i := range lists {
		lists[i].keepDearest(o.functions)
	}
	if o.json {
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(lists)
	} else {
		for i := range lists {
			lists[i].printSummary(os.Stdout)
		}
		fmt.Println("\nInstructions added per operation; ~: the front's own, because the runtime's vary; !: over the goal, or without a reason")
		printDearest(os.Stdout, lists, o.dearest)
		if o.functions > 0 {
			printFunctions(os.Stdout, lists, o.rows != "")
		}
	}
	for i := range lists {
		err = errors.Join(err, lists[i].excess())
	}
	return err
}

// target measures programs of every other family on one library.
func (c *census) target(t target) ([]priceList, error) {
	var lists []priceList
	var natively map[string]tally
	for _, app := range families {
		if app == t.family || !slices.Contains(strings.Split(c.from, ","), app) {
			continue
		}
		if natively == nil {
			program, err := c.compile(t.tools, t.family)
			if err != nil {
				return nil, err
			}
			if natively, err = c.measure(t, variant{program: program}, t.family, t.tools.Name, nil); err != nil {
				return nil, err
			}
		}
		direction := app + "→" + t.tools.Name
		through, err := c.through(t, app)
		if err != nil {
			note("%s: skipped: %v", direction, err)
			continue
		}
		translated, err := c.measure(t, through, app, direction, natively)
		if err != nil {
			return nil, err
		}
		lists = append(lists, priceList{direction, compare(c.rows[app], natively, translated)})
	}
	return lists, nil
}

// measure runs a variant on one and on two ranks, and returns the tallies by row. wi4go installs a layer for
// the requests that it emulates when there is the first one, which makes functions on requests dearer. So
// rows that create such requests are late: they run in a process of their own after the others, as do all
// rows of functions that the library lacks. natively are the tallies of the native run, or nil if this is it.
func (c *census) measure(t target, v variant, family, what string, natively map[string]tally) (map[string]tally, error) {
	isLate := func(row *every.Row) bool { return natively != nil && (row.Late || natively[row.Name].isAbsent()) }
	tallies := map[string]tally{}
	for ranks := 1; ranks <= 2; ranks++ {
		for _, late := range []bool{false, true} {
			r := runner{c, t, v, ranks, what}
			if err := r.run(c.rows[family], r.selected(c.rows[family], isLate, late), tallies); err != nil {
				return nil, err
			}
		}
	}
	return tallies, nil
}

// through compiles the program of a family and returns the way in which it runs on a target.
func (c *census) through(t target, family string) (v variant, err error) {
	tools, err := c.toolchain(family)
	if err != nil {
		return v, err
	}
	if v.program, err = c.compile(tools, family); err != nil {
		return v, err
	}
	v.through, err = t.through(c.prefix, v.program, family)
	return v, err
}
