// Package doctor runs `wi4go doctor` on real MPI libraries, and on a machine with real limits. The tests of
// internal/doctor provoke the same findings with made-up sources.
package doctor

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/doctor"
	"wi4go/internal/fakempi"
	"wi4go/tests/harness"
)

// environment returns this process's environment without variables that cause findings, followed by more.
func environment(more ...string) []string {
	kept := slices.DeleteFunc(os.Environ(), func(v string) bool {
		for _, prefix := range []string{"WI4GO_", "OMPI_", "PRTE_", "PMIX_", "MPIR_", "I_MPI_", "LD_PRELOAD=", "LD_LIBRARY_PATH="} {
			if strings.HasPrefix(v, prefix) {
				return true
			}
		}
		return false
	})
	return append(kept, append([]string{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"}, more...)...)
}

func wi4go(t *testing.T) string {
	t.Helper()
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	command := filepath.Join(prefix, "bin/wi4go")
	if _, err := os.Stat(command); err != nil {
		harness.Missing(t, errors.Join(harness.ErrMissing, err))
	}
	return command
}

// report runs a command that ends with `wi4go doctor --json`, and returns its report. The exit code must be the
// report's status.
func report(t *testing.T, env []string, command ...string) doctor.Report {
	t.Helper()
	c := exec.Command(command[0], command[1:]...)
	c.Env = env
	out, err := c.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	var r doctor.Report
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	said := ""
	if exit != nil {
		said = string(exit.Stderr)
	}
	require.NoError(t, decoder.Decode(&r), "%s%s", out, said)
	assert.Empty(t, said)
	assert.Equal(t, r.Status, c.ProcessState.ExitCode())
	return r
}

func ids(r doctor.Report) []string {
	found := []string{}
	for _, f := range r.Findings {
		if f.ID != "path-launcher" { // a finding about this machine
			found = append(found, f.ID)
		}
	}
	return found
}

func fact(r doctor.Report, subject string) string {
	for _, f := range r.Facts {
		if f.Subject == subject {
			return f.Fact
		}
	}
	return ""
}

// toolchains returns the families' own tools, and a program of each.
func toolchains(t *testing.T) (tools map[string]harness.Toolchain, programs map[string]string) {
	t.Helper()
	tools, programs = map[string]harness.Toolchain{}, map[string]string{}
	for _, name := range harness.Names {
		m, err := harness.Find(name)
		if err != nil {
			harness.Missing(t, err)
		}
		tools[name], programs[name] = m, filepath.Join(t.TempDir(), name)
		require.NoError(t, m.Compile("../demo/hello.c", programs[name]))
	}
	return tools, programs
}

func TestRealRuntimes(t *testing.T) {
	command := wi4go(t)
	tools, programs := toolchains(t)
	for _, from := range harness.Names {
		for _, to := range harness.Names {
			t.Run(from+" on "+to, func(t *testing.T) {
				r := report(t, environment(), command, "doctor", "--json", "--to", tools[to].MPIExec, programs[from])
				assert.Empty(t, ids(r), "%+v", r.Findings)
				assert.Contains(t, fact(r, "trial"), "2 ranks of a program for "+map[string]string{"openmpi": "Open MPI", "mpich": "MPICH"}[from])
			})
		}
	}
	t.Run("without a program", func(t *testing.T) {
		r := report(t, environment(), command, "doctor", "--json", "--to", tools["mpich"].MPIExec)
		assert.Empty(t, ids(r))
		assert.Contains(t, fact(r, "trial"), "2 ranks of a program for Open MPI passed messages on MPICH")
	})
	t.Run("in ranks of the wrong launcher", func(t *testing.T) {
		r := report(t, environment(), tools["mpich"].MPIExec, "-n", "2", "sh", "-c",
			`[ $PMI_RANK = 0 ] && exec "$@"; "$@" >/dev/null`, "sh", command, "doctor", "--json", "--to", tools["openmpi"].MPIExec, programs["mpich"])
		assert.Equal(t, []string{"wrong-launcher"}, ids(r))
	})
	t.Run("scripts that start ranks themselves", func(t *testing.T) {
		for text, cure := range map[string]string{
			"#!/usr/bin/env python3\nimport subprocess\nsubprocess.run(['mpirun', '-n', '2', '%s'])\n": "wi4go shell --to ",
			"#!/usr/bin/env python3\nimport os\nos.system('mpirun -n 2 %s')\n":                         "wi4go shell --to ",
			"#!/bin/sh\nsrun -n 2 %s\n": "write `srun OPTIONS wi4go exec --to ",
		} {
			script := filepath.Join(t.TempDir(), "job")
			require.NoError(t, os.WriteFile(script, fmt.Appendf(nil, text, programs["openmpi"]), 0o755))
			r := report(t, environment(), command, "doctor", "--json", "--to", tools["mpich"].MPIExec, script)
			require.Contains(t, ids(r), "launcher-in-script", text)
			assert.Equal(t, 2, r.Status, text)
			at := slices.IndexFunc(r.Findings, func(f doctor.Finding) bool { return f.ID == "launcher-in-script" })
			assert.Contains(t, r.Findings[at].Cure, cure)
		}
	})
	t.Run("the machine", func(t *testing.T) {
		r := report(t, environment(), command, "doctor", "--json")
		assert.Less(t, r.Status, 2)
		assert.Contains(t, fact(r, "machine"), "glibc 2.")
		var runtimes []string
		for _, f := range r.Facts {
			if f.Subject == "runtime" {
				runtimes = append(runtimes, f.Fact)
			}
		}
		assert.GreaterOrEqual(t, len(runtimes), 2)
	})
}

// A launcher that does not work for its ranks, with real libraries.
func TestTrialFails(t *testing.T) {
	command := wi4go(t)
	_, programs := toolchains(t)
	library, err := harness.Library(programs["mpich"])
	require.NoError(t, err)
	for name, c := range map[string]struct{ script, id, says string }{
		"alone":   {`"$@"; "$@"`, "trial-alone", "each runs as rank 0 of 1"},
		"one":     {`"$@" | sed s/alone/ok/`, "trial-fails", "not both of the two ranks finished"},
		"refuses": {`echo there are not enough slots >&2; exit 3`, "trial-fails", "(exit status 3); its output: there are not enough slots"},
		"crashes": {`kill -SEGV $$`, "trial-fails", "(signal: segmentation fault"},
	} {
		t.Run(name, func(t *testing.T) {
			prefix := t.TempDir()
			require.NoError(t, os.Mkdir(filepath.Join(prefix, "lib"), 0o755))
			require.NoError(t, os.Symlink(library, filepath.Join(prefix, "lib", filepath.Base(library))))
			launcher := fakempi.Script(t, filepath.Join(prefix, "bin/mpiexec"), `#!/bin/sh
# HYDRA
while [ $# -gt 1 ]; do
	case $1 in
	-genv) export "$2=$3"; shift 3 ;;
	-n) shift 2 ;;
	*) break ;;
	esac
done
`+c.script+"\n")
			r := report(t, environment(), command, "doctor", "--json", "--to", launcher)
			require.Equal(t, []string{c.id}, ids(r))
			assert.Contains(t, r.Findings[0].Finding, c.says)
		})
	}
}

func TestRealLimits(t *testing.T) {
	command := wi4go(t)
	toolchains(t) // without any MPI there is one more finding
	before := ids(report(t, environment(), command, "doctor", "--json"))
	more := func(t *testing.T, id, says string, argv ...string) {
		t.Helper()
		r := report(t, environment(), argv...)
		assert.ElementsMatch(t, append(slices.Clone(before), id), ids(r))
		i := slices.IndexFunc(r.Findings, func(f doctor.Finding) bool { return f.ID == id })
		require.GreaterOrEqual(t, i, 0)
		assert.Contains(t, r.Findings[i].Finding, says)
	}
	t.Run("address space", func(t *testing.T) {
		// Below 1792 MB the command ends before it is doctor.
		r := report(t, environment(), "sh", "-c", `ulimit -v 1996800; exec "$0" doctor --json`, command)
		require.Equal(t, []string{"address-space"}, ids(r))
		assert.Contains(t, r.Findings[0].Finding, "is 1950 MB")
	})
	t.Run("shared memory", func(t *testing.T) {
		fakempi.Need(t, "unshare")
		if err := exec.Command("unshare", "-m", "mount", "-t", "tmpfs", "-o", "size=32m", "none", "/dev/shm").Run(); err != nil {
			t.Skip("nothing can be mounted here: ", err)
		}
		more(t, "shm-small", "/dev/shm has 32 MB", "unshare", "-m", "sh", "-c",
			`mount -t tmpfs -o size=32m none /dev/shm && exec "$0" doctor --json`, command)
	})
	t.Run("single copy", func(t *testing.T) {
		filtered := fakempi.Compile(t, seccomp, filepath.Join(t.TempDir(), "filtered"))
		more(t, "single-copy", "a seccomp filter", filtered, command, "doctor", "--json")
	})
}

// Under any limit on address space the command works, as on a machine with many cores, or ends with one line that names
// the cure.
func TestAddressSpace(t *testing.T) {
	command := wi4go(t)
	links := t.TempDir()
	for _, name := range []string{"mpicc", "mpiexec"} {
		require.NoError(t, os.Symlink(command, filepath.Join(links, name)))
	}
	limited := func(megabytes int, argv ...string) (out, errs string, code int) {
		var stdout, stderr strings.Builder
		c := exec.Command("sh", append([]string{"-c", fmt.Sprintf(`ulimit -c 0; ulimit -v %d; exec "$@"`, megabytes<<10), "sh"}, argv...)...)
		c.Env = environment("GOMAXPROCS=64")
		c.Stdout, c.Stderr = &stdout, &stderr
		var exit *exec.ExitError
		if err := c.Run(); err != nil {
			require.ErrorAs(t, err, &exit)
		}
		return stdout.String(), stderr.String(), c.ProcessState.ExitCode()
	}
	for _, argv := range [][]string{{command, "list"}, {command, "doctor"}, {command, "run", "-n", "2", "true"}, {command, "--version"},
		{filepath.Join(links, "mpicc"), "-show"}, {filepath.Join(links, "mpiexec"), "-n", "1", "true"}} {
		for _, megabytes := range []int{64, 300, 600, 700, 900, 1100, 1200, 1300, 1500, 1700, 1791, 1792, 1900, 2047} {
			out, errs, code := limited(megabytes, argv...)
			if doctor := len(argv) == 2 && argv[1] == "doctor"; doctor && megabytes >= 1792 {
				assert.Equal(t, 2, code, "%d MB: %v\n%s%s", megabytes, argv, out, errs)
				assert.Contains(t, out, "(address-space)")
				continue
			}
			assert.Equal(t, 1, code, "%d MB: %v\n%s%s", megabytes, argv, out, errs)
			assert.Equal(t, 1, strings.Count(errs, "\n"), "%d MB: %v\n%s", megabytes, argv, errs)
			assert.Contains(t, errs, "the limit on address space (ulimit -v)")
			assert.Contains(t, errs, "ulimit -v unlimited")
		}
	}
	for range 4 {
		out, errs, code := limited(2048, command, "list")
		assert.Equal(t, 0, code, "%s%s", out, errs)
	}
}

// seccomp is a program that runs another one without process_vm_readv.
const seccomp = `
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv) {
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 99;
	execv(argv[1], argv + 1);
	return 98;
}`

func TestReadPeer(t *testing.T) {
	err := doctor.ReadPeer(wi4go(t))
	assert.NotErrorIs(t, err, syscall.EFAULT, "the child must read at the given address")
	assert.NotErrorIs(t, err, syscall.ESRCH)
}
