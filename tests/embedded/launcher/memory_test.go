package launcher

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/tests/harness"
)

// A rank takes at most 4 MB for MPI, also after all ranks have sent messages of every size to each other. The program
// is that of `make bench-embedded`, linked with the library itself.
func TestMemory(t *testing.T) {
	cases := harness.CompiledForEmbedded(t, "bench/onehost/cases/cases.c")
	line := filepath.Join(t.TempDir(), "line")
	numbers := []int{1, 2, 3, 4, 8, 24}
	if harness.Nightly.Runs() {
		numbers = append(numbers, 16, 32, 64)
	}
	for _, ranks := range numbers {
		require.NoError(t, os.WriteFile(line, make([]byte, 4096), 0o600))
		got := harness.RanksWithin(t, 10*harness.JobLimit, "", "-n", fmt.Sprint(ranks), cases, line, "1", "0,1", "memory:0")
		require.Equal(t, 0, got.Code, got.Stderr)
		var before, after, thousandths float64
		_, err := fmt.Sscanf(got.Stdout, "case memory:0 %g %g %g\n", &before, &after, &thousandths)
		require.NoError(t, err, got.Stdout)
		assert.Greater(t, thousandths, 100.0, "%d ranks", ranks)
		assert.LessOrEqual(t, thousandths, 4000.0, "%d ranks: MB for MPI, times 1000", ranks)
	}
}
