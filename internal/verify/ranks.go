package verify

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"wi4go/internal/pattern"
)

// A rank is the state of one process, read from the file of results that it writes
// (verify/main.c).
type rank struct {
	file    string // the file's path
	offset  int64  // bytes of the file that have been read
	rest    []byte // beginning of an incomplete line
	number  int    // rank in MPI_COMM_WORLD, -1 until the process has written it
	size    int    // number of ranks, as the process has written it
	group   string // test, signature and count of the current cases
	current int    // number of the current case; -1 before the first
	ended   bool   // the process has written that it is done
	refused string // reason why the process cannot run the tests, or ""
}

// A finding is the result of one case.
type finding struct {
	number  int    // number of the case among all cases
	name    string // TEST/SIGNATURE/COUNT/SENDER/RECEIVER
	wrong   string // the failure and its rank, "" if there is none
	missing string // the function that the runtime lacks
	absent  string // the function that the program's library lacks
}

// test returns the name of the case's test.
func (f *finding) test() string {
	name, _, _ := strings.Cut(f.name, "/")
	return name
}

// A span is the range of a test's cases among the cases of all tests.
type span struct {
	test        string // name of the test
	first, next int    // the first case, and the case after the last
	group       int    // number of cases of one signature and count
}

// A job is one start of the tests, with the combined state of its ranks.
type job struct {
	dir     string           // directory of the ranks' files
	skipped int              // number of cases before the first
	ranks   map[string]*rank // ranks by file
	pending map[int]*finding // cases that at least one rank has not finished, by number
	spans   []span           // one per test, in order
	total   int              // number of cases, -1 until known
	done    int              // all ranks have finished the cases before this one
	wrong   int              // the first case in which a rank reported a failure, -1 for none
}

// newJob returns a job that starts after skipped cases, and whose ranks write into dir.
func newJob(dir string, skipped int) *job {
	return &job{dir: dir, skipped: skipped, ranks: map[string]*rank{}, pending: map[int]*finding{}, total: -1, done: skipped, wrong: -1}
}

// read processes the lines that the ranks have written since the last call, and reports whether
// there were any. It returns an error for a line that is not in the format.
func (j *job) read() (moved bool, err error) {
	for _, file := range files(j.dir) {
		r := j.ranks[file]
		if r == nil {
			r = &rank{file: file, number: -1, current: -1}
			j.ranks[file] = r
		}
		text, err := readFrom(file, r.offset)
		if err != nil {
			return moved, err
		}
		moved = moved || len(text) > 0
		r.offset += int64(len(text))
		text = append(r.rest, text...)
		for {
			line, rest, whole := bytes.Cut(text, []byte("\n"))
			if !whole {
				r.rest = slices.Clone(text)
				break
			}
			if err := j.line(r, string(line)); err != nil {
				return moved, fmt.Errorf("%s: %w", file, err)
			}
			text = rest
		}
	}
	return moved, nil
}

// processFile matches the name of a rank's file.
var processFile = pattern.New(`\.[0-9]+$`)

// files returns the files that processes write. Their names are HOST.PID.
func files(dir string) []string {
	all, _ := filepath.Glob(filepath.Join(dir, "*.*")) // the pattern is well-formed
	return slices.DeleteFunc(all, func(f string) bool { return !processFile.MatchString(f) })
}

// cutLast is strings.Cut at the last separator.
func cutLast(text, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(text, separator); i >= 0 {
		return text[:i], text[i+len(separator):], true
	}
	return text, "", false
}

// readFrom returns the content of a file from offset.
func readFrom(file string, offset int64) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() <= offset {
		return nil, err
	}
	text := make([]byte, info.Size()-offset)
	n, err := f.ReadAt(text, offset)
	if n == len(text) {
		err = nil
	}
	return text[:n], err
}

