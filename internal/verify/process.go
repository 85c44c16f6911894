package verify

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"wi4go/internal/launch"
	"wi4go/internal/pattern"
	"wi4go/internal/ranks"
)

// A process is the launcher of the tests, with the beginning of its output.
type process struct {
	*ranks.Job
	errs bytes.Buffer // stdout and stderr, up to maxOutput
}

// maxOutput bounds the output that is kept, in bytes.
const maxOutput = 64 << 10

// start starts the launcher by command, or returns an error.
func start(command []string) (*process, error) {
	p := &process{}
	out := &ranks.Limited{To: &p.errs, Remaining: maxOutput}
	var err error
	p.Job, err = ranks.Start(ranks.Command{Argv: command, Environ: launch.Environ(os.Environ(), launch.AnyCores(os.Getenv)), Out: out, Err: out})
	return p, err
}

// end stops the launcher, which stops its ranks, and then the ranks of program that are left on
// this host. grace is the time that the launcher gets to end by itself. dir contains a file for
// each rank.
func (p *process) end(grace time.Duration, dir, program string) {
	p.End(grace) // the files of the ranks show the outcome
	host, err := os.Hostname()
	for _, file := range files(dir) {
		at, number, _ := cutLast(filepath.Base(file), ".")
		if pid, none := strconv.Atoi(number); err == nil && none == nil && at == host {
			ranks.KillProgram(pid, program)
		}
	}
}

// errorLine matches output lines that probably name the cause of a failure.
var errorLine = pattern.New(`(?i)error|fail|cannot|could not|unable|abort|no such|signal|fatal|slots|wi4go:`)

// diagnosis returns the most informative line of the output of the launcher and the ranks, or "" if
// there is none.
func (p *process) diagnosis() string {
	if !p.EndsWithin(time.Second) {
		return "" // the output may still be written
	}
	const longest = 240
	for line := range strings.Lines(p.errs.String()) {
		line = strings.TrimSpace(line)
		if errorLine.MatchString(line) && !strings.Contains(line, "not in the MPI library that this program runs on") {
			if len(line) > longest {
				line = strings.ToValidUTF8(line[:longest], "") + " …"
			}
			return "; its output: " + line
		}
	}
	return ""
}
