// Command run runs the conformance programs of the directory above and prints
// tables of verdicts.
//
//	go run ./tests/conformance/run [--ranks 1,2,4] [--from LIBRARIES] [--to LIBRARIES] [--within] [PROGRAM...]
//
// Each program, compiled by the libraries of --from, runs on the libraries of --to. Package suite
// defines the verdicts. A library is openmpi or mpich (Debian's), or one whose mpicc and mpiexec
// are in the directory of a variable: WI4GO_MPICH_5_0_BIN is mpich-5.0. --to all stands for all
// installed libraries.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"wi4go/tests/conformance/suite"
	"wi4go/tests/harness"
)

func main() {
	s := suite.Suite{}
	var ranks, compilers, runtimes string
	var within, brief bool
	flag.StringVar(&s.Prefix, "prefix", "build", "the `directory` wi4go is installed in")
	flag.StringVar(&s.Cache, "cache", filepath.Join("build", "conformance"), "the `directory` for the compiled programs")
	flag.StringVar(&s.Programs, "programs", "tests/conformance", "the `directory` of the programs")
	flag.StringVar(&ranks, "ranks", "1,2,4", "`numbers` of ranks, separated by commas")
	flag.StringVar(&compilers, "from", "openmpi,mpich", "the `libraries` to compile with, separated by commas, or all")
	flag.StringVar(&runtimes, "to", "openmpi,mpich", "the `libraries` to run on, separated by commas, or all")
	flag.BoolVar(&within, "within", false, "run programs on the libraries of their own family too")
	flag.BoolVar(&brief, "brief", false, "print no line for each program")
	flag.IntVar(&s.Jobs, "jobs", 2, "runs at the same time")
	flag.DurationVar(&s.Timeout, "timeout", time.Minute, "of one run")
	flag.Parse()
	s.Only = flag.Args()
	from, err := libraries(compilers)
	if err != nil {
		stop(fmt.Errorf("--from: %w", err))
	}
	to, err := libraries(runtimes)
	if err != nil {
		stop(fmt.Errorf("--to: %w", err))
	}
	s.Directions = harness.Across(from, to, within)
	if len(s.Directions) == 0 {
		stop(errors.New("nothing to run, because all libraries are of one family: give --within"))
	}
	for word := range strings.SplitSeq(ranks, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			stop(fmt.Errorf("--ranks %s: %s is not a number of ranks", ranks, word))
		}
		s.Ranks = append(s.Ranks, n)
	}
	if err := s.Open(); err != nil {
		stop(err)
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if !table(ctx, os.Stdout, &s, from, to, brief) {
		os.Exit(1)
	}
}

func stop(err error) {
	fmt.Fprintf(os.Stderr, "wi4go: conformance: %v\n", err)
	os.Exit(2)
}

// libraries parses a list of libraries. "all" stands for all installed ones of harness.Libraries.
func libraries(list string) ([]string, error) {
	if list != "all" {
		return strings.Split(list, ","), nil
	}
	var names []string
	for _, name := range harness.Libraries {
		switch _, err := harness.Find(name); {
		case err == nil:
			names = append(names, name)
		case !errors.Is(err, harness.ErrMissing):
			return nil, err
		default:
			fmt.Fprintf(os.Stderr, "wi4go: conformance: left out: %v\n", err)
		}
	}
	return names, nil
}

// table runs the suite. It prints a line for each program and direction, then a table of the directions, then each case
// that did not pass, with the reason. It reports whether all cases are good.
func table(ctx context.Context, out io.Writer, s *suite.Suite, from, to []string, brief bool) bool {
	const program, direction, cell = 24, 36, 20
	for _, name := range to {
		fmt.Fprintf(out, "%-18s%s\n", name, s.Library(name))
	}
	if !brief {
		fmt.Fprintf(out, "natively / through wi4go, on so many ranks\n%-*s%-*s", program, "", direction, "")
		for _, ranks := range s.Ranks {
			fmt.Fprintf(out, "%-*d", cell, ranks)
		}
	}
	start, good := time.Now(), true
	var notes []string
	counts := map[harness.Direction]map[suite.Verdict]int{}
	s.Run(ctx, func(r suite.Result) {
		if !brief && r.Ranks == s.Ranks[0] {
			fmt.Fprintf(out, "\n%-*s%-*s", program, r.Program, direction, r.Direction)
		}
		if !brief {
			fmt.Fprintf(out, "%-*s", cell, r.Native+" / "+r.Through)
		}
		if counts[r.Direction] == nil {
			counts[r.Direction] = map[suite.Verdict]int{}
		}
		counts[r.Direction][r.Through]++
		if r.Detail != "" {
			notes = append(notes, fmt.Sprintf("%s %s %d: %s / %s: %s", r.Program, r.Direction, r.Ranks, r.Native, r.Through, r.Detail))
		}
		good = good && r.Good()
	})
	fmt.Fprintf(out, "\n\n%s\n\n", strings.Join(notes, "\n"))
	summary(out, from, to, counts)
	fmt.Fprintf(out, "in %s\n", time.Since(start).Round(time.Second))
	return good
}

// summary prints the number of each verdict by direction: a line for each compiler, a column for each runtime.
func summary(out io.Writer, from, to []string, counts map[harness.Direction]map[suite.Verdict]int) {
	const cell = 18
	fmt.Fprintf(out, "passed + unsupported by the runtime + failing natively, ! worse than natively\n%-*s", cell, "compiled for \\ on")
	for _, runtime := range to {
		fmt.Fprintf(out, "%-*s", cell, runtime)
	}
	for _, compiler := range from {
		fmt.Fprintf(out, "\n%-*s", cell, compiler)
		for _, runtime := range to {
			of := counts[harness.Direction{From: compiler, To: runtime}]
			all := 0
			for _, n := range of {
				all += n
			}
			text := "-"
			if all > 0 {
				text = fmt.Sprintf("%d+%d+%d", of[suite.Pass], of[suite.Unsupported], of[suite.Excused])
			}
			if worse := all - of[suite.Pass] - of[suite.Unsupported] - of[suite.Excused]; worse > 0 {
				text += fmt.Sprintf(" !%d", worse)
			}
			fmt.Fprintf(out, "%-*s", cell, text)
		}
	}
	fmt.Fprintln(out)
}