// line processes a line that a rank has written.
func (j *job) line(r *rank, line string) (err error) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "rank":
		_, err = fmt.Sscan(rest, &r.number, &r.size)
	case "test":
		err = j.span(rest)
	case "total":
		j.total, err = strconv.Atoi(rest)
	case "group":
		r.group = rest
	case "case":
		var s, to int
		if _, err = fmt.Sscan(rest, &r.current, &s, &to); err == nil && j.pending[r.current] == nil {
			j.pending[r.current] = &finding{number: r.current, name: fmt.Sprintf("%s/%d/%d", r.group, s, to)}
		}
	case "wrong", "missing", "absent":
		f := j.pending[r.current]
		switch {
		case f == nil:
			return fmt.Errorf("line %q outside a case", line)
		case word == "missing":
			f.missing = rest
		case word == "absent":
			f.absent = rest
		case f.wrong == "": // the first message of a rank is enough
			j.blame(r.current, fmt.Sprintf("rank %d: %s", r.number, rest))
		}
	case "died":
		if r.current >= 0 {
			j.blame(r.current, fmt.Sprintf("rank %d died of signal %s", r.number, rest))
		}
	case "error":
		r.refused = rest
	case "end":
		r.ended = true
	default:
		return fmt.Errorf("unexpected line %q", line)
	}
	if err != nil {
		return fmt.Errorf("%q: %w", line, err)
	}
	return nil
}

// blame records a rank's failure in a case.
func (j *job) blame(number int, text string) {
	f := j.pending[number]
	if f.wrong != "" {
		text = f.wrong + "; " + text
	}
	f.wrong = text
	if j.wrong < 0 || number < j.wrong {
		j.wrong = number
	}
}

// span records the range of a test's cases. All ranks write the same ranges; only the first is
// recorded.
func (j *job) span(text string) error {
	var s span
	_, err := fmt.Sscan(text, &s.test, &s.next, &s.group)
	if err != nil || slices.ContainsFunc(j.spans, func(known span) bool { return known.test == s.test }) {
		return err
	}
	if n := len(j.spans); n > 0 {
		s.first = j.spans[n-1].next
	}
	s.next += s.first
	j.spans = append(j.spans, s)
	return nil
}

// collect calls each for the cases before upTo, in order, and removes them.
func (j *job) collect(upTo int, each func(f *finding)) {
	for ; j.done < upTo; j.done++ {
		if f := j.pending[j.done]; f != nil {
			each(f)
			delete(j.pending, j.done)
		}
	}
}

// past returns the first case that some of the n ranks have not finished.
func (j *job) past(n int) int {
	if len(j.ranks) < n {
		return j.skipped
	}
	past := max(j.total, j.skipped)
	for _, r := range j.ranks {
		if !r.ended {
			past = min(past, max(r.current, j.skipped))
		}
	}
	return past
}

// ended reports whether all of n ranks have finished.
func (j *job) ended(n int) bool {
	if len(j.ranks) < n {
		return false
	}
	for _, r := range j.ranks {
		if !r.ended {
			return false
		}
	}
	return true
}

// refused returns a rank's reason why the tests cannot run, or "".
func (j *job) refused() string {
	for _, r := range j.ranks {
		if r.refused != "" {
			return r.refused
		}
	}
	return ""
}

// blameForEnd returns the case in which a job failed that did not finish, and a text to add to the
// ranks' messages. hangs reports whether the job exceeded its time. The case is the first in
// which a rank reported a failure or died, because that failure may spoil all later cases;
// otherwise it is the current case of the slowest ranks. number is -1 if the first case was not
// reached.
func (j *job) blameForEnd(hangs bool) (number int, text string) {
	at, ranks := j.slowest()
	switch {
	case j.wrong >= 0 && (!hangs || at < 0 || j.wrong <= at):
		return j.wrong, ""
	case hangs:
		return at, ranks + ": did not finish in time"
	}
	return at, ranks + ": ended during the test"
}

// slowest returns the smallest current case of the unfinished ranks, and these ranks in words.
func (j *job) slowest() (number int, ranks string) {
	var slowest []string
	number = -1
	for _, r := range j.sorted() {
		switch {
		case r.ended || r.number < 0:
		case number < 0 || r.current < number:
			number, slowest = r.current, []string{strconv.Itoa(r.number)}
		case r.current == number:
			slowest = append(slowest, strconv.Itoa(r.number))
		}
	}
	if len(slowest) > 1 {
		return number, "ranks " + strings.Join(slowest, ", ")
	}
	return number, "rank " + strings.Join(slowest, ", ")
}

// sorted returns the ranks by number.
func (j *job) sorted() []*rank {
	var list []*rank
	for _, r := range j.ranks {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *rank) int { return a.number - b.number })
	return list
}
