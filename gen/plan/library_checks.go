package plan

import (
	"fmt"
	"slices"

	"wi4go/abi"
	"wi4go/gen/model"
)

// LibraryChecks returns the checks that a library makes in a call of a program of a family, in
// their order: first the communicators, because their error handlers get the other errors, then the
// pointers, then the other handles and the numbers in the order of the arguments.
//
// The checks are those that need nothing but the arguments, their objects and the sizes of
// communicators. A library makes other checks in the function itself: it checks arguments that only
// some processes read, if these report an error to the others, and arrays whose length is a
// property of a communicator.
func LibraryChecks(program *abi.Family, f *model.Function) []Check {
	l := lister{f: f, comm: nameOf(f, "COMM")}
	for i := range f.Params {
		if q := &f.Params[i]; q.Role == "COMM" && !q.IsPointer() && q.Significant == (model.Significant{}) {
			l.object(q, Significance{}, q.NullAllowed)
		}
	}
	l.pointers(program)
	for i := range f.Params {
		if q := &f.Params[i]; !q.IsPointer() && q.Dir == "in" {
			l.value(i, q)
		}
	}
	return l.checks
}

// A lister collects the checks of a function.
type lister struct {
	f      *model.Function
	comm   string // the first communicator that the function gets, or ""
	checks []Check
}

// nameOf returns the name of the first parameter of a function with this role that is no pointer, or
// "".
func nameOf(f *model.Function, role string) string {
	for i := range f.Params {
		if q := &f.Params[i]; q.Role == role && !q.IsPointer() {
			return q.Name
		}
	}
	return ""
}

// add adds a check.
func (l *lister) add(q *model.Param, when Significance, condition Condition, class, text string, values ...Value) {
	l.checks = append(l.checks, Check{q.Name, condition, when, class, text, values})
}

// nouns maps kinds of handles to the names of their objects in messages.
var nouns = map[string]string{
	"COMM": "communicator", "DATATYPE": "datatype", "ERRHANDLER": "error handler", "GROUP": "group", "INFO": "info object", "OP": "operation",
}

// object adds the check of a handle. The class of an invalid error handler is the one of MPI-4.1
// also in programs whose mpi.h lacks it, because newer libraries return it to them.
func (l *lister) object(q *model.Param, when Significance, nullAllowed bool) {
	class := "MPI_ERR_" + q.Role
	if q.Role == "DATATYPE" {
		class = "MPI_ERR_TYPE"
	}
	l.add(q, when, NoObject{q.Role, nullAllowed}, class, q.Name+" is not a valid "+nouns[q.Role])
}

// pointers adds the checks of pointers: those that a front makes, except of arrays whose length is
// a property of a communicator, and those of handles, texts and handlers, which a front leaves to
// the library. The functions of info objects check their texts themselves.
func (l *lister) pointers(program *abi.Family) {
	checks := NullChecks(program, l.f)
	for i := range l.f.Params {
		q := &l.f.Params[i]
		known := slices.ContainsFunc(checks, func(c Check) bool { return c.Argument == q.Name })
		handle := q.IsPointer() && q.Length == (model.Length{}) && (q.Role == "ERRHANDLER" || q.Role == "REQUEST")
		text := q.Role == "STRING" && l.f.Chapter != "info"
		handler := q.Role == "FUNCTION" && l.f.Has("ERRHANDLER", "out") != nil
		if !known && (handle || text || handler) {
			checks = append(checks, nullCheck(q.Name, model.Length{}, "MPI_ERR_ARG"))
		}
	}
	for _, check := range checks {
		if check.Condition.(IsNull).Length.Size == "" {
			l.checks = append(l.checks, check)
		}
	}
}

// value adds the checks of argument i, which is a handle other than a communicator, or a number.
func (l *lister) value(i int, q *model.Param) {
	when := significance(l.f, i)
	switch q.Role {
	case "COUNT":
		if l.isNumber(i) {
			l.add(q, when, IsNegative{}, "MPI_ERR_COUNT", q.Name+" is %d", Value{ValueCount, q.Name})
		}
	case "DATATYPE":
		l.datatype(i, when)
	case "OP":
		l.object(q, when, false)
	case "GROUP", "ERRHANDLER":
		l.object(q, Significance{}, false)
	case "INFO":
		l.object(q, Significance{}, l.f.Chapter != "info")
	case "RANK":
		l.rank(q)
	case "TAG":
		if l.f.Chapter != "external-interfaces" { // a status may have any tag
			l.add(q, Significance{}, NoTag{q.Any}, "MPI_ERR_TAG", q.Name+" is %d", Value{ValueInt, q.Name})
		}
	}
}

