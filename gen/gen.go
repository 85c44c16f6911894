// Package gen is the generator: it makes the C and the assembly of the fronts from funcs.json,
// mappers.json, and the files in abi/ and internal/launchers/. The files of a front are in one directory: its stubs,
// exported symbols and data symbols, and a translation to each family. Package model contains the
// tables, the other packages below gen print parts of a front by package output, and this package
// combines these parts.
//
// It must not know any running MPI, read anything but its arguments, or depend
// on the order of a map: the same tables give the same bytes.
package gen

import (
	"fmt"
	"sort"

	"wi4go/gen/audit"
	"wi4go/gen/embedded"
	"wi4go/gen/front"
	"wi4go/gen/header"
	"wi4go/gen/launchers"
	"wi4go/gen/meaning"
	"wi4go/gen/model"
	"wi4go/gen/output"
	"wi4go/gen/pair"
	"wi4go/gen/rules"
)

// Generate returns all files of all fronts, sorted by name.
func Generate(in *model.Input) ([]output.File, error) {
	files, err := header.BigMPI(in)
	if err != nil {
		return nil, err
	}
	names, err := audit.File(in)
	if err != nil {
		return nil, err
	}
	files = append(append(files, names, launchers.File(in), rules.File(in)), embedded.Files(in)...)
	for _, f := range in.Families {
		slots := model.NewSlots(in, f)
		mpi, err := header.MPI(slots, in)
		if err != nil {
			return nil, err
		}
		files = append(files, output.File{Name: f.Family + "/mpi.h", Text: mpi})
		printed, err := front.Files(in, slots)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Family, err)
		}
		files = append(append(files, printed...), meaning.Files(slots)...)
		for _, runtime := range in.Families {
			p, err := pair.New(in, slots, runtime)
			if err != nil {
				return nil, fmt.Errorf("%s→%s: %w", f.Family, runtime.Family, err)
			}
			printed, err := p.Files()
			if err != nil {
				return nil, fmt.Errorf("%s→%s: %w", f.Family, runtime.Family, err)
			}
			files = append(files, printed...)
		}
	}
	sort.Slice(files, func(i, j int) bool { return files[i].Name < files[j].Name })
	return files, nil
}
