// Package lookups counts the files that wi4go's commands look up by name, on this machine and
// on one with many more MPI libraries.
package lookups

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Many is the number of libraries of a site with many libraries.
const Many = 40

// A Limit bounds the cost of a command.
type Limit struct {
	// Calls is the number of file-system calls.
	Calls int
	// Time is the duration; 0 means no limit.
	Time time.Duration
}

// Limits for commands with a library's name, for the list on a machine with two libraries, and
// for the list on a site with Many.
var (
	Exec     = Limit{Calls: 300}
	DryRun   = Limit{Calls: 300, Time: 100 * time.Millisecond}
	List     = Limit{1500, 200 * time.Millisecond}
	ListMany = Limit{4000, time.Second}
)

// source is a library with just the functions by which wi4go identifies an MPI library.
const source = `
int PMPI_Init(void) { return 0; }
int MPI_Init(void) { return 0; }
int PMPI_Get_library_version(char *text, int *n) { return *n = __builtin_sprintf(text, "%s", VERSION), 0; }
int PMPI_Get_version(int *v, int *s) { return *v = 3, *s = 1, 0; }
#ifdef OPENMPI
long ompi_mpi_comm_world[64];
#endif
`

// Site creates a tree of Spack packages in a home directory: so many, in turn of Open MPI and
// MPICH, and no two alike. It returns an error if a file cannot be written or gcc fails.
func Site(home string, packages int) error {
	for i := range packages {
		name, soname, mark := fmt.Sprintf("openmpi-4.1.%d-%d", i%10, i), "libmpi.so.40", "orterun"
		flags := []string{"-DOPENMPI", fmt.Sprintf("-DVERSION=%q", fmt.Sprintf("Open MPI v4.1.%d, package: %d", i%10, i))}
		if i%2 == 1 {
			name, soname, mark = fmt.Sprintf("mpich-4.0.%d-%d", i%10, i), "libmpi.so.12", "HYDRA"
			flags = []string{fmt.Sprintf("-DVERSION=%q", fmt.Sprintf("MPICH Version:\t4.0.%d", i%10))}
		}
		prefix := filepath.Join(home, "spack/opt/spack/linux-debian12-x86_64/gcc-12", name)
		for _, dir := range []string{"bin", "lib"} {
			if err := os.MkdirAll(filepath.Join(prefix, dir), 0o755); err != nil {
				return err
			}
		}
		library := filepath.Join(prefix, "lib", soname)
		gcc := exec.Command("gcc", append(flags, "-shared", "-fPIC", "-x", "c", "-", "-Wl,--build-id=sha1,-soname,"+soname, "-o", library)...)
		gcc.Stdin = strings.NewReader(source + fmt.Sprintf("const char package[] = %q;\n", name))
		if text, err := gcc.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, text)
		}
		if err := os.WriteFile(filepath.Join(prefix, "bin/mpiexec"), []byte("#!/bin/sh\n# "+mark+"\n"), 0o755); err != nil {
			return err
		}
	}
	return nil
}

// Environ returns the environment of a user with this home directory, with nothing from the
// caller's.
func Environ(home string) []string { return []string{"HOME=" + home, "PATH=/usr/bin:/bin"} }

// Calls returns the number of system calls of a command that name a file or read its state. It
// returns an error if strace or the command fails.
func Calls(home string, command ...string) (int, error) {
	trace := filepath.Join(home, "trace")
	c := exec.Command("strace", append([]string{"-f", "-qq", "-e", "trace=%file,%stat", "-e", "signal=none", "-o", trace}, command...)...)
	c.Env = Environ(home)
	if text, err := c.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, text)
	}
	text, err := os.ReadFile(trace)
	if len(text) == 0 {
		return 0, errors.Join(err, errors.New("strace recorded no calls"))
	}
	return bytes.Count(text, []byte("\n")) - bytes.Count(text, []byte(" resumed>")), err
}

// Time returns the shortest time of some runs of a command. It returns an error if a run fails.
func Time(home string, command ...string) (time.Duration, error) {
	const runs = 5
	least := time.Duration(0)
	for n := range runs {
		c := exec.Command(command[0], command[1:]...)
		c.Env = Environ(home)
		start := time.Now()
		if err := c.Run(); err != nil {
			return 0, fmt.Errorf("%s: %w", strings.Join(command, " "), err)
		}
		if took := time.Since(start); n == 0 || took < least {
			least = took
		}
	}
	return least, nil
}
