package wrapper

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mpicc returns a wrapper of an installation in /p, with the given environment. All compilers exist except cc.
func mpicc(t *testing.T, language Language, env map[string]string) Wrapper {
	bin := t.TempDir()
	for _, name := range []string{"gcc", "g++", "gfortran", "icx", "wi4go"} {
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"), 0o755))
	}
	require.NoError(t, os.Symlink("wi4go", filepath.Join(bin, "mpicc")))
	t.Setenv("PATH", bin)
	name := map[string]string{"C": "mpicc", "C++": "mpicxx", "Fortran": "mpifort"}[language.Name]
	self, err := filepath.EvalSymlinks(filepath.Join(bin, "wi4go"))
	require.NoError(t, err)
	return Wrapper{
		Name: name, Language: language, Version: "1.2", Self: self, Include: "/p/include", Library: "/p/lib",
		Static: []string{"/p/lib/libmpi_abi.a", "-ldl"}, Whole: "own",
		Linked: map[string][]string{"own": {"/p/lib/static/own/l.a", "-lm"}, "other": {"/p/lib/static/other/l.a"}}, Getenv: func(name string) string { return env[name] },
	}
}

const link = " -L/p/lib -Wl,-rpath,/p/lib -lmpi_abi"

func TestCommands(t *testing.T) {
	w := mpicc(t, C, nil)
	for args, want := range map[string]string{
		"a.c -o a":            "gcc -I/p/include a.c -o a" + link,
		"-g a.o -lm":          "gcc -I/p/include -g a.o -lm" + link,
		"-shared -o l.so a.o": "gcc -I/p/include -shared -o l.so a.o" + link,
		"-c a.c":              "gcc -I/p/include -c a.c",
		"-E a.c":              "gcc -I/p/include -E a.c",
		"-S a.c":              "gcc -I/p/include -S a.c",
		"-MM a.c":             "gcc -I/p/include -MM a.c",
		"-MD -c a.c":          "gcc -I/p/include -MD -c a.c",
		"-MD a.c":             "gcc -I/p/include -MD a.c" + link,
		"--version":           "gcc -I/p/include --version",
		"-dumpversion":        "gcc -I/p/include -dumpversion",
		"-o a":                "gcc -I/p/include -o a",
		"-I /x -isystem /y":   "gcc -I/p/include -I /x -isystem /y",
		"-x c -":              "gcc -I/p/include -x c -" + link,
		"-norpath a.o":        "gcc -I/p/include a.o -L/p/lib -lmpi_abi",
		"-static-mpi a.o":     "gcc -I/p/include a.o /p/lib/libmpi_abi.a -ldl",
		"-static-mpi -c a.c":  "gcc -I/p/include -c a.c",

		"-static-mpi=other a.o":         "gcc -I/p/include a.o /p/lib/static/other/l.a",
		"-static a.o":                   "gcc -I/p/include -static a.o /p/lib/static/own/l.a -lm",
		"-static-pie a.o":               "gcc -I/p/include -static-pie a.o /p/lib/static/own/l.a -lm",
		"-static -static-mpi=other a.o": "gcc -I/p/include -static a.o /p/lib/static/other/l.a",
		"-static -c a.c":                "gcc -I/p/include -static -c a.c",
		"-cc=icx a.o":                   "icx -I/p/include a.o" + link,
	} {
		got, err := w.Plan(strings.Fields(args))
		require.NoError(t, err, args)
		assert.Equal(t, want, strings.Join(got.Command, " "), args)
		assert.Empty(t, got.Text, args)
	}
	got, err := w.Plan([]string{"-v"})
	require.NoError(t, err)
	assert.Equal(t, Result{"mpicc for wi4go version 1.2", []string{"gcc", "-I/p/include", "-v"}}, got)
}

