// Package traits writes the traits of a pair's two families as macros, for both the C and the
// assembly of the pair.
//
// It must not know any printer.
package traits

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"wi4go/abi"
	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
)

// A statusEncoding has byte offsets in the struct of an encoding (mappers/mpi_types.h): of the
// source, which is followed by tag and error, and of the count of bytes.
type statusEncoding struct{ source, count int }

// statusEncodings has the encodings by their names in abi/ (Traits.Status).
var statusEncodings = map[string]statusEncoding{"split": {0, 16}, "leading": {8, 0}, "trailing": {0, 12}}

// Write writes the macros with the traits of each side's family. mappers/pair.h documents them.
func Write(w *output.Writer, p *plan.Pair) {
	for _, side := range []struct {
		prefix string
		family *abi.Family
	}{{"A", p.A}, {"R", p.R}} {
		f, t := side.family, side.family.Traits
		flag := func(name string, holds bool) { w.Line("#define %s_%s %d", side.prefix, name, output.Bit(holds)) }
		w.Line("#define %s_HANDLE_BITS %d", side.prefix, f.HandleBits)
		flag("HANDLES_ARE_NUMBERS", model.HandlesAreNumbers(f))
		flag("HANDLES_ARE_OBJECTS", f.HandleBits == 64 && !model.HandlesAreNumbers(f))
		for _, encoding := range slices.Sorted(maps.Keys(statusEncodings)) {
			flag("STATUS_"+strings.ToUpper(encoding), t.Status == encoding)
		}
		at := statusEncodings[t.Status]
		w.Line("#define %s_STATUS_SIZE %d\n#define %s_SOURCE %d\n#define %s_COUNT %d", side.prefix, f.Types["MPI_Status"].Size, side.prefix, at.source, side.prefix, at.count)
		flag("STANDARD", t.Standard)
		flag("DRAFT", t.Draft)
		flag("OPAQUE_STATUS", t.OpaqueStatus)
		flag("SENDS_SAY_PROC_NULL", t.SendsReportProcNull)
		flag("SMALL_BUFFERS_REFUSED", t.SmallBuffersRefused)
		flag("ROOT_SEND_REFUSED", t.RootSendRefused)
		flag("FILE_NULL_REFUSED", t.FileNullRefused)
		flag("FILE_HANDLER_UNCOUNTED", t.FileHandlerUncounted)
		w.Line("#define %s_SPAWN_KEY %q\n#define %s_SPAWN_SETTER %q", side.prefix, t.Spawn.Key, side.prefix, t.Spawn.Setter)
		empties := ""
		for _, symbol := range t.EmptyRequests {
			empties += fmt.Sprintf(" %q,", symbol)
		}
		w.Line("#define %s_EMPTY_REQUESTS%s", side.prefix, empties)
		flag("PERSISTENT_UNCHECKED", t.PersistentUnchecked)
		flag("CXX_OBJECTS", t.CxxObjects)
		flag("LANGUAGE_HOOKS", t.LanguageHooks)
		flag("LASTCODE_IS_CLASS", t.LastcodeIsClass)
		for _, kind := range []string{"INFO", "REQUEST"} {
			flag("FOLLOWS_"+kind, slices.Contains(t.DereferencesInvalid, kind))
		}
		first := t.FirstAddedError
		if first == 0 {
			first = f.Constants["MPI_ERR_LASTCODE"] + 1
		}
		w.Line("#define %s_FIRST_ADDED_ERROR %d", side.prefix, first)
		flag("ADDS_AMONG_CLASSES", first < ErrorTable)
	}
	w.Line("#define A_DUP_FN_IS_VALUE %d", output.Bit(p.A.Callbacks["MPI_COMM_DUP_FN"].Value != nil))
	w.Line("#define A_NULL_COPY_FUNCTIONS(DO)%s", nullFunctions(p.A, "NULL_COPY_FN"))
	w.Line("#define A_NULL_DELETE_FUNCTIONS(DO)%s", nullFunctions(p.A, "NULL_DELETE_FN"))
	w.Line("#define R_NULL_FUNCTIONS_ARE_0 %d", output.Bit(nullFunctions(p.R, "NULL_COPY_FN")+nullFunctions(p.R, "NULL_DELETE_FN") == ""))
	w.Line("#define RANKS_FLIP %d", output.Bit(p.ToRuntime(p.In.Mappers.Roles["RANK"]).Flips()))
	w.Line("#define ERR_IGNORED A_%s", p.R.Traits.IgnoredStatusError)
}

// nullFunctions returns, in the form "DO(name)", the functions that a family's programs pass as
// MPI_COMM_NULL_DELETE_FN and similar callbacks, whose names end in suffix. They are none if those
// are null pointers.
func nullFunctions(f *abi.Family, suffix string) string {
	text := ""
	for _, name := range slices.Sorted(maps.Keys(f.Callbacks)) {
		if symbol := f.Callbacks[name].Symbol; symbol != "" && strings.HasSuffix(name, suffix) {
			text += " DO(" + symbol + ")"
		}
	}
	return text
}

// ErrorTable is the number of rows of a table of error classes. A pair has such a table if its
// error classes are not sparse.
const ErrorTable = 128

// Symbol returns the name in assembly of a symbol that belongs to the pair alone.
func Symbol(p *plan.Pair, name string) string {
	return fmt.Sprintf("wi4go_%s_%s_%s", p.A.Family, p.R.Family, name)
}
