package plan

import "wi4go/gen/model"

// A Persistent is the plan of a persistent collective operation that a front serves itself:
// it keeps the arguments, and each start calls a nonblocking operation with them.
type Persistent struct {
	// Kept are the arguments that outlast the call.
	Kept []Kept
	// Given are the arguments of the nonblocking operation.
	Given []Given
	// Comm and Request are the names of these arguments.
	Comm, Request string
}

// Kept is an argument that outlasts the call.
type Kept struct {
	Param *model.Param
	// Free is the function that frees the kept object, or each object of a kept array. It
	// is empty if the argument is no object that the program may free meanwhile.
	Free string
}

// Given is an argument of the operation that a start calls.
type Given struct {
	Of   Origin
	Name string // of the kept argument
}

// Origin is where an argument of a started operation comes from.
type Origin int

const (
	FromKept Origin = iota
	FromComm        // the duplicate of the communicator
	FromRequest
)

// Persist makes the plan of a persistent collective operation that starts another one.
func Persist(f, started *model.Function) (p *Persistent, err error) {
	p = &Persistent{}
	if p.Comm, err = named(f, "COMM", "in"); err != nil {
		return nil, err
	}
	if p.Request, err = named(f, "REQUEST", "out"); err != nil {
		return nil, err
	}
	frees := map[string]string{"DATATYPE": "MPI_Type_free", "OP": "MPI_Op_free"}
	for i := range f.Params {
		switch q := &f.Params[i]; q.Role {
		case "INFO", "REQUEST", "COMM":
		default:
			p.Kept = append(p.Kept, Kept{q, frees[q.Role]})
		}
	}
	from := map[string]Origin{"COMM": FromComm, "REQUEST": FromRequest}
	for _, q := range started.Params {
		p.Given = append(p.Given, Given{from[q.Role], q.Name})
	}
	return p, nil
}
