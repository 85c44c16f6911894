// Command wi4go-gen writes the generated sources of the fronts:
//
//	wi4go-gen -funcs funcs.json -mappers mappers.json -o build/gen
//
// and of the Fortran layers, which -fortran=false leaves out. With
//
//	wi4go-gen plan MPI_Recv openmpi mpich
//
// it prints what becomes of that call in programs of the first family over libraries
// of the second. -calls writes that of all functions and pairs into a directory,
// compressed, for `wi4go inspect --call`.
//
// It is a thin wrapper of package gen. Files that did not change keep their
// time, so that make rebuilds only what depends on a change.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"wi4go/gen"
	"wi4go/gen/fortran"
	"wi4go/gen/model"
	"wi4go/gen/output"
)

func main() {
	funcs := flag.String("funcs", "funcs.json", "the table of functions")
	table := flag.String("mappers", "mappers.json", "the table of roles")
	out := flag.String("o", "build/gen", "the directory to write to")
	withFortran := flag.Bool("fortran", true, "write the Fortran layers too")
	calls := flag.String("calls", "", "the directory to write only what becomes of each call to")
	flag.Parse()
	in, err := load(*funcs, *table)
	switch {
	case err != nil:
	case flag.Arg(0) == "plan" && flag.NArg() == 4:
		err = plan(in, flag.Arg(1), flag.Arg(2), flag.Arg(3))
	case flag.NArg() > 0:
		err = fmt.Errorf("%s: want nothing, or plan FUNCTION FAMILY FAMILY", flag.Arg(0))
	case *calls != "":
		err = writeCalls(in, *calls)
	default:
		err = write(in, *out, *withFortran)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "wi4go-gen: %v\n", err)
		os.Exit(1)
	}
}

func load(funcs, table string) (*model.Input, error) {
	funcsJSON, err := os.ReadFile(funcs)
	if err != nil {
		return nil, err
	}
	mappersJSON, err := os.ReadFile(table)
	if err != nil {
		return nil, err
	}
	return model.Load(funcsJSON, mappersJSON)
}

func write(in *model.Input, out string, withFortran bool) error {
	files, err := gen.Generate(in)
	if err != nil {
		return err
	}
	if withFortran {
		layers, err := fortran.Layers(in)
		if err != nil {
			return err
		}
		mpifort, err := fortran.Interface(in)
		if err != nil {
			return err
		}
		constants, err := fortran.Constants(in)
		if err != nil {
			return err
		}
		files = slices.Concat(files, layers, mpifort, constants)
	}
	if err := removeOthers(files, out); err != nil {
		return err
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

// removeOthers removes files below a directory that are generated no longer. It leaves files
// that the generator has not written.
func removeOthers(files []output.File, out string) error {
	names := map[string]bool{}
	for _, f := range files {
		names[filepath.Join(out, f.Name)] = true
	}
	err := filepath.WalkDir(out, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || names[path] {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || !output.IsGenerated(text) {
			return err
		}
		return os.Remove(path)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// plan prints what becomes of one call.
func plan(in *model.Input, function, front, runtime string) error {
	paragraphs, err := gen.Describe(in, front, runtime)
	if err != nil {
		return err
	}
	text, ok := paragraphs[function]
	if !ok {
		return fmt.Errorf("%s: the front of %s has no such function", function, front)
	}
	fmt.Print(text)
	return nil
}

func writeCalls(in *model.Input, directory string) error {
	files, err := gen.Calls(in)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(directory, 0o777); err != nil {
		return err
	}
	for _, f := range files {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write(f.Text); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(directory, f.Name+".gz"), b.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return nil
}