func TestQueries(t *testing.T) {
	w := mpicc(t, C, nil)
	for args, want := range map[string]string{
		"-show":              "gcc -I/p/include" + link,
		"-show -c a.c":       "gcc -I/p/include -c a.c",
		"-show a.c":          "gcc -I/p/include a.c" + link,
		"-compile-info":      "gcc -I/p/include",
		"-compile_info":      "gcc -I/p/include",
		"-link-info":         "gcc" + link,
		"-showme":            "gcc -I/p/include" + link,
		"--showme":           "gcc -I/p/include" + link,
		"a.c --showme -g":    "gcc -I/p/include a.c -g" + link,
		"--showme:command":   "gcc",
		"-showme:compile":    "-I/p/include",
		"--showme:link":      link[1:],
		"--showme:incdirs":   "/p/include",
		"--showme:libdirs":   "/p/lib",
		"--showme:libs":      "mpi_abi",
		"--showme:version":   "mpicc: MPI 5.0.0 by wi4go 1.2 (Language: C)",
		"-norpath -show a.o": "gcc -I/p/include a.o -L/p/lib -lmpi_abi",
	} {
		got, err := w.Plan(strings.Fields(args))
		require.NoError(t, err, args)
		assert.Equal(t, Result{Text: want}, got, args)
	}
	_, err := w.Plan([]string{"--showme:all"})
	assert.EqualError(t, err, "--showme:all: unknown query: the queries are --showme:command, :compile, :link, :incdirs, :libdirs, :libs, :version")
}

// A Fortran program needs one more library, and its compiler has other options.
func TestFortran(t *testing.T) {
	w := mpicc(t, Fortran, nil)
	const link = " -L/p/lib -Wl,-rpath,/p/lib -lwi4go_fortran -lmpi_abi"
	for args, want := range map[string]string{
		"a.f90 -o a":        "gfortran -I/p/include a.f90 -o a" + link,
		"-J mod -c a.f90":   "gfortran -I/p/include -J mod -c a.f90",
		"-fc=icx a.f":       "icx -I/p/include a.f" + link,
		"-J mod":            "gfortran -I/p/include -J mod",
		"-norpath -o a a.o": "gfortran -I/p/include -o a a.o -L/p/lib -lwi4go_fortran -lmpi_abi",
	} {
		got, err := w.Plan(strings.Fields(args))
		require.NoError(t, err, args)
		assert.Equal(t, want, strings.Join(got.Command, " "), args)
	}
	var asked []string
	w.Modules = func(compiler []string) (string, error) {
		asked = append(asked, strings.Join(compiler, " "))
		return "/m", nil
	}
	for args, want := range map[string]string{
		"-fc=icx a.f90":     "icx -I/p/include -I/m a.f90" + link,
		"-c a.f90":          "gfortran -I/p/include -I/m -c a.f90",
		"--version":         "gfortran -I/p/include --version", // without the directory of modules
		"--showme:compile":  "-I/p/include -I/m",
		"--showme:incdirs":  "/p/include /m",
		"--showme:libdirs":  "/p/lib",
		"-show a.f90":       "gfortran -I/p/include -I/m a.f90" + link,
		"-link-info":        "gfortran" + link,
		"-compile-info a.f": "gfortran -I/p/include -I/m a.f",
	} {
		asked = nil
		got, err := w.Plan(strings.Fields(args))
		require.NoError(t, err, args)
		assert.Equal(t, want, got.Text+strings.Join(got.Command, " "), args)
		assert.Equal(t, strings.Contains(want, "/m"), len(asked) == 1, args)
	}
	assert.Equal(t, "no modules", func() string {
		w.Modules = func([]string) (string, error) { return "", errors.New("no modules") }
		_, err := w.Plan([]string{"a.f90"})
		return err.Error()
	}())
	w.Modules = nil
	for args, want := range map[string]string{
		"-show":            "gfortran -I/p/include" + link,
		"--showme:libs":    "wi4go_fortran mpi_abi",
		"--showme:version": "mpifort: MPI 5.0.0 by wi4go 1.2 (Language: Fortran)",
	} {
		got, err := w.Plan(strings.Fields(args))
		require.NoError(t, err, args)
		assert.Equal(t, Result{Text: want}, got, args)
	}
}

