package plan

import (
	"slices"

	"wi4go/gen/model"
)

// A Completion describes how a function completes an array of requests.
type Completion struct {
	Kind CompletionKind
	// Requests is the position of the array of requests. Statuses is the position of the array of
	// statuses, or of the single status if the function completes any one request. Both are 0 if
	// the function completes no array.
	Requests, Statuses int
	// Result is the position of the variable with the index or the number of the completed
	// requests, or 0 if the function completes all requests.
	Result int
}

// CompletionKind is the number of requests that a function completes.
type CompletionKind int

const (
	CompletesNone CompletionKind = iota // the function has no array of requests to complete
	CompletesAll                        // MPI_Waitall, MPI_Testall
	CompletesAny                        // MPI_Waitany, MPI_Testany
	CompletesSome                       // MPI_Waitsome, MPI_Testsome
)

// completion returns the Completion of a function with these arguments.
func completion(arguments []Argument) Completion {
	c := Completion{Requests: slices.IndexFunc(arguments, func(a Argument) bool {
		at, ok := a.Action.(RequestsInOut)
		return ok && at.Completed
	})}
	if c.Requests < 0 {
		return Completion{}
	}
	for i, a := range arguments {
		switch status := a.Action.(type) {
		case StatusOut:
			c.Kind, c.Statuses = CompletesAny, i
		case StatusesOut:
			c.Kind, c.Statuses = CompletesSome, i
			if status.Valid == status.Length {
				c.Kind = CompletesAll
			}
		case IndexOut, NumberOut:
			c.Result = i
		}
	}
	return c
}

// completed returns the parameter with the number of requests that a call completes, or nil if it
// does not return one.
func completed(f *model.Function) *model.Param {
	statuses := slices.ContainsFunc(f.Params, func(q model.Param) bool { return q.Role == "STATUS" && q.Length != model.Length{} })
	i := slices.IndexFunc(f.Params, func(q model.Param) bool { return q.Role == "COUNT" && q.Dir == "out" && !q.Index })
	if !statuses || i < 0 {
		return nil
	}
	return &f.Params[i]
}

// result returns the action for an argument that is passed unchanged. It may be the variable for
// the results of a function that completes requests.
func result(f *model.Function, q *model.Param) Action {
	number := completed(f)
	switch {
	case q == number:
		return NumberOut{}
	case q.Index && q.Length == model.Length{}:
		return IndexOut{}
	case q.Index && number != nil:
		return IndicesOut{number.Name}
	}
	return Unchanged{}
}
