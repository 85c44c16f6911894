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
	died    int // the signal
	refused string
}

// A finding is what is known of one case.
type finding struct {
	name    string // TEST/SIGNATURE/COUNT/SENDER/RECEIVER
	wrong   string // what is, and on which rank
	missing string // the function that the runtime lacks
	absent  string // the function that the program's library does not have
}

// A job is one start of the tests: what its ranks have said, put together.
type job struct {
	dir     string
	skipped int // cases before the first
	ranks   map[string]*rank
	pending map[int]*finding // cases that some rank is not yet past
	total   int              // of cases, -1 before it is known
	done    int              // cases before this one are past on all ranks
}

func newJob(dir string, skipped int) *job {
	return &job{dir: dir, skipped: skipped, ranks: map[string]*rank{}, pending: map[int]*finding{}, total: -1, done: skipped}
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
	case "total":
		j.total, err = strconv.Atoi(rest)
	case "group":
		r.group = rest
	case "case":
		var s, to int
		if _, err = fmt.Sscan(rest, &r.at, &s, &to); err == nil && j.pending[r.at] == nil {
			j.pending[r.at] = &finding{name: fmt.Sprintf("%s/%d/%d", r.group, s, to)}
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
		case f.wrong == "":
			f.wrong = fmt.Sprintf("rank %d: %s", r.number, rest)
		}
	case "died":
		r.died, err = strconv.Atoi(rest)
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

// take hands on the cases before upTo, in order.
func (j *job) take(upTo int, each func(number int, f *finding)) {
	for ; j.done < upTo; j.done++ {
		if f := j.pending[j.done]; f != nil {
			each(j.done, f)
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

// lost says in which case the job stopped, and which rank did what there. A rank
// that died of a signal is the one; else the ranks that are behind the others.
// The number is -1 where the first case was not reached.
func (j *job) lost(hangs bool) (number int, text string) {
	var behind []string
	number = -1
	for _, r := range j.sorted() {
		switch {
		case r.died > 0:
			return r.at, fmt.Sprintf("rank %d died of signal %d", r.number, r.died)
		case r.ended || r.number < 0:
		case number < 0 || r.at < number:
			number, behind = r.at, []string{strconv.Itoa(r.number)}
		case r.at == number:
			behind = append(behind, strconv.Itoa(r.number))
		}
	}
	who := "rank " + strings.Join(behind, ", ")
	if len(behind) > 1 {
		who = "ranks " + strings.Join(behind, ", ")
	}
	if hangs {
		return number, who + ": no end in time"
	}
	return number, who + ": ended in it"
}

func (j *job) sorted() []*rank {
	var list []*rank
	for _, r := range j.ranks {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *rank) int { return a.number - b.number })
	return list
}
