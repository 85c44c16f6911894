package headers

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Records of requests are found, and go, at a cost that does not grow with how many
// there are: counted in instructions.
func TestRecordsInConstantTime(t *testing.T) {
	if _, err := exec.LookPath("valgrind"); err != nil {
		if os.Getenv("WI4GO_CI") == "1" {
			t.Fatal("valgrind is not installed")
		}
		t.Skip("valgrind is not installed")
	}
	_, directory := generated(t)
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "gcc"
	}
	program := filepath.Join(directory, "records")
	args := []string{"-std=gnu11", "-O1", "-w", "-DPAIR_FACTS=\"mpiabi_mpich.h\"", "-I" + filepath.Join(directory, "mpiabi")}
	for _, folder := range folders {
		args = append(args, "-I"+filepath.Join(root, folder))
	}
	args = append(args, "-o", program, "testdata/records.c", filepath.Join(root, "shim/records/records.c"), "-Wl,--unresolved-symbols=ignore-all")
	out, err := exec.Command(cc, args...).CombinedOutput()
	require.NoError(t, err, string(out))

	count := func(n int) float64 {
		out, err := exec.Command("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, strconv.Itoa(n)).CombinedOutput()
		require.NoError(t, err, string(out))
		assert.NotContains(t, string(out), "found")
		m := regexp.MustCompile(`Collected : (\d+)`).FindSubmatch(out)
		require.NotNil(t, m, string(out))
		total, err := strconv.ParseFloat(string(m[1]), 64)
		require.NoError(t, err)
		return total
	}
	none, few, many := count(0), count(500), count(4000)
	each, later := (few-none)/500, (many-none)/4000
	t.Logf("%.0f instructions for each of 500, %.0f for each of 4000", each, later)
	assert.Less(t, later, 1.5*each, "what a record costs grows with their number")
}