// isNumber reports whether the argument i, which has the role of a count, is the number of elements
// of an array or of a datatype, so that it must not be negative. Other integers with this role may
// be negative, or the function itself checks them.
func (l *lister) isNumber(i int) bool {
	params := l.f.Params
	if i+1 < len(params) && params[i+1].Role == "DATATYPE" && bufferOf(l.f, i) != nil {
		return true
	}
	switch l.f.Chapter {
	case "datatypes", "external-interfaces":
		return i == slices.IndexFunc(params, func(q model.Param) bool { return q.Role == "COUNT" })
	case "point-to-point":
		return slices.ContainsFunc(params, func(q model.Param) bool { return q.Length.Param == params[i].Name })
	}
	return false
}

// datatype adds the checks of the datatype i, and of the buffer that it describes. In a collective
// operation, the function itself checks the buffers, because it depends on ranks and topologies
// which of them are significant.
func (l *lister) datatype(i int, when Significance) {
	params := l.f.Params
	q := &params[i]
	l.object(q, when, q.NullAllowed)
	if !slices.ContainsFunc(params, func(q model.Param) bool { return q.IsChoice() }) {
		return
	}
	l.add(q, when, NotCommitted{}, "MPI_ERR_TYPE", q.Name+" is not committed: call MPI_Type_commit")
	collective := (l.f.Chapter == "collectives" || l.f.Chapter == "topologies") && l.comm != ""
	if i >= 2 && params[i-1].Role == "COUNT" && params[i-2].IsChoice() && !collective {
		buffer := &params[i-2]
		l.add(buffer, when, NoBuffer{params[i-1].Name, q.Name}, "MPI_ERR_BUFFER", buffer.Name+" is a null pointer")
	}
}

// rank adds the check of a rank in a communication. Other functions check their ranks themselves.
func (l *lister) rank(q *model.Param) {
	switch {
	case rootOf(l.f) != "":
		l.add(q, Significance{}, NoRoot{l.comm}, "MPI_ERR_ROOT", q.Name+" is %d", Value{ValueInt, q.Name})
	case l.f.Chapter == "point-to-point":
		text := fmt.Sprintf("%s is %%d in a communicator of %%d ranks", q.Name)
		l.add(q, Significance{}, NoRank{l.comm, q.Any}, "MPI_ERR_RANK", text, Value{ValueInt, q.Name}, Value{ValueRanks, l.comm})
	}
}

// significance returns the condition under which a call reads the argument i: a count, a datatype
// or an operation. It depends on the buffer that the argument describes.
func significance(f *model.Function, i int) (s Significance) {
	q, root := &f.Params[i], rootOf(f)
	buffer := bufferOf(f, i)
	if buffer == nil || q.Role == "DATATYPE" && !q.Idle && root == "" {
		return s
	}
	if buffer.Role == "BUFFER_OR_IN_PLACE" && (q.Idle || q.Significant.Unless != "") {
		s.Unless = buffer.Name
	}
	if root != "" {
		s.Root, s.Comm, s.Where = root, nameOf(f, "COMM"), processes(f, buffer)
	}
	return s
}

// bufferOf returns the buffer before the argument i, which the argument describes, or nil.
func bufferOf(f *model.Function, i int) *model.Param {
	for ; i > 0; i-- {
		if q := &f.Params[i-1]; q.IsChoice() {
			return q
		}
	}
	return nil
}

// rootOf returns the name of the root of a collective operation, or "".
func rootOf(f *model.Function) string {
	if root := f.Has("RANK", "in"); root != nil && f.Chapter == "collectives" {
		return root.Name
	}
	return ""
}

// processes returns the processes that read the arguments for a buffer in an operation with a root.
// If one of the operation's buffers has a block for each process, it is the root's.
func processes(f *model.Function, buffer *model.Param) Where {
	switch {
	case buffer.Blocks:
		return AtRoot
	case slices.ContainsFunc(f.Params, func(q model.Param) bool { return q.Blocks }):
		return AtLeaves
	}
	return ExceptAtNull
}
