// Command wi4go-gen writes the generated sources of the fronts:
//
//	wi4go-gen -funcs funcs.json -mappers mappers.json -o build/gen
//
// and of the Fortran layers, which -fortran=false leaves out.
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
	if err := run(*funcs, *table, *out, *fortran); err != nil {
		fmt.Fprintf(os.Stderr, "wi4go-gen: %v\n", err)
		os.Exit(1)
	}
}

func run(funcs, table, out string, fortran bool) error {
	funcsJSON, err := os.ReadFile(funcs)
	if err != nil {
		return err
	}
	mappersJSON, err := os.ReadFile(table)
	if err != nil {
		return err
	}
	in, err := gen.Load(funcsJSON, mappersJSON)
	if err != nil {
		return err
	}
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
