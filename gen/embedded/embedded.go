// Package embedded prints the entry points of the embedded MPI (embedded/): each exported MPI_X
// checks its arguments, converts handles to objects and counts to 64 bits, and calls em_X, which
// is written by hand. Of a function and its large-count variant one em_X serves both, if they
// differ in nothing but integer types.
//
// It also prints the variables in which launchers pass a process its rank.
//
// It must not know the fronts, or any family but the standard ABI's, except the variables of its launcher.
package embedded

import (
	"fmt"
	"slices"
	"strings"

	"wi4go/abi"
	"wi4go/gen/model"
	"wi4go/gen/output"
)

// Files returns the generated sources: the prototypes of the functions em_X, the entry points in a
// file for each chapter, and the version script.
func Files(in *model.Input) []output.File {
	p := &printer{in: in, family: in.Family(abi.Standard())}
	chapters := map[string]*output.Writer{}
	header := &output.Writer{}
	header.WriteString(output.Banner("The functions behind the entry points of the embedded MPI."))
	header.Line("#ifndef WI4GO_EMBEDDED_FUNCTIONS_H\n#define WI4GO_EMBEDDED_FUNCTIONS_H\n#include \"embedded/base/datatype.h\"")
	var exports []string
	for i := range in.Functions {
		f := &in.Functions[i]
		if !p.exported(f) {
			continue
		}
		exports = append(exports, f.Name, "P"+f.Name)
		w := chapters[f.Chapter]
		if w == nil {
			w = &output.Writer{}
			w.WriteString(output.Banner("Entry points of the embedded MPI: " + f.Chapter + "."))
			w.Line("#include \"functions.h\"\n#include \"embedded/base/entry.h\"\n#include \"embedded/base/request.h\"\n#include \"embedded/mpi/info.h\"")
			chapters[f.Chapter] = w
		}
		e := p.entry(f)
		if prototype := e.prototype(); prototype != "" {
			header.Line("%s;", prototype)
		}
		e.print(w)
	}
	header.Line("#endif")
	writeLacking(chapters["environment"], Lacking(in))
	files := []output.File{
		{Name: "embedded/functions.h", Text: header.Bytes()},
		{Name: "embedded/launchers.h", Text: launchers(in)},
		{Name: "embedded/exports.map", Text: output.VersionScript("the embedded MPI", exports)},
	}
	for chapter, w := range chapters {
		files = append(files, output.File{Name: "embedded/entries_" + strings.ReplaceAll(chapter, "-", "_") + ".c", Text: w.Bytes()})
	}
	return files
}

type printer struct {
	in     *model.Input
	family *abi.Family
}

// exported reports whether the embedded MPI exports the function. It has every function that a
// front does not implement itself: those of MPI-3.1, large counts, and the accessors of statuses
// and Fortran handles.
func (p *printer) exported(f *model.Function) bool {
	if f.Level == model.Extension || f.Chapter == "removed" || p.family.Functions[f.Name] == nil {
		return false
	}
	if f.Small != "" {
		return p.exported(p.in.Function(f.Small))
	}
	return !f.Emulated || f.Level == "3.1"
}

// An entry is one entry point.
type entry struct {
	*printer
	f     *model.Function
	base  *model.Function // the function with the name of em_X
	large *model.Function // the large-count variant of base, if em_X serves both; else nil
}

func (p *printer) entry(f *model.Function) *entry {
	e := &entry{printer: p, f: f, base: f}
	if f.Small != "" {
		if small := p.in.Function(f.Small); sameButIntegers(small, f) {
			e.base = small
		}
	}
	if e.base.Large != "" {
		if large := p.in.Function(e.base.Large); sameButIntegers(e.base, large) {
			e.large = large
		}
	}
	return e
}

// sameButIntegers reports whether a function and its large-count variant differ in nothing but the
// width of input integers and of single output integers.
func sameButIntegers(small, large *model.Function) bool {
	if len(small.Params) != len(large.Params) {
		return false
	}
	for i := range small.Params {
		a, b := &small.Params[i], &large.Params[i]
		integers := []string{"int", "MPI_Aint", "MPI_Count"}
		if a.Type != b.Type && !(slices.Contains(integers, a.Element()) && slices.Contains(integers, b.Element())) {
			return false
		}
	}
	return true
}

// name returns the name of em_X.
func (e *entry) name() string { return "em_" + strings.TrimPrefix(e.base.Name, "MPI_") }

// prototype returns the declaration of em_X, or "" if another entry point has it or there is none.
func (e *entry) prototype() string {
	if e.missing() || e.base != e.f {
		return ""
	}
	params := []string{"void"}
	for i := range e.f.Params {
		q := &e.f.Params[i]
		text := model.Declare(e.inner(i), q.Name)
		if q.Type == "..." {
			continue // em_X needs no further arguments
		}
		if q.IsTriples() {
			text = "int " + q.Name + "[][3]"
		}
		params = append(params[:i], text)
	}
	if e.passesLarge() {
		params = append(params, "bool large")
	}
	return model.Declare(e.f.Returns, e.name()) + "(" + strings.Join(params, ", ") + ")"
}

