package model

// Meaning is what an argument is to an observer of calls.
type Meaning uint8

const (
	Other Meaning = iota
	Peer
	Tag
	Count
	Datatype
	Communicator
	Request
	Status
	Flag
)

// Meanings are their names in C, in order.
var Meanings = []string{"OTHER", "PEER", "TAG", "COUNT", "DATATYPE", "COMMUNICATOR", "REQUEST", "STATUS", "FLAG"}

// meanings are those of roles; the roles that are not here are Other. A status of Fortran is
// none for an observer, which reads statuses of C.
var meanings = map[string]Meaning{
	"RANK": Peer, "TAG": Tag, "COUNT": Count, "COUNTS": Count, "DATATYPE": Datatype, "COMM": Communicator,
	"REQUEST": Request, "STATUS": Status, "LOGICAL": Flag,
}

// Meaning returns the parameter's.
func (q *Param) Meaning() Meaning { return meanings[q.Role] }

// IsList reports whether the parameter is an array, whose elements have the meaning.
func (q *Param) IsList() bool { return q.Role == "COUNTS" || q.Length != (Length{}) }
