package launch

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// Open MPI 6 does the work for programs of all families. Its C library is split, and it has a library for the standard
// ABI as well. tests/openmpi6.sh installs it in a separate root without a shell.
func TestOpenMPI6(t *testing.T) {
	bin := os.Getenv("WI4GO_OPENMPI_6_0_BIN")
	if bin == "" {
		t.Skip("set WI4GO_OPENMPI_6_0_BIN to the bin directory of an Open MPI 6; tests/openmpi6.sh unpacks one")
	}
	w := newWorld(t)
	in := func(t *testing.T, arguments ...string) string {
		r := w.run([]string{"PRTE_MCA_mapby=:oversubscribe", "PRTE_MCA_bindto=none"}, append([]string{filepath.Join(bin, "enter"), w.wi4go}, arguments...)...)
		return r.stdout + r.stderr
	}
	prefix, err := harness.Prefix()
	require.NoError(t, err)
	starts := filepath.Join(t.TempDir(), "starts")
	text, err := exec.Command("gcc", "-o", starts, "programs/executes.c").CombinedOutput()
	require.NoError(t, err, string(text))

	list := in(t, "list")
	assert.Regexp(t, `(?m)^openmpi +Open MPI 6\.0`, list)
	assert.Regexp(t, `(?m)^openmpi-abi +Open MPI 6\.0.* mpiabi `, list)
	const right, refused = "2 ranks, token 1: as it should be", "rests on libopen_mpi.so.40"
	for _, from := range []string{"openmpi", "openmpi-6.0", "mpich", harness.Interface} {
		t.Run(from, func(t *testing.T) {
			tools, err := harness.FindIn(prefix, from)
			if err != nil {
				harness.Missing(t, err)
			}
			program := filepath.Join(t.TempDir(), "hello")
			require.NoError(t, tools.Compile("../demo/hello.c", program))
			for _, how := range [][]string{{program}, {"--identity", program}, {starts, program}} {
				out := in(t, append([]string{"run", "--to", "openmpi", "-n", "2"}, how...)...)
				assert.Contains(t, out, "Open MPI v6.0", how)
				assert.Contains(t, out, right, how)
			}
			copies := filepath.Join(t.TempDir(), "copies")
			require.NoError(t, tools.Compile("../fuzz/programs/copies.c", copies, "-pthread"))
			for _, to := range []string{"openmpi", "openmpi-abi"} {
				if to == "openmpi-abi" && tools.Family() == "openmpi" {
					continue
				}
				for seed := range 4 {
					in(t, "run", "--to", to, "-n", "1", copies, fmt.Sprint(seed), "200", "1", copies)
					saw, err := os.ReadFile(copies + ".0.0")
					require.NoError(t, err)
					for _, line := range strings.Split(strings.TrimSuffix(string(saw), "\ndone\n"), "\n") {
						assert.Contains(t, line, " ok", "%s, seed %d", to, seed)
					}
				}
			}
			spawns := filepath.Join(t.TempDir(), "spawns")
			require.NoError(t, tools.Compile("programs/spawns.c", spawns))
			assert.Contains(t, in(t, "run", "--to", "openmpi", "-n", "2", spawns, spawns), "parent 0 of 2, token 1\n")
			if tools.Family() == "openmpi" {
				assert.Contains(t, in(t, "run", "--to", "openmpi-abi", "-n", "2", program), refused)
			} else {
				assert.Contains(t, in(t, "run", "--to", "openmpi-abi", "-n", "2", program), right)
			}
			assert.Regexp(t, `will run +(translated|natively)\n`, in(t, "inspect", program, "--to", "openmpi"))
			assert.Contains(t, in(t, "doctor", "--to", "openmpi", program), "verdict  works")
		})
	}
	// The program's own functions have stubs, or the library has them.
	for from, function := range map[string]string{"openmpi": "ompi_proc_all", "mpich": "MPIR_Err_return_win"} {
		own := filepath.Join(t.TempDir(), "own")
		require.NoError(t, w.tools[from].Compile("../imports/programs/own.c", own, "-DFUNCTION="+function))
		assert.Contains(t, in(t, "run", "--to", "openmpi", "-n", "1", own), "rank works\n")
		called := in(t, "run", "--to", "openmpi", "-n", "1", own, "call")
		assert.Contains(t, called, "rank works\n")
		assert.Equal(t, from == "mpich", strings.Contains(called, function+" was called"), called)
	}
	for _, from := range []string{"openmpi", "mpich", "mpiabi"} {
		report := filepath.Join(t.TempDir(), "report")
		assert.Regexp(t, `verdict: \d+ right(, \d+ not run)?\n`,
			in(t, "verify", "--quick", "--from", from, "--to", "openmpi", "-n", "2", "--report", report, "MPI_Isend", "MPI_Allreduce", "MPI_Put:fence", "MPI_SEND"))
	}
}
