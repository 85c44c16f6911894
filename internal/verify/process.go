package verify

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"wi4go/internal/launch"
	"wi4go/internal/ranks"
)

// A process is the launcher of the tests, with the beginning of its output.
type process struct {
	*ranks.Job
	errs bytes.Buffer // stdout and stderr
}

// maxOutput bounds the output that is kept, in bytes.
const maxOutput = 64 << 10

func start(command []string) (*process, error) {
	p := &process{}
	out := &ranks.Limited{To: &p.errs, Left: maxOutput}
	var err error
	p.Job, err = ranks.Start(ranks.Command{Argv: command, Environ: launch.Environ(os.Environ(), launch.AnyCores), Out: out, Err: out})
	return p, err
}

// end ends the launcher, which ends its ranks, then the ranks that are left on this host. dir
// has a file of each rank.
func (p *process) end(grace time.Duration, dir, program string) {
	p.End(grace) // the files of the ranks show how it went
	host, err := os.Hostname()
	for _, file := range files(dir) {
		at, number, _ := cutLast(filepath.Base(file), ".")
		if pid, none := strconv.Atoi(number); err == nil && none == nil && at == host {
			ranks.KillProgram(pid, program)
		}
	}
}

var telling = regexp.MustCompile(`(?i)error|fail|cannot|could not|unable|abort|no such|signal|fatal|slots|wi4go:`)

// words picks what is most telling of what the launcher and the ranks said.
func (p *process) words() string {
	if !p.EndsWithin(time.Second) {
		return "" // it still writes
	}
	const longest = 240
	for line := range strings.Lines(p.errs.String()) {
		line = strings.TrimSpace(line)
		if telling.MatchString(line) && !strings.Contains(line, "not in the MPI library that this program runs on") {
			if len(line) > longest {
				line = strings.ToValidUTF8(line[:longest], "") + " …"
			}
			return "; it said: " + line
		}
	}
	return ""
}