// objects maps the roles of handles to the types of their objects.
var objects = map[string]string{
	"COMM": "struct comm", "GROUP": "struct group", "DATATYPE": "struct type", "OP": "struct op",
	"INFO": "struct info", "ERRHANDLER": "struct errhandler",
}

// checked reports whether the entry point checks and converts its arguments: it returns an error code.
func (e *entry) checked() bool {
	return e.f.Returns == "int" && !slices.Contains(unchecked, e.f.Name) && !conversion(e.f)
}

// setters lists the functions of the chapter language-bindings with one parameter that set a value and convert no handle.
var setters = []string{"MPI_Abi_set_fortran_info"}

// conversion reports whether the function converts between handles and integers (MPI-5.0, 19.3.4
// and 20). It accepts every handle and returns no error.
func conversion(f *model.Function) bool {
	if f.Chapter != "language-bindings" || len(f.Params) != 1 || slices.Contains(setters, f.Name) {
		return false
	}
	isHandle := func(t string) bool {
		for _, of := range model.HandleTypes {
			if of == t {
				return true
			}
		}
		return false
	}
	return isHandle(f.Returns) || isHandle(f.Params[0].Type)
}

// inner returns the C type of the argument i of em_X.
func (e *entry) inner(i int) string {
	q := &e.f.Params[i]
	if object := objects[q.Role]; object != "" && !q.IsPointer() && e.checked() {
		return object + " *"
	}
	switch e.width(i) {
	case wideScalar:
		return "int64_t"
	case wideArray:
		return "struct counts"
	case wideResult:
		return "int64_t *"
	}
	return q.Type
}

// passesLarge reports whether em_X gets as its last argument whether the large-count variant was
// called: MPI_Type_get_envelope_c and MPI_Type_get_contents_c distinguish datatypes by this
// (MPI-5.0, 5.1.13).
func (e *entry) passesLarge() bool {
	return e.large != nil && slices.ContainsFunc(e.base.Params, func(q model.Param) bool {
		return q.Role == "DATATYPE" && q.Lifetime == "create" && q.Length == model.Length{}
	})
}

type width int

const (
	asDeclared width = iota
	wideScalar       // an input integer
	wideArray        // an array of input integers
	wideResult       // one integer that the function writes
)

// width returns how an integer argument differs between em_X and the entry point.
func (e *entry) width(i int) width {
	if e.large == nil || e.base.Params[i].Type == e.large.Params[i].Type {
		return asDeclared
	}
	q := &e.base.Params[i]
	switch {
	case !q.IsPointer():
		return wideScalar
	case q.IsConst():
		return wideArray
	}
	return wideResult
}

// local returns the name of the entry point's variable for a converted argument.
func local(q *model.Param) string { return q.Name + "_" }

// print writes the entry point.
func (e *entry) print(w *output.Writer) {
	w.Line("\n#pragma weak %s = P%s\n%s\n{", e.f.Name, e.f.Name, e.f.Prototype("P"+e.f.Name))
	switch {
	case e.missing() && e.f.Chapter == "tool":
		w.Line("    return em_missing_tool(\"%s\");\n}", e.f.Name)
		return
	case e.missing() && e.f.Returns == "int":
		w.Line("    return em_missing(%s, \"%s\");\n}", e.handlerOf(true), e.f.Name)
		return
	case e.missing():
		w.Line("    em_missing(NULL, \"%s\");\n    return (%s)0;\n}", e.f.Name, e.f.Returns)
		return
	case !e.checked():
		w.Line("    return %s(%s);\n}", e.name(), strings.Join(e.names(), ", "))
		return
	}
	e.body(w)
	w.Line("}")
}

// names returns the names of the arguments, without an argument list.
func (e *entry) names() []string {
	names := e.f.Names()
	if e.f.IsVariadic() {
		return names[:len(names)-1]
	}
	return names
}

// handlerOf returns the C expression for the communicator whose error handler gets an error.
// handle reports whether only the handle is known.
func (e *entry) handlerOf(handle bool) string {
	for i := range e.f.Params {
		if q := &e.f.Params[i]; q.Role == "COMM" && !q.IsPointer() {
			if handle {
				return "em_comm_of(" + q.Name + ")"
			}
			return local(q)
		}
	}
	return "NULL"
}

// raise returns the C expression that calls the error handler for an error, and returns its code. call is em_raise, or
// em_refuse for arguments that the entry point refuses.
func (e *entry) raise(call, code string) string {
	if e.f.Has("FILE", "in") != nil {
		return fmt.Sprintf("em_raise_file(%s, \"%s\")", code, e.f.Name)
	}
	return fmt.Sprintf("%s(%s, %s, \"%s\")", call, e.handlerOf(false), code, e.f.Name)
}

// waitsInside reports whether the function makes or ends a communicator, for which it calls other functions that
// wait. The reports of blocked ranks must have its name.
func (e *entry) waitsInside() bool {
	return slices.ContainsFunc(e.f.Params, func(q model.Param) bool { return q.Role == "COMM" && q.IsPointer() })
}

