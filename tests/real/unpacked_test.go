package real

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// unpacked returns a directory with the files of Debian packages that are not installed.
func unpacked(t *testing.T, packages ...string) string {
	t.Helper()
	if _, err := exec.LookPath("apt-get"); err != nil {
		harness.Missing(t, fmt.Errorf("apt-get: %w", harness.ErrMissing))
	}
	dir := t.TempDir()
	get := exec.Command("apt-get", append([]string{"download", "-o", "APT::Sandbox::User=root"}, packages...)...)
	get.Dir = dir
	out, err := get.CombinedOutput()
	require.NoError(t, err, "%s", out)
	debs, err := filepath.Glob(filepath.Join(dir, "*.deb"))
	require.NoError(t, err)
	require.Len(t, debs, len(packages))
	for _, deb := range debs {
		out, err := exec.Command("dpkg", "-x", deb, dir).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return dir
}

// ScaLAPACK's testers of both families, on four ranks: the embedded MPI gives the verdicts of the native run. xsllt is left
// out, because its ranks do not take the same steps, and it hangs natively as well.
func TestScaLAPACK(t *testing.T) {
	harness.Nightly.From(t, "it downloads the testers")
	root := unpacked(t, "scalapack-mpi-test", "scalapack-test-common", "libscalapack-openmpi2.2", "libscalapack-mpich2.2")
	libraries := filepath.Join(root, "usr/lib/x86_64-linux-gnu")
	inputs := filepath.Join(root, "usr/share/scalapack")
	for _, family := range []string{"openmpi", "mpich"} {
		for _, tester := range []string{"xdlu", "xclu", "xdqr", "xsinv", "xdtrd", "xzhrd", "xcsep", "xdnep", "xsls", "xdpbllt"} {
			t.Run(tester+"_"+family, func(t *testing.T) {
				j := job{
					program: filepath.Join(libraries, "scalapack", family+"-tests", tester), deb: "scalapack-mpi-test", family: family, ranks: 4,
					env:     []string{"LD_LIBRARY_PATH=" + libraries, "OPENBLAS_NUM_THREADS=1"},
					prepare: func(dir string) error { return exec.Command("cp", "-r", inputs+"/.", dir).Run() },
				}
				want := verdicts(j.native(t).stdout)
				require.Greater(t, strings.Count(strings.Join(want, "\n"), "PASSED"), 30)
				assert.Equal(t, want, verdicts(j.through(t, embedded).stdout))
			})
		}
	}
}

// verdicts returns the lines of a tester without its numbers with a point, which are times and residuals.
func verdicts(output string) []string {
	var lines []string
	for line := range strings.Lines(output) {
		words := slices.DeleteFunc(strings.Fields(line), func(word string) bool { return strings.Contains(word, ".") })
		lines = append(lines, strings.Join(words, " "))
	}
	return lines
}
