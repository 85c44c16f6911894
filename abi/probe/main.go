// Command probe writes abi/<family>.json from the installed versions of an MPI
// family:
//
//	go run ./abi/probe --mpicc mpicc.openmpi --mpicc PATH/bin/mpicc … [--dir abi]
//
// Each --mpicc is the compiler wrapper of one version. All versions of a family go into one file,
// so all versions in the file must be given. The command fails if two of them disagree about a value
// that is not known to differ within the family.
//
//	go run ./abi/probe --library 4.1=PATH/libmpi.so.40 --library "intel 2021.18=PATH/libmpi.so.12" … [--dir abi]
//
// writes abi/<family>.exports: the further exports of the C libraries, by the labels of the versions.
// Here, too, all libraries of a family must be given.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"wi4go/abi"
	"wi4go/abi/internal/header"
)

func main() {
	dir := flag.String("dir", "abi", "directory to write the files to")
	var wrappers []string
	flag.Func("mpicc", "compiler wrapper of one MPI, optionally followed by options; may be given several times", func(s string) error {
		wrappers = append(wrappers, s)
		return nil
	})
	var libraries []string
	flag.Func("library", "`LABEL=FILE`: a version, and its C library; may be given several times", func(s string) error {
		libraries = append(libraries, s)
		return nil
	})
	flag.Parse()
	err := error(nil)
	if len(wrappers) > 0 || len(libraries) == 0 {
		err = run(*dir, wrappers)
	}
	if err == nil {
		err = writeExports(*dir, libraries)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "wi4go: abi/probe: %v\n", err)
		os.Exit(1)
	}
}

func run(dir string, wrappers []string) error {
	if len(wrappers) == 0 {
		return fmt.Errorf("no --mpicc given: name the compiler wrapper of at least one MPI")
	}
	families := map[string][]*header.MPI{}
	for _, w := range wrappers {
		m, err := header.Find(w)
		if err != nil {
			return err
		}
		defer m.Close()
		families[m.Family] = append(families[m.Family], m)
	}
	for name, versions := range families {
		slices.SortFunc(versions, byRelease)
		f, err := probe(versions)
		if err != nil {
			return err
		}
		old, err := abi.Load(name)
		if err != nil {
			return err
		}
		keepOwn(f, old)
		b, err := abi.Format(f)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name+".json"), b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// keepOwn adds the constants of the family's file that no version's mpi.h has: only wi4go's own mpi.h defines them.
func keepOwn(f, old *abi.Family) {
	for name, in := range old.OnlyIn {
		if value, constant := old.Constants[name]; constant && len(in) == 0 {
			f.Constants[name], f.OnlyIn[name] = value, in
		}
	}
}

// writeExports writes the further exports of each family's C libraries.
func writeExports(dir string, arguments []string) error {
	families := map[string][]*header.Library{}
	for _, argument := range arguments {
		label, path, found := strings.Cut(argument, "=")
		if !found {
			return fmt.Errorf("--library %s: write it as LABEL=FILE", argument)
		}
		l, err := header.OpenLibrary(label, path)
		if err != nil {
			return err
		}
		families[l.Family] = append(families[l.Family], l)
	}
	for name, libraries := range families {
		exports, err := header.Exports(name, libraries)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name+".exports"), abi.FormatExports(name, exports), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// probe reads all versions of one family and merges them.
func probe(versions []*header.MPI) (*abi.Family, error) {
	var parts []*abi.Family
	for _, m := range versions {
		f, err := m.Read()
		if err != nil {
			return nil, err
		}
		if m.NoFortran != nil {
			fmt.Fprintf(os.Stderr, "wi4go: abi/probe: no Fortran values: %v\n", m.NoFortran)
		}
		parts = append(parts, f)
	}
	f, err := header.Merge(parts)
	if err != nil {
		return nil, err
	}
	header.Complete(f, versions)
	return f, nil
}

// byRelease orders releases by their numbers, and the vendors of a family with several by their names. The last one's
// values become the family's; for the standard ABI, MPICH's are the standard's.
func byRelease(a, b *header.MPI) int {
	if a.Family == abi.Standard() && a.Label != b.Label {
		return cmp.Compare(a.Label, b.Label)
	}
	return slices.CompareFunc(strings.Split(a.Release, "."), strings.Split(b.Release, "."), func(x, y string) int {
		i, _ := strconv.Atoi(x) // names like "0rc1" come first
		j, _ := strconv.Atoi(y)
		return cmp.Compare(i, j)
	})
}
