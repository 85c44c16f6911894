package handletable

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// compile builds a program of testdata with the tables, as in a front, and returns its path.
func compile(t testing.TB, name string, flags ...string) string {
	t.Helper()
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "gcc"
	}
	program := filepath.Join(t.TempDir(), name)
	args := append(flags, "-g", "-Wall", "-Wextra", "-Werror", "-I.", "-o", program, "testdata/"+name+".c", "handletable.c", "-lpthread")
	out, err := exec.Command(cc, args...).CombinedOutput()
	require.NoError(t, err, string(out))
	return program
}

// missing skips the test, or fails it in CI, where everything must be installed.
func missing(t testing.TB, name string) {
	t.Helper()
	if os.Getenv("WI4GO_CI") == "1" {
		t.Fatal(name)
	}
	t.Skip(name)
}

// Four threads use one table and its magazines under ThreadSanitizer.
func TestThreadSanitizer(t *testing.T) {
	t.Parallel()
	program := compile(t, "stress", "-O1", "-fsanitize=thread")
	run := func(name string, args ...string) ([]byte, error) {
		c := exec.Command(name, args...)
		c.Env = append(os.Environ(), "TSAN_OPTIONS=halt_on_error=1:exitcode=66")
		return c.CombinedOutput()
	}
	out, err := run(program)
	if err != nil && strings.Contains(string(out), "unexpected memory mapping") {
		// Old sanitizers do not know the address layout of new kernels.
		out, err = run("setarch", "-R", program)
		if err != nil && !strings.Contains(string(out), "data race") {
			missing(t, "ThreadSanitizer cannot run here: "+string(out))
		}
	}
	require.NoError(t, err, string(out))
	assert.Equal(t, "fine\n", string(out))
}

// The instructions of an operation including its call, without the caller's loop.
func TestCost(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("valgrind"); err != nil {
		missing(t, "valgrind is not installed")
	}
	program := compile(t, "cost", "-O2")
	collected := regexp.MustCompile(`Collected : (\d+)`)
	count := func(name string, n int) int {
		out, err := exec.Command("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, name, strconv.Itoa(n)).CombinedOutput()
		require.NoError(t, err, string(out))
		m := collected.FindSubmatch(out)
		require.NotNil(t, m, string(out))
		total, err := strconv.Atoi(string(m[1]))
		require.NoError(t, err)
		return total
	}
	each := func(name string) float64 { return float64(count(name, 20000)-count(name, 10000)) / 10000 }
	for _, c := range []struct {
		what, without string
		limit         float64
	}{{"lookup", "read", 7}, {"insert+release", "loop", 57}, {"reference", "read", 30}, {"request", "loop", 57}} {
		cost := each(c.what) - each(c.without)
		t.Logf("%s: %.1f instructions", c.what, cost)
		if runtime.GOARCH == "amd64" {
			assert.LessOrEqual(t, cost, c.limit, c.what)
		}
	}
}

// Benchmark times the operations in C, as the fronts call them.
func Benchmark(b *testing.B) {
	program := compile(b, "cost", "-O2")
	for _, name := range []string{"lookup", "insert+release", "reference", "request"} {
		b.Run(name, func(b *testing.B) {
			out, err := exec.Command(program, name, fmt.Sprint(b.N)).CombinedOutput()
			require.NoError(b, err, string(out))
		})
	}
}
