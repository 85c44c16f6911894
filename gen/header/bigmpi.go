package header

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"

	"wi4go/gen/model"
	"wi4go/gen/output"
)

// bigNames lists the large-count functions that the library BigMPI offered to programs before
// MPI-4. For example, MPIX_Send_x takes the arguments of MPI_Send_c.
//
//go:embed bigmpi/names.txt
var bigNames string

// bigHeader and bigSource have the other functions of BigMPI, which are not MPI functions by
// another name: their declarations and their definitions.
var (
	//go:embed bigmpi/others.h
	bigHeader string
	//go:embed bigmpi/others.c
	bigSource string
)

// BigMPI returns bigmpi.h and the source of libbigmpi.so. The library is compiled and linked like
// any program for the standard ABI. BigMPI returns an error if funcs.json lacks a function.
func BigMPI(in *model.Input) ([]output.File, error) {
	functions := map[string]*model.Function{}
	for i := range in.Functions {
		functions[in.Functions[i].Name] = &in.Functions[i]
	}
	header, source := &output.Writer{}, &output.Writer{}
	header.WriteString(output.Banner("bigmpi.h: the names of BigMPI."))
	header.Line("#ifndef BIGMPI_H_INCLUDED\n#define BIGMPI_H_INCLUDED\n#include <mpi.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n#define BIGMPI_CONST const\n")
	source.WriteString(output.Banner("libbigmpi.so: the names of BigMPI."))
	source.Line("#include \"bigmpi.h\"\n#include <limits.h>\n#include <stdlib.h>\n")
	for name := range strings.FieldsSeq(bigNames) {
		as := bigSuffix.ReplaceAllString(name, "MPI_${1}_c")
		f := functions[as]
		if f == nil {
			return nil, fmt.Errorf("gen/header/bigmpi/names.txt: %s: funcs.json has no %s: correct the name", name, as)
		}
		var arguments []string
		for _, p := range f.Params {
			arguments = append(arguments, p.Name)
		}
		header.Line("%s;", f.Prototype(name))
		source.Line("%s\n{\n    return %s(%s);\n}", f.Prototype(name), as, strings.Join(arguments, ", "))
	}
	header.WriteString("\n" + bigHeader)
	header.Line("\n#ifdef __cplusplus\n}\n#endif\n#endif")
	source.WriteString("\n" + bigSource)
	return []output.File{{Name: "bigmpi/bigmpi.h", Text: header.Bytes()}, {Name: "bigmpi/bigmpi.c", Text: source.Bytes()}}, nil
}

// bigSuffix matches the names of BigMPI that are large-count functions of MPI.
var bigSuffix = regexp.MustCompile(`^MPIX_(.*)_x$`)
