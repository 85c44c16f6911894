// Package every lists a call of every MPI function that a front exports, for `make bench-all`, and
// prints the calls as C. Arguments come from their roles in funcs.json; rows.json lists the arguments
// and the preparations that depend on the function, the goals, and the reasons.
//
// It must not start processes, and it must not know where a library is.
package every

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"wi4go/abi"
	"wi4go/gen/model"
)

//go:embed rows.json
var rowsJSON []byte

// Row is a call of one function, or of a function and the one that completes it.
type Row struct {
	// Name is the function, or both functions: "MPI_Isend + MPI_Wait".
	Name string
	// Function is the function that the row needs.
	Function *model.Function
	// Ranks is the number of ranks.
	Ranks int
	// Goal is the largest number of instructions that the front may add, or 0.
	Goal float64
	// Untimed is the reason for which the function lacks a row, or "".
	Untimed string
	// Dear is the reason for which the front may add more than Limit instructions, or "".
	Dear string
	// Late reports whether the row creates a request that the front may emulate although the library has
	// the function.
	Late bool
	// starts reports whether the row is about starts of the function's persistent request.
	starts bool
	// waits reports whether the row includes MPI_Wait for the request that the function creates.
	waits bool
	// how lists the arguments and preparations.
	how preparation
}

// Limit is the number of instructions above which a row needs a goal or a reason.
const Limit = 250

// preparation is an entry of rows.json. Entries apply to the functions that match; a later entry
// overrides an earlier one.
type preparation struct {
	// Match has patterns of names without "MPI_", separated by blanks. A pattern of a name also
	// applies to its large-count variant and to the extension that the function was before.
	Match string `json:"match"`
	// Arguments maps parameters to C expressions; a list contains the elements of an array.
	Arguments map[string]string `json:"arguments"`
	// Once and Last are the statements before and after all operations, Before and After those
	// before and after each one. None is counted.
	Once   string `json:"once"`
	Before string `json:"before"`
	After  string `json:"after"`
	Last   string `json:"last"`
	// Between is a statement between a start and its wait; it is counted.
	Between string `json:"between"`
	// Alone reports whether the row is without the wait for the request that the function creates.
	Alone bool `json:"alone"`
	// Ranks, Goal, Untimed, Dear and Late are the row's.
	Ranks   int     `json:"ranks"`
	Goal    float64 `json:"goal"`
	Untimed string  `json:"untimed"`
	Dear    string  `json:"dear"`
	Late    bool    `json:"late"`
}

// table is the content of rows.json.
type table struct {
	// Roles maps roles to C expressions of arguments; the first element of a list is for single
	// values.
	Roles map[string]string `json:"roles"`
	// Create and Free map roles to the statements that create an object in, or free the one in, $.
	Create map[string]string `json:"create"`
	Free   map[string]string `json:"free"`
	// Functions are the entries in order.
	Functions []preparation `json:"functions"`
	// Starts are entries for the rows about starts of persistent requests.
	Starts []preparation `json:"starts"`
}

// Rows returns the rows for programs of a family, in the order of funcs.json, including those that
// are not timed. It returns an error if rows.json has an error.
func Rows(in *model.Input, family *abi.Family) ([]Row, error) {
	t, err := load()
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, slot := range model.NewSlots(in, family).List {
		f := slot.Function
		if f == nil || !slot.Exported {
			continue
		}
		r := t.row(f, false)
		if lacksType(family, f) {
			r.Untimed = "the family's mpi.h lacks the type of a parameter"
		}
		rows = append(rows, r)
		if f.Has("REQUEST", "out") != nil && f.Has("REQUEST", "out").Lifetime == "create-persistent" {
			rows = append(rows, t.row(f, true))
		}
	}
	return rows, nil
}

// load returns the content of rows.json.
func load() (*table, error) {
	t := &table{}
	d := json.NewDecoder(strings.NewReader(string(rowsJSON)))
	d.DisallowUnknownFields()
	if err := d.Decode(t); err != nil {
		return nil, fmt.Errorf("rows.json: %w", err)
	}
	return t, nil
}

// lacksType reports whether the family's mpi.h lacks the type of a parameter.
func lacksType(family *abi.Family, f *model.Function) bool {
	for _, q := range f.Params {
		name := strings.Trim(strings.TrimPrefix(typeOf(&q), "const "), " *")
		if _, known := family.Types[name]; strings.HasPrefix(name, "MPI_") && !known {
			return true
		}
	}
	return false
}

// row returns the row of a function, or of the starts of the request that it creates.
func (t *table) row(f *model.Function, starts bool) Row {
	r := Row{Name: f.Name, Function: f, Ranks: 1, starts: starts}
	entries := t.Functions
	if starts {
		r.Name += ": MPI_Start + MPI_Wait"
		entries = append(entries, t.Starts...)
	}
	r.how.Arguments = map[string]string{}
	for _, e := range entries {
		if e.matches(f) {
			r.apply(e)
		}
	}
	if q := f.Has("REQUEST", "out"); q != nil && q.Lifetime == "create" && !r.how.Alone {
		r.waits = true
		r.Name += " + MPI_Wait"
	}
	return r
}

// matches reports whether an entry applies to a function.
func (e *preparation) matches(f *model.Function) bool {
	for pattern := range strings.FieldsSeq(e.Match) {
		for _, name := range []string{f.Name, f.Small, f.Standard} {
			if ok, _ := path.Match(pattern, strings.TrimPrefix(name, "MPI_")); ok && name != "" {
				return true
			}
		}
	}
	return false
}

// apply overrides the row's preparations by an entry's.
func (r *Row) apply(e preparation) {
	for name, expression := range e.Arguments {
		r.how.Arguments[name] = expression
	}
	for _, s := range []struct{ to, from *string }{{&r.how.Once, &e.Once}, {&r.how.Before, &e.Before}, {&r.how.After, &e.After},
		{&r.how.Last, &e.Last}, {&r.how.Between, &e.Between}, {&r.Untimed, &e.Untimed}, {&r.Dear, &e.Dear}} {
		if *s.from != "" {
			*s.to = *s.from
		}
	}
	r.how.Alone = r.how.Alone || e.Alone
	r.Late = r.Late || e.Late
	if e.Ranks != 0 {
		r.Ranks = e.Ranks
	}
	if e.Goal != 0 {
		r.Goal = e.Goal
	}
}
