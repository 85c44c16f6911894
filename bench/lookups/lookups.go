// Package lookups counts what wi4go's commands ask of the file system by name, on
// this machine and on one with many MPI libraries more.
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

// Many is how many libraries a site with many has.
const Many = 40

// A Limit is what a command may take.
type Limit struct {
	Calls int
	Time  time.Duration // 0: no matter
}

// Limits for commands that are given a name, and for the list on a machine with two
// libraries and on a site with Many.
var (
	Exec     = Limit{Calls: 300}
	DryRun   = Limit{Calls: 300, Time: 100 * time.Millisecond}
	List     = Limit{1500, 200 * time.Millisecond}
	ListMany = Limit{4000, time.Second}
)

const source = `
int PMPI_Init(void) { return 0; }
int MPI_Init(void) { return 0; }
int PMPI_Get_library_version(char *text, int *n) { return *n = __builtin_sprintf(text, "%s", VERSION), 0; }
int PMPI_Get_version(int *v, int *s) { return *v = 3, *s = 1, 0; }
#ifdef OPENMPI
long ompi_mpi_comm_world[64];
#endif
`

// Site makes a tree of Spack's in a home directory with so many packages, of Open MPI
// and MPICH in turn, no two alike.
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

// Environ is the environment of a user with this home directory, and nothing else.
func Environ(home string) []string { return []string{"HOME=" + home, "PATH=/usr/bin:/bin"} }

// Calls counts the calls of a command that name a file or ask for its state.
func Calls(home string, command ...string) (int, error) {
	trace := filepath.Join(home, "trace")
	c := exec.Command("strace", append([]string{"-f", "-qq", "-e", "trace=%file,%stat", "-e", "signal=none", "-o", trace}, command...)...)
	c.Env = Environ(home)
	if text, err := c.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, text)
	}
	text, err := os.ReadFile(trace)
	if len(text) == 0 {
		return 0, errors.Join(err, errors.New("strace saw nothing"))
	}
	return bytes.Count(text, []byte("\n")) - bytes.Count(text, []byte(" resumed>")), err
}

// Time is the shortest of some runs of a command.
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
