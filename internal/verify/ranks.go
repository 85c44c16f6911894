package verify

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A rank is what one process has written so far (verify/main.c says what).
type rank struct {
	file    string
	offset  int64
	rest    []byte // of a line that is not whole
	number  int    // in MPI_COMM_WORLD, -1 before it says so
	of      int    // how many there are, as it says
	group   string
	at      int // the case that it is in; -1 before the first
	ended   bool
	refused string
}

// A finding is what is known of one case.
type finding struct {
	number  int    // among the cases of the tests
	name    string // TEST/SIGNATURE/COUNT/SENDER/RECEIVER
	wrong   string // what is, and on which rank
	missing string // the function that the runtime lacks
	absent  string // the function that the program's library does not have
}

// test is the test of the case.
func (f *finding) test() string {
	name, _, _ := strings.Cut(f.name, "/")
	return name
}

// A span is where a test's cases are among those of all tests.
type span struct {
	test        string
	first, next int // case, and that behind its last
	group       int // cases of one signature and count
}

// A job is one start of the tests: what its ranks have said, put together.
type job struct {
	dir     string
	skipped int // cases before the first
	ranks   map[string]*rank
	pending map[int]*finding // cases that some rank is not yet past
	spans   []span
	total   int // of cases, -1 before it is known
	done    int // cases before this one are past on all ranks
	wrong   int // the first case of which a rank says that it is, -1 for none
}

func newJob(dir string, skipped int) *job {
	return &job{dir: dir, skipped: skipped, ranks: map[string]*rank{}, pending: map[int]*finding{}, total: -1, done: skipped, wrong: -1}
}

// read takes in what the ranks have written since, and says whether that was
// anything.
func (j *job) read() (moved bool, err error) {
	for _, file := range files(j.dir) {
		r := j.ranks[file]
		if r == nil {
			r = &rank{file: file, number: -1, at: -1}
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

var processFile = regexp.MustCompile(`\.[0-9]+$`)

// files are those that processes write: HOST.PID.
func files(dir string) []string {
	all, _ := filepath.Glob(filepath.Join(dir, "*.*")) // the pattern is a good one
	return slices.DeleteFunc(all, func(f string) bool { return !processFile.MatchString(f) })
}

func cutLast(text, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(text, separator); i >= 0 {
		return text[:i], text[i+len(separator):], true
	}
	return text, "", false
}

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

func (j *job) line(r *rank, line string) (err error) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "rank":
		_, err = fmt.Sscan(rest, &r.number, &r.of)
	case "test":
		err = j.span(rest)
	case "total":
		j.total, err = strconv.Atoi(rest)
	case "group":
		r.group = rest
	case "case":
		var s, to int
		if _, err = fmt.Sscan(rest, &r.at, &s, &to); err == nil && j.pending[r.at] == nil {
			j.pending[r.at] = &finding{number: r.at, name: fmt.Sprintf("%s/%d/%d", r.group, s, to)}
		}
	case "wrong", "missing", "absent":
		f := j.pending[r.at]
		switch {
		case f == nil:
			return fmt.Errorf("%q outside a case", line)
		case word == "missing":
			f.missing = rest
		case word == "absent":
			f.absent = rest
		case f.wrong == "": // one rank's words are enough
			j.blame(r.at, fmt.Sprintf("rank %d: %s", r.number, rest))
		}
	case "died":
		if r.at >= 0 {
			j.blame(r.at, fmt.Sprintf("rank %d died of signal %s", r.number, rest))
		}
	case "error":
		r.refused = rest
	case "end":
		r.ended = true
	default:
		return fmt.Errorf("what is %q?", line)
	}
	if err != nil {
		return fmt.Errorf("%q: %w", line, err)
	}
	return nil
}

// blame says what a rank found wrong in a case, or did there.
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

// span takes in where a test's cases are; all ranks say it, and the same.
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

// take hands on the cases before upTo, in order.
func (j *job) take(upTo int, each func(f *finding)) {
	for ; j.done < upTo; j.done++ {
		if f := j.pending[j.done]; f != nil {
			each(f)
			delete(j.pending, j.done)
		}
	}
}

// past is the first case that not all of n ranks are past.
func (j *job) past(n int) int {
	if len(j.ranks) < n {
		return j.skipped
	}
	past := max(j.total, j.skipped)
	for _, r := range j.ranks {
		if !r.ended {
			past = min(past, max(r.at, j.skipped))
		}
	}
	return past
}

// ended says whether all of n ranks came to their end.
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

// refused is what a rank says cannot be done; "" where none does.
func (j *job) refused() string {
	for _, r := range j.ranks {
		if r.refused != "" {
			return r.refused
		}
	}
	return ""
}

// lost says in which case a job went wrong that did not come to its end, and what
// is to be said of it beside what its ranks say. That is the first that a rank
// found wrong or died in, since it may spoil all that follows; else the one of the
// ranks that are behind the others. The number is -1 where the first case was not
// reached.
func (j *job) lost(hangs bool) (number int, text string) {
	at, who := j.behind()
	switch {
	case j.wrong >= 0 && (!hangs || at < 0 || j.wrong <= at):
		return j.wrong, ""
	case hangs:
		return at, who + ": no end in time"
	}
	return at, who + ": ended in it"
}

// behind says which ranks are behind the others, and in which case.
func (j *job) behind() (number int, who string) {
	var behind []string
	number = -1
	for _, r := range j.sorted() {
		switch {
		case r.ended || r.number < 0:
		case number < 0 || r.at < number:
			number, behind = r.at, []string{strconv.Itoa(r.number)}
		case r.at == number:
			behind = append(behind, strconv.Itoa(r.number))
		}
	}
	if len(behind) > 1 {
		return number, "ranks " + strings.Join(behind, ", ")
	}
	return number, "rank " + strings.Join(behind, ", ")
}

func (j *job) sorted() []*rank {
	var list []*rank
	for _, r := range j.ranks {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *rank) int { return a.number - b.number })
	return list
}
