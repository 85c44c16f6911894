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

// dump is the content of one file that callgrind wrote: the instructions executed between two
// client requests, by object file.
type dump struct {
	// name is the request's name: "ROW K".
	name string
	// self counts the instructions executed in an object.
	self map[string]int64
	// functions counts the instructions executed in a function.
	functions map[function]int64
	// edges counts the instructions executed in calls from one object to another, including all
	// that the callee calls.
	edges map[edge]int64
}

// edge is a call from one object file to another.
type edge struct{ caller, callee string }

// function is a function in an object file.
type function struct{ object, name string }

// names maps "(3)" to a name, which callgrind spells out only once.
type names map[string]string

// of returns the name in "(3) name" or "(3)".
func (n names) of(s string) string {
	id, name, defined := strings.Cut(s, " ")
	if defined {
		n[id] = name
	}
	return n[id]
}

// readDump reads callgrind's profile format, version 1, as far as counts by object and by function
// need it. It returns an error for a cost that is no number.
func readDump(r io.Reader) (dump, error) {
	d := dump{self: map[string]int64{}, functions: map[function]int64{}, edges: map[edge]int64{}}
	objects, functions := names{}, names{}
	positions := 1 // the number of leading columns in a cost line
	// current is the object of the cost lines that follow, and callee the object that a call
	// enters.
	var current, callee string
	running := "" // the function of the cost lines that follow
	inCall := false
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		// A cost line begins with a position: a number, absolute or relative, or * for the
		// same.
		if c := line[0]; c >= '0' && c <= '9' || c == '+' || c == '-' || c == '*' {
			fields := strings.Fields(line)
			if len(fields) <= positions {
				continue // a position without a cost
			}
			cost, err := strconv.ParseInt(fields[positions], 10, 64)
			if err != nil {
				return d, fmt.Errorf("cost line %q: %w", line, err)
			}
			// The line after calls= contains the cost of the call.
			if inCall {
				d.edges[edge{current, callee}] += cost
				callee, inCall = current, false
			} else {
				d.self[current] += cost
				d.functions[function{current, running}] += cost
			}
			continue
		}
		if rest, ok := strings.CutPrefix(line, "desc: Trigger: Client Request: "); ok {
			d.name = rest
		} else if rest, ok := strings.CutPrefix(line, "positions: "); ok {
			positions = len(strings.Fields(rest))
		} else if rest, ok := strings.CutPrefix(line, "ob="); ok {
			current = objects.of(rest)
			callee = current
		} else if rest, ok := strings.CutPrefix(line, "cob="); ok {
			callee = objects.of(rest)
		} else if strings.HasPrefix(line, "calls=") {
			inCall = true
		} else if rest, ok := strings.CutPrefix(line, "fn="); ok {
			callee = current
			running = functions.of(rest)
		} else if rest, ok := strings.CutPrefix(line, "cfn="); ok {
			functions.of(rest)
		}
	}
	return d, lines.Err()
}

// counts are the instructions of one operation of a row.
type counts struct {
	// All counts the instructions outside the program, whose loop differs between two ABIs, and
	// outside the core, whose threads run independently. It includes the front's calls into the
	// core.
	All float64 `json:"all"`
	// Front counts wi4go's instructions: those in the front and in everything that it calls
	// (the core, the C library), except for the runtime and the program. It does not depend on
	// the number of times the runtime polls.
	Front float64 `json:"front"`
	// functions are the instructions that each function itself executes, except for the program's and
	// the core's. nil: not requested.
	functions map[function]float64
}

// parties are the object files to which counts are attributed. front and core are empty for a
// native program.
type parties struct{ program, front, core, library string }

// counts returns the instructions of a dump, for all of its operations.
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

// byFunction returns the instructions of one operation of a dump with so many operations, by function.
func (d dump) byFunction(p parties, repeats float64) map[function]float64 {
	found := map[function]float64{}
	for f, n := range d.functions {
		if f.object != p.program && f.object != p.core {
			found[f] = float64(n) / repeats
		}
	}
	return found
}

// readCounts reads the dumps whose file names begin with prefix. It returns the counts of one
// operation by row: the difference between the row's two dumps, of K and of 2K operations,
// divided by K. It returns an error if a row does not have two dumps, or if there is no dump.
func readCounts(prefix string, p parties) (map[string]counts, error) {
	files, err := filepath.Glob(prefix + ".*")
	if err != nil {
		return nil, err
	}
	// sum is the count of one dump with k operations.
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
			continue // the part from the last request to the end
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
			return nil, fmt.Errorf("row %s has %d dumps instead of one of K and one of 2K operations", row, len(s))
		}
		k := s[1].k - s[0].k
		result[row] = counts{All: (s[1].All - s[0].All) / k, Front: (s[1].Front - s[0].Front) / k}
	}
	if len(result) == 0 {
		return nil, fmt.Errorf("no dumps in %s.*: compile the program with valgrind/callgrind.h", prefix)
	}
	return result, nil
}
