// Command wi4go-gen writes the generated sources of the fronts:
//
//	wi4go-gen -funcs funcs.json -mappers mappers.json -o build/gen
//
// It also writes the sources of the Fortran libraries, unless -fortran=false is given, and the table of the tests of `wi4go
// verify` (package internal/verify/rules). The command
//
//	wi4go-gen plan MPI_Recv openmpi mpich
//
// prints how wi4go translates this call in programs of the first family over libraries of the
// second. With -calls, the command writes such descriptions of all functions and pairs into a
// directory, compressed, for `wi4go inspect --call`.
//
// It is a thin wrapper of package gen. A file whose text has not changed keeps its modification
// time, so that make rebuilds only the files that depend on a change.
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
	"wi4go/internal/verify/rules"
)

func main() {
	funcs := flag.String("funcs", "funcs.json", "the table of functions")
	table := flag.String("mappers", "mappers.json", "the table of roles")
	out := flag.String("o", "build/gen", "the directory to write to")
	withFortran := flag.Bool("fortran", true, "write the Fortran libraries too")
	calls := flag.String("calls", "", "write only the text of `wi4go inspect --call`, to this directory")
	flag.Parse()
	in, err := load(*funcs, *table)
	switch {
	case err != nil:
	case flag.Arg(0) == "plan" && flag.NArg() == 4:
		err = plan(in, flag.Arg(1), flag.Arg(2), flag.Arg(3))
	case flag.NArg() > 0:
		err = fmt.Errorf("%s: unknown arguments: give none, or plan FUNCTION FAMILY FAMILY", flag.Arg(0))
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

// load returns the input made from the files funcs.json and mappers.json at these paths.
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

// write generates all files below the directory out. It rewrites only files with a changed text,
// and removes generated files that no longer belong there.
func write(in *model.Input, out string, withFortran bool) error {
	files, err := gen.Generate(in)
	if err != nil {
		return err
	}
	if withFortran {
		libraries, err := fortran.Libraries(in)
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
		files = slices.Concat(files, libraries, mpifort, constants)
	}
	tests, err := rules.Builtin()
	if err != nil {
		return err
	}
	files = append(files, output.File{Name: "verify/tests.h", Text: tests.Table()})
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

// removeOthers removes the files below the directory out that the generator wrote earlier and that
// are not in files. It leaves all files that the generator has not written. A missing directory is
// no error.
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

// plan prints the description of one call over a runtime's family.
func plan(in *model.Input, function, front, runtime string) error {
	paragraphs, err := gen.Describe(in, front, runtime)
	if err != nil {
		return err
	}
	text, ok := paragraphs[function]
	if !ok {
		return fmt.Errorf("%s is not a function of the front for %s programs", function, front)
	}
	fmt.Print(text)
	return nil
}

// writeCalls writes the descriptions of all calls into the directory, a compressed file for each
// pair.
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
