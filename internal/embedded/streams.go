package embedded

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// streams are the input and output of a job.
type streams struct {
	in       io.Reader
	out, err io.Writer
	labels   bool
	width    int // digits of the largest rank
	lock     sync.Mutex
	labeled  []*labeled
}

func newStreams(in io.Reader, out, err io.Writer, labels bool, n int) *streams {
	return &streams{in: in, out: out, err: err, labels: labels, width: len(strconv.Itoa(n - 1))}
}

// of returns the streams of a rank. Rank 0 reads the launcher's input.
func (s *streams) of(rank int) (in io.Reader, out, err io.Writer) {
	if rank == 0 {
		in = s.in
	}
	if !s.labels {
		return in, s.out, s.err
	}
	label := fmt.Sprintf("[%*d] ", s.width, rank)
	o, e := &labeled{streams: s, to: s.out, label: label}, &labeled{streams: s, to: s.err, label: label}
	s.labeled = append(s.labeled, o, e)
	return in, o, e
}

// A labeled writer writes whole lines, each with a label.
type labeled struct {
	*streams
	to    io.Writer
	label string
	line  strings.Builder // the beginning of a line
}

// Write writes the lines that are complete. The rest of a line follows at the next call.
func (l *labeled) Write(text []byte) (int, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	for _, line := range strings.SplitAfter(string(text), "\n") {
		l.line.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			continue
		}
		if _, err := io.WriteString(l.to, l.label+l.line.String()); err != nil {
			return 0, err
		}
		l.line.Reset()
	}
	return len(text), nil
}

// flush writes the rest of a line.
func (l *labeled) flush() {
	if l.line.Len() > 0 {
		io.WriteString(l.to, l.label+l.line.String()+"\n") // ignore errors: the job has ended
	}
}
