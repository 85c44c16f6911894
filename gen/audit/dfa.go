package audit

import (
	"fmt"
	"regexp/syntax"
	"slices"
)

// A pattern is a regular expression that begins with ^ (text), and the C expression that the
// automaton returns for a name that matches it (value).
type pattern struct{ text, value string }

// A dfa is a deterministic automaton over the bytes of a name and the final zero byte.
// State 0 is the dead state, and state 1 is the start state.
type dfa struct {
	classes  [256]int // bytes of one class lead to the same states
	nClasses int
	next     [][]int // by state and class
	accepts  []int   // by state: the first pattern that matches, or -1
}

// A node is one instruction of one pattern's program.
type node struct {
	pattern int
	pc      uint32
}

// builder makes a dfa by the subset construction. A state is a set of nodes: the instructions
// that the patterns' programs may have reached. A program that has matched remains matched.
type builder struct {
	programs []*syntax.Prog // one for each pattern
	sets     map[string]int // the number of each set, by its text
	queue    [][]node       // the sets by number; the last ones still need their transitions
}

// determine returns the automaton of the patterns. It returns an error for a pattern that is not a
// regular expression or does not begin with ^.
func determine(patterns []pattern) (*dfa, error) {
	b := &builder{sets: map[string]int{}}
	for _, p := range patterns {
		parsed, err := syntax.Parse(p.text, syntax.Perl)
		if err != nil {
			return nil, fmt.Errorf("the pattern %q of a library's names: %w", p.text, err)
		}
		program, err := syntax.Compile(parsed.Simplify())
		if err != nil {
			return nil, fmt.Errorf("the pattern %q of a library's names: %w", p.text, err)
		}
		if program.StartCond()&syntax.EmptyBeginText == 0 {
			return nil, fmt.Errorf("the pattern %q of a library's names does not begin with ^", p.text)
		}
		b.programs = append(b.programs, program)
	}
	b.state(nil)
	var first []node
	for i, p := range b.programs {
		first = b.follow(first, node{i, uint32(p.Start)}, syntax.EmptyBeginText)
	}
	b.state(first)
	var rows [][256]int
	for at := 0; at < len(b.queue); at++ {
		var row [256]int
		for c := range row {
			row[c] = b.state(b.after(b.queue[at], byte(c)))
		}
		rows = append(rows, row)
	}
	d := &dfa{}
	d.classify(rows)
	for _, set := range b.queue {
		d.accepts = append(d.accepts, b.accepted(set))
	}
	return d, nil
}

// state returns the number of a set of nodes. It appends a new set to the queue.
func (b *builder) state(set []node) int {
	slices.SortFunc(set, func(x, y node) int {
		if x.pattern != y.pattern {
			return x.pattern - y.pattern
		}
		return int(x.pc) - int(y.pc)
	})
	key := fmt.Sprint(set)
	n, found := b.sets[key]
	if !found {
		n = len(b.queue)
		b.sets[key] = n
		b.queue = append(b.queue, set)
	}
	return n
}

// follow adds to set a node and all nodes that are reachable from it without a byte. holds has the
// conditions that are true at this position of the name.
func (b *builder) follow(set []node, n node, holds syntax.EmptyOp) []node {
	if slices.Contains(set, n) {
		return set
	}
	set = append(set, n)
	switch i := b.programs[n.pattern].Inst[n.pc]; i.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		set = b.follow(set, node{n.pattern, i.Out}, holds)
		set = b.follow(set, node{n.pattern, i.Arg}, holds)
	case syntax.InstCapture, syntax.InstNop:
		set = b.follow(set, node{n.pattern, i.Out}, holds)
	case syntax.InstEmptyWidth:
		if syntax.EmptyOp(i.Arg)&^holds == 0 {
			set = b.follow(set, node{n.pattern, i.Out}, holds)
		}
	}
	return set
}

// after returns the set of nodes that follows set after the byte c. The zero byte ends the name.
func (b *builder) after(set []node, c byte) (next []node) {
	for _, n := range set {
		i := b.programs[n.pattern].Inst[n.pc]
		switch {
		case i.Op == syntax.InstMatch:
			next = b.follow(next, n, 0)
		case c == 0:
			if i.Op == syntax.InstEmptyWidth {
				next = b.follow(next, n, syntax.EmptyEndText)
			}
		case c < 0x80 && consumes(&i, rune(c)):
			next = b.follow(next, node{n.pattern, i.Out}, 0)
		}
	}
	return next
}

// consumes reports whether an instruction matches this character.
func consumes(i *syntax.Inst, c rune) bool {
	switch i.Op {
	case syntax.InstRune, syntax.InstRune1:
		return i.MatchRune(c)
	case syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return true
	}
	return false
}

// accepted returns the first pattern of a set that has matched, or -1.
func (b *builder) accepted(set []node) int {
	for _, n := range set {
		if b.programs[n.pattern].Inst[n.pc].Op == syntax.InstMatch {
			return n.pattern
		}
	}
	return -1
}

// classify puts bytes that have the same transitions in all states into one class. rows holds the
// next state by state and byte.
func (d *dfa) classify(rows [][256]int) {
	classes := map[string]int{}
	d.next = make([][]int, len(rows))
	for c := range d.classes {
		column := make([]int, len(rows))
		for s := range rows {
			column[s] = rows[s][c]
		}
		key := fmt.Sprint(column)
		class, found := classes[key]
		if !found {
			class = len(classes)
			classes[key] = class
			for s := range rows {
				d.next[s] = append(d.next[s], rows[s][c])
			}
		}
		d.classes[c] = class
	}
	d.nClasses = len(classes)
}
