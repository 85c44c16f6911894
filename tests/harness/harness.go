// Package harness finds the MPI libraries installed here, compiles C programs with them, and starts
// such programs natively or through wi4go.
//
// The benchmark and the tests that run whole programs use it. It must not know what a program does,
// and it must not share code with the launcher or the loader, because these two are measured and
// tested.
package harness

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ErrMissing is wrapped by every error about something that is not installed or not built, so that
// a caller may skip. Other errors are failures.
var ErrMissing = errors.New("not found")

// Names are the ABI families that have fronts.
var Names = []string{"openmpi", "mpich"}

// Libraries are the MPI libraries to test with: Debian's under the families' names, and further
// versions under separate names. Names that end in -abi are the standard ABI of a vendor that also
// has its own.
var Libraries = []string{
	"openmpi", "openmpi-4.1.8", "openmpi-5.0",
	"mpich-3.4", "mpich", "mpich-4.3", "mpich-5.0",
	"intelmpi-2021.15", "intelmpi-2021.18",
	"mpich-5.0" + abiSuffix, "intelmpi-2021.18" + abiSuffix,
}

const abiSuffix = "-abi"

// Interface is the name of wi4go's own compiler wrapper, which makes programs for the standard ABI.
// No library to run on has this name.
const Interface = "wi4go"

// Direction is a pair: programs of From run on the library To. From is Interface or one of
// Libraries, To one of Libraries.
type Direction struct{ From, To string }

// Across returns all directions from some names to others, library by library. Directions within a
// family are included only if within is true.
func Across(from, to []string, within bool) []Direction {
	var all []Direction
	for _, library := range to {
		for _, program := range from {
			if within || (Toolchain{Name: program}).Family() != (Toolchain{Name: library}).Family() {
				all = append(all, Direction{program, library})
			}
		}
	}
	return all
}

// Directions are the programs of every family on a library of each other one.
var Directions = slices.Concat(Across(append(slices.Clone(Names), Interface), Names, false), Across(Names, []string{"mpich-5.0" + abiSuffix}, false))

func (d Direction) String() string { return d.From + "_on_" + d.To }

// Toolchain is one installed MPI library with the commands that compile and start its programs.
type Toolchain struct {
	Name    string // one of Libraries
	MPICC   string // its compiler wrapper
	Flag    string // the wrapper's first argument, or ""
	MPIExec string // its launcher
}

// Find finds a library. A variable (WI4GO_OPENMPI_BIN, WI4GO_MPICH_5_0_BIN …) names the directory
// of its mpicc and mpiexec. Without one they are mpicc.NAME and mpiexec.NAME (Debian's names) in
// PATH.
func Find(name string) (Toolchain, error) {
	m := Toolchain{Name: name}
	name, abi := strings.CutSuffix(name, abiSuffix)
	variable := "WI4GO_" + strings.NewReplacer("-", "_", ".", "_").Replace(strings.ToUpper(name)) + "_BIN"
	cc, launcher := "mpicc."+name, "mpiexec."+name
	if dir := os.Getenv(variable); dir != "" {
		cc, launcher = filepath.Join(dir, "mpicc"), filepath.Join(dir, "mpiexec")
	}
	switch {
	case abi && strings.HasPrefix(name, "intelmpi"):
		m.Flag = "-mpi_abi"
	case abi:
		cc += "_abi"
	}
	var err error
	if m.MPICC, err = exec.LookPath(cc); err == nil {
		m.MPIExec, err = exec.LookPath(launcher)
	}
	if err != nil {
		return m, fmt.Errorf("%s: %w (%v); install it or set %s", name, ErrMissing, err, variable)
	}
	return m, nil
}

// FindIn does the same, and also finds Interface and Embedded: the wrapper and the embedded MPI of the
// installation in prefix.
func FindIn(prefix, name string) (Toolchain, error) {
	switch name {
	case Embedded:
		return embedded(prefix)
	case Interface:
	default:
		return Find(name)
	}
	wrapper := filepath.Join(prefix, "bin", "mpicc")
	if _, err := os.Stat(wrapper); err != nil {
		return Toolchain{}, fmt.Errorf("%s: %w; run make first", wrapper, ErrMissing)
	}
	return Toolchain{Name: Interface, MPICC: wrapper}, nil
}

