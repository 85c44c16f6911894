package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
)

// spack makes a tree of Spack's in the home directory with so many MPIs, of two vendors
// in turn, each another version.
func (w *world) spack(packages int) {
	w.t.Helper()
	open := fakempi.OpenMPI(w.t, w.at("from/openmpi"), "-Wl,--build-id=none")
	mpich := fakempi.MPICH(w.t, w.at("from/mpich"), "libmpi.so.12", "", "-Wl,--build-id=none")
	for i := range packages {
		library, version := open, fmt.Sprintf("v4.1.%d", i%10)
		name, old := fmt.Sprintf("openmpi-4.1.%d-%d", i%10, i), "v4.1.4"
		if i%2 == 1 {
			library, version, name, old = mpich, fmt.Sprintf("4.0.%d", i%10), fmt.Sprintf("mpich-4.0.%d-%d", i%10, i), "4.0.2"
		}
		prefix := w.at("spack/opt/spack/linux-debian12-x86_64/gcc-12/" + name)
		content, err := os.ReadFile(library)
		require.NoError(w.t, err)
		lib := filepath.Join(prefix, "lib", filepath.Base(library))
		fakempi.Script(w.t, lib, strings.ReplaceAll(string(content), old, version)+name) // no two are alike
		launcher, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(library)), "bin/mpiexec"))
		require.NoError(w.t, err)
		fakempi.Script(w.t, filepath.Join(prefix, "bin/mpiexec"), string(launcher))
	}
}

// calls counts what a command asks of the file system by name.
func (w *world) calls(args ...string) int {
	w.t.Helper()
	trace := w.at("trace")
	c := exec.Command("strace", append([]string{"-f", "-qq", "-e", "trace=%file,%stat", "-e", "signal=none", "-o", trace, w.wi4go}, args...)...)
	c.Dir = w.dir
	c.Env = []string{"HOME=" + w.dir, "PATH=/usr/bin:/bin"}
	out, err := c.CombinedOutput()
	require.NoError(w.t, err, string(out))
	text, err := os.ReadFile(trace)
	require.NoError(w.t, err)
	return strings.Count(string(text), "\n") - strings.Count(string(text), " resumed>")
}

// What a look-up costs, and that it does not grow with what the machine has once
// somebody has looked.
func TestLookUps(t *testing.T) {
	fakempi.Need(t, "strace")
	w := newWorld(t)
	alone := w.calls("list") // this machine may have some
	w.spack(40)
	assert.LessOrEqual(t, w.calls("list"), alone+60*40)
	for _, to := range []string{"mpich", "mpich@4.0.7", "openmpi@4.1.8"} {
		for _, how := range [][]string{{"exec", "--to", to}, {"run", "--dry-run", "--to", to}} {
			w.calls(append(how, "./open_app")...)
			assert.LessOrEqual(t, w.calls(append(how, "./open_app")...), 300, how)
		}
	}
}
