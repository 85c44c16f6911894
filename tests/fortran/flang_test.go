package fortran

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// flangs returns the installed compilers of LLVM. No test installs one.
func flangs(t *testing.T) []string {
	t.Helper()
	compilers, err := harness.FortranCompilers()
	require.NoError(t, err)
	compilers = slices.DeleteFunc(compilers, func(path string) bool { return !strings.HasPrefix(filepath.Base(path), "flang") })
	if len(compilers) == 0 {
		t.Skip("no flang is installed: install flang-19, for example")
	}
	return compilers
}

// flang compiles the program with mpif.h of a library that gfortran has compiled, and with the options of the library's
// wrapper. It returns the program's path.
func flang(t *testing.T, compiler string, tools harness.Toolchain, name string, flags ...string) string {
	t.Helper()
	text, err := exec.Command(strings.Replace(tools.MPICC, "mpicc", "mpif90", 1), "-show").Output()
	if err != nil {
		harness.Missing(t, fmt.Errorf("%s: Fortran: %w (%v)", tools.Name, harness.ErrMissing, err))
	}
	libraries, err := harness.FlangLibraries(compiler)
	require.NoError(t, err)
	sources, err := filepath.Abs("programs")
	require.NoError(t, err)
	dir := t.TempDir()
	program := filepath.Join(dir, name)
	args := []string{"-L" + libraries, "-cpp", "-DMPIF", "-D" + strings.ToUpper(tools.Family()), "-DTRANSLATED", "-O1", "-I" + dir, "-I" + sources,
		"-module-dir", dir, "-o", program, filepath.Join(sources, name+".F90")}
	for _, word := range strings.Fields(string(text)) {
		include, is := strings.CutPrefix(word, "-I")
		if is {
			headers, err := filepath.Glob(filepath.Join(include, "mpif*.h"))
			require.NoError(t, err)
			for _, header := range headers {
				text, err := os.ReadFile(header)
				require.NoError(t, err)
				if filepath.Base(header) == "mpif-sizeof.h" {
					text = nil // this compiler may lack some kinds
				}
				require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.Base(header)), text, 0o666))
			}
		} else if strings.HasPrefix(word, "-L") || strings.HasPrefix(word, "-l") {
			args = append(args, word)
		}
	}
	cmd := exec.Command(compiler, append(args, flags...)...)
	text, err = cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", strings.Join(cmd.Args, " "), text)
	return program
}

// Programs of LLVM's flang with mpif.h run on the libraries of the other family and of their own.
func TestFlang(t *testing.T) {
	for _, compiler := range flangs(t) {
		names := []string{"procedures", "classic", "frequent"}
		if strings.HasSuffix(compiler, "-16") {
			names = names[:2] // it does not expand macros in a program if another line follows
		}
		for _, from := range harness.Names {
			t.Run(filepath.Base(compiler)+"/"+from, func(t *testing.T) {
				tools, programs := find(t, from), []string{}
				for _, name := range names {
					program := flang(t, compiler, tools, name)
					if name != "classic" { // it crashes natively in Open MPI 4.1
						run(t, tools, nil, program)
					}
					if from == "mpich" { // over wi4go's
						upstream(t, program)
					}
					programs = append(programs, program)
				}
				for _, to := range []string{harness.Other(from), harness.Other(from) + "-5.0", from + "-5.0", "intelmpi-2021.18"} {
					t.Run(to, func(t *testing.T) {
						t.Parallel()
						for _, program := range programs {
							through(t, find(t, to), program)
						}
					})
				}
			})
		}
	}
}

// In mpi_f08, flang's programs of Open MPI run, because their buffers are addresses. Programs of MPICH pass flang's
// descriptors, which differ from gfortran's. They are refused by name, also if they contain a library compiled by
// gfortran.
func TestFlangDescriptors(t *testing.T) {
	openmpi, mpich := find(t, "openmpi"), find(t, "mpich")
	for _, compiler := range flangs(t) {
		t.Run(filepath.Base(compiler), func(t *testing.T) {
			if strings.HasSuffix(compiler, "-16") {
				t.Skip("it cannot compile calls with arguments of any type")
			}
			program := flang(t, compiler, openmpi, "descriptors")
			run(t, openmpi, nil, program)
			through(t, mpich, program)
			text, err := exec.Command("gfortran", "-print-file-name=libgfortran.so").Output()
			require.NoError(t, err)
			for _, more := range [][]string{nil, {"-Wl,--no-as-needed", strings.TrimSpace(string(text))}} {
				program := flang(t, compiler, mpich, "descriptors", more...)
				upstream(t, program)
				text, err := exec.Command(wi4go(t), "run", "--to", openmpi.MPIExec, "-n", "1", program).CombinedOutput()
				assert.Error(t, err, "%s", text)
				assert.Contains(t, string(text), "calls Fortran MPI (mpi_sendrecv_replace_f08ts_ …)")
			}
		})
	}
}