// isLocal reports whether the function needs only this process's memory: it neither communicates nor makes or ends a communicator or a
// request. A process that a rank has forked may call it.
func (e *entry) isLocal() bool {
	switch e.f.Chapter {
	case "point-to-point", "collectives", "dynamic-processes", "external-interfaces", "topologies", "environment":
		return slices.Contains(localFunctions, strings.TrimSuffix(e.f.Name, "_c"))
	case "io", "rma":
		return false
	}
	return !e.waitsInside()
}

// body writes the checks, the call and the conversion of results.
func (e *entry) body(w *output.Writer) {
	var arguments []string
	fail := func(condition, code string) {
		w.Line("    if (unlikely(%s))\n        return %s;", condition, e.raise("em_refuse", code))
	}
	if !slices.Contains(anyTime, e.f.Name) && e.f.Chapter != "info" {
		compare := "!="
		if e.isLocal() {
			compare = "<" // also in a process that the rank has forked
		}
		w.Line("    if (unlikely(atomic_load_explicit(&em->phase, memory_order_relaxed) %s RUNNING))\n        return em_not_running(\"%s\");", compare, e.f.Name)
	}
	if null := nameless[e.f.Name]; null != "" {
		names := e.names()
		w.Line("    if (unlikely(%s == %s && %s && %s))\n        return em_null_name(\"%[2]s\", %[3]s, %[4]s);", names[0], null, names[1], names[2])
	}
	for i := range e.f.Params {
		if q := &e.f.Params[i]; q.Role == "COMM" && !q.IsPointer() {
			w.Line("    struct comm *%s = em_comm_of(%s);", local(q), q.Name)
			if !slices.Contains(ignorable, e.f.Name+" "+q.Name) {
				fail("!"+local(q), `em_error(MPI_ERR_COMM, "`+q.Name+` is not a valid communicator")`)
			}
		}
	}
	e.checks(fail)
	for i := range e.f.Params {
		q := &e.f.Params[i]
		arguments = append(arguments, e.argument(w, i, q))
	}
	if e.passesLarge() {
		arguments = append(arguments, fmt.Sprint(e.f == e.large))
	}
	e.semantics(w, fail)
	if e.waitsInside() {
		w.Line("    const char *outer = em_wait_as(\"%s\");", e.f.Name)
	}
	w.Line("    int err = %s(%s);", e.name(), strings.Join(arguments, ", "))
	if e.waitsInside() {
		w.Line("    em_wait_as(outer);")
	}
	e.results(w)
	w.Line("    return likely(err == MPI_SUCCESS) ? err : %s;", e.raise("em_raise", "err"))
}

// argument writes the conversion of an argument and returns the argument of em_X.
func (e *entry) argument(w *output.Writer, i int, q *model.Param) string {
	if objects[q.Role] != "" && !q.IsPointer() {
		if q.Role != "COMM" {
			call := fmt.Sprintf("em_%s_of(%s)", strings.TrimPrefix(objects[q.Role], "struct "), q.Name)
			if when := e.significant(i); when != "" {
				call = when + " ? " + call + " : NULL"
			}
			w.Line("    %s *%s = %s;", objects[q.Role], local(q), call)
		}
		return local(q)
	}
	switch e.width(i) {
	case wideArray:
		member := "narrow"
		if q.IsWide() {
			member = "wide"
		}
		return fmt.Sprintf("(struct counts){.%s = %s}", member, e.cast(q))
	case wideResult:
		if e.f.Params[i].Element() != "int" {
			return "(int64_t *)" + q.Name
		}
		if q.Dir == "inout" {
			w.Line("    int64_t %s = *%s;", local(q), q.Name)
		} else {
			w.Line("    int64_t %s = 0;", local(q))
		}
		return "&" + local(q)
	}
	return q.Name
}

// cast returns an array of wide integers as const int64_t *.
func (e *entry) cast(q *model.Param) string {
	if q.IsWide() {
		return "(const int64_t *)" + q.Name
	}
	return q.Name
}

// results writes the conversion of results of 64 bits to the program's int. A value that does not
// fit is MPI_UNDEFINED (MPI-5.0, 3.2.5, 5.1.5), or an error if the program continues with it.
func (e *entry) results(w *output.Writer) {
	for i := range e.f.Params {
		q := &e.f.Params[i]
		if e.width(i) != wideResult || q.Element() != "int" {
			continue
		}
		if q.Dir == "inout" {
			w.Line("    if (%[1]s != (int)%[1]s)\n        err = em_error(MPI_ERR_VALUE_TOO_LARGE, \"%[2]s does not fit into an int\");\n    else\n        *%[2]s = (int)%[1]s;", local(q), q.Name)
			continue
		}
		w.Line("    if (likely(err == MPI_SUCCESS))\n        *%[2]s = %[1]s == (int)%[1]s ? (int)%[1]s : MPI_UNDEFINED;", local(q), q.Name)
	}
}