func TestOverrides(t *testing.T) {
	for _, c := range []struct {
		language Language
		env      map[string]string
		want     string
	}{
		{C, nil, "gcc"},
		{Cxx, nil, "g++"},
		{Cxx, map[string]string{"OMPI_CC": "icx"}, "g++"},
		{C, map[string]string{"OMPI_CC": "icx"}, "icx"},
		{C, map[string]string{"OMPI_CC": "none", "MPICH_CC": "icx -m64"}, "icx|-m64"},
		{C, map[string]string{"MPICH_CC": "none", "WI4GO_CC": "gcc -DX='a b'"}, "gcc|-DX=a b"},
		{Cxx, map[string]string{"WI4GO_CXX": "icx"}, "icx"},
		{Fortran, map[string]string{"WI4GO_CC": "none"}, "gfortran"},
		{Fortran, map[string]string{"MPICH_FC": "none", "WI4GO_FC": "icx"}, "icx"},
	} {
		words, err := mpicc(t, c.language, c.env).Plan([]string{"-c", "a.c"})
		require.NoError(t, err)
		assert.Equal(t, c.want+"|-I/p/include|-c|a.c", strings.Join(words.Command, "|"))
	}
	for env, want := range map[string]string{
		"nocc":      "MPICH_CC names the compiler nocc, which is not installed",
		"gcc '":     "MPICH_CC: a quote is not closed, or a backslash is the last character",
		"mpicc -O2": "MPICH_CC names mpicc, which is this wrapper itself: name the compiler that it should call",
	} {
		_, err := mpicc(t, C, map[string]string{"MPICH_CC": env}).Plan([]string{"a.c"})
		assert.ErrorContains(t, err, want)
	}
	w := mpicc(t, C, map[string]string{"WI4GO_NORPATH": "1"})
	got, err := w.Plan([]string{"--showme:link"})
	require.NoError(t, err)
	assert.Equal(t, "-L/p/lib -lmpi_abi", got.Text)
	t.Setenv("PATH", "/nowhere")
	_, err = w.Plan([]string{"a.c"})
	assert.EqualError(t, err, "no compiler for C: gcc, cc, clang are not in PATH: install one, or name it in WI4GO_CC")
	_, err = mpicc(t, Fortran, nil).Plan([]string{"a.f"})
	require.NoError(t, err)
	t.Setenv("PATH", "/nowhere")
	_, err = Wrapper{Language: Fortran, Getenv: w.Getenv}.Plan([]string{"-show"})
	assert.EqualError(t, err, "no compiler for Fortran: gfortran, flang-new, flang, ifx, nvfortran are not in PATH: install one, or name it in WI4GO_FC")
}

// Shells and CMake's FindMPI read the directories of an installation whose path has a space.
func TestSpaces(t *testing.T) {
	w := mpicc(t, C, nil)
	w.Include, w.Library = "/my mpi/include", "/my mpi/lib"
	for args, want := range map[string]string{
		"-show a.c":        `gcc -I"/my mpi/include" a.c -L"/my mpi/lib" -Wl,"-rpath,/my mpi/lib" -lmpi_abi`,
		"-showme:compile":  `-I"/my mpi/include"`,
		"-showme:link":     `-L"/my mpi/lib" -Wl,"-rpath,/my mpi/lib" -lmpi_abi`,
		"-showme:incdirs":  `'/my mpi/include'`,
		"-showme:libdirs":  `'/my mpi/lib'`,
		"-show -DX=$Y a.c": `gcc -I"/my mpi/include" '-DX=$Y' a.c -L"/my mpi/lib" -Wl,"-rpath,/my mpi/lib" -lmpi_abi`,
	} {
		got, err := w.Plan(strings.Fields(args))
		require.NoError(t, err, args)
		assert.Equal(t, want, got.Text, args)
	}
	w.Include = `/my $mpi/include`
	got, err := w.Plan([]string{"-showme:compile"})
	require.NoError(t, err)
	assert.Equal(t, `'-I/my $mpi/include'`, got.Text)
	got, err = w.Plan([]string{"a.c"})
	require.NoError(t, err)
	assert.Equal(t, []string{"gcc", "-I/my $mpi/include", "a.c", "-L/my mpi/lib", "-Wl,-rpath,/my mpi/lib", "-lmpi_abi"}, got.Command)
}

