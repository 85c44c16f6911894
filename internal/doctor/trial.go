package doctor

import (
	"cmp"
	"strings"
	"time"

	"wi4go/internal/family"
	"wi4go/internal/fault"
	"wi4go/internal/launch"
	"wi4go/internal/pattern"
	"wi4go/internal/shell"
)

// trialLimit bounds the time for two ranks to pass a message.
const trialLimit = 30 * time.Second

// trial starts two ranks of wi4go's own test program on the runtime, as `wi4go run` would, and
// records the outcome.
func (x *exam) trial() {
	switch {
	case !x.Trial || x.runtime == nil:
		return
	case x.cannotRun():
		x.addFact("trial", trialDetails{Skipped: "errors", Hosts: []string{}})
		return
	case x.inJob():
		x.addFact("trial", trialDetails{Skipped: "in-job", Hosts: []string{}})
		return
	}
	from := x.from()
	for _, pair := range x.pairs() {
		command, environ, err := x.trialCommand(from, pair)
		if err != nil {
			x.addError(err, "trial-fails", Error)
			return
		}
		start := time.Now()
		outcome := x.Run(command, environ, trialLimit)
		if f := judge(outcome, shell.Join(command...)); f != nil {
			f.Finding += between(pair)
			x.report.Findings = append(x.report.Findings, *f)
			continue
		}
		x.safetyNet(outcome.Err)
		x.addFact("trial", trialDetails{Ranks: 2, From: from.Name, Product: x.entry.Product, Hosts: notNil(pair), Seconds: time.Since(start).Seconds(),
			title: from.Title})
	}
}

// between returns the hosts of a trial in words, or "" for none.
func between(hosts []string) string {
	if len(hosts) == 0 {
		return ""
	}
	return " between " + strings.Join(hosts, " and ")
}

// from returns the family of the trial's program: the family of the user's program, else one
// whose programs must be translated.
func (x *exam) from() *family.Family {
	if x.job != nil && x.job.From != nil {
		return x.job.From
	}
	if f, err := family.Of(x.From); err == nil {
		return f
	}
	for _, f := range family.All {
		if f != x.runtime.Family {
			return f
		}
	}
	return x.runtime.Family
}

// trialCommand returns the command and the environment of a trial. hosts are the hosts of the
// two ranks, or nil for this one.
func (x *exam) trialCommand(from *family.Family, hosts []string) (command, environ []string, err error) {
	probe, err := x.Launcher.Tree.Probe(from.Name)
	if err != nil {
		return nil, nil, err
	}
	job, err := x.Launcher.Job([]string{probe}, "", "", x.runtime)
	if err != nil {
		return nil, nil, err
	}
	if err := x.Launcher.Prepare(job); err != nil {
		return nil, nil, err
	}
	job.Env = append(job.Env, x.Launcher.Reported()...)
	segment := launch.Segment{Options: []string{"-n", "2"}, Program: []string{probe}}
	if hosts != nil {
		segment.Options = append(segment.Options, "-H", strings.Join(hosts, ","))
	}
	segments := []launch.Segment{segment}
	vars, _, err := x.Launcher.Translate(segments, x.runtime)
	if err != nil {
		return nil, nil, err
	}
	command, err = x.Launcher.Command(segments, []*launch.Job{job})
	return command, launch.Environ(x.Environ, append(launch.AnyCores(x.getenv), vars...)), err
}

// safetyNetLine begins the line by which a rank reports that it uses the safety net
// (shim/front/load.c).
const safetyNetLine = "wi4go: safety net: "

// safetyNet adds a finding if the ranks of the trial used the safety net. output is their stderr.
func (x *exam) safetyNet(output string) {
	const cure = "most programs run correctly with it; to make calls cheaper, run without a seccomp filter and without sealed memory"
	if _, line, found := strings.Cut(output, safetyNetLine); found {
		line, _, _ = strings.Cut(line, "\n")
		x.addFinding("safety-net", Warning, cure, "%s", strings.TrimSpace(line))
	}
}

// Outputs of the test program (shim/probe/probe.c).
const (
	probeOK    = "probe: ok"              // the rank got the right message
	probeAlone = "probe: alone"           // MPI_COMM_WORLD has one rank
	probeWrong = "probe: another message" // the rank got another message
)

// judge returns the finding for an outcome, or nil if the trial worked. command is the trial's
// command line.
func judge(o Outcome, command string) *Finding {
	cure := "start it by hand to see its whole output: " + command
	words := diagnosis(o)
	switch {
	case strings.Contains(o.Out, probeWrong):
		return &Finding{"trial-wrong", Error, "two ranks received another message than was sent", "report it as a bug of wi4go"}
	case strings.Contains(o.Out, probeAlone):
		return &Finding{"trial-alone", Error, "two ranks were started, but each runs as rank 0 of 1, because the library does not support its " +
			"launcher", "with --to, name the library and the mpiexec of one installation; " + cure}
	case o.TimedOut:
		return &Finding{"trial-hangs", Error, "two ranks did not pass a message within " + trialLimit.String() + words, cure}
	case o.Failed != nil:
		return &Finding{"trial-fails", Error, "two ranks could not pass a message (" + fault.Text(o.Failed) + ")" + words, cure}
	case strings.Count(o.Out, probeOK) != 2:
		return &Finding{"trial-fails", Error, "not both of the two ranks finished" + words, cure}
	}
	return nil
}

// reasons match output lines that name the cause of a failure, the most informative pattern first.
var reasons = []*pattern.Pattern{
	pattern.New(`^wi4go: `),
	pattern.New(`error while loading shared libraries|symbol lookup error|undefined symbol|version .* not found`),
	pattern.New(`(?i)Signal: |cannot|can't|could not|unable|no such|not found|denied|refused|exhausted|out of memory|no space|read-only|too many|slots|timed out`),
	pattern.New(`(?i)error|fail|abort|not |signal|fatal`),
	pattern.New(`.`),
}

// frameLine matches output lines that frame a report, or state a failure without its cause: rules,
// the lines around Open MPI's report of a signal, the first line of MPICH's error stack, and the launchers'
// last sentences.
var frameLine = pattern.New(`^[-=+ ]*$|^probe: |\*\*\* (Process received signal|End of error message)|` +
	`(mpirun|mpiexec|prterun)\S* (detected|noticed) that|^Primary job +terminated normally|MPI_ABORT was invoked|BAD TERMINATION|^=+ |with errorcode|Other MPI error, error stack:$`)

// diagnosis returns the most informative line of a command's output; see reasons.
func diagnosis(o Outcome) string {
	const longest = 240
	first, frame, best := "", "", len(reasons)
	for line := range strings.Lines(o.Err + "\n" + o.Out) {
		line = strings.TrimSpace(line)
		if frameLine.MatchString(line) {
			if frame == "" && strings.Trim(line, "-=+ ") != "" && !strings.HasPrefix(line, "probe: ") {
				frame = line
			}
			continue
		}
		for rank, reason := range reasons[:best] {
			if reason.MatchString(line) {
				first, best = line, rank
				break
			}
		}
	}
	first = cmp.Or(first, frame)
	if len(first) > longest {
		first = strings.ToValidUTF8(first[:longest], "") + " …"
	}
	if first != "" {
		first = "; its output: " + first
	}
	return first
}
