package plan

import "slices"

// A Completion describes how a function completes an array of requests.
type Completion struct {
	Of Completed
	// Requests and Statuses are the positions of the arrays, or of the one status if
	// the function completes any one request.
	Requests, Statuses int
}

// Completed is the number of requests that a function completes.
type Completed int

const (
	completesNone Completed = iota
	CompletesAll            // MPI_Waitall, MPI_Testall
	CompletesAny            // MPI_Waitany, MPI_Testany
	CompletesSome           // MPI_Waitsome, MPI_Testsome
)

// completion returns how a function with these arguments completes an array of requests.
func completion(arguments []Argument) Completion {
	c := Completion{Requests: slices.IndexFunc(arguments, func(a Argument) bool {
		at, ok := a.Action.(RequestsAt)
		return ok && at.Completed
	})}
	if c.Requests < 0 {
		return Completion{Of: completesNone}
	}
	for i, a := range arguments {
		switch status := a.Action.(type) {
		case StatusOut:
			c.Of, c.Statuses = CompletesAny, i
		case StatusesOut:
			c.Of, c.Statuses = CompletesSome, i
			if status.Valid == status.Length {
				c.Of = CompletesAll
			}
		}
	}
	return c
}
