package model

// Meaning classifies an argument for an observer of calls.
type Meaning uint8

const (
	Other        Meaning = iota // no other meaning
	Peer                        // a rank
	Tag                         // a tag
	Count                       // a number of elements
	Datatype                    // a datatype
	Communicator                // a communicator
	Request                     // a request
	Status                      // a status of C
	Flag                        // a logical value
)

// Meanings lists the names of the meanings in C, in the order of the constants.
var Meanings = []string{"OTHER", "PEER", "TAG", "COUNT", "DATATYPE", "COMMUNICATOR", "REQUEST", "STATUS", "FLAG"}

// meanings maps roles to meanings. A role that is not listed means Other. The statuses of Fortran
// are not listed, because an observer reads only statuses of C.
var meanings = map[string]Meaning{
	"RANK": Peer, "TAG": Tag, "COUNT": Count, "COUNTS": Count, "DATATYPE": Datatype, "COMM": Communicator,
	"REQUEST": Request, "STATUS": Status, "LOGICAL": Flag,
}

// Meaning returns the meaning of the parameter.
func (q *Param) Meaning() Meaning { return meanings[q.Role] }

// IsList reports whether the parameter is an array. Its meaning is then the meaning of each
// element.
func (q *Param) IsList() bool { return q.Role == "COUNTS" || q.Length != (Length{}) }
