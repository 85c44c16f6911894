package headers

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// built compiles a program of testdata with the generated files of a pair, and returns its path.
func built(t *testing.T, family, runtime, name string, sources ...string) string {
	t.Helper()
	_, directory := generated(t)
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "gcc"
	}
	program := filepath.Join(directory, name+"-"+family)
	args := []string{"-std=gnu11", "-O1", "-w", "-DPAIR_FACTS=\"" + family + "_" + runtime + ".h\"", "-DDEFINES_SHARED=1", "-I" + filepath.Join(directory, family)}
	for _, folder := range folders {
		args = append(args, "-I"+filepath.Join(root, folder))
	}
	args = append(args, "-o", program, "testdata/"+name+".c", "-ffunction-sections", "-Wl,--gc-sections", "-Wl,--unresolved-symbols=ignore-all")
	for _, source := range append(sources, "shim/tracked/registry.c") {
		args = append(args, filepath.Join(root, source))
	}
	out, err := exec.Command(cc, args...).CombinedOutput()
	require.NoError(t, err, string(out))
	return program
}

// inConstantTime runs a program with a number of objects. The cost of each, counted in
// instructions, must not depend on the number of objects. The program prints errors.
func inConstantTime(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath("valgrind"); err != nil {
		if os.Getenv("WI4GO_CI") == "1" {
			t.Fatal("valgrind is not installed")
		}
		t.Skip("valgrind is not installed")
	}
	count := func(n int) float64 {
		cmd := exec.Command("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, strconv.Itoa(n))
		var report strings.Builder
		cmd.Stderr = &report
		out, err := cmd.Output()
		require.NoError(t, err, report.String())
		assert.Empty(t, string(out))
		m := regexp.MustCompile(`Collected : (\d+)`).FindStringSubmatch(report.String())
		require.NotNil(t, m, report.String())
		total, err := strconv.ParseFloat(m[1], 64)
		require.NoError(t, err)
		return total
	}
	none, few, many := count(0), count(500), count(4000)
	each, later := (few-none)/500, (many-none)/4000
	t.Logf("%.0f instructions for each of 500, %.0f for each of 4000", each, later)
	assert.Less(t, later, 1.5*each, "the cost of one grows with their number")
}

// Tracked requests are found and removed.
func TestRecordsInConstantTime(t *testing.T) {
	inConstantTime(t, built(t, "mpiabi", "mpich", "records"))
}

// Objects that emulated requests hold are found, and freed with the last request.
func TestHeldObjectsInConstantTime(t *testing.T) {
	for family, runtime := range map[string]string{"mpich": "openmpi", "mpiabi": "mpich"} {
		t.Run(family, func(t *testing.T) {
			inConstantTime(t, built(t, family, runtime, "held", "shim/emulate/requests.c"))
		})
	}
}

// A handle stays invalid for tens of thousands of requests after its request has completed. One
// live request at a time uses at most rest places before they are reused. If no other places are
// free, a place is reused immediately.
func TestRecordHandlesComeBackLate(t *testing.T) {
	for family, runtime := range map[string]string{"mpich": "openmpi", "openmpi": "mpich", "mpiabi": "mpich"} {
		t.Run(family, func(t *testing.T) {
			program := built(t, family, runtime, "registry")
			for _, arguments := range [][]string{{"60000", "0"}, {"60000", "3000"}, {"10", "0", "all"}} {
				out, err := exec.Command(program, arguments...).CombinedOutput()
				assert.NoError(t, err, "%v", arguments)
				assert.Empty(t, string(out), "%v", arguments)
			}
		})
	}
}