// Family returns the ABI family of the library.
func (m Toolchain) Family() string {
	vendor, _, _ := strings.Cut(m.Name, "-")
	if m.Name == Interface || m.Name == Embedded || strings.HasSuffix(m.Name, abiSuffix) {
		return "mpiabi"
	}
	if vendor == "intelmpi" {
		return "mpich"
	}
	return vendor
}

// Root returns the directory in which the library is installed.
func (m Toolchain) Root() string { return filepath.Dir(filepath.Dir(m.MPIExec)) }

// Other returns the family other than the given one.
func Other(name string) string {
	if name == Names[0] {
		return Names[1]
	}
	return Names[0]
}

// Compile compiles the C source src with the family's mpicc, or a C++ source with the mpicxx in the
// same directory, to the program out. more are further arguments.
func (m Toolchain) Compile(src, out string, more ...string) error {
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	compiler := m.MPICC
	if filepath.Ext(src) == ".cc" {
		dir, name := filepath.Split(compiler)
		compiler = dir + strings.Replace(name, "mpicc", "mpicxx", 1)
	}
	// gcc takes MPICH's STATUSES_IGNORE, the address 1, for an array that is overrun.
	flags := []string{"-O2", "-g", "-Wall", "-Wextra", "-Wno-stringop-overflow"}
	if m.Flag != "" {
		flags = append([]string{m.Flag}, flags...)
	}
	env := append(os.Environ(), "I_MPI_ROOT="+m.Root()) // Intel's wrapper requires it, others ignore it
	return compilation{compiler, flags, out, src, more, env, nil}.ensure()
}

// ConformanceFlags returns the flags for the programs of tests/conformance, which is directory. Packages that use the same
// flags share the compiled programs; with -O1 a program takes a quarter less time to compile.
func ConformanceFlags(directory string) []string { return []string{"-O1", "-I" + directory} }

// CompileFortran compiles the Fortran source src with the mpif90 in the directory of the family's
// mpicc to the program out. more are further arguments.
func (m Toolchain) CompileFortran(src, out string, more ...string) error {
	dir, name := filepath.Split(m.MPICC)
	mpif90 := dir + strings.Replace(name, "mpicc", "mpif90", 1)
	for _, needed := range []string{mpif90, "gfortran"} {
		if _, err := exec.LookPath(needed); err != nil {
			return fmt.Errorf("%s: Fortran: %w (%v)", m.Name, ErrMissing, err)
		}
	}
	modules := out + ".modules"
	if err := os.MkdirAll(modules, 0o755); err != nil {
		return err
	}
	cmd := exec.Command(mpif90, append([]string{"-cpp", "-O2", "-g", "-w", "-ffree-line-length-none", "-fallow-argument-mismatch", "-J", modules, "-o", out, src}, more...)...)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, text)
	}
	return nil
}

// FortranCompilers returns the installed Fortran compilers other than gfortran itself, by Debian's
// names. WI4GO_FORTRAN names more, separated by blanks.
func FortranCompilers() (found []string, err error) {
	names := append([]string{"gfortran"}, strings.Fields(os.Getenv("WI4GO_FORTRAN"))...)
	for version := range 30 {
		names = append(names, fmt.Sprint("gfortran-", version), fmt.Sprint("flang-new-", version), fmt.Sprint("flang-", version))
	}
	seen := map[string]bool{}
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return nil, err
		}
		if !seen[real] && name != "gfortran" {
			found = append(found, path)
		}
		seen[real] = true
	}
	return found, nil
}

// FlangLibraries returns the directory of a flang's own libraries, which the flang of LLVM 16 does
// not search.
func FlangLibraries(flang string) (string, error) {
	real, err := filepath.EvalSymlinks(flang)
	return filepath.Join(filepath.Dir(filepath.Dir(real)), "lib"), err
}

