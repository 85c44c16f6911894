// Command wi4go-gen writes the generated sources of the fronts:
//
//	wi4go-gen -funcs funcs.json -mappers mappers.json -o build/gen
//
// and of the Fortran layers, which -fortran=false leaves out. With
//
//	wi4go-gen plan MPI_Recv openmpi mpich
//
// it prints what programs of the first family do over libraries of the second.
//
// It is a thin wrapper of package gen. Files that did not change keep their
// time, so that make rebuilds only what depends on a change.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"wi4go/gen"
)

func main() {
	funcs := flag.String("funcs", "funcs.json", "the table of functions")
	table := flag.String("mappers", "mappers.json", "the table of roles")
	out := flag.String("o", "build/gen", "the directory to write to")
	fortran := flag.Bool("fortran", true, "write the Fortran layers too")
	flag.Parse()
	in, err := load(*funcs, *table)
	switch {
	case err != nil:
	case flag.Arg(0) == "plan" && flag.NArg() == 4:
		var text string
		text, err = gen.PlanOf(in, flag.Arg(1), flag.Arg(2), flag.Arg(3))
		fmt.Print(text)
	case flag.NArg() > 0:
		err = fmt.Errorf("%s: want nothing, or plan FUNCTION FAMILY FAMILY", flag.Arg(0))
	default:
		err = write(in, *out, *fortran)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "wi4go-gen: %v\n", err)
		os.Exit(1)
	}
}

func load(funcs, table string) (*gen.Input, error) {
	funcsJSON, err := os.ReadFile(funcs)
	if err != nil {
		return nil, err
	}
	mappersJSON, err := os.ReadFile(table)
	if err != nil {
		return nil, err
	}
	return gen.Load(funcsJSON, mappersJSON)
}

func write(in *gen.Input, out string, fortran bool) error {
	files, err := gen.Generate(in)
	if err != nil {
		return err
	}
	if fortran {
		layers, err := gen.Fortran(in)
		if err != nil {
			return err
		}
		files = append(files, layers...)
	}
	for _, f := range files {
		path := filepath.Join(out, f.Name)
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, f.Text) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.Text, 0o666); err != nil {
			return err
		}
	}
	return nil
}
