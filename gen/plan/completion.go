package plan

import "slices"

// A Completion describes how a function completes an array of requests.
type Completion struct {
	Of Completed
	// Requests is the position of the array of requests. Statuses is the position of the array of
	// statuses, or of the single status if the function completes any one request. Both are 0 if
	// the function completes no array.
	Requests, Statuses int
}

// Completed is the number of requests that a function completes.
type Completed int

const (
	completesNone Completed = iota // the function has no array of requests to complete
	CompletesAll                   // MPI_Waitall, MPI_Testall
	CompletesAny                   // MPI_Waitany, MPI_Testany
	CompletesSome                  // MPI_Waitsome, MPI_Testsome
)

// completion returns the Completion of a function with these arguments.
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