// Soname returns the name in a program's DT_NEEDED of its MPI library.
func Soname(program string) (string, error) {
	file, err := elf.Open(program)
	if err != nil {
		return "", err
	}
	defer file.Close()
	needed, err := file.ImportedLibraries()
	if err != nil {
		return "", fmt.Errorf("%s: %w", program, err)
	}
	for _, name := range needed {
		if strings.HasPrefix(name, "libmpi.so") || strings.HasPrefix(name, "libmpich.so") || strings.HasPrefix(name, "libmpi_abi.so") || name == embeddedSoname {
			return name, nil
		}
	}
	return "", fmt.Errorf("%s: needs no MPI library, only %s", program, strings.Join(needed, ", "))
}

// Library returns the file that the dynamic linker finds for a program's MPI library.
func Library(program string) (string, error) {
	soname, err := Soname(program)
	if err != nil {
		return "", err
	}
	text, err := exec.Command("ldd", program).Output()
	if err != nil {
		return "", fmt.Errorf("ldd %s: %w", program, err)
	}
	for line := range strings.Lines(string(text)) {
		name, rest, found := strings.Cut(strings.TrimSpace(line), " => ")
		if path, _, ok := strings.Cut(rest, " ("); found && ok && name == soname {
			return path, nil
		}
	}
	return "", fmt.Errorf("ldd %s: %s: %w", program, soname, ErrMissing)
}

// Missing ends a test that lacks something. It skips the test with the reason. It fails the test if
// everything must be installed (WI4GO_CI=1), or if err is another error.
func Missing(t interface {
	Helper()
	Skip(...any)
	Fatal(...any)
}, err error) {
	t.Helper()
	if os.Getenv("WI4GO_CI") == "1" || !errors.Is(err, ErrMissing) {
		t.Fatal(err)
	}
	t.Skip(err)
}

// Number returns the value of a variable that increases the work of a test, or otherwise if it is
// not set. It ends the test if the value is no number.
func Number(t interface {
	Helper()
	Fatal(...any)
}, variable string, otherwise int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(variable, err)
	}
	return n
}

// Prefix returns the installation that tests use: WI4GO_PREFIX, or the build directory of the repository.
func Prefix() (string, error) {
	if dir := os.Getenv("WI4GO_PREFIX"); dir != "" {
		return filepath.Abs(dir)
	}
	top, err := Root()
	return filepath.Join(top, "build"), err
}

// Launch is the command that runs a command on as many ranks under the
// family's own launcher, in the library's Environ. The caller starts it.
func (m Toolchain) Launch(ctx context.Context, ranks int, command ...string) *exec.Cmd {
	cmd := m.LaunchPlain(ctx, ranks, command...)
	cmd.Env = m.Environ()
	for i, word := range cmd.Args { // an assignment that is part of the command
		if libraries, ok := strings.CutPrefix(word, "LD_PRELOAD="); ok && m.preloads() {
			cmd.Args[i] = Preload(libraries)
		}
	}
	return cmd
}

// LaunchPlain is Launch in PlainEnviron.
func (m Toolchain) LaunchPlain(ctx context.Context, ranks int, command ...string) *exec.Cmd {
	args := append([]string{"-n", fmt.Sprint(ranks)}, command...)
	cmd := exec.CommandContext(ctx, m.MPIExec, args...)
	cmd.Env = PlainEnviron()
	// The launcher ends its ranks when it is asked to, not when it is killed.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// PlainEnviron is this process's environment with what lets either launcher start
// more ranks than there are cores, unpinned, and as root. Open MPI 4 reads the
// OMPI_ variables, Open MPI 5 the PRTE_ ones, MPICH none. Measurements use it, and tests of
// preloads, of the environment and of the files that a process opens. All others use Environ.
func PlainEnviron() []string {
	return append(os.Environ(),
		"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"OMPI_MCA_rmaps_base_oversubscribe=1", "OMPI_MCA_hwloc_base_binding_policy=none",
		"OMPI_MCA_osc=^ucx",
		"PRTE_ALLOW_RUN_AS_ROOT=1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe", "PRTE_MCA_hwloc_default_binding_policy=none",
	)
}
