package plan

import "wi4go/gen/model"

// A Persistent is the plan of a persistent collective operation that a front emulates. The front
// stores the arguments, and each start calls a nonblocking operation with them.
type Persistent struct {
	// Stored are the arguments to store, in the order of the parameters.
	Stored []StoredArgument
	// StartArguments are the arguments of the nonblocking operation.
	StartArguments []StartArgument
	// Comm is the name of the communicator, Request the name of the output request.
	Comm, Request string
}

// StoredArgument is an argument that is stored for the starts.
type StoredArgument struct {
	Param *model.Param
	// Free is the MPI function that frees the stored object, or each object of a stored array. It
	// is empty if the argument is not an object that the program may free before the starts.
	Free string
}

// StartArgument is an argument of the nonblocking operation that a start calls.
type StartArgument struct {
	Origin Origin
	Name   string // the name of the stored argument
}

// Origin is the source of an argument of the nonblocking operation.
type Origin int

const (
	FromStored  Origin = iota // the stored argument
	FromComm                  // the duplicate of the communicator
	FromRequest               // the inner request of the emulated one
)

// Persist returns the plan of the persistent collective operation f, which starts the nonblocking
// operation started. It returns an error if f has no communicator or no output request.
func Persist(f, started *model.Function) (p *Persistent, err error) {
	p = &Persistent{}
	if p.Comm, err = requiredName(f, "COMM", "in"); err != nil {
		return nil, err
	}
	if p.Request, err = requiredName(f, "REQUEST", "out"); err != nil {
		return nil, err
	}
	frees := map[string]string{"DATATYPE": "MPI_Type_free", "OP": "MPI_Op_free"}
	for i := range f.Params {
		switch q := &f.Params[i]; q.Role {
		case "INFO", "REQUEST", "COMM":
		default:
			p.Stored = append(p.Stored, StoredArgument{q, frees[q.Role]})
		}
	}
	from := map[string]Origin{"COMM": FromComm, "REQUEST": FromRequest}
	for _, q := range started.Params {
		p.StartArguments = append(p.StartArguments, StartArgument{from[q.Role], q.Name})
	}
	return p, nil
}
