package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// dump is one file that callgrind wrote: what was executed between two client
// requests, by object file.
type dump struct {
	name  string           // the request's name: "ROW K"
	self  map[string]int64 // instructions executed in an object
	edges map[edge]int64   // instructions executed in calls from one object to another, callees included
}

type edge struct{ caller, callee string }

// readDump reads callgrind's profile format, version 1, as far as it is needed
// for counts by object.
func readDump(r io.Reader) (dump, error) {
	d := dump{self: map[string]int64{}, edges: map[edge]int64{}}
	objects := map[string]string{} // "(3)" to a name: each is spelled out once
	object := func(s string) string {
		id, name, defined := strings.Cut(s, " ")
		if defined {
			objects[id] = name
		}
		return objects[id]
	}
	positions := 1 // leading columns of a cost line
	var current, callee string
	inCall := false
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		if c := line[0]; c >= '0' && c <= '9' || c == '+' || c == '-' || c == '*' {
			fields := strings.Fields(line)
			if len(fields) <= positions {
				continue // a position without a cost
			}
			cost, err := strconv.ParseInt(fields[positions], 10, 64)
			if err != nil {
				return d, fmt.Errorf("cost line %q: %w", line, err)
			}
			if inCall {
				d.edges[edge{current, callee}] += cost
				callee, inCall = current, false
			} else {
				d.self[current] += cost
			}
			continue
		}
		if rest, ok := strings.CutPrefix(line, "desc: Trigger: Client Request: "); ok {
			d.name = rest
		} else if rest, ok := strings.CutPrefix(line, "positions: "); ok {
			positions = len(strings.Fields(rest))
		} else if rest, ok := strings.CutPrefix(line, "ob="); ok {
			current = object(rest)
			callee = current
		} else if rest, ok := strings.CutPrefix(line, "cob="); ok {
			callee = object(rest)
		} else if strings.HasPrefix(line, "calls=") {
			inCall = true
		} else if strings.HasPrefix(line, "fn=") {
			callee = current
		}
	}
	return d, lines.Err()
}

// counts are the instructions of one operation of a row.
type counts struct {
	// All is what was executed outside the program itself, whose loop differs
	// between two ABIs, and outside the core, whose threads run by themselves.
	All float64 `json:"all"`
	// Front is what our side executed: the front's own instructions and those
	// of everything that it calls except the runtime and the program (the
	// core, the C library). It does not depend on how often the runtime polls.
	Front float64 `json:"front"`
}

// parties are the object files that counts are attributed to.
type parties struct{ program, front, core, library string }

func (d dump) counts(p parties) (c counts) {
	for object, n := range d.self {
		if object != p.program && object != p.core {
			c.All += float64(n)
		}
		if p.front != "" && object == p.front {
			c.Front += float64(n)
		}
	}
	for e, n := range d.edges {
		if p.front != "" && e.caller == p.front && e.callee != p.front && e.callee != p.program && e.callee != p.library {
			c.Front += float64(n)
			if e.callee == p.core {
				c.All += float64(n)
			}
		}
	}
	return c
}

// readCounts reads the dumps that begin with prefix and gives, by row, the
// counts of one operation: of each row's two dumps, of K and of 2K
// operations, the difference divided by K.
func readCounts(prefix string, p parties) (map[string]counts, error) {
	files, err := filepath.Glob(prefix + ".*")
	if err != nil {
		return nil, err
	}
	type sum struct {
		k float64
		counts
	}
	rows := map[string][]sum{}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		d, err := readDump(file)
		file.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		row, k, named := strings.Cut(d.name, " ")
		if !named {
			continue // the rest, from the last request to the end
		}
		n, err := strconv.ParseFloat(k, 64)
		if err != nil {
			return nil, fmt.Errorf("%s: dump %q: %w", name, d.name, err)
		}
		rows[row] = append(rows[row], sum{n, d.counts(p)})
	}
	result := map[string]counts{}
	for row, s := range rows {
		if len(s) != 2 || s[0].k == s[1].k {
			return nil, fmt.Errorf("row %s has %d dumps, want one of K and one of 2K operations", row, len(s))
		}
		k := s[1].k - s[0].k
		result[row] = counts{All: (s[1].All - s[0].All) / k, Front: (s[1].Front - s[0].Front) / k}
	}
	if len(result) == 0 {
		return nil, fmt.Errorf("no dumps in %s.*: was the program compiled with valgrind/callgrind.h?", prefix)
	}
	return result, nil
}