// The wrappers refuse to link a program without a dynamic linker that would have to open its MPI library, and
// MPI libraries that do not exist.
func TestStaticRefused(t *testing.T) {
	w := mpicc(t, C, nil)
	const cause = " links a program without a dynamic linker, "
	const opens = cause + "which a program of -static-mpi needs to open its MPI library: leave out -static-mpi, and the program contains wi4go's own MPI " +
		"for one host, or leave out "
	const unknown = "to link statically: the libraries are other, own, or leave out the name to choose the library when the program runs"
	for args, want := range map[string]string{
		"-static -static-mpi a.c":       "-static" + opens + "-static",
		"-static-mpi a.o --static":      "--static" + opens + "--static",
		"-static-mpi -static-pie a.o":   "-static-pie" + opens + "-static-pie",
		"-static -static-mpi -show a.c": "-static" + opens + "-static",
		"-static-mpi=own -Wl,-static a": "-Wl,-static" + cause + "but with the start files of a dynamic one: replace it by -static",
		"-static-mpi=none a.o":          `-static-mpi=none: there is no MPI library "none" ` + unknown,
		"-static-mpi= -c a.c":           `-static-mpi=: there is no MPI library "" ` + unknown,
	} {
		_, err := w.Plan(strings.Fields(args))
		assert.EqualError(t, err, want, args)
	}
	for _, args := range []string{"-static -static-mpi -c a.c", "-static -E a.c", "-static-libgcc -static-mpi a.c", "-static -showme:compile", "-static --version", "-o -static -static-mpi a.c"} {
		_, err := w.Plan(strings.Fields(args))
		assert.NoError(t, err, args)
	}
}

// A compiler for musl gets the variant for musl, and an error if there is none.
func TestStaticMusl(t *testing.T) {
	w := mpicc(t, C, nil)
	require.NoError(t, os.Symlink("gcc", filepath.Join(os.Getenv("PATH"), "x86_64-musl-gcc")))
	const missing = ": x86_64-musl-gcc compiles for musl, and this installation has no MPI library for it: run `make static-musl` in wi4go's source"
	for _, option := range []string{"-static", "-static-mpi=own"} {
		_, err := w.Plan([]string{"-cc=x86_64-musl-gcc", option, "a.o"})
		assert.EqualError(t, err, option+missing)
	}
	w.Linked["own-musl"] = []string{"/p/lib/static/own-musl/l.a"}
	for option, words := range map[string]string{"-static": "-static a.o", "-static-mpi=own": "a.o", "-static-mpi=own-musl": "a.o"} {
		got, err := w.Plan([]string{"-cc=x86_64-musl-gcc", option, "a.o"})
		require.NoError(t, err, option)
		assert.Equal(t, "x86_64-musl-gcc -I/p/include "+words+" /p/lib/static/own-musl/l.a", strings.Join(got.Command, " "), option)
	}
	got, err := w.Plan([]string{"-static-mpi=own-musl", "a.o"})
	require.NoError(t, err)
	assert.Equal(t, "gcc -I/p/include a.o /p/lib/static/own-musl/l.a", strings.Join(got.Command, " "))
	delete(w.Linked, "own") // an installation for musl
	for _, compiler := range []string{"gcc", "x86_64-musl-gcc"} {
		got, err := w.Plan([]string{"-cc=" + compiler, "-static", "a.o"})
		require.NoError(t, err)
		assert.Equal(t, compiler+" -I/p/include -static a.o /p/lib/static/own-musl/l.a", strings.Join(got.Command, " "))
	}
}
