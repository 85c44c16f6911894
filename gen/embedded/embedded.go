// Package embedded prints the entry points of the embedded MPI (embedded/) from their plans: each
// exported MPI_X checks its arguments, converts handles to objects and counts to 64 bits, and calls
// em_X, which is written by hand. Of a function and its large-count variant one em_X serves both, if
// they differ in nothing but integer types.
//
// It must not know the fronts, or any family but the standard ABI's.
package embedded

import (
	"strings"

	"wi4go/abi"
	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/plan"
)

// Files returns the generated sources: the prototypes of the functions em_X, the entry points in a
// file for each chapter, and the version script.
func Files(in *model.Input) []output.File {
	family := in.Family(abi.Standard())
	chapters := map[string]*output.Writer{}
	header := &output.Writer{}
	header.WriteString(output.Banner("The functions behind the entry points of the embedded MPI: before each one, the functions of MPI that call it, and the checks that they have made."))
	header.Line("#ifndef WI4GO_EMBEDDED_FUNCTIONS_H\n#define WI4GO_EMBEDDED_FUNCTIONS_H\n#include \"embedded/base/datatype.h\"")
	var exports []string
	for i := range in.Functions {
		f := &in.Functions[i]
		if !exported(in, family, f) {
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
		e := entry{plan.EntryOf(in, family, f)}
		if prototype := e.prototype(); prototype != "" {
			header.Line("%s;", prototype)
		}
		e.print(w)
	}
	header.Line("#endif")
	writeLacking(chapters["environment"], Lacking(in))
	files := []output.File{
		{Name: "embedded/functions.h", Text: header.Bytes()},
		{Name: "embedded/exports.map", Text: output.VersionScript("the embedded MPI", exports)},
	}
	for chapter, w := range chapters {
		files = append(files, output.File{Name: "embedded/entries_" + strings.ReplaceAll(chapter, "-", "_") + ".c", Text: w.Bytes()})
	}
	return files
}

// exported reports whether the embedded MPI exports the function. It has every function that a
// front does not implement itself: those of MPI-3.1, large counts, and the accessors of statuses
// and Fortran handles.
func exported(in *model.Input, family *abi.Family, f *model.Function) bool {
	if f.Level == model.Extension || f.Chapter == "removed" || family.Functions[f.Name] == nil {
		return false
	}
	if f.Small != "" {
		return exported(in, family, in.Function(f.Small))
	}
	return !f.Emulated || f.Level == "3.1"
}
