package main

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// inputs are the input files of applications. tests/real also uses the input of HPCC.
//
//go:embed inputs
var inputs embed.FS

// A whole is a kind of work that is a job of its own, timed from its start to its end.
type whole struct {
	// program is the file in PATH, an Open MPI program, or "" for the benchmark's own program without a case.
	program string
	args    []string
	// limit bounds a run.
	limit time.Duration
	// prepare writes the input for a number of ranks into the directory in which the job runs.
	prepare func(dir string, ranks int) error
}

// wholes are these kinds by the name of the work.
var wholes = map[string]whole{
	"start": {limit: runTimeout},
	"lammps": {program: "lmp", args: []string{"-in", "melt.in", "-log", "none"}, limit: 2 * time.Minute, prepare: func(dir string, _ int) error {
		text, err := inputs.ReadFile("inputs/melt.in")
		return errors.Join(err, os.WriteFile(filepath.Join(dir, "melt.in"), text, 0o644))
	}},
	"hpcc": {program: "hpcc", limit: 5 * time.Minute, prepare: func(dir string, ranks int) error {
		text, err := inputs.ReadFile("inputs/hpccinf.txt")
		text = regexp.MustCompile(`(?m)^2( +Qs)$`).ReplaceAll(text, fmt.Appendf(nil, "%d$1", ranks))
		return errors.Join(err, os.WriteFile(filepath.Join(dir, "hpccinf.txt"), text, 0o644))
	}},
}

// split returns the works that are cases of the benchmark's program, and those that are jobs of their own.
func split(works []string) (cases, jobs []string) {
	for _, work := range works {
		kind, _, _ := strings.Cut(work, ":")
		if _, ok := wholes[kind]; ok {
			jobs = append(jobs, work)
		} else {
			cases = append(cases, work)
		}
	}
	return cases, jobs
}

// wholeJobs runs each work as a job. A job that fails, or whose program is not installed, is noted and not started again.
func (j *jobs) wholeJobs(p program, ranks int, works []string) (samples []sample, err error) {
	for _, work := range works {
		name := fmt.Sprintf("%s of %s on %d ranks", work, p.name, ranks)
		if j.failed[name] {
			continue
		}
		before, err := j.bounce()
		if err != nil {
			return samples, err
		}
		ns, err := j.wholeJob(p, ranks, work)
		if err != nil {
			note("%s: skipped: %v", name, err)
			j.failed[name] = true
			continue
		}
		after, err := j.bounce()
		if err != nil {
			return samples, err
		}
		samples = append(samples, sample{library: p.name, work: work, ranks: ranks, before: before, after: after, shortest: ns})
	}
	return samples, nil
}

// wholeJob runs a job once and returns its time in nanoseconds.
func (j *jobs) wholeJob(p program, ranks int, work string) (float64, error) {
	kind, _, _ := strings.Cut(work, ":")
	w := wholes[kind]
	dir, err := os.MkdirTemp("", "wi4go-bench-onehost")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if w.prepare != nil {
		if err := w.prepare(dir, ranks); err != nil {
			return 0, err
		}
	}
	ctx, cancel := context.WithTimeout(j.interrupted, w.limit)
	defer cancel()
	cmd, err := j.wholeCommand(ctx, p, ranks, w)
	if err != nil {
		return 0, err
	}
	var output bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &output, &output
	cmd.WaitDelay = 5 * time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	begin := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("%w\n%s", cmp.Or(ctx.Err(), err), lastLines(output.String()))
	}
	return float64(time.Since(begin).Nanoseconds()), nil
}

// wholeCommand returns the command of a job. Applications run natively on Open MPI of this machine, which they were built
// with, and by `wi4go run` on all others.
func (j *jobs) wholeCommand(ctx context.Context, p program, ranks int, w whole) (*exec.Cmd, error) {
	if w.program == "" {
		return p.start(ctx, ranks, j.line, "0", j.cores), nil
	}
	path, err := exec.LookPath(w.program)
	if err != nil {
		return nil, err
	}
	words := append([]string{path}, w.args...)
	if p.isOurs() {
		p.path = path
		return p.start(ctx, ranks, w.args...), nil
	}
	cmd := p.tools.Launch(ctx, ranks, words...)
	cmd.Env = append(cmd.Env, p.environment...)
	if p.name != "openmpi" {
		command, err := filepath.Abs(filepath.Join(j.prefix, "bin", "wi4go"))
		if err != nil {
			return nil, err
		}
		cmd.Args = append([]string{command, "run", "--to", cmd.Path}, cmd.Args[1:]...)
		cmd.Path = command
	}
	return cmd, nil
}
