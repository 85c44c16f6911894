package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
)

// newShellWorld returns a world in which the installation has the commands of an MPI.
func newShellWorld(t *testing.T) *world {
	w := newWorld(t)
	dir := w.at("ours/lib/wi4go/mpi/bin")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for _, name := range []string{"mpirun", "mpiexec", "mpicc"} {
		require.NoError(t, os.Symlink(w.wi4go, filepath.Join(dir, name)))
	}
	return w
}

// TestShell runs job scripts that start mpirun and mpiexec themselves, for programs of two families.
func TestShell(t *testing.T) {
	w := newShellWorld(t)
	script := fakempi.Script(t, w.at("job.sh"), "#!/bin/sh\nmpirun -n 2 ./open_app || exit\nmpiexec -n 1 ./mpich_app \"$1\"\n")
	r := w.run(nil, "shell", "--to", "mpich", "--", script, "5")
	assert.Equal(t, 5, r.code, r.err)
	assert.Contains(t, r.out, "served by front openmpi for "+w.mpich+"\n")
	r = w.run(nil, "shell", "--to", "openmpi", script, "0")
	assert.Zero(t, r.code, r.err)
	assert.Contains(t, r.out, "served by front mpich for "+w.open+"\n")

	r = w.run([]string{"SHELL=/bin/echo"}, "shell", "--to", "mpich")
	assert.Equal(t, result{out: "\n"}, r, "the user's shell")
	r = w.run(nil, "shell", "--identity", "--to", "mpich", "--dry-run")
	assert.Regexp(t, `^env PATH=\S*/lib/wi4go/mpi/bin:\S+ PKG_CONFIG_PATH=\S*/lib/wi4go/mpi/lib/pkgconfig WI4GO_TO=\S+ WI4GO_IDENTITY=always /bin/sh\n$`, r.out)
	r = w.run([]string{"PATH=" + w.at("ours/lib/wi4go/mpi/bin") + ":/bin:/usr/bin:" + w.at("mpich/bin")}, "shell", "--to", "mpich", "--", "sh", "-c", "command -v mpirun; echo $PATH")
	assert.Equal(t, w.at("ours/lib/wi4go/mpi/bin")+"/mpirun\n"+w.at("ours/lib/wi4go/mpi/bin")+":/bin:/usr/bin:"+w.at("mpich/bin")+"\n", r.out, "in a shell of its own")
}

// TestShellCommand starts wi4go's own commands by their plain names, although another MPI is first in PATH.
func TestShellCommand(t *testing.T) {
	w := newShellWorld(t)
	for _, name := range []string{"mpirun", "mpiexec", "mpicc"} {
		fakempi.Script(t, w.at("other/"+name), "#!/bin/sh\necho another MPI\n")
	}
	path := []string{"PATH=" + w.at("other") + ":" + w.at("open/bin") + ":" + w.at("mpich/bin") + ":/usr/bin:/bin"}
	for _, name := range []string{"mpirun", "mpiexec"} {
		r := w.run(path, "shell", "--to", w.mpich, "--", name, "-n", "1", "./open_app", "5")
		assert.Equal(t, 5, r.code, r.err)
		assert.Contains(t, r.out, "served by front openmpi for "+w.mpich+"\n", name)
	}
	r := w.run(path, "shell", "--to", w.mpich, "--", "mpicc", "-show")
	assert.Zero(t, r.code, r.err)
	assert.Contains(t, r.out, w.at("ours/lib/wi4go/mpi/lib"))
	r = w.run(path, "shell", "--to", w.mpich, "--", w.at("other/mpirun"), "-n", "1", "./open_app")
	assert.Equal(t, result{out: "another MPI\n", err: "wi4go: warning: " + w.at("other/mpirun") +
		" is not wi4go's, because `wi4go shell` replaces only mpirun and mpiexec, by their plain names: name it mpirun\n"}, r)
}

// TestShellNotReplaced runs scripts whose launcher is not wi4go's.
func TestShellNotReplaced(t *testing.T) {
	w := newShellWorld(t)
	for text, want := range map[string]string{
		"#!/bin/sh\nif false; then mpirun; /opt/x/mpirun ./a; fi\n": "/job.sh starts /opt/x/mpirun, which `wi4go shell` does not replace: write mpirun there without its directory",
		"#!/bin/sh\nif false; then mpiexec.hydra ./a; fi\n":         "/job.sh starts mpiexec.hydra, which `wi4go shell` does not replace: write mpirun there instead of mpiexec.hydra",
		"#!/bin/sh\nif false; then srun ./a; fi\n":                  "/job.sh starts srun, which `wi4go shell` does not replace: write `srun OPTIONS wi4go exec --to mpich PROGRAM` there",
		"#!/bin/sh -l\n:\n": "/job.sh is run by a login shell, whose profile may set PATH, so that mpirun is not wi4go's: start it by a shell without -l: bash ",
	} {
		script := fakempi.Script(t, w.at("job.sh"), text)
		r := w.run(nil, "shell", "--to", "mpich", "--", script)
		assert.Zero(t, r.code, text)
		assert.Contains(t, r.err, want)
		assert.Equal(t, result{code: 1, err: strings.Replace(r.err, "warning: ", "", 1)}, w.run([]string{"WI4GO_STRICT=1"}, "shell", "--to", "mpich", "--", script), text)
		assert.Equal(t, result{}, w.run([]string{"WI4GO_STRICT=0"}, "shell", "--to", "mpich", "--", script), text)
	}
	script := fakempi.Script(t, w.at("job.sh"), "#!/bin/sh\nif false; then mpirun -n 2 ./a; fi\n")
	assert.Equal(t, result{}, w.run(nil, "shell", "--to", "mpich", "--", script))
}

// TestShellRefusals checks the errors of the command.
func TestShellRefusals(t *testing.T) {
	w := newShellWorld(t)
	r := w.run(nil, "shell", "--to", "mpich", "--", "./none.sh")
	assert.Equal(t, 127, r.code)
	assert.Contains(t, r.err, "./none.sh")
	assert.Equal(t, 1, w.run(nil, "shell", "--to", "none").code)
	r = w.run(nil, "shell", "--from", "mpich")
	assert.Equal(t, 2, r.code, "programs of every family")
	require.NoError(t, os.Remove(w.at("mpich/bin/mpiexec")))
	r = w.run(nil, "shell", "--to", w.mpich)
	assert.NotZero(t, r.code)
	assert.Contains(t, r.err, "mpiexec")
	require.NoError(t, os.RemoveAll(w.at("ours/lib/wi4go/mpi")))
	r = w.run(nil, "shell", "--to", "openmpi", "true")
	assert.Equal(t, 1, r.code)
	assert.Contains(t, r.err, "this installation of wi4go has no mpirun")
}
