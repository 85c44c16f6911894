package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// runTimeout bounds a run. MPICH with more ranks than cores takes the longest.
const runTimeout = time.Minute

// jobs runs the programs and collects their samples.
type jobs struct {
	options
	// interrupted is done after Ctrl+C: the tables then have the samples that there are.
	interrupted context.Context
	programs    []program
	// line is the file of the cache line.
	line string
	// cores are the numbers of the two cores, with a comma between.
	cores   string
	samples []sample
	// failed names the whole jobs that have failed.
	failed map[string]bool
}

// stayOnTwoCores keeps this thread, and all processes that it starts, on the first two cores that it
// may use, and returns their numbers. It returns an error if there are less.
func stayOnTwoCores() (string, error) {
	var allowed, two unix.CPUSet
	if err := unix.SchedGetaffinity(0, &allowed); err != nil {
		return "", fmt.Errorf("sched_getaffinity: %w", err)
	}
	var numbers []string
	for core := range 64 * len(allowed) {
		if allowed.IsSet(core) && len(numbers) < 2 {
			two.Set(core)
			numbers = append(numbers, fmt.Sprint(core))
		}
	}
	if len(numbers) < 2 {
		return "", fmt.Errorf("this process may use %d core; the cases need two", allowed.Count())
	}
	return strings.Join(numbers, ","), unix.SchedSetaffinity(0, &two)
}

// newLine creates the file of the cache line, if possible in memory.
func newLine() (string, error) {
	dir := "/dev/shm"
	if unix.Access(dir, unix.W_OK) != nil {
		dir = os.TempDir()
	}
	file, err := os.CreateTemp(dir, "wi4go-bench-onehost")
	if err != nil {
		return "", err
	}
	return file.Name(), file.Close()
}

// measure runs every program in turn. A program that fails is noted and not started again.
func (j *jobs) measure(rows []row) {
	for i := range max(j.runs, j.most) {
		for _, ranks := range numbersOfRanks(rows) {
			works := j.works(rows, ranks, i >= j.runs)
			for k := range j.programs {
				p := &j.programs[k]
				if len(works) == 0 || p.failed[ranks] {
					continue
				}
				if j.interrupted.Err() != nil {
					note("interrupted in run %d; the tables have the samples of the runs before", i+1)
					return
				}
				fmt.Fprintf(os.Stderr, "\r%d/%d %-40s", i+1, j.runs, fmt.Sprintf("%s on %d ranks", p.name, ranks))
				samples, err := j.between(*p, ranks, works)
				if err != nil && j.interrupted.Err() == nil {
					note("%s on %d ranks: %v", p.name, ranks, err)
					p.failed[ranks] = true
				}
				j.samples = append(j.samples, samples...)
			}
		}
	}
	fmt.Fprintln(os.Stderr)
}

// works returns the work of the rows with a number of ranks. With lacking, only of those that have
// too few runs in both states.
func (j *jobs) works(rows []row, ranks int, lacking bool) (works []string) {
	var libraries []string
	for _, p := range j.programs {
		if !p.failed[ranks] {
			libraries = append(libraries, p.name)
		}
	}
	for _, r := range rows {
		if r.ranks == ranks && !(lacking && complete(r, libraries, j.samples, j.border)) {
			works = append(works, r.work)
		}
	}
	return works
}

// between runs the cases of a program, and then the works that are jobs of their own.
func (j *jobs) between(p program, ranks int, works []string) ([]sample, error) {
	cases, jobs := split(works)
	var samples []sample
	if len(cases) > 0 {
		var err error
		if samples, err = j.cases(p, ranks, cases); err != nil {
			return samples, err
		}
	}
	more, err := j.wholeJobs(p, ranks, jobs)
	return append(samples, more...), err
}

// cases runs a program. With other than two ranks, which cannot bounce the line themselves, our
// program does so before and after.
func (j *jobs) cases(p program, ranks int, works []string) ([]sample, error) {
	if ranks == 2 {
		return j.run(p, ranks, works...)
	}
	before, err := j.bounce()
	if err != nil {
		return nil, err
	}
	samples, failed := j.run(p, ranks, works...)
	after, err := j.bounce()
	if err != nil {
		return nil, err
	}
	for i := range samples {
		samples[i].before, samples[i].after = before, after
	}
	return samples, failed
}

// bounce returns half the round trip of a cache line, in nanoseconds.
func (j *jobs) bounce() (float64, error) {
	for _, p := range j.programs {
		if p.isOurs() {
			samples, err := j.run(p, 2, "line:0")
			if err != nil {
				return 0, err
			}
			return min(samples[0].before, samples[0].after), nil
		}
	}
	return 0, fmt.Errorf("the program of the device was not compiled")
}

// run runs a program once and returns its samples, one for each work, or up to an error.
func (j *jobs) run(p program, ranks int, works ...string) ([]sample, error) {
	if err := os.WriteFile(j.line, make([]byte, 4096), 0o600); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(j.interrupted, runTimeout)
	defer cancel()
	cmd := p.start(ctx, ranks, append([]string{j.line, fmt.Sprint(j.milliseconds), j.cores}, works...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = 5 * time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	failed := cmd.Run()
	samples, err := parse(p.name, ranks, stdout.String())
	if failed != nil {
		return samples, fmt.Errorf("%w\n%s", cmp.Or(ctx.Err(), failed), lastLines(stderr.String()))
	}
	if err == nil && len(samples) != len(works) {
		err = fmt.Errorf("%d cases in the output, not %d:\n%s", len(samples), len(works), lastLines(stdout.String()))
	}
	return samples, err
}

// lastLines returns the end of an output.
func lastLines(text string) string {
	const most = 600
	return text[max(0, len(text)-most):]
}

// names returns the names of programs.
func names(programs []program) (all []string) {
	for _, p := range programs {
		all = append(all, p.name)
	}
	return all
}

// start returns the command of a program on a number of ranks.
func (p program) start(ctx context.Context, ranks int, args ...string) *exec.Cmd {
	switch p.name {
	case "adi":
		cmd := exec.CommandContext(ctx, p.path, args...)
		cmd.Env = append(os.Environ(), fmt.Sprintf("ADI_RANKS=%d", ranks))
		return cmd
	case "embedded":
		return exec.CommandContext(ctx, p.launcher, append([]string{"run", "--to", "embedded", "-n", fmt.Sprint(ranks), p.path}, args...)...)
	}
	cmd := p.tools.Launch(ctx, ranks, append([]string{p.path}, args...)...)
	cmd.Env = append(cmd.Env, p.environment...)
	return cmd
}
